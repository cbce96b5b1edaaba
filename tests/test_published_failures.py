"""What the published code gets wrong (PAPER.md, "What the published code does"): each is right here."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import pytest

from tooldec import SCHEMES, Vocabulary, build_fsm, parse_tools
from tooldec.automaton import DFA
from tooldec.errors import ToolDecError
from tooldec.results import compute
from tooldec.schemes import ReAct, Toolken
from tooldec.tools import Tool

BYTES = Vocabulary([*(bytes([byte]) for byte in range(256)), b").", b"))", b")=", b"Action", b"5)", "<EOS>"], eos=[261])


def tool(schema: Any, required: bool = True) -> Tool:
    properties = {"x": schema}
    return Tool("f", "", {"type": "object", "properties": properties, "required": ["x"] if required else []})


def accepts(tools: Any, arguments: str) -> bool:
    dfa = DFA(ReAct().grammar(tools))
    state = dfa.read(f"Thought: so\nAction: f\nAction Input: {arguments}".encode())
    return state is not None and dfa.is_accepting(state)


NUMBER, INTEGER, STRING = {"type": "number"}, {"type": "integer"}, {"type": "string"}
LIST = {"type": "array", "items": INTEGER}


@pytest.mark.parametrize(
    ("schema", "value", "accepted"),
    [
        (NUMBER, '{"x": 3.5}', True),  # a space before a number
        (NUMBER, '{"x":3.5}', True),
        (NUMBER, '{"x": -3}', True),
        (NUMBER, '{"x": 1e-3}', True),
        (NUMBER, '{"x": 6.02E+23}', True),
        (LIST, '{"x": [1, 2, 3]}', True),
        (LIST, '{"x": []}', True),
        (NUMBER, '{"x": 007}', False),
        (NUMBER, '{"x": .}', False),
        (NUMBER, '{"x": 1.}', False),
        (INTEGER, '{"x": 3.7}', False),
        (STRING, '{"x": "a\nb"}', False),  # a raw line break
        (STRING, '{"x": "a\\nb"}', True),
        (STRING, '{"x": "\\u00e9\\""}', True),
        ({"type": "boolean"}, '{"x": true}', True),
        ({"type": "boolean"}, '{"x": 1}', False),
        ({"type": "null"}, '{"x": null}', True),
        ({"oneOf": [INTEGER, {"type": "null"}]}, '{"x": null}', True),
        ({"oneOf": [INTEGER, {"type": "null"}]}, '{"x": "a"}', False),
        ({"type": "array"}, '{"x": [1, "a", null]}', True),  # an array without items
    ],
)
def test_json_is_neither_too_narrow_nor_too_wide(schema: Any, value: str, accepted: bool) -> None:
    assert accepts([tool(schema)], value) is accepted
    if accepted:
        json.loads(value)


def test_an_empty_object_where_everything_is_optional() -> None:
    assert accepts([tool(INTEGER, required=False)], "{}")
    assert accepts([tool(INTEGER, required=False)], '{"x": 1}')  # and what is optional doesn't vanish
    assert not accepts([tool(INTEGER)], "{}")


def test_no_invalid_token_stays_reachable() -> None:
    """All tokens that the machine doesn't know are masked, however they rank, and EOS inside of a call."""
    fsm = build_fsm(SCHEMES["special_token"].grammar([tool(INTEGER)], "call"), BYTES)
    state = fsm.initial
    for byte in b"<T>f(5":
        step = fsm.step(state, byte)
        assert step is not None
        allowed = np.flatnonzero(fsm.allowed(state))
        assert byte in allowed and len(allowed) <= 13 and 261 not in allowed
        state = step
    assert fsm.step(state, 261) is None
    assert fsm.step(state, 256) is None  # ")." would end the call and go on
    closed = fsm.step(state, ord(")"))
    assert closed is not None and fsm.is_accepting(closed)


@pytest.mark.parametrize(
    "text",
    [
        "Action: f\nAction Input: {}",  # `Thought:` is enforced
        "Thought: so\nAction:f\nAction Input: {}",  # `Action:foo` can't be read
        "Thought: so Action f\nAction Input: {}",
        "Thought: so\nAction: f\nAction Input:{}",
    ],
)
def test_every_part_of_react_is_enforced(text: str) -> None:
    dfa = DFA(ReAct().grammar([Tool("f")]))
    state = dfa.read(text.encode())
    assert state is None or not dfa.is_accepting(state)


