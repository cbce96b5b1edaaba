"""The format `regex`: regular expressions as a regular expression, which every reader of them takes.

They have classes, groups, alternatives, counts and looks ahead, and nest GROUPS deep: of brackets that nest without end
no finite-state machine can count how many are open.
"""

from __future__ import annotations

GROUPS = 3
"""How deep groups nest."""

_SPECIAL = r"\\^$.*+?()\[\]{}|"
_ESCAPED = rf"\\[dDwWsStnrfv{_SPECIAL}/]"
_LETTER = rf"[^\x00-\x1f{_SPECIAL}]"
_PLACE = r"[$^]|\\[bB]"

_RANGES = "a-[a-z]|[b-z]-z|A-[A-Z]|[B-Z]-Z|0-[0-9]|[1-9]-9"
"""Those from the first of a kind or up to the last: no other state has to know where a range began."""

_MEMBER = rf"({_RANGES}|[^\x00-\x1f\\\[\]^&~|-]|{_ESCAPED}|\\-)"
"""In a class neither set operations nor brackets, which languages read in different ways."""

_CLASS = rf"\[\^?({_MEMBER}+-?|-)\]"

_UP_TO = "|".join(f"{low},[{low}-9]" for low in range(10))
_COUNT = rf"\{{([0-9]{{1,3}},?|{_UP_TO}|[0-9],[1-9][0-9]{{1,2}}|[1-9][0-9],[1-9][0-9]{{2}})\}}"
_TIMES = rf"([*+?]|{_COUNT})\??"


def _expression(groups: int) -> str:
    """Expressions whose groups nest at most so deep."""
    one, looking = rf"{_LETTER}|[.]|{_ESCAPED}|{_CLASS}", ""
    if groups:
        inside = _expression(groups - 1)
        one += rf"|\((\?:)?{inside}\)"
        looking = rf"|\(\?[=!]{inside}\)"
    return rf"(({one})({_TIMES})?|{_PLACE}|[|]{looking})*"


EXPRESSION = _expression(GROUPS)
