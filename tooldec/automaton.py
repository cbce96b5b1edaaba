"""The deterministic automaton of a grammar, built where it is visited (sections 3.1 and 3.2).

A state is the set of its *cells*. A cell is one way to read on: a term of the grammar, how far inside it we are, and
the stack of *frames* that follow it. Reading a symbol advances each cell; the cells that survive are the next state.
This is subset construction done on demand: nothing exists before it is visited, so 16,000 tools cost a sort, and a
choice of names becomes a trie by itself.

    grammar  Names(add, exp, sqrt, square) "(" IntFSM ")"
    s1       {names[0:4] at 0}         -- "s" -->   {names[2:4] at 1}
             {names[2:4] at 2}  "sq"   -- "uare" --> {"(" of square}

Cells and frames are interned, so equal states are the same object; `shape` is a cell's identity without its label,
by which masks are shared between tools that look alike.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from copy import copy
from operator import attrgetter
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tooldec.cells import (
    Cell,
    ClassCell,
    CountCell,
    EndCell,
    Frame,
    HostCell,
    LiteralCell,
    NamesCell,
    SpecialCell,
    Symbol,
    TableCell,
    TextCell,
)
from tooldec.counting import Tally, clock, tally
from tooldec.grammar import (
    TEXT,
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
from tooldec.submachine import DEAD, Table, columns_of, text_table

C = TypeVar("C", bound=Cell)
NamesArray = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]


class DFA:
    """The machine over symbols: states are numbered from 0 in the order of their first visit.

    `specials` are the special tokens of the alphabet; one that the alphabet lacks is spelled out in bytes.

    >>> from tooldec.grammar import Literal
    >>> dfa = DFA(Literal(b"ab"))
    >>> dfa.is_accepting(dfa.read(b"ab")), dfa.read(b"b")
    (True, None)
    """

    def __init__(self, grammar: Grammar, specials: Iterable[str] = ()) -> None:
        self.grammar, self.specials = grammar, frozenset(specials)
        self.lock = threading.RLock()
        self._frames: dict[tuple[int, Label, Frame | None], Frame] = {}
        self._cells: dict[tuple[object, ...], Cell] = {}
        self._shapes: dict[object, int] = {}
        self._term_shapes: dict[int, tuple[Grammar, int]] = {}
        self._repeats: dict[tuple[int, int, int | None], Repeat] = {}
        self._tails: dict[tuple[int, int], Grammar] = {}
        self._arrays: dict[int, NamesArray] = {}
        self._states: list[tuple[Cell, ...]] = []
        self._numbers: dict[tuple[Cell, ...], int] = {}
        self._steps: list[dict[Symbol, int | None]] = []
        self.end = self._cell(EndCell, Label("end"), None, "end")
        self.initial = self.state(self.heads(self.frame(grammar, TEXT, None)))

    def with_grammar(self, grammar: Grammar) -> DFA:
        """Another grammar over the same states: what both have in common is there already."""
        other = copy(self)
        other.grammar = grammar
        other.initial = self.state(self.heads(self.frame(grammar, TEXT, None)))
        return other

    # ---- reading

    def step(self, state: int, symbol: Symbol) -> int | None:
        """g(state, symbol), or None where it is undefined."""
        steps = self._steps[state]
        if symbol in steps:
            return steps[symbol]
        with self.lock:
            cells = [after for cell in self._states[state] for after in cell.advance(symbol, self)]
            steps[symbol] = target = self.state(cells) if cells else None
        return target

    def read(self, symbols: Iterable[Symbol], state: int | None = None) -> int | None:
        """The state after all symbols, or None."""
        at: int | None = self.initial if state is None else state
        for symbol in symbols:
            if at is None:
                return None
            at = self.step(at, symbol)
        return at

    def is_accepting(self, state: int) -> bool:
        return any(cell.accepting for cell in self._states[state])

    def labels(self, state: int) -> frozenset[Label]:
        return frozenset(cell.label for cell in self._states[state])

    def cells(self, state: int) -> tuple[Cell, ...]:
        return self._states[state]

    def is_host(self, state: int) -> bool:
        return any(isinstance(cell, HostCell) for cell in self._states[state])

    def after_host(self, state: int) -> int:
        """The state once the host has written its text."""
        cells = self._states[state]
        return self.state([after for cell in cells if isinstance(cell, HostCell) for after in self.heads(cell.rest)])

    def first(self, state: int) -> frozenset[Symbol]:
        """The symbols for which g(state, ·) is defined."""
        return frozenset(symbol for cell in self._states[state] for symbol in cell.first(self))

    def transitions(self, state: int) -> Iterator[tuple[Symbol, int]]:
        """Every symbol with its target, bytes in order."""
        for symbol in sorted(self.first(state), key=lambda s: (isinstance(s, str), s)):
            target = self.step(state, symbol)
            if target is not None:
                yield symbol, target

    def __len__(self) -> int:
        """How many states have been visited."""
        return len(self._states)

    # ---- building: all of it interned, and only where somebody has been

    def state(self, cells: Iterable[Cell]) -> int:
        key = tuple(sorted(set(cells), key=attrgetter("serial")))
        number = self._numbers.get(key)
        if number is None:
            with self.lock:
                number = self._numbers.setdefault(key, len(self._states))
                if number == len(self._states):
                    self._steps.append({})
                    self._states.append(key)
        return number

    def frame(self, term: Grammar, label: Label, rest: Frame | None) -> Frame:
        key = (id(term), label, rest)
        frame = self._frames.get(key)
        if frame is None:
            shape = self._shape(("frame", self._term_shape(term), rest.shape if rest else 0))
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
            elif isinstance(term, Labelled):
                stack.append(self.frame(term.body, term.label, rest))
            elif isinstance(term, Noted):
                stack.append(self.frame(term.body, label, rest))
            elif isinstance(term, Counted):
                tally = tally_of(term)
                if tally.fits(0, 0):
                    yield self.counted(tally, 0, 0, label, rest)
            elif isinstance(term, Repeat):
                if term.low == 0:
                    stack.append(rest)
                if term.high != 0:
                    stack.append(self.frame(term.body, label, self.frame(self._one_less(term), label, rest)))
            elif isinstance(term, Deferred):
                stack.append(self.frame(self._made(term), label, rest))
            elif isinstance(term, Forever):
                stack.append(self.frame(term.body, label, frame))
            elif isinstance(term, Literal) and not term.text:
                stack.append(rest)
            elif isinstance(term, Submachine):
                table = table_of(term)
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
            return self.heads(self.frame(self._tail(cell.names, word), cell.label, cell.rest))

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
        after = self.heads(cell.rest) if cell.table.accepting[at] else ()
        if not cell.table.leads_on[at]:
            return after
        inside = (
            self.text(cell, at) if isinstance(cell, TextCell) else self.table(cell.table, at, cell.label, cell.rest)
        )
        return (inside, *after)

    def counted(self, tally: Tally, at: int, count: int, label: Label, rest: Frame | None) -> Cell:
        count = tally.counted(count)
        cell = self._cell(CountCell, label, rest, id(tally), at, count)
        if not hasattr(cell, "tally"):
            cell.table, cell.at, cell.tally, cell.count = tally.clock.table, at, tally, count
            cell.shape = self._shape((CountCell, rest.shape if rest else 0, id(tally), at, tally.look(count)))
        return cell

    def counted_after(self, cell: CountCell, at: int, count: int) -> tuple[Cell, ...]:
        if not cell.table.leads_on[at]:
            return self.heads(cell.rest)
        return (self.counted(cell.tally, at, count, cell.label, cell.rest),)

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
        cell = self._cells.get(key)
        if cell is None:
            cell = kind()
            cell.label, cell.rest, cell.serial = label, rest, len(self._cells)
            cell.shape = self._shape((kind, rest.shape if rest else 0, *data))
            self._cells[key] = cell
        return cell  # type: ignore[return-value]  # the key's first field is its class

    def _one_less(self, term: Repeat) -> Repeat:
        if term.low == 0 and term.high is None:
            return term
        low, high = max(term.low - 1, 0), None if term.high is None else term.high - 1
        return self._repeats.setdefault((id(term.body), low, high), type(term)(term.body, low, high))

    def _made(self, term: Deferred) -> Grammar:
        key = (id(term), -1)
        if key not in self._tails:
            self._tails[key] = term.make()
        return self._tails[key]

    def _tail(self, names: Names, index: int) -> Grammar:
        key = (id(names), index)
        if key not in self._tails:
            self._tails[key] = names.tail(index)
        return self._tails[key]

    def _shape(self, key: object) -> int:
        return self._shapes.setdefault(key, len(self._shapes) + 1)

    def _term_shape(self, term: Grammar) -> int:
        known = self._term_shapes.get(id(term))
        if known is None:
            known = self._term_shapes[id(term)] = (term, self._shape(self._term_key(term)))
        return known[1]

    def _term_key(self, term: Grammar) -> object:
        """Terms with equal keys read the same, whatever their labels."""
        if isinstance(term, Labelled | Noted):
            return self._term_key(term.body)
        if isinstance(term, Counted):
            return ("counted", id(tally_of(term)))
        if isinstance(term, Literal):
            return term.text
        if isinstance(term, SymbolClass):
            return term.symbols
        if isinstance(term, Sequence):
            return ("sequence", *map(self._term_shape, term.parts))
        if isinstance(term, Choice):
            return ("choice", *map(self._term_shape, term.options))
        if isinstance(term, Repeat):
            return ("repeat", self._term_shape(term.body), term.low, term.high)
        if isinstance(term, Forever):
            return ("forever", self._term_shape(term.body))
        if isinstance(term, Submachine):
            return ("submachine", id(table_of(term)))
        if isinstance(term, Special):
            return ("special", term.name)
        if isinstance(term, Until):
            return ("until", term.marker, term.barred, term.ends)
        return ("term", id(term))


_tables: WeakKeyDictionary[Submachine, Table] = WeakKeyDictionary()


def table_of(term: Submachine, limit: int | None = None) -> Table:
    """The complete automaton of a submachine, made once for each value.

    Raises OverflowError where its states have more than `limit` cells, before equal ones are merged.
    """
    table = _tables.get(term)
    if table is None and term.ready is not None:
        table = _tables[term] = term.ready
    if table is None:
        dfa = DFA(term.body)
        ones, column_of = _alike(term.body)
        rows: list[list[int]] = []
        work = 0
        while len(rows) < len(dfa):
            at = len(rows)
            work += len(dfa.cells(at))
            if limit is not None and work > limit:
                raise OverflowError(f"more than {limit} cells")
            rows.append([DEAD if (to := dfa.step(at, byte)) is None else to for byte in ones])
        accepting = [dfa.is_accepting(state) for state in range(len(rows))]
        array = np.array(rows, dtype=np.int32)[:, column_of]
        table = _tables[term] = Table.smallest(term.name, array, accepting)
    return table


def _alike(term: Grammar) -> tuple[list[int], NDArray[np.int64]]:
    """One byte out of each set of bytes that a grammar reads alike, and for each byte the number of its set."""
    sets: dict[frozenset[int] | Table, None] = {}
    stack, seen = [term], set()
    while stack:
        at = stack.pop()
        if id(at) in seen:
            continue
        seen.add(id(at))
        if isinstance(at, Sequence):
            stack += at.parts
        elif isinstance(at, Choice):
            stack += at.options
        elif isinstance(at, Repeat | Forever | Labelled | Noted):
            stack.append(at.body)
        elif isinstance(at, Literal):
            sets |= dict.fromkeys(frozenset([byte]) for byte in at.text)
        elif isinstance(at, SymbolClass):
            sets[at.symbols] = None
        elif isinstance(at, Submachine):
            sets[table_of(at)] = None
        else:
            return list(range(256)), np.arange(256)
    marks = [
        columns_of(one.array)[1] if isinstance(one, Table) else np.array([byte in one for byte in range(256)])
        for one in sets
    ]
    _, ones, column_of = np.unique(np.array(marks).reshape(-1, 256).T, axis=0, return_index=True, return_inverse=True)
    return ones.tolist(), column_of.reshape(-1)


def tally_of(term: Counted) -> Tally:
    """The counting submachine of a string with bounds, shared by all terms that are alike."""
    return tally(clock(table_of(term.body), table_of(term.characters)), term.low, term.high)
