"""What the states of a drawn machine are, in words: the inspector's headings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tooldec.boxes import Box, View

_NAMES = MappingProxyType(
    {
        "begins": "A tool's name begins",
        "inside": "Inside a tool name",
        "complete": "A tool's name is complete",
    }
)


def titles(view: View) -> Mapping[str, str]:
    """The title of each box, by its id."""
    boxes = {box.id: box for box in view.boxes}
    before: dict[str, list[Box]] = {box.id: [] for box in view.boxes}
    onward: dict[str, list[Box]] = {box.id: [] for box in view.boxes}
    for edge in view.edges:
        onward[edge.source].append(boxes[edge.target])
        before[edge.target].append(boxes[edge.source])
    return {box.id: _title(box) or _between(box, before, onward) for box in view.boxes}


def approach(box: Box, title: str) -> str:
    """What is true within the text that leads to a box, whose own title is this."""
    if box.kind == "argument":
        return f"Before argument {box.label.parameter}"
    if box.name_part or (box.kind == "result" and box.label.mode != "result"):
        return "A call begins"
    return "The call ends" if _is_end(box) else title


def _title(box: Box) -> str:
    """What a box says of itself; "" around arguments, where that depends on what comes next."""
    match box.kind:
        case "text":
            return "Text mode"
        case "name":
            return _NAMES.get(box.name_part, "")
        case "argument":
            return f"Argument {box.label.parameter} of {box.label.tool}"
        case "result" if box.label.mode == "result":
            return "The host writes the result"
        case "result":
            return "The host writes the call's beginning"
        case "end":
            return "The end"
    return ""


def _between(box: Box, before: Mapping[str, list[Box]], onward: Mapping[str, list[Box]]) -> str:
    """What a box around arguments is, by what comes next and what came before."""
    following = _next(box, onward)
    arguments = {one.label.parameter for one in following if one.kind == "argument"}
    if following and all(map(_is_end, following)):
        return "The call ends" if box.kind == "name" else "The arguments end"
    if any(one.name_part for one in following):
        return "A call begins"
    if len(arguments) == 1 == len(following):
        return f"Before argument {arguments.pop()}"
    behind = {one.label.parameter for one in before[box.id]}
    if len(behind) == 1 and None not in behind:
        return f"After argument {behind.pop()}"
    return "Between arguments" if box.kind == "other" else "Around the arguments" if box.label.tool else "A call begins"


def _next(box: Box, onward: Mapping[str, list[Box]]) -> list[Box]:
    """The next boxes that say themselves what they are."""
    found: list[Box] = []
    queue, seen = [box], {box.id}
    for one in queue:
        for after in onward[one.id]:
            if after.id not in seen:
                seen.add(after.id)
                (found if _title(after) else queue).append(after)
    return found


def _is_end(box: Box) -> bool:
    return box.kind in ("text", "end") or (box.kind == "result" and box.label.mode == "result")
