"""What frameworks of Python call things: decorators, functions and classes that make tools, and what those are given.

@mcp.tool, @function_tool                  DECORATOR
StructuredTool.from_function(func=f)       MAKER, FUNCTIONS
class Search(BaseTool): def _run(self)     BASE, RUNS
Tool(name="now", inputSchema={})           DATA_MAKER
ctx: RunContext                            INJECTED

A framework whose names aren't here gets a word in one of these rows.

>>> [name for name in ("function_tool", "list_tools", "tool_input_guardrail") if makes_tool(name)]
['function_tool']
"""

from __future__ import annotations

import re
from collections.abc import Mapping

DECORATOR = re.compile(r"(?i:.*tool.*|.*function)|register_for_llm|ai_callable")
HANDLERS = re.compile(r"(?:list|call|a?wrap|before|after|on)_.*|.*guardrail.*")
"""Decorators of what is done when tools are asked for, or around a call: `call_tool`, `wrap_tool_call`."""

MAKER = re.compile(
    r"from_function|from_schema|from_defaults|create_tool_from_function|register_function|register_for_llm|add_tool|function_tool"
    r"|tool|tool_plain|\w*Tool|pydantic_function_tool|convert_to_openai_(?:tool|function)"
)
"""What is called with a function or class, and makes a tool of it."""
CALLS = re.compile(r"(?:[tT]ool|tool_plain|from_function|from_schema|from_defaults|_function|register_for_llm)\(")
"""How the names of all MAKERs end: they are looked for first."""
FUNCTIONS = ("func", "fn", "function", "coroutine", "async_fn", "f", "on_invoke_tool")
"""What the argument is called that takes the function; the first one that is given counts."""
LISTS = re.compile(r"(?:[tT](?:ools|OOLS)|functions)[ \t]*(?::[^=\n()]*)?=(?!=)\s*(?=\[)|\bbind_tools\(\s*(?=\[)")
"""Where functions and classes are listed as tools: `tools=[f, g]`."""

BASE = re.compile(r"\w*Tool\b[^\n]*\)")
"""The bases of a class that is a tool."""
RUNS = ("forward", "_run", "run", "__call__", "_call", "call", "execute", "invoke", "_arun", "arun")
"""Methods whose parameters are those of a class that is a tool; the first one that it has."""
METHOD_LISTS = re.compile(r"^[ \t]+\w*functions[ \t]*(?::[^=\n]*)?=(?!=)[ \t]*(?=[\[(])", re.MULTILINE)
"""Where a class lists the methods that are tools: LlamaIndex's `spec_functions = ["search"]`."""

DATA_MAKER = re.compile(r"\w*(?:Tool(?:Param)?|FunctionDeclaration|(?:Tool|Function)Definition|Function)")
"""What is called with all that a tool is: `types.Tool(name="now", inputSchema={})`."""

KEYWORDS: Mapping[str, str] = {
    **dict.fromkeys(("name", "name_override", "name_or_callable", "tool_name"), "name"),
    **dict.fromkeys(("description", "description_override"), "description"),
    **dict.fromkeys(("args_schema", "input_schema", "params_json_schema", "json_schema"), "arguments"),
    "inputs": "inputs",
}
"""Argument of a decorator or of a MAKER, or attribute of a class → the field of `metadata.Told`."""

INJECTED = frozenset(
    """Context RunContext RunContextWrapper ToolContext ToolRuntime CallbackContext RunnableConfig KernelArguments
    CancellationToken BackgroundTasks CallbackManagerForToolRun AsyncCallbackManagerForToolRun InjectedState
    InjectedStore InjectedToolArg InjectedToolCallId Depends CurrentContext Callbacks Request Kernel Progress
    Resolve""".split()
)
"""Types and marks of parameters that the framework fills: MCP's, OpenAI's Agents', Pydantic AI's, LangChain's, Google's
ADK's, AutoGen's, Semantic Kernel's, FastAPI's."""
INJECTED_NAMES = ("run_manager", "tool_context")
"""Parameters that LangChain and Google's ADK fill whatever their type is."""


def makes_tool(decorator: str) -> bool:
    """Whether a decorator of this name makes a tool."""
    return DECORATOR.fullmatch(decorator) is not None and HANDLERS.fullmatch(decorator) is None
