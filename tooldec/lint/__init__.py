"""Checks on tools: a table of checks with stable codes, and one kind of finding.

    check_tools("def square(side: int)\\ndef square(area: flaot)")
    → Report(findings=(Finding("E204", "error", 2, 18, "unknown type `flaot`", "use `float`; …", …), …), tools=…)

Codes: E error, W warning, H hint; 1xx names, 2xx types, 3xx values and schemas, 4xx bounds, 5xx documentation,
6xx tokens and sizes. A code never changes its meaning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from tooldec.lint import documentation, names, reading, schemas, tokens, values
from tooldec.lint.finding import SHOWN, Check, Finding, Hit, Inventory, Replacement, Severity
from tooldec.lint.tokens import Size, sizes
from tooldec.signatures import read_tools
from tooldec.tools import Tool

if TYPE_CHECKING:
    from tooldec.models import Model

__all__ = ["CHECKS", "Check", "Finding", "Replacement", "Report", "Size", "apply", "check_tools", "sizes"]

CHECKS: Mapping[str, Check] = MappingProxyType(
    {check.code: check for part in (reading, names, values, schemas, documentation, tokens) for check in part.CHECKS}
)
"""The checks by code."""

_ORDER: Mapping[Severity, int] = {"error": 0, "warning": 1, "hint": 2}


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, in the order of the text; and the tools that could be read.

    refused     names of tools that were read and still aren't in the machine
    unread      how many tools could not be read, as far as the errors tell
    """

    findings: tuple[Finding, ...]
    tools: tuple[Tool, ...]
    refused: tuple[str, ...]
    unread: int = 0

    @property
    def errors(self) -> int:
        return self.count("error")

    def count(self, severity: Severity) -> int:
        """How many findings of one severity there are."""
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def in_machine(self) -> tuple[Tool, ...]:
        """The tools that a model can call."""
        return tuple(tool for tool in self.tools if tool.name not in self.refused)


def check_tools(text: str, format: str = "auto", model: Model | None = None) -> Report:
    """Check the tools of a text; with a model, also what its vocabulary makes of them.

    >>> [(f.code, f.line, f.column) for f in check_tools("def exp(x: int)\\ndef exp(x: flaot)").findings][:1]
    [('H502', 1, 5)]
    """
    found, errors = read_tools(text, format)
    inventory = Inventory(text, found, errors, model)
    findings: list[Finding] = []
    for check in CHECKS.values():
        if model is not None or not check.needs_model:
            findings += _findings(check, inventory)
    findings.sort(key=lambda finding: (finding.line, finding.column, _ORDER[finding.severity], finding.code))
    refused = {f.tool for f in findings if f.code in ("E320", "E321", "E610") and f.tool is not None}
    return Report(tuple(findings), found, tuple(sorted(refused)), len(errors))


def _findings(check: Check, inventory: Inventory) -> list[Finding]:
    found: list[Finding] = []
    more: Counter[str] = Counter()
    for hit in check.find(inventory):
        if len(found) < SHOWN:
            found.append(_finding(check, inventory, hit))
        else:
            more[check.code] += 1
    if more:
        message = f"{more[check.code]:,} more of this kind: {check.title[:1].lower()}{check.title[1:]}"
        found.append(_finding(check, inventory, Hit(message, "see the first ones", at=(found[-1].line, 1))))
    return found


def _finding(check: Check, inventory: Inventory, hit: Hit) -> Finding:
    line, column, length = inventory.place(hit)
    tool = hit.tool.name if hit.tool is not None else None
    place = (line, column, hit.message, hit.fix, tool, hit.parameter, length, hit.replacement)
    return Finding(check.code, check.severity, *place)


def apply(text: str, replacements: list[Replacement]) -> str:
    """The text with the changes made; of changes that overlap the first one counts.

    >>> apply("def f(a: flaot)", [Replacement(1, 10, 1, 15, "float")])
    'def f(a: float)'
    """
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    last = (len(lines) + 1, 1)
    for change in sorted(set(replacements), key=lambda r: (r.line, r.column, r.text), reverse=True):
        if (change.end_line, change.end_column) > last:
            continue
        last = (change.line, change.column)
        before, after = lines[change.line - 1][: change.column - 1], lines[change.end_line - 1][change.end_column - 1 :]
        lines[change.line - 1 : change.end_line] = (before + change.text + after).split("\n")
    return "\n".join(lines)
