"""How the machine's picture lies in its frame, and what is written on it and beside it: in headless Chromium."""

from __future__ import annotations

from typing import Any

import pytest
from contrasts import faint
from test_page import Visitor, address, browser, visitor  # noqa: F401  (fixtures)

pytestmark = pytest.mark.browser

SCALE = "new DOMMatrix(getComputedStyle(document.querySelector('#state-graph svg')).transform).a"
MANY = "\n".join(
    [f"def get_thing{at}(x: int)" for at in range(100)] + [f"def {letter}(x: int)" for letter in "abcdefhijk"]
)


def test_fit_lasts_when_the_window_changes(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.click('[data-example="09-calls"]')
    page.wait_for_function("document.querySelector('.graph header').textContent.includes('94 states')")
    page.get_by_role("button", name="Fit").click()
    whole = page.evaluate(SCALE)
    assert whole < 0.6
    page.set_viewport_size({"width": 1400, "height": 880})
    page.wait_for_timeout(300)
    assert page.evaluate(SCALE) == pytest.approx(whole, rel=0.15)
    frame, picture = (page.locator(one).bounding_box() for one in ("#state-graph", "#state-graph > svg"))
    assert picture["width"] <= frame["width"] and picture["height"] <= frame["height"]


def test_after_fit_a_step_is_seen_from_nearer(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.click('[data-example="09-calls"]')
    page.wait_for_function("document.querySelector('.graph header').textContent.includes('94 states')")
    page.get_by_role("button", name="Fit").click()
    page.locator("#state-graph g.node").last.press("Enter")
    page.wait_for_timeout(400)
    assert page.evaluate(SCALE) < 0.6, "to look at a state is no step"
    for step in (4, 9):
        visitor.select(step - 1)
        page.get_by_role("button", name="Fit").click()
        visitor.select(step)
        page.wait_for_timeout(400)  # it glides
        frame, current = box(page, "#state-graph"), box(page, "#state-graph .current")
        assert page.evaluate(SCALE) > 0.66
        assert all(
            frame[at] <= current[at] and current[at] + current[size] <= frame[at] + frame[size]
            for at, size in (("x", "width"), ("y", "height"))
        )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_written_can_be_read(browser: Any, address: str, theme: str) -> None:  # noqa: F811
    """On a phone a parameter stands inside of its box, which is filled where the run is; the answer's future is faint."""
    phone = Visitor(
        browser, address, viewport={"width": 390, "height": 844}, color_scheme=theme, reduced_motion="reduce"
    )
    page = phone.page
    page.click('[data-example="02-assistant"]')
    page.wait_for_function("document.querySelectorAll('#trace-table tbody tr').length > 20")
    inside = set()
    for step in range(len(phone.column("step")) - 1):
        phone.select(step)
        inside.update(page.locator(".node.current .inside").all_text_contents())
        assert faint(page, ".node.current :is(.name, .inside)") == []
    assert len(inside) > 2, "city, day and unit"
    phone.select(4)
    assert page.locator(".piece.later.mode-text").count() and faint(page, ".piece") == []
    phone.close()


def test_a_large_picture_begins_with_its_first_state(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.fill("#tools-input", MANY)
    page.wait_for_function("document.querySelector('.graph header').textContent.includes('110 tools')", timeout=60000)
    frame = page.locator("#state-graph").bounding_box()
    first = page.locator("#state-graph g.node").first.bounding_box()
    assert frame["y"] <= first["y"] and first["y"] + first["height"] <= frame["y"] + frame["height"]
    assert frame["x"] <= first["x"]


def box(page: Any, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(selector).first.bounding_box()
    return found


def apart(one: dict[str, float], two: dict[str, float]) -> bool:
    return any(
        one[at] + one[size] <= two[at] or two[at] + two[size] <= one[at]
        for at, size in (("x", "width"), ("y", "height"))
    )


def test_the_steps_flag_leaves_the_titles_of_bands_free(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.click('[data-example="08-figure3"]')
    page.wait_for_function("document.querySelectorAll('#trace-table tbody tr').length > 20")
    seen = False
    for step in range(len(visitor.column("step"))):
        visitor.select(step)
        for title in page.locator("#state-graph .band text").all():
            assert apart(box(page, "#state-graph .flag"), title.bounding_box()), step
        seen = seen or page.locator("#state-graph .current .name").first.text_content() == "s20"
    assert seen, "the call's end"


def test_what_changed_stands_below_the_picture_and_leaves_the_head_its_words(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.click('[data-example="08-figure3"]')
    page.wait_for_selector(".graph .told:visible")
    assert apart(box(page, ".graph .told"), box(page, "#state-graph"))
    page.set_viewport_size({"width": 1300, "height": 900})
    about = page.locator(".graph .panel-head .aside")
    assert about.evaluate("one => one.scrollWidth <= one.clientWidth") and "6 tools" in about.text_content()
    page.click('button:has-text("What changed")')
    assert page.locator(".graph .told").is_hidden() and page.get_by_role("button", name="What changed").is_visible()


def test_more_examples_than_fit_are_told_and_unfolded(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    count = page.locator('.example:visible:not([data-example="yours"])').count()
    last = page.locator('[data-example="16-many"]')
    row = page.locator(".examples .row")
    assert "more" in row.get_attribute("class")
    page.get_by_role("button", name=f"All {count}").click()
    assert last.bounding_box()["y"] > box(page, '[data-example="01-table2"]')["y"]
    assert "more" not in row.get_attribute("class")
    page.get_by_role("button", name="Fewer").click()
    assert last.bounding_box()["y"] == box(page, '[data-example="01-table2"]')["y"]
    page.click('[data-tab="compare"]')
    assert page.locator(".examples .all").is_hidden(), "all of them are seen"


def test_lines_of_an_answer_do_not_end_inside_of_a_value(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.click('[data-example="02-assistant"]')
    page.wait_for_function("document.querySelector('#answer-text').textContent.includes('2026-12-24')")
    whole = """() => {
      const text = document.querySelector('#answer-text'), walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
      const lines = [];
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        for (let at = 0; at < node.length; at += 1) {
          const range = document.createRange();
          range.setStart(node, at), range.setEnd(node, at + 1);
          lines.push([node.data[at], Math.round(range.getBoundingClientRect().bottom / 10)]);
        }
      }
      const from = lines.map(([sign]) => sign).join('').indexOf('2026-12-24');
      return new Set(lines.slice(from, from + 10).map(([, line]) => line)).size;
    }"""
    for width in range(1120, 1440, 40):
        page.set_viewport_size({"width": width, "height": 900})
        for step in (4, 14, 16):  # also where the caret stands in it
            visitor.select(step)
            assert page.evaluate(whole) == 1, (width, step)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.click('[data-example="01-table2"]')
    page.wait_for_function("document.querySelector('.calls').textContent.includes('square')")
    words = box(page, ".words")
    assert words["x"] + words["width"] > box(page, ".calls li")["x"] - 60, "no free room between answer and calls"


@pytest.mark.parametrize("width", [1440, 1280])
def test_eight_ways_are_all_in_sight(visitor: Visitor, width: int) -> None:  # noqa: F811
    page = visitor.page
    page.set_viewport_size({"width": width, "height": 900})
    page.click('[data-tab="compare"]')
    page.wait_for_selector(".lane .piece")
    for count in range(5, 9):
        page.get_by_role("button", name="Add a way").click()
        lanes = [one.bounding_box() for one in page.locator(".lane").all()]
        assert len(lanes) == count and all(250 < one["width"] and one["x"] + one["width"] <= width for one in lanes)
    page.fill("#question-input", "")
    page.click("#compare-run")
    page.wait_for_selector("#compare-error:visible")
    error, editor = box(page, "#compare-error"), box(page, ".editor")
    assert error["y"] - editor["y"] - editor["height"] >= 8


def test_between_phone_and_desktop_nothing_stands_apart(browser: Any, address: str) -> None:  # noqa: F811
    tablet = Visitor(browser, address, viewport={"width": 768, "height": 1024})
    page = tablet.page
    page.fill("#tools-input", "\n".join(f"def tool{at}(x: int)" for at in range(9)))
    page.select_option("#model-select", "embedded")
    page.wait_for_function("document.querySelector('#model-status').textContent.includes('ready')", timeout=60000)
    question, run = box(page, "#question-input"), box(page, "#run-button")
    assert run["y"] - question["y"] - question["height"] < 40
    scheme, editor = box(page, "#scheme-select"), box(page, ".editor")
    assert scheme["y"] > editor["y"] + editor["height"] and scheme["x"] < question["x"]
    tab, status = box(page, '[data-tab="check"]'), box(page, ".ready")
    assert status["x"] - tab["x"] - tab["width"] >= 20
    assert page.locator(".named").evaluate("one => one.scrollWidth <= one.clientWidth"), "the model's whole name"
    tablet.close()


def test_on_a_phone_the_verdict_stands_beside_the_answer(browser: Any, address: str) -> None:  # noqa: F811
    phone = Visitor(browser, address, viewport={"width": 390, "height": 844})
    phone.wait_for_rows(9)
    page = phone.page
    verdict, head = page.locator(".judged"), box(page, ".answer h2")
    assert verdict.text_content() == "call is valid" and box(page, ".headline")["width"] <= 1, "it is only read aloud"
    assert head["y"] <= box(page, ".judged")["y"] <= head["y"] + head["height"]
    assert box(page, ".branches > header")["height"] < 70
    page.fill("#question-input", "")
    assert verdict.is_hidden() and page.locator(".answer .earlier").is_visible()
    page.click("#run-button")
    page.wait_for_selector("#error-box:visible")
    assert "see the message above" in page.locator(".headline").text_content()
    page.click('[data-tab="check"]')
    page.wait_for_selector(".findings .row")
    assert page.locator("#questions-input").evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 16
    assert page.locator(".findings .scroll").evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    phone.close()


def test_on_a_phone_the_graph_stays_where_it_is_seen(browser: Any, address: str) -> None:  # noqa: F811
    """The bars above it have another height at each step; Safari doesn't anchor the page."""
    phone = Visitor(browser, address, viewport={"width": 390, "height": 844})
    phone.wait_for_rows(9)
    page = phone.page
    page.add_style_tag(content="html { overflow-anchor: none }")
    page.evaluate("document.querySelector('.graph').scrollIntoView()")
    page.evaluate("scrollBy(0, -120)")
    heights, places = set(), set()
    for step in range(9):
        phone.select(step)
        page.wait_for_timeout(50)
        heights.add(box(page, ".board > .bars")["height"])
        places.add(round(box(page, ".board > .graph")["y"]))
    assert len(heights) > 3 and places == {120}
    phone.close()


def test_chips_leave_room_for_how_many_more_there_are(visitor: Visitor) -> None:  # noqa: F811
    visitor.wait_for_rows(9)
    cell = visitor.page.locator('tr[data-step="6"] td[data-col="valid"]')
    cell.locator(".chip").evaluate_all("chips => chips.slice(1).forEach(chip => chip.remove())")
    cell.locator(".chip").evaluate("chip => { chip.textContent = 'grandmothers'; }")
    cell.locator(".aside").evaluate("more => { more.textContent = '+13,711'; }")
    more, room = cell.locator(".aside").bounding_box(), cell.bounding_box()
    assert more["x"] + more["width"] <= room["x"] + room["width"]


@pytest.mark.parametrize("width", [1440, 390, 320])
def test_the_share_that_the_mask_kept_is_always_told_once(browser: Any, address: str, width: int) -> None:  # noqa: F811
    visitor = Visitor(browser, address, viewport={"width": width, "height": 844})  # noqa: F811
    visitor.wait_for_rows(9)
    told = visitor.page.evaluate(
        """async () => {
          const modules = performance.getEntriesByType('resource').map(entry => entry.name);
          const { massBar } = await import(modules.find(name => name.endsWith('/bar-rows.js')));
          const place = document.querySelector('.bars .mass');
          const whole = part => {
            const [room, words] = [part.parentElement, part].map(one => one.getBoundingClientRect());
            return words.width > 0 && room.left <= words.left && words.right <= room.right;
          };
          return [0, 0.0004, 0.1, 0.149, 0.17, 0.2, 0.232, 0.289, 0.29, 0.297, 0.5, 0.97, 1].map(kept => {
            place.replaceChildren(massBar({ mass_kept: kept, mode: 'argument' }, false));
            const words = place.querySelectorAll('.kept span, .gone b');
            const shown = [...words].filter(one => one.getClientRects().length);
            return [kept, place.innerText.split('kept').length - 1, shown.every(whole)];
          });
        }"""
    )
    assert [one for one in told if one[1:] != [1, True]] == []
    visitor.close()
