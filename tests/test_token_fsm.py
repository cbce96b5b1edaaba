from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import allowed, allowed_one_by_one, reading, vocabulary_of
from strategies import grammars, vocabularies

from tooldec import SCHEMES, Tool, parse_tools
from tooldec.arguments.literals import STRING, integer, number
from tooldec.errors import DeadEndError
from tooldec.grammar import (
    Forever,
    Grammar,
    HostText,
    Label,
    Labelled,
    Literal,
    Names,
    Special,
    SymbolClass,
    Until,
    sequence,
)
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.vocabulary import Vocabulary

INT = integer(plus=True)
SQUARE = Forever(sequence(Until("<T>"), b"square(", INT, b")"))


def tokens(fsm: TokenFSM, text: bytes | str = b"", state: int | None = None) -> set[bytes | str | None]:
    """The spellings that are allowed behind a text."""
    at = fsm.dfa.read(text if isinstance(text, bytes) else text.encode(), state)
    assert at is not None, text
    return {fsm.vocabulary.spelling(token) for token in allowed(fsm, at)}


def after(fsm: TokenFSM, *ids: int) -> int:
    state = fsm.initial
    for token in ids:
        step = fsm.step(state, token)
        assert step is not None, ids
        state = step
    return state


# ---- every tokenisation


@settings(max_examples=300)
@given(grammars, vocabularies(), st.randoms(use_true_random=False))
def test_a_token_is_allowed_where_its_bytes_are(
    grammar: Grammar, vocabulary: Vocabulary, chance: random.Random
) -> None:
    fsm = build_fsm(grammar, vocabulary)
    state: int | None = fsm.initial
    symbols: list[int | str] = []
    for _ in range(6):
        assert state is not None
        found = allowed(fsm, state)
        assert found == allowed_one_by_one(fsm, state)
        for token in range(vocabulary.size):  # and once more by the grammar itself
            read = fsm.symbols(token)
            if token in vocabulary.eos:
                assert (token in found) == reading(grammar, symbols, fsm.dfa.specials)[1]
            else:
                expected = read is not None and reading(grammar, [*symbols, *read], fsm.dfa.specials)[0]
                assert (token in found) == expected, (token, vocabulary.spelling(token))
            assert (fsm.step(state, token) is not None) == (token in found)
            assert (fsm.why_blocked(state, token) is None) == (token in found)
        ways = sorted(found.difference(vocabulary.eos))
        if not ways:
            break
        token = chance.choice(ways)
        symbols += fsm.symbols(token) or ()
        state = fsm.step(state, token)


@settings(max_examples=40)
@given(st.integers(49, 120), st.integers(0, 2**32), vocabularies())
def test_many_names_are_walked_as_few_are(count: int, seed: int, vocabulary: Vocabulary) -> None:
    """From 48 names on NumPy walks them; the tails differ."""
    chance = random.Random(seed)
    names = sorted({bytes(chance.choices(b'ab("\xc3\xa9', k=chance.randint(1, 5))) for _ in range(count)})
    tails = (Literal(b'("'), INT, SymbolClass.of(b"ab"), Special("<T>"))
    fsm = build_fsm(Names(tuple(names), lambda index: tails[index % 4]), vocabulary)
    states = {
        fsm.initial,
        *(s for name in names[::9] for n in range(1, len(name)) if (s := fsm.dfa.read(name[:n])) is not None),
    }
    for state in states:
        assert allowed(fsm, state) == allowed_one_by_one(fsm, state)


def test_tokens_cross_every_border() -> None:
    crossing = (
        b" <T>sq", b"<T>square(5)", b"uare(", b"(5", b"(-", b"5)", b"5).", b"5)<T>square(+", b"(x", b"5))", b"re(5))",
    )  # fmt: skip
    fsm = build_fsm(SQUARE, vocabulary_of(*crossing))
    assert {s for s in tokens(fsm) if len(s or b"") > 1} == {*crossing, "<EOS>"}
    assert tokens(fsm, "<T>square") == {b"(", b"(5", b"(-"}
    assert tokens(fsm, "<T>square(") == {*(b"%c" % c for c in b"+-0123456789"), b"5)", b"5).", b"5)<T>square(+", b"5))"}
    assert b"re(5))" in tokens(fsm, "<T>squa")


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("", True),
        ("a <", True),
        ("<T>", False),
        ("<T>square", False),
        ("<T>square(", False),
        ("<T>square(5", False),
        ("<T>square(5)", True),
    ],
)
def test_the_text_ends_in_accepting_states_only(where: str, expected: bool) -> None:
    vocabulary = Vocabulary([*(bytes([b]) for b in range(256)), "<EOS>", "</s>"], eos=[256, 257])
    fsm = build_fsm(SQUARE, vocabulary)
    state = fsm.dfa.read(where.encode())
    assert state is not None
    assert fsm.is_accepting(state) is expected
    assert allowed(fsm, state).issuperset({256, 257}) is expected
    assert (fsm.step(state, 256) is not None) is expected and (fsm.why_blocked(state, 257) is None) is expected


