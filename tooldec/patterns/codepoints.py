"""Sets of code points: what patterns' classes and Unicode's properties stand for, as far as readers of patterns agree.

Python's `\\d` knows other scripts' digits, and each version of Unicode assigns more code points: so a kind of character
is known from within, what every reader takes for one, and from around, what any reader may take for one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, groupby
from typing import TypeVar

Ranges = tuple[tuple[int, int], ...]
"""Inclusive ranges of code points."""

LAST = 0x10FFFF
ANY: Ranges = ((0, LAST),)
LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
SPACES: Ranges = ((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
                  (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000))  # fmt: skip
DIGITS: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))


def complement(ranges: Iterable[tuple[int, int]]) -> Ranges:
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


def shared(some: Ranges, others: Ranges) -> Ranges:
    """The code points of both.

    >>> shared(((0, 9),), ((5, 20),))
    ((5, 9),)
    """
    return complement((*complement(some), *complement(others)))


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of character: `within` is one for every reader of patterns, `around` for some of them."""

    within: Ranges
    around: Ranges

    @property
    def opposite(self) -> Kind:
        return Kind(complement(self.around), complement(self.within))


def exactly(*ranges: tuple[int, int]) -> Kind:
    """A kind that all readers agree about."""
    return Kind(ranges, ranges)


def union(kinds: Iterable[Kind]) -> Kind:
    """What is of one of the kinds; a kind and its opposite are all there is, as in `[\\s\\S]`."""
    found = set(kinds)
    if any(kind.opposite in found for kind in found):
        return exactly(*ANY)
    return Kind(_joined(*(kind.within for kind in found)), _joined(*(kind.around for kind in found)))


def folded(kind: Kind) -> Kind:
    """A kind whatever the case of its letters; of letters beyond ASCII readers disagree.

    >>> folded(exactly((0x6B, 0x6B))).within, [chr(low) for low, _ in folded(exactly((0x6B, 0x6B))).around]
    (((75, 75), (107, 107)), ['K', 'k', '\u212a'])
    """
    ascii_only = [(ord(chr(code).swapcase()),) * 2 for code in _cases() if code < 0x80 and _has(kind.within, code)]
    any_script = [(one, one) for code, alike in _cases().items() if _has(kind.around, code) for one in alike]
    return Kind(_joined(kind.within, ascii_only), _joined(kind.around, any_script))


def _has(ranges: Ranges, code: int) -> bool:
    return any(low <= code <= high for low, high in ranges)


def _joined(*ranges: Iterable[tuple[int, int]]) -> Ranges:
    return complement(complement(chain(*ranges)))


@cache
def _cases() -> dict[int, frozenset[int]]:
    """For each letter that has cases, those that are alike but for their case."""
    groups: dict[str, set[int]] = {}
    for code in range(0x1F000):  # there are none beyond
        letter = chr(code)
        if letter.lower() != letter or letter.upper() != letter:
            groups.setdefault(letter.upper().casefold(), set()).add(code)
    return {code: frozenset(alike) for alike in groups.values() for code in alike}


DOT = Kind(complement(LINE_ENDS), complement(((0x0A, 0x0A),)))
"""What `.` stands for."""


@cache
def shorthand(letter: str) -> Kind:
    """What `\\d`, `\\s` or `\\w` stands for, or in capitals the opposite."""
    if letter.isupper():
        return shorthand(letter.lower()).opposite
    if letter == "s":
        return Kind(SPACES, (*SPACES, (0x1C, 0x1F), (0x85, 0x85), (0xFEFF, 0xFEFF)))
    if letter == "w":
        return Kind(WORD, (*WORD, (0xAA, LAST)))  # roughly: the first letter beyond ASCII, and all that follows
    return Kind(DIGITS, _runs(str.isdecimal, 0x20000)[True])  # all digits stand in the first two planes


# ---- Unicode's properties

