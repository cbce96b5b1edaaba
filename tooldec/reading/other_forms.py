"""Calls in a form that the scheme doesn't read: another scheme's, or one whose marker is broken.

    <T>square(5)                                   Figure 2's, for other readers
    <square>(5)=25     <square(5)                  ToolkenGPT's, whole or broken
    {"name": "square", "arguments": {"side": 5}}   JSON, without its tags or behind words
    <function=square>   <invoke name="square">     tags around each argument
    Action: square                                 ReAct's
    square(5)                                      a line that is nothing but a call

Text that mentions a tool, `square(5)` in a sentence included, is no call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tooldec.errors import CallError
from tooldec.tools import Tool

_KNOWN = r"(?P<known>[^\s<>(){}\[\]\"'`,;:=]+)"
"""A word that has to be the name of a tool."""

_FORMS = tuple(
    (form, re.compile(pattern, re.MULTILINE), scheme)
    for form, pattern, scheme in (
        ("<T>name(…)", r"(?<!\w)<T>\s*[A-Za-z_][\w.\-/]*\s*\(", "special_token"),
        ("<T>name(…)", rf"(?<!\w)<T>\s*{_KNOWN}", "special_token"),
        ("<name>(…)=", r"<[A-Za-z_][^\s<>()]*>\([^()\n]*\)=", "toolken"),
        ("<name>(…)=", rf"(?:<|(?<!\w<)(?<!\w)T?>){_KNOWN}\s*(?:>\s*)?\(", "toolken"),
        ("<tool_call>…", r"<tool_call>\s*[\[{]", None),
        ("<tool_call>…", rf"<tool_call>\s*{_KNOWN}", None),
        ("…</tool_call>", r"(?:\A|[}\])])\s*</tool_call>", None),
        ("[TOOL_CALLS] …", r"\[TOOL_CALLS\]\s*[\[{]", None),
        ("[TOOL_CALLS]name", rf"\[TOOL_CALLS\]\s*{_KNOWN}", None),
        ("<｜tool▁call▁begin｜>…", r"<｜tool▁call▁begin｜>", None),
        ("<|tool_call_begin|>…", r"<\|tool_call_begin\|>", None),
        ("<|tool_call|>…", r"<\|tool_call\|>\s*[\[{]", None),
        ("<|tool_call_start|>[…]", r"<\|tool_call_start\|>\s*[\[{]", None),
        ("<function_calls>name(…)", rf"<function_calls>\s*{_KNOWN}\(", None),
        ("<|tool_call>call:…", r"<\|tool_call>\s*call:", None),
        ("<start_function_call>call:…", r"<start_function_call>\s*call:", None),
        ("<|START_ACTION|>…", r"<\|START_ACTION\|>\s*[\[{]", None),
        ("to=functions.name", rf"<\|channel\|>commentary to=functions\.{_KNOWN}", None),
        ("<function=name>", rf"<function={_KNOWN}", None),
        ('<｜DSML｜invoke name="name">', rf'<｜DSML｜invoke\s+name="{_KNOWN}"', None),
        ('<invoke name="name">', rf'<invoke\s+name="{_KNOWN}"', None),
        ('{"name": …}', rf'\{{\s*"(?:name|function|tool|action)"\s*:\s*"{_KNOWN}"', None),
        ('{"name": …}', r'\{\s*"name"\s*:\s*"[^"\n]*"\s*,\s*"(?:arguments|parameters)"\s*:', None),
        ("Action: name", rf"^[ \t]*Action:\s*{_KNOWN}\s*$", "react"),
        ("Action Input: …", r"^[ \t]*Action Input:\s*\{", "react"),
        ("name(…)", rf"^[ \t]*(?:\[\s*)?{_KNOWN}\([^\n]*\)(?:=.*|\s*[\];])?\s*$", None),
    )
)
"""How a form looks, for people and as a pattern, and the scheme to choose for it, whatever the model.

What begins at a line's start takes no line break there: else each of many blank lines would be read by all above it.
"""


def other_form(text: str, tools: Sequence[Tool]) -> CallError | None:
    """What is wrong with a text in which a scheme's reader has found no call, if it was meant to make one.

    >>> other_form("It is <T>square(5)=", [Tool("square")]).fix
    'choose the scheme `special_token`'
    >>> other_form("You could use square(5) here.", [Tool("square")]) is None
    True
    """
    names = {tool.name for tool in tools}
    found: list[tuple[int, int, str, str | None]] = []
    for form, pattern, scheme in _FORMS:
        for match in pattern.finditer(text):
            if "known" not in pattern.groupindex or match["known"] in names:
                found.append((*match.span(), form, scheme))
                break
    if not found:
        return None
    start, end, form, scheme = min(found, key=lambda one: one[0])
    start = len(text) - len(text[start:].lstrip())
    return CallError(
        f"a call of the form `{form}` is none for this scheme",
        kind="format",
        start=start,
        end=len(text),
        fix=f"choose the scheme `{scheme}`" if scheme else "begin a call as the scheme does",
        fault=(start, end),
    )
