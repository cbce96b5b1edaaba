"""Calls whose arguments stand between tags: what the machine lets through is read, and valid; what is valid it admits."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator
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
from tooldec.automaton import DFA
from tooldec.errors import CallError, SchemaError
from tooldec.grammar import Grammar, Until
from tooldec.reading import judge
from tooldec.schemes import FAMILIES, JsonTags, TaggedArguments, quoting, relaxing
from tooldec.schemes.tagged_arguments import FORMS

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import schemas

TOOLS = parse_tools("def find(city: str, days: int = 3, units: list[str] = [])\ndef now()")
TAGS = ["<tool_call>", "</tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "</parameter>"]
TAGS += ["｜DSML｜"]


# ---- the forms, written here once more, by hand


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def qwen_xml(name: str, values: dict[str, Any]) -> str:
    inner = "".join(f"<parameter={key}>\n{text_of(value)}\n</parameter>\n" for key, value in values.items())
    return f"<tool_call>\n<function={name}>\n{inner}</function>\n</tool_call>"


def glm(name: str, values: dict[str, Any]) -> str:
    each = (f"<arg_key>{key}</arg_key>\n<arg_value>{text_of(value)}</arg_value>\n" for key, value in values.items())
    return f"<tool_call>{name}\n{''.join(each)}</tool_call>"


def glm_compact(name: str, values: dict[str, Any]) -> str:
    each = (f"<arg_key>{key}</arg_key><arg_value>{text_of(value)}</arg_value>" for key, value in values.items())
    return f"<tool_call>{name}{''.join(each)}</tool_call>"


def minimax(name: str, values: dict[str, Any]) -> str:
    inner = "".join(f'<parameter name="{key}">{text_of(value)}</parameter>\n' for key, value in values.items())
    return f'<minimax:tool_call>\n<invoke name="{name}">\n{inner}</invoke>\n</minimax:tool_call>'


def seed(name: str, values: dict[str, Any]) -> str:
    inner = "".join(f"<parameter={key}>{text_of(value)}</parameter>\n" for key, value in values.items())
    return f"<seed:tool_call>\n<function={name}>\n{inner}</function>\n</seed:tool_call>"


def dsml(name: str, values: dict[str, Any], block: str = "function_calls") -> str:
    inner = "\n".join(
        f'<｜DSML｜parameter name="{key}" string="{str(isinstance(value, str)).lower()}">{text_of(value)}</｜DSML｜parameter>'
        for key, value in values.items()
    )
    invoke = f'<｜DSML｜invoke name="{name}">\n{inner}\n</｜DSML｜invoke>'
    return f"<｜DSML｜{block}>\n{invoke}\n</｜DSML｜{block}>"


def dsml_v4(name: str, values: dict[str, Any]) -> str:
    return dsml(name, values, "tool_calls")


WRITERS: dict[str, Callable[[str, dict[str, Any]], str]] = {
    "qwen_xml": qwen_xml,
    "glm": glm,
    "glm_compact": glm_compact,
    "minimax": minimax,
    "seed": seed,
    "dsml": dsml,
    "dsml_v4": dsml_v4,
}
every_family = pytest.mark.parametrize("family", FORMS)


def scheme_of(family: str, **ways: Any) -> TaggedArguments:
    scheme = TaggedArguments(FORMS[family])
    return replace(scheme, writing=replace(scheme.writing, **ways)) if ways else scheme


def test_every_family_has_a_writer() -> None:
    assert set(WRITERS) == set(FORMS)
    assert all(FAMILIES[name] == scheme_of(name) for name in FORMS)


# ---- in and out


@every_family
@given(calls=inventories, chance=st.randoms(use_true_random=False), data=st.data())
@settings(max_examples=25)
def test_what_is_sampled_is_valid_and_what_is_valid_is_admitted(
    family: str, calls: tuple[CallOf, ...], chance: random.Random, data: st.DataObject
) -> None:
    scheme, tools = scheme_of(family), [call.tool for call in calls]
    grammar = scheme.grammar(tools, "call")
    given = [(call.tool, data.draw(call.named)) for call in calls]
    written = [WRITERS[family](tool.name, values) for tool, values in given]
    for (tool, values), text in zip(given, written, strict=True):
        assert accepts(grammar, text), text
        (read,) = scheme.read_calls(text, tools)
        assert (read.name, (read.start, read.end)) == (tool.name, (0, len(text)))
        assert all(same(read.arguments[name], value) for name, value in values.items()), (read.arguments, values)
    fsm = build_fsm(grammar, vocabulary_around(written, chance, (*TAGS, "<|im_end|>")))
    for _ in range(2):
        text = sampled(fsm, chance, 60).decode()
        (read,) = scheme.read_calls(text, tools)
        tool = next(tool for tool in tools if tool.name == read.name)
        assert satisfies({**tool.parameters, "additionalProperties": False}, read.arguments), (text, read.arguments)
        assert text == WRITERS[family](read.name, read.arguments) or any_form(text, read.arguments), text


def same(read: Any, value: Any) -> bool:
    """Whether a value was read as it is; a text that is another value, too, may be read as that."""
    return bool(read == value or (isinstance(value, str) and not isinstance(read, str) and json.loads(value) == read))


def any_form(text: str, values: dict[str, Any]) -> bool:
    """Whether some value is JSON that was written in another way than json.dumps writes it."""
    return any(not isinstance(value, str) for value in values.values()) and all(key in text for key in values)


PLAIN = {"type": ["array", "object", "boolean"], "items": {"type": ["string", "null"]}, "additionalProperties": False}
WHOLE: list[dict[str, Any]] = [
    {"properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "anyOf": [{"required": [x]} for x in "ab"]},
    {"properties": {"a": {}, "b": {"type": "boolean"}}, "dependentRequired": {"a": ["b"]}, "minProperties": 1},
    {"additionalProperties": {"type": "string", "maxLength": 3}, "maxProperties": 2},
    {"patternProperties": {"^n_": {"type": "number"}}, "additionalProperties": False, "minProperties": 1},
    {"propertyNames": {"pattern": "^[a-z<>]{1,4}$"}, "additionalProperties": {"type": ["string", "null"]}},
    {"enum": [{"a": "5", "b": 5}, {"a": ["</parameter>"]}, {"a": ["</arg_value>"]}, {"b": "x\ny", "c": None}]},
    {
        "properties": {"kind": {"enum": ["text", "number"]}, "value": {"type": ["string", "number"]}},
        "required": ["kind", "value"],
        "if": {"properties": {"kind": {"const": "text"}}},
        "then": {"properties": {"value": {"type": "string", "pattern": "^[0-9]"}}},
        "else": {"properties": {"value": {"type": "number"}}},
    },
    {"properties": {"a": {"type": "string", "pattern": "^<[a-z/]+"}, "b": {"type": "string", "format": "date"}}},
    {"properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}, "b": PLAIN}},
    {"properties": {"a": {"enum": [1, "1", None, "null", "</parameter>"]}, "b": PLAIN}},
    {
        "properties": {
            "a": {"type": "string", "minLength": 2},
            "b": {"type": "string", "pattern": "^.*;$", "maxLength": 9},
        }
    },
    {"$defs": {"t": {"type": "string"}}, "properties": {"t": {"$ref": "#/$defs/t"}}, "unevaluatedProperties": False},
]


@every_family
@pytest.mark.parametrize("number", range(len(WHOLE)))
def test_all_rules_of_the_arguments_are_kept(family: str, number: int) -> None:
    tool, chance = tool_of(WHOLE[number]), random.Random(number)
    for ways in ({}, {"any_order": True}):
        scheme = scheme_of(family, **ways)
        pieces = [b"</par", b"</parameter", b"</arg_value", b'",', b"5", b"null", b"\n<", b"\n\n", b"text", b"value"]
        fsm = build_fsm(scheme.grammar([tool], "call"), vocabulary_of(*pieces, *TAGS))
        for length in (0, 15, 40, 80) * 6:
            text = sampled(fsm, chance, length).decode()
            (read,) = scheme.read_calls(text, [tool])
            assert satisfies(tool.parameters, read.arguments), (text, read.arguments)


@pytest.mark.parametrize(
    ("number", "values", "accepted"),
    [
        (0, {"a": "x"}, True),
        (0, {}, False),
        (1, {"a": {"k": [1]}, "b": True}, True),
        (1, {"a": 1}, False),
        (2, {"x y": "abc", "z": "\n"}, True),
        (2, {"x": "abcd"}, False),
        (2, {"x": "", "y": "", "z": ""}, False),
        (3, {"n_1": 2.5}, True),
        (3, {"m_1": 2.5}, False),
        (3, {"n_1": "a"}, False),
        (4, {"abc": "x"}, True),
        (4, {"abcde": "x"}, False),
        (5, {"a": "5", "b": 5}, True),
        (5, {"b": "x\ny", "c": None}, True),
        (5, {"b": "x\ny"}, False),
        (6, {"kind": "text", "value": "5 a"}, True),
        (6, {"kind": "number", "value": "5 a"}, False),
        (7, {"a": "</para", "b": "2024-02-29"}, True),
        (7, {"b": "2023-02-29"}, False),
        (8, {"a": {"x": "<", "y": "a\nb"}, "b": ["</b>"]}, True),
        (8, {"a": {"x": 1}}, False),
        (9, {"a": None, "b": {}}, True),
        (9, {"b": "x"}, False),
        (10, {"a": "é\n", "b": "<;"}, True),
        (10, {"a": "é"}, False),
        (10, {"b": "123456789;"}, False),
        (11, {"t": ""}, True),
        (11, {"u": ""}, False),
    ],
)
def test_members_between_tags(number: int, values: dict[str, Any], accepted: bool) -> None:
    tool = tool_of(WHOLE[number])
    for family, form in WRITERS.items():
        scheme, text = scheme_of(family), form("f", values)
        assert accepts(scheme.grammar([tool]), text) is accepted, (family, text)
        if accepted:
            assert scheme.read_calls(text, [tool])[0].arguments == values


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "string"}, "5", "5"),
        ({"type": "string"}, '"q"\\n', '"q"\\n'),
        ({"type": "string"}, "", ""),
        ({"type": "string"}, "\n a\r\n\x00\U0001f642\n", "\n a\r\n\x00\U0001f642\n"),
        ({"type": ["string", "null"]}, "null", None),
        ({"type": ["integer", "string"]}, "5", 5),
        ({"type": ["integer", "string"]}, "5.5", "5.5"),
        ({"type": "string", "enum": ["5"]}, "5", "5"),
        ({"enum": ["5", 5]}, "5", 5),
        ({"enum": ["", "a"]}, "", ""),
        ({"type": ["string", "boolean"], "not": {"const": True}}, "true", "true"),
        ({"type": ["string", "number"]}, "NaN", "NaN"),
        ({}, '{"a": ["b"]}', {"a": ["b"]}),
        ({}, "{a", "{a"),
        ({"not": {"type": "string"}}, '{"a": ["b"]}', {"a": ["b"]}),
        ({"type": "array", "items": {"type": "string"}}, '["a", "<b>"]', ["a", "<b>"]),
        ({"enum": [f"w{n}" for n in range(99)] + ["</arg_value>", "</parameter>", ""]}, "w77", "w77"),
    ],
)
@every_family
def test_what_a_text_is_read_as(family: str, schema: dict[str, Any], text: str, value: Any) -> None:
    tool = tool_of({"required": ["a"]}, a=schema)
    scheme, call = scheme_of(family), WRITERS[family]("f", {"a": value if FORMS[family].tags.kinds else text})
    assert accepts(scheme.grammar([tool]), call), call
    (read,) = scheme.read_calls(call, [tool])
    assert read.arguments == {"a": value} and type(read.arguments["a"]) is type(value)


@pytest.mark.parametrize("family", ["dsml", "dsml_v4"])
def test_tags_that_tell_strings_from_other_values(family: str) -> None:
    """What may be either is written and read as each; with the other's tag it is neither."""
    scheme, form = scheme_of(family), WRITERS[family]
    either: list[tuple[dict[str, Any], list[Any], list[Any]]] = [
        ({"type": ["string", "integer"]}, ["5", 5, "null"], [None, 5.5]),
        ({"enum": ["5", 5, "null", None]}, ["5", 5, "null", None], ["x", 6]),
        ({}, ["5", 5, "null", None, '{"a": 1}', {"a": 1}, "", "</"], []),
        ({"type": "string"}, ["5", "null", '"'], [5, None]),
        ({"type": ["integer", "null"]}, [5, None], ["5", "null"]),
        ({"type": ["string", "null"], "not": {"const": "null"}}, ["nul", None], ["null"]),
    ]
    for schema, fine, wrong in either:
        tool = tool_of({"required": ["a"]}, a=schema)
        grammar = scheme.grammar([tool])
        for value in fine:
            text = form("f", {"a": value})
            assert accepts(grammar, text), text
            (read,) = scheme.read_calls(text, [tool])
            assert read.arguments == {"a": value} and type(read.arguments["a"]) is type(value)
        for value in wrong:
            assert not accepts(grammar, form("f", {"a": value})), value
            with pytest.raises(CallError):
                scheme.read_calls(form("f", {"a": value}), [tool])
    constant = tool_of({"enum": [{"a": "5", "b": 5}, {"a": 5}]})
    for values in ({"a": "5", "b": 5}, {"a": 5}):
        assert accepts(scheme.grammar([constant]), form("f", values))
    assert not accepts(scheme.grammar([constant]), form("f", {"a": "5", "b": "5"}))


