from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tooldec import Prompt, Trace, Vocabulary, parse_tools, playground
from tooldec.errors import UsageError
from tooldec.methods import METHODS
from tooldec.page import prepared
from tooldec.page.ending import ending
from tooldec.page.request import Request
from tooldec.schemes import SCHEMES

FOUR = "def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)"
QUESTION = "the side of a square is 5, what's its area?"
TOY = {"tools": FOUR, "question": QUESTION, "model": "toy", "results": False}


def run(**fields: Any) -> list[dict[str, Any]]:
    return list(playground.run({**TOY, **fields}))


def wire(messages: Any) -> Any:
    """As the page gets it: strict JSON, in ASCII."""
    return json.loads(json.dumps(messages, allow_nan=False).encode("ascii"))


# ---- a model that writes what it is told


class Typist:
    """Writes a text byte by byte, as far as it is let; then ends."""

    name, device, dtype, has_tool_template, has_chat_template, context = "typist", "cpu", "float32", False, False, 10**6

    def __init__(self, text: str) -> None:
        self.vocabulary = Vocabulary([*(bytes([b]) for b in range(256)), "<T>", "<EOS>"], eos=[257])
        head, *rest = text.split("<T>")
        self.ids = [*head.encode(), *(token for part in rest for token in (256, *part.encode())), 257]

    def render(self, prompt: Prompt | str) -> str:
        return str(prompt)

    def prompt_tokens(self, prompt: Prompt | str) -> int:
        return 1

    def tokenize(self, text: str) -> list[int]:
        return list(text.encode())

    def start(self, prompt: Prompt | str) -> TypistSession:
        return TypistSession(self.ids)


class TypistSession:
    prefix, room = "", 10**6

    def __init__(self, ids: list[int]) -> None:
        self.ids, self.count = ids, 0

    def logits(self) -> Any:
        import torch

        logits = torch.zeros(258)
        logits[self.ids[self.count]] = 50.0
        return logits

    def append(self, ids: Iterable[int]) -> None:
        for token in ids:
            if self.count < len(self.ids) and self.ids[self.count] == token:
                self.count += 1


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    def run_typed(text: str, tools: str = FOUR, **fields: Any) -> list[dict[str, Any]]:
        prepared._machine.cache_clear()
        monkeypatch.setattr(prepared, "loaded", lambda name: Typist(text))
        return run(tools=tools, model="typist", max_tokens=len(text.encode()) + 50, **fields)

    yield run_typed
    prepared._machine.cache_clear()


# ---- what the page gets


def test_a_run_is_a_start_its_steps_and_an_end() -> None:
    messages = wire(run())
    kinds = [message["kind"] for message in messages]
    assert kinds[0] == "start" and kinds[-1] == "end" and set(kinds) == {"start", "picture", "step", "end"}
    steps = [message["step"] for message in messages if message["kind"] == "step"]
    assert [step["state_name"] for step in steps] == ["s0", "s0", "s0", "s1", "s4", "s5", "s10", "s12", "s0"]
    assert [step["index"] for step in steps] == list(range(9))
    end = messages[-1]
    assert (end["end"], end["finished"], end["text"]) == ("eos", True, "Its area is <T>square(5)")
    (call,) = end["calls"]
    assert (call["name"], call["arguments"], end["text"][call["start"] : call["end"]]) == (
        "square",
        {"side": 5},
        "<T>square(5)",
    )
    assert end["call_error"] is None and end["totals"]["steps"] == 9 and end["notes"] == []


def test_the_start_tells_of_tools_model_machine_and_prompt() -> None:
    start = wire(run())[0]
    assert [tool["signature"] for tool in start["tools"]] == [
        "add(a: int, b: int)",
        "exp(x: int)",
        "square(side: int)",
        "sqrt(x: int)",
    ]
    assert start["model"] == {**start["model"], "name": "toy", "device": "cpu", "vocabulary": 64}
    assert (
        start["machine"]["vocabulary"] == 64 and start["machine"]["end"] == "<EOS>" and start["machine"]["states"] > 10
    )
    assert start["prompt"]["tokens"] >= start["prompt"]["tokens_without_documentation"] > 0
    assert ET.fromstring(start["picture"]["svg"]).tag.endswith("svg") and start["warnings"] == []


