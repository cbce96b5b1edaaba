"""Small complete automata over bytes: an argument type as one box (IntFSM in Figure 2), and the watch for a marker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tooldec.minimizing import DEAD, columns_of, equal_states, furthest_end, nearest_end, sources_of

KEPT = 1024
"""So many automata that schemas asked for are kept for the next schema that asks: a server sees no end of patterns."""

MANY = 2000
"""More states than this are kept as an array alone."""

MOST_PAIRS = 100_000
"""How large two automata may become where both are read."""

NARROW = 4
"""Bytes that a narrow table can read in a state, on average; an enumeration has about one, a number ten."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Table:
    """A complete automaton: state 0 is initial, `rows[state][byte]` the next state or DEAD; see `letters` for others.

    accepting   whether the submachine may be left here
    leads_on    whether any byte can be read here
    array       the rows as int32, shape (states, 256)
    narrow      few ways lead on, as in an enumeration: walking it is quicker than trying all tokens at once
    follows     what comes behind the text begins with one of these bytes; empty where that isn't known
    """

    name: str
    rows: tuple[Sequence[int], ...]
    accepting: tuple[bool, ...]
    leads_on: tuple[bool, ...]
    array: NDArray[np.int32]
    narrow: bool = field(init=False)
    follows: bytes = b""

    def __post_init__(self) -> None:
        object.__setattr__(self, "narrow", int((self.array >= 0).sum()) <= NARROW * len(self))

    def __len__(self) -> int:
        return len(self.rows)

    def accepts(self, text: bytes) -> bool:
        """Whether a text is one of the automaton's.

        >>> table = Table.of_words("one", [b"ab", b"c"])
        >>> table.accepts(b"ab"), table.accepts(b"a"), table.accepts(b"cc")
        (True, False, False)
        """
        at = 0
        for byte in text:
            at = self.rows[at][byte]
            if at < 0:
                return False
        return self.accepting[at]

    @classmethod
    def build(cls, name: str, rows: Sequence[Mapping[int, int]], accepting: Sequence[bool]) -> Table:
        array = np.full((len(rows), 256), DEAD, dtype=np.int32)
        states = [state for state, row in enumerate(rows) for _ in row]
        array[states, [byte for row in rows for byte in row]] = [after for row in rows for after in row.values()]
        return cls(name, _packed(array), tuple(accepting), _leads_on(array), array)

    @classmethod
    def of_words(cls, name: str, words: Sequence[bytes]) -> Table:
        """The smallest automaton of some words, none empty; numbered as `minimal` numbers."""
        known: dict[object, dict[int, Any]] = {}  # states that accept the same are one object

        def state(rests: list[bytes]) -> dict[int, Any]:
            by_byte: dict[int, list[bytes]] = {}
            for rest in rests:
                if rest:
                    by_byte.setdefault(rest[0], []).append(rest[1:])
            row: dict[int, Any] = {byte: state(by_byte[byte]) for byte in sorted(by_byte)}
            alike = (b"" in rests, *((byte, id(after)) for byte, after in row.items()))
            if alike not in known:
                known[alike] = row
                if alike[0]:
                    accepting.add(id(row))
            return known[alike]

        accepting: set[int] = set()
        order = [state(list(words))]
        number = {id(order[0]): 0}
        for row in order:  # grows while it is read
            for after in sorted(row.values(), key=lambda after: not after):
                if id(after) not in number:
                    number[id(after)] = len(order)
                    order.append(after)
        rows = [{byte: number[id(after)] for byte, after in row.items()} for row in order]
        return cls.build(name, rows, [id(row) in accepting for row in order])

    @classmethod
    def minimal(cls, name: str, rows: Sequence[Mapping[int, int]], accepting: Sequence[bool]) -> Table:
        """The smallest equal automaton: no state that cannot reach the end, none twice, numbered breadth-first.

        States that lead nowhere are numbered last, so that IntFSM's are start, sign, digits (Figure 2), then zero.
        """
        return cls.smallest(name, cls.build(name, rows, accepting).array, accepting)

    @classmethod
    def smallest(
        cls,
        name: str,
        array: NDArray[np.int32],
        accepting: Sequence[bool],
        column_of: NDArray[np.int64] | None = None,
    ) -> Table:
        """`minimal` for rows that are an array already; the columns of bytes that are read alike are looked at once.

        column_of   which column of the array each byte has; without it the array has a column for each
        """
        columns, place_of = columns_of(array)
        column_of = place_of if column_of is None else place_of[column_of]
        sources = sources_of(columns)
        nearest = nearest_end(sources, accepting)
        live = np.array([*nearest, -1]) >= 0  # the last one is that of DEAD
        columns = np.where(live[columns], columns, DEAD)
        block = equal_states(columns, sources, accepting, nearest, furthest_end(sources, nearest))
        leads_on = _leads_on(columns)
        order, at = [0], 0
        number = {block[0]: 0}
        first_of = np.unique(column_of, return_index=True)
        by_first_byte = first_of[0][first_of[1].argsort()]
        while at < len(order):
            row = columns[order[at]][by_first_byte]
            targets = dict.fromkeys(row[row >= 0].tolist())
            for state in sorted(targets, key=lambda to: not leads_on[to]):
                if block[state] not in number:
                    number[block[state]] = len(order)
                    order.append(state)
            at += 1
        renumbered = np.array([number.get(part, DEAD) for part in block] + [DEAD], dtype=np.int32)
        merged = renumbered[columns[order]][:, column_of]
        ends = tuple(bool(accepting[state]) for state in order)
        return cls(name, _packed(merged), ends, _leads_on(merged), merged)


