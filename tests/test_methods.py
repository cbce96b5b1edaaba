"""The methods to compare with, on scripted models whose mistakes are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from writer import Writer

from tooldec import SCHEMES, Trace, load_model, parse_tools
from tooldec.methods import METHODS, PUBLISHED, nearest
from tooldec.reading import judge
from tooldec.schemes import ReAct

TOOLS = parse_tools("def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)")
MEMES = parse_tools("def jokes()\ndef search_gifs_from_memes(query: str)")
QUESTION = "the side of a square is 5, what's its area?"


def answer(method: str, model: Any, scheme: Any = SCHEMES["special_token"], tools: Any = TOOLS, **how: Any) -> Trace:
    return Trace.collect(METHODS[method].run(model, scheme, tools, scheme.prompt(tools, QUESTION), **how))


GOOD = "It is <T>square(5)."
FIGURE_7 = 'Thought: a meme\nAction: gifs_from_memes\nAction Input: {"query": "cats"}'
RIGHT_7 = FIGURE_7.replace("gifs", "search_gifs")


@pytest.mark.parametrize(
    ("method", "options", "scheme", "tools", "answers", "text", "word"),
    [
        ("unguided", {}, "special_token", TOOLS, ["It is <T>squared(5)."], "It is <T>squared(5).", "name"),
        ("fuzzy", {}, "special_token", TOOLS, ["It is <T>squared(5).", GOOD], GOOD, "valid"),
        ("fuzzy", {}, "special_token", TOOLS, ["It is <T>uare(5).", GOOD], GOOD, "valid"),
        ("fuzzy", {}, "special_token", TOOLS, ["It is <T>(5)."], "It is <T>(5).", "name"),
        ("fuzzy", {"published": True}, "special_token", TOOLS, ["<T>(5,2).", "<T>add(5,2)."], "<T>add(5,2).", "valid"),
        ("fuzzy", {"published": True}, "special_token", TOOLS, ["<T>squared(5)."], "<T>squared(5).", "name"),
        ("fuzzy", {}, "react", MEMES, [FIGURE_7, RIGHT_7], RIGHT_7, "valid"),
        ("fuzzy", {}, "special_token", TOOLS, ["<T>sqrt(pi)"], "<T>sqrt(pi)", "illegal symbol"),
        ("backtrace", {}, "special_token", TOOLS, ["<T>product(5)", "<T>exp(5)"], "<T>exp(5)", "valid"),
        ("backtrace", {}, "special_token", TOOLS, ["<T>sqrt(5).", "<T>add(pi)", "<T>exp(5)"], "<T>sqrt(5).", "valid"),
        ("backtrace", {}, "special_token", TOOLS, ["<T>sqrt(a)", "<T>add(b)", "<T>exp(5)"], "<T>exp(5)", "valid"),
        (
            "backtrace", {"retries": 1}, "special_token", TOOLS, ["<T>sqrt(a)", "<T>add(b)", "<T>exp(5)"], "<T>add(b)",
            "illegal symbol",
        ),
        ("backtrace", {}, "special_token", TOOLS, ["<T>sqrt(5", "<T>exp(5)"], "<T>exp(5)", "valid"),
        ("backtrace", {}, "toolken", TOOLS, ["<add>(5, pi)=", "<exp>(5)="], "<exp>(5)=", "valid"),
        ("guided", {}, "special_token", TOOLS, ["It is <T>squared(5)."], "It is <T>square", "valid"),
    ],
)  # fmt: skip
def test_what_becomes_of_a_mistake(
    method: str, options: Mapping[str, Any], scheme: str, tools: Any, answers: list[str], text: str, word: str
) -> None:
    trace = answer(method, Writer(*answers), SCHEMES[scheme], tools, options=options, max_tokens=300)
    assert trace.text.startswith(text)
    assert judge(trace.text, SCHEMES[scheme], tools).word == word
    assert Trace.from_json(trace.to_json()) == trace


def test_a_trace_shows_what_was_taken_back() -> None:
    model = Writer("<T>sqrt(a)", "<T>exp(5)")
    trace = answer("backtrace", model)
    texts = [step.text for step in trace.steps]
    assert texts[:8] == ["", "<T>", "<T>s", "<T>sq", "<T>sqr", "<T>sqrt", "<T>sqrt(", "<T>"]
    again = trace.steps[7]
    assert again.token == "e" and {c.token: c.after for c in again.candidates}["s"] == 0
    assert model.starts == 2 and trace.end == "eos" and trace.text == "<T>exp(5)"


def test_fuzzy_writes_as_the_host() -> None:
    trace = answer("fuzzy", Writer("<T>squared(5)."))
    put_right = [step for step in trace.steps if step.writer == "host"]
    assert "".join(step.token for step in put_right) == "square(" and put_right[0].text == "<T>"


def test_results_in_unguided_answers() -> None:
    for method in METHODS:
        trace = answer(method, Writer("It is <T>square(5)=25. Done."), results=True)
        host = "".join(step.token for step in trace.steps if step.writer == "host")
        assert (host, trace.text) == ("25", "It is <T>square(5)=25. Done."), method
    trace = answer("unguided", Writer("<T>square(5)="), results=True, given={"square": "7"})
    assert trace.text == "<T>square(5)=7"
    trace = answer("unguided", Writer(RIGHT_7), ReAct(), MEMES, results=True)
    assert judge(trace.text, ReAct(), MEMES).word == "valid"  # nobody knows the observation: the model goes on


def test_a_forced_call_begins_with_the_marker_in_every_method() -> None:
    for method in METHODS:
        trace = answer(method, load_model("toy"), start="call")
        assert trace.text.startswith("Its<T>"), method


def test_which_tool_a_name_stands_for() -> None:
    known = ["jokes", "world_of_jokes", "of_jokes"]
    assert nearest("s", known, published=True) == "jokes" and nearest("", known, published=True) == "jokes"
    assert nearest("of_jokes", known) == "of_jokes" and nearest("world_of_joke", known) == "world_of_jokes"
    assert nearest("", known) is None and nearest("weather", known) is None
    assert nearest("weather", known, published=True) is None
    assert set(PUBLISHED) < set(METHODS)
