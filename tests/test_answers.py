"""What the page asks beside drawing: checks, rankings, states, files, many questions."""

from __future__ import annotations

import json
import math
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tooldec import playground
from tooldec.errors import ModelError
from tooldec.lint import Replacement, apply
from tooldec.models import Model
from tooldec.page.answers import check, keep, rank
from tooldec.schemes import SCHEMES

TOOLS = """def add(a: int, b: int)
def exp(x: int)
def exp10(x: int)
def square(side: int)
def sqrt(x: float)
def square(area: float)
def area_of_circle(radius: flaot)
def lcm(*numbers: int)"""
QUESTION = "the side of a square is 5, what's its area?"
TOY = {"tools": TOOLS, "question": QUESTION, "model": "toy", "results": False}


def ask(**fields: Any) -> dict[str, Any]:
    return json.loads(json.dumps(playground.ask({**TOY, **fields}), allow_nan=False))  # type: ignore[no-any-return]


# ---- check


def test_findings_with_places_counts_and_what_the_fixes_leave() -> None:
    found = ask(ask="check", model="no such model!")  # the toy can't spell every name
    assert found["kind"] == "check" and found["counts"]["error"] == 2
    assert (found["in_machine"], found["tools"], found["format"]) == (6, 8, "Python signatures")
    errors = [(f["code"], f["line"], f["column"]) for f in found["findings"] if f["severity"] == "error"]
    assert errors == [("E101", 6, 5), ("E204", 7, 28)]
    assert [(one["name"], one["code"]) for one in found["missing"]] == [("square", "E101"), ("area_of_circle", "E204")]
    assert found["after"]["counts"]["error"] == 0 and found["after"]["in_machine"] == 8
    changes = [Replacement(**f["replacement"]) for f in found["findings"] if f["replacement"]]
    assert found["fixes"] == len(changes) == 2
    assert ask(ask="check", tools=apply(TOOLS, changes), model="no such model!")["counts"]["error"] == 0


def test_a_report_made_without_the_model_is_not_that_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(name: str) -> Model:
        raise ModelError("no network")

    tools = "def add(a: int)\ndef utter(b: int)"
    with monkeypatch.context() as without:
        without.setattr(check, "loaded", gone)
        assert "E610" not in ask(ask="check", tools=tools)["codes"]
    assert "E610" in ask(ask="check", tools=tools)["codes"], "the toy can't spell `utter`"


def test_a_list_that_is_not_in_the_prompt_takes_no_room_there() -> None:
    many = "\n".join(f"def tool_{i}(a: int)" for i in range(700))
    assert "W621" in ask(ask="check", tools=many)["codes"]
    assert "W621" not in ask(ask="check", tools=many, documentation=False)["codes"]


def test_what_is_missing_of_a_program_has_no_name_of_its_line() -> None:
    text = "const now = tool({\n  parameters: z.object({ at: z.string().refine(isTime) }),\n});"
    found = ask(ask="check", tools=text, model="no such model!")
    assert found["missing"] == [{"name": "", "line": 2, "code": "E100"}]


def test_a_check_of_nothing_and_of_what_is_no_tool() -> None:
    for text in ("", "???", '[{"name": '):
        found = ask(ask="check", tools=text)
        assert found["counts"]["error"] == 1 and found["in_machine"] == 0
    assert ask(ask="check", model="no such model!")["counts"]["error"] == 2  # the tokens are left out, not the checks


def test_hints_of_most_tools_are_told_once_and_the_rest_is_counted() -> None:
    found = ask(ask="check", tools="\n".join(f"def f{i:04}(a: int)" for i in range(400)), model="no such model!")
    (hint,) = (f for f in found["findings"] if f["code"] == "H502")
    assert hint["message"] == "A tool without description: `f0000` and 399 more"
    twice = "\n".join(f"def get_{'x' * 30}{i:03}()  # F.\ndef get_{'x' * 30}{i:03}s()  # F." for i in range(400))
    near = [f for f in ask(ask="check", tools=twice, model="no such model!")["findings"] if f["code"] == "W121"]
    assert len(near) <= 301


def test_sizes_of_tools() -> None:
    rows = ask(ask="sizes")["rows"]
    assert [row["tool"] for row in rows] == ["add", "exp", "exp10", "square", "sqrt", "lcm"]
    assert all(row["states"] > 4 for row in rows) and ask(ask="sizes", tools="")["rows"] == []


