from __future__ import annotations

import gc
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import plain_terms

from tooldec import arguments
from tooldec.arguments import DUMPS, argument, patterns
from tooldec.arguments.strings import content_of
from tooldec.automaton import DFA, table_of
from tooldec.grammar import Choice, Grammar, Literal, Submachine
from tooldec.minimizing import DEAD
from tooldec.submachine import Table, text_table
from tooldec.token_fsm import build_fsm
from tooldec.vocabulary import Vocabulary


def run(table: Table, text: bytes) -> int:
    state = 0
    for byte in text:
        state = table.rows[state][byte] if state != DEAD else DEAD
    return state


def test_what_leads_nowhere_is_left_out_and_what_is_equal_is_merged() -> None:
    rows = [{97: 1, 98: 2, 99: 3}, {120: 4}, {120: 5}, {120: 3}, {}, {}]
    table = Table.minimal("t", rows, [False, False, False, False, True, True])
    assert len(table) == 3  # 1 and 2 are equal, 4 and 5 are, 3 leads nowhere
    assert run(table, b"ax") == run(table, b"bx") and run(table, b"c") == DEAD
    assert table.accepting == (False, False, True) and table.leads_on == (True, True, False)
    assert table.array.shape == (3, 256) and table.array.tolist() == [list(row) for row in table.rows]


def test_states_without_a_way_on_are_numbered_last() -> None:
    table = Table.minimal("IntFSM", [{48: 1, 49: 2}, {}, {48: 2}], [False, True, True])
    assert (table.rows[0][49], table.rows[0][48]) == (1, 2)


def test_a_table_of_nothing_has_one_state_that_goes_nowhere() -> None:
    table = Table.minimal("none", [{97: 1}, {98: 1}], [False, False])
    assert len(table) == 1 and table.accepting == (False,) and table.leads_on == (False,)


def _distinguishable(table: Table) -> bool:
    """Every two states accept different texts, and every state can be reached and left (Brzozowski's conditions)."""
    different = {
        (a, b) for a in range(len(table)) for b in range(len(table)) if table.accepting[a] != table.accepting[b]
    }
    while True:
        more = {
            (a, b)
            for a in range(len(table))
            for b in range(len(table))
            for byte in range(256)
            if (a, b) not in different and _told_apart(table.rows[a][byte], table.rows[b][byte], different)
        }
        if not more:
            return len(different) == len(table) * (len(table) - 1)
        different |= more


def _told_apart(one: int, two: int, different: set[tuple[int, int]]) -> bool:
    return (one, two) in different or (one == DEAD) != (two == DEAD)


@settings(max_examples=40)
@given(plain_terms, st.randoms(use_true_random=False))
def test_a_submachine_s_table_reads_what_its_grammar_does(term: Grammar, chance: random.Random) -> None:
    table, dfa = table_of(Submachine("box", term)), DFA(term)
    if len(table) < 8:
        assert _distinguishable(table)
    for _ in range(40):
        text, state, at = b"", dfa.initial, 0
        while chance.random() < 0.9:
            assert at != DEAD and dfa.is_accepting(state) == table.accepting[at]
            assert table.leads_on[at] == bool(dfa.first(state))
            ways = [s for s in dfa.first(state) if isinstance(s, int)]
            byte = chance.choice(ways) if ways and chance.random() < 0.9 else chance.randrange(256)
            after = dfa.step(state, byte)
            at, text = table.rows[at][byte], text + bytes([byte])
            if after is None:
                assert at == DEAD, text
                break
            state = after


@pytest.mark.parametrize("marker", [b"<T>", b"aab", b"aa", b"x", b"abab", "é".encode()])
@given(data=st.data())
def test_the_watch_for_a_marker_finds_its_first_place(marker: bytes, data: st.DataObject) -> None:
    table = text_table(marker)
    text = data.draw(st.lists(st.sampled_from([*marker, 32]), max_size=12).map(bytes))
    place = text.find(marker)
    state = 0
    for index, byte in enumerate(text):
        state = table.rows[state][byte]
        found = 0 <= place <= index + 1 - len(marker)
        assert table.accepting[state] == found
        if found:
            assert not table.leads_on[state]
            break


def test_text_without_a_marker_has_no_end() -> None:
    table = text_table(b"")
    assert table.accepting == (False,) and set(table.rows[0]) == {0} and text_table(b"") is table


@given(
    st.lists(st.binary(min_size=1, max_size=5).map(lambda word: bytes(b'abc"'[byte % 4] for byte in word)), min_size=1)
)
def test_words_make_the_smallest_table_at_once(words: list[bytes]) -> None:
    """`of_words` gives the very table that the automaton of the words is reduced to."""
    dfa = DFA(Choice(tuple(Literal(word) for word in words)))
    rows: list[dict[int, int]] = []
    while len(rows) < len(dfa):
        rows.append({byte: to for byte in range(256) if (to := dfa.step(len(rows), byte)) is not None})
    wanted = Table.minimal("words", rows, [dfa.is_accepting(state) for state in range(len(rows))])
    table = Table.of_words("words", words)
    assert [list(row) for row in table.rows] == [list(row) for row in wanted.rows]
    assert (table.accepting, table.leads_on, table.narrow) == (wanted.accepting, wanted.leads_on, True)
    assert table.array.tolist() == wanted.array.tolist()


def test_what_schemas_asked_for_is_given_back_with_them() -> None:
    """A server sees no end of patterns: their masks go when their machines go."""
    vocabulary = Vocabulary([bytes([byte]) for byte in range(256)])
    patterns._pattern_table.cache_clear()
    for number in range(3):
        fsm = build_fsm(argument({"type": "string", "pattern": f"^a{{{number + 3},}}[b-z]*[0-9]+$"}, DUMPS), vocabulary)
        state = fsm.dfa.read(b'"aaa')
        assert state is not None and fsm.mask(state).any()
        held = len(vocabulary.masks)
        assert held > 0
        del fsm
    patterns._pattern_table.cache_clear()
    content_of.cache_clear()
    arguments._simple.clear()
    gc.collect()
    assert len(vocabulary.masks) < held
