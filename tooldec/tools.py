"""Tools and calls of tools: the values that every later stage reads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

Schema = Mapping[str, Any]
"""A JSON Schema object."""
NOTHING: Schema = {"not": {}}
"""The schema `false`."""
_UNDEFINED: Schema = {}

SCHEMA_MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
SCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
SCHEMA_ONES = (
    *("items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties"),
    *("propertyNames", "not", "if", "then", "else"),
)
"""The keywords whose values are schemas: several by name, several in order, one."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool: its name, its JSON Schema, and whether a call must give it."""

    name: str
    schema: Schema
    required: bool = True

    @property
    def impossible(self) -> bool:
        """True where its schema is `false`: no value satisfies it."""
        return self.schema == NOTHING

    @property
    def variadic(self) -> bool:
        """True for `*args: T`, an array property marked `"x-variadic": true`."""
        return self.schema.get("x-variadic") is True


@dataclass(frozen=True)
class Tool:
    """A tool as a model sees it: name, description and the JSON Schema of its arguments object.

    `line` and `column` tell where it stands in the text that it was read from.
    """

    name: str
    description: str = ""
    parameters: Schema = field(default_factory=lambda: {"type": "object", "properties": {}})
    line: int | None = field(default=None, compare=False)
    column: int | None = field(default=None, compare=False)

    @cached_property
    def arguments(self) -> tuple[Parameter, ...]:
        """The arguments in schema order."""
        required = set(self.parameters.get("required", ()))
        properties: Mapping[str, Any] = self.parameters.get("properties", {})
        return tuple(Parameter(name, _as_object(schema), name in required) for name, schema in properties.items())

    def signature(self) -> str:
        """The tool in one line, as prompts list it: `find(city: str, unit: c|f = "c", *tags: str)`.

        A type that the schema refers to is written out; those that it refers to in turn are named: `list[Tree]`.
        """
        return f"{self.name}({_parameters_text(self, _definitions(self.parameters))})"

    def to_json(self) -> dict[str, Any]:
        """The tool as an entry of an OpenAI `tools` list."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that was read from a model's answer; `start` and `end` count characters of that answer."""

    name: str
    arguments: dict[str, Any]
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


def _as_object(schema: object) -> Schema:
    """A schema that is `true` or `false` as an object."""
    if isinstance(schema, Mapping):
        return schema
    return NOTHING if schema is False else {}


def signatures(tools: Iterable[Tool]) -> str:
    """All tools in one line: `add(a: int, b: int), sqrt(x: float)`."""
    return ", ".join(tool.signature() for tool in tools)


def type_name(schema: object, definitions: Schema = _UNDEFINED) -> str:
    """A short name of a schema's type: `{"type": "integer"}` → `int`, `{"enum": ["c", "f"]}` → `c|f`.

    What `definitions` hold is written out where it is referred to. A keyword whose value isn't what it has to be says
    nothing here; the schema's readers tell it.
    """
    if not isinstance(schema, Mapping):
        return "any"
    if (reference := _REFERENCE.fullmatch(str(schema.get("$ref")))) is not None:
        name = reference["name"]
        return type_name(definitions[name]) if name in definitions else name
    if "const" in schema:
        return _value_text(schema["const"])
    if isinstance(schema.get("enum"), list | tuple):
        return "|".join(_value_text(value) for value in schema["enum"])
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), list | tuple):
            return " or ".join(dict.fromkeys(type_name(part, definitions) for part in schema[keyword]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " or ".join(type_name({**schema, "type": one}, definitions) for one in kind)
    if kind == "string":
        return str(schema.get("format", "str"))
    if kind == "array":
        return f"list[{type_name(schema['items'], definitions)}]" if "items" in schema else "list"
    if kind == "object" and schema.get("properties") and isinstance(schema["properties"], Mapping):
        return "{" + _parameters_text(Tool("", parameters=schema), definitions) + "}"
    return _TYPE_NAMES.get(kind, "any") if isinstance(kind, str) else "any"


OTHERS = "…"
"""What stands for arguments whose names the schema doesn't declare: `Label.parameter` of their states."""

_REFERENCE = re.compile(r"#/(?:\$defs|definitions)/(?P<name>[^/]+)")
_TYPE_NAMES = {"integer": "int", "number": "float", "boolean": "bool", "null": "null", "object": "dict"}


def _value_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _definitions(schema: Schema) -> Schema:
    """The types that a tool's schema defines for its references."""
    given = [schema.get(keyword) for keyword in ("definitions", "$defs")]
    return {name: part for one in given if isinstance(one, Mapping) for name, part in one.items()}


def _parameters_text(tool: Tool, definitions: Schema) -> str:
    return ", ".join(_parameter_text(parameter, definitions) for parameter in tool.arguments)


def _parameter_text(parameter: Parameter, definitions: Schema) -> str:
    if parameter.variadic:
        return f"*{parameter.name}: {type_name(parameter.schema.get('items', {}), definitions)}"
    text = f"{parameter.name}: {type_name(parameter.schema, definitions)}"
    if parameter.required:
        return text
    default = parameter.schema.get("default")
    return f"{text} = {json.dumps(default, ensure_ascii=False)}"
