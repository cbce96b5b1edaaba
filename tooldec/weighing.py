"""Tools' names weighed as wholes, before the first token of one is chosen.

P̃ sees one token at a time. Where the model wasn't shown the list, a right tool is often lost at its first token: the
model can't know which names there are, and seldom writes a word that it seldom saw. The machine knows them all, so the
model can be asked for each whole name first, and how much likelier the question makes it:

    P̂(t) ∝ √(P̃(t) · Λ(t))        P̃(t) = Π P̃(aᵢ)        Λ(t) = Π max(1, P(aᵢ | question) / P(aᵢ))

a₁ … aₖ are the tokens that the model usually spells the name of tool t with, and a last step in which it goes on as
only t's call can. P̃(aᵢ) is the share of P(aᵢ | question) in all that one of the names could go on with, so that P̃(t)
is what the mask alone makes of t. P(aᵢ) is the mean of P(aᵢ | question) over the questions of NEUTRAL, which ask for
nothing, where an answer begins with the call. Λ(t) counts what the question makes likelier (calibration in context:
Zhao and others 2021; the competition of surface forms: Holtzman and others 2021): a word that people seldom write isn't
to lose for that, and where the question speaks of none of a name, how much less is no sign. P̂ is the geometric mean of
both opinions, either of which alone finds fewer tools. Tokens are then taken as if the tool had been drawn first, so
that P̂ of all tokens sums to 1, and every tokenisation of a name is still open; whether there is a call at all is the
model's choice as before:

    P̂(a) = Σ_t P̂(t | the tokens so far) · P̃_t(a)        P̃_t: P masked to the tokens after which t is possible
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tooldec import explain
from tooldec.cells import NamesCell, TextCell
from tooldec.errors import UsageError
from tooldec.models.branches import Branches
from tooldec.spelling import spelled
from tooldec.token_fsm import TokenFSM

if TYPE_CHECKING:
    from tooldec.models import Model
    from tooldec.schemes import Prompt

Floats = NDArray[np.float64]

NEUTRAL = (
    "",
    "?",
    "What can you do for me?",
    "Please do it.",
    "Can you help me with this?",
    "I need something done.",
    "Could you take care of this for me today?",
    "Please check it and tell me.",
    "Do the usual thing.",
    "How is it going?",
    "Show me everything.",
    "Is it ready yet?",
    "We need 12 of them by Friday.",
    "Add this one, too.",
    "It's for Anna, at 5.",
    "The first one was better than the second.",
)
"""Questions that ask for no tool in particular."""

MOST = 512
"""How many tools are weighed; each one is read with every neutral question."""

BATCH = 128
"""How many beginnings of names the model reads at once."""

KEPT = 32
"""For so many lists of tools a model's log P(aᵢ) are kept."""

NEVER = -100.0
"""The least log-probability of a token: a model that gives it none is no surer than that."""


_kept: WeakKeyDictionary[Any, dict[Any, dict[str, Floats]]] = WeakKeyDictionary()  # by model

Steps = dict[tuple[int, ...], list[tuple[str, NDArray[np.int64]]]]
"""The tokens of a name so far → the tools whose names go on there, each with the tokens that may come next."""


@dataclass(frozen=True, slots=True)
class Weight:
    """log P̃(t) and log Λ(t)."""

    masked: float
    lift: float

    @property
    def total(self) -> float:
        """log P̂(t), up to a constant."""
        return (self.masked + self.lift) / 2


@dataclass(frozen=True, slots=True)
class Weighed:
    """P̂ of the allowed tokens (n,), and which of them lead on to the most probable tool (n,)."""

    shares: Floats
    best: NDArray[np.bool_]


