"""Code as documents show it: behind the prompts of a shell, in several fences of Markdown."""

from __future__ import annotations

import pytest

from tooldec.signatures import parse_tools, read_tools

PYTHON = """
>>> @tool
... def add(a: int) -> int:
...     \"\"\"Adds.

...     More.
...     \"\"\"
...     return a
...
>>> add(1)
2
>>> def helper(x): ...
"""
IPYTHON = """In [1]: @tool
   ...: def add(a: int) -> int:
   ...:     \"\"\"Adds.
   ...: 
   ...:     More.
   ...:     \"\"\"
   ...: 

In [2]: add(1)
Out[2]: 2
"""
MARKDOWN = """# Tools

```python
@tool
def add(a: int) -> int:
    \"\"\"Adds.

    More.
    \"\"\"
```

Now run `add`:

```bash
pip install x
python run.py
```

```text
add(2) -> import x
```
"""


@pytest.mark.parametrize("text", [PYTHON, IPYTHON, MARKDOWN, f"```python\n{PYTHON}```\n"])
def test_code_is_read_where_a_document_shows_it(text: str) -> None:
    (tool,) = parse_tools(text)
    assert (tool.signature(), tool.description) == ("add(a: int)", "Adds.\n\nMore.")
    assert text.split("\n")[(tool.line or 1) - 1][(tool.column or 1) - 1 :].startswith("add(")


def test_a_fence_for_a_shell_alone_is_read() -> None:
    assert [tool.name for tool in parse_tools("```text\nadd(a: int)\n```")] == ["add"]


def test_a_prompt_among_signatures_is_an_error() -> None:
    tools, errors = read_tools("def f(): ...\n>>> def g(): ...")
    assert [tool.name for tool in tools] == ["f"] and "a prompt of Python's shell" in str(errors[0])


ANSWER = """Sure! Here's an example of a tool. It's what you'd
expect from a calculator:

from langchain.tools import tool

@tool
def add(a: int, b: int) -> int:
    \"\"\"Adds.\"\"\"
    return a + b

**How it works:**

- `a` and `b` are the numbers
- Returns the sum (an integer)

1. **Decorator**: the `@tool` decorator registers it
2. Call it with `add.invoke({"a": 1, "b": 2})`

Usage:

print(add.invoke({"a": 1, "b": 2}))

Enjoy! 😊
"""
ANSWER_TS = """Here's the function (it's short):

/** Adds. */
function add(a: number, b: number): number { return a + b; }

It adds two numbers, doesn't it? Don't worry.
"""
PROMPT = "You may call these tools:\n- add(a: int, b: int): Adds.\nUse them."


@pytest.mark.parametrize("text", [ANSWER, ANSWER_TS, PROMPT, ANSWER.replace("@tool\n", "")])
def test_sentences_around_bare_code_are_passed_over(text: str) -> None:
    (tool,) = parse_tools(text)
    assert (tool.name, list(tool.parameters["properties"]), tool.description) == ("add", ["a", "b"], tool.description)
    assert tool.description.startswith("Adds")


@pytest.mark.parametrize(
    ("text", "line", "phrase"),
    [
        ("Hello there, how are you?\nI am fine.", 1, "`Hello there, how are you?` isn't a signature"),
        ("def f(a: int)\nSearch(query: str: Finds things.", 2, "this `(` is never closed"),
        ('"""Weather of a city.\n\n    Args:\n        city (str): where', 1, "isn't a signature"),
        ("def f(a: int)\nSearch (query: str) finds things.", 2, "unexpected `finds things.` after the signature"),
        ("def f(a: int)\nhere be dragons.", 2, "`here be dragons.` isn't a signature"),
        ("Here it is.\ninterface A { a: string }\nfunction f(a: A): void;\nlet us see", 0, ""),
    ],
)
def test_what_is_no_sentence_beside_signatures_is_an_error(text: str, line: int, phrase: str) -> None:
    _, errors = read_tools(text)
    assert [error.line for error in errors] == [line] * bool(line)
    assert all(phrase in str(error) for error in errors)


@pytest.mark.parametrize(
    "text",
    [
        'def now(zone: Annotated[str, Field(description=f"a zone, {HERE} by default")]): ...',
        'TOOLS = [{"name": "now", "inputSchema": {"type": "object", "required": ["zone"], "properties": '
        '{"zone": {"type": "string", "description": f"a zone, {HERE} by default"}}}}]',
    ],
)
def test_words_that_a_run_puts_together_are_as_far_as_they_are_known(text: str) -> None:
    (tool,) = parse_tools(text)
    zone = {"type": "string", "description": "a zone, {HERE} by default"}
    assert tool.parameters == {"type": "object", "properties": {"zone": zone}, "required": ["zone"]}
