"""What is installed is what is imported: dependencies, their ranges, versions, and what an image or a wheel holds."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest

import tooldec

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TEST = PROJECT["optional-dependencies"]["test"]
OPTIONAL = {"vllm", "bench_peers", "workloads"}  # vLLM and the peer benchmark, used where they are there
PACKAGES = {"yaml": "pyyaml"}  # where the package is called otherwise than the module
OURS = {
    "tooldec",
    "app",
    "benchmarks",
    "conftest",
    *(path.stem for folder in ("tests", "benchmarks") for path in ROOT.glob(f"{folder}/*.py")),
}


def imported(files: Iterable[Path]) -> set[str]:
    """Top-level names of what files import, inside of functions too."""
    names: set[str] = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return {PACKAGES.get(name, name) for name in names - sys.stdlib_module_names - OURS - OPTIONAL}


def required(requirements: Iterable[str]) -> set[str]:
    return {re.split(r"[\[<>=~! ]", line)[0].replace("-", "_") for line in requirements}


def test_what_the_program_imports_is_declared() -> None:
    files = [ROOT / "app.py", *ROOT.glob("tooldec/**/*.py")]
    assert imported(files) - required(PROJECT["dependencies"]) == set()


def test_what_the_tests_import_is_declared() -> None:
    declared = required([*PROJECT["dependencies"], *TEST])
    assert imported(ROOT.glob("tests/*.py")) - declared == set()


@pytest.mark.parametrize("line", [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())])
def test_ranges_end(line: str) -> None:
    """Below the next major version, or lower: torch ends below 2.14."""
    assert re.fullmatch(r"[\w-]+(\[\w+\])?>=\d+(\.\d+)*,<\d+(\.\d+)?", line)


def test_one_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert PROJECT["version"] == tooldec.__version__
    assert f"## [{tooldec.__version__}] - " in changes


def test_torch_has_one_range() -> None:
    (torch,) = (line for line in PROJECT["dependencies"] if line.startswith("torch"))
    for name in ("Dockerfile", "README.md"):
        assert set(re.findall(r"\"(torch>=[^\"]*)\"", (ROOT / name).read_text("utf-8"))) == {torch}


def test_what_the_image_copies_is_let_through() -> None:
    copied = re.findall(r"^COPY (.*) \S+$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    let_through = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text("utf-8"), re.MULTILINE)
    assert sorted(" ".join(copied).split()) == sorted(let_through)
    assert [name for name in let_through if not (ROOT / name).exists()] == []


def test_the_model_in_the_box_is_small() -> None:
    folder = ROOT / "tooldec" / "models" / "embedded"
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 12_000_000
