"""A regular expression as a grammar over UTF-8, read by Python's own parser and never executed.

JSON Schema's patterns are ECMA-262's; the part that both languages share is understood: classes, groups,
alternatives, counts and anchors. What looks around, refers back or depends on flags is refused, saying which.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from tooldec.errors import SchemaError, cut
from tooldec.grammar import EMPTY, Choice, Grammar, Sequence, choice
from tooldec.utf8 import characters

Ranges = tuple[tuple[int, int], ...]
"""Inclusive ranges of code points."""

LAST = 0x10FFFF
LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
SPACES: Ranges = ((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
                  (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF))  # fmt: skip
DIGITS: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
ANY: Ranges = ((0, LAST),)

# Where the languages differ (Python's \\d knows other scripts' digits), a set is known from within and from around:
# what every reader takes for a digit, and what any reader may take for one.
_WITHIN = {
    sre.CATEGORY_DIGIT: DIGITS,
    sre.CATEGORY_SPACE: ((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
                         (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)),
    sre.CATEGORY_WORD: WORD,
}  # fmt: skip
_NEGATED = {
    sre.CATEGORY_NOT_DIGIT: sre.CATEGORY_DIGIT,
    sre.CATEGORY_NOT_SPACE: sre.CATEGORY_SPACE,
    sre.CATEGORY_NOT_WORD: sre.CATEGORY_WORD,
}


@cache
def _around(category: Any) -> Ranges:
    if category is sre.CATEGORY_SPACE:
        return (*SPACES, (0x1C, 0x1F), (0x85, 0x85))
    if category is sre.CATEGORY_WORD:
        return (*WORD, (0xAA, LAST))  # roughly: the first letter beyond ASCII, and all that follows
    digits = [code for code in range(LAST + 1) if chr(code).isdecimal()]
    starts = [code for before, code in pairwise([-1, *digits]) if code > before + 1]
    ends = [code for code, after in pairwise([*digits, LAST + 2]) if after > code + 1]
    return tuple(zip(starts, ends, strict=True))


@dataclass(frozen=True, slots=True)
class Matcher:
    """One way to match a pattern: a text of `body` for which each of `conditions` holds (True) or doesn't (False)."""

    body: Grammar
    conditions: tuple[tuple[bool, Grammar], ...] = ()


def matchers(
    pattern: str,
    character: Callable[[Ranges], Grammar] = lambda ranges: characters(*ranges),
    search: bool = False,
    wide: bool = False,
) -> tuple[Matcher, ...]:
    """The ways in which a text matches a pattern as a whole (or, with `search`, contains a match, as JSON Schema's do).

    `character` turns a set of code points into the way they are written, such as JSON's escapes. Where languages
    differ, the texts are those that match in all of them; with `wide`, those that match in any.
    Raises SchemaError for a pattern that cannot be read or isn't regular.
    """
    try:
        tree = sre_parser.parse(in_python(pattern))
    except (re.error, RecursionError, OverflowError) as error:
        raise SchemaError(
            f"the pattern {cut(repr(pattern))} can't be read: {error}",
            keyword="pattern",
            fix="write a valid regular expression",
        ) from None
    if tree.state.flags & ~(sre.SRE_FLAG_UNICODE):
        raise _refuse(pattern, "inline flags")
    return tuple(_Reader(pattern, character, search, wide).ways(list(tree)))


def from_regex(
    pattern: str,
    character: Callable[[Ranges], Grammar] = lambda ranges: characters(*ranges),
    search: bool = False,
) -> Grammar:
    """`matchers` as one grammar, for patterns that don't look around.

    >>> print(from_regex("a|[0-9]"))
    SymbolClass([0-9a])
    """
    ways = matchers(pattern, character, search)
    if any(way.conditions for way in ways):
        raise _refuse(pattern, "a look-around")
    return choice([way.body for way in ways])


def complement(ranges: Ranges) -> Ranges:
    """All code points outside of the ranges.

    >>> complement(((0, 9), (11, LAST)))
    ((10, 10),)
    """
    gaps, at = [], 0
    for low, high in sorted(ranges):
        if low > at:
            gaps.append((at, low - 1))
        at = max(at, high + 1)
    return (*gaps, (at, LAST)) if at <= LAST else tuple(gaps)


