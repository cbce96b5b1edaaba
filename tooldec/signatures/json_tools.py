"""JSON lists of functions → tools, and back: the forms that model APIs, MCP servers and benchmarks use.

    [{"type": "function", "function": {"name": …, "description": …, "parameters": {…}}}]    OpenAI chat completions
    [{"type": "function", "name": …, "parameters": {…}}], [{"name": …, "parameters": {…}}]    Responses, bare
    {"tools": [{"name": …, "inputSchema": {…}}]}                                             MCP, also in `result`
    [{"name": …, "input_schema": {…}}]                                                       Anthropic
    {"functions": [{"name": …, "parameters": {"type": "dict", …}}]}                          BFCL

Each also as one object per line (JSON Lines). Of a schema only the shape is checked here: which keywords can be
enforced is the matter of `arguments.py`.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from json.decoder import JSONDecodeError
from typing import Any, NoReturn

from tooldec.errors import SignatureError
from tooldec.signatures.schema import arguments_schema
from tooldec.signatures.source import MAX_DIGITS, Source, inventory, quoted
from tooldec.tools import Tool

LISTS = ("tools", "functions", "functionDeclarations", "function_declarations")
"""Keys whose value is a list of tools."""

SCHEMAS = ("parameters", "inputSchema", "input_schema", "parametersJsonSchema")
"""Keys under which a function keeps the schema of its arguments."""

MAX_WRAPPERS = 3
"""How many objects may stand around a list of tools: `{"result": {"tools": […]}}` has two."""

_SPACE = re.compile(r"[ \t\n]*+")
_NAME_KEY = re.compile(r'"name"[ \t\n]*+:[ \t\n]*+')
_ILLEGAL = re.compile(r"[\s\x00-\x1f\x7f-\x9f\"'`()]")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class _Refused(ValueError):
    """A JSON value that isn't read because readers disagree on it; its place isn't known yet."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A value that should be a tool: where it starts and ends, its path in the document, the value."""

    source: Source
    offset: int
    end: int
    path: str
    value: Any

    def error(self, path: str, message: str, fix: str) -> SignatureError:
        """An error that points at the tool's name, or at its beginning where there is no name."""
        function = _function(self.value)
        name = function.get("name") if isinstance(function, dict) else None
        return self.source.error(f"{path}: {message}", self.place_of(name), fix)

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
    """Whether the text begins like a JSON object or list."""
    return text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def read(text: str) -> tuple[Tool, ...]:
    """The tools of a JSON text; raises SignatureError with line, column and JSON path.

    >>> read('{"name": "now", "description": "the time"}')
    (Tool(name='now', description='the time', parameters={'type': 'object', 'properties': {}}, line=1, column=10),)
    """
    source = Source.of(text)
    surrogates = _SURROGATE.search(source.text) is not None
    return inventory(_tool(entry, surrogates) for entry in _entries(source))


def write(tools: Iterable[Tool]) -> str:
    """The tools as an OpenAI `tools` list, one on each line; `read` gives equal tools back."""
    return "[\n" + ",\n".join(json.dumps(tool.to_json(), ensure_ascii=False) for tool in tools) + "\n]"


def _entries(source: Source) -> Iterator[_Entry]:
    """Every tool of the text: of one list, one object, or one object after the other."""
    position = _skip(source, 0)
    while position < len(source.text):
        if source.text[position] == "[":
            position = yield from _list(source, position, "$")
        elif source.text[position] == "{":
            value, end = _decode(source, position)
            yield from _opened(_Entry(source, position, end, "$", value))
            position = end
        else:
            fix = "paste one JSON list, or one JSON object per line, and no other format with it"
            raise source.error("this isn't a JSON list or object", position, fix)
        position = _skip(source, position)


def _list(source: Source, position: int, path: str) -> Generator[_Entry, None, int]:
    """The tools of the JSON list at `position`, one by one; returns the offset after the list."""
    position, index = _skip(source, position + 1), 0
    if source.text.startswith("]", position):
        return position + 1
    while True:
        value, end = _decode(source, position)
        yield from _opened(_Entry(source, position, end, f"{path}[{index}]", value))
        position, index = _skip(source, end), index + 1
        if source.text.startswith("]", position):
            return position + 1
        if not source.text.startswith(",", position):
            raise _json_error(source, "Expecting ',' delimiter", position)
        position = _skip(source, position + 1)


