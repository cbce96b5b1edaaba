"""Calls as JSON objects with a name: in tags (Hermes, Qwen), or alone (Llama 3); see `frames` for other families."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tooldec.reading.faults import DECODER, Spot, by_key, skip, tool_of
from tooldec.tools import Tool, ToolCall


def tagged_calls(text: str, tools: Sequence[Tool], marker: str, end: str) -> tuple[ToolCall, ...]:
    """The calls `<tool_call>{"name": …, "arguments": {…}}</tool_call>` of a text."""
    by_name = {tool.name: tool for tool in tools}
    calls, at = [], text.find(marker)
    while at >= 0:
        spot, begin = Spot(text, at), skip(text, at + len(marker))
        try:  # first the object, for a string in it may hold the tag
            data, after = DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError) as error:
            close = text.find(end, begin)
            if close < 0:
                raise spot.cut_off(f"before `{end}`") from None
            raise spot.error(f"the call is no JSON: {error}", "format", close + len(end)) from None
        close = skip(text, after)
        if not text.startswith(end, close):
            if end.startswith(text[close:]):
                raise spot.cut_off(f"before `{end}`")
            raise spot.error(f"after the object comes `{end}`, not {text[close]!r}", "format", close + 1)
        calls.append(called(spot, data, begin, close + len(end), ("name", "arguments"), by_name))
        at = text.find(marker, calls[-1].end)
    return tuple(calls)


def leading_calls(text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
    """The call `{"name": …, "parameters": {…}}` with which an answer begins; other answers are text."""
    start = skip(text, 0)
    if not text.startswith("{", start):
        return ()
    spot = Spot(text, start)
    data, end = object_at(spot, start)
    return (called(spot, data, start, end, ("name", "parameters"), {tool.name: tool for tool in tools}),)


def object_at(spot: Spot, at: int) -> tuple[Any, int]:
    """A JSON value where an object should stand; what the end of the text leaves open is cut off."""
    try:
        return DECODER.raw_decode(spot.text, at)
    except (ValueError, RecursionError) as error:
        if _open(spot.text[at:]):
            raise spot.cut_off("inside the call") from None
        raise spot.error(f"the call is no JSON: {error}", "format", len(spot.text)) from None


def _open(text: str) -> bool:
    """Whether the brackets and quotes of a text are still open at its end."""
    bare = re.sub(r'"(?:[^"\\\n]|\\.)*"', "", text)
    return not text or '"' in bare or bare.count("{") > bare.count("}")


def called(spot: Spot, data: Any, at: int, end: int, keys: tuple[str, str], tools: Mapping[str, Tool]) -> ToolCall:
    """The call that an object is: under which keys its name and its arguments stand."""
    name, key = keys
    if not isinstance(data, dict) or name not in data:
        raise spot.error(f"the call is no object with a `{name}`", "format", end)
    place = re.compile(rf'"{name}"\s*:\s*"((?:[^"\\]|\\.)*)"').search(spot.text, at, end)
    spot = spot.named(*place.span(1)) if place else spot
    tool = tool_of(spot, str(data[name]), tools, end)
    others = [other for other in data if other not in keys]
    if key not in data and others:
        raise spot.error(f"the arguments stand under `{key}`, not `{others[0]}`", "format", end)
    return by_key(spot, tool, data.get(key, {}), end)
