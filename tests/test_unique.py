"""Items and names that must differ and can't be listed: held against jsonschema, and token by token against the automaton.

They are those of `uniqueItems`, and of `minProperties` where names aren't declared.
"""

from __future__ import annotations

import json
import tracemalloc
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from judges import satisfies

from tooldec import SCHEMES, Vocabulary, build_fsm, parse_tools
from tooldec.arguments import COMPACT, DUMPS, POSITIONAL, Writing, argument, spaced
from tooldec.automaton import DFA
from tooldec.errors import SchemaError
from tooldec.lifting.retracing import along, begun
from tooldec.states import table
from tooldec.token_fsm import TokenFSM
from tooldec.trie import Trie

STRING = {"type": "string"}
NAMED = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": True}
PERSON = {"type": "object", "properties": {"name": STRING, "age": {"type": "integer"}}, "additionalProperties": False}


def unique(items: Any, **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, "uniqueItems": True, **more}


def accepts(dfa: DFA, text: bytes) -> bool:
    state = dfa.read(text)
    return state is not None and dfa.is_accepting(state)


@pytest.mark.parametrize(
    ("items", "valid", "invalid"),
    [
        (STRING, ["[]", '["a"]', '["a", "ab", ""]', '["a", "A"]'], ['["a", "a"]', '["a", "b", "a"]', '["", ""]']),
        (STRING, ['["é", "e"]', r'["\u00e9", "\u00e8"]'], [r'["é", "\u00e9"]', r'["\u00E9", "\u00e9"]', r'["/", "\/"]']),
        (STRING, [r'["😀", "\ud83d\ude01"]', r'["\"", "\\"]'], [r'["😀", "\ud83d\ude00"]', r'["\n", "\u000a"]']),
        ({}, ["[1, true, null, \"1\"]", "[[1], [1, 2]]", "[{}, []]"], ["[1, 1.0]", "[[1], [1]]", "[null, 2, null]"]),
        ({"type": "number"}, ["[1, 10, 1.5]", "[0.1, 1e-2]"], ["[1, 1.0]", "[10, 1e1]", "[0, -0]", "[1.5, 1.50]"]),
        ({"type": "integer"}, ["[1, 11, 111]", "[-1, 1]"], ["[1, 11, 1]", "[0, -0]"]),
        ({"type": "integer", "minimum": 1, "maximum": 65535}, ["[80, 443, 8080]"], ["[80, 443, 80]", "[0]"]),
        ({"type": ["string", "null"]}, ['[null, "null"]', '["a", null]'], ["[null, null]", '[null, "a", null]']),
        ({"type": "string", "maxLength": 2}, ['["a", "ab", "b"]'], ['["ab", "ab"]', '["abc"]']),
        ({"type": "string", "format": "date"}, ['["2024-01-31", "2024-01-30"]'], ['["2024-01-31", "2024-01-31"]']),
        (PERSON, ['[{"name": "A"}, {"name": "A", "age": 1}, {}]'], ['[{"name": "A"}, {"name": "A"}]', "[{}, {}]"]),
        (unique(STRING), ['[["a"], ["a", "b"], []]'], ['[["a"], ["a"]]', '[["a", "a"]]', "[[], []]"]),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, ['[["a", "a"], ["a"]]'], ['[["a", "b"], ["a", "b"]]']),
    ],
)  # fmt: skip
def test_items_differ_in_their_values(items: Any, valid: list[str], invalid: list[str]) -> None:
    dfa = DFA(argument(unique(items), DUMPS))
    assert [text for text in valid if not accepts(dfa, text.encode())] == []
    assert [text for text in invalid if accepts(dfa, text.encode())] == []


