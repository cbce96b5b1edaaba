"""How many model steps a JSON call costs where forced text is fast-forwarded.

    TOOLDEC_DATA=… python benchmarks/fast_forward.py [--limit 100] [--tools 10] [--vocabularies gpt2-50k]

The gold calls of BFCL, each among so many tools, are written by a model that knows them: unguided it takes one step
for each of the tokenizer's own tokens; guided, only where the machine leaves a choice (`decode(fast_forward=True)`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from completeness import canonical
from schemas import data_folder, vocabularies

from tooldec.choosing.spelling import forced_tokens
from tooldec.errors import ToolDecError
from tooldec.schemes import SCHEMES
from tooldec.signatures import parse_tools
from tooldec.token_fsm import TokenFSM, build_fsm
from tooldec.vocabulary import Vocabulary


def calls(tools: int) -> Iterator[tuple[list[Any], str]]:
    """For each gold call the functions among which it is made, and its text in the Hermes form."""
    rows = [json.loads(line) for line in (data_folder() / "bfcl_single.jsonl").read_text("utf-8").splitlines()]
    for number, row in enumerate(rows):
        names, functions = {one["name"] for one in row["functions"]}, list(row["functions"])
        for other in rows[number + 1 :] + rows[:number]:
            for one in other["functions"]:
                if len(functions) < tools and one["name"] not in names:
                    names.add(one["name"])
                    functions.append(one)
        for gold in row["ground_truth"]:
            for name, arguments in gold.items():
                declared = (one["parameters"]["properties"] for one in row["functions"] if one["name"] == name)
                order: Mapping[str, Any] = next(declared, {})
                given = {key: arguments[key][0] for key in order if arguments.get(key) and arguments[key][0] != ""}
                call = json.dumps({"name": name, "arguments": given}, ensure_ascii=False)
                yield functions, f"<tool_call>\n{call}\n</tool_call>"


def steps(fsm: TokenFSM, tokenizer: Any, text: bytes) -> int | None:
    """How often the model is asked on the way through a text; None where the machine doesn't let it through."""

    def tokenize(piece: str) -> list[int]:
        return canonical(tokenizer, fsm.vocabulary, piece.encode()) or []

    state: int | None = fsm.initial
    forced: list[int] = []
    asked = at = 0
    while at < len(text):
        assert state is not None
        allowed = fsm.allowed(state)
        if int(allowed.sum()) == 1:
            forced.clear()
            token = int(allowed.argmax())
        elif forced or (forced := forced_tokens(fsm, state, tokenize)):
            token = forced.pop(0)
        else:
            asked += 1
            own = canonical(tokenizer, fsm.vocabulary, text[at:])
            if not own:
                return None
            token = own[0]
        spelling = fsm.vocabulary.spelling(token)
        piece = spelling.encode() if isinstance(spelling, str) else spelling or b""
        state = fsm.step(state, token)
        if state is None or text[at : at + len(piece)] != piece:
            return None
        at += len(piece)
    return asked


def count(tokenizer: Any, vocabulary: Vocabulary, tools: int, limit: int) -> Counter[str]:
    """Over so many gold calls: `calls` and their `tokens`, how often the model is `asked`, and calls `left out`."""
    counts: Counter[str] = Counter()
    for functions, text in islice(calls(tools), limit):
        try:
            grammar = SCHEMES["json_tags"].grammar(parse_tools(json.dumps(functions)), "call")
        except ToolDecError:
            counts["left out"] += 1
            continue
        own = canonical(tokenizer, vocabulary, text.encode())
        asked = steps(build_fsm(grammar, vocabulary), tokenizer, text.encode()) if own else None
        if asked is None or own is None:
            counts["left out"] += 1  # the gold call breaks its own schema, or the tokenizer changes its text
        else:
            counts.update(calls=1, tokens=len(own), asked=asked)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=1_000_000)
    parser.add_argument("--tools", type=int, default=10, help="how many tools the machine has")
    parser.add_argument("--vocabularies", nargs="*")
    options = parser.parse_args()
    for name, tokenizer, vocabulary in vocabularies(options.vocabularies):
        counts = count(tokenizer, vocabulary, options.tools, options.limit)
        print(name, dict(counts), f"share {counts['asked'] / max(1, counts['tokens']):.2f}", flush=True)


if __name__ == "__main__":
    main()
