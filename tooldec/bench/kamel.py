"""KAMEL (Kalo & Fichtel, 2022): questions about knowledge, a relation being a tool; section 5.1, Figure 5.

Read are `kamel_relations.jsonl` (unique_name, args; lists of tools grow in this order) and `kamel_questions.jsonl`
(question, relation, subject, answers of label, and subsets: `first_30` is asked over the first 30 relations). The 234
relations have but 228 names, `unique_name` tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tooldec.bench.cases import Case, rows
from tooldec.bench.suite import Suite
from tooldec.tools import Tool, ToolCall

SIZES = (30, 60, 100, 234)

PAPER = """
Figure 5b has no numbers: ToolkenGPT, few-shot and zero-shot fall as tools are added, ToolDec keeps its accuracy, seven
times theirs on the 204 unseen relations.
"""


def cases(folder: Path, sizes: Sequence[int] = SIZES) -> Iterator[Case]:
    """The questions over the first so many relations, for each size; only the choice of the relation is known."""
    tools = rows(folder, "kamel_relations.jsonl", _relation)
    keys = {tool.name: [parameter.name for parameter in tool.arguments] for tool in tools}

    def case(row: Mapping[str, Any]) -> Case | None:
        if f"first_{size}" not in row["subsets"]:
            return None
        arguments = {keys[row["relation"]][0]: row["subject"]}
        return Case(known, row["question"], ((row["relation"], arguments, row["answers"][0]["label"]),), str(size))

    for size in sizes:
        known = tuple(tools[:size])
        yield from filter(None, rows(folder, "kamel_questions.jsonl", case))


def _relation(row: Mapping[str, Any]) -> Tool:
    properties = {name: {"type": "string"} for name in row["args"]}
    return Tool(
        row["unique_name"], parameters={"type": "object", "properties": properties, "required": list(properties)}
    )


def _right(case: Case, calls: Sequence[ToolCall], text: str) -> bool:
    """The proportion of answers that call the right relation (section 5.1)."""
    return any(call.name == case.calls[0][0] for call in calls)


SUITE = Suite(
    "KAMEL: section 5.1, Figure 5b",
    cases,
    _right,
    "right relation",
    listed=(True, False),
    methods=("unguided", "guided", "weighed", "shortlist"),
    grows=True,
    paper=PAPER,
)
