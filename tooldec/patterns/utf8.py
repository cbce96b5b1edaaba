"""Unicode characters as grammars over the bytes of UTF-8."""

from __future__ import annotations

from collections.abc import Iterable

from tooldec.grammar import Grammar, Sequence, SymbolClass, choice


def characters(*ranges: tuple[int, int]) -> Grammar:
    """One Unicode character out of inclusive ranges of code points, as well-formed UTF-8; no surrogates.

    >>> print(characters((0x61, 0x7A)))
    SymbolClass([a-z])
    """
    return choice(_utf8_options(ranges))


def _utf8_options(ranges: Iterable[tuple[int, int]]) -> list[Grammar]:
    single: set[int] = set()
    options: list[Grammar] = []
    for low, high in ranges:
        for first, last in _utf8_blocks(low, high):
            if len(first) == 1:
                single.update(range(first[0], last[0] + 1))
            else:
                classes = [SymbolClass.of((a, b)) for a, b in zip(first, last, strict=True)]
                options.append(Sequence(tuple(classes)))
    return ([SymbolClass(frozenset(single))] if single else []) + options


def _utf8_blocks(low: int, high: int) -> Iterable[tuple[bytes, bytes]]:
    """Split a range of code points so that within each block every byte runs independently from first to last."""
    stack = [(low, high)]
    while stack:
        low, high = stack.pop()
        if low > high:
            continue
        cut = next(
            (c for c in (0x7F, 0x7FF, 0xD7FF, 0xDFFF, 0xFFFF) if low <= c < high),
            None,
        )
        if cut is not None:
            stack += [(cut + 1, high), (low, cut)]
            continue
        if 0xD800 <= low <= 0xDFFF:  # surrogates have no UTF-8
            continue
        size = len(chr(low).encode())
        for tail in range(1, size):
            mask = (1 << (6 * tail)) - 1
            if low & ~mask != high & ~mask:
                if low & mask:
                    stack += [((low | mask) + 1, high), (low, low | mask)]
                    break
                if high & mask != mask:
                    stack += [(high & ~mask, high), (low, (high & ~mask) - 1)]
                    break
        else:
            yield chr(low).encode(), chr(high).encode()
