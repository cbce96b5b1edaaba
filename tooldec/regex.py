"""A regular expression as a grammar over UTF-8, never executed: what may follow each part, from the last to the first.

JSON Schema's patterns are ECMA-262's; `expressions` reads them. A look ahead is an intersection of all that follows it
with what it looks for, or the difference: `rest` is known, for a tree is gone through from its end.

    ^(a|(?!x)b)c$     rest of (a|(?!x)b):  c    of b:  c    of (?!x):  bc    ->    a c  |  (bc  minus  x…)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from tooldec.codepoints import ANY, LAST, Ranges, complement
from tooldec.expressions import Ahead, Edge, Either, One, Row, Term, Times, not_followed, tree_of, unreadable
from tooldec.grammar import EMPTY, NOTHING, Choice, Grammar, Repeat, Sequence, Submachine, sequence
from tooldec.utf8 import characters

__all__ = ["ANY", "LAST", "Ranges", "complement", "from_regex", "searched"]

Character = Callable[[Ranges], Grammar]
"""Turns a set of code points into the way one of them is written, such as JSON's escapes."""

Held = Callable[[Grammar, Grammar, bool], Grammar]
"""The texts of a grammar that are, or (False) aren't, texts of another."""


def searched(pattern: str, character: Character, held: Held, wide: bool = False) -> Grammar:
    """The texts that contain a match of a pattern, as JSON Schema's do.

    Where languages differ, the texts are those that match in all of them; with `wide`, those that match in any.
    Raises SchemaError for a pattern that cannot be read or isn't regular.
    """
    return _found(pattern, character, held, wide, search=True)


def from_regex(
    pattern: str,
    character: Character = lambda ranges: characters(*ranges),
    search: bool = False,
) -> Grammar:
    """The texts that match a pattern as a whole, or with `search` contain a match; it doesn't look around.

    >>> print(from_regex("a|[0-9]"))
    SymbolClass([0-9a])
    """

    def held(term: Grammar, condition: Grammar, wanted: bool) -> Grammar:
        raise not_followed(pattern, "a look-around")

    return _found(pattern, character, held, False, search)


def _found(pattern: str, character: Character, held: Held, wide: bool, search: bool) -> Grammar:
    maker = _Maker(pattern, character, held, wide)
    end = maker.anything if search else EMPTY
    try:
        found = maker.before(tree_of(pattern), _Rest(end, end))
    except RecursionError:
        raise unreadable(pattern, "it nests too deep") from None
    if not search:
        return found.first
    if found.first is found.later:
        return _joined(maker.anything, found.first)
    return _any_of([found.first, _joined(sequence(character(ANY), maker.anything), found.later)])


@dataclass(frozen=True, slots=True)
class _Rest:
    """What may follow, up to the end of the text: where nothing has been read yet, and later."""

    first: Grammar
    later: Grammar

    def changed(self, change: Callable[[Grammar], Grammar]) -> _Rest:
        first = change(self.first)
        return _Rest(first, first if self.later is self.first else change(self.later))


class _Maker:
    def __init__(self, pattern: str, character: Character, held: Held, wide: bool) -> None:
        self.pattern, self.character, self.held, self.wide = pattern, character, held, wide
        self.anything: Grammar = character(ANY).repeat()

    def before(self, term: Term, rest: _Rest) -> _Rest:
        """A term, and then the rest."""
        if _is_plain(term):
            return self.plain_before(self.plain(term), rest)
        if isinstance(term, Row):
            for plain, run in reversed([(plain, tuple(run)) for plain, run in groupby(term.parts, _is_plain)]):
                for part in (Row(run),) if plain else reversed(run):
                    rest = self.before(part, rest)
            return rest
        if isinstance(term, Either):
            found = [self.before(option, rest) for option in term.options]
            first = _any_of([one.first for one in found])
            alike = all(one.first is one.later for one in found)
            return _Rest(first, first if alike else _any_of([one.later for one in found]))
        if isinstance(term, Edge):
            return _Rest(rest.first, NOTHING) if term.begins else rest.changed(self.ended)
        if isinstance(term, Ahead):
            return self.looked(term, rest)
        assert isinstance(term, Times)
        if (term.low, term.high) not in ((0, 1), (1, 1)):
            raise not_followed(self.pattern, "an anchor or a look-around that is repeated")
        return self.before(term.body if term.low else Either((term.body, Row(()))), rest)

    def plain_before(self, term: Grammar, rest: _Rest) -> _Rest:
        if rest.first is not rest.later and _may_be_empty(term):
            raise not_followed(self.pattern, "an anchor behind what may be empty")
        return _Rest(rest.later, rest.later).changed(lambda later: _joined(term, later))

    def ended(self, rest: Grammar) -> Grammar:
        """The rest where it is empty; to some readers `$` also stands before a last line end."""
        if rest is NOTHING:
            return NOTHING
        end = EMPTY if _may_be_empty(rest) else NOTHING
        return _any_of([end, self.character(((0x0A, 0x0A),))]) if self.wide else end

    def looked(self, ahead: Ahead, rest: _Rest) -> _Rest:
        """The rest, as far as it begins with what is looked for (or, where that isn't wanted, doesn't)."""
        maker = _Maker(self.pattern, self.character, self.held, self.wide == ahead.wanted)
        wanted = maker.before(ahead.body, _Rest(maker.anything, maker.anything))

        def held(term: Grammar, condition: Grammar) -> Grammar:
            if term is NOTHING or condition is NOTHING:
                return NOTHING if ahead.wanted else term
            return self.held(term, condition, ahead.wanted)

        first = held(rest.first, wanted.first)
        alike = rest.first is rest.later and wanted.first is wanted.later
        return _Rest(first, first if alike else held(rest.later, wanted.later))

    def plain(self, term: Term) -> Grammar:
        """A term without anchors and looks around."""
        if isinstance(term, One):
            return self.character(term.kind.around if self.wide else term.kind.within)
        if isinstance(term, Times):
            return self.plain(term.body).repeat(term.low, term.high)
        if isinstance(term, Either):
            return Choice(tuple(map(self.plain, term.options)))
        assert isinstance(term, Row)
        return self.plain(term.parts[0]) if len(term.parts) == 1 else Sequence(tuple(map(self.plain, term.parts)))


def _is_plain(term: Term) -> bool:
    """Whether a term has no anchors and doesn't look around."""
    if isinstance(term, Row | Either):
        return all(map(_is_plain, term.parts if isinstance(term, Row) else term.options))
    return isinstance(term, One) or (isinstance(term, Times) and _is_plain(term.body))


def _may_be_empty(term: Grammar) -> bool:
    """Whether a grammar has the empty text."""
    if isinstance(term, Sequence):
        return all(map(_may_be_empty, term.parts))
    if isinstance(term, Choice):
        return any(map(_may_be_empty, term.options))
    if isinstance(term, Submachine):  # what `held` gave
        return term.ready is not None and term.ready.accepting[0]
    return isinstance(term, Repeat) and (term.low == 0 or _may_be_empty(term.body))


def _joined(term: Grammar, rest: Grammar) -> Grammar:
    return NOTHING if rest is NOTHING else sequence(term, rest)


def _any_of(terms: list[Grammar]) -> Grammar:
    left = list(dict.fromkeys(term for term in terms if term is not NOTHING))
    return left[0] if len(left) == 1 else Choice(tuple(left)) if left else NOTHING
