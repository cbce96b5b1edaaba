"""Every scheme and method on the page: rewritten answers, the host's sentence, and the menus that choose them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from test_page import Visitor, address, browser, visitor  # noqa: F401  (fixtures)

pytestmark = pytest.mark.browser
TOOLS = "def multiply(a: float, b: float)\ndef sqrt(x: float)"


def ask(page: Any, scheme: str, method: str = "guided") -> None:
    page.select_option("#model-select", "embedded")
    page.wait_for_function("document.querySelector('#model-status').textContent.includes('box ready')", timeout=60000)
    page.wait_for_timeout(1000)  # the model brings the scheme that suits it
    page.select_option("#scheme-select", scheme)
    page.select_option("#start-select", "call")
    page.locator("summary", has_text="Decoding").click()
    page.select_option("#set-method", method)
    page.fill("#tools-input", TOOLS)
    page.fill("#question-input", "The side of a square is 5. What is its area?")


def test_what_is_picked_after_a_model_stays(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.select_option("#model-select", "embedded")
    page.select_option("#scheme-select", "react")
    page.wait_for_function("document.querySelector('#model-status').textContent.includes('box ready')", timeout=60000)
    page.wait_for_timeout(1500)
    assert page.input_value("#scheme-select") == "react"
    page.select_option("#model-select", "toy")  # and a model that comes later brings its own again
    page.wait_for_function("document.querySelector('#scheme-select').value === 'special_token'", timeout=60000)


def run(one: Visitor) -> None:
    """Longer than elsewhere: this is a model with weights."""
    one.page.click("#run-button")
    one.page.wait_for_function(
        "['ok', 'warning', 'error'].includes(document.querySelector('.headline').dataset.kind)", timeout=60000
    )


def test_the_injected_sentence_is_shown_and_then_written_anew(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    ask(page, "name_prompt")
    run(visitor)
    texts = visitor.column("text")
    injected = max(index for index, text in enumerate(texts) if "operation named" in text)
    visitor.select(injected)
    assert "<T>(performing the math operation named: " in page.locator("#answer-text").text_content()
    hosts = page.locator("#answer-text .mode-result").all_text_contents()
    assert "".join(hosts).strip() == "(performing the math operation named:"
    assert page.locator("#trace-table .chip.mode-result", has_text="form").count() >= 1
    visitor.select(len(texts) - 1)
    answer = page.locator("#answer-text").text_content()
    assert "<T>" not in answer and answer.startswith(("<sqrt>(", "<multiply>("))
    assert page.locator(".headline").get_attribute("data-kind") == "ok"


def test_a_finished_answer_shows_its_call_and_fades_where_it_goes_on(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    ask(page, "json_tags")
    chosen = page.locator("#set-method").evaluate("one => getComputedStyle(one).appearance")
    assert chosen == "none", "one chevron, the page's"
    run(visitor)
    words = page.locator(".words")
    assert words.evaluate("one => one.scrollHeight <= one.clientHeight + 4")
    assert "<tool_call>" in page.locator("#answer-text").text_content()
    assert "more-" not in words.get_attribute("class")
    words.evaluate("one => { one.style.maxHeight = '60px'; }")
    page.wait_for_selector(".words.more-below")
    words.evaluate("one => { one.scrollTop = one.scrollHeight; }")
    page.wait_for_selector(".words.more-above:not(.more-below)")


def test_react_has_no_warning_and_a_prefix_of_its_own(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    ask(page, "react")
    run(visitor)
    assert page.locator(".notices").text_content() == ""
    names = page.locator('#trace-table tr.mode-name td[data-col="step"]')
    names.first.click()
    assert page.locator(".inspector dd").first.text_content().count("Thought:") == 1
    assert "Action Input:" in page.locator("#answer-text").text_content()


def test_of_many_tools_the_model_in_the_box_is_offered_a_shortlist(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    offer = page.get_by_role("button", name="Take a shortlist")
    page.click('[data-example="04-arithmetic"]')
    page.wait_for_function("document.querySelector('#model-status').textContent.includes('box')", timeout=60000)
    assert not offer.count()
    page.click('[data-example="16-many"]')
    offer.wait_for(timeout=60000)
    offer.click()
    assert not offer.count() and page.locator("#set-method").input_value() == "weighed"
    assert page.locator("#set-reveal").is_checked() and not page.locator("#set-documentation").is_checked()
    page.click("#run-button")
    page.wait_for_selector(".headline:has-text('names are weighed')", timeout=60000)
    page.wait_for_selector(".headline:has-text('call is valid')", timeout=120000)
    assert "price_per_tonne" in page.locator("#answer-text").text_content()


def test_the_method_is_chosen_in_the_settings(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    visitor.wait_for_rows(9)
    page.locator("summary", has_text="Decoding").click()
    labels = page.locator("#set-method option").all_text_contents()
    assert labels == ["ToolDec", "ToolDec, names weighed", "unguided", "fuzzy matching", "backtrace"]
    page.select_option("#set-method", "backtrace")
    page.fill("#question-input", "The diameter of a circle is 123, what's its perimeter?")
    visitor.run()
    texts = visitor.column("text")
    assert any(len(after) < len(before) for before, after in itertools.pairwise(texts)), "tokens are taken back"
    for step in range(len(texts)):
        visitor.select(step)
        shown = visitor.selected()
        assert shown["text"] == shown["written"], "the answer is as it stood at that step"
    assert "backtrace" in page.locator("summary", has_text="Decoding").text_content()


def test_where_no_tool_can_follow_the_inspector_names_none(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.locator(".examples").get_by_role("button", name="Typed arguments").click()
    page.select_option("#start-select", "call")
    run(visitor)
    end = page.locator('#state-graph g.node[aria-label*="The end"]')
    end.focus()
    page.keyboard.press("Enter")
    facts = page.locator(".inspector .body")
    assert "5 of 5 out of reach" in facts.text_content() and "get_" not in facts.text_content()
    assert "Prefix" not in facts.text_content()
    page.select_option("#scheme-select", "json_tags")
    page.wait_for_function("document.querySelectorAll('g.node[aria-label*=\"The host writes\"]').length === 1")
    page.locator('#state-graph g.node[aria-label*="The host writes"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector('.inspector h3:has-text("The host writes")')
    assert "get_" not in facts.text_content(), "five calls lead there"


def test_an_answer_without_a_call_is_no_wrong_call(visitor: Visitor) -> None:  # noqa: F811
    """What another scheme reads is text; the menu's names say which scheme that is."""
    page = visitor.page
    page.locator(".examples").get_by_role("button", name="Typed arguments").click()
    page.select_option("#scheme-select", "toolken")
    page.click("#run-button")
    visitor.wait_for_phase("ok", "error", "muted")
    assert "Finished without a call" in page.locator(".headline").text_content()
    assert "choose the scheme “Special token <T>”" in page.locator(".answer .calls").text_content()
    assert page.get_by_role("button", name="Force a call").is_visible()


