"""The graph in Graphviz's language: how large states are, how far apart, and where their subtitles stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import graphviz
import networkx as nx

Place = Literal["below", "inside", "right", "left", "lower-right", "lower-left", "nowhere"]

POINTS = 72.0
"""Graphviz's points in an inch."""

LETTER = 6.6
"""The width of a letter of a subtitle, in points."""

RADIUS = 17.0
"""Of a state's circle, in points."""


def to_dot(graph: nx.MultiDiGraph, direction: str = "LR") -> str:
    """The graph in Graphviz's language."""
    dot = graphviz.Digraph()
    down = direction == "TB"
    far = down and any(data.get("band") for _, data in graph.nodes(data=True))  # titles stand between
    apart, on = ("0.38", "0.6" if far else "0.42") if down else ("0.3", "0.34")
    dot.attr(rankdir=direction, nodesep=apart, ranksep=on, splines="spline", forcelabels="false")
    dot.attr("node", fixedsize="true", label="", fontname="Helvetica", fontsize="11")
    dot.attr("edge", fontname="Courier", fontsize="11", arrowsize="0.6")
    clusters: dict[str, list[str]] = {}
    for node, data in graph.nodes(data=True):
        if data.get("cluster"):
            clusters.setdefault(data["cluster"], []).append(node)
        else:
            dot.node(quoted(node), **_size(data, down))
    for cluster, nodes in clusters.items():
        with dot.subgraph(name=f"cluster_{cluster}") as inner:
            inner.attr(label=_escaped(graph.nodes[nodes[0]]["heading"]), margin="8", id=cluster)
            for node in nodes:
                inner.node(quoted(node), **_size(graph.nodes[node], down))
    for source, target, data in graph.edges(data=True):
        label, length = _escaped(f"{clipped(data['label'])} "), str(data.get("length", 1))
        dot.edge(quoted(source), quoted(target), label=label, comment=data["id"], id=data["id"], minlen=length)
    return str(dot.source)


def _size(data: Mapping[str, Any], down: bool) -> dict[str, str]:
    if data["shape"] == "circle":
        return {"shape": "circle", "width": f"{2 * RADIUS / POINTS:.3f}", "height": f"{2 * RADIUS / POINTS:.3f}"}
    height = 42 if place_of_subtitle(data, down) == "inside" else 28
    letters = len(data["below"])
    width = max(56, 8 + 6.7 * len(data["text"]), 8 + LETTER * letters if down else 5.8 * letters)
    return {"shape": "box", "width": f"{width / POINTS:.3f}", "height": f"{height / POINTS:.3f}"}


def place_of_subtitle(data: Mapping[str, Any], down: bool) -> Place:
    """Below a state; where the graph runs downward, and lines are there, beside a circle and inside of a box."""
    if down and data["shape"] == "circle":
        return "right"
    return "inside" if down and data["below"] else "below"


def quoted(node: str) -> str:
    """A node's name in DOT."""
    return node.replace(":", "_")  # a colon would begin a port


def _escaped(label: str) -> str:
    return str(graphviz.escape(label))


def clipped(label: str, longest: int = 26) -> str:
    """A label, cut where it is too long to be drawn."""
    return label if len(label) <= longest else label[: longest - 1] + "…"
