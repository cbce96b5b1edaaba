"""Tool error exactly 0: guided runs at temperature 1.5 with random weights, judged by the reader."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import tiny

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import guided_runs

RUNS = {"led": 20, "call": 80}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> guided_runs.RandomModel:
    return guided_runs.RandomModel(tiny.save(tmp_path_factory.mktemp("tiny"), tiny.byte_level()))


@pytest.mark.slow
@pytest.mark.parametrize("way", list(guided_runs.WAYS))
@pytest.mark.parametrize("begin", list(RUNS))
def test_no_guided_run_has_an_error(model: guided_runs.RandomModel, way: str, begin: str) -> None:
    """What the limit cuts off is judged up to its last whole call."""
    found = guided_runs.cell(model, way, begin, RUNS[begin], 1.5)
    assert not found["errors"], found["wrong"]
    assert found["calls"] == RUNS[begin], found["words"]
