"""JSON Schema → grammar: what an argument may be (section 3.2, Figure 2).

Every keyword is enforced, carries no constraint, or is refused with its place and the reason; none is silently
ignored. `Writing` says how JSON is spaced and whether numbers may begin with +.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from tooldec.errors import SchemaError
from tooldec.grammar import EMPTY, Grammar, Literal, Sequence, Submachine, choice, sequence
from tooldec.literals import (
    BOOLEAN,
    FORMATS,
    NULL,
    STRING,
    integer,
    integers_between,
    json_character,
    number,
    quoted,
    string_of_format,
    string_of_length,
)
from tooldec.regex import from_regex
from tooldec.tools import Schema, type_name


@dataclass(frozen=True, slots=True, eq=False)
class Writing:
    """How values are written: what stands between items, what follows a key, and a leading + on numbers."""

    comma: Grammar
    colon: Grammar
    plus: bool = False
    open_objects: bool = False
    string: Grammar = STRING


POSITIONAL = Writing(sequence(b",", Literal(b" ").optional()), sequence(b":", Literal(b" ").optional()), plus=True)
"""Inside of `name(1, "x")`: at most one space after a separator."""

DUMPS = Writing(Literal(b", "), Literal(b": "))
"""As json.dumps writes."""

ANY_DEPTH = 5
"""How deep a value without a type may nest."""

LONGEST_COUNT = 256
"""The largest bound on the length of a string that is enforced: it is counted by states."""


def argument(schema: object, writing: Writing, path: str = "$", root: Schema | None = None) -> Grammar:
    """The JSON values that satisfy a schema.

    `path` is where the schema stands and `root` the document that `$ref` points into, for messages.
    Raises SchemaError naming the keyword that can't be enforced.
    """
    if not isinstance(schema, Mapping) or "$ref" in schema or "const" in schema:
        return _argument(schema, writing, path, root)
    try:  # tools share simple types by the thousand: what has no lists or schemas inside is built once
        key = (writing, frozenset(item for item in schema.items() if item[0] in _KEYWORDS))
        known = _simple.get(key)
    except TypeError:
        return _argument(schema, writing, path, root)
    if known is None:
        known = _argument(schema, writing, path, root)
        if len(_simple) < 10_000:
            _simple[key] = known
    return known


_simple: dict[object, Grammar] = {}


def _argument(schema: object, writing: Writing, path: str, root: Schema | None) -> Grammar:
    if schema is True or schema == {}:
        return _anything(writing, ANY_DEPTH)
    if schema is False:
        raise SchemaError("the schema `false` admits no value", path=path)
    if not isinstance(schema, Mapping):
        raise SchemaError(f"a schema is an object, not {json.dumps(schema)}", path=path)
    at = _Place(path, schema if root is None else root, writing)
    _check_keywords(schema, at)
    if "$ref" in schema:
        return _reference(schema, at)
    if "const" in schema:
        return _constants(schema, [schema["const"]], at)
    if "enum" in schema:
        return _constants(schema, schema["enum"], at)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return _union(schema, keyword, at)
    if "allOf" in schema:
        parts = schema["allOf"]
        if len(parts) == 1 and not _constraints(schema, {"allOf"}):
            return argument(parts[0], writing, f"{path}.allOf[0]", at.root)
        raise SchemaError("`allOf` with several parts isn't enforced yet", path=path, keyword="allOf")
    kinds = schema.get("type", _implied_type(schema))
    options = [_typed(kind, schema, at) for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    if schema.get("nullable") is True:
        options.append(_null(schema, at))
    if not options:
        raise SchemaError("`type` is an empty list", path=path, keyword="type")
    return choice(options)


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    path: str
    root: Schema
    writing: Writing


# ---- one function for each type


def _string(schema: Schema, at: _Place) -> Grammar:
    low, high = _bounds(schema, "minLength", "maxLength", at)
    if "pattern" in schema:
        if ("format" in schema and schema["format"] in FORMATS) or low or high is not None:
            raise _refused("pattern", "a pattern together with a length or a format isn't enforced yet", at)
        try:
            return quoted(from_regex(schema["pattern"], json_character, search=True), "PatternFSM")
        except SchemaError as error:
            raise SchemaError(error.message, path=at.path, keyword="pattern", fix=error.fix) from None
    form = schema.get("format")
    if form in FORMATS:
        if low or high is not None:
            raise _refused("format", "a format together with a length isn't enforced yet", at)
        return string_of_format(form)
    if form in _UNENFORCED_FORMATS:
        raise _refused("format", f"the format `{form}` isn't enforced yet", at)
    if low == 0 and high is None:
        return at.writing.string
    if max(low, high or 0) > LONGEST_COUNT:
        raise _refused("maxLength", f"lengths above {LONGEST_COUNT} aren't enforced yet", at)
    return string_of_length(low, high)


def _integer(schema: Schema, at: _Place) -> Grammar:
    if "multipleOf" in schema and schema["multipleOf"] != 1:
        raise _refused("multipleOf", "multiples aren't enforced yet", at)
    low, high = _limits(schema, at)
    if low is None and high is None:
        return integer(at.writing.plus)
    lowest = None if low is None else -int(-low // 1)  # round up
    highest = None if high is None else int(high // 1)
    if lowest is not None and highest is not None and lowest > highest:
        raise SchemaError(f"no integer is between {low} and {high}", path=at.path, keyword="minimum")
    return integers_between(lowest, highest, at.writing.plus)


def _number(schema: Schema, at: _Place) -> Grammar:
    for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
        if keyword in schema:
            raise _refused(keyword, "bounds on decimals aren't enforced yet", at)
    return number(at.writing.plus)


def _boolean(schema: Schema, at: _Place) -> Grammar:
    return BOOLEAN


def _null(schema: Schema, at: _Place) -> Grammar:
    return NULL


def _array(schema: Schema, at: _Place) -> Grammar:
    for keyword in ("uniqueItems", "contains", "minContains", "maxContains", "unevaluatedItems"):
        if schema.get(keyword):
            raise _refused(keyword, "items can't be compared with each other by a finite-state machine", at)
    low, high = _bounds(schema, "minItems", "maxItems", at)
    first = [
        argument(item, at.writing, f"{at.path}.prefixItems[{i}]", at.root)
        for i, item in enumerate(schema.get("prefixItems", ()))
    ]
    rest = schema.get("items", True)
    if rest is False:
        high = len(first) if high is None else min(high, len(first))
        other: Grammar = EMPTY
    else:
        other = argument(rest, at.writing, f"{at.path}.items", at.root)
    if high is not None and low > high:
        raise SchemaError("`minItems` is above `maxItems`", path=at.path, keyword="minItems")
    return sequence(b"[", items(first, other, low, high, at.writing.comma), b"]")


def items(first: list[Grammar], other: Grammar, low: int, high: int | None, comma: Grammar) -> Grammar:
    """low to high items, the first ones given, the others alike, with commas between."""
    if high == 0:
        return EMPTY
    if not first:
        least = max(low - 1, 0)
        some = sequence(other, sequence(comma, other).repeat(least, None if high is None else high - 1))
        return some if low else some.optional()
    size = len(first) if high is None else min(len(first), high)
    tail: Grammar = EMPTY
    if high is None or high > size:
        tail = sequence(comma, other).repeat(max(low - size, 0), None if high is None else high - size)
    for index in range(size - 1, -1, -1):
        item: Grammar = first[index] if index == 0 else sequence(comma, first[index])
        tail = sequence(item, tail)
        if index >= low:
            tail = tail.optional()
    return tail


def _object(schema: Schema, at: _Place) -> Grammar:
    properties: Mapping[str, Any] = schema.get("properties", {})
    values = {name: argument(inner, at.writing, f"{at.path}.{name}", at.root) for name, inner in properties.items()}
    return object_of(schema, values, at.writing, at.path, at.root)


def object_of(
    schema: Schema, values: Mapping[str, Grammar], writing: Writing, path: str = "$", root: Schema | None = None
) -> Grammar:
    """An object whose declared properties are written as `values` say, in the schema's order."""
    at = _Place(path, schema if root is None else root, writing)
    _check_keywords(schema, at)
    for keyword in _OBJECT_LIMITS:
        if keyword in schema:
            raise _refused(keyword, f"`{keyword}` isn't enforced yet", at)
    required = list(schema.get("required", ()))
    for name in required:
        if name not in values:
            raise SchemaError(f"`{name}` is required but not declared in `properties`", path=path, keyword="required")
    others = schema.get("additionalProperties", writing.open_objects or "properties" not in schema)
    if others is not False and values:
        raise _refused("additionalProperties", "properties beside the declared ones aren't enforced yet", at)
    if others is not False:
        if others is True or others == {}:
            value = _anything(writing, ANY_DEPTH - 1)
        else:
            value = argument(others, writing, f"{path}.additionalProperties", at.root)
        member = sequence(writing.string, writing.colon, value)
        return sequence(b"{", items([], member, 0, None, writing.comma), b"}")
    members = [
        (sequence(json.dumps(name, ensure_ascii=False).encode(), writing.colon, value), name in required)
        for name, value in values.items()
    ]
    return sequence(b"{", in_order(members, writing.comma), b"}")


