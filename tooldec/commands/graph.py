"""`tooldec graph --tools FILE --out FILE.{svg,png,dot,graphml,json}`: the machine as a picture or as data.

With `--diff OLD` the states that FILE adds to OLD keep to themselves: they get new numbers, and are marked (Figure 3).
Without `--model` the machine is drawn over bytes, with the scheme's markers as tokens; the drawing is the same.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tooldec.commands import files
from tooldec.errors import UsageError
from tooldec.mentions import mentioned
from tooldec.outline import Outline
from tooldec.schemes import SCHEMES, Scheme
from tooldec.signatures import FORMATS, parse_tools
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.vocabulary import Vocabulary


def arguments(parser: argparse.ArgumentParser) -> None:
    from tooldec.views.export import WRITERS

    parser.add_argument("--tools", required=True, metavar="FILE", help="signatures; - reads standard input")
    parser.add_argument("--format", choices=["auto", *FORMATS], default="auto", help="how the tools are written")
    parser.add_argument("--scheme", choices=list(SCHEMES), default="special_token")
    parser.add_argument("--start", choices=["text", "call"], default="text")
    parser.add_argument("--results", action="store_true", help="with the states in which the host writes results")
    parser.add_argument("--model", help="over its vocabulary: embedded, toy, a hub id or a folder")
    parser.add_argument("--diff", metavar="OLD", help="mark what the tools add to those of this file")
    parser.add_argument("--out", required=True, metavar="FILE", help=f"ends with {', '.join(WRITERS)}")


def run(options: argparse.Namespace) -> int:
    from tooldec.views.export import WRITERS, changes

    out = Path(options.out)
    if out.suffix.lower() not in WRITERS:
        raise UsageError(f"`{out.name}` doesn't say which kind of file", fix=f"end it with {', '.join(WRITERS)}")
    files.check_writable(out)
    vocabulary = None
    scheme = SCHEMES[options.scheme]
    if options.model is not None:
        from tooldec.models import load_model

        model = load_model(options.model)
        scheme, vocabulary = scheme.for_model(model), model.vocabulary
    found = None
    if options.diff is not None:
        old = Outline(
            _machine(options.diff, argparse.Namespace(**{**vars(options), "format": "auto"}), scheme, vocabulary)
        )
        outline = Outline(_machine(options.tools, options, scheme, vocabulary), base=old.name_numbers)
        found = changes(old.view(), outline.view())
    else:
        outline = Outline(_machine(options.tools, options, scheme, vocabulary))
    data = WRITERS[out.suffix.lower()](outline, found.new if found else (), found)
    try:
        out.write_bytes(data)
    except OSError as error:
        raise files.unwritable(out, error.strerror) from None
    view = outline.view()
    print(f"{out}: {view.states} states, {view.transitions} transitions", file=sys.stderr)
    if found is not None:
        boxes = {box.id: box for box in view.boxes}
        for word, ids in (("new", found.new), ("changed", found.changed)):
            for box in (boxes[one] for one in ids):
                print(f"{word}: {box.name} {box.entered or box.label.parameter or box.kind}", file=sys.stderr)
        for name in found.gone:
            print(f"gone: {name}", file=sys.stderr)
    return 0


def _machine(file: str, options: argparse.Namespace, scheme: Scheme, vocabulary: Vocabulary | None) -> TokenFSM:
    text = files.read(file)
    with files.in_file(file):
        grammar = scheme.grammar(parse_tools(text, options.format), start=options.start, results=options.results)
    return build_fsm(grammar, vocabulary or spelled(mentioned(grammar)))


def spelled(markers: frozenset[str]) -> Vocabulary:
    """A vocabulary of all bytes and these markers."""
    names = sorted(marker for marker in markers if marker)
    return Vocabulary([*(bytes([byte]) for byte in range(256)), *names, "<EOS>"], eos=[256 + len(names)])
