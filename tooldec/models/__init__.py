"""Models: what the decoder asks for, and where a name leads.

    load_model("toy").start("the side of a square is 5, what's its area?").logits()   # (V,)

A name is a row of `BACKENDS`, a folder, or a model on the Hugging Face hub.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from tooldec.errors import ModelError, UsageError
from tooldec.tools import signatures

if TYPE_CHECKING:
    import torch

    from tooldec.schemes import Prompt
    from tooldec.vocabulary import Vocabulary

EMBEDDED = Path(__file__).parent / "embedded"
"""The folder of the model in the box."""

LONGEST_TOKEN = 12
"""Characters; no tokenizer reads a list of tools with more of them a token."""


class Session(Protocol):
    """One answer being written: the prompt, and every token since. No session sees anything of another."""

    @property
    def prefix(self) -> str:
        """The part of the answer that is already written in the prompt."""

    @property
    def room(self) -> int:
        """How many more tokens the model's context can hold."""

    def logits(self) -> torch.Tensor:
        """The model's scores for the next token, as fp32 on the CPU: (V,)."""

    def append(self, ids: Iterable[int]) -> None:
        """Go on after these tokens, whoever wrote them."""


class Model(Protocol):
    """A causal language model with its vocabulary. `context` counts tokens: prompt and answer together."""

    @property
    def name(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def dtype(self) -> str: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    @property
    def context(self) -> int: ...
    @property
    def has_chat_template(self) -> bool:
        """Whether the model has a way of its own to render messages."""

    @property
    def chat_template(self) -> str:
        """That way, in Jinja, for schemes that choose by it; empty where there is none."""

    @property
    def has_tool_template(self) -> bool:
        """Whether the chat template lists tools by itself."""

    def render(self, prompt: Prompt | str) -> str:
        """The prompt as the model reads it, for people; a `str` is taken as it is."""

    def prompt_tokens(self, prompt: Prompt | str) -> int:
        """How many tokens the prompt takes."""

    def tokenize(self, text: str) -> list[int]:
        """Plain text as the continuation of an answer: ordinary tokens only, never a special one."""

    def start(self, prompt: Prompt | str) -> Session:
        """A session that has read the prompt."""


def load_model(name: str = "embedded", device: str = "auto") -> Model:
    """The model of that name: a row of `BACKENDS`, a folder, or a hub id such as `Qwen/Qwen3-0.6B`."""
    if name in BACKENDS:
        return BACKENDS[name](device)
    if name and os.path.isdir(name):  # False, too, for a name that no file can have
        return _transformers(name, device)
    if not _HUB_ID.fullmatch(name):
        raise ModelError(
            f"`{name}` is no folder, and no model is called so",
            fix="use " + ", ".join(f"`{known}`" for known in BACKENDS) + ", the path of a folder that holds "
            "config.json, or a hub id such as `Qwen/Qwen3-0.6B`",
        )
    return _transformers(name, device)


def _embedded(device: str) -> Model:
    if not any(EMBEDDED.glob("*.safetensors")):
        raise ModelError(
            "the model in the box has no weights in this checkout",
            fix="make them with `tooldec train`, or use the model `toy`",
        )
    return _transformers(str(EMBEDDED), device, label="embedded")


def _toy(device: str) -> Model:
    if device not in ("auto", "cpu"):
        raise UsageError(f"the toy model runs on the CPU, not on `{device}`", fix="use `auto` or `cpu`")
    from tooldec.models.toy import ToyModel

    return ToyModel()


def _transformers(name: str, device: str, label: str | None = None) -> Model:
    from tooldec.models.huggingface import HuggingFaceModel

    return HuggingFaceModel.load(name, device, label)


BACKENDS: Mapping[str, Callable[[str], Model]] = MappingProxyType({"embedded": _embedded, "toy": _toy})
"""Names that mean something to us: name -> loader(device)."""

_HUB_ID = re.compile(r"(?!.*(--|\.\.))[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9_][\w.-]{0,95})?", re.ASCII)


def plain_text(prompt: Prompt | str) -> str:
    """The prompt of a model without a chat template; the answer follows at once.

    Prompt(({"role": "system", "content": "Tools: f(a: int)"}, {"role": "user", "content": "How far?"}))
    → "Tools: f(a: int)\\nQ: How far?\\nA:"
    """
    if isinstance(prompt, str):
        return prompt
    lines = [_LINES[message["role"]] + message["content"] for message in prompt.messages]
    if prompt.tools:
        lines.insert(0, f"Tools: {signatures(prompt.tools)}")
    text: str = "\n".join([*lines, "A:"]) + prompt.answer_prefix
    return text


def prompt_size(model: Model, prompt: Prompt, room: int) -> tuple[int, bool]:
    """How many tokens a prompt takes, and whether they were counted; at least so many where they weren't.

    Counting is slow for a long text, and isn't done where its characters alone tell that it takes more than `room`.
    """
    least = sum(len(message["content"]) for message in prompt.messages) // LONGEST_TOKEN
    return (least, False) if least > room else (model.prompt_tokens(prompt), True)


_LINES = {"system": "", "user": "Q: ", "assistant": "A: ", "tool": "Result: "}
