"""A model that writes what a test has laid out: no weights, a token for each byte, and `<T>`."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from tooldec import Prompt, Vocabulary

VOCABULARY = Vocabulary([*(bytes([byte]) for byte in range(128)), "<T>", "<EOS>", None], eos=[129])


class Writer:
    """A model that writes one of several answers: the first that begins with what stands there, and is free."""

    name, device, dtype, context = "writer", "cpu", "float32", 10_000
    has_tool_template = has_chat_template = False
    chat_template = ""
    vocabulary = VOCABULARY

    def __init__(self, *answers: str) -> None:
        self.answers, self.starts = answers, 0

    def render(self, prompt: Prompt | str) -> str:
        return str(prompt)

    def prompt_tokens(self, prompt: Prompt | str) -> int:
        return 0

    def tokenize(self, text: str) -> list[int]:
        return list(text.encode())

    def ids(self, text: str) -> list[int]:
        parts = text.split("<T>")
        return [token for at, part in enumerate(parts) for token in ([128] * bool(at) + list(part.encode()))]

    def start(self, prompt: Prompt | str) -> Session:
        self.starts += 1
        return Session(self)


class Session:
    prefix = ""
    room = 10_000

    def __init__(self, model: Writer) -> None:
        self.model, self.tokens = model, list[int]()

    def logits(self) -> torch.Tensor:
        row = np.zeros(VOCABULARY.size)
        for rank, answer in enumerate(self.model.answers):
            ids = self.model.ids(answer)
            if ids[: len(self.tokens)] == self.tokens:
                token = ids[len(self.tokens)] if len(ids) > len(self.tokens) else 129
                row[token] = max(row[token], 9.0 - rank)
        if not row.any():
            row[129] = 1.0
        return torch.tensor(row, dtype=torch.float32)

    def append(self, ids: Any) -> None:
        self.tokens += list(ids)
