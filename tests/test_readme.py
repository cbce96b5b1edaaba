"""README.md and docs/ keep their promises: examples run, commands are the binding ones, the map has every module."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tooldec.arguments import KEYWORDS
from tooldec.bench import SUITES
from tooldec.models import BACKENDS
from tooldec.schemes import FAMILIES, SCHEMES

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
TEXTS = {path: path.read_text("utf-8") for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
FORMATS = TEXTS[ROOT / "docs" / "formats.md"]
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = FENCED.findall(README)
EXAMPLES = [
    pytest.param(code, id=f"{path.name}, line {text[: text.index(code)].count(chr(10)) + 1}")
    for path, text in TEXTS.items()
    for language, code in FENCED.findall(text)
    if language == "python"
]
COMMANDS = (
    "python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/python app.py",
    'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/python -m pytest',
)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(compile(example, "README", "exec"), names)
    if "answer" in names:
        assert names["answer"] == re.search(r"answer = .*# (.*)", example)[1]  # type: ignore[index]


def test_the_library_example_takes_ten_lines_at_most() -> None:
    first = next(code for language, code in BLOCKS if language == "python")
    assert len([line for line in first.splitlines() if line]) <= 10


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


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_links_and_pictures_are_there(path: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", TEXTS[path]):
        if not re.match("https?:", target):
            file, _, heading = target.partition("#")
            found = (path.parent / file).resolve() if file else path
            assert found.exists(), target
            assert not heading or heading in headings(found.read_text("utf-8")), target


def headings(text: str) -> set[str]:
    """What links call the headings of a text."""
    return {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@pytest.mark.parametrize("name", [*SCHEMES, *BACKENDS])
def test_the_tables_name_every_scheme_and_backend(name: str) -> None:
    assert f"| `{name}` |" in README


def test_every_family_and_suite_is_told() -> None:
    assert set(re.findall(r"`(\w+)`", FORMATS.partition("| Family |")[2])) >= FAMILIES.keys()
    assert f"for {len(FAMILIES)} families" in README
    told = TEXTS[ROOT / "docs" / "experiments.md"]
    assert re.findall(r"^\| `(\w+)` \|", told, re.MULTILINE) == list(SUITES)


def test_the_table_of_keywords_is_the_one_in_the_code() -> None:
    groups: dict[str, list[str]] = {}
    for keyword, how in KEYWORDS.items():
        groups.setdefault(how, []).append(f"`{keyword}`")
    table = "".join(f"| {' '.join(words)} | {how} |\n" for how, words in groups.items())
    assert table in FORMATS, f"the table of keywords should be\n{table}"
