"""The automaton lifted to tokens: which tokens a state allows, as one packed mask for each visited state.

A token is allowed where the automaton can read all its symbols, so every tokenisation of a valid text is allowed and
a token may cross the border between text, name and arguments (`("`, `5)`). The masks of a state's cells are joined:

    literal, names, class     the cell and the vocabulary's trie are walked together, in plain Python where the ways
                              are few; many names are walked by NumPy, one vector step for each depth
    submachine, text          the tokens that stay inside are found once for each vocabulary and kept with it; those
                              that leave ("5)", "\\"," …) form a small trie of what follows, walked by what follows

Special tokens are symbols of their own. EOS is allowed in accepting states only; padding rows never.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from tooldec import explain
from tooldec.automaton import DFA
from tooldec.cells import (
    Cell,
    ClassCell,
    LiteralCell,
    NamesCell,
    SpecialCell,
    Symbol,
    TableCell,
    TextCell,
)
from tooldec.errors import DeadEndError
from tooldec.grammar import Grammar, Label, mentioned, symbols_text
from tooldec.submachine import Table
from tooldec.trie import Trie
from tooldec.vocabulary import Vocabulary

Mask = NDArray[np.uint8]
"""Packed bits, little-endian: token t is bit t & 7 of byte t >> 3; shape (ceil(V / 8),)."""

WIDE = 48  # from so many names on, NumPy is quicker than plain Python (measured on qwen-152k)


class TokenFSM:
    """The machine (S, V, g, s0, R) of section 3.1; states are numbers, rows are made when visited.

    S is `states`, V `vocabulary`, g `step` (and `allowed`), s0 `initial`, R `vocabulary.eos`.
    May be shared between threads.
    """

    def __init__(self, dfa: DFA, vocabulary: Vocabulary) -> None:
        self.dfa, self.vocabulary = dfa, vocabulary
        self._lock = threading.RLock()
        self._marked = {token: name for name in dfa.specials for token in vocabulary.ids(name)}
        self._width = (vocabulary.size + 7) // 8
        self._shapes: dict[int, Mask] = {}
        self._rows: dict[int, Mask] = {}
        self._steps: dict[tuple[int, int], int | None] = {}
        self._finished = dfa.state(())
        self._plain = np.zeros(self._width, dtype=np.uint8)  # every bit but those of tokens read as symbols
        self._plain[:] = 0xFF
        _clear(self._plain, (t for t in self._marked if isinstance(vocabulary.spelling(t), bytes)))

    # ---- the five parts

    @property
    def initial(self) -> int:
        """s0."""
        return self.dfa.initial

    @property
    def states(self) -> range:
        """S, as far as it has been visited."""
        return range(len(self.dfa))

    def allowed(self, state: int) -> NDArray[np.bool_]:
        """The tokens for which g(state, ·) is defined: bool, shape (V,).

        Raises DeadEndError where the vocabulary cannot leave a state that waits for more.
        """
        bits = np.unpackbits(self.mask(state), count=self.vocabulary.size, bitorder="little")
        return bits.view(np.bool_)

    def mask(self, state: int) -> Mask:
        """The same as packed bits; don't change it."""
        mask = self._rows.get(state)
        if mask is None:
            with self._lock:
                mask = self._rows[state] = self._build(state)
        return mask

    def step(self, state: int, token: int) -> int | None:
        """g(state, token), or None where it is undefined."""
        key = (state, token)
        if key not in self._steps:
            self._steps[key] = self._step(state, token)
        return self._steps[key]

    def is_accepting(self, state: int) -> bool:
        """EOS is defined here, or the call is complete."""
        return state == self._finished or self.dfa.is_accepting(state)

    # ---- around it

    def is_complete(self, state: int) -> bool:
        """Nothing but the end of the text can follow."""
        return state == self._finished or self.dfa.cells(state) == (self.dfa.end,)

    def is_host(self, state: int) -> bool:
        """The host writes here (a result); no token crosses."""
        return self.dfa.is_host(state)

    def after_host(self, state: int) -> int:
        """The state once the host has written its text."""
        return self.dfa.after_host(state)

    def label(self, state: int) -> Label:
        """What the state stands for: the innermost of its cells' labels."""
        cells = self.dfa.cells(state)
        inner = next((c for c in cells if isinstance(c, TableCell)), cells[0] if cells else self.dfa.end)
        return inner.label

    def why_blocked(self, state: int, token: int) -> str | None:
        """A sentence: what was expected, and at which byte the token fails; None where it is allowed.

        >>> fsm.why_blocked(fsm.read("<T>sq"), token_of("uared"))  # doctest: +SKIP
        'byte 5: expected `(`, not `d`'
        """
        if token in self.vocabulary.eos:
            return None if self.dfa.is_accepting(state) else "the answer can't end inside of a call"
        symbols = self.symbols(token)
        if symbols is None:
            return "a padding row of the model spells nothing"
        return explain.why_blocked(self.dfa, state, symbols)

    def symbols(self, token: int) -> tuple[Symbol, ...] | None:
        """What the automaton reads for a token: bytes, one special token, or None for padding and EOS."""
        if token in self.vocabulary.eos:
            return None
        if token in self._marked:
            return (self._marked[token],)
        spelling = self.vocabulary.spelling(token)
        return tuple(spelling) if isinstance(spelling, bytes) and spelling else None

    def _step(self, state: int, token: int) -> int | None:
        if token in self.vocabulary.eos:
            return self._finished if self.dfa.is_accepting(state) else None
        symbols = self.symbols(token)
        return None if symbols is None else self.dfa.read(symbols, state)

    # ---- masks

    def _build(self, state: int) -> Mask:
        cells = self.dfa.cells(state)
        if len(cells) == 1 and not cells[0].accepting:
            mask = self._cell_mask(cells[0])
        else:
            mask = np.zeros(self._width, dtype=np.uint8)
            for cell in cells:
                mask |= self._cell_mask(cell)
            if any(cell.accepting for cell in cells):
                _set(mask, self.vocabulary.eos)
        if cells and not self.dfa.is_host(state) and not mask.any():
            raise DeadEndError(
                f"no token of the vocabulary can leave state {state} ({self.label(state).mode}), which waits for "
                + self._expected(state),
                fix="use a model whose vocabulary can spell it",
            )
        return mask

    def _expected(self, state: int) -> str:
        first = self.dfa.first(state)
        names = sorted(symbol for symbol in first if isinstance(symbol, str))
        return " or ".join([*names, symbols_text(symbol for symbol in first if isinstance(symbol, int))])

    def _cell_mask(self, cell: Cell) -> Mask:
        mask = self._shapes.get(cell.shape)
        if mask is None:
            mask = self._shapes[cell.shape] = self._new_mask(cell)
        return mask

    def _new_mask(self, cell: Cell) -> Mask:
        trie = self.vocabulary.trie
        if isinstance(cell, TableCell):
            stay, leave = self._inside(cell.table, cell.at)
            mask = stay & self._plain
            if leave is not None:
                _set(mask, self._walk([(after, 0) for after in self.dfa.heads(cell.rest)], leave))
                mask &= self._plain
            if isinstance(cell, TextCell):
                _set(mask, self._marked)
            return mask
        mask = np.zeros(self._width, dtype=np.uint8)
        if isinstance(cell, SpecialCell):
            _set(mask, self.vocabulary.ids(cell.name))
        else:
            _set(mask, self._walk([(cell, 0)], trie))
            mask &= self._plain
        return mask

    def _inside(self, table: Table, at: int) -> tuple[Mask, Trie | None]:
        """The tokens that stay in a submachine, and the trie of what follows in those that leave it."""
        key = (table, at)
        kept = self.vocabulary.masks.get(key)
        if kept is None:
            kept = self.vocabulary.masks[key] = _split(table, at, self.vocabulary.trie, self._width)
        return kept

    def _walk(self, start: list[tuple[Cell, int]], trie: Trie) -> list[int]:
        """The tokens below each (cell, trie node) that the cell and what follows it can read."""
        found: list[int] = []
        stack, seen = list(start), set(start)
        labels, first = trie.labels, trie.first_list
        tokens, token_first = trie.token_list, trie.token_list_first
        dfa = self.dfa
        while stack:
            cell, node = stack.pop()
            low, high = first[node], first[node + 1]
            if low == high:
                continue
            if isinstance(cell, LiteralCell):
                text, at = cell.text, cell.at
                while True:
                    node = labels.find(text[at], low, high)
                    if node < 0:
                        break
                    found += tokens[token_first[node] : token_first[node + 1]]
                    at += 1
                    low, high = first[node], first[node + 1]
                    if at == len(text):
                        afters: Iterable[tuple[Cell, int]] = ((after, node) for after in dfa.heads(cell.rest))
                        break
                    if low == high:
                        node = -1
                        break
                if node < 0:
                    continue
            elif isinstance(cell, NamesCell):
                if cell.high - cell.low >= WIDE:
                    ids, afters = self._walk_names(cell, node, trie)
                    found += ids
                else:
                    afters = self._advance(cell, cell.first(dfa), node, trie, found)
            elif isinstance(cell, TableCell):
                row = cell.table.rows[cell.at]
                afters = self._advance(cell, (b for b in set(labels[low:high]) if row[b] >= 0), node, trie, found)
            elif isinstance(cell, ClassCell):
                afters = self._advance(cell, cell.symbols.intersection(labels[low:high]), node, trie, found)
            else:
                continue
            for pair in afters:
                if pair not in seen:
                    seen.add(pair)
                    stack.append(pair)
        return found

    def _advance(
        self, cell: Cell, symbols: Iterable[Symbol], node: int, trie: Trie, found: list[int]
    ) -> Iterator[tuple[Cell, int]]:
        for symbol in symbols:
            assert isinstance(symbol, int)
            child = trie.child(node, symbol)
            if child >= 0:
                found += trie.ids_at(child)
                for after in cell.advance(symbol, self.dfa):
                    yield after, child

    def _walk_names(self, cell: NamesCell, node: int, trie: Trie) -> tuple[list[int], list[tuple[Cell, int]]]:
        """Follow many names through the trie at once: one vector step for each byte of depth."""
        lengths, starts, data = self.dfa.names_array(cell.names)
        index = np.arange(cell.low, cell.high)
        nodes = np.full(len(index), node, dtype=np.int64)
        found: list[int] = []
        complete: list[tuple[Cell, int]] = []
        depth = cell.depth
        while len(index):
            byte = data[starts[index] + depth].astype(np.int64)
            new = np.ones(len(index), dtype=bool)  # words are sorted: equal (node, byte) pairs are neighbours
            new[1:] = (byte[1:] != byte[:-1]) | (nodes[1:] != nodes[:-1])
            child = trie.children_by(nodes[new], byte[new])
            found += trie.ids_of(child[child >= 0]).tolist()
            nodes = child[np.cumsum(new) - 1]
            index, nodes = index[nodes >= 0], nodes[nodes >= 0]
            depth += 1
            ended = lengths[index] == depth
            for word, at in zip(index[ended].tolist(), nodes[ended].tolist(), strict=True):
                if trie.first_list[at] < trie.first_list[at + 1]:
                    complete += [(after, at) for after in self.dfa.complete_name(cell, word)]
            index, nodes = index[~ended], nodes[~ended]
        return found, complete


