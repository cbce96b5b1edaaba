"""Parts that grammars of several schemes share: names, arguments by position or as an object, and how calls start."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tooldec.arguments import POSITIONAL, Writing, argument, by_position, is_known, items, object_of
from tooldec.arguments.contradictions import settled_all
from tooldec.arguments.keywords import CONSTRAINING
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
    Noted,
    Special,
    Until,
    sequence,
)
from tooldec.schemes.base import Start
from tooldec.signatures.source import quoted
from tooldec.tools import OTHERS, Parameter, Tool

VARIADIC = frozenset({"type", "items", "minItems", "maxItems"})
"""What the schema of `*args` may say by position."""

KEPT = 256
"""So many tools keep the grammars that they were checked with; more would cost memory for tools that no run calls."""


def anything() -> Grammar:
    """The machine with one state: every token, at any time (unguided decoding)."""
    return Until("")


def started(marker: str, call: Grammar, start: Start, barred: tuple[str, ...] = ()) -> Grammar:
    """Text with calls that the marker begins; one forced call; or text without the marker. `barred` is no text."""
    check(start)
    if start == "call":
        return sequence(Labelled(TEXT, Special(marker)), call)
    if start == "none":
        return without(marker, *barred)
    return Forever(sequence(Labelled(TEXT, Until(marker, barred)), call))


def check(start: str) -> None:
    """Raises UsageError for a start that is none."""
    if start not in ("text", "call", "none"):
        raise UsageError(f"unknown start {start!r}", fix="use `text`, `call` or `none`")


def check_tools(tools: object) -> None:
    """Raises UsageError for anything but a sequence of tools, such as their signatures as text."""
    if not isinstance(tools, Sequence) or isinstance(tools, str):
        raise UsageError(f"{quoted(str(tools))} is no list of tools", fix="use parse_tools")
    if wrong := [one for one in tools if not isinstance(one, Tool)]:
        raise UsageError(f"{quoted(str(wrong[0]))} is no tool", fix="use parse_tools")


def without(*markers: str) -> Grammar:
    """Text in which no call can begin (no tool choice)."""
    return Labelled(TEXT, Until("", markers))


def named(tools: Sequence[Tool], tail: Callable[[Tool], Grammar], writing: Writing, quote: bool = False) -> Grammar:
    """The tools' names, each followed by its tail; all tails are checked now, so that none fails in a run.

    The tails of many tools with arguments like those of others aren't built: they differ in names only.
    """
    check_tools(tools)
    if not tools:
        raise UsageError("there are no tools", fix="give at least one, such as `def square(side: int)`")
    spelled = [_name(tool, quote) for tool in tools]
    ranks = tuple(sorted(range(len(tools)), key=spelled.__getitem__))
    words = tuple(spelled[rank] for rank in ranks)
    for one, two in pairwise(words):
        if one == two:
            raise UsageError(f"two tools are called `{one.decode()}`", fix="rename one of them")
    tails = {}
    for index, rank in enumerate(ranks):
        if index < KEPT:
            tails[index] = tail(tools[rank])
        elif not is_known(tools[rank].parameters, writing):
            tail(tools[rank])

    def later(index: int) -> Grammar:
        return tails.get(index) or tail(tools[ranks[index]])

    return Labelled(Label("name"), Names(words, later, ranks))


def _name(tool: Tool, quote: bool) -> bytes:
    with _told_of(tool):
        return (json.dumps(tool.name, ensure_ascii=False)[1:-1] if quote else tool.name).encode()


def bracketed(tool: Tool, results: bool, close: bytes, writing: Writing = POSITIONAL) -> Grammar:
    """`(5, "x")` with a closing text, and with results a text that the host writes."""
    name = Label("name", tool.name)
    return sequence(
        Labelled(name, sequence(b"(")),
        positional(tool, writing),
        Labelled(name, sequence(close)),
        result_text(tool.name) if results else EMPTY,
    )


def as_read(tools: Sequence[Tool], writing: Writing) -> Sequence[Tool]:
    """The tools as a reader judges them: open objects may have other names, and what is left unchecked is so here."""
    if writing.relax:
        tools = tuple(replace(tool, parameters=settled_all(tool.parameters)) for tool in tools)
    if not writing.open_objects:
        return tools
    return tuple(replace(tool, parameters={"additionalProperties": True, **tool.parameters}) for tool in tools)


def result_text(tool: str | None = None) -> Grammar:
    """The place where the host writes a result."""
    return Labelled(Label("result", tool), HostText())


def positional(tool: Tool, writing: Writing) -> Grammar:
    """A tool's arguments by position: `5, "x"`; optional ones are dropped from the right, `*args` may be many."""
    parameters = tool.arguments[: _writable(tool)]
    needed = max((index for index, p in enumerate(parameters, 1) if _is_needed(p)), default=0)
    tail: Grammar = EMPTY
    for index in range(len(parameters) - 1, -1, -1):
        parameter = parameters[index]
        if parameter.variadic:
            if index < len(parameters) - 1:
                reason = f"nothing can follow it by position, and `{parameters[index + 1].name}` does"
                raise _refused(tool, parameter, reason, "move it to the end, or use `json_tags`")
            tail = _variadic(tool, parameter, writing, first=index == 0)
            continue
        value = _argument(tool, parameter, parameter.schema, writing)
        tail = sequence(value, tail) if index == 0 else sequence(_comma(tool, writing), value, tail)
        if index >= needed:
            tail = tail.optional()
    with _told_of(tool):
        return _noted(tool, by_position(tool.parameters, tail, writing))


