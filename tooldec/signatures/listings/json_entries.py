"""What of a JSON text should be a tool: entries of lists, of objects around them and of rows, one after the other.

[{"name": "a"}, {"name": "b"]          Entry("$[0]", {"name": "a"}), an error at the second one's `]`,
 {"name": "c"}]                   →    Entry("$[2]", {"name": "c"})

After a fault the text is read on where the next entry begins, if that is sure enough.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.listings.json_text import Parts, closed, decode, json_error, parts, skip, value_at
from tooldec.signatures.listings.keys import ELSEWHERE, INSIDE, LISTED, LISTS, SCHEMAS, WRAPPERS
from tooldec.signatures.source import Source

MAX_WRAPPERS = 3
"""How many objects may stand around a list of tools: `{"result": {"tools": […]}}` has two."""

_NAME_KEY = re.compile(r'"name"[ \t\n]*+:[ \t\n]*+')
_LIST_KEY = re.compile(rf'(?<!\\)"({"|".join(LISTS)})"[ \t\n]*+:[ \t\n]*+\[')
_ROWS = re.compile(r'(?=[^\n]*?\{")(?=[^\n]*\}[ \t]*\r?\n)[^\n]*+\n(?:\{"[^\n]*\}[ \t]*(?:\r?\n|\Z)){2}')
_NEXT_ROW = re.compile(r"\n\{")
_NEXT_ENTRY = re.compile(r"\n([ \t]*)\{")
_TEXT = re.compile(r'"(?:\\[nrt]|[ \t\n])*(?:\{|\[(?:\\[nrt]|[ \t\n])*\{)(?:\\[nrt]|[ \t\n])*\\"')
_UNQUOTED = "paste the value itself, without the quotes around it and the backslashes inside"


@dataclass(frozen=True, slots=True)
class Entry:
    """A value that should be a tool: where it starts and ends, its path in the document, the value.

    known   what of it has been found in the text
    key     where the key stands that is its name; -1 where it says that itself
    """

    source: Source
    offset: int
    end: int
    path: str
    value: Any
    known: dict[int, Parts] = field(default_factory=dict, compare=False, repr=False)
    key: int = -1

    def error(self, path: str, message: str, fix: str) -> SignatureError:
        """An error at the value of this path; where the tool isn't so deep, at its name or its beginning."""
        at = value_at(self.source, self.offset, path.removeprefix(self.path), self.known)
        function = function_in(self.value)
        name = function.get("name") if isinstance(function, dict) else None
        if at in (self.offset, value_at(self.source, self.offset, f".{wrapped_by(self.value)}", self.known)):
            at = self.place_of(name)
        return self.source.error(f"{path}: {message}", at, fix, tool=name if isinstance(name, str) else "")

    def place_of(self, name: object) -> int:
        """The offset of `"name": "…"` with this name, or of the entry."""
        if not isinstance(name, str):
            return self.offset
        if self.key >= 0:
            return self.key
        text, spellings = self.source.text, (json.dumps(name), json.dumps(name, ensure_ascii=False))
        for key in _NAME_KEY.finditer(text, self.offset, self.end):
            if text.startswith(spellings, key.end()):
                return key.end()
        return self.offset


def begins(text: str) -> bool:
    """Whether the text begins like a JSON object or list, or goes on with rows of JSON behind a line that doesn't."""
    start = text.lstrip("\ufeff \t\r\n")[:10_000]
    return start[:1] in ("{", "[") or _TEXT.match(start) is not None or _ROWS.match(text[:100_000]) is not None


def entries(source: Source) -> Iterator[Entry | SignatureError]:
    """Every tool of the text: of one list, one object, or one object after the other; and an error for each fault.

    >>> source = Source.of('{"tools": [{"name": "a"}, {"name": "b"}]}')
    >>> [entry.path for entry in entries(source) if isinstance(entry, Entry)]
    ['$.tools[0]', '$.tools[1]']
    """
    position = skip(source, 0)
    rows = source.text.startswith("{", position) or _ROWS.match(source.text[:100_000])
    while position < len(source.text):
        try:
            position = yield from _value(source, position)
        except SignatureError as error:
            at = source.offset(error)
            if at > position and source.text.startswith("{", at) and source.text.find("\n", position, at) == at - 1:
                yield _not_closed(source, at)
                position = at
            else:
                yield error
                following = _NEXT_ROW.search(source.text, max(position, at)) if rows else None
                position = following.end() - 1 if following else len(source.text)
        position = skip(source, position)
        if source.text.startswith(",", position):  # what stands in a list, without its brackets
            behind = skip(source, position + 1)
            position = behind if source.text[behind : behind + 1] in ("{", "") else position


def _value(source: Source, position: int) -> Generator[Entry | SignatureError, None, int]:
    """The tools of the value at `position`; returns the offset after it, and raises SignatureError where it is none."""
    if source.text[position] == "[":
        return (yield from _list(source, position, "$"))
    if _TEXT.match(source.text, position):
        raise source.error("this is JSON inside of a text", position, _UNQUOTED)
    if source.text[position] != "{":
        fix = "paste one JSON list, or one JSON object per line, and no other format with it"
        raise source.error("this isn't a JSON list or object", position, fix)
    try:
        value, end = decode(source, position)
    except SignatureError as error:
        found, at = _LIST_KEY.search(source.text, position), source.offset(error)
        if found is None:
            raise
        if at < found.end():
            yield error
        end = yield from _list(source, found.end() - 1, f"$.{found[1]}")
        if at >= end:
            raise
        following = _NEXT_ROW.search(source.text, end)
        return following.end() - 1 if following else len(source.text)
    yield from _opened(Entry(source, position, end, "$", value))
    return end


