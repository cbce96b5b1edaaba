"""Sayings drawn in other ways: with other values, typed in a hurry, to tools of another name."""

from __future__ import annotations

import random
import re
from collections import Counter

import jsonschema
import pytest

from tooldec import parse_tools
from tooldec.tools import Tool
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.hasty import MISSPELT, SHORT, hasty
from tooldec.training.documents.names import RENAMED, renamed
from tooldec.training.documents.spoken import said_values, spoken_lists
from tooldec.training.documents.varied import EACH, kind, values, varied
from tooldec.training.documents.words import held_out

SAYINGS = [(said.tool, words, given) for part in spoken_lists() for said in part for words, given in said.sayings[:1]]
(WATER,) = parse_tools("def start_watering(zone: str, minutes: int = 10)")


def test_other_values_stand_where_the_old_ones_did() -> None:
    """The words but for the values are the same, and the call is one of the tool's."""
    changed = kept = 0
    for seed, (tool, words, given) in enumerate(SAYINGS):
        said, found = varied(Draw(random.Random(seed)), said_values(), words, tool, given)
        jsonschema.validate(found, dict(tool.parameters))
        assert found.keys() == given.keys()
        new = {name: value for name, value in found.items() if value != given[name]}
        pattern = re.escape(words)
        for name, value in new.items():
            pattern = pattern.replace(re.escape(str(given[name])), re.escape(str(value)))
            assert value in said_values()[kind(next(one for one in tool.arguments if one.name == name)) or ("", "", "")]
        assert re.fullmatch(pattern, said)
        assert new or said == words
        changed += len(new)
        kept += len(found) - len(new)
    assert 0.3 < changed / (changed + kept) < EACH


def test_what_is_not_said_stands_for_nothing() -> None:
    """`""` is given where a question leaves a value out: no other value's place is taken by it."""
    assert all("" not in known for known in said_values().values())


@pytest.mark.parametrize(
    ("words", "zone", "minutes", "why"),
    [
        ("water bed z in bed z for 10 or 10", "bed z", 10, "said twice"),
        ("water the bed zone", "bed z", 10, "not a whole word"),
        ("water the west bed", "Bed Z", 10, "not said"),
        ("water the 10/20 bed for a while", "the 10/20 bed", 10, "a part of another number"),
        ("bed z, 1 minute", "bed z", 1, "one is said in another way"),
    ],
)
def test_a_value_that_is_not_said_once_as_it_is_stays(words: str, zone: str, minutes: int, why: str) -> None:
    known = values(
        [(WATER, [("", {"zone": f"bed {letter}", "minutes": place}) for place, letter in enumerate("abcdefgh", 12)])]
    )
    given = {"zone": zone, "minutes": minutes}
    for seed in range(50):
        _, found = varied(Draw(random.Random(seed)), known, words, WATER, given)
        assert found["minutes"] == minutes, why
        assert found["zone"] == zone or why.startswith("one"), why


def test_values_are_told_apart_by_what_they_look_like() -> None:
    """A name stands for a name, a path for a path; one more minute isn't `1 minutes`, and `an` precedes vowels."""
    tool = parse_tools("def send(to: str)")[0]
    known = values([(tool, [("", {"to": to}) for to in ("Ana", "Bo Lee", "a.txt", "b.txt", "unit 4", "ivy", "oak")])])
    for old, allowed in (("Cy", {"Ana", "Bo Lee"}), ("c.txt", {"a.txt", "b.txt"}), ("box 7", {"unit 4"})):
        drawn = {
            varied(Draw(random.Random(seed)), known, f"to {old}", tool, {"to": old})[1]["to"] for seed in range(99)
        }
        assert drawn == allowed | {old}
    drawn = {varied(Draw(random.Random(s)), known, "send an elm", tool, {"to": "elm"})[1]["to"] for s in range(99)}
    assert drawn == {"elm", "ivy", "oak"}
    drawn = {varied(Draw(random.Random(s)), known, "send a yew", tool, {"to": "yew"})[1]["to"] for s in range(99)}
    assert drawn == {"yew"}


def test_a_hurry_leaves_values_as_they_are() -> None:
    words, kept = "Please water the rose bed, and then water rose bed no. 7 for ten minutes.", ["rose bed", "7"]
    found = Counter(hasty(Draw(random.Random(seed)), words, kept) for seed in range(4000))
    assert all(text.count("rose bed") == 2 and "no" in text and "7" in text for text in found)
    shorter = sum(n for text, n in found.items() if len(text.split()) == len(words.split()) - 1)
    assert shorter / 4000 == pytest.approx(SHORT, abs=0.02)
    known = set(re.findall(r"\w+", words.lower()))
    wrong = sum(n for text, n in found.items() if not set(re.findall(r"\w+", text.lower())) <= known)
    assert wrong / 4000 == pytest.approx(MISSPELT, abs=0.02)
    assert not any("  " in text or text[:1] == " " for text in found)


def test_short_words_stay_whole() -> None:
    for seed in range(300):
        assert hasty(Draw(random.Random(seed)), "stop it now", []) == "stop it now"


def test_a_tool_has_another_word_of_its_meaning() -> None:
    found = Counter(
        renamed(Draw(random.Random(seed)), "delete_photo_file", {"erase_photo_file"}) for seed in range(4000)
    )
    assert found["delete_photo_file"] / 4000 == pytest.approx(1 - RENAMED, abs=0.04)
    assert {"remove_photo_file", "delete_photo_document"} <= set(found) and "erase_photo_file" not in found
    assert len(found) > 3 and not any(
        held_out(word) for name in found for word in name.split("_") if name != "delete_photo_file"
    )
    assert renamed(Draw(random.Random(1)), "xyzzy", ()) == "xyzzy"


def test_every_kind_has_values_of_one_type() -> None:
    types = {"string": str, "integer": int, "number": (int, float)}
    assert len(said_values()) > 1000
    for (_, type_, _), some in said_values().items():
        assert len(some) == len(set(some)) >= 6
        assert all(isinstance(value, types[type_]) and not isinstance(value, bool) for value in some)  # type: ignore[arg-type]


def test_choices_are_no_values_of_a_kind() -> None:
    tool: Tool = parse_tools('def aim(side: Literal["left", "right"], n: int, deep: bool, of: list[str])')[0]
    assert [kind(parameter) for parameter in tool.arguments] == [None, ("n", "integer", ""), None, None]
