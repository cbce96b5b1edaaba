"""Trace → the rows of the paper's Table 2, and the same as plain text.

step  generated text  state  valid next tokens  next token  next state
t+3   Its area is <T> s1     add exp sq         sq          s4
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tooldec.trace import Step

SHOWN = 12
"""How many valid tokens a row lists; the others are counted."""

WIDTH = 56
"""How much of the generated text a line of the plain table shows: its end."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `valid` is None where the whole vocabulary is valid; `more` counts valid tokens not listed."""

    step: str
    text: str
    state: str
    valid: tuple[str, ...] | None
    more: int
    token: str
    next_state: str

    @property
    def valid_text(self) -> str:
        if self.valid is None:
            return "whole vocabulary"
        return " ".join(self.valid) + (f" +{self.more}" if self.more else "")


def rows(steps: Iterable[Step]) -> tuple[Row, ...]:
    """One row for each step, whitespace in tokens made visible."""
    return tuple(map(_row, steps))


def table(steps: Iterable[Step]) -> str:
    """The rows as aligned plain text."""
    lines = [("step", "generated text", "state", "valid next tokens", "next token", "next state")]
    for row in rows(steps):
        text = visible(row.text, space=" ")
        text = text if len(text) <= WIDTH else "…" + text[1 - WIDTH :]
        lines.append((row.step, text, row.state, row.valid_text, row.token, row.next_state))
    return aligned(lines)


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their longest cell."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = ((cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
    return "\n".join("  ".join(line).rstrip() for line in padded)


def visible(text: str, space: str = "␣") -> str:
    """Whitespace and control characters as signs: `" is\\n"` → `␣is↵`."""
    signs = {" ": space, "\n": "↵", "\t": "⇥", "\r": "⟨0D⟩"}
    return "".join(signs.get(c, c if c.isprintable() else f"⟨{c.encode().hex(' ').upper()}⟩") for c in text)


def _row(step: Step) -> Row:
    name = "t" if step.index == 0 else f"t+{step.index}"
    next_state = "-" if step.end == "eos" else step.next_state_name
    valid, more = _valid(step)
    return Row(name, step.text, step.state_name, valid, more, visible(step.token), next_state)


def _valid(step: Step) -> tuple[tuple[str, ...] | None, int]:
    """The most probable valid tokens in the order of their ids, and how many more there are."""
    if step.writer == "host":
        return ("the host writes",), 0
    valid = sorted((c for c in step.candidates if c.after > 0), key=lambda c: (-c.after, c.token_id))
    if step.mode == "text" and step.allowed_count > len(valid):
        return None, 0
    listed = sorted(valid[:SHOWN], key=lambda c: c.token_id)
    return tuple(visible(c.token) for c in listed), step.allowed_count - len(listed)
