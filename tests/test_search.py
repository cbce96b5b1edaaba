"""Arguments chosen as wholes: against all valid calls one by one, each read in a session of its own."""

from __future__ import annotations

import math
import zlib
from typing import Any

import numpy as np
import pytest
import torch
from writer import VOCABULARY, Writer

from tooldec import SCHEMES, Trace, decode, load_model, parse_tools
from tooldec.choosing import search
from tooldec.choosing.revealing import signatures_of
from tooldec.choosing.search import BEAMS, Search, Searcher
from tooldec.errors import UsageError
from tooldec.methods import METHODS
from tooldec.models import Model
from tooldec.schemes import Prompt, quoting
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.trace import Step


class Dice(Writer):
    """A model of bytes that thinks something else of each text: a call has one spelling only."""

    def start(self, prompt: Prompt | str) -> Any:
        session = super().start(prompt)

        class Thrown(type(session)):  # type: ignore[misc]
            def logits(self) -> torch.Tensor:
                seed = zlib.crc32(repr((str(prompt), self.tokens)).encode())
                return torch.randn(VOCABULARY.size, generator=torch.Generator().manual_seed(seed)) * 3

        session.__class__ = Thrown
        return session


TOOLS = parse_tools('paint(colour: Literal["red", "green", "grey"], wet: bool), wash(hot: bool = True)')
QUESTION = "Paint it grey, please, and let it dry."


def log_p(model: Model, prompt: Prompt | str, tokens: list[int]) -> torch.Tensor:
    """log P of the next token, of everything that could be written."""
    session = model.start(prompt)
    session.append(tokens)
    return session.logits().double().log_softmax(0)


def every_call(model: Model, fsm: TokenFSM, prompt: Prompt | str, written: list[int], state: int) -> dict[Any, float]:
    """log P of each spelling of each valid rest of a call, by depth first."""
    found, stack = {}, [((), state, 0.0)]
    while stack:
        way, at, score = stack.pop()
        if fsm.is_complete(at) or fsm.is_host(at) or fsm.label(at).tool is None:
            found[way] = score
            continue
        row = log_p(model, prompt, [*written, *way])
        for token in np.flatnonzero(fsm.allowed(at)).tolist():
            after = fsm.step(at, token)
            assert after is not None
            stack.append(((*way, token), after, score + float(row[token])))
    return found


def named(fsm: TokenFSM, trace: Trace) -> tuple[list[int], int]:
    """The tokens up to where a tool's name is complete, and the state there."""
    written, state = list[int](), fsm.initial
    for step in trace.steps:
        if fsm.label(state).tool is not None:
            return written, state
        written.append(step.token_id)
        after = fsm.step(state, step.token_id)
        assert after is not None
        state = after
    raise AssertionError(trace.text)


@pytest.mark.parametrize("scheme_name", ["special_token", "json_tags"])
@pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])
@pytest.mark.parametrize("prompt", ["one", "two", "three"])
def test_a_wide_search_finds_the_likeliest_of_all_calls(prompt: str, tool: Any, scheme_name: str) -> None:
    model, scheme = Dice(), SCHEMES[scheme_name]
    fsm = build_fsm(scheme.grammar([tool], start="call"), model.vocabulary)
    host = scheme.host([tool])
    plain, searched = (
        Trace.collect(decode(model, fsm, prompt, host=host, max_tokens=100, search=Search(beams) if beams else None))
        for beams in (0, 50)
    )
    written, state = named(fsm, plain)
    calls = every_call(model, fsm, prompt, written, state)
    likeliest = max(calls, key=calls.__getitem__)
    taken = tuple(step.token_id for step in searched.steps[len(written) :])
    assert len(calls) > 1 and taken[: len(likeliest)] == likeliest


