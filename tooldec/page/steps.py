"""A step as the page shows it: which box of the graph, which transitions, and why tokens are blocked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tooldec import explain
from tooldec.errors import UsageError
from tooldec.grammar import Label
from tooldec.outline import Outline
from tooldec.states.cells import LiteralCell, TextCell
from tooldec.token_fsm import TokenFSM
from tooldec.tools import Tool
from tooldec.trace import Step
from tooldec.views.graph import Picture, drawable
from tooldec.views.titles import approach

CHIPS = 14
"""How many valid tokens a row of the table names."""

OPENED = 3
"""How many submachines of a run are opened in the graph, where nobody opens them."""

TRIED = "tried here before, and the call failed"
"""Why backtrace doesn't take a token that the machine allows."""

SHORT = 3
"""Bytes: inside of longer fixed texts, `Action Input: ` for one, a run's stops lie on the line, without boxes."""

REACHABLE = 8
"""How many tools the inspector names."""


class Moved(Protocol):
    """What has to be known of a step to follow it: the token, whose it is, and whether it led anywhere."""

    @property
    def token_id(self) -> int: ...
    @property
    def writer(self) -> str: ...
    @property
    def state(self) -> int: ...
    @property
    def next_state(self) -> int: ...


class StepViews:
    """Follows one run through the machine's own states (a step's numbers are the run's).

    opened   ids of boxes whose submachine is drawn
    wanted   (tool, parameter) of an argument → whether it is to be drawn, come what may
    room     so many others are drawn where the run enters them
    """

    def __init__(
        self,
        fsm: TokenFSM,
        outline: Outline,
        tools: tuple[Tool, ...],
        opened: tuple[str, ...],
        wanted: Mapping[tuple[str, str], bool],
        room: int,
    ) -> None:
        self._fsm, self._outline = fsm, outline
        self._wanted, self._room = wanted, room
        self._signatures = {tool.name: tool.signature() for tool in tools}
        self._reached: dict[int, tuple[str, ...]] = {}
        self._state = self._next = fsm.initial
        self._entered = self._entered_next = b""
        self._place_before: str | None = None
        boxes = outline.view().boxes if self._wanted else ()
        asked = (box.id for box in boxes if box.kind == "argument" and self._wants(box.label))
        self.opened = tuple(dict.fromkeys([*opened, *asked]))

    @property
    def state(self) -> int:
        """The machine's state in which the last step was taken."""
        return self._state

    @property
    def next_state(self) -> int:
        """The machine's state behind the last step."""
        return self._next

    def advance(self, step: Moved) -> bool:
        """Follow a step; True where the picture must be drawn again, for a new box or an opened one.

        Raises:
            UsageError: the step isn't one of this machine.
        """
        self._state, self._entered = self._next, self._entered_next
        way = [self._state]
        while step.writer != "host" and self._fsm.is_host(self._state):  # the host's text was empty
            self._state, self._entered = self._fsm.after_host(self._state), b""
            way.append(self._state)
        way += self._passed(step)
        self._next = way[-1]
        for state in (self._state, self._next):
            self._outline.name(state)  # as the run has named them, one after the other
        self._place_before = self._place(self._state) or self._place_before
        return self._outline.follow(way, self._stops(self._next)) | self._open(self._next)

    def _stops(self, state: int) -> bool:
        """Whether a state has a box in any case: not inside of longer texts that only go on."""
        cells = self._fsm.dfa.cells(state)
        return not all(isinstance(cell, LiteralCell) and len(cell.text) > SHORT for cell in cells)

    def _passed(self, step: Moved) -> list[int]:
        """The states behind the present one to which a step leads, symbol by symbol."""
        if step.writer == "host":
            if step.next_state == step.state:
                return []
            self._entered_next = b""
            return [self._fsm.after_host(self._state)]
        passed: list[int] = []
        at = self._state
        for symbol in self._fsm.symbols(step.token_id) or ():  # the end of the text has none
            before, after = at, self._fsm.dfa.step(at, symbol)
            if after is None:
                raise UsageError("this run isn't one of the machine that stands there", fix="run again")
            at = after
            if self._in_text(at) or self._in_text(before):
                self._entered_next = b""
            elif isinstance(symbol, int):
                self._entered_next += bytes([symbol])
            elif self._entered_next:
                self._entered_next += symbol.encode()
            passed.append(at)
        return passed

    def _in_text(self, state: int) -> bool:
        return any(isinstance(cell, TextCell) for cell in self._fsm.dfa.cells(state))

    def _open(self, state: int) -> bool:
        box, label = self._outline.box(state), self._fsm.label(state)
        table = self._outline.submachine(state) if label.mode == "argument" else None
        if self._room == 0 or box is None or box in self.opened or table is None or not drawable(table):
            return False
        if self._wants(label) is not None:
            return False
        self._room -= 1
        self.opened = (*self.opened, box)
        return True

    def _wants(self, label: Label) -> bool | None:
        return self._wanted.get((label.tool or "", label.parameter or ""))

    def places(self, valid: Sequence[int], picture: Picture) -> dict[str, Any]:
        """Where the step stands in a picture, where it leads, and by which transitions valid tokens would."""
        here = self._place_before
        line = self._line(self._state, here, picture)
        there = self._place(self._next) or here
        edges = self._edges(here, there, picture) or [e for e in [self._line(self._next, there, picture)] if e]
        return {
            "box": here,
            "line": line,
            "within": self._within(line, picture),
            "next_box": there,
            "edge": edges[-1] if edges else None,
            "edges": edges,
            "ways": self._ways(here, valid, picture),
        }

    def view(self, step: Step, picture: Picture) -> dict[str, Any]:
        """The step's JSON with what the page draws and explains."""
        allowed = sorted((c for c in step.candidates if c.after > 0), key=lambda c: (-c.after, c.token_id))[:CHIPS]
        if len(allowed) == step.allowed_count:
            allowed.sort(key=lambda c: c.token_id)
        whole = step.mode == "text" and step.allowed_count > len(allowed)
        names = self._tools_from(self._state)
        return {
            **step.to_json(),
            **self.places([] if whole else [c.token_id for c in allowed], picture),
            "valid": [
                {"token_id": c.token_id, "token": c.token, "next_name": self._name_after(c.token_id)}
                for c in ([] if whole else allowed)
            ],
            "whole": whole,
            "reasons": {
                str(c.token_id): self._fsm.why_blocked(self._state, c.token_id) or TRIED
                for c in step.candidates
                if c.after == 0
            },
            "reachable": {
                "names": [self._signatures.get(name, name) for name in names[:REACHABLE]],
                "count": len(names),
                "total": len(self._signatures),
            },
            "expected": explain.expected(self._fsm.dfa, self._state),
            **({"remembered": [*remembered]} if (remembered := explain.remembered(self._fsm.dfa, self._state)) else {}),
            "entered": self._entered.decode("utf-8", "replace"),
        }

    def _tools_from(self, state: int) -> tuple[str, ...]:
        if state not in self._reached:
            self._reached[state] = self._fsm.dfa.reachable(state)
        return self._reached[state]

    def _place(self, state: int) -> str | None:
        """The id of a state's box, or of the state itself inside of an opened one."""
        box = self._outline.box(state)
        if box in self.opened:
            return self._outline.inner(state) or box
        return box

    def _line(self, state: int, before: str | None, picture: Picture) -> str | None:
        """The transition inside of whose text a state lies, if it does; the run comes from the box `before`."""
        at: int | None = state
        for byte in self._fsm.forced(state) if self._outline.box(state) is None else b"":
            at = self._fsm.dfa.step(at, byte) if at is not None else None
            if at is not None and self._outline.box(at) is not None:
                return next(iter(self._edges(before, self._place(at), picture)[-1:]), None)
        return None

    def _within(self, line: str | None, picture: Picture) -> str | None:
        """What is true inside of a transition's text, in words."""
        target = next((edge.target for edge in picture.view.edges if edge.id == line), None)
        box = next((box for box in picture.boxes if box.id == target), None)
        return None if box is None else approach(box, picture.titles[box.id])

    def _name_after(self, token: int) -> str | None:
        after = self._fsm.step(self._state, token)
        if after is None or self._outline.box(after) is None:
            return None
        return self._outline.name(after)

    def _edges(self, here: str | None, there: str | None, picture: Picture) -> list[str]:
        """The drawn transitions from one box to another, by the shortest way: a token may cross several."""
        if here is None or there is None or here == there:
            return []
        outer = here.split(".")[0], there.split(".")[0]
        if outer[0] == outer[1]:
            return [f"{here}.{there.split('.')[1]}"] if "." in here and "." in there else []
        ways: dict[str, list[tuple[str, str]]] = {}
        for edge in picture.view.edges:
            ways.setdefault(edge.source, []).append((edge.id, edge.target))
        reached: dict[str, list[str]] = {outer[0]: []}
        queue = [outer[0]]
        for box in queue:
            if len(reached[box]) > 6:
                break
            for edge_id, target in ways.get(box, ()):
                if target == outer[1]:
                    return [*reached[box], edge_id]
                if target not in reached:
                    reached[target] = [*reached[box], edge_id]
                    queue.append(target)
        return []

    def _ways(self, here: str | None, valid: Sequence[int], picture: Picture) -> list[str]:
        """The transitions that the valid tokens begin with."""
        ways: list[str] = []
        for token in valid:
            after = self._fsm.step(self._state, token)
            there = self._place(after) if after is not None else None
            ways += self._edges(here, there, picture)[:1]
        return list(dict.fromkeys(ways))
