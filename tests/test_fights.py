"""Where the model fought the machine: the places of a call, and what the mask removed there."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from tooldec import SCHEMES, build_fsm, decode, parse_tools
from tooldec.automaton import DFA
from tooldec.page.fights import fights, read_questions, with_numbers
from tooldec.states.cells import NamesCell, TableCell
from tooldec.symbols import Symbol
from tooldec.vocabulary import Vocabulary

TOOLS = parse_tools(
    "def add(a: int, b: int)\ndef exp(x: int)\ndef say(text: str, times: int = 1)\ndef lcm(*numbers: int)\ndef now()"
)
BYTES = Vocabulary([*(bytes([b]) for b in range(256)), "<T>", "<EOS>"], eos=[257])


class Typist:
    """Writes a text byte by byte, and wants one other byte half of the time."""

    name, device, dtype, has_tool_template, has_chat_template, context = "typist", "cpu", "float32", False, False, 10**6
    vocabulary = BYTES

    def __init__(self, text: str, wanted: str) -> None:
        self.ids = [256, *text.encode(), 257]
        self.wanted = ord(wanted)
        self.prefix, self.room, self.count = "", 10**6, 0

    def start(self, prompt: object) -> Typist:
        return self

    def append(self, ids: list[int]) -> None:
        self.count += len(ids)

    def logits(self) -> torch.Tensor:
        logits = torch.full((258,), -50.0)
        logits[self.wanted] = 0.0
        logits[self.ids[self.count]] = 0.0
        return logits


def places(text: str, wanted: str = "?") -> list[str]:
    fsm = build_fsm(SCHEMES["special_token"].grammar(TOOLS, start="call"), BYTES)
    model = Typist(text, wanted)
    return [fight.place for fight in fights(fsm, decode(model, fsm, ""))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exp(7)", "name rest rest rest argument 1 end"),
        ("add(5, 12)", "name rest rest rest argument 1 comma argument 2 argument 2 argument 2 end"),
        ('say("a")', "name rest rest rest argument 1 argument 1 argument 1 end"),
        ('say("a",2)', "name rest rest rest argument 1 argument 1 argument 1 comma argument 2 end"),
        ("lcm(3,4)", "name rest rest rest argument 1 comma argument 2 end"),
        ("now()", "name rest rest rest rest"),
    ],
)
def test_the_place_of_every_step(text: str, expected: str) -> None:
    found = places(text)
    if text == "add(5, 12)":  # a space before a value stands alone here: every byte is a token
        expected = expected.replace("comma argument 2 argument 2 argument 2", "comma comma argument 2 argument 2")
    assert " ".join(found) == expected


def test_the_machine_is_read_under_its_lock_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells and frames are made once: whoever advances one without the lock may make a second."""
    fsm = build_fsm(SCHEMES["special_token"].grammar(TOOLS, start="call"), BYTES)
    steps = list(decode(Typist("exp(7)", "?"), fsm, ""))  # type: ignore[arg-type]
    for kind in (TableCell, NamesCell):

        def advance(cell: Any, symbol: Symbol, dfa: DFA, real: Any = kind.advance) -> Any:
            assert dfa.lock._is_owned()  # type: ignore[attr-defined]
            return real(cell, symbol, dfa)

        monkeypatch.setattr(kind, "advance", advance)
    assert fights(fsm, steps)[-1].place == "end"


def test_what_the_mask_removed_and_what_a_number_would_keep() -> None:
    fsm = build_fsm(SCHEMES["special_token"].grammar(TOOLS, start="call"), BYTES)
    wider = build_fsm(SCHEMES["special_token"].grammar(with_numbers(TOOLS), start="call"), BYTES)
    found = fights(fsm, decode(Typist("exp(7)", "."), fsm, ""), wider)  # type: ignore[arg-type]
    first, end = found[0], found[-1]
    assert (first.removed, first.wanted[0][0], first.blocked) == (pytest.approx(0.5), ".", 258 - 5)
    assert first.wider is None and first.parameter is None
    assert (end.place, end.parameter, end.removed) == ("end", "x", pytest.approx(0.5))
    assert end.wider == pytest.approx(1.0), "after 7 a number goes on with a point"
    assert found[4].wider is None, "a number doesn't begin with a point either"


def test_integers_become_numbers_everywhere() -> None:
    (tool,) = with_numbers(parse_tools("def f(a: list[int], b: str)"))
    assert tool.parameters["properties"]["a"]["items"] == {"type": "number"}
    assert tool.parameters["properties"]["b"]["type"] == "string"


def test_questions_are_lines() -> None:
    (one,) = read_questions("a => b => c")
    assert (one.text, one.expected) == ("a => b", "c")
    assert read_questions("=> add\n  \n# note") == () and len(read_questions("why?\n" * 900)) == 500
