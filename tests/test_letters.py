from __future__ import annotations

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import patterns

from tooldec.arguments import DUMPS, argument
from tooldec.arguments.strings import PLAIN, pattern_table, reads
from tooldec.automaton import table_of
from tooldec.errors import SchemaError
from tooldec.letters import Letters
from tooldec.literals import json_character, quoted
from tooldec.mentions import notes
from tooldec.regex import from_regex
from tooldec.submachine import Table, difference
from tooldec.token_fsm import build_fsm
from tooldec.vocabulary import Vocabulary


def alike(one: Table, other: Table) -> bool:
    return one.accepting == other.accepting and one.array.tolist() == other.array.tolist()


@settings(max_examples=60)
@given(patterns, st.sampled_from(["{}", "^{}$", "^{}", "{}$", "^({})|a$"]))
def test_a_pattern_written_out_is_the_automaton_of_its_bytes(pattern: str, frame: str) -> None:
    whole = frame.format(pattern)
    table = pattern_table(whole)
    assert alike(table, table_of(quoted(from_regex(whole, json_character, search=True))))


@settings(max_examples=30)
@given(patterns)
def test_what_doesn_t_match_is_all_that_is_left(pattern: str) -> None:
    """For ASCII's classes; what languages read differently neither matches nor doesn't."""
    plain = re.sub(r"\[\^?\\[\w\\]+\]|\\\w", "[0-9]", pattern).replace(".", "[ab]")
    everything = table_of(PLAIN)
    assert alike(pattern_table(plain, False), difference("rest", everything, pattern_table(plain)))


@pytest.mark.parametrize(
    ("pattern", "read", "refused"),
    [
        (r"^[^@\s]{1,64}@[^@\s]{1,255}$", ["a@b", "é" * 64 + "@" + "🙂" * 255], ["a" * 65 + "@b", "a@" + "b" * 256]),
        (r"^https?://[^\s]{1,2000}$", ["http://" + "x" * 2000], ["https://" + "x" * 2001, "https://"]),
        (r"^.{1,500}\.pdf$", ["a.pdf", "." * 500 + ".pdf"], [".pdf", "." * 501 + ".pdf"]),
        (r"^[^,]{1,50}(,[^,]{1,50}){0,20}$", ["a" + ",b" * 20, '"\\\n,"'], ["a" + ",b" * 21, "a,", "a" * 51]),
        (r"^(?!\s)(.{1,255})(?<x>\.)$", ["a" * 255 + "."], [" a.", "a" * 256 + "."]),
        ("^(" + "|".join(map(chr, range(0x4E00, 0x4F40))) + ")+$", ["一丁", "伿"], ["", "a", "佀"]),
        (r"^[\uD800-\uDFFF]$", [], ["�", ""]),
    ],
)
def test_a_pattern_may_count_far_and_tell_many_characters_apart(
    pattern: str, read: list[str], refused: list[str]
) -> None:
    assert [text for text in read if not reads(pattern, text)] == []
    assert [text for text in refused if reads(pattern, text)] == []


def test_a_machine_follows_a_pattern_that_counts_far() -> None:
    pattern = r"^https?://[^\s]{1,2000}$"
    schema = {"type": "string", "pattern": pattern, "minLength": 1, "maxLength": 2048}
    grammar = argument(schema, DUMPS)
    assert notes(grammar) == ()  # the lengths follow from the pattern
    fsm = build_fsm(grammar, Vocabulary([*(bytes([byte]) for byte in range(256)), b'xx"', b"xxx"]))
    state = fsm.dfa.read(b'"https://' + b"x" * 1998)
    assert state is not None
    allowed = fsm.allowed(state)
    assert (allowed[ord("x")], allowed[256], allowed[257], allowed[ord(" ")]) == (True, True, False, False)
    assert fsm.dfa.read(b'"https://' + b"x" * 2001) is None


def test_a_pattern_with_too_many_states_is_refused() -> None:
    with pytest.raises(SchemaError, match="too many states") as caught:
        pattern_table(r".{3,}@.{3,100}\..{2,}")
    assert caught.value.fix == "use smaller counts"


@given(st.lists(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), max_size=3), max_size=4))
def test_letters_divide_the_characters_of_all_sets(sets: list[list[tuple[int, int]]]) -> None:
    ranges = [tuple((low, low + more) for low, more in one) for one in sets]
    letters = Letters.of(ranges)
    members = [{code for low, high in kind for code in range(low, high + 1)} for kind in letters.kinds]
    assert sum(map(len, members)) == len(set().union(*members))
    for one in ranges:
        wanted = {code for low, high in one for code in range(low, high + 1)}
        assert set().union(*(members[letter] for letter in letters.classes[one].symbols)) == wanted


def test_patterns_that_need_too_many_states_together_are_refused() -> None:
    schema = {"type": "string", "allOf": [{"pattern": "^(.{150}a)+$"}, {"pattern": "^(.{151}b)+$"}]}
    with pytest.raises(SchemaError, match="needs too many states together"):
        argument(schema, DUMPS)


def test_what_is_escaped_may_be_written_in_both_ways() -> None:
    table = pattern_table(r"^\n{2}$")
    for text in ('"\\n\\n"', '"\\u000a\\n"', json.dumps("\n\n")):
        at = 0
        for byte in text.encode():
            at = table.rows[at][byte]
        assert table.accepting[at]
