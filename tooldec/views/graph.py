"""The machine drawn in the form of Figure 2: an outline → networkx → DOT → Graphviz's layout → SVG.

The layout is Graphviz's, the drawing ours: every state is a `<g class="node …" id="b4">`, every transition a
`<g class="edge" id="e7">`, so that a page can light them up by id. Colours and second signs come from the page's
style sheet; the SVG also looks right by itself.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx

from tooldec.boxes import Box, View
from tooldec.outline import Outline
from tooldec.submachine import Table
from tooldec.symbols import symbols_text
from tooldec.tools import type_name
from tooldec.views import bands, labels
from tooldec.views.beside import sides
from tooldec.views.dot import LETTER, POINTS, Place, clipped, place_of_subtitle, quoted, to_dot
from tooldec.views.layout import layout
from tooldec.views.svg import BESIDE, Svg, along, spline
from tooldec.views.titles import titles

OPENED = 12
"""Submachines of up to so many states, all of them ASCII, are drawn opened."""

SPARE = 6.0
"""Points by which the frame of an opened submachine is lower than Graphviz would draw it."""

NAME = 11
"""Letters of a name that is written at its state; longer ones would be in the way, and the transitions spell them."""

TYPE = 20
"""Letters of a parameter with its type, below its box."""

LONGEST = 60
"""Letters of a type, wherever it is told with its box."""

KIND = 12
"""Letters of a type that stands in the box itself: one without a submachine of its own, a list for example."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG and what lies behind its ids; `collapsed` counts the tools that are folded away.

    titles      what each box is, in words
    """

    svg: str
    boxes: tuple[Box, ...]
    view: View
    collapsed: int
    titles: Mapping[str, str]
    opened: frozenset[str] = frozenset()

    def to_json(self) -> dict[str, Any]:
        boxes = [
            {
                "id": box.id,
                "name": box.name,
                "kind": box.kind,
                "title": self.titles[box.id],
                "subtitle": subtitle(box),
                "hidden": box.hidden,
                "entered": box.entered,
                **(_argument(box, box.id in self.opened) if box.kind == "argument" else {}),
            }
            for box in self.boxes
        ]
        edges = [{"id": e.id, "from": e.source, "to": e.target, "label": e.label} for e in self.view.edges]
        return {"svg": self.svg, "boxes": boxes, "edges": edges, "collapsed": self.collapsed}


def draw(
    outline: Outline,
    opened: Collection[str] = (),
    new: Collection[str] = (),
    direction: str = "LR",
    modes: Mapping[str, str] | None = None,
) -> Picture:
    """Draw an outline.

    opened      ids of argument boxes whose submachine is shown
    new         ids of boxes that are marked as new (Figure 3)
    direction   "LR" or "TB"
    modes       kinds of boxes that lie in a band of their own, with the band's title: {"text": "Thought"}, in order
    """
    view = outline.view()
    graph = to_networkx(view, opened, new)
    bands.assign(graph, modes or {})
    svg = _svg(graph, direction)
    collapsed = sum(box.hidden for box in view.boxes)
    return Picture(svg, view.boxes, view, collapsed, titles(view), frozenset(opened))


def _argument(box: Box, opened: bool) -> dict[str, Any]:
    """Whose argument it is, and its submachine; `opens` where it is small enough to be drawn, `open` where it is."""
    table = box.table
    facts = {"tool": box.label.tool, "parameter": box.label.parameter}
    if table is None:
        return facts
    small = drawable(table)
    return {**facts, "submachine": table.name, "states": len(table), "opens": small, "open": opened and small}


def subtitle(box: Box) -> str:
    """What is written below a state."""
    if box.kind == "argument":
        return f"{box.label.parameter}: {clipped(type_name(box.label.schema), LONGEST)}"
    if box.kind == "name":
        return (box.label.tool or "") if box.name_part == "complete" else ""
    if box.kind == "result":
        return "result" if box.label.mode == "result" else "host"
    return ""


def to_networkx(view: View, opened: Collection[str] = (), new: Collection[str] = ()) -> nx.MultiDiGraph:
    """The boxes and transitions as a networkx graph, inner states of opened boxes included (ids `b9.2`).

    The first box is drawn twice where calls lead back to it: its copy has the id `b0-copy`.
    """
    graph = nx.MultiDiGraph()
    first = view.boxes[0]
    shown = {box.id: box for box in view.boxes}
    for box in view.boxes:
        inside = box.table if box.id in opened and box.table is not None and drawable(box.table) else None
        if inside is None:
            graph.add_node(box.id, **_node(box, box.id in new))
        else:
            _open(graph, box, inside)
    copies = first.kind == "text" and any(e.target == first.id and e.source != first.id for e in view.edges)
    if copies:
        graph.add_node(f"{first.id}-copy", **{**_node(first, False), "copy": first.id})
    loops = [box for box in view.boxes if box.stays is not None]
    for box in loops:
        markers = ",".join(box.stays or ())
        name = "loop" if len(loops) == 1 else f"loop-{box.id}"
        graph.add_edge(box.id, box.id, key=name, id=name, label=f"Σ−{{{markers}}}" if markers else "Σ")
    for edge in view.edges:
        back = copies and edge.target == first.id and edge.source != first.id
        target = f"{first.id}-copy" if back else edge.target
        sources = _exits(graph, shown[edge.source]) if edge.source in opened else [edge.source]
        for index, source in enumerate(sources):
            entry = target if target in graph else f"{target}.0"
            graph.add_edge(source, entry, key=(edge.id, index), id=edge.id, label=edge.label)
    return graph


def drawable(table: Table) -> bool:
    """Whether a submachine is small enough to be read when it is opened."""
    return len(table) <= OPENED and bool((table.array[:, 0x80:] < 0).all())


def _node(box: Box, new: bool) -> dict[str, Any]:
    closed = box.kind == "argument"
    text = box.name if not closed else box.table.name if box.table else clipped(type_name(box.label.schema), KIND)
    return {
        "kind": box.kind,
        "shape": "box" if closed else "circle",
        "text": text,
        "subtitle": subtitle(box),
        "below": clipped(subtitle(box), TYPE) if closed or len(subtitle(box)) <= NAME else "",
        "accepting": box.accepting,
        "hidden": box.hidden,
        "new": new,
        "opens": closed and box.table is not None and drawable(box.table),
    }


def _open(graph: nx.MultiDiGraph, box: Box, table: Table) -> None:
    heading = f"{table.name} {clipped(subtitle(box), TYPE)}"
    for state in range(len(table)):
        graph.add_node(
            f"{box.id}.{state}",
            kind="argument",
            shape="circle",
            text=f"s{box.base + state}",
            subtitle="",
            below="",
            accepting=False,
            hidden=0,
            new=False,
            opens=False,
            cluster=box.id,
            heading=heading,
        )
    for state, row in enumerate(table.rows):
        by_target: dict[int, list[int]] = {}
        for byte, target in enumerate(row):
            if target >= 0:
                by_target.setdefault(target, []).append(byte)
        for target, symbols in by_target.items():
            name = f"{box.id}.{state}.{target}"
            graph.add_edge(
                f"{box.id}.{state}", f"{box.id}.{target}", key=name, id=name, label=symbols_text(symbols), inner=True
            )


def _exits(graph: nx.MultiDiGraph, box: Box) -> list[str]:
    if f"{box.id}.0" not in graph or box.table is None:
        return [box.id]
    return [f"{box.id}.{state}" for state, accepts in enumerate(box.table.accepting) if accepts]


def _svg(graph: nx.MultiDiGraph, direction: str) -> str:
    placed = json.loads(layout(to_dot(graph, direction)))
    width, height = (float(x) for x in placed["bb"].split(",")[2:])
    svg = Svg(height)
    names = {quoted(node): node for node in graph}
    written = {data["id"]: clipped(data["label"]) for *_, data in graph.edges(data=True)}
    frames = [thing for thing in placed.get("objects", ()) if thing["name"].startswith("cluster_")]
    states = [thing for thing in placed.get("objects", ()) if not thing["name"].startswith("cluster_")]
    drawn = {names[thing["name"]]: (thing, graph.nodes[names[thing["name"]]]) for thing in states}
    lines = [(written[edge["id"]], along(spline(edge["pos"]))) for edge in placed.get("edges", ())]
    down = direction == "TB"
    subtitles = {node: place_of_subtitle(data, down) for node, (_, data) in drawn.items()}
    places = {thing["id"]: _frame(thing["bb"]) for thing in frames}
    headings = {thing["id"]: graph.nodes[f"{thing['id']}.0"]["heading"] for thing in frames}
    shapes = [shape for one in drawn.values() for shape in labels.of_state(*one, down)]
    shapes += [labels.of_frame(places[frame], heading) for frame, heading in headings.items()]
    standing = labels.places(placed.get("edges", ()), lines, shapes)
    if down:
        subtitles |= sides(drawn, [(label, at, line) for (label, line), at in zip(lines, standing, strict=True)], width)
    places |= {node: _rectangle_around(*one, subtitles[node]) for node, one in drawn.items()}
    for edge in placed.get("edges", ()):
        if edge["tail"] == edge["head"]:  # a loop and its label are part of the state
            node = names[placed["objects"][edge["tail"]]["name"]]
            places[node] = _with_loop(places[node], edge["pos"], edge.get("lp"), written[edge["id"]])
    grounds = bands.grounds(graph, places, [line for _, line in lines])
    for band, (ground, kind, begin) in grounds.items():
        svg.band(ground, band, kind, begin)
    for thing in frames:
        svg.cluster(thing["id"], places[thing["id"]], headings[thing["id"]])
    for edge, at in zip(placed.get("edges", ()), standing, strict=True):
        ends = [placed["objects"][edge[end]]["name"] for end in ("tail", "head")]
        kinds = [graph.nodes[names[end]]["kind"] for end in ends]
        kind = kinds[1] if kinds[0] == "text" else kinds[0]
        if any(bands.holds(ground, at) for ground, *_ in grounds.values()):
            kind += " grounded"
        height = 12 if ends[0] == ends[1] else 16  # a loop is too small for its label, which stands beside it
        svg.edge(edge["id"], edge["pos"], written[edge["id"]], kind, at, height)
    for node, (thing, data) in drawn.items():
        size = float(thing["width"]) * POINTS, float(thing["height"]) * POINTS
        svg.node(node, data, thing["pos"], size, subtitles[node])
    return svg.text()


def _frame(box: str) -> bands.Rectangle:
    """The frame of an opened submachine: its title needs less room than Graphviz gives it, a subtitle above more."""
    left, bottom, right, top = map(float, box.split(","))
    return left, bottom, right, top - SPARE


def _with_loop(rectangle: bands.Rectangle, pos: str, place: str | None, label: str) -> bands.Rectangle:
    points = [tuple(map(float, point.removeprefix("e,").split(","))) for point in pos.split()]
    if place:
        x, y = map(float, place.split(","))
        points += [(x + side * LETTER * len(label) / 2, y) for side in (-1, 1)]
    across, up = zip(*points, strict=True)
    left, bottom, right, top = rectangle
    return min(left, *across), min(bottom, *up), max(right, *across), max(top, *up)


def _rectangle_around(state: Mapping[str, str], data: Mapping[str, Any], subtitle: Place) -> bands.Rectangle:
    """A state's shape with what is written at it, to the left and to the right."""
    x, y = map(float, state["pos"].split(","))
    width, height = (float(state[side]) * POINTS / 2 for side in ("width", "height"))
    text = LETTER * len(data["below"])
    left = right = max(width, text / 2)
    if subtitle in BESIDE:
        name = BESIDE[subtitle][0] + (text - 4 if "right" in subtitle else 4 - text)
        left, right = max(width, -name), max(width, name)
    return x - left, y - height, x + right, y + height
