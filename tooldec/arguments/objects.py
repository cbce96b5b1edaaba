"""Objects: members with declared names and with others, in the schema's order or in any, and how many there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tooldec.arguments.arrays import Build
from tooldec.arguments.bare import name_in
from tooldec.arguments.cases import any_value
from tooldec.arguments.document import MOST_CASES, Document
from tooldec.arguments.facts import Facts, Members, Some, Spot
from tooldec.arguments.members import Member, Writer, alike, in_order
from tooldec.arguments.other_members import Names, Other, others_of, patterns_of
from tooldec.arguments.patterns import reads
from tooldec.arguments.rules import rules
from tooldec.arguments.writing import Fashion
from tooldec.automaton import DFA
from tooldec.errors import SchemaError
from tooldec.grammar import EMPTY, NOTHING, Grammar, choice, sequence
from tooldec.states.memory import Mark, Unique
from tooldec.states.variety import of_term

Marking = Callable[[str, Grammar], Grammar]

MOST_MIXED = 3


def objects(
    facts: Facts, doc: Document, build: Build, mark: Marking | None = None, fashion: Fashion | None = None
) -> Grammar:
    """The objects of a case, in a fashion or as JSON.

    `mark` may label the values of declared properties, and members of other names ("").
    """
    fashion = fashion or doc.writing.braces
    allowed = Names(facts.names, doc)
    patterns = patterns_of(facts.members, facts.path)
    closed = _is_closed(facts.members, doc)
    names = _declared(facts, allowed, patterns, closed)
    spots = {name: said for name in names if name in allowed and (said := rules(facts.members, name)) is not None}

    def written(name: str, more: Sequence[Spot]) -> Grammar:
        value = build([*spots[name], *more]) if name in spots else NOTHING
        key = NOTHING if value is NOTHING else name_in(name, fashion, doc.writing, facts.path)
        if key is NOTHING:
            return NOTHING
        return sequence(fashion.before, key, fashion.after, mark(name, value) if mark else value, fashion.behind)

    ordered = doc.writing.ordered(names)
    members = {name: text for name in ordered if (text := written(name, ())) is not NOTHING}
    if any(name not in members for name in facts.required):
        return NOTHING
    free = others_of(facts, names, closed, doc, build, fashion)
    options: list[Grammar] = []
    for way in _ways(facts, tuple(members), doc):
        chosen = {**members, **{name: written(name, more) for name, more in way.more.items()}}
        last = others_of(way.with_last(facts), names, closed, doc, build, fashion) if way.last else []
        if NOTHING not in chosen.values() and bool(last) == bool(way.last):
            named = mark or (lambda _, text: text)
            options.append(_listed(facts, chosen, free, last, way.required, doc, named, fashion))
    return choice([option for option in options if option is not NOTHING] or [NOTHING])


def _listed(
    facts: Facts,
    members: Mapping[str, Grammar],
    others: list[Other],
    last: list[Other],
    required: frozenset[str],
    doc: Document,
    mark: Marking,
    fashion: Fashion,
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
    few = differ and max(of_term(key, DFA(EMPTY)) for key, _ in others or last) <= low + len(declared)
    if few or (differ and fashion.names):
        differ = False
        if low > len(declared) + 1:
            reason = "there are few names beside the declared ones" if few else "names without quotes aren't remembered"
            doc.refuse("minProperties", reason, Spot(None, facts.path))
            low = len(declared) + 1
    if high is not None and needed > high:
        return NOTHING
    end = Mark()
    texts, last_texts = (
        [mark("", _other(key, end if differ else EMPTY, value, fashion)) for key, value in some]
        for some in (others, last)
    )
    if not undeclared and not low and high is None and not doc.writing.any_order:
        content = in_order([(member.text, member.required) for member in declared], fashion.between)
    elif not declared and (low <= 1 or differ) and len(others) == 1 and last in ([], others):
        content = alike(texts[0], max(low, needed), high, fashion.between)
    else:
        comma, any_order = fashion.between, doc.writing.any_order
        content = Writer(declared, texts, last_texts, low, high, differ, comma, any_order).start()
    if content is NOTHING:
        return NOTHING
    found = sequence(fashion.opening, content, fashion.closing)
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
        named = Names(some.names, doc)
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


def _declared(facts: Facts, allowed: Names, patterns: tuple[str, ...], closed: bool) -> tuple[str, ...]:
    """The names that members are listed by; others are none that `Facts.some` speak of."""
    names = [*(name for group in facts.members for name in group.named), *facts.required, *allowed.listed]
    inside = sorted({name for some in facts.some for name in some.members.named})
    names += [name for name in inside if not closed or any(reads(pattern, name) for pattern in patterns)]
    return tuple(dict.fromkeys(names))


def _other(key: Grammar, end: Grammar, value: Grammar, fashion: Fashion) -> Grammar:
    return sequence(fashion.before, key, end, fashion.after, value, fashion.behind)
