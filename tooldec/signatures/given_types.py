"""Arguments that a tool is given beside its function: the name of a class, types by name, or JSON Schema.

@tool("greet", "Greets.", {"name": str})                       {"type": "object", "properties": {"name": …
@tool("greet", "Greets.", {"type": "object", "properties": …   as it is
FunctionTool(params_json_schema=Greeting.model_json_schema())  what the class `Greeting` of the text says
"""

from __future__ import annotations

import ast
from copy import deepcopy

from tooldec.signatures.classes import Scope, class_schema
from tooldec.signatures.fields import called
from tooldec.signatures.source import quoted
from tooldec.signatures.values import JSONSchema, Unreadable, literal

_OF_MODELS = ("model_json_schema", "schema")
"""Methods that tell the schema of a class."""


def given_types(node: ast.expr | None, scope: Scope) -> JSONSchema | None:
    """The object that a call's arguments are; None where the text doesn't say it. Raises Unreadable.

    >>> given_types(ast.parse("{'side': int}", mode="eval").body, Scope())["properties"]
    {'side': {'type': 'integer'}}
    """
    if isinstance(node, ast.Name):
        node = scope.constants.get(node.id, node)
    if isinstance(node, ast.Dict):
        keys = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        if len(keys) < len(node.keys):
            raise Unreadable(node, "the names of these arguments aren't known here", "write them in quotes")
        said = dict(zip(keys, node.values, strict=True))
        if isinstance(said.get("type"), ast.Constant) and "properties" in said:
            schema = dict(literal(scope.value(deepcopy(node)) or node))
            properties, required = schema["properties"], schema.get("required", [])
            known = isinstance(properties, dict) and all(isinstance(one, dict | bool) for one in properties.values())
            if not known or not isinstance(required, list):
                raise Unreadable(node, "this is no schema of an object", 'write `"properties": {…}, "required": […]`')
            return schema
        fields = [ast.AnnAssign(ast.Name(name), of, None, 1) for name, of in said.items()]
        return class_schema(ast.ClassDef("given", [], [], list(fields), []), scope)
    name = "" if node is None else called(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OF_MODELS:
        name = called(node.func.value)
        if not isinstance(scope.nodes.get(name), ast.ClassDef):
            raise Unreadable(node, f"the class {quoted(name)} isn't defined in this text", "paste it with the program")
    return scope.opened(name, ast.Pass()) if isinstance(scope.nodes.get(name), ast.ClassDef) else None
