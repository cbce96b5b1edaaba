"""Values are held against a schema in time that grows with them, and what isn't followed isn't judged."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tooldec.arguments.judging import validator
from tooldec.arguments.patterns import reads
from tooldec.errors import CallError
from tooldec.reading import tagged_calls
from tooldec.tools import Tool

EVIL = "^(a+)+$"
LONG = "a" * 60 + "b"


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"pattern": EVIL}, LONG, False),
        ({"patternProperties": {EVIL: False}}, {LONG: 1}, True),
        ({"patternProperties": {EVIL: False}}, {"a": 1}, False),
        ({"patternProperties": {EVIL: True}, "additionalProperties": False}, {LONG: 1}, False),
        ({"patternProperties": {EVIL: True}, "additionalProperties": False}, {"aa": 1}, True),
        ({"patternProperties": {EVIL: True}, "unevaluatedProperties": False}, {LONG: 1}, False),
        ({"allOf": [{"patternProperties": {EVIL: True}}], "unevaluatedProperties": False}, {"aa": 1}, True),
        ({"anyOf": [{"required": ["b"], "properties": {"a": True}}, True], "unevaluatedProperties": False}, {"a": 1}, False),
        ({"if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": True}}, "unevaluatedProperties": False}, {"a": 1, "b": 1}, True),
        ({"if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": True}}, "unevaluatedProperties": False}, {"a": 2, "b": 1}, False),
        ({"dependentSchemas": {"a": {"properties": {"a": True}}}, "unevaluatedProperties": False}, {"a": 1}, True),
        ({"allOf": [{"unevaluatedProperties": True}], "unevaluatedProperties": False}, {"a": 1}, True),
        ({"additionalProperties": {"type": "null"}, "properties": {"a": True}}, {"a": 1, "b": None}, True),
        ({"additionalProperties": {"type": "null"}, "properties": {"a": True}}, {"a": 1, "b": 1}, False),
        ({"pattern": "^.{1,5000}$"}, "a" * 5000, True),
        ({"pattern": "^.{1,5000}$"}, "a" * 5001, False),
        # patterns that the machine doesn't follow
        ({"pattern": "(a)\\1"}, "ab", True),
        ({"patternProperties": {"(a)\\1": False}}, {"aa": 1}, True),
        ({"patternProperties": {"(a)\\1": True}, "additionalProperties": False}, {"aa": 1}, True),
    ],
)  # fmt: skip
def test_patterns_are_the_machines(schema: Any, value: Any, valid: bool) -> None:
    start = time.perf_counter()
    assert validator(schema).is_valid(value) is valid
    assert time.perf_counter() - start < 2


def test_errors_tell_the_names_and_patterns_that_were_written() -> None:
    (error,) = validator({"patternProperties": {"^x": True}, "additionalProperties": False}).iter_errors({"y": 1})
    assert "'y'" in error.message
    (error,) = validator({"pattern": "^x"}).iter_errors("y")
    assert error.message == "'y' does not match '^x'"


@pytest.mark.parametrize(
    ("schema", "root", "value", "valid"),
    [
        ({"$ref": "#/definitions/A"}, {"definitions": {"A": {"type": "string", "nullable": True}}}, None, True),
        ({"$ref": "#/$defs/A"}, {"$defs": {"A": {"type": "string"}}}, 1, False),
        ({"items": {"type": "string", "nullable": True}}, {}, ["a", None], True),
        ({"items": [{"type": "string"}], "additionalItems": False}, {}, ["a", "b"], False),
        ({"maximum": 3, "exclusiveMaximum": True}, {}, 3, False),
        (True, {}, 3, True),
    ],
)
def test_a_part_is_read_in_its_document(schema: Any, root: Any, value: Any, valid: bool) -> None:
    assert validator(schema, root).is_valid(value) is valid


def test_an_argument_is_judged_as_quickly() -> None:
    tool = Tool("f", parameters={"type": "object", "properties": {"a": {"type": "string", "pattern": EVIL}}})
    text = f'<tool_call>{{"name": "f", "arguments": {{"a": "{LONG}"}}}}</tool_call>'
    with pytest.raises(CallError, match="does not match"):
        tagged_calls(text, [tool], "<tool_call>", "</tool_call>")


def test_halves_of_pairs_are_read_as_one_character() -> None:
    assert reads("^.$", "\ud800") and reads("^.$", "\ud83d\ude00") and not reads("^.$", "\ud800a")


def test_references_of_other_drafts_are_followed() -> None:
    """Also where the rest is read in the words of the newest."""
    draft = "https://json-schema.org/draft/2019-09/schema"
    lists = validator({"$schema": draft, "type": "array", "items": {"$recursiveRef": "#"}})
    assert lists.is_valid([[], [[]]]) and not lists.is_valid([1])
