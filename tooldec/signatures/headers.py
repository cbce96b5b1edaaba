"""Where each signature of a Python text begins and ends, found without parsing it.

A `def` without colon or body isn't valid Python, so the text cannot go to `ast` as a whole. Brackets, strings
and comments are enough to cut it into signatures; `python.py` then completes and parses each one.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from keyword import iskeyword

from tooldec.errors import SignatureError
from tooldec.signatures.source import MAX_DEPTH, Source, quoted

MAX_HEADER = 100_000
"""The most characters between a tool's name and the end of its return annotation."""

STRING = (
    r'"""(?:[^"\\]|\\.|"(?!""))*+"""|'
    r"'''(?:[^'\\]|\\.|'(?!''))*+'''|"
    r'"(?!"")(?:[^"\\\n]|\\.)*+"|'
    r"'(?!'')(?:[^'\\\n]|\\.)*+'"
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
_BETWEEN = re.compile(r"(?:[\s,;]++|#[^\n]*+)*+")
_START = re.compile(r"(?P<def>(?:async[ \t]++)?def\b[ \t]*+)?(?P<name>[^\W\d]\w*+(?:\.[^\W\d]\w*+)*+)[ \t]*+\(")
_ARROW = re.compile(r"[ \t]*+->")
_LINE = re.compile(r"[^\n]*+")
_SPACES = re.compile(r"[ \t]*+")
_LEFT_OUT = re.compile(  # decorators, and imports of the modules that annotations come from
    r"@|(?:from[ \t]+(?:typing|typing_extensions|datetime|collections\.abc|__future__)[ \t]+import\b)"
    r"|(?:import[ \t]+(?:typing|typing_extensions|datetime|collections\.abc)\b[^,\n]*(?:\n|\Z))"
)
_DOCSTRING = re.compile(rf"[rRuU]?(?:{STRING})", re.DOTALL)
_END = re.compile(r"[ \t]*+(?=[\n#,;]|\Z)")
_TRAILING = re.compile(r"[ \t]*+[,;]?[ \t]*+\#(?![ \t]*(?:noqa|type:|pylint:|pragma:))[ \t]*(?P<comment>[^\n]*)")
_BLANK = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?\n)*+")
_CLOSES = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Header:
    """One signature: its name, and offsets into the text.

    def area(side: int) -> int: "of a square"        area(side: int)  # of a square
        ^start                ^end                   ^start         ^end
            ^parameters                                  ^parameters
    """

    name: str
    start: int
    parameters: int
    end: int
    description: str


def headers(source: Source) -> Iterator[Header]:
    """The signatures of a text, one after the other; raises at the first line that isn't one.

    >>> [header.name for header in headers(Source.of("add(a, b), sub(a, b)\\ndef area(side: int): return side"))]
    ['add', 'sub', 'area']
    """
    text, position = source.text, 0
    while True:
        position = _past(_BETWEEN, text, position)
        if position == len(text):
            return
        if _LEFT_OUT.match(text, position):
            position = _line_end(source, position)
            continue
        header, position = _header(source, position)
        yield header


def _header(source: Source, position: int) -> tuple[Header, int]:
    """The signature that begins at `position`, and where the text goes on after its body."""
    text = source.text
    start = _START.match(text, position)
    if start is None or (iskeyword(start["name"]) and not start["def"]):
        raise _not_a_signature(source, position)
    parameters = start.end() - 1
    end = _closing(source, parameters)
    if arrow := _ARROW.match(text, end):
        end = _stop(source, arrow.end(), "\n#:,;")
    if end - parameters > MAX_HEADER:
        raise source.error(
            f"a signature of {end - parameters:,} characters",
            start.start("name"),
            f"keep each signature under {MAX_HEADER:,} characters",
        )
    position = _past(_SPACES, text, end)
    if text.startswith(":", position):
        description, position = _body(source, start.start(), position + 1)
    elif _END.match(text, position):
        description = _comment(text, position)
    else:
        raise source.error(
            f"unexpected {quoted(_rest_of_line(text, position))} after the signature",
            position,
            'end the line here, or write a description as `: "…"` or `# …`',
        )
    return Header(start["name"], start.start("name"), parameters, end, description), position


def _body(source: Source, start: int, position: int) -> tuple[str, int]:
    """The description that the body after a colon gives, and the offset where the body ends."""
    text = source.text
    comment = _comment(text, position)
    position = _past(_SPACES, text, position)
    if _END.match(text, position):  # nothing more on this line: an indented block, or no body at all
        docstring, end = _block(source, _indent(text, text.rfind("\n", 0, start) + 1), position)
        return docstring or comment, end
    found = _DOCSTRING.match(text, position)
    if found and _END.match(text, found.end()):
        return _docstring(source, found), found.end()
    end = _stop(source, position, "\n#")
    return _comment(text, end), end


