from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import FORMAT_JUDGES, end_from

from tooldec.arguments.formats import FORMATS
from tooldec.arguments.literals import (
    BOOLEAN,
    NULL,
    STRING,
    integer,
    integers_between,
    json_character,
    number,
    quoted,
)
from tooldec.arguments.strings import format_table, ready
from tooldec.automaton import DFA
from tooldec.grammar import Grammar


def accepts(grammar: Grammar, text: str | bytes) -> bool:
    dfa = DFA(grammar)
    state = dfa.read(text if isinstance(text, bytes) else text.encode())
    return state is not None and dfa.is_accepting(state)


INTEGERS = (["0", "5", "-5", "-0", "10", "123456789012345678901"], ["", "-", "007", "00", "1.0", "1e3", "--1", " 1", "0x1", "1_000", "٣"])  # fmt: skip
NUMBERS = (["0", "-0.0", "3.25", "1e5", "1E+5", "-2.5e-10", "10", "0.001"], ["", ".", ".5", "5.", "1e", "1e+", "01", "1.2.3", "NaN", "Infinity", "-Infinity", "1,5"])  # fmt: skip


@pytest.mark.parametrize(("make", "table"), [(integer, INTEGERS), (number, NUMBERS)])
def test_numbers_are_json_s_with_a_leading_plus_where_it_is_wanted(make, table) -> None:  # type: ignore[no-untyped-def]
    accepted, rejected = table
    for text in accepted:
        assert accepts(make(False), text) and accepts(make(True), text) and json.loads(text) is not None
        plus = "+" + text.removeprefix("-")
        assert accepts(make(True), plus) and not accepts(make(False), plus)
    assert [text for text in rejected if accepts(make(False), text) or accepts(make(True), text)] == []
    assert not accepts(make(True), "+-1") and not accepts(make(True), "++1")


def test_words() -> None:
    for grammar, words in ((BOOLEAN, {"true", "false"}), (NULL, {"null"})):
        tried = ("true", "false", "null", "True", "None", "nul", "", '"true"', "truefalse")
        assert {word for word in tried if accepts(grammar, word)} == words


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ('""', True), ('"a"', True), ('"é€🙂"', True), (r'"\""', True), (r'"\\"', True), (r'"\/\b\f\n\r\t"', True),
        (r'"\u00e9\uD83D\uDE00"', True), ('"\x7f"', True), ("\"'\"", True), ("", False), ('"', False), ("'a'", False),
        ('"a', False), ('"\n"', False), ('"\t"', False), ('"\x00"', False), (r'"\x41"', False), (r'"\u12"', False),
        (r'"\uZZZZ"', False), ('"a"b"', False), ('"a" ', False), (r'"\"', False), (r'"\uDE00"', False), (r'"\ud83d"', False), (r'"\ud83dx"', False),
        (r'"\ud83d\n"', False), (r'"\ud83d\ud83d\ude00"', False), (r'"\uD7FF\uE000"', True),
    ],
)  # fmt: skip
def test_strings_are_json_s(text: str, accepted: bool) -> None:
    assert accepts(STRING, text) is accepted
    try:
        assert (
            isinstance(json.loads(text), str) is accepted or text.endswith(" ") or r"\u" in text
        )  # Python lets halves pass
    except json.JSONDecodeError:
        assert not accepted


@pytest.mark.parametrize(
    "broken", [b'"\xff"', b'"\xc3"', b'"\xa9"', b'"\xed\xa0\x80"', b'"\xc0\x80"', b'"\xf5\x80\x80\x80"']
)
def test_strings_are_utf_8(broken: bytes) -> None:
    assert not accepts(STRING, broken)


# ---- ranges, against brute force

_ends = st.none() | st.integers(-1200, 1200)


