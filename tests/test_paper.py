"""Table 2 and Figures 2 and 3 of the paper, reproduced through the public names.

Two differences, both meant: our IntFSM accepts the literal 0 (Figure 2's cannot write it), so s10 also allows `0`; and
the paper's last row calls the text mode after the call s10, a name that its Figure 2 gives to IntFSM's start. Ours
returns to s0, as the figure's drawing does.
"""

from __future__ import annotations

import numpy as np
import pytest

import tooldec
from tooldec import SCHEMES, Step, Trace, build_fsm, decode, load_model, parse_tools
from tooldec.arguments.literals import integer
from tooldec.automaton import table_of
from tooldec.explain import why_blocked
from tooldec.outline import Outline
from tooldec.token_fsm import TokenFSM

FOUR = "def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)"
SIX = FOUR + "\ndef exp10(x: int)\ndef expand(x: int)"
QUESTION = "the side of a square is 5, what's its area?"
DIGITS = tuple("0123456789")
WHOLE = None

TABLE_2 = [  # generated text, current state, valid next tokens, next token, next state
    ("Its", "s0", WHOLE, " area", "s0"),
    ("Its area", "s0", WHOLE, " is ", "s0"),
    ("Its area is ", "s0", WHOLE, "<T>", "s1"),
    ("Its area is <T>", "s1", ("add", "exp", "sq"), "sq", "s4"),
    ("Its area is <T>sq", "s4", ("uare", "rt"), "uare", "s5"),
    ("Its area is <T>square", "s5", ("(",), "(", "s10"),
    ("Its area is <T>square(", "s10", ("+", "-", *DIGITS), "5", "s12"),
    ("Its area is <T>square(5", "s12", (*DIGITS, ")"), ")", "s0"),
    ("Its area is <T>square(5)", "s0", WHOLE, "<EOS>", "end"),
]
"""The rows of Table 2; `0` at s10 and the name of the last state are ours."""


@pytest.fixture(scope="module")
def model() -> tooldec.models.Model:  # type: ignore[name-defined]
    return load_model("toy")


@pytest.fixture(scope="module")
def fsm(model) -> TokenFSM:  # type: ignore[no-untyped-def]
    return build_fsm(SCHEMES["special_token"].for_model(model).grammar(parse_tools(FOUR)), model.vocabulary)


@pytest.fixture(scope="module")
def trace(model, fsm) -> Trace:  # type: ignore[no-untyped-def]
    scheme = SCHEMES["special_token"].for_model(model)
    return Trace.collect(decode(model, fsm, scheme.prompt(parse_tools(FOUR), QUESTION)))


def valid(step: Step) -> set[str]:
    return {candidate.token for candidate in step.candidates if candidate.after > 0}


# ---- Table 2


def test_table_2(trace: Trace, model, fsm: TokenFSM) -> None:  # type: ignore[no-untyped-def]
    assert len(trace.steps) == len(TABLE_2)
    for step, (text, state, tokens, token, after) in zip(trace.steps, TABLE_2, strict=True):
        assert (step.text, step.state_name, step.token, step.next_state_name) == (text, state, token, after)
        if tokens is WHOLE:
            assert step.mode == "text" and step.allowed_count == model.vocabulary.size == 64
        else:
            assert valid(step) == set(tokens) and step.allowed_count == len(tokens)
    assert (trace.text, trace.end, trace.finished) == ("Its area is <T>square(5)", "eos", True)


def test_the_paper_s_last_row_says_s10_ours_returns_to_text_mode(trace: Trace) -> None:
    states = [step.state_name for step in trace.steps]
    assert states == ["s0", "s0", "s0", "s1", "s4", "s5", "s10", "s12", "s0"]
    assert states[:8] == ["s0", "s0", "s0", "s1", "s4", "s5", "s10", "s12"]  # as printed; the ninth is s10 there
    assert trace.steps[-1].state == trace.steps[0].state and trace.steps[-1].state != trace.steps[6].state


def test_the_mask_is_the_paper_s_formula(trace: Trace) -> None:
    for step in trace.steps:
        kept = sum(candidate.before for candidate in step.candidates if candidate.after > 0)
        assert sum(c.after for c in step.candidates if c.after > 0) <= 1 + 1e-6
        if step.mode != "text":
            assert step.mass_kept == pytest.approx(kept) and step.mass_kept < 1
            for candidate in step.candidates:
                if candidate.after > 0:
                    assert candidate.after == pytest.approx(candidate.before / step.mass_kept)
        else:
            assert step.mass_kept == pytest.approx(1)


