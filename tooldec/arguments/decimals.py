"""Numbers with bounds, exact to the digit, and multiples (`multiples`): tables over how JSON writes numbers.

A bound on decimals is read digit by digit: at least 0.25 is a larger whole part, or `0.` and digits of which the
first that differs from 25 is larger. Beside a bound no exponent is written.

Who reads a number rounds it to a binary one. That keeps the order, so that what is at most a bound remains so; what is
less than a bound may become the bound.
"""

from __future__ import annotations

import math
from decimal import Decimal
from functools import lru_cache, reduce

from tooldec.arguments.document import Document
from tooldec.arguments.facts import Bound, Facts, Spot
from tooldec.arguments.literals import DIGIT, integer, integers_between, naturals, number, sign
from tooldec.arguments.multiples import LARGEST, multiples
from tooldec.automaton import table_of
from tooldec.grammar import EMPTY, NOTHING, Grammar, Literal, Submachine, SymbolClass, choice, sequence
from tooldec.submachine import KEPT, Table, difference, intersection

MOST_DIGITS = 100
EXACT = 15
"""So many digits a binary number keeps; more of them aren't written where rounding could change what is admitted."""

MOST_STATES = 10_000
"""How many states several multiples at once may have."""

Multiples = tuple[tuple[Decimal, bool, bool], ...]

_DIGITS = DIGIT.repeat()
_FRACTION = sequence(b".", DIGIT.repeat(1))


def numbers(facts: Facts, kinds: frozenset[str], doc: Document) -> Grammar:
    """The numbers of a case: `kinds` are integer, fraction or both."""
    plus = doc.writing.plus
    if (facts.low and facts.low[0] > LARGEST) or (facts.high and facts.high[0] < -LARGEST):
        return NOTHING  # nobody writes numbers as far from 0
    steps, excluded = _usable(facts, doc), _excluded(facts, doc)
    try:
        return _within(facts, kinds, steps, excluded, plus)
    except OverflowError:
        doc.refuse("multipleOf", "beside its bounds it needs too many states", Spot(None, facts.path))
        return _within(facts, kinds, (), excluded, plus)


def _within(
    facts: Facts, kinds: frozenset[str], steps: Multiples, excluded: tuple[Decimal, ...], plus: bool
) -> Grammar:
    """The numbers of a case. Raises OverflowError where they need too many states."""
    if any(wanted and step == step.to_integral_value() for step, wanted, _ in steps):
        kinds = kinds & {"integer"}
    if kinds == {"integer"}:
        low, high = _whole(facts.low, up=True), _whole(facts.high, up=False)
        if low is not None and high is not None and low > high:
            return NOTHING
        if not steps and not excluded:
            return integer(plus) if low is None and high is None else integers_between(low, high, plus)
        return _integers(low, high, steps, excluded, plus) or NOTHING
    low_bound, high_bound = _cut(facts.low, up=True), _cut(facts.high, up=False)
    if low_bound is None and high_bound is None and not steps and not excluded and len(kinds) == 2:
        return number(plus)
    return _decimals(low_bound, high_bound, steps, excluded, kinds, plus) or NOTHING


def _excluded(facts: Facts, doc: Document) -> tuple[Decimal, ...]:
    """The numbers that are left out, as far as a table of their digits can be built."""
    given = [one for one in facts.excluded if isinstance(one, int | float) and not isinstance(one, bool)]
    values = sorted({Decimal(repr(value)) for value in given})
    short = tuple(value for value in values if abs(value) < 10**MOST_DIGITS)
    if len(short) < len(values):
        doc.refuse("not", f"numbers of more than {MOST_DIGITS} digits aren't left out", Spot(None, facts.path))
    return short


