"""A call's arguments chosen as wholes, before the first token of one is chosen.

P̃ sees one token at a time, and renormalises at each. Where the model would have written what the machine doesn't admit,
all of its probability goes to what is left, however little the model thinks of that, and the rest of the call has to
live with it. A greedy run can't go back. What is wanted is the call that the model finds likeliest of all that are
valid (decoding that keeps the model's distribution: Park and others 2024):

    argmax P(c)     P(c) = Π P(aᵢ), before any mask, over the tokens a₁ … aₖ of c up to the end of the call

c is what can follow the name of a tool. A beam search finds likely ones: of all ways on it keeps the `beams` likeliest
at each length, until none that is still open has a chance to be as likely as those that have ended (see MARGIN). Then
tokens are taken as if one of the calls that were found had been drawn first:

    P̂(a) = Σ P(c) / Σ P(c′)     c′: those that go on with the tokens so far; c: of these, those whose next token is a

With `alone` the calls that were found are read once more, behind a prompt that shows no other tool, where nothing
distracts: their P is then the geometric mean of both opinions, as that of a name is where names are weighed.

Many values are one span of the question or another, and which of them is likelier shows at their ends only: "a room for
Ann" is hardly told from "Ann Lee" by its first token.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tooldec.choosing.naming import log_sum
from tooldec.choosing.weighing import COLDEST, Weighed, softmax
from tooldec.errors import DeadEndError, UsageError
from tooldec.models.branches import Branches
from tooldec.token_fsm import TokenFSM
from tooldec.trace import Found

if TYPE_CHECKING:
    from tooldec.choosing.revealing import Reveal
    from tooldec.models import Model
    from tooldec.schemes import Prompt

BEAMS = 8
"""How many ways a search keeps, where nobody says it."""

MARGIN = 4.0
"""The search ends when all that is open is less likely than the likeliest call by so many nats: has 2 % of its P."""

UNSEEN = 1e-6
"""The share of P̂ that is left to what the search didn't find: all that the machine admits stays possible."""

TOLD = 6
"""How many of the calls that were found a step tells."""

LONGEST = 128
"""Tokens of a call behind its name; where none ends within them, its tokens are chosen one at a time."""

Way = tuple[int, ...]
"""The tokens of a call from where the search began."""

_Open = tuple[Way, int, float]
"""A way, the state that it leads to, and log P of its tokens."""


@dataclass(frozen=True, slots=True)
class Search:
    """How arguments are searched for.

    beams   how many ways are kept at each length
    alone   what shows a single tool (see `revealing.signatures_of`); None: calls are read once, behind the prompt

    Raises:
        UsageError: `beams` is no whole number from 1 on.
    """

    beams: int = BEAMS
    alone: Reveal | None = None

    def __post_init__(self) -> None:
        if isinstance(self.beams, bool) or not isinstance(self.beams, int) or self.beams < 1:
            raise UsageError(f"a search can't keep {self.beams!r} beams", fix="use a whole number from 1 on")


