"""Where some heads are taught to look while a call is written, and which other names could still be meant.

A name looks at its entry in the list of tools, an argument at its words in the question and at its parameter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tokenizers import Encoding

from tooldec.training.documents.asks import Call, compact, occurrences, spaced
from tooldec.training.documents.mixture import Turn

Look = tuple[int, int, int, int]
"""What is written there, a position, and where what is to be seen from it begins and ends."""
NAME, ARGUMENT, PARAMETER = 0, 1, 2
"""A name looks at its entry of the list; an argument at its words in the question, and at its parameter in the list."""
Value = tuple[int, int, tuple[str, ...]]
"""The tokens that a value of a call begins and ends with, and what else may stand there: the choices of an enum."""
Written = tuple[int, int]
"""Where something stands in a text: its beginning and its end."""
Rivals = tuple[int, tuple[int, ...]]
"""A position, and the tokens that could follow it there under the machine of the document's tools."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What stands before the pieces of a turn: the list of tools, from token 0 on, and the question."""

    turn: Turn
    prefix: str
    listed: Encoding
    asked: Encoding
    start: int
    """The token with which the question begins."""

    def looks(self, part: Encoding, text: str, offset: int) -> Iterator[Look]:
        """All looks from a piece that is learned; its tokens begin at `offset`."""
        for name, begin, end in self.names(part, text):
            yield from self._entry(name, range(offset + begin - 1, offset + end - 1))
        yield from self._copied(part, text, offset)
        yield from self._filled(part, text, offset)

    def names(self, part: Encoding, text: str) -> Iterator[tuple[str, int, int]]:
        """The names of tools that a piece writes, each with the tokens that it begins and ends with."""
        for call in self.turn.ask.calls:
            name = call.tool.name
            for begin in occurrences(name, text):
                if text.startswith(("(", '"', "\n", ")"), begin + len(name)) and (
                    not begin or text.endswith(('"name": "', "Action: "), 0, begin)
                ):
                    yield name, *_span(part, begin, len(name))
                    break

    def values(self, part: Encoding, text: str) -> Iterator[list[Value]]:
        """For each call that a piece writes: its arguments' values, without quotes; lists are left out."""
        for call, arguments in self._arguments(text):
            schemas: Mapping[str, Any] = call.tool.parameters.get("properties", {})
            found: list[Value] = []
            for name, value, written in arguments:
                bare = _bare(value)
                if bare and not isinstance(value, list):
                    begin, end = _span(part, written[1] - len(bare) - isinstance(value, str), len(bare))
                    others = (True, False) if isinstance(value, bool) else schemas[name].get("enum", ())
                    found.append((begin, end, tuple(map(_bare, others))))
            yield found

    def _arguments(self, text: str) -> Iterator[tuple[Call, list[tuple[str, Any, Written]]]]:
        """Each call of the turn, and those of its arguments that a piece writes: name, value, and where it stands."""
        at = 0
        for call in self.turn.ask.calls:
            called = text.find(f"{call.tool.name}(", at)
            at = at if called < 0 else called + len(call.tool.name)
            found = []
            for name, value in call.given.items():
                written = _literal(name, value, text, at)
                if written is not None:
                    at = written[1]
                    found.append((name, value, written))
            yield call, found

    def _entry(self, name: str, places: range) -> Iterator[Look]:
        """For each place before a token of a name: the entry of the tool in the list."""
        entry = self._find(name)
        if entry is not None:
            first, last = _span(self.listed, entry[0], entry[1] - entry[0])
            for place in places:
                yield NAME, place, first, last

    def _find(self, name: str) -> Written | None:
        """The signature of a tool in the list."""
        for begin in occurrences(f"{name}(", self.prefix):
            end = self.prefix.find(")", begin) + 1
            if end and not (begin and _IN_NAME(self.prefix, begin - 1)):
                return begin, end
        return None

    def _copied(self, part: Encoding, text: str, offset: int) -> Iterator[Look]:
        """For each token of an argument that a piece writes: the place before it, and where the question says it.

        For the token behind an argument: what follows in the question.
        """
        at = 0
        for call in self.turn.ask.calls:
            for value in call.given.values():
                for said, source in self._said(value):
                    written = next(_words(said, text, at), None)
                    if written is None:
                        continue
                    at = written + len(said)
                    (begin, end), (first, last) = (
                        _span(part, written, len(said)),
                        _span(self.asked, source, len(said)),
                    )
                    same = part.ids[begin:end] == self.asked.ids[first:last]
                    for step, place in enumerate(range(begin, end)):
                        to = (first + step, first + step + 1) if same else (first, last)
                        yield ARGUMENT, offset + place - 1, self.start + to[0], self.start + to[1]
                    if same and end < len(part.ids):  # what stands behind the words tells that they end there
                        yield ARGUMENT, offset + end - 1, self.start + last, self.start + last + 1

    def _said(self, value: Any) -> Iterator[tuple[str, int]]:
        """What the question says of a value, or of each value of a list, and where: only what stands in it once."""
        for said in map(str, value if isinstance(value, list) else (value,)):
            places = tuple(islice(_words(said, self.turn.prompt), 2)) if said and not isinstance(value, bool) else ()
            if len(places) == 1:
                yield said, places[0]

    def _filled(self, part: Encoding, text: str, offset: int) -> Iterator[Look]:
        """For each place before a token of an argument, copied or not: its parameter's name and type in the list.

        For the words of the question that say it, too: so that they know what they are said for.
        """
        for call, arguments in self._arguments(text):
            entry = self._find(call.tool.name)
            if entry is None:
                continue
            stands = entry[0]
            for name, value, written in arguments:
                parameter = _parameter(name, self.prefix, stands, entry[1])
                if parameter is None:
                    continue
                stands = parameter[1]
                first, last = _span(self.listed, parameter[0], parameter[1] - parameter[0])
                for place in range(*_span(part, written[0], written[1] - written[0])):
                    yield PARAMETER, offset + place - 1, first, last
                for said, source in self._said(value):
                    for place in range(*_span(self.asked, source, len(said))):
                        yield PARAMETER, self.start + place, first, last


