"""The card of the model in the box: what it is, how it was made, what it reaches, what it can't do.

python -m tooldec.training.card CHECKPOINT FOLDER FIGURES.json… --trial trial.json --read read.md
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import torch

from tooldec.training.card_texts import CURVE, FUNCQA, JOINED, KAMEL, QUOTED, TEXT, TRIAL
from tooldec.training.plot import loss_plot
from tooldec.views.plot import plot


def write_card(
    checkpoint: Path, figures: Mapping[str, Any], folder: Path, note: str = "", trial: Any = None, read: str = ""
) -> Path:
    """Write README.md and its pictures beside the weights."""
    from tooldec.training.documents.catalogues import REQUESTS
    from tooldec.training.documents.pools import pools
    from tooldec.training.documents.spoken import spoken_lists

    said = [one for part in spoken_lists() for one in part]
    state: dict[str, Any] = torch.load(checkpoint, map_location="cpu", weights_only=True)
    masters = state["optimizer"]["masters"]
    config = json.loads((folder / "config.json").read_text())
    (folder / "loss.svg").write_text(loss_plot(state["history"]))
    growing = {key: row for key, row in figures.items() if _size(key) and key.startswith(("seen", "unseen"))}
    if growing:
        (folder / "tools.svg").write_text(tools_plot(growing))
    size = sum(path.stat().st_size for path in folder.iterdir() if path.suffix in (".safetensors", ".json"))
    kamel = {key: row for key, row in figures.items() if key.startswith("kamel")}
    joined = {key: row for key, row in figures.items() if _size(key) and key.startswith(("asked", "older"))}
    plain = {k: row for k, row in figures.items() if not _size(k) and not k.startswith("funcqa")}
    text = TEXT.format(
        parameters=sum(master.numel() for master in masters.values()) / 1e6,
        width=config["hidden_size"],
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        hidden=config["intermediate_size"],
        vocabulary=config["vocab_size"],
        size=size / 1e6,
        minutes=state["seconds"] / 60,
        seed=state["seed"],
        steps=state["optimizer"]["steps"],
        tokens=state["tokens"],
        loss=sum(row[2] for row in state["history"][-12:]) / max(1, len(state["history"][-12:])),
        sayings=sum(len(one.sayings) for one in said),
        tools=len(said),
        others=sum(len(one.others) for one in said),
        lists=len(spoken_lists()),
        entries=len(REQUESTS),
        suites=len({entry.suite for entry in REQUESTS}),
        wordings=sum(len(entry.wordings) for entry in REQUESTS),
        direct=sum(len(entry.direct) for entry in REQUESTS),
        values=sum(map(len, pools().values())),
        note=f" {note}" if note else "",
        table=_table(plain),
        errors=_errors(plain),
        fresh=next((row["count"] for key, row in figures.items() if key.startswith("fresh")), 0),
        joined=JOINED.format(table=_table(joined)) if joined else "",
        quoted=_quoted(plain),
        curve=CURVE.format(table=_by_size(growing), n=_count(growing)) if growing else "",
        kamel=KAMEL.format(table=_by_size(kamel), n=_count(kamel)) if kamel else "",
        funcqa=_funcqa(figures),
        trial=_trial(trial) if trial else "",
        read=read.strip() or "Nothing yet.",
    )
    path = folder / "README.md"
    path.write_text(text)
    return path


def tools_plot(figures: Mapping[str, Any]) -> str:
    """The share of right tools against the number of tools: seen and unseen, guided and unguided."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for key, row in figures.items():
        name, _, listed, manner = key.split(" / ")
        if listed == "not listed":
            curves.setdefault(f"{name.split('-')[0]}, {manner}", []).append((_size(key), row["tool"]))
    return plot({name: sorted(points) for name, points in curves.items()}, "tools", "right tool, %", True)


def _count(figures: Mapping[str, Any]) -> int:
    return max(int(row["count"]) for row in figures.values())


def _size(key: str) -> int:
    """`kamel-30 / special_token / …` → 30; 0 where a set has no number."""
    _, _, size = key.split(" / ")[0].partition("-")
    return int(size) if size.isdigit() else 0


