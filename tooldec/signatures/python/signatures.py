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

import re
from collections.abc import Container, Iterator, Mapping
from functools import partial
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.listings.other_shapes import callable_name
from tooldec.signatures.python.class_tools import class_tools
from tooldec.signatures.python.classes import Scope
from tooldec.signatures.python.cutting import cut
from tooldec.signatures.python.docstrings import described, types
from tooldec.signatures.python.fields import renamed
from tooldec.signatures.python.header import Definition, Header
from tooldec.signatures.python.literals import Unreadable
from tooldec.signatures.python.metadata import is_marked, told
from tooldec.signatures.python.parameter_schemas import asked, error_of, given, with_type
from tooldec.signatures.python.parameters import offset
from tooldec.signatures.python.registrations import Making, each_made, makings
from tooldec.signatures.python.scopes import scope_of
from tooldec.signatures.schemas import object_of
from tooldec.signatures.source import Item, Source, quoted
from tooldec.tools import Tool

_SIGNATURE = re.compile(r"^[ \t\ufeff]*+(?:async[ \t]++)?(?:(?:def|class)\b|[^\W\d][\w. \t-]*+\()", re.MULTILINE)


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
    pieces = cut(source)  # types may be used before they are defined
    definitions = [piece for piece in pieces if isinstance(piece, Definition)]
    scope = yield from scope_of(source, definitions)
    functions = [piece for piece in pieces if isinstance(piece, Header)]
    known = makings(source, {header.name for header in functions} | scope.nodes.keys(), beside or ())
    made = known.of
    elsewhere = known.foreign or ([] if functions or scope.nodes else known.listed)
    others = [_of_elsewhere(source, *one, scope) for one in (elsewhere if beside is None else ())]
    whole = beside is not None or any(isinstance(one, Tool) for one in others)
    helpers = {header.start for header in _helpers(source, functions, made, whole)}
    for piece in pieces:
        if isinstance(piece, SignatureError) and beside is None:
            yield piece
        elif isinstance(piece, Header) and piece.start not in helpers:
            yield from each_made(made.get(piece.name, ()), partial(_tool, source, piece, scope))
    yield from others
    classes = [definition for definition in definitions if definition.name in made]
    if classes or (len(functions) == len(helpers) and not whole):
        yield from class_tools(source, classes or definitions, scope, made)


def left_out(source: Source) -> list[Header]:
    """The functions of a program that aren't tools, for a decorator, a wrapper or a list makes tools of others.

    >>> [header.name for header in left_out(Source.of("@tool\\ndef f(): ...\\ndef g(): ..."))]
    ['g']
    """
    pieces = cut(source)
    functions = [piece for piece in pieces if isinstance(piece, Header)]
    names = {piece.name for piece in pieces if isinstance(piece, Header | Definition)}
    return _helpers(source, functions, makings(source, names).of)


def _helpers(source: Source, functions: list[Header], made: Mapping[str, Any], beside: bool = False) -> list[Header]:
    """The functions that only help those that are tools, or classes that are, or tools `beside` them."""
    marked = {header.start for header in functions if header.name in made or is_marked(source, header)}
    others = [header for header in functions if header.start not in marked]
    if not beside:
        others = [header for header in others if _is_defined(source, header)]
    return others if marked or made or beside else []


def _of_elsewhere(source: Source, name: str, making: Making, scope: Scope) -> Item:
    """A tool that is made of a function which the text doesn't define: an error, but where its arguments are said."""
    header = Header(name, making.start, making.start, making.start, "")
    try:
        if given(source, header, told(source, header, scope, making), scope) is not None:
            return _tool(source, header, scope, making)
    except SignatureError as error:
        return error
    fix = f"paste the function with the program, or write `{callable_name(name)}(query: str)`"
    message = f"the function of the tool {quoted(name)} isn't defined in this text"
    return source.error(message, making.start, fix, tool=name)


def _is_defined(source: Source, header: Header) -> bool:
    """Whether a signature is a `def`, and no line of its own."""
    return source.text[max(header.start - 40, 0) : header.start].split()[-1:] == ["def"]


def _tool(source: Source, header: Header, scope: Scope, making: Making | None) -> Tool:
    said = told(source, header, scope, making)
    scope.followed = 0
    try:
        found = asked(source, header, said, scope)
        defined = scope.definitions(found.properties)
    except Unreadable as error:
        raise error_of(source, error, offset(source, header, error.node), header.name) from None
    except (RecursionError, MemoryError):
        raise source.nested_too_deep(header.start) from None
    properties, notes = found.properties, {**types(header.description), **said.types}
    for name in properties.keys() & notes.keys():
        properties[name] = with_type(properties[name], notes[name], name in found.untyped)
    for name in properties.keys() & said.words.keys():
        properties[name] = {"description": said.words[name], **properties[name]}
    description, properties = described(header.description, properties, found.left_out)
    parameters = object_of(properties, found.required, title=header.title, **{"$defs": defined})
    parameters = renamed({**found.more, **parameters}, found.names)
    return said.of(Tool(header.name, description, parameters, *source.place(header.start)), source)
