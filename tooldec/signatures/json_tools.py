"""JSON lists of functions → tools, and back: the forms that model APIs, MCP servers and benchmarks use.

    [{"type": "function", "function": {"name": …, "description": …, "parameters": {…}}}]    OpenAI chat completions
    [{"type": "function", "name": …, "parameters": {…}}], [{"name": …, "parameters": {…}}]    Responses, bare
    {"tools": [{"name": …, "inputSchema": {…}}]}                                             MCP, also in `result`
    [{"name": …, "input_schema": {…}}]                                                       Anthropic
    {"functions": [{"name": …, "parameters": {"type": "dict", …}}]}                          BFCL
    {"toolConfig": {"tools": [{"toolSpec": {"name": …, "inputSchema": {"json": {…}}}}]}}      Bedrock

Each also as one object per line (JSON Lines). Of a schema only the shape is checked here: which keywords can be
enforced is the matter of `arguments/`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.json_text import decode, json_error, skip, value_at
from tooldec.signatures.schema import arguments_schema
from tooldec.signatures.shapes import ELSEWHERE, LISTED, SCHEMAS, function_of, schema_key
from tooldec.signatures.source import Item, Source, quoted
from tooldec.tools import Tool

LISTS = ("tools", "functions", "functionDeclarations", "function_declarations")
"""Keys whose value is a list of tools."""

WRAPPERS = ("result", "toolConfig")
"""Keys of an object in which such a list may stand."""

INSIDE = ("function", "toolSpec")
"""Keys under which an entry may keep its function."""

MAX_WRAPPERS = 3
"""How many objects may stand around a list of tools: `{"result": {"tools": […]}}` has two."""

_NAME_KEY = re.compile(r'"name"[ \t\n]*+:[ \t\n]*+')
_ILLEGAL = re.compile(r"[\s\x00-\x1f\x7f-\x9f\"'`()]")
_ROWS = re.compile(r'[^\n]*\{"[^\n]*\}[ \t]*\r?\n(?:\{"[^\n]*\}[ \t]*(?:\r?\n|\Z)){2}')
_NEXT_ROW = re.compile(r"\n\{")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class _Entry:
    """A value that should be a tool: where it starts and ends, its path in the document, the value."""

    source: Source
    offset: int
    end: int
    path: str
    value: Any

    def error(self, path: str, message: str, fix: str) -> SignatureError:
        """An error at the value of this path; where the tool isn't so deep, at its name or its beginning."""
        at = value_at(self.source, self.offset, path.removeprefix(self.path))
        function = _function(self.value)
        name = function.get("name") if isinstance(function, dict) else None
        if at in (self.offset, value_at(self.source, self.offset, f".{_wrapped_by(self.value)}")):
            at = self.place_of(name)
        return self.source.error(f"{path}: {message}", at, fix, tool=name if isinstance(name, str) else "")

    def place_of(self, name: object) -> int:
        """The offset of `"name": "…"` with this name, or of the entry."""
        if not isinstance(name, str):
            return self.offset
        text, spellings = self.source.text, (json.dumps(name), json.dumps(name, ensure_ascii=False))
        for key in _NAME_KEY.finditer(text, self.offset, self.end):
            if text.startswith(spellings, key.end()):
                return key.end()
        return self.offset


