"""The matcher, machines that grow, and text that is forced."""

import numpy as np
import pytest
import torch

from tooldec import SCHEMES, Vocabulary, build_fsm, parse_tools
from tooldec.choosing.spelling import forced_tokens
from tooldec.errors import UsageError
from tooldec.matcher import Matcher

TOKENS = ["<T>", "sq", "uare", "rt", "(", ")", "5", "5)", "<EOS>"]
BYTES = [bytes([byte]) for byte in range(0x20, 0x7F)]
VOCABULARY = Vocabulary([t if t.startswith("<") else t.encode() for t in TOKENS] + BYTES, eos=[8])
SQUARE, SQRT = "def square(side: int)", "def sqrt(x: int)"


def machine(text, start="text"):
    return build_fsm(SCHEMES["special_token"].grammar(parse_tools(text), start), VOCABULARY)


def ids(*tokens):
    return [TOKENS.index(token) for token in tokens]


def test_the_mask_is_the_states():
    matcher = Matcher(machine(SQUARE))
    buffer = np.full(matcher.width + 3, 7, dtype=np.uint8)
    for token in ids("<T>", "sq", "uare", "(", "5"):
        matcher.fill_mask(buffer)
        bits = np.unpackbits(buffer[: matcher.width], count=VOCABULARY.size, bitorder="little")
        assert (bits.astype(bool) == matcher.allowed()).all()
        assert bits[token] and matcher.accept(token)
    assert not buffer[matcher.width :].any(), "no token behind the last one is allowed"


@pytest.mark.parametrize(
    ("buffer", "told"),
    [
        (np.zeros(2000, np.int32), "2000 int32"),
        (np.zeros(13, np.int32), "13 int32"),
        (np.zeros(12, np.uint8), "12 uint8"),
        (np.zeros((1, 13), np.uint8), "1 × 13 uint8"),
        (bytearray(13), "`bytearray`"),
    ],
)
def test_a_mask_is_a_row_of_bytes(buffer, told):
    matcher = Matcher(machine(SQUARE))
    assert matcher.width == 13
    with pytest.raises(UsageError, match=f"13 or more uint8, not into .*{told}"):
        matcher.fill_mask(buffer)
    words = np.zeros(4, np.int32)
    matcher.fill_mask(words.view(np.uint8))
    assert words.any()


def test_a_blocked_token_changes_nothing():
    matcher = Matcher(machine(SQUARE))
    assert matcher.accept(0)
    before = matcher.state
    assert not matcher.accept(TOKENS.index("rt"))
    assert matcher.state == before and len(matcher) == 1


def test_rollback_and_copy():
    matcher = Matcher(machine(SQUARE + "\n" + SQRT))
    for token in ids("<T>", "sq"):
        assert matcher.accept(token)
    branch = matcher.copy()
    assert matcher.accept(TOKENS.index("uare")) and branch.accept(TOKENS.index("rt"))
    assert matcher.state != branch.state
    matcher.rollback()
    branch.rollback(1)
    assert matcher.state == branch.state
    matcher.rollback(2)
    assert matcher.state == matcher.fsm.initial and len(matcher) == 0
    with pytest.raises(UsageError, match="take back 1 of 0"):
        matcher.rollback()


def test_a_result_is_the_hosts():
    fsm = build_fsm(SCHEMES["special_token"].grammar(parse_tools(SQUARE), results=True), VOCABULARY)
    matcher = Matcher(fsm)
    with pytest.raises(UsageError, match="nothing to write"):
        matcher.resume()
    for token in [*ids("<T>", "sq", "uare", "(", "5)"), 9 + BYTES.index(b"=")]:
        assert matcher.accept(token)
    assert not matcher.allowed().any()
    matcher.resume()
    assert matcher.is_accepting


def test_a_machine_grows_without_being_built_again():
    fsm = machine(SQUARE)
    matcher = Matcher(fsm)
    for token in ids("<T>", "sq", "uare", "("):
        matcher.allowed()
        assert matcher.accept(token)
    matcher.allowed()
    argument = fsm.dfa.cells(matcher.state)
    states, rows = len(fsm.dfa), len(fsm._rows)
    more = fsm.extended(SCHEMES["special_token"].grammar(parse_tools(SQUARE + "\n" + SQRT)))
    assert more.initial != fsm.initial
    larger = Matcher(more)
    for token in ids("<T>", "sq"):
        assert larger.accept(token)
    assert larger.allowed()[ids("uare", "rt")].all()
    other = Matcher(fsm)
    for token in ids("<T>", "sq"):
        assert other.accept(token)
    assert not other.allowed()[TOKENS.index("rt")], "the first machine is what it was"
    assert fsm.dfa.cells(matcher.state) == argument
    assert len(fsm.dfa) >= states and len(fsm._rows) >= rows


def test_forced_text_and_its_tokens():
    fsm = machine(SQUARE, start="call")
    state = fsm.step(fsm.initial, 0)
    assert fsm.forced(state) == b"square("

    def cut(text):
        found, at = [], 0
        while at < len(text):
            token = max((t for t in TOKENS if text.startswith(t, at)), key=len)
            found.append(TOKENS.index(token))
            at += len(token)
        return found

    assert forced_tokens(fsm, state, cut) == ids("sq", "uare", "(")
    assert fsm.forced(fsm.initial) == b"", "a special token is no text"
    inside = fsm.dfa.read(["<T>", *b"square("])
    assert forced_tokens(fsm, inside, cut) == [], "a sign or a digit: there is a choice"


def test_the_last_forced_token_is_left_where_a_longer_one_could_stand():
    vocabulary = Vocabulary([b"a", b"b", b"c", b"bc", "<EOS>"], eos=[4])
    from tooldec.grammar import Literal, SymbolClass

    fsm = build_fsm(Literal(b"ab") + SymbolClass.of(b"abc"), vocabulary)
    assert fsm.forced(fsm.initial) == b"ab"
    assert forced_tokens(fsm, fsm.initial, lambda text: [0, 1]) == [0]


def test_forced_text_is_cut_as_it_is_behind_what_stands_before_it():
    from tooldec.grammar import Literal

    vocabulary = Vocabulary([b"al", b"p", b"ine", b"pine", b'"', "<T>", "<EOS>"], eos=[6])
    cuts = {"alpine": [0, 1, 2], "pine": [3], '"alpine': [4, 0, 1, 2]}
    fsm = build_fsm(Literal(b'"alpine'), vocabulary)
    state = fsm.dfa.read(b'"al')

    def cut(text):
        return cuts.get(text, [])

    assert forced_tokens(fsm, state, cut) == [3]
    assert forced_tokens(fsm, state, cut, [0]) == [1, 2]
    assert forced_tokens(fsm, state, cut, [4, 0]) == [1, 2]
    assert forced_tokens(fsm, state, cut, [5, 4, 0]) == [1, 2], "a special token is no text"
    assert forced_tokens(fsm, state, cut, [5]) == [3] and forced_tokens(fsm, state, cut, [1]) == [3]


def test_a_token_may_be_a_number_of_any_library():
    fsm = machine(SQUARE)
    for token in (np.int64(0), torch.tensor(0), torch.tensor(0)):
        assert Matcher(fsm).accept(token)
    assert len([key for key in fsm._steps if key[0] == fsm.initial]) == 1, "each would be kept for good"
