"""Text -> tools. FORMATS has a row for each format that is read; `parse_tools` finds the right one.

"def square(side: int)"                                     (Tool("square", "", {"type": "object", "properties":
[{"name": "square", "parameters": {"properties": …}}]   →      {"side": {"type": "integer"}}, "required": ["side"]}),)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tooldec.errors import SignatureError, UsageError
from tooldec.signatures import assigned, names
from tooldec.signatures.listings import discovery, json_tools, openapi, yaml_tools
from tooldec.signatures.python import signatures
from tooldec.signatures.source import Item, Pasted, Source, collect, normalised
from tooldec.signatures.typescript import declarations
from tooldec.signatures.wrappings import fenced, json_alone, unfenced
from tooldec.signatures.zod import programs
from tooldec.tools import Tool

__all__ = ["FORMATS", "Format", "format_of", "left_out", "parse_tools", "read_tools", "to_openai"]


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write tools down.

    recognises      whether a text looks like this format: cheap, from its first characters or lines
    items           the tools of a text, and for what can't be read an error with line, column and what would work
    title           what people call it
    """

    recognises: Callable[[str], bool]
    items: Callable[[Source], Iterator[Item]]
    title: str


FORMATS: Mapping[str, Format] = {
    "openapi": Format(openapi.recognises, openapi.items, "OpenAPI"),
    "discovery": Format(discovery.recognises, discovery.items, "Google API discovery"),
    "zod": Format(programs.recognises, programs.items, "TypeScript program"),
    "assigned": Format(assigned.recognises, assigned.items, "A list in a program"),
    "json": Format(json_tools.recognises, json_tools.items, "JSON tools"),
    "yaml": Format(yaml_tools.recognises, yaml_tools.items, "YAML tools"),
    "typescript": Format(declarations.recognises, declarations.items, "TypeScript"),
    "names": Format(names.recognises, names.items, "Names, one on a line"),
    "python": Format(signatures.recognises, signatures.items, "Python signatures"),
}
"""format name -> how to know and read it; `auto` takes the first row that recognises the text."""

FALLBACK = "python"
"""The format whose errors a text gets that no row recognises."""


_MARK = re.compile(r"\s*+\[/?[A-Za-z]")
"""How prompts begin that aren't JSON: `[INST]`, `[AVAILABLE_TOOLS]`."""


def format_of(text: str) -> str:
    """The row of FORMATS that `auto` takes.

    >>> format_of("def add(a: int)"), format_of('[{"name": "add"}]')
    ('python', 'json')
    """
    text = _alone(normalised(text))
    return _recognised(text) or FALLBACK


@lru_cache(maxsize=2)
def _recognised(text: str) -> str | None:
    return next((name for name, row in FORMATS.items() if row.recognises(text)), None)


def _are_tools(words: str) -> bool:
    return _recognised(words) not in (None, "python")  # which takes prose for a call


def _alone(text: str) -> str:
    """The tools of a paste, each where it was, without the words around them."""
    plain = unfenced(text, _are_tools)
    marked = _MARK.match(plain) is not None
    return json_alone(plain) if marked or _recognised(plain) in (None, "python", "names") else plain


def parse_tools(text: Pasted, format: str = "auto") -> tuple[Tool, ...]:
    """The tools of a pasted text, in its order; raises SignatureError with line, column and what would work.

    Lists and dicts are read as the JSON that they are written as.

    `parameters` of every tool is an object schema with `properties`; `line` and `column` tell where its name stands.

    >>> [tool.signature() for tool in parse_tools("add(a: int, b: int = 0)  # the sum")]
    ['add(a: int, b: int = 0)']
    """
    tools, errors = collect(_items(text, format), first_only=True)
    if errors:
        raise errors[0]
    return tools


def read_tools(text: str, format: str = "auto") -> tuple[tuple[Tool, ...], tuple[SignatureError, ...]]:
    """The tools that can be read, and every error in the order of the text: one bad line doesn't hide the others.

    >>> tools, errors = read_tools("def add(a: int)\\ndef mul(a: flaot)\\ndef neg(a: float)")
    >>> [tool.name for tool in tools], [error.place for error in errors]
    (['add', 'neg'], ['line 2, column 12'])
    """
    try:
        return collect(_items(text, format))
    except SignatureError as error:
        return (), (error,)


def left_out(text: str) -> tuple[tuple[str, int, int], ...]:
    """The functions of a Python program that aren't tools as others are marked, and their lines and columns.

    >>> left_out("@tool\\ndef find(q: str): ...\\ndef helper(): ...")
    (('helper', 3, 5),)
    """
    plain = _alone(normalised(text))
    if _recognised(plain) not in (None, "python", "assigned"):
        return ()
    source = Source.of(plain)
    return tuple((header.name, *source.place(header.start)) for header in signatures.left_out(source))


def _items(text: Pasted, format: str) -> Iterator[Item]:
    whole = normalised(text)
    plain = _alone(whole) if format in ("auto", "json") else unfenced(whole, _are_tools)
    if format == "auto":
        format = _recognised(plain) or FALLBACK
        if plain != whole:
            _one_format(whole)
    if format not in FORMATS:
        *most, last = FORMATS
        raise UsageError(f"unknown format `{format}`", fix=f"use auto, {', '.join(most)} or {last}")
    return FORMATS[format].items(Source.of(plain))


def _one_format(text: str) -> None:
    """Refuse fences that hold several formats; raises SignatureError at the first one of another format."""
    formats = [(format_of(text[first:last]), first) for first, last in fenced(text) if text[first:last].strip()]
    for format, start in formats:
        if format != formats[0][0]:
            message = f"this fence holds another format than the first: {FORMATS[format].title}"
            line = text.count("\n", 0, start)
            raise SignatureError(message, line=line, column=1, fix="paste what is inside of one fence")


def to_openai(tools: Iterable[Tool]) -> str:
    """The tools as an OpenAI `tools` list in JSON; `parse_tools` gives equal tools back."""
    return json_tools.write(tools)
