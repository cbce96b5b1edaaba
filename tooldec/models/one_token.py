"""One new token through a Llama on the CPU: what transformers computes for it, without what it does around that.

For the model in the box, arithmetic is half of a step of transformers and Python the rest; here a step takes half of
the time and gives the same numbers. Matrices that read the same vector lie side by side in memory, and one product does
for all of them. The KV cache is transformers' own, so that both can take turns, but its tensors get room to grow:
transformers copies all of them for each token, a tenth of the time behind some hundred tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn import functional
from transformers import DynamicCache

ROOM = 64
"""A cache that has been copied has room for so many tokens more, or for as many again as it holds."""

STATIC_ROTATIONS = frozenset({"default", "linear", "llama3"})
"""Rotary embeddings whose frequencies don't depend on the length of the text."""


class _Matrix(NamedTuple):
    """A matrix and what is added to its product."""

    weight: torch.Tensor
    bias: torch.Tensor | None


class _Block(NamedTuple):
    """The parts of one layer, looked up once: attributes of modules are slow."""

    norm: Any
    reading: _Matrix
    """Query, key and value in one."""
    output: Any
    feed_norm: Any
    widening: _Matrix
    """Gate and up in one."""
    down: Any
    activation: Any


class OneToken:
    """A step of `network`, a LlamaForCausalLM that `follows` admits, laid out by `lay_out`."""

    def __init__(self, network: Any) -> None:
        base = network.model
        self._embeddings, self._norm, self._head = base.embed_tokens, base.norm, network.lm_head
        self._frequencies, self._scaling = base.rotary_emb.inv_freq, base.rotary_emb.attention_scaling
        attention = base.layers[0].self_attn
        self._width, self._scale = attention.head_dim, attention.scaling
        groups = attention.num_key_value_groups
        self._heads: list[int] = [attention.config.num_attention_heads // share for share in (1, groups, groups)]
        self._grouped = groups > 1
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
            gate, up = _linear(block.widening, _normalised(block.feed_norm, hidden)).chunk(2, -1)
            hidden = hidden + _linear(block.down, block.activation(gate) * up)
        return _linear(self._head, _normalised(self._norm, hidden))[0]

    def _attend(
        self, block: _Block, inputs: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor], cache: Any, index: int
    ) -> torch.Tensor:
        read = _linear(block.reading, inputs).view(1, -1, 1, self._width)  # (1, heads of all three, 1, width)
        heads, grouped, _ = self._heads
        turned = _turned(read[:, : heads + grouped], turn)
        query, key, value = turned[:, :heads], turned[:, heads:], read[:, heads + grouped :]
        keys, values = self._append(cache.layers[index], index, key, value)
        found = functional.scaled_dot_product_attention(
            query, keys, values, scale=self._scale, enable_gqa=self._grouped
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


def lay_out(network: torch.nn.Module) -> None:
    """Lay the matrices of any network out by columns, those of a Llama that read the same vector side by side.

    A product with one row, as in decoding, is about twice as fast by columns on a CPU.
    """
    plain = all(map(_is_plain, network.modules())) and all(w.dtype == torch.float32 for w in network.parameters())
    if type(network).__name__ == "LlamaForCausalLM" and plain:
        for layer in network.get_submodule("model.layers").children():
            for owner, parts in _siblings(layer):
                biased = parts[0].bias is not None
                biases = _join([part.bias for part in parts]) if biased else None
                owner.joint = _Matrix(_join([part.weight for part in parts]), biases)
    for part in network.modules():
        if isinstance(part, torch.nn.Linear) and part.weight.stride(0) != 1:
            part.weight.data = part.weight.data.T.contiguous().T


def _siblings(layer: Any) -> tuple[tuple[Any, tuple[Any, ...]], ...]:
    """The matrices of a layer that read the same vector, each time with the module that has them."""
    attention, feed = layer.self_attn, layer.mlp
    return (attention, (attention.q_proj, attention.k_proj, attention.v_proj)), (feed, (feed.gate_proj, feed.up_proj))


def _join(parts: Sequence[torch.Tensor]) -> torch.Tensor:
    """Let some tensors be stretches of one, by columns, and return that one.

    As stretches of NumPy's memory they have storages of their own: `save_pretrained` refuses what shares a storage.
    """
    memory = np.empty((*parts[0].shape[1:], sum(map(len, parts))), np.float32)
    end = 0
    for part in parts:
        begin, end = end, end + len(part)
        memory[..., begin:end] = part.detach().numpy().T
        part.data = torch.from_numpy(memory[..., begin:end].T)
    return torch.from_numpy(memory.T)


def _joint(owner: Any, parts: Sequence[Any]) -> _Matrix | None:
    """Matrices that read the same vector, and their biases, as one; None: they don't lie side by side."""
    joint: _Matrix | None = getattr(owner, "joint", None)
    if joint is None:
        return None
    sizes = [part.weight.shape[0] for part in parts]
    for whole, own in zip(joint, ([part.weight for part in parts], [part.bias for part in parts]), strict=True):
        stretches = [None] * len(own) if whole is None else torch.split(whole, sizes)
        if [_place(tensor) for tensor in own] != [_place(stretch) for stretch in stretches]:
            return None
    return joint


def _place(tensor: torch.Tensor | None) -> tuple[int, tuple[int, ...], torch.dtype] | None:
    return None if tensor is None else (tensor.data_ptr(), tensor.stride(), tensor.dtype)


def follows(network: Any) -> bool:
    """Whether a step of `network` is just this arithmetic: a float32 Llama on the CPU with nothing hooked in.

    One that `lay_out` didn't lay out isn't.
    """
    config = network.config
    rotation = (getattr(config, "rope_parameters", None) or {}).get("rope_type", "default")
    return (
        type(network).__name__ == "LlamaForCausalLM"
        and network.device.type == "cpu"
        and network.dtype == torch.float32
        and getattr(config, "_attn_implementation", "") == "sdpa"
        and rotation in STATIC_ROTATIONS
        and all(map(_is_plain, network.modules()))
        and all(_joint(*some) is not None for layer in network.model.layers for some in _siblings(layer))
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
    reading, widening = (_joint(*some) for some in _siblings(layer))
    assert reading is not None and widening is not None
    attention, feed = layer.self_attn, layer.mlp
    norms = layer.input_layernorm, layer.post_attention_layernorm
    return _Block(norms[0], reading, attention.o_proj, norms[1], widening, feed.down_proj, feed.act_fn)


def _linear(part: Any, inputs: torch.Tensor) -> torch.Tensor:
    return functional.linear(inputs, part.weight, part.bias)


def _normalised(part: Any, inputs: torch.Tensor) -> torch.Tensor:
    return functional.rms_norm(inputs, inputs.shape[-1:], part.weight, part.variance_epsilon)


def _turned(heads: torch.Tensor, turn: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Rotary position embedding of (1, heads, 1, width)."""
    cosines, sines = turn
    return heads * cosines + heads.roll(len(sines) // 2, -1) * sines
