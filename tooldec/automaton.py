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

from collections.abc import Iterable, Iterator
from copy import copy
from operator import attrgetter
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tooldec.grammar import (
    TEXT,
    Choice,
    Counted,
    Forever,
    Grammar,
    Label,
    Labelled,
    Literal,
    Noted,
    Repeat,
    Sequence,
    Submachine,
    SymbolClass,
    inside,
)
from tooldec.mentions import terms
from tooldec.minimizing import DEAD, columns_of
from tooldec.states.cells import Cell, Frame, HostCell, NamesCell
from tooldec.states.counting import Tally, clock, tally
from tooldec.states.parts import Parts
from tooldec.states.remembering import is_open, onward
from tooldec.states.table import States
from tooldec.submachine import Table
from tooldec.symbols import Symbol

MANY = 100
"""Of more symbols only those are tried that a state can read, which takes longer to find out."""


class DFA(Parts):
    """The machine over symbols: states are numbered from 0 in the order of their first visit.

    `specials` are the special tokens of the alphabet; one that the alphabet lacks is spelled out in bytes.

    >>> from tooldec.grammar import Literal
    >>> dfa = DFA(Literal(b"ab"))
    >>> dfa.is_accepting(dfa.read(b"ab")), dfa.read(b"b")
    (True, None)
    """

    def __init__(self, grammar: Grammar, specials: Iterable[str] = ()) -> None:
        super().__init__(specials)
        self.grammar = grammar
        self._states = States()
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
        steps = self._states.steps[state]
        if steps is not None and symbol in steps:
            return steps[symbol]
        with self.lock:
            cells = [after for cell in self.cells(state) for after in self.after(cell, symbol)]
            target = self.state(cells, state, symbol) if cells else None
            self._states.learn(state, symbol, target)
        return target

    def after(self, cell: Cell, symbol: Symbol) -> Iterable[Cell]:
        """The cells after a symbol, as far as the cell's memory leaves them open."""
        if not cell.memory:
            return cell.advance(symbol, self)
        return [self.remembering(*way) for way in onward((cell.bare, cell.memory), symbol, self) if is_open(way, self)]

    def readable(self, cell: Cell) -> Iterator[Symbol]:
        """The symbols that a cell can read."""
        return (symbol for symbol in cell.first(self) if not cell.memory or self.after(cell, symbol))

    def read(self, symbols: Iterable[Symbol], state: int | None = None) -> int | None:
        """The state after all symbols, or None."""
        at: int | None = self.initial if state is None else state
        for symbol in symbols:
            if at is None:
                return None
            at = self.step(at, symbol)
        return at

    def is_accepting(self, state: int) -> bool:
        return any(cell.accepting for cell in self.cells(state))

    def labels(self, state: int) -> frozenset[Label]:
        return frozenset(cell.label for cell in self.cells(state))

    def tools(self, state: int) -> tuple[str, ...]:
        """The names of the tools that can still be called from here within the call that has begun."""
        return _tools_of(self.cells(state))

    def reachable(self, state: int) -> tuple[str, ...]:
        """The names of the tools that can still be called from here: in the call that has begun, or else in the next.

        >>> from tooldec import SCHEMES, parse_tools
        >>> tools = parse_tools("def now(), def today()")
        >>> dfa = DFA(SCHEMES["special_token"].grammar(tools, start="call"), ["<T>"])
        >>> dfa.reachable(dfa.initial), dfa.reachable(dfa.read(["<T>", *b"now()"]))
        (('now', 'today'), ())
        """
        cells = list(self.cells(state))
        passed: set[Frame | None] = {None}
        for cell in cells:  # grows while it is read
            if cell.rest not in passed and not _tools_of([cell]):
                passed.add(cell.rest)
                cells += self.heads(cell.rest)
        return _tools_of(cells)

    def cells(self, state: int) -> tuple[Cell, ...]:
        cells = self._states.cells[state]
        return self._made_again(state) if cells is None else cells

    def is_passing(self, state: int) -> bool:
        """Whether a state is one of the many in a list whose items must differ, which aren't all kept."""
        return self._states.is_passing(state)

    def _made_again(self, state: int) -> tuple[Cell, ...]:
        with self.lock:
            cells, way = self._states.way(state)
            for byte, number in way:
                cells = _ordered(after for cell in cells for after in self.after(cell, byte))
                self._states.renew(number, cells)
        return cells

    def is_host(self, state: int) -> bool:
        return any(isinstance(cell, HostCell) for cell in self.cells(state))

    def after_host(self, state: int) -> int:
        """The state once the host has written its text."""
        hosts = (cell for cell in self.cells(state) if isinstance(cell, HostCell))
        return self.state([after for cell in hosts for after in self.heads(cell.rest)])

    def first(self, state: int) -> frozenset[Symbol]:
        """The symbols for which g(state, ·) is defined."""
        return frozenset(symbol for cell in self.cells(state) for symbol in self.readable(cell))

    def transitions(self, state: int) -> Iterator[tuple[Symbol, int]]:
        """Every symbol with its target, bytes in order."""
        symbols = {symbol for cell in self.cells(state) for symbol in cell.first(self)}
        for symbol in sorted(symbols, key=lambda s: (isinstance(s, str), s)):
            target = self.step(state, symbol)
            if target is not None:
                yield symbol, target

    def __len__(self) -> int:
        """How many states have been visited."""
        return len(self._states)

    def state(self, cells: Iterable[Cell], before: int | None = None, symbol: Symbol | None = None) -> int:
        """The state of some cells, which was reached from another by a symbol."""
        key = _ordered(cells)
        number = self._states.find(key)
        if number is None:
            with self.lock:
                number = self._states.add(key, before, symbol)
        return number

    def table_of(self, term: Submachine) -> Table:
        return table_of(term)

    def tally_of(self, term: Counted) -> Tally:
        return tally_of(term)


