"""Tools that a program makes of its functions and classes where they don't stand, as frameworks document it."""

from __future__ import annotations

import pytest

from tooldec.lint import check_tools
from tooldec.signatures import left_out, parse_tools, read_tools

DEFS = '''class In(BaseModel):
    a: int = Field(description="first")

def get(a: int) -> int:
    """Gets."""
    return a

async def aget(a: int) -> int:
    return a

def help_it(x): ...
'''


@pytest.mark.parametrize(
    ("making", "expected"),
    [
        ("t = StructuredTool.from_function(\n    func=get, name='G t', description='D.', args_schema=In, coroutine=aget)", ["G_t(a: int) D."]),
        ("t = FunctionTool.from_defaults(fn=get, name='g')", ["g(a: int) Gets."]),
        ("t = FunctionTool.from_defaults(get)", ["get(a: int) Gets."]),
        ("t = FunctionTool(get, description='D.')", ["get(a: int) D."]),
        ("t = FunctionTool(get, 'D.')", ["get(a: int) D."]),
        ("t = [Tool(name='Get', func=get, description='D.')]", ["Get(a: int) D."]),
        ("t = Tool('Get', get, 'D.')", ["Get(a: int) D."]),
        ("t = create_tool_from_function(get, name='g')", ["g(a: int) Gets."]),
        ("def main():\n    mcp.add_tool(get)", ["get(a: int) Gets."]),
        ("register_function(get, caller=a, executor=b, name='g', description='D.')", ["g(a: int) D."]),
        ("a.register_for_llm(name='g', description='D.')(get)", ["g(a: int) D."]),
        ("agent = Agent(tools=[get, WebSearchTool()])", ["get(a: int) Gets."]),
        ("tools: list = [get, Tool(aget, name='b')]", ["get(a: int) Gets.", "b(a: int) "]),
        ("a = [Tool(get, name='x'), Tool(get, name='y'), Tool(get, name='x')]", ["x(a: int) Gets.", "y(a: int) Gets."]),
        ("agent = create(llm.bind_tools([In]))", ["In(a: int) "]),
        ("N = 'n'\nt = Tool(name=N, func=get, description=N + 'o')", ["n(a: int) no"]),
        ("t = FunctionTool(name='g', description='D.', params_json_schema=In.model_json_schema(), on_invoke_tool=help_it)", ["g(a: int) D."]),
        ("# tools=[get]", ["get(a: int) Gets.", "aget(a: int) ", "help_it(x: float) "]),
    ],
)  # fmt: skip
def test_one_tool_is_made_of_a_function_and_what_is_said_there_counts(making: str, expected: list[str]) -> None:
    assert [f"{tool.signature()} {tool.description}" for tool in parse_tools(f"{DEFS}{making}\n")] == expected


CONSTANTS = '''NAME = "web_search"
WORDS = """Searches.

All of it."""
'''


@pytest.mark.parametrize(
    ("decorator", "name", "description"),
    [
        ("tool(NAME, description=WORDS)", "web_search", "Searches.\n\nAll of it."),
        ("mcp.tool(name='a_' + 'b', description=f'The {NAME}.')", "a_b", "The web_search."),
        ("tool(description=textwrap.dedent('''\n    It.\n    '''))", "f", "It."),
        ("tool('Name of my tool')", "Name_of_my_tool", "D."),
        ("tool(registry)", "f", "D."),
    ],
)
def test_constants_say_names_and_descriptions(decorator: str, name: str, description: str) -> None:
    (tool,) = parse_tools(f"{CONSTANTS}@{decorator}\ndef f(q: str):\n    'D.'")
    assert (tool.name, tool.description) == (name, description)


def test_a_constant_that_is_not_known_is_an_error() -> None:
    _, (error,) = read_tools("@tool(OTHER)\ndef f(): ...")
    assert (error.line, error.column) == (1, 7) and "the name of this tool is `OTHER`" in str(error)


