"""The tokens by which a string goes on as another one does: each character as it is, or in one of its escapes.

`"app` once more where "apple" is there already:  `le`  `l`  `\\u006c`  `le",`  …
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache

from tooldec.trie import Trie

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SHORT = {'"': b'"', "\\": b"\\", "/": b"/", "\b": b"b", "\f": b"f", "\n": b"n", "\r": b"r", "\t": b"t"}
_Way = tuple[bytes, ...]
"""Which bytes may stand in each place."""


def begun(text: bytes) -> tuple[str, bytes]:
    """The characters of the string that a JSON text breaks off in, and the bytes of one that isn't whole yet.

    >>> begun(rb'{"a": "b\\u00')
    ('b', b'\\\\u00')
    """
    whole = [found.end() for found in _STRING.finditer(text)]
    start = text.index(b'"', whole[-1] if whole else 0)
    for end in range(len(text), start, -1):
        try:
            found: str = json.loads(text[start:end] + b'"')
        except ValueError:
            continue
        if "\ud800" <= found[-1:] <= "\udbff":  # half of a character that is written as two escapes
            return found[:-1], text[end - 6 :]
        return found, text[end:]
    return "", b""


def along(trie: Trie, strings: Iterable[str], pending: bytes = b"") -> set[int]:
    """The tokens that begin one of these strings, and those that have all of it and its closing quote.

    `pending` has been written of the first character.
    """
    found: set[int] = set()
    for string in strings:
        nodes, before = [0], pending
        for character in string:
            rests = [way[len(before) :] for way in _ways(character) if _begins(way, before)]
            nodes = [node for rest in rests for node in _follow(trie, nodes, rest, found)]
            before = b""
        for node in [] if before else _follow(trie, nodes, (b'"',), found):
            found.update(token for _, token in trie.below(node))
    return found


def _begins(way: _Way, before: bytes) -> bool:
    return len(before) < len(way) and all(byte in row for byte, row in zip(before, way, strict=False))


def _follow(trie: Trie, nodes: list[int], way: _Way, found: set[int]) -> list[int]:
    for row in way:
        nodes = [child for node in nodes for byte in row if (child := trie.child(node, byte)) >= 0]
        found.update(token for node in nodes for token in trie.ids_at(node))
    return nodes


@lru_cache(maxsize=4096)
def _ways(character: str) -> list[_Way]:
    """How a character may be written inside of a string."""
    units = character.encode("utf-16-be", "surrogatepass")
    escaped = "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
    found = [tuple(bytes({ord(one), ord(one.upper() if one != "u" else one)}) for one in escaped)]
    if short := _SHORT.get(character):
        found.append((b"\\", short))
    if not "\ud800" <= character <= "\udfff":
        found.append(tuple(bytes((byte,)) for byte in character.encode()))
    return found
