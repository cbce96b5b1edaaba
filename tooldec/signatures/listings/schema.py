"""The schema of a tool's arguments object: its shape is checked, and other spellings of types become JSON Schema's.

    {"type": "dict",                              {"type": "object",
     "properties": {"x": {"type": "float"}}}  →    "properties": {"x": {"type": "number"}}}

Which keywords can be enforced is not asked here: that is the matter of `arguments/`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.source import MAX_DEPTH, MAX_ERRORS, as_one, quoted
from tooldec.tools import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_ONES

Refuse = Callable[[str, str, str], SignatureError]
"""(JSON path, what is wrong, what would work) → an error that knows its place in the text."""

Raised = Callable[[str, str, str], Exception]
"""The same for an error of any kind."""

_KINDS = ("string", "integer", "number", "boolean", "array", "object", "null")
TYPES: dict[str, str | None] = {
    **{kind: kind for kind in _KINDS},
    **dict.fromkeys(("str", "text", "char"), "string"),
    **dict.fromkeys(("int", "long", "int32", "int64"), "integer"),
    **dict.fromkeys(("float", "double", "decimal", "numeric"), "number"),
    **dict.fromkeys(("dict", "map", "hashmap"), "object"),
    **dict.fromkeys(("list", "tuple", "arraylist"), "array"),
    **dict.fromkeys(("none", "nonetype"), "null"),
    "bool": "boolean",
    "any": None,
}
"""Type names of JSON Schema, of BFCL, Python, Java and OpenAPI → JSON Schema's; None: no type, anything goes."""

_FORMATS = {
    **{kind: kind for kind in ("date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri")},
    **{"datetime": "date-time", "timestamp": "date-time", "timedelta": "duration", "url": "uri", "uuid": "uuid"},
}
"""Types of other notations that are texts in JSON → their formats."""

_ELSEWHERE = frozenset(("anyOf", "oneOf", "allOf", "$ref", "patternProperties", "if", "dependentSchemas"))
_OBJECTS = {*SCHEMA_MAPS, *SCHEMA_ONES, "const", "default", "example", "examples", "dependentRequired", "dependencies"}
"""Keywords whose value may be an object."""

_LOOKED_AT = frozenset((*SCHEMA_MAPS, *SCHEMA_LISTS, *SCHEMA_ONES, "required"))
_NESTED = (dict, list)

_OTHERS = {
    *"type title description format pattern id comment enum required nullable deprecated readOnly writeOnly".split(),
    *"strict optional summary schema".split(),
    *("minProperties", "maxProperties", *_OBJECTS, *SCHEMA_LISTS),
}
"""What an object schema without `properties` may say."""


def arguments_schema(given: Any, path: str, refuse: Refuse) -> dict[str, Any]:
    """The schema of an arguments object in its normal form; `given` is changed in place where that suffices.

    Always an object schema with `properties`; raises what `refuse` makes.

    >>> arguments_schema({"type": "dict"}, "$.parameters", lambda *words: SignatureError(" ".join(words)))
    {'type': 'object', 'properties': {}}
    """
    schema: dict[str, Any] = {} if given is None or given == [] else given  # [] is how PHP writes an empty object
    if isinstance(schema, str):
        fix = "write the object itself, without the quotes around it" if schema.lstrip()[:1] == "{" else _WRITE
        raise refuse(path, f"this is a text, not an object schema: {quoted(schema)}", fix)
    if not isinstance(schema, dict):
        raise refuse(path, "this isn't an object schema", _WRITE)
    if "properties" not in schema:
        _refuse_strays(schema, path, refuse)
    errors = normalise(schema, path, refuse)
    kind = schema.get("type", "object")
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        raise refuse(f"{path}.type", f"arguments are an object, not {quoted(str(kind))}", 'write `"type": "object"`')
    schema = {**schema, "type": "object", "properties": schema.get("properties", {})}
    for index, name in enumerate(() if _ELSEWHERE & schema.keys() else schema.get("required", ())):
        if len(errors) >= MAX_ERRORS:
            break
        if name not in schema["properties"]:
            declared = {known.lower(): known for known in list(schema["properties"])[:500]}
            close = [declared[known] for known in get_close_matches(name[:60].lower(), declared, n=1)]
            fix = f"did you mean {quoted(close[0])}?" if close else "declare it under `properties`, or remove it"
            error = refuse(f"{path}.required[{index}]", f"{quoted(name)} isn't declared", fix)
            error.kind, error.word, error.replacement = "undeclared", name, close[0] if close else None
            errors.append(error)
    if errors:
        raise as_one(errors)
    return schema


