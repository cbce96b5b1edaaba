"""JSON values inside of a pasted text: read one at a time, with the place of what can't be read."""

from __future__ import annotations

import json
import math
import re
from json.decoder import JSONDecodeError
from typing import Any, NoReturn

from tooldec.errors import SignatureError
from tooldec.signatures.source import MAX_DIGITS, Source, quoted

_SPACE = re.compile(r"[ \t\n]*+")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|-?Infinity|NaN|-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?')
_BRACKET = re.compile(r'"(?:[^"\\\n]|\\.)*+"|[{}\[\]]')
_ESCAPES = re.compile(r"(?<!\\)\\(?:\\\\)*\Z")
_STEP = re.compile(r'\.([^.\[]+)|\[([0-9]+)\]|\["(.*?)"\]')


FARTHEST = 200_000
"""How many characters behind the beginning of an entry that can't be read its end is looked for."""


class _Refused(ValueError):
    """A JSON value that isn't read because readers disagree on it; its place isn't known yet."""


def skip(source: Source, position: int) -> int:
    space = _SPACE.match(source.text, position)
    return space.end() if space else position


def decode(source: Source, position: int) -> tuple[Any, int]:
    """The JSON value at `position`, and the offset after it; raises SignatureError.

    >>> decode(Source.of('[{"a": 1}, 2]'), 1)
    ({'a': 1}, 9)
    """
    try:
        return _DECODER.raw_decode(source.text, position)
    except JSONDecodeError as error:
        raise _open_text(source, error) or json_error(source, error.msg, error.pos) from None
    except (RecursionError, MemoryError):
        raise source.nested_too_deep(position) from None
    except _Refused:
        raise _refused(source, position) from None


def _open_text(source: Source, error: JSONDecodeError) -> SignatureError | None:
    """The error for a text in quotes in which the paste ends, as when it is cut off; None for any other fault."""
    text = source.text
    if error.msg.startswith("Unterminated string"):
        start = error.pos
    elif error.msg.startswith(("Invalid control", "Invalid \\")) and not text[error.pos + 1 :].strip():
        start = text.rfind('"', 0, error.pos)
        while start > 0 and _ESCAPES.search(text, max(start - 100, 0), start):
            start = text.rfind('"', 0, start)
    else:
        return None
    fix = 'paste the whole text, or close it with `"`, and then what is open around it'
    return source.error("this isn't JSON: the text ends inside of this string", start, fix)


def _refused(source: Source, position: int) -> SignatureError:
    """The error for the first key or number behind `position` that readers of JSON disagree on."""
    keys: list[set[str]] = []
    text = source.text
    for token in _TOKEN.finditer(text, position):
        written, at = token[0], token.start()
        if written in "{[":
            keys.append(set())
        elif written in "}]":
            keys.pop()
        elif written[0] == '"':
            if text.startswith(":", skip(source, token.end())):
                key = json.loads(written)
                if key in keys[-1]:
                    message = f"the key {quoted(key)} stands twice in one object"
                    return source.error(message, at, "remove one of them")
                keys[-1].add(key)
        elif written in ("Infinity", "-Infinity", "NaN"):
            return source.error(f"{quoted(written)} is no number that JSON has", at, "leave it out, or write a number")
        elif written not in ",:":
            try:
                (_finite if set(written) & set(".eE") else _integer)(written)
            except _Refused as error:
                return source.error(str(error), at, "leave it out, or write a smaller number")
    raise AssertionError("what was refused stands in the text")


def closed(text: str, start: int) -> int | None:
    """The offset after the object or list at `start`, by its brackets alone; None where they don't match.

    >>> closed('[{"a" "]"}, 2]', 1), closed('[{"a": 1]', 1)
    (10, None)
    """
    opened = ""
    for token in _BRACKET.finditer(text, start, start + FARTHEST):
        if token[0] in "{[":
            opened += token[0]
        elif token[0] in "}]":
            if opened[-1:] + token[0] not in ("{}", "[]"):
                return None
            opened = opened[:-1]
            if not opened:
                return token.end()
    return None


