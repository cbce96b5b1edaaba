"""Programs of TypeScript as developers have them: types that are made of others, names for everything, tools as data."""

from __future__ import annotations

import pytest

from tooldec.signatures import format_of, read_tools

OBJECT = '{ type: "object", properties: { city: { type: "string" } }, required: ["city"] }'
PLAIN = f'{{ name: "get", description: "Gets it.", input_schema: {OBJECT} }}'
PROGRAMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "types made of others": (
        """const A = z.object({ a: z.string(), b: z.number().describe("b") });
const B = z.object({ c: z.boolean() });
const M = A.merge(B);
const P = A.pick({ a: true });
export type A = z.infer<typeof A>;
server.tool("m", M.shape, run);
server.tool("p", "It.", P.shape, run);
server.registerTool("o", { description: "It.", inputSchema: M.omit({ a: true }).shape }, run);
server.registerTool("q", { description: "It.", inputSchema: A.partial() }, run);
server.registerTool("e", { inputSchema: A.extend({ z: z.string(), k: A.keyof() }).shape }, run);
server.registerTool("s", { inputSchema: { b: A.shape.b, c: A.shape.a.optional() } }, run);
server.registerTool("i", { inputSchema: A.and(B) }, run);
const j = tool({ description: "It.", inputSchema: z.intersection(P, B) });""",
        (
            *("m(a: str, b: float, c: bool)", "p(a: str)", "o(b: float, c: bool)", "q(a: str = null, b: float = null)"),
            *("e(a: str, b: float, z: str, k: a|b)", "s(b: float, c: str = null)", "i(a: str, b: float, c: bool)"),
            "j(a: str, c: bool)",
        ),
    ),
    "shapes": (
        """const shape: z.ZodRawShape = { a: z.string() };
const common = { id: z.string() } as const;
const schemas = { get: z.object({ a: z.string() }), put: { b: z.number() } };
const Item = z.object({ n: z.int() });
server.registerTool("r", { description: "d", inputSchema: shape }, run);
server.tool("u", shape, run);
server.tool("v", "d", { ...common, b: z.number() }, run);
const t = tool({ description: "d", inputSchema: z.object(shape).strict() });
const w = tool({ description: "d", inputSchema: z.object({ ...shape, ...common, Item }) });
server.registerTool("g", { inputSchema: schemas.get }, run);
server.registerTool("h", { inputSchema: schemas.put }, run);""",
        (
            *("r(a: str)", "u(a: str)", "v(id: str, b: float)", "t(a: str)", "w(a: str, id: str, Item: {n: int})"),
            *("g(a: str)", "h(b: float)"),
        ),
    ),
    "enums and lists": (
        """enum Unit { C = "c", F = "f" }
export const COLORS = { Red: "red", Green: "green" } as const;
const LEVELS: [string, ...string[]] = ["lo", "hi"];
const MAX = 10;
const Kind = z.enum(["x", "y"]);
server.tool("f", { a: z.nativeEnum(Unit).default(Unit.F), b: z.enum(COLORS), c: z.enum(LEVELS).optional() }, run);
server.tool("g", { a: z.enum(["mid", ...LEVELS]), b: z.literal(Unit.C), c: z.number().max(MAX).default(MAX) }, run);
server.tool("h", { a: z.enum(Object.values(COLORS) as [string, ...string[]]), b: z.enum(Kind.options) }, run);
server.tool("i", { a: z.literal(Kind.enum.x), b: Kind.exclude(["x"]), c: z.enum(["a"] as const) }, run);""",
        (
            'f(a: c|f = "f", b: red|green, c: lo|hi = null)',
            "g(a: mid|lo|hi, b: c, c: float = 10)",
            "h(a: red|green, b: x|y)",
            "i(a: x, b: y, c: a)",
        ),
    ),
    "names": (
        """const NAME = "get";
const NAMES = { list: "list_all" } as const;
enum ToolName { ECHO = "echo" }
server.registerTool(NAME, { inputSchema: { a: z.number() } }, run);
server.tool(`plain`, { a: z.number() }, run);
server.registerTool(`${NAME}_more`, { description: `More of ${NAME}`, inputSchema: { a: z.number() } }, run);
server.registerTool(NAMES.list, { inputSchema: { a: z.number() } }, run);
server.tool(ToolName.ECHO, { a: z.number() }, run);
const t = tool({ name: NAME + "_x", description: "d", parameters: z.object({ a: z.int() }) });
const typed: Tool = { description: "d", inputSchema: z.object({}) };""",
        (
            *("get(a: float)", "plain(a: float)", "get_more(a: float)", "list_all(a: float)", "echo(a: float)"),
            *("get_x(a: int)", "typed()"),
        ),
    ),
    "names of each function": (
        """function registerA(server) {
  const name = "a", schema = 1;
  const shape = z.object({ a: z.string() });
  server.registerTool("a", { inputSchema: shape }, run);
}
function registerB(server) {
  const shape = z.object({ b: z.string() });
  server.registerTool("b", { inputSchema: shape }, run);
}""",
        ("a(a: str)", "b(b: str)"),
    ),
    "several files": (
        """import { z as z2 } from "zod";
export const CitySchema = z2.object({ city: z2.string() });
import { z } from "zod";
import * as cities from './cities.js';
server.tool("get", cities.CitySchema.shape, run);
server.tool("put", { one: cities.CitySchema.optional(), n: z.int() }, run);""",
        ("get(city: str)", "put(one: {city: str} = null, n: int)"),
    ),
    "a name and a configuration": (
        """const name = "now";
const config = { description: "d", inputSchema: {}, annotations: { readOnlyHint: true } };
export const registerNow = (server) => { server.registerTool(name, config, async () => ({})); };""",
        ("now()",),
    ),
    "arguments of types": (
        """server.tool<{ a: z.ZodNumber }>("add", { a: z.number() }, run);
const w = tool<{ a: number }, string>({ description: "d", inputSchema: z.object({ a: z.number() }) });""",
        ("add(a: float)", "w(a: float)"),
    ),
    "what is registered stands elsewhere": (
        """const config = { title: "T", description: "d", inputSchema: { a: z.string() } };
const base = { description: "d", inputSchema: z.object({ b: z.string() }) };
server.registerTool("x", config, run);
const t = tool({ ...base, execute: run });
server.addTool({ name: "now", description: "d", execute: run });""",
        ("x(a: str)", "t(b: str)", "now()"),
    ),
    "Vercel": (
        f"""const raw = {OBJECT};
const result = streamText({{
  model, messages,
  tools: {{
    weather: tool({{ description: "w", inputSchema: jsonSchema<{{ city: string }}>({OBJECT}) }}),
    named: tool({{ description: "n", inputSchema: jsonSchema(raw) }}),
    'c-to-f': tool({{ description: 'c', inputSchema: z.object({{ t: z.number() }}), execute: async ({{ t }}) => ({{ t }}) }}),
  }},
}});""",
        ("weather(city: str)", "named(city: str)", "c-to-f(t: float)"),
    ),
    "tools of functions": (
        """export const getWeather = ({ session }: Props) => tool({ description: "d", inputSchema: z.object({ q: z.string() }) });
const find = async (q) => { return tool({ description: "e", inputSchema: z.object({ r: z.string() }) }); };
export function search(env: Env) { return tool({ description: "e", inputSchema: z.object({ s: z.string() }) }); }""",
        ("getWeather(q: str)", "find(r: str)", "search(s: str)"),
    ),
    "tools that a loop registers": (
        """const all = { get: { description: "g", inputSchema: z.object({ q: z.string() }) } };
for (const [name, one] of Object.entries(all)) { server.registerTool(name, one, run[name]); }""",
        ("get(q: str)",),
    ),
    "what is no tool": (
        """server.registerPrompt("review", { argsSchema: { code: z.string() } }, run);
const flow = ai.defineFlow({ name: "flow", inputSchema: z.object({ b: z.string() }) }, run);
interface Tool { inputSchema: { type: "object" }, name: string }
const answer = { response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } } };
client.callTool({ name: "echo", arguments: {} });
server.registerTool("x", { inputSchema: { name: z.string(), parameters: z.object({ schema: z.string() }) } }, run);
function helper(a: string): number { return 1; }""",
        ("x(name: str, parameters: {schema: str})",),
    ),
    "classes": (
        """class Multiply extends StructuredTool {
  name = "multiply";
  description = "multiplies";
  schema = z.object({ a: z.number() });
}""",
        ("multiply(a: float)",),
    ),
    "what follows a list": (
        f"const tools = [{PLAIN}];\nconst response = await client.messages.create({{ model: 'm', tools }});",
        ("get(city: str)",),
    ),
    "two constants": (
        f"export const A: Tool = {PLAIN};\nconst B: Tool = {PLAIN.replace('get', 'put')};\nconst all = [A, B] as const;",
        ("get(city: str)", "put(city: str)"),
    ),
    "a list in a function": (f"export const tools = (): Tool[] => [\n  {PLAIN},\n];", ("get(city: str)",)),
    "a list in a class": (
        f"export class A {{\n  private tools: Tool[] = [{PLAIN}];\n  async run(a: string) {{}}\n}}",
        ("get(city: str)",),
    ),
    "functions beside": (
        f"async function get(city: string) {{}}\nconst tools = [{PLAIN}];\nfunction helper(a) {{}}",
        ("get(city: str)",),
    ),
    "tools without arguments": (
        f"""const tools = [{PLAIN}, {{ type: "function", function: {{ name: "ping", description: "p" }} }},
  {{ name: "pong", description: "p" }}];
run(tools, [{{ name: "resource", description: "r" }}]);""",
        ("get(city: str)", "ping()", "pong()"),
    ),
    "parts of schemas": (
        f"""const unit = {{ type: "string", enum: ["c", "f"] as const }};
const base = {{ city: {{ type: "string" as const }} }};
const DESCRIPTION = "Gets it.";
const schema = {{ type: "object", properties: {{ ...base, unit, other: unit }} }};
const tools = [{{ name: "get", description: DESCRIPTION, input_schema: schema }}] satisfies Tool[];
run({PLAIN.replace("get", "put")});""",
        ("get(city: str = null, unit: c|f = null, other: c|f = null)", "put(city: str)"),
    ),
    "JSON in a program": (
        """const openai = new OpenAI();
const tools: Tool[] = [{
  "type": "function",
  "function": { "name": "get", "parameters": { "type": "object", "properties": { "a": { "type": "string" } } } }
}];""",
        ("get(a: str = null)",),
    ),
    "Gemini": (
        """const get = {
  name: 'get',
  description: 'Gets it.',
  parameters: { type: Type.OBJECT, properties: { a: { type: Type.ARRAY, items: { type: SchemaType.INTEGER } } } },
};
const answer = await ai.models.generateContent({ config: { tools: [{ functionDeclarations: [get] }] } });""",
        ("get(a: list[int] = null)",),
    ),
    "runTools": (
        f"client.runTools({{ tools: [{{ function: {{ function: now, parameters: {OBJECT} }} }}] }});\nasync function now() {{}}",
        ("now(city: str)",),
    ),
}


