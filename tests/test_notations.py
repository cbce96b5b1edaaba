"""Families whose values aren't JSON: Python's keyword arguments, and Gemma's bare keys and strings between tokens.

What the machine lets through is read, and valid; what is valid it admits; Python's own parser judges its calls.
"""

from __future__ import annotations

import ast
import json
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import accepts, allowed, allowed_one_by_one, satisfies, tool_of, vocabulary_of
from strategies import CallOf, inventories
from test_properties import sampled, vocabulary_around

from tooldec import SCHEMES, Tool, Vocabulary, build_fsm, parse_tools
from tooldec.arguments.bare import KEYWORD, can_be
from tooldec.automaton import DFA
from tooldec.errors import CallError, SchemaError
from tooldec.reading import judge
from tooldec.schemes import FAMILIES, DelimitedCalls, JsonTags, PythonCalls, quoting, relaxing

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import schemas

TOOLS = parse_tools("def find(city: str, days: int = 3, units: list[str] = [])\ndef now()")
TOKENS = ["<|tool_call_start|>", "<|tool_call_end|>", "<function_calls>", "</function_calls>"]
TOKENS += ["<|tool_call>", "<tool_call|>", '<|"|>', "<start_function_call>", "<end_function_call>", "<escape>"]


# ---- the forms, written here once more, by hand


def python(value: Any) -> str:
    """A literal of Python in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(python, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{python(key)}: {python(inner)}" for key, inner in value.items()) + "}"
    return repr(value)


def python_call(name: str, values: dict[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={python(value)}' for key, value in values.items())})"


def pythonic(name: str, values: dict[str, Any]) -> str:
    return f"[{python_call(name, values)}]"


def lfm2(name: str, values: dict[str, Any]) -> str:
    return f"<|tool_call_start|>[{python_call(name, values)}]<|tool_call_end|>"


def olmo(name: str, values: dict[str, Any]) -> str:
    """As OLMo's template does, in JSON."""
    inner = ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in values.items())
    return f"<function_calls>{name}({inner})</function_calls>"


def sorted_by_name(values: dict[str, Any]) -> list[tuple[str, Any]]:
    return sorted(values.items(), key=lambda member: member[0].lower())


def delimited(value: Any, around: str) -> str:
    if isinstance(value, str):
        return f"{around}{value}{around}"
    if isinstance(value, list):
        return f"[{','.join(delimited(item, around) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{key}:{delimited(inner, around)}' for key, inner in sorted_by_name(value))}}}"
    return json.dumps(value)


def gemma(name: str, values: dict[str, Any]) -> str:
    return f"<|tool_call>call:{name}{delimited(values, '<|' + chr(34) + '|>')}<tool_call|>"


def function_gemma(name: str, values: dict[str, Any]) -> str:
    return f"<start_function_call>call:{name}{delimited(values, '<escape>')}<end_function_call>"


WRITERS: dict[str, Callable[[str, dict[str, Any]], str]] = {
    "pythonic": pythonic,
    "lfm2": lfm2,
    "olmo": olmo,
    "gemma": gemma,
    "function_gemma": function_gemma,
}
PYTHON = ("pythonic", "lfm2", "olmo")
GEMMA = ("gemma", "function_gemma")
every_family = pytest.mark.parametrize("family", WRITERS)


def scheme_of(family: str, **ways: Any) -> Any:
    scheme: Any = FAMILIES[family]
    return replace(scheme, writing=replace(scheme.writing, **ways)) if ways else scheme


def judged_by_python(text: str, read: Any) -> None:
    """Python's own parser reads the call as we do; OLMo's JSON words are names to it."""
    node = ast.parse(text[read.start : read.end], mode="eval").body
    assert isinstance(node, ast.Call) and not node.args
    names = {"true": True, "false": False, "null": None}
    for keyword in node.keywords:
        plain = ast.unparse(_without_names(keyword.value, names))
        assert ast.literal_eval(plain) == read.arguments[str(keyword.arg)]