def _refuse_strays(schema: dict[str, Any], path: str, refuse: Refuse) -> None:
    """Refuse what belongs under `properties`, or is the value of an argument; raises what `refuse` makes."""
    strays = {key: part for key, part in schema.items() if _is_stray(key, part, "type" not in schema)}
    if strays and not any(isinstance(part, dict) or names_type(part) for part in strays.values()):
        key, part = next(iter(strays.items()))
        raise refuse(
            path, f"{quoted(key)} has a value here, {quoted(json.dumps(part, ensure_ascii=False))}, not a type", DEFINE
        )
    if strays:
        raise refuse(path, "the parameters stand here without `properties`", _WRITE)


def _is_stray(key: str, part: Any, untyped: bool) -> bool:
    """Whether an entry of a schema is a parameter that belongs under `properties`: no keyword has such a value."""
    if key.startswith(("x-", "$")):
        return False
    return key not in _OBJECTS if isinstance(part, dict) else key not in _OTHERS and (untyped or names_type(part))


def names_type(part: Any) -> bool:
    """Whether a value is the name of a type.

    >>> names_type("STRING"), names_type("Paris"), names_type(5)
    (True, False, False)
    """
    return isinstance(part, str) and (part.lower() in TYPES or part.lower() in _FORMATS)


def normalise(schema: Any, path: str, refuse: Raised, depth: int = 1) -> list[Exception]:
    """Rename types in a schema and all schemas inside it, in place, and check their shape.

    Gives an error for each type that is unknown; raises what `refuse` makes where a shape is wrong.
    """
    if isinstance(schema, bool):
        return []
    if not isinstance(schema, dict):
        raise _no_schema(schema, path, refuse)
    if depth > MAX_DEPTH:
        raise _too_deep(path, refuse)
    if isinstance(schema.get("type_"), str) and "type" not in schema:  # Gemini's, as its classes print it
        schema["type"] = schema.pop("type_")
    errors = list(_rename_type(schema, path, refuse)) if "type" in schema and schema["type"] not in _KINDS else []
    for key, value in schema.items():
        if key not in _LOOKED_AT:
            if isinstance(value, _NESTED):
                _check_depth(value, path, refuse, depth)
        elif key in SCHEMA_MAPS:
            if value == []:
                schema[key] = value = {}
            if not isinstance(value, dict):
                raise refuse(f"{path}.{key}", "this isn't an object", "write it as `{name: schema}`")
            for name, part in value.items():
                errors += normalise(part, f"{path}.{key}{step(name)}", refuse, depth + 1)
        elif key in SCHEMA_LISTS or (key == "items" and isinstance(value, list)):
            if not isinstance(value, list):
                raise refuse(f"{path}.{key}", "this isn't a list", "write a list of schemas")
            for index, part in enumerate(value):
                errors += normalise(part, f"{path}.{key}[{index}]", refuse, depth + 1)
        elif key in SCHEMA_ONES:
            errors += normalise(value, f"{path}.{key}", refuse, depth + 1)
        elif not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            fix = "list the names of the required properties beside `properties`"
            raise refuse(f"{path}.required", "this isn't a list of names", fix)
    return errors