def test_a_wide_search_finds_what_greedy_decoding_loses() -> None:
    """Of 40 prompts, in more than one in four; never the other way round."""
    model, scheme, lost = Dice(), SCHEMES["special_token"], 0
    fsm = build_fsm(scheme.grammar(TOOLS[:1], start="call"), model.vocabulary)
    for number in range(40):
        traces = [
            Trace.collect(decode(model, fsm, str(number), max_tokens=60, search=Search(beams) if beams else None))
            for beams in (0, 50)
        ]
        written, state = named(fsm, traces[0])
        calls = every_call(model, fsm, str(number), written, state)
        plain, searched = (
            next(score for way, score in calls.items() if ids[: len(way)] == way)
            for ids in (tuple(step.token_id for step in trace.steps[len(written) :]) for trace in traces)
        )
        assert searched == max(calls.values()) >= plain
        lost += searched > plain
    assert lost > 10


@pytest.mark.parametrize("temperature", [0.5, 1.5])
def test_the_shares_are_those_of_the_calls_that_were_found(temperature: float) -> None:
    model, scheme = Dice(), SCHEMES["special_token"]
    fsm = build_fsm(scheme.grammar(TOOLS[:1], start="call"), model.vocabulary)
    for seed in range(6):
        settings: dict[str, Any] = {"search": Search(4), "temperature": temperature, "seed": seed, "max_tokens": 40}
        steps = [*decode(model, fsm, "paint", **settings)]
        written, state = named(fsm, Trace.collect(steps))
        calls = every_call(model, fsm, "paint", written, state)
        ends = Trace.collect(steps).text
        searcher = Searcher(model, fsm, Search(4), temperature)
        searcher.begin(state, written, "paint", 100)
        found = searcher._found
        assert 1 <= len(found) <= len(calls) and ends
        assert {way: pytest.approx(calls[way], abs=1e-6) for way in found} == found
        told = [step.found for step in steps if step.found]
        total = sum(math.exp(score / temperature) for score in found.values())
        likely = sorted(found, key=lambda way: -found[way])[: search.TOLD]
        texts = [model.vocabulary.spelled(way).decode() for way in likely]
        assert [['("' + one.text for one in each] for each in told] == [texts], (
            "where there is a choice for the first time"
        )
        shares = [math.exp(found[way] / temperature) / total for way in likely]
        assert [one.share for one in told[0]] == pytest.approx(shares)
        at = state
        for step in steps[len(written) :]:
            admitted, after = fsm.allowed(at), fsm.step(at, step.token_id)
            assert all((one.after > 0) == admitted[one.token_id] for one in step.candidates)
            at = after if after is not None else at
            place, begun = step.index - len(written), tuple(one.token_id for one in steps[len(written) : step.index])
            going = {way: math.exp(score / temperature) for way, score in found.items() if way[:place] == begun}
            if step.allowed_count == 1 or not any(len(way) > place for way in going):
                continue
            for one in step.candidates:
                share = sum(chance for way, chance in going.items() if way[place] == one.token_id)
                assert one.after == pytest.approx(share / sum(going.values()), abs=2e-6)


@pytest.mark.parametrize("scheme_name", list(SCHEMES))
@pytest.mark.parametrize("seed", range(3))
def test_a_run_whose_own_tokens_open_it_is_the_same_run(small: Model, scheme_name: str, seed: int) -> None:
    scheme = SCHEMES[scheme_name].for_model(small)
    tools = parse_tools("find(who: str, from_year: int = 1900), wash(hot: bool)")
    steered = quoting(scheme, tools, "Who is Ann Lee?")
    fsm = build_fsm(steered.grammar(tools, start="call"), small.vocabulary)
    settings: dict[str, Any] = {"search": Search(3), "temperature": 1.2, "seed": seed, "max_tokens": 60}
    host = steered.host(tools, {tool.name: "ok" for tool in tools})

    def run(opening: list[int]) -> list[Step]:
        return [*decode(small, fsm, "Ann", host=host, opening=opening, **settings)]

    fresh = run([])
    own = [step.token_id for step in fresh if step.writer != "host"]
    for count in range(0, len(own), 7):
        assert [step.token_id for step in run(own[:count])] == [step.token_id for step in fresh]


