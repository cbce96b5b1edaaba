"""The machine as a logits processor of vLLM's V1 engine; an optional module, vLLM itself is imported if it is there.

    llm = LLM(model, logits_processors=["tooldec.vllm:ToolDecProcessor"])
    arguments = {"tooldec": {"tools": "def square(side: int)", "scheme": "json_tags", "start": "text"}}
    llm.chat(messages, SamplingParams(extra_args=arguments))

`"quote": text` lets strings be spans of that text alone, such as the user's message (see `schemes.quoting`);
`"relax": True` leaves unchecked what can't be enforced, in place of refusing the request.
A request without `extra_args["tooldec"]` is left alone; one whose machine gets stuck ends, which is logged, and the
others go on. Machines are shared between requests with the same tools.
The interface is the documented `vllm.v1.sample.logits_processor.LogitsProcessor`: rows of a persistent batch are
added, removed and moved; a row's list of output tokens is vLLM's own and grows by itself.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np
import torch

from tooldec.automaton import build_submachines
from tooldec.errors import ToolDecError, UsageError
from tooldec.grammar import Grammar
from tooldec.models.templated import Templated
from tooldec.schemes import SCHEMES, Scheme, Start, quoting, relaxing
from tooldec.signatures import parse_tools
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.vocabulary import Vocabulary

if TYPE_CHECKING:
    _Base = object
else:
    try:
        from vllm.v1.sample.logits_processor import LogitsProcessor as _Base
    except ImportError:  # the documented interface needs no more of it
        _Base = object

log = logging.getLogger(__name__)

ARGUMENT = "tooldec"
"""The key in `SamplingParams.extra_args`."""


class Settings(NamedTuple):
    """Of a request.

    quote   the text that strings of calls are quoted from
    relax   what can't be enforced is left unchecked (see `schemes.relaxing`)
    """

    tools: str
    scheme: str = "json_tags"
    start: Start = "text"
    quote: str | None = None
    relax: bool = False


class Row:
    """One request: its machine, vLLM's list of its output tokens, and how far that list has been followed."""

    def __init__(self, fsm: TokenFSM, output: list[int]) -> None:
        self.fsm, self.output = fsm, output
        self.state: int | None = fsm.initial
        self._read = 0

    def follow(self) -> None:
        """Read the tokens that have come since; after the end, or a token from elsewhere, nothing is constrained."""
        while self._read < len(self.output):
            token = self.output[self._read]
            if token < 0:  # vLLM's place for a token that isn't known yet
                return
            if self.state is not None:
                ended = token in self.fsm.vocabulary.eos
                self.state = None if ended else self.fsm.step(self.state, token)
            self._read += 1


class ToolDecProcessor(_Base):
    """Masks the rows of requests that name tools."""

    def __init__(self, vllm_config: Any, device: torch.device, is_pin_memory: bool) -> None:
        self._device = device
        self._traits = _traits(vllm_config.model_config)
        self._machine = lru_cache(maxsize=256)(self._build)
        self._rows: dict[int, Row] = {}

    @classmethod
    def validate_params(cls, sampling_params: Any) -> None:
        """Raises ValueError for tools that can't be read or built, before the request is queued."""
        try:
            settings = _settings(sampling_params)
            if settings is not None:
                if settings.scheme == "name_prompt":
                    raise UsageError("`name_prompt` needs a host that asks for the name", fix="use `special_token`")
                _try(settings)
        except ToolDecError as error:
            raise ValueError(str(error)) from None

    def is_argmax_invariant(self) -> bool:
        """The mask may take away the most probable token."""
        return False

    def update_state(self, batch_update: Any | None) -> None:
        """Follow the persistent batch: removed, added, then moved rows, as vLLM documents it."""
        if batch_update is None:
            return
        for index in batch_update.removed:
            self._rows.pop(index, None)
        for index, params, _, output in batch_update.added:
            settings = _settings(params)
            self._rows.pop(index, None)
            if settings is not None:
                self._rows[index] = Row(self._machine(settings), output)
        for source, target, direction in batch_update.moved:
            moved, replaced = self._rows.pop(source, None), self._rows.pop(target, None)
            if moved is not None:
                self._rows[target] = moved
            if replaced is not None and getattr(direction, "name", str(direction)) == "SWAP":
                self._rows[source] = replaced

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """`logits` (rows, V), changed in place: blocked tokens at -inf."""
        for index, row in self._rows.items():
            row.follow()
            if row.state is not None and index < len(logits):
                logits[index, torch.from_numpy(~self._allowed(row)).to(logits.device)] = -torch.inf
        return logits

    def _allowed(self, row: Row) -> np.ndarray[Any, np.dtype[np.bool_]]:
        assert row.state is not None
        if not row.fsm.is_complete(row.state):
            try:
                return row.fsm.allowed(row.state)
            except ToolDecError as error:  # such as a state that the vocabulary can't leave: the others go on
                log.error("a request ends here, for its machine can't go on: %s", error)
        ended = np.zeros(row.fsm.vocabulary.size, dtype=np.bool_)
        ended[list(row.fsm.vocabulary.eos)] = True
        return ended

    def _build(self, settings: Settings) -> TokenFSM:
        fitting = SCHEMES[settings.scheme].for_model(self._traits)  # the calls of the model's own chat template
        return build_fsm(_grammar(fitting, settings), self._traits.vocabulary)


@lru_cache(maxsize=256)
def _try(settings: Settings) -> None:
    """Make all that is made of a request's tools before there is a vocabulary; raises ToolDecError."""
    build_submachines(_grammar(SCHEMES[settings.scheme], settings))


def _grammar(scheme: Scheme, settings: Settings) -> Grammar:
    tools = parse_tools(settings.tools)
    scheme = relaxing(scheme) if settings.relax else scheme
    scheme = scheme if settings.quote is None else quoting(scheme, tools, settings.quote)
    return scheme.grammar(tools, settings.start)


def _settings(params: Any) -> Settings | None:
    """What a request asks for; None where it names no tools."""
    given = (getattr(params, "extra_args", None) or {}).get(ARGUMENT)
    if given is None:
        return None
    if not isinstance(given, Mapping) or not isinstance(given.get("tools"), str):
        raise UsageError(f"`{ARGUMENT}` is an object with `tools`, their signatures as text")
    unknown = sorted(set(given) - set(Settings._fields))
    if unknown:
        raise UsageError(f"`{ARGUMENT}` has no setting `{unknown[0]}`", fix=f"use {', '.join(Settings._fields)}")
    settings = Settings(**given)
    if str(settings.scheme) not in SCHEMES:
        raise UsageError(f"the scheme `{settings.scheme}` is unknown", fix=f"use {' or '.join(SCHEMES)}")
    if settings.start not in get_args(Start):
        raise UsageError(f"the start `{settings.start}` is unknown", fix=f"use {' or '.join(get_args(Start))}")
    if settings.quote is not None and not isinstance(settings.quote, str):
        raise UsageError("`quote` is the text that strings are quoted from", fix="use the user's message")
    if not isinstance(settings.relax, bool):
        raise UsageError("`relax` is true or false", fix="leave it away, so that every keyword is kept")
    return settings


def _traits(model_config: Any) -> Templated:
    """The tokenizer that vLLM was given, spelled out as wide as the model's logits."""
    from transformers import AutoTokenizer  # vLLM needs it as well

    tokenizer = AutoTokenizer.from_pretrained(model_config.tokenizer, trust_remote_code=False)
    return Templated(tokenizer, Vocabulary.from_tokenizer(tokenizer, size=model_config.get_vocab_size()))
