"""Bare names, one on each line → tools without arguments: what lists of many thousand tools often are.

get_weather        Tool("get_weather"), Tool("add.numbers")
add.numbers    →
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tooldec.signatures.source import Item, Source, quoted
from tooldec.tools import Tool

_NAME = re.compile(r"[\w.-]+")


def recognises(text: str) -> bool:
    """Whether the text is two lines or more, each with nothing but a name; one of them has `_` or `.` inside.

    >>> recognises("get_weather\\nadd"), recognises("just words\\nhere"), recognises("square")
    (True, False, False)
    """
    lines = [line.strip() for line in text.removeprefix("\ufeff").split("\n") if line.strip()]
    marked = any("_" in line or "." in line for line in lines[:100])
    return len(lines) > 1 and marked and all(map(_NAME.fullmatch, lines))


def items(source: Source) -> Iterator[Item]:
    """A tool for each line that isn't empty, and an error for each one that is no name."""
    for number, line in enumerate(source.text.split("\n"), 1):
        name = line.strip()
        if not name:
            continue
        offset = source.lines[number - 1] + line.index(name)
        if _NAME.fullmatch(name):
            yield Tool(name, line=number, column=line.index(name) + 1)
        else:
            fix = "write one name on each line, or a signature such as `square(side: int)`"
            yield source.error(f"{quoted(name)} isn't a name", offset, fix)
