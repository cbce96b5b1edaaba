"""The commands of the command line, each in a file of its own; COMMANDS has a row for each.

Each module has `arguments(parser)`, which says what it takes, and `run(options)`, which gives the exit code. `serve`
takes its arguments as they are: `app.py` reads them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tooldec.commands import bench, check, graph, run, train, tune

__all__ = ["COMMANDS", "Command"]


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its line in the help, its arguments, and what it does."""

    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


COMMANDS: Mapping[str, Command] = {
    "run": Command("answer one question and print every step", run.arguments, run.run),
    "check": Command("find what is wrong with tools before a model meets them", check.arguments, check.run),
    "graph": Command(
        "draw the machine of a list of tools, or what one list adds to another", graph.arguments, graph.run
    ),
    "bench": Command("measure the paper's experiments on a model", bench.arguments, bench.run),
    "train": Command("train the model in the box and write it as a folder", train.arguments, train.run),
    "tune-token": Command("teach a model the token <T>, every other weight frozen", tune.arguments, tune.run),
}
"""name of a command -> the command."""
