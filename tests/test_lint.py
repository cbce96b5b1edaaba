"""Checks on tools: each one finds its bad example and not its good one; places, fixes, and real data."""

from __future__ import annotations

import gc
import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tooldec.lint import CHECKS, Finding, Replacement, apply, check_tools, sizes
from tooldec.lint.documentation import bounds, choices
from tooldec.lint.names import SHORTEST, one_letter_apart
from tooldec.models import load_model
from tooldec.schemes import SCHEMES
from tooldec.signatures import parse_tools
from tooldec.token_fsm import build_fsm

TOY = load_model("toy")


def found(text: str, **options: object) -> list[Finding]:
    return list(check_tools(text, **options).findings)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", CHECKS)
def test_every_check_finds_its_bad_example_and_not_its_good_one(code: str) -> None:
    check = CHECKS[code]
    model = TOY if check.needs_model else None
    bad = check_tools(check.bad, model=model)
    assert code in {finding.code for finding in bad.findings}
    good = check_tools(check.good, model=model)
    assert code not in {finding.code for finding in good.findings}
    assert good.errors == 0 and good.tools
    assert code[0] == {"error": "E", "warning": "W", "hint": "H"}[check.severity]
    assert check.why.endswith(".") and check.title
    for finding in bad.findings:
        lines = check.bad.split("\n")
        assert 1 <= finding.line <= len(lines) and 1 <= finding.column <= len(lines[finding.line - 1]) + 1
        assert finding.message and finding.fix and len(finding.message) < 500


def schema(text: str) -> str:
    return f'[{{"name": "f", "description": "F.", "parameters": {{"properties": {{"a": {text}}}}}}}]'


# fmt: off
# (text, code, line, column, a phrase of the message)
PLACES: tuple[tuple[str, str, int, int, str], ...] = (
    ("def square(side: int)\ndef square(area: int)", "E101", 2, 5, "the first is on line 1"),
    ("def f(a: int)\ndef g(b: flaot)", "E204", 2, 10, "`flaot`"),
    ("def f(a: int)\nnothing here\ndef g(b: int)", "E100", 2, 1, "isn't a signature"),
    ("def get_users()\ndef getUser()", "W121", 2, 5, "singular and plural"),
    ("def getUser()\ndef GetUser()", "W121", 2, 5, "case"),
    ("def get_user()\ndef getUser()", "W121", 2, 5, "separators"),
    ('def f(a: int, unit: Literal["c"] = "k")', "W301", 1, 15, "the default `\"k\"`"),
    (schema('{"enum": ["day", "daytime"]}'), "H312", 1, 68, "begins"),
    (schema('{"type": "string", "enum": [1.1, "latest"]}'), "W314", 1, 68, "`1.1` of its `enum`"),
    (schema('{"enum": ["a", "bcd"], "maxLength": 2}'), "W314", 1, 68, "other keywords"),
    (schema('{"type": "object", "properties": {"b": {"type": "integer", "default": "x"}}}'), "W301", 1, 107, "`a.b`"),
    (schema('{"type": "integer", "minimum": 5, "maximum": 1}'), "E320", 1, 68, "`minimum` 5 is above"),
    (schema('{"enum": []}'), "E320", 1, 68, "`enum` is empty"),
    (schema('{"allOf": [{"type": "string"}, {"type": "integer"}]}'), "E320", 1, 68, "no value"),
    (schema('{"type": "string", "enum": [1]}'), "E320", 1, 68, "no value of `enum`"),
    (schema('{"type": "string", "enum": ["abc"], "maxLength": 2}'), "E320", 1, 68, "other keywords refuse every value"),
    (schema('{"$ref": "https://example.org/x"}'), "E321", 1, 68, "$ref"),
    (schema('{"type": "string", "maxlength": 3}'), "W324", 1, 92, "`maxlength` of `a` is no keyword"),
    (schema('{"anyOf": [{"type": "string", "max": 3}]}'), "W324", 1, 103, "`max` of `a.anyOf[0]`"),
    ('[{"name": "f", "parameters": {"properties": {}, "requried": []}}]', "W324", 1, 50, "of the arguments"),
    (schema('{"type": ["integer", "null"], "minLength": 3}'), "W325", 1, 103, "which is an integer or a null"),
    (schema('{}'), "H323", 1, 68, "any JSON value"),
    (schema('{"type": "array"}'), "H323", 1, 68, "list of values of any type"),
    ("def f(n: int):\n    \'\'\'F.\n\n    Args:\n        n: from 1 to 5\n    \'\'\'", "W401", 1, 7, "between 1 and 5"),
    ("number of participants(event name)", "H110", 1, 1, "`number_of_participants`"),
    ("def f(a: int, b: str)  # F.", "H503", 1, 7, "`f.a` and 1 more"),
)
# fmt: on


