"""Where each signature of a Python text begins and ends, found without parsing it.

A `def` without colon or body isn't valid Python, so the text cannot go to `ast` as a whole. Brackets, strings
and comments are enough to cut it into signatures; `python.py` then completes and parses each one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from keyword import iskeyword
from unicodedata import normalize

from tooldec.errors import SignatureError
from tooldec.signatures.bodies import BLANK, DOCSTRING, END, SPACES, behind_dash, block, body, comment_at, indent_of
from tooldec.signatures.mistaken import not_a_signature, rest_of_line
from tooldec.signatures.prose import past_sentence
from tooldec.signatures.scanner import closing, line_end, past, stop
from tooldec.signatures.shapes import callable_name
from tooldec.signatures.source import MAX_ERRORS, MAX_TOOLS, Source, quoted
from tooldec.signatures.statements import is_module, passed_over
from tooldec.signatures.syntax import expression
from tooldec.signatures.values import Unreadable, literal

MAX_HEADER = 100_000
"""The most characters between a tool's name and the end of its return annotation."""

_BETWEEN = re.compile(r"(?:[\s,;]++|#[^\n]*+)*")
_LISTED = re.compile(
    r"(?:(?:[-*+•]|\d{1,4}[.)])[ \t]++)?(?:\*\*)?(?:`(?!`))?(?=(?:async[ \t]|def[ \t]|[^\W\d][\w.-]*+[ \t]*+\())"
)
_LETTER = r"[\w\u0300-\u036f]"  # accents may stand behind their letters, as in names that macOS writes
_START = re.compile(rf"(?P<def>(?:async[ \t]++)?def\b[ \t]*+)?(?P<name>[^\W\d]{_LETTER}*+(?:[.-]\w++)*)[ \t]*+\(")
# a name of several words, as in `number of participants(event name)`
_WORDS = re.compile(r"(?P<def>)(?P<name>[^\W\d][\w'-]*+(?:[ \t]++[\w'-]++){1,7})[ \t]*+\(")
CLASS = re.compile(r"class[ \t]+(?P<name>[^\W\d]\w*)[ \t]*(?=[(:\[])")
DATA = re.compile(r"\b(?:BaseModel|RootModel|SQLModel|TypedDict|NamedTuple|\w*Enum|\w*Flag)\b")
_METHOD = re.compile(r"^[ \t]+(?P<def>(?:async[ \t]+)?def[ \t]+(?P<name>\w+))", re.MULTILINE)
_TOOL = re.compile(r"\w*Tool\b[^\n]*\)")
_BASE = re.compile(r"\w+")
_NAMED = re.compile(r"^[ \t]+name[ \t]*(?::[^=\n]*)?=", re.MULTILINE)
_LISTS = re.compile(r"^[ \t]+\w*functions[ \t]*(?::[^=\n]*)?=(?!=)[ \t]*(?=[\[(])", re.MULTILINE)
"""Where a class lists the methods that are tools: LlamaIndex's `spec_functions = ["search"]`."""
_PROPERTY = re.compile(r"@(?:[\w.]+\.)?(?:\w*property|setter|getter|deleter)\b")
_RUNS = ("forward", "_run", "run", "__call__", "_call", "call", "execute", "invoke", "_arun", "arun")
"""Methods whose parameters are those of a class that is a tool; the first one that it has."""
_TYPE = (
    r"(?:typing\.|t\.)?(?:(?:Literal|Optional|Union|Annotated|[Ll]ist|[Dd]ict|[Tt]uple)\[|(?:NewType|TypedDict|[Nn]amed[Tt]uple|TypeVar)\()"
    r"|[\w.]+[ \t]*\||(?:str|int|float|bool)[ \t]*(?:\#|\n|\Z)"
)
_ALIAS = re.compile(
    r"(?P<declared>type[ \t]+)?(?P<name>[^\W\d]\w*)[ \t]*(?P<marked>:[ \t]*(?:typing\.)?TypeAlias[ \t]*)?=(?!=)[ \t]*"
    rf"(?(declared)|(?(marked)|(?={_TYPE})))"
)
_CONSTANT = re.compile(r"(?P<name>_*[A-Z][A-Z\d_]*)[ \t]*(?::[ \t]*[\w.\[\]]+[ \t]*)?=(?!=)")
_ASSIGNED = re.compile(r"(?P<name>[^\W\d]\w*)[ \t]*(?::[^=\n]*)?[-+*/%@&|^<>]{0,2}=(?!=)")
_NEXT = re.compile(r"\n(?=[ \t]*+(?:(?:async[ \t]+)?def\b|class\b|@|[^\W\d][\w.-]*+[ \t]*+\())")
_LINE = re.compile(r"[^\n]*+")
_ARROW = re.compile(r"[ \t]*+->")
_RETURNED = re.compile(r"[\w.\[\], \t|\"']*?(?=[ \t]+[-–—]{1,2}[ \t]|`)")
_MARKS = re.compile(r"(?:`(?!`))?(?:\*\*)?")
"""How Markdown marks a name, in front of it and behind the signature."""
_LEFT_OUT = re.compile(  # decorators and imports
    r"@|from[ \t]+[\w.]+[ \t]+import\b"
    r"|import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[^\n(:]*)?[ \t]*(?:\#[^\n]*)?(?:\n|\Z)"
)


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


def headers(source: Source) -> Iterator[Piece]:
    """The signatures and types of a text, one after the other, and an error for what is neither.

    In a module there are statements, too: they are passed over.

    >>> [header.name for header in headers(Source.of("add(a, b), sub(a, b)\\ndef area(side: int)"))]
    ['add', 'sub', 'area']
    """
    sentences: list[SignatureError] = []
    found = False
    for piece in _pieces(source, sentences):
        yield piece
        found = found or not isinstance(piece, SignatureError)
    if not found:
        yield from sentences[:1]


