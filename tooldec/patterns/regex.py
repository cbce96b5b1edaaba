r"""A regular expression as a grammar over UTF-8, never executed: what may follow each part, from the last to the first.

JSON Schema's patterns are ECMA-262's; `expressions` reads them. A look ahead is an intersection of all that follows it
with what it looks for, or the difference: `rest` is known, for a tree is gone through from its end.

    ^(a|(?!x)b)c$     rest of (a|(?!x)b):  c    of b:  c    of (?!x):  bc    ->    a c  |  (bc  minus  x…)

A look behind asks for the character before. So a rest is known by what that may be, in classes that all looks behind
of the pattern have as a whole or not at all (`_Rest.later`), and what comes before it is parted by its last character.

    [-\w]+(?<!-)x     rest of [-\w]+:  behind a dash nothing, behind \w x    ->    ([-\w]+  that ends with \w)  x
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby

from tooldec.grammar import EMPTY, NOTHING, Choice, Grammar, Repeat, Sequence, Submachine, sequence
from tooldec.patterns.codepoints import ANY, LAST, Ranges, complement, shared
from tooldec.patterns.expressions import not_followed, tree_of, unreadable
from tooldec.patterns.rewriting import confined, told_apart, trimmed
from tooldec.patterns.trees import Ahead, Begun, Behind, Edge, Either, One, Row, Term, Times, is_plain, lengths
from tooldec.patterns.utf8 import characters

__all__ = ["ANY", "LAST", "Ranges", "complement", "from_regex", "searched"]

MOST_TIMES = 32
"""So often at most what looks around is repeated."""

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
    tree = trimmed(tree_of(pattern)) if search else tree_of(pattern)
    maker = _Maker(pattern, character, held, wide, told_apart(tree))
    end = maker.anything if search else EMPTY
    try:
        found = maker.before(tree, maker.rest(end))
    except RecursionError:
        raise unreadable(pattern, "it nests too deep") from None
    if not search:
        return found.first
    if found.alike:
        if found.first is found.later[0]:
            return _joined(maker.anything, found.first)
        return _any_of([found.first, _joined(maker.some, found.later[0])])
    return _any_of([found.first, *map(_joined, maker.endings, found.later)])


@dataclass(frozen=True, slots=True)
class _Rest:
    """What may follow, up to the end of the text.

    first   where nothing has been read yet
    later   else, by the class of the character before
    """

    first: Grammar
    later: tuple[Grammar, ...]

    @property
    def alike(self) -> bool:
        """Whether the character before doesn't matter."""
        return all(one is self.later[0] for one in self.later)


def _combined(rests: list[_Rest], join: Callable[[list[Grammar]], Grammar]) -> _Rest:
    """What is made of several rests, place by place; what is made of the same terms is the same."""
    made: dict[tuple[int, ...], Grammar] = {}

    def once(terms: list[Grammar]) -> Grammar:
        key = tuple(map(id, terms))
        if key not in made:
            made[key] = join(terms)
        return made[key]

    later = zip(*(rest.later for rest in rests), strict=True)
    return _Rest(once([rest.first for rest in rests]), tuple(once(list(terms)) for terms in later))


