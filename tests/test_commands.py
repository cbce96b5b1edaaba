"""`tooldec check` and `tooldec graph`, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import pytest

from tooldec.__main__ import main

PAPER = "def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)\n"


def run(*arguments: str) -> int:
    try:
        return main(arguments)
    except SystemExit as error:
        assert isinstance(error.code, int)
        return error.code


def write(folder: Path, text: str, name: str = "tools.py") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_check_tells_findings_with_their_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "def f(a: flaot)\ndef g(b: int)  # fine\ndef g(c: int)\n")
    assert run("check", "--tools", file) == 1
    out, err = capsys.readouterr()
    assert f"{file}:1:10: E204 error: unknown type `flaot`" in out and "    use `float`" in out
    assert f"{file}:3:5: E101 error: two tools are called `g`" in out and err == ""
    assert out.splitlines()[-1] == "2 errors, 0 warnings, 1 hint; 1 of 3 tools in the machine"


def test_check_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--json", "--tools", write(tmp_path, "def f(a: flaot)")) == 1
    (finding,) = json.loads(capsys.readouterr().out)
    assert (finding["code"], finding["severity"], finding["line"], finding["column"]) == ("E204", "error", 1, 10)
    assert finding["message"] and finding["fix"]
    change = {"line": 1, "column": 10, "end_line": 1, "end_column": 15, "text": "float"}
    assert finding["replacement"] == change
    assert run("check", "--json", "--tools", write(tmp_path, "def f(a: int)  # f\n")) == 0
    assert [f["severity"] for f in json.loads(capsys.readouterr().out)] == ["hint"]


def test_check_with_a_model_and_sizes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "def add(a: int)\ndef utter(b: int)")
    assert run("check", file) == 0
    assert run("check", "--tools", file, "--model", "toy", "--sizes", "--explain") == 1
    out = capsys.readouterr().out
    assert "E610 error: `utter`: no token" in out and "2 of 2 tools in the machine" in out
    assert "E610: A state that this vocabulary can't leave." in out
    assert "documented" in out


def test_check_of_nothing_and_of_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", write(tmp_path, "")) == 1
    assert "E100 error: no tools" in capsys.readouterr().out
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    assert run("check", "--tools", str(tmp_path / "bytes")) == 1
    assert "this is no UTF-8 text" in capsys.readouterr().err
    assert run("check", "--tools", str(tmp_path / "nowhere")) == 2
    assert run("check", "--tools", write(tmp_path, "a_b(c)"), "--format", "names") == 1


@pytest.mark.parametrize("ending", ["svg", "png", "dot", "graphml", "json"])
@pytest.mark.parametrize("scheme", ["special_token", "json_tags"])
def test_graph_writes_files(ending: str, scheme: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / f"g.{ending}"
    assert run("graph", "--tools", write(tmp_path, PAPER), "--scheme", scheme, "--out", str(out)) == 0
    assert "states" in capsys.readouterr().err
    data = out.read_bytes()
    if ending == "svg":
        assert ElementTree.fromstring(data).tag.endswith("svg")
    elif ending == "png":
        assert data.startswith(b"\x89PNG")
    elif ending == "dot":
        assert data.startswith(b"digraph") and b"IntFSM" in data
    elif ending == "graphml":
        graph = nx.read_graphml(out, force_multigraph=True)
        assert {data["kind"] for _, data in graph.nodes(data=True)} >= {"name", "argument"}
    else:
        value = json.loads(data)
        ids = {state["id"] for state in value["states"]}
        assert all(edge["from"] in ids and edge["to"] in ids for edge in value["transitions"])
        assert {state["parameter"] for state in value["states"]} >= {"side", "a", "b", "x"}


def test_graph_shows_what_tools_add(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Figure 3: adding exp10 and expand adds two states to the names, and changes none but exp."""
    old = write(tmp_path, PAPER, "old.py")
    new = write(tmp_path, PAPER + "def exp10(x: int)\ndef expand(x: int)\n", "new.py")
    out = tmp_path / "g.json"
    assert run("graph", "--tools", new, "--diff", old, "--out", str(out)) == 0
    value = json.loads(out.read_text())
    names = {state["id"]: state for state in value["states"]}
    added = [names[one] for one in value["changes"]["new"]]
    assert [(state["name"], state["entered"]) for state in added if state["kind"] == "name"] == [
        ("s7", "exp10"),
        ("s8", "expand"),
    ]
    assert [names[one]["entered"] for one in value["changes"]["changed"]] == ["exp"]
    assert value["changes"]["gone"] == []
    assert "new: s7 exp10" in capsys.readouterr().err
    assert run("graph", "--tools", old, "--diff", new, "--out", str(out)) == 0
    assert len(json.loads(out.read_text())["changes"]["gone"]) == 4
    assert run("graph", "--tools", new, "--diff", old, "--model", "toy", "--out", str(tmp_path / "g.svg")) == 0


@pytest.mark.parametrize(("out", "told"), [("g.txt", "doesn't say which kind"), ("/nowhere/g.dot", "can't write")])
def test_graph_with_a_wrong_file(out: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("graph", "--tools", write(tmp_path, PAPER), "--out", out) == 2
    assert told in capsys.readouterr().err


def test_graph_of_bad_tools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, "def f(a: flaot)")
    assert run("graph", "--tools", file, "--out", str(tmp_path / "g.dot")) == 1
    assert capsys.readouterr().err.startswith(f"tooldec: {file}: line 1, column 10")
