"""Python files as they are: what in them is a tool, what its host calls it, and what is passed over."""

from __future__ import annotations

from typing import Any

import pytest

from tooldec.signatures import parse_tools, read_tools

MODULE = '''"""Tools of a server."""
from mcp.server.fastmcp import FastMCP

app = FastMCP("x")
setup_logging(level="INFO")
try:
    import rich
except ImportError:
    rich = None

@app.tool()
def add(a: int, b: int): """Adds."""; log(a); return a + b

def mul(
    a: int,
    b: int = 1) -> int:
    return a * b

TOOLS: list = []; TOOLS.append(add)
for tool in TOOLS: print(tool)
match TOOLS:
    case 1: print(1)
if __name__ == "__main__":
    app.run(transport="stdio")
    def inner(c: str): ...
'''


@pytest.mark.parametrize(
    ("text", "signatures"),
    [
        (MODULE, ["add(a: int, b: int)"]),
        (MODULE.replace("@app.tool()", ""), ["add(a: int, b: int)", "mul(a: int, b: int = 1)", "inner(c: str)"]),
        ("def f(a: int): ...\nsquare(side: int)\nneg(a): 'minus'\nadd(a)", ["f(a: int)", "square(side: int)", "neg(a: float)"]),
        ("load()\nf(a: int)", ["load()", "f(a: int)"]),
        ("def f(a: int)\nadd(a, b)", ["f(a: int)", "add(a: float, b: float)"]),
        ("import os\nclass A(BaseModel):\n    x: int\nTOOLS = [A]\nrun(A)", ["A(x: int)"]),
        ("Mode = Literal['a', 'b']\n@tool\ndef f(m: Mode): ...", ["f(m: a|b)"]),
        ("1. f(a: int)\n2. def g()\n  - h(b: str)\n* k()", ["f(a: int)", "g()", "h(b: str)", "k()"]),
    ],
)  # fmt: skip
def test_statements_of_a_module_are_no_tools(text: str, signatures: list[str]) -> None:
    assert [tool.signature() for tool in parse_tools(text)] == signatures


@pytest.mark.parametrize(
    ("text", "column", "phrase"),
    [
        ("def f(): ...\n[{'name': 'a'}]", 1, "one format at a time"),
        ("def f(): ...\n!pip install x", 1, "isn't a signature"),
        ("def f(): ...\n>>> def g(): ...", 1, "a prompt of Python's shell among signatures; remove the prompts"),
        ("\ndef g[T](x: T)", 6, "the type parameters `[T]` aren't read; write `g(…)`, with a type in place"),
    ],
)
def test_what_is_no_statement_is_an_error(text: str, column: int, phrase: str) -> None:
    _, errors = read_tools(text)
    assert (errors[0].line, errors[0].column) == (2, column)
    assert phrase in str(errors[0])


@pytest.mark.parametrize(
    ("annotation", "proposed"),
    [
        ("flaot", "float"),
        ("Int", "int"),
        ("Lst[int]", "list"),
        ("litteral['a']", "Literal"),
        ("list(str)", "list[str]"),
        ("{str: int}", "dict[str, int]"),
        *(
            (name, None)
            for name in ("Image", "pd.DataFrame", "np.ndarray", "Location", "Type[BaseModel]", "data", "Flat")
        ),
        *((name, None) for name in ("Final", "conint(of=2)", "frame", "Callable[[int], str]", "list(max=3)")),
    ],
)
def test_only_slips_of_the_pen_are_mended(annotation: str, proposed: str | None) -> None:
    _, (error,) = read_tools(f"def f(x: {annotation}): ...")
    assert error.replacement == proposed
    assert error.column == 10 + annotation.find("2") * ("con" in annotation)


FILLED = (
    *("ctx: Context", "ctx: Context | None = None", "w: RunContextWrapper[Any]", "c: 'Optional[ToolContext]' = None"),
    *("s: Annotated[dict, InjectedState]", "s: Annotated[BaseStore, InjectedStore()]", "db=Depends(get_db)"),
    *("s: Annotated[Stock, Resolve(look_up)]", "s: Annotated[ElicitationResult[Confirm], Resolve(ask)]"),
)


@pytest.mark.parametrize("parameter", FILLED)
def test_what_the_framework_fills_is_no_argument(parameter: str) -> None:
    name = parameter.split(":")[0].split("=")[0]
    docstring = f'"""F.\n\n    Args:\n        a: it\n        {name}: of the server\n    """'
    (tool,) = parse_tools(f"def f(a: int, *, {parameter}):\n    {docstring}")
    assert (tool.signature(), tool.description) == ("f(a: int)", "F.")


def test_what_the_framework_fills_may_be_imported_under_another_name() -> None:
    given = "from mcp_agent.core.context import (\n    Context as AppContext,\n)\n"
    (tool,) = parse_tools(f"{given}@app.tool\ndef f(a: int, ctx: AppContext | None = None): ...")
    assert tool.signature() == "f(a: int)"
    (tool,) = parse_tools('def f(a: int):\n    """Takes what it is given, from import on, with Context as int."""')
    assert tool.signature() == "f(a: int)"


