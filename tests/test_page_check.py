"""The Check view, findings under the lines, the inspector's questions, and what changed: in headless Chromium."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import test_page
from test_page import FOUR, Visitor
from waiting import until

pytestmark = pytest.mark.browser
address, browser, visitor, slow_run = test_page.address, test_page.browser, test_page.visitor, test_page.slow_run

FAULTY = "def add(a: int)\ndef square(side: int)\ndef square(area: float)\ndef exp(x: flaot)"
QUESTIONS = "the side of a square is 5, what's its area? => square\nWhat is 2 + 3? => add"


def write(visitor: Visitor, tools: str) -> None:
    """Write tools, and wait until they have been checked."""
    visitor.page.fill("#tools-input", tools)
    visitor.page.wait_for_function(
        "tools => document.querySelector('.fixes .aside').textContent.startsWith('checked')"
        " && document.querySelector('#tools-input').value === tools",
        arg=tools,
        timeout=60000,
    )


def check(visitor: Visitor, tools: str) -> Any:
    visitor.page.click('[data-tab="check"]')
    write(visitor, tools)
    visitor.page.wait_for_selector(".findings .row, .findings .nothing:not([hidden])")
    return visitor.page


def state(page: Any, name: str) -> Any:
    return page.locator("#state-graph g.node", has=page.locator("text.name", has_text=re.compile(f"^{name}$"))).first


def test_a_fix_under_the_line_can_be_undone(visitor: Visitor) -> None:
    page = visitor.page
    page.fill("#tools-input", FAULTY)
    page.wait_for_selector('.lines .finding button:has-text("Replace by float")')
    page.locator("#question-input").focus()
    assert page.locator('.editor .line[data-line="3"] .finding').text_content().startswith("E101")
    assert page.locator(".lines .finding.hint").count() == 0, "hints wait in the Check view"
    page.locator('.editor .line[data-line="4"] .finding button').click()
    assert page.locator("#tools-input").input_value() == FAULTY.replace("flaot", "float")
    page.keyboard.press("Control+z")
    assert page.locator("#tools-input").input_value() == FAULTY
    page.wait_for_function("document.querySelector('.tabs .badge').textContent === '2'")
    assert not visitor.complaints


def test_the_tools_without_errors_are_drawn(visitor: Visitor) -> None:
    page = visitor.page
    page.fill("#tools-input", FAULTY)
    page.wait_for_selector("#error-box:not([hidden])")
    assert until(lambda: "2 tools" in page.locator(".graph header").text_content())
    box = page.locator("#error-box").text_content()
    assert "Line 3" in box and "Left out of the machine, and so are 1 more" in box
    visitor.run()
    assert visitor.column("text")[-1].endswith("<T>square(5)"), "the run uses the tools that are left"
    assert page.locator("#error-box").is_visible()


def test_findings_filters_lines_and_all_fixes(visitor: Visitor) -> None:
    page = check(visitor, FAULTY)
    codes = page.locator(".findings .row .code").all_text_contents()
    assert codes[:2] == ["E101", "E204"] and "H502" in codes
    assert page.locator("#tools-count").text_content() == "2 of 4 in the machine"
    page.click('.filter[data-kind="error"]')
    assert page.locator(".findings .row").count() == 2
    page.locator('.findings .row[data-code="E204"] .what').click()
    caret = page.evaluate(
        "(() => { const e = document.querySelector('#tools-input'); return e.value.slice(e.selectionStart, e.selectionEnd); })()"
    )
    assert caret == "flaot"
    assert re.search(r"Errors2 → 0", page.locator(".after").text_content())
    page.click('.fixes button:has-text("Fix all 2")')
    page.wait_for_function("document.querySelector('.tabs .badge').hidden")
    assert "square_2" in page.locator("#tools-input").input_value()
    page.click('.fixes button:has-text("Undo")')
    assert page.locator("#tools-input").input_value() == FAULTY
    with page.expect_download() as download:
        page.click('.findings button:has-text("JSON")')
    found = json.loads(Path(download.value.path()).read_text("utf-8"))
    assert {"code", "severity", "line", "column", "message", "fix"} <= found[0].keys()
    assert not visitor.complaints


def test_the_ranking_moves_when_a_tool_is_renamed(visitor: Visitor) -> None:
    page = check(visitor, FOUR)
    page.wait_for_selector(".entry.first")
    assert page.locator(".entry.first .name").text_content() == "square"
    assert "sum 1.000" in page.locator(".ranking .about").text_content()
    assert page.locator('.entry[data-tool="square"] .path small').text_content() == "sq .787 × uare .923"
    page.fill("#questions-input", QUESTIONS)
    page.locator(".entry.first .name").click()
    page.fill(".renamer", "expadd")
    page.keyboard.press("Enter")
    page.wait_for_selector('.entry[data-tool="expadd"] .down')
    moved = page.locator('.entry[data-tool="expadd"]').text_content()
    assert "was 1 as square" in moved and page.locator("#tools-input").input_value() == FOUR.replace("square", "expadd")
    assert "expected square" in page.locator(".ranking .about").text_content()
    assert not visitor.complaints


def test_tools_that_cannot_be_ranked_say_why(visitor: Visitor) -> None:
    page = check(visitor, FOUR)
    page.wait_for_selector(".entry.first")
    page.fill("#tools-input", "def add(a: strng)")
    page.wait_for_selector(".ranking .about .sign.error")
    page.fill("#tools-input", FOUR + "\ndef expadd(x: int)")
    page.wait_for_selector('.entry[data-tool="expadd"]')
    assert not visitor.complaints


def test_the_ranking_weighs_names_as_wholes_where_that_is_wanted(visitor: Visitor) -> None:
    page = check(visitor, FOUR)
    page.wait_for_selector(".entry.first")
    page.check("#rank-weighed")
    page.wait_for_selector(".ranking .about:has-text('how much likelier its words become')")
    assert "sum 1.000" in page.locator(".ranking .about").text_content()
    assert "× likelier" in page.locator('.entry[data-tool="square"] .path small').text_content()
    page.uncheck("#rank-weighed")
    page.wait_for_selector(".ranking .about:has-text('exact')")
    assert page.locator('.entry[data-tool="square"] .path small').text_content() == "sq .787 × uare .923"
    assert not visitor.complaints


def test_a_rank_says_what_it_is_in_plain_words(visitor: Visitor) -> None:
    page = check(visitor, "def add(a: int)")
    page.wait_for_function("document.querySelector('.entry .path small')?.textContent === 'only one tool'")
    hint, row = page.locator(".heat .nothing").bounding_box(), page.locator(".heat tbody tr").bounding_box()
    assert hint["y"] >= row["y"] + row["height"], "the hint covers no row"
    assert page.locator(".ranking .about > span").first.text_content() == "How likely each tool is"
    told = page.evaluate(
        """async () => {
          const modules = performance.getEntriesByType('resource').map(one => one.name);
          const {wayTo} = await import(modules.find(name => name.endsWith('/check-ranks.js')));
          return [0.0004, 0.02].map(lost => wayTo({weight: null, path: []}, {lost, tools: 7}).path);
        }"""
    )
    assert told == ["less likely than 0.001: not computed", "less likely than 0.020: not computed"]


def test_a_ranking_says_of_how_many_names_its_sum_is(visitor: Visitor) -> None:
    page = check(visitor, FOUR)
    page.locator(".examples").get_by_role("button", name="Nine tools").click()
    page.wait_for_selector('.ranking .path:has-text("not computed")')
    left, all_ = (
        page.locator('.ranking .path:has-text("not computed")').count(),
        page.locator(".ranking .entry").count(),
    )
    assert f"of {all_ - left} of {all_} tools" in page.locator(".ranking .about").text_content()


def test_a_ranking_of_other_tools_is_gone_where_none_is_asked_for(visitor: Visitor) -> None:
    page = check(visitor, FOUR)
    page.locator(".ranking .entry").nth(3).wait_for()
    page.click('[data-tab="trace"]')
    page.fill("#tools-input", "\n".join(f"def tool_{index}(a: int)" for index in range(120)))
    page.wait_for_function("document.querySelector('#tools-count').textContent.startsWith('120 tools')")
    page.click('[data-tab="check"]')
    page.get_by_role("button", name="Rank 120 tools").wait_for()
    assert page.locator(".ranking .entry").count() == 0 and page.locator(".ranking .about").text_content() == ""
    page.fill("#tools-input", FOUR)
    page.locator(".ranking .entry").nth(3).wait_for()
    page.fill("#question-input", "")
    page.locator(".ranking .entry").first.wait_for(state="detached")


def test_what_was_asked_with_other_settings_says_so(visitor: Visitor) -> None:
    page = check(visitor, FOUR)
    page.fill(
        "#questions-input", "\n".join(QUESTIONS.split("\n")[0].replace("=> square", f"=> tool{i}") for i in range(9))
    )
    page.click("#ask-button")
    page.wait_for_selector(".heat table:not([aria-hidden])")
    page.wait_for_function(
        "document.querySelector('.questions .aside[role=status]').textContent.startsWith('9 questions asked')"
    )
    table = page.locator(".confusion .scroll")
    assert table.locator("tbody tr").count() == 9
    assert table.evaluate("part => part.scrollHeight <= part.clientHeight"), "nine rows are seen"
    old = page.locator(":is(.questions, .heat) .earlier:visible")
    assert old.count() == 0
    page.check("#rank-weighed")
    assert old.all_text_contents() == ["outdated: with other settings"] * 2
    page.uncheck("#rank-weighed")
    assert old.count() == 0
    page.click("text=Near names")  # of another model
    page.fill("#tools-input", FOUR)
    assert old.count() == 2
    page.fill("#tools-input", FAULTY)
    assert old.all_text_contents() == ["outdated: with the tools as they were"] * 2


def test_many_questions_confusion_heat_and_coverage(visitor: Visitor) -> None:
    page = check(visitor, FOUR)
    page.fill("#questions-input", QUESTIONS)
    page.click("#ask-button")
    page.wait_for_selector(".confusion table")
    page.wait_for_function(
        "document.querySelector('.questions .aside[role=status]').textContent.startsWith('2 questions asked')"
    )
    assert page.locator(".confusion p b").first.text_content() == "1 of 2"
    assert page.locator(".confusion .wrong").count() == 1 and page.locator(".confusion .right").count() == 1
    spot = page.locator(".heat tbody tr", has_text="square").locator('[data-place="rest"]')
    assert re.search(r"\d+ %$", spot.text_content())
    wanted = page.locator(".heat .lost").first.text_content()
    assert "uared" in wanted
    spot.click()
    assert (
        "uared" in page.locator(".cell .wanted").text_content()
        and "<T>square(5)" in page.locator(".cell").text_content()
    )
    page.click('[data-tab="trace"]')
    page.click('button:has-text("Coverage")')
    assert "never" in state(page, "s2").get_attribute("class") and "met-4" in state(page, "s1").get_attribute("class")
    assert "2×" in state(page, "s5").text_content()
    assert "states visited by 2 questions" in page.locator(".graph .told").text_content()
    page.click('button:has-text("Coverage")')
    assert page.locator("#state-graph .visits").count() == 0
    assert not visitor.complaints


def test_stop_keeps_what_was_asked(visitor: Visitor, slow_run: dict[str, int]) -> None:
    page = check(visitor, FOUR)
    page.fill("#questions-input", "\n".join([QUESTIONS] * 20))
    page.click("#ask-button")
    page.wait_for_function(
        "/^[1-9]/.test(document.querySelector('.questions .aside[role=status]').textContent)", timeout=60000
    )
    page.click('.questions button:has-text("Stop")')
    page.wait_for_selector("#ask-button:not([disabled])")
    assert "40 questions asked" not in page.locator(".questions").text_content()
    page.click('[data-tab="trace"]')
    visitor.run()
    assert len(visitor.column("step")) == 9


def test_any_state_tells_what_it_allows_and_why_not(visitor: Visitor) -> None:
    page = visitor.page
    visitor.wait_for_rows(9)
    state(page, "s2").click()
    page.wait_for_selector(".inspector .list .chip")
    assert page.locator(".inspector .list .chip").all_text_contents() == ["("]
    page.fill(".why input", "squared")
    page.wait_for_selector(".why .reason .icon")
    assert page.locator(".why .reason").text_content() == "no tool is called “addsquared”"
    page.fill(".why input", "(5,")
    page.wait_for_function("document.querySelector('.why .reason').textContent === 'it can stand here'")
    state(page, "s0").click()
    page.wait_for_function("document.querySelectorAll('.inspector .list .chip').length === 60")
    page.click('.inspector button:has-text("More")')
    page.wait_for_function("document.querySelectorAll('.inspector .list .chip').length > 60")
    page.fill(".seek input", "uare")
    page.wait_for_function("document.querySelectorAll('.inspector .list .chip').length < 6")
    assert "of 64" in page.locator(".seek").text_content()
    asked = len(visitor.requests)
    page.keyboard.press("Escape")
    for step in (1, 5, 3):
        visitor.select(step)
    assert len(visitor.requests) == asked, "scrubbing asks nobody"
    assert not visitor.complaints


def test_figure_3_marks_the_two_new_states(visitor: Visitor) -> None:
    page = visitor.page
    page.fill("#tools-input", FOUR + "\ndef exp10(x: int)\ndef expand(x: int)")
    page.wait_for_selector("#state-graph g.node.new")
    new = page.locator("#state-graph g.node.new")
    assert sorted(new.locator(".name").all_text_contents()) == ["s7", "s8"]
    assert (
        new.first.locator(".tag").is_visible()
        and "2 new: s7, s8; 1 changed: s3" in page.locator(".graph .told").text_content()
    )
    assert state(page, "s3").locator(".changed-tag").is_visible() and page.locator(".changed-tag").count() == 1
    assert state(page, "s3").locator(".subtitle").text_content() == "exp changed", "on one line: the next state is near"
    visitor.run()
    assert sorted(new.locator(".name").all_text_contents()) == ["s7", "s8"], "a run keeps the names"
    page.click('button:has-text("What changed")')
    assert page.locator("#state-graph .tag:visible").count() == 0
    page.click('button:has-text("From here on")')
    page.wait_for_selector('button:has-text("From here on")', state="hidden")
    assert not new.first.locator(".tag").is_visible()
    assert not visitor.complaints


def test_files_in_and_out(visitor: Visitor) -> None:
    page = visitor.page
    for form, begins in (("DOT", "digraph"), ("GraphML", "<?xml"), ("JSON", "{"), ("SVG", "<svg")):
        with page.expect_download() as download:
            page.click(f'.machine button:has-text("{form}")')
        assert Path(download.value.path()).read_text("utf-8").startswith(begins)
    drop = """([name, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], name));
      document.querySelector('.editor').dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
    }"""
    page.evaluate(drop, ["tools.json", '[{"name": "sqrt", "parameters": {"properties": {"x": {"type": "integer"}}}}]'])
    assert until(lambda: "1 tool" in page.locator(".graph header").text_content())
    assert "tools.json read" in page.locator(".dropped").text_content()
    page.locator("#tools-input").focus()
    page.keyboard.press("Control+z")
    assert page.locator("#tools-input").input_value() == FOUR
    page.evaluate(drop.replace("[text]", "[new Uint8Array([0xff, 0xfe, 0x41])]"), ["odd.bin", ""])
    assert until(lambda: "no UTF-8" in page.locator(".dropped").text_content())


def test_an_only_tool_that_cannot_be_read_leaves_no_others_behind(visitor: Visitor) -> None:
    """Why nothing is ranked is told like any other error; the tools of the machine before are not shown as today's."""
    page = check(
        visitor, json.dumps([{"name": "get weather", "parameters": {"properties": {"city": {"type": "string"}}}}])
    )
    page.wait_for_function("document.querySelector('.ranking .about code')?.textContent === 'get weather'")
    assert "`" not in page.locator(".ranking .about").text_content()
    page.wait_for_function("document.querySelectorAll('.heat tbody tr').length === 0")
    page.fill("#tools-input", FOUR)
    page.wait_for_function("document.querySelectorAll('.heat tbody tr').length === 4")
    assert not visitor.complaints


