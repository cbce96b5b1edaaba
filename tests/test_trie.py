from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tooldec.trie import Trie, spans

spellings = st.binary(min_size=1, max_size=4).map(lambda b: bytes(97 + byte % 3 for byte in b))
pairs = st.lists(spellings, max_size=30).map(lambda rows: [(spelling, token) for token, spelling in enumerate(rows)])


def node_of(trie: Trie, spelling: bytes) -> int:
    node = 0
    for byte in spelling:
        node = trie.child(node, byte)
        if node < 0:
            return -1
    return node


@given(pairs, spellings)
def test_every_spelling_leads_to_its_tokens(pairs: list[tuple[bytes, int]], other: bytes) -> None:
    trie = Trie.build(pairs)
    prefixes = {spelling[:length] for spelling, _ in pairs for length in range(len(spelling) + 1)} | {b""}
    assert len(trie) == len(prefixes)
    for prefix in prefixes:
        node = node_of(trie, prefix)
        assert node >= 0
        assert sorted(trie.ids_at(node)) == [token for spelling, token in pairs if spelling == prefix]
        children = {trie.labels[child] for child in range(trie.first_list[node], trie.first_list[node + 1])}
        assert children == {p[-1] for p in prefixes if len(p) == len(prefix) + 1 and p.startswith(prefix)}
        below = [
            (spelling[len(prefix) :], token)
            for spelling, token in pairs
            if spelling != prefix and spelling.startswith(prefix)
        ]
        assert sorted(trie.below(node)) == sorted(below)
    assert (node_of(trie, other) >= 0) == (other in prefixes)


@given(pairs)
def test_many_nodes_at_once_are_single_nodes(pairs: list[tuple[bytes, int]]) -> None:
    trie = Trie.build(reversed(pairs))  # in any order
    nodes = np.arange(len(trie), dtype=np.int64)
    children, parents = trie.children_of(nodes)
    assert sorted(children.tolist()) == list(range(1, len(trie)))
    for child, parent in zip(children.tolist(), parents.tolist(), strict=True):
        assert trie.child(parent, trie.labels[child]) == child
    assert sorted(trie.ids_of(nodes).tolist()) == sorted(token for _, token in pairs)
    for byte in b"abcz":
        found = trie.children_by(nodes, np.full(len(trie), byte, dtype=np.int64))
        assert found.tolist() == [trie.child(node, byte) for node in range(len(trie))]


@pytest.mark.parametrize(
    "pairs", [[], [(b"a", 0)], [(b"\x00", 3), (b"\xff", 1), (b"\x00\x00", 2)], [(b"a", 1), (b"a", 0)]]
)
def test_small_tries(pairs: list[tuple[bytes, int]]) -> None:
    trie = Trie.build(pairs)
    assert sorted(trie.below(0)) == sorted(pairs)
    assert trie.child(0, 0x80) == -1 and list(trie.ids_at(0)) == []
    assert trie.children_by(np.zeros(1, dtype=np.int64), np.full(1, 0x80)).tolist() == [-1]


def test_a_trie_of_one_long_word_is_as_deep_as_the_word() -> None:
    trie = Trie.build([(b"x" * 5000, 7)])
    assert len(trie) == 5001 and trie.below(4999) == [(b"x", 7)] and list(trie.ids_at(5000)) == [7]


def test_spans() -> None:
    assert spans(np.array([3, 8, 1]), np.array([2, 0, 3])).tolist() == [3, 4, 1, 2, 3]
    assert spans(np.array([], dtype=np.int64), np.array([], dtype=np.int64)).tolist() == []
