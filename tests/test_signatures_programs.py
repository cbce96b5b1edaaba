"""Tools that programs define as data, and functions that only help those that a decorator marks."""

from __future__ import annotations

from time import perf_counter

import pytest

from tooldec.signatures import format_of, parse_tools, read_tools

CITY = "{'type': 'object', 'properties': {'city': {'type': 'string', 'description': 'where'}}, 'required': ['city']}"
SERVER = f"""
from mcp.server import Server
app = Server("weather")

@app.list_tools()
async def list_tools() -> list[types.Tool]:
    return [types.Tool(name="get", description="Gets it.", inputSchema={CITY})]

@app.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
    return []
"""
COOKBOOK = f"""
client = OpenAI()

def get(city):
    return weather[city]

tools = [{{"type": "function", "function": {{"name": "get", "description": "Gets it.", "parameters": {CITY}, "strict": True}}}}]
answer = client.chat.completions.create(model="m", messages=messages, tools=tools)
"""


@pytest.mark.parametrize(
    "text",
    [
        SERVER,
        COOKBOOK,
        COOKBOOK.replace("def get(city):\n    return weather[city]\n", ""),
        f"Tool(name='get', title=None, description='Gets it.', inputSchema={CITY}, annotations=None)",
        f"[Tool(name='get', description='Gets it.', inputSchema={CITY})]",
        f"weather = FunctionDeclaration(name='get', description='Gets it.', parameters={CITY})",
        f"P = {CITY}\nTEXT = 'Gets'\nadd = Tool(name='get', description=TEXT + ' it.', parameters=P, function=f)\ndef f(): ...",
        f"def tools():\n    return [{{'name': 'get', 'description': 'Gets it.', 'input_schema': {CITY}}}]",
    ],
)
def test_tools_that_are_data_are_the_ones_that_a_model_is_shown(text: str) -> None:
    (tool,) = parse_tools(text)
    assert (tool.signature(), tool.description) == ("get(city: str)", "Gets it.")
    assert tool.parameters["properties"]["city"]["description"] == "where"
    line = text.split("\n")[(tool.line or 1) - 1]
    assert line[(tool.column or 1) - 1 :].startswith("get")


def test_a_member_of_an_enum_names_a_tool() -> None:
    text = f"class N(str, Enum):\n    G = 'get'\ndef f():\n    return [Tool(name=N.G, inputSchema={CITY})]"
    (tool,) = parse_tools(text)
    assert (tool.signature(), tool.line, tool.column) == ("get(city: str)", 4, 23)


MODEL = "class Get(BaseModel):\n    'Words of the class.'\n    city: str = Field(description='where')\n"
GOOGLES = "types.Schema(type='OBJECT', properties={'city': types.Schema(type=types.Type.STRING)}, required=['city'])"


@pytest.mark.parametrize(
    "schema",
    [
        *("Get.model_json_schema()", "Get.schema()", "TypeAdapter(Get).json_schema()", "to_strict_json_schema(Get)"),
        *("SCHEMA", "{**SCHEMA, 'required': ['city']}", GOOGLES),
    ],
)
def test_a_tool_that_is_data_may_have_its_schema_elsewhere_in_the_program(schema: str) -> None:
    constant = f"SCHEMA = {CITY}\n"
    for made in (
        f"def f():\n    return [Tool(name='get', inputSchema={schema}), Tool(name='put', inputSchema={{}})]",
        f"run(tools=[{{'type': 'function', 'function': {{'name': 'get', 'parameters': {schema}}}}}])",
        f"def f():\n    local = {schema}\n    return [Tool(name='get', parameters_json_schema=local)]"
        if schema.startswith("{")
        else f"FunctionDeclaration(name='get', parameters_json_schema={schema})",
    ):
        tools = parse_tools(f"{MODEL}{constant}{made}")
        assert [tool.signature() for tool in tools] == ["get(city: str)", *["put()"] * ("put" in made)]
        assert tools[0].description == "" and "title" not in tools[0].parameters


def test_a_class_that_contains_itself_is_a_schema_of_data() -> None:
    text = "class Tree(BaseModel):\n    kids: list['Tree']\nTool(name='grow', inputSchema=Tree.model_json_schema())"
    (tool,) = parse_tools(text)
    assert tool.parameters["properties"] == {"kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}
    assert tool.parameters["$defs"]["Tree"]["required"] == ["kids"]


def test_a_tool_that_is_no_plain_value_hides_no_other() -> None:
    text = "def f():\n  return [\n    Tool(name='a', inputSchema=A.schema()),\n    Tool(name='b', inputSchema={})]"
    tools, (error,) = read_tools(text)
    assert ([tool.name for tool in tools], error.line, error.column) == (["b"], 3, 32)
    assert "the class `A` isn't defined in this text; paste it with the program" in str(error)


DATA = "put_tool = {'name': 'put', 'parameters': {}}\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"@tool\ndef get(city: str): ...\ndef put(): ...\n{DATA}", ["get", "put"]),
        (f"def get(city: str): ...\ndef help(): ...\n{DATA}chat(tools=[get, put_tool])\nrun(x)", ["get", "put"]),
        (f"def get(city: str): ...\n{DATA}tools = [get, {{'name': 'b', 'parameters': {{}}}}]", ["get", "put", "b"]),
        (f"@tool\ndef put(city: str): ...\n{DATA}", ["put"]),
        (
            f"{DATA}class A:\n  def get(self, city: str): ...\n  def go(self):\n    run(tools=[self.get])",
            ["put", "get"],
        ),
        (f"def get(city: str): ...\nclient.put(x=1)\n{DATA}", ["put"]),
        ("def get(city): ...\nTool(name='put', parameters={}, function=get)", ["put"]),
    ],
)
def test_functions_that_are_made_tools_stand_beside_data(text: str, names: list[str]) -> None:
    assert [tool.name for tool in parse_tools(text)] == names


