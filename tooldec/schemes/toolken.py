"""`… <add>(2, 3)=5 …`: each tool's name is a token of its own, as in ToolkenGPT (section 4.2, A.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
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
from tooldec.mentions import Spelled
from tooldec.schemes.base import ModelTraits, Prompt, Start, prompt_of
from tooldec.schemes.calls import anything, as_read, bracketed, check, check_tools, named, without
from tooldec.schemes.host import ResultHost, Results
from tooldec.tools import Tool, ToolCall, signatures


@dataclass(frozen=True, slots=True)
class Toolken:
    """The machine guards the arguments and the end `)=`; the choice of a tool is the model's own token.

    tokens   the special tokens of the vocabulary, which `for_model` finds. A tool that has one, `<add>`, is called by
             it. Where each has one only these begin a call; otherwise names are spelled, too, and `<` with a letter
             behind it begins a call. `build_fsm` raises VocabularyError for a vocabulary with tokens that aren't here
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
        check_tools(tools)
        toolkens = {f"<{tool.name}>": tool for tool in tools}
        known = frozenset(toolkens) & self.tokens  # one for all: thousands of tools may have a token
        names = named(tools, lambda tool: self._spelled(tool, results), self.writing)
        spells = len(known) < len(toolkens)
        letters = {*ascii_letters, "_", *(tool.name[0] for tool in tools)} if spells else set()
        barred = known.union(f"<{letter}" for letter in letters)
        if start == "none":
            return self._guarded(without(*sorted(barred)), toolkens)
        calls = [
            sequence(
                Labelled(TEXT, Special(token) if start == "call" else Until(token, barred)),
                bracketed(tool, results, b")=", self.writing),
            )
            for token, tool in toolkens.items()
            if token in known
        ]
        if spells:
            calls.insert(0, _by_spelling(names, letters, start, known))
        return self._guarded(choice(calls) if start == "call" else Forever(choice(calls)), toolkens)

    def _guarded(self, grammar: Grammar, toolkens: Iterable[str]) -> Grammar:
        """The grammar, for vocabularies that have no tokens of tools but those that are known."""
        others = frozenset(toolkens) - self.tokens
        return Spelled((), grammar, others) if others else grammar

    def _spelled(self, tool: Tool, results: bool) -> Grammar:
        return sequence(
            Labelled(Label("name", tool.name), sequence(b">")), bracketed(tool, results, b")=", self.writing)
        )

    def unguided(self) -> Grammar:
        return anything()

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt:
        """How calls look, the tools where documentation is wanted, and the question."""
        lines = ["Write a call as <name>(arguments)= in your answer, for example <add>(1, 2)=3."]
        return prompt_of("\n".join([*lines, f"Tools: {signatures(tools)}"] if documentation else lines), question)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.named_calls(text, as_read(tools, self.writing))

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        barred = tuple(f"<{tool.name}>" for tool in tools)
        return Results(self, tuple(tools), dict(results or {}), barred=barred, alike=_ALIKE)


def _by_spelling(names: Grammar, letters: Iterable[str], start: Start, known: frozenset[str]) -> Grammar:
    """In text `<` is followed by a tool's name, or by no letter; `<<` counts once."""
    if start == "call":
        return sequence(Labelled(TEXT, Literal(b"<")), names)
    begins = {letter.encode()[0] for letter in letters}
    other = SymbolClass(frozenset(range(256)) - begins - {ord("<")})
    after = choice([names, Labelled(TEXT, other)])
    return sequence(Labelled(TEXT, sequence(Until("<", known), Literal(b"<").repeat())), after)


_ALIKE = re.compile(r"<[A-Za-z_][^\s<>()]*>(?=\(|$)")
"""What a reader takes for the beginning of a call; at the end of a result the model may go on with the bracket."""
