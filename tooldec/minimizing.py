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
    columns: NDArray[np.int32],
    sources: Sequence[Sequence[int]],
    accepting: Sequence[bool],
    nearest: Sequence[int],
    furthest: Sequence[int],
) -> list[int]:
    """A number for each state, the same for states that accept the same (partition refinement).

    States that accept the same are equally far from the nearest end and the furthest: states that differ there are
    apart from the start. Of a block that falls apart the largest part keeps its number, so that only what leads to the
    others has to be looked at again: n log n, as Hopcroft found, though a pattern counts to a thousand.
    """
    names: dict[object, int] = {}
    first = [names.setdefault(key, len(names)) for key in zip(accepting, nearest, furthest, strict=True)]
    block = np.array([*first, DEAD], dtype=np.int32)  # the last one is that of DEAD
    sizes = np.bincount(block[:-1]).tolist()
    affected: Sequence[int] = range(len(first))
    while len(affected):
        chosen = np.asarray(affected)
        parts: dict[int, dict[bytes, list[int]]] = {}
        for state, mine, row in zip(chosen.tolist(), block[chosen].tolist(), block[columns[chosen]], strict=True):
            parts.setdefault(mine, {}).setdefault(row.tobytes(), []).append(state)
        changed: list[int] = []
        for mine, alike in parts.items():
            groups = sorted(alike.values(), key=len)
            if sum(map(len, groups)) == sizes[mine]:  # else those that weren't looked at keep the number
                groups.pop()
            for group in groups:
                block[group] = len(sizes)
                sizes[mine] -= len(group)
                sizes.append(len(group))
                changed += group
        affected = sorted({source for state in changed for source in sources[state]})
    return [int(number) for number in block[:-1].tolist()]
