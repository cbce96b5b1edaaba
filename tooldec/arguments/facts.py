"""What a schema says about its values, with every choice already made: one case of it, as plain data.

A schema with alternatives (`anyOf`, `if`, a list of types, …) is a list of such cases, see `cases`; two cases are
merged into what both say, and what is left of `{"type": "integer", "minimum": 3}` and `{"maximum": 2}` is None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from typing import Any

from tooldec.states.memory import canonical

KINDS = frozenset({"null", "boolean", "integer", "fraction", "string", "array", "object"})
"""JSON Schema's types; `number` is `integer` and `fraction`, numbers that aren't whole."""

UNREACHED = 10**9
"""Nobody writes so many characters, items or members: a maximum from here on says nothing, no value keeps a minimum."""

Bound = tuple[Decimal, bool]
"""A number, and whether it is itself left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A schema where it stands; equal to another of the same schema: to Python, `{"const": 1}` is `{"const": true}`.

    wanted  False for the schema's opposite
    depth   how many references that lead back to themselves have been followed to get here
    whole   what is deeper than `Writing.depth` may be any value, where else it has none: these cases are held against
            others, and aren't written
    scope   the resources that were come through, where dynamic references ask for them
    """

    schema: Any
    path: str
    wanted: bool = True
    depth: int = 0
    whole: bool = False
    scope: tuple[str, ...] = ()

    def at(self, schema: Any, step: str, wanted: bool | None = None) -> Spot:
        """A schema inside of this one."""
        wanted = self.wanted if wanted is None else wanted
        return Spot(schema, self.path + step, wanted, self.depth, self.whole, self.scope)

    @property
    def impossible(self) -> bool:
        """Whether it is plain that there is no value."""
        return isinstance(self.schema, bool) and self.schema is not self.wanted

    @property
    def key(self) -> tuple[int, bool, int, bool, tuple[str, ...]]:
        return (id(self.schema), self.wanted, self.depth, self.whole, self.scope)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spot) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class Items:
    """`prefixItems` and `items`: the first items, and all others (None: as they like).

    annotates   `unevaluatedItems` knows of it: it isn't from inside of a `not`
    """

    first: tuple[Spot, ...]
    others: Spot | None
    annotates: bool = True


@dataclass(frozen=True, slots=True)
class Contains:
    """At least `low` and at most `high` items are of a schema."""

    spot: Spot
    low: int
    high: int | None
    annotates: bool = True


@dataclass(frozen=True, slots=True)
class Members:
    """`properties`, `patternProperties` and `additionalProperties` of one schema.

    others    what all other members are (None: as they like)
    declares  the schema lists the properties that it expects
    explicit  it says what others may be there
    annotates `unevaluatedProperties` knows of it: it isn't from inside of a `not`
    """

    named: Mapping[str, Spot]
    patterns: tuple[tuple[str, Spot], ...] = ()
    others: Spot | None = None
    declares: bool = False
    explicit: bool = False
    annotates: bool = True

    def bars(self, name: str) -> bool:
        """Whether it is plain that there can't be such a member."""
        found = self.named.get(name, None if self.patterns else self.others)
        return found is not None and found.impossible


@dataclass(frozen=True, slots=True)
class Some:
    """A member whose value is what `members` say of its name, and whose name is of every schema of `names`."""

    members: Members
    names: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """One case of a schema. What is said about a kind matters only where the value is of that kind.

    some     of each of these, an object has some member
    """

    kinds: frozenset[str] = KINDS
    constants: tuple[Any, ...] | None = None
    excluded: tuple[Any, ...] = ()
    low: Bound | None = None
    high: Bound | None = None
    multiples: tuple[tuple[Decimal, bool, bool], ...] = ()  # of what, wanted, a binary fraction
    min_length: int = 0
    max_length: int | None = None
    patterns: tuple[tuple[str, bool], ...] = ()
    formats: tuple[tuple[str, bool], ...] = ()
    items: tuple[Items, ...] = ()
    contains: tuple[Contains, ...] = ()
    min_items: int = 0
    max_items: int | None = None
    unique: bool = False
    members: tuple[Members, ...] = ()
    required: tuple[str, ...] = ()
    some: tuple[Some, ...] = ()
    names: tuple[Spot, ...] = ()
    min_members: int = 0
    max_members: int | None = None
    path: str = field(default="$", compare=False)

    def said(self, *names: str) -> bool:
        """Whether anything is said by one of these fields."""
        return any(getattr(self, name) != getattr(ANY, name) for name in names)


