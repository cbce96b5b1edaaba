from __future__ import annotations

import os
from pathlib import Path

import pytest
import tiny
from hypothesis import HealthCheck, settings

from tooldec.models import Model, load_model

settings.register_profile(
    "tooldec",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("tooldec")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The real data sets; skips the test where they aren't there."""
    if not os.environ.get("TOOLDEC_DATA"):
        pytest.skip("TOOLDEC_DATA is unset")
    return Path(os.environ["TOOLDEC_DATA"])


@pytest.fixture(scope="session")
def tokenizer_folder(data_folder: Path) -> Path:
    """Tokenizers of real models, beside the data sets."""
    folder = data_folder.parent / "tokenizers"
    if not folder.is_dir():
        pytest.skip("there are no tokenizers beside TOOLDEC_DATA")
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A tiny random model with a byte-level tokenizer."""
    folder = tmp_path_factory.mktemp("small")
    return load_model(str(tiny.save(folder, tiny.byte_level())), "cpu")


@pytest.fixture(scope="module")
def roomy(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """Like `small`, with a context for lists of signatures."""
    return load_model(str(tiny.save(tmp_path_factory.mktemp("roomy"), tiny.byte_level(), context=4096)), "cpu")