@pytest.mark.parametrize(("text", "code", "line", "column", "phrase"), PLACES, ids=lambda value: ascii(value)[:40])
def test_places(text: str, code: str, line: int, column: int, phrase: str) -> None:
    hits = [finding for finding in found(text) if finding.code == code]
    assert len(hits) == 1 and phrase in hits[0].message, hits
    assert (hits[0].line, hits[0].column) == (line, column)


# (text, code, the text after the fix)
FIXES = (
    ("def f(a: flaot)", "E204", "def f(a: float)"),
    ("def f(a: list[strng])", "E204", "def f(a: list[str])"),
    ("function f(a: strng): any", "E204", "function f(a: string): any"),
    ("def f()\ndef f()\ndef f_2()", "E101", "def f()\ndef f_3()\ndef f_2()"),
    ('[{"name": "a"},\n {"name": "a"}]', "E101", '[{"name": "a"},\n {"name": "a_2"}]'),
    (schema('{"enums": ["c", "f"]}'), "W324", schema('{"enum": ["c", "f"]}')),
    (
        schema('{"type": "integer", "description": "from 1 to 5"}'),
        "W401",
        schema('{"minimum": 1, "maximum": 5, "type": "integer", "description": "from 1 to 5"}'),
    ),
    (
        schema('{"type": "string", "description": "one of: c, f"}'),
        "W402",
        schema('{"enum": ["c", "f"], "type": "string", "description": "one of: c, f"}'),
    ),
    (
        'def f(n: int):\n    """F.\n\n    Args:\n        n: from 1 to 5\n    """',
        "W401",
        'def f(n: Annotated[int, Field(ge=1, le=5)]):\n    """F.\n\n    Args:\n        n: from 1 to 5\n    """',
    ),
)


@pytest.mark.parametrize(("text", "code", "fixed"), FIXES)
def test_fixes_are_applied_and_help(text: str, code: str, fixed: str) -> None:
    changes = [f.replacement for f in found(text) if f.code == code and f.replacement is not None]
    assert apply(text, changes) == fixed
    assert code not in {finding.code for finding in found(fixed)}


def test_of_changes_that_overlap_the_first_one_counts() -> None:
    """As in the page's editor; of two that replace the same, too."""
    wide, inside, behind = (Replacement(1, a, 1, b, text) for a, b, text in ((1, 4, "X"), (2, 3, "Y"), (4, 5, "Z")))
    assert apply("abcdef", [wide, inside, behind]) == apply("abcdef", [behind, inside, wide]) == "XZef"
    assert apply("abcdef", [wide, Replacement(1, 1, 1, 4, "other"), wide]) == "Xdef"
    assert apply("ab\ncd", [Replacement(1, 2, 2, 1, "-"), Replacement(2, 1, 2, 2, "!")]) == "a-!d"


@pytest.mark.parametrize("key", ["unit", "x-min", "_format", "$comment", "maxLength", "order", "label", "ui:widget"])
def test_a_remark_of_somebody_s_own_is_no_misspelling(key: str) -> None:
    assert "W324" not in {finding.code for finding in found(schema(f'{{"type": "string", "{key}": 3}}'))}


def test_a_keyword_that_stands_twice_is_mended_where_it_stands() -> None:
    twice = '{"type": "object", "properties": {"b": {"type": "string", "max": 1}, "c": {"type": "string", "max": 2}}}'
    hits = [finding for finding in found(schema(twice)) if finding.code == "W324"]
    assert [hit.message.split(" is ")[0] for hit in hits] == ["`max` of `a.b`", "`max` of `a.c`"]
    mended = apply(schema(twice), [hit.replacement for hit in hits if hit.replacement])
    assert mended == schema(twice).replace('"max"', '"maximum"')


