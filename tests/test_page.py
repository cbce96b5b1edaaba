"""The page in a real browser: headless Chromium against the real app, with the toy model.

Skipped where there is no Chromium; with TOOLDEC_REQUIRE_BROWSER=1 that is a failure.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from waiting import until

pytestmark = pytest.mark.browser

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARGUMENTS = [
    "--no-sandbox", "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
]  # fmt: skip
FOUR = "def add(a: int, b: int)\ndef exp(x: int)\ndef square(side: int)\ndef sqrt(x: int)"
STATES = ["s0", "s0", "s0", "s1", "s4", "s5", "s10", "s12", "s0"]
TEXTS = [
    "Its", "Its area", "Its area is ", "Its area is <T>", "Its area is <T>sq", "Its area is <T>square",
    "Its area is <T>square(", "Its area is <T>square(5", "Its area is <T>square(5)",
]  # fmt: skip


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if CHROMIUM is None:
        if os.environ.get("TOOLDEC_REQUIRE_BROWSER") == "1":
            pytest.fail("TOOLDEC_REQUIRE_BROWSER=1, and there is no Chromium")
        pytest.skip("there is no Chromium: apt install chromium")
    import app

    blocks, address = app.launch(app.build("toy"), host="127.0.0.1")
    yield address
    blocks.close()


@pytest.fixture(scope="module")
def browser(address: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        browser.new_context(viewport={"width": 1440, "height": 900})
        yield browser
        browser.close()


class Visitor:
    """One tab, with what it asked of the network and what it complained of."""

    def __init__(self, browser: Any, address: str, **context: Any) -> None:
        if context:
            self.page = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **context}).new_page()
        else:  # the first context stays, so that what was loaded once is at hand
            self.page = browser.contexts[0].new_page()
        self.own = self.page.context if context else None
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda line: line.type == "error" and self.complaints.append(line.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.open(address)

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.page.wait_for_selector(".tooldec[data-ready]")
        self.page.wait_for_selector("#state-graph svg")

    def run(self) -> None:
        self.page.click("#run-button")
        self.wait_for_phase("ok", "warning", "error", "muted")

    def wait_for_phase(self, *kinds: str) -> None:
        self.page.wait_for_function(
            "kinds => kinds.includes(document.querySelector('.headline').dataset.kind)", arg=list(kinds), timeout=60000
        )

    def wait_for_rows(self, count: int) -> None:
        self.page.wait_for_function(
            "count => document.querySelectorAll('#trace-table tbody tr').length >= count", arg=count, timeout=60000
        )

    def column(self, name: str) -> list[str]:
        return self.page.locator(f'#trace-table tbody td[data-col="{name}"]').all_text_contents()

    def select(self, step: int) -> None:
        """Move the slider as a mouse would: its value changes, and it says so."""
        self.page.locator("#step-slider").evaluate(
            "(slider, step) => { slider.value = step; slider.dispatchEvent(new Event('input', {bubbles: true})); }",
            step,
        )

    def selected(self) -> dict[str, Any]:
        """The step that each part of the page shows."""
        found: dict[str, Any] = self.page.evaluate(
            """() => {
              const row = document.querySelector('#trace-table tr[aria-current="step"]');
              const text = document.querySelector('#answer-text');
              const caret = text.querySelector('.caret');
              const before = document.createRange();
              before.setStart(text, 0);
              before.setEndBefore(caret);
              return {
                slider: Number(document.querySelector('#step-slider').value),
                spoken: document.querySelector('#step-slider').getAttribute('aria-valuetext'),
                row: Number(row.dataset.step), rows: document.querySelectorAll('#trace-table [aria-current]').length,
                state: row.querySelector('[data-col="state"] .state').textContent,
                graph: [...document.querySelectorAll('#state-graph .current .name')].map(name => name.textContent),
                flag: document.querySelector('#state-graph .flag text')?.textContent,
                bars: document.querySelector('.bars h2').textContent,
                chosen: document.querySelector('#probability-bars .chosen .chip')?.textContent,
                token: row.querySelector('[data-col="token"]').textContent,
                text: before.toString(), written: row.querySelector('[data-col="text"]').textContent,
                where: document.querySelector('.where').textContent,
              };
            }"""
        )
        return found

    def close(self) -> None:
        self.page.close()
        if self.own:
            self.own.close()


def visit(browser: Any, address: str) -> Iterator[Visitor]:
    visitor = Visitor(browser, address)
    yield visitor
    visitor.close()
    assert not visitor.complaints
    assert [url for url in visitor.requests if not url.startswith((address, "data:", "blob:"))] == []


@pytest.fixture()
def visitor(browser: Any, address: str) -> Iterator[Visitor]:
    """A tab of one's own, without complaints and without requests to other hosts."""
    yield from visit(browser, address)


