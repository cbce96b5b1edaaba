from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import CallOf, calls, written

from tooldec import SCHEMES, ToolCall, reading
from tooldec.arguments import DUMPS, argument
from tooldec.automaton import DFA
from tooldec.errors import CallError
from tooldec.signatures import parse_tools
from tooldec.tools import Tool

TOOLS = parse_tools(
    "def add(a: int, b: int)\ndef sqrt(x: float)\ndef pad(text: str, width: int = 3, flag: bool = False)\n"
    "def total(*values: float)\ndef now()\ndef date(day: date)\ndef find(spec: dict, rows: list)\n"
)
POSITIONAL = SCHEMES["special_token"].read_calls
TAGGED = SCHEMES["json_tags"].read_calls


def tagged(data: Any) -> str:
    return f"<tool_call>\n{data if isinstance(data, str) else json.dumps(data)}\n</tool_call>"


def call(name: str, **arguments: Any) -> str:
    return tagged({"name": name, "arguments": arguments})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no call at all", []),
        ("", []),
        ("x <T>add(1, 2) y", [("add", {"a": 1, "b": 2})]),
        ("<T>add(+1,-2)<T>sqrt(4.5e1)", [("add", {"a": 1, "b": -2}), ("sqrt", {"x": 45.0})]),
        ("<T>add( 1 ,\n2 )", [("add", {"a": 1, "b": 2})]),
        ('<T>pad("a, b) \\" (+1")', [("pad", {"text": 'a, b) " (+1'})]),
        ('<T>pad("é\\u00e9",10,true)', [("pad", {"text": "éé", "width": 10, "flag": True})]),
        ("<T>total()", [("total", {"values": []})]),
        ("<T>total(1, +2.5, 3)=6.5 and <T>now()=12", [("total", {"values": [1, 2.5, 3]}), ("now", {})]),
        ('<T>date("2024-02-29")', [("date", {"day": "2024-02-29"})]),
        ('<T>find({"a+1": +1, "b":+2e+3}, [+1,[ +2]])', [("find", {"spec": {"a+1": 1, "b": 2e3}, "rows": [1, [2]]})]),
    ],
)
def test_positional_calls(text: str, expected: list[tuple[str, dict[str, Any]]]) -> None:
    found = POSITIONAL(text, TOOLS)
    assert [(c.name, c.arguments) for c in found] == expected
    assert all(text[c.start : c.end].startswith("<T>") and text[c.start : c.end].endswith(")") for c in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nothing", []),
        (call("add", a=1, b=2), [("add", {"a": 1, "b": 2})]),
        (
            f"I ask {call('now')} and {call('pad', text='</b>', flag=True)}.",
            [("now", {}), ("pad", {"text": "</b>", "flag": True})],
        ),
        (tagged({"name": "now"}), [("now", {})]),
        (tagged('{"arguments":{"x":4},"name":"sqrt"}'), [("sqrt", {"x": 4})]),
    ],
)
def test_tagged_calls(text: str, expected: list[tuple[str, dict[str, Any]]]) -> None:
    found = TAGGED(text, TOOLS)
    assert [(c.name, c.arguments) for c in found] == expected
    assert all(
        text[c.start : c.end].startswith("<tool_call>") and text[c.start : c.end].endswith("</tool_call>")
        for c in found
    )


