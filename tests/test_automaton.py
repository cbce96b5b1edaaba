from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import reading
from strategies import ALPHABET, SPECIALS, grammars

from tooldec.automaton import DFA, table_of
from tooldec.grammar import (
    EMPTY,
    NOTHING,
    TEXT,
    Choice,
    Counted,
    Deferred,
    Forever,
    Grammar,
    HostText,
    Label,
    Labelled,
    Literal,
    Names,
    Repeat,
    Sequence,
    Special,
    Submachine,
    SymbolClass,
    Until,
    sequence,
)
from tooldec.states.counting import Tally

DIGIT = SymbolClass.of(b"0123456789")
DIGITS = Submachine("DigitsFSM", DIGIT.repeat(1))
TOOLS = (b"add", b"exp", b"exp10", b"sqrt")
NAMED = Names(TOOLS, lambda index: sequence(b"(", *[DIGIT, b","] * index, b")"))


def reads(grammar: Grammar, text: bytes | list[int | str], specials: tuple[str, ...] = ()) -> bool | None:
    """True where a text is complete, None where it is a beginning, False where it can't be read."""
    dfa = DFA(grammar, specials)
    state = dfa.read(text)
    return False if state is None else dfa.is_accepting(state) or None


@pytest.mark.parametrize(
    ("grammar", "complete", "begun", "wrong"),
    [
        (Literal(b"ab"), [b"ab"], [b"", b"a"], [b"b", b"abb"]),
        (Literal(b""), [b""], [], [b"a"]),
        (EMPTY, [b""], [], [b"a"]),
        (NOTHING, [], [], [b"a"]),
        (DIGIT, [b"0", b"9"], [b""], [b"a", b"00"]),
        (Sequence((Literal(b"a"), DIGIT, EMPTY)), [b"a1"], [b"", b"a"], [b"1", b"a1a"]),
        (Literal(b"a") | Literal(b"ab"), [b"a", b"ab"], [b""], [b"b", b"abb"]),
        (Choice((EMPTY, Literal(b"x"))), [b"", b"x"], [], [b"xx"]),
        (DIGIT.optional(), [b"", b"1"], [], [b"11"]),
        (DIGIT.repeat(2, 3), [b"11", b"111"], [b"", b"1"], [b"1111", b"1a"]),
        (DIGIT.repeat(2), [b"11", b"1" * 50], [b"", b"1"], [b"1a"]),
        (Repeat(DIGIT, 0, 0), [b""], [], [b"1"]),
        (Repeat(DIGIT.optional(), 2, 4), [b"", b"1111"], [], [b"11111"]),
        (Repeat(EMPTY, 3, None), [b""], [], [b"a"]),
        (Repeat(Repeat(DIGIT)), [b"", b"123"], [], [b"a"]),
        (NAMED, [b"add()", b"exp(5,)", b"exp10(5,5,)", b"sqrt(1,2,3,)"], [b"", b"exp", b"exp1"], [b"e(", b"exp10()"]),
        (DIGITS, [b"1", b"12"], [b""], [b"a"]),
        (sequence(DIGITS, b",", DIGITS), [b"1,2"], [b"12", b"1,"], [b",", b"1,,"]),
        (sequence(DIGITS, DIGITS), [b"12", b"123"], [b"1"], [b"a"]),
        (Submachine("e", DIGIT.optional()) + Literal(b"x"), [b"x", b"1x"], [b"", b"1"], [b"11"]),
        (Submachine("nothing", NOTHING) | Literal(b"x"), [b"x"], [b""], [b"y"]),
        (Deferred("later", lambda: NAMED), [b"add()"], [b"a"], [b"b"]),
        (Labelled(Label("name", "f"), Literal(b"f")), [b"f"], [b""], [b"g"]),
        (Special("<T>"), [b"<T>"], [b"", b"<T"], [b"T"]),
        (Until("<T>"), [b"", b"a<", b"<<T", b"anything", b"<T>", b"x<<T>"], [], [b"<T>x"]),
        (sequence(Until("aab"), b"!"), [b"", b"aa", b"aaab!"], [b"aab", b"aaab"], [b"aab?", b"aab!a"]),
        (Until(""), [b"", b"<T>", bytes(range(256))], [], []),
        (Forever(sequence(Until("#"), DIGIT)), [b"", b"x#1", b"#1#2 and"], [b"#", b"#1#"], [b"#x", b"#1##"]),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, Grammar) else "",
)
def test_each_term_reads_what_it_says(
    grammar: Grammar, complete: list[bytes], begun: list[bytes], wrong: list[bytes]
) -> None:
    assert {text: reads(grammar, text) for text in complete} == dict.fromkeys(complete, True)
    assert {text: reads(grammar, text) for text in begun} == dict.fromkeys(begun)
    assert {text: reads(grammar, text) for text in wrong} == dict.fromkeys(wrong, False)
    for text in (*complete, *begun):
        assert reading(grammar, text) == (True, text in complete)
    assert not any(reading(grammar, text)[0] for text in wrong)


def test_a_special_token_of_the_alphabet_is_one_symbol_and_no_spelling() -> None:
    assert reads(Special("<T>"), ["<T>"], ("<T>",)) is True
    assert reads(Special("<T>"), b"<T>", ("<T>",)) is False
    assert reads(Special("<T>"), ["<x>"], ("<T>", "<x>")) is False


def test_text_mode_takes_any_special_token_and_only_its_marker_switches() -> None:
    grammar = sequence(Until("<T>"), b"!")
    assert reads(grammar, [*b"<T>", "<x>", *b"!"], ("<T>", "<x>")) is True  # the spelling is text
    assert reads(grammar, ["<T>"], ("<T>",)) is None
    assert reads(grammar, ["<T>", *b"!"], ("<T>",)) is True
    assert reads(grammar, ["<y>"], ("<T>",)) is False


