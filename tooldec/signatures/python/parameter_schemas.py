"""The parameters of one Python tool as JSON Schema: those of its signature, or what it is given beside that.

def book(city: str, days: int = 3, ctx: Context = None, **more: Unpack[Options])
→  city, days, and the fields of the text's `Options`; `ctx` is the framework's to fill
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from keyword import iskeyword
from unicodedata import normalize

from tooldec.errors import SignatureError
from tooldec.signatures.python.annotations import UNTYPED, schema_of_default
from tooldec.signatures.python.classes import Scope
from tooldec.signatures.python.fields import alias_of, is_field, with_default
from tooldec.signatures.python.frameworks import INJECTED_NAMES
from tooldec.signatures.python.given_schemas import given_types
from tooldec.signatures.python.header import Header
from tooldec.signatures.python.injected import is_filled
from tooldec.signatures.python.literals import Unreadable, is_dots, written
from tooldec.signatures.python.metadata import Told
from tooldec.signatures.python.parameters import in_order, offset, parsed, unpacked
from tooldec.signatures.python.syntax import place
from tooldec.signatures.schemas import KINDS, JSONSchema, with_null
from tooldec.signatures.source import Source, as_one, quoted

_CHOSEN = frozenset(("enum", "const", "format", "pattern"))
_OWN = ("type", "properties", "required", "title", "description")


def error_of(source: Source, unreadable: Unreadable, at: int, tool: str = "") -> SignatureError:
    """The error for a part of a tool that can't be read, at its place; to be raised by the caller."""
    kind = "type" if unreadable.word else "syntax"
    more = {"kind": kind, "word": unreadable.word, "replacement": unreadable.replacement, "tool": tool}
    return source.error(unreadable.message, at, unreadable.fix, **more)


@dataclass(slots=True)
class Asked:
    """The parameters of a signature.

    untyped     those without a type
    names       those that a call names otherwise, and how
    left_out    those that the framework fills
    more        what else is said of the object
    """

    properties: dict[str, JSONSchema] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    untyped: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)
    more: JSONSchema = field(default_factory=dict)


def asked(source: Source, header: Header, said: Told, scope: Scope) -> Asked:
    """What a tool asks for; raises Unreadable, or SignatureError where its signature can't be read.

    >>> source = Source.of("f(a: int, b=1)")
    >>> asked(source, Header("f", 0, 1, 14, ""), Told(), Scope()).required
    ['a']
    """
    found = given(source, header, said, scope) or _parameters(source, header, scope)
    if header.owner is not None and not found.properties:  # Agency Swarm: `run(self)` works with the class's fields
        found = _of_object(given_types(ast.Name(header.name), scope)) or found
    return found


def given(source: Source, header: Header, said: Told, scope: Scope) -> Asked | None:
    """The parameters that a tool is given beside its function, where the text says them."""
    if said.arguments is None:
        return None
    start, node = said.arguments
    try:
        return _of_object(given_types(node, scope))
    except Unreadable as error:
        at = error.node if isinstance(node, ast.Dict) and isinstance(error.node, ast.expr) else node
        raise error_of(source, error, start + place(source.text, start, at), header.name) from None


def _of_object(schema: JSONSchema | None) -> Asked | None:
    if schema is None:
        return None
    more = {key: value for key, value in schema.items() if key not in _OWN}
    return Asked(dict(schema.get("properties", {})), list(schema.get("required", ())), more=more)


def with_type(schema: JSONSchema, said: JSONSchema, untyped: bool) -> JSONSchema:
    """A parameter's schema with the type that the docstring gives: to each of `*values`, and to one without a type.

    A default has to be of that type; and a string that has a type already gets the choices alone.
    """
    if "x-variadic" in schema:
        return {**schema, "items": said} if untyped else schema
    if not untyped and not (schema.get("type") == "string" == said.get("type") and _CHOSEN.isdisjoint(schema)):
        return schema
    default = schema.get("default")
    if "enum" in said and default is not None and default not in said["enum"]:
        return schema
    if default is not None and "enum" not in said and said.get("type") != KINDS.get(type(default)):
        return schema
    kept = {key: value for key, value in schema.items() if key not in ("type", "anyOf")}
    return {**(with_null(said) if "default" in schema and default is None else said), **kept}


def _parameters(source: Source, header: Header, scope: Scope) -> Asked:
    """What a signature asks for; raises Unreadable, or SignatureError where ast can't read it."""
    found = Asked()
    taken: set[str] = set()
    errors: list[SignatureError] = []
    arguments = parsed(source, header)
    for argument, default in in_order(arguments):
        if argument.arg in INJECTED_NAMES or is_filled(argument.annotation, default, scope.filled):
            found.left_out.add(argument.arg)
            continue
        alias = alias_of(argument.annotation, default)
        try:
            schema, optional = _schema(argument, default, scope)
        except Unreadable as error:
            errors.append(error_of(source, error, offset(source, header, error.node), header.name))
            continue
        if argument is arguments.vararg:
            schema, optional = {"type": "array", "items": schema, "x-variadic": True}, True
        start = offset(source, header, argument)
        name = source.text[start : start + len(argument.arg)]
        if " " in name and name.replace(" ", "_") == argument.arg:
            schema = {**(schema if argument.annotation else {"type": "string"}), "title": name}
            name = argument.arg
        elif not iskeyword(name) and normalize("NFKC", name) != argument.arg:
            name = argument.arg  # ast has normalised a name of another length: `é` may be two characters
        elif header.title and argument.annotation is None and "default" not in schema:
            schema = {"type": "string"}  # relations in words, such as `capital of(country)`, take words
        if name in found.properties or (alias or name) in taken:
            raise Unreadable(argument, f"two parameters are called {quoted(name)}", "rename one of them")
        found.properties[name] = schema
        taken.add(alias or name)
        if alias is not None:
            found.names[name] = alias
        if argument.annotation is None:
            found.untyped.add(name)
        if not optional:
            found.required.append(name)
    if (type := unpacked(arguments)) is not None:
        try:
            more = scope.schema_of(type)
        except Unreadable as error:
            errors.append(error_of(source, error, offset(source, header, error.node), header.name))
        else:
            if "properties" not in more or not taken.isdisjoint(more["properties"]):
                message = f"{quoted(written(type))} has no fields that could be further arguments here"
                raise Unreadable(type, message, "write a TypedDict with other names")
            found.properties |= more["properties"]
            found.required += more.get("required", ())
    if errors:
        raise as_one(errors)
    return found


def _schema(argument: ast.arg, default: ast.expr | None, scope: Scope) -> tuple[JSONSchema, bool]:
    """The schema of one parameter, its default included, and whether a call may leave it out."""
    schema = None if argument.annotation is None else scope.schema_of(argument.annotation)
    default = scope.value(default)
    if schema is None:
        bare = default is None or is_field(default) or is_dots(default)
        schema = dict(UNTYPED) if bare or default is None else schema_of_default(default)
    return with_default(schema, default)
