"""One signature of a Python text: where it begins and ends, and its decorators; found without parsing it.

@tool                                        the name `area`, `(side: int) -> int`, "of a square",
def area(side: int) -> int: "of a square"    and the decorator
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from keyword import iskeyword
from unicodedata import normalize

from tooldec.errors import SignatureError
from tooldec.signatures.listings.other_shapes import callable_name
from tooldec.signatures.python.bodies import BLANK, END, SPACES, behind_dash, body, comment_at
from tooldec.signatures.python.frameworks import makes_tool
from tooldec.signatures.python.not_signatures import not_a_signature, rest_of_line
from tooldec.signatures.python.scanner import closing, line_end, past, stop, unquoted
from tooldec.signatures.source import Source, quoted

MAX_HEADER = 100_000
"""The most characters between a tool's name and the end of its return annotation."""

_LETTER = r"[\w\u0300-\u036f]"  # accents may stand behind their letters, as in names that macOS writes
_START = re.compile(rf"(?P<def>(?:async[ \t]++)?def\b[ \t]*+)?(?P<name>[^\W\d]{_LETTER}*+(?:[.-]\w++)*)[ \t]*+\(")
# a name of several words, as in `number of participants(event name)`
_WORDS = re.compile(r"(?P<def>)(?P<name>[^\W\d][\w'-]*+(?:[ \t]++[\w'-]++){1,7})[ \t]*+\(")
CLASS = re.compile(r"class[ \t]+(?P<name>[^\W\d]\w*)[ \t]*(?=[(:\[])")
METHOD = re.compile(r"^[ \t]+(?P<def>(?:async[ \t]+)?def[ \t]+(?P<name>\w+))", re.MULTILINE)
_PROPERTY = re.compile(r"@(?:[\w.]+\.)?(?:\w*property|setter|getter|deleter)\b")
_LINE = re.compile(r"[^\n]*+")
_ARROW = re.compile(r"[ \t]*+->")
_RETURNED = re.compile(r"[\w.\[\], \t|\"']*?(?=[ \t]+[-–—]{1,2}[ \t]|`)")
_MARKS = re.compile(r"(?:`(?!`))?(?:\*\*)?")
"""How Markdown marks a name, in front of it and behind the signature."""
NAMED_DECORATOR = re.compile(r"@[ \t]*(?:[^\W\d]\w*[ \t]*\.[ \t]*)*(?P<name>[^\W\d]\w*)[ \t]*(?:\(|#|\Z)")
"""A decorator that is a name, or is called by one."""
_INNER = re.compile(r"^[ \t]+@(?:\w+\.)*\w*(?:[tT]ool|function)", re.MULTILINE)
"""What says that functions inside of another may be tools."""


@dataclass(frozen=True, slots=True)
class Header:
    """One signature: its name, and offsets into the text.

    def area(side: int) -> int: "of a square"        area(side: int)  # of a square
        ^start                ^end                   ^start         ^end
            ^parameters                                  ^parameters

    decorators    where each one starts and ends
    owner         where the class starts and ends that is the tool
    """

    name: str
    start: int
    parameters: int
    end: int
    description: str
    title: str = ""
    decorators: tuple[tuple[int, int], ...] = ()
    owner: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """A class, or what is assigned to a name, `Unit = Literal["c", "f"]`: the name, and where it starts and ends."""

    name: str
    start: int
    end: int


Piece = Header | Definition | SignatureError
"""What a text is cut into."""


def is_property(text: str, decorators: Iterable[tuple[int, int]]) -> bool:
    return any(_PROPERTY.match(text, start) for start, _ in decorators)


def decorators_of(source: Source, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Where the decorators of a method start and end: those behind the last other line."""
    found: list[tuple[int, int]] = []
    end = source.text.rfind("\n", 0, end) + 1
    while start < end:
        line = past(SPACES, source.text, start)
        start = line_end(source, line) + 1
        if source.text.startswith("@", line):
            found.append((line, start - 1))
        elif not BLANK.fullmatch(source.text, line, start):
            found.clear()
    return tuple(found)


def inner(source: Source, start: int, end: int) -> Iterator[Header]:
    """The functions inside of a function's body that a decorator makes tools; raises SignatureError.

    >>> text = "def register(mcp):\\n    @mcp.tool()\\n    def now(): ...\\n    return 1"
    >>> [header.name for header in inner(Source.of(text), 18, len(text))]
    ['now']
    """
    text = unquoted(source.text)
    while first := _INNER.search(text, start, end):
        method = METHOD.search(text, first.end(), end)
        if method is None:
            return
        decorators = decorators_of(source, first.start(), method.start("def"))
        header, start = header_at(source, method.start("def"))
        names = (NAMED_DECORATOR.match(text, *place) for place in decorators)
        if any(name is not None and makes_tool(name["name"]) for name in names):
            yield replace(header, decorators=decorators)


def header_at(source: Source, position: int) -> tuple[Header, int]:
    """The signature that begins at `position`, and where the text goes on after its body."""
    text = source.text
    start = _START.match(text, position) or _WORDS.match(text, position)
    if start is None or (iskeyword(re.split(r"\W", start["name"])[0]) and not start["def"]):
        raise not_a_signature(source, position)
    parameters = start.end() - 1
    end = closing(source, parameters)
    if arrow := _ARROW.match(text, end):
        returned = _RETURNED.match(text, arrow.end())
        end = returned.end() if returned else stop(source, arrow.end(), "\n#:,;")
    if end - parameters > MAX_HEADER:
        raise source.error(
            f"a signature of {end - parameters:,} characters",
            start.start("name"),
            f"keep each signature under {MAX_HEADER:,} characters",
        )
    position = past(SPACES, text, past(_MARKS, text, end))
    if text.startswith(":", position):
        description, position = body(source, start.start(), position + 1)
    elif END.match(text, position):
        description = comment_at(text, position)
    elif description := behind_dash(text, position):
        position = past(_LINE, text, position)
    else:
        raise source.error(
            f"unexpected {quoted(rest_of_line(text, position))} after the signature",
            position,
            'end the line here, or write a description as `: "…"` or `# …`',
        )
    words = normalize("NFC", " ".join(start["name"].split()))
    title = words if " " in words else ""
    name = callable_name(words) if title else words
    return Header(name, start.start("name"), parameters, end, description, title), position
