"""Pastes as people make them: what once crashed, took minutes, or was read as something else without a word."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tooldec.errors import SignatureError
from tooldec.signatures import format_of, parse_tools, read_tools

DEEP = "[" * 30_000
DOUBLED = "\n".join(f"class T{n}(BaseModel):\n    a: T{n + 1}\n    b: T{n + 1}" for n in range(18))
CHAIN = "\n".join(f"class T{n}(BaseModel):\n    a: T{n + 1}" for n in range(1500))
LAST = "(BaseModel):\n    a: int"
REVERSED = f"class T0{LAST}\n" + "\n".join(f"class T{n}(BaseModel):\n    a: T{n - 1}" for n in range(1, 500))
LISTED = "# list\ntools = [\n" + "  {'name': 'a', 'strict': True},\n" * 15 + "  {'name': 'é',\n   'strict': CITY},\n]\n"


def schema(text: str) -> dict[str, Any]:
    """The properties of a text's first tool."""
    properties: dict[str, Any] = parse_tools(text)[0].parameters["properties"]
    return properties


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (f"- name: x\n  a: {DEEP}", (2, 68), "nested more than 64 deep"),
        (f"openapi: 3.0.0\npaths: {DEEP}", (2, 71), "nested more than 64 deep"),
        ("def a(): ...\n```\ndef b(): ...\n```", (2, 1), "paste what is inside the fence"),
        ("class A(BaseModel):\n    x: " + " | ".join(["int"] * 900), (1, 7), "nested more than"),
        (f"{DOUBLED}\nclass T18{LAST}", (2, 8), "hold more than 1,000 types"),
        (f"{CHAIN}\nclass T1500{LAST}", (2, 8), "nest more than 32 deep"),
        (REVERSED, (68, 8), "nest more than 32 deep"),
        (LISTED, (19, 14), "`CITY` isn't a literal value"),
        ("tools = [{'name': 'a'}]\nprint(tools)", (2, 1), "`print(tools)` isn't a literal value"),
        ("tools = [{'name': 'a', **more}]", (1, 26), "`more` isn't a key in quotes"),
        ("tools = [{'name': 'a', 'x': 1, 'x': 2}]", (1, 32), "the key `'x'` stands twice in one dictionary; remove one of them"),
        ("tools = {'name': 'a', 'parameters': {'properties': {'x': {}, 'x': {}}}}", (1, 62), "stands twice in one dictionary"),
        ("def f(x: dict = {'a': 1, 'b': 2, 'a': 1}): ...", (1, 34), "the key `'a'` stands twice in one dictionary"),
        ("tools = [{'name': b'a'}]", (1, 19), "isn't a literal value"),
        ("def f(x: float = Field(max_digits=3)): ...", (1, 35), "`max_digits` isn't enforced"),
        ("def f(x: float = Field(decimal_places=2)): ...", (1, 39), "`decimal_places` isn't enforced"),
        ("def f(a: int, b: int = Field(alias='a')): ...", (1, 15), "two parameters are called `b`"),
        ("class A(BaseModel):\n    a: int\n    b: int = Field(alias='a')", (1, 1), "two fields of `A` have one name"),
        ("- name: a\n  x: [1", (2, 8), "this isn't YAML"),
        ("- name: a\n  x: [1,\n      -.inf]", (3, 7), "`-.inf` is no number that JSON has"),
        ("- name: a\n  parameters: {properties: {x: {maximum: .NaN}}}", (2, 42), "`.NaN` is no number that JSON has"),
        ("openapi: 3.0.0\npaths:\n  /a: {get: {x: 1e999}}", (3, 17), "`1e999` is no number that JSON has"),
        ("def f(x: str = Field(max_len=3)): ...", (1, 30), "the argument `max_len` of `Field` isn't read; did you mean `max_length`?"),
        ("def f(x: str = Query(choices=['a'])): ...", (1, 30), "the argument `choices` of `Query` isn't read"),
        ("def f(x: str = Field(**more)): ...", (1, 24), "what `**more` holds isn't known"),
        ("def f(x: str = Field(json_schema_extra=change)): ...", (1, 40), "`change` isn't a literal value"),
        ("def f(x: str = Field(json_schema_extra={'anyOf': 5})): ...", (1, 40), "anyOf: this isn't a list"),
        ("class A(BaseModel):\n    x: int\nclass B(A): ...\nclass C(A, B):\n    y: int", (4, 1), "the bases of `C` have no order"),
        ('```json\n[{"name": "a"}]\n```\nand\n```python\ndef f(): ...\n```\n', (5, 1), "another format than the first"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_says_where_and_at_once(text: str, place: tuple[int, int], message: str) -> None:
    start = time.process_time()
    _, errors = read_tools(text)
    assert time.process_time() - start < 10
    assert (errors[0].line, errors[0].column) == place
    assert message in str(errors[0])


def test_yaml_merges_do_not_double() -> None:
    rows = "".join(f"  a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 60))
    assert [tool.name for tool in parse_tools(f"- name: x\n  a0: &a0 {{k: 1}}\n{rows}")] == ["x"]


def test_spaces_behind_a_fence_take_no_time() -> None:
    start = time.process_time()
    with pytest.raises(SignatureError):
        parse_tools("```json\n[]\n```" + " " * 60_000 + "x")
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("[NO, SE, yes, off, Y]", ["NO", "SE", "yes", "off", "Y"]),
        ("[true, False, TRUE]", [True, False, True]),
        ("[12:30, 1_000, 010, 0o10, 0x1F, 1e3, -2.5]", ["12:30", "1_000", 10, 8, 31, 1000.0, -2.5]),
        ("[~, null, '~', =]", [None, None, "~", "="]),
        ("[2024-01-31, 2024-02-30]", ["2024-01-31", "2024-02-30"]),
        ("[2001-12-14t21:59:43.10-05:00, 2024-1-1, 2024-01-01 10:00:00]", ["2001-12-14t21:59:43.10-05:00", "2024-1-1", "2024-01-01 10:00:00"]),
        ("[!!timestamp 2024-01-31, !!binary aGk=]", ["2024-01-31", "aGk="]),
        ("[inf, nan, .info, 1e300]", ["inf", "nan", ".info", 1e300]),
    ],
)  # fmt: skip
def test_yaml_has_the_words_of_version_1_2(written: str, value: list[Any]) -> None:
    text = f"- name: a\n  parameters: {{type: object, properties: {{on: {{enum: {written}}}}}}}\n"
    assert schema(text) == {"on": {"enum": value}}


