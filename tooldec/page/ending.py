"""How a run ended, as the page shows it."""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import Any

from tooldec.errors import CallError
from tooldec.page.request import Request
from tooldec.reading import Verdict, judge
from tooldec.schemes import Scheme
from tooldec.schemes.host import ResultHost
from tooldec.tools import Tool
from tooldec.trace import Trace


def ending(trace: Trace, scheme: Scheme, tools: tuple[Tool, ...], request: Request) -> dict[str, Any]:
    """The message of the kind "end": why the run ended, its calls or what is wrong with them, and the whole trace."""
    verdict = Verdict("none") if request.start == "none" else judge(trace.text, scheme, tools)
    begun = verdict.error is None or _is_begun(verdict, trace.text, request.scheme)
    calls, call_error = verdict.calls, verdict.error and {**_told(verdict.error), "begun": begun}
    notes: list[str] = []
    if trace.end == "limit":
        notes.append(f"cut off after {len(trace.steps)} tokens: this is no finished answer")
    if trace.end == "needs_result":
        name = calls[-1].name if calls else "the tool"
        notes.append(f"nobody here knows the result of {name}: give it a value, and run again")
    if not calls and (call_error is None or not begun) and request.start == "text" and trace.end != "stopped":
        notes.append("the model answered without a call; choose “force a call” to see one")
    results = _results(trace, scheme.host(tools))
    return {
        "kind": "end",
        "end": trace.end,
        "finished": trace.finished,
        "text": trace.text,
        "calls": [
            {
                "name": call.name,
                "arguments": json.loads(json.dumps(call.arguments), parse_constant=str),  # 1e999 is no number in JSON
                "start": call.start,
                "end": call.end,
                "result": results[index] if index < len(results) else None,
            }
            for index, call in enumerate(calls)
        ],
        "call_error": call_error,
        "totals": {
            "model_ms": sum(step.model_ms for step in trace.steps),
            "mask_ms": sum(step.mask_ms for step in trace.steps),
            "steps": len(trace.steps),
        },
        "notes": notes,
        "trace": json.loads(trace.to_json()),
    }


def _is_begun(verdict: Verdict, text: str, scheme: str) -> bool:
    """Whether what is wrong is a call: one in another form is text, and a thought without an action is none."""
    return not verdict.stray and (scheme != "react" or re.search(r"^Action\b", text, re.MULTILINE) is not None)


def _told(error: CallError) -> dict[str, Any]:
    return {
        "message": str(error),
        "kind": error.kind,
        "start": error.start,
        "end": error.end,
        "fault": error.fault,
    }


def _results(trace: Trace, host: ResultHost) -> list[str]:
    """The results that the host wrote, one for each time it was asked."""
    after = (*(step.text for step in trace.steps[1:]), trace.text)
    wrote = [step.writer == "host" and step.mode == "result" for step in trace.steps]
    found: list[str] = []
    for _, group in groupby(range(len(wrote)), key=lambda at: wrote[at]):
        first, *more = group
        if wrote[first]:
            text = after[more[-1] if more else first]
            found.append(host.result(text[len(trace.steps[first].text) :]))
    return found
