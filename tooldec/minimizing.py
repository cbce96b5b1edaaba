"""The smallest automaton: which states are equal, and how far each is from the ends. Automata are arrays here.

An array has a row for each state and a column for each symbol, or for each set of symbols that are read alike; an
entry is the next state, or DEAD.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

DEAD = -1


def columns_of(array: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The different columns of a table, and for each byte which of them is its own."""
    found: dict[bytes, int] = {}
    column_of = [found.setdefault(column.tobytes(), len(found)) for column in np.ascontiguousarray(array.T)]
    one_of = {column: byte for byte, column in reversed(list(enumerate(column_of)))}
    return np.ascontiguousarray(array[:, [one_of[column] for column in range(len(found))]]), np.array(column_of)


def sources_of(columns: NDArray[np.int32]) -> list[list[int]]:
    """For each state those that lead to it, each once."""
    leads = columns >= 0
    many = len(columns)
    pairs = np.unique(columns[leads].astype(np.int64) * many + np.nonzero(leads)[0])
    bounds = np.searchsorted(pairs, many * np.arange(many + 1)).tolist()
    sources = (pairs % many).tolist()
    return [sources[begin:end] for begin, end in pairwise(bounds)]


def nearest_end(sources: Sequence[Sequence[int]], accepting: Sequence[bool]) -> list[int]:
    """How many steps the nearest end is away from each state, -1 where none can be reached."""
    found = [-1] * len(sources)
    level, steps = [state for state, accepts in enumerate(accepting) if accepts], 0
    while level:
        for state in level:
            found[state] = steps
        level = list({source for state in level for source in sources[state] if found[source] < 0})
        steps += 1
    return found


def furthest_end(sources: Sequence[Sequence[int]], nearest: Sequence[int]) -> list[int]:
    """How many steps the furthest end is away from each state, -1 where there is no furthest, or no end at all."""
    ahead = [0] * len(sources)
    for state, others in enumerate(sources):
        if nearest[state] >= 0:
            for source in others:
                ahead[source] += 1
    found = [-1] * len(sources)
    level, steps = [state for state, ways in enumerate(ahead) if not ways and nearest[state] >= 0], 0
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


def equal_states(
    columns: NDArray[np.int32], accepting: Sequence[bool], nearest: Sequence[int], furthest: Sequence[int]
) -> list[int]:
    """A number for each state, the same for states that accept the same (Moore's partition refinement).

    States that accept the same are equally far from the nearest end and the furthest: states that differ there are
    apart from the start, which spares a pattern that counts to a thousand as many rounds.
    """
    names: dict[object, int] = {}
    block = [names.setdefault(key, len(names)) for key in zip(accepting, nearest, furthest, strict=True)]
    count = 0
    while True:
        names = {}
        after = np.array([*block, DEAD], dtype=np.int32)[columns]
        refined = [names.setdefault((b, row.tobytes()), len(names)) for b, row in zip(block, after, strict=True)]
        if len(names) == count:
            return refined
        block, count = refined, len(names)