def test_a_second_opinion_has_half_a_say() -> None:
    """Behind the prompt that shows a tool alone the calls that were found are read once more."""
    model, scheme = Dice(), SCHEMES["special_token"]
    fsm = build_fsm(scheme.grammar(TOOLS[:1], start="call"), model.vocabulary)
    written, state = named(fsm, Trace.collect(decode(model, fsm, "listed", max_tokens=60)))
    alone = Searcher(model, fsm, Search(50, lambda names: f"alone: {names[0]}"))
    once = Searcher(model, fsm, Search(50))
    for searcher in (alone, once):
        searcher.begin(state, written, "listed", 100)
    other = every_call(model, fsm, "alone: paint", written, state)
    assert len(once._found) > 2
    assert alone._found == {way: pytest.approx((score + other[way]) / 2) for way, score in once._found.items()}


@pytest.mark.parametrize(("scheme_name", "searched"), [("special_token", True), ("json_tags", True), ("react", False)])
def test_a_call_that_is_the_answer_isnt_searched_for(scheme_name: str, searched: bool) -> None:
    """ReAct's Finish is; in other schemes a tool may be called so."""
    model = Dice()
    fsm = build_fsm(SCHEMES[scheme_name].grammar(parse_tools("Finish(clean: bool)"), start="call"), model.vocabulary)
    steps = [*decode(model, fsm, "paint", search=Search(4), max_tokens=100)]
    assert any(step.found for step in steps) == searched


def test_steps_with_what_was_found_are_read_back() -> None:
    fsm = build_fsm(SCHEMES["special_token"].grammar(TOOLS[:1], start="call"), VOCABULARY)
    trace = Trace.collect(decode(Dice(), fsm, "paint", search=Search(4), max_tokens=60))
    assert any(step.found for step in trace.steps) and Trace.from_json(trace.to_json()) == trace


@pytest.mark.parametrize("fast_forward", [False, True])
@pytest.mark.parametrize("scheme_name", ["special_token", "json_tags", "react", "name_prompt"])
def test_what_the_model_in_the_box_writes_stays_valid(scheme_name: str, fast_forward: bool) -> None:
    model = load_model("embedded")
    scheme = SCHEMES[scheme_name].for_model(model)
    tools = parse_tools("book(room: str, people: int, notes: str = ''), cancel(room: str)")
    question = "Twelve of us need the Egyptian Room"
    steered = quoting(scheme, tools, question)
    traces = []
    for beams in (0, BEAMS):
        steps = METHODS["guided"].run(
            model, steered, tools, scheme.prompt(tools, question), start="call", search=Search(beams) if beams else None,
            fast_forward=fast_forward, max_tokens=80, reveal=signatures_of(scheme, tools, question),
        )  # fmt: skip
        traces.append(Trace.collect(steps))
        assert all(one["after"] <= 1 + 1e-9 for step in traces[-1].steps for one in step.to_json()["candidates"])
    for trace in traces:
        assert trace.finished and steered.read_calls(trace.text, tools)  # raises for what isn't valid


def test_beams_that_are_none_are_refused() -> None:
    for beams in (0, -1, True, 2.5, "8"):
        with pytest.raises(UsageError, match=r"a search can't keep .* beams; use a whole number from 1 on"):
            Search(beams)  # type: ignore[arg-type]


def test_where_no_call_ends_in_time_tokens_are_chosen_one_at_a_time(monkeypatch: Any) -> None:
    monkeypatch.setattr(search, "LONGEST", 1)
    searches: list[int] = []
    ways = Searcher._ways
    monkeypatch.setattr(Searcher, "_ways", lambda *given: (searches.append(given[1]), ways(*given))[1])
    fsm = build_fsm(SCHEMES["special_token"].grammar(TOOLS[:1], start="call"), VOCABULARY)
    plain, searched = (
        [*decode(Dice(), fsm, "paint", search=Search(beams) if beams else None, max_tokens=24)] for beams in (0, 2)
    )
    assert [step.candidates for step in plain] == [step.candidates for step in searched]
    assert len(searches) == 1, "one search for a call, though it finds nothing"
