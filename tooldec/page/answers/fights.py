"""{"ask": "fights"}: many questions, one forced call each: which tool, where the mask took most, which states."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tooldec.decoder import decode
from tooldec.errors import ToolDecError, UsageError
from tooldec.lint.finding import Finding, Inventory
from tooldec.lint.pages import FROM_RUNS
from tooldec.methods import METHODS
from tooldec.outline import Outline
from tooldec.page.answers.rank import called, ranked
from tooldec.page.fights import Fight, Question, fights, read_questions, with_numbers
from tooldec.page.prepared import Message, Prepared, error_message, read
from tooldec.page.request import Request, field_of
from tooldec.symbols import Symbol
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.tools import Tool
from tooldec.trace import Step, Trace

TOP = 5
"""How many tools of each question's ranking are sent."""

GAIN = 0.1
"""The probability that a number in place of an integer must win back, in a run, to be worth a word."""

LONGEST = 160
"""Tokens of one call."""


def answer(data: Mapping[str, Any]) -> Iterator[Message]:
    """A message for each question as soon as its call is written; at the end, what would help."""
    request = called(data)
    questions = read_questions(field_of(data, "questions", ""))
    if not questions:
        raise UsageError("there are no questions", fix="write one on each line, such as: What is 2 + 3? => add")
    prepared = Prepared.of(request)
    wide = with_numbers(prepared.tools)
    wider = None
    if wide != prepared.tools:
        wider = build_fsm(prepared.scheme.grammar(wide, start="call"), prepared.model.vocabulary)
    drawn = Visits.of(Request.read(data))
    gains: dict[tuple[str, str], list[Fight]] = {}
    names = {tool.name for tool in prepared.tools}
    yield {
        "kind": "asking",
        "count": len(questions),
        "tools": [{"name": t.name, "signature": t.signature()} for t in prepared.tools[:500]],
        "unknown": sorted({q.expected for q in questions if q.expected and q.expected not in names})[:20],
    }
    for index, question in enumerate(questions):
        asked, found = _ask(prepared, request, question, wider, drawn)
        for fight in found:
            if fight.parameter is not None and asked["called"]:
                gains.setdefault((asked["called"], fight.parameter), []).append(fight)
        yield {"kind": "asked", "index": index, **asked}
    yield {"kind": "advice", "findings": [f.to_json() for f in _advice(request, prepared.tools, gains)]}


def _ask(
    prepared: Prepared, request: Request, question: Question, wider: TokenFSM | None, drawn: Visits
) -> tuple[Message, tuple[Fight, ...]]:
    """One question: its ranking, its call, the fights on the way."""
    told: Message = {"question": question.text, "expected": question.expected, "called": None}
    one = replace(request, question=question.text)
    try:
        one.check_question()
        fsm = Prepared.of(one).fsm  # its own where strings are quoted from the question
        prompt, _ = prepared.prompt(one)
        settings: dict[str, Any] = {key: getattr(request, key) for key in ("temperature", "top_p", "top_k", "seed")}
        limit = min(request.max_tokens, LONGEST)
        host = prepared.scheme.host(prepared.tools)
        settings |= {"weighed": METHODS[request.method].weighed, "reveal": prepared.reveal(one, prompt)}
        settings["search"] = prepared.search(one)
        steps = list(decode(prepared.model, fsm, prompt, max_tokens=limit, host=host, **settings))
        entries = ranked(prepared, one).entries
    except ToolDecError as error:
        return {**told, "error": error_message(error)["error"], "fights": [], "top": [], "visits": {}}, ()
    found = fights(fsm, steps, wider)
    trace = Trace.collect(steps)
    rank = next((at for at, e in enumerate(entries) if e.tool == question.expected), None)
    return {
        **told,
        "called": next((step.tool for step in reversed(steps) if step.tool is not None), None),
        "text": trace.text,
        "finished": trace.finished,
        "top": [{"tool": e.tool, "probability": e.probability} for e in entries[:TOP]],
        "expected_at": rank,
        "fights": [
            {
                "place": f.place, "what": f.what, "parameter": f.parameter, "removed": f.removed,
                "wanted": [{"token": token, "before": before} for token, before in f.wanted],
                "blocked": f.blocked, "wider": f.wider,
            }
            for f in found
        ],
        "visits": drawn.count(steps, prepared.fsm),
    }, found  # fmt: skip


@dataclass(slots=True)
class Visits:
    """The boxes of the page's graph that runs pass through: its machine may begin with text."""

    fsm: TokenFSM
    outline: Outline
    ways: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, request: Request) -> Visits:
        prepared = Prepared.of(request)
        outline, _ = prepared.outline(request)
        visits = cls(prepared.fsm, outline)
        for edge in outline.view().edges:
            visits.ways.setdefault((edge.source, edge.target), []).append(edge.id)
        return visits

    def count(self, steps: list[Step], run: TokenFSM) -> dict[str, int]:
        """How often a call enters each box, each state inside of an opened one, and takes each transition."""
        counts: Counter[str] = Counter()
        before: str | None = None
        for state in self._states([symbol for step in steps for symbol in run.symbols(step.token_id) or ()]):
            counts.update(filter(None, [self.outline.inner(state)]))
            box = self.outline.box(state)
            if box is not None and box != before:
                counts.update([box, *self.ways.get((before or "", box), ())[:1]])
                before = box
        return counts

    def _states(self, symbols: list[Symbol]) -> Iterator[int]:
        """The states of the page's machine on the way; behind a call the host writes."""
        state = self.fsm.initial
        yield state
        for symbol in [*symbols, ord("=")]:
            after = self.fsm.dfa.step(state, symbol)
            if after is None:
                return
            yield (state := after)
            if self.fsm.is_host(state):
                yield (state := self.fsm.after_host(state))


def _advice(
    request: Request, tools: tuple[Tool, ...], gains: Mapping[tuple[str, str], list[Fight]]
) -> Iterator[Finding]:
    """Integers that the model wanted to write as numbers."""
    inventory = Inventory(request.tools, *read(request), format=request.tools_format)
    known = {tool.name: tool for tool in tools}
    for (name, parameter), found in gains.items():
        left = [1 - fight.removed for fight in found]
        wider = [fight.wider if fight.wider is not None else 1 - fight.removed for fight in found]
        often = sum(b - a >= GAIN for a, b in zip(left, wider, strict=True))
        tool = known.get(name)
        if not often or tool is None:
            continue
        word = r"int\b" if inventory.format == "python" else r'"integer"' if inventory.format == "json" else "integer"
        place = inventory.places.find(tool, rf'(?<![\w]){re.escape(parameter)}"?\s*:[^)}}]{{0,80}}?(?P<type>{word})')
        span = inventory.source.place(place.start("type")) if place else (tool.line or 1, tool.column or 1)
        number = {"python": "float", "json": '"number"'}.get(inventory.format, "number")
        change = inventory.places.replaced(place.start("type"), place.end("type"), number) if place else None
        now, then = (f"{sum(values) / len(values):.0%}" for values in (left, wider))
        yield Finding(
            FROM_RUNS.code, FROM_RUNS.severity, *span,
            f"`{name}.{parameter}`: an integer leaves out what the model wanted",
            f"in {often} of {len(found)} places it wanted a point; a number keeps at least {then}, the integer {now}",
            name, parameter, len(place["type"]) if place else len(name), change,
        )  # fmt: skip
