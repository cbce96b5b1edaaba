"""Tools with something around them: prompts, requests, streams, fences; read where they stand, or told what is wrong."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from tooldec.signatures import format_of, parse_tools, read_tools


def function(name: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"x": {"type": "string"}}}
    return {"type": "function", "function": {"name": name, "description": "D.", "parameters": schema}}


A, B = json.dumps(function("a")), json.dumps(function("b"))
QWEN = f"""# Tools

You may call one or more functions to assist with the user query:
<tools>
{A}
{B}
</tools>

For each function call, return a json object within <tool_call></tool_call> XML tags:
<tool_call>
{{"name": <function-name>, "arguments": <args-json-object>}}
</tool_call>"""
HERMES = f"""You are a function calling AI model. Here are the tools: <tools> [{A}, {B}] </tools> Use this model:
{{"title": "FunctionCall", "type": "object", "properties": {{"name": {{"type": "string"}}}}, "required": ["name"]}}"""
LLAMA = f"""Respond in the format {{"name": function name, "parameters": dictionary of argument name and its value}}.

{json.dumps(function("a"), indent=4)}

{json.dumps(function("b"), indent=4)}

What is up?"""
MISTRAL = f"[AVAILABLE_TOOLS] [{A}, {B}][/AVAILABLE_TOOLS][INST] What is up? [/INST]"
MCP = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": n, "inputSchema": {}} for n in "ab"]}})
BODY = json.dumps({"model": "m", "messages": [{"role": "user"}], "tools": [function("a"), function("b")]}, indent=2)
CURL = f"""curl https://api.example.com/v1 \\
  -H "Authorization: Bearer $KEY" \\
  -d '{BODY}'"""
FENCES = f"1. First\n\n   ```json\n   {A}\n   ```\n2. ~~~\n{B}\n~~~\n"
YAML = "version: 1\nmodel: m\ntools:\n  - name: a\n  - name: b\n"
ANCHOR = "base: &base\n  type: object\ntools:\n  - {name: a, parameters: *base}\n  - name: b\n"
FLOW = "- &first {name: a}\n- {<<: *first, name: b}\n"


@pytest.mark.parametrize(
    ("text", "format"),
    [
        *((text, "json") for text in (QWEN, HERMES, LLAMA, MISTRAL, CURL, FENCES)),
        (f"event: message\ndata: {MCP}\n\n", "json"),
        (f"Here they are:\n[{A},\n{B}]\nThanks (all).", "json"),
        (YAML, "yaml"),
        (ANCHOR, "yaml"),
        (FLOW, "yaml"),
        ("tools: [{name: a}, {name: b}]", "yaml"),
    ],
)
def test_tools_are_read_where_they_stand(text: str, format: str) -> None:
    tools = parse_tools(text)
    assert (format_of(text), [tool.name for tool in tools]) == (format, ["a", "b"])
    for tool in tools:
        assert tool.line and tool.column
        assert text.split("\n")[tool.line - 1][tool.column - 1 :].lstrip('"').startswith(tool.name)


def test_a_fault_in_a_prompt_is_told_at_its_place() -> None:
    (tool,), errors = read_tools(QWEN.replace('"parameters": {', '"parameters": {,', 1))
    assert tool.name == "b" and [error.line for error in errors] == [5]
    assert "this isn't JSON" in errors[0].message


@pytest.mark.parametrize(
    "text",
    [
        f"def f(x: str):\n    return {A}\n",
        f'def f(x: str):\n    """F.\n\n    {A}\n    """\n',
        f"f(x: str)  # {A}",
        f"function f(x: string): any;\n// {A}",
    ],
)
def test_json_inside_of_a_program_is_no_tool(text: str) -> None:
    assert [tool.name for tool in parse_tools(text)] == ["f"]


@pytest.mark.parametrize(
    "piece", ["{}, ", '[{"', '{"name": ', '{"name": "a", ', '{"a": 1} ', '{"tools": [', "```\n", "- ~~~\n"]
)
def test_long_pastes_are_looked_through_at_once(piece: str) -> None:
    start = time.process_time()
    read_tools("See: " + piece * (200_000 // len(piece)))
    assert time.process_time() - start < 5
