"""Objects: members with declared names and with others, in the schema's order or in any, and how many there are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce

from tooldec.arguments.arrays import Build
from tooldec.arguments.cases import cases_of_all
from tooldec.arguments.document import Document
from tooldec.arguments.facts import Facts, Members, Spot
from tooldec.arguments.strings import PLAIN, pattern_table, ready, strings, words_table
from tooldec.automaton import DFA, table_of
from tooldec.errors import SchemaError
from tooldec.grammar import EMPTY, NOTHING, Counted, Deferred, Grammar, Submachine, choice, sequence
from tooldec.grammar import Sequence as Joined
from tooldec.submachine import difference, intersection

MOST_PATTERNS = 5


@dataclass(frozen=True, slots=True)
class Member:
    """A declared property that can be written: `text` is its key, colon and value."""

    name: str
    text: Grammar
    required: bool


def objects(
    facts: Facts, doc: Document, build: Build, mark: Callable[[str, Grammar], Grammar] | None = None
) -> Grammar:
    """The objects of a case; `mark` may label the values of declared properties."""
    at = Spot(None, facts.path)
    allowed = _Names(facts, doc)
    declared: list[Member] = []
    names = dict.fromkeys([name for group in facts.members for name in group.named] + list(facts.required))
    names.update(dict.fromkeys(allowed.listed))
    patterns = _patterns(facts, at, doc)
    for name in names:
        spots = _rules(facts.members, name, doc)
        value: Grammar = NOTHING
        if spots is not None and name in allowed:
            value = build(spots)
        if value is not NOTHING:
            marked = mark(name, value) if mark else value
            declared.append(Member(name, sequence(_key(name), doc.writing.colon, marked), name in facts.required))
        elif name in facts.required:
            return NOTHING
    others = _others(facts, tuple(names), patterns, allowed, doc, build)
    low, high = facts.min_members, facts.max_members
    needed = sum(member.required for member in declared)
    if low <= needed:
        low = 0
    if high is not None and not others and high >= len(declared):
        high = None
    if low > len(declared) + bool(others):
        if others:
            doc.refuse("minProperties", "names that aren't declared may be equal, and then count once", at)
            low = len(declared) + 1
        else:
            return NOTHING
    if high is not None and needed > high:
        return NOTHING
    if not others and not low and high is None and not doc.writing.any_order:
        content = in_order([(member.text, member.required) for member in declared], doc.writing.comma)
    elif not declared and low <= 1 and len(others) == 1:
        content = _alike(others[0], low, high, doc)
    else:
        content = _Writer(declared, others, low, high, doc).start()
    if content is NOTHING:
        return NOTHING
    return sequence(b"{", doc.writing.pad, content, doc.writing.pad, b"}")


def _key(name: str) -> bytes:
    return json.dumps(name, ensure_ascii=False).encode()


def _alike(member: Grammar, low: int, high: int | None, doc: Document) -> Grammar:
    if high == 0:
        return EMPTY if not low else NOTHING
    more = sequence(doc.writing.comma, member).repeat(0, None if high is None else high - 1)
    return sequence(member, more) if low else sequence(member, more).optional()


def in_order(members: Iterable[tuple[Grammar, bool]], comma: Grammar) -> Grammar:
    """Members in their order with commas between; those that aren't required may be left out."""
    listed = list(members)
    opening = next((index for index, (_, needed) in enumerate(listed) if needed), len(listed))
    first: Grammar = EMPTY  # what may follow where nothing has been written (only up to the first that is required),
    later: Grammar = EMPTY  # and where something has
    for index in range(len(listed) - 1, -1, -1):
        member, needed = listed[index]
        if index <= opening:
            first_with = _then(member, later)
            first = first_with if needed else choice([first_with, first])
        if index:
            later_with = _then(sequence(comma, member), later)
            later = later_with if needed else choice([later_with, later])
    return first


def _then(member: Grammar, rest: Grammar) -> Grammar:
    """Both, without unfolding what follows: it is shared by many."""
    return member if rest is EMPTY else Joined((member, rest))


# ---- which rules hold for a name


def _rules(groups: Sequence[Members], name: str, doc: Document) -> list[Spot] | None:
    """The schemas that a member's value has to satisfy; None where there can't be such a member."""
    spots: list[Spot] = []
    for group in groups:
        mine = [spot for pattern, spot in group.patterns if matches(pattern, name)]
        if name in group.named:
            mine.append(group.named[name])
        elif not mine and group.others is not None:
            mine.append(group.others)
        spots += mine
    return None if any(spot.impossible for spot in spots) else spots


