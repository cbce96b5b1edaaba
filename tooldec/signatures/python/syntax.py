"""Python's own parser, without its remarks on the user's escapes, such as "\\d", and the places of what it read."""

from __future__ import annotations

import ast
import warnings
from threading import Lock
from typing import Any, TypeVar

_QUIET = Lock()
"""What is done with warnings is a matter of the whole process: readers in several threads take turns."""

UNREAD = (SyntaxError, ValueError, RecursionError, MemoryError)
"""What `ast.parse` raises where it can't read a text."""

Node = TypeVar("Node", bound=ast.AST)


def module(text: str, type_comments: bool = False) -> ast.Module:
    """The statements of a text; raises what `ast.parse` does.

    >>> [type(one).__name__ for one in module("a = 1").body]
    ['Assign']
    """
    tree = _parsed(text, type_comments=type_comments)
    assert isinstance(tree, ast.Module)
    return tree


def statements(text: str) -> list[ast.stmt] | None:
    """The statements of a text; None where Python can't read it.

    >>> len(statements("a = 1; f()")), statements("f(a: int)")
    (2, None)
    """
    try:
        return module(text).body
    except UNREAD:
        return None


def expression(text: str) -> ast.expr:
    """The expression that a text is; raises what `ast.parse` does."""
    tree = _parsed(text, mode="eval")
    assert isinstance(tree, ast.Expression)
    return tree.body


def quoted_expression(node: ast.expr) -> ast.expr | None:
    """What a text in quotes says, `"Place | None"`, each part at the place of the quotes; None where it is no code.

    >>> ast.unparse(quoted_expression(ast.Constant("Place|None"))), quoted_expression(ast.Constant("a place"))
    ('Place | None', None)
    """
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return None
    try:
        return placed(expression(node.value.strip()), node)
    except (SyntaxError, ValueError):
        return None


def placed(tree: Node, node: ast.AST) -> Node:
    """A tree that was parsed elsewhere, or made, each part at the place of `node`."""
    for part in ast.walk(tree):
        ast.copy_location(part, node)
    return tree


def argument_types(text: str) -> list[ast.expr]:
    """The types of the arguments in a type comment; raises what `ast.parse` does.

    >>> [ast.unparse(one) for one in argument_types("(int, *str) -> None")]
    ['int', 'str']
    """
    tree = _parsed(text, mode="func_type")
    assert isinstance(tree, ast.FunctionType)
    return tree.argtypes


def _parsed(text: str, **how: Any) -> ast.AST:
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree: ast.AST = ast.parse(text, **how)
        return tree


def place(text: str, start: int, node: ast.AST) -> int:
    """How far from `start` a part of the text that was parsed from there stands; ast counts columns in bytes.

    >>> place("é: int = (é, 5)", 3, expression("int"))
    0
    """
    line = start
    for _ in range(getattr(node, "lineno", 1) - 1):
        line = text.index("\n", line) + 1
    end = text.find("\n", line)
    row = text[line : end if end >= 0 else len(text)].encode()
    return line - start + len(row[: getattr(node, "col_offset", 0)].decode(errors="ignore"))