SORTED = """[
{"description":"C","input_schema":{"properties":{"n":{"description":"between 1 and 5","type":"integer"}}},"name":"c"},
{"description":"D","input_schema":{"properties":{"n":{"maximum":9,"type":"integer","maxlength":3}}},"name":"d"}]"""


def test_a_name_behind_its_schema_leaves_findings_and_mends_in_its_own_tool() -> None:
    hits = {finding.code: finding for finding in found(SORTED)}
    assert [(hits[code].tool, hits[code].line) for code in ("W401", "W324")] == [("c", 2), ("d", 3)]
    mended = apply(SORTED, [hit.replacement for hit in hits.values() if hit.replacement])
    first, second = parse_tools(mended)
    assert (first.arguments[0].schema["minimum"], second.arguments[0].schema["maxLength"]) == (1, 3)


def test_a_parameter_that_is_called_name_is_not_the_tool_s() -> None:
    text = '[{"name": "add", "description": "x", "parameters": {"properties": {"name": {"type": "string", '
    text += '"description": "The name, at most 20 characters"}}}}]'
    hit = next(finding for finding in found(text) if finding.code == "W401")
    assert hit.column == text.index('"name": {') + 2 and hit.replacement
    (tool,) = parse_tools(apply(text, [hit.replacement]))
    assert tool.name == "add" and tool.arguments[0].schema["maxLength"] == 20


def test_yaml_items_with_sorted_keys_keep_their_findings_to_themselves() -> None:
    text = """- description: C
  input_schema: {properties: {u: {type: string, enum: [kelvin, celsius], default: kelvi}}}
  name: c
- description: D
  input_schema: {properties: {u: {type: string, default: kelvi}}}
  name: d
"""
    hit = next(finding for finding in found(text) if finding.code == "W301")
    assert hit.tool == "c" and hit.line == 2
    assert hit.replacement and "default: kelvin}" in apply(text, [hit.replacement]).splitlines()[1]


DEFINED = """{"name": "f", "description": "F.", "parameters": {"properties": {"who": {"$ref": "#/$defs/P"}},
 "$defs": {"P": {"type": "object", "required": ["nmae"], "properties": {"name": {"type": "string", "formatt": "email"},
  "role": {"enum": ["host", "guest"], "default": "hots"}}}}}}"""


def test_definitions_are_checked_where_they_stand() -> None:
    hits = [finding for finding in found(DEFINED) if finding.code in ("W301", "W324", "W327")]
    assert [(hit.code, hit.line) for hit in hits] == [("W327", 2), ("W324", 2), ("W301", 3)]
    mended = apply(DEFINED, [hit.replacement for hit in hits if hit.replacement])
    assert not [finding for finding in found(mended) if finding.severity != "hint"]


def test_conditions_are_no_values_of_their_own() -> None:
    needs = '{"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}, {"maxProperties": 0}]}'
    assert not [finding.code for finding in found(schema(needs)) if finding.code in ("H323", "W327")]
    assert [f.code for f in found(schema('{"type": "string", "not": {"maxlength": 3}}')) if f.code == "W324"] == [
        "W324"
    ]


def test_a_default_of_an_old_definition_is_held_against_it() -> None:
    text = """{"name": "f", "description": "F.", "parameters": {"definitions": {"U": {"enum": ["c", "f"]}},
    "properties": {"u": {"$ref": "#/definitions/U", "default": "k"}}}}"""
    assert "W301" in {finding.code for finding in found(text)}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"type": "integer", "minimum": 0, "exclusiveMinimum": true, "default": 1}', True),
        ('{"type": "object", "properties": {"a": {"type": "string", "nullable": true}}, "default": {"a": null}}', True),
        ('{"type": "array", "items": [{"type": "string"}], "additionalItems": false, "default": ["x", "y"]}', False),
    ],
)
def test_defaults_are_held_against_the_draft_of_their_schema(text: str, right: bool) -> None:
    assert ("W301" in {finding.code for finding in found(schema(text))}) != right


def test_a_pattern_that_takes_a_reader_for_ever_takes_no_time_here() -> None:
    begin = time.perf_counter()
    text = json.dumps({"type": "string", "pattern": "^(a+)+$", "default": "a" * 40 + "b"})
    assert "W301" in {finding.code for finding in found(schema(text))}
    assert time.perf_counter() - begin < 5


