"""StepViews follows every scheme and method: rewritten answers, texts of the host, empty results."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from tooldec import playground
from tooldec.methods import METHODS
from tooldec.schemes import SCHEMES

TOOLS = "def add(a: float, b: float)\ndef multiply(a: float, b: float)\ndef sqrt(x: float)"
ASKED = {
    "tools": TOOLS,
    "question": "The side of a square is 5. What is its area?",
    "max_tokens": 60,
    "model": "embedded",
}


def run(**fields: Any) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = json.loads(json.dumps(list(playground.run({**ASKED, **fields})), allow_nan=False))
    return messages


def steps(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [message["step"] for message in messages if message["kind"] == "step"]


@pytest.mark.parametrize("scheme", list(SCHEMES))
@pytest.mark.parametrize("start", ["text", "call", "none"])
@pytest.mark.parametrize("method", list(METHODS))
def test_every_scheme_and_method_is_told_to_its_end(scheme: str, start: str, method: str) -> None:
    messages = run(scheme=scheme, start=start, method=method, temperature=0.7, max_tokens=40)
    assert messages[-1]["kind"] == "end", messages[-1]
    pictures = [message["picture"] for message in messages if message.get("picture")]
    boxes = {box["id"] for box in pictures[-1]["boxes"]}
    assert pictures[-1]["collapsed"] == 0
    ends = {edge["to"] for edge in pictures[-1]["edges"]}
    assert {box["id"] for box in pictures[-1]["boxes"][1:]} <= ends, "every box is led to"
    for step in steps(messages):
        assert step["box"] is None or step["box"].split(".")[0] in boxes
        assert not step["valid"] or step["writer"] != "host"
        blocked = [one for one in step["candidates"] if one["after"] == 0]
        assert all(step["reasons"][str(one["token_id"])] for one in blocked), (scheme, method, step)
    again = drawn(steps(messages), scheme=scheme, start=start, method=method)
    assert again["picture"]["svg"] == pictures[-1]["svg"] and len(again["places"]) == len(steps(messages))
    assert {place["box"].split(".")[0] for place in again["places"] if place["box"]} <= boxes
    opened = {box["id"] for box in again["picture"]["boxes"] if box.get("open")}
    assert {place["box"].split(".")[0] for place in again["places"] if "." in (place["box"] or "")} <= opened


def drawn(told: list[dict[str, Any]], **fields: Any) -> Any:
    """The machine drawn again for the steps of a run, which are told as the page tells them."""
    asked = [
        {name: step[name] for name in ("token_id", "writer", "state", "next_state")}
        | {"valid": [one["token_id"] for one in step["valid"]]}
        for step in told
    ]
    return playground.ask({"ask": "draw", **ASKED, **fields, "steps": asked})


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_boxes_that_somebody_opens_or_folds(direction: str) -> None:
    """The run's own are opened, but on a phone; its steps stand inside of what is opened, and at what is folded."""
    asked: dict[str, Any] = {"question": "3 plus 4", "scheme": "json_tags", "start": "call", "direction": direction}
    asked["tools"] = TOOLS.replace("float", "int")
    messages = run(**asked)
    told = steps(messages)
    last = [message["picture"] for message in messages if message.get("picture")][-1]
    called = next(step["tool"] for step in told if step["tool"])
    boxes = {box["parameter"]: box for box in last["boxes"] if box.get("tool") == called}
    first, *others = boxes
    assert all(box["opens"] and (box["submachine"], box["states"]) == ("IntFSM", 4) for box in boxes.values())
    assert all(box["open"] == (direction == "LR") for box in boxes.values())
    opened = [[called, first, direction == "TB"]]
    again = drawn(told, **asked, opened=opened)
    boxes = {box["parameter"]: box for box in again["picture"]["boxes"] if box.get("tool") == called}
    assert boxes[first]["open"] == (direction == "TB") and all(boxes[o]["open"] == (direction == "LR") for o in others)
    at = [place["box"] for place, step in zip(again["places"], told, strict=True) if step["parameter"] == first]
    assert at and all((box != boxes[first]["id"]) == (direction == "TB") for box in at)
    assert all(box.split(".")[0] == boxes[first]["id"] for box in at)
    shown = [message["picture"] for message in run(**asked, opened=opened) if message.get("picture")]
    assert shown[-1]["svg"] == again["picture"]["svg"], "the next run keeps it so"


@pytest.mark.parametrize(
    "steps", [[1], [{}], [{"token_id": "3", "writer": "model", "state": 0, "next_state": 0, "valid": []}], "no"]
)
def test_steps_that_are_none(steps: Any) -> None:
    answer = playground.ask({"ask": "draw", **ASKED, "steps": steps})
    assert answer["kind"] == "error" and "`steps`" in answer["error"]["message"]


def test_steps_of_another_machine() -> None:
    told = steps(run(start="call", question="3 plus 4"))
    answer = drawn(told, start="call", tools="def other(x: int)")
    assert answer["kind"] == "error" and answer["error"]["fix"] == "run again"


def test_the_injected_sentence_is_the_hosts_and_then_rewritten() -> None:
    found = steps(run(scheme="name_prompt", start="call"))
    sentence = "".join(step["token"] for step in found if step["writer"] == "host" and "<T>" in step["text"])
    assert sentence == "(performing the math operation named: "
    closing = next(at for at, step in enumerate(found) if step["token"] == ")" and "<T>(performing" in step["text"])
    after = found[closing + 1]
    assert after["writer"] == "host" and "<T>" not in after["text"], "the sentence is gone, the host writes the name"
    assert found[-1]["text"].startswith(("<sqrt>(", "<multiply>(", "<add>("))
    # what follows stands at states of the machine that allow it
    argument = next(step for step in found if step["mode"] == "argument")
    assert argument["expected"] and argument["box"] is not None


