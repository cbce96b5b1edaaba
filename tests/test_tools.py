"""Tools, parameters and calls: values that print themselves as prompts and messages need them."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from tooldec.tools import Parameter, Tool, ToolCall, signatures, type_name

STRING, INTEGER, NUMBER, NULL, OBJECT = ({"type": kind} for kind in ("string", "integer", "number", "null", "object"))
TREES = {"type": "array", "items": {"$ref": "#/$defs/Tree"}}

TYPE_NAMES: tuple[tuple[object, str], ...] = (
    (STRING, "str"),
    (INTEGER, "int"),
    (NUMBER, "float"),
    ({"type": "boolean"}, "bool"),
    (NULL, "null"),
    ({"type": "object"}, "dict"),
    ({"type": "array"}, "list"),
    ({"type": "array", "items": INTEGER}, "list[int]"),
    ({"type": "string", "format": "date"}, "date"),
    ({"enum": ["c", "f"]}, "c|f"),
    ({"type": "integer", "enum": [1, 2]}, "1|2"),
    ({"enum": [None, True, "a"]}, "null|true|a"),
    ({"const": 5}, "5"),
    ({"anyOf": [INTEGER, NULL]}, "int or null"),
    ({"oneOf": [INTEGER, STRING, INTEGER]}, "int or str"),
    ({"type": ["integer", "null"]}, "int or null"),
    ({"type": "object", "properties": {"x": NUMBER, "y": NUMBER}, "required": ["x", "y"]}, "{x: float, y: float}"),
    ({"type": "integer", "enum": 5}, "int"),
    ({"type": "string", "enum": None, "anyOf": 5}, "str"),
    ({"type": "object", "properties": [1]}, "dict"),
    ({}, "any"),
    ({"$ref": "#/$defs/Tree"}, "Tree"),
    (TREES, "list[Tree]"),
    ({"$ref": "#"}, "any"),
    ({"$ref": 5, "type": "integer"}, "int"),
    ({"type": "unheard"}, "any"),
    (True, "any"),
)

SIGNATURES: tuple[tuple[dict[str, Any], str], ...] = (
    ({}, "f()"),
    ({"properties": {"a": INTEGER, "b": STRING}, "required": ["b", "a"]}, "f(a: int, b: str)"),
    (
        {"properties": {"a": INTEGER, "b": {"type": "integer", "default": 0}}, "required": ["a"]},
        "f(a: int, b: int = 0)",
    ),
    (
        {"properties": {"a": TREES}, "required": ["a"], "$defs": {"Tree": {"properties": {"kids": TREES}, **OBJECT}}},
        "f(a: list[{kids: list[Tree] = null}])",
    ),
    ({"properties": {"a": {"$ref": "#/definitions/N"}}, "definitions": {"N": INTEGER}}, "f(a: int = null)"),
    ({"properties": {"a": {"$ref": "#/$defs/N"}}, "$defs": [1]}, "f(a: N = null)"),
    ({"properties": {"u": {"enum": ["c", "f"], "default": "c"}}}, 'f(u: c|f = "c")'),
    ({"properties": {"xs": {"type": "array", "items": NUMBER, "x-variadic": True}}}, "f(*xs: float)"),
    ({"properties": {"a": True}, "required": ["a"]}, "f(a: any)"),
)


@pytest.mark.parametrize(("schema", "expected"), TYPE_NAMES)
def test_type_names(schema: object, expected: str) -> None:
    assert type_name(schema) == expected


@pytest.mark.parametrize(("parameters", "expected"), SIGNATURES)
def test_signatures(parameters: dict[str, Any], expected: str) -> None:
    assert Tool("f", parameters=parameters).signature() == expected


def test_several_tools_stand_in_one_line() -> None:
    add = Tool("add", parameters={"properties": {"a": INTEGER, "b": INTEGER}, "required": ["a", "b"]})
    assert signatures([add, Tool("now")]) == "add(a: int, b: int), now()"


def test_arguments_keep_the_order_of_the_schema() -> None:
    tool = Tool("f", parameters={"properties": {"z": INTEGER, "a": STRING}, "required": ["a"]})
    assert tool.arguments == (Parameter("z", INTEGER, required=False), Parameter("a", STRING, required=True))
    assert [parameter.variadic for parameter in tool.arguments] == [False, False]


def test_a_tool_without_parameters_takes_none() -> None:
    assert Tool("now").parameters == {"type": "object", "properties": {}}
    assert Tool("now").arguments == ()


def test_to_json_is_an_entry_of_an_openai_list() -> None:
    tool = Tool("f", "what it does", {"type": "object", "properties": {"a": INTEGER}})
    entry = json.loads(json.dumps(tool.to_json()))
    assert entry["type"] == "function"
    assert entry["function"] == {"name": "f", "description": "what it does", "parameters": tool.parameters}


def test_tools_are_values() -> None:
    assert Tool("f", line=1, column=1) == Tool("f", line=9, column=9), "the place isn't part of the value"
    assert ToolCall("f", {"a": 1}, start=3) == ToolCall("f", {"a": 1}, end=8)
    assert ToolCall("f", {"a": 1}) != ToolCall("f", {"a": 2})
    with pytest.raises(FrozenInstanceError):
        Tool("f").name = "g"  # type: ignore[misc]