def test_keys_of_yaml_are_read_as_they_are_written() -> None:
    keys = ["1.10", "0x1F", "012", "1e3", "2020-01-01", "null", "~", "True", "200", "!!int 5"]
    rows = "".join(f"      {key}: {{type: integer}}\n" for key in keys)
    text = f"- name: a\n  parameters:\n    type: object\n    properties:\n{rows}"
    assert list(schema(text)) == [*keys[:-1], "5"]


def test_a_key_of_yaml_that_is_a_value_too_stays_a_number_there() -> None:
    text = "- name: a\n  parameters: {type: object, properties: {x: {enum: [&n 1.5, 2], *n : 3}}}\n"
    assert schema(text) == {"x": {"enum": [1.5, 2], "1.5": 3}}


@pytest.mark.parametrize(
    ("format", "names", "text"),
    [
        ("yaml", "now", "tools:\r\n  - name: now\r\n"),
        ("yaml", "now", "---\r\n- name: now\r\n"),
        ("assigned", "now", 'import os\r\n\r\ntools = [{"name":"now","strict":True}]'),
        ("typescript", "add", "\ufefffunction add(a: number, b?: number): number;"),
        ("openapi", "p", "\ufeffopenapi: 3.0.0\npaths: {/p: {get: {operationId: p}}}"),
        (
            "json",
            "a",
            json.dumps([{"name": "a", "parameters": {"properties": {"openapi": {"type": "string"}}}}], indent=1),
        ),
        ("python", "f", 'def f(swagger: str):\n    """Reads.\n\n    swagger: a path\n    """'),
        (
            "json",
            "a b",
            '{"name": "a", "description": "Default: None", "strict": true}\n{"name": "b", "strict": false}',
        ),
        ("json", "a", '[{"name":"a","description":"\\ud83d\\ude00 Returns: None"}]'),
        ("assigned", "a", '[{"name": "a", "description": "it\'s", "strict": True}]'),
        (
            "json",
            "a b",
            'Here are the tools:\n\n```json\n[{"name": "a"}]\n```\nand:\n```\n[{"name": "b"}]\n```\nEnjoy (all)!',
        ),
        ("python", "f", 'def f():\n  """As\n  ```\n  f()\n  ```\n  """\n'),
    ],
)
def test_formats_are_known_by_what_is_written(format: str, names: str, text: str) -> None:
    tools = parse_tools(text)
    assert (format_of(text), " ".join(tool.name for tool in tools)) == (format, names)


def test_places_in_a_fence_are_those_of_the_text() -> None:
    (tool,) = parse_tools('Here:\r\n```json\r\n[{"name": "a"}]\r\n```\r\nThat\'s all.')
    assert (tool.line, tool.column) == (3, 11)


NULL, INT, STR = ({"type": kind} for kind in ("null", "integer", "string"))


