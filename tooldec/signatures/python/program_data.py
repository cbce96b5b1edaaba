"""Tools that a program of Python defines as data, and those functions that it makes tools beside them.

    class City(BaseModel): …
    @server.list_tools()
    async def list_tools():                                           Tool("now", …), Tool("get", …)
        return [Tool(name="now", inputSchema={}),               →
                Tool(name="get", inputSchema=City.model_json_schema())]

Where a program defines tools as data, it is those that a model is shown, and of its functions only the ones that are
made tools: by a decorator, or in a list.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tooldec.signatures.listings import json_tools
from tooldec.signatures.located import List
from tooldec.signatures.python import signatures
from tooldec.signatures.python.classes import Scope
from tooldec.signatures.python.fields import called
from tooldec.signatures.python.frameworks import makes_tool
from tooldec.signatures.python.literals import Unreadable
from tooldec.signatures.python.scopes import defined_name, scope_of_statements
from tooldec.signatures.python.syntax import UNREAD, module
from tooldec.signatures.python.tree_values import MAKES, TreeValues, is_tool
from tooldec.signatures.source import Item, Source
from tooldec.tools import Tool

_NAMES = re.compile(r"""["']name["']\s*:""")
_WORD = re.compile(r"[^\W\d]\w*")
_LONGEST_TYPE = 200
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Program:
    """A program of tools as data.

    data         its tools, or lists of them, each with what is known where it stands
    functions    the names of its functions
    makes        whether it may make tools of those or of classes, too
    """

    data: tuple[tuple[ast.expr, Scope], ...]
    functions: frozenset[str]
    makes: bool


@lru_cache(maxsize=1)
def program(text: str) -> Program | None:
    """What a program of Python defines as data; None where that is no tool, or plain values, which are JSON too.

    >>> [type(node).__name__ for node, _ in program("def f(): return [Tool(name='now', parameters={})]").data]
    ['List']
    """
    begins_as_json = text.lstrip("\ufeff \t\r\n")[:1] in ("[", "{")
    if (begins_as_json or not _NAMES.search(text)) and not MAKES.search(text):  # long lists aren't read twice
        return None
    try:
        tree = module(text)
    except UNREAD:
        return None
    found = list(_tools_in(tree, None))
    plain = all(isinstance(one, ast.Expr) and isinstance(one.value, ast.List | ast.Dict) for one in tree.body)
    if not found or (plain and not any(isinstance(one, ast.Call) for node, _ in found for one in ast.walk(node))):
        return None
    around = _Around(tree)
    scopes = {inside: scope_of_statements(around.of(inside)) for _, inside in found}
    data = tuple((_known(node, scopes[inside]), scopes[inside]) for node, inside in found)
    parts = [one for one in ast.walk(tree) if isinstance(one, ast.Name | ast.Attribute | _Function | ast.ClassDef)]
    functions = frozenset(one.name for one in parts if isinstance(one, _Function))
    defined = functions | {one.name for one in parts if isinstance(one, ast.ClassDef)}
    named = not defined.isdisjoint(called(one) for one in parts if isinstance(one, ast.Name | ast.Attribute))
    return Program(data, functions, named or any(map(_is_marked, parts)))


def _is_marked(node: ast.AST) -> bool:
    """Whether a decorator makes a function a tool."""
    decorators = node.decorator_list if isinstance(node, _Function) else []
    return any(makes_tool(called(one.func if isinstance(one, ast.Call) else one)) for one in decorators)


class _Around:
    """The statements of a program that say what names stand for."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._defining: dict[str, list[ast.stmt]] = {}
        self._names: dict[ast.stmt, set[str]] = {}
        for one in tree.body:
            if (name := defined_name(one)) is not None:
                self._defining.setdefault(name, []).append(one)

    def of(self, function: _Function | None) -> list[ast.stmt]:
        """All of the program's; inside of a function those of names that it leads to, and its own."""
        if function is None:
            return self._tree.body
        found, waiting = dict[ast.stmt, None](), [*self._named(function)]
        known = set(waiting)
        while waiting:
            for one in self._defining.get(waiting.pop(), ()):
                found[one] = None
                waiting += self._named(one) - known
                known |= self._named(one)
        return [*sorted(found, key=lambda one: one.lineno), *function.body]

    def _named(self, statement: ast.stmt) -> set[str]:
        """The names in a statement, quoted types included."""
        if statement not in self._names:
            names = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name)}
            texts = (one.value for one in ast.walk(statement) if isinstance(one, ast.Constant))
            for text in texts:
                names |= set(_WORD.findall(text)) if isinstance(text, str) and len(text) < _LONGEST_TYPE else set()
            self._names[statement] = names
        return self._names[statement]


def _known(node: ast.expr, scope: Scope) -> ast.expr:
    """A tool, or a list of them, with the program's constants and members of its enums in place of their names."""
    try:
        return scope.value(node) or node
    except (Unreadable, RecursionError):  # told where the tool is read
        return node


def _tools_in(node: ast.AST, inside: _Function | None) -> Iterator[tuple[ast.expr, _Function | None]]:
    """The outermost ones, and in which function; a lone dictionary inside of a function is what it works with."""
    listed = isinstance(node, ast.List) and any(map(is_tool, node.elts))
    if isinstance(node, ast.expr) and (listed or (is_tool(node) and not (inside and isinstance(node, ast.Dict)))):
        yield node, inside
        return
    inside = node if isinstance(node, _Function) else inside
    for inner in ast.iter_child_nodes(node):
        if not isinstance(node, ast.AnnAssign) or inner is node.value:
            yield from _tools_in(inner, inside)


def items(found: Program, source: Source) -> Iterator[Item]:
    """The tools of a program's data, an error for each that can't be read, and the functions that it makes tools.

    >>> source = Source.of("@tool\\ndef f(a: int): ...\\nTool(name='now', parameters={})")
    >>> [tool.signature() for tool in items(program(source.text), source)]
    ['f(a: int)', 'now()']
    """
    calls = set[int]()
    values: list[tuple[Any, int]] = []
    read: list[Item] = []
    for node, scope in found.data:
        reader = TreeValues(source, scope)
        for part in node.elts if isinstance(node, ast.List) else [node]:
            if isinstance(part, ast.Name) and part.id in found.functions:
                continue  # read below
            at = reader.offset(part)
            calls |= {at} if isinstance(part, ast.Call) else set()
            try:
                values.append((reader.of(part), at))
            except Unreadable as problem:
                message = f"this tool can't be read as plain values: {problem.message}"
                read.append(source.error(message, reader.offset(problem.node), problem.fix))
            except RecursionError:
                read.append(source.nested_too_deep(at))
    read += json_tools.items_of(List(values), source)
    names = {item.name for item in read if isinstance(item, Tool)}
    made = signatures.items(source, calls) if found.makes else ()
    read += (item for item in made if not (isinstance(item, Tool) and item.name in names))
    yield from sorted(read, key=lambda item: (item.line or 0, item.column or 0))
