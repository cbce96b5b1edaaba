"""`tooldec bench`: what its suites read, when an answer is right, and the figures that come of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from writer import VOCABULARY, Writer

from tooldec import SCHEMES, ToolCall, build_fsm, parse_tools
from tooldec.__main__ import main
from tooldec.bench import SUITES, Answer, Asker, Case, Manner, Suite, curve, figures, report, run
from tooldec.bench.asking import decoded
from tooldec.bench.cases import rows, some
from tooldec.bench.funcqa import close
from tooldec.bench.report import interval
from tooldec.bench.running import read
from tooldec.errors import UsageError
from tooldec.schemes import relaxing

TOOLS = parse_tools("def add(a: int, b: int)\ndef square(side: int)")
SQUARE = Case(TOOLS, "the side of a square is 5, what's its area?", (("square", {"side": 5}, "25"),), "squares", "25")


def right(case: Case, calls: Sequence[ToolCall], text: str) -> bool:
    return [call.name for call in calls] == [name for name, _, _ in case.calls]


def suite(count: int = 1, **changes: Any) -> Suite:
    return Suite("Squares", lambda folder: [SQUARE] * count, right, "right", **changes)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder with a row or two of each data set, in their forms."""
    number = {"max_args": 2, "min_args": 2}
    files: Mapping[str, Any] = {
        "funcqa_tools.json": [{"name": "multiply", "min_args": 1, "max_args": None}, {"name": "divide", **number}],
        "funcqa_multihop.jsonl": {
            "question": "A train goes 60 km/h. How far does it go in 30 minutes?", "answer": "30",
            "gold_calls": [{"tool": "divide", "args": ["30", "60"], "result": "0.5"}],
        },
        "funcqa_onehop.jsonl": {
            "question": "What is 3 times 4/3?", "answer": "4",
            "gold_calls": [{"tool": "multiply", "args": ["3", "4/3"], "result": "4"}],
        },
        "kamel_relations.jsonl": {"unique_name": "birthplace", "args": ["person"]},
        "kamel_questions.jsonl": {
            "question": "Where was Ada born?", "relation": "birthplace", "subject": "Ada",
            "answers": [{"label": "London"}], "subsets": ["first_30", "first_60"],
        },
        "toolbench_apis.jsonl": {"name": "now_for_clock", "description": "the time", "parameters": []},
        "toolbench_queries.jsonl": {"query": "What time is it?", "group": "G2_category", "api_list": ["now_for_clock"]},
    }  # fmt: skip
    for service in ("tmdb", "spotify"):
        kind = {"name": "kind", "required": False, "schema": {"type": "string", "enum": [0, 1]}}
        files |= {
            f"restbench_{service}_tools.jsonl": {"name": f"get_{service}", "description": "it", "parameters": [kind]},
            f"restbench_{service}_queries.jsonl": {"query": "Get it.", "gold_names": [f"get_{service}"]},
        }
    function = {"name": "clock.now", "parameters": {"type": "object", "properties": {"zone": {"type": "string"}}}}
    for name, category, truth in (
        ("single", "simple_python", [{"clock.now": {"zone": ["UTC", ""]}}]),
        ("live", "live_simple", [{"clock.now": {"zone": ["UTC"]}}]),
        ("irrelevance", "irrelevance", None),
    ):
        said = [{"role": "user", "content": "What time is it in UTC?"}]
        row = {"category": category, "messages": said, "functions": [function], "ground_truth": truth}
        files |= {f"bfcl_{name}.jsonl": row}
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content) + "\n")
    return tmp_path


