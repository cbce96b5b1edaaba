"""The machine in files that other programs read: DOT with its own labels and colours, PNG, GraphML, JSON.

changes(old, new)          which boxes the second machine adds, changes and lacks (Figure 3)
WRITERS[".graphml"](…)     the bytes of a file, by the ending of its name
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import graphviz
import networkx as nx

from tooldec.boxes import Box, View
from tooldec.errors import ToolDecError
from tooldec.outline import Outline
from tooldec.views.graph import draw, drawable, subtitle, to_networkx
from tooldec.views.titles import titles

_COLOURS: Mapping[str, tuple[str, str]] = {
    # kind -> ink and ground, as on the page
    "text": ("#43536b", "#eef1f5"),
    "name": ("#5746c9", "#efedfc"),
    "argument": ("#0b6e66", "#e4f3f0"),
    "result": ("#8a5300", "#fbf0dc"),
}
_OTHER = ("#1a1c1f", "#ffffff")
_STYLES = {"name": "filled,bold", "argument": "filled,dashed", "result": "filled,dotted"}


@dataclass(frozen=True, slots=True)
class Changes:
    """What a machine has that an older one hasn't: ids of its boxes; and the names of the boxes that are gone.

    states      the new ones that aren't arguments: Figure 3 draws the submachine of a type once, whoever uses it
    """

    new: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    states: tuple[str, ...] = ()


def changes(old: View, new: View) -> Changes:
    """Compare two drawn machines; boxes are the same where the same has been written, or the same argument is asked.

    A box is changed where its transitions are labelled differently, or where its argument has another type.
    """
    before, after = ({_key(box): box for box in view.boxes} for view in (old, new))
    ways_before, ways_after = _ways(old), _ways(new)
    changed = (
        box.id
        for key, box in after.items()
        if key in before and (ways_before[key] != ways_after[key] or _type(before[key]) != _type(box))
    )
    added = [box for key, box in after.items() if key not in before]
    gone = (_shown(box) for key, box in before.items() if key not in after)
    states = (box.id for box in added if box.kind != "argument")
    return Changes(tuple(box.id for box in added), tuple(changed), tuple(gone), tuple(states))


def _key(box: Box) -> tuple[str, ...]:
    if box.kind == "argument":
        return ("argument", str(box.label.tool), str(box.label.parameter))
    return (box.kind, box.entered, str(box.label.tool) if box.kind == "other" else "")


def _type(box: Box) -> str:
    return box.table.name if box.table is not None else ""


def _ways(view: View) -> dict[tuple[str, ...], set[tuple[str, tuple[str, ...]]]]:
    keys = {box.id: _key(box) for box in view.boxes}
    found: dict[tuple[str, ...], set[tuple[str, tuple[str, ...]]]] = {key: set() for key in keys.values()}
    for edge in view.edges:
        found[keys[edge.source]].add((edge.label, keys[edge.target]))
    return found


def _shown(box: Box) -> str:
    return f"{box.name} {box.entered or subtitle(box) or box.kind}".strip()


# ---- files


def to_graphviz(view: View, new: Collection[str] = ()) -> str:
    """The machine in Graphviz's language, to be drawn by any of its programs; new boxes have a second outline."""
    graph = to_networkx(view, _opened(view), new)
    dot = graphviz.Digraph()
    dot.attr(rankdir="LR", nodesep="0.3", ranksep="0.5", fontname="Helvetica", fontsize="11")
    dot.attr("node", fontname="Helvetica", fontsize="11", margin="0.06")
    dot.attr("edge", fontname="Courier", fontsize="11", arrowsize="0.6", color="#8d9298")
    clusters: dict[str, list[str]] = {}
    for node, data in graph.nodes(data=True):
        if data.get("cluster"):
            clusters.setdefault(data["cluster"], []).append(node)
        else:
            dot.node(node, **_node(data))
    for cluster, nodes in clusters.items():
        with dot.subgraph(name=f"cluster_{cluster}") as inner:
            inner.attr(label=graphviz.escape(graph.nodes[nodes[0]]["heading"]), style="dashed", color="#0b6e66")
            for node in nodes:
                inner.node(node, **_node(graph.nodes[node]))
    for source, target, data in graph.edges(data=True):
        dot.edge(source, target, label=graphviz.escape(f" {data['label']} "))
    return str(dot.source)


