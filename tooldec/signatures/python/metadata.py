"""What a host is told of a Python tool beside its signature: by decorators, and by the class that it is.

    @mcp.tool(name="get_forecast", description="Gets it.")      Told("get_forecast", …, "Gets it.")
    def forecast(city: str): ...

    class Counter(Tool):                                        Told("download_counter", …, types={"task": {…}},
        name = "download_counter"                                    words={"task": "which"})
        inputs = {"task": {"type": "string", "description": "which"}}
        def forward(self, task): ...

A name of other signs than words, `.`, `-`, `:` and `/` becomes one that can be called, and is kept as the tool's title.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from tooldec.signatures.listings.other_shapes import callable_name
from tooldec.signatures.python.classes import Scope
from tooldec.signatures.python.fields import called
from tooldec.signatures.python.frameworks import KEYWORDS, makes_tool
from tooldec.signatures.python.header import NAMED_DECORATOR, Header
from tooldec.signatures.python.literals import Unreadable, literal, written
from tooldec.signatures.python.registrations import Making
from tooldec.signatures.python.scanner import past
from tooldec.signatures.python.syntax import place, statements
from tooldec.signatures.schemas import KINDS, JSONSchema
from tooldec.signatures.source import Source, quoted
from tooldec.tools import Tool

_CALLABLE = re.compile(r"[^\W\d][\w.:/-]*")
_TYPES = (*KINDS.values(), "array", "object")
_QUOTES = re.compile(r"[rRuU]?(?:\"\"\"|'''|\"|')|")


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of one tool.

    name         what a call names it, and None where it is the function's name
    start        the offset where that name stands
    description  in place of the docstring's
    title        the name as it was written, where it can't be called so
    types        what type some parameters have
    words        the descriptions of some parameters
    arguments    what the parameters are (see `given_types`), and the offset where its text starts
    """

    name: str | None = None
    start: int = 0
    description: str | None = None
    title: str = ""
    types: Mapping[str, JSONSchema] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    arguments: tuple[int, ast.expr] | None = None

    def of(self, tool: Tool, source: Source) -> Tool:
        """The tool as a call names it, with what is said of it here."""
        line, column = (tool.line, tool.column) if self.name is None else source.place(self.start)
        description = tool.description if self.description is None else self.description
        parameters = {**tool.parameters, **({"title": self.title} if self.title else {})}
        return Tool(self.name or tool.name, description, parameters, line, column)


def told(source: Source, header: Header, scope: Scope, making: Making | None = None) -> Told:
    """What decorators, the class and what a program makes of a function say of a tool.

    Raises SignatureError for a name that is neither in quotes nor a constant of the text.

    >>> text = "@tool('search-tool')\\ndef search(query: str): ..."
    >>> found = told(Source.of(text), Header("search", 25, 31, 43, "", decorators=((0, 20),)), Scope())
    >>> found.name, text[found.start :][:11]
    ('search-tool', 'search-tool')
    """
    found: dict[str, Any] = {}
    made = [] if making is None else [(making.start, word) for word in making.said]
    for start, node in (*_said(source, header), *made):
        kind, value = KEYWORDS.get(node.arg or ""), node.value
        if kind == "name" or kind == "description":
            constant = _known(value, scope)
            if kind == "description":
                found |= {"description": inspect.cleandoc(constant).strip()} if isinstance(constant, str) else {}
            elif isinstance(constant, str):
                at = start + place(source.text, start, value)
                found |= _named(constant, past(_QUOTES, source.text, at))
            elif constant is not None:
                message = f"the name of this tool is {quoted(written(value))}, which isn't known here"
                fix = "write the name itself, in quotes"
                raise source.error(message, start + place(source.text, start, value), fix)
        elif kind == "arguments":
            found["arguments"] = start, value
        elif kind == "inputs":
            found |= _inputs(value)
    return Told(**found)


def _known(node: ast.expr, scope: Scope) -> Any:
    """What an expression is worth by the text's constants; `...` where that isn't known."""
    try:
        return literal(scope.value(deepcopy(node)) or node)
    except (Unreadable, RecursionError):
        return ...