HOSTILE = '<img src=x onerror="window.hacked=1">'


def test_hostile_text_stays_text_in_the_check_view(visitor: Visitor) -> None:
    tools = json.dumps([{"name": HOSTILE, "description": HOSTILE, "parameters": {"properties": {HOSTILE: {"type": "strng"}}}},
                        {"name": "add", "parameters": {"properties": {"a": {"enum": [HOSTILE, HOSTILE, "${alert(1)}`"]}}}}])  # fmt: skip
    page = check(visitor, tools)
    page.fill("#questions-input", f"{HOSTILE} => {HOSTILE}")
    page.click("#ask-button")
    page.wait_for_function(
        "/can.t|no token|questions? asked/.test(document.querySelector('.questions .aside[role=status]').textContent)"
    )
    assert page.locator(".tooldec img, .tooldec script").count() == 0 and page.evaluate("window.hacked") is None
    assert not visitor.complaints


def test_two_thousand_tools_are_checked_and_listed(visitor: Visitor) -> None:
    tools = "\n".join(
        f"def get_thing{i:04}(a: int, b: Literal['x', 'x'])\ndef get_thing{i:04}s(a: int)" for i in range(1000)
    )
    page = check(visitor, tools)
    page.wait_for_selector(".virtual.many")
    assert page.locator(".findings .row").count() < 60, "only what is in sight exists"
    page.evaluate("document.querySelector('.findings .scroll').scrollTop = 1e6")
    page.wait_for_function("document.querySelectorAll('.findings .row').length > 3")
    slow = page.evaluate(
        """async () => {
          const started = performance.now();
          for (let i = 0; i < 10; i += 1) await new Promise(requestAnimationFrame);
          return performance.now() - started;
        }"""
    )
    assert slow < 2000
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_timeout(300)
    tops = page.locator(".findings .row").evaluate_all("all => all.map(one => [one.offsetTop, one.offsetHeight])")
    assert all(top + height <= below for (top, height), (below, _) in pairwise(tops)), "no row covers another"


