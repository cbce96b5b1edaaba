"""What a run did, step by step, as values that are drawn, saved and read back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from tooldec.errors import UsageError

Writer = Literal["model", "forced", "host"]
End = Literal["eos", "call", "needs_result", "limit", "stopped"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A token with its probability before the mask (P) and after it (P̃, 0 where it is blocked)."""

    token_id: int
    token: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Found:
    """What can follow a tool's name, up to the end of its call, and its share of what a search has found (P̂)."""

    text: str
    share: float


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the paper's Table 2 and what teaches around it.

    index           how many tokens stand before this one in the answer
    text            the answer before this step's token ("Generated Text")
    state           the machine's state before the token: an opaque number of this run
    state_name      its name for people: s0, s1, …
    mode            "text", "name", "argument", "result" or "end"; with `tool` and `parameter` where they are known
    allowed_count   how many tokens g(state, ·) is defined for
    mass_kept       the probability that the mask left, in 0–1
    candidates      tokens by `before`, the most probable valid ones included; at most about 30
    token_id        the token that was taken, by its number in the vocabulary
    token           its spelling; a token that is no complete UTF-8 text is shown as ⟨E2 82⟩
    next_state      the machine's state behind the token, with its name for people
    writer          "model", "forced" (only one way on, not asked) or "host" (a result)
    accepting       whether the answer may end before this token
    model_ms        milliseconds that the model took, and those of what is asked besides (names, arguments)
    mask_ms         milliseconds for the mask and the next state
    end             on the last step: why the run ended
    revealed        the tools whose signatures the model read in the prompt's place (see `revealing`)
    answer          on the last step: the whole answer, for a token alone may be half a character
    found           the likeliest calls, where arguments have been searched for before this token (see `search`)
    """

    index: int
    text: str
    state: int
    state_name: str
    mode: str
    tool: str | None
    parameter: str | None
    allowed_count: int
    mass_kept: float
    candidates: tuple[Candidate, ...]
    token_id: int
    token: str
    next_state: int
    next_state_name: str
    writer: Writer
    accepting: bool
    model_ms: float
    mask_ms: float
    end: End | None = None
    revealed: tuple[str, ...] = ()
    answer: str | None = None
    found: tuple[Found, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All fields but `answer` and `found` where there is none."""
        return {name: value for name, value in asdict(self).items() if name not in ("answer", "found") or value}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Step:
        known = {f.name for f in fields(cls)}
        values = {key: value for key, value in data.items() if key in known}
        values["revealed"] = tuple(data.get("revealed") or ())
        values["found"] = tuple(Found(**one) for one in data.get("found") or ())
        return cls(**{**values, "candidates": tuple(Candidate(**c) for c in data["candidates"])})


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole run. `end` says why it ended; only "eos" and "call" are finished answers (a cut-off call is none)."""

    steps: tuple[Step, ...]
    text: str
    end: End

    @property
    def finished(self) -> bool:
        return self.end in ("eos", "call")

    @classmethod
    def collect(cls, steps: Iterable[Step]) -> Trace:
        """Run the generator to its end (or take the steps so far: then `end` is "stopped")."""
        taken = tuple(steps)
        if not taken:
            return cls((), "", "stopped")
        last = taken[-1]
        text = last.text if last.end == "eos" else last.text + last.token
        text = text if last.answer is None else last.answer
        return cls(taken, text, last.end or "stopped")

    def to_json(self) -> str:
        steps = [step.to_json() for step in self.steps]
        return json.dumps(
            {"version": 1, "text": self.text, "end": self.end, "finished": self.finished, "steps": steps},
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """What `to_json` wrote; raises UsageError for any other text."""
        try:
            data = json.loads(text)
            return cls(tuple(Step.from_json(step) for step in data["steps"]), data["text"], data["end"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(f"this isn't a trace: {error!r}", fix="read what `Trace.to_json` wrote") from error
