"""Checks 324, 325 and 327 on the keywords of schemas: misspelt ones, and those that say nothing, or too much."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from tooldec.lint.finding import Check, Hit, Inventory, Part, tool_with

_OF_KIND: Mapping[str, frozenset[str]] = {
    "string": frozenset("minLength maxLength pattern contentEncoding contentMediaType contentSchema".split()),
    "number": frozenset("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split()),
    "array": frozenset(
        """items prefixItems additionalItems unevaluatedItems minItems maxItems uniqueItems contains minContains
        maxContains""".split()
    ),
    "object": frozenset(
        """properties required additionalProperties patternProperties propertyNames minProperties maxProperties
        dependentRequired dependentSchemas dependencies unevaluatedProperties""".split()
    ),
}
"""Keywords that look at values of one type, and let all others pass."""

_OF_ANY = frozenset(
    """type enum const anyOf oneOf allOf not if then else title description default example examples format nullable
    deprecated readOnly writeOnly definitions discriminator xml externalDocs id""".split()
)

KEYWORDS = _OF_ANY.union(*_OF_KIND.values())
"""What JSON Schema and OpenAPI know, apart from `$…` and `x-…`."""

_MEANT = {
    "min": "minimum", "minvalue": "minimum", "minval": "minimum", "ge": "minimum", "gte": "minimum",
    "max": "maximum", "maxvalue": "maximum", "maxval": "maximum", "le": "maximum", "lte": "maximum",
    "gt": "exclusiveMinimum", "lt": "exclusiveMaximum", "step": "multipleOf",
    "enums": "enum", "choices": "enum", "options": "enum", "allowed": "enum", "allowedvalues": "enum", "values": "enum",
    "regex": "pattern", "minlen": "minLength", "minimumlength": "minLength", "maxlen": "maxLength",
    "maximumlength": "maxLength", "unique": "uniqueItems", "item": "items", "types": "type", "desc": "description",
    "require": "required", "fields": "properties", "property": "properties",
}  # fmt: skip
"""What people write, too."""

_MORE_PROPERTIES = frozenset(
    "patternProperties propertyNames anyOf oneOf allOf $ref if dependentSchemas unevaluatedProperties".split()
)
"""Keywords beside which a property may be declared elsewhere."""

FEW = 20
"""For so many names of a list it is looked for what they may have been to be."""

_BY_FOLDED = {_word.lower(): _word for _word in KEYWORDS}


@lru_cache(maxsize=1000)
def meant(key: str) -> str:
    """The keyword that a key was to be; nothing where it is one, or may be a remark of somebody's own.

    >>> meant("maxlength"), meant("requried"), meant("choices"), meant("maxLength"), meant("unit")
    ('maxLength', 'required', 'enum', '', '')
    """
    if key in KEYWORDS or key.startswith(("$", "x-", "_")):
        return ""
    folded = re.sub(r"[^a-z]", "", key.lower())
    if folded in _BY_FOLDED or folded in _MEANT:
        return _BY_FOLDED.get(folded) or _MEANT[folded]
    close = get_close_matches(folded, _BY_FOLDED, n=1, cutoff=0.85) if len(folded) > 4 else []
    return _BY_FOLDED[close[0]] if close else ""


def _schemas(inventory: Inventory) -> Iterator[Part]:
    """Every schema that has keywords, the objects of all arguments included."""
    for tool in inventory.tools:
        yield Part(tool, None, "$", (), tool.parameters)
    yield from inventory.constrained


def _misspelt(inventory: Inventory) -> Iterator[Hit]:
    for part in _schemas(inventory):
        for key in part.schema:
            word = meant(key)
            if word and word not in part.schema and (word != "enum" or isinstance(part.schema[key], list)):
                message = f"`{key}` of {part.name} is no keyword of JSON Schema, so it says nothing"
                yield at_keyword(inventory, part, key, part.hit(message, f"did you mean `{word}`?"), word)


def _beside_the_type(inventory: Inventory) -> Iterator[Hit]:
    for part in _schemas(inventory):
        kinds = _kinds(part.schema.get("type"))
        if not kinds:
            continue
        for kind, keywords in _OF_KIND.items():
            for key in sorted(part.schema.keys() & keywords) if kind not in kinds else ():
                message = f"`{key}` says nothing of {part.name}, which is {_named(part.schema['type'])}"
                fix = f"leave it out, or change the type to `{kind}`"
                yield at_keyword(inventory, part, key, part.hit(message, fix))


def _undeclared(inventory: Inventory) -> Iterator[Hit]:
    for part in inventory.constrained:
        declared, needed = part.schema.get("properties"), part.schema.get("required")
        if not declared or not isinstance(needed, list) or part.schema.keys() & _MORE_PROPERTIES:
            continue
        if part.aside and part.pointer[0] not in ("$defs", "definitions"):  # the rest may be declared around it
            continue
        for place, name in enumerate(needed):
            if name not in declared:
                close = get_close_matches(name, list(declared)[:500], n=1) if place < FEW else []
                message = (
                    f"`required` asks for {json.dumps(name)}, and the `properties` of {part.name} don't declare it"
                )
                fix = f"did you mean `{close[0]}`?" if close else "declare it, or leave it out of `required`"
                at = inventory.places.value(part.tool, (*part.pointer, "required", place))
                change = inventory.places.renamed(at, name, close[0]) if close and at is not None else None
                spot = inventory.source.place(at) if at is not None else None
                yield replace(part.hit(message, fix, change), at=spot, word=name)


def _kinds(given: Any) -> set[str]:
    named = given if isinstance(given, list) else [given]
    return {"number" if kind == "integer" else kind for kind in named if isinstance(kind, str)}


def _named(given: Any) -> str:
    names = given if isinstance(given, list) else [given]
    return " or ".join(f"{'an' if name[:1] in 'aio' else 'a'} {name}" for name in map(str, names))


def at_keyword(inventory: Inventory, part: Part, key: str, hit: Hit, word: str = "") -> Hit:
    """The hit at its keyword, where that can be found; `word` is what should stand there."""
    places = inventory.places
    at = places.key(part.tool, (*part.pointer, key))
    if at is None:
        written = places.find_all(part.tool, rf"""(?<![\w-])(["']?){re.escape(key)}\1(?=\s*:)""")
        if len(written) != 1:
            return hit
        at = written[0].start() + len(written[0][1])
    change = places.replaced(at, at + len(key), word) if word else None
    return replace(hit, at=inventory.source.place(at), word=key, replacement=change)


CHECKS = (
    Check(
        "W324",
        "warning",
        "A keyword that JSON Schema doesn't know",
        "It is ignored, here as everywhere: the machine admits what it was to forbid.",
        tool_with('{"type": "string", "maxlength": 3}'),
        tool_with('{"type": "string", "maxLength": 3}'),
        _misspelt,
    ),
    Check(
        "W325",
        "warning",
        "A keyword that says nothing of its type",
        "JSON Schema lets it pass: mostly the keyword of another type was meant, or the type is wrong.",
        tool_with('{"type": "string", "maximum": 100}'),
        tool_with('{"type": "string", "maxLength": 100}'),
        _beside_the_type,
    ),
    Check(
        "W327",
        "warning",
        "A required property that isn't declared",
        "Every call has to hold it, and nothing says of what type: mostly its name is misspelt.",
        tool_with('{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["citty"]}'),
        tool_with('{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}'),
        _undeclared,
    ),
)
