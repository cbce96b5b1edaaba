from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import BYTES, end_from, satisfies, without_plus
from strategies import Typed, typed, written

from tooldec.arguments import ARGUMENT_TYPES, DUMPS, FORMATS, POSITIONAL, Writing, argument
from tooldec.arguments.references import References
from tooldec.automaton import DFA
from tooldec.errors import SchemaError
from tooldec.schemes import SCHEMES
from tooldec.signatures import parse_tools
from tooldec.token_fsm import build_fsm
from tooldec.tools import Tool
from tooldec.vocabulary import Vocabulary


class Judged:
    """The machine of one schema; what it accepts must be JSON that satisfies the schema."""

    def __init__(self, schema: Any, writing: Writing = DUMPS) -> None:
        self.schema, self.dfa = schema, DFA(argument(schema, writing))

    def accepts(self, text: str) -> bool:
        state = self.dfa.read(text.encode())
        accepted = state is not None and self.dfa.is_accepting(state)
        if accepted:
            assert satisfies(self.schema, json.loads(without_plus(text))), text
        return accepted


# ---- a table for each type: (schema, accepted, rejected)

Row = tuple[dict[str, Any], list[str], list[str]]
TABLES: dict[str, list[Row]] = {
    "string": [
        ({"type": "string"}, ['""', '"é\\n"', '"a, b)"'], ["a", '"', "1", "null"]),
        ({"type": "string", "minLength": 2, "maxLength": 3}, ['"ab"', '"🙂é\\""', r'"\ud83d\ude00x"'], ['"a"', '""', '"abcd"', r'"\ud83d\ude00"']),
        ({"type": "string", "minLength": 1}, ['"a"', f'"{"x" * 99}"'], ['""']),
        ({"type": "string", "maxLength": 0}, ['""'], ['"a"']),
        ({"type": "string", "pattern": "^[a-z]{2}$"}, ['"ab"', r'"ab"'], ['"a"', '"abc"', '"AB"', "ab"]),
        ({"type": "string", "pattern": "b"}, ['"abc"', '"b"', r'"\n\"b"'], ['"ac"', '""']),
        ({"type": "string", "pattern": "^.{1,256}$"}, ['"é"', f'"{"x" * 256}"'], ['""', f'"{"x" * 257}"', r'"\n"']),
        ({"type": "string", "pattern": "^[\\s\\S]{2,4096}$", "maxLength": 99}, [r'"\n\""', f'"{"x" * 99}"'], ['"a"', f'"{"x" * 100}"']),
        ({"type": "string", "pattern": "^[^\\]a-]{40}$"}, [f'"{"x" * 40}"'], [f'"{"x" * 39}"', f'"{"x" * 41}"', f'"{"x" * 39}]"', f'"{"x" * 39}-"']),
        ({"type": "string", "pattern": r"^[\w\W]*$"}, ['"café"', '""'], ["café"]),
        ({"type": "string", "pattern": "^a{50,}$"}, [f'"{"a" * 50}"', f'"{"a" * 5000}"'], [f'"{"a" * 49}"', f'"{"a" * 50}b"']),
        ({"type": "string", "format": "date"}, ['"2024-02-29"'], ['"2023-02-29"', '"today"']),
        ({"type": "string", "enum": ["a", "ab", 3]}, ['"a"', '"ab"'], ['"abc"', "3", '""']),
        ({"type": "string", "description": "x", "default": "", "title": "t", "examples": [1]}, ['""'], ["1"]),
    ],
    "integer": [
        ({"type": "integer"}, ["0", "-5", "123456789012345678901234567890"], ["", "01", "1.0", "+1", "1e3", '"1"']),
        ({"type": "integer", "minimum": 3, "maximum": 11}, ["3", "9", "10", "11"], ["2", "12", "-3", "03", "111"]),
        ({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5}, ["4"], ["3", "5"]),
        ({"type": "integer", "minimum": -2.5, "maximum": 1.5}, ["-2", "-1", "0", "1"], ["-3", "2"]),
        ({"type": "integer", "exclusiveMinimum": -0.5}, ["0", "7"], ["-1"]),
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": 5}, ["6"], ["5", "0"]),
        ({"type": "integer", "enum": [1, 10, 100]}, ["1", "10", "100"], ["0", "1000", "11"]),
        ({"type": "integer", "multipleOf": 1}, ["7"], ["7.5"]),
    ],
    "number": [
        ({"type": "number"}, ["0", "-1.5", "2e10", "1E-2"], [".5", "5.", "01", "NaN", "Infinity", "+1", "1,5"]),
        ({"type": "number", "enum": [0.5, 1]}, ["0.5", "1"], ["0.50", "2"]),
        ({"type": "number", "minimum": 10**15}, ["1000000000000000", "1700000000000000.5"], ["999999999999999"]),
        ({"type": "number", "maximum": 1e18}, ["1700000000000000", "1000000000000000000.0"], ["1000000000000000001"]),
        ({"type": "number", "minimum": 2**53 + 1}, ["9007199254740994"], ["9007199254740993.0", "9007199254740992"]),
        ({"type": "number", "maximum": 2**53 + 3}, ["9007199254740994.0"], ["9007199254740995.0"]),
        ({"type": "number", "maximum": 1e23}, ["99999999999999991611392"], ["100000000000000000000000"]),
        ({"type": "number", "exclusiveMinimum": 1e15}, ["1000000000000000.2", "9e15".replace("e15", "0" * 15)], ["1000000000000000", "1000000000000000.01"]),
        ({"type": "number", "exclusiveMaximum": -(10**18)}, ["-1000000000000000256"], ["-1000000000000000000", "-1000000000000000001.5"]),
        ({"type": "number", "not": {"enum": [0, 1.5, -20]}}, ["1", "1.55", "20", "2"], ["0", "-0.0", "1.50", "-20", "-20.0"]),
        ({"type": "number", "not": {"type": "integer"}}, ["1.5"], ["12345678901234567.5", "2.0"]),
    ],
    "boolean": [({"type": "boolean"}, ["true", "false"], ["True", "1", "null", '"true"', "t"])],
    "null": [({"type": "null"}, ["null"], ["None", "", "0"])],
    "array": [
        ({"type": "array", "items": {"type": "integer"}}, ["[]", "[1]", "[1, 2]"], ["[1,2]", "[,]", "[1, ]", "[1.5]", "[", "1", "[[1]]"]),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}, ["[true]", "[true, false]"], ["[]", "[true, true, true]"]),
        ({"type": "array", "maxItems": 0}, ["[]"], ["[1]"]),
        ({"type": "array"}, ['[1, "a", null, [2], {"k": 1}]'], ["{}"]),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False}, ["[]", "[1]", '[1, "a"]'], ['["a"]', '[1, "a", 2]']),
        ({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "null"}, "minItems": 2}, ["[1, null]", "[1, null, null]"], ["[1]", "[null, null]"]),
        ({"type": "array", "items": {"type": "array", "items": {"type": "null"}}}, ["[[], [null]]"], ["[null]"]),
    ],
    "object": [
        ({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "null"}}, "required": ["a"]}, ['{"a": 1}', '{"a": 1, "b": null}'], ["{}", '{"b": null}', '{"a": 1, "c": 2}', '{"a":1}', '{"a": 1, }', '{"a": 1, "a": 1}']),
        ({"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": False}, ["{}", '{"a": 1}', '{"b": 1}', '{"a": {}, "b": []}'], ['{"c": 1}', '{, "b": 1}']),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, ["{}", '{"x": 1, "é\\"": 2}'], ['{"x": "y"}', "{x: 1}"]),
        ({"type": "object"}, ["{}", '{"a": [1, {"b": null}]}'], ["[]", '{"a"}']),
        ({"type": "object", "properties": {}, "additionalProperties": False}, ["{}"], ['{"a": 1}']),
        ({"type": "object", "properties": {'q"é': {"type": "integer"}}, "required": ['q"é']}, ['{"q\\"é": 1}'], ["{}"]),
    ],
}  # fmt: skip
MIXED: list[Row] = [
    ({}, ["1", '"a"', "[]", "{}", "true", "null", "1.5"], ["", "a", "tru"]),
    ({"const": 5}, ["5"], ["50", "6", '"5"']),
    ({"const": {"a": [1, "é"]}}, ['{"a": [1, "é"]}'], ["{}", '{"a": [1]}']),
    ({"enum": ["c", "f", None, True, 1.5]}, ['"c"', '"f"', "null", "true", "1.5"], ["c", '"cf"', "false"]),
    ({"type": ["integer", "null"]}, ["5", "null"], ["5.5", '"a"']),
    ({"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}, ["1", "[1, 2]"], ['"a"', "[[1]]"]),
    ({"oneOf": [{"type": "boolean"}, {"type": "null"}]}, ["true", "null"], ["1"]),
    ({"allOf": [{"type": "integer", "minimum": 2}]}, ["2"], ["1"]),
    ({"minimum": 1, "type": "integer"}, ["1"], ["0"]),
    ({"properties": {"a": {"type": "integer"}}}, ['{"a": 1}', "{}"], ['{"a": "b"}']),
    ({"items": {"type": "integer"}, "type": "array"}, ["[1]"], ['["a"]']),
]  # fmt: skip


@pytest.mark.parametrize("kind", ARGUMENT_TYPES)
def test_every_type_keeps_its_table(kind: str) -> None:
    assert TABLES[kind], "a new type needs examples"
    for schema, accepted, rejected in TABLES[kind]:
        judged = Judged(schema)
        assert (schema, [text for text in accepted if not judged.accepts(text)]) == (schema, [])
        assert (schema, [text for text in rejected if judged.accepts(text)]) == (schema, [])


@pytest.mark.parametrize(("schema", "accepted", "rejected"), MIXED, ids=lambda value: json.dumps(value)[:50])
def test_mixed_schemas(schema: dict[str, Any], accepted: list[str], rejected: list[str]) -> None:
    judged = Judged(schema)
    assert [text for text in accepted if not judged.accepts(text)] == []
    assert [text for text in rejected if judged.accepts(text)] == []


@pytest.mark.parametrize("name", FORMATS)
def test_formats_are_enforced_by_their_name(name: str) -> None:
    judged = Judged({"type": "string", "format": name})
    assert not judged.accepts('" ("') and not judged.accepts('"\\u0000"') and not judged.accepts("1")


def test_positional_writing() -> None:
    judged = Judged({"type": "array", "items": {"type": "number"}}, POSITIONAL)
    assert all(map(judged.accepts, ["[1,2]", "[1, 2]", "[+1, -2.5]", "[1e+5]"]))
    assert not any(map(judged.accepts, ["[1,  2]", "[1 ,2]", "[ 1]", "[++1]", "[+-1]"]))
    judged = Judged({"type": "object", "properties": {"a": {"type": "integer"}}}, POSITIONAL)
    assert all(map(judged.accepts, ['{"a":1}', '{"a": +1}'])) and not judged.accepts('{"a" :1}')


def test_objects_are_closed_unless_they_are_to_be_open() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    assert not Judged(schema).accepts('{"b": 1}')
    try:
        judged = Judged(schema, Writing(DUMPS.comma, DUMPS.colon, open_objects=True))
    except SchemaError as error:
        assert error.keyword == "additionalProperties"
    else:
        assert judged.accepts('{"a": 1, "b": "x"}') and not judged.accepts('{"a": "x"}')


# ---- numbers and lengths, against brute force

_ends = st.none() | st.integers(-150, 150)
_halves = st.none() | st.integers(-300, 300).map(lambda n: n / 2)


@settings(max_examples=80)
@given(_halves, _halves, _ends, _ends)
def test_integer_ranges_are_those_of_json_schema(low: Any, high: Any, above: Any, below: Any) -> None:
    limits = {"minimum": low, "maximum": high, "exclusiveMinimum": above, "exclusiveMaximum": below}
    schema = {"type": "integer", **{key: end for key, end in limits.items() if end is not None}}
    inside = [n for n in range(-400, 401) if satisfies(schema, n)]
    try:
        judged = Judged(schema)
    except SchemaError:
        assert not inside
        return
    ends = [end for end in limits.values() if end is not None]
    tried = {
        0,
        400,
        -400,
        *(int(end) + d for end in ends for d in range(-2, 3)),
        *inside[:3],
        *inside[-3:],
        *inside[::40],
    }
    assert {n for n in tried if judged.accepts(str(n))} == tried.intersection(inside)


_strings = st.text(st.sampled_from('aé€🙂"\\\n/\x01'), max_size=7)


@settings(max_examples=60)
@given(_strings, st.integers(0, 4), st.none() | st.integers(4, 6), st.booleans())
def test_lengths_count_characters_however_they_are_written(
    text: str, low: int, high: int | None, ascii_only: bool
) -> None:
    schema = (
        {"type": "string", "minLength": low, "maxLength": high}
        if high is not None
        else {"type": "string", "minLength": low}
    )
    assert Judged(schema).accepts(json.dumps(text, ensure_ascii=ascii_only)) == satisfies(schema, text)


def test_lengths_at_their_bounds() -> None:
    assert {
        n for n in range(6) if Judged({"type": "string", "minLength": 2, "maxLength": 3}).accepts(json.dumps("x" * n))
    } == {2, 3}
    dfa = DFA(argument({"type": "string", "minLength": 2, "maxLength": 3}, DUMPS))
    state, full = dfa.read(b'"a'), dfa.read(b'"abc')
    assert state is not None and dfa.step(state, ord('"')) is None  # too short to close
    assert full is not None and dfa.first(full) == {ord('"')}


# ---- random schemas: what is accepted satisfies, what satisfies is accepted


@settings(max_examples=120)
@given(typed, st.data())
def test_valid_values_are_accepted(schema: Typed, data: st.DataObject) -> None:
    value = data.draw(schema.values)
    assert satisfies(schema.schema, value)
    assert Judged(schema.schema).accepts(written(value))


@settings(max_examples=80)
@given(typed, st.randoms(use_true_random=False), st.sampled_from([DUMPS, POSITIONAL]))
def test_whatever_is_accepted_satisfies_its_schema(schema: Typed, chance: Any, writing: Writing) -> None:
    judged = Judged(schema.schema, writing)
    state, text = judged.dfa.initial, bytearray()
    for _ in range(chance.randint(0, 30)):
        ways = dict(judged.dfa.transitions(state))
        if not ways:
            break
        symbol = chance.choice([*sorted(ways), *(b for b in b'"\\,:]}u01' if b in ways)])
        text.append(symbol)
        state = ways[symbol]
    text += bytes(end_from(judged.dfa, state, judged.dfa.is_accepting))
    assert judged.accepts(text.decode())


# ---- keywords: enforced or refused, never ignored

KEYWORDS: dict[str, tuple[dict[str, Any], str]] = {
    "not": ({"type": "integer", "not": {"const": 3}}, "3"),
    "if": ({"type": "integer", "if": {"minimum": 3}, "then": {"maximum": 5}}, "7"),
    "$ref": ({"$ref": "#/$defs/even", "$defs": {"even": {"type": "integer"}}}, '"a"'),
    "$dynamicRef": ({"$dynamicRef": "#x", "$defs": {"x": {"$dynamicAnchor": "x", "type": "integer"}}}, '"a"'),
    "dependencies": ({"type": "object", "properties": {"a": {}, "b": {}}, "dependencies": {"a": ["b"]}}, '{"a": 1}'),
    "dependentRequired": ({"type": "object", "properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b"]}}, '{"a": 1}'),
    "dependentSchemas": ({"type": "object", "properties": {"a": {}, "b": {}}, "dependentSchemas": {"a": {"required": ["b"]}}}, '{"a": 1}'),
    "patternProperties": ({"type": "object", "patternProperties": {"^x": {"type": "integer"}}}, '{"x": "a"}'),
    "propertyNames": ({"type": "object", "propertyNames": {"maxLength": 1}}, '{"ab": 1}'),
    "minProperties": ({"type": "object", "minProperties": 1}, "{}"),
    "maxProperties": ({"type": "object", "maxProperties": 1}, '{"a": 1, "b": 2}'),
    "unevaluatedProperties": ({"type": "object", "properties": {"a": {}}, "unevaluatedProperties": False}, '{"b": 1}'),
    "additionalProperties": ({"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "null"}}, '{"b": 1}'),
    "required": ({"type": "object", "required": ["a"]}, "{}"),
    "uniqueItems": ({"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, "[1, 1]"),
    "contains": ({"type": "array", "items": {"type": "integer"}, "contains": {"const": 2}}, "[1]"),
    "unevaluatedItems": ({"type": "array", "prefixItems": [{"type": "integer"}], "unevaluatedItems": False}, "[1, 2]"),
    "multipleOf": ({"type": "integer", "multipleOf": 2}, "3"),
    "minimum": ({"type": "number", "minimum": 0.5}, "0.25"),
    "maximum": ({"type": "number", "maximum": 0.5}, "0.75"),
    "exclusiveMinimum": ({"type": "number", "exclusiveMinimum": 0}, "0"),
    "exclusiveMaximum": ({"type": "number", "exclusiveMaximum": 0}, "0.0"),
    "maxLength": ({"type": "string", "maxLength": 100_000}, json.dumps("x" * 100_001)),
    "pattern": ({"type": "string", "pattern": "^a+$", "maxLength": 2}, '"aaa"'),
    "format": ({"type": "string", "format": "date", "minLength": 11}, '"2024-01-01"'),
    "allOf": ({"type": "integer", "allOf": [{"minimum": 2}, {"maximum": 4}]}, "5"),
    "oneOf": ({"oneOf": [{"type": "integer", "minimum": 2}, {"type": "integer", "maximum": 4}]}, "3"),
    "anyOf": ({"type": "string", "anyOf": [{"minLength": 2}, {"maxLength": 0}]}, '"a"'),
    "enum": ({"enum": [1, 20], "minimum": 5}, "1"),
    "type": ({"type": "strng"}, '"a"'),
    "$recursiveRef": ({"type": "array", "items": {"$recursiveRef": "#"}}, "[5]"),
}  # fmt: skip
"""Keyword → a schema with it, and a value that only this keyword forbids."""


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_every_keyword_is_enforced_or_refused_with_its_place(keyword: str) -> None:
    schema, forbidden = KEYWORDS[keyword]
    outer = {"type": "object", "properties": {"x": schema}, **({"$defs": schema["$defs"]} if "$defs" in schema else {})}
    try:
        dfa = DFA(argument(outer, DUMPS))
    except SchemaError as error:
        assert error.keyword and error.keyword in {keyword, *schema, "$ref"} and error.path.startswith("$.x"), error
        assert error.keyword in str(error) and error.path in str(error)
    else:
        for text in (forbidden, forbidden.replace("ab", "a")):
            state = dfa.read(b'{"x": ' + forbidden.encode() + b"}")
            assert state is None or not dfa.is_accepting(state), text


_WRONG_TYPE = [
    ({"type": "string", "anyOf": [{"type": "integer"}]}, "5"),
    ({"type": "integer", "oneOf": [{"type": "null"}]}, "null"),
]
_OVERLAP = [
    ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, "5"),
    ({"oneOf": [{"enum": ["a"]}, {"type": "string"}]}, '"a"'),
    ({"oneOf": [{}, {"type": "null"}]}, "null"),
]
_SILENT = [
    ({"const": 1, "enum": [2]}, "1"),
    ({"enum": ["abc"], "format": "date"}, '"abc"'),
    ({"type": "integer", "const": "a"}, '"a"'),
    ({"enum": [1, 2], "multipleOf": 2}, "1"),
    ({"properties": {"a": {}}, "minimum": 5}, "1"),
    ({"type": ["integer", "string"], "minLength": 2, "minimum": 3}, "1"),
]


@pytest.mark.parametrize(
    ("schema", "forbidden"), [*_WRONG_TYPE, *_OVERLAP, *_SILENT], ids=lambda value: json.dumps(value)
)
def test_no_combination_admits_what_json_schema_forbids(schema: dict[str, Any], forbidden: str) -> None:
    assert not satisfies(schema, json.loads(forbidden))
    try:
        dfa = DFA(argument(schema, DUMPS))
    except SchemaError as error:
        assert error.keyword in schema
    else:
        state = dfa.read(forbidden.encode())
        assert state is None or not dfa.is_accepting(state)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer", "minimum": 3, "maximum": 1}, "no integer is between 3 and 1"),
        ({"type": "strng"}, 'the type "strng" is unknown'),
        ({"enum": []}, "at least one value"),
        ({"type": "string", "enum": [1]}, "no value of `enum`"),
        ({"anyOf": []}, "at least one"),
        ({"type": "string", "minLength": 3, "maxLength": 1}, "`minLength` is above `maxLength`"),
        ({"type": "string", "minLength": -1}, "whole number"),
        ({"type": "array", "minItems": 2, "maxItems": 1}, "above"),
        ({"type": "string", "pattern": "("}, "can't be read"),
        (False, "admits no value"),
        (3, "a schema is an object"),
        ("integer", "a schema is an object"),
        ({"type": "integer", "minimum": "three"}, "`minimum` is a number"),
        ({"type": []}, "empty list"),
    ],
    ids=lambda value: json.dumps(value)[:40],
)
def test_a_schema_that_no_value_satisfies_is_refused(schema: Any, words: str) -> None:
    with pytest.raises(SchemaError, match=words) as caught:
        argument(schema, DUMPS, "$.f.x")
    assert caught.value.path == "$.f.x" and str(caught.value).startswith("$.f.x: ")


@pytest.mark.parametrize("name", ["default", "enum", "const", "examples", "$defs", "next"])
def test_a_property_of_any_name_may_lead_back(name: str) -> None:
    node = {"type": "object", "properties": {name: {"$ref": "#/$defs/node"}, "v": {"type": "integer"}}}
    dfa = DFA(argument({"$ref": "#/$defs/node", "$defs": {"node": node}}, DUMPS))
    for value, right in (({name: {"v": 1}}, True), ({name: {name: {}}}, True), ({name: {"v": "1"}}, False)):
        state = dfa.read(json.dumps(value).encode())
        assert (state is not None and dfa.is_accepting(state)) is right, value


def test_an_error_names_the_tool_and_its_line() -> None:
    tools = (
        Tool("ok"),
        Tool(
            "bad",
            parameters={
                "type": "object",
                "properties": {"a": {"type": "array", "items": {"not": {"format": "color"}}}},
            },
            line=7,
            column=2,
        ),
    )
    for scheme in SCHEMES.values():
        with pytest.raises(SchemaError) as caught:
            scheme.grammar(tools)
        assert (caught.value.line, caught.value.path, caught.value.keyword) == (7, "$.a.items.not", "not")
        assert "in `bad`" in str(caught.value)


# ---- schemas that are no schemas, and heavy ones

_JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "a", "(", "date", "integer", "^a", "#/x"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["type", "a", "items", "enum"]), inner, max_size=2)
    ),
    max_leaves=4,
)
_ALL = sorted({key for schema, _ in KEYWORDS.values() for key in schema} | {"items", "prefixItems", "const", "nullable", "minItems", "minLength", "properties", "title", "default", "x-variadic"})  # fmt: skip


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(_ALL), _JUNK, min_size=1, max_size=3))
def test_whatever_is_pasted_is_understood_or_refused(schema: dict[str, Any]) -> None:
    """Through the reader of JSON tools, as a visitor would paste it; and by itself."""
    from tooldec.errors import ToolDecError

    text = json.dumps([{"name": "f", "parameters": {"type": "object", "properties": {"a": schema}}}])
    try:
        fsm = build_fsm(SCHEMES["special_token"].grammar(parse_tools(text)), Vocabulary([*BYTES, "<T>"]))
        state = fsm.dfa.read(["<T>", *b"f("])
        assert state is not None and fsm.allowed(state).any()
    except ToolDecError as error:
        assert str(error)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "^(a|b)*a(a|b){18}$"},
        {"type": "string", "pattern": "a{20000}"},
        {"type": "string", "pattern": "((a{1,99}){1,99}){1,99}"},
        {"type": "string", "minLength": 10**9},
        {"type": "string", "maxLength": 10**9},
        {"type": "string", "pattern": "^a*b$", "maxLength": 10**7},
        {"type": "string", "pattern": "^(ab)*$", "maxLength": 10**7},
        {"type": "string", "pattern": "^(a{400}b{400})*$", "maxLength": 20_000},
        {"type": "string", "format": "date", "maxLength": 10**7},
        {"type": "object", "propertyNames": {"maxLength": 10**7}, "patternProperties": {"^(ab)*$": {}}},
        {"type": "object", "properties": {"a" * 26 + "b": {}}, "patternProperties": {"^(a+)+$": {}}},
        {"type": "array", "contains": {"type": "integer"}, "maxItems": 10**8},
        {"type": "array", "contains": {"type": "integer"}, "minContains": 10**8},
        {"type": "array", "items": {"type": "integer"}, "minItems": 10**8},
        {"type": "array", "items": {"type": "integer"}, "maxItems": 10**9},
        {"type": "integer", "minimum": -(10**300), "maximum": 10**300},
        {"enum": [f"value {n}" for n in range(3000)]},
        {"type": "number", "not": {"enum": [n / 8 for n in range(500)]}},
        {"anyOf": [{"type": "string", "pattern": f"^x{{{n}}}$"} for n in range(1, 40)]},
    ],
    ids=lambda schema: json.dumps(schema)[:40],
)
def test_heavy_schemas_are_refused_or_quick(schema: dict[str, Any], record_property: Any) -> None:
    import time

    start = time.perf_counter()
    try:
        dfa = DFA(argument(schema, DUMPS))
        dfa.first(dfa.initial)
    except SchemaError as error:
        assert error.keyword in schema
    record_property("seconds", time.perf_counter() - start)
    assert time.perf_counter() - start < 3