def test_a_type_of_the_text_is_an_argument_whatever_its_name() -> None:
    (tool,) = parse_tools("class Context(BaseModel):\n    a: int\ndef f(ctx: Context): ...")
    assert tool.signature() == "f(ctx: {a: int})"


UNIT = 'class Unit(str, Enum):\n    C = "celsius"\n    F = "fahrenheit"\n'


@pytest.mark.parametrize(
    ("parameter", "default"),
    [
        ("x: Unit = Unit.C", "celsius"),
        ("x: Unit = Unit.F.value", "fahrenheit"),
        ("x: str = Unit.F.name", "F"),
        ("x: Unit = Unit('celsius')", "celsius"),
        ("x: Unit = Field(default=Unit.C, description='in')", "celsius"),
        ("x: list[Unit] = [Unit.C, Unit.F]", ["celsius", "fahrenheit"]),
        ("x=Unit.C", "celsius"),
    ],
)
def test_members_of_enums_are_defaults(parameter: str, default: Any) -> None:
    for text in (f"{UNIT}def f({parameter}): ...", f"{UNIT}class A(BaseModel):\n    {parameter}"):
        if ":" in parameter or "def" in text:
            assert parse_tools(text)[0].parameters["properties"]["x"]["default"] == default
    (flag,) = parse_tools("class P(IntFlag):\n  A = auto()\n  B = auto()\n  C = auto()\ndef f(p: P = P.C): ...")
    assert flag.parameters["properties"]["p"]["default"] == 4


@pytest.mark.parametrize(
    ("default", "message"),
    [("Unit.K", "`Unit` has no member `K`; use C, F"), ("Unit('k')", "`Unit` has no value `'k'`; use 'celsius', 'fahrenheit'")],
)  # fmt: skip
def test_unknown_members_of_enums_are_errors(default: str, message: str) -> None:
    _, (error,) = read_tools(f"{UNIT}def f(x: Unit = {default}): ...")
    assert (error.line, error.column) == (4, 17)
    assert message in str(error)


def test_docstrings_of_numpy_say_choices_and_two_names_at_once() -> None:
    rows = {
        "c : {'x', 'y'}, default: 'x'": "C.",
        "d : {'x', 'y'}": "D.",
        "e : {'x', 'y'}, optional": "E.",
        "rate, method : float": "Both.",
    }
    section = "".join(f"    {row}\n        {text}\n" for row, text in rows.items())
    head = "def f(c='x', d: str = 'y', e: str = 'q', rate=1, method: int = 2):"
    (tool,) = parse_tools(f'{head}\n    """F.\n\n    Parameters\n    ----------\n{section}    """')
    found = tool.parameters["properties"]
    assert tool.description == "F."
    assert found["c"] == {"type": "string", "enum": ["x", "y"], "default": "x", "description": "C."}
    assert found["d"] == {"type": "string", "enum": ["x", "y"], "default": "y", "description": "D."}
    assert found["e"] == {"type": "string", "default": "q", "description": "E."}, "its default is no such choice"
    assert found["rate"] == {"type": "number", "default": 1, "description": "Both."}
    assert found["method"] == {"type": "integer", "default": 2, "description": "Both."}