class Searcher:
    """Chooses the arguments of one run's calls as wholes, each time that a tool's name is complete.

    temperature   as that of the run: P(c) is taken to its power
    """

    def __init__(self, model: Model, fsm: TokenFSM, search: Search, temperature: float = 0.0) -> None:
        self._model, self._fsm, self._search = model, fsm, search
        self._temperature = max(temperature or 1.0, COLDEST)
        self._begin = 0  # tokens that stood before the search
        self._found: dict[Way, float] | None = None  # log P(c); None outside of a call

    def begin(self, state: int, tokens: Sequence[int], prompt: Prompt | str, room: int) -> None:
        """Search where a call's name is complete, unless one of the calls that were found goes on with these tokens.

        tokens   the answer so far, which the model reads behind `prompt`
        room     how many tokens the model can still read
        """
        if not self._within(state):
            self._found = None
        elif self._found is None or (self._found and not self._open(tokens)):  # what found nothing isn't tried again
            self._begin = len(tokens)
            found = self._ways(state, Branches(self._model, prompt, tokens), min(room - 1, LONGEST))
            self._found = self._read_again(found, tokens, prompt, self._fsm.label(state).tool)

    def weighed(self, tokens: Sequence[int], logits: NDArray[np.float32], allowed: NDArray[np.bool_]) -> Weighed | None:
        """P̂ of the allowed tokens; None where no call has been found that goes on with `tokens`, the answer so far.

        logits   of the next token, (V,)
        allowed  what the machine admits, (V,)
        """
        ways = self._open(tokens)
        if not ways:
            return None
        place, ids = len(tokens) - self._begin, np.flatnonzero(allowed)
        column = {token: at for at, token in enumerate(ids.tolist())}
        shares = self._shares(ways)
        found = UNSEEN * softmax(logits[ids].astype(np.float64))
        for way, share in shares.items():
            found[column[way[place]]] += (1 - UNSEEN) * share
        best = np.zeros(len(ids), np.bool_)
        best[column[max(ways, key=lambda way: ways[way])[place]]] = True
        return Weighed(found, best, () if place else self._told(shares))

    def _shares(self, ways: dict[Way, float]) -> dict[Way, float]:
        """Their shares of P̂, at the run's temperature."""
        return dict(zip(ways, softmax(np.array(list(ways.values())) / self._temperature).tolist(), strict=True))

    def _told(self, shares: dict[Way, float]) -> tuple[Found, ...]:
        """What has just been found: each text once, the likeliest first."""
        texts: dict[str, float] = {}
        for way, share in shares.items():
            text = self._fsm.vocabulary.spelled(way).decode("utf-8", "replace")
            texts[text] = texts.get(text, 0.0) + share
        return tuple(Found(text, texts[text]) for text in sorted(texts, key=lambda text: -texts[text])[:TOLD])

    def _open(self, tokens: Sequence[int]) -> dict[Way, float]:
        """The calls that were found and go on with `tokens`."""
        written = tuple(tokens[self._begin :])
        place = len(written)
        return {way: score for way, score in (self._found or {}).items() if len(way) > place and way[:place] == written}

    def _within(self, state: int) -> bool:
        """Whether a state lies between the name of a tool and the end of a call that looks something up."""
        if self._fsm.is_host(state) or self._fsm.is_complete(state):
            return False
        label = self._fsm.label(state)
        return label.tool is not None and not label.answers and label.mode in ("name", "argument")

    def _ways(self, state: int, branches: Branches, longest: int) -> dict[Way, float]:
        """The likeliest ways from a state to the end of its call, with log P of each."""
        ended: dict[Way, float] = {}
        opened: list[_Open] = [((), state, 0.0)]
        for _ in range(longest):
            rows = branches.logits([way for way, _, _ in opened])  # (len(opened), V)
            ways = [way for one, row in zip(opened, rows, strict=True) for way in self._longer(*one, row)]
            ways.sort(key=lambda way: -way[2])
            opened = []
            for way, at, score in ways[: self._search.beams]:
                if self._within(at):
                    opened.append((way, at, score))
                else:
                    ended[way] = score
            if not opened or (ended and max(ended.values()) - MARGIN >= opened[0][2]):
                break
        return ended

    def _read_again(
        self, found: dict[Way, float], tokens: Sequence[int], prompt: Prompt | str, name: str | None
    ) -> dict[Way, float]:
        """The ways with half of both opinions: that of `prompt`, and that where the tool is shown alone."""
        if len(found) < 2 or name is None or self._search.alone is None:
            return found
        alone = self._search.alone((name,))
        needed = len(tokens) + max(map(len, found))
        if alone == prompt or self._model.prompt_tokens(alone) + needed > self._model.context:
            return found
        begun = list(dict.fromkeys(way[:place] for way in found for place in range(len(way))))
        logits = Branches(self._model, alone, tokens).logits(begun)  # (len(begun), V)
        rows = {way: (row, log_sum(row)) for way, row in zip(begun, logits, strict=True)}
        again = {way: 0.0 for way in found}
        for way in found:
            for place, token in enumerate(way):
                row, whole = rows[way[:place]]
                again[way] += float(row[token]) - whole
        return {way: (score + again[way]) / 2 for way, score in found.items()}

    def _longer(self, way: Way, state: int, score: float, logits: NDArray[np.float32]) -> Iterator[_Open]:
        """The likeliest ways on by one token; none where the vocabulary knows none."""
        try:
            ids = np.flatnonzero(self._fsm.allowed(state))
        except DeadEndError:
            return
        most, scores = self._search.beams, logits.astype(np.float64)
        scores = scores[ids] - log_sum(scores)
        likely = np.argpartition(-scores, most)[:most] if len(ids) > most else range(len(ids))
        for column in map(int, likely):
            after = self._fsm.step(state, int(ids[column]))
            if after is not None:
                yield (*way, int(ids[column])), after, score + float(scores[column])
