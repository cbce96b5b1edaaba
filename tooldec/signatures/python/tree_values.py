"""Plain values in a syntax tree of Python, each with its place; nothing is executed.

{"name": "now", "strict": True}               {"name": "now", "strict": True}
{**BASE, "required": ["a"]}                   what `BASE` holds, and "required"
Weather.model_json_schema()               →   the schema of the text's class `Weather`
types.Schema(type="STRING", max_length=5)     {"type": "STRING", "maxLength": 5}
{"description": f"such as {zone}"}            {"description": "such as {zone}"}
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tooldec.signatures.listings.keys import SCHEMAS
from tooldec.signatures.located import List, Object
from tooldec.signatures.python.classes import MAX_FOLLOWED, Scope
from tooldec.signatures.python.fields import called
from tooldec.signatures.python.frameworks import DATA_MAKER
from tooldec.signatures.python.given_schemas import given_schema
from tooldec.signatures.python.literals import Unreadable, doubled, literal, words, written
from tooldec.signatures.source import Source, quoted

PLAIN = "write plain values only: texts, numbers, True, False, None, lists and dictionaries; nothing is executed"
"""What would work in place of code."""

MAKES = re.compile(rf"\b{DATA_MAKER.pattern}\(")
_SCHEMA = re.compile(r"\w*[sS]chema\w*")
"""What makes a schema: `types.Schema(…)`, `Weather.model_json_schema()`, `to_strict_json_schema(Weather)`."""
_SAID = ("name", "title", "description", *SCHEMAS)
"""What of the call that makes a tool is said to a model."""
_WORDS = ("title", "description")
"""What no machine needs to know."""
_SNAKE = re.compile(r"_([a-z])")
_WIDE = re.compile(r"[^\x00-\x7f]")


def is_tool(node: ast.expr) -> bool:
    """Whether an expression says a tool's name and its parameters.

    >>> [is_tool(ast.parse(text, mode="eval").body) for text in ("Tool(name='a', parameters=P)", "Tool('a', P)")]
    [True, False]
    """
    if isinstance(node, ast.Call):
        said = {word.arg for word in node.keywords}
        return DATA_MAKER.fullmatch(called(node.func)) is not None and "name" in said and not said.isdisjoint(SCHEMAS)
    if not isinstance(node, ast.Dict):
        return False
    values = {
        key.value: value for key, value in zip(node.keys, node.values, strict=True) if isinstance(key, ast.Constant)
    }
    function = values.get("function")
    if isinstance(function, ast.Dict):
        return is_tool(function)
    return "name" in values and not values.keys().isdisjoint(SCHEMAS)


class TreeValues:
    """The values of a text's syntax tree, by what its scope knows.

    >>> values = TreeValues(Source.of("{'a': [1, 2]}"), Scope())
    >>> value = values.of(ast.parse("{'a': [1, 2]}", mode="eval").body)
    >>> value, value.places, value["a"].places
    ({'a': [1, 2]}, {'a': 6}, [7, 10])
    """

    def __init__(self, source: Source, scope: Scope) -> None:
        self.scope = scope
        self._source = source
        self._open: list[str] = []
        self._followed = 0
        self._wide: dict[int, tuple[list[int], list[int]]] = {}
        """Line → bytes before its wide characters, and how many more than characters."""

    def of(self, node: ast.expr) -> Any:
        """A plain value, dictionaries and lists with the places of their parts.

        Raises Unreadable with the first part of it that isn't plain.
        """
        if isinstance(node, ast.List | ast.Tuple):
            return List(self._items(node))
        if isinstance(node, ast.Dict):
            return self._dictionary(node)
        name = called(node.func) if isinstance(node, ast.Call) else called(getattr(node, "value", None))
        if isinstance(node, ast.Call) and is_tool(node):
            return self._keywords(word for word in node.keywords if word.arg in _SAID)
        if isinstance(node, ast.Call) and _SCHEMA.fullmatch(name):
            return self._schema(node)
        if isinstance(node, ast.Attribute) and name == "Type":  # Google's
            return node.attr.lower()
        if isinstance(node, ast.Name) and node.id in self.scope.constants and node.id not in self._open:
            return self._named(node)
        return literal(node)

    def _named(self, node: ast.Name) -> Any:
        """What a constant holds that is no literal itself."""
        self._followed += 1
        if self._followed > MAX_FOLLOWED:
            message = f"the tools of this program name others of its values more than {MAX_FOLLOWED:,} times"
            raise Unreadable(node, message, "write them out")
        self._open.append(node.id)
        try:
            value = deepcopy(self.scope.constants[node.id])
            return self.of(self.scope.value(value) or value)
        finally:
            self._open.pop()

    def _items(self, node: ast.List | ast.Tuple) -> Iterator[tuple[Any, int]]:
        for part in node.elts:
            if isinstance(part, ast.Starred):
                taken = self.of(part.value)
                if not isinstance(taken, list):
                    raise Unreadable(part, f"{quoted(written(part))} isn't a list in this text", PLAIN)
                yield from ((one, self.offset(part)) for one in taken)
            else:
                yield self.of(part), self.offset(part)

    def _dictionary(self, node: ast.Dict) -> Object:
        found, own = Object(), set[str]()
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None and isinstance(base := self._spread(value), dict):
                for name, one in base.items():
                    found.add(name, one, self.offset(value))
                continue
            if not isinstance(key, ast.Constant):
                raise Unreadable(key or value, f"{quoted(written(key or value))} isn't a key in quotes", PLAIN)
            name = literal(key)
            if name in own:
                raise doubled(key)
            own.add(name)
            found.add(name, self._said(name, value), self.offset(value))
        return found

    def _said(self, name: object, node: ast.expr) -> Any:
        """The value of a key."""
        return words(node, self.of) if name in _WORDS else self.of(node)

    def _spread(self, node: ast.expr) -> Any:
        """What `**base` takes in; None where that isn't known."""
        try:
            return self.of(node)
        except Unreadable:
            return None

    def _schema(self, node: ast.Call) -> Any:
        """What a call says of a schema: the words of `Schema(…)`, or the class that it is given or asked of."""
        if node.keywords and not node.args and all(word.arg for word in node.keywords):
            return self._keywords(node.keywords, of_schema=True)
        try:
            found = given_schema(node, self.scope)
        except Unreadable as problem:  # which may stand in the class
            raise Unreadable(node, problem.message, problem.fix) from None
        return literal(node) if found is None else found

    def _keywords(self, words: Iterator[ast.keyword] | list[ast.keyword], of_schema: bool = False) -> Object:
        found = Object()
        for word in words:
            name = word.arg or ""
            name = _SNAKE.sub(lambda one: one[1].upper(), name) if of_schema else name  # `any_of` of Google's
            found.add(name, self._said(name, word.value), self.offset(word.value))
        return found

    def offset(self, node: ast.AST) -> int:
        """Where a part of the tree stands in the text: its columns count bytes, offsets characters."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        start = self._source.lines[line - 1]
        if self._source.text.isascii():
            return start + column
        at, more = self._line(line)
        return start + column - more[bisect_left(at, column)]

    def _line(self, line: int) -> tuple[list[int], list[int]]:
        if line not in self._wide:
            first, last = [*self._source.lines[line - 1 : line + 1], len(self._source.text)][:2]
            at, more = list[int](), [0]
            for wide in _WIDE.finditer(self._source.text, first, last):
                at.append(wide.start() - first + more[-1])
                more.append(more[-1] + len(wide[0].encode(errors="replace")) - 1)
            self._wide[line] = at, more
        return self._wide[line]
