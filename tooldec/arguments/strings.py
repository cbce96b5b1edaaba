"""Strings: any, or those of a pattern, a format and a length, combined as tables over how JSON writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from tooldec.arguments.document import Document
from tooldec.arguments.facts import Facts, Spot
from tooldec.arguments.formats import FORMATS, LONGEST, WIDEST
from tooldec.arguments.literals import STRING, json_character, quoted, string_of_length
from tooldec.arguments.patterns import counted_apart, followed, lengths_of, pattern_table, shorter
from tooldec.arguments.spans import CODE, spans
from tooldec.arguments.writing import Writing
from tooldec.automaton import table_of, tally_of
from tooldec.errors import SchemaError
from tooldec.grammar import NOTHING, Counted, Grammar, Submachine, choice, sequence
from tooldec.patterns.regex import ANY, from_regex
from tooldec.submachine import KEPT, Table, difference, intersection, longest_of

PLAIN = quoted(json_character(ANY).repeat())
"""Any string, each character written raw where JSON lets it, and escaped only where it must be."""

CHARACTERS = string_of_length(0, None)
"""Any string, written in any of JSON's ways, without halves of surrogate pairs."""

MOST_STATES = 6_000
"""How large the automaton of a pattern or a format may be beside a length that is counted."""


def strings(facts: Facts, doc: Document) -> Grammar:
    """The strings of a case."""
    at = Spot(None, facts.path)
    patterns = []
    low, high = facts.min_length, facts.max_length
    for pattern, wanted in facts.patterns:
        if wanted:  # how often a kind of character comes is a matter of length: characters are counted
            whole = pattern
            pattern, least, most = counted_apart(pattern)
            low = max(low, least)
            high = most if high is None else high if most is None else min(high, most)
            options = followed(pattern)
            if len(options) > 1:
                others = [one for one in facts.patterns if one != (whole, True)]
                ways = (replace(facts, patterns=(*others, (option, True))) for option in options)
                return choice([way for way in (strings(one, doc) for one in ways) if way is not NOTHING] or [NOTHING])
            pattern = options[0]
        try:
            pattern_table(pattern, wanted)
            patterns.append((pattern, wanted))
            shortest, longest = lengths_of(pattern, wanted)
            low = 0 if low <= shortest else low
            high = None if high is not None and longest is not None and longest <= high else high
        except SchemaError as error:
            doc.refuse("pattern", error.message, at)
    formats = tuple((name, wanted) for name, wanted in facts.formats if name in FORMATS)
    excluded = tuple(sorted({value for value in facts.excluded if isinstance(value, str)}))
    bounds = [LONGEST[name] for name, wanted in formats if wanted and name in LONGEST]
    high = min([*bounds, high]) if high is not None else min(bounds, default=None)
    if not patterns and not formats and not excluded:
        try:
            return any_string(doc.writing, low, high)
        except OverflowError:
            doc.refuse("maxLength", "the question is too long to count the characters of what stands in it", at)
            return any_string(doc.unquoted.writing, low, high)
    try:
        content = content_of(tuple(patterns), formats, excluded)
    except OverflowError:
        doc.refuse("pattern", "what the string must be needs too many states together", at)
        content = content_of(tuple(patterns[:1]))
    if content is None:
        return NOTHING
    try:
        return counted(content, low, high)
    except OverflowError:
        if len(patterns) == 1 and not formats and not excluded and (found := shorter(*patterns[0], low, high)):
            return ready(pattern_table(found))
        doc.refuse("maxLength", "a length beside so large a pattern isn't counted", at)
        return content


def counted(content: Submachine, low: int, high: int | None) -> Grammar:
    """The strings of a submachine that have `low` to `high` characters; NOTHING where there are none.

    Raises OverflowError where counting them would need too many states.
    """
    if high is not None and low > high:
        return NOTHING
    if low == 0 and (high is None or _never_longer(content, high)):
        return content
    if len(table_of(content)) > MOST_STATES:
        raise OverflowError(f"more than {MOST_STATES} states")
    found = Counted(content, CHARACTERS, low, high)
    return found if possible(found) else NOTHING


def any_string(writing: Writing, low: int = 0, high: int | None = None) -> Grammar:
    """Any string of `low` to `high` characters, or any that somebody has said; a code may be what its length says.

    Raises OverflowError where what has been said is too long for its spans to be counted.
    """
    if writing.texts is not None and (high is None or high > CODE):
        said = spans(writing.texts, low, high)
        if said is not None:
            return said
    if low == 0 and high is None:
        return STRING
    return Counted(CHARACTERS, CHARACTERS, low, high)


def possible(counted: Counted) -> bool:
    """Whether some string has such a length."""
    return tally_of(counted).fits(0, 0)


@lru_cache(maxsize=KEPT)
def content_of(
    patterns: tuple[tuple[str, bool], ...],
    formats: tuple[tuple[str, bool], ...] = (),
    excluded: tuple[str, ...] = (),
) -> Submachine | None:
    """The strings of all patterns and formats but for some; None where there are none.

    Raises OverflowError where they need too many states together.
    """
    tables = [pattern_table(pattern, wanted) for pattern, wanted in patterns]
    tables += [format_table(name, wanted) for name, wanted in formats]
    found = tables[0] if tables else table_of(PLAIN)
    for table in tables[1:]:
        found = intersection(found.name, found, table)
    if excluded:
        found = difference(found.name, found, words_table(excluded))
    return ready(found) if found.leads_on[0] else None


def ready(table: Table) -> Submachine:
    return Submachine(table.name, NOTHING, table)


def words_table(words: Sequence[str]) -> Table:
    """Exactly these strings, in every way in which PLAIN writes them."""
    return table_of(quoted(choice([_word(word) for word in words])))


def _word(word: str) -> Grammar:
    return sequence(*(json_character(((ord(c), ord(c)),)) for c in word))


@lru_cache(maxsize=KEPT)
def format_table(name: str, wanted: bool = True) -> Table:
    """The strings of a format out of FORMATS, or (`wanted` is False) those that no validator takes for one."""
    if wanted:
        return table_of(quoted(from_regex(FORMATS[name], json_character), f"{name} string"))
    return difference(PLAIN.name, table_of(PLAIN), table_of(quoted(from_regex(WIDEST[name], json_character))))


def _never_longer(content: Submachine, high: int) -> bool:
    """Whether no string has more bytes than this between its quotes."""
    longest = longest_of(table_of(content))
    return longest is not None and longest <= high + len('""')