@settings(max_examples=60)
@given(_ends, _ends, st.booleans())
def test_ranges_are_exact_to_the_digit(low: int | None, high: int | None, plus: bool) -> None:
    if low is not None and high is not None:
        low, high = sorted((low, high))
    dfa = DFA(integers_between(low, high, plus))
    near = {
        0,
        *(end + d for end in (low, high) if end is not None for d in (-101, -11, -10, -2, -1, 0, 1, 2, 9, 10, 100)),
    }
    for value in {*near, *(-n for n in near), *range(-60, 61), 999, 1000, 10**6, -(10**6)}:
        inside = (low is None or low <= value) and (high is None or value <= high)
        for text in (str(value), f"+{value}", f"0{value}", f"-0{abs(value)}"):
            state = dfa.read(text.encode())
            accepted = state is not None and dfa.is_accepting(state)
            proper = text == str(value) or (plus and text == f"+{value}" and value >= 0)
            if text == "-00":
                continue
            assert accepted == (inside and proper), text


@pytest.mark.parametrize(
    ("low", "high"),
    [(0, 0), (-1, 1), (5, 5), (-7, -7), (95, 105), (-105, -95), (0, 999), (1, 9), (10, 99), (123, 45678), (-12, 34567), (199, 201), (-1000, 0), (0, 2**31 - 1), (-(2**63), 2**63 - 1)],
)  # fmt: skip
def test_ranges_have_exactly_their_numbers(low: int, high: int) -> None:
    dfa = DFA(integers_between(low, high, plus=False))
    span = range(low, high + 1) if high - low < 60_000 else [*range(low, low + 500), *range(high - 500, high + 1), 0]
    for value in (*span, low - 1, high + 1, low * 10 - 1, high * 10 + 10):
        state = dfa.read(str(value).encode())
        assert (state is not None and dfa.is_accepting(state)) == (low <= value <= high), value


# ---- one character


@given(
    st.lists(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=3), st.characters(exclude_categories=["Cs"])
)
def test_a_character_is_written_raw_or_escaped_as_json_must(inside: list[str], other: str) -> None:
    dfa = DFA(quoted(json_character(tuple((ord(c), ord(c)) for c in sorted(inside)))))
    for character in (*inside, other):
        state = dfa.read(json.dumps(character, ensure_ascii=False).encode())
        assert (state is not None and dfa.is_accepting(state)) == (character in inside)


# ---- formats: every row of FORMATS needs examples

