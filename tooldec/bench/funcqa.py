"""FuncQA (Hao et al., 2023): word problems over 13 mathematical functions; section 4, Table 4.

Read are `funcqa_tools.json` (name, min_args, max_args), `funcqa_multihop.jsonl` and `funcqa_onehop.jsonl` (question,
answer, gold_calls of tool, args, result). The functions are computed by the table of `results`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from tooldec.bench.cases import Case, rows
from tooldec.bench.suite import Suite
from tooldec.tools import Tool, ToolCall

HOPS = ("multihop", "onehop")
ANY_NUMBER = ("add", "multiply", "lcm", "gcd")
"""Functions of any number of arguments: the data set's own calls give them one to five."""

PAPER = """
| Table 4, multi-hop | accuracy % | tool error % | s |
|---|---|---|---|
| ChatGPT without tools, 0-shot | 9 | | |
| LLaMA + CoT | 3 | | |
| LLaMA + ReAct | 6 | | |
| ToolkenGPT | 10.3 | 27.9 | 7.76 |
| ToolkenGPT + backtrace | 14.7 | 0.0 | 10.39 |
| ToolkenGPT + ToolDec | 13.2 | 0.0 | 5.95 |
"""


def cases(folder: Path, hops: Sequence[str] = HOPS) -> Iterator[Case]:
    """The questions of these hops, each over all 13 functions."""
    tools = {tool.name: tool for tool in rows(folder, "funcqa_tools.json", _function)}

    def case(row: Mapping[str, Any]) -> Case:
        calls = tuple(_call(tools[call["tool"]], call) for call in row["gold_calls"])
        return Case(tuple(tools.values()), row["question"], calls, hop, row["answer"])

    for hop in hops:
        yield from rows(folder, f"funcqa_{hop}.jsonl", case)


def close(text: str, final: str) -> bool:
    """Whether the last number of an answer is within 0.1 % of the right one.

    >>> close("The sum is <T>add(2,3)=5. So the answer is 5.", "5"), close("<T>ln(8)=2.0794", "2.07")
    (True, False)
    """
    numbers = re.findall(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", text)
    wanted = float(final.replace(",", ""))
    return bool(numbers) and abs(float(numbers[-1]) - wanted) <= 0.001 * abs(wanted) + 1e-9


def _function(row: Mapping[str, Any]) -> Tool:
    """Sums, products and common multiples take any number of arguments, all others as many as they need."""
    if row["max_args"] is None and row["name"] in ANY_NUMBER:
        numbers = {"type": "array", "items": {"type": "number"}, "x-variadic": True}
        return Tool(row["name"], parameters={"type": "object", "properties": {"numbers": numbers}, "required": []})
    keys = ["a", "b"][: row["min_args"]]
    properties = {key: {"type": "number"} for key in keys}
    return Tool(row["name"], parameters={"type": "object", "properties": properties, "required": keys})


def _call(tool: Tool, call: Mapping[str, Any]) -> tuple[str, Mapping[str, Any], str]:
    numbers = [_number(argument) for argument in call["args"]]
    keys = [parameter.name for parameter in tool.arguments]
    arguments = {keys[0]: numbers} if tool.arguments[0].variadic else dict(zip(keys, numbers, strict=False))
    return tool.name, arguments, call["result"]


def _number(text: str) -> float:
    """`_number("4/3")` and `_number("12*2.1")`; what is none is NaN, which no answer equals."""
    try:
        return float(math.prod(Fraction(part) for part in text.replace(",", "").split("*")))
    except ValueError:
        return math.nan


def _right(case: Case, calls: Sequence[ToolCall], text: str) -> bool:
    return close(text, case.final or "nan")


SUITE = Suite("FuncQA: section 4, Table 4", cases, _right, "accuracy", paper=PAPER)
