"""Tools' names weighed as wholes, before the first token of one is chosen.

P̃ sees one token at a time. Where the model wasn't shown the list, a right tool is often lost at its first token: the
model can't know which names there are, and seldom writes a word that it seldom saw. The machine knows them all, so the
model can be asked for each whole name first, and how much likelier the question makes it:

    P̂(t) ∝ √(P̃(t) · Λ(t))        P̃(t) = Π P̃(aᵢ)        Λ(t) = Π max(1, P(aᵢ | question) / P(aᵢ))

a₁ … aₖ are the tokens that the model usually spells the name of tool t with, and a last step in which it goes on as
only t's call can. P̃(aᵢ) is the share of P(aᵢ | question) in all that one of the names could go on with, so that P̃(t)
is what the mask alone makes of t. P(aᵢ) is the mean of P(aᵢ | question) over the questions of `naming.NEUTRAL`, which
ask for nothing, where an answer begins with the call. Λ(t) counts what the question makes likelier (calibration in
context: Zhao and others 2021; the competition of surface forms: Holtzman and others 2021): a word that people seldom
write isn't to lose for that, and where the question speaks of none of a name, how much less is no sign. P̂ is the
geometric mean of both opinions, either of which alone finds fewer tools.

With `reveal`, that makes a shortlist: the signatures of the likeliest tools are put before the model, as a retriever
would do it with a second model, and P̃ is then what it writes with them in view. It has read what the tools are for, so
that the lift, which still is that of a prompt without them, has a quarter of its say. Where there are more tools than a
shortlist holds, they run in heats for it: dealt out so that neighbours by P̂ are in different ones, those of a heat are
read in a list of their own, and P(t | heat) = Π P(aᵢ | heat), of everything that could be written, tells which of them
it is about, and whether it is about any of them:

    P̂(t) ∝ √(P̃(t | shortlist) · P(t | heat) · ∜Λ(t))        shortlist: the greatest P(t | heat) · ∜Λ(t)

Tokens are taken as if the tool had been drawn first, so that P̂ of all tokens sums to 1, and every tokenisation of a
name is still open, in the shortlist or not; whether there is a call at all is the model's choice as before:

    P̂(a) = Σ_t P̂(t | the tokens so far) · P̃_t(a)        P̃_t: P masked to the tokens after which t is possible
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tooldec.choosing.naming import NEVER, Floats, Naming, Steps, ahead, neutral_prompts, only, unwritten
from tooldec.errors import UsageError
from tooldec.states.cells import TextCell
from tooldec.token_fsm import TokenFSM
from tooldec.trace import Found

if TYPE_CHECKING:
    from tooldec.choosing.revealing import Reveal
    from tooldec.models import Model
    from tooldec.schemes import Prompt

MOST = 512
"""How many tools are weighed; each one is read with every neutral question."""

SHORTLIST = 8
"""How many signatures are shown where a name is chosen, and in a heat; or as many as the model's context holds."""

SHOWN_LIFT = 0.25
"""The say of the lift beside P̃, where P̃ is that behind a shortlist: the better a model reads, the less it needs."""

COLDEST = 1e-200
"""The lowest temperature to whose power chances are taken: below, they are too far apart for a float."""

LEAST = -1e30
"""The lowest score of a token, or of a name, that is possible."""

ROOM = 128
"""The tokens of the context that a shortlist leaves to the call, or a quarter of a small one."""


@dataclass(frozen=True, slots=True)
class Weight:
    """log P̃(t) and log Λ(t); `shown` where P̃ is that behind a shortlist, and log P(t | heat) where there were heats."""

    masked: float
    lift: float
    shown: bool = False
    heat: float = 0.0

    @property
    def total(self) -> float:
        """log P̂(t), up to a constant."""
        return (self.masked + self.heat + (SHOWN_LIFT if self.shown else 1.0) * self.lift) / 2


@dataclass(frozen=True, slots=True)
class Weighed:
    """P̂ of the allowed tokens (n,), and which of them lead on to the most probable tool, or call (n,).

    found   the calls that a search has just found
    """

    shares: Floats
    best: NDArray[np.bool_]
    found: tuple[Found, ...] = ()