_IN_NAME = re.compile(r"[\w.-]").match


def _words(said: str, text: str, start: int = 0) -> Iterator[int]:
    """Where a text says something in words of their own.

    >>> list(_words("s", "the s side")), list(_words("5", "15 of 5kg"))
    ([4], [6])
    """
    for begin in occurrences(said, text, start):
        end = begin + len(said)
        if not (_joined(text[begin - 1 : begin], said[0]) or _joined(said[-1], text[end : end + 1])):
            yield begin


def _joined(left: str, right: str) -> bool:
    """Whether two letters, or two digits, stand side by side."""
    return (left.isalpha() and right.isalpha()) or (left.isdigit() and right.isdigit())


def _parameter(name: str, text: str, start: int, stop: int) -> Written | None:
    """A parameter in the signature that stands there, with its type."""
    for begin in occurrences(name, text, start, stop):
        end = begin + len(name)
        if text.endswith(("(", " ", "*"), 0, begin) and text.startswith((":", ",", ")", " ", "="), end, stop):
            return begin, min(found for sign in ",)" if (found := text.find(sign, end)) >= 0)
    return None


def _literal(name: str, value: Any, text: str, start: int) -> Written | None:
    """An argument as the schemes write it: with its name as JSON, alone, or spread as a variadic parameter takes it."""
    spread = compact(value)[1:-1] if isinstance(value, list) else ""
    forms = (f'"{name}": {spaced(value)}', compact(value), spread)
    found = [(begin, begin + len(form)) for form in forms if form for begin in islice(_arguments(form, text, start), 1)]
    return min(found, key=lambda written: written[0], default=None)


def _arguments(form: str, text: str, start: int) -> Iterator[int]:
    """Where a text stands between the signs that arguments stand between."""
    for begin in occurrences(form, text, start):
        if text.startswith((",", ")", "}"), begin + len(form)) and (
            not begin or text.endswith(("(", ",", "{", " "), 0, begin)
        ):
            yield begin


def _bare(value: Any) -> str:
    """A value as JSON, a text without its quotes."""
    return compact(value)[1:-1] if isinstance(value, str) else compact(value)


def rivals(written: Sequence[str], names: Sequence[str], pieces: Mapping[str, int], before: int) -> Iterator[Rivals]:
    """Where other names could still be meant: the place, and all other tokens that the machine admits there.

    written  the tokens of the name and the one behind it, as the tokenizer spells them
    names    all names, spelled so, each with what stands behind it
    pieces   all tokens of the tokenizer: the machine admits `l` and `lo` for `log`, too, but they aren't to be taken
    """
    for step, piece in enumerate(written):
        begun = "".join(written[:step])
        rests = {name[len(begun) :] for name in names if name.startswith(begun)}
        if len(rests) > 1:
            starts = {rest[:size] for rest in rests for size in range(1, len(rest) + 1)}
            others = sorted(pieces[start] for start in starts - {piece} if start in pieces)
            if others:
                yield before + step, tuple(others)


def swaps(part: Encoding, values: Sequence[Value], pieces: Mapping[str, int], offset: int) -> Iterator[Rivals]:
    """Where a value of a call is written: how the call's other values, or other choices, would go on there."""
    spelled = ["".join(part.tokens[begin:end]) for begin, end, _ in values]
    for begin, end, choices in values:
        ends = [value + part.tokens[end] for value in (*spelled, *choices)]
        yield from rivals(part.tokens[begin : end + 1], ends, pieces, offset + begin - 1)


def _span(encoding: Encoding, start: int, length: int) -> tuple[int, int]:
    """The tokens of a stretch of text that isn't empty."""
    first, last = encoding.char_to_token(start), encoding.char_to_token(start + length - 1)
    assert first is not None and last is not None
    return first, last + 1
