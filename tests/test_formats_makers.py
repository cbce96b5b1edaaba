"""Tools as the makers of models and of agents write them in JSON: another key, another wrapping."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tooldec import parse_tools
from tooldec.errors import SignatureError

TEXT = {"type": "string"}
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"sign": TEXT}, "required": ["sign"]}

WRITTEN: dict[str, Any] = {
    "Bedrock": {"toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": SCHEMA}}}]}},
    "Bedrock, one": {"toolSpec": {"name": "f", "inputSchema": {"json": SCHEMA}}},
    "Cohere": {"name": "f", "parameter_definitions": {"sign": {"type": "str", "required": True}}},
    "smolagents": {"name": "f", "inputs": {"sign": TEXT}, "output_type": "string"},
    "LangChain": {"name": "f", "args": {"sign": TEXT}},
    "LangChain, schema": {"name": "f", "args_schema": SCHEMA},
    "params": {"name": "f", "params": SCHEMA},
    "types alone": {"name": "f", "args": {"sign": "string"}},
    "no key": {"name": "f", "type": "function", **{key: SCHEMA[key] for key in ("properties", "required")}},
    "Gemini's classes": {
        "name": "f",
        "parameters": {"type_": "OBJECT", "properties": {"sign": {"type_": "STRING"}}, "required": ["sign"]},
    },
}


@pytest.mark.parametrize("maker", WRITTEN)
def test_every_maker_means_the_same(maker: str) -> None:
    [tool] = parse_tools(json.dumps(WRITTEN[maker]))
    assert (tool.name, tool.parameters) == ("f", SCHEMA)


def test_parameters_by_name_that_a_call_may_leave_out() -> None:
    given = {
        "k": {"type": "integer", "default": 3},
        "tag": {"type": "string", "nullable": True},
        "day": {"type": "str", "required": False},
        "query": TEXT,
    }
    [tool] = parse_tools(json.dumps({"name": "f", "args": given}))
    assert tool.parameters["required"] == ["query"]
    assert list(tool.parameters["properties"]) == list(given)


def test_a_listed_parameter_keeps_what_it_asks_for() -> None:
    listed = [
        {"name": "code", "type": "string", "maxLength": 3, "required": "false"},
        {"name": "place", "type": "object", "properties": {"city": TEXT}, "required": ["city"]},
        {"name": "size", "anyOf": [{"type": "integer"}, TEXT], "required": "true"},
    ]
    [tool] = parse_tools(json.dumps({"name": "f", "parameters": listed}))
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "code": {"type": "string", "maxLength": 3},
            "place": {"type": "object", "properties": {"city": TEXT}, "required": ["city"]},
            "size": {"anyOf": [{"type": "integer"}, TEXT]},
        },
        "required": ["size"],
    }


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ({"parameters": {"title": TEXT, "body": TEXT}}, "without `properties`"),
        ({"parameters": {"type": "object", "city": TEXT}}, "without `properties`"),
        ({"fields": {"city": TEXT}}, r"\$\.fields: arguments aren't read from this key; call it `parameters`"),
        ({"request": SCHEMA}, r"\$\.request: arguments aren't read from this key"),
        ({"inputs": {"city": ["string"]}}, r"\$\.inputs\.city: this isn't a parameter: `\['string'\]`"),
    ],
)
def test_no_argument_is_dropped_in_silence(function: dict[str, Any], told: str) -> None:
    with pytest.raises(SignatureError, match=told):
        parse_tools(json.dumps({"name": "f", **function}))


def test_what_a_tool_returns_is_no_argument() -> None:
    more = {"returns": SCHEMA, "outputSchema": SCHEMA, "annotations": {"hint": {"type": "x"}}, "_meta": {"a": TEXT}}
    [tool] = parse_tools(json.dumps({"name": "f", **more}))
    assert tool.parameters == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[{\u201cname\u201d: 1}]", "straight quotes"),
        ("[{\u2018name\u2019: 1}]", "straight quotes"),
        ('[{"name":\u00a0"f"}]', "no-break space"),
        ('[{"name":\u3000"f"}]', "wide space"),
    ],
)
def test_marks_of_a_word_processor_are_named(text: str, told: str) -> None:
    with pytest.raises(SignatureError, match=told):
        parse_tools(text)


_EMPTY = {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("function", "signature"),
    [
        ({"parameters": None, "inputSchema": SCHEMA}, "f(sign: str)"),
        ({"parameters": {}, "input_schema": SCHEMA}, "f(sign: str)"),
        ({"parameters": _EMPTY, "input_schema": SCHEMA}, "f(sign: str)"),
        ({"parameters": [], "inputSchema": SCHEMA}, "f(sign: str)"),
        ({"parameters": None, "inputSchema": {"json": SCHEMA}}, "f(sign: str)"),
        ({"inputSchema": {}, "args": {"sign": TEXT}}, "f(sign: str)"),
        ({"inputSchema": SCHEMA, "args": []}, "f(sign: str)"),
        ({"parameters": {}, "properties": {"sign": TEXT}, "required": ["sign"]}, "f(sign: str)"),
        ({"parameters": None, "inputSchema": {}}, "f()"),
        ({"parameters": SCHEMA, "tools": [{"name": "g"}]}, "f(sign: str)"),
        ({"tools": ["a", "b"]}, "f()"),
    ],
)
def test_of_several_keys_the_one_that_says_something_counts(function: dict[str, Any], signature: str) -> None:
    (found,) = parse_tools(json.dumps([{"name": "f", **function}]))
    assert found.signature() == signature


@pytest.mark.parametrize(
    "around",
    [
        {"name": "my-server", "version": "1.0", "tools": [{"name": "f", "inputSchema": SCHEMA}, {"name": "g"}]},
        {"name": "helper", "model": "m", "functions": [{"name": "f", "parameters": SCHEMA}, {"name": "g"}]},
        {
            "name": "helper",
            "tools": [{"type": "function", "function": {"name": n, "parameters": SCHEMA}} for n in "fg"],
        },
        {"mine": [{"type": "function", "function": {"name": "f"}}, {"type": "function", "function": {"name": "g"}}]},
    ],
)
def test_what_has_tools_is_no_tool(around: dict[str, Any]) -> None:
    for text in (json.dumps(around), json.dumps([around])):
        assert [tool.name for tool in parse_tools(text)] == ["f", "g"]
    with pytest.raises(SignatureError, match="no tools in this text"):
        parse_tools('{"name": "my-server", "tools": []}')
