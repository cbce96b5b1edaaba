"""app.py and static/ without a browser: batches, turns, the recorded runs, and the rules of the house."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import app
from tooldec import playground
from tooldec.methods import METHODS
from tooldec.page.streaming import Turns, batches

MODULES = sorted(app.STATIC.glob("*.js"))


def messages(count: int, seconds: float = 0.0) -> Iterator[dict[str, Any]]:
    for index in range(count):
        time.sleep(seconds)
        yield {"kind": "step", "step": index}


def test_messages_travel_in_batches_and_in_order() -> None:
    together = list(batches(messages(500)))
    assert [message["step"] for batch in together for message in batch] == list(range(500))
    assert len(together) < 10
    slow = list(batches(messages(4, 0.12)))
    assert [len(batch) for batch in slow] == [1, 1, 1, 1], "nobody waits for a batch to fill"


def test_closing_a_stream_closes_the_run() -> None:
    closed = threading.Event()

    def run() -> Iterator[dict[str, Any]]:
        try:
            yield from messages(1000, 0.01)
        finally:
            closed.set()

    stream = batches(run())
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert closed.wait(2)


def test_a_run_is_told_of_at_once_and_can_be_closed_while_it_has_nothing_to_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    go_on, closed = threading.Event(), threading.Event()

    def run(request: Any) -> Iterator[dict[str, Any]]:
        try:
            go_on.wait(10)  # a model is being loaded
            yield {"kind": "start"}
        finally:
            closed.set()

    monkeypatch.setattr(playground, "run", run)
    stream, begun = app.run(json.dumps({"run": 7})), time.monotonic()
    assert json.loads(next(stream)) == [{"kind": "alive", "run": 7}] == json.loads(next(stream))
    stream.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begun < 5
    go_on.set()
    assert closed.wait(2)


def test_an_exception_reaches_the_caller() -> None:
    def run() -> Iterator[dict[str, Any]]:
        yield {"kind": "start"}
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        list(batches(run()))


def test_one_run_at_a_time_on_a_model() -> None:
    turns = Turns()
    first, second = turns.take("a", messages(2)), turns.take("a", messages(2))
    assert next(first)["kind"] == "step"
    assert next(second) == {"kind": "queue", "position": 1}
    assert next(turns.take("b", messages(2)))["kind"] == "step", "another model is free"
    assert len(list(first)) == 1
    assert [message["kind"] for message in second] == ["step", "step"]
    third, fourth = turns.take("a", messages(2)), turns.take("a", messages(2))
    next(third)
    third.close()  # type: ignore[attr-defined]
    assert next(fourth)["kind"] == "step", "a run that was stopped gives way"


def test_turns_remember_nobody_who_is_gone() -> None:
    turns = Turns()
    for index in range(100):
        assert len(list(turns.take(f"no such model {index}", messages(1)))) == 1
    assert turns._queues == {}


def test_a_request_without_a_model_waits_for_the_one_that_it_means(monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    monkeypatch.setattr(app.TURNS, "take", lambda name, run: names.append(name) or run)
    for model in ({}, {"model": None}, {"model": "embedded"}, {"model": 5}):
        list(app.run(json.dumps({"ask": "compare", "lanes": [], **model})))
    assert names == ["embedded"] * 4


@pytest.mark.parametrize("request_text", ["", "no JSON", "null", "3", '"text"'])
def test_a_request_that_is_no_object_is_an_error(request_text: str) -> None:
    (batch,) = app.run(request_text)
    (message,) = json.loads(batch)
    assert message["kind"] == "error" and "JSON" in message["error"]["text"]


def test_examples_have_what_the_page_needs() -> None:
    examples = playground.options("toy")["examples"]
    assert examples[0]["title"] == "Table 2"
    for example in examples:
        assert {"id", "title", "subtitle", "tools", "question", "scheme", "start", "model"} <= example.keys()
        assert (app.STATIC / "examples" / f"{example['id']}.json").is_file()
        message = playground.ask(
            {name: value for name, value in example.items() if name in ("tools", "scheme", "start")} | {"model": "toy"}
        )
        assert message["kind"] == "machine", (example["id"], message)


@pytest.mark.parametrize(
    ("name", "codes", "left"),
    [
        ("17-nine", {"E101", "E204", "W301", "H120", "H430", "H502"}, 2),
        ("18-schema", {"E100", "E205", "E320", "W301", "W313", "W324", "H502"}, 3),
        ("19-alike", {"W121", "H120", "H503"}, 0),
    ],
)
def test_the_examples_of_check_have_something_to_find(name: str, codes: set[str], left: int) -> None:
    """And their questions name tools that the text has; the model in the box takes most of them for the right ones."""
    example = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))
    report = playground.ask({"ask": "check", "tools": example["tools"], "model": example["model"]})
    assert {finding["code"] for finding in report["findings"]} == codes
    assert len(report["missing"]) == left and all(one["name"] for one in report["missing"])
    asked = {"ask": "fights", "questions": example["questions"], **{key: example[key] for key in ("tools", "model")}}
    found = [message for message in playground.run(asked) if message["kind"] == "asked"]
    assert len(found) == len(example["questions"].splitlines()) >= 6
    right = [one["called"] == one["expected"] for one in found]
    assert sum(right) >= 0.6 * len(right), found


EXAMPLES = app.STATIC / "examples"
RECORDED = sorted(EXAMPLES.glob("*.run.json"))
if os.environ.get("TOOLDEC_RECORD") == "1":  # record every example, for wide screens and for phones
    SHOWN = [path for path in sorted(EXAMPLES.glob("*.json")) if not path.name.endswith(".run.json")]
    NAMES = [path.stem for path in SHOWN if json.loads(path.read_text("utf-8")).get("view") != "check"]
    COMPARED = {name for name in NAMES if "lanes" in json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))}
    FORMS = [(name, form) for name in NAMES for form in ("", ".down") if form == "" or name not in COMPARED]
    RECORDED = [EXAMPLES / f"{name}{form}.run.json" for name, form in FORMS]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_recorded_runs_are_what_the_code_does_today(path: Path) -> None:
    """Recorded by the toy model they must be equal; runs of other models must have the same form.

    To record anew: TOOLDEC_RECORD=1 python -m pytest tests/test_app.py -k recorded
    """
    if os.environ.get("TOOLDEC_RECORD") == "1":
        path.write_text(json.dumps(fresh_run(path), ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    recorded = json.loads(path.read_text("utf-8"))
    ends = ["lane", "done"] if "lanes" in example_of(path) else ["start", "end"]
    assert [recorded[0]["kind"], recorded[-1]["kind"]] == ends
    if example_of(path)["model"] != "toy":
        pytest.skip("recorded by a model whose figures differ from machine to machine")
    assert timeless(recorded) == timeless(fresh_run(path))


def example_of(path: Path) -> dict[str, Any]:
    name = path.name.removesuffix(".run.json").removesuffix(".down")
    example: dict[str, Any] = json.loads((path.parent / f"{name}.json").read_text("utf-8"))
    return example


def fresh_run(path: Path) -> Any:
    fields = playground.Request.__dataclass_fields__
    example = example_of(path)
    request = {key: value for key, value in example.items() if key in fields}
    if "lanes" in example:
        asked = {name: example.get(name) for name in ("lanes", "wanted", "answer")}
        return slim_lanes(json.loads(json.dumps(list(playground.run({**request, **asked, "ask": "compare"})))))
    messages = list(playground.run({**request, "direction": "TB" if ".down" in path.name else "LR"}))
    return slim(json.loads(json.dumps(messages)))


def slim(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a recording keeps: the last picture from the start, the steps, the end without the trace."""
    pictures = [message["picture"] for message in messages if "picture" in message]
    first = {**messages[0], "picture": pictures[-1]}
    last = {name: value for name, value in messages[-1].items() if name != "trace"}
    return [first, *(message for message in messages[1:-1] if message["kind"] == "step"), last]