def recognises(text: str) -> bool:
    """Whether the text begins like a JSON object or list, or goes on with rows of JSON behind a line that doesn't."""
    return text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[") or _ROWS.match(text[:100_000]) is not None


def items(source: Source) -> Iterator[Item]:
    """The tools of a JSON text, and an error with line, column and JSON path for each one that can't be read.

    >>> list(items(Source.of('{"name": "now", "description": "the time"}')))
    [Tool(name='now', description='the time', parameters={'type': 'object', 'properties': {}}, line=1, column=10)]
    """
    surrogates = _SURROGATE.search(source.text) is not None
    position = 0
    while True:
        try:
            for entry in _entries(source, position):
                position = entry.end
                try:
                    yield _tool(entry, surrogates)
                except SignatureError as error:
                    yield error
            return
        except SignatureError as error:  # no JSON: the next line that begins an object goes on
            yield error
            rows = source.text.lstrip().startswith("{") or _ROWS.match(source.text[:100_000])
            following = rows and _NEXT_ROW.search(source.text, max(position, _offset(source, error)))
            if not following:
                return
            position = following.end() - 1


def items_of(value: Any, source: Source, start: int = 0) -> Iterator[Item]:
    """The tools of a value that was read from another notation; their names are looked for behind `start`, in order."""
    at = start
    for item in items(Source.of(json.dumps(value, ensure_ascii=False))):
        if not isinstance(item, SignatureError):
            name = rf"""(?:\bname["']?[ \t]*:\s*["'`]?|["'`]){re.escape(item.name)}(?![\w.-])"""
            place = re.compile(name).search(source.text, at)
            at = place.end() - len(item.name) if place else at
        yield placed(item, *source.place(at))


def placed(item: Item, line: int, column: int) -> Item:
    """What was read from a value, at the place where the value stands in the pasted text."""
    if isinstance(item, SignatureError):
        return SignatureError(item.message, line=line, column=column, fix=item.fix, kind=item.kind, tool=item.tool)
    return replace(item, line=line, column=column)


def _offset(source: Source, error: SignatureError) -> int:
    return source.lines[(error.line or 1) - 1] + (error.column or 1) - 1


def write(tools: Iterable[Tool]) -> str:
    """The tools as an OpenAI `tools` list, one on each line; `parse_tools` gives equal tools back."""
    return "[\n" + ",\n".join(json.dumps(tool.to_json(), ensure_ascii=False) for tool in tools) + "\n]"


def _entries(source: Source, position: int) -> Iterator[_Entry]:
    """Every tool of the text: of one list, one object, or one object after the other."""
    position = skip(source, position)
    while position < len(source.text):
        if source.text[position] == "[":
            position = yield from _list(source, position, "$")
        elif source.text[position] == "{":
            value, end = decode(source, position)
            yield from _opened(_Entry(source, position, end, "$", value))
            position = end
        else:
            fix = "paste one JSON list, or one JSON object per line, and no other format with it"
            raise source.error("this isn't a JSON list or object", position, fix)
        position = skip(source, position)


def _list(source: Source, position: int, path: str) -> Generator[_Entry, None, int]:
    """The tools of the JSON list at `position`, one by one; returns the offset after the list."""
    position, index = skip(source, position + 1), 0
    if source.text.startswith("]", position):
        return position + 1
    while True:
        value, end = decode(source, position)
        yield from _opened(_Entry(source, position, end, f"{path}[{index}]", value))
        position, index = skip(source, end), index + 1
        if source.text.startswith("]", position):
            return position + 1
        if not source.text.startswith(",", position):
            raise json_error(source, "Expecting ',' delimiter", position)
        position = skip(source, position + 1)


def _opened(entry: _Entry) -> Iterator[_Entry]:
    """The entry itself, or the tools inside it: `{"tools": […]}`, `{"result": {"tools": […]}}`, a BFCL row."""
    value, nested = entry.value, entry.path.count(".")
    if isinstance(value, dict) and not _is_tool(value) and nested < MAX_WRAPPERS:
        for key in (*LISTS, *WRAPPERS):
            if isinstance(value.get(key), dict if key in WRAPPERS else list):
                at, path = _field(entry, key), f"{entry.path}.{key}"
                if key in WRAPPERS:
                    yield from _opened(_Entry(entry.source, at, entry.end, path, value[key]))
                else:
                    yield from _list(entry.source, at, path)
                return
        if value and all(_is_listing(inner) for inner in value.values()):  # lists under names of their own
            for key in value:
                yield from _list(entry.source, _field(entry, key), f"{entry.path}.{key}")
            return
    yield entry


def _is_tool(value: dict[str, Any]) -> bool:
    """Whether an object is a tool itself: servers and assistants have names, too, but tools instead of arguments."""
    if not {"name", *INSIDE} & value.keys():
        return False
    if any(key in value for key in (*SCHEMAS, *LISTED, *ELSEWHERE, *INSIDE)):
        return True
    return not any(value.get(key) == [] or _is_listing(value.get(key)) for key in LISTS)


def _is_listing(value: Any) -> bool:
    """Whether a value is a list with a tool in it."""
    return isinstance(value, list) and any(isinstance(one, dict) and {"name", *INSIDE} & one.keys() for one in value)


def _field(entry: _Entry, key: str) -> int:
    """The offset of a field's value; the entry is known to be a JSON object that has it."""
    position, found = skip(entry.source, entry.offset + 1), ""
    while True:
        found, position = decode(entry.source, position)
        position = skip(entry.source, skip(entry.source, position) + 1)  # the colon
        if found == key:
            return position
        _, position = decode(entry.source, position)
        position = skip(entry.source, skip(entry.source, position) + 1)  # the comma


def _wrapped_by(value: Any) -> str:
    """The key under which an entry keeps its function, as `{"type": "function", "function": {…}}` does, or none."""
    return next((key for key in INSIDE if isinstance(value, dict) and isinstance(value.get(key), dict)), "")


def _function(value: Any) -> Any:
    """The object that holds name and schema."""
    return value[key] if (key := _wrapped_by(value)) else value


def _tool(entry: _Entry, surrogates: bool) -> Tool:
    function = _function(entry.value)
    path = entry.path if function is entry.value else f"{entry.path}.{_wrapped_by(entry.value)}"
    if not isinstance(function, dict):
        raise entry.error(path, "this isn't a JSON object", f"write a tool as {_EXAMPLE}")
    function = function_of(function, path, entry.error)
    name = _checked_name(entry, path, function.get("name"))
    description = function.get("description") or ""
    if not isinstance(description, str):
        raise entry.error(f"{path}.description", "this isn't a text", "write it in double quotes")
    key = schema_key(function) or SCHEMAS[0]
    parameters = arguments_schema(function.get(key), f"{path}.{key}", entry.error)
    tool = Tool(name, description, parameters, *entry.source.place(entry.place_of(name)))
    if surrogates:
        try:
            json.dumps(tool.to_json(), ensure_ascii=False).encode()
        except UnicodeEncodeError:
            message, fix = "half a character (a lone surrogate) in this tool", "write both halves, or the character"
            raise entry.error(path, message, fix) from None
    return tool


def _checked_name(entry: _Entry, path: str, name: object) -> str:
    if name is None:
        raise entry.error(path, "this tool has no name", f"write a tool as {_EXAMPLE}")
    if not isinstance(name, str) or not name:
        raise entry.error(f"{path}.name", "a name is a text of at least one character", "give the tool a name")
    if illegal := _ILLEGAL.search(name):
        proposed = _ILLEGAL.sub("_", name).strip("_") or "tool"
        error = entry.error(
            f"{path}.name",
            f"{quoted(name)} holds {quoted(illegal[0])}; names have no spaces, quotes or parentheses",
            f"write {quoted(proposed)}",
        )
        error.word, error.replacement = name, proposed
        raise error
    return name


_EXAMPLE = '`{"name": "square", "parameters": {"type": "object", "properties": {"side": {"type": "integer"}}}}`'
