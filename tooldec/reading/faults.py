"""What is wrong with a call whose frame has been read: its name, the count, keys and types of its arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from tooldec.arguments.judging import validator
from tooldec.errors import CallError
from tooldec.tools import Schema, Tool, ToolCall

Place = tuple[int, int]
"""From where to where, in characters of a text."""

DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")
_BEGUN = r'[+-]|-?[0-9.eE+-]*|"([^"\\]|\\.)*\\?|[\[{].*|t(r(ue?)?)?|f(a(l(se?)?)?)?|n(u(ll?)?)?'
"""What may be the beginning of a JSON value."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A call in a text: where it starts, and where its name stands once that is known."""

    text: str
    start: int
    name: Place | None = None

    def named(self, start: int, end: int) -> Spot:
        return Spot(self.text, self.start, (start, end))

    def error(self, message: str, kind: str, end: int, fix: str | None = None, fault: Place | None = None) -> CallError:
        return CallError(message, kind=kind, start=self.start, end=end, fix=fix, name=self.name, fault=fault)

    def cut_off(self, where: str) -> CallError:
        end = len(self.text)
        return self.error(f"the answer ends {where}", "cut_off", end, fault=(end, end))


def tool_of(spot: Spot, name: str, tools: Mapping[str, Tool], end: int) -> Tool:
    """The tool of that name; raises CallError, with the nearest name as its fix."""
    if name in tools:
        return tools[name]
    near = get_close_matches(name, tools, 1)
    fix = f"did it mean `{near[0]}`?" if near else None
    raise spot.error(f"there is no tool `{name[:60]}`", "name", end, fix)


def by_position(spot: Spot, tool: Tool, values: list[Any], end: int, places: Sequence[Place] = ()) -> ToolCall:
    """A call whose arguments stand in the schema's order, each at its place in the text."""
    parameters = tool.arguments
    found: dict[str, Any] = {}
    rest, where = list(values), {}
    for parameter in parameters:
        if parameter.variadic:
            found[parameter.name], rest = rest, []
        elif rest:
            if places:
                where[parameter.name] = places[len(values) - len(rest)]
            found[parameter.name] = rest.pop(0)
        elif parameter.required:
            more = "" if all(p.required for p in parameters) else " or more"
            count = f"{sum(p.required for p in parameters)} arguments{more}, not {len(values)}"
            raise spot.error(f"`{tool.name}` takes {count}", "count", end)
    if rest:
        takes = f"at most {len(parameters)} arguments, not {len(values)}"
        raise spot.error(f"`{tool.name}` takes {takes}", "count", end)
    _check(spot, tool, found, end, where)
    return ToolCall(tool.name, found, spot.start, end)


def by_key(
    spot: Spot, tool: Tool, arguments: Any, end: int, places: Mapping[str, tuple[Place, Place]] | None = None
) -> ToolCall:
    """A call whose arguments are an object; where its keys and values stand is found out, unless that is known."""
    if not isinstance(arguments, dict):
        raise spot.error(f"the arguments of `{tool.name}` are no object", "format", end)
    if places is None:
        places = {key: found for key in arguments if (found := _member(spot, key, end))}
    known = {parameter.name: parameter for parameter in tool.arguments}
    closed = _is_closed(tool.parameters) and "patternProperties" not in tool.parameters
    for key in arguments:
        if key not in known and closed:
            fault = places[key][0] if key in places else None
            raise spot.error(f"`{tool.name}` has no argument `{key}`", "unknown", end, fault=fault)
    for parameter in known.values():
        if parameter.required and parameter.name not in arguments:
            raise spot.error(f"`{tool.name}` needs `{parameter.name}`", "missing", end)
    _check(spot, tool, arguments, end, {key: place for key, (_, place) in places.items()})
    error = _first(spot, tool, None, arguments, end)
    if error is not None:
        raise spot.error(
            f"the arguments of `{tool.name}`: {error.message}"[:300], _KINDS.get(error.validator, "type"), end
        )
    return ToolCall(tool.name, arguments, spot.start, end)


