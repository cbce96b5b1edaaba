"""`Thought: … Action: find Action Input: {"city": "Rome"} Observation: …`, step by step, to `Finish` (section 4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tooldec import reading
from tooldec.arguments import Writing
from tooldec.grammar import TEXT, Grammar, Label, Labelled, Literal, Rounds, Until, sequence
from tooldec.schemes.base import ModelTraits, Prompt, Start, prompt_of
from tooldec.schemes.calls import anything, as_read, check, check_tools, named, named_object, result_text, without
from tooldec.schemes.host import ResultHost, Results
from tooldec.tools import Tool, ToolCall, signatures

JSON = Writing(sequence(b",", Literal(b" ").optional()), sequence(b":", Literal(b" ").optional()))
"""JSON with at most one space after a separator."""

FINISH = Tool(
    "Finish",
    "ends the task: with an answer, or to begin again",
    {
        "type": "object",
        "properties": {
            "return_type": {"type": "string", "enum": ["give_answer", "give_up_and_restart"]},
            "final_answer": {"type": "string"},
        },
        "required": ["return_type", "final_answer"],
    },
)
"""ToolLLM's last action."""

_KEYWORDS = ("\nThought:", "\nAction Input:", "\nObservation:")


@dataclass(frozen=True, slots=True)
class ReAct:
    """Every part of the format is enforced, `Thought:` too.

    A thought is any text of which no line begins with a keyword; a line that begins with `Action:` ends it. With
    results the host writes the observation and the next thought follows; without, an answer is one step. A tool that
    is called `Finish` takes the place of FINISH.

    steps   how many steps an answer may have
    forced  at the last step only `Finish` may be called; otherwise the answer may end there without it
    """

    steps: int = 5
    forced: bool = True
    writing: Writing = field(default=JSON)

    @property
    def marker(self) -> str:
        return "Thought:"

    @property
    def result_sign(self) -> str:
        return ""

    def for_model(self, model: ModelTraits) -> ReAct:
        return self

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """At most `steps` steps, the last being `Finish`; without results one; a forced one calls a tool at once."""
        check(start)
        check_tools(tools)
        if start == "none":
            return without("\nAction:", *_KEYWORDS)
        think: Grammar = Until("\nAction:", _KEYWORDS, ends=False) if start == "text" else Literal(b"\nAction:")
        thought = sequence(
            Labelled(TEXT, sequence(self.marker.encode())),
            Labelled(TEXT, think),
            Labelled(Label("name"), sequence(b" ")),
        )
        finish = [tool for tool in with_finish(tools) if tool.name == FINISH.name]
        others = [tool for tool in tools if tool.name != FINISH.name]
        if not results:
            actions = others if start == "call" and others else [*others, *finish]
            return sequence(thought, named(actions, self._input, self.writing))
        last = named(finish, self._input, self.writing)
        if not others:
            return sequence(thought, last)
        observed = sequence(named(others, self._input, self.writing), result_text())
        if start == "call":
            return sequence(thought, observed)
        rounds = Rounds(sequence(observed, thought), 0, self.steps - 1)
        return sequence(thought, rounds, last if self.forced else last | observed)

    def _input(self, tool: Tool) -> Grammar:
        answers = tool.name == FINISH.name
        between = Labelled(Label("name", tool.name, answers=answers), sequence(b"\nAction Input: "))
        writing = replace(self.writing, texts=None) if answers else self.writing
        return sequence(between, named_object(tool, writing, answers))

    def unguided(self) -> Grammar:
        return anything()

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt:
        """How to write a step, and the tools where documentation is wanted."""
        lines = [
            f"Answer in at most {self.steps} steps. Each step has three lines:",
            "Thought: what to do next",
            "Action: the name of a tool",
            "Action Input: its arguments as a JSON object",
            "After each step you are given a line `Observation:`. The last action is Finish.",
        ]
        if documentation:
            lines.append(f"Tools: {signatures(with_finish(tools))}")
        return prompt_of("\n".join(lines), question)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first step that isn't valid, and why."""
        return reading.react_calls(text, as_read(with_finish(tools), self.writing))

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        """Observations stand on one line, so that none can look like the next step."""
        given = dict(results or {})
        return Results(self, with_finish(tools), given, "\nObservation: ", "\n", one_line=True)


def with_finish(tools: Sequence[Tool]) -> tuple[Tool, ...]:
    """The tools, and FINISH where none of them is called so."""
    return tuple(tools) if any(tool.name == FINISH.name for tool in tools) else (*tools, FINISH)
