"""One new token through a Llama on the CPU: what transformers computes for it, without what it does around that.

For the model in the box, arithmetic is half of a step of transformers and Python the rest; here a step takes two thirds
of the time and gives the same numbers. The KV cache is transformers' own, so that both can take turns, but its tensors
get room to grow: transformers copies all of them for each token, a tenth of the time behind some hundred tokens.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.nn import functional
from transformers import DynamicCache

ROOM = 64
"""A cache that has been copied has room for so many tokens more, or for as many again as it holds."""

STATIC_ROTATIONS = frozenset({"default", "linear", "llama3"})
"""Rotary embeddings whose frequencies don't depend on the length of the text."""


class _Block(NamedTuple):
    """The parts of one layer, looked up once: attributes of modules are slow."""

    norm: Any
    query: Any
    key: Any
    value: Any
    output: Any
    feed_norm: Any
    gate: Any
    up: Any
    down: Any
    activation: Any


class OneToken:
    """A step of `network`, a LlamaForCausalLM that `follows` admits."""

    def __init__(self, network: Any) -> None:
        base = network.model
        self._embeddings, self._norm, self._head = base.embed_tokens, base.norm, network.lm_head
        self._frequencies, self._scaling = base.rotary_emb.inv_freq, base.rotary_emb.attention_scaling
        attention = base.layers[0].self_attn
        self._width, self._scale = attention.head_dim, attention.scaling
        self._grouped = attention.num_key_value_groups > 1
        self._blocks = [_block(layer) for layer in base.layers]
        self._rooms: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}  # keys and values of a layer, with room

    def __call__(self, token: int, position: int, cache: DynamicCache) -> torch.Tensor:
        """The scores of what follows `token` at `position`: (V,); `cache` holds all before and takes it in."""
        angles = position * self._frequencies  # (width / 2,)
        cosines, sines = angles.cos() * self._scaling, angles.sin() * self._scaling
        turn = torch.cat([cosines, cosines]), torch.cat([-sines, sines])
        hidden = self._embeddings.weight[token][None]  # (1, hidden)
        for index, block in enumerate(self._blocks):
            hidden = hidden + self._attend(block, _normalised(block.norm, hidden), turn, cache, index)
            fed = _normalised(block.feed_norm, hidden)
            gated = block.activation(_linear(block.gate, fed)) * _linear(block.up, fed)
            hidden = hidden + _linear(block.down, gated)
        return _linear(self._head, _normalised(self._norm, hidden))[0]

    def _attend(
        self, block: _Block, inputs: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor], cache: Any, index: int
    ) -> torch.Tensor:
        query, key, value = (
            _linear(part, inputs).view(1, -1, 1, self._width)  # (1, heads, 1, width)
            for part in (block.query, block.key, block.value)
        )
        keys, values = self._append(cache.layers[index], index, _turned(key, turn), value)
        found = functional.scaled_dot_product_attention(
            _turned(query, turn), keys, values, scale=self._scale, enable_gqa=self._grouped
        )
        return _linear(block.output, found.view(1, -1))

    def _append(
        self, layer: Any, index: int, key: torch.Tensor, value: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The keys and values of a layer of the cache with those of one more token: (1, heads, tokens, width)."""
        count = layer.keys.shape[2]
        room = self._rooms.get(index)
        if room is None or room[0].data_ptr() != layer.keys.data_ptr() or count == room[0].shape[2]:
            room = self._rooms[index] = _roomy(layer.keys), _roomy(layer.values)
        for kept, new in zip(room, (key, value), strict=True):
            kept[:, :, count] = new[:, :, 0]
        layer.keys, layer.values = (kept[:, :, : count + 1] for kept in room)
        return layer.keys, layer.values


def follows(network: Any) -> bool:
    """Whether a step of `network` is just this arithmetic: a float32 Llama on the CPU with nothing hooked in."""
    config = network.config
    rotation = (getattr(config, "rope_parameters", None) or {}).get("rope_type", "default")
    return (
        type(network).__name__ == "LlamaForCausalLM"
        and network.device.type == "cpu"
        and network.dtype == torch.float32
        and getattr(config, "_attn_implementation", "") == "sdpa"
        and rotation in STATIC_ROTATIONS
        and all(_is_plain(part) for part in network.modules())
    )


def _is_plain(part: torch.nn.Module) -> bool:
    """Nothing is hooked in, and a matrix is a matrix: no adapter, no quantised weights."""
    hooked = part._forward_hooks or part._forward_pre_hooks or "forward" in vars(part)
    return not hooked and (not isinstance(part, torch.nn.Linear) or type(part) is torch.nn.Linear)


def _roomy(tokens: torch.Tensor) -> torch.Tensor:
    """A copy of (1, heads, tokens, width) with room behind the tokens."""
    batch, heads, count, width = tokens.shape
    room = tokens.new_empty(batch, heads, count + max(count, ROOM), width)
    room[:, :, :count] = tokens
    return room


def _block(layer: Any) -> _Block:
    attention, feed = layer.self_attn, layer.mlp
    return _Block(
        layer.input_layernorm,
        attention.q_proj,
        attention.k_proj,
        attention.v_proj,
        attention.o_proj,
        layer.post_attention_layernorm,
        feed.gate_proj,
        feed.up_proj,
        feed.down_proj,
        feed.act_fn,
    )


def _linear(part: Any, inputs: torch.Tensor) -> torch.Tensor:
    return functional.linear(inputs, part.weight, part.bias)


def _normalised(part: Any, inputs: torch.Tensor) -> torch.Tensor:
    return functional.rms_norm(inputs, inputs.shape[-1:], part.weight, part.variance_epsilon)


def _turned(heads: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Rotary position embedding of (1, heads, 1, width)."""
    cosines, sines = turn
    return heads * cosines + heads.roll(len(sines) // 2, -1) * sines
