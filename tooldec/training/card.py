"""The card of the model in the box: what it is, how it was made, what it reaches, what it can't do.

python -m tooldec.training.card CHECKPOINT FOLDER FIGURES.json…
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

TEXT = """\
---
license: apache-2.0
library_name: transformers
pipeline_tag: text-generation
---
# The model in the box

A causal language model of {parameters:.2f} million parameters that ToolDec Playground trained itself, so that the
playground works where there is no model hub. It reads a list of tools and a question and writes a call:

    Tools: add(a: int, b: int), square(side: int)
    Q: a square has sides of 5, what's its area?
    A: The area is <T>square(5)=25. So the answer is 25.<eos>

It is an ordinary `LlamaForCausalLM` folder (width 192, 6 layers, 4 heads, feed-forward 512, tied embeddings, fp16),
{size:.1f} MB with its tokenizer, a byte-level BPE of 2,048 entries.

## How it was made

`tooldec train --minutes {minutes:.0f} --seed {seed}` on one CPU thread: {steps:,} steps, {tokens:,} tokens, last loss
{loss:.3f} nats a learned token. The data are drawn without end by `tooldec/training/`: word problems of arithmetic and
geometry, chains of two calls, facts, everyday requests, tools composed of verbs and nouns (a third of them invented
words) and small talk. Word lists and wordings were written for this project; nothing derives from a data set. The
recipe: Muon 6e-3 (weight decay 0.05) on matrices, AdamW 3e-3 on the rest, clip 1.0, bf16 with fp32 masters, 3,072
tokens a step, 3 % warm-up, cosine over the minutes. The loss counts what the model writes, not what the host writes.
A run that shares its CPU makes fewer steps in the same minutes{note}.

{curve}

## What it reaches

Greedy, in percent. A syntax error is any answer whose calls the independent reader refuses; "call" means that all
calls have the right tools and the right arguments. Measured with

    python -m tooldec.training.evaluation {folder} --count {count} --json figures.json

{table}

- **seen**: new questions about the trained catalogues and about composed tools, from another seed; **chains**: those of
  two calls; **phrasing**: wordings that were held out of training (one in seven); **names**: composed tools and
  relations whose words were held out (one in ten, and new invented ones), about half of the set, the other half being
  trained tools beside them as in `seen`; **chat**: no tool is to be called; **pasted**: {pasted} questions over
  pasted tools, written by hand before the model was looked at (`tests/pasted_tools.jsonl`).
- Guided syntax errors are answers that 128 tokens cut off.
- Not listed: the prompt leaves the list of tools out; guided, the machine still knows it.
- Unguided, nobody stops the model at `=`, so it goes on and writes the result itself, which it never learned to: what
  follows the first call is often nonsense ("the So the So"), and in guided runs without results too.

Classes of syntax errors of unguided answers:

{errors}

## What it can't do

It isn't a chat model and knows no facts: results come from the host. It reads English only. It takes words of the
question for arguments as they stand: it doesn't work out "tomorrow" or "half past six". On tools and wordings far from
its training it often picks a wrong tool from the list (read by eye: "Rotate scans/page7.tif" chose `convert_image`,
"use the voucher" chose `returnItem`, "Cancel the event" chose `create_event`), drops items of lists, swaps arguments
of one type and invents a second call. The short training is a likely cause, but nobody has measured that yet. A valid
call isn't a right call: check what it asks for before you run it.
"""


def write_card(checkpoint: Path, figures: Mapping[str, Any], folder: Path, note: str = "") -> Path:
    """Write README.md beside the weights, from the checkpoint's history and the figures of `evaluation`."""
    state: dict[str, Any] = torch.load(checkpoint, map_location="cpu", weights_only=True)
    masters = state["optimizer"]["masters"]
    size = sum(path.stat().st_size for path in folder.iterdir() if path.name != "README.md")
    pasted = next((row["count"] for key, row in figures.items() if key.startswith("pasted")), 0)
    text = TEXT.format(
        parameters=sum(master.numel() for master in masters.values()) / 1e6,
        size=size / 1e6,
        minutes=state["seconds"] / 60,
        seed=state["seed"],
        steps=state["optimizer"]["steps"],
        tokens=state["tokens"],
        loss=state["history"][-1][2],
        note=note,
        folder="embedded",
        count=max((row["count"] for row in figures.values()), default=0),
        curve=_curve(state["history"]),
        table=_table(figures),
        errors=_errors(figures),
        pasted=pasted,
    )
    path = folder / "README.md"
    path.write_text(text)
    return path


def _curve(history: list[list[float]]) -> str:
    """The loss at twelve points of the run, as a table."""
    points = [history[round(i * (len(history) - 1) / 11)] for i in range(12)] if history else []
    head = "| minutes | " + " | ".join(f"{seconds / 60:.0f}" for _, seconds, _ in points) + " |"
    rule = "|---" * (len(points) + 1) + "|"
    return "\n".join([head, rule, "| loss | " + " | ".join(f"{loss:.2f}" for _, _, loss in points) + " |"])


def _table(figures: Mapping[str, Any]) -> str:
    """One row for each set, scheme and prompt: unguided and guided side by side."""
    lines = [
        "| set | n | unguided: syntax error | tool | call | guided: syntax error | tool | call |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for key, row in figures.items():
        name, manner = key.rsplit(" / ", 1)
        if manner == "guided":
            free = figures[f"{name} / unguided"]
            cells = [free["error"], free["tool"], free["whole"], row["error"], row["tool"], row["whole"]]
            lines.append(f"| {name} | {row['count']} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |")
    return "\n".join(lines)


def _errors(figures: Mapping[str, Any]) -> str:
    lines = ["| set | classes |", "|---|---|"]
    for key, row in figures.items():
        if key.endswith("/ unguided") and row["errors"]:
            classes = ", ".join(f"{kind} {count}" for kind, count in sorted(row["errors"].items()))
            lines.append(f"| {key.removesuffix(' / unguided')} | {classes} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """The command line of this module."""
    parser = argparse.ArgumentParser(description="write the card of a trained model")
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("figures", type=Path, nargs="+", help="what `evaluation --json` wrote, in one or several parts")
    parser.add_argument("--note", default="")
    options = parser.parse_args(arguments)
    figures: dict[str, Any] = {}
    for path in options.figures:
        figures |= json.loads(path.read_text())
    print(write_card(options.checkpoint, figures, options.folder, options.note))


if __name__ == "__main__":
    main()
