"""docs/checks.md is the table of checks, written out. To write it anew: python tests/test_checks_page.py"""

from __future__ import annotations

from pathlib import Path

from tooldec.lint import CHECKS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "checks.md"
LONGEST = 400


def example(text: str) -> str:
    short = text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
    return f"```\n{short}\n```"


def page() -> str:
    parts = ["# Checks\n\nWhat `tooldec check` and the page's Check view find. Codes: E error, W warning, H hint. Each bad"
             " example is found, and each good one isn't: they are the checks' tests. One more warning comes from runs"
             " alone: W310, an integer where the model wanted to write a number.\n"]  # fmt: skip
    for check in CHECKS.values():
        model = " It asks about the tokens of a model: `--model`." if check.needs_model else ""
        parts.append(
            f"## {check.code} {check.title}\n\n{check.why}{model}\n\nBad:\n\n{example(check.bad)}\n\n"
            f"Good:\n\n{example(check.good)}\n"
        )
    return "\n".join(parts)


def test_the_page_is_the_table() -> None:
    assert PAGE.read_text("utf-8") == page()


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), "utf-8")
