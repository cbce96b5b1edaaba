"""RestBench (Song et al., 2023): requests to the web services TMDB and Spotify; section 5.2, Table 5.

Read are `restbench_{tmdb,spotify}_tools.jsonl` (operations as tools: name, description, parameters) and
`restbench_{tmdb,spotify}_queries.jsonl` (query, and gold_names: the path of calls that answers it). No service is
asked: each call returns `ok`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from pathlib import Path

from tooldec.bench.cases import Case, rows, tools_of
from tooldec.bench.suite import Suite
from tooldec.tools import ToolCall

SERVICES = ("tmdb", "spotify")

PAPER = """
| Table 5, TMDB | correct path % | prompt tokens |
|---|---|---|
| RestGPT (Vicuna) with documentation in the prompt | 15.0 | 1974 |
| RestGPT + ToolDec without | 23.0 | 880 |
"""


def cases(folder: Path) -> Iterator[Case]:
    """The requests to both services, each over all operations of its service."""
    for service in SERVICES:
        tools = tools_of(folder, f"restbench_{service}_tools.jsonl")
        for query, path in rows(folder, f"restbench_{service}_queries.jsonl", itemgetter("query", "gold_names")):
            yield Case(tools, query, tuple((name, {}, "ok") for name in path), service)


def _right(case: Case, calls: Sequence[ToolCall], text: str) -> bool:
    """The correct path: the wanted calls in their order, whatever other calls stand between them."""
    made = iter([call.name for call in calls])
    return all(name in made for name, _, _ in case.calls)


SUITE = Suite(
    "RestBench: section 5.2, Table 5",
    cases,
    _right,
    "correct path",
    listed=(True, False),
    methods=("unguided", "guided", "weighed", "shortlist"),
    paper=PAPER,
)
