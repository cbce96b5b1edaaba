"""Harmony, the form of gpt-oss: an answer is messages in channels, and a call is one that is addressed to a function.

    <|channel|>analysis<|message|>I need a sum.<|end|><|start|>assistant
    <|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a": 2, "b": 3}

(in one line). Behind a call `<|call|>` ends the answer, which is an end for the tokenizer, as `<|return|>` is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tooldec import reading
from tooldec.arguments import DUMPS, Writing
from tooldec.grammar import EMPTY, TEXT, Forever, Grammar, Labelled, Special, Until, choice
from tooldec.grammar import sequence as seq
from tooldec.schemes.base import Start
from tooldec.schemes.calls import as_read, check, named_call, result_text
from tooldec.schemes.host import ResultHost, Results
from tooldec.schemes.json_calls import NAME, JsonCalls
from tooldec.tools import Tool, ToolCall

_SPECIALS = ("<|start|>", "<|channel|>", "<|constrain|>", "<|message|>", "<|call|>", "<|return|>")
_BETWEEN = seq(b" ", Special("<|constrain|>"), b"json", Special("<|message|>"))
_NEXT = seq(Special("<|start|>"), b"assistant")


@dataclass(frozen=True, slots=True)
class Harmony(JsonCalls):
    """Thoughts, comments and one call or a final message; the host's result is a message of the function."""

    native: bool = False
    writing: Writing = DUMPS

    @property
    def marker(self) -> str:
        return "<|channel|>commentary to=functions."

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """With results text and other calls may follow a result."""
        check(start)
        call = seq(
            Labelled(NAME, seq(Special("<|channel|>"), b"commentary to=functions.")),
            named_call(tools, _BETWEEN, self.writing),
            result_text() if results else EMPTY,
        )
        if start == "call":
            return call
        said = choice([_message("analysis"), _message("commentary")])
        final = Labelled(TEXT, seq(Special("<|channel|>"), b"final", Special("<|message|>"), Until("", _SPECIALS)))
        begun = Labelled(TEXT, _NEXT)
        thoughts = seq(said, begun).repeat()
        if start == "none":
            return seq(thoughts, final)
        answer = seq(thoughts, choice([call, final]))
        return Forever(seq(begun.optional(), answer)) if results else answer

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.framed_calls(text, as_read(tools, self.writing), _FRAME)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        return Results(self, tuple(tools), dict(results or {}), "\n", "\n")


def _message(channel: str) -> Grammar:
    text = seq(Special("<|message|>"), Until("<|end|>", _SPECIALS, ends=False))
    return Labelled(TEXT, seq(Special("<|channel|>"), channel.encode(), text))


_FRAME = reading.Frame(
    marker="<|channel|>commentary to=functions.", between="{ }<|constrain|>json<|message|>", more=None
)
