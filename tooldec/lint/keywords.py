"""Checks 324 and 325 on the keywords of schemas: misspelt ones, and those that say nothing of their type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from tooldec.lint.finding import Check, Hit, Inventory, tool_with
from tooldec.tools import Tool

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
    "min": "minimum", "max": "maximum", "enums": "enum", "choices": "enum", "options": "enum", "allowed": "enum",
    "regex": "pattern", "require": "required", "minlen": "minLength", "maxlen": "maxLength", "fields": "properties",
    "item": "items", "desc": "description", "types": "type", "property": "properties",
}  # fmt: skip
"""What people write, too."""

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


def _schemas(inventory: Inventory) -> Iterator[tuple[Tool, str | None, str, Mapping[str, Any]]]:
    """Every schema with its tool, its argument and what to call it, the object of all arguments included."""
    for tool in inventory.tools:
        yield tool, None, "the arguments", tool.parameters
    for part in inventory.parts:
        yield part.tool, part.parameter, f"`{part.path[2:]}`", part.schema


def _misspelt(inventory: Inventory) -> Iterator[Hit]:
    for tool, parameter, what, schema in _schemas(inventory):
        for key in schema:
            word = meant(key)
            if word and word not in schema:
                message = f"`{key}` of {what} is no keyword of JSON Schema, so it says nothing"
                yield _at(inventory, key, Hit(message, f"did you mean `{word}`?", tool, parameter), word)


def _beside_the_type(inventory: Inventory) -> Iterator[Hit]:
    for tool, parameter, what, schema in _schemas(inventory):
        kinds = _kinds(schema.get("type"))
        if not kinds:
            continue
        for kind, keywords in _OF_KIND.items():
            for key in () if kind in kinds else schema.keys() & keywords:
                message = f"`{key}` says nothing of {what}, which is {_named(schema['type'])}"
                fix = f"leave it out, or change the type to `{kind}`"
                yield _at(inventory, key, Hit(message, fix, tool, parameter))


def _kinds(given: Any) -> set[str]:
    named = given if isinstance(given, list) else [given]
    return {"number" if kind == "integer" else kind for kind in named if isinstance(kind, str)}


def _named(given: Any) -> str:
    names = given if isinstance(given, list) else [given]
    return " or ".join(f"{'an' if name[:1] in 'aio' else 'a'} {name}" for name in map(str, names))


def _at(inventory: Inventory, key: str, hit: Hit, word: str = "") -> Hit:
    """The hit at its keyword, where the tool writes that once; `word` is what should stand there."""
    assert hit.tool is not None
    start, end = inventory.span(hit.tool)
    written = list(
        re.compile(rf"""(?<![\w-])(["']?){re.escape(key)}\1(?=\s*:)""").finditer(inventory.source.text, start, end)
    )
    if len(written) != 1:
        return hit
    at = written[0].start() + len(written[0][1])
    change = inventory.replaced(at, at + len(key), word) if word else None
    place = inventory.source.place(at)
    return Hit(hit.message, hit.fix, hit.tool, hit.parameter, place, key, change)


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
)
