"""Another token at a step, and on from there: a run with an opening."""

from __future__ import annotations

from typing import Any

import pytest

from tooldec import SCHEMES, Trace, build_fsm, decode, load_model, parse_tools, playground
from tooldec.errors import UsageError
from tooldec.methods import METHODS

TOOLS = "def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)"
QUESTION = "the side of a square is 5, what's its area?"
ASKED = {"tools": TOOLS, "question": QUESTION, "model": "toy", "temperature": 1.3, "results": True, "max_tokens": 40}


def run(**fields: Any) -> list[dict[str, Any]]:
    return list(playground.run({**ASKED, **fields}))


def steps(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [message["step"] for message in messages if message["kind"] == "step"]


def timeless(step: dict[str, Any]) -> dict[str, Any]:
    drawn = ("model_ms", "mask_ms", "edge", "edges", "ways")
    return {key: value for key, value in step.items() if key not in drawn}


def own(taken: list[dict[str, Any]], count: int) -> list[int]:
    """The tokens of the first steps that nobody but the model wrote."""
    return [step["token_id"] for step in taken[:count] if step["writer"] != "host"]


@pytest.mark.parametrize("method", list(METHODS))
@pytest.mark.parametrize("seed", range(4))
def test_a_run_whose_own_tokens_open_it_is_the_same_run(method: str, seed: int) -> None:
    fresh = steps(run(method=method, seed=seed))
    for count in range(len(fresh) + 1):
        again = steps(run(method=method, seed=seed, opening=own(fresh, count)))
        assert [timeless(step) for step in again] == [timeless(step) for step in fresh], count


@pytest.mark.parametrize("scheme", ["special_token", "name_prompt"])
def test_a_branch_is_the_run_up_to_its_point_and_then_its_own(scheme: str) -> None:
    fresh = steps(run(scheme=scheme, model="embedded", start="call", temperature=0.0))
    branches = 0
    for at, step in enumerate(fresh):
        others = [one["token_id"] for one in step["valid"] if one["token_id"] != step["token_id"]]
        if step["writer"] == "host" or not others:
            continue
        messages = run(
            scheme=scheme, model="embedded", start="call", temperature=0.0, opening=[*own(fresh, at), others[0]]
        )
        branch = steps(messages)
        assert [timeless(one) for one in branch[:at]] == [timeless(one) for one in fresh[:at]]
        same = ("state", "text", "candidates", "mass_kept", "reasons")
        assert all(branch[at][name] == step[name] for name in same if name != "candidates")
        assert branch[at]["token_id"] == others[0] != step["token_id"]
        assert messages[-1]["call_error"] is None or messages[-1]["end"] == "limit"
        branches += 1
    assert branches >= 3


def test_a_token_that_is_not_allowed_is_refused_with_the_reason() -> None:
    fresh = steps(run(temperature=0.0))
    at = next(index for index, step in enumerate(fresh) if step["token"] == "uare")
    uared = next(one["token_id"] for one in fresh[at]["candidates"] if one["token"] == "uared")
    messages = run(temperature=0.0, opening=[*own(fresh, at), uared])
    assert len(steps(messages)) == at, "what stands before is kept"
    error = messages[-1]["error"]
    assert messages[-1]["kind"] == "error" and "`uared`" in error["message"]
    assert fresh[at]["reasons"][str(uared)] in error["message"]


@pytest.mark.parametrize("opening", ["3", [1.5], [True], [None], [-1], [64], [10**9]])
def test_an_opening_that_is_no_list_of_tokens_is_refused(opening: Any) -> None:
    last = run(opening=opening)[-1]
    assert last["kind"] == "error" and ("opening" in last["error"]["text"] or "no token" in last["error"]["text"])


def test_a_text_may_be_forced() -> None:
    messages = run(temperature=0.0, opening_text=" area is <T>add(")
    assert messages[-1]["text"].startswith("Its area is <T>add(5,5)"), messages[-1]["text"]
    fresh = steps(run(temperature=0.0))
    after = run(temperature=0.0, opening=own(fresh, 2), opening_text="<T>exp(2")
    assert after[-1]["text"].startswith("Its area is <T>exp(2")
    refused = run(temperature=0.0, opening_text=" area is <T>prod")[-1]
    assert refused["kind"] == "error" and "no tool" in refused["error"]["message"]


def test_what_the_model_wanted_is_shown_where_another_token_was_taken() -> None:
    tools, model = parse_tools(TOOLS), load_model("toy")
    scheme = SCHEMES["special_token"].for_model(model)
    fsm = build_fsm(scheme.grammar(tools), model.vocabulary)
    fresh = Trace.collect(decode(model, fsm, scheme.prompt(tools, QUESTION)))
    point = next(step for step in fresh.steps if step.token == "uare")
    rt = next(one.token_id for one in point.candidates if one.token == "rt")
    opening = [*(step.token_id for step in fresh.steps[: point.index]), rt]
    branch = Trace.collect(decode(model, fsm, scheme.prompt(tools, QUESTION), opening=opening))
    step = branch.steps[point.index]
    assert branch.text == "Its area is <T>sqrt(5)"
    assert (step.candidates, step.mass_kept) == (point.candidates, point.mass_kept)
    with pytest.raises(UsageError, match="no token 64"):
        Trace.collect(decode(model, fsm, scheme.prompt(tools, QUESTION), opening=[64]))
    forward = Trace.collect(decode(model, fsm, scheme.prompt(tools, QUESTION), opening=opening, fast_forward=True))
    assert forward.text == branch.text


ROPE = {
    "tools": "def divide(a: float, b: float)\ndef add(a: float, b: float)\ndef get_weather(city: str)",
    "question": "A rope of 91 m is cut into 7 equal pieces. How long is each piece?", "model": "embedded",
    "values": {"get_weather": "light snow"}, "temperature": 0.0, "max_tokens": 96,
}  # fmt: skip


@pytest.mark.parametrize("scheme", ["special_token", "json_tags", "react", "name_prompt", "toolken"])
def test_another_result_stands_in_the_place_of_the_hosts(scheme: str) -> None:
    forced = {**ROPE, "scheme": scheme, "start": "call", "question": "weather in Oslo"}
    fresh = steps(run(**forced))
    at = next(index for index, step in enumerate(fresh) if step["writer"] == "host" and step["mode"] == "result")
    messages = run(**forced, opening=own(fresh, at), replaced=[[len(fresh[at]["text"]), "heavy rain"]])
    branch = steps(messages)
    assert [timeless(one) for one in branch[:at]] == [timeless(one) for one in fresh[:at]]
    assert "heavy rain" in messages[-1]["text"] and "light snow" not in messages[-1]["text"]
    assert messages[-1]["calls"][0]["result"] == "heavy rain"


def test_results_behind_another_one_are_the_hosts_again() -> None:
    fresh = run(**ROPE)
    assert "divide(91,7)=13" in fresh[-1]["text"]
    at = next(index for index, step in enumerate(steps(fresh)) if step["writer"] == "host")
    messages = run(**ROPE, opening=own(steps(fresh), at), replaced=[[len(steps(fresh)[at]["text"]), "99"]])
    assert messages[-1]["text"].endswith("divide(91,7)=99. So the answer is 99.")
    elsewhere = run(**ROPE, replaced=[[3, "99"]])
    assert elsewhere[-1]["text"] == fresh[-1]["text"]
    refused = run(**ROPE, replaced=[["3", "99"]])[-1]
    assert refused["kind"] == "error" and "replaced" in refused["error"]["text"]


@pytest.mark.parametrize(
    ("at", "text", "told"),
    [
        (4, "cube", "no tool is called “sqcube”"),  # the toy has no token for `ube`, and the machine no tool for it
        (0, " is <T>cube", "no tool is called “cube”"),
        (6, "pi×", "an int starts with a sign or a digit"),
        (0, "É", "the toy model has no token that begins `É`"),  # nothing but the model refuses it
        (9, "×", "the toy model has no token that begins `×`"),
    ],
)
def test_the_machine_refuses_a_text_before_the_model_does(at: int, text: str, told: str) -> None:
    fresh = steps(run(temperature=0.0, results=False))
    messages = run(temperature=0.0, results=False, opening=own(fresh, at), opening_text=text)
    assert messages[-1]["kind"] == "error" and told in messages[-1]["error"]["message"]
    assert [step["token_id"] for step in steps(messages)] == own(fresh, at), "what stands before is kept"
    assert ("the model in the box" in messages[-1]["error"]["fix"]) == ("toy" in told)


def test_a_refused_text_is_named_as_it_was_typed() -> None:
    fresh = steps(run(temperature=0.0))
    for at, text in ((4, "zzz"), (3, "add(7,,"), (3, "prod")):
        error = run(temperature=0.0, opening=own(fresh, at), opening_text=text)[-1]["error"]
        assert error["message"].startswith(f"`{text}` can't stand here: "), error
