"""How JSON is written: what stands between items, how numbers begin, the order of properties, how deep it nests."""

from __future__ import annotations

from dataclasses import dataclass

from tooldec.grammar import EMPTY, Grammar, Literal, SymbolClass, sequence


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
