"""What the page's buttons do, without Gradio: requests in, messages out, all of them plain JSON values.

    draw(request)  the machine of the pasted tools                    {"kind": "machine", …}
    run(request)   one run, message by message as it happens          {"kind": "start"}, {"kind": "step"}, …

A message of the kind "error" says what was read, where, and what would work; nothing a user types raises.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

from tooldec.decoder import decode
from tooldec.ending import ending
from tooldec.errors import ToolDecError
from tooldec.models import Model, load_model
from tooldec.outline import Outline
from tooldec.request import Request
from tooldec.schemes import SCHEMES, Prompt, Scheme
from tooldec.signatures import parse_tools
from tooldec.steps import StepViews
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.tools import Tool
from tooldec.trace import Step, Trace
from tooldec.views.graph import Picture
from tooldec.views.graph import draw as draw_outline

Message = dict[str, Any]

EXAMPLES = Path(__file__).parent.parent / "static" / "examples"
LONGEST_TOKEN = 12
"""Characters; no tokenizer reads a list of tools with more of them a token."""

DRAWING = 0.25
"""The part of a run's time that may go into drawing the graph again; what is left out is drawn at the end."""

log = logging.getLogger(__name__)


def options(model: str = "embedded") -> Message:
    """What the page's menus offer; `model` is the one to start with."""
    schemes = [
        {"value": "special_token", "label": "Special token <T>", "note": "<T>name(values)"},
        {"value": "json_tags", "label": "JSON in <tool_call> tags", "note": "Hermes and Qwen"},
    ]
    models = [
        {"value": "embedded", "label": "The model in the box", "note": "3 million parameters, local"},
        {"value": "toy", "label": "Toy, with the paper's tokens", "note": "scripted"},
    ]
    if model not in ("embedded", "toy"):
        models.insert(0, {"value": model, "label": model, "note": "chosen at the start"})
    return {
        "schemes": schemes,
        "starts": [{"value": "text", "label": "the model decides"}, {"value": "call", "label": "force a call"}],
        "models": models,
        "examples": examples(),
        "model": model,
    }


def examples() -> list[Message]:
    """The page's examples; one with a file `NAME.run.json` has a recorded run, which replays without a model."""
    files = [path for path in sorted(EXAMPLES.glob("*.json")) if not path.name.endswith(".run.json")]
    recorded = {path.name.removesuffix(".run.json") for path in EXAMPLES.glob("*.run.json")}
    return [{**json.loads(path.read_text("utf-8")), "recorded": path.stem in recorded} for path in files]


def model_status(name: str) -> Message:
    """Load a model and say what it is; an error message where it can't be had."""
    try:
        return {"kind": "model", "model": _model_facts(loaded(name))}
    except ToolDecError as error:
        return error_message(error)


def draw(data: Mapping[str, Any]) -> Message:
    """The machine of the pasted tools as a picture, with its figures and warnings."""
    try:
        request = Request.read(data)
        prepared = Prepared.of(request)
        outline = Outline(prepared.fsm)
        picture = _picture(outline, request)
        return {"kind": "machine", **prepared.facts(request, picture), "picture": picture.to_json()}
    except ToolDecError as error:
        return error_message(error)
    except Exception:
        return _our_mistake()


def run(data: Mapping[str, Any]) -> Iterator[Message]:
    """Decode one answer; each step is a message as soon as it is there. Closing the iterator stops the run."""
    try:
        request = Request.read(data)
        request.check_question()
        yield from _run(request, Prepared.of(request))
    except ToolDecError as error:
        yield error_message(error)
    except Exception:
        yield _our_mistake()


def error_message(error: ToolDecError) -> Message:
    """An error as the page shows it."""
    place = {"line": error.line, "column": error.column, "fix": error.fix}
    return {"kind": "error", "error": {"message": error.message, **place, "text": str(error)}}


def _our_mistake() -> Message:
    """A mistake of ours: the page stays alive, the log has the details."""
    log.exception("a request failed")
    return error_message(ToolDecError("something went wrong here; the server's log has the details"))


# ---- preparing


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


@lru_cache(maxsize=8)
def _machine(text: str, scheme_name: str, start: str, results: bool, model_name: str) -> TokenFSM:
    model = loaded(model_name)
    scheme = SCHEMES[scheme_name].for_model(model)
    grammar = scheme.grammar(_tools(text), "call" if start == "call" else "text", results)
    return build_fsm(grammar, model.vocabulary)


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
        guided = _machine(request.tools, request.scheme, request.start, request.results, request.model)
        fsm = guided if request.method == "guided" else build_fsm(scheme.unguided(), model.vocabulary)
        warnings: list[Message] = []
        if not model.vocabulary.ids(scheme.marker):
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
            "model": _model_facts(self.model),
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


def _model_facts(model: Model) -> Message:
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


# ---- running


def _run(request: Request, prepared: Prepared) -> Iterator[Message]:
    outline = Outline(prepared.fsm)
    prompt, _ = prepared.prompt(request)
    views = StepViews(prepared.fsm, outline, prepared.tools)
    picture = _picture(outline, request)
    host = prepared.scheme.host(prepared.tools, request.values)  # a scheme may need it without results, too
    sampling = {key: getattr(request, key) for key in ("max_tokens", "temperature", "top_p", "top_k", "seed")}
    steps = decode(prepared.model, prepared.fsm, prompt, host=host, outline=outline, **sampling)
    yield {"kind": "start", **prepared.facts(request, picture), "picture": picture.to_json()}
    taken: list[Step] = []
    outdated, begun, drawing = False, perf_counter(), 0.0
    try:
        for step in steps:
            outdated |= views.advance(step)
            started = perf_counter()
            if outdated and (drawing == 0 or drawing < DRAWING * (started - begun)):
                picture = _picture(outline, request, views.opened)
                outdated, drawing = False, drawing + perf_counter() - started
                yield {"kind": "picture", "picture": picture.to_json()}
            taken.append(step)
            yield {"kind": "step", "step": views.view(step, picture)}
    finally:
        steps.close()
    if outdated:
        yield {"kind": "picture", "picture": _picture(outline, request, views.opened).to_json()}
    yield ending(Trace.collect(taken), prepared.scheme, prepared.tools, request)


def _picture(outline: Outline, request: Request, opened: tuple[str, ...] = ()) -> Picture:
    return draw_outline(outline, opened, direction=request.direction)