@pytest.mark.parametrize("family", ["dsml", "dsml_v4"])
def test_a_marker_that_holds_a_token(family: str) -> None:
    """Text goes on until the marker is complete, with the token in it or spelled; the token alone is text."""
    scheme, call = scheme_of(family), WRITERS[family]("find", {"city": "a < b"})
    for specials in (frozenset[str](), frozenset({"｜DSML｜"})):
        for start in ("text", "none"):
            dfa = DFA(scheme.grammar(TOOLS, start), specials)
            for text, fine in (
                ("1 < 2, << <b> <｜", True),
                (f"1 < 2 <{call}\nand {call} <", start == "text"),
                ("a ｜DSML｜", True),
                ("<｜DSML｜invoke <｜DSML｜<", True),
                (f"<｜DSML｜{call}", start == "text"),
                (scheme.marker[:-1], True),
                (scheme.marker, False),
                (call[:-1], False),
                (call.replace("<｜", "< ｜", 1), True),
            ):
                state = dfa.initial
                for symbol in tokens_in(text, set(specials)):
                    state = dfa.step(state, symbol) if state is not None else None
                assert (state is not None and dfa.is_accepting(state)) is fine, (text, specials, start)
            pieces = [b"<b", b" <", b"function_", b"tool_calls>", b"calls>\n<", "｜DSML｜", "<|im_end|>"]
            fsm = build_fsm(scheme.grammar(TOOLS, start), vocabulary_of(*pieces[: 7 if specials else 5]))
            state = fsm.initial
            for symbol in tokens_in(f"a {scheme.marker[:-1]}< {call[:-1]}", set(fsm.dfa.specials)):
                assert allowed(fsm, state) == allowed_one_by_one(fsm, state), (specials, symbol)
                if (after := fsm.dfa.step(state, symbol)) is None:
                    break
                state = after
            assert fsm.label(state).mode == ("name" if start == "text" else "text")
        forced = DFA(scheme.grammar(TOOLS, "call"), specials)
        state = forced.initial
        for symbol in tokens_in(call, set(specials)):
            state = forced.step(state, symbol)
        assert forced.is_accepting(state)


