"""{"ask": "file", "format": "dot"}: the machine as a file that other programs read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tooldec.errors import UsageError
from tooldec.page.prepared import Message, Prepared
from tooldec.page.request import Request, field_of
from tooldec.views.export import WRITERS

TEXTS = tuple(ending.removeprefix(".") for ending in WRITERS if ending != ".png")
"""The formats that are text; a page has no use for others."""


def answer(data: Mapping[str, Any]) -> Message:
    """The file's name and text; what the tools add to older ones is marked in it."""
    request = Request.read(data)
    form = field_of(data, "format", "json")
    if form not in TEXTS:
        raise UsageError(f"no file is written as `{form[:20]}`", fix=f"use {' or '.join(TEXTS)}")
    outline, found = Prepared.of(request).outline(request)
    written = WRITERS[f".{form}"](outline, found.new if found else (), found)
    return {"kind": "file", "name": f"machine.{form}", "text": written.decode("utf-8")}
