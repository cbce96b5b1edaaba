"""The classifier: an answer's error class, by scheme, as Figures 1, 7 and 8 name them."""

from __future__ import annotations

from typing import Any

import pytest

from tooldec import SCHEMES, parse_tools
from tooldec.errors import CallError
from tooldec.reading import CLASSES, SYNTAX, judge
from tooldec.schemes import FAMILIES

TOOLS = parse_tools("def multiply(a: float, b: float)\ndef sqrt(x: float)\ndef find(query: str, limit: int = 3)")
WAYS: dict[str, Any] = {**SCHEMES, **FAMILIES}


def react(action: str, arguments: str) -> str:
    return f"Thought: so\nAction: {action}\nAction Input: {arguments}"


ANSWERS = [
    # scheme, answer, kind of the error ("" where there is none), class
    ("special_token", "It is <T>product(2, 3)", "name", "name"),
    ("special_token", "It is <T>multiply(pi, 4)", "illegal_symbol", "illegal symbol"),
    ("special_token", "It is <T>multiply(2)", "count", "argument"),
    ("special_token", 'It is <T>multiply(2, "3")', "type", "argument"),
    ("special_token", "It is <T>sqrt(175.25.", "end_token", "format"),
    ("special_token", "It is <T>sqrt(175].", "end_token", "format"),
    ("special_token", "It is <T>sqrt(175", "cut_off", "cut off"),
    ("special_token", "It is <T>sqrt(175.", "cut_off", "cut off"),
    ("special_token", "It is <T>sqrt(-1.5e-", "cut_off", "cut off"),
    ("special_token", "It is <T>sqrt(1.5e-)", "end_token", "format"),
    ("special_token", "It is 13.", "", "none"),
    ("toolken", "It is <sqrt>(175.25).\n\nQ: A right triangle", "end_token", "format"),
    ("toolken", "It is <sqrt>(175.25)=13.24", "", "valid"),
    ("toolken", "It is <sqrt>(175.25)", "cut_off", "cut off"),
    ("toolken", "It is <multiply>(40, pi)=error", "illegal_symbol", "illegal symbol"),
    ("toolken", "It is <product>(40, 3)=120", "name", "name"),
    ("toolken", "It is <sqrt>(4, 9)=2", "count", "argument"),
    ("toolken", "It is <sqrt>[4]", "format", "format"),
    ("toolken", "It is <sqrt>", "cut_off", "cut off"),
    ("name_prompt", "It is <T>(performing the math operation named: sqrt", "cut_off", "cut off"),
    ("name_prompt", "It is <multiply>(40, pi)=", "illegal_symbol", "illegal symbol"),
    ("name_prompt", "It is <T>product(2)", "name", "name"),
    ("react", react("gifs", '{"query": "funny"}'), "name", "name"),
    ("react", react("find", '{"is_id": "U"}'), "unknown", "argument"),
    ("react", react("find", "{}"), "missing", "argument"),
    ("react", react("find", '{"query": 3}'), "type", "argument"),
    ("react", react("find", '["query"]'), "format", "format"),
    ("react", react("find", "{'query': 'x'}"), "format", "format"),
    ("react", react("find", '{"query": "x"'), "cut_off", "cut off"),
    ("react", 'Thought: x\nAction Input: Finish\nAction Input: {"final_answer": "…"}', "format", "format"),
    ("react", 'Action: find\nAction Input: {"query": "x"}', "format", "format"),
    ("react", "I think it is 13.", "format", "format"),
    ("react", react("find\nbecause", '{"query": "x"}'), "format", "format"),
    ("react", react("find", '{"query": "x"}.'), "end_token", "format"),
    ("react", react("find", '{"query": "x"}') + "\nObserv", "cut_off", "cut off"),
    ("react", "Thought: so\nAction: fin", "cut_off", "cut off"),
    ("react", react("Finish", '{"final_answer": "x"}'), "missing", "argument"),
    ("json_tags", '<tool_call>{"name": "finds", "arguments": {}}</tool_call>', "name", "name"),
    ("json_tags", '<tool_call>{"name": "find", "arguments": {"q": 1}}</tool_call>', "unknown", "argument"),
    ("json_tags", "<tool_call>find(3)</tool_call>", "format", "format"),
    ("json_tags", '<tool_call>{"name": "find"', "cut_off", "cut off"),
    ("llama", '{"name": "finds", "parameters": {}}', "name", "name"),
    ("llama", '{"name": "find", "arguments": {"query": "x"}}', "format", "format"),
    ("llama", '{"name": "find", "parameters": {"query": "x}', "cut_off", "cut off"),
    ("llama", '{"name": find}', "format", "format"),
    ("mistral", '[TOOL_CALLS] [{"name": "sqrt", "arguments": {"x": "4"}}]', "type", "argument"),
    ("mistral", '[TOOL_CALLS] {"name": "sqrt", "arguments": {"x": 4}}', "format", "format"),
    ("mistral", '[TOOL_CALLS] [{"name": "sqrt", "arguments": {"x": 4}}', "cut_off", "cut off"),
    ("mistral", '[TOOL_CALLS] [{"name": "sqrt", "arguments": {"x": 4}}]', "", "valid"),
    ("pythonic", "[sqrt(x=4)]", "", "valid"),
    ("pythonic", "[root(x=4)]", "name", "name"),
    ("pythonic", "[sqrt(x=pi)]", "illegal_symbol", "illegal symbol"),
    ("pythonic", "[sqrt(4)]", "format", "format"),
    ("pythonic", "[sqrt(x=4", "cut_off", "cut off"),
    ("pythonic", "[sqrt(x=4];", "end_token", "format"),
    ("lfm2", "So <|tool_call_start|>[multiply(a=4)]<|tool_call_end|>", "missing", "argument"),
    ("olmo", "<function_calls>sqrt(y=4)</function_calls>", "unknown", "argument"),
    ("gemma", "<|tool_call>call:sqrt{x:4}<tool_call|>", "", "valid"),
    ("gemma", "<|tool_call>call:sqrt{x:pi}<tool_call|>", "illegal_symbol", "illegal symbol"),
    ("gemma", "<|tool_call>call:sqrt{x:4", "cut_off", "cut off"),
    ("function_gemma", "<start_function_call>call:root{x:4}<end_function_call>", "name", "name"),
    ("mistral_args", '[TOOL_CALLS]sqrt[ARGS]{"x": 4}', "", "valid"),
    ("mistral_args", '[TOOL_CALLS]root[ARGS]{"x": 4}', "name", "name"),
    ("mistral_args", '[TOOL_CALLS]sqrt{"x": 4}', "format", "format"),
    ("mistral_args", "[TOOL_CALLS]sqrt[AR", "cut_off", "cut off"),
    ("mistral_args", "[TOOL_CALLS]", "cut_off", "cut off"),
    (
        "deepseek",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>sqrt<｜tool▁sep｜>[4]<｜tool▁call▁end｜>",
        "format",
        "format",
    ),
    ("deepseek", '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>sqrt<｜tool▁sep｜>{"x": 4}', "cut_off", "cut off"),
    ("deepseek", '<｜tool▁calls▁begin｜>{"x": 4}', "format", "format"),
    ("kimi", "<|tool_calls_section_begin|><|tool_call_begin|>functions.sq", "cut_off", "cut off"),
    ("kimi", "<|tool_calls_section_begin|><|tool_call_begin|>sqrt:0", "format", "format"),
    ("command", '<|START_ACTION|>[{"tool_name": "sqrt", "arguments": {"x": 4}}]<|END_ACTION|>', "format", "format"),
    ("command", '<|START_ACTION|>[{"tool_name": "sqrt", "parameters": {"x": 4}}]', "cut_off", "cut off"),
    ("harmony", '<|channel|>commentary to=functions.sqrt <|constrain|>json<|message|>{"x": "4"}', "type", "argument"),
    ("harmony", "<|channel|>commentary to=functions.sqrt <|constrain|>json<|mess", "cut_off", "cut off"),
]


