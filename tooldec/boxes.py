"""What an outline is made of: boxes, the transitions between them, and when two places are drawn as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tooldec.grammar import Label, Rounds
from tooldec.minimizing import DEAD
from tooldec.states.cells import Cell, Frame, HostCell, NamesCell, TableCell, TextCell
from tooldec.submachine import Table
from tooldec.symbols import symbols_text
from tooldec.tools import OTHERS

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """One drawn state.

    id          stable within one Outline
    name        s4; for an argument the name of its submachine's first state
    kind        text, name, argument, result, other or end
    entered     what has been written since the marker, for a name
    hidden      how many tools lie below, where the box is folded
    stays       for text mode the markers that end it; all else stays in it
    name_part   begins, inside or complete, where a tool's name is being written; "" before and behind it
    """

    id: str
    name: str
    kind: str
    label: Label
    entered: str = ""
    accepting: bool = False
    table: Table | None = None
    base: int = 0
    hidden: int = 0
    stays: tuple[str, ...] | None = None
    name_part: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """One drawn transition; `label` is what is written along it."""

    id: str
    source: str
    target: str
    label: str


@dataclass(frozen=True, slots=True)
class View:
    """Boxes and edges, ready to be laid out; the first box is where the machine begins."""

    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]

    @property
    def states(self) -> int:
        """How many states the boxes hold, those inside of submachines counted at every place."""
        return sum(len(box.table) if box.table is not None else 1 for box in self.boxes)

    @property
    def transitions(self) -> int:
        """How many drawn transitions there are, those inside of submachines included, text mode's loop apart."""
        inner = sum(len(set(row)) - (DEAD in row) for box in self.boxes if box.table for row in box.table.rows)
        return len(self.edges) + inner