@pytest.mark.parametrize("chain", [True, False], ids=["chain", "web"])
def test_many_references_are_followed_in_a_second(chain: bool) -> None:
    """Each part of a document is looked at once, however its definitions refer to each other."""
    import time

    nodes = range(800)
    after = {node: [node + 1] if chain else [(node * 7 + step) % 800 for step in range(10)] for node in nodes}
    definitions: dict[str, Any] = {
        f"d{node}": {"properties": {f"p{to}": {"$ref": f"#/$defs/d{to}"} for to in after[node] if to in nodes}}
        for node in nodes
    }
    start = time.perf_counter()
    references = References({"$defs": definitions})
    recursive = [references.target({"$ref": f"#/$defs/d{node}"}, "$")[1] for node in nodes]
    assert time.perf_counter() - start < 3  # a minute where each starts anew
    assert recursive == [not chain] * 800


def test_many_tools_share_their_types() -> None:
    schema = {"type": "integer"}
    assert argument(schema, POSITIONAL) is argument(dict(schema), POSITIONAL)
    assert argument(schema, POSITIONAL) is not argument(schema, DUMPS)
    fsm = build_fsm(
        SCHEMES["special_token"].grammar(parse_tools("def f(a: int, b: int)\ndef g(c: int)")),
        Vocabulary([*BYTES, "<T>"]),
    )
    states = [fsm.dfa.read(["<T>", *text]) for text in (b"f(1,", b"g(")]
    assert (
        np.array_equal(fsm.allowed(states[0] or 0), fsm.allowed(states[1] or 0)) is False
    )  # f's may begin with a space


@pytest.mark.parametrize("bound", [{"minimum": 1e300}, {"minimum": 10**41}, {"maximum": -1e300}])
def test_no_number_is_as_far_from_zero(bound: dict[str, float]) -> None:
    for kind in ("number", "integer"):
        with pytest.raises(SchemaError, match="no value satisfies"):
            argument({"type": kind, **bound}, DUMPS)


def test_counts_the_wrong_way_round_are_told_by_the_pattern() -> None:
    with pytest.raises(SchemaError, match="a count's end is before its beginning"):
        argument({"type": "string", "pattern": "^[a-z]{50,40}$"}, DUMPS)