AGENCY = '''class Address(BaseModel):
    street: str

class SendMail(BaseTool):
    """Sends."""
    address: Address = Field(..., description="where")
    count: int = 3
    class ToolConfig:
        one_call_at_a_time = True
    @field_validator("count")
    def check(cls, value): return value
    def run(self):
        """Runs."""

class Read(BaseTool):
    path: str
    def run(self): ...

def helper(x): ...
'''
INHERITED = """class Base(BaseModel):
    a: int
class Order(Base):
    b: int
    def total(self): return self.a
@function_tool
def f(order: Order): ...
"""
FILLED = """class Search(BaseTool):
    name = "search"
    def _run(self, query: str, run_manager=None): ...
"""


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        (AGENCY, ["SendMail(address: {street: str}, count: int = 3)", "Read(path: str)"]),
        (INHERITED, ["f(order: {a: int, b: int})"]),
        (FILLED, ["search(query: str)"]),
        ("class Now(BaseTool):\n    def run(self): ...", ["Now()"]),
        ("class Add(BaseTool):\n    x: int\n    def run(self, y: int): ...", ["Add(y: int)"]),
    ],
)
def test_classes_that_are_tools_and_classes_of_data(text: str, signatures: list[str]) -> None:
    assert [tool.signature() for tool in parse_tools(text)] == signatures


@pytest.mark.parametrize(
    ("line", "description"),
    [
        ("get(a: int) -> str: Gets the city's weather, now.", "Gets the city's weather, now."),
        ("def get(a: int): Says \"it\".", 'Says "it".'),
        ("get(a: int): it", "it"),
        ("get(a: int) -> dict[str, int] - It's so.", "It's so."),
        ("get(a: int) - So.", "So."),
        ("get(a: int) -> str - So., args: {'a': {'title': 'A', 'type': 'integer'}}", "So."),
        ("- `get(a: int)`: So.", "So."),
        ("* **get(a: int)** - So.", "So."),
        ("1. `get(a: int) -> str`: So.", "So."),
        ("def get(a: int): return [\n    a]", ""),
        ("def get(a: int): pass", ""),
        ("def get(a: int): ...", ""),
        ("def get(a: int): raise ValueError('So.')", ""),
    ],
)  # fmt: skip
def test_words_behind_a_signature_describe_it(line: str, description: str) -> None:
    for text in (line, f"{line}\n{line.replace('get(', 'put(')}"):
        tool, *others = parse_tools(text)
        assert (tool.signature(), tool.description, len(others)) == ("get(a: int)", description, "put(" in text)


def test_functions_that_are_left_out_are_told() -> None:
    (hint,) = (one for one in check_tools(AGENCY).findings if one.code == "H103")
    assert (hint.severity, hint.line, hint.column) == ("hint", 19, 5)
    assert hint.message.startswith(
        "one function isn't a tool, since only others are marked or listed as tools: `helper`"
    )
    assert left_out("def f(): ...\ndef g(): ...") == ()


@pytest.mark.parametrize(
    ("given", "signature"),
    [
        ('{"name": str, "times": int}', "greet(name: str, times: int)"),
        ('{"name": Annotated[str, "who"], "tone": Literal["warm", "dry"]}', "greet(name: str, tone: warm|dry)"),
        ('{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}', "greet(n: int)"),
        ("{}", "greet()"),
        ("TYPES", "greet(q: str)"),
    ],
)
def test_arguments_may_be_given_beside_the_name(given: str, signature: str) -> None:
    text = f'TYPES = {{"q": str}}\n@tool("greet", "Greets.", {given})\nasync def greet(args: dict[str, Any]): ...\n'
    (tool,) = parse_tools(text)
    assert (tool.signature(), tool.description) == (signature, "Greets.")


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ('@tool("f", "F.", {"a": strr})\ndef f(args): ...', 24, "unknown type `strr`"),
        ('@tool("f", "F.", {"type": "object", "properties": {"a": 5}})\ndef f(args): ...', 18, "this is no schema of an object"),
        ('@tool("f", "F.", {A: str})\ndef f(args): ...', 18, "the names of these arguments aren't known here"),
        ('def f(x): ...\nt = [Tool(name="F", func=f), Tool(name="G", func=chain.run)]', 30, "the function of the tool `G` isn't defined in this text"),
        ("def f(x): ...\nFunctionTool(params_json_schema=B.model_json_schema(), on_invoke_tool=f)", 33, "the class `B` isn't defined in this text"),
    ],
)  # fmt: skip
def test_what_is_given_and_cant_be_read_is_shown_there(text: str, column: int, message: str) -> None:
    (error,) = read_tools(text)[1]
    assert (error.column, error.message) == (column, message)


def test_all_that_a_given_schema_says_is_kept() -> None:
    schema = '{"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"enum": [1, 2]}}, "minProperties": 1}'
    (tool,) = parse_tools(f'@tool("f", "F.", {schema})\ndef f(args): ...')
    assert (tool.parameters["$defs"], tool.parameters["minProperties"]) == ({"A": {"enum": [1, 2]}}, 1)


