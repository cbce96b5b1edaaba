"""How strings stand that aren't JSON's: without quotes and escapes, or as Python reads them; and what none may hold.

    "say \\"hi\\""   ->   say "hi"

An automaton of how JSON writes some strings becomes one of the strings themselves: a character that JSON has to escape
leads where its escape does. A text that would end the value, its closing tag above all, is left out of both.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import product
from keyword import kwlist

import numpy as np

from tooldec.arguments.literals import STRING
from tooldec.arguments.strings import CHARACTERS as QUOTED
from tooldec.arguments.strings import PLAIN, possible, ready
from tooldec.arguments.writing import Fashion, Naming, Writing
from tooldec.automaton import table_of
from tooldec.errors import SchemaError
from tooldec.grammar import (
    EMPTY,
    NOTHING,
    Choice,
    Counted,
    Grammar,
    Literal,
    Names,
    Special,
    Submachine,
    choice,
    sequence,
)
from tooldec.minimizing import DEAD
from tooldec.patterns.regex import ANY, from_regex
from tooldec.patterns.utf8 import characters
from tooldec.submachine import KEPT, Table, difference, intersection, text_table

CHARACTERS = Submachine("StringFSM", characters(*ANY).repeat())
"""Any text, character by character."""

_FIX = "use letters, digits, `_`, `-` and `.`"


def without(letters: str) -> str:
    """Names without line breaks, some letters, and spaces around them, as a regular expression.

    >>> import re
    >>> re.fullmatch(without("<>"), "größe 2") is not None, re.fullmatch(without("<>"), "a>b")
    (True, None)
    """
    inner = rf"{letters}\x00-\x1f\x7f-\x9f"
    return rf"[^\s{inner}]([^{inner}]*[^\s{inner}])?"


TAG = Naming(without('<>"'), "in a tag", _FIX)

KEYWORD = Naming(
    "[A-Za-z_À-ÖØ-öø-ÿΑ-ΡΣ-ωА-яぁ-ゖァ-ヺ一-龥가-힣][0-9A-Za-z_À-ÖØ-öø-ÿΑ-ΡΣ-ωА-яぁ-ゖァ-ヺ一-龥가-힣]*",
    "before an argument of Python",
    "use letters, digits and `_`",
    tuple(kwlist),
)
"""Names of Python's arguments, in letters that it reads as they are (it takes `ﬁ` for `fi`)."""

KEY = Naming(without(r'<>"|:,{}\[\]'), "before a colon without quotes", _FIX)
"""Keys of Gemma's objects."""

_QUOTE, _BACKSLASH = b'"\\'
_SHORT = {8: b"b", 9: b"t", 10: b"n", 12: b"f", 13: b"r", _QUOTE: b'"', _BACKSLASH: b"\\"}


def spelled(term: Grammar, writing: Writing) -> Grammar:
    """Strings of JSON, or a literal, as a way of writing has them, but for those with a text that ends the value."""
    delimiter, barred = writing.notation.delimiter, writing.barred
    if delimiter:
        inner = bare(term, barred, delimiter[:1].encode())
        return inner if inner is NOTHING else sequence(Special(delimiter), inner, Special(delimiter))
    if writing.notation.plain:
        term = _plain(term)
    if not barred:
        return term
    if isinstance(term, Literal):
        return NOTHING if any(text in term.text for text in barred) else term
    return _changed(term, lambda one: _clear(one, barred))


def _plain(term: Grammar) -> Grammar:
    """Strings without the escapes of JSON that Python reads otherwise: of a slash, and of halves of surrogate pairs."""
    if isinstance(term, Counted) and term.body is QUOTED:
        return replace(term, body=PLAIN)
    return PLAIN if term is STRING or term is QUOTED else term


def bare(term: Grammar, barred: tuple[bytes, ...], follows: bytes) -> Grammar:
    r"""Strings of JSON as they stand between tags; `follows` is the byte with which what is behind them begins.

    >>> said = Submachine("EnumFSM", Literal(rb'"a\nb"') | Literal(b'"</x>"'))
    >>> table = table_of(bare(said, (b"</x>",), b"<"))
    >>> table.accepts(b"a\nb"), table.accepts(b"</x>")
    (True, False)
    """
    if isinstance(term, Names):
        texts = (json.loads(word).encode() for word in term.words)
        kept = sorted(text for text in texts if not any(one in text for one in barred))
        options: list[Grammar] = [EMPTY] if b"" in kept else []
        if words := tuple(filter(None, kept)):
            options.append(Names(words, lambda _: EMPTY))
        return choice(options or [NOTHING])
    return _changed(term, lambda one: _bare(one, barred, follows), CHARACTERS)


def is_clear(text: bytes, writing: Writing) -> bool:
    """Whether a text holds nothing that would end the value around it."""
    return not any(one in text for one in writing.barred)