def _packed(array: NDArray[np.int32]) -> tuple[Sequence[int], ...]:
    """Rows that are quick to index; of many the views, which need no memory of their own."""
    if len(array) > MANY:
        return tuple(memoryview(line) for line in array)
    return tuple(tuple(line) for line in array.tolist())


def _leads_on(array: NDArray[np.int32]) -> tuple[bool, ...]:
    return tuple(map(bool, np.any(array >= 0, axis=1)))


def longest_of(table: Table) -> int | None:
    """How many bytes the longest text of a smallest automaton has; None where there is no longest.

    >>> longest_of(Table.of_words("one", [b"ab", b"c"]))
    2
    """
    sources = sources_of(columns_of(table.array)[0])
    steps = furthest_end(sources, nearest_end(sources, table.accepting))[0]
    return None if steps < 0 else steps


def shortest_of(table: Table) -> int | None:
    """How many bytes the shortest text has; None where there is no text.

    >>> shortest_of(Table.of_words("one", [b"ab", b"c"]))
    1
    """
    steps = nearest_end(sources_of(columns_of(table.array)[0]), table.accepting)[0]
    return None if steps < 0 else steps


def intersection(name: str, one: Table, other: Table) -> Table:
    """What both accept. Raises OverflowError where that would be too large."""
    return _product(name, one, other, lambda accepts: accepts, dead_ends=True)


def difference(name: str, one: Table, other: Table) -> Table:
    """What the first accepts and the other doesn't. Raises OverflowError where that would be too large."""
    return _product(name, one, other, lambda accepts: not accepts, dead_ends=False)


def together(one: Table, other: Table) -> tuple[Table, list[tuple[int, int]]]:
    """Both read at once, where all that the first accepts the other accepts too; and the pair behind each state."""
    columns, column_of, pairs = _pairs(one, other, dead_ends=True)
    array = columns[:, column_of]
    accepting = tuple(one.accepting[i] and other.accepting[j] for i, j in pairs)
    return Table(one.name, _packed(array), accepting, _leads_on(array), array, one.follows), pairs


def _product(name: str, one: Table, other: Table, wanted: Callable[[bool], bool], dead_ends: bool) -> Table:
    columns, column_of, pairs = _pairs(one, other, dead_ends)
    accepting = [one.accepting[i] and wanted(j >= 0 and other.accepting[j]) for i, j in pairs]
    return Table.smallest(name, columns, accepting, column_of)


def _pairs(
    one: Table, other: Table, dead_ends: bool
) -> tuple[NDArray[np.int32], NDArray[np.int64], list[tuple[int, int]]]:
    """Both read together: states are pairs, made when they are reached; DEAD of the other is a state like any.

    Gives the columns of bytes that are read alike, for each byte which is its own, and the pairs.
    """
    columns, column_of = columns_of(np.vstack([one.array, other.array]))
    mine, theirs = columns[: len(one)].tolist(), [*columns[len(one) :].tolist(), [DEAD] * columns.shape[1]]
    pairs = [(0, 0)]
    number = {(0, 0): 0}
    rows: list[list[int]] = []
    for here, there in pairs:  # grows while it is read
        row = []
        for pair in zip(mine[here], theirs[there], strict=True):
            if pair[0] < 0 or (dead_ends and pair[1] < 0):
                row.append(DEAD)
                continue
            if pair not in number:
                number[pair] = len(pairs)
                pairs.append(pair)
            row.append(number[pair])
        rows.append(row)
        if len(pairs) > MOST_PAIRS:
            raise OverflowError(f"more than {MOST_PAIRS} states")
    return np.array(rows, dtype=np.int32), column_of, pairs


@cache
def text_table(marker: bytes, barred: tuple[bytes, ...] = ()) -> Table:
    """Any text up to and including a marker's spelling; with an empty marker, any text without end.

    `barred` words can't be written. State k has read the first k bytes of the marker, the states after these the
    beginnings of barred words (Aho and Corasick's automaton).
    """
    begun = [marker[:k] for k in range(max(len(marker), 1))]
    begun += sorted({word[:k] for word in barred for k in range(1, len(word))} - set(begun))
    number = {text: state for state, text in enumerate(begun)}
    rows: list[dict[int, int]] = []
    for state in begun:
        row: dict[int, int] = {}
        for byte in range(256):
            read = state + bytes([byte])
            if marker and read.endswith(marker):
                row[byte] = len(begun)
            elif not read.endswith(barred):
                row[byte] = next(number[read[k:]] for k in range(len(read) + 1) if read[k:] in number)
        rows.append(row)
    if marker:
        rows.append({})
    return Table.build("text", rows, [state == len(begun) for state in range(len(rows))])