def named_call(tools: Sequence[Tool], between: Grammar, writing: Writing, quote: bool = False) -> Grammar:
    """A name, what stands behind it, and the object of its arguments: `square", "arguments": {"side": 5}`."""

    def tail(tool: Tool) -> Grammar:
        return sequence(Labelled(Label("name", tool.name), between), named_object(tool, writing))

    return named(tools, tail, writing, quote)


def named_object(tool: Tool, writing: Writing, answers: bool = False) -> Grammar:
    """The arguments object, the states of each property labelled with it; `answers` as in `Label`."""
    with _told_of(tool):
        values = {p.name: _argument(tool, p, p.schema, writing, answers) for p in tool.arguments if not p.impossible}
        others = Label("argument", tool.name, OTHERS, tool.parameters.get("additionalProperties", {}), answers)
        written = _noted(tool, object_of(tool.parameters, values, writing, others))
        return Labelled(Label("argument", tool.name, answers=answers), written)


def _writable(tool: Tool) -> int:
    """How many arguments come before one that can't have a value, which ends the list."""
    parameters = tool.arguments
    place = next((index for index, p in enumerate(parameters) if p.impossible), len(parameters))
    if after := [p.name for p in parameters[place:] if _is_needed(p)]:
        reason = f"no value satisfies `false`, and `{after[0]}` is needed"
        raise _refused(tool, parameters[place], reason, "move it to the end, or use `json_tags`", empty=True)
    return place


def _is_needed(parameter: Parameter) -> bool:
    """Whether a call has to give it, and so all before it."""
    return parameter.schema.get("minItems", 0) > 0 if parameter.variadic else parameter.required


def _variadic(tool: Tool, parameter: Parameter, writing: Writing, first: bool) -> Grammar:
    for keyword in sorted(parameter.schema.keys() & CONSTRAINING - VARIADIC):
        if parameter.schema[keyword] is not False:  # such as uniqueItems
            reason = f"`{keyword}` can't be enforced by position"
            raise _refused(tool, parameter, reason, "leave it out, or use `json_tags`", keyword=keyword)
    value = _argument(tool, parameter, parameter.schema.get("items", True), writing)
    low, high = parameter.schema.get("minItems", 0), parameter.schema.get("maxItems")
    if first:
        return items([], value, low, high, _comma(tool, writing))
    return sequence(_comma(tool, writing), value).repeat(low, high)


def _comma(tool: Tool, writing: Writing) -> Grammar:
    return Labelled(Label("argument", tool.name), writing.comma)


def _argument(tool: Tool, parameter: Parameter, schema: object, writing: Writing, answers: bool = False) -> Grammar:
    path = f"$.{parameter.name}"
    with _told_of(tool, path):
        grammar = _noted(tool, argument(schema, writing, path, tool.parameters))
    return Labelled(Label("argument", tool.name, parameter.name, schema, answers), grammar)


def _noted(tool: Tool, grammar: Grammar) -> Grammar:
    """A note tells the tool's name behind its path, as an error does."""
    if not isinstance(grammar, Noted):
        return grammar
    parts = (note.partition(": ") for note in grammar.notes)
    return replace(grammar, notes=tuple(f"{path}: in `{tool.name}`: {said}" for path, _, said in parts))


def unnamable(tool: Tool, where: str, fix: str) -> SchemaError:
    """The error for a tool whose name can't stand where a form of calls has it."""
    message = f"the name `{tool.name}` can't {where}"
    return SchemaError(message, path="$", tool=tool.name, line=tool.line, column=tool.column, fix=fix)


def _refused(tool: Tool, parameter: Parameter, reason: str, fix: str, **more: Any) -> SchemaError:
    """The error for an argument that position can't write."""
    path, line, column = f"$.{parameter.name}", tool.line, tool.column
    message = f"in `{tool.name}`: {reason}"
    return SchemaError(message, path=path, tool=tool.name, line=line, column=column, fix=fix, **more)


@contextmanager
def _told_of(tool: Tool, path: str = "$") -> Iterator[None]:
    """Errors of a schema tell the tool's name and its place in the text."""
    try:
        yield
    except SchemaError as error:
        if error.tool:
            raise
        message, keyword, empty, path, fix = error.message, error.keyword, error.empty, error.path, error.fix
    except RecursionError:
        message, keyword, empty, fix = "it nests, or refers on, too deep", None, False, "flatten it"
    except UnicodeEncodeError as error:
        half = f"U+{ord(error.object[error.start]):04X}"
        message = f"{quoted(error.object.strip(chr(34)))} holds half a character (a lone surrogate), {half}"
        keyword, empty, fix = None, False, "remove it"
    else:
        return
    place = {"line": tool.line, "column": tool.column}
    raise SchemaError(
        f"in `{tool.name}`: {message}", path=path, keyword=keyword, empty=empty, tool=tool.name, fix=fix, **place
    )