ERRORS = {
    "name": [
        (POSITIONAL, "<T>product(2, 3)", "no tool `product`"),
        (POSITIONAL, "<T>sqr(2)", "did it mean `sqrt`"),
        (POSITIONAL, "<T>(2)", "no tool ``"),
        (POSITIONAL, "<T> add(1, 2)", "no tool ` add`"),
        (TAGGED, call("product", a=1), "no tool `product`"),
        (TAGGED, tagged({"name": 5, "arguments": {}}), "no tool `5`"),
    ],
    "count": [
        (POSITIONAL, "<T>sqrt(4, 9)", "at most 1 arguments, not 2"),
        (POSITIONAL, "<T>add(4)", "2 arguments, not 1"),
        (POSITIONAL, "<T>add()", "not 0"),
        (POSITIONAL, "<T>now(1)", "at most 0"),
    ],
    "type": [
        (POSITIONAL, '<T>sqrt("four")', "`x` of `sqrt`"),
        (POSITIONAL, "<T>add(1.5, 2)", "`a` of `add`"),
        (POSITIONAL, "<T>total(1, true)", "`values` of `total`"),
        (POSITIONAL, '<T>date("2023-02-29")', "`day` of `date`"),
        (POSITIONAL, "<T>add(1, null)", "`b` of `add`"),
        (TAGGED, call("add", a=1, b="2"), "`b` of `add`"),
        (TAGGED, call("pad", text="a", width=None), "`width` of `pad`"),
    ],
    "unknown": [(TAGGED, call("sqrt", y=4), "no argument `y`"), (TAGGED, call("now", x=1), "no argument `x`")],
    "missing": [(TAGGED, call("sqrt"), "needs `x`"), (TAGGED, call("add", a=1), "needs `b`")],
    "illegal_symbol": [
        (POSITIONAL, "<T>add(pi, 4)", "`pi` is no JSON value"),
        (POSITIONAL, "<T>add(4, pi)", "`pi`"),
        (POSITIONAL, "<T>add(x=1, b=2)", "`x=1`"),
        (POSITIONAL, "<T>sqrt(NaN)", "`NaN`"),
        (POSITIONAL, "<T>sqrt(-Infinity)", "Infinity"),
        (POSITIONAL, "<T>sqrt('4')", "no JSON value"),
        (POSITIONAL, "<T>add(1,, 2)", "no JSON value"),
        (POSITIONAL, "<T>add(++1, 2)", "no JSON value"),
        (POSITIONAL, "<T>add(1, 2,)", "no JSON value"),
    ],
    "end_token": [
        (POSITIONAL, "<T>sqrt(4].", "not ']'"),
        (POSITIONAL, "<T>add(1 2)", "not '2'"),
        (POSITIONAL, "<T>sqrt(4.)", "not '.'"),
        (POSITIONAL, "<T>sqrt(04)", "not '4'"),
    ],
    "format": [
        (TAGGED, "<tool_call>sqrt(4)</tool_call>", "no JSON"),
        (TAGGED, tagged([1]), "no object"),
        (TAGGED, tagged({"arguments": {}}), "`name`"),
        (TAGGED, tagged({"name": "now", "arguments": [1]}), "no object"),
        (TAGGED, tagged('{"name": "now"'), "no JSON"),
        (TAGGED, '<tool_call>{"name": "now"} and </tool_call>', "after the object"),
        (TAGGED, tagged("[" * 100_000), "no JSON"),
    ],
    "cut_off": [
        (POSITIONAL, "<T>sqrt(4", "ends inside"),
        (POSITIONAL, "<T>sqrt", "ends before"),
        (POSITIONAL, "<T>", "ends before"),
        (POSITIONAL, "<T>sqrt(", "ends inside"),
        (POSITIONAL, "<T>add(1, ", "ends inside"),
        (POSITIONAL, "<T>add(1, -", "ends inside"),
        (POSITIONAL, '<T>pad("a', "ends inside"),
        (POSITIONAL, '<T>pad("a\\', "ends inside"),
        (POSITIONAL, '<T>pad("a", 1, tr', "ends inside"),
        (TAGGED, '<tool_call>\n{"name": "now"', "ends before"),
        (TAGGED, '<tool_call>\n{"name": "now"}\n</tool', "ends before"),
        (TAGGED, '<tool_call>\n{"name": "now"}', "ends before"),
    ],
}


def test_every_class_of_the_docstring_has_a_row() -> None:
    classes = re.findall(r"^    (\w+)  ", str(reading.__doc__), re.MULTILINE)
    assert set(classes) == ERRORS.keys() == reading.CLASSES.keys()