def test_what_the_suites_read(small: Path) -> None:
    cases = {name: list(row.cases(small)) for name, row in SUITES.items()}
    assert {name: [case.family for case in found] for name, found in cases.items()} == {
        "tooleval": ["I2-Category"],
        "funcqa": ["multihop", "onehop"],
        "kamel": ["30", "60"],
        "restbench": ["tmdb", "spotify"],
        "bfcl": ["simple_python", "live_simple", "irrelevance"],
    }
    assert cases["funcqa"][1].calls == (("multiply", {"numbers": [3.0, 4 / 3]}, "4"),)
    assert cases["kamel"][0].calls == (("birthplace", {"person": "Ada"}, "London"),)
    for name, found in cases.items():
        for scheme in SUITES[name].schemes.values():
            for case in found:
                build_fsm(relaxing(scheme).grammar(case.tools, results=True), VOCABULARY)


@pytest.mark.data
def test_the_real_data_sets(data_folder: Path) -> None:
    counts: dict[str, dict[str, int]] = {}
    for name, row in SUITES.items():
        for case in row.cases(data_folder):
            families = counts.setdefault(name, {})
            families[case.family] = families.get(case.family, 0) + 1
            assert case.question.strip() and case.tools
            assert {called for called, _, _ in case.calls} <= {tool.name for tool in case.tools} or name == "bfcl"
    assert counts["funcqa"] == {"multihop": 34, "onehop": 30}
    assert counts["restbench"] == {"tmdb": 50, "spotify": 29}
    assert list(counts["kamel"]) == ["30", "60", "100", "234"]
    assert counts["tooleval"]["I2-Category"] == 59 and counts["tooleval"]["I3-Instruction"] == 30
    assert sum(counts["bfcl"].values()) > 1_300


def test_files_that_are_not_what_a_suite_reads_are_told(small: Path) -> None:
    (small / "kamel_relations.jsonl").write_text('{"unique_name": "a", "args": []}\n{"unique_name": "b"}\n')
    with pytest.raises(UsageError, match=r"kamel_relations\.jsonl, row 2: it has no `args`"):
        list(SUITES["kamel"].cases(small))
    (small / "funcqa_tools.json").write_text("[1]")
    with pytest.raises(UsageError, match=r"funcqa_tools\.json, row 1"):
        list(SUITES["funcqa"].cases(small))
    (small / "bfcl_live.jsonl").write_text("{")
    with pytest.raises(UsageError, match=r"bfcl_live\.jsonl, row 1"):
        list(SUITES["bfcl"].cases(small))
    (small / "toolbench_apis.jsonl").unlink()
    with pytest.raises(UsageError, match=r"can't read .*No such file.*--data"):
        list(SUITES["tooleval"].cases(small))
    (small / "list.json").write_text("[1, 2]")
    assert rows(small, "list.json", lambda row: row + 1) == [2, 3]


def test_a_limit_draws_the_same_of_each_family() -> None:
    cases = [Case(TOOLS, str(number), (), "ab"[number % 2]) for number in range(40)]
    drawn = some(cases, 5)
    assert drawn == some(cases, 5) and [case.family for case in drawn] == ["a"] * 5 + ["b"] * 5
    assert some(cases, 99) == some(cases, None) == [*cases[::2], *cases[1::2]]


@pytest.mark.parametrize(
    ("words", "manner"),
    [
        ("unguided", Manner("unguided")),
        ("shortlist", Manner("weighed", shortlist=True)),
        ("shortlist quoted searched", Manner("weighed", shortlist=True, quoted=True, searched=True)),
        ("quoted", Manner("guided", quoted=True)),
        ("fuzzy published", Manner("fuzzy", published=True)),
    ],
)
def test_manners(words: str, manner: Manner) -> None:
    assert Manner.of(words) == manner


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("gided", "`gided` is no method"),
        ("", "is no method"),
        ("unguided quoted", "`quoted` doesn't go with unguided"),
        ("guided published", "`published` doesn't go with guided"),
        ("guided shortlist", "`shortlist` doesn't go with guided"),
        ("guided weighed", "`weighed` is no method|doesn't go"),
    ],
)
def test_manners_that_there_are_not(words: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        Manner.of(words)


@pytest.mark.parametrize(
    ("text", "final", "fits"),
    [
        ("The sum is <T>add(2,3)=5. So the answer is 5.", "5", True),
        ("<T>ln(8)=2.0794", "2.08", True),
        ("<T>ln(8)=2.0794", "2.07", False),
        ("it is 1943.", "1,943", True),
        ("nothing", "5", False),
        ("=1e3", "1000", True),
    ],
)
def test_the_last_number_counts(text: str, final: str, fits: bool) -> None:
    assert close(text, final) == fits


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name, arguments, 0, 0)


