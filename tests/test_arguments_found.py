"""Schemas that were misread once: values that Python takes for equal, bounds beside constants, what `not` holds."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from judges import BYTES

from tooldec import build_fsm
from tooldec.arguments import DUMPS, argument
from tooldec.automaton import DFA
from tooldec.errors import SchemaError
from tooldec.lint import check_tools
from tooldec.schemes import JsonTags, SpecialToken
from tooldec.signatures import parse_tools
from tooldec.tools import Tool
from tooldec.vocabulary import Vocabulary


def accepts(schema: Any, text: str) -> bool:
    dfa = DFA(argument(schema, DUMPS))
    state = dfa.read(text.encode())
    return state is not None and dfa.is_accepting(state)


SCHEMAS: tuple[tuple[Any, tuple[str, ...], tuple[str, ...]], ...] = (
    ({"not": {"type": "array", "minItems": 1, "uniqueItems": True}}, ("1", "[]"), ("[1]", "[1, 2]")),
    ({"type": "number", "enum": [1e-05, 0.5], "minimum": 0}, ("1e-05", "0.5"), ("1",)),
    ({"type": "number", "enum": [1e20, -1.5], "minimum": 0}, ("1e+20",), ("-1.5",)),
    ({"enum": [3, 4, 4.5], "multipleOf": 2}, ("4",), ("3", "4.5")),
    ({"allOf": [{"not": {"const": 1}}, {"not": {"const": True}}]}, ("2", "false"), ("1", "true")),
    ({"const": 1, "enum": [1, True]}, ("1",), ("true",)),
    ({"type": "array", "items": {"type": "integer"}, "not": {"minContains": 2}, "maxItems": 1}, (), ("[1]",)),
    ({"type": "array", "uniqueItems": True, "items": {"enum": [1, 2, 3], "maximum": 2}}, ("[]", "[2, 1]"), ("[3]", "[1, 1]")),
    ({"type": "array", "uniqueItems": True, "items": {"enum": ["ab", "b", 5], "pattern": "^a"}}, ('["ab", 5]',), ('["b"]',)),
    ({"type": "array", "uniqueItems": True, "items": {"enum": [1, 2, 3], "multipleOf": 2}}, ("[2]",), ("[1]", "[2, 2]")),
    ({"type": "array", "uniqueItems": True, "items": {"enum": [1, 2], "minimum": 3}}, ("[]",), ("[1]",)),
    ({"type": "array", "uniqueItems": True, "items": {"type": "boolean", "not": {"const": True}}}, ("[false]",), ("[true]", "[false, false]")),
    ({"type": "array", "uniqueItems": True, "items": {"anyOf": [{"const": 1}, {"enum": [1, True]}]}}, ("[true, 1]",), ("[1, 1]",)),
    ({"const": 10**400}, (str(10**400),), (str(10**399),)),
    ({"enum": [-(10**400), 1], "minimum": 0}, ("1",), (str(-(10**400)),)),
    ({"type": "integer", "enum": [10**400, 0.5]}, (str(10**400),), ("0.5",)),
)  # fmt: skip


@pytest.mark.parametrize(("schema", "valid", "invalid"), SCHEMAS)
def test_misread_once(schema: Any, valid: tuple[str, ...], invalid: tuple[str, ...]) -> None:
    if not valid:
        with pytest.raises(SchemaError):
            argument(schema, DUMPS)
        return
    assert [text for text in valid if not accepts(schema, text)] == []
    assert [text for text in invalid if accepts(schema, text)] == []


FAR = 2**64
LARGE: tuple[tuple[Any, tuple[str, ...], tuple[str, ...]], ...] = (
    ({"pattern": r"^[\p{L}-]{1,128}$|group:Name"}, ('"é-"', '"a group:Name"'), ('""', '"a b"')),
    ({"pattern": r"^(arn:[^:]{1,2000}|[\w-]{36,900})$"}, ('"arn:-"', f'"{"a-" * 18}"'), ('"arn:"', '"a"')),
    ({"pattern": "arn:[a-z.]{1,63}:[a-z.]{0,63}:[a-z.]{0,63}:[^/].{0,1023}"}, ('"arn:a:b:c:d/"',), ('"arn:a"', '"a"')),
    ({"pattern": "^[a-z][a-z:]{0,2048}$", "maxLength": 2048}, (f'"{"a:" * 1024}"',), ('":"', f'"{"a" * 2049}"')),
    ({"pattern": "^(?=.{9,2048}$)[a-z]+:[a-z]+$"}, ('"abcd:abcd"',), ('"abcd:abc"', f'"{"a" * 2000}:{"a" * 50}"')),
    ({"pattern": "^ab?[^:]{1,63}:[^/].{0,1023}$", "maxLength": 1024}, (f'"a-:{"-" * 950}"',), (f'"ab-:{"-" * 1021}"',)),
)


@pytest.mark.parametrize(("schema", "valid", "invalid"), LARGE)
def test_a_pattern_that_counts_far(schema: Any, valid: tuple[str, ...], invalid: tuple[str, ...]) -> None:
    test_misread_once({"type": "string", **schema}, valid, invalid)


OUT_OF_REACH: tuple[tuple[Any, tuple[str, ...], tuple[str, ...]], ...] = (
    ({"type": "string", "maxLength": FAR - 1, "minLength": 1}, ('"a"',), ('""',)),
    ({"type": "string", "maxLength": FAR, "pattern": "^a+$"}, ('"aa"',), ('""',)),
    ({"type": "string", "minLength": FAR}, (), ()),
    ({"type": "string", "minLength": FAR, "maxLength": 2 * FAR}, (), ()),
    ({"type": ["string", "null"], "minLength": FAR}, ("null",), ('"a"',)),
    ({"type": "array", "maxItems": FAR}, ("[]", "[1, 2]"), ()),
    ({"type": "array", "minItems": FAR}, (), ()),
    ({"type": "array", "contains": {"const": 1}, "maxContains": FAR}, ("[1, 2, 1]",), ("[]", "[2]")),
    ({"type": "array", "contains": {"const": 1}, "minContains": FAR}, (), ()),
    ({"type": "object", "maxProperties": FAR}, ("{}", '{"a": 1}'), ()),
    ({"type": "object", "minProperties": FAR}, (), ()),
    ({"type": "string", "not": {"maxLength": FAR}}, (), ()),
    ({"type": "string", "not": {"minLength": FAR}}, ('""', '"a"'), ()),
    ({"type": "array", "not": {"contains": {"const": 1}, "minContains": FAR}}, ("[]", "[1]"), ()),
)


@pytest.mark.parametrize(("schema", "valid", "invalid"), OUT_OF_REACH)
def test_a_count_that_nobody_reaches(schema: Any, valid: tuple[str, ...], invalid: tuple[str, ...]) -> None:
    """As a maximum it says nothing, and no value keeps it as a minimum."""
    test_misread_once(schema, valid, invalid)


TWINS: tuple[tuple[Any, str, str], ...] = (
    ("const", "1", "true"),
    ("const", "0", "false"),
    ("maxLength", "0", "0.0"),
)


@pytest.mark.parametrize(("keyword", "one", "other"), TWINS)
def test_schemas_that_python_takes_for_equal_are_kept_apart(keyword: str, one: str, other: str) -> None:
    """Also where their machines are made one after the other, and shared by all that asks for them."""
    for first in (one, other) * 2:
        schema = {keyword: json.loads(first)}
        if keyword == "const":
            assert [text for text in (one, other) if accepts(schema, text)] == [first]
        else:
            assert accepts(schema, '""') and not accepts(schema, '"a"')


@pytest.mark.parametrize(
    ("pattern", "names", "others"),
    [(r"^[^\\/]$", ("a",), ("\\", "/")), (r"^\(?<b>$", ("<b>",), ("(P<b>",)), ("^(?<n>b)$", ("b",), ("a",))],
)
def test_declared_names_match_the_patterns_that_undeclared_ones_match(
    pattern: str, names: tuple[str, ...], others: tuple[str, ...]
) -> None:
    for declared in (False, True):
        for name in (*names, *others):
            named = {"properties": {name: {}}} if declared else {}
            schema = {"type": "object", **named, "patternProperties": {pattern: {"const": 1}}}
            assert accepts(schema, json.dumps({name: 2})) == (name in others), name


REFUSED: tuple[tuple[Any, str], ...] = (
    ({"const": 1, "enum": [True]}, "no value"),
    ({"enum": 5}, "a list"),
    ({"const": 1, "enum": 5}, "a list"),
    ({"type": "array", "uniqueItems": True, "minItems": 2, "items": {"enum": [1, 2], "maximum": 1}}, "no value"),
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


@pytest.mark.parametrize("required", [False, True])
@pytest.mark.parametrize("top", [False, True])
def test_an_object_may_have_a_thousand_properties(required: bool, top: bool) -> None:
    names = [f"p{n}" for n in range(1000)]
    many = {"type": "object", "properties": {name: {"type": "integer"} for name in names}}
    many |= {"required": names} if required else {}
    parameters = many if top else {"type": "object", "properties": {"a": many}, "required": ["a"]}
    given = {name: 1 for name in (names if required else ("p0", "p999"))}
    (tool,) = parse_tools(json.dumps([{"name": "f", "description": "d", "parameters": parameters}]))
    dfa = build_fsm(JsonTags().grammar([tool]), Vocabulary([*BYTES, "<tool_call>", "</tool_call>"])).dfa
    call = json.dumps({"name": "f", "arguments": given if top else {"a": given}})
    state = dfa.read(["<tool_call>", *f"\n{call}\n".encode(), "</tool_call>"])
    assert state is not None and dfa.is_accepting(state)
    checked = check_tools(json.dumps([tool.to_json()]), "auto", None)
    assert {finding.code for finding in checked.findings} <= {"H503", "H620"}  # what `run` reads, `check` lets pass


@pytest.mark.parametrize("depth", [1, 2, 6])
def test_options_deeper_than_is_written_count(depth: int) -> None:
    """A node too deep to be written is a node all the same: an object that is one, too, is of two options."""
    node = {
        "type": "object",
        "properties": {"next": {"oneOf": [{"$ref": "#/$defs/node"}, {"type": "object"}, {"type": "null"}]}},
        "required": ["next"],
        "additionalProperties": False,
    }
    schema = {"$ref": "#/$defs/node", "$defs": {"node": node}}
    dfa = DFA(argument(schema, replace(DUMPS, depth=depth)))
    judge = jsonschema.Draft202012Validator(schema)
    written = []
    for nested in range(depth + 2):
        for end in (None, {}, {"next": None}, {"next": 5}, {"other": 1}):
            value = {"next": end}
            for _ in range(nested):
                value = {"next": value}
            state = dfa.read(json.dumps(value).encode())
            if state is not None and dfa.is_accepting(state):
                written.append(nested)
                assert judge.is_valid(value), value
    assert set(range(depth - 1)) <= set(written)
