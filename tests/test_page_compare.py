"""Compare in a real browser: one question, several ways, with the toy model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from contrasts import faint
from test_page import (  # noqa: F401  (fixtures)
    FOUR,
    HOSTILE,
    Visitor,
    address,
    browser,
    slow_run,
    until,
    visitor,
)

pytestmark = pytest.mark.browser
ANSWERS = [
    "Its perimeter is 5",
    "Its perimeter is <T>product(pi,123)",
    "Its perimeter is <T>multiply(pi,123)",
    "Its perimeter is <T>multiply(3.14,123)=386.22.",
]
WORDS = ["wrong answer", "name error", "illegal symbol", "correct"]


@pytest.fixture()
def comparing(visitor: Visitor) -> Iterator[Any]:  # noqa: F811
    """Compare with Figure 1's recorded runs."""
    open_compare(visitor.page)
    yield visitor.page


def open_compare(page: Any) -> None:
    page.click('[data-tab="compare"]')
    wait_for(page, WORDS)


def wait_for(page: Any, words: list[str]) -> None:
    page.wait_for_function(
        "words => JSON.stringify([...document.querySelectorAll('.lane .verdict')].map(one => one.textContent)) === words",
        arg=str(words).replace("'", '"').replace(", ", ","),
        timeout=60000,
    )


def answers(page: Any) -> list[str]:
    return [text.strip() for text in page.locator(".lane-answer").all_text_contents()]


def row(page: Any, number: int) -> Any:
    return page.locator(".tokens tbody tr").nth(number)


def test_figure_1_four_ways_recorded_and_live(comparing: Any) -> None:
    page = comparing
    assert answers(page) == ANSWERS
    page.click("#compare-run")
    wait_for(page, WORDS)
    assert answers(page) == ANSWERS
    page.click("#compare-run")  # once more
    wait_for(page, WORDS)
    assert answers(page) == ANSWERS
    assert page.locator(".lane .piece.wrong").all_text_contents() == ["product", "pi"]
    sentences = page.locator(".sentence").all_text_contents()
    assert "Nearest name: multiply" in sentences[1] and "steps 4, 7 and 16" in sentences[3]
    figures = page.locator('.lane[data-way="guided"] dd').all_text_contents()
    assert figures[:2] == ["24", "18"], "the host wrote six tokens"
    guided = page.locator('.lane[data-way="guided"] .piece')
    assert [piece.get_attribute("class").split("-")[1] for piece in guided.all()] == [
        *("text", "name", "argument", "name", "result", "text")
    ]


def test_names_weighed_as_wholes_beside_the_mask_alone(comparing: Any) -> None:
    """The model sees no list: the mask alone calls a wrong tool, names weighed the right one."""
    page = comparing
    page.click('[data-example="14-weighed"]')
    wait_for(page, ["name error", "wrong but valid", "correct", "correct"])
    page.click('.by-token .chip:text-is("schedule")')
    weighed = page.locator(".step-side").nth(1)
    assert "its name weighed as a whole" in weighed.text_content()
    chosen = float(weighed.locator(".bar-row.chosen").get_attribute("data-after"))
    alone = page.locator(".step-side").nth(0)
    assert "schedule" not in alone.locator(".bar-row.chosen").text_content()
    rows = alone.locator(".bar-row[data-after]").all()
    after = {row.text_content(): float(row.get_attribute("data-after")) for row in rows}
    masked = next((share for text, share in after.items() if "schedule" in text), 1 - sum(after.values()))
    assert chosen > 0.3 and chosen > 2 * masked, "likelier than by the mask alone, shown or not"
    weighed.locator("button").click()
    page.wait_for_function(
        "() => document.querySelector('.formula')?.textContent.startsWith('P̂(schedule)')", timeout=60000
    )
    assert page.input_value("#set-method") == "weighed"


