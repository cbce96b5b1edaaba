"""What people say to the tools of an app, written by hand with values that fit: the lists in spoken/.

    # garden irrigation
    start_watering(zone: str, minutes: int = 10)  # irrigate(area, duration), run_sprinkler(bed, length_min)
    water the rose bed for 15 minutes => start_watering("rose bed", 15)

A line that begins with # opens a list; signatures follow, then sayings, each with the call that it asks for. The values
of the catalogues are drawn at random; these are what one would say there. Behind a signature stands how others would
have called the tool and its parameters: whoever hears a saying under three names learns what names mean.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from tooldec.signatures import parse_tools
from tooldec.tools import Tool
from tooldec.training.documents.asks import Ask, Call
from tooldec.training.documents.catalogues import result_text, tail
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.hasty import hasty
from tooldec.training.documents.names import renamed, style
from tooldec.training.documents.nouns import introduced
from tooldec.training.documents.optional import declared, given
from tooldec.training.documents.varied import VARIED, Kind, values, varied

ARROW = " => "
OTHERS = "  # "
"""What stands between a signature and the other ones of its tool."""
OTHERWISE = 0.6
"""How many tools that have other signatures are written with one of them."""

_OTHER = re.compile(r"(\w+)\(([^)]*)\)")


@dataclass(frozen=True, slots=True)
class Said:
    """A tool, and what people say who want it: (words, arguments)."""

    tool: Tool
    sayings: tuple[tuple[str, dict[str, Any]], ...]
    weights: Sequence[Sequence[float]] = ((), ())
    """How often each saying is drawn, where no list of tools is shown and where one is; all alike when empty."""
    others: tuple[Tool, ...] = ()
    """The tool as others would have declared it: another name for it and for its parameters, in the same order."""

    def weight(self, listed: bool) -> float:
        """How often the tool is drawn: as its sayings on average."""
        return sum(self.weights[listed]) / len(self.sayings) if self.weights[listed] else 1.0


@cache
def spoken_lists() -> tuple[tuple[Said, ...], ...]:
    """All lists, in the order of the files' names."""
    folder = files("tooldec.training.documents").joinpath("spoken")
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
        ValueError: a saying calls a tool that the list lacks, or isn't a call of literals; another signature has more
            parameters than its tool, or fewer.
        SignatureError: a signature can't be read, or two tools have one name.
    """
    lines = block.splitlines()[1:]
    signatures = [line.partition(OTHERS) for line in lines if ARROW not in line]
    tools = {tool.name: tool for tool in parse_tools("\n".join(f"def {signature}" for signature, _, _ in signatures))}
    others = [_OTHER.findall(more) for _, _, more in signatures]
    sayings: dict[str, list[tuple[str, dict[str, Any]]]] = {name: [] for name in tools}
    for line in lines:
        if ARROW in line:
            words, written = line.rsplit(ARROW, 1)
            name, values = _call(written)
            if name not in tools:
                raise ValueError(f"{written!r} calls none of {', '.join(tools)}")
            keys = [parameter.name for parameter in tools[name].arguments]
            sayings[name].append((words, dict(zip(keys, values, strict=False))))
    return tuple(
        Said(tool, tuple(sayings[tool.name]), others=tuple(_otherwise(tool, name, names) for name, names in more))
        for tool, more in zip(tools.values(), others, strict=True)
    )


def _otherwise(tool: Tool, name: str, names: str) -> Tool:
    """The tool under another name, its parameters under others: `area, duration`.

    Raises:
        ValueError: they are more or fewer than the tool has, or one stands twice.
    """
    new = re.findall(r"\w+", names)
    if not len(new) == len(set(new)) == len(tool.arguments):
        raise ValueError(f"{name}({names}) doesn't name the {len(tool.arguments)} parameters of {tool.name}")
    called = dict(zip((one.name for one in tool.arguments), new, strict=True))
    properties = {called[key]: schema for key, schema in tool.parameters["properties"].items()}
    required = [called[key] for key in tool.parameters.get("required", ())]
    return replace(tool, name=name, parameters={**tool.parameters, "properties": properties, "required": required})


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
        draw.written[said.tool.name] = _as_written(draw, said)
    chosen, tool = draw.written[said.tool.name]
    names = dict(zip((one.name for one in said.tool.arguments), (one.name for one in chosen.arguments), strict=True))
    arguments = {names[name]: value for name, value in arguments.items()}
    call = Call(tool, given(tool, arguments), result_text(draw, "ok"))
    answer = ("Done: ", call, tail(call.result))
    question = introduced(draw, words, chosen, arguments)
    return Ask(hasty(draw, question, _texts(arguments)), answer, frozenset({said.tool.name}), said=wording)


def _as_written(draw: Draw, said: Said) -> tuple[Tool, Tool]:
    """One of the tool's signatures, and that with its name in some style, perhaps with other optional parameters."""
    others = [other.tool for other in draw.spoken]
    taken = {tool.name for other in draw.spoken for tool in (other.tool, *other.others)}
    chosen = draw.pick(said.others) if said.others and draw.chance(OTHERWISE) else said.tool
    name = renamed(draw, chosen.name, taken)
    tool = replace(declared(draw, chosen, others), name=style(draw, name))
    if not draw.listed or draw.chance(0.6):
        return chosen, tool
    properties = dict(tool.parameters["properties"])
    first = [name for name in properties if name in tool.parameters.get("required", ())]
    draw.rng.shuffle(first)
    order = [*first, *(name for name in properties if name not in first)]
    properties = {name: properties[name] for name in order}
    return chosen, replace(tool, parameters={**tool.parameters, "properties": properties})


def _texts(arguments: Mapping[str, Any]) -> list[str]:
    """The values of a call as texts, those of lists one by one."""
    return [str(item) for value in arguments.values() for item in (value if isinstance(value, list) else [value])]
