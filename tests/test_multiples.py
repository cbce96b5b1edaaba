"""`multipleOf`, in exact decimal arithmetic: what is accepted near the borders, and whatever the machine writes."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import end_from

from tooldec.arguments import DUMPS, POSITIONAL, Writing, argument
from tooldec.arguments.multiples import multiples
from tooldec.automaton import DFA, table_of
from tooldec.errors import SchemaError
from tooldec.mentions import notes

RELAXED = Writing(DUMPS.comma, DUMPS.colon, relax=True)


def accepts(dfa: DFA, text: str) -> bool:
    state = dfa.read(text.encode())
    return state is not None and dfa.is_accepting(state)


@pytest.mark.parametrize(
    ("schema", "accepted", "rejected"),
    [
        ({"type": "number", "multipleOf": 0.01}, "0 0.07 -19.99 1.1 1.10 12.500 3 1234567890123.45", "0.001 0.075 1e2 . 1. 01 00.07 12345678901234.45"),
        ({"type": "number", "multipleOf": 0.1, "minimum": 0.3}, "0.3 0.30 1 7.2", "0.25 0.2 -0.3 0.35"),
        ({"type": "number", "multipleOf": 0.001, "exclusiveMaximum": 1}, "0.999 -5", "1 1.000 0.9999"),
        ({"type": "number", "multipleOf": 0.05}, "0.05 0.1 2.35 -0.0", "0.01 2.34"),
        ({"type": "number", "multipleOf": 19.99}, "19.99 39.98 1999 -199.9", "19.9 20 1998"),
        ({"type": "number", "multipleOf": 1e-7}, "0.0000001 5.1234567", "0.00000001"),
        ({"type": "number", "not": {"multipleOf": 0.1}}, "0.25 -1.01", "0.2 1 1.0 0.20"),
        ({"type": "number", "not": {"multipleOf": 2}}, "0.25 3 3.0", "2 4.0 -0.0"),
        ({"type": "integer", "multipleOf": 3600}, "0 3600 -7200 90000", "1800 36000000001 3601 3600.0 03600"),
        ({"type": "integer", "multipleOf": 5000, "minimum": 1, "maximum": 20000}, "5000 20000", "0 25000 500 -5000"),
        ({"type": "integer", "multipleOf": 10000}, "0 10000 -120000", "1000 5000 10001"),
        ({"type": "integer", "multipleOf": 86400}, "86400 -172800", "43200 86401"),
        ({"type": "integer", "multipleOf": 1999, "minimum": -(10**30), "maximum": 10**30}, "1999 -3998", "1998 2000"),
        ({"type": "integer", "multipleOf": 10**30}, "1000000000000000000000000000000", "100000000000000000000000000000"),
        ({"type": "integer", "multipleOf": 1e22}, "0", "10000000000000000000000 1"),
        ({"type": "integer", "allOf": [{"multipleOf": 48}, {"multipleOf": 60}, {"multipleOf": 0.5}]}, "240 0", "48 60 120"),
    ],
)  # fmt: skip
def test_a_multiple_is_told_by_its_digits(schema: dict[str, Any], accepted: str, rejected: str) -> None:
    dfa = DFA(argument(schema, DUMPS))
    assert [text for text in accepted.split() if not accepts(dfa, text)] == []
    assert [text for text in rejected.split() if accepts(dfa, text)] == []


_steps = st.one_of(
    st.integers(1, 700).map(Decimal),
    st.builds(lambda a, b, c: Decimal(2**a * 5**b * c), st.integers(0, 8), st.integers(0, 6), st.integers(1, 30)),
    st.builds(lambda n, places: Decimal(n).scaleb(-places), st.integers(1, 300), st.integers(1, 6)),
)
_bounds = st.none() | st.integers(-(10**6), 10**6).map(lambda n: n / 100)


@settings(max_examples=60)
@given(_steps, _bounds, st.booleans(), st.sampled_from([DUMPS, POSITIONAL]), st.randoms(use_true_random=False))
def test_multiples_are_those_of_exact_decimals(
    step: Decimal, low: float | None, wanted: bool, writing: Writing, chance: random.Random
) -> None:
    given_step = int(step) if step == step.to_integral_value() else float(step)
    rule: dict[str, Any] = {"multipleOf": given_step}
    schema = {"type": "number", **(rule if wanted else {"not": rule}), **({} if low is None else {"minimum": low})}
    dfa = DFA(argument(schema, writing))

    def fits(value: Decimal) -> bool:
        return (value % step == 0) is wanted and (low is None or value >= Decimal(repr(low)))

    unit = Decimal(1).scaleb(min(0, int(step.normalize().as_tuple().exponent)))
    near = step * chance.randint(-2000, 2000)
    at_bound = Decimal(repr(low or 0.0)) // step * step
    whole = given_step == step and step == step.to_integral_value()
    for value in (
        near,
        near + unit,
        near - unit,
        near + unit / 2,
        near * 10,
        at_bound,
        at_bound + step,
        at_bound - step,
    ):
        text = format(value.normalize(), "f")
        if wanted and whole and "." in text:
            continue
        assert accepts(dfa, text) is fits(value), text
    for _ in range(12):  # whatever the machine writes
        state, written = dfa.initial, bytearray()
        for _ in range(chance.randint(0, 12)):
            ways = dict(dfa.transitions(state))
            if not ways:
                break
            byte = chance.choice(sorted(ways, key=str))
            assert isinstance(byte, int)
            written.append(byte)
            state = ways[byte]
        written += bytes(byte for byte in end_from(dfa, state, dfa.is_accepting) if isinstance(byte, int))
        text = written.decode().removeprefix("+")
        assert fits(Decimal(text)) and fits(Decimal(repr(json.loads(text)))), text


@pytest.mark.parametrize(("step", "most"), [(3600, 20), (10**6, 10), (86400, 150), ("0.01", 5), ("0.001", 6)])
def test_only_what_matters_is_remembered(step: int | str, most: int) -> None:
    assert len(table_of(multiples(Decimal(step), False))) <= most


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "multipleOf": 4999},
        {"type": "integer", "multipleOf": 2**1000},
        {"type": "integer", "multipleOf": 2**100},
        {"type": "number", "multipleOf": 1.23456789},
        {"type": "integer", "allOf": [{"multipleOf": 1009}, {"multipleOf": 1013}]},
    ],
)
def test_what_needs_too_many_states_is_refused_or_relaxed(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaError, match=r"too many|more than") as caught:
        argument(schema, DUMPS)
    assert caught.value.keyword == "multipleOf"
    (note,) = notes(argument(schema, RELAXED))
    assert note.startswith("$: `multipleOf` is left unchecked")