@pytest.fixture(scope="module")
def reader(browser: Any, address: str) -> Iterator[Visitor]:
    """A tab that several tests share: they step through the recorded run and change nothing."""
    yield from visit(browser, address)


@pytest.fixture()
def slow_run(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Make every message take its time, `pace` seconds; counts the runs that are open."""
    from tooldec import playground

    real, open_runs = playground.run, {"now": 0, "closed": 0, "pace": 0.12}

    def run(request: Any) -> Iterator[Any]:
        open_runs["now"] += 1
        try:
            for message in real(request):
                time.sleep(open_runs["pace"])
                yield message
        finally:
            open_runs["now"] -= 1
            open_runs["closed"] += 1

    monkeypatch.setattr(playground, "run", run)
    return open_runs


def test_the_page_opens_with_the_papers_table(visitor: Visitor) -> None:
    visitor.wait_for_rows(9)  # recorded, before any model is asked
    assert [state.removesuffix("a") for state in visitor.column("state")] == STATES
    visitor.run()
    assert visitor.column("text") == TEXTS
    assert [state.removesuffix("a") for state in visitor.column("state")] == STATES
    assert visitor.column("valid")[:4] == ["whole vocabulary"] * 3 + ["addexpsq"]
    assert visitor.column("token") == ["␣area", "␣is␣", "<T>", "sq", "uare", "(", "5", ")", "end"]
    assert visitor.page.locator(".trace .note").text_content().startswith("a Table 2 prints s10 here")
    assert visitor.page.locator("#answer-text").text_content() == TEXTS[-1]
    assert "call is valid" in visitor.page.locator(".headline").text_content()


def test_every_part_shows_the_selected_step_and_scrubbing_asks_nobody(reader: Visitor) -> None:
    reader.wait_for_rows(9)
    reader.page.wait_for_timeout(600)  # whatever the page loads late
    asked = len(reader.requests)
    for step in (0, 3, 4, 6, 7, 8):
        reader.select(step)
        shown = reader.selected()
        assert (shown["slider"], shown["row"], shown["rows"]) == (step, step, 1)
        assert shown["state"] == STATES[step] and STATES[step] in shown["graph"]
        assert shown["flag"] == (f"t+{step}" if step else "t")
        assert shown["bars"].endswith(STATES[step])
        assert shown["text"] == shown["written"] == TEXTS[step]
        assert f"Step {step + 1} of 9" in shown["where"] and f"Step {step + 1} of 9" in shown["spoken"]
        if step < 8:
            assert shown["chosen"] == shown["token"]
    page = reader.page
    page.locator('#trace-table tr[data-step="4"]').click()
    assert reader.selected()["slider"] == 4
    for key, step in (("Home", 0), ("ArrowRight", 1), ("End", 8), ("ArrowLeft", 7)):
        page.keyboard.press(key)
        assert reader.selected()["row"] == step
    assert len(reader.requests) == asked


def test_both_drawings_of_text_mode_light_up_and_boxes_know_their_states(reader: Visitor) -> None:
    reader.wait_for_rows(9)
    reader.select(8)
    assert reader.selected()["graph"] == ["s0", "s0"]
    assert reader.page.locator("#state-graph svg").count() == 1
    assert reader.page.locator("#state-graph g.node.current").first.get_attribute("data-state") == "0"
    reader.select(4)
    assert reader.page.locator("#state-graph g.node.current").get_attribute("data-state") == "2"
    assert reader.page.locator("#state-graph g.edge.chosen text").text_content() == "uare"
    assert reader.page.locator("#state-graph g.node.pale").count() >= 4


def test_play_goes_on_by_itself_and_stops_at_the_end(reader: Visitor) -> None:
    reader.wait_for_rows(9)
    page = reader.page
    page.get_by_role("button", name="4×").click()
    reader.select(6)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    assert page.locator("#play-button").get_attribute("aria-label") == "Pause"
    page.wait_for_function("document.querySelector('#step-slider').value === '8'")
    page.wait_for_function("document.querySelector('#play-button').getAttribute('aria-label') === 'Play'")


def test_probabilities_add_up_and_the_chosen_token_is_valid(reader: Visitor) -> None:
    reader.wait_for_rows(9)
    for step in range(9):
        reader.select(step)
        bars = reader.page.locator("#probability-bars [data-token-id]").evaluate_all(
            "bars => bars.map(bar => ({...bar.dataset, chosen: bar.classList.contains('chosen')}))"
        )
        assert sum(float(bar["before"]) for bar in bars) == pytest.approx(1, abs=1e-6)
        assert sum(float(bar["after"]) for bar in bars) == pytest.approx(1, abs=1e-6)
        assert all(float(bar["after"]) == 0 for bar in bars if bar["allowed"] == "false")
        (chosen,) = [bar for bar in bars if bar["chosen"]]
        assert chosen["allowed"] == "true"
    reader.select(4)
    reasons = reader.page.locator("#probability-bars .blocked .reason").all_text_contents()
    assert any("squared" in reason for reason in reasons) and all(reasons)


def test_stop_keeps_the_partial_trace_and_frees_the_model(visitor: Visitor, slow_run: dict[str, float]) -> None:
    slow_run["pace"] = 0.3
    page = visitor.page
    page.click("#run-button")
    visitor.wait_for_rows(3)
    assert page.locator("#run-button").is_disabled()
    page.click("#stop-button")
    visitor.wait_for_phase("muted")
    rows = len(visitor.column("step"))
    assert 3 <= rows < 9 and f"Stopped at step {rows}" in page.locator(".headline").text_content()
    assert until(lambda: slow_run["now"] == 0)
    page.wait_for_timeout(400)
    assert len(visitor.column("step")) == rows
    visitor.select(1)
    assert visitor.selected()["text"] == "Its area"
    visitor.run()  # a second run clears the first
    assert visitor.column("text") == TEXTS


def test_stop_before_the_first_step_and_examples_in_the_middle(visitor: Visitor, slow_run: dict[str, float]) -> None:
    slow_run["pace"] = 0.3
    page = visitor.page
    page.click("#run-button")
    page.click("#stop-button")
    assert "Stopped before the first step" in page.locator(".headline").text_content()
    page.click("#run-button")
    visitor.wait_for_rows(2)
    page.click('[data-example="01-table2"]')  # the recorded run comes back, and nothing of the other one
    visitor.wait_for_phase("ok")
    assert visitor.column("text") == TEXTS
    page.wait_for_timeout(500)
    assert visitor.column("text") == TEXTS
    assert until(lambda: slow_run["now"] == 0)


def test_stop_reaches_a_run_that_the_network_is_slow_to_tell_of(visitor: Visitor, slow_run: dict[str, float]) -> None:
    slow_run["pace"] = 0.5  # the run would take seconds
    page = visitor.page
    page.evaluate("['#run-button', '#stop-button'].forEach(one => document.querySelector(one).click())")
    visitor.wait_for_phase("muted")
    page.wait_for_timeout(300)
    assert slow_run["now"] == slow_run["closed"] == 0, "it was never sent"
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    limits = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", limits)
    page.click("#run-button")
    page.wait_for_timeout(50)
    page.click("#stop-button")
    visitor.wait_for_phase("muted")
    page.click("#run-button")  # waits until the one before has been stopped
    assert until(lambda: slow_run["closed"] == 1, 3)
    network.send("Network.emulateNetworkConditions", {**limits, "latency": 0})
    visitor.wait_for_phase("ok")
    assert visitor.column("text") == TEXTS
    assert not visitor.complaints


def test_a_run_that_tells_nothing_and_is_stopped_keeps_no_other_waiting(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    import app

    packed, mute = app.packed, threading.Event()

    def late(*given: Any) -> str:
        if not mute.is_set():  # the first word of the first run
            mute.set()
            time.sleep(9)
        return packed(*given)

    monkeypatch.setattr(app, "packed", late)
    page = visitor.page
    page.click("#run-button")
    assert until(mute.is_set)
    page.click("#stop-button")
    begun = time.monotonic()
    page.click("#run-button")
    visitor.wait_for_phase("ok")
    assert time.monotonic() - begun < 7 and visitor.column("text") == TEXTS
    assert not visitor.complaints


def test_the_slider_follows_the_stream_until_it_is_touched(visitor: Visitor, slow_run: dict[str, float]) -> None:
    visitor.page.click("#run-button")
    visitor.wait_for_rows(3)
    shown = visitor.selected()
    assert shown["slider"] >= 2 and visitor.page.locator("#answer-text .later").count() == 0
    visitor.select(1)
    visitor.wait_for_phase("ok")
    assert visitor.selected()["slider"] == 1 and visitor.page.locator("#answer-text .later").count() > 0


def test_a_reload_in_the_middle_of_a_run_breaks_nothing(browser: Any, address: str, slow_run: dict[str, float]) -> None:
    visitor = Visitor(browser, address)
    visitor.page.click("#run-button")
    visitor.wait_for_rows(2)
    visitor.open(address)
    visitor.run()
    assert visitor.column("text") == TEXTS
    assert until(lambda: slow_run["now"] == 0)
    visitor.close()


def test_two_tabs_wait_for_each_other_and_do_not_mix(browser: Any, address: str, slow_run: dict[str, float]) -> None:
    slow_run["pace"] = 0.5
    one, two = Visitor(browser, address), Visitor(browser, address)
    two.page.fill("#tools-input", FOUR + "\ndef cube(side: int)")
    one.page.click("#run-button")
    one.wait_for_rows(1)
    two.page.click("#run-button")
    two.page.wait_for_function("document.querySelector('.headline').textContent.includes('queue')")
    one.wait_for_phase("ok")
    two.wait_for_phase("ok")
    assert one.column("text") == two.column("text") == TEXTS
    assert (one.column("valid")[3], two.column("valid")[3][:3]) == ("addexpsq", "add")
    assert "5 tools" in two.page.locator(".graph header").text_content()
    for visitor in (one, two):
        visitor.close()
        assert not visitor.complaints


@pytest.mark.parametrize(
    ("tools", "line", "words"),
    [
        ("def add(a: int)\ndef find(city: strng)", 2, "strng"),
        ("def add(a: int)\ndef add(b: int)", 2, "add"),
        ("def add(a: int\n", 1, ""),
        ("", None, ""),
    ],
)
def test_an_error_stands_at_its_line_and_the_input_is_kept(
    visitor: Visitor, tools: str, line: int | None, words: str
) -> None:
    page = visitor.page
    page.fill("#tools-input", tools)
    page.wait_for_selector("#error-box:not([hidden])")
    page.locator("#question-input").focus()
    box = page.locator("#error-box").text_content()
    assert words in box and page.locator("#tools-input").input_value() == tools
    if line is not None:
        assert f"Line {line}" in box
        place = page.locator(f'.editor .line[data-line="{line}"]')
        assert "error" in place.get_attribute("class") and place.locator(".finding").count() == 1
        assert place.locator(".wave").count() >= 1
    partly = "Left out of the machine" in box  # of several tools the others are drawn
    assert page.locator(".stale").is_visible() != partly and partly == (line == 2)
    page.fill("#tools-input", FOUR)
    page.wait_for_selector("#error-box", state="hidden")
    visitor.run()
    assert visitor.column("text") == TEXTS


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [("#question-input", "   ", "question"), ("#question-input", "a\0b", "NUL"), ("#tools-input", "def f(\0)", "")],
)
def test_bad_input_is_answered_and_the_server_lives(visitor: Visitor, field: str, value: str, words: str) -> None:
    page = visitor.page
    page.locator(field).evaluate(
        "(field, value) => { field.value = value; field.dispatchEvent(new Event('input', {bubbles: true})); }", value
    )
    visitor.run()
    assert words.lower() in page.locator("#error-box").text_content().lower()
    page.fill("#question-input", "the side of a square is 5, what's its area?")
    page.fill("#tools-input", FOUR)
    visitor.run()
    assert visitor.column("text") == TEXTS


def test_an_unknown_model_is_an_error_and_no_more(visitor: Visitor) -> None:
    page = visitor.page
    page.select_option("#model-select", label="Other…")
    page.fill("#model-other", "/no/such/folder")
    page.locator("#model-other").blur()
    page.wait_for_selector("#error-box:not([hidden])")
    assert "/no/such/folder" in page.locator("#error-box").text_content()
    page.select_option("#model-select", "toy")
    page.wait_for_selector("#error-box", state="hidden")


IMAGE = "<img src=x onerror=window.hacked=1>"
HOSTILE = [
    IMAGE,
    "${window.hacked=2}",
    "`${window.hacked=3}`",
    "</textarea><script>window.hacked=4</script>",
    "{{value}}",
]


def test_hostile_text_stays_text(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    from tooldec import playground

    real = playground.run

    def run(request: Any) -> Iterator[Any]:
        for message in real(request):
            text = json.dumps(message)
            for word, evil in zip(("uared", "uares", "IntFSM", "mult"), HOSTILE, strict=False):
                text = text.replace(word, json.dumps(evil)[1:-1])
            message = json.loads(text)
            if "picture" in message:
                svg = message["picture"]["svg"].replace("onerror", "data-was")
                evil = "<script>window.hacked=5</script>"
                evil += '<foreignObject><img src="x" onerror="window.hacked=6"/></foreignObject>'
                evil += '<a href="javascript:window.hacked=7"><text onclick="window.hacked=8">a</text></a>'
                message["picture"]["svg"] = svg.replace("</svg>", f"{evil}</svg>").replace(
                    "<img src=x", "&lt;img src=x", 1
                )
            yield message

    monkeypatch.setattr(playground, "run", run)
    page = visitor.page
    page.fill("#question-input", "square " + " ".join(HOSTILE))
    properties = {"side": {"type": "integer", "description": IMAGE}, IMAGE: {"type": "string"}}
    function = {"name": "square", "description": " ".join(HOSTILE), "parameters": {"properties": properties}}
    tools = [{"type": "function", "function": {**function, "type": "object"}}]
    page.fill("#tools-input", json.dumps(tools))
    page.wait_for_timeout(500)
    page.fill("#tools-input", FOUR)
    visitor.run()
    for step in range(len(visitor.column("step"))):
        visitor.select(step)
    visitor.select(4)
    assert "<img␣src=x" in page.locator("#probability-bars").text_content()
    assert "${window.hacked=2}" in page.locator("#probability-bars").text_content()
    assert page.locator(".tooldec img, .tooldec script, #state-graph :is(foreignObject, a, script)").count() == 0
    assert page.locator("#state-graph [onclick], #state-graph [href]").count() == 0
    assert page.evaluate("window.hacked") is None
    assert page.locator("#question-input").input_value().endswith("{{value}}")


def test_a_click_on_a_state_tells_about_it_and_a_drag_does_not(reader: Visitor) -> None:
    reader.wait_for_rows(9)
    page = reader.page
    reader.select(0)
    node = page.locator("#state-graph g.node", has=page.locator("text.name", has_text=re.compile("^s6$"))).first
    box = node.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 12
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 30, steps=4)
    page.mouse.up()
    assert page.locator(".inspector .disc").text_content() == "s0"
    node.click()
    assert page.locator(".inspector .disc").text_content() == "s6"
    facts = page.locator(".inspector").text_content()
    assert "<T>sqrt" in facts and "sqrt(x: int)" in facts and "3 of 4 out of reach" in facts
    assert page.locator("#state-graph .looked-at").count() == 1
    page.keyboard.press("Enter")
    reader.select(4)
    assert page.locator(".inspector .disc").text_content() == "s4"
    facts = page.locator(".inspector").text_content()
    assert "<T>sq" in facts and "square(side: int)" in facts and "2 of 4 out of reach" in facts


@pytest.mark.parametrize("width", [1440, 390])
def test_a_click_opens_a_box_and_the_inspector_folds_it(browser: Any, address: str, width: int) -> None:
    """The run goes on standing in it: on a phone the box itself, then the state inside, is the current one."""
    visitor = Visitor(browser, address, viewport={"width": width, "height": 900})
    visitor.wait_for_rows(9)
    page = visitor.page
    visitor.select(7)  # in the argument of square
    own = page.locator("#state-graph .node.current").first
    assert (own.locator("text.name").text_content() == "s12") == (width == 1440)
    frames = page.locator("#state-graph g.cluster")
    assert frames.count() == (width == 1440)
    closed = page.locator("#state-graph g.node.opens", has_text="side" if width == 390 else "a: int")
    closed.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"document.querySelectorAll('#state-graph g.cluster').length === {1 + (width == 1440)}")
    assert own.locator("text.name").text_content() == "s12" and "12" not in own.get_attribute("id")
    assert own.get_attribute("data-state"), "its states are those of the run's steps"
    assert page.evaluate("document.activeElement.closest('#state-graph') !== null"), "the keyboard stays in the graph"
    inspector = page.locator(".inspector")
    assert "IntFSM, 4 states" in inspector.text_content()
    inspector.get_by_role("button", name="Fold").click()
    page.wait_for_function(f"document.querySelectorAll('#state-graph g.cluster').length === {int(width == 1440)}")
    assert inspector.get_by_role("button", name="Open").is_visible()
    assert page.evaluate("document.activeElement.textContent") == "Open", "the keyboard stays at the button"
    assert page.locator("#state-graph svg").count() == 1 and page.locator("#state-graph .current").count() >= 1
    visitor.close()
    assert not visitor.complaints


def test_folded_tools_are_unfolded_by_a_click(visitor: Visitor) -> None:
    page = visitor.page
    page.fill("#tools-input", "\n".join(f"def tool{number:04}(x: int)" for number in range(1500)))
    folded = page.locator("#state-graph g.node.folded")
    folded.first.wait_for(timeout=60_000)
    before = page.locator("#state-graph g.node").count()
    folded.first.press("Enter")
    page.wait_for_function(f"document.querySelectorAll('#state-graph g.node').length > {before}", timeout=60_000)
    page.locator(".inspector").get_by_role("button", name="Fold").click()
    page.wait_for_function(f"document.querySelectorAll('#state-graph g.node').length === {before}", timeout=60_000)


def test_the_graph_can_be_walked_by_keyboard(reader: Visitor) -> None:
    reader.wait_for_rows(9)
    page = reader.page
    reader.select(0)
    page.locator("#state-graph g.node").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.matches('.node[tabindex=\"0\"]')")
    assert page.locator('#state-graph g.node[tabindex="0"]').count() == 1, "one state is the tab stop"
    assert page.locator(".inspector .disc").text_content() == "s1"
    assert reader.selected()["slider"] == 0, "arrow keys within the graph are the graph's"
    page.keyboard.press("Escape")
    assert page.locator(".inspector .disc").text_content() == "s0"


def test_the_picture_of_a_run_leaves_no_margin_beyond_its_end(visitor: Visitor) -> None:
    page = visitor.page
    wide = ", ".join(f"{name}: int" for name in "abcdefgh")
    page.fill("#tools-input", FOUR.replace("side: int", wide))
    visitor.run()
    for step in range(len(visitor.column("step"))):
        visitor.select(step)
        page.wait_for_timeout(300)  # it glides
        frame = page.locator("#state-graph").bounding_box()
        picture = page.locator("#state-graph > svg").bounding_box()
        sides = []
        for at, size in (("x", "width"), ("y", "height")):
            before, after = picture[at] - frame[at], frame[at] + frame[size] - picture[at] - picture[size]
            if picture[size] > frame[size]:
                sides.append(size)
                assert before < 9 and after < 9, (step, size)
            else:
                assert abs(before - after) < 2, (step, size)
        assert "width" in sides
        shown = page.locator("#state-graph .current").first.bounding_box()
        assert frame["x"] <= shown["x"] and shown["x"] + shown["width"] <= frame["x"] + frame["width"], step


AGAIN = """times => new Promise(done => {
  const run = document.querySelector('#run-button');
  const rows = [];
  const look = () => {
    if (!run.disabled) {
      rows.push(document.querySelectorAll('#trace-table tbody tr').length);
      if (rows.length === times) return done(rows);
      run.click();
    }
    setTimeout(look);
  };
  run.click();
  look();
})"""


def test_run_may_be_pressed_again_at_once(visitor: Visitor) -> None:
    """The last words of the run before, which come late, don't end the next one before it has begun."""
    visitor.wait_for_rows(9)
    assert set(visitor.page.evaluate(AGAIN, 40)) == {9}


def test_run_gets_the_focus_back_that_it_gave_to_stop(visitor: Visitor, slow_run: dict[str, float]) -> None:
    slow_run["pace"] = 0.2
    page = visitor.page
    focused = "document.activeElement.id"
    page.focus("#run-button")
    page.keyboard.press("Enter")
    visitor.wait_for_rows(2)
    assert page.evaluate(focused) == "stop-button"
    visitor.wait_for_phase("ok")
    assert page.evaluate(focused) == "run-button"
    page.keyboard.press("Enter")
    visitor.wait_for_rows(2)
    page.keyboard.press("Enter")
    visitor.wait_for_phase("muted")
    assert page.evaluate(focused) == "run-button"
    page.focus("#run-button")
    page.keyboard.press("Enter")
    visitor.wait_for_rows(2)
    page.focus("#question-input")
    visitor.wait_for_phase("ok")
    assert page.evaluate(focused) == "question-input", "who has gone elsewhere stays there"
    assert page.locator(".tools-fold summary").evaluate("one => one.tabIndex") == -1, "it folds nothing here"


def test_the_header_says_that_another_view_keeps_the_model_busy(visitor: Visitor, slow_run: dict[str, float]) -> None:
    page = visitor.page
    visitor.wait_for_rows(9)
    page.locator('[data-tab="compare"]').click()
    page.click("#compare-run")
    page.wait_for_function("document.querySelector('#model-status').textContent.includes('busy')")
    assert page.locator(".light").get_attribute("data-phase") == "busy"
    page.press("#compare-stop", "Enter")
    page.wait_for_function("document.querySelector('#model-status').textContent.includes('ready')")
    assert page.locator(".light").get_attribute("data-phase") == "ready"


def test_in_a_narrow_header_the_name_gives_way(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address, viewport={"width": 720, "height": 844})
    page = visitor.page
    page.locator(".named").evaluate("name => { name.textContent = 'a model with a long name '.repeat(4); }")
    state = page.locator(".ready .doing").bounding_box()
    share = page.locator(".header .share").bounding_box()
    assert state["width"] > 30 and state["x"] + state["width"] <= share["x"]
    assert page.locator(".header .theme").bounding_box()["width"] == 32
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    visitor.close()


def test_why_not_proposes_what_the_mask_took_most_from(reader: Visitor) -> None:
    reader.wait_for_rows(9)
    for step in (4, 5, 6):
        reader.select(step)
        blocked = reader.page.locator("#probability-bars .blocked:not(.rest) .chip").first.text_content()
        assert reader.page.locator(".why input").get_attribute("placeholder") == blocked
    reader.select(0)
    assert reader.page.locator(".why input").get_attribute("placeholder") == "a text", "nothing is blocked there"


def test_what_was_typed_comes_first_among_the_examples(visitor: Visitor) -> None:
    page = visitor.page
    page.fill("#question-input", "what is 7 squared?")
    page.wait_for_timeout(600)  # it is kept after a pause
    page.click('[data-example="01-table2"]')
    yours = page.locator('[data-example="yours"]').bounding_box()
    assert yours["x"] < page.locator('.example:not([data-example="yours"])').first.bounding_box()["x"]


def test_the_example_that_is_chosen_is_in_sight(visitor: Visitor) -> None:
    page = visitor.page
    for name in ("09-calls", "16-many", "01-table2"):
        page.locator(f'[data-example="{name}"]').click()
        page.wait_for_function(
            """name => {
              const one = document.querySelector(`[data-example="${name}"]`), row = one.closest('.row');
              const [own, room] = [one, row].map(part => part.getBoundingClientRect());
              return one.ariaPressed === 'true' && own.left >= room.left && own.right <= room.right;
            }""",
            arg=name,
        )
        scrolled = page.locator(".examples .row").evaluate(
            "row => row.scrollLeft > 4 === row.classList.contains('before')"
        )
        assert scrolled, "what is cut at the left fades, too"


def test_on_a_phone_a_states_facts_come_into_sight(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address, viewport={"width": 390, "height": 844})
    visitor.wait_for_rows(9)
    page = visitor.page
    node = page.locator("#state-graph g.node", has=page.locator("text.name", has_text=re.compile("^s6$"))).first
    node.click()
    page.wait_for_function(
        """() => {
          const shown = document.querySelector('.inspector').getBoundingClientRect();
          return shown.top > 0 && shown.top + 200 < document.querySelector('.transport').getBoundingClientRect().top;
        }"""
    )
    page.wait_for_timeout(500)
    page.locator(".inspector").get_by_role("button", name="Close").click()
    assert not page.locator(".inspector").is_visible()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("s6")
    assert page.locator('#state-graph g.node[tabindex="0"]').count() == 1
    visitor.close()
    assert not visitor.complaints


@pytest.mark.parametrize("width", [390, 768])
def test_small_screens_need_no_sideways_scrolling(browser: Any, address: str, width: int) -> None:
    visitor = Visitor(browser, address, viewport={"width": width, "height": 844})
    visitor.wait_for_rows(9)
    page = visitor.page
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    slider = page.locator("#step-slider").bounding_box()
    assert slider["y"] < 844, "the transport stands at the foot of the screen"
    if width == 390:
        assert not page.locator("#tools-input").is_visible()
        page.locator(".tools-fold summary").click()
        assert page.locator("#tools-input").is_visible()
        page.locator(".settings-head").click()
        page.locator("summary", has_text="Decoding").click()
        for target in ("#run-button", ".tabs a", "#step-slider", "#set-method"):
            assert page.locator(target).first.bounding_box()["height"] >= 44, target
        assert page.locator("#question-input").evaluate("field => parseFloat(getComputedStyle(field).fontSize)") >= 16
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    visitor.close()
    assert not visitor.complaints


def test_light_and_dark(browser: Any, address: str) -> None:
    visitor = Visitor(browser, address, color_scheme="dark")
    page = visitor.page
    background = "getComputedStyle(document.querySelector('.board')).backgroundColor"
    assert page.evaluate(background) == "rgb(21, 24, 27)"
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    visitor.open(address)
    assert page.evaluate(background) == "rgb(255, 255, 255)", "the choice is kept"
    visitor.close()


def test_a_link_brings_question_tools_and_settings(browser: Any, address: str, visitor: Visitor) -> None:
    page = visitor.page
    page.fill("#tools-input", "def cube(side: int)")
    page.fill("#question-input", "Wie groß ist 5 hoch 3? `${1}`")
    page.locator("summary", has_text="Decoding").click()
    page.fill("#set-seed", "7")
    page.locator("#set-seed").blur()
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("location.hash.length > 20")
    other = Visitor(browser, address + page.evaluate("location.hash"))
    assert other.page.locator("#tools-input").input_value() == "def cube(side: int)"
    assert other.page.locator("#question-input").input_value() == "Wie groß ist 5 hoch 3? `${1}`"
    assert other.page.locator("#set-seed").input_value() == "7"
    assert other.page.locator("#model-select").input_value() == "toy"
    other.close()
    for hash in ("#t=", "#t=!!!!", "#t=bnVsbA", "#t=W10"):
        broken = Visitor(browser, address + hash)
        assert not broken.complaints
        broken.close()


def test_two_hundred_tools_stay_usable(visitor: Visitor) -> None:
    page = visitor.page
    verbs = "get set list send make drop find open plan read".split()
    nouns = "alarm city film mail note order page photo place price road room song stock team time train trip user word"
    tools = "\n".join(f"def {verb}_{noun}(x: int)" for verb in verbs for noun in nouns.split())
    page.fill("#tools-input", tools)
    page.wait_for_function("document.querySelector('.graph header').textContent.includes('200 tools')", timeout=60000)
    visitor.run()
    assert visitor.column("step")


def test_runs_can_be_asked_for_from_python(address: str) -> None:
    from gradio_client import Client

    client = Client(address, verbose=False)
    request = {
        "tools": FOUR,
        "question": "the side of a square is 5, what's its area?",
        "model": "toy",
        "results": False,
    }
    messages = json.loads(client.predict(json.dumps(request), api_name="/run"))
    assert messages[-1]["kind"] == "end"
    assert [step["state_name"] for step in messages[-1]["trace"]["steps"]] == STATES
    (error,) = json.loads(client.predict("no JSON", api_name="/run"))
    assert error["kind"] == "error" and "JSON" in error["error"]["text"]
    assert threading.active_count() < 200


def test_run_stays_in_sight(visitor: Visitor) -> None:
    """However long the tools are, and with an error above it: what one presses first needs no scrolling."""
    page = visitor.page
    below = "() => innerHeight - document.querySelector('#run-button').getBoundingClientRect().bottom"
    many = "\n".join(f"def tool_{index}(count: int, name: str, size: float = 1.0)" for index in range(200))
    page.fill("#tools-input", many)
    page.wait_for_function("document.querySelector('#tools-count').textContent.includes('200')")
    assert page.evaluate(below) >= 0
    page.fill("#tools-input", f"{many}\ndef add(a: int, b int)")
    page.wait_for_selector("#error-box:visible")
    assert page.evaluate(below) >= 0


def test_heads_of_bars_stand_apart(browser: Any, address: str) -> None:
    """In the narrowest window of three columns, too."""
    visitor = Visitor(browser, address, viewport={"width": 1110, "height": 800})
    visitor.run()
    ends = visitor.page.evaluate(
        """() => [...document.querySelectorAll('#probability-bars .heads [role]')].map(head => {
          const words = document.createRange();
          words.selectNodeContents(head);
          const {left, right} = words.getBoundingClientRect();
          return [left, right];
        })"""
    )
    room = visitor.page.evaluate("document.querySelector('.bars').getBoundingClientRect().right")
    assert all(one[1] <= other[0] for one, other in zip(ends, [*ends[1:], [room]], strict=True)), ends
    visitor.close()


def test_a_step_touches_only_what_changes(visitor: Visitor) -> None:
    """Pictures may have thousands of parts, and the browser reckons the style of each that is touched."""
    page = visitor.page
    visitor.run()
    visitor.select(4)
    touched, parts = page.evaluate(
        """async () => {
          const [picture, slider] = ['#state-graph svg', '#step-slider'].map(one => document.querySelector(one));
          await new Promise(done => setTimeout(done, 100));
          const found = new Set();
          const watcher = new MutationObserver(records => records.forEach(one => found.add(one.target)));
          watcher.observe(picture, {subtree: true, attributeFilter: ['class']});
          slider.value = 5;
          slider.dispatchEvent(new Event('input', {bubbles: true}));
          await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
          return [found.size, picture.querySelectorAll('.node, .edge, .cluster').length];
        }"""
    )
    assert 0 < touched < parts / 2


def test_a_finger_finds_small_things(browser: Any, address: str) -> None:
    """On a phone a token to take instead, a step to jump to and a box to tick are as large as a finger."""
    visitor = Visitor(browser, address, viewport={"width": 390, "height": 844})
    visitor.run()
    visitor.select(4)
    sizes = """all => all.filter(one => one.checkVisibility()).map(one => one.getBoundingClientRect())
        .map(({width, height}) => [width, height])"""
    for found in (".bar-row .take", ".jump", "#rank-weighed"):
        if found.startswith("#"):
            visitor.page.click('[data-tab="check"]')
            found = f"label:has({found})"
        for width, height in visitor.page.locator(found).evaluate_all(sizes):
            assert min(width, height) >= 43.5, found
    visitor.close()
