"""Lists of tools as programs write them: `tools = [{"type": "function", …}]` in Python or JavaScript → JSON tools.

    tools = [                                     Tool("now", "The time.", …)
        {'name': 'now', 'strict': True},     →
    ]

A Python list or dictionary of plain values is read with `ast` and never executed; a list that is JSON is read as JSON.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures import json_tools
from tooldec.signatures.source import Item, Source

_ASSIGNED = re.compile(
    r"\A\ufeff?(?:[ \t]*(?:\#[^\n]*|//[^\n]*|(?:from|import)[ \t][^\n]*)?\n)*"
    r"[ \t]*(?:(?:export[ \t]+)?(?:const|let|var)[ \t]+)?[A-Za-z_$][\w$.]*[ \t]*(?::[^=\n]{1,60})?=[ \t]*(?=[\[{])"
)
_WRITTEN = re.compile(
    r"""\A\ufeff?\s*(?:\[\s*)?\{\s*'|\A\ufeff?\s*\[?\s*\{.{0,2000}:\s*(?:True|False|None)\b""", re.DOTALL
)
_CODE = re.compile(r"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]", re.MULTILINE)
_FIX = "write plain values only: texts, numbers, True, False, None, lists and dictionaries; nothing is executed"


def recognises(text: str) -> bool:
    """Whether a name gets a list or a dictionary, or a list is written as Python writes it.

    >>> recognises("tools = [{'name': 'now'}]"), recognises("[{'name': 'now'}]"), recognises('[{"name": "now"}]')
    (True, True, False)
    """
    start = text[:20_000]
    return bool(_ASSIGNED.match(start) or _WRITTEN.match(start)) and not _CODE.search(text)


def items(source: Source) -> Iterator[Item]:
    """The tools of the list, with the places of their names.

    >>> [tool.name for tool in items(Source.of("tools = [{'name': 'now', 'strict': True}]"))]
    ['now']
    """
    found = _ASSIGNED.match(source.text)
    start = found.end() if found else 0
    try:
        value = _value(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError) as problem:
        text = source.text[start:].rstrip().removesuffix(";")
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            message = "this list can't be read as plain values"
            if not isinstance(problem, SyntaxError):
                raise source.error(message, start, _FIX) from None
            line = problem.lineno or source.place(start)[0]
            raise SignatureError(message, line=line, column=problem.offset or 1, fix=_FIX) from None
        yield from json_tools.items(Source.of(_blank(source.text[:start]) + text))
        return
    at = start
    for item in json_tools.items(Source.of(json.dumps(value, ensure_ascii=False))):
        if isinstance(item, SignatureError):
            line, column = source.place(at)
            yield SignatureError(item.message, line=line, column=column, fix=item.fix, kind=item.kind)
            continue
        place = re.compile(rf"""["']{re.escape(item.name)}["']""").search(source.text, at)
        at = place.start() + 1 if place else at
        line, column = source.place(at)
        yield replace(item, line=line, column=column)


def _blank(text: str) -> str:
    """The same number of lines and columns, with nothing in them."""
    return re.sub(r"[^\n]", " ", text)


def _value(text: str) -> Any:
    """The one value that a text assigns or is; raises ValueError where there are others, or more than plain values."""
    values = []
    for statement in ast.parse(text.removeprefix("\ufeff")).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        value = getattr(statement, "value", None)
        if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr) or value is None:
            raise ValueError("more than values")
        if not (isinstance(statement, ast.Expr) and isinstance(value, ast.Constant)):  # what a module says of itself
            values.append(ast.literal_eval(value))
    tools = [one for value in values for one in (value if isinstance(value, list) else [value])]
    if not all(isinstance(one, dict) for one in tools):
        raise ValueError("no tools")
    return tools
