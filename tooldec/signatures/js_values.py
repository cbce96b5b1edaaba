"""Lists and objects as JavaScript writes them → plain values; nothing is executed.

    {                                           {"name": "now", "strict": True}
      name: 'now', // the time            →
      strict: true,
    }

Keys with or without quotes, texts in any of the three quotes (also added up with `+`), numbers (also `0x1F`, `5n`),
`true`, `false`, `null`, `undefined`, comments, commas at the end, `as const` and `satisfies T`.
"""

from __future__ import annotations

import math
import re
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.located import List, Object
from tooldec.signatures.source import MAX_DIGITS, Source, quoted
from tooldec.signatures.ts_tokens import Token, Tokens, text_of

_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "undefined": None}
_OCTAL = re.compile(r"-?0\d+")
_FIX = "write plain values only: texts, numbers, true, false, null, lists and objects; nothing is executed"


def read(source: Source, start: int = 0) -> Any:
    """The value that begins at an offset; raises SignatureError where it isn't plain, or where something follows.

    >>> read(Source.of("const tools = [{ name: 'now', strict: true }];"), 14)
    [{'name': 'now', 'strict': True}]
    """
    tokens = Tokens.of(source)
    while tokens.here.kind != "end" and tokens.here.start < start:
        tokens.next()
    found = value(tokens)
    if tokens.here.text in ("as", "satisfies"):
        tokens.statement()
    tokens.take(";")
    if tokens.here.kind != "end":
        raise tokens.error("something follows the list", tokens.here, "paste the list of tools alone")
    return found


def value(tokens: Tokens) -> Any:
    """The plain value that is here; goes past it."""
    token = tokens.next()
    if token.text == "[" and token.kind == "mark":
        return _list(tokens)
    if token.text == "{" and token.kind == "mark":
        return _object(tokens)
    if token.kind == "text" and not (token.text[0] == "`" and "${" in token.text):
        said = text_of(token)
        while tokens.take("+"):
            said += text_of(_of_kind(tokens, "a text", "text"))
        return said
    if token.kind == "number":
        return _number(tokens, token)
    if token.kind == "word" and token.text in _WORDS:
        return _WORDS[token.text]
    raise _refused(tokens, token, "a plain value")


def whole(tokens: Tokens) -> Any:
    """The plain value that is here, where nothing else makes another one of it: `60 * 60` is code, and refused."""
    found = value(tokens)
    ended(tokens)
    return found


def ended(tokens: Tokens) -> None:
    """Refuse what goes on behind a value; raises SignatureError at `*` in `60 * 60`, at `.` in `["a"].concat(more)`."""
    here = tokens.here
    ends = here.kind == "end" or (here.kind == "mark" and here.text in (",", ";", ")", "]", "}"))
    if not ends and not (here.kind == "word" and (here.new_line or here.text in ("as", "satisfies"))):
        raise tokens.error(f"{quoted(here.text)} makes another value of the one before it", here, _FIX)


def _number(tokens: Tokens, token: Token) -> int | float:
    digits = token.text.replace("_", "").removesuffix("n")
    if len(digits) > MAX_DIGITS:
        raise tokens.error(f"a number has {len(digits):,} digits", token, f"write at most {MAX_DIGITS:,}")
    if digits.lstrip("-")[:2].lower() in ("0x", "0o", "0b"):
        return int(digits, 0)
    if _OCTAL.fullmatch(digits):
        raise tokens.error(
            f"readers disagree on the number {quoted(digits)}", token, "write it without the 0, or as `0o17`"
        )
    if digits.lstrip("-").isdigit():
        return int(digits)
    if math.isinf(float(digits)):
        raise tokens.error(f"the number {quoted(digits)} is too large", token, "write a smaller one")
    return float(digits)


def _list(tokens: Tokens) -> List:
    values = []
    while not tokens.take("]"):
        place = tokens.here.start
        values.append((value(tokens), place))
        if not tokens.take(","):
            tokens.expect("]")
            break
    return List(values)


def _object(tokens: Tokens) -> Object:
    found = Object()
    while not tokens.take("}"):
        token = _of_kind(tokens, "a key", "word", "text", "number")
        key = text_of(token) if token.kind == "text" else token.text
        if key in found:
            raise tokens.error(f"the key {quoted(key)} stands twice in one object", token, "remove one of them")
        tokens.expect(":")
        place = tokens.here.start
        found.add(key, value(tokens), place)
        if not tokens.take(","):
            tokens.expect("}")
            break
    return found


def _of_kind(tokens: Tokens, what: str, *kinds: str) -> Token:
    token = tokens.next()
    if token.kind not in kinds:
        raise _refused(tokens, token, what)
    return token


def _refused(tokens: Tokens, token: Token, what: str) -> SignatureError:
    shown = quoted(token.text) if token.text else "the end of the text"
    return tokens.error(f"{what} is expected here, not {shown}", token, _FIX)
