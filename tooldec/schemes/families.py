"""The families of `json_tags`: how a model writes its calls, as its chat template tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tooldec.arguments.constants import shortest
from tooldec.schemes.base import Scheme
from tooldec.schemes.delimited import DELIMITED, DelimitedCalls
from tooldec.schemes.framed import FRAMES, Framed
from tooldec.schemes.harmony import Harmony
from tooldec.schemes.json_calls import JsonCalls
from tooldec.schemes.json_tags import JsonTags, LlamaJson
from tooldec.schemes.pythonic import LISTINGS, PythonCalls
from tooldec.schemes.tagged_arguments import FORMS, TaggedArguments
from tooldec.tools import Tool

FAMILIES: Mapping[str, JsonCalls] = MappingProxyType(
    {
        "hermes": JsonTags(),
        "llama": LlamaJson(),
        "harmony": Harmony(),
        **{name: Framed(frame) for name, frame in FRAMES.items()},
        **{name: TaggedArguments(form) for name, form in FORMS.items()},
        **{name: DelimitedCalls(frame, delimiter) for name, (frame, delimiter) in DELIMITED.items()},
        **{name: PythonCalls(frame, notation) for name, (frame, notation) in LISTINGS.items()},
    }
)
"""The families by name."""

SIGNS: Sequence[tuple[str, tuple[str, ...]]] = (
    ("dsml", ("｜DSML｜", "function_calls")),
    ("dsml_v4", ("｜DSML｜",)),
    ("deepseek_fenced", ("<｜tool▁calls▁begin｜>", "```json")),
    ("deepseek", ("<｜tool▁calls▁begin｜>",)),
    ("kimi", ("<|tool_calls_section_begin|>",)),
    ("harmony", ("<|channel|>", "commentary", "functions")),
    ("command", ("<|START_ACTION|>",)),
    ("glm_compact", ("</arg_key><arg_value>",)),
    ("glm", ("<arg_key>",)),
    ("minimax", ("<minimax:tool_call>",)),
    ("seed", ("<seed:tool_call>",)),
    ("gemma", ("<|tool_call>call:",)),
    ("function_gemma", ("<start_function_call>",)),
    ("olmo", ("<function_calls>", "<functions>")),
    ("lfm2", ("<|tool_call_start|>",)),
    ("lfm2", ("<|tool_list_start|>",)),
    ("pythonic", ("[func_name1(",)),
    ("qwen_xml", ("<tool_call>", "<function=", "<parameter=")),
    ("hermes", ("<tool_call>",)),
    ("granite", ("<|tool_call|>",)),
    ("mistral_ids", ("[TOOL_CALLS]", "[CALL_ID]")),
    ("mistral_args", ("[TOOL_CALLS]", "[ARGS]")),
    ("mistral", ("[TOOL_CALLS]",)),
    ("llama", ("<|start_header_id|>", '"parameters"')),
    ("llama", ("<|header_start|>", '"parameters"')),
)
"""What a chat template of a family holds; the first that fits."""


def begun(scheme: Scheme) -> str:
    """How a call begins, in one line.

    >>> begun(FAMILIES["mistral_args"]), begun(FAMILIES["hermes"])
    ('[TOOL_CALLS]find…', '<tool_call> {"name": "find…')
    """
    written = shortest(scheme.grammar([Tool("find")], "call")).decode()
    return " ".join(written[: written.index("find") + len("find")].split()) + "…"


def family_of(template: str) -> JsonCalls | None:
    """The family that a chat template speaks of.

    >>> family_of("{{ tools }} [TOOL_CALLS]") is FAMILIES["mistral"], family_of("{{ tools }}")
    (True, None)
    """
    name = next((name for name, signs in SIGNS if all(sign in template for sign in signs)), None)
    return FAMILIES[name] if name else None
