"""`Field(…)` of Pydantic and `field(…)` of dataclasses → JSON Schema keywords; read with ast, never called.

rating: int = Field(3, ge=1, le=5, description="stars")
→ {"type": "integer", "minimum": 1, "maximum": 5, "description": "stars", "default": 3}, optional
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from tooldec.signatures.values import JSONSchema, Unreadable, literal, with_null

MISSING: Any = ...
"""A field that has no default: a call must give it."""

KEYWORDS: Mapping[str, str] = {
    **{"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"},
    **{"multiple_of": "multipleOf", "pattern": "pattern", "regex": "pattern", "title": "title"},
    **{"description": "description", "doc": "description", "examples": "examples"},
    **{"min_items": "minItems", "max_items": "maxItems", "unique_items": "uniqueItems"},
}
"""argument of Field -> keyword of JSON Schema."""

_LENGTHS = {"min_length": ("minLength", "minItems"), "max_length": ("maxLength", "maxItems")}
_FACTORIES: Mapping[str, Any] = {"list": [], "dict": {}, "str": "", "tuple": []}


def is_field(node: ast.expr) -> bool:
    """Whether an expression is `Field(…)`, `field(…)` or the same with a module before it.

    >>> is_field(ast.parse("pydantic.Field(ge=0)", mode="eval").body)
    True
    """
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in ("Field", "field", "Query", "Body", "Path")


def with_field(schema: JSONSchema, node: ast.expr) -> tuple[JSONSchema, bool]:
    """The schema with what a Field call says, its default included; and whether there is a default.

    >>> with_field({"type": "string"}, ast.parse("Field('x', max_length=3)", mode="eval").body)
    ({'type': 'string', 'maxLength': 3, 'default': 'x'}, True)
    """
    assert isinstance(node, ast.Call)
    schema, default, optional = dict(schema), MISSING, False
    for value in node.args[:1]:
        default = _default(value)
    for keyword in node.keywords:
        if keyword.arg == "default":
            default = _default(keyword.value)
        elif keyword.arg == "default_factory":
            optional, default = True, _FACTORIES.get(getattr(keyword.value, "id", ""), MISSING)
        elif keyword.arg in _LENGTHS:
            _constrain(schema, _LENGTHS[keyword.arg][_typed(schema).get("type") == "array"], literal(keyword.value))
        elif keyword.arg is not None and keyword.arg in KEYWORDS:
            _constrain(schema, KEYWORDS[keyword.arg], literal(keyword.value))
    if default is None:
        schema = with_null(schema)
    if default is not MISSING:
        schema["default"] = default
    return schema, optional or default is not MISSING


def _default(node: ast.expr) -> Any:
    return MISSING if isinstance(node, ast.Constant) and node.value is ... else literal(node)


def _typed(schema: JSONSchema) -> JSONSchema:
    """The part of `int | None` that is not null."""
    options = schema.get("anyOf", [schema])
    return next((option for option in options if option.get("type") != "null"), schema)


def _constrain(schema: JSONSchema, keyword: str, value: Any) -> None:
    """Bounds go to the part that isn't null, words about the whole stay outside."""
    if keyword in ("description", "title", "examples"):
        schema[keyword] = value
        return
    if "anyOf" in schema:
        schema["anyOf"] = [dict(option) for option in schema["anyOf"]]
    _typed(schema)[keyword] = value


def annotated(schema: JSONSchema, notes: list[ast.expr]) -> JSONSchema:
    """`Annotated[int, "the side"]`, `Annotated[int, Field(ge=0)]`: the schema with the notes; raises Unreadable."""
    for note in notes:
        if isinstance(note, ast.Constant) and isinstance(note.value, str):
            schema["description"] = literal(note)
        elif is_field(note):
            schema, _ = with_field(schema, note)
        else:
            message = f"`{ast.unparse(note)[:40]}` can't be read here"
            raise Unreadable(note, message, "only a description in quotes or `Field(…)` may follow the type")
    return schema
