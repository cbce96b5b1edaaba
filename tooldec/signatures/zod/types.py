"""Types as Zod writes them → JSON Schema; nothing is executed.

    z.object({                                      {"type": "object", "properties": {
      city: z.string().describe("where"),     →        "city": {"type": "string", "description": "where"},
      days: z.number().int().max(7).optional(),         "days": {"type": "integer", "maximum": 7}},
    })                                               "required": ["city"]}

What a schema can't say (`refine`: it is code) is refused with its place, never left out; what only changes the value
afterwards (`transform`), or makes such a one of another (`preprocess`), asks nothing of what is written.
"""

from __future__ import annotations

from tooldec.signatures import definitions
from tooldec.signatures.schemas import NULL, STRING, JSONSchema, any_of, object_of
from tooldec.signatures.source import quoted
from tooldec.signatures.typescript import js_values
from tooldec.signatures.typescript.lexer import Token, key_of
from tooldec.signatures.typescript.operators import intersection
from tooldec.signatures.typescript.program import MAX_CALLS, Program
from tooldec.signatures.typescript.tokens import Tokens
from tooldec.signatures.zod.functions import MADE
from tooldec.signatures.zod.methods import (
    FORMATS,
    FORMS,
    KEEP,
    NULLABLE,
    OPTIONAL,
    SIMPLE,
    asked,
    extended,
    form,
    options,
    refused,
)

_WRITE = "write the type out"


