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
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from keyword import iskeyword, kwlist
from threading import Lock
from typing import Any
from unicodedata import normalize

from tooldec.errors import SignatureError
from tooldec.signatures.annotations import ANNOTATIONS, UNTYPED, schema_of_default
from tooldec.signatures.classes import Scope, bases, class_schema, with_default
from tooldec.signatures.docstrings import described, types
from tooldec.signatures.fields import alias_of, is_field, renamed
from tooldec.signatures.headers import Definition, Header, Piece, headers
from tooldec.signatures.scanner import STRING
from tooldec.signatures.source import MAX_ERRORS, MAX_TOOLS, Item, Source, quoted
from tooldec.signatures.values import JSONSchema, Unreadable, literal, with_null
from tooldec.tools import Tool

_SIGNATURE = re.compile(r"^[ \t\ufeff]*+(?:async[ \t]++)?(?:(?:def|class)\b|[^\W\d][\w. \t-]*+\()", re.MULTILINE)
_QUIET = Lock()  # catch_warnings changes the whole process: readers in several threads take turns
_PREFIX = "def _"  # stands before the parameter list of every signature that is parsed
# A parameter called `from` or `class` is fine for a tool, but not for ast.
_KEYWORDS = "|".join(word for word in kwlist if word not in ("None", "True", "False"))
_KEYWORD = re.compile(rf"(?:{STRING}|#[^\n]*+)|(?P<before>[(,][\s*]*+)(?P<word>{_KEYWORDS})\b(?=\s*+[:=,)])", re.DOTALL)
_SPACED = re.compile(
    rf"(?:{STRING}|#[^\n]*+)|(?P<before>[(,]\s*+)(?P<words>[^\W\d]\w*+(?:[ \t]++\w++)+)(?=\s*+[:=,)])", re.DOTALL
)
_DEFINES = re.compile(r"^[ \t]*(?:class\b|(?:type[ \t]+)?\w++[^\n=(]*+=[ \t]*[\w.]+\[)", re.MULTILINE)
DATA_ENUM = re.compile(r"(?:Enum|Flag)\Z")
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


def items(source: Source) -> Iterator[Item]:
    """The tools of a text of Python signatures, and an error with its place for each one that can't be read.

    >>> [tool.signature() for tool in items(Source.of("def add(a: int, b: int = 0)"))]
    ['add(a: int, b: int = 0)']
    """
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ast's remarks on the user's escapes, such as "\d"
        pieces: Iterable[Piece] = headers(source)
        definitions: list[Definition] = []
        if _DEFINES.search(source.text):  # types may be used before they are defined
            pieces = list(islice(pieces, MAX_TOOLS + MAX_ERRORS))
            definitions = [piece for piece in pieces if isinstance(piece, Definition)]
        scope = yield from _scope(source, definitions)
        functions = False
        for piece in pieces:
            functions = functions or isinstance(piece, Header)
            try:
                if isinstance(piece, Header):
                    yield _tool(source, piece, scope)
                elif isinstance(piece, SignatureError):
                    yield piece
            except SignatureError as error:
                yield error
        if not functions:
            yield from _class_tools(source, definitions, scope)


def _scope(source: Source, definitions: list[Definition]) -> Generator[SignatureError, None, Scope]:
    """The types that a text defines; an error for each one that Python can't read."""
    nodes: dict[str, ast.ClassDef | ast.expr] = {}
    for definition in definitions:
        written = source.text[definition.start : definition.end].removeprefix("type ")
        try:
            (statement,) = ast.parse(written).body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 1
            at = min(source.lines[source.place(definition.start)[0] - 1 + line - 1 :][:1] or [0])
            fix = "write each field as `name: type = default`, one on a line"
            yield source.error(f"the type `{definition.name}` can't be read", max(at, definition.start), fix)
            continue
        if isinstance(statement, ast.ClassDef):
            nodes[definition.name] = statement
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            nodes[definition.name] = statement.value
    return Scope(nodes)


def _class_tools(source: Source, definitions: list[Definition], scope: Scope) -> Iterator[Item]:
    """A text of classes alone: a tool for each class that no other uses."""
    found: list[Item] = []
    for definition in definitions:
        node = scope.nodes.get(definition.name)
        if not isinstance(node, ast.ClassDef) or any(map(DATA_ENUM.search, bases(node))):
            continue
        place = source.text.find(definition.name, definition.start)
        scope.followed = 0
        try:
            schema = class_schema(node, scope)
        except (RecursionError, MemoryError):
            found.append(source.nested_too_deep(place))
            continue
        except Unreadable as error:
            at = source.lines[source.place(definition.start)[0] - 1 + getattr(error.node, "lineno", 1) - 1]
            at += getattr(error.node, "col_offset", 0)
            more = {"kind": "type" if error.word else "syntax", "word": error.word, "replacement": error.replacement}
            found.append(source.error(error.message, max(at, definition.start), error.fix, **more))
            continue
        description = schema.pop("description", "")
        del schema["title"]
        found.append(Tool(definition.name, description, schema, *source.place(place)))
    yield from (item for item in found if not (isinstance(item, Tool) and item.name in scope.used))


