"""Arrays whose items all differ: where the values of an item can be listed, those that are left are remembered.

{"items": {"enum": ["a", "b"]}, "uniqueItems": true}   ->   [], ["a"], ["b"], ["a", "b"], ["b", "a"]
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from tooldec.automaton import DFA
from tooldec.grammar import EMPTY, NOTHING, Deferred, Grammar, Literal, choice, sequence
from tooldec.states.memory import value_of
from tooldec.states.variety import of_term

MOST_TEXTS = 500
"""Of items that can be written in so many ways the values are listed."""

LONGEST = 4_000
"""Texts of so many bytes are listed."""

Values = Mapping[str, Grammar]
"""Values in their canonical form, and how each is written."""

_State = tuple[int, frozenset[str]]
"""How many items there are, and which values they have, as far as later ones could have them too."""


def listed(term: Grammar, delimiter: str = "") -> Values | None:
    """The values of a grammar; None where they are too many. A delimiter may stand around strings, whose keys are bare.

    >>> [*listed(Literal(b"1.0") | Literal(b"2") | Literal(b"1"))]
    ['1', '2']
    >>> [*listed(Literal(b"{a:[<s>x<s>,True]}"), "<s>")]
    ['{"a": ["x", true]}']
    """
    dfa = DFA(term)
    if of_term(term, dfa) > MOST_TEXTS:
        return None
    texts: list[bytes] = []
    level = {b"": dfa.initial}
    while level:
        texts += [text for text, state in level.items() if dfa.is_accepting(state)]
        level = {
            text + bytes([symbol]): to
            for text, state in level.items()
            for symbol, to in dfa.transitions(state)
            if isinstance(symbol, int)
        }
        if len(texts) + len(level) > MOST_TEXTS or any(len(text) > LONGEST for text in level):
            return None
    found: dict[str, list[bytes]] = {}
    for text in texts:
        found.setdefault(value_of(_as_json(text, delimiter) if delimiter else text), []).append(text)
    return {value: choice([Literal(text) for text in spelled]) for value, spelled in found.items()}


def _as_json(text: bytes, delimiter: str) -> bytes:
    """A text whose strings stand between delimiters, and whose keys are bare, as JSON."""
    parts = text.decode().split(delimiter)
    for at, part in enumerate(parts):
        parts[at] = json.dumps(part) if at % 2 else re.sub(r"([{,])([^{},:]+):", r'\1"\2":', part)
    return "".join(parts).encode()


def distinct(first: Sequence[Values], others: Values, low: int, high: int | None, comma: Grammar) -> Grammar:
    """low to high different items, the first ones out of their own values; NOTHING where they can't be so many."""
    known: dict[_State, Grammar] = {}
    later = [frozenset[str]().union(others, *first[index:]) for index in range(len(first) + 1)]

    def ways(state: _State) -> Iterator[tuple[Grammar, _State]]:
        count, used = state
        for value, term in (first[count] if count < len(first) else others).items():
            after = (count + 1, (used | {value}) & later[min(count + 1, len(first))])
            if value not in used and fills(after):
                yield term, after

    def fills(state: _State) -> bool:
        """Whether there are values left for all items that there have to be."""
        count, used = state
        if count >= len(first):
            return len(others) - len(used) >= low - count
        left = [first[index].keys() - used for index in range(count, min(low, len(first)))]
        return _differ([*left, *[others.keys() - used] * (low - len(first))])

    def rest(state: _State) -> Grammar:
        if state not in known:
            known[state] = Deferred("items", lambda: written(state))
        return known[state]

    def written(state: _State) -> Grammar:
        count = state[0]
        options: list[Grammar] = [EMPTY] if count >= low else []
        if high is None or count < high:
            options += [sequence(comma if count else EMPTY, term, rest(after)) for term, after in ways(state)]
        return choice(options)

    start: _State = (0, frozenset())
    return written(start) if fills(start) else NOTHING


def _differ(sets: Sequence[set[str]]) -> bool:
    """Whether one value can be taken out of each set, no two alike (an assignment, grown by augmenting paths)."""
    taken: dict[str, int] = {}

    def place(index: int, tried: set[str]) -> bool:
        for value in sorted(sets[index], key=taken.__contains__):
            if value in tried:
                continue
            tried.add(value)
            if value not in taken or place(taken[value], tried):
                taken[value] = index
                return True
        return False

    return all(place(index, set()) for index in range(len(sets)))
