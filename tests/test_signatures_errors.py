"""Bad signatures: what each error says and where it points; and that no text, however bad, does anything worse."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tooldec.errors import SignatureError, ToolDecError, UsageError
from tooldec.lint import check_tools
from tooldec.signatures import FORMATS, parse_tools, read_tools
from tooldec.signatures.source import MAX_CHARACTERS, MAX_DEPTH, MAX_ERRORS, MAX_TOOLS

# fmt: off
# (text, line, column, a phrase of the message or of what would work)
ERRORS: tuple[tuple[str, int, int, str], ...] = (
    ("", 1, 1, "no tools"),
    ("\n  # only a comment\n", 1, 1, "`square(side: int)`"),
    ("def f(a: strng)", 1, 10, "use `str`; known types are str, int"),
    ("f(ä: str,\n  b: list[Sting])", 2, 11, "unknown type `Sting`"),
    ("f(a: int | np.ndarray)", 1, 12, "`np.ndarray`"),
    ("f(a: c | f)", 1, 6, '`Literal["a", "b"]`'),
    ("f(a: Optional[int, str])", 1, 6, "`int | None`"),
    ("f(a: dict[int, str])", 1, 6, "keys of type str"),
    ("f(a: str[int])", 1, 6, "no brackets"),
    ("f(a: Annotated[int, Odd()])", 1, 21, "description in quotes"),
    ("f(a: Annotated[int, Ge(LEAST)])", 1, 24, "`LEAST` isn't a literal"),
    ("def f(a: int", 1, 6, "`(` is never closed; close it with `)`"),
    ("f(a: int\ndef g(b: int)", 1, 2, "never closed"),
    ("f(a: int\ng(b: int)", 1, 2, "never closed"),
    ("f(a: list[int)", 1, 14, "write `]`"),
    ("f(a)\ng(b):\n    return (b", 3, 12, "never closed"),
    ("f(a: 'x)", 1, 6, "string is never closed"),
    ("f(a: int b: int)", 1, 6, "comma between"),
    ("f(a b)", 1, 5, "`b` can't stand here"),
    ("f(a=1, b)", 1, 8, "give it a default too"),
    ("f(1)", 1, 3, "`name: type = default`"),
    ("f(a: int = = 3)", 1, 12, "`=` can't stand here"),
    ("def f(a, b):\n    # type: (int) -> None\n    pass", 2, 13, "1 type for 2 parameters"),
    ("def f(a):\n    # type: (int -> None\n    pass", 2, 13, "this type comment can't be read"),
    ("def f(a,  # type: strng\n      b): ...", 1, 7, "unknown type `strng`"),
    ("f(a: bool = true)", 1, 13, "`true` isn't a literal value; write `True`"),
    ("f(a=[null])", 1, 6, "write `None`"),
    ("f(a: Literal[x])", 1, 14, "nothing is executed"),
    ("f(a=1e999)", 1, 5, "isn't a literal"),
    ("f(a=0x" + "f" * 5000 + ")", 1, 5, "isn't a literal"),
    (r"f(a='\ud83d')", 1, 5, "half a character"),
    (r"f(a): '\x'", 1, 7, "an escape in this text"),
    ("f(**more)", 1, 5, "`more: dict`"),
    ("f(a, *, a)", 1, 9, "two parameters are called `a`"),
    ("f(a) g(b)", 1, 6, "unexpected `g(b)`"),
    ("f(a)\nx = 1", 2, 1, "`x = 1` isn't a signature"),
    ("import\nf()", 1, 1, "`import` isn't a signature"),
    ("tools = [{'name': now()}]", 1, 19, "nothing is executed"),
    ("tools = [\n{'name': 'f' 'parameters'}}]", 2, 27, "plain values"),
    ("tools = [{'name': 'f'}, {'label': 'g'}]", 1, 25, "no name"),
    ("const tools = [{ name: 'f', run: () => 1 }];", 1, 34, "plain value is expected here, not `(`"),
    ("const tools = [\n  { name: 'f', name: 'g' },\n];", 2, 16, "`name` stands twice"),
    ("const tools = [{ name: 'f' }];\nawait ask(tools);", 2, 1, "paste the list of tools alone"),
    ("[{ name: 'f' }, { ...more }]", 1, 19, "a key is expected here, not `...`"),
    ("[{ name: 'f' ", 1, 13, "`}` is expected"),
    ("[{ name: 'f', x: 1e999 }]", 1, 18, "too large"),
    ("[{ name: 'f', x: 1" + "0" * 5000 + " }]", 1, 18, "5,001 digits"),
    ("[{ name: 'a' + b }]", 1, 16, "a text is expected"),
    ("- name: f\n- label: g\n", 2, 3, "no name"),
    ("- name: f\n  x: [1\n", 3, 1, "isn't YAML"),
    ("- name: f\n  parameters:\n    properties: {a: {}}\n    properties: {b: {}}\n", 4, 5, "the key `properties` stands twice"),
    ("- name: f\n  parameters:\n    properties:\n      a: {type: string, type: integer}\n", 4, 25, "the key `type` stands twice"),
    ('x{"name": "g"}\n{"name": "h"}\n{"name": "i"}', 1, 1, "a JSON list or object"),
    ("class A\n    def f(self): ...", 1, 1, "keep the functions only"),
    ("class A(\n    def f(self): ...", 1, 8, "never closed"),
    ("class A:\n    a: strng", 2, 8, "unknown type `strng`"),
    ("class A(B): ...\nclass B(A): ...\ndef f(a: A)", 3, 10, "the bases of `A` have no order"),
    ("class A(Enum):\n    pass\ndef f(a: A)", 3, 10, "has no values"),
    ("class A:\n    a: int = = 3", 2, 1, "`A` can't be read; write each field"),
    ("LIMIT = 5 of it\nf(a: int = LIMIT)", 1, 1, "`LIMIT` can't be read; write it as `LIMIT = 5`"),
    ("f()\ninterface A { a: string }", 1, 1, "begins no declaration"),
    ("f()\n[1]", 2, 1, "one format at a time"),
    ("get weather now(a) then", 1, 20, "unexpected `then`"),
    ("def 2x(a)", 1, 5, "write `_2x`"),
    ("def (a)", 1, 5, "without a name"),
    ("def f", 1, 1, "no parameter list"),
    ("if (x): y()", 1, 1, "isn't a signature"),
    ("f(a)\ng(b)\x00", 2, 5, "U+0000"),
    ("f(a)\n\x1b[31m", 2, 1, "U+001B"),
    ("f('\ud83d')", 1, 4, "U+D83D"),
    ("location(a)\nlocation(b)\nlocation_2(c)", 2, 1, "`location_3`"),
    ("f(a)\nf(b)\ng(", 2, 1, "`f_2`"),
    ("f(a: " + "(" * 99 + ")" * 99 + ")", 1, 4 + MAX_DEPTH + 1, f"{MAX_DEPTH} deep"),
    ("f(a: " + "int | " * 9999 + "int)", 1, 1, "deep"),
    ("f(a=" + "-" * 50_000 + "1)", 1, 1, "deep"),
    ("[]", 1, 1, "no tools"),
    ("[1]", 1, 2, "$[0]"),
    ("[[]]", 1, 2, "$[0]"),
    ("{}", 1, 1, "no name"),
    ('[{"name": "a"},\n {"name": ""}]', 2, 11, "$[1].name"),
    ('[{"name": "a b"}]', 1, 11, "write `a_b`"),
    ('[{"name": "f(x)"}]', 1, 11, "`f(x)` holds `(`"),
    ('[{"name": "a\\n"}]', 1, 11, "holds `\\n`"),
    ('{"tools": [{"inputSchema": {}}]}', 1, 12, "$.tools[0]"),
    ('[{"name": "a", "description": 5}]', 1, 31, "$[0].description"),
    ('[{"name": "a", "parameters": 5}]', 1, 30, "$[0].parameters"),
    ('[{\n"name": "a", "parameters": {"type": "string"}}]', 2, 37, '`"type": "object"`'),
    ('[{"name": "a", "parameters": {"x": {"type": "string"}}}]', 1, 30, "without `properties`"),
    ('[{"name": "a", "parameters": {"properties": 5}}]', 1, 45, "$[0].parameters.properties"),
    ('{"function": {"name": "a", "parameters": {"properties": {"b c": 5}}}}', 1, 65, 'parameters.properties["b c"]'),
    ('[{"name": "a", "parameters": {"properties": {"x": {"required": true}}}}]', 1, 64, "list of names"),
    ('[{"name": "a", "parameters": {"properties": {"x": {"anyOf": {}}}}}]', 1, 61, "x.anyOf"),
    ('[{"name": "a", "parameters": {"properties": {"side": {}}, "required": ["sides"]}}]', 1, 72, "mean `side`"),
    ('[{"name": "a", "parameters": {"properties": {"x": {"type": 5}}}}]', 1, 60, "x.type"),
    ('{"name": "a"}\n{"name": "a"}', 2, 10, "`a_2`"),
    ('[{"name": "a"},]', 1, 16, "remove the comma"),
    ('[{"name": "a"}\n{"name": "b"}]', 2, 1, "comma between"),
    ('[{"name": "a"', 1, 14, "close what is open"),
    ('[{"name": "a\n"}]', 1, 13, "`\\n`"),
    ('[{"name": "a"}, {"x": NaN}]', 1, 23, "NaN"),
    ('[{"name": "a", "x": 1e999}]', 1, 21, "too large"),
    ('[{"name": "a", "x": ' + "1" * 5000 + "}]", 1, 21, "5,000 digits"),
    ('[{"name": "a", "name": "b"}]', 1, 16, "`name` stands twice"),
    ('[{"name": "a\\ud83d"}]', 1, 11, "half a character"),
    ('[{"name": "a"}] def f(x)', 1, 17, "no other format"),
    ("[" * 100_000, 1, 2, f"{MAX_DEPTH} deep"),
    ("[" * 100_000 + "]" * 100_000, 1, 2, f"{MAX_DEPTH} deep"),
    ('{"a":' * 100_000, 1, 1, f"{MAX_DEPTH} deep"),
    ('{"name": "a", "parameters": {"items": ' + '{"items": ' * 99 + "{}" + "}" * 101, 1, 139, f"{MAX_DEPTH} deep"),
    ('{"name": "a", "parameters": {"default": ' + "[" * 99 + "]" * 99 + "}}", 1, 29, f"{MAX_DEPTH} deep"),
)
# fmt: on


def shown(value: object) -> str:
    return ascii(value)[:60]


@pytest.mark.parametrize(("text", "line", "column", "phrase"), ERRORS, ids=shown)
def test_errors(text: str, line: int, column: int, phrase: str) -> None:
    with pytest.raises(SignatureError) as caught:
        parse_tools(text)
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)
    assert phrase in str(caught.value)
    assert caught.value.fix and len(str(caught.value)) < 500


def test_unknown_format() -> None:
    with pytest.raises(
        UsageError,
        match="unknown format `toml`; use auto, openapi, discovery, zod, assigned, json, yaml, typescript, names or python",
    ):
        parse_tools("f()", format="toml")


@pytest.mark.parametrize("format", FORMATS)
def test_a_chosen_format_is_kept(format: str) -> None:
    other = "def a()" if format != "python" else '[{"name": "a"}]'
    with pytest.raises(SignatureError):
        parse_tools(other, format=format)


def test_limits() -> None:
    with pytest.raises(SignatureError, match="16,000,001 characters, and at most 16,000,000"):
        parse_tools("#" * (MAX_CHARACTERS + 1))
    names = [f"f{i}(a)" for i in range(MAX_TOOLS + 1)]
    assert len(parse_tools("\n".join(names[:-1]))) == MAX_TOOLS
    with pytest.raises(SignatureError, match=r"line 20001, column 1: there are more than 20,000 tools"):
        parse_tools("\n".join(names))
    with pytest.raises(SignatureError, match=r"a signature of 128,\d+ characters"):
        parse_tools(f"f({','.join(f'a{i}' for i in range(20_000))})")


STARTS = ("", "f(", "f(): ", "f():\n ", 'f(): """', "[", '[{"name": "', "@", "# ")
PIECES = ("(", "f(", '"', "a, ", "f(a)\n", "\n", "#", '{"a":', "{},", "a.", "\\\n", "@a\n", "1")


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("piece", PIECES)
def test_long_texts_are_read_or_refused_in_one_pass(start: str, piece: str) -> None:
    """Quadratic work on these would take many minutes each; nobody needs a clock to see it."""
    text = start + piece * (200_000 // len(piece))
    try:
        parse_tools(text)
    except SignatureError as error:
        assert error.fix and len(str(error)) < 500


@pytest.mark.parametrize("piece", ["</*", "\n/*"])
def test_comments_without_an_end_are_looked_through_once(piece: str) -> None:
    """As above: these took minutes."""
    with pytest.raises(SignatureError):
        parse_tools("type A = 'a';\n" + piece * (200_000 // len(piece)))


JUNK = ("\x00" * 5_000_000, "junk " * 1_000_000, "[" * 5_000_000, "f(a)\n" * 1_000_000)


@pytest.mark.parametrize("text", JUNK, ids=["NUL", "words", "brackets", "doubles"])
def test_five_megabytes_of_junk_are_refused(text: str) -> None:
    with pytest.raises(SignatureError) as caught:
        parse_tools(text)
    assert caught.value.fix and caught.value.line in (1, 2)


def points_into(error: ToolDecError, text: str) -> bool:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if error.line is None or error.column is None:
        return False
    return 1 <= error.line <= len(lines) and 1 <= error.column <= len(lines[error.line - 1]) + 1


def reads_or_refuses(text: str) -> None:
    try:
        assert parse_tools(text)
    except SignatureError as error:
        assert points_into(error, text), (text, str(error))
        assert error.fix


PYTHON = (
    'def |f|(|)|[|]|:|,|=|->|*|/|#|\n|  |\'|"|"""|int|Literal|None|\\|é|1|1e999|-|.|@|class |import |async |;|lambda'
)
JSON = '{|}|{"name": "a"}|"name"|"parameters"|"properties"|null|true|\\ud83d|\u00a0|\x0c|\ufeff|\r'
FRAGMENTS = st.sampled_from([*PYTHON.split("|"), *JSON.split("|"), "|"])


@given(st.lists(FRAGMENTS, max_size=25).map("".join) | st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    reads_or_refuses(text)


GOOD = (
    'def f(a: int, b: Literal["x", "y"] = "x", *, c: list[float] | None = None) -> str:\n    """D."""\n    g()\n',
    '[{"type": "function", "function": {"name": "f", "parameters": {"properties": {"a": {"enum": [1, {}]}}}}}]',
)


@given(st.sampled_from(GOOD), st.data())
def test_damaged_signatures_are_read_or_refused(text: str, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 5)))
        text = text[:start] + data.draw(FRAGMENTS | st.just("")) + text[end:]
    reads_or_refuses(text)


def test_nothing_is_executed(tmp_path: Path) -> None:
    trap = f"open({str(tmp_path / 'trap')!r}, 'w')"
    for text in (trap, f"f(a={trap})", f"f(a: {trap})", f"@{trap}\ndef f(a): {trap}", f"def f(a) -> {trap}: ..."):
        try:
            parse_tools(text)
        except SignatureError:
            pass
    assert not list(tmp_path.iterdir())


DEEP = ("f(a: " + "int | " * 9999 + "int)", "f(a=" + "-" * 50_000 + "1)", "[" * 100_000, "f(a: " + "a." * 9999 + "b)")


def test_deep_nesting_in_a_thread() -> None:
    """Servers read in threads, whose stacks are smaller than that of the main thread."""
    with ThreadPoolExecutor(1) as pool:
        errors = [pool.submit(parse_tools, text).exception() for text in DEEP]
    assert [type(error) for error in errors] == [SignatureError] * len(DEEP)


@pytest.mark.parametrize(
    "text", ["{ " + "/*a*/ " * 20_000, "[{" + "/" * 50_000, "[{ " + "//\n" * 50_000, "- " * 50_000, "\n" * 50_000]
)
def test_long_beginnings_are_known_at_once(text: str) -> None:
    """Which format a text has is found in time that grows with its length."""
    began = perf_counter()
    read_tools(text)
    assert perf_counter() - began < 2


@pytest.mark.parametrize(
    "text", ['[{"name": "get weather"}, {"name": "get_weather"}]', "def get weather(a: int)\ndef get_weather(b: int)"]
)
def test_a_name_that_is_proposed_is_free(text: str) -> None:
    tools, (error,) = read_tools(text)
    assert [tool.name for tool in tools] == ["get_weather"]
    assert error.replacement == "get_weather_2" and "`get_weather_2`" in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x: integr, y: flaot, z: int)\ndef g(a: int)",
        '[{"name": "f", "parameters": {"properties": {"x": {"type": "integr"}, "y": {"items": {"type": "flaot"}}}}},'
        ' {"name": "g"}]',
        '[{"name": "f", "args": {"x": "integr", "y": {"type": "flaot"}}}, {"name": "g"}]',
    ],
)
def test_all_unknown_types_of_a_tool_are_told_at_once(text: str) -> None:
    tools, errors = read_tools(text)
    assert [tool.name for tool in tools] == ["g"]
    whole, decimal = ("int", "float") if text.startswith("def") else ("integer", "number")
    assert [(error.word, error.replacement, error.tool) for error in errors] == [
        ("integr", whole, "f"),
        ("flaot", decimal, "f"),
    ]
    with pytest.raises(SignatureError, match="integr"):
        parse_tools(text)
    report = check_tools(text)
    assert (report.errors, report.unread) == (2, 1)


@pytest.mark.parametrize(
    "text",
    [
        '[{"name":"w","required":[],"parameters":{"properties":{"c":{"type":"string"}},"required":["c"]}}]',
        '[{"name":"w","args":{"properties":{"c":{"type":"string"}}}}]',
        '[{"name":"w","parameters":{"required":[],"additionalProperties":false,"strict":true}}]',
        '[{"name":"w","parameters":{"summary":"no parameters"}}]',
    ],
)
def test_what_says_nothing_is_no_fault(text: str) -> None:
    assert [tool.name for tool in parse_tools(text)] == ["w"]


def test_thousands_of_faults_of_one_tool_are_told_quickly_and_not_all() -> None:
    begin = perf_counter()
    fields = ",".join(f'"p{number}":{{"type":"strng"}}' for number in range(3_000))
    _, errors = read_tools(f'[{{"name":"f","parameters":{{"properties":{{{fields}}}}}}}]')
    assert len(errors) <= MAX_ERRORS and perf_counter() - begin < 10


def test_all_faults_of_a_tool_in_yaml_stand_at_their_places() -> None:
    text = """- name: w
  parameters:
    type: object
    properties:
      a: {type: strng}
      b: {type: foo}
"""
    _, errors = read_tools(text)
    assert [(error.line, error.column) for error in errors] == [(5, 17), (6, 17)]


@pytest.mark.parametrize(
    ("text", "what", "fix"),
    [
        (
            '{"version": "2.0", "operations": {"Get": {"input": {"shape": "G"}}}, "shapes": {"G": {}}}',
            "a service model of botocore",
            "as JSON tools",
        ),
        (
            '{"info": {"name": "A"}, "item": [{"name": "get", "request": {"method": "GET"}}]}',
            "a collection of Postman",
            "convert it to OpenAPI 3",
        ),
        ('{"mcpServers": {"fs": {"command": "npx"}}}', "a configuration of MCP servers", "`tools/list`"),
        (
            '{"openrpc": "1.2.6", "methods": [{"name": "add", "params": []}]}',
            "an OpenRPC document",
            "under its `methods`",
        ),
        ("asyncapi: 3.0.0\ninfo:\n  title: a\nchannels: {}", "an AsyncAPI document", "as JSON tools"),
        ("type Query {\n  user(id: ID!): User\n}", "a schema of GraphQL", "as JSON tools"),
        (
            'syntax = "proto3";\nservice Greeter {\n  rpc Hello (A) returns (B) {}\n}',
            "a service of Protocol Buffers",
            "as JSON tools",
        ),
        ('<?xml version="1.0"?>\n<definitions/>', "an XML document", "as JSON tools"),
    ],
)
def test_other_documents_are_named(text: str, what: str, fix: str) -> None:
    error = read_tools(text)[1][0]
    assert f"this is {what}, not a" in error.message and fix in error.fix and error.line == 1


def test_a_tool_may_have_arguments_that_are_called_so() -> None:
    text = (
        '{"name": "f", "parameters": {"properties": {"asyncapi": {"type": "char"}, "mcpServers": {"type": "object"}}}}'
    )
    assert [tool.signature() for tool in parse_tools(text)] == ["f(asyncapi: str = null, mcpServers: dict = null)"]
