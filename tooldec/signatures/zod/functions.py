"""What functions of Zod with arguments make, as JSON Schema; MADE has a row for each.

z.enum(["c", "f"])          {"type": "string", "enum": ["c", "f"]}
z.array(z.string())         {"type": "array", "items": {"type": "string"}}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tooldec.signatures.schemas import NULL, STRING, JSONSchema, any_of
from tooldec.signatures.typescript import js_values
from tooldec.signatures.typescript.tokens import Tokens
from tooldec.signatures.zod.methods import refused

if TYPE_CHECKING:
    from tooldec.signatures.zod.types import Zod


def _types(zod: Zod, inside: Tokens) -> list[JSONSchema]:
    """The types of a list: `[z.string(), City]`."""
    inside.expect("[")
    return [zod.read(inside)[0] for _ in inside.entries("]")]


def _values(zod: Zod, inside: Tokens) -> Any:
    """The values of an enum or a literal: plain ones, or those of another enum: `Unit.options`, `Unit.enum.c`."""
    named = inside.find(inside.here) if inside.here.kind == "word" else None
    if named is None or named.here.text != "z":
        return js_values.whole(inside)
    inside.next()
    known = zod.read(named)[0].get("enum", [])
    inside.expect(".")
    of = inside.name()
    if of.text in ("enum", "Enum", "Values") and inside.take("."):
        of = inside.name()
        known = of.text if of.text in known else []
    elif of.text != "options":
        known = []
    if not known:
        raise refused(inside, of)
    js_values.ended(inside)
    return known


def _enum(zod: Zod, inside: Tokens) -> JSONSchema:
    first = inside.here
    values = _values(zod, inside)
    values = list(values.values()) if isinstance(values, dict) else values
    if not isinstance(values, list):
        raise inside.error("the values of an enum are a list", first, 'write them as `z.enum(["c", "f"])`')
    return {**(STRING if all(isinstance(one, str) for one in values) else {}), "enum": values}


def _literal(zod: Zod, inside: Tokens) -> JSONSchema:
    value = _values(zod, inside)
    return {"enum": value} if isinstance(value, list) else {"const": value}


def _record(zod: Zod, inside: Tokens) -> JSONSchema:
    first = zod.read(inside)[0]
    if not inside.take(",") or inside.here.kind == "end":
        return {"type": "object", "additionalProperties": first}
    names = {} if first == STRING else {"propertyNames": first}
    return {"type": "object", "additionalProperties": zod.read(inside)[0], **names}


def _tuple(zod: Zod, inside: Tokens) -> JSONSchema:
    """`z.tuple([z.string(), z.int()])`.

    >>> from tooldec.signatures.source import Source
    >>> from tooldec.signatures.zod.types import Zod
    >>> tokens = Tokens.of(Source.of("[z.string(), z.int()]"))
    >>> [item["type"] for item in _tuple(Zod(tokens), tokens)["prefixItems"]]
    ['string', 'integer']
    """
    items = _types(zod, inside)
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}


def _discriminated(zod: Zod, inside: Tokens) -> JSONSchema:
    inside.name()
    inside.expect(",")
    return any_of(_types(zod, inside))


def _lazy(zod: Zod, inside: Tokens) -> JSONSchema:
    for mark in ("(", ")", "=>"):
        inside.expect(mark)
    return zod.late(inside)[0]


def _intersection(zod: Zod, inside: Tokens) -> JSONSchema:
    place, one = inside.here, zod.read(inside)[0]
    inside.expect(",")
    return zod.both(one, zod.read(inside)[0], place)


MADE: Mapping[str, Callable[[Zod, Tokens], JSONSchema]] = {
    "object": lambda zod, inside: zod.shape_of(inside),
    "strictObject": lambda zod, inside: {**zod.shape_of(inside), "additionalProperties": False},
    "looseObject": lambda zod, inside: {**zod.shape_of(inside), "additionalProperties": True},
    "array": lambda zod, inside: {"type": "array", "items": zod.read(inside)[0]},
    "optional": lambda zod, inside: zod.read(inside)[0],
    "nullable": lambda zod, inside: any_of([zod.read(inside)[0], NULL]),
    "nullish": lambda zod, inside: any_of([zod.read(inside)[0], NULL]),
    "union": lambda zod, inside: any_of(_types(zod, inside)),
    "enum": _enum,
    "nativeEnum": _enum,
    "literal": _literal,
    "record": _record,
    "tuple": _tuple,
    "discriminatedUnion": _discriminated,
    "intersection": _intersection,
    "lazy": _lazy,
}
"""Functions of Zod with arguments."""