class Weigher:
    """Weighs the names of one run, each time that one begins.

    temperature   as that of the run: P̂(t) and P̃_t are taken to its power

    Raises:
        UsageError: the prompt is a text, in which nobody knows where the question stands; or, when a name begins,
            there are more tools than MOST.
    """

    def __init__(self, model: Model, fsm: TokenFSM, prompt: Prompt | str, temperature: float = 0.0) -> None:
        self._model, self._fsm, self._prompt = model, fsm, prompt
        self._temperature = temperature or 1.0
        self._neutral = neutral_prompts(prompt)
        self._begin, self._marker = 0, b""  # how many tokens stand before the call, and what begins it, if it's spelled
        self._seen: tuple[int, ...] | None = None  # the answer, as far as P̂ of the tools takes it into account
        self._weights: dict[str, Weight] = {}
        self._posterior: dict[str, float] = {}  # log P̂(t | the tokens so far), up to a constant
        self._ways: tuple[list[int], dict[str, Floats]] = ([], {})  # the tokens that were allowed, and log P̃_t of them

    def weighed(
        self, state: int, logits: NDArray[np.float32], allowed: NDArray[np.bool_], tokens: Sequence[int], room: int
    ) -> Weighed | None:
        """P̂ where a name has begun or may begin and several are possible; None where P̃ stays as it is.

        logits   of the next token, (V,)
        allowed  what the machine admits, (V,)
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
            return None
        if not self._followed(names, tokens):
            self._weights = self.weigh(state, tokens, room)
            self._posterior = {name: weight.total / self._temperature for name, weight in self._weights.items()}
        self._seen = tuple(tokens)
        ids = np.flatnonzero(allowed)
        scores = logits[ids].astype(np.float64) / self._temperature
        ways = self._possible(state, ids, scores)
        self._ways = ids.tolist(), ways
        return self._shares(names, ways, _softmax(scores))

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
        chances = _softmax(np.array([self._posterior[name] for name in names]))
        shares = sum((chance * np.exp(ways[name]) for name, chance in zip(names, chances, strict=True)), np.zeros(1))
        calls = np.logical_or.reduce([np.isfinite(way) for way in ways.values()])  # (n,)
        best = np.isfinite(ways[max(names, key=lambda name: self._weights[name].total)])
        return Weighed(np.where(calls, plain[calls].sum() * shares, plain), best if calls[plain.argmax()] else ~calls)

    def _possible(self, state: int, ids: NDArray[np.int64], scores: Floats) -> dict[str, Floats]:
        """log P̃_t of the allowed tokens for each tool: -inf where it is no longer possible."""
        open_to: dict[str, list[int]] = {}
        for place, token in enumerate(ids.tolist()):
            after = self._fsm.step(state, token)
            for name in () if after is None else explain.tools(self._fsm.dfa, after):
                open_to.setdefault(name, []).append(place)
        ways: dict[str, Floats] = {}
        for name, places in open_to.items():
            ways[name] = np.full(len(ids), -np.inf)
            ways[name][places] = np.log(_softmax(scores[places]))
        return ways

    def weigh(self, state: int, tokens: Sequence[int], room: int) -> dict[str, Weight]:
        """The weight of each tool that is possible at a state in which a name begins or has begun."""
        rests = unwritten(self._fsm, state)
        if len(rests) > MOST:
            raise UsageError(
                f"{len(rests):,} tools are too many to weigh one by one",
                fix=f"weigh at most {MOST}, or let the tokens be chosen one at a time",
            )
        steps = self._steps(state, rests, max(room - 1, 0))
        asked, masked = self._chances(self._prompt, tokens, steps)
        usual = self._usual(self._call(tokens), steps)
        return {name: Weight(masked[name], float((asked[name] - usual[name]).clip(0).sum())) for name in rests}

    def _call(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """The tokens of the call so far, from its marker on."""
        spelling = self._fsm.vocabulary.spelling
        begin = min(self._begin, len(tokens))
        while begin and self._marker not in b"".join(_bytes(spelling(token)) for token in tokens[begin:]):
            begin -= 1
        return tuple(tokens[begin:])

    def _usual(self, call: tuple[int, ...], steps: Steps) -> dict[str, Floats]:
        """log P(aᵢ), in an answer that begins with the call; kept for the next question about the same tools."""
        spelling = tuple((written, name, ids.tobytes()) for written, on in steps.items() for name, ids in on)
        key = (self._model.render(self._neutral[0]), call, spelling)
        kept = _kept.setdefault(self._model, {})
        found = kept.pop(key, None)
        if found is None:
            each = [self._chances(prompt, call, steps)[0] for prompt in self._neutral]
            found = {name: np.logaddexp.reduce([one[name] for one in each]) - math.log(len(each)) for name in each[0]}
        kept[key] = found
        for old in list(kept)[:-KEPT]:
            kept.pop(old, None)
        return found

    def _steps(self, state: int, rests: Mapping[str, bytes], longest: int) -> Steps:
        """Behind each beginning of a name: each tool that is spelled so, and the tokens with which it goes on."""
        steps: Steps = {}
        for name, rest in rests.items():
            written: tuple[int, ...] = ()
            at = state
            for token, after in spelled(self._fsm, state, rest, self._model.tokenize)[:longest]:
                steps.setdefault(written, []).append((name, np.array([token])))
                written, at = (*written, token), after
            steps.setdefault(written, []).append((name, self._goes_on(at, name)))
        return steps

    def _goes_on(self, state: int, name: str) -> NDArray[np.int64]:
        """The tokens behind a whole name with which only its own tool is meant."""
        ids, dfa = np.flatnonzero(self._fsm.allowed(state)), self._fsm.dfa
        if explain.tools(dfa, state) == (name,):
            return ids
        after = ((token, self._fsm.step(state, token)) for token in ids.tolist())
        only = [token for token, at in after if at is not None and explain.tools(dfa, at) == (name,)]
        return np.array(only, np.int64)

    def _chances(
        self, prompt: Prompt | str, tokens: Sequence[int], steps: Steps
    ) -> tuple[dict[str, Floats], dict[str, float]]:
        """log P(aᵢ | prompt) of each name's tokens, the last for all with which only t's call goes on; log P̃(t)."""
        branches, begun = Branches(self._model, prompt, tokens), list(steps)
        found: dict[str, list[float]] = {}
        masked: dict[str, float] = {}
        for first in range(0, len(begun), BATCH):
            some = begun[first : first + BATCH]
            for written, logits in zip(some, branches.logits(some), strict=True):
                possible = _log_sum(logits[np.unique(np.concatenate([ids for _, ids in steps[written]]))])
                whole = _log_sum(logits)
                for name, ids in steps[written]:
                    chance = _log_sum(logits[ids])
                    found.setdefault(name, []).append(max(chance - whole, NEVER))
                    masked[name] = masked.get(name, 0.0) + max(chance - possible, NEVER)
        return {name: np.array(each) for name, each in found.items()}, masked


def neutral_prompts(prompt: Prompt | str) -> tuple[Prompt, ...]:
    """The prompt with each question of NEUTRAL in the place of its own: that of its last message of a user."""
    roles = [] if isinstance(prompt, str) else [message["role"] for message in prompt.messages]
    if isinstance(prompt, str) or "user" not in roles:
        raise UsageError(
            "names can't be weighed without knowing where the question stands in the prompt",
            fix="pass scheme.prompt(tools, question), not a text",
        )
    place = len(roles) - 1 - roles[::-1].index("user")
    before, asked, after = prompt.messages[:place], prompt.messages[place], prompt.messages[place + 1 :]
    return tuple(replace(prompt, messages=(*before, {**asked, "content": each}, *after)) for each in NEUTRAL)


def unwritten(fsm: TokenFSM, state: int) -> dict[str, bytes]:
    """What is still to be written of each name that is possible, where one begins or has begun; else nothing."""
    cells = fsm.dfa.cells(state)
    names = [cell for cell in cells if isinstance(cell, NamesCell) and cell.label.mode == "name"]
    rests = {cell.label.tool: b"" for cell in cells if names and cell.label.tool is not None}
    for cell in names:
        words = cell.names.words[cell.low : cell.high]
        rests |= {word.decode("utf-8", "replace"): word[cell.depth :] for word in words}
    return rests


def _bytes(spelling: bytes | str | None) -> bytes:
    return spelling.encode() if isinstance(spelling, str) else spelling or b""


def _softmax(scores: Floats) -> Floats:
    shares: Floats = np.exp(scores - scores.max())
    shares /= shares.sum()
    return shares


def _log_sum(scores: NDArray[np.floating[Any]]) -> float:
    most = float(scores.max(initial=-np.inf))
    return most + float(np.log(np.exp(scores.astype(np.float64) - most).sum())) if np.isfinite(most) else most
