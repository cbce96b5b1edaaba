"""What the page's buttons do, without Gradio: requests in, messages out, all of them plain JSON values.

    ask(request)   one answer, at once: {"ask": "draw"} is the machine of the pasted tools     {"kind": "machine", …}
    run(request)   one run, message by message as it happens          {"kind": "start"}, {"kind": "step"}, …
                   or several of them, one after another              {"ask": "compare", "lanes": […]}

A request names what it asks in `ask`; the rest are the fields of `Request`. A message of the kind "error" says what was
read, where, and what would work; nothing a user types raises.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from tooldec.errors import ToolDecError, UsageError
from tooldec.methods import METHODS
from tooldec.page.answers import check, draw, fights, files, keep, look, rank
from tooldec.page.comparing import compare
from tooldec.page.live import told
from tooldec.page.prepared import Message, error_message, loaded, model_facts, our_mistake
from tooldec.page.request import Request
from tooldec.signatures import FORMATS

Row = TypeVar("Row")

_large = threading.Lock()
"""What long texts ask is answered one after the other: side by side, all of it would come late."""

EXAMPLES = Path(__file__).parent.parent / "static" / "examples"


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
        {
            "value": "embedded",
            "label": "The model in the box",
            "note": "10 million parameters, local",
            "caution": "Reads English only; other languages lead to wrong calls",
        },
        {"value": "toy", "label": "Toy, with the paper's tokens", "note": "scripted"},
    ]
    if model not in ("embedded", "toy"):
        models.insert(0, {"value": model, "label": model, "note": "chosen at the start"})
    return {
        "schemes": schemes,
        "starts": starts,
        "formats": [{"value": name, "label": row.title} for name, row in FORMATS.items()],
        "methods": [{"value": name, "label": row.label, "guided": row.guided} for name, row in METHODS.items()],
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
        known = keep.whole(data)
        if known is None:
            return {"kind": "forgotten"}
        with _large if known is not data else nullcontext():
            return _row(ANSWERS, known, "draw")(known)
    except ToolDecError as error:
        return error_message(error)
    except Exception:
        return our_mistake()


def run(data: Mapping[str, Any]) -> Iterator[Message]:
    """Pass on the messages of a request of RUNS as soon as they are there. Closing the iterator stops the run."""
    try:
        known = keep.whole(data)
        if known is None:
            raise UsageError("the tools got lost on the way", fix="run again")
        yield from _row(RUNS, known, "trace")(known)
    except ToolDecError as error:
        yield error_message(error)
    except Exception:
        yield our_mistake()


def model_of(data: Mapping[str, Any]) -> str:
    """The model that a request means; of one that can't be read, that of a request without any."""
    model = data.get("model")
    return model if isinstance(model, str) else Request().model


def _row(rows: Mapping[str, Row], data: Mapping[str, Any], usual: str) -> Row:
    name = data.get("ask", usual)
    if name not in rows:
        raise UsageError(f"nobody here can {str(name)[:80]}", fix=f"ask for {' or '.join(rows)}")
    return rows[name]


def _trace(data: Mapping[str, Any]) -> Iterator[Message]:
    """Decode one answer; each step is a message."""
    return told(Request.read(data))


ANSWERS: Mapping[str, Callable[[Mapping[str, Any]], Message]] = MappingProxyType(
    {
        "draw": draw.answer,
        "check": check.answer,
        "sizes": check.weigh,
        "rank": rank.answer,
        "look": look.answer,
        "prompt": look.read,
        "file": files.answer,
        "keep": keep.answer,
    }
)
"""What `ask` answers."""

RUNS: Mapping[str, Callable[[Mapping[str, Any]], Iterator[Message]]] = MappingProxyType(
    {"trace": _trace, "compare": compare, "fights": fights.answer}
)
"""What `run` runs."""
