"""What visitors type stays theirs: a reload, an example, a link in the same tab; and what was made before says so."""

from __future__ import annotations

import pytest
from test_page import FOUR, Visitor, address, browser, visitor  # noqa: F401  (fixtures)

pytestmark = pytest.mark.browser

MINE = "def cube(side: int)"
YOURS = '[data-example="yours"]'


def value(visitor: Visitor, selector: str) -> str:  # noqa: F811
    return str(visitor.page.locator(selector).input_value())


def reload(visitor: Visitor) -> None:  # noqa: F811
    visitor.page.reload()
    visitor.page.wait_for_selector(".tooldec[data-ready]")
    visitor.page.wait_for_selector("#state-graph svg")


def write(visitor: Visitor) -> None:  # noqa: F811
    visitor.page.fill("#tools-input", MINE)
    visitor.page.fill("#question-input", "5 cubed?")
    visitor.page.wait_for_function("document.querySelector('.graph header').textContent.includes('1 tool')")


def test_a_reload_brings_back_what_was_typed(visitor: Visitor) -> None:  # noqa: F811
    assert visitor.page.locator(YOURS).is_hidden()
    write(visitor)
    reload(visitor)
    visitor.page.wait_for_function("document.querySelector('.graph header').textContent.includes('1 tool')")
    assert (value(visitor, "#tools-input"), value(visitor, "#question-input")) == (MINE, "5 cubed?")


def test_an_example_loses_nothing_that_was_typed(visitor: Visitor) -> None:  # noqa: F811
    write(visitor)
    visitor.page.locator(".example:visible").first.click()
    visitor.page.wait_for_function("document.querySelector('#tools-input').value.includes('square')")
    visitor.page.locator(YOURS).click()
    visitor.page.wait_for_function("document.querySelector('.graph header').textContent.includes('1 tool')")
    assert (value(visitor, "#tools-input"), value(visitor, "#question-input")) == (MINE, "5 cubed?")
    assert visitor.page.locator(YOURS).is_hidden(), "it is there already"
    visitor.page.locator(".example:visible").first.click()
    reload(visitor)
    visitor.page.wait_for_selector(f"{YOURS}:visible")
    assert value(visitor, "#tools-input") != MINE, "an example stood there at the end"


def test_an_address_names_a_view_and_a_link_works_in_an_open_tab(visitor: Visitor, address: str) -> None:  # noqa: F811
    page = visitor.page
    page.click('[data-tab="check"]')
    page.fill("#questions-input", "What is 5 cubed? => cube")
    write_link = page.get_by_role("button", name="Share")
    page.fill("#tools-input", MINE)
    write_link.click()
    page.wait_for_function("location.hash.length > 20")
    link = page.evaluate("location.hash")
    page.goto("about:blank")
    page.goto(f"{address}#check")
    page.wait_for_selector(".tooldec[data-ready]")
    assert page.locator('[aria-current="page"]').text_content() == "Check"
    page.click('[data-tab="trace"]')
    reload(visitor)
    assert page.locator('[aria-current="page"]').text_content() == "Trace"
    page.evaluate("link => { location.hash = link; }", link)
    page.wait_for_function("tools => document.querySelector('#tools-input').value === tools", arg=MINE)
    assert page.locator('[aria-current="page"]').text_content() == "Check"
    assert value(visitor, "#questions-input") == "What is 5 cubed? => cube"


def test_an_answer_says_that_its_question_has_changed(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    visitor.run()
    stale, headline, question = (
        page.locator(".answer .earlier"),
        page.locator(".headline"),
        value(visitor, "#question-input"),
    )
    assert stale.is_hidden() and "Finished" in str(headline.text_content())
    page.fill("#question-input", "something else")
    assert stale.is_visible() and "earlier question" in str(headline.text_content())
    page.fill("#question-input", question)
    assert stale.is_hidden() and "Finished" in str(headline.text_content())


def test_what_a_run_complained_of_goes_when_it_is_mended(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.fill("#tools-input", FOUR)
    page.fill("#question-input", "")
    page.click("#run-button")
    page.wait_for_selector("#error-box:visible")
    page.fill("#question-input", "the side of a square is 5, what's its area?")
    assert page.locator("#error-box").is_hidden() and page.locator(".headline").is_hidden()


def test_a_comparison_says_that_its_question_has_changed(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.click('[data-tab="compare"]')
    page.wait_for_selector(".lane .piece")
    stale = page.locator(".ways .earlier")
    assert stale.is_hidden()
    page.fill("#question-input", "something else")
    assert stale.is_visible()


def test_two_fingers_zoom_the_picture(visitor: Visitor) -> None:  # noqa: F811
    scale = "() => new DOMMatrix(getComputedStyle(document.querySelector('#state-graph svg')).transform).a"
    before = visitor.page.evaluate(scale)
    visitor.page.evaluate(
        """() => {
          const frame = document.querySelector('#state-graph');
          const finger = (kind, pointerId, clientX) => frame.dispatchEvent(new PointerEvent(kind,
            {pointerId, pointerType: 'touch', clientX, clientY: 400, bubbles: true, button: kind === 'pointerdown' ? 0 : -1}));
          finger('pointerdown', 11, 600);
          finger('pointerdown', 12, 700);
          finger('pointermove', 12, 750);
          finger('pointerup', 11, 600);
          finger('pointerup', 12, 750);
        }"""
    )
    assert visitor.page.evaluate(scale) == pytest.approx(before * 1.5, rel=1e-3)
