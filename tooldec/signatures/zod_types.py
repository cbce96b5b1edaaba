"""Types as Zod writes them → JSON Schema; nothing is executed.

    z.object({                                      {"type": "object", "properties": {
      city: z.string().describe("where"),     →        "city": {"type": "string", "description": "where"},
      days: z.number().int().max(7).optional(),         "days": {"type": "integer", "maximum": 7}},
    })                                               "required": ["city"]}

What a schema can't say (`refine`, `transform`: they are code) is refused with its place, never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tooldec.signatures import js_values
from tooldec.signatures.source import quoted
from tooldec.signatures.ts_tokens import Token, Tokens, text_of
from tooldec.signatures.values import JSONSchema, any_of
from tooldec.signatures.zod_methods import FORMATS, asked, extended, form, options, refused, requiring

STRING: JSONSchema = {"type": "string"}
INTEGER: JSONSchema = {"type": "integer"}
NULL: JSONSchema = {"type": "null"}
SIMPLE: Mapping[str, JSONSchema] = {
    **{"string": STRING, "number": {"type": "number"}, "boolean": {"type": "boolean"}, "null": NULL},
    **{"int": INTEGER, "bigint": INTEGER, "uint32": {**INTEGER, "minimum": 0, "maximum": 2**32 - 1}},
    "int32": {**INTEGER, "minimum": -(2**31), "maximum": 2**31 - 1},
    **{"any": {}, "unknown": {}, "date": {"type": "string", "format": "date-time"}, "undefined": NULL},
}
"""Functions without arguments that matter; `z.date()` is a moment."""
MAX_FOLLOWED = 1_000
"""How many names of types one tool may follow: types that double each other would never end."""
OPTIONAL = ("optional", "nullish", "default", "prefault", "catch", "exactOptional")
NULLABLE = ("nullable", "nullish")
KEEP = (
    *("optional", "exactOptional", "unwrap", "nonoptional", "shape", "brand", "readonly", "finite", "safe", "strip"),
    *("trim", "toLowerCase", "toUpperCase", "normalize"),
)
"""Methods that ask nothing of what is written."""


class Zod:
    """Reads types; `named` has the types and lists that the program gives a name: where each one's value begins."""

    def __init__(self, tokens: Tokens, named: Mapping[str, int]) -> None:
        self.tokens, self.named = tokens, named
        self._open: list[str] = []
        self.followed = 0
        """How many names of types were followed for one tool."""

    def at(self, place: int) -> tuple[JSONSchema, bool]:
        """The type whose tokens begin at a place, and whether it may be left out; raises SignatureError.

        >>> from tooldec.signatures.source import Source
        >>> Zod(Tokens.of(Source.of("z.array(z.int()).optional()")), {}).at(0)
        ({'type': 'array', 'items': {'type': 'integer'}}, True)
        """
        return self.read(self.tokens.seen_from(place))

    def read(self, tokens: Tokens) -> tuple[JSONSchema, bool]:
        """The type that is here, with all its methods; goes past it."""
        schema, optional = self._first(tokens)
        while tokens.take("."):
            method = tokens.name()
            inside = self._arguments(tokens)
            schema = self._method(schema, method, inside)
            optional = (optional or method.text in OPTIONAL) and method.text not in ("unwrap", "nonoptional")
        return schema, optional

    def shape(self, tokens: Tokens) -> JSONSchema:
        """`{ city: z.string() }` as an object's schema; goes past it."""
        tokens.expect("{")
        properties: dict[str, JSONSchema] = {}
        needed: dict[str, bool] = {}
        while not tokens.take("}"):
            if tokens.take("..."):
                schema = self.shape_of(tokens)
                properties |= schema["properties"]
                needed |= {name: name in schema.get("required", ()) for name in schema["properties"]}
            else:
                key = tokens.name()
                name = text_of(key) if key.kind == "text" else key.text
                if not tokens.take(":"):
                    raise tokens.error(f"{quoted(name)} has no type here", key, f"write `{name}: z.string()`")
                properties[name], optional = self.read(tokens)
                needed[name] = not optional
            if not tokens.take(","):
                tokens.expect("}")
                break
        return requiring({"type": "object", "properties": properties}, [name for name in needed if needed[name]])

    def shape_of(self, tokens: Tokens) -> JSONSchema:
        """An object's schema, of its braces or of a type: `{ … }`, `z.object({ … })`, `City`, `City.shape`."""
        schema = self.shape(tokens) if tokens.here.text == "{" else self.read(tokens)[0]
        if schema.get("type") != "object":
            raise tokens.error("this type is no object", tokens.here, "write `z.object({ … })`")
        return {"properties": {}, **schema}

    def _first(self, tokens: Tokens) -> tuple[JSONSchema, bool]:
        token = tokens.next()
        if token.text in self.named and token.text not in self._open:
            self.followed += 1
            if self.followed > MAX_FOLLOWED:
                fix = "write the types out"
                raise tokens.error(f"the types of this tool name others more than {MAX_FOLLOWED:,} times", token, fix)
            self._open.append(token.text)
            try:
                return self.at(self.named[token.text])
            finally:
                self._open.pop()
        if token.text != "z" or not tokens.take("."):
            shown = quoted(token.text) if token.text else "the end"
            raise tokens.error(f"a type of Zod is expected here, not {shown}", token, "write it as `z.string()`")
        within = tokens.next().text if tokens.here.text in ("coerce", "iso") else ""
        if within:
            tokens.expect(".")
        name = tokens.name()
        inside = self._arguments(tokens)
        if within == "iso" and name.text in FORMATS and inside is not None:
            return {**STRING, **form(name, inside)}, False
        return self._made(name, inside), name.text in OPTIONAL

    def _arguments(self, tokens: Tokens) -> Tokens | None:
        """What stands in the brackets that follow; none where a property is read: `.shape`, `.options`."""
        if tokens.here.text == "<":
            tokens.brackets()
        if tokens.here.text != "(":
            return None
        return Tokens(tokens.source, tokens.brackets()[1:-1])

    def _made(self, name: Token, inside: Tokens | None) -> JSONSchema:
        """What a function of Zod makes."""
        if inside is None:
            raise refused(self.tokens, name)
        if name.text in MADE:
            return MADE[name.text](self, inside)
        if name.text in SIMPLE:
            options(name, inside)
            return dict(SIMPLE[name.text])
        if name.text in FORMATS:
            return {**STRING, **form(name, inside)}
        raise refused(self.tokens, name)

    def types(self, inside: Tokens) -> list[JSONSchema]:
        inside.expect("[")
        found = []
        while not inside.take("]"):
            found.append(self.read(inside)[0])
            if not inside.take(","):
                inside.expect("]")
                break
        return found

    def plain(self, inside: Tokens) -> Any:
        """A plain value, or the list that has this name."""
        if inside.here.text in self.named:
            named = self.named[inside.next().text]
            js_values.ended(inside)
            return js_values.whole(self.tokens.seen_from(named))
        return js_values.whole(inside)

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
            return any_of([schema, other]) if name == "or" else {"allOf": [schema, other]}
        if name in ("extend", "safeExtend", "merge"):
            return extended(schema, self.shape_of(inside))
        return asked(schema, method, inside)


