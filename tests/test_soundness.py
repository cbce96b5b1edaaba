"""Small versions of benchmarks/soundness.py and benchmarks/completeness.py: real schemas, judged by jsonschema."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import completeness
import fast_forward
import schemas
import soundness

pytestmark = pytest.mark.data

EVERY = {"jsonschemabench": 20, "bfcl": 150, "restbench": 12, "toolbench": 250}
"""Of each data set, one schema out of so many."""


@pytest.mark.parametrize("source", schemas.SOURCES)
def test_what_the_masks_let_through_satisfies_its_schema(source: str, tokenizer_folder: Path) -> None:
    ((_, _, vocabulary),) = schemas.vocabularies(["gpt2-50k"])
    sampler = soundness.Sampler(vocabulary, seed=1)
    counts: Counter[str] = Counter()
    for case in list(schemas.cases(source))[:: EVERY[source]]:
        result = soundness.check(case, vocabulary, sampler, 4, "dumps")
        assert result.get("rejected", []) == [], case.name
        counts.update(calls=result.get("calls", 0))
    assert counts["calls"] > 20


@pytest.mark.parametrize(("source", "share"), [("jsonschemabench", 0.85), ("bfcl", 0.97), ("restbench", 0.97), ("toolbench", 0.97)])  # fmt: skip
def test_most_schemas_are_enforced(source: str, share: float, data_folder: Path) -> None:
    refused, total = completeness.coverage(source, 80)
    assert 1 - sum(refused.values()) / total >= share, refused


def test_valid_instances_are_accepted_and_invalid_ones_rejected(tokenizer_folder: Path) -> None:
    tools = list(schemas.vocabularies(["mistral-v1-32k"]))
    counts: Counter[str] = Counter()
    for case in list(schemas.cases("jsonschemabench"))[::9]:
        counts.update(completeness.instances(case, tools, random.Random(2)))
    wrong = {key: count for key, count in counts.items() if "valid rejected" in key or "invalid accepted" in key}
    assert wrong == {} and not counts["tokenisations that differ"]
    assert counts["open: accepted"] == counts["valid"] > 20 and counts["invalid"] > 25


def test_a_json_call_costs_at_most_0_7_of_the_model_steps(tokenizer_folder: Path) -> None:
    ((_, tokenizer, vocabulary),) = schemas.vocabularies(["mistral-v1-32k"])
    counts = fast_forward.count(tokenizer, vocabulary, tools=10, limit=15)
    assert counts["calls"] >= 12 and counts["asked"] <= 0.7 * counts["tokens"], counts
