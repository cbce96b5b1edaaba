"""`uniqueItems`: where an item's values can be listed, held against jsonschema for every short array."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import satisfies

from tooldec.arguments import DUMPS, Writing, argument, spaced
from tooldec.arguments.distinct import MOST_TEXTS, listed
from tooldec.automaton import DFA
from tooldec.errors import SchemaError
from tooldec.grammar import Literal, SymbolClass
from tooldec.mentions import notes

UNIQUE: dict[str, Any] = {"type": "array", "uniqueItems": True}
RELAXED = Writing(DUMPS.comma, DUMPS.colon, relax=True)


def accepts(dfa: DFA, value: Any) -> bool:
    state = dfa.read(value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode())
    return state is not None and dfa.is_accepting(state)


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        ({"items": {"type": "string", "pattern": "^[abc]$"}}, [[], ["c", "a", "b"]], [["a", "a"], ["a", "b", "a"], ["d"]]),
        ({"items": {"type": "integer", "minimum": 0, "maximum": 6}}, [[6, 0], [3]], [[0, 0], b"[0, -0]", [7]]),
        ({"items": {"type": "integer", "minimum": 1, "maximum": 366}, "minItems": 2}, [[*range(1, 99)]], [[366], [5, 5]]),
        ({"items": {"type": "string", "pattern": "^[\n\t]$"}}, [["\n", "\t"]], [["\n", "\n"], b'["\\n", "\\u000a"]']),
        ({"items": {"type": ["boolean", "null"]}, "minItems": 3}, [[None, True, False]], [[True, None]]),
        ({"items": {"anyOf": [{"anyOf": [{"const": 1}, {"const": "x"}]}, {"enum": [True]}]}}, [[True, 1, "x"]], [["x", "x"]]),
        ({"items": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 2}, {"const": "x"}]}}, [[2, "x"]], [[2, 2]]),
        ({"items": {"type": "object", "properties": {"a": {"enum": [1, 2]}}}}, [[{}, {"a": 2}]], [[{}, {}], [{"a": 1}, {"a": 1}]]),
        ({"prefixItems": [{"enum": ["a", "b"]}, {"enum": ["a", "c"]}], "items": False}, [["a", "c"], ["b", "a"], []], [["a", "a"], ["c"]]),
        ({"prefixItems": [{"enum": ["a", "b"]}, {"const": "a"}], "items": False, "minItems": 2}, [["b", "a"]], [["a"], ["b"]]),
        ({"prefixItems": [{"enum": [1, 2]}], "items": {"enum": [2, 3]}}, [[2, 3], [1, 2, 3]], [[2, 2], [2, 3, 2]]),
        ({"prefixItems": [{"enum": [1, 2]}, {"type": "string"}], "maxItems": 1}, [[1], []], [[1, "a"]]),
        ({"items": {"type": "string"}, "maxItems": 1}, [["a"], []], [["a", "b"]]),
    ],
)  # fmt: skip
def test_items_that_can_be_listed_differ(schema: dict[str, Any], valid: list[Any], invalid: list[Any]) -> None:
    dfa = DFA(argument({**UNIQUE, **schema}, DUMPS))
    assert [value for value in valid if not accepts(dfa, value)] == []
    assert [value for value in invalid if accepts(dfa, value)] == []


_VALUES = [1, 2, "a", "b", True, None]
_items = st.one_of(
    st.lists(st.sampled_from(_VALUES), min_size=1, max_size=4).map(lambda values: {"enum": values}),
    st.builds(lambda low, more: {"type": "integer", "minimum": low, "maximum": low + more}, st.integers(0, 2), st.integers(0, 2)),
    st.sampled_from([{"type": "string", "pattern": "^[ab]?$"}, {"type": ["boolean", "null"]}, False]),
)  # fmt: skip


@settings(max_examples=60)
@given(
    st.lists(_items, max_size=3),
    _items,
    st.integers(0, 3),
    st.none() | st.integers(1, 3),
    st.sampled_from([DUMPS, spaced(1)]),
)
def test_arrays_are_those_of_jsonschema(
    first: list[Any], others: Any, low: int, high: int | None, writing: Writing
) -> None:
    schema = {**UNIQUE, "prefixItems": first, "items": others, "minItems": low, "maxItems": 3 if high is None else high}
    arrays = [[*items] for size in range(4) for items in product([1, 2, "a", "b", True, None], repeat=size)]
    valid = [array for array in arrays if satisfies(schema, array)]
    try:
        dfa = DFA(argument(schema, writing))
    except SchemaError:
        assert valid == []
        return
    assert [array for array in arrays if accepts(dfa, array)] == valid
    assert all(dict(dfa.transitions(state)) or dfa.is_accepting(state) for state in visited(dfa))  # no dead ends


def visited(dfa: DFA) -> list[int]:
    at = 0
    while at < min(len(dfa), 3000):
        list(dfa.transitions(at))
        at += 1
    return [*range(at)]


@pytest.mark.parametrize(
    "more",
    [{"prefixItems": [{}, {"const": 1}], "minItems": 2}, {"items": {"type": "string"}, "contains": {"const": "a"}}],
)
def test_items_that_are_not_compared_are_refused_with_what_would_work(more: Any) -> None:
    schema = {**UNIQUE, **more}
    with pytest.raises(SchemaError) as caught:
        argument(schema, DUMPS)
    assert caught.value.keyword == "uniqueItems" and "leave `uniqueItems` out" in str(caught.value)
    (note,) = notes(argument(schema, RELAXED))
    assert note.startswith("$: `uniqueItems` is left unchecked")


def test_values_are_listed_where_they_are_few() -> None:
    digit = SymbolClass.of(b"0123456789")
    assert [*(listed(Literal(b"2.0") | Literal(b"1") | Literal(b"2")) or ())] == ["1", "2"]
    assert [*(listed(Literal(b"1") + digit + digit) or ())] == [*map(str, range(100, 200))]
    assert listed(Literal(b"1") + digit.repeat(3, 3)) is None and MOST_TEXTS < 1000
    assert listed(Literal(b"1") + Literal(b"0").repeat()) is None
