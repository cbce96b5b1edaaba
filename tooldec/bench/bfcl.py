"""The Berkeley Function-Calling Leaderboard, version 4: single turns over functions as JSON Schema. Not in the paper.

Read are `bfcl_single.jsonl`, `bfcl_live.jsonl` and `bfcl_irrelevance.jsonl` (category, messages, functions, and
ground_truth: each call as {function: {argument: [values that will do]}}, `""` among them where it may be left out). A
question is right if its calls are those, in any order; of irrelevance, if there is none, and of relevance, if there is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tooldec.bench.cases import Case, rows
from tooldec.bench.suite import Suite
from tooldec.errors import ToolDecError
from tooldec.schemes import SCHEMES
from tooldec.signatures import parse_tools
from tooldec.tools import Tool, ToolCall

FILES = ("bfcl_single.jsonl", "bfcl_live.jsonl", "bfcl_irrelevance.jsonl")
NONE, SOME = ("irrelevance", "live_irrelevance"), ("live_relevance",)
"""Categories in which no call is right, and in which any is."""


def cases(folder: Path) -> Iterator[Case]:
    """The questions, each over functions of its own."""
    for name in FILES:
        yield from (case for case in rows(folder, name, _case) if case.tools)


def _case(row: Mapping[str, Any]) -> Case:
    question = "\n".join(message["content"] for message in row["messages"])
    calls = tuple((name, gold, "ok") for call in row["ground_truth"] or () for name, gold in call.items())
    return Case(_tools(row["functions"]), question, calls, row["category"])


def _tools(functions: Sequence[Any]) -> tuple[Tool, ...]:
    """None where the list can't be read: a few questions come without any function."""
    try:
        return parse_tools(json.dumps(functions), "json")
    except ToolDecError:
        return ()


def _right(case: Case, calls: Sequence[ToolCall], text: str) -> bool:
    if case.family in NONE + SOME:
        return bool(calls) == (case.family in SOME)
    left = list(calls)
    for name, gold, _ in case.calls:
        found = next((call for call in left if call.name == name and fits(call.arguments, gold)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def fits(arguments: Mapping[str, Any], gold: Mapping[str, Sequence[Any]]) -> bool:
    """Whether each argument has one of the values that will do, and none is missing that has to be there.

    >>> fits({"city": "new york"}, {"city": ["New York", "NYC"], "unit": ["", "C"]})
    True
    >>> fits({"city": "Rome"}, {"city": ["New York", "NYC"], "unit": ["", "C"]})
    False
    """
    known = all(name in gold and any(_same(value, one) for one in gold[name]) for name, value in arguments.items())
    return known and all(name in arguments or "" in values for name, values in gold.items())


def _same(value: Any, wanted: Any) -> bool:
    """Strings without regard to case, spaces and signs; objects as `fits` compares arguments."""
    if isinstance(value, str) and isinstance(wanted, str):
        return _plain(value) == _plain(wanted)
    if isinstance(value, Mapping) and isinstance(wanted, Mapping):
        return all(isinstance(values, list) for values in wanted.values()) and fits(value, wanted)
    if isinstance(value, list) and isinstance(wanted, list):
        return len(value) == len(wanted) and all(map(_same, value, wanted))
    return (type(value) in (int, float) and type(wanted) in (int, float) and value == wanted) or value is wanted


def _plain(text: str) -> str:
    return re.sub(r"[ ,./\-_*^]", "", text).lower().replace("'", '"')


SUITE = Suite(
    "BFCL, version 4, single turns (not in the paper)",
    cases,
    _right,
    "right calls",
    schemes={name: SCHEMES[name] for name in ("json_tags", "special_token", "react", "name_prompt", "toolken")},
    methods=("unguided", "guided", "weighed"),
)
