"""Steps of ReAct: a line `Thought:`, a line `Action:` and a line `Action Input:`, then perhaps an observation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tooldec.reading.faults import Spot, by_key, skip, tool_of
from tooldec.reading.objects import object_at
from tooldec.tools import Tool, ToolCall

_LINE = re.compile(r"^(Thought|Action Input|Action|Observation):", re.MULTILINE)
_NEXT = {
    "": ("Thought",),
    "Thought": ("Action",),
    "Action": ("Action Input",),
    "Action Input": ("Observation", "Thought"),
    "Observation": ("Thought",),
}
"""Keyword → what may follow it."""
_END = re.compile(r"(?:<[|/]?[\w.-]+\|?>\s*)+")
"""What ends a text that is decoded with its special tokens: `<eos>`, `<|im_end|>`, `</s><pad><pad>`."""


def react_calls(text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
    """The calls of a text's steps.

    >>> text = 'Thought: ask\\nAction: find\\nAction Input: {}'
    >>> react_calls(text, [Tool("find")])[0].name
    'find'
    """
    by_name = {tool.name: tool for tool in tools}
    lines = list(_LINE.finditer(text))
    ends = [*(line.start() for line in lines[1:]), len(text)]
    calls: list[ToolCall] = []
    before, spot = "", Spot(text, skip(text, 0))
    if not lines or text[: lines[0].start()].strip():
        first = len(text[spot.start :].split(maxsplit=1)[0]) if spot.start < len(text) else 0
        fault = (spot.start, spot.start + first)
        raise spot.error("an answer begins with `Thought:`", "format", len(text), fault=fault)
    tool: Tool | None = None
    for line, end in zip(lines, ends, strict=True):
        keyword, begin = line[1], line.end()
        if keyword == "Thought":
            spot = Spot(text, line.start())
        if keyword not in _NEXT[before]:
            wanted = " or ".join(f"`{name}:`" for name in _NEXT[before])
            raise spot.error(
                f"{_after(before)} comes {wanted}, not `{keyword}:`", "format", line.end(), fault=line.span()
            )
        if keyword == "Action":
            spot, tool = _named(spot, begin, end, by_name)
        elif keyword == "Action Input" and tool is not None:
            calls.append(_input(spot, tool, begin, end))
        before = keyword
    if before == "Thought":
        raise spot.cut_off("before `Action:`")
    if before == "Action":
        raise spot.cut_off("before `Action Input:`")
    return tuple(calls)


def _after(keyword: str) -> str:
    return f"after `{keyword}:`" if keyword else "first"


def _named(spot: Spot, begin: int, end: int, tools: Mapping[str, Tool]) -> tuple[Spot, Tool]:
    begin = skip(spot.text, begin)
    name, _, more = spot.text[begin:end].partition("\n")
    name = name.rstrip()
    spot = spot.named(begin, begin + len(name))
    if end == len(spot.text) and not more and not spot.text[begin:end].endswith("\n"):
        raise spot.cut_off("before `Action Input:`")
    tool = tool_of(spot, name, tools, begin + len(name))
    if more.strip() and end < len(spot.text):
        raise spot.error("behind the tool's name comes `Action Input:`", "format", end)
    return spot, tool


def _input(spot: Spot, tool: Tool, begin: int, end: int) -> ToolCall:
    at = skip(spot.text, begin)
    if at == len(spot.text):
        raise spot.cut_off("before the arguments")
    arguments, after = object_at(spot, at)
    call = by_key(spot, tool, arguments, after)
    rest = spot.text[after:end].strip()
    if rest and any(f"{name}:".startswith(rest) for name in _NEXT["Action Input"]) and end == len(spot.text):
        raise spot.cut_off("behind the arguments")
    if rest and not (end == len(spot.text) and _END.fullmatch(rest)):
        message = f"after the arguments comes a line break, not {rest[0]!r}"
        raise spot.error(message, "end_token", after + 1, fault=(after, after + 1))
    return call
