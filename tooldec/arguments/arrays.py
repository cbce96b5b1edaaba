"""Arrays: items by their place, how many there are, what has to be among them, and whether all differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from tooldec.arguments.cases import cases_of_all
from tooldec.arguments.constants import literal
from tooldec.arguments.distinct import MOST_TEXTS, Values, distinct, listed
from tooldec.arguments.document import Document
from tooldec.arguments.facts import KINDS, Contains, Facts, Spot
from tooldec.automaton import DFA
from tooldec.grammar import EMPTY, NOTHING, Deferred, Grammar, choice, sequence
from tooldec.grammar import Sequence as Row
from tooldec.states.memory import Mark, Unique, canonical
from tooldec.states.variety import INF, of_term

Build = Callable[[Sequence[Spot]], Grammar]
"""The values that satisfy all of some schemas."""

MOST_CONTAINS = 3
"""How many sorts of items are counted at once."""

MOST_COUNTS = 100_000
"""How many ways to have counted them, and all items, are looked at."""

_Found = tuple[int, tuple[int, ...]]


def arrays(facts: Facts, doc: Document, build: Build) -> Grammar:
    """The arrays of a case."""
    low, high = facts.min_items, facts.max_items
    at = Spot(None, facts.path)
    size = max((len(group.first) for group in facts.items), default=0)
    wanted = _wanted(facts, size, at, doc)
    first = [_at(facts, index) for index in range(size)]
    others = [group.others for group in facts.items if group.others is not None]
    if facts.unique and (high is None or high > 1):
        if wanted:
            doc.refuse("uniqueItems", "beside `contains` items aren't compared with each other", at)
        elif (unique := _unique(first, others, low, high, at, doc, build)) is not None:
            return unique
    if wanted:
        return _bracketed(_containing(first, others, wanted, low, high, doc, build), doc)
    terms = [build(spots) for spots in first]
    other = build(others) if high is None or high > size else NOTHING
    none = next((index for index, term in enumerate([*terms, other]) if term is NOTHING), None)
    if none is not None:  # there can't be so many items
        high = none if high is None else min(high, none)
        if low > high:
            return NOTHING
    return _bracketed(items(terms[:high], other, low, high, doc.writing.comma), doc)


def _bracketed(content: Grammar, doc: Document) -> Grammar:
    if content is NOTHING:
        return NOTHING
    return sequence(b"[", doc.writing.pad, content, doc.writing.pad, b"]")


def _at(facts: Facts, index: int) -> list[Spot]:
    spots = [group.first[index] if index < len(group.first) else group.others for group in facts.items]
    return [spot for spot in spots if spot is not None]


def items(first: list[Grammar], other: Grammar, low: int, high: int | None, comma: Grammar) -> Grammar:
    """low to high items, the first ones given, the others alike, with commas between."""
    if high == 0:
        return EMPTY
    if not first:
        least = max(low - 1, 0)
        some = sequence(other, sequence(comma, other).repeat(least, None if high is None else high - 1))
        return some if low else some.optional()
    size = len(first) if high is None else min(len(first), high)
    tail: Grammar = EMPTY
    if high is None or high > size:
        tail = sequence(comma, other).repeat(max(low - size, 0), None if high is None else high - size)
    for index in range(size - 1, -1, -1):
        item: Grammar = first[index] if index == 0 else sequence(comma, first[index])
        tail = sequence(item, tail)
        if index >= low:
            tail = tail.optional()
    return tail


# ---- contains


def _wanted(facts: Facts, size: int, at: Spot, doc: Document) -> tuple[Contains, ...]:
    """What `contains` asks for, but for what any array has."""
    wanted = tuple(one for one in facts.contains if one.low or one.high is not None)
    if len(wanted) > MOST_CONTAINS:
        doc.refuse("contains", f"more than {MOST_CONTAINS} of them aren't counted at once", at)
        wanted = wanted[:MOST_CONTAINS]
    if wanted and (_far(facts.min_items, facts.max_items, size) + 1) * prod(map(len, _counts(wanted))) > MOST_COUNTS:
        doc.refuse("contains", "beside bounds as large as these it isn't counted", at)
        return ()
    return wanted


def _far(low: int, high: int | None, size: int) -> int:
    """How many items there may be before more of them look the same."""
    return max(low, size, 1) if high is None else high


def _counts(wanted: Sequence[Contains]) -> list[range]:
    """How many items of each wanted sort there may be, as far as that matters."""
    return [range((one.low if one.high is None else one.high) + 1) for one in wanted]


def _containing(
    first: list[list[Spot]],
    others: list[Spot],
    wanted: tuple[Contains, ...],
    low: int,
    high: int | None,
    doc: Document,
    build: Build,
) -> Grammar:
    """A state is how many items there are, and how many of each wanted sort, as far as it matters."""
    far = _far(low, high, len(first))
    every = list(product((False, True), repeat=len(wanted)))
    terms: dict[tuple[int, tuple[bool, ...]], Grammar] = {}
    known: dict[_Found, Grammar] = {}

    def item(place: int, sorts: tuple[bool, ...]) -> Grammar:
        if (place, sorts) not in terms:
            spots = list(first[place] if place < len(first) else others)
            for one, is_one in zip(wanted, sorts, strict=True):
                if is_one:
                    spots.append(one.spot)
                elif one.high is not None:  # without a greatest number it needn't be known that an item is no such
                    spots.append(replace(one.spot, wanted=not one.spot.wanted))
            terms[place, sorts] = build(spots)
        return terms[place, sorts]

    def ways(state: _Found) -> Iterator[tuple[Grammar, _Found]]:
        count, found = state
        for sorts in every if high is None or count < high else ():
            after = tuple(
                have + is_one if one.high is not None else min(have + is_one, one.low)
                for have, is_one, one in zip(found, sorts, wanted, strict=True)
            )
            if all(one.high is None or have <= one.high for have, one in zip(after, wanted, strict=True)):
                term = item(min(count, len(first)), sorts)
                if term is not NOTHING:
                    yield term, (min(count + 1, far), after)

    def complete(state: _Found) -> bool:
        return state[0] >= low and all(have >= one.low for have, one in zip(state[1], wanted, strict=True))

    states = [(count, found) for count in range(far + 1) for found in product(*_counts(wanted))]
    live: set[_Found] = set()  # the states from which the end can be reached; what comes later is looked at first
    for state in sorted(states, key=lambda one: (one[0], sum(one[1])), reverse=True):
        if complete(state) or any(after in live for _, after in ways(state)):
            live.add(state)

    def rest(state: _Found) -> Grammar:
        if state not in known:
            known[state] = Deferred("items", lambda: written(state))
        return known[state]

    def written(state: _Found) -> Grammar:
        comma = doc.writing.comma if state[0] else EMPTY
        more = [sequence(comma, term, rest(after)) for term, after in ways(state) if after in live]
        return choice([EMPTY, *more] if complete(state) else more)

    start = (0, (0,) * len(wanted))
    return written(start) if start in live else NOTHING


# ---- unique items


def _unique(
    first: list[list[Spot]], others: list[Spot], low: int, high: int | None, at: Spot, doc: Document, build: Build
) -> Grammar | None:
    """Arrays of different items; None, which is refused, where some are listed and others too many for that."""
    size = len(first) if high is None else min(len(first), high)
    found = [_values(spots, doc, build) for spots in first[:size]]
    found.append({} if high is not None and high <= size else _values(others, doc, build))
    known = [values for values in found if values is not None]
    if len(known) == len(found):
        return _bracketed(distinct(known[:-1], known[-1], low, high, doc.writing.comma), doc)
    if doc.writing.notation.delimiter and not all(_is_plain(spots, doc) for spots in (*first[:size], others)):
        reason = (
            "strings between tokens of their own aren't remembered; list their values (`enum`), or leave it unchecked"
        )
        doc.refuse("uniqueItems", reason, at)
        return None
    if (remembered := _remembered(first[:size], others, low, high, doc, build)) is not None:
        return remembered
    reason = (
        "items by their place aren't compared where one has fewer values than there are items before it; give them "
        "all the same schema, or leave it unchecked (`relax`) and compare them yourself"
    )
    doc.refuse("uniqueItems", reason, at)
    return None


def _is_plain(spots: list[Spot], doc: Document) -> bool:
    """Whether items are numbers and words only."""
    kinds = frozenset[str]().union(*(facts.kinds for facts in cases_of_all(spots, doc))) if spots else KINDS
    return kinds.isdisjoint(("string", "array", "object"))


def _remembered(
    first: list[list[Spot]], others: list[Spot], low: int, high: int | None, doc: Document, build: Build
) -> Grammar | None:
    """Items that the machine remembers; None where those before one may have used up all of its values."""
    end, parts = Mark(), DFA(EMPTY)
    terms = [build(spots) for spots in first]
    if any(term is NOTHING or of_term(term, parts) <= index for index, term in enumerate(terms)):
        return None
    other = build(others) if high is None or high > len(terms) else NOTHING
    most = len(terms) if other is NOTHING else of_term(other, parts)  # so many at least are different
    if most < (INF if high is None else high):
        if other is not NOTHING and most < MOST_TEXTS:  # there may be more, which would be missed
            return None
        high = int(most)
    if high is not None and low > high:
        return NOTHING
    marked: list[Grammar] = [Row((term, end)) for term in terms]
    return Unique(_bracketed(items(marked, Row((other, end)), low, high, doc.writing.comma), doc), end)


def _values(spots: list[Spot], doc: Document, build: Build) -> Values | None:
    """The values of an item, where they are constants or can be listed."""
    if not spots:
        return None
    found: dict[str, object] = {}
    for facts in cases_of_all(spots, doc):
        if facts.constants is None:
            return _listed(build(spots), doc)
        found.update((canonical(value), value) for value in facts.constants)
    path = spots[0].path
    return {
        key: literal(value, doc.writing)
        for key, value in found.items()
        if build([*spots, Spot({"const": value}, path)]) is not NOTHING
    }


def _listed(term: Grammar, doc: Document) -> Values | None:
    """The values of a grammar, where they aren't too many; special tokens, which its texts spell, take their places."""
    delimiter = doc.writing.notation.delimiter
    found = listed(term, delimiter)
    return {key: literal(json.loads(key), doc.writing) for key in found} if found and delimiter else found