def test_sums_of_very_many_texts_break_nothing() -> None:
    words = "+".join(['"a"'] * 500)
    assert len(parse_tools(f"@tool('f', description={words})\ndef f(a: int): ...")) == 1
    (error,) = read_tools(f"Tool(name={words}, func=f)\ndef f(a: int): ...")[1]
    assert "isn't known here" in error.message
    tools, errors = read_tools(f"tools = [{{'name': 'f', 'description': {words}, 'parameters': {{}}}}]\nrun(tools)")
    assert len(tools) + len(errors) == 1


AUTOGEN = """class AddArgs(BaseModel):
    a: int
class AddTool(BaseTool[AddArgs, AddResult]):
    def __init__(self):
        super().__init__(AddArgs, AddResult, "add", "Adds.")
    async def run(self, args: AddArgs, cancellation_token: CancellationToken) -> AddResult: ...
"""
NAMED = AUTOGEN.replace('AddArgs, AddResult, "add", "Adds."', 'args_type=AddArgs, name="add", description="Adds."')
SPEC = """class Wiki(BaseToolSpec):
    spec_functions = LIST
    def load(self, page: str): ...
    async def aload(self, page: str): ...
    def help(self, x): ...
    def search(self, query: str): ...
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (AUTOGEN, ["add(a: int) Adds."]),
        (NAMED, ["add(a: int) Adds."]),
        (AUTOGEN.replace("args: AddArgs", "b: str"), ["add(b: str) Adds."]),
        (SPEC.replace("LIST", '["load", "search"]'), ["load(page: str) ", "search(query: str) "]),
        (SPEC.replace("LIST", '[("load", "aload")]'), ["load(page: str) "]),
        (
            SPEC.replace("LIST", "names()"),
            ["load(page: str) ", "aload(page: str) ", "help(x: float) ", "search(query: str) "],
        ),
        (
            "class A(BaseModel):\n  'D.'\n  x: int\nclass B(BaseModel):\n  a: A\n"
            "tools = [openai.pydantic_function_tool(A, name='get', description='Gets.'), pydantic_function_tool(B)]",
            ["get(x: int) Gets.", "B(a: {x: int}) "],
        ),
    ],
)
def test_what_classes_say_of_their_tools(text: str, expected: list[str]) -> None:
    assert [f"{tool.signature()} {tool.description}" for tool in parse_tools(text)] == expected


OPTIONS = "class Options(TypedDict, total=False):\n    limit: Required[int]\n    sort: str\n"


def test_fields_of_a_typed_dict_may_be_further_arguments() -> None:
    (tool,) = parse_tools(f"{OPTIONS}def f(query: str, **more: Unpack[Options]): ...")
    assert tool.signature() == "f(query: str, limit: int, sort: str = null)"
    for type, message in (("Unpack[int]", "`int` has no fields"), ("Unpack[Other]", "unknown type `Other`")):
        _, (error,) = read_tools(f"{OPTIONS}def f(query: str, **more: {type}): ...")
        assert (error.line, error.column) == (4, 34) and message in str(error)
    _, (error,) = read_tools(f"{OPTIONS}def f(limit: str, **more: Unpack[Options]): ...")
    assert "`Options` has no fields that could be further arguments here" in str(error)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("search = Search()\nt = [Tool(name='Find', func=search.run, description='D')]", ["2:6 the function of the tool `Find`"]),
        ("tools = load([1])\nfind = Find()\na = Agent(tools=[find, x.Calc()])", ["3:18 the function of the tool `find`"]),
        ("from x import A, B\na = Agent(tools=[A, B()])", ["2:18 the function of the tool `A`", "2:21 the function of the tool `B`"]),
        ("t = FunctionTool(get, description='D.')", ["1:5 the function of the tool `get`"]),
        ("search = Search()", ["1:1 no tools in this text"]),
        ("f(a)\nx = 1", ["2:1 `x = 1` isn't a signature"]),
        ("def f(a: int): ...\na = Agent(tools=[f, search])", []),
    ],
)  # fmt: skip
def test_tools_of_elsewhere_are_told_where_they_stand(text: str, expected: list[str]) -> None:
    _, errors = read_tools(text)
    assert [
        f"{error.line}:{error.column} {error}".replace(f"{error.place}: ", "")[: len(one)]
        for one, error in zip(expected, errors, strict=True)
    ] == expected


REGISTER = """def register(mcp: FastMCP) -> None:
    \"\"\"Registers.\"\"\"
    @mcp.tool(name="now")
    def now_() -> str:
        \"\"\"Now.\"\"\"
    def help_it(a): ...
    @mcp.tool()
    async def get(city: str) -> str: ...
    return 1
