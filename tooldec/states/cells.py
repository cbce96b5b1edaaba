"""One way to read on: the parts that a state of the automaton is a set of (see `automaton`)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tooldec.grammar import Grammar, Label, Names
from tooldec.submachine import Table
from tooldec.symbols import Symbol

if TYPE_CHECKING:
    from tooldec.automaton import DFA
    from tooldec.states.counting import Tally
    from tooldec.states.memory import Memory


class Frame:
    """A term still to be read, the label in force there, and what follows. Interned: compare by identity."""

    __slots__ = ("heads", "label", "rest", "shape", "term")

    def __init__(self, term: Grammar, label: Label, rest: Frame | None, shape: int) -> None:
        self.term, self.label, self.rest, self.shape = term, label, rest, shape
        self.heads: tuple[Cell, ...] | None = None


class Cell:
    """One way to read on. `rest` is the frame that follows, `shape` the identity without labels.

    memory  what has been written of the lists that it is in and whose items must differ, the outermost first
    bare    the cell without its memory: what follows it has none, either (see `DFA.after`)
    """

    __slots__ = ("bare", "label", "memory", "rest", "serial", "shape")
    accepting = False
    bare: Cell
    memory: tuple[Memory, ...]
    label: Label
    rest: Frame | None
    serial: int
    shape: int

    def first(self, dfa: DFA) -> Iterable[Symbol]:
        """The symbols that it can read."""
        return ()

    def advance(self, symbol: Symbol, dfa: DFA) -> tuple[Cell, ...]:
        """The cells after a symbol; none where it cannot be read."""
        return ()


class EndCell(Cell):
    """Nothing is left to read: the text is complete."""

    __slots__ = ()
    accepting = True


class HostCell(Cell):
    """The host writes here; no symbol of the model is read."""

    __slots__ = ()


class LiteralCell(Cell):
    __slots__ = ("at", "text")
    text: bytes
    at: int

    def first(self, dfa: DFA) -> Iterable[Symbol]:
        return (self.text[self.at],)

    def advance(self, symbol: Symbol, dfa: DFA) -> tuple[Cell, ...]:
        if symbol != self.text[self.at]:
            return ()
        if self.at + 1 < len(self.text):
            return (dfa.literal(self.text, self.at + 1, self.label, self.rest),)
        return dfa.heads(self.rest)


class ClassCell(Cell):
    __slots__ = ("symbols",)
    symbols: frozenset[int]

    def first(self, dfa: DFA) -> Iterable[Symbol]:
        return self.symbols

    def advance(self, symbol: Symbol, dfa: DFA) -> tuple[Cell, ...]:
        return dfa.heads(self.rest) if symbol in self.symbols else ()


class SpecialCell(Cell):
    __slots__ = ("name",)
    name: str

    def first(self, dfa: DFA) -> Iterable[Symbol]:
        return (self.name,)

    def advance(self, symbol: Symbol, dfa: DFA) -> tuple[Cell, ...]:
        return dfa.heads(self.rest) if symbol == self.name else ()


class NamesCell(Cell):
    """The words `names.words[low:high]`, which agree in their first `depth` bytes and are all longer."""

    __slots__ = ("depth", "high", "low", "names")
    names: Names
    low: int
    high: int
    depth: int

    def first(self, dfa: DFA) -> Iterable[Symbol]:
        words, at, depth = self.names.words, self.low, self.depth
        while at < self.high:
            byte = words[at][depth]
            yield byte
            at = bisect_right(words, byte, at, self.high, key=lambda word: word[depth])

    def advance(self, symbol: Symbol, dfa: DFA) -> tuple[Cell, ...]:
        words, depth = self.names.words, self.depth
        if not isinstance(symbol, int):
            return ()

        def byte_of(word: bytes) -> int:
            return word[depth]

        low = bisect_left(words, symbol, self.low, self.high, key=byte_of)
        if low == self.high or words[low][depth] != symbol:
            return ()
        high = bisect_right(words, symbol, low, self.high, key=byte_of)
        return dfa.names_after(self, low, high, depth + 1)


class TableCell(Cell):
    """Inside a submachine: its table, and the state within it. Leaves by way of `rest` where that accepts."""

    __slots__ = ("at", "table")
    table: Table
    at: int

    def first(self, dfa: DFA) -> Iterable[Symbol]:
        row = self.table.rows[self.at]
        return (byte for byte in range(256) if row[byte] >= 0)

    def advance(self, symbol: Symbol, dfa: DFA) -> tuple[Cell, ...]:
        if not isinstance(symbol, int):
            return ()
        return dfa.table_after(self, self.table.rows[self.at][symbol])


class CountCell(TableCell):
    """Inside a string whose characters are counted; the bounds can still be kept."""

    __slots__ = ("count", "tally")
    tally: Tally
    count: int

    def first(self, dfa: DFA) -> Iterable[Symbol]:
        return (byte for byte in range(256) if self.after(byte) is not None)

    def advance(self, symbol: Symbol, dfa: DFA) -> tuple[Cell, ...]:
        after = self.after(symbol) if isinstance(symbol, int) else None
        return () if after is None else dfa.counted_after(self, *after)

    def after(self, byte: int, at: int | None = None, count: int | None = None) -> tuple[int, int] | None:
        """The submachine's state and the count after a byte; from a later place where `at` and `count` say so."""
        if at is None or count is None:
            at, count = self.at, self.count
        to = self.table.rows[at][byte]
        count += self.tally.clock.begins[at][byte]
        return (to, count) if to >= 0 and self.tally.fits(to, count) else None


class TextCell(TableCell):
    """Text mode; the table watches for the marker's spelling, unless the marker is a token of its own.

    A special token that is a part of what the table watches for is read as its spelling: `<｜DSML｜calls>` has one.
    """

    __slots__ = ("accepting", "barred", "marker")
    accepting: bool
    barred: frozenset[str]
    marker: str

    def takes(self, name: str) -> bool:
        """Whether a special token may be written here."""
        return name == self.marker or (name not in self.barred and self.after(name) >= 0)

    def after(self, name: str) -> int:
        """The table's state behind a special token that isn't the marker; below 0 where there is none."""
        if not any(name in one for one in (self.marker, *self.barred)):
            return 0
        at = self.at
        for byte in name.encode():
            at = self.table.rows[at][byte] if at >= 0 else at
        return at

    def first(self, dfa: DFA) -> Iterable[Symbol]:
        yield from super().first(dfa)
        yield from (symbol for symbol in dfa.specials if self.takes(symbol))

    def advance(self, symbol: Symbol, dfa: DFA) -> tuple[Cell, ...]:
        if isinstance(symbol, int):
            return super().advance(symbol, dfa)
        if symbol not in dfa.specials or not self.takes(symbol):
            return ()
        return dfa.heads(self.rest) if symbol == self.marker else dfa.table_after(self, self.after(symbol))