def _enum(zod: Zod, inside: Tokens) -> JSONSchema:
    values = zod.plain(inside)
    values = list(values.values()) if isinstance(values, dict) else values
    return {**(STRING if all(isinstance(one, str) for one in values) else {}), "enum": values}


def _literal(zod: Zod, inside: Tokens) -> JSONSchema:
    value = zod.plain(inside)
    return {"enum": value} if isinstance(value, list) else {"const": value}


def _record(zod: Zod, inside: Tokens) -> JSONSchema:
    first = zod.read(inside)[0]
    if not inside.take(",") or inside.here.kind == "end":
        return {"type": "object", "additionalProperties": first}
    names = {} if first == STRING else {"propertyNames": first}
    return {"type": "object", "additionalProperties": zod.read(inside)[0], **names}


def _tuple(zod: Zod, inside: Tokens) -> JSONSchema:
    items = zod.types(inside)
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}


def _discriminated(zod: Zod, inside: Tokens) -> JSONSchema:
    inside.name()
    inside.expect(",")
    return any_of(zod.types(inside))


MADE: Mapping[str, Callable[[Zod, Tokens], JSONSchema]] = {
    "object": Zod.shape_of,
    "strictObject": lambda zod, inside: {**zod.shape_of(inside), "additionalProperties": False},
    "looseObject": lambda zod, inside: {**zod.shape_of(inside), "additionalProperties": True},
    "array": lambda zod, inside: {"type": "array", "items": zod.read(inside)[0]},
    "optional": lambda zod, inside: zod.read(inside)[0],
    "nullable": lambda zod, inside: any_of([zod.read(inside)[0], NULL]),
    "nullish": lambda zod, inside: any_of([zod.read(inside)[0], NULL]),
    "union": lambda zod, inside: any_of(zod.types(inside)),
    "enum": _enum,
    "nativeEnum": _enum,
    "literal": _literal,
    "record": _record,
    "tuple": _tuple,
    "discriminatedUnion": _discriminated,
}
"""Functions of Zod with arguments."""