@pytest.mark.parametrize(
    ("text", "properties"),
    [
        (
            "def f(x: int | float = Field(ge=0)): ...",
            {"x": {"anyOf": [{**INT, "minimum": 0}, {"type": "number", "minimum": 0}]}},
        ),
        (
            "def f(x: Annotated[int | None, Field(ge=0, le=1)]): ...",
            {"x": {"anyOf": [{**INT, "minimum": 0, "maximum": 1}, NULL]}},
        ),
        (
            "def f(x: str | list[int] = Field(min_length=2)): ...",
            {"x": {"anyOf": [{**STR, "minLength": 2}, {"type": "array", "items": INT, "minItems": 2}]}},
        ),
        (
            'def f(q, filter=None):\n    """F.\n\n    Args:\n        q (int): n\n        filter (str, optional): which\n    """',
            {
                "q": {**INT, "description": "n"},
                "filter": {"anyOf": [STR, NULL], "default": None, "description": "which"},
            },
        ),
        (
            'def total(*values):\n    """Sum.\n\n    Args:\n        values (int): them\n    """',
            {"values": {"type": "array", "items": INT, "x-variadic": True, "description": "them"}},
        ),
        (
            "class P(IntEnum):\n  A = auto()\n  B = 5\n  C = auto()\ndef f(p: P): ...",
            {"p": {**INT, "enum": [1, 5, 6], "title": "P"}},
        ),
        ("class P(Enum):\n  LOW = enum.auto()\ndef f(p: P): ...", {"p": {**INT, "enum": [1], "title": "P"}}),
        ("class P(StrEnum):\n  LOW = auto()\ndef f(p: P): ...", {"p": {**STR, "enum": ["low"], "title": "P"}}),
        ("class P(str, Enum):\n  LOW = auto()\ndef f(p: P): ...", {"p": {**STR, "enum": ["1"], "title": "P"}}),
        (
            "class P(IntFlag):\n  R = 4\n  def g(self): ...\ndef f(p: P): ...",
            {"p": {**INT, "minimum": 0, "title": "P"}},
        ),
        ("@dataclass\nclass A:\n    x: int\n    y: int = field(init=False)", {"x": INT}),
        (
            "class A(BaseModel):\n    x: int = Field(alias='from', description='d')",
            {"from": {**INT, "description": "d"}},
        ),
        ("def f(x: Annotated[int, Field(alias='no', validation_alias='y')]): ...", {"y": INT}),
        ("def f(x: str = Field('a', const=True)): ...", {"x": {**STR, "enum": ["a"], "default": "a"}}),
        ("def f(x: int = Field(5, minimum=1, enum=[1, 5])): ...", {"x": {**INT, "minimum": 1, "enum": [1, 5], "default": 5}}),
        ("def f(x: str = Query(maxLength=3, format='date')): ...", {"x": {**STR, "maxLength": 3, "format": "date"}}),
        ("def f(x: list[str] = Field(items={'type': 'str', 'maxLength': 2})): ...", {"x": {"type": "array", "items": {**STR, "maxLength": 2}}}),
        ("def f(x: Annotated[str, Field(json_schema_extra={'enum': ['a', 'b']})]): ...", {"x": {**STR, "enum": ["a", "b"]}}),
        ("def f(x: str = Field(json_schema_extra=None, max_length=None)): ...", {"x": STR}),
        ("def f(x: str = Field(const='a')): ...", {"x": {**STR, "const": "a"}}),
        ("def f(x: str = Field('a', const=False)): ...", {"x": {**STR, "default": "a"}}),
        ("def f(x: int = Field(index=True, repr=False, exclude=True, strict=True)): ...", {"x": INT}),
        ("class A(BaseModel):\n  x: int\nclass B(BaseModel):\n  x: str\nclass C(A, B):\n  y: int", {"x": INT, "y": INT}),
        ("class A(BaseModel):\n  x: int\nclass B(A):\n  x: str\nclass C(A):\n  z: int\nclass D(C, B): ...", {"x": STR, "z": INT}),
        ("class A(BaseModel):\n  x: int = Field(alias='from')\nclass B(A):\n  x: str", {"x": STR}),
        ("class A:\n  '''A.\n\n  Args:\n      x: it\n  '''\n  x: int\nclass B(A):\n  y: int", {"x": {**INT, "description": "it"}, "y": INT}),
        ("def f(nai\u0308ve_count: int, cafe\u0301: int): ...", {"naïve_count": INT, "café": INT}),
        ("def f(from: int): ...", {"from": INT}),
    ],
)  # fmt: skip
def test_python_signatures_say_what_they_ask(text: str, properties: dict[str, Any]) -> None:
    assert schema(text) == properties


def test_a_name_may_be_written_with_its_accents_apart() -> None:
    assert [tool.name for tool in parse_tools("nai\u0308ve(a: int)\ndef cafe\u0301(): ...")] == ["naïve", "café"]


@pytest.mark.parametrize(
    ("text", "required"),
    [
        ("class A(BaseModel):\n    x: int = Field(alias='from')\n    y: int = 3", ["from"]),
        ("class A(BaseModel):\n    x: int\nclass B(BaseModel):\n    x: int\nclass C(A, B):\n    y: int", ["x", "y"]),
        ("class A(BaseModel):\n    x: int\nclass B(A):\n    x: int = 5\n    y: int", ["y"]),
        ("class A(BaseModel):\n    x: int\nclass B(BaseModel):\n    x: int\nclass C(A, B):\n    x: int = 1\n    y: int", ["y"]),
        ("class A(BaseModel):\n    x: int = 5\nclass B(A):\n    x: int", ["x"]),
        ("class A(TypedDict, total=False):\n    x: int\nclass B(A):\n    y: int", ["y"]),
    ],
)  # fmt: skip
def test_fields_are_required_as_the_class_that_counts_says(text: str, required: list[str]) -> None:
    assert parse_tools(text)[-1].parameters["required"] == required
