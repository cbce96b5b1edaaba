"""What the page's buttons do, without Gradio: requests in, messages out, all of them plain JSON values.

    ask(request)   one answer, at once: {"ask": "draw"} is the machine of the pasted tools     {"kind": "machine", …}
    run(request)   one run, message by message as it happens          {"kind": "start"}, {"kind": "step"}, …

A request names what it asks in `ask`; the rest are the fields of `Request`. A message of the kind "error" says what was
read, where, and what would work; nothing a user types raises.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any, TypeVar

from tooldec.answers import check, fights, files, look, rank
from tooldec.ending import ending
from tooldec.errors import ToolDecError, UsageError
from tooldec.methods import METHODS
from tooldec.outline import Outline
from tooldec.prepared import Message, Prepared, error_message, loaded, model_facts, our_mistake
from tooldec.request import Request
from tooldec.steps import StepViews
from tooldec.trace import Step, Trace
from tooldec.views.export import Changes
from tooldec.views.graph import Picture
from tooldec.views.graph import draw as draw_outline

Row = TypeVar("Row")

EXAMPLES = Path(__file__).parent.parent / "static" / "examples"

DRAWING = 0.25
"""The part of a run's time that may go into drawing the graph again; what is left out is drawn at the end."""


def options(model: str = "embedded") -> Message:
    """What the page's menus offer; `model` is the one to start with."""
    schemes = [
        {"value": "special_token", "label": "Special token <T>", "note": "<T>name(values)"},
        {"value": "json_tags", "label": "JSON in <tool_call> tags", "note": "Hermes and Qwen"},
        {"value": "react", "label": "ReAct", "note": "Thought, Action, Action Input"},
        {"value": "name_prompt", "label": "Name asked for", "note": "<T>, then <name>(values)"},
        {"value": "toolken", "label": "A token for each tool", "note": "<name>(values)="},
    ]
    starts = [
        {"value": "text", "label": "the model decides"},
        {"value": "call", "label": "force a call"},
        {"value": "none", "label": "no call"},
    ]
    models = [
        {"value": "embedded", "label": "The model in the box", "note": "3 million parameters, local"},
        {"value": "toy", "label": "Toy, with the paper's tokens", "note": "scripted"},
    ]
    if model not in ("embedded", "toy"):
        models.insert(0, {"value": model, "label": model, "note": "chosen at the start"})
    return {
        "schemes": schemes,
        "starts": starts,
        "methods": [{"value": name, "label": method.label} for name, method in METHODS.items()],
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
        return {"kind": "model", "model": model_facts(loaded(name))}
    except ToolDecError as error:
        return error_message(error)


def ask(data: Mapping[str, Any]) -> Message:
    """Answer a request of ANSWERS; an error message where that isn't possible."""
    try:
        return _row(ANSWERS, data, "draw")(data)
    except ToolDecError as error:
        return error_message(error)
    except Exception:
        return our_mistake()


def run(data: Mapping[str, Any]) -> Iterator[Message]:
    """Pass on the messages of a request of RUNS as soon as they are there. Closing the iterator stops the run."""
    try:
        yield from _row(RUNS, data, "trace")(data)
    except ToolDecError as error:
        yield error_message(error)
    except Exception:
        yield our_mistake()


def _row(rows: Mapping[str, Row], data: Mapping[str, Any], usual: str) -> Row:
    name = data.get("ask", usual)
    if name not in rows:
        raise UsageError(f"nobody here can {str(name)[:80]}", fix=f"ask for {' or '.join(rows)}")
    return rows[name]


def _draw(data: Mapping[str, Any]) -> Message:
    """The machine of the pasted tools as a picture, with its figures and warnings."""
    request = Request.read(data)
    prepared = Prepared.of(request)
    outline, found = prepared.outline(request)
    picture = _picture(outline, request, found)
    return {"kind": "machine", **prepared.facts(request, picture), **_changed(found), "picture": picture.to_json()}


def _trace(data: Mapping[str, Any]) -> Iterator[Message]:
    """Decode one answer; each step is a message."""
    request = Request.read(data)
    request.check_question()
    prepared = Prepared.of(request)
    outline, found = prepared.outline(request)
    prompt, _ = prepared.prompt(request)
    views = StepViews(prepared.fsm, outline, prepared.tools)
    picture = _picture(outline, request, found)
    sampling = {key: getattr(request, key) for key in ("max_tokens", "temperature", "top_p", "top_k", "seed")}
    steps = METHODS[request.method].run(
        prepared.model, prepared.scheme, prepared.tools, prompt, request.start, request.results, request.values,
        prepared.fsm, outline=outline, **sampling,
    )  # fmt: skip
    yield {"kind": "start", **prepared.facts(request, picture), **_changed(found), "picture": picture.to_json()}
    taken: list[Step] = []
    outdated, begun, drawing = False, perf_counter(), 0.0
    try:
        for step in steps:
            outdated |= views.advance(step)
            started = perf_counter()
            if outdated and (drawing == 0 or drawing < DRAWING * (started - begun)):
                picture = _picture(outline, request, found, views.opened)
                outdated, drawing = False, drawing + perf_counter() - started
                yield {"kind": "picture", "picture": picture.to_json()}
            taken.append(step)
            yield {"kind": "step", "step": views.view(step, picture)}
    finally:
        steps.close()
    if outdated:
        yield {"kind": "picture", "picture": _picture(outline, request, found, views.opened).to_json()}
    yield ending(Trace.collect(taken), prepared.scheme, prepared.tools, request)


def _picture(outline: Outline, request: Request, found: Changes | None, opened: tuple[str, ...] = ()) -> Picture:
    return draw_outline(outline, opened, found.states if found else (), request.direction)


def _changed(found: Changes | None) -> Message:
    return {"changes": {"new": found.states, "changed": found.changed, "gone": found.gone} if found else None}


ANSWERS: Mapping[str, Callable[[Mapping[str, Any]], Message]] = MappingProxyType(
    {
        "draw": _draw,
        "check": check.answer,
        "sizes": check.weigh,
        "rank": rank.answer,
        "look": look.answer,
        "file": files.answer,
    }
)
"""What `ask` answers."""

RUNS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[Message]]] = MappingProxyType(
    {"trace": _trace, "fights": fights.answer}
)
"""What `run` runs."""
