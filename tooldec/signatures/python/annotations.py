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
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from tooldec.signatures.python.fields import annotated, called, with_field
from tooldec.signatures.python.literals import Defined, Unknown, Unreadable, is_dots, literal, written
from tooldec.signatures.python.plain_types import PLAIN_TYPES
from tooldec.signatures.python.syntax import quoted_expression
from tooldec.signatures.python.typos import meant
from tooldec.signatures.schemas import JSONSchema, any_of, choice, with_null
from tooldec.signatures.source import quoted

Annotation = Callable[[ast.expr, Sequence[ast.expr]], JSONSchema]
"""What reads one type name: (the whole annotation, the types in its brackets) → schema."""

UNTYPED: Mapping[str, Any] = {"type": "number"}
"""The type of a parameter without annotation and default: `multiply(a, b)` takes two numbers."""

_PREFIXES = (
    *("typing.", "typing_extensions.", "t.", "datetime.", "dt.", "collections.abc.", "collections.", "builtins."),
    "pydantic.",
)


def schema_of(node: ast.expr) -> JSONSchema:
    """The schema of an annotation; raises Unreadable.

    >>> schema_of(ast.parse("list[int] | None", mode="eval").body)
    {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    """
    if isinstance(node, ast.Constant) and node.value is None:
        return {"type": "null"}
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        inner = quoted_expression(node)
        if inner is None or (isinstance(inner, ast.Constant) and isinstance(inner.value, str)):
            raise _unknown(node, node.value)
        return schema_of(inner)
    if isinstance(node, ast.Constant) and isinstance(node.value, Defined):
        return deepcopy(node.value.schema)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union(node, _alternatives(node))
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return _literal(node, node.elts)
    outer, parts = node, list[ast.expr]()
    if isinstance(node, ast.Subscript):
        outer, inner = node.value, node.slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if isinstance(node, ast.Call) and without_prefix(written(node.func)) in CONSTRAINED:
        return _constrained(node)
    name = without_prefix(written(outer))
    if name not in ANNOTATIONS:
        raise _unknown(outer, name, brackets=bool(parts))
    return ANNOTATIONS[name](node, parts)


def schema_of_default(node: ast.expr) -> JSONSchema:
    """The type of a parameter that has a default and no annotation: `0` → number, `"c"` → string, `now()` → any."""
    try:
        value = literal(node)
    except Unknown:
        return {}
    for kind, schema in _TYPES_OF_DEFAULTS.items():
        if isinstance(value, kind):
            return dict(schema)
    return dict(UNTYPED)


def _alternatives(node: ast.expr) -> list[ast.expr]:
    """`a | b | c` → [a, b, c]"""
    found: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        found.append(node.right)
        node = node.left
    return [node, *reversed(found)]


def without_prefix(name: str) -> str:
    """The name of a type without the module that has it: `typing.Any` → `Any`."""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name


def _unknown(node: ast.expr, name: str, brackets: bool = False) -> Unreadable:
    """The error for a type that isn't in ANNOTATIONS; it proposes what a slip of the pen means: `strng` → `str`."""
    shown = f"unknown type {quoted(name)}"
    known = f"known types are {', '.join(_KNOWN)}"
    if (instead := _in_brackets(node)) is not None:
        return Unreadable(node, shown, f"write `{instead}`; {known}", written(node), instead)
    usual = {reader: one for one, reader in ANNOTATIONS.items() if one in _KNOWN}
    fitting = {one: usual.get(reader, one) for one, reader in ANNOTATIONS.items() if (reader in _OF_TYPES) >= brackets}
    close = meant(name, [one for one in fitting if brackets or ANNOTATIONS[one] not in _ONLY_OF_TYPES])
    if close is not None:
        return Unreadable(node, shown, f"use `{fitting[close]}`; {known}", written(node), fitting[close])
    fix = 'a choice of texts is `Literal["a", "b"]`' if name.islower() and name.isidentifier() else _DEFINE
    return Unreadable(node, shown, f"{fix}; {known}", written(node))


def _in_brackets(node: ast.expr) -> str | None:
    """What `list(str)` and `{str: int}` mean."""
    if isinstance(node, ast.Call) and node.args and not node.keywords:
        name = written(node.func)
        if ANNOTATIONS.get(without_prefix(name)) in _OF_TYPES:
            return f"{name}[{', '.join(map(written, node.args))}]"
    if isinstance(node, ast.Dict) and len(node.keys) == 1 and node.keys[0] is not None:
        return f"dict[{written(node.keys[0])}, {written(node.values[0])}]"
    return None


