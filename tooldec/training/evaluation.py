"""Accuracy of a trained model on questions that it never saw: guided, unguided, and with names weighed.

    python -m tooldec.training.evaluation FOLDER --count 200 --json figures.json

Sets: `asked`, `common`, `trained`, `older` and `pasted` are written by hand over pasted tools, in tests/; `seen` has
new questions about trained tools, `phrasing` held-out wordings, `names` held-out names of tools, `chains` two calls,
and `chat` asks for nothing that a tool does. `seen-30` and `unseen-30` have lists of 30 tools (any number does);
`asked-60` asks the questions of `asked` over lists that are joined to 60 tools. With `--data DIR`: `kamel-30`,
`funcqa-onehop`, `funcqa-multihop`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from tooldec import SCHEMES, ToolCall, ToolDecError, load_model
from tooldec.bench import Case, Manner, funcqa, kamel
from tooldec.bench.asking import decoded
from tooldec.bench.cases import some
from tooldec.bench.funcqa import close
from tooldec.errors import CallError
from tooldec.models import Model
from tooldec.tools import Tool
from tooldec.training.cases import generated, growing, joined, written

MAX_TOKENS = 160
WRITTEN = ("fresh", "asked", "common", "trained", "older", "pasted")
DEFAULT = (*WRITTEN, "seen", "phrasing", "names", "chains", "chat")
LONGEST = 60
"""Tools up to which lists of a growing number are written into the prompt too."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a model made of a case; `error` is the class of the first syntax error."""

    error: str | None
    tool: bool
    whole: bool
    final: bool
    finished: bool
    text: str


def answer(model: Model, case: Case, scheme_name: str, listed: bool, manner: str = "guided") -> Outcome:
    """Ask the model once, greedily, in a manner that `Manner.of` reads; see `bench.asking.decoded`."""
    scheme, way = SCHEMES[scheme_name].for_model(model), Manner.of(manner)
    trace = decoded(model, case, scheme, way, listed, max_tokens=MAX_TOKENS, fast_forward=way.row.guided)
    try:
        calls, error = scheme.read_calls(trace.text, case.tools), None
    except CallError as failure:
        calls, error = (), failure.kind
    calls = tuple(call for call in calls if call.name != "Finish")
    names = tuple(call.name for call in calls) == tuple(name for name, _, _ in case.calls)
    right = names and all(map(_same, calls, case.calls, [case.tools] * len(calls)))
    final = case.final is not None and close(trace.text, case.final)
    return Outcome(error, error is None and names, error is None and right, final, trace.finished, trace.text)


