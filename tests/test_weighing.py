"""Names weighed as wholes: against probabilities written out one token at a time, each in a session of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from test_ranking import FIGURE_3, QUESTION
from writer import VOCABULARY, Writer

from tooldec import SCHEMES, Trace, decode, load_model, parse_tools
from tooldec.choosing import weighing
from tooldec.choosing.naming import NEUTRAL, neutral_prompts
from tooldec.choosing.revealing import Reveal, signatures_of
from tooldec.choosing.weighing import MOST, SHOWN_LIFT
from tooldec.errors import UsageError
from tooldec.methods import METHODS
from tooldec.models import Model
from tooldec.schemes import Prompt
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.trace import Step


def log_p(model: Model, prompt: Prompt, tokens: list[int]) -> torch.Tensor:
    """log P of the next token, of everything that could be written."""
    session = model.start(prompt)
    session.append(tokens)
    return session.logits().double().log_softmax(0)


Rows = dict[tuple[int, ...], torch.Tensor]
Spelled = dict[str, list[tuple[tuple[int, ...], list[int]]]]


def by_hand(model: Model, fsm: TokenFSM, prompt: Prompt, written: list[int], spelled: Spelled) -> Rows:
    """log P of all tokens behind each beginning of a name."""
    begun = {begin for ways in spelled.values() for begin, _ in ways}
    return {begin: log_p(model, prompt, [*written, *begin]) for begin in begun}


def spelling(model: Model, fsm: TokenFSM, state: int) -> Spelled:
    """Each tool, where no name has begun: what is written of its name, and the tokens with which it goes on there."""
    found: Spelled = {}
    for name in fsm.dfa.tools(state):
        found[name], at = [], state
        tokens = model.tokenize(name)
        for place, token in enumerate(tokens):
            found[name].append((tuple(tokens[:place]), [token]))
            after = fsm.step(at, token)
            assert after is not None
            at = after
        last = [token for token in np.flatnonzero(fsm.allowed(at)).tolist() if meant(fsm, at, token) == (name,)]
        found[name].append((tuple(tokens), last))
    return found


def meant(fsm: TokenFSM, state: int, token: int) -> tuple[str, ...]:
    after = fsm.step(state, token)
    assert after is not None
    return fsm.dfa.tools(after)


def likelier(model: Model, fsm: TokenFSM, prompt: Prompt, written: list[int], state: int) -> dict[str, float]:
    """Λ(t)."""

    def put(question: str) -> Prompt:
        return replace(prompt, messages=(*prompt.messages[:-1], {"role": "user", "content": question}))

    spelled = spelling(model, fsm, state)
    asked = by_hand(model, fsm, prompt, written, spelled)
    usual = [by_hand(model, fsm, put(each), written[-1:], spelled) for each in NEUTRAL]
    return {
        name: math.prod(max(1.0, chance(asked, *way) / np.mean([chance(one, *way) for one in usual])) for way in ways)
        for name, ways in spelled.items()
    }


def weights(
    model: Model,
    fsm: TokenFSM,
    prompt: Prompt,
    written: list[int],
    state: int,
    shown: Prompt | None = None,
    heat: Mapping[str, float] = {},
) -> dict[str, float]:
    """P̂(t), as it stands in the module's text; with a shortlist, behind `shown`."""
    spelled, lifts = spelling(model, fsm, state), likelier(model, fsm, prompt, written, state)
    seen = by_hand(model, fsm, shown or prompt, written, spelled)
    open_to = {
        begin: sorted({t for ways in spelled.values() for b, ts in ways if b == begin for t in ts}) for begin in seen
    }
    found = {}
    for name, ways in spelled.items():
        masked = math.prod(chance(seen, *way) / chance(seen, way[0], open_to[way[0]]) for way in ways)
        lift = lifts[name] if shown is None else lifts[name] ** SHOWN_LIFT
        found[name] = math.sqrt(masked * heat.get(name, 1.0) * lift)
    return {name: value / sum(found.values()) for name, value in found.items()}


