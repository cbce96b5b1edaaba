"""The network in plain torch, with the names and the arithmetic of transformers' LlamaForCausalLM.

It takes a mask and positions of its own, so that documents can share a row; its weights are LlamaForCausalLM's.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from tooldec.training.batches import Batch
from tooldec.training.tokenizer import SIZE

WRITING = ("o_proj.weight", "down_proj.weight")
"""The matrices that write into the residual stream."""


def stored(name: str, weight: Tensor) -> Tensor:
    """A weight in the type that an exported model keeps it in: 8-bit floats for the layers, fp16 for the rest."""
    short = ".layers." in name and weight.dim() == 2
    return weight.to(torch.float8_e4m3fn if short else torch.float16)


QUERIES = 128
"""So many positions ask at once what came before them: their scores stay in a CPU's cache."""

KEYS = {
    "vocab_size": "vocabulary",
    "hidden_size": "width",
    "intermediate_size": "hidden",
    "num_hidden_layers": "layers",
    "num_attention_heads": "heads",
    "num_key_value_heads": "heads",
    "head_dim": "head_dim",
    "max_position_embeddings": "positions",
    "rope_theta": "theta",
}
"""What a LlamaConfig calls the parts of a shape."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of the network."""

    vocabulary: int = SIZE
    width: int = 192
    layers: int = 6
    heads: int = 6
    head_dim: int = 64
    hidden: int = 1024
    positions: int = 4096
    theta: float = 10000.0

    @classmethod
    def read(cls, folder: Path) -> Shape:
        """The shape of an exported model."""
        config = json.loads((folder / "config.json").read_text())
        return cls(**{name: config[key] for key, name in KEYS.items()})

    def config(self) -> dict[str, Any]:
        """The same as a transformers LlamaConfig."""
        return {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            **{key: getattr(self, name) for key, name in KEYS.items()},
            "rms_norm_eps": 1e-6,
            "hidden_act": "silu",
            "attention_bias": False,
            "mlp_bias": False,
            "tie_word_embeddings": True,
            "bos_token_id": None,
            "eos_token_id": 1,
            "pad_token_id": 0,
        }


class Norm(nn.Module):
    """RMSNorm, computed in fp32."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        y = x.float()
        y = y * torch.rsqrt(y.square().mean(-1, keepdim=True) + 1e-6)
        return self.weight * y.to(x.dtype)


class Attention(nn.Module):
    """Multi-head attention with rotary positions."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.heads
        inner = shape.heads * shape.head_dim
        self.q_proj = nn.Linear(shape.width, inner, bias=False)
        self.k_proj = nn.Linear(shape.width, inner, bias=False)
        self.v_proj = nn.Linear(shape.width, inner, bias=False)
        self.o_proj = nn.Linear(inner, shape.width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor) -> Tensor:
        rows, length, _ = x.shape
        parts = (layer(x) for layer in (self.q_proj, self.k_proj, self.v_proj))
        q, k, v = (part.view(rows, length, self.heads, -1).transpose(1, 2) for part in parts)  # (B, H, T, D)
        q, k = rotate(q, cos, sin) * q.shape[-1] ** -0.5, rotate(k, cos, sin)
        mixed = []
        for begin in range(0, length, QUERIES):  # none looks ahead; compiled, twice as fast as the fused attention
            end = min(begin + QUERIES, length)
            scores = q[:, :, begin:end] @ k[:, :, :end].mT + mask[:, :, begin:end, :end]  # (B, H, QUERIES, T)
            mixed.append(functional.softmax(scores, -1) @ v[:, :, :end])
        out: Tensor = self.o_proj(torch.cat(mixed, 2).transpose(1, 2).reshape(rows, length, -1))
        return out


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

        The model may be smaller in heads and in `hidden`: what is new reads as strongly as the rest, but writes
        nothing at first, so that the network begins as the same function.

        Raises:
            ValueError: the model has another shape, and not a smaller one.
        """
        state = load_file(folder / "model.safetensors")
        old = Tokenizer.from_file(str(folder / "tokenizer.json"))
        rows = state.pop("model.embed_tokens.weight").float()
        for name, weight in self.named_parameters():
            if name in state:
                self._grow(name, weight, state[name].float(), folder)
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


def rotation(shape: Shape, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Cosines and sines of the rotary positions, each (B, 1, T, D)."""
    steps = torch.arange(0, shape.head_dim, 2, dtype=torch.float32, device=positions.device) / shape.head_dim
    angles = positions[:, None, :, None].float() * shape.theta**-steps
    angles = torch.cat((angles, angles), -1)
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate the two halves of each head's vector."""
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


def attention_mask(batch: Batch, dtype: torch.dtype, device: torch.device) -> Tensor:
    """0 where a token may attend, -inf elsewhere: (B, 1, T, T)."""
    documents, turns = (torch.from_numpy(array).to(device) for array in (batch.documents, batch.turns))
    same = documents[:, :, None] == documents[:, None, :]
    visible = (turns[:, None, :] == 0) | (turns[:, :, None] == turns[:, None, :])
    allowed = (same & visible).tril()
    return torch.zeros(allowed.shape, dtype=dtype, device=device).masked_fill(~allowed, -math.inf)[:, None]