def cut(source: Source) -> list[Piece]:
    """The pieces of a text up to the limits, as whoever asks for its tools and then for what is left out wants them."""
    return [copy(piece) if isinstance(piece, SignatureError) else piece for piece in _cut(source.text)]


@lru_cache(maxsize=1)
def _cut(text: str) -> tuple[Piece, ...]:
    return tuple(islice(headers(Source.of(text)), MAX_TOOLS + MAX_ERRORS))


def _pieces(source: Source, sentences: list[SignatureError]) -> Iterator[Piece]:
    """What a text is cut into; to `sentences` the errors are added that these would be, if nothing else were there."""
    text, position, decorators, kinds = source.text, 0, list[tuple[int, int]](), set[str]()
    module = is_module(text)
    while True:
        before = position
        position = past(_LISTED, text, past(_BETWEEN, text, position))
        if position == len(text):
            return
        begins = "," not in text[before:position] or "\n" in text[before:position]
        try:
            if found := _ALIAS.match(text, position) or _CONSTANT.match(text, position):
                start, position = position, stop(source, position, "\n;")
                yield Definition(found["name"], start, position)
            elif module and begins and (end := passed_over(source, position)) > position:
                if found := _ASSIGNED.match(text, position, end):
                    yield Definition(found["name"], position, end)
                position = end
            elif _LEFT_OUT.match(text, position):
                start, position = position, line_end(source, position)
                if text[start] == "@":
                    decorators.append((start, position))
            elif found := DOCSTRING.match(text, position):  # what a module says of itself
                position = found.end()
            elif found := CLASS.match(text, position):
                data = any("dataclass" in text[start:end] for start, end in decorators)
                pieces, position = _class(source, found, data, kinds)
                yield from pieces
                decorators.clear()
            else:
                header, position = _header(source, position)
                if not _is_property(text, decorators):
                    yield replace(header, decorators=tuple(decorators))
                decorators.clear()
        except SignatureError as error:
            if (end := past_sentence(text, position)) > position:
                sentences.append(error)
                position = end
                continue
            yield error
            position = _resume(text, position)


def _resume(text: str, start: int) -> int:
    """Where reading goes on after an error: the next line that begins like a signature and isn't indented more."""
    indent = indent_of(text, text.rfind("\n", 0, start) + 1)
    for found in _NEXT.finditer(text, start):
        if indent_of(text, found.end()) <= indent:
            return found.end()
    return len(text)


def _class(source: Source, found: re.Match[str], data: bool, kinds: set[str]) -> tuple[list[Piece], int]:
    """A class that is a type, or the methods of one that isn't; and the offset where it ends.

    One that is a tool by its base, `BaseTool`, or that has no public methods but can be called is one tool. `kinds` are
    the classes of data so far: those that are built on them are data, too.
    """
    text, start, words = source.text, found.start(), ""
    colon = stop(source, found.end(), ":\n")
    if not text.startswith(":", colon):
        raise source.error(f"the class `{found['name']}` has no body", start, "write a colon and its fields")
    after = past(SPACES, text, colon + 1)
    if END.match(text, after):
        words, end = block(source, indent_of(text, text.rfind("\n", 0, start) + 1), after)
    else:
        end = line_end(source, after)
    methods = list(_METHOD.finditer(text, colon, end))
    if (listed := _LISTS.search(text, colon, end)) and (names := _names(source, listed.end())):
        methods = [method for method in methods if method["name"] in names]
    run = next((method for name in _RUNS for method in methods if method["name"] == name), None)
    if run and _TOOL.search(text, start, colon):
        header, _ = _header(source, run.start("def"))
        if _NAMED.search(text, colon, end):
            return [replace(header, owner=(start, end))], end
        return [Definition(found["name"], start, end), _as_class(header, found, words, end)], end
    if data or DATA.search(text, start, colon) or not kinds.isdisjoint(_BASE.findall(text, found.end(), colon)):
        kinds.add(found["name"])
        return [Definition(found["name"], start, end)], end
    pieces: list[Piece] = []
    position = colon
    for method in methods:
        if method.start("def") >= position and not method["name"].startswith("_"):  # not inside of the one before
            decorators = _decorators(source, position, method.start("def"))
            header, position = _header(source, method.start("def"))
            if not _is_property(text, decorators):
                pieces.append(replace(header, decorators=decorators))
    if run and not pieces:
        header, _ = _header(source, run.start("def"))
        pieces = [_as_class(header, found, words, end)]
    return pieces or [Definition(found["name"], start, end)], end


def _names(source: Source, position: int) -> list[str]:
    """The names in a list of texts, the first of each pair in it; none where it holds anything else."""
    try:
        given = literal(expression(source.text[position : closing(source, position)]))
    except (SignatureError, Unreadable, SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    firsts = [one[0] if isinstance(one, list) and one else one for one in given] if isinstance(given, list) else []
    return firsts if all(isinstance(one, str) for one in firsts) else []


def _as_class(run: Header, found: re.Match[str], words: str, end: int) -> Header:
    """The method that a class runs, as the class is called."""
    name, owner = found["name"], (found.start(), end)
    return replace(run, name=name, start=found.start("name"), description=words or run.description, owner=owner)


def _is_property(text: str, decorators: Iterable[tuple[int, int]]) -> bool:
    return any(_PROPERTY.match(text, start) for start, _ in decorators)


def _decorators(source: Source, start: int, end: int) -> tuple[tuple[int, int], ...]:
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


def _header(source: Source, position: int) -> tuple[Header, int]:
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