def test_every_refused_tool_is_out_of_the_machine_however_many_there_are() -> None:
    many = ",".join(
        f'{{"name": "f{i}", "parameters": {{"properties": {{"a": {{"enum": []}}}}}}}}' for i in range(1_200)
    )
    report = check_tools(f"[{many}]")
    assert len(report.refused) == 1_200 and not report.in_machine


def test_long_enums_and_long_lists_in_words_are_checked_quickly() -> None:
    begin = time.perf_counter()
    found(schema(json.dumps({"type": "string", "enum": [f"value {i}" for i in range(8_000)]})))
    found(schema(json.dumps({"type": "string", "description": f"One of: {'a,   ' * 70}(x"})))
    assert time.perf_counter() - begin < 5


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ('{"type": "string", "format": "date"}', '{"type": "string", "format": "date-time"}', False),
        ('{"type": "string", "pattern": "^a"}', '{"type": "string", "pattern": "^b"}', False),
        ('{"type": "string", "pattern": "^a"}', '{"type": "string", "pattern": "b$"}', True),
        ('{"type": "integer"}', '{"type": "number"}', False),
        ('{"type": "integer", "maximum": 5}', '{"type": "integer", "minimum": 6}', False),
        ('{"type": "integer", "maximum": 5}', '{"type": "integer", "minimum": 5}', True),
    ],
)
def test_options_are_told_apart_as_the_machine_does(one: str, other: str, alike: bool) -> None:
    codes = {finding.code for finding in found(schema(f'{{"anyOf": [{one}, {other}]}}'))}
    assert ("W322" in codes) == alike


@pytest.mark.parametrize(
    "words",
    [
        "-1 for unlimited, otherwise between 1 and 100",
        "must be at least 2 less than total",
        "Adults are usually between 150 and 200",
        "Range [1-5)",
    ],
)
def test_no_bound_is_taken_from_words_that_leave_it_open(words: str) -> None:
    assert bounds(words, "integer") == {}


@pytest.mark.parametrize(
    "words",
    [
        "Sort order, one of 'name', 'date', ...",
        "available options: 'name', 'date' and more",
        "Can be 'json' or 'xml', or any other format.",
        "Comma separated list of one of 'a', 'b', 'c'",
    ],
)
def test_no_choice_is_taken_from_words_that_leave_it_open(words: str) -> None:
    assert choices(words) == []


def test_bounds_and_choices_with_remarks_are_read() -> None:
    assert bounds("Priority from 1 (low) to 5 (high)", "integer") == {"minimum": 1, "maximum": 5}
    assert choices("Possible values: asc, desc (default asc)") == ["asc", "desc"]
    assert choices("Must be one of: low | high") == ["low", "high"]


def test_a_user_s_own_words_change_no_code_and_no_place() -> None:
    refused = found(schema('{"type": "string", "pattern": "no value(?<=xy)"}'))
    assert {finding.code for finding in refused if finding.severity == "error"} == {"E321"}
    odd = '[{"name": "U+ x"}, {"name": "g", "parameters": {"type": "object", "properties": {"a": {"enum": []}}}}]'
    places = {(f.line, f.column) for f in found(odd) if f.tool == "g" and f.parameter is None}
    assert places == {(1, odd.index('"g"') + 2)}, "behind the quote"