@pytest.mark.parametrize(
    ("kind", "reader", "text", "words"),
    [(kind, *row) for kind, rows in ERRORS.items() for row in rows],
    ids=lambda value: str(value)[:40],
)
def test_each_error_has_its_class_its_place_and_its_words(kind: str, reader: Any, text: str, words: str) -> None:
    for before in ("", "Text first. "):
        with pytest.raises(CallError) as caught:
            reader(before + text, TOOLS)
        error = caught.value
        assert (error.kind, error.start) == (kind, len(before)) and words in str(error)
        assert error.start < error.end <= len(before + text)


@pytest.mark.parametrize("text", ["<T>add(1, 2) <T>sqrt(x)", call("now") + call("sqrt", x="a")])
def test_the_first_call_that_is_wrong_is_named(text: str) -> None:
    with pytest.raises(CallError) as caught:
        (POSITIONAL if "<T>" in text else TAGGED)(text, TOOLS)
    assert caught.value.start > 0


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"$ref": "#/$defs/even"}, 4, True),
        ({"$ref": "#/$defs/even"}, 5, False),
        ({"$ref": "#/properties/a"}, 4, True),
        ({"$ref": "#/properties/a"}, "4", False),
        ({"type": "integer", "nullable": True}, None, True),
        ({"type": "integer", "nullable": True}, "a", False),
        ({"enum": ["a"], "nullable": True}, None, True),
        ({"type": "array", "items": {"type": "string", "nullable": True}}, ["a", None], True),
        ({"type": "object", "properties": {"nullable": {"type": "integer"}}}, {"nullable": None}, False),
        ({"const": {"nullable": True}}, {"nullable": True}, True),
        ({"$ref": "#/$defs/none"}, None, True),
    ],
)
def test_references_and_nulls(schema: Any, value: Any, valid: bool) -> None:
    defs = {"even": {"type": "integer", "multipleOf": 2}, "none": {"type": "string", "nullable": True}}
    properties = {"a": {"type": "integer"}, "b": schema}
    tool = Tool("f", parameters={"type": "object", "properties": properties, "required": ["a", "b"], "$defs": defs})
    for reader, text in ((POSITIONAL, f"<T>f(1, {written(value)})"), (TAGGED, call("f", a=1, b=value))):
        if valid:
            assert reader(text, [tool])[0].arguments == {"a": 1, "b": value}
        else:
            with pytest.raises(CallError) as caught:
                reader(text, [tool])
            assert caught.value.kind == "type"


_X = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
_K = {"type": "object", "properties": {"k": {"enum": ["a", "b"]}}, "required": ["k"]}
_M = {"properties": {"m": {"type": "integer"}}, "required": ["m"]}
_07 = "http://json-schema.org/draft-07/schema#"
_SELF = {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}}


