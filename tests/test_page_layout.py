"""What fits where, what moves nothing, what is printed, and what keys do: in headless Chromium."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from contrasts import faint
from test_page import Visitor, address, browser, slow_run, visitor  # noqa: F401  (fixtures)

pytestmark = pytest.mark.browser

EXAMPLES = Path(__file__).resolve().parent.parent / "static" / "examples"
MANY = 1200


def lies_in(inner: dict[str, float], outer: dict[str, float], by: float = 1) -> bool:
    return all(
        outer[at] - by <= inner[at] and inner[at] + inner[size] <= outer[at] + outer[size] + by
        for at, size in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize(("width", "least"), [(1100, 1), (1161, 0.66), (1200, 0.66), (1251, 0.66), (1440, 0.88)])
def test_the_first_graph_is_seen_whole_and_can_be_read(
    browser: Any,  # noqa: F811
    address: str,  # noqa: F811
    width: int,
    least: float,
) -> None:
    tab = Visitor(browser, address, viewport={"width": width, "height": 820})
    page = tab.page
    frame, picture = (page.locator(one).bounding_box() for one in ("#state-graph", "#state-graph > svg"))
    assert lies_in(picture, frame)
    assert (
        picture["width"] / page.evaluate("document.querySelector('#state-graph > svg').viewBox.baseVal.width") > least
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tab.close()


@pytest.mark.parametrize("width", [901, 1160])
def test_between_tablet_and_desk_the_graph_stands_beside_the_inputs(browser: Any, address: str, width: int) -> None:  # noqa: F811
    tab = Visitor(browser, address, viewport={"width": width, "height": 800})
    page = tab.page
    page.locator("#tools-input").fill("\n".join(f"def tool_{index}(a: int)" for index in range(30)))
    page.locator("#tools-input").blur()
    page.wait_for_function("document.querySelectorAll('#state-graph .node').length > 60")
    side, graph, transport, run = (
        page.locator(one).bounding_box() for one in (".side", ".graph", ".transport", "#run-button")
    )
    assert side["x"] + side["width"] <= graph["x"] + 1 and abs(side["y"] - graph["y"]) < 2
    assert graph["width"] > 600 and transport["y"] + transport["height"] <= 801
    assert run["y"] + run["height"] <= transport["y"], "Run is in sight, however long the tools are"
    tab.close()


@pytest.mark.parametrize("width", [390, 1161, 1440])
def test_the_formats_name_is_told_in_full(browser: Any, address: str, width: int) -> None:  # noqa: F811
    tab = Visitor(browser, address, viewport={"width": width, "height": 820})
    if width == 390:
        tab.page.click(".tools-fold > summary")
    cut = tab.page.locator("#format-select").evaluate(
        """select => [...select.options].filter(option => {
          select.value = option.value;
          const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(select);
          const paper = new OffscreenCanvas(1, 1).getContext('2d');
          paper.font = `${fontSize} ${fontFamily}`;
          const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
          return paper.measureText(option.textContent).width > room + 1;
        }).map(option => option.textContent)"""
    )
    assert cut == []
    tab.close()


@pytest.mark.parametrize("width", [1000, 1440])
def test_the_count_of_errors_stands_on_one_line_with_the_format(browser: Any, address: str, width: int) -> None:  # noqa: F811
    tab = Visitor(browser, address, viewport={"width": width, "height": 820})
    page = tab.page
    page.locator("#tools-input").fill("def add(a: int\ndef cube(side: strng)\ndef sqrt(x: flot)")
    page.wait_for_function("document.querySelector('#tools-count').textContent.includes('3 errors')")
    parts = [
        page.locator(f".tools-fold > summary > {one}").bounding_box() for one in ("label", "#tools-count", "select")
    ]
    middles = [part["y"] + part["height"] / 2 for part in parts]
    assert max(middles) - min(middles) < 3, middles
    tab.close()


def test_on_a_phone_the_first_bars_are_in_sight(browser: Any, address: str) -> None:  # noqa: F811
    """Question, Run, answer and what the mask did to the chosen token, on the first screen; the graph is near."""
    tab = Visitor(browser, address, viewport={"width": 390, "height": 844})
    page = tab.page
    tab.wait_for_rows(9)
    transport = page.locator(".transport").bounding_box()
    bar = page.locator("#probability-bars .bar-row.chosen").bounding_box()
    assert bar["y"] + bar["height"] < transport["y"]
    assert transport["height"] < 844 / 8, "what sticks to the foot leaves room"
    assert all(one["height"] >= 44 for one in (key.bounding_box() for key in page.locator(".keys button").all()) if one)
    assert page.locator("#state-graph").bounding_box()["y"] < 1.5 * 844
    assert page.locator("#probability-bars .bar-row:not(.heads, .rest)").count() == 5
    assert page.locator("#settings-sum").text_content() == "Special token <T>, Toy, greedy"
    assert page.locator("#settings-sum").evaluate("one => one.scrollWidth <= one.clientWidth")
    page.fill(
        "#question-input", "A question that is so long that one line of a phone doesn't hold it, but two of them do"
    )
    assert page.locator("#question-input").bounding_box()["height"] > 60, "a longer question is seen whole"
    tab.close()


def test_an_answer_that_streams_in_moves_nothing_below_it(
    visitor: Visitor,  # noqa: F811
    slow_run: dict[str, float],  # noqa: F811
) -> None:
    page = visitor.page
    page.click('[data-example="02-assistant"]')  # its answer has two lines
    page.wait_for_function("document.querySelectorAll('#trace-table tbody tr').length > 20")
    top = "document.querySelector('.bars').getBoundingClientRect().top"
    after = page.evaluate(top)
    slow_run["pace"] = 0.02
    page.click("#run-button")
    page.wait_for_function("document.querySelector('.tooldec').classList.contains('live')")
    seen = {round(page.evaluate(top))}
    while page.locator(".tooldec.live").count():
        seen.add(round(page.evaluate(top)))
        page.wait_for_timeout(30)
    assert max(abs(one - after) for one in seen) <= 2, seen


def test_an_answer_of_one_line_leaves_no_second_one_when_it_is_over(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    visitor.wait_for_rows(9)
    height = "document.querySelector('.answer').getBoundingClientRect().height"
    recorded = page.evaluate(height)
    visitor.run()
    page.wait_for_function(f"Math.abs({height} - {recorded}) < 1")


def test_the_sign_of_an_error_stands_before_its_words(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.click('[data-example="03-unguided"]')
    page.locator(".calls .wrong").wait_for()
    apart = page.evaluate(
        """() => {
          const words = document.createRange(), told = document.querySelector('.calls .wrong code');
          words.selectNodeContents(told);
          const [sign, first] = [document.querySelector('.calls .wrong .icon').getBoundingClientRect(), words.getClientRects()[0]];
          return {across: first.left - sign.right, down: Math.abs((sign.top + sign.bottom - first.top - first.bottom) / 2)};
        }"""
    )
    assert 0 <= apart["across"] < 12 and apart["down"] < 4, apart


def test_a_token_of_a_dozen_letters_is_named_in_full_in_its_bar(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.click('[data-example="02-assistant"]')
    page.wait_for_function("document.querySelector('#probability-bars .chosen .chip')?.textContent === 'celsius'")
    chips = page.locator("#probability-bars .chip")
    assert "temperature" in chips.all_text_contents()
    assert chips.evaluate_all("chips => chips.every(one => one.scrollWidth <= one.clientWidth)")


@pytest.mark.parametrize("width", [768, 1920])
def test_where_the_table_has_room_its_tokens_stand_in_full(browser: Any, address: str, width: int) -> None:  # noqa: F811
    tab = Visitor(browser, address, viewport={"width": width, "height": 900})
    page = tab.page
    page.select_option("#model-select", "embedded")
    page.wait_for_function("document.querySelector('#model-status').textContent.includes('box ready')")
    page.select_option("#scheme-select", "json_tags")
    page.select_option("#start-select", "call")
    tab.run()
    tab.select(tab.column("token").index("arguments"))
    chip = page.locator('#trace-table tr[aria-current] td[data-col="token"] .chip')
    assert chip.text_content() == "arguments" and chip.evaluate("chip => chip.scrollWidth <= chip.clientWidth")
    tab.close()


def test_bands_are_raised_in_the_dark_and_what_stands_on_them_can_be_read(browser: Any, address: str) -> None:  # noqa: F811
    tab = Visitor(browser, address, color_scheme="dark", reduced_motion="reduce")
    page = tab.page
    light = (
        "element => { const [r, g, b] = getComputedStyle(element)[%r].match(/[0-9]+/g).map(Number); return r + g + b; }"
    )
    band = page.locator("#state-graph .band rect").first.evaluate(light % "fill")
    panel = page.locator(".board").evaluate(light % "backgroundColor")
    assert band > panel + 10
    for selector in ("#state-graph .band text", "#state-graph .edge.grounded:not(.pale, .chosen) text"):
        assert not faint(page, selector)
    tab.close()


@pytest.mark.parametrize("width", [1161, 1200, 1250, 1440])
def test_the_legend_names_what_is_drawn_on_one_line(browser: Any, address: str, width: int) -> None:  # noqa: F811
    tab = Visitor(browser, address, viewport={"width": width, "height": 820})
    page = tab.page
    entries = page.locator(".legend li:visible")
    assert len({entry.bounding_box()["y"] for entry in entries.all()}) == 1
    assert "result" not in entries.all_text_contents(), "no state of it is drawn"
    page.click('[data-example="10-react"]')
    page.locator("#state-graph .node.mode-result").first.wait_for()
    assert "result" in entries.all_text_contents()
    tab.close()


FLAT = """selector => [...document.querySelectorAll(selector)].filter(one => {
  const { backgroundColor, backgroundImage } = getComputedStyle(one);
  return backgroundColor === getComputedStyle(document.body).backgroundColor && backgroundImage === 'none';
}).length"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_leave_what_a_ground_tells(browser: Any, address: str, theme: str) -> None:  # noqa: F811
    """Bars, what the mask kept, the selected row and the pressed button; in the system's own light or dark."""
    tab = Visitor(browser, address, color_scheme="dark", forced_colors="active")
    page = tab.page
    tab.wait_for_rows(9)
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    for mark in (
        ".bar-row:not(.blocked) i",
        ".mass .kept",
        "#trace-table tr[aria-current]",
        ".speed[aria-pressed=true]",
    ):
        assert page.locator(mark).count() > 0 and page.evaluate(FLAT, mark) == 0, mark
    assert not faint(page, "#trace-table tr[aria-current] td") and not faint(page, ".tabs a[aria-current]")
    page.click('[data-tab="check"]')
    page.click('[data-example="17-nine"]')
    page.locator(".entry.first .path i").wait_for()
    assert page.evaluate(FLAT, ".entry .path i, .heat .spot") == 0
    tab.close()


