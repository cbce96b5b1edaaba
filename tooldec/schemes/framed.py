"""Calls in the frames of model families: what stands around a name and its object of arguments is a row of text.

Mistral         … [TOOL_CALLS] [{"name": "find", "arguments": {"city": "Rome"}}, …]
    since 2025  … [TOOL_CALLS]find[ARGS]{"city": "Rome"}[TOOL_CALLS]…
DeepSeek        … <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>find<｜tool▁sep｜>{"city": "Rome"}<｜tool▁call▁end｜>…
Kimi K2         … <|tool_calls_section_begin|><|tool_call_begin|>functions.find:0<|tool_call_argument_begin|>{…}…
Granite 3       … <|tool_call|>[{"name": "find", "arguments": {"city": "Rome"}}, …]
Command         … <|START_ACTION|>[{"tool_call_id": "0", "tool_name": "find", "parameters": {"city": "Rome"}}]…
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_letters, digits
from types import MappingProxyType
from typing import Any

from tooldec import reading
from tooldec.arguments import DUMPS, Writing
from tooldec.grammar import (
    EMPTY,
    TEXT,
    Forever,
    Grammar,
    Labelled,
    Literal,
    Special,
    Submachine,
    SymbolClass,
    Until,
)
from tooldec.grammar import sequence as seq
from tooldec.reading.frames import PIECE, Frame, cut
from tooldec.schemes.base import Start
from tooldec.schemes.calls import as_read, check, named_call, result_text, without
from tooldec.schemes.host import ResultHost, Results
from tooldec.schemes.json_calls import NAME, JsonCalls
from tooldec.tools import Tool, ToolCall

_LISTED = Frame(
    marker="[TOOL_CALLS]",
    opening="{ }[",
    before='{"name": "',
    between='", "arguments": ',
    after="}",
    more=", ",
    closing="]",
    keys=("name", "arguments"),
    result=("\n[TOOL_RESULTS]", "[/TOOL_RESULTS]\n"),
)
_BARE = Frame(_LISTED.marker, between="[ARGS]", more=_LISTED.marker, result=_LISTED.result)
_DEEPSEEK = Frame(
    marker="<｜tool▁calls▁begin｜>",
    before="<｜tool▁call▁begin｜>",
    between="<｜tool▁sep｜>",
    after="<｜tool▁call▁end｜>",
    closing="<｜tool▁calls▁end｜>",
    result=("\n<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>\n"),
)
FRAMES: Mapping[str, Frame] = MappingProxyType(
    {
        "mistral": _LISTED,
        "mistral_args": _BARE,
        "mistral_ids": replace(_BARE, between="[CALL_ID]{9}[ARGS]"),
        "deepseek": _DEEPSEEK,
        "deepseek_fenced": replace(
            _DEEPSEEK,
            before=f"{_DEEPSEEK.before}function{_DEEPSEEK.between}",
            between="\n```json\n",
            after=f"\n```{_DEEPSEEK.after}",
            more="\n",
        ),
        "kimi": Frame(
            marker="<|tool_calls_section_begin|>",
            before="<|tool_call_begin|>functions.",
            between=":{0}<|tool_call_argument_begin|>",
            after="<|tool_call_end|>",
            closing="<|tool_calls_section_end|>",
        ),
        "granite": replace(_LISTED, marker="<|tool_call|>", opening="[", result=("\n", "\n")),
        "command": Frame(
            marker="<|START_ACTION|>",
            opening="[\n    ",
            before='{"tool_call_id": "{0}", "tool_name": "',
            between='", "parameters": ',
            after="}",
            more=",\n    ",
            closing="\n]<|END_ACTION|>",
            keys=("tool_name", "parameters"),
        ),
    }
)
"""The frames by family. DeepSeek's with fences is that of V3 and R1, the other one V3.1's; Mistral's by the year."""

_KINDS: Mapping[str, Grammar] = MappingProxyType(
    {
        "{ }": Literal(b" ").optional(),
        "{0}": Submachine("IdFSM", SymbolClass.of(digits.encode()).repeat(1, 3)),
        "{9}": Submachine("IdFSM", SymbolClass.of((digits + ascii_letters).encode()).repeat(9, 9)),
    }
)
"""What in a piece of a frame stands for several texts."""


@dataclass(frozen=True, slots=True)
class Framed(JsonCalls):
    """Calls behind the marker of a family; those of one answer stand together, and end it."""

    frame: Frame
    native: bool = False
    writing: Writing = DUMPS

    @property
    def marker(self) -> str:
        return self.frame.marker

    def is_like(self, other: object) -> bool:
        return isinstance(other, Framed) and other.frame == self.frame

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """With results only one call, which the host answers; text and other calls may follow."""
        check(start)
        calls = block(self.frame, tools, self.writing, several=start != "call" and not results)
        calls = seq(calls, result_text()) if results else calls
        if start == "call":
            return seq(Labelled(TEXT, Special(self.marker)), calls)
        if start == "none":
            return without(self.marker)
        answer = seq(Labelled(TEXT, Until(self.marker)), calls)
        return Forever(answer) if results else answer

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.framed_calls(text, as_read(tools, self.writing), self.frame)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        return Results(self, tuple(tools), dict(results or {}), *self.frame.result, (self.marker,))


def block(frame: Frame, tools: Sequence[Tool], writing: Writing, several: bool) -> Grammar:
    """What follows a marker: one call, or several that go together, and what ends them."""
    one = seq(
        Labelled(NAME, written(frame.before)),
        named_call(tools, written(frame.between), writing, quote=frame.before.endswith('"')),
        Labelled(NAME, written(frame.after)),
    )
    more = EMPTY if frame.more is None or not several else seq(Labelled(NAME, written(frame.more)), one).repeat()
    return seq(Labelled(NAME, written(frame.opening)), one, more, Labelled(NAME, written(frame.closing)))


def written(piece: str) -> Grammar:
    """What a piece of a frame stands for: special tokens, ids and numbers, and what is read letter by letter.

    >>> print(written("</function>\\n<x"))
    Sequence(Special(</function>), Literal(b'\\n<x'))
    """
    parts = [_KINDS.get(part) or (Special(part) if PIECE.fullmatch(part) else part.encode()) for part in cut(piece)]
    return seq(*parts) if parts else EMPTY
