"""The command line: the commands of `tooldec.commands`, and what goes wrong in them, in one line.

Exit codes: 0 fine, 1 the input has errors (one line each on stderr, with the place), 2 wrong usage.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from tooldec import __version__
from tooldec.commands import COMMANDS, serve
from tooldec.errors import ToolDecError, UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; never a traceback for a user's mistake."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # a terminal that can't show ␣ gets an escape
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # not where it is replaced
    try:
        code = _command(arguments)
        sys.stdout.flush()
        return code
    except UsageError as error:
        _complain(error)
        return 2
    except ToolDecError as error:
        _complain(error)
        return 1
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("tooldec: interrupted", file=sys.stderr)
        return 130


def _command(arguments: list[str]) -> int:
    if arguments[:1] == ["serve"]:
        return serve.run(arguments[1:])
    options = _parser(arguments[:1]).parse_args(arguments)
    return COMMANDS[options.command].run(options)


def _parser(chosen: Sequence[str]) -> argparse.ArgumentParser:
    """Reads all commands, and the arguments of the one that was chosen: those of others needn't be there."""
    parser = argparse.ArgumentParser(prog="tooldec", description="Tool calls without syntax errors.")
    parser.add_argument("--version", action="version", version=f"tooldec {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        own = commands.add_parser(name, help=command.help, description=command.help)
        if name in chosen:
            command.arguments(own)
    commands.add_parser("serve", help="the page, as app.py", add_help=False)
    return parser


def _complain(error: ToolDecError) -> None:
    """One line on stderr: `tooldec: tools.py: line 2, column 9: unknown type `strng`; use `str``."""
    places = "".join(f"{note}: " for note in getattr(error, "__notes__", ()))
    print("tooldec: " + " ".join(f"{places}{error}".split()), file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