@pytest.mark.parametrize(
    ("pattern", "change"),
    [("[A-Z]{3}", "^[A-Z]{3}$"), ("^dev|rc|stable$", "^(?:dev|rc|stable)$"), ("^https?://", None), (r"\S", None)],
)
def test_a_pattern_that_may_match_anywhere_is_anchored(pattern: str, change: str | None) -> None:
    text = json.dumps([{"name": "f", "parameters": {"properties": {"a": {"type": "string", "pattern": pattern}}}}])
    hits = [finding for finding in found(text) if finding.code == "H328"]
    assert len(hits) == (change is not None)
    for hit in hits:
        assert hit.column == text.index('"pattern"') + 2 and hit.replacement is not None
        assert json.loads(apply(text, [hit.replacement]))[0]["parameters"]["properties"]["a"]["pattern"] == change


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("[A-Z].{15}[0-9]", True), ("[A-Z].{15}[0-9]$", True), ("^[A-Z].{15}[0-9]$", False), ("[A-Z]{3}", False),
        ("[A-Z].{15}[0-9]|x", True), ("(a", False),
    ],
)  # fmt: skip
def test_a_pattern_that_the_machine_takes_from_the_beginning_on_is_told(pattern: str, told: bool) -> None:
    text = schema(json.dumps({"type": "string", "pattern": pattern}))
    hits = [finding for finding in found(text) if finding.code == "H329"]
    assert len(hits) == told
    if told and "|" not in pattern:
        grammar = SCHEMES["special_token"].grammar(parse_tools(text), start="call")
        dfa = build_fsm(grammar, load_model("embedded").vocabulary).dfa
        assert dfa.read(["<T>", *b'f("-A']) is None, "no machine seeks it behind the first character"


def test_what_can_t_be_read_of_json_is_found_at_its_place_and_fixed() -> None:
    """In the list of required names, or in a name; the underline begins behind the quote."""
    text = """[
      {"name": "block card", "parameters": {"properties": {
        "digits": {"type": "integer"}}}},
      {"name": "lift", "parameters": {"properties": {
        "iban": {"type": "string"},
        "b c": {"type": 7}},
        "required": ["iban", "iabn"]}}]"""
    lines = text.split("\n")
    errors = [one for one in found(text) if one.severity == "error"]
    told = [lines[one.line - 1][one.column - 1 :][: one.length] for one in errors]
    assert told == ["block card", "7"]
    assert errors[0].replacement is not None
    mended = apply(text, [errors[0].replacement]).replace('{"type": 7}', '{"type": "integer"}')
    (left,) = [one for one in found(mended) if one.severity == "error"]
    assert (left.line, lines[left.line - 1][left.column - 1 :][: left.length]) == (7, "iabn")
    assert left.replacement is not None
    assert not [one for one in found(apply(mended, [left.replacement])) if one.severity == "error"]


@pytest.mark.parametrize(
    ("written", "fix", "type_"),
    [
        ('{"type": "boolean", "enum": ["True", "dontcare"], "default": "dontcare"}', '`"type": "string"`', "string"),
        ('{"type": "string", "enum": [0, 1]}', '`"type": "integer"`', "integer"),
        ('{"type": "string", "enum": [0, 1.5]}', '`"type": "number"`', "number"),
        (
            '{"type": "array", "items": {"type": "string"}, "enum": ["a", "b"]}',
            "write the `enum` into its `items`",
            None,
        ),
        ('{"type": "integer", "enum": ["1", true]}', "leave `type` out", None),
        ('{"type": "string", "enum": ["abc"], "maxLength": 2}', "change the keywords", None),
    ],
)
def test_an_enum_beside_a_type_that_none_of_it_is(written: str, fix: str, type_: str | None) -> None:
    """As BFCL's and TMDB's documents have them; the default is of the enum, so it isn't told once more."""
    text = schema(written)
    (one,) = [finding for finding in found(text) if finding.severity != "hint"]
    assert one.code == "E320" and fix in one.fix and bool(one.replacement) == bool(type_)
    if one.replacement:
        (tool,) = parse_tools(apply(text, [one.replacement]))
        assert tool.arguments[0].schema["type"] == type_
        assert not [finding for finding in found(apply(text, [one.replacement])) if finding.severity == "error"]


def test_what_no_value_satisfies_is_told_once() -> None:
    """Though a keyword beside the parameters makes the machine read all of them again, as one object."""
    text = '[{"name": "f", "parameters": {"properties": {"a": {"type": "number", "minimum": 1, "maximum": 0}}, "requried": ["a"]}}]'
    (one,) = [finding for finding in found(text) if finding.severity == "error"]
    assert (one.code, one.parameter) == ("E320", "a")
    root = text.replace('"minimum": 1, "maximum": 0', "").replace('number", ', 'number"')
    root = root.replace('"requried": ["a"]', '"not": {"unevaluatedProperties": false}')
    assert [finding.code for finding in found(root) if finding.severity == "error"] == ["E321"]


