"""Keywords that state a fact: one function for each, which reads it from a schema into fields of `Facts`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from tooldec.arguments.document import Document, wrong
from tooldec.arguments.facts import (
    KINDS,
    UNREACHED,
    Bound,
    Contains,
    Facts,
    Items,
    Members,
    Spot,
    tighter,
)
from tooldec.errors import SchemaError
from tooldec.states.memory import canonical
from tooldec.tools import Schema

TYPES: Mapping[str, frozenset[str]] = MappingProxyType(
    {kind: frozenset({kind}) for kind in KINDS if kind != "fraction"} | {"number": frozenset({"integer", "fraction"})}
)
"""JSON Schema's types as kinds of values."""

Fields = dict[str, Any]

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?", re.ASCII)


def stated(schema: Schema, spot: Spot, doc: Document) -> Facts:
    """What a schema's own keywords say, apart from its choices."""
    said: Fields = {}
    for keyword in schema:
        read = _READERS.get(keyword)
        if read is not None:
            read(schema[keyword], schema, spot, said, doc)
    return Facts(**said, path=spot.path) if said else Facts(path=spot.path)


def kinds_of(schema: Schema, spot: Spot) -> frozenset[str]:
    """The kinds that `type` and `nullable` leave."""
    given = schema.get("type", list(TYPES))
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list):
        raise wrong("type", "a name or a list of names", given, spot)
    found: set[str] = set()
    for name in names:
        if not isinstance(name, str) or name not in TYPES:
            message = f"the type {json.dumps(name)} is unknown"
            raise SchemaError(message, path=spot.path, keyword="type", fix=f"use {', '.join(sorted(TYPES))}")
        found |= TYPES[name]
    if not found:
        raise SchemaError("`type` is an empty list", path=spot.path, keyword="type")
    return frozenset(found | {"null"}) if schema.get("nullable") is True else frozenset(found)


def count(value: object, keyword: str, spot: Spot) -> int:
    """A whole number from 0 on."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise wrong(keyword, "a whole number from 0 on", value, spot)
    return value


def most(value: object, keyword: str, spot: Spot) -> int | None:
    """A greatest count; None where nobody reaches it."""
    high = count(value, keyword, spot)
    return high if high < UNREACHED else None


def decimal(value: object, keyword: str, spot: Spot) -> Decimal:
    """A number as it is written, or as it is held where that is another whole number: 1e23 is less than 10 to the 23.

    One that is written as a text, as some OpenAPI documents do, is meant as a number.
    """
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return Decimal(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SchemaError(f"`{keyword}` is a number", path=spot.path, keyword=keyword)
    return Decimal(repr(value)) if isinstance(value, float) and abs(value) < 2**53 else Decimal(value)


def bound(schema: Schema, side: str, spot: Spot) -> Bound | None:
    """The tightest of `minimum` and `exclusiveMinimum` (or the maxima); in draft 4 the latter is a flag."""
    inclusive, exclusive = side, f"exclusive{side.capitalize()}"
    closed, opened = schema.get(inclusive), schema.get(exclusive)
    found = None if closed is None else (decimal(closed, inclusive, spot), opened is True)
    if opened is None or isinstance(opened, bool):
        return found
    both: Bound = tighter("low" if side == "minimum" else "high", found, (decimal(opened, exclusive, spot), True))
    return both


def values_of(schema: Schema, spot: Spot) -> list[Any]:
    """The values that `enum`, `const` and `nullable` leave; true isn't 1."""
    values = schema.get("enum")
    if "enum" in schema and (not isinstance(values, list) or not values):
        raise SchemaError("`enum` is a list with at least one value", path=spot.path, keyword="enum")
    if "const" in schema:
        const = schema["const"]
        values = [const] if values is None or canonical(const) in map(canonical, values) else []
    assert values is not None
    return [*values, None] if schema.get("nullable") is True and None not in values else values


def items_of(schema: Schema, spot: Spot) -> Items:
    """`prefixItems` and `items`; in earlier drafts a list of `items`, and `additionalItems`."""
    first, others = schema.get("prefixItems", ()), schema.get("items")
    step, name = "prefixItems", "items"
    if isinstance(others, list):
        first, others = others, schema.get("additionalItems")
        step, name = "items", "additionalItems"
    if not isinstance(first, list | tuple):
        raise wrong(step, "a list of schemas", first, spot)
    spots = tuple(spot.at(item, f".{step}[{index}]") for index, item in enumerate(first))
    return Items(spots, None if others is None else spot.at(others, f".{name}"))


