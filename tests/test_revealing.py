"""The signatures of tools, shown where one of them is chosen and while its call is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from test_ranking import FIGURE_3, QUESTION

from tooldec import SCHEMES, Trace, decode, parse_tools
from tooldec.choosing import weighing
from tooldec.choosing.revealing import Reveal, RevealingSession, signatures_of
from tooldec.errors import ToolDecError
from tooldec.methods import METHODS
from tooldec.models import Model
from tooldec.schemes import Prompt
from tooldec.token_fsm import TokenFSM, build_fsm

NESTED = parse_tools("exp(x: int)\nexp10(y: int)")


def by_hand(
    model: Model, fsm: TokenFSM, usual: Prompt, reveal: Reveal, count: int
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Greedy P̃, every token from a new session behind the prompt that is to be read there."""
    written: list[int] = []
    state = fsm.initial
    for _ in range(count):
        label = fsm.label(state)
        sure = (label.tool,) if label.tool and fsm.dfa.tools(state) == (label.tool,) else ()
        session = model.start(reveal(sure) if sure else usual)
        session.append(written)
        scores = session.logits().clone()
        scores[torch.from_numpy(~fsm.allowed(state))] = -torch.inf
        token = int(scores.argmax())
        yield token, sure
        after = fsm.step(state, token)
        assert after is not None
        if fsm.is_complete(after):
            return
        written.append(token)
        state = after


@pytest.mark.parametrize("name", ["special_token", "json_tags", "toolken"])
def test_each_token_is_read_behind_the_prompt_of_its_place(small: Model, name: str) -> None:
    scheme = SCHEMES[name].for_model(small)
    usual = scheme.prompt(FIGURE_3, QUESTION, documentation=False)
    reveal = signatures_of(scheme, FIGURE_3, QUESTION)
    fsm = build_fsm(scheme.grammar(FIGURE_3, start="call"), small.vocabulary)
    trace = Trace.collect(decode(small, fsm, usual, max_tokens=60, reveal=reveal))
    wanted = list(by_hand(small, fsm, usual, reveal, 60))
    assert [(step.token_id, step.revealed) for step in trace.steps] == wanted
    assert {step.revealed for step in trace.steps} > {()}


def test_the_prompt_is_read_again_behind_the_call(small: Model) -> None:
    """Two calls of an answer: each behind its own signature, and the text between them behind the usual prompt."""
    scheme = SCHEMES["special_token"].for_model(small)
    usual = scheme.prompt(FIGURE_3, QUESTION, documentation=False)
    fsm = build_fsm(scheme.grammar(FIGURE_3), small.vocabulary)
    text = "a <T>square(5) and <T>add(1) then"
    opening = [token for part in pieces(text, small) for token in part]
    steps = [*decode(small, fsm, usual, 80, opening=opening, reveal=signatures_of(scheme, FIGURE_3, QUESTION))]
    shown = "".join(step.token for step in steps[: len(opening)] if step.revealed == ("square",))
    assert shown.endswith("5)") and "<T>" not in shown and "and" not in shown
    assert all(not step.revealed for step in steps if step.mode in ("text", "name") and "(" not in step.token)
    assert any(step.revealed == ("add",) for step in steps)


def pieces(text: str, model: Model) -> Iterator[list[int]]:
    before, *calls = text.split("<T>")
    yield model.tokenize(before)
    for call in calls:
        yield list(model.vocabulary.ids("<T>"))
        yield model.tokenize(call)


def test_a_tool_is_revealed_where_no_other_can_be_meant(small: Model) -> None:
    """Behind `exp` it may still be exp10."""
    scheme = SCHEMES["special_token"].for_model(small)
    fsm = build_fsm(scheme.grammar(NESTED, start="call"), small.vocabulary)
    asked: list[tuple[str, ...]] = []

    def reveal(names: Sequence[str]) -> Prompt | str:
        asked.append(tuple(names))
        return signatures_of(scheme, NESTED, "?")(names)

    session = RevealingSession(small, fsm, scheme.prompt(NESTED, "?", documentation=False), reveal)
    state = fsm.initial
    found = []
    for token in [*small.vocabulary.ids("<T>"), *small.tokenize("exp"), *small.tokenize("(7)")]:
        session.at(state)
        found.append(session.revealed)
        after = fsm.step(state, token)
        assert after is not None
        session.append([token])
        state = after
    assert found[0] == () and asked == [("exp",)]
    behind = len([*small.vocabulary.ids("<T>"), *small.tokenize("exp")])
    assert found[behind] == (), "exp10 is still possible"
    assert found[behind + 1] == ("exp",)


