"""What visitors type stays theirs: a reload, an example, a link in the same tab; and what was made before says so."""

from __future__ import annotations

import time

import pytest
from test_page import FOUR, Visitor, address, browser, slow_run, visitor  # noqa: F401  (fixtures)

pytestmark = pytest.mark.browser

MINE = "def cube(side: int)"
YOURS = '[data-example="yours"]'


def value(visitor: Visitor, selector: str) -> str:  # noqa: F811
    return str(visitor.page.locator(selector).input_value())


def tab(visitor: Visitor) -> str | None:  # noqa: F811
    return visitor.page.locator('[aria-current="page"]').get_attribute("data-tab")  # type: ignore[no-any-return]


def share(visitor: Visitor) -> str:  # noqa: F811
    """The link's part behind the address."""
    visitor.page.get_by_role("button", name="Share").click()
    visitor.page.wait_for_function("location.hash.startsWith('#t=')")
    return str(visitor.page.evaluate("location.hash"))


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
    visitor.page.click('[data-example="01-table2"]')
    visitor.page.wait_for_function("document.querySelector('#tools-input').value.includes('square')")
    visitor.page.locator(YOURS).click()
    visitor.page.wait_for_function("document.querySelector('.graph header').textContent.includes('1 tool')")
    assert (value(visitor, "#tools-input"), value(visitor, "#question-input")) == (MINE, "5 cubed?")
    assert visitor.page.locator(YOURS).is_hidden(), "it is there already"
    visitor.page.click('[data-example="01-table2"]')
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
    assert tab(visitor) == "check"
    page.click('[data-tab="trace"]')
    reload(visitor)
    assert tab(visitor) == "trace"
    page.evaluate("link => { location.hash = link; }", link)
    page.wait_for_function("tools => document.querySelector('#tools-input').value === tools", arg=MINE)
    assert tab(visitor) == "check"
    assert value(visitor, "#questions-input") == "What is 5 cubed? => cube"


def test_what_is_typed_after_sharing_is_kept(visitor: Visitor, address: str) -> None:  # noqa: F811
    """A link in the address holds what was shared, and no longer what stands there."""
    page = visitor.page
    link = share(visitor)
    reload(visitor)
    assert page.evaluate("location.hash") == link, "nothing has changed"
    write(visitor)
    assert page.evaluate("location.hash") == "#trace"
    reload(visitor)
    assert (value(visitor, "#tools-input"), value(visitor, "#question-input")) == (MINE, "5 cubed?")
    page.goto("about:blank")  # somebody else's link, in the same tab
    visitor.open(address + link)
    page.wait_for_function("document.querySelector('#tools-input').value.includes('square')")
    assert page.locator(YOURS).is_visible(), "a link's text is nobody's own"
    page.locator(YOURS).click()
    page.wait_for_function("tools => document.querySelector('#tools-input').value === tools", arg=MINE)
    reload(visitor)
    assert (value(visitor, "#tools-input"), value(visitor, "#question-input")) == (MINE, "5 cubed?")


