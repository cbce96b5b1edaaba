from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tooldec import Trace
from tooldec.__main__ import main
from tooldec.methods import METHODS

PAPER = "def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)\n"
QUESTION = "the side of a square is 5, what's its area?"
ROOT = Path(__file__).parent.parent


@pytest.fixture
def tools(tmp_path: Path) -> str:
    file = tmp_path / "tools.py"
    file.write_text(PAPER)
    return str(file)


def run(*arguments: str) -> int:
    """The exit code; argparse leaves by SystemExit."""
    try:
        return main(arguments)
    except SystemExit as error:
        assert isinstance(error.code, int)
        return error.code


def asks(tools: str, *more: str) -> tuple[str, ...]:
    return ("run", "--model", "toy", "--tools", tools, "--question", QUESTION, *more)


def test_run_prints_table_2(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*asks(tools)) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert lines[0].split() == "step generated text state valid next tokens next token next state".split()
    cells = [line.split("  ") for line in lines[1:10]]
    cells = [[cell.strip() for cell in row if cell.strip()] for row in cells]
    assert [row[0] for row in cells] == ["t", *(f"t+{i}" for i in range(1, 9))]
    assert [row[1] for row in cells][3:6] == ["Its area is <T>", "Its area is <T>sq", "Its area is <T>square"]
    assert [row[2] for row in cells] == ["s0", "s0", "s0", "s1", "s4", "s5", "s10", "s12", "s0"]
    assert [row[3] for row in cells][2:6] == ["whole vocabulary", "add exp sq", "uare rt", "("]
    assert [row[4].strip("␣") for row in cells] == ["area", "is", "<T>", "sq", "uare", "(", "5", ")", "<EOS>"]
    assert "answer  Its area is <T>square(5)" in lines
    assert "calls   square(side=5)" in lines and "end     eos" in lines


def test_unguided_runs_name_their_error(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*asks(tools, "--method", "unguided")) == 0
    assert "calls   not valid (name): there is no tool `squared`" in capsys.readouterr().out


def test_the_methods_to_compare_with(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*asks(tools, "--method", "fuzzy")) == 0
    assert "calls   square(side=5)" in capsys.readouterr().out
    assert run(*asks(tools, "--method", "backtrace")) == 0
    assert "calls   add(a=5, b=5)" in capsys.readouterr().out
    assert run(*asks(tools, "--method", "fuzzy", "--published")) == 0
    assert "calls   not valid (name): there is no tool `squared`" in capsys.readouterr().out


def test_every_method_can_be_asked_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    more = {**METHODS, "newest": METHODS["guided"]}
    monkeypatch.setattr("tooldec.commands.run.METHODS", more)
    assert run("run", "--method", "magic") == 2
    told = capsys.readouterr().err.rpartition("choose from ")[2]
    assert re.findall(r"\w+", told) == list(more)


def test_help_takes_no_model_and_no_picture() -> None:
    """`tooldec --help` and the checks of a CI needn't wait for libraries that only runs and pictures use."""
    heavy = "import sys, tooldec.__main__; print(*{'torch', 'transformers', 'networkx', 'gradio'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == []


def test_names_weighed_as_wholes(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*asks(tools, "--method", "weighed", "--no-docs")) == 0
    assert "calls   square(side=5)" in capsys.readouterr().out


