"""Documents as rows of tokens for training: several documents share a row, several turns share a list of tools.

A token attends to the tokens before it in its own turn and in its document's list of tools, never to another turn or
document; positions count from the start of the list as if the turn were alone. So a row of 256 tokens holds what
separate sequences would need two or three times as many tokens for.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from tooldec.training.ahead import drawn_ahead
from tooldec.training.documents.mixture import Document, document
from tooldec.training.looks import Look, Rivals, Scene, rivals, swaps
from tooldec.training.teacher import Teacher, Wish
from tooldec.training.team import ALONE, Team

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]

CHUNK = 1024
"""Documents that are packed together; the position in the data is (chunk, batch)."""

LATER = 24
"""So many chunks later one comes again, where it does."""

WIDTHS = (256, 384, 512, 640, 1024)

Source = Callable[[int, int], Document]
"""Seed and number → document."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one width; all arrays have the shape (rows, width)."""

    tokens: Ints
    targets: Ints
    """The next token where it is learned, -1 elsewhere."""
    filled: Ints
    """1 where the next token is learned and belongs to the arguments of a call, 0 elsewhere."""
    positions: Ints
    documents: Ints
    """Which document of the row a token belongs to; -1 in the padding."""
    turns: Ints
    """Which turn of the document; 0 in the list of tools."""
    looks: Ints
    """What is to be looked at: the row, and a `Look` in it: (n, 5)."""
    rivals: Ints
    """Where a name goes on in several ways: the row, the position, and the tokens of the others, -1 behind: (n, k)."""
    named: Ints
    """Where a token of a name follows that no list shows: the row and the position: (n, 2)."""
    wishes: Ints
    """Where a teacher has an opinion of a name: the row, the position, and tokens, -1 behind: (n, k)."""
    shares: Floats
    """The shares of these tokens, with nothing in the columns of row and position: (n, k)."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """One document: tokens to turns, each as long as it; where to look, and the names' rivals."""

    tokens: list[int]
    targets: list[int]
    filled: list[int]
    positions: list[int]
    turns: list[int]
    looks: list[Look]
    rivals: list[Rivals]
    named: list[int]
    wishes: list[Wish]


def encode(
    tokenizer: Tokenizer,
    document: Document,
    longest: int | None = None,
    pieces: Mapping[str, int] | None = None,
    teacher: Teacher | None = None,
) -> Encoded:
    """The tokens of a document; turns that do not fit into its row any more are left out.

    pieces   the tokenizer's tokens, which are slow to ask for
    teacher  has an opinion of the names where no list is shown
    """
    texts = [document.prefix]
    for turn in document.turns:
        texts += [turn.prompt, *(piece.text for piece in turn.pieces)]
    parts = iter(tokenizer.encode_batch(texts, add_special_tokens=False))
    listed = next(parts)
    tokens = list(listed.ids)
    start = len(tokens)
    longest = longest or next((width for width in WIDTHS[1:-1] if start < 0.38 * width), WIDTHS[-1])
    targets, filled, positions, turns = [-1] * start, [0] * start, list(range(start)), [0] * start
    names = ["".join(name.tokens) for name in tokenizer.encode_batch([tool.name for tool in document.tools])]
    pieces = pieces or tokenizer.get_vocab()
    looks: list[Look] = []
    meant: list[Rivals] = []
    named: list[int] = []
    wished: list[Wish] = []
    for number, turn in enumerate(document.turns, 1):
        scene = Scene(turn, document.prefix, listed, next(parts), len(tokens))
        new = list(scene.asked.ids)
        goals, given = [-1] * len(new), [0] * len(new)
        seen: list[Look] = []
        others: list[Rivals] = []
        unlisted: list[int] = []
        wishes: list[Wish] = []
        for piece in turn.pieces:
            part = next(parts)
            stop = tokenizer.encode(piece.instead).ids[0] if piece.instead else -1
            named_until = 0
            if piece.learned:
                offset = len(tokens) + len(new)
                seen += scene.looks(part, piece.text, offset)
                for name, begin, end in scene.names(part, piece.text):
                    named_until = end
                    if not document.prefix:
                        unlisted += range(offset + begin - 1, offset + end - 1)
                    if teacher is not None and not document.prefix:
                        wrong = {tool.name for tool in document.tools} - {name}
                        wishes += teacher.wishes(turn.ask.said, part.ids[begin:end], wrong, offset + begin - 1)
                    ends = [name + part.tokens[end] for name in names]
                    others += rivals(part.tokens[begin : end + 1], ends, pieces, offset + begin - 1)
                for values in scene.values(part, piece.text):
                    others += swaps(part, values, pieces, offset)
            new += part.ids
            given += [int(piece.call and place >= named_until) for place in range(len(part.ids))]
            goals += part.ids if piece.learned else [stop, *[-1] * (len(part.ids) - 1)]
        if len(tokens) + len(new) > longest:
            continue
        tokens += new
        targets += [*goals[1:], -1]
        filled += [*given[1:], 0]
        positions += range(start, start + len(new))
        turns += [number] * len(new)
        looks += seen
        meant += others
        named += unlisted
        wished += wishes
    return Encoded(tokens, targets, filled, positions, turns, looks, meant, named, wished)


