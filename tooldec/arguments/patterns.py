"""Patterns of strings: as tables over how JSON writes them, with what is counted apart from them.

^[a-z][a-z0-9]{0,99}$          ^[a-z][a-z0-9]*$ of 1 to 100 characters
^[a-z]{1,99}$|group:name       one of both
arn:[a-z]{1,63}:[a-z]{0,63}    from the beginning of the text on, if it is too large otherwise
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

from tooldec.arguments.letters import pattern_letters
from tooldec.errors import SchemaError, cut
from tooldec.patterns.expressions import alternatives, tree_of
from tooldec.patterns.trees import Ahead, Edge, One, Row, Times, is_plain, lengths
from tooldec.submachine import KEPT, Table, longest_of, shortest_of

_LAST_COUNT = re.compile(r"\{([0-9]*),?([0-9]*)\}\??(?=(\$|\\Z)$)")
"""The count before the end of a pattern: `{1,200}` of `^[a-z]{1,200}$`."""

_FIRST_COUNT = re.compile(r"(?<=^\^\(\?=\.)\{[0-9]*,?[0-9]*\}")
"""The count in what begins a pattern: that of `^(?=.{9,99}$)`."""

FEW = 32
"""Up to so many repetitions the automaton of such a pattern is drawn out; more of them are counted."""

LONG = 2_000
"""Nobody means a pattern whose texts all have more characters."""


def pattern_table(pattern: str, wanted: bool = True) -> Table:
    """The strings that contain a match, or (`wanted` is False) those that don't.

    Raises SchemaError for a pattern that isn't followed.
    """
    found = _pattern_table(pattern, wanted)
    if found is None:
        message = f"the pattern {cut(repr(pattern))} needs too many states"
        raise SchemaError(message, keyword="pattern", fix="use smaller counts")
    return found


@lru_cache(maxsize=KEPT)
def _pattern_table(pattern: str, wanted: bool) -> Table | None:
    """The same; None for a pattern that is too large: it takes seconds to find that out."""
    try:
        letters, table = pattern_letters(pattern, wanted)
        return letters.written(table)
    except OverflowError:
        return None


@lru_cache(maxsize=KEPT)
def lengths_of(pattern: str, wanted: bool) -> tuple[int, int | None]:
    """How many characters the shortest and the longest text of a pattern has; None where there is no longest."""
    _, table = pattern_letters(pattern, wanted)
    return shortest_of(table) or 0, longest_of(table)


def counted_apart(pattern: str) -> tuple[str, int, int | None]:
    """A pattern in which one kind of character comes often, as any number of it and the bounds of the text's length.

    ^[a-z][a-z0-9]{0,99}$  ->  ^[a-z][a-z0-9]*$, 1, 100      ^(?=.{9,99}$)a+b+$  ->  ^(?=.*$)a+b+$, 9, 99

    Others are given as they are.
    """
    try:
        tree = tree_of(pattern)
    except SchemaError:  # who reads patterns says what is wrong
        return pattern, 0, None
    match tree:
        case Row((Edge(True), Ahead(Row((Times(One(), low, high), Edge(False))), True), *_)) if _far(low, high):
            found = _FIRST_COUNT.sub("*", pattern)
            return (found, low, high) if found != pattern else (pattern, 0, None)
        case Row((Edge(True), *before, Times(One(), low, high), Edge(False))) if _far(low, high):
            least, most = lengths(Row(tuple(before)))
            if least == most and is_plain(Row(tuple(before))):
                return _LAST_COUNT.sub("*", pattern), least + low, None if high is None else least + high
    return pattern, 0, None


def shorter(pattern: str, wanted: bool, low: int, high: int | None) -> str | None:
    """A pattern whose last count ends sooner, so that no text is too long; None where there is no such."""
    _, longest = lengths_of(pattern, wanted)
    last = _LAST_COUNT.search(pattern)
    if low or high is None or longest is None or not wanted or last is None or not last[2]:
        return None
    most = int(last[2]) - (longest - high)
    found = _LAST_COUNT.sub(f"{{{last[1] or 0},{most}}}", pattern)
    return found if most >= int(last[1] or 0) and lengths_of(found, True)[1] == high else None


def _far(low: int, high: int | None) -> bool:
    return max(low, high or 0) > FEW


def followed(pattern: str) -> list[str]:
    """A pattern as its automaton isn't too large: as it is, its alternatives, or from the beginning of the text on.

    Where a match may begin anywhere, all that have begun have to be counted at once; who writes `arn:[a-z]{1,63}:…`
    means the whole text.
    """
    if _fits(pattern):
        return [pattern]
    options = alternatives(pattern)
    if len(options) > 1 or lengths(tree_of(pattern))[0] > LONG:
        return options
    anchored = [] if pattern.startswith("^") else [f"^(?:{pattern})"]
    anchored += [] if pattern.endswith("$") else [f"^(?:{pattern})$"]
    return [next(filter(_fits, anchored), pattern)]


def _fits(pattern: str) -> bool:
    """Whether a pattern's automaton isn't too large; one that can't be read is somebody else's matter."""
    try:
        return _pattern_table(pattern, True) is not None
    except SchemaError:
        return True


def reads(pattern: str, text: str) -> bool:
    """Whether a text contains a match, however long either is; half of a surrogate pair is read as `�`.

    Raises SchemaError for a pattern that isn't followed.

    >>> reads("^(a+)+$", "a" * 26), reads("^(a+)+$", "a" * 26 + "b")
    (True, False)
    """
    text = _whole(text)
    pattern, low, high = counted_apart(pattern)
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
