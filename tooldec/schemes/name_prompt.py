"""Figure 6: where a call begins the host asks for the tool's name, and then writes the call anew with it.

… 3.64-1.23=<T>                                                      the model begins a call
… 3.64-1.23=<T>(performing the math operation named:                 the host asks
… 3.64-1.23=<T>(performing the math operation named: subtract)       the model names a tool, under the machine
… 3.64-1.23=<subtract>(                                              the host rewrites, the model goes on
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tooldec import reading
from tooldec.arguments import POSITIONAL, Writing
from tooldec.grammar import EMPTY, Grammar, HostText, Label, Labelled, sequence
from tooldec.schemes.base import ModelTraits, Prompt, Start, prompt_of
from tooldec.schemes.calls import anything, as_read, named, positional, result_text, started
from tooldec.schemes.host import Edit, ResultHost, Results
from tooldec.tools import Tool, ToolCall, signatures

MATH = "(performing the math operation named: "
KNOWLEDGE = "(obtained by calling function: "


@dataclass(frozen=True, slots=True)
class NamePrompt:
    """Needs a host, with results and without.

    sentence    what the host injects; empty: MATH where every argument of every tool is a number, else KNOWLEDGE
    """

    sentence: str = ""
    marker: str = "<T>"
    writing: Writing = POSITIONAL

    @property
    def result_sign(self) -> str:
        return "="

    def for_model(self, model: ModelTraits) -> NamePrompt:
        return self

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Text, the marker, the host's sentence, a name, `)`, the host's `<name>(`, typed arguments, `)`."""

        def rest(tool: Tool) -> Grammar:
            name = Label("name", tool.name)
            return sequence(
                Labelled(name, sequence(b")")),
                Labelled(name, HostText()),
                positional(tool, self.writing),
                Labelled(name, sequence(b")=" if results else b")")),
                result_text(tool.name) if results else EMPTY,
            )

        call = sequence(Labelled(Label("name"), HostText()), named(tools, rest, self.writing))
        return started(self.marker, call, start, self._barred(tools))

    def _barred(self, tools: Sequence[Tool]) -> tuple[str, ...]:
        """What looks like a call is written by the host only: `<s` where a tool is called `square`.

        Where the marker begins so, too, the whole `<Translate>`.
        """
        barred = {f"<{tool.name[0]}" for tool in tools} | {f"<{tool.name}>" for tool in tools}
        return tuple(sorted(text for text in barred if not self.marker.startswith(text)))

    def unguided(self) -> Grammar:
        return anything()

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt:
        """A system line `Tools: f(a: int), …` where documentation is wanted, and the question."""
        return prompt_of(f"Tools: {signatures(tools)}" if documentation else "", question)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.prompted_calls(text, as_read(tools, self.writing), self.marker)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        barred = (self.marker, *(f"<{tool.name}>" for tool in tools))
        after = Results(self, tuple(tools), dict(results or {}), barred=barred)
        return NameHost(self.marker, self.sentence or wording(tools), after)


@dataclass(frozen=True, slots=True)
class NameHost:
    """Asks for the name, writes the call anew, and hands the rest to the host of results."""

    marker: str
    sentence: str
    results: Results

    def write(self, text: str) -> str | Edit | None:
        if text.endswith(self.marker):
            return self.sentence
        at = text.rfind(self.marker + self.sentence)
        if at < 0:
            return self.results.write(text)
        name = text[at + len(self.marker + self.sentence) : -1]
        return Edit(at, f"<{name}>(")

    def result(self, written: str) -> str:
        return self.results.result(written)


def wording(tools: Sequence[Tool]) -> str:
    """The sentence that suits the tools (both are the paper's)."""
    schemas = [p.schema.get("items", {}) if p.variadic else p.schema for tool in tools for p in tool.arguments]
    numbers = all(schema.get("type") in ("integer", "number") for schema in schemas)
    return MATH if schemas and numbers else KNOWLEDGE
