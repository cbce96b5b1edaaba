"""Calls as JSON objects, in the form that a model's family was trained on; the chat template tells which.

Hermes, Qwen    … <tool_call>\\n{"name": "find", "arguments": {"city": "Rome"}}\\n</tool_call> …
Llama 3         {"name": "find", "parameters": {"city": "Rome"}}
Mistral         … [TOOL_CALLS] [{"name": "find", "arguments": {"city": "Rome"}}, …]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from tooldec import reading
from tooldec.arguments import DUMPS, Writing
from tooldec.grammar import EMPTY, TEXT, Forever, Grammar, Label, Labelled, Literal, Special, SymbolClass, Until
from tooldec.grammar import sequence as seq
from tooldec.schemes.base import ModelTraits, Prompt, Scheme, Start, prompt_of
from tooldec.schemes.calls import anything, as_read, check, named, named_object, result_text, started, without
from tooldec.schemes.host import ResultHost, Results
from tooldec.schemes.tagged_arguments import TaggedArguments, family_of
from tooldec.tools import Tool, ToolCall, signatures

_NAME = Label("name")


class _JsonCalls:
    """What the families share.

    native  the model's chat template lists the tools itself
    """

    __slots__ = ()
    native: bool
    writing: Writing

    @property
    def result_sign(self) -> str:
        return ""

    def for_model(self, model: ModelTraits) -> Scheme:
        """The family that the model's chat template speaks of, and this one where it speaks of none."""
        template = getattr(model, "chat_template", "")
        if (tagged := family_of(template)) is not None:
            return TaggedArguments(tagged, model.has_tool_template, self.writing)
        family: Any = next((scheme for fits, scheme in _FAMILIES if fits(template)), type(self))
        kept: Any = self if isinstance(self, family) else family(writing=self.writing)
        return cast("Scheme", replace(kept, native=model.has_tool_template))

    def unguided(self) -> Grammar:
        return anything()

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt:
        """The tools go to the chat template where it takes them; otherwise a system line lists them."""
        if self.native:
            return Prompt(({"role": "user", "content": question},), tuple(tools) if documentation else ())
        return prompt_of(f"JSON tools: {signatures(tools)}" if documentation else "JSON tools:", question)

    def _call(self, tools: Sequence[Tool], key: bytes) -> Grammar:
        """`square", "arguments": {"side": 5}`: from the name on, to the end of the arguments."""

        def arguments(tool: Tool) -> Grammar:
            between = Labelled(Label("name", tool.name), seq(b'", "' + key + b'": '))
            return seq(between, named_object(tool, self.writing))

        return named(tools, arguments, self.writing, quote=True)


@dataclass(frozen=True, slots=True)
class JsonTags(_JsonCalls):
    """An object between two tags; several calls are several pairs of tags."""

    marker: str = "<tool_call>"
    end: str = "</tool_call>"
    native: bool = False
    writing: Writing = DUMPS

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Text, the opening tag, an object with name and arguments, the closing tag."""
        call = seq(
            Labelled(_NAME, seq(b'\n{"name": "')),
            self._call(tools, b"arguments"),
            Labelled(_NAME, seq(b"}\n")),
            Labelled(_NAME, Special(self.end)),
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
class LlamaJson(_JsonCalls):
    """An answer that begins with `{` is a call, any other a text; with results text follows the call."""

    marker: str = '{"name": "'
    native: bool = False
    writing: Writing = DUMPS

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Without results one call and nothing else; an answer in words doesn't begin with `{` or a space."""
        check(start)
        call = seq(
            Labelled(_NAME, Literal(self.marker.encode())),
            self._call(tools, b"parameters"),
            Labelled(_NAME, seq(b"}")),
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


@dataclass(frozen=True, slots=True)
class MistralJson(_JsonCalls):
    """A list of objects behind `[TOOL_CALLS]`: parallel calls stand in one list, which ends the answer."""

    marker: str = "[TOOL_CALLS]"
    native: bool = False
    writing: Writing = DUMPS

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """With results a list has one call, which the host answers; text and other calls may follow."""
        check(start)
        one = seq(Labelled(_NAME, seq(b'{"name": "')), self._call(tools, b"arguments"), Labelled(_NAME, seq(b"}")))
        more = EMPTY if start == "call" or results else seq(Labelled(_NAME, seq(b", ")), one).repeat()
        calls = seq(
            Labelled(_NAME, seq(seq(b" ").optional(), b"[")),
            one,
            more,
            Labelled(_NAME, seq(b"]")),
            result_text() if results else EMPTY,
        )
        if start == "call":
            return seq(Labelled(TEXT, Special(self.marker)), calls)
        if start == "none":
            return without(self.marker)
        answer = seq(Labelled(TEXT, Until(self.marker)), calls)
        return Forever(answer) if results else answer

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.listed_calls(text, as_read(tools, self.writing), self.marker)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        return Results(self, tuple(tools), dict(results or {}), "\n[TOOL_RESULTS]", "[/TOOL_RESULTS]\n", (self.marker,))


_FAMILIES: tuple[tuple[Callable[[str], bool], type[JsonTags | LlamaJson | MistralJson]], ...] = (
    (lambda template: "<tool_call>" in template, JsonTags),
    (lambda template: "[TOOL_CALLS]" in template, MistralJson),
    (lambda template: "<|start_header_id|>" in template and '"parameters"' in template, LlamaJson),
)
"""What a chat template says → the family."""