@pytest.mark.parametrize(
    ("root", "valid", "invalid"),
    [
        ({"$ref": "#/$defs/X", "$defs": {"X": _X}}, [{"x": 1}], [({}, "missing"), ({"x": "a"}, "type")]),
        ({"allOf": [_X, {"properties": {"y": {"type": "string"}}}]}, [{"x": 1, "y": "a"}], [({"x": 1, "y": 1}, "type")]),
        ({"anyOf": [_X, _M]}, [{"x": 1}, {"m": 1}], [({}, "type")]),
        ({"oneOf": [_X, _K]}, [{"x": 1}, {"k": "a"}], [({"k": "c"}, "type")]),
        ({**_K, "if": {"properties": {"k": {"const": "a"}}}, "then": _M}, [{"k": "a", "m": 1}, {"k": "b"}], [({"k": "a"}, "missing")]),
        ({**_K, "dependentSchemas": {"k": _M}}, [{"k": "a", "m": 1}], [({"k": "a"}, "missing")]),
        ({**_K, "dependencies": {"k": _M}}, [{"k": "a", "m": 1}], [({"k": "a"}, "missing")]),
        ({"properties": {"a": {}, "b": {}}, "dependencies": {"a": ["b"]}}, [{}, {"a": 1, "b": 2}], [({"a": 1}, "missing")]),
        ({**_X, "unevaluatedProperties": {"type": "null"}}, [{"x": 1, "y": None}], [({"x": 1, "y": 2}, "unknown")]),
        ({"allOf": [_X], "unevaluatedProperties": False}, [{"x": 1}], [({"x": 1, "y": 2}, "unknown")]),
        ({**_X, "patternProperties": {"^(?<p>a)-": {"type": "null"}}}, [{"x": 1, "a-b": None}], [({"x": 1, "a-b": 1}, "type"), ({"x": 1, "b": 1}, "unknown")]),
        ({**_X, "propertyNames": {"enum": ["x", "y"]}}, [{"x": 1}, {"x": 1, "y": 2}], [({"x": 1, "z": 1}, "type")]),
        (_X, [{"x": 1}], [({"x": 1, "y": 1}, "unknown")]),
        ({**_X, "additionalProperties": {"type": "null"}}, [{"x": 1, "y": None}], [({"x": 1, "y": 1}, "type")]),
        ({"$ref": "#/$defs/N", "$defs": {"N": _SELF}}, [{"n": {"n": {}}}], [({"n": 1}, "type"), ({"n": {"n": 1}}, "type")]),
        ({"not": {"properties": {"q": {"type": "string"}}}}, [{"q": 1}], [({"q": "a"}, "type"), ({}, "type")]),
    ],
)  # fmt: skip
def test_what_the_root_asks_is_judged_as_the_machine_reads_it(
    root: dict[str, Any], valid: list[Any], invalid: list[tuple[Any, str]]
) -> None:
    tool, dfa = Tool("f", parameters={"type": "object", **root}), DFA(argument({"type": "object", **root}, DUMPS))
    for values, kind in [*((one, "") for one in valid), *invalid]:
        state = dfa.read(written(values).encode())
        assert (state is not None and dfa.is_accepting(state)) == (kind == ""), values
        try:
            assert TAGGED(call("f", **values), [tool])[0].arguments == values and not kind, values
        except CallError as error:
            assert error.kind == kind, values


