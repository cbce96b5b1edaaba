"""One question, several ways: the messages of a comparison, its verdicts, and where a fault stands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tooldec import playground
from tooldec.page import comparing

FIGURE_1 = {
    "ask": "compare",
    "tools": "def multiply(a: float, b: float)",
    "question": "The diameter of a circle is 123, π ≈ 3.14, what’s its perimeter?",
    "model": "toy",
    "wanted": [["multiply", {"a": 3.14, "b": 123}]],
    "answer": "386.22",
    "lanes": [
        {"start": "none", "documentation": False},
        {"method": "unguided"},
        {"method": "unguided", "temperature": 0.7, "seed": 4},
        {"method": "guided"},
    ],
}


def run(**fields: Any) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = json.loads(json.dumps(list(playground.run({**FIGURE_1, **fields}))))
    return messages


def verdicts(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [message for message in messages if message["kind"] == "verdict"]


def text(messages: list[dict[str, Any]], lane: int) -> str:
    (end,) = [m["message"] for m in messages if m.get("lane") == lane and m.get("message", {}).get("kind") == "end"]
    return str(end["text"])


def test_figure_1_no_tool_a_wrong_name_a_wrong_argument_and_the_call() -> None:
    messages = run()
    found = verdicts(messages)
    assert [verdict["word"] for verdict in found] == ["wrong_answer", "name", "illegal symbol", "correct"]
    faults = [text(messages, lane)[slice(*v["fault"])] if v["fault"] else None for lane, v in enumerate(found)]
    assert faults == [None, "product", "pi", None]
    assert "`multiply`" in found[1]["sentence"], "the nearest name"
    assert text(messages, 3) == "Its perimeter is <T>multiply(3.14,123)=386.22."
    assert found[3]["masked"][:2] == [3, 6], "the mask blocked `prod` and `pi`"


def test_the_nearest_name_is_that_of_what_was_written() -> None:
    """A name may hold what messages write around one."""
    request = playground.Request(tools="def square(a: float)\ndef sqrt(a: float)", model="toy")
    told = comparing.told_verdict(request, [{"kind": "end", "text": "<T>sq`uare(5)"}], None, "")
    assert told["word"] == "name" and "Nearest name: `square`" in told["sentence"]


def test_the_messages_of_a_lane_are_those_of_a_run() -> None:
    messages = run()
    assert messages[-1] == {"kind": "done"}
    order = [message["lane"] for message in messages[:-1]]
    assert order == sorted(order), "one lane after the other"
    guided = [m["message"] for m in messages if m.get("lane") == 3 and "message" in m]
    alone = list(playground.run({**FIGURE_1, "ask": "trace", "method": "guided"}))
    timeless = [[m["kind"] for m in one if m["kind"] != "picture"] for one in (guided, alone)]
    assert timeless[0] == timeless[1], "pictures are drawn as often as time allows"
    assert guided[-1]["text"] == alone[-1]["text"]


def test_closing_stops_the_lane_that_is_running() -> None:
    messages = playground.run(FIGURE_1)
    for message in messages:
        if message["message"]["kind"] == "step":
            break
    messages.close()  # type: ignore[attr-defined]
    assert next(messages, None) is None


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"lanes": []}, "nothing to compare"),
        ({"lanes": "guided"}, "nothing to compare"),
        ({"lanes": [{}] * 9}, "too many"),
        ({"lanes": [{"method": "magic"}]}, "magic"),
        ({"wanted": "multiply"}, "wanted"),
        ({"wanted": [["multiply"]]}, "wanted"),
        ({"question": " "}, "question"),
        ({"tools": "def f(x: strng)"}, "strng"),
    ],
)
def test_what_cannot_be_compared_is_said(fields: dict[str, Any], words: str) -> None:
    last = [m for m in run(**fields) if m["kind"] == "error" or m.get("message", {}).get("kind") == "error"]
    assert last and words in json.dumps(last[0])


def test_a_lane_sets_its_own_fields_only() -> None:
    assert comparing.lanes_of({"lanes": [{"method": "fuzzy", "tools": "x", "model": "y"}]}) == [{"method": "fuzzy"}]


@pytest.mark.parametrize(
    ("wanted", "word"),
    [([["multiply", {"a": 1, "b": 2}]], "wrong"), (["multiply"], "correct"), ([], "wrong"), (None, "valid")],
)
def test_a_valid_call_is_right_only_where_the_wanted_one_is_known(wanted: Any, word: str) -> None:
    (verdict,) = verdicts(run(lanes=[{"method": "guided"}], wanted=wanted, answer=""))
    assert verdict["word"] == word


def test_an_answer_without_a_call_is_judged_by_the_known_answer() -> None:
    lane = {"method": "guided", "start": "none"}
    assert verdicts(run(lanes=[lane], answer="5"))[0]["word"] == "right"
    assert verdicts(run(lanes=[lane], answer=""))[0]["word"] == "none"


def test_other_calls_that_lead_to_the_known_answer_are_right_too() -> None:
    lanes = [{"method": "guided"}]
    assert verdicts(run(lanes=lanes, wanted=["divide"], answer="386.22"))[0]["word"] == "correct"
    (wrong,) = verdicts(run(lanes=lanes, wanted=["divide"], answer="386.23"))
    assert wrong["word"] == "wrong" and "`divide`" in wrong["sentence"]


def test_the_toy_can_spell_figure_1s_tool_from_every_token_on() -> None:
    """`m` is a token of the toy: without one that begins with `u` it would be a dead end, and the tool refused."""
    machine = playground.ask({"tools": FIGURE_1["tools"], "model": "toy"})
    assert machine["kind"] == "machine" and not machine["warnings"], machine.get("error")


@pytest.mark.parametrize(("method", "far"), [("unguided", False), ("fuzzy", True)])
def test_a_name_that_nothing_replaced_is_near_to_none(method: str, far: bool) -> None:
    request = playground.Request(tools="def square(a: float)\ndef sqrt(a: float)", model="toy", method=method)
    told = comparing.told_verdict(request, [{"kind": "end", "text": "<T>hypotenuse(5)"}], None, "")
    assert ("not near enough to replace it" in told["sentence"]) == far
