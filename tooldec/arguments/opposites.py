"""The opposite of a schema, keyword by keyword: a value fails it by failing one of its keywords.

not {"type": "string", "minLength": 3}  ->  no string at all,  or a string of at most 2 characters
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tooldec.arguments.cases import (
    any_value,
    cases,
    cases_of_all,
    dependencies,
    multiply,
    of_if,
    of_not,
    of_reference,
    parts_of,
    without,
)
from tooldec.arguments.document import Document
from tooldec.arguments.facts import ANY, KINDS, UNREACHED, Contains, Facts, Items, Members, Some, Spot
from tooldec.arguments.formats import FORMATS, WIDEST
from tooldec.arguments.keywords import CONSTRAINING
from tooldec.arguments.references import REFERRING
from tooldec.arguments.statements import (
    bound,
    contained,
    count,
    items_of,
    kinds_of,
    members_of,
    most,
    names_of,
    pattern_of,
    step_of,
    values_of,
)
from tooldec.errors import SchemaError
from tooldec.tools import Schema


def opposites(spot: Spot, doc: Document) -> list[Facts]:
    """The cases of values that don't satisfy a schema."""
    schema = spot.schema
    if schema is True or schema == {}:
        return []
    if schema is False:
        return [ANY]
    if not isinstance(schema, Mapping):
        raise SchemaError("a schema is an object", path=spot.path)
    if "$ref" in schema and doc.draft <= 7:
        return of_reference("$ref")(schema, spot, doc)
    found: list[Facts] = []
    read: set[object] = set()
    for keyword in schema:
        opposite = _OPPOSITES.get(keyword)
        if opposite is None and keyword in CONSTRAINING and keyword not in _SILENT:
            raise _not_built(keyword, spot)
        if opposite is not None and opposite not in read:
            read.add(opposite)
            found += opposite(schema, spot, doc)
    if not found and schema.get("uniqueItems") is True:
        raise _not_built("uniqueItems", spot)
    return found


_SILENT = ("then", "else", "nullable", "uniqueItems")
"""By these alone nothing fails; what fails `uniqueItems`, a list with something twice, isn't written."""


def _not_built(keyword: str, spot: Spot) -> SchemaError:
    return SchemaError(f"the opposite of `{keyword}` isn't built", path=spot.path, keyword="not")


def _wanted(spot: Spot) -> Spot:
    return replace(spot, wanted=True)


def _only(kinds: set[str], spot: Spot, **said: Any) -> Facts:
    return Facts(kinds=frozenset(kinds), path=spot.path, **said)


