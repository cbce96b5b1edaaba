"""Tool calls read back from a finished text, by parsers that know nothing of the machine.

They judge guided and unguided answers alike and name what is wrong (the error classes of Figures 7 and 8):

    name             no such tool                        <T>product(2, 3)
    count            too few or too many arguments       <T>sqrt(4, 9)
    type             a value outside of its schema       <T>sqrt("four")
    unknown          a keyword that the tool lacks       {"name": "sqrt", "arguments": {"y": 4}}
    missing          a required keyword isn't there      {"name": "sqrt", "arguments": {}}
    illegal_symbol   what begins no JSON value           <T>multiply(pi, 4)
    end_token        something else than `,` or `)`      <T>sqrt(4].
    format           the frame of a call is broken       <tool_call>sqrt(4)
    cut_off          the text ends inside the call       <T>sqrt(4
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

from tooldec.errors import CallError
from tooldec.tools import Tool, ToolCall

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


def positional_calls(text: str, tools: Sequence[Tool], marker: str) -> tuple[ToolCall, ...]:
    """The calls `<T>name(value, value)` of a text.

    >>> positional_calls("It is <T>square(5)=25.", [Tool("square", parameters=_ONE)], "<T>")[0].arguments
    {'side': 5}
    """
    by_name = {tool.name: tool for tool in tools}
    calls, at = [], text.find(marker)
    while at >= 0:
        call = _positional(text, at, at + len(marker), by_name)
        calls.append(call)
        at = text.find(marker, call.end)
    return tuple(calls)


def tagged_calls(text: str, tools: Sequence[Tool], marker: str, end: str) -> tuple[ToolCall, ...]:
    """The calls `<tool_call>{"name": …, "arguments": {…}}</tool_call>` of a text."""
    by_name = {tool.name: tool for tool in tools}
    calls, at = [], text.find(marker)
    while at >= 0:
        call = _tagged(text, at, at + len(marker), end, by_name)
        calls.append(call)
        at = text.find(marker, call.end)
    return tuple(calls)


def _positional(text: str, start: int, at: int, tools: dict[str, Tool]) -> ToolCall:
    bracket = text.find("(", at)
    if bracket < 0:
        raise CallError("the answer ends before the arguments", kind="cut_off", start=start, end=len(text))
    name = text[at:bracket]
    tool = _tool(name, tools, start, bracket)
    values, end = _values(text, start, bracket + 1)
    return ToolCall(name, _by_name(tool, values, start, end), start, end)


def _values(text: str, start: int, at: int) -> tuple[list[Any], int]:
    """JSON values from behind `(` up to and with `)`; a leading + on a number is no part of JSON, and taken off."""
    values: list[Any] = []
    at = _skip(text, at)
    if text.startswith(")", at):
        return values, at + 1
    while True:
        at = _skip(text, at)
        begin = at + 1 if re.match(r"\+[0-9]", text[at : at + 2]) else at
        try:
            value, after = _DECODER.raw_decode(text, begin)
        except (json.JSONDecodeError, RecursionError):
            raise _no_value(text, start, at) from None
        if isinstance(value, float) and text[begin] in "NI-" and not re.match(r"-?[0-9]", text[begin : begin + 2]):
            raise _no_value(text, start, at)  # Python reads NaN and Infinity, JSON has neither
        values.append(value)
        at = _skip(text, after)
        if at == len(text):
            raise CallError("the answer ends inside the arguments", kind="cut_off", start=start, end=at)
        if text[at] == ")":
            return values, at + 1
        if text[at] != ",":
            message = f"after a value comes `,` or `)`, not {text[at]!r}"
            raise CallError(message, kind="end_token", start=start, end=at + 1)
        at += 1


def _no_value(text: str, start: int, at: int) -> CallError:
    rest = text[at:]
    if not rest or re.fullmatch(
        r'[+-]|-?[0-9.eE+-]*|"([^"\\]|\\.)*\\?|[\[{].*|t(r(ue?)?)?|f(a(l(se?)?)?)?|n(u(ll?)?)?', rest
    ):
        return CallError("the answer ends inside the arguments", kind="cut_off", start=start, end=len(text))
    symbol = re.match(r"[^,)\s]*", rest)
    shown = (symbol[0] if symbol and symbol[0] else rest[:1])[:40]
    return CallError(f"`{shown}` is no JSON value", kind="illegal_symbol", start=start, end=at + len(shown))


def _by_name(tool: Tool, values: list[Any], start: int, end: int) -> dict[str, Any]:
    parameters = tool.arguments
    found: dict[str, Any] = {}
    rest = list(values)
    for parameter in parameters:
        if parameter.variadic:
            found[parameter.name], rest = rest, []
        elif rest:
            found[parameter.name] = rest.pop(0)
        elif parameter.required:
            count = f"{sum(p.required for p in parameters)} arguments or more, not {len(values)}"
            raise CallError(f"`{tool.name}` takes {count}", kind="count", start=start, end=end)
    if rest:
        takes = f"at most {len(parameters)} arguments, not {len(values)}"
        raise CallError(f"`{tool.name}` takes {takes}", kind="count", start=start, end=end)
    _check(tool, found, start, end)
    return found


def _tagged(text: str, start: int, at: int, end_tag: str, tools: dict[str, Tool]) -> ToolCall:
    close = text.find(end_tag, at)
    if close < 0:
        raise CallError(f"the answer ends before `{end_tag}`", kind="cut_off", start=start, end=len(text))
    end = close + len(end_tag)
    try:
        data = json.loads(text[at:close])
    except (json.JSONDecodeError, RecursionError) as error:
        raise CallError(f"the call is no JSON: {error}", kind="format", start=start, end=end) from None
    if not isinstance(data, dict) or "name" not in data:
        raise CallError("the call is no object with a `name`", kind="format", start=start, end=end)
    tool = _tool(str(data["name"]), tools, start, end)
    arguments = data.get("arguments", {})
    if not isinstance(arguments, dict):
        raise CallError("`arguments` is no object", kind="format", start=start, end=end)
    known = {parameter.name: parameter for parameter in tool.arguments}
    closed = tool.parameters.get("additionalProperties", "properties" not in tool.parameters) is False or known
    for key in arguments:
        if key not in known and closed:
            raise CallError(f"`{tool.name}` has no argument `{key}`", kind="unknown", start=start, end=end)
    for parameter in known.values():
        if parameter.required and parameter.name not in arguments:
            message = f"`{tool.name}` needs `{parameter.name}`"
            raise CallError(message, kind="missing", start=start, end=end)
    _check(tool, arguments, start, end)
    return ToolCall(tool.name, arguments, start, end)


def _tool(name: str, tools: dict[str, Tool], start: int, end: int) -> Tool:
    if name in tools:
        return tools[name]
    near = get_close_matches(name, tools, 1)
    fix = f"did it mean `{near[0]}`?" if near else None
    raise CallError(f"there is no tool `{name[:60]}`", kind="name", start=start, end=end, fix=fix)


def _check(tool: Tool, arguments: dict[str, Any], start: int, end: int) -> None:
    """Judge each argument by its schema."""
    for parameter in tool.arguments:
        if parameter.name not in arguments:
            continue
        for error in _validator(json.dumps(parameter.schema), json.dumps(tool.parameters)).iter_errors(
            arguments[parameter.name]
        ):
            message = f"`{parameter.name}` of `{tool.name}`: {error.message}"[:300]
            raise CallError(message, kind="type", start=start, end=end)


@cache
def _validator(schema: str, root: str) -> Any:
    from jsonschema import Draft202012Validator  # only needed where answers are judged

    definitions = {key: part for key, part in json.loads(root).items() if key in ("$defs", "definitions")}
    return Draft202012Validator(
        {**definitions, **json.loads(schema)}, format_checker=Draft202012Validator.FORMAT_CHECKER
    )


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


_ONE = {"type": "object", "properties": {"side": {"type": "integer"}}, "required": ["side"]}


def valid_calls(text: str, reader: Any, tools: Iterable[Tool]) -> tuple[tuple[ToolCall, ...], CallError | None]:
    """The calls of a text and the first error, whichever a page wants to show."""
    try:
        return reader(text, tuple(tools)), None
    except CallError as error:
        return (), error
