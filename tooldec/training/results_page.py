"""A page of results: every question of a set, what was right, and what the model answered, guided and unguided.

python -m tooldec.training.results_page samples.jsonl asked_tools page.md
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

MARKS = {(True, True): "right", (True, False): "argument", (False, False): "tool"}
"""(right tool, right call) → what is to be said."""


def page(samples: Iterable[Mapping[str, Any]], name: str) -> str:
    """One row a question, of the samples with `special_token` and the tools listed."""
    guided: dict[str, Mapping[str, Any]] = {}
    free: dict[str, Mapping[str, Any]] = {}
    for sample in samples:
        if sample["set"] == name and sample["scheme"] == "special_token" and sample["listed"]:
            key = json.dumps([sample["question"], sample["calls"]])
            (guided if sample["method"] == "guided" else free)[key] = sample
    right = sum(bool(sample["whole"]) for sample in guided.values())
    lines = [
        f"# {name}.jsonl: every answer of the model in the box",
        "",
        f"Tools listed, greedy. Guided, {right} of {len(guided)} calls are right. What is wrong is named: the tool, an "
        "argument or, unguided, the syntax. Made by `python -m tooldec.training.results_page`.",
        "",
        "| question | right call | guided answer | | unguided answer | |",
        "|---|---|---|---|---|---|",
    ]
    for key, sample in guided.items():
        other = free.get(key)
        cells = [
            sample["question"],
            f"`{_call(sample['calls'][0])}`",
            *_told(sample),
            *(_told(other) if other else ("", "")),
        ]
        lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join([*lines, ""])


def _call(call: Any) -> str:
    name, arguments, _ = call
    return f"{name}({', '.join(f'{key}={json.dumps(value, ensure_ascii=False)}' for key, value in arguments.items())})"


def _told(sample: Mapping[str, Any]) -> tuple[str, str]:
    text = str(sample["text"]).strip()
    text = text if len(text) < 120 else f"{text[:117]}…"
    kind = f"syntax: {sample['error']}" if sample["error"] else MARKS[bool(sample["tool"]), bool(sample["whole"])]
    return f"`{text}`", kind


def main() -> None:
    """The command line of this module."""
    source, name, target = sys.argv[1:4]
    samples = (json.loads(line) for line in Path(source).read_text().splitlines())
    Path(target).write_text(page(samples, name))


if __name__ == "__main__":
    main()