ANY = Facts()
"""Any value."""

BY_KIND: Mapping[str, tuple[str, ...]] = {
    "string": ("min_length", "max_length", "patterns", "formats"),
    "number": ("low", "high", "multiples"),
    "array": ("items", "contains", "min_items", "max_items", "unique"),
    "object": ("members", "required", "some", "names", "min_members", "max_members"),
}
"""The fields that speak of a kind."""

_FIELDS = tuple(f.name for f in fields(Facts) if f.name not in ("kinds", "constants", "path"))
_LARGER = {"min_length", "min_items", "min_members"}
_SMALLER = {"max_length", "max_items", "max_members"}


def merge(one: Facts, other: Facts) -> Facts | None:
    """What both say, or None where no value is left."""
    if other is ANY:
        return one
    if one is ANY:
        return other
    said: dict[str, Any] = {"kinds": one.kinds & other.kinds}
    if one.constants is None or other.constants is None:
        said["constants"] = other.constants if one.constants is None else one.constants
    else:
        known = {canonical(value) for value in other.constants}
        said["constants"] = tuple(value for value in one.constants if canonical(value) in known)
    for name in _FIELDS:
        mine, theirs = getattr(one, name), getattr(other, name)
        if name == "excluded":  # 1 isn't true, though Python says that they are equal
            said[name] = tuple({canonical(value): value for value in (*mine, *theirs)}.values())
        elif mine == theirs:
            continue
        elif name in _LARGER:
            said[name] = max(mine, theirs)
        elif name == "unique":
            said[name] = True
        elif name in ("low", "high") or name in _SMALLER:
            said[name] = tighter(name, mine, theirs)
        else:
            said[name] = (*mine, *(new for new in theirs if new not in mine))
    return pruned(replace(one, **said))


def tighter(name: str, mine: Any, theirs: Any) -> Any:
    """The tighter of two values of a field: `low`, `high`, or a greatest number; None says nothing."""
    if mine is None or theirs is None:
        return theirs if mine is None else mine
    if name == "low":  # of equal bounds the one that is left out itself is the tighter
        return max(mine, theirs, key=lambda bound: (bound[0], bound[1]))
    if name == "high":
        return min(mine, theirs, key=lambda bound: (bound[0], not bound[1]))
    return min(mine, theirs)


def pruned(facts: Facts) -> Facts | None:
    """Without the kinds and constants that can't be; None where nothing is left."""
    gone: set[str] = set()
    if facts.low and facts.high:
        (low, low_open), (high, high_open) = facts.low, facts.high
        if low > high or (low == high and (low_open or high_open)):
            gone |= {"integer", "fraction"}
    for kind, low_count, high_count in (
        ("string", facts.min_length, facts.max_length),
        ("array", max(facts.min_items, *(one.low for one in facts.contains), 0), facts.max_items),
        ("object", max(facts.min_members, len(facts.required)), facts.max_members),
    ):
        if low_count > (UNREACHED - 1 if high_count is None else high_count):
            gone.add(kind)
    for group in facts.members:
        if any(group.bars(name) for name in facts.required):
            gone.add("object")
    kinds = facts.kinds - gone
    constants = facts.constants
    if constants is not None:
        excluded = {canonical(value) for value in facts.excluded}
        constants = tuple(v for v in constants if kind_of(v) in kinds and canonical(v) not in excluded)
        kinds &= {kind_of(value) for value in constants}
    if not kinds:
        return None
    if kinds == facts.kinds and constants == facts.constants:
        return facts
    return replace(facts, kinds=kinds, constants=constants)


def kind_of(value: object) -> str:
    """The kind of a JSON value.

    >>> kind_of(True), kind_of(2.0), kind_of(2.5)
    ('boolean', 'integer', 'fraction')
    """
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "integer" if isinstance(value, int) or value.is_integer() else "fraction"
    known = {str: "string", list: "array", dict: "object", type(None): "null"}
    return known.get(type(value), "string")
