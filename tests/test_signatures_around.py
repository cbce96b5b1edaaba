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
