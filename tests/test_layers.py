"""Who may import whom (STYLE.md): a module imports modules of lower layers only, and big packages have their places."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "tooldec"
LAYERS = """
errors  tools  symbols  results  minimizing
grammar  trie  submachine  trace
mentions  vocabulary_file  patterns
vocabulary  signatures
states
automaton
arguments  boxes  explain
lifting  reading
schemes  token_fsm  models
outline  sampling  lint  matcher  logits_processor  vllm
choosing
decoder  views
methods
bench
page
playground  training
commands
__main__
app
"""
"""Lowest first; a folder counts as one. A new module takes its place here."""

INSIDE = {
    "patterns": """
codepoints  utf8
trees
expressions  rewriting
regex
""",
    "states": """
memory
cells  counting
shapes  variety
table
parts  remembering
""",
    "lifting": """
walk  retracing
masks
repeats
""",
    "choosing": """
spelling
naming  revealing
weighing
search
wholes  ranking
""",
    "page": """
streaming
request  steps
fights  prepared  ending
live
comparing  answers
""",
    "signatures": """
source
schemas  prose  located  names
definitions
listings
wrappings  python  typescript
zod
assigned
""",
}
"""The same inside of folders: readers of one language know nothing of another."""

ONLY_IN = {
    "gradio": ("app",),
    "networkx": (
        *(f"tooldec/views/{name}" for name in ("graph", "bands", "dot", "export")),
        "tooldec/arguments/references",
    ),
    "graphviz": ("tooldec/views/",),
    "pygraphviz": ("tooldec/views/",),
    "transformers": ("tooldec/models/", "tooldec/logits_processor", "tooldec/training/", "tooldec/vllm"),
    "torch": (
        *("tooldec/sampling", "tooldec/models/"),
        *("tooldec/logits_processor", "tooldec/training/", "tooldec/vllm"),
    ),
    "vllm": ("tooldec/vllm",),
    "tokenizers": ("tooldec/models/", "tooldec/training/"),
    "safetensors": ("tooldec/models/", "tooldec/training/"),
    "huggingface_hub": ("tooldec/models/",),
    "jsonschema": ("tooldec/arguments/judging",),
    "yaml": ("tooldec/signatures/",),
    "regex": ("tooldec/patterns/codepoints",),
    "docstring_parser": ("tooldec/signatures/",),
}


def ranks(layers: str) -> dict[str, int]:
    return {name: rank for rank, line in enumerate(layers.strip().splitlines()) for name in line.split()}


RANK = ranks(LAYERS)
FILES = sorted([*PACKAGE.rglob("*.py"), ROOT / "app.py"])


def place(path: Path) -> str:
    """`tooldec/views/graph`, `app`."""
    return path.relative_to(ROOT).with_suffix("").as_posix()


def part(path: str) -> str:
    """The name in LAYERS: of a module, or of its folder."""
    names = path.split("/")
    return names[0] if len(names) == 1 else names[1]


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports anywhere but for type checking, as `tooldec.views.graph`."""
    stack: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            stack += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        stack += ast.iter_child_nodes(node)


def test_every_module_has_its_layer() -> None:
    parts = {part(place(path)) for path in FILES} - {"__init__"}
    assert sorted(parts - RANK.keys()) == [] and sorted(RANK.keys() - parts) == []


@pytest.mark.parametrize("path", FILES, ids=place)
def test_imports_go_down(path: Path) -> None:
    own = part(place(path))
    if own == "__init__":  # public names, imported when they are asked for
        assert not [name for name in imported(path) if name.startswith("tooldec")]
        return
    for name in imported(path):
        if name.split(".")[0] != "tooldec":
            continue
        other = name.split(".")[1]
        if other != own and (PACKAGE / other).with_suffix(".py").exists() | (PACKAGE / other).is_dir():
            assert RANK[other] < RANK[own], f"{own} imports {name}"


@pytest.mark.parametrize("folder", INSIDE)
def test_every_module_of_a_folder_has_its_layer(folder: str) -> None:
    inside = {
        path.stem for path in (PACKAGE / folder).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert sorted(inside - {"__init__"}) == sorted(ranks(INSIDE[folder]))


@pytest.mark.parametrize("path", [path for path in FILES if part(place(path)) in INSIDE], ids=place)
def test_imports_inside_of_a_folder_go_down(path: Path) -> None:
    folder, own = place(path).split("/")[1:3]
    rank = ranks(INSIDE[folder])
    for name in imported(path) if own != "__init__" else ():
        if name.startswith(f"tooldec.{folder}."):
            other = name.split(".")[2]
            assert other == own or rank[other] < rank[own], f"{own} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=place)
def test_big_packages_have_their_places(path: Path) -> None:
    for name in imported(path):
        allowed = ONLY_IN.get(name.split(".")[0])
        assert allowed is None or place(path).startswith(allowed), f"{place(path)} imports {name}"


def test_nothing_else_is_imported() -> None:
    """What is neither the standard library's, nor NumPy, nor ours has a row in ONLY_IN."""
    known = {*sys.stdlib_module_names, *ONLY_IN, "numpy", "tooldec", "app"}
    assert {name.split(".")[0] for path in FILES for name in imported(path)} <= known


LIGHT = """
import sys
before = set(sys.modules)
import tooldec
tooldec.Vocabulary, tooldec.build_fsm, tooldec.TokenFSM
{use}
new = {{name.split(".")[0] for name in set(sys.modules) - before}} - set(sys.stdlib_module_names)
print(*sorted(new))
"""
USE = """
tools = tooldec.parse_tools("def square(side: int)")
fsm = tooldec.build_fsm(tooldec.SCHEMES["special_token"].grammar(tools), tooldec.Vocabulary([b"a", "<T>"]))
assert fsm.allowed(fsm.initial).all()
"""


@pytest.mark.parametrize("use", ["", USE], ids=["import", "use"])
def test_the_machine_needs_numpy_only(use: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT.format(use=use)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.split() == ["numpy", "tooldec"]


@pytest.mark.parametrize("path", FILES, ids=place)
def test_no_module_is_longer_than_300_lines(path: Path) -> None:
    lines = len(path.read_text("utf-8").splitlines())
    assert lines <= 300
