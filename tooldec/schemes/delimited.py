"""Calls of Gemma, whose keys stand without quotes and whose strings between special tokens, each family a row of text.

Gemma 4          … <|tool_call>call:find{city:<|"|>Rome<|"|>,days:3}<tool_call|> …
FunctionGemma    … <start_function_call>call:find{city:<escape>Rome<escape>,days:3}<end_function_call> …

Members come in the order of their names, as in the models' templates. No string can hold a token that would end it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from tooldec import reading
from tooldec.arguments import DUMPS, Fashion, Notation, Writing
from tooldec.arguments.bare import KEY, can_be
from tooldec.grammar import EMPTY, Grammar, Literal
from tooldec.grammar import sequence as seq
from tooldec.reading import Frame
from tooldec.schemes.base import Start
from tooldec.schemes.calls import as_read, check, check_tools, result_text, started, unnamable
from tooldec.schemes.framed import block
from tooldec.schemes.host import ResultHost, Results
from tooldec.schemes.json_calls import JsonCalls
from tooldec.tools import Tool, ToolCall

_GEMMA = Frame(
    marker="<|tool_call>",
    before="call:",
    between="{",
    after="}",
    more=None,
    closing="<tool_call|>",
    result=("<|tool_response>", "<tool_response|>"),
)
DELIMITED: Mapping[str, tuple[Frame, str]] = MappingProxyType(
    {
        "gemma": (_GEMMA, '<|"|>'),
        "function_gemma": (
            replace(
                _GEMMA,
                marker="<start_function_call>",
                closing="<end_function_call>",
                result=("<start_function_response>", "<end_function_response>"),
            ),
            "<escape>",
        ),
    }
)
"""By family: what stands around a name and its arguments, and around a string."""


@dataclass(frozen=True, slots=True)
class DelimitedCalls(JsonCalls):
    """Calls between two tokens, in a notation of their own."""

    frame: Frame = _GEMMA
    delimiter: str = DELIMITED["gemma"][1]
    native: bool = False
    writing: Writing = DUMPS

    @property
    def marker(self) -> str:
        return self.frame.marker

    def is_like(self, other: object) -> bool:
        return isinstance(other, DelimitedCalls) and (other.frame, other.delimiter) == (self.frame, self.delimiter)

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Text and calls, each between tokens of its own."""
        check(start)
        check_tools(tools)
        for tool in tools:
            _check_name(tool)
        call = block(self.frame, tools, _between(self.writing, self.frame, self.delimiter), several=False)
        return started(self.marker, seq(call, result_text()) if results else call, start)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.delimited_calls(text, as_read(tools, self.writing), self.frame, self.delimiter)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        return Results(self, tuple(tools), dict(results or {}), *self.frame.result, (self.marker,))


@lru_cache(maxsize=64)
def _between(writing: Writing, frame: Frame, delimiter: str) -> Writing:
    """A way to write values, with strings between delimiters and keys without quotes."""
    comma, colon = Literal(b","), Literal(b":")
    barred = tuple(text.encode() for text in (delimiter, frame.closing, frame.marker))
    fashion = Fashion(EMPTY, EMPTY, colon, EMPTY, comma, EMPTY, names=KEY, barred=barred)
    notation = Notation(delimiter=delimiter, keys=KEY)
    return replace(writing, comma=comma, colon=colon, pad=EMPTY, outer=fashion, notation=notation, by_name=True)


def _check_name(tool: Tool) -> None:
    """Raises SchemaError for a tool whose name can't stand before `{`."""
    if not can_be(tool.name, KEY) or " " in tool.name:
        raise unnamable(tool, "stand before arguments in braces", KEY.fix)
