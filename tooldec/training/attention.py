"""Attention with rotary positions, over rows that several documents share."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from tooldec.training.batches import Batch
from tooldec.training.shape import Shape

QUERIES = 128
"""So many positions ask at once what came before them: their scores stay in a CPU's cache."""


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
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        mix = functional.scaled_dot_product_attention if x.is_cuda else in_stretches
        out: Tensor = self.o_proj(mix(q, k, v, mask).transpose(1, 2).reshape(rows, length, -1))
        return out


def in_stretches(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """What each query sees (B, H, T, D), some at a time; none looks ahead. Compiled, twice as fast as the fused one."""
    q = q * q.shape[-1] ** -0.5
    mixed = []
    for begin in range(0, q.shape[2], QUERIES):
        end = min(begin + QUERIES, q.shape[2])
        scores = q[:, :, begin:end] @ k[:, :, :end].mT + mask[:, :, begin:end, :end]  # (B, H, QUERIES, T)
        mixed.append(functional.softmax(scores, -1) @ v[:, :, :end])
    return torch.cat(mixed, 2)


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