"""
SERVER = """class Server:
    def __init__(self):
        @self.mcp.tool()
        def now() -> str: ...
    def register(self):
        @self.mcp.tool()
        async def get(city: str) -> str: ...
"""
OVERLOADED = """@overload
def get(city: str) -> int: ...
@typing.overload
async def get(city: int) -> str: ...
def get(city: str | int): ...
"""


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        (REGISTER, ["now()", "get(city: str)"]),
        (SERVER, ["now()", "get(city: str)"]),
        ("def serve():\n    @server.list_tools()\n    def list_tools(): ...\n    @server.call_tool()\n    def call(n): ...", ["serve()"]),
        ("def f(a: int):\n    @cache\n    def g(b): ...", ["f(a: int)"]),
        ("@tool\ndef f(a: int): ...\n@tool_output_guardrail\ndef g(d: Data): ...\n@wrap_tool_call\ndef h(r: R, c: Callable): ...", ["f(a: int)"]),
        (OVERLOADED, ["get(city: str or int)"]),
        (OVERLOADED.replace("def get(city: str | int): ...", ""), ["get(city: int)"]),
        ("Tool.from_schema(function=f, name='add', json_schema={'type': 'object', 'properties': {'a': {'type': 'integer'}}})\ndef f(**more): ...", ["add(a: int = null)"]),
    ],
)  # fmt: skip
def test_functions_inside_of_others_and_several_of_one_name(text: str, signatures: list[str]) -> None:
    assert [tool.signature() for tool in parse_tools(text)] == signatures


def test_a_docstring_says_choices_as_transformers_reads_them() -> None:
    lines = 'unit: The unit. (choices: ["c", "f"])\n        n: How many (choices: [1, 2])\n        x: Any (choices: [)'
    (tool,) = parse_tools(f'def f(unit: str, n, x: str):\n    """F.\n\n    Args:\n        {lines}\n    """')
    unit, n, x = tool.parameters["properties"].values()
    assert unit == {"type": "string", "enum": ["c", "f"], "description": "The unit."}
    assert n == {"type": "integer", "enum": [1, 2], "description": "How many"}
    assert x == {"type": "string", "description": "Any (choices: [)"}


def test_a_list_of_tools_made_of_code_is_told() -> None:
    _, (error,) = read_tools("tools = [Tool(name='add', func=lambda x: x + 1, description='D.')]")
    assert (error.line, error.column) == (1, 10)
    assert "the function of the tool `add` isn't defined in this text" in str(error)


EXAMPLE = """Shortens what tools return.

    ```python
    @tool
    def read_back(path: str) -> str:
        '''Reads it again: doesn't change it.'''

    agent = Agent(tools=[web_search, Tool(name="x", func=far.away)])
    ```

    It isn't the model's.
    """


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        (f'class Hook:\n    r"""{EXAMPLE}"""\n    def run(self, a: int): ...\n', "run(a: int)"),
        (f'def run(a: int):\n    """{EXAMPLE}"""\n    return a\n', "run(a: int)"),
        (f'def main(a: int):\n    """{EXAMPLE}"""\n    @tool\n    def get(b: str): ...\n', "get(b: str)"),
        (f'"""{EXAMPLE}"""\n@tool\ndef run(a: int): ...\n', "run(a: int)"),
    ],
)
def test_examples_in_docstrings_are_no_tools(text: str, signature: str) -> None:
    assert [tool.signature() for tool in parse_tools(text)] == [signature]


SCHEMA = '{"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}'


@pytest.mark.parametrize(
    "text",
    [
        f'StructuredTool(name="send", description="Sends.", func=lambda **_: "sent", args_schema={SCHEMA})',
        f'FunctionTool(name="send", description="Sends.", params_json_schema={SCHEMA}, on_invoke_tool=elsewhere)',
        'class Send(BaseModel):\n    to: str\nStructuredTool(name="send", description="Sends.", coroutine=f, args_schema=Send)',
        f'S = {SCHEMA}\ndef test():\n    def run(c): ...\n    Tool(name="send", description="Sends.", func=run, args_schema=S)',
    ],
)
def test_a_tool_whose_arguments_are_said_needs_no_function(text: str) -> None:
    assert [(tool.signature(), tool.description) for tool in parse_tools(f"{text}\n")] == [("send(to: str)", "Sends.")]
