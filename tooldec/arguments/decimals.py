"""Numbers with bounds, exact to the digit, and multiples: tables over how JSON writes numbers.

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
from tooldec.automaton import table_of
from tooldec.grammar import EMPTY, NOTHING, Grammar, Literal, Submachine, SymbolClass, choice, sequence
from tooldec.literals import DIGIT, integer, integers_between, naturals, number, sign
from tooldec.submachine import KEPT, Table, difference, intersection

MOST_DIGITS = 100
EXACT = 15
"""So many digits a binary number keeps; more of them aren't written where rounding could change what is admitted."""

LARGEST = Decimal(10) ** 40
"""Bounds beyond are taken for this, where that asks for no less."""

MOST_STATES = 2_000

Multiples = tuple[tuple[Decimal, bool, bool], ...]

_DIGITS = DIGIT.repeat()
_FRACTION = sequence(b".", DIGIT.repeat(1))


def numbers(facts: Facts, kinds: frozenset[str], doc: Document) -> Grammar:
    """The numbers of a case: `kinds` are integer, fraction or both."""
    plus = doc.writing.plus
    if (facts.low and facts.low[0] > LARGEST) or (facts.high and facts.high[0] < -LARGEST):
        return NOTHING  # nobody writes numbers as far from 0
    multiples = _usable(facts, doc)
    if any(wanted and step == step.to_integral_value() for step, wanted, _ in multiples):
        kinds = kinds & {"integer"}
    excluded = _excluded(facts, doc)
    if kinds == {"integer"}:
        low, high = _whole(facts.low, up=True), _whole(facts.high, up=False)
        if low is not None and high is not None and low > high:
            return NOTHING
        if not multiples and not excluded:
            return integer(plus) if low is None and high is None else integers_between(low, high, plus)
        return _integers(low, high, multiples, excluded, plus) or NOTHING
    low_bound, high_bound = _cut(facts.low, up=True), _cut(facts.high, up=False)
    if low_bound is None and high_bound is None and not multiples and not excluded and len(kinds) == 2:
        return number(plus)
    return _decimals(low_bound, high_bound, multiples, excluded, kinds, plus) or NOTHING


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
        states *= _without_zeros(int(step * 10 ** max(0, -int(step.normalize().as_tuple().exponent))))[0]
        if step == step.to_integral_value() and _without_zeros(int(step))[0] > MOST_STATES:
            doc.refuse("multipleOf", f"multiples of more than {MOST_STATES} aren't enforced", at)
        elif step != step.to_integral_value() and (_power_of_two(step) is None):
            reason = f"binary numbers don't hold {step} exactly, so validators disagree about its multiples"
            doc.refuse("multipleOf", reason, at)
        elif states > MOST_STATES:
            doc.refuse("multipleOf", f"so many multiples at once need more than {MOST_STATES} states", at)
        else:
            found.append((step, wanted, binary))
    return tuple(found)


def _power_of_two(step: Decimal) -> int | None:
    """How often a fraction has to be doubled to be whole, where that ever happens."""
    for power in range(10):
        if step * 2**power == (step * 2**power).to_integral_value():
            return power
    return None


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
    low: int | None, high: int | None, multiples: Multiples, excluded: tuple[Decimal, ...], plus: bool
) -> Submachine | None:
    tables = [table_of(integers_between(low, high, plus))]
    for step, wanted, binary in multiples:
        table = multiples_table(step, plus)
        tables[0] = (intersection if wanted else difference)("IntFSM", tables[0], table)
        if binary:
            tables.append(table_of(_at_most_digits(plus)))
    return _joined("IntFSM", tables, excluded, plus)


@lru_cache(maxsize=KEPT)
def _decimals(
    low: Bound | None,
    high: Bound | None,
    multiples: Multiples,
    excluded: tuple[Decimal, ...],
    kinds: frozenset[str],
    plus: bool,
) -> Submachine | None:
    tables = [table_of(_number(plus))]
    if low is not None:
        tables.append(table_of(_at_least(*low, plus)))
    if high is not None:
        tables.append(table_of(_at_most(*high, plus)))
    for step, wanted, _ in multiples:
        if wanted:
            tables.append(multiples_table(step, plus))
        else:
            tables[0] = difference("FloatFSM", tables[0], multiples_table(step, plus))
    rounded = any(bound and bound[1] for bound in (low, high)) or "integer" not in kinds
    if multiples or excluded or rounded:
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


def _without_zeros(step: int) -> tuple[int, int]:
    """A step as one that shares no factor with ten, and how many zeros follow; itself and 0 where that can't be."""
    rest, zeros = step, 0
    while rest % 10 == 0:
        rest, zeros = rest // 10, zeros + 1
    return (rest, zeros) if rest % 2 and rest % 5 else (step, 0)


@lru_cache(maxsize=KEPT)
def multiples_table(step: Decimal, plus: bool) -> Table:
    """The multiples of a step: a state is the remainder of what has been read.

    A step of 2.5 lets one digit stand behind the point, and zeros after it.
    """
    places = max(0, -int(step.normalize().as_tuple().exponent))
    whole, zeros = (int(step * 10**places), 0) if places else _without_zeros(int(step))
    start = (0, -1, 0)  # remainder, digits behind the point (-1: no point yet), zeros at the end as far as they count
    states, number = [start], {start: 0}
    rows: list[dict[int, int]] = []
    for remainder, behind, ending in states:  # grows while it is read
        row: dict[int, tuple[int, int, int]] = {}
        for digit in range(10):
            after = (remainder * 10 + digit) % whole
            if behind < 0:
                row[0x30 + digit] = (after, -1, 0 if digit else min(ending + 1, zeros))
            elif behind < places:
                row[0x30 + digit] = (after, behind + 1, 0)
            elif digit == 0:
                row[0x30] = (remainder, behind, 0)
        if behind < 0 and places:
            row[0x2E] = (remainder, 0, 0)
        for target in row.values():
            if target not in number:
                number[target] = len(states)
                states.append(target)
        rows.append({byte: number[target] for byte, target in row.items()})
    accepting = [
        behind != 0 and remainder * 10 ** (places - max(behind, 0)) % whole == 0 and ending == zeros
        for remainder, behind, ending in states
    ]
    digits = Submachine("IntFSM", NOTHING, Table.minimal("IntFSM", rows, accepting))
    zero = sequence(b"0", sequence(b".", Literal(b"0").repeat(1)).optional())
    signed = table_of(Submachine("IntFSM", sequence(sign(plus), choice([digits, zero]))))
    return intersection("IntFSM", signed, table_of(_number(plus)))
