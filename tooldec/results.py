"""The table of pure functions whose results a host writes: the 13 of FuncQA, square and exp.

`compute("multiply", (12, 4))` → `"48"`; `compute("divide", (1, 3))` → `"0.33"`; `compute("divide", (1, 0))` → `None`.
Every evaluation has a bounded cost: a number too large to write is refused before it is computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

Number = float | int

MAX_ARGUMENTS = 1000
MAX_DIGITS = 60
"""A result with more digits than this is refused."""


class Undefined(ArithmeticError):
    """The function has no value here, or one that is too large to be written."""


def _add(*numbers: Number) -> Number:
    return sum(numbers)


def _subtract(first: Number, *others: Number) -> Number:
    return first - sum(others)


def _multiply(*numbers: Number) -> Number:
    product: Number = 1
    for number in numbers:
        product = _bounded(product * number)
    return product


def _divide(first: Number, *others: Number) -> Number:
    for number in others:
        exact = isinstance(first, int) and isinstance(number, int) and number and first % number == 0
        first = first // number if exact else first / number
    return first


def _power(first: Number, *others: Number) -> Number:
    for exponent in others:
        if isinstance(first, int) and isinstance(exponent, int) and abs(first) > 1:
            if exponent > MAX_DIGITS * 4 or exponent * math.log10(abs(first)) > MAX_DIGITS:
                raise Undefined
            if exponent < 0:
                first = float(first)
        first = first**exponent
        if isinstance(first, complex):
            raise Undefined
    return first


def _sqrt(number: Number) -> Number:
    root = math.isqrt(number) if isinstance(number, int) and number >= 0 else 0
    return root if root * root == number and isinstance(number, int) else math.sqrt(number)


def _log(number: Number, base: Number = 10) -> Number:
    return math.log10(number) if base == 10 else math.log(number, base)


def _lcm(*numbers: Number) -> Number:
    multiple = 1
    for number in numbers:
        multiple = math.lcm(multiple, _whole(number))
        _bounded(multiple)
    return multiple


def _gcd(*numbers: Number) -> Number:
    return math.gcd(*map(_whole, numbers))


def _choose(total: Number, chosen: Number) -> Number:
    n, k = _whole(total), _whole(chosen)
    _few_digits(n, min(k, n - k))
    return _bounded(math.comb(n, k))


def _permutate(total: Number, chosen: Number) -> Number:
    n, k = _whole(total), _whole(chosen)
    _few_digits(n, min(k, n))
    return _bounded(math.perm(n, k))


def _remainder(number: Number, modulus: Number) -> Number:
    return number % modulus


def _square(number: Number) -> Number:
    return number * number


def _exp(number: Number) -> Number:
    return math.exp(number)


RESULTS: Mapping[str, Callable[..., Number]] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": _divide,
    "power": _power,
    "sqrt": _sqrt,
    "log": _log,
    "ln": math.log,
    "lcm": _lcm,
    "gcd": _gcd,
    "choose": _choose,
    "permutate": _permutate,
    "remainder": _remainder,
    "square": _square,
    "exp": _exp,
}
"""Name of a tool → the function that computes its result; call it through `compute`, which checks its arguments."""

_ARITY: Mapping[str, tuple[int, int]] = {
    **{name: (2, MAX_ARGUMENTS) for name in ("subtract", "divide", "power")},
    **{name: (1, MAX_ARGUMENTS) for name in ("add", "multiply", "lcm", "gcd")},
    **{name: (1, 1) for name in ("sqrt", "ln", "square", "exp")},
    **{name: (2, 2) for name in ("choose", "permutate", "remainder")},
    "log": (1, 2),
}


def compute(name: str, arguments: Sequence[Number]) -> str | None:
    """What the host writes after this call, or None when the function is unknown or has no value here."""
    function, (fewest, most) = RESULTS.get(name), _ARITY.get(name, (0, -1))
    if function is None or not fewest <= len(arguments) <= most:
        return None
    if not all(type(argument) in (int, float) for argument in arguments):
        return None
    try:
        return write_number(function(*map(_bounded, arguments)))
    except (ArithmeticError, ValueError, TypeError):
        return None


def write_number(value: Number) -> str:
    """Whole numbers without a point, others to two decimals, below 0.1 to two digits after the zeros, like ToolkenGPT.

    `25.0` → `25`, `2.3456` → `2.35`, `0.012345` → `0.012`.
    """
    value = _bounded(value)
    if isinstance(value, int):
        return str(value)
    whole, decimals = f"{abs(value):.10f}".split(".")
    zeros = len(decimals) - len(decimals.lstrip("0"))
    rounded = round(value, zeros + 2 if whole == "0" and 0 < zeros < len(decimals) else 2)
    return str(int(rounded)) if rounded == int(rounded) else format(Decimal(repr(rounded)), "f")


def _bounded(value: Number) -> Number:
    """The value itself, if it is finite and can be written in `MAX_DIGITS` digits."""
    if not math.isfinite(value) if isinstance(value, float) else value.bit_length() > MAX_DIGITS * 3.33:
        raise Undefined
    if isinstance(value, float) and abs(value) >= 10.0**MAX_DIGITS:
        raise Undefined
    return value


def _whole(value: Number) -> int:
    if value != int(value):
        raise Undefined
    return int(value)


def _few_digits(n: int, factors: int) -> None:
    """Refuse a product of this many factors up to n before it is computed."""
    if n < 0 or max(factors, 0) * math.log10(max(n, 1)) > MAX_DIGITS * 3:
        raise Undefined
