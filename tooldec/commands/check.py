"""`tooldec check FILE [--model M] [--json]`, or `--tools FILE`: what is wrong with tools, before a model meets them.

`tooldec check --about W301` shows the page of a check.

Exit code 1 where there are errors. With --json a list of {code, severity, line, column, message, fix, …}.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from tooldec.commands import files
from tooldec.errors import UsageError
from tooldec.lint import CHECKS, Report, check_tools, pages, sizes
from tooldec.signatures import FORMATS

if TYPE_CHECKING:
    from tooldec.models import Model


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="signatures; - reads standard input")
    parser.add_argument("--tools", metavar="FILE", help="the same")
    parser.add_argument("--format", choices=["auto", *FORMATS], default="auto")
    parser.add_argument("--model", help="check also against its vocabulary: embedded, toy, a hub id or a folder")
    parser.add_argument("--device", default="auto", help="auto, cuda, mps or cpu")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument("--all", action="store_true", help="tell a hint that most tools have for each of them")
    parser.add_argument("--sizes", action="store_true", help="list what each tool costs in states and tokens")
    parser.add_argument("--explain", action="store_true", help="say after each code what it is for")
    parser.add_argument("--about", metavar="CODE", help="show the page of a check, with a bad and a good example")


def run(options: argparse.Namespace) -> int:
    if options.about is not None:
        return _about(options.about.upper())
    given = [name for name in (options.file, options.tools) if name is not None]
    if len(given) != 1:
        what = "two files of tools" if given else "no tools to check"
        raise UsageError(f"there are {what}", fix="give one FILE, or --about CODE")
    (file,) = given
    text = files.read(file)
    model = None
    if options.model is not None:
        from tooldec.models import load_model  # torch takes seconds, and most checks don't need it

        model = load_model(options.model, options.device)
    with files.in_file(file):
        report = check_tools(text, options.format, model)
    if options.json:
        print(json.dumps([finding.to_json() for finding in report.findings], ensure_ascii=False, indent=1))
        return 1 if report.errors else 0
    _print(report, files.named(file), options.explain, options.all)
    if options.sizes:
        print("\n" + "\n".join(_sizes(report, model)))
    return 1 if report.errors else 0


def _print(report: Report, file: str, explain: bool, unfolded: bool) -> None:
    for finding in report.findings if unfolded else report.folded():
        print(f"{file}:{finding.line}:{finding.column}: {finding.code} {finding.severity}: {finding.message}")
        print(f"    {finding.fix}")
    if explain:
        for code in dict.fromkeys(finding.code for finding in report.findings):
            print(f"{code}: {CHECKS[code].title}. {CHECKS[code].why}")
    if report.findings:
        print(f"more about a code: tooldec check --about {report.findings[0].code}")
    counts = (_counted(report.count(kind), kind) for kind in ("error", "warning", "hint"))
    held, read = len(report.in_machine), len(report.tools) + report.unread
    print(f"{', '.join(counts)}; {held:,} of {_counted(read, 'tool')} in the machine")


def _about(code: str) -> int:
    if code not in pages.ALL:
        raise UsageError(f"no check is called `{code[:20]}`", fix=f"use {', '.join(pages.ALL)}")
    print(pages.page(code), end="")
    return 0


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _sizes(report: Report, model: Model | None) -> list[str]:
    """A table: a row for each tool, the largest first."""
    from tooldec.views.table import aligned

    rows = sorted(sizes(report.tools, model), key=lambda size: -(size.states or 0))
    lines = [("tool", "states", *(("signature", "documented", "bare") if model is not None else ()))]
    for size in rows:
        tokens = (size.signature, size.documented, size.bare) if model is not None else ()
        lines.append((size.tool, *("–" if number is None else f"{number:,}" for number in (size.states, *tokens))))
    return [aligned(lines)]