def members_of(schema: Schema, spot: Spot) -> Members:
    """`properties`, `patternProperties` and `additionalProperties`."""
    named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    for keyword, value in (("properties", named), ("patternProperties", patterns)):
        if not isinstance(value, Mapping):
            raise wrong(keyword, "an object of schemas", value, spot)
    others = schema.get("additionalProperties")
    return Members(
        {name: spot.at(inner, f".{name}") for name, inner in named.items()},
        tuple((pattern, spot.at(inner, f".patternProperties[{pattern}]")) for pattern, inner in patterns.items()),
        None if others is None else spot.at(others, ".additionalProperties"),
        declares="properties" in schema,
        explicit=others is not None,
    )


def names_of(value: object, keyword: str, spot: Spot) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise wrong(keyword, "a list of names", value, spot)
    return tuple(dict.fromkeys(value))


def step_of(schema: Schema, spot: Spot) -> Decimal:
    """`multipleOf`."""
    step = decimal(schema["multipleOf"], "multipleOf", spot)
    if step <= 0:
        raise wrong("multipleOf", "above 0", schema["multipleOf"], spot)
    return step


def pattern_of(schema: Schema, spot: Spot) -> str:
    """`pattern`."""
    pattern = schema["pattern"]
    if not isinstance(pattern, str):
        raise wrong("pattern", "a text", pattern, spot)
    return pattern


def contained(schema: Schema, spot: Spot) -> tuple[int, int | None]:
    """How many items are of the schema `contains`: `minContains` and `maxContains`."""
    high = schema.get("maxContains")
    low = count(schema.get("minContains", 1), "minContains", spot)
    return low, None if high is None else most(high, "maxContains", spot)


# ---- readers


def _type(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    said["kinds"] = kinds_of(schema, spot)


def _values(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    said["constants"] = tuple(values_of(schema, spot))


def _bound(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    said["low"], said["high"] = bound(schema, "minimum", spot), bound(schema, "maximum", spot)


def _multiple(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    said["multiples"] = ((step_of(schema, spot), True, isinstance(value, float)),)


def _counter(
    name: str, keyword: str, counted: Callable[[object, str, Spot], int | None] = count
) -> Callable[[Any, Schema, Spot, Fields, Document], None]:
    def read(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
        said[name] = counted(value, keyword, spot)

    return read


def _pattern(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    said["patterns"] = ((pattern_of(schema, spot), True),)


def _format(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    if not isinstance(value, str):
        raise wrong("format", "a text", value, spot)
    said["formats"] = ((value, True),)


def _items(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    said["items"] = (items_of(schema, spot),)


def _contains(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    said["contains"] = (Contains(spot.at(value, ".contains"), *contained(schema, spot)),)


def _unique(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    if not isinstance(value, bool):
        raise wrong("uniqueItems", "true or false", value, spot)
    said["unique"] = value


def _members(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    said["members"] = (members_of(schema, spot),)


def _required(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    said["required"] = names_of(value, "required", spot)


def _names(value: Any, schema: Schema, spot: Spot, said: Fields, doc: Document) -> None:
    said["names"] = (spot.at(value, ".propertyNames"),)


_Reader = Callable[[Any, Schema, Spot, Fields, Document], None]
_READERS: Mapping[str, _Reader] = {
    **dict.fromkeys(("type",), _type),
    **dict.fromkeys(("enum", "const"), _values),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _bound),
    **dict.fromkeys(("items", "prefixItems", "additionalItems"), _items),
    **dict.fromkeys(("properties", "patternProperties", "additionalProperties"), _members),
    "multipleOf": _multiple,
    "minLength": _counter("min_length", "minLength"),
    "maxLength": _counter("max_length", "maxLength", most),
    "pattern": _pattern,
    "format": _format,
    "minItems": _counter("min_items", "minItems"),
    "maxItems": _counter("max_items", "maxItems", most),
    "contains": _contains,
    "uniqueItems": _unique,
    "required": _required,
    "propertyNames": _names,
    "minProperties": _counter("min_members", "minProperties"),
    "maxProperties": _counter("max_members", "maxProperties", most),
}
