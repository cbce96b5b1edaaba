"""Seeded draws that respect what is held out of training: one in seven templates, one in ten words."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, TypeVar

from tooldec.tools import Tool
from tooldec.training.documents.vocabulary import everyday
from tooldec.training.documents.words import ADJECTIVES, MORE_VERBS, NOUNS, SYNONYMS, held_out, known

T = TypeVar("T")
Split = Literal["train", "phrasing", "names"]
"""What to draw: training data, or questions with held-out phrasings, or with held-out tool names."""

INVENTED = 0.12
"""How many verbs and nouns are made up from syllables."""

_ONSETS = (
    "b bl br c ch cl cr d dr f fl fr g gl gr h j k kl kr l m n p ph pl pr qu r s sh sk sl sn sp st t th tr v w y z"
).split()
_VOWELS = "a e i o u a e i o u ai ea ee ia io oa oo ou".split()
_CODAS = " | | | |b|ck|ct|d|g|l|lt|m|mp|n|nd|ng|nk|nt|p|r|rd|rk|rn|s|sh|sk|st|t|th|x|zz".split("|")


@dataclass(slots=True)
class Draw:
    """A random source for one document of a split."""

    rng: random.Random
    split: Split = "train"
    listed: bool = True
    suite: Sequence[Any] = ()
    """Entries of a catalogue that requests are drawn from; all of them when empty."""
    spoken: Sequence[Any] = ()
    """A list of tools with sayings, which requests are drawn from instead where there is one."""
    written: dict[str, tuple[Tool, Tool]] = field(default_factory=dict)
    """Name of a tool of `spoken` → the signature chosen for this document, and that as it is written, in another style
    and order, perhaps."""

    def pick(self, items: Sequence[T], weights: Sequence[float] | None = None) -> T:
        """One of the items, as often as its weight says; the same as without weights where all are 1."""
        return self.rng.choices(items, weights)[0]

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.rng.random() < probability

    def number(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return self.rng.randint(low, high)

    def template(self, items: Sequence[T]) -> T:
        """One of the templates: those at 3, 10, 17… are held out for the split "phrasing"."""
        if len(items) < 4:
            return self.pick(items)
        return self.pick([item for i, item in enumerate(items) if (i % 7 == 3) == (self.split == "phrasing")])

    def verb(self) -> str:
        """A verb: known, or one that was invented from syllables: one time in eight."""
        return self.invented() if self.chance(INVENTED) else self.pick(_words("verbs", self._word_split))

    def noun(self) -> str:
        """A noun: known, or invented one time in eight."""
        return self.invented() if self.chance(INVENTED) else self.pick(_words("nouns", self._word_split))

    def word(self) -> str:
        """Any frequent word: what is to be copied may be anything."""
        return self.pick(everyday())

    def thing(self) -> str:
        """A known noun, sometimes with an adjective."""
        noun = self.pick(_words("nouns", "train"))
        return f"{self.pick(ADJECTIVES)} {noun}" if self.chance(0.25) else noun

    def invented(self) -> str:
        """A word of one to three syllables that no list holds: "flurb", "zantic"."""
        while True:
            count = self.pick((1, 2, 2, 2, 3))
            word = "".join(self.pick(_ONSETS) + self.pick(_VOWELS) for _ in range(count)) + self.pick(_CODAS).strip()
            if len(word) > 2 and held_out(word) == (self.split == "names"):
                return word

    @property
    def _word_split(self) -> str:
        return "unseen" if self.split == "names" else "train"


@cache
def synonyms(verb: str) -> tuple[str, ...]:
    """The verbs of one meaning with this one, itself included."""
    return next((group for group in SYNONYMS if verb in group), (verb,))


@cache
def _words(kind: str, split: str) -> tuple[str, ...]:
    if kind == "nouns":
        return known(NOUNS, split)
    return known(tuple(word for group in SYNONYMS for word in group) * 2 + MORE_VERBS, split)
