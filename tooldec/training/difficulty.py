"""Which sayings a trained model finds hard: a run that goes on from it can draw those more often.

A model that knows most of its data learns little from most of them. Of what version 13 of the model in the box lost on
the arguments of calls to listed tools, three in ten sayings of spoken/ cost 87 %, and 94 % of what it lost on choices
(selective backpropagation: Jiang and others 2019; here a model is asked once, before the run, so that the run can be
repeated). What it teaches are these sayings' tools more than others: the card of version 14 has both kinds of runs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import accumulate, islice, pairwise
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer
from torch.nn import functional

from tooldec.training.attention import attention_mask
from tooldec.training.batches import Batch, Encoded, encode, lay_out
from tooldec.training.documents.asks import Ask, Call
from tooldec.training.documents.catalogues import tail
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.mixture import Document, turn
from tooldec.training.documents.rendering import prefix
from tooldec.training.documents.spoken import Said, spoken_lists
from tooldec.training.losses import guided_losses
from tooldec.training.model import Network, faster_dtype
from tooldec.training.shape import Shape

Floats = npt.NDArray[np.float32]

FLOOR, CEILING = 0.25, 3.0
"""A saying that costs nothing is drawn so often, and more by the nats that it costs, up to the ceiling."""
TOO_HARD = 9.0
"""Sayings that cost more nats count 1: what they mean can hardly be known."""
TURNS = 12
"""So many sayings share a document."""
LONGEST = 1024
"""Tokens of a document; sayings that don't fit count 1."""
BATCH_TOKENS = 3072


class Difficulty:
    """The lists of spoken/ with the weights of their sayings; as a function, it draws a list for a document.

    lost   nats that each saying costs, where no list of tools is shown and where one is, in the order of the lists:
           (sayings, 2); NaN where it isn't known

    Raises:
        ValueError: the lists have another number of sayings.
    """

    def __init__(self, lost: Floats, lists: Sequence[Sequence[Said]] | None = None) -> None:
        lists = spoken_lists() if lists is None else lists
        ends = list(accumulate((len(said.sayings) for part in lists for said in part), initial=0))
        if lost.shape != (ends[-1], 2):
            raise ValueError(f"the nats are those of {len(lost)} sayings, not of the {ends[-1]} that there are")
        known = lost <= TOO_HARD  # NaN isn't
        weights = np.where(known, FLOOR + np.minimum(lost, CEILING), 1.0)
        parts = (weights[begin:end].T.tolist() for begin, end in pairwise(ends))
        self.lists = [[replace(said, weights=next(parts)) for said in part] for part in lists]
        self.weights = [
            [sum(said.weight(shown) for said in part) / len(part) for part in self.lists] for shown in (False, True)
        ]

    def __call__(self, draw: Draw) -> Sequence[Said]:
        """One of the lists."""
        return draw.pick(self.lists, self.weights[draw.listed])


def ask_model(
    folder: Path,
    lists: Sequence[Sequence[Said]] | None = None,
    processes: int = 1,
    dtype: torch.dtype | None = None,
) -> Floats:
    """The nats that an exported model loses on each saying, not listed and listed: (sayings, 2).

    They are those of the call's arguments, of which half count where no list shows the parameters, and of the choice
    among the tools of the list. Each of the processes takes some minutes for ten thousand sayings.

    dtype   what is computed in; without it the faster one, which changes a hundredth of a nat
    """
    lists = spoken_lists() if lists is None else lists
    dtype = dtype or faster_dtype(torch.device("cpu"))
    if processes == 1:
        return _asked(folder, dtype, lists)
    share = -(-len(lists) // processes)
    parts = [lists[begin : begin + share] for begin in range(0, len(lists), share)]
    with ProcessPoolExecutor(processes, get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        return np.concatenate(list(pool.map(partial(_asked, folder, dtype), parts)))


@torch.no_grad()
def _asked(folder: Path, dtype: torch.dtype, lists: Sequence[Sequence[Said]]) -> Floats:
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    pieces = tokenizer.get_vocab()
    network = Network(Shape.read(folder))
    network.adopt(folder, tokenizer)
    network.to(dtype)
    starts = list(accumulate((sum(len(said.sayings) for said in part) for part in lists), initial=0))
    lost = np.full((starts[-1], 2), np.nan, np.float32)
    for shown in (False, True):
        asked = (one for part, start in zip(lists, starts, strict=False) for one in _documents(part, start, shown))
        encoded = [(encode(tokenizer, document, LONGEST, pieces), places) for document, places in asked]
        encoded.sort(key=lambda entry: len(entry[0].tokens))
        for some, width in _rows(encoded):
            batch = lay_out([[item] for item, _ in some], width)
            for (row, number), nats in _nats(network, batch, 1.0 if shown else 0.5).items():
                lost[some[row][1][number - 1], int(shown)] = nats
    return lost


def _documents(part: Sequence[Said], start: int, shown: bool) -> Iterator[tuple[Document, range]]:
    """The sayings of a list as documents, each with their places among all sayings."""
    tools = tuple(said.tool for said in part)
    draw, before = Draw(random.Random(start)), prefix("special_token", tools, shown)
    asks = (
        Ask(words, ("Done: ", Call(said.tool, given, "ok"), tail("ok")), said=words)
        for said in part
        for words, given in said.sayings
    )
    while some := list(islice(asks, TURNS)):
        turns = tuple(turn(draw, "special_token", "assistant", ask, before) for ask in some)
        yield Document("special_token", tools, before, turns), range(start, start + len(some))
        start += len(some)


def _rows(items: Sequence[tuple[Encoded, range]]) -> Iterator[tuple[Sequence[tuple[Encoded, range]], int]]:
    """Documents of much the same length together, a row each, and the width of the rows."""
    begin = 0
    while begin < len(items):
        end = begin + max(1, BATCH_TOKENS // max(1, len(items[begin][0].tokens)))
        yield items[begin:end], len(items[min(end, len(items)) - 1][0].tokens)
        begin = end


def _nats(network: Network, batch: Batch, share: float) -> dict[tuple[int, int], float]:
    """For each row and turn the nats of its call: a share of those of the arguments, and those of the choice."""
    mask = attention_mask(batch, network.model.norm.weight.dtype, torch.device("cpu"))
    hidden = network(torch.from_numpy(batch.tokens), torch.from_numpy(batch.positions), mask)  # (B, T, W)
    targets, rivals = torch.from_numpy(batch.targets).long(), torch.from_numpy(batch.rivals).long()
    filled = torch.from_numpy(batch.filled).nonzero()
    inside = tuple(filled.T)
    written = share * functional.cross_entropy(network.logits(hidden[inside]), targets[inside], reduction="none")
    places = rivals[:, 0], rivals[:, 1]
    chosen = guided_losses(hidden[places], network.model.embed_tokens.weight, targets[places], rivals[:, 2:])
    nats: dict[tuple[int, int], float] = {}
    lost = torch.cat((written, chosen)).tolist()
    for (row, place), each in zip([*filled.tolist(), *rivals[:, :2].tolist()], lost, strict=True):
        key = row, int(batch.turns[row, place])
        nats[key] = nats.get(key, 0.0) + each
    return nats