def _tool(source: Source, header: Header, scope: Scope) -> Tool:
    line, column = source.place(header.start)
    scope.followed = 0
    try:
        parameters, untyped, names = _parameters(source, header, scope)
    except Unreadable as error:
        place = _offset(source, header, error.node)
        more = {"kind": "type" if error.word else "syntax", "word": error.word, "replacement": error.replacement}
        raise source.error(error.message, place, error.fix, **more) from None
    except (RecursionError, MemoryError):
        raise source.nested_too_deep(header.start) from None
    properties = parameters["properties"]
    if untyped and header.description:
        said = types(header.description)
        properties |= {name: _with_type(properties[name], said[name]) for name in untyped if name in said}
    description, parameters["properties"] = described(header.description, properties)
    if header.title:
        parameters["title"] = header.title
    return Tool(header.name, description, renamed(parameters, names), line, column)


def _with_type(schema: JSONSchema, said: JSONSchema) -> JSONSchema:
    """The schema of a parameter without a type, with the type that the docstring gives: to each of `*values`."""
    if "x-variadic" in schema:
        return {**schema, "items": said}
    kept = {key: value for key, value in schema.items() if key not in ("type", "anyOf")}
    return {**(with_null(said) if "default" in schema else said), **kept}


def _parameters(source: Source, header: Header, scope: Scope) -> tuple[dict[str, Any], set[str], dict[str, str]]:
    """The schema of the arguments object, the parameters that have no type, and those that have an alias.

    Raises Unreadable, or SignatureError where ast can't read it.
    """
    properties: dict[str, JSONSchema] = {}
    required: list[str] = []
    untyped: set[str] = set()
    names: dict[str, str] = {}
    taken: set[str] = set()
    for argument, alias, schema, needed in _arguments(_parsed(source, header), scope):
        start = _offset(source, header, argument)
        name = source.text[start : start + len(argument.arg)]
        if " " in name and name.replace(" ", "_") == argument.arg:
            schema = {**(schema if argument.annotation else {"type": "string"}), "title": name}
            name = argument.arg
        elif not iskeyword(name) and normalize("NFKC", name) != argument.arg:
            name = argument.arg  # ast has normalised a name of another length: `é` may be two characters
        elif header.title and argument.annotation is None and "default" not in schema:
            schema = {"type": "string"}  # relations in words, such as `capital of(country)`, take words
        if name in properties or (alias or name) in taken:
            raise Unreadable(argument, f"two parameters are called {quoted(name)}", "rename one of them")
        properties[name] = schema
        taken.add(alias or name)
        if alias is not None:
            names[name] = alias
        if argument.annotation is None and schema.get("default") is None:
            untyped.add(name)
        if needed:
            required.append(name)
    parameters: dict[str, Any] = {"type": "object", "properties": properties}
    return ({**parameters, "required": required} if required else parameters), untyped, names


def _arguments(arguments: ast.arguments, scope: Scope) -> Iterator[tuple[ast.arg, str | None, JSONSchema, bool]]:
    """Each argument in order, with its alias, its schema and whether a call must give it."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    for index, (argument, default) in enumerate(zip(positional, [*missing, *arguments.defaults], strict=True)):
        bare = argument.annotation is None and default is None
        if not (index == 0 and bare and argument.arg in ("self", "cls")):
            schema, optional = _schema(argument, default, scope)
            yield argument, alias_of(argument.annotation, default), schema, not optional
    if arguments.vararg is not None:
        items, _ = _schema(arguments.vararg, None, scope)
        yield arguments.vararg, None, {"type": "array", "items": items, "x-variadic": True}, False
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        schema, optional = _schema(argument, default, scope)
        yield argument, alias_of(argument.annotation, default), schema, not optional
    if arguments.kwarg is not None:
        raise Unreadable(
            arguments.kwarg,
            f"`**{arguments.kwarg.arg}`: the names of these arguments aren't known before the call",
            f"name each argument, or take one object: `{arguments.kwarg.arg}: dict`",
        )


def _schema(argument: ast.arg, default: ast.expr | None, scope: Scope) -> tuple[JSONSchema, bool]:
    """The schema of one parameter, its default included, and whether a call may leave it out."""
    schema = None if argument.annotation is None else scope.schema_of(argument.annotation)
    if schema is None:
        bare = default is None or is_field(default) or (isinstance(default, ast.Constant) and default.value is ...)
        schema = dict(UNTYPED) if bare or default is None else schema_of_default(literal(default))
    return with_default(schema, default)


def _parsed(source: Source, header: Header) -> ast.arguments:
    written = source.text[header.parameters : header.end]
    try:
        return _ast(written)
    except SyntaxError as error:
        problem = error
    for changed in (_KEYWORD.sub(_without_keyword, written), _SPACED.sub(_without_spaces, written)):
        if changed != written:
            try:
                return _ast(changed)
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


def _without_spaces(found: re.Match[str]) -> str:
    """`(event name` → `(event_name`: the same length here, too."""
    words = found["words"]
    if words is None or any(word in ANNOTATIONS or len(word) < 2 for word in words.split()):
        return found[0]
    return found["before"] + re.sub(r"[ \t]", "_", words)


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
