"""Tool error exactly 0: many guided runs at a high temperature, judged by readers that know nothing of the machine.

    TOOLDEC_DATA=… python benchmarks/guided_runs.py --out guided.jsonl [--runs 2000] [--minutes 30] [--only embedded]

A cell is a model, a scheme and how its answers begin:

    call    a call is forced
    led     the answer begins with some words and the marker of a call; then it goes on as it likes
    text    the model decides (the model in the box only: random tokens hardly ever spell a marker)

The models are the model in the box and, for each tokenizer beside the data, a small network of random weights. For each
model and scheme there are `--runs` answers that made a whole call; those that the token limit ends before are counted
beside, and judged, too. A cell is one line; those that the file has already are left out, so a run that was stopped
goes on where it was. The exit code is 1 where any run has an error.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from transformers import AutoTokenizer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tooldec import Trace, Vocabulary, build_fsm, decode, load_model, parse_tools
from tooldec.models import Model
from tooldec.models.encoder import Encoder
from tooldec.models.templated import Templated
from tooldec.outline import Outline
from tooldec.reading import SYNTAX, judge
from tooldec.schemes import FAMILIES, SCHEMES, Prompt
from tooldec.trace import Step

TOOLS = parse_tools(
    "def sq(x: int)\ndef add(a: int, b: float)\ndef sqrt(x: Literal['a', 'b'], y: bool = True)\ndef f()"
)
GIVEN = {"sq": "<T>sq(", "add": '{"name": "f"}', "sqrt": "\nAction: f", "f": 1}
"""Results that look like calls."""

WAYS: dict[str, Any] = {**SCHEMES, **FAMILIES}
SHARES = {"embedded": {"text": 0.25, "led": 0.25, "call": 0.5}, "random": {"led": 0.25, "call": 0.75}}
"""Which part of a way's runs begins how."""

WORDS = "It is "
THOUGHT = "Thought: x"
LIMITS = {"special_token": 80, "name_prompt": 80, "toolken": 80}
USUAL_LIMIT = 160
"""Tokens of an answer; more where calls are JSON, and as many as its letters for what a family writes around one."""

LONGEST_TEXT = 4
"""How many tokens of plain text random weights may write: they would never end it."""

MEMORY = 20_000
"""Beginnings whose scores are kept."""

PATIENCE = 8
"""A cell ends at so many runs for each call that it is to have, whatever came of them."""


class RandomModel(Templated):
    """A recurrent network of random weights over a tokenizer's vocabulary.

    Thousands of tokens go on with a number and few end it, so tokens of one byte are likelier.
    """

    device, dtype, context = "cpu", "float32", 4096

    def __init__(self, folder: Path) -> None:
        self.name, tokenizer = folder.name, AutoTokenizer.from_pretrained(folder)
        super().__init__(tokenizer, Vocabulary.from_tokenizer(tokenizer, len(tokenizer)))
        self._encoder, random = Encoder(tokenizer, self.vocabulary), torch.Generator().manual_seed(1)
        self.entering, self.leaving = torch.randn(2, self.vocabulary.size, 16, generator=random)  # (V, 16) each
        self.mixing = torch.randn(16, 16, generator=random) / 4
        spellings = map(self.vocabulary.spelling, range(self.vocabulary.size))
        self.bias = torch.tensor([6.0 if len(spelling or "") == 1 else 0.0 for spelling in spellings])  # (V,)

    def tokenize(self, text: str) -> list[int]:
        return self._encoder.continuation(text)

    def start(self, prompt: Prompt | str) -> RandomSession:
        return RandomSession(self, prompt if isinstance(prompt, str) else prompt.answer_prefix)


class RandomSession:
    """Keeps the network's state, 16 numbers."""

    def __init__(self, model: RandomModel, prefix: str) -> None:
        self.prefix, self.room, self._model, self._hidden = prefix, model.context, model, torch.zeros(16)

    def append(self, ids: Iterable[int]) -> None:
        for token in ids:
            self.room -= 1
            self._hidden = torch.tanh(self._model.mixing @ self._hidden + self._model.entering[token])

    def logits(self) -> torch.Tensor:
        return torch.addmv(self._model.bias, self._model.leaving, self._hidden)


class Remembering:
    """A model that answers from memory where an answer has begun as another one did: the same scores, sooner."""

    def __init__(self, model: Model) -> None:
        self._model, self.scores = model, dict[tuple[int, ...], torch.Tensor]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def start(self, prompt: Prompt | str) -> RememberingSession:
        return RememberingSession(self._model.start(prompt), self.scores)


class RememberingSession:
    """Reads what it hasn't read yet when it meets something new."""

    def __init__(self, session: Any, scores: dict[tuple[int, ...], torch.Tensor]) -> None:
        self.prefix, self._session, self._scores = session.prefix, session, scores
        self._tokens: list[int] = []
        self._read = 0

    @property
    def room(self) -> int:
        return int(self._session.room) - (len(self._tokens) - self._read)

    def append(self, ids: Iterable[int]) -> None:
        self._tokens.extend(ids)

    def logits(self) -> torch.Tensor:
        key = tuple(self._tokens)
        if (known := self._scores.get(key)) is not None:
            return known
        self._session.append(self._tokens[self._read :])
        self._read = len(self._tokens)
        scores: torch.Tensor = self._session.logits()
        if len(self._scores) < MEMORY:
            self._scores[key] = scores
        return scores