@pytest.mark.parametrize(
    ("schema", "valid", "invalid", "root"),
    [
        ({"type": "array", "items": [{"type": "integer"}], "additionalItems": False}, [[1]], [["a"], [1, 2]], {}),
        ({"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "null"}}, [[1, None]], [[1, 2]], {}),
        ({"type": "array", "contains": {"const": 1}, "minContains": 2, "maxContains": None}, [[1, 1]], [[1]], {}),
        ({"type": "integer", "minimum": None, "maximum": "3"}, [3, -9], [4], {}),
        ({"type": "integer", "minimum": "1", "exclusiveMinimum": True}, [2], [1], {}),
        ({"type": "number", "maximum": 0.3, "exclusiveMaximum": False}, [0.3], [0.4], {}),
        ({"type": "integer", "exclusiveMaximum": 10**30}, [10**30 - 1], [10**30], {}),
        ({"type": "integer", "multipleOf": "2"}, [4], [5], {}),
        ({"type": "string", "pattern": "^(?<y>[0-9]{2})\\u{41}$"}, ["20A"], ["2A", "20"], {}),
        ({"type": "object", "patternProperties": {"^(?<y>a)$": {"const": 1}}}, [{"a": 1}, {"b": 2}], [{"a": 2}], {}),
        ({"const": 1, "nullable": True}, [1, None], [True, 2], {}),
        ({"const": 1, "enum": [1, True], "nullable": True}, [1, None], [True], {}),
        ({"type": ["integer"], "nullable": True}, [1, None], ["a"], {}),
        ({"nullable": True, "anyOf": [{"type": "integer"}]}, [1], [None], {}),
        ({"$ref": "#/properties/p/items/x"}, [1], ["a"], {"p": {"type": "string", "nullable": True, "items": {"x": {"type": "integer"}}}}),
        ({"$ref": "#/properties/p/items/0"}, [1], ["a"], {"p": {"type": "array", "items": [{"type": "integer"}]}}),
        ({"$ref": "#/definitions/S", "maxLength": 1}, ["xyz"], [1], {"$schema": _07}),
        ({"$ref": "#/definitions/S", "maxLength": 1}, ["x"], ["xyz"], {}),
        ({"$ref": "https://a.b/c#/definitions/S"}, ["x"], [1], {"$schema": "http://json-schema.org/draft-04/schema#", "id": "https://a.b/c"}),
        ({"not": {"enum": ["a"], "nullable": True}}, ["b", 1], ["a", None], {}),
    ],
)  # fmt: skip
def test_earlier_drafts_are_judged_as_the_machine_reads_them(
    schema: Any, valid: list[Any], invalid: list[Any], root: dict[str, Any]
) -> None:
    named = {"a": schema, **({"p": root["p"]} if "p" in root else {})}
    root = {"definitions": {"S": {"type": "string"}}, **{key: value for key, value in root.items() if key != "p"}}
    tool = Tool("f", parameters={"type": "object", "properties": named, "required": ["a"], **root})
    dfa = DFA(argument(schema, DUMPS, "$.a", tool.parameters))
    for value, holds in [*((one, True) for one in valid), *((one, False) for one in invalid)]:
        state = dfa.read(written(value).encode())
        assert (state is not None and dfa.is_accepting(state)) == holds, value
        for reader, text in ((POSITIONAL, f"<T>f({written(value)})"), (TAGGED, call("f", a=value))):
            try:
                assert reader(text, [tool])[0].arguments == {"a": value} and holds, value
            except CallError as error:
                assert error.kind == "type" and not holds, value


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "float"},
        {"pattern": "("},
        {"pattern": 5},
        {"$ref": "#/$defs/none"},
        {"$ref": "#/properties/a"},
        {"minimum": "much"},
        {"enum": 5},
        {"required": 5},
        {"properties": []},
        {"patternProperties": {"(": {}}},
        {"anyOf": {}},
        {"maxLength": "x"},
    ],
)
@pytest.mark.parametrize("value", ["a", 5, {"k": 1}])
def test_a_schema_that_no_machine_reads_judges_without_a_traceback(schema: Any, value: Any) -> None:
    for parameters in ({"type": "object", "properties": {"a": schema}}, {"type": "object", "allOf": [schema]}):
        for reader, text in ((POSITIONAL, f"<T>f({written(value)})"), (TAGGED, call("f", a=value))):
            try:
                reader(text, [Tool("f", parameters=parameters)])
            except CallError as error:
                assert error.kind in ("type", "count")


def test_types_that_double_each_other_are_judged_quickly() -> None:
    def twice(name: str) -> Any:
        return {"not": {"properties": {key: {"$ref": f"#/$defs/{name}"} for key in "xy"}}}

    chain = {f"T{n}": twice(f"T{n + 1}") for n in range(60)}
    tool = Tool("f", parameters={"properties": {"a": {"$ref": "#/$defs/T0"}}, "$defs": {**chain, "T60": {}}})
    with pytest.raises(CallError, match="`a` of `f`: "):
        TAGGED(call("f", a={}), [tool])


