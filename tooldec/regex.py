"""A regular expression as a grammar over UTF-8, read by Python's own parser and never executed.

JSON Schema's patterns are ECMA-262's; the part that both languages share is understood: classes, groups,
alternatives, counts and anchors. What looks around, refers back or depends on flags is refused, saying which.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

from tooldec.errors import SchemaError
from tooldec.grammar import EMPTY, Choice, Grammar, Sequence, characters, choice

Ranges = tuple[tuple[int, int], ...]
"""Inclusive ranges of code points."""

LAST = 0x10FFFF
LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
SPACES: Ranges = ((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
                  (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF))  # fmt: skip
DIGITS: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
ANY: Ranges = ((0, LAST),)

_CATEGORIES = {
    sre.CATEGORY_DIGIT: DIGITS,
    sre.CATEGORY_SPACE: SPACES,
    sre.CATEGORY_WORD: WORD,
}
_NEGATED = {
    sre.CATEGORY_NOT_DIGIT: DIGITS,
    sre.CATEGORY_NOT_SPACE: SPACES,
    sre.CATEGORY_NOT_WORD: WORD,
}


def from_regex(
    pattern: str,
    character: Callable[[Ranges], Grammar] = lambda ranges: characters(*ranges),
    search: bool = False,
) -> Grammar:
    """The texts that match a pattern as a whole (or, with `search`, contain a match, as JSON Schema's do).

    `character` turns a set of code points into the way they are written, such as JSON's escapes.
    Raises SchemaError for a pattern that cannot be read or isn't regular.

    >>> print(from_regex("a|[0-9]"))
    Choice(SymbolClass(a), SymbolClass([0-9]))
    """
    try:
        tree = sre_parser.parse(_translate(pattern))
    except (re.error, RecursionError, OverflowError) as error:
        raise SchemaError(
            f"the pattern {pattern!r} can't be read: {error}",
            keyword="pattern",
            fix="write a valid regular expression",
        ) from None
    if tree.state.flags & ~(sre.SRE_FLAG_UNICODE):
        raise _refuse(pattern, "inline flags")
    return _Reader(pattern, character).whole(list(tree), search)


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


def _translate(pattern: str) -> str:
    """What ECMA-262 writes otherwise: `\\/`, `\\-`, `\\cA`, `\\u{1F600}`, `\\p{…}` (refused by the parser), `(?<n>`, `\\Z`."""
    pattern = re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", pattern)
    pattern = re.sub(r"\\u\{([0-9A-Fa-f]+)\}", lambda m: re.escape(chr(int(m[1], 16))), pattern)
    return re.sub(r"\\([-/_:;,@#%&=~'\"<>!` ])", lambda m: re.escape(m[1]), pattern)


def _refuse(pattern: str, what: str) -> SchemaError:
    return SchemaError(
        f"the pattern {pattern!r} uses {what}, which a finite-state machine can't follow here",
        keyword="pattern",
        fix="use classes, groups, alternatives and counts",
    )


class _Reader:
    def __init__(self, pattern: str, character: Callable[[Ranges], Grammar]) -> None:
        self.pattern, self.character = pattern, character
        self.anything = character(ANY).repeat()

    def whole(self, items: list[Any], search: bool) -> Grammar:
        """The top of the tree: alternatives each with their own anchors."""
        if len(items) == 1 and items[0][0] is sre.BRANCH:
            return choice([self.whole(list(branch), search) for branch in items[0][1][1]])
        if len(items) == 1 and items[0][0] is sre.SUBPATTERN and not items[0][1][1] and not items[0][1][2]:
            return self.whole(list(items[0][1][3]), search)
        begins = bool(items) and items[0][0] is sre.AT and items[0][1] in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING)
        ends = bool(items) and items[-1][0] is sre.AT and items[-1][1] in (sre.AT_END, sre.AT_END_STRING)
        inner = self.items(items[begins : len(items) - ends if ends else None])
        parts = [inner]
        if search and not begins:
            parts.insert(0, self.anything)
        if search and not ends:
            parts.append(self.anything)
        return Sequence(tuple(parts)) if len(parts) > 1 else inner

    def items(self, items: list[Any]) -> Grammar:
        parts = tuple(self.item(op, value) for op, value in items)
        return parts[0] if len(parts) == 1 else Sequence(parts)

    def item(self, op: Any, value: Any) -> Grammar:
        if op is sre.LITERAL:
            return self.character(((value, value),))
        if op is sre.NOT_LITERAL:
            return self.character(complement(((value, value),)))
        if op is sre.ANY:
            return self.character(complement(LINE_ENDS))
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
        ranges: list[tuple[int, int]] = []
        for op, value in items[negated:]:
            if op is sre.LITERAL:
                ranges.append((value, value))
            elif op is sre.RANGE:
                ranges.append(value)
            elif op is sre.CATEGORY and value in _CATEGORIES:
                ranges += _CATEGORIES[value]
            elif op is sre.CATEGORY and value in _NEGATED:
                ranges += complement(_NEGATED[value])
            else:
                raise _refuse(self.pattern, str(op).lower())
        return complement(tuple(ranges)) if negated else tuple(ranges)


__all__ = ["ANY", "EMPTY", "Ranges", "complement", "from_regex"]
