"""`Field(…)` of Pydantic and `field(…)` of dataclasses → JSON Schema keywords; read with ast, never called.

rating: int = Field(3, ge=1, le=5, description="stars")
→ {"type": "integer", "minimum": 1, "maximum": 5, "description": "stars", "default": 3}, optional
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from tooldec.signatures.listings.keys import KEPT
from tooldec.signatures.listings.schema import normalise
from tooldec.signatures.python.literals import Unknown, Unreadable, is_dots, literal, words, written
from tooldec.signatures.schemas import JSONSchema, choice, with_null

MISSING: Any = ...
"""A field that has no default, or none that is known."""

WORDS: Mapping[str, str] = {
    "title": "title",
    "description": "description",
    "doc": "description",
    "examples": "examples",
}
"""argument of Field → keyword of JSON Schema, about the whole value."""

_NUMBERS = ("integer", "number")
BOUNDS: Mapping[str, Mapping[str, str]] = {
    **{"ge": dict.fromkeys(_NUMBERS, "minimum"), "gt": dict.fromkeys(_NUMBERS, "exclusiveMinimum")},
    **{"le": dict.fromkeys(_NUMBERS, "maximum"), "lt": dict.fromkeys(_NUMBERS, "exclusiveMaximum")},
    "multiple_of": dict.fromkeys(_NUMBERS, "multipleOf"),
    **{"pattern": {"string": "pattern"}, "regex": {"string": "pattern"}},
    "min_length": {"string": "minLength", "array": "minItems", "object": "minProperties"},
    "max_length": {"string": "maxLength", "array": "maxItems", "object": "maxProperties"},
    **{
        "min_items": {"array": "minItems"},
        "max_items": {"array": "maxItems"},
        "unique_items": {"array": "uniqueItems"},
    },
}
"""argument of Field → the types that it is about, and the keyword for each; the first one where no type is known."""

_ANNOTATED_TYPES: Mapping[str, tuple[str, ...]] = {
    **{"Ge": ("ge",), "Gt": ("gt",), "Le": ("le",), "Lt": ("lt",), "Interval": ("gt", "ge", "lt", "le")},
    **{"MultipleOf": ("multiple_of",), "MinLen": ("min_length",), "MaxLen": ("max_length",)},
    "Len": ("min_length", "max_length"),
}
"""class of annotated_types → what Field calls its arguments, in order."""

_NOTES = frozenset(
    """BeforeValidator AfterValidator PlainValidator WrapValidator PlainSerializer WrapSerializer SkipValidation Strict
    Tag Discriminator Predicate AllowInfNan FailFast UrlConstraints""".split()
)
"""Notes of Pydantic that don't say which values are meant, or not so that it can be known."""

EXTRA = ("json_schema_extra", "schema_extra")
"""Arguments that hold keywords of JSON Schema; others that are such keywords (`enum`, `maxLength`) are read, too."""

SILENT = frozenset(
    """alias validation_alias serialization_alias alias_priority init init_var repr compare hash kw_only metadata
    exclude include frozen allow_mutation validate_default validate_all strict coerce_numbers_to_str
    allow_inf_nan fail_fast union_mode discriminator deprecated field_title_generator model_title_generator
    annotation include_in_schema embed media_type convert_underscores openapi_examples env primary_key
    strip_whitespace to_lower to_upper curtail_length
    foreign_key ondelete unique index nullable sa_type sa_column sa_column_args sa_column_kwargs""".split()
)
"""Arguments of Field that don't say which values are meant, or that are read elsewhere; `nullable` is a column's."""

_REFUSED = {
    "max_digits": "write `ge` and `le`",
    "decimal_places": "write `multiple_of`, or say it in the description",
}
_FACTORIES: Mapping[str, Any] = {"list": [], "dict": {}, "str": "", "tuple": []}


