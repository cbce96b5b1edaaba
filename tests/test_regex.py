from __future__ import annotations

import random
import re
import unicodedata

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import patterns

from tooldec.automaton import DFA
from tooldec.errors import SchemaError
from tooldec.patterns.codepoints import shorthand, with_property
from tooldec.patterns.regex import ANY, LAST, complement, from_regex

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
        (r"[^:\000-\037]", ["a", " ", "é"], ["\t", ":"]),
        (r"[^]\cJ[]|\/\uD83D\uDE00\v[\b\]]", ["/😀\v\b", "/😀\v]"], ["a\n", "/\v]", "/😀v]"]),
        (r"\p{L}+\p{Lu}[\p{Nd}_]", ["éÉ٣", "漢X_"], ["1É1", "éé1", "É1"]),
        (r"\P{L}[^\p{General_Category=Number}]", ["1a", "🙂é", " \n"], ["é1", "11", "ab"]),
        (r"\p{Script=Latin}\p{scx=Cyrl}", ["éя"], ["яя", "éa"]),
        (r"\p{ASCII}\p{Any}\p{Assigned}", ["a\u0378a"], ["éaa", "aa\u0378"]),
        (r"(\p{Extended_Pictographic}|\p{Emoji_Component})+", ["😀", "👩\u200d👩\u200d👧", "1"], ["a", "", "é"]),
        (r"{a}-{}\-\_]", ["{a}-{}-_]"], ["a"]),
        ("a{,2}b", ["b", "aab"], ["aaab", "a{,2}b"]),
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
    [r"(a)\1", r"a\b", "(?x)a", "(?m:.)", "a++", "(?>a)b", "(?<=ab)c", "(", "[", "*", "a{3,1}", r"\p{Foo}", r"\p", r"\p{sc=Nope}", "[]a]", "a**", "^*", "[z-a]", "a{99999999999}", r"\q", "(?P<n>a)(?P=n)", "\\"],
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


@pytest.mark.parametrize("name", ["L", "LC", "Lo", "gc=Nd", "Cn", "C", "Emoji", "sc=Greek"])
def test_a_property_leaves_open_what_a_version_of_unicode_may_assign_yet(name: str) -> None:
    """What is said of unassigned characters may change; another reader, of a later version, has all the others."""
    kind = with_property(name)
    assert kind is not None
    characters = list(map(chr, range(LAST + 1)))
    found = np.zeros(LAST + 1, dtype=bool)
    for one in regex.finditer(rf"\p{{{name}}}+", "".join(characters)):
        found[one.start() : one.end()] = True
    within, around = (np.zeros(LAST + 1, dtype=bool) for _ in range(2))
    for mask, side in ((within, kind.within), (around, kind.around)):
        for low, high in side:
            mask[low : high + 1] = True
    assert not (within & ~found).any() and not (found & ~around).any()
    unclear = [code for code in np.flatnonzero(around & ~within) if unicodedata.category(characters[code]) != "Cn"]
    assert len(unclear) < 10  # the few that have changed their category


def test_all_digits_that_python_knows_may_be_taken_for_digits() -> None:
    around = {code for low, high in shorthand("d").around for code in range(low, high + 1)}
    assert around == {code for code in range(LAST + 1) if chr(code).isdecimal()}


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
            from_regex(pattern)
        assert len(str(caught.value)) < 300 and pattern[:30] in str(caught.value).replace("\\\\", "\\")
