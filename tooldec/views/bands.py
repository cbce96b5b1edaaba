"""The modes of a machine as bands: each stands on a ground of its own, one behind the other.

Graphviz's own clusters would sort the tools anew, so bands are made of lengths: the states of a mode begin where those
of the modes before it have ended, and its ground is what they then cover.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import networkx as nx

Rectangle = tuple[float, float, float, float]
"""Left, bottom, right, top."""

AROUND = (12.0, 20.0, 12.0, 22.0)
"""Room around the states of a band: left, bottom for subtitles, right, top for its title."""

LETTER = 5.6
"""About the width of a letter of a title."""


def assign(graph: nx.MultiDiGraph, modes: Mapping[str, str]) -> None:
    """Say of each state in whose band it lies, and how long the transitions between bands are at least.

    Text mode has none where it is one state. What the host writes before the arguments belongs to the name.
    """
    order = list(dict.fromkeys(modes.values()))
    for _, data in graph.nodes(data=True):
        asks = data["kind"] == "result" and data["subtitle"] == "host"
        data["band"] = None if data.get("copy") else modes.get("name" if asks else data["kind"])
    for source, target in graph.edges():  # a call is closed, or another one begins
        if graph.nodes[source]["kind"] in ("argument", "other") and graph.nodes[target]["kind"] == "name":
            graph.nodes[target]["band"] = modes.get("argument" if graph.nodes[target]["subtitle"] else "between")
    places = {
        node: len(order) if data["band"] is None else order.index(data["band"]) for node, data in graph.nodes(data=True)
    }
    ranks = dict.fromkeys(graph, 0)
    for place in sorted(set(places.values())):
        begin = 1 + max((ranks[node] for node in graph if places[node] < place), default=-1)
        inside = [node for node in graph if places[node] == place]
        for node in inside:
            ranks[node] = begin
        for source, target in _ahead(graph, inside):  # the longest ways
            ranks[target] = max(ranks[target], ranks[source] + 1)
    for source, target, data in graph.edges(data=True):
        if places[source] < places[target]:
            data["length"] = max(1, ranks[target] - ranks[source])
    text = [data for _, data in graph.nodes(data=True) if data["kind"] == "text" and data["band"] is not None]
    if len(text) == 1:
        text[0]["band"] = None


def _ahead(graph: nx.MultiDiGraph, inside: list[str]) -> list[tuple[str, str]]:
    """The transitions inside of a band to states that were met later, in the order of the states they begin at."""
    met = {node: at for at, node in enumerate(inside)}
    return [
        (source, target)
        for source in inside
        for target in graph.successors(source)
        if target in met and met[source] < met[target]
    ]


def grounds(graph: nx.MultiDiGraph, places: Mapping[str, Rectangle]) -> dict[str, tuple[Rectangle, str]]:
    """The ground of each band and the kind of its first states; none where it would lie below another state.

    places      where states and the frames of opened submachines are drawn
    """
    members: dict[str, list[str]] = {}
    for node, data in graph.nodes(data=True):
        if data["band"] is not None:
            members.setdefault(data["band"], []).append(node)
    found: dict[str, tuple[Rectangle, str]] = {}
    for band, nodes in members.items():
        frames = {graph.nodes[node]["cluster"] for node in nodes if graph.nodes[node].get("cluster")}
        ground = _around(places[name] for name in (*nodes, *frames))
        wide = (*ground[:2], max(ground[2], ground[0] + 20 + LETTER * len(band)), ground[3])  # for its title
        others = [*(places[node] for node in graph if node not in nodes), *(one for one, _ in found.values())]
        fitting = next((one for one in (wide, ground) if not any(_meet(one, other) for other in others)), None)
        if fitting:
            found[band] = (fitting, graph.nodes[nodes[0]]["kind"])
    return found


def _around(rectangles: Iterable[Rectangle]) -> Rectangle:
    left, bottom, right, top = zip(*rectangles, strict=True)
    return min(left) - AROUND[0], min(bottom) - AROUND[1], max(right) + AROUND[2], max(top) + AROUND[3]


def _meet(one: Rectangle, two: Rectangle) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
