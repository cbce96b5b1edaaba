"""One answer of a transformers model while it is written: its tokens, their KV cache and what may follow."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import torch

from tooldec.models.failures import told
from tooldec.models.one_token import OneToken, follows
from tooldec.models.threads import is_small, threads


class HuggingFaceSession:
    """One answer: its tokens, and the KV cache of those that the model has read."""

    def __init__(self, network: Any, ids: list[int], prefix: str, context: int) -> None:
        self.prefix = prefix
        self._network, self._ids, self._context = network, ids or [_any_start(network)], context
        self._read = 0
        self._small = is_small(network)
        self._one_token = OneToken(network) if follows(network) else None
        self._cache: Any = None
        self._logits: torch.Tensor | None = None
        takes = inspect.signature(network.forward).parameters
        self._options = {"logits_to_keep": 1} if "logits_to_keep" in takes else {}
        self._cached_as = cache_name(network)
        # A state that several tokens follow at once isn't right in every model of transformers (5.24: Mamba).
        self._one_by_one = bool(getattr(network, "_is_stateful", False))

    @property
    def room(self) -> int:
        return self._context - len(self._ids)

    def append(self, ids: Iterable[int]) -> None:
        """Read later, when somebody asks for logits: then all new tokens at once."""
        before = len(self._ids)
        self._ids.extend(ids)
        if len(self._ids) > before:
            self._logits = None

    def logits(self) -> torch.Tensor:
        if self._logits is None:
            self._logits = self._forward()
        return self._logits

    def read_but_last(self) -> tuple[list[int], Any]:
        """All tokens, and the cache without the last of them, or None where the model can't cut one.

        The cache is the session's own: don't use the session afterwards.
        """
        self.logits()
        able = all(hasattr(self._cache, name) for name in ("crop", "batch_repeat_interleave"))
        if not able or len(self._ids) < 2:
            return list(self._ids), None
        try:
            self._cache.crop(-1)
        except (
            AttributeError,
            NotImplementedError,
            ValueError,
            RuntimeError,
        ):  # a cache of states, or of a sliding window
            return list(self._ids), None
        return list(self._ids), self._cache

    def _forward(self) -> torch.Tensor:
        new = self._ids[self._read :]
        with told("the model stopped", "use a shorter prompt"), threads(self._small), torch.inference_mode():
            if self._one_token is not None and self._cache is not None and len(new) == 1:
                last = self._one_token(new[0], self._read, self._cache)  # (V,)
            else:
                last = self._read_by_transformers(new)
            logits = last.float().cpu()
        if self._cache is not None:  # a model without a cache reads everything again
            self._read = len(self._ids)
        return logits

    def _read_by_transformers(self, new: list[int]) -> torch.Tensor:
        if self._cache is not None and self._one_by_one and len(new) > 1:
            self._read_by_transformers(new[:-1])
            return self._read_by_transformers(new[-1:])
        inputs = torch.tensor([new], device=self._network.device)  # (1, new tokens)
        given = {self._cached_as: self._cache, "use_cache": True, **self._options}
        output = self._network(input_ids=inputs, **given)
        self._cache = getattr(output, self._cached_as, None)
        last: torch.Tensor = output.logits[0, -1]  # (V,)
        return last


def cache_name(network: Any) -> str:
    """What transformers calls the cache of a network's `forward` and output: since 5.24 `cache`."""
    return "cache" if "cache" in inspect.signature(network.forward).parameters else "past_key_values"


def _any_start(network: Any) -> int:
    """An empty prompt begins with the first token that the model's settings name."""
    config = network.config
    start = getattr(config, "bos_token_id", None)
    return start if isinstance(start, int) else 0
