"""Types of TypeScript → JSON Schema; `library.py` has those that have names of their own.

string[] | null              {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
"c" | "f"                    {"type": "string", "enum": ["c", "f"]}
{ city: string, n?: number } {"type": "object", "properties": {…}, "required": ["city"]}
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import reduce

from tooldec.errors import SignatureError
from tooldec.signatures import definitions
from tooldec.signatures.schemas import KINDS, JSONSchema, array_of, object_of
from tooldec.signatures.source import quoted
from tooldec.signatures.typescript import js_values
from tooldec.signatures.typescript.lexer import Token, key_of
from tooldec.signatures.typescript.library import GENERICS, PLAIN, Generic
from tooldec.signatures.typescript.operators import (
    declared_again,
    indexed,
    inherited,
    intersection,
    keys_of,
    type_of,
    union,
)
from tooldec.signatures.typescript.tokens import Tokens

MAX_FOLLOWED = 50_000
"""How many words and marks one tool may take from types by their names: types that double each other never end."""


class Types:
    """The types that a text defines, and the reader of all others.

    >>> from tooldec.signatures.source import Source
    >>> Types().read(Tokens.of(Source.of("Array<'a' | 'b'>")))
    {'type': 'array', 'items': {'type': 'string', 'enum': ['a', 'b']}}
    """

    def __init__(self) -> None:
        self._defined: dict[str, tuple[tuple[tuple[Token, ...], ...], str, str]] = {}
        self._open: list[str] = []
        self._recursive: set[str] = set()
        self._definitions: dict[str, JSONSchema] = {}
        self.followed = 0
        """How many words and marks were taken from named types for one tool."""

    def define(self, name: str, tokens: tuple[Token, ...], kind: str, description: str) -> bool:
        """Keep a type, or what another declaration of an interface adds; False where the name is another type's."""
        bodies, before, words = self._defined.get(name, ((), kind, ""))
        if bodies and not {kind, before} <= {"interface", "class"}:
            return False
        self._defined[name] = ((*bodies, tokens), kind, words or description)
        return True

    def definitions(self, schema: JSONSchema) -> dict[str, JSONSchema]:
        """The types that contain themselves, of those that a schema refers to."""
        return definitions.definitions(schema, self._definitions.get)

    def opened(self, schema: JSONSchema, place: Token, tokens: Tokens) -> JSONSchema:
        """A type whose properties are looked at: what it refers to in place of the reference; raises SignatureError."""
        name = definitions.name_of(schema)
        if name in self._open:
            fix = "write out the type that is meant"
            raise tokens.error(f"`{name}` is made of its own properties here", place, fix)
        parts = {key: [self.opened(part, place, tokens) for part in schema.get(key, ())] for key in ("anyOf", "allOf")}
        found = self._definitions.get(name or "", schema)
        return {**found, **{key: part for key, part in parts.items() if part}}

    def read(self, tokens: Tokens) -> JSONSchema:
        """The type that begins here; raises SignatureError."""
        tokens.take("|")
        options = [self._intersection(tokens)]
        while tokens.take("|"):
            options.append(self._intersection(tokens))
        return union(options)

    def _intersection(self, tokens: Tokens) -> JSONSchema:
        schema = self._postfix(tokens)
        mark = tokens.here
        while tokens.take("&"):
            both = intersection(schema, self._postfix(tokens))
            if both is None:
                raise tokens.error("no value is of both types beside `&`", mark, "keep one of them, or write `|`")
            schema, mark = both, tokens.here
        return schema

    def _postfix(self, tokens: Tokens) -> JSONSchema:
        schema = self._single(tokens)
        while tokens.here.text == "[" and not tokens.here.new_line:
            mark = tokens.next()
            if tokens.take("]"):
                schema = array_of(schema)
                continue
            found = indexed(self.opened(schema, mark, tokens), self.read(tokens))
            tokens.expect("]")
            if found is None:
                fix = 'write it as `T["name"]` with a property of T, or as `T[number]` of a list'
                raise tokens.error("this type has no such part", mark, fix)
            schema = found
        return schema

    def _single(self, tokens: Tokens) -> JSONSchema:
        token = tokens.of_type()
        if token.kind in ("text", "number") or token.text in ("true", "false"):
            return {"const": js_values.value(tokens)}
        if token.text == "{":
            return self._object(tokens)
        if tokens.take("("):
            first, second = tokens.here, tokens.seen_from(tokens.at + 1).here
            if first.is_mark(")", "...") or (first.kind == "word" and second.is_mark(":", "?", ",")):
                raise _function(tokens, token)
            schema = self.read(tokens)
            tokens.expect(")")
            return schema
        if tokens.take("["):
            return self._tuple(tokens)
        tokens.take("readonly")
        name = tokens.name()
        if name.text == "keyof" and tokens.here.kind == "word":
            found = keys_of(self.opened(self._single(tokens), name, tokens))
            if found is None:
                raise tokens.error("this type has no properties", name, "write the names out, as `'a' | 'b'`")
            return found
        if name.text == "typeof" and tokens.here.kind == "word" and tokens.find(tokens.here) is not None:
            return self._constant(tokens)
        if name.text in self._defined and tokens.take("."):
            return self._member(name, tokens)
        if tokens.here.text == "<":
            return self._generic(name, tokens)
        if name.text in self._defined:
            return self._known(name, tokens)
        if name.text not in PLAIN:
            raise self._unknown(name, tokens)
        return dict(PLAIN[name.text])

    def _tuple(self, tokens: Tokens) -> JSONSchema:
        """`[string, number]`, `[lat: number, lon?: number]`, `[string, ...number[]]`; the bracket is behind us."""
        items, needed, others = list[JSONSchema](), 0, False
        for _ in tokens.entries("]"):
            rest = tokens.take("...")
            ahead = tokens.seen_from(tokens.at + 1)
            optional = ahead.take("?")
            if labelled := ahead.take(":"):
                tokens.at = ahead.at
            schema = self.read(tokens)
            optional = tokens.take("?") or (optional and labelled)
            if rest:
                others = schema.get("items", {}) or True
            else:
                items.append(schema)
                needed += not optional
        more = {"items": others, "minItems": needed} | ({} if others else {"maxItems": len(items)})
        return {"type": "array", "prefixItems": items, **more}

    def _constant(self, tokens: Tokens) -> JSONSchema:
        """`typeof UNITS`; goes past the name."""
        row = tokens.find(tokens.next()) or tokens
        value, behind = js_values.value(row.seen_from(row.at)), row.seen_from(row.at)
        fixed = row.here.kind != "mark" or bool(behind.brackets() and behind.take("as") and behind.take("const"))
        return type_of(value, fixed)

    def _generic(self, name: Token, tokens: Tokens) -> JSONSchema:
        tokens.expect("<")
        parts = [self.read(tokens)]
        while tokens.take(","):
            parts.append(self.read(tokens))
        tokens.expect(">")
        made = GENERICS.get(name.text)
        if made is None or len(parts) != made.parts:
            raise self._unknown(name, tokens)
        if made.opens:
            parts[0] = self.opened(parts[0], name, tokens)
        return self._made(made, parts, name, tokens)

    def _made(self, made: Generic, parts: list[JSONSchema], place: Token, tokens: Tokens) -> JSONSchema:
        found = made.make(*parts)
        if found is None:
            raise tokens.error(made.problem.format(place.text), place, made.fix)
        return found

    def _object(self, tokens: Tokens) -> JSONSchema:
        tokens.expect("{")
        properties: dict[str, JSONSchema] = {}
        required: list[str] = []
        others: JSONSchema | None = None
        while not tokens.take("}"):
            description = tokens.comment()
            tokens.take("readonly")
            bracket = tokens.here
            if tokens.take("["):  # [key: string]: number
                tokens.name()
                tokens.expect(":")
                keys = self.read(tokens)
                tokens.expect("]")
                tokens.expect(":")
                others = self._made(GENERICS["Record"], [keys, self.read(tokens)], bracket, tokens)
                tokens.take(",") or tokens.take(";")
                continue
            name = tokens.name()
            key = key_of(name)
            optional = tokens.take("?")
            if tokens.here.is_mark("(", "<"):
                raise _function(tokens, name)
            tokens.expect(":")
            schema = self.read(tokens)
            if not (tokens.take(",") or tokens.take(";")) and tokens.here.text != "}" and not tokens.here.new_line:
                tokens.expect(",")
            description = "\n".join(filter(None, (description, tokens.trailing())))
            properties[key] = {**schema, "description": description} if description else schema
            if not optional:
                required.append(key)
        found = object_of(properties, required)
        if others is None:
            return found
        return inherited(others, found) if properties else others

    def _known(self, name: Token, tokens: Tokens) -> JSONSchema:
        if name.text in self._open:
            self._recursive.add(name.text)
        if name.text in self._open or name.text in self._definitions:
            return definitions.reference(name.text)
        bodies, kind, description = self._defined[name.text]
        self.followed += sum(map(len, bodies))
        if self.followed > MAX_FOLLOWED:
            message = f"the types of this tool are longer than {MAX_FOLLOWED:,} words and marks, each name written out"
            raise tokens.error(message, name, "name fewer types, or take an `object` for the inner ones")
        self._open.append(name.text)
        try:
            schema = self._declared(tokens, bodies[0], kind)
            for body in bodies[1:]:
                both = declared_again(schema, self._declared(tokens, body, kind))
                if both is None:
                    raise tokens.error(f"{quoted(name.text)} gives a property two types", body[0], "give it one type")
                schema = both
        finally:
            self._open.pop()
        if description and "description" not in schema:
            schema = {**schema, "description": description}
        if name.text not in self._recursive:
            return schema
        self._definitions[name.text] = schema
        return definitions.reference(name.text)

    def _declared(self, tokens: Tokens, body: tuple[Token, ...], kind: str) -> JSONSchema:
        inner = tokens.part(body)
        if kind != "enum":
            return self._named(inner, kind)
        return union([{"const": value} for value in dict.fromkeys(js_values.members(inner).values())])

    def _named(self, tokens: Tokens, kind: str) -> JSONSchema:
        if kind == "type":
            return self.read(tokens)
        tokens.type_parameters()
        parents: list[JSONSchema] = []
        if tokens.take("extends"):
            while not parents or tokens.take(","):
                place = tokens.here
                parents.append(self.opened(self._postfix(tokens), place, tokens))
                if parents[-1].get("type") != "object":
                    fix = "extend an `interface`, or a `type` that is one object"
                    raise tokens.error(f"{quoted(place.text)} is no object", place, fix)
        own = self._object(tokens)
        return inherited(reduce(inherited, parents), own) if parents else own

    def _member(self, name: Token, tokens: Tokens) -> JSONSchema:
        """`Color.Red`: one value of an enum."""
        bodies, kind, _ = self._defined[name.text]
        member = tokens.name()
        known = js_values.members(tokens.part(bodies[0])) if kind == "enum" else {}
        if member.text not in known:
            fix = f"use {', '.join(list(known)[:5])}" if known else f"write `{name.text}` alone"
            raise tokens.error(f"{quoted(name.text)} has no member {quoted(member.text)}", member, fix)
        return {"const": known[member.text]}

    def default(self, tokens: Tokens, schema: JSONSchema) -> JSONSchema:
        """What a default says: its value, and its type where none was written."""
        value = js_values.whole(tokens)
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


def _function(tokens: Tokens, place: Token) -> SignatureError:
    """The error for the type of a function, `(a: string) => void`; to be raised by the caller."""
    fix = "leave it out of the type: it is the program's to give"
    return tokens.error("a function is no value that a call can give", place, fix)
