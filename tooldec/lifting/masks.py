"""What is found once for each vocabulary and submachine: the tokens that stay inside, and how the others go on."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tooldec.automaton import table_of
from tooldec.grammar import Submachine
from tooldec.lifting.walk import below, split
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