_CATEGORIES = """
L Letter, LC Cased_Letter, Lu Uppercase_Letter, Ll Lowercase_Letter, Lt Titlecase_Letter, Lm Modifier_Letter, Lo
Other_Letter, M Mark Combining_Mark, Mn Nonspacing_Mark, Mc Spacing_Mark, Me Enclosing_Mark, N Number, Nd
Decimal_Number digit, Nl Letter_Number, No Other_Number, P Punctuation punct, Pc Connector_Punctuation, Pd
Dash_Punctuation, Ps Open_Punctuation, Pe Close_Punctuation, Pi Initial_Punctuation, Pf Final_Punctuation, Po
Other_Punctuation, S Symbol, Sm Math_Symbol, Sc Currency_Symbol, Sk Modifier_Symbol, So Other_Symbol, Z Separator, Zs
Space_Separator, Zl Line_Separator, Zp Paragraph_Separator, C Other, Cc Control cntrl, Cf Format, Cs Surrogate, Co
Private_Use, Cn Unassigned
"""
_SHORT: Mapping[str, str] = {name: names[0] for names in map(str.split, _CATEGORIES.split(",")) for name in names}
_BINARY = frozenset(
    """
    ASCII_Hex_Digit AHex Alphabetic Alpha Bidi_Control Bidi_C Case_Ignorable CI Cased Dash Default_Ignorable_Code_Point
    DI Deprecated Dep Diacritic Dia Emoji Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase
    Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext
    Hex_Digit Hex ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE
    Lowercase Lower Math Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS
    Quotation_Mark QMark Radical Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation
    Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS White_Space space XID_Continue XIDC XID_Start
    XIDS
    """.split()
)
_POSIX: dict[str, Ranges] = {
    "Print": ((0x20, 0x7E),),
    "Graph": ((0x21, 0x7E),),
    "Alnum": ((0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)),
    "Punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
}
"""What isn't Unicode's, as Java has it: of ASCII. To others it is more."""

_NEVER_ASSIGNED: Ranges = ((0xFDD0, 0xFDEF), *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0, LAST, 0x10000)))


@lru_cache(maxsize=64)
def with_property(name: str) -> Kind | None:
    r"""What `\p{name}` stands for: `Lu`, `gc=Lu`, `Script=Latin`, `Emoji`; None where that isn't known.

    >>> with_property("Nl").within[1], with_property("Foo")
    ((8544, 8578), None)
    """
    whole = {"Any": ANY, "ASCII": ((0, 0x7F),)}.get(name)
    if whole is not None:
        return exactly(*whole)
    if name in _POSIX:
        return Kind(_POSIX[name], _joined(_POSIX[name], *_matched(name)))
    key, _, value = name.rpartition("=")
    found: list[Ranges] = []  # as two versions of Unicode have it: some characters change their category
    if name == "Assigned":
        found = [complement(_in_category("Cn"))]
    elif key in ("", "gc", "General_Category") and value in _SHORT:
        found = [_in_category(_SHORT[value]), *_matched(_SHORT[value])]
    elif name in _BINARY or (key in ("sc", "Script", "scx", "Script_Extensions") and value.isidentifier()):
        found = [*_matched(name)]
    if not found:
        return None
    later = complement((*complement(_in_category("Cn")), *_NEVER_ASSIGNED))  # what a version may assign yet
    outside = chain(later, *map(complement, found))
    return Kind(complement(outside), _joined(later, *found))


def _in_category(name: str) -> Ranges:
    """The code points of a general category, or of a group of them such as L."""
    parts = ("Lu", "Ll", "Lt") if name == "LC" else (name,)
    found = (ranges for category, ranges in _by_category().items() if category.startswith(parts))
    return _joined(*found)


@cache
def _by_category() -> dict[str, Ranges]:
    return _runs(unicodedata.category)


def _matched(name: str) -> Iterator[Ranges]:
    """The code points that another reader of patterns finds; Python's own knows no properties but categories."""
    import regex  # type: ignore[import-untyped]

    with suppress(regex.error):
        found = regex.finditer(rf"\p{{{name}}}+", "".join(map(chr, range(LAST + 1))))
        yield tuple((one.start(), one.end() - 1) for one in found)


_Said = TypeVar("_Said")


def _runs(says: Callable[[str], _Said], end: int = LAST + 1) -> dict[_Said, Ranges]:
    """The code points by what a function says of them."""
    found: dict[_Said, list[tuple[int, int]]] = {}
    for said, codes in groupby(range(end), key=lambda code: says(chr(code))):
        first, *others = codes
        found.setdefault(said, []).append((first, others[-1] if others else first))
    return {said: tuple(ranges) for said, ranges in found.items()}
