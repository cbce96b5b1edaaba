"""How many threads a model on the CPU runs on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

SMALL = 30_000_000
"""Parameters up to which a step on the CPU is done sooner by one thread: waking others takes longer than the work."""


def is_small(network: Any) -> bool:
    """Whether one thread does it sooner."""
    return bool(network.device.type == "cpu" and network.num_parameters() < SMALL)


@contextmanager
def threads(small: bool) -> Iterator[None]:
    """One thread for a small model on the CPU; measured on two busy cores, a step of the model in the box takes a
    fifth of the time that two threads need, and a batch of continuations a hundredth."""
    before = torch.get_num_threads()
    if not small or before == 1:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
