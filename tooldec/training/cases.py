"""Questions that measure a trained model: drawn by our generator, written by hand, or read from a folder of data sets.

The data sets (FuncQA, KAMEL) are for measuring only: nothing of them is trained on, and none ships with the package.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from tooldec.signatures import parse_tools
from tooldec.tools import Tool
from tooldec.training.documents.draw import Draw, Split
from tooldec.training.documents.mixture import FAMILIES, documents

SEED = 987_654_321
"""Seed of the questions; those of training have the seed of the run, 0."""

CURVE = {"train": ("assistant", "objects", "knowledge"), "names": ("objects", "composed", "knowledge")}
"""What the questions over a growing number of tools are about, for trained words and for held-out ones."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question over a list of tools, and the calls that answer it: (name, arguments, result).

    final   the number that the answer must end with; results are computed then, not given
    """

    tools: tuple[Tool, ...]
    question: str
    calls: tuple[tuple[str, Mapping[str, Any], str], ...]
    family: str
    final: str | None = None


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


def funcqa(folder: Path, hops: str, count: int) -> list[Case]:
    """FuncQA, `onehop` or `multihop`: questions over 13 mathematical tools and the number that answers each."""
    tools = {row["name"]: _function(row) for row in json.loads((folder / "funcqa_tools.json").read_text())}
    cases = []
    for row in islice(_rows(folder / f"funcqa_{hops}.jsonl"), count):
        calls = []
        for call in row["gold_calls"]:
            numbers = [_number(argument) for argument in call["args"]]
            first = tools[call["tool"]].arguments
            keys = [parameter.name for parameter in first]
            arguments = {keys[0]: numbers} if first[0].variadic else dict(zip(keys, numbers, strict=False))
            calls.append((call["tool"], arguments, call["result"]))
        cases.append(Case(tuple(tools.values()), row["question"], tuple(calls), hops, row["answer"]))
    return cases


def _number(text: str) -> float:
    """`_number("4/3")` and `_number("12*2.1")`; what is none is NaN, which no answer equals."""
    try:
        return float(math.prod(Fraction(part) for part in text.replace(",", "").split("*")))
    except ValueError:
        return math.nan


def _function(row: Mapping[str, Any]) -> Tool:
    """Sums, products and common multiples take any number of arguments, all others as many as they need."""
    if row["max_args"] is None and row["name"] in ("add", "multiply", "lcm", "gcd"):
        numbers = {"type": "array", "items": {"type": "number"}, "x-variadic": True}
        return Tool(row["name"], parameters={"type": "object", "properties": {"numbers": numbers}, "required": []})
    keys = ["a", "b"][: row["min_args"]]
    properties = {key: {"type": "number"} for key in keys}
    return Tool(row["name"], parameters={"type": "object", "properties": properties, "required": keys})


def kamel(folder: Path, relations: int, count: int) -> list[Case]:
    """KAMEL with the first so many relations as tools; only the choice of the relation is known."""
    tools = []
    for row in islice(_rows(folder / "kamel_relations.jsonl"), relations):
        properties = {name: {"type": "string"} for name in row["args"]}
        parameters = {"type": "object", "properties": properties, "required": list(properties)}
        tools.append(Tool(row["unique_name"], parameters=parameters))
    keys = {tool.name: [parameter.name for parameter in tool.arguments] for tool in tools}
    cases = []
    for row in _rows(folder / "kamel_questions.jsonl"):
        if f"first_{relations}" in row["subsets"]:
            arguments = {keys[row["relation"]][0]: row["subject"]}
            call = (row["relation"], arguments, row["answers"][0]["label"])
            cases.append(Case(tuple(tools), row["question"], (call,), "kamel"))
    return random.Random(SEED).sample(cases, min(count, len(cases)))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text().splitlines():
        yield json.loads(line)
