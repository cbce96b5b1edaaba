"""Stepping in by hand, in a real browser: another token, a text of one's own, and the tree of runs."""

from __future__ import annotations

from typing import Any

import pytest
from test_page import FOUR, TEXTS, Visitor, address, browser, visitor  # noqa: F401  (fixtures)

pytestmark = pytest.mark.browser


def take(page: Any, token: str) -> None:
    page.get_by_role("button", name=f"Take {token} instead").click()


def entries(page: Any) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(".run-entry").all_text_contents()]


def test_another_token_is_taken_and_the_run_goes_on_from_there(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    visitor.wait_for_rows(9)
    visitor.select(4)
    assert page.get_by_role("button", name="Take uared instead").count() == 0, "what is blocked can't be taken"
    take(page, "rt")
    visitor.wait_for_phase("ok")
    page.wait_for_function("document.querySelectorAll('.run-entry').length === 2")
    page.wait_for_function("document.querySelector('#step-slider').value === '4'")
    shown = visitor.selected()
    assert (shown["token"], shown["chosen"], shown["row"]) == ("rt", "rt", 4)
    assert page.locator("#answer-text").text_content() == "Its area is <T>sqrt(5)"
    assert visitor.column("text")[:5] == TEXTS[:5], "up to the branch nothing changes"
    about = page.locator(".branches header .aside")
    assert about.text_content() == "The two runs part at step 5."
    assert about.evaluate("one => one.scrollWidth <= one.clientWidth"), "nothing of it is cut off"
    assert page.locator(".branches td.parts").text_content() == "uare"
    page.locator(".run-entry").first.click()
    assert page.locator("#answer-text").text_content() == TEXTS[-1]
    assert visitor.selected()["row"] == 4 and visitor.selected()["chosen"] == "uare"
    visitor.select(3)
    take(page, "exp")
    page.wait_for_function("document.querySelectorAll('.run-entry').length === 3")
    visitor.wait_for_phase("ok")
    assert [entry.split(" ")[0] for entry in entries(page)] == ["First", "t+4", "t+3"]
    page.get_by_role("button", name="Compare", exact=True).last.click()
    assert "part at step 4" in page.locator(".branches header").text_content()
    visitor.run()
    assert not entries(page), "a run of its own begins a tree of its own"


def test_a_text_is_forced_or_refused_with_the_reason(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    visitor.wait_for_rows(9)
    visitor.select(3)
    page.fill("#branch-text", "add(7,")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#answer-text').textContent.includes('add(7,')")
    visitor.wait_for_phase("ok")
    visitor.select(0)
    page.fill("#branch-text", " area is <T>prod")
    page.click("#branch-button")
    visitor.wait_for_phase("error")
    assert "no tool" in page.locator(".refusal:visible").text_content()
    assert "refused" in entries(page)[-1] and visitor.column("token")[-1] == "<T>"
    page.locator(".run-entry").first.click()
    assert page.locator("#answer-text").text_content() == TEXTS[-1]
    assert page.locator("#error-box").is_hidden() and page.locator(".stale").is_hidden()
    visitor.run()
    assert visitor.column("text") == TEXTS


@pytest.mark.parametrize("width", [390, 1440])
def test_a_refusal_stands_beside_the_field_and_leaves_the_machine(browser: Any, address: str, width: int) -> None:  # noqa: F811
    one = Visitor(browser, address, viewport={"width": width, "height": 844})
    page = one.page
    one.wait_for_rows(9)
    one.select(4)
    page.fill("#branch-text", "zzz")
    page.keyboard.press("Enter")
    one.wait_for_phase("error")
    refusal = page.get_by_role("alert").and_(page.locator(".refusal:visible"))
    assert "zzz" in refusal.text_content() and page.locator("#error-box").is_hidden(), "it is told once"
    assert page.locator(".headline").text_content().startswith("Branch failed: see Step in")
    assert page.locator(".stale").is_hidden() and page.locator("#state-graph.old").count() == 0
    page.wait_for_timeout(500)  # it glides into sight
    field, said = page.locator("#branch-text").bounding_box(), refusal.bounding_box()
    foot = page.locator(".transport").bounding_box()["y"] if width == 390 else 844
    assert 0 <= field["y"] < said["y"] and said["y"] + said["height"] <= foot
    page.locator(".run-entry").first.click()
    assert one.selected()["row"] == 4 and refusal.is_hidden()
    if width == 1440:
        page.fill("#tools-input", "def add(a: strng)")
        page.wait_for_selector(".stale:visible")  # what is drawn is another machine than these tools'
        page.fill("#tools-input", FOUR)
        page.wait_for_selector(".stale", state="hidden")
    one.close()
    assert not one.complaints


def test_a_link_brings_the_run_with_its_branch_and_its_step(browser: Any, address: str, visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    visitor.wait_for_rows(9)
    visitor.select(4)
    take(page, "rt")
    visitor.wait_for_phase("ok")
    page.wait_for_function("document.querySelector('#step-slider').value === '4'")
    visitor.select(6)
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("location.hash.length > 20")
    other = Visitor(browser, address + page.evaluate("location.hash"))
    other.wait_for_phase("ok")
    other.page.wait_for_function("document.querySelector('#step-slider').value === '6'")
    assert other.page.locator("#answer-text").text_content() == "Its area is <T>sqrt(5)"
    assert other.column("text") == visitor.column("text") and other.selected() == visitor.selected()
    assert not other.complaints
    other.close()


def test_another_result_than_the_hosts_is_tried(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.locator(".examples").get_by_role("button", name="Arithmetic").click()
    page.wait_for_function("document.querySelector('#answer-text').textContent.includes('divide(91,7)=13')")
    visitor.wait_for_phase("ok")
    for step in (14, 15):  # 1, 3: both are of one result
        visitor.select(step)
        assert page.get_attribute("#branch-text", "placeholder") == "instead of 13"
    page.fill("#branch-text", "99")
    page.click("#branch-button")
    page.wait_for_function("document.querySelectorAll('.run-entry').length === 2")
    visitor.wait_for_phase("ok")
    answer = "The quotient is <T>divide(91,7)=99. So the answer is 99."
    assert page.locator("#answer-text").text_content().strip() == answer
    assert page.locator(".branches header .aside").text_content() == "The two runs part at step 15."
    visitor.select(21)
    page.fill("#branch-text", "no")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('.run-entry').length === 3")
    visitor.wait_for_phase("ok")
    assert "=99. So the answer is no" in page.locator("#answer-text").text_content(), (
        "what was replaced before stays so"
    )


def test_what_else_the_host_writes_cannot_be_replaced(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.select_option("#model-select", "embedded")
    page.select_option("#scheme-select", "name_prompt")
    page.select_option("#start-select", "call")
    visitor.run()
    visitor.select(next(index for index, text in enumerate(visitor.column("valid")) if text == "the host writes"))
    assert page.locator("#branch-text").is_disabled() and page.locator("#branch-button").is_disabled()


def test_a_text_refused_at_the_first_step_leaves_the_run_that_stood_there(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    visitor.wait_for_rows(9)
    visitor.select(0)
    page.fill("#branch-text", "É")
    page.keyboard.press("Enter")
    page.wait_for_selector(".refusal:visible")
    assert "no token that begins É" in page.locator(".refusal:visible").text_content()
    assert "The model in the box" in page.locator("#model-select").text_content()
    assert visitor.column("text") == TEXTS and page.locator("#answer-text").text_content() == TEXTS[-1]
    assert visitor.selected()["row"] == 0 and not entries(page) and page.input_value("#branch-text") == "É"
    page.fill("#branch-text", " area is <T>exp")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('.run-entry').length === 2")
    visitor.wait_for_phase("ok")
    assert page.locator(".refusal:visible").is_hidden() and "<T>exp(" in page.locator("#answer-text").text_content()
