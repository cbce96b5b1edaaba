"""Multiples of a step, told by the digits of a number as they are read: decimals are counted, not binary numbers.

    0.25    0.75, 1.5, 10, 2.50
    3600    -7200, 0: the digits so far matter as their remainder by 9, and as far as the last four of them may follow

A validator that divides binary numbers takes 0.07 for no multiple of 0.01, for it is 7.000000000000001 times as large.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from tooldec.arguments.literals import sign
from tooldec.grammar import NOTHING, Submachine, sequence
from tooldec.submachine import KEPT, Table

MOST_STATES = 2_500

LARGEST = Decimal(10) ** 40
"""Bounds beyond are taken for this, where that asks for no less."""

_ZERO, _POINT = ord("0"), ord(".")


@lru_cache(maxsize=KEPT)
def multiples(step: Decimal, plus: bool) -> Submachine:
    """The multiples of a step, without an exponent; leading zeros are for others to leave out.

    A state is what may follow: for each number of digits those that make it a multiple. Numbers after which the same
    may follow are one state, so that few of the remainders by 10,000 are told apart.
    Raises OverflowError where more than MOST_STATES are told apart.
    """
    before, _, behind_point = format(step, "f").partition(".")
    places = len(behind_point.rstrip("0"))
    whole = int(before + behind_point[:places])  # numbers are counted in units of the last place
    if _coprime(whole) > MOST_STATES or whole > LARGEST:
        raise OverflowError(f"more than {MOST_STATES} states")
    start = (0, -1)  # the number's remainder, and how many digits are behind the point (-1: no point yet)
    states, number = [start], {_following(*start, whole, places): 0}
    rows: list[dict[int, int]] = []
    for value, behind in states:  # grows while it is read
        row: dict[int, tuple[int, int]] = {} if behind >= 0 else {_POINT: (value, 0)}
        for digit in range(10 if behind < places else 1):
            if behind < 0:
                after = (value * 10 + digit * 10**places, -1)
            else:
                after = (value + digit * 10 ** max(places - behind - 1, 0), min(behind + 1, max(places, 1)))
            row[_ZERO + digit] = (after[0] % whole, after[1])
        rows.append({})
        for byte, state in row.items():
            key = _following(*state, whole, places)
            if key not in number:
                number[key] = len(states)
                states.append(state)
            rows[-1][byte] = number[key]
        if len(states) > MOST_STATES:
            raise OverflowError(f"more than {MOST_STATES} states")
    digits = Table.minimal("IntFSM", rows, [behind != 0 and value == 0 for value, behind in states])
    return Submachine("IntFSM", sequence(sign(plus), Submachine("IntFSM", NOTHING, digits)))


def _following(value: int, behind: int, whole: int, places: int) -> tuple[int | None, ...]:
    """What has to follow for a multiple: the digits, as a number, for each count of them that there may be."""
    missing, room = -value % whole, 10 ** max(places - max(behind, 0), 0)
    found: list[int | None] = [behind, missing if missing < room else None]
    while behind < 0 and room < whole:  # with one more digit before the point
        missing, room = missing * 10 % whole, room * 10
        found.append(missing if missing < room else None)
    return tuple(found)


def _coprime(number: int) -> int:
    """A number without its factors 2 and 5: so many remainders have to be told apart at least."""
    for factor in (2, 5):
        while number % factor == 0:
            number //= factor
    return number
