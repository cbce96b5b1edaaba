from __future__ import annotations

from dataclasses import replace

import pytest

from tooldec.trace import Candidate, Step
from tooldec.views.table import rows, table, visible

STEP = Step(
    index=3,
    text="Its area is <T>",
    state=1,
    state_name="s1",
    mode="name",
    tool=None,
    parameter=None,
    allowed_count=3,
    mass_kept=0.6,
    candidates=(
        Candidate(9, "sq", 0.4, 0.7),
        Candidate(5, "prod", 0.3, 0.0),
        Candidate(7, "add", 0.1, 0.2),
        Candidate(8, "exp", 0.1, 0.1),
    ),
    token_id=9,
    token="sq",
    next_state=2,
    next_state_name="s4",
    writer="model",
    accepting=False,
    model_ms=1.0,
    mask_ms=0.1,
)


def test_a_row_lists_the_valid_tokens_in_the_order_of_their_ids() -> None:
    (row,) = rows([STEP])
    assert (row.step, row.text, row.state, row.token, row.next_state) == ("t+3", "Its area is <T>", "s1", "sq", "s4")
    assert row.valid == ("add", "exp", "sq") and row.valid_text == "add exp sq"


def test_many_valid_tokens_are_counted() -> None:
    many = tuple(Candidate(i, chr(97 + i), 0.01 * (i + 1), 0.01 * (i + 1)) for i in range(14))
    (row,) = rows([replace(STEP, candidates=many, allowed_count=100)])
    assert row.valid == tuple("cdefghijklmn") and row.valid_text.endswith(" n +88")


def test_text_mode_is_the_whole_vocabulary_unless_a_marker_is_forced() -> None:
    (row,) = rows([replace(STEP, mode="text", allowed_count=64)])
    assert row.valid is None and row.valid_text == "whole vocabulary"
    (row,) = rows([replace(STEP, mode="text", allowed_count=1, candidates=(Candidate(1, "<T>", 0.1, 1.0),))])
    assert row.valid == ("<T>",)


def test_the_end_and_the_host() -> None:
    first = replace(STEP, index=0, end="eos", token="<EOS>")
    host = replace(STEP, writer="host", candidates=(), allowed_count=0)
    one, two = rows([first, host])
    assert (one.step, one.next_state) == ("t", "-") and two.valid_text == "the host writes"


@pytest.mark.parametrize(
    ("text", "shown"),
    [(" is\n", "␣is↵"), ("\t\r", "⇥⟨0D⟩"), ("é🙂", "é🙂"), ("\x00\x1b[31m", "⟨00⟩⟨1B⟩[31m"), ("\u202e", "⟨E2 80 AE⟩")],
)
def test_whitespace_and_control_characters_are_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_the_plain_table_is_aligned_and_cuts_long_texts_at_the_front() -> None:
    lines = table([STEP, replace(STEP, text="x" * 200 + "\nend")]).splitlines()
    assert len(lines) == 3
    assert {line.index(word) for line, word in zip(lines, ("state", "s1", "s1"), strict=True)} == {64}
    assert "…xxx" in lines[2] and "x↵end" in lines[2]