def test_what_is_no_plain_value_has_its_place() -> None:
    tools, (error,) = read_tools("def f():\n    return [Tool(name=NAMES.get, inputSchema=Get.model_json_schema())]")
    assert (tools, error.line, error.column) == ((), 2, 23)
    assert "`NAMES.get` isn't a literal value" in str(error)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@mcp.tool()\ndef a(x: int): ...\n\ndef helper(y: int): ...", ["a"]),
        ("@tool\ndef a(x: int): ...\n@mcp.resource('x://y')\ndef b(): ...\ndef _c(*args, **kwargs): ...", ["a"]),
        ("@cache\ndef a(x: int): ...\ndef b(): ...", ["a", "b"]),
        ("@tool\ndef a(x: int)\nb(y: int)", ["a", "b"]),
    ],
)
def test_where_some_functions_are_marked_the_others_help_them(text: str, names: list[str]) -> None:
    assert [tool.name for tool in parse_tools(text)] == names


@pytest.mark.parametrize(
    "text", ['[{"name": "a", "parameters": {}}]', "Tool(name: str)", "data: {'name': 'a', 'parameters': {}}"]
)
def test_what_only_looks_like_a_program(text: str) -> None:
    assert format_of(text) != "assigned"


def test_types_in_words_are_read_and_unknown_ones_are_any() -> None:
    text = """def f(a, b, c, d=1):
        \"\"\"F.

        Args:
            a (str or None): the a
            b (list of str): bs
            c (Thing): c
            d (Thing): d
        \"\"\"
    """
    (tool,) = parse_tools(text)
    assert tool.signature() == "f(a: str or null, b: list[str], c: any, d: float = 1)"


@pytest.mark.parametrize("text", ["function f({}): void {{}}", "interface A {{ {} }}\nfunction f(a: A): void {{}}"])
def test_a_comment_on_the_line_of_what_follows_is_about_that(text: str) -> None:
    (tool,) = parse_tools(text.format("/** the city */ city: string, /** the unit */ unit?: string"))
    properties = tool.parameters["properties"]
    properties = properties.get("a", {"properties": properties})["properties"]
    assert {name: one.get("description") for name, one in properties.items()} == {
        "city": "the city",
        "unit": "the unit",
    }


NODE = """import { Server } from "@modelcontextprotocol/sdk/server/index.js";
const openai = new OpenAI();
const tools = [{
  name: "get",
  description: "Gets it.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
}];
const answer = await openai.responses.create({ model: "m", input: [{ role: "user", content: "?" }], tools });
"""
HANDLER = """server.setRequestHandler(ListToolsRequestSchema, async () => {
  return { tools: [{ name: "get", description: "Gets it.", inputSchema: { properties: { city: { type: "string" } }, required: ["city"] } }] };
});
server.setRequestHandler(CallToolRequestSchema, async (request) => run(request.params.name, request.params.arguments));
"""
NAMED = """const NAME = "get";
server.tool(NAME, "Gets it.", { city: z.string() }, run);
"""


@pytest.mark.parametrize("text", [NODE, HANDLER, NAMED])
def test_a_program_of_typescript_with_plain_schemas_or_named_names(text: str) -> None:
    (tool,) = parse_tools(text)
    assert (tool.signature(), tool.description) == ("get(city: str)", "Gets it.")


def test_a_name_that_is_not_known_is_told() -> None:
    tools, (error,) = read_tools(NAMED + 'server.tool(NAMES.other, "d", { b: z.string() }, run);')
    assert [tool.name for tool in tools] == ["get"] and (error.line, error.column) == (3, 13)


@pytest.mark.parametrize("before", ["1  ", "1 | ", "+", "-", "> "])
def test_what_stands_before_each_line_is_no_part_of_a_name(before: str) -> None:
    tools, (error,) = read_tools(f"{before}def add(a: int): ...")
    assert tools == () and f"`{before.strip()}` stands before this signature" in str(error)
    assert error.replacement is None


def test_many_functions_with_data_of_their_own_are_quick() -> None:
    made = "    s = {{'type': 'object', 'properties': {{'a': {{'type': TEXT}}}}}}\n    return [Tool(name='f{}', inputSchema=s)]\n"
    text = "TEXT = 'string'\n" + "".join(f"def g{n}():\n{made.format(n)}" for n in range(2_000))
    start = perf_counter()
    tools = parse_tools(text)
    assert (len(tools), tools[-1].signature()) == (2_000, "f1999(a: str = null)")
    assert perf_counter() - start < 8
