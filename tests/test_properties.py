"""Whatever is sampled from the machine parses and satisfies its schema; whatever is valid is never blocked."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from judges import allowed, allowed_one_by_one, end_from, positional_values, satisfies, vocabulary_of
from strategies import CallOf, inventories, written

from tooldec import SCHEMES, Tool, build_fsm
from tooldec.token_fsm import TokenFSM
from tooldec.vocabulary import Vocabulary

Calls = tuple[CallOf, ...]
SPECIALS = ("<T>", "<tool_call>", "</tool_call>", "<|im_end|>")


def vocabulary_around(texts: list[str], chance: random.Random, specials: tuple[str, ...] = SPECIALS) -> Vocabulary:
    """All bytes, and pieces cut out of texts anywhere: over every border, through characters, some of them twice."""
    pieces: list[bytes | str | None] = [
        b"",
        *specials,
        *(b'"}', b'",', b"), ", b"\\u00", b"\\ud83d", b"e+", b"-0", b"])", b"\xf0\x9f", b"1" * 9),
    ]
    for text in texts:
        data = text.encode()
        for _ in range(12):
            at = chance.randrange(len(data))
            pieces.append(data[at : at + chance.randint(1, 12)])
    return vocabulary_of(*pieces, size=len(pieces) + 280)


def sampled(fsm: TokenFSM, chance: random.Random, length: int) -> bytes:
    """A random walk to the end: any allowed token, or a long one, or one byte, or one out of the last rows."""
    state, text = fsm.initial, bytearray()
    spell = fsm.vocabulary.spelling
    for _ in range(length):
        ways = [token for token in np.flatnonzero(fsm.allowed(state)).tolist() if token not in fsm.vocabulary.eos]
        if not ways:
            break
        kind = chance.random()
        if kind < 0.3:
            ways = sorted(ways, key=lambda token: len(spell(token) or b""))[-3:]
        elif kind < 0.6:
            ways = [t for t in ways if len(spell(t) or b"") == 1] or ways
        token = chance.choice(ways)
        after = fsm.step(state, token)
        assert after is not None
        state = after
        text += _bytes(spell(token))
        if fsm.is_complete(state):
            return bytes(text)
    for symbol in end_from(fsm.dfa, state, fsm.is_complete):
        (token, *_) = fsm.vocabulary.ids(symbol) if isinstance(symbol, str) else [_byte(fsm, symbol)]
        assert fsm.allowed(state)[token]
        after = fsm.step(state, token)
        assert after is not None
        state = after
        text += _bytes(spell(token))
    assert fsm.is_complete(state)
    return bytes(text)


def _byte(fsm: TokenFSM, byte: int) -> int:
    return next(t for t in range(fsm.vocabulary.size) if fsm.vocabulary.spelling(t) == bytes([byte]))


def _bytes(spelling: bytes | str | None) -> bytes:
    return spelling.encode() if isinstance(spelling, str) else spelling or b""


def tools_of(calls: Calls) -> tuple[Tool, ...]:
    return tuple(call.tool for call in calls)


def examples(calls: Calls, data: st.DataObject) -> tuple[list[str], list[str]]:
    """A valid call of each tool, by position and by name."""
    by_position, by_name = [], []
    for call in calls:
        values = data.draw(call.positional)
        by_position.append(f"<T>{call.tool.name}({', '.join(map(written, values))})")
        named = {"name": call.tool.name, "arguments": data.draw(call.named)}
        by_name.append(f"<tool_call>\n{written(named)}\n</tool_call>")
    return by_position, by_name


def check_positional(text: str, tools: tuple[Tool, ...]) -> None:
    assert text.startswith("<T>")
    tool = next(tool for tool in tools if text.startswith(f"<T>{tool.name}("))
    values = positional_values(text.removeprefix("<T>"))
    parameters = list(tool.arguments)
    assert len(values) >= sum(p.required for p in parameters)
    if parameters and parameters[-1].variadic:
        parameters[-1:] = [type(parameters[0])("more", parameters[-1].schema["items"])] * max(
            0, len(values) - len(parameters) + 1
        )
    assert len(values) <= len(parameters)
    for value, parameter in zip(values, parameters, strict=False):
        assert satisfies(parameter.schema, value), (parameter, value)


def check_tagged(text: str, tools: tuple[Tool, ...]) -> None:
    data = json.loads(text.removeprefix("<tool_call>").removesuffix("</tool_call>"))
    assert list(data) == ["name", "arguments"]
    tool = next(tool for tool in tools if tool.name == data["name"])
    assert satisfies({**tool.parameters, "additionalProperties": False}, data["arguments"])
    order = [name for name in tool.parameters["properties"] if name in data["arguments"]]
    assert list(data["arguments"]) == order and written(data) == _canonical(text)


def _canonical(text: str) -> str:
    inner = text.removeprefix("<tool_call>\n").removesuffix("\n</tool_call>")
    return written(json.loads(inner))


CHECKS: dict[str, Any] = {"special_token": check_positional, "json_tags": check_tagged}


@pytest.mark.parametrize("name", CHECKS)
@settings(max_examples=60)
@given(inventories, st.data(), st.randoms(use_true_random=False))
def test_whatever_is_sampled_parses_and_satisfies_its_schema(
    name: str, calls: Calls, data: st.DataObject, chance: random.Random
) -> None:
    tools, scheme = tools_of(calls), SCHEMES[name]
    specials = data.draw(st.sampled_from([SPECIALS, ("<|im_end|>",)]))  # markers as tokens, and spelled
    vocabulary = vocabulary_around([text for row in examples(calls, data) for text in row], chance, specials)
    fsm = build_fsm(scheme.grammar(tools, start="call"), vocabulary)
    for length in (3, 12, 40):
        text = sampled(fsm, chance, length).decode()  # strictly
        CHECKS[name](text, tools)
        (call,) = scheme.read_calls(text, tools)
        assert (call.start, call.end) == (0, len(text))


@pytest.mark.parametrize("name", CHECKS)
@settings(max_examples=60)
@given(inventories, st.data(), st.randoms(use_true_random=False))
def test_no_tokenisation_of_a_valid_answer_is_blocked(
    name: str, calls: Calls, data: st.DataObject, chance: random.Random
) -> None:
    tools, scheme = tools_of(calls), SCHEMES[name]
    texts = examples(calls, data)[0 if name == "special_token" else 1]
    markers = sum(text.count(special) for text in texts for special in SPECIALS)
    assume(markers == len(texts) * (1 if name == "special_token" else 2))  # inside of a string one is spelled in bytes
    specials = data.draw(st.sampled_from([SPECIALS, ("<|im_end|>",)]))
    vocabulary = vocabulary_around(texts, chance, specials)
    fsm = build_fsm(scheme.grammar(tools), vocabulary)
    answer = "So " + " and ".join(texts) + ", 🙂"
    for longest in (True, False):
        state = fsm.initial
        for token in tokenised(answer, vocabulary, specials, chance, longest):
            assert fsm.allowed(state)[token], (answer, vocabulary.text(token), fsm.why_blocked(state, token))
            after = fsm.step(state, token)
            assert after is not None
            state = after
        assert fsm.is_accepting(state)
        assert [call.name for call in scheme.read_calls(answer, tools)] == [tool.name for tool in tools]


def tokenised(
    text: str, vocabulary: Vocabulary, specials: tuple[str, ...], chance: random.Random, longest: bool
) -> list[int]:
    """The longest tokens, or any; a marker outside of strings is its token."""
    data, at, ids = text.encode(), 0, []
    markers = {name.encode(): vocabulary.ids(name)[0] for name in specials}
    rows = [
        (row, token) for token in range(vocabulary.size) if isinstance(row := vocabulary.spelling(token), bytes) and row
    ]
    while at < len(data):
        marker = next((name for name in markers if data.startswith(name, at)), None)
        if marker is not None:
            ids.append(markers[marker])
            at += len(marker)
            continue
        until = min((where for name in markers if (where := data.find(name, at)) >= 0), default=len(data))
        fitting = [(row, token) for row, token in rows if data.startswith(row, at) and at + len(row) <= until]
        row, token = max(fitting, key=lambda r: len(r[0])) if longest else chance.choice(fitting)
        ids.append(token)
        at += len(row)
    return ids


@settings(max_examples=30)
@given(inventories, st.data(), st.randoms(use_true_random=False))
def test_text_mode_never_lets_a_broken_call_end(calls: Calls, data: st.DataObject, chance: random.Random) -> None:
    """Walks through text, calls and text again: the answer may end where the calls so far are whole, and only there."""
    tools, scheme = tools_of(calls), SCHEMES["special_token"]
    vocabulary = vocabulary_around(examples(calls, data)[0], chance, ("<|im_end|>",))
    fsm = build_fsm(scheme.grammar(tools), vocabulary)
    begun = fsm.dfa.read(b"<T>")
    assert begun is not None
    state, text = begun, bytearray(b"<T>")
    for length in range(40):
        if length in (15, 25) and fsm.is_accepting(state):
            state, text = begun, text + b"<T>"
        ways = [t for t in np.flatnonzero(fsm.allowed(state)).tolist() if t not in vocabulary.eos]
        token = chance.choice(ways)
        after = fsm.step(state, token)
        assert after is not None
        state, text = after, text + _bytes(vocabulary.spelling(token))
    text += bytes(s for s in end_from(fsm.dfa, state, fsm.is_accepting) if isinstance(s, int))
    found = scheme.read_calls(text.decode("utf-8", "replace"), tools)
    assert 0 < len(found) <= text.count(b"<T>")


@settings(max_examples=50)
@given(inventories, st.data(), st.randoms(use_true_random=False), st.sampled_from(sorted(CHECKS)))
def test_masks_inside_of_calls_are_those_of_single_tokens(
    calls: Calls, data: st.DataObject, chance: random.Random, name: str
) -> None:
    """Numbers, strings, counted strings, formats, patterns and objects, at any byte of a valid call."""
    text = examples(calls, data)[0 if name == "special_token" else 1][-1]
    vocabulary = vocabulary_around([text], chance, ("<|im_end|>",))
    fsm = build_fsm(SCHEMES[name].grammar(tools_of(calls), start="call"), vocabulary)
    written_bytes = text.encode()
    for end in sorted({len(written_bytes), *(chance.randrange(len(written_bytes)) for _ in range(8))}):
        state = fsm.dfa.read(written_bytes[:end])
        assert state is not None
        assert allowed(fsm, state) == allowed_one_by_one(fsm, state), written_bytes[:end]