@dataclass(slots=True)
class Point:
    """A box in the making.

    first       the cells by which it was found first, those of one round of a loop
    rounds      cells of other rounds, from which a run went elsewhere
    """

    key: Key
    cells: tuple[Cell, ...]
    entered: bytes
    number: int = -1
    ways: list[tuple[str, Key]] = field(default_factory=list)
    expanded: bool = False
    first: tuple[Cell, ...] = ()
    rounds: dict[tuple[Cell, ...], None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.first = self.cells


def marker_text(cell: TextCell) -> str:
    return cell.marker.replace("\n", "↵")


def class_text(symbols: list[int]) -> str:
    """A set of bytes as people write it; a large one by what it lacks."""
    if len(symbols) < 128:
        return symbols_text(symbols)
    missing = symbols_text(set(range(256)).difference(symbols))
    return f"Σ−{missing}" if missing[:1] in "{[" and missing[1:] else f"Σ−{{{missing}}}"


_NOT_DRAWN = frozenset(["bare", "memory", "rest", "serial", "shape"])


def drawn(cell: Cell) -> object:
    """A cell's identity in the picture: the rounds of a loop are the same."""
    frame = drawn_frame(cell.rest)
    if frame is cell.rest:
        return cell.bare
    slots = (slot for kind in type(cell).__mro__ for slot in getattr(kind, "__slots__", ()))
    data = (getattr(cell, slot) for slot in slots if slot not in _NOT_DRAWN)
    return (type(cell), frame, *data)


def drawn_frame(frame: Frame | None) -> object:
    """A frame's identity in the picture: itself, or what it is made of, without the count of rounds."""
    if frame is None:
        return None
    rest = drawn_frame(frame.rest)
    if isinstance(frame.term, Rounds):
        return ("rounds", id(frame.term.body), rest)
    return frame if rest is frame.rest else (id(frame.term), frame.label, rest)


def key_of(cells: tuple[Cell, ...]) -> Key:
    """What the states of one box have in common."""
    for cell in cells:
        if isinstance(cell, TextCell):
            return ("text", drawn_frame(cell.rest), cell.marker)
    for cell in cells:
        if cell.label.mode == "argument" and cell.label.parameter is not None:
            return ("argument", cell.label.tool, cell.label.parameter)
    return ("cells", frozenset(map(drawn, cells)))  # which was found first doesn't matter


def is_undeclared(key: Key) -> bool:
    """Whether a box is that of arguments that aren't declared, which come before, between and behind the others."""
    return key[0] == "argument" and key[-1] == OTHERS


def label_of(cells: tuple[Cell, ...]) -> Label:
    inner = next((c for c in cells if c.label.mode == "argument" and c.label.parameter is not None), None)
    return (inner or leading(cells)).label


def leading(cells: tuple[Cell, ...]) -> Cell:
    """The cell that says what a state is: text before calls, anything before the end."""
    return min(cells, key=lambda cell: (cell.label.mode == "end", cell.label.mode != "text"))


def kind_of(point: Point) -> str:
    if point.key[0] in ("text", "argument"):
        return str(point.key[0])
    mode = leading(point.cells).label.mode if point.cells else "end"
    if any(isinstance(cell, HostCell) for cell in point.cells):
        return "result"
    if mode == "name" and any(c.label.tool is None or len(point.cells) == 1 for c in point.cells):
        return "name"
    return mode if mode in ("text", "end") else "other"


def table_of(point: Point) -> Table | None:
    """The submachine of a point; an argument of several types has more than one, and none that could stand for it."""
    if point.key[0] != "argument":
        return next((cell.table for cell in point.cells if type(cell) is TableCell), None)
    inside = (cell for cell in point.cells if cell.label.parameter is not None)
    tables = {cell.table if type(cell) is TableCell else None for cell in inside}
    return tables.pop() if len(tables) == 1 else None


def box_of(point: Point, box_id: str, base: int) -> Box:
    """What is drawn for a point; `base` is the number of its submachine's first state."""
    table = table_of(point)
    name = f"s{base}" if table is not None else f"s{max(point.number, 0)}"
    hidden = 0 if point.expanded else sum(c.high - c.low for c in point.cells if isinstance(c, NamesCell))
    accepting = any(cell.accepting for cell in point.cells)
    entered = point.entered.decode("utf-8", "replace")
    stays = tuple(marker_text(c) for c in point.cells if isinstance(c, TextCell) and c.marker)
    loops = tuple(dict.fromkeys(stays)) if point.key[0] == "text" else None
    kind, label = kind_of(point), label_of(point.cells)
    base = base if table is not None else 0
    return Box(box_id, name, kind, label, entered, accepting, table, base, hidden, loops, _name_part(point, label))


def _name_part(point: Point, label: Label) -> str:
    if label.tool is not None and point.entered.endswith(label.tool.encode()):
        return "complete"  # though a longer name may go on: `exp` before `exp10`
    names = next((cell for cell in point.cells if isinstance(cell, NamesCell) and cell.label.mode == "name"), None)
    return "" if names is None else "inside" if names.depth else "begins"


class Numbers:
    """The numbers of states in their names; `base` holds those of an older machine's names, which are kept."""

    def __init__(self, base: Mapping[bytes, int]) -> None:
        self._base = dict(base)
        self._used = set(base.values())
        self._tables: dict[Table, int] = {}

    def of_table(self, table: Table) -> int:
        """A submachine's first number: the next ten from which on enough numbers are free."""
        if table not in self._tables:
            last = max(self._used, default=0)
            base = last - last % 10 + 10
            self._tables[table] = base
            self._used.update(range(base, base + len(table)))
        return self._tables[table]

    def of_point(self, point: Point) -> int:
        """The next number for a point: names go on where names left off, all else comes behind the submachines."""
        if point.entered in self._base and kind_of(point) == "name":
            return self._base[point.entered]
        number = next(n for n in range(len(self._used) + 1) if n not in self._used)
        if self._tables and kind_of(point) != "name":
            number = max(self._used) + 1
        self._used.add(number)
        return number

    def free(self) -> int:
        """A number behind all others."""
        number = max(self._used, default=-1) + 1
        self._used.add(number)
        return number


class Ranks:
    """Where tools stand in the list that they came in: names are drawn in that order."""

    def __init__(self) -> None:
        self._ranks: dict[bytes, int] = {}

    def learn(self, cells: Iterable[Cell]) -> None:
        for cell in cells:
            if isinstance(cell, NamesCell) and cell.depth == 0:
                self._ranks.update(zip(cell.names.words, cell.names.ranks, strict=True))

    def first(self, cells: Iterable[Cell]) -> int:
        """The rank of the first tool that can still be meant."""
        ranks: list[int] = []
        for cell in cells:
            if isinstance(cell, NamesCell):
                ranks.append(min(cell.names.ranks[cell.low : cell.high], default=0))
            if cell.label.tool is not None:
                ranks.append(self._ranks.get(cell.label.tool.encode(), 0))
        return min(ranks, default=0)
