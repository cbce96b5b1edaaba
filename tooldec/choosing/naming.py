"""How likely a model writes each tool's name, token by token, behind one prompt or another.

`Naming(model, fsm).steps(state, rests, longest)` spells the names as the model usually would; `chances` reads them all
in a few passes: log P of each token among everything that could be written, and P̃ of each name among the names.
`usual` is the same where nothing in particular is asked: the mean over the questions of NEUTRAL.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from tooldec.choosing.spelling import spelled
from tooldec.errors import UsageError
from tooldec.models.branches import Branches
from tooldec.states.cells import NamesCell
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

BATCH = 128
"""How many beginnings of names the model reads at once."""

KEPT = 32
"""For so many lists of tools a model's log P(aᵢ) are kept."""

NEVER = -100.0
"""The least log-probability of a token: a model that gives it none is no surer than that."""


_kept: WeakKeyDictionary[Any, dict[Any, dict[str, Floats]]] = WeakKeyDictionary()  # by model

Steps = dict[tuple[int, ...], list[tuple[str, NDArray[np.int64]]]]
"""The tokens of a name so far → the tools whose names go on there, each with the tokens that may come next."""


class Naming:
    """The names of one machine's tools, as one model spells them."""

    def __init__(self, model: Model, fsm: TokenFSM) -> None:
        self._model, self._fsm = model, fsm

    def usual(self, neutral: Sequence[Prompt], call: tuple[int, ...], steps: Steps) -> dict[str, Floats]:
        """log of the mean of P(aᵢ) behind these prompts; kept for the next question about the same tools.

        call   the tokens of the answer, which begins with the call
        """
        spelling = tuple((written, name, ids.tobytes()) for written, on in steps.items() for name, ids in on)
        key = (self._model.render(neutral[0]), call, spelling)
        kept = _kept.setdefault(self._model, {})
        found = kept.pop(key, None)
        if found is None:
            each = [self.chances(prompt, call, steps)[0] for prompt in neutral]
            found = {name: np.logaddexp.reduce([one[name] for one in each]) - math.log(len(each)) for name in each[0]}
        kept[key] = found
        for old in list(kept)[:-KEPT]:
            kept.pop(old, None)
        return found

    def steps(self, state: int, rests: Mapping[str, bytes], longest: int) -> Steps:
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
        if dfa.tools(state) == (name,):
            return ids
        after = ((token, self._fsm.step(state, token)) for token in ids.tolist())
        only = [token for token, at in after if at is not None and dfa.tools(at) == (name,)]
        return np.array(only, np.int64)

    def chances(
        self, prompt: Prompt | str, tokens: Sequence[int], steps: Steps
    ) -> tuple[dict[str, Floats], dict[str, float]]:
        """log P(aᵢ | prompt) of each name's tokens, the last for all with which only t's call goes on; log P̃(t)."""
        branches, begun = Branches(self._model, prompt, tokens), list(steps)
        found: dict[str, list[float]] = {}
        masked: dict[str, float] = {}
        for first in range(0, len(begun), BATCH):
            some = begun[first : first + BATCH]
            for written, logits in zip(some, branches.logits(some), strict=True):
                possible = log_sum(logits[np.unique(np.concatenate([ids for _, ids in steps[written]]))])
                whole = log_sum(logits)
                for name, ids in steps[written]:
                    chance = log_sum(logits[ids])
                    found.setdefault(name, []).append(max(chance - whole, NEVER))
                    masked[name] = masked.get(name, 0.0) + max(chance - possible, NEVER)
        return {name: np.array(each) for name, each in found.items()}, masked


def only(steps: Steps, names: Collection[str]) -> Steps:
    """The steps of some of the names."""
    some = {begun: [(name, ids) for name, ids in on if name in names] for begun, on in steps.items()}
    return {begun: on for begun, on in some.items() if on}


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
    """What is still to be written of each name that is possible, where one begins or has begun; else nothing.

    A name begins where a token may hold its first letters: behind `Action:` that may be ` square`, space and all.
    """
    if names := _names(fsm, state):
        return names
    names, before = _ahead(fsm, state)
    spellings = map(fsm.vocabulary.spelling, np.flatnonzero(fsm.allowed(state)).tolist() if names else ())
    return names if any(spelling is not None and len(spelling) > before for spelling in spellings) else {}


def ahead(fsm: TokenFSM, state: int) -> dict[str, bytes]:
    """The same wherever nothing but names can come, behind a text that must come first."""
    return _names(fsm, state) or _ahead(fsm, state)[0]


def _ahead(fsm: TokenFSM, state: int) -> tuple[dict[str, bytes], int]:
    """The names behind a text that must come first, with that text; its length."""
    written = bytearray()
    at: int | None = state
    for byte in fsm.forced(state):
        written.append(byte)
        at = fsm.dfa.step(at, byte) if at is not None else None
        if at is not None and (names := _names(fsm, at)):
            return {name: bytes(written) + rest for name, rest in names.items()}, len(written)
    return {}, 0


def _names(fsm: TokenFSM, state: int) -> dict[str, bytes]:
    """The same for a state at which the names' own letters stand."""
    cells = fsm.dfa.cells(state)
    names = [cell for cell in cells if isinstance(cell, NamesCell) and cell.label.mode == "name"]
    rests = {cell.label.tool: b"" for cell in cells if names and cell.label.tool is not None}
    for cell in names:
        words = cell.names.words[cell.low : cell.high]
        rests |= {word.decode("utf-8", "replace"): word[cell.depth :] for word in words}
    return rests


def log_sum(scores: NDArray[np.floating[Any]]) -> float:
    """log Σ exp(scores), in double precision."""
    most = float(scores.max(initial=-np.inf))
    return most + float(np.log(np.exp(scores.astype(np.float64) - most).sum())) if np.isfinite(most) else most
