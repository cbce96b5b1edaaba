from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

import numpy as np
import pytest
import torch

from tooldec import SCHEMES, Prompt, Step, Trace, Vocabulary, build_fsm, decode, load_model, parse_tools
from tooldec.errors import DeadEndError, HostError, ModelError, UsageError
from tooldec.grammar import EMPTY, Grammar, HostText, Literal, SymbolClass, sequence

PAPER = parse_tools("def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)")
QUESTION = "the side of a square is 5, what's its area?"
SCHEME = SCHEMES["special_token"]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


class Scripted:
    """A model whose logits are any function of the tokens so far; it notes what it is asked."""

    name, device, dtype, has_tool_template, has_chat_template = "scripted", "cpu", "float32", False, False

    def __init__(
        self, vocabulary: Vocabulary, logits: Callable[[list[int]], Iterable[float]], context: int = 10**6
    ) -> None:
        self.vocabulary, self.function, self.context = vocabulary, logits, context
        self.sessions: list[ScriptedSession] = []

    def render(self, prompt: Prompt | str) -> str:
        return str(prompt)

    def prompt_tokens(self, prompt: Prompt | str) -> int:
        return 0

    def tokenize(self, text: str) -> list[int]:
        spellings = [self.vocabulary.spelling(i) for i in range(self.vocabulary.size)]
        return [spellings.index(bytes([byte])) for byte in text.encode()]

    def start(self, prompt: Prompt | str) -> ScriptedSession:
        self.sessions.append(ScriptedSession(self))
        return self.sessions[-1]


class ScriptedSession:
    prefix = ""

    def __init__(self, model: Scripted) -> None:
        self.model, self.room, self.ids = model, model.context, list[int]()
        self.appended: list[list[int]] = []
        self.asked: list[int] = []  # how many tokens were there when logits were asked for

    def logits(self) -> torch.Tensor:
        self.asked.append(len(self.ids))
        return torch.tensor(list(self.model.function(self.ids)), dtype=torch.float32)

    def append(self, ids: Iterable[int]) -> None:
        self.appended.append(list(ids))
        self.ids += self.appended[-1]
        self.room -= len(self.appended[-1])


BYTES = Vocabulary(
    [*(bytes([b]) for b in range(128)), b"\xe2\x82", b"\xac", b"(5", b"5)", b").", "<T>", "<EOS>", None, b"5", b"sq"],
    eos=[134],
)


def noise(ids: list[int]) -> np.ndarray[Any, Any]:
    return np.random.default_rng([7, *ids]).normal(0, 4, BYTES.size)


def follow(text: bytes, other: float = -5.0) -> Callable[[list[int]], Iterable[float]]:
    """A model that wants to write this text byte by byte, and then to end."""

    def logits(ids: list[int]) -> Iterable[float]:
        row = np.full(BYTES.size, other)
        row[text[len(ids)] if len(ids) < len(text) else 134] = 5.0
        return row

    return logits


def run(grammar: Grammar, logits: Any, **settings: Any) -> tuple[Trace, Scripted]:
    model = Scripted(BYTES, logits)
    return Trace.collect(decode(model, build_fsm(grammar, BYTES), "?", **settings)), model


# ---- Table 2


def toy(start: str = "text", guided: bool = True, results: bool = False, tools: Any = PAPER, **settings: Any) -> Trace:
    model = load_model("toy")
    grammar = SCHEME.grammar(tools, start, results) if guided else SCHEME.unguided()
    host = SCHEME.host(tools) if results else None
    prompt = SCHEME.prompt(tools, QUESTION)
    return Trace.collect(decode(model, build_fsm(grammar, model.vocabulary), prompt, host=host, **settings))


def valid(step: Step) -> set[str]:
    return {c.token for c in step.candidates if c.after > 0}


