from __future__ import annotations

import json
from typing import Any

import pytest
from judges import BYTES

from tooldec.arguments import DUMPS, KEYWORDS, Writing, argument, spaced
from tooldec.automaton import DFA
from tooldec.errors import CallError, SchemaError
from tooldec.schemes import SCHEMES, relaxing
from tooldec.schemes.special_token import SpecialToken
from tooldec.token_fsm import build_fsm
from tooldec.tools import Tool
from tooldec.vocabulary import Vocabulary

ANY_ORDER = Writing(DUMPS.comma, DUMPS.colon, any_order=True)
OPEN = Writing(DUMPS.comma, DUMPS.colon, open_objects=True)
RELAXED = Writing(DUMPS.comma, DUMPS.colon, relax=True)


def accepts(schema: Any, value: Any, writing: Writing = DUMPS) -> bool:
    dfa = DFA(argument(schema, writing))
    state = dfa.read(value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode())
    return state is not None and dfa.is_accepting(state)


_AB: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
_NODE = {"type": "object", "properties": {"v": {"type": "null"}, "next": {"$ref": "#/$defs/node"}}, "required": ["v"]}
_LIST = {"$id": "list", "type": "array", "items": {"$dynamicRef": "#x"}, "$defs": {"x": {"$dynamicAnchor": "x"}}}
"""The items are what the outermost resource says that they are."""

