"""Calls whose arguments stand between tags of their own, one family of models a row.

Qwen3-Coder, Qwen3.5, Nemotron 3   <tool_call>\\n<function=find>\\n<parameter=city>\\nRome\\n</parameter>\\n</function>\\n</tool_call>
GLM-4.5, GLM-4.6                   <tool_call>find\\n<arg_key>city</arg_key>\\n<arg_value>Rome</arg_value>\\n</tool_call>
GLM-4.7, GLM-5                     the same without line breaks
MiniMax-M2                         <minimax:tool_call>\\n<invoke name="find">\\n<parameter name="city">Rome</parameter>\\n</invoke>\\n</minimax:tool_call>
DeepSeek V3.2, V4 ("DSML")         <｜DSML｜function_calls>\\n<｜DSML｜invoke name="find">\\n<｜DSML｜parameter name="city" string="true">Rome</｜DSML｜parameter>\\n</｜DSML｜invoke>\\n</｜DSML｜function_calls>
Seed-OSS                           <seed:tool_call>\\n<function=find>\\n<parameter=city>Rome</parameter>\\n</function>\\n</seed:tool_call>

Strings stand there as they are, without quotes and escapes, all other values as JSON. A text that may be either is the
other value, if the schema lets it: `5` is a number unless it has to be a string. DeepSeek's tags tell which it is. There
`｜DSML｜` is a token of its own, and V4 says `tool_calls` where V3.2 says `function_calls`. A call without arguments has
an empty line where they would stand, as in the models' own encoding.
"""  # noqa: E501  a call is one line

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from tooldec import reading
from tooldec.arguments import DUMPS, Fashion, Writing
from tooldec.arguments.bare import TAG, can_be
from tooldec.grammar import EMPTY, TEXT, Grammar, Label, Labelled
from tooldec.grammar import sequence as seq
from tooldec.reading import Tags
from tooldec.schemes.base import Start
from tooldec.schemes.calls import as_read, named, named_object, result_text, started, unnamable
from tooldec.schemes.framed import written
from tooldec.schemes.host import ResultHost, Results
from tooldec.schemes.json_calls import NAME, JsonCalls
from tooldec.tools import Tool, ToolCall


@dataclass(frozen=True, slots=True)
class Form:
    """How a family of models writes calls.

    tags     how a call is written
    inner    tags that no value may hold, besides those around it: other readers would take them for the call's own
    results  what stands around a result
    between  what stands between two arguments
    """

    tags: Tags
    inner: tuple[str, ...]
    results: tuple[str, str] = ("\n<tool_response>\n", "\n</tool_response>\n")
    between: str = ""


