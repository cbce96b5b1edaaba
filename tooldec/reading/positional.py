"""Calls with arguments by position: `<T>square(5)`, and `<square>(5)` of ToolkenGPT and Figure 6."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tooldec.reading.faults import Place, Spot, by_position, skip, tool_of, value_at
from tooldec.tools import Tool, ToolCall

_INSIDE = "inside the arguments"
_ANY_NAME = re.compile(r"<([A-Za-z_][^\s<>()]*)>\(")
_HALF_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.|(\.[0-9]+)?[eE][+-]?)")
_STRING_OR_PLUS = re.compile(r'("(?:[^"\\]|\\.)*")|(?<=[(\[,:\s])\+(?=[0-9])')


def positional_calls(text: str, tools: Sequence[Tool], marker: str) -> tuple[ToolCall, ...]:
    """The calls `<T>name(value, value)` of a text.

    >>> positional_calls("It is <T>square(5)=25.", [Tool("square", parameters=_ONE)], "<T>")[0].arguments
    {'side': 5}
    """
    by_name = {tool.name: tool for tool in tools}
    calls, at = [], text.find(marker)
    while at >= 0:
        call = _after_marker(Spot(text, at), at + len(marker), by_name)
        calls.append(call)
        at = text.find(marker, call.end)
    return tuple(calls)


def named_calls(text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
    """The calls `<name>(value, value)=` of a text: `<name>` of a tool, or any `<word>(`."""
    calls = _named_calls(text, {tool.name: tool for tool in tools}, "", _ANY_NAME)
    for call in calls:
        spot = Spot(text, call.start, (call.start + 1, call.start + 1 + len(call.name)))
        if call.end == len(text):
            raise spot.cut_off("before `=`")
        if text[call.end] != "=":
            message = f"a call ends with `)=`, not `){text[call.end]}`"
            raise spot.error(message, "end_token", call.end + 1, fault=(call.end, call.end + 1))
    return calls


def prompted_calls(text: str, tools: Sequence[Tool], marker: str) -> tuple[ToolCall, ...]:
    """The calls `<name>(value)` of a text in which the host has put the names.

    Where nobody has, the marker is followed by the sentence that asks for the name (cut off), or by the call itself.
    """
    return _named_calls(text, {tool.name: tool for tool in tools}, marker, None)


def _named_calls(
    text: str, tools: Mapping[str, Tool], marker: str, unknown: re.Pattern[str] | None
) -> tuple[ToolCall, ...]:
    names = "|".join(re.escape(name) for name in sorted(tools, key=len, reverse=True))
    known = re.compile(f"<(?:{names})>" if names else "(?!)")  # without tools there is nothing to find
    patterns = (known, unknown) if unknown else (known,)
    calls: list[ToolCall] = []
    at = 0
    while True:
        found = [match.start() for match in (pattern.search(text, at) for pattern in patterns) if match]
        start = min(found, default=-1)
        marked = text.find(marker, at) if marker else -1
        if start < 0 and marked < 0:
            return tuple(calls)
        if 0 <= marked and (start < 0 or marked <= start):
            spot = Spot(text, marked)
            if text.startswith("(", marked + len(marker)):
                raise spot.cut_off("before the tool is named")
            calls.append(_after_marker(spot, marked + len(marker), tools))
        else:
            calls.append(_after_name(text, start, known, tools))
        at = calls[-1].end


def _after_marker(spot: Spot, at: int, tools: Mapping[str, Tool]) -> ToolCall:
    bracket = spot.text.find("(", at)
    if bracket < 0:
        raise spot.cut_off("before the arguments")
    spot = spot.named(at, bracket)
    tool = tool_of(spot, spot.text[at:bracket], tools, bracket)
    values, places, end = _values(spot, bracket + 1)
    return by_position(spot, tool, values, end, places)


def _after_name(text: str, start: int, known: re.Pattern[str], tools: Mapping[str, Tool]) -> ToolCall:
    named = known.match(text, start)  # a name may hold `>` itself
    close = named.end() - 1 if named else text.index(">", start)
    spot = Spot(text, start, (start + 1, close))
    tool = tool_of(spot, text[start + 1 : close], tools, close + 1)
    if close + 1 == len(text):
        raise spot.cut_off("before the arguments")
    if text[close + 1] != "(":
        raise spot.error(f"`(` follows a tool's name, not {text[close + 1]!r}", "format", close + 2)
    values, places, end = _values(spot, close + 2)
    return by_position(spot, tool, values, end, places)


def _values(spot: Spot, at: int) -> tuple[list[Any], list[Place], int]:
    """JSON values and their places, from behind `(` up to and with `)`; a leading +, which isn't JSON, is a space."""
    text = spot.text[: at - 1] + _STRING_OR_PLUS.sub(lambda found: found[1] or " ", spot.text[at - 1 :])
    spot = replace(spot, text=text)
    values: list[Any] = []
    places: list[Place] = []
    at = skip(text, at)
    if text.startswith(")", at):
        return values, places, at + 1
    while True:
        at = skip(text, at)
        value, after = value_at(spot, at, _INSIDE)
        values.append(value)
        places.append((at, after))
        half = _HALF_NUMBER.fullmatch(text, at)
        at = skip(text, after)
        if half or at == len(text):
            raise spot.cut_off(_INSIDE)
        if text[at] == ")":
            return values, places, at + 1
        if text[at] != ",":
            message = f"after a value comes `,` or `)`, not {text[at]!r}"
            raise spot.error(message, "end_token", at + 1, fault=(at, at + 1))
        at += 1


_ONE = {"type": "object", "properties": {"side": {"type": "integer"}}, "required": ["side"]}
