"""Who writes into an answer besides the model: results of calls, injected sentences, and names put right.

A result comes from a callable, from what the user gave, from a recorded observation, or from the table of pure
functions:

    scheme.host(tools, {"find": "Paris", "roll": random_roll, "weather": recorded([({"city": "Rome"}, "sunny")])})
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from tooldec.errors import HostError
from tooldec.results import compute
from tooldec.tools import Parameter, Tool, ToolCall


@dataclass(frozen=True, slots=True)
class Edit:
    """The answer becomes `answer[:keep]` and `text`; the model reads it anew from there.

    retry   the token that stood at `keep` isn't taken again: the next-ranked one is
    """

    keep: int
    text: str = ""
    retry: bool = False


class Host(Protocol):
    """Writes text of its own into an answer."""

    def write(self, text: str) -> str | Edit | None:
        """What comes after `text`, the answer so far; None where the host has nothing to say."""


class Watcher(Protocol):
    """Looks at the answer of a one-state machine after each token; see `methods`."""

    def edit(self, text: str, ended: bool) -> Edit | None:
        """What is to be changed in the answer so far, or None."""


class ResultHost(Host, Protocol):
    """A scheme's own host, which also knows its results again."""

    def result(self, written: str) -> str:
        """The result in a text that it has written."""


class Reader(Protocol):
    """What a host asks of a scheme."""

    def read_calls(self, text: str, tools: tuple[Tool, ...]) -> tuple[ToolCall, ...]: ...


@dataclass(frozen=True, slots=True)
class Results:
    """The host of a scheme whose calls stand in the text; the call that waits for its result is the last one.

    before, after   what stands around a result
    barred          markers: a result that holds one gets a space into it, so that no reader takes it for a call
    alike           what looks like a call though it is no marker: it gets such a space, too
    one_line        line breaks in a result become spaces
    """

    scheme: Reader
    tools: tuple[Tool, ...]
    given: Mapping[str, Any]
    before: str = ""
    after: str = ""
    barred: tuple[str, ...] = ()
    alike: re.Pattern[str] | None = None
    one_line: bool = False

    def write(self, text: str) -> str | Edit | None:
        """The text of the last call's result, or None where nobody knows it."""
        call = self.scheme.read_calls(text, self.tools)[-1]
        found = result_of(call, self.tools, self.given)
        if found is None:
            return None
        for marker in self.barred:
            found = found.replace(marker, f"{marker[:1]} {marker[1:]}")
            if not self.after and any(found.endswith(marker[:size]) for size in range(1, len(marker))):
                found += " "  # what the model writes behind it would make it one
        if self.alike is not None:
            found = self.alike.sub(lambda match: f"{match[0][:1]} {match[0][1:]}", found)
        return f"{self.before}{' '.join(found.splitlines()) if self.one_line else found}{self.after}"

    def result(self, written: str) -> str:
        return written.removeprefix(self.before).removesuffix(self.after)


class Answering(Reader, Protocol):
    """A scheme that has a host."""

    def host(self, tools: tuple[Tool, ...], results: Mapping[str, Any] | None = None) -> Host: ...


@dataclass(frozen=True, slots=True)
class Replaced:
    """The host of a scheme, but for the results that somebody wants otherwise.

    others   how many characters the answer has where a result is written → what is written in its place
    """

    scheme: Answering
    tools: tuple[Tool, ...]
    given: Mapping[str, Any]
    others: Mapping[int, str]

    def write(self, text: str) -> str | Edit | None:
        """What the scheme's host would write, were that what the call returns."""
        given = self.given
        if len(text) in self.others:
            given = {**given, self.scheme.read_calls(text, self.tools)[-1].name: self.others[len(text)]}
        return self.scheme.host(self.tools, given).write(text)


def result_of(call: ToolCall, tools: Iterable[Tool], given: Mapping[str, Any]) -> str | None:
    """What a call returns, as text: asked of a callable, quoted from what was given, or computed."""
    tool = next(tool for tool in tools if tool.name == call.name)
    if call.name not in given:
        values = _in_order(call, tool)
        numbers = _numbers(values) if values is not None else None
        return compute(call.name, numbers) if numbers is not None else None
    value = given[call.name]
    if callable(value):
        value = _asked(value, call, tool)
        if value is None:
            return None
    return text_of(value)


def text_of(value: Any) -> str:
    """How a result stands in an answer: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def recorded(observations: Iterable[tuple[Mapping[str, Any], Any]]) -> Callable[..., Any]:
    """A tool that returns what was observed when it was called with the same arguments; None for others.

    >>> weather = recorded([({"city": "Rome"}, "sunny")])
    >>> weather(city="Rome"), weather(city="Oslo")
    ('sunny', None)
    """
    kept = {_key(arguments): value for arguments, value in observations}
    return lambda **arguments: kept.get(_key(arguments))


def recorded_run(messages: Iterable[Mapping[str, Any]]) -> dict[str, Callable[..., Any]]:
    """The results of a recorded conversation in OpenAI's form (ToolBench's traces): tool → what it observed.

    >>> call = {"role": "assistant", "function_call": {"name": "weather", "arguments": '{"city": "Rome"}'}}
    >>> recorded_run([call, {"role": "function", "content": "sunny"}])["weather"](city="Rome")
    'sunny'
    """
    seen: dict[str, list[tuple[Mapping[str, Any], Any]]] = {}
    for before, message in pairwise(messages):
        call = before.get("function_call")
        if call is None or message.get("role") != "function":
            continue
        with suppress(json.JSONDecodeError):  # some models wrote no JSON: nobody can make that call again
            seen.setdefault(call["name"], []).append((json.loads(call["arguments"] or "{}"), message["content"]))
    return {name: recorded(observations) for name, observations in seen.items()}


def _key(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True, ensure_ascii=False, default=str)


def _asked(function: Callable[..., Any], call: ToolCall, tool: Tool) -> Any:
    """The function's value; `*args` are passed as they are in Python."""
    variadic = [parameter.name for parameter in tool.arguments if parameter.variadic]
    many = any(call.arguments.get(name) for name in variadic)
    declared = {parameter.name for parameter in tool.arguments}
    by_name = {key: value for key, value in call.arguments.items() if key not in (declared if many else variadic)}
    values = _in_order(call, tool) if many else []
    if values is None:
        reason = "an argument before `*args` was left out, and has no default"
        raise HostError(f"`{call.name}` can't be called: {reason}", fix="give it a default, or make it required")
    try:
        return function(*values, **by_name)
    except Exception as error:  # the user's own code may raise anything
        reason = f"{type(error).__name__}: {error}"
        raise HostError(f"`{call.name}` failed: {reason}", fix="let it return a value") from error


def _in_order(call: ToolCall, tool: Tool) -> list[Any] | None:
    """The arguments by position, those of `*args` one by one: defaults stand where some before the last are left out.

    None where there is no default.
    """
    values: list[Any] = []
    left_out: list[Parameter] = []
    for parameter in tool.arguments:
        given = call.arguments.get(parameter.name, [])
        if parameter.name not in call.arguments or (parameter.variadic and not given):
            left_out.append(parameter)
            continue
        if any("default" not in one.schema for one in left_out):
            return None
        values += [one.schema["default"] for one in left_out]
        values += given if parameter.variadic else [given]
        left_out = []
    return values


def _numbers(values: Iterable[Any]) -> list[float | int] | None:
    """The numbers of a call's arguments, those of `*args` among them; None where one isn't a number."""
    numbers: list[float | int] = []
    for value in values:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, bool) or not isinstance(one, int | float):
                return None
            numbers.append(one)
    return numbers