def _plain(schema: Mapping[str, Any]) -> Annotation:
    def read(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
        if parts:
            raise Unreadable(node, f"{quoted(written(node))}: this type takes no brackets", "remove them")
        return dict(schema)

    return read


def _array(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if not parts:
        return {"type": "array"}
    if len(parts) > 1:
        raise Unreadable(node, "a list has one type for all its items", "write it as `list[int | str]`")
    return {"type": "array", "items": schema_of(parts[0])}


def _tuple(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if len(parts) == 2 and is_dots(parts[1]):
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
    keys = schema_of(parts[0]) if len(parts) == 2 else {}
    if keys.get("type") != "string":
        raise Unreadable(node, "a dict has keys of type str and values of one type", "write `dict[str, int]`")
    values = schema_of(parts[1])
    found = {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    return found if keys == {"type": "string"} else {**found, "propertyNames": keys}


def _counter(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    return _object(node, [*(parts or [ast.Name("str")]), ast.Name("int")])


def _json(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    """A text of JSON: `Json`, `Json[list[int]]`."""
    inside = {"contentSchema": _inner(node, parts)} if parts else {}
    return {"type": "string", "contentMediaType": "application/json", **inside}


def _text(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    """A text, whatever its brackets say: `Pattern[str]`."""
    return {"type": "string"}


def _literal(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if not parts:
        raise Unreadable(node, "a choice without values", 'write it as `Literal["a", "b"]`')
    return choice(value for part in parts for value in _choices(part))


def _choices(node: ast.expr) -> Iterator[Any]:
    """The values of one part of a Literal, which may be a Literal itself."""
    if isinstance(node, ast.Subscript) and called(node) == "Literal":
        for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            yield from _choices(part)
    else:
        yield literal(node)


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
    return any_of(map(schema_of, parts))


def _inner(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if len(parts) != 1:
        raise Unreadable(node, f"{quoted(written(node))} takes one type", f"write `{called(node)}[int]`")
    return schema_of(parts[0])


def _constrained(node: ast.Call) -> JSONSchema:
    """`conint(ge=1)`, `conlist(str, max_length=3)`"""
    schema = dict(CONSTRAINED[without_prefix(written(node.func))])
    if node.args:
        schema["items"] = schema_of(node.args[0])
    bounds = ast.copy_location(ast.Call(node.func, [], node.keywords), node)
    return with_field(schema, bounds)[0]


def _annotated(node: ast.expr, parts: Sequence[ast.expr]) -> JSONSchema:
    if not parts:
        raise Unreadable(node, "Annotated without a type", 'write `Annotated[int, "what it is"]`')
    return annotated(schema_of(parts[0]), list(parts[1:]))


_TYPES_OF_DEFAULTS: Mapping[type, JSONSchema] = {
    bool: {"type": "boolean"},
    str: {"type": "string"},
    list: {"type": "array"},
    dict: {"type": "object"},
}
# what messages list: the names that people use most
_KNOWN = (
    *("str", "int", "float", "bool", "list", "tuple", "dict", "date", "datetime", "time"),
    *("Literal", "Optional", "Union", "None", "Any"),
)

_DEFINE = (
    'define it in this text as a class or as `Name = Literal["a", "b"]`, or take `str` or `dict`; '
    "leave a parameter out that isn't the model's to fill"
)

_OF_TYPES = (_array, _tuple, _object, _literal, _optional, _union, _annotated, _inner)
_ONLY_OF_TYPES = (_literal, _optional, _union, _annotated, _inner)
"""What reads the names that types in brackets may follow, or have to."""

CONSTRAINED: Mapping[str, JSONSchema] = {
    **{"conint": {"type": "integer"}, "confloat": {"type": "number"}, "condecimal": {"type": "number"}},
    "constr": {"type": "string"},
    **{name: {"type": "array"} for name in ("conlist", "conset", "confrozenset")},
}
"""Functions of Pydantic that make a type, and what they make; their arguments are those of `Field`."""

# type name -> what reads it; those that take no brackets are rows of PLAIN_TYPES
ANNOTATIONS: Mapping[str, Annotation] = {
    **{name: reader for schema, names in PLAIN_TYPES for reader in [_plain(schema)] for name in names},
    **dict.fromkeys(("list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "deque"), _array),
    **dict.fromkeys(("set", "Set", "frozenset", "FrozenSet", "AbstractSet", "MutableSet", "Iterator"), _array),
    **dict.fromkeys(("tuple", "Tuple"), _tuple),
    **dict.fromkeys(("dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict", "ChainMap"), _object),
    **{"Counter": _counter, "Json": _json},
    **dict.fromkeys(("PathLike", "os.PathLike", "Pattern", "re.Pattern"), _text),
    **{"Literal": _literal, "Optional": _optional, "Union": _union, "Annotated": _annotated},
    **dict.fromkeys(("Final", "Required", "NotRequired", "ReadOnly", "SkipJsonSchema", "SerializeAsAny"), _inner),
    **{"array": _array, "object": _object},
}
