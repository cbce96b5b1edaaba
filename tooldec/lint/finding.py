"""What a check says, and what it looks at: Finding, Check, Inventory.

check(Inventory) → Hit(tool, "…", parameter=…) → Finding("W301", "warning", line, column, message, fix)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from tooldec.errors import SignatureError
from tooldec.lint.places import Places, Pointer, Replacement
from tooldec.signatures import format_of
from tooldec.signatures.source import Source
from tooldec.tools import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_ONES, Tool

if TYPE_CHECKING:
    from tooldec.models import Model

T = TypeVar("T")

Severity = Literal["error", "warning", "hint"]

SHOWN = 1_000
"""How many findings of one check are kept; the last one says how many more there are."""


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

    pointer     the way to what it speaks of in the schema of the tool's arguments
    at          line and column, where the check knows them better than tool, parameter and pointer do
    word        what is underlined, in place of the name of the parameter or the tool
    empty       no value satisfies the schema
    """

    message: str
    fix: str
    tool: Tool | None = None
    parameter: str | None = None
    pointer: Pointer = ()
    at: tuple[int, int] | None = None
    word: str = ""
    replacement: Replacement | None = None
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """One check: a stable code, what it is for, and a bad and a good example, which are its tests.

    needs_model     it asks about a model's tokens
    refuses         the tools that it finds aren't in the machine
    """

    code: str
    severity: Severity
    title: str
    why: str
    bad: str
    good: str
    find: Callable[[Inventory], Iterable[Hit]]
    needs_model: bool = False
    refuses: bool = False

    def more(self, number: int) -> str:
        """What stands for the findings that aren't shown: "3,000 more of this kind: a tool without description"."""
        return f"{number:,} more of this kind: {self.title[:1].lower()}{self.title[1:]}"


@dataclass(frozen=True, slots=True)
class Part:
    """A schema inside of a tool's arguments.

    parameter   the argument it belongs to; None in a definition, or where it is asked of the arguments as a whole
    path        what people call it: `$.place.city`
    pointer     the way to it in the schema of the arguments: `("properties", "place", "properties", "city")`
    required    every call has a value of it
    aside       it is a condition or a definition, or inside of one: what it admits isn't yet what an argument may be
    """

    tool: Tool
    parameter: str | None
    path: str
    pointer: Pointer
    schema: Mapping[str, Any]
    required: bool = True
    aside: bool = False

    @property
    def option(self) -> bool:
        """Whether it is one of several schemas that a keyword joins."""
        return isinstance(self.pointer[-1], int) and self.pointer[-2] != "prefixItems"

    @property
    def name(self) -> str:
        """Its path as messages tell it."""
        return f"`{self.path[2:]}`" if self.pointer else "the arguments"

    def hit(self, message: str, fix: str, replacement: Replacement | None = None) -> Hit:
        """What a check found in it."""
        return Hit(message, fix, self.tool, self.parameter, self.pointer, replacement=replacement)


def tool_with(schema: str) -> str:
    """A list of one tool whose parameter `a` has a schema: what the examples of checks are made of."""
    return f'[{{"name": "f", "description": "F.", "parameters": {{"properties": {{"a": {schema}}}}}}}]'


