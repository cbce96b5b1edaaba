"""The tokens that would repeat an item of a list whose items must differ (see `memory`).

The mask of a cell with a memory is that of the cell without it, less a few tokens. Only these can be among them:
those that end an item, and those behind which few values are left to the present one. Which they are is found out once
for each cell without its memory; each visit then reads them with what it remembers.

    ["a", "b", "a      `",` ends an item; read on from `"a` it would be "a" again  ->  blocked
                       `bc` stays inside of a string, behind which any number of values is left  ->  never looked at
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tooldec.automaton import DFA
from tooldec.lifting.masks import ending_in, inside
from tooldec.lifting.retracing import along, begun
from tooldec.states import counting, variety
from tooldec.states.cells import Cell, CountCell, TableCell
from tooldec.states.memory import NONE, Memory, read
from tooldec.states.remembering import is_complete, is_open

if TYPE_CHECKING:
    from tooldec.vocabulary import Vocabulary

FEW = 64
"""States behind which no more values than this can follow are looked at, or than there are items, in powers of two."""

Mask = NDArray[np.uint8]

_Key = tuple[Cell, tuple[tuple[object, ...], ...], int]


@dataclass(frozen=True, slots=True)
class _Suspect:
    """A token that may repeat an item, and the cells that it leads to, without their memory."""

    token: int
    spelling: bytes
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class _Suspects:
    """What may be repeated by a token at a cell.

    any_item    the tokens that can repeat an item of their own
    present     those that can repeat the present item only; None within a string, whose characters tell which
    """

    any_item: list[_Suspect]
    present: list[_Suspect] | None


class Repeats:
    """What one machine has found out about tokens that may repeat an item, by cell."""

    def __init__(self, dfa: DFA, vocabulary: Vocabulary) -> None:
        self._dfa, self._vocabulary = dfa, vocabulary
        self._suspects: dict[_Key, _Suspects] = {}

    def tokens(self, cell: Cell, mask: Mask) -> list[int]:
        """Those of a mask's tokens that a cell's memory bars; `mask` is that of the cell without its memory."""
        most = max(len(one.used) for one in cell.memory) + 1
        limit = max(FEW, 1 << most.bit_length())
        key = (
            cell.bare,
            tuple((one.term, one.depth, one.quoted, one.idle, bool(one.text)) for one in cell.memory),
            limit,
        )
        known = self._suspects.get(key)
        if known is None:
            known = self._suspects[key] = self._found(cell, mask, limit)
        suspects = known.any_item
        if any(one.is_near for one in cell.memory):
            suspects = [*suspects, *(self._along(cell, mask) if known.present is None else known.present)]
        return [one.token for one in suspects if not self._fits(one, cell.memory)]

    def _along(self, cell: Cell, mask: Mask) -> Iterator[_Suspect]:
        """The tokens by which the present string goes on as one that is there: any other makes another item."""
        before, pending = begun(next(one.text for one in cell.memory if not one.idle))
        strings = frozenset().union(*(one.strings for one in cell.memory))
        rests = [string[len(before) :] for string in strings if string.startswith(before)]
        return self._suspected(cell.bare, along(self._vocabulary.trie, rests, pending), mask)

    def _fits(self, suspect: _Suspect, memory: tuple[Memory, ...]) -> bool:
        for byte in suspect.spelling:
            after = read(memory, byte)
            if after is None:
                return False
            memory = after
        return any(is_open((cell, memory), self._dfa) for cell in suspect.cells)

    def _found(self, cell: Cell, mask: Mask, limit: int) -> _Suspects:
        in_string = bool(cell.memory[-1].quoted)
        found = _Suspects([], None if in_string else [])
        for one in self._suspected(cell.bare, self._candidates(cell.bare, mask, limit, in_string), mask):
            looks = [self._looks(memory, one, limit) for memory in cell.memory]
            if any(own for _, own in looks):
                found.any_item.append(one)
            elif found.present is not None and any(present for present, _ in looks):
                found.present.append(one)
        return found

    def _suspected(self, cell: Cell, tokens: Iterable[int], mask: Mask) -> Iterator[_Suspect]:
        for token in tokens:
            spelling = self._vocabulary.spelling(token)
            if mask[token >> 3] >> (token & 7) & 1 and isinstance(spelling, bytes):
                yield _Suspect(token, spelling, _read(cell, spelling, self._dfa))

    def _looks(self, memory: Memory, suspect: _Suspect, limit: int) -> tuple[bool, bool]:
        """Whether a token may make the present item one that was there, and whether one of its own."""
        one = replace(memory, used=NONE, text=b"0" if memory.text else b"")
        for byte in suspect.spelling:
            after = one.read(byte)
            if after is None:
                return True, True
            one = after
            if not one.depth:
                break
        ends = len(one.used)
        few = bool(one.depth) and not one.idle and self._is_few(one, suspect.cells, limit)
        return bool(ends or few), ends > 1 or bool(ends and few) or bool(memory.idle and (ends or few))

    def _is_few(self, memory: Memory, cells: tuple[Cell, ...], limit: int) -> bool:
        """Whether few values are left to the present item."""
        end, dfa = memory.term.end, self._dfa
        return all(is_complete(cell, memory, dfa) or variety.of_cell(cell, end, dfa) <= limit for cell in cells)

    def _candidates(self, cell: Cell, mask: Mask, limit: int, in_string: bool) -> Iterable[int]:
        if not isinstance(cell, TableCell) or cell.table.narrow:
            found: list[int] = np.nonzero(np.unpackbits(mask, bitorder="little"))[0].tolist()
            return found
        vocabulary, table = self._vocabulary, cell.table
        if isinstance(cell, CountCell):
            tally = cell.tally
            leaving = counting.leaving(vocabulary, cell)
            if not in_string:
                leaving += counting.ending_in(vocabulary, cell, lambda at, n: variety.of_tally(tally, at, n) <= limit)
        else:
            leaves = inside(vocabulary, table, cell.at)[1]
            leaving = [] if leaves is None else leaves.token_list.tolist()
            if not in_string:
                leaving += ending_in(table, cell.at, vocabulary.trie, np.array(variety.of_table(table)) <= limit)
        return dict.fromkeys(leaving)


def _read(cell: Cell, spelling: bytes, dfa: DFA) -> tuple[Cell, ...]:
    """The cells after a token, without their memory."""
    cells = {cell: None}
    for byte in spelling:
        cells = dict.fromkeys(after.bare for one in cells for after in one.advance(byte, dfa))
    return tuple(cells)