def test_fuzzy_writes_a_name_anew_and_backtrace_takes_tokens_back() -> None:
    question = {"question": "The diameter of a circle is 123, what's its perimeter?", "model": "toy"}
    tools = "def byproduct(a: float, b: float)"
    fuzzy = run(**question, tools=tools, method="fuzzy")
    assert fuzzy[-1]["kind"] == "end" and "<T>byproduct(" in fuzzy[-1]["text"]
    host = [step for step in steps(fuzzy) if step["writer"] == "host"]
    assert "".join(step["token"] for step in host).startswith("byproduct")
    back = steps(run(**question, method="backtrace", tools=TOOLS, max_tokens=200))
    assert any(len(after["text"]) < len(before["text"]) for before, after in pairwise(back))


@pytest.mark.parametrize("model", ["toy", "embedded"])
def test_an_empty_result_is_followed(model: str) -> None:
    tools = "def square(side: int)"
    messages = run(tools=tools, model=model, values={"square": ""}, start="text")
    assert messages[-1]["kind"] == "end" and "<T>square(" in messages[-1]["text"]
    after = [step for step in steps(messages) if step["text"].endswith("=")]
    assert after and after[0]["mode"] == "text" and after[0]["box"] == steps(messages)[0]["box"]


@pytest.mark.parametrize(("scheme", "told"), [("special_token", True), ("react", False), ("toolken", False)])
def test_a_missing_marker_is_told_only_where_one_is_meant(scheme: str, told: bool, monkeypatch: Any) -> None:
    from tooldec import Vocabulary
    from tooldec.models.toy import ToyModel
    from tooldec.page import prepared

    class Bare(ToyModel):
        def __init__(self) -> None:
            super().__init__()
            self.vocabulary = Vocabulary([bytes([byte]) for byte in range(256)] + ["<EOS>"], eos=(256,))

    monkeypatch.setattr(prepared, "loaded", lambda name: Bare())
    prepared._machine.cache_clear()
    warnings = playground.ask({**ASKED, "scheme": scheme, "model": "bare"})["warnings"]
    prepared._machine.cache_clear()
    assert any("no token" in warning["message"] for warning in warnings) == told


def test_inside_of_a_fixed_text_a_run_stays_at_the_last_box() -> None:
    """`Thought:` and `Action Input: ` take many tokens; the picture doesn't grow by a box for each."""
    messages = run(scheme="react", start="call", question="How much is 17 plus 25?")
    pictures = [message["picture"] for message in messages if message.get("picture")]
    boxes = [{box["id"] for box in picture["boxes"]} for picture in (pictures[0], pictures[-1])]
    found = steps(messages)
    fixed = [step for step in found if step["text"].endswith(("\nAct", "\nAction", "\nAction Input"))]
    assert fixed and len(boxes[1]) <= len(boxes[0]) + 3 < len(found)
    for step in found:
        assert step["box"] and step["next_box"]
    drawn = {edge["id"] for edge in pictures[-1]["edges"]}
    within = [step for step in found if step["text"].endswith("\nAction Input")]
    assert within and all(step["line"] in drawn for step in within), "the state lies on a transition that is drawn"
    arrived = next(step for step in found if step["text"].endswith("Action Input:") or step["mode"] == "argument")
    assert arrived["box"].split(".")[0] in boxes[1]


@pytest.mark.parametrize(("start", "left"), [("call", 0), ("text", 3)])
def test_the_tools_that_a_state_leads_to(start: str, left: int) -> None:
    """Behind a forced call there is none; where text goes on there are all of them."""
    found = steps(run(scheme="json_tags", start=start, question="What is 3 plus 4?"))
    hosts = next(step for step in found if step["mode"] == "result")
    assert hosts["entered"].endswith("}\n</tool_call>")
    assert (hosts["reachable"]["count"], hosts["reachable"]["total"]) == (left, 3)
    assert found[0]["reachable"]["count"] == 3
    none = steps(run(start="none", max_tokens=4))
    assert [step["reachable"]["count"] for step in none] == [0] * len(none)
    free = steps(run(method="unguided", max_tokens=4))
    assert free[0]["reachable"]["total"] == 0, "no machine keeps it from anything"


TAGS = """[{"name": "tag_photo", "description": "Put tags on a photo.", "parameters": {"type": "object",
  "properties": {"photo": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}},
  "required": ["photo", "tags"]}}]"""


def test_what_a_list_holds_is_told_where_its_items_must_differ() -> None:
    told = steps(run(tools=TAGS, question="Tag the photo beach.jpg with sea, sea, sun and sea", start="call"))
    held = [step["remembered"] for step in told if "remembered" in step]
    assert held[0] == ['"sea"'] and all(len(set(one)) == len(one) for one in held)
    assert [len(before) <= len(after) for before, after in pairwise(held)].count(False) == 0
    reasons = [reason for step in told for reason in step["reasons"].values()]
    assert '"sea" is in the list already, whose items must differ' in reasons
    assert not any("remembered" in step for step in steps(run(start="call")))
