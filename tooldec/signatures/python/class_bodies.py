"""A class of a Python text: a type, a tool, or the methods that are tools.

class Add(BaseTool):                        Definition("Add", …), and Header("Add", …) of `run`
    def run(self, a: int): ...        →

>>> from tooldec.signatures.python.header import CLASS
>>> text = "class Math:\\n    def add(self, a: int): ...\\n    def sub(self, a: int): ..."
>>> pieces, end = class_pieces(Source.of(text), CLASS.match(text), False, set())
>>> [piece.name for piece in pieces], end == len(text)
(['add', 'sub'], True)
"""

from __future__ import annotations

import re
from dataclasses import replace

from tooldec.errors import SignatureError
from tooldec.signatures.python.bodies import END, SPACES, block, indent_of
from tooldec.signatures.python.frameworks import BASE, METHOD_LISTS, RUNS
from tooldec.signatures.python.header import (
    METHOD,
    Definition,
    Header,
    Piece,
    decorators_of,
    header_at,
    inner,
    is_property,
)
from tooldec.signatures.python.literals import Unreadable, literal
from tooldec.signatures.python.scanner import closing, line_end, past, stop, unquoted
from tooldec.signatures.python.syntax import UNREAD, expression
from tooldec.signatures.source import Source

_DATA = re.compile(r"\b(?:BaseModel|RootModel|SQLModel|TypedDict|NamedTuple|\w*Enum|\w*Flag)\b")
_BASE = re.compile(r"\w+")
_NAMED = re.compile(r"^[ \t]+name[ \t]*(?::[^=\n]*)?=", re.MULTILINE)


def class_pieces(source: Source, found: re.Match[str], data: bool, kinds: set[str]) -> tuple[list[Piece], int]:
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
    code = unquoted(text)
    methods = list(METHOD.finditer(code, colon, end))
    if (listed := METHOD_LISTS.search(code, colon, end)) and (names := _names(source, listed.end())):
        methods = [method for method in methods if method["name"] in names]
    run = next((method for name in RUNS for method in methods if method["name"] == name), None)
    if run and BASE.search(text, start, colon):
        header, _ = header_at(source, run.start("def"))
        if _NAMED.search(code, colon, end):
            return [replace(header, owner=(start, end))], end
        return [Definition(found["name"], start, end), _as_class(header, found, words, end)], end
    if data or _DATA.search(text, start, colon) or not kinds.isdisjoint(_BASE.findall(text, found.end(), colon)):
        kinds.add(found["name"])
        return [Definition(found["name"], start, end)], end
    pieces: list[Piece] = []
    position = colon
    for method in methods:
        if method.start("def") >= position and not method["name"].startswith("_"):  # not inside of the one before
            decorators = decorators_of(source, position, method.start("def"))
            header, position = header_at(source, method.start("def"))
            if not is_property(text, decorators):
                pieces.append(replace(header, decorators=decorators))
            pieces += inner(source, header.end, position)
    if run and not pieces:
        header, _ = header_at(source, run.start("def"))
        pieces = [_as_class(header, found, words, end)]
    return pieces or [Definition(found["name"], start, end)], end


def _names(source: Source, position: int) -> list[str]:
    """The names in a list of texts, the first of each pair in it; none where it holds anything else."""
    try:
        given = literal(expression(source.text[position : closing(source, position)]))
    except (SignatureError, Unreadable, *UNREAD):
        return []
    firsts = [one[0] if isinstance(one, list) and one else one for one in given] if isinstance(given, list) else []
    return firsts if all(isinstance(one, str) for one in firsts) else []


def _as_class(run: Header, found: re.Match[str], words: str, end: int) -> Header:
    """The method that a class runs, as the class is called."""
    name, owner = found["name"], (found.start(), end)
    return replace(run, name=name, start=found.start("name"), description=words or run.description, owner=owner)
