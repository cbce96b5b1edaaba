"""The table of pure functions: values, the written form, and bounded cost."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from tooldec import SCHEMES, parse_tools
from tooldec.errors import HostError
from tooldec.results import RESULTS, compute, write_number

VALUES: list[tuple[str, Sequence[float], str | None]] = [
    ("add", (2, 3), "5"),
    ("add", (0.1, 0.2), "0.3"),
    ("add", (1, 2, 3, 4, 5), "15"),
    ("subtract", (10, 3), "7"),
    ("subtract", (10, 3, 2), "5"),
    ("multiply", (12, 4), "48"),
    ("multiply", (2, 3, 4), "24"),
    ("divide", (10, 2), "5"),
    ("divide", (1, 3), "0.33"),
    ("divide", (1, 80), "0.013"),
    ("divide", (100, 5, 2), "10"),
    ("divide", (1, 0), None),
    ("power", (2, 10), "1024"),
    ("power", (0.89, 8), "0.39"),
    ("power", (2, -2), "0.25"),
    ("power", (-8, 0.5), None),
    ("power", (0, -1), None),
    ("sqrt", (16,), "4"),
    ("sqrt", (2,), "1.41"),
    ("sqrt", (-1,), None),
    ("log", (1000,), "3"),
    ("log", (8, 2), "3"),
    ("log", (0,), None),
    ("log", (5, 1), None),
    ("ln", (1,), "0"),
    ("ln", (10,), "2.3"),
    ("lcm", (4, 6), "12"),
    ("lcm", (2, 3, 5), "30"),
    ("lcm", (2.5, 3), None),
    ("gcd", (12, 18), "6"),
    ("gcd", (12, 18, 27), "3"),
    ("choose", (5, 2), "10"),
    ("choose", (2, 5), "0"),
    ("choose", (-1, 2), None),
    ("permutate", (5, 2), "20"),
    ("permutate", (5, 7), "0"),
    ("remainder", (17, 5), "2"),
    ("remainder", (17, 0), None),
    ("square", (5,), "25"),
    ("square", (1.5,), "2.25"),
    ("exp", (0,), "1"),
    ("exp", (2,), "7.39"),
    ("exp", (1000,), None),
    ("cube", (3,), None),
    ("add", (), None),
    ("sqrt", (1, 2), None),
    ("subtract", (1,), None),
    ("add", (True, 2), None),
    ("add", (math.inf, 1), None),
    ("add", (math.nan, 1), None),
]


@pytest.mark.parametrize(("name", "arguments", "text"), VALUES)
def test_values(name: str, arguments: Sequence[float], text: str | None) -> None:
    assert compute(name, arguments) == text


def test_every_function_has_a_value_in_the_table() -> None:
    assert {name for name, _, text in VALUES if text is not None} == set(RESULTS)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (25.0, "25"),
        (2.3456, "2.35"),
        (0.012345, "0.012"),
        (0.5, "0.5"),
        (-0.0333, "-0.033"),
        (1e20, "1" + "0" * 20),
        (0.0000004, "0.0000004"),
        (1e-30, "0"),
        (-0.0, "0"),
        (12345678.909, "12345678.91"),
    ],
)
def test_written_form(value: float, text: str) -> None:
    assert write_number(value) == text


HUGE = [
    ("power", (9, 10**9)),
    ("power", (10**59, 10**59)),
    ("power", (-7, 10**15 + 1)),
    ("power", (10.0, 1e300)),
    ("power", (3, 3, 3, 3, 3, 3, 3)),
    ("choose", (10**9, 5 * 10**8)),
    ("choose", (10**59, 10**58)),
    ("permutate", (10**9, 10**9)),
    ("permutate", (10**300, 10**300)),
    ("lcm", tuple(10**50 + n for n in range(50))),
    ("multiply", (10**59,) * 900),
    ("multiply", (7,) * 10**6),
    ("add", (1,) * 10**6),
    ("square", (10**50,)),
    ("square", (1e200,)),
    ("add", (10**5000, 1)),
    ("exp", (1e308,)),
    ("sqrt", (10**100000,)),
]


@pytest.mark.parametrize(("name", "arguments"), HUGE)
def test_huge_numbers_are_refused_at_once(name: str, arguments: Sequence[float]) -> None:
    start = time.perf_counter()
    assert compute(name, arguments) is None
    assert time.perf_counter() - start < 0.5


JOIN = parse_tools("def join(sep: str = '-', end: str = '.', *rest: str)")
TAGGED = '<tool_call>\n{"name": "%s", "arguments": %s}\n</tool_call>'


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        ('{"end": "!", "rest": ["a", "b"]}', "a-b!"),
        ('{"rest": ["a", "b"], "sep": "+"}', "a+b."),
        ('{"end": "!", "sep": "+"}', "!"),
        ('{"sep": "+", "rest": []}', "."),
    ],
)
def test_functions_get_each_value_for_its_parameter(arguments: str, value: str) -> None:
    def join(sep: str = "-", end: str = ".", *rest: str) -> str:
        return sep.join(rest) + end

    host = SCHEMES["json_tags"].host(JOIN, {"join": join})
    written = host.write(TAGGED % ("join", arguments))
    assert isinstance(written, str) and f"\n{value}\n" in written


@pytest.mark.parametrize(
    ("signature", "arguments", "value"),
    [
        ("subtract(a: float, b: float)", '{"b": 1, "a": 5}', "4"),
        ("log(number: float = 100, base: float = 10)", '{"base": 2}', "6.64"),
        ("log(number: float, base: float = 10)", '{"number": 1000}', "3"),
        ("log(number: float | None, base: float | None)", '{"base": 2}', None),
    ],
)
def test_numbers_are_taken_in_the_order_of_the_parameters(signature: str, arguments: str, value: str | None) -> None:
    (tool,) = parse_tools(f"def {signature}")
    tool = replace(tool, parameters={**tool.parameters, "required": []})
    written = SCHEMES["json_tags"].host([tool]).write(TAGGED % (tool.name, arguments))
    assert written is None if value is None else f"\n{value}\n" in str(written)


def test_what_stands_before_many_values_must_be_known() -> None:
    (tool,) = parse_tools("def join(sep: str, *rest: str)")
    tool = replace(tool, parameters={**tool.parameters, "required": []})
    host = SCHEMES["json_tags"].host([tool], {"join": lambda *all: "".join(all)})
    with pytest.raises(HostError, match="was left out, and has no default"):
        host.write(TAGGED % ("join", '{"rest": ["a"]}'))
