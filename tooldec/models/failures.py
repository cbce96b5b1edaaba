"""What goes wrong inside of transformers, told in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tooldec.errors import ModelError, ToolDecError
from tooldec.models import hub


@contextmanager
def told(what: str, fix: str) -> Iterator[None]:
    """Whatever goes wrong inside is told in one line."""
    try:
        yield
    except ToolDecError:
        raise
    except Exception as error:
        short = isinstance(error, MemoryError) or "out of memory" in str(error)
        reason = "there is too little memory" if short else hub.first_line(error)
        raise ModelError(f"{what}: {reason}", fix="choose a smaller model" if short else fix) from error
