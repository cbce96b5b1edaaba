"""Texts that commands read: a file, or standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tooldec.errors import SignatureError, ToolDecError, UsageError


def read(file: str) -> str:
    """A file as UTF-8 text; `-` is standard input. Raises UsageError, or SignatureError for another encoding."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"can't read `{file}`: {reason}", fix="give a file with signatures, or - ") from None
    with in_file(file):
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise SignatureError("this is no UTF-8 text", line=line, fix="save the file as UTF-8") from None


def check_writable(file: str | Path) -> None:
    """Raises UsageError where a file can't be written, before anybody works for it."""
    path = Path(file)
    at = path if path.exists() else path.parent
    faults = (
        (path.is_dir(), "it is a folder"),
        (not at.exists(), "there is no such folder"),
        (not os.access(at, os.W_OK), "permission denied"),
    )
    for holds, reason in faults:
        if holds:
            raise unwritable(path, reason)


def unwritable(file: str | Path, reason: str | None) -> UsageError:
    """The error for a file that can't be written."""
    return UsageError(f"can't write `{file}`: {reason}", fix="give a file that can be written")


def named(file: str) -> str:
    """What messages call a file."""
    return "standard input" if file == "-" else file


@contextmanager
def in_file(file: str) -> Iterator[None]:
    """Errors about the tools are told with the file that they stand in."""
    try:
        yield
    except ToolDecError as error:
        error.add_note(named(file))
        raise
