"""A schema in the words of the draft 2020-12, which validators know: earlier drafts and OpenAPI's as the machine reads.

{"type": "string", "nullable": true}                {"type": ["string", "null"]}
{"items": [A, B], "additionalItems": false}    →    {"prefixItems": [A, B], "items": false}
{"minimum": "3", "exclusiveMinimum": true}          {"exclusiveMinimum": 3}
{"$ref": "#/$defs/A", "maxLength": 2}               {"allOf": [A], "maxLength": 2}, or before 2019 A alone
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from tooldec.arguments.cases import dependencies, parts_of
from tooldec.arguments.document import Document
from tooldec.arguments.facts import Spot
from tooldec.arguments.opposites import opposites
from tooldec.arguments.references import DYNAMIC, REFERRING
from tooldec.arguments.statements import bound, contained, items_of, members_of, pattern_of, step_of, values_of
from tooldec.arguments.writing import DUMPS
from tooldec.tools import Schema

_ALIKE = frozenset(
    """minLength maxLength format minItems maxItems uniqueItems required minProperties maxProperties""".split()
)
_INSIDE = frozenset("not if then else propertyNames unevaluatedProperties unevaluatedItems".split())
_LISTS = ("allOf", "anyOf", "oneOf")

_Place = Callable[[Any], Any]


class _Part(dict[str, Any]):
    """A schema that may hold itself, and whose parts may be shared: written out it would have no end."""

    def __repr__(self) -> str:
        return "{…}"


def in_2020(schema: Any, root: Any = None) -> Any:
    """A schema with every reference in its place; `root` is the document that they point into, where that is another.

    Raises SchemaError where something can't be read. What the machine refuses isn't there, nor references of which
    the way to them says where they lead.

    >>> in_2020({"items": [{"type": "string", "nullable": True}]}) == {"prefixItems": [{"type": ["string", "null"]}]}
    True
    """
    doc = Document(schema if root is None else root, DUMPS, opposites)
    found: dict[int, _Part] = {}
    waiting: list[Schema] = []

    def place(schema: Any) -> Any:
        """Where a schema will stand; it may hold itself."""
        if not isinstance(schema, dict):
            return schema
        if id(schema) not in found:
            found[id(schema)] = _Part()
            waiting.append(schema)
        return found[id(schema)]

    whole = place(schema)
    while waiting:
        part = waiting.pop()
        found[id(part)].update(_said(part, doc, place))
    return whole


def _said(schema: Schema, doc: Document, place: _Place) -> dict[str, Any]:
    """What one schema says, those inside of it in their places."""
    spot = Spot(schema, "$")
    if "$ref" in schema and doc.draft <= 7:
        return {"allOf": [place(doc.references.target(schema, spot.path)[0])]}
    said: dict[str, Any] = {key: schema[key] for key in _ALIKE & schema.keys()}
    said |= {key: place(schema[key]) for key in _INSIDE & schema.keys()}
    said |= {key: [place(one.schema) for one in parts_of(schema, key, spot)] for key in _LISTS if key in schema}
    for keyword in REFERRING:
        if keyword in schema and (keyword not in DYNAMIC or not doc.scoped):
            target, _ = doc.references.target(schema, spot.path, keyword)
            said["allOf"] = [*said.get("allOf", ()), place(target)]
    if "type" in schema:
        kinds = schema["type"]
        named = kinds if isinstance(kinds, list) else [kinds]
        said["type"] = [*named, "null"] if schema.get("nullable") is True else kinds
    if schema.keys() & {"enum", "const"}:
        said["enum"] = values_of(schema, spot)
    for side in ("minimum", "maximum"):
        if (limit := bound(schema, side, spot)) is not None:
            said[f"exclusive{side.capitalize()}" if limit[1] else side] = _number(limit[0])
    if "multipleOf" in schema:
        said["multipleOf"] = _number(step_of(schema, spot))
    if "pattern" in schema:
        said["pattern"] = pattern_of(schema, spot)
    return said | _of_items(schema, spot, doc, place) | _of_members(schema, spot, doc, place)


def _of_items(schema: Schema, spot: Spot, doc: Document, place: _Place) -> dict[str, Any]:
    said: dict[str, Any] = {}
    items = items_of(schema, spot)
    if items.first:
        said["prefixItems"] = [place(one.schema) for one in items.first]
    if items.others is not None:
        said["items"] = place(items.others.schema)
    if "contains" in schema:
        said["contains"] = place(schema["contains"])
        low, high = contained(schema, spot)
        said |= {"minContains": low} | ({} if high is None else {"maxContains": high})
    return said


def _of_members(schema: Schema, spot: Spot, doc: Document, place: _Place) -> dict[str, Any]:
    said: dict[str, Any] = {}
    members = members_of(schema, spot)
    if members.named:
        said["properties"] = {name: place(one.schema) for name, one in members.named.items()}
    if members.patterns:
        said["patternProperties"] = {pattern: place(one.schema) for pattern, one in members.patterns}
    if members.others is not None:
        said["additionalProperties"] = place(members.others.schema)
    for name, needs in dependencies(schema, spot):
        if isinstance(needs, Spot):
            said.setdefault("dependentSchemas", {}).setdefault(name, {"allOf": []})["allOf"].append(place(needs.schema))
        else:
            said.setdefault("dependentRequired", {}).setdefault(name, []).extend(needs)
    return said


def _number(exact: Decimal) -> int | float:
    """A bound as JSON's readers have the values that are held against it."""
    return int(exact) if exact == exact.to_integral_value() else float(exact)
