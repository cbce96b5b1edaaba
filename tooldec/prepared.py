"""What a request of the page needs first: its tools, its model and their machine, each kept for the next.

An answer of the kind "error" says what was read, where, and what would work; nothing a user types raises.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tooldec.errors import ToolDecError
from tooldec.methods import METHODS
from tooldec.models import Model, load_model
from tooldec.request import Request
from tooldec.schemes import SCHEMES, Prompt, Scheme, Start
from tooldec.signatures import parse_tools
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.tools import Tool
from tooldec.views.graph import Picture

Message = dict[str, Any]

LONGEST_TOKEN = 12
"""Characters; no tokenizer reads a list of tools with more of them a token."""

SPELLED = ("react", "toolken")
"""Schemes whose calls are spelled in ordinary tokens by design: their marker is missed in no vocabulary."""

log = logging.getLogger(__name__)


def error_message(error: ToolDecError) -> Message:
    """An error as the page shows it."""
    place = {"line": error.line, "column": error.column, "fix": error.fix}
    return {"kind": "error", "error": {"message": error.message, **place, "text": str(error)}}


def our_mistake() -> Message:
    """A mistake of ours: the page stays alive, the log has the details."""
    log.exception("a request failed")
    return error_message(ToolDecError("something went wrong here; the server's log has the details"))


@lru_cache(maxsize=4)
def _load(name: str) -> Model:
    return load_model(name)


_loading = threading.Lock()


def loaded(name: str) -> Model:
    """The model of that name, loaded once."""
    with _loading:
        return _load(name)


@lru_cache(maxsize=8)
def _tools(text: str) -> tuple[Tool, ...]:
    return parse_tools(text)


@lru_cache(maxsize=16)
def _machine(text: str, scheme_name: str, start: Start, results: bool, model_name: str, method: str) -> TokenFSM:
    model = loaded(model_name)
    scheme = SCHEMES[scheme_name].for_model(model)
    return build_fsm(METHODS[method].grammar(scheme, _tools(text), start, results), model.vocabulary)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request's tools, model and machine."""

    tools: tuple[Tool, ...]
    model: Model
    scheme: Scheme
    fsm: TokenFSM
    warnings: tuple[Message, ...]

    @classmethod
    def of(cls, request: Request) -> Prepared:
        tools = _tools(request.tools)
        model = loaded(request.model)
        scheme = SCHEMES[request.scheme].for_model(model)
        machine = (request.tools, request.scheme, request.start, request.results, request.model)
        _machine(*machine, "guided")  # tools that no machine can be made of are an error, whatever the method
        fsm = _machine(*machine, request.method)
        warnings: list[Message] = []
        if not model.vocabulary.ids(scheme.marker) and request.scheme not in SPELLED:
            message = f"{model.name} has no token {scheme.marker}: its spelling starts a call, and may occur in a text"
            warnings.append({"line": None, "message": message})
        return cls(tools, model, scheme, fsm, tuple(warnings))

    def prompt(self, request: Request) -> tuple[Prompt, tuple[Message, ...]]:
        """The prompt, and a warning where the list of tools doesn't fit and is left out."""
        bare = self.scheme.prompt(self.tools, request.question, documentation=False)
        if not request.documentation:
            return bare, ()
        listed = self.scheme.prompt(self.tools, request.question)
        room = self.model.context - min(request.max_tokens, self.model.context // 4)
        length = sum(len(message["content"]) for message in listed.messages)  # counting tokens of a long text is slow
        if length <= room * LONGEST_TOKEN and self.model.prompt_tokens(listed) <= room:
            return listed, ()
        message = (
            f"the list of {len(self.tools):,} tools doesn't fit the model's context of {self.model.context:,} tokens "
            "and is left out of the prompt; the machine still knows every tool"
        )
        return bare, ({"line": None, "message": message},)

    def facts(self, request: Request, picture: Picture) -> Message:
        """What the page shows around the graph."""
        prompt, notes = self.prompt(request)
        bare = self.scheme.prompt(self.tools, request.question, documentation=False)
        first = [{"name": t.name, "signature": t.signature(), "line": t.line} for t in self.tools[:500]]
        vocabulary = self.model.vocabulary
        ends = ", ".join(vocabulary.text(token) for token in vocabulary.eos)
        return {
            "tools": first,
            "tool_count": len(self.tools),
            "model": model_facts(self.model),
            "machine": {
                "states": picture.view.states,
                "transitions": picture.view.transitions,
                "folded": picture.collapsed,
                "vocabulary": vocabulary.size,
                "start": request.start,
                "end": ends,
            },
            "prompt": {
                "tokens": self.model.prompt_tokens(prompt),
                "tokens_without_documentation": self.model.prompt_tokens(bare),
                "text": self.model.render(prompt)[:4000],
            },
            "warnings": [*self.warnings, *notes],
        }


def model_facts(model: Model) -> Message:
    """Name and place of a model, and the settings that suit it."""
    knows_marker = bool(model.vocabulary.ids(SCHEMES["special_token"].marker))
    scheme = "json_tags" if model.has_tool_template and not knows_marker else "special_token"
    start = "text" if knows_marker or model.has_tool_template else "call"
    return {
        "name": model.name,
        "device": model.device,
        "dtype": model.dtype,
        "vocabulary": model.vocabulary.size,
        "context": model.context,
        "suggested": {"scheme": scheme, "start": start},
    }
