"""Members one after another: in the schema's order or in any, and as many as there may be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tooldec.grammar import EMPTY, NOTHING, Deferred, Grammar, choice, sequence
from tooldec.grammar import Sequence as Joined


@dataclass(frozen=True, slots=True)
class Member:
    """A declared property that can be written: `text` is its key, colon and value."""

    name: str
    text: Grammar
    required: bool


def in_order(members: Iterable[tuple[Grammar, bool]], comma: Grammar) -> Grammar:
    """Members in their order with commas between; those that aren't required may be left out."""
    listed = list(members)
    opening = next((index for index, (_, needed) in enumerate(listed) if needed), len(listed))
    first: Grammar = EMPTY  # what may follow where nothing has been written (only up to the first that is required),
    later: Grammar = EMPTY  # and where something has
    for index in range(len(listed) - 1, -1, -1):
        member, needed = listed[index]
        if index <= opening:
            first_with = _then(member, later)
            first = first_with if needed else choice([first_with, first])
        if index:
            later_with = _then(sequence(comma, member), later)
            later = later_with if needed else choice([later_with, later])
    return first


def _then(member: Grammar, rest: Grammar) -> Grammar:
    """Both, without unfolding what follows: it is shared by many."""
    return member if rest is EMPTY else Joined((member, rest))


def alike(member: Grammar, low: int, high: int | None, comma: Grammar) -> Grammar:
    """Members that are all of one sort."""
    if high == 0:
        return EMPTY if not low else NOTHING
    more = sequence(comma, member).repeat(max(low - 1, 0), None if high is None else high - 1)
    return sequence(member, more) if low else sequence(member, more).optional()


@dataclass(frozen=True, slots=True)
class _Written:
    """What matters of the members that have been written.

    left    the declared ones that may still come: the first one's number, or in any order the set of those missing
    total   how many there were, as far as it matters
    sure    how many are sure to have different names: an undeclared name may have come twice
    other   whether an undeclared name has come
    last    whether the last of those has come
    """

    left: frozenset[int] | int
    total: int = 0
    sure: int = 0
    other: bool = False
    last: bool = False


class Writer:
    """Members where it matters what has been written: a state for each way it can matter, made when it is reached.

    last    what the last undeclared member has to be; none, if it may be any or be missing
    differ  names that aren't declared are remembered, and never come twice
    """

    def __init__(
        self,
        declared: list[Member],
        others: list[Grammar],
        last: list[Grammar],
        low: int,
        high: int | None,
        differ: bool,
        comma: Grammar,
        any_order: bool,
    ) -> None:
        self.declared, self.others, self.last, self.low, self.high = declared, others, last, low, high
        self.differ = differ
        self.comma, self.any_order = comma, any_order
        self.known: dict[_Written, Grammar] = {}

    def start(self) -> Grammar:
        return self.options(_Written(frozenset(range(len(self.declared))) if self.any_order else 0))

    def after(self, state: _Written) -> Grammar:
        if state not in self.known:
            self.known[state] = Deferred("members", lambda: self.options(state))
        return self.known[state]

    def options(self, state: _Written) -> Grammar:
        """How it may go on: with the end, a declared member, or another."""
        missing = sorted(state.left) if isinstance(state.left, frozenset) else range(state.left, len(self.declared))
        awaited = bool(self.last) and not state.last
        needed = sum(self.declared[index].required for index in missing) + awaited
        found: list[Grammar] = [EMPTY] if not needed and state.sure >= self.low else []
        comma = self.comma if state.total else EMPTY
        for index in missing:
            member = self.declared[index]
            left = state.left - {index} if isinstance(state.left, frozenset) else index + 1
            still = len(left) if isinstance(left, frozenset) else len(self.declared) - left
            after = self._more(state, left)
            if self._possible(after, needed - member.required, still):
                found.append(sequence(comma, member.text, self.after(after)))
            if member.required and not self.any_order:
                break
        for texts, last in ((self.last, True), (self.others, False)):
            after = self._more(state, state.left, last)
            if texts and not state.last and self._possible(after, needed - last, len(missing)):
                found += [sequence(comma, text, self.after(after)) for text in texts]
        return choice(found) if found else NOTHING

    def _more(self, state: _Written, left: frozenset[int] | int, last: bool = False) -> _Written:
        """What matters after one more member, a declared one or another."""
        other = left == state.left
        sure = state.sure + (self.differ or not other or not state.other)
        total = min(state.total + 1, 1 if self.high is None else self.high + 1)
        return _Written(left, total, min(sure, self.low), state.other or other, state.last or last)

    def _possible(self, state: _Written, needed: int, left: int) -> bool:
        """Whether the bounds can still be kept: `needed` members have to come, and `left` declared ones may."""
        if self.high is not None and state.total + needed > self.high:
            return False
        if self.differ and (self.others or not state.last):
            return self.high is None or state.sure + self.high - state.total >= self.low
        more = left + (bool(self.others or self.last) and not state.other)
        room = more if self.high is None else min(more, self.high - state.total)
        return state.sure + room >= self.low
