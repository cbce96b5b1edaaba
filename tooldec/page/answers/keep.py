"""{"ask": "keep"}: a long text comes once, in parts; requests after it only name it.

{"ask": "keep", "id": "a1", "at": 0, "text": "def add("}, {"ask": "keep", "id": "a1", "at": 1, "text": "a: int)"}
{"ask": "check", "tools_kept": "a1", "parts": 2}   →   {"ask": "check", "tools": "def add(a: int)"}
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tooldec.errors import UsageError
from tooldec.page.prepared import Message
from tooldec.page.request import field_of
from tooldec.signatures.source import MAX_CHARACTERS

KEPT = 64_000_000
"""Characters of all texts together; beyond them those that were asked for longest ago go."""

MOST = 1_000
"""How many texts are kept, however short."""

LONGEST_ID = 100
"""Characters of a text's name."""


@dataclass(slots=True)
class _Text:
    """A text of which so many parts have come, and how long it is; joined where it has been asked for."""

    pieces: list[str] = field(default_factory=list)
    parts: int = 0
    length: int = 0

    def add(self, part: str) -> None:
        self.parts += 1
        self.length += len(part)
        if part:
            self.pieces.append(part)

    def joined(self) -> str:
        self.pieces = ["".join(self.pieces)]
        return self.pieces[0]


_texts: OrderedDict[str, _Text] = OrderedDict()
_lock = threading.Lock()


def answer(data: Mapping[str, Any]) -> Message:
    """Keep a part of a text; `at` counts the parts, and the first one begins the text anew.

    Raises:
        UsageError: the name or the text is too long, or a part doesn't follow those that are there.
    """
    name, at, part = field_of(data, "id", ""), field_of(data, "at", 0), field_of(data, "text", "")
    if not 0 < len(name) <= LONGEST_ID:
        raise UsageError(f"`id` has {len(name):,} characters", fix=f"use 1 to {LONGEST_ID}")
    with _lock:
        text = _Text() if at == 0 else _texts.get(name, _Text())
        if at != text.parts:
            raise UsageError(f"part {at} can't follow {text.parts} parts", fix="send the parts one by one, from 0 on")
        if text.length + len(part) > 2 * MAX_CHARACTERS:
            _texts.pop(name, None)
            raise UsageError("the text is too long", fix=f"paste at most {MAX_CHARACTERS:,} characters")
        text.add(part)
        _texts[name] = text
        _texts.move_to_end(name)
        while len(_texts) > MOST or (len(_texts) > 1 and sum(one.length for one in _texts.values()) > KEPT):
            _texts.popitem(last=False)
    return {"kind": "kept", "parts": text.parts}


def whole(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The request with its text; None where the text isn't kept any more, and has to come again."""
    name = field_of(data, "tools_kept", "")
    if not name:
        return data
    with _lock:
        text = _texts.get(name)
        if text is None or text.parts != field_of(data, "parts", 0):
            return None
        _texts.move_to_end(name)
        return {**data, "tools": text.joined()}
