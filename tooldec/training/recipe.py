"""The settings of a training run, and its learning rates."""

from __future__ import annotations

from dataclasses import dataclass, field

from tooldec.training.batches import WIDTHS
from tooldec.training.shape import Shape

AGAIN, AGAIN_TOKENS = 0.1, 6144
"""When a trained model goes on: the peak of its rates, and the tokens of each process in a batch.

Where two processes had 2,048 each, it was 0.06, and at twice that 80 minutes didn't win back what was lost. In batches
three times as large a CPU reads a third more tokens a second, for the optimiser's work is the same for each.
"""
BEGUN = 0.25
"""From this part on, a run that goes on counts into its mean; its rates stay level, for the mean is what settles."""

SHARE_TOKENS = 2048
"""Tokens of a batch where several processes train a new model, one each."""
GPU_TOKENS, GPU_REPLAYS = 32_768, 2
"""Tokens of a batch on a GPU, in rows of the greatest width; and how often each comes, for it reads fast."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All settings of a run; the length is given in minutes of training, or in steps."""

    seed: int = 0
    minutes: float | None = 95.0
    steps: int | None = None
    batch_tokens: int = 3072
    widths: tuple[int, ...] = WIDTHS
    """The widths of rows; one alone is quicker on a GPU."""
    drawing: int = 0
    """So many processes draw documents ahead; without any, the one that trains draws them."""
    replays: int = 1
    """How often each document comes."""
    muon_rate: float = 6e-3
    adam_rate: float = 3e-3
    peak: float = 1.0
    """The highest rates, as a share of these: less where a trained model goes on."""
    decay: float = 0.05
    warm_up: float = 0.03
    level: float = 0.45
    """Until this part of the run the rates stay at their peak."""
    final: float = 0.01
    averaging: float = 1.0
    """From this part of the run on, what is learned is the mean of the weights after each step; 1: the last ones."""
    filling: float = 2.0
    """The weight of the loss of calls' arguments alone (see `losses.Losses`)."""
    choosing: float = 3.0
    """The weight of the loss of guided choices."""
    pointing: float = 5.0
    """The weight of the loss that asks some heads for a look at what they write."""
    wishing: float = 0.5
    """The weight of the teacher's loss, where there is one."""
    rounding: float = 0.7
    """From this part of the run on, the network computes with its weights as they will be stored."""
    compiled: bool = True
    save_seconds: float = 120.0
    shape: Shape = field(default_factory=Shape)

    def scale(self, progress: float) -> float:
        """The learning rate at this part of the run: a warm-up, then level, then down in a straight line."""
        if progress < self.warm_up:
            return self.peak * (0.02 + 0.98 * progress / self.warm_up)
        left = (1 - min(1.0, progress)) / (1 - self.level) if self.level < 1 else 1.0
        return self.peak * (self.final + (1 - self.final) * min(1.0, left))
