"""Where each signature of a Python text begins and ends, found without parsing it.

A `def` without colon or body isn't valid Python, so the text cannot go to `ast` as a whole. Brackets, strings
and comments are enough to cut it into signatures; `parameters.py` then completes and parses each one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from tooldec.errors import SignatureError
from tooldec.signatures.prose import past_sentence
from tooldec.signatures.python.bodies import DOCSTRING, indent_of
from tooldec.signatures.python.class_bodies import class_pieces
from tooldec.signatures.python.header import CLASS, Definition, Piece, header_at, inner, is_property
from tooldec.signatures.python.scanner import line_end, past, stop
from tooldec.signatures.python.statements import is_module, passed_over
from tooldec.signatures.source import MAX_ERRORS, MAX_TOOLS, Source

_BETWEEN = re.compile(r"(?:[\s,;]++|#[^\n]*+)*")
_LISTED = re.compile(
    r"(?:(?:[-*+•]|\d{1,4}[.)])[ \t]++)?(?:\*\*)?(?:`(?!`))?(?=(?:async[ \t]|def[ \t]|[^\W\d][\w.-]*+[ \t]*+\())"
)
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
_OVERLOAD = re.compile(r"@(?:\w+\.)?overload\b")
_FOLLOWED = re.compile(r"\s*(?:@(?:\w+\.)?overload\s+)?(?:async[ \t]+)?def\b")
_LEFT_OUT = re.compile(  # decorators and imports
    r"@|from[ \t]+[\w.]+[ \t]+import\b"
    r"|import[ \t]+[\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[^\n(:]*)?[ \t]*(?:\#[^\n]*)?(?:\n|\Z)"
)


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
                pieces, position = class_pieces(source, found, data, kinds)
                yield from pieces
                decorators.clear()
            else:
                header, position = header_at(source, position)
                if not is_property(text, decorators) and not _is_overload(text, decorators, position):
                    yield replace(header, decorators=tuple(decorators))
                decorators.clear()
                yield from inner(source, header.end, position)
        except SignatureError as error:
            if (end := past_sentence(text, position)) > position:
                sentences.append(error)
                position = end
                continue
            yield error
            position = _resume(text, position)


def _is_overload(text: str, decorators: list[tuple[int, int]], end: int) -> bool:
    """Whether a signature is one of several, and the function itself, or the next of them, follows."""
    return any(_OVERLOAD.match(text, start) for start, _ in decorators) and _FOLLOWED.match(text, end) is not None


def _resume(text: str, start: int) -> int:
    """Where reading goes on after an error: the next line that begins like a signature and isn't indented more."""
    indent = indent_of(text, text.rfind("\n", 0, start) + 1)
    for found in _NEXT.finditer(text, start):
        if indent_of(text, found.end()) <= indent:
            return found.end()
    return len(text)
