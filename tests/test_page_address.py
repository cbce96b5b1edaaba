"""The address and the history: tabs are entries of it, links come whole or say that they don't; in headless Chromium."""

from __future__ import annotations

import pytest
from test_page import Visitor, address, browser, visitor  # noqa: F401  (fixtures)
from test_page_typed import share, tab, value, write

pytestmark = pytest.mark.browser


def go(visitor: Visitor, name: str) -> None:  # noqa: F811
    visitor.page.click(f'[data-tab="{name}"]')


def title(visitor: Visitor) -> str:  # noqa: F811
    return str(visitor.page.title()).split(" ")[0].lower()


def test_back_and_forward_move_between_tabs_and_lose_nothing(visitor: Visitor, address: str) -> None:  # noqa: F811
    page = visitor.page
    write(visitor)
    go(visitor, "compare")
    go(visitor, "check")
    page.fill("#questions-input", "What is 5 cubed? => cube")
    for there, names in ((page.go_back, ["compare", "trace"]), (page.go_forward, ["compare", "check"])):
        for name in names:
            there()
            page.wait_for_selector(f'[data-tab="{name}"][aria-current]')
            assert title(visitor) == name
    assert value(visitor, "#questions-input") == "What is 5 cubed? => cube"
    go(visitor, "check")
    page.go_back()
    page.wait_for_selector('[data-tab="compare"][aria-current]')  # a click on the open tab is no entry
    page.go_back()
    page.wait_for_selector('[data-tab="trace"][aria-current]')
    assert (value(visitor, "#tools-input"), value(visitor, "#question-input")) == ("def cube(side: int)", "5 cubed?")


def test_back_to_a_link_shows_its_view_and_keeps_what_was_typed_since(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    share(visitor)
    go(visitor, "check")
    page.fill("#tools-input", "def cube(side: int)")
    page.go_back()
    page.wait_for_selector('[data-tab="trace"][aria-current]')
    assert page.evaluate("location.hash") == "#trace", "a link that holds something else"
    assert value(visitor, "#tools-input") == "def cube(side: int)"


def test_what_opens_trace_writes_the_address(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    go(visitor, "check")
    page.get_by_role("button", name="Open in Trace").click()
    assert page.evaluate("location.hash") == "#trace"
    page.reload()
    page.wait_for_selector(".tooldec[data-ready]")
    assert tab(visitor) == "trace"
    page.go_back()
    page.wait_for_selector('[data-tab="check"][aria-current]')


@pytest.mark.parametrize("rest", ["eyJ0b29scyI6ImRlZi", "", "!!!!", "bnVsbA", "W10"])
def test_a_link_that_was_cut_says_so(visitor: Visitor, address: str, rest: str) -> None:  # noqa: F811
    page = visitor.page
    page.goto("about:blank")
    visitor.open(f"{address}#t={rest}")
    told = page.get_by_role("alert").filter(has_text="link is incomplete")
    assert "Table 2" in str(told.text_content())
    assert page.evaluate("location.hash") == "#trace"
    page.evaluate("location.hash = '#t=eyJ0b29scyI6'")
    page.wait_for_selector(".cut:has-text('what stood here before')")
    told.get_by_role("button", name="Close").click()
    assert told.count() == 0
    page.evaluate("location.hash = '#t=eyJ0b29scyI6'")
    told.wait_for()
    page.fill("#question-input", "5 cubed?")
    assert told.count() == 0
