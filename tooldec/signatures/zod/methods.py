"""What a method of a Zod type asks of a value, as keywords of JSON Schema.

asked({"type": "string"}, `min`, `2`)     →  {"type": "string", "minLength": 2}
form(`email`, `{ pattern: /@x$/ }`)       →  {"pattern": "@x$"}
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tooldec.errors import SignatureError
from tooldec.signatures.schemas import INTEGER, NULL, STRING, JSONSchema
from tooldec.signatures.typescript import js_values
from tooldec.signatures.typescript.lexer import Token, key_of
from tooldec.signatures.typescript.tokens import Tokens

FORMATS = {
    **{name: name for name in ("email", "uuid", "date", "time", "duration", "ipv4", "ipv6", "hostname")},
    **{"url": "uri", "guid": "uuid", "datetime": "date-time"},
}
"""Functions and methods that ask for a form of a text → JSON Schema's name of it."""
_UUID = "^.{{14}}{}.{{4}}[89abAB]"
PATTERNS = {
    **{f"uuidv{number}": _UUID.format(number) for number in (4, 6, 7)},
    "nanoid": r"^[A-Za-z0-9_-]{21}$",
    "cuid": r"^[cC][^\s-]{8,}$",
    "cuid2": r"^[0-9a-z]+$",
    "ulid": r"^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$",
    "xid": r"^[0-9a-vA-V]{20}$",
    "ksuid": r"^[A-Za-z0-9]{27}$",
    "base64url": r"^[A-Za-z0-9_-]*$",
    "base64": r"^(?:[0-9a-zA-Z+/]{4})*(?:[0-9a-zA-Z+/]{2}==|[0-9a-zA-Z+/]{3}=)?$",
    "e164": r"^\+[0-9]{7,15}$",
}
"""Functions and methods that ask for a form of a text that JSON Schema has no name for → its pattern."""
FORMS = (*FORMATS, *PATTERNS)
_OPTIONS = {
    **{"email": ("pattern",), "url": ("protocol",), "uuid": ("version",)},
    **{"datetime": ("local", "offset", "precision"), "time": ("precision",)},
}
"""Function → its options that change what it asks for."""
_MESSAGES = (
    "message",
    "error",
    "errorMap",
    "invalid_type_error",
    "required_error",
    "description",
    "abort",
    "coerce",
    "normalize",
)
"""Options that ask nothing of what is written."""
SIMPLE: Mapping[str, JSONSchema] = {
    **{"string": STRING, "number": {"type": "number"}, "boolean": {"type": "boolean"}, "null": NULL},
    **{"int": INTEGER, "bigint": INTEGER, "uint32": {**INTEGER, "minimum": 0, "maximum": 2**32 - 1}},
    "int32": {**INTEGER, "minimum": -(2**31), "maximum": 2**31 - 1},
    **{"any": {}, "unknown": {}, "date": {"type": "string", "format": "date-time"}, "undefined": NULL},
}
"""Functions without arguments that matter; `z.date()` is a moment."""
OPTIONAL = ("optional", "nullish", "default", "prefault", "catch", "exactOptional")
NULLABLE = ("nullable", "nullish")
KEEP = (
    *("optional", "exactOptional", "unwrap", "nonoptional", "shape", "brand", "readonly", "finite", "safe", "strip"),
    *("trim", "toLowerCase", "toUpperCase", "normalize", "transform", "overwrite"),
)
"""Methods that ask nothing of what is written."""
_DAY = (
    r"(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))"
    r"|(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29)"
)
_MINUTE = r"(?:[01]\d|2[0-3]):[0-5]\d"
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
_REGEX = re.compile(r"/((?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/([a-z]*)(?=\s*[,)}])")
_ESCAPED = re.compile(r"\\(.)")
_PROTOCOL = re.compile(r"\^((?:[\w.+-]|\((?:\?:)?|[)|?])+)\$")  # of which only the whole can be meant
_SPECIAL = re.compile(r"([\\^$.|?*+()\[\]{}])")


def asked(schema: JSONSchema, method: Token, inside: Tokens) -> JSONSchema:
    """The schema with what the method adds; raises SignatureError for code and for what no keyword says."""
    name, kind = method.text, schema.get("type")
    if name == "describe":
        words = _words(inside)
        return {**schema, "description": words} if words else schema
    if name == "meta":
        given = js_values.whole(inside)
        if not isinstance(given, dict):
            raise refused(inside, method)
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
    if "enum" in schema and name in ("exclude", "extract"):
        chosen = js_values.whole(inside)
        if not isinstance(chosen, list):
            raise refused(inside, method)
        return {**schema, "enum": [one for one in schema["enum"] if (one in chosen) == (name == "extract")]}
    if kind == "string" and name in FORMS and "format" not in schema:
        added = form(method, inside)
        if not added.keys() & schema.keys():
            return {**schema, **added}
    if kind == "string" and name in ("regex", "startsWith", "endsWith", "includes") and "pattern" not in schema:
        return {**schema, "pattern": _pattern(method, inside)}
    raise refused(inside, method)


def _words(inside: Tokens) -> str:
    """A description; none where the program puts it together."""
    try:
        return str(js_values.whole(inside))
    except SignatureError:
        return ""


