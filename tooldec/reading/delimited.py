"""Calls of Gemma: keys without quotes at every depth, and strings, without escapes, between two special tokens.

<|tool_call>call:find{city:<|"|>Rome<|"|>,near:{km:5,by:[<|"|>bus<|"|>,null]}}<tool_call|>

Numbers and words are JSON's. Keys between such tokens, and a template's `None`, are read as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from tooldec.errors import CallError
from tooldec.reading.faults import Place, Spot, by_key, skip, tool_of
from tooldec.reading.frames import Frame, behind
from tooldec.tools import Tool, ToolCall

DEEPEST = 100
"""What nests deeper isn't read."""

_NAME = re.compile(r"[^\s{}<>]*")
_KEY = re.compile(r"[^:,{}\[\]<>\"\n]*")
_WORD = re.compile(r"[^\s,{}\[\]<>]*")
_HALF = re.compile(r"-?[0-9]*(\.|[0-9.]*[eE][+-]?)?|t(ru?)?|f(a(ls?)?)?|n(ul?)?|N(on?)?")
_INSIDE = "inside the arguments"

_Places = dict[str, tuple[Place, Place]]


def delimited_calls(text: str, tools: Sequence[Tool], frame: Frame, delimiter: str) -> tuple[ToolCall, ...]:
    """The calls of a text.

    >>> find = Tool("find", parameters={"properties": {"city": {"type": "string"}, "km": {"type": "integer"}}})
    >>> frame = Frame("<c>", before="call:", between="{", after="}", closing="</c>")
    >>> delimited_calls("<c>call:find{city:<s>Rome<s>,km:5}</c>", [find], frame, "<s>")[0].arguments
    {'city': 'Rome', 'km': 5}
    """
    by_name = {tool.name: tool for tool in tools}
    calls: list[ToolCall] = []
    at = text.find(frame.marker)
    while at >= 0:
        spot = Spot(text, at)
        start = skip(text, behind(frame.before, spot, at + len(frame.marker)))
        end = start + len(_NAME.match(text, start)[0])  # type: ignore[index]  # it matches anywhere
        if end == len(text):
            raise spot.cut_off("before the arguments")
        spot, name = spot.named(start, end), text[start:end]
        values, places, at = _Reader(spot, delimiter).members(behind(frame.between, spot, end))
        at = behind(frame.closing, spot, at)
        calls.append(by_key(spot, tool_of(spot, name, by_name, at), values, at, places))
        at = text.find(frame.marker, at)
    return tuple(calls)


class _Reader:
    """Reads the values of one call."""

    def __init__(self, spot: Spot, delimiter: str) -> None:
        self.spot, self.text, self.delimiter = spot, spot.text, delimiter

    def members(self, at: int, depth: int = 0) -> tuple[dict[str, Any], _Places, int]:
        """What stands behind `{`: the values by their keys, where they stand, and the place behind `}`."""
        values: dict[str, Any] = {}
        places: _Places = {}

        def member(at: int) -> int:
            key, place, at = self.key(at)
            values[key], end = self.value(at, depth)
            places[key] = place, (at, end)
            return end

        end = self.listed(at, "}", member)
        return values, places, end

    def items(self, at: int, depth: int) -> tuple[list[Any], int]:
        """What stands behind `[`."""
        values: list[Any] = []

        def item(at: int) -> int:
            value, end = self.value(at, depth)
            values.append(value)
            return end

        return values, self.listed(at, "]", item)

    def listed(self, at: int, close: str, read: Callable[[int], int]) -> int:
        """Members or items with commas between, up to and with the bracket behind them."""
        at = skip(self.text, at)
        while not self.text.startswith(close, at):
            at = skip(self.text, read(at))
            if self.text.startswith(",", at):
                at = skip(self.text, at + 1)
            elif not self.text.startswith(close, at):
                raise self.error(at, f"after a value comes `,` or `{close}`", "end_token")
        return at + 1

    def key(self, at: int) -> tuple[str, Place, int]:
        """A key, where it stands, and the place of its value."""
        if self.text.startswith(self.delimiter, at):
            key, end = self.string(at)
            place = (at + len(self.delimiter), end - len(self.delimiter))
        else:
            end = at + len(_KEY.match(self.text, at)[0])  # type: ignore[index]  # it matches anywhere
            key = self.text[at:end].rstrip()
            place = (at, at + len(key))
        colon = skip(self.text, end)
        if not key or not self.text.startswith(":", colon):
            raise self.error(colon, "expected the name of an argument and `:`", "format")
        return key, place, skip(self.text, colon + 1)

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        """A value and the place behind it."""
        if depth >= DEEPEST:
            raise self.error(at, f"the arguments nest deeper than {DEEPEST} times", "format")
        if self.text.startswith(self.delimiter, at):
            return self.string(at)
        if self.text.startswith("{", at):
            values, _, end = self.members(at + 1, depth + 1)
            return values, end
        if self.text.startswith("[", at):
            return self.items(at + 1, depth + 1)
        end = at + len(_WORD.match(self.text, at)[0])  # type: ignore[index]  # it matches anywhere
        word = self.text[at:end]
        if end == len(self.text) and _HALF.fullmatch(word):
            raise self.spot.cut_off(_INSIDE)
        try:
            return _plain(word), end
        except ValueError:
            shown = word[:40] or self.text[end : end + 1]
            if not shown or shown == "\ufffd" or self.is_begun(at):
                raise self.spot.cut_off(_INSIDE) from None
            fix = f"write a text as `{self.delimiter}text{self.delimiter}`"
            fault = (at, at + len(shown))
            raise self.spot.error(f"`{shown}` is no value", "illegal_symbol", fault[1], fix, fault) from None

    def string(self, at: int) -> tuple[str, int]:
        """A string between delimiters, and the place behind it."""
        start = at + len(self.delimiter)
        stop = self.text.find(self.delimiter, start)
        if stop < 0:
            raise self.spot.cut_off(_INSIDE)
        return self.text[start:stop], stop + len(self.delimiter)

    def is_begun(self, at: int) -> bool:
        """Whether the text ends within a delimiter."""
        return self.delimiter.startswith(self.text[at:].removesuffix("\ufffd"))

    def error(self, at: int, expected: str, kind: str) -> CallError:
        """What is wrong at a place, or that the text ends there."""
        if at >= len(self.text) or self.text[at:] == "\ufffd" or self.is_begun(at):
            return self.spot.cut_off(_INSIDE)
        return self.spot.error(f"{expected}, not {self.text[at]!r}", kind, at + 1, fault=(at, at + 1))


def _plain(word: str) -> Any:
    """The value of a number or a word. Raises ValueError for anything else."""
    if word.startswith('"'):
        raise ValueError(word)
    return None if word == "None" else json.loads(word, parse_constant=_no_value)


def _no_value(word: str) -> Any:
    raise ValueError(word)  # NaN and Infinity
