"""Calls as Python writes them, each argument by its name: a row of text for each family, as in `framed`.

Llama 3.2 and 4    [find(city="Rome", days=3), now()]
LFM2               … <|tool_call_start|>[find(city="Rome", days=3), now()]<|tool_call_end|> …
OLMo 3             … <function_calls>find(city="Rome", days=3)\\nnow()</function_calls> …

Values are Python's literals, strings in double quotes, and keep all rules of their schemas. OLMo's template writes
values as JSON; both `True` and `true` are words of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from tooldec import reading
from tooldec.arguments import DUMPS, PYTHON, Fashion, Notation, Writing
from tooldec.arguments.bare import KEYWORD, can_be
from tooldec.grammar import EMPTY, TEXT, Grammar, Labelled, Literal, SymbolClass, Until
from tooldec.grammar import sequence as seq
from tooldec.reading import Frame
from tooldec.schemes.base import Start
from tooldec.schemes.calls import as_read, check, check_tools, result_text, started, unnamable
from tooldec.schemes.framed import block
from tooldec.schemes.host import ResultHost, Results
from tooldec.schemes.json_calls import JsonCalls
from tooldec.tools import Tool, ToolCall

_BOTH = replace(PYTHON, true=(b"True", b"true"), false=(b"False", b"false"), null=(b"None", b"null"))
_LIST = Frame("[", between="(", after=")", more=", ", closing="]")

LISTINGS: Mapping[str, tuple[Frame, Notation]] = MappingProxyType(
    {
        "pythonic": (_LIST, PYTHON),
        "lfm2": (
            replace(
                _LIST,
                marker="<|tool_call_start|>",
                opening="[",
                closing="]<|tool_call_end|>",
                result=("\n<|tool_response_start|>", "<|tool_response_end|>\n"),
            ),
            PYTHON,
        ),
        "olmo": (replace(_LIST, marker="<function_calls>", more="\n", closing="</function_calls>"), _BOTH),
    }
)
"""By family: what stands around a name and its arguments, and how values are written."""


@dataclass(frozen=True, slots=True)
class PythonCalls(JsonCalls):
    """Calls between a marker and what ends them; those of Llama are an answer of their own, which begins with `[`."""

    frame: Frame = _LIST
    notation: Notation = PYTHON
    native: bool = False
    writing: Writing = DUMPS

    @property
    def marker(self) -> str:
        return self.frame.marker

    @property
    def _leads(self) -> bool:
        return self.frame == _LIST

    def is_like(self, other: object) -> bool:
        return isinstance(other, PythonCalls) and (other.frame, other.notation) == (self.frame, self.notation)

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Calls that stand together; with results one, which the host answers."""
        check(start)
        check_tools(tools)
        for tool in tools:
            _check_name(tool)
        writing = _by_keyword(self.writing, self.notation, self.frame)
        call = block(self.frame, tools, writing, several=start != "call" and not results)
        call = seq(call, result_text()) if results else call
        if not self._leads:
            return started(self.marker, call, start)
        call = seq(Labelled(TEXT, Literal(self.marker.encode())), call)
        if start == "call":
            return call
        first = Labelled(TEXT, SymbolClass(frozenset(range(256)) - frozenset(b"[ \t\r\n")))
        rest = Labelled(TEXT, Until(""))
        words = seq(first, rest).optional()
        return words if start == "none" else (seq(call, rest) if results else call) | words

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.python_calls(text, as_read(tools, self.writing), self.frame, self._leads)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        barred = () if self._leads else (self.marker,)
        return Results(self, tuple(tools), dict(results or {}), *self.frame.result, barred)


@lru_cache(maxsize=64)
def _by_keyword(writing: Writing, notation: Notation, frame: Frame) -> Writing:
    """A way to write values as the keyword arguments of a call."""
    ends = [tag for tag in (frame.marker, frame.closing.lstrip("]\n")) if len(tag) > 1]
    barred = tuple(tag.encode() for tag in ends)
    fashion = Fashion(EMPTY, EMPTY, Literal(b"="), EMPTY, Literal(b", "), EMPTY, names=KEYWORD, barred=barred)
    return replace(writing, outer=fashion, notation=notation)


def _check_name(tool: Tool) -> None:
    """Raises SchemaError for a tool whose name Python can't call."""
    if not all(can_be(part, KEYWORD) for part in tool.name.split(".")):
        raise unnamable(tool, "be called in Python", KEYWORD.fix)
