"""Objects: members with declared names and with others, in the schema's order or in any, and how many there are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

from tooldec.arguments.arrays import Build
from tooldec.arguments.cases import cases_of_all
from tooldec.arguments.document import MOST_CASES, Document
from tooldec.arguments.facts import Facts, Members, Spot
from tooldec.arguments.members import Member, Writer, alike, in_order
from tooldec.arguments.rules import rules
from tooldec.arguments.strings import PLAIN, counted, pattern_table, reads, ready, strings, words_table
from tooldec.automaton import DFA, table_of
from tooldec.errors import SchemaError
from tooldec.grammar import NOTHING, Counted, Grammar, Submachine, choice, sequence
from tooldec.literals import STRING
from tooldec.submachine import KEPT, difference, intersection

MOST_PATTERNS = 5


def objects(
    facts: Facts, doc: Document, build: Build, mark: Callable[[str, Grammar], Grammar] | None = None
) -> Grammar:
    """The objects of a case; `mark` may label the values of declared properties."""
    allowed = _Names(facts, doc)
    patterns = _patterns(facts, Spot(None, facts.path))
    closed = _is_closed(facts.members, doc)
    names = _declared(facts, allowed, patterns, closed)
    members: dict[str, Grammar] = {}
    for name in names:
        spots = rules(facts.members, name) if name in allowed else None
        value = NOTHING if spots is None else build(spots)
        if value is not NOTHING:
            members[name] = sequence(_key(name), doc.writing.colon, mark(name, value) if mark else value)
        elif name in facts.required:
            return NOTHING
    others = _others(facts, names, patterns, allowed, closed, doc, build)
    options = [_listed(facts, members, others, way, doc) for way in _ways(facts, tuple(members), bool(others))]
    return choice([option for option in options if option is not NOTHING] or [NOTHING])


def _listed(facts: Facts, members: Mapping[str, Grammar], others: list[Grammar], way: _Way, doc: Document) -> Grammar:
    """The objects of a case that have what one way asks for."""
    declared = [Member(name, text, name in way.required) for name, text in members.items()]
    low, high = facts.min_members, facts.max_members
    needed = len(way.required) + way.other
    if low <= needed:
        low = 0
    if high is not None and not others and high >= len(declared):
        high = None
    if low > len(declared) + bool(others):
        if others:
            reason = "names that aren't declared may be equal, and then count once"
            doc.refuse("minProperties", reason, Spot(None, facts.path))
            low = len(declared) + 1
        else:
            return NOTHING
    if high is not None and needed > high:
        return NOTHING
    if not others and not low and high is None and not doc.writing.any_order:
        content = in_order([(member.text, member.required) for member in declared], doc.writing.comma)
    elif not declared and low <= 1 and len(others) == 1:
        content = alike(others[0], max(low, needed), high, doc.writing)
    else:
        content = Writer(declared, others, way.other, low, high, doc.writing).start()
    if content is NOTHING:
        return NOTHING
    return sequence(b"{", doc.writing.pad, content, doc.writing.pad, b"}")


@dataclass(frozen=True, slots=True)
class _Way:
    """How an object may keep `Facts.beyond`: the declared members that it has, and whether it has another one."""

    required: frozenset[str]
    other: bool = False


def _ways(facts: Facts, declared: tuple[str, ...], others: bool) -> list[_Way]:
    """A member beyond some names is a declared one, which is required then, or another: it is beyond all of them."""
    required = frozenset(facts.required)
    found = [required]
    for inside in facts.beyond:
        more = [name for name in declared if name not in inside]
        found = list(dict.fromkeys(one | {name} for one in found for name in (one - inside or more)))
        if len(found) > MOST_CASES:
            message = f"it may have members beyond those of others in more than {MOST_CASES} ways"
            raise SchemaError(message, path=facts.path, keyword="additionalProperties", fix="require a property")
    ways = [_Way(one) for one in found]
    return [*ways, _Way(required, True)] if others and ways != [_Way(required)] else ways


def _is_closed(groups: Sequence[Members], doc: Document) -> bool:
    """Whether names that aren't declared are left out."""
    declares, explicit = any(group.declares for group in groups), any(group.explicit for group in groups)
    return declares and not explicit and not doc.writing.open_objects


def _declared(facts: Facts, allowed: _Names, patterns: tuple[str, ...], closed: bool) -> tuple[str, ...]:
    """The names that members are listed by; others are beyond all names of `Facts.beyond`."""
    names = [*(name for group in facts.members for name in group.named), *facts.required, *allowed.listed]
    inside = sorted(frozenset().union(*facts.beyond))
    names += [name for name in inside if not closed or any(reads(pattern, name) for pattern in patterns)]
    return tuple(dict.fromkeys(names))


def _key(name: str) -> bytes:
    return json.dumps(name, ensure_ascii=False).encode()


# ---- names, and what their members are


def _patterns(facts: Facts, at: Spot) -> tuple[str, ...]:
    patterns = tuple(dict.fromkeys(pattern for group in facts.members for pattern, _ in group.patterns))
    for pattern in patterns:
        try:
            pattern_table(pattern, True)
            pattern_table(pattern, False)
        except SchemaError as error:
            raise SchemaError(error.message, path=at.path, keyword="patternProperties", fix=error.fix) from None
    if len(patterns) > MOST_PATTERNS:
        raise SchemaError(
            f"more than {MOST_PATTERNS} patterns aren't told apart", path=at.path, keyword="patternProperties"
        )
    return patterns


class _Names:
    """`propertyNames`: the names that are allowed."""

    def __init__(self, facts: Facts, doc: Document) -> None:
        self.terms: list[Grammar] | None = None  # None: any name
        self.listed: list[str] = []
        self.only_listed = False
        if facts.names:
            found = [one for one in cases_of_all(facts.names, doc) if "string" in one.kinds]
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


def _others(
    facts: Facts,
    declared: tuple[str, ...],
    patterns: tuple[str, ...],
    allowed: _Names,
    closed: bool,
    doc: Document,
    build: Build,
) -> list[Grammar]:
    """Members whose names aren't declared, by which of the patterns their names match."""
    groups = facts.members
    if allowed.only_listed:
        return []
    found: list[Grammar] = []
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
                found.append(sequence(key, doc.writing.colon, value))
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
