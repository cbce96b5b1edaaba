"""Parameters that the framework fills and the model never sees: `ctx: Context`, `Annotated[dict, InjectedState]`."""

from __future__ import annotations

import ast
from collections.abc import Container

from tooldec.signatures.python.fields import called
from tooldec.signatures.python.frameworks import INJECTED
from tooldec.signatures.python.syntax import quoted_expression


def is_filled(annotation: ast.expr | None, default: ast.expr | None, defined: Container[str]) -> bool:
    """Whether a parameter's type or default is one of INJECTED, and no type that the text itself defines.

    >>> (function,) = ast.parse("def f(a: Context | None, b: Annotated[int, InjectedToolArg()], c: int): ...").body
    >>> [is_filled(one.annotation, None, ()) for one in function.args.args]
    [True, True, False]
    """
    if isinstance(default, ast.Call) and _is_named(default.func, defined):
        return True
    return annotation is not None and _is_type(annotation, defined)


def _is_type(node: ast.expr, defined: Container[str]) -> bool:
    node = quoted_expression(node) or node
    if isinstance(node, ast.BinOp):
        return _is_type(node.left, defined) or _is_type(node.right, defined)
    name = called(node)
    if isinstance(node, ast.Subscript) and name in ("Optional", "Union", "Annotated"):
        first, *others = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name == "Annotated":
            others = [one.func if isinstance(one, ast.Call) else one for one in others]
            return _is_type(first, defined) or any(_is_named(one, defined) for one in others)
        return any(_is_type(one, defined) for one in (first, *others))
    return _is_named(node, defined)


def _is_named(node: ast.expr, defined: Container[str]) -> bool:
    name = called(node)
    return name in INJECTED and name not in defined
