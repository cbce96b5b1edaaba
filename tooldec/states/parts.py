"""The frames and cells of an automaton, each made once: equal states are the same objects (see `automaton`).
`shape` is a cell's or frame's identity without its labels, by which masks are shared between tools that look alike.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import count
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tooldec.grammar import (
    Choice,
    Counted,
    Deferred,
    Forever,
    Grammar,
    HostText,
    Label,
    Labelled,
    Literal,
    Names,
    Noted,
    Repeat,
    Sequence,
    Special,
    Submachine,
    SymbolClass,
    Until,
)
from tooldec.states.cells import (
    Cell,
    ClassCell,
    CountCell,
    EndCell,
    Frame,
    HostCell,
    LiteralCell,
    NamesCell,
    SpecialCell,
    TableCell,
    TextCell,
)
from tooldec.states.counting import Tally
from tooldec.states.memory import Mark, Memory, Unique
from tooldec.states.shapes import Shapes
from tooldec.states.table import KEPT
from tooldec.submachine import Table, text_table

C = TypeVar("C", bound=Cell)
NamesArray = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]


class Parts(ABC):
    """Makes frames and cells, interned, and only where somebody has been."""

    end: Cell

    def __init__(self, specials: Iterable[str]) -> None:
        self.specials = frozenset(specials)
        self.lock = threading.RLock()
        self._frames: dict[tuple[int, Label, Frame | None], Frame] = {}
        self._cells: dict[tuple[object, ...], Cell] = {}
        self._remembering: dict[tuple[Cell, tuple[Memory, ...]], Cell] = {}
        self._serials = count()
        self._shapes = Shapes(self.tally_of)
        self._repeats: dict[tuple[int, int, int | None], Repeat] = {}
        self._tails: dict[tuple[int, int], Grammar] = {}
        self._arrays: dict[int, NamesArray] = {}
        self.end = self._cell(EndCell, Label("end"), None, "end")

    @abstractmethod
    def table_of(self, term: Submachine) -> Table:
        """The complete automaton of a submachine."""

    @abstractmethod
    def tally_of(self, term: Counted) -> Tally:
        """The counting submachine of a string with bounds."""

    def frame(self, term: Grammar, label: Label, rest: Frame | None) -> Frame:
        key = (id(term), label, rest)
        with self.lock:
            frame = self._frames.get(key)
            if frame is None:
                shape = self._shapes.of(("frame", self._shapes.of_term(term), rest.shape if rest else 0))
                frame = self._frames[key] = Frame(term, label, rest, shape)
        return frame

    def heads(self, frame: Frame | None) -> tuple[Cell, ...]:
        """The cells with which reading goes on at a frame."""
        if frame is None:
            return (self.end,)
        if frame.heads is None:
            with self.lock:
                frame.heads = tuple(dict.fromkeys(self._expand(frame)))
        return frame.heads

    def _expand(self, start: Frame) -> Iterator[Cell]:
        stack: list[Frame | None] = [start]
        seen: set[Frame | None] = set()
        while stack:
            frame = stack.pop()
            if frame in seen:
                continue
            seen.add(frame)
            if frame is None:
                yield self.end
                continue
            term, label, rest = frame.term, frame.label, frame.rest
            if isinstance(term, Sequence):
                for part in reversed(term.parts):
                    rest = self.frame(part, label, rest)
                stack.append(rest)
            elif isinstance(term, Choice):
                stack += [self.frame(option, label, rest) for option in reversed(term.options)]
            elif isinstance(term, Mark):
                stack.append(rest)
            elif isinstance(term, Unique):
                yield from (
                    self.remembering(head.bare, (Memory(term), *head.memory))
                    for head in self.heads(self.frame(term.body, label, rest))
                )
            elif isinstance(term, Labelled | Noted):
                stack.append(self.frame(term.body, term.label if isinstance(term, Labelled) else label, rest))
            elif isinstance(term, Counted):
                tally = self.tally_of(term)
                if tally.ends(0, 0):
                    stack.append(rest)
                if tally.fits(0, 0):
                    yield self.counted(tally, 0, 0, label, rest)
            elif isinstance(term, Repeat):
                if term.low == 0:
                    stack.append(rest)
                if term.high != 0:
                    stack.append(self.frame(term.body, label, self.frame(self._one_less(term), label, rest)))
            elif isinstance(term, Deferred):
                stack.append(self.frame(self.made(term), label, rest))
            elif isinstance(term, Forever):
                stack.append(self.frame(term.body, label, frame))
            elif isinstance(term, Literal) and not term.text:
                stack.append(rest)
            elif isinstance(term, Submachine):
                table = self.table_of(term)
                if table.accepting[0]:
                    stack.append(rest)
                if table.leads_on[0]:
                    yield self.table(table, 0, label, rest)
            else:
                yield self._head(term, label, rest)

    def _head(self, term: Grammar, label: Label, rest: Frame | None) -> Cell:
        if isinstance(term, Literal):
            return self.literal(term.text, 0, label, rest)
        if isinstance(term, SymbolClass):
            cell = self._cell(ClassCell, label, rest, term.symbols)
            cell.symbols = term.symbols
            return cell
        if isinstance(term, Names):
            return self.names(term, 0, len(term.words), 0, label, rest)
        if isinstance(term, Until):
            spelled = b"" if term.marker in self.specials else term.marker.encode()
            table = text_table(spelled, tuple(b.encode() for b in term.barred if b not in self.specials))
            return self._text(table, 0, term.marker, frozenset(term.barred), term.ends, label, rest)
        if isinstance(term, Special):
            if term.name not in self.specials:
                return self.literal(term.name.encode(), 0, label, rest)
            special = self._cell(SpecialCell, label, rest, term.name)
            special.name = term.name
            return special
        if isinstance(term, HostText):
            return self._cell(HostCell, label, rest, "host")
        raise TypeError(f"not a grammar term: {term!r}")

    def literal(self, text: bytes, at: int, label: Label, rest: Frame | None) -> Cell:
        cell = self._cell(LiteralCell, label, rest, text, at)
        cell.text, cell.at = text, at
        return cell

    def names(self, names: Names, low: int, high: int, depth: int, label: Label, rest: Frame | None) -> Cell:
        cell = self._cell(NamesCell, label, rest, id(names), low, high, depth)
        cell.names, cell.low, cell.high, cell.depth = names, low, high, depth
        return cell

    def names_after(self, cell: NamesCell, low: int, high: int, depth: int) -> tuple[Cell, ...]:
        """The cells where the words low..high have been read up to `depth`: some may be complete."""
        complete: tuple[Cell, ...] = ()
        if len(cell.names.words[low]) == depth:
            complete = self.complete_name(cell, low)
            low += 1
        if low == high:
            return complete
        return (self.names(cell.names, low, high, depth, cell.label, cell.rest), *complete)

    def complete_name(self, cell: NamesCell, word: int) -> tuple[Cell, ...]:
        """The cells that follow the word of this number."""
        with self.lock:
            return self.heads(self.frame(self.tail(cell.names, word), cell.label, cell.rest))

    def names_array(self, names: Names) -> NamesArray:
        """All words end to end, for NumPy: their lengths, where each starts, and the bytes."""
        known = self._arrays.get(id(names))
        if known is None:
            lengths = np.fromiter(map(len, names.words), dtype=np.int64, count=len(names.words))
            data = np.frombuffer(b"".join(names.words), dtype=np.uint8)
            known = self._arrays[id(names)] = (lengths, np.cumsum(lengths) - lengths, data)
        return known

    def table(self, table: Table, at: int, label: Label, rest: Frame | None) -> Cell:
        cell = self._cell(TableCell, label, rest, id(table), at)
        cell.table, cell.at = table, at
        return cell

    def table_after(self, cell: TableCell, at: int) -> tuple[Cell, ...]:
        if at < 0:
            return ()
        with self.lock:  # a new cell is whole before another thread can come by it
            after = self.heads(cell.rest) if cell.table.accepting[at] else ()
            if isinstance(cell, TextCell):
                return (self.text(cell, at), *after) if cell.table.leads_on[at] else after
            return (self.table(cell.table, at, cell.label, cell.rest), *after) if cell.table.leads_on[at] else after

    def counted(self, tally: Tally, at: int, count: int, label: Label, rest: Frame | None) -> Cell:
        count = tally.counted(count)
        cell = self._cell(CountCell, label, rest, id(tally), at, count)
        if not hasattr(cell, "tally"):
            cell.table, cell.at, cell.tally, cell.count = tally.clock.table, at, tally, count
            cell.shape = self._shapes.of((CountCell, rest.shape if rest else 0, id(tally), at, tally.look(count)))
        return cell

    def counted_after(self, cell: CountCell, at: int, count: int) -> tuple[Cell, ...]:
        after = self.heads(cell.rest) if cell.tally.ends(at, count) else ()
        if not cell.table.leads_on[at]:
            return after
        return (self.counted(cell.tally, at, count, cell.label, cell.rest), *after)

    def text(self, cell: TextCell, at: int) -> Cell:
        return self._text(cell.table, at, cell.marker, cell.barred, cell.accepting, cell.label, cell.rest)

    def _text(
        self, table: Table, at: int, marker: str, barred: frozenset[str], ends: bool, label: Label, rest: Frame | None
    ) -> Cell:
        cell = self._cell(TextCell, label, rest, id(table), marker, at, barred, ends)
        cell.table, cell.at, cell.marker, cell.barred, cell.accepting = table, at, marker, barred, ends
        return cell

    def _cell(self, kind: type[C], label: Label, rest: Frame | None, *data: object) -> C:
        """The one cell of this kind and data; the caller fills in the data's fields."""
        key = (kind, label, rest, *data)
        with self.lock:
            cell = self._cells.get(key)
            if cell is None:
                cell = self._cells[key] = kind()
                cell.label, cell.rest, cell.serial = label, rest, next(self._serials)
                cell.bare, cell.memory = cell, ()
                cell.shape = self._shapes.of((kind, rest.shape if rest else 0, *data))
        return cell  # type: ignore[return-value]  # the key's first field is its class

    def remembering(self, cell: Cell, memory: tuple[Memory, ...]) -> Cell:
        """A cell that has no memory with one."""
        with self.lock:
            found = self._remembering.get((cell, memory)) if memory else cell
            if found is None:
                if len(self._remembering) >= 2 * KEPT:
                    self._remembering.clear()
                found = self._remembering[cell, memory] = copy(cell)
                found.memory, found.serial = memory, next(self._serials)
        return found

    def _one_less(self, term: Repeat) -> Repeat:
        if term.low == 0 and term.high is None:
            return term
        low, high = max(term.low - 1, 0), None if term.high is None else term.high - 1
        return self._repeats.setdefault((id(term.body), low, high), type(term)(term.body, low, high))

    def made(self, term: Deferred) -> Grammar:
        """The term that a deferred one stands for."""
        key = (id(term), -1)
        if key not in self._tails:
            self._tails[key] = term.make()
        return self._tails[key]

    def tail(self, names: Names, index: int) -> Grammar:
        """What follows a word."""
        key = (id(names), index)
        if key not in self._tails:
            self._tails[key] = names.tail(index)
        return self._tails[key]
