"""Commands of the command line that have a file of their own; COMMANDS has a row for each.

Each module has `arguments(parser)`, which says what it takes, and `run(options)`, which gives the exit code.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tooldec.commands import check, graph

__all__ = ["COMMANDS", "Command"]


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its line in the help, its arguments, and what it does."""

    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


COMMANDS: Mapping[str, Command] = {
    "check": Command("find what is wrong with tools before a model meets them", check.arguments, check.run),
    "graph": Command(
        "draw the machine of a list of tools, or what one list adds to another", graph.arguments, graph.run
    ),
}
"""name of a command -> the command."""
