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

from collections import deque
from collections.abc import Mapping
from copy import copy
from functools import cached_property
from itertools import islice
from operator import index

import numpy as np
from numpy.typing import NDArray

from tooldec import explain
from tooldec.automaton import DFA
from tooldec.errors import DeadEndError, VocabularyError
from tooldec.grammar import Grammar, Label
from tooldec.lifting.masks import inside
from tooldec.lifting.repeats import Repeats
from tooldec.lifting.walk import clear_bits, set_bits, walk
from tooldec.mentions import mentioned, notes, unspelled
from tooldec.states import counting
from tooldec.states.cells import Cell, CountCell, EndCell, HostCell, NamesCell, SpecialCell, TableCell, TextCell
from tooldec.symbols import Symbol, symbols_text
from tooldec.vocabulary import Vocabulary

Mask = NDArray[np.uint8]
"""Packed bits, little-endian: token t is bit t & 7 of byte t >> 3; shape (ceil(V / 8),)."""


PASSING_ROWS = 1000
"""So many rows are kept of states that aren't kept themselves (see `states`)."""

LONGEST_FORCED = 4096
"""Bytes of forced text that are looked ahead at most."""


class TokenFSM:
    """The machine (S, V, g, s0, R) of section 3.1; states are numbers, rows are made when visited.

    S is `states`, V `vocabulary`, g `step` (and `allowed`), s0 `initial`, R `vocabulary.eos`.
    May be shared between threads.
    """

    def __init__(self, dfa: DFA, vocabulary: Vocabulary) -> None:
        self.dfa, self.vocabulary = dfa, vocabulary
        self._lock = dfa.lock  # one for both: masks intern cells and frames, too
        named = dfa.specials - vocabulary.controls  # tokens with a text, which the grammar takes as symbols
        spelled = {token: name for name in named for token in vocabulary.ids(name)}
        controls = vocabulary.controls_by_id
        self._marked: Mapping[int, str] = {**controls, **spelled} if spelled else controls
        self._width = (vocabulary.size + 7) // 8
        self._shapes: dict[int, Mask] = {}
        self._repeats = Repeats(dfa, vocabulary)
        self._rows: dict[int, Mask] = {}
        self._passing: deque[int] = deque()
        self._steps: dict[tuple[int, int], int | None] = {}
        self._finished = dfa.state(())
        self._plain = np.full(self._width, 0xFF, dtype=np.uint8)  # every bit but those of tokens read as symbols
        clear_bits(self._plain, [token for token in spelled if isinstance(vocabulary.spelling(token), bytes)])
        clear_bits(self._plain, list(vocabulary.eos))  # a model may end with a token that spells something

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
                if self.dfa.is_passing(state):
                    self._passing.append(state)
                    while len(self._passing) > PASSING_ROWS:
                        self._rows.pop(self._passing.popleft(), None)
        return mask

    def step(self, state: int, token: int) -> int | None:
        """g(state, token), or None where it is undefined."""
        key = (state, index(token))  # of a tensor, too, which would be another key each time
        if key in self._steps:
            return self._steps[key]
        after = self._step(*key)
        if not self.dfa.is_passing(state):
            self._steps[key] = after
        return after

    def is_accepting(self, state: int) -> bool:
        """EOS is defined here, or the call is complete."""
        return state == self._finished or self.dfa.is_accepting(state)

    # ---- around it

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What the machine leaves unchecked, because its writing was relaxed."""
        return notes(self.dfa.grammar)

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
        inside = next((c for c in cells if isinstance(c, TableCell)), None)
        return (inside or next((c for c in cells if c is not self.dfa.end), self.dfa.end)).label

    def forced(self, state: int) -> bytes:
        """The bytes that must come next, as far as there is only one way on: `uare(` behind `<T>sq`."""
        written = bytearray()
        at: int | None = state
        while at is not None and len(written) < LONGEST_FORCED:
            cells = self.dfa.cells(at)
            first = list(islice(self.dfa.readable(cells[0]), 2)) if len(cells) == 1 else []
            if len(first) != 1 or not isinstance(first[0], int) or cells[0].accepting:
                break
            written.append(first[0])
            at = self.dfa.step(at, first[0])
        return bytes(written)

    def extended(self, grammar: Grammar) -> TokenFSM:
        """A machine for another grammar that shares everything this one has built: states, transitions, masks.

        Adding a tool to a machine in use costs what is new; runs of either go on side by side.
        """
        other = copy(self)
        other.__dict__.pop("warnings", None)  # it is of the grammar
        other.dfa = self.dfa.with_grammar(grammar)
        return other

    def ahead(self, kinds: int = 40, names: int = 5) -> None:
        """Make masks before anybody needs them: of so many kinds of cells, those that are reached first.

        names   how many of a choice's names are followed to their arguments
        """
        with self._lock:
            cells = list(self.dfa.cells(self.initial))
            for cell in cells:  # grows while it is read
                if cell.shape not in self._shapes:
                    if kinds == 0:
                        break
                    kinds -= 1
                    self._cell_mask(cell)
                cells += [after for after in self._beyond(cell, names) if after not in cells]

    def _beyond(self, cell: Cell, names: int) -> tuple[Cell, ...]:
        """The cells with which reading goes on once a cell has been read whole."""
        if isinstance(cell, NamesCell):
            words = range(cell.low, min(cell.high, cell.low + names))
            return tuple(dict.fromkeys(after for word in words for after in self.dfa.complete_name(cell, word)))
        return () if isinstance(cell, EndCell | HostCell) else self.dfa.heads(cell.rest)

    def why_blocked(self, state: int, token: int) -> str | None:
        """What was expected, and at which byte the token fails; None where it is allowed.

        Behind `<T>sq`, of the token `uared`: "byte 5: no tool is called “squared”".
        """
        if token in self.vocabulary.eos:
            return None if self.dfa.is_accepting(state) else "the answer can't end inside of a call"
        symbols = self.symbols(token)
        if symbols is None:
            return "a padding row of the model spells nothing"
        return explain.why_blocked(self.dfa, state, symbols)

    def symbols(self, token: int) -> tuple[Symbol, ...] | None:
        """What the automaton reads for a token: bytes, one special token, or None for padding and EOS."""
        if token in self.vocabulary.eos or not 0 <= token < self.vocabulary.size:
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
                set_bits(mask, tuple(self.vocabulary.eos))
        if not mask.any() and not self.is_complete(state) and not self.is_host(state):
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
        if cell.memory:
            allowed = self._cell_mask(cell.bare)
            if repeats := self._repeats.tokens(cell, allowed):
                clear_bits(allowed := allowed.copy(), repeats)
            return allowed
        mask = self._shapes.get(cell.shape)
        if mask is None:
            mask = self._shapes[cell.shape] = self._new_mask(cell)
        return mask

    def _new_mask(self, cell: Cell) -> Mask:
        if isinstance(cell, TableCell) and not cell.table.narrow:
            if isinstance(cell, CountCell):
                stay, leave = counting.inside(self.vocabulary, cell)
            else:
                stay, leave = inside(self.vocabulary, cell.table, cell.at)
            mask = stay & self._plain
            if leave is not None:
                walk(self.dfa, leave, ((after, 0) for after in self.dfa.heads(cell.rest))).into(mask)
                mask &= self._plain
            if isinstance(cell, TextCell):
                set_bits(mask, [token for token, name in self._marked.items() if cell.takes(name)])
            return mask
        mask = np.zeros(self._width, dtype=np.uint8)
        if isinstance(cell, SpecialCell):
            set_bits(mask, self.vocabulary.ids(cell.name))
        else:
            walk(self.dfa, self.vocabulary.trie, [(cell, 0)]).into(mask)
            mask &= self._plain
        return mask


def build_fsm(grammar: Grammar, vocabulary: Vocabulary) -> TokenFSM:
    """The machine of a grammar over a vocabulary.

    Special tokens are symbols, and so is an added token that the grammar names; a name that the vocabulary lacks is
    spelled out in bytes. Raises VocabularyError where a token of the vocabulary would be text, though its spelling
    begins a call.
    """
    if tokens := sorted(unspelled(grammar) & vocabulary.controls):
        raise VocabularyError(
            f"`{tokens[0]}` is a token of the vocabulary, and this grammar spells it",
            fix="use scheme.for_model(model), or dataclasses.replace(scheme, tokens=frozenset(vocabulary.specials))",
        )
    added = mentioned(grammar).intersection(vocabulary.added)
    ends = set(vocabulary.eos)
    symbols = vocabulary.controls.union(name for name in added if not ends.issuperset(vocabulary.ids(name)))
    return TokenFSM(DFA(grammar, symbols), vocabulary)