@pytest.mark.parametrize("width", [390, 768])
def test_the_check_view_fits_small_screens(browser: Any, address: str, width: int) -> None:
    visitor = Visitor(browser, address, viewport={"width": width, "height": 800})
    try:
        page = visitor.page
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        check(visitor, FAULTY)
        page.fill("#questions-input", QUESTIONS)
        page.click("#ask-button")
        page.wait_for_selector(".heat table")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width == 390:
            low = "all => all.filter(one => one.getClientRects().length && one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
            assert page.locator(".checks :is(select, summary, button)").evaluate_all(low) == []
            cut = "all => all.filter(one => one.scrollHeight > one.clientHeight + 1).map(one => one.textContent)"
            assert page.locator(".findings .what span").evaluate_all(cut) == [], "hints are there in full"
            tops = [
                page.locator(name).bounding_box()["y"] for name in (".findings", ".check-tools", ".ranking", ".heat")
            ]
            assert tops == sorted(tops), "findings come first"
    finally:
        visitor.close()


def typed(visitor: Visitor) -> str:
    """The whole text, which the field has after a pause."""
    visitor.page.wait_for_timeout(600)
    return str(visitor.page.locator("#tools-input").input_value())


def test_a_long_text_is_laid_out_in_parts_and_edited_like_any_other(visitor: Visitor) -> None:
    page, text = visitor.page, "\n".join(f"def get_thing{i:03}(number: int)  # {'words ' * 16}" for i in range(900))
    check(visitor, text)
    page.wait_for_selector(".editor.long")
    assert page.locator(".long-rows .line").count() < 150
    page.click("#tools-input")
    page.keyboard.press("Control+Home")
    page.keyboard.type("ab")
    assert typed(visitor) == f"ab{text}"
    page.keyboard.press("Backspace")
    page.keyboard.press("Delete")
    assert typed(visitor) == f"a{text[1:]}"
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    page.keyboard.type("def last()")
    assert typed(visitor) == f"a{text[1:]}\ndef last()"
    page.evaluate("document.querySelector('.long-frame').scrollTop = 20000")
    page.wait_for_timeout(300)
    page.keyboard.type("#")
    assert typed(visitor).endswith("def last()#"), "typing goes on at the caret, wherever one has scrolled to"
    page.keyboard.press("Control+a")
    page.keyboard.type("d")
    page.keyboard.type("ef one()")
    assert typed(visitor) == "def one()" and page.locator(".editor.long").count() == 0
    page.keyboard.press("Control+a")
    assert not visitor.complaints


