"""What the families have in common whose calls name a tool and give it an object of JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from tooldec.arguments import Writing
from tooldec.grammar import Grammar, Label
from tooldec.schemes.base import ModelTraits, Prompt, Scheme, prompt_of
from tooldec.schemes.calls import anything
from tooldec.tools import Tool, signatures

NAME = Label("name")


class JsonCalls:
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
        from tooldec.schemes.families import family_of  # which knows all the families

        family: Any = family_of(getattr(model, "chat_template", "")) or self
        kept: Any = self if family.is_like(self) else replace(family, writing=self.writing)
        return cast("Scheme", replace(kept, native=model.has_tool_template))

    def is_like(self, other: object) -> bool:
        """Whether another scheme is of this family, however it was changed."""
        return type(self) is type(other)

    def unguided(self) -> Grammar:
        return anything()

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt:
        """The tools go to the chat template where it takes them; otherwise a system line lists them."""
        if self.native:
            return Prompt(({"role": "user", "content": question},), tuple(tools) if documentation else ())
        return prompt_of(f"JSON tools: {signatures(tools)}" if documentation else "JSON tools:", question)
