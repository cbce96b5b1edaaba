"""What a scheme is, what it asks of a model, and the prompt that it writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from tooldec.grammar import Grammar
from tooldec.schemes.host import ResultHost
from tooldec.tools import Tool, ToolCall
from tooldec.vocabulary import Vocabulary

Start = Literal["text", "call", "none"]
"""Tool choice: the model decides, a call is forced (an external planner has decided), or no call may be made."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked; the model renders it with its own chat template, or plainly.

    tools           what goes to a template's `tools=`
    answer_prefix   the part of the answer that is already written
    """

    messages: tuple[Mapping[str, str], ...]
    tools: tuple[Tool, ...] = ()
    answer_prefix: str = ""


class ModelTraits(Protocol):
    """What a scheme asks of a model to choose its family. A model may also have its `chat_template`, as text."""

    @property
    def has_tool_template(self) -> bool: ...

    @property
    def has_chat_template(self) -> bool: ...

    @property
    def vocabulary(self) -> Vocabulary: ...


class Scheme(Protocol):
    """One way to call tools.

    marker       the text with which a call begins
    result_sign  what stands between a call and its result
    """

    @property
    def marker(self) -> str: ...

    @property
    def result_sign(self) -> str: ...

    def for_model(self, model: ModelTraits) -> Scheme: ...

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar: ...

    def unguided(self) -> Grammar: ...

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt: ...

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]: ...

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost: ...


def prompt_of(system: str, question: str) -> Prompt:
    """A system message, where there is something to say, and the question."""
    user = {"role": "user", "content": question}
    return Prompt(({"role": "system", "content": system}, user) if system else (user,))
