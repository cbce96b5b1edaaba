"""Checks on tools: a table of checks with stable codes, and one kind of finding.

    check_tools("def square(side: int)\\ndef square(area: flaot)")
    → Report(findings=(Finding("E204", "error", 2, 18, "unknown type `flaot`", "use `float`; …", …), …), tools=…)

Codes: E error, W warning, H hint; 1xx names, 2xx types, 3xx values and schemas, 4xx bounds, 5xx documentation,
6xx tokens and sizes. A code never changes its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from tooldec.lint import documentation, keywords, names, patterns, reading, schemas, tokens, values
from tooldec.lint.finding import SHOWN, Check, Finding, Hit, Inventory, Severity
from tooldec.lint.places import Replacement
from tooldec.lint.tokens import Size, sizes
from tooldec.signatures import read_tools
from tooldec.tools import Tool

if TYPE_CHECKING:
    from tooldec.models import Model

__all__ = [
    "CHECKS",
    "SEVERITIES",
    "Check",
    "Finding",
    "Replacement",
    "Report",
    "Size",
    "apply",
    "check_inventory",
    "check_tools",
    "sizes",
]

CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        check.code: check
        for part in (reading, names, values, schemas, keywords, patterns, documentation, tokens)
        for check in part.CHECKS
    }
)
"""The checks by code."""

MANY = 4
"""A hint, or what is said of tokens, that fires so often, and for more than a third of the tools, is told once."""

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "hint")


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, in the order of the text; and the tools that could be read.

    refused     names of tools that were read and still aren't in the machine
    unread      how many tools could not be read, as far as the errors tell
    totals      by code how many findings there are; a check shows only the first SHOWN of its own
    """

    findings: tuple[Finding, ...]
    tools: tuple[Tool, ...]
    refused: tuple[str, ...]
    unread: int = 0
    totals: Mapping[str, int] = field(default_factory=dict)

    def folded(self) -> tuple[Finding, ...]:
        """The findings; of what many tools have only the first one, which counts the others.

        >>> [f.message for f in check_tools("\\n".join(f"def f{i:02}()" for i in range(30))).folded()]
        ['A tool without description: `f00` and 29 more']
        """
        many = max(MANY, len(self.tools) // 3 + 1)
        usual = {
            code: number
            for code, number in self.totals.items()
            if number >= many and (code[0] == "H" or code[1] == "6")
        }
        told: set[str] = set()
        found: list[Finding] = []
        for finding in self.findings:
            number = usual.get(finding.code)
            if number is None:
                found.append(finding)
            elif finding.code not in told:
                told.add(finding.code)
                message = f"{CHECKS[finding.code].title}: `{finding.tool}` and {number - 1:,} more"
                found.append(replace(finding, message=message, replacement=None))
        return tuple(found)

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
    return check_inventory(Inventory(text, *read_tools(text, format), model, format))


def check_inventory(inventory: Inventory) -> Report:
    """Check tools that were read before."""
    found, errors, model = inventory.tools, inventory.errors, inventory.model
    findings: list[Finding] = []
    totals: dict[str, int] = {}
    refused: set[str] = set()
    for check in CHECKS.values():
        if model is not None or not check.needs_model:
            hits = list(check.find(inventory))
            findings += _findings(check, inventory, hits)
            if hits:
                totals[check.code] = len(hits)
            if check.refuses:
                refused.update(hit.tool.name for hit in hits if hit.tool is not None)
    findings.sort(key=lambda finding: (finding.line, finding.column, SEVERITIES.index(finding.severity), finding.code))
    unread = sum(error.kind != "nothing" for error in errors) - sum(len(error.more) for error in errors)
    return Report(tuple(findings), found, tuple(sorted(refused)), unread, MappingProxyType(totals))


def _findings(check: Check, inventory: Inventory, hits: Sequence[Hit]) -> list[Finding]:
    """What a check shows of all that it has found."""
    found = [_finding(check, inventory, hit) for hit in hits[:SHOWN]]
    if len(hits) > SHOWN:
        more = Hit(check.more(len(hits) - SHOWN), "see the first ones", at=(found[-1].line, 1))
        found.append(_finding(check, inventory, more))
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
    kept: list[Replacement] = []
    for change in sorted(replacements, key=_span):
        if not kept or (_span(change)[:2] >= _span(kept[-1])[2:] and _span(change) != _span(kept[-1])):
            kept.append(change)
    for change in reversed(kept):
        before, after = lines[change.line - 1][: change.column - 1], lines[change.end_line - 1][change.end_column - 1 :]
        lines[change.line - 1 : change.end_line] = (before + change.text + after).split("\n")
    return "\n".join(lines)


def _span(change: Replacement) -> tuple[int, int, int, int]:
    return change.line, change.column, change.end_line, change.end_column