class Weigher:
    """Weighs the names of one run, each time that one begins.

    temperature   as that of the run: P̂(t) and P̃_t are taken to its power
    reveal        what shows signatures of tools; of none, the prompt whose lift is taken

    Raises:
        UsageError: the prompt is a text, in which nobody knows where the question stands; or, when a name begins,
            there are more tools than MOST.
    """

    def __init__(
        self,
        model: Model,
        fsm: TokenFSM,
        prompt: Prompt | str,
        temperature: float = 0.0,
        reveal: Reveal | None = None,
    ) -> None:
        self._model, self._fsm, self._reveal = model, fsm, reveal
        self._prompt = reveal(()) if reveal else prompt
        self._temperature = temperature or 1.0
        self._neutral = neutral_prompts(self._prompt)
        self._naming = Naming(model, fsm)
        self._begin, self._marker = 0, b""  # how many tokens stand before the call, and what begins it, if it's spelled
        self._seen: tuple[int, ...] | None = None  # the answer, as far as P̂ of the tools takes it into account
        self._weights: dict[str, Weight] = {}
        self._shortlist: tuple[str, ...] = ()
        self._posterior: dict[str, float] = {}  # log P̂(t | the tokens so far), up to a constant
        self._ways: tuple[list[int], dict[str, Floats]] = ([], {})  # the tokens that were allowed, and log P̃_t of them

    def begin(self, state: int, tokens: Sequence[int], room: int) -> tuple[str, ...]:
        """Weigh the names where one begins; the tools of the shortlist, which the model is to see here.

        tokens   the answer so far
        room     how many tokens the model can still read
        """
        text = next((cell for cell in self._fsm.dfa.cells(state) if isinstance(cell, TextCell)), None)
        if text is not None:
            self._begin = len(tokens)
            self._marker = b"" if self._fsm.vocabulary.ids(text.marker) else text.marker.encode()
        names = tuple(unwritten(self._fsm, state))
        if len(names) < 2:
            self._seen = None
            self._shortlist = self._shortlist if names else ()
            return self._shortlist
        if not self._followed(names, tokens):
            self._weights, self._shortlist = self.weigh(state, tokens, room)
            totals = np.array([weight.total for weight in self._weights.values()])
            self._posterior = dict(zip(self._weights, self._cooled(totals).tolist(), strict=True))
        self._seen = tuple(tokens)
        return self._shortlist

    def weighed(self, state: int, logits: NDArray[np.float32], allowed: NDArray[np.bool_]) -> Weighed | None:
        """P̂ where a name has begun or may begin and several are possible; None where P̃ stays as it is.

        logits   of the next token, (V,), behind what `begin` said
        allowed  what the machine admits, (V,)
        """
        if self._seen is None:
            return None
        ids = np.flatnonzero(allowed)
        scores = self._cooled(logits[ids].astype(np.float64))
        ways = self._possible(state, ids, scores)
        self._ways = ids.tolist(), ways
        return self._shares(tuple(unwritten(self._fsm, state)), ways, softmax(scores))

    def _cooled(self, scores: Floats) -> Floats:
        """Scores at the run's temperature, the highest 0; however cold, none is without bound: it stays possible."""
        cooled: Floats = np.maximum((scores - scores.max()) / max(self._temperature, COLDEST), LEAST)
        return cooled

    def _followed(self, names: Sequence[str], tokens: Sequence[int]) -> bool:
        """Take the new tokens into account; False where they don't go on with what was weighed.

        All but the first of them were forced: they tell nothing of the tools.
        """
        known = len(self._seen) if self._seen is not None else len(tokens)
        if known >= len(tokens) or tuple(tokens[:known]) != self._seen or not self._weights.keys() >= set(names):
            return False
        ids, ways = self._ways
        if tokens[known] in ids:
            column = ids.index(tokens[known])
            self._posterior = {name: self._posterior[name] + float(ways[name][column]) for name in names}
        return True

    def _shares(self, names: Sequence[str], ways: Mapping[str, Floats], plain: Floats) -> Weighed:
        """P̂ of the tokens; where some go on without a call, they keep their P̃, and the others share what is left."""
        chances = softmax(np.array([self._posterior[name] for name in names]))
        shares = sum((chance * np.exp(ways[name]) for name, chance in zip(names, chances, strict=True)), np.zeros(1))
        calls = np.logical_or.reduce([np.isfinite(way) for way in ways.values()])  # (n,)
        best = np.isfinite(ways[max(names, key=lambda name: self._weights[name].total)])
        return Weighed(np.where(calls, plain[calls].sum() * shares, plain), best if calls[plain.argmax()] else ~calls)

    def _possible(self, state: int, ids: NDArray[np.int64], scores: Floats) -> dict[str, Floats]:
        """log P̃_t of the allowed tokens for each tool: -inf where it is no longer possible."""
        open_to: dict[str, list[int]] = {}
        for place, token in enumerate(ids.tolist()):
            after = self._fsm.step(state, token)
            for name in () if after is None else self._fsm.dfa.tools(after) or ahead(self._fsm, after):
                open_to.setdefault(name, []).append(place)
        ways: dict[str, Floats] = {}
        for name, places in open_to.items():
            ways[name] = np.full(len(ids), -np.inf)
            own = scores[places] - scores[places].max()
            ways[name][places] = own - np.log(np.exp(own).sum())
        return ways

    def weigh(self, state: int, tokens: Sequence[int], room: int) -> tuple[dict[str, Weight], tuple[str, ...]]:
        """The weight of each tool that is possible where a name begins or has begun; the shortlist, if there is one."""
        rests = unwritten(self._fsm, state)
        if len(rests) > MOST:
            raise UsageError(
                f"{len(rests):,} tools are too many to weigh one by one",
                fix=f"weigh at most {MOST}, or let the tokens be chosen one at a time",
            )
        naming, steps = self._naming, self._naming.steps(state, rests, max(min(room, ROOM) - 1, 0))
        asked, masked = naming.chances(self._prompt, tokens, steps)
        usual = naming.usual(self._neutral, self._call(tokens), steps)
        lifts = {name: float((asked[name] - usual[name]).clip(0).sum()) for name in rests}
        weights = {name: Weight(masked[name], lifts[name]) for name in rests}
        if self._reveal is None or any(isinstance(cell, TextCell) for cell in self._fsm.dfa.cells(state)):
            return weights, ()
        order = tuple(sorted(rests, key=lambda name: weights[name].total))
        heats = self._heats(self._reveal, order, tokens, steps) if len(order) > SHORTLIST else {}
        if heats:
            order = tuple(sorted(rests, key=lambda name: heats[name] + SHOWN_LIFT * lifts[name]))
        shortlist, prompt = self._shown(self._reveal, order[-SHORTLIST:], tokens)
        if prompt is None:
            return weights, ()
        _, masked = naming.chances(prompt, tokens, steps)
        return {name: Weight(masked[name], lifts[name], True, heats.get(name, 0.0)) for name in rests}, shortlist

    def _heats(self, reveal: Reveal, names: Sequence[str], tokens: Sequence[int], steps: Steps) -> dict[str, float]:
        """log P(t | heat) of each name, where neighbours are in different heats."""
        number = math.ceil(len(names) / SHORTLIST)
        chances = dict.fromkeys(names, NEVER)  # of what fits no prompt
        for first in range(number):
            shown, prompt = self._shown(reveal, tuple(names[first::number]), tokens)
            if prompt is not None:
                asked, _ = self._naming.chances(prompt, tokens, only(steps, shown))
                chances |= {name: float(asked[name].sum()) for name in shown}
        return chances

    def _shown(
        self, reveal: Reveal, names: tuple[str, ...], tokens: Sequence[int]
    ) -> tuple[tuple[str, ...], Prompt | str | None]:
        """As many of the names, the likeliest last, as fit into the model's context, and the prompt that shows them."""
        most = self._model.context - len(tokens) - min(ROOM, self._model.context // 4)
        while names:
            prompt = reveal(names)
            if self._model.prompt_tokens(prompt) <= most:
                return names, prompt
            names = names[1:]
        return (), None

    def _call(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """The tokens of the call so far, from its marker on."""
        begin = min(self._begin, len(tokens))
        while begin and self._marker not in self._fsm.vocabulary.spelled(tokens[begin:]):
            begin -= 1
        return tuple(tokens[begin:])


def softmax(scores: Floats) -> Floats:
    """exp(scores), of which the sum is 1."""
    shares: Floats = np.exp(scores - scores.max())
    shares /= shares.sum()
    return shares
