"""Training in several processes: one model, each with its share of the batches."""

from __future__ import annotations

import os
import time
from collections import Counter
from itertools import islice, takewhile
from multiprocessing import get_context
from pathlib import Path
from statistics import mode

import pytest
import torch
from tokenizers import Tokenizer
from waiting import until

from tooldec.training.batches import batches, chunk_batches
from tooldec.training.losses import losses
from tooldec.training.recipe import Recipe
from tooldec.training.shape import Shape
from tooldec.training.team import ALONE, Team, gather
from tooldec.training.tokenizer import train_tokenizer
from tooldec.training.trainer import Run, corpus

RECIPE = Recipe(
    steps=4,
    batch_tokens=1024,
    compiled=False,
    shape=Shape(width=48, layers=2, heads=3, head_dim=16, hidden=48, vocabulary=800),
)


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer(corpus(0, 100), 800)


class Apart(Team):
    """A member whose team has at most three batches of a width in a chunk."""

    def least(self, number: int) -> int:
        return min(number, 3)


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tooldec.training.batches.CHUNK", 150)


@pytest.mark.usefixtures("small_chunks")
def test_members_have_chunks_of_their_own(tokenizer: Tokenizer) -> None:
    """Each reads its own documents, as many batches of a width as the other, in the same order."""
    shared = [list(islice(batches(tokenizer, 3, 1024, team=Apart(rank, 2)), 20)) for rank in (0, 1)]
    for rank, mine in enumerate(shared):
        own = [part.tokens.tolist() for chunk in (rank, 2 + rank) for part in chunk_batches(tokenizer, 3, chunk, 1024)]
        places = [own.index(part.tokens.tolist()) for _, _, part in mine]
        assert len(set(places)) == 20
        assert [place[:2] for place in mine] == [*((0, n) for n in range(1, 16)), *((1, n) for n in range(1, 6))]
    widths = [[part.tokens.shape[1] for _, _, part in mine] for mine in shared]
    assert widths[0] == widths[1] and set(Counter(widths[0][:15]).values()) == {3}
    later = next(batches(tokenizer, 3, 1024, *shared[1][16][:2], team=Apart(1, 2)))
    assert later[2].tokens.tolist() == shared[1][17][2].tokens.tolist()


@pytest.mark.usefixtures("small_chunks")
def test_the_widths_of_batches_alternate(tokenizer: Tokenizer) -> None:
    """Each width is spread over the whole chunk: no stretch of it has long rows alone."""
    chunk = takewhile(lambda place: place[0] == 0, batches(tokenizer, 3, 1024))
    widths = [part.tokens.shape[1] for _, _, part in chunk]
    assert len(set(widths)) > 3
    for width in set(widths):
        assert abs(widths[: len(widths) // 2].count(width) - widths.count(width) / 2) <= 1, width


def member(team: Team, out: Path, steps: int, resume: bool) -> None:
    """What a process of the tests does: some steps, and its weights into a file of its own."""
    torch.set_num_threads(1)
    run = Run(out, RECIPE, resume=resume, team=team)
    losses = [run.step() for _ in range(steps)]
    if team.rank == 0:
        run.save()
    team.wait()
    kept = {"masters": run.optimizer.masters, "losses": losses, "seconds": run.progress, "tokens": run.tokens}
    torch.save(kept, out / f"member{team.rank}.pt")


def test_two_processes_train_one_model(tmp_path: Path, tokenizer: Tokenizer) -> None:
    """The same weights in both, those of the mean gradient; and going on gives what one go gives."""
    for name in ("once", "twice", "alone"):
        (tmp_path / name).mkdir()
        tokenizer.save(str(tmp_path / name / "tokenizer.json"))
    gather(member, 2, tmp_path / "once", 4, True)
    first, second = (torch.load(tmp_path / "once" / f"member{rank}.pt") for rank in (0, 1))
    assert first["losses"] == second["losses"] and first["tokens"] == second["tokens"]
    for name, weight in first["masters"].items():
        assert torch.equal(weight, second["masters"][name])

    run = Run(tmp_path / "alone", RECIPE, resume=True)
    chunks = [chunk_batches(run.tokenizer, 0, chunk, 1024) for chunk in (0, 1)]
    common = mode(part.tokens.shape[1] for part in chunks[0])
    pair = [next(part for part in chunk if part.tokens.shape[1] == common) for chunk in chunks]
    mean = sum(losses(run.network, batch, run.dtype, run.device, run.usual).written.item() for batch in pair) / 2
    assert first["losses"][0] == pytest.approx(mean, rel=1e-2)

    gather(member, 2, tmp_path / "twice", 2, True)
    gather(member, 2, tmp_path / "twice", 2, True)
    resumed = torch.load(tmp_path / "twice" / "member1.pt")
    for name, weight in first["masters"].items():
        assert torch.equal(weight, resumed["masters"][name])


def shared(team: Team, out: Path) -> None:
    """Five items: each member squares some of them, and has the results of all."""
    items, done = torch.arange(10.0).view(5, 2), []

    def square(some: torch.Tensor) -> torch.Tensor:
        done.append(some[:, 0].tolist())
        return some.square().bfloat16()

    torch.save([team.share(square, items), done, team.least(7 - team.rank)], out / f"{team.rank}.pt")


def test_members_share_work(tmp_path: Path) -> None:
    gather(shared, 2, tmp_path)
    for rank, mine in enumerate(([0.0, 4.0, 8.0], [2.0, 6.0, 0.0])):
        results, done, least = torch.load(tmp_path / f"{rank}.pt")
        assert results.tolist() == torch.arange(10.0).view(5, 2).square().tolist()
        assert done == [mine] and least == 6


def fail(team: Team) -> None:
    """A member that stops before the others are done."""
    if team.rank == 1:
        raise ValueError("the disk is full")
    team.wait()


def test_a_failure_of_one_ends_all() -> None:
    with pytest.raises(RuntimeError, match="the disk is full"):
        gather(fail, 2)


def test_one_process_is_a_team_too() -> None:
    tensor, seen = torch.ones(3), []
    ALONE.mean([tensor])
    assert ALONE.least(7) == 7 and ALONE.share(torch.neg, tensor).tolist() == [-1, -1, -1]
    gather(lambda team, word: seen.append((team, word)), 1, "word")
    assert tensor.tolist() == [1, 1, 1] and seen == [(ALONE, "word")]


def patient(team: Team, out: Path) -> None:
    """A member that tells its number and then has work for minutes."""
    (out / f"pid{team.rank}").write_text(str(os.getpid()))
    time.sleep(300)


def test_members_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    parent = get_context("spawn").Process(target=gather, args=(patient, 2, tmp_path))
    parent.start()
    files = [tmp_path / f"pid{rank}" for rank in (0, 1)]
    assert until(lambda: all(file.exists() and file.read_text() for file in files), seconds=60)
    parent.kill()
    parent.join()
    assert until(lambda: not any(alive(file.read_text()) for file in files), seconds=60)


def alive(process: str) -> bool:
    """Whether a process, given by its number, still runs."""
    try:
        return ") Z " not in Path("/proc", process, "stat").read_text()
    except OSError:
        return False
