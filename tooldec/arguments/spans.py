"""Strings that somebody has said: spans of some texts, between borders of words, as one automaton of substrings.

    "Fly from New York to Rome"   ->   "New York", "Rome", "from New", ""   but not "York to R", "Paris"

A state is the set of places in the texts at which what has been read so far may stand, as in a suffix automaton, and
how many characters these are, as far as bounds on the length ask for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from unicodedata import category

from tooldec.grammar import NOTHING, Submachine
from tooldec.submachine import Table

CODE = 5
"""A string of at most so many characters is a code (`FR`, `EUR`, `en-US`): nobody says it as it is written."""

MOST_STATES = 60_000
MOST_PLACES = 2_000_000
"""How large an automaton may become: 60 MB, and two seconds. 20,000 characters of prose have about 30,000 states."""

Key = tuple[tuple[int, ...], int]
"""A state: the places in the texts, ascending, and the characters read, as far as the bounds ask for them."""

_OPENING, _CLOSED, _FIRST = 0, 1, 2
_QUOTE = ord('"')


@lru_cache(maxsize=32)
def spans(texts: tuple[str, ...], low: int = 0, high: int | None = None) -> Submachine | None:
    """JSON strings of `low` to `high` characters that are spans of the texts; None where there are none.

    A span begins and ends at borders of words, with no white space there; the empty string is one, too. White space
    within may also be written as a single space. Characters are written raw where JSON lets them.
    Raises OverflowError where the texts are too long, or repeat themselves too often.
    """
    laid_out = _LaidOut(texts)
    rows = _rows(laid_out, low, None if high is None or high >= len(laid_out.begins) else high)
    if not rows[_FIRST]:
        return None
    return Submachine("SpanFSM", NOTHING, Table.build("SpanFSM", rows, [at == _CLOSED for at in range(len(rows))]))


class _LaidOut:
    """All texts as JSON writes them, one behind the other.

    begins          where a character begins
    starts, ends    where a span may begin and end
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.begins, self.starts, self.ends = set[int](), list[int](), set[int]()
        spelled = bytearray()
        for text in _once(texts):
            borders = set(_borders(text))
            for at, character in enumerate(text):
                said = not character.isspace()
                if said and at in borders:
                    self.starts.append(len(spelled))
                self.begins.add(len(spelled))
                spelled += json.dumps(character, ensure_ascii=False)[1:-1].encode()
                if said and at + 1 in borders:
                    self.ends.add(len(spelled))
            spelled += b"\0"  # no byte of JSON: nothing reads on from one text to the next
        self.spelled = bytes(spelled)


def _once(texts: Sequence[str]) -> dict[str, None]:
    """The texts as they are, and with single spaces; halves of surrogate pairs divide them."""
    pieces = (piece for text in texts for piece in re.split("[\ud800-\udfff]+", text))
    return dict.fromkeys(one for piece in pieces for one in (piece, " ".join(piece.split())))


def _borders(text: str) -> Iterator[int]:
    """Where a word or a number may begin or end; in scripts that put no spaces between words, at every letter."""
    yield 0
    for at, (before, after) in enumerate(pairwise(text), 1):
        accent = category(after)[0] == "M"  # or a vowel sign: part of the letter before it
        if not accent and (_kind(before) is None or _kind(before) != _kind(after)):
            yield at
    yield len(text)


def _kind(character: str) -> str | None:
    """What characters without a border between them share: in `5km` is `km`, and in `C1` is `1`, but no `k`."""
    kind = category(character)
    return None if kind == "Lo" else {"L": "letter", "M": "letter", "N": "digit"}.get(kind[0])


def _rows(texts: _LaidOut, low: int, high: int | None) -> list[dict[int, int]]:
    """The automaton: what each state reads. Only what leads to the end is left."""
    first: Key = (tuple(texts.starts), 0)
    number, order, rows, work = {first: _FIRST}, [first], [{_QUOTE: _FIRST}, {}], 0
    for key in order:  # grows while it is read
        row: dict[int, int] = {}
        for byte, after in _read(key, texts, low, high):
            if after not in number:
                number[after] = len(order) + _FIRST
                order.append(after)
            row[byte] = number[after]
        closes = key[1] >= low and (key is first or not texts.ends.isdisjoint(key[0]))
        rows.append({_QUOTE: _CLOSED, **row} if closes else row)
        work += len(key[0])
        if work > MOST_PLACES or len(order) > MOST_STATES:
            raise OverflowError("the spans of these texts are too many")
    return _live(rows, order)


def _read(key: Key, texts: _LaidOut, low: int, high: int | None) -> Iterator[tuple[int, Key]]:
    """What can be read, and what state that leads to."""
    places, count = key
    by_byte: dict[int, list[int]] = {}
    for place in places:
        by_byte.setdefault(texts.spelled[place], []).append(place + 1)
    by_byte.pop(0, None)
    for byte, after in by_byte.items():
        counted = count + (after[0] - 1 in texts.begins)
        if high is None or counted <= high:
            yield byte, (tuple(after), min(counted, low) if high is None else counted)


def _live(rows: list[dict[int, int]], order: Sequence[Key]) -> list[dict[int, int]]:
    """The states from which the end can be reached, numbered anew; the first three stay."""
    alive = {_CLOSED}
    for state in sorted(range(_FIRST, len(rows)), key=lambda state: order[state - _FIRST][0][:1], reverse=True):
        if any(after in alive for after in rows[state].values()):  # the first place grows with each byte
            alive.add(state)
    kept = sorted({_OPENING, _CLOSED, _FIRST} | alive)
    number = {state: at for at, state in enumerate(kept)}
    return [{byte: number[to] for byte, to in rows[state].items() if to in number} for state in kept]