@pytest.mark.parametrize(
    ("name", "wanted", "calls", "fits"),
    [
        ("kamel", "a", [call("b"), call("a")], True),
        ("kamel", "a", [], False),
        ("restbench", "ab", [call("a"), call("c"), call("b")], True),
        ("restbench", "ab", [call("b"), call("a")], False),
        ("tooleval", "", [call("a"), call("Finish", return_type="give_answer")], True),
        ("tooleval", "", [call("a")] * 5 + [call("Finish", return_type="give_answer")], False),
        ("tooleval", "", [call("Finish", return_type="give_up_and_restart")], False),
        ("tooleval", "", [call("a")], False),
    ],
)
def test_when_an_answer_is_right(name: str, wanted: str, calls: list[ToolCall], fits: bool) -> None:
    case = Case((), "?", tuple((one, {}, "ok") for one in wanted), "")
    assert SUITES[name].right(case, calls, "") == fits


@pytest.mark.parametrize(
    ("family", "truth", "calls", "fits"),
    [
        ("simple", {"city": ["New York", "NYC"]}, [call("f", city="new york")], True),
        ("simple", {"city": ["NYC"], "unit": ["", "C"]}, [call("f", city="NYC")], True),
        ("simple", {"city": ["NYC"], "unit": ["C"]}, [call("f", city="NYC")], False),
        ("simple", {"city": ["NYC"]}, [call("f", city="NYC", unit="C")], False),
        ("simple", {"n": [1]}, [call("f", n=1.0)], True),
        ("simple", {"n": [True]}, [call("f", n=1)], False),
        ("simple", {"n": [[1, 2]]}, [call("f", n=[1, 2])], True),
        ("simple", {"n": [[1, 2]]}, [call("f", n=[1])], False),
        ("simple", {"o": [{"a": [1], "b": ["", 2]}]}, [call("f", o={"a": 1})], True),
        ("simple", {"o": [{"a": [1]}]}, [call("f", o={"a": 2})], False),
        ("simple", {}, [call("f"), call("f")], False),
        ("irrelevance", {}, [], True),
        ("irrelevance", {}, [call("f")], False),
        ("live_relevance", {}, [call("f")], True),
    ],
)
def test_calls_of_the_leaderboard(family: str, truth: Any, calls: list[ToolCall], fits: bool) -> None:
    assert SUITES["bfcl"].right(Case((), "?", (("f", truth, "ok"),), family), calls, "") == fits


def test_calls_of_the_leaderboard_come_in_any_order() -> None:
    case = Case((), "?", tuple(("f", {"n": [number]}, "ok") for number in (1, 2)), "parallel")
    assert SUITES["bfcl"].right(case, [call("f", n=2), call("f", n=1)], "")
    assert not SUITES["bfcl"].right(case, [call("f", n=2), call("f", n=2)], "")


