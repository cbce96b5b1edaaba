"""How many different values can still be written: at least so many, which is all that differing items have to know.

Only texts are counted that surely mean different values: strings without escapes, integers, other numbers without
zeros and exponents, and true, false and null.

    IntFSM, start       inf         1, 2, …, 11, 12, …
    "ab|c"  maxLength 4, inside     > 200
    EnumFSM of 3 words  3
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tooldec.grammar import Counted, Deferred, Grammar, Literal, Names, Repeat, Submachine, inside
from tooldec.minimizing import columns_of, nearest_end, sources_of
from tooldec.states.cells import Cell, CountCell, NamesCell, TableCell
from tooldec.states.counting import Tally
from tooldec.states.memory import BACKSLASH, QUOTE, Mark
from tooldec.submachine import KEPT, Table

if TYPE_CHECKING:
    from tooldec.states.parts import Parts

INF = float("inf")

LONGEST = 64
FARTHEST = 400
"""So many characters beyond those that it needs are looked at in a string whose length is bounded, if it needs few."""

MOST = 1e15
"""More values than this are as good as any number."""

NAMES = 3
"""So many of a choice's names are followed to what comes behind them."""

DEFERRED = 4
"""So many terms that are made when they are reached are made for this, one inside of another."""

_ASCII = np.array([byte for byte in range(0x20, 0x7F) if byte not in (QUOTE, BACKSLASH)])
_TEXT = np.array([byte for byte in range(256) if byte != BACKSLASH])
_NUMBER, _INTEGER, _WORD, _PYTHON_WORD = (
    np.frombuffer(b, dtype=np.uint8).astype(np.int64)
    for b in (b"-.123456789", b"-0123456789", b"aeflnrstu", b"FNTaelnorsu")
)
_known: WeakKeyDictionary[Table, list[float]] = WeakKeyDictionary()


def of_table(table: Table) -> list[float]:
    """By state, how many different values can still be written at least: a number, or infinity.

    >>> of_table(Table.of_words("one", [b'"ab"', b'"c"']))[0]
    2.0
    """
    found = _known.get(table)
    if found is None:
        found = _known[table] = _of_table(table)
    return found


def _of_table(table: Table) -> list[float]:
    """States are counted once all that they lead to are; those that never are lead into a circle."""
    columns, column_of = columns_of(table.array)
    weights = np.bincount(column_of[_plain(table)], minlength=columns.shape[1])
    used = np.nonzero(weights)[0]
    ways = [
        [(to, int(weights[column])) for to, column in zip(row, used.tolist(), strict=True) if to >= 0]
        for row in columns[:, used].tolist()
    ]
    sources: list[list[int]] = [[] for _ in ways]
    for state, out in enumerate(ways):
        for to, _ in out:
            sources[to].append(state)
    live = _reached([state for state, accepts in enumerate(table.accepting) if accepts], sources)
    counts = [INF if state in live else 0.0 for state in range(len(ways))]
    open_ways = [sum(to in live for to, _ in out) for out in ways]
    ready = [state for state in live if not open_ways[state]]
    for state in ready:  # grows while it is read
        counts[state] = float(table.accepting[state]) + sum(
            weight * counts[to] for to, weight in ways[state] if to in live
        )
        for source in sources[state]:
            open_ways[source] -= 1
            if source in live and not open_ways[source]:
                ready.append(source)
    counts[0] -= table.accepts(b"0") and table.accepts(b"-0")
    return counts


def _plain(table: Table) -> NDArray[np.int64]:
    """The bytes of texts that surely mean different values."""
    first = {byte for byte in range(256) if table.rows[0][byte] >= 0}
    if first == {QUOTE}:
        return _TEXT
    if first <= {*b"tfnTFN"}:  # of both kinds one is counted
        return _WORD if first & {*b"tfn"} else _PYTHON_WORD
    return _NUMBER if (table.array[:, [*b".eE"]] >= 0).any() else _INTEGER