def test_every_step_points_at_boxes_of_the_latest_picture() -> None:
    ids: set[str] = set()
    edges: set[str] = set()
    for message in run():
        if "picture" in message:
            root = ET.fromstring(message["picture"]["svg"])
            ids = {str(e.get("id")) for e in root.iter() if e.get("id")}
            edges = {edge["id"] for edge in message["picture"]["edges"]} | {i for i in ids if i.count(".") == 2}
        if message["kind"] == "step":
            step = message["step"]
            assert (
                {step["box"], step["next_box"]} <= ids | {None}
                and set(step["edges"]) <= edges
                and set(step["ways"]) <= edges
            )


def test_a_step_explains_what_is_valid_and_why_the_rest_is_not() -> None:
    steps = [message["step"] for message in run() if message["kind"] == "step"]
    text, name, inside = steps[0], steps[3], steps[6]
    assert text["whole"] and text["valid"] == [] and text["reasons"] == {}
    assert {chip["token"]: chip["next_name"] for chip in name["valid"]} == {"add": "s2", "exp": "s3", "sq": "s4"}
    assert name["reachable"] == {
        "names": ["add(a: int, b: int)", "exp(x: int)", "square(side: int)", "sqrt(x: int)"],
        "count": 4,
        "total": 4,
    }
    assert "no tool is called “prod”" in name["reasons"].values() and name["expected"] == "a tool's name"
    assert inside["reachable"]["names"] == ["square(side: int)"] and inside["entered"] == "square("
    for step in steps:
        blocked = {str(c["token_id"]) for c in step["candidates"] if c["after"] == 0}
        assert step["reasons"].keys() == blocked and all(step["reasons"].values())
        assert step["token_id"] in {c["token_id"] for c in step["candidates"] if c["after"] > 0}


def test_draw_is_the_machine_without_a_run() -> None:
    message = wire(playground.ask({"tools": FOUR, "model": "toy"}))
    assert message["kind"] == "machine" and message["tool_count"] == 4 and message["picture"]["collapsed"] == 0
    assert [box["name"] for box in message["picture"]["boxes"]][:3] == ["s0", "s1", "s2"]


@pytest.mark.parametrize("count", [700, 4000])  # whose tokens are counted, and whose characters tell enough
def test_a_list_that_does_not_fit_is_left_out_of_the_prompt(count: int) -> None:
    tools = "\n".join(f"def f{index}(a: int)" for index in range(count))
    message = wire(playground.ask({"tools": tools, "model": "embedded"}))
    assert f"the list of {count:,} tools doesn't fit" in message["warnings"][0]["message"]
    assert message["prompt"]["tokens"] == message["prompt"]["tokens_without_documentation"]
    few = wire(playground.ask({"tools": FOUR, "model": "embedded"}))
    assert few["warnings"] == [] and few["prompt"]["tokens"] > few["prompt"]["tokens_without_documentation"]


def test_it_is_told_whether_the_list_of_tools_was_left_out() -> None:
    many = "\n".join(f"def tool_{number:03}(side: int, other: float)" for number in range(300))
    told = [playground.ask({"tools": tools, "model": "embedded"})["prompt"] for tools in (FOUR, many)]
    assert [prompt["left_out"] for prompt in told] == [False, True]
    assert told[1]["tokens"] == told[1]["tokens_without_documentation"]


def test_results_are_the_page_s_default() -> None:
    messages = wire(run(results=True))
    host = [
        message["step"] for message in messages if message["kind"] == "step" and message["step"]["writer"] == "host"
    ]
    assert "".join(step["token"] for step in host) == "25" and messages[-1]["calls"][0]["result"] == "25"
    given = wire(run(results=True, values={"square": "7"}))
    assert given[-1]["calls"][0]["result"] == "7"
    unknown = wire(run(results=True, tools="def add(a: int)\ndef squared(a: int)"))
    assert unknown[-1]["end"] == "needs_result" and "nobody here knows the result of" in unknown[-1]["notes"][0]


def test_a_result_that_looks_like_another_scheme_s_stays_whole() -> None:
    told = "Observation: calm sea 🙂"
    end = wire(run(results=True, model="embedded", start="call", max_tokens=60, values={"square": told}))[-1]
    assert told in end["text"] and end["calls"][0]["result"] == told


def test_a_number_that_no_float_holds_is_refused() -> None:
    for value in (10**400, -(10**5000)):
        with pytest.raises(UsageError, match="`temperature` can't be"):
            Request.read({"temperature": value})


