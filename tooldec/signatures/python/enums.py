"""Enums of a Python text: their values as a type, and their members as defaults.

class Unit(str, Enum):
    C = "celsius"              {"type": "string", "enum": ["celsius", "fahrenheit"]}
    F = "fahrenheit"
unit: Unit = Unit.C            "default": "celsius";  also `Unit.C.value` and `Unit("celsius")`
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from tooldec.signatures.python.fields import called
from tooldec.signatures.python.literals import Unreadable, literal, written
from tooldec.signatures.python.syntax import placed
from tooldec.signatures.schemas import JSONSchema, choice
from tooldec.signatures.source import quoted

ENUMS = ("Enum", "IntEnum", "StrEnum")
FLAGS = ("Flag", "IntFlag")


def bases(node: ast.ClassDef) -> list[str]:
    """The names of a class's bases, without their modules: `class A(pydantic.BaseModel)` → ["BaseModel"]."""
    return [ast.unparse(base).rpartition(".")[2] for base in node.bases]


def enum_schema(node: ast.ClassDef) -> JSONSchema | None:
    """The schema of an enum or of flags, and None for any other class; raises Unreadable.

    >>> enum_schema(ast.parse("class Unit(str, Enum):\\n    C = 'c'\\n    F = 'f'").body[0])
    {'type': 'string', 'enum': ['c', 'f'], 'title': 'Unit'}
    """
    if any(base in FLAGS for base in bases(node)):  # a call gives the sum of some members
        return {"type": "integer", "minimum": 0, "title": node.name}
    if not any(base in ENUMS for base in bases(node)):
        return None
    values = {(type(value), repr(value)): value for value in _members(node).values()}  # two names may have one value
    if not values:
        raise Unreadable(node, f"the enum `{node.name}` has no values", 'write them as `RED = "red"`')
    return {**choice(values.values()), "title": node.name}


def _members(node: ast.ClassDef) -> dict[str, Any]:
    """The names of an enum → their values; `auto()` counts, doubles in flags, and gives small letters in a StrEnum."""
    found: dict[str, Any] = {}
    flags = not set(FLAGS).isdisjoint(bases(node))
    for statement in node.body:
        value: ast.AST | None = getattr(statement, "value", None)
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        names = [one.id for one in targets if isinstance(one, ast.Name) and not one.id.startswith("_")]
        if not isinstance(value, ast.expr):
            continue
        for name in names:
            if isinstance(value, ast.Call) and called(value.func) == "auto":
                largest = max((one for one in found.values() if isinstance(one, int)), default=0)
                number = 1 << largest.bit_length() if flags else largest + 1
                found[name] = name.lower() if "StrEnum" in bases(node) else number
                continue
            try:
                found[name] = literal(value)
            except Unreadable:
                if not flags:  # `READ | WRITE`, `1 << 2`
                    raise
    return {name: str(value) for name, value in found.items()} if "str" in bases(node) else found


class Members(ast.NodeTransformer):
    """Puts the value in place of each member of a text's enums, and of each name to which it assigns a literal.

    Raises Unreadable for members that there aren't.

    >>> (unit,) = ast.parse("class Unit(Enum):\\n    C = 'celsius'").body
    >>> default = ast.parse("[Unit.C, Unit.C.name, Unit('celsius')]", mode="eval").body
    >>> ast.unparse(Members({"Unit": unit}).visit(default))
    "['celsius', 'C', 'celsius']"
    """

    def __init__(self, nodes: Mapping[str, ast.AST], constants: Mapping[str, ast.expr] | None = None) -> None:
        kinds = {*ENUMS, *FLAGS}
        classes = {name: node for name, node in nodes.items() if isinstance(node, ast.ClassDef)}
        self.enums = {name: node for name, node in classes.items() if not kinds.isdisjoint(bases(node))}
        self._known: dict[ast.ClassDef, dict[str, Any]] = {}
        self._constants: dict[str, Any] = {}
        for name, value in (constants or {}).items():
            made = isinstance(value, ast.Name | ast.Attribute | ast.BinOp | ast.JoinedStr)  # of others, or of members
            try:
                self._constants[name] = literal(self.visit(value) if made else value)
            except (Unreadable, RecursionError):
                continue

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._put(node, self._constants[node.id]) if node.id in self._constants else node

    def _of(self, enum: ast.ClassDef) -> dict[str, Any]:
        if enum not in self._known:
            self._known[enum] = _members(enum)
        return self._known[enum]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        member, asked = node, "value"
        if isinstance(node.value, ast.Attribute) and node.attr in ("value", "name"):
            member, asked = node.value, node.attr
        enum = self._enum(member.value)
        if enum is None:
            return node
        members = self._of(enum)
        if member.attr.startswith("_") or (member.attr not in members and not set(FLAGS).isdisjoint(bases(enum))):
            return node
        if member.attr not in members:
            raise self._no(node, enum, f"member {quoted(member.attr)}", list(members))
        return self._put(node, member.attr if asked == "name" else members[member.attr])

    def visit_Call(self, node: ast.Call) -> ast.expr:
        enum = self._enum(node.func)
        if enum is None or len(node.args) != 1:
            node.args = [self.visit(one) for one in node.args]
            for keyword in node.keywords:
                keyword.value = self.visit(keyword.value)
            return node
        value, values = literal(node.args[0]), list(self._of(enum).values())
        if value not in values:
            raise self._no(node, enum, f"value {quoted(written(node.args[0]))}", [repr(one) for one in values])
        return self._put(node, value)

    def _enum(self, node: ast.expr) -> ast.ClassDef | None:
        return self.enums.get(node.id) if isinstance(node, ast.Name) else None

    @staticmethod
    def _put(node: ast.expr, value: Any) -> ast.expr:
        return placed(ast.parse(repr(value), mode="eval").body, node)

    @staticmethod
    def _no(node: ast.expr, enum: ast.ClassDef, what: str, known: list[str]) -> Unreadable:
        return Unreadable(node, f"`{enum.name}` has no {what}", f"use {', '.join(known[:8])}")