def test_where_the_toy_cannot_spell_the_tools_another_model_is_one_click_away(visitor: Visitor) -> None:
    page = check(visitor, "def greet(who: str)\ndef wave(who: str)")
    rows = page.locator('.findings .row[data-code="E610"]')
    assert rows.count() == 2 and rows.get_by_text("Take the model in the box").count() == 1
    rows.get_by_text("Take the model in the box").click()
    page.wait_for_function("document.querySelectorAll('.findings .row[data-code=E610]').length === 0")
    assert page.locator("#model-select").input_value() == "embedded"
    assert "2 tools" in page.locator(".editor-panel").inner_text()


def test_tools_that_the_toy_cannot_spell_are_no_errors_and_run_on_the_model_in_the_box(visitor: Visitor) -> None:
    page = visitor.page
    page.fill("#tools-input", "def greet(who: str)\ndef wave(who: str)")
    page.get_by_text("Run takes the model in the box").wait_for()
    assert page.locator("#model-select").input_value() == "toy"
    assert (
        "2 tools" in page.locator(".editor-panel").inner_text()
        and "E610" not in page.locator(".editor-panel").inner_text()
    )
    assert page.locator('[data-tab="check"] .badge.error').count() == 0
    page.fill("#question-input", "Greet Ann, please.")
    page.get_by_text("Run takes the model in the box").wait_for()
    page.click("#run-button")
    page.get_by_text(re.compile("Finished|Waits for a result")).first.wait_for()
    assert page.locator("#model-select").input_value() == "embedded"
    assert page.get_by_text("Run takes the model in the box").count() == 0
    assert not visitor.complaints


