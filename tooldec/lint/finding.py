"""What a check says, and what it looks at: Finding, Check, Inventory.

check(Inventory) → Hit(tool, "…", parameter=…) → Finding("W301", "warning", line, column, message, fix)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from tooldec.errors import SignatureError
from tooldec.signatures import format_of
from tooldec.signatures.source import Source
from tooldec.tools import Tool

if TYPE_CHECKING:
    from tooldec.models import Model

T = TypeVar("T")

Severity = Literal["error", "warning", "hint"]

SHOWN = 1_000
"""How many findings of one check are kept; the last one says how many more there are."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A change of the text that an editor can make: the characters up to the end become `text`; all count from 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found in a text of tools.

    fix            a sentence: what would work
    replacement    the same as a change of the text, where there is one
    length         how many characters to underline
    """

    code: str
    severity: Severity
    line: int
    column: int
    message: str
    fix: str
    tool: str | None = None
    parameter: str | None = None
    length: int = 1
    replacement: Replacement | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Hit:
    """What a check found, before it has a code and a place.

    at      line and column, where the check knows them better than tool and parameter do
    word    what is underlined, in place of the name of the parameter or the tool
    empty   no value satisfies the schema
    """

    message: str
    fix: str
    tool: Tool | None = None
    parameter: str | None = None
    at: tuple[int, int] | None = None
    word: str = ""
    replacement: Replacement | None = None
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """One check: a stable code, what it is for, and a bad and a good example, which are its tests.

    needs_model     it asks about a model's tokens
    """

    code: str
    severity: Severity
    title: str
    why: str
    bad: str
    good: str
    find: Callable[[Inventory], Iterable[Hit]]
    needs_model: bool = False

    def more(self, number: int) -> str:
        """What stands for the findings that aren't shown: "3,000 more of this kind: a tool without description"."""
        return f"{number:,} more of this kind: {self.title[:1].lower()}{self.title[1:]}"


@dataclass(frozen=True, slots=True)
class Part:
    """A schema inside of a tool's arguments: `path` is `$.place.city`, `parameter` the argument it belongs to."""

    tool: Tool
    parameter: str
    path: str
    schema: Mapping[str, Any]
    required: bool = True


def tool_with(schema: str) -> str:
    """A list of one tool whose parameter `a` has a schema: what the examples of checks are made of."""
    return f'[{{"name": "f", "description": "F.", "parameters": {{"properties": {{"a": {schema}}}}}}}]'


class Inventory:
    """The text that is checked, its tools, and what could not be read of it."""

    def __init__(
        self,
        text: str,
        tools: tuple[Tool, ...],
        errors: tuple[SignatureError, ...],
        model: Model | None = None,
        format: str = "auto",
    ) -> None:
        self.tools, self.errors, self.model = tools, errors, model
        self.source = _source(text)
        self.format = (format_of(self.source.text) if format == "auto" else format) if tools else ""
        self._kept: dict[str, tuple[Any, ...]] = {}

    def kept(self, name: str, make: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        """What several checks ask for, made once."""
        if name not in self._kept:
            self._kept[name] = tuple(make())
        return self._kept[name]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Every schema of every tool that says more than a type and a description."""
        return tuple(part for tool in self.tools for part in _parts(tool))

    @cached_property
    def _starts(self) -> list[int]:
        return sorted(self.offset(tool) for tool in self.tools)

    def offset(self, tool: Tool) -> int:
        """Where the tool's name stands in the text."""
        line = min(tool.line or 1, len(self.source.lines))
        return self.source.lines[line - 1] + (tool.column or 1) - 1

    def span(self, tool: Tool) -> tuple[int, int]:
        """The tool's part of the text: from its name to that of the next tool."""
        start = self.offset(tool)
        at = bisect_right(self._starts, start)
        return start, self._starts[at] if at < len(self._starts) else len(self.source.text)

    def find(self, tool: Tool, pattern: str) -> re.Match[str] | None:
        """The first match of a pattern inside of the tool's part of the text."""
        return re.compile(pattern).search(self.source.text, *self.span(tool))

    def find_outermost(self, tool: Tool, pattern: str) -> re.Match[str] | None:
        """The match of a pattern that stands in the fewest brackets: an argument, not a property of another one."""
        start, end = self.span(tool)
        found = list(re.compile(pattern).finditer(self.source.text, start, end))
        if len(found) < 2:
            return found[0] if found else None
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', lambda text: " " * len(text[0]), self.source.text[start:end])
        return min(found, key=lambda one: sum((c in "[{") - (c in "]}") for c in bare[: one.start() - start]))

    def place(self, hit: Hit) -> tuple[int, int, int]:
        """Line, column and length of what a hit speaks of."""
        if hit.at is not None:
            return self._behind_quote(*hit.at, hit.word)
        if hit.tool is None:
            return 1, 1, 1
        if hit.parameter is not None:
            name = re.escape(hit.parameter)
            written = rf'(?<="){name}(?="\s*:)|(?<![\w"]){name}(?=\s*\??\s*[:=,)])|(?<="){name}(?=")'
            found = self.find_outermost(hit.tool, rf'(?<="){name}(?="\s*:\s*[{{tf])') if self.format == "json" else None
            found = found or self.find(hit.tool, written)
            if found:
                return *self.source.place(found.start()), len(hit.parameter)
        return self._behind_quote(hit.tool.line or 1, hit.tool.column or 1, hit.tool.name)

    def _behind_quote(self, line: int, column: int, word: str) -> tuple[int, int, int]:
        """Line, column and length of a word, which JSON writes behind a quote."""
        start = self.source.lines[min(line, len(self.source.lines)) - 1] + column - 1
        quoted = word and self.source.text.startswith(f'"{word}', start)
        return line, column + bool(quoted), max(len(word), 1)

    def replaced(self, start: int, end: int, text: str) -> Replacement:
        """The change of the characters from offset to offset."""
        return Replacement(*self.source.place(start), *self.source.place(end), text)

    def renamed(self, tool: Tool, name: str) -> Replacement | None:
        """The change of a tool's name; None where the text spells it in another way."""
        start = self.offset(tool)
        if not self.source.text.startswith(tool.name, start):
            start += 1  # JSON's quote
            if not self.source.text.startswith(tool.name, start):
                return None
        return self.replaced(start, start + len(tool.name), name)


def _source(text: str) -> Source:
    """The text; an empty one where it can't be read at all, and so holds no tool."""
    try:
        return Source.of(text)
    except SignatureError:
        return Source.of("")


PLAIN = frozenset(("type", "description", "title", "x-in", "x-name"))
"""Keywords of a schema that says no more than a type."""


def _parts(tool: Tool) -> Iterator[Part]:
    for parameter in tool.arguments:
        yield from _inside(tool, parameter.name, f"$.{parameter.name}", parameter.schema, parameter.required, 0)


def _inside(tool: Tool, name: str, path: str, schema: Any, required: bool, depth: int) -> Iterator[Part]:
    if not isinstance(schema, Mapping) or depth > 30:
        return
    yield Part(tool, name, path, schema, required)
    if schema.keys() <= PLAIN:
        return
    needed = schema.get("required") or ()
    for key, inner in (schema.get("properties") or {}).items():
        yield from _inside(tool, name, f"{path}.{key}", inner, required and key in needed, depth + 1)
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for index, inner in enumerate(schema.get(key) or ()):
            yield from _inside(tool, name, f"{path}.{key}[{index}]", inner, False, depth + 1)
    for key in ("items", "additionalProperties"):
        yield from _inside(tool, name, f"{path}.{key}", schema.get(key), False, depth + 1)
