"""The states of an automaton by their number, and their steps; those that hold a memory are forgotten in time.

A list whose items must differ has a state for every byte that anybody writes in one. So that a machine may serve for
years, only the latest of them are kept; of the others it is known from which state they were reached, and by which
byte, and they are made again when somebody comes back to them.
"""

from __future__ import annotations

from array import array

from tooldec.states.cells import Cell
from tooldec.symbols import Symbol

Cells = tuple[Cell, ...]
Steps = dict[Symbol, int | None]

KEPT = 50_000
"""So many states with a memory are kept at most."""


class States:
    """What is known of each state. Those that write hold the automaton's lock; others may read without it.

    cells, steps    by number; None where they were forgotten
    """

    def __init__(self) -> None:
        self.cells: list[Cells | None] = []
        self.steps: list[Steps | None] = []
        self._numbers: dict[Cells, int] = {}
        self._passing: list[int] = []  # the states with a memory that are kept
        self._before, self._byte = array("q"), array("h")  # how such a state was reached: -1 for all others

    def __len__(self) -> int:
        return len(self.cells)

    def find(self, cells: Cells) -> int | None:
        return self._numbers.get(cells)

    def add(self, cells: Cells, before: int | None = None, symbol: Symbol | None = None) -> int:
        """The state of some cells, reached from another by a symbol; without a memory, or one before, kept for good."""
        if (known := self._numbers.get(cells)) is not None:
            return known
        number, origin = len(self.cells), (-1, -1)
        if before is not None and isinstance(symbol, int) and any(cell.memory for cell in cells):
            origin = before, symbol
            if len(self._passing) >= KEPT:
                self._forget()
            self._passing.append(number)
        self._before.append(origin[0])
        self._byte.append(origin[1])
        self.steps.append({})
        self.cells.append(cells)
        self._numbers[cells] = number  # others read without the lock: what they may find is there
        return number

    def learn(self, state: int, symbol: Symbol, target: int | None) -> None:
        """Where a symbol leads, as long as the state isn't forgotten."""
        if (steps := self.steps[state]) is not None:
            steps[symbol] = target

    def is_passing(self, state: int) -> bool:
        """Whether a state may be forgotten."""
        return self._before[state] >= 0

    def way(self, state: int) -> tuple[Cells, list[tuple[int, int]]]:
        """The cells of the last state before a forgotten one that is known, and the way from there: (byte, state)."""
        way: list[tuple[int, int]] = []
        while (cells := self.cells[state]) is None:
            way.append((self._byte[state], state))
            state = self._before[state]
        return cells, way[::-1]

    def renew(self, state: int, cells: Cells) -> None:
        """A forgotten state is known again."""
        self.steps[state] = {}
        self.cells[state] = cells
        self._numbers.setdefault(cells, state)
        self._passing.append(state)

    def _forget(self) -> None:
        for state in self._passing:
            cells = self.cells[state]
            if cells is not None and self._numbers.get(cells) == state:
                del self._numbers[cells]
            self.cells[state] = self.steps[state] = None
        self._passing.clear()
