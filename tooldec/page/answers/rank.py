"""{"ask": "rank"}: which tool would be called for a question, exactly.

One ranking at a time is made with each model, beside the run that it may be busy with: nobody waits minutes for a bar.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tooldec.choosing.ranking import Ranking, ranking
from tooldec.methods import METHODS
from tooldec.page.prepared import Locks, Message, Prepared
from tooldec.page.request import Request

SENT = 400
"""How many tools of a ranking the page gets."""

_ranking = Locks()


def answer(data: Mapping[str, Any]) -> Message:
    """The probability of every tool's name at the start of a call, the most probable first, with token pieces."""
    request = called(data)
    request.check_question()
    prepared = Prepared.of(request)
    with _ranking.of(request.model):
        found = ranked(prepared, request)
    places = {tool.name: (tool.line, tool.column) for tool in prepared.tools}
    entries = []
    for entry in found.entries[:SENT]:
        line, column = places.get(entry.tool, (None, None))  # Finish stands nowhere
        path = [{"token": piece.token, "probability": piece.probability} for piece in entry.path]
        entries.append(
            {
                "tool": entry.tool, "probability": entry.probability, "path": path, "weight": entry.weight,
                "line": line, "column": column,
            }
        )  # fmt: skip
    return {
        "kind": "ranking",
        "question": request.question,
        "entries": entries,
        "tools": len(found.entries),
        "followed": sum(entry.probability > 0 for entry in found.entries),
        "sum": sum(entry.probability for entry in found.entries),
        "lost": found.lost,
        "paths": found.paths,
        "seconds": found.seconds,
        "marker": prepared.scheme.marker,
        "weighed": METHODS[request.method].weighed,
        "shortlist": len(found.shortlist),
    }


def called(data: Mapping[str, Any]) -> Request:
    """The request with a call forced, guided one way or the other."""
    request = Request.read({**data, "start": "call", "results": False})
    return request if METHODS[request.method].guided else replace(request, method="guided")


def ranked(prepared: Prepared, request: Request) -> Ranking:
    """The ranking for a request whose machine begins with a call."""
    prompt, _ = prepared.prompt(request)
    names = [tool.name for tool in prepared.tools]
    host = prepared.scheme.host(prepared.tools)
    weighed = METHODS[request.method].weighed
    reveal = prepared.reveal(request, prompt) if weighed else None
    return ranking(
        prepared.model, prepared.fsm, prompt, names, prepared.scheme.marker, host=host, weighed=weighed, reveal=reveal
    )
