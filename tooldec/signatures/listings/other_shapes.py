"""Other shapes of a function in JSON, brought into the usual one: name, description, `parameters` as a schema.

{"title": "Get weather", "type": "object", "properties": {…}}      plain JSON Schema: the title becomes the name
{"name": …, "parameters": [{"name": "q", "in": "query", "schema": {…}, "required": true}]}    REST listings
{"name": …, "params": [["q", "string", 1]]}, {"name": …, "args": ["station"]}                 lists of arguments
{"name": …, "parameter_definitions": {"q": {"type": "str", "required": true}}}                by name: Cohere
{"name": …, "inputs": {"q": {"type": "string", "nullable": true}}}, {"name": …, "args": {…}}  smolagents, LangChain
{"name": …, "inputSchema": {"json": {…}}}, {"name": …, "properties": {…}}                     Bedrock, bare
{"name": "add", "arg_type": "number", "min_args": 2, "max_args": null}                        FuncQA
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from tooldec.signatures.listings.keys import BESIDE, ELSEWHERE, KEPT, LISTED, SCHEMAS
from tooldec.signatures.listings.schema import DEFINE, Refuse, names_type, normalise, step
from tooldec.signatures.schemas import object_of
from tooldec.signatures.source import as_one, free_name, quoted

_BOOKKEEPING = frozenset(
    """name in required optional schema raw_name source_type style explode allowReserved allowEmptyValue
    collectionFormat""".split()
)
"""What listings say of a parameter that is no matter of its values."""

_NOT_ASKED = re.compile("output|return|respon|result|annotation|meta|example", re.IGNORECASE)
"""Keys for what isn't an argument."""

_NOT_A_WORD = re.compile(r"\W+")
_NUMERIC = frozenset(
    """minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties
    maxProperties""".split()
)


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
    schema = schema_key(given)
    if schema is not None and isinstance(given[schema], dict) and not _says_nothing(given[schema]):
        alone = {key: value for key, value in given.items() if key == schema or key not in SCHEMAS}
        return _with_beside(_unwrapped(alone, schema), schema, path, refuse)
    key = next((key for key in LISTED if isinstance(given.get(key), list)), None)
    if key is not None and (key != "parameters" or given[key]):
        name = given.get("unique_name", given["name"])
        listed = [(f"{path}.{key}[{index}]", part) for index, part in enumerate(given[key])]
        return {**given, "name": name, "parameters": _listed(listed, refuse)}
    if key is not None and ("endpoint" in given or "api" in given):
        return {**given, "parameters": None}
    if "min_args" in given and not any(key in given for key in SCHEMAS):
        return {**given, "parameters": _counted(given)}
    return _from_elsewhere(given, path, refuse)


def schema_key(given: dict[str, Any]) -> str | None:
    """Where a function keeps its schema: of several keys the first one that says something.

    >>> schema_key({"parameters": None, "inputSchema": {"properties": {"q": {}}}, "input_schema": {}})
    'inputSchema'
    """
    there = [key for key in SCHEMAS if key in given]
    return next((key for key in there if not _says_nothing(given[key])), next(iter(there), None))


def _says_nothing(schema: Any) -> bool:
    """Whether a schema lets another key hold the arguments: null, `{}`, an object without properties."""
    empty = {"type": "object", "properties": {}}
    return not schema or (isinstance(schema, dict) and all(empty.get(key) == value for key, value in schema.items()))


def _unwrapped(given: dict[str, Any], key: str) -> dict[str, Any]:
    """Bedrock's `{"json": {…}}` taken off."""
    inner = given[key].get("json") if isinstance(given[key], dict) and len(given[key]) == 1 else None
    return {**given, key: inner} if isinstance(inner, dict) and "type" in inner else given


def _with_beside(given: dict[str, Any], key: str, path: str, refuse: Refuse) -> dict[str, Any]:
    """The function with what stands beside its schema inside of it: `"parameters": {…}, "required": ["unit"]`."""
    schema, kinds = dict(given[key]), {"required": list, "additionalProperties": bool | dict}
    for word in BESIDE:
        said = given.get(word)
        if said not in ([], {}) and isinstance(said, kinds.get(word, dict)) and schema.setdefault(word, said) != said:
            message = f"`{word}` stands beside `{key}` and inside of it, and they differ"
            raise refuse(f"{path}.{word}", message, f"keep the one inside of `{key}`")
    return {**given, key: schema}


def _from_elsewhere(given: dict[str, Any], path: str, refuse: Refuse) -> dict[str, Any]:
    """The function with its schema under `parameters`, where another key or another wrapping holds it."""
    for key in ELSEWHERE:
        if isinstance(found := given.get(key), dict):
            if key in ("arguments", "args", "input") and not _is_schema(found) and _are_values(found):
                raise refuse(f"{path}.{key}", "these are the values of a call, not parameters", DEFINE)
            if _is_schema(found):
                return _with_beside({**given, "parameters": found}, "parameters", path, refuse)
            return {**given, "parameters": _mapped(found, f"{path}.{key}", refuse)}
        if key in ("arguments", "input") and isinstance(found, str) and found.lstrip()[:1] == "{":
            raise refuse(f"{path}.{key}", "these are the values of a call, written as a text", DEFINE)
    if isinstance(given.get("properties"), dict):
        return {**given, "parameters": {"type": "object"} | {key: given[key] for key in BESIDE if key in given}}
    for key, found in given.items() if schema_key(given) is None else ():
        if isinstance(found, dict) and found and not _NOT_ASKED.search(key) and _tells_arguments(found):
            raise refuse(f"{path}.{key}", "arguments aren't read from this key", "call it `parameters`")
    return given