_tables: WeakKeyDictionary[Submachine, Table] = WeakKeyDictionary()


def table_of(term: Submachine, limit: int | None = None) -> Table:
    """The complete automaton of a submachine, made once for each value.

    Raises OverflowError where its states have more than `limit` cells, before equal ones are merged.
    """
    table = _tables.get(term)
    if table is None and term.ready is not None:
        table = _tables[term] = term.ready
    if table is None and (words := _words(term.body)):
        table = _tables[term] = Table.of_words(term.name, words)
    if table is None:
        ones, column_of = alike(term.body)
        table = _tables[term] = Table.smallest(term.name, *explored(term.body, ones, limit), column_of)
    return table


def explored(term: Grammar, symbols: Iterable[int], limit: int | None = None) -> tuple[NDArray[np.int32], list[bool]]:
    """The automaton of a grammar as it is built, over some symbols: for each state where each leads, and if it accepts.

    Raises OverflowError where its states have more than `limit` cells.
    """
    dfa = DFA(term)
    columns = {symbol: column for column, symbol in enumerate(symbols)}
    ways: list[tuple[int, int, int]] = []
    at = work = 0
    while at < len(dfa):
        work += len(dfa.cells(at))
        if limit is not None and work > limit:
            raise OverflowError(f"more than {limit} cells")
        for symbol in columns if len(columns) < MANY else dfa.first(at):
            if symbol in columns and (to := dfa.step(at, symbol)) is not None:
                ways.append((at, columns[symbol], to))
        at += 1
    array = np.full((at, len(columns)), DEAD, dtype=np.int32)
    states, read, targets = np.array(ways, dtype=np.int32).reshape(-1, 3).T
    array[states, read] = targets
    return array, [dfa.is_accepting(state) for state in range(at)]


def build_submachines(term: Grammar) -> None:
    """Make every submachine of a grammar now, those behind all names too, so that none can fail when it is reached."""
    for part in terms(term, tails=True):
        if isinstance(part, Submachine):
            table_of(part)
        elif isinstance(part, Counted):
            tally_of(part).fits(0, 0)


def _words(term: Grammar) -> list[bytes]:
    """What a choice of literals can read; nothing where it is anything else."""
    options = term.options if isinstance(term, Choice) else ()
    words = [option.text for option in options if isinstance(option, Literal) and option.text]
    return words if len(words) == len(options) else []


def alike(term: Grammar) -> tuple[list[int], NDArray[np.int64]]:
    """One byte out of each set of bytes that a grammar reads alike, and for each byte the number of its set."""
    sets: dict[frozenset[int] | Table, None] = {}
    stack, seen = [term], set()
    while stack:
        at = stack.pop()
        if id(at) in seen:
            continue
        seen.add(id(at))
        if isinstance(at, Sequence | Choice | Repeat | Forever | Labelled | Noted):
            stack += inside(at)
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


def _ordered(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Cells as a state has them."""
    return tuple(sorted(set(cells), key=attrgetter("serial")))


def _tools_of(cells: Iterable[Cell]) -> tuple[str, ...]:
    """The names that cells within a tool's name may still become, and the tools that others belong to."""
    found: list[tuple[int, str]] = []
    for cell in cells:
        if isinstance(cell, NamesCell) and cell.label.mode == "name":
            names = cell.names
            words = range(cell.low, cell.high)
            found += [(names.ranks[at], names.words[at].decode("utf-8", "replace")) for at in words]
        elif cell.label.tool is not None:
            found.append((-1, cell.label.tool))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))