@pytest.mark.parametrize(("text", "signatures"), PROGRAMS.values(), ids=PROGRAMS)
def test_programs(text: str, signatures: tuple[str, ...]) -> None:
    assert format_of(text) == "zod"
    tools, errors = read_tools(text)
    assert [tool.signature() for tool in tools] == list(signatures)
    assert not errors


@pytest.mark.parametrize("text", [text for text, _ in PROGRAMS.values()], ids=PROGRAMS)
def test_a_program_that_is_being_written(text: str) -> None:
    """Whatever is there so far is read, or told to be wrong."""
    for end in range(len(text)):
        tools, errors = read_tools(text[:end])
        assert tools or errors


def test_an_enum_of_no_list_is_told() -> None:
    (error,) = read_tools("server.tool('x', { b: z.enum(2) }, run);")[1]
    assert error.message == "the values of an enum are a list"


def test_a_fault_in_a_schema_is_told_where_it_is_written() -> None:
    text = """const base = { city: { type: "strin" } };
const tools = [{ name: "get", description: "Gets.", input_schema: { type: "object", properties: { ...base, n: 5 } } }];
run(tools);"""
    assert [(error.line, error.column) for error in read_tools(text)[1]] == [(2, 111)]
    assert [(error.line, error.column) for error in read_tools(text.replace("n: 5", "n: {}"))[1]] == [(1, 31)]
