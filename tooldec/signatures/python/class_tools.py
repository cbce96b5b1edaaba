"""Classes of a Python text that are tools: of one without functions each that no other uses, or those made tools.

class Add(BaseModel):                 Tool("Add", "Adds.", {"properties": {"a": {"type": "integer"}}, …})
    "Adds."                     →
    a: int
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from tooldec.errors import SignatureError
from tooldec.signatures.python.classes import Scope
from tooldec.signatures.python.enums import bases
from tooldec.signatures.python.header import CLASS, Definition, Header
from tooldec.signatures.python.literals import Unreadable
from tooldec.signatures.python.metadata import told
from tooldec.signatures.python.parameter_schemas import error_of
from tooldec.signatures.python.registrations import Making, each_made
from tooldec.signatures.python.syntax import place
from tooldec.signatures.source import Item, Source
from tooldec.tools import Tool

_ENUM = re.compile(r"(?:Enum|Flag)\Z")


def class_tools(
    source: Source, definitions: list[Definition], scope: Scope, made: Mapping[str, Sequence[Making]]
) -> Iterator[Item]:
    """A tool for each class that no other uses; `made` says more of some.

    >>> (add,) = ast.parse("class Add:\\n    'Adds.'\\n    a: int").body
    >>> text = Source.of("class Add:\\n    'Adds.'\\n    a: int")
    >>> [tool.signature() for tool in class_tools(text, [Definition("Add", 0, 34)], Scope({"Add": add}), {})]
    ['Add(a: int)']
    """
    found: list[tuple[str, Item]] = []
    for definition in definitions:
        head, node = CLASS.match(source.text, definition.start), scope.nodes.get(definition.name)
        if head is None or not isinstance(node, ast.ClassDef) or any(map(_ENUM.search, bases(node))):
            continue
        start = head.start("name")
        scope.followed = 0
        try:
            read = scope.read(definition.name)
            if isinstance(read, Unreadable):
                raise read
            if read.schema.get("type") != "object":
                continue  # a type, and no tool
            schema = dict(read.schema)
            defined = scope.definitions(schema)
        except (RecursionError, MemoryError):
            found.append((definition.name, source.nested_too_deep(start)))
            continue
        except Unreadable as error:
            at = definition.start + place(source.text, definition.start, error.node)
            found.append((definition.name, error_of(source, error, at)))
            continue
        description = schema.pop("description", "")
        del schema["title"]
        schema |= {"$defs": defined} if defined else {}
        tool = Tool(definition.name, description, schema, *source.place(start))
        of_class = partial(_registered, source, tool, scope)
        found += ((definition.name, item) for item in each_made(made.get(definition.name, ()), of_class))
    for name, item in found:
        if isinstance(item, SignatureError) or name in made or name not in scope.used:
            yield item


def _registered(source: Source, tool: Tool, scope: Scope, making: Making | None) -> Tool:
    """The tool as a text registers its class: `pydantic_function_tool(Add, name="add")`."""
    return told(source, Header(tool.name, 0, 0, 0, ""), scope, making).of(tool, source)
