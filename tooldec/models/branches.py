"""Many continuations of one prompt at once: the prompt is read once, the continuations in one batch.

Branches(model, prompt).logits([(5,), (5, 9)])   # (2, V): what follows each continuation
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from tooldec.models.threads import is_small, threads

if TYPE_CHECKING:
    from tooldec.models import Model
    from tooldec.schemes import Prompt

Continuation = tuple[int, ...]


class Branches:
    """The continuations of `prompt` and the tokens of `opening`, for any model."""

    def __init__(self, model: Model, prompt: Prompt | str, opening: Sequence[int] = ()) -> None:
        self.model, self.prompt, self.opening = model, prompt, tuple(opening)
        self._network: Any = getattr(model, "network", None)
        self._small = self._network is not None and is_small(self._network)
        self._ids: list[int] = []
        self._cache: Any = None
        if self._network is not None:
            session: Any = model.start(prompt)
            session.append(self.opening)
            self._ids, self._cache = _read(session)

    def logits(self, continuations: Sequence[Continuation]) -> NDArray[np.float32]:
        """The scores of the next token after each continuation: (len(continuations), V)."""
        if self._cache is None:
            return np.stack([self._one(tokens) for tokens in continuations])
        return self._many(continuations)

    def _one(self, tokens: Continuation) -> NDArray[np.float32]:
        session = self.model.start(self.prompt)
        session.append((*self.opening, *tokens))
        found: NDArray[np.float32] = session.logits().float().numpy()
        return found

    def _many(self, continuations: Sequence[Continuation]) -> NDArray[np.float32]:
        # The last token of prompt and opening is read again, so that an empty continuation has a row of its own.
        rows = [(self._ids[-1], *tokens) for tokens in continuations]
        longest = max(map(len, rows))
        padded = [(*row, *[row[-1]] * (longest - len(row))) for row in rows]  # what comes later changes nothing before
        cache = deepcopy(self._cache)
        cache.batch_repeat_interleave(len(rows))
        with threads(self._small), torch.inference_mode():
            inputs = torch.tensor(padded, device=self._network.device)  # (rows, longest)
            output = self._network(input_ids=inputs, past_key_values=cache, use_cache=True)
            ends = torch.tensor([len(row) - 1 for row in rows], device=self._network.device)
            last = output.logits[torch.arange(len(rows), device=self._network.device), ends]  # (rows, V)
            found: NDArray[np.float32] = last.float().cpu().numpy()
        return found


def _read(session: Any) -> tuple[list[int], Any]:
    """All tokens of a session, and its cache without the last of them; no cache where the model can't cut one."""
    ids = list(session._ids)
    session.logits()
    cache = session._cache
    if cache is None or not hasattr(cache, "crop") or not hasattr(cache, "batch_repeat_interleave") or len(ids) < 2:
        return ids, None
    try:
        cache.crop(-1)
    except (AttributeError, NotImplementedError, ValueError):  # a cache of states, or of a sliding window
        return ids, None
    return ids, cache
