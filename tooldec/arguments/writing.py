"""How JSON is written: what stands between items, how numbers begin, the order of properties, how deep it nests."""

from __future__ import annotations

from dataclasses import dataclass

from tooldec.grammar import EMPTY, Grammar, Literal, SymbolClass, sequence


@dataclass(frozen=True, slots=True, eq=False)
class Fashion:
    """How the members of an object are written: `{"key": value, …}`, or each value between tags of its own.

    opening, closing  what stands around all members
    before, after     what stands before a name, and between it and its value
    behind            what stands behind a value
    between           what stands between two members
    tags              names and strings stand bare, without quotes and escapes
    kinds             what stands before a string and before any other value, if that tells which of both it is
    barred            texts that no value may hold then, for they would end it
    follows           the byte with which `behind` begins
    """

    opening: Grammar
    before: Grammar
    after: Grammar
    behind: Grammar
    between: Grammar
    closing: Grammar
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
    outer         how the object of all arguments is written, if not as JSON; what is inside of its values is JSON
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

    @property
    def braces(self) -> Fashion:
        """JSON's objects."""
        opening, closing = sequence(b"{", self.pad), sequence(self.pad, b"}")
        return Fashion(opening, EMPTY, self.colon, EMPTY, self.comma, closing)


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
