"""Plain values that know where they stand in the text, whatever its notation: Python, JavaScript, YAML."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any


class Object(dict[str, Any]):
    """An object, and the offset of each key's value."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[str, int] = {}

    def add(self, key: str, value: Any, place: int) -> None:
        self[key], self.places[key] = value, place


class List(list[Any]):
    """A list, and the offset of each of its values."""

    def __init__(self, values: Iterable[tuple[Any, int]] = ()) -> None:
        pairs = list(values)
        super().__init__(value for value, _ in pairs)
        self.places = [place for _, place in pairs]


class Written:
    """A value as JSON, and where each part of that JSON comes from.

    >>> value = List([("a", 7), (["b"], 12)])
    >>> written = Written(value, start=5)
    >>> written.text, written.origin(0), written.origin(1), written.origin(7), written.origin(8)
    ('["a", ["b"]]', 5, 7, 12, 12)
    """

    def __init__(self, value: Any, start: int = 0) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._write(value, start)
        self.text = "".join(self._parts)

    def origin(self, offset: int) -> int:
        """The offset, in the text that was read, of the innermost value that has begun at an offset of the JSON."""
        return self._origins[bisect_right(self._starts, offset) - 1]

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _write(self, value: Any, at: int) -> None:
        self._starts.append(self._length)
        self._origins.append(at)
        if isinstance(value, Object):
            before = "{"
            for key, inner in value.items():
                place = value.places[key]
                self._starts.append(self._length + len(before))
                self._origins.append(place)
                self._put(before + _json(key) + ": ")
                self._write(inner, place)
                before = ", "
            self._put("}" if value else "{}")
        elif isinstance(value, List):
            for index, (inner, place) in enumerate(zip(value, value.places, strict=True)):
                self._put(", " if index else "[")
                self._write(inner, place)
            self._put("]" if value else "[]")
        else:
            self._put(_json(value))


def _json(value: Any) -> str:
    """A value as JSON; half a character (a lone surrogate) as its escape, which is found there."""
    written = json.dumps(value, ensure_ascii=False)
    try:
        written.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return written