@pytest.mark.parametrize(("way", "answer", "kind", "word"), ANSWERS)
def test_the_class_of_an_answer(way: str, answer: str, kind: str, word: str) -> None:
    verdict = judge(answer, WAYS[way], TOOLS)
    assert (verdict.error.kind if verdict.error else "", verdict.word) == (kind, word)
    assert (verdict.error is not None) == bool(kind)
    if isinstance(verdict.error, CallError):
        assert 0 <= verdict.error.start < verdict.error.end <= len(answer)


@pytest.mark.parametrize(
    ("way", "answer", "name"),
    [
        ("special_token", "It is <T>product(2, 3)", "product"),
        ("toolken", "It is <product>(2, 3)=", "product"),
        ("react", react("gifs", "{}"), "gifs"),
        ("json_tags", '<tool_call>{"arguments": {}, "name": "finds"}</tool_call>', "finds"),
        ("llama", ' {"name" : "finds"}', "finds"),
        ("mistral", '[TOOL_CALLS] [{"name": "finds"}]', "finds"),
        ("special_token", "It is <T>sqrt(pi)", "sqrt"),
    ],
)
def test_an_error_knows_where_the_name_stands(way: str, answer: str, name: str) -> None:
    error = judge(answer, WAYS[way], TOOLS).error
    assert error is not None and error.name is not None and answer[slice(*error.name)] == name


