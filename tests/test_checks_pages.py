"""docs/checks has a page for each check, whose examples are its tests. To write them anew: python tests/test_checks_pages.py"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tooldec.lint import CHECKS, check_tools, pages
from tooldec.models import load_model

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "checks"


def examples(text: str) -> dict[str, str]:
    """The blocks of a page by their headings."""
    found: dict[str, str] = {}
    for heading, repeat, block in re.findall(r"^## (\w+)\n\n```(?:repeat=(\d+))?\n(.*?)\n```", text, re.M | re.S):
        found[heading] = "\n".join(block.replace("{i}", str(i)) for i in range(int(repeat))) if repeat else block
    return found


@pytest.mark.parametrize("code", CHECKS)
def test_the_examples_of_a_page_are_its_tests(code: str) -> None:
    text = (FOLDER / f"{code}.md").read_text("utf-8")
    model = load_model("toy") if CHECKS[code].needs_model else None
    block = examples(text)
    assert text.startswith(f"# {code} ") and set(block) == {"Bad", "Good"} and len(text) < 2000
    assert code in {finding.code for finding in check_tools(block["Bad"], model=model).findings}
    assert code not in {finding.code for finding in check_tools(block["Good"], model=model).findings}


def test_every_check_has_its_page_and_no_page_is_of_yesterday() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == {*pages.ALL, "README"}
    for code in pages.ALL:
        assert (FOLDER / f"{code}.md").read_text("utf-8") == pages.page(code)
    assert (FOLDER / "README.md").read_text("utf-8") == pages.index()


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in pages.ALL:
        (FOLDER / f"{name}.md").write_text(pages.page(name), "utf-8")
    (FOLDER / "README.md").write_text(pages.index(), "utf-8")
