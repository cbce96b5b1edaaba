"""Calls whose arguments stand between tags of their own, one family of models a row.

Qwen3-Coder, Qwen3.5, Nemotron 3   <tool_call>\\n<function=find>\\n<parameter=city>\\nRome\\n</parameter>\\n</function>\\n</tool_call>
GLM-4.5, GLM-4.6                   <tool_call>find\\n<arg_key>city</arg_key>\\n<arg_value>Rome</arg_value>\\n</tool_call>
GLM-4.7, GLM-5                     the same without line breaks
MiniMax-M2                         <minimax:tool_call>\\n<invoke name="find">\\n<parameter name="city">Rome</parameter>\\n</invoke>\\n</minimax:tool_call>
Seed-OSS                           <seed:tool_call>\\n<function=find>\\n<parameter=city>Rome</parameter>\\n</function>\\n</seed:tool_call>

Strings stand there as they are, without quotes and escapes, all other values as JSON. A text that may be either is the
other value, if the schema lets it: `5` is a number unless it has to be a string.
"""  # noqa: E501  a call is one line

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from tooldec import reading
from tooldec.arguments import DUMPS, Fashion, Writing
from tooldec.arguments.bare import can_be_tag
from tooldec.errors import SchemaError
from tooldec.grammar import EMPTY, Grammar, Label, Labelled, Literal, Special
from tooldec.grammar import sequence as seq
from tooldec.reading import Tags
from tooldec.schemes.base import ModelTraits, Prompt, Start, prompt_of
from tooldec.schemes.calls import anything, as_read, named, named_object, result_text, started
from tooldec.schemes.host import ResultHost, Results
from tooldec.tools import Tool, ToolCall, signatures

_NAME = Label("name")


@dataclass(frozen=True, slots=True)
class Family:
    """What is particular to some models.

    told     what their chat templates say, all of it
    tags     how a call is written
    inner    tags that no value may hold, besides those around it: other readers would take them for the call's own
    results  what stands around a result
    """

    told: tuple[str, ...]
    tags: Tags
    inner: tuple[str, ...]
    results: tuple[str, str] = ("\n<tool_response>\n", "\n</tool_response>\n")


QWEN_XML = Family(
    ("<tool_call>", "<function=", "<parameter="),
    Tags(
        *("<tool_call>", "\n</tool_call>"),
        *(("\n<function=", ">\n"), ("<parameter=", ">\n")),
        *("\n</parameter>\n", "</function>"),
    ),
    ("<parameter=", "</function>", "<function=", "</tool_call>", "<tool_call>"),
)
GLM = Family(
    ("<arg_key>",),
    Tags(
        *("<tool_call>", "</tool_call>"),
        *(("", "\n"), ("<arg_key>", "</arg_key>\n<arg_value>")),
        "</arg_value>\n",
    ),
    ("<arg_value>", "<arg_key>", "</arg_key>", "</tool_call>", "<tool_call>"),
)
GLM_COMPACT = replace(
    GLM,
    told=("</arg_key><arg_value>",),
    tags=replace(GLM.tags, name=("", ""), key=("<arg_key>", "</arg_key><arg_value>"), behind="</arg_value>"),
)
MINIMAX = Family(
    ("<minimax:tool_call>",),
    Tags(
        *("<minimax:tool_call>", "\n</minimax:tool_call>"),
        *(('\n<invoke name="', '">\n'), ('<parameter name="', '">')),
        *("</parameter>\n", "</invoke>"),
        several=True,
    ),
    ("<parameter name=", "</invoke>", "<invoke name=", "</minimax:tool_call>", "<minimax:tool_call>"),
    ("\n<response>", "</response>\n"),
)
SEED = Family(
    ("<seed:tool_call>",),
    Tags(
        *("<seed:tool_call>", "\n</seed:tool_call>"),
        *(("\n<function=", ">\n"), ("<parameter=", ">")),
        *("</parameter>\n", "</function>"),
    ),
    ("<parameter=", "</function>", "<function=", "</seed:tool_call>", "<seed:tool_call>"),
    ("\n", "\n"),
)
FAMILIES: Mapping[str, Family] = {
    "qwen_xml": QWEN_XML,
    "glm_compact": GLM_COMPACT,
    "glm": GLM,
    "minimax": MINIMAX,
    "seed": SEED,
}
"""The families by name; the first whose words a template says is the model's."""