def test_a_result_that_is_asked_for_has_a_way_to_its_field(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.fill("#tools-input", "def add(a: int)\ndef square(b: int)\ndef squared(a: int)")
    page.locator(".fold summary", has_text="Prompt").click()
    page.check("#set-results")
    page.locator(".fold summary", has_text="Prompt").click()
    run(visitor)
    assert "Waits for a result" in page.locator(".headline").text_content()
    assert page.locator(".answer .judged").inner_text() == "Waits for a result"
    strip = page.locator(".answer").bounding_box()
    assert strip["y"] + strip["height"] < 768, "on a laptop, where Run may be below"
    page.get_by_role("button", name="Give it a value").click()
    field = page.locator("#value-squared")
    assert field.is_visible() and field.evaluate("one => one === document.activeElement")
    page.keyboard.type("49")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#answer-text').textContent.includes('=49')")


def test_states_of_one_name_are_told_apart(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.locator(".examples").get_by_role("button", name="Two calls").click()
    visitor.wait_for_rows(35)
    places = [page.locator(f'tr[data-step="{step}"] td[data-col="state"]').get_attribute("title") for step in (6, 9, 4)]
    assert places == ["s10 of subtract.a", "s10 of subtract.b", None]
    visitor.select(23)
    assert "visited once" in page.locator(".inspector .who").text_content()
    assert "s10 of other arguments 3 times" in page.locator(".inspector .who").text_content()
    closed = page.locator("#state-graph g.node.opens").first
    assert closed.get_attribute("aria-expanded") == "false", "a click opens it"
    assert page.locator("#state-graph g.node:not(.opens):not(.folded)[aria-expanded]").count() == 0
    page.fill("#tools-input", "def subtract(a: int, b: int)\ndef divide(a: float, b: float)")
    page.wait_for_selector(".graph .told:has-text('changed')")
    assert "of subtract.a, " in page.locator(".graph .told").text_content()


def test_tools_that_fit_no_prompt_are_not_said_to_be_in_it(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.select_option("#model-select", "embedded")
    page.fill("#tools-input", "\n".join(f"def tool_{number:03}(side: int, other: float)" for number in range(300)))
    page.wait_for_selector('.fold summary:has-text("tool docs left out")', timeout=30000)
    fold = page.locator("details.fold", has=page.locator("#set-documentation"))
    fold.locator("> summary").click()
    assert "with tool docs" not in fold.text_content() and "Left out: they don’t fit" in fold.text_content()
    assert fold.locator("#set-reveal").is_visible(), "signatures in calls would help"
    page.fill("#tools-input", "def square(side: int)")
    page.wait_for_selector('.fold summary:has-text("with tool docs")')


def test_the_prompt_can_be_read_as_the_model_reads_it(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.fill("#tools-input", "def square(side: int)")
    page.fill("#question-input", "What is 5 squared?")
    page.locator("details.fold", has=page.locator("#set-documentation")).locator("> summary").click()
    page.click(".reading > summary")

    def until_it_reads(text: str) -> None:
        page.wait_for_function("text => document.querySelector('#prompt-text').textContent === text", arg=text)

    page.check("#set-documentation")
    until_it_reads("Tools: square(side: int)\nQ: What is 5 squared?\nA:")
    assert page.locator("#prompt-text").is_visible()
    page.fill("#question-input", "And 6?")  # no other machine, but another prompt
    until_it_reads("Tools: square(side: int)\nQ: And 6?\nA:")
    page.uncheck("#set-documentation")
    until_it_reads("Q: And 6?\nA:")
    assert not visitor.complaints
