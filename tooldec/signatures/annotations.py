"""Python annotations and default values → JSON Schema; ANNOTATIONS at the foot has a row for each type name.

str                          {"type": "string"}
Optional[int], int | None    {"anyOf": [{"type": "integer"}, {"type": "null"}]}
Literal["c", "f"]            {"type": "string", "enum": ["c", "f"]};  also  "c" | "f"  and  ["c", "f"]
list[date]                   {"type": "array", "items": {"type": "string", "format": "date"}}
tuple[float, float]          {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
dict[str, int]               {"type": "object", "additionalProperties": {"type": "integer"}}
Any                          {}
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from tooldec.signatures.source import MAX_DIGITS, quoted

JSONSchema = dict[str, Any]
Annotation = Callable[[ast.expr, Sequence[ast.expr]], JSONSchema]
"""What reads one type name: (the whole annotation, the types in its brackets) → schema."""

UNTYPED: Mapping[str, Any] = {"type": "number"}
"""The type of a parameter without annotation and default: `multiply(a, b)` takes two numbers."""

_PREFIXES = ("typing.", "typing_extensions.", "t.", "datetime.", "dt.", "collections.abc.", "builtins.")
_TOO_LARGE = 10**MAX_DIGITS  # infinity is larger, too


class Unreadable(Exception):
    """A part of a signature that can't be read; `python.py` turns it into a SignatureError with its place."""

    def __init__(self, node: ast.AST, message: str, fix: str) -> None:
        self.node, self.message, self.fix = node, message, fix
        super().__init__(message)


def schema_of(node: ast.expr) -> JSONSchema:
    """The schema of an annotation; raises Unreadable.

    >>> schema_of(ast.parse("list[int] | None", mode="eval").body)
    {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    """
    if isinstance(node, ast.Constant) and node.value is None:
        return {"type": "null"}
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return schema_of(_quoted_type(node))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union(node, _alternatives(node))
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return _literal(node, node.elts)
    outer, parts = node, list[ast.expr]()
    if isinstance(node, ast.Subscript):
        outer, inner = node.value, node.slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    name = _without_prefix(_written(outer))
    if name not in ANNOTATIONS:
        raise _unknown(outer, name)
    return ANNOTATIONS[name](node, parts)


def schema_of_default(value: object) -> JSONSchema:
    """The type of a parameter that has a default and no annotation: `0` → number, `"c"` → string."""
    for kind, schema in _TYPES_OF_DEFAULTS.items():
        if isinstance(value, kind):
            return dict(schema)
    return dict(UNTYPED)


def literal(node: ast.expr) -> Any:
    """The JSON value that a literal stands for: a default, or a member of `Literal[…]`; raises Unreadable."""
    if isinstance(node, ast.List | ast.Tuple):
        return [literal(item) for item in node.elts]
    if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
        keys = [literal(key) for key in node.keys if key is not None]
        if all(isinstance(key, str) for key in keys):
            return dict(zip(keys, map(literal, node.values), strict=True))
    value, sign = node, 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
        value, sign = node.operand, -1 if isinstance(node.op, ast.USub) else 1
    found = value.value if isinstance(value, ast.Constant) else ...
    if isinstance(found, int | float) and not isinstance(found, bool) and abs(found) < _TOO_LARGE:
        return sign * found
    if value is node and (found is None or isinstance(found, bool)):
        return found
    if value is node and isinstance(found, str):
        return whole_characters(node, found)
    raise Unreadable(
        node,
        f"{quoted(_written(node))} isn't a literal value",
        "write a number, a text in quotes, True, False, None or a list of these; nothing is executed",
    )


def whole_characters(node: ast.AST, text: str) -> str:
    r"""The text, once it is sure that it can be encoded: `"\ud83d"` alone can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        fix = "write the character itself, or its escape as `\\U0001f600`"
        raise Unreadable(node, "half a character (a lone surrogate) in this text", fix) from None
    return text


def with_null(schema: JSONSchema) -> JSONSchema:
    """The schema with null allowed too, as `= None` asks."""
    return _any_of([schema, {"type": "null"}])


def _any_of(schemas: Iterable[JSONSchema]) -> JSONSchema:
    """One schema for all: nested ones flattened, equal ones once, `Any` in place of all."""
    flat: list[JSONSchema] = []
    for schema in schemas:
        for part in schema["anyOf"] if set(schema) == {"anyOf"} else [schema]:
            if part not in flat:
                flat.append(part)
    if {} in flat:
        return {}
    return flat[0] if len(flat) == 1 else {"anyOf": flat}


def _alternatives(node: ast.expr) -> list[ast.expr]:
    """`a | b | c` → [a, b, c]"""
    found: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        found.append(node.right)
        node = node.left
    return [node, *reversed(found)]


def _quoted_type(node: ast.Constant) -> ast.expr:
    """The annotation inside quotes, `"int"`; its parts stand where the quotes stand."""
    try:
        inner = ast.parse(str(node.value).strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise _unknown(node, str(node.value)) from None
    for part in ast.walk(inner):
        ast.copy_location(part, node)
    if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
        raise _unknown(node, str(node.value))
    return inner


def _written(node: ast.expr) -> str:
    """The part of the signature as text; a number of many thousand digits has none."""
    try:
        return ast.unparse(node)
    except ValueError:
        return "…"


def _without_prefix(name: str) -> str:
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name


def _unknown(node: ast.expr, name: str) -> Unreadable:
    """The error for a type that isn't in ANNOTATIONS; it proposes the usual name: `strng` → `str`."""
    usual = {reader: one for one, reader in ANNOTATIONS.items() if one in _KNOWN}
    spellings = {one.lower(): usual.get(reader, one) for one, reader in ANNOTATIONS.items()}
    close = get_close_matches(name.rsplit(".", 1)[-1].lower()[:40], spellings, n=3)
    use = " or ".join(dict.fromkeys(f"`{spellings[one]}`" for one in close))
    known = f"known types are {', '.join(_KNOWN)}"
    use = f"use {use}" if use else 'a choice of texts is `Literal["a", "b"]`'
    return Unreadable(node, f"unknown type {quoted(name)}", f"{use}; {known}")


