"""The keywords of JSON Schema: which are enforced, which only describe, and which are refused, and why.

The table of docs/formats.md is made from KEYWORDS, and a test tries every row.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_ENFORCED = {
    "type": "",
    "enum": "",
    "const": "",
    "nullable": "OpenAPI's: null is one of the values",
    "minLength": "",
    "maxLength": "",
    "pattern": "the regular part of ECMA-262, as with its flag u, looking around included; a large one from the "
    "beginning of the text on",
    "format": "date, time, date-time, duration, email, hostname, ipv4, ipv6, uri, uuid, … (`FORMATS`); unknown names "
    "only describe",
    "minimum": "exact to the digit; no exponent beside a bound on decimals",
    "maximum": "as minimum",
    "exclusiveMinimum": "as minimum; decimals have at most 15 digits then, where the bound has no more",
    "exclusiveMaximum": "as exclusiveMinimum",
    "multipleOf": "of exact decimals, so that 0.07 is one of 0.01; up to 2,000, or beyond where few remainders differ",
    "items": "",
    "prefixItems": "",
    "additionalItems": "of earlier drafts",
    "minItems": "",
    "maxItems": "",
    "contains": "",
    "minContains": "",
    "maxContains": "",
    "uniqueItems": "but not beside `contains`, nor where an item has fewer values than there are items before it",
    "properties": "without `additionalProperties` no others are written, unless objects are open",
    "required": "",
    "additionalProperties": "",
    "patternProperties": "up to five patterns",
    "propertyNames": "",
    "minProperties": "but not where few names are left beside those that are declared",
    "maxProperties": "",
    "dependentRequired": "",
    "dependentSchemas": "",
    "dependencies": "of earlier drafts",
    "unevaluatedProperties": "",
    "unevaluatedItems": "",
    "anyOf": "",
    "oneOf": "where the options exclude each other, or can be made to",
    "allOf": "",
    "not": "except for what a complement isn't built of",
    "if": "",
    "then": "",
    "else": "",
    "$ref": "within the document; recursion to a stated depth (Writing.depth)",
    "$dynamicRef": "as `$ref`",
    "$recursiveRef": "as `$ref`; of the draft 2019-09",
}
_REFUSED = {
    "extends": "it isn't part of JSON Schema since draft 4",
    "disallow": "it isn't part of JSON Schema since draft 4",
    "divisibleBy": "it isn't part of JSON Schema since draft 4",
}
_ANNOTATIONS = (
    *("$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment"),
    *("$defs", "definitions", "title", "description", "default", "examples", "example", "deprecated", "readOnly"),
    *("writeOnly", "contentEncoding", "contentMediaType", "contentSchema"),
)

KEYWORDS: Mapping[str, str] = MappingProxyType(
    {keyword: f"enforced: {how}" if how else "enforced" for keyword, how in _ENFORCED.items()}
    | {keyword: f"refused: {why}" for keyword, why in _REFUSED.items()}
    | dict.fromkeys(_ANNOTATIONS, "annotation")
)
"""Keyword → `enforced`, `enforced: in which cases`, `refused: why` or `annotation`."""

CONSTRAINING = frozenset(_ENFORCED) | frozenset(_REFUSED)
"""The keywords that say which values are meant."""

UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})
"""The keywords that speak of what no other does."""

REFUSED: Mapping[str, str] = MappingProxyType(_REFUSED)
"""Keyword → why it can't be enforced."""
