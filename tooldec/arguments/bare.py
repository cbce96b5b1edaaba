"""Strings without quotes and escapes, as they stand between tags of their own; and what no value there may hold.

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

import numpy as np

from tooldec.arguments.strings import possible, ready
from tooldec.arguments.writing import Fashion, Writing
from tooldec.automaton import table_of
from tooldec.errors import SchemaError
from tooldec.grammar import EMPTY, NOTHING, Choice, Counted, Grammar, Literal, Names, Submachine, choice
from tooldec.minimizing import DEAD
from tooldec.patterns.regex import ANY, from_regex
from tooldec.patterns.utf8 import characters
from tooldec.submachine import KEPT, Table, intersection, text_table

CHARACTERS = Submachine("StringFSM", characters(*ANY).repeat())
"""Any text, character by character."""

_EDGE, _INNER = r'[^<>"\s\x00-\x1f\x7f-\x9f]', r'[^<>"\x00-\x1f\x7f-\x9f]'
NAMES = Submachine("StringFSM", from_regex(f"{_EDGE}({_INNER}*{_EDGE})?"))
"""Names that can stand in a tag: no quote, bracket or line break, and no space around them."""

_QUOTE, _BACKSLASH = b'"\\'
_SHORT = {8: b"b", 9: b"t", 10: b"n", 12: b"f", 13: b"r", _QUOTE: b'"', _BACKSLASH: b"\\"}


def clear(term: Grammar, writing: Writing) -> Grammar:
    """Strings of JSON, or a literal, without those that hold a text that ends the value around them."""
    barred = writing.outer.barred if writing.outer else ()
    if not barred:
        return term
    if isinstance(term, Literal):
        return NOTHING if any(text in term.text for text in barred) else term
    return _changed(term, lambda one: _clear(one, barred))


def bare(term: Grammar, fashion: Fashion) -> Grammar:
    r"""Strings of JSON as they stand between tags.

    >>> from tooldec.grammar import Literal
    >>> said = Submachine("EnumFSM", Literal(rb'"a\nb"') | Literal(b'"</x>"'))
    >>> fashion = Fashion(*[EMPTY] * 6, tags=True, barred=(b"</x>",), follows=b"<")
    >>> table_of(bare(said, fashion)).accepts(b"a\nb"), table_of(bare(said, fashion)).accepts(b"</x>")
    (True, False)
    """
    if isinstance(term, Names):
        texts = (json.loads(word).encode() for word in term.words)
        kept = sorted(text for text in texts if not any(one in text for one in fashion.barred))
        options: list[Grammar] = [EMPTY] if b"" in kept else []
        if words := tuple(filter(None, kept)):
            options.append(Names(words, lambda _: EMPTY))
        return choice(options or [NOTHING])
    return _changed(term, lambda one: _bare(one, fashion.barred, fashion.follows), CHARACTERS)


def bare_name(term: Grammar) -> Grammar:
    """Strings of JSON as names in a tag."""
    return _changed(term, _bare_name, CHARACTERS)


def is_clear(text: bytes, writing: Writing) -> bool:
    """Whether a text holds nothing that would end the value around it."""
    return writing.outer is None or not any(one in text for one in writing.outer.barred)


def can_be_tag(name: str) -> bool:
    """Whether a name can stand in a tag.

    >>> can_be_tag("größe"), can_be_tag("a>b"), can_be_tag(" a"), can_be_tag("")
    (True, False, False, False)
    """
    return table_of(NAMES).accepts(name.encode())


def tag_name(name: str, path: str) -> Grammar:
    """A name as it stands in a tag. Raises SchemaError where it can't."""
    if not can_be_tag(name):
        message = f"the name {json.dumps(name, ensure_ascii=False)} can't stand in a tag"
        raise SchemaError(message, path=f"{path}.{name}", fix="use letters, digits, `_`, `-` and `.`")
    return Literal(name.encode())


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
    return _left(intersection(term.name, table_of(term), _without(barred)))


@lru_cache(maxsize=KEPT)
def _bare(term: Submachine, barred: tuple[bytes, ...], follows: bytes) -> Submachine | None:
    found = intersection(term.name, _unescaped(table_of(term)), _without(barred))
    return _left(replace(found, follows=follows))


@lru_cache(maxsize=KEPT)
def _bare_name(term: Submachine) -> Submachine | None:
    return _left(intersection(term.name, _unescaped(table_of(term)), table_of(NAMES)))


def _left(table: Table) -> Submachine | None:
    return ready(table) if table.accepting[0] or table.leads_on[0] else None


@lru_cache(maxsize=64)
def _without(barred: tuple[bytes, ...]) -> Table:
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
