"""The machine as people see it: Figure 2's boxes, with names s0, s1, … for its states.

An automaton over bytes has a state for every byte; the paper draws fewer. A *box* is

    text       text mode, partial matches of the marker included: s0
    name       a point of the name trie where names part, a name is complete, or a run has stopped
    argument   everything inside one argument of one tool; its submachine is drawn when it is opened
    result     the place where the host writes
    other      brackets, keys and commas where ways part; the end
States that only spell on are folded into the label of a transition. Names follow the paper: s0 text, s1 after the
marker, name states from s2 on breadth-first, the states of each submachine from the next free ten (IntFSM: s10 start,
s11 sign, s12 digits), then whatever is left.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from tooldec.boxes import (
    Box,
    Edge,
    Key,
    Numbers,
    Point,
    Ranks,
    View,
    box_of,
    class_text,
    is_undeclared,
    key_of,
    kind_of,
    marker_text,
    table_of,
)
from tooldec.states.cells import Cell, ClassCell, Frame, HostCell, LiteralCell, NamesCell, TableCell, TextCell
from tooldec.submachine import Table
from tooldec.symbols import Symbol, letters_text
from tooldec.token_fsm import TokenFSM

LIMIT = 300
"""Above so many boxes, subtrees of the name trie are folded."""

UNFOLDED = 60
"""So many boxes of a subtree are drawn when it is unfolded."""


class Outline:
    """Names and boxes of one machine's states, for one run; states that the run discovers are named as they come.

    base    names of an older machine, by what had been written: they are kept, and new states get new numbers
            (Figure 3: adding exp10 and expand appends s7 and s8)
    unfolded    subtrees of the name trie that are drawn above LIMIT too, by what has been written of the name there
    """

    def __init__(
        self, fsm: TokenFSM, base: Mapping[bytes, int] | None = None, unfolded: Collection[bytes] = ()
    ) -> None:
        self.fsm, self.dfa = fsm, fsm.dfa
        self._numbers = Numbers(base or {})
        self._unfolded = sorted(unfolded, key=len)
        self._points: dict[Key, Point] = {}
        self._spelled: dict[Key | int, int] = {}  # states inside of a label, or of an argument -> their number
        self._ids: dict[object, str] = {}
        self._stops: set[Key] = set()
        self._ranks = Ranks()
        self._grow()

    # ---- names

    @property
    def name_numbers(self) -> dict[bytes, int]:
        """The numbers of the name states, by what had been written: `base` for the machine of more tools."""
        return {p.entered: p.number for p in self._points.values() if p.number >= 0 and kind_of(p) == "name"}

    def name(self, state: int) -> str:
        """The name of a state: s0, s1, …; after the end of the text, `end`."""
        return f"s{self._number(state)}" if self.dfa.cells(state) else "end"

    def _number(self, state: int) -> int:
        cells = self.dfa.cells(state)
        key = key_of(cells)
        inside = next((c for c in cells if isinstance(c, TableCell) and not isinstance(c, TextCell)), None)
        if inside is not None and key[0] == "argument":
            return self._numbers.of_table(inside.table) + inside.at
        point = self._points.get(key)
        if point is not None and key[0] != "argument":
            if point.number < 0:
                point.number = self._numbers.of_point(point)
            return point.number
        spelled = key if key[0] == "cells" else state
        if spelled not in self._spelled:
            self._spelled[spelled] = self._numbers.free()
        return self._spelled[spelled]

    # ---- boxes

    def box(self, state: int) -> str | None:
        """The id of the box that holds a state, or None where it lies inside of a transition (see `follow`)."""
        if not self.dfa.cells(state):
            return None
        key = key_of(self.dfa.cells(state))
        return self._id("b", key) if key in self._points else None

    def inner(self, state: int) -> str | None:
        """The id of a state inside of an opened box: `b9.2`."""
        cells = self.dfa.cells(state)
        inside = next((c for c in cells if isinstance(c, TableCell) and not isinstance(c, TextCell)), None)
        return None if inside is None or self.box(state) is None else f"{self.box(state)}.{inside.at}"

    def submachine(self, state: int) -> Table | None:
        """The submachine of the box that holds a state; an argument of several types has none of its own."""
        point = self._points.get(key_of(self.dfa.cells(state))) if self.dfa.cells(state) else None
        return None if point is None else table_of(point)

    def follow(self, way: Sequence[int], stops: bool = True) -> bool:
        """A run passes these states, whose boxes are unfolded; it `stops` in a box. True where the picture changes."""
        grown, state = self._visit(way), way[-1]
        if not stops or self.box(state) is not None or not self.dfa.cells(state):
            return grown
        self._number(state)
        self._stops.add(key_of(self.dfa.cells(state)))
        expanded = [point for point in self._points.values() if point.expanded]
        for point in expanded:
            point.expanded, point.ways, point.cells = False, [], point.first
        for point in expanded:
            self._expand(point)
        self._visit(way)
        if self.box(state) is None:
            self._visit(way, itself=True)
        return True

    def _visit(self, way: Iterable[int], itself: bool = False) -> bool:
        """Expand the boxes on a way; from its states `itself`, where a later round of a loop leads elsewhere."""
        grown = False
        for state in way:
            cells = self.dfa.cells(state)
            point = self._points.get(key_of(cells))
            if point is not None and itself:
                point.rounds[cells], point.expanded = None, False
            grown |= point is not None and self._expand(point)
        if grown:
            self._assign_numbers()
        return grown

    def view(self) -> View:
        """What is to be drawn."""
        boxes = [self._box(point) for point in self._points.values()]
        edges = [
            Edge(self._id("e", (point.key, label, target)), self._id("b", point.key), self._id("b", target), label)
            for point in self._points.values()
            for label, target in point.ways
        ]
        return View(tuple(boxes), tuple(edges))

    def _box(self, point: Point) -> Box:
        table = table_of(point)
        return box_of(point, self._id("b", point.key), self._numbers.of_table(table) if table is not None else 0)

    def inside(self, box: str) -> int | None:
        """The state of a box that `view` has shown, or of `b9.2` inside of it: as it is entered for the first time."""
        outer, _, at = box.partition(".")
        point = next((p for p in self._points.values() if self._ids.get(("b", p.key)) == outer), None)
        if point is None or not at:
            return None if point is None else self.dfa.state(point.cells)
        cell = next((c for c in point.cells if isinstance(c, TableCell)), None)
        if cell is None or not at.isdecimal() or int(at) >= len(cell.table):
            return None
        return self.dfa.state(self.dfa.table_after(cell, int(at)))

    def _id(self, letter: str, key: object) -> str:
        return self._ids.setdefault((letter, key), f"{letter}{len(self._ids)}")

    # ---- growing

    def _grow(self) -> None:
        """Explore breadth-first, up to LIMIT boxes."""
        self._explore(self._point(self.dfa.cells(self.dfa.initial), b""), LIMIT)
        for entered in self._unfolded:
            for point in [one for one in self._points.values() if one.entered == entered and kind_of(one) == "name"]:
                self._explore(point, UNFOLDED)
        self._assign_numbers()

    def _explore(self, first: Point, limit: int) -> None:
        queue, seen = deque([first]), {first.key}
        while queue and len(seen) < limit:
            point = queue.popleft()
            self._expand(point)
            for _, key in point.ways:
                if key not in seen or (is_undeclared(key) and not self._points[key].expanded):
                    seen.add(key)
                    queue.append(self._points[key])

    def _expand(self, point: Point) -> bool:
        """Find the transitions out of a box; False where they are known."""
        if point.expanded:
            return False
        point.expanded = True
        ways = (way for cells in (point.cells, *point.rounds) for way in self._ways(point.key, cells))
        for label, there, spelled in ways:
            target = self._point(there, b"" if spelled is None else point.entered + spelled)
            if (label, target.key) not in point.ways:
                point.ways.append((label, target.key))
                self._id("e", (point.key, label, target.key))
        return True

    def _assign_numbers(self) -> None:
        """s0 and s1 first, then names, then the submachines' tens, then the rest."""
        points = list(self._points.values())
        for kind in ("text", "name"):
            for point in points:
                if point.number < 0 and kind_of(point) == kind:
                    point.number = self._numbers.of_point(point)
        for table in (cell.table for point in points for cell in point.cells if type(cell) is TableCell):
            self._numbers.of_table(table)
        for point in points:
            if point.number < 0 and point.key[0] != "argument":
                point.number = self._numbers.of_point(point)

    def _point(self, cells: tuple[Cell, ...], entered: bytes) -> Point:
        key = key_of(cells)
        point = self._points.get(key)
        if point is None:
            point = self._points[key] = Point(key, cells, entered, self._spelled.get(key, -1))
            self._id("b", key)  # as points are found, whenever they are drawn
        else:
            known, point.cells = point.cells, tuple(dict.fromkeys([*point.cells, *cells]))
            point.expanded &= not is_undeclared(key) or known == point.cells  # reached once more, with more behind it
        return point

    def _ways(self, key: Key, inside: tuple[Cell, ...]) -> Iterator[tuple[str, tuple[Cell, ...], bytes | None]]:
        """The transitions out of a box: label, the cells there, and what was spelled (None: a new call begins)."""
        if key[0] == "text":
            for cell in inside:
                if isinstance(cell, TextCell) and cell.marker:
                    yield marker_text(cell), self.dfa.cells(self.dfa.state(self.dfa.heads(cell.rest))), None
        elif key[0] == "argument":
            exits = self.dfa.cells(self.dfa.state(self._exits(key, inside)))
            if key_of(exits) in self._stops:  # a run has stopped right behind the argument
                yield "", exits, b""
            else:
                yield from self._spell(exits)
        elif any(isinstance(cell, HostCell) for cell in inside):
            after = self.dfa.after_host(self.dfa.state(inside))
            yield "result" if inside[0].label.mode == "result" else "host", self.dfa.cells(after), b""
        else:
            yield from self._spell(inside)

    def _exits(self, key: Key, inside: tuple[Cell, ...]) -> tuple[Cell, ...]:
        """The cells outside of an argument that follow those inside of it: counts inside of it don't matter."""
        frames: dict[Frame | None, None] = {}
        for cell in inside:
            if key_of((cell,)) == key:
                frame = cell.rest
                while frame is not None and frame.label == cell.label:
                    frame = frame.rest
                frames[frame] = None
        begun = [cell for cell in inside if is_undeclared(key) and isinstance(cell, LiteralCell) and cell.at == 0]
        return tuple(dict.fromkeys([*begun, *(after for frame in frames for after in self.dfa.heads(frame))]))

    def _spell(self, cells: Iterable[Cell]) -> Iterator[tuple[str, tuple[Cell, ...], bytes | None]]:
        """Spell on from cells until something is worth a box."""
        start = self.dfa.state(tuple(cells))
        self._ranks.learn(self.dfa.cells(start))
        byte_ways: dict[int, list[int]] = {}
        symbol: Symbol
        for symbol, target in self.dfa.transitions(start):
            if isinstance(symbol, str):
                yield symbol, self.dfa.cells(target), None
            else:
                byte_ways.setdefault(target, []).append(symbol)
        for target in sorted(byte_ways, key=lambda state: self._ranks.first(self.dfa.cells(state))):
            symbols = byte_ways[target]
            label, spelled = class_text(symbols) if len(symbols) > 1 else "", bytes(symbols[:1])
            letters = b"" if label else spelled  # read since the last class or special token
            at, before, symbol = target, start, symbols[0]
            while not self._is_stop(at, before, symbol):
                before = at
                ((symbol, after),) = self.dfa.transitions(at)
                if isinstance(symbol, str):
                    label, spelled = label + letters_text(letters) + symbol, spelled + symbol.encode()
                    letters = b""
                else:
                    letters, spelled = letters + bytes([symbol]), spelled + bytes([symbol])
                at = after
            yield label + letters_text(letters), self.dfa.cells(at), spelled

    def _is_stop(self, state: int, before: int, symbol: Symbol) -> bool:
        """Whether a state that has been reached by a symbol is worth a box."""
        cells = self.dfa.cells(state)
        key = key_of(cells)
        if key in self._stops or key[0] != "cells" or len(cells) != 1:
            return True
        if isinstance(cells[0], HostCell | ClassCell) or cells[0] is self.dfa.end:
            return True
        if isinstance(cells[0], NamesCell) or len(self.dfa.first(state)) != 1:  # an open object goes on in many ways
            return len(self.dfa.first(state)) > 1
        names = [cell for cell in self.dfa.cells(before) if isinstance(cell, NamesCell)]
        after = self.dfa.step(self.dfa.state(names), symbol) if names else None
        return after is not None and cells[0] in self.dfa.cells(after)  # a name is complete