def chance(rows: Rows, begin: tuple[int, ...], tokens: list[int]) -> float:
    return float(rows[begin].exp()[tokens].sum())


def heats(
    model: Model, fsm: TokenFSM, prompt: Prompt, written: list[int], state: int, most: int, reveal: Reveal
) -> dict[str, float]:
    """P(t | heat), where each tool is shown with at most `most` - 1 others, which aren't its neighbours by P̂."""
    spelled, chances = spelling(model, fsm, state), weights(model, fsm, prompt, written, state)
    order, number = sorted(chances, key=chances.__getitem__), math.ceil(len(chances) / most)
    found = {}
    for heat in range(number):
        shown = order[heat::number]
        rows = by_hand(model, fsm, reveal(shown), written, {name: spelled[name] for name in shown})
        found |= {name: math.prod(chance(rows, *way) for way in spelled[name]) for name in shown}
    return found


def tilted(model: Model, fsm: TokenFSM, prompt: Prompt, written: list[int], state: int, tool: str) -> dict[int, float]:
    """P̃ of the tokens after which a tool is possible."""
    tokens = [t for t in np.flatnonzero(fsm.allowed(state)).tolist() if tool in meant(fsm, state, t)]
    shares = log_p(model, prompt, written)[tokens].softmax(0)
    return dict(zip(tokens, shares.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("most", [0, 2, 6])
def test_the_shares_are_those_of_both_opinions(roomy: Model, monkeypatch: Any, seed: int, most: int) -> None:
    """Without a shortlist, with one of the two best of their heats, and with one of all."""
    scheme, small = SCHEMES["special_token"].for_model(roomy), roomy
    fsm = build_fsm(scheme.grammar(FIGURE_3, start="call"), small.vocabulary)
    prompt = scheme.prompt(FIGURE_3, QUESTION, documentation=False)
    reveal = signatures_of(scheme, FIGURE_3, QUESTION)
    monkeypatch.setattr(weighing, "SHORTLIST", most)
    run = decode(
        small, fsm, prompt, weighed=True, reveal=reveal if most else None, temperature=1.0, seed=seed, max_tokens=12
    )
    trace = Trace.collect(run)
    written, state = [trace.steps[0].token_id], fsm.step(fsm.initial, trace.steps[0].token_id)
    assert state is not None
    chances = weights(small, fsm, prompt, written, state)
    if most:
        heat = heats(small, fsm, prompt, written, state, most, reveal) if most < len(chances) else {}
        lifts = likelier(small, fsm, prompt, written, state)
        best = {name: heat[name] * lifts[name] ** SHOWN_LIFT for name in heat} or chances
        shortlist = sorted(best, key=best.__getitem__)[-most:]
        assert trace.steps[1].revealed == (*shortlist,)
        chances = weights(small, fsm, prompt, written, state, reveal(shortlist), heat)
        prompt = reveal(shortlist)
    for step in trace.steps[1:]:
        if step.mode != "name" or len(chances) < 2:
            break
        shares = dict.fromkeys(np.flatnonzero(fsm.allowed(state)).tolist(), 0.0)
        ways = {name: tilted(small, fsm, prompt, written, state, name) for name in chances}
        for name, chance in chances.items():
            for token, share in ways[name].items():
                shares[token] += chance * share
        assert sum(shares.values()) == pytest.approx(1)
        for candidate in step.candidates:
            assert candidate.after == pytest.approx(shares.get(candidate.token_id, 0.0), abs=2e-4)
        state = fsm.step(state, step.token_id)
        assert state is not None
        chances = {name: chances[name] * ways[name][step.token_id] for name in fsm.dfa.tools(state)}
        chances = {name: chance / sum(chances.values()) for name, chance in chances.items()}
        written.append(step.token_id)
    assert len(written) > 1


def test_greedy_takes_the_tool_that_is_the_most_probable_one(small: Model) -> None:
    scheme = SCHEMES["special_token"].for_model(small)
    fsm = build_fsm(scheme.grammar(FIGURE_3, start="call"), small.vocabulary)
    for question in (QUESTION, "add 5 and 6", "def exp(x: int)", "So the answer is 25."):
        prompt = scheme.prompt(FIGURE_3, question, documentation=False)
        trace = Trace.collect(decode(small, fsm, prompt, weighed=True, max_tokens=12))
        state = fsm.step(fsm.initial, trace.steps[0].token_id)
        assert state is not None
        chances = weights(small, fsm, prompt, [trace.steps[0].token_id], state)
        assert trace.steps[-1].tool == max(chances, key=chances.__getitem__)


class Leaning(Writer):
    """Writes `get` most of the time, whatever is asked; a question that names a loan makes `lend` much likelier."""

    def start(self, prompt: Prompt | str) -> Any:
        session = super().start(prompt)
        asked = not isinstance(prompt, str) and "borrow" in prompt.messages[-1]["content"]
        session.logits = lambda: self.row(session.tokens, asked)
        return session

    def row(self, tokens: list[int], asked: bool) -> torch.Tensor:
        row = torch.full((VOCABULARY.size,), -12.0)
        text = bytes(t for t in tokens if t < 128).decode()
        if not tokens:
            row[128] = 0.0
        elif not text:
            row[ord("g")], row[ord("l")] = math.log(0.9), math.log(0.05 if asked else 0.0005)
        else:
            whole = next((name for name in ("get_page(", "lend_book(") if name.startswith(text) and name != text), ")")
            row[ord(whole[len(text)] if whole != ")" else ")")] = 0.0
        return row


LOANS = parse_tools("def get_page()\ndef lend_book()")


def test_a_name_that_is_seldom_written_is_found_where_the_question_asks_for_it() -> None:
    scheme = SCHEMES["special_token"]
    found = {}
    for question in ("may Ann borrow a book?", "what stands there?"):
        prompt = scheme.prompt(LOANS, question, documentation=False)
        for method in ("guided", "weighed"):
            trace = Trace.collect(METHODS[method].run(Leaning(), scheme, LOANS, prompt, start="call"))
            found[question[:3], method] = trace.text
    assert found == {
        ("may", "guided"): "<T>get_page()",
        ("may", "weighed"): "<T>lend_book()",
        ("wha", "guided"): "<T>get_page()",
        ("wha", "weighed"): "<T>get_page()",
    }
    assert [name_step(found_steps(temperature=0)).allowed_count, name_step(found_steps(temperature=0)).token] == [
        2,
        "l",
    ]


def found_steps(temperature: float, seed: int = 0) -> tuple[Step, ...]:
    scheme = SCHEMES["special_token"]
    prompt = scheme.prompt(LOANS, "may Ann borrow a book?", documentation=False)
    how: dict[str, Any] = {"temperature": temperature, "seed": seed}
    return Trace.collect(METHODS["weighed"].run(Leaning(), scheme, LOANS, prompt, start="call", **how)).steps


def name_step(steps: tuple[Step, ...]) -> Step:
    return steps[1]


def test_sampling_follows_the_shares() -> None:
    after = {c.token: c.after for c in name_step(found_steps(1.0)).candidates}
    assert sum(after.values()) == pytest.approx(1, abs=1e-3)
    drawn = [name_step(found_steps(1.0, seed)).token for seed in range(200)]
    assert drawn.count("l") / 200 == pytest.approx(after["l"], abs=0.09)
    colder = {c.token: c.after for c in name_step(found_steps(0.25)).candidates}
    assert colder["l"] > after["l"] > 0.5


def test_text_stays_possible_where_no_name_must_follow() -> None:
    """Toolkens that are spelled: behind `<` comes a name or other text, and the model decides which."""
    scheme, tools = SCHEMES["toolken"], LOANS
    prompt = scheme.prompt(tools, "may Ann borrow a book?", documentation=False)
    fsm = build_fsm(scheme.grammar(tools), VOCABULARY)
    texts = {}
    for start in ("< 3", "<get"):
        model = Writer(start)
        steps = Trace.collect(decode(model, fsm, prompt, weighed=True, max_tokens=4)).steps
        texts[start] = "".join(step.token for step in steps)
        assert sum(candidate.after for candidate in steps[1].candidates) == pytest.approx(1, abs=0.2)
    assert texts == {"< 3": "< 3<EOS>", "<get": "<get"}


def test_forced_tokens_change_nothing(small: Model) -> None:
    scheme = SCHEMES["special_token"].for_model(small)
    fsm = build_fsm(scheme.grammar(FIGURE_3, start="call"), small.vocabulary)
    for question in (QUESTION, "add 5 and 6", "def exp(x: int)", "So the answer is 25."):
        prompt = scheme.prompt(FIGURE_3, question, documentation=False)
        plain, forced = (
            Trace.collect(decode(small, fsm, prompt, weighed=True, max_tokens=9, fast_forward=fast)).steps
            for fast in (False, True)
        )
        assert plain[-1].tool == forced[-1].tool and any(step.writer == "forced" for step in forced)
        same = takewhile(lambda pair: pair[0].text == pair[1].text, zip(plain, forced, strict=False))
        for one, other in same:  # a forced spelling may be cut in another way than the model would
            if other.writer == "model" and one.mode == "name":
                after = {c.token_id: c.after for c in one.candidates}
                assert all(after[c.token_id] == pytest.approx(c.after, abs=1e-4) for c in other.candidates)


@pytest.mark.parametrize("scheme_name", ["special_token", "json_tags", "react", "name_prompt", "toolken"])
@pytest.mark.parametrize("listed", [True, False])
def test_every_call_is_valid_in_every_scheme(scheme_name: str, listed: bool) -> None:
    model = load_model("embedded", "cpu")
    scheme = SCHEMES[scheme_name].for_model(model)
    tools = parse_tools("def water_plants(minutes: int)\ndef feed_cat(grams: int)\ndef lock_door(door: str)")
    prompt = scheme.prompt(tools, "give the cat 30 grams", documentation=listed)
    run = METHODS["weighed"].run(model, scheme, tools, prompt, results=True, given={"feed_cat": "ok"}, max_tokens=90)
    trace = Trace.collect(run)
    assert trace.finished, trace.text
    calls = scheme.read_calls(trace.text, tools)
    if scheme_name != "toolken":
        names = [call.name for call in calls]
        assert names == ["feed_cat", "Finish"] if scheme_name == "react" else ["feed_cat"], trace.text


def test_a_second_question_about_the_same_tools_is_quicker_and_the_same(small: Model) -> None:
    scheme = SCHEMES["special_token"].for_model(small)
    fsm = build_fsm(scheme.grammar(FIGURE_3, start="call"), small.vocabulary)
    starts: list[str] = []
    begin = small.start

    class Counted:
        def __getattr__(self, name: str) -> Any:
            return getattr(small, name)

        def start(self, prompt: Prompt) -> Any:
            starts.append(small.render(prompt))
            return begin(prompt)

    model: Any = Counted()
    texts = []
    for question in (QUESTION, "add 5 and 6", QUESTION):
        starts.append("")
        prompt = scheme.prompt(FIGURE_3, question, documentation=False)
        texts.append(Trace.collect(decode(model, fsm, prompt, weighed=True, max_tokens=12)).text)
    assert texts[0] == texts[2]
    begun = [0, *(at for at, text in enumerate(starts) if not text and at), len(starts)]
    first, second, third = (end - start - 1 for start, end in pairwise(begun))
    assert first >= second + len(NEUTRAL) and second == third


def test_a_prompt_that_is_a_text_is_refused(small: Model) -> None:
    fsm = build_fsm(SCHEMES["special_token"].grammar(FIGURE_3), small.vocabulary)
    with pytest.raises(UsageError, match="where the question stands"):
        next(iter(decode(small, fsm, "Q: 5 squared?\nA:", weighed=True)))


def test_too_many_tools_are_refused(small: Model) -> None:
    tools = parse_tools("\n".join(f"def tool_{number}()" for number in range(MOST + 1)))
    scheme = SCHEMES["special_token"].for_model(small)
    prompt = scheme.prompt(tools, QUESTION, documentation=False)
    with pytest.raises(UsageError, match=f"{MOST + 1} tools are too many"):
        Trace.collect(METHODS["weighed"].run(small, scheme, tools, prompt, start="call"))


def test_the_neutral_prompts_differ_in_the_question_alone() -> None:
    prompt = SCHEMES["special_token"].prompt(FIGURE_3, QUESTION)
    for neutral, question in zip(neutral_prompts(prompt), NEUTRAL, strict=True):
        assert neutral.messages[0] == prompt.messages[0]
        assert neutral.messages[-1] == {"role": "user", "content": question}


def test_the_model_in_the_box_finds_more_of_many_tools(data_folder: Path) -> None:
    """docs/choosing.md says 30.0 and 57.5 % of KAMEL's relations; another machine rounds otherwise, ten points stay."""
    from tooldec.training.evaluation import cases_of, measure

    cases, model = cases_of("kamel-234", 40, Path(__file__).parent, data_folder), load_model("embedded", "cpu")
    plain, weighed = (measure(model, cases, "special_token", False, method) for method in ("guided", "weighed"))
    assert weighed.error == 0 and weighed.tool >= plain.tool + 10
    assert {*plain.errors} <= {"cut_off"}  # by the limit of tokens: one writes on in a text of a wrong tool


def test_the_model_in_the_box_calls_better_what_it_has_a_shortlist_of() -> None:
    from tooldec.training.cases import written
    from tooldec.training.evaluation import measure

    cases = written(Path(__file__).parent / "asked_tools.jsonl")[::3]  # of unseen names, as README says
    model = load_model("embedded", "cpu")
    ways = ((False, "weighed"), (False, "shortlist"), (True, "guided"), (True, "shortlist"))
    weighed, short, plain, listed = (measure(model, cases, "special_token", *way) for way in ways)
    assert {*weighed.errors, *short.errors, *listed.errors} <= {"cut_off"}  # by the limit of tokens; the rest is valid
    assert short.tool >= weighed.tool + 10 and short.whole >= weighed.whole + 10
    assert listed.tool >= plain.tool and listed.whole >= plain.whole


@pytest.mark.parametrize("temperature", [0.01, 1e-307])
def test_names_are_weighed_however_cold_it_is(temperature: float) -> None:
    model, scheme = load_model("embedded"), SCHEMES["special_token"]
    tools = parse_tools("def square_number(side: int)\ndef weather_report(city: str)\ndef wake(hour: int)")
    fsm = build_fsm(scheme.grammar(tools, start="call"), model.vocabulary)
    prompt = scheme.prompt(tools, "What is 5 squared?", documentation=False)
    cold = Trace.collect(decode(model, fsm, prompt, temperature=temperature, weighed=True))
    assert cold.text == Trace.collect(decode(model, fsm, prompt, weighed=True)).text
    opening = [*model.vocabulary.ids("<T>"), *model.tokenize("weather_")]
    other = Trace.collect(decode(model, fsm, prompt, temperature=temperature, weighed=True, opening=opening))
    for step in (*cold.steps, *other.steps):
        assert all(math.isfinite(candidate.after) for candidate in step.candidates)
    assert other.text.startswith("<T>weather_report(")
