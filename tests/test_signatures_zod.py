"""Tools of TypeScript programs whose types are Zod's."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tooldec.errors import SignatureError
from tooldec.signatures import format_of, parse_tools, read_tools
from tooldec.signatures.source import Source
from tooldec.signatures.typescript.tokens import Tokens
from tooldec.signatures.zod.types import Zod

STR, INT, NUM, NULL = {"type": "string"}, {"type": "integer"}, {"type": "number"}, {"type": "null"}


def made(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    found = {"type": "object", "properties": properties, **more}
    return {**found, "required": list(required)} if required else found


TYPES: dict[str, Any] = {
    "z.string()": STR,
    "z.string().min(2).max(9)": {**STR, "minLength": 2, "maxLength": 9},
    "z.string({ message: 'no' }).length(3, 'three')": {**STR, "minLength": 3, "maxLength": 3},
    "z.string().min(5).nonempty().max(3).max(9)": {**STR, "minLength": 5, "maxLength": 3},
    "z.number().min(2).nonnegative().lt(9).lt(7)": {**NUM, "minimum": 2, "exclusiveMaximum": 7},
    "z.string().nonempty()": {**STR, "minLength": 1},
    "z.string().email().describe('whom ' + `to`)": {**STR, "format": "email", "description": "whom to"},
    "z.email()": {**STR, "format": "email"},
    "z.iso.date()": {**STR, "format": "date"},
    "z.string().datetime()": {**STR, "format": "date-time"},
    r"z.string().regex(/^[a-z/]\/\d+$/)": {**STR, "pattern": r"^[a-z/]/\d+$"},
    "z.string().startsWith('a.b')": {**STR, "pattern": r"^a\.b"},
    "z.string().trim().toLowerCase()": STR,
    "z.number().int().positive().lte(7)": {**INT, "exclusiveMinimum": 0, "maximum": 7},
    "z.coerce.number().gt(-1.5).multipleOf(0.5)": {**NUM, "exclusiveMinimum": -1.5, "multipleOf": 0.5},
    "z.int().nonnegative()": {**INT, "minimum": 0},
    "z.boolean().default(true)": {"type": "boolean", "default": True},
    "z.enum(['c', 'f',])": {**STR, "enum": ["c", "f"]},
    "z.enum({ A: 'a', B: 'b' })": {**STR, "enum": ["a", "b"]},
    "z.literal('x')": {"const": "x"},
    "z.literal([1, 2])": {"enum": [1, 2]},
    "z.array(z.string()).min(1).max(3)": {"type": "array", "items": STR, "minItems": 1, "maxItems": 3},
    "z.number().array()": {"type": "array", "items": NUM},
    "z.tuple([z.number(), z.string()])": {"type": "array", "prefixItems": [NUM, STR], "minItems": 2, "maxItems": 2},
    "z.union([z.string(), z.number()])": {"anyOf": [STR, NUM]},
    "z.string().or(z.number()).nullable()": {"anyOf": [STR, NUM, NULL]},
    "z.record(z.string(), z.number())": {"type": "object", "additionalProperties": NUM},
    "z.record(z.enum(['a']), z.any())": made({}, additionalProperties={}, propertyNames={**STR, "enum": ["a"]})
    | {"properties": None},
    "z.object({ a: z.string(), 'b-c': z.number().optional(), d: z.optional(z.int()), e: z.null().nullish() })": made(
        {"a": STR, "b-c": NUM, "d": INT, "e": NULL}, "a"
    ),
    "z.object({ a: z.string() }).extend({ a: z.int().optional(), b: z.date() }).strict()": made(
        {"a": INT, "b": {**STR, "format": "date-time"}}, "b", additionalProperties=False
    ),
    "z.object({ a: z.string(), b: z.string() }).pick({ a: true }).partial()": made({"a": STR}),
    "z.object({ a: z.string(), b: z.string().optional() }).omit({ a: true }).required()": made({"b": STR}, "b"),
    "z.looseObject({ ...z.object({ a: z.int() }).shape, b: z.int() })": made(
        {"a": INT, "b": INT}, "a", "b", additionalProperties=True
    ),
    "z.object({ a: z.int(), ...z.object({ a: z.string().optional(), b: z.int() }).shape, b: z.int() })": made(
        {"a": STR, "b": INT}, "b"
    ),
    "z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })])": {
        "anyOf": [made({"k": {"const": "a"}}, "k"), made({"k": {"const": "b"}}, "k")]
    },
}


@pytest.mark.parametrize("text", TYPES)
def test_types(text: str) -> None:
    schema, _ = Zod(Tokens.of(Source.of(text), any_mark=True)).at(0)
    assert schema == {key: value for key, value in TYPES[text].items() if value is not None}


CITY = made({"city": {**STR, "description": "where"}, "days": INT}, "city")
OBJECT = 'z.object({ city: z.string().describe("where"), days: z.number().int().optional() })'
PROGRAMS = {
    "Vercel": f"""import {{ generateText, tool }} from "ai";
const result = await generateText({{
  model: openai("gpt-5"),
  tools: {{
    weather: tool({{
      description: "Weather of a city",
      inputSchema: {OBJECT},
      execute: async ({{ city, days = 7 / 2 }}) => {{ return `${{city}}: ${{ (await fetch(`/x/${{city}}`)).status }} %`; }},
    }}),
  }},
  prompt: 'Is it {{cold}}?',
}});""",
    "Agents": f'export const t = tool({{ name: "weather", description: "Weather of a city", parameters: {OBJECT} }});',
    "MCP": f"""server.registerTool("weather", {{
  title: "Weather", description: "Weather of a city",
  inputSchema: {OBJECT.removeprefix("z.object(")[:-1]},
}}, async ({{ city }}) => ({{ content: [] }}));""",
    "MCP before": f"""server.tool('weather', "Weather of a city", {OBJECT.removeprefix("z.object(")[:-1]},
  async ({{ city }}) => {{}});""",
    "LangChain": f'const t = tool(run, {{ name: "weather", description: "Weather of a city", schema: {OBJECT} }});',
    "named": f"""const Place = {OBJECT};