def test_a_text_that_nobody_said_beside_one_from_the_question(comparing: Any) -> None:
    """Both calls are valid; the machine with the question's spans leaves its bytes alone where the other makes a name up."""
    page = comparing
    page.click('[data-example="15-quoted"]')
    wait_for(page, ["wrong but valid", "wrong but valid", "correct"])
    assert [lane.get_attribute("data-way") for lane in page.locator(".lane").all()] == ["unguided", "guided", "quoted"]
    page.click('.by-token .chip:text-is("⟨E1⟩")')  # a name that it can't spell, in bytes
    quoted = page.locator(".step-side").nth(1)
    assert "Quoted" in quoted.text_content() and "⟨E1⟩" in quoted.text_content()
    quoted.locator("button").click()
    page.wait_for_selector("#set-quote", state="attached")
    page.wait_for_function("() => document.querySelector('#set-quote').checked", timeout=60000)


def test_a_look_at_compare_takes_nothing_from_trace(visitor: Visitor) -> None:  # noqa: F811
    """Its first example stands there unasked; what stood in Trace before comes back, unless somebody asked for more."""
    page = visitor.page
    visitor.wait_for_rows(9)
    tools = page.input_value("#tools-input")
    for there in ("trace", "check"):
        page.click('[data-tab="compare"]')
        wait_for(page, WORDS)
        assert "multiply" in page.input_value("#tools-input")
        page.click(f'[data-tab="{there}"]')
        assert page.input_value("#tools-input") == tools
        page.click('[data-tab="trace"]')
        visitor.wait_for_rows(9)
    page.click('[data-tab="compare"]')
    page.click("#compare-run")
    wait_for(page, WORDS)
    page.click('[data-tab="trace"]')
    assert "multiply" in page.input_value("#tools-input"), "asked for: it stays"
    assert not visitor.complaints


