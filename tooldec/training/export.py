"""A checkpoint as a folder that transformers loads: weights, configuration and tokenizer.

Matrices are 8-bit floats (e4m3), the rest is fp16; whoever loads them converts them as any others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor

from tooldec.training.model import stored
from tooldec.training.shape import Shape
from tooldec.training.tokenizer import save_tokenizer


def export(checkpoint: Path, folder: Path, shape: Shape | None = None) -> Path:
    """Write config.json, model.safetensors and the tokenizer's files; the card is written by `card.write_card`."""
    return write_model(learned(checkpoint), checkpoint.parent / "tokenizer.json", folder, shape)


def learned(checkpoint: Path) -> dict[str, Tensor]:
    """What a run has learned, in fp32: the mean of its weights where it has one, else the last ones."""
    state: dict[str, Any] = torch.load(checkpoint, map_location="cpu", weights_only=True)["optimizer"]
    found: dict[str, Tensor] = state.get("mean") or state["masters"]
    return found


def write_model(masters: Mapping[str, Tensor], tokenizer: Path, folder: Path, shape: Shape | None = None) -> Path:
    """The same for weights in fp32 and the file of a tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: stored(master).contiguous() for name, master in masters.items()}
    new = folder / "model.safetensors.new"
    save_file(weights, new, metadata={"format": "pt"})
    new.chmod(0o644)
    new.replace(folder / "model.safetensors")
    config = {**(shape or Shape()).config(), "dtype": "float16"}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    generation = {"eos_token_id": 1, "pad_token_id": 0, "do_sample": False}
    (folder / "generation_config.json").write_text(json.dumps(generation, indent=2) + "\n")
    save_tokenizer(Tokenizer.from_file(str(tokenizer)), folder)
    return folder
