"""What a Python text defines: its types, and the constants that may stand in defaults.

class Place(TypedDict): …             a type
Id = int | str, type Id = int | str   a type, as are `NewType("Id", int)` and `TypedDict("Id", {"x": int})`
LIMIT = 10                            a constant, where it is the only value that the text gives this name
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Generator, Iterable

from tooldec.errors import SignatureError
from tooldec.signatures.python.annotations import ANNOTATIONS, CONSTRAINED, without_prefix
from tooldec.signatures.python.classes import Scope
from tooldec.signatures.python.fields import called
from tooldec.signatures.python.header import CLASS, Definition
from tooldec.signatures.python.injected import filled
from tooldec.signatures.python.literals import Unreadable, literal, written
from tooldec.signatures.python.syntax import UNREAD, expression, module
from tooldec.signatures.source import Source

_TYPE = re.compile(r"type[ \t]+(?=\w)")


def scope_of(source: Source, definitions: list[Definition]) -> Generator[SignatureError, None, Scope]:
    """The types and constants of a text; an error for each one that Python can't read."""
    found = _Defined()
    for definition in definitions:
        name, start = definition.name, definition.start
        declared = _TYPE.match(source.text, start)
        try:
            (statement,) = module(source.text[declared.end() if declared else start : definition.end]).body
        except UNREAD as error:
            line = getattr(error, "lineno", None) or 1
            at = min(source.lines[source.place(start)[0] - 1 + line - 1 :][:1] or [0])
            fields = "write each field as `name: type = default`, one on a line"
            fix = (
                fields if CLASS.match(source.text, start) else "write it as `LIMIT = 5`, or a type as `Id = int | str`"
            )
            yield source.error(f"`{name}` can't be read", max(at, start), fix)
            continue
        found.add(name, statement, declared is not None)
    return found.scope(source.text)


def scope_of_statements(statements: Iterable[ast.stmt]) -> Scope:
    """The types and constants of statements that have been parsed.

    >>> scope = scope_of_statements(ast.parse("class A: ...\\nLIMIT = 5\\nLIMITS = [LIMIT]").body)
    >>> list(scope.nodes), list(scope.constants)
    (['A'], ['LIMIT', 'LIMITS'])
    """
    found = _Defined()
    for one in statements:
        if (name := defined_name(one)) is not None:
            found.add(name, one, type(one).__name__ == "TypeAlias")
    return found.scope()


def defined_name(statement: ast.stmt) -> str | None:
    """The name that a statement says something of; None where there is none.

    >>> [defined_name(one) for one in ast.parse("class A: ...\\nLIMIT: int = 5\\nf(x)").body]
    ['A', 'LIMIT', None]
    """
    first = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    name = getattr(statement, "name", None) if first is None else first
    name = name.id if isinstance(name, ast.Name) else name
    return name if isinstance(name, str) else None


class _Defined:
    """What has been found, by name; a constant that is given several values is none."""

    def __init__(self) -> None:
        self.types: dict[str, ast.ClassDef | ast.expr] = {}
        self.values: dict[str, ast.expr | None] = {}

    def add(self, name: str, statement: ast.stmt, declared: bool) -> None:
        """What a statement makes of a name; `declared`: it says itself that this is a type."""
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.ClassDef):
            self.types[name] = statement
        elif not isinstance(value, ast.expr):
            return
        elif (made := _made(name, value)) is not None:
            self.types[name] = made
        elif declared or called(getattr(statement, "annotation", None)) == "TypeAlias" or _is_type(value, self.types):
            self.types[name] = value
        else:  # `LIMIT += 1` changes it, too
            self.values[name] = None if name in self.values or isinstance(statement, ast.AugAssign) else value

    def scope(self, text: str = "") -> Scope:
        values = {name: value for name, value in self.values.items() if value is not None}
        return Scope(self.types, values, filled(text, self.types))


def _is_type(node: ast.expr, defined: Container[str]) -> bool:
    """Whether what is assigned to a name is a type, `defined` being names of types.

    >>> [_is_type(ast.parse(text, mode="eval").body, ()) for text in ("int | None", "list[int]", "rows[0]", "5")]
    [True, True, False, False]
    """
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.BitOr)
    if isinstance(node, ast.Call):
        return called(node.func) in CONSTRAINED
    outer = node.value if isinstance(node, ast.Subscript) else node
    if not isinstance(outer, ast.Name | ast.Attribute):
        return False
    name = written(outer)
    return name in defined or without_prefix(name) in ANNOTATIONS


def _made(name: str, node: ast.expr) -> ast.ClassDef | ast.expr | None:
    """The type that `TypedDict("P", {"x": int})`, `NamedTuple("P", [("x", int)])`, `NewType("P", int)` make, or None.

    >>> ast.unparse(_made("P", ast.parse("TypedDict('P', {'x': int}, total=False)", mode="eval").body))
    'class P(TypedDict, total=False):\\n    x: int'
    """
    kind = called(node.func) if isinstance(node, ast.Call) else ""
    if isinstance(node, ast.Call) and kind == "TypeVar":
        return next((word.value for word in node.keywords if word.arg == "bound"), _union(node.args[1:]))
    kinds = ("TypedDict", "NamedTuple", "NewType", "namedtuple")
    if not isinstance(node, ast.Call) or kind not in kinds or len(node.args) != 2:
        return None
    if kind == "NewType":
        return node.args[1]
    if kind == "namedtuple":
        return _named_tuple(name, node)
    given, pairs = node.args[1], list[tuple[ast.expr | None, ast.expr]]()
    if isinstance(given, ast.Dict):
        pairs = list(zip(given.keys, given.values, strict=True))
    elif isinstance(given, ast.List | ast.Tuple):
        pairs = [(one.elts[0], one.elts[1]) for one in given.elts if isinstance(one, ast.Tuple) and len(one.elts) == 2]
    body: list[ast.stmt] = []
    for key, annotation in pairs:
        if not isinstance(key, ast.Constant):
            return None
        body.append(ast.AnnAssign(ast.Name(str(key.value)), annotation, None, 1))
    return ast.copy_location(ast.ClassDef(name, [node.func], node.keywords, body, []), node)


def _union(types: list[ast.expr]) -> ast.expr:
    """One of some types, any where there are none."""
    found = expression("Union[int]" if types else "Any")
    if isinstance(found, ast.Subscript):
        found.slice = ast.Tuple(types)
    return found


def _named_tuple(name: str, node: ast.Call) -> ast.ClassDef | None:
    """The class that `namedtuple("P", ["x", "y"])` or `namedtuple("P", "x y")` makes."""
    try:
        given = literal(node.args[1])
    except Unreadable:
        return None
    fields = given.replace(",", " ").split() if isinstance(given, str) else given
    if not isinstance(fields, list) or not all(isinstance(one, str) for one in fields):
        return None
    body: list[ast.stmt] = [ast.AnnAssign(ast.Name(one), ast.Name("Any"), None, 1) for one in fields]
    return ast.copy_location(ast.ClassDef(name, [ast.Name("NamedTuple")], [], body, []), node)
