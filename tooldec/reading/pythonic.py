"""Calls as Python writes them, with keyword arguments: `[find(city="Rome", days=3), now()]`, read and never executed.

Values are Python's literals, in quotes of either kind; JSON's `true`, `false` and `null` are read as well, for models
that were shown their tools as JSON write these. The frames are those of `frames`, where a name is followed by `(`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tooldec.errors import CallError
from tooldec.reading.faults import Place, Spot, by_key, skip, tool_of
from tooldec.reading.frames import Frame, behind, stands
from tooldec.signatures.python.syntax import UNREAD, expression
from tooldec.tools import Tool, ToolCall

_NAME = re.compile(r"[^\s()\[\]{},=<>|\"']*")
_KEY = re.compile(r"([^\W\d]\w*)\s*=(?!=)\s*")
_BEGUN_KEY = re.compile(r"([^\W\d]\w*)?\s*\ufffd?")
_PART = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[\[({\])},\"']", re.DOTALL)
"""What a value is cut by: whole strings, brackets and commas, and a quote whose string doesn't end."""

_WORDS: Mapping[str, Any] = {"true": True, "false": False, "null": None}
_INSIDE = "inside the arguments"


def python_calls(text: str, tools: Sequence[Tool], frame: Frame, leading: bool = False) -> tuple[ToolCall, ...]:
    """The calls of a text; `leading` where it has them only at its beginning.

    >>> find = Tool("find", parameters={"properties": {"city": {"type": "string"}, "near": {"type": "boolean"}}})
    >>> listed = Frame("[", between="(", after=")", more=", ", closing="]")
    >>> python_calls("[find(city='Rome', near=True)]", [find], listed, leading=True)[0].arguments
    {'city': 'Rome', 'near': True}
    """
    by_name = {tool.name: tool for tool in tools}
    calls: list[ToolCall] = []
    at = skip(text, 0) if leading else text.find(frame.marker)
    while at >= 0 and text.startswith(frame.marker, at):
        spot = Spot(text, at)
        at = behind(frame.opening, spot, at + len(frame.marker))
        while True:
            at = skip(text, at)
            calls.append(_call(Spot(text, at) if at < len(text) else spot, at, by_name))
            at = calls[-1].end
            if not _goes_on(frame, text, at):
                break
            at = behind(frame.more or "", spot, at)
        at = behind(frame.closing, spot, at)
        at = -1 if leading else text.find(frame.marker, at)
    return tuple(calls)


def _goes_on(frame: Frame, text: str, at: int) -> bool:
    """Whether another call follows; where nothing but space stands between two, a name tells."""
    more = (frame.more or "").strip()
    return stands(more, text, at) if more else _name_end(text, skip(text, at)) > skip(text, at)


def _name_end(text: str, at: int) -> int:
    """The place behind a name, which may be empty."""
    return at + len(_NAME.match(text, at)[0])  # type: ignore[index]  # it matches anywhere


def _call(spot: Spot, at: int, tools: Mapping[str, Tool]) -> ToolCall:
    """One call, from its name to its closing bracket."""
    text = spot.text
    end = _name_end(text, at)
    if end == len(text) or text[end:] == "\ufffd":
        raise spot.cut_off("before the name of a call" if end == at else "inside the name of a call")
    name, bracket = text[at:end], skip(text, end)
    spot = spot.named(at, end) if name else spot
    if not name or not text.startswith("(", bracket):
        if bracket == len(text):
            raise spot.cut_off("before the arguments")
        what = f"behind the name comes `(`, not {text[bracket]!r}" if name else f"expected a name, not {text[end]!r}"
        raise spot.error(what, "format", bracket + 1, fault=(bracket, bracket + 1))
    values: dict[str, Any] = {}
    places: dict[str, tuple[Place, Place]] = {}
    at = skip(text, bracket + 1)
    while not text.startswith(")", at):
        key = _KEY.match(text, at)
        if key is None:
            raise _no_key(spot, at)
        if key[1] in values:
            again = f"`{key[1]}` is given a second time"
            raise spot.error(again, "format", key.end(1), "give each argument once", fault=key.span(1))
        value, stop, at = _value(spot, key.end())
        values[key[1]], places[key[1]] = value, (key.span(1), (key.end(), stop))
        if text.startswith(",", at):
            at = skip(text, at + 1)
    return by_key(spot, tool_of(spot, name, tools, at + 1), values, at + 1, places)


def _no_key(spot: Spot, at: int) -> CallError:
    """What is wrong where an argument has no name."""
    if _BEGUN_KEY.fullmatch(spot.text, at):
        return spot.cut_off(_INSIDE)
    fix = 'give each argument by its name, as in `city="Rome"`'
    return spot.error("expected the name of an argument and `=`", "format", at + 1, fix, fault=(at, at + 1))


def _value(spot: Spot, at: int) -> tuple[Any, int, int]:
    """A value, the place behind it, and that of the comma or the bracket that follows."""
    text, depth, stop = spot.text, 0, -1
    for part in _PART.finditer(text, at):
        sign = part[0]
        if sign in ("'", '"'):
            break  # its string doesn't end
        if not depth and sign in (",", ")", "]", "}"):
            stop = part.start()
            break
        depth += (sign in ("[", "(", "{")) - (sign in ("]", ")", "}"))
    if stop < 0:
        raise spot.cut_off(_INSIDE)
    written = text[at:stop].rstrip()
    place = (at, at + len(written))
    try:
        value = _plain(expression(written))
    except UNREAD:
        shown = written[:40] or text[stop]
        raise spot.error(f"`{shown}` is no literal of Python", "illegal_symbol", stop + 1, fault=place) from None
    if text[stop] not in ",)":
        message = f"after a value comes `,` or `)`, not {text[stop]!r}"
        raise spot.error(message, "end_token", stop + 1, fault=(stop, stop + 1))
    return value, place[1], stop


def _plain(node: ast.expr) -> Any:
    """The value of a literal that JSON has, too. Raises ValueError for anything else.

    >>> _plain(expression("[1, -2.5, {'a': None}, true]"))
    [1, -2.5, {'a': None}, True]
    """
    match node:
        case ast.Constant(value) if value is None or isinstance(value, str | bool | int | float):
            return value
        case ast.UnaryOp(ast.USub() | ast.UAdd(), ast.Constant(value)) if type(value) in (int, float):
            return -value if isinstance(node.op, ast.USub) else value  # type: ignore[operator]
        case ast.List(items):
            return [_plain(item) for item in items]
        case ast.Dict(keys, values) if all(isinstance(key, ast.Constant) for key in keys):
            names = [key.value for key in keys if isinstance(key, ast.Constant)]
            if all(isinstance(name, str) for name in names):
                return dict(zip(names, map(_plain, values), strict=True))
        case ast.Name(name) if name in _WORDS:
            return _WORDS[name]
    raise ValueError(ast.dump(node)[:40])
