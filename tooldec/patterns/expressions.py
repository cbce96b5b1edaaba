r"""Reads regular expressions of ECMA-262 into trees, as with the flag u, which is how JSON Schema reads patterns.

    ^(?!x)[a-z]{2,}$   ->   Row(Edge(^), Ahead(Row(One(x)), not wanted), Times(One(a-z), 2, None), Edge($))

What other languages write and ECMA-262 doesn't know is read where it can mean one thing only: `\-` outside of a class,
`-` behind a kind (`[\w-.]`), `{` where no count begins, `(?P<name>…)`, `(?i)`, `(?s)`, `\p{Print}`, `\A` and `\Z`. What
isn't regular, or depends on other flags, is refused.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NoReturn

from tooldec.errors import SchemaError, cut
from tooldec.patterns.codepoints import ANY, DOT, LAST, Kind, exactly, folded, shorthand, union, with_property
from tooldec.patterns.trees import Ahead, Behind, Edge, Either, One, Row, Term, Times


@lru_cache(maxsize=256)
def tree_of(pattern: str) -> Term:
    """A pattern as a tree. Raises SchemaError where it can't be read, or uses what isn't regular."""
    try:
        return _Reader(pattern).whole()
    except RecursionError:
        raise unreadable(pattern, "it nests too deep") from None


def alternatives(pattern: str) -> list[str]:
    """The patterns of which one is enough; a pattern without alternatives is the only one.

    >>> alternatives("^a|[|]b"), alternatives("^(?:a|b(c|d))$")
    (['^a', '[|]b'], ['^(?:a)$', '^(?:b(c|d))$'])
    """
    if whole := _WHOLE.fullmatch(pattern):
        try:
            return [f"^(?:{option})$" for option in alternatives(whole[1])]
        except SchemaError:  # `^(a)|(b)$` isn't a group as a whole
            pass
    reader = _Reader(pattern)
    reader.whole()
    bars = [-1, len(pattern)] if reader.flagged else [-1, *reader.bars, len(pattern)]  # a flag is for all of them
    return [pattern[before + 1 : bar] for before, bar in pairwise(bars)]


def unreadable(pattern: str, reason: str) -> SchemaError:
    """The error for a pattern that is none."""
    message = f"the pattern {cut(repr(pattern))} can't be read: {reason}"
    return SchemaError(message, keyword="pattern", fix="write a valid regular expression")


def not_followed(pattern: str, what: str) -> SchemaError:
    """The error for a pattern that isn't regular, or not known to be."""
    message = f"the pattern {cut(repr(pattern))} uses {what}, which a finite-state machine can't follow here"
    return SchemaError(message, keyword="pattern", fix="use classes, groups, alternatives and counts")


_WHOLE = re.compile(r"\^\((?:\?:)?(?!\?)(.*)\)\$", re.DOTALL)
_COUNT = re.compile(r"\{(?=[0-9,])([0-9]*)(,?)([0-9]*)\}")
_CODE = re.compile(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\}|c([A-Za-z])|0([0-7]{2})?(?![0-9])")
_LOW_HALF = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_PROPERTY = re.compile(r"([pP])\{([^{}]*)\}")
_FLAGS = re.compile(r"\?([is]+)(:|\))")
_NAMED = re.compile(r"\?P?<[^\W\d][\w$]*>")
_CONTROL = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
_REFUSED = {
    "?P=": "a back reference",
    "?>": "an atomic group",
    "?(": "a condition",
}


_LOOKS = ("?=", "?!", "?<=", "?<!")


def _border(wanted: bool) -> Term:
    r"""`\b`, or `\B`: of the characters before and behind one is of a word, or both are or neither."""
    word, other = shorthand("w"), shorthand("W")
    opened, closed = Ahead(One(word), True), Ahead(One(word), False)
    if wanted:
        return Either((Row((Behind(word, True), closed)), Row((Behind(word, False), opened))))
    begins = Row((Edge(True), Ahead(One(other), True)))  # to Python there is no `\B` in an empty text
    return Either((Row((Behind(word, True), opened)), Row((Behind(other, True), closed)), begins))


class _Reader:
    """Reads a pattern from left to right; `at` is where it has got to."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.depth = pattern, 0, 0
        self.bars: list[int] = []  # where the alternatives end that aren't inside of a group
        self.empty_class = False
        self.flags = self.flagged = ""  # those that hold here, and all there were

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
            self.bars += [self.at - 1] if not self.depth else []
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
        if first == ".":
            return One(exactly(*ANY) if "s" in self.flags else DOT)
        return self.one(exactly((ord(first), ord(first))))

    def group(self) -> Term:
        for beginning, what in _REFUSED.items():
            if self.takes(beginning):
                raise not_followed(self.pattern, what)
        flags, flag = self.flags, self.match(_FLAGS)
        if flag:
            self.flags += flag[1]
            self.flagged += flag[1]
            if flag[2] == ")":
                return Row(())
        looked = next((sign for sign in _LOOKS if self.takes(sign)), None)
        if not flag and not looked and not self.takes("?:") and not self.match(_NAMED) and self.takes("?"):
            raise not_followed(self.pattern, "inline flags")
        self.depth += 1
        body = self.either()
        self.depth, self.flags = self.depth - 1, flags
        if not self.takes(")"):
            self.unread("a group isn't closed")
        if looked in ("?=", "?!"):
            return Ahead(body, looked == "?=")
        if looked and not isinstance(body, One):
            raise not_followed(self.pattern, "a look behind that isn't at one character")
        return Behind(body.kind, looked == "?<=") if looked and isinstance(body, One) else body

    def escaped(self) -> Term:
        """What a backslash begins outside of a class."""
        letter = self.pattern[self.at : self.at + 1]
        if self.takes("b") or self.takes("B"):
            return _border(letter == "b")
        if letter and letter in "123456789k":
            raise not_followed(self.pattern, "a back reference")
        if self.takes("A") or self.takes("Z"):
            return Edge(letter == "A")
        found = self.escape()
        return self.one(exactly((found, found)) if isinstance(found, int) else found)

    def one(self, kind: Kind) -> One:
        """A character, whatever its case where the flag says so."""
        return One(folded(kind) if "i" in self.flags else kind)

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
            digits = found[1] or found[2] or found[3]
            code = int(digits, 16) if digits else int(found[5] or "0", 8)  # \000 as others write it
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
            if isinstance(low, Kind) or isinstance(high, Kind):  # `[\w-.]`: from a kind to a dot there is no range
                dash = [ord("-")] if ranged else []
                kinds += [one if isinstance(one, Kind) else exactly((one, one)) for one in (low, high, *dash)]
            elif high < low:
                self.unread("a range's end is before its beginning")
            else:
                kinds.append(exactly((low, high)))
        self.empty_class = self.empty_class or not kinds
        found = self.one(union(kinds)).kind
        return found.opposite if negated else found

    def member(self) -> Kind | int:
        """A character of a class, or a kind of them."""
        if self.at >= len(self.pattern):
            self.unread("a class isn't closed")
        if self.takes("\\"):
            return 0x08 if self.takes("b") else self.escape()
        self.at += 1
        return ord(self.pattern[self.at - 1])
