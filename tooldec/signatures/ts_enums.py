"""Enums of TypeScript: their values as a type, and their members.

enum Color { Red, Green = "g" }    {"enum": [0, "g"]};  `Color.Red` is {"const": 0}
"""

from __future__ import annotations

from tooldec.signatures import js_values
from tooldec.signatures.source import quoted
from tooldec.signatures.ts_generics import union
from tooldec.signatures.ts_tokens import Tokens, text_of
from tooldec.signatures.values import JSONSchema


def enum(tokens: Tokens) -> JSONSchema:
    """The values of the enum whose members stand here; raises SignatureError."""
    return union([{"const": value} for value in dict.fromkeys(members(tokens).values())])


def members(tokens: Tokens) -> dict[str, str | int | float]:
    """The names of an enum → their values; one without a value is the number after the one before.

    >>> from tooldec.signatures.source import Source
    >>> members(Tokens.of(Source.of("{ A, B = 4, C, D = 'd' }")))
    {'A': 0, 'B': 4, 'C': 5, 'D': 'd'}
    """
    opened = tokens.here
    tokens.expect("{")
    found: dict[str, str | int | float] = {}
    last: str | int | float = -1
    while not tokens.take("}"):
        name = place = tokens.name()
        if tokens.take("="):
            place = tokens.here
            value = js_values.value(tokens) if place.kind in ("number", "text") else None
        else:
            value = None if isinstance(last, str) else last + 1
        if value is None or tokens.here.text not in (",", "}"):
            fix = f"write it as `{name.text} = 1`, or as a text in quotes"
            raise tokens.error(f"the value of {quoted(name.text)} is no plain number or text", place, fix)
        found[text_of(name) if name.kind == "text" else name.text] = last = value
        tokens.take(",")
    if not found:
        raise tokens.error("this enum has no values", opened, "write them as `{ A, B }`")
    return found
