"""{"ask": "check"}: what is wrong with the tools, and what fixes would change; {"ask": "sizes"}: what each costs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from time import perf_counter
from typing import Any

from tooldec.errors import ToolDecError
from tooldec.lint import CHECKS, SEVERITIES, Finding, Report, apply, check_inventory, sizes
from tooldec.lint.finding import Inventory
from tooldec.lint.pages import ALL, FROM_RUNS, brief
from tooldec.models import Model
from tooldec.page.prepared import Message, loaded, read
from tooldec.page.request import Request
from tooldec.signatures import FORMATS, format_of

SENT = 300
"""How many findings of one code the page gets; the others are counted."""

LISTED = 2_500
"""How many tools the list of sizes has."""

LONG = 400_000
"""Characters; a longer text isn't checked a second time with its fixes."""

_NAME = re.compile(r"([A-Za-z_$][\w.$-]*)\s*[(<]|\"name\"\s*:\s*\"([^\"\\]{1,80})\"")


def answer(data: Mapping[str, Any]) -> Message:
    """The findings in the order of the text, with counts; `after` tells what the fixes would leave."""
    request = Request.read(data)
    how = (request.tools_format, request.model, _model(request.model) is not None, request.documentation)
    report, seconds = _report(request.tools, *how)
    findings = list(_sent(report))
    format = format_of(request.tools) if request.tools_format == "auto" else request.tools_format
    changes = [finding.replacement for finding in report.findings if finding.replacement is not None]
    after = None
    if changes and len(request.tools) <= LONG:
        after = _figures(_report(apply(request.tools, changes), *how)[0])
    return {
        "kind": "check",
        "findings": findings,
        **_figures(report),
        "fixes": len(set(changes)),
        "after": after,
        "missing": _missing(report, request.tools, format),
        "format": FORMATS[format].title,
        "pages": {code: _page(code) for code in (*sorted({f.code for f in report.findings}), FROM_RUNS.code)},
        "milliseconds": 1000 * seconds,
    }


@lru_cache(maxsize=8)
def _report(tools: str, format: str, name: str, known: bool, listed: bool) -> tuple[Report, float]:
    """The report on a text, and the seconds that it took; without a look at tokens where the model isn't known."""
    model, started = loaded(name) if known else None, perf_counter()
    found = read(Request(tools=tools, tools_format=format))
    return check_inventory(Inventory(tools, *found, model, format, listed)), perf_counter() - started


def _model(name: str) -> Model | None:
    """The model whose tokens are looked at; None where it can't be had, which drawing tells."""
    try:
        return loaded(name)
    except ToolDecError:
        return None


def _figures(report: Report) -> Message:
    found = report.folded()
    counts = {severity: sum(finding.severity == severity for finding in found) for severity in SEVERITIES}
    codes = sorted({finding.code for finding in found})
    read = len(report.tools) + report.unread
    return {"counts": counts, "codes": codes, "in_machine": len(report.in_machine), "tools": read}


def _sent(report: Report) -> list[Message]:
    """The findings as JSON, at most SENT of each code: then one that counts the rest."""
    kept: dict[str, int] = {}
    sent: list[Message] = []
    for finding in report.folded():
        kept[finding.code] = kept.get(finding.code, 0) + 1
        if kept[finding.code] <= SENT:
            sent.append(finding.to_json())
    for code, number in kept.items():
        if number > SENT:
            last = next(one for one in reversed(sent) if one["code"] == code)
            message = CHECKS[code].more(number - SENT)
            sent.append({**last, "message": message, "fix": "mend the first ones and see", "replacement": None})
    return sent


def _page(code: str) -> Message:
    check = ALL[code]
    return {"title": check.title, "why": check.why, "bad": brief(check.bad), "good": brief(check.good)}


def _missing(report: Report, text: str, format: str) -> list[Message]:
    """The tools that aren't in the machine, with the code that says why."""
    lines = text.split("\n")
    is_program = format == "zod"  # a tool's name stands lines above its types there
    missing: list[Message] = []
    for finding in islice((f for f in report.findings if f.severity == "error" or ALL[f.code].refuses), 50):
        name = finding.tool or ("" if is_program else _name(finding, lines))
        missing.append({"name": name, "line": finding.line, "code": finding.code})
    return missing


def _name(finding: Finding, lines: list[str]) -> str:
    found = _NAME.search(lines[min(finding.line, len(lines)) - 1])
    return (found[1] or found[2]) if found else ""


def weigh(data: Mapping[str, Any]) -> Message:
    """What each tool costs: states of its own, and tokens of its entry in a prompt; the first LISTED ones."""
    request = Request.read(data)
    model = _model(request.model)
    tools = read(request)[0][:LISTED]
    rows = [
        {"tool": s.tool, "states": s.states, "signature": s.signature, "documented": s.documented, "bare": s.bare}
        for s in sizes(tools, model)
    ]
    return {"kind": "sizes", "rows": rows}