def test_a_token_that_ends_what_is_barred_is_barred() -> None:
    fsm = build_fsm(Until("", ("<｜DSML｜",)), vocabulary_of(b"a<", "｜DSML｜"))
    (token,) = fsm.vocabulary.ids("｜DSML｜")
    for text, fine in (("", True), ("a", True), ("a<", False), ("<｜DSM", True)):
        state = fsm.dfa.read(text.encode())
        assert state is not None and (token in allowed(fsm, state)) is fine
        assert allowed(fsm, state) == allowed_one_by_one(fsm, state)


def test_a_text_is_read_so_that_all_arguments_are_valid_together() -> None:
    tool = tool_of(WHOLE[6])
    for kind, value in (("text", "5"), ("number", 5)):
        text = qwen_xml("f", {"kind": kind, "value": value})
        assert scheme_of("qwen_xml").read_calls(text, [tool])[0].arguments == {"kind": kind, "value": value}
    many = tool_of({"additionalProperties": {"type": "string"}})
    values = {f"n{number}": str(number) for number in range(30)}
    assert scheme_of("seed").read_calls(seed("f", values), [many])[0].arguments == values


# ---- what no value may hold


@every_family
def test_no_value_holds_a_tag_of_the_call(family: str) -> None:
    words = {"type": "array", "items": {"type": "string"}}
    tool = tool_of({}, a={"type": "string"}, b={"type": "string", "maxLength": 90}, c=words, d={}, e={"type": "object"})
    scheme = scheme_of(family)
    grammar = scheme.grammar([tool])
    behind = FORMS[family].tags.behind.strip()
    for barred in (behind, *FORMS[family].inner):
        for values in ({"a": f"x{barred}y"}, {"b": barred}, {"c": [barred]}, {"d": {"x": barred}}, {"e": {barred: 1}}):
            assert not accepts(grammar, WRITERS[family]("f", values)), values
            kept = json.loads(json.dumps(values, ensure_ascii=False).replace(barred, barred.replace("<", "< ")))
            assert accepts(grammar, WRITERS[family]("f", kept)), kept


