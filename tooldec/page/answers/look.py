"""{"ask": "look"}: a state of the graph, visited by a run or not; {"ask": "prompt"}: what the model reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tooldec import explain
from tooldec.errors import UsageError
from tooldec.page.prepared import Message, Prepared
from tooldec.page.request import Request, field_of
from tooldec.states.cells import TextCell
from tooldec.symbols import symbols_of
from tooldec.token_fsm import TokenFSM

PAGE = 60
"""How many tokens are listed at once."""

TOOLS = 200
"""How many reachable tools are named."""

LONGEST = 200
"""Characters of what somebody types into "why not"."""


def answer(data: Mapping[str, Any]) -> Message:
    """What a state allows, and what it leads to.

    box, entered    the state: a box of the picture, and what a run had written of the call when it was there
    find, offset    tokens that contain a text, from the so-and-so-many-th on
    why             a token or a text: why it can't stand here
    """
    request = Request.read(data)
    prepared = Prepared.of(request)
    fsm = prepared.fsm
    outline, _ = prepared.outline(request)
    shown = {one.id for one in outline.view().boxes}
    box, entered = field_of(data, "box", ""), field_of(data, "entered", "")
    state = _written(fsm, entered) if entered else None
    if state is None and box.partition(".")[0] in shown:
        state = outline.inside(box)
    if state is None:
        raise UsageError("this state isn't in the machine any more", fix="run again")
    names = fsm.dfa.reachable(state)
    signatures = {tool.name: tool.signature() for tool in prepared.tools if tool.name in set(names[:TOOLS])}
    label = fsm.label(state)
    return {
        "kind": "state",
        "box": box,
        "name": outline.name(state),
        "mode": label.mode,
        "tool": label.tool,
        "parameter": label.parameter,
        "expected": explain.expected(fsm.dfa, state),
        "tools": {
            "names": [signatures[name] for name in names[:TOOLS]],
            "count": len(names),
            "total": len(prepared.tools),
        },
        "allowed": _allowed(fsm, state, outline, field_of(data, "find", ""), field_of(data, "offset", 0)),
        "why": _why(fsm, state, field_of(data, "why", "")[:LONGEST]),
    }


def read(data: Mapping[str, Any]) -> Message:
    """The prompt as the model reads it, and how many tokens it has."""
    request = Request.read(data)
    facts, _ = Prepared.of(request).prompt_facts(request)
    return {"kind": "prompt", "prompt": facts}


def _written(fsm: TokenFSM, entered: str) -> int | None:
    """The state after what has been written of a call, from its marker on."""
    dfa = fsm.dfa
    text = next((cell for cell in dfa.cells(fsm.initial) if isinstance(cell, TextCell) and cell.marker), None)
    starts = [dfa.state(dfa.heads(text.rest))] if text is not None else []
    starts += [at for name in dfa.specials if (at := dfa.step(fsm.initial, name)) is not None]
    for start in (*starts, fsm.initial):
        for symbols in (entered.encode("utf-8", "surrogatepass"), symbols_of(entered, dfa.specials)):
            found = dfa.read(symbols, start)
            if found is not None:
                return found
    return None


def _allowed(fsm: TokenFSM, state: int, outline: Any, find: str, offset: int) -> Message:
    vocabulary = fsm.vocabulary
    if fsm.is_host(state):
        return {"total": 0, "found": 0, "offset": 0, "whole": False, "host": True, "tokens": []}
    ids = fsm.allowed(state).nonzero()[0].tolist()
    hits = [token for token in ids if find in vocabulary.text(token)] if find else ids
    tokens = []
    for token in hits[max(offset, 0) : max(offset, 0) + PAGE]:
        after = fsm.step(state, token)
        known = after is not None and outline.box(after) is not None
        tokens.append(
            {"token_id": token, "token": vocabulary.text(token), "next_name": outline.name(after) if known else None}
        )
    whole = len(ids) == vocabulary.size
    return {"total": len(ids), "found": len(hits), "offset": offset, "whole": whole, "host": False, "tokens": tokens}


def _why(fsm: TokenFSM, state: int, typed: str) -> Message | None:
    """Whether a text may stand here: as a special token, where it is the name of one, or else byte by byte."""
    if not typed:
        return None
    special = fsm.vocabulary.ids(typed)
    if special and fsm.symbols(special[0]) == (typed,):
        reason = fsm.why_blocked(state, special[0])
    else:
        reason = explain.why_blocked(fsm.dfa, state, tuple(typed.encode("utf-8", "surrogatepass")))
    return {"text": typed, "reason": reason}