_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]+)\}|.)", re.DOTALL)
_UNIT = re.compile(rf"{_ESCAPE.pattern}|\[\^?\]?(?:[^\]\\]|\\.)*\]|\(\?<(?=[A-Za-z_])", re.DOTALL)
"""What is read as one: an escaped character, a class, or the beginning of a group that has a name."""


def in_python(pattern: str) -> str:
    r"""A pattern of ECMA-262 as Python writes it; what isn't ECMA-262's is left as it is.

    >>> print(in_python(r"\(?<b>(?<n>\u{1F600})[(?<a]"))
    \(?<b>(?P<n>😀)[(?<a]
    """
    return _UNIT.sub(lambda unit: "(?P<" if unit[0] == "(?<" else _ESCAPE.sub(_code_point, unit[0]), pattern)


def _code_point(found: re.Match[str]) -> str:
    """The character of `\\u{1F600}`; other escapes as they are, and what is no character, for the parser to refuse."""
    code = found[1]
    return re.escape(chr(int(code, 16))) if code and int(code, 16) <= LAST else found[0]


def _refuse(pattern: str, what: str) -> SchemaError:
    return SchemaError(
        f"the pattern {cut(repr(pattern))} uses {what}, which a finite-state machine can't follow here",
        keyword="pattern",
        fix="use classes, groups, alternatives and counts",
    )


_START = (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING)
_END = (sre.AT_END, sre.AT_END_STRING)
_MOST_WAYS = 200


