"""Objects: members with declared names and with others, in the schema's order or in any, and how many there are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce

from tooldec.arguments.arrays import Build
from tooldec.arguments.cases import any_value, cases_of_all
from tooldec.arguments.document import MOST_CASES, Document
from tooldec.arguments.facts import Facts, Members, Some, Spot
from tooldec.arguments.literals import STRING
from tooldec.arguments.members import Member, Writer, alike, in_order
from tooldec.arguments.patterns import pattern_table, reads
from tooldec.arguments.rules import rules
from tooldec.arguments.strings import PLAIN, counted, ready, strings, words_table
from tooldec.automaton import DFA, table_of
from tooldec.errors import SchemaError
from tooldec.grammar import EMPTY, NOTHING, Counted, Grammar, Submachine, choice, sequence
from tooldec.states.memory import Mark, Unique
from tooldec.states.variety import of_term
from tooldec.submachine import KEPT, difference, intersection

Marking = Callable[[str, Grammar], Grammar]

_Other = tuple[Grammar, Grammar]
"""Members whose names aren't declared: their names, and their values."""

MOST_PATTERNS = 5
MOST_MIXED = 3


def objects(facts: Facts, doc: Document, build: Build, mark: Marking | None = None) -> Grammar:
    """The objects of a case; `mark` may label the values of declared properties, and members of other names ("")."""
    allowed = _Names(facts.names, doc)
    patterns = _patterns(facts.members, facts.path)
    closed = _is_closed(facts.members, doc)
    names = _declared(facts, allowed, patterns, closed)
    spots = {name: said for name in names if name in allowed and (said := rules(facts.members, name)) is not None}

    def written(name: str, more: Sequence[Spot]) -> Grammar:
        value = build([*spots[name], *more]) if name in spots else NOTHING
        if value is NOTHING:
            return NOTHING
        return sequence(_key(name), doc.writing.colon, mark(name, value) if mark else value)

    members = {name: text for name in names if (text := written(name, ())) is not NOTHING}
    if any(name not in members for name in facts.required):
        return NOTHING
    others = _others(facts, names, closed, doc, build)
    options: list[Grammar] = []
    for way in _ways(facts, tuple(members), doc):
        chosen = {**members, **{name: written(name, more) for name, more in way.more.items()}}
        last = _others(way.with_last(facts), names, closed, doc, build) if way.last else []
        if NOTHING not in chosen.values() and bool(last) == bool(way.last):
            options.append(_listed(facts, chosen, others, last, way.required, doc, mark or (lambda _, text: text)))
    return choice([option for option in options if option is not NOTHING] or [NOTHING])


def _listed(
    facts: Facts,
    members: Mapping[str, Grammar],
    others: list[_Other],
    last: list[_Other],
    required: frozenset[str],
    doc: Document,
    mark: Marking,
) -> Grammar:
    """The objects of a case that have what one way asks for."""
    declared = [Member(name, text, name in required) for name, text in members.items()]
    low, high = facts.min_members, facts.max_members
    needed = len(required) + bool(last)
    if low <= needed:
        low = 0
    undeclared = bool(others or last)
    if high is not None and not undeclared and high >= len(declared):
        high = None
    if low > len(declared) and not undeclared:
        return NOTHING
    differ = low > 1 and undeclared  # else names that aren't declared may be equal, and then count once
    if differ and max(of_term(key, DFA(EMPTY)) for key, _ in others or last) <= low + len(declared):
        differ = False
        if low > len(declared) + 1:
            doc.refuse("minProperties", "there are few names beside the declared ones", Spot(None, facts.path))
            low = len(declared) + 1
    if high is not None and needed > high:
        return NOTHING
    end = Mark()
    texts, last_texts = (
        [mark("", sequence(key, end if differ else EMPTY, doc.writing.colon, value)) for key, value in some]
        for some in (others, last)
    )
    if not undeclared and not low and high is None and not doc.writing.any_order:
        content = in_order([(member.text, member.required) for member in declared], doc.writing.comma)
    elif not declared and (low <= 1 or differ) and len(others) == 1 and last in ([], others):
        content = alike(texts[0], max(low, needed), high, doc.writing)
    else:
        content = Writer(declared, texts, last_texts, low, high, differ, doc.writing).start()
    if content is NOTHING:
        return NOTHING
    found = sequence(b"{", doc.writing.pad, content, doc.writing.pad, b"}")
    return Unique(found, end, names=True) if differ else found