class Zod:
    """Reads types, also those that a program gives a name."""

    def __init__(self, tokens: Tokens, program: Program | None = None) -> None:
        self.tokens, self.program = tokens, program
        self._calls = 0
        self._open: list[tuple[int, int]] = []
        """The places that are being read, each with how many functions were called there."""
        self._late = 0
        """In how many types we are that are looked at late, as one may be that contains itself."""
        self._recursive: set[str] = set()
        self._definitions: dict[str, JSONSchema] = {}

    def at(self, place: int) -> tuple[JSONSchema, bool]:
        """The type whose tokens begin at a place, and whether it may be left out; raises SignatureError.

        >>> from tooldec.signatures.source import Source
        >>> Zod(Tokens.of(Source.of("z.array(z.int()).optional()"))).at(0)
        ({'type': 'array', 'items': {'type': 'integer'}}, True)
        """
        return self.read(self.tokens.seen_from(place))

    def read(self, tokens: Tokens) -> tuple[JSONSchema, bool]:
        """The type that is here, with all its methods; goes past it."""
        schema, optional = self._first(tokens)
        while tokens.take("."):
            method = tokens.name()
            inside = self._arguments(tokens)
            if method.text == "shape" and inside is None and tokens.take("."):
                schema, optional = self._property(schema, tokens.name())
                continue
            schema = self._method(schema, method, inside)
            optional = (optional or method.text in OPTIONAL) and method.text not in ("unwrap", "nonoptional")
        return schema, optional

    def parameters(self, tokens: Tokens) -> JSONSchema:
        """A tool's arguments, with the types that contain themselves."""
        self._recursive, self._definitions = set(), {}
        found = self.shape_of(tokens)
        if not self._definitions:
            return found
        return {**found, "$defs": definitions.definitions(found, self._definitions.get)}

    def late(self, tokens: Tokens) -> tuple[JSONSchema, bool]:
        """A type that may name one that it is in."""
        self._late += 1
        try:
            return self.read(tokens)
        finally:
            self._late -= 1

    def shape(self, tokens: Tokens) -> JSONSchema:
        """`{ city: z.string() }` as an object's schema; goes past it."""
        tokens.expect("{")
        properties: dict[str, JSONSchema] = {}
        needed: dict[str, bool] = {}
        for _ in tokens.entries("}"):
            if tokens.take("..."):
                schema = self.shape_of(tokens)
                properties |= schema["properties"]
                needed |= {name: name in schema.get("required", ()) for name in schema["properties"]}
            else:
                name, schema, optional = self._member(tokens)
                properties[name], needed[name] = schema, not optional
        return object_of(properties, [name for name in needed if needed[name]])

    def _member(self, tokens: Tokens) -> tuple[str, JSONSchema, bool]:
        """`city: z.string()`, `city`, or `get kids() { return z.array(Tree); }`, and whether it may be left out."""
        key = tokens.name()
        gets = key.text == "get" and tokens.here.kind in ("word", "text")
        key = tokens.name() if gets else key
        name = key_of(key)
        if gets:
            tokens.brackets()
            while tokens.here.kind != "end" and tokens.here.text != "{":
                tokens.next()  # `: z.ZodType<Tree>`
            body = tokens.part(tokens.brackets()[1:-1])
            body.expect("return")
            return name, *self.late(body)
        if not tokens.take(":"):
            if key.kind == "text" or tokens.find(key) is None:
                raise tokens.error(f"{quoted(name)} has no type here", key, f"write `{name}: z.string()`")
            tokens.at -= 1
        if tokens.here.is_mark("{"):
            return name, *self._described(tokens)
        return name, *self.read(tokens)

    def _described(self, tokens: Tokens) -> tuple[JSONSchema, bool]:
        """`{ type: z.string(), description: "where" }` of mcp-framework; goes past it."""
        found, optional, more = None, False, dict[str, JSONSchema]()
        opened = tokens.next()
        for _ in tokens.entries("}"):
            key = tokens.name()
            tokens.expect(":")
            if key_of(key) == "type":
                found, optional = self.read(tokens)
            elif key_of(key) in ("description", "default"):
                more[key_of(key)] = js_values.value(tokens)
            else:
                tokens.argument()
        if found is None:
            raise tokens.error("this has no type", opened, 'write it as `{ type: z.string(), description: "…" }`')
        return {**found, **more}, optional or "default" in more

    def shape_of(self, tokens: Tokens) -> JSONSchema:
        """An object's schema, of its braces or of a type: `{ … }`, `z.object({ … })`, `City`, `City.shape`."""
        schema = self.shape(tokens) if tokens.here.text == "{" else self.read(tokens)[0]
        schema = self._definitions.get(definitions.name_of(schema) or "", schema)
        if schema.get("type") != "object":
            raise tokens.error("this type is no object", tokens.here, "write `z.object({ … })`")
        return {"properties": {}, **schema}

    def _first(self, tokens: Tokens) -> tuple[JSONSchema, bool]:
        if (called := self._called(tokens)) is not None:
            return called
        token = tokens.next()
        named = None if token.text == "z" else tokens.find(token)
        place = (-1 if named is None else named.at, self._calls)
        if place in self._open and self._late:
            self._recursive.add(token.text)
            return definitions.reference(token.text), False
        if named is not None and place not in self._open:
            self._open.append(place)
            try:
                while named.here.text == "{" and tokens.take("."):  # `types.city` of `const types = { city: … }`
                    key = tokens.name()
                    if not named.member(key.text):
                        raise tokens.error(f"{quoted(token.text)} has no {quoted(key.text)}", key, "write the type out")
                schema, optional = (self.shape(named), False) if named.here.text == "{" else self.read(named)
            finally:
                self._open.pop()
            if token.text in self._recursive:
                self._definitions[token.text] = schema
                schema = definitions.reference(token.text)
            return schema, optional
        if token.text != "z" or not tokens.take("."):
            shown = quoted(token.text) if token.text else "the end"
            missing = f", or paste what {shown} is with it" if token.kind == "word" and named is None else ""
            fix = f"write it as `z.string()`{missing}"
            raise tokens.error(f"a type of Zod is expected here, not {shown}", token, fix)
        within = tokens.next().text if tokens.here.text in ("coerce", "iso") else ""
        if within:
            tokens.expect(".")
        name = tokens.name()
        inside = self._arguments(tokens)
        if name.text == "preprocess" and inside is not None:
            inside.argument()
            inside.expect(",")
            return self.read(inside)
        if within == "iso" and name.text in FORMATS and inside is not None:
            return {**STRING, **form(name, inside)}, False
        return self._made(name, inside), name.text in OPTIONAL

    def _called(self, tokens: Tokens) -> tuple[JSONSchema, bool] | None:
        """What a function of the program gives that is called here, `optionalString()`; None where none is."""
        name = tokens.here
        function = self.program.function(name) if self.program else None
        if self.program is None or function is None:
            return None
        if self._calls >= MAX_CALLS:
            raise tokens.error(f"the functions of this type call each other more than {MAX_CALLS} deep", name, _WRITE)
        self._calls += 1
        try:
            with self.program.call(function, name) as given:
                if given is None:
                    raise tokens.error(f"what {quoted(name.text)} gives isn't known before it runs", name, _WRITE)
                found = (self.shape(given), False) if given.here.text == "{" else self.read(given)
        finally:
            self._calls -= 1
        tokens.next()
        tokens.brackets()
        return found

    def _arguments(self, tokens: Tokens) -> Tokens | None:
        """What stands in the brackets that follow; none where a property is read: `.shape`, `.options`."""
        if tokens.here.text == "<":
            tokens.brackets()
        if tokens.here.text != "(":
            return None
        return tokens.part(tokens.brackets()[1:-1])

    def _made(self, name: Token, inside: Tokens | None) -> JSONSchema:
        """What a function of Zod makes."""
        if inside is None:
            raise refused(self.tokens, name)
        if name.text in MADE:
            return MADE[name.text](self, inside)
        if name.text in SIMPLE:
            options(name, inside)
            return dict(SIMPLE[name.text])
        if name.text in FORMS:
            return {**STRING, **form(name, inside)}
        raise refused(self.tokens, name)

    def _property(self, schema: JSONSchema, name: Token) -> tuple[JSONSchema, bool]:
        """`City.shape.name`: the type of one property, and whether it may be left out."""
        properties = schema.get("properties", {})
        if name.text not in properties:
            fix = f"use {', '.join(list(properties)[:5])}" if properties else "write the type out"
            raise self.tokens.error(f"this type has no property {quoted(name.text)}", name, fix)
        return properties[name.text], name.text not in schema.get("required", ())

    def both(self, one: JSONSchema, other: JSONSchema, place: Token) -> JSONSchema:
        """What is of both types; raises SignatureError at `place` where nothing is."""
        found = intersection(one, other)
        if found is None:
            raise self.tokens.error("no value is of both types", place, "keep one of them, or write `or`")
        return found

    def _method(self, schema: JSONSchema, method: Token, inside: Tokens | None) -> JSONSchema:
        name = method.text
        if name in NULLABLE:
            return any_of([schema, NULL])
        if name in KEEP:
            return schema
        if inside is None:
            raise refused(self.tokens, method)
        if name in ("default", "prefault", "catch"):
            return {**schema, "default": js_values.whole(inside)}
        if name == "array":
            return {"type": "array", "items": schema}
        if name in ("or", "and"):
            other = self.read(inside)[0]
            return any_of([schema, other]) if name == "or" else self.both(schema, other, method)
        if name in ("extend", "safeExtend", "merge"):
            return extended(schema, self.shape_of(inside))
        return asked(schema, method, inside)
