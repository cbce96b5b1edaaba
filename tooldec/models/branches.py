"""Many continuations of one prompt at once: the prompt is read once, the continuations in one pass.

Branches(model, prompt).logits([(5,), (5, 9)])   # (2, V): what follows each continuation

Where the model takes a mask of its own, the continuations are the tree that they are: what two have in common is read
once, and a token sees the prompt and its ancestors. For other models each continuation is a row of a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from tooldec.models.session import cache_name
from tooldec.models.threads import is_small, threads

if TYPE_CHECKING:
    from tooldec.models import Model
    from tooldec.models.huggingface import HuggingFaceModel
    from tooldec.schemes import Prompt

Continuation = tuple[int, ...]

TAKE_MASKS = frozenset({"llama", "qwen2", "qwen3"})
"""Architectures that follow a mask of their caller, with positions of his own."""


class Branches:
    """The continuations of `prompt` and the tokens of `opening`, for any model."""

    def __init__(self, model: Model, prompt: Prompt | str, opening: Sequence[int] = ()) -> None:
        self.model, self.prompt, self.opening = model, prompt, tuple(opening)
        self._network: Any = getattr(model, "network", None)
        self._small = self._network is not None and is_small(self._network)
        config = getattr(self._network, "config", None)
        self._takes_masks = (
            getattr(config, "model_type", "") in TAKE_MASKS
            and getattr(config, "_attn_implementation", "") in ("sdpa", "eager")
            and not getattr(config, "use_sliding_window", False)
        )
        self._ids: list[int] = []
        self._cache: Any = None
        self._cached_as = ""  # what the network, or what it is built on, calls its cache
        if self._network is not None:
            self._cached_as = cache_name(self._network.base_model if self._takes_masks else self._network)
            session = cast("HuggingFaceModel", model).start(prompt)
            session.append(self.opening)
            self._ids, self._cache = session.read_but_last()

    def logits(self, continuations: Sequence[Continuation]) -> NDArray[np.float32]:
        """The scores of the next token after each continuation: (len(continuations), V)."""
        if self._cache is None:
            return np.stack([self._one(tokens) for tokens in continuations])
        return self._tree(continuations) if self._takes_masks else self._many(continuations)

    def _one(self, tokens: Continuation) -> NDArray[np.float32]:
        session = self.model.start(self.prompt)
        session.append((*self.opening, *tokens))
        found: NDArray[np.float32] = session.logits().float().numpy()
        return found

    def _tree(self, continuations: Sequence[Continuation]) -> NDArray[np.float32]:
        # The root is the last token of prompt and opening, read again: an empty continuation ends there.
        nodes: dict[Continuation, int] = {(): 0}
        for tokens in continuations:
            for length in range(1, len(tokens) + 1):
                nodes.setdefault(tokens[:length], len(nodes))
        before, device = len(self._ids) - 1, self._network.device
        seen = torch.zeros(len(nodes), len(nodes), dtype=torch.bool)  # [node, ancestor]
        for path, node in nodes.items():
            seen[node, node] = True
            if path:
                seen[node] |= seen[nodes[path[:-1]]]
        dtype = self._network.dtype
        mask = torch.zeros(1, 1, len(nodes), before + len(nodes), dtype=dtype, device=device)
        mask[0, 0, :, before:].masked_fill_(~seen.to(device), torch.finfo(dtype).min)
        with threads(self._small), torch.inference_mode():
            hidden = self._network.base_model(
                input_ids=torch.tensor([[path[-1] if path else self._ids[-1] for path in nodes]], device=device),
                position_ids=torch.tensor([[before + len(path) for path in nodes]], device=device),
                attention_mask=mask,
                use_cache=True,
                **{self._cached_as: self._cache},
            ).last_hidden_state[0]  # (nodes, width)
            self._cache.crop(-len(nodes))
            ends = torch.tensor([nodes[tokens] for tokens in continuations], device=device)
            scores = self._network.get_output_embeddings()(hidden[ends])  # (len(continuations), V)
            found: NDArray[np.float32] = scores.float().cpu().numpy()
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
            output = self._network(input_ids=inputs, use_cache=True, **{self._cached_as: cache})
            ends = torch.tensor([len(row) - 1 for row in rows], device=self._network.device)
            last = output.logits[torch.arange(len(rows), device=self._network.device), ends]  # (rows, V)
            found: NDArray[np.float32] = last.float().cpu().numpy()
        return found
