"""The network in plain torch, with the names and the arithmetic of transformers' LlamaForCausalLM.

It takes a mask and positions of its own, so that documents can share a row; its weights are LlamaForCausalLM's.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from tooldec.training.attention import Attention, rotation
from tooldec.training.shape import Shape

WRITING = ("o_proj.weight", "down_proj.weight")
"""The matrices that write into the residual stream."""


def stored(weight: Tensor) -> Tensor:
    """A weight in the type that an exported model keeps it in: 8-bit floats for matrices, fp16 for the norms."""
    return weight.to(torch.float8_e4m3fn if weight.dim() == 2 else torch.float16)


class Norm(nn.Module):
    """RMSNorm, computed in fp32."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        y = x.float()
        y = y * torch.rsqrt(y.square().mean(-1, keepdim=True) + 1e-6)
        return self.weight * y.to(x.dtype)


class FeedForward(nn.Module):
    """The gated feed-forward part."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(shape.width, shape.hidden, bias=False)
        self.up_proj = nn.Linear(shape.width, shape.hidden, bias=False)
        self.down_proj = nn.Linear(shape.hidden, shape.width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))
        return out


class Layer(nn.Module):
    """One layer: attention and feed-forward, each with its norm and its residual."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.self_attn = Attention(shape)
        self.mlp = FeedForward(shape)
        self.input_layernorm = Norm(shape.width)
        self.post_attention_layernorm = Norm(shape.width)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor) -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x), cos, sin, mask)
        out: Tensor = x + self.mlp(self.post_attention_layernorm(x))
        return out


class Body(nn.Module):
    """Embedding, layers and the last norm: what transformers calls `model`."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.width)


class Network(nn.Module):
    """The whole network; `forward` gives the last hidden states, `logits` reads them with the tied embedding."""

    def __init__(self, shape: Shape, seed: int = 0) -> None:
        super().__init__()
        self.shape = shape
        self.model = Body(shape)
        generator = torch.Generator().manual_seed(seed)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                small = name.endswith(WRITING)
                deviation = 0.02 / math.sqrt(2 * shape.layers) if small else 0.02
                with torch.no_grad():
                    weight.copy_(torch.randn(weight.shape, generator=generator) * deviation)

    def forward(
        self, tokens: Tensor, positions: Tensor, mask: Tensor, watch: Callable[[int, Tensor], None] | None = None
    ) -> Tensor:
        """The last hidden states; `watch` is told what goes into each layer, by its number."""
        x = self.model.embed_tokens(tokens)  # (B, T, W)
        cos, sin = rotation(self.shape, positions, x.dtype)
        for number, layer in enumerate(self.model.layers):
            if watch is not None:
                watch(number, x)
            x = layer(x, cos, sin, mask)
        out: Tensor = self.model.norm(x)
        return out

    @torch.no_grad()
    def adopt(self, folder: Path, tokenizer: Tokenizer) -> None:
        """Begin with an exported model; a token that its tokenizer lacks begins as the mean of its pieces there.

        The model may be smaller in layers, in heads and in `hidden`: what is new reads as strongly as the rest, but
        writes nothing at first, so that the network begins as the same function.

        Raises:
            ValueError: the model has another shape, and not a smaller one.
        """
        state = load_file(folder / "model.safetensors")
        old = Tokenizer.from_file(str(folder / "tokenizer.json"))
        rows = state.pop("model.embed_tokens.weight").float()
        begins = beginnings(Shape.read(folder).layers, self.shape.layers)
        self._grow("model.norm.weight", self.model.norm.weight, state["model.norm.weight"].float(), folder)
        for place, (begin, new) in enumerate(begins):
            for part, weight in self.model.layers[place].named_parameters():
                name = f"model.layers.{place}.{part}"
                self._grow(name, weight, state[f"model.layers.{begin}.{part}"].float(), folder)
                if new and name.endswith(WRITING):
                    weight.zero_()
        for token, place in tokenizer.get_vocab(with_added_tokens=True).items():
            known = old.token_to_id(token)
            pieces = old.encode(tokenizer.decode([place], skip_special_tokens=False)).ids if known is None else [known]
            self.model.embed_tokens.weight[place] = rows[pieces].mean(0)

    def _grow(self, name: str, weight: Tensor, part: Tensor, folder: Path) -> None:
        """Put a model's matrix into the corner of a weight."""
        writes = name.endswith(WRITING)
        fixed = 0 if writes else -1  # the width of the network doesn't grow
        if part.shape[fixed] != weight.shape[fixed] or part.numel() > weight.numel():
            raise ValueError(f"{folder} has {tuple(part.shape)} for {name}, not {tuple(weight.shape)} or less")
        if weight.shape != part.shape:
            weight.mul_(0 if writes else part.std() / weight.std())
        weight[tuple(map(slice, part.shape))] = part

    @torch.no_grad()
    def begin_with(self, vectors: Tensor) -> None:
        """The first numbers of each token's row are its word's vector (tokens, size); NaN: it has none.

        The others stay random, so that words which mean much the same are told apart.
        """
        rows = self.model.embed_tokens.weight[: len(vectors), : vectors.shape[1]]
        known = ~vectors.isnan().any(1)
        rows[known] = vectors[known] * 0.02 * vectors.shape[1] ** 0.5

    def logits(self, hidden: Tensor) -> Tensor:
        """Scores of the next token, in fp32."""
        return functional.linear(hidden, self.model.embed_tokens.weight).float()


def beginnings(old: int, new: int) -> tuple[tuple[int, bool], ...]:
    """For each layer of a grown network: the old layer that it begins as, and whether it is an added copy of it.

    beginnings(6, 8) → 0, 1, 2 added, 2, 3, 4, 5, 5 added

    Layers are added where those whose heads are taught where to look stay those (`losses.pointers`).

    Raises:
        ValueError: the network would shrink.
    """
    if new < old:
        raise ValueError(f"a model of {old} layers can't be one of {new}")
    early, first = new // 2 - old // 2, max(old // 2 - 1, 0)
    kept = [(place, False) for place in range(old)]
    return (*kept[:first], *[(first, True)] * early, *kept[first:], *[(old - 1, True)] * (new - old - early))


@cache
def faster_dtype(device: torch.device) -> torch.dtype:
    """The type to compute in: bf16, but fp32 on a CPU that multiplies it faster, because it must emulate bf16."""
    if device.type != "cpu":
        return torch.bfloat16

    def seconds(dtype: torch.dtype) -> float:
        matrix = torch.ones(256, 256, dtype=dtype, device=device)
        taken = []
        for _ in range(4):
            began = time.perf_counter()
            float((matrix @ matrix).sum())
            taken.append(time.perf_counter() - began)
        return min(taken)

    return min((torch.bfloat16, torch.float32), key=seconds)
