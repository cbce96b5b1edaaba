from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import patterns

from tooldec.arguments import DUMPS, argument
from tooldec.arguments.letters import Letters
from tooldec.arguments.literals import json_character, quoted
from tooldec.arguments.patterns import pattern_table, reads
from tooldec.arguments.strings import PLAIN
from tooldec.automaton import table_of
from tooldec.errors import SchemaError
from tooldec.mentions import notes
from tooldec.patterns.regex import from_regex
from tooldec.submachine import Table, difference
from tooldec.token_fsm import build_fsm
from tooldec.vocabulary import Vocabulary


def alike(one: Table, other: Table) -> bool:
    return one.accepting == other.accepting and one.array.tolist() == other.array.tolist()


def accepts(table: Table, text: str) -> bool:
    return table.accepts(json.dumps(text, ensure_ascii=False).encode())


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
        (r"^[\p{L}\s'-]{1,255}$", ["Æthel Ó", "é" * 255], ["", "a1", "é" * 256]),
        (r"^([^\]\-]){40}?\Z", ["a" * 40], ["a" * 39, "a" * 41, "-" * 40]),
        (r"^(?!\s)(.{1,255})(?<x>\.)$", ["a" * 255 + "."], [" a.", "a" * 256 + "."]),
        ("^(" + "|".join(map(chr, range(0x4E00, 0x4F40))) + ")+$", ["一丁", "伿"], ["", "a", "佀"]),
        (r"^[\uD800-\uDFFF]$", [], ["�", ""]),
        (r"^(?s).{2,900}$", ["a\nb", "\n\n"], ["a", ""]),
        (r"^(a(?s).b|c)(?s:.).$", ["a\nb\nx", "c\nx"], ["a\nb\n\n", "c\n"]),
        (r"^(?i)(asc|[d-e]esc)$", ["ASC", "aSc", "Desc", "EESC"], ["ac", "Besc"]),
        (r"^(?!(?i)aws)[^(?i)x]+(?i:k)$", ["abK", "Xk"], ["awsk", "AWSk", "xk", "ab\u212a"]),
        (r"^(?i)[^a-c]$", ["d", "D", "é"], ["a", "B"]),
        (r"^[\p{Print}]+$", ["a b~"], ["", "a\t", "é"]),
        (r"^[\w-.~]+$", ["a-b.c"], ["", "a b"]),
        (r"^\p{L}[\p{L}\p{M}' .-]{0,60}$", ["Zoë O'Neil", "李"], ["", "1", " a", "é" * 62]),
    ],
)
def test_a_pattern_may_count_far_and_tell_many_characters_apart(
    pattern: str, read: list[str], refused: list[str]
) -> None:
    assert [text for text in read if not reads(pattern, text)] == []
    assert [text for text in refused if reads(pattern, text)] == []


LOOKING: tuple[tuple[str, list[str], list[str]], ...] = (
    (r"^P(?:(\d+W)|(?!.*W)(?=\d|T\d)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?)$",
     ["P1W", "P1Y2M3D", "PT1S", "P1DT2H", "PT1.5S"], ["P", "PT", "P1DT", "P1W1D", "P1DT1W", "P1.5D"]),
    (r"^\/(?!\/)", ["/", "/a"], ["", "//", "//a", "a"]),
    (r"^(https?:\/\/)?(?!localhost)[a-z.]+$", ["a.b", "http://a.b", "localhos"], ["localhost", "http://localhost.x"]),
    ("a(?=b)", ["ab", "xaab"], ["a", "ac", "ba"]),
    ("(?!a)b", ["ab", "b"], ["a"]),
    ("(?<x>a|(?=bc)b|(?!d)[^a])c$", ["ac", "bc", "xc", "dac"], ["dc", "c", "cd"]),
    ("^(?!a(?!b))", ["", "ab", "b"], ["a", "ac"]),
    ("^(?:(?=.*1)[a-z]+)?1?$", ["", "1", "ab1"], ["ab", "1a"]),
    ("^a(?=b$)", ["ab"], ["abb", "a"]),
    ("(?!^)a", ["ba", "aa"], ["a", "ab"]),
    ("^(?!)", [], ["", "a"]),
    (r"\bcat\b", ["cat", "a cat.", "-cat-"], ["cats", "scat", "cat_", ""]),
    (r"^a\B|\Bb$", ["ab", "axb"], ["a", "b", "a b", ""]),
    (r"^[a-z.]*(?<!\.)$", ["", "ab", "a.b"], [".", "a."]),
    (r"(?<=[$€])\d", ["$5", "x€1"], ["5", "$ 5"]),
    (r"^((25[0-5]|(2[0-4]|1\d|[1-9]|)\d)\.?\b){4}$", ["1.2.3.4", "255.0.0.10"], ["1.2.3", "256.1.1.1"]),
    ("^(?:a(?=b)|b){2}$", ["ab", "bb"], ["aa", "ba"]),
    ("^(?:(?!-)[a-z-]+[.])+$", ["a.b.", "a-."], ["-a.", "a.-b.", "a"]),
    (r"^(\/(?!\.)+[^.]){1,2}$", ["/a", "/a/b"], ["/.", "/a/.", "/a/b/c"]),
    ("[a-c]{1,900}$", ["a", "xa"], ["", "ax"]),
    ("x{2,900}[^/].{0,1000}", ["xxa", "-xxx"], ["xx/", "xa"]),
)  # fmt: skip


@pytest.mark.parametrize(("pattern", "read", "refused"), LOOKING)
def test_a_look_around_may_stand_nearly_anywhere(pattern: str, read: list[str], refused: list[str]) -> None:
    test_a_pattern_may_count_far_and_tell_many_characters_apart(pattern, read, refused)
    assert not any(accepts(pattern_table(pattern, False), text) for text in read)
    assert all(accepts(pattern_table(pattern, False), text) for text in refused)


def test_up_to_the_end_of_the_text_something_begins_nowhere() -> None:
    assert reads("^((?!ab+c).)*$", "ab acb") and not reads("^((?!ab+c).)*$", "xabbc")


@pytest.mark.parametrize("pattern", ["^((?!ab).)*c", "(?:^a)+", "(?:a(?=b)|b)+$"])
def test_a_look_ahead_that_is_repeated_without_bound_is_refused(pattern: str) -> None:
    with pytest.raises(SchemaError, match="that is repeated"):
        pattern_table(pattern)


_PLAIN = st.sampled_from(["a", "b", "[ab]", "[^a]", "ab?", "a*", "(a|b)+", "[^b]{2}", "c$", "", "(?:b|)"])
_LOOKING = st.recursive(
    _PLAIN | st.sampled_from(["^", "$"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
        st.builds("(?{}{})".format, st.sampled_from("=!"), inner),
        st.builds("(?:{})?".format, inner),
    ),
    max_leaves=6,
)


@settings(max_examples=150)
@given(_LOOKING, st.sampled_from(["{}", "^{}$", "^(?:{})$"]), st.randoms(use_true_random=False))
def test_looks_ahead_are_followed_as_python_follows_them(pattern: str, frame: str, chance: random.Random) -> None:
    whole = frame.format(pattern)
    try:
        tables = pattern_table(whole), pattern_table(whole, False)
    except SchemaError as error:
        assert "behind what may be empty" in error.message
        return
    for _ in range(25):
        text = "".join(chance.choices("abc", k=chance.randint(0, 6)))
        matched = re.search(whole, text) is not None
        assert (accepts(tables[0], text), accepts(tables[1], text)) == (matched, not matched), text


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
        assert table.accepts(text.encode())