def _reached(start: list[int], leads_to: list[list[int]]) -> set[int]:
    reached, stack = set(start), list(start)
    while stack:
        more = [state for state in leads_to[stack.pop()] if state not in reached]
        reached.update(more)
        stack += more
    return reached


def of_tally(tally: Tally, at: int, count: int) -> float:
    """The same for a string whose characters are counted, `count` of them having been read."""
    if tally.high is None:
        return of_table(tally.clock.table)[at]
    rows = _by_length(tally)
    least = max(tally.low - count, 0)
    return max((float(row[at]) for row in rows[least : tally.high - count + 1]), default=1.0)


@lru_cache(maxsize=KEPT)
def _by_length(tally: Tally) -> list[NDArray[np.float64]]:
    """By the number of characters more, and by state: how many strings there are, of plain ASCII."""
    table = tally.clock.table
    begins = np.frombuffer(b"".join(tally.clock.begins), dtype=np.uint8).reshape(len(table), 256)
    sources, bytes_read = np.nonzero((table.array[:, _ASCII] >= 0) & (begins[:, _ASCII] > 0))
    targets = table.array[sources, _ASCII[bytes_read]]
    quoted = np.nonzero(table.array[:, QUOTE] >= 0)[0]
    behind = table.array[quoted, QUOTE]
    closes = np.array(table.accepting)[behind]
    row = np.zeros(len(table))
    row[quoted[closes]] = 1
    shortest = max(nearest_end(sources_of(columns_of(table.array)[0]), table.accepting), default=0)  # in bytes
    rows = []
    for _ in range(LONGEST + min(shortest, FARTHEST) + 1):
        row[quoted[~closes]] = row[behind[~closes]]  # the quote before the first character
        rows.append(row)
        row = np.minimum(np.bincount(sources, weights=row[targets], minlength=len(table)), MOST)
    return rows


def of_term(term: Grammar, parts: Parts) -> float:
    """The same for a term of a grammar; it has one value at least."""
    most = 1.0
    stack, seen = [(term, 0)], set[int]()
    while stack and most < INF:
        at, deferred = stack.pop()
        if id(at) in seen or (isinstance(at, Repeat) and at.high == 0):
            continue
        seen.add(id(at))
        if isinstance(at, Submachine):
            most = max(most, of_table(parts.table_of(at))[0])
        elif isinstance(at, Counted):
            most = max(most, of_tally(parts.tally_of(at), 0, 0))
        elif isinstance(at, Repeat) and at.high is None and _separated(at.body):
            most = INF  # a list of any length
        elif isinstance(at, Names):
            stack += [(parts.tail(at, index), deferred) for index in range(min(NAMES, len(at.words)))]
        elif isinstance(at, Deferred) and deferred < DEFERRED:
            stack.append((parts.made(at), deferred + 1))
        stack += [(one, deferred) for one in inside(at)]
    return most


def _separated(body: Grammar) -> bool:
    """Whether items or members are repeated, not digits or spaces."""
    stack, seen = [body], set[int]()
    for term in stack:  # grows while it is read
        if id(term) not in seen:
            seen.add(id(term))
            stack += inside(term)
    return any(isinstance(term, Literal) and b"," in term.text for term in stack)


def of_cell(cell: Cell, end: Mark, parts: Parts) -> float:
    """The same for a cell inside of an item, up to the item's end."""
    most = 1.0
    if isinstance(cell, CountCell):
        most = of_tally(cell.tally, cell.at, cell.count)
    elif isinstance(cell, TableCell):
        most = of_table(cell.table)[cell.at]
    elif isinstance(cell, NamesCell):
        words = range(cell.low, min(cell.high, cell.low + NAMES))
        most = max(of_term(parts.tail(cell.names, word), parts) for word in words)
    frame = cell.rest
    while frame is not None and frame.term is not end and most < INF:
        most = max(most, of_term(frame.term, parts))
        frame = frame.rest
    return most
