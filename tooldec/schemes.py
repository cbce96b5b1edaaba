"""When a call starts, how it is written, and how it is read back: one row in SCHEMES for each way.

scheme.prompt(tools, question)   what the model is asked
scheme.grammar(tools)            what it may answer
scheme.read_calls(text, tools)   the calls in an answer, read by a parser that knows nothing of the machine
scheme.host(tools)               who writes results into the answer
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Literal, Protocol

from tooldec import reading
from tooldec.arguments import DUMPS, POSITIONAL, Writing, argument, items, object_of
from tooldec.errors import SchemaError, UsageError
from tooldec.grammar import (
    EMPTY,
    TEXT,
    Forever,
    Grammar,
    HostText,
    Label,
    Labelled,
    Names,
    Special,
    Until,
    sequence,
)
from tooldec.results import compute
from tooldec.tools import Parameter, Tool, ToolCall, signatures
from tooldec.vocabulary import Vocabulary

Start = Literal["text", "call"]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked; the model renders it with its own chat template, or plainly.

    tools           what goes to a template's `tools=`
    answer_prefix   the part of the answer that is already written
    """

    messages: tuple[Mapping[str, str], ...]
    tools: tuple[Tool, ...] = ()
    answer_prefix: str = ""


class ModelTraits(Protocol):
    """What a scheme asks of a model to choose its family."""

    @property
    def has_tool_template(self) -> bool: ...

    @property
    def has_chat_template(self) -> bool: ...

    @property
    def vocabulary(self) -> Vocabulary: ...


class Host(Protocol):
    """Writes text of its own into an answer."""

    def write(self, text: str) -> str | None:
        """What comes after `text`, the answer so far; None where the host has nothing to say."""


class Scheme(Protocol):
    """One way to call tools."""

    @property
    def marker(self) -> str: ...

    def for_model(self, model: ModelTraits) -> Scheme: ...

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar: ...

    def unguided(self) -> Grammar: ...

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt: ...

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]: ...

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> Host: ...


@dataclass(frozen=True, slots=True)
class Results:
    """The host of a scheme whose calls stand in the text: it computes pure functions, or quotes the user's results.

    The call that waits for its result is the last one in the text.
    """

    scheme: Scheme
    tools: tuple[Tool, ...]
    given: Mapping[str, Any]
    before: str = ""
    after: str = ""

    def write(self, text: str) -> str | None:
        """The text of the last call's result, or None where nobody knows it."""
        call = self.scheme.read_calls(text, self.tools)[-1]
        if call.name in self.given:
            value = self.given[call.name]
            result = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        else:
            numbers = _flat(call.arguments.values())
            found = compute(call.name, numbers) if numbers is not None else None
            if found is None:
                return None
            result = found
        return f"{self.before}{result}{self.after}"


def _flat(values: Iterable[Any]) -> list[float | int] | None:
    """The numbers of a call's arguments, those of `*args` among them; None where one isn't a number."""
    numbers: list[float | int] = []
    for value in values:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, bool) or not isinstance(one, int | float):
                return None
            numbers.append(one)
    return numbers


@dataclass(frozen=True, slots=True)
class SpecialToken:
    """`… <T>square(5) …`: a special token starts the call, arguments are positional (section 3.2).

    instructions    tell the model about the marker, for models that were never trained on it
    """

    marker: str = "<T>"
    instructions: bool = False
    writing: Writing = POSITIONAL

    def for_model(self, model: ModelTraits) -> SpecialToken:
        """Models that have the marker as a token know it; to others with a chat template it is explained."""
        return replace(self, instructions=model.has_chat_template and not model.vocabulary.ids(self.marker))

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Text, the marker, a name, `(`, typed arguments, `)`; with results `)=` and a text that the host writes."""
        call = _named(tools, lambda tool: self._arguments(tool, results))
        return _started(self.marker, call, start)

    def _arguments(self, tool: Tool, results: bool) -> Grammar:
        name = Label("name", tool.name)
        close = Labelled(name, sequence(b")=" if results else b")"))
        result = Labelled(Label("result", tool.name), HostText()) if results else EMPTY
        return sequence(Labelled(name, sequence(b"(")), positional(tool, self.writing), close, result)

    def unguided(self) -> Grammar:
        return anything()

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt:
        """A system line `Tools: f(a: int), …` where documentation is wanted, and the question."""
        listed = f"Tools: {signatures(tools)}" if documentation else ""
        if self.instructions:
            example = f"{self.marker}add(1, 2)"
            how = f"To call a tool, write {self.marker}name(arguments) in your answer, for example {example}."
            listed = f"{how}\n{listed}".strip()
        return _prompt(listed, question)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.positional_calls(text, tools, self.marker)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> Host:
        return Results(self, tuple(tools), dict(results or {}))


@dataclass(frozen=True, slots=True)
class JsonTags:
    """`<tool_call>{"name": …, "arguments": {…}}</tool_call>`, as Hermes and Qwen models write it.

    native  the model's chat template lists the tools itself
    """

    marker: str = "<tool_call>"
    end: str = "</tool_call>"
    native: bool = False
    writing: Writing = DUMPS

    def for_model(self, model: ModelTraits) -> JsonTags:
        return replace(self, native=model.has_tool_template)

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Text, the opening tag, an object with name and arguments, the closing tag."""
        name = Label("name")
        call = sequence(
            Labelled(name, sequence(b'\n{"name": "')),
            _named(tools, self._arguments, quote=True),
            Labelled(name, sequence(b"}\n")),
            Labelled(name, Special(self.end)),
            Labelled(Label("result"), HostText()) if results else EMPTY,
        )
        return _started(self.marker, call, start)

    def _arguments(self, tool: Tool) -> Grammar:
        try:
            value = _named_object(tool, self.writing)
        except SchemaError as error:
            raise _at_tool(error, tool) from None
        return sequence(Labelled(Label("name", tool.name), sequence(b'", "arguments": ')), value)

    def unguided(self) -> Grammar:
        return anything()

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt:
        """The tools go to the chat template where it takes them; otherwise a system line lists them."""
        if self.native:
            return Prompt(({"role": "user", "content": question},), tuple(tools) if documentation else ())
        listed = f"JSON tools: {signatures(tools)}" if documentation else "JSON tools:"
        return _prompt(listed, question)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.tagged_calls(text, tools, self.marker, self.end)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> Host:
        given = dict(results or {})
        return Results(self, tuple(tools), given, "\n<tool_response>\n", "\n</tool_response>\n")


