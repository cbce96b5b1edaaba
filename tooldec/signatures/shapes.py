"""Other shapes of a function in JSON, brought into the usual one: name, description, `parameters` as a schema.

{"title": "Get weather", "type": "object", "properties": {…}}      plain JSON Schema: the title becomes the name
{"name": …, "parameters": [{"name": "q", "in": "query", "schema": {…}, "required": true}]}    REST listings
{"name": …, "params": [["q", "string", 1]]}, {"name": …, "args": ["station"]}                 lists of arguments
{"name": "add", "arg_type": "number", "min_args": 2, "max_args": null}                        FuncQA
"""

from __future__ import annotations

import re
from typing import Any

from tooldec.signatures.schema import Refuse
from tooldec.signatures.source import quoted

SCHEMAS = ("parameters", "inputSchema", "input_schema", "parametersJsonSchema", "arguments_schema")
"""Keys under which a function keeps the schema of its arguments."""

LISTED = ("parameters", "params", "args")
"""Keys under which a function may list its arguments one by one."""

_KEPT = ("type", "format", "description", "enum", "default", "example", "minimum", "maximum", "items", "pattern")
_NOT_A_WORD = re.compile(r"\W+")
_NUMERIC = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")


def callable_name(words: str) -> str:
    """A name that every scheme can write, from a title or a path.

    >>> callable_name("Get weather (now)"), callable_name("GET /movie/{movie_id}/keywords"), callable_name("3d")
    ('Get_weather_now', 'GET_movie_movie_id_keywords', '_3d')
    """
    name = _NOT_A_WORD.sub("_", words).strip("_")
    return f"_{name}" if name[:1].isdigit() else name


def function_of(given: dict[str, Any], path: str, refuse: Refuse) -> dict[str, Any]:
    """The function in its usual shape; one that has it already is returned as it is.

    >>> function_of({"name": "f", "args": ["a b"]}, "$", NotImplemented)["parameters"]["properties"]
    {'a_b': {'type': 'string', 'title': 'a b'}}
    """
    if "name" not in given:
        return _titled(given)
    key = next((key for key in LISTED if isinstance(given.get(key), list)), None)
    if key is not None and (key != "parameters" or given[key]):
        name = given.get("unique_name", given["name"])
        return {**given, "name": name, "parameters": _listed(given[key], f"{path}.{key}", refuse)}
    if key is not None and ("endpoint" in given or "api" in given):
        return {**given, "parameters": None}
    if "min_args" in given and not any(key in given for key in SCHEMAS):
        return {**given, "parameters": _counted(given)}
    return given


def _titled(schema: dict[str, Any]) -> dict[str, Any]:
    title = schema.get("title")
    if not isinstance(title, str) or not ("properties" in schema or schema.get("type") == "object"):
        return schema
    description = schema.get("description", "")
    inner = {key: value for key, value in schema.items() if key not in ("$schema", "$id", "description")}
    return {"name": callable_name(title) or title, "description": description, "parameters": inner}


def _listed(parameters: list[Any], path: str, refuse: Refuse) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for index, given in enumerate(parameters):
        name, schema, needed = _one(given, f"{path}[{index}]", refuse)
        if name in properties:  # listings of real APIs name some parameters twice: the first one counts
            continue
        properties[name] = schema
        if needed:
            required.append(name)
    schema = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema


def _one(given: Any, path: str, refuse: Refuse) -> tuple[str, dict[str, Any], bool]:
    """A parameter of a list: its name, its schema, and whether a call must give it."""
    if isinstance(given, str) and given:
        name = callable_name(given) or given
        return name, {"type": "string"} | ({"title": given} if name != given else {}), True
    if isinstance(given, list) and len(given) >= 2 and all(isinstance(part, str) for part in given[:2]):
        return given[0], {"type": given[1]}, bool(given[2]) if len(given) > 2 else True
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        message, example = "this isn't a parameter", '`{"name": "q", "type": "string", "required": true}`'
        raise refuse(path, f"{message}: {quoted(str(given))}", f"write it as {example}, or give a JSON Schema")
    schema = dict(given["schema"]) if isinstance(given.get("schema"), dict) else {}
    schema |= {key: given[key] for key in _KEPT if given.get(key) not in (None, "")}
    if given.get("in") in ("path", "query", "body"):
        schema["x-in"] = given["in"]
    return given["name"], _whole(schema), bool(given.get("required"))


def _whole(schema: dict[str, Any]) -> dict[str, Any]:
    """Bounds and defaults that a listing gives as texts, as what its type says: `"maximum": "50"` → 50."""
    for key in _NUMERIC:
        if isinstance(schema.get(key), str):
            schema[key] = _number(schema[key])
            if isinstance(schema[key], str):
                del schema[key]
    for key in ("default", "example"):
        if isinstance(schema.get(key), str):
            if schema.get("type") in ("integer", "number"):
                schema[key] = _number(schema[key])
            elif schema.get("type") == "boolean":
                schema[key] = {"true": True, "false": False}.get(schema[key].lower(), schema[key])
    return schema


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _counted(given: dict[str, Any]) -> dict[str, Any]:
    """FuncQA's functions: a number of arguments of one type, `add(*numbers: float)`."""
    array: dict[str, Any] = {"type": "array", "items": {"type": given.get("arg_type", "number")}, "x-variadic": True}
    for key, bound in (("min_args", "minItems"), ("max_args", "maxItems")):
        if isinstance(given.get(key), int):
            array[bound] = given[key]
    return {"type": "object", "properties": {"numbers": array}}
