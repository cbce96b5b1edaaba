"""Measuring the model in the box: sets of questions, figures, pictures and the card."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
import torch

from tooldec import load_model, parse_tools
from tooldec.bench import Case
from tooldec.training.card import write_card
from tooldec.training.cases import generated, growing, joined, written
from tooldec.training.evaluation import answer, cases_of, evaluate, manners
from tooldec.training.plot import loss_plot
from tooldec.training.results_page import page
from tooldec.training.shape import Shape
from tooldec.views.plot import plot

TESTS = Path(__file__).parent


@pytest.mark.parametrize(
    "name", ["asked", "pasted", "seen", "phrasing", "names", "chains", "chat", "seen-30", "unseen-12"]
)
def test_sets(name: str) -> None:
    cases = cases_of(name, 20, TESTS, None)
    assert len(cases) == (10 if name in ("chains", "chat") else 20)
    for case in cases:
        names = [tool.name for tool in case.tools]
        assert len(set(names)) == len(names) and {call[0] for call in case.calls} <= set(names)
        assert bool(case.calls) == (name != "chat")


def test_an_unknown_set_is_told() -> None:
    for name in ("kamel-30", "nothing", "seen-x"):
        with pytest.raises(ValueError, match="there is no set"):
            cases_of(name, 1, TESTS, None)


def test_joined_lists_hold_those_of_their_questions_and_no_more_than_asked_for() -> None:
    cases = written(TESTS / "asked_tools.jsonl")
    found = joined(cases, 20)
    assert [case.question for case in found] == [case.question for case in cases]
    for short, long in zip(cases, found, strict=True):
        assert {*map(repr, short.tools)} <= {*map(repr, long.tools)}
        assert len({tool.name for tool in long.tools}) == len(long.tools) <= 20
    assert sum(len(case.tools) > 12 for case in found) > len(found) / 2
    one, other = (Case((parse_tools(f"def f({key}: int)")[0],), "?", (), "asked") for key in "ab")
    assert [case.tools for case in joined([one, other, other], 9)] == [one.tools, other.tools, other.tools]
    assert cases_of("asked-20", 9, TESTS, None) == joined(cases[:9], 20)


@pytest.mark.parametrize("size", [4, 60])
def test_growing_lists_have_their_size_and_the_same_questions(size: int) -> None:
    found, small = growing("names", size, 8), growing("names", 4, 8)
    assert [len(case.tools) for case in found] == [size] * 8
    assert [case.question for case in found] == [case.question for case in small]


def test_long_lists_are_not_put_into_the_prompt() -> None:
    assert list(manners("seen-500")) == [("special_token", False)]
    assert ("react", True) in list(manners("asked"))


@pytest.mark.data
def test_sets_of_data(data_folder: Path) -> None:
    for name, count, tools in (("funcqa-onehop", 30, 13), ("funcqa-multihop", 34, 13), ("kamel-60", 50, 60)):
        cases = cases_of(name, 50, TESTS, data_folder)
        assert len(cases) == count and {len(case.tools) for case in cases} == {tools}


def ends_with(row: dict[str, float]) -> str:
    """The end of a line of the card."""
    return f" | {row['tool']:.1f} | {row['whole']:.1f} |"


def test_guided_answers_have_no_syntax_errors_and_the_card_tells_them(tmp_path: Path) -> None:
    model = load_model("embedded", device="cpu")
    samples: list[dict[str, object]] = []
    figures = evaluate(model, 2, TESTS, ["pasted", "seen-4"], samples)
    assert len(samples) == 34, "all methods; where no list is shown weighed, too; what people wrote quoted and searched"
    assert all(row["error"] == 0 for key, row in figures.items() if not key.endswith("/ unguided"))
    state = {
        "optimizer": {"masters": {"model.embed_tokens.weight": torch.zeros(4, 4)}, "steps": 3},
        "seconds": 60.0,
        "tokens": 99,
        "seed": 0,
        "history": [[1, 10.0, 7.0], [3, 60.0, 5.0]],
    }
    torch.save(state, tmp_path / "checkpoint.pt")
    (tmp_path / "config.json").write_text(json.dumps(Shape().config()))
    trial = {
        f"one row / seen / {manner}": {"count": 1, "error": 0, "tool": 1, "whole": 1}
        for manner in ("guided", "unguided")
    }
    card = write_card(tmp_path / "checkpoint.pt", figures, tmp_path, trial=trial, read="Fine.").read_text()
    short = figures["pasted / special_token / not listed / shortlist"]
    ends = f"{ends_with(short)}\n"
    assert f"{ends}| seen" in card or f"{ends}\n" in card
    assert "| pasted / special_token / listed | 2 |" in card and "| seen, not listed, weighed |" in card
    searched = figures["pasted / special_token / listed / shortlist quoted"]
    assert f"{ends_with(searched)}\n\n" in card.partition("arguments searched for")[2]
    assert "| one row | seen | 1 |" in card and "Fine." in card and "{" not in card
    for name in ("loss.svg", "tools.svg"):
        ElementTree.parse(tmp_path / name)


def test_a_question_without_a_call_is_right_without_one() -> None:
    case = generated("train", 1, ("chat",))[0]
    outcome = answer(load_model("embedded", device="cpu"), case, "special_token", True)
    assert outcome.error is None and outcome.whole == outcome.tool


def test_pictures_are_svg() -> None:
    history = [[step, step * 10.0, 5.0 / step] for step in range(1, 400)]
    for text in (loss_plot(history), plot({"a<b": [(4, 1.0), (500, 0.5)]}, "x", "y", logarithmic=True)):
        assert ElementTree.fromstring(text).tag.endswith("svg")


def test_names_of_curves_stand_at_their_ends_and_apart() -> None:
    ends = {"a": 70.0, "b": 70.0, "c": 65.0, "d": 0.0, "e": 100.0}
    drawn = ElementTree.fromstring(plot({name: [(4, 50.0), (500, end)] for name, end in ends.items()}, "x", "y", True))
    places = {text.text: float(text.attrib["y"]) for text in drawn.findall("{*}text") if text.text in ends}
    assert sorted(places, key=places.__getitem__) in (["e", "a", "b", "c", "d"], ["e", "b", "a", "c", "d"])
    heights = sorted(places.values())
    assert all(below - above > 13.5 for above, below in pairwise(heights)) and 0 < heights[0] < heights[-1] < 360


def test_written_cases_are_read() -> None:
    case = written(TESTS / "asked_tools.jsonl")[0]
    assert isinstance(case, Case) and case.final is None


def test_the_page_of_results_has_a_row_for_each_question() -> None:
    common = {"set": "asked_tools", "scheme": "special_token", "listed": True, "question": "a|b?", "finished": True}
    samples = [
        {
            **common,
            "method": "guided",
            "calls": [["f", {"x": 1}, "ok"]],
            "error": None,
            "tool": True,
            "whole": True,
            "text": "f(1)",
        },
        {
            **common,
            "method": "unguided",
            "calls": [["f", {"x": 1}, "ok"]],
            "error": "name",
            "tool": False,
            "whole": False,
            "text": "g",
        },
        {
            **common,
            "set": "seen",
            "method": "guided",
            "calls": [],
            "error": None,
            "tool": True,
            "whole": True,
            "text": "",
        },
    ]
    text = page(samples, "asked_tools")
    assert "1 of 1 calls" in text
    assert "| a\\|b? | `f(x=1)` | `f(1)` | right | `g` | syntax: name |" in text


@pytest.mark.parametrize("history", [[[3, 20.0, 8.5]], [[1, 5.0, 9.5], [3, 20.0, 8.5]]])
def test_a_run_of_any_length_has_its_curve(history: list[list[float]]) -> None:
    assert loss_plot(history).startswith("<svg")
