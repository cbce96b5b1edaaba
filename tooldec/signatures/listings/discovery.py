"""Google's API discovery documents → tools: each method one, its parameters and the fields of its body the arguments.

{"kind": "discovery#restDescription",             Tool("films_get", "Details.", {"properties":
 "resources": {"films": {"methods": {"get":         {"id": {"type": "string", "x-in": "path"}},
   {"id": "films.get", "httpMethod": "GET",   →     "required": ["id"], "title": "GET /films/{id}"})
    "path": "films/{id}", "description": …

A method is read as the operation of OpenAPI that it is; what all methods of an API take (`alt`, `key`) is the caller's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tooldec.signatures.listings import documents
from tooldec.signatures.listings.documents import Path
from tooldec.signatures.listings.openapi import Operation
from tooldec.signatures.listings.other_shapes import in_numbers
from tooldec.signatures.listings.references import References
from tooldec.signatures.source import Item, Source

_KIND = re.compile(r'"kind"\s*:\s*"discovery#restDescription"')
_RESERVED = re.compile(r"\{\+?(\w+)\*?\}")
"""A part of a path: `{+name}` may hold slashes."""

_OWN = ("location", "required", "repeated", "description")
"""What a parameter says that is no matter of its values."""


def recognises(text: str) -> bool:
    """Whether the text is a JSON object that says it is such a document.

    >>> recognises('{"kind": "discovery#restDescription"}'), recognises('{"kind": "discovery#directoryList"}')
    (True, False)
    """
    return text.lstrip("\ufeff \t\r\n").startswith("{") and _KIND.search(text) is not None


def items(source: Source) -> Iterator[Item]:
    """The methods of a document, and an error for each one that can't be read.

    >>> text = '{"kind": "discovery#restDescription", "methods": {"now": {"id": "a.now", "path": "now"}}}'
    >>> [(tool.name, tool.parameters["title"]) for tool in items(Source.of(text))]
    [('a_now', 'GET /now')]
    """
    document, place = documents.load(source)
    schemas = document.get("schemas")
    named = schemas.items() if isinstance(schemas, dict) else ()
    references = References({"schemas": {name: _schema(one) for name, one in named}})
    taken: dict[str, Any] = {}
    methods = list(_methods(document, ()))
    if not methods:
        raise source.error("this discovery document has no methods", 0, "paste that of an API that is in service")
    for above, method in methods:
        verb, path = str(method.get("httpMethod", "GET")), _RESERVED.sub(r"{\1}", str(method.get("path", "")))
        operation = _operation(method)
        yield Operation(references, source, place(above), verb, f"/{path}", {}, operation).item(taken)


def _methods(resource: dict[str, Any], above: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The methods of a resource and of those inside of it, each with its path of keys."""
    for key in ("methods", "resources"):
        inside = resource.get(key)
        for name, one in inside.items() if isinstance(inside, dict) else ():
            if isinstance(one, dict) and key == "methods":
                yield (*above, key, name), one
            elif isinstance(one, dict):
                yield from _methods(one, (*above, key, name))


def _operation(method: dict[str, Any]) -> dict[str, Any]:
    """A method as OpenAPI has it.

    >>> _operation({"parameters": {"q": {"type": "string", "location": "query"}}})["parameters"]
    [{'name': 'q', 'in': 'query', 'schema': {'type': 'string'}}]
    """
    parameters = []
    listed = method.get("parameters")
    for name, one in listed.items() if isinstance(listed, dict) else ():
        given = one if isinstance(one, dict) else {}
        schema = _schema({key: value for key, value in given.items() if key not in _OWN})
        if given.get("repeated") is True:
            schema = {"type": "array", "items": schema}
        said = {key: given[key] for key in ("required", "description") if key in given}
        parameters.append({"name": name, "in": given.get("location", "query"), "schema": schema, **said})
    found = {"operationId": method.get("id"), "description": method.get("description"), "parameters": parameters}
    if isinstance(request := method.get("request"), dict):
        found["requestBody"] = {"content": {"application/json": {"schema": _schema(request)}}}
    return found


def _schema(given: Any) -> Any:
    """A schema as OpenAPI has it: its references lead to `schemas`, its bounds are numbers, its own keys left out.

    >>> _schema({"type": "array", "items": {"$ref": "Film"}}), _schema({"type": "integer", "minimum": "0"})
    ({'type': 'array', 'items': {'$ref': '#/schemas/Film'}}, {'type': 'integer', 'minimum': 0})
    """
    if not isinstance(given, dict):
        return given
    left_out = ("id", "enumDescriptions", "enumDeprecated", "annotations", "required", "parameterName")
    found = in_numbers({key: value for key, value in given.items() if key not in left_out})
    if isinstance(found.get("$ref"), str):
        found["$ref"] = f"#/schemas/{found['$ref']}"
    for key in ("items", "additionalProperties"):
        if key in found:
            found[key] = _schema(found[key])
    if isinstance(properties := found.get("properties"), dict):
        found["properties"] = {name: _schema(one) for name, one in properties.items()}
        required = [name for name, one in properties.items() if isinstance(one, dict) and one.get("required") is True]
        found |= {"required": required} if required else {}
    return found