def test_a_special_token_between_ends_a_partial_match_of_a_spelled_marker() -> None:
    assert reads(sequence(Until("<T>"), b"!"), [*b"<T", "<x>", *b">!"], ("<x>",)) is True


@settings(max_examples=250)
@given(grammars, st.sets(st.sampled_from(SPECIALS)), st.randoms(use_true_random=False))
def test_the_automaton_reads_what_the_grammar_means(
    grammar: Grammar, specials: set[str], chance: random.Random
) -> None:
    dfa = DFA(grammar, specials)
    for _ in range(6):
        symbols: list[int | str] = []
        state: int | None = dfa.initial
        for _ in range(12):
            assert state is not None
            assert (True, dfa.is_accepting(state)) == reading(grammar, symbols, specials)
            known = sorted(dfa.first(state), key=str)
            symbols.append(chance.choice(known if known and chance.random() < 0.8 else [*ALPHABET, *SPECIALS]))
            state = dfa.step(state, symbols[-1])
            if state is None:
                assert not reading(grammar, symbols, specials)[0]
                break


@given(grammars)
def test_first_and_transitions_tell_of_every_step(grammar: Grammar) -> None:
    dfa = DFA(grammar, SPECIALS)
    for state in range(min(len(dfa), 4)):
        ways = dict(dfa.transitions(state))
        assert ways.keys() == dfa.first(state)
        for symbol in (*range(256), *SPECIALS):
            assert dfa.step(state, symbol) == ways.get(symbol)


def test_nothing_is_built_before_it_is_visited() -> None:
    asked: list[int] = []

    def tail(index: int) -> Grammar:
        asked.append(index)
        return Literal(b"!")

    dfa = DFA(Names(tuple(f"tool{n:05}".encode() for n in range(16_000)), tail))
    assert len(dfa) == 1 and asked == []
    assert dfa.read(b"tool00007!") is not None
    assert asked == [7] and len(dfa) == 11


def test_equal_states_are_one_state() -> None:
    dfa = DFA(Forever(sequence(Until("#"), NAMED)))
    assert dfa.read(b"#add()") == dfa.read(b"xyz") == dfa.initial
    assert dfa.read(b"#exp10(1,") != dfa.read(b"#exp(1,")
    assert len({dfa.read(b"#sqrt(" + b"%d," % n) for n in range(10)}) == 1


def test_labels_ride_along() -> None:
    argument = Labelled(Label("argument", "f", "x"), DIGITS)
    call = Labelled(Label("name", "f"), sequence(b"f(", argument, b")"))
    dfa = DFA(sequence(Until("<T>"), call))
    labels = [
        dfa.labels(state) for text in (b"", b"<", b"<T>f", b"<T>f(", b"<T>f(1") if (state := dfa.read(text)) is not None
    ]
    name, value = Label("name", "f"), Label("argument", "f", "x")
    assert labels == [{TEXT}, {TEXT}, {name}, {value}, {value, name}]


def test_the_host_s_place_is_crossed_by_nothing() -> None:
    dfa = DFA(sequence(b"=", HostText(), b";"))
    state = dfa.read(b"=")
    assert state is not None and dfa.is_host(state) and not dfa.first(state)
    assert dfa.step(state, ord(";")) is None
    assert dfa.read(b";", dfa.after_host(state)) is not None


def test_a_table_is_complete_minimal_and_made_once() -> None:
    term = Submachine(
        "IntFSM", SymbolClass.of(b"+-").optional() + (Literal(b"0") | SymbolClass.of(b"123456789") + DIGIT.repeat())
    )
    table = table_of(term)
    assert table_of(term) is table
    start, sign, digits, zero = range(4)
    assert len(table) == 4 and table.accepting == (False, False, True, True)
    assert [table.rows[start][b] for b in b"+-059"] == [sign, sign, zero, digits, digits]
    assert [table.rows[sign][b] for b in b"+-059"] == [-1, -1, zero, digits, digits]
    assert {table.rows[digits][b] for b in b"0123456789"} == {digits} and set(table.rows[zero]) == {-1}


def test_what_is_no_term_is_refused() -> None:
    with pytest.raises(TypeError, match="not a grammar term"):
        DFA(Grammar())


def six_threads(work: Callable[[], object]) -> None:
    """Do it six times at once."""
    ready = threading.Barrier(6)
    threads = [threading.Thread(target=lambda: (ready.wait(), work())) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.fixture
def interrupted() -> Iterator[None]:
    """Threads are interrupted at whatever place they are."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("interrupted")
def test_threads_share_states_behind_the_hosts_text() -> None:
    """What a thread finds of another one's new states is there."""
    failures: list[object] = []

    def go_on(dfa: DFA, state: int) -> None:
        try:
            dfa.cells(dfa.after_host(state))
        except IndexError as error:
            failures.append(error)

    for _ in range(150):
        dfa = DFA(sequence(b"x", HostText(), b"y"))
        state = dfa.read(b"x")
        assert state is not None
        six_threads(partial(go_on, dfa, state))
    assert not failures


class Slow(DFA):
    """Takes its time over strings with bounds."""

    def tally_of(self, term: Counted) -> Tally:
        time.sleep(0.02)
        return super().tally_of(term)


def test_threads_that_add_the_same_grammar_find_the_same_state() -> None:
    dfa, found = Slow(Literal(b"x")), set[int]()
    more = Forever(sequence(b"a", Counted(DIGITS, DIGITS, 1, 3)))
    six_threads(lambda: found.add(dfa.with_grammar(more).initial))
    assert len(found) == 1