_OBJECT_LIMITS = (
    *("minProperties", "maxProperties", "patternProperties", "propertyNames"),
    *("dependentRequired", "dependentSchemas", "unevaluatedProperties"),
)


def in_order(members: Iterable[tuple[Grammar, bool]], comma: Grammar) -> Grammar:
    """Members in their order with commas between; those that aren't required may be left out."""
    first: Grammar = EMPTY  # what may follow where nothing has been written, and where something has
    later: Grammar = EMPTY
    for member, needed in reversed(list(members)):
        first_with, later_with = sequence(member, later), sequence(comma, member, later)
        first = first_with if needed else choice([first_with, first])
        later = later_with if needed else choice([later_with, later])
    return first


ARGUMENT_TYPES: Mapping[str, Callable[[Schema, _Place], Grammar]] = MappingProxyType(
    {
        "string": _string,
        "integer": _integer,
        "number": _number,
        "boolean": _boolean,
        "null": _null,
        "array": _array,
        "object": _object,
    }
)
"""JSON Schema's types."""


CONSTRAINTS: Mapping[str, str] = MappingProxyType(
    {
        "string": "minLength maxLength pattern format",
        "integer": "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
        "array": "items prefixItems minItems maxItems uniqueItems contains minContains maxContains unevaluatedItems",
        "object": "properties required additionalProperties patternProperties propertyNames minProperties"
        " maxProperties dependentRequired dependentSchemas unevaluatedProperties",
        "any": "type enum const anyOf oneOf allOf nullable $ref",
    }
)
"""Keywords that constrain values, by type."""