def test_unguided_runs_name_their_error() -> None:
    end = wire(run(method="unguided"))[-1]
    assert end["call_error"]["kind"] == "name" and "squared" in end["call_error"]["message"] and end["calls"] == []
    assert end["call_error"]["begun"]


@pytest.mark.parametrize(
    ("scheme", "text", "begun"),
    [
        ("toolken", "It is <T>square(5)", False),  # another scheme's call: text to this one
        ("toolken", "It is <square>(5.5)=", True),
        ("react", "It is 25.", False),
        ("react", "Thought: it is 25", False),
        ("react", "Thought: so\nAction: cube\nAction Input: {}", True),
    ],
)
def test_what_is_no_call_is_told_from_a_wrong_one(scheme: str, text: str, begun: bool) -> None:
    request = playground.Request(scheme=scheme)
    trace = Trace((), text, "eos")
    end = ending(trace, SCHEMES[scheme], parse_tools(FOUR), request)
    assert end["calls"] == [] and end["call_error"]["begun"] == begun
    assert any("without a call" in note for note in end["notes"]) != begun


def test_a_run_without_a_call_says_so_and_one_that_is_cut_off_too() -> None:
    cut = wire(run(max_tokens=5))[-1]
    assert (cut["end"], cut["finished"]) == ("limit", False) and cut["notes"][0].startswith("cut off after 5 tokens")
    forced = wire(run(start="call"))[-1]
    assert forced["end"] == "call" and forced["calls"][0]["name"]


def test_a_run_that_is_stopped_leaves_nothing_behind() -> None:
    before = tokens(wire(run()))
    steps = playground.run(TOY)
    first = [next(steps) for _ in range(4)]
    steps.close()  # type: ignore[attr-defined]
    assert first[-1]["kind"] == "step" and tokens(wire(run())) == before


def tokens(messages: list[Any]) -> list[int]:
    return [message["step"]["token_id"] for message in messages if message["kind"] == "step"]


def test_the_menus() -> None:
    offered = wire(playground.options("toy"))
    assert {entry["value"] for entry in offered["schemes"]} == set(SCHEMES)
    assert {entry["value"]: entry["guided"] for entry in offered["methods"]} == {
        name: method.guided for name, method in METHODS.items()
    }
    assert playground.model_status("toy")["kind"] == "model"
    assert playground.model_status("toy")["model"]["begins"] == {"json_tags": '<tool_call> {"name": "find…'}
    assert playground.model_status("no such model!")["kind"] == "error"


# ---- what bad input gets