VALUES = [1, 2, "a", "b", "", True, None, [1], {"a": "b"}]
_items = st.sampled_from(
    [
        STRING,
        {},
        {"type": "number"},
        {"type": ["string", "integer"]},
        {"type": ["array", "boolean", "integer"]},
        {"anyOf": [{"enum": ["a", None]}, {"type": "integer"}]},
        {"type": "object", "additionalProperties": STRING},
        {"anyOf": [STRING, unique({"type": "integer"})]},
    ]
)


@settings(max_examples=60)
@given(
    st.lists(_items, max_size=2),
    _items,
    st.integers(0, 3),
    st.none() | st.integers(1, 3),
    st.sampled_from([DUMPS, spaced(1), COMPACT]),
)
@example([{"enum": ["a", "b"]}, STRING], STRING, 0, None, DUMPS)
def test_arrays_are_those_of_jsonschema(
    first: list[Any], others: Any, low: int, high: int | None, writing: Writing
) -> None:
    schema = {**unique(others), "prefixItems": first, "minItems": low, "maxItems": 3 if high is None else high}
    arrays = [[*items] for size in range(4) for items in product(VALUES, repeat=size)]
    try:
        dfa = DFA(argument(schema, writing))
    except SchemaError as error:
        assert error.empty and low > (high or 3)
        return
    separators = (",", ":") if writing is COMPACT else (", ", ": ")
    written = [json.dumps(array, separators=separators).encode() for array in arrays]
    valid = [text for text, array in zip(written, arrays, strict=True) if satisfies(schema, array)]
    assert [text for text in written if accepts(dfa, text)] == valid


PIECES = ['"', ",", ", ", "a", "b", "1", "0", "[", "]", "{", "}", '"a"', "null", "n", '": ', r"\u0061", ".0", "-", "é"]


def vocabulary(tokens: list[str]) -> Vocabulary:
    return Vocabulary([*(bytes([byte]) for byte in range(256)), *(token.encode() for token in tokens), "<eos>"], eos=[256 + len(tokens)])  # fmt: skip


TOKENS = [
    *('["a', '", "', '", "a', '", "a"', '"]', '",', "a,", "1,", "1, 1", "1, 2", "[1, 1]", "[1, 2]", "ll", "ull", "null,"),
    *(', null', ', n', r'\u00', '61"', r'a\u', "ab", 'b"]', "},", '}, {"', '"name": "', '"}, ', "[[", "]]", "], [", "é", "😀"),
]  # fmt: skip
MASKED = [
    STRING,
    {},
    {"type": ["string", "null"]},
    {"type": ["boolean", "null", "integer"]},
    {"type": "integer", "minimum": 0, "maximum": 600},
    {"type": "number"},
    {"type": "string", "maxLength": 2},
    {"type": "string", "minLength": 1, "maxLength": 3},
    {"type": "string", "pattern": "^a*b$"},
    PERSON,
    {"type": "object", "properties": {"name": {"type": "string", "maxLength": 2}}, "required": ["name"]},
    unique(STRING),
    {"type": "object", "minProperties": 2},
]


@settings(max_examples=30)
@given(
    st.sampled_from([*map(unique, MASKED), {"type": "object", "minProperties": 2}, {**NAMED, "minProperties": 3}]),
    st.lists(st.lists(st.sampled_from(PIECES), min_size=2, max_size=4).map("".join), max_size=12, unique=True),
    st.sampled_from([DUMPS, POSITIONAL, spaced(1)]),
    st.integers(0, 3),
    st.randoms(use_true_random=False),
)
def test_masks_allow_what_the_automaton_reads_and_every_way_ends(
    schema: dict[str, Any], more: list[str], writing: Writing, low: int, random: Any
) -> None:
    tokens = vocabulary([*TOKENS, *(token for token in more if token not in TOKENS)])
    schema = {**schema, "minItems": low} if schema["type"] == "array" else schema
    fsm = TokenFSM(DFA(argument(schema, writing)), tokens)
    state, text = fsm.initial, b""
    likely = [token for token in range(tokens.size - 1) if set(tokens.spelling(token)) <= set(b'[]{}", ab10nul\\6:')]  # type: ignore[arg-type]
    for _ in range(30):
        allowed = fsm.allowed(state)
        assert [token for token in range(tokens.size) if (fsm.step(state, token) is not None) != allowed[token]] == []
        choices = [token for token in likely if allowed[token]] or np.nonzero(allowed)[0].tolist()
        assert choices, text  # no dead end
        token = random.choice(choices)
        text += tokens.spelling(token) if token not in tokens.eos else b""  # type: ignore[operator]
        state = fsm.step(state, token)
        if fsm.is_complete(state):
            break
    if fsm.is_accepting(state) and b"+" not in text:
        assert satisfies(schema, json.loads(text)), text


