"""The schema of a tool's arguments object: its shape is checked, and other spellings of types become JSON Schema's.

    {"type": "dict",                              {"type": "object",
     "properties": {"x": {"type": "float"}}}  →    "properties": {"x": {"type": "number"}}}

Which keywords can be enforced is not asked here: that is the matter of `arguments/`.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.source import MAX_DEPTH, quoted

Refuse = Callable[[str, str, str], SignatureError]
"""(JSON path, what is wrong, what would work) → an error that knows its place in the text."""

Raised = Callable[[str, str, str], Exception]
"""The same for an error of any kind."""

TYPES: dict[str, str | None] = {
    "dict": "object",
    "float": "number",
    "tuple": "array",
    "any": None,
    "str": "string",
    "int": "integer",
    "bool": "boolean",
    "list": "array",
}
"""Type names of BFCL and of Python → JSON Schema's; None: no type, anything goes."""

_MAPS = frozenset(("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"))
_LISTS = frozenset(("anyOf", "oneOf", "allOf", "prefixItems"))
_ONE = frozenset(("items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"))
_ELSEWHERE = frozenset(("anyOf", "oneOf", "allOf", "$ref", "patternProperties", "if", "dependentSchemas"))
_OBJECTS = {*_MAPS, *_ONE, "const", "default", "example", "examples", "dependentRequired", "dependencies"}
"""Keywords whose value may be an object."""


def arguments_schema(given: Any, path: str, refuse: Refuse) -> dict[str, Any]:
    """The schema of an arguments object in its normal form; `given` is changed in place where that suffices.

    Always an object schema with `properties`; raises what `refuse` makes.

    >>> arguments_schema({"type": "dict"}, "$.parameters", lambda *words: SignatureError(" ".join(words)))
    {'type': 'object', 'properties': {}}
    """
    schema: dict[str, Any] = {} if given is None else given
    if not isinstance(schema, dict):
        raise refuse(path, "this isn't an object schema", f"write {_EXAMPLE}")
    if "properties" not in schema and any(_is_stray(key, part) for key, part in schema.items()):
        raise refuse(path, "the parameters stand here without `properties`", f"write {_EXAMPLE}")
    normalise(schema, path, refuse)
    kind = schema.get("type", "object")
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        raise refuse(f"{path}.type", f"arguments are an object, not {quoted(str(kind))}", 'write `"type": "object"`')
    schema = {**schema, "type": "object", "properties": schema.get("properties", {})}
    for index, name in enumerate(() if _ELSEWHERE & schema.keys() else schema.get("required", ())):
        if name not in schema["properties"]:
            close = get_close_matches(name[:60], list(schema["properties"])[:500], n=1)
            fix = f"did you mean {quoted(close[0])}?" if close else "declare it under `properties`, or remove it"
            error = refuse(f"{path}.required[{index}]", f"{quoted(name)} isn't declared", fix)
            error.kind, error.word, error.replacement = "undeclared", name, close[0] if close else None
            raise error
    return schema


def _is_stray(key: str, part: Any) -> bool:
    """Whether an entry of a schema is a parameter that belongs under `properties`: no keyword has such a value."""
    return isinstance(part, dict) and key not in _OBJECTS and not key.startswith(("x-", "$"))


def normalise(schema: Any, path: str, refuse: Raised, depth: int = 1) -> None:
    """Rename types in a schema and all schemas inside it, in place, and check their shape."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, dict):
        raise refuse(path, "a schema is an object", 'write it as `{"type": "string"}`')
    if depth > MAX_DEPTH:
        raise _too_deep(path, refuse)
    if isinstance(schema.get("type_"), str) and "type" not in schema:  # Gemini's, as its classes print it
        schema["type"] = schema.pop("type_")
    if "type" in schema:
        _rename_type(schema, path, refuse)
    for key, value in schema.items():
        if key in _MAPS:
            if not isinstance(value, dict):
                raise refuse(f"{path}.{key}", "this isn't an object", "write it as `{name: schema}`")
            for name, part in value.items():
                normalise(part, f"{path}.{key}{_step(name)}", refuse, depth + 1)
        elif key in _LISTS or (key == "items" and isinstance(value, list)):
            if not isinstance(value, list):
                raise refuse(f"{path}.{key}", "this isn't a list", "write a list of schemas")
            for index, part in enumerate(value):
                normalise(part, f"{path}.{key}[{index}]", refuse, depth + 1)
        elif key in _ONE:
            normalise(value, f"{path}.{key}", refuse, depth + 1)
        elif key == "required":
            if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
                fix = "list the names of the required properties beside `properties`"
                raise refuse(f"{path}.required", "this isn't a list of names", fix)
        elif isinstance(value, dict | list):
            _check_depth(value, path, refuse, depth)


def _rename_type(schema: dict[str, Any], path: str, refuse: Raised) -> None:
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not kinds or not all(isinstance(kind, str) for kind in kinds):
        raise refuse(f"{path}.type", "this isn't the name of a type", 'write it as `"type": "string"`')
    named = [TYPES.get(kind.lower(), kind.lower()) for kind in kinds]
    if None in named:
        del schema["type"]
    else:
        schema["type"] = named if isinstance(schema["type"], list) else named[0]


def _check_depth(value: Any, path: str, refuse: Raised, depth: int) -> None:
    """Defaults, examples and enums nest no deeper than schemas may."""
    if depth > MAX_DEPTH:
        raise _too_deep(path, refuse)
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _check_depth(part, path, refuse, depth + 1)


def _too_deep(path: str, refuse: Raised) -> Exception:
    short = path if len(path) < 80 else path[:80] + "…"
    return refuse(short, f"nested more than {MAX_DEPTH} deep", f"flatten it to at most {MAX_DEPTH} levels")


def _step(name: str) -> str:
    """The step of a JSON path to a property: `.side`, or `["a b"]`."""
    return f".{name}" if name.isidentifier() and len(name) <= 40 else f'["{quoted(name)[1:-1]}"]'


_EXAMPLE = '`{"type": "object", "properties": {"side": {"type": "integer"}}}`'
