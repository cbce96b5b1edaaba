"""Schemas that contradict themselves in a way of which is known what was meant: an `enum` beside another `type`.

{"type": "integer", "enum": ["1", "2", "dontcare"]}      the values are meant, `type` isn't
{"type": "array", "enum": ["a", "b"]}                    the values are those of its items: `enum` isn't meant so
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tooldec.arguments.document import Document
from tooldec.arguments.facts import Spot, kind_of
from tooldec.arguments.statements import kinds_of
from tooldec.tools import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_ONES, Schema


def settled(schema: Schema, spot: Spot, doc: Document) -> Schema:
    """A schema without the keyword that wasn't meant, where the writing is relaxed: a warning tells which that is."""
    keyword = _unmeant(schema) if doc.writing.relax else None
    if keyword is None:
        return schema
    doc.refuse(keyword, "no value of `enum` is of the type beside it", spot)
    return {name: value for name, value in schema.items() if name != keyword}


def settled_all(schema: Any) -> Any:
    """The same of a schema and of all schemas in it, for who reads what has been written.

    >>> settled_all({"properties": {"n": {"type": "integer", "enum": ["1", "dontcare"]}}})
    {'properties': {'n': {'enum': ['1', 'dontcare']}}}
    """
    if not isinstance(schema, Mapping):
        return schema
    found = {name: value for name, value in schema.items() if name != _unmeant(schema)}
    for key, value in found.items():
        if key in SCHEMA_MAPS and isinstance(value, Mapping):
            found[key] = {name: settled_all(part) for name, part in value.items()}
        elif isinstance(value, list) and (key in SCHEMA_LISTS or key == "items"):
            found[key] = [settled_all(part) for part in value]
        elif key in SCHEMA_ONES:
            found[key] = settled_all(value)
    return found


def _unmeant(schema: Schema) -> str | None:
    values = schema.get("enum")
    if "type" not in schema or not isinstance(values, list) or not values:
        return None
    kinds = kinds_of(schema, Spot(schema, "$"))
    if any(kind_of(value) in kinds for value in values):
        return None
    return "enum" if kinds == {"array"} else "type"
