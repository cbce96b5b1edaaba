"""Python signatures → tools: `def` lines with or without colon and body, and bare calls.

Each signature is completed to `def _(…): ...` and parsed with `ast`; nothing is ever executed.

    def square(side: int): "area"    Tool("square", "area", {"type": "object",
                                →      "properties": {"side": {"type": "integer"}}, "required": ["side"]})
    multiply(a, b)                   two numbers: a parameter without a type is `annotations.UNTYPED`

What isn't said of an argument is read so: no type → a number, as in the paper's math tools, or else the type of
its default; a default → a call may leave it out (`= ...` says so without naming a value); `= None` → null is
allowed too; `*args: T` → an array marked `"x-variadic": true`. An untyped first `self` or `cls` is no argument.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from keyword import kwlist
from threading import Lock
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.annotations import (
    UNTYPED,
    JSONSchema,
    Unreadable,
    literal,
    schema_of,
    schema_of_default,
    with_null,
)
from tooldec.signatures.headers import STRING, Header, headers
from tooldec.signatures.source import Source, inventory, quoted
from tooldec.tools import Tool

_SIGNATURE = re.compile(r"^[ \t\ufeff]*+(?:async[ \t]++)?(?:def\b|[^\W\d][\w.]*+[ \t]*+\()", re.MULTILINE)
_QUIET = Lock()  # catch_warnings changes the whole process: readers in several threads take turns
_PREFIX = "def _"  # stands before the parameter list of every signature that is parsed
# A parameter called `from` or `class` is fine for a tool, but not for ast.
_KEYWORDS = "|".join(word for word in kwlist if word not in ("None", "True", "False"))
_KEYWORD = re.compile(rf"(?:{STRING}|#[^\n]*+)|(?P<before>[(,][\s*]*+)(?P<word>{_KEYWORDS})\b(?=\s*+[:=,)])", re.DOTALL)
_FIXES = (
    ("default", "give it a default too, move it forward, or write `*,` before it"),
    ("forgot a comma", "write a comma between two parameters"),
    ("non-printable", "retype it: it looks like a space, but isn't one"),
    ("invalid character", "retype it: signatures are written with plain quotes, brackets and commas"),
    ("", "write each parameter as `name: type = default`, with commas between them"),
)


def recognises(text: str) -> bool:
    """Whether some line begins like a signature."""
    return _SIGNATURE.search(text) is not None


def read(text: str) -> tuple[Tool, ...]:
    """The tools of a text of Python signatures; raises SignatureError with line and column.

    >>> [tool.signature() for tool in read("def add(a: int, b: int = 0)")]
    ['add(a: int, b: int = 0)']
    """
    source = Source.of(text)
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ast's remarks on the user's escapes, such as "\d"
        return inventory(_tool(source, header) for header in headers(source))


def _tool(source: Source, header: Header) -> Tool:
    line, column = source.place(header.start)
    try:
        parameters = _parameters(source, header)
    except Unreadable as error:
        place = _offset(source, header, error.node)
        raise source.error(error.message, place, error.fix) from None
    except (RecursionError, MemoryError):
        raise source.nested_too_deep(header.start) from None
    return Tool(header.name, header.description, parameters, line, column)


def _parameters(source: Source, header: Header) -> dict[str, Any]:
    """The schema of the arguments object; raises Unreadable, or SignatureError where ast can't read it."""
    properties: dict[str, JSONSchema] = {}
    required: list[str] = []
    for argument, schema, needed in _arguments(_parsed(source, header)):
        start = _offset(source, header, argument)
        name = source.text[start : start + len(argument.arg)]
        if not name.isidentifier():
            name = argument.arg  # ast has normalised a name of another length
        if name in properties:
            raise Unreadable(argument, f"two parameters are called {quoted(name)}", "rename one of them")
        properties[name] = schema
        if needed:
            required.append(name)
    parameters: dict[str, Any] = {"type": "object", "properties": properties}
    return {**parameters, "required": required} if required else parameters


def _arguments(arguments: ast.arguments) -> Iterator[tuple[ast.arg, JSONSchema, bool]]:
    """Each argument in order, with its schema and whether a call must give it."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    for index, (argument, default) in enumerate(zip(positional, [*missing, *arguments.defaults], strict=True)):
        bare = argument.annotation is None and default is None
        if not (index == 0 and bare and argument.arg in ("self", "cls")):
            yield argument, _schema(argument, default), default is None
    if arguments.vararg is not None:
        items = _schema(arguments.vararg, None)
        yield arguments.vararg, {"type": "array", "items": items, "x-variadic": True}, False
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield argument, _schema(argument, default), default is None
    if arguments.kwarg is not None:
        raise Unreadable(
            arguments.kwarg,
            f"`**{arguments.kwarg.arg}`: the names of these arguments aren't known before the call",
            f"name each argument, or take one object: `{arguments.kwarg.arg}: dict`",
        )


def _schema(argument: ast.arg, default: ast.expr | None) -> JSONSchema:
    """The schema of one parameter, its default included."""
    schema = None if argument.annotation is None else schema_of(argument.annotation)
    if default is None or (isinstance(default, ast.Constant) and default.value is ...):
        return dict(UNTYPED) if schema is None else schema
    value = literal(default)
    schema = schema_of_default(value) if schema is None else schema
    return {**(with_null(schema) if value is None else schema), "default": value}


def _parsed(source: Source, header: Header) -> ast.arguments:
    written = source.text[header.parameters : header.end]
    try:
        return _ast(written)
    except SyntaxError as error:
        problem = error
    renamed = _KEYWORD.sub(_without_keyword, written)
    if renamed != written:
        try:
            return _ast(renamed)
        except SyntaxError as error:
            problem = error
    raise _syntax_error(source, header, problem)


def _ast(written: str) -> ast.arguments:
    function = ast.parse(f"{_PREFIX}{written}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    return function.args


def _without_keyword(found: re.Match[str]) -> str:
    """`(from` → `(____`: the same length, so that every place stays where it was."""
    return found[0] if found["word"] is None else found["before"] + "_" * len(found["word"])


def _syntax_error(source: Source, header: Header, error: SyntaxError) -> SignatureError:
    start, column = _line_start(source, header, error.lineno or 1)
    offset = min(max(start + (error.offset or 1) - 1 - column, header.parameters), header.end - 1)
    fix = next(fix for phrase, fix in _FIXES if phrase in error.msg)
    here = re.compile(r"\w+|\W").match(source.text, offset)
    message = f"{quoted(here[0])} can't stand here" if here and error.msg == "invalid syntax" else error.msg
    return source.error(message, offset, fix)


def _offset(source: Source, header: Header, node: ast.AST) -> int:
    """Where a part of a parsed signature stands in the text; ast counts columns in bytes."""
    start, column = _line_start(source, header, getattr(node, "lineno", 1))
    count = getattr(node, "col_offset", column) - column
    piece = source.text[start : start + count]
    return start + (count if piece.isascii() else len(piece.encode()[:count].decode(errors="ignore")))


def _line_start(source: Source, header: Header, line: int) -> tuple[int, int]:
    """The offset at which a line of the parsed signature starts in the text, and the column that ast gives it."""
    if line == 1:
        return header.parameters, len(_PREFIX)
    first, _ = source.place(header.parameters)
    return source.lines[min(first + line - 2, len(source.lines) - 1)], 0
