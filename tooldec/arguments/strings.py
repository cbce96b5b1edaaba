"""Strings: any, or those of a pattern, a format and a length, combined as tables over how JSON writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache

from tooldec.arguments.document import Document
from tooldec.arguments.facts import Facts, Spot
from tooldec.arguments.formats import FORMATS, LONGEST, WIDEST
from tooldec.arguments.spans import CODE, spans
from tooldec.arguments.writing import Writing
from tooldec.automaton import table_of, tally_of
from tooldec.errors import SchemaError, cut
from tooldec.expressions import Edge, One, Row, Times, tree_of
from tooldec.grammar import NOTHING, Counted, Grammar, Submachine, choice, sequence
from tooldec.letters import pattern_letters
from tooldec.literals import STRING, json_character, quoted, string_of_length
from tooldec.regex import ANY, from_regex
from tooldec.submachine import KEPT, Table, difference, intersection, longest_of, shortest_of

PLAIN = quoted(json_character(ANY).repeat())
"""Any string, each character written raw where JSON lets it, and escaped only where it must be."""

CHARACTERS = string_of_length(0, None)
"""Any string, written in any of JSON's ways, without halves of surrogate pairs."""

_LAST_COUNT = re.compile(r"\{[0-9]*,?[0-9]*\}\??(?=(\$|\\Z)$)")
"""The count before the end of a pattern: `{1,200}` of `^[a-z]{1,200}$`."""

FEW = 32
"""Up to so many repetitions the automaton of such a pattern is drawn out; more of them are counted."""

MOST_STATES = 6_000
"""How large the automaton of a pattern or a format may be beside a length that is counted."""


def strings(facts: Facts, doc: Document) -> Grammar:
    """The strings of a case."""
    at = Spot(None, facts.path)
    patterns = []
    low, high = facts.min_length, facts.max_length
    for pattern, wanted in facts.patterns:
        if wanted:  # how often a kind of character comes is a matter of length: characters are counted
            pattern, least, most = _counted_apart(pattern)
            low = max(low, least)
            high = most if high is None else high if most is None else min(high, most)
        try:
            pattern_table(pattern, wanted)
            patterns.append((pattern, wanted))
            shortest, longest = _lengths(pattern, wanted)
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
def pattern_table(pattern: str, wanted: bool = True) -> Table:
    """The strings that contain a match, or (`wanted` is False) those that don't.

    Raises SchemaError for a pattern that isn't followed.
    """
    try:
        letters, table = pattern_letters(pattern, wanted)
        return letters.written(table)
    except OverflowError:
        message = f"the pattern {cut(repr(pattern))} needs too many states"
        raise SchemaError(message, keyword="pattern", fix="use smaller counts") from None


@lru_cache(maxsize=KEPT)
def _lengths(pattern: str, wanted: bool) -> tuple[int, int | None]:
    """How many characters the shortest and the longest text of a pattern has; None where there is no longest."""
    _, table = pattern_letters(pattern, wanted)
    return shortest_of(table) or 0, longest_of(table)


def _counted_apart(pattern: str) -> tuple[str, int, int | None]:
    """A pattern of one kind of character that comes often, as any number of it and the bounds; others as they are."""
    try:
        tree = tree_of(pattern)
    except SchemaError:  # who reads patterns says what is wrong
        return pattern, 0, None
    match tree:
        case Row((Edge(True), Times(One(), low, high), Edge(False))) if max(low, high or 0) > FEW:
            return _LAST_COUNT.sub("*", pattern), low, high
    return pattern, 0, None


def reads(pattern: str, text: str) -> bool:
    """Whether a text contains a match, however long either is; half of a surrogate pair is read as `�`.

    Raises SchemaError for a pattern that isn't followed.

    >>> reads("^(a+)+$", "a" * 26), reads("^(a+)+$", "a" * 26 + "b")
    (True, False)
    """
    text = _whole(text)
    pattern, low, high = _counted_apart(pattern)
    if len(text) < low or (high is not None and len(text) > high):
        return False
    return pattern_table(pattern).accepts(_json(text))


def lacks(pattern: str, text: str) -> bool:
    """Whether a text contains no match for any reader; where readers differ, it may neither read nor lack one.

    Raises SchemaError for a pattern that isn't followed.

    >>> lacks(r"^\\d$", "a"), lacks(r"^\\d$", "٣"), reads(r"^\\d$", "٣")
    (True, False, False)
    """
    return pattern_table(pattern, False).accepts(_json(_whole(text)))


def _whole(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _json(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False).encode()


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
