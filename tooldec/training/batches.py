"""Documents as rows of tokens for training: several documents share a row, several turns share a list of tools.

A token attends to the tokens before it in its own turn and in its document's list of tools, never to another turn or
document; positions count from the start of the list as if the turn were alone. So a row of 256 tokens holds what
separate sequences would need two or three times as many tokens for.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from tokenizers import Encoding, Tokenizer

from tooldec.training.asks import compact
from tooldec.training.documents import Document, Turn, document
from tooldec.training.team import ALONE, Team

Ints = npt.NDArray[np.int64]

CHUNK = 1024
"""Documents that are packed together; the position in the data is (chunk, batch)."""

WIDTHS = (256, 384, 512, 1024)

Look = tuple[int, int, int, int]
"""What is written there, a position, and where what is to be seen from it begins and ends."""
NAME, ARGUMENT, PARAMETER = 0, 1, 2
"""A name looks at its entry of the list; an argument at its words in the question, and at its parameter in the list."""
Rivals = tuple[int, tuple[int, ...]]
"""A position, and the tokens that could follow it in the name of another tool of the document."""

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
    rivals: Ints
    """Where a name goes on in several ways: the row, the position, and the tokens of the others, -1 behind: (n, k)."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """One document: tokens, targets, positions and turns, each as long as it; where to look, and the names' rivals."""

    tokens: list[int]
    targets: list[int]
    positions: list[int]
    turns: list[int]
    looks: list[Look]
    rivals: list[Rivals]


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
    names = [name.ids for name in tokenizer.encode_batch([tool.name for tool in document.tools])]
    looks: list[Look] = []
    rivals: list[Rivals] = []
    for number, turn in enumerate(document.turns, 1):
        asked = next(parts)
        new = list(asked.ids)
        goals = [-1] * len(new)
        seen: list[Look] = []
        others: list[Rivals] = []
        for piece in turn.pieces:
            part = next(parts)
            stop = tokenizer.encode(piece.instead).ids[0] if piece.instead else -1
            if piece.learned:
                offset = len(tokens) + len(new)
                for name, begin, end in _named(turn, part, piece.text):
                    seen += _entry(name, document.prefix, listed, range(offset + begin - 1, offset + end - 1))
                    others += _rivals(part.ids[begin : end + 1], names, offset + begin - 1)
                seen += _looks(turn, asked, part, piece.text, offset, len(tokens))
                seen += _filled(turn, asked, part, piece.text, document.prefix, listed, offset, len(tokens))
            new += part.ids
            goals += part.ids if piece.learned else [stop, *[-1] * (len(part.ids) - 1)]
        if len(tokens) + len(new) > longest:
            continue
        tokens += new
        targets += [*goals[1:], -1]
        positions += range(start, start + len(new))
        turns += [number] * len(new)
        looks += seen
        rivals += others
    return Encoded(tokens, targets, positions, turns, looks, rivals)


def _looks(turn: Turn, asked: Encoding, part: Encoding, text: str, offset: int, start: int) -> Iterator[Look]:
    """For each token of an argument that a piece writes: the place before it, and where the question says it.

    For the token behind an argument: what follows in the question.
    """
    at = 0
    for call in turn.ask.calls:
        for value in call.given.values():
            for said, source in _said(value, turn.prompt):
                written = text.find(said, at)
                if written < 0:
                    continue
                at = written + len(said)
                (begin, end), (first, last) = _span(part, written, said), _span(asked, source, said)
                same = part.ids[begin:end] == asked.ids[first:last]
                for step, place in enumerate(range(begin, end)):
                    to = (first + step, first + step + 1) if same else (first, last)
                    yield ARGUMENT, offset + place - 1, start + to[0], start + to[1]
                if same and end < len(part.ids):  # what stands behind the words tells that they end there
                    yield ARGUMENT, offset + end - 1, start + last, start + last + 1


def _said(value: Any, prompt: str) -> Iterator[tuple[str, int]]:
    """What a question says of a value, or of each value of a list, and where: only what stands in it once."""
    for said in map(str, value if isinstance(value, list) else (value,)):
        if not isinstance(value, bool) and said and prompt.count(said) == 1:
            yield said, prompt.find(said)


def _named(turn: Turn, part: Encoding, text: str) -> Iterator[tuple[str, int, int]]:
    """The names of tools that a piece writes, each with the tokens that it begins and ends with."""
    for call in turn.ask.calls:
        written = re.search(rf'(?:^|"name": "|Action: )({re.escape(call.tool.name)})(?=[("\n)])', text)
        if written is not None:
            yield call.tool.name, *_span(part, written.start(1), written[1])