DEEP = json.dumps({"type": "integer"})
for _ in range(2000):
    DEEP = '{"type": "array", "items": ' + DEEP + "}"
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no tools": ({"tools": ""}, "tool"),
    "blank tools": ({"tools": " \n\t# nothing\n"}, "tool"),
    "cut signature": ({"tools": "def f(a: int"}, "line 1"),
    "duplicate parameter": ({"tools": "def f(a: int, a: int)"}, "line 1"),
    "keyword": ({"tools": '[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"extends": {"type": "integer"}}}}}]'}, "$.a"),
    "no such type": ({"tools": '[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "strng"}}}}]'}, "strng"),
    "broken JSON": ({"tools": '[{"name": "f", }]'}, "line 1"),
    "model": ({"model": "no such model!"}, "no such model!"),
    "model path": ({"model": "/nowhere/at/all"}, "/nowhere/at/all"),
    "model NUL": ({"model": "a\0b"}, "model"),
    "scheme": ({"scheme": "smoke"}, "smoke"),
    "start": ({"start": "never"}, "never"),
    "method": ({"method": "magic"}, "magic"),
    "temperature": ({"temperature": -1.0}, "temperature"),
    "temperature NaN": ({"temperature": float("nan")}, "temperature"),
    "temperature text": ({"temperature": "hot"}, "temperature"),
    "top_p": ({"top_p": 2.0}, "top_p"),
    "top_k": ({"top_k": -1}, "top_k"),
    "max_tokens": ({"max_tokens": 0}, "max_tokens"),
    "seed": ({"seed": True}, "seed"),
    "values": ({"values": [1]}, "values"),
    "tools number": ({"tools": 5}, "tools"),
    "NUL in tools": ({"tools": "def f(a: int)\0"}, "U+0000"),
    "5 MB of one line": ({"tools": "x" * 5_000_000}, ""),
    "5 MB of brackets": ({"tools": "[" * 5_000_000}, ""),
    "5 MB of parentheses": ({"tools": "def f(a: " + "(" * 5_000_000}, ""),
    "5 MB of JSON": ({"tools": '[{"name": "' + "x" * 5_000_000}, ""),
    "deep schema": ({"tools": '[{"name": "f", "parameters": {"type": "object", "properties": {"a": ' + DEEP + "}}}]"}, "deep"),
    "deep annotation": ({"tools": "def f(a: " + "list[" * 3000 + "int" + "]" * 3000 + ")"}, ""),
    "deep default": ({"tools": "def f(a: int = " + "-" * 100_000 + "1)"}, ""),
    "lone surrogate": ({"tools": "def f\ud800(a: int)"}, ""),
    "heavy pattern": ({"tools": '[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "string", "pattern": "(a|b)*a(a|b){22}$"}}}}]'}, "pattern"),
}  # fmt: skip
QUESTIONS: dict[str, tuple[dict[str, Any], str]] = {
    "none": ({"question": ""}, "no question"),
    "blank": ({"question": " \n "}, "no question"),
    "NUL": ({"question": "a\0b"}, "NUL"),
    "long": ({"question": "why? " * 1_000_000}, "5,000,000 characters"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_gets_one_error_message(case: str) -> None:
    fields, phrase = BAD[case]
    start = time.perf_counter()
    messages = wire([list(playground.run({**TOY, **fields})), [playground.ask({**TOY, **fields})]])
    for found in messages[: 1 if case in ("temperature", "temperature NaN", "top_p", "top_k", "max_tokens") else 2]:
        (message,) = found[-1:]
        assert [m["kind"] for m in found].count("error") == 1 and message["kind"] == "error"
        assert phrase in message["error"]["text"] and len(message["error"]["text"]) < 2000
        assert "something went wrong" not in message["error"]["text"]
    assert time.perf_counter() - start < 10


LEFT_OUT: dict[str, tuple[str, int, str, list[str]]] = {
    # tools, line and a phrase of the first error, the tools in the machine
    "no signature": ("def f(a: int)\nthis is no signature", 2, "isn't a signature", ["f"]),
    "unknown type": ("def f(a: int)\ndef g(x: strng)", 2, "strng", ["f"]),
    "duplicate": ("def f(a: int)\ndef g()\ndef f(b: int)", 3, "two tools", ["f", "g"]),
    "keyword": ('{"name": "f", "parameters": {"type": "object", "properties": {"a": {"extends": {"type": "integer"}}}}}\n{"name": "g"}', 1, "extends", ["g"]),
    "5 MB of signatures that fail": ("def f(a: int)\n" * 360_000, 2, "two tools", ["f"]),
}  # fmt: skip


@pytest.mark.parametrize("case", LEFT_OUT)
def test_tools_with_errors_are_left_out_with_a_word(case: str) -> None:
    tools, line, phrase, names = LEFT_OUT[case]
    for message in wire([playground.ask({**TOY, "tools": tools}), run(tools=tools)[0]]):
        assert [tool["name"] for tool in message["tools"]] == names and message["tool_count"] == len(names)
        first = message["left_out"][0]
        assert first["line"] == line and phrase in first["text"]
        assert message["left_out_count"] >= len(message["left_out"]) > 0


def test_added_tools_keep_the_names_of_states_and_their_own_are_marked() -> None:
    """Figure 3: exp10 and expand add s7 and s8."""
    more = FOUR + "\ndef exp10(x: int)\ndef expand(x: int)"
    message = wire(playground.ask({**TOY, "tools": more, "base": FOUR}))
    boxes = {box["id"]: box for box in message["picture"]["boxes"]}
    assert [boxes[one]["name"] for one in message["changes"]["new"]] == ["s7", "s8"]
    assert [boxes[one]["subtitle"] for one in message["changes"]["changed"]] == ["exp"]
    root = ET.fromstring(message["picture"]["svg"])
    marked = [e.get("id") for e in root.iter() if "new" in (e.get("class") or "").split()]
    assert sorted(marked) == sorted(message["changes"]["new"])
    less = wire(playground.ask({**TOY, "tools": FOUR, "base": more}))["changes"]
    assert less["new"] == [] and [gone for gone in less["gone"] if "exp10" in gone]
    assert wire(run(tools=more, base=FOUR))[0]["changes"] == message["changes"]
    for other in (FOUR, "def other()", "no tools at all"):
        assert playground.ask({**TOY, "tools": FOUR, "base": other})["changes"] is None


@pytest.mark.parametrize("case", QUESTIONS)
def test_a_bad_question_gets_one_error_message(case: str) -> None:
    fields, phrase = QUESTIONS[case]
    (message,) = wire(run(**fields))
    assert message["kind"] == "error" and phrase in message["error"]["text"]
    assert playground.ask({**TOY, **fields})["kind"] == "machine"  # drawing needs no question


def test_after_all_that_the_playground_works() -> None:
    assert wire(run())[-1]["finished"]


def test_missing_and_unknown_fields() -> None:
    assert playground.ask({})["kind"] == "error"
    assert playground.ask({**TOY, "surprise": 1, "seed": None})["kind"] == "machine"
    assert playground.ask({**TOY, "temperature": 1})["kind"] == "machine"


# ---- hostile and odd text

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "${alert(1)}",
    "`${alert(1)}`",
    "</script><script>alert(1)</script>",
    "&lt;b&gt;",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str, typed: Any) -> None:
    tools = json.dumps([{"name": "say", "description": text, "parameters": {"type": "object", "properties": {text: {"type": "string", "description": text}, "b": {"enum": [text]}}, "required": [text]}}])  # fmt: skip
    messages = wire(typed(f"Well {text} <T>say({json.dumps(text)})", tools, question=text))
    end = messages[-1]
    assert end["kind"] == "end" and end["calls"][0]["arguments"] == {text: text}
    for message in messages:
        if "picture" in message:
            root = ET.fromstring(message["picture"]["svg"])
            assert not {"script", "img", "b"} & {e.tag.rsplit("}")[-1] for e in root.iter()}
            assert all(not key.startswith("on") for e in root.iter() for key in e.keys())


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("<T>f(1e999)", None),
        ("<T>f(-" + "9" * 400 + ".5)", None),
        ("<T>f(1e-999)", {"x": 0.0}),
        ("<T>f(+1)", {"x": 1}),
    ],
)
def test_every_number_that_a_model_can_write_reaches_the_page(text: str, arguments: Any, typed: Any) -> None:
    messages = wire(typed(text, "def f(x: float)"))
    assert messages[-1]["kind"] == "end" and messages[-1]["text"] == text
    if arguments is not None:
        assert messages[-1]["calls"][0]["arguments"] == arguments


