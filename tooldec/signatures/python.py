"""Python signatures → tools: `def` lines with or without colon and body, and bare calls.

Each signature is completed to `def _(…): ...` and parsed with `ast`; nothing is ever executed.

    def square(side: int): "area"    Tool("square", "area", {"type": "object",
                                →      "properties": {"side": {"type": "integer"}}, "required": ["side"]})
    multiply(a, b)                   two numbers: a parameter without a type is `annotations.UNTYPED`

What isn't said of an argument is read so: no type → a number, as in the paper's math tools, or else the type of
its default; a default → a call may leave it out (`= ...` says so without naming a value, and so does what only a
run of the program tells: `= now()`); `= None` → null is allowed too; `*args: T` → an array marked
`"x-variadic": true`. A first `self` or `cls` is no argument, but `cls: str` is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from keyword import iskeyword
from typing import Any
from unicodedata import normalize

from tooldec.errors import SignatureError
from tooldec.signatures.annotations import UNTYPED, schema_of_default
from tooldec.signatures.classes import Scope
from tooldec.signatures.docstrings import described, types
from tooldec.signatures.enums import bases
from tooldec.signatures.fields import alias_of, is_field, renamed, with_default
from tooldec.signatures.filled import BY_NAME, is_filled
from tooldec.signatures.given_types import given_types
from tooldec.signatures.headers import CLASS, Definition, Header, headers
from tooldec.signatures.makings import Making, makings
from tooldec.signatures.parameters import in_order, offset, parsed
from tooldec.signatures.scopes import scope_of
from tooldec.signatures.shapes import callable_name
from tooldec.signatures.source import MAX_ERRORS, MAX_TOOLS, Item, Source, as_one, quoted
from tooldec.signatures.told import Told, is_marked, place, told
from tooldec.signatures.values import KINDS, JSONSchema, Unreadable, is_dots, with_null
from tooldec.tools import Tool

_SIGNATURE = re.compile(r"^[ \t\ufeff]*+(?:async[ \t]++)?(?:(?:def|class)\b|[^\W\d][\w. \t-]*+\()", re.MULTILINE)
_CHOSEN = frozenset(("enum", "const", "format", "pattern"))
_OWN = ("type", "properties", "required", "title", "description")
DATA_ENUM = re.compile(r"(?:Enum|Flag)\Z")


def recognises(text: str) -> bool:
    """Whether some line begins like a signature."""
    return _SIGNATURE.search(text) is not None


def items(source: Source, beside: Container[int] | None = None) -> Iterator[Item]:
    """The tools of a text of Python signatures, and an error with its place for each one that can't be read.

    beside    where the calls start that make other tools, which are read elsewhere: beside those a function is a tool
              only where the text makes it one

    >>> [tool.signature() for tool in items(Source.of("def add(a: int, b: int = 0)"))]
    ['add(a: int, b: int = 0)']
    """
    pieces = list(islice(headers(source), MAX_TOOLS + MAX_ERRORS))  # types may be used before they are defined
    definitions = [piece for piece in pieces if isinstance(piece, Definition)]
    scope = yield from scope_of(source, definitions)
    functions = [piece for piece in pieces if isinstance(piece, Header)]
    made, foreign = makings(source, {header.name for header in functions} | scope.nodes.keys(), beside or ())
    helpers = {header.start for header in _helpers(source, functions, made, beside is not None)}
    for piece in pieces:
        if isinstance(piece, SignatureError) and beside is None:
            yield piece
        elif isinstance(piece, Header) and piece.start not in helpers:
            yield from _tools(source, piece, scope, made.get(piece.name, ()))
    if beside is None:
        yield from (_of_elsewhere(source, *one) for one in foreign)
    classes = [definition for definition in definitions if definition.name in made]
    if classes or (len(functions) == len(helpers) and beside is None):
        yield from _class_tools(source, classes or definitions, scope)


def left_out(source: Source) -> list[Header]:
    """The functions of a program that aren't tools, for a decorator, a wrapper or a list makes tools of others.

    >>> [header.name for header in left_out(Source.of("@tool\\ndef f(): ...\\ndef g(): ..."))]
    ['g']
    """
    pieces = list(islice(headers(source), MAX_TOOLS + MAX_ERRORS))
    functions = [piece for piece in pieces if isinstance(piece, Header)]
    names = {piece.name for piece in pieces if isinstance(piece, Header | Definition)}
    return _helpers(source, functions, makings(source, names)[0])


def _helpers(source: Source, functions: list[Header], made: Mapping[str, Any], beside: bool = False) -> list[Header]:
    """The functions that only help those that are tools, or classes that are, or tools `beside` them."""
    marked = {header.start for header in functions if header.name in made or is_marked(source, header)}
    others = [header for header in functions if header.start not in marked]
    if not beside:
        others = [header for header in others if _is_defined(source, header)]
    return others if marked or made or beside else []


def _tools(source: Source, header: Header, scope: Scope, made: Sequence[Making]) -> Iterator[Item]:
    """The tools that a program makes of a function; one, if nothing else is said."""
    names: set[str] = set()
    for making in made or (None,):
        try:
            tool = _tool(source, header, scope, making)
        except SignatureError as error:
            yield error
            return
        if not made or tool.name not in names:
            yield tool
        names.add(tool.name)


def _of_elsewhere(source: Source, name: str, start: int) -> SignatureError:
    """The error for a tool that is made of a function which the text doesn't define."""
    fix = f"paste the function with the program, or write `{callable_name(name)}(query: str)`"
    return source.error(f"the function of the tool {quoted(name)} isn't defined in this text", start, fix, tool=name)


