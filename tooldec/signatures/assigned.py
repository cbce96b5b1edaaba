"""Lists of tools as programs write them: `tools = [{"type": "function", …}]` in Python or JavaScript → JSON tools.

    tools = [                                     Tool("now", "The time.", …)
        {'name': 'now', 'strict': True},     →
    ]
    const tools = [{ name: "now" }];              Tool("now", …)

    def list_tools():                             Tool("now", "", …)
        return [Tool(name="now", inputSchema={})]

A Python list or dictionary of plain values is read with `ast`, one of JavaScript by `js_values`; neither is executed.
Where a program defines tools as data, it is those that a model is shown, and not the functions beside them.
"""

from __future__ import annotations

import ast
import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures import js_values, json_tools
from tooldec.signatures.enums import Members
from tooldec.signatures.fields import called
from tooldec.signatures.located import List, Object
from tooldec.signatures.shapes import SCHEMAS
from tooldec.signatures.source import Item, Source, quoted
from tooldec.signatures.syntax import module
from tooldec.signatures.values import Unreadable, doubled, literal, written

_ASSIGNED = re.compile(
    r"\A\ufeff?(?:[ \t]*(?:\#[^\n]*|//[^\n]*|(?:from|import)[ \t][^\n]*)?\n)*"
    r"[ \t]*(?:export[ \t]+default\b|(?:(?:export[ \t]+)?(?:const|let|var)[ \t]+)?"
    r"[A-Za-z_$][\w$.]*[ \t]*(?::[^=\n]{1,60})?=)"
    r"[ \t]*(?=[\[{])"
)
_CONSTANT = r":\s*+(?:True|False|None)\b"
_WRITTEN = re.compile(  # a constant of Python counts outside of texts only: descriptions say `Default: None`
    r"""\A\ufeff?\s*+(?:\[\s*+)?\{(?:\s*+'|"""
    rf"""(?:"(?:[^"\\\n]|\\.)*+(?:"|\Z)|'(?:[^'\\\n]|\\.)*+(?:'|\Z)|(?!{_CONSTANT}).)*+{_CONSTANT})""",
    re.DOTALL,
)
_BARE_KEY = re.compile(
    r"\ufeff?\s*+(?:\[\s*+)?\{\s*+(?:(?://[^\n]*+\n|/\*(?:[^*]|\*(?!/))*+\*/)\s*+)*+[A-Za-z_$][\w$]*+\s*+:", re.DOTALL
)
_SCRIPT = re.compile(r"^[ \t]*(?:export|const|let|var|//|/\*|module\.exports\b)", re.MULTILINE)
_CODE = re.compile(r"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]", re.MULTILINE)
_NAMES = re.compile(r"""["']name["']\s*:""")
_MAKER = re.compile(r"\w*(?:Tool|FunctionDeclaration|(?:Tool|Function)Definition|ToolParam)")
"""What tools are made with: `types.Tool(name="now", inputSchema={})`."""
_MAKES = re.compile(rf"\b{_MAKER.pattern}\(")
_WIDE = re.compile(r"[^\x00-\x7f]")
_FIX = "write plain values only: texts, numbers, True, False, None, lists and dictionaries; nothing is executed"


def recognises(text: str) -> bool:
    """Whether a name gets a list or a dictionary, or a list is written as Python or JavaScript writes it.

    >>> recognises("tools = [{'name': 'now'}]"), recognises("[{name: 'now'}]"), recognises('[{"name": "now"}]')
    (True, True, False)
    """
    start = text[:20_000]
    written = _ASSIGNED.match(start) or _WRITTEN.match(start) or _BARE_KEY.match(start)
    return (written is not None and not _CODE.search(text)) or bool(_program(text))


