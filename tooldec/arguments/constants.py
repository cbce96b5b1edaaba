"""Constants: `enum` and `const`, each in one way to write it, words in each of theirs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tooldec.arguments.bare import can_be, is_clear, name_in, spelled
from tooldec.arguments.facts import ANY, BY_KIND, Facts, kind_of
from tooldec.arguments.writing import DUMPS, Writing
from tooldec.automaton import DFA
from tooldec.grammar import EMPTY, NOTHING, Grammar, Literal, Names, Special, Submachine, choice, sequence
from tooldec.states.memory import canonical

BOX = 64
"""Up to so many constants are drawn as one box; more are found in a sorted list."""


def constants(facts: Facts, writing: Writing, build: Callable[[Facts], Grammar]) -> Grammar:
    """The constants of a case that satisfy what else it says; `build` makes the grammar of a case without constants."""
    kept = satisfying(facts, writing, build)
    if not kept:
        return NOTHING
    if not writing.notation.delimiter:
        return _listed_values(kept, len(kept) > BOX, writing)
    texts = [value for value in kept if isinstance(value, str)]
    others = [value for value in kept if not isinstance(value, str | dict | list)]
    options = [spelled(_listed_values(texts, len(texts) > BOX, DUMPS), writing)] if texts else []
    options += [_listed_values(others, len(others) > BOX, writing)] if others else []
    return choice(options + [literal(value, writing) for value in kept if isinstance(value, dict | list)])


def _listed_values(values: Sequence[Any], many: bool, writing: Writing) -> Grammar:
    """Some values as one box, or sorted where they are many."""
    if not many:
        return Submachine("EnumFSM", choice([literal(value, writing) for value in values]))
    plain = [value for value in values if not isinstance(value, dict | list)]
    words = {text for value in plain for text in _words(value, writing) or (dumped(value),)}
    nested = [literal(value, writing) for value in values if isinstance(value, dict | list)]
    return choice([Names(tuple(sorted(words)), lambda _: EMPTY), *nested])


def satisfying(facts: Facts, writing: Writing, build: Callable[[Facts], Grammar]) -> list[Any]:
    """The constants of a case that can be written, and satisfy what else it says."""
    kept = list({canonical(one): one for one in facts.constants or () if can_be_written(one, writing)}.values())
    return _satisfying(kept, facts, writing, build) if any(facts.said(*f) for f in BY_KIND.values()) else kept


def _satisfying(values: Sequence[Any], facts: Facts, writing: Writing, build: Callable[[Facts], Grammar]) -> list[Any]:
    """The values that a machine of everything else reads."""
    kept: list[Any] = []
    machines: dict[str, DFA | None] = {}
    for value in values:
        kind = kind_of(value)
        if kind not in machines:
            said = _said_of(kind, facts)
            machines[kind] = None if said == ANY else DFA(build(replace(said, kinds=frozenset({kind}))))
        machine = machines[kind]
        if machine is None:
            kept.append(value)
            continue
        if kind in ("integer", "fraction"):
            fits = _is_within(Fraction(repr(value)), facts)
        else:
            state = machine.read(written(value, writing))
            fits = state is not None and machine.is_accepting(state)
        if fits:
            kept.append(value)
    return kept


def _is_within(number: Fraction, facts: Facts) -> bool:
    """Whether a number satisfies what is said of numbers; machines of bounds read no exponent, as in `1e-05`."""
    for side, sign in ((facts.low, 1), (facts.high, -1)):
        if side is not None:
            above = sign * (number - Fraction(side[0]))
            if above < 0 or (above == 0 and side[1]):
                return False
    return all((number % Fraction(step) == 0) is wanted for step, wanted, _ in facts.multiples)


def _said_of(kind: str, facts: Facts) -> Facts:
    """What is said about one kind only."""
    fields = BY_KIND.get("number" if kind in ("integer", "fraction") else kind, ())
    return replace(ANY, **{name: getattr(facts, name) for name in fields}, path=facts.path)


def literal(value: Any, writing: Writing) -> Grammar:
    """One value, with the spaces that the way of writing lets stand between its parts."""
    if isinstance(value, dict):
        names = {key: name_in(key, writing.braces, writing, "$") for key in writing.ordered(value)}
        parts = [sequence(name, writing.colon, literal(value[key], writing)) for key, name in names.items()]
        return sequence(b"{", writing.pad, _listed(parts, writing), writing.pad, b"}")
    if isinstance(value, list):
        parts = [literal(item, writing) for item in value]
        return sequence(b"[", writing.pad, _listed(parts, writing), writing.pad, b"]")
    if isinstance(value, str) and writing.notation.delimiter:
        around = Special(writing.notation.delimiter)
        return sequence(around, value.encode(), around)
    return choice([Literal(text) for text in _words(value, writing) or (dumped(value),)])


def _words(value: Any, writing: Writing) -> tuple[bytes, ...]:
    """How true, false and null are written; nothing for any other value."""
    notation = writing.notation
    if value is None:
        return notation.null
    return () if not isinstance(value, bool) else notation.true if value else notation.false


def can_be_written(value: Any, writing: Writing) -> bool:
    """Whether a value holds nothing that would end it."""
    if not writing.notation.delimiter:
        return is_clear(dumped(value), writing)
    if isinstance(value, dict):
        names = writing.notation.keys
        return all((names is None or can_be(key, names)) and can_be_written(value[key], writing) for key in value)
    if isinstance(value, list):
        return all(can_be_written(item, writing) for item in value)
    return not isinstance(value, str) or is_clear(value.encode(), writing)


def _listed(parts: list[Grammar], writing: Writing) -> Grammar:
    return sequence(*(part if index == 0 else sequence(writing.comma, part) for index, part in enumerate(parts)))


def written(value: Any, writing: Writing) -> bytes:
    """The shortest way to write a value."""
    return shortest(literal(value, writing))


def shortest(term: Grammar) -> bytes:
    """The shortest text of a grammar that is a chain of literals and optional parts."""
    dfa = DFA(term)
    text: list[int] = []
    state = dfa.initial
    while not dfa.is_accepting(state):
        symbol, state = next((symbol, to) for symbol, to in _by_need(dfa, state))
        text.append(symbol)
    return bytes(text)


def _by_need(dfa: DFA, state: int) -> list[tuple[int, int]]:
    """Ways on, spaces last."""
    ways = [(symbol, to) for symbol, to in dfa.transitions(state) if isinstance(symbol, int)]
    return sorted(ways, key=lambda way: way[0] in b" \t\n\r")


def dumped(value: Any) -> bytes:
    """A value as json.dumps writes it."""
    return json.dumps(value, ensure_ascii=False).encode()
