r"""Regular expressions of ECMA-262 as trees, read as with the flag u, which is how JSON Schema reads patterns.

    ^(?!x)[a-z]{2,}$   ->   Row(Edge(^), Ahead(Row(One(x)), not wanted), Times(One(a-z), 2, None), Edge($))

What other languages write and ECMA-262 doesn't know is read where it can mean one thing only: `\-` outside of a class,
`{` where no count begins, `(?P<name>…)`, `\A` and `\Z`. What isn't regular, or depends on flags, is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from tooldec.codepoints import DOT, LAST, Kind, exactly, shorthand, union, with_property
from tooldec.errors import SchemaError, cut


@dataclass(frozen=True, slots=True)
class One:
    """One character of a kind."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Row:
    """One after the other."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of several."""

    options: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """`low` to `high` times (None: without bound)."""

    body: Term
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Edge:
    """The beginning of the text, or its end."""

    begins: bool


@dataclass(frozen=True, slots=True)
class Ahead:
    """What follows begins with the body (`wanted`), or doesn't."""

    body: Term
    wanted: bool


Term = One | Row | Either | Times | Edge | Ahead


@lru_cache(maxsize=256)
def tree_of(pattern: str) -> Term:
    """A pattern as a tree. Raises SchemaError where it can't be read, or uses what isn't regular."""
    try:
        return _Reader(pattern).whole()
    except RecursionError:
        raise unreadable(pattern, "it nests too deep") from None


def unreadable(pattern: str, reason: str) -> SchemaError:
    """The error for a pattern that is none."""
    message = f"the pattern {cut(repr(pattern))} can't be read: {reason}"
    return SchemaError(message, keyword="pattern", fix="write a valid regular expression")


def not_followed(pattern: str, what: str) -> SchemaError:
    """The error for a pattern that isn't regular, or not known to be."""
    message = f"the pattern {cut(repr(pattern))} uses {what}, which a finite-state machine can't follow here"
    return SchemaError(message, keyword="pattern", fix="use classes, groups, alternatives and counts")


_COUNT = re.compile(r"\{(?=[0-9,])([0-9]*)(,?)([0-9]*)\}")
_CODE = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\}|c([A-Za-z])|0(?![0-9])")
_LOW_HALF = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_PROPERTY = re.compile(r"([pP])\{([^{}]*)\}")
_NAMED = re.compile(r"\?P?<[^\W\d][\w$]*>")
_CONTROL = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_REFUSED = {
    "?<=": "a look-behind",
    "?<!": "a look-behind",
    "?P=": "a back reference",
    "?>": "an atomic group",
    "?(": "a condition",
}


