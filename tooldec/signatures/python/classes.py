"""Classes and aliases that serve as types: dataclasses, TypedDicts, Pydantic models, enums; read with ast.

    class Place(TypedDict):          {"type": "object", "properties": {"city": {"type": "string"}},
        city: str              →      "required": ["city"], "title": "Place"}
    Unit = Literal["c", "f"]         {"type": "string", "enum": ["c", "f"]}

A text that holds classes and no function is a list of tools, one for each class that no other class uses.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tooldec.signatures.definitions import definitions, reference
from tooldec.signatures.python.annotations import schema_of
from tooldec.signatures.python.docstrings import described
from tooldec.signatures.python.enums import Members, bases, enum_schema
from tooldec.signatures.python.fields import alias_of, called, renamed, with_default
from tooldec.signatures.python.frameworks import INJECTED
from tooldec.signatures.python.injected import is_filled
from tooldec.signatures.python.literals import Defined, Unreadable, written
from tooldec.signatures.python.pydantic_models import instance, parameters_of, root_of, spelling
from tooldec.signatures.python.syntax import quoted_expression
from tooldec.signatures.schemas import JSONSchema, object_of

MAX_FOLLOWED = 1_000
"""How many types one tool may hold once those that it names are written out: types that double each other never end."""

MAX_NESTED = 32
"""How deep types may name one another."""

_WORD = re.compile(r"[^\W\d]\w*")
_NO_FIELD = ("ClassVar", "PrivateAttr", "ConfigDict")


_TOO_DEEP = f"the types that this one names nest more than {MAX_NESTED} deep"
_FLATTEN = "name fewer of them inside of each other, or take a `dict`"


_Field = tuple[str, str | None, JSONSchema, bool]
"""A field of a class: its name, what a call names it, its schema, and whether it must be given."""


@dataclass(frozen=True, slots=True)
class Read:
    """A type that was read: its schema, and how many types it holds and how deep they nest, itself included."""

    schema: JSONSchema
    followed: int
    nested: int


@dataclass(slots=True)
class Scope:
    """The types that a text defines: name → class or alias. Each is read when it is used.

    constants   what the text assigns to its other names
    filled      what it calls the types that a framework fills
    used        the names that others refer to
    own         the fields that each class names itself, once it has been read
    recursive   the names of types that contain themselves
    members     what the members of its enums and its constants stand for
    followed    how many types the one that is being read holds; of a tool, whoever begins it sets it to 0
    """

    nodes: dict[str, ast.ClassDef | ast.expr] = field(default_factory=dict)
    constants: Mapping[str, ast.expr] = field(default_factory=dict)
    filled: frozenset[str] = INJECTED
    used: set[str] = field(default_factory=set)
    own: dict[ast.ClassDef, list[_Field]] = field(default_factory=dict)
    recursive: set[str] = field(default_factory=set)
    members: Members = field(init=False)
    followed: int = 0
    _nested: int = 0
    _known: dict[str, Read | Unreadable] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.members = Members(self.nodes, self.constants)

    def schema_of(self, node: ast.expr) -> JSONSchema:
        """The schema of an annotation that may name the text's own types; raises Unreadable.

        >>> (place,) = ast.parse("class Place:\\n    city: str").body
        >>> Scope({"Place": place}).schema_of(ast.parse("list[Place]", mode="eval").body)["items"]["required"]
        ['city']
        """
        return schema_of(_Resolver(self).visit(node) if self.nodes or self.constants else node)

    def value(self, node: ast.expr | None) -> ast.expr | None:
        """A default with the values of the text's enums and constants in place of their names; raises Unreadable."""
        return node if node is None or not (self.nodes or self.constants) else self.members.visit(node)

    def defined(self, name: str, node: ast.AST) -> JSONSchema:
        """One of the text's types where it is named: its schema, or a reference to it where it contains itself."""
        if self._is_open(name):
            self.recursive.add(name)
            return reference(name)
        self.used.add(name)
        schema = self.opened(name, node)
        return reference(name) if name in self.recursive else schema

    def definitions(self, schema: Any) -> dict[str, JSONSchema]:
        """The types that contain themselves, of those that a schema refers to; raises Unreadable."""
        return definitions(schema, lambda name: self.opened(name, ast.Pass()) if name in self.recursive else None)

    def made(self, generic: ast.ClassDef, types: list[ast.expr]) -> str:
        """The name of a generic class with types in place of its parameters: `Page[int]` → "Page_int"."""
        name = "_".join(re.findall(r"\w+", f"{generic.name} {' '.join(map(written, types))}"))
        self.used.add(generic.name)
        if name not in self.nodes:
            self.nodes[name] = instance(generic, types, name)
        return name

    def _is_open(self, name: str) -> bool:
        """Whether a type is being read, or is built on one that is."""
        known, waiting = set[str](), [name] if self._open else []
        while waiting:
            one = waiting.pop()
            if one in self._open:
                return True
            node = self.nodes.get(one)
            waiting += [] if one in known or not isinstance(node, ast.ClassDef) else bases(node)
            known.add(one)
        return False

    def opened(self, name: str, node: ast.AST) -> JSONSchema:
        """The schema of one of the text's types, by name; raises Unreadable."""
        if len(self._open) >= MAX_NESTED:
            raise Unreadable(node, _TOO_DEEP, _FLATTEN)
        found = self.read(name)
        if isinstance(found, Unreadable):  # shown where the type is used
            raise Unreadable(node, found.message, found.fix, found.word, found.replacement)
        self.followed += found.followed
        self._nested = max(self._nested, found.nested)
        if self._nested > MAX_NESTED:
            raise Unreadable(node, _TOO_DEEP, _FLATTEN)
        if self.followed > MAX_FOLLOWED:
            message = f"the types that this one names hold more than {MAX_FOLLOWED:,} types when they are written out"
            raise Unreadable(node, message, "name fewer of them, or take a `dict`")
        return found.schema

    def read(self, name: str) -> Read | Unreadable:
        """One of the text's types, read once: also where it can't be read."""
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> Read | Unreadable:
        outside = self.followed, self._nested
        self.followed = self._nested = 0
        self._open.append(name)
        try:
            node = self.nodes[name]
            schema = class_schema(node, self) if isinstance(node, ast.ClassDef) else _alias(node, self)
            return Read(schema, self.followed + 1, self._nested + 1)
        except Unreadable as error:
            return error
        finally:
            self._open.pop()
            self.followed, self._nested = outside