Parts = dict[str | int, tuple[int, int]]
"""By key: where the key and its value stand; an element of a list is its own key."""


def value_at(source: Source, position: int, path: str, known: dict[int, Parts] | None = None) -> int:
    """The offset of a value inside of the one at `position`, which can be read: as far as the path leads.

    known   keeps what stands where, for whoever asks again

    >>> value_at(Source.of('{"a": [1, {"b": 2}]}'), 0, ".a[1].b"), value_at(Source.of('{"a": [1]}'), 0, ".a[3].b")
    (16, 6)
    """
    known = {} if known is None else known
    for key, index, odd in _STEP.findall(path):
        if position not in known:
            known[position] = parts(source, position)
        found = known[position].get(int(index) if index else key or odd)
        if found is None:
            break
        position = found[1]
    return position


def parts(source: Source, position: int) -> Parts:
    """Where the keys and the values of the object or list at `position` stand; nothing where it is neither.

    >>> parts(Source.of('{"a": [1, 2]}'), 0), parts(Source.of('{"a": [1, 2]}'), 6)
    ({'a': (1, 6)}, {0: (7, 7), 1: (10, 10)})
    """
    found: Parts = {}
    keyed = source.text[position] == "{"
    at = skip(source, position + 1)
    while (keyed or source.text[position] == "[") and source.text[at] not in "]}":
        begin, key = at, len(found)
        if keyed:
            key, at = decode(source, at)
            at = skip(source, skip(source, at) + 1)  # behind the colon
        found[key] = begin, at
        at = skip(source, decode(source, at)[1])
        at = skip(source, at + (source.text[at] == ","))
    return found


def json_error(source: Source, message: str, position: int) -> SignatureError:
    """What the JSON decoder says, with what would work."""
    here, before = source.text[position : position + 5], source.text[:position].rstrip()[-1:]
    if not here:
        fix = "the text ends here: close what is open"
    elif here[0] in "]}" and before == ",":
        fix = "remove the comma before it"
    else:
        fix = next((fix for start, fix in _FIXES if here.startswith(start)), "")
        fix = fix or next((fix for start, fix in _FIXES_BY_MESSAGE if message.startswith(start)), _FIX)
    return source.error(f"this isn't JSON: {message[:1].lower()}{message[1:]}", position, fix)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Refused
    return found


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _Refused(f"an integer has {len(digits):,} digits")
    return int(digits)


def _finite(digits: str) -> float:
    if math.isinf(float(digits)):
        raise _Refused(f"the number {quoted(digits)} is too large")
    return float(digits)


def _constant(name: str) -> NoReturn:
    raise _Refused


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_finite, parse_constant=_constant
)
_FIX = "paste a JSON list of tools, or one JSON object per line"
_FIXES = (
    ("'", "JSON takes double quotes"),
    ("\u201c", 'write straight quotes, `"`, for the curly ones'),
    ("\u201d", 'write straight quotes, `"`, for the curly ones'),
    ("\u2018", 'write straight quotes, `"`, for the curly ones'),
    ("\u2019", 'write straight quotes, `"`, for the curly ones'),
    ("\u00a0", "replace this no-break space (U+00A0) by a plain one"),
    ("\u3000", "replace this wide space (U+3000) by a plain one"),
    ("#", "remove the comment: JSON has none"),
    ("/", "remove the comment: JSON has none"),
    ("True", "write `true`"),
    ("False", "write `false`"),
    ("None", "write `null`"),
)
_FIXES_BY_MESSAGE = (
    ("Expecting ',' delimiter", "write a comma between two values, or close what is open"),
    ("Illegal trailing comma", "remove this comma"),
    ("Expecting ':' delimiter", "write a colon after the key"),
    ("Expecting property name", "write the key in double quotes"),
    ("Unterminated string", 'close it with `"`'),
    (
        "Invalid control character",
        'close the string with `"`; a line break inside of one is written as `\\n`, a tab as `\\t`',
    ),
    ("Invalid \\", "write a backslash as `\\\\`"),
)
