"""JSDoc comments → what they say of a function and of its parameters, types included where the code has none.

/** Adds.
 * @param {number} a the first            {"type": "number", "description": "the first"}
 * @param {string} [b="x"] - the other    {"type": "string", "default": "x", "description": "the other"}, optional
 */
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tooldec.errors import SignatureError
from tooldec.signatures.schemas import KINDS, JSONSchema, object_of, with_null
from tooldec.signatures.source import Source
from tooldec.signatures.typescript import js_values
from tooldec.signatures.typescript.tokens import Tokens

_NAME = r"[\w$.]+(?:\[\][\w$.]*)*"
_PARAM = re.compile(
    r"^@(?:param|arg|argument)[ \t]+(?:\{(?P<type>(?:[^{}\n]|\{[^{}\n]*\})*)\}[ \t]*)?"
    rf"(?:\[[ \t]*(?P<optional>{_NAME})[ \t]*(?:=(?P<default>(?:[^\[\]\n]|\[[^\[\]\n]*\])*))?\]|(?P<name>{_NAME}))"
    r"[ \t]*-?[ \t]*(?P<text>.*)$",
    re.MULTILINE,
)
_TAG = re.compile(r"^@\w+.*$", re.MULTILINE)
_SPELLINGS = ((re.compile(r"\bObject\.?<"), "Record<"), (re.compile(r"\.<"), "<"), (re.compile(r"[*]"), "any"))

Read = Callable[[Tokens], JSONSchema]
"""The reader of TypeScript's types."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a line says of a parameter: its type and its default as they are written, and its description."""

    type: str
    optional: bool
    default: str
    text: str

    def schema(self, read: Read, rest: bool = False) -> JSONSchema:
        """The parameter's schema without its description: empty where the type isn't known here."""
        written = self.type.strip().removesuffix("=").lstrip("!").removeprefix("...")
        for spelling, instead in _SPELLINGS:
            written = spelling.sub(instead, written)
        default = _plain(self.default)
        found = _type(written.lstrip("?"), read)
        if not found and type(default) in KINDS:
            found = {"type": "number" if type(default) is int else KINDS[type(default)]}
        if rest and found.get("type") != "array":
            found = {"type": "array", "items": found} if found else {"type": "array"}
        found = with_null(found) if written.startswith("?") and found else found
        return found if default is ... else {**found, "default": default}


def said(comment: str) -> dict[str, Said]:
    """What a comment says of each parameter, by name; of a property its name is `options.city`.

    >>> said("Adds.\\n@param {string} [b='x'] - the other")
    {'b': Said(type='string', optional=True, default="'x'", text='the other')}
    """
    return {
        found["optional"] or found["name"]: Said(
            found["type"] or "",
            found["optional"] is not None or (found["type"] or "").endswith("="),
            found["default"] or "",
            found["text"].strip(),
        )
        for found in _PARAM.finditer(comment)
    }


def summary(comment: str) -> str:
    """A comment without its `@param` and `@returns` lines.

    >>> summary("Adds.\\n@returns {number} the sum")
    'Adds.'
    """
    return _TAG.sub("", comment).strip()


def with_properties(schema: JSONSchema, name: str, lines: dict[str, Said], read: Read) -> JSONSchema:
    """The schema with the properties that lines such as `@param {string} options.city` give an object.

    Also those of objects in it, `options.user.name`, and in a list, `users[].name`.
    """
    if schema.get("type") == "array":
        items = with_properties(schema.get("items", {}), f"{name}[]", lines, read)
        return {**schema, "items": items} if items else schema
    inner = {key.removeprefix(f"{name}."): one for key, one in lines.items() if key.startswith(f"{name}.")}
    known = schema.get("type", "object") != "object" or schema.keys() & {"properties", "additionalProperties"}
    if not inner or known or "anyOf" in schema:
        return schema
    properties: dict[str, JSONSchema] = {}
    for key, one in inner.items():
        if "." not in key and not key.endswith("[]"):
            found = with_properties(one.schema(read), f"{name}.{key}", lines, read)
            properties[key] = described(found, one.text)
    required = [key for key in properties if not inner[key].optional]
    return {**schema, **object_of(properties, required)}


def taken_apart(lines: dict[str, Said], names: Mapping[str, JSONSchema | None], read: Read) -> JSONSchema:
    """What the lines say of an object that is taken apart as `{ city, days = 3 }`, whatever they call it; else nothing.

    names   what it holds, with what the default of each says; None for one without

    >>> found = taken_apart(said("@param args.city where"), {"city": None, "days": {"default": 3}}, NotImplemented)
    >>> found["properties"], found["required"]
    ({'city': {'description': 'where'}, 'days': {'default': 3}}, ['city'])
    """
    for key in lines:
        name, _, property = key.partition(".")
        if property and property in names:
            found = with_properties({"type": "object"}, name, lines, read)
            known, needed = found["properties"], found.get("required", ())
            properties = {one: {**(names.get(one) or {}), **known.get(one, {})} for one in (*known, *names)}
            without = [one for one in properties if names.get(one) is None]  # a default
            return object_of(properties, [one for one in without if one in needed or one not in known])
    return {}


def described(schema: JSONSchema, text: str) -> JSONSchema:
    """The schema with a description, where it has none."""
    return {**schema, "description": text} if text and "description" not in schema else schema


def _type(written: str, read: Read) -> JSONSchema:
    if not written:
        return {}
    try:
        tokens = Tokens.of(Source.of(written))
        found = read(tokens)
    except (SignatureError, RecursionError):  # as most types of other files
        return {}
    return found if tokens.here.kind == "end" else {}


def _plain(written: str) -> object:
    """The value of a default, or `...` where it is no plain one."""
    try:
        return js_values.whole(Tokens.of(Source.of(written)))
    except (SignatureError, RecursionError):
        return ...
