"""Lists of tools with faults: where each is told, and that the others are read; what isn't a tool of one's own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tooldec.errors import SignatureError
from tooldec.signatures import parse_tools, read_tools


def read(text: str) -> tuple[str, list[tuple[int | None, int | None]]]:
    """The names of the tools that can be read, and the places of the errors."""
    tools, errors = read_tools(text)
    return " ".join(tool.name for tool in tools), [(error.line, error.column) for error in errors]


@pytest.mark.parametrize(
    ("text", "names", "place"),
    [
        ('{"name":"a"}\n{"name":"b","parameters":{"type":"object"}\n{"name":"c"}\n{"name":"d"}', "a c d", (2, 43)),
        ('[{"name":"a"}, {"name": "b" "x"}, {"name":"c"}]', "a c", (1, 29)),
        ('[{"name":"a"}, {"name": "b", "name": "x"}, {"name":"c"}]', "a c", (1, 30)),
        ('[\n  {"name":"a"},\n  {"name":"b", "parameters":{},\n  {"name":"c"},\n  {"name":"d"}\n]', "a c d", (3, 31)),
        ('[{"name":"a",\n{"name":"b"},\n{"name":"c"}]', "b c", (1, 13)),
        ('[{"name":"a"}\n{"name": "b"}, {"name":"c"}]', "a b c", (2, 1)),
        ('{"tools": [{"name":"a"}, {"name": b}, {"name":"c"}]}', "a c", (1, 35)),
        ('{"model": gpt, "tools": [{"name":"a"}, {"name":"c"}]}', "a c", (1, 11)),
        ('{"tools": [{"name":"a"}], "x": y}\n{"name":"b"}', "a b", (1, 32)),
        ('[{"name":"a", "x": 1e999e}, {"name":"b"}]', "b", (1, 20)),
        ('[{"name":"a", "x": {"y": -Infinity}}, {"name":"b"}]', "b", (1, 26)),
    ],
)
def test_one_fault_in_json_leaves_the_other_tools(text: str, names: str, place: tuple[int, int]) -> None:
    assert read(text) == (names, [place])


FAULTS = (
    "{'properties': {'xx': {'enum': ['next', 'faulty']}, 'y': {'type': 'strng'}}}",
    "{'required': ['xX'], 'properties': {'xx': {}}}",
)
LISTED = f"""tools = [
  {{'name': 'a', 'ä': 'ö', 'parameters': {FAULTS[0]}}},
  {{'name': 'ü', 'parameters': {FAULTS[1]}}},
  {{'name': 'next'}}]"""
YAML = f"""tools:
  - name: a
    description: "ä, next"
    parameters: {FAULTS[0]}
  - name: ü
    parameters: {FAULTS[1]}
  - name: 'next'"""


@pytest.mark.parametrize("text", [LISTED, f"const {LISTED}", YAML], ids=["python", "javascript", "yaml"])
def test_faults_stand_at_their_values_in_every_notation(text: str) -> None:
    (tool,), errors = read_tools(text)
    assert [(error.word, error.replacement, error.kind) for error in errors] == [
        ("strng", "string", "type"),
        ("xX", "xx", "undeclared"),
    ]
    lines = text.split("\n")
    for word, place in [*((error.word, error) for error in errors), ("next", tool)]:
        assert place.line and place.column and lines[place.line - 1].startswith(word, place.column - 1)
    assert tool.line == len(lines)


@pytest.mark.parametrize(
    "parameters",
    [[], {"properties": []}, {"type": "object", "properties": [], "required": []}],
    ids=["none", "no type", "none required"],
)
def test_an_empty_list_is_an_empty_object_as_php_writes_it(parameters: Any) -> None:
    for entry in ({"name": "now", "parameters": parameters}, {"name": "now", "inputSchema": parameters}):
        (tool,) = parse_tools(json.dumps(entry))
        assert tool.arguments == () and tool.parameters["properties"] == {}
    nested = {"name": "now", "parameters": {"properties": {"zone": parameters or {}}}}
    assert parse_tools(json.dumps(nested))[0].arguments[0].schema.get("properties", {}) == {}


def test_all_lists_of_a_body_are_read() -> None:
    assert read('{"functions": [{"name": "f"}], "tools": [{"name": "g"}]}') == ("f g", [])
    assert read('{"id": "x", "question": [[{"role": "user"}]], "function": [{"name": "f"}]}') == ("f", [])
    assert read('{"tools": {"function_declarations": [{"name": "f"}, {"name": "g"}]}}') == ("f g", [])


def test_what_stands_around_a_function_belongs_to_it() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    (tool,) = parse_tools(json.dumps({"type": "function", "function": {"name": "f"}, "parameters": schema}))
    assert tool.parameters == schema


@pytest.mark.parametrize(
    "given",
    [
        {"cachePoint": {"type": "default"}},
        {"googleSearch": {}},
        {"type": "web_search"},
        {"type": "text_editor_20250124", "name": "str_replace_editor"},
        {"type": "mcp", "server_label": "a"},
    ],
)
def test_a_tool_of_the_provider_is_called_that(given: dict[str, Any]) -> None:
    tools, errors = read_tools(json.dumps({"tools": [given, {"name": "f"}]}))
    assert [tool.name for tool in tools] == ["f"]
    assert "has no schema: its provider defines it" in errors[0].message and errors[0].column in (12, 53)
    assert errors[0].kind == "provided"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"role": "assistant", "tool_calls": []}', "this is what a model answers, not a tool"),
        ('[{"type": "function", "function": {"name": "f", "arguments": "{}"}}]', "the values of a call, written as a text"),
        (json.dumps('[{"name": "f"}]'), "this is JSON inside of a text; paste the value itself"),
        (json.dumps(['{"name": "f"}']), "without the quotes around it"),
    ],
)  # fmt: skip
def test_what_is_no_tool_is_called_what_it_is(text: str, told: str) -> None:
    with pytest.raises(SignatureError, match=told):
        parse_tools(text)
