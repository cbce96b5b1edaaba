"""Strings of calls quoted from what has been said: a scheme for one question, whose machine makes up no text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from tooldec.arguments.spans import spans
from tooldec.errors import UsageError
from tooldec.schemes.base import Scheme
from tooldec.schemes.relaxing import written
from tooldec.tools import Tool

S = TypeVar("S", bound=Scheme)


def quoting(scheme: S, tools: Sequence[Tool], *texts: str) -> S:
    """The scheme, its strings spans of these texts, or of a default of the tools'.

    A string that has a pattern, a format, or at most CODE characters, is what its schema says, and so are constants,
    names of properties and what ReAct's `Finish` answers. The empty string stands for what nobody has said. Where
    nothing that was said is as long as a string must be, it may be any.
    Raises UsageError where the texts are too long for that.

    texts   the question, and what else has been said: the results that a host will write

    >>> from tooldec import SCHEMES, parse_tools
    >>> from tooldec.automaton import DFA
    >>> tools = parse_tools("def weather(city: str)")
    >>> scheme = quoting(SCHEMES["special_token"], tools, "Will it rain in New York?")
    >>> dfa = DFA(scheme.grammar(tools, start="call"))
    >>> dfa.read(b'<T>weather("New York")') is None, dfa.read(b'<T>weather("Boston")') is None
    (False, True)
    """
    said = tuple(dict.fromkeys((*texts, *(text for tool in tools for text in _defaults(tool.parameters)))))
    try:
        spans(said)
    except OverflowError:
        raise UsageError(
            f"strings can't be quoted from {sum(map(len, said)):,} characters: that machine is too large",
            fix="shorten the question, or admit any string",
        ) from None
    return written(scheme, texts=said)


def _defaults(schema: Any) -> Iterator[str]:
    """The strings that are defaults anywhere in a schema."""
    if isinstance(schema, Mapping):
        if isinstance(schema.get("default"), str):
            yield schema["default"]
        for inner in schema.values():
            yield from _defaults(inner)
    elif isinstance(schema, list | tuple):
        for inner in schema:
            yield from _defaults(inner)