@dataclass(frozen=True, slots=True)
class _Way:
    """How an object may keep `Facts.some`.

    required   the declared members that it has
    more       what is asked of their values besides
    last       what the last of its other members is
    """

    required: frozenset[str]
    more: Mapping[str, tuple[Spot, ...]]
    last: tuple[Some, ...] = ()

    @property
    def key(self) -> object:
        more = frozenset((name, tuple(spot.key for spot in spots)) for name, spots in self.more.items())
        return self.required, more, tuple(map(id, self.last))

    def by(self, name: str, spots: Sequence[Spot]) -> _Way:
        """The same where a declared member is what is asked for."""
        asked = tuple(spot for spot in spots if not any_value(spot))
        more = {**self.more, name: (*self.more.get(name, ()), *asked)} if asked else self.more
        return _Way(self.required | {name}, more, self.last)

    def with_last(self, facts: Facts) -> Facts:
        """A case whose other members are all what the last one is."""
        names = [spot for some in self.last for spot in some.names]
        members = [some.members for some in self.last]
        return replace(facts, members=(*facts.members, *members), names=(*facts.names, *names))


def _ways(facts: Facts, declared: tuple[str, ...], doc: Document) -> list[_Way]:
    """Each of `Facts.some` is a declared member, or the last of the others: what comes behind it may have its name.

    Of more than MOST_MIXED either declared members are all that isn't there already, or the last of the others is.
    """
    alone = _Way(frozenset(facts.required), {})
    mixed = len(facts.some) <= MOST_MIXED
    found = [alone]
    for some in facts.some:
        named = _Names(some.names, doc)
        fitting = [(name, rules([some.members], name)) for name in declared if name in named]
        sure = {name for name, spots in fitting if spots is not None and all(map(any_value, spots))}
        ways: dict[object, _Way] = {}
        for way in found:
            kept = bool(way.required & sure)
            more = [way] if kept else []
            if not kept and (mixed or not way.last):
                more += [way.by(name, spots) for name, spots in fitting if spots is not None]
            if not kept and (mixed or way.last or way is alone):
                more.append(replace(way, last=(*way.last, some)))
            for one in more:
                ways.setdefault(one.key, one)
        found = list(ways.values())
        if len(found) > MOST_CASES:
            message = f"it may have members beyond those of others in more than {MOST_CASES} ways"
            raise SchemaError(message, path=facts.path, keyword="additionalProperties", fix="require a property")
    return found


def _is_closed(groups: Sequence[Members], doc: Document) -> bool:
    """Whether names that aren't declared are left out."""
    declares, explicit = any(group.declares for group in groups), any(group.explicit for group in groups)
    return declares and not explicit and not doc.writing.open_objects


def _declared(facts: Facts, allowed: _Names, patterns: tuple[str, ...], closed: bool) -> tuple[str, ...]:
    """The names that members are listed by; others are none that `Facts.some` speak of."""
    names = [*(name for group in facts.members for name in group.named), *facts.required, *allowed.listed]
    inside = sorted({name for some in facts.some for name in some.members.named})
    names += [name for name in inside if not closed or any(reads(pattern, name) for pattern in patterns)]
    return tuple(dict.fromkeys(names))


def _key(name: str) -> bytes:
    return json.dumps(name, ensure_ascii=False).encode()


# ---- names, and what their members are


