"""Calls whose arguments stand between tags of their own, strings as they are and all other values as JSON.

<tool_call>\\n<function=find>\\n<parameter=city>\\nRome\\n</parameter>\\n</function>\\n</tool_call>
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from tooldec.reading.faults import Place, Spot, by_key, fits, skip, tool_of
from tooldec.reading.frames import behind
from tooldec.tools import Tool, ToolCall

MOST_READINGS = 1024
"""In so many ways texts that may be strings or other values are read, if the arguments aren't valid together."""


@dataclass(frozen=True, slots=True)
class Tags:
    """How a family of models writes a call.

    marker, end  what stands around a call, or around several
    name         what stands before a tool's name and behind it
    key          what stands before an argument's name, and between it and its value
    behind       what stands behind a value
    close        what stands behind the last argument
    several      calls may stand one behind the other between marker and end
    kinds        what stands before a string and before any other value, if that tells which of both it is
    """

    marker: str
    end: str
    name: tuple[str, str]
    key: tuple[str, str]
    behind: str
    close: str = ""
    several: bool = False
    kinds: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stands in a call: where its name is, each argument's name and value with their places, and its kind.

    A kind is the number of one of `Tags.kinds`, or None.
    """

    name: Place
    members: tuple[tuple[Place, Place, int | None], ...]
    end: int


def argument_calls(text: str, tools: Sequence[Tool], tags: Tags) -> tuple[ToolCall, ...]:
    """The calls of a text; spaces and line breaks between tags don't matter.

    >>> glm = Tags("<tool_call>", "</tool_call>", ("", "\\n"), ("<k>", "</k>\\n<v>"), "</v>\\n")
    >>> city = Tool("find", parameters={"properties": {"city": {"type": "string"}}})
    >>> argument_calls("So <tool_call>find\\n<k>city</k>\\n<v>5</v>\\n</tool_call>", [city], glm)[0].arguments
    {'city': '5'}
    """
    by_name = {tool.name: tool for tool in tools}
    calls: list[ToolCall] = []
    at = text.find(tags.marker)
    while at >= 0:
        spot, inner = Spot(text, at), at + len(tags.marker)
        while True:
            frame = _frame(spot, inner, tags)
            spot = spot.named(*frame.name)
            inner = skip(text, frame.end)
            first = _pieces(tags.name[0])
            if tags.several and _is_begun(first[0], text[inner:]):
                raise spot.cut_off(f"before `{first[0]}`")
            more = tags.several and text.startswith(first[0], inner)
            end = frame.end if more else _past(spot, inner, tags.end)
            calls.append(_call(spot, frame, end, by_name))
            if not more:
                break
            spot = Spot(text, inner)
        at = text.find(tags.marker, end)
    return tuple(calls)


def _frame(spot: Spot, at: int, tags: Tags) -> _Frame:
    """A call up to what stands behind its last argument."""
    name, at = _name(spot, at, tags.name)
    spot = spot.named(*name)
    members: list[tuple[Place, Place, int | None]] = []
    opening, closing = tags.key[0], _pieces(tags.behind)[0]
    while spot.text.startswith(opening, begin := skip(spot.text, at)):
        key, start = _name(spot, begin, tags.key)
        kind, start = _kind(spot, start, tags.kinds)
        stop = spot.text.find(closing, start)
        if stop < 0:
            raise spot.cut_off(f"before `{closing}`")
        place = _trimmed(spot.text, (start, stop)) if tags.key[1].endswith("\n") else (start, stop)
        members.append((key, place, kind))
        at = stop + len(closing)
    if _is_begun(opening, spot.text[begin:]):
        raise spot.cut_off(f"before `{opening}`")
    return _Frame(name, tuple(members), _past(spot, at, tags.close))


def _name(spot: Spot, at: int, around: tuple[str, str]) -> tuple[Place, int]:
    """Where a name stands, and the place behind what follows it: white space there may belong to a value."""
    start = skip(spot.text, _past(spot, at, around[0])) if around[0] in ("", "\n") else _past(spot, at, around[0])
    end = start + len(_NAME.match(spot.text, start)[0].rstrip())  # type: ignore[index]  # it matches anywhere
    return (start, end), _past(spot, end, around[1])


def _kind(spot: Spot, at: int, kinds: tuple[str, str] | None) -> tuple[int | None, int]:
    """Which of two tags stands before a value, and the place behind it."""
    if kinds is None:
        return None, at
    for number, tag in enumerate(kinds):
        if spot.text.startswith(tag, at):
            return number, at + len(tag)
    expected = " or ".join(f"`{tag}`" for tag in kinds)
    if any(tag.startswith(spot.text[at:]) for tag in kinds):
        raise spot.cut_off(f"before {expected}")
    raise spot.error(f"expected {expected}, not {spot.text[at]!r}", "format", at + 1, fault=(at, at + 1))


_NAME = re.compile(r'[^<>"\n]*')


def _past(spot: Spot, at: int, tags: str) -> int:
    """The place behind some tags, with spaces and line breaks before each of them."""
    for tag in _pieces(tags):
        at = behind(tag, spot, at)
    return at


def _is_begun(tag: str, rest: str) -> bool:
    """Whether the rest of a text is the beginning of a tag, up to within a character; nothing is none."""
    return rest not in ("", tag) and tag.startswith(rest.removesuffix("\ufffd"))


def _pieces(tags: str) -> list[str]:
    """`</k>\\n<v>`: its tags one by one."""
    return [piece for piece in re.split(r"\n+|(?<=>)(?=<)", tags) if piece]


def _trimmed(text: str, place: Place) -> Place:
    """A value without the line breaks that belong to its tags."""
    start, stop = place
    start += text.startswith("\n", start, stop)
    return start, stop - text.endswith("\n", start, stop)


def _call(spot: Spot, frame: _Frame, end: int, tools: Mapping[str, Tool]) -> ToolCall:
    text = spot.text
    tool = tool_of(spot, text[slice(*frame.name)], tools, end)
    places = {text[slice(*key)]: (key, value) for key, value, _ in frame.members}
    raw = {name: text[slice(*value)] for name, (_, value) in places.items()}
    kinds = {text[slice(*key)]: kind for key, _, kind in frame.members}
    if None in kinds.values():
        return by_key(spot, tool, _arguments(spot, tool, raw, end), end, places)
    told = {name: _json(spot, places[name][1]) if kinds[name] else one for name, one in raw.items()}
    return by_key(spot, tool, told, end, places)


def _json(spot: Spot, place: Place) -> Any:
    """The value at a place, of which its tag says that it is JSON."""
    text = spot.text[slice(*place)]
    try:
        return json.loads(text, parse_constant=_no_value)
    except (ValueError, RecursionError):
        message = f"`{text.strip()[:40]}` is no JSON value"
        raise spot.error(message, "illegal_symbol", place[1], fault=place) from None


def _arguments(spot: Spot, tool: Tool, raw: Mapping[str, str], end: int) -> dict[str, Any]:
    """The values of some texts: JSON that is no string, where that satisfies the schema, else the text itself."""
    each = {keyword: tool.parameters[keyword] for keyword in _OF_MEMBERS if keyword in tool.parameters}
    ways: list[list[Any]] = []
    for name, text in raw.items():
        options = [*_other_values(text), text]
        fitting = [value for value in options if fits(spot, tool, {name: value}, end, each)]
        ways.append(fitting or options)
    first = dict(zip(raw, (way[0] for way in ways), strict=True))
    if any(len(way) > 1 for way in ways):
        for values in islice(product(*ways), MOST_READINGS):
            found = dict(zip(raw, values, strict=True))
            if fits(spot, tool, found, end):
                return found
    return first


_OF_MEMBERS = ("properties", "patternProperties", "additionalProperties")


def _other_values(text: str) -> list[Any]:
    """What a text is as JSON, if that is no string."""
    try:
        value = json.loads(text, parse_constant=_no_value)
    except (ValueError, RecursionError):
        return []
    return [] if isinstance(value, str) else [value]


def _no_value(word: str) -> Any:
    raise ValueError(word)  # NaN and Infinity
