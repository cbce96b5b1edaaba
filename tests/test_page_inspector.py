"""The state that is looked at, in headless Chromium: its tokens, and boxes that can't be opened."""

from __future__ import annotations

from typing import Any

import pytest
import test_page
from test_page import Visitor

from tooldec import playground

pytestmark = pytest.mark.browser
address, browser, visitor, reader = test_page.address, test_page.browser, test_page.visitor, test_page.reader
slow_run = test_page.slow_run

LISTED = """async () => {
  const modules = performance.getEntriesByType('resource').map(one => one.name);
  const {looker} = await import(modules.find(name => name.endsWith('/look.js')));
  const pause = milliseconds => new Promise(go => setTimeout(go, milliseconds));
  const tokens = (find, offset) => Array.from({length: Math.max(0, Math.min(60, 70 - offset))},
    (_, index) => ({token: `${find}${offset + index}`, next_name: null}));
  const ask = async ({find, offset}) => {
    await pause(40);
    return {kind: 'state', expected: '', why: null,
      allowed: {total: 300, found: 70, whole: false, host: false, offset, tokens: tokens(find, offset)}};
  };
  const look = looker({state: {picture: {}}}, {ask}, () => ({}));
  const [seek, list, more] = [look.tokens[0].querySelector('input'), look.tokens[1], look.tokens[2]];
  const why = look.why.querySelector('input');
  const type = async (field, text, wait) => {
    field.value = text;
    field.dispatchEvent(new Event('input'));
    await pause(wait);
  };
  const told = () => { const all = [...list.children].map(one => one.textContent); return [all.length, all[0], all.at(-1)]; };
  const found = [];
  look.at('b1', '', 'text', true, null);
  await pause(300);
  await type(seek, 'a', 130); // asked, and on its way
  await type(seek, 'ab', 80); // the answer to "a" has come
  await pause(300);
  found.push(told());
  more.click();
  await pause(100);
  found.push(told());
  await type(why, 'x', 300);
  await type(why, 'xy', 300);
  found.push(told());
  return found;
}"""


def test_a_search_lists_what_it_found_and_typing_why_not_adds_nothing(reader: Visitor) -> None:
    first, more, still = reader.page.evaluate(LISTED)
    assert first == [60, "ab0", "ab59"]
    assert more == still == [70, "ab0", "ab69"]


def closed(page: Any) -> Any:
    return page.locator("#state-graph g.node.opens", has_text="a: int").first


def note(page: Any) -> Any:
    return page.get_by_role("alert").and_(page.locator(".note-here"))


def test_a_box_that_the_server_refuses_says_why_where_the_click_was(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = playground.ask

    def ask(request: Any) -> Any:
        refused = {"message": "too much of it", "line": None, "column": None, "fix": "open another", "text": ""}
        return {"kind": "error", "error": refused} if request.get("opened") else real(request)

    monkeypatch.setattr(playground, "ask", ask)
    visitor.wait_for_rows(9)
    page = visitor.page
    visitor.select(0)
    page.wait_for_timeout(400)  # it glides
    box = closed(page).bounding_box()
    closed(page).click()
    note(page).wait_for()
    assert note(page).text_content() == "Too much of itThe box stays as it was.Fix: open another"
    told = note(page).bounding_box()
    assert abs(told["x"] - box["x"]) < 340 and 0 <= told["y"] - box["y"] - box["height"] < 20
    assert told["x"] + told["width"] <= 1440 and told["y"] + told["height"] <= 900
    page.keyboard.press("Escape")
    assert note(page).is_hidden()
    closed(page).press("Enter")
    note(page).wait_for()
    monkeypatch.setattr(playground, "ask", real)
    closed(page).click()
    page.wait_for_function("document.querySelectorAll('#state-graph g.cluster').length > 0")
    assert note(page).is_hidden(), "a click takes it away, and the box opens now"


def test_while_steps_come_a_click_says_that_no_box_opens(visitor: Visitor, slow_run: dict[str, float]) -> None:
    visitor.wait_for_rows(9)
    page = visitor.page
    slow_run["pace"] = 0.4
    page.click("#run-button")
    page.wait_for_function("document.querySelectorAll('#trace-table tbody tr').length === 2")
    closed(page).click()
    note(page).wait_for()
    assert "while steps come" in note(page).text_content()
    page.click("#stop-button")


def test_of_a_large_schema_what_else_is_known_stays_near(visitor: Visitor) -> None:
    page = visitor.page
    page.locator("#tools-input").fill(f"def order({', '.join(f'a_field_of_number_{n}: int' for n in range(90))})")
    page.wait_for_function("document.querySelectorAll('#state-graph .node').length > 60")
    page.locator("#state-graph .node").nth(1).click(force=True)
    signature = page.locator(".inspector .tool").first
    signature.wait_for()
    assert signature.evaluate("one => one.scrollHeight") > 400 and signature.bounding_box()["height"] < 150


def test_the_sheet_leaves_the_state_that_was_clicked_in_sight(browser: Any, address: str) -> None:
    tab = Visitor(browser, address, viewport={"width": 768, "height": 1024}, reduced_motion="reduce")
    page = tab.page
    tab.wait_for_rows(9)
    page.evaluate("document.querySelector('#state-graph').scrollIntoView({ block: 'end' }); scrollBy(0, 100)")
    page.locator("#state-graph .node.current").first.click()
    sheet, state = page.locator(".inspector"), page.locator("#state-graph .node.looked-at").first
    sheet.wait_for()
    page.wait_for_timeout(200)
    box = state.bounding_box()
    assert 0 < box["y"] and box["y"] + box["height"] < sheet.bounding_box()["y"]
    tab.close()