def slim_lanes(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A comparison's lanes, each kept as a recording keeps one run."""
    kept: list[dict[str, Any]] = []
    for lane in sorted({message["lane"] for message in messages if "lane" in message}):
        own = [message for message in messages if message.get("lane") == lane]
        run = slim([message["message"] for message in own if "message" in message])
        kept += [{"kind": "lane", "lane": lane, "message": message} for message in run]
        kept += [message for message in own if message["kind"] == "verdict"]
    return [*kept, messages[-1]]


def timeless(value: Any) -> Any:
    """A message without its times; probabilities to nine digits; pictures by what they name."""
    if isinstance(value, dict):
        drawn = ("svg", "edge", "edges", "ways")  # transitions are named by the picture that was drawn last
        return {key: timeless(item) for key, item in value.items() if not key.endswith("_ms") and key not in drawn}
    if isinstance(value, list):
        return [timeless(item) for item in value]
    return round(value, 9) if isinstance(value, float) else value


def test_compare_has_a_way_for_each_method_and_no_other_module_lists_them() -> None:
    texts = {path.name: path.read_text("utf-8") for path in MODULES}
    ways = texts.pop("compare-state.js").partition("WAYS = {")[2].partition("\n};")[0]
    for name, method in METHODS.items():
        assert re.search(rf"^  {name}: .* sets: {{ method: '{name}' }} }},$", ways, re.MULTILINE), name
        assert method.guided or not [module for module, text in texts.items() if f"'{name}'" in text]


def test_every_style_sheet_is_served_once() -> None:
    assert sorted(app.STYLES) == sorted(path.stem for path in app.STATIC.glob("*.css"))
    assert (app.STYLES[0], app.STYLES[-1]) == ("playground", "print")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_are_short_and_write_text_only(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= 150
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert not re.search(r"https?://(?!www\.w3\.org/)", text), "no request to another host"
    assert text.startswith("//"), "the first line says what the module is for"


def test_styles_ask_no_other_host() -> None:
    for path in app.STATIC.glob("*.css"):
        assert not re.search(r"@import|url\(|https?:", path.read_text("utf-8")), path.name
