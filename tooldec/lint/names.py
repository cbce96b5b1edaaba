"""Checks 11x and 12x on names: what a model may confuse, and what was rewritten."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from tooldec.lint.finding import Check, Hit, Inventory
from tooldec.signatures.listings.other_shapes import callable_name
from tooldec.tools import Tool

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATORS = re.compile(r"[\W_]+")

SHORTEST = 7
"""Letters of a name from which on one more, one less or two swapped are likelier a slip than another word."""


def words(name: str) -> list[str]:
    """The words of a name, in small letters.

    >>> words("getUserIDs"), words("get_user-ids")
    (['get', 'user', 'i', 'ds'], ['get', 'user', 'ids'])
    """
    return [word.lower() for word in _WORD.findall(name)]


def alike(name: str) -> str:
    """What names have in common that differ only by case, separator or plural.

    >>> alike("getUsers") == alike("get_user"), alike("status") == alike("statu")
    (True, False)
    """
    letters = _SEPARATORS.sub(" ", _HUMP.sub(" ", name)).lower().split()
    return "".join(map(_singular, letters))


def _keys(inventory: Inventory) -> tuple[str, ...]:
    """What is alike in the names of the tools, in their order."""
    return inventory.kept("alike", lambda: (alike(tool.name) for tool in inventory.tools))


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _rewritten(inventory: Inventory) -> Iterator[Hit]:
    for tool in inventory.tools:
        original = tool.parameters.get("x-name") or tool.parameters.get("title")
        if isinstance(original, str) and original != tool.name and callable_name(original) == tool.name:
            yield Hit(
                f"`{original[:80]}` is called `{tool.name}` in the machine",
                "the original stays in the schema; rename it yourself where another name says more",
                tool,
            )


def _prefixes(inventory: Inventory) -> Iterator[Hit]:
    ordered = sorted(inventory.tools, key=lambda tool: tool.name)
    open_tools: list[tuple[Tool, list[str]]] = []
    begun: list[tuple[Tool, list[str]]] = []
    for tool in ordered:
        while open_tools and not tool.name.startswith(open_tools[-1][0].name):
            open_tools.pop()
        for _, longer in open_tools:
            longer.append(tool.name)
        open_tools.append((tool, []))
        begun.append(open_tools[-1])
    for tool, longer in begun:
        if longer:
            more = f" and {len(longer) - 1} more" if len(longer) > 1 else ""
            yield Hit(
                f"`{tool.name}` begins `{longer[0]}`{more}",
                "fine: the machine decides at the next token; rename one if the model takes the wrong one",
                tool,
            )


def _near_duplicates(inventory: Inventory) -> Iterator[Hit]:
    first: dict[str, Tool] = {}
    for tool, key in zip(inventory.tools, _keys(inventory), strict=True):
        if key and key in first:
            other = first[key]
            yield Hit(
                f"`{tool.name}` and `{other.name}` (line {other.line}) differ only by {_difference(tool, other)}",
                "rename one, so that the names say how the tools differ",
                tool,
            )
        first.setdefault(key, tool)


def _difference(one: Tool, other: Tool) -> str:
    if one.name.lower() == other.name.lower():
        return "case"
    if re.sub(r"[\W_]", "", one.name).lower() == re.sub(r"[\W_]", "", other.name).lower():
        return "separators"
    return "singular and plural"


def _misspelled(inventory: Inventory) -> Iterator[Hit]:
    places = {key: place for place, key in reversed(list(enumerate(_keys(inventory))))}
    pairs = {tuple(sorted((places[name], places[other]))) for name, other in one_letter_apart(places)}
    for earlier, later in sorted(pairs):
        one, other = inventory.tools[earlier], inventory.tools[later]
        yield Hit(
            f"`{other.name}` and `{one.name}` (line {one.line}) differ by one letter",
            "spell them alike, or rename one so that the names say how the tools differ",
            other,
        )


def one_letter_apart(names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Names, each with another one that has one letter less, or two neighbors swapped; none that are short.

    >>> sorted(one_letter_apart({"weather", "wether", "waether", "weath3r"}))
    [('waether', 'weather'), ('waether', 'wether'), ('weather', 'waether'), ('weather', 'wether')]
    """
    begun = _shared(names)
    ended = {name[::-1]: shared for name, shared in _shared([name[::-1] for name in names]).items()}
    for name in (name for name in names if len(name) >= SHORTEST):
        for place in range(max(1, len(name) - 2 - ended[name]), min(begun[name] + 1, len(name))):
            before, letter, after = name[:place], name[place], name[place + 1 :]
            if before + after in names and letter.isalpha():
                yield name, before + after
            swapped = before + after[:1] + letter + after[1:]
            if swapped in names and letter.isalpha() and after[:1].isalpha() and swapped != name:
                yield name, swapped


def _shared(names: Iterable[str]) -> dict[str, int]:
    """How many first letters each name has in common with another one: with a neighbor, when they are sorted."""
    ordered = sorted(names)
    shared = dict.fromkeys(ordered, 0)
    for one, other in pairwise(ordered):
        same = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
        shared[one], shared[other] = max(shared[one], same), same
    return shared


CHECKS = (
    Check(
        "H110",
        "hint",
        "A name was rewritten",
        "Titles, paths and names with spaces become names that every scheme can write.",
        "number of participants(event)",
        "number_of_participants(event)",
        _rewritten,
    ),
    Check(
        "H120",
        "hint",
        "A name begins another one",
        "After the shorter name a call may go on to its arguments or to the longer name: one more decision "
        "of the model, and with few questions in mind often the wrong one.",
        "def exp(x: int)\ndef exp10(x: int)",
        "def exp(x: int)\ndef power_of_ten(x: int)",
        _prefixes,
    ),
    Check(
        "W121",
        "warning",
        "Names that differ only by case, separator or plural",
        "Both are valid at every step, and nothing in the names tells the model which is meant.",
        "def get_user(id: int)\ndef getUsers(id: int)",
        "def get_user(id: int)\ndef list_all_users()",
        _near_duplicates,
    ),
    Check(
        "W122",
        "warning",
        "Names that differ by one letter",
        "Mostly a misspelling: the machine takes both, and the model writes the likelier spelling.",
        "def get_weather(city: str)\ndef get_wether(town: str)",
        "def get_weather(city: str)\ndef get_forecast(town: str)",
        _misspelled,
    ),
)