def test_without_the_list_the_prompt_offers_to_weigh_names(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.click(".fold:has(#set-documentation) summary")
    page.check("#set-documentation")
    page.wait_for_selector("#weigh-button", state="hidden")
    page.uncheck("#set-documentation")
    page.click("#weigh-button")
    page.wait_for_selector("#weigh-button", state="hidden")
    assert page.input_value("#set-method") == "weighed"
    page.click("#run-button")
    page.wait_for_function("document.querySelector('.headline').textContent.includes('call is valid')", timeout=60000)
    assert not visitor.complaints


def test_names_weighed_have_a_shortlist_in_view(visitor: Visitor) -> None:  # noqa: F811
    """With the list in the prompt, too; the inspector tells whose signatures the model reads, and where."""
    page = visitor.page
    page.click(".fold:has(#set-documentation) summary")
    page.check("#set-documentation")
    page.locator("summary", has_text="Decoding").click()
    page.select_option("#set-method", "weighed")
    visitor.run()
    page.wait_for_function("document.querySelector('.headline').dataset.kind === 'ok'", timeout=60000)
    told: dict[str, list[str]] = {}
    modes = page.locator("#trace-table tbody tr").evaluate_all("rows => rows.map(row => row.className)")
    for index, mode in enumerate(modes):
        visitor.select(index)
        text = page.locator(".inspector").text_content()
        told.setdefault(next(part for part in mode.split() if part.startswith("mode-")), []).append(text)
    assert all("with the signatures of " in text for text in told["mode-name"][:1] + told["mode-argument"])
    assert not any("with the signature" in text for text in told["mode-text"][:1])
    assert not visitor.complaints


def test_strings_may_be_quoted_from_the_question(visitor: Visitor) -> None:  # noqa: F811
    """The box of a string says so; the machine is another for another question."""
    page = visitor.page
    page.fill("#tools-input", "def weather(city: str)")
    page.select_option("#model-select", "embedded")
    page.fill("#question-input", "Will it rain in Turku tomorrow?")
    page.locator("summary", has_text="Decoding").click()
    page.check("#set-quote")
    page.wait_for_function("() => document.body.textContent.includes('SpanFSM')", timeout=60000)
    visitor.run()
    values = page.locator("#trace-table tbody tr.mode-argument").count()
    assert values and "strings quoted" in page.locator(".fold:has(#set-quote) summary").text_content()
    page.locator('[data-example="01-table2"]').click()
    page.wait_for_function("() => !document.querySelector('#set-quote').checked")
    assert not visitor.complaints


def test_without_the_list_a_signature_may_be_shown_once_its_tool_is_chosen(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.click(".fold:has(#set-documentation) summary")
    page.uncheck("#set-documentation")
    page.check("#set-reveal")
    visitor.run()
    revealed = []
    modes = page.locator("#trace-table tbody tr").evaluate_all("rows => rows.map(row => row.className)")
    for index, mode in enumerate(modes):
        visitor.select(index)
        revealed.append((mode, "with the signature of" in page.locator(".inspector").text_content()))
    shown = {mode for classes, there in revealed if there for mode in classes.split() if mode.startswith("mode-")}
    assert "mode-argument" in shown and "mode-text" not in shown
    assert not next(there for classes, there in revealed if "mode-name" in classes)
    page.check("#set-documentation")
    page.wait_for_selector("#set-reveal", state="hidden")
    assert not visitor.complaints


def test_another_example_never_shows_the_number_of_tools_of_the_one_before(comparing: Any) -> None:
    """Its machine may take seconds, where its model is loaded first."""
    page = comparing
    shown = page.evaluate(
        """() => [...document.querySelectorAll('.example')].filter(one => !one.hidden).map(one => {
          one.click();
          const lines = document.querySelector('#tools-input').value.split('\\n').filter(line => line.startsWith('def '));
          return [document.querySelector('#tools-count').textContent, lines.length];
        })"""
    )
    assert len({tools for _, tools in shown}) > 1 and {count for count, _ in shown} == {""}
    *_, (_, tools) = shown
    page.wait_for_function(
        "count => document.querySelector('#tools-count').textContent.startsWith(`${count} tool`)",
        arg=tools,
        timeout=30000,
    )


def test_tokens_are_aligned_and_the_first_difference_is_marked(comparing: Any) -> None:
    page = comparing
    names = page.locator(".tokens tbody .who").all_text_contents()
    assert names == ["Guided", "Unguided, seed 4", "Unguided", "Without tools"], "those that part late come first"
    for number, at, token in ((1, 7, "pi"), (2, 4, "prod"), (3, 3, "5")):
        parts = row(page, number).locator("td.parts")
        assert parts.count() == 1 and parts.text_content() == token
        assert f"differs at {at}" in row(page, number).text_content()
        assert row(page, number).locator("td").nth(at - 1).get_attribute("class").split()[-1] in ("parts", "masked")
    assert row(page, 1).locator(".chip.wrong").all_text_contents() == ["pi"]
    assert row(page, 2).locator(".chip.wrong").all_text_contents() == ["prod", "uct"]
    assert page.locator(".tokens th.masked").all_text_contents() == ["4", "7", "16"]
    assert row(page, 0).locator("td.parts").count() == 0


ROWS = """async ([rows, chosen]) => {
  const modules = performance.getEntriesByType('resource').map(one => one.name);
  const {showTokens} = await import(modules.find(name => name.endsWith('/token-rows.js')));
  const box = document.createElement('div');
  const step = (token, index, all) => ({index, token, token_id: token.codePointAt(0), text: all.slice(0, index).join(''), mode: 'text',
    writer: 'model', end: token === '.' ? 'eos' : null});
  showTokens(box, rows.map(({text, ...run}) => ({name: run.way, way: run.way, verdict: run.verdict, run: {...run, steps: [...text].map(step)}})), chosen, () => {});
  return [...box.querySelectorAll('tbody tr')].map(row => [row.querySelectorAll('td.parts, td.apart').length, row.querySelector('.told').textContent])
    .concat([[...box.querySelectorAll('th.masked')].map(one => one.textContent)]);
}"""


def test_what_is_said_of_a_row_is_true_while_others_are_written(comparing: Any) -> None:
    def rows(*given: dict[str, Any]) -> Any:
        return comparing.evaluate(ROWS, [list(given), None])

    guided = {"way": "guided", "phase": "streaming", "text": "ab"}
    other = {"way": "unguided", "phase": "finished", "end": "eos", "text": "abc."}
    assert rows(guided, other)[:2] == [[0, ""], [0, ""]], "the first row hasn't come so far"
    assert rows({**guided, "text": "ax"}, other)[1] == [3, "differs at 2"]
    done = {**guided, "phase": "finished", "end": "eos", "text": "ab."}
    assert rows(done, other)[:2] == [[0, "no error"], [2, "differs at 3"]]
    cut = {
        **done,
        "end": "limit",
        "text": "ab",
        "call_error": {"kind": "cut_off", "start": 0, "end": 2, "fault": [2, 2]},
    }
    assert rows(cut, other)[:2] == [[0, "cut off"], [0, "the sameuntil one is cut off"]]
    assert rows({**done, "call_error": {"kind": "name", "start": 0, "end": 2}}, done)[0][1] == "1 error"
    blocked = {"verdict": {"masked": [1]}}
    for way, marked in (
        ("weighed", ["2"]),
        ("quoted", ["2"]),
        ("searched", ["2"]),
        ("shortlist", ["2"]),
        ("unguided", []),
        ("alone", []),
    ):
        assert rows(done, {**done, "way": way, **blocked})[-1] == marked


def test_arguments_may_be_chosen_as_wholes(visitor: Visitor) -> None:  # noqa: F811
    """The step before which a search was made lists what it found; Compare has the way, and opens it as it ran."""
    page = visitor.page
    page.fill("#tools-input", "def book(room: str, people: int)")
    page.select_option("#model-select", "embedded")
    page.fill("#question-input", "Twelve of us need the Egyptian Room")
    page.locator("summary", has_text="Decoding").click()
    page.check("#set-search")
    visitor.run()
    assert "arguments searched" in page.locator(".fold:has(#set-search) summary").text_content()
    steps = page.locator("#trace-table tbody tr")
    lists = []
    for number in range(steps.count()):
        steps.nth(number).click()
        lists.append(page.locator(".found li").all_text_contents())
    found = [texts for texts in lists if texts]
    assert len(found) == 1 and len(found[0]) > 1 and all(text.endswith("%") for text in found[0])
    page.click('[data-tab="compare"]')
    page.locator(".way-select").nth(3).select_option("searched")
    page.click("#compare-run")
    page.wait_for_function("document.querySelector('#compare-stop').disabled", timeout=60000)
    assert page.locator(".lane").nth(3).get_attribute("data-way") == "searched"
    assert "book(" in page.locator(".lane-answer").nth(3).text_content()
    assert not visitor.complaints


def test_a_run_like_the_first_row_stands_right_below_it(comparing: Any) -> None:
    page = comparing
    page.locator(".way-select").nth(0).select_option("guided")
    page.click("#compare-run")
    page.wait_for_function("document.querySelector('#compare-stop').disabled", timeout=60000)
    assert page.locator(".tokens tbody .who").all_text_contents() == [
        "Guided",
        "Guided",
        "Unguided, seed 4",
        "Unguided",
    ]
    assert row(page, 1).locator(".told").text_content() == "the same"
    assert page.locator(".step-side h2").all_text_contents() == ["Step 7, Guided", "Step 7, Unguided, seed 4"]


def test_eight_ways_have_room_for_what_is_said_of_them(comparing: Any) -> None:
    page = comparing
    for _ in range(4):
        page.get_by_role("button", name="Add a way").click()
    page.locator(".way-select").nth(4).select_option("alone")
    page.click("#compare-run")
    page.wait_for_function("document.querySelector('#compare-stop').disabled", timeout=60000)
    close = """all => all.flatMap(lane => {
      const boxes = [...lane.querySelectorAll('.way-select, .verdict, .figures dt')].map(part => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return part.matches('dt') ? range.getBoundingClientRect() : part.getBoundingClientRect();
      });
      return boxes.flatMap((one, at) => boxes.slice(at + 1).filter(two => one.left < two.right + 4 && two.left < one.right + 4
        && one.top < two.bottom && two.top < one.bottom).map(() => lane.textContent));
    })"""
    assert page.locator(".lane").evaluate_all(close) == []


def test_a_step_of_both_runs_and_the_way_to_trace(comparing: Any) -> None:
    page = comparing
    row(page, 2).locator("td.parts button").click()
    titles = page.locator(".step-side h2").all_text_contents()
    assert titles == ["Step 4, Guided", "Step 4, Unguided"]
    for side in range(2):
        bars = page.locator(".step-side").nth(side).locator("[data-token-id]")
        figures = bars.evaluate_all("bars => bars.map(bar => ({...bar.dataset}))")
        assert sum(float(bar["after"]) for bar in figures) == pytest.approx(1, abs=1e-6)
        assert ("false" in {bar["allowed"] for bar in figures}) == (side == 0)
    assert "no tool" in page.locator(".step-side .reason").first.text_content()
    page.locator(".step-side").nth(1).get_by_role("button", name="Open in Trace").click()
    assert page.locator('[data-tab="trace"]').get_attribute("aria-current") == "page"
    assert page.locator("#step-slider").input_value() == "3"
    assert page.locator('#trace-table tr[aria-current="step"] [data-col="token"]').text_content() == "prod"
    assert page.locator("#answer-text").text_content() == ANSWERS[1]
    page.wait_for_timeout(700)  # the machine would have been drawn anew by now
    assert page.locator("#answer-text").text_content() == ANSWERS[1]
    page.click('[data-tab="compare"]')
    assert answers(page) == ANSWERS, "the comparison is still there"


def test_ways_can_be_changed_added_and_removed(comparing: Any) -> None:
    page = comparing
    page.locator(".way-select").nth(1).select_option("backtrace")
    assert page.locator(".lane").nth(1).locator(".verdict").is_hidden(), "a run of another way goes"
    page.get_by_role("button", name="Add a way").click()
    assert page.locator(".lane").count() == 5
    page.get_by_role("button", name="Remove this way").nth(2).click()
    page.get_by_role("button", name="Remove this way").nth(0).click()
    assert page.locator("#compare-run").text_content() == "Run all three"
    page.click("#compare-run")
    page.wait_for_function("[...document.querySelectorAll('.verdict')].filter(one => one.textContent).length === 3")
    page.wait_for_function("document.querySelector('#compare-stop').disabled", timeout=60000)
    assert page.locator(".token.gone").count() > 3, "backtrace takes tokens back"
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert faint(page, ".token > span") == []
    assert "taken back" in page.locator(".lane").nth(0).locator(".sentence").text_content()


def test_stop_keeps_what_was_written_and_frees_the_model(comparing: Any, slow_run: dict[str, int]) -> None:  # noqa: F811
    page = comparing
    page.click("#compare-run")
    page.wait_for_function("document.querySelectorAll('.tokens td button').length > 6")
    page.click("#compare-stop")
    written = answers(page)
    assert until(lambda: slow_run["now"] == 0)
    page.wait_for_timeout(400)
    assert answers(page) == written and page.locator("#compare-run").is_enabled()
    page.click('[data-tab="trace"]')
    page.click("#run-button")
    page.wait_for_function("document.querySelectorAll('#trace-table tbody tr').length >= 2")
    page.click('[data-tab="compare"]')
    page.click("#compare-run")  # one run at a time: the other one stops
    wait_for(page, WORDS)
    assert answers(page) == ANSWERS


def test_a_question_of_ones_own_is_taken_along(visitor: Visitor) -> None:  # noqa: F811
    page = visitor.page
    page.fill("#question-input", "square of 5?")
    page.click('[data-tab="compare"]')
    assert page.locator("#question-input").input_value() == "square of 5?"
    assert page.locator("#tools-input").input_value() == FOUR
    assert page.locator(".lane").count() == 4 and page.locator(".tokens").is_hidden()
    page.fill("#question-input", " ")
    page.click("#compare-run")
    page.wait_for_selector("#compare-error:not([hidden])")
    assert "question" in page.locator("#compare-error").text_content()
    page.keyboard.press("ArrowRight")
    page.fill("#question-input", "square of " + " ".join(HOSTILE))
    page.click("#compare-run")
    page.wait_for_function("[...document.querySelectorAll('.verdict')].every(one => one.textContent !== 'waiting')")
    page.wait_for_function("document.querySelector('#compare-stop').disabled", timeout=60000)
    assert page.evaluate("window.hacked") is None and page.locator(".tooldec img").count() == 0
    page.click('[data-tab="trace"]')
    visitor.run()
    assert visitor.column("state")


@pytest.mark.parametrize("width", [390, 768])
def test_small_screens_show_one_run_at_a_time(browser: Any, address: str, width: int) -> None:  # noqa: F811
    one = Visitor(browser, address, viewport={"width": width, "height": 844})
    page = one.page
    open_compare(page)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    if width == 390:
        assert page.locator(".lane:visible").count() == 1
        page.locator(".lane-tabs button").nth(2).click()
        assert page.locator(".lane:visible .lane-answer").text_content() == ANSWERS[2]
        assert page.locator("#compare-run").bounding_box()["height"] >= 44
        scroll = page.locator(".token-rows .scroll")
        assert scroll.evaluate("part => part.scrollWidth > part.clientWidth"), "token rows scroll"
        cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
        page.locator(".settings-head").click()
        low = "all => all.filter(one => one.getClientRects().length && one.getBoundingClientRect().height < 44).map(one => one.textContent)"
        assert page.locator(".compare :is(select, summary)").evaluate_all(low) == []
        for part in (".tokens .who", ".mass .gone", ".lane-tabs"):
            assert page.locator(part).count() and page.locator(part).evaluate_all(cut) == [], part
    one.close()
    assert not one.complaints


def test_a_link_brings_the_ways_along(browser: Any, address: str) -> None:  # noqa: F811
    one = Visitor(browser, address)
    open_compare(one.page)
    one.page.locator(".way-select").nth(0).select_option("fuzzy")
    one.page.get_by_role("button", name="Remove this way").nth(3).click()
    one.page.get_by_role("button", name="Share").click()
    one.page.wait_for_function("location.hash.length > 20")
    link = address + one.page.evaluate("location.hash")
    other = Visitor.__new__(Visitor)
    other.page = browser.contexts[0].new_page()
    other.page.goto(link)
    other.page.wait_for_selector(".tooldec[data-ready]")
    assert other.page.locator('[data-tab="compare"]').get_attribute("aria-current") == "page"
    ways = other.page.locator(".way-select").evaluate_all("all => all.map(one => one.value)")
    assert ways == ["fuzzy", "unguided", "unguided"]
    assert other.page.locator("#question-input").input_value().startswith("The diameter of a circle is 123")
    assert set(answers(other.page)) == {"Press Run to see the shared comparison."}
    other.page.get_by_role("button", name="Add a way").click()
    assert set(answers(other.page)) == {"The answer appears here."}, "these are no longer the shared ways"
    other.page.reload()
    other.page.wait_for_selector(".tooldec[data-ready]")
    assert other.page.locator(".way-select").count() == 4, "a way that was added is kept"
    other.page.close()
    one.page.close()


def test_react_steps_fold(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    from test_playground import Typist

    from tooldec.page import prepared

    text = 'Thought: a square\nAction: square\nAction Input: {"side": 5}\nObservation: 25\n'
    text += 'Thought: done\nAction: Finish\nAction Input: {"return_type": "give_answer", "final_answer": "25"}'
    monkeypatch.setattr(prepared, "loaded", lambda name: Typist(text))
    prepared._machine.cache_clear()
    page = visitor.page
    page.fill("#question-input", "square of 5?")
    page.select_option("#scheme-select", "react")
    page.locator("summary", has_text="Decoding").click()
    page.fill("#set-max_tokens", "256")
    page.locator("summary", has_text="Prompt").click()
    page.check("#set-results")
    page.click('[data-tab="compare"]')
    page.click("#compare-run")
    page.wait_for_function(
        "document.querySelector('.lane[data-way=guided] .sentence').textContent !== ''", timeout=30000
    )
    prepared._machine.cache_clear()
    steps = page.locator('.lane[data-way="guided"] details.react')
    assert steps.locator("summary").all_text_contents() == ["Step 1, square", "Step 2, Finish"]
    assert [step.get_attribute("open") is not None for step in steps.all()] == [False, True]
    assert page.locator('.lane[data-way="guided"] .verdict').text_content() == "valid call"
    assert "25" in steps.first.locator(".mode-result").first.text_content()
    unguided = page.locator('.lane[data-way="unguided"] .mode-name').all_text_contents()
    assert unguided and not any("Thought" in piece for piece in unguided), "a thought is no part of a call's name"
    steps.first.locator("summary").click()
    assert steps.first.locator(".mode-argument").first.is_visible()
