"""The machine inside transformers' own `generate`: batches, sampling and beams.

processor = ToolDecLogitsProcessor.for_tools(tools, model, tokenizer)
outputs = model.generate(**inputs, logits_processor=[processor])
calls = processor.read_calls(outputs[0, inputs.input_ids.shape[1] :])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import LogitsProcessor

from tooldec.errors import HostError, UsageError
from tooldec.models.huggingface import HuggingFaceModel
from tooldec.schemes import SCHEMES, Scheme, Start, relaxing
from tooldec.signatures import parse_tools
from tooldec.signatures.source import Pasted
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.tools import Tool, ToolCall

Ids = tuple[int, ...]
Written = tuple[int, Ids]
"""Which machine, and the tokens that a row has written."""

TAIL = 32
"""By so many last tokens of its prompt a row is known again."""

SHOWN = 40
"""Of what can't be read, an error shows so many tokens."""


class ToolDecLogitsProcessor(LogitsProcessor):
    """Sets the scores of tokens that a row's state doesn't allow to -inf.

    fsm            one machine, or one for each prompt of the batch (beams of a prompt share its machine)
    prompt_length  columns of `input_ids` that are prompt, padding on the left included: the same for all rows. Not
                   given: all that a generation begins with. Given: the answer may have been begun behind it

    One processor may serve several calls of `generate`, one after another; a call goes on with a generation where each
    row is one token longer than a row of that generation, so that beams may be reordered and candidates of an assistant
    be taken back. (So is a prompt that is an earlier one and one more token: where the machine could have written that
    token, give `prompt_length`, or make a new processor.) A row that has ended allows the tokens that end the text and
    nothing else. Only grammars without results: nobody can write them inside of `generate`.

    Raises UsageError where a generation begins with what no answer can begin with, and where machines, scores and rows
    don't fit together; HostError where a result is to be written.
    """

    def __init__(self, fsm: TokenFSM | Sequence[TokenFSM], prompt_length: int | None = None) -> None:
        self.machines = (fsm,) if isinstance(fsm, TokenFSM) else tuple(fsm)
        if prompt_length is not None and prompt_length < 0:
            raise UsageError(f"prompt_length can't be {prompt_length}", fix="leave it out")
        if not self.machines or len({machine.vocabulary.size for machine in self.machines}) > 1:
            raise UsageError("the machines of a batch have one vocabulary", fix="give at least one, all of one model")
        if not self.machines[0].vocabulary.eos:
            raise UsageError("the vocabulary has no token that ends the text", fix="build it with eos=(id,)")
        self.prompt_length = prompt_length
        self.scheme: Scheme | None = None
        self.tools: tuple[Tool, ...] = ()
        self._begin = 0  # column at which the answers of this generation begin
        self._length = -1  # columns of the last call
        self._seen: set[int] = set()  # hashes of its rows
        self._states: dict[Written, int | None] = {}  # what the last call's rows had written -> state, None: ended
        self._ended = np.zeros(self.machines[0].vocabulary.size, dtype=np.bool_)
        self._ended[list(self.machines[0].vocabulary.eos)] = True

    @classmethod
    def for_tools(
        cls,
        tools: Pasted,
        model: Any,
        tokenizer: Any,
        scheme: str = "json_tags",
        start: Start = "text",
        relax: bool = False,
    ) -> ToolDecLogitsProcessor:
        """The processor for a model's own way to call tools, as its chat template tells.

        tools      text, or dicts as `apply_chat_template` takes them: whatever `parse_tools` reads
        scheme     a key of SCHEMES; `json_tags` finds the family of the model
        start      "call" forces one, "none" allows none
        relax      what can't be enforced is left unchecked: `processor.machines[0].warnings` says what that is

        Raises SignatureError and SchemaError for tools that can't be followed, VocabularyError for a tokenizer.
        """
        own = HuggingFaceModel(model.config.name_or_path, model, tokenizer)
        chosen, parsed = SCHEMES[scheme].for_model(own), parse_tools(tools)
        chosen = relaxing(chosen) if relax else chosen
        made = cls(build_fsm(chosen.grammar(parsed, start), own.vocabulary))
        made.scheme, made.tools = chosen, parsed
        return made

    def read_calls(self, answer: str | Iterable[int]) -> tuple[ToolCall, ...]:
        """The calls in an answer's text or its tokens, the end and what follows it left out.

        Raises CallError for a call that `generate` cut off; UsageError for a processor that wasn't made by `for_tools`.
        """
        if self.scheme is None:
            raise UsageError("the processor knows no scheme", fix="use scheme.read_calls, or make it by `for_tools`")
        if not isinstance(answer, str):
            answer = self.machines[0].vocabulary.decode(answer)
        return self.scheme.read_calls(answer, self.tools)

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """`input_ids` (rows, length), `scores` (rows, V) → scores (rows, V)."""
        size = len(self._ended)
        if scores.shape[-1] != size:
            raise UsageError(
                f"the machine has {size} tokens, the scores {scores.shape[-1]}",
                fix=f"build the vocabulary with size={scores.shape[-1]}",
            )
        if len(input_ids) % len(self.machines):
            raise UsageError(
                f"{len(self.machines)} machines don't fit {len(input_ids)} rows", fix="give one for each prompt"
            )
        written = self._written(input_ids)
        self._states = {row: self._state(*row) for row in written}
        masks = np.stack([self._mask(self.machines[row[0]], self._states[row]) for row in written])  # (rows, V)
        masked = scores.masked_fill(~torch.from_numpy(masks).to(scores.device), -torch.inf)
        if not torch.isfinite(masked).any(-1).all():
            raise UsageError(
                "another logits processor has barred every token that the machine allows",
                fix="leave out what bars tokens, such as no_repeat_ngram_size, bad_words_ids or min_new_tokens",
            )
        return masked

    def _written(self, input_ids: torch.Tensor) -> list[Written]:
        """What each row has written; where a generation begins, that has to be the beginning of an answer."""
        rows, length = self._rows(input_ids), input_ids.shape[1]
        begins = length <= self._begin or not self._seen.issuperset(hash(row[:-1]) for row in rows)
        if not begins and length != self._length + 1:  # a prompt that is another one and a token looks like its answer
            beams, tail = len(rows) // len(self.machines), min(self._begin, TAIL)
            begins = any(self._is_foreign(index // beams, row[tail:]) for index, row in enumerate(rows))
        self._length = length
        if begins:
            self._seen, self._states = set(), {}
            self._begin = length if self.prompt_length is None else self.prompt_length
            if length < self._begin:
                raise UsageError(
                    f"the rows have {length} tokens, and prompt_length is {self._begin}",
                    fix="leave prompt_length out: then a prompt may have any length",
                )
            rows = self._rows(input_ids)
        self._seen.update(map(hash, rows))
        beams, tail = len(rows) // len(self.machines), min(self._begin, TAIL)
        written = [(index // beams, row[tail:]) for index, row in enumerate(rows)]
        if begins:
            for machine, ids in dict.fromkeys(written):
                _check(self.machines[machine], ids, length)
        return written

    def _is_foreign(self, machine: int, ids: Ids) -> bool:
        """Whether the machine can't have written these tokens."""
        return self._state(machine, ids) is None and not set(self.machines[machine].vocabulary.eos).intersection(ids)

    def _rows(self, input_ids: torch.Tensor) -> list[Ids]:
        """Each row from the last tokens of its prompt on."""
        return list(map(tuple, input_ids[:, max(self._begin - TAIL, 0) :].tolist()))

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
                fix="build the grammar with results=False, or use tooldec.decode, as `name_prompt` has to",
            )
        return self._ended if fsm.is_complete(state) else fsm.allowed(state)


def _step(fsm: TokenFSM, state: int | None, token: int) -> int | None:
    """None once the text has ended, or where an assistant proposes what the machine doesn't know."""
    if state is None or token in fsm.vocabulary.eos:
        return None
    return fsm.step(state, token)


def _check(fsm: TokenFSM, ids: Ids, length: int) -> None:
    """Raises UsageError where the machine can't read what a row has written when its generation begins."""
    state = fsm.initial
    for index, token in enumerate(ids):
        if token in fsm.vocabulary.eos and fsm.is_accepting(state) and len(set(ids[index + 1 :])) <= 1:
            return  # it has ended, and padding follows
        after = None if token in fsm.vocabulary.eos else fsm.step(state, token)
        if after is None:
            why = fsm.why_blocked(state, token) or "the answer has ended there, and goes on"
            text = "".join(map(fsm.vocabulary.text, ids[:SHOWN])) + ("…" if len(ids) > SHOWN else "")
            raise UsageError(
                f"with prompt_length={length - len(ids)} the answer begins with `{text}`, and that can't be read from "
                f"token {index + 1}, `{fsm.vocabulary.text(token)}`, on: {why}",
                fix="leave prompt_length out where all of it is prompt, or let it end in the beginning of a valid call",
            )
        state = after
