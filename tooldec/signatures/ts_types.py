"""Types of TypeScript → JSON Schema; PLAIN has a row for each type that has a name.

string[] | null              {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
"c" | "f"                    {"type": "string", "enum": ["c", "f"]}
{ city: string, n?: number } {"type": "object", "properties": {…}, "required": ["city"]}
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from tooldec.signatures.source import quoted
from tooldec.signatures.ts_tokens import Token, Tokens, text_of
from tooldec.signatures.values import KINDS, JSONSchema, any_of, choice

PLAIN: Mapping[str, JSONSchema] = {
    **{kind: {"type": kind} for kind in ("string", "number", "integer", "boolean", "null", "object")},
    **{"bigint": {"type": "integer"}, "undefined": {"type": "null"}, "void": {"type": "null"}},
    **{"any": {}, "unknown": {}, "Date": {"type": "string", "format": "date-time"}},
    **{"int": {"type": "integer"}, "float": {"type": "number"}, "String": {"type": "string"}},
    **{"Number": {"type": "number"}, "Boolean": {"type": "boolean"}, "Object": {"type": "object"}},
}
"""name of a type -> its schema."""

_PARAM = re.compile(r"^@param[ \t]+(?:\{[^}]*\}[ \t]*)?(?P<name>[\w$]+)[ \t]*-?[ \t]*(?P<text>.*)$", re.MULTILINE)
_TAG = re.compile(r"^@\w+.*$", re.MULTILINE)


class Types:
    """The types that a text defines, and the reader of all others.

    >>> from tooldec.signatures.source import Source
    >>> Types().read(Tokens.of(Source.of("Array<'a' | 'b'>")))
    {'type': 'array', 'items': {'type': 'string', 'enum': ['a', 'b']}}
    """

    def __init__(self) -> None:
        self._defined: dict[str, tuple[tuple[Token, ...], str, str]] = {}
        self._open: list[str] = []

    def define(self, name: str, tokens: tuple[Token, ...], kind: str, description: str) -> None:
        self._defined[name] = (tokens, kind, description)

    def read(self, tokens: Tokens) -> JSONSchema:
        """The type that begins here; raises SignatureError."""
        tokens.take("|")
        options = [self._intersection(tokens)]
        while tokens.take("|"):
            options.append(self._intersection(tokens))
        return _union(options)

    def _intersection(self, tokens: Tokens) -> JSONSchema:
        schema = self._postfix(tokens)
        while tokens.take("&"):
            other = self._postfix(tokens)
            required = [*schema.get("required", ()), *other.get("required", ())]
            properties = {**schema.get("properties", {}), **other.get("properties", {})}
            schema = {"type": "object", "properties": properties, **({"required": required} if required else {})}
        return schema

    def _postfix(self, tokens: Tokens) -> JSONSchema:
        schema = self._single(tokens)
        while tokens.here.text == "[" and not tokens.here.new_line:
            tokens.next()
            tokens.expect("]")
            schema = {"type": "array", **({"items": schema} if schema else {})}
        return schema

    def _single(self, tokens: Tokens) -> JSONSchema:
        token = tokens.here
        if token.kind in ("text", "number") or token.text in ("true", "false"):
            tokens.next()
            return {"const": _value(token)}
        if token.text == "{":
            return self._object(tokens)
        if tokens.take("("):
            schema = self.read(tokens)
            tokens.expect(")")
            return schema
        if tokens.take("["):
            items = []
            while not tokens.take("]"):
                items.append(self.read(tokens))
                tokens.take(",")
            return {
                "type": "array",
                "prefixItems": items,
                "items": False,
                "minItems": len(items),
                "maxItems": len(items),
            }
        tokens.take("readonly")
        name = tokens.name()
        while tokens.take("."):  # Color.Red, React.Node
            tokens.name()
        if tokens.here.text == "<":
            return self._generic(name, tokens)
        if name.text in self._defined:
            return self._known(name, tokens)
        if name.text not in PLAIN:
            raise self._unknown(name, tokens)
        return dict(PLAIN[name.text])

    def _generic(self, name: Token, tokens: Tokens) -> JSONSchema:
        tokens.expect("<")
        parts = [self.read(tokens)]
        while tokens.take(","):
            parts.append(self.read(tokens))
        tokens.expect(">")
        if name.text in ("Array", "ReadonlyArray", "Set"):
            return {"type": "array", **({"items": parts[0]} if parts[0] else {})}
        if name.text in ("Record", "Map") and len(parts) == 2:
            return {"type": "object", **({"additionalProperties": parts[1]} if parts[1] else {})}
        if name.text == "Partial":
            return {key: value for key, value in parts[0].items() if key != "required"}
        if name.text in ("Readonly", "Required", "Promise", "NonNullable"):
            return parts[0]
        raise self._unknown(name, tokens)

    def _object(self, tokens: Tokens) -> JSONSchema:
        tokens.expect("{")
        properties: dict[str, JSONSchema] = {}
        required: list[str] = []
        others: Any = None
        while not tokens.take("}"):
            description = tokens.comment()
            tokens.take("readonly")
            if tokens.take("["):  # [key: string]: number
                tokens.name()
                tokens.expect(":")
                self.read(tokens)
                tokens.expect("]")
                tokens.expect(":")
                others = self.read(tokens)
                tokens.take(",") or tokens.take(";")
                continue
            name = tokens.name()
            key = _value(name) if name.kind == "text" else name.text
            optional = tokens.take("?")
            tokens.expect(":")
            schema = self.read(tokens)
            if not (tokens.take(",") or tokens.take(";")) and tokens.here.text != "}" and not tokens.here.new_line:
                tokens.expect(",")
            description = "\n".join(filter(None, (description, tokens.trailing())))
            properties[key] = {**schema, "description": description} if description else schema
            if not optional:
                required.append(key)
        found: JSONSchema = {"type": "object", "properties": properties}
        found |= {"required": required} if required else {}
        if others is not None:
            return (
                {**found, "additionalProperties": others} if properties else {**{"type": "object"}, **_others(others)}
            )
        return found

    def _known(self, name: Token, tokens: Tokens) -> JSONSchema:
        if name.text in self._open:
            fix = "a finite machine can't nest without end: write the levels out, or take an `object`"
            raise tokens.error(f"`{name.text}` contains itself", name, fix)
        body, kind, description = self._defined[name.text]
        inner = Tokens(tokens.source, body)
        self._open.append(name.text)
        try:
            schema = self._enum(inner) if kind == "enum" else self._named(inner, kind)
        finally:
            self._open.pop()
        return {**schema, "description": description} if description and "description" not in schema else schema

    def _named(self, tokens: Tokens, kind: str) -> JSONSchema:
        if kind == "type":
            return self.read(tokens)
        tokens.type_parameters()
        found: JSONSchema = {"type": "object", "properties": {}}
        if tokens.take("extends"):
            while True:
                parent = self._postfix(tokens)
                found = {**found, **parent}
                if not tokens.take(","):
                    break
        own = self._object(tokens)
        required = [*found.get("required", ()), *own.get("required", ())]
        properties = {**found.get("properties", {}), **own.get("properties", {})}
        return {**own, "properties": properties, **({"required": required} if required else {})}

    def _enum(self, tokens: Tokens) -> JSONSchema:
        tokens.expect("{")
        values: list[Any] = []
        while not tokens.take("}"):
            tokens.name()
            values.append(_value(tokens.next()) if tokens.take("=") else len(values))
            tokens.take(",")
        return _union([{"const": value} for value in values])

    def default(self, tokens: Tokens, schema: JSONSchema) -> JSONSchema:
        """What a default says: its value, and its type where none was written."""
        value = _value(tokens.next())
        kind = (
            {}
            if schema or type(value) not in KINDS
            else {"type": "number" if type(value) is int else KINDS[type(value)]}
        )
        return {**kind, "default": value}

    def _unknown(self, name: Token, tokens: Tokens) -> Exception:
        close = get_close_matches(name.text, [*PLAIN, *self._defined], n=1)
        use = f"use `{close[0]}`" if close else "define it with `type` or `interface`"
        fix = f"{use}; known types are string, number, integer, boolean, null, any, T[], Array<T>, Record<string, T>"
        more = {"kind": "type", "word": name.text, "replacement": close[0] if close else None}
        return tokens.source.error(f"unknown type {quoted(name.text)}", name.start, fix, **more)

    @staticmethod
    def words(description: str) -> dict[str, str]:
        """What `@param city where` lines say."""
        return {found["name"]: found["text"].strip() for found in _PARAM.finditer(description)}

    @staticmethod
    def summary(description: str) -> str:
        """A comment without its `@param` and `@returns` lines."""
        return _TAG.sub("", description).strip()


def _others(schema: JSONSchema) -> JSONSchema:
    return {"additionalProperties": schema} if schema else {}


def _value(token: Token) -> Any:
    """The value of a text, a number, true or false."""
    if token.text in ("true", "false", "null", "undefined"):
        return {"true": True, "false": False}.get(token.text)
    if token.kind == "text":
        return text_of(token)
    try:
        return ast.literal_eval(token.text)
    except (SyntaxError, ValueError):
        return token.text


def _union(options: list[JSONSchema]) -> JSONSchema:
    """`"c" | "f"` is one enum; constants beside types stay options."""
    constants = [option["const"] for option in options if set(option) == {"const"}]
    others = [option for option in options if set(option) != {"const"}]
    if constants:
        if set(map(type, constants)) == {bool} and len(set(constants)) == 2:
            others.insert(0, {"type": "boolean"})
        else:
            others.insert(0, choice(constants))
    return any_of(others)