def test_the_call_is_read_back(trace: Trace) -> None:
    (call,) = SCHEMES["special_token"].read_calls(trace.text, parse_tools(FOUR))
    assert (call.name, call.arguments) == ("square", {"side": 5})


# ---- the 5-tuple of section 3.1


def test_the_five_parts_have_names(fsm: TokenFSM, model) -> None:  # type: ignore[no-untyped-def]
    assert fsm.vocabulary is model.vocabulary  # V
    assert fsm.initial in fsm.states and len(fsm.states) >= 9  # s0, S
    assert [model.vocabulary.text(token) for token in fsm.vocabulary.eos] == ["<EOS>"]  # R
    seen, queue = {fsm.initial}, [fsm.initial]
    for state in queue:  # g: a token is valid where it leads somewhere
        row, after = fsm.allowed(state), [fsm.step(state, token) for token in range(fsm.vocabulary.size)]
        assert [target is not None for target in after] == row.tolist()
        assert bool(row[list(fsm.vocabulary.eos)].all()) == fsm.is_accepting(state)
        ways = {target for target in after if target is not None and not fsm.is_complete(target)} - seen
        seen |= ways
        queue += ways
    assert seen < set(fsm.states) and len(seen) > 20


def test_text_mode_is_the_whole_vocabulary_and_stays_in_s0(fsm: TokenFSM) -> None:
    assert fsm.allowed(fsm.initial).all()
    (marker,), (end,) = fsm.vocabulary.ids("<T>"), fsm.vocabulary.eos
    others = [token for token in range(fsm.vocabulary.size) if token not in (marker, end)]
    assert {fsm.step(fsm.initial, token) for token in others} == {fsm.initial}
    assert fsm.step(fsm.initial, marker) != fsm.initial


# ---- Figure 2


def drawing(fsm: TokenFSM, base: Outline | None = None) -> tuple[dict[str, tuple[str, str]], set[tuple[str, str, str]]]:
    """Boxes by their place, and transitions; an argument's place is `tool.parameter`."""
    view = Outline(fsm, base=base.name_numbers if base else None).view()
    place = {
        box.id: f"{box.label.tool}.{box.label.parameter}" if box.kind == "argument" else box.entered or box.name
        for box in view.boxes
    }
    boxes = {place[box.id]: (box.name, box.kind) for box in view.boxes}
    return boxes, {(place[edge.source], edge.label, place[edge.target]) for edge in view.edges}


FIGURE_2 = {
    ("s0", "<T>", "s1"), ("s1", "add", "add"), ("s1", "exp", "exp"), ("s1", "sq", "sq"), ("sq", "uare", "square"),
    ("sq", "rt", "sqrt"), ("add", "(", "add.a"), ("exp", "(", "exp.x"), ("square", "(", "square.side"),
    ("sqrt", "(", "sqrt.x"), ("add.a", ",", "add.b"), ("add.b", ")", "s0"), ("exp.x", ")", "s0"),
    ("square.side", ")", "s0"), ("sqrt.x", ")", "s0"),
}  # fmt: skip
NAMES_2 = {"s0": "s0", "s1": "s1", "add": "s2", "exp": "s3", "sq": "s4", "square": "s5", "sqrt": "s6"}
ARGUMENTS_2 = ["add.a", "add.b", "exp.x", "square.side", "sqrt.x"]


def test_figure_2(fsm: TokenFSM) -> None:
    boxes, edges = drawing(fsm)
    assert edges == FIGURE_2
    assert {place: name for place, (name, kind) in boxes.items() if kind != "argument"} == NAMES_2
    assert {place: boxes[place] for place in ARGUMENTS_2} == dict.fromkeys(ARGUMENTS_2, ("s10", "argument"))
    assert boxes.keys() == NAMES_2.keys() | set(ARGUMENTS_2)
    accepting = [box.name for box in Outline(fsm).view().boxes if box.accepting]
    assert accepting == ["s0"]


def test_the_intfsm_of_figure_2_with_its_missing_zero() -> None:
    table = table_of(integer(plus=True))
    start, sign, digits, zero = range(4)  # s10, s11, s12, and s13, which is ours
    ways = {
        (state, chr(byte), after)
        for state, row in enumerate(table.rows)
        for byte, after in enumerate(row)
        if after >= 0
    }
    expected = {(start, s, sign) for s in "+-"} | {(state, "0", zero) for state in (start, sign)}
    expected |= {(state, d, digits) for state in (start, sign) for d in "123456789"}
    expected |= {(digits, d, digits) for d in "0123456789"}
    assert ways == expected and table.accepting == (False, False, True, True)


