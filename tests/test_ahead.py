"""Documents that other processes draw ahead, and those that come again."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer

from tooldec.training import batches as module
from tooldec.training import train
from tooldec.training.ahead import drawn_ahead
from tooldec.training.batches import Batch, batches
from tooldec.training.documents.mixture import document
from tooldec.training.losses import losses
from tooldec.training.model import Network
from tooldec.training.recipe import GPU_REPLAYS, GPU_TOKENS, Recipe
from tooldec.training.shape import Shape
from tooldec.training.tokenizer import train_tokenizer


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer((text for index in range(60) for text in (document(1, index).prefix, "Q: A:")), 700)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 40)
    monkeypatch.setattr(module, "LATER", 3)


def square(number: int) -> int:
    if number == 7:
        raise KeyError("seven")
    return number**2


def who(number: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("processes", [1, 3])
def test_they_come_in_order(processes: int) -> None:
    assert list(islice(drawn_ahead(square, 8, 2, processes), 10)) == [number**2 for number in range(8, 28, 2)]


def test_what_fails_is_told_in_its_turn() -> None:
    drawn = drawn_ahead(square, 4, 1, 2)
    assert [next(drawn) for _ in range(3)] == [16, 25, 36]
    with pytest.raises(RuntimeError, match="a process that draws documents failed: KeyError: 'seven'"):
        next(drawn)


def test_a_process_that_was_killed_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tooldec.training.ahead.PATIENCE", 0.1)
    drawn = drawn_ahead(who, 0, 1, 1)
    one = next(drawn)
    assert one != os.getpid()
    os.kill(one, signal.SIGKILL)
    with pytest.raises(RuntimeError, match="a process that draws documents was stopped"):
        list(islice(drawn, 100))


def test_processes_end_with_whoever_reads() -> None:
    drawn = drawn_ahead(who, 0, 1, 1)
    one = next(drawn)
    drawn.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(one, 0)


def places(found: Iterator[tuple[int, int, Batch]], count: int) -> list[tuple[int, int, bytes]]:
    return [(chunk, number, batch.tokens.tobytes()) for chunk, number, batch in islice(found, count)]


def test_batches_are_the_same_whoever_draws_them(tokenizer: Tokenizer) -> None:
    alone, together = (places(batches(tokenizer, 3, 2048, processes=number), 12) for number in (0, 2))
    assert alone == together and alone[-1][0] > 0


def test_batches_come_again_later_and_a_run_goes_on_anywhere(tokenizer: Tokenizer) -> None:
    found = places(batches(tokenizer, 3, 2048, replays=2), 130)
    once = list(takewhile(lambda place: place[0] < 3, places(batches(tokenizer, 3, 2048), 40)))
    times = Counter(tokens for _, _, tokens in found)
    assert {times[tokens] for _, _, tokens in once} == {2} and max(times.values()) == 2
    first: dict[bytes, int] = {}
    for chunk, _, tokens in found:
        assert chunk - first.setdefault(tokens, chunk) in (0, 2 * 3 + 1)
    for place in (10, 30, 49):
        chunk, number, _ = found[place]
        assert places(batches(tokenizer, 3, 2048, chunk, number, replays=2), 20) == found[place + 1 : place + 21]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA GPU")
def test_a_gpu_computes_the_same_losses_and_trains(tokenizer: Tokenizer, tmp_path: Path) -> None:
    shape = Shape(width=48, layers=4, heads=3, head_dim=16, hidden=48, vocabulary=700)
    network, batch = Network(shape, 1), next(batches(tokenizer, 3, 2048))[2]
    found = []
    for device in map(torch.device, ("cpu", "cuda")):
        network.to(device).zero_grad()
        lost = losses(network, batch, torch.float32, device)
        total = lost.written + lost.filled + lost.chosen + lost.pointed
        total.backward()
        found.append((total.detach().cpu(), *(weight.grad.cpu() for weight in network.parameters())))  # type: ignore[union-attr]
    for here, there in zip(*found, strict=True):
        assert torch.allclose(here, there, rtol=2e-2, atol=2e-4)
    assert train(tmp_path, device="cuda", steps=3, processes=2).is_file()


def test_a_gpu_has_its_documents_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a CPU so many processes train together; beside a GPU they draw for the one that trains."""
    begun: list[tuple[int, Recipe]] = []
    monkeypatch.setattr("tooldec.training.trainer.gather", lambda *given: begun.append((given[1], given[3])))
    for device in ("cuda:0", "cpu"):
        train(tmp_path, device=device, processes=3)
    (gpu, drawn), (cpu, together) = begun
    assert (gpu, drawn.drawing, drawn.replays, drawn.widths) == (1, 3, GPU_REPLAYS, (1024,))
    assert drawn.batch_tokens == GPU_TOKENS and (cpu, together.drawing, together.replays) == (3, 0, 1)
