"""{"ask": "keep"}: a long text comes once, in parts; requests after it only name it.

{"ask": "keep", "id": "a1", "at": 0, "text": "def add("}, {"ask": "keep", "id": "a1", "at": 1, "text": "a: int)"}
{"ask": "check", "tools_kept": "a1", "parts": 2}   →   {"ask": "check", "tools": "def add(a: int)"}
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from tooldec.errors import UsageError
from tooldec.prepared import Message
from tooldec.request import field_of
from tooldec.signatures.source import MAX_CHARACTERS

KEPT = 64_000_000
"""Characters of all texts together; beyond them those that were asked for longest ago go."""

_texts: OrderedDict[str, list[str]] = OrderedDict()
_lock = threading.Lock()


def answer(data: Mapping[str, Any]) -> Message:
    """Keep a part of a text; `at` counts the parts."""
    name, at, text = field_of(data, "id", ""), field_of(data, "at", 0), field_of(data, "text", "")
    with _lock:
        parts = _texts.setdefault(name, [])
        del parts[max(at, 0) :]
        parts.append(text)
        if sum(map(len, parts)) > 2 * MAX_CHARACTERS:
            del _texts[name]
            raise UsageError("the text is too long", fix=f"paste at most {MAX_CHARACTERS:,} characters")
        _texts.move_to_end(name)
        while len(_texts) > 1 and sum(len(part) for parts in _texts.values() for part in parts) > KEPT:
            _texts.popitem(last=False)
    return {"kind": "kept", "parts": at + 1}


def whole(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The request with its text; None where the text isn't kept any more, and has to come again."""
    name = field_of(data, "tools_kept", "")
    if not name:
        return data
    with _lock:
        parts = _texts.get(name)
        if parts is None or len(parts) != field_of(data, "parts", 0):
            return None
        _texts.move_to_end(name)
        if len(parts) > 1:  # joined once
            text = "".join(parts)
            parts[:] = [text, *[""] * (len(parts) - 1)]
        return {**data, "tools": parts[0]}
