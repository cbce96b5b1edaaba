"""Our drawing of Graphviz's layout: states, transitions and frames as SVG elements with ids and classes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from tooldec.views.dot import LETTER, RADIUS, Place

BESIDE: Mapping[Place, tuple[float, float]] = {
    "right": (21, 4),
    "left": (-21, 4),
    "lower-right": (9, 27),
    "lower-left": (-9, 27),
}
"""Points from the middle of a state to where a name beside it begins, or ends."""

RING = 20.5
"""The radius of the ring around a state that is new."""

MARGIN = 6.0
"""Room around all that is drawn, in points: for the ring of the current state."""

STYLE = """
.node circle,.node rect{fill:#fff;stroke:#43536b;stroke-width:1.4}
.node text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#1a1c1f;text-anchor:middle}
.node .subtitle{font-size:10px;fill:#555b63}
.node .right{text-anchor:start}
.node .left{text-anchor:end}
.mode-name circle{stroke:#5746c9;stroke-width:2.4}
.mode-argument circle,.mode-argument rect{stroke:#0b6e66;stroke-dasharray:4 2.6}
.mode-result circle{stroke:#8a5300;stroke-dasharray:1.5 2.5}
.mode-other circle{stroke:#0b6e66}
.sign{display:none}
.edge path{fill:none;stroke:#8d9298;stroke-width:1.2}
.edge .arrow{fill:#8d9298;stroke:none}
.edge rect{fill:#fff;stroke:none}
.edge text{font:10px ui-monospace,Menlo,Consolas,monospace;fill:#1a1c1f;text-anchor:middle}
.grounded rect{fill:#f7f7f5}
.band rect{fill:#f7f7f5;stroke:#e4e4e0;stroke-dasharray:none}
.band text{font:11px system-ui,sans-serif;fill:#555b63}
.cluster rect{fill:#f3faf8;stroke:#0b6e66;stroke-dasharray:4 2.6}
.cluster text{font:10px ui-monospace,Menlo,Consolas,monospace;fill:#0b6e66}
"""


class Svg:
    """Collects elements; Graphviz counts y from the bottom, SVG from the top."""

    def __init__(self, height: float) -> None:
        self._height = height
        facts = {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": "State machine"}
        self._root = ET.Element("svg", facts)
        self._across: list[float] = []  # how far what is drawn reaches, point by point
        self._down: list[float] = []
        ET.SubElement(self._root, "style").text = STYLE

    def text(self) -> str:
        """The picture, as large as what is drawn."""
        left, top = min(self._across) - MARGIN, min(self._down) - MARGIN
        width, height = max(self._across) + MARGIN - left, max(self._down) + MARGIN - top
        size = {
            "viewBox": f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}",
            "width": f"{width:.1f}",
            "height": f"{height:.1f}",
        }
        self._root.attrib.update(size)
        return ET.tostring(self._root, encoding="unicode")

    def _reach(self, left: float, top: float, width: float, height: float) -> None:
        self._across += (left, left + width)
        self._down += (top, top + height)

    def node(self, name: str, data: Mapping[str, Any], pos: str, size: tuple[float, float], where: Place) -> None:
        """A state: circle or box, its name with a subscript, a subtitle, a second ring where the text may end.

        where   the subtitle stands
        """
        x, y = self._point(pos)
        flags = [flag for flag in ("accepting", "new", "opens") if data[flag]] + (["folded"] if data["hidden"] else [])
        classes = " ".join(["node", f"mode-{data['kind']}", f"shape-{data['shape']}", *flags])
        group = ET.SubElement(self._root, "g", {"class": classes, "id": name, "data-state": ""})
        if data.get("copy"):
            group.set("data-copy", data["copy"])
        circle = data["shape"] == "circle"
        if circle:
            radius = RING if data["new"] else RADIUS
            self._reach(x - radius, y - radius, 2 * radius, 2 * radius)
            ET.SubElement(group, "circle", _numbers(cx=x, cy=y, r=RADIUS))
            if data["accepting"]:
                ET.SubElement(group, "circle", {**_numbers(cx=x, cy=y, r=13.5), "class": "ring"})
            if data["new"]:
                ET.SubElement(group, "circle", {**_numbers(cx=x, cy=y, r=RING), "class": "new-ring"})
        else:
            width, height = size
            self._rectangle(group, x - width / 2, y - height / 2, width, height, 6)
            if data["opens"]:  # a plus in its corner, for a page that can open it
                across, up = x + width / 2 - 7, y - height / 2 + 6.5
                sign = f"M{_pair((across - 3, up))}h6M{_pair((across, up - 3))}v6"
                ET.SubElement(group, "path", {"d": sign, "class": "sign"})
        self._state_name(group, x, y - 3 if where == "inside" else y + 4, str(data["text"]))
        note = note_of(data)
        if where != "nowhere" and (note or data["new"]):
            below = y + (30 if circle else 26) + (4 if data["new"] else 0)
            across, down = BESIDE.get(where, (0, 12 if where == "inside" else below - y))
            classes = f"subtitle {where.removeprefix('lower-')}" if where in BESIDE else "subtitle"
            line = ET.SubElement(group, "text", {**_numbers(x=x + across, y=y + down), "class": classes})
            line.text = note
            wide = LETTER * len(f"{note} new" if data["new"] else note)
            begin = 0 if "right" in where else wide if "left" in where else wide / 2
            self._reach(x + across - begin, y + down - 8, wide, 11)
            if data["new"]:  # a page may hide it
                ET.SubElement(line, "tspan", {"class": "tag"}).text = " new" if note else "new"

    def _state_name(self, group: ET.Element, x: float, y: float, name: str) -> None:
        label = ET.SubElement(group, "text", {**_numbers(x=x, y=y), "class": "name"})
        match = re.fullmatch(r"s([0-9]+)", name)
        if match is None:
            label.text = name
            return
        label.text = "s"
        ET.SubElement(label, "tspan", {"dy": "3", "font-size": "8.5"}).text = match[1]

    def edge(self, name: str, pos: str, label: str, kind: str, at: tuple[float, float], height: float = 16) -> None:
        """A transition: a spline, its arrow head, and the label on a small plate around `at`.

        kind    of its states; more classes may follow
        """
        group = ET.SubElement(self._root, "g", {"class": f"edge mode-{kind}", "id": name})
        end = next((self._point(p[2:]) for p in pos.split() if p.startswith("e,")), None)
        points = [(x, self._height - y) for x, y in spline(pos)]
        path = f"M{_pair(points[0])}"
        for one in range(1, len(points) - 2, 3):
            path += f"C{_pair(points[one])} {_pair(points[one + 1])} {_pair(points[one + 2])}"
        ET.SubElement(group, "path", {"d": path, "class": "line"})
        for x, y in along(points):
            self._reach(x, y, 0, 0)
        if end is not None:
            ET.SubElement(group, "path", {"d": _arrow(points[-1], end), "class": "arrow"})
        if label:
            x, y, width = at[0], self._height - at[1], plate(label)
            self._rectangle(group, x - width / 2, y - height / 2, width, height, 4)
            ET.SubElement(group, "text", _numbers(x=x, y=y + 3.5)).text = label

    def cluster(self, name: str, box: tuple[float, float, float, float], label: str) -> None:
        """The dashed frame of an opened submachine: left, bottom, right, top."""
        left, bottom, right, top = box
        group = ET.SubElement(self._root, "g", {"class": "cluster mode-argument", "id": name, "data-state": ""})
        self._rectangle(group, left, self._height - top, right - left, top - bottom, 10)
        ET.SubElement(group, "text", _numbers(x=left + 8, y=self._height - top + 13)).text = label

    def band(self, box: tuple[float, float, float, float], label: str, kind: str, begin: float) -> None:
        """The ground on which the states of one mode stand, and its title, which begins at `begin`."""
        left, bottom, right, top = box
        group = ET.SubElement(self._root, "g", {"class": f"band mode-{kind}"})
        self._rectangle(group, left, self._height - top, right - left, top - bottom, 10)
        ET.SubElement(group, "text", _numbers(x=begin, y=self._height - top + 15)).text = label

    def _rectangle(self, group: ET.Element, x: float, y: float, width: float, height: float, rx: float) -> None:
        self._reach(x, y, width, height)
        ET.SubElement(group, "rect", _numbers(x=x, y=y, width=width, height=height, rx=rx))

    def _point(self, pos: str) -> tuple[float, float]:
        x, y = pos.split(",")
        return float(x), self._height - float(y)


def _numbers(**values: float) -> dict[str, str]:
    return {key: f"{value:.2f}".rstrip("0").rstrip(".") for key, value in values.items()}


def _pair(point: tuple[float, float]) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"


def note_of(data: Mapping[str, Any]) -> str:
    """What is written at a state, and how many tools are folded below it."""
    return " ".join(filter(None, [data["below"], f"+{data['hidden']}" if data["hidden"] else ""]))


def plate(label: str) -> float:
    """How wide a transition's label is with the plate that it stands on."""
    return 6.2 * len(label) + 6


def spline(pos: str) -> list[tuple[float, float]]:
    """The points of a transition as Graphviz tells them, the tip of its arrow left out."""
    pairs = (part.split(",") for part in pos.split() if part[0] not in "es")
    return [(float(x), float(y)) for x, y in pairs]


def along(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points on a chain of cubic splines, close to each other."""
    found = []
    for at in range(0, len(points) - 3, 3):
        p, q, r, s = points[at : at + 4]
        for step in range(17):
            t = step / 16
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            found.append((a * p[0] + b * q[0] + c * r[0] + d * s[0], a * p[1] + b * q[1] + c * r[1] + d * s[1]))
    return found


def _arrow(base: tuple[float, float], tip: tuple[float, float]) -> str:
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    length = max((dx * dx + dy * dy) ** 0.5, 1e-6)
    side = (-dy / length * 3.2, dx / length * 3.2)
    left, right = (base[0] + side[0], base[1] + side[1]), (base[0] - side[0], base[1] - side[1])
    return f"M{_pair(left)}L{_pair(tip)}L{_pair(right)}Z"