def test_compare_and_check_are_printed_whole(browser: Any, address: str) -> None:  # noqa: F811
    """No token beyond the paper's edge, no question below the edge of its field."""
    tab = Visitor(browser, address, viewport={"width": 720, "height": 1000})
    page = tab.page
    page.click('[data-tab="compare"]')
    page.locator(".tokens .token").nth(20).wait_for()
    page.emulate_media(media="print")
    tokens = [token.bounding_box() for token in page.locator(".tokens .token").all()]
    assert len(tokens) > 50 and all(0 <= one["x"] and one["x"] + one["width"] <= 721 for one in tokens)
    page.emulate_media(media="screen")
    page.click('[data-tab="check"]')
    page.click('[data-example="17-nine"]')
    page.emulate_media(media="print")
    page.wait_for_function("document.querySelector('#questions-input').value.split('\\n').length > 10")
    assert page.locator("#questions-input").evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    heat = page.locator(".heat table").bounding_box()
    assert heat["x"] + heat["width"] <= 721
    tab.close()


def test_the_page_can_be_printed(browser: Any, address: str) -> None:  # noqa: F811
    """From a dark screen in black on white: tools, answer, the whole graph, every step; no buttons."""
    tab = Visitor(browser, address, color_scheme="dark")
    page = tab.page
    page.click('[data-example="08-figure3"]')
    page.wait_for_function("document.querySelectorAll('#trace-table tbody tr').length > 20")
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print")
    for gone in (".header", ".examples", ".transport", ".inspector", "#run-button", ".graph .tools", ".legend"):
        assert page.locator(gone).first.is_hidden(), gone
    for shown in ("#tools-input", "#question-input", "#answer-text", "#state-graph > svg", "#probability-bars"):
        assert page.locator(shown).is_visible(), shown
    places = [page.locator(one).bounding_box() for one in (".answer", "#state-graph > svg", ".bars", "#trace-table")]
    assert all(0 <= place["x"] and place["x"] + place["width"] <= 721 for place in places)
    assert [place["y"] for place in places] == sorted(place["y"] for place in places)
    scroll, table = page.locator(".trace .scroll").bounding_box(), places[-1]
    assert scroll["height"] >= table["height"] > 26 * 30, "nothing is scrolled away"
    assert page.locator("#answer-text").evaluate("one => getComputedStyle(one).color") == "rgb(26, 28, 31)"
    tab.close()


