"""Formats beside plain signatures and JSON tools: what each reads as, and several in one paste."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tooldec.errors import SignatureError
from tooldec.signatures import FORMATS, format_of, parse_tools, read_tools, to_openai
from tooldec.tools import Tool

STR, INT, NUM, BOOL, NULL = ({"type": kind} for kind in ("string", "integer", "number", "boolean", "null"))


def only(text: str, format: str = "auto") -> Tool:
    (found,) = parse_tools(text, format)
    assert parse_tools(to_openai([found])) == (found,), "a round trip to OpenAI JSON loses nothing"
    return found


def properties(text: str) -> dict[str, Any]:
    return dict(only(text).parameters["properties"])


# ---- Python: docstrings, classes, names with spaces

GOOGLE = '''
    """Weather of a city.

    Args:
        city (str): where, such as
            Paris
        days (int, optional): how far ahead

    Returns:
        the weather in words
    """'''
NUMPY = '''
    """Weather of a city.

    Parameters
    ----------
    city : str
        where, such as Paris
    days : int, optional
        how far ahead

    Returns
    -------
    str
        the weather in words
    """'''
SPHINX = '''
    """Weather of a city.

    :param city: where, such as Paris
    :type city: str
    :param days: how far ahead
    :type days: int
    :returns: the weather in words
    """'''


@pytest.mark.parametrize("docstring", [GOOGLE, NUMPY, SPHINX])
@pytest.mark.parametrize("written", ["city: str, days: int = 1", "city, days=1"])
def test_docstrings(docstring: str, written: str) -> None:
    tool = only(f"def weather({written}):{docstring}\n    return 1")
    assert tool.description == "Weather of a city.\n\nReturns: the weather in words"
    assert tool.parameters["properties"] == {
        "city": {"type": "string", "description": "where, such as Paris"},
        "days": {"type": "integer", "default": 1, "description": "how far ahead"},
    }


@pytest.mark.parametrize(
    "text", ["Just words.", "Args: none, really", "Args:\nother: not ours", ":param", "Parameters\n---\n:::"]
)
def test_other_docstrings_stay_as_they_are(text: str) -> None:
    assert only(f'def f(a: int):\n    """{text}"""').description == text


CLASSES = '''
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, TypedDict, NotRequired
from pydantic import BaseModel, Field

class Unit(str, Enum):
    C = "c"
    F = "f"

@dataclass
class Place:
    """A place.

    Attributes:
        city: its name
    """
    city: str
    zips: list[str] = field(default_factory=list)

    def shown(self) -> str:
        return self.city

class Range(TypedDict, total=False):
    low: Required[int]
    high: int

class Query(Place):
    near: "Place | None" = None
    limit: int = Field(10, ge=1, le=50, description="how many")

Mode = Literal["a", "b"]

def find(query: Query, unit: Unit = Unit.C, mode: Mode = "a", range: Range | None = None): ...
'''


def test_classes_as_types() -> None:
    found = properties(CLASSES)
    place = {
        "city": {"type": "string", "description": "its name"},
        "zips": {"type": "array", "items": STR, "default": []},
    }
    assert found["query"]["properties"] == {
        **place,
        "near": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": place,
                    "required": ["city"],
                    "description": "A place.",
                    "title": "Place",
                },
                NULL,
            ],
            "default": None,
        },
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "how many", "default": 10},
    }
    assert found["query"]["required"] == ["city"]
    assert found["unit"] == {"type": "string", "enum": ["c", "f"], "title": "Unit", "default": "c"}
    assert found["mode"] == {"type": "string", "enum": ["a", "b"], "default": "a"}
    low = {"type": "object", "properties": {"low": INT, "high": INT}, "required": ["low"], "title": "Range"}
    assert found["range"] == {"anyOf": [low, NULL], "default": None}


def test_classes_alone_are_tools() -> None:
    text = (
        "class GetWeather(BaseModel):\n"
        '    """Weather of a place."""\n'
        "    place: Place\n"
        '    days: Annotated[int, Field(ge=1, le=7, description="how far")] = 1\n'
        "class Place(BaseModel):\n"
        "    city: str = Field(min_length=1)\n"
    )
    tool = only(text)
    assert (tool.name, tool.description, tool.line, tool.column) == ("GetWeather", "Weather of a place.", 1, 7)
    assert tool.signature() == "GetWeather(place: {city: str}, days: int = 1)"
    assert tool.parameters["properties"]["place"]["properties"]["city"] == {"type": "string", "minLength": 1}
    assert tool.parameters["properties"]["days"]["maximum"] == 7


def test_methods_of_a_class_are_tools() -> None:
    text = 'class Calc:\n    """Sums."""\n    k = 1\n    def add(self, a: int): ...\n'
    text += "    def _no(self): ...\n    def neg(self): ...\n"
    assert [tool.signature() for tool in parse_tools(text)] == ["add(a: int)", "neg()"]


def test_a_module_may_say_what_it_is() -> None:
    text = '"""Tools.\n\nfunction of(a)\ninterface Nothing {\n"""\nfrom typing import Any\n\ndef f(a: int): ...\n'
    assert only(text, "python").name == "f"
    text = 'def f(a: int):\n    """F.\n\n    interface Nothing {\n    """\n'
    assert only(text).description == "F.\n\ninterface Nothing {"


def test_names_with_spaces() -> None:
    tool = only("number of participants(event name)  # how many took part")
    assert (tool.name, tool.description) == ("number_of_participants", "how many took part")
    assert tool.parameters == {
        "type": "object",
        "properties": {"event_name": {"type": "string", "title": "event name"}},
        "required": ["event_name"],
        "title": "number of participants",
    }
    assert only("get-weather(city: str)").name == "get-weather"
    assert only("capital of(country)").parameters["properties"] == {"country": STR}
    assert only("capital(country name)").signature() == "capital(country_name: str)"


# ---- JSON in other shapes


def test_a_titled_schema_is_a_tool() -> None:
    schema = {"$schema": "x", "title": "Get weather", "description": "W.", "type": "object", "properties": {"a": INT}}
    tool = only(json.dumps(schema))
    assert (tool.name, tool.description) == ("Get_weather", "W.")
    assert tool.parameters == {"title": "Get weather", "type": "object", "properties": {"a": INT}}
    assert [tool.name for tool in parse_tools(json.dumps([schema, {**schema, "title": "b"}]))] == ["Get_weather", "b"]


@pytest.mark.parametrize(
    ("function", "signature"),
    [
        ({"name": "f", "parameters": [{"name": "q", "in": "query", "required": True, "schema": INT}]}, "f(q: int)"),
        ({"name": "f", "params": [["a", "string", 1], ["b", "integer", 0]]}, "f(a: str, b: int = null)"),
        ({"name": "f", "args": ["event name"]}, "f(event_name: str)"),
        ({"name": "f", "arg_type": "number", "min_args": 2, "max_args": None}, "f(*numbers: float)"),
        ({"name": "f", "parameters": [{"name": "n", "schema": {**INT, "maximum": "5", "default": "2"}}]},
         "f(n: int = 2)"),
        ({"name": "f", "input_schema": {"type": "object", "properties": {"a": STR}, "required": ["a"]}}, "f(a: str)"),
        ({"function_declarations": [
            {"name": "f", "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}}
         ]}, "f(a: str = null)"),
        ({"type": "function", "name": "f", "strict": True, "parameters": {"properties": {}}}, "f()"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "f", "inputSchema": {"type": "object"}}]}}, "f()"),
    ],
)  # fmt: skip
def test_shapes_of_functions(function: dict[str, Any], signature: str) -> None:
    assert only(json.dumps(function)).signature() == signature


# ---- TypeScript

NAMESPACE = """namespace functions {

// Get the current weather
type get_current_weather = (_: {
// The city and state, e.g. San Francisco, CA
location: string,
format?: "celsius" | "fahrenheit", // default: celsius
}) => any;

type now = () => any;

} // namespace functions
"""


def test_typescript_as_chat_models_see_it() -> None:
    weather, now = parse_tools(NAMESPACE)
    assert weather == Tool(
        "get_current_weather",
        "Get the current weather",
        {
            "type": "object",
            "properties": {
                "location": {"type": "string", "description": "The city and state, e.g. San Francisco, CA"},
                "format": {"type": "string", "enum": ["celsius", "fahrenheit"], "description": "default: celsius"},
            },
            "required": ["location"],
        },
    )
    assert (weather.line, weather.column) == (4, 6) and now.signature() == "now()"
    assert parse_tools(to_openai((weather, now))) == (weather, now)


@pytest.mark.parametrize(
    ("written", "schema"),
    [
        ("string", STR), ("integer", INT), ("string | null", {"anyOf": [STR, NULL]}), ("any", {}),
        ("1 | 2", {**INT, "enum": [1, 2]}),
        ("string[]", {"type": "array", "items": STR}), ("Array<number>", {"type": "array", "items": NUM}),
        ("(string | number)[]", {"type": "array", "items": {"anyOf": [STR, NUM]}}), ("true | false", BOOL),
        ("Record<string, number>", {"type": "object", "additionalProperties": NUM}),
        ("[string, number]",
         {"type": "array", "prefixItems": [STR, NUM], "items": False, "minItems": 2, "maxItems": 2}),
        ("{ a: string; b?: number }", {"type": "object", "properties": {"a": STR, "b": NUM}, "required": ["a"]}),
        ("{ [key: string]: boolean }", {"type": "object", "additionalProperties": BOOL}),
        ("Place", {"type": "object", "properties": {"city": STR}, "required": ["city"]}),
        ("Unit", {"type": "string", "enum": ["c", "f"]}), ("Date", {"type": "string", "format": "date-time"}),
        ("A & Place", {"type": "object", "properties": {"x": NUM, "city": STR}, "required": ["x", "city"]}),
        ("Far", {"type": "object", "properties": {"city": STR, "km": NUM}, "required": ["city", "km"]}),
    ],
)  # fmt: skip
def test_typescript_types(written: str, schema: dict[str, Any]) -> None:
    types = 'interface Place { city: string }\nenum Unit { C = "c", F = "f" }\ntype A = { x: number };\n'
    types += "interface Far extends Place { km: number }\n"
    assert properties(f"{types}export declare function f(a: {written}): Promise<void>;") == {"a": schema}


def test_typescript_functions() -> None:
    text = "/** Sums.\n * @param a the first\n */\n"
    text += "async function add<T>(a: number, b: number = 2, ...more: number[]): number;\nfunction g()"
    add, g = parse_tools(text)
    assert add.description == "Sums." and g.signature() == "g()"
    assert add.parameters["properties"] == {
        "a": {"type": "number", "description": "the first"},
        "b": {"type": "number", "default": 2},
        "more": {"type": "array", "items": NUM, "x-variadic": True},
    }
    assert only("function h({ a, b }: { a: string, b?: string }): void").signature() == "h(a: str, b: str = null)"


TYPESCRIPT_ERRORS = (
    ("function f(a: strng): any", 1, 15, "use `string`"),
    ("type T = { a?: Partial<T> };\nfunction f(t: T): any", 1, 16, "`T` is made of its own properties here"),
    ("function f(a: string", 1, 11, "never closed"),
    ("function f(a: 'x): any", 1, 15, "can't stand here"),
    ("function f(a: string): any\ndef g(b: int)", 2, 1, "one format at a time"),
    ("function f(a: {b: string c: string}): any", 1, 26, "`,` is expected"),
)


@pytest.mark.parametrize(("text", "line", "column", "phrase"), TYPESCRIPT_ERRORS)
def test_typescript_errors(text: str, line: int, column: int, phrase: str) -> None:
    with pytest.raises(SignatureError) as caught:
        parse_tools(text)
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert phrase in str(caught.value) and caught.value.fix


# ---- several formats, several errors


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ('[{"name": "a"}]\ndef f(x)', "no other format"),
        ('def f(x)\n[{"name": "a"}]', "one format at a time"),
        ("def f(x)\ninterface A { a: string }", "one format at a time"),
        ("function f(a: string): any;\ndef g(b: int)", "one format at a time"),
        ('openapi: 3.1.0\npaths: {}\n{"name": "a"}', "YAML"),
        ('{"openapi": "3.1.0", "paths": {}} def f()', "no other format"),
    ],
)
def test_several_formats_in_one_paste_are_refused(text: str, phrase: str) -> None:
    with pytest.raises(SignatureError, match="line") as caught:
        parse_tools(text)
    assert phrase in str(caught.value)


def test_every_error_is_told_and_the_rest_is_read() -> None:
    tools, errors = read_tools("def f(a: flaot)\ndef g(b: int)\nnothing\ndef g(c: int)\ndef h(\n\ndef i(d: str)")
    assert [tool.name for tool in tools] == ["g", "i"]
    assert [(e.line, e.kind) for e in errors] == [(1, "type"), (3, "syntax"), (4, "duplicate"), (5, "syntax")]
    tools, errors = read_tools(
        '{"name": "a"}\n{"name": }\n{"name": "b", "parameters": {"required": ["c"]}}\n{"name": "d"}'
    )
    assert [tool.name for tool in tools] == ["a", "d"]
    assert [(e.line, e.kind) for e in errors] == [(2, "syntax"), (3, "undeclared")]
    tools, errors = read_tools("\x00")
    assert tools == () and errors[0].line == 1


def test_names_alone() -> None:
    tools, errors = read_tools("get_weather\n\n100_range.of\nbad name", format="names")
    assert [tool.name for tool in tools] == ["get_weather", "100_range.of"] and errors[0].line == 4
    assert format_of("some words\nin lines") == "python" and set(FORMATS) >= {"names"}


# ---- everything tool-like in the shared data


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "count", "doubled"),
    [
        ("funcqa_tools.json", 13, 0), ("kamel_relations.jsonl", 234, 0), ("restbench_tmdb_tools.jsonl", 54, 0),
        ("restbench_spotify_tools.jsonl", 40, 0), ("toolbench_apis.jsonl", 2_470, 0),
        ("toolbench_names.txt", 16_000, 0),
        ("tools_16k.jsonl", 16_000, 0), ("bfcl_multiturn_tools.json", 153, 9),
    ],
)  # fmt: skip
def test_files_of_the_shared_data(data_folder: Path, name: str, count: int, doubled: int) -> None:
    tools, errors = read_tools((data_folder / name).read_text("utf-8"))
    assert (len(tools), [error.kind for error in errors]) == (count, ["duplicate"] * doubled)
    assert parse_tools(to_openai(tools)) == tools
    for tool in tools:
        assert tool.line and tool.column and tool.parameters["type"] == "object"
