"""Functions of a program of TypeScript that give types, and parameters that have the names of its constants."""

from __future__ import annotations

from time import perf_counter

import pytest

from tooldec.signatures import parse_tools, read_tools

PROGRAM = """
import { z } from "zod";
const optionalString = () => z.string().optional();
const bounded = (min: number, max: number): z.ZodNumber => z.number().min(min).max(max);
function str(d: string, most = 3) { return z.string().max(most).describe(d); }
const opt = async (type) => type.optional();
const page = (size) => ({ page: z.number().int().max(size) });
const paged = <T extends z.ZodRawShape>(shape: T) => z.object({ ...shape, ...page(10) });
server.registerTool("f", { description: "d", inputSchema: ARGUMENTS }, run);
"""


@pytest.mark.parametrize(
    ("arguments", "properties"),
    [
        ("{ a: z.int(), b: optionalString() }", {"a": {"type": "integer"}, "b": {"type": "string"}}),
        ("{ b: optionalString() }", {"b": {"type": "string"}}),
        ("{ n: bounded(1, 5) }", {"n": {"type": "number", "minimum": 1, "maximum": 5}}),
        ('{ s: str("which") }', {"s": {"type": "string", "maxLength": 3, "description": "which"}}),
        ('{ s: z.array(str("a" + "b", 9)) }', {"s": {"type": "array", "items": {"type": "string", "maxLength": 9, "description": "ab"}}}),
        ("{ o: opt(opt(z.boolean())) }", {"o": {"type": "boolean"}}),
        ("page(4)", {"page": {"type": "integer", "maximum": 4}}),
        ("{ q: z.null(), ...page(4) }", {"q": {"type": "null"}, "page": {"type": "integer", "maximum": 4}}),
        ("paged({ q: z.null() })", {"q": {"type": "null"}, "page": {"type": "integer", "maximum": 10}}),
    ],
)  # fmt: skip
def test_a_type_may_be_what_a_function_gives(arguments: str, properties: dict[str, object]) -> None:
    (tool,) = parse_tools(PROGRAM.replace("ARGUMENTS", arguments))
    assert tool.parameters["properties"] == properties


@pytest.mark.parametrize(
    ("text", "line", "column", "phrase"),
    [
        ("function p(a) { if (a) { return z.int(); } return z.string(); }", 2, 10, "what `p` gives isn't known before it runs"),
        ("const p = (a) => q(a);\nconst q = (a) => p(a);", 0, 0, "call each other more than 16 deep"),
        ("const p = (a) => a.optional();", 1, 18, "a type of Zod is expected here, not `a`"),
        ("const q = (x) => z.tuple([x, x]);\nconst p = () => q(q(q(q(q(q(q(q(q(q(z.int()))))))))));", 1, 27, "more than 1,000 times"),
    ],
)  # fmt: skip
def test_what_a_function_gives_may_not_be_known(text: str, line: int, column: int, phrase: str) -> None:
    _, (error,) = read_tools(
        f'{text}\nserver.tool("f", "d", {{ a: p(), b: z.int() }}, run);'.replace("\nserver.tool", "\nserver.tool")
    )
    assert phrase in str(error)
    assert not line or (error.line, error.column) in ((line, column), (2, 28))


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        ("const city = z.string();\nconst t = tool({ description: 'd', parameters: z.object({ city }), execute: ({ city }) => city });", ["t(city: str)"]),
        ("const schema = z.object({ a: z.int() });\nfunction make(schema) { return tool({ description: 'd', parameters: schema }); }", []),
        ("const name = 'x';\nconst make = (name: string) => tool({ name, description: 'd', parameters: z.object({}) });", []),
        ("const name = 'x';\nclass A { make(n: string): Tool { return tool({ name, description: 'd', parameters: z.object({}) }); } }", ["x()"]),
        ("const S = z.object({ a: z.int() });\nfunction f(S) { const S = z.object({ b: z.int() }); server.tool('t', S.shape, run); }", ["t(b: int)"]),
        ("const S = z.object({ a: z.int() });\nfunction f(S) { }\nserver.tool('t', S.shape, run);", ["t(a: int)"]),
        ("const S = z.object({ a: z.int() });\nnames.map(S => S.id);\nserver.tool('t', S.shape, run);", ["t(a: int)"]),
    ],
)  # fmt: skip
def test_a_parameter_is_no_constant_of_its_name(text: str, signatures: list[str]) -> None:
    tools, errors = read_tools(text)
    assert ([tool.signature() for tool in tools], bool(errors)) == (signatures, not signatures)


