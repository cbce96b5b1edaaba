"""Machines, readers and integrations that went wrong once: open objects, ends that spell something, odd tokens."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
import torch
from judges import BYTES

from tooldec import SCHEMES, ToolDecLogitsProcessor, build_fsm
from tooldec.errors import CallError, SchemaError, ToolDecError, UsageError
from tooldec.matcher import Matcher
from tooldec.outline import Outline
from tooldec.signatures import parse_tools
from tooldec.token_fsm import TokenFSM
from tooldec.tools import Tool
from tooldec.vocabulary import Vocabulary

INTEGER = {"type": "integer"}
OPEN: tuple[dict[str, Any], ...] = (
    {"type": "object"},
    {"type": "object", "additionalProperties": True},
    {"type": "object", "properties": {"a": INTEGER}, "additionalProperties": INTEGER},
    {"type": "object", "patternProperties": {"^x": INTEGER}},
    {"type": "object", "minProperties": 1},
)


def machine(text: str, scheme: str = "special_token", **options: Any) -> TokenFSM:
    vocabulary = Vocabulary([*BYTES, "<T>", "<E>"], eos=[257])
    return build_fsm(SCHEMES[scheme].grammar(parse_tools(text), **options), vocabulary)


@pytest.mark.parametrize("parameters", OPEN)
@pytest.mark.parametrize("scheme", ["json_tags", "react"])
def test_open_objects_are_drawn(parameters: dict[str, Any], scheme: str) -> None:
    grammar = SCHEMES[scheme].grammar([Tool("f", parameters=parameters)])
    outline = Outline(build_fsm(grammar, Vocabulary([*BYTES, "<tool_call>"])))
    assert outline.view().states > 2


def test_a_token_that_ends_the_text_and_spells_something_is_allowed_at_the_end_only() -> None:
    vocabulary = Vocabulary([*BYTES, "<T>"], eos=[10, ord("5")])
    for text in ("def square(side: int)", "def say(words: str)"):
        fsm = build_fsm(SCHEMES["special_token"].grammar(parse_tools(text)), vocabulary)
        state = fsm.dfa.read(["<T>", *(b"square(" if "square" in text else b'say("')])
        assert state is not None and not fsm.allowed(state)[[10, ord("5")]].any() and fsm.step(state, 53) is None
        assert fsm.allowed(fsm.initial)[[10, ord("5")]].all()


ARGUMENTS: tuple[tuple[dict[str, Any], tuple[Any, ...], tuple[Any, ...]], ...] = (
    (OPEN[2], ({"a": 1, "b": 2},), ({"a": 1, "b": "x"}, {"b": None})),
    ({**OPEN[3], "properties": {"a": INTEGER}}, ({"a": 1, "x1": 2},), ({"y": 1}, {"x1": "2"})),
    (OPEN[4], ({"b": 2},), ({},)),
    ({"properties": {"a": INTEGER, "b": INTEGER}, "dependentRequired": {"a": ["b"]}}, ({"b": 1},), ({"a": 1},)),
    ({"properties": {"a": INTEGER}}, ({"a": 1}, {}), ({"b": 1},)),
)


@pytest.mark.parametrize(("parameters", "valid", "invalid"), ARGUMENTS)
def test_readers_judge_the_object_as_the_machine_does(parameters: Any, valid: Any, invalid: Any) -> None:
    tool = Tool("f", parameters={"type": "object", **parameters})
    scheme = SCHEMES["json_tags"]
    fsm = build_fsm(scheme.grammar([tool]), Vocabulary([*BYTES, "<tool_call>"]))
    for arguments in (*valid, *invalid):
        call = f'<tool_call>\n{{"name": "f", "arguments": {json.dumps(arguments)}}}\n</tool_call>'
        assert (fsm.dfa.read(["<tool_call>", *call.encode()[11:]]) is not None) is (arguments in valid), arguments
        if arguments in valid:
            assert scheme.read_calls(call, [tool])[0].arguments == arguments
        else:
            with pytest.raises(CallError):
                scheme.read_calls(call, [tool])


def test_tokens_that_are_none_are_refused() -> None:
    fsm = machine("def square(side: int)")
    for token in (-1, fsm.vocabulary.size, 10**9):
        assert not Matcher(fsm).accept(token) and fsm.step(fsm.initial, token) is None
        assert "spells nothing" in str(fsm.why_blocked(fsm.initial, token))


def test_what_stands_behind_a_variadic_parameter_is_refused_by_position() -> None:
    tools = parse_tools("def f(*a: int, b: int)")
    with pytest.raises(SchemaError, match="nothing can follow it by position, and `b` does"):
        SCHEMES["special_token"].grammar(tools)
    assert SCHEMES["json_tags"].grammar(tools)


def test_a_call_that_only_the_host_writes_is_no_text_whatever_its_name() -> None:
    fsm = machine("def Translate(text: str)\ndef add(a: int)", "name_prompt")
    assert fsm.dfa.read([*b"<Translate>"]) is None and fsm.dfa.read([*b"<add"]) is None
    assert fsm.dfa.read([*b"<Tra", *b"la>"]) is not None and fsm.dfa.read(["<T>"]) is not None


@pytest.mark.parametrize(
    "error",
    [
        CallError("no tool", kind="name", start=3, end=9, name=(3, 5)),
        SchemaError("is empty", path="$.a", keyword="enum", line=2, fix="fill it"),
        ToolDecError("wrong", line=1, column=2),
    ],
)
def test_errors_come_whole_out_of_another_process(error: ToolDecError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)


def test_where_another_processor_barred_everything_generate_is_told() -> None:
    fsm = machine("def square(side: int)", start="call")
    processor = ToolDecLogitsProcessor(fsm, 0)
    barred = torch.zeros(1, fsm.vocabulary.size)
    barred[0, 256] = -torch.inf  # `<T>`, the only token that may come
    with pytest.raises(UsageError, match="barred every token"):
        processor(torch.zeros(1, 0, dtype=torch.long), barred)


def test_lists_and_dicts_are_read_as_their_json() -> None:
    parameters = {"type": "object", "properties": {"x": INTEGER}, "required": ["x"]}
    listed = [{"name": "f", "parameters": parameters}]
    for value in (listed, tuple(listed), listed[0], {"tools": listed}):
        assert [tool.signature() for tool in parse_tools(value)] == ["f(x: int)"]


NO_TOOLS = (
    (print, "builtin_function"),
    (b"def f()", "`bytes`"),
    (None, "`NoneType`"),
    ([print], "list of tools can't"),
)


@pytest.mark.parametrize(("value", "told"), NO_TOOLS)
def test_what_holds_no_tools_is_told(value: Any, told: str) -> None:
    with pytest.raises(UsageError, match=f"{told}.*; give their text"):
        parse_tools(value)