def test_the_prompt_as_the_model_reads_it() -> None:
    found = ask(ask="prompt", tools="def square(side: int)", question="What is 5 squared?", documentation=False)
    assert found["prompt"]["text"] == "Q: What is 5 squared?\nA:" and found["prompt"]["characters"] == 24
    long = ask(ask="prompt", tools="def square(side: int)", question="?" * 5000)["prompt"]
    assert len(long["text"]) == 4000 and long["characters"] > 5000


# ---- rank


def test_the_ranking_with_its_token_pieces() -> None:
    found = ask(ask="rank")
    assert found["kind"] == "ranking" and found["entries"][0]["tool"] == "square" and found["marker"] == "<T>"
    assert [piece["token"] for piece in found["entries"][0]["path"]] == ["sq", "uare"]
    assert found["sum"] == pytest.approx(1) and found["entries"][0]["line"] == 4
    assert len(found["entries"]) == found["tools"] == 6
    renamed = ask(ask="rank", tools=TOOLS.replace("def square(side", "def expadd(side"))
    assert [entry["tool"] for entry in renamed["entries"]].index("expadd") > 0
    assert ask(ask="rank", question=" ")["kind"] == "error"


def test_a_ranking_of_names_weighed_as_wholes() -> None:
    tools = "def water_plants(minutes: int)\ndef feed_cat(grams: int)\ndef lock_door(door: str)"
    asked = {"tools": tools, "question": "give the cat 30 grams", "model": "embedded", "documentation": False}
    found = ask(ask="rank", method="weighed", **asked)
    assert found["weighed"] and [entry["path"] for entry in found["entries"]] == [[], [], []]
    shares = [entry["probability"] for entry in found["entries"]]
    weights = [math.sqrt(entry["weight"][0] * entry["weight"][1]) for entry in found["entries"]]
    assert sum(shares) == pytest.approx(1) and found["entries"][0]["tool"] == "feed_cat"
    assert [weight / weights[0] for weight in weights] == pytest.approx([share / shares[0] for share in shares])
    for method in ("guided", "unguided"):
        plain = ask(ask="rank", method=method, **asked)
        assert not plain["weighed"] and plain["entries"][0]["weight"] is None and plain["entries"][0]["path"]


TWO = "def add(a: int)\ndef exp(x: int)"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_ranks(scheme: str) -> None:
    found = ask(ask="rank", scheme=scheme, tools=TWO, model="embedded")
    assert found["kind"] == "ranking" and {"add", "exp"} <= {entry["tool"] for entry in found["entries"]}
    _, *asked, _ = fight(scheme=scheme, tools=TWO, model="embedded")
    assert len(asked) == 3 and all(one["called"] and one["top"] and "error" not in one for one in asked)


@pytest.mark.parametrize(
    ("scheme", "unspelled"),
    [("json_tags", "<tool_call>"), ("react", "Thought:"), ("name_prompt", "forming the math ope"), ("toolken", "<")],
)
def test_a_model_that_cannot_spell_a_scheme_says_so(scheme: str, unspelled: str) -> None:
    error = ask(ask="rank", scheme=scheme, tools=TWO)["error"]
    assert error["message"] == f"the toy model has no token that begins `{unspelled}`" and "embedded" in error["fix"]
    _, *asked, _ = fight(scheme=scheme, tools=TWO)
    assert len(asked) == 3 and all(
        "vocabulary" in one["error"]["text"] or unspelled in one["error"]["text"] for one in asked
    )


def test_rankings_of_a_model_are_made_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once, most, real = 0, 0, rank.ranked

    def counted(*arguments: Any) -> Any:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        time.sleep(0.05)
        try:
            return real(*arguments)
        finally:
            at_once -= 1

    monkeypatch.setattr(rank, "ranked", counted)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: ask(ask="rank"), range(4)))
    assert {one["kind"] for one in found} == {"ranking"} and most == 1


# ---- look


def box(name: str, subtitle: str = "") -> str:
    boxes = ask(ask="draw")["picture"]["boxes"]
    return next(one["id"] for one in boxes if one["name"] == name and subtitle in one["subtitle"])  # type: ignore[no-any-return]


