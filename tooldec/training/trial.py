"""What one row learns from four tools, against a row for each tool: `tune-token` tried on word problems of our own.

    python -m tooldec.training.base BASE --steps 1500
    python -m tooldec.training.trial BASE/model --json trial.json

13 functions like FuncQA's; the examples call four of them. One row for `<T>` serves all 13, since the machine spells
their names; the baseline, ToolkenGPT's way, has a row for each, and those of the nine others stay as they began.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from tooldec.bench.cases import SEED, Case
from tooldec.models import load_model
from tooldec.models.huggingface import HuggingFaceModel
from tooldec.tools import Tool
from tooldec.training import tuning
from tooldec.training.documents.arithmetic import ARITHMETIC
from tooldec.training.documents.asks import Ask
from tooldec.training.documents.catalogues import maths_ask
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.templates import read_catalogue
from tooldec.training.evaluation import measure

SEEN = ("add", "subtract", "multiply", "divide")
FUNCTIONS = tuple(e.name for e in read_catalogue(ARITHMETIC) if e.name not in ("square", "exp"))


def asks(seed: int, names: tuple[str, ...]) -> Iterator[Ask]:
    """Word problems about these functions, under their plain names."""
    index = 0
    while True:
        ask = maths_ask(Draw(random.Random(f"trial-{seed}-{index}"), listed=False))
        index += 1
        if next(iter(ask.topics)) in names and ask.calls[0].tool.name in names:
            yield ask


def around(ask: Ask, seed: int) -> tuple[Tool, ...]:
    """The ask's tool among the other twelve."""
    others: dict[str, Tool] = {}
    for other in asks(seed, FUNCTIONS):
        if len(others) == len(FUNCTIONS):
            break
        others.setdefault(other.calls[0].tool.name, other.calls[0].tool)
    tools = list({**others, ask.calls[0].tool.name: ask.calls[0].tool}.values())
    random.Random(seed).shuffle(tools)
    return tuple(tools)


def examples(count: int) -> list[tuning.Example]:
    """Examples that call the seen tools, all 13 being listed.

    The call comes first: behind "The sum is" a base that writes calls as text would write this one as text, too.
    """
    found = []
    for number, ask in zip(range(count), asks(0, SEEN), strict=False):
        call = ask.calls[0]
        text = f" {tuning.MARKER}{call.written()}={call.result}. So the answer is {call.result}."
        found.append(tuning.Example(around(ask, number), ask.question, text))
    return found


def cases(count: int, names: tuple[str, ...]) -> list[Case]:
    """New questions about these functions, all 13 being listed."""
    found = []
    for number, ask in zip(range(count), asks(SEED, names), strict=False):
        call = ask.calls[0]
        found.append(Case(around(ask, number), ask.question, ((call.tool.name, call.arguments, call.result),), "trial"))
    return found


def trial(folder: str, count: int, steps: int, out: Path) -> dict[str, Any]:
    """Tune both ways and measure both on seen and unseen tools; the tuned models stay in `out`."""
    unseen = tuple(name for name in FUNCTIONS if name not in SEEN)
    figures: dict[str, Any] = {}
    for way, rows, scheme in (("one row", (), "special_token"), ("a row per tool", FUNCTIONS, "toolken")):
        model = load_model(folder, device="cpu")
        assert isinstance(model, HuggingFaceModel)
        tuning.tune(model, examples(160), rows, steps=steps)
        model = load_model(str(tuning.save(model, out / scheme)), device="cpu")
        for kind, names in (("seen", SEEN), ("unseen", unseen)):
            for method in ("guided", "unguided"):
                found = measure(model, cases(count, names), scheme, True, method)
                key = f"{way} / {kind} / {method}"
                figures[key] = {"count": found.count, "error": found.error, "tool": found.tool, "whole": found.whole}
                print(key, figures[key], flush=True)
    return figures


def main(arguments: list[str] | None = None) -> None:
    """The command line of this module."""
    parser = argparse.ArgumentParser(description="tune-token on four of thirteen tools, and its baseline")
    parser.add_argument("folder", help="a folder that `load_model` reads, or `embedded`")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--out", type=Path, default=Path("tuned"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    figures = trial(options.folder, options.count, options.steps, options.out)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