@pytest.mark.parametrize(
    ("more", "valid", "invalid"),
    [
        ({"minProperties": 2}, ['{"a": 1, "b": 2}', '{"a": {"a": 1}, "b": "a"}'], ['{"a": 1, "a": 2}', r'{"a": 1, "\u0061": 2}']),
        ({"minProperties": 2, "maxProperties": 2}, ['{"a": 1, "b": 2}'], ['{"a": 1}', '{"a": 1, "b": 2, "c": 3}']),
        ({**NAMED, "minProperties": 3}, ['{"a": 1, "b": 1, "c": 1}'], ['{"a": 1, "b": 1}', '{"a": 1, "b": 1, "b": 2}']),
        ({"minProperties": 2, "propertyNames": {"maxLength": 2}}, ['{"aa": 1, "ab": 2}'], ['{"aa": 1, "aa": 1}']),
        ({"minProperties": 2, "additionalProperties": {"type": "integer"}}, ['{"a": 1, "": 2}'], ['{"a": "b", "c": 1}']),
        ({"minProperties": 1}, ['{"a": 1}', '{"a": 1, "a": 2}'], ["{}"]),
    ],
)  # fmt: skip
def test_names_differ_where_they_are_counted(more: dict[str, Any], valid: list[str], invalid: list[str]) -> None:
    for writing in (DUMPS, spaced(1)):
        dfa = DFA(argument({"type": "object", **more}, writing))
        assert [text for text in valid if not accepts(dfa, text.encode())] == []
        assert [text for text in invalid if accepts(dfa, text.encode())] == []


def test_what_no_value_is_left_for_is_barred_early() -> None:
    def firsts(items: Any, text: bytes) -> bytes:
        dfa = DFA(argument(unique(items), DUMPS))
        state = dfa.read(text)
        assert state is not None
        return bytes(sorted(symbol for symbol in dfa.first(state) if isinstance(symbol, int)))

    assert b"n" not in firsts({"type": ["string", "null"]}, b"[null, ")
    assert firsts({"type": "string", "pattern": "^(ab|a+c)$"}, b'["ab", "a') == b"ac"
    assert firsts({"type": ["integer", "boolean"]}, b"[false, ") == b"-0123456789t"
    assert firsts(PERSON, b"[{}, {") == b'"'
    assert b'"' not in firsts(STRING, b'["a", "a')


def test_a_barred_token_is_explained() -> None:
    tokens = vocabulary(['"]', "5, 5]"])
    for items, before, token, reason in [
        (STRING, b'["a", "a', ord('"'), '"a" is in the list already, whose items must differ'),
        (STRING, b'["a", "b", "a', 256, '"a" is in the list already, whose items must differ'),
        ({"type": "integer"}, b"[1, 1", ord("]"), "1 is in the list already, whose items must differ"),
        ({"type": "integer"}, b"[", 257, "byte 5: 5 is in the list already, whose items must differ"),
        (
            {"type": "string", "pattern": "^(ab|a+c)$"},
            b'["ab", "a',
            ord("b"),
            "only one that is in the list already could",
        ),
        ({"type": ["null", "string"]}, b"[null, ", ord("n"), "null is in the list already, whose items must differ"),
        (None, b'{"a": 1, "a', ord('"'), '"a" is in the object already, whose names must differ'),
    ]:
        schema = unique(items) if items else {"type": "object", "minProperties": 2}
        fsm = TokenFSM(DFA(argument(schema, DUMPS)), tokens)
        state = fsm.dfa.read(before)
        assert state is not None
        assert (fsm.why_blocked(state, token) or "").startswith(reason), items