@pytest.mark.parametrize(
    ("writes", "method", "error", "calls", "end"),
    [
        ("It is <T>square(5)=25.", "unguided", None, ("square",), "eos"),
        ("It is <T>sqr(5)=25.", "unguided", "name", (), "eos"),
        ("It is <T>square(5)=25, and <T>squ(2)=4", "unguided", "name", ("square",), "eos"),
        ("It is <T>square(5", "unguided", "cut off", (), "eos"),
        ("It is <T>square(5,6)=", "unguided", "argument", (), "eos"),
        ("It is <T>sqr(5)=25.", "guided", None, ("square",), "eos"),
    ],
)
def test_what_becomes_of_a_question(
    writes: str, method: str, error: str | None, calls: tuple[str, ...], end: str
) -> None:
    answer = Asker(Writer(writes), suite(), "special_token").ask(SQUARE, 0, method, True)
    assert (answer.error, answer.calls, answer.end) == (error, calls, end)
    assert answer.right == (calls == ("square",)) and answer.tokens and answer.seconds > 0


def test_what_the_limit_cuts_off_is_no_tool_error() -> None:
    answer = Asker(Writer("It is <T>square(5)"), suite(), "special_token", max_tokens=9).ask(SQUARE, 0, "guided", True)
    assert (answer.end, answer.error, answer.right) == ("limit", None, False)
    assert figures([answer])[0].unfinished == 1


def test_what_cannot_be_asked_is_kept_with_its_reason() -> None:
    tools = parse_tools(
        [{"name": "f", "parameters": {"properties": {"a": {"minimum": 2, "maximum": 1, "type": "integer"}}}}]
    )
    case = Case(tools, "?", (), "squares")
    answer = Asker(Writer("x"), suite(), "special_token").ask(case, 0, "guided", True)
    assert answer.end == "SchemaError" and "no integer is between 2 and 1" in answer.text and not answer.right
    (row,) = figures([answer])
    assert (row.count, row.not_asked, row.right, row.tool_error) == (1, 1, 0.0, 0.0)


def test_numbers_are_computed_where_a_number_is_asked_for() -> None:
    scheme = SCHEMES["special_token"]
    model = Writer("It is <T>square(5)=25.")
    assert decoded(model, SQUARE, scheme, Manner(), True).text == "It is <T>square(5)=25."
    given = Case(TOOLS, "?", (("square", {"side": 5}, "a lot"),), "squares")
    assert (
        decoded(Writer("It is <T>square(5)=a lot."), given, scheme, Manner(), True).text == "It is <T>square(5)=a lot."
    )


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    model, kept = Writer("It is <T>square(5)=25."), tmp_path / "squares.jsonl"
    settings: dict[str, Any] = {"methods": ("unguided", "guided")}
    begun = run(suite(3), model, tmp_path, kept, **settings)
    assert [next(begun).count for _ in range(4)] == [1, 2, 3, 4]
    begun.close()
    whole = kept.read_text()
    kept.write_text(whole[:-20])  # the fourth wasn't written to its end
    asked = model.starts
    done = list(run(suite(3), model, tmp_path, kept, **settings))
    assert [(one.count, one.total) for one in done] == [(number, 6) for number in range(1, 7)]
    assert model.starts == asked + 3 and len(read(kept)) == 6
    list(run(suite(3), model, tmp_path, kept, **settings, max_tokens=9))
    assert len(read(kept)) == 12, "another limit of tokens is another question"


def test_a_file_of_other_rows_is_left_alone(tmp_path: Path) -> None:
    kept = tmp_path / "squares.jsonl"
    kept.write_text('{"text": "mine"}\n')
    with pytest.raises(UsageError, match="line 1 is no answer"):
        list(run(suite(), Writer("x"), tmp_path, kept))
    assert kept.read_text() == '{"text": "mine"}\n'


def answers(family: str, method: str, *outcomes: str) -> list[Answer]:
    """An answer for each word: right, wrong, or the class of an error."""
    return [
        Answer(
            "m", "s", method, False, family, number, "?", 9, end="eos", tokens=4, seconds=0.5,
            right=word == "right", calls=("f",) if word in ("right", "wrong") else (),
            error=word if word not in ("right", "wrong") else None,
        )
        for number, word in enumerate(outcomes)
    ]  # fmt: skip