class _Maker:
    """classes: the characters, as far as looks behind tell them apart"""

    def __init__(self, pattern: str, character: Character, held: Held, wide: bool, classes: tuple[Ranges, ...]) -> None:
        self.pattern, self.character, self.held, self.wide, self.classes = pattern, character, held, wide, classes
        self.anything: Grammar = character(ANY).repeat()
        self.some = sequence(character(ANY), self.anything)
        self.endings = [sequence(self.anything, character(read)) for read in classes]  # texts by their last character

    def rest(self, term: Grammar) -> _Rest:
        """The same whatever was read."""
        return _Rest(term, (term,) * len(self.classes))

    def inner(self, wanted: bool) -> _Maker:
        """The maker of what a text must be held against: where that isn't wanted, as wide as this one isn't."""
        return _Maker(self.pattern, self.character, self.held, self.wide == wanted, self.classes)

    def before(self, term: Term, rest: _Rest) -> _Rest:
        """A term, and then the rest."""
        if is_plain(term):
            return self.plain_before(self.plain(term), rest)
        if isinstance(term, Row):
            for plain, run in reversed([(plain, tuple(run)) for plain, run in groupby(term.parts, is_plain)]):
                for part in (Row(run),) if plain else reversed(run):
                    rest = self.before(part, rest)
            return rest
        if isinstance(term, Either):
            return _combined([self.before(option, rest) for option in term.options], _any_of)
        if isinstance(term, Edge):
            nothing = (NOTHING,) * len(self.classes)
            return _Rest(rest.first, nothing) if term.begins else _combined([rest], self.ended)
        if isinstance(term, Ahead):
            return self.looked(term, rest)
        if isinstance(term, Behind):
            return self.looked_back(term, rest)
        assert isinstance(term, Times)
        return self.repeated(term, rest)

    def plain_before(self, term: Grammar, rest: _Rest) -> _Rest:
        """A term that doesn't look around, and then the rest: that of its last character, or of none if it's empty."""
        if rest.alike:
            after = _joined(term, rest.later[0])
            if rest.first is rest.later[0] or not _may_be_empty(term):
                return self.rest(after)
            some = _joined(self.held(term, self.some, True), rest.later[0])
            return replace(self.rest(after), first=_any_of([some, rest.first]))
        ways = [
            NOTHING if after is NOTHING else _joined(self.held(term, end, True), after)
            for end, after in zip(self.endings, rest.later, strict=True)
        ]
        found = _any_of(ways)
        return _combined([rest], lambda one: _any_of([found, *one])) if _may_be_empty(term) else self.rest(found)

    def repeated(self, term: Times, rest: _Rest) -> _Rest:
        """What is repeated, though it has anchors or looks around."""
        body, low, high = confined(term.body), term.low, term.high
        if is_plain(body):
            return self.plain_before(self.plain(Times(body, low, high)), rest)
        if lengths(body) == (0, 0):
            return self.before(body, rest) if low else rest
        if high is not None and high <= MOST_TIMES:
            for time in range(high):
                rest = self.before(body if time < low else Either((body, Row(()))), rest)
            return rest
        match body:  # up to the end of the text, something begins nowhere
            case Row((Ahead(looked, False), One() as one)) if is_plain(looked) and rest == self.rest(EMPTY):
                begins = sequence(self.anything, self.inner(False).plain(looked), self.anything)
                return self.plain_before(self.held(self.plain(Times(one, low, high)), begins, False), rest)
        raise not_followed(self.pattern, "an anchor or a look-around that is repeated")

    def ended(self, rest: list[Grammar]) -> Grammar:
        """The rest where it is empty; to some readers `$` also stands before a last line end."""
        if rest[0] is NOTHING:
            return NOTHING
        end = EMPTY if _may_be_empty(rest[0]) else NOTHING
        return _any_of([end, self.character(((0x0A, 0x0A),))]) if self.wide else end

    def looked(self, ahead: Ahead, rest: _Rest) -> _Rest:
        """The rest, as far as it begins with what is looked for (or, where that isn't wanted, doesn't)."""
        wanted = self.inner(ahead.wanted).before(ahead.body, self.rest(self.anything))

        def held(both: list[Grammar]) -> Grammar:
            term, condition = both
            if term is NOTHING or condition is NOTHING:
                return NOTHING if ahead.wanted else term
            return self.held(term, condition, ahead.wanted)

        return _combined([rest, wanted], held)

    def looked_back(self, behind: Behind, rest: _Rest) -> _Rest:
        """The rest where the character before is one that is looked for (or isn't)."""
        kind = behind.kind if behind.wanted else behind.kind.opposite
        fits = [shared(read, kind.around if self.wide else kind.within) == read for read in self.classes]
        later = tuple(after if fit else NOTHING for after, fit in zip(rest.later, fits, strict=True))
        return _Rest(NOTHING if behind.wanted else rest.first, later)

    def plain(self, term: Term) -> Grammar:
        """A term that doesn't depend on what stands around it."""
        if isinstance(term, One):
            return self.character(term.kind.around if self.wide else term.kind.within)
        if isinstance(term, Times):
            return self.plain(term.body).repeat(term.low, term.high)
        if isinstance(term, Either):
            return Choice(tuple(map(self.plain, term.options)))
        if isinstance(term, Begun):
            begins = sequence(self.inner(term.wanted).plain(term.start), self.anything)
            return self.held(self.plain(term.body), begins, term.wanted)
        assert isinstance(term, Row)
        return self.plain(term.parts[0]) if len(term.parts) == 1 else Sequence(tuple(map(self.plain, term.parts)))


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