def is_field(node: ast.expr) -> bool:
    """Whether an expression is `Field(…)`, `field(…)` or the same with a module before it.

    >>> is_field(ast.parse("pydantic.Field(ge=0)", mode="eval").body)
    True
    """
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in ("Field", "field", "Query", "Body", "Path", "StringConstraints")


def with_field(schema: JSONSchema, node: ast.expr) -> tuple[JSONSchema, bool]:
    """The schema with what a Field call says, its default included; and whether there is a default.

    >>> with_field({"type": "string"}, ast.parse("Field('x', max_length=3)", mode="eval").body)
    ({'type': 'string', 'maxLength': 3, 'default': 'x'}, True)
    """
    assert isinstance(node, ast.Call)
    schema, default, optional, const = dict(schema), MISSING, False, None
    for value in node.args[:1]:
        default, optional = _default(value)
    for keyword in node.keywords:
        name = keyword.arg or ""
        if name == "default":
            default, optional = _default(keyword.value)
        elif name == "default_factory":
            optional, default = True, _FACTORIES.get(getattr(keyword.value, "id", ""), MISSING)
        elif name == "const":
            const = literal(keyword.value)
        elif name in WORDS:
            schema[WORDS[name]] = literal(keyword.value) if name == "examples" else words(keyword.value)
        elif name in BOUNDS:
            bound = literal(keyword.value)
            schema = schema if bound is None else _constrained(schema, BOUNDS[name], bound)
        elif name in EXTRA:
            schema |= _keywords(keyword.value, literal(keyword.value) or {})
        elif name in KEPT and name not in SILENT:
            schema |= _keywords(keyword.value, {name: literal(keyword.value)})
        elif name not in SILENT:
            raise _unknown(node, keyword)
    if const is not None and not isinstance(const, bool):
        schema["const"] = const
    if const is True:
        if default is MISSING:
            raise Unreadable(node, "`const` without a default", 'write `Literal["a"]` as the type')
        schema |= choice([default])
    if default is None:
        schema = with_null(schema)
    if default is not MISSING:
        schema["default"] = default
    return schema, optional or default is not MISSING


def with_default(schema: JSONSchema, node: ast.expr | None) -> tuple[JSONSchema, bool]:
    """The schema with a default, `Field(…)` included, and whether a call may leave the value out; raises Unreadable.

    A default that only a run of the program tells isn't in the schema.

    >>> with_default({"type": "integer"}, ast.parse("3", mode="eval").body)
    ({'type': 'integer', 'default': 3}, True)
    """
    if node is None:
        return schema, "default" in schema
    if is_field(node):
        return with_field(schema, node)
    if is_dots(node):
        return schema, True
    if isinstance(node, ast.Call) and any(map(is_dots, node.args)):  # `Argument(...)`, `Form(...)`: it must be given
        return schema, False
    value, _ = _default(node)
    if value is MISSING:
        return schema, True
    return {**(with_null(schema) if value is None else schema), "default": value}, True


def _keywords(node: ast.expr, given: Any) -> JSONSchema:
    """Keywords of JSON Schema that a Field adds to its schema, in their normal form."""

    def refuse(path: str, message: str, fix: str) -> Unreadable:
        return Unreadable(node, f"{path.lstrip('.') or 'here'}: {message}", fix)

    for error in normalise(given, "", refuse):
        raise error
    found: JSONSchema = given
    return found


def _unknown(node: ast.Call, keyword: ast.keyword) -> Unreadable:
    """The error for an argument of Field that may say which values are meant."""
    if keyword.arg is None:
        shown = f"what `**{written(keyword.value)[:40]}` holds isn't known"
        return Unreadable(keyword.value, shown, "write the arguments out")
    message = f"the argument `{keyword.arg[:40]}` of `{called(node.func)}` isn't read"
    if keyword.arg in _REFUSED:
        return Unreadable(keyword.value, f"`{keyword.arg}` isn't enforced", _REFUSED[keyword.arg])
    close = get_close_matches(keyword.arg, [*BOUNDS, *WORDS, *KEPT], 1)
    fix = f"did you mean `{close[0]}`?" if close else "say it in the description, or leave it out"
    return Unreadable(keyword.value, message, fix)


