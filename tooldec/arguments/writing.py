"""How values are written: what stands between items, how words and strings look, the order of properties, the depth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from tooldec.grammar import EMPTY, Grammar, Literal, SymbolClass, sequence


@dataclass(frozen=True, slots=True)
class Naming:
    """Names that stand without quotes: in a tag, as Python's keyword arguments, as Gemma's keys.

    names     what they may be, as a regular expression
    where     and where they stand, for people
    fix       what would work for one that can't stand there
    reserved  words that are no names
    """

    names: str
    where: str
    fix: str
    reserved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Notation:
    """How single values are written: JSON's `true` is Python's `True`, and Gemma's strings stand between tokens.

    true, false, null  the words, each in all ways that may be written
    plain              strings have no escapes but those that mean the same to JSON and to Python
    delimiter          what stands around a string that has no escapes at all; without it there are quotes
    keys               how the names in an object stand, if without quotes
    """

    true: tuple[bytes, ...] = (b"true",)
    false: tuple[bytes, ...] = (b"false",)
    null: tuple[bytes, ...] = (b"null",)
    plain: bool = False
    delimiter: str = ""
    keys: Naming | None = None


JSON = Notation()

PYTHON = Notation((b"True",), (b"False",), (b"None",), plain=True)
"""Python's literals; strings are in double quotes."""


@dataclass(frozen=True, slots=True, eq=False)
class Fashion:
    """How the members of an object are written: `{"key": value, …}`, or each value between tags of its own.

    opening, closing  what stands around all members
    before, after     what stands before a name, and between it and its value
    behind            what stands behind a value
    between           what stands between two members
    names             how names stand, if without quotes
    tags              strings that are members stand bare, too, without quotes and escapes
    kinds             what stands before a string and before any other value, if that tells which of both it is
    barred            texts that no value may hold, for they would end it
    follows           the byte with which `behind` begins
    """

    opening: Grammar
    before: Grammar
    after: Grammar
    behind: Grammar
    between: Grammar
    closing: Grammar
    names: Naming | None = None
    tags: bool = False
    barred: tuple[bytes, ...] = ()
    follows: bytes = b""
    kinds: tuple[Grammar, Grammar] | None = None


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Writing:
    """How values are written.

    comma         what stands between items and between members
    colon         what follows a key
    pad           what may stand behind an opening bracket and before a closing one
    plus          numbers may begin with +
    open_objects  objects with `properties` and no `additionalProperties` may have others
    any_order     properties may come in any order, not only in the schema's
    texts         strings must be spans of these (see `spans`); None lets them be any
    depth         how many references that lead back to themselves may be followed; what is deeper is left out
    relax         what can't be enforced is left unchecked, with a warning, instead of being refused
    outer         how the object of all arguments is written, if not as those inside of its values
    notation      how words and strings are written
    by_name       properties come in the order of their names, not in the schema's
    """

    comma: Grammar
    colon: Grammar
    plus: bool = False
    open_objects: bool = False
    texts: tuple[str, ...] | None = None
    any_order: bool = False
    depth: int = 6
    relax: bool = False
    pad: Grammar = EMPTY
    outer: Fashion | None = None
    notation: Notation = JSON
    by_name: bool = False

    @property
    def braces(self) -> Fashion:
        """Objects inside of values."""
        return _braces(self)

    @property
    def barred(self) -> tuple[bytes, ...]:
        """Texts that no value may hold."""
        return self.outer.barred if self.outer else ()

    def ordered(self, names: Iterable[str]) -> list[str]:
        """Names of properties as they follow each other."""
        return sorted(names, key=str.lower) if self.by_name else list(names)


@lru_cache(maxsize=64)
def _braces(writing: Writing) -> Fashion:
    """Made once for each way of writing: it is asked for each tool."""
    opening, closing = sequence(b"{", writing.pad), sequence(writing.pad, b"}")
    return Fashion(opening, EMPTY, writing.colon, EMPTY, writing.comma, closing, writing.notation.keys)


POSITIONAL = Writing(sequence(b",", Literal(b" ").optional()), sequence(b":", Literal(b" ").optional()), plus=True)
"""Inside of `name(1, "x")`: at most one space after a separator."""

DUMPS = Writing(Literal(b", "), Literal(b": "))
"""As json.dumps writes."""

COMPACT = Writing(Literal(b","), Literal(b":"))
"""Without any space."""


def spaced(most: int) -> Writing:
    """Up to `most` spaces, tabs and line ends wherever JSON lets them stand inside of a value."""
    space = SymbolClass.of(b" \t\n\r").repeat(0, most)
    return Writing(sequence(space, b",", space), sequence(space, b":", space), pad=space)