def _without_names(node: ast.AST, names: dict[str, Any]) -> ast.AST:
    class Words(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.Constant(names[node.id])

    return Words().visit(node)  # type: ignore[no-any-return]


def test_every_family_has_a_writer() -> None:
    ours = {name for name, scheme in FAMILIES.items() if isinstance(scheme, PythonCalls | DelimitedCalls)}
    assert set(WRITERS) == ours


# ---- in and out


@every_family
@given(calls=inventories, chance=st.randoms(use_true_random=False), data=st.data())
@settings(max_examples=20)
def test_what_is_sampled_is_valid_and_what_is_valid_is_admitted(
    family: str, calls: tuple[CallOf, ...], chance: random.Random, data: st.DataObject
) -> None:
    scheme = scheme_of(family)
    calls = tuple(call for call in calls if "-" not in call.tool.name or family in GEMMA)
    if not calls:
        return
    tools = [call.tool for call in calls]
    try:
        grammar = scheme.grammar(tools, "call")
    except SchemaError as error:
        assert family in GEMMA and "can't stand before a colon" in str(error) and 'quo"te' in str(tools)
        return
    given = [(call.tool, data.draw(call.named)) for call in calls]
    written = [WRITERS[family](tool.name, values) for tool, values in given]
    for (tool, values), text in zip(given, written, strict=True):
        if family in GEMMA and any(key in str(values) for key in ("quo", "{", "<", "[")):
            continue  # such keys can't stand bare
        assert accepts(grammar, text), text
        (read,) = scheme.read_calls(text, tools)
        assert (read.name, read.arguments) == (tool.name, values)
    fsm = build_fsm(grammar, vocabulary_around(written, chance, (*TOKENS, "<|im_end|>")))
    for _ in range(2):
        text = sampled(fsm, chance, 60).decode()
        (read,) = scheme.read_calls(text, tools)
        tool = next(tool for tool in tools if tool.name == read.name)
        assert satisfies({**tool.parameters, "additionalProperties": False}, read.arguments), (text, read.arguments)
        if family in PYTHON:
            judged_by_python(text, read)


PLAIN = {"type": ["array", "object", "boolean"], "items": {"type": ["string", "null"]}, "additionalProperties": False}
WHOLE: list[dict[str, Any]] = [
    {"properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "anyOf": [{"required": [x]} for x in "ab"]},
    {"properties": {"a": {}, "b": {"type": "boolean"}}, "dependentRequired": {"a": ["b"]}, "minProperties": 1},
    {"additionalProperties": {"type": "string", "maxLength": 3}, "maxProperties": 2},
    {"patternProperties": {"^n_": {"type": "number"}}, "additionalProperties": False, "minProperties": 1},
    {"propertyNames": {"pattern": "^[a-z<>]{1,4}$"}, "additionalProperties": {"type": ["string", "null"]}},
    {"enum": [{"a": 'q"\\', "b": [None, True]}, {"a": ["<escape>"]}, {"b": "x\ny", "c": {"d": "<"}}]},
    {
        "properties": {"kind": {"enum": ["text", "number"]}, "value": {"type": ["string", "number"]}},
        "required": ["kind", "value"],
        "if": {"properties": {"kind": {"const": "text"}}},
        "then": {"properties": {"value": {"type": "string", "pattern": "^[0-9]"}}},
        "else": {"properties": {"value": {"type": "number"}}},
    },
    {"properties": {"a": {"type": "string", "pattern": '^["/\\\\\n]+$'}, "b": {"type": "string", "format": "date"}}},
    {"properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}, "b": PLAIN}},
    {"properties": {"a": {"enum": [1, "1", None, "null", True, "é\n", {"k": [False, "/"]}]}, "b": PLAIN}},
    {"properties": {"a": {"type": "string", "minLength": 2, "maxLength": 4}, "b": {"type": "string", "pattern": ";$"}}},
    {"$defs": {"t": {"type": "string"}}, "properties": {"t": {"$ref": "#/$defs/t"}}, "unevaluatedProperties": False},
    {
        "properties": {
            "a": {"type": "array", "items": {"enum": ['"', "b", None, True, "True"]}, "uniqueItems": True},
            "b": {"type": "array", "items": {"type": ["boolean", "null"]}, "uniqueItems": True},
            "c": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "minItems": 1},
        }
    },
    {"properties": {"Z": {"type": "integer"}, "a": {"enum": [f'w{n}"' for n in range(99)] + [None, True, 1.5]}}},
]


@every_family
@pytest.mark.parametrize("number", range(len(WHOLE)))
def test_all_rules_of_the_arguments_are_kept(family: str, number: int) -> None:
    tool, chance = tool_of(WHOLE[number]), random.Random(number)
    for ways in ({}, {"any_order": True}):
        scheme = scheme_of(family, **ways)
        pieces = [b'", ', b"=", b'="', b", ", b"True", b"null", b"None", b"\\n", b"\\u00", b"}]", b"<esc", b'<|"', b"5"]
        fsm = build_fsm(scheme.grammar([tool], "call"), vocabulary_of(*pieces, *TOKENS))
        for length in (0, 12, 30) * 3:
            text = sampled(fsm, chance, length if number != 12 else 0).decode()
            (read,) = scheme.read_calls(text, [tool])
            assert satisfies(tool.parameters, read.arguments), (text, read.arguments)
            if family in PYTHON:
                judged_by_python(text, read)


@pytest.mark.parametrize(
    ("number", "values", "accepted"),
    [
        (0, {"a": 'x"\n'}, True),
        (0, {}, False),
        (1, {"a": {"k": [1, None, {"x": False}]}, "b": True}, True),
        (1, {"a": 1}, False),
        (2, {"xy": "abc", "z": "\n"}, True),
        (2, {"x": "abcd"}, False),
        (2, {"x": "", "y": "", "z": ""}, False),
        (3, {"n_1": 2.5}, True),
        (3, {"m_1": 2.5}, False),
        (4, {"abc": "x"}, True),
        (4, {"abcde": "x"}, False),
        (5, {"a": 'q"\\', "b": [None, True]}, True),
        (5, {"b": "x\ny", "c": {"d": "<"}}, True),
        (5, {"b": "x\ny"}, False),
        (6, {"kind": "text", "value": "5 a"}, True),
        (6, {"kind": "number", "value": "5 a"}, False),
        (7, {"a": '"/\\\n', "b": "2024-02-29"}, True),
        (7, {"b": "2023-02-29"}, False),
        (8, {"a": {"x": "<", "y": "a\nb"}, "b": ["</b>", None]}, True),
        (8, {"a": {"x": 1}}, False),
        (9, {"a": {"k": [False, "/"]}, "b": {}}, True),
        (9, {"a": True}, True),
        (9, {"a": "True"}, False),
        (9, {"b": "x"}, False),
        (10, {"a": "é\n", "b": "<;"}, True),
        (10, {"a": "é"}, False),
        (10, {"a": "12345"}, False),
        (11, {"t": ""}, True),
        (11, {"u": ""}, False),
        (12, {"a": ["True", True, '"'], "b": [None, True, False], "c": [1, 11]}, True),
        (12, {"a": ['"', '"']}, False),
        (12, {"b": [None, None]}, False),
        (12, {"c": [7, 77, 7]}, False),
        (13, {"a": 'w77"', "Z": 1}, None),  # in the order of the schema, or in that of the names
        (13, {"a": True}, True),
        (13, {"a": 1.5}, True),
    ],
)
def test_members_in_each_notation(number: int, values: dict[str, Any], accepted: bool | None) -> None:
    tool = tool_of(WHOLE[number])
    for family, form in WRITERS.items():
        scheme, text = scheme_of(family), form("f", values)
        assert accepts(scheme.grammar([tool]), text) is (family in GEMMA if accepted is None else accepted), text
        if accepted:
            assert scheme.read_calls(text, [tool])[0].arguments == values


@pytest.mark.parametrize("family", ["pythonic", "lfm2"])
def test_items_that_must_differ_are_remembered_in_python(family: str) -> None:
    items = {"type": ["string", "boolean", "null", "object"], "additionalProperties": {"type": "boolean"}}
    scheme, tool = scheme_of(family), tool_of({}, a={"type": "array", "items": items, "uniqueItems": True})
    for values, accepted in (
        (["a", "True", True, None, {"k": True}, {"k": False}], True),
        ([True, False, True], False),
        (["a", "b", "a"], False),
        ([{"k": True}, {"k": True}], False),
    ):
        assert accepts(scheme.grammar([tool]), WRITERS[family]("f", {"a": values})) is accepted, values


@pytest.mark.parametrize("family", GEMMA)
def test_strings_between_tokens_are_not_remembered(family: str) -> None:
    tool = tool_of({}, a={"type": "array", "items": {"type": "string"}, "uniqueItems": True})
    with pytest.raises(SchemaError, match="strings between tokens of their own aren't remembered"):
        scheme_of(family).grammar([tool])
    assert accepts(relaxing(scheme_of(family)).grammar([tool]), WRITERS[family]("f", {"a": ["x", "x"]}))


@every_family
def test_no_string_holds_what_would_end_it(family: str) -> None:
    scheme, tool = scheme_of(family), tool_of({}, a={"type": "string"}, b={"type": "array", "items": {"enum": TOKENS}})
    own = [token for token in TOKENS if token in WRITERS[family]("f", {"a": ""})]
    for token in TOKENS:
        for values in ({"a": f"x{token}"}, {"b": [token]}):
            assert accepts(scheme.grammar([tool]), WRITERS[family]("f", values)) is (token not in own), (token, values)


# ---- names


@pytest.mark.parametrize("name", ["class", "None", "a b", "a-b", "2a", "", "ﬁ", "a.b"])
def test_what_is_no_name_in_python_is_refused(name: str) -> None:
    scheme = scheme_of("lfm2")
    for more in ({}, {"additionalProperties": {"type": "integer"}}, {"required": [name]}, {"enum": [{name: 1}]}):
        tool = Tool("t", parameters={"type": "object", "properties": {name: {"type": "integer"}}, **more})
        with pytest.raises(SchemaError, match=r"in `t`: the name .* can't stand before an argument of Python"):
            scheme.grammar([tool])
    if name != "a.b":
        with pytest.raises(SchemaError, match="can't be called in Python"):
            scheme.grammar([Tool("fine"), Tool(name)])
    free = scheme.grammar([tool_of({"additionalProperties": {"type": "integer"}})])
    assert accepts(free, lfm2("f", {"größe": 1, "_x2": 2})) and not accepts(free, lfm2("f", {name: 1}))


def test_python_reads_names_as_they_are() -> None:
    for code in range(0x20, 0x10000):
        for name in (chr(code), f"a{chr(code)}"):
            if not 0xD800 <= code < 0xE000 and can_be(name, KEYWORD):
                (keyword,) = ast.parse(f"f({name}=1)", mode="eval").body.keywords  # type: ignore[attr-defined]
                assert keyword.arg == name


@pytest.mark.parametrize("name", ["a:b", "a,b", "a{", "<a", 'a"', " a", ""])
def test_what_is_no_key_of_gemma_is_refused(name: str) -> None:
    inner = {"type": "object", "properties": {name: {"type": "integer"}}}
    for schema in (inner, {"type": "object", "properties": {"o": inner}, "required": ["o"]}):
        with pytest.raises(SchemaError, match=r"the name .* can't stand before a colon without quotes"):
            scheme_of("gemma").grammar([Tool("t", parameters=schema)])
    fine = tool_of({}, a={"enum": [{name: 1}, {"größe 2": 1}]})
    assert accepts(scheme_of("gemma").grammar([fine]), gemma("f", {"a": {"größe 2": 1}}))
    assert not accepts(scheme_of("gemma").grammar([fine]), gemma("f", {"a": {name: 1}}))


# ---- the frame


@every_family
def test_calls_in_a_text(family: str) -> None:
    scheme, form = scheme_of(family), WRITERS[family]
    find, now = form("find", {"city": "Rome", "days": 2, "units": ["km"]}), form("now", {})
    forced = scheme.grammar(TOOLS, "call")
    assert accepts(forced, find) and accepts(forced, now) and not accepts(forced, f"{find}{now}")
    assert accepts(scheme.grammar(TOOLS), "nothing to call")
    none = scheme.grammar(TOOLS, "none")
    assert accepts(none, "no [") and not accepts(none, scheme.marker)
    for wrong in (form("finds", {"city": "a"}), form("find", {}), form("find", {"city": "a", "dais": 1}), find[:-1]):
        assert not accepts(scheme.grammar(TOOLS), wrong)
    if family == "pythonic":
        assert not accepts(scheme.grammar(TOOLS), f" {find}") and accepts(scheme.grammar(TOOLS), find)
        return
    text = f"I'll look.\n{find}\n{now}"
    assert accepts(scheme.grammar(TOOLS), text)
    assert [call.name for call in scheme.read_calls(text, TOOLS)] == ["find", "now"]


def test_several_calls_stand_together() -> None:
    for text, family in (
        ('[find(city="Rome"), now()]', "pythonic"),
        ('a <|tool_call_start|>[find(city="Rome"), now()]<|tool_call_end|> b', "lfm2"),
        ('<function_calls>find(city="Rome")\nnow()</function_calls>', "olmo"),
    ):
        scheme = scheme_of(family)
        assert accepts(scheme.grammar(TOOLS), text) and not accepts(scheme.grammar(TOOLS, "call"), text)
        assert [text[call.start : call.end] for call in scheme.read_calls(text, TOOLS)] == [
            'find(city="Rome")',
            "now()",
        ]


@every_family
def test_results_stand_behind_a_call(family: str) -> None:
    scheme, call = scheme_of(family), WRITERS[family]("now", {})
    host = scheme.host(TOOLS, {"now": f"9 {scheme.marker}"})
    dfa = DFA(scheme.grammar(TOOLS, results=True))
    state = dfa.read(call.encode())
    assert state is not None and dfa.is_host(state)
    written = host.write(call)
    assert isinstance(written, str)
    assert [one.name for one in scheme.read_calls(f"{call}{written}", TOOLS)] == ["now"]
    assert family == "pythonic" or host.result(written) == f"9 < {scheme.marker[1:]}"


@every_family
def test_masks_are_what_each_token_reads_by_itself(family: str) -> None:
    word = {"type": "string", "minLength": 1, "maxLength": 3}
    unique = {"type": "array", "items": {"type": "integer" if family in GEMMA else "string"}, "uniqueItems": True}
    tool = tool_of(
        {}, a={}, b=word, c={"type": "string", "pattern": "^[a-z\\n<]+$"}, d={"enum": ["", "<", None]}, u=unique
    )
    chance, form = random.Random(3), WRITERS[family]
    calls = [form("f", {"a": {"k": 'x <\n"'}, "b": "é\n<", "d": "<"}), form("f", {"c": "ab\n\n<", "d": None})]
    calls.append(form("f", {"u": [1, 11, 2] if family in GEMMA else ["a", 'a"', "b"]}))
    pieces = [text[at : at + size].encode() for text in calls for at in range(len(text)) for size in (2, 5, 9)]
    fsm = build_fsm(scheme_of(family).grammar([tool], "call"), vocabulary_of(*pieces, *TOKENS))
    for text in calls:
        state: int | None = fsm.initial
        while text:
            assert state is not None and allowed(fsm, state) == allowed_one_by_one(fsm, state), text
            name = next((one for one in fsm.dfa.specials if text.startswith(one)), None)
            state = fsm.dfa.step(state, name) if name else fsm.dfa.read(text[0].encode(), state)
            text = text[len(name) if name else 1 :]
        assert state is not None and fsm.is_complete(state)
    for _ in range(4):
        state = fsm.initial
        for _ in range(50):
            ways = allowed(fsm, state)
            assert ways == allowed_one_by_one(fsm, state)
            if fsm.is_complete(state):
                break
            state = fsm.step(state, chance.choice(sorted(ways)))
            assert state is not None


def test_a_question_may_be_quoted_and_objects_may_be_open() -> None:
    for family in ("lfm2", "gemma"):
        scheme, form = quoting(scheme_of(family), TOOLS, 'Will it "rain" in New York?'), WRITERS[family]
        for city, accepted in (("New York", True), ('"rain"', True), ("", True), ("Boston", False), ("ew York", False)):
            assert accepts(scheme.grammar(TOOLS), form("find", {"city": city})) is accepted
        wide, text = scheme_of(family, open_objects=True), form("find", {"city": "Rome", "more": "x"})
        assert accepts(wide.grammar(TOOLS), text) and not accepts(scheme_of(family).grammar(TOOLS), text)
        assert wide.read_calls(text, TOOLS)[0].arguments == {"city": "Rome", "more": "x"}


def test_tokens_of_a_real_vocabulary(tokenizer_folder: Path) -> None:
    """However a tokenizer cuts a call, its tokens are in the masks, and none that leads out of the form."""
    ((_, tokenizer, vocabulary),) = schemas.vocabularies(["gpt2-50k"])
    tool = tool_of({}, a={"type": "string", "maxLength": 40}, b={"type": "string"}, c={"enum": ["x", "</p"]}, d={})
    values = {"a": "Hello,\n\n  world <b>", "b": "x\n\ndef f():\n\treturn '\"'\n", "c": "x", "d": {"k": ["é", None]}}
    for family, form in WRITERS.items():
        fsm = build_fsm(scheme_of(family).grammar([tool], "call"), vocabulary)
        state: int | None = fsm.initial
        for token in tokenizer.encode(form("f", values)):
            assert state is not None and fsm.allowed(state)[token], vocabulary.text(token)
            state = fsm.step(state, token)
        assert state is not None and fsm.is_complete(state)


# ---- families, and what is wrong with a call


@pytest.mark.parametrize(
    ("template", "family"),
    [
        ("Use exact format: [func_name1(param1=value1, param2=value2), func_name2(...)] <|header_start|>", "pythonic"),
        ("<|start_header_id|> format [func_name1(params_name1=params_value1...)] {{ 'parameters' }}", "pythonic"),
        ("List of tools: <|tool_list_start|>{{ tools }}<|tool_list_end|>", "lfm2"),
        ("{{- '<|tool_call_start|>[' + calls + ']<|tool_call_end|>' -}}", "lfm2"),
        ("<functions>{{ tools }}</functions>{{ '<function_calls>' + calls + '</function_calls>' }}", "olmo"),
        ("<functions>{{ tools }}</functions>{{ '<function_calls>\\n' + calls }}", "olmo"),
        ("<|tool>declaration:{{ name }}<tool|>{{- '<|tool_call>call:' + name + '{' -}}", "gemma"),
        ("<start_function_declaration>{{- '<start_function_call>call:' + name + '{' -}}", "function_gemma"),
    ],
)
def test_a_template_tells_the_family(template: str, family: str) -> None:
    said = SimpleNamespace(
        chat_template=template, has_tool_template=True, has_chat_template=True, vocabulary=Vocabulary([b"a"])
    )
    writing = replace(JsonTags().writing, open_objects=True)
    for scheme in (SCHEMES["json_tags"], JsonTags(writing=writing), *map(scheme_of, WRITERS)):
        found = scheme.for_model(said)
        assert found.is_like(FAMILIES[family]) and found.native and found.writing is scheme.writing
    said.chat_template = ""
    assert scheme_of(family).for_model(said) == replace(scheme_of(family), native=True)


@pytest.mark.parametrize(
    ("text", "kind", "fault"),
    [
        ('[finds(city="Rome")]', "name", "finds"),
        ("[find(days=2)]", "missing", None),
        ('[find(city="Rome", town="x")]', "unknown", "town"),
        ('[find(city="Rome", days="2")]', "type", '"2"'),
        ('[find(city="Rome", days=1, city="Oslo")]', "format", "city"),
        ("[find(city=Rome)]", "illegal_symbol", "Rome"),
        ("[find(city=str(5))]", "illegal_symbol", "str(5)"),
        ("[find(city=f'{x}')]", "illegal_symbol", "f'{x}'"),
        ('[find(city="a" + "b")]', "illegal_symbol", '"a" + "b"'),
        ("[find(city=)]", "illegal_symbol", ""),
        ('[find("Rome")]', "format", '"'),
        ("[find(**{'city': 'Rome'})]", "format", "*"),
        ('[find[city="Rome"]]', "format", "["),
        ("[]", "format", "]"),
        ('[find(city="Rome"] ', "end_token", "]"),
        ('[find(city="Rome") now()]', "format", None),
        ("[fi", "cut_off", ""),
        ("[find", "cut_off", ""),
        ("[find(", "cut_off", ""),
        ("[find(ci", "cut_off", ""),
        ("[find(city", "cut_off", ""),
        ("[find(city=", "cut_off", ""),
        ("[find(city='Ro", "cut_off", ""),
        ("[find(city='Rome', units=['km'", "cut_off", ""),
        ("[find(city='Rome')", "cut_off", ""),
        ("[find(city='Rome'), ", "cut_off", ""),
        ("[", "cut_off", ""),
    ],
)
def test_what_is_wrong_with_a_call_of_python(text: str, kind: str, fault: str | None) -> None:
    for scheme, answer in (
        (scheme_of("pythonic"), text),
        (scheme_of("lfm2"), f"<|tool_call_start|>{text}{'<|tool_call_end|>' if text.endswith(']') else ''}"),
    ):
        assert not accepts(scheme.grammar(TOOLS), answer)
        with pytest.raises(CallError) as caught:
            scheme.read_calls(answer, TOOLS)
        assert caught.value.kind == kind, (answer, caught.value)
        assert fault is None or answer[slice(*caught.value.fault)] == fault


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("find(city='it\\'s', days=-0)", {"city": "it's", "days": 0}),
        ("find( city = 'a' 'b' ,\n days=+2, )", {"city": "ab", "days": 2}),
        ('find(city="""x""")', None),
        ("find(city='x', units=['a', \"b\",])", {"city": "x", "units": ["a", "b"]}),
        ("find(city='\\x41\\N{BULLET}\\d', days=0x10)", {"city": "A•\\d", "days": 16}),
        ("find(city=',)', units=['](', '\"'])", {"city": ",)", "units": ["](", '"']}),
    ],
)
def test_python_is_read_as_people_write_it(written: str, values: dict[str, Any] | None) -> None:
    if values is not None:
        assert scheme_of("pythonic").read_calls(f"[ {written} ] ", TOOLS)[0].arguments == values


