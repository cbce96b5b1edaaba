"""What TypeScript makes of types: `A | B`, `A & B`, `extends`, Record, Partial, Required, Pick, Omit, NonNullable.

"c" | "f"                      {"type": "string", "enum": ["c", "f"]}
("x" | 1) & string             {"allOf": [{"enum": ["x", 1]}, {"type": "string"}]}
{ a: A } & { b: B }            {"type": "object", "properties": {"a": …, "b": …}, "required": ["a", "b"]}
Record<"lo" | "hi", number>    {"type": "object", "properties": {"lo": …, "hi": …}, "required": ["lo", "hi"]}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tooldec.signatures.schemas import KINDS, NULL, NUMBER, STRING, JSONSchema, any_of, array_of, choice, object_of

_DIGITS = r"^(0|[1-9]\d*)$"  # the names that `[id: number]` has
_EMPTY: JSONSchema = {"type": "object", "properties": {}}
_OBJECT = frozenset(("type", "properties", "required", "additionalProperties", "patternProperties"))


def union(options: list[JSONSchema]) -> JSONSchema:
    """`"c" | "f"` is one enum; constants beside types stay options."""
    constants = [option["const"] for option in options if set(option) == {"const"}]
    others = [option for option in options if set(option) != {"const"}]
    if constants:
        if set(map(type, constants)) == {bool} and len(set(constants)) == 2:
            others.insert(0, {"type": "boolean"})
        else:
            others.insert(0, choice(constants))
    return any_of(others)


def intersection(one: JSONSchema, other: JSONSchema) -> JSONSchema | None:
    """What is of both types; None where nothing is.

    >>> intersection({"type": "number"}, {"type": "integer", "enum": [1, 2]})
    {'type': 'integer', 'enum': [1, 2]}
    >>> intersection({"type": "number"}, {"type": "string"}) is None
    True
    """
    one, other = (union([_plain(schema)]) for schema in (one, other))
    if not one or not other or repr(one) == repr(other):  # in Python 1 == True
        return one or other
    kinds = {one.get("type"), other.get("type")}
    if one.keys() <= _OBJECT and other.keys() <= _OBJECT and kinds == {"object"}:
        return _merged(one, other)
    for some, narrower in ((one, other), (other, one)):
        within = some.get("type") == narrower.get("type") or (some, narrower.get("type")) == (NUMBER, "integer")
        anything = some == _EMPTY and kinds - {"object", "null", None}  # `string & {}` is string
        if anything or (within and some.keys() == {"type"}):
            return narrower
    if len(kinds) == 2 and None not in kinds and kinds != {"number", "integer"}:
        return None
    return {"allOf": [*_parts(one), *_parts(other)]}


def inherited(parent: JSONSchema, own: JSONSchema) -> JSONSchema:
    """`interface Own extends Parent`: all that both have; what both name is the own one."""
    others = _others(own)
    return _joined(parent, own, {}, _others(parent) if others is None else others)


def declared_again(one: JSONSchema, other: JSONSchema) -> JSONSchema | None:
    """Two declarations of one interface: all that both have; None where they give one property two types."""
    shared = one.get("properties", {}).keys() & other.get("properties", {}).keys()
    if any(repr(_plain(one["properties"][name])) != repr(_plain(other["properties"][name])) for name in shared):
        return None
    return inherited(one, other)


def record(keys: JSONSchema, values: JSONSchema) -> JSONSchema | None:
    """`Record<K, V>`, `{ [key: K]: V }`; None where keys are neither texts nor numbers.

    >>> record({"type": "string", "enum": ["lo"]}, {"type": "number"})
    {'type': 'object', 'properties': {'lo': {'type': 'number'}}, 'required': ['lo']}
    """
    keys = union([_plain(keys)])
    options = [_plain(option) for option in keys.get("anyOf", [keys])]
    if any(option in ({}, {"type": "string"}) for option in options):
        return {"type": "object", **({"additionalProperties": values} if values else {})}
    if all(option in (NUMBER, {"type": "integer"}) for option in options):
        return {"type": "object", "patternProperties": {_DIGITS: values}, "additionalProperties": False}
    names = [name for option in options for name in option.get("enum", [None])]
    if not all(type(name) in (str, int) for name in names):
        return None
    properties = {str(name): values for name in names}
    return object_of(properties, properties)


def partial(schema: JSONSchema) -> JSONSchema:
    """The objects of a type, none of whose properties is needed."""
    return _each(schema, lambda part: {key: value for key, value in part.items() if key != "required"})


def required(schema: JSONSchema) -> JSONSchema:
    """The objects of a type, all of whose properties are needed."""
    return _each(
        schema, lambda part: {**part, "required": list(part["properties"])} if part.get("properties") else part
    )


def picked(schema: JSONSchema, keys: JSONSchema, others: bool = False) -> JSONSchema | None:
    """`Pick<T, K>`, or `Omit<T, K>`, which keeps the others; None where keys are no texts or T has no properties.

    >>> picked({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}, {"const": "a"}, others=True)
    {'type': 'object', 'properties': {'b': {}}}
    """
    keys = union([_plain(keys)])
    names = keys.get("enum", ())
    if not names or not all(isinstance(name, str) for name in names):
        return None
    if "anyOf" in schema:
        parts = [picked(part, keys, others) for part in schema["anyOf"]]
        return None if None in parts else {**schema, "anyOf": parts}
    known = schema.get("properties", {})
    if not schema.keys() <= {*_OBJECT, "description"} or not (others or known.keys() >= set(names)):
        return None
    kept = {name: part for name, part in known.items() if (name in names) is not others}
    needed = [name for name in schema.get("required", ()) if name in kept]
    rest = {key: value for key, value in schema.items() if key not in ("properties", "required")}
    return {**rest, "properties": kept} | ({"required": needed} if needed else {})


def non_nullable(schema: JSONSchema) -> JSONSchema | None:
    """A type without null; None where nothing is left."""
    if _plain(schema) == NULL:
        return None
    for key in ("anyOf", "allOf"):
        if key in schema:
            kept = [part for part in map(non_nullable, schema[key]) if part is not None]
            if not kept or (key == "allOf" and len(kept) < len(schema[key])):
                return None
            rest = {name: value for name, value in schema.items() if name != key}
            return {**(any_of(kept) if key == "anyOf" else {key: kept}), **rest}
    return schema


def excluded(schema: JSONSchema, other: JSONSchema, others: bool = True) -> JSONSchema | None:
    """`Exclude<T, U>`, or `Extract<T, U>`, which keeps what is of U, too; None where nothing is left.

    >>> excluded({"type": "string", "enum": ["a", "b"]}, {"const": "a"})
    {'type': 'string', 'enum': ['b']}
    """
    left_out = [union([one]) for one in _options(other)]
    kept = []
    for one in _options(schema):
        known = union([one])
        within = any(repr(known) == repr(out) or out == {"type": known.get("type", "")} for out in left_out)
        if within is not others:
            kept.append(one)
    return union(kept) if kept else None


def keys_of(schema: JSONSchema) -> JSONSchema | None:
    """`keyof T`; None where T has no properties."""
    names = schema.get("properties", {})
    if not names or _others(schema) is not None:
        return STRING if schema.get("type") == "object" and not names else None
    return union([{"const": name} for name in names])


def indexed(schema: JSONSchema, keys: JSONSchema) -> JSONSchema | None:
    """`T["name"]`, `T[number]`; None where T has no such part.

    >>> indexed({"properties": {"a": {"type": "string"}}}, {"const": "a"})
    {'type': 'string'}
    """
    if keys == NUMBER and schema.get("type") == "array":
        return union(schema["prefixItems"]) if "prefixItems" in schema else schema.get("items", {})
    names = union([_plain(keys)]).get("enum", ())
    known = schema.get("properties", {})
    return union([known[name] for name in names]) if names and known.keys() >= set(names) else None


def type_of(value: Any, fixed: bool) -> JSONSchema:
    """`typeof UNITS`: the type of a constant; `fixed` are the values of one `as const`.

    >>> type_of([1], fixed=False)
    {'type': 'array', 'items': {'type': 'number'}}
    """
    if isinstance(value, list) and not fixed:
        return array_of(union([type_of(one, fixed) for one in value]) if value else {})
    if isinstance(value, list):
        return {"type": "array", "prefixItems": [type_of(one, fixed) for one in value], "items": False}
    if isinstance(value, dict):
        properties = {name: type_of(one, fixed) for name, one in value.items()}
        return object_of(properties, properties)
    if value is None:
        return NULL
    kind = KINDS[type(value)]
    return {"const": value} if fixed else {"type": "number" if kind == "integer" else kind}


def is_object(schema: JSONSchema) -> bool:
    """Whether all values of a type are objects."""
    if "anyOf" in schema:
        return all(map(is_object, schema["anyOf"]))
    return schema.get("type") == "object" or any(map(is_object, schema.get("allOf", ())))


def _plain(schema: JSONSchema) -> JSONSchema:
    """Without the words that belong to one type only, not to what is made of it."""
    return {key: value for key, value in schema.items() if key != "description"}


def _parts(schema: JSONSchema) -> list[JSONSchema]:
    parts: list[JSONSchema] = schema["allOf"] if set(schema) == {"allOf"} else [schema]
    return parts


def _options(schema: JSONSchema) -> list[JSONSchema]:
    """The types of a union, each value of an enum by itself."""
    if "anyOf" in schema:
        return [one for part in schema["anyOf"] for one in _options(part)]
    schema = _plain(schema)
    return (
        [{"const": value} for value in schema["enum"]]
        if schema.keys() <= {"type", "enum"} and "enum" in schema
        else [schema]
    )


def _each(schema: JSONSchema, change: Callable[[JSONSchema], JSONSchema]) -> JSONSchema:
    for key in ("anyOf", "allOf"):
        if key in schema:
            return {**schema, key: [_each(part, change) for part in schema[key]]}
    return change(schema)


def _others(schema: JSONSchema) -> JSONSchema | None:
    """The type of the properties without names; None where there are none. A bare `object` has any."""
    others = schema.get("additionalProperties", None if "properties" in schema else {})
    return None if others is False else others


def _merged(one: JSONSchema, other: JSONSchema) -> JSONSchema | None:
    """An object of both types; a property that has a name isn't one of `[key: string]: T`, as people mean it."""
    shared: dict[str, JSONSchema] = {}
    for name, schema in one.get("properties", {}).items():
        if name in other.get("properties", {}):
            more = other["properties"][name]
            both = intersection(schema, more)
            if both is None:
                return None
            words = schema.get("description") or more.get("description")
            shared[name] = {**both, "description": words} if words else both
    here, there = _others(one), _others(other)
    if here is None or there is None:
        return _joined(one, other, shared, there if here is None else here)
    both = intersection(here, there)
    return None if both is None else _joined(one, other, shared, both)


def _joined(one: JSONSchema, other: JSONSchema, shared: dict[str, JSONSchema], others: JSONSchema | None) -> JSONSchema:
    """The object that has the properties of both types, and `others` for those without names."""
    named = {**one.get("properties", {}), **other.get("properties", {}), **shared}
    needed = list(dict.fromkeys([*one.get("required", ()), *other.get("required", ())]))
    patterns = {**one.get("patternProperties", {}), **other.get("patternProperties", {})}
    found = object_of(named, needed)
    found |= {"patternProperties": patterns, "additionalProperties": False} if patterns else {}
    return found if others is None else {**found, "additionalProperties": others}
