"""What is found once for each vocabulary and submachine: the tokens that stay inside, and how the others go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from tooldec.automaton import table_of
from tooldec.grammar import Submachine
from tooldec.lifting.walk import below
from tooldec.submachine import Table
from tooldec.trie import Trie
from tooldec.vocabulary import Vocabulary

STRUCTURE = b'([{,:" \n'
"""What stands before a value, in one token with it or apart."""


def prepare(vocabulary: Vocabulary, submachines: Iterable[Submachine]) -> None:
    """Do ahead what a vocabulary does once for each submachine, so that no first visit pays for it."""
    trie = vocabulary.trie
    trie.index()
    vocabulary.controls_by_id  # noqa: B018  made once, and kept
    before = trie.reached(STRUCTURE, 3)
    for submachine in submachines:
        table = table_of(submachine)
        for node in before:
            below(table, 0, node, trie)
        for at in range(len(table)):
            if table.leads_on[at]:
                inside(vocabulary, table, at)


def inside(vocabulary: Vocabulary, table: Table, at: int) -> tuple[NDArray[np.uint8], Trie | None]:
    """The tokens that stay in a submachine, and the trie of what follows in those that leave it; kept as long as it."""
    kept = vocabulary.masks.setdefault(table, {})
    found: tuple[NDArray[np.uint8], Trie | None] | None = kept.get(at)
    if found is None:
        stay, leave = split(table, at, vocabulary.trie, vocabulary.size)
        found = kept[at] = (np.packbits(stay, bitorder="little"), leave)
    return found


def split(table: Table, at: int, trie: Trie, size: int) -> tuple[NDArray[np.bool_], Trie | None]:
    """Walk a submachine through the whole trie, level by level.

    Gives the tokens that stay inside as bool (size,), and for those that leave it a trie of what follows in them.
    """
    accepting = np.array(table.accepting)
    stay = np.zeros(size, dtype=np.bool_)
    leaving: list[tuple[bytes, int]] = []
    for nodes, states in _levels(table, at, trie):
        stay[trie.ids_of(nodes)] = True
        leaves = nodes[accepting[states]]
        for node in leaves[trie.goes_on(leaves, table.follows)].tolist():
            leaving += trie.below(node, table.follows)
    return stay, Trie.build(leaving) if leaving else None


def ending_in(table: Table, at: int, trie: Trie, states: NDArray[np.bool_]) -> list[int]:
    """The tokens that stay inside of a submachine and end in one of the chosen states."""
    nodes = [nodes[states[reached]] for nodes, reached in _levels(table, at, trie)]
    return [token for level in nodes for token in trie.ids_of(level).tolist()]


def _levels(table: Table, at: int, trie: Trie) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Depth by depth the nodes of a trie that a submachine can read, and its states there."""
    nodes, states = np.zeros(1, dtype=np.int64), np.array([at])
    labels = np.frombuffer(trie.labels, dtype=np.uint8)
    while len(nodes):
        children, parent = trie.children_of(nodes)
        states = table.array[states[parent], labels[children]]
        alive = states >= 0
        nodes, states = children[alive], states[alive]
        yield nodes, states
