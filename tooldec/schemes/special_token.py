"""`… <T>square(5) …`: a special token starts the call, arguments are positional (section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tooldec import reading
from tooldec.arguments import POSITIONAL, Writing
from tooldec.grammar import Grammar
from tooldec.schemes.base import ModelTraits, Prompt, Start, prompt_of
from tooldec.schemes.calls import anything, as_read, bracketed, named, started
from tooldec.schemes.host import ResultHost, Results
from tooldec.tools import Tool, ToolCall, signatures


@dataclass(frozen=True, slots=True)
class SpecialToken:
    """Text, the marker, a name, `(`, typed arguments, `)`; with results `)=` and a text that the host writes.

    instructions    tell the model about the marker, for models that were never trained on it
    """

    marker: str = "<T>"
    instructions: bool = False
    writing: Writing = POSITIONAL

    @property
    def result_sign(self) -> str:
        return "="

    def for_model(self, model: ModelTraits) -> SpecialToken:
        """Models that have the marker as a token know it; to others with a chat template it is explained."""
        return replace(self, instructions=model.has_chat_template and not model.vocabulary.ids(self.marker))

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        close = b")=" if results else b")"
        call = named(tools, lambda tool: bracketed(tool, results, close, self.writing), self.writing)
        return started(self.marker, call, start)

    def unguided(self) -> Grammar:
        return anything()

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt:
        """A system line `Tools: f(a: int), …` where documentation is wanted, and the question."""
        listed = f"Tools: {signatures(tools)}" if documentation else ""
        if self.instructions:
            example = f"{self.marker}add(1, 2)"
            how = f"To call a tool, write {self.marker}name(arguments) in your answer, for example {example}."
            listed = f"{how}\n{listed}".strip()
        return prompt_of(listed, question)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.positional_calls(text, as_read(tools, self.writing), self.marker)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        return Results(self, tuple(tools), dict(results or {}), barred=(self.marker,))