class _Resolver(ast.NodeTransformer):
    """Puts the schema in place of each name of a type, quoted ones too, and its value in place of each constant."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._put(node.id, node) if node.id in self.scope.nodes else node

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not isinstance(node.value, str) or not self.scope.nodes.keys() & set(_WORD.findall(node.value)):
            return node
        inner = quoted_expression(node)  # "Place | None"
        found = node if inner is None else self.visit(inner)
        assert isinstance(found, ast.expr)
        return found

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        kind = called(node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        if kind == "Literal":
            node.slice = self.scope.members.visit(node.slice)
        elif kind == "Annotated" and parts:  # what stands behind the type are values
            parts[:] = [self.visit(parts[0]), *map(self.scope.members.visit, parts[1:])]
        elif isinstance(generic := self.scope.nodes.get(kind), ast.ClassDef) and parameters_of(generic):
            name = self.scope.made(generic, parts or [node.slice])
            return self._put(name, node)
        else:
            self.generic_visit(node)
        return node

    def _put(self, name: Any, node: ast.expr) -> ast.expr:
        found: Any = Defined(self.scope.defined(name, node))
        return ast.copy_location(ast.Constant(found), node)


def _alias(node: ast.expr, scope: Scope) -> JSONSchema:
    return scope.schema_of(node)


def class_schema(node: ast.ClassDef, scope: Scope) -> JSONSchema:
    """The schema of a class; raises Unreadable.

    >>> (place,) = ast.parse("class Place:\\n    city: str = 'Rome'").body
    >>> class_schema(place, Scope())["properties"]
    {'city': {'type': 'string', 'default': 'Rome'}}
    """
    values = enum_schema(node)
    if values is not None:
        return values
    if (root := root_of(node)) is not None:
        description = _docstring(node)
        return {**scope.schema_of(root), **({"description": description} if description else {}), "title": node.name}
    for base in bases(node):
        if base in scope.nodes:
            scope.defined(base, node)
    total = not any(k.arg == "total" and getattr(k.value, "value", True) is False for k in node.keywords)
    scope.own[node] = list(_fields(node, scope, total))
    description = ""
    properties: dict[str, JSONSchema] = {}
    names: dict[str, str] = {}
    asked: dict[str, bool] = {}
    lineage = _lineage(node, scope)
    spelled = spelling(lineage)
    for owner in lineage:
        for name, alias, schema, needed in scope.own.get(owner, ()):
            properties[name], names[name], asked[name] = schema, alias or spelled(name), needed
        description, properties = described(_docstring(owner), properties)
    required = [name for name in properties if asked[name]]
    if "NamedTuple" in bases(node):
        size = len(properties)
        items = {"prefixItems": list(properties.values()), "items": False, "minItems": len(required), "maxItems": size}
        return {"type": "array", **items, "title": node.name}
    if len(set(names.values())) < len(names):
        raise Unreadable(node, f"two fields of `{node.name}` have one name", "give each an alias of its own")
    return renamed(object_of(properties, required, description=description, title=node.name), names)


def _lineage(node: ast.ClassDef, scope: Scope) -> list[ast.ClassDef]:
    """The text's classes whose fields a class has, itself last: of two with one field the later counts, as in Python.

    Raises Unreadable where Python finds no order of its bases.
    """
    kinds: dict[ast.ClassDef, type] = {}

    def kind(one: ast.ClassDef) -> type:
        if one not in kinds:
            above = [scope.nodes.get(base) for base in bases(one)]
            parents = tuple(kind(parent) for parent in above if isinstance(parent, ast.ClassDef))
            kinds[one] = type(one.name, parents, {"read": one})
        return kinds[one]

    try:
        return [one.__dict__["read"] for one in reversed(kind(node).__mro__) if one is not object]
    except (TypeError, RecursionError):  # which has no end where classes are built on each other
        message = f"the bases of `{node.name}` have no order in which Python can look for its fields"
        raise Unreadable(node, message, "name each base once, and the narrower one first") from None


def _fields(node: ast.ClassDef, scope: Scope, total: bool) -> Iterator[_Field]:
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        name, annotation, needed = statement.target.id, statement.annotation, total
        outer = called(annotation)
        if outer in _NO_FIELD or name.startswith("_") or _is_left_out(statement.value):
            continue
        if is_filled(annotation, statement.value, scope.filled):
            continue
        alias = alias_of(annotation, statement.value)
        if outer in ("Required", "NotRequired", "ReadOnly") and isinstance(annotation, ast.Subscript):
            annotation, needed = annotation.slice, needed if outer == "ReadOnly" else outer == "Required"
        schema, optional = with_default(scope.schema_of(annotation), scope.value(statement.value))
        yield name, alias, schema, needed and not optional


def _is_left_out(default: ast.expr | None) -> bool:
    """`field(init=False)`: the class itself gives the value."""
    return isinstance(default, ast.Call) and any(
        keyword.arg == "init" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in default.keywords
    )


def _docstring(node: ast.ClassDef) -> str:
    return inspect.cleandoc(ast.get_docstring(node, clean=True) or "").strip()
