"""ToolEval (Qin et al., 2023): tasks over real web services, in ReAct's steps; section 4, Table 3 and Figure 4.

Read are `toolbench_apis.jsonl` (name, description, parameters) and `toolbench_queries.jsonl` (query, group, and
api_list: the names of the tools that may be called). No service is asked: each call returns `ok`. The win rate, which a
second model judges, isn't measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tooldec.bench.cases import Case, rows, tools_of
from tooldec.bench.suite import Suite
from tooldec.schemes import ReAct
from tooldec.schemes.react import FINISH
from tooldec.tools import ToolCall

STEPS = 5
"""Within so many steps a task has to be finished (section 4.2)."""

PAPER = """
| Table 3 | I2-Category: pass % | tool error % | I3-Instruction: pass % | tool error % |
|---|---|---|---|---|
| ChatGPT | 39.0 | 8.0 | 29.0 | 7.0 |
| ToolLLM | 32.0 | 39.0 | 18.0 | 47.0 |
| ToolLLM + fuzzy matching | 38.0 | 19.0 | 23.0 | 23.0 |
| ToolLLM + ToolDec | 42.0 | 0.0 | 34.0 | 0.0 |

| Figure 4, % of calls | ReAct syntax | name | argument |
|---|---|---|---|
| ToolLLM | 4.1 | 13.0 | 0.1 |
| ToolLLM + fuzzy matching | 3.4 | 1.0 | 1.9 |
| ToolLLM + ToolDec | 0.0 | 0.0 | 0.0 |
"""


def cases(folder: Path) -> Iterator[Case]:
    """The tasks that name tools of the file, by group: `G2_category` is the paper's I2-Category."""
    known = {tool.name: tool for tool in tools_of(folder, "toolbench_apis.jsonl")}

    def case(row: Mapping[str, Any]) -> Case:
        tools = tuple(known[name] for name in dict.fromkeys(row["api_list"]) if name in known)
        part, _, kind = row["group"].partition("_")
        return Case(tools, row["query"], (), f"I{part[1:]}-{kind.capitalize()}")

    yield from (one for one in rows(folder, "toolbench_queries.jsonl", case) if one.tools)


def _right(case: Case, calls: Sequence[ToolCall], text: str) -> bool:
    """Whether a task passes: it is finished with an answer, within STEPS steps."""
    last = calls[-1] if calls else None
    answered = last is not None and last.name == FINISH.name and last.arguments.get("return_type") == "give_answer"
    return answered and len(calls) <= STEPS


SUITE = Suite(
    "ToolEval: section 4, Table 3 and Figure 4",
    cases,
    _right,
    "pass",
    schemes={"react": replace(ReAct(), steps=STEPS, forced=False)},
    methods=("unguided", "fuzzy published", "fuzzy", "guided"),
    max_tokens=512,
    paper=PAPER,
)
