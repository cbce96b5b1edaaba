"""`… <add>(2, 3)=5 …`: each tool's name is a token of its own, as in ToolkenGPT (section 4.2, A.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_letters
from typing import Any

from tooldec import reading
from tooldec.arguments import POSITIONAL, Writing
from tooldec.grammar import (
    TEXT,
    Forever,
    Grammar,
    Label,
    Labelled,
    Literal,
    Special,
    SymbolClass,
    Until,
    choice,
    sequence,
)
from tooldec.schemes.base import ModelTraits, Prompt, Start, prompt_of
from tooldec.schemes.calls import anything, bracketed, check, named, without
from tooldec.schemes.host import ResultHost, Results
from tooldec.tools import Tool, ToolCall, signatures


@dataclass(frozen=True, slots=True)
class Toolken:
    """The machine guards the arguments and the end `)=`; the choice of a tool is the model's own token.

    tokens   the special tokens of the vocabulary. Where each tool has one, `<add>`, only these begin a call; otherwise
             a name is spelled, and `<` with a letter behind it begins a call
    """

    tokens: frozenset[str] = frozenset()
    writing: Writing = POSITIONAL

    @property
    def marker(self) -> str:
        return "<"

    @property
    def result_sign(self) -> str:
        return "="

    def for_model(self, model: ModelTraits) -> Toolken:
        return replace(self, tokens=frozenset(model.vocabulary.specials))

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Text, `<name>(`, typed arguments, `)=`, and with results a text that the host writes."""
        check(start)
        spelled = named(tools, lambda tool: self._spelled(tool, results), self.writing)
        toolkens = [f"<{tool.name}>" for tool in tools]
        if not self.tokens.issuperset(toolkens):
            return self._by_spelling(tools, spelled, start)
        if start == "none":
            return without(*toolkens)
        others = frozenset(toolkens)  # one for all: thousands of tools may have a token
        entries = [Special(token) if start == "call" else Until(token, others) for token in toolkens]
        calls = choice(
            sequence(Labelled(TEXT, entry), bracketed(tool, results, b")=", self.writing))
            for entry, tool in zip(entries, tools, strict=True)
        )
        return calls if start == "call" else Forever(calls)

    def _spelled(self, tool: Tool, results: bool) -> Grammar:
        return sequence(
            Labelled(Label("name", tool.name), sequence(b">")), bracketed(tool, results, b")=", self.writing)
        )

    def _by_spelling(self, tools: Sequence[Tool], names: Grammar, start: Start) -> Grammar:
        """In text `<` is followed by a tool's name, or by no letter; `<<` counts once."""
        if start == "call":
            return sequence(Labelled(TEXT, Literal(b"<")), names)
        letters = {*ascii_letters, "_", *(tool.name[0] for tool in tools)}
        if start == "none":
            return without(*sorted(f"<{letter}" for letter in letters))
        begins = {letter.encode()[0] for letter in letters}
        other = SymbolClass(frozenset(range(256)) - begins - {ord("<")})
        after = choice([names, Labelled(TEXT, other)])
        return Forever(sequence(Labelled(TEXT, sequence(Until("<"), Literal(b"<").repeat())), after))

    def unguided(self) -> Grammar:
        return anything()

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt:
        """How calls look, the tools where documentation is wanted, and the question."""
        lines = ["Write a call as <name>(arguments)= in your answer, for example <add>(1, 2)=3."]
        return prompt_of("\n".join([*lines, f"Tools: {signatures(tools)}"] if documentation else lines), question)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.named_calls(text, tools)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        barred = tuple(f"<{tool.name}>" for tool in tools)
        return Results(self, tuple(tools), dict(results or {}), barred=barred, alike=_ALIKE)


_ALIKE = re.compile(r"<[A-Za-z_][^\s<>()]*>(?=\(|$)")
"""What a reader takes for the beginning of a call; at the end of a result the model may go on with the bracket."""
