"""Where a name stands at its state where the graph runs downward: on that side where nothing else is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tooldec.views.bands import Point, Rectangle, meet
from tooldec.views.dot import LETTER, POINTS, Place
from tooldec.views.svg import BESIDE, RING, note_of, plate

EDGE = 15.0
"""How far beyond Graphviz's drawing a name may reach, so that the picture isn't much wider for it."""

HEIGHT = 6.0
"""Half the height of a name."""


def sides(
    states: Mapping[str, tuple[Mapping[str, str], Mapping[str, Any]]],
    transitions: Iterable[tuple[str, Point, Sequence[Point]]],
    width: float,
) -> dict[str, Place]:
    """The side of each circle's name: right, or where something else stands there another one, or "nowhere".

    states        as Graphviz has placed them, and what is drawn of them
    transitions   their labels, where these stand, and points along the lines; a name rather stands where no line passes
    width         of the picture, beyond which names reach a little at most
    """
    taken: list[Rectangle] = []
    rows: dict[int, list[Point]] = {}  # points by their height: a name is near few of them
    for placed, data in states.values():
        (x, y), (across, up) = _middle_of(placed), (float(placed[side]) * POINTS / 2 for side in ("width", "height"))
        across, up = (RING, RING) if data["new"] and data["shape"] == "circle" else (across, up)
        taken.append((x - across, y - up, x + across, y + up))
    for label, (x, y), line in transitions:
        if label:
            taken.append((x - plate(label) / 2, y - 8, x + plate(label) / 2, y + 8))
        for point in line:
            rows.setdefault(_row(point[1]), []).append(point)
    found: dict[str, Place] = {}
    for node, (placed, data) in states.items():
        note = note_of(data) + (" new" if data["new"] else "")
        if note and data["shape"] == "circle":
            rooms = [(_room(*_middle_of(placed), note, side), side) for side in BESIDE]
            inside = [(room, side) for room, side in rooms if -EDGE <= room[0] and room[2] <= width + EDGE]
            free = [(room, side) for room, side in inside if not any(meet(room, other) for other in taken)]
            clear = [(room, side) for room, side in free if not _crossed(room, rows)]
            room, found[node] = next(iter(clear or free), (None, "nowhere"))
            taken += [room] if room else []
    return found


def _middle_of(placed: Mapping[str, str]) -> Point:
    x, y = placed["pos"].split(",")
    return float(x), float(y)


def _room(x: float, y: float, name: str, side: Place) -> Rectangle:
    near, down = BESIDE[side]
    far = near + LETTER * len(name) * (1 if near > 0 else -1)
    base = y - down + 4
    return x + min(near, far), base - HEIGHT, x + max(near, far), base + HEIGHT


def _row(y: float) -> int:
    return int(y // (2 * HEIGHT))


def _crossed(room: Rectangle, rows: Mapping[int, Sequence[Point]]) -> bool:
    left, bottom, right, top = room
    near = (point for row in range(_row(bottom), _row(top) + 1) for point in rows.get(row, ()))
    return any(left <= x <= right and bottom <= y <= top for x, y in near)
