"""Types of TypeScript that are parts of others, or of constants."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tooldec.signatures import parse_tools, read_tools

STR, NUM = {"type": "string"}, {"type": "number"}
DEFINED = """interface User { id: string; name?: string; tags: string[]; of?: User }
type Level = "lo" | "mid" | "hi";
enum Color { Red = "r", Green = "g" }
const UNITS = ["c", "f"] as const;
const SIZES = { small: 1, large: 2 } as const;
const DEFAULTS = { limit: 10, names: ["a"] };
const LIMIT = 10;
"""
TYPES: dict[str, Any] = {
    "keyof User": {**STR, "enum": ["id", "name", "tags", "of"]},
    "Record<keyof typeof SIZES, number>": {
        "type": "object",
        "properties": {"small": NUM, "large": NUM},
        "required": ["small", "large"],
    },
    "keyof typeof Color": {**STR, "enum": ["Red", "Green"]},
    'User["name"]': STR,
    'User["tags"][number]': STR,
    'User["of"]["id"]': STR,
    'User["id" | "tags"]': {"anyOf": [STR, {"type": "array", "items": STR}]},
    'Exclude<Level, "mid">': {**STR, "enum": ["lo", "hi"]},
    "Extract<Level | number, string>": {**STR, "enum": ["lo", "mid", "hi"]},
    "Exclude<string | null, null>": STR,
    "(typeof UNITS)[number]": {**STR, "enum": ["c", "f"]},
    "typeof UNITS[number] | null": {"anyOf": [{**STR, "enum": ["c", "f"]}, {"type": "null"}]},
    "(typeof SIZES)[keyof typeof SIZES]": {"type": "integer", "enum": [1, 2]},
    "typeof LIMIT": {"type": "integer", "enum": [10]},
    "typeof DEFAULTS": {
        "type": "object",
        "properties": {"limit": NUM, "names": {"type": "array", "items": STR}},
        "required": ["limit", "names"],
    },
    'Partial<Omit<User, "of" | "tags">>': {"type": "object", "properties": {"id": STR, "name": STR}},
}


@pytest.mark.parametrize("written", TYPES)
def test_types(written: str) -> None:
    (tool,) = parse_tools(f"{DEFINED}function f(x: {written}): void;")
    assert json.dumps(tool.parameters["properties"]["x"]) == json.dumps(TYPES[written])


def test_parts_of_a_type_that_contains_itself_refer_to_it() -> None:
    (tool,) = parse_tools(f'{DEFINED}function f(x: Partial<User>, y: Omit<User, "id">): void;')
    assert set(tool.parameters["$defs"]) == {"User"}
    for name in "xy":
        assert tool.parameters["properties"][name]["properties"]["of"] == {"$ref": "#/$defs/User"}


def test_defaults_may_be_constants() -> None:
    (tool,) = parse_tools(f"{DEFINED}function f(n: number = LIMIT, unit = UNITS[0], c = Color.Red): void;")
    assert tool.signature() == 'f(n: float = 10, unit: str = "c", c: str = "r")'


@pytest.mark.parametrize(
    ("written", "column", "phrase"),
    [
        ('User["age"]', 19, "no such part"),
        ("string[number]", 21, "no such part"),
        ("keyof string", 15, "no properties"),
        ('Exclude<"a", string>', 15, "nothing is left"),
        ("typeof unknown", 15, "unknown type `typeof`"),
        ("Exclude<Level>", 15, "unknown type `Exclude`"),
    ],
)
def test_errors(written: str, column: int, phrase: str) -> None:
    tools, (error,) = read_tools(f"{DEFINED}function f(x: {written}): void;")
    assert not tools and phrase in error.message and error.fix
    assert (error.line, error.column) == (8, column), str(error)