def test_a_question_is_written_from_its_own_side(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    for text, direction in (("\u05de\u05d4 \u05e9\u05d8\u05d7 5?", "rtl"), ("What is 5?", "ltr")):
        page.fill("#question-input", text)
        assert page.locator("#question-input").evaluate("one => getComputedStyle(one).direction") == direction


def test_keys_go_through_the_table_and_are_read_aloud(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    visitor.wait_for_rows(9)
    page.locator(".trace .scroll").focus()
    for key, step in (
        ("Home", 0),
        ("ArrowDown", 1),
        ("ArrowDown", 2),
        ("ArrowUp", 1),
        ("PageDown", 8),
        ("PageUp", 0),
        ("End", 8),
    ):
        page.keyboard.press(key)
        assert visitor.selected()["row"] == step, key
    spoken = page.locator(".transport [role=status]")
    page.wait_for_function("document.querySelector('.transport [role=status]').textContent.startsWith('Step 9 of 9')")
    page.get_by_role("button", name="Step back").click()
    page.wait_for_function("document.querySelector('.transport [role=status]').textContent.startsWith('Step 8 of 9')")
    page.locator("#step-slider").focus()
    page.keyboard.press("Home")  # the slider's own words tell it
    page.wait_for_timeout(600)
    assert spoken.text_content().startswith("Step 8 of 9")
    page.locator("#play-button").click()
    assert page.locator("#play-button").get_attribute("aria-label") == "Pause"
    page.keyboard.press("Escape")
    assert page.locator("#play-button").get_attribute("aria-label") == "Play"


def long_run() -> str:
    """The recorded run without a mask, its steps again and again."""
    start, *steps, end = json.loads((EXAMPLES / "03-unguided.run.json").read_text("utf-8"))
    again = [message["step"] for message in steps if message["step"].get("end") is None]
    made: list[Any] = []
    text = ""
    for index in range(MANY):
        step = {**again[index % len(again)], "index": index, "text": text}
        made.append({"kind": "step", "step": step})
        text += step["token"]
    return json.dumps([start, *made, end])


def test_a_long_trace_has_the_rows_that_are_seen(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.route(
        "**/03-unguided.run.json*", lambda route: route.fulfill(body=long_run(), content_type="application/json")
    )
    page.click('[data-example="03-unguided"]')
    page.wait_for_function("document.querySelector('#step-slider').max > 1000")
    page.wait_for_timeout(300)
    rows = page.locator("#trace-table tr[data-step]")
    for step in (MANY - 1, 700, 0, 350):
        visitor.select(step)
        chosen = page.locator('#trace-table tr[aria-current="step"]')
        assert chosen.get_attribute("data-step") == str(step) and chosen.get_attribute("aria-rowindex") == str(step + 2)
        assert lies_in(chosen.bounding_box(), page.locator(".trace .scroll").bounding_box())
        assert rows.count() < 150
    assert page.locator("#trace-table").get_attribute("aria-rowcount") == str(MANY + 1)
    page.locator(".trace .scroll").evaluate("scroll => { scroll.scrollTop = 32 * 900; }")
    page.wait_for_selector('#trace-table tr[data-step="903"]')
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert rows.count() == MANY
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert rows.count() < 150


FLAG_COVERS = """() => {
  const flag = document.querySelector('#state-graph .flag rect');
  if (!flag) return ['no flag'];
  const own = flag.getBBox();
  const over = (least, one, two) => Math.min(own[one] + own[two], least[one] + least[two]) - Math.max(own[one], least[one]) > 1.5;
  const others = ['.edge rect', '.subtitle', '.band text', '.cluster text', '.node:not(.current) > :is(circle, rect):first-child'];
  const { x, y, width, height } = document.querySelector('#state-graph > svg').viewBox.baseVal;
  const beyond = own.x < x || own.y < y || own.x + own.width > x + width || own.y + own.height > y + height;
  return beyond ? ['cut'] : [...document.querySelectorAll(others.map(one => `#state-graph ${one}`))].map(one => [one.getBBox(), one])
    .filter(([box]) => over(box, 'x', 'width') && over(box, 'y', 'height')).map(([, one]) => one.parentNode.textContent);
}"""


@pytest.mark.parametrize("width", [390, 1440])
def test_the_steps_flag_covers_nothing_that_is_written(browser: Any, address: str, width: int) -> None:  # noqa: F811
    tab = Visitor(browser, address, viewport={"width": width, "height": 900}, reduced_motion="reduce")
    page = tab.page
    for example, number in (
        ("01-table2", 9),
        ("02-assistant", 41),
        ("05-wrong", 20),
        ("08-figure3", 26),
        ("10-react", 40),
    ):
        page.click(f'[data-example="{example}"]')
        page.wait_for_function(f"document.querySelectorAll('#trace-table tbody tr').length >= {number}")
        for step in range(number):
            tab.select(step)
            assert page.evaluate(FLAG_COVERS) == [], (example, step)
    tab.close()


def test_what_is_read_aloud_is_told_once(
    visitor: Visitor,  # noqa: F811
    slow_run: dict[str, float],  # noqa: F811
) -> None:
    """While tokens stream in, a screen reader hears that it runs and that it has ended, and not each of them."""
    page = visitor.page
    visitor.wait_for_rows(9)
    page.evaluate(
        """() => {
          window.spoken = [];
          for (const one of document.querySelectorAll('#model-status, .headline, .headline [role=status]')) {
            const live = one.getAttribute('role') === 'status';
            if (live) new MutationObserver(() => window.spoken.push(one.textContent))
              .observe(one, { childList: true, subtree: true, characterData: true });
          }
        }"""
    )
    slow_run["pace"] = 0.05
    visitor.run()
    spoken = page.evaluate("window.spoken")
    assert "Finished, call is valid" in spoken and len(spoken) == len(set(spoken)), spoken


def test_what_stays_is_not_drawn_anew(visitor: Visitor) -> None:  # noqa: F811
    """Typing leaves the rows of other lines alone; a step, and another picture, measure nothing in the picture."""
    page = visitor.page
    visitor.wait_for_rows(9)
    page.evaluate(
        """() => {
          window.asked = [];
          for (const [of, name] of [[Element, 'getBoundingClientRect'], [SVGGraphicsElement, 'getBBox'],
              [SVGGeometryElement, 'getTotalLength'], [SVGGeometryElement, 'getPointAtLength']]) {
            const own = of.prototype[name];
            of.prototype[name] = function (...given) {
              if (this.closest('#state-graph > svg')) window.asked.push(name);
              return own.apply(this, given);
            };
          }
        }"""
    )
    for step in (8, 3, 5, 7):
        visitor.select(step)
    page.click('[data-example="08-figure3"]')
    page.wait_for_function("document.querySelectorAll('#trace-table tbody tr').length > 20")
    assert page.evaluate("window.asked") == []
    page.evaluate("window.rows = [...document.querySelectorAll('.editor .line')]")
    page.locator("#tools-input").press("Control+End")
    page.keyboard.type("\ndef cube(side: int)")
    page.wait_for_function("document.querySelector('#tools-count').textContent.includes('7 tools')")
    same = "[...document.querySelectorAll('.editor .line')].map((row, index) => row === window.rows[index])"
    assert page.evaluate(same) == [True] * 6 + [False]