EXAMPLES: dict[str, tuple[list[str], list[str]]] = {
    "date": (
        ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "2023-04-30"],
        ["2023-02-29", "1900-02-29", "0000-01-01", "2023-04-31", "2023-13-01", "2023-00-10", "2023-01-00", "23-01-01",
         "2023-1-1", "2023/01/01", "2024-02-29T", "", "٢٠٢٣-01-01"],
    ),
    "time": (
        ["00:00:00Z", "23:59:59z", "12:30:00.5+02:00", "12:30:00-23:59"],
        ["24:00:00Z", "12:60:00Z", "12:30:00", "12:30Z", "1:30:00Z", "12:30:00.Z", "12:30:00+24:00", "12:30:00+0200", ""],
    ),
    "date-time": (
        ["2024-02-29T12:00:00Z", "2023-12-31t23:59:59.999999+14:00"],
        ["2023-02-29T12:00:00Z", "2024-01-01 12:00:00Z", "2024-01-01T12:00:00", "2024-01-01", "T12:00:00Z", ""],
    ),
    "duration": (
        ["P1Y", "P1M", "P2W", "P1Y2M3D", "PT1H", "PT1H30M", "PT5S", "P1DT12H", "P3Y6M4DT12H30M5S"],
        ["P", "PT", "1D", "P1", "P1W2D", "P1Y3D", "PT1H5S", "P1H", "P-1D", "P1.5D", "", "P1DT"],
    ),
    "email": (
        ["a@b.co", "first.last+tag@mail.example.org", "x_y-z@a-b.example.com"],
        ["a", "@b.co", "a@", "a@b", "a b@c.de", "a@@b.co", "a.@b.co", ".a@b.co", "a@-b.co", "a@b..co", ""],
    ),
    "ipv4": (
        ["0.0.0.0", "127.0.0.1", "255.255.255.255", "192.168.10.99"],
        ["256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.", "a.b.c.d", ""],
    ),
    "uuid": (
        ["123e4567-e89b-12d3-a456-426614174000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"],
        ["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400", "g23e4567-e89b-12d3-a456-426614174000", ""],
    ),
    "ipv6": (["::1", "2001:db8::8a2e:370:7334", "::"], ["1.2.3.4", ":::", "12345::", ""]),
    "hostname": (["example.com", "a-b.c"], ["-a.com", "a..b", "a b", ""]),
    "uri": (["https://example.com/a?b=c#d", "urn:isbn:0451450523"], ["//example.com", "a b", "\\"]),
    "uri-reference": (["https://example.com/a", "/a/b", "#x", ""], ["\\", "a b"]),
    "json-pointer": (["", "/a/0", "/~0~1"], ["a", "/~2"]),
    "relative-json-pointer": (["0", "1/a", "2#"], ["-1", "a"]),
    "idn-email": (["a@b.co", "실례@실례.테스트"], ["a", "a b@c.de", "é@-b.co"]),
    "idn-hostname": (["example.com", "a-b.c", "straße.москва", "例え.com"], ["-a.com", "a..b", "a--b", "", "é-.com", "É.com", "א.com"]),
    "iri": (["https://example.com/a?b=c#d", "http://ƒøø.ßår/?∂éœ=πîx#πîüx"], ["//example.com", "a b", "é:b", "a:\u200b "]),
    "iri-reference": (["https://example.com/a", "/a/b", "#x", "", "/âππ"], ["\\", "a b", "/\ue000"]),
    "uri-template": (["/users/{id}/x?y={z}", "{+path:30}{?q*,lang}"], ["{", "/a b", "{}", "{a:0}", "{a b}"]),
    "regex": (
        ["", "^[A-Za-z_][\\w-]*$", "(a|b)+?", "(?:\\d{2,4}[.]?){3}", "^(?!x).*[^\\]]$", "[0-9a-f]{1,12}", "(((é)))", "\\[\\/"],
        ["(", "[a", "[]", "a**", "*", "[z-a]", "{2", "a{3,2}", "\\", "a)", "\\q", "((((a))))"],
    ),
    "color": (["#00ffAA"], ["#fff", "00ffaa", "red"]),
}  # fmt: skip
"""Format → contents that are accepted, and that are rejected."""


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_keeps_its_table(name: str) -> None:
    accepted, rejected = EXAMPLES[name]
    grammar = ready(format_table(name))
    assert [text for text in accepted if not accepts(grammar, json.dumps(text, ensure_ascii=False))] == []
    assert [text for text in rejected if accepts(grammar, json.dumps(text, ensure_ascii=False))] == []
    assert not accepts(grammar, accepted[0])  # quotes are needed
    judge = FORMAT_JUDGES.get(name)
    if judge is not None:
        assert all(map(judge, accepted)) and (name == "email" or not any(map(judge, rejected)))


@pytest.mark.parametrize("name", FORMATS)
def test_random_strings_of_a_format_are_judged_so_from_outside(name: str) -> None:
    chance = random.Random(name)
    dfa = DFA(ready(format_table(name)))
    for _ in range(60):
        state, text = dfa.initial, bytearray()
        for _ in range(chance.randint(1, 40)):
            ways = dict(dfa.transitions(state))
            if not ways:
                break
            symbol = chance.choice(sorted(ways, key=str))
            assert isinstance(symbol, int)
            text.append(symbol)
            state = ways[symbol]
        text += bytes(s for s in end_from(dfa, state, dfa.is_accepting) if isinstance(s, int))
        value = json.loads(text)
        assert FORMAT_JUDGES.get(name, lambda _: True)(value), value