def _is_schema(found: dict[str, Any]) -> bool:
    """Whether an object is a schema, not parameters by their names."""
    return not found or "$ref" in found or isinstance(found.get("type"), str) or _are_parts(found.get("properties"))


def _are_values(found: dict[str, Any]) -> bool:
    """Whether an object holds arguments of a call: no entry of it could be a parameter."""
    return bool(found) and not any(
        names_type(part) or (isinstance(part, dict) and (not part or KEPT & part.keys())) for part in found.values()
    )


def _tells_arguments(found: dict[str, Any]) -> bool:
    return _are_parts(found.get("properties")) or (_are_parts(found) and all("type" in part for part in found.values()))


def _are_parts(found: Any) -> bool:
    return isinstance(found, dict) and all(isinstance(part, dict) for part in found.values())


def _mapped(parameters: dict[str, Any], path: str, refuse: Refuse) -> dict[str, Any]:
    """Parameters by their names; one that says nothing of it must be given, unless it has a default or may be null."""
    listed: list[tuple[str, Any]] = []
    for name, part in parameters.items():
        if isinstance(part, str):
            part = {"type": part}
        if not isinstance(part, dict):
            message, example = "this isn't a parameter", '`{"type": "string"}`'
            raise refuse(f"{path}{step(name)}", f"{message}: {quoted(str(part))}", f"write it as {example}")
        optional = "default" in part or part.get("nullable") is True or part.get("optional") is True
        listed.append((f"{path}{step(name)}", {"required": not optional, **part, "name": name}))
    return _listed(listed, refuse)


def _titled(schema: dict[str, Any]) -> dict[str, Any]:
    title = schema.get("title")
    if not isinstance(title, str) or not ("properties" in schema or schema.get("type") == "object"):
        return schema
    description = schema.get("description", "")
    inner = {key: value for key, value in schema.items() if key not in ("$schema", "$id", "description")}
    return {"name": callable_name(title) or title, "description": description, "parameters": inner}


def _listed(parameters: list[tuple[str, Any]], refuse: Refuse) -> dict[str, Any]:
    """The schema of parameters, each with its path."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    errors: list[Exception] = []
    for path, given in parameters:
        name, schema, needed = _one(given, path, refuse)
        errors += normalise(schema, path, refuse)
        if name in properties and properties[name].get("x-in") != schema.get("x-in"):
            schema = {**schema, "x-name": name}
            name = apart(name, schema.get("x-in", "other"), properties)
        elif name in properties:
            if (both := _together(properties[name], schema)) is None:
                fix = f"rename this one, for example to `{free_name(name, properties)}`"
                raise refuse(path, f"two parameters are called {quoted(name)}", fix)
            schema = both
        properties[name] = schema
        if needed and name not in required:
            required.append(name)
    if errors:
        raise as_one(errors)
    return object_of(properties, required)


def apart(name: str, where: str, taken: Collection[str]) -> str:
    """A name for a parameter whose own one another place of the request has: `ids` in the body → `ids_body`."""
    return free_name(name, taken) if f"{name}_{where}" in taken else f"{name}_{where}"


def _together(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any] | None:
    """One schema for a parameter that a listing of a real API names twice; None where two are meant.

    >>> _together({"type": "string"}, {"type": "array"}), _together({"description": "a"}, {"description": "b"})
    ({'anyOf': [{'type': 'string'}, {'type': 'array'}]}, None)
    """
    said = [{key: value for key, value in one.items() if key not in ("example", "examples")} for one in (first, second)]
    if said[0] == said[1]:
        return first
    described = {one.get("description") for one in said} - {None}
    return {"anyOf": [first, second]} if len(described) < 2 and first.get("type") != second.get("type") else None


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
    inner = given.get("schema") or {}
    if not isinstance(inner, dict | str):
        raise refuse(f"{path}.schema", "this isn't a schema", 'write it as `{"type": "string"}`')
    schema = {"type": inner} if isinstance(inner, str) else dict(inner)
    schema |= {key: value for key, value in given.items() if key not in _BOOKKEEPING and value is not None}
    for key in [key for key, value in schema.items() if value == "" and (key != "default" or not _is_text(schema))]:
        del schema[key]
    if isinstance(given.get("required"), list):  # of a parameter that is an object
        schema["required"] = given["required"]
    if given.get("in") in ("path", "query", "body"):
        schema["x-in"] = given["in"]
    return given["name"], in_numbers(schema), is_asked(given.get("required", given.get("optional") is False))


def _is_text(schema: dict[str, Any]) -> bool:
    return str(schema.get("type", "string")).lower() in ("string", "str")


def is_asked(required: Any) -> bool:
    """Whether a call must give a parameter; some listings say so in words."""
    if isinstance(required, str):
        return required.strip().lower() in ("true", "yes", "required", "1")
    return bool(required) and not isinstance(required, list)


def in_numbers(schema: dict[str, Any]) -> dict[str, Any]:
    """Bounds and defaults that a listing gives as texts, as what its type says: `"maximum": "50"` → 50."""
    for key in _NUMERIC:
        if isinstance(schema.get(key), str):
            schema[key] = _number(schema[key])
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
