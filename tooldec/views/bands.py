"""The modes of a machine as bands: each stands on a ground of its own, one behind the other.

Graphviz's own clusters would sort the tools anew, so bands are made of lengths: the states of a mode begin where those
of the modes before it have ended, and its ground is what they then cover.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import networkx as nx

Point = tuple[float, float]

Rectangle = tuple[float, float, float, float]
"""Left, bottom, right, top."""

AROUND = (8.0, 18.0, 8.0, 22.0)
"""Room around the states of a band: left, bottom for subtitles, right, top for its title."""

WIDER = ((0, 30), (30, 0), (0, 60), (60, 0))
"""By how much a ground may be wider to the left and to the right for its title."""

LETTER = 5.6
"""About the width of a letter of a title."""


def assign(graph: nx.MultiDiGraph, modes: Mapping[str, str]) -> None:
    """Say of each state in whose band it lies, and how long the transitions between bands are at least.

    Text mode has none where it is one state. What the host writes before the arguments belongs to the name.
    """
    order = list(dict.fromkeys(modes.values()))
    met = _met(graph)
    closing: set[str] = set()  # states of kind "name" behind the arguments: a call is closed, or another one begins
    for _, data in graph.nodes(data=True):
        data["band"] = None
    for node in met:
        data, kind = graph.nodes[node], graph.nodes[node]["kind"]
        before = [one for one in graph.predecessors(node) if met.get(one, len(met)) < met[node]]
        if kind == "name" and any(b in closing or graph.nodes[b]["kind"] in ("argument", "other") for b in before):
            closing.add(node)
            kind = "argument" if data["subtitle"] else "between"
        elif kind == "result" and data["subtitle"] == "host":
            kind = "name"
        data["band"] = None if data.get("copy") else modes.get(kind)
    places = {node: len(order) if (band := graph.nodes[node]["band"]) is None else order.index(band) for node in graph}
    ranks = dict.fromkeys(graph, 0)
    for place in sorted(set(places.values())):
        begin = 1 + max((ranks[node] for node in graph if places[node] < place), default=-1)
        inside = [node for node in met if places[node] == place]
        ranks |= dict.fromkeys(inside, begin)
        for source in inside:  # the longest ways
            for target in graph.successors(source):
                if places[target] == place and met[source] < met[target]:
                    ranks[target] = max(ranks[target], ranks[source] + 1)
    for source, target, data in graph.edges(data=True):
        if places[source] < places[target] and source in met:
            data["length"] = max(1, ranks[target] - ranks[source])
    text = [data for _, data in graph.nodes(data=True) if data["kind"] == "text" and data["band"] is not None]
    if len(text) == 1:
        text[0]["band"] = None


def _met(graph: nx.MultiDiGraph) -> dict[str, int]:
    """States in an order in which all transitions lead on but those of loops; others can't be reached."""
    first = next(iter(graph))
    return {node: at for at, node in enumerate(reversed(list(nx.dfs_postorder_nodes(graph, first))))}


def grounds(
    graph: nx.MultiDiGraph, places: Mapping[str, Rectangle], lines: Sequence[Sequence[Point]]
) -> dict[str, tuple[Rectangle, str, float]]:
    """The ground of each band, the kind of its first states, and where its title begins.

    There is none where it would lie below another state. It is wider where no transition passes the title then.

    places      where states and the frames of opened submachines are drawn
    lines       points along each transition
    """
    members: dict[str, list[str]] = {}
    for node, data in graph.nodes(data=True):
        if data["band"] is not None:
            members.setdefault(data["band"], []).append(node)
    found: dict[str, tuple[Rectangle, str, float]] = {}
    for band, nodes in members.items():
        frames = {graph.nodes[node]["cluster"] for node in nodes if graph.nodes[node].get("cluster")}
        ground = _around(places[name] for name in (*nodes, *frames))
        wide = (*ground[:2], max(ground[2], ground[0] + 20 + LETTER * len(band)), ground[3])  # for its title
        others = [places[node] for node in graph if node not in nodes and graph.in_degree(node)]
        others += [one for one, *_ in found.values()]
        roomy = ((wide[0] - left, wide[1], wide[2] + right, wide[3]) for left, right in WIDER)
        free = [one for one in (wide, *roomy, ground) if not any(meet(one, other) for other in others)]
        clear = ((one, begin) for one in free if (begin := _title_place(one, band, lines)) is not None)
        if free:
            fitting, begin = next(clear, (free[0], free[0][0] + 10))
            found[band] = (fitting, graph.nodes[nodes[0]]["kind"], begin)
    return found


def _title_place(ground: Rectangle, title: str, lines: Iterable[Iterable[Point]]) -> float | None:
    """Where a band's title begins: as far to the left as no transition passes it; None where one always does."""
    left, _, right, top = ground
    width = LETTER * len(title) * 1.15  # a page writes it bold
    passing = [x for line in lines for x, y in line if top - AROUND[3] <= y <= top]
    places = range(round(left) + 10, round(right - width) - 5, 2)
    return next((x for x in places if not any(x - 4 <= at <= x + width + 4 for at in passing)), None)


def _around(rectangles: Iterable[Rectangle]) -> Rectangle:
    left, bottom, right, top = zip(*rectangles, strict=True)
    return min(left) - AROUND[0], min(bottom) - AROUND[1], max(right) + AROUND[2], max(top) + AROUND[3]


def meet(one: Rectangle, two: Rectangle) -> bool:
    """Whether two rectangles have room in common."""
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def holds(rectangle: Rectangle, point: Point) -> bool:
    """Whether a point lies in a rectangle."""
    return rectangle[0] <= point[0] <= rectangle[2] and rectangle[1] <= point[1] <= rectangle[3]
