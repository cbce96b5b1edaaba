"""The smallest automaton: which states are equal, and how far each is from the ends. Automata are arrays here.

An array has a row for each state and a column for each symbol, or for each set of symbols that are read alike; an
entry is the next state, or DEAD.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DEAD = -1


def columns_of(array: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The different columns of a table, and for each byte which of them is its own."""
    found: dict[bytes, int] = {}
    column_of = [found.setdefault(column.tobytes(), len(found)) for column in np.ascontiguousarray(array.T)]
    one_of = {column: byte for byte, column in reversed(list(enumerate(column_of)))}
    return np.ascontiguousarray(array[:, [one_of[column] for column in range(len(found))]]), np.array(column_of)


def _sources(columns: NDArray[np.int32]) -> list[list[int]]:
    """For each state those that lead to it, each once."""
    sources: list[list[int]] = [[] for _ in columns]
    for state, row in enumerate(columns.tolist()):
        for target in set(row) - {DEAD}:
            sources[target].append(state)
    return sources


def nearest_end(columns: NDArray[np.int32], accepting: Sequence[bool]) -> NDArray[np.int32]:
    """How many steps the end is away from each state, -1 where it can't be reached; the last entry is that of DEAD."""
    sources = _sources(columns)
    found = np.full(len(columns) + 1, -1, dtype=np.int32)
    level = [state for state, accepts in enumerate(accepting) if accepts]
    found[level] = steps = 0
    while level:
        steps += 1
        level = list({source for state in level for source in sources[state] if found[source] < 0})
        found[level] = steps
    return found


def furthest_end(columns: NDArray[np.int32]) -> list[int]:
    """How many steps the furthest end is away from each state, all leading to one; -1 where there is no furthest."""
    sources = _sources(columns)
    ahead = [len(set(row) - {DEAD}) for row in columns.tolist()]
    found, steps = [-1] * len(columns), 0
    level = [state for state, ways in enumerate(ahead) if not ways]
    while level:  # a state follows when all states that it leads to are known; the last of them is the furthest
        after = []
        for state in level:
            found[state] = steps
            for source in sources[state]:
                ahead[source] -= 1
                if not ahead[source]:
                    after.append(source)
        level, steps = after, steps + 1
    return found


def equal_states(columns: NDArray[np.int32], accepting: Sequence[bool], shortest: Sequence[int]) -> list[int]:
    """A number for each state, the same for states that accept the same (Moore's partition refinement).

    States that accept the same are equally far from the nearest end and the furthest: states that differ there are
    apart from the start, which spares a pattern that counts to a thousand as many rounds.
    """
    names: dict[object, int] = {}
    longest = furthest_end(columns)
    block = [names.setdefault(key, len(names)) for key in zip(accepting, shortest, longest, strict=False)]
    count = 0
    while True:
        names = {}
        after = np.array([*block, DEAD], dtype=np.int32)[columns]
        refined = [names.setdefault((b, row.tobytes()), len(names)) for b, row in zip(block, after, strict=True)]
        if len(names) == count:
            return refined
        block, count = refined, len(names)
