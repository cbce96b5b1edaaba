"""Two optimisers in one: Muon for the matrices of the layers, AdamW for the embedding and the norms.

Small batches make the masters wander around what they look for; their mean over many steps (stochastic weight
averaging, Izmailov and others 2018) doesn't.

Masters are fp32; the network that computes may hold them in a shorter type and is refreshed after each step. What
belongs to one head of attention is a matrix of its own: a head that has just been added learns as fast as the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from tooldec.training.model import WRITING, Network, stored
from tooldec.training.team import ALONE, Team

MOMENTUM = 0.95
BETAS = (0.9, 0.98)


class Optimizer:
    """Masters, moments and the step; `state_dict` holds all of it."""

    def __init__(self, network: Network, muon_rate: float, adam_rate: float, decay: float, team: Team = ALONE) -> None:
        self.muon_rate, self.adam_rate, self.decay, self.team = muon_rate, adam_rate, decay, team
        self.head_dim = network.shape.head_dim
        self.rounded = False
        """Whether the network computes with its weights as they will be stored."""
        self.weights = dict(network.named_parameters())
        self.masters = {name: weight.detach().float().clone() for name, weight in self.weights.items()}
        self.momentum = {name: torch.zeros_like(master) for name, master in self.masters.items()}
        self.variance = {n: torch.zeros_like(m) for n, m in self.masters.items() if not self._matrix(n)}
        self.steps = 0
        self.averaging = False
        """Whether the masters after a step are counted into `mean`."""
        self.mean: dict[str, Tensor] = {}
        self.counted = 0
        self.matrices = [name for name in self.masters if self._matrix(name)]
        self.others = [name for name in self.masters if not self._matrix(name)]
        self.groups: dict[tuple[int, ...], list[str]] = defaultdict(list)
        """The shape of their parts, the short side first → matrices."""
        for name in self.matrices:
            self.groups[tuple(self._parts(name, self.masters[name]).shape[1:])].append(name)

    def _matrix(self, name: str) -> bool:
        return self.masters[name].dim() == 2 and "embed" not in name

    def _parts(self, name: str, matrix: Tensor) -> Tensor:
        """What each head has of a matrix of attention; others are one part: (parts, short, long)."""
        if ".self_attn." not in name:
            parts = matrix[None]
        elif name.endswith(WRITING):
            parts = matrix.view(len(matrix), -1, self.head_dim).transpose(0, 1)
        else:
            parts = matrix.view(-1, self.head_dim, matrix.shape[1])
        return parts if parts.shape[1] <= parts.shape[2] else parts.mT

    def _whole(self, name: str, parts: Tensor) -> Tensor:
        """The matrix that has these parts."""
        shape = self.masters[name].shape
        if ".self_attn." not in name:
            return parts[0] if parts[0].shape == shape else parts[0].T
        writes = name.endswith(WRITING)
        part = (shape[0], self.head_dim) if writes else (self.head_dim, shape[1])
        parts = parts if parts.shape[1:] == part else parts.mT
        return (parts.transpose(0, 1) if writes else parts).reshape(shape)

    @torch.no_grad()
    def step(self, scale: float, clip: float = 1.0) -> None:
        """One step at `scale` times the full rates, after clipping the gradient's norm."""
        gradients = {n: w.grad.float() for n, w in self.weights.items() if w.grad is not None}
        norm = torch.stack(torch._foreach_norm(list(gradients.values()))).norm()
        torch._foreach_mul_(list(gradients.values()), (clip / (norm + 1e-6)).clamp(max=1.0))
        self.steps += 1
        self._muon({name: gradients[name] for name in self.matrices}, self.muon_rate * scale)
        self._adam([gradients[name] for name in self.others], self.adam_rate * scale)
        self._refresh()
        if self.averaging:
            self.counted += 1
            if not self.mean:
                self.mean = {name: torch.zeros_like(master) for name, master in self.masters.items()}
            torch._foreach_lerp_(list(self.mean.values()), list(self.masters.values()), 1 / self.counted)

    def _muon(self, gradients: dict[str, Tensor], rate: float) -> None:
        masters, moments, found = (
            _of(self.matrices, self.masters),
            _of(self.matrices, self.momentum),
            gradients.values(),
        )
        torch._foreach_lerp_(moments, list(found), 1 - MOMENTUM)
        torch._foreach_lerp_(list(found), moments, MOMENTUM)
        torch._foreach_mul_(masters, 1 - rate * self.decay)
        computed = next(iter(self.weights.values())).dtype
        for (_, long), names in self.groups.items():
            parts = [self._parts(name, gradients[name]) for name in names]
            updates = self.team.share(orthogonalize, torch.cat(parts).to(computed)).float()  # (N, short, long)
            split = zip(names, torch.split(updates, [len(part) for part in parts]), strict=True)
            whole = [self._whole(name, part) for name, part in split]
            torch._foreach_add_(_of(names, self.masters), whole, alpha=-rate * 0.2 * long**0.5)

    def _adam(self, gradients: list[Tensor], rate: float) -> None:
        masters, first = _of(self.others, self.masters), _of(self.others, self.momentum)
        second = _of(self.others, self.variance)
        torch._foreach_lerp_(first, gradients, 1 - BETAS[0])
        torch._foreach_mul_(second, BETAS[1])
        torch._foreach_addcmul_(second, gradients, gradients, 1 - BETAS[1])
        # rows of rare tokens hardly move from where they began
        sizes = [size.maximum(size.mean(0)) if size.dim() == 2 else size.clone() for size in second]
        torch._foreach_div_(sizes, 1 - BETAS[1] ** self.steps)
        torch._foreach_sqrt_(sizes)
        torch._foreach_add_(sizes, 1e-10)
        torch._foreach_addcdiv_(masters, first, sizes, -rate / (1 - BETAS[0] ** self.steps))

    def _refresh(self) -> None:
        masters = self.masters.values()
        torch._foreach_copy_(list(self.weights.values()), [stored(m) if self.rounded else m for m in masters])
        for weight in self.weights.values():
            weight.grad = None

    def state_dict(self) -> dict[str, Any]:
        """All that a resumed run needs."""
        moments = {"momentum": self.momentum, "variance": self.variance}
        mean = {"mean": self.mean, "counted": self.counted}
        return {"masters": self.masters, **moments, "steps": self.steps, "rounded": self.rounded, **mean}

    @torch.no_grad()
    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from a saved state, exactly."""
        for mine, saved in ((self.masters, "masters"), (self.momentum, "momentum"), (self.variance, "variance")):
            for name, tensor in mine.items():
                tensor.copy_(state[saved][name])
        self.steps, self.rounded = state["steps"], state["rounded"]
        self.mean = {name: mean.clone() for name, mean in state.get("mean", {}).items()}
        self.counted = state.get("counted", 0)
        self._refresh()


def _of(names: Sequence[str], tensors: Mapping[str, Tensor]) -> list[Tensor]:
    return [tensors[name] for name in names]


def orthogonalize(matrices: Tensor, iterations: int = 5) -> Tensor:
    """The nearest orthogonal matrices, roughly, by the Newton-Schulz iteration of Muon: (N, short, long)."""
    x: Tensor = matrices / (matrices.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(iterations):
        a = x @ x.mT
        x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
    return x
