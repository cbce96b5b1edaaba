"""`tooldec bench SUITE --data DIR --out DIR`: the paper's experiments on a model, and their tables."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from tooldec import __version__
from tooldec.errors import UsageError

if TYPE_CHECKING:
    from tooldec.bench import Answer
    from tooldec.bench.running import Done
    from tooldec.models import Model


def arguments(parser: argparse.ArgumentParser) -> None:
    from tooldec.bench import SUITES
    from tooldec.schemes import SCHEMES

    parser.add_argument("suite", choices=[*SUITES, "all"], help="the experiment; all: one after another")
    parser.add_argument(
        "--data", metavar="DIR", default=os.environ.get("TOOLDEC_DATA"), help="the data sets; else TOOLDEC_DATA"
    )
    parser.add_argument("--out", metavar="DIR", required=True, help="gets the answers, the figures and the table")
    parser.add_argument("--model", default="embedded", help="embedded, toy, a hub id or a folder")
    parser.add_argument("--device", default="auto", help="auto, cuda, mps or cpu")
    parser.add_argument("--scheme", choices=list(SCHEMES), help="how calls are written; the suite's own by default")
    parser.add_argument("--methods", metavar="A,B", default="", help="the suite's own by default; words joined by +")
    parser.add_argument("--limit", type=int, help="questions of each part; all by default")
    parser.add_argument("--max-tokens", type=int, help="of an answer")


def run(options: argparse.Namespace) -> int:
    from tooldec.bench import SUITES, Manner
    from tooldec.models import load_model

    if options.data is None:
        raise UsageError("no folder of data sets is named", fix="give --data DIR, or set TOOLDEC_DATA")
    for name in ("limit", "max_tokens"):
        value = getattr(options, name)
        if value is not None and value < 1:
            raise UsageError(f"`--{name.replace('_', '-')} {value}` asks nothing", fix="give a number above 0")
    methods = [" ".join(words.split("+")) for words in options.methods.split(",") if words]
    for method in methods:
        Manner.of(method)
    names = list(SUITES) if options.suite == "all" else [options.suite]
    for name in names:
        if options.scheme and options.suite != "all" and options.scheme not in SUITES[name].schemes:
            known = ", ".join(SUITES[name].schemes)
            raise UsageError(f"{name} isn't asked in {options.scheme}", fix=f"leave --scheme away, or use {known}")
    out = Path(options.out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"can't write in `{out}`: {error.strerror}", fix="give a folder with --out") from None
    model = load_model(options.model, options.device)
    for name in names:
        _suite(name, model, methods, out, options)
    return 0


def _suite(name: str, model: Model, methods: Sequence[str], out: Path, options: argparse.Namespace) -> None:
    """One experiment: its answers in NAME.jsonl, its figures in NAME.json and NAME.md, a curve in NAME.svg."""
    from tooldec.bench import SUITES, curve, figures, report
    from tooldec.bench.running import run

    suite = SUITES[name]
    scheme = options.scheme if options.scheme in suite.schemes else next(iter(suite.schemes))
    answers: list[Answer] = []
    done = run(
        suite, model, Path(options.data), out / f"{name}.jsonl", scheme, methods, options.limit, options.max_tokens
    )
    for one in done:
        answers.append(one.answer)
        _progress(name, one)
    found = figures(answers, whole=not suite.grows)
    about = (
        f"`{_command(name, options)}`: {model.name} on {model.device}, {model.dtype}, scheme {scheme}, greedy; "
        f"tooldec {__version__}, Python {platform.python_version()}."
    )
    page, picture = report(suite, found, about), curve(suite, found)
    (out / f"{name}.md").write_text(page, "utf-8")
    rows = {"model": model.name, "device": model.device, "scheme": scheme, "figures": [asdict(row) for row in found]}
    (out / f"{name}.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if picture:
        (out / f"{name}.svg").write_text(picture, "utf-8")
    print(page)


def _command(name: str, options: argparse.Namespace) -> str:
    """The command that measures this again."""
    said = ("model", "scheme", "methods", "limit", "max_tokens")
    words = [f"--{key.replace('_', '-')} {getattr(options, key)}" for key in said if getattr(options, key)]
    return " ".join(["tooldec bench", name, *words, "--data DIR --out DIR"])


def _progress(name: str, done: Done) -> None:
    """One line on stderr that is written over where there is a terminal, otherwise one for each twentieth."""
    answer, terminal = done.answer, sys.stderr.isatty()
    line = f"{name} {done.count}/{done.total}: {answer.family}, {answer.method}, {answer.seconds:.2f} s"
    last = done.count == done.total
    if terminal:
        print(f"\r{line:<78.78}", end="\n" if last else "", file=sys.stderr, flush=True)
    elif last or done.count % max(done.total // 20, 1) == 0:
        print(line, file=sys.stderr, flush=True)