_GLM = Form(
    Tags("<tool_call>", "</tool_call>", ("", "\n"), ("<arg_key>", "</arg_key>\n<arg_value>"), "</arg_value>\n"),
    ("<arg_value>", "<arg_key>", "</arg_key>", "</tool_call>", "<tool_call>"),
)
_DSML = Form(
    Tags(
        *("<｜DSML｜function_calls>", "\n</｜DSML｜function_calls>"),
        *(('\n<｜DSML｜invoke name="', '">\n'), ('<｜DSML｜parameter name="', '" string=')),
        *("</｜DSML｜parameter>", "\n</｜DSML｜invoke>"),
        several=True,
        kinds=('"true">', '"false">'),
    ),
    (
        *("<｜DSML｜parameter name=", "</｜DSML｜invoke>", "<｜DSML｜invoke name="),
        *("</｜DSML｜function_calls>", "<｜DSML｜function_calls>"),
    ),
    ("\n\n<function_results>\n<result>", "</result>\n</function_results>\n\n"),
    between="\n",
)
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "qwen_xml": Form(
            Tags(
                *("<tool_call>", "\n</tool_call>"),
                *(("\n<function=", ">\n"), ("<parameter=", ">\n")),
                *("\n</parameter>\n", "</function>"),
            ),
            ("<parameter=", "</function>", "<function=", "</tool_call>", "<tool_call>"),
        ),
        "glm": _GLM,
        "glm_compact": replace(
            _GLM,
            tags=replace(_GLM.tags, name=("", ""), key=("<arg_key>", "</arg_key><arg_value>"), behind="</arg_value>"),
            results=("<tool_response>", "</tool_response>"),
        ),
        "minimax": Form(
            Tags(
                *("<minimax:tool_call>", "\n</minimax:tool_call>"),
                *(('\n<invoke name="', '">\n'), ('<parameter name="', '">')),
                *("</parameter>\n", "</invoke>"),
                several=True,
            ),
            ("<parameter name=", "</invoke>", "<invoke name=", "</minimax:tool_call>", "<minimax:tool_call>"),
            ("\n<response>", "</response>\n"),
        ),
        "seed": Form(
            Tags(
                *("<seed:tool_call>", "\n</seed:tool_call>"),
                *(("\n<function=", ">\n"), ("<parameter=", ">")),
                *("</parameter>\n", "</function>"),
            ),
            ("<parameter=", "</function>", "<function=", "</seed:tool_call>", "<seed:tool_call>"),
            ("\n", "\n"),
        ),
        "dsml": _DSML,
        "dsml_v4": replace(
            _DSML,
            tags=replace(_DSML.tags, marker="<｜DSML｜tool_calls>", end="\n</｜DSML｜tool_calls>"),
            inner=(*_DSML.inner[:3], "</｜DSML｜tool_calls>", "<｜DSML｜tool_calls>"),
            results=("\n<tool_result>", "</tool_result>\n"),
        ),
    }
)
"""The forms by the names of their families."""


@dataclass(frozen=True, slots=True)
class TaggedArguments(JsonCalls):
    """A call between two tags, and each of its arguments between others."""

    form: Form = FORMS["qwen_xml"]
    native: bool = False
    writing: Writing = DUMPS

    @property
    def marker(self) -> str:
        return self.form.tags.marker

    def is_like(self, other: object) -> bool:
        return isinstance(other, TaggedArguments) and other.form == self.form

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Text, the opening tag, a name, the arguments, the closing tag; with results one call at a time."""
        tags, writing = self.form.tags, _between(self.form, self.writing)

        def tail(tool: Tool) -> Grammar:
            _check_name(tool)
            label = Label("name", tool.name)
            behind = Labelled(label, written(tags.close))
            return seq(Labelled(label, written(tags.name[1])), named_object(tool, writing), behind)

        one = seq(Labelled(NAME, written(tags.name[0])), named(tools, tail, writing))
        for tool in tools:  # `named` looks only at the arguments of some
            _check_name(tool)
        more = one.repeat() if tags.several and start != "call" and not results else EMPTY
        call = seq(one, more, Labelled(NAME, written(tags.end)), result_text() if results else EMPTY)
        if start == "call":
            return seq(Labelled(TEXT, written(tags.marker)), call)
        return started(tags.marker, call, start)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.argument_calls(text, as_read(tools, self.writing), self.form.tags)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        before, after = self.form.results
        return Results(self, tuple(tools), dict(results or {}), before, after, (self.marker,))


@lru_cache(maxsize=64)
def _between(form: Form, writing: Writing) -> Writing:
    """A way to write values, with a form's tags around those of the arguments."""
    tags = form.tags
    barred = (tags.behind.strip(), *form.inner)
    fashion = Fashion(
        *(EMPTY, written(tags.key[0]), written(tags.key[1]), written(tags.behind)),
        *(written(form.between), EMPTY),
        names=TAG,
        tags=True,
        barred=tuple(text.encode() for text in barred),
        follows=tags.behind[:1].encode(),
        kinds=(written(tags.kinds[0]), written(tags.kinds[1])) if tags.kinds else None,
    )
    return replace(writing, outer=fashion)


def _check_name(tool: Tool) -> None:
    """Raises SchemaError for a tool whose name can't stand in a tag."""
    if not can_be(tool.name, TAG):
        raise unnamable(tool, "stand in a tag", TAG.fix)