def _block(source: Source, indent: int, position: int) -> tuple[str, int]:
    """The docstring of the lines that are indented by more than `indent`, and the offset where they end."""
    text, docstring, end, first = source.text, "", position, True
    while (newline := text.find("\n", end)) >= 0:
        line = _past(_BLANK, text, newline + 1)
        if line == len(text) or _indent(text, line) <= indent:
            break
        statement = _past(_SPACES, text, line)
        if first and (found := _DOCSTRING.match(text, statement)):
            docstring = _docstring(source, found)
        first = False
        end = _line_end(source, statement)
    return docstring, end


def _comment(text: str, position: int) -> str:
    """The comment that follows at `position` on the same line, if any."""
    found = _TRAILING.match(text, position)
    return found["comment"].strip() if found else ""


def _docstring(source: Source, found: re.Match[str]) -> str:
    try:
        text = str(ast.literal_eval(found[0]))
        text.encode()
    except (SyntaxError, ValueError):
        fix = r"write backslashes twice, and characters as themselves or as `\U0001f600`"
        raise source.error("an escape in this text can't be read", found.start(), fix) from None
    return inspect.cleandoc(text).strip()


def _indent(text: str, line: int) -> int:
    """How far the line that starts at `line` is indented, tabs as in Python."""
    return len(text[line : _past(_SPACES, text, line)].expandtabs())


def _closing(source: Source, position: int) -> int:
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


def _stop(source: Source, position: int, stops: str) -> int:
    """The offset of the first of `stops` outside brackets and strings, or the end of the text."""
    text = source.text
    while match := _OUTSIDE.match(text, position):
        position = match.end()
        if match["stop"] and match["stop"] in stops:
            return position - 1
        if match["stop"] == "#":
            position = _past(_LINE, text, position)
        elif match["open"]:
            position = _closing(source, position - 1)
        elif match["close"]:
            raise source.error(f"`{match['close']}` closes nothing", position - 1, "remove it")
        elif match["quote"]:
            raise _open_string(source, position - 1)
    return len(text)


def _line_end(source: Source, position: int) -> int:
    """The offset where a statement ends: a line end outside brackets and strings."""
    return _stop(source, position, "\n")


def _not_a_signature(source: Source, position: int) -> SignatureError:
    """What to say of a line that isn't a signature."""
    line = _rest_of_line(source.text, position)
    if line[0] in "{[":
        fix = "paste one format at a time: JSON tools alone, or Python signatures alone"
        return source.error("JSON among Python signatures", position, fix)
    if line.startswith("class ") or line.startswith("import ") or line.startswith("from "):
        word = line.split()[0]
        return source.error(f"`{word}` isn't a signature", position, "remove this line; keep the functions only")
    written = re.match(r"((?:async[ \t]+)?def\b[ \t]*)?([^(:=]*?)[ \t]*\(", line)
    if written and not iskeyword(written[2].split(" ")[0]):
        at = position + written.start(2)
        name = re.sub(r"\W+", "_", written[2]).strip("_")
        proposed = f"_{name}" if name[:1].isdigit() else name
        if not name:
            return source.error("a signature without a name", at, "write it as `square(side: int)`")
        return source.error(f"{quoted(written[2])} isn't an identifier", at, f"write `{proposed}`")
    if re.match(r"(?:async[ \t]+)?def\b", line):
        fix = "write the parameters in parentheses, as in `def square(side: int)`"
        return source.error(f"{quoted(line)} has no parameter list", position, fix)
    return source.error(f"{quoted(line)} isn't a signature", position, "write it as `square(side: int)`")


def _open_string(source: Source, position: int) -> SignatureError:
    return source.error("this string is never closed", position, f"close it with `{source.text[position]}`")


def _place(source: Source, offset: int) -> str:
    line, column = source.place(offset)
    return f"line {line}, column {column}"


def _rest_of_line(text: str, position: int) -> str:
    end = text.find("\n", position, position + 200)
    return text[position : end if end >= 0 else position + 200].rstrip()


def _past(pattern: re.Pattern[str], text: str, position: int) -> int:
    """The offset after what `pattern` matches at `position`; the pattern may match nothing."""
    match = pattern.match(text, position)
    return match.end() if match else position
