from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import grammars

from tooldec import SCHEMES, explain, parse_tools
from tooldec.automaton import DFA
from tooldec.grammar import Grammar, sequence
from tooldec.token_fsm import build_fsm
from tooldec.vocabulary import Vocabulary

TOOLS = parse_tools(
    "def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: float)\ndef say(text: str)\ndef on(flag: bool)"
)
DFA_ = DFA(SCHEMES["special_token"].grammar(TOOLS, results=True), ["<T>", "<x>"])


def state(*symbols: int | str) -> int:
    found = DFA_.read(symbols)
    assert found is not None
    return found


def at(text: str) -> int:
    return state("<T>", *text.encode())


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("", "a tool's name"),
        ("s", "the rest of a tool's name"),
        ("sq", "the rest of a tool's name"),
        ("square", "`(`"),
        ("square(", "a sign or a digit"),
        ("square(+", "a digit"),
        ("square(5", "a digit or `)=`"),
        ("square(0", "`)=`"),
        ("add(5", "a digit or `,`"),
        ("add(5,", "` ` or a sign or a digit"),
        ("say(", "a quote"),
        ('say("', "any character of a text"),
        ("square(5)=", "the host's result"),
    ],
)
def test_what_is_expected(text: str, phrase: str) -> None:
    assert sorted(explain.expected(DFA_, at(text)).split(" or ")) == sorted(phrase.split(" or "))


def test_text_mode_expects_any_text_or_the_marker() -> None:
    assert explain.expected(DFA_, DFA_.initial) == "any text, or <T>"


@pytest.mark.parametrize(
    ("text", "token", "reason"),
    [
        ("", "product", "no tool is called “product”"),
        ("", "(", "a tool's name comes first, not `(`"),
        ("", "exp10", "byte 4: no tool is called “exp10”"),
        ("sq", "uared", "byte 5: no tool is called “squared”"),
        ("sq", "(", "“sq” is not yet a full name"),
        ("square", "d(", "no tool is called “squared”"),
        ("square", "[", "expected `(`, not `[`"),
        ("square(", "pi", "an int starts with a sign or a digit"),
        ("square(", "5.", "byte 2: `.` isn't part of an int: expected `)=` or a digit"),
        ("square(0", "1", "expected `)=`, not `1`"),
        ("square(5)=", "25", "the result is written by the host, not by the model"),
    ],
)
def test_why_a_token_is_blocked(text: str, token: str, reason: str) -> None:
    assert explain.why_blocked(DFA_, at(text), token.encode()) == reason


@pytest.mark.parametrize(
    ("text", "token", "reason"),
    [
        ('turn("', "degrees", "no listed value goes on with “degrees”"),
        ('turn("', "cold", "byte 2: no listed value goes on with “old”"),
        ("turn(", "on", "a listed value starts with a quote"),
    ],
)
def test_why_a_token_is_no_listed_value(text: str, token: str, reason: str) -> None:
    grammar = SCHEMES["special_token"].grammar(parse_tools('turn(to: Literal["celsius", "kelvin"])'))
    dfa = DFA(grammar, ["<T>"])
    state = dfa.read(["<T>", *text.encode()])
    assert state is not None and explain.why_blocked(dfa, state, token.encode()) == reason


def test_special_tokens_and_the_end() -> None:
    assert (
        explain.why_blocked(DFA_, at("square("), ["<T>"])
        == "`<T>` is a special token, and none may stand inside of an argument"
    )
    assert (
        explain.why_blocked(DFA_, at("sq"), ["<x>"])
        == "`<x>` is a special token, and none may stand inside of a tool's name"
    )
    assert explain.why_blocked(DFA_, DFA_.initial, ["<y>"]) == "`<y>` isn't a token of this machine"
    call = DFA(SCHEMES["special_token"].grammar(TOOLS, start="call"), ["<T>"])
    end, begin = call.read(["<T>", *b"exp(1)"]), call.initial
    assert end is not None
    assert explain.why_blocked(call, end, b"x") == "the call is complete: nothing but the end may follow"
    assert explain.why_blocked(call, begin, b"x") == "only `<T>` can follow"


def test_the_end_of_the_text_and_padding() -> None:
    fsm = build_fsm(
        SCHEMES["special_token"].grammar(TOOLS), Vocabulary([b"square(", "<T>", None, "<EOS>", b"5"], eos=[3])
    )
    inside = fsm.dfa.read(["<T>", *b"square("])
    assert inside is not None
    assert (
        fsm.why_blocked(inside, 3) == "the answer can't end inside of a call"
        and fsm.why_blocked(fsm.initial, 3) is None
    )
    assert (
        fsm.why_blocked(inside, 2) == "a padding row of the model spells nothing" and fsm.why_blocked(inside, 4) is None
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ("add", "exp", "square", "sqrt", "say", "on")),
        ("s", ("square", "sqrt", "say")),
        ("sq", ("square", "sqrt")),
        ("square(", ("square",)),
        ("add(1", ("add",)),
    ],
)
def test_the_tools_that_are_still_possible_in_the_order_of_the_list(text: str, names: tuple[str, ...]) -> None:
    assert DFA_.tools(at(text)) == names


@settings(max_examples=100)
@given(grammars, st.randoms(use_true_random=False))
def test_there_is_a_sentence_wherever_a_token_is_blocked(grammar: Grammar, chance: random.Random) -> None:
    dfa = DFA(sequence(grammar), ["<T>"])
    at: int | None = dfa.initial
    for _ in range(5):
        if at is None:
            break
        assert isinstance(explain.expected(dfa, at), str) and isinstance(dfa.tools(at), tuple)
        for symbols in ([*b"ab"], ["<T>"], ["<y>"], [0xFF], [*b"(\xc3"], [0x0A, 0x41], [*b"("]):
            reason = explain.why_blocked(dfa, at, symbols)
            assert (reason is None) == (dfa.read(symbols, at) is not None) and reason != ""
        known = sorted(dfa.first(at), key=str)
        at = dfa.step(at, chance.choice(known)) if known else None
