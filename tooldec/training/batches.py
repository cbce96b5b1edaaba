"""Documents as rows of tokens for training: several documents share a row, several turns share a list of tools.

A token attends to the tokens before it in its own turn and in its document's list of tools, never to another turn or
document; positions count from the start of the list as if the turn were alone. So a row of 256 tokens holds what
separate sequences would need two or three times as many tokens for.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from tokenizers import Encoding, Tokenizer

from tooldec.training.documents import Document, Turn, document
from tooldec.training.team import ALONE, Team

Ints = npt.NDArray[np.int64]

CHUNK = 1024
"""Documents that are packed together; the position in the data is (chunk, batch)."""

WIDTHS = (256, 384, 512, 1024)

Look = tuple[int, int, int, int]
"""`NAME` or `ARGUMENT`, a position, and where what is to be seen from there begins and ends."""
NAME, ARGUMENT = 0, 1

Source = Callable[[int, int], Document]
"""Seed and number → document."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one width; all arrays have the shape (rows, width)."""

    tokens: Ints
    targets: Ints
    """The next token where it is learned, -1 elsewhere."""
    positions: Ints
    documents: Ints
    """Which document of the row a token belongs to; -1 in the padding."""
    turns: Ints
    """Which turn of the document; 0 in the list of tools."""
    looks: Ints
    """What is to be looked at: the row, and a `Look` in it: (n, 5)."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """One document: tokens, targets, positions and turns, each as long as the document, and where to look."""

    tokens: list[int]
    targets: list[int]
    positions: list[int]
    turns: list[int]
    looks: list[Look]


def encode(tokenizer: Tokenizer, document: Document, longest: int | None = None) -> Encoded:
    """The tokens of a document; turns that do not fit into its row any more are left out."""
    texts = [document.prefix]
    for turn in document.turns:
        texts += [turn.prompt, *(piece.text for piece in turn.pieces)]
    parts = iter(tokenizer.encode_batch(texts, add_special_tokens=False))
    listed = next(parts)
    tokens = list(listed.ids)
    start = len(tokens)
    longest = longest or next((width for width in WIDTHS[1:-1] if start < 0.6 * width), WIDTHS[-1])
    targets, positions, turns = [-1] * start, list(range(start)), [0] * start
    looks: list[Look] = []
    for number, turn in enumerate(document.turns, 1):
        asked = next(parts)
        new = list(asked.ids)
        goals = [-1] * len(new)
        seen: list[Look] = []
        for piece in turn.pieces:
            part = next(parts)
            stop = tokenizer.encode(piece.instead).ids[0] if piece.instead else -1
            if piece.learned:
                offset = len(tokens) + len(new)
                seen += _choices(turn, document.prefix, listed, part, piece.text, offset)
                seen += _looks(turn, asked, part, piece.text, offset, len(tokens))
            new += part.ids
            goals += part.ids if piece.learned else [stop, *[-1] * (len(part.ids) - 1)]
        if len(tokens) + len(new) > longest:
            continue
        tokens += new
        targets += [*goals[1:], -1]
        positions += range(start, start + len(new))
        turns += [number] * len(new)
        looks += seen
    return Encoded(tokens, targets, positions, turns, looks)


def _looks(turn: Turn, asked: Encoding, part: Encoding, text: str, offset: int, start: int) -> Iterator[Look]:
    """For each token of an argument that a piece writes: the place before it, and where the question says it."""
    at = 0
    for call in turn.ask.calls:
        for value in call.arguments.values():
            for said in map(str, value if isinstance(value, list) else (value,)):
                written, source = text.find(said, at), turn.prompt.find(said)
                if isinstance(value, bool) or not said or written < 0 or source < 0 or turn.prompt.count(said) > 1:
                    continue
                at = written + len(said)
                (begin, end), (first, last) = _span(part, written, said), _span(asked, source, said)
                same = part.ids[begin:end] == asked.ids[first:last]
                for step, place in enumerate(range(begin, end)):
                    to = (first + step, first + step + 1) if same else (first, last)
                    yield ARGUMENT, offset + place - 1, start + to[0], start + to[1]


def _choices(turn: Turn, prefix: str, listed: Encoding, part: Encoding, text: str, offset: int) -> Iterator[Look]:
    """For each token of a name that a piece writes: the place before it, and the entry of the tool in the list."""
    for call in turn.ask.calls:
        name = re.escape(call.tool.name)
        entry = re.search(rf"(?<![\w.-]){name}\(.*?\)", prefix)
        written = re.search(rf'(?:^|"name": "|Action: )({name})(?=[("\n)])', text)
        if entry is None or written is None:
            continue
        first, last = _span(listed, entry.start(), entry[0])
        for place in range(*_span(part, written.start(1), written[1])):
            yield NAME, offset + place - 1, first, last


def _span(encoding: Encoding, start: int, text: str) -> tuple[int, int]:
    """The tokens of a stretch of text that isn't empty."""
    first, last = encoding.char_to_token(start), encoding.char_to_token(start + len(text) - 1)
    assert first is not None and last is not None
    return first, last + 1


def chunk_batches(
    tokenizer: Tokenizer, seed: int, chunk: int, batch_tokens: int, source: Source = document
) -> list[Batch]:
    """The batches of one chunk of documents, shuffled; the rows of each width that fill no batch are dropped."""
    first = chunk * CHUNK
    encoded = [encode(tokenizer, source(seed, index)) for index in range(first, first + CHUNK)]
    rows: dict[int, list[list[Encoded]]] = {width: [] for width in WIDTHS}
    gaps: list[tuple[int, list[Encoded]]] = []
    for item in sorted(encoded, key=lambda item: -len(item.tokens)):
        if item.turns[-1:] in ([], [0]):
            continue
        width = next(width for width in WIDTHS if len(item.tokens) <= width)
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
    for width in WIDTHS:
        count = batch_tokens // width
        rng.shuffle(rows[width])
        for start in range(0, len(rows[width]) - count + 1, count):
            batches.append(lay_out(rows[width][start : start + count], width))
    rng.shuffle(batches)
    return batches


def lay_out(rows: list[list[Encoded]], width: int) -> Batch:
    """Rows of documents as the arrays of a batch."""
    shape = (len(rows), width)
    tokens, targets = np.zeros(shape, np.int64), np.full(shape, -1, np.int64)
    positions, owners, turns = np.zeros(shape, np.int64), np.full(shape, -1, np.int64), np.zeros(shape, np.int64)
    looks: list[tuple[int, ...]] = []
    for r, row in enumerate(rows):
        at = 0
        for number, item in enumerate(row):
            end = at + len(item.tokens)
            tokens[r, at:end], targets[r, at:end] = item.tokens, item.targets
            positions[r, at:end], turns[r, at:end], owners[r, at:end] = item.positions, item.turns, number
            looks += [(r, head, at + place, at + first, at + last) for head, place, first, last in item.looks]
            at = end
    return Batch(tokens, targets, positions, owners, turns, np.array(looks, np.int64).reshape(-1, 5))


def batches(
    tokenizer: Tokenizer,
    seed: int,
    batch_tokens: int,
    chunk: int = 0,
    batch: int = 0,
    source: Source = document,
    team: Team = ALONE,
) -> Iterator[tuple[int, int, Batch]]:
    """Batches without end from a position on, each with the position that follows it; of a team, this member's."""
    while True:
        found = chunk_batches(tokenizer, seed, chunk, batch_tokens, source)
        for number in range(batch, len(found) // team.size):
            yield chunk, number + 1, found[number * team.size + team.rank]
        chunk, batch = chunk + 1, 0