def _patterns(groups: Sequence[Members], path: str) -> tuple[str, ...]:
    patterns = tuple(dict.fromkeys(pattern for group in groups for pattern, _ in group.patterns))
    for pattern in patterns:
        try:
            pattern_table(pattern, True)
            pattern_table(pattern, False)
        except SchemaError as error:
            raise SchemaError(error.message, path=path, keyword="patternProperties", fix=error.fix) from None
    if len(patterns) > MOST_PATTERNS:
        raise SchemaError(
            f"more than {MOST_PATTERNS} patterns aren't told apart", path=path, keyword="patternProperties"
        )
    return patterns


class _Names:
    """`propertyNames`: the names that are allowed."""

    def __init__(self, names: Sequence[Spot], doc: Document) -> None:
        self.terms: list[Grammar] | None = None  # None: any name
        self.listed: list[str] = []
        self.only_listed = False
        if names:
            found = [one for one in cases_of_all(names, doc) if "string" in one.kinds]
            self.only_listed = all(one.constants is not None for one in found)
            if self.only_listed:
                self.listed = [v for one in found for v in one.constants or () if isinstance(v, str)]
            terms = [strings(one, doc.unquoted) for one in found if one.constants is None]
            self.terms = [term for term in terms if term is not NOTHING]
            self._machines = [DFA(term) for term in self.terms]

    def __contains__(self, name: str) -> bool:
        if self.terms is None or name in self.listed:
            return True
        for machine in self._machines:
            state = machine.read(_key(name))
            if state is not None and machine.is_accepting(state):
                return True
        return False


def _others(facts: Facts, declared: tuple[str, ...], closed: bool, doc: Document, build: Build) -> list[_Other]:
    """Members whose names aren't declared, by which of the patterns their names match."""
    allowed, patterns = _Names(facts.names, doc), _patterns(facts.members, facts.path)
    groups = facts.members
    if allowed.only_listed:
        return []
    found: list[_Other] = []
    for chosen in range(1 << len(patterns)):
        inside = tuple(pattern for index, pattern in enumerate(patterns) if chosen >> index & 1)
        outside = tuple(pattern for pattern in patterns if pattern not in inside)
        if closed and not inside:
            continue
        spots: list[Spot] = []
        for group in groups:
            mine = [spot for pattern, spot in group.patterns if pattern in inside]
            spots += mine or ([group.others] if group.others is not None else [])
        if any(spot.impossible for spot in spots):
            continue
        value = build(spots)
        if value is NOTHING:
            continue
        for name in allowed.terms if allowed.terms is not None else [None]:
            key = _other_name(declared, inside, outside, name, Spot(None, facts.path), doc)
            if key is not None:
                found.append((key, value))
    return found


def _other_name(
    declared: tuple[str, ...],
    inside: tuple[str, ...],
    outside: tuple[str, ...],
    name: Grammar | None,
    at: Spot,
    doc: Document,
) -> Grammar | None:
    """Names that match some patterns and not others, and aren't declared."""
    if not declared and not inside and not outside:
        return STRING if name is None else name
    bounds: Counted | None = None
    if isinstance(name, Counted):
        bounds, name = name, (PLAIN if name.body is name.characters else name.body)
    body = name if isinstance(name, Submachine) and name is not STRING else PLAIN
    try:
        table = _name_table(declared, inside, outside, body)
    except OverflowError:
        message = "these patterns need too many states together"
        raise SchemaError(message, path=at.path, keyword="patternProperties", fix="use smaller counts") from None
    if table is None:
        return None
    if bounds is None:
        return table
    try:
        named = counted(table, bounds.low, bounds.high)
    except OverflowError:
        doc.refuse("propertyNames", "a length of names beside so large a pattern isn't counted", at)
        return table
    return None if named is NOTHING else named


@lru_cache(maxsize=KEPT)
def _name_table(
    declared: tuple[str, ...], inside: tuple[str, ...], outside: tuple[str, ...], body: Submachine
) -> Submachine | None:
    tables = [table_of(body), *(pattern_table(p, True) for p in inside), *(pattern_table(p, False) for p in outside)]
    found = reduce(lambda one, other: intersection("StringFSM", one, other), tables)
    if declared:
        found = difference("StringFSM", found, words_table(declared))
    return ready(found) if found.leads_on[0] else None
