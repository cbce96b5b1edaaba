"""Two optimisers in one: Muon for the matrices of the layers, AdamW for the embedding and the norms.

Small batches make the masters wander around what they look for; their mean over many steps (stochastic weight
averaging, Izmailov and others 2018) doesn't.

Masters are fp32; the network that computes may hold them in a shorter type and is refreshed after each step. What
belongs to one head of attention is a matrix of its own: a head that has just been added learns as fast as the others.
"""

from __future__ import annotations

from collections import defaultdict
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
        self.groups: dict[tuple[int, ...], list[tuple[str, int]]] = defaultdict(list)
        """Shape, the short side first → matrices of that shape, and which of their parts."""
        for name, master in self.masters.items():
            if self._matrix(name):
                for number, part in enumerate(self._parts(name, master)):
                    self.groups[tuple(sorted(part.shape))].append((name, number))

    def _matrix(self, name: str) -> bool:
        return self.masters[name].dim() == 2 and "embed" not in name

    def _parts(self, name: str, matrix: Tensor) -> tuple[Tensor, ...]:
        """Views of what each head has of a matrix of attention; other matrices are whole."""
        if ".self_attn." not in name:
            return (matrix,)
        dim = 1 if name.endswith(WRITING) else 0
        return matrix.chunk(matrix.shape[dim] // self.head_dim, dim)

    @torch.no_grad()
    def step(self, scale: float, clip: float = 1.0) -> None:
        """One step at `scale` times the full rates, after clipping the gradient's norm."""
        gradients = {n: w.grad.float() for n, w in self.weights.items() if w.grad is not None}
        norm = torch.sqrt(sum((g.square().sum() for g in gradients.values()), torch.zeros(())))
        factor = min(1.0, clip / (float(norm) + 1e-6))
        self.steps += 1
        for name, moment in self.momentum.items():
            gradient = gradients[name].mul_(factor)
            if self._matrix(name):
                moment.lerp_(gradient, 1 - MOMENTUM)
                gradient.lerp_(moment, MOMENTUM)
            else:
                self._adam(name, gradient, scale)
        computed = next(iter(self.weights.values())).dtype
        for (short, long), members in self.groups.items():
            parts = [self._parts(name, gradients[name])[number] for name, number in members]
            stack = torch.stack([part if part.shape == (short, long) else part.T for part in parts])
            updates = self.team.share(orthogonalize, stack.to(computed)).float()  # (N, short, long)
            rate = self.muon_rate * scale
            for (name, number), update in zip(members, updates, strict=True):
                master = self._parts(name, self.masters[name])[number]
                master.mul_(1 - rate * self.decay)
                master.add_(update if master.shape == (short, long) else update.T, alpha=-rate * 0.2 * long**0.5)
        self._refresh()
        if self.averaging:
            self.counted += 1
            for name, master in self.masters.items():
                self.mean.setdefault(name, torch.zeros_like(master)).lerp_(master, 1 / self.counted)

    def _refresh(self) -> None:
        for name, weight in self.weights.items():
            weight.copy_(stored(name, self.masters[name]) if self.rounded else self.masters[name])
            weight.grad = None

    def _adam(self, name: str, gradient: Tensor, scale: float) -> None:
        first, second = self.momentum[name], self.variance[name]
        first.lerp_(gradient, 1 - BETAS[0])
        second.lerp_(gradient.square(), 1 - BETAS[1])
        if second.dim() == 2:
            second = second.maximum(second.mean(0))  # rows of rare tokens hardly move from where they began
        size = (second / (1 - BETAS[1] ** self.steps)).sqrt_().add_(1e-10)
        self.masters[name].addcdiv_(first / (1 - BETAS[0] ** self.steps), size, value=-self.adam_rate * scale)

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


def orthogonalize(matrices: Tensor, iterations: int = 5) -> Tensor:
    """The nearest orthogonal matrices, roughly, by the Newton-Schulz iteration of Muon: (N, short, long)."""
    x: Tensor = matrices / (matrices.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(iterations):
        a = x @ x.mT
        x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
    return x
