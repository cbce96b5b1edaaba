"""What the network is trained for: what is written, what is chosen when guided, and where some heads look."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from tooldec.training.attention import attention_mask, rotate, rotation
from tooldec.training.batches import Batch
from tooldec.training.looks import ARGUMENT, NAME, PARAMETER
from tooldec.training.model import Layer, Network
from tooldec.training.shape import Shape

STRETCH, LONG_STRETCH = 64, 4096
"""So many rows of scores are computed at once: on a CPU they stay in the cache."""


HEADS = NAME, ARGUMENT, PARAMETER
"""The heads that are taught where to look."""


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
    width = batch.tokens.shape[1]
    # which tokens are meant is found before anything is sent to a device, which would have to be waited for
    learned = np.flatnonzero(batch.targets >= 0)
    inside = np.flatnonzero(batch.filled.flat[learned])
    leaning = np.zeros(batch.targets.size, np.float32)
    leaning[_flat(batch.named, width)] = 1

    def there(array: npt.NDArray[Any]) -> Tensor:
        found = torch.from_numpy(array).to(device)
        return found if found.is_floating_point() else found.long()

    tokens, targets, positions = there(batch.tokens), there(batch.targets).flatten(), there(batch.positions)
    looks = [there(batch.looks[batch.looks[:, 1] == head]) for head in HEADS]
    mask = attention_mask(batch, dtype, device)
    turned = rotation(network.shape, positions, dtype)
    missed: list[Tensor] = []

    def watch(number: int, x: Tensor) -> None:
        missed.extend(looked_away(network, number, x, turned, mask, looks))

    hidden = network(tokens, positions, mask, watch).flatten(0, 1)
    rows = network.model.embed_tokens.weight
    usual = torch.zeros(len(rows), device=device) if usual is None else usual
    written = filled = chosen = wished = torch.zeros((), device=device)
    if len(learned):
        places = there(learned)
        lost: Tensor = CrossEntropy.apply(hidden[places], rows, targets[places], there(leaning[learned]), usual)  # type: ignore[no-untyped-call]
        written = lost.mean()
        if len(inside):
            filled = lost[there(inside)].mean()
    if len(batch.rivals):
        places = there(_flat(batch.rivals, width))
        chosen = guided_losses(hidden[places], rows, targets[places], there(batch.rivals[:, 2:])).mean()
    if len(batch.wishes):
        wishes = there(batch.wishes[:, 2:])
        known = functional.linear(hidden[there(_flat(batch.wishes, width))], rows).float() + usual  # (n, V)
        shares = known.log_softmax(1).gather(1, wishes.clamp(min=0))
        wished = -(shares * there(batch.shares[:, 2:])).sum(1).mean()
    pointed = torch.stack(missed).mean() if missed else torch.zeros((), device=device)
    return Losses(written, filled, chosen, pointed, wished)


def _flat(places: npt.NDArray[Any], width: int) -> npt.NDArray[Any]:
    """Rows and positions as places among all tokens of a batch."""
    flat: npt.NDArray[Any] = places[:, 0] * width + places[:, 1]
    return flat


class CrossEntropy(torch.autograd.Function):
    """Cross-entropies (n) of hidden states (n, W) read with the rows of an embedding (V, W), and goals (n).

    `leaning` (n) says how often `usual` (V) is added to the scores. Gradients are computed on the way, a stretch of
    scores at a time: (n, V) numbers in fp32 are never held.
    """

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, rows: Tensor, goals: Tensor, leaning: Tensor, usual: Tensor) -> Tensor:
        """One for each hidden state; what `backward` needs is kept."""
        gradient = hidden.new_empty(len(hidden), len(rows))
        lost = torch.empty(len(hidden), device=hidden.device)
        stretch = LONG_STRETCH if hidden.is_cuda else STRETCH
        for begin in range(0, len(hidden), stretch):
            some = slice(begin, begin + stretch)
            scores = functional.linear(hidden[some], rows).float().addcmul_(leaning[some, None], usual)
            goal = goals[some, None]
            right, top = scores.gather(1, goal), scores.amax(1, keepdim=True)
            total = scores.sub_(top).exp_().sum(1, keepdim=True)
            lost[some] = (total.log() + top - right)[:, 0]
            scores.div_(total).scatter_add_(1, goal, scores.new_full(goal.shape, -1.0))
            gradient[some] = scores
        ctx.save_for_backward(hidden, rows, gradient)
        return lost

    @staticmethod
    def backward(ctx: Any, *above: Tensor) -> tuple[Tensor, Tensor, None, None, None]:
        """The gradients of the hidden states and of the rows."""
        hidden, rows, gradient = ctx.saved_tensors
        shares = above[0][:, None].to(hidden.dtype)  # (n, 1)
        return gradient @ rows * shares, gradient.T @ (hidden * shares), None, None, None


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
    network: Network, number: int, x: Tensor, turned: tuple[Tensor, Tensor], mask: Tensor, looks: Sequence[Tensor]
) -> list[Tensor]:
    """Means of -log of the share that heads of a layer give to what they are to see; `x` goes into it (B, T, W).

    turned   the rotary positions
    looks    what each head is to look at: the row, the head, a position, and where that begins and ends: (n, 5)
    """
    layer = network.model.layers[number]
    assert isinstance(layer, Layer)
    shape, size = network.shape, network.shape.head_dim
    heads = [head for head in HEADS if head < shape.heads and number in pointers(shape, head) and len(looks[head])]
    if not heads:
        return []
    x = layer.input_layernorm(x)
    own = slice(heads[0] * size, (heads[-1] + 1) * size)
    queries, keys = (
        rotate(functional.linear(x, layer.weight[own]).view(*x.shape[:2], -1, size).transpose(1, 2), *turned)
        for layer in (layer.self_attn.q_proj, layer.self_attn.k_proj)
    )  # (B, H, T, D)
    row, head, place, first, last = torch.cat([looks[head] for head in heads]).unbind(1)
    scores = (queries * size**-0.5 @ keys.mT)[row, head - heads[0], place].float() + mask[row, 0, place]  # (n, T)
    at = torch.arange(x.shape[1], device=x.device)
    seen = (at >= first[:, None]) & (at < last[:, None])
    missed = scores.logsumexp(1) - scores.masked_fill(~seen, -math.inf).logsumexp(1)
    return [part.mean() for part in torch.split(missed, [len(looks[head]) for head in heads])]
