"""Names of tools as people write them: find_user, findUser, user.find, FindUser, find-user; or look_up_user."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from functools import cache

from tooldec.training.draw import Draw
from tooldec.training.lexicon import groups
from tooldec.training.words import SYNONYMS, held_out

RENAMED = 0.25
"""How many tools have another word of the same meaning in their name."""


def renamed(draw: Draw, name: str, taken: Collection[str]) -> str:
    """A snake_case name, perhaps with a word of the same meaning in the place of one, as none of the others is called.

    Whoever knows a tool by what is said to it needn't read the list; a name that it never had must be read.
    """
    if not draw.chance(RENAMED):
        return name
    words = name.split("_")
    ways = [(place, other) for place, word in enumerate(words) for other in _alike().get(word, ())]
    if not ways:
        return name
    place, other = draw.pick(ways)
    new = "_".join((*words[:place], other, *words[place + 1 :]))
    return name if new in taken or other in words else new


@cache
def _alike() -> dict[str, tuple[str, ...]]:
    """The other words of one meaning with each; those that are held out of training aren't among them."""
    listed = ((first, *others) for kind in ("verbs", "nouns") for first, others in groups(kind).items())
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for alike in (*listed, *SYNONYMS):
        single = [word for word in alike if word.isalpha() and not held_out(word)]
        for word in single:
            found[word].update((other, None) for other in single if other != word)
    return {word: tuple(others) for word, others in found.items()}


def style(draw: Draw, name: str) -> str:
    """A snake_case name, in one of five styles; mostly it stays as it is."""
    words = [word for word in name.split("_") if word]
    chosen = draw.rng.random()
    if len(words) < 2 or chosen < 0.62 or not draw.listed:
        return "_".join(words)
    if chosen < 0.83:
        return words[0] + "".join(word.capitalize() for word in words[1:])
    if chosen < 0.91:
        return f"{words[-1]}.{'_'.join(words[:-1])}" if draw.chance(0.6) else ".".join(words)
    if chosen < 0.96:
        return "".join(word.capitalize() for word in words)
    return "-".join(words)