def test_behind_the_end_nothing_follows() -> None:
    fsm = build_fsm(Literal(b"x"), vocabulary_of())
    end = after(fsm, fsm.vocabulary.ids("<EOS>")[0] if False else 1 + ord("x"), 0)
    assert fsm.is_accepting(end) and fsm.is_complete(end) and not allowed(fsm, end)
    assert not fsm.allowed(end).any()


def test_a_complete_call_needs_no_end_token() -> None:
    """A vocabulary without an end: the state waits for nothing, so it is no dead end."""
    fsm = build_fsm(Literal(b"x"), Vocabulary([b"x"]))
    end = after(fsm, 0)
    assert fsm.is_complete(end) and not fsm.allowed(end).any()


# ---- traps of PEERS.md


def test_twins_are_allowed_together() -> None:
    fsm = build_fsm(SQUARE, Vocabulary([b")", b")", b"5", b"square(", "<T>", b"5)", b"5)"]))
    assert allowed(fsm, after(fsm, 4, 3, 2)) == {0, 1, 2, 5, 6}


def test_half_characters_are_bytes() -> None:
    euro = "€".encode()
    fsm = build_fsm(
        sequence(b"(", STRING, b")"),
        vocabulary_of(euro[:2], euro[1:], euro[2:] + b'"', b'"' + euro[:1], b"\x80", b"\xff"),
    )
    assert {b'"', b'"' + euro[:1]} == tokens(fsm, b"(")
    assert euro[:2] in tokens(fsm, b'("') and b"\xff" not in tokens(fsm, b'("') and b"\x80" not in tokens(fsm, b'("')
    assert {euro[1:], euro[2:] + b'"'} & tokens(fsm, b'("' + euro[:1]) == {euro[1:]}
    assert euro[2:] + b'"' in tokens(fsm, b'("' + euro[:2]) and b'"' not in tokens(fsm, b'("' + euro[:2])


def test_padding_rows_and_empty_spellings_are_never_allowed() -> None:
    vocabulary = Vocabulary([b"", None, b"x", "<EOS>", *[None] * 21], eos=[3])
    for grammar in (Until(""), Until("<T>"), STRING | Literal(b"x"), SQUARE):
        fsm = build_fsm(grammar, vocabulary)
        assert allowed(fsm, fsm.initial) <= {2, 3}
        assert fsm.allowed(fsm.initial).shape == (25,) and fsm.allowed(fsm.initial).dtype == np.bool_
        assert fsm.why_blocked(fsm.initial, 1) == "a padding row of the model spells nothing"


def test_special_tokens_stay_out_of_calls_and_may_stand_in_text() -> None:
    grammar = Forever(sequence(Until("<T>"), b"f(", STRING, b")"))
    fsm = build_fsm(grammar, Vocabulary(["<EOS>", "<T>", "<|im_start|>", *(bytes([b]) for b in range(256))], eos=[0]))
    assert {0, 1, 2} <= allowed(fsm, fsm.initial)
    inside = fsm.dfa.read([*["<T>"], *b'f("'])
    assert inside is not None and not {0, 1, 2} & allowed(fsm, inside)
    assert {"<T>", "<|im_start|>"} == fsm.dfa.specials
    assert fsm.dfa.read(b"<T>f(") == fsm.initial  # its spelling is text


def test_a_marker_among_the_added_tokens_is_that_token_and_no_text() -> None:
    grammar = Forever(sequence(Until("<tool_call>"), b"{}", Special("</tool_call>")))
    rows = [*(bytes([b]) for b in range(256)), b"<tool_call>", b"</tool_call>", b"<tool_call>", b"<other>"]
    added = {"<tool_call>": 256, "</tool_call>": 257, "<other>": 259}
    fsm = build_fsm(grammar, Vocabulary(rows, added=added))
    assert fsm.dfa.specials == {"<tool_call>", "</tool_call>"}
    call = after(fsm, 256)
    assert allowed(fsm, call) == {ord("{")}
    assert after(fsm, 258) == fsm.initial == after(fsm, 259)  # the twin and the other added token are text
    done = fsm.dfa.read(b"{}", call)
    assert done is not None and allowed(fsm, done) == {257}
    plain = build_fsm(Forever(sequence(Until("#"), b"{}")), Vocabulary(rows, added=added))
    assert not plain.dfa.specials and plain.step(plain.initial, 256) == plain.initial