def test_table_2() -> None:
    trace = toy()
    assert [step.text.strip() for step in trace.steps] == [
        "Its",
        "Its area",
        "Its area is",
        "Its area is <T>",
        "Its area is <T>sq",
        "Its area is <T>square",
        "Its area is <T>square(",
        "Its area is <T>square(5",
        "Its area is <T>square(5)",
    ]
    tokens = [step.token.strip() for step in trace.steps]
    assert tokens == ["area", "is", "<T>", "sq", "uare", "(", "5", ")", "<EOS>"]
    assert [step.state_name for step in trace.steps] == ["s0", "s0", "s0", "s1", "s4", "s5", "s10", "s12", "s0"]
    assert [step.next_state_name for step in trace.steps[:-1]] == [step.state_name for step in trace.steps[1:]]
    counts = [step.allowed_count for step in trace.steps]
    assert counts == [64, 64, 64, 3, 2, 1, 12, 11, 64]
    assert [valid(step) for step in trace.steps[3:8]] == [
        {"add", "exp", "sq"},
        {"uare", "rt"},
        {"("},
        {*"+-0123456789"},  # the paper's, and our 0
        {*"0123456789)"},
    ]
    assert [step.accepting for step in trace.steps] == [True] * 3 + [False] * 5 + [True]
    assert (trace.text, trace.end, trace.finished) == ("Its area is <T>square(5)", "eos", True)
    assert SCHEME.read_calls(trace.text, PAPER)[0].arguments == {"side": 5}


def test_the_numbers_of_the_picture_at_s4() -> None:
    step = toy().steps[4]
    shown = {c.token: (round(c.before, 3), round(c.after, 3)) for c in step.candidates}
    assert shown["uared"] == (0.412, 0.0) and shown["uare"] == (0.274, 0.923) and shown["rt"] == (0.023, 0.077)
    assert step.mass_kept == pytest.approx(0.297)
    assert [c.token for c in step.candidates][:7] == ["uared", "uare", "(", ".", "uares", "rt", "\n"]


def test_unguided_the_toy_calls_a_tool_that_is_not_there() -> None:
    trace = toy(guided=False)
    assert trace.text.strip() == "Its area is <T>squared(5)"
    assert {step.state for step in trace.steps} == {0} and {step.allowed_count for step in trace.steps} == {64}
    assert all(step.mass_kept == pytest.approx(1) for step in trace.steps)


def test_results_are_written_by_the_host() -> None:
    trace = toy(results=True)
    assert trace.text.strip() == "Its area is <T>square(5)=25." and trace.end == "eos"
    hosted = [step for step in trace.steps if step.writer == "host"]
    assert [(step.token, step.mode, step.candidates, step.model_ms) for step in hosted] == [
        ("2", "result", (), 0.0),
        ("5", "result", (), 0.0),
    ]


def test_a_forced_call_ends_with_the_call() -> None:
    trace = toy(start="call")
    assert (trace.text, trace.end, trace.finished) == ("Its<T>square(5)", "call", True)
    assert trace.steps[-1].end == "call" and trace.steps[-2].end is None
    assert toy(start="call", results=True).text == "Its<T>square(5)=25"


# ---- exactness, against the definition in plain NumPy


def reference(logits: np.ndarray[Any, Any], allowed: np.ndarray[Any, Any], temperature: float) -> Any:
    """P, P̃ and the mass kept, as section 3.1 writes them."""
    z = logits.astype(np.float32).astype(np.float64) / temperature
    p = np.exp(z - z.max())
    p /= p.sum()
    return p, np.where(allowed, p, 0) / p[allowed].sum(), p[allowed].sum()


