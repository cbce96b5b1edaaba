"""Local references of an OpenAPI document: `$ref: "#/components/schemas/Pet"` → the schema that stands there.

A small schema is put in place. A large one, or one that contains itself, is kept once under `$defs` of the tool's
parameters, and referred to there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from tooldec.signatures.listings.other_shapes import callable_name
from tooldec.signatures.source import free_name, quoted
from tooldec.tools import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_ONES

SMALL = 32
"""How many schemas one may hold that is put in place, with those that it refers to."""

_SAID = ("description", "title", "default", "readOnly")
_LEFT_OUT = ("xml", "externalDocs", "discriminator")
_NO_DEMANDS = ("$ref", "summary", "example", "examples", "deprecated", "writeOnly", *_SAID, *_LEFT_OUT)
"""What may stand beside a reference and asks nothing of the values."""


class Unresolved(Exception):
    """A reference that can't be followed; `openapi.py` turns it into an error with its operation's place."""

    def __init__(self, message: str, fix: str) -> None:
        self.message, self.fix = message, fix
        super().__init__(message)


class References:
    """The references of one document.

    >>> document = {"components": {"schemas": {"Id": {"type": "integer", "nullable": True}}}}
    >>> References(document).resolved({"$ref": "#/components/schemas/Id", "description": "whose"}, {})
    {'type': 'integer', 'nullable': True, 'description': 'whose'}
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self._small: dict[str, bool] = {}  # pointer -> whether its schema is put in place
        self._names: dict[str, str] = {}  # pointer -> its name under `$defs`
        self._unread: list[str] = []  # pointers whose names are in `$defs`, and whose schemas aren't yet
        self.is_swagger = "openapi" not in document  # or nothing says that it isn't
        self._siblings_count = not str(document.get("openapi", document.get("swagger", ""))).startswith(("2", "3.0"))

    def followed(self, value: Any) -> Any:
        """What an entry stands for: itself, or what its `$ref` points to; None where that isn't an object."""
        for _ in range(20):
            if not isinstance(value, dict):
                return None
            if "$ref" not in value:
                return value
            value = self._at(value["$ref"])
        raise Unresolved("references that lead to each other", "let one of them be a schema")

    def _at(self, pointer: Any) -> Any:
        """The part of the document that a pointer names; raises Unresolved."""
        if not isinstance(pointer, str) or not pointer.startswith("#/"):
            fix = "put the file's contents under `components`"
            message = f"the reference {quoted(str(pointer))} leads out of this document"
            raise Unresolved(message, fix)
        value: Any = self.document
        for step in pointer[2:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~").replace("%7B", "{").replace("%7D", "}")
            try:
                value = value[int(step) if isinstance(value, list) else step]
            except (KeyError, IndexError, ValueError, TypeError):
                message = f"the reference {quoted(pointer, 80)} leads nowhere"
                fix = "define it under `components`, or correct its name"
                raise Unresolved(message, fix) from None
        return value

    def resolved(self, schema: Any, definitions: dict[str, Any]) -> Any:
        """The schema of what is sent; what it keeps under `$defs` is added to `definitions`.

        A reference that is the whole schema is followed, wherever it leads.
        """
        self._unread.clear()
        found = self._schema(schema, definitions, follow=True)
        while self._unread:
            pointer = self._unread.pop()
            definitions[self._names[pointer]] = self._schema(self._at(pointer), definitions)
        return found

    def _schema(
        self, schema: Any, definitions: dict[str, Any], answered: Collection[str] = (), follow: bool = False
    ) -> Any:
        """A schema with its references resolved, without the properties that only answers hold: its own, `answered`."""
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            return self._reference(schema, definitions, answered, follow)
        answered = [*answered, *self._answered(schema)]
        found: dict[str, Any] = {}
        for key, value in _without(schema, answered).items():
            if key in SCHEMA_MAPS and isinstance(value, dict):
                found[key] = {name: self._schema(part, definitions) for name, part in value.items()}
            elif key in SCHEMA_LISTS and isinstance(value, list):
                found[key] = [self._schema(part, definitions, answered if key == "allOf" else ()) for part in value]
            elif key in SCHEMA_ONES:
                found[key] = self._schema(value, definitions)
            elif key not in _LEFT_OUT:
                found[key] = value
        return _as_draft_2020(found)

    def _reference(
        self, schema: dict[str, Any], definitions: dict[str, Any], answered: Collection[str], follow: bool
    ) -> Any:
        pointer = schema["$ref"]
        beside = {key: value for key, value in schema.items() if key in _SAID}
        further = {key: value for key, value in schema.items() if key not in _NO_DEMANDS and not key.startswith("x-")}
        if further and self._siblings_count:  # both hold; up to 3.0, what stands beside a reference is ignored
            parts = ({"$ref": pointer}, further)
            return {"allOf": [self._schema(part, definitions, answered, follow) for part in parts], **beside}
        if follow or self._is_small(pointer):
            target = self.followed(schema) if follow else self._at(pointer)
            found = self._schema(target, definitions, answered)
            return {**found, **beside} if isinstance(found, dict) else found
        if pointer not in self._names:
            name, taken = callable_name(pointer.rpartition("/")[2]) or "schema", self._names.values()
            self._names[pointer] = free_name(name, taken) if name in taken else name
        name = self._names[pointer]
        if name not in definitions:
            definitions[name] = {}  # while it is unread
            self._unread.append(pointer)
        return {"$ref": f"#/$defs/{name}", **beside}

    def _is_small(self, pointer: Any) -> bool:
        """Whether a schema is put in place; one that contains itself would have no end."""
        target = self._at(pointer)
        if pointer not in self._small:
            count, waiting = 0, [target]
            while waiting and count <= SMALL:
                count += 1
                waiting += self._inner(waiting.pop())
            self._small[pointer] = count <= SMALL
        return self._small[pointer]

    def _inner(self, schema: Any) -> Iterator[Any]:
        """The schemas that one holds, and the one that it refers to."""
        for key, value in schema.items() if isinstance(schema, dict) else ():
            if key in SCHEMA_MAPS and isinstance(value, dict):
                yield from value.values()
            elif key in SCHEMA_LISTS and isinstance(value, list):
                yield from value
            elif key in SCHEMA_ONES:
                yield value
            elif key == "$ref":
                yield self._at(value)

    def _answered(self, schema: dict[str, Any]) -> Iterator[str]:
        """The properties that only answers hold, of a schema and of those that its `allOf` joins.

        >>> list(References({})._answered({"properties": {"id": {"readOnly": True}, "name": {}}}))
        ['id']
        """
        parts = schema.get("allOf")
        for owner in (schema, *map(self.followed, parts if isinstance(parts, list) else ())):
            properties = owner.get("properties") if owner else None
            for name, inner in properties.items() if isinstance(properties, dict) else ():
                known = (inner, self.followed(inner)) if isinstance(inner, dict) else ()
                if any(one and one.get("readOnly") is True for one in known):
                    yield name


def _without(schema: Any, names: Collection[str]) -> Any:
    """The schema without these properties."""
    if not names or not isinstance(schema, dict):
        return schema
    found = dict(schema)
    if isinstance(found.get("properties"), dict):
        found["properties"] = {name: part for name, part in found["properties"].items() if name not in names}
    if isinstance(found.get("required"), list):
        found["required"] = [name for name in found["required"] if name not in names]
    return found


def _as_draft_2020(schema: dict[str, Any]) -> dict[str, Any]:
    """OpenAPI 3.0's exclusive bounds, `minimum: 0, exclusiveMinimum: true`, as JSON Schema has them."""
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(schema.get(exclusive), bool):
            if schema.pop(exclusive) and bound in schema:
                schema[exclusive] = schema.pop(bound)
    return schema
