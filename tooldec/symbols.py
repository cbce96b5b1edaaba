"""What an automaton reads, as people write it: sets of bytes, and texts with special tokens in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

Symbol = int | str
"""A byte, or the name of a special token."""


def pieces(text: str, specials: Collection[str]) -> list[str]:
    """A text cut at the names of special tokens, which are pieces of their own.

    >>> pieces("is <T>add(", ["<T>", "<EOS>"])
    ['is ', '<T>', 'add(']
    """
    names = "|".join(map(re.escape, sorted(specials, key=len, reverse=True)))
    return [piece for piece in (re.split(f"({names})", text) if names else [text]) if piece]


def symbols_of(text: str, specials: Collection[str]) -> list[Symbol]:
    """A text as a machine reads it: bytes, and special tokens by their names."""
    found: list[Symbol] = []
    for piece in pieces(text, specials):
        found += [piece] if piece in specials else piece.encode("utf-8", "surrogatepass")
    return found


def symbols_text(symbols: Iterable[int]) -> str:
    """A set of bytes as people write classes: `[a-z0-9]`, or `{+,-}` for two or three.

    >>> symbols_text(b"0123456789"), symbols_text(b"+-")
    ('[0-9]', '{+,-}')
    """
    runs: list[list[int]] = []
    for symbol in sorted(set(symbols)):
        if runs and symbol == runs[-1][1] + 1:
            runs[-1][1] = symbol
        else:
            runs.append([symbol, symbol])
    if len(runs) == 1 and runs[0][0] == runs[0][1]:
        return _symbol_text(runs[0][0])
    if len(runs) < 4 and all(first == last for first, last in runs):
        return "{" + ",".join(_symbol_text(first) for first, _ in runs) + "}"
    return "[" + "".join(_run_text(a, b) for a, b in runs) + "]"


def letters_text(text: bytes) -> str:
    """Bytes one behind the other as people write them: letters beyond ASCII as they are, where they are complete.

    >>> letters_text("né 5".encode()), letters_text(b"caf\\xc3")
    ('né␣5', 'caf⟨C3⟩')
    """
    shown = text.decode("utf-8", "surrogateescape")
    return "".join(c if 0x80 <= ord(c) < 0xDC80 or ord(c) > 0xDCFF else _symbol_text(ord(c) & 0xFF) for c in shown)


def _run_text(first: int, last: int) -> str:
    if last - first < 2:
        return "".join(_class_symbol(s) for s in range(first, last + 1))
    return f"{_class_symbol(first)}-{_class_symbol(last)}"


def _class_symbol(symbol: int) -> str:
    return "\\" + chr(symbol) if chr(symbol) in "\\]-^" else _symbol_text(symbol)


_VISIBLE = {0x20: "␣", 0x0A: "↵", 0x09: "⇥"}


def _symbol_text(symbol: int) -> str:
    if symbol in _VISIBLE:
        return _VISIBLE[symbol]
    return chr(symbol) if 0x20 < symbol < 0x7F else f"⟨{symbol:02X}⟩"
