"""JSON Schema as the readers of all languages put it together.

object_of({"a": STRING}, ["a"])       {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
choice(["c", "f"])                    {"type": "string", "enum": ["c", "f"]}
any_of([INTEGER, NULL])               {"anyOf": [{"type": "integer"}, {"type": "null"}]}
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

JSONSchema = dict[str, Any]

KINDS: Mapping[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
"""The type of a value → what JSON Schema calls it."""

STRING: JSONSchema = {"type": "string"}
INTEGER: JSONSchema = {"type": "integer"}
NUMBER: JSONSchema = {"type": "number"}
NULL: JSONSchema = {"type": "null"}


def object_of(properties: JSONSchema, required: Collection[str] = (), **more: Any) -> JSONSchema:
    """The schema of an object; of what else is said, that which is empty is left out.

    >>> object_of({"a": STRING}, title="")
    {'type': 'object', 'properties': {'a': {'type': 'string'}}}
    """
    said = {"required": list(required), **more}
    return {"type": "object", "properties": properties, **{key: value for key, value in said.items() if value}}


def array_of(items: JSONSchema) -> JSONSchema:
    """The schema of a list of any length; items of which nothing is known are left out."""
    return {"type": "array", "items": items} if items else {"type": "array"}


def choice(values: Iterable[Any]) -> JSONSchema:
    """One of some values, as they were written; with their type, where they have one.

    >>> choice([1, 2, 1]), choice(["a", True])
    ({'type': 'integer', 'enum': [1, 2, 1]}, {'enum': ['a', True]})
    """
    kept = list(values)
    kinds = {KINDS.get(type(value)) for value in kept}
    kind = kinds.pop() if len(kinds) == 1 else None
    return {"type": kind, "enum": kept} if kind else {"enum": kept}


def with_null(schema: JSONSchema) -> JSONSchema:
    """The schema with null allowed too, as `= None` asks."""
    return schema if NULL in schema.get("anyOf", ()) else any_of([schema, NULL])


def any_of(schemas: Iterable[JSONSchema]) -> JSONSchema:
    """One schema for all: nested ones flattened, equal ones once, `Any` in place of all.

    >>> any_of([{"const": 1}, {"const": True}, {"const": 1}])
    {'anyOf': [{'const': 1}, {'const': True}]}
    """
    distinct: dict[str, JSONSchema] = {}
    for schema in schemas:
        for part in schema["anyOf"] if set(schema) == {"anyOf"} else [schema]:
            distinct.setdefault(json.dumps(part, sort_keys=True), part)  # in Python 1 == True, in JSON they differ
    flat = list(distinct.values())
    if {} in flat:
        return {}
    return flat[0] if len(flat) == 1 else {"anyOf": flat}