@every_family
def test_constants_that_hold_a_tag_are_left_out(family: str) -> None:
    tag = FORMS[family].tags.behind.strip()
    scheme, form = scheme_of(family), WRITERS[family]
    inner: dict[str, Any] = {"properties": {"x": {"enum": [tag, "b"]}, "y": {"const": tag}}}
    if FORMS[family].tags.kinds:  # elsewhere the object is one of all texts, so it isn't looked at by itself
        with pytest.raises(SchemaError, match="every value holds a tag"):
            scheme.grammar([tool_of({}, b={"anyOf": [inner, {"const": 3}]})])
        del inner["properties"]["y"]
    grammar = scheme.grammar([tool_of({}, a={"enum": ["a", f"-{tag}", [tag], 1]}, b={"anyOf": [inner, {"const": 3}]})])
    assert accepts(grammar, form("f", {"a": "a", "b": {"x": "b"}})) and accepts(grammar, form("f", {"a": 1, "b": 3}))
    for values in ({"a": f"-{tag}"}, {"a": [tag]}, {"b": {"x": tag}}, {"b": {"y": tag}}):
        assert not accepts(grammar, form("f", values))
    for schema in ({"enum": [tag, [tag]]}, {"const": tag}, {"type": "string", "enum": [tag]}):
        with pytest.raises(SchemaError, match=r"in `f`: every value holds a tag of the call") as caught:
            scheme.grammar([tool_of({}, a=schema)])
        assert caught.value.path == "$.a" and caught.value.tool == "f"