class Inventory:
    """The text that is checked, its tools, and what could not be read of it.

    listed      the tools are listed in the prompt
    """

    def __init__(
        self,
        text: str,
        tools: tuple[Tool, ...],
        errors: tuple[SignatureError, ...],
        model: Model | None = None,
        format: str = "auto",
        listed: bool = True,
    ) -> None:
        self.tools, self.errors, self.model, self.listed = tools, errors, model, listed
        self.source = _source(text)
        self.format = (format_of(self.source.text) if format == "auto" else format) if tools else ""
        self._kept: dict[str, tuple[Any, ...]] = {}

    def kept(self, name: str, make: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        """What several checks ask for, made once."""
        if name not in self._kept:
            self._kept[name] = tuple(make())
        return self._kept[name]

    @cached_property
    def places(self) -> Places:
        """Where all of it stands in the text."""
        return Places(self.source, self.tools, self.format)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Every schema of every tool's arguments, each argument's among them."""
        return tuple(part for tool in self.tools for part in _parts(tool))

    @cached_property
    def constrained(self) -> tuple[Part, ...]:
        """Those that say more than a type and a description: few of thousands."""
        return tuple(part for part in self.parts if not part.schema.keys() <= PLAIN)

    @cached_property
    def _by_path(self) -> dict[tuple[str, str], Part]:
        return {(part.tool.name, part.path): part for part in self.parts}

    def part(self, tool: Tool, path: str) -> Part | None:
        """The schema that is called so: `$.place.city`."""
        return self._by_path.get((tool.name, path))

    def place(self, hit: Hit) -> tuple[int, int, int]:
        """Line, column and length of what a hit speaks of."""
        if hit.at is not None:
            return self._word(self.places.at(*hit.at), hit.word)
        if hit.tool is None:
            return 1, 1, 1
        key = self.places.key(hit.tool, hit.pointer)
        if key is not None:
            return *self.source.place(key), self.source.text.index('"', key) - key
        if hit.parameter is not None:
            at = self.places.parameter(hit.tool, hit.parameter)
            if at is not None:
                return *self.source.place(at), len(hit.parameter)
        return self._word(self.places.offset(hit.tool), hit.tool.name)

    def _word(self, at: int, word: str) -> tuple[int, int, int]:
        """Line, column and length of a word that was read at a place."""
        start = self.places.word(at, word) if word else None
        return *self.source.place(at if start is None else start), max(len(word), 1)


def _source(text: str) -> Source:
    """The text; an empty one where it can't be read at all, and so holds no tool."""
    try:
        return Source.of(text)
    except SignatureError:
        return Source.of("")


PLAIN = frozenset(("type", "description", "title", "x-in", "x-name"))
"""Keywords of a schema that says no more than a type."""

DEEPEST = 30
"""How deep in a schema checks look."""

_HOLDS = frozenset((*SCHEMA_MAPS, *SCHEMA_LISTS, *SCHEMA_ONES))
"""Keywords that hold schemas."""

ASIDE = frozenset((*SCHEMA_MAPS, *SCHEMA_ONES)) - {"properties", "patternProperties", "items", "additionalProperties"}
"""Keywords whose schemas say by themselves nothing of what an argument may be."""


def _parts(tool: Tool) -> Iterator[Part]:
    for parameter in tool.arguments:
        name, pointer = parameter.name, ("properties", parameter.name)
        yield from _inside(Part(tool, name, f"$.{name}", pointer, parameter.schema, parameter.required))
    whole = Part(tool, None, "$", (), tool.parameters, False)
    for key, inner in _keyed(whole):
        if key[0] != "properties" and isinstance(inner, Mapping):
            yield from _inside(_part(whole, key, inner, False))


def _inside(part: Part, depth: int = 0) -> Iterator[Part]:
    """A schema and all schemas in it; references aren't followed, for what they lead to is told where it stands."""
    yield part
    needed = part.schema.get("required") or ()
    if depth < DEEPEST:
        for key, inner in _keyed(part):
            if isinstance(inner, Mapping):
                asked = part.required and key[0] == "properties" and key[1] in needed
                yield from _inside(_part(part, key, inner, asked), depth + 1)


def _part(outer: Part, key: Pointer, schema: Mapping[str, Any], required: bool) -> Part:
    *words, last = key
    step = f"[{last}]" if isinstance(last, int) else f".{last}"
    step = step if words == ["properties"] else f".{words[0]}{step}" if words else step
    pointer, aside = outer.pointer + key, outer.aside or key[0] in ASIDE
    return Part(outer.tool, outer.parameter, f"{outer.path}{step}", pointer, schema, required, aside)


def _keyed(part: Part) -> Iterator[tuple[Pointer, Any]]:
    """The schemas right inside of one, each with its key, or its two."""
    if _HOLDS.isdisjoint(part.schema):
        return
    for key in SCHEMA_MAPS:
        inner = part.schema.get(key)
        for name, one in inner.items() if isinstance(inner, Mapping) else ():
            yield (key, name), one
    for key in SCHEMA_LISTS:
        inner = part.schema.get(key)
        for place, one in enumerate(inner if isinstance(inner, list) else ()):
            yield (key, place), one
    for key in SCHEMA_ONES:
        yield (key,), part.schema.get(key)
