"""What makes a suite: its questions, when an answer to one is right, and what the paper reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tooldec.bench.cases import Case
from tooldec.schemes import SCHEMES, Scheme
from tooldec.tools import ToolCall


@dataclass(frozen=True, slots=True)
class Suite:
    """A row of SUITES.

    title       the data set, and where the paper has it
    cases       the folder of the data sets → questions
    right       whether the calls that could be read, or the whole text, answer a question
    measure     what the share of right answers is called
    schemes     those that it can be asked in; the first is the usual one
    listed      whether the tools stand in the prompt: both ways, or one
    methods     the usual ones: each is read by `Manner.of`
    max_tokens  of an answer, where nothing else is said
    grows       the families are numbers of tools: a curve is drawn against them
    paper       what the paper reports, as Markdown
    """

    title: str
    cases: Callable[[Path], Iterable[Case]]
    right: Callable[[Case, Sequence[ToolCall], str], bool]
    measure: str
    schemes: Mapping[str, Scheme] = field(default_factory=lambda: SCHEMES)
    listed: tuple[bool, ...] = (True,)
    methods: tuple[str, ...] = ("unguided", "fuzzy", "backtrace published", "backtrace", "guided", "weighed")
    max_tokens: int = 256
    grows: bool = False
    paper: str = ""
