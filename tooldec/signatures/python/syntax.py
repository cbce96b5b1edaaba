"""Python's own parser, without its remarks on the user's escapes, such as "\\d"."""

from __future__ import annotations

import ast
import warnings
from threading import Lock

_QUIET = Lock()
"""What is done with warnings is a matter of the whole process: readers in several threads take turns."""


def module(text: str, type_comments: bool = False) -> ast.Module:
    """The statements of a text; raises what `ast.parse` does.

    >>> [type(one).__name__ for one in module("a = 1").body]
    ['Assign']
    """
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, type_comments=type_comments)


def expression(text: str) -> ast.expr:
    """The expression that a text is; raises what `ast.parse` does."""
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body


def argument_types(text: str) -> list[ast.expr]:
    """The types of the arguments in a type comment; raises what `ast.parse` does.

    >>> [ast.unparse(one) for one in argument_types("(int, *str) -> None")]
    ['int', 'str']
    """
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="func_type").argtypes


def place(text: str, start: int, node: ast.expr) -> int:
    """How far from `start` a part of the text that was parsed from there stands; ast counts columns in bytes."""
    line = start
    for _ in range(node.lineno - 1):
        line = text.index("\n", line) + 1
    end = text.find("\n", line)
    row = text[line : end if end >= 0 else len(text)].encode()
    return line - start + len(row[: node.col_offset].decode(errors="ignore"))