@pytest.mark.parametrize("name", ["a>b", "<a", 'a"b', "a\nb", " a", "a ", "", "a\x7f"])
@every_family
def test_names_that_cannot_stand_in_a_tag_are_refused(family: str, name: str) -> None:
    """Also of a tool that is one of hundreds, and in a schema that isn't plain."""
    scheme, fine = scheme_of(family), [Tool(f"t{number}") for number in range(300)]
    for tools in ([Tool(name)], [*fine, Tool(name)]):
        with pytest.raises(SchemaError, match="can't stand in a tag; use letters"):
            scheme.grammar(tools)
    for more in ({}, {"additionalProperties": {"type": "integer"}}, {"required": [name]}, {"enum": [{name: 1}]}):
        tool = Tool("t9999", parameters={"type": "object", "properties": {name: {"type": "integer"}}, **more})
        with pytest.raises(SchemaError, match=r"in `t9999`: the name .* can't stand in a tag"):
            scheme.grammar([*fine, tool])
    free = scheme.grammar([tool_of({"additionalProperties": {"type": "integer"}})])
    assert not accepts(free, WRITERS[family]("f", {name: 1})) and accepts(
        free, WRITERS[family]("f", {"größe 2 'x'": 1})
    )


def test_names_that_must_differ_are_not_counted() -> None:
    tool = tool_of({"minProperties": 3, "additionalProperties": {"type": "integer"}})
    with pytest.raises(SchemaError, match="names without quotes aren't remembered"):
        scheme_of("glm").grammar([tool])
    assert isinstance(relaxing(scheme_of("glm")).grammar([tool]), Grammar)


# ---- the frame


@every_family
def test_calls_in_a_text(family: str) -> None:
    scheme, form = scheme_of(family), WRITERS[family]
    find, now = form("find", {"city": "Rome", "days": 2, "units": ["km"]}), form("now", {})
    text = f"I'll look.\n{find}\n{now}"
    assert accepts(scheme.grammar(TOOLS), text) and accepts(scheme.grammar(TOOLS), "nothing to call, </parameter>")
    assert [call.name for call in scheme.read_calls(text, TOOLS)] == ["find", "now"]
    assert [text[call.start : call.end] for call in scheme.read_calls(text, TOOLS)] == [find, now]
    forced = scheme.grammar(TOOLS, "call")
    assert accepts(forced, find) and accepts(forced, now)
    assert not accepts(forced, text) and not accepts(forced, f"{find}{now}") and not accepts(forced, "")
    none = scheme.grammar(TOOLS, "none")
    assert accepts(none, f"{scheme.marker[:-1]} no") and not accepts(none, scheme.marker)
    for wrong in (form("finds", {"city": "a"}), form("find", {}), form("find", {"city": "a", "dais": 1}), find[:-1]):
        assert not accepts(scheme.grammar(TOOLS), wrong)


def test_several_calls_stand_in_one_block_of_minimax() -> None:
    scheme, tool = scheme_of("minimax"), tool_of({}, a={"type": "string"})
    one = '<invoke name="f">\n<parameter name="a">{}</parameter>\n</invoke>\n'
    text = f"<minimax:tool_call>\n{one.format('x')}{one.format('y')}</minimax:tool_call>"
    assert accepts(scheme.grammar([tool]), text) and not accepts(scheme.grammar([tool], "call"), text)
    first, second = scheme.read_calls(text, [tool])
    assert (first.arguments, second.arguments) == ({"a": "x"}, {"a": "y"})
    assert text[second.start : second.end] == f"{one.format('y')}</minimax:tool_call>" and first.end < second.start
    with pytest.raises(CallError, match="before `</minimax:tool_call>`"):
        scheme.read_calls(text.removesuffix("</minimax:tool_call>"), [tool])


