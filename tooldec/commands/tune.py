"""`tooldec tune-token`: teach a causal language model the token `<T>` by one row of its embedding."""

from __future__ import annotations

import argparse
from pathlib import Path

from tooldec.commands import files
from tooldec.errors import UsageError


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", required=True, help="a hub id or a folder")
    parser.add_argument("--examples", required=True, metavar="FILE", help="tools, question and answer, a JSON a line")
    parser.add_argument("--out", required=True, metavar="DIR", help="the tuned model")
    parser.add_argument("--per-tool", action="store_true", help="the baseline: a token for each tool that is called")
    parser.add_argument("--no-docs", action="store_true", help="leave the tools out of the prompts")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="auto", help="auto, cuda, mps or cpu")


def run(options: argparse.Namespace) -> int:
    from tooldec.models import load_model
    from tooldec.models.huggingface import HuggingFaceModel
    from tooldec.training import tuning

    if options.steps < 1 or not options.rate > 0:
        raise UsageError("there must be a step and a rate above 0", fix="leave out --steps and --rate")
    text = files.read(options.examples)
    with files.in_file(options.examples):
        examples = tuning.read_examples(text)
    model = load_model(options.model, options.device)
    if not isinstance(model, HuggingFaceModel):
        raise UsageError(f"`{options.model}` has no weights to learn", fix="name a hub id or a folder")
    names = sorted({tool.name for example in examples for tool in example.tools}) if options.per_tool else ()
    settings = {key: getattr(options, key) for key in ("steps", "rate", "seed")}
    losses = tuning.tune(model, examples, names, listed=not options.no_docs, **settings)
    folder = tuning.save(model, Path(options.out))
    print(f"Loss {losses[0]:.3f} before and {losses[-1]:.3f} after {len(losses)} steps; the model is in {folder}")
    return 0
