"""Text -> tools. FORMATS has a row for each format that is read; `parse_tools` finds the right one.

"def square(side: int)"                                     (Tool("square", "", {"type": "object", "properties":
[{"name": "square", "parameters": {"properties": …}}]   →      {"side": {"type": "integer"}}, "required": ["side"]}),)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tooldec.errors import UsageError
from tooldec.signatures import json_tools, python
from tooldec.tools import Tool

__all__ = ["FORMATS", "Format", "parse_tools", "to_openai"]


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write tools down.

    recognises      whether a text looks like this format: cheap, from its first characters or lines
    read            the tools of a text; raises SignatureError with line, column and what would work
    """

    recognises: Callable[[str], bool]
    read: Callable[[str], tuple[Tool, ...]]


FORMATS: Mapping[str, Format] = {
    "json": Format(json_tools.recognises, json_tools.read),
    "python": Format(python.recognises, python.read),
}
"""format name -> how to know and read it; `auto` takes the first row that recognises the text."""

FALLBACK = "python"
"""The format whose errors a text gets that no row recognises."""


def parse_tools(text: str, format: str = "auto") -> tuple[Tool, ...]:
    """The tools of a pasted text, in its order; raises SignatureError with line, column and what would work.

    `parameters` of every tool is an object schema with `properties`; `line` and `column` tell where its name stands.

    >>> [tool.signature() for tool in parse_tools("add(a: int, b: int = 0)  # the sum")]
    ['add(a: int, b: int = 0)']
    """
    if format == "auto":
        format = next((name for name, row in FORMATS.items() if row.recognises(text)), FALLBACK)
    if format not in FORMATS:
        raise UsageError(f"unknown format `{format}`", fix=f"use auto, {' or '.join(FORMATS)}")
    return FORMATS[format].read(text)


def to_openai(tools: Iterable[Tool]) -> str:
    """The tools as an OpenAI `tools` list in JSON; `parse_tools` gives equal tools back."""
    return json_tools.write(tools)