ENFORCED: dict[str, list[tuple[Any, list[Any], list[Any]]]] = {
    "type": [({"type": ["integer", "null"]}, [1, None], ["a", 1.5])],
    "enum": [({"enum": [1, "a"]}, [1, "a"], [2, "b"]), ({"enum": [f"v{n}" for n in range(500)]}, ["v7", "v77", "v499"], ["v", "v500"])],
    "const": [({"const": {"a": [1]}}, [{"a": [1]}], [{}, 1])],
    "nullable": [({"type": "integer", "nullable": True}, [1, None], ["a"]), ({"enum": ["a"], "nullable": True}, ["a", None], ["b"])],
    "minLength": [({"type": "string", "minLength": 2}, ["ab", "é€"], ["a"])],
    "maxLength": [({"type": "string", "maxLength": 10_000}, ["", "é" * 10_000], ["x" * 10_001])],
    "pattern": [
        ({"type": "string", "pattern": "^(?!x)[a-z]+$"}, ["a", "yx"], ["xa", "", "A"]),
        ({"type": "string", "pattern": r"^\p{L}+$"}, ["Zoë", "李"], ["", "a1"]),
        ({"type": "string", "pattern": r"^\/(?!\/)[^]*$"}, ["/", "/a\n"], ["//", "a"]),
        ({"type": "string", "pattern": "(^a|b$)"}, ["ax", "xb"], ["x", "xax"]),
        ({"type": "string", "pattern": "^[ab]+$", "minLength": 3, "maxLength": 5}, ["aab", "ababa"], ["ab", "ababab", "abc"]),
        ({"type": "string", "pattern": "^a*b$", "maxLength": 10**7}, ["b", "a" * 100 + "b"], ["a", "ba"]),
        ({"type": "string", "pattern": "^(abc|de)$", "maxLength": 2}, ["de"], ["abc"]),
    ],
    "format": [({"type": "string", "format": "date", "pattern": "-02-29$"}, ["2024-02-29"], ["2023-02-29", "2024-02-28"])],
    "minimum": [({"type": "number", "minimum": 0.25}, [0.25, 0.3, 1, 10.01], [0.2, 0.2499, -1]), ({"type": "number", "minimum": -2.5}, [-2.5, -2.49, 0], [-2.51, -3])],
    "maximum": [({"type": "number", "maximum": 10.5}, [10.5, -3, 0.1], [10.51, 11])],
    "exclusiveMinimum": [({"type": "number", "exclusiveMinimum": 0}, [0.001, 3], [0, 0.0, -1]), ({"type": "integer", "minimum": 3, "exclusiveMinimum": True}, [4], [3])],
    "exclusiveMaximum": [({"type": "number", "exclusiveMaximum": 1}, [0.99, -5], [1, 1.0])],
    "multipleOf": [
        ({"type": "integer", "multipleOf": 7}, [0, -14, 70], [1, 15]),
        ({"type": "number", "multipleOf": 2.5}, [0, 2.5, -7.5, 5], [2, 2.6]),
        ({"type": "integer", "multipleOf": 250}, [500, 250], [50, 100]),
        ({"type": "integer", "multipleOf": 3600}, [3600, 0, -7200], [300, 1800, 36000001]),
        ({"type": "number", "multipleOf": 0.01}, [0.07, 19.99, 3], [0.075, 0.001]),
    ],
    "items": [({"type": "array", "items": {"type": "integer"}}, [[], [1, 2]], [["a"]])],
    "prefixItems": [({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}}, [[1, "a"]], [["a"], [1, 2]])],
    "additionalItems": [({"type": "array", "items": [{"type": "integer"}], "additionalItems": False}, [[], [1]], [[1, 2]])],
    "minItems": [({"type": "array", "items": {"type": "integer"}, "minItems": 2}, [[1, 2]], [[1]])],
    "maxItems": [({"type": "array", "items": {"type": "integer"}, "maxItems": 2}, [[1, 2]], [[1, 2, 3]])],
    "contains": [({"type": "array", "contains": {"const": 1}}, [[1], ["a", 1, 2]], [[], ["a"]])],
    "minContains": [({"type": "array", "contains": {"const": 1}, "minContains": 2}, [[1, 1], [1, "a", 1]], [[1]])],
    "maxContains": [({"type": "array", "contains": {"const": 1}, "maxContains": 1}, [[1], ["a", 1]], [[1, 1], []])],
    "uniqueItems": [
        ({"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True}, [[], ["b", "a"]], [["a", "a"]]),
        ({"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 12}, "uniqueItems": True}, [[12, 1]], [[3, 3]]),
        ({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, [["a", "b", ""]], [["a", "b", "a"]]),
    ],
    "properties": [(_AB, [{}, {"a": 1, "b": 2}], [{"a": "x"}, {"c": 1}])],
    "required": [({**_AB, "required": ["b", "c"]}, [{"b": 1, "c": "x"}], [{"a": 1}, {"b": 1}])],
    "additionalProperties": [
        ({**_AB, "additionalProperties": {"type": "null"}}, [{"a": 1, "x": None}, {"x": None, "b": 1}], [{"a": None}, {"x": 1}, b'{"\\u0061": null}']),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, [{"x": 1}], [{"x": "y"}]),
    ],
    "patternProperties": [({"type": "object", "patternProperties": {"^x": {"type": "integer"}, "y$": {"minimum": 3}}, "additionalProperties": False}, [{"xa": 1, "xy": 3, "y": "a"}], [{"xy": 1}, {"a": 1}])],
    "propertyNames": [({"type": "object", "propertyNames": {"pattern": "^[a-z]{2}$"}}, [{"ab": 1}], [{"a": 1}]), ({"type": "object", "propertyNames": {"enum": ["a", "b"]}}, [{"b": 1}], [{"c": 1}])],
    "minProperties": [({**_AB, "minProperties": 1}, [{"b": 1}], [{}]), ({"type": "object", "minProperties": 1}, [{"x": 1}], [{}])],
    "maxProperties": [({**_AB, "maxProperties": 1}, [{}, {"b": 1}], [{"a": 1, "b": 2}])],
    "dependentRequired": [({**_AB, "dependentRequired": {"a": ["b"]}}, [{}, {"b": 1}, {"a": 1, "b": 1}], [{"a": 1}])],
    "dependentSchemas": [({**_AB, "dependentSchemas": {"a": {"required": ["b"]}}}, [{"b": 1}, {"a": 1, "b": 1}], [{"a": 1}])],
    "dependencies": [({**_AB, "dependencies": {"a": ["b"]}}, [{"b": 1}], [{"a": 1}])],
    "unevaluatedProperties": [({"type": "object", "allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False}, [{"a": 1}], [{"b": 1}])],
    "unevaluatedItems": [
        ({"type": "array", "prefixItems": [{}], "unevaluatedItems": {"type": "null"}}, [[], [1, None]], [[1, 2]]),
        ({"type": "array", "contains": {"type": "integer"}, "unevaluatedItems": False}, [[1, 2]], [[1, "a"], []]),
    ],
    "anyOf": [
        ({"type": "object", "anyOf": [{"properties": {"a": {"const": 1}}}, {"properties": {"b": {}}}]}, [{"a": 1, "b": 2}], [{"a": 2, "b": 2, "c": 3}]),
        ({"type": "string", "anyOf": [{"minLength": 3}, {"const": ""}]}, ["abc", ""], ["a", 1]),
    ],
    "oneOf": [
        ({"oneOf": [{"type": "integer", "multipleOf": 3}, {"type": "integer", "multipleOf": 5}]}, [3, 5], [15, 1]),
        ({**_AB, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, [{"a": 1}, {"b": 1}], [{}, {"a": 1, "b": 1}]),
    ],
    "allOf": [({"allOf": [{"type": "integer", "minimum": 3}, {"maximum": 4}]}, [3, 4], [2, 5])],
    "not": [({"type": "string", "not": {"enum": ["a", "b"]}}, ["", "ab"], ["a", "b", 1]), ({"type": "string", "not": {"pattern": "x"}}, ["a"], ["axb"]),
        ({"not": {"enum": [[1, "a"], [True, "b"], {"a": [1]}]}}, [[1, "b"], [True, "a"], [1], {"a": [1, 1]}, {"b": [1]}, {}, 1], [[1, "a"], [True, "b"], {"a": [1]}])],
    "if": [({**_AB, "if": {"required": ["a"]}, "then": {"required": ["b"]}}, [{}, {"a": 1, "b": 1}], [{"a": 1}])],
    "then": [({"type": "integer", "if": {"minimum": 5}, "then": {"multipleOf": 2}}, [1, 6], [7])],
    "else": [({"type": "integer", "if": {"minimum": 5}, "else": {"multipleOf": 2}}, [2, 7], [1])],
    "$ref": [
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "integer"}}}, [1], ["a"]),
        ({"$ref": "#x", "$defs": {"a": {"$anchor": "x", "type": "integer"}}}, [1], ["a"]),
        ({"$ref": "https://a.b/c", "$defs": {"a": {"$id": "https://a.b/c", "type": "integer"}}}, [1], ["a"]),
        ({"$ref": "#/$defs/node", "$defs": {"node": _NODE}}, [{"v": None, "next": {"v": None}}], [{"next": {}}]),
    ],
    "$dynamicRef": [
        ({"$dynamicRef": "#x", "$defs": {"a": {"$dynamicAnchor": "x", "type": "integer"}}}, [1], ["a"]),
        ({"$id": "https://a.b/strict", "$ref": "list", "$defs": {"x": {"$dynamicAnchor": "x", "type": "string"}, "list": _LIST}}, [["a"]], [[1], 1]),
    ],
    "$recursiveRef": [({"type": "array", "items": {"$recursiveRef": "#"}}, [[], [[]]], [1, [1]])],
}  # fmt: skip
"""Keyword → schemas with values that satisfy them and values that don't."""

REFUSED: dict[str, Any] = {
    "extends": {"extends": {"type": "integer"}},
    "disallow": {"disallow": "string"},
    "divisibleBy": {"divisibleBy": 3},
}


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_the_table_of_keywords_is_true(keyword: str) -> None:
    word = KEYWORDS[keyword].split(":")[0]
    if word == "enforced":
        assert ENFORCED[keyword], "an enforced keyword needs examples"
        for schema, valid, invalid in ENFORCED[keyword]:
            assert [value for value in valid if not accepts(schema, value, ANY_ORDER)] == [], schema
            assert [value for value in invalid if accepts(schema, value, ANY_ORDER)] == [], schema
    elif word == "refused":
        with pytest.raises(SchemaError) as caught:
            argument({"type": "object", "properties": {"x": REFUSED[keyword]}}, DUMPS)
        assert (caught.value.keyword, caught.value.path) == (keyword, "$.x")
    else:
        assert word == "annotation"
        assert accepts({"type": "integer", keyword: "x"}, 1) and not accepts({"type": "integer", keyword: "x"}, "x")


@pytest.mark.parametrize("keyword", REFUSED)
def test_what_is_refused_is_relaxed_only_when_asked_and_says_so(keyword: str) -> None:
    tool = Tool("f", parameters={"type": "object", "properties": {"x": REFUSED[keyword], "y": {"type": "integer"}}})
    grammar = SpecialToken(writing=RELAXED).grammar([tool])
    (warning,) = build_fsm(grammar, Vocabulary([*BYTES, "<T>"])).warnings
    assert warning.startswith("$.x: ") and f"`{keyword}`" in warning


@pytest.mark.parametrize(
    ("schema", "written", "refused", "keyword"),
    [
        ({"type": "integer", "enum": ["1", "dontcare"]}, "dontcare", 1, "type"),
        ({"type": "string", "enum": [0, 1]}, 1, "1", "type"),
        ({"type": "array", "items": {"type": "string"}, "enum": ["a", "b"]}, ["a", "c"], "a", "enum"),
        ({"$ref": "#/$defs/n"}, "1", 1, "type"),
        (
            {"type": "object", "properties": {"n": {"type": "boolean", "enum": ["no"]}}},
            {"n": "no"},
            {"n": False},
            "type",
        ),
        ({"anyOf": [{"type": "integer", "enum": ["1"]}, {"type": "null"}]}, "1", 1, "type"),
    ],
)
def test_an_enum_beside_another_type_is_meant_where_that_is_relaxed(
    schema: Any, written: Any, refused: Any, keyword: str
) -> None:
    defs = {"n": {"type": "integer", "enum": ["1"]}}
    tool = Tool("f", parameters={"type": "object", "properties": {"x": schema}, "required": ["x"], "$defs": defs})
    for scheme in (SCHEMES["json_tags"], SCHEMES["special_token"]):
        relaxed = relaxing(scheme)
        fsm = build_fsm(relaxed.grammar([tool], start="call"), Vocabulary([*BYTES, "<T>"]))
        (warning,) = fsm.warnings
        assert f"in `f`: `{keyword}` is left unchecked: no value of `enum`" in warning
        for value, fits in ((written, True), (refused, False)):
            text = json.dumps(value)
            call, symbols = f"<T>f({text})", ["<T>", *f"f({text})".encode()]
            if scheme.marker != "<T>":
                call = f'<tool_call>\n{{"name": "f", "arguments": {{"x": {text}}}}}\n</tool_call>'
                symbols = [*call.encode()]
            assert (fsm.dfa.read(symbols) is not None) == fits
            if fits:
                assert relaxed.read_calls(call, [tool])[0].arguments == {"x": value}
            else:
                with pytest.raises(CallError):
                    relaxed.read_calls(call, [tool])


def test_a_machine_that_grew_warns_of_its_own_tools() -> None:
    loose = Tool("f", parameters={"type": "object", "properties": {"x": next(iter(REFUSED.values()))}})
    strict = Tool("g", parameters={"type": "object", "properties": {"x": {"type": "integer"}}})
    fsm = build_fsm(SpecialToken(writing=RELAXED).grammar([loose]), Vocabulary([*BYTES, "<T>"]))
    assert len(fsm.warnings) == 1 and fsm.extended(SpecialToken(writing=RELAXED).grammar([strict])).warnings == ()


def test_a_machine_without_relaxing_has_no_warnings() -> None:
    tool = Tool("f", parameters={"type": "object", "properties": {"x": {"type": "integer", "minimum": 3}}})
    assert build_fsm(SpecialToken().grammar([tool]), Vocabulary([*BYTES, "<T>"])).warnings == ()


def test_properties_in_the_schema_s_order_or_in_any() -> None:
    assert accepts(_AB, {"a": 1, "b": 2}) and not accepts(_AB, {"b": 2, "a": 1})
    assert accepts(_AB, {"b": 2, "a": 1}, ANY_ORDER) and not accepts(_AB, b'{"a": 1, "a": 2}', ANY_ORDER)
    many = {"type": "object", "properties": {f"p{n}": {"type": "integer"} for n in range(30)}}
    assert accepts(many, {f"p{n}": n for n in reversed(range(30))}, ANY_ORDER)  # 2^30 orders, of which one is built


def test_open_objects_have_others_but_never_a_declared_name_twice() -> None:
    assert accepts(_AB, {"x": [1], "a": 1, "y": None}, OPEN) and not accepts(_AB, {"a": "x"}, OPEN)
    assert not accepts(_AB, b'{"a": 1, "\\u0061": "x"}', OPEN)


def test_spaces_may_stand_wherever_json_lets_them() -> None:
    schema = {**_AB, "properties": {"a": {"type": "array", "items": {"type": "integer"}}}}
    for text in (b'{"a":[1,2]}', b'{ "a" : [ 1 , 2 ] }', b'{\n\t"a": [1,\r\n2]\n}', b"{}", b"{  }"):
        assert accepts(schema, text, spaced(2)), text
    assert not accepts(schema, b'{   "a": []}', spaced(2)) and not accepts(schema, b'{"a": [1 2]}', spaced(2))


def test_recursion_ends_at_the_stated_depth() -> None:
    schema = {"$ref": "#/$defs/node", "$defs": {"node": _NODE}}

    def chain(length: int) -> Any:
        return {"v": None} if length == 1 else {"v": None, "next": chain(length - 1)}

    for depth in (1, 6):
        writing = Writing(DUMPS.comma, DUMPS.colon, depth=depth)
        assert [n for n in range(1, 10) if accepts(schema, chain(n), writing)] == list(range(1, depth + 1))
    endless = {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}}}  # fmt: skip
    with pytest.raises(SchemaError, match="lead back to themselves") as caught:
        argument(endless, DUMPS)
    assert caught.value.keyword == "$ref"


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"$ref": "#/$defs/x"}, "$ref"),
        ({"$ref": "https://example.com/x"}, "$ref"),
        ({"type": "array", "prefixItems": [{}, {"const": 1}], "minItems": 2, "uniqueItems": True}, "uniqueItems"),
        ({"type": "integer", "multipleOf": 4999}, "multipleOf"),
        ({"type": "string", "pattern": r"(a)\1"}, "pattern"),
        ({"type": "object", "minProperties": 3, "propertyNames": {"pattern": "^[ab]$"}}, "minProperties"),
        ({"type": "object", "patternProperties": {r"(x)\1": {}}, "additionalProperties": False}, "patternProperties"),
        ({"oneOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "color"}]}, "oneOf"),
    ],
    ids=lambda value: json.dumps(value),
)
def test_what_is_no_regular_language_is_refused_with_the_keyword(schema: Any, keyword: str) -> None:
    with pytest.raises(SchemaError) as caught:
        argument({"type": "array", "items": schema}, DUMPS)
    assert (caught.value.keyword, caught.value.path) == (keyword, "$.items")