def family_of(template: str) -> Family | None:
    """The family that a chat template speaks of."""
    return next((one for one in FAMILIES.values() if all(word in template for word in one.told)), None)


@dataclass(frozen=True, slots=True)
class TaggedArguments:
    """A call between two tags, and each of its arguments between others."""

    family: Family = QWEN_XML
    native: bool = False
    writing: Writing = DUMPS

    @property
    def marker(self) -> str:
        return self.family.tags.marker

    @property
    def result_sign(self) -> str:
        return ""

    def for_model(self, model: ModelTraits) -> TaggedArguments:
        """The family that the model's chat template speaks of, and this one where it speaks of none."""
        found = family_of(getattr(model, "chat_template", "") or "")
        return replace(self, family=found or self.family, native=model.has_tool_template)

    def grammar(self, tools: Sequence[Tool], start: Start = "text", results: bool = False) -> Grammar:
        """Text, the opening tag, a name, the arguments, the closing tag; with results one call at a time."""
        tags, writing = self.family.tags, _between(self.family, self.writing)

        def tail(tool: Tool) -> Grammar:
            _check_name(tool)
            label = Label("name", tool.name)
            behind = Labelled(label, _spelled(tags.close))
            return seq(Labelled(label, _spelled(tags.name[1])), named_object(tool, writing), behind)

        one = seq(Labelled(_NAME, _spelled(tags.name[0])), named(tools, tail, writing))
        for tool in tools:  # `named` looks only at the arguments of some
            _check_name(tool)
        more = one.repeat() if tags.several and start != "call" and not results else EMPTY
        call = seq(one, more, Labelled(_NAME, _spelled(tags.end)), result_text() if results else EMPTY)
        return started(tags.marker, call, start)

    def unguided(self) -> Grammar:
        return anything()

    def prompt(self, tools: Sequence[Tool], question: str, documentation: bool = True) -> Prompt:
        """The tools go to the chat template where it takes them; otherwise a system line lists them."""
        if self.native:
            return Prompt(({"role": "user", "content": question},), tuple(tools) if documentation else ())
        return prompt_of(f"Tools: {signatures(tools)}" if documentation else "", question)

    def read_calls(self, text: str, tools: Sequence[Tool]) -> tuple[ToolCall, ...]:
        """Raises CallError naming the first call that isn't valid, and why."""
        return reading.argument_calls(text, as_read(tools, self.writing), self.family.tags)

    def host(self, tools: Sequence[Tool], results: Mapping[str, Any] | None = None) -> ResultHost:
        before, after = self.family.results
        return Results(self, tuple(tools), dict(results or {}), before, after, (self.marker,))


@lru_cache(maxsize=64)
def _between(family: Family, writing: Writing) -> Writing:
    """A way to write values, with the family's tags around those of the arguments."""
    tags = family.tags
    barred = (tags.behind.strip(), *family.inner)
    fashion = Fashion(
        *(EMPTY, _spelled(tags.key[0]), _spelled(tags.key[1]), _spelled(tags.behind), EMPTY, EMPTY),
        tags=True,
        barred=tuple(text.encode() for text in barred),
        follows=tags.behind[:1].encode(),
    )
    return replace(writing, outer=fashion)


def _spelled(tags: str) -> Grammar:
    """A text in which whole tags may be tokens of the vocabulary.

    >>> print(_spelled("</function>\\n<x"))
    Sequence(Special(</function>), Literal(b'\\n<x'))
    """
    parts = re.split(r"(</?[a-z_:]+>)", tags)
    return seq(*(Special(part) if index % 2 else Literal(part.encode()) for index, part in enumerate(parts) if part))


def _check_name(tool: Tool) -> None:
    """Raises SchemaError for a tool whose name can't stand in a tag."""
    if not can_be_tag(tool.name):
        message = f"the name `{tool.name}` can't stand in a tag"
        fix = "use letters, digits, `_`, `-` and `.`"
        raise SchemaError(message, path="$", tool=tool.name, line=tool.line, column=tool.column, fix=fix)
