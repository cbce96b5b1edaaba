"""Where the model fought the machine: how much probability the mask removed, place by place of a call.

    <T>exp(0)    Fight("name", "exp", removed=0.34), Fight("rest", "(", 0.08), Fight("argument 1", "x", 0.61), …

Each step of a guided run is one fight: the mask removes what the model wanted and the machine doesn't admit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tooldec.states.cells import NamesCell, TableCell
from tooldec.symbols import Symbol
from tooldec.token_fsm import TokenFSM
from tooldec.tools import Tool
from tooldec.trace import Step

MOST_QUESTIONS = 500
"""How many questions are asked in one go."""

_SPACES, _CLOSING = frozenset(b" \n"), frozenset(b")}]")

WANTED = 6
"""How many of the tokens that the model wanted instead are kept for each step."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the tool that it is meant for, where that is known."""

    text: str
    expected: str | None = None


def read_questions(text: str) -> tuple[Question, ...]:
    """One question on a line, with `=> tool` behind it where the tool is known.

    >>> read_questions("What is 2 + 3? => add\\n\\n# a note\\nAnd now?")
    (Question(text='What is 2 + 3?', expected='add'), Question(text='And now?', expected=None))
    """
    found: list[Question] = []
    for line in text.splitlines():
        question, arrow, tool = line.rpartition("=>")
        asked = (question if arrow else tool).strip()
        if asked and not asked.startswith("#"):
            found.append(Question(asked, tool.strip() or None) if arrow else Question(asked))
    return tuple(found[:MOST_QUESTIONS])


@dataclass(frozen=True, slots=True)
class Fight:
    """One step inside of a call.

    place       name, rest, `argument 1` …, comma or end
    what        the parameter, or the token that was written
    parameter   the argument inside of which the state is: the end of a call is still inside of its last one
    removed     the probability that the mask took away
    wanted      the most probable tokens that it blocked, with their probability; `blocked` counts all
    wider       what would have been left, at least, if integers were numbers; None where nothing would change
    """

    place: str
    what: str
    parameter: str | None
    removed: float
    wanted: tuple[tuple[str, float], ...]
    blocked: int
    wider: float | None = None


def fights(fsm: TokenFSM, steps: Iterable[Step], wider: TokenFSM | None = None) -> tuple[Fight, ...]:
    """The fights of a guided run that began with a call; `wider` is the machine of `with_numbers(tools)`."""
    return tuple(_Places(fsm, wider).follow(steps))


def with_numbers(tools: Sequence[Tool]) -> tuple[Tool, ...]:
    """The same tools with numbers in the place of integers, to see what that would change."""
    return tuple(replace(tool, parameters=_numbers(tool.parameters)) for tool in tools)


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: "number" if k == "type" and v == "integer" else _numbers(v) for k, v in value.items()}
    return [_numbers(inner) for inner in value] if isinstance(value, list) else value


class _Places:
    """Follows one run through the machine, and says for each step at which place of the call it is."""

    def __init__(self, fsm: TokenFSM, wider: TokenFSM | None) -> None:
        self._fsm, self._wider = fsm, wider
        self._state = fsm.initial
        self._wide: int | None = wider.initial if wider is not None else None
        self._order: list[str] = []  # parameters, as they come
        self._more = 0  # values of the same parameter

    def follow(self, steps: Iterable[Step]) -> Iterator[Fight]:
        for step in steps:
            symbols = self._fsm.symbols(step.token_id)
            if symbols is not None and step.writer == "model":
                fight = self._fight(step, symbols)
                if fight is not None:
                    yield fight
            self._advance(step)

    def _advance(self, step: Step) -> None:
        if step.writer == "host":
            after: int | None = self._state if step.next_state == step.state else self._fsm.after_host(self._state)
        else:
            after = self._fsm.step(self._state, step.token_id)
        self._state = self._state if after is None else after
        if self._wider is not None and self._wide is not None:
            self._wide = self._wider.step(self._wide, step.token_id) if step.writer != "host" else None

    def _fight(self, step: Step, symbols: Sequence[Symbol]) -> Fight | None:
        place = self._place(symbols)
        if place is None:
            return None
        label = self._fsm.label(self._state)
        parameter = label.parameter if label.mode == "argument" else None
        if parameter is None and place in ("comma", "end") and self._order:
            parameter = self._order[-1]  # nothing could go on inside of the value
        blocked = sorted((c for c in step.candidates if c.after == 0), key=lambda c: -c.before)
        wanted = tuple((c.token, c.before) for c in blocked[:WANTED])
        count = self._fsm.vocabulary.size - step.allowed_count
        what = parameter if parameter is not None and place.startswith("argument") else step.token
        return Fight(place, what, parameter, 1 - step.mass_kept, wanted, count, self._left(step) if parameter else None)

    def _left(self, step: Step) -> float | None:
        """What the wider machine would leave: at least what was left here, and the blocked tokens that it admits."""
        if self._wider is None or self._wide is None:
            return None
        more = (
            c.before for c in step.candidates if c.after == 0 and self._wider.step(self._wide, c.token_id) is not None
        )
        gained = sum(more)
        return min(step.mass_kept + gained, 1.0) if gained > 0 else None

    def _place(self, symbols: Sequence[Symbol]) -> str | None:
        """None before the call, and in what is spelled around the name and the arguments."""
        dfa, label = self._fsm.dfa, self._fsm.label(self._state)
        cells = dfa.cells(self._state)
        if label.mode == "name":
            names = next((c for c in cells if isinstance(c, NamesCell) and c.label.mode == "name"), None)
            if names is not None:
                return "name" if names.depth == 0 else "rest"
            if label.tool is None:
                return None
            return "end" if self._order else "rest"
        if label.mode != "argument":
            return None
        at = self._state
        for symbol in symbols:
            if symbol not in _SPACES or any(_reads(c, symbol, self._fsm) for c in dfa.cells(at)):
                break
            after = dfa.step(at, symbol)  # a space before a value
            if after is None:
                break
            at = after
        else:
            return "comma"
        label = self._fsm.label(at)
        if label.parameter is not None and any(_reads(c, symbol, self._fsm) for c in dfa.cells(at)):
            if label.parameter not in self._order:
                self._order.append(label.parameter)
                self._more = 0
            return f"argument {self._order.index(label.parameter) + 1 + self._more}"
        if symbol in _CLOSING:
            return "end"
        if label.parameter is not None and label.parameter in self._order:
            after = dfa.step(at, symbol)
            if after is not None and self._fsm.label(after).parameter == label.parameter:
                self._more += 1  # the next value of the same parameter
        return "comma"


def _reads(cell: object, symbol: Symbol, fsm: TokenFSM) -> bool:
    """Whether a symbol goes on inside of a value."""
    return isinstance(cell, TableCell | NamesCell) and symbol in cell.first(fsm.dfa)