@pytest.mark.parametrize("family", ["dsml", "dsml_v4"])
def test_several_calls_stand_in_one_block_of_deepseek(family: str) -> None:
    scheme, tool, block = scheme_of(family), tool_of({}, a={"type": "string"}), scheme_of(family).marker[1:]
    one = '<｜DSML｜invoke name="f">\n<｜DSML｜parameter name="a" string="true">{}</｜DSML｜parameter>\n</｜DSML｜invoke>\n'
    text = f"<{block}\n{one.format('x')}{one.format('y')}</{block}"
    assert accepts(scheme.grammar([tool]), text) and not accepts(scheme.grammar([tool], "call"), text)
    first, second = scheme.read_calls(text, [tool])
    assert (first.arguments, second.arguments) == ({"a": "x"}, {"a": "y"})
    assert text[second.start : second.end] == f"{one.format('y')}</{block}" and first.end < second.start
    with pytest.raises(CallError, match=f"before `</{block}`"):
        scheme.read_calls(text.removesuffix(f"</{block}"), [tool])


@every_family
def test_results_stand_behind_a_call(family: str) -> None:
    scheme, call = scheme_of(family), WRITERS[family]("now", {})
    host = scheme.host(TOOLS, {"now": f"9 {scheme.marker}"})
    dfa = DFA(scheme.grammar(TOOLS, results=True))
    state = dfa.read(f"So {call}".encode())
    assert state is not None and dfa.is_host(state)
    written = host.write(call)
    assert isinstance(written, str) and scheme.marker not in written
    assert [one.name for one in scheme.read_calls(f"{call}{written}{call}", TOOLS)] == ["now", "now"]
    assert host.result(written) == f"9 < {scheme.marker[1:]}"


def test_tags_are_tokens_where_the_vocabulary_has_them() -> None:
    fsm = build_fsm(scheme_of("glm").grammar(TOOLS, "call"), vocabulary_of(*TAGS))
    symbols = ["<tool_call>", *b"find\n", "<arg_key>", *b"city", "</arg_key>", *b"\n", "<arg_value>", *b"a<b</arg_valu"]
    state = fsm.dfa.read(symbols)
    assert state is not None and fsm.dfa.step(state, ord("e")) is not None
    assert fsm.dfa.read(b"e>", state) is None and fsm.dfa.step(state, "<arg_key>") is None
    closed = fsm.dfa.read(["</arg_value>", *b"\n", "</tool_call>"], state)
    assert closed is not None and fsm.is_complete(closed)
    assert fsm.dfa.read(b"<tool_call>") is None


@every_family
def test_masks_are_what_each_token_reads_by_itself(family: str) -> None:
    """In bare strings of any length, of a bounded one, of a pattern and of an enumeration, and across their borders."""
    word = {"type": "string", "minLength": 1, "maxLength": 3}
    tool = tool_of({}, a={}, b=word, c={"type": "string", "pattern": "^[a-z\\n<]+$"}, d={"enum": ["", "<", "x\ny", 1]})
    chance, form = random.Random(3), WRITERS[family]
    calls = [form("f", {"a": 'x <\n"', "b": "é\n<", "c": "ab\n\n<", "d": "<"}), form("f", {"b": "x", "d": "x\ny"})]
    pieces = [text[at : at + size].encode() for text in calls for at in range(len(text)) for size in (2, 5, 9, 14)]
    fsm = build_fsm(scheme_of(family).grammar([tool], "call"), vocabulary_of(*pieces, *TAGS))
    for text in calls:
        state: int | None = fsm.initial
        for symbol in tokens_in(text, set(fsm.dfa.specials)):
            assert state is not None
            assert allowed(fsm, state) == allowed_one_by_one(fsm, state), (text, symbol)
            state = fsm.dfa.step(state, symbol)
        assert state is not None and fsm.is_complete(state)
    for _ in range(6):
        state = fsm.initial
        for _ in range(60):
            ways = allowed(fsm, state)
            assert ways == allowed_one_by_one(fsm, state)
            if fsm.is_complete(state):
                break
            state = fsm.step(state, chance.choice(sorted(ways)))
            assert state is not None


def tokens_in(text: str, specials: set[str]) -> Iterator[int | str]:
    """The bytes of a text, and its special tokens."""
    while text:
        name = next((one for one in specials if text.startswith(one)), None)
        yield from [name] if name else text[0].encode()
        text = text.removeprefix(name) if name else text[1:]


