"""What a tokenizer's chat template tells a scheme, with the model or without it."""

from __future__ import annotations

from typing import Any

from tooldec.vocabulary import Vocabulary


class Templated:
    """A tokenizer of transformers with its vocabulary; what a scheme asks of a model to choose its family."""

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary) -> None:
        self.tokenizer, self.vocabulary = tokenizer, vocabulary

    @property
    def has_chat_template(self) -> bool:
        return bool(self.tokenizer.chat_template)

    @property
    def chat_template(self) -> str:
        """The template for tools, where there are several."""
        template = self.tokenizer.chat_template or ""
        return str(template.get("tool_use") or template.get("default")) if isinstance(template, dict) else template

    @property
    def has_tool_template(self) -> bool:
        """Whether the chat template lists tools by itself."""
        template = self.tokenizer.chat_template
        return "tool_use" in template if isinstance(template, dict) else "tools" in (template or "")
