"""What a value is, said beside it: `the branch Riverside`, `the Riverside branch`, `for customer Ann Lee`.

People name the kind of a thing as often as they don't, and a parameter's name mostly is that noun. The sayings of
spoken/ hardly ever do, so that a model that learned from them alone takes the noun for a part of the value.
"""

from __future__ import annotations

import re
from typing import Any

from tooldec.tools import Tool
from tooldec.training.documents.asks import occurrences
from tooldec.training.documents.draw import Draw

INTRODUCED = 0.3
"""How many sayings name what one of their values is."""

NO_NOUNS = frozenset(
    """at to until first second start end new old by into since before after from what when where who why how value
    text left right own per for with on in off out up down over now then is has that this extra other max min main
    full short long big small instead about as back again wanted given asked said called named done made taken kept
    sent paid left used known seen open closed hot cold like between of note notes words saying content body
    offered name""".split()
)
"""Ends of parameters' names that aren't what a value is called."""

PEOPLE = frozenset(
    """customer patient person guest child client player member pupil owner employee recipient driver user student
    buyer visitor host author borrower rider speaker passenger holder partner candidate sender donor tenant traveller
    winner singer seller giver receiver contact caller friend agent neighbour actor worker artist supplier teacher
    name who mother father parent baby groom bride dancer runner swimmer climber skater coach referee judge doctor
    nurse vet mechanic cook chef waiter barber stylist model reader writer painter photographer director captain
    pilot sailor farmer gardener baker butcher tailor smith guard officer soldier witness lawyer clerk manager boss
    colleague volunteer apprentice trainee resident roommate landlord heir spouse cousin aunt uncle""".split()
)
"""What people are called, which stands before their names only."""

_BESIDE = re.compile(r"[\w'’-]").match
_DETERMINERS = frozenset("the a an my our your his her their its this that these those every each any no some".split())


def introduced(draw: Draw, words: str, tool: Tool, arguments: dict[str, Any]) -> str:
    """The saying, perhaps with the noun of a parameter beside its value, which it isn't part of."""
    if not draw.chance(INTRODUCED):
        return words
    places = []
    for parameter in tool.arguments:
        value = arguments.get(parameter.name)
        noun = re.split(r"_|(?<=[a-z])(?=[A-Z])", parameter.name)[-1].lower()
        if not isinstance(value, str) or not value or {"enum", "format"} & parameter.schema.keys():
            continue
        if len(noun) < 3 or noun in NO_NOUNS or not noun.isalpha() or noun in words.lower():
            continue
        spans = [(at, at + len(value)) for at in occurrences(value, words)]
        alone = [span for span in spans if not (_BESIDE(words[: span[0]][-1:]) or _BESIDE(words, span[1]))]
        if len(alone) == 1:
            places.append((noun, value, *alone[0]))
    if not places:
        return words
    noun, value, start, end = draw.pick(places)
    named = any(c.isupper() or c.isdigit() for c in value)
    before, after = words[:start], words[end:]
    last = _last_word(before)
    quoted = before[-1:] in ('"', "'", "“", "‘")
    if not named and draw.chance(0.5):
        return words
    if named and not quoted and noun not in PEOPLE and draw.chance(0.5):
        the = "" if last in _DETERMINERS else "the " if before else "The "
        return f"{before}{the}{value} {noun}{after}"
    if quoted:
        before, value = before[:-1], before[-1] + value
        last = _last_word(before)
    if last in ("a", "an", "some"):
        return words
    the = "the " if last not in _DETERMINERS and draw.chance(0.5) else ""
    phrase = f"{the}{noun} {value}"
    return f"{before}{phrase if before else phrase[0].upper() + phrase[1:]}{after}"


def _last_word(text: str) -> str:
    return text.split()[-1].lower() if text.split() else ""