MCP = """
class Example extends MCPTool<Input> {
  name = "example";
  description = "Does it.";
  schema = {
    message: { type: z.string(), description: "to process" },
    count: { type: z.number().optional(), description: "how often" },
    more: { type: z.int(), default: 3, hidden: [1] },
  };
}
"""


def test_a_type_may_stand_beside_its_description() -> None:
    (tool,) = parse_tools(MCP)
    assert tool.signature() == "example(message: str, count: float = null, more: int = 3)"
    assert tool.parameters["properties"]["message"] == {"type": "string", "description": "to process"}
    _, (error,) = read_tools(MCP.replace("type: z.string()", "kind: z.string()"))
    assert (error.line, error.column) == (6, 14) and "this has no type" in str(error)


def test_a_field_of_a_class_may_have_the_name_of_its_type() -> None:
    text = 'const schema = z.object({ a: z.int() });\nclass T extends MCPTool {\n  name = "t";\n  schema = schema;\n}'
    assert [tool.signature() for tool in parse_tools(text)] == ["t(a: int)"]


@pytest.mark.parametrize(
    ("written", "schema"),
    [
        ("z.uuidv7()", {"type": "string", "format": "uuid", "pattern": "^.{14}7.{4}[89abAB]"}),
        ("z.nanoid()", {"type": "string", "pattern": "^[A-Za-z0-9_-]{21}$"}),
        ("z.string().ulid({ message: 'no' })", {"type": "string", "pattern": "^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$"}),
        ("z.base64url().max(8)", {"type": "string", "pattern": "^[A-Za-z0-9_-]*$", "maxLength": 8}),
    ],
)
def test_forms_of_texts_without_a_name_in_json_schema(written: str, schema: dict[str, object]) -> None:
    (tool,) = parse_tools(f"server.tool('f', {{ a: {written} }}, run);")
    assert tool.parameters["properties"] == {"a": schema}
    _, (error,) = read_tools("server.tool('f', { a: z.string().regex(/a/).nanoid() }, run);")
    assert "`nanoid` of Zod can't be enforced here" in str(error)


def test_functions_of_a_type_alone_are_tools_as_those_of_an_interface() -> None:
    text = "type Tools = { add: (a: number, b: number) => number; sub(a: number): number };"
    assert [tool.signature() for tool in parse_tools(text)] == ["add(a: float, b: float)", "sub(a: float)"]
    assert [tool.name for tool in parse_tools(text + "\nfunction f(tools: { a: string }): void;")] == ["f"]


def test_an_id_names_a_tool_that_has_no_other_name() -> None:
    made = 'createTool({ id: "get-it", inputSchema: z.object({ a: z.int() }) })'
    assert [tool.name for tool in parse_tools(f"export default {made};")] == ["get-it"]
    assert [tool.name for tool in parse_tools(f"const tools = [{made}];")] == ["get-it"]
    assert [tool.name for tool in parse_tools(f"const get = {made};")] == ["get"]


def test_many_functions_of_equal_parameters_are_quick() -> None:
    many = "".join(f"const f{n} = (args: A, s) => z.object({{ a: z.string(), s }});\n" for n in range(3_000))
    text = many + "".join(f'server.tool("t{n}", f{n}(1, z.int()), async (args) => g(args));\n' for n in range(3_000))
    start = perf_counter()
    assert len(parse_tools(text)) == 3_000
    assert perf_counter() - start < 12


def test_a_type_may_be_what_a_method_of_the_class_returns() -> None:
    text = """class Weather extends Tool {
  name = "weather";
  description = "Tells.";
  inputSchema() { return z.object({ city: z.string() }); }
}"""
    (tool,) = parse_tools(text)
    assert (tool.signature(), tool.description, tool.line) == ("weather(city: str)", "Tells.", 2)


def test_a_module_may_be_one_tool_that_its_metadata_names() -> None:
    text = """export const schema = { who: z.string().describe("whom") };
export const metadata: ToolMetadata = { name: "greet", description: "Greets." };
export default function greet({ who }: InferSchema<typeof schema>) { return who; }"""
    (tool,) = parse_tools(text)
    assert (tool.signature(), tool.description, tool.line) == ("greet(who: str)", "Greets.", 2)
