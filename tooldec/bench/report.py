"""From answers to the tables of the paper, as Markdown, with a curve where the number of tools grows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tooldec.bench.asking import Answer
from tooldec.bench.suite import Suite
from tooldec.reading import SYNTAX
from tooldec.views.plot import plot

ALL = "all"
"""What the families of a suite are called together."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What became of one family, asked in one way.

    right       questions answered right, in %, and the 95 % interval around it (Wilson's)
    tool_error  questions with at least one tool error, in % (section 4.1)
    errors      tool errors by class, in % of all calls (Figure 4)
    not_asked   questions that weren't asked: the prompt doesn't fit, or a schema can't be enforced; none is right
    unfinished  answers that the limit of tokens, or a result that nobody has, cut off
    prompt, tokens, asked, seconds      means over the questions that were asked
    """

    family: str
    tools: bool
    method: str
    count: int
    right: float
    low: float
    high: float
    tool_error: float
    errors: dict[str, float]
    not_asked: int
    unfinished: int
    prompt: float
    tokens: float
    asked: float
    seconds: float


def figures(answers: Iterable[Answer], whole: bool = False) -> list[Figures]:
    """The figures of each family and way, in the order in which they were asked first; `whole`: of ALL of them, too."""
    groups: dict[tuple[str, bool, str], list[Answer]] = {}
    for answer in answers:
        for family in (answer.family, ALL) if whole else (answer.family,):
            groups.setdefault((family, answer.tools, answer.method), []).append(answer)
    families = [*dict.fromkeys(family for family, _, _ in groups if family != ALL), ALL]
    order = sorted(groups, key=lambda key: families.index(key[0]))  # stable: ways stay as they were asked
    return [_figures(key, groups[key]) for key in order]


def _figures(key: tuple[str, bool, str], group: Sequence[Answer]) -> Figures:
    asked = [answer for answer in group if answer.tokens]
    errors = Counter(answer.error for answer in asked if answer.error)
    calls = sum(len(answer.calls) + bool(answer.error) for answer in asked)
    right = sum(answer.right for answer in group)
    low, high = interval(right, len(group))
    means = {
        name: round(sum(getattr(answer, name) for answer in asked) / max(len(asked), 1), 3)
        for name in ("prompt", "tokens", "asked", "seconds")
    }
    return Figures(
        *key,
        count=len(group),
        right=_percent(right, len(group)),
        low=low,
        high=high,
        tool_error=_percent(errors.total(), len(group)),
        errors={name: _percent(errors[name], calls) for name in SYNTAX},
        not_asked=len(group) - len(asked),
        unfinished=sum(answer.end not in ("eos", "call") for answer in asked),
        **means,
    )


def _percent(part: int, whole: int) -> float:
    return round(100 * part / max(whole, 1), 1)


def interval(right: int, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, in %.

    >>> interval(5, 34)
    (6.4, 30.1)
    """
    z, share = 1.96, right / count
    middle, width = share + z * z / (2 * count), z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    low, high = ((middle + sign * width) / (1 + z * z / count) for sign in (-1, 1))
    return round(100 * max(low, 0), 1), round(100 * min(high, 1), 1)


def report(suite: Suite, found: Sequence[Figures], about: str) -> str:
    """The suite's page: its figures, its errors by class, and what the paper reports."""
    head = ["questions", "tools in the prompt", "method", "n", f"{suite.measure} %", "95 %", "tool error %"]
    rows = [
        [
            *_way(row), str(row.count), f"{row.right:.1f}", f"{row.low:.1f}–{row.high:.1f}", f"{row.tool_error:.1f}",
            f"{row.prompt:.0f}", f"{row.tokens:.0f}", f"{row.seconds:.2f}", str(row.unfinished), str(row.not_asked),
        ]
        for row in found
    ]  # fmt: skip
    head += ["prompt", "answer", "s", "unfinished", "not asked"]
    errors = [[*_way(row), *(f"{row.errors[name]:.1f}" for name in SYNTAX)] for row in found]
    parts = [
        f"# {suite.title}",
        about,
        markdown(head, rows),
        "Prompt and answer: tokens. Unfinished: cut off by the limit of tokens, or by a result that nobody has. "
        "Not asked: the prompt doesn't fit into the model's context, or a schema can't be enforced; none is right.",
        "## Tool errors by class, in % of the calls",
        markdown(["questions", "tools in the prompt", "method", *SYNTAX], errors),
        "## What the paper reports, of its models",
        suite.paper.strip(),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _way(row: Figures) -> list[str]:
    return [row.family, "yes" if row.tools else "no", row.method]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown, its columns aligned so that it can be read as text, too."""
    table = [list(head), *map(list, rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    numbers = [all(row[column][:1].isdigit() for row in table[1:]) for column in range(len(head))]
    lines = []
    for row in table:
        cells = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numbers, strict=True)
        )
        lines.append(f"| {' | '.join(cells)} |")
    rule = ("-" * (width + 1) + (":" if right else "-") for width, right in zip(widths, numbers, strict=True))
    return "\n".join([lines[0], f"|{'|'.join(rule)}|", *lines[1:]])


def curve(suite: Suite, found: Sequence[Figures]) -> str | None:
    """The share of right answers against the number of tools, as SVG, for a suite whose lists grow (Figure 5)."""
    if not suite.grows or not found:
        return None
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in found:
        curves.setdefault(f"{row.method}{', listed' if row.tools else ''}", []).append((float(row.family), row.right))
    return plot({name: sorted(points) for name, points in curves.items()}, "tools", f"{suite.measure}, %", True)
