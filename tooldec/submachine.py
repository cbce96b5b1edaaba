"""Small complete automata over bytes: an argument type as one box (IntFSM in Figure 2), and the watch for a marker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

DEAD = -1


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Table:
    """A complete automaton: state 0 is initial, `rows[state][byte]` the next state or -1 (DEAD).

    accepting   whether the submachine may be left here
    leads_on    whether any byte can be read here
    array       the rows as int32, shape (states, 256)
    """

    name: str
    rows: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]
    leads_on: tuple[bool, ...]
    array: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def build(cls, name: str, rows: Sequence[Mapping[int, int]], accepting: Sequence[bool]) -> Table:
        array = np.full((len(rows), 256), DEAD, dtype=np.int32)
        for state, row in enumerate(rows):
            for byte, target in row.items():
                array[state, byte] = target
        packed = tuple(tuple(line) for line in array.tolist())
        return cls(name, packed, tuple(accepting), tuple(bool(row) for row in rows), array)

    @classmethod
    def minimal(cls, name: str, rows: Sequence[Mapping[int, int]], accepting: Sequence[bool]) -> Table:
        """The smallest equal automaton: no state that cannot reach the end, none twice, numbered breadth-first.

        States that lead nowhere are numbered last, so that IntFSM's are start, sign, digits (Figure 2), then zero.
        """
        live = _co_reachable(rows, accepting)
        rows = [{byte: to for byte, to in row.items() if to in live} for row in rows]
        block = _equal_states(rows, accepting)
        order, at = [0], 0
        number = {block[0]: 0}
        while at < len(order):
            row = rows[order[at]]
            targets = dict.fromkeys(row[byte] for byte in sorted(row))
            for state in sorted(targets, key=lambda to: not rows[to]):
                if block[state] not in number:
                    number[block[state]] = len(order)
                    order.append(state)
            at += 1
        merged = [{byte: number[block[to]] for byte, to in rows[state].items()} for state in order]
        return cls.build(name, merged, [accepting[state] for state in order])


def _co_reachable(rows: Sequence[Mapping[int, int]], accepting: Sequence[bool]) -> set[int]:
    sources: dict[int, set[int]] = {}
    for state, row in enumerate(rows):
        for target in row.values():
            sources.setdefault(target, set()).add(state)
    live = {state for state, accepts in enumerate(accepting) if accepts}
    stack = list(live)
    while stack:
        for source in sources.get(stack.pop(), ()):
            if source not in live:
                live.add(source)
                stack.append(source)
    return live


def _equal_states(rows: Sequence[Mapping[int, int]], accepting: Sequence[bool]) -> list[int]:
    """A number for each state, the same for states that accept the same (Moore's partition refinement)."""
    block = [int(accepts) for accepts in accepting]
    count = 0
    while True:
        names: dict[object, int] = {}
        refined = []
        for state, row in enumerate(rows):
            key = (block[state], frozenset((byte, block[to]) for byte, to in row.items()))
            refined.append(names.setdefault(key, len(names)))
        if len(names) == count:
            return refined
        block, count = refined, len(names)


@cache
def text_table(marker: bytes) -> Table:
    """Any text up to and including a marker's spelling; with an empty marker, any text without end.

    State k has read the first k bytes of the marker (Knuth, Morris and Pratt's automaton).
    """
    rows: list[dict[int, int]] = []
    for state in range(max(len(marker), 1)):
        row = {}
        for byte in range(256):
            read = marker[:state] + bytes([byte])
            row[byte] = next(k for k in range(len(marker), -1, -1) if read.endswith(marker[:k]) and k <= len(read))
        rows.append(row)
    if marker:
        rows.append({})
    return Table.build("text", rows, [bool(marker) and state == len(marker) for state in range(len(rows))])
