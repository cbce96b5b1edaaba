"""Which arguments may be left out, declared anew: people who write the same tool differ in what they ask for.

    start_watering(zone: str, minutes: int = 10)          as a list of spoken/ has it
    start_watering(zone: str, minutes: int or null = null)
    start_watering(zone: str = "", minutes: int = 10)     the question gives the zone all the same
    start_watering(zone: str, minutes: int)               and where it doesn't say how long, the call has 0
    start_watering(zone: str, minutes: int = 10, gate: str = "")     nobody speaks of a gate

The sayings leave nothing out that their tool asks for, so that a model that learned from them alone knows no way on
where a question does: it closes the call, which the machine forbids, and writes whatever is likeliest besides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tooldec.tools import Parameter, Schema, Tool
from tooldec.training.documents.draw import Draw

ASKED = 0.12, 0.3
"""How many tools ask for what was optional, where no list of tools is shown and where one is."""
LEFT = 0.2
"""How many tools get along without what they asked for last."""
MORE = 0.15
"""How many tools have an argument more, which no saying gives."""
NULL = 0.35
"""How many optional arguments have null for a default."""

NOTHING: Mapping[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False}
"""The type of an argument → what a call gives that has to give it, where the question tells nothing of it."""


def declared(draw: Draw, tool: Tool, others: Sequence[Tool]) -> Tool:
    """The tool, perhaps with other arguments optional than before, in the order of before.

    others   tools of the same list, which lend it an argument
    """
    required = [parameter for parameter in tool.arguments if parameter.required]
    optional = [parameter for parameter in tool.arguments if not parameter.required]
    if optional and _plain(optional[0]) and draw.chance(ASKED[draw.listed]):
        required.append(_asked(optional.pop(0)))
    elif draw.listed and required and _plain(required[-1]) and draw.chance(LEFT):
        optional.insert(0, _left(draw, required.pop()))
    if draw.listed:
        optional = [_null(draw, parameter) for parameter in optional]
        if draw.chance(MORE):
            optional += _another(draw, tool, others)
    return replace(tool, parameters=_object(tool, required, optional))


def given(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, and nothing (`""`, 0, false) for each that the tool asks for besides."""
    asked = {one.name: NOTHING[one.schema["type"]] for one in tool.arguments if one.required and _plain(one)}
    return {**asked, **arguments}


def _plain(parameter: Parameter) -> bool:
    """Whether it has a value that says nothing: a type, and nothing that limits it."""
    return not {"enum", "format"} & parameter.schema.keys() and parameter.schema.get("type") in NOTHING


def _asked(parameter: Parameter) -> Parameter:
    return Parameter(parameter.name, {key: value for key, value in parameter.schema.items() if key != "default"})


def _left(draw: Draw, parameter: Parameter) -> Parameter:
    default = draw.pick((1, 5, 10, 20)) if parameter.schema["type"] == "integer" and draw.chance(0.5) else None
    default = NOTHING[parameter.schema["type"]] if default is None else default
    return Parameter(parameter.name, {**parameter.schema, "default": default}, required=False)


def _null(draw: Draw, parameter: Parameter) -> Parameter:
    """The same, with null for its default: in its type or not, as people write it."""
    if parameter.schema.get("type") == "boolean" or not draw.chance(NULL):
        return parameter
    schema: Schema = {key: value for key, value in parameter.schema.items() if key != "default"}
    if "enum" not in schema and draw.chance(0.8):
        schema = {"anyOf": [schema, {"type": "null"}]}
    return Parameter(parameter.name, {**schema, "default": None}, required=False)


def _another(draw: Draw, tool: Tool, others: Sequence[Tool]) -> list[Parameter]:
    """An argument of one of the others, optional, under a name that the tool doesn't have."""
    known = {parameter.name for parameter in tool.arguments}
    lent = [one for other in others for one in other.arguments if one.name not in known and _plain(one)]
    return [_null(draw, _left(draw, draw.pick(lent)))] if lent else []


def _object(tool: Tool, required: Sequence[Parameter], optional: Sequence[Parameter]) -> Schema:
    properties = {parameter.name: parameter.schema for parameter in (*required, *optional)}
    return {**tool.parameters, "properties": properties, "required": [parameter.name for parameter in required]}
