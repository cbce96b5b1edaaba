"""ToolDec: a finite-state machine built from tool signatures steers a language model's tool calls.

    tools, model = parse_tools("def square(side: int)"), load_model("toy")
    scheme = SCHEMES["special_token"]
    fsm = build_fsm(scheme.grammar(tools), model.vocabulary)
    trace = Trace.collect(decode(model, fsm, scheme.prompt(tools, "What is 5 squared?")))

Importing this package, `Vocabulary` and `build_fsm` needs NumPy only; torch, transformers and the drawing
libraries are imported where they are used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tooldec.decoder import decode
    from tooldec.errors import ToolDecError
    from tooldec.logits_processor import ToolDecLogitsProcessor
    from tooldec.models import load_model
    from tooldec.schemes import SCHEMES, Prompt
    from tooldec.signatures import parse_tools
    from tooldec.token_fsm import TokenFSM, build_fsm
    from tooldec.tools import Tool, ToolCall
    from tooldec.trace import Step, Trace
    from tooldec.vocabulary import Vocabulary

_HOMES = {
    "SCHEMES": "schemes",
    "Prompt": "schemes",
    "Step": "trace",
    "TokenFSM": "token_fsm",
    "Tool": "tools",
    "ToolCall": "tools",
    "ToolDecError": "errors",
    "ToolDecLogitsProcessor": "logits_processor",
    "Trace": "trace",
    "Vocabulary": "vocabulary",
    "build_fsm": "token_fsm",
    "decode": "decoder",
    "load_model": "models",
    "parse_tools": "signatures",
}

__version__ = "0.1.0"
__all__ = [
    "SCHEMES",
    "Prompt",
    "Step",
    "TokenFSM",
    "Tool",
    "ToolCall",
    "ToolDecError",
    "ToolDecLogitsProcessor",
    "Trace",
    "Vocabulary",
    "build_fsm",
    "decode",
    "load_model",
    "parse_tools",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tooldec' has no attribute {name!r}")
    return getattr(import_module(f"tooldec.{_HOMES[name]}"), name)
