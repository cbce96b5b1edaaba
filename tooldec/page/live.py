"""One run, told while it happens: a start, its steps, the picture where it has changed, and the end."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from tooldec import explain
from tooldec.errors import ModelError, UsageError
from tooldec.methods import METHODS
from tooldec.models import Model
from tooldec.outline import Outline
from tooldec.page.ending import ending
from tooldec.page.prepared import Message, Prepared
from tooldec.page.request import Request
from tooldec.page.steps import OPENED, StepViews
from tooldec.schemes import Host
from tooldec.schemes.host import Replaced
from tooldec.symbols import pieces, symbols_of
from tooldec.trace import Step, Trace
from tooldec.views.export import Changes
from tooldec.views.graph import Picture, draw

DRAWING = 0.25
"""The part of a run's time that may go into drawing the graph again; what is left out is drawn at the end."""


MODES = {
    "text": "Text",
    "name": "Tool name",
    "argument": "Arguments",
    "other": "Arguments",
    "between": "Call’s end",
    "result": "Result",
}
"""The bands of a picture: kinds of boxes, and what is written on their ground."""

PARTS = {
    "react": {
        "text": "Thought",
        "name": "Action",
        "argument": "Action Input",
        "other": "Action Input",
        "result": "Observation",
    }
}
"""Schemes whose modes have names of their own."""


def told(request: Request) -> Iterator[Message]:
    """Decode one answer; each step is a message. Closing the iterator stops the run."""
    request.check_question()
    prepared = Prepared.of(request)
    outline, found = prepared.outline(request)
    prompt, _ = prepared.prompt(request)
    views = views_of(prepared, outline, request)
    picture = picture_of(outline, request, found, views.opened)
    sampling = {key: getattr(request, key) for key in ("max_tokens", "temperature", "top_p", "top_k", "seed")}
    opening, unspelled = list(request.opening), None
    try:
        opening += tokens_of(request.opening_text, prepared.model)
    except ModelError as error:
        unspelled = error
    steps = METHODS[request.method].run(
        prepared.model, prepared.scheme, prepared.tools, prompt, request.start, request.results,
        fsm=prepared.fsm, host=host_of(prepared, request), outline=outline, opening=opening,
        reveal=prepared.reveal(request, prompt), search=prepared.search(request), **sampling,
    )  # fmt: skip
    yield {"kind": "start", **prepared.facts(request, picture), **told_changes(found), "picture": picture.to_json()}
    taken: list[Step] = []
    still_own, text_at = len(request.opening), None
    outdated, begun, drawing = False, perf_counter(), 0.0
    try:
        for step in steps:
            outdated |= views.advance(step)
            if text_at is None and step.writer != "host" and not still_own:
                text_at = views.state
                if unspelled is not None:
                    raise refusal(prepared, text_at, request.opening_text) or unspelled
            still_own -= step.writer != "host"
            started = perf_counter()
            if outdated and (drawing == 0 or drawing < DRAWING * (started - begun)):
                picture = picture_of(outline, request, found, views.opened)
                outdated, drawing = False, drawing + perf_counter() - started
                yield {"kind": "picture", "picture": picture.to_json()}
            taken.append(step)
            yield {"kind": "step", "step": views.view(step, picture)}
    except UsageError as error:  # a token of the text, which nobody has typed as such
        if not request.opening_text:
            raise
        raise (
            refusal(prepared, views.next_state if text_at is None else text_at, request.opening_text) or error
        ) from None
    finally:
        steps.close()
    if unspelled is not None:
        raise unspelled
    if outdated:
        yield {"kind": "picture", "picture": picture_of(outline, request, found, views.opened).to_json()}
    yield ending(Trace.collect(taken), prepared.scheme, prepared.tools, request)


def host_of(prepared: Prepared, request: Request) -> Host:
    """Who writes results: the scheme's host, which was told what other tools return, and what a branch has instead."""
    return Replaced(prepared.scheme, prepared.tools, request.values, dict(request.replaced))


def refusal(prepared: Prepared, state: int, text: str) -> UsageError | None:
    """Why a text can't be written in a state, whatever tokens a model has for it; None where it could be."""
    dfa = prepared.fsm.dfa
    why = explain.why_blocked(dfa, state, symbols_of(text, dfa.specials))
    shown = text.replace("\n", "↵")
    return UsageError(f"`{shown}` can't stand here: {why}", fix="take what is valid") if why else None


def tokens_of(text: str, model: Model) -> Iterator[int]:
    """A text's tokens, special ones by their names: `is <T>add(` → ` is`, ` `, `<T>`, `add`, `(`."""
    specials = model.vocabulary.specials
    for piece in pieces(text, specials):
        if piece in specials:
            yield specials[piece][0]
        else:
            yield from model.tokenize(piece)


def views_of(
    prepared: Prepared, outline: Outline, request: Request, opened: tuple[str, ...] | None = None
) -> StepViews:
    """Follows a run of the request's machine, in a picture in which these boxes are opened, if there is one.

    A picture that runs downward is for a phone: there is no room to open what nobody asked for.
    """
    wanted = {(tool, parameter): shown for tool, parameter, shown in request.opened}
    room = OPENED if opened is None and request.direction == "LR" else 0
    guided = METHODS[request.method].guided  # no machine keeps an unguided run from any tool
    return StepViews(prepared.fsm, outline, prepared.tools if guided else (), opened or (), wanted, room)


def picture_of(
    outline: Outline, request: Request, found: Changes | None = None, opened: tuple[str, ...] = ()
) -> Picture:
    """The machine drawn as the page wants it; what has changed since older tools is marked."""
    new = found.states if found else ()
    return draw(outline, opened, new, direction=request.direction, modes=PARTS.get(request.scheme, MODES))


def told_changes(found: Changes | None) -> Message:
    """What has changed since older tools."""
    return {"changes": {"new": found.states, "changed": found.changed, "gone": found.gone} if found else None}
