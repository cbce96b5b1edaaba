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
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import replace
from typing import Any

from tooldec.errors import SignatureError
from tooldec.signatures.listings import json_entries, others
from tooldec.signatures.listings.json_entries import Entry, entries, function_in, wrapped_by
from tooldec.signatures.listings.keys import BESIDE, ELSEWHERE, INSIDE, SCHEMAS
from tooldec.signatures.listings.other_shapes import function_of, schema_key
from tooldec.signatures.listings.schema import DEFINE, arguments_schema
from tooldec.signatures.located import Written
from tooldec.signatures.source import Item, Source, quoted
from tooldec.tools import Tool

_PROVIDED = frozenset(
    """cachePoint systemTool codeExecution code_execution googleSearch google_search googleSearchRetrieval
    google_search_retrieval googleMaps google_maps urlContext url_context computerUse computer_use fileSearch""".split()
)
"""What stands in a list of tools for one that the provider has: `{"googleSearch": {}}`."""

_PROVIDED_TYPE = re.compile(
    r"(?:web_search|web_fetch|file_search|tool_search|code_interpreter|code_execution|image_generation|text_editor"
    r"|computer_use|local_shell|apply_patch)(?:_\w+)?|(?:computer|bash|memory)_\d+|mcp|mcp_toolset|custom"
)
_CALLS = frozenset(("tool_calls", "function_call", "functionCall", "toolUse", "choices"))
"""Keys of what a model answers."""

_ILLEGAL = re.compile(r"[\s\x00-\x1f\x7f-\x9f\"'`()]")

recognises = json_entries.begins


def items(source: Source) -> Iterator[Item]:
    """The tools of a JSON text, and an error with line, column and JSON path for each one that can't be read.

    >>> list(items(Source.of('{"name": "now", "description": "the time"}')))
    [Tool(name='now', description='the time', parameters={'type': 'object', 'properties': {}}, line=1, column=10)]
    """
    surrogates = "\\ud" in source.text or "\\uD" in source.text
    for entry in entries(source):
        if isinstance(entry, SignatureError):
            yield entry
            continue
        try:
            yield _tool(entry, surrogates)
        except SignatureError as error:
            yield error


def items_of(value: Any, source: Source, start: int = 0) -> Iterator[Item]:
    """The tools of a value that was read from another notation, each where its name, or its fault, stands there.

    `start` is the place of the whole value; those of its parts are known where it was read as `located` has it.
    """
    written = Written(value, start)
    read = Source.of(written.text)

    def moved(item: Item) -> Item:
        line, column = item.line or 1, item.column or 1
        at = written.origin(read.lines[line - 1] + column - 1)
        word = item.word if isinstance(item, SignatureError) else item.name
        behind_quote = word and source.text[at : at + 1] in ("'", '"', "`") and source.text.startswith(word, at + 1)
        line, column = source.place(at + bool(behind_quote))
        if isinstance(item, Tool):
            return replace(item, line=line, column=column)
        there = copy(item)
        there.line, there.column = line, column
        there.more = tuple(one for one in map(moved, item.more) if isinstance(one, SignatureError))
        return there

    yield from map(moved, items(read))


def write(tools: Iterable[Tool]) -> str:
    """The tools as an OpenAI `tools` list, one on each line; `parse_tools` gives equal tools back."""
    return "[\n" + ",\n".join(json.dumps(tool.to_json(), ensure_ascii=False) for tool in tools) + "\n]"


def _tool(entry: Entry, surrogates: bool) -> Tool:
    function = function_in(entry.value)
    path = entry.path if function is entry.value else f"{entry.path}.{wrapped_by(entry.value)}"
    if not isinstance(function, dict):
        text = isinstance(function, str) and function.lstrip()[:1] in ("{", "[")
        fix = "write the object itself, without the quotes around it" if text else f"write a tool as {_EXAMPLE}"
        raise entry.error(path, "this isn't a JSON object", fix)
    if function is not entry.value:
        around = ("name", "description", *SCHEMAS, *BESIDE)
        function = {key: entry.value[key] for key in around if key in entry.value} | function
    elif provided := _provided(function):
        message = f"{quoted(provided)} has no schema: its provider defines it, and runs it"
        error = entry.error(path, message, "leave it out here: calls of it aren't decoded")
        error.kind = "provided"
        raise error
    elif "name" not in function and _CALLS & function.keys():
        raise entry.error(path, "this is what a model answers, not a tool", DEFINE)
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


def _provided(value: dict[str, Any]) -> str:
    """What a tool is called that its provider has built in; nothing for one that says its arguments itself.

    >>> _provided({"googleSearch": {}}), _provided({"type": "web_search_20250305", "name": "web_search"})
    ('googleSearch', 'web_search_20250305')
    """
    if {*SCHEMAS, *ELSEWHERE, *INSIDE} & value.keys():
        return ""
    kind = value.get("type")
    if isinstance(kind, str) and _PROVIDED_TYPE.fullmatch(kind):
        return kind
    return next((key for key in value if len(value) == 1 and key in _PROVIDED), "")


def _checked_name(entry: Entry, path: str, name: object) -> str:
    if name is None:
        what, fix = others.of_keys(entry.value.keys()) or ("", f"write a tool as {_EXAMPLE}")
        raise entry.error(path, f"this is {what}, not a tool" if what else "this tool has no name", fix)
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