def test_figures_of_all_families_stand_behind_them() -> None:
    found = figures([*answers("a", "guided", "right"), *answers("b", "guided", "wrong", "wrong")], whole=True)
    assert [(row.family, row.count, row.right) for row in found] == [("a", 1, 100), ("b", 2, 0), ("all", 3, 33.3)]


def test_figures_and_their_page() -> None:
    found = figures(
        [
            *answers("30", "unguided", "right", "wrong", "name", "name"),
            *answers("60", "unguided", "wrong", "argument"),
            *answers("30", "guided", "right", "right", "right", "wrong"),
        ]
    )
    assert [(row.family, row.method) for row in found] == [("30", "unguided"), ("30", "guided"), ("60", "unguided")]
    first, second, third = found
    assert (first.right, first.tool_error, first.errors["name"], first.seconds) == (25.0, 50.0, 50.0, 0.5)
    assert (second.right, second.tool_error) == (75.0, 0.0) and third.errors["argument"] == 50.0
    grows = suite(grows=True, paper="The paper says so.")
    page = report(grows, found, "About.")
    assert page.startswith("# Squares\n\nAbout.\n") and "The paper says so." in page
    lines = [line for line in page.splitlines() if line.startswith("|")]
    assert len(lines) == 2 * (2 + 3) and all(line.endswith("|") for line in lines)
    assert [cell.strip() for cell in lines[2].split("|")[1:8]] == [
        "30",
        "no",
        "unguided",
        "4",
        "25.0",
        "4.6–69.9",
        "50.0",
    ]
    drawn = ElementTree.fromstring(curve(grows, found) or "")
    assert {"unguided", "guided"} <= {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert curve(suite(), found) is None


def test_intervals_are_wilsons() -> None:
    assert interval(0, 10) == (0.0, 27.8) and interval(10, 10) == (72.2, 100.0) and interval(50, 100) == (40.4, 59.6)


def test_the_command_measures_and_writes(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    for name in SUITES:
        command = ["bench", name, "--data", str(small), "--methods", "unguided,guided", "--max-tokens", "40"]
        assert main([*command, "--out", str(out)]) == 0
        printed, said = capsys.readouterr()
        assert printed.strip() == (out / f"{name}.md").read_text().strip() and "guided" in said
        rows = json.loads((out / f"{name}.json").read_text())
        assert rows["model"] == "embedded" and {row["method"] for row in rows["figures"]} == {"unguided", "guided"}
        assert all(row["tool_error"] == 0 == row["not_asked"] for row in rows["figures"] if row["method"] == "guided")
        asked = [row["count"] for row in rows["figures"] if row["family"] != "all"]
        assert len(read(out / f"{name}.jsonl")) == sum(asked)
    assert (out / "kamel.svg").exists() and not (out / "funcqa.svg").exists()
    assert main(["bench", "all", "--data", str(small), "--limit", "1", "--methods", "guided", "--out", str(out)]) == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["funcqa"], "no folder of data sets is named"),
        (["funcqa", "--data", "nowhere"], "can't read"),
        (["funcqa", "--data", ".", "--limit", "0"], "`--limit 0` asks nothing"),
        (["funcqa", "--data", ".", "--methods", "magic"], "`magic` is no method"),
        (["funcqa", "--data", ".", "--methods", "fuzzy+quoted"], "doesn't go with fuzzy"),
        (["tooleval", "--data", ".", "--scheme", "json_tags"], "tooleval isn't asked in json_tags"),
    ],
)
def test_wrong_usage(
    arguments: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.delenv("TOOLDEC_DATA", raising=False)
    assert main(["bench", *arguments, "--model", "toy", "--out", str(tmp_path)]) == 2
    assert reason in capsys.readouterr().err


def test_an_out_that_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["bench", "funcqa", "--data", ".", "--out", str(tmp_path / "file")]) == 2
    assert "can't write in" in capsys.readouterr().err
