"""Questions that measure a trained model: drawn by our generator, or written by hand; data sets are `bench`'s."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from tooldec.bench.cases import SEED, Case
from tooldec.signatures import parse_tools
from tooldec.tools import Tool
from tooldec.training.documents.draw import Draw, Split
from tooldec.training.documents.mixture import FAMILIES, documents

CURVE = {"train": ("assistant", "objects", "knowledge"), "names": ("objects", "composed", "knowledge")}
"""What the questions over a growing number of tools are about, for trained words and for held-out ones."""


def generated(split: Split, count: int, families: Iterable[str] = ()) -> list[Case]:
    """Cases from the generator that training never draws: another seed, and for some splits held-out parts.

    Without the lists in spoken/, whose questions are always the same.
    """
    return [case for case, _ in islice(_drawn(split, frozenset(families)), count)]


def _drawn(split: Split, wanted: frozenset[str]) -> Iterator[tuple[Case, frozenset[str]]]:
    for document in documents(SEED, split, listed=True, spoken=0):
        for turn in document.turns:
            calls = tuple((call.tool.name, call.arguments, call.result) for call in turn.ask.calls)
            asked = turn.family in wanted if wanted else turn.family != "chat"
            if asked and document.tools:
                yield Case(document.tools, turn.ask.question, calls, turn.family), turn.ask.topics


def growing(split: Split, size: int, count: int) -> list[Case]:
    """Cases over lists of `size` tools, cut or filled up with tools that no question of the case is about."""
    cases = []
    for number, (case, topics) in enumerate(islice(_drawn(split, frozenset(CURVE[split])), count)):
        right = [tool for tool in case.tools if tool.name in {name for name, _, _ in case.calls}]
        others = [tool for tool in case.tools if tool not in right]
        names = {tool.name for tool in case.tools}
        for tool, about in _pool(split):
            if len(right) + len(others) >= size:
                break
            if tool.name not in names and not about & topics:
                names.add(tool.name)
                others.append(tool)
        tools = [*right, *others[: size - len(right)]]
        random.Random(number).shuffle(tools)
        cases.append(Case(tuple(tools), case.question, case.calls, case.family))
    return cases


@cache
def _pool(split: Split) -> tuple[tuple[Tool, frozenset[str]], ...]:
    """Tools and what they are about, enough for the longest list."""
    draw = Draw(random.Random(SEED), split)
    asks = [FAMILIES[draw.pick(CURVE[split])][0](draw) for _ in range(900)]
    return tuple((tool, ask.topics) for ask in asks for tool in ask.tools)


def written(path: Path) -> list[Case]:
    """The cases of a file that was written by hand."""
    cases = []
    for row in _rows(path):
        call = (row["call"]["name"], row["call"]["arguments"], "ok")
        cases.append(Case(parse_tools(row["tools"]), row["question"], (call,), path.stem))
    return cases


def joined(cases: Iterable[Case], size: int) -> list[Case]:
    """The same questions over longer lists: those of neighbours in one, up to `size` tools, each name but once."""
    groups: list[tuple[dict[str, Tool], list[Case]]] = []
    for case in cases:
        tools = {tool.name: tool for tool in case.tools}
        known = groups[-1][0] if groups else {}
        same = all(known.get(name, tool) == tool for name, tool in tools.items())
        if not groups or not same or len(known | tools) > size:
            groups.append(({}, []))
        groups[-1][0].update(tools)
        groups[-1][1].append(case)
    return [replace(case, tools=tuple(tools.values())) for tools, asked in groups for case in asked]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text().splitlines():
        yield json.loads(line)