def _opened(entry: _Entry) -> Iterator[_Entry]:
    """The entry itself, or the tools inside it: `{"tools": […]}`, `{"result": {"tools": […]}}`, a BFCL row."""
    value, nested = entry.value, entry.path.count(".")
    if isinstance(value, dict) and "name" not in value and "function" not in value and nested < MAX_WRAPPERS:
        for key in (*LISTS, "result"):
            if isinstance(value.get(key), dict if key == "result" else list):
                at, path = _field(entry, key), f"{entry.path}.{key}"
                if key == "result":
                    yield from _opened(_Entry(entry.source, at, entry.end, path, value[key]))
                else:
                    yield from _list(entry.source, at, path)
                return
    yield entry


def _field(entry: _Entry, key: str) -> int:
    """The offset of a field's value; the entry is known to be a JSON object that has it."""
    position, found = _skip(entry.source, entry.offset + 1), ""
    while True:
        found, position = _decode(entry.source, position)
        position = _skip(entry.source, _skip(entry.source, position) + 1)  # the colon
        if found == key:
            return position
        _, position = _decode(entry.source, position)
        position = _skip(entry.source, _skip(entry.source, position) + 1)  # the comma


def _function(value: Any) -> Any:
    """The object that holds name and schema: `{"type": "function", "function": {…}}` keeps it inside."""
    inner = value.get("function") if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else value


def _tool(entry: _Entry, surrogates: bool) -> Tool:
    function = _function(entry.value)
    path = entry.path if function is entry.value else f"{entry.path}.function"
    if not isinstance(function, dict):
        raise entry.error(path, "this isn't a JSON object", f"write a tool as {_EXAMPLE}")
    name = _checked_name(entry, path, function.get("name"))
    description = function.get("description") or ""
    if not isinstance(description, str):
        raise entry.error(f"{path}.description", "this isn't a text", "write it in double quotes")
    key = next((key for key in SCHEMAS if key in function), SCHEMAS[0])
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
        raise entry.error(
            f"{path}.name",
            f"{quoted(name)} holds {quoted(illegal[0])}; names have no spaces, quotes or parentheses",
            f"write {quoted(proposed)}",
        )
    return name


def _skip(source: Source, position: int) -> int:
    space = _SPACE.match(source.text, position)
    return space.end() if space else position


def _decode(source: Source, position: int) -> tuple[Any, int]:
    """The JSON value at `position`, and the offset after it."""
    try:
        return _DECODER.raw_decode(source.text, position)
    except JSONDecodeError as error:
        raise _json_error(source, error.msg, error.pos) from None
    except (RecursionError, MemoryError):
        raise source.nested_too_deep(position) from None
    except _Refused as error:
        fix = "change it: JSON readers disagree on such a value"
        raise source.error(f"in the value that starts here, {error}", position, fix) from None


def _json_error(source: Source, message: str, position: int) -> SignatureError:
    """What the JSON decoder says, with what would work."""
    here, before = source.text[position : position + 5], source.text[:position].rstrip()[-1:]
    if not here:
        fix = "the text ends here: close what is open"
    elif here[0] in "]}" and before == ",":
        fix = "remove the comma before it"
    else:
        fix = next((fix for start, fix in _FIXES if here.startswith(start)), "")
        fix = fix or next((fix for start, fix in _FIXES_BY_MESSAGE if message.startswith(start)), _FIX)
    return source.error(f"this isn't JSON: {message[:1].lower()}{message[1:]}", position, fix)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        doubled = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise _Refused(f"the key {quoted(doubled)} stands twice in one object")
    return found


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _Refused(f"an integer has {len(digits):,} digits")
    return int(digits)


def _finite(digits: str) -> float:
    if math.isinf(float(digits)):
        raise _Refused(f"the number {quoted(digits)} is too large")
    return float(digits)


def _constant(name: str) -> NoReturn:
    raise _Refused(f"{name} isn't a JSON number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_finite, parse_constant=_constant
)
_EXAMPLE = '`{"name": "square", "parameters": {"type": "object", "properties": {"side": {"type": "integer"}}}}`'
_FIX = "paste a JSON list of tools, or one JSON object per line"
_FIXES = (
    ("'", "JSON takes double quotes"),
    ("#", "remove the comment: JSON has none"),
    ("/", "remove the comment: JSON has none"),
    ("True", "write `true`"),
    ("False", "write `false`"),
    ("None", "write `null`"),
)
_FIXES_BY_MESSAGE = (
    ("Expecting ',' delimiter", "write a comma between two values, or close what is open"),
    ("Illegal trailing comma", "remove this comma"),
    ("Expecting ':' delimiter", "write a colon after the key"),
    ("Expecting property name", "write the key in double quotes"),
    ("Unterminated string", 'close it with `"`'),
    ("Invalid control character", "write a line break inside a text as `\\n`, a tab as `\\t`"),
    ("Invalid \\", "write a backslash as `\\\\`"),
)