class _Reader:
    """Reads a pattern from left to right; `at` is where it has got to."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at = pattern, 0
        self.empty_class = False

    def whole(self) -> Term:
        found = self.either()
        if self.at < len(self.pattern):
            self.unread("a `)` closes nothing")
        return found

    def unread(self, reason: str) -> NoReturn:
        raise unreadable(self.pattern, f"{reason} at position {self.at}")

    def takes(self, text: str) -> bool:
        """Whether a text comes next; it is then behind."""
        found = self.pattern.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def match(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        found = expression.match(self.pattern, self.at)
        self.at = found.end() if found else self.at
        return found

    def no_count(self, before: str) -> None:
        if self.pattern.startswith(("*", "+", "?"), self.at) or _COUNT.match(self.pattern, self.at):
            self.unread(f"a count follows {before}")

    def either(self) -> Term:
        options = [self.row()]
        while self.takes("|"):
            options.append(self.row())
        if len(options) > 1 and all(isinstance(option, One) for option in options):
            return One(union(option.kind for option in options if isinstance(option, One)))
        return options[0] if len(options) == 1 else Either(tuple(options))

    def row(self) -> Term:
        parts: list[Term] = []
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            parts.append(self.counted(self.part()))
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def counted(self, part: Term) -> Term:
        """A part with the count that follows it."""
        if found := self.match(_COUNT):
            if max(len(found[1]), len(found[3])) > 9:
                self.unread("nobody counts so far")
            low = int(found[1] or 0)
            high = None if found[2] and not found[3] else int(found[3] or low)
        elif self.at < len(self.pattern) and self.pattern[self.at] in "*+?":
            low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[self.pattern[self.at]]
            self.at += 1
        else:
            return part
        if high is not None and high < low:
            self.unread("a count's end is before its beginning")
        if self.takes("+"):
            raise not_followed(self.pattern, "a possessive count")
        self.takes("?")  # which match is found first doesn't matter
        self.no_count("a count")
        return Times(part, low, high)

    def part(self) -> Term:
        first = self.pattern[self.at]
        self.no_count("nothing")
        if first == "]" and self.empty_class:  # `[]a]` is a class in other languages
            self.unread("a `]` closes nothing")
        self.at += 1
        if first == "(":
            return self.group()
        if first == "[":
            return One(self.character_class())
        if first == "\\":
            return self.escaped()
        if first in "^$":
            self.no_count("an anchor")
            return Edge(first == "^")
        return One(DOT if first == "." else exactly((ord(first), ord(first))))

    def group(self) -> Term:
        for beginning, what in _REFUSED.items():
            if self.takes(beginning):
                raise not_followed(self.pattern, what)
        ahead = "=" if self.takes("?=") else "!" if self.takes("?!") else ""
        if not ahead and not self.takes("?:") and not self.match(_NAMED) and self.takes("?"):
            raise not_followed(self.pattern, "inline flags")
        body = self.either()
        if not self.takes(")"):
            self.unread("a group isn't closed")
        return Ahead(body, ahead == "=") if ahead else body

    def escaped(self) -> Term:
        """What a backslash begins outside of a class."""
        letter = self.pattern[self.at : self.at + 1]
        if letter in ("b", "B"):
            raise not_followed(self.pattern, "a word border")
        if letter and letter in "123456789k":
            raise not_followed(self.pattern, "a back reference")
        if self.takes("A") or self.takes("Z"):
            return Edge(letter == "A")
        found = self.escape()
        return One(exactly((found, found)) if isinstance(found, int) else found)

    def escape(self) -> Kind | int:
        """What a backslash begins, in a class or not: a kind, or a code point."""
        letter = self.pattern[self.at : self.at + 1]
        if found := self.match(_PROPERTY):
            kind = with_property(found[2])
            if kind is None:
                self.unread(f"the property `{cut(found[2])}` isn't known")
            return kind if found[1] == "p" else kind.opposite
        if found := self.match(_CODE):
            if found[4]:
                return ord(found[4]) % 32
            code = int(found[1] or found[2] or found[3] or "0", 16)
            if found[2] and 0xD800 <= code < 0xDC00 and (low := self.match(_LOW_HALF)):
                return 0x10000 + (code - 0xD800) * 0x400 + int(low[1], 16) - 0xDC00
            if code > LAST:
                self.unread("there is no such character")
            return code
        self.at += 1
        if letter and letter in "dswDSW":
            return shorthand(letter)
        if letter in _CONTROL:
            return _CONTROL[letter]
        if not letter or (letter.isascii() and letter.isalnum()):
            self.at -= 1
            self.unread(f"there is no `\\{letter}`")
        return ord(letter)

    def character_class(self) -> Kind:
        negated = self.takes("^")
        kinds: list[Kind] = []
        while not self.takes("]"):
            low = self.member()
            ranged = self.pattern.startswith("-", self.at) and not self.pattern.startswith("-]", self.at)
            if ranged:
                self.at += 1
            high = self.member() if ranged else low
            if isinstance(low, Kind):
                if ranged:
                    self.unread("a range begins with a kind of characters")
                kinds.append(low)
            elif isinstance(high, Kind) or high < low:
                self.unread("a range's end is before its beginning, or a kind of characters")
            else:
                kinds.append(exactly((low, high)))
        self.empty_class = self.empty_class or not kinds
        found = union(kinds)
        return found.opposite if negated else found

    def member(self) -> Kind | int:
        """A character of a class, or a kind of them."""
        if self.at >= len(self.pattern):
            self.unread("a class isn't closed")
        if self.takes("\\"):
            return 0x08 if self.takes("b") else self.escape()
        self.at += 1
        return ord(self.pattern[self.at - 1])