@pytest.mark.parametrize("temperature", [0.0, 0.3, 1.0, 2.5])
def test_every_step_is_the_models_distribution_masked_and_renormalised(temperature: float) -> None:
    fsm = build_fsm(SCHEME.grammar(PAPER, "call"), BYTES)
    for seed in range(5):
        model = Scripted(BYTES, noise)
        state, ids = fsm.initial, list[int]()
        for step in decode(model, fsm, "?", temperature=temperature, seed=seed, max_tokens=60):
            allowed = fsm.allowed(state)
            p, masked, kept = reference(noise(ids), allowed, temperature or 1.0)
            assert step.allowed_count == allowed.sum()
            assert step.mass_kept == pytest.approx(kept, rel=1e-6)
            for c in step.candidates:
                assert c.before == pytest.approx(p[c.token_id], rel=1e-6)
                assert c.after == pytest.approx(masked[c.token_id], rel=1e-6)
            shown = {c.token_id for c in step.candidates}
            assert shown >= set(np.argsort(-p)[:12].tolist())
            assert shown >= set(np.flatnonzero(allowed).tolist()[: 99 if allowed.sum() <= 14 else 0])
            assert step.token_id in shown and allowed[step.token_id]
            assert [c.before for c in step.candidates] == sorted((c.before for c in step.candidates), reverse=True)
            if temperature == 0:
                assert step.token_id == int(np.argmax(np.where(allowed, p, -1)))
            state = fsm.step(state, step.token_id)
            ids.append(step.token_id)


@pytest.mark.parametrize("temperature", [0.0, 0.3, 2.5])
def test_without_candidates_the_same_tokens_are_taken(temperature: float) -> None:
    fsm = build_fsm(SCHEME.grammar(PAPER), BYTES)
    for seed in range(5):
        settings: Any = {"temperature": temperature, "seed": seed, "max_tokens": 60, "top_p": 0.9}
        shown = list(decode(Scripted(BYTES, noise), fsm, "?", **settings))
        quick = list(decode(Scripted(BYTES, noise), fsm, "?", candidates=False, **settings))
        assert [step.token_id for step in quick] == [step.token_id for step in shown]
        assert [step.mass_kept for step in quick] == pytest.approx([step.mass_kept for step in shown], rel=1e-5)
        assert all(step.candidates == () for step in quick)


def test_ties_go_to_the_lowest_id() -> None:
    trace, _ = run(SymbolClass.of(b"xyz"), lambda ids: np.zeros(BYTES.size))
    assert trace.text == "x"
    assert [c.token_id for c in trace.steps[0].candidates] == [*range(12), *b"xyz"]


@pytest.mark.parametrize("gap", [800.0, 1e6, 3e38])
@pytest.mark.parametrize("temperature", [0.0, 1.0, 1e-30])
def test_where_the_mask_leaves_nothing_that_a_float_can_hold(gap: float, temperature: float) -> None:
    def logits(ids: list[int]) -> Iterable[float]:
        row = np.zeros(BYTES.size)
        row[ord("!")] = gap
        row[ord("b")] = math.log(3)
        return row

    trace, _ = run(SymbolClass.of(b"ab"), logits, temperature=temperature)
    step = trace.steps[0]
    assert step.mass_kept == 0.0
    after = {c.token: c.after for c in step.candidates if c.token in "ab"}
    wanted = {"a": 0.25, "b": 0.75} if temperature != 1e-30 else {"a": 0.0, "b": 1.0}
    assert after == pytest.approx(wanted)


@pytest.mark.parametrize("bad", [math.nan, -math.inf, math.inf])
def test_logits_that_are_no_distribution_are_told(bad: float) -> None:
    with pytest.raises(ModelError, match="none of the 2 valid tokens"):
        run(SymbolClass.of(b"ab"), lambda ids: [bad] * BYTES.size)


