"""Scheme × method: error rates by class, tokens, model steps and time per question.

    python benchmarks/methods.py --data DIR --limit 10 --out DIR [--model embedded] [--schemes a,b] [--methods a,b]

Questions are FuncQA's (multi-hop), KAMEL's (first 30 relations), RestBench's (TMDB) and ToolBench's; DIR holds them as
`data/README.md` there says. Every answer begins with a call; results come from the table of pure
functions, and are "ok" for other tools. Right is an answer whose
first call is one of those that were wanted. `methods.jsonl` keeps every answer, `methods.md` the table. Answers that
the first file has already are not asked for again: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

from tooldec import Tool, Trace, build_fsm, load_model
from tooldec.methods import METHODS
from tooldec.models import Model
from tooldec.outline import Outline
from tooldec.reading import SYNTAX, judge
from tooldec.results import RESULTS
from tooldec.schemes import SCHEMES, Scheme
from tooldec.trace import Step

CLASSES = (*SYNTAX, "none", "wrong", "valid")


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the tools that may answer it, and the names of the calls that do."""

    text: str
    tools: tuple[Tool, ...]
    wanted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question."""

    suite: str
    scheme: str
    method: str
    question: str
    answer: str
    word: str
    kind: str
    end: str
    tokens: int
    model_steps: int
    seconds: float


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def tool(name: str, description: str, parameters: Sequence[tuple[str, Any, bool]]) -> Tool:
    properties = {parameter: schema for parameter, schema, _ in parameters}
    required = [parameter for parameter, _, needed in parameters if needed]
    return Tool(name, description, {"type": "object", "properties": properties, "required": required})


def funcqa(data: Path) -> Iterator[Question]:
    def math(row: Any) -> Tool:
        number = {"type": "number"}
        low, high = row["min_args"], row["max_args"]
        if high == low:
            return tool(row["name"], row["description"], [("abc"[index], number, True) for index in range(low)])
        numbers = {"type": "array", "items": number, "x-variadic": True, "minItems": 1}
        return tool(
            row["name"], row["description"], [("numbers", numbers | ({"maxItems": high} if high else {}), True)]
        )

    tools = tuple(map(math, json.loads((data / "funcqa_tools.json").read_text("utf-8"))))
    for row in rows(data / "funcqa_multihop.jsonl"):
        yield Question(row["question"], tools, tuple(call["tool"] for call in row["gold_calls"]))


def kamel(data: Path) -> Iterator[Question]:
    relations = rows(data / "kamel_relations.jsonl")[:30]
    text = {"type": "string"}
    tools = tuple(tool(r["unique_name"], r["description"], [(a, text, True) for a in r["args"]]) for r in relations)
    for row in rows(data / "kamel_questions.jsonl"):
        if "first_30" in row["subsets"]:
            yield Question(row["question"], tools, (row["relation"],))


def restbench(data: Path) -> Iterator[Question]:
    tools = tuple(
        tool(r["name"], r["summary"], [(p["name"], plain(p["schema"]), p["required"]) for p in r["parameters"]])
        for r in rows(data / "restbench_tmdb_tools.jsonl")
    )
    for row in rows(data / "restbench_tmdb_queries.jsonl"):
        yield Question(row["query"], tools, tuple(row["gold_names"]))


def toolbench(data: Path) -> Iterator[Question]:
    known = {
        r["name"]: tool(r["name"], r["description"], [(p["name"], plain(p), p["required"]) for p in r["parameters"]])
        for r in rows(data / "toolbench_apis.jsonl")
    }
    for row in rows(data / "toolbench_queries.jsonl"):
        tools = tuple(known[name] for name in dict.fromkeys(row["api_list"]) if name in known)
        if tools:
            yield Question(row["query"], tools, tuple(row["gold_apis"]))


def plain(schema: Any) -> Any:
    """The type alone: what the published baselines enforce."""
    kind = schema.get("type")
    return {"type": kind if kind in ("integer", "number", "boolean") else "string"}


SUITES: dict[str, Callable[[Path], Iterator[Question]]] = {
    "funcqa": funcqa,
    "kamel": kamel,
    "restbench": restbench,
    "toolbench": toolbench,
}


def ask(
    model: Model, scheme: Scheme, names: tuple[str, str, str], question: Question, limit: int, machines: dict[Any, Any]
) -> Outcome:
    """Answer one question; the machine of a list of tools is built once."""
    suite, scheme_name, method_name = names
    method = METHODS[method_name]
    key = tuple(tool.name for tool in question.tools)
    if key not in machines:
        machines.clear()
        machines[key] = build_fsm(method.grammar(scheme, question.tools, "call", True), model.vocabulary)
    fsm = machines[key]
    given = {tool.name: "ok" for tool in question.tools if tool.name not in RESULTS}
    prompt = scheme.prompt(question.tools, question.text)
    if model.prompt_tokens(prompt) > model.context - limit:
        prompt = scheme.prompt(question.tools, question.text, documentation=False)
    begun = time.perf_counter()
    steps: list[Step] = list(
        method.run(
            model, scheme, question.tools, prompt, "call", True, given, fsm,
            outline=Outline(fsm), max_tokens=limit, candidates=False,
        )
    )  # fmt: skip
    seconds = time.perf_counter() - begun
    trace = Trace.collect(steps)
    verdict = judge(trace.text, scheme, question.tools)
    word = verdict.word
    if word == "valid" and verdict.calls[0].name not in question.wanted:
        word = "wrong"
    kind = verdict.error.kind if verdict.error else ""
    asked = sum(step.writer == "model" for step in steps)
    return Outcome(
        suite, scheme_name, method_name, question.text, trace.text, word, kind, trace.end, len(steps), asked, seconds
    )


def table(outcomes: Sequence[Outcome]) -> str:
    """Markdown: one line for each suite, scheme and method; classes in % of the questions."""
    lines = [
        "| suite | scheme | method | n | " + " | ".join(CLASSES) + " | tokens | model steps | s |",
        "|" + " --- |" * (len(CLASSES) + 7),
    ]
    groups: dict[tuple[str, str, str], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.suite, outcome.scheme, outcome.method), []).append(outcome)
    for key, group in groups.items():
        count, words = len(group), Counter(outcome.word for outcome in group)
        shares = [f"{100 * words[name] / count:.0f}" for name in CLASSES]
        means = [sum(getattr(o, name) for o in group) / count for name in ("tokens", "model_steps", "seconds")]
        figures = [*shares, f"{means[0]:.0f}", f"{means[1]:.0f}", f"{means[2]:.2f}"]
        lines.append("| " + " | ".join([*key, str(count), *figures]) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("TOOLDEC_DATA"), help="else TOOLDEC_DATA")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--limit", type=int, default=10, help="questions of each suite")
    parser.add_argument("--max-tokens", type=int, default=128)
    parser.add_argument("--suites", default=",".join(SUITES))
    parser.add_argument("--schemes", default=",".join(SCHEMES))
    parser.add_argument("--methods", default=",".join(METHODS))
    options = parser.parse_args()
    if options.data is None:
        parser.error("give --data, or set TOOLDEC_DATA")
    model = load_model(options.model)
    options.out.mkdir(parents=True, exist_ok=True)
    kept = options.out / "methods.jsonl"
    outcomes = [Outcome(**row) for row in rows(kept)] if kept.is_file() else []
    done = {(o.suite, o.scheme, o.method, o.question) for o in outcomes}
    with kept.open("a", encoding="utf-8") as file:
        for suite in options.suites.split(","):
            questions = list(islice(SUITES[suite](options.data), options.limit))
            for scheme_name, method in product(options.schemes.split(","), options.methods.split(",")):
                scheme, names = SCHEMES[scheme_name].for_model(model), (suite, scheme_name, method)
                machines: dict[Any, Any] = {}
                for question in questions:
                    if (*names, question.text) in done:
                        continue
                    outcomes.append(ask(model, scheme, names, question, options.max_tokens, machines))
                    file.write(json.dumps(asdict(outcomes[-1]), ensure_ascii=False) + "\n")
                    file.flush()
                group = [o for o in outcomes if (o.suite, o.scheme, o.method) == names]
                print(table(group).splitlines()[-1], flush=True)
    (options.out / "methods.md").write_text(table(outcomes) + "\n", "utf-8")


if __name__ == "__main__":
    main()