def models() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Names of the table, and how the model is made: what decoding needs of one."""
    yield "embedded", partial(load_model, "embedded", "cpu")
    data = os.environ.get("TOOLDEC_DATA")
    tokenizers = Path(data).parent / "tokenizers" if data else None
    for tokenizer in sorted(tokenizers.iterdir()) if tokenizers and tokenizers.is_dir() else ():
        yield tokenizer.name, partial(RandomModel, tokenizer)


def opening(model: Model, scheme: Any, way: str, number: int) -> list[int]:
    """The tokens of some words and of a call's beginning."""
    if way == "react":
        return model.tokenize(f"{THOUGHT}\nAction:")
    if way in ("llama", "harmony", "pythonic"):  # the answer begins with the call
        return model.tokenize(scheme.marker)
    if way == "toolken" and not (scheme.tokens & {f"<{tool.name}>" for tool in TOOLS}):
        return model.tokenize(f"{WORDS}<{TOOLS[number % len(TOOLS)].name[0]}")
    marker = model.vocabulary.ids(scheme.marker)
    return model.tokenize(WORDS) + list(marker[:1]) if marker else model.tokenize(WORDS + scheme.marker)


def limit_of(way: str) -> int:
    """The tokens of an answer: a vocabulary without a family's special tokens spells them."""
    frame = getattr(WAYS[way], "frame", None)
    around = (piece for piece in astuple(frame) if isinstance(piece, str)) if frame else ()
    return LIMITS.get(way, USUAL_LIMIT) + sum(len(piece.encode()) for piece in around)


def watched(steps: Iterator[Step], longest: int | None) -> Iterator[Step]:
    """The steps, up to where the model has written so much plain text."""
    written = 0
    for step in steps:
        yield step
        written += step.mode == "text" and step.writer == "model"
        if written == longest:
            return


def called(trace: Trace) -> str:
    """The answer up to the end of its last whole call; empty where there is none."""
    if trace.finished:
        return trace.text
    after = [step.text for before, step in pairwise(trace.steps) if before.mode == "result" != step.mode]
    return after[-1] if after else ""


def judged(text: str, scheme: Any) -> str:
    """The verdict's word. A call in another scheme's form is text for the machine, no error of the call's."""
    verdict = judge(text, scheme, TOOLS)
    return "another form" if verdict.stray else verdict.word


def cell(model: Any, way: str, begin: str, runs: int, temperature: float) -> dict[str, Any]:
    """Run one cell: what became of its answers, and the first answers with an error."""
    scheme = WAYS[way].for_model(model) if way in SCHEMES else WAYS[way]
    start: Any = "call" if begin == "call" else "text"
    fsm = build_fsm(scheme.grammar(TOOLS, start, results=True), model.vocabulary)
    host, prompt, outline = scheme.host(TOOLS, GIVEN), scheme.prompt(TOOLS, "What is 5 squared?"), Outline(fsm)
    asked: Any = Remembering(model) if model.name == "embedded" else model
    words: Counter[str] = Counter()
    wrong: list[dict[str, Any]] = []
    tokens, calls, seed, begun = 0, 0, 0, time.perf_counter()
    settings: dict[str, Any] = {
        "max_tokens": limit_of(way),
        "temperature": temperature,
        "candidates": False,
    }
    while (seed if begin == "text" else calls) < runs and seed < PATIENCE * runs:
        first = opening(model, scheme, way, seed) if begin == "led" else []
        longest = LONGEST_TEXT + len(first) if begin == "led" and model.name != "embedded" else None
        steps = decode(asked, fsm, prompt, seed=seed, host=host, outline=outline, opening=first, **settings)
        trace = Trace.collect(watched(steps, longest))
        word, whole = judged(trace.text, scheme), called(trace)
        made = judged(whole, scheme) if whole else "none"
        cut = word == "cut off" and not trace.finished
        words["cut off before a whole call" if cut and made == "none" else made if cut else word] += 1
        tokens, calls, seed = tokens + len(trace.steps), calls + ("valid" in (made, word)), seed + 1
        if made in SYNTAX or (word in SYNTAX and not cut):
            error = str(judge(trace.text, scheme, TOOLS).error)
            wrong.append({"seed": seed - 1, "error": error, "whole": made, "text": trace.text})
    seconds = round(time.perf_counter() - begun, 1)
    return {
        "runs": seed,
        "calls": calls,
        "errors": len(wrong),
        "words": dict(words),
        "tokens": tokens,
        "seconds": seconds,
        "wrong": wrong[:5],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="one JSON line per cell")
    parser.add_argument("--runs", type=int, default=2000, help="for each model and scheme, with a whole call")
    parser.add_argument("--temperature", type=float, default=1.5)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no cell after so long")
    parser.add_argument("--only", action="append", help="a model; may be given several times")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    lines = asked.out.read_text("utf-8").splitlines() if asked.out.is_file() else []
    done = {(line["model"], line["scheme"], line["start"]): line for line in map(json.loads, lines)}
    end = time.perf_counter() + 60 * asked.minutes
    with asked.out.open("a", encoding="utf-8") as file:
        for name, make in models():
            shares = SHARES.get(name, SHARES["random"])
            cells = [(way, begin) for way in WAYS for begin in shares if (name, way, begin) not in done]
            if not cells or (asked.only and name not in asked.only):
                continue
            model = make()
            for way, begin in cells:
                if time.perf_counter() > end:
                    break
                told = {"model": name, "scheme": way, "start": begin, "temperature": asked.temperature}
                line = {**told, **cell(model, way, begin, round(asked.runs * shares[begin]), asked.temperature)}
                done[name, way, begin] = line
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
                file.flush()
                print({key: value for key, value in line.items() if key != "wrong"}, flush=True)
    errors, runs, calls = (sum(line[key] for line in done.values()) for key in ("errors", "runs", "calls"))
    print(f"{runs:,} guided runs in {len(done)} cells, {calls:,} with a whole call: {errors} with a tool error")
    return 1 if errors else 0


if __name__ == "__main__":
    raise SystemExit(main())
