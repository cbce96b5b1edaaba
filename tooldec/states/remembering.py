"""Reading with a memory: which ways a cell's memory leaves open (see `memory`).

A way is left open as long as the present item can still become one that isn't there. Where more values can follow than
there are items (`variety`) that is sure; else it is looked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tooldec.states import variety
from tooldec.states.cells import Cell, ClassCell, LiteralCell
from tooldec.states.memory import SPACES, Memory, read, value_of
from tooldec.symbols import Symbol

if TYPE_CHECKING:
    from tooldec.automaton import DFA

Way = tuple[Cell, tuple[Memory, ...]]
"""A cell without its memory, and the memory."""

_BEHIND = frozenset(SPACES + b",]:")

MOST_STEPS = 2_000
"""So many ways are looked at for another value; behind more of them there is held to be one."""


def onward(way: Way, symbol: Symbol, dfa: DFA) -> list[Way]:
    """The ways after a symbol that repeat no item."""
    cell, memory = way
    found = cell.advance(symbol, dfa)
    after = read(memory, symbol) if found else None
    return [] if after is None else [(one.bare, (*after, *one.memory)) for one in found]


def reads(way: Way, symbols: Iterable[Symbol], dfa: DFA) -> bool:
    """Whether all symbols can be read."""
    ways = [way]
    for symbol in symbols:
        ways = [after for one in ways for after in onward(one, symbol, dfa)]
    return any(is_open(one, dfa) for one in ways)


def is_open(way: Way, dfa: DFA) -> bool:
    """Whether each list's present item can become one that isn't in it yet."""
    return all(_can_differ(way, depth, dfa) for depth, one in enumerate(way[1]) if one.used and not one.idle)


def _can_differ(way: Way, depth: int, dfa: DFA) -> bool:
    """Whether this memory's present item can become another than those before it."""
    if (differs := _differs(way, depth, dfa)) is not None:
        return differs
    waiting, seen = [way], {way}
    while waiting and len(seen) < MOST_STEPS:
        cell, memory = waiting.pop()
        for after in (after for symbol in cell.first(dfa) for after in onward((cell, memory), symbol, dfa)):
            if after in seen:
                continue
            seen.add(after)
            if differs := _differs(after, depth, dfa):
                return True
            waiting += [after] if differs is None else []
    return bool(waiting)


def _differs(way: Way, depth: int, dfa: DFA) -> bool | None:
    """Whether the present item is another one, or surely can become one; None where that isn't known yet."""
    cell, one = way[0], way[1][depth]
    if one.idle:  # behind a new name
        return True
    if is_complete(cell, one, dfa):
        return value_of(one.text) not in one.used
    return True if variety.of_cell(cell, one.term.end, dfa) > len(one.used) else None


def is_complete(cell: Cell, memory: Memory, dfa: DFA) -> bool:
    """Whether a cell is one behind an item that has been written whole."""
    if memory.depth != 1 or memory.quoted or not memory.text or not isinstance(cell, LiteralCell | ClassCell):
        return False
    return next(iter(cell.first(dfa))) in _BEHIND
