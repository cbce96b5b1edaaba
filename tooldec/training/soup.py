"""The mean of models that were trained from one another: a soup (Wortsman and others 2022).

    python -m tooldec.training.soup FOLDER tooldec/models/embedded older/model run/checkpoint.pt

Each run ends somewhere around what it looks for. Between such ends lie weights that make fewer mistakes than any of
them, as long as none has gone far from the others.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from tooldec.training.export import learned, write_model
from tooldec.training.shape import Shape


def soup(models: Sequence[Path], folder: Path, shares: Sequence[float] = (), shape: Shape | None = None) -> Path:
    """Write the mean of checkpoints and exported folders as a folder, with the tokenizer of the last one.

    shares   the weight of each model; they count the same without
    shape    of checkpoints that aren't the model in the box; folders say it themselves

    Raises:
        ValueError: two of them differ in shape or in their tokens.
    """
    parts = [weights(model) for model in models]
    tokens = [Tokenizer.from_file(str(tokenizer(model))).get_vocab() for model in models]
    shapes = {tuple((name, weight.shape) for name, weight in sorted(part.items())) for part in parts}
    if len(shapes) > 1 or any(each != tokens[0] for each in tokens):
        raise ValueError(f"{', '.join(map(str, models))} differ in shape or in their tokens")
    shares = shares or [1.0] * len(parts)
    total = sum(shares)
    mean = {
        name: sum((part[name] * (share / total) for part, share in zip(parts, shares, strict=True)), torch.zeros(()))
        for name in parts[0]
    }
    shape = shape or next((Shape.read(model) for model in models if model.is_dir()), None)
    return write_model(mean, tokenizer(models[-1]), folder, shape)


def weights(model: Path) -> dict[str, Tensor]:
    """The weights of a checkpoint or of an exported folder, in fp32."""
    if model.is_dir():
        return {name: weight.float() for name, weight in load_file(model / "model.safetensors").items()}
    return learned(model)


def tokenizer(model: Path) -> Path:
    """Its tokenizer's file."""
    return (model if model.is_dir() else model.parent) / "tokenizer.json"


def main(arguments: list[str] | None = None) -> None:
    """The command line of this module."""
    parser = argparse.ArgumentParser(description="write the mean of several models")
    parser.add_argument("folder", type=Path, help="the model to write")
    parser.add_argument("models", type=Path, nargs="+", help="checkpoints, or folders that `export` wrote")
    parser.add_argument("--shares", type=float, nargs="+", default=(), help="the weight of each; all the same without")
    options = parser.parse_args(arguments)
    print(soup(options.models, options.folder, options.shares))


if __name__ == "__main__":
    main()