def _table(figures: Mapping[str, Any]) -> str:
    """One row for each set, scheme and prompt: unguided, guided, names weighed, and with a shortlist, side by side."""
    lines = [
        "| set | n | unguided: error | tool | call | guided: error | tool | call | weighed: tool | call "
        "| shortlist: tool | call |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for key, row in figures.items():
        name, manner = key.rsplit(" / ", 1)
        if manner == "guided":
            free = figures.get(f"{name} / unguided")
            cells = [free["error"], free["tool"], free["whole"]] if free else ["", "", ""]
            cells += [row["error"], row["tool"], row["whole"]]
            others = (figures.get(f"{name} / {method}") for method in ("weighed", "shortlist"))
            cells += chain.from_iterable((one["tool"], one["whole"]) if one else ("", "") for one in others)
            lines.append(_row(name, row["count"], *cells))
    return "\n".join(lines)


def _row(name: str, count: int, *cells: float | str) -> str:
    """A row of a table."""
    shown = (cell if isinstance(cell, str) else f"{cell:.1f}" for cell in cells)
    return f"| {name} | {count} | {' | '.join(shown)} |"


def _by_size(figures: Mapping[str, Any]) -> str:
    """One row for each kind of set and manner, a column for each number of tools."""
    sizes = sorted({_size(key) for key in figures})
    rows: dict[str, dict[int, float]] = {}
    for key, row in figures.items():
        name, _, listed, manner = key.split(" / ")
        rows.setdefault(f"{name.split('-')[0]}, {listed}, {manner}", {})[_size(key)] = row["tool"]
    lines = ["| tools | " + " | ".join(map(str, sizes)) + " |", "|---" * (len(sizes) + 1) + "|"]
    for name, found in rows.items():
        lines.append(
            f"| {name} | " + " | ".join(f"{found[size]:.1f}" if size in found else "" for size in sizes) + " |"
        )
    return "\n".join(lines)


def _funcqa(figures: Mapping[str, Any]) -> str:
    lines = []
    for key, row in figures.items():
        name, manner = key.rsplit(" / ", 1)
        if key.startswith("funcqa") and manner == "guided":
            free = figures[f"{name} / unguided"]
            others = (figures.get(f"{name} / {method}") for method in ("weighed", "shortlist"))
            more = [other["final"] if other else "" for other in others]
            lines.append(_row(name, row["count"], free["error"], free["final"], row["error"], row["final"], *more))
    return FUNCQA.format(table="\n".join(lines)) if lines else ""


def _quoted(figures: Mapping[str, Any]) -> str:
    """One row for each set that was asked with strings quoted, beside the same with any strings, and searched for."""
    lines = []
    for key in figures:
        name, manner = key.rsplit(" / ", 1)
        if manner == "quoted":
            ways = ("guided", "quoted", "quoted searched", "shortlist", "shortlist quoted")
            rows = (figures.get(f"{name} / {way}") for way in ways)
            cells = chain.from_iterable((row["tool"], row["whole"]) if row else ("", "") for row in rows)
            lines.append(_row(name.removesuffix(" / listed"), figures[key]["count"], *cells))
    return QUOTED.format(table="\n".join(lines)) if lines else ""


def _trial(figures: Mapping[str, Any]) -> str:
    lines = []
    for key, row in figures.items():
        name, manner = key.rsplit(" / ", 1)
        if manner == "guided":
            free = figures[f"{name} / unguided"]
            cells = [row["tool"], row["whole"], free["error"], free["tool"]]
            lines.append(_row(name.replace(" / ", " | "), row["count"], *cells))
    return TRIAL.format(table="\n".join(lines))


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
    parser.add_argument("--trial", type=Path, help="what `trial --json` wrote")
    parser.add_argument("--read", type=Path, help="what a reader of samples found")
    options = parser.parse_args(arguments)
    figures = {key: row for path in options.figures for key, row in json.loads(path.read_text()).items()}
    trial, read = (path.read_text() if path else "" for path in (options.trial, options.read))
    print(write_card(options.checkpoint, figures, options.folder, options.note, trial and json.loads(trial), read))


if __name__ == "__main__":
    main()