@pytest.mark.parametrize(
    "text",
    [
        f"<T>sqrt({'9' * 5000})",
        f"<T>add({'9' * 5000}, 1)",
        "<T>sqrt(" + "[" * 100_000,
        '<T>pad("' + "\\" * 100_001,
        "<T>sqrt(" + "-" * 100_000,
        tagged('{"name": "sqrt", "arguments": {"x": ' + "9" * 5000 + "}}"),
        "<T>" * 10_000,
        "\n" * 20_000 + "x",
        " " * 20_000 + "x",
        "<now" + " " * 20_000 + "x",
        "now()" + " " * 20_000 + "x",
        "[" + "\n" * 20_000 + "now()",
    ],
    ids=lambda text: text[:12],
)
def test_long_answers_are_read_or_refused_quickly(text: str) -> None:
    """Also numbers that Python refuses to read, and what no reader takes for a call."""
    start = time.perf_counter()
    for scheme in SCHEMES.values():
        verdict = reading.judge(text, scheme, TOOLS)
        assert verdict.error is None or len(str(verdict.error)) < 1000
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("scheme", ["special_token", "json_tags", "name_prompt", "toolken"])
def test_without_tools_plain_words_are_no_call(scheme: str) -> None:
    assert SCHEMES[scheme].read_calls("plain words", []) == ()
    with pytest.raises(CallError):
        SCHEMES["toolken"].read_calls("<square>(5)=", [])


@given(st.text(st.sampled_from('<T>add sqrt(1,2)"\\+-.e[]{}:x\n'), max_size=30))
def test_whatever_a_model_writes_is_read_or_refused(tail: str) -> None:
    for reader, begin in (
        (POSITIONAL, "<T>add("),
        (POSITIONAL, "<T>"),
        (TAGGED, "<tool_call>"),
        (TAGGED, '<tool_call>{"name":'),
    ):
        try:
            assert isinstance(reader(begin + tail, TOOLS), tuple)
        except CallError as error:
            assert error.kind in ERRORS


# ---- there and back


@given(calls("f"), st.data())
def test_written_calls_are_read_back(known: CallOf, data: st.DataObject) -> None:
    values, named = data.draw(known.positional), data.draw(known.named)
    (one,) = POSITIONAL(f"So <T>f({', '.join(map(written, values))}) is", (known.tool,))
    assert list(one.arguments.values())[: len(values)] == values or "more" in one.arguments
    flat = [
        v
        for p in known.tool.arguments
        if p.name in one.arguments
        for v in (one.arguments[p.name] if p.variadic else [one.arguments[p.name]])
    ]
    assert flat == values
    (other,) = TAGGED(f"So {tagged(written({'name': 'f', 'arguments': named}))} is", (known.tool,))
    assert other == ToolCall("f", named)


def test_a_string_may_hold_the_marker_or_the_tag() -> None:
    tools = (
        Tool("say", parameters={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}),
    )
    (one,) = POSITIONAL('<T>say("use <T>say(1)")', tools)
    assert one.arguments == {"text": "use <T>say(1)"}
    (other,) = TAGGED(call("say", text="<tool_call>"), tools)
    assert other.arguments == {"text": "<tool_call>"}
    (closed,) = TAGGED(call("say", text="a</tool_call>b"), tools)  # what a guided answer may hold
    assert closed.arguments == {"text": "a</tool_call>b"}


@pytest.mark.parametrize("name", ["a->b", "f", "f>g", "vector<int>", "</tool_call>"])
def test_names_may_hold_the_signs_around_them(name: str) -> None:
    tools = [Tool(each) for each in ("f", "f>g", "a->b", "vector<int>", "</tool_call>")]
    for scheme in ("toolken", "name_prompt"):
        (call,) = SCHEMES[scheme].read_calls(f"It is <{name}>()=1.", tools)
        assert call.name == name


@pytest.mark.parametrize("end", ["<eos>", "<eos><pad><pad>", "</s>", "\n<|im_end|>\n"])
def test_steps_may_end_with_special_tokens(end: str) -> None:
    text = "Thought:\nAction: now\nAction Input: {}"
    assert [call.name for call in SCHEMES["react"].read_calls(text + end, [Tool("now")])] == ["now"]
    with pytest.raises(CallError, match="a line break"):
        SCHEMES["react"].read_calls(f"{text}{end} and", [Tool("now")])