SMOLAGENTS = '''class Downloads(Tool):
    name = "download_counter"
    description = """
    Counts them.
    """
    inputs = {"task": {"type": "string", "description": "which", "nullable": True}, "n": {"type": "integer"}}

    def setup(self): ...
    def forward(self, task=None, n=3): ...
'''
LANGCHAIN = """class In(BaseModel):
    q: str = Field(description="what")
class Search(BaseTool):
    name: str = "search it"
    description: str = "Searches."
    args_schema: Type[BaseModel] = In
    def _run(self, **given): ...
"""
PLUGIN = """class Weather:
    unit = 3
    @kernel_function(name="get_forecast", description="Gets it.")
    def forecast(self, city: str): ...
    def now(self): ...
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@tool('search-tool', return_direct=True)\ndef search(q: str):\n    'Looks.'", ["search-tool(q: str) Looks."]),
        ("@mcp.tool(\n  # ä\n  description='G', name='get')\n@cached(1)\ndef f():\n    'D.'", ["get() G"]),
        ("@function_tool(name_override='a', description_override='A.')\nasync def f(): ...", ["a() A."]),
        ("@app.get('/x', name='y')\ndef f(): ...\n@tool(name=None)\ndef g(): ...", ["g() "]),
        ("@tool('(')\ndef f(): ...", ["f() "]),
        (SMOLAGENTS, ["download_counter(task: str or null = null, n: int = 3) Counts them."]),
        (LANGCHAIN, ["search_it(q: str) Searches."]),
        (f"{LANGCHAIN}@tool(args_schema=In)\ndef g(**given):\n    'G.'", ["search_it(q: str) Searches.", "g(q: str) G."]),
        (PLUGIN, ["get_forecast(city: str) Gets it."]),
    ],
)  # fmt: skip
def test_a_host_is_told_names_and_descriptions_beside_the_signature(text: str, expected: list[str]) -> None:
    tools = parse_tools(text)
    assert [f"{tool.signature()} {tool.description}" for tool in tools] == expected
    for tool in tools:
        assert tool.line is not None and tool.column is not None
        line = text.splitlines()[tool.line - 1][tool.column - 1 :]
        assert line.startswith(tool.parameters.get("title", tool.name))


def test_descriptions_of_parameters_stay_beside_a_description_of_the_tool() -> None:
    (tool,) = parse_tools("@tool(description='T.')\ndef f(a: int):\n    '''D.\n\n    Args:\n        a: it\n    '''")
    assert (tool.description, tool.parameters["properties"]["a"]["description"]) == ("T.", "it")
    assert parse_tools(SMOLAGENTS)[0].parameters["properties"]["task"]["description"] == "which"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class Add:\n    'Adds.'\n    def __call__(self, a: int): ...", ["Add(a: int) Adds. 1:7"]),
        ("class Add:\n    def __init__(self, x): ...\n    def __call__(self, a: int):\n        'D.'", ["Add(a: int) D. 1:7"]),
        ("class Search(BaseTool):\n    description = 'S.'\n    def _run(self, q: str): ...", ["Search(q: str) S. 1:7"]),
        ("class A:\n    x: int\n    def _helper(self, y: str): ...", ["A(x: int)  1:7"]),
        ("@dataclass\nclass A:\n    x: int\n    def __call__(self, y: str): ...", ["A(x: int)  2:7"]),
        ("class A:\n    @property\n    def b(self): ...\n    @b.setter\n    def b(self, v): ...\n    def f(self, x: int): ...", ["f(x: int)  6:9"]),
        ("class A:\n    @functools.cached_property\n    def b(self): ...\n    def __call__(self, x: str): ...", ["A(x: str)  1:7"]),
        ("class A:\n    x: int\n    @property\n    def b(self): ...", ["A(x: int)  1:7"]),
        ("    @property\n    def b(self): ...\n    @tool\n    def f(self): ...", ["f()  4:9"]),
    ],
)  # fmt: skip
def test_what_of_a_class_is_a_tool(text: str, expected: list[str]) -> None:
    tools = parse_tools(text)
    assert [f"{tool.signature()} {tool.description} {tool.line}:{tool.column}" for tool in tools] == expected


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("def f(a, b):\n    # type: (int, str) -> None\n    'D.'", "f(a: int, b: str)"),
        ("def f(a, b=3):  # type: (int, str) -> None\n    pass", "f(a: int, b: str = 3)"),
        ("def f(a,  # type: str\n      b=None,  # type: Optional[int]\n      ): ...", "f(a: str, b: int or null = null)"),
        ("def f(\n    a,  # type: P\n):\n    # type: (...) -> None\n    pass\nclass P:\n    x: int", "f(a: {x: int})"),
        ("class A:\n    def f(self, a, *b):\n        # type: (int, *str) -> None\n        'D.'", "f(a: int, *b: str)"),
        ("def f(ctx, a):\n    # type: (Context, int) -> None  # noqa\n    pass", "f(a: int)"),
        ("def f(a: int, b):\n    # type: (str, str) -> None\n    pass", "f(a: int, b: str)"),
        ("def f(a,  # type: ignore\n      b,  # type: which one it is\n      c): ...", "f(a: float, b: float, c: float)"),
        ("def f(\n    # type: not behind a parameter\n    a): ...", "f(a: float)"),
    ],
)  # fmt: skip
def test_types_in_comments(text: str, signature: str) -> None:
    assert parse_tools(text)[0].signature() == signature


def test_a_name_that_is_not_in_quotes_is_an_error() -> None:
    _, (error,) = read_tools("class P:\n    @kernel_function(name=f'{NAME}_x')\n    def c(self): ...")
    assert (error.line, error.column) == (2, 27)
    assert "the name of this tool is `f'{NAME}_x'`, which isn't known here; write the name itself" in str(error)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('def now(): "time"\nadd(a, b)\nsub(a, b=3)', ["now", "add", "sub"]),
        ("import math\ndef add(a, b)\nmul(a, b)", ["add", "mul"]),
        ("@tool\ndef add(a: int, b: int)\nmul(a, b)", ["add", "mul"]),
        ("def main(): pass\nmain()", ["main"]),
    ],
)
def test_bare_signatures_beside_definitions_are_no_statements(text: str, names: list[str]) -> None:
    assert [tool.name for tool in parse_tools(text)] == names


@pytest.mark.parametrize(
    ("text", "default"),
    [
        ("class P(IntFlag):\n    R = 1 << 0\n    W = 1 << 1\ndef f(p: P = P.R): ...", None),
        ('class E(Enum):\n    A: str = "a"\n    B = "b"\ndef f(e: E = E.A): ...', "a"),
        ("class E(Enum):\n    A = B = 1\ndef f(e: E = E.B): ...", 1),
    ],
)
def test_members_of_all_kinds_of_enums_are_defaults(text: str, default: object) -> None:
    (tool,) = parse_tools(text)
    assert tool.arguments[0].schema.get("default") == default and not tool.arguments[0].required