def _usable(facts: Facts, doc: Document) -> Multiples:
    """The multiples that can be told by a table."""
    at = Spot(None, facts.path)
    found = []
    states = 1
    for step, wanted, binary in facts.multiples:
        try:
            states *= len(table_of(multiples(step, doc.writing.plus)))
        except OverflowError:
            reason = f"multiples of {step} need too many states: so many remainders have to be told apart"
            doc.refuse("multipleOf", reason, at)
            continue
        if states > MOST_STATES:
            doc.refuse("multipleOf", f"so many multiples at once need more than {MOST_STATES} states", at)
        else:
            found.append((step, wanted, binary))
    return tuple(found)


def _cut(bound: Bound | None, up: bool) -> Bound | None:
    """The bound of decimals; one far out is the nearest binary number within it, for it may be none itself."""
    if bound is None:
        return None
    value, left_out = max(-LARGEST, min(LARGEST, bound[0])), bound[1]
    if abs(value) < 10**EXACT:
        return value, left_out
    near = float(value)
    beyond = Decimal(near) < value if up else Decimal(near) > value
    if beyond or (left_out and Decimal(near) == value):
        near = math.nextafter(near, math.inf if up else -math.inf)
    return Decimal(near), False


def _whole(bound: Bound | None, up: bool) -> int | None:
    """The first (or last) integer within a bound."""
    if bound is None:
        return None
    value, left_out = max(-LARGEST, min(LARGEST, bound[0])), bound[1]
    whole = int(value.to_integral_value("ROUND_CEILING" if up else "ROUND_FLOOR"))
    return whole + (1 if up else -1) if left_out and whole == value else whole


@lru_cache(maxsize=KEPT)
def _integers(
    low: int | None, high: int | None, steps: Multiples, excluded: tuple[Decimal, ...], plus: bool
) -> Submachine | None:
    tables = [table_of(integers_between(low, high, plus))]
    for step, wanted, binary in steps:
        table = table_of(multiples(step, plus))
        tables[0] = (intersection if wanted else difference)("IntFSM", tables[0], table)
        if binary:
            tables.append(table_of(_at_most_digits(plus)))
    return _joined("IntFSM", tables, excluded, plus)


@lru_cache(maxsize=KEPT)
def _decimals(
    low: Bound | None,
    high: Bound | None,
    steps: Multiples,
    excluded: tuple[Decimal, ...],
    kinds: frozenset[str],
    plus: bool,
) -> Submachine | None:
    tables = [table_of(_number(plus))]
    if low is not None:
        tables.append(table_of(_at_least(*low, plus)))
    if high is not None:
        tables.append(table_of(_at_most(*high, plus)))
    for step, wanted, _ in steps:
        if wanted:
            tables.append(table_of(multiples(step, plus)))
        else:
            tables[0] = difference("FloatFSM", tables[0], table_of(multiples(step, plus)))
    rounded = any(bound and bound[1] for bound in (low, high)) or "integer" not in kinds
    if steps or excluded or rounded:
        tables.append(table_of(_at_most_digits(plus)))
    if "integer" not in kinds:
        tables.append(table_of(Submachine("FloatFSM", sequence(sign(plus), naturals(0, None), b".", _some_nonzero()))))
    return _joined("FloatFSM", tables, excluded, plus)


def _joined(name: str, tables: list[Table], excluded: tuple[Decimal, ...], plus: bool) -> Submachine | None:
    found = reduce(lambda one, other: intersection(name, one, other), tables)
    if excluded:
        found = difference(name, found, table_of(Submachine(name, choice([_equal(value, plus) for value in excluded]))))
    return Submachine(name, NOTHING, found) if found.leads_on[0] else None


def _number(plus: bool) -> Submachine:
    """Numbers without an exponent."""
    return Submachine("FloatFSM", sequence(sign(plus), naturals(0, None), _FRACTION.optional()))


def _at_most_digits(plus: bool) -> Submachine:
    """Numbers of so few digits that binary numbers tell them apart; whole ones with `.0` among them."""
    options: list[Grammar] = [DIGIT.repeat(1, EXACT)]
    options += [sequence(DIGIT.repeat(1, size), b".", DIGIT.repeat(1, EXACT - size)) for size in range(1, EXACT)]
    return Submachine("FloatFSM", sequence(sign(plus), choice(options)))


