"""Regular expressions as trees of terms, and what can be told of a term by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tooldec.patterns.codepoints import Kind


@dataclass(frozen=True, slots=True)
class One:
    """One character of a kind."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Row:
    """One after the other."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of several."""

    options: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """`low` to `high` times (None: without bound)."""

    body: Term
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Edge:
    """The beginning of the text, or its end."""

    begins: bool


@dataclass(frozen=True, slots=True)
class Ahead:
    """What follows begins with the body (`wanted`), or doesn't."""

    body: Term
    wanted: bool


@dataclass(frozen=True, slots=True)
class Behind:
    """The character before is of a kind (`wanted`), or isn't: then there may be none before."""

    kind: Kind
    wanted: bool


@dataclass(frozen=True, slots=True)
class Begun:
    """The texts of a body that begin with `start` (`wanted`), or don't; `start` is no longer than the body."""

    body: Term
    start: Term
    wanted: bool


Term = One | Row | Either | Times | Edge | Ahead | Behind | Begun


def is_plain(term: Term) -> bool:
    """Whether a term has no anchors and doesn't look around."""
    if isinstance(term, Row | Either):
        return all(map(is_plain, inside(term)))
    return isinstance(term, One | Begun) or (isinstance(term, Times) and is_plain(term.body))


def lengths(term: Term) -> tuple[int, int | None]:
    """How many characters a term has, at least and at most (None: without bound).

    >>> from tooldec.patterns.codepoints import DOT
    >>> lengths(Times(One(DOT), 2, None))
    (2, None)
    """
    if isinstance(term, One):
        return 1, 1
    if isinstance(term, Begun):
        return lengths(term.body)
    if isinstance(term, Times):
        least, most = lengths(term.body)
        if most == 0 or term.high == 0:
            return 0, 0
        return term.low * least, None if most is None or term.high is None else term.high * most
    if not isinstance(term, Row | Either):
        return 0, 0
    found = [lengths(one) for one in inside(term)]
    lows, highs = [low for low, _ in found], [high for _, high in found if high is not None]
    low, high = (sum(lows), sum(highs)) if isinstance(term, Row) else (min(lows), max(highs, default=0))
    return low, high if len(highs) == len(found) else None


def parts(term: Term) -> Iterator[Term]:
    """A term and all those inside of it."""
    yield term
    for inner in inside(term):
        yield from parts(inner)


def inside(term: Term) -> tuple[Term, ...]:
    """The terms that a term is made of."""
    if isinstance(term, Row):
        return term.parts
    if isinstance(term, Either):
        return term.options
    if isinstance(term, Begun):
        return term.body, term.start
    return (term.body,) if isinstance(term, Times | Ahead) else ()