def test_the_signature_of_the_tool_that_is_called(tools: str, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    assert run(*asks(tools, "--no-docs", "--reveal", "--json", str(file))) == 0
    revealed = [step.revealed for step in Trace.from_json(file.read_text("utf-8")).steps]
    assert set(revealed) == {(), ("square",)}


def test_strings_from_the_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tools.py"
    file.write_text("def weather(city: str)")
    asked = ["run", "--tools", str(file), "--question", "Rain in Turku?", "--start", "call", "--temperature", "3"]
    assert run(*asked, "--quote", "--seed", "5") == 0
    value = capsys.readouterr().out.partition("calls   weather(city=")[2].partition(")")[0]
    assert json.loads(value) in "Rain in Turku?"


def test_arguments_as_wholes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, trace = tmp_path / "tools.py", tmp_path / "trace.json"
    file.write_text("def book(room: str, people: int)")
    asked = ["run", "--tools", str(file), "--question", "Twelve of us need the Egyptian Room", "--start", "call"]
    assert run(*asked, "--search", "--quote", "--json", str(trace)) == 0
    steps = Trace.from_json(trace.read_text("utf-8")).steps
    ((found,),) = [[step.found] for step in steps if step.found]
    assert sum(one.share for one in found) <= 1 + 1e-9 and found[0].share == max(one.share for one in found)
    called = capsys.readouterr().out.partition("calls   ")[2]
    assert called.startswith('book(room="') and any(one.text.rpartition(",")[2][0].isdigit() for one in found)


def test_results(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*asks(tools, "--results")) == 0
    assert "answer  Its area is <T>square(5)=25." in capsys.readouterr().out
    assert run(*asks(tools, "--result", "square=7")) == 0
    assert "answer  Its area is <T>square(5)=7." in capsys.readouterr().out


def test_a_forced_call_and_a_limit(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*asks(tools, "--start", "call")) == 0
    assert "end     call" in capsys.readouterr().out
    assert run(*asks(tools, "--max-tokens", "6")) == 0
    out = capsys.readouterr().out
    assert "end     limit: this is no finished answer" in out and "calls   not valid (cut_off)" in out


def test_the_trace_as_json(tools: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "trace.json"
    assert run(*asks(tools, "--json", str(file))) == 0
    trace = Trace.from_json(file.read_text("utf-8"))
    assert trace.text.strip() == "Its area is <T>square(5)" and len(trace.steps) == 9
    assert "t+8" in capsys.readouterr().out
    assert run(*asks(tools, "--json", "-", "--temperature", "1.2", "--seed", "4", "--top-k", "5")) == 0
    assert json.loads(capsys.readouterr().out)["version"] == 1


def test_the_scheme_with_tags(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*asks(tools, "--scheme", "json_tags", "--no-docs")) == 0
    assert (
        "calls   not valid (format): a call of the form `<T>name(…)` is none for this scheme" in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "COMMAND"),
        (["fly"], "invalid choice: 'fly'"),
        (["run"], "--tools, --question"),
        (["run", "--tools"], "expected one argument"),
        (["check"], "there are no tools to check"),
        (["check", "x.py", "--tools", "y.py"], "there are two files of tools"),
        (["check", "--tools", "/nowhere/x.py"], "can't read `/nowhere/x.py`: No such file"),
        (["graph", "--anything"], "--tools, --out"),
        (["tune-token", "--model", "toy", "--examples", "-", "--out", "x", "--steps", "0"], "there must be a step"),
        (["run", "--tools", "/nowhere/x.py", "--question", "?"], "can't read `/nowhere/x.py`: No such file"),
        (["run", "--tools", "/", "--question", "?"], "can't read `/`: Is a directory"),
        (["run", "--tools", "a\0b", "--question", "?"], "can't read `a b`: embedded null byte"),
        (["run", "--tools", "x", "--question", "?", "--reveal"], "add --no-docs"),
        (["run", "--tools", "x", "--question", "?", "--quote", "--method", "fuzzy"], "use --method guided or weighed"),
        (["run", "--tools", "x", "--question", "?", "--search", "--method", "fuzzy"], "use --method guided or weighed"),
        (["train", "--minutes", "soon"], "invalid float value"),
        (["train", "--minutes", "nan"], "`--minutes nan` trains nothing"),
        (["train", "--steps", "0"], "`--steps 0` trains nothing"),
        (["train", "--processes", "0"], "`--processes 0` trains nothing"),
        (["train", "--hard"], "add --from embedded"),
    ],
)
def test_wrong_usage(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert told in err.replace("\0", " ") and out == ""


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--question", "  "], "the question is empty"),
        (["--question", "\udcff"], "the question isn't UTF-8"),
        (["--method", "magic"], "invalid choice: 'magic'"),
        (["--scheme", "magic"], "invalid choice: 'magic'"),
        (["--start", "now"], "invalid choice: 'now'"),
        (["--temperature", "-1"], "temperature can't be -1.0"),
        (["--temperature", "nan"], "temperature can't be nan"),
        (["--top-p", "2"], "top_p can't be 2.0"),
        (["--max-tokens", "0"], "max_tokens can't be 0"),
        (["--seed", "-5"], "seed can't be -5"),
        (["--seed", "9" * 30], f"use a whole number from 0 to {2**63 - 1}"),
        (["--result", "square"], "`square` has no `=`"),
        (["--result", "cube=8"], "no tool is called `cube`"),
        (["--device", "cuda"], "the toy model runs on the CPU"),
        (["--json", "/nowhere/x.json"], "can't write `/nowhere/x.json`: there is no such folder"),
        (["--json", "/"], "can't write `/`: it is a folder"),
    ],
)
def test_wrong_settings(more: list[str], told: str, tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*asks(tools, *more)) == 2
    out, err = capsys.readouterr()
    assert told in err and out == "", "before the model has been asked"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", ""),
        (b"\n# nothing\n", ""),
        (b"def ok(a: int)\ndef f(x: strng)\n", "line 2"),
        (b"def f(x: int\n", "line"),
        (b"def f(x: int)\ndef f(y: int)\n", "line 2"),
        (b"def ok(a: int)\n\xff\xfe\n", "line 2: this is no UTF-8 text"),
        (b"def f(\x00a: int)\n", "line 1"),
        (b'[{"name": "f", "parameters": ', "line 1"),
        (b"(" * 3000, "line 1"),
    ],
)
def test_errors_of_the_input_are_one_line_with_the_place(
    text: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.py"
    file.write_bytes(text)
    assert run(*asks(str(file))) == 1
    out, err = capsys.readouterr()
    assert err.startswith(f"tooldec: {file}: ") and told in err and len(err.splitlines()) == 1 and out == ""


@pytest.mark.parametrize(
    ("model", "told"), [("no such model", "is no folder"), ("/tmp", "config.json"), (".", "config.json")]
)
def test_a_model_that_cannot_be_loaded(model: str, told: str, tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*asks(tools, "--model", model)) == 1
    assert told in capsys.readouterr().err


def test_a_tool_that_the_toy_cannot_spell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tools.py"
    file.write_text("def utter(a: int)")
    assert run(*asks(str(file))) == 1
    assert "no token of the vocabulary can leave" in capsys.readouterr().err


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "tooldec", *arguments]
    return subprocess.run(command, capture_output=True, cwd=ROOT, timeout=120, **options)


