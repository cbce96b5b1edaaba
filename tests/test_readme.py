"""README.md keeps its promises: its examples run, its commands are the binding ones, its map has every module."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tooldec.arguments import KEYWORDS
from tooldec.models import BACKENDS
from tooldec.schemes import SCHEMES

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
EXAMPLES = [text for language, text in BLOCKS if language == "python"]
COMMANDS = (
    "python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/python app.py",
    'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/python -m pytest',
)


@pytest.mark.parametrize(
    "example", EXAMPLES, ids=lambda text: f"line {README[: README.index(text)].count(chr(10)) + 1}"
)
def test_examples_run(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    if "answer" in names:
        assert names["answer"] == re.search(r"answer = .*# (.*)", example)[1]  # type: ignore[index]


def test_the_library_example_takes_ten_lines_at_most() -> None:
    assert len([line for line in EXAMPLES[0].splitlines() if line]) <= 10


def test_set_up_is_the_two_commands() -> None:
    first, second = (text.strip() for language, text in BLOCKS[:2])
    assert (first, second) == COMMANDS


def test_the_table_is_what_the_command_prints(tmp_path: Path) -> None:
    tools, table = (text for language, text in BLOCKS if "def exp" in text or text.startswith("$ tooldec run"))
    (tmp_path / "tools.py").write_text(tools)
    command, _, printed = table.partition("\n")
    question = re.search(r'"(.*)"', command)[1]  # type: ignore[index]
    run = [sys.executable, "-m", "tooldec", "run", "--model", "toy", "--tools", "tools.py", "--question", question]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True)
    lines = [line for line in done.stdout.splitlines() if not line.startswith("time ")]
    assert [line.rstrip() for line in printed.splitlines()] == [line.rstrip() for line in lines]


def test_the_map_has_every_module() -> None:
    parts = [path for path in (ROOT / "tooldec").iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]
    names = {path.name if path.suffix else f"{path.name}/" for path in parts} - {"__init__.py"}
    assert names - set(re.findall(r"^\| `([\w./]+)`", README, re.MULTILINE)) == set()


def test_links_and_pictures_are_there() -> None:
    inner = [target for target in re.findall(r"\]\(([^)]+)\)", README) if not re.match(r"https?:|#", target)]
    assert [target for target in inner if not (ROOT / target).exists()] == []
    headings = {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", README, re.M)}
    assert set(re.findall(r"\]\(#([^)]+)\)", README)) <= headings


@pytest.mark.parametrize("name", [*SCHEMES, *BACKENDS])
def test_the_tables_name_every_scheme_and_backend(name: str) -> None:
    assert f"| `{name}` |" in README


def test_the_table_of_keywords_is_the_one_in_the_code() -> None:
    groups: dict[str, list[str]] = {}
    for keyword, how in KEYWORDS.items():
        groups.setdefault(how, []).append(f"`{keyword}`")
    table = "".join(f"| {' '.join(words)} | {how} |\n" for how, words in groups.items())
    assert table in README, f"README's table of keywords should be\n{table}"