def _is_defined(source: Source, header: Header) -> bool:
    """Whether a signature is a `def`, and no line of its own."""
    return source.text[max(header.start - 40, 0) : header.start].split()[-1:] == ["def"]


def _class_tools(source: Source, definitions: list[Definition], scope: Scope) -> Iterator[Item]:
    """A text of classes alone: a tool for each class that no other uses."""
    found: list[Item] = []
    for definition in definitions:
        node = scope.nodes.get(definition.name) if CLASS.match(source.text, definition.start) else None
        if not isinstance(node, ast.ClassDef) or any(map(DATA_ENUM.search, bases(node))):
            continue
        place = source.text.find(definition.name, definition.start)
        scope.followed = 0
        try:
            read = scope.read(definition.name)
            if isinstance(read, Unreadable):
                raise read
            if read.schema.get("type") != "object":
                continue  # a type, and no tool
            schema = dict(read.schema)
            defined = scope.definitions(schema)
        except (RecursionError, MemoryError):
            found.append(source.nested_too_deep(place))
            continue
        except Unreadable as error:
            at = source.lines[source.place(definition.start)[0] - 1 + getattr(error.node, "lineno", 1) - 1]
            at += getattr(error.node, "col_offset", 0)
            found.append(_error(source, error, max(at, definition.start)))
            continue
        description = schema.pop("description", "")
        del schema["title"]
        schema |= {"$defs": defined} if defined else {}
        found.append(Tool(definition.name, description, schema, *source.place(place)))
    yield from (item for item in found if not (isinstance(item, Tool) and item.name in scope.used))


def _tool(source: Source, header: Header, scope: Scope, making: Making | None) -> Tool:
    said = told(source, header, scope, making)
    scope.followed = 0
    try:
        found = _given(source, header, said, scope) or _parameters(source, header, scope)
        if header.owner is not None and not found.properties:  # Agency Swarm: `run(self)` works with the class's fields
            found = _of_object(given_types(ast.Name(header.name), scope)) or found
        defined = scope.definitions(found.properties)
    except Unreadable as error:
        raise _error(source, error, offset(source, header, error.node), header.name) from None
    except (RecursionError, MemoryError):
        raise source.nested_too_deep(header.start) from None
    properties, notes = found.properties, {**types(header.description), **said.types}
    for name in properties.keys() & notes.keys():
        properties[name] = _with_type(properties[name], notes[name], name in found.untyped)
    for name in properties.keys() & said.words.keys():
        properties[name] = {"description": said.words[name], **properties[name]}
    description, properties = described(header.description, properties, found.left_out)
    parameters: dict[str, Any] = {**found.more, "type": "object", "properties": properties}
    parameters |= {"required": found.required} if found.required else {}
    parameters |= {"title": said.title or header.title} if said.title or header.title else {}
    parameters |= {"$defs": defined} if defined else {}
    description = description if said.description is None else said.description
    line, column = source.place(header.start if said.name is None else said.start)
    return Tool(said.name or header.name, description, renamed(parameters, found.names), line, column)


def _error(source: Source, unreadable: Unreadable, at: int, tool: str = "") -> SignatureError:
    kind = "type" if unreadable.word else "syntax"
    more = {"kind": kind, "word": unreadable.word, "replacement": unreadable.replacement, "tool": tool}
    return source.error(unreadable.message, at, unreadable.fix, **more)


def _given(source: Source, header: Header, said: Told, scope: Scope) -> _Parameters | None:
    """The parameters that a tool is given beside its function, where the text says them."""
    if said.arguments is None:
        return None
    start, node = said.arguments
    try:
        return _of_object(given_types(node, scope))
    except Unreadable as error:
        at = error.node if isinstance(node, ast.Dict) and isinstance(error.node, ast.expr) else node
        raise _error(source, error, start + place(source.text, start, at), header.name) from None


def _of_object(schema: JSONSchema | None) -> _Parameters | None:
    if schema is None:
        return None
    more = {key: value for key, value in schema.items() if key not in _OWN}
    return _Parameters(dict(schema.get("properties", {})), list(schema.get("required", ())), more=more)


def _with_type(schema: JSONSchema, said: JSONSchema, untyped: bool) -> JSONSchema:
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


@dataclass(slots=True)
class _Parameters:
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


def _parameters(source: Source, header: Header, scope: Scope) -> _Parameters:
    """What a signature asks for; raises Unreadable, or SignatureError where ast can't read it."""
    found = _Parameters()
    taken: set[str] = set()
    errors: list[SignatureError] = []
    arguments = parsed(source, header)
    for argument, default in in_order(arguments):
        if argument.arg in BY_NAME or is_filled(argument.annotation, default, scope.nodes):
            found.left_out.add(argument.arg)
            continue
        alias = alias_of(argument.annotation, default)
        try:
            schema, optional = _schema(argument, default, scope)
        except Unreadable as error:
            errors.append(_error(source, error, offset(source, header, error.node), header.name))
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
