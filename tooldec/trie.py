"""The prefix trie of a vocabulary's spellings, in arrays.

Nodes are numbered level by level, so the children of a node are neighbours and the labels of a level lie together:

    spellings  b"a" b"ab" b"b"        node  0 (root)  1 "a"  2 "b"  3 "ab"
                                      labels          a      b      b
                                      first   1       3      4      4     4

`first[n] : first[n + 1]` are the children of node n; a child is found by a byte search in that slice of `labels`,
and NumPy can follow a whole level at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int32]


class Trie:
    """A trie over (spelling, token id) pairs; several tokens may share a spelling.

    labels       bytes, one a node: the last byte of the node's spelling (node 0, the root, has b"\\0")
    first        int32 (nodes + 1,): where the children of a node begin
    token_first  int32 (nodes + 1,): where the tokens of a node begin in `tokens`
    tokens       int32: token ids by node
    """

    __slots__ = (
        *("_keys", "first", "first_list", "labels", "memo"),
        *("token_first", "token_list", "token_list_first", "tokens"),
    )

    def __init__(self, labels: bytes, first: IntArray, token_first: IntArray, tokens: IntArray) -> None:
        self.labels, self.first, self.token_first, self.tokens = labels, first, token_first, tokens
        # memory views give Python integers quickly, and cost nothing to make
        self.first_list = _view(first)
        self.token_list, self.token_list_first = _view(tokens), _view(token_first)
        self.memo: WeakKeyDictionary[Any, dict[Any, Any]] = WeakKeyDictionary()  # what `walk` keeps, by submachine
        self._keys: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def build(cls, pairs: Iterable[tuple[bytes, int]]) -> Trie:
        """Build from spellings (not empty) with their ids: sorted once, then one vector step for each depth."""
        ordered = sorted(pairs)
        spellings = [spelling for spelling, _ in ordered]
        ids = np.array([token for _, token in ordered], dtype=np.int32)
        count = len(ordered)
        lengths = np.fromiter(map(len, spellings), dtype=np.int64, count=count)
        starts = np.concatenate(([0], np.cumsum(lengths)[:-1])) if count else lengths
        data = np.frombuffer(b"".join(spellings), dtype=np.uint8)
        labels: list[NDArray[np.uint8]] = [np.zeros(1, dtype=np.uint8)]
        parents: list[NDArray[np.int64]] = []
        node = np.zeros(count, dtype=np.int64)  # the node that each spelling has reached
        alive = np.arange(count)
        total, depth = 1, 0
        while len(alive):
            byte = data[starts[alive] + depth]
            above = node[alive]
            new = np.ones(len(alive), dtype=bool)
            new[1:] = (byte[1:] != byte[:-1]) | (above[1:] != above[:-1])
            node[alive] = total - 1 + np.cumsum(new)
            labels.append(byte[new])
            parents.append(above[new])
            total += int(new.sum())
            depth += 1
            alive = alive[lengths[alive] > depth]
        parent = np.concatenate(parents) if parents else np.zeros(0, dtype=np.int64)
        first = np.zeros(total + 1, dtype=np.int32)
        np.cumsum(np.bincount(parent, minlength=total), out=first[1:])
        first += 1
        order = np.argsort(node, kind="stable")
        token_first = np.zeros(total + 1, dtype=np.int32)
        np.cumsum(np.bincount(node, minlength=total), out=token_first[1:])
        return cls(np.concatenate(labels).tobytes(), first, token_first, ids[order])

    def child(self, node: int, byte: int) -> int:
        """The child of a node by a byte, or -1."""
        return self.labels.find(byte, self.first_list[node], self.first_list[node + 1])

    def reached(self, symbols: bytes, depth: int) -> list[int]:
        """The nodes that so many symbols lead to at most, the root not among them."""
        level, found = [0], []
        for _ in range(depth):
            level = [child for node in level for byte in symbols if (child := self.child(node, byte)) >= 0]
            found += level
        return found

    def ids_at(self, node: int) -> Sequence[int]:
        """The tokens whose spelling ends at a node."""
        return self.token_list[self.token_list_first[node] : self.token_list_first[node + 1]]

    def ids_of(self, nodes: NDArray[np.int64]) -> IntArray:
        """The tokens of many nodes: int32, in no order."""
        low, high = self.token_first[nodes], self.token_first[nodes + 1]
        return self.tokens[spans(low, high - low)]

    def children_of(self, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """All children of many nodes, and for each the index of its parent in `nodes`."""
        low = self.first[nodes].astype(np.int64)
        counts = self.first[nodes + 1] - low
        return spans(low, counts), np.repeat(np.arange(len(nodes)), counts)

    def children_by(self, nodes: NDArray[np.int64], byte: NDArray[np.int64]) -> NDArray[np.int64]:
        """The child of nodes[i] by byte[i], or -1."""
        keys = self.index()
        if not len(keys):
            return np.full(len(nodes), -1)
        wanted = (nodes << 8) | byte
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.where(keys[at] == wanted, at + 1, -1)

    def index(self) -> NDArray[np.int64]:
        """For each node but the root its parent and byte as one number: sorted, for they are numbered so."""
        if self._keys is None:
            parent = np.repeat(np.arange(len(self)), np.diff(self.first))
            self._keys = (parent << 8) | np.frombuffer(self.labels, dtype=np.uint8)[1:]
        return self._keys

    def goes_on(self, nodes: NDArray[np.int64], follows: bytes = b"") -> NDArray[np.bool_]:
        """Whether nodes have children: by one of these bytes, if any are named."""
        found: NDArray[np.bool_] = self.first[nodes] < self.first[nodes + 1]
        if follows:
            by_byte = [self.children_by(nodes, np.full(len(nodes), byte)) >= 0 for byte in follows]
            found = np.logical_or.reduce(by_byte)
        return found

    def below(self, top: int, follows: bytes = b"") -> list[tuple[bytes, int]]:
        """Every token strictly below a node, with its spelling from there on: by these bytes, if any are named."""
        labels, first = self.labels, self.first_list
        found: list[tuple[bytes, int]] = []
        stack = [(top, b"")]
        for byte in follows:
            child = self.child(top, byte)
            if child >= 0:
                found += [(bytes((byte,)), token) for token in self.ids_at(child)]
                stack.append((child, bytes((byte,))))
        stack = stack[bool(follows) :]
        while stack:
            node, spelling = stack.pop()
            for child in range(first[node], first[node + 1]):
                longer = spelling + labels[child : child + 1]
                found += [(longer, token) for token in self.ids_at(child)]
                stack.append((child, longer))
        return found


def _view(array: IntArray) -> memoryview[int]:
    return memoryview(array)  # type: ignore[arg-type]  # an array is a buffer, says NumPy only from 3.12 on


def spans(low: NDArray[np.integer], counts: NDArray[np.integer]) -> NDArray[np.int64]:
    """The numbers low[i], low[i] + 1, … of every span, one after another.

    >>> spans(np.array([3, 8]), np.array([2, 1])).tolist()
    [3, 4, 8]
    """
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    shifted: NDArray[np.int64] = np.arange(total) + np.repeat(low.astype(np.int64) - (ends - counts), counts)
    return shifted