def test_a_question_may_be_quoted_and_objects_may_be_open() -> None:
    scheme = quoting(scheme_of("seed"), TOOLS, 'Will it "rain" in New York?')
    for city, accepted in (("New York", True), ('"rain"', True), ("", True), ("Boston", False), ("ew York", False)):
        assert accepts(scheme.grammar(TOOLS), seed("find", {"city": city})) is accepted
    wide, text = scheme_of("seed", open_objects=True), seed("find", {"city": "Rome", "more": "x"})
    assert accepts(wide.grammar(TOOLS), text) and not accepts(scheme_of("seed").grammar(TOOLS), text)
    assert wide.read_calls(text, TOOLS)[0].arguments == {"city": "Rome", "more": "x"}


def test_tokens_of_a_real_vocabulary(tokenizer_folder: Path) -> None:
    """However a tokenizer cuts a call, its tokens are in the masks, and none that leads out of the form."""
    ((_, tokenizer, vocabulary),) = schemas.vocabularies(["gpt2-50k"])
    tool = tool_of({}, a={"type": "string", "maxLength": 40}, b={"type": "string"}, c={"enum": ["x", "</p"]}, d={})
    values = {"a": "Hello,\n\n  world <b>", "b": "x\n\ndef f():\n\treturn '</par'\n", "c": "x", "d": {"k": ["é"]}}
    for family, form in WRITERS.items():
        fsm = build_fsm(scheme_of(family).grammar([tool], "call"), vocabulary)
        state: int | None = fsm.initial
        for token in tokenizer.encode(form("f", values)):
            assert state is not None and fsm.allowed(state)[token], vocabulary.text(token)
            state = fsm.step(state, token)
        assert state is not None and fsm.is_complete(state)


# ---- families, and what is wrong with a call


TEMPLATES = {
    "qwen_xml": "{{ '<tool_call>\\n<function=' + name + '>\\n' }}{{ '<parameter=' + key + '>\\n' }}",
    "glm": "{{ '<tool_call>' + name }}\n<arg_key>{{ key }}</arg_key>\n<arg_value>{{ value }}</arg_value>\n",
    "glm_compact": "{{ '<tool_call>' + name }}<arg_key>{{ key }}</arg_key><arg_value>{{ value }}</arg_value>",
    "minimax": "{% set begin = '<minimax:tool_call>' %}{{ begin }}<invoke name=",
    "seed": "{% set begin = '<seed:tool_call>' %}{{ begin + '\\n<function=' + name }}<parameter=",
    "dsml": "{% set dsml = '｜DSML｜' %}{% if m.tool_calls %}{{ '<' + dsml + 'function_calls>' }}{% endif %}",
    "dsml_v4": "{% set dsml = '｜DSML｜' %}{% if m.tool_calls %}{{ '<' + dsml + 'tool_calls>' }}{% endif %}",
}


@every_family
def test_a_template_tells_the_family(family: str) -> None:
    said = SimpleNamespace(
        chat_template=TEMPLATES[family], has_tool_template=True, has_chat_template=True, vocabulary=Vocabulary([b"a"])
    )
    writing = replace(JsonTags().writing, open_objects=True)
    for scheme in (SCHEMES["json_tags"], JsonTags(writing=writing), scheme_of("qwen_xml"), scheme_of("seed")):
        found = scheme.for_model(said)
        assert isinstance(found, TaggedArguments) and found.form is FORMS[family] and found.native
        assert found.writing is scheme.writing  # type: ignore[attr-defined]
        assert found.prompt(TOOLS, "Who?").tools == TOOLS and found.prompt(TOOLS, "Who?", False).tools == ()
    said.chat_template, said.has_tool_template = "", False
    kept = scheme_of(family).for_model(said)
    assert kept == scheme_of(family) and "find(city" in str(kept.prompt(TOOLS, "Who?").messages)
    said.chat_template = "<tool_call>\n{'name': …}"
    assert isinstance(SCHEMES["json_tags"].for_model(said), JsonTags)


def faults(changes: Iterable[tuple[str, str]], text: str) -> str:
    for old, new in changes:
        assert old in text, text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    ("changes", "kind", "fault"),
    [
        ([("find", "finds")], "name", "finds"),
        ([("<parameter=city>\nRome\n</parameter>\n", "")], "missing", None),
        ([("=city", "=town"), ("=days", "=city")], "unknown", "town"),
        ([("\n2\n", "\ntwo\n")], "type", "two"),
        ([('["km"]', '["km"')], "type", '["km"'),
        ([("<parameter=city>\nRome", "\nRome")], "format", "R"),
        ([("</function>", "")], "format", "<"),
        ([("<function=find>", "find")], "format", "f"),
        ([("\n</tool_call>", "")], "cut_off", ""),
        ([('2\n</parameter>\n<parameter=units>\n["km"]\n</parameter>\n</function>\n</tool_call>', "2")], "cut_off", ""),
        ([("\n</function>\n</tool_call>", "\n</fun")], "cut_off", ""),
    ],
)
def test_what_is_wrong_with_a_call(changes: list[tuple[str, str]], kind: str, fault: str | None) -> None:
    scheme = scheme_of("qwen_xml")
    text = "So " + faults(changes, qwen_xml("find", {"city": "Rome", "days": 2, "units": ["km"]}))
    assert not accepts(scheme.grammar(TOOLS), text)
    with pytest.raises(CallError) as caught:
        scheme.read_calls(text, TOOLS)
    error = caught.value
    assert (error.kind, error.start) == (kind, 3)
    assert error.fault is not None and fault in (None, text[slice(*error.fault)])
    if kind != "format":
        assert error.name is not None and text[slice(*error.name)] in ("find", "finds")