def _find(name: str, prefix: str) -> re.Match[str] | None:
    """The entry of a tool in the list."""
    return re.search(rf"(?<![\w.-]){re.escape(name)}\(.*?\)", prefix)


def _filled(
    turn: Turn, asked: Encoding, part: Encoding, text: str, prefix: str, listed: Encoding, offset: int, start: int
) -> Iterator[Look]:
    """For each place before a token of an argument, copied or not: its parameter's name and type in the list.

    For the words of the question that say it, too: so that they know what they are said for.
    """
    at = 0
    for call in turn.ask.calls:
        entry = _find(call.tool.name, prefix)
        if entry is None:
            continue
        called = text.find(f"{call.tool.name}(", at)
        at = at if called < 0 else called + len(call.tool.name)
        stands = entry.start()
        for name, value in call.given.items():
            parameter = re.compile(rf"(?<=[( *]){re.escape(name)}(?=[:,) =])[^,)]*").search(prefix, stands, entry.end())
            spread = compact(value)[1:-1] if isinstance(value, list) else ""  # as a variadic parameter takes them
            literals = (f'"{name}": {json.dumps(value, ensure_ascii=False)}', compact(value), spread)
            forms = "|".join(re.escape(literal) for literal in literals if literal)
            written = re.compile(rf"(?:(?<=[(,{{ ])|^)(?:{forms})(?=[,)}}])").search(text, at)
            if parameter is None or written is None:
                continue
            stands, at = parameter.end(), written.end()
            first, last = _span(listed, parameter.start(), parameter[0])
            for place in range(*_span(part, written.start(), written[0])):
                yield PARAMETER, offset + place - 1, first, last
            for said, source in _said(value, turn.prompt):
                for place in range(*_span(asked, source, said)):
                    yield PARAMETER, start + place, first, last


def _entry(name: str, prefix: str, listed: Encoding, places: range) -> Iterator[Look]:
    """For each place before a token of a name: the entry of the tool in the list."""
    entry = _find(name, prefix)
    if entry is not None:
        first, last = _span(listed, entry.start(), entry[0])
        for place in places:
            yield NAME, place, first, last


def _rivals(written: list[int], names: list[list[int]], before: int) -> Iterator[Rivals]:
    """Where other names could still be meant: the place, and their next tokens; `written` has the token behind it."""
    for step, token in enumerate(written):
        names = [name for name in names if len(name) > step and name[:step] == written[:step]]
        others = {name[step] for name in names} - {token}
        if others:
            yield before + step, tuple(sorted(others))


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
    drawn = [part for index in range(first, first + CHUNK) for part in _parts(source(seed, index))]
    encoded = [encode(tokenizer, part) for part in drawn]
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


def _parts(document: Document) -> list[Document]:
    """Turns that share no list are documents of their own: short ones fill the rows."""
    return [document] if document.prefix else [replace(document, turns=(turn,)) for turn in document.turns]


def lay_out(rows: list[list[Encoded]], width: int) -> Batch:
    """Rows of documents as the arrays of a batch."""
    shape = (len(rows), width)
    tokens, targets = np.zeros(shape, np.int64), np.full(shape, -1, np.int64)
    positions, owners, turns = np.zeros(shape, np.int64), np.full(shape, -1, np.int64), np.zeros(shape, np.int64)
    looks: list[tuple[int, ...]] = []
    rivals: list[tuple[int, ...]] = []
    for r, row in enumerate(rows):
        at = 0
        for number, item in enumerate(row):
            end = at + len(item.tokens)
            tokens[r, at:end], targets[r, at:end] = item.tokens, item.targets
            positions[r, at:end], turns[r, at:end], owners[r, at:end] = item.positions, item.turns, number
            looks += [(r, head, at + place, at + first, at + last) for head, place, first, last in item.looks]
            rivals += [(r, at + place, *others) for place, others in item.rivals]
            at = end
    return Batch(tokens, targets, positions, owners, turns, _table(looks, 5), _table(rivals, 3))


def _table(rows: list[tuple[int, ...]], width: int) -> Ints:
    """Rows of several lengths as an array, at least so wide, filled with -1."""
    table = np.full((len(rows), max([width, *map(len, rows)])), -1, np.int64)
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
) -> Iterator[tuple[int, int, Batch]]:
    """Batches without end from a position on, each with the position that follows it.

    Each member of a team draws chunks of its own, and as many batches of each as the one with the fewest.
    """
    while True:
        found = chunk_batches(tokenizer, seed, chunk * team.size + team.rank, batch_tokens, source)
        for number in range(batch, team.least(len(found))):
            yield chunk, number + 1, found[number]
        chunk, batch = chunk + 1, 0