const weather = tool({{ description: "Weather of a city", parameters: Place }});""",
    "in JSON Schema": f"""const tools = [{{ type: "function", function: {{ name: "weather",
  description: "Weather of a city", parameters: zodToJsonSchema({OBJECT}) }} }}];""",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_programs(text: str) -> None:
    assert format_of(text) == "zod"
    (tool,) = parse_tools(text)
    assert (tool.name, tool.description, tool.parameters) == ("weather", "Weather of a city", CITY)
    assert tool.line and tool.column and text.splitlines()[tool.line - 1][tool.column - 1 :].startswith("weather")


def test_many_tools_in_the_order_of_the_text() -> None:
    text = """const UNITS = ["c", "f"] as const;
const Unit = z.enum(UNITS).default("c");
server.tool("now", {}, run);
server.tool("warm", { unit: Unit, by: z.number() }, run);
const plain = { name: "plain", parameters: { type: "object", properties: { a: { type: "integer" } } } };
const form = { schema: z.object({ answer: z.string() }) };"""
    tools = parse_tools(text)
    assert [(tool.name, tool.line) for tool in tools] == [("now", 3), ("warm", 4), ("plain", 5)]
    warm = tools[1]
    assert warm.parameters == made({"unit": {**STR, "enum": ["c", "f"], "default": "c"}, "by": NUM}, "by")


ERRORS = (
    ("const a = tool({ parameters: z.object({ x: z.string().refine(ok) }) });", 1, 55, "`refine` of Zod"),
    ("const a = tool({ parameters: z.object({ x: z.custom() }) });", 1, 46, "`custom` of Zod"),
    (
        "const a = tool({ parameters: z.object({ x: z.string().regex(/a/i) }) });",
        1,
        55,
        "the flag `i` of a regular expression",
    ),
    ("const a = tool({ parameters: z.object({ x: z.string().email().url() }) });", 1, 63, "`url` of Zod"),
    ("const a = tool({ parameters: z.object({ x: z.int().step(2).step(3) }) });", 1, 60, "`step` of Zod"),
    ("const a = tool({ parameters: z.object({ x: z.string().min(SHORT) }) });", 1, 59, "plain value"),
    ("const a = tool({ parameters: z.object({ x: other }) });", 1, 44, "a type of Zod is expected here, not `other`"),
    ("const a = tool({ parameters: z.object({ x }) });", 1, 41, "`x` has no type"),
    ("const a = tool({ parameters: z.object({ x: z.string()", 1, 38, "never closed"),
    ("add(tool({ parameters: z.object({}) }));", 1, 24, "no name"),
    ("tool({ name: NAME, parameters: z.object({}) });", 1, 32, "no name in quotes"),
    ("const City = z.object({ name: z.string() });", 1, 1, "no tool"),
    ("const N = z.object({ n: N });\nconst a = tool({ parameters: N });", 1, 25, "not `N`"),
    ("const a = tool({ parameters: z.string() });", 1, 41, "no object"),
)


@pytest.mark.parametrize(("text", "line", "column", "phrase"), ERRORS, ids=[phrase for *_, phrase in ERRORS])
def test_errors(text: str, line: int, column: int, phrase: str) -> None:
    with pytest.raises(SignatureError) as caught:
        parse_tools(text)
    assert phrase in str(caught.value) and caught.value.fix
    assert (caught.value.line, caught.value.column) == (line, column), str(caught.value)


def test_what_changes_a_value_asks_nothing_of_it() -> None:
    text = "z.preprocess(v => fix(v, 1), z.object({ a: z.preprocess(num, z.number().min(2).optional()), b: T }))"
    text = text.replace("T", "z.string().transform((x) => x.trim())")
    (tool,) = parse_tools(f'server.registerTool("f", {{ inputSchema: {text} }}, run)')
    properties = {"a": {"type": "number", "minimum": 2}, "b": {"type": "string"}}
    assert tool.parameters == {"type": "object", "properties": properties, "required": ["b"]}


def test_a_tool_that_fails_leaves_the_others() -> None:
    good, bad = "z.object({ a: z.int() })", "z.object({ a: z.string().superRefine(f) })"
    text = f"const a = tool({{ parameters: {bad} }});\nconst b = tool({{ parameters: {good} }});"
    tools, errors = read_tools(text)
    assert [tool.name for tool in tools] == ["b"] and [error.place for error in errors] == ["line 1, column 55"]


def test_types_that_double_each_other_end() -> None:
    lines = [f"const a{i + 1} = z.object({{ x: a{i}, y: a{i} }});" for i in range(40)]
    _, (error,) = read_tools("\n".join(["const a0 = z.int();", *lines, "const t = tool({ parameters: a40 });"]))
    assert "more than 1,000 times" in error.message


def test_any_text_gets_tools_or_errors() -> None:
    rng = random.Random(5)
    for _ in range(600):
        letters = list(rng.choice([*PROGRAMS.values(), *(text for text, *_ in ERRORS)]))
        for _ in range(rng.randint(1, 5)):
            letters[rng.randrange(len(letters))] = rng.choice("[]{}():,.'\"`\\/*=z$ \n")
        tools, errors = read_tools("".join(letters), "zod")
        assert tools or errors
