"""What a grammar's parts mention: special tokens and markers, and notes on what is left unchecked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tooldec.grammar import Grammar, Names, Noted, Special, Until, inside


@dataclass(frozen=True, slots=True, eq=False)
class Spelled(Noted):
    """`body`, which spells names that no vocabulary of it may have as special tokens."""

    names: frozenset[str] = frozenset()


def unspelled(term: Grammar) -> frozenset[str]:
    """The names that a grammar spells, and that have to be no special tokens."""
    return frozenset(name for at in terms(term) if isinstance(at, Spelled) for name in at.names)


def mentioned(term: Grammar) -> frozenset[str]:
    """The special tokens and markers that a grammar names, outside of the tails of `Names`."""
    found: set[str] = set()
    for at in terms(term):
        if isinstance(at, Special):
            found.add(at.name)
        elif isinstance(at, Until):
            found.update((at.marker, *at.barred))
    return frozenset(found)


def notes(term: Grammar) -> tuple[str, ...]:
    """What the parts of a grammar leave unchecked, those that follow names among them."""
    return tuple(dict.fromkeys(n for at in terms(term, tails=True) if isinstance(at, Noted) for n in at.notes))


def terms(term: Grammar, tails: bool = False) -> Iterator[Grammar]:
    """A term and all that are inside of it, each once, for terms are shared; with `tails` those that follow names."""
    stack, seen = [term], set[int]()
    kept: list[Grammar] = []  # so that no id is used twice
    while stack:
        at = stack.pop()
        if id(at) in seen:
            continue
        seen.add(id(at))
        kept.append(at)
        yield at
        stack += reversed(inside(at))
        if tails and isinstance(at, Names):
            stack += [at.tail(index) for index in range(len(at.words) - 1, -1, -1)]
