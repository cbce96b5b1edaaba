"""Slips of the pen: the one word that is meant, where a single letter is missing, too much, wrong or swapped."""

from __future__ import annotations

from collections.abc import Iterable

_SHORT = 4
"""Words of so many letters are other words when one letter changes: `Type` isn't `time`, and `Flat` isn't `float`."""


def meant(word: str, known: Iterable[str]) -> str | None:
    """The first known word that differs by a slip, or in capital letters alone.

    >>> [meant(word, ["str", "time", "float", "date"]) for word in ("Str", "tsr", "tiime", "Type", "data", "frame")]
    ['str', 'str', 'time', None, None, None]
    """
    words = list(known)
    same = next((one for one in words if one.lower() == word.lower()), None)
    return same or next((one for one in words if _is_slip(word, one)), None)


def _is_slip(word: str, other: str) -> bool:
    if len(word) <= _SHORT and word[:1].isupper() != other[:1].isupper():
        return False
    word, other = word.lower(), other.lower()
    if len(word) == len(other):
        wrong = [at for at in range(len(word)) if word[at] != other[at]]
        if len(wrong) == 1:
            return len(word) > _SHORT
        return len(wrong) == 2 and [word[at] for at in wrong] == [other[at] for at in reversed(wrong)]
    short, long = sorted((word, other), key=len)
    return len(long) == len(short) + 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
