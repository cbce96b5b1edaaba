"""What a suite asks: questions with the tools that may answer them and the calls that do; read from files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tooldec.errors import ToolDecError, UsageError
from tooldec.signatures import parse_tools
from tooldec.tools import Tool

SEED = 987_654_321
"""Seed of what is drawn to be asked."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Case:
    """A question over a list of tools, and the calls that answer it: (name, arguments, result).

    calls   where a data set knows but their names, the arguments are empty
    family  the part of the suite that the question belongs to, which has figures of its own
    final   the number that the answer must end with; results are computed then, not given
    """

    tools: tuple[Tool, ...]
    question: str
    calls: tuple[tuple[str, Mapping[str, Any], str], ...]
    family: str
    final: str | None = None


def rows(folder: Path, name: str, make: Callable[[Any], T]) -> list[T]:
    """What `make` makes of each row of a file: an object of JSON on each line or, in `.json`, in one list.

    Raises UsageError where there is no such file, and for a row that isn't what `make` reads.
    """
    path = folder / name
    text = _text(path)
    made: list[T] = []
    try:
        for line in [text] if path.suffix == ".json" else text.splitlines():
            found = json.loads(line)
            made += map(make, found) if path.suffix == ".json" else (make(found),)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        what = f"it has no `{error.args[0]}`" if isinstance(error, KeyError) else str(error)
        place = f"{path}, row {len(made) + 1}"
        raise UsageError(f"{place}: {what}", fix="see the head of the suite's module in `tooldec/bench/`") from None
    return made


def tools_of(folder: Path, name: str) -> tuple[Tool, ...]:
    """The tools of a file in any of FORMATS. Raises as `rows` does, and SignatureError for what is no tool."""
    try:
        return parse_tools(_text(folder / name))
    except ToolDecError as error:
        error.add_note(name)
        raise


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "this is no UTF-8 text"
        raise UsageError(f"can't read `{path}`: {reason}", fix="give the folder of the data sets with --data") from None


def some(cases: Iterable[Case], limit: int | None) -> list[Case]:
    """At most so many of each family, drawn by SEED: the same ones each time."""
    families: dict[str, list[Case]] = {}
    for case in cases:
        families.setdefault(case.family, []).append(case)
    drawn = (
        random.Random(SEED).sample(family, limit) if limit is not None and limit < len(family) else family
        for family in families.values()
    )
    return [case for family in drawn for case in family]