def test_a_setting_alone_is_kept_too_and_so_is_the_example(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    write(visitor)
    page.click('[data-example="04-arithmetic"]')
    question = value(visitor, "#question-input")
    reload(visitor)
    assert value(visitor, "#question-input") == question
    page.wait_for_function("document.querySelectorAll('#trace-table tbody tr').length > 5")  # with its recorded run
    page.select_option("#scheme-select", "json_tags")
    reload(visitor)
    assert value(visitor, "#question-input") == question and value(visitor, "#scheme-select") == "json_tags"
    assert page.locator('[data-example="04-arithmetic"]').get_attribute("aria-pressed") == "true"
    page.locator(YOURS).click()
    page.wait_for_function("tools => document.querySelector('#tools-input').value === tools", arg=MINE)
    assert value(visitor, "#scheme-select") == "special_token"


def test_a_links_step_is_that_of_its_own_run(visitor: Visitor, address: str, slow_run: dict[str, float]) -> None:  # noqa: F811
    page, slow_run["pace"] = visitor.page, 0.4
    visitor.wait_for_rows(9)
    visitor.select(2)
    link = share(visitor)
    page.goto("about:blank")
    page.goto(address + link)
    visitor.wait_for_rows(2)
    page.click("#stop-button")
    page.wait_for_selector("#run-button:enabled")
    page.locator("summary", has_text="Decoding").click()
    page.fill("#set-seed", "3")
    page.locator("#set-seed").blur()
    slow_run["pace"] = 0.12
    visitor.run()
    visitor.wait_for_rows(9)
    visitor.wait_for_phase("ok")
    assert page.locator("#step-slider").input_value() == "8", "the run is followed to its end"


def test_signatures_in_calls_make_another_run(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    visitor.run()
    page.locator("summary", has_text="Prompt").click()
    page.check("#set-reveal")
    assert page.locator(".answer .earlier").is_visible()
    page.uncheck("#set-reveal")
    assert page.locator(".answer .earlier").is_hidden()


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


def test_what_changes_during_a_run_is_drawn_when_it_ends(visitor: Visitor, slow_run: dict[str, float]) -> None:  # noqa: F811
    page = visitor.page
    page.click("#run-button")
    visitor.wait_for_rows(2)
    page.fill("#tools-input", "def exp(x: int)")
    visitor.wait_for_phase("muted")
    assert "Made with other settings" in str(page.locator(".headline").text_content())
    page.wait_for_function("() => document.querySelectorAll('#state-graph g.mode-argument.node').length === 1")
    assert page.locator(".stale").is_hidden() and page.locator("#state-graph .current").count() == 0
    rows = page.locator("#trace-table tbody tr").count()
    assert rows > 2, "the run stays"
    page.locator('tr[data-step="1"]').click()
    page.locator("#state-graph g.opens").click()
    page.wait_for_selector("#state-graph g.cluster")
    assert page.locator("#trace-table tbody tr").count() == rows
    page.fill("#tools-input", FOUR)
    page.wait_for_function("() => document.querySelectorAll('#trace-table tbody tr').length === 0")


def test_what_is_wrong_with_tools_of_a_running_run_is_said_when_it_ends(
    visitor: Visitor,  # noqa: F811
    slow_run: dict[str, float],  # noqa: F811
) -> None:
    page = visitor.page
    page.click("#run-button")
    visitor.wait_for_rows(2)
    page.fill("#tools-input", "def square(side: int")
    page.wait_for_selector("#error-box:visible")
    assert page.locator("#run-button").is_enabled() and page.locator(".stale").is_visible()
    page.fill("#tools-input", FOUR)
    page.wait_for_selector("#error-box", state="hidden")
    assert page.locator(".stale").is_hidden() and page.locator("#state-graph .current").count() > 0


def test_the_model_in_the_box_says_which_language_it_reads(visitor: Visitor) -> None:  # noqa: F811
    caution = visitor.page.locator("#model-caution")
    assert caution.is_hidden()
    visitor.page.select_option("#model-select", "embedded")
    assert "English only" in str(caution.text_content()) and caution.is_visible()


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
    question = value(visitor, "#question-input")
    page.fill("#question-input", "something else")
    assert stale.is_visible() and "question" in str(stale.text_content())
    page.fill("#question-input", question)
    assert stale.is_hidden()
    page.locator(".settings-head").click()
    page.select_option("#scheme-select", "json_tags")
    assert stale.is_visible() and "settings" in str(stale.text_content())
    page.select_option("#scheme-select", "special_token")
    assert stale.is_hidden()


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


def test_what_a_run_complains_of_outlasts_a_drawing_in_flight(
    visitor: Visitor,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tooldec import playground

    page, real = visitor.page, playground.ask
    visitor.wait_for_rows(9)

    def late(request: dict[str, object]) -> object:
        answer = real(request)
        if request.get("ask") == "draw":
            time.sleep(1.5)
        return answer

    monkeypatch.setattr(playground, "ask", late)
    page.fill("#tools-input", MINE)
    page.wait_for_selector("#model-status:has-text('is getting ready')")  # the drawing is on its way
    page.fill("#question-input", "")
    page.click("#run-button")
    page.wait_for_selector("#error-box:visible")
    page.wait_for_function("document.querySelector('.graph header').textContent.includes('1 tool')", timeout=60000)
    assert page.locator("#error-box").is_visible()
    assert "see the message above" in str(page.locator(".headline").text_content())
    page.fill("#question-input", "5 cubed?")
    assert page.locator("#error-box").is_hidden()


def test_names_in_any_script_are_coloured_as_a_whole(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.fill("#tools-input", "def naïve_größe(größe: int)\ndef 日本語(x: float)")
    assert page.locator(".lines .is-tool").all_text_contents() == ["naïve_größe", "日本語"]
    assert page.locator(".lines .is-type").all_text_contents() == ["int", "float"]
    page.fill("#tools-input", "def f(x: größe)")
    page.wait_for_selector(".lines .wave.error")
    page.locator("#question-input").focus()
    assert page.locator(".lines .wave").all_text_contents() == ["größe"]