def is_marked(source: Source, header: Header) -> bool:
    """Whether a decorator, or the class that it is, makes a function a tool.

    >>> text = "@mcp.tool\\ndef search(query: str): ..."
    >>> is_marked(Source.of(text), Header("search", 14, 20, 32, "", decorators=((0, 9),)))
    True
    """
    if header.owner is not None:
        return True
    for start, end in header.decorators:
        found = NAMED_DECORATOR.match(source.text, start, end)  # most decorators, and to parse each takes its time
        if makes_tool(found["name"]) if found else _decorator(source.text[start + 1 : end]) is not None:
            return True
    return False


@lru_cache(maxsize=1_024)
def _decorator(text: str) -> ast.expr | None:
    """A decorator that makes a tool, from behind its `@` on; None for any other. Many have the same text."""
    parsed = statements(text.rstrip())
    node = parsed[0].value if parsed and isinstance(parsed[0], ast.Expr) else None
    name = "" if node is None else called(node.func if isinstance(node, ast.Call) else node)
    return node if makes_tool(name) else None


def _named(written: str, start: int) -> dict[str, Any]:
    """The fields of Told for a name; none where it has no letters."""
    name = written if _CALLABLE.fullmatch(written) else callable_name(written)
    return {"name": name, "start": start, "title": "" if name == written else written} if name else {}


def _said(source: Source, header: Header) -> Iterator[tuple[int, ast.keyword]]:
    """Each thing that is said, under the name of its field, and where the text starts that its places count from."""
    for start, end in header.decorators:
        node = _decorator(source.text[start + 1 : end])
        if isinstance(node, ast.Call):
            positional = node.args if _begins_with_name(node.args) else []
            given = map(ast.keyword, ("name", "description", "args_schema"), positional)
            for keyword in (*given, *node.keywords):
                yield start + 1, keyword
    if header.owner is not None:
        start, end = header.owner
        for one in statements(source.text[start:end].rstrip()) or ():
            if isinstance(one, ast.ClassDef):
                yield from ((start, word) for word in _said_by_class(one, source.text[header.parameters : header.end]))


def _said_by_class(node: ast.ClassDef, parameters: str) -> Iterator[ast.keyword]:
    """What a class says of the tool that it is: by its base, its attributes, and what it gives its base.

    class Add(BaseTool[AddArgs, int]):                   args_schema=AddArgs
        name = "add"                                     name="add"
        def __init__(self):
            super().__init__(description="Adds.")        description="Adds."
        def run(self, args: AddArgs): ...                the `parameters`, which have to be of that type
    """
    for base in node.bases:
        kinds = base.slice.elts if isinstance(base, ast.Subscript) and isinstance(base.slice, ast.Tuple) else []
        if kinds and isinstance(kinds[0], ast.Name) and re.search(rf":\s*[\"']?{kinds[0].id}\b", parameters):
            yield ast.keyword("args_schema", kinds[0])
    for statement in node.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
        value = getattr(statement, "value", None)
        if isinstance(target, ast.Name) and value is not None:
            yield ast.keyword(target.id, value)
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            for call in (one.value for one in statement.body if isinstance(one, ast.Expr)):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__":
                    texts = [one for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                    yield from map(ast.keyword, ("name", "description"), texts)
                    yield from (word for word in call.keywords if _is_known(word))


def _is_known(word: ast.keyword) -> bool:
    """Whether what a class gives its base is said here, and no argument of its own: `name=name`."""
    return not (isinstance(word.value, ast.Name) and word.value.id == word.arg)


def _begins_with_name(arguments: list[ast.expr]) -> bool:
    """Whether a decorator's first argument is a name: in quotes, put together, or a constant."""
    if not arguments:
        return False
    node, name = arguments[0], called(arguments[0])
    return isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp) or (name.isupper() and name.isidentifier())


def _inputs(node: ast.expr) -> dict[str, Any]:
    """What smolagents' `inputs` say, where they are plain: `{"city": {"type": "string", "description": "where"}}`."""
    try:
        given = literal(node)
    except Unreadable:
        return {}
    entries = {name: one for name, one in given.items() if isinstance(one, dict)} if isinstance(given, dict) else {}
    types = {name: {"type": one["type"]} for name, one in entries.items() if one.get("type") in _TYPES}
    words = {name: one["description"] for name, one in entries.items() if isinstance(one.get("description"), str)}
    return {"types": types, "words": words}
