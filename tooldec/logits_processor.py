"""The machine inside transformers' own `generate`: batches, sampling and beams.

outputs = model.generate(**inputs, logits_processor=[ToolDecLogitsProcessor(fsm, inputs.input_ids.shape[1])])
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import LogitsProcessor

from tooldec.errors import HostError, UsageError
from tooldec.token_fsm import TokenFSM

Ids = tuple[int, ...]


class ToolDecLogitsProcessor(LogitsProcessor):
    """Sets the scores of tokens that a row's state doesn't allow to -inf.

    prompt_length  columns of `input_ids` that are prompt, padding on the left included: the same for all rows

    A row's state is a function of its generated tokens alone, so beams may be reordered at will and one processor
    may serve several calls of `generate`. A row that has ended allows the tokens that end the text and nothing else.
    Only grammars without results: nobody can write them inside of `generate`.
    """

    def __init__(self, fsm: TokenFSM, prompt_length: int) -> None:
        if prompt_length < 0:
            raise UsageError(f"prompt_length can't be {prompt_length}", fix="use inputs.input_ids.shape[1]")
        if not fsm.vocabulary.eos:
            raise UsageError("the vocabulary has no token that ends the text", fix="build it with eos=(id,)")
        self.fsm, self.prompt_length = fsm, prompt_length
        self._states: dict[Ids, int | None] = {}  # generated tokens of the last call's rows -> state, None: ended
        self._ended = np.zeros(fsm.vocabulary.size, dtype=np.bool_)
        self._ended[list(fsm.vocabulary.eos)] = True

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """`input_ids` (rows, length), `scores` (rows, V) → scores (rows, V)."""
        size = self.fsm.vocabulary.size
        if scores.shape[-1] != size:
            raise UsageError(
                f"the machine has {size} tokens, the scores {scores.shape[-1]}",
                fix=f"build the vocabulary with size={scores.shape[-1]}",
            )
        written = [tuple(row) for row in input_ids[:, self.prompt_length :].tolist()]
        self._states = {ids: self._state(ids) for ids in written}
        masks = np.stack([self._mask(self._states[ids]) for ids in written])  # (rows, V)
        return scores.masked_fill(~torch.from_numpy(masks).to(scores.device), -torch.inf)

    def _state(self, ids: Ids) -> int | None:
        """The state behind these tokens: one step from the last call's, or walked again."""
        if not ids:
            return self.fsm.initial
        before = ids[:-1]
        start = self._states[before] if before in self._states else self._state_by_walking(before)
        return self._step(start, ids[-1])

    def _state_by_walking(self, ids: Ids) -> int | None:
        state: int | None = self.fsm.initial
        for token in ids:
            state = self._step(state, token)
        return state

    def _step(self, state: int | None, token: int) -> int | None:
        """None once the text has ended, or where somebody else wrote what the machine doesn't know."""
        if state is None or token in self.fsm.vocabulary.eos:
            return None
        return self.fsm.step(state, token)

    def _mask(self, state: int | None) -> NDArray[np.bool_]:
        if state is None:
            return self._ended
        if self.fsm.is_host(state):
            raise HostError(
                "the call waits for its result, which nobody can write inside of `generate`",
                fix="build the grammar with results=False, or use tooldec.decode",
            )
        return self._ended if self.fsm.is_complete(state) else self.fsm.allowed(state)