def build_fsm(grammar: Grammar, vocabulary: Vocabulary) -> TokenFSM:
    """The machine of a grammar over a vocabulary.

    Special tokens are symbols, and so is an added token that the grammar names; a name that the vocabulary lacks is
    spelled out in bytes.
    """
    named, ends = mentioned(grammar), set(vocabulary.eos)
    symbols = (
        name
        for name, ids in vocabulary.specials.items()
        if not ends.issuperset(ids) and (name in named or isinstance(vocabulary.spelling(ids[0]), str))
    )
    return TokenFSM(DFA(grammar, symbols), vocabulary)


def _split(table: Table, at: int, trie: Trie, width: int) -> tuple[Mask, Trie | None]:
    """Walk a submachine through the whole trie, level by level."""
    accepting = np.array(table.accepting)
    nodes, states = np.zeros(1, dtype=np.int64), np.array([at])
    inside: list[NDArray[np.int32]] = []
    leaving: list[tuple[bytes, int]] = []
    labels = np.frombuffer(trie.labels, dtype=np.uint8)
    while len(nodes):
        children, parent = trie.children_of(nodes)
        states = table.array[states[parent], labels[children]]
        alive = states >= 0
        nodes, states = children[alive], states[alive]
        inside.append(trie.ids_of(nodes))
        leaves = nodes[accepting[states]]
        for node in leaves[trie.first[leaves] < trie.first[leaves + 1]].tolist():
            leaving += _below(trie, node)
    mask = np.zeros(width * 8, dtype=np.uint8)
    mask[np.concatenate(inside)] = 1
    return np.packbits(mask, bitorder="little"), Trie.build(leaving) if leaving else None


def _below(trie: Trie, top: int) -> Iterator[tuple[bytes, int]]:
    """Every token strictly below a node, with its spelling from there on."""
    stack = [(top, b"")]
    while stack:
        node, spelling = stack.pop()
        for child in range(trie.first_list[node], trie.first_list[node + 1]):
            longer = spelling + trie.labels[child : child + 1]
            for token in trie.ids_at(child):
                yield longer, token
            stack.append((child, longer))


def _set(mask: Mask, ids: Iterable[int]) -> None:
    chosen = np.fromiter(ids, dtype=np.int64)
    np.bitwise_or.at(mask, chosen >> 3, (1 << (chosen & 7)).astype(np.uint8))


def _clear(mask: Mask, ids: Iterable[int]) -> None:
    for token in ids:
        mask[token >> 3] &= 0xFF ^ (1 << (token & 7))
