from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import patterns

from tooldec.automaton import DFA
from tooldec.errors import SchemaError
from tooldec.regex import ANY, LAST, complement, from_regex, matchers

ALPHABET = 'abxy019_- .,é€🙂\n\t"\\A\x85٣'


def matches(pattern: str, text: str, search: bool = False) -> bool:
    dfa = DFA(from_regex(pattern, search=search))
    state = dfa.read(text.encode())
    return state is not None and dfa.is_accepting(state)


@pytest.mark.parametrize(
    ("pattern", "accepted", "rejected"),
    [
        ("abc", ["abc"], ["", "ab", "abcd", "xabc"]),
        ("a|bc|", ["a", "bc", ""], ["b", "abc"]),
        ("[a-cx]+", ["a", "xcb"], ["", "d"]),
        ("[^a-z]", ["A", "0", "é", "🙂", "\n"], ["a", "", "AA"]),
        (".", ["a", "€", "🙂", '"'], ["", "\n", "\r", "ab"]),
        ("a{2}b{1,3}c{2,}", ["aabcc", "aabbbccc"], ["abcc", "aabbbbcc", "aabc"]),
        ("a*?b??c+?", ["c", "aabccc"], ["ab"]),
        (r"\d\w\s", ["0_ ", "9z\t"], ["a_ ", "0- "]),
        (r"\D\W\S", ["a-x", "é 0"], ["0-x", "aax", "a- "]),
        (r"[\d.]+|[^\d]", ["1.5", "x"], ["1x"]),
        (r"\/\.\-\\\"", ['/.-\\"'], ["/.-\\"]),
        (r"[^\\/]+", ["ab", "é"], ["a\\b", "a/b"]),
        (r"C:\\_\\/", ["C:\\_\\/"], ["C:_/", "C:\\_/"]),
        (r"\(?<b>", ["(<b>", "<b>"], ["(P<b>", "b"]),
        (r"[(?<a]+(?<n>a)", ["(?<aa"], ["Pa"]),
        (r"\\u{2}[\u{5D}]\]", [r"\uu]]"], ["\x02]]"]),
        (r"é|€|\u00fc|\x41|\u{1F600}", ["é", "€", "ü", "A", "😀"], ["e", "u00fc"]),
        ("[à-ü😀-😂]{2}", ["áü", "😁😂"], ["a", "😃😃"]),
        ("(?:a|b)(c|d)(?<n>e)(?P<m>f)", ["acef", "bdef"], ["aef"]),
        ("^abc$", ["abc"], ["xabc", "abc\n"]),
        ("", [""], ["a"]),
        ("(a|b)*abb", ["abb", "babaabb"], ["ab", "abba"]),
    ],
)
def test_a_pattern_matches_as_a_whole(pattern: str, accepted: list[str], rejected: list[str]) -> None:
    assert [text for text in accepted if not matches(pattern, text)] == []
    assert [text for text in rejected if matches(pattern, text)] == []


@pytest.mark.parametrize(
    ("pattern", "accepted", "rejected"),
    [
        ("b", ["b", "abc", "\nb\n"], ["", "ac"]),
        ("^b", ["b", "bc"], ["ab"]),
        ("b$", ["b", "ab"], ["bc", "b\n"]),
        ("^b$", ["b"], ["ab", "bc"]),
        ("^a|b$", ["ax", "xb"], ["xa", "bx"]),
        ("(^a|b)c", ["acx", "xbcx"], ["xac"]),
        ("", ["", "anything\n"], []),
    ],
)
def test_a_search_may_match_anywhere(pattern: str, accepted: list[str], rejected: list[str]) -> None:
    assert [text for text in accepted if not matches(pattern, text, search=True)] == []
    assert [text for text in rejected if matches(pattern, text, search=True)] == []


@pytest.mark.parametrize(
    "pattern",
    [r"(a)\1", r"a\b", "(?i)a", "(?i:a)", "(?s:.)", "a++", "(?>a)b", "(?<=a)b", "(", "[", "*", "a{3,1}", r"\p{L}", "(?P<n>a)(?P=n)", "\\"],
)  # fmt: skip
def test_what_is_no_regular_expression_is_refused(pattern: str) -> None:
    with pytest.raises(SchemaError) as caught:
        from_regex(pattern, search=True)
    assert caught.value.keyword == "pattern" and caught.value.fix and repr(pattern) in str(caught.value)


@settings(max_examples=80)
@given(patterns, st.booleans(), st.randoms(use_true_random=False))
def test_what_is_accepted_matches_in_python_too(pattern: str, search: bool, chance: random.Random) -> None:
    """ASCII texts are judged alike; of others, where ECMA-262 and Python differ, at most what both match is accepted."""
    dfa = DFA(from_regex(pattern, search=search))
    judge = re.compile(pattern)
    for _ in range(12):
        text = "".join(chance.choices(ALPHABET, k=chance.randint(0, 4)))
        matched = (judge.search if search else judge.fullmatch)(text) is not None
        state = dfa.read(text.encode())
        accepted = state is not None and dfa.is_accepting(state)
        assert matched or not accepted, text
        if text.isascii() and "\n" not in text:
            assert accepted == matched, text


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5)).map(lambda r: (r[0], r[0] + r[1])), max_size=5))
def test_a_complement_is_what_is_left(ranges: list[tuple[int, int]]) -> None:
    inside = {code for low, high in ranges for code in range(low, high + 1)}
    outside = complement(tuple(ranges))
    assert all(low <= high for low, high in outside)
    assert {code for low, high in outside for code in range(low, min(high, 60) + 1)} == set(range(61)) - inside
    assert not outside or outside[-1][1] == LAST


def test_the_complement_of_everything_is_nothing() -> None:
    assert complement(ANY) == () and complement(()) == ANY


def test_a_long_pattern_is_quoted_without_its_middle() -> None:
    for pattern in ("(" * 4000, "(a)\\1" + "b" * 4000):
        with pytest.raises(SchemaError) as caught:
            matchers(pattern)
        assert len(str(caught.value)) < 300 and pattern[:30] in str(caught.value).replace("\\\\", "\\")
