"""When a call starts, how it is written, and how it is read back: one row in SCHEMES for each way.

scheme.prompt(tools, question)   what the model is asked
scheme.grammar(tools)            what it may answer
scheme.read_calls(text, tools)   the calls in an answer, read by a parser that knows nothing of the machine
scheme.host(tools)               who writes results, and other text that isn't the model's, into the answer

`start` says who decides on a call: "text" the model; "call" somebody else, such as the planner of RestGPT or a forced
tool choice, who enters the tool mode at once (`Prompt.answer_prefix` holds what has been written before); "none" that
none may be made.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tooldec.schemes.base import ModelTraits, Prompt, Scheme, Start
from tooldec.schemes.calls import anything, positional
from tooldec.schemes.delimited import DelimitedCalls
from tooldec.schemes.families import FAMILIES, begun
from tooldec.schemes.framed import Framed
from tooldec.schemes.harmony import Harmony
from tooldec.schemes.host import Edit, Host, Results, recorded, recorded_run
from tooldec.schemes.json_tags import JsonTags, LlamaJson
from tooldec.schemes.name_prompt import NamePrompt
from tooldec.schemes.pythonic import PythonCalls
from tooldec.schemes.quoting import quoting
from tooldec.schemes.react import ReAct
from tooldec.schemes.relaxing import relaxing
from tooldec.schemes.special_token import SpecialToken
from tooldec.schemes.tagged_arguments import TaggedArguments
from tooldec.schemes.toolken import Toolken

__all__ = [
    "FAMILIES",
    "SCHEMES",
    "DelimitedCalls",
    "Edit",
    "Framed",
    "Harmony",
    "Host",
    "JsonTags",
    "LlamaJson",
    "ModelTraits",
    "NamePrompt",
    "Prompt",
    "PythonCalls",
    "ReAct",
    "Results",
    "Scheme",
    "SpecialToken",
    "Start",
    "TaggedArguments",
    "Toolken",
    "anything",
    "begun",
    "positional",
    "quoting",
    "recorded",
    "recorded_run",
    "relaxing",
]

SCHEMES: Mapping[str, Scheme] = MappingProxyType(
    {
        "special_token": SpecialToken(),
        "json_tags": JsonTags(),
        "react": ReAct(),
        "name_prompt": NamePrompt(),
        "toolken": Toolken(),
    }
)
"""The schemes by name."""
