"""Signatures → tools: what each format reads as, and back. Errors and real data have their own files."""

from __future__ import annotations

import ast
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tooldec.signatures import FORMATS, format_of, parse_tools, to_openai
from tooldec.signatures.python import signatures
from tooldec.signatures.python.annotations import ANNOTATIONS, UNTYPED
from tooldec.signatures.source import Source
from tooldec.tools import Tool

STR, INT, NUM, BOOL, NULL, OBJ = (
    {"type": kind} for kind in ("string", "integer", "number", "boolean", "null", "object")
)
DATE, MOMENT, TIME = ({"type": "string", "format": name} for name in ("date", "date-time", "time"))


def tool(name: str, properties: dict[str, Any] | None = None, optional: str = "", description: str = "") -> Tool:
    """A tool whose properties are required unless `optional` names them."""
    required = [one for one in properties or () if one not in optional.split()]
    schema = {"type": "object", "properties": properties or {}}
    return Tool(name, description, {**schema, "required": required} if required else schema)


def array(items: Any = None, **more: Any) -> dict[str, Any]:
    return {"type": "array", **({} if items is None else {"items": items}), **more}


def either(*schemas: Any) -> dict[str, Any]:
    return {"anyOf": list(schemas)}


def choice(*values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


SQUARE = tool("square", {"side": INT})
SQUARE_TEXT = '{"name": "square", "parameters": {"type": "object", "properties": {"side": {"type": "integer"}}, '
SQUARE_TEXT += '"required": ["side"]}}'
SQUARE_SCHEMA = json.dumps(SQUARE.parameters)

# fmt: off
# (format, text, tools)
READ: tuple[tuple[str, str, tuple[Tool, ...]], ...] = (
    ("python", "def square(side: int)", (SQUARE,)),
    ("python", "square(side: int)", (SQUARE,)),
    ("python", "def square(side: int) -> float:", (SQUARE,)),
    ("python", "async def square(side: int, /) -> list[int]: ...", (SQUARE,)),
    ("python", "\ufeffdef square ( side :int ) :\r\n    return side * side\r\n", (SQUARE,)),
    ("python", 'def square(side: int) -> int: "area (\\u00b2)"', (tool("square", {"side": INT}, "", "area (²)"),)),
    ("python", "square(side: int)  # area, of it", (tool("square", {"side": INT}, "", "area, of it"),)),
    ("python", "def square(side: int): ...  # area", (tool("square", {"side": INT}, "", "area"),)),
    ("python", "def square(side: int):  # noqa: E704", (SQUARE,)),
    ("python", "a(), b()  # of b\n\n# nothing\nc(); d()",
     (tool("a"), tool("b", None, "", "of b"), tool("c"), tool("d"))),
    ("python", "multiply(a, b)", (tool("multiply", {"a": dict(UNTYPED), "b": dict(UNTYPED)}),)),
    ("python", "add(a: int, b: int = 0)", (tool("add", {"a": INT, "b": {**INT, "default": 0}}, "b"),)),
    ("python", "f(a=-1.5, b='x', c=True)", (tool(
        "f", {"a": {**NUM, "default": -1.5}, "b": {**STR, "default": "x"}, "c": {**BOOL, "default": True}}, "a b c"),
    )),
    ("python", "f(a=None, b=[1], c={'k': None}, d: str = ...)", (
        tool("f", {"a": {**either(NUM, NULL), "default": None}, "b": {**array(), "default": [1]},
                   "c": {**OBJ, "default": {"k": None}}, "d": STR}, "a b c d"),
    )),
    ("python", "sum(*xs: float)", (tool("sum", {"xs": array(NUM, **{"x-variadic": True})}, "xs"),)),
    ("python", "f(a: str, *, b: int, c: int = 1)", (tool("f", {"a": STR, "b": INT, "c": {**INT, "default": 1}}, "c"),)),
    ("python", "uber.ride(from: str, class: int = 1)",
     (tool("uber.ride", {"from": STR, "class": {**INT, "default": 1}}, "class"),)),
    ("python", "def import(lambda, größe: str)", (tool("import", {"lambda": NUM, "größe": STR}),)),
    ("python", "    def area(self, side: int): return side\n    def b(cls): pass",
     (tool("area", {"side": INT}), tool("b"))),
    ("python", "from typing import (\n  Any,\n)\nimport datetime as dt\n@tool('(')\ndef f(d: dt.date): ...",
     (tool("f", {"d": DATE}),)),
    (
        "python",
        'def f(\n    a: int,  # a ( here\n    b: Literal["(", \'#\'],\n) -> dict[str, int]:  # not this\n'
        '    """First.\n\n    Second.\n    """\n    def g(x):\n        return {1: (\n1)}\n\n    return \\\n0\ng(a: int)',
        (tool("f", {"a": INT, "b": choice("(", "#")}, "", "First.\n\nSecond."), tool("g", {"a": INT})),
    ),
    ("typescript", "type square = (_: { side: integer }) => any;", (SQUARE,)),
    ("zod", 'const square = tool({ inputSchema: z.object({ side: z.number().int() }), execute: run });', (SQUARE,)),
    ("names", "get_time\nadd", (tool("get_time"), tool("add"))),
    ("discovery", '{"kind": "discovery#restDescription", "methods": {\n"now": {"id": "now", "path": "now", "description": "The time."}}}',
     (Tool("now", "The time.", {"type": "object", "properties": {}, "title": "GET /now"}),)),
    ("openapi", "openapi: 3.1.0\npaths:\n  /now:\n    get: {operationId: now, summary: The time.}\n",
     (Tool("now", "The time.", {"type": "object", "properties": {}, "title": "GET /now"}),)),
    ("json", f"[{SQUARE_TEXT}]", (SQUARE,)),
    ("json", SQUARE_TEXT, (SQUARE,)),
    ("json", f'\ufeff\n[{{"type": "function", "function": {SQUARE_TEXT}}}]\r\n', (SQUARE,)),
    ("json", f'[{{"type": "function", "name": "square", "strict": true, "parameters": {SQUARE_SCHEMA}}}]', (SQUARE,)),
    ("json", f'{{"tools": [{{"name": "square", "inputSchema": {SQUARE_SCHEMA}}}], "nextCursor": ""}}', (SQUARE,)),
    ("json", f'{{"id": 1, "result": {{"tools": [{{"name": "square", "inputSchema": {SQUARE_SCHEMA}}}]}}}}', (SQUARE,)),
    ("json", f'[{{"name": "square", "input_schema": {SQUARE_SCHEMA}}}]', (SQUARE,)),
    ("assigned", f"import os\n\ntools = [\n    {SQUARE_TEXT},  # the first\n    {{'name': 'now', 'parameters': None}},\n]\n",
     (SQUARE, tool("now"))),
    ("assigned", f"const tools = [{SQUARE_TEXT}];", (SQUARE,)),
    ("assigned", "[{'name': 'now', 'strict': True}]", (tool("now"),)),
    (
        "assigned",
        'import OpenAI from "openai";\n// ours\nexport const tools: Tool[] = [\n  {\n    type: "function",\n    function: {\n'
        "      name: 'square', /* once */\n      description: `of` + ' a\\u0020side\\'s length' + \"!\",\n      parameters: {\n"
        '        type: "object", properties: { side: { type: "integer" }, }, required: ["side"],\n      },\n      strict: true,\n'
        "    },\n  },\n] as const;\n",
        (tool("square", {"side": INT}, "", "of a side's length!"),),
    ),
    ("assigned", "[{ name: 'now', parameters: undefined }]", (tool("now"),)),
    ("assigned", "export default { 'tools': [{ \"name\": 'now', x: [-1, 2.5e1, 1_000, null, false] }] }", (tool("now"),)),
    ("yaml", f"# ours\n---\ntools:\n  - type: function\n    function: {SQUARE_TEXT}\n  - name: now\n", (SQUARE, tool("now"))),
    ("yaml", "- name: square\n  parameters:\n    properties: {side: {type: integer}}\n    required: [side]\n", (SQUARE,)),
    ("yaml", "name: now\ndescription: >\n  The\n  time.\n", (tool("now", {}, "", "The time.\n"),)),
    ("yaml", "- name: now\n  parameters: &none {type: object}\n- name: then\n  parameters: {<<: *none, type: object}\n", (tool("now"), tool("then"))),
    ("json", f"```json\n[{SQUARE_TEXT}]\n```\n", (SQUARE,)),
    ("python", "import os, sys\nfrom langchain.tools import tool\nimport a.b as c\n\n@tool\ndef now():\n    return c", (tool("now"),)),
    ("json", f'{{"id": "x_1", "functions": [{SQUARE_TEXT}], "ground_truth": null}}', (SQUARE,)),
    ("json", f'[{{"functionDeclarations": [{SQUARE_TEXT}]}}]', (SQUARE,)),
    ("json", f'{SQUARE_TEXT}\n\n{{"type": "function", "function": {{"name": "now"}}}}\n', (SQUARE, tool("now"))),
    ("json", '{"name": "a.b/c-d"} {"name": "\\u00e4", "description": null, "parameters": null}',
     (tool("a.b/c-d"), tool("ä"))),
    ("json", '{"name": "f", "parameters": {"type": "dict", "properties": {"type": {"type": "float"}, "b": '
     '{"type": "any"}, "c": {"type": "tuple", "items": {"type": "dict", "properties": {"d": '
     '{"type": ["String", "null"]}}}}}}}',
     (tool("f", {"type": NUM, "b": {}, "c": array({**OBJ, "properties": {"d": {"type": ["string", "null"]}}})},
           "type b c"),)),
)

# annotation -> schema; every row of ANNOTATIONS has one
TYPES: dict[str, Any] = {
    "str": STR, "int": INT, "float": NUM, "bool": BOOL, "None": NULL, "string": STR, "integer": INT, "number": NUM,
    "boolean": BOOL, "null": NULL, "object": OBJ, "array": array(), "array[int]": array(INT), "Any": {}, "any": {},
    "date": DATE, "datetime": MOMENT, "time": TIME, "datetime.date": DATE, "datetime.datetime": MOMENT,
    "datetime.time": TIME, "list": array(), "List[str]": array(STR), "list[list[int]]": array(array(INT)),
    "Sequence[float]": array(NUM), "collections.abc.Iterable[int]": array(INT), "Collection[bool]": array(BOOL),
    "Iterable[Any]": array({}), "tuple": array(), "tuple[int, ...]": array(INT),
    "Tuple[float, float]": array(NUM, minItems=2, maxItems=2),
    "tuple[int, str]": array(False, prefixItems=[INT, STR], minItems=2, maxItems=2),
    "dict": OBJ, "Dict[str, Any]": OBJ, "dict[str, int]": {**OBJ, "additionalProperties": INT}, "MutableMapping": OBJ,
    "typing.Mapping[str, bool]": {**OBJ, "additionalProperties": BOOL}, "Optional[int]": either(INT, NULL),
    "typing.Optional[int | None]": either(INT, NULL), "Union[int, str, None]": either(INT, STR, NULL),
    "int | str | int": either(INT, STR), "Union[int, int]": INT, "int | Any": {}, "Literal['c', 'f']": choice("c", "f"),
    "Literal[1, -2, 1]": {**INT, "enum": [1, -2, 1]}, "Literal['a', 1, None, True]": {"enum": ["a", 1, None, True]},
    "'c' | 'f'": choice("c", "f"), "['c', 'f']": choice("c", "f"), "{'c', 'f'}": choice("c", "f"), "'int'": INT,
    "MutableSequence[int]": array(INT), "set[int]": array(INT), "Set": array(), "frozenset[str]": array(STR),
    "FrozenSet[str]": array(STR), "AbstractSet[int]": array(INT), "UUID": {**STR, "format": "uuid"},
    "uuid.UUID": {**STR, "format": "uuid"}, "timedelta": {**STR, "format": "duration"}, "Decimal": NUM,
    "decimal.Decimal": NUM, "Path": STR, "pathlib.Path": STR, "PathLike": STR, "os.PathLike": STR, "AnyStr": STR,
    **dict.fromkeys(("PastDate", "FutureDate"), DATE), "collections.deque[int]": array(INT), "OrderedDict": OBJ,
    **dict.fromkeys(("AwareDatetime", "NaiveDatetime", "PastDatetime", "FutureDatetime"), MOMENT), "defaultdict": OBJ,
    **{name: {**STR, "format": "uuid"} for name in ("UUID1", "UUID4", "UUID5")}, "AnyHttpUrl": {**STR, "format": "uri"},
    **{f"IPv{one}Address": {**STR, "format": f"ipv{one}"} for one in (4, 6)},
    "Text": STR, "AnyUrl": {**STR, "format": "uri"}, "HttpUrl": {**STR, "format": "uri"},
    **dict.fromkeys(("LiteralString", "StrictStr", "SecretStr", "FilePath", "pydantic.DirectoryPath"), STR),
    "StrictInt": INT, "StrictFloat": NUM, "FiniteFloat": NUM, "StrictBool": BOOL, "EmailStr": {**STR, "format": "email"},
    "bytes": {**STR, "format": "binary"}, "PositiveInt": {**INT, "exclusiveMinimum": 0},
    "NonNegativeInt": {**INT, "minimum": 0}, "NegativeInt": {**INT, "exclusiveMaximum": 0},
    "NonPositiveInt": {**INT, "maximum": 0}, "PositiveFloat": {**NUM, "exclusiveMinimum": 0},
    "NonNegativeFloat": {**NUM, "minimum": 0}, "NegativeFloat": {**NUM, "exclusiveMaximum": 0},
    "NonPositiveFloat": {**NUM, "maximum": 0}, "Final[int]": INT, "Required[int]": INT, "NotRequired[int]": INT,
    "ReadOnly[int]": INT, "conint(ge=1)": {**INT, "minimum": 1}, "conlist(int, max_length=3)": array(INT, maxItems=3),
    "constr(pattern='a', strip_whitespace=True)": {**STR, "pattern": "a"},
    "Annotated[str, StringConstraints(min_length=1)]": {**STR, "minLength": 1},
    **dict.fromkeys("""NewPath Base64Str Base64UrlStr Base64Bytes Base64UrlBytes ImportString NameEmail IPvAnyAddress
        IPvAnyInterface IPvAnyNetwork IPv4Network IPv6Network IPv4Interface IPv6Interface ZoneInfo zoneinfo.ZoneInfo
        TimeZoneName PhoneNumber PaymentCardNumber CountryAlpha2 CountryAlpha3 SemanticVersion ULID MacAddress
        Pattern re.Pattern Pattern[str] os.PathLike[str]""".split(), STR),
    **dict.fromkeys("Number numbers.Number Real numbers.Real".split(), NUM),
    **dict.fromkeys(("Integral", "numbers.Integral"), INT), "NoneType": NULL, "types.NoneType": NULL, "ChainMap": OBJ,
    **{name: {**STR, "format": "uuid"} for name in ("UUID3", "UUID6", "UUID7", "UUID8")},
    **{name: {**STR, "format": "uri"} for name in """AnyWebsocketUrl WebsocketUrl FileUrl FtpUrl PostgresDsn CockroachDsn MySQLDsn MariaDBDsn
        SnowflakeDsn ClickHouseDsn MongoDsn RedisDsn AmqpDsn KafkaDsn NatsDsn""".split()},
    **{f"ipaddress.IPv{one}Address": {**STR, "format": f"ipv{one}"} for one in (4, 6)},
    **{name: {**STR, "format": "binary"} for name in ("bytearray", "StrictBytes", "SecretBytes")},
    "ByteSize": either({**STR, "pattern": r"^\s*(\d*\.?\d+)\s*(\w+)?"}, {**INT, "minimum": 0}),
    "Json": {**STR, "contentMediaType": "application/json"},
    "Json[list[int]]": {**STR, "contentMediaType": "application/json", "contentSchema": array(INT)},
    "Counter": {**OBJ, "additionalProperties": INT}, "collections.Counter[str]": {**OBJ, "additionalProperties": INT},
    "dict[UUID, int]": {**OBJ, "additionalProperties": INT, "propertyNames": {**STR, "format": "uuid"}},
    "dict[Literal['a', 'b'], Any]": {**OBJ, "propertyNames": choice("a", "b")}, "SkipJsonSchema[int]": INT,
    "SerializeAsAny[int]": INT, "MutableSet[int]": array(INT), "Iterator[int]": array(INT),
    "'list[date]'": array(DATE), "Annotated[int, 'the side']": {**INT, "description": "the side"},
}
# fmt: on


def shown(value: object) -> str:
    return ascii(value)[:60]


@pytest.mark.parametrize(("format", "text", "expected"), READ, ids=shown)
def test_read(format: str, text: str, expected: tuple[Tool, ...]) -> None:
    found = parse_tools(text)
    assert found == expected
    assert [list(one.parameters["properties"]) for one in found] == [
        list(one.parameters["properties"]) for one in expected
    ]
    assert parse_tools(text, format=format) == expected
    lines = text.lstrip("\ufeff").splitlines()
    for one in found:
        assert one.line is not None and one.column is not None
        spellings = (one.name, json.dumps(one.name), json.dumps(one.name, ensure_ascii=False), "get:")
        assert lines[one.line - 1][one.column - 1 :].startswith(spellings)
        Draft202012Validator.check_schema(one.parameters)
    assert parse_tools(to_openai(found)) == expected


def test_every_format_has_an_example() -> None:
    assert {format for format, _, _ in READ} == set(FORMATS)
    for format, text, _ in READ:
        assert format_of(text) == format


@pytest.mark.parametrize(("annotation", "schema"), TYPES.items(), ids=shown)
def test_types(annotation: str, schema: Any) -> None:
    (found,) = parse_tools(f"def f(a: {annotation})")
    assert found.parameters["properties"]["a"] == schema
    Draft202012Validator.check_schema(found.parameters)


def test_every_type_has_an_example() -> None:
    nodes = [node for text in TYPES for node in ast.walk(ast.parse(text, mode="eval"))]
    names = [ast.unparse(node) for node in nodes if isinstance(node, ast.Name | ast.Attribute)]
    assert (
        set(ANNOTATIONS)
        - {
            name.removeprefix("typing.")
            .removeprefix("collections.abc.")
            .removeprefix("collections.")
            .removeprefix("pydantic.")
            for name in names
        }
        == set()
    )


IDENTIFIERS = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
SIMPLE = st.sampled_from([STR, INT, NUM, BOOL, DATE, array(), array(INT), OBJ])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def any_tools(draw: st.DrawFn, names: st.SearchStrategy[str], schemas: st.SearchStrategy[Any]) -> tuple[Tool, ...]:
    return tuple(
        Tool(name, draw(st.text()), {"type": "object", "properties": draw(st.dictionaries(names, schemas, max_size=4))})
        for name in draw(st.lists(names, unique=True, min_size=1, max_size=4))
    )


LEGAL = st.text(st.characters(exclude_categories=("Z", "C"), exclude_characters="\"'`()"), min_size=1)
DEFAULTS = SIMPLE.flatmap(
    lambda schema: JSON_VALUES.map(lambda value: {**schema, "default": value, "examples": [value]})
)


@given(any_tools(LEGAL, DEFAULTS))
def test_what_is_written_is_read_again(tools: tuple[Tool, ...]) -> None:
    again = parse_tools(to_openai(tools))
    assert again == tools
    assert [list(tool.parameters["properties"]) for tool in again] == [list(t.parameters["properties"]) for t in tools]


@given(any_tools(IDENTIFIERS, SIMPLE))
def test_what_prompts_show_is_read_again(tools: tuple[Tool, ...]) -> None:
    every = [Tool(t.name, "", {**t.parameters, "required": list(t.parameters["properties"])}) for t in tools]
    again = parse_tools(", ".join(tool.signature() for tool in every))
    assert [tool.signature() for tool in again] == [tool.signature() for tool in every]


@given(JSON_VALUES)
def test_literal_defaults(value: Any) -> None:
    (found,) = parse_tools(f"f(a: Any = {value!r})")
    assert found.parameters["properties"]["a"]["default"] == value


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("const tools = [\n  { description: 'as now', name: 'now' },\n  { name: \"add\" }\n];", [(2, 35), (3, 12)]),
        ("- description: as now\n  name: now\n- name: add\n", [(2, 9), (3, 9)]),
        ("tools = [{'name': 'now'},\n{'name': 'now_2'}]", [(1, 20), (2, 11)]),
    ],
)
def test_names_have_places_in_programs_and_in_yaml(text: str, places: list[tuple[int, int]]) -> None:
    assert [(one.line, one.column) for one in parse_tools(text)] == places


def test_readers_in_two_threads_dont_wait_for_each_other() -> None:
    first = signatures.items(Source.of("def add(a: int)\ndef sub(a: int)"))
    assert isinstance(next(first), Tool)
    with ThreadPoolExecutor(1) as pool:
        assert len(pool.submit(lambda: list(signatures.items(Source.of("def mul(a: int)")))).result(timeout=20)) == 1
    assert isinstance(next(first), Tool)