_KNOWN = frozenset(" ".join(CONSTRAINTS.values()).split())
_REFUSED = {
    "not": "a schema's complement isn't built",
    "if": "conditions aren't built",
    "then": "conditions aren't built",
    "else": "conditions aren't built",
    "$dynamicRef": "dynamic references aren't followed",
    "dependencies": "conditions between properties aren't built",
    "contentEncoding": "encoded content isn't checked",
    "contentMediaType": "encoded content isn't checked",
}
_KEYWORDS = _KNOWN | _REFUSED.keys()
_UNENFORCED_FORMATS = (
    "hostname",
    "ipv6",
    "uri",
    "iri",
    "uri-reference",
    "idn-email",
    "json-pointer",
    "regex",
)
_BY_KEYWORD = {
    keyword: kind for kind in ("string", "array", "object", "integer") for keyword in CONSTRAINTS[kind].split()
}


def _typed(kind: object, schema: Schema, at: _Place) -> Grammar:
    if not isinstance(kind, str) or kind not in ARGUMENT_TYPES:
        known = ", ".join(ARGUMENT_TYPES)
        raise SchemaError(f"the type {json.dumps(kind)} is unknown", path=at.path, keyword="type", fix=f"use {known}")
    return ARGUMENT_TYPES[kind](schema, at)


def _implied_type(schema: Schema) -> list[str]:
    """The types of a schema that names none: those that its keywords speak of, else every one."""
    kinds = {_BY_KEYWORD[keyword] for keyword in schema if keyword in _BY_KEYWORD}
    if kinds == {"integer"}:
        return ["number"]
    return list(kinds) if len(kinds) == 1 else list(ARGUMENT_TYPES)


def _check_keywords(schema: Schema, at: _Place) -> None:
    for keyword in schema:
        if keyword in _REFUSED:
            raise _refused(keyword, _REFUSED[keyword], at)


def _constraints(schema: Schema, but: set[str]) -> list[str]:
    return [keyword for keyword in schema if keyword in _KNOWN and keyword not in but]


