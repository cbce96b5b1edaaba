"""What a method of a Zod type asks of a value, as keywords of JSON Schema.

asked({"type": "string"}, `min`, `2`)     →  {"type": "string", "minLength": 2}
"""

from __future__ import annotations

import re

from tooldec.errors import SignatureError
from tooldec.signatures import js_values
from tooldec.signatures.ts_tokens import Token, Tokens
from tooldec.signatures.values import JSONSchema

FORMATS = {
    **{name: name for name in ("email", "uuid", "date", "time", "duration", "ipv4", "ipv6", "hostname")},
    **{"url": "uri", "guid": "uuid", "datetime": "date-time"},
}
"""Functions and methods that ask for a form of a text → JSON Schema's name of it."""
_SIZES = {"string": ("minLength", "maxLength"), "array": ("minItems", "maxItems")}
_BOUNDS = {
    **{"min": "minimum", "max": "maximum", "gte": "minimum", "lte": "maximum"},
    **{"gt": "exclusiveMinimum", "lt": "exclusiveMaximum"},
}
_STEPS = ("multipleOf", "step")
_SIGNS = {
    **{"positive": "exclusiveMinimum", "negative": "exclusiveMaximum"},
    **{"nonnegative": "minimum", "nonpositive": "maximum"},
}
_REGEX = re.compile(r"\(\s*/((?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/([a-z]*)")
_SPECIAL = re.compile(r"([\\^$.|?*+()\[\]{}])")


def asked(schema: JSONSchema, method: Token, inside: Tokens) -> JSONSchema:
    """The schema with what the method adds; raises SignatureError for code and for what no keyword says."""
    name, kind = method.text, schema.get("type")
    if name == "describe":
        return {**schema, "description": str(js_values.value(inside))}
    if name == "meta":
        given = js_values.value(inside)
        return {**schema, **{key: given[key] for key in ("title", "description") if key in given}}
    if kind == "object":
        return _other_object(schema, method, inside)
    if kind in _SIZES and name in ("min", "max", "length", "nonempty"):
        least, most = _SIZES[str(kind)]
        size = 1 if name == "nonempty" else _number(method, inside)
        if name != "max":
            schema = _bounded(schema, least, size)
        return _bounded(schema, most, size) if name in ("max", "length") else schema
    if kind in ("number", "integer"):
        if name in _STEPS and "multipleOf" not in schema:
            return {**schema, "multipleOf": _number(method, inside)}
        if name in _BOUNDS:
            return _bounded(schema, _BOUNDS[name], _number(method, inside))
        if name in _SIGNS:
            return _bounded(schema, _SIGNS[name], 0)
        if name == "int":
            return {**schema, "type": "integer"}
    if kind == "string" and name in FORMATS and "format" not in schema:
        return {**schema, "format": FORMATS[name]}
    if kind == "string" and name in ("regex", "startsWith", "endsWith", "includes") and "pattern" not in schema:
        return {**schema, "pattern": _pattern(method, inside)}
    raise refused(inside, method)


def _bounded(schema: JSONSchema, keyword: str, bound: int | float) -> JSONSchema:
    """The schema with a bound; of two of one kind the tighter one, for a value has to keep both."""
    tighter = max if keyword.lower().startswith(("min", "exclusivemin")) else min
    return {**schema, keyword: tighter(schema.get(keyword, bound), bound)}


def _number(method: Token, inside: Tokens) -> int | float:
    bound = js_values.value(inside)
    if not isinstance(bound, int | float) or isinstance(bound, bool):
        raise refused(inside, method)
    return bound


def _pattern(method: Token, inside: Tokens) -> str:
    if method.text == "regex":
        found = _REGEX.match(inside.source.text, inside.source.text.find("(", method.start))
        if found is None or found[2].strip("u"):
            raise refused(inside, method)
        return found[1].replace("\\/", "/")
    said = _SPECIAL.sub(r"\\\1", str(js_values.value(inside)))
    return {"startsWith": f"^{said}", "endsWith": f"{said}$", "includes": said}[method.text]


def extended(schema: JSONSchema, other: JSONSchema) -> JSONSchema:
    """An object's schema with the properties of another one, which win.

    >>> extended({"type": "object", "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]})["required"]
    ['a', 'b']
    """
    kept = [name for name in schema.get("required", []) if name not in other["properties"]]
    properties = {**schema.get("properties", {}), **other["properties"]}
    return requiring({**schema, "properties": properties}, [*kept, *other.get("required", [])])


def _other_object(schema: JSONSchema, method: Token, inside: Tokens) -> JSONSchema:
    """`strict`, `loose`, and the methods that choose properties."""
    if method.text in ("strict", "passthrough", "loose"):
        return {**schema, "additionalProperties": method.text != "strict"}
    if method.text not in ("partial", "required", "pick", "omit"):
        raise refused(inside, method)
    properties, required = schema.get("properties", {}), schema.get("required", [])
    chosen = properties.keys() if inside.here.kind == "end" else js_values.value(inside).keys()
    if method.text == "partial":
        return requiring(schema, [name for name in required if name not in chosen])
    if method.text == "required":
        return requiring(schema, [name for name in properties if name in chosen or name in required])
    kept = {name: one for name, one in properties.items() if (name in chosen) == (method.text == "pick")}
    return requiring({**schema, "properties": kept}, [name for name in required if name in kept])


def requiring(schema: JSONSchema, required: list[str]) -> JSONSchema:
    """An object's schema that requires these properties, and no others."""
    others = {key: value for key, value in schema.items() if key != "required"}
    return {**others, "required": required} if required else others


def refused(tokens: Tokens, method: Token) -> SignatureError:
    """The error for what JSON Schema can't say; to be raised by the caller."""
    fix = "say it with what JSON Schema has, such as `min`, `max`, `enum` or `regex`, or leave it out"
    return tokens.error(f"`{method.text}` of Zod can't be enforced here", method, fix)
