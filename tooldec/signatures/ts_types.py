"""Types of TypeScript → JSON Schema; PLAIN has a row for each type that has a name.

string[] | null              {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
"c" | "f"                    {"type": "string", "enum": ["c", "f"]}
{ city: string, n?: number } {"type": "object", "properties": {…}, "required": ["city"]}
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import reduce

from tooldec.signatures import definitions, js_values
from tooldec.signatures.source import quoted
from tooldec.signatures.ts_generics import (
    declared_again,
    inherited,
    intersection,
    non_nullable,
    partial,
    picked,
    record,
    required,
    union,
)
from tooldec.signatures.ts_tokens import Token, Tokens, text_of
from tooldec.signatures.values import KINDS, JSONSchema

PLAIN: Mapping[str, JSONSchema] = {
    **{kind: {"type": kind} for kind in ("string", "number", "integer", "boolean", "null", "object")},
    **{"bigint": {"type": "integer"}, "undefined": {"type": "null"}, "void": {"type": "null"}},
    **{"any": {}, "unknown": {}, "Date": {"type": "string", "format": "date-time"}},
    **{"int": {"type": "integer"}, "float": {"type": "number"}, "String": {"type": "string"}},
    **{"Number": {"type": "number"}, "Boolean": {"type": "boolean"}, "Object": {"type": "object"}},
}
"""name of a type -> its schema."""
_OF_PROPERTIES = ("Partial", "Required", "Pick", "Omit", "NonNullable")
"""Types that are made of the properties of another one."""

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
            tokens.next()
            tokens.expect("]")
            schema = {"type": "array", **({"items": schema} if schema else {})}
        return schema

    def _single(self, tokens: Tokens) -> JSONSchema:
        token = tokens.of_type()
        if token.kind in ("text", "number") or token.text in ("true", "false"):
            return {"const": js_values.value(tokens)}
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
        if name.text in self._defined and tokens.take("."):
            return self._member(name, tokens)
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
        if name.text in _OF_PROPERTIES:
            parts[0] = self.opened(parts[0], name, tokens)
        if name.text in ("Array", "ReadonlyArray", "Set"):
            return {"type": "array", **({"items": parts[0]} if parts[0] else {})}
        if name.text in ("Record", "Map") and len(parts) == 2:
            found = self._record(parts[0], parts[1], name, tokens)
            return found if name.text == "Record" else partial(found)
        if name.text == "Partial":
            return partial(parts[0])
        if name.text == "Required":
            return required(parts[0])
        if name.text in ("Pick", "Omit") and len(parts) == 2:
            of = picked(parts[0], parts[1], others=name.text == "Omit")
            if of is None:
                fix = 'write it as `Pick<T, "a" | "b">` with properties of T, or write out the type'
                raise tokens.error(f"`{name.text}` of this type isn't read", name, fix)
            return of
        if name.text == "NonNullable":
            left = non_nullable(parts[0])
            if left is None:
                raise tokens.error("nothing but null is in this type", name, "write the type that is meant")
            return left
        if name.text in ("Readonly", "Promise"):
            return parts[0]
        raise self._unknown(name, tokens)

    def _record(self, keys: JSONSchema, values: JSONSchema, place: Token, tokens: Tokens) -> JSONSchema:
        found = record(keys, values)
        if found is None:
            fix = 'write the keys as `string`, `number` or `"a" | "b"`'
            raise tokens.error("the keys of this type are no names of properties", place, fix)
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
                others = self._record(keys, self.read(tokens), bracket, tokens)
                tokens.take(",") or tokens.take(";")
                continue
            name = tokens.name()
            key = text_of(name) if name.kind == "text" else name.text
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