def test_a_tool_call_with_a_set_of_strings() -> None:
    (tool,) = tools = parse_tools([{"name": "tag", "parameters": {"properties": {"names": unique(STRING)}}}])
    tokens = vocabulary(['", "', '"]'])
    for name in ("special_token", "json_tags", "react"):
        scheme = SCHEMES[name]
        fsm = build_fsm(scheme.grammar(tools, start="call"), tokens)
        assert fsm.warnings == ()
        state = fsm.initial
        while (forced := fsm.forced(state)) and b"[" not in forced:
            state = fsm.dfa.read(forced, state)  # type: ignore[assignment]
        for text, fits in [(b'["a", "b"]', True), (b'["a", "a"]', False)]:
            starts = [before + text for before in (b"", b"(", b'"names": ', b' {"names": ')]
            assert any(fsm.dfa.read(start, state) is not None for start in starts) == fits, name
    assert tool.parameters["properties"]["names"]["uniqueItems"]


def test_states_in_a_list_are_forgotten_and_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "KEPT", 30)
    tokens = vocabulary(['", "', '"]'])
    fsm = TokenFSM(DFA(argument(unique(STRING), DUMPS)), tokens)
    seen: list[tuple[int, bytes]] = []
    for number in range(40):
        state, text = fsm.initial, b""
        for byte in b'["a", "%d", "' % number:
            state, text = fsm.step(state, byte), text + bytes([byte])  # type: ignore[assignment]
            seen.append((state, text))
    held = sum(cells is not None for cells in fsm.dfa._states.cells)
    assert held < 60 < len({state for state, _ in seen})
    for state, text in seen[::7]:
        again = TokenFSM(DFA(argument(unique(STRING), DUMPS)), tokens)
        assert (fsm.allowed(state) == again.allowed(again.dfa.read(text))).all(), text  # type: ignore[arg-type]
        assert fsm.label(state).mode == "text" and not fsm.is_accepting(state)


def test_long_lists_share_what_they_hold() -> None:
    dfa = DFA(argument(unique(STRING), DUMPS))
    items = [f"v{number}" for number in range(3000)]
    tracemalloc.start()
    assert accepts(dfa, json.dumps(items).encode()) and not accepts(dfa, json.dumps([*items, "v7"]).encode())
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 100e6, used  # 236 MB where each item has a set of its own, 26 here


def test_strings_are_retraced_in_every_spelling() -> None:
    tokens = [
        "le",
        "l",
        "p",
        'le"',
        'le",',
        'le"]x',
        r"\u006c",
        r"\u006C",
        r"\u006",
        "x",
        "é",
        r"\u00E9",
        "6c",
        r"\ud83d",
    ]
    trie = Trie.build((token.encode(), number) for number, token in enumerate(tokens))

    def found(rest: str, pending: bytes = b"") -> list[str]:
        return [tokens[number] for number in sorted(along(trie, [rest], pending))]

    assert found("le") == ["le", "l", 'le"', 'le",', 'le"]x', r"\u006c", r"\u006C", r"\u006"]
    assert found("l", rb"\u00") == ["6c"] and found("l", rb"\u01") == []
    assert found("éa") == ["é", r"\u00E9"] and found("😀") == [r"\ud83d"] and found("") == []
    assert begun(b'["a", "b') == ("b", b"") and begun(b'"a\\') == ("a", b"\\")
    assert begun(rb'"\ud83d') == ("", rb"\ud83d") and begun('"é'.encode()[:-1]) == ("", b"\xc3")