def _no_schema(given: Any, path: str, refuse: Raised) -> Exception:
    """The error for a value that should be a schema: `"false"`, `"int"`, 5."""
    word = given.lower() if isinstance(given, str) else ""
    if word in ("true", "false"):
        fix, instead = f"write it without quotes: `{word}`", word
    else:
        instead = json.dumps({"type": TYPES.get(word) or "string"})
        fix = f"write it as `{instead}`"
    error = refuse(path, "a schema is an object", fix)
    return _to_replace(error, f'"{given}"', instead) if word and (word == instead or names_type(given)) else error


def _to_replace(error: Exception, word: str, replacement: str | None) -> Exception:
    if isinstance(error, SignatureError):
        error.word, error.replacement = word, replacement
    return error


def _rename_type(schema: dict[str, Any], path: str, refuse: Raised) -> Iterator[Exception]:
    given = schema["type"]
    kinds = given if isinstance(given, list) else [given]
    if not kinds or not all(isinstance(kind, str) for kind in kinds):
        raise refuse(f"{path}.type", "this isn't the name of a type", 'write it as `"type": "string"`')
    for index, kind in enumerate(kinds):
        if kind.lower() not in TYPES:
            yield _unknown_type(kind, f"{path}.type[{index}]" if isinstance(given, list) else f"{path}.type", refuse)
    named = [TYPES.get(kind.lower()) for kind in kinds]
    if None in named:
        del schema["type"]
    else:
        schema["type"] = named if isinstance(given, list) else named[0]


def _unknown_type(kind: str, path: str, refuse: Raised) -> Exception:
    """The error for the name of a type that JSON Schema doesn't have."""
    close = get_close_matches(kind.lower()[:40], [name for name, meant in TYPES.items() if meant], n=1, cutoff=0.7)
    replacement = TYPES[close[0]] if close else None
    if form := _FORMATS.get(kind.lower()):
        fix, replacement = f'write `"type": "string", "format": "{form}"`', None
    elif inner := _GENERIC.fullmatch(kind):
        fix, replacement = f"write {_generic(inner[1].lower(), inner[2])}", None
    elif len(several := _OR.split(kind)) > 1 and all(TYPES.get(one.lower()) for one in several):
        fix, replacement = f'write `"type": {json.dumps([TYPES[one.lower()] for one in several])}`', None
    else:
        fix = f"did you mean {quoted(replacement)}?" if replacement else f"known types are {', '.join(_KINDS)}"
    error = _to_replace(refuse(path, f"unknown type {quoted(kind)}", fix), kind, replacement)
    if isinstance(error, SignatureError):
        error.kind = "type"
    return error


def _generic(outer: str, inner: str) -> str:
    """What says in JSON Schema what `List[int]` says in Python."""
    kind = TYPES.get(inner.lower()) or "string"
    if outer == "optional":
        return f'`"type": ["{kind}", "null"]`'
    if TYPES.get(outer) == "array":
        return f'`"type": "array", "items": {{"type": "{kind}"}}`'
    if TYPES.get(outer) == "object":
        return '`"type": "object"`'
    return '`"type"` as a list of types, such as `["string", "null"]`'


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


def step(name: str) -> str:
    """The step of a JSON path to a property: `.side`, or `["a b"]`."""
    return f".{name}" if name.isidentifier() and len(name) <= 40 else f'["{quoted(name)[1:-1]}"]'


_EXAMPLE = '`{"type": "object", "properties": {"side": {"type": "integer"}}}`'
_WRITE = f"write {_EXAMPLE}"
DEFINE = 'a call isn\'t a tool: paste the definition, where each parameter has a type, as `"city": {"type": "string"}`'
"""What would work in place of a tool call."""

_OR = re.compile(r"\s*[|/,]\s*|\s+or\s+")
_GENERIC = re.compile(r"(?:typing\.)?(\w+)\[(.*)\]")