def test_a_finding_of_a_long_text_is_one_click_away(visitor: Visitor) -> None:
    page, lines = visitor.page, [f"def get_thing{i:03}(number: int)  # {'words ' * 16}" for i in range(900)]
    lines[800] = "def get_thing800(number: flaot)"
    page.click("text=Typed arguments")  # the toy model could spell none of these names
    check(visitor, "\n".join(lines))
    page.locator('.findings .row[data-code="E204"] .what').click()
    page.wait_for_selector('.long-rows .line.error[data-line="801"]')
    page.keyboard.type("float")
    assert typed(visitor).split("\n")[800] == "def get_thing800(number: float)"
    page.wait_for_function("document.querySelectorAll('.findings .row[data-code=E204]').length === 0")
    assert not visitor.complaints


def test_a_code_opens_its_page_and_the_format_can_be_chosen(visitor: Visitor) -> None:
    page = check(visitor, FAULTY)
    page.locator('.findings .row[data-code="E204"] .code').click()
    about = page.locator(".about-check")
    assert "An unknown type" in about.text_content() and "radius: flaot" in about.text_content()
    page.keyboard.press("Escape")
    assert about.is_hidden()
    assert page.locator("#format-select option").first.text_content() == "Python signatures"
    page.select_option("#format-select", "json")
    page.wait_for_function("document.querySelector('.findings .row')?.textContent.includes('JSON')")
    page.select_option("#format-select", "auto")
    page.wait_for_selector('.findings .row[data-code="E204"]')
    assert page.locator(".heat.empty .nothing").is_visible()
    assert not visitor.complaints