def form(function: Token, inside: Tokens) -> JSONSchema:
    """What `email(…)`, `datetime({ local: true })` ask of a text; raises SignatureError for what no keyword says.

    >>> from tooldec.signatures.source import Source
    >>> tokens = Tokens.of(Source.of("uuid { version: 'v4' }"))
    >>> form(tokens.next(), tokens)["pattern"]
    '^.{14}4.{4}[89abAB]'
    """
    found = options(function, inside, *_OPTIONS.get(function.text, ()))
    if function.text in PATTERNS:
        named = {"format": "uuid"} if function.text.startswith("uuid") else {}
        return {**named, "pattern": PATTERNS[function.text]}
    at, given = {name: key for name, (key, _) in found.items()}, {name: value for name, (_, value) in found.items()}
    if function.text == "email" and given:
        return {"pattern": _regex(given["pattern"], at["pattern"])}
    if function.text == "url" and "protocol" in given:
        whole = _PROTOCOL.fullmatch(_regex(given["protocol"], at["protocol"]))
        if whole is None:
            raise refused(inside, at["protocol"])
        return {"format": "uri", "pattern": f"^(?:{whole[1]}):"}
    values = {name: js_values.whole(value) for name, value in given.items()}
    if "version" in values:
        if values["version"] not in [f"v{number}" for number in range(1, 9)]:
            raise refused(inside, at["version"])
        return {"format": "uuid", "pattern": _UUID.format(values["version"][1])}
    if function.text == "time" or values.get("local") or values.get("precision") is not None:
        time = _time(values.get("precision"), at.get("precision", function), inside)
        zone = f"(?:Z{'|' * bool(values.get('local'))}{f'|[+-]{_MINUTE}' * bool(values.get('offset'))})"
        return {"pattern": f"^{time}$" if function.text == "time" else f"^{_DAY}T{time}{zone}$"}
    return {"format": FORMATS[function.text]}


def _time(precision: object, place: Token, inside: Tokens) -> str:
    """A time without a zone as Zod takes it: minutes for −1, else seconds with so many digits, or with any."""
    if precision is None:
        return rf"{_MINUTE}(?::[0-5]\d(?:\.\d+)?)?"
    if type(precision) is not int or not -1 <= precision <= 9:
        raise refused(inside, place)
    return _MINUTE + ("" if precision < 0 else r":[0-5]\d") + (rf"\.\d{{{precision}}}" if precision > 0 else "")


def options(function: Token, inside: Tokens, *known: str) -> dict[str, tuple[Token, Tokens]]:
    """The options of a function that change what it asks for, by name; raises SignatureError for unknown ones."""
    if known and inside.here.kind == "word" and len(inside.tokens) == 1:  # what it holds isn't known
        raise refused(inside, function)
    found: dict[str, tuple[Token, Tokens]] = {}
    if not inside.take("{"):
        return found
    for _ in inside.entries("}"):
        key = inside.next()
        name = key_of(key)
        if name not in (*known, *_MESSAGES) or not (inside.take(":") or name in _MESSAGES):
            raise refused(inside, key)
        value = inside.argument()
        if name in known:
            found[name] = key, inside.part(value)
    return found


def _bounded(schema: JSONSchema, keyword: str, bound: int | float) -> JSONSchema:
    """The schema with a bound; of two of one kind the tighter one, for a value has to keep both."""
    tighter = max if keyword.lower().startswith(("min", "exclusivemin")) else min
    return {**schema, keyword: tighter(schema.get(keyword, bound), bound)}


def _number(method: Token, inside: Tokens) -> int | float:
    bound = js_values.whole(inside)
    if not isinstance(bound, int | float) or isinstance(bound, bool):
        raise refused(inside, method)
    return bound


def _pattern(method: Token, inside: Tokens) -> str:
    if method.text == "regex":
        return _regex(inside, method)
    said = _SPECIAL.sub(r"\\\1", str(js_values.whole(inside)))
    return {"startsWith": f"^{said}", "endsWith": f"{said}$", "includes": said}[method.text]


def _regex(tokens: Tokens, place: Token) -> str:
    """The regular expression that begins here; raises SignatureError at `place` for what is none, or has flags."""
    found = _REGEX.match(tokens.source.text, tokens.here.start)
    if found is None:
        fix = "write it here, as in `regex(/^[a-z]+$/)`"
        raise tokens.error(f"`{place.text}` of Zod is given no regular expression here", place, fix)
    if flags := found[2].replace("u", ""):
        fix = "leave it out" + ", and write both cases, as in `/[aA]/`" * ("i" in flags)
        raise tokens.error(f"the flag `{flags}` of a regular expression can't be enforced here", place, fix)
    return _ESCAPED.sub(lambda one: "/" if one[1] == "/" else one[0], found[1])


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
    if method.text == "keyof" and schema.get("properties"):
        return {"type": "string", "enum": list(schema["properties"])}
    if method.text not in ("partial", "required", "pick", "omit"):
        raise refused(inside, method)
    properties, required = schema.get("properties", {}), schema.get("required", [])
    chosen = properties if inside.here.kind == "end" else js_values.whole(inside)
    if not isinstance(chosen, dict):
        raise refused(inside, method)
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
