"""Literal values of a Python text, and what can't be read of it: numbers, texts, lists; nothing is executed."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tooldec.signatures.schemas import JSONSchema
from tooldec.signatures.source import MAX_DIGITS, quoted

_ELSEWHERE = {"true": "True", "false": "False", **dict.fromkeys(("null", "none", "nil", "undefined"), "None")}
"""Words of other languages → what Python calls them."""
_TOO_LARGE = 10**MAX_DIGITS  # infinity is larger, too


@dataclass(frozen=True, slots=True)
class Defined:
    """A type that the text defines, put by `classes.py` where its name stood."""

    schema: JSONSchema


class Unreadable(Exception):
    """A part of a signature that can't be read; it becomes a SignatureError where its place is known."""

    def __init__(self, node: ast.AST, message: str, fix: str, word: str = "", replacement: str | None = None) -> None:
        self.node, self.message, self.fix, self.word, self.replacement = node, message, fix, word, replacement
        super().__init__(message)


class Unknown(Unreadable):
    """A value that only a run of the program tells: `MAX`, `now()`, `60 * 60`."""


def is_dots(node: ast.expr) -> bool:
    """Whether `...` stands there."""
    return isinstance(node, ast.Constant) and node.value is ...


def literal(node: ast.expr) -> Any:
    """The JSON value that a literal stands for: a default, or a member of `Literal[…]`; raises Unreadable or Unknown.

    >>> literal(ast.parse("[1, -2.5, None]", mode="eval").body)
    [1, -2.5, None]
    """
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [literal(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        keys = [key for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        if len(keys) == len(node.values):
            members: dict[str, Any] = {}
            for key, part in zip(keys, node.values, strict=True):
                name = literal(key)
                if name in members:
                    raise doubled(key)
                members[name] = literal(part)
            return members
    value, sign = node, 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
        value, sign = node.operand, -1 if isinstance(node.op, ast.USub) else 1
    found = value.value if isinstance(value, ast.Constant) else ...
    if isinstance(found, int | float) and not isinstance(found, bool) and abs(found) < _TOO_LARGE:
        return sign * found
    if value is node and (found is None or isinstance(found, bool)):
        return found
    if value is node and isinstance(found, str):
        return whole_characters(node, found)
    if (text := _joined(node)) is not None:
        return whole_characters(node, text)
    message = f"{quoted(written(node))} isn't a literal value"
    if isinstance(node, ast.Name) and (meant := _ELSEWHERE.get(node.id.lower())):
        raise Unreadable(node, message, f"write `{meant}`")
    kind = Unreadable if isinstance(found, int | float) else Unknown
    fix = "write a number, a text in quotes, True, False, None or a list of these; nothing is executed"
    raise kind(node, message, fix)


def words(node: ast.expr, read: Callable[[ast.expr], Any] = literal) -> Any:
    """A text that only describes; of one that is put together when the program runs, what is known.

    >>> words(ast.parse("f'such as {zone}'", mode="eval").body)
    'such as {zone}'
    """
    try:
        return read(node)
    except Unknown:
        pass
    parts = node.values if isinstance(node, ast.JoinedStr) else []
    known = (part.value if isinstance(part, ast.Constant) else f"{{{written(_inside(part))}}}" for part in parts)
    return "".join(map(str, known))


def _inside(part: ast.expr) -> ast.expr:
    return part.value if isinstance(part, ast.FormattedValue) else part


def _joined(node: ast.expr) -> str | None:
    """The text that several make: `"a" + "b"`, `f"a{'b'}"`, `dedent("a")`; None where a part of it isn't known.

    >>> _joined(ast.parse("'a' + 'b'.strip()", mode="eval").body)
    'ab'
    """
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Call):
        inner = node.func.value if isinstance(node.func, ast.Attribute) and not node.args else None
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        parts = [inner, *node.args] if inner is not None else node.args
        done = _DONE.get(name) if len(parts) == 1 and not node.keywords else None
        text = None if done is None else _joined(parts[0])
        return None if done is None or text is None else done(text)
    if isinstance(node, ast.JoinedStr):
        plain = [one.value if isinstance(one, ast.FormattedValue) else one for one in node.values]
        if any(
            isinstance(one, ast.FormattedValue) and (one.format_spec or one.conversion != -1) for one in node.values
        ):
            return None
        texts = [_joined(one) for one in plain]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        texts = [_joined(node.left), _joined(node.right)]
    else:
        return None
    known = [text for text in texts if text is not None]
    return "".join(known) if len(known) == len(texts) else None


_DONE: Mapping[str, Callable[[str], str]] = {
    "dedent": textwrap.dedent,
    "cleandoc": inspect.cleandoc,
    "strip": str.strip,
}
"""Functions and methods of texts that are done where they are read: `textwrap.dedent("…")`, `"…".strip()`."""


def doubled(key: ast.expr) -> Unreadable:
    """The error for a key that stands twice in one dictionary."""
    return Unreadable(key, f"the key {quoted(written(key))} stands twice in one dictionary", "remove one of them")


def whole_characters(node: ast.AST, text: str) -> str:
    r"""The text, once it is sure that it can be encoded: `"\ud83d"` alone can't."""
    try:
        text.encode()
    except UnicodeEncodeError:
        fix = "write the character itself, or its escape as `\\U0001f600`"
        raise Unreadable(node, "half a character (a lone surrogate) in this text", fix) from None
    return text


def written(node: ast.expr) -> str:
    """The part of the signature as text; a number of many thousand digits has none, nor a sum of many texts."""
    if isinstance(node, ast.Name):  # most types, and `unparse` takes its time
        return node.id
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError):
        return "…"
