"""Parameters that the framework fills and the model never sees: `ctx: Context`, `Annotated[dict, InjectedState]`."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterable

from tooldec.signatures.python.fields import called
from tooldec.signatures.python.frameworks import INJECTED
from tooldec.signatures.python.syntax import quoted_expression

_IMPORTED = re.compile(r"^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^()]*\)|[^\n(]*)", re.MULTILINE)
_RENAMED = re.compile(rf"\b(?:{'|'.join(INJECTED)})[ \t]+as[ \t]+(\w+)")
"""`from mcp_agent.core.context import Context as AppContext`"""


def filled(text: str, defined: Iterable[str]) -> frozenset[str]:
    """What a text calls the types of INJECTED, but for those that it defines itself.

    >>> sorted({"Context", "Ctx"} & filled("from fastmcp import Context as Ctx", ["Context"]))
    ['Ctx']
    """
    renamed = (name for imported in _IMPORTED.findall(text) for name in _RENAMED.findall(imported))
    return INJECTED.union(renamed).difference(defined)


def is_filled(annotation: ast.expr | None, default: ast.expr | None, filled: Container[str]) -> bool:
    """Whether a parameter's type or default is one that a framework fills.

    >>> (function,) = ast.parse("def f(a: Context | None, b: Annotated[int, InjectedToolArg()], c: int): ...").body
    >>> [is_filled(one.annotation, None, INJECTED) for one in function.args.args]
    [True, True, False]
    """
    if isinstance(default, ast.Call) and called(default.func) in filled:
        return True
    return annotation is not None and _is_type(annotation, filled)


def _is_type(node: ast.expr, filled: Container[str]) -> bool:
    node = quoted_expression(node) or node
    if isinstance(node, ast.BinOp):
        return _is_type(node.left, filled) or _is_type(node.right, filled)
    name = called(node)
    if isinstance(node, ast.Subscript) and name in ("Optional", "Union", "Annotated"):
        first, *others = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name == "Annotated":
            others = [one.func if isinstance(one, ast.Call) else one for one in others]
            return _is_type(first, filled) or any(called(one) in filled for one in others)
        return any(_is_type(one, filled) for one in (first, *others))
    return called(node) in filled
