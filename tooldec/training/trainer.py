"""The training run: documents in, checkpoints out, exactly resumable."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from tooldec.training.batches import WIDTHS, Source, batches
from tooldec.training.difficulty import Difficulty, ask_model
from tooldec.training.documents.lexicon import groups
from tooldec.training.documents.mixture import document, documents
from tooldec.training.documents.rendering import EOS, MARKER
from tooldec.training.documents.vocabulary import vocabulary
from tooldec.training.documents.words import MORE_VERBS, SYNONYMS, held_out
from tooldec.training.frequency import name_frequencies
from tooldec.training.losses import losses
from tooldec.training.model import Network, faster_dtype
from tooldec.training.muon import Optimizer
from tooldec.training.plot import loss_plot
from tooldec.training.recipe import AGAIN, AGAIN_TOKENS, BEGUN, GPU_REPLAYS, GPU_TOKENS, SHARE_TOKENS, Recipe
from tooldec.training.teacher import Teacher, ask_encoder
from tooldec.training.team import ALONE, Team, gather
from tooldec.training.tokenizer import train_tokenizer
from tooldec.training.vectors import read_vectors, token_vectors

TOKENIZER_DOCUMENTS = 20_000
CHECKPOINT = "checkpoint.pt"


def corpus(seed: int, count: int = TOKENIZER_DOCUMENTS) -> Iterator[str]:
    """The texts that the tokenizer learns from; they are not those of the first training steps.

    Verbs come with a capital letter too, as at the beginning of a request, so that each is one token.
    """
    verbs = {word for entry in (*groups("verbs"), *MORE_VERBS, *chain(*SYNONYMS)) for word in entry.split("_")}
    for verb in sorted(verbs) * (200 * count // TOKENIZER_DOCUMENTS):
        yield verb.capitalize() if len(verb) > 2 and not held_out(verb) else verb
    for drawn in islice(documents(seed + 1_000_000), count):
        yield drawn.prefix
        for turn in drawn.turns:
            yield turn.prompt
            yield from (piece.text for piece in turn.pieces if piece.text not in (EOS, MARKER))


class Run:
    """A training run in a folder: `step` until `finished`, `save` now and then."""

    def __init__(
        self,
        out: Path,
        recipe: Recipe,
        device: str = "cpu",
        resume: bool = False,
        start: Path | None = None,
        source: Source = document,
        vectors: Path | None = None,
        team: Team = ALONE,
        teacher: Teacher | None = None,
    ) -> None:
        self.out, self.recipe, self.team = out, recipe, team
        self.device = torch.device(device)
        short = team.least(int(faster_dtype(self.device) is torch.bfloat16))
        self.dtype = torch.bfloat16 if short else torch.float32
        out.mkdir(parents=True, exist_ok=True)
        path = out / "tokenizer.json"
        if not (resume and path.exists()) and team.rank == 0:
            known = start and Tokenizer.from_file(str(start / "tokenizer.json"))  # others cost half of what it knows
            (known or train_tokenizer(corpus(recipe.seed), words=vocabulary())).save(str(path))
        team.wait()
        self.tokenizer = Tokenizer.from_file(str(path))
        if teacher is not None:
            teacher.tokenize(self.tokenizer)
        counted = out / "frequencies.npy"
        if not (resume and counted.exists()) and team.rank == 0:
            np.save(counted, name_frequencies(self.tokenizer, recipe.seed, recipe.shape.vocabulary).numpy())
        team.wait()
        self.usual = torch.from_numpy(np.load(counted)).to(self.device)
        self.network = Network(recipe.shape, recipe.seed)
        if start is not None:
            self.network.adopt(start, self.tokenizer)
        resumed = resume and self.checkpoint.exists()
        if vectors is not None and not resumed:
            self.network.begin_with(torch.from_numpy(token_vectors(self.tokenizer, read_vectors(vectors))))
        self.network.to(self.device)
        self.optimizer = Optimizer(self.network, recipe.muon_rate, recipe.adam_rate, recipe.decay, team)
        self.network.to(self.dtype)
        self.chunk = self.batch = 0
        self.seconds, self.tokens = 0.0, 0
        self.history: list[list[float]] = []
        if resumed:
            self._load()
        if recipe.compiled and not (short and self.device.type == "cpu"):  # there torch 2.13 computes gradients of NaN
            for layer in self.network.model.layers:
                layer.compile(dynamic=False)
        where = (recipe.seed, recipe.batch_tokens, self.chunk, self.batch)
        ahead = recipe.widths, recipe.drawing, recipe.replays
        self.data = batches(self.tokenizer, *where, source, team, teacher, *ahead)

    @property
    def checkpoint(self) -> Path:
        """The file that a resumed run reads."""
        return self.out / CHECKPOINT

    @property
    def progress(self) -> float:
        """How much of the run is done, from 0 to 1."""
        if self.recipe.steps is not None:
            return self.optimizer.steps / self.recipe.steps
        return self.seconds / (60 * (self.recipe.minutes or 1.0))

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.progress >= 1

    def step(self) -> Tensor:
        """One batch: its loss in nats a token; whoever reads it waits for the device."""
        began = time.perf_counter()
        self.chunk, self.batch, batch = next(self.data)
        lost, recipe = losses(self.network, batch, self.dtype, self.device, self.usual), self.recipe
        total = lost.written + recipe.filling * lost.filled + recipe.choosing * lost.chosen
        total += recipe.pointing * lost.pointed + recipe.wishing * lost.wished
        total.backward()  # type: ignore[no-untyped-call]
        written, tokens = lost.written.detach(), float((batch.documents >= 0).sum())
        if self.team.size > 1:
            gradients = [weight.grad for weight in self.network.parameters() if weight.grad is not None]
            told = torch.tensor([float(written), tokens, self.seconds])
            self.team.mean([*gradients, told])
            (written, _, _), (_, tokens, self.seconds) = told, told.tolist()
        self.optimizer.rounded = self.progress >= self.recipe.rounding
        self.optimizer.averaging = self.progress >= self.recipe.averaging
        self.optimizer.step(self.recipe.scale(self.progress))
        self.tokens += round(tokens * self.team.size)
        self.seconds += time.perf_counter() - began
        return written

    def save(self) -> None:
        """Write the checkpoint; a crash while writing leaves the old one."""
        new = self.checkpoint.with_suffix(".new")
        torch.save(
            {
                "optimizer": self.optimizer.state_dict(),
                "position": [self.chunk, self.batch],
                "seconds": self.seconds,
                "tokens": self.tokens,
                "history": self.history,
                "seed": self.recipe.seed,
            },
            new,
        )
        new.replace(self.checkpoint)
        (self.out / "history.json").write_text(json.dumps(self.history))
        if self.history:
            (self.out / "loss.svg").write_text(loss_plot(self.history))

    def _load(self) -> None:
        state: dict[str, Any] = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        if state["seed"] != self.recipe.seed:
            raise ValueError(f"{self.checkpoint} was trained with seed {state['seed']}, not {self.recipe.seed}")
        self.optimizer.load_state_dict(state["optimizer"])
        self.chunk, self.batch = state["position"]
        self.seconds, self.tokens, self.history = state["seconds"], state["tokens"], state["history"]


def train(
    out: Path,
    minutes: float = 95.0,
    seed: int = 0,
    device: str = "cpu",
    resume: bool = False,
    steps: int | None = None,
    processes: int = 1,
    start: Path | None = None,
    vectors: Path | None = None,
    teacher: str | None = None,
    peak: float | None = None,
    hard: bool = False,
) -> Path:
    """Train the model in the box and return its checkpoint.

    resume     go on where the folder's run stopped, exactly
    processes  so many train together, a thread and a share of the batches each; with a GPU they draw its documents
    start      begin with the weights and the tokenizer of this exported model, with new documents and a new schedule
    vectors    the rows of the embedding begin with the word vectors of this file (see `vectors`)
    teacher    a sentence encoder, a folder or a hub id, whose opinion of unlisted names is learned too (see `teacher`)
    peak       the highest rates, as a share of the recipe's; without it 1, and 0.1 where a trained model goes on
    hard       sayings that the model of `start` finds hard are drawn more often (see `difficulty`)

    Raises:
        ValueError: `peak` is no share, the folder's run has another seed, or there is no model to find anything hard.
        RuntimeError: the loss isn't a number any more.
    """
    if peak is None:
        peak = AGAIN if start else 1.0
    elif not 0 < peak <= 1:
        raise ValueError(f"{peak} is no share of the rates; write one like 0.05")
    recipe = Recipe(seed=seed, minutes=minutes, steps=steps, peak=peak)
    again = start is not None and peak < 1
    if again:
        recipe = replace(recipe, level=1.0, averaging=BEGUN)
    if torch.device(device).type == "cuda":
        recipe = replace(recipe, batch_tokens=GPU_TOKENS, replays=GPU_REPLAYS, widths=WIDTHS[-1:], drawing=processes)
        processes = 1
    elif again:
        recipe = replace(recipe, batch_tokens=AGAIN_TOKENS)
    elif processes > 1:
        recipe = replace(recipe, batch_tokens=SHARE_TOKENS)
    opinions = out / "teacher.npz"
    if teacher and not (resume and opinions.exists()):
        out.mkdir(parents=True, exist_ok=True)
        print(f"{teacher} reads all sayings and tools, for some minutes", file=sys.stderr, flush=True)
        ask_encoder(teacher).save(opinions)
    costs = out / "difficulty.npy"
    if hard and not (resume and costs.exists()):
        if start is None:
            raise ValueError("only a trained model finds some sayings harder than others; name one to begin with")
        out.mkdir(parents=True, exist_ok=True)
        print(f"{start} is asked all sayings, for half an hour or less", file=sys.stderr, flush=True)
        np.save(costs, ask_model(start, processes=max(processes, recipe.drawing)))
    files = opinions if teacher else None, costs if hard else None
    gather(_train, processes, out, recipe, device, resume, start, vectors, *files)
    return out / CHECKPOINT


def _train(
    team: Team,
    out: Path,
    recipe: Recipe,
    device: str,
    resume: bool,
    start: Path | None,
    vectors: Path | None,
    opinions: Path | None,
    costs: Path | None,
) -> None:
    torch.set_num_threads(1)
    teacher = Teacher.read(opinions) if opinions else None
    source = partial(document, drawn=Difficulty(np.load(costs))) if costs else document
    run = Run(out, recipe, device, resume, start, source, vectors, team, teacher)
    saved = shown = 0.0
    recent: list[Tensor] = []
    while not run.finished:
        recent.append(run.step())
        if run.seconds - shown <= 10 and not run.finished:
            continue
        mean = float(torch.stack(recent).mean())
        if not math.isfinite(mean):
            raise RuntimeError(f"the loss is {mean} at step {run.optimizer.steps}: nothing more is learned")
        run.history.append([run.optimizer.steps, run.seconds, mean])
        left = run.seconds / max(run.progress, 1e-9) - run.seconds
        speed = run.tokens / run.seconds
        if team.rank == 0:
            print(
                f"step {run.optimizer.steps:6}  loss {mean:.4f}  {speed:,.0f} tokens/s  "
                f"{100 * run.progress:.1f} %  {left / 60:.1f} min left",
                file=sys.stderr,
                flush=True,
            )
        recent, shown = [], run.seconds
        if run.seconds - saved > recipe.save_seconds or run.finished:
            if team.rank == 0:
                run.save()
            saved = run.seconds
