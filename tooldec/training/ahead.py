"""Chunks of documents that other processes draw ahead, for a GPU is faster than one that draws."""

from __future__ import annotations

import os
import queue
import sys
from collections.abc import Callable, Iterator
from itertools import count
from multiprocessing import get_context
from typing import Any, TypeVar

import torch

from tooldec.training.team import follow_parent

Chunk = TypeVar("Chunk")

WAITING = 8
"""So many chunks of each process wait to be trained on; it rests then."""
PATIENCE = 5.0
"""Seconds after which somebody looks whether a process that is silent still lives."""


def drawn_ahead(make: Callable[[int], Chunk], first: int, step: int, processes: int) -> Iterator[Chunk]:
    """`make(first)`, `make(first + step)` and so on without end, in order, drawn by so many processes.

    Raises:
        RuntimeError: one of the processes failed, or was killed.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    context: Any = get_context("fork" if sys.platform == "linux" else "spawn")  # forked, they begin at once
    members = []
    for number in range(processes):
        drawn: Any = context.Queue(WAITING)
        place = (first + number * step, processes * step)
        member = context.Process(target=_draw, args=(make, *place, drawn), daemon=True)
        member.start()
        members.append((member, drawn))
    try:
        for turn in count():
            yield _next(*members[turn % processes])
    finally:
        for member, _ in members:
            member.kill()
        for member, _ in members:
            member.join()


def _next(member: Any, drawn: Any) -> Any:
    """What a process draws next; waits for it as long as it lives."""
    while True:
        try:
            found, failure = drawn.get(timeout=PATIENCE)
        except queue.Empty:
            if member.is_alive():
                continue
            raise RuntimeError("a process that draws documents was stopped") from None
        if failure:
            raise RuntimeError(f"a process that draws documents failed: {failure}")
        return found


def _draw(make: Callable[[int], Any], first: int, step: int, drawn: Any) -> None:
    follow_parent()
    os.nice(5)  # whoever trains must not wait for a processor
    torch.set_num_threads(1)
    for number in count(first, step):
        try:
            drawn.put((make(number), ""))
        except Exception as error:
            drawn.put((None, f"{type(error).__name__}: {error}"))
            return
