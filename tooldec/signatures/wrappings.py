"""What stands around tools in a paste, made blank: Markdown with fences, prompts, a request on a command line.

Here are my tools:
~~~json                           the same text, with nothing but
[{"name": "now"}]           →     the list in its third line
~~~

Every line stays where it was, so that places are those of the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tooldec.signatures.listings.json_entries import function_in
from tooldec.signatures.listings.json_text import FARTHEST, closed
from tooldec.signatures.listings.keys import LISTS, SCHEMAS, WRAPPERS

Span = tuple[int, int]
"""Offsets of the first character and behind the last one."""

TRIES = 50
"""How many values that aren't JSON may stand in a paste before no more are looked for."""

_FENCE = re.compile(
    r"^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(?:(?P<ticks>`{3,})(?P<language>[^\n`]*)|(?P<tildes>~{3,})[^\n]*)$",
    re.MULTILINE,
)
_SHELL = re.compile(
    r"[ \t]*(?:ba|z)?sh(?:ell)?\b.*|[ \t]*(?:console|powershell|text|txt|output|toml|ini|mermaid|diff)\b.*"
)
_PROMPT = re.compile(r"[ \t]*(?:>>>(?:[ \t]|$)|In \[\d+\]: ?)")
_CONTINUED = re.compile(r"[ \t]*\.\.\.(?:: ?|:$|[ \t]|$)")
_PROGRAM = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]|class[ \t]+\w+[ \t]*[(:]|[\w.]+\("
    r"|import[ \t]+\w|from[ \t]+[\w.]+[ \t]+import\b)",
    re.MULTILINE,
)
_OPENED = re.compile(r'[\[{](?=\s*+["\[{])')
_BEGINS = re.compile(rf'[\[{{]\s*+(?:\{{\s*+)?"(?:type|name|function|{"|".join(LISTS)})"')
_DEFINES = re.compile(rf'"(?:{"|".join(SCHEMAS)}|description|{"|".join(LISTS)})"\s*+:\s*+["\[{{]')
_QUOTE = re.compile(r"""'\\''|'"'"'""")
"""How a shell has a quote inside of quotes."""
_SHELLS = re.compile(rf"""\"(?:{_QUOTE.pattern}|[^\"\\\n]|\\.)*+\"""")
_DOUBLE = re.compile(r'"(?=\s*[\[{]\s*(?:\{\s*)?\\")(?:[^"\\]|\\.)*+"', re.DOTALL)
"""JSON in double quotes of a shell."""
_DECODER = json.JSONDecoder()


def unfenced(text: str, recognised: Callable[[str], bool]) -> str:
    """What the Markdown fences of a text hold; fences inside of a tool's own text, such as a docstring, stay.

    `recognised` says whether the words around the fences are tools themselves.

    >>> unfenced("Here is it:\\n```python\\ndef now()\\n```", lambda words: False)
    '\\n\\ndef now()\\n'
    """
    blocks, others = _fences(text)
    if not blocks:
        return _unprompted(text)
    words = _FENCE.sub("", _around(text, sorted(blocks + others)))
    return text if _is_python(words) or recognised(words) else _unprompted(_only(text, blocks))


def _unprompted(text: str) -> str:
    """The code of a text that a shell of Python shows, without its prompts and answers.

    >>> _unprompted(">>> def now():\\n...     'The time.'\\n>>> now()\\n12")
    "    def now():\\n        'The time.'\\n    now()\\n"
    """
    if not _PROMPT.match(text.lstrip("\n")):
        return text
    lines = ((line, _PROMPT.match(line) or _CONTINUED.match(line)) for line in text.split("\n"))
    return "\n".join(" " * found.end() + line[found.end() :] if found else "" for line, found in lines)


def fenced(text: str) -> list[Span]:
    """The text inside of each pair of fences; not of those for a shell, where others are there."""
    return _fences(text)[0]


def _fences(text: str) -> tuple[list[Span], list[Span]]:
    """The text inside of each pair of fences that are looked at, and of those for a shell."""
    found: list[Span] = []
    others: list[Span] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        marks = fence["ticks"] or fence["tildes"]
        if opened is None:
            opened = fence
        elif marks.startswith(opened["ticks"] or opened["tildes"]) and fence[0].strip() == marks:
            blocks = others if _SHELL.fullmatch(opened["language"] or "") else found
            blocks.append((min(opened.end() + 1, fence.start()), fence.start()))
            opened = None
    if opened is not None:
        return [], []
    return (found, others) if found else (others, [])


def json_alone(text: str) -> str:
    """The JSON values of a text that hold tools; the text as it is where there are none, or signatures around them.

    In a request on a command line, `'\\''` is a quote, and so is `\\"` in double quotes.

    >>> json_alone('Call one of <tools>{"name": "now", "parameters": {}}</tools>, please.').strip()
    '{"name": "now", "parameters": {}}'
    """
    plain = _SHELLS.sub(_as_json, text) if _QUOTE.search(text) else _DOUBLE.sub(_without_escapes, text)
    spans = list(_values(plain))
    return text if not spans or _is_python(_around(plain, spans)) else _only(plain, spans)


def _as_json(found: re.Match[str]) -> str:
    """A string of JSON as it is without the signs of the shell: as long as with them, so that places stay."""
    written = _QUOTE.sub("'", found[0])
    return written + " " * (len(found[0]) - len(written))


def _without_escapes(found: re.Match[str]) -> str:
    r"""What double quotes of a shell hold: `"{\"a\": 1}"` → `{"a": 1}`, each part where it was."""
    written = found[0][1:-1]
    if "\\\\" in written:  # quotes inside of a string
        return found[0]
    parts = written.split('\\"')
    quotes = (' "' if index % 2 == 0 else '" ' for index in range(len(parts) - 1))
    return f" {''.join(part + quote for part, quote in zip(parts, [*quotes, ''], strict=True))} "


def _values(text: str) -> Iterator[Span]:
    """The JSON values that hold tools, and what was to be one."""
    position = tries = 0
    while tries < TRIES and (opened := _OPENED.search(text, position)):
        start = opened.start()
        try:
            value, position = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            tries, position = tries + 1, opened.end()
            if not _BEGINS.match(text, start):
                continue
            end = closed(text, start) or text.find("\n", start) + 1 or len(text)
            if _DEFINES.search(text, start, min(end, start + FARTHEST)):
                yield start, end
                position = end
        else:
            if _holds_tools(value, 0):
                yield start, position


def _holds_tools(value: Any, depth: int) -> bool:
    """Whether a value is a tool's definition, or leads to one."""
    if isinstance(value, list):
        return depth < 6 and any(_holds_tools(one, depth + 1) for one in value)
    if not isinstance(value, dict):
        return False
    function = function_in(value)
    if isinstance(function.get("name"), str) and "arguments" not in function:
        schema = next((function[key] for key in SCHEMAS if key in function), None)
        if schema is None or isinstance(schema, list):
            return function is not value or isinstance(function.get("description"), str)
        return isinstance(schema, dict) and (not schema or bool({"properties", "type", "json", "$ref"} & schema.keys()))
    return depth < 6 and any(_holds_tools(value[key], depth + 1) for key in (*LISTS, *WRAPPERS) if key in value)


def _is_python(words: str) -> bool:
    """Whether what stands around some values is a program, or signatures."""
    return '"""' in words or "'''" in words or _PROGRAM.search(words) is not None


def _around(text: str, spans: Iterable[Span]) -> str:
    parts, end = list[str](), 0
    for first, last in spans:
        parts.append(text[end:first])
        end = last
    return "".join([*parts, text[end:]])


def _only(text: str, spans: Iterable[Span]) -> str:
    """The spans alone: of what is before and between them only line ends stay, and the columns of a span's line."""
    parts, end = list[str](), 0
    for first, last in spans:
        before = text[end:first]
        line = before.rfind("\n") + 1
        parts += ["\n" * before.count("\n"), " " * (len(before) - line), text[first:last]]
        end = last
    return "".join([*parts, "\n" * text.count("\n", end)])