def test_nothing_is_revealed_of_itself(small: Model) -> None:
    scheme = SCHEMES["special_token"].for_model(small)
    usual = scheme.prompt(FIGURE_3, QUESTION, documentation=False)
    fsm = build_fsm(scheme.grammar(FIGURE_3, start="call"), small.vocabulary)
    assert not any(step.revealed for step in decode(small, fsm, usual, 30))


def test_names_are_the_same_and_calls_as_valid(small: Model) -> None:
    """Sampled by the mask alone: what is revealed changes arguments only."""
    scheme = SCHEMES["special_token"].for_model(small)
    usual = scheme.prompt(FIGURE_3, QUESTION, documentation=False)
    finished = 0
    for seed in range(6):
        names = []
        for reveal in (None, signatures_of(scheme, FIGURE_3, QUESTION)):
            settings: dict[str, Any] = {"temperature": 1.0, "seed": seed, "max_tokens": 60}
            run = METHODS["guided"].run(small, scheme, FIGURE_3, usual, "call", reveal=reveal, **settings)
            trace = Trace.collect(run)
            if trace.finished:
                assert scheme.read_calls(trace.text, FIGURE_3)
                finished += 1
            names.append([step.token_id for step in trace.steps if step.mode == "name"])
        shorter = min(map(len, names))  # a run may be cut off before it closes its call
        assert shorter > 1 and names[0][:shorter] == names[1][:shorter]
    assert finished > 2


def test_backtracking_begins_again_behind_the_usual_prompt(small: Model) -> None:
    scheme = SCHEMES["special_token"].for_model(small)
    usual = scheme.prompt(FIGURE_3, QUESTION, documentation=False)
    fsm = build_fsm(scheme.grammar(FIGURE_3, start="call"), small.vocabulary)
    session = RevealingSession(small, fsm, usual, signatures_of(scheme, FIGURE_3, QUESTION))
    start = small.start(usual)
    tokens = [*small.vocabulary.ids("<T>"), *small.tokenize("square(")]
    state = fsm.initial
    for token in tokens:
        state = fsm.step(state, token) or 0
    session.append(tokens)
    session.at(state)
    assert session.revealed == ("square",)
    session.restart(tokens[:1])
    start.append(tokens[:1])
    assert session.revealed == () and np.array_equal(session.logits(), start.logits())


def test_a_signature_that_does_not_fit_is_told(small: Model) -> None:
    scheme = SCHEMES["special_token"].for_model(small)
    usual = scheme.prompt(FIGURE_3, QUESTION, documentation=False)
    fsm = build_fsm(scheme.grammar(FIGURE_3, start="call"), small.vocabulary)
    opening = [*small.vocabulary.ids("<T>"), *small.tokenize("square(")]

    one = FIGURE_3[-2:-1]
    for spare in range(-1, 2):  # too long alone, or with the answer so far
        words = "a" * (small.context - small.prompt_tokens(scheme.prompt(one, "")) - spare)
        reveal = signatures_of(scheme, one, words)
        with pytest.raises(ToolDecError, match="context"):
            list(decode(small, fsm, usual, 40, opening=opening, reveal=reveal))