def test_valid_but_wrong() -> None:
    answer = "It is <T>sqrt(16)=4"
    for wanted, word in [
        (None, "valid"),
        (["sqrt"], "valid"),
        (["multiply"], "wrong"),
        (["sqrt", "sqrt"], "wrong"),
        ([("sqrt", {"x": 16})], "valid"),
        ([("sqrt", {"x": 4})], "wrong"),
    ]:
        assert judge(answer, SCHEMES["special_token"], TOOLS, wanted).word == word


JSON_CALL = '{"name": "sqrt", "arguments": {"x": 4}}'


@pytest.mark.parametrize(
    ("ways", "answer", "fault"),
    [
        ("json_tags toolken llama mistral", "It is <T>sqrt(4)=2", "<T>sqrt("),
        ("json_tags toolken llama mistral", "It is <T>product(4, 5)=20", "<T>product("),
        ("json_tags toolken llama mistral", "It is <T> sqrt 4", "<T> sqrt"),
        ("special_token json_tags llama mistral", "It is <sqrt>(4)=2", "<sqrt>(4)="),
        ("special_token json_tags llama mistral", "It is <product>(4, 5)=20", "<product>(4, 5)="),
        ("special_token json_tags name_prompt llama mistral", "It is T>sqrt(4)=2", "T>sqrt("),
        ("special_token json_tags name_prompt llama mistral", "It is <sqrt(4)=2", "<sqrt("),
        (
            "special_token toolken name_prompt llama mistral",
            f"<tool_call>\n{JSON_CALL}\n</tool_call>",
            "<tool_call>\n{",
        ),
        ("special_token toolken name_prompt llama mistral", "</tool_call>", "</tool_call>"),
        ("json_tags mistral special_token", JSON_CALL, '{"name": "sqrt"'),
        ("llama json_tags mistral toolken", f"Sure: {JSON_CALL}", '{"name": "sqrt"'),
        ("json_tags", '{"name": "root", "arguments": {"x": 4}}', '{"name": "root", "arguments":'),
        ("special_token json_tags llama", f"[TOOL_CALLS] [{JSON_CALL}]", "[TOOL_CALLS] ["),
        ("special_token json_tags llama", "<function=sqrt>{}</function>", "<function=sqrt"),
        ("json_tags llama kimi", "[TOOL_CALLS]sqrt[ARGS]{}", "[TOOL_CALLS]sqrt"),
        ("json_tags mistral", "<｜tool▁call▁begin｜>sqrt<｜tool▁sep｜>{}", "<｜tool▁call▁begin｜>"),
        ("json_tags mistral", "<|tool_call_begin|>functions.sqrt:0", "<|tool_call_begin|>"),
        ("json_tags deepseek", f"<|tool_call|>[{JSON_CALL}]", "<|tool_call|>["),
        ("json_tags deepseek", f"<|START_ACTION|>[{JSON_CALL}]", "<|START_ACTION|>["),
        ("json_tags kimi", "<|channel|>commentary to=functions.sqrt", "<|channel|>commentary to=functions.sqrt"),
        ("special_token json_tags toolken llama", "Thought: so\nAction: sqrt\nAction Input: {}", "Action: sqrt"),
        ("special_token json_tags toolken llama mistral", "sqrt(4)", "sqrt(4)"),
        ("special_token json_tags toolken llama mistral", "I call it.\n[sqrt(x=4)]", "[sqrt(x=4)]"),
        ("special_token json_tags toolken llama mistral", "```tool_code\nsqrt(4)\n```", "sqrt(4)"),
        ("special_token", "sqrt(4)=2", "sqrt(4)=2"),
    ],
)
def test_a_call_in_another_form_is_a_format_error(ways: str, answer: str, fault: str) -> None:
    for way in ways.split():
        verdict = judge(answer, WAYS[way], TOOLS)
        assert (verdict.word, verdict.calls) == ("format", ()), way
        assert verdict.error is not None and answer[slice(*verdict.error.fault)].strip() == fault


