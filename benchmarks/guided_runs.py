"""Tool error exactly 0: many guided runs at a high temperature, judged by readers that know nothing of the machine.

    TOOLDEC_DATA=… python benchmarks/guided_runs.py --out guided.jsonl [--runs 2000] [--minutes 30] [--only embedded]

A cell is a model, a scheme and a start. The models are the model in the box and, for each tokenizer beside the data, a
small model of random weights, made on the way. A cell is one line; those that the file has already are left out, so a
run that was stopped goes on where it was. The exit code is 1 where any run has an error.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tooldec import Trace, build_fsm, decode, load_model, parse_tools
from tooldec.models import Model
from tooldec.reading import SYNTAX, judge
from tooldec.schemes import SCHEMES, LlamaJson, MistralJson

TOOLS = parse_tools(
    "def sq(x: int)\ndef add(a: int, b: float)\ndef sqrt(x: Literal['a', 'b'], y: bool = True)\ndef f()"
)
GIVEN = {"sq": "<T>sq(", "add": '{"name": "f"}', "sqrt": "\nAction: f", "f": 1}
"""Results that look like calls."""

WAYS: dict[str, Any] = {**SCHEMES, "llama": LlamaJson(), "mistral": MistralJson()}
SHARES = {"text": 4, "call": 1}
"""Of how many runs one begins so: most answers that begin with text never call, the less so with random weights."""

THOUGHT = "Thought: x\nAction:"
"""Random tokens hardly ever end a thought: ReAct's answers that begin with text begin with this one."""

LIMIT = {"react": 80}
USUAL_LIMIT = 40


def random_model(tokenizer: Path, folder: Path) -> str:
    """A folder with a Llama of random weights over a tokenizer's vocabulary; made where it isn't there yet."""
    place = folder / tokenizer.name
    if not (place / "config.json").is_file():
        read = AutoTokenizer.from_pretrained(tokenizer)
        torch.manual_seed(1)
        config = LlamaConfig(
            vocab_size=len(read), hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=2, max_position_embeddings=1024, initializer_range=0.4, tie_word_embeddings=False,
            bos_token_id=read.bos_token_id, eos_token_id=read.eos_token_id, pad_token_id=None,
        )  # fmt: skip
        read.save_pretrained(place)
        LlamaForCausalLM(config).save_pretrained(place)
    return str(place)


def models(folder: Path) -> Iterator[tuple[str, str]]:
    """Names of the table, and what `load_model` takes."""
    yield "embedded", "embedded"
    data = os.environ.get("TOOLDEC_DATA")
    tokenizers = Path(data).parent / "tokenizers" if data else None
    for tokenizer in sorted(tokenizers.iterdir()) if tokenizers and tokenizers.is_dir() else ():
        yield tokenizer.name, random_model(tokenizer, folder)


def cell(model: Model, way: str, start: Any, runs: int, temperature: float) -> dict[str, Any]:
    """Run one cell: what became of its answers, and the first answers with an error."""
    scheme = WAYS[way].for_model(model) if way in SCHEMES else WAYS[way]
    fsm = build_fsm(scheme.grammar(TOOLS, start, results=True), model.vocabulary)
    host, prompt = scheme.host(TOOLS, GIVEN), scheme.prompt(TOOLS, "What is 5 squared?")
    opening = model.tokenize(THOUGHT) if (way, start) == ("react", "text") else ()
    words: Counter[str] = Counter()
    wrong: list[dict[str, Any]] = []
    tokens, begun = 0, time.perf_counter()
    settings = {"max_tokens": LIMIT.get(way, USUAL_LIMIT), "temperature": temperature}
    for seed in range(runs):
        trace = Trace.collect(decode(model, fsm, prompt, seed=seed, host=host, opening=opening, **settings))
        verdict = judge(trace.text, scheme, TOOLS)
        words[verdict.word] += 1
        tokens += len(trace.steps)
        if verdict.word in SYNTAX and not (verdict.word == "cut off" and trace.end == "limit"):
            wrong.append({"seed": seed, "error": str(verdict.error), "text": trace.text})
    seconds = round(time.perf_counter() - begun, 1)
    return {
        "runs": runs,
        "errors": len(wrong),
        "words": dict(words),
        "tokens": tokens,
        "seconds": seconds,
        "wrong": wrong[:5],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="one JSON line per cell")
    parser.add_argument("--runs", type=int, default=2000, help="for each model and scheme")
    parser.add_argument("--temperature", type=float, default=1.5)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no cell after so long")
    parser.add_argument("--only", action="append", help="a model; may be given several times")
    parser.add_argument("--models", type=Path, default=Path(tempfile.gettempdir()) / "tooldec-random-models")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    lines = asked.out.read_text("utf-8").splitlines() if asked.out.is_file() else []
    done = {(line["model"], line["scheme"], line["start"]): line for line in map(json.loads, lines)}
    end = time.perf_counter() + 60 * asked.minutes
    with asked.out.open("a", encoding="utf-8") as file:
        for name, place in models(asked.models):
            cells = [(way, start) for way in WAYS for start in SHARES if (name, way, start) not in done]
            if not cells or (asked.only and name not in asked.only):
                continue
            model = load_model(place, "cpu")
            for way, start in cells:
                if time.perf_counter() > end:
                    break
                rest = sum(asked.runs // share for share in SHARES.values() if share > 1)
                runs = asked.runs // SHARES[start] if SHARES[start] > 1 else asked.runs - rest
                told = {"model": name, "scheme": way, "start": start, "temperature": asked.temperature}
                line = {**told, **cell(model, way, start, runs, asked.temperature)}
                done[name, way, start] = line
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                file.flush()
                print({key: value for key, value in line.items() if key != "wrong"}, flush=True)
    errors, runs = (sum(line[key] for line in done.values()) for key in ("errors", "runs"))
    print(f"{runs:,} guided runs in {len(done)} cells: {errors} with a tool error")
    return 1 if errors else 0


if __name__ == "__main__":
    raise SystemExit(main())
