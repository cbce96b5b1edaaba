"""What Pydantic's models say beside their fields: a root, names that a function makes, types as parameters.

class Tags(RootModel[list[str]])                         a list of texts
model_config = ConfigDict(alias_generator=to_camel)      `first_name` is called `firstName`
class Page(BaseModel, Generic[T]), Page[int]             the class with `int` in place of `T`
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy

from tooldec.signatures.python.enums import bases
from tooldec.signatures.python.fields import called
from tooldec.signatures.python.literals import Unreadable, written
from tooldec.signatures.source import quoted

_VALUES = ("str", "int", "float", "bytes", "list", "List", "set", "Decimal", "date", "datetime", "UUID", "Path")
"""Types that a class may narrow: `class Name(str)`."""


def root_of(node: ast.ClassDef) -> ast.expr | None:
    """The type that a class is as a whole; None where it is an object with fields.

    >>> ast.unparse(root_of(ast.parse("class Tags(RootModel[list[str]]): ...").body[0]))
    'list[str]'
    """
    fields = {
        one.target.id: one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    }
    for base in node.bases:
        if called(base) == "RootModel" and isinstance(base, ast.Subscript):
            return base.slice
        if called(base) in _VALUES and not fields:
            return base
    root = fields.get("root" if "RootModel" in bases(node) else "__root__")
    return root.annotation if root is not None else None


def _pascal(name: str) -> str:
    return re.sub(r"([0-9A-Za-z])_(?=[0-9A-Z])", r"\1", name.title())


def _camel(name: str) -> str:
    """As Pydantic has it: `first_name` → `firstName`, and `firstName` stays."""
    if re.fullmatch(r"[a-z]+[A-Za-z0-9]*", name) and not re.search(r"\d[a-z]", name):
        return name
    return re.sub(r"^_*[A-Z]", lambda first: first[0].lower(), _pascal(name))


_SPELLINGS: Mapping[str, Callable[[str], str]] = {
    **dict.fromkeys(("to_camel", "to_lower_camel", "camelize"), _camel),
    **dict.fromkeys(("to_pascal", "pascalize"), _pascal),
    "to_snake": lambda name: re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).replace("-", "_").lower(),
}


def spelling(lineage: Iterable[ast.ClassDef]) -> Callable[[str], str]:
    """How the fields of a class are called that have no alias: the last of its classes to say so counts.

    Raises Unreadable for a function that isn't known.
    """
    found: Callable[[str], str] = str
    for value in (one for node in lineage for one in _generators(node)):
        if isinstance(value, ast.Call):  # `AliasGenerator(alias=to_camel)`
            given = {word.arg: word.value for word in value.keywords}
            value = given.get("validation_alias") or given.get("alias") or value
        if called(value) not in _SPELLINGS:
            message = f"the names that {quoted(written(value))} gives to the fields aren't known"
            raise Unreadable(value, message, "use `to_camel` or `to_pascal`, or give each field an alias")
        found = _SPELLINGS[called(value)]
    return found


def _generators(node: ast.ClassDef) -> Iterable[ast.expr]:
    for word in node.keywords:
        if word.arg == "alias_generator":
            yield word.value
    for one in node.body:
        inner = one.body if isinstance(one, ast.ClassDef) and one.name == "Config" else [one]
        for statement in inner:
            value = statement.value if isinstance(statement, ast.Assign) else None
            name = called(statement.targets[0]) if isinstance(statement, ast.Assign) else ""
            if value is not None and name == "alias_generator":
                yield value
            if isinstance(value, ast.Call) and name == "model_config":
                yield from (word.value for word in value.keywords if word.arg == "alias_generator")
            if isinstance(value, ast.Dict) and name == "model_config":
                pairs = zip(value.keys, value.values, strict=True)
                yield from (v for k, v in pairs if isinstance(k, ast.Constant) and k.value == "alias_generator")


def parameters_of(node: ast.ClassDef) -> list[str]:
    """The types that a class takes: `class Page(BaseModel, Generic[T])` → ["T"]."""
    for base in node.bases:
        if isinstance(base, ast.Subscript) and called(base) == "Generic":
            parts = base.slice.elts if isinstance(base.slice, ast.Tuple) else [base.slice]
            return [called(part) for part in parts]
    return []


def instance(node: ast.ClassDef, types: list[ast.expr], name: str) -> ast.ClassDef:
    """A class with types in place of its parameters."""
    found = _Filled(dict(zip(parameters_of(node), types, strict=False))).visit(deepcopy(node))
    assert isinstance(found, ast.ClassDef)
    found.name = name
    found.bases = [base for base in found.bases if called(base) != "Generic"]
    return found


class _Filled(ast.NodeTransformer):
    def __init__(self, types: Mapping[str, ast.expr]) -> None:
        self.types = types

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return deepcopy(self.types[node.id]) if node.id in self.types else node
