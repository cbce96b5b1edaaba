"""Tool error exactly 0: guided runs at temperature 1.5 with a model of random weights, judged by the reader."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import tiny
import torch

from tooldec import Trace, build_fsm, decode, load_model, parse_tools
from tooldec.models import Model
from tooldec.reading import judge
from tooldec.schemes import SCHEMES, LlamaJson, MistralJson

TOOLS = parse_tools(
    "def sq(x: int)\ndef add(a: int, b: float)\ndef sqrt(x: Literal['a', 'b'], y: bool = True)\ndef f()"
)
WAYS: dict[str, Any] = {**SCHEMES, "llama": LlamaJson(), "mistral": MistralJson()}
RUNS = {"text": 40, "call": 160}
GIVEN = {"sq": "<T>sq(", "add": '{"name": "f"}', "sqrt": "\nAction: f", "f": 1}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder: Path = tiny.save(tmp_path_factory.mktemp("tiny"), tiny.byte_level(), context=1024)
    torch.set_num_threads(1)
    return load_model(str(folder), "cpu")


class Thinker:
    """The model, led through its thoughts: random tokens would hardly ever write the line break and `Action:`."""

    def __init__(self, model: Model) -> None:
        self.model, self.vocabulary, self.name, self.tokenize = model, model.vocabulary, "thinker", model.tokenize

    def start(self, prompt: Any) -> Thoughts:
        return Thoughts(self.model.start(prompt), self.model.tokenize("Thought: x\nAction:"))


class Thoughts:
    prefix = ""

    def __init__(self, session: Any, plan: list[int]) -> None:
        self.session, self.plan, self.todo = session, plan, list(plan)

    @property
    def room(self) -> int:
        return int(self.session.room)

    def logits(self) -> torch.Tensor:
        scores: torch.Tensor = self.session.logits().clone()
        if self.todo:
            scores[self.todo[0]] += 1000
        return scores

    def append(self, ids: Any) -> None:
        ids = list(ids)
        self.todo = list(self.plan) if len(ids) > 1 else self.todo[1:]  # the host writes several at once
        self.session.append(ids)


@pytest.mark.slow
@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("start", ["text", "call"])
def test_no_guided_run_has_an_error(model: Model, way: str, start: Any) -> None:
    """A run that the limit cuts off may end inside of a call; every other one is valid or has no call."""
    scheme = WAYS[way].for_model(model) if way in SCHEMES else WAYS[way]
    asked: Any = Thinker(model) if way == "react" else model
    fsm = build_fsm(scheme.grammar(TOOLS, start, results=True), model.vocabulary)
    host = scheme.host(TOOLS, GIVEN)
    words: Counter[str] = Counter()
    limit = 80 if way == "react" else 40
    for seed in range(RUNS[start]):
        trace = Trace.collect(decode(asked, fsm, "Q: ?\nA:", max_tokens=limit, temperature=1.5, seed=seed, host=host))
        verdict = judge(trace.text, scheme, TOOLS)
        words[verdict.word] += 1
        assert verdict.word in ("valid", "none", "cut off"), (verdict.error, trace.text)
        assert verdict.word != "cut off" or trace.end == "limit", (verdict.error, trace.text)
    assert start == "text" or words["valid"] >= 10, words
