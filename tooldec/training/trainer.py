"""The training run: documents in, checkpoints out, exactly resumable."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer

from tooldec.training.batches import Source, batches
from tooldec.training.documents import document, documents
from tooldec.training.lexicon import groups
from tooldec.training.model import Network, Shape, loss
from tooldec.training.muon import Optimizer
from tooldec.training.plot import loss_plot
from tooldec.training.rendering import EOS, MARKER
from tooldec.training.tokenizer import train_tokenizer
from tooldec.training.words import MORE_VERBS, SYNONYMS, held_out

TOKENIZER_DOCUMENTS = 20_000
AGAIN = 0.7
"""The peak of the rates when a trained model goes on."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All settings of a run; the length is given in minutes of training, or in steps."""

    seed: int = 0
    minutes: float | None = 95.0
    steps: int | None = None
    batch_tokens: int = 3072
    muon_rate: float = 6e-3
    adam_rate: float = 3e-3
    peak: float = 1.0
    """The highest rates, as a share of these: less where a trained model goes on."""
    decay: float = 0.05
    warm_up: float = 0.03
    final: float = 0.01
    compiled: bool = True
    save_seconds: float = 120.0
    shape: Shape = field(default_factory=Shape)

    def scale(self, progress: float) -> float:
        """The learning rate at this part of the run: a warm-up, then a cosine."""
        if progress < self.warm_up:
            return self.peak * (0.02 + 0.98 * progress / self.warm_up)
        angle = math.pi * min(1.0, (progress - self.warm_up) / (1 - self.warm_up))
        return self.peak * (self.final + (1 - self.final) * 0.5 * (1 + math.cos(angle)))


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
    ) -> None:
        self.out, self.recipe = out, recipe
        self.device = torch.device(device)
        self.dtype = torch.bfloat16
        out.mkdir(parents=True, exist_ok=True)
        path = out / "tokenizer.json"
        if resume and path.exists():
            self.tokenizer = Tokenizer.from_file(str(path))
        else:
            self.tokenizer = train_tokenizer(corpus(recipe.seed))
            self.tokenizer.save(str(path))
        self.network = Network(recipe.shape, recipe.seed)
        if start is not None:
            self.network.adopt(start, self.tokenizer)
        self.network.to(self.device)
        self.optimizer = Optimizer(self.network, recipe.muon_rate, recipe.adam_rate, recipe.decay)
        self.network.to(self.dtype)
        self.chunk = self.batch = 0
        self.seconds, self.tokens = 0.0, 0
        self.history: list[list[float]] = []
        if resume and self.checkpoint.exists():
            self._load()
        if recipe.compiled:
            for layer in self.network.model.layers:
                layer.compile(dynamic=False)
        self.data = batches(self.tokenizer, recipe.seed, recipe.batch_tokens, self.chunk, self.batch, source)

    @property
    def checkpoint(self) -> Path:
        """The file that a resumed run reads."""
        return self.out / "checkpoint.pt"

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

    def step(self) -> float:
        """One batch: its loss in nats a token."""
        began = time.perf_counter()
        self.chunk, self.batch, batch = next(self.data)
        value = loss(self.network, batch, self.dtype, self.device)
        value.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step(self.recipe.scale(self.progress))
        self.tokens += int((batch.documents >= 0).sum())
        result = float(value.detach())
        self.seconds += time.perf_counter() - began
        return result

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
    threads: int = 1,
    start: Path | None = None,
) -> Path:
    """Train the model in the box and return its checkpoint.

    resume  go on where the folder's run stopped, exactly
    start   begin with the weights of this exported model, with a new tokenizer, new documents and a new schedule
    """
    torch.set_num_threads(threads)
    run = Run(out, Recipe(seed=seed, minutes=minutes, steps=steps, peak=AGAIN if start else 1.0), device, resume, start)
    saved = shown = time.monotonic()
    recent: list[float] = []
    while not run.finished:
        recent.append(run.step())
        now = time.monotonic()
        if now - shown > 10 or run.finished:
            mean = sum(recent) / len(recent)
            run.history.append([run.optimizer.steps, run.seconds, mean])
            left = run.seconds / max(run.progress, 1e-9) - run.seconds
            speed = run.tokens / run.seconds
            print(
                f"step {run.optimizer.steps:6}  loss {mean:.4f}  {speed:,.0f} tokens/s  "
                f"{100 * run.progress:.1f} %  {left / 60:.1f} min left",
                file=sys.stderr,
                flush=True,
            )
            recent, shown = [], now
        if now - saved > run.recipe.save_seconds or run.finished:
            run.save()
            saved = now
    return run.checkpoint