@pytest.mark.parametrize(
    ("text", "kind", "fault"),
    [
        ("finds{city:S}", "name", "finds"),
        ("find{days:2}", "missing", None),
        ("find{city:S,town:S}", "unknown", "town"),
        ("find{city:S,days:S}", "type", "S"),
        ("find{city:Rome}", "illegal_symbol", "Rome"),
        ("find{city:}", "illegal_symbol", "}"),
        ('find{city:"Rome"}', "illegal_symbol", '"Rome"'),
        ("find{city:S days:2}", "end_token", "d"),
        ("find{city:S,units:[S S]}", "end_token", None),
        ("find{S}", "format", "}"),
        ("find(city:S)", "format", None),
        ("find{city:S,days:NaN}", "illegal_symbol", "NaN"),
        (f"find{{city:S,units:{'[' * 200}", "format", "["),
        ("find{ci|", "cut_off", ""),
        ("find{city:|", "cut_off", ""),
        ("find{city:D|", "cut_off", ""),
        ('find{city:<|"|', "cut_off", ""),
        ("find{city:S|", "cut_off", ""),
        ("find{city:S,days:tru|", "cut_off", ""),
        ("find{city:S,units:[S,|", "cut_off", ""),
        ("find{city:S}|", "cut_off", ""),
        ("find|", "cut_off", ""),
        ("|", "cut_off", ""),
    ],
)
def test_what_is_wrong_with_a_call_of_gemma(text: str, kind: str, fault: str | None) -> None:
    """D is a delimiter, S a string; a text ends at `|`, where it does."""
    scheme, around = scheme_of("gemma"), '<|"|>'
    ends = text.endswith("|")
    said = (text[:-1] if ends else text).replace("D", around).replace("S", f"{around}S{around}")
    answer = f"So <|tool_call>call:{said}{'' if ends else '<tool_call|>'}"
    assert not accepts(scheme.grammar(TOOLS), answer)
    with pytest.raises(CallError) as caught:
        scheme.read_calls(answer, TOOLS)
    assert caught.value.kind == kind and caught.value.start == 3, caught.value
    assert fault is None or answer[slice(*caught.value.fault)].replace(around, "") == fault


def test_gemma_is_read_as_its_templates_write_it() -> None:
    tool = tool_of({}, a={}, b={"type": "array"})
    text = '<|tool_call>call:f{ <|"|>a<|"|>: {k : None}, b:[1, true] }<tool_call|>'
    assert scheme_of("gemma").read_calls(text, [tool])[0].arguments == {"a": {"k": None}, "b": [1, True]}


def test_another_familys_call_is_named() -> None:
    for family, form in WRITERS.items():
        other = "gemma" if family != "gemma" else "function_gemma"
        assert judge(form("now", {}), scheme_of(other), TOOLS).stray, family