def chunk_batches(
    tokenizer: Tokenizer,
    seed: int,
    chunk: int,
    batch_tokens: int,
    source: Source = document,
    teacher: Teacher | None = None,
    widths: Sequence[int] = WIDTHS,
) -> list[Batch]:
    """The batches of one chunk of documents; the rows of each width, shuffled, that fill no batch are dropped."""
    first = chunk * CHUNK
    drawn = [part for index in range(first, first + CHUNK) for part in _parts(source(seed, index))]
    pieces = tokenizer.get_vocab()
    encoded = [encode(tokenizer, part, pieces=pieces, teacher=teacher) for part in drawn]
    rows: dict[int, list[list[Encoded]]] = {width: [] for width in widths}
    gaps: list[tuple[int, list[Encoded]]] = []
    for item in sorted(encoded, key=lambda item: -len(item.tokens)):
        if item.turns[-1:] in ([], [0]):
            continue
        width = next(width for width in widths if len(item.tokens) <= width)
        for place, (room, row) in enumerate(gaps):
            if room >= len(item.tokens):
                row.append(item)
                gaps[place] = (room - len(item.tokens), row)
                break
        else:
            row = [item]
            rows[width].append(row)
            gaps.append((width - len(item.tokens), row))
    rng = random.Random(f"batches-{seed}-{chunk}")
    batches = []
    for width in widths:
        many = batch_tokens // width
        rng.shuffle(rows[width])
        for start in range(0, len(rows[width]) - many + 1, many):
            batches.append(lay_out(rows[width][start : start + many], width))
    return batches


def _parts(document: Document) -> list[Document]:
    """Turns that share no list are documents of their own: short ones fill the rows."""
    return [document] if document.prefix else [replace(document, turns=(turn,)) for turn in document.turns]


def lay_out(rows: list[list[Encoded]], width: int) -> Batch:
    """Rows of documents as the arrays of a batch."""
    shape = (len(rows), width)
    tokens, targets, filled = np.zeros(shape, np.int32), np.full(shape, -1, np.int32), np.zeros(shape, np.int32)
    positions, owners, turns = np.zeros(shape, np.int32), np.full(shape, -1, np.int32), np.zeros(shape, np.int32)
    looks: list[tuple[int, ...]] = []
    others: list[tuple[int, ...]] = []
    named: list[tuple[int, ...]] = []
    wishes: list[tuple[int, ...]] = []
    shares: list[tuple[float, ...]] = []
    for r, row in enumerate(rows):
        at = 0
        for number, item in enumerate(row):
            end = at + len(item.tokens)
            tokens[r, at:end], targets[r, at:end], filled[r, at:end] = item.tokens, item.targets, item.filled
            positions[r, at:end], turns[r, at:end], owners[r, at:end] = item.positions, item.turns, number
            looks += [(r, head, at + place, at + first, at + last) for head, place, first, last in item.looks]
            others += [(r, at + place, *ways) for place, ways in item.rivals]
            named += [(r, at + place) for place in item.named]
            wishes += [(r, at + place, *wished) for place, wished, _ in item.wishes]
            shares += [(0.0, 0.0, *share) for _, _, share in item.wishes]
            at = end
    tables = (
        _table(looks, 5),
        _table(others, 3),
        _table(named, 2),
        _table(wishes, 3),
        _table(shares, 3, 0, np.float32),
    )
    return Batch(tokens, targets, filled, positions, owners, turns, *tables)


def _table(rows: Sequence[Sequence[float]], width: int, fill: int = -1, kind: type = np.int32) -> npt.NDArray[Any]:
    """Rows of several lengths as an array, at least so wide, filled up."""
    table: npt.NDArray[Any] = np.full((len(rows), max([width, *map(len, rows)])), fill, kind)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return table


def batches(
    tokenizer: Tokenizer,
    seed: int,
    batch_tokens: int,
    chunk: int = 0,
    batch: int = 0,
    source: Source = document,
    team: Team = ALONE,
    teacher: Teacher | None = None,
    widths: Sequence[int] = WIDTHS,
    processes: int = 0,
    replays: int = 1,
) -> Iterator[tuple[int, int, Batch]]:
    """Batches without end from a position on, each with the position that follows it.

    Each member of a team draws chunks of its own. All members' batches have the same widths in the same order, so that
    none waits for another; what one has too many of is left out.

    processes  so many draw chunks ahead; without any, a chunk is drawn when it is needed
    replays    how often each chunk comes, `LATER` chunks later each time: for a GPU is faster than those who draw
    """
    make = partial(
        chunk_batches, tokenizer, seed, batch_tokens=batch_tokens, source=source, teacher=teacher, widths=widths
    )
    lag = (replays - 1) * LATER
    newest = max(0, chunk // replays - lag) - 1
    numbers = (newest + 1) * team.size + team.rank, team.size
    fresh = drawn_ahead(make, *numbers, processes) if processes else map(make, count(*numbers))
    kept: deque[list[Batch]] = deque(maxlen=lag + 1)
    for turn in count(chunk):
        number = turn // replays - turn % replays * LATER
        while newest < turn // replays:
            kept.append(next(fresh))
            newest += 1
        order: list[tuple[float, int, Batch]] = []
        for width in widths if number >= 0 else ():
            some = [part for part in kept[number - newest - 1] if part.tokens.shape[1] == width]
            least = team.least(len(some))
            order += [((place + 0.5) / least, width, part) for place, part in enumerate(some[:least])]
        order.sort(key=lambda entry: entry[:2])
        for place, (_, _, part) in enumerate(order[batch:], batch + 1):
            yield turn, place, part
        batch = 0