SCHEMES: Mapping[str, Scheme] = MappingProxyType({"special_token": SpecialToken(), "json_tags": JsonTags()})
"""The schemes by name."""


def anything() -> Grammar:
    """The machine with one state: every token, at any time (unguided decoding)."""
    return Until("")


def positional(tool: Tool, writing: Writing) -> Grammar:
    """A tool's arguments by position: `5, "x"`; optional ones are dropped from the right, `*args` may be many."""
    parameters = tool.arguments
    needed = max((index for index, p in enumerate(parameters, 1) if p.required and not p.variadic), default=0)
    tail: Grammar = EMPTY
    for index in range(len(parameters) - 1, -1, -1):
        parameter = parameters[index]
        if parameter.variadic:
            tail = _variadic(tool, parameter, writing, first=index == 0)
            continue
        value = _argument(tool, parameter, parameter.schema, writing)
        tail = sequence(value, tail) if index == 0 else sequence(_comma(tool, writing), value, tail)
        if index >= needed:
            tail = tail.optional()
    return tail


def _variadic(tool: Tool, parameter: Parameter, writing: Writing, first: bool) -> Grammar:
    value = _argument(tool, parameter, parameter.schema.get("items", True), writing)
    low, high = parameter.schema.get("minItems", 0), parameter.schema.get("maxItems")
    if first:
        return items([], value, low, high, _comma(tool, writing))
    return sequence(_comma(tool, writing), value).repeat(low, high)


def _comma(tool: Tool, writing: Writing) -> Grammar:
    return Labelled(Label("argument", tool.name), writing.comma)


def _argument(tool: Tool, parameter: Parameter, schema: object, writing: Writing) -> Grammar:
    try:
        grammar = argument(schema, writing, f"$.{parameter.name}", tool.parameters)
    except SchemaError as error:
        raise _at_tool(error, tool) from None
    return Labelled(Label("argument", tool.name, parameter.name), grammar)


def _named_object(tool: Tool, writing: Writing) -> Grammar:
    """The arguments object, the states of each property labelled with it."""
    label = Label("argument", tool.name)
    values = {p.name: _argument(tool, p, p.schema, writing) for p in tool.arguments}
    return Labelled(label, object_of(tool.parameters, values, writing))


def _named(tools: Sequence[Tool], tail: Any, quote: bool = False) -> Grammar:
    """The tools' names, each followed by its tail; all tails are checked now, so that none fails in a run."""
    if not tools:
        raise UsageError("there are no tools", fix="give at least one, such as `def square(side: int)`")
    spelled = [(json.dumps(t.name, ensure_ascii=False)[1:-1] if quote else t.name).encode() for t in tools]
    ranks = tuple(sorted(range(len(tools)), key=spelled.__getitem__))
    words = tuple(spelled[rank] for rank in ranks)
    for one, two in pairwise(words):
        if one == two:
            raise UsageError(f"two tools are called `{one.decode()}`", fix="rename one of them")
    for tool in tools:
        tail(tool)
    return Labelled(Label("name"), Names(words, lambda index: tail(tools[ranks[index]]), ranks))


def _started(marker: str, call: Grammar, start: Start) -> Grammar:
    if start == "call":
        return sequence(Labelled(TEXT, Special(marker)), call)
    if start != "text":
        raise UsageError(f"unknown start {start!r}", fix="use `text` or `call`")
    return Forever(sequence(Labelled(TEXT, Until(marker)), call))


def _prompt(system: str, question: str) -> Prompt:
    user = {"role": "user", "content": question}
    return Prompt(({"role": "system", "content": system}, user) if system else (user,))


def _at_tool(error: SchemaError, tool: Tool) -> SchemaError:
    """The same error, with the tool's name and its place in the text."""
    return SchemaError(
        f"in `{tool.name}`: {error.message}",
        path=error.path,
        keyword=error.keyword,
        line=tool.line,
        column=tool.column,
        fix=error.fix,
    )
