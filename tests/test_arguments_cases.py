"""What `oneOf`, `not` and `if` leave: options without what others hold too, and cases that contradict each other."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from judges import satisfies

from tooldec.arguments import DUMPS, FORMATS, Writing, argument
from tooldec.arguments.formats import WIDEST
from tooldec.automaton import DFA
from tooldec.errors import SchemaError

FREE = Writing(DUMPS.comma, DUMPS.colon, any_order=True, open_objects=True)
"""Any order, and others than the declared properties: every valid value can be written."""


def accepts(dfa: DFA, value: Any) -> bool:
    state = dfa.read(json.dumps(value, ensure_ascii=False).encode())
    return state is not None and dfa.is_accepting(state)


def closed(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False, **more}


def branches(count: int, required: bool = True, **more: Any) -> dict[str, Any]:
    """An object in which each tag asks for a property of its own."""
    kinds = {"k": {"enum": [f"k{n}" for n in range(count)]}, **{f"v{n}": TEXT for n in range(count)}}
    asked = [{"if": {"properties": {"k": {"const": f"k{n}"}}}, "then": {"required": [f"v{n}"]}} for n in range(count)]
    return {"type": "object", "properties": kinds, "required": ["k"] * required, "allOf": asked, **more}


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
DATE, MOMENT, EMAIL = ({"type": "string", "format": name} for name in ("date", "date-time", "email"))
UUID = "123e4567-e89b-12d3-a456-426614174000"
CAT = {"kind": {"const": "cat", "default": "cat"}, "id": NUMBER, "meow": TEXT}
DOG = {"kind": {"const": "dog", "default": "dog"}, "id": NUMBER, "bark": TEXT}
FILTER = {
    "oneOf": [
        closed({"and": {"type": "array", "items": {"$ref": "#/$defs/filter"}}}, "and"),
        closed({"not": {"$ref": "#/$defs/filter"}}, "not"),
        closed({"field": TEXT, "is": {}}, "field"),
    ]
}
PAIR = closed({"a": NUMBER, "b": NUMBER})
TEXTS, NUMBERS = ({"type": "object", "additionalProperties": each} for each in (TEXT, NUMBER))
PARENT = [closed({"type": {"const": name}, name: TEXT}, name) for name in ("page_id", "database_id", "block_id")]

TABLE: list[tuple[Any, list[Any], list[Any]]] = [
    ({"oneOf": [closed({"a": TEXT}, "a"), closed({"b": TEXT}, "b")]}, [{"a": ""}, {"b": ""}], [{}, {"a": "", "b": ""}]),
    ({"oneOf": [closed({"a": TEXT}), closed({"b": TEXT})]}, [{"a": ""}, {"b": ""}], [{}, {"a": "", "b": ""}]),
    ({"oneOf": PARENT}, [{"page_id": ""}, {"type": "block_id", "block_id": ""}], [{}, {"type": "page_id", "block_id": ""}]),
    ({"oneOf": [closed(CAT, "meow"), closed(DOG, "bark")]}, [{"meow": ""}, {"kind": "dog", "bark": ""}], [{}, {"kind": "dog", "meow": ""}]),
    ({"oneOf": [closed(CAT, "id"), closed(DOG, "id")]}, [{"kind": "cat", "id": 1}, {"id": 1, "meow": ""}], [{"id": 1}, {"kind": "cat", "id": 1, "bark": ""}]),
    ({"$ref": "#/$defs/filter", "$defs": {"filter": FILTER}}, [{"and": [{"not": {"field": "x"}}]}, {"field": "x", "is": 1}], [{}, {"not": {"is": 1}}]),
    ({"oneOf": [{"type": "object", "required": ["x"]}, closed({"x": TEXT, "y": TEXT})]}, [{"x": "", "z": 1}, {"x": 1}, {"y": ""}, {}], [{"x": ""}, {"z": 1}]),
    ({"type": "object", "not": closed({"a": NUMBER})}, [{"a": ""}, {"b": 1}, {"a": 1, "b": 1}], [{}, {"a": 1}]),
    ({"type": "object", "not": closed({"a": {}}), "minProperties": 2}, [{"a": 1, "b": 1}], [{}, {"b": 1}]),
    ({"oneOf": [closed({"a": {}}), closed({"b": {}})], "type": "object", "maxProperties": 0}, [], [{}]),
    ({"if": closed({"a": {}}), "then": {"required": ["a"]}, "type": "object"}, [{"a": 1}, {"b": 1}], [{}]),
    ({"type": "object", "properties": {"٣": {}}, "patternProperties": {r"^\d$": NUMBER}}, [{"3": 1}, {}], [{"٣": ""}]),
    ({"oneOf": [TEXTS, NUMBERS]}, [{"a": ""}, {"a": 1, "b": 2}], [{}, {"a": 1, "b": ""}, {"a": "", "b": 1}]),
    ({"oneOf": [{**TEXTS, "properties": {"id": NUMBER}}, NUMBERS]}, [{"id": 1, "a": ""}, {"a": 1}], [{"id": 1}, {}, {"id": ""}]),
    ({"type": "object", "not": {"patternProperties": {"^a": NUMBER}}}, [{"ab": ""}, {"b": 1, "ab": ""}], [{}, {"ab": 1}, {"b": ""}]),
    ({"type": "object", "not": {"propertyNames": {"pattern": "^a"}}}, [{"b": 1}, {"a": 1, "b": 1}], [{}, {"a": 1}]),
    ({**closed({"id": NUMBER, "name": TEXT}), "not": {"propertyNames": {"maxLength": 2}}}, [{"name": ""}], [{"id": 1}, {}]),
    ({"type": "object", "not": {**NUMBERS, "properties": {"a": {}}, "patternProperties": {"^b": {}}}}, [{"c": ""}], [{"a": "", "b": ""}, {"c": 1}, {}]),
    ({"type": "object", "not": NUMBERS, "maxProperties": 2, "minProperties": 2, "required": ["z"]}, [{"z": ""} | {"a": 1}], [{"z": ""}, {"z": 1}]),
    ({"oneOf": [DATE, MOMENT]}, ["2024-02-29", "2024-02-29T12:00:00Z"], ["x", "2023-02-29"]),
    ({"oneOf": [{"type": "string", "format": "uuid"}, {"type": "string", "enum": ["me"]}]}, [UUID, "me"], ["you", ""]),
    ({"oneOf": [{"type": "string", "format": "uuid"}, {"enum": ["me", UUID]}]}, ["me", UUID.replace("1", "2")], [UUID]),
    ({"oneOf": [EMAIL, {"type": "string", "pattern": "^[0-9]+$"}]}, ["a@b.co", "12"], ["a", ""]),
    ({"oneOf": [EMAIL, {"type": "string", "pattern": "^@"}]}, ["a@b.co"], ["@b"]),  # to many an e-mail has an @, no more
    ({"oneOf": [{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]}, ["1.2.3.4", "::1"], ["1.2.3"]),
    ({"oneOf": [TEXT, MOMENT]}, ["x", "2024-02-29"], ["2024-02-29T12:00:00Z", 1]),
    ({"type": "string", "not": {"format": "date"}}, ["", "2024-02-30", "2024-1-1"], ["2024-02-29", 1]),
    ({"type": "string", "not": {"not": {"format": "date"}}}, ["2024-02-29"], ["2024-02-30"]),
    ({"type": ["string", "null"], "not": {"format": "no-such-format"}}, [], ["", None]),
    ({"type": "string", "if": {"format": "date"}, "then": {"pattern": "^2"}}, ["2024-02-29", "x"], ["1999-01-01"]),
    (branches(9), [{"k": "k3", "v3": ""}, {"k": "k3", "v1": "", "v3": ""}], [{"k": "k3"}, {}, {"k": "k3", "v1": ""}]),
    (branches(9, required=False), [{"k": "k3", "v3": ""}, {f"v{n}": "" for n in range(9)}], [{}, {"v3": ""}]),
    ({**branches(9), "else": False, "type": ["object", "null"]}, [{"k": "k8", "v8": ""}, None], [{"k": "k8"}, 1]),
    ({**PAIR, "const": {"b": 1, "a": 2}}, [{"b": 1, "a": 2}], [{"b": 1}]),
    ({**PAIR, "additionalProperties": NUMBER, "enum": [{"z": 1, "a": 2}, {"a": ""}]}, [{"z": 1, "a": 2}], [{"a": ""}]),
    ({"properties": {"a": PAIR}, "const": {"x": 1, "a": {"b": 1, "a": 2}}}, [{"x": 1, "a": {"b": 1, "a": 2}}], [{"x": 1}]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "valid", "invalid"), TABLE, ids=lambda value: json.dumps(value)[:60])
def test_what_is_left(schema: Any, valid: list[Any], invalid: list[Any]) -> None:
    assert all(satisfies(schema, value) for value in valid) and not any(satisfies(schema, value) for value in invalid)
    for writing in (DUMPS, FREE):
        if not valid:
            with pytest.raises(SchemaError, match="no value"):
                argument(schema, writing)
            continue
        dfa = DFA(argument(schema, writing))
        assert [value for value in invalid if accepts(dfa, value)] == []
        assert writing is DUMPS or [value for value in valid if not accepts(dfa, value)] == []


def test_a_constant_is_written_in_its_own_order() -> None:
    for constant in ({"b": 1, "a": 2}, {"a": 2, "b": 1}):
        dfa = DFA(argument({**PAIR, "const": constant}, DUMPS))
        assert accepts(dfa, constant) and not accepts(dfa, dict(reversed(constant.items())))


MANY: list[Any] = [
    branches(30),
    branches(30, required=False),
    {**branches(30), "type": ["object", "null"]},
    {"oneOf": [closed({"kind": {"const": f"k{n}"}, "id": NUMBER, f"x{n}": TEXT}, "id") for n in range(25)]},
    {"oneOf": [{"type": "string", "format": name} for name in ("date", "date-time", "time", "uuid", "email", "ipv6")]},
]


@pytest.mark.parametrize("schema", MANY, ids=lambda schema: json.dumps(schema)[:60])
def test_many_choices_are_quick(schema: Any) -> None:
    """Cases that contradict each other are dropped while they are multiplied, not at the end."""
    start = time.perf_counter()
    dfa = DFA(argument(schema, DUMPS))
    dfa.first(dfa.initial)
    assert time.perf_counter() - start < 4  # half a second where nothing else runs


def test_what_holds_itself_against_itself_is_refused_soon() -> None:
    """Expressions of which many are two at once, in each of their parts again."""
    kinds = {"binary": ["left", "right"], "unary": ["argument"], "choice": ["if", "then", "else"], "list": ["items"]}
    inner = {"$ref": "#/$defs/any"}
    options = [{"type": "object", "properties": dict.fromkeys(p, inner), "required": p} for p in kinds.values()]
    start = time.perf_counter()
    try:
        argument({"$ref": "#/$defs/any", "$defs": {"any": {"oneOf": [{"type": "number"}, *options]}}}, DUMPS)
    except SchemaError as error:
        assert error.keyword in ("oneOf", "anyOf")
    assert time.perf_counter() - start < 20  # one or two where nothing else runs


# ---- formats


NEAR: dict[str, list[str]] = {
    "date": ["2024-02-29", "2023-02-29", "0000-01-01", "2024-1-1"],
    "time": ["12:00:00Z", "23:59:60Z", "12:00:00z\n", "24:00:00Z", "12:00Z"],
    "date-time": ["2024-02-29T12:00:00Z", "2024-02-29t12:00:00.5+02:00\n", "2024-02-29"],
    "duration": ["P1D", "-P1.5DT2,5H", "PT1e5S", "P2020-01-01T01:02:03", "P", "Paris"],
    "email": ["a@b.co", "@", "a"],
    "hostname": ["a.b-c.de.", "ſ.K", "a\n", "-a", "a..b", ""],
    "ipv4": ["1.2.3.4", "01.2.3.4", "1.2.3.4\n", "1.2.3"],
    "ipv6": ["::1", "1:2:3:4:5:6:7::", "::ffff:1.2.3.4", "fe80::1%eth0", "1::2::3"],
    "uri": ["http://u:p@[::1]:80/a?b#c", "http://[v1.a:b]/", "urn:a:b\n", "a:", "é:b", "a b:c"],
    "uuid": [UUID, f"{{{UUID[1:]}0}}", "urn:uuid-123e-4567-e89b-12d3a456426614174000", UUID[:-1], UUID.replace("-", "")],
    "json-pointer": ["/a/~0~1", "", "/", "~", "/~2", "a"],
}  # fmt: skip
ALIKE = {"idn-email": "email", "iri": "uri", "uri-reference": "uri", "iri-reference": "uri"}


@pytest.mark.parametrize("name", WIDEST)
def test_what_must_not_have_a_format_is_none_to_any_validator(name: str) -> None:
    """Texts near the borders of a format, and all that a change or two makes of them."""
    assert name in FORMATS
    chance = random.Random(name)
    dfas = [DFA(argument({"type": "string", **said}, DUMPS)) for said in ({"format": name}, {"not": {"format": name}})]
    for number in range(1500):
        text = chance.choice(NEAR[ALIKE.get(name, name)])
        for _ in range(number % 3):
            at = chance.randint(0, len(text))
            text = (
                text[:at]
                + chance.choice(["", *"09afFPTZz.,:+-_/~#@%[]{}|\\ \n\x00éſKı²٣。🙂"])
                + text[at + chance.randint(0, 1) :]
            )
        valid = Draft202012Validator.FORMAT_CHECKER.conforms(text, name)
        assert not accepts(dfas[0], text) or valid, text
        assert not accepts(dfas[1], text) or not valid, text


def test_a_name_that_comes_again_takes_no_member_away() -> None:
    """Who reads JSON takes the last of two members of one name."""
    dfa = DFA(argument({"type": "object", "not": NUMBERS}, FREE))
    for text in ('{"b": 1, "a": ""}', '{"a": 1, "a": ""}', '{"a": "", "a": 1}', '{"a": "", "b": 1}'):
        state = dfa.read(text.encode())
        assert not (state is not None and dfa.is_accepting(state)) or "" in json.loads(text).values(), text
    assert accepts(dfa, {"b": 1, "a": ""})


# ---- random schemas, held against jsonschema

_LEAVES: list[Any] = [
    {}, TEXT, NUMBER, DATE, MOMENT, EMAIL, {"const": "k0"}, {"enum": ["k0", "k1", 1]}, {"type": "integer", "minimum": 2},
    {"format": "uuid"}, {"type": "string", "pattern": "^[0-9]+$"}, {"not": {"format": "date"}}, {"const": {"a": 1, "b": 2}},
]  # fmt: skip
_TEXTS = ["", "k0", "k1", "12", "2024-02-29", "2024-02-30", "2024-02-29T12:00:00Z", UUID, "a@b.co"]


def _object(chance: random.Random, depth: int) -> dict[str, Any]:
    names = chance.sample("abck", chance.randint(0, 3))
    found: dict[str, Any] = {"properties": {name: _schema(chance, depth - 1) for name in names}} if names else {}
    likely: list[tuple[float, dict[str, Any]]] = [
        (0.8, {"type": "object"}),
        (0.6, {"required": chance.sample("abck", chance.randint(0, 2))}),
        (0.6, {"additionalProperties": False}),
        (0.2, {"additionalProperties": NUMBER}),
        (
            0.1,
            {"propertyNames": chance.choice([{"pattern": "[ab]"}, {"enum": ["a", "k", "z"]}, {"not": {"const": "a"}}])},
        ),
        (0.1, {"patternProperties": {chance.choice(["^a", "b"]): chance.choice(_LEAVES)}}),
        (0.1, {"maxProperties": chance.randint(0, 2)}),
        (0.1, {"dependentRequired": {chance.choice("abck"): [chance.choice("abck")]}}),
        (0.1, {"enum": [{"a": 1, "k": "k0"}, {"b": 2}]}),
    ]
    for share, said in likely:
        found |= said if chance.random() < share else {}
    return found


def _schema(chance: random.Random, depth: int) -> Any:
    if depth <= 0:
        return chance.choice(_LEAVES)

    def parts() -> list[Any]:
        return [_schema(chance, depth - 1) for _ in range(chance.randint(2, 3))]

    tag = {"properties": {"k": {"const": chance.choice(["k0", "k1"])}}}
    branch = {"if": chance.choice([tag, parts()[0]]), "then": {"required": [chance.choice("abc")]}, "else": parts()[0]}
    branch.pop(chance.choice(["then", "else", ""]), None)
    more = _object(chance, depth) if chance.random() < 0.3 else {}
    found = [{"oneOf": parts(), **more}, {"allOf": [branch, *parts()[:1]], **more}, branch, {"not": parts()[0], **more}]
    return chance.choice([*found, {"oneOf": parts()}, _object(chance, depth), _object(chance, depth)])


def _value(chance: random.Random, depth: int = 2) -> Any:
    if depth and chance.random() < 0.8:
        names = sorted(chance.sample("abckz", chance.choice([0, 1, 1, 2, 2, 3])))
        return {name: _value(chance, chance.choice([0, 0, depth - 1])) for name in names}
    return chance.choice([*_TEXTS, 0, 1, 2, 1.5, True, None, []])


def _orders(value: Any) -> Iterator[Any]:
    """The same objects with their members in every order: a member that is asked for comes behind the others."""
    if not isinstance(value, dict):
        yield value
        return
    for names in permutations(value):
        for values in product(*(_orders(value[name]) for name in names)):
            yield dict(zip(names, values, strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_random_choices_are_those_of_json_schema(seed: int) -> None:
    chance, tried = random.Random(seed), 0
    for number in range(60):
        schema = _schema(chance, 1 + number % 3)
        validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
        values = [_value(chance) for _ in range(40)]
        valid = [validator.is_valid(value) for value in values]
        for writing in (DUMPS, FREE):
            try:
                dfa = DFA(argument(schema, writing))
            except SchemaError as error:
                assert not (error.empty and error.path == "$" and writing is FREE and any(valid)), schema
                continue
            read = [accepts(dfa, value) for value in values]
            tried += sum(read)
            wrong = [value for value, ok, is_read in zip(values, valid, read, strict=True) if is_read > ok]
            missed = [value for value, ok, is_read in zip(values, valid, read, strict=True) if is_read < ok]
            assert (schema, wrong) == (schema, [])
            missed = [value for value in missed if not any(accepts(dfa, other) for other in _orders(value))]
            assert writing is DUMPS or (schema, missed) == (schema, [])
    assert tried > 100
