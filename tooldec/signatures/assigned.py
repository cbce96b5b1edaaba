"""Lists of tools as programs write them: `tools = [{"type": "function", …}]` in Python or JavaScript → JSON tools.

    tools = [                                     Tool("now", "The time.", …)
        {'name': 'now', 'strict': True},     →
    ]
    const tools = [{ name: "now" }];              Tool("now", …)

A Python list or dictionary of plain values is read with `ast`, one of JavaScript by `js_values`; neither is executed.
What a longer program of Python defines is the matter of `program_data`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.listings import json_tools
from tooldec.signatures.located import List
from tooldec.signatures.python import program_data, signatures
from tooldec.signatures.python.classes import Scope
from tooldec.signatures.python.literals import Unreadable
from tooldec.signatures.python.program_data import program
from tooldec.signatures.python.syntax import module
from tooldec.signatures.python.tree_values import MAKES, PLAIN, TreeValues
from tooldec.signatures.source import Item, Source
from tooldec.signatures.typescript import fragments, js_values

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


def recognises(text: str) -> bool:
    """Whether a name gets a list or a dictionary, or a list is written as Python or JavaScript writes it.

    >>> recognises("tools = [{'name': 'now'}]"), recognises("[{name: 'now'}]"), recognises('[{"name": "now"}]')
    (True, True, False)
    """
    start = text[:20_000]
    if fragments.begins(start if len(start) == len(text) else start + text[-200:]):
        return not _CODE.search(text)
    written = _ASSIGNED.match(start) or _WRITTEN.match(start) or _BARE_KEY.match(start)
    return (written is not None and not _CODE.search(text)) or program(text) is not None


def items(source: Source) -> Iterator[Item]:
    """The tools of the list, with the places of their names.

    >>> [tool.name for tool in items(Source.of("tools = [{'name': 'now', 'strict': True}]"))]
    ['now']
    """
    if fragments.begins(source.text):
        yield from json_tools.items_of(fragments.read(source), source)
        return
    found = _ASSIGNED.match(source.text)
    start = found.end() if found else 0
    written = source.text[start:].rstrip().removesuffix(";")
    if _is_json(written):
        yield from json_tools.items(Source.of(_blank(source.text[:start]) + written))
        return
    if (known := program(source.text)) is not None:
        yield from program_data.items(known, source)
        return
    try:
        value = _python(source, start)
    except SignatureError:
        if MAKES.search(source.text, start) and (elsewhere := list(signatures.items(source))):
            yield from elsewhere  # tools that are made of functions
            return
        if not (_SCRIPT.search(source.text[:start]) or _BARE_KEY.match(source.text, start)):
            raise
        value = js_values.read(source, start)
    yield from json_tools.items_of(value, source, start)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _blank(text: str) -> str:
    """The same number of lines and columns, with nothing in them."""
    return re.sub(r"[^\n]", " ", text)


def _python(source: Source, start: int) -> Any:
    """The tools that a text assigns, or is; raises SignatureError where it isn't Python, or more than plain values."""
    message, fix = "this list can't be read as plain values", PLAIN
    values = TreeValues(source, Scope())
    try:
        return _values(source.text, values)
    except Unreadable as problem:
        line, column = source.place(values.offset(problem.node))
        message, fix = f"{message}: {problem.message}", problem.fix
    except SyntaxError as problem:
        line, column = problem.lineno or source.place(start)[0], problem.offset or 1
    except (ValueError, RecursionError, MemoryError, TypeError):
        line, column = source.place(start)
    raise SignatureError(message, line=line, column=column, fix=fix)


def _values(text: str, known: TreeValues) -> List:
    """The values that a text assigns or is; raises Unreadable where there are others, or more than plain values."""
    values: list[tuple[Any, int]] = []
    for statement in module(text).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        value = getattr(statement, "value", None)
        if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr) or value is None:
            raise Unreadable(statement, "this statement does more than give a value a name", PLAIN)
        if not (isinstance(statement, ast.Expr) and isinstance(value, ast.Constant)):  # what a module says of itself
            read = known.of(value)
            listed = isinstance(read, List)
            tools = list(zip(read, read.places, strict=True)) if listed else [(read, known.offset(value))]
            if not all(isinstance(one, dict) for one, _ in tools):
                raise Unreadable(value, "these values aren't tools", PLAIN)
            values += tools
    return List(values)
