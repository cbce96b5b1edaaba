"""Calls whose arguments are a JSON object in a frame of a family's own: a row of text for each family.

    marker   opening                 before NAME between {…} after   more   before NAME … after   closing

Objects that hold their name stand in a list behind the marker (Mistral, Granite, Command); in other families the name
stands outside (DeepSeek, Kimi). Spaces and line ends are read as people write them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tooldec.reading.faults import Spot, by_key, skip, tool_of
from tooldec.reading.objects import called, object_at
from tooldec.tools import Tool, ToolCall

PIECE = re.compile(r"<[|｜][^|｜<>]+[|｜]>|\[[A-Z]+(?:_[A-Z]+)*\]|<\|?/?[a-z_:]+\|?>|｜DSML｜|\{(?:\d+| )\}")
"""What isn't to be read letter by letter: a special token; `{9}`, an id of so many letters; `{0}`, a number; `{ }`."""

LONGEST = 200
"""A name that hasn't ended after so many letters is none."""


@dataclass(frozen=True, slots=True)
class Frame:
    """How a family writes its calls.

    marker    with what they begin
    opening   what follows it once
    before    what stands before a name,
    between   between a name and the arguments,
    after     and behind the arguments
    more      what stands between two calls that go together; None where each has a marker of its own
    closing   what ends them
    keys      where a call is an object: under which keys its name and its arguments stand
    result    what a host writes before a result and behind it
    """

    marker: str
    opening: str = ""
    before: str = ""
    between: str = ""
    after: str = ""
    more: str | None = ""
    closing: str = ""
    keys: tuple[str, str] | None = None
    result: tuple[str, str] = ("\n", "\n")


def cut(text: str) -> list[str]:
    """A piece of a frame, cut at what isn't read letter by letter.

    >>> cut(":{0}<|begin|>x")
    [':', '{0}', '<|begin|>', 'x']
    """
    return [part for part in re.split(f"({PIECE.pattern})", text) if part]


def framed_calls(text: str, tools: Sequence[Tool], frame: Frame) -> tuple[ToolCall, ...]:
    """The calls of a text. Raises CallError naming the first that isn't valid, and why."""
    by_name = {tool.name: tool for tool in tools}
    calls: list[ToolCall] = []
    at = text.find(frame.marker)
    while at >= 0:
        spot = Spot(text, at)
        begin: int | None = behind(frame.opening, spot, at + len(frame.marker))
        while begin is not None:
            begin = skip(text, begin)
            calls.append(_call(frame, Spot(text, begin) if begin < len(text) else spot, begin, by_name))
            at = calls[-1].end
            begin = _next(frame, text, at)
        at = text.find(frame.marker, behind(frame.closing, spot, at))
    return tuple(calls)


def _next(frame: Frame, text: str, at: int) -> int | None:
    """Where another call of the same block begins, if one does."""
    if frame.more is None or not (frame.more.strip() or _pattern(frame.more + frame.before).match(text, at)):
        return None
    found = _pattern(frame.more).match(text, at)
    return None if found is None else found.end()


def _call(frame: Frame, spot: Spot, at: int, tools: Mapping[str, Tool]) -> ToolCall:
    """One call, up to the end of what follows its arguments."""
    text = spot.text
    if frame.keys is not None:
        if at < len(text) and text[at] != "{":
            raise spot.error(f"expected `{{`, not {text[at]!r}", "format", at + 1)
        data, end = object_at(spot, at)
        return called(spot, data, at, end, frame.keys, tools)
    at = behind(frame.before, spot, at)
    found = _pattern(frame.between, inner=True).search(text, at)
    if found is None:
        if re.fullmatch(rf"[^\n<\[{{]{{0,{LONGEST}}}(?:{_begun(frame.between)})", text[at:]):
            raise spot.cut_off("inside the name of a call")
        raise spot.error(f"behind the name comes `{frame.between.strip()}`", "format", len(text))
    name = text[at : found.start()].strip()
    spot = spot.named(at, at + len(name))
    arguments, end = object_at(spot, skip(text, found.end()))
    return by_key(spot, tool_of(spot, name, tools, end), arguments, behind(frame.after, spot, end))


def behind(piece: str, spot: Spot, at: int) -> int:
    """The place behind a piece that has to stand here."""
    found = _pattern(piece).match(spot.text, at)
    if found is not None:
        return found.end()
    if re.compile(_begun(piece)).fullmatch(spot.text, at):
        raise spot.cut_off(f"before `{piece.strip()}`")
    at = skip(spot.text, at)
    raise spot.error(
        f"expected `{piece.strip()}`, not {spot.text[at : at + 1]!r}", "format", at + 1, fault=(at, at + 1)
    )


def stands(piece: str, text: str, at: int) -> bool:
    """Whether a piece stands at a place."""
    return _pattern(piece).match(text, at) is not None


def _units(piece: str) -> list[str]:
    """Patterns, one for each thing that a piece is read by."""
    units: list[str] = []
    for part in cut(piece):
        if not PIECE.fullmatch(part):
            units += [rf"\s*{re.escape(letter)}" for letter in part if not letter.isspace()]
        elif part[0] != "{":
            units += [rf"\s*{re.escape(part[0])}", *map(re.escape, part[1:])]
        elif part != "{ }":
            units.append(r"\s*\d+" if part == "{0}" else rf"\s*\w{{{part[1:-1]}}}")
    return units


@lru_cache(maxsize=256)
def _pattern(piece: str, inner: bool = False) -> re.Pattern[str]:
    """A piece with any space in it and before it; `inner` has none before it, which a search would read many times."""
    pattern = "".join(_units(piece))
    return re.compile(pattern.removeprefix(r"\s*") if inner else pattern)


def _begun(piece: str) -> str:
    """A pattern of what may be the beginning of a piece: nothing, or the piece up to somewhere, within a character."""
    pattern = ""
    for unit in reversed(_units(piece)):
        pattern = f"(?:{unit}{pattern})?"
    return pattern + r"\s*\ufffd?"