def test_a_state_that_no_run_has_visited() -> None:
    name = next(b["id"] for b in ask(ask="draw")["picture"]["boxes"] if b["kind"] == "name" and b["name"] == "s4")
    found = ask(ask="look", box=name, why="uared")
    assert found["why"] == {"text": "uared", "reason": "byte 5: no tool is called “squared”"}
    assert found["tools"] == {"names": ["square(side: int)", "sqrt(x: float)"], "count": 2, "total": 6}
    assert {one["token"] for one in found["allowed"]["tokens"]} == {"uare", "rt"} and found["mode"] == "name"
    assert found["expected"] == "the rest of a tool's name"
    assert ask(ask="look", box=name, why="uare(5")["why"]["reason"] is None
    assert ask(ask="look", box=name, find="r")["allowed"]["found"] == 2
    assert ask(ask="look", box=name, find="rt")["allowed"]["tokens"][0]["token"] == "rt"


def test_an_argument_and_a_state_inside_of_it() -> None:
    side = box("s10", "side")
    assert ask(ask="look", box=side, why="pi")["why"]["reason"] == "an int starts with a sign or a digit"
    assert ask(ask="look", box=side)["expected"] == "a sign or a digit"
    assert ask(ask="look", box=f"{side}.2")["name"] == "s12"
    written = ask(ask="look", box=side, entered="square(5", why="5.")
    assert written["why"]["reason"] == "byte 2: `.` isn't part of an int: expected `)` or a digit"
    assert ask(ask="look", box=side, why="<T>")["why"]["reason"].startswith("`<T>` is a special token")


def test_behind_a_special_token_of_a_call_the_state_is_the_one_behind_it() -> None:
    asked = {"ask": "look", "scheme": "json_tags", "model": "embedded", "start": "call", "results": True}
    written = '\n{"name": "square", "arguments": {"side": 5}}\n'
    box = ask(**{**asked, "ask": "draw"})["picture"]["boxes"][0]["id"]
    before = ask(**asked, box=box, entered=written)
    behind = ask(**asked, box=box, entered=f"{written}</tool_call>")
    assert before["expected"] == "`</tool_call>`" and behind["expected"] == "the host's result"
    assert behind["tools"]["count"] == 0, "the answer ends with its one call"


def test_text_mode_allows_everything_page_by_page() -> None:
    first = ask(ask="look", box=box("s0"))["allowed"]
    assert first["total"] >= 60 and len(first["tokens"]) == 60
    rest = ask(ask="look", box=box("s0"), offset=60)["allowed"]["tokens"]
    assert len(rest) == first["total"] - 60 and rest[0]["token_id"] > first["tokens"][-1]["token_id"]


@pytest.mark.parametrize("fields", [{"box": "b999"}, {"box": "b4.x"}, {"box": ""}, {"box": 7}, {"why": 3, "box": "b1"}])
def test_a_state_that_is_not_there(fields: dict[str, Any]) -> None:
    found = ask(ask="look", **fields)
    assert found["kind"] == "error" and "something went wrong" not in found["error"]["text"]


# ---- files


@pytest.mark.parametrize("form", ["svg", "dot", "graphml", "json"])
def test_the_machine_as_a_file(form: str) -> None:
    found = ask(ask="file", format=form)
    assert found["name"] == f"machine.{form}" and "square" in found["text"]
    if form in ("svg", "graphml"):
        ET.fromstring(found["text"])
    if form == "json":
        assert json.loads(found["text"])["states"]
    assert ask(ask="file", format="exe")["kind"] == "error"


# ---- fights

QUESTIONS = f"{QUESTION} => square\nWhat is 2 + 3? => add\nno tool => nothing_like_it"


def fight(**fields: Any) -> list[dict[str, Any]]:
    messages = list(playground.run({**TOY, "ask": "fights", "questions": QUESTIONS, **fields}))
    return json.loads(json.dumps(messages, allow_nan=False))  # type: ignore[no-any-return]


