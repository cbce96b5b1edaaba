"""Words as somebody in a hurry types them: without a capital letter or a full stop, one word short, or misspelt."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tooldec.training.documents.asks import occurrences
from tooldec.training.documents.draw import Draw

CARELESS = 0.15
"""How many lose their full stop, and how many their first capital letter."""
SHORT = 0.15
"""How many leave a word out; what they are about is mostly told by the others."""
MISSPELT = 0.1
"""How many have two letters of a word in each other's place, or one letter less."""

_WORD = re.compile(r"(?<![\w'-])[A-Za-z]{2,}(?![\w'-])")
_NEEDED = frozenset("no not never none all half both twice without off on out up down".split())


def hasty(draw: Draw, words: str, values: Sequence[str]) -> str:
    """The words, perhaps typed in a hurry; the values in them stay as they are."""
    if draw.chance(CARELESS) and words[-1] in ".?!" and not any(words.endswith(value) for value in values):
        words = words[:-1]
    if draw.chance(CARELESS) and words[:2] not in ("I ", "I'") and not any(words.startswith(value) for value in values):
        words = words[0].lower() + words[1:]
    if draw.chance(SHORT):
        words = _without_one(draw, words, values)
    return _misspelt(draw, words, values) if draw.chance(MISSPELT) else words


def _without_one(draw: Draw, words: str, values: Sequence[str]) -> str:
    """One word less, where at least five are left."""
    free = [word for word in _free(words, values) if word[0].lower() not in _NEEDED]
    if len(_WORD.findall(words)) < 6 or not free:
        return words
    begin, end = draw.pick(free).span()
    return words[: begin - (begin > 0 and words[begin - 1] == " ")] + words[end + (not begin and words[end] == " ") :]


def _misspelt(draw: Draw, words: str, values: Sequence[str]) -> str:
    """A word of five letters or more, with its first letter as it was."""
    free = [word for word in _free(words, values) if len(word[0]) > 4]
    if not free:
        return words
    word = draw.pick(free)
    at = word.start() + draw.number(1, len(word[0]) - 2)
    swapped = words[at + 1] + words[at] if draw.chance(0.6) else words[at]
    return words[:at] + swapped + words[at + 2 :]


def _free(words: str, values: Sequence[str]) -> list[re.Match[str]]:
    """The words that belong to no value."""
    small = words.lower()
    taken = [range(at, at + len(value)) for value in values if value for at in occurrences(value.lower(), small)]
    return [word for word in _WORD.finditer(words) if not any(word.start() in some for some in taken)]