def test_a_marker_s_token_is_no_text_inside_of_a_call_either() -> None:
    """Even where its spelling could stand there, over the end of an argument."""
    grammar = Forever(sequence(Until("5)"), b"(", INT, b")"))
    fsm = build_fsm(grammar, Vocabulary([b"(", b"5)", b"5", b")", b"5)("], added={"5)": 1}))
    inside = after(fsm, 1, 0)
    assert allowed(fsm, inside) == {2, 4} == allowed_one_by_one(fsm, inside)


def test_a_marker_that_is_no_token_is_its_spelling_over_any_tokens() -> None:
    fsm = build_fsm(SQUARE, vocabulary_of(b"<", b"T>", b" <T", b">square", b"x<T>s"))
    ids = {fsm.vocabulary.spelling(t): t for t in range(1, 6)}
    assert after(fsm, ids[b" <T"], ids[b">square"]) == after(fsm, ids[b"<"], ids[b"T>"], *(6 + b for b in b"square"))
    assert fsm.is_accepting(after(fsm, ids[b" <T"])) and not fsm.is_accepting(after(fsm, ids[b"x<T>s"]))


def test_the_end_s_own_spelling_is_no_symbol() -> None:
    fsm = build_fsm(Until(""), Vocabulary([b"a", "<EOS>", b"<EOS>"], eos=[1]))
    assert allowed(fsm, fsm.initial) == {0, 1, 2} and fsm.dfa.specials == frozenset()
    assert fsm.is_complete(after(fsm, 1)) and after(fsm, 2) == fsm.initial


def test_an_ordinary_token_may_end_the_text() -> None:
    """Some models end by a plain token, such as a line break; within a call it stays what it spells."""
    fsm = build_fsm(SQUARE, Vocabulary([b"\n", b"<T>square(", b"5", b")"], eos=[0]))
    assert allowed(fsm, fsm.initial) == {0, 1, 2, 3} and fsm.is_complete(after(fsm, 0))
    assert allowed(fsm, after(fsm, 1, 2)) == {2, 3}


# ---- masks


def test_the_packed_mask_is_the_allowed_row_and_padding_bits_are_clear() -> None:
    fsm = build_fsm(SQUARE, vocabulary_of("<T>", b"sq", size=301))
    for state in (fsm.initial, after(fsm, 1), after(fsm, 1, 2)):
        mask = fsm.mask(state)
        assert mask.dtype == np.uint8 and mask.shape == (38,)
        bits = np.unpackbits(mask, bitorder="little")
        assert np.array_equal(bits[:301].astype(bool), fsm.allowed(state)) and not bits[301:].any()
        row = fsm.allowed(state)
        row[:] = False  # the caller's own
        assert fsm.allowed(state).any()


def test_tools_that_look_alike_share_their_masks_but_not_their_states() -> None:
    def call(name: str) -> Grammar:
        return Labelled(Label("argument", name, "x"), sequence(b"(", INT, b")"))

    fsm = build_fsm(Names((b"f", b"g"), lambda index: call("fg"[index])), vocabulary_of())
    one, two = (fsm.dfa.read(text) for text in (b"f(5", b"g(5"))
    assert one is not None and two is not None and one != two
    assert np.array_equal(fsm.mask(one), fsm.mask(two))
    assert fsm.label(one) == Label("argument", "f", "x") and fsm.label(two) == Label("argument", "g", "x")


def test_a_state_that_the_vocabulary_cannot_leave_says_what_is_missing() -> None:
    fsm = build_fsm(SQUARE, Vocabulary([b"square", "<T>", b"a"]))
    with pytest.raises(DeadEndError) as caught:
        fsm.allowed(after(fsm, 1, 0))
    assert "waits for (" in str(caught.value) and f"state {after(fsm, 1, 0)}" in str(caught.value)


