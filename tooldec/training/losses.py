"""What the network is trained for: what is written, what is chosen when guided, and where some heads look."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from tooldec.training.batches import Batch
from tooldec.training.looks import PARAMETER
from tooldec.training.model import Layer, Network, Shape, attention_mask, rotate, rotation

STRETCH = 64
"""So many rows of scores are computed at once: they stay in the cache."""


@dataclass(frozen=True, slots=True)
class Losses:
    """Five means, in nats, each a tensor without dimensions."""

    written: Tensor
    """The cross-entropy of all learned tokens."""
    filled: Tensor
    """The same of calls' arguments alone, from behind the name to the end of the call.

    Half of `written` is about names that no list shows, and cannot be helped; where a value begins and ends is three
    hundredths of it.
    """
    chosen: Tensor
    """Where several tools of the document could still be meant: -log of the right token's probability among theirs.

    P̃(a) = P(a) / Σ P(a′), listed or not: what guided decoding will ask (section 3.1).
    """
    pointed: Tensor
    """-log of the share that some heads give to what they are to look at.

    While a tool's name is written, the first head of the layers from the middle on is to look at the tool's entry in
    the list; while an argument is written, the second one at the same word of the question, at last at what follows
    it, and the third one, in the layer before the middle and the next, at the parameter in the list, as it is to do
    at these words of the question. Trained for that, a small model learns early to read the list, and to copy.
    """
    wished: Tensor
    """Where no list is shown and a teacher has an opinion of the name: the cross-entropy with its shares."""


def losses(
    network: Network, batch: Batch, dtype: torch.dtype, device: torch.device, usual: Tensor | None = None
) -> Losses:
    """The losses of a batch; where it has nothing that one of them is about, that one is 0.

    usual   added to the scores of names that no list shows (see `frequency`)
    """
    tokens, targets, filled, positions, looks, rivals, named, wishes, shares = (
        torch.from_numpy(array).to(device)
        for array in (
            *(batch.tokens, batch.targets, batch.filled, batch.positions, batch.looks, batch.rivals),
            *(batch.named, batch.wishes, batch.shares),
        )
    )
    mask = attention_mask(batch, dtype, device)
    missed: list[Tensor] = []

    def watch(number: int, x: Tensor) -> None:
        missed.extend(looked_away(network, number, x, positions, mask, looks))

    hidden = network(tokens, positions, mask, watch).flatten(0, 1)
    targets = targets.flatten()
    learned, inside = (found.nonzero().flatten() for found in (targets.ge(0), filled.flatten()))
    rows = network.model.embed_tokens.weight
    usual = torch.zeros(len(rows), device=device) if usual is None else usual
    unlisted = torch.zeros_like(targets, dtype=torch.bool)
    unlisted[named[:, 0] * tokens.shape[1] + named[:, 1]] = True

    none = torch.zeros((), device=device)

    def entropy(places: Tensor) -> Tensor:
        if not len(places):
            return none
        mean: Tensor = CrossEntropy.apply(hidden[places], rows, targets[places], unlisted[places], usual)  # type: ignore[no-untyped-call]
        return mean

    chosen = wished = none
    if len(rivals):
        places = rivals[:, 0] * tokens.shape[1] + rivals[:, 1]
        chosen = guided_losses(hidden[places], rows, targets[places], rivals[:, 2:]).mean()
    if len(wishes):
        places = wishes[:, 0] * tokens.shape[1] + wishes[:, 1]
        shared = (functional.linear(hidden[places], rows).float() + usual).log_softmax(1)  # (n, V)
        wished = -(shared.gather(1, wishes[:, 2:].clamp(min=0)) * shares[:, 2:]).sum(1).mean()
    pointed = torch.stack(missed).mean() if missed else none
    return Losses(entropy(learned), entropy(inside), chosen, pointed, wished)


class CrossEntropy(torch.autograd.Function):
    """Mean cross-entropy of hidden states (n, W) read with the rows of an embedding (V, W), and goals (n).

    Where `leaning` (n) says so, `usual` (V) is added to the scores. Its gradients are computed on the way, a stretch of
    scores at a time: (n, V) numbers in fp32 are never held.
    """

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, rows: Tensor, goals: Tensor, leaning: Tensor, usual: Tensor) -> Tensor:
        """The mean; what `backward` needs is kept."""
        gradient = hidden.new_empty(len(hidden), len(rows))
        total = torch.zeros((), device=hidden.device)
        for begin in range(0, len(hidden), STRETCH):
            some = slice(begin, begin + STRETCH)
            scores = functional.linear(hidden[some], rows).float()
            scores[leaning[some]] += usual
            goal = goals[some, None]
            log_sum = scores.logsumexp(1, keepdim=True)
            total += (log_sum - scores.gather(1, goal)).sum()
            scores.sub_(log_sum).exp_().scatter_add_(1, goal, scores.new_full(goal.shape, -1.0))
            gradient[some] = scores
        ctx.save_for_backward(hidden, rows, gradient)
        return total / len(hidden)

    @staticmethod
    def backward(ctx: Any, *above: Tensor) -> tuple[Tensor, Tensor, None, None, None]:
        """The gradients of the hidden states and of the rows."""
        hidden, rows, gradient = ctx.saved_tensors
        share = above[0] / len(hidden)
        return gradient @ rows * share, gradient.T @ hidden * share, None, None, None


def guided_losses(hidden: Tensor, rows: Tensor, right: Tensor, others: Tensor) -> Tensor:
    """-log P̃ of the right tokens (n) at some hidden states (n, W), among the others (n, k) or -1; (n)."""
    ways = torch.cat((right[:, None], others), 1)
    scores = torch.einsum("nw,nkw->nk", hidden, functional.embedding(ways.clamp(min=0), rows)).float()
    scores = scores.masked_fill(ways < 0, -math.inf)
    lost: Tensor = scores.logsumexp(1) - scores[:, 0]
    return lost


def pointers(shape: Shape, head: int) -> range:
    """The layers in which a head learns where to look."""
    middle = shape.layers // 2
    return range(middle - 1, middle + 1) if head == PARAMETER else range(middle, min(middle + 3, shape.layers))


def looked_away(
    network: Network, number: int, x: Tensor, positions: Tensor, mask: Tensor, looks: Tensor
) -> list[Tensor]:
    """Mean of -log of the share that heads of a layer give to what they are to see; `x` goes into it (B, T, W)."""
    layer = network.model.layers[number]
    assert isinstance(layer, Layer)
    size = network.shape.head_dim
    taught = [head for head in range(network.shape.heads) if number in pointers(network.shape, head)]
    heads = sorted(set(looks[:, 1].tolist()).intersection(taught))
    if not heads:
        return []
    x = layer.input_layernorm(x)
    turned = rotation(network.shape, positions, x.dtype)
    at = torch.arange(x.shape[1], device=x.device)
    missed = []
    for head in heads:
        row, _, place, first, last = looks[looks[:, 1] == head].unbind(1)
        own = slice(head * size, (head + 1) * size)
        queries, keys = (
            rotate(functional.linear(x, layer.weight[own])[:, None], *turned)[:, 0]  # (B, T, D)
            for layer in (layer.self_attn.q_proj, layer.self_attn.k_proj)
        )
        scores = (queries * size**-0.5 @ keys.mT)[row, place].float() + mask[row, 0, place]  # (n, T)
        seen = (at >= first[:, None]) & (at < last[:, None])
        missed.append((scores.logsumexp(1) - scores.masked_fill(~seen, -math.inf).logsumexp(1)).mean())
    return missed