def test_each_submachine_of_the_figure_is_one_value(fsm: TokenFSM) -> None:
    boxes = [box for box in Outline(fsm).view().boxes if box.kind == "argument"]
    assert len({box.table for box in boxes}) == 1 and {(box.table.name, box.base) for box in boxes if box.table} == {("IntFSM", 10)}  # fmt: skip


# ---- Figure 3


def test_figure_3_adding_exp10_and_expand(fsm: TokenFSM, model) -> None:  # type: ignore[no-untyped-def]
    bigger = build_fsm(SCHEMES["special_token"].for_model(model).grammar(parse_tools(SIX)), model.vocabulary)
    boxes, edges = drawing(bigger, Outline(fsm))
    new = {("exp", "10", "exp10"), ("exp", "and", "expand"), ("exp10", "(", "exp10.x"), ("expand", "(", "expand.x"), ("exp10.x", ")", "s0"), ("expand.x", ")", "s0")}  # fmt: skip
    assert edges == FIGURE_2 | new
    names = {place: name for place, (name, kind) in boxes.items() if kind != "argument"}
    assert names == {**NAMES_2, "exp10": "s7", "expand": "s8"}


def test_the_order_in_which_tools_are_added_numbers_them(fsm: TokenFSM, model) -> None:  # type: ignore[no-untyped-def]
    old = Outline(fsm)
    swapped = FOUR + "\ndef expand(x: int)\ndef exp10(x: int)"
    bigger = build_fsm(SCHEMES["special_token"].grammar(parse_tools(swapped)), model.vocabulary)
    boxes, _ = drawing(bigger, old)
    assert (boxes["expand"][0], boxes["exp10"][0]) == ("s7", "s8")
    alone, _ = drawing(build_fsm(SCHEMES["special_token"].grammar(parse_tools(SIX)), model.vocabulary))
    assert sorted(name for name, kind in alone.values() if kind == "name") == [f"s{n}" for n in range(1, 9)]


def test_a_machine_grows_in_place_and_its_old_states_stay(fsm: TokenFSM) -> None:
    bigger = fsm.extended(SCHEMES["special_token"].grammar(parse_tools(SIX)))
    boxes, _ = drawing(bigger, Outline(fsm))
    assert (boxes["exp10"][0], boxes["expand"][0], boxes["square"][0]) == ("s7", "s8", "s5")
    assert np.array_equal(fsm.allowed(fsm.initial), bigger.allowed(bigger.initial))
    inside = fsm.dfa.read(["<T>", *b"exp"])
    grown = bigger.dfa.read(["<T>", *b"exp"])
    assert inside is not None and grown is not None
    text = fsm.vocabulary.text
    assert {text(t) for t in np.flatnonzero(fsm.allowed(inside)).tolist()} == {"("}
    assert {text(t) for t in np.flatnonzero(bigger.allowed(grown)).tolist()} == {"(", "1", "and"}


# ---- Figure 1


def test_figure_1_the_errors_that_the_machine_makes_impossible(model, fsm: TokenFSM) -> None:  # type: ignore[no-untyped-def]
    """A name that doesn't exist (`product`) and an argument that is no number (`pi`)."""
    marker = fsm.dfa.read(["<T>"])
    inside = fsm.dfa.read(["<T>", *b"square("])
    assert marker is not None and inside is not None
    ids = {model.vocabulary.text(token): token for token in range(model.vocabulary.size)}
    assert not fsm.allowed(marker)[ids["prod"]] and not fsm.allowed(inside)[ids["pi"]]
    assert why_blocked(fsm.dfa, marker, b"product") and why_blocked(fsm.dfa, inside, b"pi")
    scheme = SCHEMES["special_token"]
    unguided = Trace.collect(
        decode(model, build_fsm(scheme.unguided(), model.vocabulary), scheme.prompt(parse_tools(FOUR), QUESTION))
    )
    assert "<T>squared" in unguided.text and unguided.finished
    with pytest.raises(tooldec.ToolDecError, match="no tool `squared`"):
        scheme.read_calls(unguided.text, parse_tools(FOUR))