def _opened(view: View) -> list[str]:
    """The first box of each type that is small enough, as in Figure 2."""
    seen: set[object] = set()
    opened: list[str] = []
    for box in view.boxes:
        if box.table is not None and box.table not in seen and drawable(box.table) and len(view.boxes) < 60:
            seen.add(box.table)
            opened.append(box.id)
    return opened


def _node(data: Mapping[str, Any]) -> dict[str, str]:
    ink, ground = _COLOURS.get(data["kind"], _OTHER)
    lines = [
        data["text"],
        data["subtitle"],
        f"+{data['hidden']}" if data["hidden"] else "",
        "new" if data["new"] else "",
    ]
    return {
        "label": graphviz.escape("\n".join(filter(None, lines))).replace("\n", "\\n"),
        "shape": "box" if data["shape"] == "box" else "circle",
        "style": _STYLES.get(data["kind"], "filled"),
        "color": ink,
        "fontcolor": ink,
        "fillcolor": ground,
        "peripheries": "2" if data["new"] or data["accepting"] else "1",
    }


def _svg(outline: Outline, new: Collection[str], found: Changes | None) -> bytes:
    return draw(outline, _opened(outline.view()), new).svg.encode()


def _dot(outline: Outline, new: Collection[str], found: Changes | None) -> bytes:
    return to_graphviz(outline.view(), new).encode()


def _png(outline: Outline, new: Collection[str], found: Changes | None) -> bytes:
    try:
        from pygraphviz import AGraph
    except ImportError:
        raise ToolDecError("Graphviz isn't there to draw a PNG", fix="pip install pygraphviz") from None
    return bytes(AGraph(string=to_graphviz(outline.view(), new)).draw(format="png", prog="dot", args="-Gdpi=144"))


def _graphml(outline: Outline, new: Collection[str], found: Changes | None) -> bytes:
    graph = to_networkx(outline.view(), (), new)
    plain = nx.MultiDiGraph()
    plain.add_nodes_from(
        (node, {k: v for k, v in data.items() if v is not None}) for node, data in graph.nodes(data=True)
    )
    for source, target, data in graph.edges(data=True):
        plain.add_edge(source, target, key=data["id"], label=_legal(data["label"]))
    for _, data in plain.nodes(data=True):
        data.update({key: _legal(value) for key, value in data.items() if isinstance(value, str)})
    out = io.BytesIO()
    nx.write_graphml(plain, out)
    return out.getvalue()


def _legal(text: str) -> str:
    """XML has no control characters but tab and line end."""
    return "".join(c if c >= " " or c in "\t\n" else "\ufffd" for c in text)


def _json(outline: Outline, new: Collection[str], found: Changes | None) -> bytes:
    view = outline.view()
    title = titles(view)
    states = [
        {
            "id": box.id,
            "name": box.name,
            "kind": box.kind,
            "title": title[box.id],
            "subtitle": subtitle(box),
            "tool": box.label.tool,
            "parameter": box.label.parameter,
            "entered": box.entered,
            "accepting": box.accepting,
            "states": len(box.table) if box.table is not None else 1,
            "hidden": box.hidden,
            "new": box.id in new,
        }
        for box in view.boxes
    ]
    edges = [{"id": e.id, "from": e.source, "to": e.target, "label": e.label} for e in view.edges]
    value: dict[str, Any] = {"states": states, "transitions": edges}
    if found is not None:
        value["changes"] = {"new": found.new, "changed": found.changed, "gone": found.gone}
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


WRITERS: Mapping[str, Callable[[Outline, Collection[str], Changes | None], bytes]] = {
    ".svg": _svg,
    ".png": _png,
    ".dot": _dot,
    ".graphml": _graphml,
    ".json": _json,
}
"""ending of a file's name -> what writes it."""
