"""A small base model that never saw `<T>`: it writes calls as plain text, as a model of code would.

    python -m tooldec.training.base FOLDER [--steps 2000]

    Tools: add(a: int, b: int), sqrt(x: float)
    Q: 3 apples and 4 more?
    A: The sum is add(3,4)=7. So the answer is 7.<eos>

`tune-token` is tried on it (section 5.1 of the paper): what `<T>` means is then learned by its row alone.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch

from tooldec.training.documents.asks import Ask
from tooldec.training.documents.catalogues import maths_ask
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.mixture import Document, turn
from tooldec.training.documents.rendering import MARKER, prefix
from tooldec.training.export import export
from tooldec.training.recipe import Recipe
from tooldec.training.shape import Shape
from tooldec.training.tokenizer import train_tokenizer
from tooldec.training.trainer import Run

SHAPE = Shape(vocabulary=2048, width=128, layers=4, heads=2, hidden=384)
QUESTIONS = 6
"""So many questions share a list of tools, at most."""


def maths_document(seed: int, index: int) -> Document:
    """Word problems over one list of tools; `<T>` is left out of the answers."""
    draw = Draw(random.Random(f"base-{seed}-{index}"))
    asks: dict[str, Ask] = {}
    others: dict[str, Ask] = {}
    for number in range(QUESTIONS + draw.number(0, QUESTIONS)):
        ask = maths_ask(draw)
        (topic,) = ask.topics
        if topic not in {*asks, *others}:
            (asks if number < QUESTIONS else others)[topic] = ask
    tools = list({tool.name: tool for ask in (*asks.values(), *others.values()) for tool in ask.tools}.values())
    draw.rng.shuffle(tools)
    before = prefix("special_token", tools, True)
    turns = (turn(draw, "special_token", "maths", ask, before) for ask in asks.values())
    plain = (replace(t, pieces=tuple(piece for piece in t.pieces if piece.text != MARKER)) for t in turns)
    return Document("special_token", tuple(tools), before, tuple(plain))


def texts(seed: int, count: int) -> Iterator[str]:
    """What the tokenizer is learned from."""
    for index in range(count):
        document = maths_document(seed, index)
        yield document.prefix
        for asked in document.turns:
            yield asked.prompt
            yield from (piece.text for piece in asked.pieces)


def train_base(out: Path, steps: int, seed: int = 0) -> Path:
    """Train the model for so many steps, and write it as a folder that `load_model` reads; a stopped run goes on."""
    out.mkdir(parents=True, exist_ok=True)
    if not (out / "tokenizer.json").exists():
        train_tokenizer(texts(seed, 5000), SHAPE.vocabulary).save(str(out / "tokenizer.json"))
    recipe = Recipe(seed=seed, steps=steps, shape=SHAPE, choosing=0, pointing=0)  # as any language model is trained
    run = Run(out, recipe, resume=True, source=maths_document)
    while not run.finished:
        value = run.step()
        if run.optimizer.steps % 100 == 0:
            print(f"step {run.optimizer.steps}  loss {value:.4f}", flush=True)
            run.save()
    run.save()
    return export(run.checkpoint, out / "model", SHAPE)


def main(arguments: list[str] | None = None) -> None:
    """The command line of this module."""
    parser = argparse.ArgumentParser(description="a base model for tune-token")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=2000)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    print(train_base(options.folder, options.steps))


if __name__ == "__main__":
    main()