def frequencies(count: int, **settings: Any) -> dict[str, float]:
    """How often each first token is sampled from P̃ = {a: .4, b: .3, c: .2, d: .1} with the rest of P elsewhere."""

    def logits(ids: list[int]) -> Iterable[float]:
        row = np.full(BYTES.size, 2.0)
        row[list(b"abcd")] = np.log([0.4, 0.3, 0.2, 0.1])
        return row

    found = Counter(
        run(SymbolClass.of(b"abcd"), logits, seed=seed, temperature=1.0, **settings)[0].text for seed in range(count)
    )
    return {token: n / count for token, n in sorted(found.items())}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, {"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}),
        ({"top_k": 3}, {"a": 4 / 9, "b": 3 / 9, "c": 2 / 9}),
        ({"top_k": 100}, {"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}),
        ({"top_p": 0.65}, {"a": 4 / 7, "b": 3 / 7}),
        ({"top_p": 0.75}, {"a": 4 / 9, "b": 3 / 9, "c": 2 / 9}),
        ({"top_k": 3, "top_p": 0.75}, {"a": 4 / 7, "b": 3 / 7}),  # top-p of what top-k left
        ({"top_p": 1e-9}, {"a": 1.0}),
        ({"top_k": 1}, {"a": 1.0}),
    ],
)
def test_sampling_follows_the_masked_distribution(settings: Any, expected: dict[str, float]) -> None:
    found = frequencies(600, **settings)
    assert found.keys() == expected.keys()
    for token, p in expected.items():
        assert abs(found[token] - p) < 4.5 * math.sqrt(p * (1 - p) / 600) + 1e-9


def test_before_and_after_are_taken_before_top_k_and_top_p() -> None:
    one, _ = run(SymbolClass.of(b"abcd"), noise, temperature=1.0)
    two, _ = run(SymbolClass.of(b"abcd"), noise, temperature=1.0, top_k=1, top_p=0.1)
    assert one.steps[0].candidates == two.steps[0].candidates


def test_the_same_seed_gives_the_same_trace() -> None:
    def content(seed: int) -> list[Any]:
        steps = toy(temperature=1.5, seed=seed, max_tokens=40).steps
        return [(s.token_id, s.candidates, s.state, s.mass_kept) for s in steps]

    assert content(3) == content(3)
    assert len({tuple(token for token, *_ in content(seed)) for seed in range(8)}) > 1
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    content(3)
    assert torch.equal(torch.rand(1), expected), "the global generator isn't touched"


# ---- skipping what is certain


@pytest.mark.parametrize("temperature", [0.0, 1.2])
def test_fast_forward_changes_nothing_but_who_is_asked(temperature: float) -> None:
    grammar = SCHEME.grammar(PAPER, "call")
    for seed in range(6):
        settings = {"temperature": temperature, "seed": seed, "max_tokens": 40}
        slow, asked = run(grammar, noise, **settings)
        fast, spared = run(grammar, noise, fast_forward=True, **settings)
        assert fast.text == slow.text and [s.token_id for s in fast.steps] == [s.token_id for s in slow.steps]
        assert {s.writer for s in slow.steps} == {"model"}
        forced = [s for s in fast.steps if s.writer == "forced"]
        assert forced and all(s.allowed_count == 1 and s.candidates[0].after == 1 for s in forced)
        assert [s.index for s in slow.steps if s.allowed_count == 1] == [s.index for s in forced]
        assert len(asked.sessions[0].asked) - len(spared.sessions[0].asked) == len(forced)
        assert spared.sessions[0].ids == asked.sessions[0].ids


# ---- the host


class Host:
    def __init__(self, *texts: str | None) -> None:
        self.texts, self.seen = list(texts), list[str]()

    def write(self, text: str) -> str | None:
        self.seen.append(text)
        return self.texts.pop(0)


CALL = sequence(b"f=", HostText(), b";")


def test_the_host_writes_plain_tokens_in_one_piece() -> None:
    host = Host("<T>5)")
    trace, model = run(CALL, follow(b"f=<T>5);"), host=host)
    assert trace.text == "f=<T>5);" and host.seen == ["f="]
    assert [s.writer for s in trace.steps] == ["model"] * 2 + ["host"] * 5 + ["model"]
    assert model.sessions[0].appended[2] == list(b"<T>5)")
    assert model.sessions[0].asked == [0, 1, 7]
    states = [s.state for s in trace.steps]
    assert states[2:7] == [states[2]] * 5 and trace.steps[6].next_state == trace.steps[7].state
    assert [s.text for s in trace.steps[2:5]] == ["f=", "f=<", "f=<T"]


def test_a_host_that_writes_nothing_is_passed() -> None:
    trace, _ = run(CALL, follow(b"f=;"), host=Host(""))
    assert trace.text == "f=;" and trace.end == "call"


def test_a_host_without_a_result_ends_the_run() -> None:
    trace, _ = run(CALL, follow(b"f=;"), host=Host(None))
    assert (trace.text, trace.end, trace.finished) == ("f=", "needs_result", False)


def test_without_a_host_the_steps_come_and_then_the_error() -> None:
    steps = []
    with pytest.raises(HostError, match="no host to write it"):
        for step in decode(Scripted(BYTES, follow(b"f=")), build_fsm(CALL, BYTES), "?"):
            steps.append(step)
    assert [step.token for step in steps] == ["f", "="]


def test_a_host_may_begin_and_end() -> None:
    trace, _ = run(sequence(HostText(), b"x"), follow(b"abx"), host=Host("ab"))
    assert trace.text == "abx"
    trace, _ = run(sequence(b"x", HostText()), follow(b"x"), host=Host("ab"))
    assert (trace.text, trace.end, trace.steps[-1].writer) == ("xab", "call", "host")
    with pytest.raises(HostError):
        run(sequence(HostText(), b"x"), follow(b"abx"), host=Host(None))


# ---- how a run ends


def test_a_run_that_is_cut_off_says_so() -> None:
    trace = toy(max_tokens=6)
    assert (len(trace.steps), trace.end, trace.finished) == (6, "limit", False)
    assert trace.text.strip() == "Its area is <T>square("
    assert toy(max_tokens=9).end == "eos"


def test_the_context_is_a_limit_too() -> None:
    fsm = build_fsm(SCHEME.unguided(), BYTES)
    trace = Trace.collect(decode(Scripted(BYTES, follow(b"x" * 99), context=5), fsm, "?"))
    assert (trace.text, trace.end) == ("x" * 5, "limit")
    fsm = build_fsm(CALL, BYTES)
    trace = Trace.collect(decode(Scripted(BYTES, follow(b"f=")), fsm, "?", host=Host("1234567"), max_tokens=4))
    assert (trace.text, trace.end) == ("f=12", "limit")
    small = Scripted(BYTES, follow(b"f="), context=6)
    trace = Trace.collect(decode(small, fsm, "?", host=Host("1234567")))
    assert (trace.text, trace.end) == ("f=1234", "limit")


def test_stopping_keeps_the_steps_so_far() -> None:
    model = load_model("toy")
    steps = decode(model, build_fsm(SCHEME.grammar(PAPER), model.vocabulary), SCHEME.prompt(PAPER, QUESTION))
    trace = Trace.collect(islice(steps, 4))
    steps.close()
    assert (trace.text, trace.end, trace.finished) == ("Its area is <T>sq", "stopped", False)


def test_runs_side_by_side_do_not_mix() -> None:
    model = load_model("toy")
    fsm = build_fsm(SCHEME.grammar(PAPER), model.vocabulary)
    prompt = SCHEME.prompt(PAPER, QUESTION)
    one, two = decode(model, fsm, prompt), decode(model, fsm, prompt)
    pairs = list(zip(one, two, strict=True))
    assert [(a.token, a.state) for a, _ in pairs] == [(b.token, b.state) for _, b in pairs]
    assert [a.token for a, _ in pairs] == [step.token for step in toy().steps]


def test_states_are_numbered_by_their_first_visit() -> None:
    states = [step.state for step in toy().steps]
    assert states == [0, 0, 0, 1, 2, 3, 4, 5, 0]
    forced = toy(start="call")
    assert [step.state for step in forced.steps] == [0, 1, 2, 3, 4, 5]
    assert forced.steps[-1].next_state == 6


def test_half_characters() -> None:
    grammar = Literal("€!".encode())

    def logits(ids: list[int]) -> Iterable[float]:
        row = np.zeros(BYTES.size)
        row[128 + len(ids)] = 9.0
        return row

    trace, _ = run(grammar, logits)
    assert [s.text for s in trace.steps] == ["", "\ufffd", "€"]
    assert [s.token for s in trace.steps] == ["⟨E2 82⟩", "⟨AC⟩", "!"] and trace.text == "€!"


def test_an_end_in_the_middle_of_nothing() -> None:
    trace, _ = run(EMPTY, follow(b""))
    assert trace.steps == () and trace.text == ""


# ---- what can't be


def test_a_state_that_the_vocabulary_cannot_leave() -> None:
    with pytest.raises(DeadEndError, match="waits for"):
        run(Literal("aé".encode()), follow("aé".encode()))
    tools = parse_tools("def utter(a: int)")
    with pytest.raises(DeadEndError):
        toy(tools=tools)


@pytest.mark.parametrize(
    "wrong",
    [
        {"temperature": -0.1},
        {"temperature": math.nan},
        {"temperature": math.inf},
        {"temperature": "1"},
        {"top_p": 0},
        {"top_p": 1.01},
        {"top_p": math.nan},
        {"top_k": -1},
        {"top_k": 1.5},
        {"max_tokens": 0},
        {"max_tokens": 2.5},
        {"max_tokens": None},
        {"seed": -1},
        {"seed": 2**64},
        {"seed": "x"},
    ],
)
def test_wrong_settings_are_told_at_once(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(UsageError, match=f"^{name} can't be .*; use"):
        toy(**wrong)


def test_a_number_that_is_a_text_is_told_as_one() -> None:
    with pytest.raises(UsageError, match=r"^temperature can't be the text '1'; use 0"):
        toy(temperature="1")


def test_a_machine_over_another_vocabulary_is_told() -> None:
    with pytest.raises(UsageError, match=r"machine has 138 tokens, the model `toy` 64"):
        decode(load_model("toy"), build_fsm(SCHEME.unguided(), BYTES), "?")


def test_traces_survive_json() -> None:
    trace = toy(temperature=1.0, seed=5, max_tokens=30)
    assert Trace.from_json(trace.to_json()) == trace


def test_a_trace_has_the_whole_answer_where_a_character_is_several_tokens() -> None:
    model = load_model("embedded")
    smile = model.tokenize("25 🙂")
    assert len(smile) > 3, "the smile is several tokens"
    tools = parse_tools("def square(side: int)")
    scheme = SCHEMES["special_token"].for_model(model)
    fsm = build_fsm(scheme.grammar(tools, start="call", results=True), model.vocabulary)
    told = Trace.collect(decode(model, fsm, scheme.prompt(tools, "hi"), host=scheme.host(tools, {"square": "25 🙂"})))
    assert told.text.endswith("=25 🙂") and told.end == "call" and Trace.from_json(told.to_json()) == told
    free = build_fsm(scheme.grammar(tools), model.vocabulary)
    for cut in (0, 1):
        opening = smile[: len(smile) - cut]
        cut_off = Trace.collect(decode(model, free, "Q:", opening=opening, max_tokens=len(opening)))
        assert cut_off.text == ("25 \N{REPLACEMENT CHARACTER}" if cut else "25 🙂") and cut_off.end == "limit"


def test_an_opening_goes_on_as_its_seed_did_with_forced_text_too() -> None:
    model = load_model("embedded")
    tools = parse_tools("def square_number(side: int)\ndef weather_report(city: str)")
    scheme = SCHEMES["special_token"].for_model(model)
    fsm = build_fsm(scheme.grammar(tools, start="call"), model.vocabulary)
    for seed in range(6):
        same: dict[str, Any] = {"temperature": 4.0, "seed": seed, "fast_forward": True, "max_tokens": 24}
        first = Trace.collect(decode(model, fsm, scheme.prompt(tools, "5 squared?"), **same))
        opening = [step.token_id for step in first.steps[: len(first.steps) // 2]]
        again = Trace.collect(decode(model, fsm, scheme.prompt(tools, "5 squared?"), opening=opening, **same))
        assert again.text == first.text
        assert [step.writer for step in again.steps] == [step.writer for step in first.steps]


@pytest.mark.parametrize("text", ["", "{}", "null", '{"steps": [{}], "text": "", "end": "eos"}', '{"steps": 1}'])
def test_a_text_that_is_no_trace_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="isn't a trace"):
        Trace.from_json(text)
