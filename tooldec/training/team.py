"""Processes that train one model together, each on its share of the batches; one process alone is a team of one."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import parent_process
from socket import socket
from threading import Thread
from typing import Any

import torch
from torch import Tensor, distributed
from torch.multiprocessing.spawn import ProcessRaisedException, start_processes


@dataclass(frozen=True, slots=True)
class Team:
    """One member's view: its number, from 0, and how many there are."""

    rank: int = 0
    size: int = 1

    @classmethod
    def join(cls, rank: int, size: int, port: int) -> Team:
        """Meet the others on this machine, at a free port; returns when all are there."""
        if size > 1:
            address = f"tcp://127.0.0.1:{port}"
            distributed.init_process_group("gloo", init_method=address, rank=rank, world_size=size)
        return cls(rank, size)

    def wait(self) -> None:
        """Go on when all members are here."""
        if self.size > 1:
            distributed.barrier()

    def mean(self, tensors: Sequence[Tensor]) -> None:
        """Put the mean over all members in the place of each tensor; waits for all of them."""
        if self.size == 1:
            return
        together = torch.cat([tensor.detach().flatten().float() for tensor in tensors])
        distributed.all_reduce(together)
        together /= self.size
        start = 0
        for tensor in tensors:
            tensor.copy_(together[start : start + tensor.numel()].view_as(tensor))
            start += tensor.numel()

    def share(self, work: Callable[[Tensor], Tensor], items: Tensor) -> Tensor:
        """The results of `work` on many items (N, ...), of which each member computes some."""
        if self.size == 1:
            return work(items)
        rounds = -(-len(items) // self.size)
        mine = work(items[[(step * self.size + self.rank) % len(items) for step in range(rounds)]])
        parts = [torch.empty_like(mine) for _ in range(self.size)]
        distributed.all_gather(parts, mine)
        return torch.stack(parts, 1).flatten(0, 1)[: len(items)]

    def least(self, number: int) -> int:
        """The least of the members' numbers."""
        if self.size == 1:
            return number
        together = torch.tensor(number)
        distributed.all_reduce(together, distributed.ReduceOp.MIN)
        return int(together)


ALONE = Team()

MALLOC = ":".join(
    f"glibc.malloc.{name}={value}"
    for name, value in {"hugetlb": 1, "mmap_threshold": 2**30, "trim_threshold": 2**32, "top_pad": 2**26}.items()
)
"""How members have their memory on Linux: in huge pages that are kept, which makes two of them a third faster."""


def gather(work: Callable[..., None], size: int, *arguments: Any) -> None:
    """Call `work(team, *arguments)` in so many processes, and return when all of them are done.

    Raises:
        RuntimeError: one of them failed; the others are stopped.
    """
    if size == 1:
        return work(ALONE, *arguments)
    os.environ.setdefault("GLIBC_TUNABLES", MALLOC)
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    try:
        start_processes(_member, (work, size, port, arguments), size)  # type: ignore[no-untyped-call]
    except ProcessRaisedException as error:
        raise RuntimeError(str(error).strip().splitlines()[-1]) from error


def _member(rank: int, work: Callable[..., None], size: int, port: int, arguments: tuple[Any, ...]) -> None:
    follow_parent()
    team = Team.join(rank, size, port)
    work(team, *arguments)
    team.wait()
    distributed.destroy_process_group()


def follow_parent() -> None:
    """From now on this process ends when its parent is killed; nobody would wait for it any more."""

    def follow() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=follow, daemon=True).start()
