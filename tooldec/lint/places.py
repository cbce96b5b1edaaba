"""Where in a text its tools, their schemas and the keywords in these stand; and changes of the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tooldec.signatures.listings.json_text import Parts, parts
from tooldec.signatures.listings.keys import ELSEWHERE, SCHEMAS
from tooldec.signatures.source import Source
from tooldec.tools import Tool

_MARKS = {
    "json": re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}]'),
    "assigned": re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[{}]"""),
}
"""Texts and braces, by format."""

_BEHIND_NAME = {'"': re.compile(r'"|\'\s*:'), "'": re.compile(r"[\"']\s*:")}
_BEHIND_BARE = re.compile(r"\s*\??\s*[:=,)]")
"""What follows the name of a parameter that is declared, by the quote before it."""

_ITEM = re.compile(r"^([ \t]*)-[ \t]", re.MULTILINE)
_ROOTS = (*SCHEMAS, *ELSEWHERE)
"""Where in a function the schema of its arguments may stand, if not in itself; Bedrock puts `json` between."""

Pointer = tuple[str | int, ...]
"""The way to a value in a schema: keys of objects, numbers of elements."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A change of the text that an editor can make: the characters up to the end become `text`; all count from 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Places:
    """Finds things in a text of tools.

    tools   those that were read in it
    format  a name of `signatures.FORMATS`
    """

    def __init__(self, source: Source, tools: Sequence[Tool], format: str) -> None:
        self.source, self.tools, self.format = source, tools, format
        self._known: dict[int, Parts] = {}

    def at(self, line: int, column: int) -> int:
        """The offset of a place; both count from 1."""
        return self.source.lines[min(line, len(self.source.lines)) - 1] + column - 1

    def offset(self, tool: Tool) -> int:
        """Where the tool's name stands."""
        return self.at(tool.line or 1, tool.column or 1)

    def span(self, tool: Tool) -> tuple[int, int]:
        """The tool's part of the text: the object or the item around its name, else all up to the next tool's name."""
        start = self.offset(tool)
        around = self._item(start) if self.format == "yaml" else self._object(start)
        if around:
            return around
        following = bisect_right(self._starts, start)
        return start, self._starts[following] if following < len(self._starts) else len(self.source.text)

    @cached_property
    def _starts(self) -> list[int]:
        return sorted(self.offset(tool) for tool in self.tools)

    def _object(self, inside: int) -> tuple[int, int] | None:
        """The innermost object around a place."""
        for at in range(bisect_right(self._objects, (inside, len(self.source.text))) - 1, -1, -1):
            if inside < self._objects[at][1]:
                return self._objects[at]
        return None

    @cached_property
    def _objects(self) -> list[tuple[int, int]]:
        """Where each pair of braces outside of texts begins and ends."""
        found: list[tuple[int, int]] = []
        opened: list[int] = []
        marks = _MARKS.get(self.format)
        for mark in marks.finditer(self.source.text) if marks else ():
            if mark[0] == "{":
                opened.append(mark.start())
            elif mark[0] == "}" and opened:
                found.append((opened.pop(), mark.end()))
        return sorted(found)

    def _item(self, inside: int) -> tuple[int, int] | None:
        """The item of a YAML list around a place: up to the next one that isn't indented further."""
        at = bisect_right(self._items, (inside, 0)) - 1
        indented = inside - self.source.text.rfind("\n", 0, inside) - 1
        while at >= 0 and self._items[at][1] >= indented:
            at -= 1
        if at < 0:
            return None
        start, depth = self._items[at]
        ends = (one for one, other in self._items[at + 1 :] if other <= depth)
        return start, next(ends, len(self.source.text))

    @cached_property
    def _items(self) -> list[tuple[int, int]]:
        """Where each item of a YAML list begins, and how far it is indented."""
        return [(item.start(), len(item[1])) for item in _ITEM.finditer(self.source.text)]

    def find(self, tool: Tool, pattern: str) -> re.Match[str] | None:
        """The first match of a pattern in the tool's part of the text."""
        return re.compile(pattern).search(self.source.text, *self.span(tool))

    def parameter(self, tool: Tool, name: str) -> int | None:
        """Where a parameter of the tool is declared: `"side": …`, `side: int`, `"side"`."""
        text, (start, end), own = self.source.text, self.span(tool), self.word(self.offset(tool), tool.name)
        at = text.find(name, start, end) if name else -1
        while at >= 0:
            before = text[at - 1] if at else ""
            is_other = at == own or before.isalnum() or before == "_"
            if not is_other and _BEHIND_NAME.get(before, _BEHIND_BARE).match(text, at + len(name), end):
                return at
            at = text.find(name, at + 1, end)
        return None

    def find_all(self, tool: Tool, pattern: str) -> list[re.Match[str]]:
        """All matches in the tool's part of the text."""
        return list(re.compile(pattern).finditer(self.source.text, *self.span(tool)))

    def value(self, tool: Tool, pointer: Pointer) -> int | None:
        """Where JSON writes what lies at `("properties", "side", "minimum")` in the schema of the tool's arguments."""
        found = self._found(tool, pointer)
        return found[1] if found else None

    def key(self, tool: Tool, pointer: Pointer) -> int | None:
        """Where the key of such a value stands, behind its quote; of an element the key of its list."""
        named = pointer[: max((place for place, step in enumerate(pointer, 1) if isinstance(step, str)), default=0)]
        found = self._found(tool, named)
        return found[0] + 1 if found else None

    def _found(self, tool: Tool, pointer: Pointer) -> tuple[int, int] | None:
        """The places of the key and of the value; None where it is written in another way."""
        start, _ = self.span(tool)
        if self.format != "json" or not pointer or not self.source.text.startswith("{", start):
            return None
        named = pointer[1:] if pointer[0] == "properties" else pointer  # parameters by their names need no `properties`
        function = self._parts(start)
        roots = [start, *(function[key][1] for key in _ROOTS if key in function)]
        roots += [inside["json"][1] for root in roots[1:] if "json" in (inside := self._parts(root))]
        tries = [(root, way) for root in roots for way in ((pointer,) if root == start else (pointer, named))]
        return next(filter(None, (self._way(root, way) for root, way in tries)), None)

    def _way(self, position: int, pointer: Pointer) -> tuple[int, int] | None:
        found: tuple[int, int] | None = None
        for step in pointer:
            found = self._parts(position).get(step)
            if found is None:
                return None
            position = found[1]
        return found

    def _parts(self, position: int) -> Parts:
        if position not in self._known:
            self._known[position] = parts(self.source, position)
        return self._known[position]

    def word(self, at: int, word: str) -> int | None:
        """Where a word stands that was read at a place: there, or behind a quote; None where it's spelled otherwise."""
        text = self.source.text
        if text.startswith(word, at):
            return at
        return at + 1 if text.startswith(('"', "'", "`"), at) and text.startswith(word, at + 1) else None

    def replaced(self, start: int, end: int, text: str) -> Replacement:
        """The change of the characters from offset to offset."""
        return Replacement(*self.source.place(start), *self.source.place(end), text)

    def renamed(self, at: int, word: str, text: str | None) -> Replacement | None:
        """The change of a word that was read at a place; None where it is spelled otherwise, or nothing is proposed."""
        start = self.word(at, word) if word and text is not None else None
        return None if start is None else self.replaced(start, start + len(word), text or "")