@cache
def matches(pattern: str, name: str) -> bool:
    """Whether a name contains a match, as Python reads the pattern."""
    try:
        return re.search(re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", pattern), name) is not None
    except re.error as error:
        raise SchemaError(f"the pattern {pattern!r} can't be read: {error}", keyword="patternProperties") from None


def _patterns(facts: Facts, at: Spot, doc: Document) -> tuple[str, ...]:
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
            terms = [strings(one, doc) for one in found if one.constants is None]
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
    facts: Facts, declared: tuple[str, ...], patterns: tuple[str, ...], allowed: _Names, doc: Document, build: Build
) -> list[Grammar]:
    """Members whose names aren't declared, by which of the patterns their names match."""
    groups = facts.members
    closed = not doc.writing.open_objects and any(g.declares for g in groups) and not any(g.explicit for g in groups)
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
            key = _other_name(declared, inside, outside, name, doc)
            if key is not None:
                found.append(sequence(key, doc.writing.colon, value))
    return found


def _other_name(
    declared: tuple[str, ...], inside: tuple[str, ...], outside: tuple[str, ...], name: Grammar | None, doc: Document
) -> Grammar | None:
    """Names that match some patterns and not others, and aren't declared."""
    if not declared and not inside and not outside:
        return doc.writing.string if name is None else name
    bounds: Counted | None = None
    if isinstance(name, Counted):
        bounds, name = name, (PLAIN if name.body is name.characters else name.body)
    body = name if isinstance(name, Submachine) and name is not doc.writing.string else PLAIN
    table = _name_table(declared, inside, outside, body)
    if table is None:
        return None
    return table if bounds is None else Counted(table, bounds.characters, bounds.low, bounds.high)


@cache
def _name_table(
    declared: tuple[str, ...], inside: tuple[str, ...], outside: tuple[str, ...], body: Submachine
) -> Submachine | None:
    tables = [table_of(body), *(pattern_table(p, True) for p in inside), *(pattern_table(p, False) for p in outside)]
    found = reduce(lambda one, other: intersection("StringFSM", one, other), tables)
    if declared:
        found = difference("StringFSM", found, words_table(declared))
    return ready(found) if found.leads_on[0] else None


# ---- members one by one


@dataclass(frozen=True, slots=True)
class _Written:
    """What matters of the members that have been written.

    left    the declared ones that may still come: the first one's number, or in any order the set of those missing
    total   how many there were, as far as it matters
    sure    how many are sure to have different names: an undeclared name may have come twice
    other   whether an undeclared name has come
    """

    left: frozenset[int] | int
    total: int = 0
    sure: int = 0
    other: bool = False


class _Writer:
    """Members where it matters what has been written: a state for each way it can matter, made when it is reached."""

    def __init__(
        self, declared: list[Member], others: list[Grammar], low: int, high: int | None, doc: Document
    ) -> None:
        self.declared, self.others, self.low, self.high = declared, others, low, high
        self.comma, self.any_order = doc.writing.comma, doc.writing.any_order
        self.known: dict[_Written, Grammar] = {}

    def start(self) -> Grammar:
        return self.options(_Written(frozenset(range(len(self.declared))) if self.any_order else 0))

    def after(self, state: _Written) -> Grammar:
        if state not in self.known:
            self.known[state] = Deferred("members", lambda: self.options(state))
        return self.known[state]

    def options(self, state: _Written) -> Grammar:
        """How it may go on: with the end, a declared member, or another."""
        missing = sorted(state.left) if isinstance(state.left, frozenset) else range(state.left, len(self.declared))
        needed = sum(self.declared[index].required for index in missing)
        found: list[Grammar] = [EMPTY] if not needed and state.sure >= self.low else []
        comma = self.comma if state.total else EMPTY
        for index in missing:
            member = self.declared[index]
            left = state.left - {index} if isinstance(state.left, frozenset) else index + 1
            still = len(left) if isinstance(left, frozenset) else len(self.declared) - left
            after = self._more(state, left, state.other)
            if self._possible(after, needed - member.required, still):
                found.append(sequence(comma, member.text, self.after(after)))
            if member.required and not self.any_order:
                break
        after = self._more(state, state.left, True)
        if self.others and self._possible(after, needed, len(missing)):
            found += [sequence(comma, text, self.after(after)) for text in self.others]
        return choice(found) if found else NOTHING

    def _more(self, state: _Written, left: frozenset[int] | int, other: bool) -> _Written:
        """What matters after one more member."""
        sure = state.sure + (left != state.left or not state.other)
        total = min(state.total + 1, 1 if self.high is None else self.high + 1)
        return _Written(left, total, min(sure, self.low), other)

    def _possible(self, state: _Written, needed: int, left: int) -> bool:
        """Whether the bounds can still be kept: `needed` of the `left` declared members have to come."""
        if self.high is not None and state.total + needed > self.high:
            return False
        more = left + (bool(self.others) and not state.other)
        room = more if self.high is None else min(more, self.high - state.total)
        return state.sure + room >= self.low
