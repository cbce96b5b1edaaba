"""What every format shares: places in the pasted text, its limits, and what makes a list of tools usable."""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tooldec.errors import SignatureError, UsageError
from tooldec.tools import Tool

MAX_CHARACTERS = 16_000_000
"""The longest text that is read: sixteen thousand documented tools take about six million characters."""

MAX_TOOLS = 20_000
"""The most tools that one text may hold."""

MAX_ERRORS = 200
"""The most errors that one text is told."""

MAX_DEPTH = 64
"""How deep brackets, or the values of a JSON text, may nest."""

MAX_DIGITS = 4_000
"""The most digits of an integer: readers of Python and JSON stop at 4,300."""

_EXAMPLE = "write one signature per line, such as `square(side: int)`, or paste a JSON list of tools"
# JSON text cannot hold a raw control character, and Python text has no use for one; DEL and U+0080-U+009F
# are legal in JSON strings and occur in real descriptions.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Source:
    r"""A pasted text, and the offset at which each of its lines starts.

    >>> Source.of("add(a, b)\r\nsquare(side)").place(10)
    (2, 1)
    """

    text: str
    lines: Sequence[int]

    @classmethod
    def of(cls, text: str) -> Source:
        """The text with `\\n` as its only line end; raises where it is too long or holds control characters."""
        if len(text) > MAX_CHARACTERS:
            raise SignatureError(
                f"the text has {len(text):,} characters, and at most {MAX_CHARACTERS:,} are read",
                fix="paste only the tools that the model may call",
            )
        text = normalised(text)
        lines = array("L", [0])
        lines.extend(match.end() for match in re.finditer("\n", text))
        source = cls(text, lines)
        if control := _CONTROL.search(text):
            kind = "half a character (a lone surrogate)" if control[0] >= "\ud800" else "a control character"
            raise source.error(
                f"{kind}, U+{ord(control[0]):04X}, stands here",
                control.start(),
                "remove it; only text, tabs and line ends are read",
            )
        return source

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset, both from 1; columns count characters."""
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def offset(self, error: SignatureError) -> int:
        """The offset of an error's place."""
        return self.lines[(error.line or 1) - 1] + (error.column or 1) - 1

    def error(self, message: str, offset: int, fix: str, **more: Any) -> SignatureError:
        """An error that points at `offset`; to be raised by the caller."""
        line, column = self.place(offset)
        return SignatureError(message, line=line, column=column, fix=fix, **more)

    def nested_too_deep(self, offset: int) -> SignatureError:
        """The error for brackets or values below `MAX_DEPTH`."""
        return self.error(f"nested more than {MAX_DEPTH} deep", offset, f"flatten it to at most {MAX_DEPTH} levels")


Pasted = str | Sequence[Any] | Mapping[str, Any]
"""What tools are read from: a text, or what its JSON would be read as."""


def normalised(text: Pasted) -> str:
    r"""The text as every format is recognised and read: no byte order mark, `\n` as the only line end.

    Lists and dicts are written as JSON. Raises UsageError for what can't be.

    >>> normalised("\ufeffadd(a)\r\n"), normalised([{"name": "add"}])
    ('add(a)\n', '[{"name": "add"}]')
    """
    if not isinstance(text, str):
        kind, fix = type(text).__name__, "give their text, or a list as JSON has it, such as `[{'name': 'now'}]`"
        if not isinstance(text, list | tuple | dict):
            raise UsageError(f"tools can't be read from a value of the type `{kind}`", fix=fix)
        try:
            text = json.dumps(text, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise UsageError(f"this {kind} of tools can't be written as JSON: {error}", fix=fix) from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


Item = Tool | SignatureError
"""What a format reads, one after the other: a tool, or why there is none at this place."""


def collect(items: Iterable[Item], first_only: bool = False) -> tuple[tuple[Tool, ...], tuple[SignatureError, ...]]:
    """All tools with names of their own, and all errors in the order of the text.

    first_only  stop at the first error that isn't a name standing twice

    >>> tools, errors = collect([Tool("find", line=1, column=1), Tool("find", line=2, column=1)])
    >>> print(len(tools), errors[0])
    1 line 2, column 1: two tools are called `find` (the first is on line 1); rename this one, for example to `find_2`
    """
    found: dict[str, Tool] = {}
    doubled: list[Tool] = []
    errors: list[SignatureError] = []
    for item in items:
        if isinstance(item, SignatureError):
            errors += item, *item.more
            if first_only or len(errors) >= MAX_ERRORS:
                break
        elif len(found) + len(doubled) == MAX_TOOLS:
            message, fix = f"there are more than {MAX_TOOLS:,} tools", "paste only the tools that the model may call"
            errors.append(SignatureError(message, line=item.line, column=item.column, fix=fix))
            break
        elif item.name in found:
            doubled.append(item)
        else:
            found[item.name] = item
    if not found and not errors:
        errors.append(SignatureError("no tools in this text", line=1, column=1, fix=_EXAMPLE, kind="nothing"))
    taken = set(found)  # the names that are proposed are free in the whole text
    for error in errors:
        if error.kind == "syntax" and error.replacement in taken:
            name = free_name(error.replacement, taken)
            error.fix = (error.fix or "").replace(quoted(error.replacement), quoted(name))
            error.replacement = name
        if error.kind == "syntax" and error.replacement:
            taken.add(error.replacement)
    for tool in doubled[:MAX_ERRORS]:
        name = free_name(tool.name, taken)
        taken.add(name)
        errors.append(_doubled(tool, found[tool.name].line, name))
    errors.sort(key=lambda error: (error.line or 0, error.column or 0))
    return tuple(found.values()), tuple(errors)


def as_one(errors: Sequence[Exception]) -> Exception:
    """The first of several errors of one tool, which knows of the others."""
    first, *more = errors
    if isinstance(first, SignatureError):
        first.more = tuple(error for error in more if isinstance(error, SignatureError))[: MAX_ERRORS - 1]
    return first


def _doubled(tool: Tool, first: int | None, name: str) -> SignatureError:
    return SignatureError(
        f"two tools are called {quoted(tool.name)} (the first is on line {first})",
        line=tool.line,
        column=tool.column,
        fix=f"rename this one, for example to `{name}`",
        kind="duplicate",
        word=tool.name,
        replacement=name,
    )


def free_name(name: str, taken: Iterable[str]) -> str:
    """A name that isn't taken, as section 3.2 of the paper asks: `location` → `location_2`."""
    names = set(taken)
    number = 2
    while f"{name}_{number}" in names:
        number += 1
    return f"{name}_{number}"


def quoted(text: str, limit: int = 40) -> str:
    r"""A piece of the user's text inside a message: one line, cut, control characters escaped.

    >>> quoted("a\nb")
    '`a\\nb`'
    """
    cut = text if len(text) <= limit else text[:limit] + "…"
    return f"`{json.dumps(cut, ensure_ascii=False)[1:-1]}`".replace('\\"', '"')