def test_tools_from_standard_input_as_a_program() -> None:
    done = process(*asks("-"), input=PAPER.encode())
    assert (done.returncode, done.stderr) == (0, b"") and "square(side=5)" in done.stdout.decode()
    done = process(*asks("-"), input=b"def f(x: strng)")
    assert done.returncode == 1 and done.stderr.startswith(b"tooldec: standard input: line 1")


def test_a_terminal_without_unicode(tools: str) -> None:
    done = process(*asks(tools), env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"") and b"\\u2423area" in done.stdout


def test_a_reader_that_goes_away(tools: str) -> None:
    command = f"{sys.executable} -m tooldec {' '.join(map(repr, asks(tools)[:-1]))} area | true"
    done = subprocess.run(["bash", "-c", command], capture_output=True, cwd=ROOT, timeout=120)
    assert done.stderr == b""


def test_an_interrupt_keeps_the_steps_so_far(
    tools: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tooldec import decoder

    real = decoder.decode

    def interrupted(*arguments: Any, **options: Any) -> Any:
        steps = real(*arguments, **options)
        yield from (next(steps) for _ in range(3))
        raise KeyboardInterrupt

    monkeypatch.setattr(decoder, "decode", interrupted)
    assert run(*asks(tools)) == 130
    out = capsys.readouterr().out
    assert "t+2" in out and "t+3" not in out and "end     stopped" in out


def test_serve_is_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    page = type(sys)("app")
    page.main = given.append  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "app", page)
    assert run("serve", "--port", "7861") == 0
    assert given == [["--port", "7861"]]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (["--port", "99999999"], "`99999999` is no port; use 1 to 65535"),
        (["--port", "-1"], "`-1` is no port"),
        (["--model", "no such model"], "`no such model` is no folder"),
    ],
)
def test_serve_says_what_is_wrong(wrong: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("serve", *wrong) == 2
    out, err = capsys.readouterr()
    assert told in err and out == ""


def test_training_from_a_model_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("train", "--from", "nosuch", "--out", str(tmp_path), "--minutes", "1") == 2
    assert "there is no model in `nosuch`; use --from embedded" in capsys.readouterr().err


def test_train_writes_a_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    from tooldec import training

    given: dict[str, Any] = {}

    def train(out: Path, **settings: Any) -> Path:
        given.update(settings, out=out)
        return out / "checkpoint.pt"

    monkeypatch.setattr(training, "train", train)
    monkeypatch.setattr(training, "export", lambda checkpoint, folder: folder)
    assert run("train", "--out", str(tmp_path), "--minutes", "1.5", "--resume", "--seed", "3", "--peak", "0.05") == 0
    assert str(tmp_path / "model") in capsys.readouterr().out
    assert given["out"] == tmp_path and given["minutes"] == 1.5 and given["resume"] and given["seed"] == 3
    assert given["peak"] == 0.05
    monkeypatch.setattr(training, "train", lambda out, **_: (_ for _ in ()).throw(ValueError("trained with seed 0")))
    assert run("train", "--out", str(tmp_path)) == 2
    assert "trained with seed 0" in capsys.readouterr().err