def _default(node: ast.expr) -> tuple[Any, bool]:
    """The value of a default, or MISSING where it isn't known; and whether there is one."""
    try:
        return (MISSING, False) if is_dots(node) else (literal(node), True)
    except Unknown:
        return MISSING, True


def _constrained(schema: JSONSchema, keywords: Mapping[str, str], value: Any) -> JSONSchema:
    """The schema with a bound on every option that it is about: `int | float | None` has two."""
    fitting = (None, *keywords)
    options = schema.get("anyOf", ())
    if any(option.get("type") in fitting for option in options):
        bound = [_constrained(one, keywords, value) if one.get("type") in fitting else one for one in options]
        return {**schema, "anyOf": bound}
    return {**schema, keywords.get(schema.get("type", ""), next(iter(keywords.values()))): value}


def alias_of(annotation: ast.expr | None, default: ast.expr | None) -> str | None:
    """What a call names the argument, where its Field says so; as in Pydantic, `validation_alias` counts first.

    >>> alias_of(None, ast.parse("Field(alias='from')", mode="eval").body)
    'from'
    """
    notes = annotation.slice if isinstance(annotation, ast.Subscript) else None
    fields = [default, *(notes.elts if isinstance(notes, ast.Tuple) and called(annotation) == "Annotated" else ())]
    given = {
        keyword.arg: keyword.value.value
        for node in reversed(fields)
        if isinstance(node, ast.Call) and is_field(node)
        for keyword in node.keywords
        if isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str)
    }
    return given.get("validation_alias") or given.get("alias")


def called(node: ast.expr | None) -> str:
    """The last part of a name, without what is in its brackets.

    >>> called(ast.parse("typing.Annotated[int, 3]", mode="eval").body)
    'Annotated'
    """
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def renamed(schema: JSONSchema, names: Mapping[str, str]) -> JSONSchema:
    """An object's schema with other names for some of its properties.

    >>> renamed({"properties": {"sender": {}}, "required": ["sender"]}, {"sender": "from"})
    {'properties': {'from': {}}, 'required': ['from']}
    """
    if not names:
        return schema
    found = {**schema, "properties": {names.get(name, name): part for name, part in schema["properties"].items()}}
    if "required" in schema:
        found["required"] = [names.get(name, name) for name in schema["required"]]
    return found


def annotated(schema: JSONSchema, notes: list[ast.expr]) -> JSONSchema:
    """The schema with the notes of `Annotated[int, "the side", Field(ge=0), Le(9)]`; raises Unreadable."""
    for note in map(_as_field, notes):
        if isinstance(note, ast.Constant) and isinstance(note.value, str):
            schema["description"] = literal(note)
        elif is_field(note):
            schema, _ = with_field(schema, note)
        elif isinstance(note, ast.Constant | ast.UnaryOp) and not is_dots(note):  # LangChain: a default, and then words
            schema["default"] = literal(note)
        elif called(note.func if isinstance(note, ast.Call) else note) not in _NOTES and not is_dots(note):
            message = f"`{ast.unparse(note)[:40]}` can't be read here"
            raise Unreadable(note, message, "only a description in quotes or `Field(…)` may follow the type")
    return schema


def _as_field(note: ast.expr) -> ast.expr:
    """A note of another package as the Field that says the same: `Ge(0)` → `Field(ge=0)`, `Doc("x")` → `"x"`."""
    if isinstance(note, ast.Call) and called(note.func) == "Doc" and note.args:
        return note.args[0]
    names = _ANNOTATED_TYPES.get(called(note.func)) if isinstance(note, ast.Call) else None
    if not isinstance(note, ast.Call) or names is None:
        return note
    bounds = [ast.keyword(name, value) for name, value in zip(names, note.args, strict=False)]
    return ast.copy_location(ast.Call(ast.Name("Field"), [], [*bounds, *note.keywords]), note)
