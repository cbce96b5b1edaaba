"""The words that have a token of their own: those of our texts, then frequent English ones; capitalised ones last.

vocabulary.txt was chosen once: by frequency in GloVe, among the spellings of SCOWL (Debian's wamerican).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from tooldec.training.documents.words import held_out


@cache
def vocabulary() -> tuple[str, ...]:
    """All of them."""
    return tuple(files("tooldec.training.documents").joinpath("vocabulary.txt").read_text("utf-8").split())


@cache
def everyday() -> tuple[str, ...]:
    """Those in small letters that training may use."""
    return tuple(word for word in vocabulary() if word.islower() and len(word) > 2 and not held_out(word))
