"""Arguments that a tool is given beside its function: the name of a class, types by name, or JSON Schema.

@tool("greet", "Greets.", {"name": str})                       {"type": "object", "properties": {"name": …
@tool("greet", "Greets.", {"type": "object", "properties": …   as it is
FunctionTool(params_json_schema=Greeting.model_json_schema())  what the class `Greeting` of the text says
"""

from __future__ import annotations

import ast
import re
from copy import deepcopy

from tooldec.signatures.python.classes import Scope, class_schema
from tooldec.signatures.python.fields import called
from tooldec.signatures.python.literals import Unreadable, literal
from tooldec.signatures.schemas import JSONSchema
from tooldec.signatures.source import quoted

_OF_MODELS = re.compile(r"\w*schema\w*", re.IGNORECASE)
"""Methods and functions that tell the schema of a class: `Args.model_json_schema()`, `to_strict_json_schema(Args)`."""


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
    if isinstance(node, ast.Call) and _OF_MODELS.fullmatch(called(node.func)):
        of = _asked(node)
        name = called(of)
        if not isinstance(scope.nodes.get(name), ast.ClassDef):
            if of is not None and isinstance(node.func, ast.Name):
                return None  # a function that has no class
            raise Unreadable(node, f"the class {quoted(name)} isn't defined in this text", "paste it with the program")
    return scope.opened(name, ast.Pass()) if isinstance(scope.nodes.get(name), ast.ClassDef) else None


def _asked(node: ast.Call) -> ast.expr | None:
    """The class that a call asks: `Args` of `Args.schema()`, `TypeAdapter(Args).json_schema()`, `schema(Args)`."""
    of = node.func.value if isinstance(node.func, ast.Attribute) else None
    if of is None or node.args:
        return node.args[0] if node.args else None
    return of.args[0] if isinstance(of, ast.Call) and of.args else of


def given_schema(node: ast.expr, scope: Scope) -> JSONSchema | None:
    """The arguments as a schema of its own, with the types that contain themselves; as `given_types` otherwise.

    What the class says of itself is no matter of the arguments.

    >>> (tree,) = ast.parse("class Tree:\\n    'Grows.'\\n    kids: list['Tree']").body
    >>> given_schema(ast.parse("Tree.model_json_schema()", mode="eval").body, Scope({"Tree": tree}))["$defs"].keys()
    dict_keys(['Tree'])
    """
    scope.followed = 0
    found = given_types(node, scope)
    if found is None:
        return None
    defined = scope.definitions(found)
    kept = {key: value for key, value in found.items() if key not in ("title", "description")}
    return {**kept, "$defs": defined} if defined else kept