def _constants(schema: Schema, values: list[Any], at: _Place) -> Grammar:
    if not isinstance(values, list) or not values:
        raise SchemaError("`enum` is a list with at least one value", path=at.path, keyword="enum")
    kind = schema.get("type")
    kinds = [kind] if isinstance(kind, str) else kind
    fitting = [v for v in values if kinds is None or any(_is_type(v, k) for k in kinds)]
    other = _constraints(schema, {"enum", "const", "type", "nullable"})
    if other and other != ["format"]:
        raise _refused(other[0], f"`{other[0]}` together with `enum` isn't enforced yet", at)
    if schema.get("nullable") is True and None not in fitting:
        fitting.append(None)
    if not fitting:
        raise SchemaError(f"no value of `enum` is of type {kind}", path=at.path, keyword="enum")
    return Submachine("EnumFSM", choice([_constant(v, at.writing) for v in fitting]))


def _constant(data: object, writing: Writing) -> Grammar:
    if isinstance(data, dict):
        members = [
            (
                sequence(json.dumps(key, ensure_ascii=False).encode(), writing.colon, _constant(inner, writing)),
                True,
            )
            for key, inner in data.items()
        ]
        return sequence(b"{", in_order(members, writing.comma), b"}")
    if isinstance(data, list):
        parts = [(_constant(item, writing), True) for item in data]
        return sequence(b"[", in_order(parts, writing.comma), b"]")
    return Literal(json.dumps(data, ensure_ascii=False).encode())


def _is_type(data: object, kind: str) -> bool:
    if isinstance(data, bool):
        return kind == "boolean"
    if isinstance(data, int | float):
        return kind == "number" or (kind == "integer" and float(data).is_integer())
    kinds = {str: "string", list: "array", dict: "object", type(None): "null"}
    return kinds.get(type(data)) == kind


def _union(schema: Schema, keyword: str, at: _Place) -> Grammar:
    other = _constraints(schema, {keyword, "nullable"})
    if other and other != ["type"]:
        raise _refused(other[0], f"`{other[0]}` beside `{keyword}` isn't enforced yet", at)
    parts = schema[keyword]
    if not isinstance(parts, list) or not parts:
        raise SchemaError(f"`{keyword}` is a list with at least one schema", path=at.path, keyword=keyword)
    options = [argument(part, at.writing, f"{at.path}.{keyword}[{index}]", at.root) for index, part in enumerate(parts)]
    if keyword == "oneOf" and len({type_name(part) for part in parts}) < len(parts):
        raise _refused("oneOf", "options of the same type can't be told apart yet", at)
    return choice(options)


def _reference(schema: Schema, at: _Place) -> Grammar:
    raise _refused("$ref", "references aren't followed yet", at)


@cache
def _anything(writing: Writing, depth: int) -> Grammar:
    """Any JSON value, nested at most this deep."""
    scalars: list[Grammar] = [writing.string, number(writing.plus), BOOLEAN, NULL]
    if depth == 0:
        return choice(scalars)
    inner = _anything(writing, depth - 1)
    member = Sequence((writing.string, writing.colon, inner))
    return choice(
        [
            *scalars,
            sequence(b"[", items([], inner, 0, None, writing.comma), b"]"),
            sequence(b"{", items([], member, 0, None, writing.comma), b"}"),
        ]
    )


def _limits(schema: Schema, at: _Place) -> tuple[float | None, float | None]:
    lows: list[float] = []
    highs: list[float] = []
    for keyword, side, step in (
        ("minimum", lows, 0), ("exclusiveMinimum", lows, 1), ("maximum", highs, 0), ("exclusiveMaximum", highs, -1),
    ):  # fmt: skip
        bound = schema.get(keyword)
        if isinstance(bound, bool) or bound is None:
            continue
        if not isinstance(bound, int | float):
            raise SchemaError(f"`{keyword}` is a number", path=at.path, keyword=keyword)
        whole = float(bound).is_integer()
        side.append(int(bound) + step if whole else bound)
    return max(lows, default=None), min(highs, default=None)


def _bounds(schema: Schema, least: str, most: str, at: _Place) -> tuple[int, int | None]:
    low, high = schema.get(least, 0), schema.get(most)
    for keyword, bound in ((least, low), (most, high)):
        if bound is not None and (isinstance(bound, bool) or not isinstance(bound, int) or bound < 0):
            raise SchemaError(f"`{keyword}` is a whole number from 0 on", path=at.path, keyword=keyword)
    if high is not None and low > high:
        raise SchemaError(f"`{least}` is above `{most}`", path=at.path, keyword=least)
    return low, high


def _refused(keyword: str, reason: str, at: _Place) -> SchemaError:
    return SchemaError(reason, path=at.path, keyword=keyword, fix=f"leave `{keyword}` out or say it in the description")
