"""Where a transition's label stands: halfway along its line, or as near to that as nothing else is in its way."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from math import dist, hypot
from typing import Any

from tooldec.views.bands import Point, Rectangle
from tooldec.views.dot import LETTER, POINTS, place_of_subtitle
from tooldec.views.svg import RING, note_of, plate

Shape = tuple[Rectangle, float]
"""What lies in a rectangle, and its radius where it is a circle, or 0."""

HEIGHT = 8.0
"""Half the height of a label's plate."""

GAP = 2.0
"""Points that stay free between a label and a state."""

PLACES = tuple(0.5 + side * step / 80 for step in range(35) for side in (1, -1) if step or side == 1)
"""Shares of the line, from its middle outward; near its ends one couldn't tell whose label it is."""

ROW = 40.0
"""Height of the rows in which what is in the way is kept, so that little of it has to be looked at."""


def places(
    edges: Sequence[Mapping[str, Any]], lines: Sequence[tuple[str, Sequence[Point]]], others: Iterable[Shape]
) -> list[Point]:
    """Where each label stands. Short lines choose first: they have less room; a loop's is beside it.

    edges     as Graphviz has placed them
    lines     a label, and points along its transition; one without a label takes no room
    others    what is in the way: see `of_state`
    """
    taken = _Taken()
    for shape in others:
        taken.add(shape)
    lengths = [_lengths(points) for _, points in lines]
    found = [_along(points, length, 0.5) for (_, points), length in zip(lines, lengths, strict=True)]
    loops = {index for index, edge in enumerate(edges) if edge["tail"] == edge["head"] and edge.get("lp")}
    order = sorted(range(len(lines)), key=lambda index: (index not in loops, lengths[index][-1]))
    for index in order:
        label, points = lines[index]
        if index in loops:
            x, y = map(float, edges[index]["lp"].split(","))
            found[index] = x, y
        elif label:
            found[index] = _free(label, points, lengths[index], taken)
        if label:
            taken.add((_plate(label, found[index]), 0))
    return found


def of_state(placed: Mapping[str, str], data: Mapping[str, Any], down: bool) -> Iterator[Shape]:
    """A state's circle or box, and its subtitle where that stands below; beside a circle it keeps clear of labels."""
    x, y = map(float, placed["pos"].split(","))
    across, up = (float(placed[side]) * POINTS / 2 + GAP for side in ("width", "height"))
    circle = data["shape"] == "circle"
    if circle and data["new"]:
        across = up = RING + GAP
    yield (x - across, y - up, x + across, y + up), across if circle else 0.0
    note = " ".join(filter(None, [note_of(data), "new" if data["new"] else ""]))
    if note and place_of_subtitle(data, down) == "below":
        base = y - (30 if circle else 26) - (4 if data["new"] else 0)
        yield _words(x - LETTER * len(note) / 2, base, note), 0


def of_frame(frame: Rectangle, heading: str) -> Shape:
    """The heading of an opened submachine."""
    return _words(frame[0] + 8, frame[3] - 13, heading), 0


def _words(left: float, base: float, text: str) -> Rectangle:
    return left, base - 4, left + LETTER * len(text), base + 8


def _free(label: str, points: Sequence[Point], lengths: Sequence[float], taken: _Taken) -> Point:
    """The first place at which nothing is covered, or that at which the least is."""
    best, least = points[0], float("inf")
    for share in PLACES:
        point = _along(points, lengths, share)
        covered = taken.covered(_plate(label, point))
        if covered == 0:
            return point
        if covered < least:
            best, least = point, covered
    return best


def _plate(label: str, at: Point) -> Rectangle:
    (x, y), half = at, plate(label) / 2
    return x - half, y - HEIGHT, x + half, y + HEIGHT


def _lengths(points: Sequence[Point]) -> list[float]:
    """How long the line is up to each of its points."""
    return list(accumulate((dist(one, two) for one, two in pairwise(points)), initial=0.0))


def _along(points: Sequence[Point], lengths: Sequence[float], share: float) -> Point:
    goal = share * lengths[-1]
    after = min(max(bisect_left(lengths, goal), 1), len(points) - 1)
    (x, y), (u, v) = points[after - 1], points[after]
    part = (goal - lengths[after - 1]) / max(lengths[after] - lengths[after - 1], 1e-9)
    return x + part * (u - x), y + part * (v - y)


class _Taken:
    """What is in the way, by the rows that it lies in."""

    def __init__(self) -> None:
        self._rows: dict[int, list[Shape]] = {}

    def add(self, shape: Shape) -> None:
        for row in _rows(shape[0]):
            self._rows.setdefault(row, []).append(shape)

    def covered(self, plate: Rectangle) -> float:
        """How much of what is there a plate would cover, in square points; what lies in two rows counts twice."""
        total = 0.0
        for row in _rows(plate):
            for other, radius in self._rows.get(row, ()):
                across = min(plate[2], other[2]) - max(plate[0], other[0])
                up = min(plate[3], other[3]) - max(plate[1], other[1])
                if across > 0 and up > 0 and (radius == 0 or _distance(plate, other) < radius):
                    total += across * up
        return total


def _rows(rectangle: Rectangle) -> range:
    return range(int(rectangle[1] // ROW), int(rectangle[3] // ROW) + 1)


def _distance(plate: Rectangle, circle: Rectangle) -> float:
    """From the middle of what lies within a square to the plate."""
    x, y = (circle[0] + circle[2]) / 2, (circle[1] + circle[3]) / 2
    return hypot(min(max(x, plate[0]), plate[2]) - x, min(max(y, plate[1]), plate[3]) - y)
