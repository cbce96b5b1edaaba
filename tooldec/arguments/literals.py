"""How JSON writes single values: numbers, strings and constants, each as a submachine (Figure 2)."""

from __future__ import annotations

from functools import cache, lru_cache

from tooldec.grammar import EMPTY, Choice, Grammar, Literal, Sequence, Submachine, SymbolClass, choice
from tooldec.patterns.regex import LAST, Ranges, from_regex
from tooldec.patterns.utf8 import characters
from tooldec.submachine import KEPT

DIGIT = SymbolClass.of(b"0123456789")
NONZERO = SymbolClass.of(b"123456789")
HEX = SymbolClass.of(b"0123456789abcdefABCDEF")
_NATURAL = Literal(b"0") | (NONZERO + DIGIT.repeat())
_FRACTION = Literal(b".") + DIGIT.repeat(1)
_EXPONENT = SymbolClass.of(b"eE") + SymbolClass.of(b"+-").optional() + DIGIT.repeat(1)


def sign(plus: bool, minus: bool = True) -> Grammar:
    """The signs that may stand before a number, or nothing."""
    signs = (b"+" if plus else b"") + (b"-" if minus else b"")
    return SymbolClass.of(signs).optional() if signs else EMPTY


@cache
def integer(plus: bool) -> Submachine:
    """JSON's integers: Figure 2's IntFSM and its missing 0; `plus` admits a leading + as the figure does."""
    return Submachine("IntFSM", sign(plus) + _NATURAL)


@cache
def number(plus: bool) -> Submachine:
    """JSON's numbers: an integer, a fraction, an exponent."""
    return Submachine("FloatFSM", sign(plus) + _NATURAL + _FRACTION.optional() + _EXPONENT.optional())


@lru_cache(maxsize=KEPT)
def integers_between(low: int | None, high: int | None, plus: bool) -> Submachine:
    """The integers of a range, both ends included, exact to the digit."""
    parts: list[Grammar] = []
    if low is None or low < 0:  # below zero, by their absolute value
        smallest = 1 if high is None or high >= 0 else -high
        largest = None if low is None else -low
        if largest is None or smallest <= largest:
            parts.append(Literal(b"-") + naturals(smallest, largest))
    if high is None or high >= 0:
        smallest = 0 if low is None or low < 0 else low
        written = naturals(smallest, high)
        parts.append((Literal(b"+").optional() + written) if plus else written)
        if smallest == 0:
            parts.append(Literal(b"-0"))
    return Submachine("IntFSM", choice(parts))


def naturals(low: int, high: int | None) -> Grammar:
    """Natural numbers low..high without leading zeros."""
    digits = len(str(low))
    if high is None:
        longer = NONZERO + DIGIT.repeat(digits)
        return _same_length(str(low), "9" * digits) | longer
    options: list[Grammar] = []
    for size in range(digits, len(str(high)) + 1):
        first = max(low, 10 ** (size - 1) if size > 1 else 0)
        last = min(high, 10**size - 1)
        options.append(_same_length(str(first), str(last)))
    return choice(options)


def _same_length(low: str, high: str) -> Grammar:
    """Numbers between two of equally many digits, low <= high."""
    if not low:
        return EMPTY
    size = len(low) - 1
    if low[0] == high[0]:
        return Sequence((Literal(low[0].encode()), _same_length(low[1:], high[1:])))
    if low[1:] == "0" * size and high[1:] == "9" * size:
        return Sequence((_digits(low[0], high[0]), DIGIT.repeat(size, size)))
    options: list[Grammar] = [Sequence((Literal(low[0].encode()), _same_length(low[1:], "9" * size)))]
    if ord(low[0]) + 1 < ord(high[0]):
        middle = _digits(chr(ord(low[0]) + 1), chr(ord(high[0]) - 1))
        options.append(Sequence((middle, DIGIT.repeat(size, size))))
    options.append(Sequence((Literal(high[0].encode()), _same_length("0" * size, high[1:]))))
    return Choice(tuple(options))


def _digits(low: str, high: str) -> Grammar:
    return SymbolClass.of((ord(low), ord(high)))


@cache
def word(name: str, *words: bytes) -> Submachine:
    """One of some words: `true` or `false`, and `null`, or what another language has in their place."""
    return Submachine(name, choice([Literal(one) for one in words]))


BOOLEAN, NULL = word("BoolFSM", b"true", b"false"), word("NullFSM", b"null")

# ---- strings

_RAW: Ranges = ((0x20, 0x21), (0x23, 0x5B), (0x5D, LAST))
_SHORT = {0x22: b'"', 0x5C: b"\\", 0x2F: b"/", 0x08: b"b", 0x0C: b"f", 0x0A: b"n", 0x0D: b"r", 0x09: b"t"}
_ESCAPE = Literal(b"\\u")
_UPPER, _LOWER = from_regex("[dD][89abAB][0-9a-fA-F]{2}"), from_regex("[dD][c-fC-F][0-9a-fA-F]{2}")
ANY_CHARACTER: Grammar = Choice(
    (
        characters(*_RAW),
        Sequence((Literal(b"\\"), SymbolClass.of(b'"\\/bfnrt'))),
        Sequence((_ESCAPE, from_regex("[0-9a-ce-fA-CE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}"))),
        Sequence((_ESCAPE, _UPPER, _ESCAPE, _LOWER)),
    )
)
"""Any character inside of a JSON string, written in any of JSON's ways; half a surrogate pair is none."""


def json_character(ranges: Ranges) -> Grammar:
    """One character out of code points, as JSON strings write it: raw where JSON lets it, else escaped."""
    raw: list[tuple[int, int]] = []
    options: list[Grammar] = []
    for low, high in ranges:
        for first, last in _RAW:
            if low <= last and first <= high:
                raw.append((max(low, first), min(high, last)))
        for code in [*range(0x20), 0x22, 0x5C]:
            if low <= code <= high:
                options.append(_escaped(code))
    if raw:
        options.insert(0, characters(*raw))
    return choice(options)


@cache
def _escaped(code: int) -> Grammar:
    hexadecimal = "".join(f"[{d.lower()}{d.upper()}]" if d.isalpha() else d for d in f"{code:04x}")
    long = Sequence((Literal(b"\\u"), from_regex(hexadecimal)))
    return Literal(b"\\" + _SHORT[code]) | long if code in _SHORT else long


def quoted(content: Grammar, name: str = "StringFSM") -> Submachine:
    """A JSON string with this content."""
    return Submachine(name, Sequence((Literal(b'"'), content, Literal(b'"'))))


STRING = quoted(ANY_CHARACTER.repeat())


@lru_cache(maxsize=KEPT)
def string_of_length(low: int, high: int | None) -> Submachine:
    """Strings of low to high characters; a surrogate pair written as two escapes counts as one."""
    return quoted(ANY_CHARACTER.repeat(low, high))
