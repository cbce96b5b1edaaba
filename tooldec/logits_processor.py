"""The machine inside transformers' own `generate`: batches, sampling and beams.

outputs = model.generate(**inputs, logits_processor=[ToolDecLogitsProcessor(fsm, inputs.input_ids.shape[1])])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import LogitsProcessor

from tooldec.errors import HostError, UsageError
from tooldec.token_fsm import TokenFSM

Ids = tuple[int, ...]
Written = tuple[int, Ids]
"""Which machine, and the tokens that a row has written."""


class ToolDecLogitsProcessor(LogitsProcessor):
    """Sets the scores of tokens that a row's state doesn't allow to -inf.

    fsm            one machine, or one for each prompt of the batch (beams of a prompt share its machine)
    prompt_length  columns of `input_ids` that are prompt, padding on the left included: the same for all rows

    A row's state is a function of its generated tokens alone, so beams may be reordered at will and one processor
    may serve several calls of `generate`. A row that has ended allows the tokens that end the text and nothing else.
    Only grammars without results: nobody can write them inside of `generate`.
    """

    def __init__(self, fsm: TokenFSM | Sequence[TokenFSM], prompt_length: int) -> None:
        self.machines = (fsm,) if isinstance(fsm, TokenFSM) else tuple(fsm)
        if prompt_length < 0:
            raise UsageError(f"prompt_length can't be {prompt_length}", fix="use inputs.input_ids.shape[1]")
        if not self.machines or len({machine.vocabulary.size for machine in self.machines}) > 1:
            raise UsageError("the machines of a batch have one vocabulary", fix="give at least one, all of one model")
        if not self.machines[0].vocabulary.eos:
            raise UsageError("the vocabulary has no token that ends the text", fix="build it with eos=(id,)")
        self.prompt_length = prompt_length
        self._states: dict[Written, int | None] = {}  # what the last call's rows had written -> state, None: ended
        self._ended = np.zeros(self.machines[0].vocabulary.size, dtype=np.bool_)
        self._ended[list(self.machines[0].vocabulary.eos)] = True

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """`input_ids` (rows, length), `scores` (rows, V) → scores (rows, V)."""
        size = len(self._ended)
        if scores.shape[-1] != size:
            raise UsageError(
                f"the machine has {size} tokens, the scores {scores.shape[-1]}",
                fix=f"build the vocabulary with size={scores.shape[-1]}",
            )
        rows = input_ids[:, self.prompt_length :].tolist()
        if len(rows) % len(self.machines):
            raise UsageError(
                f"{len(self.machines)} machines don't fit {len(rows)} rows", fix="give one for each prompt"
            )
        beams = len(rows) // len(self.machines)
        written = [(index // beams, tuple(row)) for index, row in enumerate(rows)]
        self._states = {row: self._state(*row) for row in written}
        masks = np.stack([self._mask(self.machines[row[0]], self._states[row]) for row in written])  # (rows, V)
        masked = scores.masked_fill(~torch.from_numpy(masks).to(scores.device), -torch.inf)
        if not torch.isfinite(masked).any(-1).all():
            raise UsageError(
                "another logits processor has barred every token that the machine allows",
                fix="leave out no_repeat_ngram_size, bad_words_ids and the like, or pass it after them",
            )
        return masked

    def _state(self, machine: int, ids: Ids) -> int | None:
        """The state behind these tokens: one step from the last call's, or walked again."""
        fsm = self.machines[machine]
        if not ids:
            return fsm.initial
        if (machine, ids[:-1]) in self._states:
            return _step(fsm, self._states[machine, ids[:-1]], ids[-1])
        state: int | None = fsm.initial
        for token in ids:
            state = _step(fsm, state, token)
        return state

    def _mask(self, fsm: TokenFSM, state: int | None) -> NDArray[np.bool_]:
        if state is None:
            return self._ended
        if fsm.is_host(state):
            raise HostError(
                "the call waits for its result, which nobody can write inside of `generate`",
                fix="build the grammar with results=False, or use tooldec.decode",
            )
        return self._ended if fsm.is_complete(state) else fsm.allowed(state)


def _step(fsm: TokenFSM, state: int | None, token: int) -> int | None:
    """None once the text has ended, or where somebody else wrote what the machine doesn't know."""
    if state is None or token in fsm.vocabulary.eos:
        return None
    return fsm.step(state, token)
