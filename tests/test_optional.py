"""Arguments declared anew as optional or not: the calls of the sayings stay calls of the tools that a document lists."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import jsonschema
import pytest

from tooldec import SCHEMES, Trace, load_model, parse_tools
from tooldec.methods import METHODS
from tooldec.tools import Tool
from tooldec.training.documents.draw import Draw
from tooldec.training.documents.mixture import documents
from tooldec.training.documents.optional import ASKED, LEFT, MORE, declared, given
from tooldec.training.documents.spoken import spoken_lists

WATERING = parse_tools(
    "def start_watering(zone: str, minutes: int = 10, gentle: bool = False)\n"
    "def set_frost_guard(degrees: float, day: date)\n"
    "def list_zones()\n"
    'def open_valve(side: Literal["left", "right"] = "left")'
)


def drawn(tool: Tool, listed: bool, count: int = 2000) -> Counter[str]:
    """How often each signature is drawn."""
    found: Counter[str] = Counter()
    for seed in range(count):
        draw = Draw(random.Random(seed))
        draw.listed = listed
        found[declared(draw, tool, WATERING).signature()] += 1
    return found


def share(found: Counter[str], part: str) -> float:
    return sum(count for signature, count in found.items() if part in signature) / found.total()


def test_each_way_to_declare_a_tool_is_drawn_as_often_as_it_says() -> None:
    found = drawn(WATERING[0], listed=True)
    assert share(found, "minutes: int,") + share(found, "minutes: int)") == pytest.approx(ASKED[True], abs=0.04)
    left = (1 - ASKED[True]) * LEFT
    assert share(found, "zone: str =") + share(found, "zone: str or null") == pytest.approx(left, abs=0.03)
    assert 0.15 < share(found, "minutes: int or null = null") < 0.3
    assert 0.02 < share(found, "minutes: int = null") < 0.1
    assert share(found, "degrees: float") == pytest.approx(MORE, abs=0.03)  # the one argument that others can lend
    assert share(found, "gentle: bool = false") == 1


def test_where_no_list_is_shown_only_what_the_call_has_to_give_is_changed() -> None:
    found = drawn(WATERING[0], listed=False)
    assert set(found) == {WATERING[0].signature(), "start_watering(zone: str, minutes: int, gentle: bool = false)"}
    assert share(found, "minutes: int,") == pytest.approx(ASKED[False], abs=0.03)


def test_a_date_and_a_choice_stay_as_they_are() -> None:
    for tool, kept in ((WATERING[1], "day: date"), (WATERING[3], "side: left|right = ")):
        found = drawn(tool, listed=True)
        assert share(found, kept) == 1
    assert share(drawn(WATERING[1], listed=True), "day: date =") == 0


def test_nothing_is_given_for_what_the_question_does_not_tell() -> None:
    asked = parse_tools('def f(a: str, b: int, c: float, d: bool, e: Literal["x", "y"], g: date, h: str = "h")')[0]
    assert given(asked, {"b": 3}) == {"a": "", "b": 3, "c": 0, "d": False}
    assert given(WATERING[0], {"zone": "roses"}) == {"zone": "roses"}


def test_all_calls_of_documents_are_calls_of_the_tools_that_they_list() -> None:
    """And positional ones have no gap: what is left out stands behind what is given."""
    empty = 0
    for document in islice(documents(91), 600):
        for turn in document.turns:
            for call in turn.ask.calls:
                jsonschema.validate(dict(call.arguments), dict(call.tool.parameters))
                present = [parameter.name in call.arguments for parameter in call.tool.arguments]
                assert present == sorted(present, reverse=True) or document.scheme != "special_token", call
                required = [parameter.required for parameter in call.tool.arguments]
                assert required == sorted(required, reverse=True)
                empty += '""' in call.written()
    assert empty > 10


def test_no_list_leaves_out_what_its_tools_ask_for() -> None:
    """So `given` adds nothing but what was optional there."""
    for said in (said for tools in spoken_lists() for said in tools):
        assert all(given(said.tool, arguments) == arguments for _, arguments in said.sayings)


@pytest.mark.parametrize("listed", [True, False])
def test_the_model_in_the_box_gives_nothing_where_the_question_tells_nothing(listed: bool) -> None:
    """It used to write on in a text: it would close the call, which the machine forbids."""
    tools = parse_tools("def rate_dish(dish: str, stars: int, comment: str)\ndef cancel_table(code: str)")
    model, scheme = load_model("embedded", "cpu"), SCHEMES["special_token"]
    prompt = scheme.prompt(tools, "Rate the lasagna", documentation=listed)
    trace = Trace.collect(METHODS["guided"].run(model, scheme, tools, prompt))
    (call,) = scheme.read_calls(trace.text, tools)
    assert (call.name, call.arguments["dish"], call.arguments["comment"]) == ("rate_dish", "lasagna", "")
