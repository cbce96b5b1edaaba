"""What the rows of SCHEMES share; what each accepts and reads is in test_ways.py."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from tooldec import SCHEMES, Prompt, Tool, Vocabulary, build_fsm, parse_tools
from tooldec.arguments import POSITIONAL
from tooldec.automaton import DFA
from tooldec.errors import CallError, SchemaError, ToolDecError, UsageError
from tooldec.grammar import Grammar, Until
from tooldec.schemes import FAMILIES, SpecialToken
from tooldec.schemes.calls import KEPT, named, positional
from tooldec.schemes.json_tags import JsonTags

TOOLS = parse_tools(
    'def add(a: int, b: int): "adds two numbers"\ndef find(city: str, unit: Literal["c", "f"] = "c")\ndef now()'
)


def accepts(grammar: Grammar, text: str) -> bool:
    dfa = DFA(grammar)
    state = dfa.read(text.encode())
    return state is not None and dfa.is_accepting(state)


def model(has_tool_template: bool = False, has_chat_template: bool = False, specials: tuple[str, ...] = ()) -> Any:
    return SimpleNamespace(
        has_tool_template=has_tool_template,
        has_chat_template=has_chat_template,
        vocabulary=Vocabulary([b"a", *specials]),
    )


@pytest.mark.parametrize("name", SCHEMES)
def test_every_scheme_has_all_its_parts(name: str) -> None:
    scheme = SCHEMES[name].for_model(model())
    assert isinstance(scheme.marker, str) and isinstance(scheme.grammar(TOOLS), Grammar)
    assert (
        scheme.read_calls("nothing here" if name != "react" else "Thought: x\nAction: now\nAction Input: {}", TOOLS)
        is not None
    )
    prompt = scheme.prompt(TOOLS, "Who?")
    assert isinstance(prompt, Prompt) and prompt.messages[-1] == {"role": "user", "content": "Who?"}
    assert callable(scheme.host(TOOLS).write)
    unguided = scheme.unguided()
    assert isinstance(unguided, Until) and accepts(unguided, "<T>add(</tool_call>") and len(DFA(unguided)) == 1


@pytest.mark.parametrize("name", SCHEMES)
def test_documentation_is_in_the_prompt_or_not(name: str) -> None:
    scheme = SCHEMES[name]
    listed, bare = (json.dumps(scheme.prompt(TOOLS, "Who?", documentation=wanted).messages) for wanted in (True, False))
    assert "add(a: int, b: int)" in listed and "city" in listed
    assert (
        "city" not in bare and len(bare) < len(listed) and scheme.prompt(TOOLS, "Who?", documentation=False).tools == ()
    )


@pytest.mark.parametrize("name", SCHEMES)
def test_no_tools_two_alike_and_an_unknown_start_are_refused(name: str) -> None:
    scheme = SCHEMES[name]
    with pytest.raises(UsageError, match="two tools are called `now`"):
        scheme.grammar([Tool("now"), Tool("other"), Tool("now")])
    with pytest.raises(UsageError, match="unknown start 'never'"):
        scheme.grammar(TOOLS, start="never")  # type: ignore[arg-type]
    if name == "react":  # there is always Finish
        assert isinstance(scheme.grammar([]), Grammar)
    else:
        with pytest.raises(UsageError, match="there are no tools"):
            scheme.grammar([])


@pytest.mark.parametrize("name", SCHEMES)
def test_every_one_of_many_tools_is_checked(name: str) -> None:
    """Also behind those whose grammars are kept, and where only the last one differs."""

    def tools(last: dict[str, Any]) -> list[Tool]:
        schemas = [*[{"type": "integer"}] * (KEPT + 40), last]
        return [Tool(f"t{n:04}", "", {"type": "object", "properties": {"a": s}}) for n, s in enumerate(schemas)]

    assert isinstance(SCHEMES[name].grammar(tools({"type": "integer", "minimum": 3})), Grammar)
    for wrong in ({"type": "integer", "minimum": 3, "maximum": 2}, {"type": "string", "pattern": "(?<=ab)c"}):
        with pytest.raises(SchemaError, match=f"t{KEPT + 40:04}"):
            SCHEMES[name].grammar(tools(wrong))


def test_tools_alike_in_their_arguments_are_built_once_they_are_called() -> None:
    built: list[str] = []

    def tail(tool: Tool) -> Grammar:
        built.append(tool.name)
        return positional(tool, POSITIONAL)

    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a"]}
    odd = {"type": "object", "properties": {"a": {"enum": ["x", "y"]}}}
    names = [f"t{n:04}" for n in range(3 * KEPT)]
    dfa = DFA(named([Tool(n, "", odd if n == "t0600" else schema) for n in names], tail, POSITIONAL))
    assert built == [*names[:KEPT], "t0600"]  # those that are kept, and those that aren't like them
    assert dfa.read(b"t0700") is not None and built[-1] == "t0700"


def test_a_model_with_a_tool_template_lists_the_tools_itself() -> None:
    scheme = SCHEMES["json_tags"].for_model(model(has_tool_template=True, has_chat_template=True))
    prompt = scheme.prompt(TOOLS, "Who?")
    assert prompt.tools == TOOLS and [m["role"] for m in prompt.messages] == ["user"]
    assert scheme.prompt(TOOLS, "Who?", documentation=False).tools == ()
    assert SCHEMES["json_tags"].prompt(TOOLS, "Who?").tools == ()


def test_the_marker_is_explained_to_models_that_lack_it() -> None:
    def system(known: Any) -> str:
        return SCHEMES["special_token"].for_model(known).prompt(TOOLS, "Who?").messages[0]["content"]

    assert "write <T>name(arguments)" in system(model(has_chat_template=True))
    assert "write <T>" not in system(model(has_chat_template=True, specials=("<T>",))) and "write <T>" not in system(
        model()
    )


# ---- the written form of a call


@pytest.mark.parametrize(
    ("text", "accepted", "rejected"),
    [
        (
            "def f(a: int, b: int)",
            ["f(1,2)", "f(1, 2)", "f(+1, -2)"],
            ["f(1)", "f(1,2,3)", "f( 1,2)", "f(1 ,2)", "f(1,  2)", "f()", "f(1,)"],
        ),
        ("def f(a: int, b: int = 0, c: str = '')", ["f(1)", "f(1,2)", 'f(1,2,"x")'], ["f()", 'f(1,"x")', "f(1,,)"]),
        ("def f(a: int = 1, b: int = 2)", ["f()", "f(1)", "f(1,2)"], ["f(,2)", "f(1,2,3)"]),
        ("def f(*v: float)", ["f()", "f(1)", "f(1, 2.5,3e2)"], ['f("a")', "f([1])", "f(1,)"]),
        ("def f(s: str, *v: int)", ['f("a")', 'f("a", 1,2)'], ["f()", 'f("a",)', "f(1)"]),
        ("def f()", ["f()"], ["f(1)", "f( )", "f"]),
        (
            "def f(a: bool, d: date)",
            ['f(true, "2024-02-29")'],
            ['f(True, "2024-02-29")', 'f(true, "2023-02-29")', "f(true, 2024-02-29)"],
        ),
        ("def f(x: list[int], y: dict)", ['f([1, 2], {"a":[null]})', "f([],{})"], ["f(1,{})", "f([1 ],{})"]),
        ("def f(a: Optional[int])", ["f(1)", "f(null)"], ["f(None)"]),
        ("multiply(a, b)", ["multiply(1, 2.5)"], ["multiply(a, b)"]),
    ],
)
def test_positional_calls(text: str, accepted: list[str], rejected: list[str]) -> None:
    grammar = SCHEMES["special_token"].grammar(parse_tools(text), start="call")
    assert [call for call in accepted if not accepts(grammar, f"<T>{call}")] == []
    assert [call for call in rejected if accepts(grammar, f"<T>{call}")] == []
    for call in accepted:
        assert SCHEMES["special_token"].read_calls(f"<T>{call}", parse_tools(text))


@pytest.mark.parametrize("name", ["a", "get.user-info", "größe", "x" * 200, "say\\n", "a/b"])
def test_names_of_any_kind_are_written_and_read(name: str) -> None:
    tool = Tool(name, parameters={"type": "object", "properties": {"ü x": {"type": "integer"}}, "required": ["ü x"]})
    texts = {
        "special_token": f"<T>{name}(5)",
        "json_tags": "<tool_call>\n"
        + json.dumps({"name": name, "arguments": {"ü x": 5}}, ensure_ascii=False)
        + "\n</tool_call>",
    }
    for scheme, text in texts.items():
        assert accepts(SCHEMES[scheme].grammar([tool, Tool(name + "2"), Tool("other")]), text)
        (call,) = SCHEMES[scheme].read_calls(text, [tool])
        assert (call.name, call.arguments) == (name, {"ü x": 5})


def test_null_of_open_api_is_written_and_read() -> None:
    tools = parse_tools(
        '[{"name": "f", "parameters": {"type": "object", "properties": {"a": {"type": "integer", "nullable": true}}, "required": ["a"]}}]'
    )
    for scheme, text in (
        ("special_token", "<T>f(null)"),
        ("json_tags", '<tool_call>\n{"name": "f", "arguments": {"a": null}}\n</tool_call>'),
    ):
        assert accepts(SCHEMES[scheme].grammar(tools), text)
        assert SCHEMES[scheme].read_calls(text, tools)[0].arguments == {"a": None}


def test_another_marker() -> None:
    scheme = SpecialToken(marker="[CALL]")
    assert accepts(scheme.grammar(TOOLS), "x [CALL]now() y <T>") and not accepts(scheme.grammar(TOOLS), "[CALL]")
    assert [call.name for call in scheme.read_calls("x [CALL]now() y <T>", TOOLS)] == ["now"]


def test_a_tool_that_cannot_be_written_fails_before_any_run() -> None:
    """All arguments are checked when the grammar is built, not when a run reaches them."""
    asked: list[str] = []
    for scheme in SCHEMES.values():
        with pytest.raises(ToolDecError):
            scheme.grammar([*TOOLS, Tool("bad", parameters={"type": "object", "properties": {"a": {"type": "wrong"}}})])
        asked.append(scheme.marker)
    assert len(asked) == len(SCHEMES)


def test_a_grammar_is_shared_by_vocabularies() -> None:
    grammar = SCHEMES["special_token"].grammar(TOOLS)
    one = build_fsm(grammar, Vocabulary([bytes([b]) for b in range(256)]))
    two = build_fsm(grammar, Vocabulary([*(bytes([b]) for b in range(256)), "<T>"]))
    assert one.dfa.read(b"<T>now(") is not None and two.dfa.read(["<T>", *b"now("]) is not None
    assert two.dfa.read(b"<T>now(") == two.initial


def many(optional: bool = False, **schema: Any) -> Tool:
    """`f(*r: int)` with more in the schema of `r`, behind an argument that may be left out."""
    before = {"a": {"type": "integer"}} if optional else {}
    rest = {"type": "array", "x-variadic": True, "items": {"type": "integer"}, **schema}
    return Tool("f", parameters={"type": "object", "properties": {**before, "r": rest}})


@pytest.mark.parametrize(
    ("tool", "accepted", "refused"),
    [
        (many(), ["f()", "f(1)", "f(1,2)"], ['f("a")']),
        (many(minItems=2), ["f(1,2)", "f(1,2,3)"], ["f()", "f(1)"]),
        (many(True, minItems=2), ["f(0,1,2)"], ["f()", "f(0)", "f(0,1)"]),
        (many(True, maxItems=1), ["f()", "f(0)", "f(0,1)"], ["f(0,1,2)"]),
        (many(uniqueItems=False), ["f(1,1)"], []),
    ],
)
def test_how_many_values_follow_by_position(tool: Tool, accepted: list[str], refused: list[str]) -> None:
    scheme = SpecialToken()
    grammar = scheme.grammar([tool], start="call")
    for written in accepted:
        assert accepts(grammar, f"<T>{written}") and scheme.read_calls(f"<T>{written}", [tool]), written
    assert not any(accepts(grammar, f"<T>{written}") for written in refused)


@pytest.mark.parametrize(
    "schema", [{"uniqueItems": True}, {"contains": {"const": 5}}, {"prefixItems": [{}]}, {"enum": [[1]]}, {"not": {}}]
)
def test_what_position_cannot_keep_of_many_values_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaError, match=f"`{next(iter(schema))}` can't be enforced by position"):
        SpecialToken().grammar([many(**schema)])


def test_a_schema_that_is_false_has_no_value() -> None:
    one, other = (
        Tool("f", parameters={"type": "object", "properties": {"a": True, "b": False}, "required": required})
        for required in ([], ["b"])
    )
    grammar = SpecialToken().grammar([one], start="call")
    assert accepts(grammar, "<T>f()") and accepts(grammar, "<T>f(1)") and not accepts(grammar, "<T>f(1,2)")
    with pytest.raises(CallError, match="`b` of `f`"):
        SpecialToken().read_calls("<T>f(1,2)", [one])
    tags = JsonTags().grammar([one], start="call")
    for written, accepted in (('{"a": 1}', True), ("{}", True), ('{"a": 1, "b": 2}', False)):
        text = f'<tool_call>\n{{"name": "f", "arguments": {written}}}\n</tool_call>'
        assert accepts(tags, text) is accepted, written
    with pytest.raises(SchemaError, match="no value satisfies"):
        SpecialToken().grammar([other])


@pytest.mark.parametrize("template", ["", "<tool_call>", "[TOOL_CALLS]"])
@pytest.mark.parametrize("name", SCHEMES)
def test_a_models_family_keeps_what_was_set(name: str, template: str) -> None:
    writing = replace(SCHEMES[name].writing, open_objects=True)
    other = model()
    other.chat_template = template
    assert replace(SCHEMES[name], writing=writing).for_model(other).writing == writing
    tags = JsonTags(marker="<call>", end="</call>")
    assert tags.for_model(model()).marker == "<call>" and FAMILIES["kimi"].for_model(model()) == FAMILIES["kimi"]


def test_readers_take_what_open_objects_admit() -> None:
    tool = parse_tools("def square(side: int)")[0]
    written = '{"name": "square", "arguments": {"side": 5, "unit": "cm"}}'
    closed = JsonTags()
    for scheme in (closed, replace(closed, writing=replace(closed.writing, open_objects=True))):
        text = f"<tool_call>\n{written}\n</tool_call>"
        if accepts(scheme.grammar([tool], start="call"), text):
            assert scheme is not closed and scheme.read_calls(text, [tool])[0].arguments == {"side": 5, "unit": "cm"}
        else:
            with pytest.raises(CallError, match="no argument `unit`"):
                closed.read_calls(text, [tool])
                assert scheme is closed


@pytest.mark.parametrize(
    ("name", "result", "more"),
    [
        ("toolken", "see <b>(bold)", "."),
        ("toolken", "see <b>", "(bold)"),
        ("special_token", "a <T", ">b"),
        ("special_token", "a <T>b", ""),
    ],
)
def test_no_result_looks_like_a_call(name: str, result: str, more: str) -> None:
    scheme, tools = SCHEMES[name], parse_tools("def find(x: str)")
    call = '<find>("a")=' if name == "toolken" else '<T>find("a")='
    written = scheme.host(tools, {"find": result}).write(call)
    assert isinstance(written, str)
    assert [found.name for found in scheme.read_calls(call + written + more, tools)] == ["find"]


RESULTS = ("[TOOL_RESULTS]calm", " calm ", "Observation: calm", "</tool_response>")
CALLS = {
    "special_token": "<T>sea()",
    "json_tags": '<tool_call>\n{"name": "sea", "arguments": {}}\n</tool_call>',
    "react": "Thought: x\nAction: sea\nAction Input: {}",
    "name_prompt": "<sea>()",
    "toolken": "<sea>()=",
}


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("result", RESULTS)
def test_a_host_knows_its_results_again(name: str, result: str) -> None:
    host = SCHEMES[name].host([Tool("sea")], {"sea": result})
    written = host.write(CALLS[name])
    assert isinstance(written, str) and host.result(written) == result


@pytest.mark.parametrize("name", SCHEMES)
def test_a_grammar_is_of_tools(name: str) -> None:
    for wrong in ("def f()", Tool("f"), None, [{"name": "f"}]):
        with pytest.raises(UsageError, match=r"is no (list of tools|tool); use parse_tools"):
            SCHEMES[name].grammar(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SCHEMES)
def test_half_a_character_is_told(name: str) -> None:
    """Who builds tools by hand may have one; no text does."""
    for tool in (
        Tool("f\ud800"),
        Tool("f", parameters={"type": "object", "properties": {"x": {"enum": ["\ud800"]}}}),
        Tool("f", parameters={"type": "object", "properties": {"x": {"type": "object", "properties": {"\ud800": {}}}}}),
    ):
        with pytest.raises(SchemaError, match=r"holds half a character \(a lone surrogate\), U\+D800; remove it"):
            SCHEMES[name].grammar([tool])
