"""Schemas that were misread once: values that Python takes for equal, bounds beside constants, what `not` holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from judges import BYTES

from tooldec import build_fsm
from tooldec.arguments import DUMPS, argument
from tooldec.automaton import DFA
from tooldec.errors import SchemaError
from tooldec.schemes import JsonTags, SpecialToken
from tooldec.signatures import parse_tools
from tooldec.tools import Tool
from tooldec.vocabulary import Vocabulary


def accepts(schema: Any, text: str) -> bool:
    dfa = DFA(argument(schema, DUMPS))
    state = dfa.read(text.encode())
    return state is not None and dfa.is_accepting(state)


SCHEMAS: tuple[tuple[Any, tuple[str, ...], tuple[str, ...]], ...] = (
    ({"type": "number", "enum": [1e-05, 0.5], "minimum": 0}, ("1e-05", "0.5"), ("1",)),
    ({"type": "number", "enum": [1e20, -1.5], "minimum": 0}, ("1e+20",), ("-1.5",)),
    ({"enum": [3, 4, 4.5], "multipleOf": 2}, ("4",), ("3", "4.5")),
    ({"allOf": [{"not": {"const": 1}}, {"not": {"const": True}}]}, ("2", "false"), ("1", "true")),
    ({"const": 1, "enum": [1, True]}, ("1",), ("true",)),
    ({"type": "array", "items": {"type": "integer"}, "not": {"minContains": 2}, "maxItems": 1}, (), ("[1]",)),
)


@pytest.mark.parametrize(("schema", "valid", "invalid"), SCHEMAS)
def test_misread_once(schema: Any, valid: tuple[str, ...], invalid: tuple[str, ...]) -> None:
    if not valid:
        with pytest.raises(SchemaError):
            argument(schema, DUMPS)
        return
    assert [text for text in valid if not accepts(schema, text)] == []
    assert [text for text in invalid if accepts(schema, text)] == []


REFUSED: tuple[tuple[Any, str], ...] = (
    ({"const": 1, "enum": [True]}, "no value"),
    ({"not": {"multipleOf": 0}}, "above 0"),
    ({"not": {"pattern": 5}}, "a text"),
    ({"type": "integer", "not": {"const": 10**300}}, "digits"),
    ({"pattern": "\\u{110000}"}, "pattern"),
)


@pytest.mark.parametrize(("schema", "words"), REFUSED)
def test_refused_with_words(schema: Any, words: str) -> None:
    with pytest.raises(SchemaError, match=words):
        argument(schema, DUMPS)


ROOTS: tuple[dict[str, Any], ...] = (
    {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {"allOf": [{"$ref": "#/$defs/B"}], "$defs": {"B": {"required": ["a"]}}},
    {"dependentRequired": {"a": ["b"]}},
    {"minProperties": 1},
    {"not": {"required": ["a", "b"]}},
    {"propertyNames": {"maxLength": 1}},
)


@pytest.mark.parametrize("more", ROOTS)
def test_what_the_object_of_arguments_asks_is_refused_by_position_and_kept_as_json(more: dict[str, Any]) -> None:
    """Nothing is silently ignored: `<T>f()` isn't a call where one of two arguments is asked for."""
    properties = {"a": {"type": "integer"}, "b": {"type": "integer"}}
    (tool,) = parse_tools(json.dumps([{"name": "f", "parameters": {"properties": properties, **more}}]))
    with pytest.raises(SchemaError, match="by position"):
        SpecialToken().grammar([tool])
    assert JsonTags().grammar([tool])
    for keyword, value in (("unevaluatedProperties", False), ("$comment", "x"), ("title", "F")):
        (tool,) = parse_tools(json.dumps([{"name": "f", "parameters": {"properties": properties, keyword: value}}]))
        build_fsm(SpecialToken().grammar([tool]), Vocabulary([*BYTES, "<T>"]))


def test_what_refers_on_too_deep_is_told_with_its_tool() -> None:
    chain: dict[str, Any] = {f"T{n}": {"type": "array", "items": {"$ref": f"#/$defs/T{n + 1}"}} for n in range(400)}
    schema = {"properties": {"a": {"$ref": "#/$defs/T0"}}, "$defs": {**chain, "T400": {"type": "null"}}}
    (tool,) = (Tool("f", parameters={"type": "object", **schema}),)
    for scheme in (SpecialToken(), JsonTags()):
        with pytest.raises(SchemaError, match="in `f`: it nests, or refers on, too deep; flatten it"):
            scheme.grammar([tool])