@pytest.mark.parametrize("name", ["special_token", "json_tags", "react"])
@pytest.mark.parametrize("listed", [True, False])
def test_a_shortlist_is_read_where_a_name_is_chosen_and_called(
    roomy: Model, monkeypatch: pytest.MonkeyPatch, name: str, listed: bool
) -> None:
    """What each token is chosen from is P behind the prompt that the step tells of."""
    monkeypatch.setattr(weighing, "SHORTLIST", 3)
    scheme = SCHEMES[name].for_model(roomy)
    usual, reveal = scheme.prompt(FIGURE_3, QUESTION, documentation=listed), signatures_of(scheme, FIGURE_3, QUESTION)
    fsm = build_fsm(scheme.grammar(FIGURE_3, start="call"), roomy.vocabulary)
    host = scheme.host(FIGURE_3)
    for seed in range(3):
        sampled: dict[str, Any] = {"temperature": 1.0, "seed": seed, "max_tokens": 50, "host": host}
        written: list[int] = []
        shortlist, called = (), False
        for step in decode(roomy, fsm, usual, weighed=True, reveal=reveal, **sampled):
            if step.writer != "host":
                session = roomy.start(reveal(step.revealed) if step.revealed else usual)
                session.append(written)
                before = session.logits().double().softmax(0)
                for shown in step.candidates:
                    assert shown.before == pytest.approx(float(before[shown.token_id]), abs=2e-5)
            if step.mode == "name" and step.revealed and not shortlist:
                shortlist = step.revealed
                assert len(shortlist) == 3 and {*shortlist} < {*(tool.name for tool in FIGURE_3), "Finish"}
            called |= step.mode == "argument"
            if step.mode == "name" and step.tool is None and not called:
                assert step.revealed == shortlist
            if step.mode == "argument" and step.writer == "model" and step.revealed:
                assert step.revealed == (shortlist if step.tool in shortlist else (step.tool,))
            written.append(step.token_id)
        assert shortlist


def test_a_tool_that_is_in_no_shortlist_can_be_called(roomy: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "SHORTLIST", 2)
    scheme = SCHEMES["special_token"].for_model(roomy)
    usual = scheme.prompt(FIGURE_3, QUESTION, documentation=False)
    fsm = build_fsm(scheme.grammar(FIGURE_3, start="call"), roomy.vocabulary)
    outside = 0
    for tool in FIGURE_3:
        opening = [*roomy.vocabulary.ids("<T>"), *roomy.tokenize(f"{tool.name}(")]
        shown = signatures_of(scheme, FIGURE_3, QUESTION)
        steps = [*decode(roomy, fsm, usual, 30, opening=opening, weighed=True, reveal=shown)]
        (shortlist,) = {step.revealed for step in steps if step.mode == "name" and step.tool is None}
        assert steps[-1].revealed == (shortlist if tool.name in shortlist else (tool.name,))
        outside += tool.name not in shortlist
    assert outside == len(FIGURE_3) - 2


@pytest.mark.parametrize("fitting", [4, 2, 0])
def test_a_shortlist_is_as_long_as_the_model_can_read(roomy: Model, fitting: int) -> None:
    """Of four tools behind a question that leaves so many tokens, the likeliest ones, down to none."""
    scheme, tools, names = SCHEMES["special_token"].for_model(roomy), FIGURE_3[:4], [tool.name for tool in FIGURE_3]
    (marker,) = roomy.vocabulary.ids("<T>")
    room = roomy.context - weighing.ROOM - 1
    shown = signatures_of(scheme, tools, "")(names[: fitting or 1])
    question = "#" * (room - roomy.prompt_tokens(shown) + (-6 if fitting else 9))
    usual, reveal = scheme.prompt(tools, question, documentation=False), signatures_of(scheme, tools, question)
    lengths = [roomy.prompt_tokens(reveal(names[:count])) for count in range(1, 5)]
    fsm = build_fsm(scheme.grammar(tools, start="call"), roomy.vocabulary)
    state = fsm.step(fsm.initial, marker)
    assert state is not None
    weights, shortlist = weighing.Weigher(roomy, fsm, usual, reveal=reveal).weigh(state, [marker], roomy.context)
    assert len(shortlist) == sum(length <= room for length in lengths) == fitting
    assert all(weight.shown == (fitting > 0) for weight in weights.values()) and weights.keys() == {*names[:4]}
