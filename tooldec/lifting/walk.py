"""The automaton and a trie walked together: which tokens below a node can be read from a cell, and by what follows it.

Each kind of cell has its own short walk, for this is where the first visit of a state spends its time; where a cell
is left within a token, the walk goes on with the cells that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tooldec.automaton import DFA
from tooldec.states.cells import Cell, ClassCell, CountCell, LiteralCell, NamesCell, TableCell
from tooldec.states.memory import COMMA
from tooldec.states.remembering import reads
from tooldec.submachine import Table
from tooldec.trie import Trie

Place = tuple[Cell, int]
"""A cell, and the trie node whose spelling has been read when it is reached."""

Patch = tuple[NDArray[np.integer], NDArray[np.uint8]]
"""Bits to set in a packed mask: at which bytes, and which."""

BITS = np.array([1, 2, 4, 8, 16, 32, 64, 128], dtype=np.uint8)

WIDE = 300
"""From so many names on, NumPy is quicker than plain Python (on 152k tokens they are level at 250 to 500 names)."""


class Found:
    """Tokens that may come next: one by one, and as patches that were made before."""

    __slots__ = ("ids", "patches")

    def __init__(self) -> None:
        self.ids: list[int] = []
        self.patches: list[Patch] = []

    def every(self) -> set[int]:
        """All that were found."""
        found = set(self.ids)
        for where, bits in self.patches:
            places, bit = np.nonzero(bits[:, None] & BITS)
            found.update(((where[places].astype(np.int64) << 3) + bit).tolist())
        return found

    def into(self, mask: NDArray[np.uint8]) -> None:
        """Set the bits of all that were found."""
        for where, bits in self.patches:
            mask[where] |= bits
        if self.ids:
            set_bits(mask, self.ids)


def places_of(ids: NDArray[np.integer]) -> Patch:
    """Where the bits of tokens lie in a packed mask, and which they are; a place may occur twice."""
    return ids >> 3, BITS[ids & 7]


def set_bits(mask: NDArray[np.uint8], ids: Sequence[int]) -> None:
    """Set the bits of tokens in a packed mask."""
    where, bits = places_of(np.asarray(ids, dtype=np.int64))
    np.bitwise_or.at(mask, where, bits)


def clear_bits(mask: NDArray[np.uint8], ids: Sequence[int]) -> None:
    """Clear the bits of tokens in a packed mask."""
    where, bits = places_of(np.asarray(ids, dtype=np.int64))
    np.bitwise_and.at(mask, where, ~bits)


def patch_of(ids: list[int] | NDArray[np.integer]) -> Patch | None:
    """The same with each place once."""
    if not len(ids):
        return None
    where, bits = places_of(np.asarray(ids))
    once, at = np.unique(where, return_inverse=True)
    joined = np.zeros(len(once), dtype=np.uint8)
    np.bitwise_or.at(joined, at, bits)
    return once, joined


def walk(dfa: DFA, trie: Trie, start: Iterable[Place]) -> Found:
    """The tokens below each place that its cell and what follows can read."""
    found = Found()
    first = trie.first_list
    stack = list(start)
    seen = set(stack)
    while stack:
        cell, node = stack.pop()
        step = _WALKS.get(type(cell), _table if isinstance(cell, TableCell) else None)
        if step is None or first[node] == first[node + 1]:
            continue
        if cell.memory:
            found.ids += _remembering(cell, node, dfa, trie)
            continue
        for place in step(cell, node, dfa, trie, found):
            if place not in seen:
                seen.add(place)
                stack.append(place)
    return found


def _remembering(cell: Cell, node: int, dfa: DFA, trie: Trie) -> list[int]:
    """At the beginning of a list whose items must differ: only a token with two of them can repeat one."""
    found = walk(dfa, trie, [(cell.bare, node)]).every()
    several = ((rest, token) for rest, token in trie.below(node) if COMMA in rest and token in found)
    return [*found.difference(token for rest, token in several if not reads((cell.bare, cell.memory), rest, dfa))]


def _literal(cell: LiteralCell, node: int, dfa: DFA, trie: Trie, found: Found) -> Iterable[Place]:
    labels, first, tokens, token_first = trie.labels, trie.first_list, trie.token_list, trie.token_list_first
    for byte in cell.text[cell.at :]:
        node = labels.find(byte, first[node], first[node + 1])
        if node < 0:
            return ()
        found.ids += tokens[token_first[node] : token_first[node + 1]]
    return [(after, node) for after in dfa.heads(cell.rest)]


def _class(cell: ClassCell, node: int, dfa: DFA, trie: Trie, found: Found) -> Iterable[Place]:
    places: list[Place] = []
    for child in range(trie.first_list[node], trie.first_list[node + 1]):
        if trie.labels[child] in cell.symbols:
            found.ids += trie.ids_at(child)
            places += [(after, child) for after in dfa.heads(cell.rest)]
    return places


def _table(cell: TableCell, node: int, dfa: DFA, trie: Trie, found: Found) -> Iterable[Place]:
    """Inside of a submachine: what lies below a node is walked once for all places that use it, unless little does."""
    if cell.table.narrow:
        ids, left = _inside(cell.table, cell.at, node, trie)
        found.ids += ids
    else:
        patch, left = below(cell.table, cell.at, node, trie)
        if patch is not None:
            found.patches.append(patch)
    if not left:
        return ()
    labels, first = trie.labels, trie.first_list
    places: list[Place] = []
    for after in dfa.heads(cell.rest):
        if isinstance(after, LiteralCell):
            byte = after.text[after.at]
            places += [(after, at) for at in left if labels.find(byte, first[at], first[at + 1]) >= 0]
        else:
            places += [(after, at) for at in left]
    return places


def below(table: Table, at: int, node: int, trie: Trie) -> tuple[Patch | None, list[int]]:
    """The tokens below a node that stay in a submachine, and the nodes at which it may be left; kept as long as it."""
    kept = trie.memo.setdefault(table, {})
    found: tuple[Patch | None, list[int]] | None = kept.get((at, node))
    if found is None:
        ids, left = _inside(table, at, node, trie)
        found = kept[at, node] = (patch_of(ids), left)
    return found


def _inside(table: Table, at: int, node: int, trie: Trie) -> tuple[list[int], list[int]]:
    """The same, walked anew: the tokens one by one."""
    labels, first, tokens, token_first = trie.labels, trie.first_list, trie.token_list, trie.token_list_first
    rows, accepting, follows = table.rows, table.accepting, table.follows
    stack = [(node, at)]
    found: list[int] = []
    left: list[int] = []
    while stack:
        node, at = stack.pop()
        row = rows[at]
        for child in range(first[node], first[node + 1]):
            after = row[labels[child]]
            if after >= 0:
                found += tokens[token_first[child] : token_first[child + 1]]
                if first[child] < first[child + 1]:
                    stack.append((child, after))
                    if accepting[after] and (not follows or any(trie.child(child, byte) >= 0 for byte in follows)):
                        left.append(child)
    return found, left


def _names(cell: NamesCell, node: int, dfa: DFA, trie: Trie, found: Found) -> Iterable[Place]:
    """Word by word; what a word shares with the one before it has been walked already."""
    if cell.high - cell.low >= WIDE:
        return _many_names(cell, node, dfa, trie, found)
    labels, first, tokens, token_first = trie.labels, trie.first_list, trie.token_list, trie.token_list_first
    words, depth = cell.names.words, cell.depth
    places: list[Place] = []
    path, before = [node], b""  # path[k]: the node after k bytes; it ends where the trie does
    for index in range(cell.low, cell.high):
        word = words[index][depth:]
        shared = 0
        while shared < len(before) and before[shared] == word[shared]:  # sorted and distinct: never past word's end
            shared += 1
        before = word
        if shared >= len(path):
            continue  # the trie ended within what they share
        del path[shared + 1 :]
        at = path[-1]
        for byte in word[shared:]:
            at = labels.find(byte, first[at], first[at + 1])
            if at < 0:
                break
            found.ids += tokens[token_first[at] : token_first[at + 1]]
            path.append(at)
        else:
            if first[at] < first[at + 1]:
                places += [(after, at) for after in dfa.complete_name(cell, index)]
    return places


def _many_names(cell: NamesCell, node: int, dfa: DFA, trie: Trie, found: Found) -> Iterable[Place]:
    """All words at once: one vector step for each byte of depth."""
    lengths, starts, data = dfa.names_array(cell.names)
    index = np.arange(cell.low, cell.high)
    nodes = np.full(len(index), node, dtype=np.int64)
    places: list[Place] = []
    reached: list[NDArray[np.int64]] = []
    depth = cell.depth
    while len(index):
        byte = data[starts[index] + depth].astype(np.int64)
        new = np.ones(len(index), dtype=bool)  # words are sorted: equal (node, byte) pairs are neighbours
        new[1:] = (byte[1:] != byte[:-1]) | (nodes[1:] != nodes[:-1])
        child = trie.children_by(nodes[new], byte[new])
        reached.append(child[child >= 0])
        nodes = child[np.cumsum(new) - 1]
        index, nodes = index[nodes >= 0], nodes[nodes >= 0]
        depth += 1
        ended = lengths[index] == depth
        for word, at in zip(index[ended].tolist(), nodes[ended].tolist(), strict=True):
            if trie.first_list[at] < trie.first_list[at + 1]:
                places += [(after, at) for after in dfa.complete_name(cell, word)]
        index, nodes = index[~ended], nodes[~ended]
    found.patches += [patch] if (patch := patch_of(trie.ids_of(np.concatenate(reached)))) else []
    return places


def _counted(cell: CountCell, node: int, dfa: DFA, trie: Trie, found: Found) -> Iterable[Place]:
    """Inside of a string whose characters are counted."""
    places: list[Place] = []
    stack = [(node, cell.at, cell.count)]
    while stack:
        node, at, count = stack.pop()
        for child in range(trie.first_list[node], trie.first_list[node + 1]):
            after = cell.after(trie.labels[child], at, count)
            if after is None:
                continue
            found.ids += trie.ids_at(child)
            if cell.table.leads_on[after[0]]:
                stack.append((child, *after))
            if cell.tally.ends(*after):
                places += [(next_cell, child) for next_cell in dfa.heads(cell.rest)]
    return places


_WALKS: dict[type[Cell], Callable[..., Iterable[Place]]] = {
    LiteralCell: _literal,
    ClassCell: _class,
    CountCell: _counted,
    TableCell: _table,
    NamesCell: _names,
}
