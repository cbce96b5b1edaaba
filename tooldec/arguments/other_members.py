"""Members of objects whose names aren't declared: which names there may be, and what their values are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce

from tooldec.arguments.arrays import Build
from tooldec.arguments.bare import names_in
from tooldec.arguments.cases import cases_of_all
from tooldec.arguments.constants import dumped
from tooldec.arguments.document import Document
from tooldec.arguments.facts import Facts, Members, Spot
from tooldec.arguments.literals import STRING
from tooldec.arguments.patterns import pattern_table
from tooldec.arguments.strings import PLAIN, counted, ready, strings, words_table
from tooldec.arguments.writing import Fashion
from tooldec.automaton import DFA, table_of
from tooldec.errors import SchemaError
from tooldec.grammar import NOTHING, Counted, Grammar, Submachine
from tooldec.submachine import KEPT, difference, intersection

Other = tuple[Grammar, Grammar]
"""Members whose names aren't declared: their names, and their values."""

MOST_PATTERNS = 5


def patterns_of(groups: Sequence[Members], path: str) -> tuple[str, ...]:
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


class Names:
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
            state = machine.read(dumped(name))
            if state is not None and machine.is_accepting(state):
                return True
        return False


def others_of(
    facts: Facts, declared: tuple[str, ...], closed: bool, doc: Document, build: Build, fashion: Fashion
) -> list[Other]:
    """Members whose names aren't declared, by which of the patterns their names match."""
    allowed, patterns = Names(facts.names, doc), patterns_of(facts.members, facts.path)
    groups = facts.members
    if allowed.only_listed:
        return []
    found: list[Other] = []
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
            if key is None:
                continue
            key = names_in(key, fashion, doc.writing)
            if key is not NOTHING:
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
