"""{"ask": "draw"}: the machine of the pasted tools as a picture, and where the steps of a run stand in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tooldec.errors import UsageError
from tooldec.page.live import picture_of, told_changes, views_of
from tooldec.page.prepared import Message, Prepared
from tooldec.page.request import Request, field_of


@dataclass(frozen=True, slots=True)
class Told:
    """What the page tells of a step: what has to be known to follow it, and the valid tokens that it shows."""

    token_id: int
    writer: str
    state: int
    next_state: int
    valid: tuple[int, ...]


def answer(data: Mapping[str, Any]) -> Message:
    """The picture, the machine's figures and warnings; with `steps`, those of a run, the `places` of these, too.

    Whoever opens a box of a run's graph gets all of it anew: ids of boxes are those of one picture.
    """
    request = Request.read(data)
    steps = [_told(step) for step in field_of(data, "steps", [])]
    prepared = Prepared.of(request)
    outline, found = prepared.outline(request)
    views = views_of(prepared, outline, request)
    for step in steps:
        views.advance(step)
    picture = picture_of(outline, request, found, views.opened)
    places = []
    again = views_of(prepared, outline, request, views.opened)
    for step in steps:
        again.advance(step)
        places.append(again.places(step.valid, picture))
    facts = {**prepared.facts(request, picture), **told_changes(found)}
    return {"kind": "machine", **facts, "picture": picture.to_json(), **({"places": places} if steps else {})}


def _told(step: object) -> Told:
    if isinstance(step, Mapping):
        names = ("token_id", "state", "next_state")
        token, state, following = (step.get(name) for name in names)
        writer, valid = step.get("writer"), step.get("valid")
        numbers = [token, state, following, *(valid if isinstance(valid, list) else ["none"])]
        if isinstance(writer, str) and all(type(number) is int for number in numbers):
            return Told(numbers[0], writer, numbers[1], numbers[2], tuple(numbers[3:]))
    raise UsageError(f"`steps` can't hold {json.dumps(step)[:80]}", fix="send the steps of a run")
