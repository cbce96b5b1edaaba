from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tooldec.automaton import DFA
from tooldec.grammar import (
    EMPTY,
    Choice,
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
    choice,
    sequence,
)
from tooldec.mentions import mentioned
from tooldec.patterns.utf8 import characters
from tooldec.symbols import symbols_text

A, B, C = Literal(b"a"), Literal(b"b"), Literal(b"c")


def test_terms_are_joined_flat() -> None:
    assert (A + B + C).parts == (A, B, C) and (A | B | C).options == (A, B, C)  # type: ignore[attr-defined]
    assert (A + (B + C)).parts == (A, B, C) and (A | (B | C)).options == (A, B, C)  # type: ignore[attr-defined]
    assert (EMPTY + A).parts == (A,)  # type: ignore[attr-defined]
    assert (A.optional().low, A.optional().high) == (0, 1) and (A.repeat(2).low, A.repeat(2).high) == (2, None)


def test_neighbouring_literals_become_one_and_single_options_themselves() -> None:
    assert str(sequence(b"(", b"x", EMPTY, b")")) == "Literal(b'(x)')"
    assert sequence(A) is A and choice([A]) is A
    assert sequence() is not None and not sequence().parts  # type: ignore[attr-defined]
    assert [str(part) for part in sequence(b"a", Special("<T>"), b"b", b"c").parts] == [
        "Literal(b'a')",
        "Special(<T>)",
        "Literal(b'bc')",
    ]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (A + B.repeat(1, 3), "Sequence(Literal(b'a'), Repeat(Literal(b'b'), 1, 3))"),
        (A | EMPTY, "Choice(Literal(b'a'), Sequence())"),
        (SymbolClass.of(b"+-", (0x30, 0x39)), "SymbolClass([+\\-0-9])"),
        (Forever(Until("<T>")), "Forever(Until(<T>))"),
        (Names((b"add", b"exp"), lambda index: A), "Names(add, exp)"),
        (Submachine("IntFSM", A), "Submachine(IntFSM)"),
        (Deferred("Node", lambda: A), "Deferred(Node)"),
        (HostText(), "HostText()"),
    ],
)
def test_terms_print_as_trees(term: Grammar, text: str) -> None:
    assert str(term) == text
    assert str(Labelled(Label("text"), term)).endswith(f"{text})")


def test_ranks_default_to_the_order_of_the_words() -> None:
    assert Names((b"a", b"b", b"c"), lambda index: A).ranks == (0, 1, 2)
    assert Names((b"a", b"b"), lambda index: A, (1, 0)).ranks == (1, 0)


def test_mentioned_names_special_tokens_everywhere_but_in_tails() -> None:
    term = Forever(sequence(Until("<T>"), Labelled(Label("name"), A | Special("<x>").repeat())))
    assert mentioned(term) == {"<T>", "<x>"}
    assert mentioned(Names((b"a",), lambda index: Special("<T>"))) == frozenset()
    assert mentioned(A + B) == frozenset()


# ---- characters, against Python's UTF-8

_codes = st.sampled_from([0, 0x20, 0x7E, 0x7F, 0x80, 0xFF, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFF, 0x10000, 0x1F600, 0xFFFFF, 0x100000, 0x10FFFF]) | st.integers(0, 0x10FFFF)  # fmt: skip
_ranges = st.lists(st.tuples(_codes, _codes).map(lambda pair: (min(pair), max(pair))), min_size=1, max_size=3)


def accepts(dfa: DFA, text: bytes) -> bool:
    state = dfa.read(text)
    return state is not None and dfa.is_accepting(state)


def encoded(code: int) -> bytes:
    return chr(code).encode("utf-8", "surrogatepass")


@given(_ranges, st.randoms(use_true_random=False))
def test_characters_are_well_formed_utf_8_of_exactly_the_ranges(
    ranges: list[tuple[int, int]], chance: random.Random
) -> None:
    dfa = DFA(characters(*ranges))
    ends: Iterable[int] = [end + d for pair in ranges for end in pair for d in (-1, 0, 1) if 0 <= end + d <= 0x10FFFF]
    for code in {
        *ends,
        *(chance.randint(*chance.choice(ranges)) for _ in range(20)),
        *(chance.randint(0, 0x10FFFF) for _ in range(20)),
    }:
        inside = any(low <= code <= high for low, high in ranges) and not 0xD800 <= code <= 0xDFFF
        assert accepts(dfa, encoded(code)) == inside, hex(code)


@given(st.binary(max_size=4))
def test_no_other_bytes_are_a_character(data: bytes) -> None:
    try:
        one = len(data.decode()) == 1
    except UnicodeDecodeError:
        one = False
    assert accepts(_ANY, data) == one


_ANY = DFA(characters((0, 0x10FFFF)))


@pytest.mark.parametrize(
    ("symbols", "text"),
    [(b"0123456789", "[0-9]"), (b"+-", "{+,-}"), (b"a", "a"), (b" ", "␣"), (b"\n", "↵"), (b"\x00", "⟨00⟩"), (b"abc", "[a-c]"), (b"abd", "[abd]"), (b"bdf", "{b,d,f}"), (b"abdefz", "[abd-fz]"), (b"abcd", "[a-d]"), (b"]-^ab", "[\\-\\]\\^ab]"), (b"ace", "{a,c,e}"), (bytes(range(128, 192)), "[⟨80⟩-⟨BF⟩]")],
)  # fmt: skip
def test_sets_of_bytes_are_written_as_people_write_classes(symbols: bytes, text: str) -> None:
    assert symbols_text(symbols) == text


def test_a_repeat_is_a_value() -> None:
    assert isinstance(A.repeat(), Repeat) and A.repeat() != A.repeat()  # terms are compared by identity
    assert isinstance(A + B, Sequence) and isinstance(A | B, Choice)