def _plain(schema: Mapping[str, Any]) -> Annotation:
    def read(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
        if parts:
            raise Unreadable(node, f"{quoted(_written(node))}: this type takes no brackets", "remove them")
        return dict(schema)

    return read


def _array(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if not parts:
        return {"type": "array"}
    if len(parts) > 1:
        raise Unreadable(node, "a list has one type for all its items", "write it as `list[int | str]`")
    return {"type": "array", "items": schema_of(parts[0])}


def _tuple(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...:
        return _array(node, parts[:1])
    items = [schema_of(part) for part in parts]
    if not items:
        return {"type": "array"}
    size = {"minItems": len(items), "maxItems": len(items)}
    if all(item == items[0] for item in items):
        return {"type": "array", "items": items[0], **size}
    return {"type": "array", "prefixItems": items, "items": False, **size}


def _object(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if not parts:
        return {"type": "object"}
    if len(parts) != 2 or schema_of(parts[0]) != {"type": "string"}:
        raise Unreadable(node, "a dict has keys of type str and values of one type", "write `dict[str, int]`")
    values = schema_of(parts[1])
    return {"type": "object", "additionalProperties": values} if values else {"type": "object"}


def _literal(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    values = list({(type(value), repr(value)): value for value in map(literal, parts)}.values())
    if not values:
        raise Unreadable(node, "a choice without values", 'write it as `Literal["a", "b"]`')
    kinds = {type(value) for value in values}
    kind = _ENUM_TYPES.get(kinds.pop()) if len(kinds) == 1 else None
    return {"type": kind, "enum": values} if kind else {"enum": values}


def _optional(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if len(parts) != 1:
        raise Unreadable(node, "Optional takes one type", "write `Optional[int]` or `int | None`")
    return with_null(schema_of(parts[0]))


def _union(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if not parts:
        raise Unreadable(node, "a union without types", "write `int | str`")
    if all(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts) and any(
        literal(part) not in ANNOTATIONS for part in parts
    ):
        return _literal(node, parts)  # "c" | "f"
    return _any_of(map(schema_of, parts))


def _annotated(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if not parts:
        raise Unreadable(node, "Annotated without a type", 'write `Annotated[int, "what it is"]`')
    schema = schema_of(parts[0])
    for note in parts[1:]:
        if not (isinstance(note, ast.Constant) and isinstance(note.value, str)):
            message = f"{quoted(_written(note))} can't be read here"
            raise Unreadable(note, message, "only a description in quotes may follow the type")
        schema["description"] = literal(note)
    return schema


_TYPES_OF_DEFAULTS: Mapping[type, JSONSchema] = {
    bool: {"type": "boolean"},
    str: {"type": "string"},
    list: {"type": "array"},
    dict: {"type": "object"},
}
_ENUM_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
# what messages list: the names that people use most
_KNOWN = (
    *("str", "int", "float", "bool", "list", "tuple", "dict", "date", "datetime", "time"),
    *("Literal", "Optional", "Union", "None", "Any"),
)

_STRING, _INTEGER, _NUMBER, _BOOLEAN = (_plain({"type": kind}) for kind in ("string", "integer", "number", "boolean"))
_DATE, _DATETIME, _TIME = (_plain({"type": "string", "format": name}) for name in ("date", "date-time", "time"))

# type name -> what reads it; the second block has the names that JSON Schema uses
ANNOTATIONS: Mapping[str, Annotation] = {
    **{"str": _STRING, "int": _INTEGER, "float": _NUMBER, "bool": _BOOLEAN},
    **{"date": _DATE, "datetime": _DATETIME, "datetime.date": _DATE, "datetime.datetime": _DATETIME},
    **{"time": _TIME, "datetime.time": _TIME},
    **dict.fromkeys(("list", "List", "Sequence", "Iterable", "Collection"), _array),
    **dict.fromkeys(("tuple", "Tuple"), _tuple),
    **dict.fromkeys(("dict", "Dict", "Mapping", "MutableMapping"), _object),
    **{"Literal": _literal, "Optional": _optional, "Union": _union, "Annotated": _annotated},
    **dict.fromkeys(("Any", "any"), _plain({})),
    **{"string": _STRING, "integer": _INTEGER, "number": _NUMBER, "boolean": _BOOLEAN},
    **{"array": _array, "object": _object, "null": _plain({"type": "null"})},
}