@pytest.mark.parametrize(
    "answer",
    [
        "You could use sqrt(x) here, or find.",
        "sqrt(4) = 2, as everybody knows.",
        "The tools are sqrt, multiply and find.",
        "A List<T> holds values; <T> is its type.",
        "Optional<T>find(Predicate<T> p) is no call of ours",
        "Bold is <b>(text)</b>.",
        'A person is {"name": "Ada", "age": 36}.',
        "Action: think about it",
        "Write `<tool_call>` around a call.",
        "3 < sqrt(16) and sqrt(4) > 1",
        "",
    ],
)
@pytest.mark.parametrize("way", [way for way in WAYS if way != "react"])
def test_text_that_mentions_a_tool_is_no_call(way: str, answer: str) -> None:
    own = WAYS[way].marker if way != "toolken" else ">("
    if own not in answer:  # a scheme's own marker always begins a call
        assert judge(answer, WAYS[way], TOOLS).word == "none"


def test_beside_a_call_of_the_scheme_other_forms_are_text() -> None:
    assert judge("It is <sqrt>(4)=<T>sqrt(4)", SCHEMES["toolken"], TOOLS).word == "valid"  # a result may hold anything


def test_every_class_has_an_answer() -> None:
    assert {row[2] for row in ANSWERS} - {""} == set(CLASSES)
    assert {row[3] for row in ANSWERS} - {"valid", "none"} == set(SYNTAX)


@pytest.mark.parametrize(
    ("scheme", "text", "fault"),
    [
        ("special_token", "It is <T>product(2, 3)", "product"),
        ("special_token", "It is <T>mul(pi, 3)", "pi"),
        ("special_token", 'It is <T>mul(2, "three")', '"three"'),
        ("special_token", "It is <T>mul(2, 3].", "]"),
        ("special_token", "It is <T>mul(2)", "(2)"),
        ("toolken", "It is <mul>(2, 3).", "."),
        ("react", 'Thought: a\nAction: mul\nAction Input: {"a": 2, "b": "x"}', '"x"'),
        ("react", 'Thought: a\nAction: mul\nAction Input: {"a": 2, "side": 3}', '"side"'),
        ("react", "Thought: a\nAction Input: {}", "Action Input:"),
        ("json_tags", '<tool_call>{"name": "mol", "arguments": {}}</tool_call>', "mol"),
        ("json_tags", '<tool_call>{"name": "mul", "arguments": {"a": 2, "b": "x"}}</tool_call>', '"x"'),
    ],
)
def test_a_fault_stands_where_it_is_underlined(scheme: str, text: str, fault: str) -> None:
    tools = parse_tools("def mul(a: float, b: float)")
    error = judge(text, SCHEMES[scheme], tools).error
    assert error is not None and text[slice(*error.fault)] == fault, error.fault