def test_half_a_surrogate_pair_and_half_a_character_reach_the_page(typed: Any) -> None:
    messages = wire(typed('é🙂 <T>say("\\ud83d\\ude00é🙂")', "def say(text: str)"))
    assert messages[-1]["calls"][0]["arguments"] == {"text": "😀é🙂"}
    assert [m["step"]["token"] for m in messages if m["kind"] == "step"][:2] == ["⟨C3⟩", "⟨A9⟩"]


def test_several_calls_in_one_answer(typed: Any) -> None:
    end = wire(typed("One <T>exp(1), two <T>add(2, 3) and <T>sqrt(0).", results=True))[-1]
    assert [call["name"] for call in end["calls"]][:1] == ["exp"] and end["calls"][0]["result"]
    end = wire(typed("One <T>exp(1), two <T>add(2, 3) and <T>sqrt(0).", results=False))[-1]
    assert [(call["name"], call["arguments"]) for call in end["calls"]] == [
        ("exp", {"x": 1}),
        ("add", {"a": 2, "b": 3}),
        ("sqrt", {"x": 0}),
    ]


def test_a_tool_that_its_provider_runs_is_no_error_of_the_machine() -> None:
    tools = '[{"type": "web_search"}, {"name": "square", "parameters": {"properties": {"side": {"type": "integer"}}}}]'
    drawn = playground.ask({"tools": tools})
    assert (drawn["left_out"], drawn["left_out_count"], drawn["tool_count"]) == ([], 0, 1)
    assert [one["code"] for one in playground.ask({"ask": "check", "tools": tools})["missing"]] == ["W102"]


def test_a_tool_that_is_left_out_is_told_where_its_schema_is_wrong() -> None:
    tools = """[
{"name": "now"},
{"name": "pay", "parameters": {"properties": {"to": {"type": "object", "properties": {
  "sum": {"type": "integer", "multipleOf": 4999}}}}}}]"""
    (told,) = playground.ask({"tools": tools})["left_out"]
    assert "too many states" in told["message"] and (told["line"], told["column"]) == (4, 4)
