"""OpenAPI 3 and Swagger 2, in JSON or YAML → tools: an operation is one, its path, query and body its arguments.

    paths:                                    Tool("get_movie", "Details of a movie.", {"properties":
      /movie/{id}:                              {"id": {"type": "integer", "x-in": "path"}},
        get:                              →     "required": ["id"], "title": "GET /movie/{id}"})
          operationId: get-movie
          summary: Details of a movie.
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]

Names are rewritten to callable ones; `title` keeps method and path, `x-in` says where an argument goes, and
`x-name` what it is called there. Headers and cookies are the caller's, not the model's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.listings import documents
from tooldec.signatures.listings.keys import KEPT
from tooldec.signatures.listings.other_shapes import apart, callable_name, is_asked
from tooldec.signatures.listings.references import References, Unresolved
from tooldec.signatures.listings.schema import arguments_schema
from tooldec.signatures.schemas import object_of
from tooldec.signatures.source import Item, Source, free_name, quoted
from tooldec.tools import Tool

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
"""The operations of a path."""

_MARK = re.compile(
    r"""(?:\A\s*+|^)["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?\d+(?:\.\d+)*+["']?[ \t]*(?:#|$)""", re.M
)
_PART = re.compile(
    r"""\A\ufeff?(?:[ \t]*(?:\#[^\n]*|---)?\n)*["']?"""
    r"""(?:components|definitions|externalDocs|info|paths|security|servers|tags|x-[\w-]+)["']?[ \t]*:"""
)
"""How a document of YAML begins whose version may stand far below, behind all of its schemas."""
_FIRST = re.compile(r"""\A\ufeff?\s*\{\s*"(?:openapi|swagger)"\s*:""")
_INSIDE = re.compile(r""","?\s*"(?:openapi|swagger)"\s*:\s*"[23]""")
_METHOD = rf"(?:{'|'.join(METHODS)}|parameters|summary)"
_PATHS = re.compile(
    rf"""^["']?paths["']?[ \t]*:[ \t]*(?:\#[^\n]*)?\n(?:[ \t]*(?:\#[^\n]*)?\n)*[ \t]+["']?/[^\n]*:"""
    rf"""|\A\ufeff?(?:[ \t]*(?:\#[^\n]*|---)?\n)*[ \t]*["']?/[^\s"']*["']?:[ \t]*\n[ \t]+{_METHOD}:"""
    rf"""|\A\ufeff?\s*\{{\s*(?:"paths"\s*:\s*\{{\s*)?"/[^"\n]*"\s*:\s*\{{\s*"{_METHOD}["]""",
    re.M,
)
"""Paths without the version: a document that is pasted from `paths` on, or from the first path on."""
_AS_A_WHOLE = frozenset(
    """anyOf oneOf allOf $ref not if dependentRequired dependentSchemas dependencies propertyNames patternProperties
    minProperties maxProperties""".split()
)
"""What a body may ask for as a whole: its properties aren't arguments of their own then."""

_KNOWN: Mapping[str, tuple[str, ...]] = {
    "path": (*METHODS, "summary", "description", "servers", "parameters", "$ref"),
    "operation": (
        *("tags", "summary", "description", "externalDocs", "operationId", "parameters", "requestBody", "responses"),
        *("callbacks", "deprecated", "security", "servers"),
    ),
    "parameter": (
        *("name", "in", "required", "schema", "content", "style", "explode", "allowReserved", "allowEmptyValue"),
        *("deprecated", "collectionFormat", *sorted(KEPT)),
    ),
    "body": ("content", "required", "description", "$ref"),
    "content": ("schema", "example", "examples", "encoding"),
}
"""What each part of a document may say."""

_OPERATES = frozenset(("operationId", "responses", "requestBody"))
_SAID = ("title", "description", "example", "examples")
_WEBHOOKS = ("webhooks", "x-webhooks")
_PLACES = ("path", "query", "header", "cookie")
_PLACEHOLDER = re.compile(r"\{([^{}/]+)\}")
_CONTENT = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")


def recognises(text: str) -> bool:
    """Whether the text is a document that names its version of OpenAPI, or begins with its paths.

    >>> recognises("openapi: 3.1.0"), recognises("paths:\\n  /pets:\\n    get: {}"), recognises("paths: [a]")
    (True, True, False)
    """
    near = text if _PART.match(text) else text[:100_000]
    if _FIRST.match(text) or _MARK.search(near) or ('"paths"' in text and _INSIDE.search(text)):
        return True
    return _PATHS.search(near) is not None


