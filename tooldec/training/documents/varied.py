"""What people say holds of other values too: those of one saying take the place of another's.

    water the rose bed for 15 minutes      start_watering("rose bed", 15)
    water the herb spiral for 40 minutes   start_watering("herb spiral", 40)

There are thousands of values, but each saying has its own; who hears it often learns it by heart, and copies nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tooldec.tools import Parameter, Tool
from tooldec.training.documents.draw import Draw

VARIED = 0.5
"""How many sayings have other values than they were written with."""
EACH = 0.7
"""How many values of such a saying are others."""
FEW = 6
"""Fewer values than that of one kind don't stand for each other."""

Kind = tuple[str, str, str]
"""A parameter's name, type and format: values of one kind are said alike."""
Saying = tuple[str, dict[str, Any]]


def kind(parameter: Parameter) -> Kind | None:
    """The kind of its values; None where they can't be exchanged."""
    schema = parameter.schema
    if "enum" in schema or schema.get("type") not in ("string", "integer", "number"):
        return None
    return parameter.name.lower().replace("_", ""), schema["type"], schema.get("format", "")


def values(said: Iterable[tuple[Tool, Sequence[Saying]]]) -> dict[Kind, tuple[Any, ...]]:
    """All values of each kind but for `""`, each once, in the order in which they are said."""
    found: dict[Kind, dict[Any, None]] = defaultdict(dict)
    for tool, sayings in said:
        for parameter in tool.arguments:
            its = kind(parameter)
            if its is not None:
                given = (one.get(parameter.name, "") for _, one in sayings)
                found[its].update((value, None) for value in given if value != "")
    return {its: tuple(some) for its, some in found.items() if len(some) >= FEW}


def varied(draw: Draw, known: Mapping[Kind, Sequence[Any]], words: str, tool: Tool, given: dict[str, Any]) -> Saying:
    """The saying with others of the known values, perhaps; a value that isn't said once, as it is, stays."""
    changed = dict(given)
    for parameter in tool.arguments:
        its = kind(parameter)
        if its is None or parameter.name not in given or its not in known or not draw.chance(EACH):
            continue
        old, new = str(given[parameter.name]), draw.pick(known[its])
        begin = _stands(words, old)
        rest = [str(value) for name, value in changed.items() if name != parameter.name]
        if begin is None or not _fits(words[:begin], old, str(new)) or any(old in other for other in rest):
            continue
        if str(new) in words or any(str(new) in other or other in str(new) for other in rest):
            continue
        words, changed[parameter.name] = words[:begin] + str(new) + words[begin + len(old) :], new
    return words, changed


def _stands(words: str, value: str) -> int | None:
    """Where a value stands in words as a whole; None where it doesn't, or more than once."""
    begin = words.find(value)
    end = begin + len(value)
    if not value or words.count(value) != 1 or words[begin - 1 : begin].isalnum() or words[end : end + 1].isalnum():
        return None
    tied = value[0].isdigit() and begin > 1 and words[begin - 1] in SIGNS and words[begin - 2].isdigit()
    tied |= value[-1].isdigit() and words[end : end + 1] in SIGNS and words[end + 1 : end + 2].isdigit()
    return None if tied else begin


SIGNS = tuple(".,:/-")


def _fits(before: str, old: str, new: str) -> bool:
    """Whether a text may stand where the old one does: one thing for one, `an` before vowels, names for names."""
    if (old in ONE) != (new in ONE) or '"' in new or _look(old) != _look(new):
        return False
    return not before.endswith((" a ", " an ", "A ", "An ")) or (old[0] in VOWELS) == (new[0] in VOWELS)


def _look(value: str) -> tuple[bool, ...]:
    """Whether it begins with a capital, or a minus, has digits, is made of lines, or is a path or an address."""
    paths = any(sign in value for sign in "/\\@_.:")
    digits = any(character.isdigit() for character in value)
    return value[:1].isupper(), value[:1] == "-", digits, "\n" in value, paths and not _number(value)


def _number(value: str) -> bool:
    return value.lstrip("-").replace(".", "", 1).isdigit()


ONE = ("0", "1", "1.0")
VOWELS = tuple("aeiouAEIOU")
