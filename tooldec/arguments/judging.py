"""Values held against a schema by jsonschema: draft 2020-12 as it is, others and OpenAPI's as the machine reads them.

Three things are the machine's: what earlier drafts say (`dialect`), that multiples are those of exact decimals, and how
patterns are matched (`patterns.reads`), since Python's `re` may take twice as long for each letter more. What has a
pattern that the machine doesn't follow is left unchecked, as it is in a machine that relaxes.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from tooldec.arguments.dialect import in_2020
from tooldec.arguments.patterns import reads
from tooldec.errors import SchemaError
from tooldec.submachine import KEPT

_FOREIGN = re.compile(r'"(?:nullable|dependencies|additionalItems|\$schema|unevaluatedProperties)"')
"""What says another thing in earlier drafts or in OpenAPI, or needs every reference in its place (`_evaluated`)."""


def validator(schema: Any, root: Any = None) -> Any:
    """jsonschema's validator of a schema; `root` is the document that references point into, where that is another.

    Its `is_valid(value)` and `iter_errors(value)` raise what jsonschema raises where a schema is none. Formats are
    checked, but not by `validator(…).evolve(format_checker=None)`.
    Raises SchemaError where a schema of another draft can't be read.

    >>> validator({"type": "integer", "minimum": 3, "exclusiveMinimum": True}).is_valid(3)
    False
    >>> validator({"multipleOf": 0.01}).is_valid(0.07)
    True
    >>> validator({"$ref": "#/$defs/A"}, {"$defs": {"A": {"pattern": "^(a+)+$"}}}).is_valid("a" * 40 + "b")
    False
    """
    return _validator(json.dumps(schema), None if root is None else json.dumps(root))


@lru_cache(maxsize=KEPT)
def _validator(schema: str, root: str | None) -> Any:
    from jsonschema import SchemaError as Malformed  # only needed where values are judged

    drafted = _drafted()
    given = json.loads(schema)
    whole = given if root is None else json.loads(root)
    plain = not _FOREIGN.search(schema) and (root is None or not _FOREIGN.search(root))
    try:
        drafted.check_schema(given)
        drafted.check_schema(whole)
    except Malformed:
        plain = False
    if not plain:
        given = whole = in_2020(given, whole)
    return drafted(whole, format_checker=drafted.FORMAT_CHECKER).evolve(schema=given)


@cache
def _drafted() -> Any:
    """The class of validators of the draft 2020-12, but for what looks at patterns."""
    from jsonschema import Draft202012Validator, ValidationError, validators

    usual = Draft202012Validator.VALIDATORS

    def pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[Any]:
        if isinstance(value, str) and not _matches(pattern, value, unclear=True):
            yield ValidationError(f"{value!r} does not match {pattern!r}")

    def pattern_properties(validator: Any, patterns: Mapping[str, Any], value: Any, schema: Any) -> Iterator[Any]:
        for name in value if isinstance(value, dict) else ():
            for pattern, inner in patterns.items():
                if _matches(pattern, name, unclear=False):
                    yield from validator.descend(value[name], inner, path=name, schema_path=pattern)

    def multiple_of(validator: Any, step: float, value: Any, schema: Any) -> Iterator[Any]:
        if validator.is_type(value, "number") and not _is_multiple(value, step):
            yield ValidationError(f"{value!r} is not a multiple of {step!r}")

    def others(keyword: str, known: Any) -> Any:
        def rule(validator: Any, wanted: Any, value: Any, schema: Any) -> Iterator[Any]:
            if isinstance(value, dict):
                names = set(known(validator, value, schema))
                rest = {name: inner for name, inner in value.items() if name not in names}
                yield from usual[keyword](validator, wanted, rest, {})

        return rule

    rules = {
        **{"pattern": pattern, "patternProperties": pattern_properties, "multipleOf": multiple_of},
        "additionalProperties": others("additionalProperties", _named),
        "unevaluatedProperties": others("unevaluatedProperties", _evaluated),
    }
    return validators.extend(Draft202012Validator, rules)


def _is_multiple(value: float, step: float) -> bool:
    """In exact decimals: jsonschema divides binary numbers, and takes 0.07 for no multiple of 0.01."""
    return abs(value) != math.inf and Fraction(repr(value)) % Fraction(repr(step)) == 0


def _matches(pattern: str, text: str, unclear: bool) -> bool:
    """Whether a text contains a match; `unclear` where the machine doesn't follow the pattern."""
    try:
        return reads(pattern, text)
    except SchemaError:
        return unclear


def _named(validator: Any, value: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """The members of an object that `properties` or `patternProperties` speak of."""
    patterns = schema.get("patternProperties", ())
    for name in value:
        if name in schema.get("properties", ()) or any(_matches(pattern, name, unclear=True) for pattern in patterns):
            yield name


def _evaluated(validator: Any, value: Mapping[str, Any], schema: Any) -> Iterator[str]:
    """The members that anything in a schema speaks of but for its own `unevaluatedProperties`."""
    yield from _named(validator, value, schema)
    if "additionalProperties" in schema:
        yield from value
    parts = [part for keyword in ("allOf", "anyOf", "oneOf") for part in schema.get(keyword, ())]
    parts += [part for name, part in schema.get("dependentSchemas", {}).items() if name in value]
    if "if" in schema:
        holds = validator.evolve(schema=schema["if"]).is_valid(value)
        parts += [schema["if"], schema.get("then" if holds else "else", True)]
    for part in parts:
        if isinstance(part, dict) and validator.evolve(schema=part).is_valid(value):
            yield from value if "unevaluatedProperties" in part else _evaluated(validator, value, part)