@pytest.mark.parametrize(
    ("changes", "kind", "fault"),
    [
        ([("find", "finds")], "name", "finds"),
        ([('"city"', '"town"'), ('"days"', '"city"')], "unknown", "town"),
        ([('"false">2', '"true">2')], "type", "2"),
        ([('"true">Rome', '"false">Rome')], "illegal_symbol", "Rome"),
        ([('"true">Rome', '"false">5')], "type", "5"),
        ([('["km"]', '["km"')], "illegal_symbol", '["km"'),
        ([('"false">2', '"false">NaN')], "illegal_symbol", "NaN"),
        ([('"false">2', '"maybe">2')], "format", '"'),
        ([(' string="false">2', ">2")], "format", '"'),
        ([("</｜DSML｜invoke>", "")], "format", "<"),
        ([("\n</｜DSML｜function_calls>", "")], "cut_off", ""),
        ([('"false">2', '"fal|')], "cut_off", ""),
        ([('parameter name="days', "par|")], "cut_off", ""),
        ([('<｜DSML｜parameter name="days', "<\ufffd|")], "cut_off", ""),
        ([("</｜DSML｜invoke>\n</", "</｜DSML｜invoke>\n<｜DS|")], "cut_off", ""),
        ([("\n</｜DSML｜invoke>", "\n</｜DSML｜inv|")], "cut_off", ""),
    ],
)
def test_what_is_wrong_with_a_call_of_deepseek(changes: list[tuple[str, str]], kind: str, fault: str) -> None:
    """A text ends at `|`."""
    scheme = scheme_of("dsml")
    text = "So " + faults(changes, dsml("find", {"city": "Rome", "days": 2, "units": ["km"]}))
    text = text.partition("|")[0]
    assert not accepts(scheme.grammar(TOOLS), text)
    with pytest.raises(CallError) as caught:
        scheme.read_calls(text, TOOLS)
    error = caught.value
    assert (error.kind, error.start) == (kind, 3)
    assert error.fault is not None and text[slice(*error.fault)] == fault
    if kind != "format":
        assert error.name is not None and text[slice(*error.name)] in ("find", "finds")


def test_models_may_leave_out_line_breaks() -> None:
    for family, form in WRITERS.items():
        text = form("find", {"city": "Rome", "days": 2}).replace("\n", "")
        assert scheme_of(family).read_calls(text, TOOLS)[0].arguments == {"city": "Rome", "days": 2} or family == "glm"
    spread = glm("find", {"city": "Rome"}).replace("\n", "\n \n")
    assert scheme_of("glm").read_calls(spread, TOOLS)[0].arguments == {"city": "Rome"}


def test_another_families_call_is_named() -> None:
    assert judge(qwen_xml("now", {}), scheme_of("seed"), TOOLS).stray
    assert judge(seed("now", {}), scheme_of("qwen_xml"), TOOLS).stray
    assert judge(minimax("now", {}), scheme_of("qwen_xml"), TOOLS).stray
    assert judge(dsml("now", {}), scheme_of("dsml_v4"), TOOLS).stray
    assert judge(dsml_v4("now", {}), scheme_of("seed"), TOOLS).stray


def test_what_is_said_of_a_bare_string() -> None:
    tool = tool_of({"required": ["a"]}, a={"type": "string", "maxLength": 2})
    fsm = build_fsm(scheme_of("seed").grammar([tool], "call"), vocabulary_of(*TAGS[:2]))
    state = fsm.dfa.read(b"<seed:tool_call>\n<function=f>\n<parameter=a>\xc3\xa9x")
    assert state is not None
    (token,) = (token for token in range(fsm.vocabulary.size) if fsm.vocabulary.spelling(token) == b"y")
    assert fsm.why_blocked(state, token) == "`y` isn't part of a string: expected `</parameter>`"
