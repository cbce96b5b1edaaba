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
    page.wait_for_function("document.querySelector('#scheme-select').value === 'special_token'", timeout=20000)


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
    page.wait_for_selector('#state-graph g.node[aria-label*="The host writes"]')
    page.locator('#state-graph g.node[aria-label*="The host writes"]').focus()
    page.keyboard.press("Enter")
    page.wait_for_selector('.inspector h3:has-text("The host writes")')
    assert "get_" not in facts.text_content(), "five calls lead there"
