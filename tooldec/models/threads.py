"""How many threads a model on the CPU runs on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

USUAL = torch.get_num_threads()
"""How many threads torch had when the first model was asked for; `OMP_NUM_THREADS` says how many."""

SMALL = 30_000_000
"""Parameters up to which a step on the CPU is done sooner by one thread: waking others takes longer than the work."""


def is_small(network: Any) -> bool:
    """Whether one thread does it sooner."""
    return bool(network.device.type == "cpu" and network.num_parameters() < SMALL)


@contextmanager
def threads(small: bool) -> Iterator[None]:
    """One thread for a small model on the CPU, else as many as usual; measured on two busy cores, a step of the model
    in the box takes a fifth of the time that two threads need, and a batch of continuations a hundredth.

    What one thread of the process sets is what new ones begin with, so that nobody goes by what is set.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1 if small else USUAL)
    try:
        yield
    finally:
        torch.set_num_threads(before)
