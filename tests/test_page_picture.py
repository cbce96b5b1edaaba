"""How the machine's picture lies in its frame, and what is written on it and beside it: in headless Chromium."""

from __future__ import annotations

import pytest
from test_page import Visitor, address, browser, visitor  # noqa: F401  (fixtures)

pytestmark = pytest.mark.browser

SCALE = "new DOMMatrix(getComputedStyle(document.querySelector('#state-graph svg')).transform).a"
MANY = "\n".join([f"def get_thing{at}(x: int)" for at in range(100)] + [f"def {letter}(x: int)" for letter in "abcdefhijk"])


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


def test_a_large_picture_begins_with_its_first_state(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.fill("#tools-input", MANY)
    page.wait_for_function("document.querySelector('.graph header').textContent.includes('110 tools')", timeout=20000)
    frame = page.locator("#state-graph").bounding_box()
    first = page.locator("#state-graph g.node").first.bounding_box()
    assert frame["y"] <= first["y"] and first["y"] + first["height"] <= frame["y"] + frame["height"]
    assert frame["x"] <= first["x"]
