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


def schema_of(function: dict[str, Any]) -> dict[str, Any]:
    [tool] = parse_tools(json.dumps({"name": "f", **function}))
    return dict(tool.parameters)


def test_a_parameter_keeps_keywords_that_nobody_knows() -> None:
    given = {"code": {"type": "string", "maxlength": 5}, "tags": {"type": "array", "contains": {"const": "a"}}}
    assert schema_of({"args": given})["properties"] == given
    listed = [
        {"name": "n", "in": "query", "raw_name": "N", "type": "integer", "minimum": "a", "maximum": "5", "min": 1}
    ]
    properties = schema_of({"parameters": listed})["properties"]
    assert properties == {"n": {"type": "integer", "minimum": "a", "maximum": 5, "min": 1, "x-in": "query"}}
    assert schema_of({"args": {"q": {**TEXT, "default": ""}}})["properties"] == {"q": {**TEXT, "default": ""}}


def test_parameters_of_one_name_are_kept_apart_or_together() -> None:
    query, body = ({"name": "id", "type": "string", "in": where} for where in ("query", "body"))
    properties = schema_of({"parameters": [query, body]})["properties"]
    assert properties == {"id": {**TEXT, "x-in": "query"}, "id_body": {**TEXT, "x-in": "body", "x-name": "id"}}
    array = {"type": "array"}
    assert schema_of({"args": [["id", "string", 1], ["id", "array", 0]]})["properties"] == {
        "id": {"anyOf": [TEXT, array]}
    }
    listed = [{"name": "id", "type": "string", "description": said} for said in ("whose", "which")]
    with pytest.raises(SignatureError, match=r"parameters\[1\]: two parameters are called `id`; .* `id_2`"):
        schema_of({"parameters": listed})


def test_what_stands_beside_a_schema_belongs_to_it() -> None:
    inner = {"type": "object", "properties": {"sign": TEXT}}
    assert schema_of({"parameters": inner, "required": ["sign"]}) == SCHEMA
    assert schema_of({"inputSchema": inner, "additionalProperties": False})["additionalProperties"] is False
    with pytest.raises(SignatureError, match=r"\$\.required: `required` stands beside `parameters` and inside of it"):
        schema_of({"parameters": SCHEMA, "required": ["size"]})


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ({"parameters": {"place": "string", "days": "int"}}, "without `properties`"),
        ({"parameters": {"type": "object", "place": "string"}}, "without `properties`"),
        ({"parameters": {"city": "Paris"}}, "`city` has a value here, `.Paris.`, not a type; a call isn't a tool"),
        ({"parameters": '{"type": "object"}'}, "this is a text, not an object schema: .*; write the object itself"),
        ({"arguments": {"city": "Paris"}}, "these are the values of a call, not parameters; a call isn't a tool"),
        ({"arguments": '{"city": "Paris"}'}, "these are the values of a call, written as a text"),
        ({"type": "tool_use", "input": {"place": {"city": "Paris"}}}, "these are the values of a call"),
    ],
)
def test_values_and_texts_are_no_schema(function: dict[str, Any], told: str) -> None:
    with pytest.raises(SignatureError, match=told):
        schema_of(function)


@pytest.mark.parametrize(
    ("kind", "told", "replacement"),
    [
        ("Strng", "unknown type `Strng`; did you mean `string`?", "string"),
        ("date", 'unknown type `date`; write `"type": "string", "format": "date"`', None),
        ("List[int]", 'write `"type": "array", "items": {"type": "integer"}`', None),
        ("Optional[int]", 'write `"type": ["integer", "null"]`', None),
        ("int | None", 'write `"type": ["integer", "null"]`', None),
        ("enum", "known types are string, integer", None),
    ],
)
def test_an_unknown_type_is_named_where_it_stands(kind: str, told: str, replacement: str | None) -> None:
    text = json.dumps([{"name": "f", "parameters": {"properties": {"a": {"type": kind}}}}])
    with pytest.raises(SignatureError) as caught:
        parse_tools(text)
    error = caught.value
    assert told in str(error) and (error.kind, error.word, error.replacement) == ("type", kind, replacement)
    assert error.column == text.index(json.dumps(kind)) + 1


def test_types_of_other_notations_are_known() -> None:
    given = {"a": {"type": "double"}, "b": {"type": "NoneType"}, "c": {"type": ["Long", "null"]}}
    expected = {"a": {"type": "number"}, "b": {"type": "null"}, "c": {"type": ["integer", "null"]}}
    assert schema_of({"parameters": {"properties": given}})["properties"] == expected


def test_a_text_in_place_of_a_schema_has_a_fix() -> None:
    for given, instead in (("false", "false"), ("int", '{"type": "integer"}')):
        with pytest.raises(SignatureError, match="write it") as caught:
            schema_of({"parameters": {"properties": {"a": {"type": "object", "additionalProperties": given}}}})
        assert (caught.value.word, caught.value.replacement) == (f'"{given}"', instead)


@pytest.mark.parametrize(
    ("function", "word"),
    [
        ({"inputs": {"a": {"type": "string"}, "b": {"type": "strng"}}}, '"strng"'),
        ({"inputs": {"a": "string", "b c": "Paris"}}, '"Paris"'),
        ({"parameters": [{"name": "a", "type": "string"}, {"name": "b", "type": "strng"}]}, '"strng"'),
        ({"params": [["a", "string", 1], ["b", "strng", 0]]}, '["b"'),
    ],
)
def test_a_fault_in_a_list_of_parameters_is_told_at_its_place(function: dict[str, Any], word: str) -> None:
    text = json.dumps({"name": "f", **function})
    with pytest.raises(SignatureError, match="unknown type") as caught:
        parse_tools(text)
    assert caught.value.column == text.index(word) + 1