def items(source: Source) -> Iterator[Item]:
    """The tools of the list, with the places of their names.

    >>> [tool.name for tool in items(Source.of("tools = [{'name': 'now', 'strict': True}]"))]
    ['now']
    """
    program = _program(source.text)
    found = _ASSIGNED.match(source.text)
    start = found.end() if found else 0
    try:
        defined = program and _CODE.search(source.text)
        value = _defined(program, source) if defined else _python(source, start)
    except SignatureError as error:
        text = source.text[start:].rstrip().removesuffix(";")
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            if program:
                value = _defined(program, source)
            elif _SCRIPT.search(source.text[:start]) or _BARE_KEY.match(source.text, start):
                value = js_values.read(source, start)
            else:
                raise error from None
        else:
            yield from json_tools.items(Source.of(_blank(source.text[:start]) + text))
            return
    yield from json_tools.items_of(value, source, start)


def _blank(text: str) -> str:
    """The same number of lines and columns, with nothing in them."""
    return re.sub(r"[^\n]", " ", text)


@lru_cache(maxsize=1)
def _program(text: str) -> list[ast.expr]:
    """The tools, or lists of tools, that a program of Python defines as data; none in plain values, which are JSON too.

    >>> [type(node).__name__ for node in _program("def f(): return [Tool(name='now', parameters={})]")]
    ['List']
    """
    begins_as_json = text.lstrip("\ufeff \t\r\n")[:1] in ("[", "{")
    if (begins_as_json or not _NAMES.search(text)) and not _MAKES.search(text):  # long lists aren't read twice
        return []
    try:
        tree = module(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found = [_known(node, tree) for node in _tools_in(tree)]
    plain = all(isinstance(one, ast.Expr) and isinstance(one.value, ast.List | ast.Dict) for one in tree.body)
    made = any(isinstance(one, ast.Call) for each in found for one in ast.walk(each))
    return found if made or not plain else []


def _known(node: ast.expr, tree: ast.Module) -> ast.expr:
    """A tool, or a list of them, with the module's constants and members of its enums in place of their names."""
    values: dict[str, list[ast.expr]] = {}
    for one in tree.body:
        target = one.targets[0] if isinstance(one, ast.Assign) else getattr(one, "target", None)
        value = getattr(one, "value", None)
        if isinstance(target, ast.Name) and value is not None:
            values.setdefault(target.id, []).append(value)
    classes = {one.name: one for one in tree.body if isinstance(one, ast.ClassDef)}
    members = Members(classes, {name: given[0] for name, given in values.items() if len(given) == 1})
    try:
        found: ast.expr = members.visit(node)
    except (Unreadable, RecursionError):  # told where the tool is read
        return node
    return found


def _tools_in(node: ast.AST, inside: bool = False) -> Iterator[ast.expr]:
    """The outermost ones; a lone dictionary inside of a function is what it works with."""
    listed = isinstance(node, ast.List) and any(_is_tool(one) for one in node.elts)
    if isinstance(node, ast.expr) and (listed or (_is_tool(node) and not (inside and isinstance(node, ast.Dict)))):
        yield node
        return
    inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for inner in ast.iter_child_nodes(node):
        if not isinstance(node, ast.AnnAssign) or inner is node.value:
            yield from _tools_in(inner, inside)


def _is_tool(node: ast.expr) -> bool:
    """Whether it says a tool's name and its parameters."""
    if isinstance(node, ast.Call):
        said = {word.arg for word in node.keywords}
        return _MAKER.fullmatch(called(node.func)) is not None and "name" in said and not said.isdisjoint(SCHEMAS)
    if not isinstance(node, ast.Dict):
        return False
    values = {
        key.value: value for key, value in zip(node.keys, node.values, strict=True) if isinstance(key, ast.Constant)
    }
    function = values.get("function")
    if isinstance(function, ast.Dict):
        return _is_tool(function)
    return "name" in values and not values.keys().isdisjoint(SCHEMAS)


def _defined(nodes: list[ast.expr], source: Source) -> List:
    """The values of a program's tools; raises SignatureError where one is more than plain values."""
    offsets = _Offsets(source)
    values: list[tuple[Any, int]] = []
    try:
        for node in nodes:
            parts = node.elts if isinstance(node, ast.List) else [node]
            values += [(_value(part, offsets), offsets.of(part)) for part in parts]
    except Unreadable as problem:
        line, column = source.place(offsets.of(problem.node))
        message = f"this tool can't be read as plain values: {problem.message}"
        raise SignatureError(message, line=line, column=column, fix=problem.fix) from None
    return List(values)


def _python(source: Source, start: int) -> Any:
    """The tools that a text assigns, or is; raises SignatureError where it isn't Python, or more than plain values."""
    message, fix = "this list can't be read as plain values", _FIX
    offsets = _Offsets(source)
    try:
        return _values(source.text, offsets)
    except Unreadable as problem:
        line, column = source.place(offsets.of(problem.node))
        message, fix = f"{message}: {problem.message}", problem.fix
    except SyntaxError as problem:
        line, column = problem.lineno or source.place(start)[0], problem.offset or 1
    except (ValueError, RecursionError, MemoryError, TypeError):
        line, column = source.place(start)
    raise SignatureError(message, line=line, column=column, fix=fix)


class _Offsets:
    """Where the nodes of a syntax tree stand: their columns count bytes, offsets characters."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._wide: dict[
            int, tuple[list[int], list[int]]
        ] = {}  # line -> bytes before its wide characters, and how many more

    def of(self, node: ast.AST) -> int:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        start = self._source.lines[line - 1]
        if self._source.text.isascii():
            return start + column
        at, more = self._line(line)
        return start + column - more[bisect_left(at, column)]

    def _line(self, line: int) -> tuple[list[int], list[int]]:
        if line not in self._wide:
            first, last = [*self._source.lines[line - 1 : line + 1], len(self._source.text)][:2]
            at, more = list[int](), [0]
            for wide in _WIDE.finditer(self._source.text, first, last):
                at.append(wide.start() - first + more[-1])
                more.append(more[-1] + len(wide[0].encode(errors="replace")) - 1)
            self._wide[line] = at, more
        return self._wide[line]


def _values(text: str, offsets: _Offsets) -> List:
    """The values that a text assigns or is; raises Unreadable where there are others, or more than plain values."""
    values: list[tuple[Any, int]] = []
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        value = getattr(statement, "value", None)
        if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr) or value is None:
            raise Unreadable(statement, "this statement does more than give a value a name", _FIX)
        if not (isinstance(statement, ast.Expr) and isinstance(value, ast.Constant)):  # what a module says of itself
            read = _value(value, offsets)
            listed = isinstance(read, List)
            tools = list(zip(read, read.places, strict=True)) if listed else [(read, offsets.of(value))]
            if not all(isinstance(one, dict) for one, _ in tools):
                raise Unreadable(value, "these values aren't tools", _FIX)
            values += tools
    return List(values)


def _value(node: ast.expr, offsets: _Offsets) -> Any:
    """A plain value; raises Unreadable with the first part of it that isn't one."""
    if isinstance(node, ast.List | ast.Tuple):
        return List([(_value(part, offsets), offsets.of(part)) for part in node.elts])
    found = Object()
    if isinstance(node, ast.Call) and _is_tool(node):
        for word in node.keywords:
            if word.arg in ("name", "title", "description", *SCHEMAS):
                found.add(word.arg, _value(word.value, offsets), offsets.of(word.value))
        return found
    if not isinstance(node, ast.Dict):
        return literal(node)
    for key, value in zip(node.keys, node.values, strict=True):
        if not isinstance(key, ast.Constant):
            raise Unreadable(key or value, f"{quoted(written(key or value))} isn't a key in quotes", _FIX)
        name = literal(key)
        if name in found:
            raise doubled(key)
        found.add(name, _value(value, offsets), offsets.of(value))
    return found
