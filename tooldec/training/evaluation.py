"""Accuracy of a trained model on questions that it never saw, guided and unguided.

    python -m tooldec.training.evaluation FOLDER --count 200 --json figures.json

Sets: `seen` has new questions about trained tools, `phrasing` held-out wordings, `names` held-out names of tools,
`chat` asks for nothing that a tool does, `pasted` is written by hand in tests/pasted_tools.jsonl.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from tooldec import SCHEMES, Tool, ToolCall, ToolDecError, Trace, build_fsm, decode, load_model, parse_tools
from tooldec.errors import CallError
from tooldec.models import Model
from tooldec.training.documents import documents
from tooldec.training.draw import Split

SEED = 987_654_321
"""Seed of the questions; those of training have the seed of the run, 0."""

MAX_TOKENS = 128


@dataclass(frozen=True, slots=True)
class Case:
    """A question over a list of tools, and the calls that answer it: (name, arguments, result)."""

    tools: tuple[Tool, ...]
    question: str
    calls: tuple[tuple[str, Mapping[str, Any], str], ...]
    family: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a model made of a case; `error` is the class of the first syntax error."""

    error: str | None
    tool: bool
    whole: bool
    finished: bool
    text: str


def generated(split: Split, count: int, families: Iterable[str] = ()) -> list[Case]:
    """Cases from the generator that training never draws: another seed, and for some splits held-out parts."""
    wanted = set(families)

    def cases() -> Iterator[Case]:
        for document in documents(SEED, split, listed=True):
            for turn in document.turns:
                calls = tuple((call.tool.name, call.arguments, call.result) for call in turn.ask.calls)
                asked = turn.family in wanted if wanted else turn.family != "chat"
                if asked and document.tools:
                    yield Case(document.tools, turn.ask.question, calls, turn.family)

    return list(islice(cases(), count))


def pasted(path: Path) -> list[Case]:
    """The cases written by hand."""
    cases = []
    for line in path.read_text().splitlines():
        row = json.loads(line)
        call = (row["call"]["name"], row["call"]["arguments"], "ok")
        cases.append(Case(parse_tools(row["tools"]), row["question"], (call,), "pasted"))
    return cases


def answer(model: Model, case: Case, scheme_name: str, listed: bool, guided: bool) -> Outcome:
    """Ask the model once, greedily; results come from the case, and "ok" for any other tool."""
    scheme = SCHEMES[scheme_name].for_model(model)
    grammar = scheme.grammar(case.tools, results=True) if guided else scheme.unguided()
    results = {tool.name: "ok" for tool in case.tools} | {name: result for name, _, result in case.calls}
    host = scheme.host(case.tools, results)
    fsm = build_fsm(grammar, model.vocabulary)
    prompt = scheme.prompt(case.tools, case.question, documentation=listed)
    trace = Trace.collect(decode(model, fsm, prompt, max_tokens=MAX_TOKENS, host=host, fast_forward=True))
    try:
        calls, error = scheme.read_calls(trace.text, case.tools), None
    except CallError as failure:
        calls, error = (), failure.kind
    names = tuple(call.name for call in calls) == tuple(name for name, _, _ in case.calls)
    right = names and all(map(_same, calls, case.calls, [case.tools] * len(calls)))
    return Outcome(error, error is None and names, error is None and right, trace.finished, trace.text)


def _same(call: ToolCall, wanted: tuple[str, Mapping[str, Any], str], tools: tuple[Tool, ...]) -> bool:
    """Whether two calls mean the same: an argument that equals its default may be left out."""
    tool = next(tool for tool in tools if tool.name == call.name)
    defaults = {p.name: p.schema.get("default") for p in tool.arguments if not p.required and not p.variadic}

    def said(arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {k: v for k, v in arguments.items() if k not in defaults or v != defaults[k]}

    return said(call.arguments) == said(wanted[1])


@dataclass(frozen=True, slots=True)
class Figures:
    """Percentages over a set of cases; `errors` counts the classes of syntax errors."""

    count: int
    error: float
    tool: float
    whole: float
    finished: float
    errors: Mapping[str, int]


def measure(
    model: Model, cases: list[Case], scheme: str, listed: bool, guided: bool, samples: list[Any] | None = None
) -> Figures:
    """Ask all cases; `samples` collects what was asked and answered."""
    outcomes = []
    for case in cases:
        try:
            outcome = answer(model, case, scheme, listed, guided)
        except ToolDecError as failure:
            outcome = Outcome(type(failure).__name__, False, False, False, str(failure))
        outcomes.append(outcome)
        if samples is not None:
            samples.append({"question": case.question, "calls": case.calls, "listed": listed, **asdict(outcome)})
    n = len(outcomes)

    def share(values: Iterable[bool]) -> float:
        return round(100 * sum(values) / n, 1)

    return Figures(
        n,
        share(o.error is not None for o in outcomes),
        share(o.tool for o in outcomes),
        share(o.whole for o in outcomes),
        share(o.finished for o in outcomes),
        dict(Counter(o.error for o in outcomes if o.error is not None)),
    )


SETS: Mapping[str, Callable[[int, Path], list[Case]]] = {
    "pasted": lambda count, hand_written: pasted(hand_written),
    "seen": lambda count, hand_written: generated("train", count),
    "phrasing": lambda count, hand_written: generated("phrasing", count),
    "names": lambda count, hand_written: generated("names", count),
    "chains": lambda count, hand_written: generated("train", count // 2, ("chain",)),
    "chat": lambda count, hand_written: generated("train", count // 2, ("chat",)),
}
"""The sets of questions by name."""


def evaluate(
    model: Model, count: int, hand_written: Path, sets: Iterable[str] = SETS, samples: list[Any] | None = None
) -> dict[str, Any]:
    """The figures of the card, by set, scheme, prompt and method."""
    figures: dict[str, Any] = {}
    for name in sets:
        cases = SETS[name](count, hand_written)
        rows = [("special_token", True), ("special_token", False)]
        if name in ("names", "pasted"):
            rows.append(("json_tags", True))
        for scheme, listed in rows:
            for guided in (True, False):
                manner = f"{'listed' if listed else 'not listed'} / {'guided' if guided else 'unguided'}"
                key = f"{name} / {scheme} / {manner}"
                figures[key] = asdict(measure(model, cases, scheme, listed, guided, samples))
                print(key, figures[key], file=sys.stderr, flush=True)
    return figures


def main(arguments: list[str] | None = None) -> None:
    """The command line of this module."""
    parser = argparse.ArgumentParser(description="accuracy of a trained model, guided and unguided")
    parser.add_argument("folder", help="a folder that `export` wrote, or `embedded`")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--sets", default=",".join(SETS), help="some of the sets, separated by commas")
    parser.add_argument("--pasted", type=Path, default=Path("tests/pasted_tools.jsonl"))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--samples", type=Path)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    samples: list[Any] = []
    model = load_model(options.folder, device="cpu")
    figures = evaluate(model, options.count, options.pasted, options.sets.split(","), samples)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    if options.samples:
        options.samples.write_text("".join(json.dumps(s, ensure_ascii=False, default=str) + "\n" for s in samples))


if __name__ == "__main__":
    main()