def _list(source: Source, position: int, path: str) -> Generator[Entry | SignatureError, None, int]:
    """The tools of the JSON list at `position`, one by one; returns the offset after the list."""
    position, index = skip(source, position + 1), 0
    if source.text.startswith("]", position):
        return position + 1
    while True:
        try:
            value, end = decode(source, position)
        except SignatureError as error:
            again = _following(source, position, source.offset(error))
            if again is None:
                raise
            yield _not_closed(source, again) if source.offset(error) == again else error
            end, sure = again, True
        else:
            yield from _opened(Entry(source, position, end, f"{path}[{index}]", value))
            sure = False
        position, index = skip(source, end), index + 1
        if source.text.startswith("]", position):
            return position + 1
        if source.text.startswith(",", position):
            position = skip(source, position + 1)
            continue
        missing = json_error(source, "Expecting ',' delimiter", position)
        if not source.text.startswith("{", position):
            raise missing
        if not sure:
            yield missing


def _following(source: Source, start: int, fault: int) -> int | None:
    """Where a list goes on after the entry at `start`, which has a fault: behind it, or at the line of the next one."""
    if not source.text.startswith("{", start):
        return None
    end = closed(source.text, start)
    if end is not None and end > fault and source.text[skip(source, end) :][:1] in (",", "]"):
        return end
    column = source.place(start)[1]
    for line in _NEXT_ENTRY.finditer(
        source.text, source.text.rfind("\n", start, fault + 1) if fault > start else start
    ):
        if line.end() > fault and len(line[1]) < column:
            return line.end() - 1
    return None


def _not_closed(source: Source, following: int) -> SignatureError:
    """The error for an entry that goes on until the next one begins: at its own end."""
    at = len(source.text[:following].rstrip(" \t\n,"))
    return source.error("this isn't JSON: an object is never closed", at, "close what is open on this line")


def _opened(entry: Entry) -> Iterator[Entry | SignatureError]:
    """The entry itself, or the tools inside it: `{"tools": […]}`, `{"result": {"tools": […]}}`, a BFCL row."""
    value, nested = entry.value, entry.path.count(".")
    if isinstance(value, dict) and not _is_tool(value) and nested < MAX_WRAPPERS:
        lists = [key for key in value if key in LISTS and isinstance(value[key], list)]
        wrapper = next((key for key in WRAPPERS if isinstance(value.get(key), dict)), None)
        if not lists and wrapper is not None:
            at = _field(entry, wrapper)
            yield from _opened(Entry(entry.source, at, entry.end, f"{entry.path}.{wrapper}", value[wrapper]))
            return
        if not lists and value and all(map(_is_listing, value.values())):  # lists under names of their own
            lists = list(value)
        if not lists and value and all(map(_is_unnamed, value.values())):
            for name, (key, at) in parts(entry.source, entry.offset).items():
                named = {"name": name, **value[str(name)]}
                yield Entry(entry.source, at, entry.end, f"{entry.path}.{name}", named, key=key)
            return
        for key in lists:
            yield from _list(entry.source, _field(entry, key), f"{entry.path}.{key}")
        if lists:
            return
    yield entry


def _is_tool(value: dict[str, Any]) -> bool:
    """Whether an object is a tool itself: servers and assistants have names, too, but tools instead of arguments."""
    if wrapped_by(value):
        return True
    if "name" not in value:
        return False
    if any(key in value for key in (*SCHEMAS, *LISTED, *ELSEWHERE)):
        return True
    return not any(value.get(key) == [] or _is_listing(value.get(key)) for key in LISTS)


def _is_listing(value: Any) -> bool:
    """Whether a value is a list with a tool in it."""
    return isinstance(value, list) and any(isinstance(one, dict) and {"name", *INSIDE} & one.keys() for one in value)


def _is_unnamed(value: Any) -> bool:
    """Whether a value says what a tool is that only its key names: `{"now": {"parameters": {}}}`."""
    return isinstance(value, dict) and any(isinstance(value.get(key), dict) for key in SCHEMAS) and "name" not in value


def _field(entry: Entry, key: str) -> int:
    """The offset of a field's value; the entry is known to be a JSON object that has it."""
    position, found = skip(entry.source, entry.offset + 1), ""
    while True:
        found, position = decode(entry.source, position)
        position = skip(entry.source, skip(entry.source, position) + 1)  # the colon
        if found == key:
            return position
        _, position = decode(entry.source, position)
        position = skip(entry.source, skip(entry.source, position) + 1)  # the comma


def wrapped_by(value: Any) -> str:
    """The key under which an entry keeps its function, as `{"type": "function", "function": {…}}` does, or none."""
    return next((key for key in INSIDE if isinstance(value, dict) and isinstance(value.get(key), dict)), "")


def function_in(value: Any) -> Any:
    """The object that holds name and schema."""
    return value[key] if (key := wrapped_by(value)) else value