def items(source: Source) -> Iterator[Item]:
    """The operations of a document, and an error for each one that can't be read.

    >>> document = "openapi: 3.1.0\\npaths: {/pets: {get: {operationId: list-pets, summary: All pets}}}"
    >>> [(tool.name, tool.description, tool.parameters["title"]) for tool in items(Source.of(document))]
    [('list_pets', 'All pets', 'GET /pets')]
    """
    document, place = documents.load(source)
    above: tuple[str, ...] = ("paths",)
    if document and all(path.startswith("/") for path in document):
        above, document = (), {"paths": document}
    version = str(document.get("openapi", document.get("swagger", "3")))
    if not version.startswith(("2", "3")):
        fix = "convert it to OpenAPI 3, for example with swagger2openapi"
        raise source.error(f"version {quoted(version)} of OpenAPI", 0, fix)
    paths = document.get("paths")
    if not isinstance(paths, dict) or not paths:
        also = next((f", but {key}, which the API calls itself" for key in _WEBHOOKS if document.get(key)), "")
        raise source.error(f"this OpenAPI document has no paths{also}", 0, "give it `paths`, each with its operations")
    taken: dict[str, Any] = {}
    references = References(document)
    for path, entry in paths.items():
        try:
            entry = references.followed(entry)
        except Unresolved as error:
            yield source.error(f"{path}: {error.message}", place((*above, path)), error.fix)
            continue
        for method, operation in entry.items() if entry else ():
            if not isinstance(operation, dict | list):
                continue
            at = place((*above, path, method))
            if fault := _misspelt("path", method):
                yield source.error(f"{path}: {fault[0]}", at, fault[1])
            elif method not in METHODS and isinstance(operation, dict) and _OPERATES & operation.keys():
                yield source.error(f"{path}: {quoted(method)} is no method", at, f"write one of {', '.join(METHODS)}")
            if method not in METHODS or not isinstance(operation, dict):
                continue
            yield Operation(references, source, at, method, path, entry, operation).item(taken)


def _misspelt(part: str, key: str) -> tuple[str, str] | None:
    """What is wrong with a key of a part of a document, and what would work; nothing where it is known, or of no use.

    >>> _misspelt("operation", "requestbody"), _misspelt("operation", "consumes")
    (('`requestbody` is no key of OpenAPI here', 'did you mean `requestBody`?'), None)
    """
    known = {name.lower(): name for name in _KNOWN[part]}
    if key in known.values() or key.startswith("x-"):
        return None
    close = get_close_matches(key.lower()[:40], known, n=1, cutoff=0.75)
    return (f"{quoted(key)} is no key of OpenAPI here", f"did you mean `{known[close[0]]}`?") if close else None


