"""Names as people write them: find_user, findUser, user.find, FindUser, find-user; or look_up_user; parameters' too."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain

from tooldec.training.documents.draw import Draw
from tooldec.training.documents.lexicon import groups
from tooldec.training.documents.templates import Entry
from tooldec.training.documents.values import Value
from tooldec.training.documents.words import SYNONYMS, held_out

RENAMED = 0.25
"""How many tools have another word of the same meaning in their name."""


def renamed(draw: Draw, name: str, taken: Collection[str]) -> str:
    """A snake_case name, perhaps with a word of the same meaning in the place of one, as none of the others is called.

    Whoever knows a tool by what is said to it needn't read the list; a name that it never had must be read.
    """
    if not draw.chance(RENAMED):
        return name
    words = name.split("_")
    ways = [(place, other) for place, word in enumerate(words) for other in _alike().get(word, ())]
    if not ways:
        return name
    place, other = draw.pick(ways)
    new = "_".join((*words[:place], other, *words[place + 1 :]))
    return name if new in taken or other in words else new


@cache
def _alike() -> dict[str, tuple[str, ...]]:
    """The other words of one meaning with each; those that are held out of training aren't among them."""
    listed = ((first, *others) for kind in ("verbs", "nouns") for first, others in groups(kind).items())
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for alike in (*listed, *SYNONYMS):
        single = [word for word in alike if word.isalpha() and not held_out(word)]
        for word in single:
            found[word].update((other, None) for other in single if other != word)
    return {word: tuple(others) for word, others in found.items()}


def style(draw: Draw, name: str) -> str:
    """A snake_case name, in one of five styles; mostly it stays as it is."""
    words = [word for word in name.split("_") if word]
    chosen = draw.rng.random()
    if len(words) < 2 or chosen < 0.62 or not draw.listed:
        return "_".join(words)
    if chosen < 0.83:
        return words[0] + "".join(word.capitalize() for word in words[1:])
    if chosen < 0.91:
        return f"{words[-1]}.{'_'.join(words[:-1])}" if draw.chance(0.6) else ".".join(words)
    if chosen < 0.96:
        return "".join(word.capitalize() for word in words)
    return "-".join(words)


_OTHER_PARAMETERS = {
    "who": "person name to recipient contact user whom",
    "person": "person name who full_name user",
    "first": "name who first_name",
    "titled": "person name who patient",
    "object": "item thing name object what",
    "place": "place location where address spot",
    "city": "city place location town where",
    "room": "room location where zone area",
    "title": "title name label subject",
    "text": "text message content body note words",
    "quoted": "text string s input phrase",
    "date": "date day when on",
    "day": "day when date",
    "clock": "time at when hour",
    "path": "path file filename input source",
    "picture": "image file path picture photo filename",
    "code": "id code number key ref",
    "email": "email address mail to",
    "small": "n count number amount",
    "int": "n number value amount",
    "float": "value number x amount",
    "price": "amount price sum value",
    "percent": "percent level value amount",
    "words": "items words values list names",
    "user": "user username account name login",
    "service": "service name app component",
    "topic": "query q topic search text",
    "company": "company name organization firm",
}
"""Kinds of values → other names of such parameters."""


def otherwise(draw: Draw, entry: Entry, values: Mapping[str, Value]) -> tuple[Entry, dict[str, Value]]:
    """The entry with some parameters under other names, or all in another order: names and types are read, not known.

    Not both: in another order only their own names tell which is which. So they do where two parameters are of kinds
    that the same name would fit, as a sum and a percentage.
    """
    parameters = list(entry.parameters)
    pools = [_OTHER_PARAMETERS.get(kind.rstrip("0123456789"), "").split() for _, kind, _ in parameters]
    fitting = Counter(chain.from_iterable(pools))
    other_names = draw.chance(0.5)
    new: dict[str, str] = {}
    for place, (key, kind, optional) in enumerate(parameters):
        if any(fitting[name] > 1 for name in pools[place]):
            continue
        other = draw.pick(pools[place] or [key])
        if other_names and draw.chance(0.5) and other not in new.values() and all(other != k for k, _, _ in parameters):
            new[key] = other
            parameters[place] = (other, kind, optional)
    required = [parameter for parameter in parameters if not parameter[2]]
    if not other_names and draw.chance(0.8):
        draw.rng.shuffle(required)
    parameters = required + [parameter for parameter in parameters if parameter[2]]
    return replace(entry, parameters=tuple(parameters)), {new.get(key, key): value for key, value in values.items()}
