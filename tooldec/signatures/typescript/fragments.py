"""A part of a program of JavaScript that is pasted alone: keys of an object without the braces around it.

tools: [                                    { tools: [{ name: "now" }] }
  { name: "now" },                    →
],
"""

from __future__ import annotations

import re
from typing import Any

from tooldec.signatures.listings.keys import INSIDE, LISTS, SCHEMAS
from tooldec.signatures.source import Source
from tooldec.signatures.typescript import js_values
from tooldec.signatures.typescript.lexer import Token
from tooldec.signatures.typescript.tokens import Tokens

_SAID = ("name", "id", "title", "description", "type", "strict")
_TYPES = (*SCHEMAS, "schema", "argsSchema")
_KEYS = "|".join((*LISTS, *INSIDE, *_TYPES, *_SAID))
_BEGINS = re.compile(
    rf"\A\ufeff?\s*+(?:(?://[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)\s*+)*+(?P<quote>[\"']?)(?P<key>{_KEYS})[\"']?\s*+:\s*+(?=[\[{{\"'`]|z\s*\.)"
)
_LINE = re.compile(r"[^\n]*,[ \t]*(?://[^\n]*)?$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*//", re.MULTILINE)


def begins(text: str) -> bool:
    """Whether a text is such a part, and no YAML: of that no entry ends with a comma.

    >>> begins("tools: [{ name: 'now' }],"), begins("tools: [{ name: now }]"), begins('name: "now",\\ntype: "x"')
    (True, False, True)
    """
    found = _BEGINS.match(text)
    if found is None or (found["quote"] and found["key"] in (*LISTS, *INSIDE)):  # which is JSON inside
        return False
    after = text[found.end() : found.end() + 1]
    if after not in ("[", "{"):
        return after == "z" or _LINE.match(text, found.end()) is not None
    return text.rstrip().endswith(",") or found["key"] in _TYPES or _COMMENT.search(text) is not None


def read(source: Source) -> Any:
    """The object whose keys a text is, as plain values; raises SignatureError.

    >>> read(Source.of("name: 'now', strict: true,"))
    {'name': 'now', 'strict': True}
    """
    return js_values.whole(braced(Tokens.of(source)))


def is_entry(text: str) -> bool:
    """Whether a text begins with what a tool itself says, as `name`, and not with a list of tools.

    >>> is_entry('parameters: z.object({}),'), is_entry("tools: [],")
    (True, False)
    """
    found = _BEGINS.match(text)
    return found is not None and found["key"] in (*_TYPES, *_SAID) and begins(text)


def braced(tokens: Tokens) -> Tokens:
    """The row as an object, as if braces stood around it.

    >>> [token.text for token in braced(Tokens.of(Source.of("a: 1,"))).tokens]
    ['{', 'a', ':', '1', ',', '}']
    """
    first = tokens.tokens[0].start if tokens.tokens else 0
    return tokens.part((Token("mark", "{", first), *tokens.tokens, Token("mark", "}", tokens.end.start)))
