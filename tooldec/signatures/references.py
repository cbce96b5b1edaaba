"""Local references of an OpenAPI document: `$ref: "#/components/schemas/Pet"` → the schema that stands there.

A schema that contains itself can't be put in place; it is kept under `$defs`, and referred to there.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tooldec.signatures.source import free_name, quoted
from tooldec.tools import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_ONES

LARGEST = 20_000
"""How many schemas are put in place for one operation; beyond them, references stay, with `$defs`."""

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
        self._count = 0
        self._names: dict[str, str] = {}  # pointer -> its name under `$defs`
        self._siblings_count = not str(document.get("openapi", "")).startswith("3.0")

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
        """The schema of what is sent, with its references put in place; what contains itself goes to `definitions`."""
        self._count = 0
        return _as_sent(self._schema(schema, (), definitions))

    def _schema(self, schema: Any, inside: tuple[str, ...], definitions: dict[str, Any]) -> Any:
        if not isinstance(schema, dict):
            return schema
        self._count += 1
        if "$ref" in schema:
            return self._reference(schema, inside, definitions)
        found: dict[str, Any] = {}
        for key, value in schema.items():
            if key in SCHEMA_MAPS and isinstance(value, dict):
                found[key] = {name: self._schema(part, inside, definitions) for name, part in value.items()}
            elif key in SCHEMA_LISTS and isinstance(value, list):
                found[key] = [self._schema(part, inside, definitions) for part in value]
            elif key in SCHEMA_ONES:
                found[key] = self._schema(value, inside, definitions)
            elif key not in _LEFT_OUT:
                found[key] = value
        return _as_draft_2020(found)

    def _reference(self, schema: dict[str, Any], inside: tuple[str, ...], definitions: dict[str, Any]) -> Any:
        pointer = schema["$ref"]
        beside = {key: value for key, value in schema.items() if key in _SAID}
        further = {key: value for key, value in schema.items() if key not in _NO_DEMANDS and not key.startswith("x-")}
        if further and self._siblings_count:  # both hold; in 3.0, what stands beside a reference is ignored
            parts = [self._schema({"$ref": pointer}, inside, definitions), self._schema(further, inside, definitions)]
            return {"allOf": parts, **beside}
        target = self._at(pointer)
        if pointer in inside or self._count > LARGEST:
            if pointer not in self._names:
                name, taken = str(pointer).rpartition("/")[2], self._names.values()
                self._names[pointer] = free_name(name, taken) if name in taken else name
            name = self._names[pointer]
            if name not in definitions:
                definitions[name] = {}  # while it is being read
                definitions[name] = _as_sent(self._schema(target, (pointer,), definitions))
            return {"$ref": f"#/$defs/{name}", **beside}
        found = self._schema(target, (*inside, pointer), definitions)
        return {**found, **beside} if isinstance(found, dict) else found


def _as_sent(schema: Any) -> Any:
    """The schema without the properties that only answers hold, and without the demand to give them.

    >>> _as_sent({"properties": {"id": {"readOnly": True}, "name": {}}, "required": ["id", "name"]})
    {'properties': {'name': {}}, 'required': ['name']}
    """
    if not isinstance(schema, dict):
        return schema
    found = dict(schema)
    parts = found["allOf"] if isinstance(found.get("allOf"), list) else []
    owners = [part["properties"] for part in (found, *parts) if isinstance(part, dict) and "properties" in part]
    answered = {
        name
        for properties in owners
        for name, inner in (properties.items() if isinstance(properties, dict) else ())
        if isinstance(inner, dict) and inner.get("readOnly") is True
    }
    if answered and parts:
        found["allOf"] = [_without(part, answered) for part in parts]
    found = _without(found, answered)
    for key, value in found.items():
        if key in SCHEMA_MAPS and isinstance(value, dict):
            found[key] = {name: _as_sent(part) for name, part in value.items()}
        elif key in SCHEMA_LISTS and isinstance(value, list):
            found[key] = [_as_sent(part) for part in value]
        elif key in SCHEMA_ONES:
            found[key] = _as_sent(value)
    return found


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
