"""Python files as they are: what in them is a tool, what its host calls it, and what is passed over."""

from __future__ import annotations

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
        (MODULE, ["add(a: int, b: int)", "mul(a: int, b: int = 1)", "inner(c: str)"]),
        ("def f(a: int): ...\nsquare(side: int)\nneg(a): 'minus'\nadd(a)", ["f(a: int)", "square(side: int)", "neg(a: float)"]),
        ("load()\nf(a: int)", ["load()", "f(a: int)"]),
        ("def f(a: int)\nadd(a, b)", ["f(a: int)", "add(a: float, b: float)"]),
        ("import os\nclass A(BaseModel):\n    x: int\nTOOLS = [A]\nrun(A)", ["A(x: int)"]),
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
        ("\n>>> def f(): ...", 1, "a prompt of Python's shell among signatures; remove the prompts"),
        ("\ndef g[T](x: T)", 6, "the type parameters `[T]` aren't read; write `g(…)`, with a type in place"),
    ],
)
def test_what_is_no_statement_is_an_error(text: str, column: int, phrase: str) -> None:
    _, errors = read_tools(text)
    assert (errors[0].line, errors[0].column) == (2, column)
    assert phrase in str(errors[0])