def names_in(term: Grammar, fashion: Fashion, writing: Writing) -> Grammar:
    """Strings of JSON as names of members."""
    names = fashion.names
    return spelled(term, writing) if names is None else _changed(term, lambda one: _named(one, names), CHARACTERS)


def name_in(name: str, fashion: Fashion, writing: Writing, path: str) -> Grammar:
    """A declared name as a member has it; NOTHING where its quotes can't hold it.

    Raises SchemaError where it can't stand without quotes.
    """
    quoted = json.dumps(name, ensure_ascii=False)
    if fashion.names is None:
        return spelled(Literal(quoted.encode()), writing)
    if not can_be(name, fashion.names):
        message = f"the name {quoted} can't stand {fashion.names.where}"
        raise SchemaError(message, path=f"{path}.{name}", fix=fashion.names.fix)
    return Literal(name.encode())


def can_be(name: str, naming: Naming) -> bool:
    """Whether a name can stand without quotes.

    >>> can_be("größe", TAG), can_be("a>b", TAG), can_be(" a", TAG), can_be("", TAG), can_be("class", KEYWORD)
    (True, False, False, False, False)
    """
    return _names(naming).accepts(name.encode())


@lru_cache(maxsize=16)
def _names(naming: Naming) -> Table:
    """The names of a kind."""
    found = table_of(Submachine("StringFSM", from_regex(naming.names)))
    reserved = [word.encode() for word in naming.reserved]
    return difference(found.name, found, Table.of_words("StringFSM", reserved)) if reserved else found


def _changed(
    term: Grammar, change: Callable[[Submachine], Submachine | None], characters: Submachine | None = None
) -> Grammar:
    """Each submachine of some strings changed, those that nothing is left of taken away."""
    if isinstance(term, Choice):
        options = [_changed(option, change, characters) for option in term.options]
        return choice([option for option in options if option is not NOTHING] or [NOTHING])
    body = term.body if isinstance(term, Counted) else term
    if not isinstance(body, Submachine):
        raise TypeError(f"not a grammar of strings: {term!r}")
    try:
        changed = change(body)
        if changed is None or not isinstance(term, Counted):
            return changed or NOTHING
        found = Counted(changed, characters or term.characters, term.low, term.high)
        return found if possible(found) else NOTHING
    except OverflowError:
        message = "what the string must be needs too many states beside the tags around it"
        raise SchemaError(message, fix="use a smaller pattern, or a scheme whose arguments are JSON") from None


@lru_cache(maxsize=KEPT)
def _clear(term: Submachine, barred: tuple[bytes, ...]) -> Submachine | None:
    return _left(intersection(term.name, table_of(term), _holding_no(barred)))


@lru_cache(maxsize=KEPT)
def _bare(term: Submachine, barred: tuple[bytes, ...], follows: bytes) -> Submachine | None:
    found = intersection(term.name, _unescaped(table_of(term)), _holding_no(barred))
    return _left(replace(found, follows=follows))


@lru_cache(maxsize=KEPT)
def _named(term: Submachine, naming: Naming) -> Submachine | None:
    return _left(intersection(term.name, _unescaped(table_of(term)), _names(naming)))


def _left(table: Table) -> Submachine | None:
    return ready(table) if table.accepting[0] or table.leads_on[0] else None


@lru_cache(maxsize=64)
def _holding_no(barred: tuple[bytes, ...]) -> Table:
    """Any text that holds none of these."""
    table = text_table(b"", barred)
    return replace(table, accepting=(True,) * len(table))


def _unescaped(table: Table) -> Table:
    """The texts themselves of strings that JSON writes: what it escapes leads where the first of its escapes does."""
    rows = np.vstack([table.array, np.full((1, 256), DEAD, dtype=np.int32)])  # DEAD is the last row's number, too
    found = table.array.copy()
    escape = table.array[:, _BACKSLASH]
    for byte in (*range(0x20), _QUOTE, _BACKSLASH):
        found[:, byte] = DEAD
        ways = [_SHORT[byte]] if byte in _SHORT else []
        ways += [b"u" + bytes(way) for way in product(*({d, ord(chr(d).upper())} for d in b"%04x" % byte))]
        for way in ways:
            reached = escape
            for symbol in way:
                reached = rows[reached, symbol]
            found[:, byte] = np.where(found[:, byte] == DEAD, reached, found[:, byte])
    closing = table.array[:, _QUOTE]
    ends = [bool(to >= 0 and table.accepting[to]) for to in closing.tolist()]
    first = table.rows[0][_QUOTE]  # becomes state 0, and state 0 what it was
    order = [first, *(state for state in range(len(table)) if state != first)]
    number = np.empty(len(order) + 1, dtype=np.int32)
    number[order], number[DEAD] = np.arange(len(order)), DEAD
    return Table.smallest(table.name, number[found[order]], [ends[state] for state in order])