def test_action_inside_of_a_thought_does_not_switch() -> None:
    fsm = build_fsm(ReAct().grammar([Tool("f")]), BYTES)
    state: int | None = fsm.initial
    for token in [*b"Thought: the next ", 259, *b" is: my ", 259, *b": x"]:
        state = fsm.step(state, token) if state is not None else None
    assert state is not None and fsm.label(state).mode == "text" and fsm.allowed(state).sum() == 261
    state = fsm.step(fsm.step(state, ord("\n")) or 0, 259)  # a line that begins with it, once the colon is there
    assert state is not None and fsm.label(state).mode == "text"
    state = fsm.step(fsm.step(state, ord(":")) or 0, ord(" "))
    assert state is not None and np.flatnonzero(fsm.allowed(state)).tolist() == [ord("F"), ord("f")]


def test_names_are_kept_whole() -> None:
    """Long names that agree in their last 64 characters, and capitals, stay different; equal ones are refused."""
    tools = [Tool(start + "_of_a_very_long_name_that_goes_on_for_more_than_sixty_four_characters_x") for start in "aAb"]
    dfa = DFA(SCHEMES["special_token"].grammar(tools, "call"))
    for one in tools:
        state = dfa.read(f"<T>{one.name}()".encode())
        assert state is not None and dfa.is_accepting(state)
    with pytest.raises(ToolDecError, match="two tools are called `f`"):
        SCHEMES["special_token"].grammar([Tool("f"), Tool("f")])


@pytest.mark.parametrize("token", [256, 257])  # ")." and "))", on which ToolkenGPT runs on
def test_only_the_right_end_closes_a_toolken_call(token: int) -> None:
    fsm = build_fsm(Toolken().grammar([tool(INTEGER)], "call"), BYTES)
    state: int | None = fsm.initial
    for byte in b"<f>(5":
        state = fsm.step(state, byte) if state is not None else None
    assert state is not None and fsm.step(state, token) is None
    after = fsm.step(state, 258)
    assert after is not None and fsm.is_accepting(after)


def test_results_are_not_evaluated() -> None:
    """Arguments are values, never code; what is large is refused, what is small keeps its digits."""
    assert compute("power", (10, 10_000_000)) is None
    assert compute("__import__", (1,)) is None
    assert compute("divide", (1, 300)) == "0.0033"
    host = SCHEMES["special_token"].host(parse_tools("def multiply(a: str, b: float)"))
    assert host.write('<T>multiply("__import__(1)", 2)=') is None


def test_variadic_tools_and_exact_counts() -> None:
    """FuncQA's gold calls have one to five arguments."""
    dfa = DFA(SCHEMES["special_token"].grammar(parse_tools("def add(*x: float)\ndef log(a: float)"), "call"))
    for text, accepted in [("add(1)", 1), ("add(1,2,3,4,5)", 1), ("log(1)", 1), ("log(1,2)", 0), ("log()", 0)]:
        state = dfa.read(f"<T>{text}".encode())
        assert (state is not None and dfa.is_accepting(state)) is bool(accepted)


def test_a_step_does_not_decode_every_candidate() -> None:
    """170–190 ms a step on 32,000 tokens; ours, with as many, in a few, the first visit of each state included."""
    words = [f"{a}{b}{c}".encode() for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnop" for c in range(77)]
    vocabulary = Vocabulary([*(bytes([byte]) for byte in range(256)), *words, "<EOS>"], eos=[256 + len(words)])
    assert vocabulary.size > 32_000
    fsm = build_fsm(SCHEMES["special_token"].grammar(parse_tools("def find(a: int, b: str)")), vocabulary)
    fsm.allowed(fsm.initial)  # builds the trie, once for a vocabulary
    state: int | None = fsm.initial
    text = b'It is <T>find(5, "abc")'
    start = time.perf_counter()
    for byte in text:
        assert state is not None
        fsm.allowed(state)
        state = fsm.step(state, byte)
    assert (time.perf_counter() - start) / len(text) < 0.1
