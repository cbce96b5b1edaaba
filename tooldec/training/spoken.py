"""What people say to the tools of an app, written by hand with values that fit: the lists in spoken/.

    # garden irrigation
    start_watering(zone: str, minutes: int = 10)
    water the rose bed for 15 minutes => start_watering("rose bed", 15)

A line that begins with # opens a list; signatures follow, then sayings, each with the call that it asks for. The values
of the catalogues are drawn at random; these are what one would say there.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from tooldec.signatures import parse_tools
from tooldec.tools import Tool
from tooldec.training.asks import Ask, Call
from tooldec.training.catalogues import result_text, tail
from tooldec.training.draw import Draw
from tooldec.training.hasty import hasty
from tooldec.training.names import renamed, style
from tooldec.training.nouns import introduced
from tooldec.training.optional import declared, given
from tooldec.training.varied import VARIED, Kind, values, varied

ARROW = " => "


@dataclass(frozen=True, slots=True)
class Said:
    """A tool, and what people say who want it: (words, arguments)."""

    tool: Tool
    sayings: tuple[tuple[str, dict[str, Any]], ...]
    weights: Sequence[Sequence[float]] = ((), ())
    """How often each saying is drawn, where no list of tools is shown and where one is; all alike when empty."""

    def weight(self, listed: bool) -> float:
        """How often the tool is drawn: as its sayings on average."""
        return sum(self.weights[listed]) / len(self.sayings) if self.weights[listed] else 1.0


@cache
def spoken_lists() -> tuple[tuple[Said, ...], ...]:
    """All lists, in the order of the files' names."""
    folder = files("tooldec.training").joinpath("spoken")
    texts = [path.read_text("utf-8") for path in sorted(folder.iterdir(), key=lambda path: path.name)]
    return tuple(read_list(block) for text in texts for block in text.strip().split("\n\n"))


def any_list(draw: Draw) -> Sequence[Said]:
    """One of the lists, drawn for a document."""
    return draw.pick(spoken_lists())


@cache
def said_values() -> Mapping[Kind, Sequence[Any]]:
    """The values of all lists."""
    return values((said.tool, said.sayings) for part in spoken_lists() for said in part)


def read_list(block: str) -> tuple[Said, ...]:
    """One list: a title, signatures and sayings.

    Raises:
        ValueError: a saying calls a tool that the list lacks, or isn't a call of literals.
    """
    lines = block.splitlines()[1:]
    tools = {tool.name: tool for line in lines if ARROW not in line for tool in parse_tools(f"def {line}")}
    sayings: dict[str, list[tuple[str, dict[str, Any]]]] = {name: [] for name in tools}
    for line in lines:
        if ARROW in line:
            words, written = line.rsplit(ARROW, 1)
            name, values = _call(written)
            if name not in tools:
                raise ValueError(f"{written!r} calls none of {', '.join(tools)}")
            keys = [parameter.name for parameter in tools[name].arguments]
            sayings[name].append((words, dict(zip(keys, values, strict=False))))
    return tuple(Said(tools[name], tuple(said)) for name, said in sayings.items())


def _call(written: str) -> tuple[str, list[Any]]:
    """The name and the arguments of a call, read as literals."""
    call = ast.parse(written.strip(), mode="eval").body
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.keywords:
        raise ValueError(f"{written!r} is no call with positional arguments")
    return call.func.id, [ast.literal_eval(argument) for argument in call.args]


def spoken_ask(draw: Draw) -> Ask:
    """Something said to a tool of the document's list: `Done: <T>start_watering("rose bed",15)=ok.`"""
    said: Said = draw.pick(draw.spoken, [said.weight(draw.listed) for said in draw.spoken])
    wording, arguments = draw.pick(said.sayings, said.weights[draw.listed] or None)
    words = wording
    if draw.chance(VARIED):
        words, arguments = varied(draw, said_values(), wording, said.tool, arguments)
    if said.tool.name not in draw.written:
        draw.written[said.tool.name] = _as_written(draw, said.tool)
    tool = draw.written[said.tool.name]
    call = Call(tool, given(tool, arguments), result_text(draw, "ok"))
    answer = ("Done: ", call, tail(call.result))
    question = introduced(draw, words, said.tool, arguments)
    return Ask(hasty(draw, question, _texts(arguments)), answer, frozenset({said.tool.name}), said=wording)


def _as_written(draw: Draw, tool: Tool) -> Tool:
    """The tool with its name in some style, and perhaps other optional parameters, and another order of the rest."""
    others = [said.tool for said in draw.spoken]
    name = renamed(draw, tool.name, {other.name for other in others})
    tool = replace(declared(draw, tool, others), name=style(draw, name))
    if not draw.listed or draw.chance(0.6):
        return tool
    properties = dict(tool.parameters["properties"])
    first = [name for name in properties if name in tool.parameters.get("required", ())]
    draw.rng.shuffle(first)
    order = [*first, *(name for name in properties if name not in first)]
    return replace(tool, parameters={**tool.parameters, "properties": {name: properties[name] for name in order}})


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    """The values of a call as texts, those of lists one by one."""
    return [str(item) for value in arguments.values() for item in (value if isinstance(value, list) else [value])]