_ELSEWHERE = frozenset(
    """$ref allOf anyOf oneOf not if dependentRequired dependentSchemas dependencies propertyNames
    unevaluatedProperties""".split()
)
"""Keywords of an object that may name members, or rule on them, beside `properties`."""

_KINDS = {
    **dict.fromkeys(("required", "dependentRequired", "minProperties"), "missing"),
    **dict.fromkeys(("additionalProperties", "unevaluatedProperties"), "unknown"),
}
"""Keyword → the class of a call that fails it, where that isn't `type`."""


def _is_closed(schema: Schema) -> bool:
    """Whether an object has no members but those of `properties` and `patternProperties`, as far as that is plain."""
    return not _ELSEWHERE & schema.keys() and schema.get("additionalProperties", "properties" not in schema) is False


def _member(spot: Spot, key: str, end: int) -> tuple[Place, Place] | None:
    """Where a key and its value stand in a call's text, as far as they are found by their spelling."""
    spelled = json.dumps(key, ensure_ascii=False)
    found = re.compile(re.escape(spelled) + r"\s*:\s*").search(
        spot.text, spot.name[1] if spot.name else spot.start, end
    )
    if found is None:
        return None
    try:
        after = DECODER.raw_decode(spot.text, found.end())[1]
    except (ValueError, RecursionError):
        return None
    return (found.start(), found.start() + len(spelled)), (found.end(), after)


def skip(text: str, at: int) -> int:
    """The place behind white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def value_at(spot: Spot, at: int, where: str) -> tuple[Any, int]:
    """A JSON value and the place behind it; NaN and Infinity, which Python reads, are none."""
    text = spot.text
    try:
        value, end = DECODER.raw_decode(text, at)
    except (json.JSONDecodeError, RecursionError):
        raise _no_value(spot, at, where) from None
    except ValueError as error:  # Python reads no integer of more than 4,300 digits
        raise spot.error(f"a number is too long: {error}", "type", len(text)) from None
    if isinstance(value, float) and text[at] in "NI-" and not re.match(r"-?[0-9]", text[at : at + 2]):
        raise _no_value(spot, at, where)
    return value, end


def _no_value(spot: Spot, at: int, where: str) -> CallError:
    rest = spot.text[at:]
    if not rest or re.fullmatch(_BEGUN, rest):
        return spot.cut_off(where)
    symbol = re.match(r"[^,)\s]*", rest)
    shown = (symbol[0] if symbol and symbol[0] else rest[:1])[:40]
    return spot.error(f"`{shown}` is no JSON value", "illegal_symbol", at + len(shown), fault=(at, at + len(shown)))


def _check(spot: Spot, tool: Tool, arguments: dict[str, Any], end: int, places: Mapping[str, Place]) -> None:
    """Judge each argument by its schema."""
    for name, value in arguments.items():
        error = _first(spot, tool, name, value, end)
        if error is not None:
            message = f"`{name}` of `{tool.name}`: {error.message}"[:300]
            raise spot.error(message, "type", end, fault=places.get(name))


def fits(spot: Spot, tool: Tool, arguments: Any, end: int, schema: Schema | None = None) -> bool:
    """Whether arguments satisfy the tool's schema, or a part of it."""
    return _first(spot, tool, None, arguments, end, schema) is None


def _first(spot: Spot, tool: Tool, name: str | None, value: Any, end: int, schema: Schema | None = None) -> Any:
    """What is wrong first with the argument of a name, or with all of them together; None where nothing is."""
    try:
        whole = tool.parameters
        if schema is not None:
            judge = validator(schema, whole)
        elif name is None:
            judge = validator({**whole, "additionalProperties": False} if _is_closed(whole) else whole)
        else:
            judge = validator(whole.get("properties", {}).get(name, True), whole)
        return next(judge.iter_errors(value), None)
    except Exception as problem:  # jsonschema raises whatever a strange schema makes its functions raise
        what = "arguments" if name is None else f"argument `{name}`"
        message = f"the schema of the {what} of `{tool.name}` judges no value: {problem}"
        raise spot.error(message[:300], "type", end) from None
