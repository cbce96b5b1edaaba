"""One word for an answer: valid, wrong but valid, no call, or the class of its first error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from tooldec.errors import CallError
from tooldec.reading.other_forms import other_form
from tooldec.tools import Tool, ToolCall

CLASSES: Mapping[str, str] = MappingProxyType(
    {
        "name": "name",
        "type": "argument",
        "count": "argument",
        "unknown": "argument",
        "missing": "argument",
        "format": "format",
        "end_token": "format",
        "illegal_symbol": "illegal symbol",
        "cut_off": "cut off",
    }
)
"""A CallError's kind → the class of the paper (Figures 4, 7 and 8)."""

SYNTAX = ("name", "argument", "format", "illegal symbol", "cut off")
"""The classes that count as tool errors."""


class CallReader(Protocol):
    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an answer's calls.

    word    "valid", "wrong" (valid, but not the calls that were wanted), "none" (no call), or one of SYNTAX
    calls   those of a valid answer
    error   the first error, with its kind, place and fix
    stray   the error is a call in another form than the scheme's: to the scheme's machine that is text
    """

    word: str
    calls: tuple[ToolCall, ...] = ()
    error: CallError | None = None
    stray: bool = False


def judge(
    text: str,
    scheme: CallReader,
    tools: Sequence[Tool],
    wanted: Sequence[tuple[str, Mapping[str, Any]] | str] | None = None,
) -> Verdict:
    """Judge a finished text by a scheme's reader; where that finds no call, one of another form is a format error.

    wanted  the calls that answer the question, or only their names, in order; for "wrong but valid"
    """
    try:
        calls = scheme.read_calls(text, tools)
    except CallError as error:
        return Verdict(CLASSES[error.kind], (), error)
    if not calls:
        other = other_form(text, tools)
        return Verdict("none") if other is None else Verdict(CLASSES[other.kind], (), other, stray=True)
    if wanted is None or _same(calls, wanted):
        return Verdict("valid", calls)
    return Verdict("wrong", calls)


def _same(calls: Sequence[ToolCall], wanted: Sequence[tuple[str, Mapping[str, Any]] | str]) -> bool:
    return len(calls) == len(wanted) and all(map(_is, calls, wanted))


def _is(call: ToolCall, one: tuple[str, Mapping[str, Any]] | str) -> bool:
    return call.name == one if isinstance(one, str) else (call.name, call.arguments) == (one[0], dict(one[1]))