@pytest.mark.parametrize(
    ("part", "told"),
    [
        ('{"type": "string", "format": "date", "default": "today"}', '`"today"` of `a` isn\'t of its own format, date'),
        (
            '{"type": "string", "pattern": "^[A-Z]{2}$", "default": "de"}',
            '`"de"` of `a` isn\'t what its own `pattern` admits',
        ),
        ('{"type": "integer", "maximum": 9, "default": 10}', "`10` of `a` isn't what its own `maximum` admits"),
        ('{"type": "integer", "default": "9"}', '`"9"` of `a` isn\'t of its own type, int'),
        ('{"type": "string", "format": "email", "example": "me"}', '`"me"` of `a` isn\'t of its own format, email'),
        ('{"type": "string", "format": "date", "default": "2026-02-28"}', None),
        ('{"type": "string", "format": "a format of nobody", "default": "x"}', None),
    ],
)
def test_a_default_that_the_machine_would_not_write(part: str, told: str | None) -> None:
    """By its type, another keyword, or a format as the machine reads it."""
    messages = [finding.message for finding in found(schema(part)) if finding.code in ("W301", "W302")]
    assert [message.split(" ", 2)[2] for message in messages] == ([told] if told else [])


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ('def f(unit: Literal["celsius", "kelvin"] = "C")', 'def f(unit: Literal["celsius", "kelvin"] = "celsius")'),
        (
            "def f(to: Literal['EUR', 'USD'] = 'eur', b: str = 'eur')",
            "def f(to: Literal['EUR', 'USD'] = 'EUR', b: str = 'eur')",
        ),
        (
            schema('{"default": "centre", "enum": ["center", "left"]}'),
            schema('{"default": "center", "enum": ["center", "left"]}'),
        ),
        (schema('{"enum": ["Euro", "Pound"], "default": "Yen"}'), None),
        (schema('{"enum": ["checking", "chequing"], "default": "ch"}'), None),
        (schema('{"enum": [1, 2], "default": "1"}'), None),
    ],
)
def test_a_default_that_means_a_value_of_its_enum_is_mended(text: str, mended: str | None) -> None:
    (one,) = [finding for finding in found(text) if finding.code == "W301"]
    assert (one.replacement and apply(text, [one.replacement])) == mended
    assert ("did you mean" in one.fix) == (mended is not None)


def test_a_fix_goes_to_the_argument_not_to_a_property_of_another() -> None:
    inner = '"filter": {"type": "object", "properties": {"limit": {"type": "integer", "description": "{ Most."}}}'
    text = schema("{}").replace('"a": {}', inner + ', "limit": {"type": "integer", "description": "Maximum: 5"}')
    (one,) = [finding for finding in found(text) if finding.code == "W401"]
    assert one.column == text.rindex('"limit"') + 2 and one.replacement is not None
    assert apply(text, [one.replacement]).endswith(
        '"limit": {"maximum": 5, "type": "integer", "description": "Maximum: 5"}}}}]'
    )


QUIET = (
    schema('{"type": "integer", "description": "Priority, possible values: 0, 1, 2"}'),
    schema('{"type": "integer", "description": "Allowed values 1, 2, 3, 4 or 5"}'),
    schema('{"type": "integer", "description": "Maximum: ' + "9" * 5000 + '"}'),
    'def f(unit: Literal["c", "f"] = "c", n: int | None = None, x: float = 1)  # F.',
    schema('{"type": "string", "description": "Maximum number of results, such as one of the largest 5"}'),
    schema('{"type": "string", "description": "Can be anything, etc."}'),
    schema('{"type": "string", "description": "It can be `last_hour`, `last_day`, `last_mont"}'),
    schema('{"type": "string", "description": "One of: rock, pop, etc"}'),
    schema('{"type": "number", "description": "up to 2 decimal places"}'),
    schema('{"type": "integer", "description": "The year, at least 4 characters"}'),
    schema('{"enum": ["AA", "Aa"], "description": "the genotype"}'),
    schema('{"anyOf": [{"type": "string"}, {"type": "null"}], "description": "x"}'),
    schema('{"type": "number", "default": 3, "examples": [1, 2.5], "description": "x"}'),
    schema('{"type": "string", "nullable": true, "default": null, "description": "x"}'),
)


