"""Strings that are quoted: the automaton of a text's spans against the spans one by one, and the schemes with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tooldec import SCHEMES, Trace, decode, parse_tools
from tooldec.arguments import argument
from tooldec.arguments.spans import CODE, spans
from tooldec.automaton import DFA
from tooldec.errors import SchemaError, UsageError
from tooldec.grammar import Submachine
from tooldec.methods import METHODS
from tooldec.models import Model
from tooldec.playground import ask, run
from tooldec.schemes import Scheme, Start, quoting
from tooldec.token_fsm import build_fsm
from tooldec.tools import Tool

QUESTION = "Send “Rosy Cheeks” to Ann-Marie O'Neil in New  York, 12 boxes of it."


def language(machine: Submachine | None) -> set[str]:
    """All that a machine reads; each text once, for the machine is deterministic."""
    found: set[str] = set()
    if machine is None or machine.ready is None:
        return found
    table = machine.ready
    stack = [(0, b"")]
    while stack:
        state, read = stack.pop()
        if table.accepting[state]:
            assert read.decode() not in found
            found.add(read.decode())
        stack += [(to, read + bytes([byte])) for byte, to in enumerate(table.rows[state]) if to >= 0]
    return found


def by_hand(texts: list[str], low: int, high: int | None) -> set[str]:
    """The same, span by span: words are runs of ASCII letters, or of digits, here."""
    found = {""}
    for text in [*texts, *(" ".join(text.split()) for text in texts)]:
        for start in range(len(text)):
            for end in range(start + 1, len(text) + 1):
                span = text[start:end]
                pairs = [text[i - 1] + text[i] for i in (start, end) if 0 < i < len(text)]
                inside = [pair.isalpha() or pair.isdigit() for pair in pairs]
                if not any(inside) and span == span.strip():
                    found.add(span)
    kept = {span for span in found if low <= len(span) and (high is None or len(span) <= high)}
    return {json.dumps(span, ensure_ascii=False) for span in kept}


@given(
    st.lists(st.text('ab1 \n"\\,', max_size=9), min_size=1, max_size=3),
    st.integers(0, 4),
    st.none() | st.integers(0, 9),
)
def test_the_automaton_reads_the_spans_and_nothing_else(texts: list[str], low: int, high: int | None) -> None:
    assert language(spans(tuple(texts), low, high)) == by_hand(texts, low, high)


def test_borders_of_words() -> None:
    said = language(spans(("Ärger in São Paulo? e\u0301a 東京へ, 5km 👍",)))
    assert {'"Ärger"', '"São Paulo"', '"São Paulo?"', '"東京"', '"京へ"', '"5km"', '"👍"', '"e\u0301a"'} <= said
    assert {'"5"', '"km"', '"5km"'} <= said
    assert not {'"rger"', '"São P"', '"k"', '"e"', '"\u0301a"', '" in"', '"in "'} & said
    assert language(spans(("ab\ud800cd",))) == {'""', '"ab"', '"cd"'}, "half a character divides a text"


def test_a_long_text_has_few_states_and_one_that_repeats_itself_is_refused() -> None:
    words = " ".join(f"w{number * number % 9973}" for number in range(3000))
    machine = spans((words,))
    assert machine is not None and machine.ready is not None
    assert len(machine.ready) < 3 * len(words)
    with pytest.raises(UsageError, match=r"can't be quoted from 20,000 characters"):
        quoting(SCHEMES["special_token"], parse_tools("def f(x: str)"), "a " * 10_000)


def accepts(scheme: Scheme, tools: tuple[Tool, ...], text: str, start: Start = "call") -> bool:
    dfa = DFA(scheme.grammar(tools, start))
    state = dfa.read(text.encode())
    return state is not None and dfa.is_accepting(state)


SEND = parse_tools("def send(to: str, note: str = 'with love', tags: list[str] = [])")
CALLS = {
    "special_token": '<T>send("{}","{}",["{}"])',
    "json_tags": '<tool_call>\n{{"name": "send", "arguments": {{"to": "{}", "note": "{}", "tags": ["{}"]}}}}\n</tool_call>',
    "react": 'Thought:\nAction: send\nAction Input: {{"to": "{}", "note": "{}", "tags": ["{}"]}}',
    "toolken": '<send>("{}","{}",["{}"])=',
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    ("values", "said"),
    [
        (("Ann-Marie O'Neil", "Rosy Cheeks", "New York"), True),
        (("Ann", "“Rosy Cheeks”", "New  York"), True),
        (("", "with love", "12 boxes"), True),
        (("a result", "of it.", "result"), True),
        (("Anna", "Rosy", "York"), False),
        (("Ann", "rosy", "York"), False),
        (("Ann", "Rosy", "ork"), False),
        (("with", "love and", "York"), False),
    ],
)
def test_strings_of_a_scheme(name: str, values: tuple[str, ...], said: bool) -> None:
    scheme = quoting(SCHEMES[name], SEND, QUESTION, "a result")
    text = CALLS[name].format(*values)
    assert accepts(SCHEMES[name], SEND, text)
    assert accepts(scheme, SEND, text) is said


def test_what_react_finishes_with_is_any_text() -> None:
    scheme = quoting(SCHEMES["react"], SEND, QUESTION)
    wanted = 'Thought: so\nAction: Finish\nAction Input: {"return_type": "give_answer", "final_answer": "It is sent."}'
    assert accepts(scheme, SEND, wanted, start="text")


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"type": "string"}, "Cheeks", True),
        ({"type": "string"}, "cheek", False),
        ({"type": "string"}, "", True),
        ({"type": "string", "minLength": 1}, "", False),
        ({"type": "string", "minLength": 8}, "in New York", True),
        ({"type": "string", "minLength": 8}, "York", False),
        ({"type": "string", "minLength": 200}, "x" * 200, True),
        ({"type": "string", "maxLength": 8}, "New York", True),
        ({"type": "string", "maxLength": 8}, "in New York", False),
        ({"type": "string", "maxLength": 8}, "Boston", False),
        ({"type": "string", "maxLength": CODE}, "US", True),
        ({"type": "string", "pattern": "^[A-Z]{3}$"}, "JFK", True),
        ({"type": "string", "format": "date"}, "2026-11-24", True),
        ({"enum": ["express", "slow"]}, "express", True),
        ({"type": "string", "enum": ["express", "slow"], "minLength": 5}, "express", True),
        ({"type": "string", "enum": ["express", "slow"], "minLength": 5}, "slow", False),
        ({"type": ["string", "null"]}, None, True),
        ({"type": ["string", "null"]}, "Boston", False),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "Boston", False),
        ({}, {"colour": "York"}, True),
        ({}, {"colour": "red"}, False),
        ({"type": "object", "additionalProperties": {"type": "string"}}, {"colour": "York"}, True),
        ({"type": "object", "additionalProperties": {"type": "string"}}, {"colour": "red"}, False),
        ({"type": "object", "propertyNames": {"minLength": 6}}, {"colour": 1}, True),
    ],
)
def test_a_schema_that_says_more(schema: dict[str, Any], value: Any, valid: bool) -> None:
    writing = quoting(SCHEMES["json_tags"], (), QUESTION).writing  # type: ignore[attr-defined]
    for known in (writing, writing):  # a second time from what is kept
        dfa = DFA(argument(schema, known))
        state = dfa.read(json.dumps(value).encode())
        assert (state is not None and dfa.is_accepting(state)) is valid


def test_a_maximum_that_is_too_far_to_be_counted_is_refused_with_its_place() -> None:
    question = " ".join(f"w{number * number % 9973}" for number in range(3000))
    tools = parse_tools(
        '[{"name": "f", "parameters": {"type": "object", "properties": {"x": {"type": "string", "maxLength": 900}}}}]'
    )
    with pytest.raises(SchemaError, match=r"\$\.x.*in `f`: .*too long to count"):
        quoting(SCHEMES["json_tags"], tools, question).grammar(tools)


@pytest.mark.parametrize("name", ["special_token", "json_tags", "react", "toolken"])
def test_a_random_model_says_nothing_that_nobody_has_said(roomy: Model, name: str) -> None:
    scheme = SCHEMES[name].for_model(roomy)
    fsm = build_fsm(quoting(scheme, SEND, QUESTION).grammar(SEND, start="call"), roomy.vocabulary)
    prompt = scheme.prompt(SEND, QUESTION, documentation=False)
    said = {json.loads(one) for one in language(spans((QUESTION, "with love")))}
    finished = 0
    for seed in range(12):
        trace = Trace.collect(decode(roomy, fsm, prompt, max_tokens=200, temperature=2.0, seed=seed))
        for call in scheme.read_calls(trace.text, SEND) if trace.finished else ():
            values = [value for key, value in call.arguments.items() if key not in ("return_type", "final_answer")]
            assert {text for value in values for text in (value if isinstance(value, list) else [value])} <= said
            finished += 1
    assert finished


# ---- the page and its many questions

BOX: dict[str, Any] = {
    "tools": "def weather(city: str)", "question": "Will it rain in Oslo or in Bergen?", "start": "call",
    "documentation": False,
}  # fmt: skip


def test_the_machine_of_a_request_knows_its_question() -> None:
    free, quoted = (ask({"ask": "draw", **BOX, "quote": quote}) for quote in (False, True))
    assert quoted["machine"]["states"] > free["machine"]["states"]
    other = ask({"ask": "draw", **BOX, "quote": True, "question": "Rain in Rome?", "values": {"weather": "it rains"}})
    assert other["machine"]["states"] != quoted["machine"]["states"]
    nested = {**BOX, "quote": True, "values": {"weather": {"sky": "Blue Note", "old": None}}}
    looks = (ask({**nested, "ask": "look", "entered": 'weather("Blue', "why": typed}) for typed in (' Note"', " Sky"))
    reasons = [found["why"]["reason"] for found in looks]
    assert reasons[0] is None and reasons[1] == "byte 2: nothing that was said goes on with “Sky”: expected `N`"
    messages = list(run({**BOX, "quote": True, "method": "unguided", "max_tokens": 5}))
    assert messages[-1]["kind"] == "end", "there is nothing to quote by"


def test_each_of_many_questions_has_its_own_strings() -> None:
    asked = [
        message
        for message in run({"ask": "fights", **BOX, "quote": True, "questions": "Rain in Rome?\nSnow in Turku today?"})
        if message["kind"] == "asked"
    ]
    said = [json.loads(one["text"].partition("(")[2].rpartition(")")[0]) for one in asked]
    for value, question in zip(said, ("Rain in Rome?", "Snow in Turku today?"), strict=True):
        assert value in question


def test_a_way_of_compare_quotes() -> None:
    lanes = [{"method": "guided"}, {"method": "guided", "quote": True}]
    messages = list(run({"ask": "compare", **BOX, "lanes": lanes}))
    assert [m["word"] for m in messages if m["kind"] == "verdict"] == ["valid", "valid"]
    starts = [m["message"] for m in messages if m["kind"] == "lane" and m["message"]["kind"] == "start"]
    assert starts[0]["machine"]["states"] < starts[1]["machine"]["states"]


def test_methods_take_a_scheme_that_quotes(small: Model) -> None:
    scheme = SCHEMES["special_token"].for_model(small)
    prompt = scheme.prompt(SEND, QUESTION, documentation=False)
    for method in ("guided", "weighed"):
        steps = METHODS[method].run(small, quoting(scheme, SEND, QUESTION), SEND, prompt, "call", max_tokens=200)
        assert Trace.collect(steps).steps