def _same(call: ToolCall, wanted: tuple[str, Mapping[str, Any], str], tools: tuple[Tool, ...]) -> bool:
    """Whether two calls mean the same: an argument that equals its default may be left out."""
    tool = next(tool for tool in tools if tool.name == call.name)
    defaults = {p.name: p.schema.get("default") for p in tool.arguments if not p.required and not p.variadic}

    def said(arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {k: v for k, v in arguments.items() if k not in defaults or v != defaults[k]}

    return said(call.arguments) == said(wanted[1])


@dataclass(frozen=True, slots=True)
class Figures:
    """Percentages over a set of cases; `errors` counts the classes of syntax errors.

    final   the right number at the end, where the cases ask for one
    """

    count: int
    error: float
    tool: float
    whole: float
    final: float | None
    finished: float
    errors: Mapping[str, int]


def measure(
    model: Model, cases: list[Case], scheme: str, listed: bool, method: str = "guided", samples: list[Any] | None = None
) -> Figures:
    """Ask all cases; `samples` collects what was asked and answered."""
    outcomes = []
    for case in cases:
        try:
            outcome = answer(model, case, scheme, listed, method)
        except ToolDecError as failure:
            outcome = Outcome(type(failure).__name__, False, False, False, False, str(failure))
        outcomes.append(outcome)
        if samples is not None:
            manner = {"set": case.family, "scheme": scheme, "listed": listed, "method": method}
            samples.append({**manner, "question": case.question, "calls": case.calls, **asdict(outcome)})
    n = len(outcomes)

    def share(values: Iterable[bool]) -> float:
        return round(100 * sum(values) / n, 1)

    return Figures(
        n,
        share(o.error is not None for o in outcomes),
        share(o.tool for o in outcomes),
        share(o.whole for o in outcomes),
        share(o.final for o in outcomes) if all(case.final is not None for case in cases) else None,
        share(o.finished for o in outcomes),
        dict(Counter(o.error for o in outcomes if o.error is not None)),
    )


def cases_of(name: str, count: int, tests: Path, data: Path | None) -> list[Case]:
    """The cases of a set by its name; raises ValueError for a name that is none."""
    kind, _, rest = name.partition("-")
    if kind in WRITTEN and (not rest or rest.isdigit()):
        cases = written(tests / f"{kind}_tools.jsonl")[:count]
        return joined(cases, int(rest)) if rest else cases
    if name in ("chains", "chat"):
        return generated("train", count // 2, (name.removesuffix("s"),))
    if name in ("seen", "phrasing", "names"):
        return generated("train" if name == "seen" else "phrasing" if name == "phrasing" else "names", count)
    if kind in ("seen", "unseen") and rest.isdigit():
        return growing("train" if kind == "seen" else "names", int(rest), count)
    if data is not None and kind == "kamel" and rest.isdigit():
        return some(kamel.cases(data, (int(rest),)), count)
    if data is not None and kind == "funcqa" and rest in ("onehop", "multihop"):
        return list(funcqa.cases(data, (rest,)))[:count]
    raise ValueError(f"there is no set {name!r}, or it needs --data")


def manners(name: str, schemes: Iterable[str] = ()) -> Iterator[tuple[str, bool]]:
    """Scheme and prompt, with the list of tools and without, of a set's figures."""
    _, _, size = name.partition("-")
    if not size.isdigit() or int(size) <= LONGEST:
        yield "special_token", True
    yield "special_token", False
    for scheme in schemes or (("json_tags", "react", "name_prompt") if name == "asked" else ()):
        yield scheme, True
        if scheme == "json_tags":  # the names of its parameters are written where no list is shown, too
            yield scheme, False


def methods_of(name: str, listed: bool) -> tuple[str, ...]:
    """What is measured of a set's prompt; small talk has no shortlist, written ones are quoted and searched, too."""
    weighed: tuple[str, ...] = ("shortlist",) if listed else ("weighed", "shortlist")
    if listed and name in WRITTEN:
        weighed += ("quoted", "quoted searched", "shortlist quoted")
    return ("guided", *(weighed if name != "chat" else weighed[:-1]), "unguided")


def evaluate(
    model: Model,
    count: int,
    tests: Path,
    sets: Iterable[str] = DEFAULT,
    samples: list[Any] | None = None,
    data: Path | None = None,
    methods: Collection[str] = (),
) -> dict[str, Any]:
    """The figures of the card, by set, scheme, prompt and method; of some `methods` alone where they are named."""
    figures: dict[str, Any] = {}
    for name in sets:
        cases = cases_of(name, count, tests, data)
        for scheme, listed in manners(name):
            for method in (one for one in methods_of(name, listed) if one in methods or not methods):
                key = f"{name} / {scheme} / {'listed' if listed else 'not listed'} / {method}"
                figures[key] = asdict(measure(model, cases, scheme, listed, method, samples))
                print(key, figures[key], file=sys.stderr, flush=True)
    return figures


def main(arguments: list[str] | None = None) -> None:
    """The command line of this module."""
    parser = argparse.ArgumentParser(description="accuracy of a trained model, guided and unguided")
    parser.add_argument("folder", help="a folder that `export` wrote, or `embedded`")
    parser.add_argument("--count", type=int, default=200, help="questions of a set, at most")
    parser.add_argument("--sets", default=",".join(DEFAULT), help="some of the sets, separated by commas")
    parser.add_argument("--methods", default="", help="some of the methods, separated by commas; all by default")
    parser.add_argument("--tests", type=Path, default=Path("tests"), help="where the questions written by hand are")
    parser.add_argument("--data", type=Path, help="the folder of the data sets")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--samples", type=Path)
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    samples: list[Any] = []
    model = load_model(options.folder, device="cpu")
    methods = [method for method in options.methods.split(",") if method]
    figures = evaluate(model, options.count, options.tests, options.sets.split(","), samples, options.data, methods)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    if options.samples:
        options.samples.write_text("".join(json.dumps(s, ensure_ascii=False, default=str) + "\n" for s in samples))


if __name__ == "__main__":
    main()