class Operation:
    """One operation in the making."""

    def __init__(
        self,
        references: References,
        source: Source,
        offset: int,
        method: str,
        path: str,
        shared: Mapping[str, Any],
        operation: dict[str, Any],
    ) -> None:
        self.references, self.source, self.offset = references, source, offset
        self.title, self.shared, self.operation = f"{method.upper()} {path}", shared, operation
        self.fallback = callable_name(f"{method} {path}")
        self.properties: dict[str, Any] = {}
        self.required: list[str] = []
        self.given: set[tuple[str, str]] = set()
        self.definitions: dict[str, Any] = {}

    def refuse(self, path: str, message: str, fix: str) -> SignatureError:
        return self.source.error(f"{self.title}: {path}: {message}", self.offset, fix)

    def checked(self, part: str, given: Mapping[str, Any], where: str) -> None:
        """Refuse keys that are misspelt; raises SignatureError."""
        for key in given:
            if fault := _misspelt(part, key):
                raise self.refuse(where, *fault)

    def item(self, taken: dict[str, Any]) -> Item:
        """The tool, or why it can't be read; its name and id are added to those that are `taken`."""
        try:
            tool = self.tool(taken)
        except SignatureError as refused:
            return refused
        except Unresolved as error:
            return self.source.error(f"{self.title}: {error.message}", self.offset, error.fix)
        taken.setdefault(tool.name, self.operation.get("operationId"))
        return tool

    def tool(self, taken: Mapping[str, Any]) -> Tool:
        self.checked("operation", self.operation, "this operation")
        given = self.operation.get("operationId")
        name = callable_name(given) if isinstance(given, str) else ""
        name = name or self.fallback
        if name in taken and not (given and taken[name] == given):  # an id that stands twice is told, not mended
            name = free_name(name, taken)
        for parameter in self._parameters():
            self._add_parameter(parameter)
        for raw in _PLACEHOLDER.findall(self.title):
            if ("path", raw) not in self.given:
                self._add(raw, {"type": "string"}, "path", True)
        self._add_body()
        more = {"x-name": given if isinstance(given, str) and given != name else "", "$defs": self.definitions}
        schema = object_of(self.properties, self.required, title=self.title, **more)
        summary, words = (str(self.operation.get(key) or "").strip() for key in ("summary", "description"))
        description = words if words.startswith(summary) else "\n".join(filter(None, (summary, words)))
        parameters = arguments_schema(schema, "parameters", self.refuse)
        return Tool(name, description, parameters, *self.source.place(self.offset))

    def _parameters(self) -> Iterator[dict[str, Any]]:
        """The operation's parameters and those of its path, the operation's counting where both name one."""
        found: dict[tuple[Any, Any], dict[str, Any]] = {}
        for owner in (self.shared, self.operation):
            listed = owner.get("parameters") or []
            if not isinstance(listed, list):
                raise self.refuse("parameters", "this isn't a list", "list them, each with `name`, `in`, `schema`")
            for given in listed:
                parameter = self.references.followed(given)
                if not isinstance(parameter, dict) or not isinstance(parameter.get("name"), str):
                    raise self.refuse(
                        "parameters", "a parameter without a name", "give each one `name`, `in`, `schema`"
                    )
                found[parameter["name"], str(parameter.get("in"))] = parameter
        yield from found.values()

    def _add_parameter(self, given: dict[str, Any]) -> None:
        where, named = given.get("in"), f"parameter {quoted(given['name'])}"
        if where == "body" and self.references.is_swagger:
            self._add_fields(given.get("schema"), is_asked(given.get("required")))
            return
        if where not in _PLACES and not (where == "formData" and self.references.is_swagger):
            close = get_close_matches(str(where).lower()[:40], _PLACES, n=1)
            fix = f"did you mean `{close[0]}`?" if close else f"write one of {', '.join(_PLACES)}"
            said = "`in` is missing" if where is None else f"{quoted(str(where))} is no place of a request"
            fix = "describe it under `requestBody`" if where in ("body", "formData") else fix
            raise self.refuse(named, said, fix)
        self.checked("parameter", given, named)
        if where not in ("path", "query", "formData"):
            return
        self.given.add((where, given["name"]))
        content = given.get("content")
        schema = _first(content).get("schema") if isinstance(content, dict) else given.get("schema")
        beside = {key: value for key, value in given.items() if key in KEPT and key not in _SAID}  # as Swagger 2 has it
        if beside.get("type") == "file":
            beside |= {"type": "string", "format": "binary"}
        if schema is None or not beside:
            schema = schema if schema is not None else beside or {"type": "string"}
        elif isinstance(schema, dict):
            schema = {"allOf": [schema, beside]} if "$ref" in schema else {**beside, **schema}
        resolved = self.references.resolved(schema, self.definitions)
        resolved = resolved if isinstance(resolved, dict) else {}
        for key in ("description", "example"):
            if given.get(key) not in (None, "") and key not in resolved:
                resolved = {**resolved, key: given[key]}
        needed = where == "path" or is_asked(given.get("required"))
        self._add(given["name"], resolved, "body" if where == "formData" else where, needed)

    def _add_body(self) -> None:
        body = self.references.followed(self.operation.get("requestBody"))
        if not body:
            return
        self.checked("body", body, "requestBody")
        content = body.get("content")
        if not isinstance(content, dict) or not content:
            fix = "write `content: {application/json: {schema: …}}`"
            raise self.refuse("requestBody", "a body without `content`", fix)
        self.checked("content", _first(content), "requestBody.content")
        self._add_fields(_first(content).get("schema"), body.get("required") is True)

    def _add_fields(self, schema: Any, needed: bool) -> None:
        """The body as one argument, or its fields: those that it requires must be given, for it is sent in every call.

        A body that isn't `needed` might stay away, and with it all of them: few documents that leave out
        `required: true` mean that, and a call that gives them is right in either case.
        """
        resolved = self.references.resolved(schema if schema is not None else {}, self.definitions)
        fields = resolved.get("properties") if isinstance(resolved, dict) else None
        if not isinstance(fields, dict) or _AS_A_WHOLE & resolved.keys():
            self._add("body", resolved if isinstance(resolved, dict) else {}, "body", needed)
            return
        required = resolved.get("required") or []
        if not isinstance(required, list):
            raise self.refuse("the body's `required`", "this isn't a list", "list the names of what must be given")
        for name, inner in fields.items():
            self._add(name, inner if isinstance(inner, dict) else {}, "body", name in required)

    def _add(self, raw: str, schema: dict[str, Any], where: str, needed: bool) -> None:
        name = callable_name(raw) or "value"
        if name in self.properties:
            name = apart(name, where, self.properties)
        self.properties[name] = {**schema, "x-in": where, **({"x-name": raw} if name != raw else {})}
        if needed:
            self.required.append(name)


def _first(content: Mapping[str, Any]) -> Mapping[str, Any]:
    """The media type that is sent: JSON where there is a choice."""
    known = next((kind for kind in _CONTENT if kind in content), None) or next(
        (kind for kind in content if kind.partition(";")[0].endswith("json")), next(iter(content), "")
    )
    chosen = content.get(known)
    return chosen if isinstance(chosen, Mapping) else {}
