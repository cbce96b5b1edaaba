"""Strings whose length has bounds: a submachine that is read while its characters are counted.

A bound of 10,000 would mean 10,000 copies of a submachine. Instead a state is a pair (state of the submachine,
characters so far), made when it is visited; and since a vocabulary's tokens are walked once for each state of the
submachine, with the number of characters that each adds, the mask of such a pair is one comparison.

    "ab|c"   maxLength 3    (inside, 2): `cd` adds two characters -> 4, blocked;  `c"` adds one and closes -> allowed
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tooldec.minimizing import DEAD
from tooldec.submachine import KEPT, Table, together
from tooldec.trie import Trie

if TYPE_CHECKING:
    from tooldec.states.cells import CountCell
    from tooldec.vocabulary import Vocabulary

FAR = 1024
"""Bounds further away than this many characters, more than any token has, look the same."""

MOST_ROWS, MOST_CELLS = 20_000, 2_000_000
"""How far a Tally looks ahead, in characters and in characters times states."""


@dataclass(frozen=True, slots=True, eq=False)
class Clock:
    """A submachine of quoted strings that knows where its characters begin.

    begins   by state and byte: a character begins with this step
    """

    table: Table
    begins: tuple[bytes, ...]


@lru_cache(maxsize=KEPT)
def clock(table: Table, characters: Table) -> Clock:
    """A submachine together with `characters`, all quoted strings; in its state 1 the next character begins.

    Where they are bare, without quotes, it begins in state 0. The pairs aren't merged, so that each knows where it is
    inside a character.
    """
    joined, pairs = together(table, characters)
    quoted = not characters.accepting[0]
    begins = []
    for state, (_, phase) in enumerate(pairs):
        row = joined.rows[state]
        begins.append(bytes(phase == quoted and to >= 0 and not (quoted and joined.accepting[to]) for to in row))
    return Clock(joined, tuple(begins))


class Tally:
    """A clock with bounds: where may the count still end up well?

    Raises OverflowError where, as in `^(a{400}b{400})*$`, too many lengths ahead differ from each other.
    """

    __slots__ = ("_from", "_sums", "clock", "high", "low", "settled")

    def __init__(self, clock: Clock, low: int, high: int | None) -> None:
        self.clock, self.low, self.high = clock, low, high
        table = clock.table
        size = len(table)
        unit = np.frombuffer(b"".join(clock.begins), dtype=np.uint8).reshape(size, 256).astype(bool)
        goes = table.array != DEAD
        stays, begins = (_Steps(table, goes & chosen) for chosen in (~unit, unit))
        # rows[k]: the states from which exactly k characters more lead to the end; without an upper bound, k or more
        row = stays.closure(np.array(table.accepting)) if high is not None else np.ones(size, dtype=np.bool_)
        rows = [row]
        most = min(MOST_ROWS, MOST_CELLS // size)
        for _ in range(low if high is None else high):
            row = stays.closure(begins.before(row))
            rows.append(row)
            if np.array_equal(rows[-1], rows[-2]):
                break
            if len(rows) > most:
                raise OverflowError(f"more than {most} lengths to tell apart")
        self.settled = len(rows) - 1  # from here on all rows are alike
        self._from = np.array(rows)
        self._sums = np.concatenate([np.zeros((1, size), dtype=np.int64), np.cumsum(self._from, axis=0)])

    def fits(self, at: int, count: int) -> bool:
        """Whether the end can be reached from a state, `count` characters having been read."""
        least = min(max(self.low - count, 0), self.settled)
        if self.high is None:
            return bool(self._from[least, at])
        most = min(self.high - count, self.settled)
        return most >= 0 and bool(self._sums[most + 1, at] > self._sums[least, at])

    def ends(self, at: int, count: int) -> bool:
        """Whether the string may be left in a state, `count` characters having been read."""
        high = count if self.high is None else self.high
        return self.clock.table.accepting[at] and self.low <= count <= high

    def all_fit(self, at: NDArray[np.int64], count: NDArray[np.int64]) -> NDArray[np.bool_]:
        """The same for many at once."""
        least = np.minimum(np.maximum(self.low - count, 0), self.settled)
        if self.high is None:
            fits: NDArray[np.bool_] = self._from[least, at]
            return fits
        most = self.high - count
        within: NDArray[np.bool_] = self._sums[np.clip(most, -1, self.settled) + 1, at] > self._sums[least, at]
        return within & (most >= 0)

    def counted(self, count: int) -> int:
        """The count as far as it matters."""
        return min(count, self.low) if self.high is None else count

    def look(self, count: int) -> tuple[int, int]:
        """Counts with the same look have the same masks."""
        if self.high is None:
            return self.low - count, 0
        far = self.settled + FAR
        return min(max(self.low - count, 0), far), min(self.high - count, far)


@lru_cache(maxsize=KEPT)
def tally(clock: Clock, low: int, high: int | None) -> Tally:
    return Tally(clock, low, high)


class _Steps:
    """Some of a table's steps, from which states into which."""

    def __init__(self, table: Table, chosen: NDArray[np.bool_]) -> None:
        sources, bytes_read = np.nonzero(chosen)
        pairs = np.unique(sources * len(table) + table.array[sources, bytes_read])
        sources, self._targets = np.divmod(pairs, len(table))
        self._sources, self._first = np.unique(sources, return_index=True)

    def before(self, row: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The states from which a step leads into one of a row."""
        found = np.zeros(len(row), dtype=np.bool_)
        if len(self._sources):
            found[self._sources] = np.logical_or.reduceat(row[self._targets], self._first)
        return found

    def closure(self, row: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The states from which any number of steps does, none included."""
        while True:
            wider = row | self.before(row)
            if np.array_equal(wider, row):
                return row
            row = wider


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """A vocabulary's tokens from one state on: token i leads to pair `pair[i]` = (state, characters added).

    `leaving` has by the number of characters what follows in the tokens that leave the string.
    """

    tokens: NDArray[np.int64]
    pair: NDArray[np.int64]
    states: NDArray[np.int64]
    added: NDArray[np.int64]
    leaving: dict[int, list[tuple[bytes, int]]]
    tries: dict[tuple[int, ...], Trie]


def inside(vocabulary: Vocabulary, cell: CountCell) -> tuple[NDArray[np.uint8], Trie | None]:
    """The tokens that stay in the string and keep its bounds, and the trie of what follows in those that leave it."""
    known = _counts(vocabulary, cell)
    fit = cell.tally.all_fit(known.states, known.added + cell.count)
    stay = np.zeros(vocabulary.size, dtype=np.bool_)
    stay[known.tokens] = fit[known.pair]
    low, high = cell.tally.low - cell.count, None if cell.tally.high is None else cell.tally.high - cell.count
    leave = tuple(added for added in sorted(known.leaving) if low <= added and (high is None or added <= high))
    if leave and leave not in known.tries:
        known.tries[leave] = Trie.build(rest for added in leave for rest in known.leaving[added])
    return np.packbits(stay, bitorder="little"), known.tries.get(leave)


def leaving(vocabulary: Vocabulary, cell: CountCell) -> list[int]:
    """The tokens that leave the string, whatever its bounds."""
    return [token for rests in _counts(vocabulary, cell).leaving.values() for _, token in rests]


def ending_in(vocabulary: Vocabulary, cell: CountCell, chosen: Callable[[int, int], bool]) -> list[int]:
    """The tokens that stay in the string, whatever its bounds, and lead to a chosen state and count."""
    known = _counts(vocabulary, cell)
    pairs = zip(known.states.tolist(), (known.added + cell.count).tolist(), strict=True)
    found: list[int] = known.tokens[np.array([chosen(*pair) for pair in pairs], dtype=bool)[known.pair]].tolist()
    return found


def _counts(vocabulary: Vocabulary, cell: CountCell) -> _Counts:
    kept = vocabulary.masks.setdefault(cell.table, {})
    known: _Counts | None = kept.get(("count", cell.at))
    if known is None:
        known = kept["count", cell.at] = _count(cell.tally.clock, cell.at, vocabulary.trie)
    return known


def _count(clock: Clock, at: int, trie: Trie) -> _Counts:
    """Walk the whole trie from a state, level by level, counting characters."""
    table = clock.table
    begins = np.frombuffer(b"".join(clock.begins), dtype=np.uint8).reshape(len(table), 256)
    accepting, labels = np.array(table.accepting), np.frombuffer(trie.labels, dtype=np.uint8)
    nodes, states, counts = np.zeros(1, dtype=np.int64), np.array([at]), np.zeros(1, dtype=np.int64)
    tokens: list[NDArray[np.int64]] = []
    pairs: list[NDArray[np.int64]] = []
    leaving: dict[int, list[tuple[bytes, int]]] = {}
    while len(nodes):
        children, parent = trie.children_of(nodes)
        before, byte = states[parent], labels[children]
        after = table.array[before, byte]
        alive = after >= 0
        counts = (counts[parent] + begins[before, byte])[alive]
        nodes, states = children[alive], after[alive]
        each = trie.token_first[nodes + 1] - trie.token_first[nodes]
        tokens.append(trie.ids_of(nodes).astype(np.int64))
        pairs.append(np.repeat(counts * len(table) + states, each))
        leaves = np.nonzero(accepting[states] & trie.goes_on(nodes, table.follows))[0]
        for index in leaves.tolist():
            leaving.setdefault(int(counts[index]), []).extend(trie.below(int(nodes[index]), table.follows))
    found, pair = np.unique(np.concatenate(pairs), return_inverse=True)
    return _Counts(np.concatenate(tokens), pair, found % len(table), found // len(table), leaving, {})