def test_the_host_s_place_allows_nothing_and_is_no_dead_end() -> None:
    fsm = build_fsm(sequence(b"=", HostText(), b";"), vocabulary_of())
    host = fsm.dfa.read(b"=")
    assert host is not None and fsm.is_host(host) and not fsm.allowed(host).any() and not fsm.is_accepting(host)
    assert fsm.vocabulary.spelling(min(allowed(fsm, fsm.after_host(host)))) == b";"


def test_the_baseline_has_one_state() -> None:
    fsm = build_fsm(Until(""), vocabulary_of("<T>", b"sq", size=270))
    assert allowed(fsm, fsm.initial) == set(range(259)) and fsm.is_accepting(fsm.initial)
    assert {fsm.step(fsm.initial, token) for token in range(1, 259)} == {fsm.initial}


def test_forced_bytes_are_those_with_one_way_on() -> None:
    fsm = build_fsm(sequence(b"<a>", INT, b")"), vocabulary_of())
    assert fsm.forced(fsm.initial) == b"<a>" and fsm.forced(after(fsm, *(1 + b for b in b"<a>"))) == b""


# ---- threads


def test_threads_share_a_machine() -> None:
    grammar = Forever(
        sequence(
            Until("<T>"),
            Names(
                tuple(f"tool_{n:03}".encode() for n in range(200)),
                lambda index: sequence(b"(", (STRING, INT, number(True))[index % 3], b")"),
            ),
        )
    )
    vocabulary = vocabulary_of(
        "<T>", *(f"tool_{n}".encode() for n in range(10)), b'("', b'")', b"5)", "é".encode(), b"_0", b"12"
    )

    def walk(fsm: TokenFSM, seed: int) -> list[tuple[int, bytes]]:
        chance, seen, state = random.Random(seed), list[tuple[int, bytes]](), fsm.initial
        for count in range(60):
            mask = fsm.mask(state)
            ways = np.flatnonzero(fsm.allowed(state))
            token = 1 if count == 0 else int(chance.choice(ways[ways > 0]))
            seen.append((token, mask.tobytes()))
            step = fsm.step(state, token)
            assert step is not None
            state = step
        return seen

    alone = [
        walk(build_fsm(grammar, Vocabulary([vocabulary.spelling(t) for t in range(vocabulary.size)], eos=[0])), seed)
        for seed in range(24)
    ]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(5):
            shared = build_fsm(grammar, vocabulary)
            with ThreadPoolExecutor(8) as pool:
                together = list(pool.map(lambda seed, fsm=shared: walk(fsm, seed), range(24)))
            assert together == alone
    finally:
        sys.setswitchinterval(usual)


# ---- real vocabularies and real tools


