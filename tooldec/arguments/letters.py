"""A pattern's letters: the kinds of characters that it tells apart, and how JSON writes one of each.

In bytes a character takes some fifteen states: it has up to four of them, or is escaped. A pattern that counts to 200
would need 3,000, and a look at each for every way to read on. So patterns become automata over letters, where a
character is one step; there they are joined, cut and negated, and what is left is written out in bytes at once.

    ^[^@]{1,64}@[^@]{1,255}$    letters: @, the others    321 states; 4,800 in bytes
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tooldec.arguments.literals import json_character
from tooldec.automaton import alike, explored
from tooldec.grammar import NOTHING, Grammar, Submachine, SymbolClass, choice, sequence
from tooldec.minimizing import DEAD
from tooldec.patterns.regex import ANY, LAST, Ranges, searched
from tooldec.submachine import KEPT, Table, difference, intersection

SURROGATES = (0xD800, 0xDFFF)
"""Code points that are no characters; UTF-8 doesn't write them."""

QUOTE = ord('"')

MOST_CELLS = 40_000
"""How large the automaton of a pattern may become before equal states are merged, in ways to read on."""

MOST_ENTRIES = 4_000_000
"""How large its table may become, in states times letters; and how often letters may belong to sets."""

MOST_ROWS = 80_000
"""So many states may be looked at where an automaton is written out; most of them are left."""


@dataclass(frozen=True, slots=True)
class Letters:
    """Sets of characters, no two with one in common, that a pattern doesn't divide further.

    classes   by a set that was divided: its letters, as a class whose symbols are their numbers

    >>> digits, hexadecimal = ((0x30, 0x39),), ((0x30, 0x39), (0x61, 0x66))
    >>> letters = Letters.of([digits, hexadecimal])
    >>> letters.kinds, sorted(letters.classes[hexadecimal].symbols)
    ((((48, 57),), ((97, 102),)), [0, 1])
    """

    kinds: tuple[Ranges, ...]
    classes: dict[Ranges, SymbolClass] = field(repr=False)

    @classmethod
    def of(cls, sets: Iterable[Ranges]) -> Letters:
        """The letters of some sets of code points."""
        sets = tuple(dict.fromkeys(sets))
        cuts = {0, LAST + 1, SURROGATES[0], SURROGATES[1] + 1}
        starts = sorted(cuts | {cut for one in sets for low, high in one for cut in (low, high + 1)})
        parts = [(start, after - 1) for start, after in pairwise(starts)]
        members: list[list[int]] = [[] for _ in parts]
        work = 0
        for number, one in enumerate(sets):
            for low, high in one:
                covered = range(bisect_right(starts, low) - 1, bisect_right(starts, high))
                work += len(covered)
                if work > MOST_ENTRIES:
                    raise OverflowError(f"more than {MOST_ENTRIES} members")
                for at in covered:
                    members[at].append(number)
        kinds: dict[frozenset[int], list[tuple[int, int]]] = {}
        for part, inside in zip(parts, map(frozenset, members), strict=True):
            if inside and part != SURROGATES:
                kinds.setdefault(inside, []).append(part)
        letters: list[set[int]] = [set() for _ in sets]
        for letter, inside in enumerate(kinds):
            for number in inside:
                letters[number].add(letter)
        classes = {one: SymbolClass(frozenset(read)) for one, read in zip(sets, letters, strict=True)}
        return cls(tuple(map(tuple, kinds.values())), classes)

    def table(self, term: Grammar) -> Table:
        """The smallest automaton of a grammar over letters: `array` has a column for each letter.

        Raises OverflowError where it would be too large.
        """
        if isinstance(term, Submachine) and term.ready is not None:
            return term.ready
        limit = min(MOST_CELLS, MOST_ENTRIES // len(self.kinds))
        return Table.smallest("PatternFSM", *explored(term, range(len(self.kinds)), limit))

    def written(self, table: Table) -> Table:
        """An automaton over letters as one over bytes: a JSON string whose characters it reads.

        Raises OverflowError where it would have too many states.
        """
        used = np.flatnonzero((table.array >= 0).any(axis=0))
        columns, column_of = _spelled(tuple(self.kinds[letter] for letter in used))
        many, size = len(table), len(columns)
        if many * size > MOST_ROWS:
            raise OverflowError(f"more than {MOST_ROWS} states")
        begins = np.concatenate([1 + size * np.arange(many), [DEAD]])  # where each state's next character begins
        closed = 1 + size * many
        rows = np.where(columns >= 0, begins[:many, None, None] + columns, DEAD)
        complete = columns >= size
        rows[:, complete] = begins[table.array[:, used]][:, columns[complete] - size]
        quotes = rows[:, :, column_of[QUOTE]].copy()
        quotes[:, 0] = np.where(table.accepting, closed, DEAD)
        body = np.dstack([rows, quotes]).reshape(many * size, -1)
        start, end = np.full((2, 1, body.shape[1]), DEAD)
        start[0, -1] = begins[0]
        column_of = np.where(np.arange(256) == QUOTE, body.shape[1] - 1, column_of)
        array = np.vstack([start, body, end]).astype(np.int32)
        return Table.smallest(table.name, array, [*[False] * closed, True], column_of)


@lru_cache(maxsize=KEPT)
def pattern_letters(pattern: str, wanted: bool = True) -> tuple[Letters, Table]:
    """The texts that contain a match, or (`wanted` is False) those that don't, over the pattern's letters.

    Raises SchemaError for a pattern that isn't followed, and OverflowError for one that is too large.
    """
    sets: list[Ranges] = [ANY]

    def note(ranges: Ranges) -> Grammar:
        sets.append(ranges)
        return SymbolClass(frozenset([0]))

    searched(pattern, note, lambda term, condition, holds: term, wide=not wanted)
    letters = Letters.of(sets)

    def held(term: Grammar, condition: Grammar, holds: bool) -> Grammar:
        join = intersection if holds else difference
        table = join("PatternFSM", letters.table(term), letters.table(condition))
        return Submachine(table.name, NOTHING, table)

    found = letters.table(searched(pattern, letters.classes.__getitem__, held, wide=not wanted))
    if not wanted:
        found = difference(found.name, letters.table(letters.classes[ANY].repeat()), found)
    return letters, found


@lru_cache(maxsize=KEPT)
def _spelled(kinds: tuple[Ranges, ...]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """How JSON writes a character: where inside of it each byte leads, shape (states, columns), and the bytes' columns.

    Where a character of kind k is complete, it is the number of states plus k.
    """
    marks = range(256, 256 + len(kinds))  # what no byte is, read behind a character: it tells of which kind that was
    options = [sequence(json_character(kind), SymbolClass.of(mark)) for kind, mark in zip(kinds, marks, strict=True)]
    term = choice(options)
    bytes_read, column_of = alike(term)
    array, accepting = explored(term, [*bytes_read, *marks])
    marked = array[:, len(bytes_read) :] >= 0
    inside = np.flatnonzero(~marked.any(axis=1) & ~np.array(accepting))
    number = np.full(len(array) + 1, DEAD, dtype=np.int32)  # the last one is that of DEAD
    number[inside] = np.arange(len(inside))
    complete, kind = np.nonzero(marked)
    number[complete] = len(inside) + kind
    return number[array[inside, : len(bytes_read)]], column_of