def _type(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    left = KINDS - kinds_of(schema, spot)
    return [_only(set(left), spot)] if left else []


def _values(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    values = values_of(schema, spot)
    plain = [Facts(excluded=tuple(v for v in values if not isinstance(v, list | dict)), path=spot.path)]
    nested = [spot.at(_exactly(value), "") for value in values if isinstance(value, list | dict)]
    return multiply(plain, cases_of_all(nested, doc), spot, doc) if nested else plain


def _exactly(value: list[Any] | dict[str, Any]) -> Schema:
    """A schema of one array or object alone, in words whose opposite is built.

    >>> _exactly({"a": 1})
    {'type': 'object', 'properties': {'a': {'const': 1}}, 'required': ['a'], 'maxProperties': 1}
    """
    if isinstance(value, list):
        items = {"prefixItems": [{"const": one} for one in value]} if value else {}
        return {"type": "array", **items, "minItems": len(value), "maxItems": len(value)}
    members = {name: {"const": one} for name, one in value.items()}
    return {"type": "object", "properties": members, "required": list(value), "maxProperties": len(value)}


def _bounds(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    low, high = bound(schema, "minimum", spot), bound(schema, "maximum", spot)
    numbers = {"integer", "fraction"}
    found = [_only(numbers, spot, high=(low[0], not low[1]))] if low else []
    return found + ([_only(numbers, spot, low=(high[0], not high[1]))] if high else [])


def _multiple(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    step = step_of(schema, spot)
    return [_only({"integer", "fraction"}, spot, multiples=((step, False, isinstance(schema["multipleOf"], float)),))]


def _below(low: int) -> int | None:
    """The greatest count that isn't so many; None where all are."""
    return low - 1 if low < UNREACHED else None


def _least(keyword: str, kind: str, name: str) -> Callable[[Schema, Spot, Document], list[Facts]]:
    def opposite(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
        low = count(schema[keyword], keyword, spot)
        return [_only({kind}, spot, **{name: _below(low)})] if low else []

    return opposite


def _most(keyword: str, kind: str, name: str) -> Callable[[Schema, Spot, Document], list[Facts]]:
    def opposite(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
        high = most(schema[keyword], keyword, spot)
        return [] if high is None else [_only({kind}, spot, **{name: high + 1})]

    return opposite


def _pattern(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    return [_only({"string"}, spot, patterns=((pattern_of(schema, spot), False),))]


def _format(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    name = schema["format"]
    if name not in FORMATS:
        return []
    if name not in WIDEST:
        raise SchemaError(f"the opposite of the format `{name}` isn't built", path=spot.path, keyword="not")
    return [_only({"string"}, spot, formats=((name, False),))]


def _items(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    items = items_of(schema, spot)
    found = [
        _only({"array"}, spot, min_items=index + 1, items=(Items((*[_any(spot)] * index, item), None),))
        for index, item in enumerate(items.first)
        if not _free(item)
    ]
    if items.others is not None and not _free(items.others):
        if items.first and items.others.schema is not False:
            raise SchemaError("the opposite of `items` behind `prefixItems` isn't built", path=spot.path, keyword="not")
        if items.first:
            found.append(_only({"array"}, spot, min_items=len(items.first) + 1))
        else:
            found.append(_only({"array"}, spot, contains=(Contains(items.others, 1, None),)))
    return found


def _any(spot: Spot) -> Spot:
    return spot.at(True, "", wanted=True)


def _contains(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    if "contains" not in schema:  # alone, the others say nothing
        return []
    low, high = contained(schema, spot)
    inner = spot.at(schema["contains"], ".contains", wanted=True)
    found: list[Facts] = []
    if low == 1:
        found.append(_only({"array"}, spot, items=(Items((), replace(inner, wanted=False)),)))
    elif low:
        found.append(_only({"array"}, spot, contains=(Contains(inner, 0, _below(low)),)))
    if high is not None:
        found.append(_only({"array"}, spot, contains=(Contains(inner, high + 1, None),)))
    return found


def _members(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    """Some member fails: a declared one, one whose name a pattern matches, or another."""
    members = members_of(schema, spot)
    found: list[Facts] = []
    kept: dict[str, Spot] = {}  # constants tell objects apart: one is no case of a later one, too
    for name, inner in members.named.items():
        if not _free(inner):
            found.append(_only({"object"}, spot, required=(name,), members=(Members({**kept, name: inner}),)))
        if isinstance(inner.schema, Mapping) and inner.schema.keys() & {"const", "enum"}:
            kept[name] = _wanted(inner)
    nothing = spot.at(False, "", wanted=True)
    some = [Members({}, ((pattern, inner),), nothing) for pattern, inner in members.patterns if not _free(inner)]
    if members.others is not None and not _free(members.others):
        barred = tuple((pattern, nothing) for pattern, _ in members.patterns)
        some.append(Members(dict.fromkeys(members.named, nothing), barred, members.others))
    return found + [_only({"object"}, spot, members=(Members(kept),), some=(Some(one),)) for one in some]


def _free(spot: Spot) -> bool:
    """Whether every value is of the schema whose opposite this is."""
    return any_value(_wanted(spot))


def _required(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    names = names_of(schema["required"], "required", spot)
    return [replace(without(name, spot), kinds=frozenset({"object"})) for name in names]


def _names(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    """Some name fails: one of those that are listed, where they are."""
    inner = schema["propertyNames"]
    refused = inner.get("not") if isinstance(inner, Mapping) and len(inner) == 1 else None
    if isinstance(refused, Mapping) and len(refused) == 1 and {"enum", "const"} & refused.keys():
        names = [name for name in values_of(refused, spot) if isinstance(name, str)]
        return [_only({"object"}, spot, required=(name,)) for name in names]
    failing = spot.at(inner, ".propertyNames")
    return [] if _free(failing) else [_only({"object"}, spot, some=(Some(Members({}), (failing,)),))]


def _any_of(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    return cases_of_all(parts_of(schema, "anyOf", spot), doc)


def _all_of(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    return [facts for part in parts_of(schema, "allOf", spot) for facts in cases(part, doc)]


def _one_of(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    """None of them holds, or two do."""
    parts = parts_of(schema, "oneOf", spot)
    found = cases_of_all(parts, doc)
    for index, part in enumerate(parts):
        for other in parts[:index]:
            found = found + cases_of_all([_wanted(part), _wanted(other)], doc)
    return found


def _dependencies(schema: Schema, spot: Spot, doc: Document) -> list[Facts]:
    found: list[Facts] = []
    for name, needs in dependencies(schema, spot):
        there = [_only({"object"}, spot, required=(name,))]
        failing = (
            [replace(without(need, spot), kinds=frozenset({"object"})) for need in needs]
            if isinstance(needs, tuple)
            else cases(needs, doc)
        )
        found += multiply(there, failing, spot, doc)
    return found


_OPPOSITES: Mapping[str, Callable[[Schema, Spot, Document], list[Facts]]] = {
    **dict.fromkeys(("type",), _type),
    **dict.fromkeys(("enum", "const"), _values),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _bounds),
    "multipleOf": _multiple,
    "minLength": _least("minLength", "string", "max_length"),
    "maxLength": _most("maxLength", "string", "min_length"),
    "pattern": _pattern,
    "format": _format,
    **dict.fromkeys(("items", "prefixItems", "additionalItems"), _items),
    "minItems": _least("minItems", "array", "max_items"),
    "maxItems": _most("maxItems", "array", "min_items"),
    **dict.fromkeys(("contains", "minContains", "maxContains"), _contains),
    **dict.fromkeys(("properties", "patternProperties", "additionalProperties"), _members),
    "required": _required,
    "propertyNames": _names,
    "minProperties": _least("minProperties", "object", "max_members"),
    "maxProperties": _most("maxProperties", "object", "min_members"),
    "anyOf": _any_of,
    "allOf": _all_of,
    "oneOf": _one_of,
    "not": of_not,
    "if": of_if,
    **{keyword: of_reference(keyword) for keyword in REFERRING},
    **dict.fromkeys(("dependentRequired", "dependentSchemas", "dependencies"), _dependencies),
}
