"""`tooldec run --tools FILE --question TEXT`: one answer, printed as the paper's Table 2 or written as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tooldec.commands import files
from tooldec.errors import UsageError
from tooldec.methods import METHODS, PUBLISHED
from tooldec.reading import judge
from tooldec.schemes import SCHEMES, quoting, relaxing
from tooldec.signatures import FORMATS, parse_tools

if TYPE_CHECKING:
    from tooldec.models import Model
    from tooldec.schemes import Scheme
    from tooldec.tools import Tool
    from tooldec.trace import Trace

GUIDED = " or ".join(name for name, method in METHODS.items() if method.guided)
"""The methods in which a machine masks tokens, in words."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tools", required=True, metavar="FILE", help="signatures; - reads standard input")
    parser.add_argument("--format", choices=["auto", *FORMATS], default="auto", help="how the tools are written")
    parser.add_argument("--question", required=True, metavar="TEXT")
    parser.add_argument("--scheme", choices=list(SCHEMES), default="special_token")
    parser.add_argument(
        "--start", choices=["text", "call", "none"], default="text", help="call: force one; none: bar it"
    )
    parser.add_argument("--model", default="embedded", help="embedded, toy, a hub id or a folder")
    parser.add_argument("--device", default="auto", help="auto, cuda, mps or cpu")
    parser.add_argument("--method", choices=list(METHODS), default="guided")
    parser.add_argument("--published", action="store_true", help="fuzzy and backtrace as the paper's baselines do it")
    parser.add_argument("--no-docs", action="store_true", help="leave the tools out of the prompt")
    parser.add_argument("--reveal", action="store_true", help="with --no-docs: show signatures where a tool is called")
    parser.add_argument("--quote", action="store_true", help=f"strings must stand in the question ({GUIDED})")
    parser.add_argument("--relax", action="store_true", help="leave unchecked what can't be enforced, with a warning")
    parser.add_argument("--search", action="store_true", help=f"choose arguments as wholes ({GUIDED})")
    parser.add_argument("--results", action="store_true", help="let the host write results into the answer")
    parser.add_argument("--result", action="append", default=[], metavar="NAME=VALUE", help="what a tool returns")
    parser.add_argument("--temperature", type=float, default=0.0, help="0 is greedy")
    parser.add_argument("--top-p", type=float, default=1.0)
    parser.add_argument("--top-k", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--max-tokens", type=int, default=256)
    parser.add_argument("--json", metavar="FILE", help="write the trace here; - prints it instead of the table")


def run(options: argparse.Namespace) -> int:
    from tooldec.choosing.revealing import signatures_of
    from tooldec.choosing.search import Search
    from tooldec.models import load_model
    from tooldec.sampling import Settings
    from tooldec.token_fsm import build_fsm
    from tooldec.trace import Step, Trace

    if options.reveal and not options.no_docs:
        raise UsageError("--reveal shows what the prompt lists already", fix="add --no-docs, or leave it away")
    method, own = METHODS[options.method], PUBLISHED.get(options.method, {}) if options.published else {}
    if options.quote and not method.guided:
        raise UsageError("--quote is kept by the machine, and there is none", fix=f"use --method {GUIDED}")
    if options.search and not method.guided:
        raise UsageError("--search looks for valid arguments, and no machine knows any", fix=f"use --method {GUIDED}")
    sampling = {key: getattr(options, key) for key in ("max_tokens", "temperature", "top_p", "top_k", "seed")}
    Settings(**sampling)
    if options.json not in (None, "-"):
        files.check_writable(options.json)
    question = _question(options.question)
    tools = _tools(options.tools, options.format)
    given = _given(options.result, tools)
    results = options.results or bool(given)
    with files.in_file(options.tools):  # before a model is loaded
        _scheme(options, None).grammar(tools, start=options.start, results=results)
    model = load_model(options.model, options.device)
    scheme = _scheme(options, model)
    prompt = scheme.prompt(tools, question, documentation=not options.no_docs)
    shown = options.reveal or (method.weighed and not options.no_docs)
    signatures = signatures_of(scheme, tools, question)
    steered = quoting(scheme, tools, question, *given.values()) if options.quote else scheme
    fsm = build_fsm(method.grammar(steered, tools, options.start, results), model.vocabulary)
    for warning in fsm.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    search = Search(alone=signatures) if options.search else None
    answer = method.run(
        model,
        steered,
        tools,
        prompt,
        options.start,
        results,
        given,
        fsm,
        own,
        reveal=signatures if shown else None,
        search=search,
        **sampling,
    )
    steps: list[Step] = []
    interrupted = False
    try:
        for step in answer:
            steps.append(step)
    except KeyboardInterrupt:
        interrupted = True
    trace = Trace.collect(steps)
    if options.json != "-":
        _print(trace, model, scheme, tools)
    if options.json:
        _write_json(options.json, trace)
    return 130 if interrupted else 0


def _scheme(options: argparse.Namespace, model: Model | None) -> Scheme:
    """The scheme, in the model's own form where that is known, and relaxed where that is asked for."""
    scheme = SCHEMES[options.scheme]
    scheme = scheme if model is None else scheme.for_model(model)
    return relaxing(scheme) if options.relax else scheme


def _question(text: str) -> str:
    if not text.strip():
        raise UsageError("the question is empty", fix="ask something with --question")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError("the question isn't UTF-8 text", fix="save or type it as UTF-8")
    return text


def _tools(file: str, format: str) -> tuple[Tool, ...]:
    """The tools of a file; `-` is standard input."""
    text = files.read(file)
    with files.in_file(file):
        return parse_tools(text, format)


def _given(results: Sequence[str], tools: Sequence[Tool]) -> dict[str, Any]:
    """`["find=Paris"]` → `{"find": "Paris"}`."""
    given: dict[str, Any] = {}
    known = {tool.name for tool in tools}
    for result in results:
        name, equals, value = result.partition("=")
        if not equals or name not in known:
            reason = f"no tool is called `{name}`" if equals else f"`{result}` has no `=`"
            raise UsageError(f"--result: {reason}", fix="write NAME=VALUE with the name of a tool")
        given[name] = value
    return given


def _print(trace: Trace, model: Model, scheme: Scheme, tools: Sequence[Tool]) -> None:
    """The paper's table, the answer, the calls in it and how it ended."""
    from tooldec.views.table import aligned, table, visible

    print(table(trace.steps))
    asked = [step for step in trace.steps if step.writer == "model"]
    model_ms, mask_ms = (
        sum(times) / max(len(asked), 1)
        for times in ([step.model_ms for step in asked], [step.mask_ms for step in asked])
    )
    finished = "" if trace.finished else ": this is no finished answer"
    lines = [
        ("answer", visible(trace.text, space=" ")),
        ("calls", _calls(trace, scheme, tools)),
        ("end", f"{trace.end}{finished}"),
        ("model", f"{model.name} on {model.device}, {model.dtype}"),
        ("time", f"{model_ms:.1f} ms model and {mask_ms:.2f} ms mask a step, {len(trace.steps)} steps"),
    ]
    print("\n" + aligned(lines))


def _calls(trace: Trace, scheme: Scheme, tools: Sequence[Tool]) -> str:
    verdict = judge(trace.text, scheme, tools)
    if verdict.error is not None:
        return f"not valid ({verdict.error.kind}): {verdict.error}"
    written = (f"{c.name}({', '.join(f'{k}={_json(v)}' for k, v in c.arguments.items())})" for c in verdict.calls)
    return ", ".join(written) or "none"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_json(file: str, trace: Trace) -> None:
    if file == "-":
        print(trace.to_json())
        return
    try:
        Path(file).write_text(trace.to_json() + "\n", "utf-8")
    except OSError as error:
        raise files.unwritable(file, error.strerror) from None
