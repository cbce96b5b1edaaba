"""Python text scanned without parsing it: brackets, strings and comments, and where statements end."""

from __future__ import annotations

import re
from functools import lru_cache

from tooldec.errors import SignatureError
from tooldec.signatures.source import MAX_DEPTH, Source

STRING = (
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|'
    r"'''(?:[^'\\]|\\.|'(?!''))*'''|"
    r'"(?!"")(?:[^"\\\n]|\\.)*"|'
    r"'(?!'')(?:[^'\\\n]|\\.)*'"
)
# Each match is a run without meaning for the cut, and the first thing that has one.
_INSIDE = re.compile(
    rf"""[^"'#()\[\]{{}}\n]*+(?:(?P<skip>{STRING}|\#[^\n]*+)|(?P<quote>["'])|(?P<open>[(\[{{])|(?P<close>[)\]}}])"""
    r"|(?P<next>\n[ \t]*(?:async[ \t]+)?def[ \t])|\n|\Z)",
    re.DOTALL,
)
_OUTSIDE = re.compile(
    rf"""[^"'#()\[\]{{}}\n:,;\\]*+(?:(?P<skip>{STRING}|\\.)|(?P<quote>["'])|(?P<open>[(\[{{])|(?P<close>[)\]}}])"""
    r"|(?P<stop>[\n\#:,;])|\\)",
    re.DOTALL,
)
_LINE = re.compile(r"[^\n]*+")
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_WORDS = re.compile(rf"(?P<string>{STRING})|\#[^\n]*+", re.DOTALL)
_WORD = re.compile(r"\S")


@lru_cache(maxsize=2)
def unquoted(text: str) -> str:
    """The text without what its strings of several lines hold: signatures and calls in them are examples.

    >>> unquoted("def f():\\n    '''As in\\n    @tool\\n    '''\\n    @tool").split()
    ['def', 'f():', '@tool']
    """
    return _WORDS.sub(lambda found: _WORD.sub(" ", found[0]) if "\n" in (found["string"] or "") else found[0], text)


def closing(source: Source, position: int) -> int:
    """The offset after the bracket that closes the one at `position`."""
    open_at: list[int] = []
    for match in _INSIDE.finditer(source.text, position):
        at = match.end() - 1
        if match["open"]:
            open_at.append(at)
            if len(open_at) > MAX_DEPTH:
                raise source.nested_too_deep(at)
        elif match["close"]:
            opened = source.text[open_at[-1]]
            if _CLOSES[opened] != match["close"]:
                raise source.error(
                    f"`{match['close']}` can't close the `{opened}` of {_place(source, open_at[-1])}",
                    at,
                    f"write `{_CLOSES[opened]}`",
                )
            open_at.pop()
            if not open_at:
                return match.end()
        elif match["quote"]:
            raise _open_string(source, at)
        elif match["next"]:
            break
    opened = source.text[open_at[-1]]
    raise source.error(f"this `{opened}` is never closed", open_at[-1], f"close it with `{_CLOSES[opened]}`")


def stop(source: Source, position: int, stops: str) -> int:
    """The offset of the first of `stops` outside brackets and strings, or the end of the text; raises SignatureError.

    >>> stop(Source.of("(a, ';'); b"), 0, ";")
    8
    """
    text = source.text
    while match := _OUTSIDE.match(text, position):
        position = match.end()
        if match["stop"] and match["stop"] in stops:
            return position - 1
        if match["stop"] == "#":
            position = past(_LINE, text, position)
        elif match["open"]:
            position = closing(source, position - 1)
        elif match["close"]:
            raise source.error(f"`{match['close']}` closes nothing", position - 1, "remove it")
        elif match["quote"]:
            raise _open_string(source, position - 1)
    return len(text)


def line_end(source: Source, position: int) -> int:
    """The offset where a statement ends: a line end outside brackets and strings."""
    return stop(source, position, "\n")


def _open_string(source: Source, position: int) -> SignatureError:
    return source.error("this string is never closed", position, f"close it with `{source.text[position]}`")


def _place(source: Source, offset: int) -> str:
    line, column = source.place(offset)
    return f"line {line}, column {column}"


def past(pattern: re.Pattern[str], text: str, position: int) -> int:
    """The offset after what `pattern` matches at `position`; the pattern may match nothing."""
    match = pattern.match(text, position)
    return match.end() if match else position
