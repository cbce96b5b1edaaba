"""What cells and frames read, as numbers without their labels: equal shapes share their masks (see `parts`)."""

from __future__ import annotations

from collections.abc import Callable

from tooldec.grammar import (
    Choice,
    Counted,
    Forever,
    Grammar,
    Labelled,
    Literal,
    Noted,
    Repeat,
    Sequence,
    Special,
    Submachine,
    SymbolClass,
    Until,
    inside,
)
from tooldec.states.counting import Tally
from tooldec.states.memory import Mark, Unique


class Shapes:
    """Numbers for keys, equal keys having equal numbers."""

    def __init__(self, tally_of: Callable[[Counted], Tally]) -> None:
        self._tally_of = tally_of
        self._numbers: dict[object, int] = {}
        self._terms: dict[int, tuple[Grammar, int]] = {}

    def of(self, key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def of_term(self, term: Grammar) -> int:
        """Terms with equal shapes read the same. Those inside come first: a term may nest deeper than Python recurs."""
        waiting = [term]
        while id(term) not in self._terms:
            at = waiting[-1]
            inner = [part for part in inside(at) if id(part) not in self._terms]
            waiting += inner
            if not inner:
                self._terms[id(at)] = (waiting.pop(), self.of(self._key(at)))
        return self._terms[id(term)][1]

    def _key(self, term: Grammar) -> object:
        """Terms with equal keys read the same, whatever their labels."""
        if isinstance(term, Labelled | Noted):
            return self._key(term.body)
        if isinstance(term, Mark):
            return Mark
        if isinstance(term, Unique):
            return (Unique, self.of_term(term.body))
        if isinstance(term, Counted):
            return ("counted", id(self._tally_of(term)))
        if isinstance(term, Literal):
            return term.text
        if isinstance(term, SymbolClass):
            return term.symbols
        if isinstance(term, Sequence | Choice | Forever):
            return (type(term), *map(self.of_term, inside(term)))
        if isinstance(term, Repeat):
            return ("repeat", self.of_term(term.body), term.low, term.high)
        if isinstance(term, Submachine):
            return ("submachine", id(term.ready or term))
        if isinstance(term, Special):
            return ("special", term.name)
        if isinstance(term, Until):
            return ("until", term.marker, term.barred, term.ends)
        return ("term", id(term))
