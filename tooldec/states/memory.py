"""What a cell remembers of the values before it: the items of a list that must differ (`uniqueItems`), or names.

No finite number of states tells apart all the texts that a list may hold. But a run writes one list, and so its state
may hold what has been written: the values of the items so far, and the text of the present one. The rest of the
machine is that of the same list without the promise; a memory only takes ways away from it.

    ["a", "b            used "a"; text `"b`
    ["a", "a            used "a"; text `"a`: the quote that would end this item is blocked
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from tooldec.grammar import Grammar, Wrapper

QUOTE, BACKSLASH, COMMA = b'"\\,'
SPACES, OPENING, CLOSING = b" \t\n\r", b"[{", b"]}"

LATEST = 64
"""So many values are kept apart from the others before they join them."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_NOT_JSON = re.compile(rb'("(?:[^"\\]|\\.)*")|(?<![eE])\+|True|False|None', re.DOTALL)
_WORDS = {b"True": b"true", b"False": b"false", b"None": b"null"}


@dataclass(frozen=True, slots=True, eq=False)
class Mark(Grammar):
    """Nothing; a place in a grammar by which frames behind it are known."""


@dataclass(frozen=True, slots=True, eq=False)
class Unique(Wrapper):
    """A list in brackets whose items must all differ; in `body` each item is followed by `end`.

    names   it is an object, and its names must differ; `end` follows those that aren't declared
    """

    body: Grammar
    end: Mark
    names: bool = False


class Used:
    """A set of values that grows by one at a time: each of a long list's states has its own, and most of it is shared.

    >>> some = Used().plus("1").plus("2")
    >>> "1" in some, "3" in some, len(some), some == Used().plus("2").plus("1")
    (True, False, 2, True)
    """

    __slots__ = ("_hash", "_latest", "_older")

    def __init__(self, older: frozenset[str] = frozenset(), latest: tuple[str, ...] = (), hashed: int = 0) -> None:
        self._older, self._latest, self._hash = older, latest, hashed

    def plus(self, value: str) -> Used:
        """These and one more, which isn't among them."""
        older, latest = self._older, (*self._latest, value)
        if len(latest) > LATEST:
            older, latest = older.union(latest), ()
        return Used(older, latest, self._hash ^ hash(value))

    @property
    def latest(self) -> tuple[str, ...]:
        """Those that came last, as JSON."""
        return tuple(map(_plainly, self._latest))

    def __contains__(self, value: str) -> bool:
        return value in self._latest or value in self._older

    def __len__(self) -> int:
        return len(self._older) + len(self._latest)

    def __iter__(self) -> Iterator[str]:
        return chain(self._older, self._latest)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Used) or self._hash != other._hash or len(self) != len(other):
            return False
        return self is other or all(value in self for value in other)


NONE = Used()


@dataclass(frozen=True, slots=True)
class Memory:
    """What has been written of a list, or of an object.

    used    the values of the items before, or the names, in canonical form
    text    the present item without the spaces around its parts; empty between items
    depth   how many brackets are open, the list's among them
    quoted  0 outside of a string, 1 in one, 2 behind a backslash
    idle    in the value behind a name, which doesn't matter
    """

    term: Unique
    used: Used = NONE
    text: bytes = b""
    depth: int = 0
    quoted: int = 0
    idle: bool = False

    def read(self, byte: int) -> Memory | None:
        """The memory after a byte, None where an item is there already; behind the list its depth is 0."""
        depth, quoted = within(self.depth, self.quoted, byte)
        if not self.quoted:
            if byte in SPACES:
                return self
            if self.depth == 1 and self.text and byte in (b":" if self.term.names else b",]"):
                value = value_of(self.text)
                after = Memory(self.term, self.used.plus(value), b"", depth, idle=self.term.names)
                return None if value in self.used else after
            if not self.depth or not depth or (self.idle and depth == 1 and byte == COMMA):
                return Memory(self.term, self.used, b"", depth)
        return Memory(self.term, self.used, b"" if self.idle else self.text + bytes((byte,)), depth, quoted, self.idle)

    @property
    def is_near(self) -> bool:
        """Whether the present item may become one of those before it."""
        whole = self.text.startswith(b'"') and not self.quoted
        return value_of(self.text) in self.used if whole else bool(self.used) and not self.idle

    @property
    def strings(self) -> frozenset[str]:
        """All strings in the items before, keys among them."""
        return frozenset().union(*map(_strings_in, self.used))


def within(depth: int, quoted: int, byte: int) -> tuple[int, int]:
    """How many brackets are open after a byte, and whether it lies in a string: 0, 1, or 2 behind a backslash."""
    if quoted:
        return depth, 1 if quoted == 2 else 0 if byte == QUOTE else 2 if byte == BACKSLASH else 1
    return depth + (byte in OPENING) - (byte in CLOSING), int(byte == QUOTE)


def read(memory: tuple[Memory, ...], symbol: int | str) -> tuple[Memory, ...] | None:
    """Memories after a symbol, the outermost first, without those of lists that end; None where one bars it."""
    after: list[Memory] = []
    for one in memory if isinstance(symbol, int) else ():
        found = one.read(symbol)  # type: ignore[arg-type]  # an int, as asked for
        if found is None:
            return None
        if found.depth:
            after.append(found)
    return tuple(after)


@lru_cache(maxsize=4096)
def value_of(text: bytes) -> str:
    """The value of a JSON text in canonical form; numbers may begin with +, and words may be Python's.

    >>> value_of(b'[+1, "+", None]'), value_of(b"1.0") == value_of(b"1")
    ('[1, "+", null]', True)
    """
    try:
        return canonical(json.loads(_NOT_JSON.sub(lambda found: found[1] or _WORDS.get(found[0], b""), text)))
    except ValueError:  # an integer of more digits than Python reads
        return text.decode("utf-8", "surrogateescape")


def _plainly(value: str) -> str:
    """A value in canonical form with its characters as they are."""
    try:
        return json.dumps(json.loads(value), ensure_ascii=False)
    except ValueError:  # see `value_of`
        return value


@lru_cache(maxsize=4096)
def _strings_in(value: str) -> frozenset[str]:
    """The strings in a value that is given in canonical form, keys among them.

    >>> sorted(_strings_in('{"a": ["b", 1]}'))
    ['a', 'b']
    """
    return frozenset(json.loads(found[0]) for found in _STRING.finditer(value))


def canonical(value: object) -> str:
    """A text that is the same for equal JSON values, and only for those."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
