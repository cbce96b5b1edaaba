"""Calls as JSON objects between tags, or alone; `framed` has those of other families.

Hermes, Qwen    … <tool_call>\\n{"name": "find", "arguments": {"city": "Rome"}}\\n</tool_call> …
Llama 3         {"name": "find", "parameters": {"city": "Rome"}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tooldec import reading
from tooldec.arguments import DUMPS, Writing
from tooldec.grammar import EMPTY, TEXT, Grammar, Labelled, Literal, Special, SymbolClass, Until
from tooldec.grammar import sequence as seq
from tooldec.schemes.base import Start
from tooldec.schemes.calls import as_read, check, named_call, result_text, started
from tooldec.schemes.host import ResultHost, Results
from tooldec.schemes.json_calls import NAME, JsonCalls
from tooldec.tools import Tool, ToolCall


@dataclass(frozen=True, slots=True)
class JsonTags(JsonCalls):
    """An object between two tags; several calls are several pairs of tags."""

    marker: str = "<tool_call>"
    end: str = "</tool_call>"
    native: bool = False
    writing: Writing = DUMPS

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Text, the opening tag, an object with name and arguments, the closing tag."""
        call = seq(
            Labelled(NAME, seq(b'\n{"name": "')),
            named_call(tools, seq(b'", "arguments": '), self.writing, quote=True),
            Labelled(NAME, seq(b"}\n")),
            Labelled(NAME, Special(self.end)),
            result_text() if results else EMPTY,
        )
        return started(self.marker, call, start)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.tagged_calls(text, as_read(tools, self.writing), self.marker, self.end)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        given, barred = dict(results or {}), (self.marker,)
        return Results(self, tuple(tools), given, "\n<tool_response>\n", "\n</tool_response>\n", barred)


@dataclass(frozen=True, slots=True)
class LlamaJson(JsonCalls):
    """An answer that begins with `{` is a call, any other a text; with results text follows the call."""

    marker: str = '{"name": "'
    native: bool = False
    writing: Writing = DUMPS

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Without results one call and nothing else; an answer in words doesn't begin with `{` or a space."""
        check(start)
        call = seq(
            Labelled(NAME, Literal(self.marker.encode())),
            named_call(tools, seq(b'", "parameters": '), self.writing, quote=True),
            Labelled(NAME, seq(b"}")),
            result_text() if results else EMPTY,
        )
        if start == "call":
            return call
        first = Labelled(TEXT, SymbolClass(frozenset(range(256)) - frozenset(b"{ \t\r\n")))
        rest = Labelled(TEXT, Until(""))
        words = seq(first, rest).optional()
        if start == "none":
            return words
        return (seq(call, rest) if results else call) | words

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming what isn't valid, and why."""
        return reading.leading_calls(text, as_read(tools, self.writing))

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        return Results(self, tuple(tools), dict(results or {}), "\n", "\n")
