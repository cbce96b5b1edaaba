"""Types that contain themselves: each is kept once under `$defs` of a tool's parameters, and referred to there.

class Tree:                      {"properties": {"tree": {"$ref": "#/$defs/Tree"}}, "$defs":
    kids: list["Tree"]     →       {"Tree": {"properties": {"kids": {"items": {"$ref": "#/$defs/Tree"}}}}}}
def grow(tree: Tree): ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tooldec.signatures.schemas import JSONSchema

_START = "#/$defs/"


def reference(name: str) -> JSONSchema:
    """What stands for a type of this name."""
    return {"$ref": _START + name}


def name_of(schema: JSONSchema) -> str | None:
    """The name of the type that a reference stands for; None where a schema is no reference.

    >>> name_of(reference("Tree")), name_of({"type": "string"})
    ('Tree', None)
    """
    pointer = schema.get("$ref")
    return pointer.removeprefix(_START) if isinstance(pointer, str) and pointer.startswith(_START) else None


def definitions(schema: Any, defined: Callable[[str], JSONSchema | None]) -> dict[str, JSONSchema]:
    """The types that a schema refers to and those that they refer to, as `defined` has them by name.

    >>> definitions({"tree": reference("Tree")}, {"Tree": {"items": reference("Tree")}}.get)
    {'Tree': {'items': {'$ref': '#/$defs/Tree'}}}
    """
    found: dict[str, JSONSchema] = {}
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            waiting += part.values()
            name = name_of(part)
            if name is not None and name not in found and (definition := defined(name)) is not None:
                found[name] = definition
                waiting.append(definition)
    return found