@pytest.fixture(scope="module")
def real_tools(data_folder: Path) -> tuple[Tool, ...]:
    """The 16,000 tools of tools_16k.jsonl."""
    tools = []
    for line in (data_folder / "tools_16k.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        properties = {name: {"type": kind} if kind != "any" else {} for name, kind, _ in row["params"]}
        required = [name for name, _, needed in row["params"] if needed]
        tools.append(Tool(row["name"], "", {"type": "object", "properties": properties, "required": required}))
    return tuple(tools)


@pytest.fixture(scope="module")
def real_vocabulary(tokenizer_folder: Path) -> Callable[[str], Vocabulary]:
    from transformers import AutoTokenizer

    return cache(lambda name: Vocabulary.from_tokenizer(AutoTokenizer.from_pretrained(tokenizer_folder / name)))


def with_marker(vocabulary: Vocabulary) -> Vocabulary:
    """The same vocabulary with `<T>` as a special token, the tags as added ones, and padding rows behind them."""
    rows = [vocabulary.spelling(token) for token in range(vocabulary.size)]
    tags = {"<tool_call>": len(rows) + 1, "</tool_call>": len(rows) + 2}
    return Vocabulary([*rows, "<T>", *map(str.encode, tags), *[None] * 5], vocabulary.eos, {**vocabulary.added, **tags})


ODD = (
    *parse_tools("def f(text: str, n: int, x: float, flag: bool, items: list[int], day: date)"),
    *(
        Tool(name, parameters={"type": "object", "properties": properties})
        for name, properties in (
            ("free", {"any": {}, "near": {"type": "object"}, "one": {"enum": ["a", "ab", "é🙂"]}}),
            ("short", {"s": {"type": "string", "minLength": 2, "maxLength": 9}}),
            ("form", {"s": {"type": "string", "pattern": "^[a-z]+(é|-)?[0-9]{2}$"}}),
        )
    ),
)
PLACES = {
    "special_token": [
        "", "a <", "<T>", "<T>g", "<T>get", "<T>f", "<T>f(", '<T>f("', '<T>f("\\', '<T>f("\\u0', '<T>f("é'[:-1] + "\udcc3",
        '<T>f("a"', '<T>f("a",', '<T>f("a", -', '<T>f("a",12', '<T>f("a",0', '<T>f("a",1,2.', '<T>f("a",1,2e5,true,[1',
        '<T>f("a",1,2e5,true,[],"2024-', '<T>short("', '<T>short("abcdefg', '<T>short("abcdefghi', '<T>form("ab', '<T>form("abé1',
        '<T>free({"a":[', '<T>free(1, {"k', '<T>free(1,{},"', '<T>free(1,{},"a',
    ],
    "json_tags": ["<tool_call>", '<tool_call>\n{"name": "', '<tool_call>\n{"name": "f", "arguments": {"text": "a\\"', '<tool_call>\n{"name": "short", "arguments": {'],
}  # fmt: skip


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "marked", "scheme"),
    [("gpt2-50k", False, "special_token"), ("mistral-v1-32k", True, "special_token"), ("mistral-v1-32k", False, "json_tags"), ("qwen-152k", True, "special_token"), ("qwen-152k", True, "json_tags")],
)  # fmt: skip
def test_masks_of_real_vocabularies_are_those_of_single_tokens(
    name: str, marked: bool, scheme: str, real_tools: tuple[Tool, ...], real_vocabulary: Callable[[str], Vocabulary]
) -> None:
    vocabulary = with_marker(real_vocabulary(name)) if marked else real_vocabulary(name)
    fsm = build_fsm(SCHEMES[scheme].grammar([*real_tools[:400], *ODD]), vocabulary)
    marker = SCHEMES[scheme].marker
    for text in PLACES[scheme][:: 1 if vocabulary.size < 100_000 else 2]:
        begun = text.startswith(marker) and marker in fsm.dfa.specials
        plain = text.removeprefix(marker) if begun else text
        state = fsm.dfa.read([*([marker] if begun else []), *plain.encode("utf-8", "surrogateescape")])
        assert state is not None, text
        assert allowed(fsm, state) == allowed_one_by_one(fsm, state), text


@pytest.mark.data
@pytest.mark.parametrize("scheme", ["special_token", "json_tags"])
def test_the_first_mask_of_16_000_real_tools_takes_less_than_a_second(
    scheme: str, real_tools: tuple[Tool, ...], real_vocabulary: Callable[[str], Vocabulary]
) -> None:
    vocabulary = with_marker(real_vocabulary("qwen-152k"))
    assert len(real_tools) == 16_000 and len(vocabulary.trie) > 100_000
    seconds = []
    for _ in range(3):
        start = perf_counter()
        fsm = build_fsm(SCHEMES[scheme].grammar(real_tools), vocabulary)
        marker = fsm.step(fsm.initial, vocabulary.ids(SCHEMES[scheme].marker)[0])
        assert marker is not None and fsm.allowed(fsm.initial).all() is not None and fsm.allowed(marker).any()
        seconds.append(perf_counter() - start)
    assert min(seconds) < 1
    names = fsm.dfa.read(b'\n{"name": "', marker) if scheme == "json_tags" else marker
    assert names is not None and allowed(fsm, names) == allowed_one_by_one(fsm, names)  # the way of NumPy
    written = fsm.dfa.read(real_tools[77].name.encode(), names)
    assert written is not None and len(fsm.dfa) < 5_000


def test_masks_made_ahead_are_those_of_a_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = vocabulary_of("square(", "sq", "(", ")", ",", "(1", "1)")
    tools = parse_tools("def square(side: int)\ndef lcm(a: int, unit: Literal['C', 'F'])")
    grammar = SCHEMES["special_token"].grammar(tools, "call")
    lazy, eager = build_fsm(grammar, vocabulary), build_fsm(grammar, vocabulary)
    eager.ahead()
    made = len(eager._shapes)
    assert made > 5
    few = build_fsm(grammar, vocabulary)
    few.ahead(kinds=2)
    assert len(few._shapes) == 2
    for text in (b"", b"<T>", b"<T>square", b"<T>square(", b"<T>square(5", b"<T>lcm(5,", b'<T>lcm(5,"C'):
        states = lazy.dfa.read(text), eager.dfa.read(text)
        if None not in states:
            assert (lazy.mask(states[0]) == eager.mask(states[1])).all(), text