@pytest.mark.parametrize("text", QUIET)
def test_no_false_alarms(text: str) -> None:
    assert [finding for finding in found(text) if finding.severity != "hint"] == []


def test_unions() -> None:
    def union(one: str, other: str) -> bool:
        return "W322" in {f.code for f in found(schema(f'{{"anyOf": [{one}, {other}]}}'))}

    a = '{"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind"]}'
    b = '{"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"]}'
    c = '{"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}'
    assert not union(a, b)
    assert union(a, c) and union(a, a)
    assert not union('{"type": "integer"}', '{"type": "string"}')
    assert not union('{"enum": ["a"]}', '{"enum": ["b"]}')


def test_a_report_counts() -> None:
    report = check_tools("def f(a: int)\ndef f(b: int)\ndef g(a: flaot)\n" + 'def h(a: "int")')
    assert [tool.name for tool in report.in_machine] == ["f", "h"]
    assert (report.errors, report.unread) == (2, 2)
    report = check_tools("# nothing but a comment")
    assert (report.errors, report.unread) == (1, 0)
    report = check_tools(schema('{"type": "integer", "minimum": 5, "maximum": 1}'))
    assert report.refused == ("f",) and not report.in_machine
    assert json.loads(json.dumps([finding.to_json() for finding in report.findings]))[0]["code"]


def test_sizes() -> None:
    tools = parse_tools("def pi()\ndef mult(b: int, n: int)")
    plain, with_model = sizes(tools), sizes(tools, TOY)
    assert plain[0].states is not None and plain[1].states is not None and plain[0].states < plain[1].states
    assert plain[0].signature is None and with_model[0].signature == 3  # pi ( )


@settings(max_examples=60)
@given(st.text() | st.lists(st.sampled_from([*"def f(a: int)\n[]{}\"',", '"name":', "class A:\n"])).map("".join))
def test_any_text_can_be_checked(text: str) -> None:
    report = check_tools(text)
    assert report.findings or report.tools


@given(st.sets(st.text("abt_3", min_size=6, max_size=9), max_size=40))
def test_names_one_letter_apart_are_those_that_an_edit_leads_to(names: set[str]) -> None:
    expected = set()
    for name in names:
        for place in range(1, len(name) if len(name) >= SHORTEST else 0):
            letters, following = name[place], name[place + 1 : place + 2]
            edits = [name[:place] + name[place + 1 :]]
            if following.isalpha():
                edits.append(name[:place] + following + letters + name[place + 2 :])
            expected |= {(name, edit) for edit in edits if letters.isalpha() and edit in names - {name}}
    assert set(one_letter_apart(names)) == expected


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("def f(ab: int, b: dict)", 16),  # not the end of `ab`
        ("def f(bb: int, *, b : dict)", 19),
        ('{"name": "b", "params": [["bb", "string"], ["b", "object"]]}', 46),  # not the tool's name
        ("- name: f\n  parameters: {properties: {bb: {type: string}, 'b': {type: object}}}", 50),
    ],
)
def test_a_parameter_is_found_where_it_is_declared(text: str, column: int) -> None:
    (found,) = [finding for finding in check_tools(text).findings if finding.code == "H323"]
    assert (found.column, found.length) == (column, 1)


# ---- real data


@pytest.mark.data
@pytest.mark.parametrize(("name", "count"), [("toolbench_apis.jsonl", 2_470), ("tools_16k.jsonl", 16_000)])
def test_thousands_of_tools_in_five_seconds(data_folder: Path, name: str, count: int) -> None:
    text = (data_folder / name).read_text("utf-8")
    gc.collect()
    gc.freeze()  # what the tests before have made isn't looked through again and again meanwhile
    try:
        started = time.process_time()
        report = check_tools(text)
        assert time.process_time() - started < 5
    finally:
        gc.unfreeze()
    assert len(report.tools) == count and report.errors == 0


@pytest.mark.data
def test_real_descriptions_state_bounds_and_choices(data_folder: Path) -> None:
    report = check_tools((data_folder / "toolbench_apis.jsonl").read_text("utf-8"))
    counts = {code: sum(finding.code == code for finding in report.findings) for code in ("W401", "W402", "W121")}
    assert counts["W401"] > 40 and counts["W402"] > 30 and counts["W121"] > 10