class _Reader:
    def __init__(self, pattern: str, character: Callable[[Ranges], Grammar], search: bool, wide: bool) -> None:
        self.pattern, self.character, self.search, self.wide = pattern, character, search, wide
        self.anything = character(ANY).repeat()

    def ways(self, items: list[Any]) -> list[Matcher]:
        """The top of the tree: alternatives each with their own anchors and looks ahead."""
        found = [self.way(path) for path in self.paths(items)]
        return [way for way in found if way is not None] or [Matcher(Choice(()))]

    def paths(self, items: list[Any]) -> list[list[Any]]:
        """The alternatives, multiplied out as far as they have anchors inside: `(^a|b)c` is `^ac`, `bc`."""
        for index, (op, value) in enumerate(items):
            whole = len(items) == 1 and op is sre.BRANCH
            if not whole and (op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT) or not _anchored(items[index])):
                continue
            if op is sre.BRANCH:
                inner = [list(branch) for branch in value[1]]
            elif op is sre.SUBPATTERN and not value[1] and not value[2]:
                inner = [list(value[3])]
            elif op in (sre.MAX_REPEAT, sre.MIN_REPEAT) and tuple(value[:2]) in ((0, 1), (1, 1)):
                inner = [list(value[2])] + ([[]] if value[0] == 0 else [])
            else:
                raise _refuse(self.pattern, "a repeated anchor")
            found = [p for one in inner for p in self.paths([*items[:index], *one, *items[index + 1 :]])]
            if len(found) > _MOST_WAYS:
                raise _refuse(self.pattern, "too many alternatives with anchors")
            return found
        return [items]

    def way(self, items: list[Any]) -> Matcher | None:
        """One alternative; None where an anchor stands where it can't hold."""
        starts = [i for i, (op, value) in enumerate(items) if op is sre.AT and value in _START]
        ends = [i for i, (op, value) in enumerate(items) if op is sre.AT and value in _END]
        first, last = max(starts, default=-1), min(ends, default=len(items))
        for outside in (items[: max(first, 0)], items[last + 1 :]):
            widths = [_least(item) for item in outside]
            if any(widths):
                return None
            if any(op is not sre.AT for op, _ in outside):
                raise _refuse(self.pattern, "an anchor inside of it")
        inner = items[first + 1 : last]
        conditions = []
        while inner and inner[0][0] in (sre.ASSERT, sre.ASSERT_NOT) and inner[0][1][0] > 0:
            wanted = inner[0][0] is sre.ASSERT
            if self.search and not starts:
                raise _refuse(self.pattern, "a look-around away from its beginning")
            reader = _Reader(self.pattern, self.character, True, self.wide == wanted)
            begun = [(sre.AT, sre.AT_BEGINNING), *inner[0][1][1]]
            looked = reader.ways(begun)
            if any(way.conditions for way in looked):
                raise _refuse(self.pattern, "a look-around inside of another")
            conditions.append((wanted, choice([way.body for way in looked])))
            inner = inner[1:]
        parts = [self.items(inner)]
        if self.search and not starts:
            parts.insert(0, self.anything)
        if self.search and not ends:
            parts.append(self.anything)
        elif self.wide and ends:
            parts.append(self.character(((0x0A, 0x0A),)).optional())  # Python's $ also stands before a last line end
        return Matcher(Sequence(tuple(parts)) if len(parts) > 1 else parts[0], tuple(conditions))

    def items(self, items: list[Any]) -> Grammar:
        parts = tuple(self.item(op, value) for op, value in items)
        return parts[0] if len(parts) == 1 else Sequence(parts)

    def item(self, op: Any, value: Any) -> Grammar:
        if op is sre.LITERAL:
            return self.character(((value, value),))
        if op is sre.NOT_LITERAL:
            return self.character(complement(((value, value),)))
        if op is sre.ANY:
            return self.character(complement(((0x0A, 0x0A),) if self.wide else LINE_ENDS))
        if op is sre.IN:
            return self.character(self.ranges(value))
        if op is sre.BRANCH:
            return Choice(tuple(self.items(list(branch)) for branch in value[1]))
        if op is sre.SUBPATTERN and not value[1] and not value[2]:
            return self.items(list(value[3]))
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            low, high, body = value
            if op is sre.POSSESSIVE_REPEAT:
                raise _refuse(self.pattern, "a possessive count")
            return self.items(list(body)).repeat(int(low), None if high is sre.MAXREPEAT else int(high))
        if op is sre.ASSERT_NOT and not value[1]:
            return Choice(())
        if op is sre.AT:
            raise _refuse(self.pattern, "an anchor or word border inside of it")
        names = {
            sre.ASSERT: "a look-around",
            sre.ASSERT_NOT: "a look-around",
            sre.GROUPREF: "a back reference",
        }
        raise _refuse(self.pattern, names.get(op, str(op).lower()))

    def ranges(self, items: list[Any]) -> Ranges:
        negated = bool(items) and items[0][0] is sre.NEGATE
        kinds = {value for op, value in items if op is sre.CATEGORY}
        if any(_NEGATED.get(kind) in kinds for kind in kinds):  # `[\s\S]`: a kind and its opposite are all there is
            return () if negated else ANY
        ranges: list[tuple[int, int]] = []
        for op, value in items[negated:]:
            if op is sre.LITERAL:
                ranges.append((value, value))
            elif op is sre.RANGE:
                ranges.append(value)
            elif op is sre.CATEGORY and value in _WITHIN:
                ranges += _around(value) if self.wide != negated else _WITHIN[value]
            elif op is sre.CATEGORY and value in _NEGATED:
                opposite = _NEGATED[value]
                ranges += complement(_WITHIN[opposite] if self.wide != negated else _around(opposite))
            else:
                raise _refuse(self.pattern, str(op).lower())
        return complement(tuple(ranges)) if negated else tuple(ranges)


def _anchored(item: Any) -> bool:
    """Whether an item has anchors or looks around somewhere inside."""
    op, value = item
    if op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
        return True
    if op is sre.BRANCH:
        return any(_anchored(inner) for branch in value[1] for inner in branch)
    if op is sre.SUBPATTERN:
        return any(map(_anchored, value[3]))
    return op in (sre.MAX_REPEAT, sre.MIN_REPEAT) and any(map(_anchored, value[2]))


def _least(item: Any) -> int:
    """The fewest characters that an item reads."""
    op, value = item
    if op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
        return 0
    if op is sre.BRANCH:
        return min(sum(map(_least, branch)) for branch in value[1])
    if op is sre.SUBPATTERN:
        return sum(map(_least, value[3]))
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return int(value[0]) * sum(map(_least, value[2]))
    return 1


__all__ = ["ANY", "EMPTY", "LAST", "Matcher", "Ranges", "complement", "from_regex", "in_python", "matchers"]
