"""JSDoc comments → what they say of a function and of its parameters, types included where the code has none.

/** Adds.
 * @param {number} a the first            {"type": "number", "description": "the first"}
 * @param {string} [b="x"] - the other    {"type": "string", "default": "x", "description": "the other"}, optional
 */
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tooldec.errors import SignatureError
from tooldec.signatures import js_values
from tooldec.signatures.source import Source
from tooldec.signatures.ts_tokens import Tokens
from tooldec.signatures.values import KINDS, JSONSchema, with_null

_PARAM = re.compile(
    r"^@(?:param|arg|argument)[ \t]+(?:\{(?P<type>(?:[^{}\n]|\{[^{}\n]*\})*)\}[ \t]*)?"
    r"(?:\[[ \t]*(?P<optional>[\w$.]+)[ \t]*(?:=(?P<default>(?:[^\[\]\n]|\[[^\[\]\n]*\])*))?\]|(?P<name>[\w$.]+))"
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
    """An object's schema with the properties that lines such as `@param {string} options.city` give it."""
    inner = {key.removeprefix(f"{name}."): one for key, one in lines.items() if key.startswith(f"{name}.")}
    if not inner or schema.get("type") != "object" or schema.keys() & {"properties", "additionalProperties"}:
        return schema
    properties = {key: described(one.schema(read), one.text) for key, one in inner.items() if "." not in key}
    required = [key for key in properties if not inner[key].optional]
    return {**schema, "properties": properties, **({"required": required} if required else {})}


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
