"""Sentences about a state: what it expects, and why a token is blocked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tooldec.automaton import DFA
from tooldec.errors import cut
from tooldec.states.cells import Cell, HostCell, LiteralCell, NamesCell, SpecialCell, TableCell, TextCell
from tooldec.states.memory import Memory, value_of
from tooldec.symbols import Symbol, letters_text, symbols_text

_DIGITS = frozenset(b"0123456789")
_SIGNS = frozenset(b"+-")
_NAME_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
_WORDS = {
    0x20: "a space",
    0x22: "a quote",
    0x2C: "`,`",
    0x0A: "a line break",
}

_VALUES = {
    "IntFSM": "an int",
    "FloatFSM": "a float",
    "BoolFSM": "a bool",
    "StringFSM": "a string",
    "EnumFSM": "a listed value",
    "SpanFSM": "a text from the question",
    "PatternFSM": "a text of this pattern",
}


_TEXT = "any text, or "


def expected(dfa: DFA, state: int) -> str:
    """What may come next, as a phrase: `a sign or a digit`."""
    phrases: list[str] = []
    for cell in dfa.cells(state):
        phrase = _expected_of(cell, dfa)
        if phrase and phrase not in phrases:
            phrases.append(phrase)
    texts = [phrase.removeprefix(_TEXT) for phrase in phrases if phrase.startswith(_TEXT)]
    if len(texts) > 1:  # one for each tool that is a token
        phrases = [_TEXT + ", ".join(texts), *(phrase for phrase in phrases if not phrase.startswith(_TEXT))]
    return " or ".join(phrases)


def remembered(dfa: DFA, state: int) -> tuple[str, ...]:
    """The latest values of the innermost list, or names of the innermost object, in which none may come twice.

    >>> from tooldec.arguments import DUMPS, argument
    >>> dfa = DFA(argument({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, DUMPS))
    >>> remembered(dfa, dfa.read(b'["a", "b", "'))
    ('"a"', '"b"')
    """
    memories = [cell.memory[-1] for cell in dfa.cells(state) if cell.memory]
    return tuple(dict.fromkeys(value for one in memories for value in one.used.latest))


def why_blocked(dfa: DFA, state: int, symbols: Sequence[Symbol]) -> str | None:
    """Why the symbols can't be read from a state, or None where they can.

    >>> from tooldec.grammar import Literal
    >>> why_blocked(DFA(Literal(b"(")), 0, b"[")
    'expected `(`, not `[`'
    """
    at = state
    for index, symbol in enumerate(symbols):
        after = dfa.step(at, symbol)
        if after is None:
            return _reason(dfa, at, symbols, index)
        at = after
    return None


def _reason(dfa: DFA, state: int, symbols: Sequence[Symbol], index: int) -> str:
    symbol, cells = symbols[index], dfa.cells(state)
    if isinstance(symbol, str):
        if any(isinstance(cell, TextCell) for cell in cells):
            return f"`{symbol}` isn't a token of this machine"
        return f"`{symbol}` is a special token, and none may stand {_place(cells)}"
    if any(isinstance(cell, HostCell) for cell in cells):
        return "the result is written by the host, not by the model"
    if cells == (dfa.end,):
        return "the call is complete: nothing but the end may follow"
    names = next((cell for cell in cells if isinstance(cell, NamesCell) and cell.label.mode == "name"), None)
    where = f"byte {index + 1}: " if index else ""
    if names is not None:
        return where + _name_reason(names, symbols[index:])
    special = next((cell for cell in cells if isinstance(cell, SpecialCell)), None)
    if special is not None:
        return f"{where}only `{special.name}` can follow"
    named = (c for c in cells if isinstance(c, LiteralCell) and c.at == 0 and c.label.mode == "name")
    complete = next((c for c in named if c.text[:1] != b")"), None)  # a name is complete, not the arguments
    if complete is not None and complete.label.tool is not None and symbol in _NAME_BYTES and cells == (complete,):
        return where + _no_such_tool(complete.label.tool, symbols[index:])
    if repeated := _repeated(dfa, cells, symbol):
        return where + repeated
    wanted = expected(dfa, state)
    inside = next((cell for cell in cells if isinstance(cell, TableCell)), None)
    if inside is not None and inside.label.parameter is not None:
        value = _VALUES.get(inside.table.name, "this value")
        if inside.at == 0 and not inside.table.follows:  # bare strings come back to it behind each character
            return f"{where}{value} starts with {wanted}"
        tail = letters_text(bytes(s for s in symbols[index:] if isinstance(s, int)))
        if inside.table.name == "EnumFSM":
            return f"{where}no listed value goes on with “{tail}”"
        if inside.table.name == "SpanFSM":
            more = "" if wanted.startswith("one of") else f": expected {wanted}"
            return f"{where}nothing that was said goes on with “{tail}”{more}"
        return f"{where}`{_shown(symbol)}` isn't part of {value}: expected {wanted}"
    return f"{where}expected {wanted}, not `{_shown(symbol)}`"


def _repeated(dfa: DFA, cells: tuple[Cell, ...], symbol: int) -> str:
    """Why a symbol is barred by what a list holds already; nothing where it isn't."""
    for cell in (cell for cell in cells if cell.memory):
        behind = dfa.heads(cell.rest) if isinstance(cell, TableCell) and cell.table.accepting[cell.at] else ()
        goes_on = any(way.advance(symbol, dfa) for way in (cell.bare, *behind))
        for one in cell.memory:
            where, parts = ("object", "names") if one.term.names else ("list", "items")
            if value := _value_again(one, symbol, goes_on):
                return f"{cut(value)} is in the {where} already, whose {parts} must differ"
            if goes_on and one.used and not one.idle:
                return f"only one that is in the {where} already could come of it, and its {parts} must differ"
    return ""


def _value_again(memory: Memory, symbol: int, goes_on: bool) -> str:
    """The value that a symbol ends, or begins, for another time; "" where it is none."""
    if goes_on:
        after = memory.read(symbol)
        text = memory.text if after is None else after.text if value_of(after.text) in after.used else b""
        return text.decode("utf-8", "replace")
    between = memory.depth == 1 and not memory.text and not memory.idle
    return next((value for value in memory.used.latest if between and value.startswith(chr(symbol))), "")


def _name_reason(cell: NamesCell, rest: Sequence[Symbol]) -> str:
    prefix = cell.names.words[cell.low][: cell.depth]
    begun = prefix.decode("utf-8", "replace")
    tail = bytes(s for s in rest if isinstance(s, int))
    if tail[0] not in _NAME_BYTES:
        if tail[0] == 0x0A:
            return "no line break inside a name"
        if not prefix:
            return f"a tool's name comes first, not `{_shown(tail[0])}`"
        return f"“{begun}” is not yet a full name"
    return _no_such_tool(begun, rest)


def _no_such_tool(begun: str, rest: Sequence[Symbol]) -> str:
    tail = bytes(s for s in rest if isinstance(s, int))
    end = next((i for i, byte in enumerate(tail) if byte not in _NAME_BYTES), len(tail))
    return f"no tool is called “{begun}{tail[:end].decode('utf-8', 'replace')}”"


def _expected_of(cell: Cell, dfa: DFA) -> str:
    if isinstance(cell, TextCell):
        return f"{_TEXT}{cell.marker}" if cell.marker else "any text"
    if isinstance(cell, HostCell):
        return "the host's result"
    if isinstance(cell, NamesCell) and cell.label.mode == "name":
        return "a tool's name" if cell.depth == 0 else "the rest of a tool's name"
    if isinstance(cell, NamesCell):
        return "one of the listed values" if cell.depth == 0 else "the rest of a listed value"
    if isinstance(cell, LiteralCell):
        return f"`{cell.text[cell.at :].decode('utf-8', 'replace')}`".replace("\n", "↵")
    if isinstance(cell, SpecialCell):
        return f"`{cell.name}`"
    if cell is dfa.end:
        return "the end"
    return _symbols(s for s in dfa.readable(cell) if isinstance(s, int))


def _symbols(symbols: Iterable[int]) -> str:
    """A set of bytes in words: `a sign or a digit`."""
    rest = set(symbols)
    parts: list[str] = []
    if _SIGNS <= rest:
        parts.append("a sign")
        rest -= _SIGNS
    if _DIGITS <= rest and len(rest) < 100:
        parts.append("a digit")
        rest -= _DIGITS
    elif rest and rest <= _DIGITS and len(rest) > 2:
        low, high = min(rest), max(rest)
        if len(rest) == high - low + 1:
            parts.append(f"a digit {chr(low)}-{chr(high)}")
            rest = set()
    if len(rest) > 60:
        return "any character of a text"
    if len(rest) <= 3:
        parts += [_WORDS.get(byte, f"`{_shown(byte)}`") for byte in sorted(rest)]
    else:
        parts.append(f"one of {symbols_text(rest)}")
    return " or ".join(parts)


def _shown(symbol: Symbol) -> str:
    return symbol if isinstance(symbol, str) else symbols_text([symbol])


def _place(cells: tuple[Cell, ...]) -> str:
    modes = {cell.label.mode for cell in cells}
    if "argument" in modes:
        return "inside of an argument"
    return "inside of a tool's name" if "name" in modes else "here"
