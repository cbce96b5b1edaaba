"""Which tool would be called: probabilities against sums over every path, written out one token at a time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tooldec.choosing.ranking import rank, ranking
from tooldec.errors import UsageError
from tooldec.models import EMBEDDED, Model, load_model
from tooldec.models.branches import Branches
from tooldec.schemes import SCHEMES
from tooldec.signatures import parse_tools
from tooldec.token_fsm import TokenFSM, build_fsm

PAPER = parse_tools("def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)")
FIGURE_3 = parse_tools("add(a: int), exp(x: int), exp10(x: int), expand(x: int), square(x: int), sqrt(x: int)")
QUESTION = "the side of a square is 5, what's its area?"


def by_hand(
    model: Model, fsm: TokenFSM, tokens: tuple[int, ...], state: int, weight: float, least: float
) -> dict[str, float]:
    """Every path above `least`, one session for each: slow, and nothing to get wrong."""
    meant = fsm.dfa.tools(state)
    if len(meant) == 1:
        return {meant[0]: weight}
    if weight < least:
        return {}
    session = model.start(PROMPT)
    session.append(tokens)
    allowed = torch.from_numpy(fsm.allowed(state))
    shares = torch.softmax(session.logits().double().masked_fill(~allowed, -torch.inf), 0)
    total: dict[str, float] = {}
    for token in allowed.nonzero().flatten().tolist():
        after = fsm.step(state, token)
        assert after is not None
        for tool, mass in by_hand(model, fsm, (*tokens, token), after, weight * float(shares[token]), least).items():
            total[tool] = total.get(tool, 0.0) + mass
    return total


PROMPT = f"Q: {QUESTION}\nA: "


def test_the_paper_example_with_the_toy() -> None:
    found = rank(load_model("toy"), PAPER, QUESTION)
    assert [entry.tool for entry in found.entries] == ["square", "add", "exp", "sqrt"]
    assert found.lost == 0 and found.paths == 2
    assert sum(entry.probability for entry in found.entries) == pytest.approx(1)
    assert [piece.token for piece in found.entries[0].path] == ["sq", "uare"]
    first, second = found.entries[0].path
    assert found.probability("square") == pytest.approx(first.probability * second.probability)


@pytest.mark.parametrize("tools", [PAPER, FIGURE_3])
def test_probabilities_are_sums_over_all_paths(small: Model, tools: tuple) -> None:  # type: ignore[type-arg]
    fsm = build_fsm(SCHEMES["special_token"].grammar(tools, start="call"), small.vocabulary)
    found = ranking(small, fsm, PROMPT, [tool.name for tool in tools], "<T>", cutoff=1e-3)
    (marker,) = small.vocabulary.ids("<T>")
    state = fsm.step(fsm.initial, marker)
    assert state is not None
    expected = by_hand(small, fsm, (marker,), state, 1.0, least=1e-5)
    assert found.lost <= 1e-3
    for entry in found.entries:
        assert entry.probability == pytest.approx(expected[entry.tool], abs=1.1e-3)
    assert sum(entry.probability for entry in found.entries) + found.lost == pytest.approx(1, abs=1e-6)


def one_session(model: Model, tokens: tuple[int, ...]) -> Any:
    session = model.start(PROMPT)
    session.append(tokens)
    return session.logits().numpy()


def test_branches_equal_sessions(small: Model) -> None:
    rows = [(), (5,), (5, 9, 30), (7, 8)]
    branches = Branches(small, PROMPT, (2,))
    many = branches.logits(rows)
    one = np.stack([one_session(small, (2, *row)) for row in rows])
    np.testing.assert_allclose(many, one, atol=1e-3)
    np.testing.assert_allclose(branches.logits(rows[2:]), one[2:], atol=1e-3)


def test_one_tool_is_certain_and_tags_work_too(small: Model) -> None:
    assert rank(small, PAPER[:1], QUESTION).probability("add") == 1
    found = rank(small, PAPER[:2], QUESTION, SCHEMES["json_tags"], documentation=False, cutoff=0.05)
    assert sum(entry.probability for entry in found.entries) + found.lost == pytest.approx(1, abs=1e-6)
    assert found.probability("no such tool") == 0


def test_a_machine_that_begins_with_text_is_refused() -> None:
    toy = load_model("toy")
    fsm = build_fsm(SCHEMES["special_token"].grammar(PAPER), toy.vocabulary)
    with pytest.raises(UsageError, match="begin with"):
        ranking(toy, build_fsm(SCHEMES["json_tags"].grammar(PAPER, start="call"), toy.vocabulary), "", ["add"], "<T>")
    assert fsm.initial == 0


@pytest.mark.data
def test_234_tools_in_two_seconds(data_folder: Path) -> None:
    if not any(EMBEDDED.glob("*.safetensors")):
        pytest.skip("there is no model in the box")
    tools = parse_tools((data_folder / "kamel_relations.jsonl").read_text("utf-8"))
    model = load_model("embedded")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the clock counts those of all threads
    try:
        rank(model, tools[:2], "warm", documentation=False)
        started = time.process_time()
        found = rank(model, tools, "Who is the author of Dune?", documentation=False)
        assert len(found.entries) == 234 and found.lost < 1e-2
        assert time.process_time() - started < 4  # two seconds, and as much again for a busy machine
    finally:
        torch.set_num_threads(threads)


@pytest.mark.parametrize("name", SCHEMES)
def test_names_are_weighed_behind_what_a_scheme_writes_before_them(name: str) -> None:
    tools = parse_tools("def square_number(side: int)\ndef weather_report(city: str)")
    entries = rank(load_model("embedded"), tools, "5 squared?", SCHEMES[name], weighed=True).entries
    shares = {entry.tool: entry.probability for entry in entries if entry.tool != "Finish"}
    assert (
        shares.keys() == {"square_number", "weather_report"} and max(shares, key=shares.__getitem__) == "square_number"
    )
    assert abs(sum(entry.probability for entry in entries) - 1) < 1e-9
