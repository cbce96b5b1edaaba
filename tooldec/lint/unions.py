"""What two options of a union both admit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from tooldec.arguments import DUMPS, argument
from tooldec.errors import SchemaError, ToolDecError
from tooldec.lint.finding import Hit, Inventory
from tooldec.lint.values import fits
from tooldec.tools import type_name


def overlapping(inventory: Inventory) -> Iterator[Hit]:
    """Two options of one union that both admit a value: a call can't say which one it means."""
    for part in inventory.constrained:
        for keyword in ("anyOf", "oneOf"):
            options = part.schema.get(keyword)
            if not isinstance(options, list):
                continue
            for (i, one), (j, other) in combinations(enumerate(options[:20], 1), 2):
                shared = _shared(one, other)
                if shared:
                    yield part.hit(
                        f"{part.name}: options {i} and {j} of `{keyword}` both admit {shared}",
                        "give each option a property with a constant of its own, or types that differ",
                    )
                    break


def _shared(one: Any, other: Any) -> str:
    """What two options both admit, in words; nothing where a call can tell them apart."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return ""
    kinds = _kinds(one) & _kinds(other)
    if not kinds or any(key in schema for schema in (one, other) for key in ("$ref", "allOf", "anyOf", "oneOf")):
        return ""
    fixed = [schema for schema in (one, other) if "enum" in schema or "const" in schema]
    if len(fixed) == 2:
        both = [value for value in _values(one) if value in _values(other)]
        return f"the value `{both[0]}`" if both else ""
    if fixed:
        inside = [value for value in _values(fixed[0]) if fits(value, other if fixed[0] is one else one, {})]
        return f"the value `{inside[0]}`" if inside else ""
    kind = sorted(kinds)[0]
    if {one.get("type"), other.get("type")} == {"integer", "number"}:  # `int | float`: no program cares which it was
        return ""
    if kind == "object":
        return "" if _told_apart(one, other) else "the same object"
    if kind == "array":
        return "" if one.get("items") != other.get("items") and one.get("minItems") else "the same list"
    return "" if _is_empty({"type": kind, "allOf": [one, other]}) else f"the same {type_name({'type': kind})}"


def _is_empty(schema: Mapping[str, Any]) -> bool:
    """Whether the machine finds that no value satisfies a schema."""
    try:
        argument(schema, DUMPS, "$", {})
    except SchemaError as error:
        return error.empty
    except (ToolDecError, RecursionError, OverflowError):
        return False
    return False


def _kinds(schema: Mapping[str, Any]) -> set[str]:
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return {kinds} | ({"integer"} if kinds == "number" else set())
    return set(kinds) if isinstance(kinds, list) else set()


def _values(schema: Mapping[str, Any]) -> list[Any]:
    return [schema["const"]] if "const" in schema else list(schema.get("enum") or ())


def _told_apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether a required property of one is forbidden or different in the other (objects are closed)."""
    for first, second in ((one, other), (other, one)):
        there: Mapping[str, Any] = second.get("properties") or {}
        for name in first.get("required") or ():
            if name not in there:
                return "properties" in second
            if name in (second.get("required") or ()):
                mine, yours = (first.get("properties") or {}).get(name, {}), there[name]
                if isinstance(mine, Mapping) and isinstance(yours, Mapping) and _differ(mine, yours):
                    return True
    return False


def _differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether no value is one of both: constants that differ, or types that do."""
    if _values(one) and _values(other):
        return not any(value in _values(other) for value in _values(one))
    return bool(_kinds(one) and _kinds(other)) and not _kinds(one) & _kinds(other)
