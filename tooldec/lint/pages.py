"""A page for each check: what it says and why, a bad and a good example, which are its tests.

    page("W311") → "# W311 An enum value that stands twice\\n\\nA warning. …\\n\\n## Bad\\n\\n```\\n…"

`docs/checks/` holds them as files, the page in the browser and `tooldec check --about CODE` show them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tooldec.lint import CHECKS
from tooldec.lint.finding import Check

MANY_LINES = 20
"""Of an example with more lines that are alike the page has one, and says how often it stands."""

FROM_RUNS = Check(
    "W310",
    "warning",
    "An integer where the model wanted a number",
    "Only runs show it: in the questions that were asked in Check the model would have gone on with a point or an "
    "exponent, and the integer left that out.",
    "def exp(x: int)",
    "def exp(x: float)",
    lambda inventory: (),
    needs_model=True,
)
"""The finding that comes from runs alone (`answers/fights.py`)."""

ALL: Mapping[str, Check] = MappingProxyType(
    dict(sorted({**CHECKS, FROM_RUNS.code: FROM_RUNS}.items(), key=lambda c: c[0][1:]))
)
"""The checks that have a page, by number."""


def page(code: str) -> str:
    """The page of a check, in Markdown."""
    check = ALL[code]
    about = f"{'An' if check.severity == 'error' else 'A'} {check.severity}. {check.why}"
    if code == FROM_RUNS.code:
        about += " Whether it is found depends on the questions."
    elif check.needs_model:
        about += " It asks about the tokens of a model: `tooldec check --model M`."
    return f"# {code} {check.title}\n\n{about}\n\n## Bad\n\n{fenced(check.bad)}\n\n## Good\n\n{fenced(check.good)}\n"


def brief(text: str) -> str:
    """An example as people see it on the page: of very many lines the first ones."""
    lines = text.split("\n")
    return (
        text if len(lines) <= MANY_LINES else "\n".join([*lines[:3], f"… and {len(lines) - 3:,} more lines like these"])
    )


def fenced(text: str) -> str:
    """An example as a block; lines that differ by their number alone stand there once.

    >>> print(fenced("def add(a: int)"))
    ```
    def add(a: int)
    ```
    """
    lines = text.split("\n")
    pattern = lines[0].replace("0", "{i}", 1)
    if len(lines) > MANY_LINES and all(line == pattern.replace("{i}", str(i)) for i, line in enumerate(lines)):
        return f"```repeat={len(lines)}\n{pattern}\n```"
    return f"```\n{text}\n```"


def index() -> str:
    """The list of all pages."""
    rows = "\n".join(
        f"| [{check.code}]({check.code}.md) | {check.severity} | {check.title} |" for check in ALL.values()
    )
    return (
        "# Checks\n\nWhat `tooldec check` and the page's Check view find: E errors, W warnings, H hints; 1xx names, "
        "2xx types, 3xx values and schemas, 4xx bounds, 5xx documentation, 6xx tokens and sizes. A code never changes "
        "its meaning. Each has a page with a bad and a good example: the bad one is found and the good one isn't, "
        "which is its test. A block that says `repeat=2000` stands for so many lines, with `{i}` counting them.\n\n"
        f"| Code | | |\n|---|---|---|\n{rows}\n"
    )
