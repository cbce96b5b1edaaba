"""From logits and a mask to the next token: P, P̃ and the choice (section 3.1).

    logits (V,) → temperature → P → mask → renormalise = P̃ → top-k → top-p → token

P̃(a) = P(a) / Σ P over the allowed tokens. It is computed from the logits of these, so that it sums to 1 even
where the mask leaves next to nothing of P.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from tooldec.errors import ModelError, UsageError
from tooldec.trace import Candidate
from tooldec.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tooldec.choosing.weighing import Weighed

WANTED, VALID = 12, 14
"""How many candidates a step keeps: the most probable ones, and the most probable of the valid ones."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How to choose from P̃. Temperature 0 is greedy: it shows temperature 1, and ties go to the lowest id."""

    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        rules = (
            ("max_tokens", int, 1, math.inf, "a whole number from 1 on"),
            ("temperature", int | float, 0, sys.float_info.max, "0 (greedy) or a number above it"),
            ("top_p", int | float, math.ulp(0.0), 1, "a number above 0 and at most 1"),
            ("top_k", int, 0, math.inf, "0 (all tokens) or a whole number above it"),
            ("seed", int, 0, 2**63 - 1, f"a whole number from 0 to {2**63 - 1}"),
        )
        for name, kind, low, high, wanted in rules:
            value = getattr(self, name)
            if not isinstance(value, kind) or not low <= value <= high:
                shown = f"the text {value!r}" if isinstance(value, str) else value
                raise UsageError(f"{name} can't be {shown}", fix=f"use {wanted}")


@dataclass(frozen=True, slots=True)
class Choice:
    """A token, the probability that the mask left, and the tokens to show with it."""

    token: int
    mass_kept: float
    candidates: tuple[Candidate, ...]


class Chooser:
    """Chooses the tokens of one run; its random numbers come from a generator of its own, on the CPU.

    shown   whether choices bring candidates; without them P isn't needed but for its mass, which is of single precision
    """

    def __init__(self, settings: Settings, vocabulary: Vocabulary, shown: bool = True) -> None:
        self._settings, self._vocabulary, self._shown = settings, vocabulary, shown
        self._random = torch.Generator().manual_seed(settings.seed)

    def choose(
        self,
        logits: torch.Tensor,
        allowed: NDArray[np.bool_],
        wanted: int | None = None,
        weighed: Weighed | None = None,
    ) -> Choice:
        """`logits` as fp32 on the CPU, (V,); `allowed` has the same shape and at least one True.

        wanted   an allowed token that somebody has chosen; the random number is drawn all the same
        weighed  what takes the place of P̃ where names are weighed as wholes
        """
        scores, temperature = logits.double(), self._settings.temperature or 1.0
        every = bool(allowed.all())
        ids = torch.arange(len(allowed)) if every else torch.from_numpy(np.flatnonzero(allowed))  # (n,)
        valid = scores if every else scores[ids]
        masked = _softmax(valid, temperature)  # P̃ of the allowed ones, (n,)
        if not torch.isfinite(masked.sum()):
            raise ModelError(
                f"the model gives none of the {len(ids)} valid tokens a probability", fix="use another model"
            )
        if weighed is not None:
            masked = torch.from_numpy(weighed.shares)
            valid = valid.masked_fill(~torch.from_numpy(weighed.best), -torch.inf)  # greedy: on to the best tool
        picked = int(ids[self._pick(valid, masked)])
        token = picked if wanted is None else wanted
        if not self._shown:
            return Choice(token, 1.0 if every else _share(scores[ids], logits, temperature), ())
        before = masked if every else _softmax(scores, temperature)  # P, (V,)
        after = before if every else torch.zeros_like(before).index_put((ids,), masked)  # P̃, (V,)
        shown = torch.cat([_highest(before, WANTED), ids[_highest(masked, VALID)], torch.tensor([token])])
        candidates = (
            Candidate(i, self._vocabulary.text(i), float(before[i]), float(after[i]))
            for i in sorted(set(shown.tolist()), key=lambda i: (-before[i], i))
        )
        kept = 1.0 if every else min(float(before[ids].sum(dtype=torch.float64)), 1.0)
        return Choice(token, kept, tuple(candidates))

    def only(self, token: int) -> Choice:
        """The one allowed token, taken without asking the model: P̃ = 1."""
        return Choice(token, 1.0, (Candidate(token, self._vocabulary.text(token), 1.0, 1.0),))

    def _pick(self, scores: torch.Tensor, masked: torch.Tensor) -> int:
        """An index into the allowed tokens. A single one takes no random number."""
        if self._settings.temperature == 0 or len(masked) == 1:
            return int(scores.argmax())
        top_k, top_p = self._settings.top_k, self._settings.top_p
        if not top_k and top_p == 1:
            return self._sample(masked)
        # tokens below this bound sum to less than 1 - top_p: top-p leaves none of them
        count = top_k or int((masked >= (1 - top_p) / len(masked)).sum())
        order = _highest(masked, count)
        if top_p < 1:  # the smallest set that reaches top_p of what top-k left
            total = masked[order].cumsum(0, dtype=torch.float64)
            order = order[: int((total < top_p * (total[-1] if top_k else 1.0)).sum()) + 1]
        return int(order[self._sample(masked[order])])

    def _sample(self, weights: torch.Tensor) -> int:
        """An index by its weight: one random number, found in the running total."""
        total = weights.cumsum(0, dtype=torch.float64)
        chance = torch.rand(1, generator=self._random, dtype=total.dtype) * total[-1]
        return min(int(torch.searchsorted(total, chance, right=True)), len(weights) - 1)


def _softmax(scores: torch.Tensor, temperature: float) -> torch.Tensor:
    """Probabilities of the scores; over the allowed ones alone this is P/ΣP, without its underflow."""
    return torch.softmax((scores - scores.max()) / temperature, dim=0)


def _share(valid: torch.Tensor, logits: torch.Tensor, temperature: float) -> float:
    """The probability of the allowed tokens, as exact as the logits are."""
    highest = logits.max()
    scores = torch.logsumexp((valid - highest) / temperature, dim=0)
    return min(float((scores - torch.logsumexp((logits - highest) / temperature, dim=0)).exp()), 1.0)


def _highest(probabilities: torch.Tensor, count: int) -> torch.Tensor:
    """Indices of the highest values, in order; ties go to the lowest index."""
    least = torch.topk(probabilities, min(count, len(probabilities))).values[-1]
    found = torch.nonzero(probabilities >= least).flatten()
    order = torch.sort(probabilities[found], descending=True, stable=True).indices
    return found[order[:count]]
