"""Ask a model one question of a suite in one way, and write down what became of it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import Any

from tooldec.bench.cases import Case
from tooldec.bench.suite import Suite
from tooldec.choosing.revealing import signatures_of
from tooldec.choosing.search import Search
from tooldec.errors import CallError, ToolDecError, UsageError
from tooldec.methods import METHODS, PUBLISHED, Method
from tooldec.models import Model
from tooldec.reading import judge
from tooldec.results import RESULTS
from tooldec.schemes import Scheme, quoting, relaxing
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.tools import ToolCall
from tooldec.trace import Trace


@dataclass(frozen=True, slots=True)
class Manner:
    """How a question is decoded: by a method of METHODS, and with what besides.

    shortlist   names are weighed, and the signatures of the likeliest tools shown where one is chosen and called
    quoted      strings are spans of the question or of a result
    searched    arguments are chosen as wholes
    published   fuzzy and backtrace do what the paper's baselines did
    """

    method: str = "guided"
    shortlist: bool = False
    quoted: bool = False
    searched: bool = False
    published: bool = False

    @classmethod
    def of(cls, words: str) -> Manner:
        """`Manner.of("shortlist quoted")`; raises UsageError for a word that is none, or doesn't go with the method.

        >>> Manner.of("backtrace published")
        Manner(method='backtrace', shortlist=False, quoted=False, searched=False, published=True)
        """
        said = words.split()
        method = next((word for word in said if word in METHODS), "weighed" if "shortlist" in said else "guided")
        row, besides = METHODS[method], dict.fromkeys((word for word in said if word != method), True)
        fits = dict(shortlist=row.weighed, quoted=row.guided, searched=row.guided, published=method in PUBLISHED)
        wrong = next((word for word in besides if not fits.get(word)), None if said else "")
        if wrong is not None:
            reason = f"doesn't go with {method}" if wrong in fits else "is no method"
            known = f"one of {', '.join(METHODS)}, shortlist, and {', '.join(fits)} where they fit"
            raise UsageError(f"`{words}`: `{wrong}` {reason}", fix=f"name {known}")
        return cls(method, **besides)

    @property
    def row(self) -> Method:
        return METHODS[self.method]


KEY = attrgetter("model", "scheme", "method", "tools", "family", "number", "question", "max_tokens")


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a question; a row of a suite's file.

    number      of the question in its family
    tools       whether they stood in the prompt
    end         why the run ended, as in Trace; or the name of the error for which it never began
    error       the class of the first tool error (`reading.SYNTAX`); a call that the limit cuts off is none
    calls       the names of the calls that could be read, until the first that couldn't
    prompt      tokens of the prompt
    tokens      tokens of the answer; the model was asked for `asked` of them
    seconds     of decoding: the machine, shared by questions over the same tools, was built before
    """

    model: str
    scheme: str
    method: str
    tools: bool
    family: str
    number: int
    question: str
    max_tokens: int
    text: str = ""
    end: str = ""
    error: str | None = None
    calls: tuple[str, ...] = ()
    right: bool = False
    prompt: int = 0
    tokens: int = 0
    asked: int = 0
    seconds: float = 0.0

    @property
    def key(self) -> tuple[Any, ...]:
        """What was asked, and how."""
        return KEY(self)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Answer:
        """Raises TypeError or KeyError for what is no such row."""
        return cls(**{**row, "calls": tuple(row["calls"])})


def decoded(
    model: Model, case: Case, scheme: Scheme, manner: Manner, listed: bool, fsm: TokenFSM | None = None, **settings: Any
) -> Trace:
    """Decode an answer greedily; results come from the case, and "ok" for any other tool.

    Unguided, too, the host writes the result of a call that can be read, where the model has written `=` behind it.
    Where a number is asked for, the table of `results` computes them.
    """
    results = {tool.name: "ok" for tool in case.tools} | {name: result for name, _, result in case.calls}
    given = {name: value for name, value in results.items() if case.final is None or name not in RESULTS}
    signatures = signatures_of(scheme, case.tools, case.question)
    if manner.searched:
        settings["search"] = Search(alone=signatures)
    if manner.shortlist:
        settings["reveal"] = signatures
    if manner.quoted:
        scheme, fsm = quoting(scheme, case.tools, case.question, *results.values()), None
    options = PUBLISHED[manner.method] if manner.published else {}
    prompt = scheme.prompt(case.tools, case.question, documentation=listed)
    steps = manner.row.run(
        model, scheme, case.tools, prompt, results=True, given=given, fsm=fsm, options=options, **settings
    )
    return Trace.collect(steps)


class Asker:
    """Asks a model the questions of a suite in one scheme; the machine of a list of tools is built once.

    Schemas are those of real documents: what can't be enforced in them is left unchecked (`relaxing`).
    """

    def __init__(self, model: Model, suite: Suite, scheme: str, max_tokens: int | None = None) -> None:
        self.model, self.suite, self.name = model, suite, scheme
        self.scheme = relaxing(suite.schemes[scheme].for_model(model))
        self.max_tokens = max_tokens or suite.max_tokens
        self._last: tuple[Any, TokenFSM] | None = None

    def unasked(self, case: Case, number: int, method: str, listed: bool) -> Answer:
        """An answer before it is asked for: its key alone."""
        return Answer(self.model.name, self.name, method, listed, case.family, number, case.question, self.max_tokens)

    def ask(self, case: Case, number: int, method: str, listed: bool) -> Answer:
        """What became of one question. What can't be asked, for the model's context or a schema, isn't right."""
        manner = Manner.of(method)
        prompt = self.model.prompt_tokens(self.scheme.prompt(case.tools, case.question, documentation=listed))
        answer = replace(self.unasked(case, number, method, listed), prompt=prompt)
        try:
            fsm = self._machine(case, manner)
            begun = time.perf_counter()
            trace = decoded(self.model, case, self.scheme, manner, listed, fsm, max_tokens=self.max_tokens)
        except ToolDecError as error:
            return replace(answer, end=type(error).__name__, text=str(error))
        seconds = time.perf_counter() - begun
        verdict = judge(trace.text, self.scheme, case.tools)
        calls = self._readable(trace, case) if verdict.error else verdict.calls
        unfinished = verdict.word == "cut off" and trace.end == "limit"
        return replace(
            answer,
            text=trace.text,
            end=trace.end,
            error=verdict.word if verdict.error and not unfinished else None,
            calls=tuple(call.name for call in calls),
            right=self.suite.right(case, calls, trace.text),
            tokens=len(trace.steps),
            asked=sum(step.writer == "model" for step in trace.steps),
            seconds=round(seconds, 4),
        )

    def _machine(self, case: Case, manner: Manner) -> TokenFSM:
        key = (case.tools, manner.row.guided)
        if self._last is None or self._last[0] != key:
            grammar = manner.row.grammar(self.scheme, case.tools, results=True)
            self._last = key, build_fsm(grammar, self.model.vocabulary)
        return self._last[1]

    def _readable(self, trace: Trace, case: Case) -> tuple[ToolCall, ...]:
        """The calls before an error: those that were read when the host wrote its last result."""
        for step in reversed(trace.steps):
            if step.writer == "host" and trace.text.startswith(step.text):
                try:
                    return self.scheme.read_calls(step.text, case.tools)
                except CallError:
                    continue
        return ()