def _some_nonzero() -> Grammar:
    return sequence(Literal(b"0").repeat(), _between("1", "9"), _DIGITS)


def _between(low: str, high: str) -> Grammar:
    return SymbolClass.of((ord(low), ord(high))) if low <= high else NOTHING


@lru_cache(maxsize=KEPT)
def _at_least(value: Decimal, left_out: bool, plus: bool) -> Submachine:
    """Numbers from a value on."""
    positive, minus = sign(plus, minus=False), Literal(b"-")
    anything = sequence(naturals(0, None), _FRACTION.optional())
    if value > 0 or (value == 0 and left_out):
        return Submachine("FloatFSM", sequence(positive, _from(value, left_out)))
    return Submachine("FloatFSM", choice([sequence(positive, anything), sequence(minus, _up_to(-value, left_out))]))


@lru_cache(maxsize=KEPT)
def _at_most(value: Decimal, left_out: bool, plus: bool) -> Submachine:
    """Numbers up to a value."""
    positive, minus = sign(plus, minus=False), Literal(b"-")
    anything = sequence(naturals(0, None), _FRACTION.optional())
    if value < 0 or (value == 0 and left_out):
        return Submachine("FloatFSM", sequence(minus, _from(-value, left_out)))
    return Submachine("FloatFSM", choice([sequence(positive, _up_to(value, left_out)), sequence(minus, anything)]))


def _equal(value: Decimal, plus: bool) -> Grammar:
    """A value in all of its spellings without an exponent."""
    whole, digits = _split(abs(value))
    before = sign(plus) if value == 0 else sign(plus, minus=False) if value > 0 else Literal(b"-")
    zeros = Literal(b"0").repeat(0 if digits else 1)
    behind = sequence(b"." + digits.encode(), zeros)
    return sequence(before, str(whole).encode(), behind if digits else behind.optional())


def _split(value: Decimal) -> tuple[int, str]:
    """A value from 0 on as its whole part and the digits of its fraction.

    >>> _split(Decimal("2.50"))
    (2, '5')
    """
    whole, _, fraction = format(value, "f").partition(".")
    return int(whole), fraction.rstrip("0")


def _from(value: Decimal, left_out: bool) -> Grammar:
    whole, digits = _split(value)
    larger = sequence(naturals(whole + 1, None), _FRACTION.optional())
    equal = Literal(str(whole).encode())
    if not digits:
        rest = sequence(b".", _some_nonzero()) if left_out else _FRACTION.optional()
        return choice([larger, sequence(equal, rest)])
    rest = _some_nonzero() if left_out else _DIGITS  # behind all digits of the bound
    for digit in reversed(digits):
        rest = choice([sequence(digit.encode(), rest), sequence(_between(chr(ord(digit) + 1), "9"), _DIGITS)])
    return choice([larger, sequence(equal, b".", rest)])


def _up_to(value: Decimal, left_out: bool) -> Grammar:
    whole, digits = _split(value)
    options: list[Grammar] = []
    if whole:
        options.append(sequence(naturals(0, whole - 1), _FRACTION.optional()))
    equal = Literal(str(whole).encode())
    zeros = Literal(b"0").repeat()
    if not digits:
        if not left_out:
            options.append(sequence(equal, sequence(b".0", zeros).optional()))
        return choice(options)
    rest: Grammar = NOTHING if left_out else zeros
    for index, digit in reversed(list(enumerate(digits))):
        ways = [sequence(digit.encode(), rest), sequence(_between("0", chr(ord(digit) - 1)), _DIGITS)]
        rest = choice([*ways, EMPTY] if index else ways)  # fewer digits are less, but there is one behind the point
    return choice([*options, sequence(equal, sequence(b".", rest).optional())])