def test_a_message_for_each_question() -> None:
    first, *asked, last = fight()
    assert first["kind"] == "asking" and first["count"] == 3 and first["unknown"] == ["nothing_like_it"]
    assert [message["kind"] for message in asked] == ["asked"] * 3 and last["kind"] == "advice"
    one = asked[0]
    assert (one["called"], one["expected"], one["expected_at"]) == ("square", "square", 0)
    assert [f["place"] for f in one["fights"]] == ["name", "rest", "rest", "argument 1", "end"]
    rest = one["fights"][1]
    assert rest["removed"] == pytest.approx(0.703, abs=0.01) and rest["wanted"][0]["token"] == "uared"
    assert asked[1]["expected_at"] == 1 and asked[2]["expected_at"] is None


def test_visits_are_boxes_and_transitions_of_the_drawn_machine() -> None:
    for start in ("text", "call"):
        picture = ask(ask="draw", start=start)["picture"]
        known = {box["id"] for box in picture["boxes"]} | {edge["id"] for edge in picture["edges"]}
        visits = fight(start=start)[1]["visits"]
        assert {one for one in visits if "." not in one} <= known and len(visits) > 6
        names = {box["id"]: box["name"] for box in picture["boxes"]}
        assert [names[one] for one in visits if one in names][:2] == ["s0", "s1"]


def test_no_questions_and_questions_that_no_model_reads() -> None:
    assert fight(questions=" \n# nothing")[-1]["kind"] == "error"
    asked = fight(questions="a\0b\nWhat is 2 + 3?")
    assert "NUL" in asked[1]["error"]["text"] and asked[2]["called"] is not None
    assert fight(tools="")[-1]["kind"] == "error" and fight(questions=5)[-1]["kind"] == "error"


# ---- long texts


def test_a_long_text_comes_once_and_is_named_after_that() -> None:
    first = playground.ask({"ask": "keep", "id": "one", "at": 0, "text": "def add("})
    assert first == {"kind": "kept", "parts": 1}
    request = {"ask": "check", "tools_kept": "one", "parts": 2}
    assert playground.ask(request) == {"kind": "forgotten"}, "a part is missing"
    playground.ask({"ask": "keep", "id": "one", "at": 1, "text": "a: int)"})
    for _ in range(2):
        assert playground.ask(request)["in_machine"] == 1
    second = playground.ask({**request, "tools_kept": "two"})
    assert second == {"kind": "forgotten"}
    assert [m["kind"] for m in playground.run({"tools_kept": "two", "parts": 1})] == ["error"]


def test_kept_texts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: OrderedDict[str, Any] = OrderedDict()
    monkeypatch.setattr(keep, "_texts", texts)
    for index in range(keep.MOST + 50):
        playground.ask({"ask": "keep", "id": f"empty {index}", "at": 0, "text": ""})
    assert len(texts) == keep.MOST and "empty 0" not in texts
    for name in ("", "x" * 1000):
        assert playground.ask({"ask": "keep", "id": name, "at": 0, "text": "a"})["kind"] == "error"
    monkeypatch.setattr(keep, "KEPT", 10)
    for name in "ab":
        playground.ask({"ask": "keep", "id": name, "at": 0, "text": "123456"})
    assert list(texts) == ["b"]


def test_a_part_of_a_text_follows_those_before_it() -> None:
    def sent(at: int, text: str) -> str:
        return playground.ask({"ask": "keep", "id": "parts", "at": at, "text": text})["kind"]  # type: ignore[no-any-return]

    assert [sent(0, "def old()"), sent(0, "def "), sent(2, "lost"), sent(-1, "lost"), sent(1, "f()")] == [
        "kept", "kept", "error", "error", "kept",
    ]  # fmt: skip
    assert keep.whole({"tools_kept": "parts", "parts": 2}) == {"tools_kept": "parts", "parts": 2, "tools": "def f()"}


@pytest.mark.parametrize("method", ["guided", "weighed"])
@pytest.mark.parametrize("scheme", ["react", "json_tags"])
def test_every_scheme_has_a_ranking_on_the_page(scheme: str, method: str) -> None:
    tools = "def weather_report(city: str)\ndef square_number(side: int)"
    found = ask(ask="rank", tools=tools, question="5 squared?", scheme=scheme, method=method, model="embedded")
    assert found["kind"] == "ranking"
    places = {entry["tool"]: entry["line"] for entry in found["entries"]}
    assert places.pop("Finish", None) is None and places == {"weather_report": 1, "square_number": 2}
