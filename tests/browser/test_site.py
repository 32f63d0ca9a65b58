"""Every page of the site, in light and dark, wide and narrow."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from .accessible import accessibility_issues
from .conftest import ROOT, Visit

pytestmark = pytest.mark.browser

PAGES = sorted(
    path.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
    for path in (ROOT / "docs").rglob("*.md")
    if not {part for part in path.relative_to(ROOT / "docs").parts if part.startswith("_")}
)
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


SEVERAL = (
    "index.html",
    "rulebook/how-to-read.html",
    "rulebook/night-ferry.html",
    "guide/odds.html",
    "guide/you-already-know.html",
    "reference/directives.html",
)
"""Pages that between them have scenes, pools, tables and charts; test_looks.py has two more."""


@pytest.mark.parametrize("paths", [SEVERAL, pytest.param(PAGES, marks=pytest.mark.thorough)], ids=["several", "all"])
def test_a_page_is_accessible_and_fits(visit: Visit, paths: Sequence[str]) -> None:
    issues = {path: accessibility_issues(visit.open(path)) for path in paths}
    assert {path: ones for path, ones in issues.items() if ones} == {}
    assert not visit.console_errors
    assert not visit.external_requests


def test_there_are_pages() -> None:
    assert "rulebook/methuen.html" in PAGES
    assert "index.html" in PAGES


def test_an_example_shows_title_dice_working_and_result(visit: Visit) -> None:
    page = visit.open("rulebook/methuen.html")
    example = page.locator("#dice-renna-power-shot")
    assert "Power Shot" in example.inner_text()
    names = [die.get_attribute("aria-label") for die in example.locator("svg[role=img]").all()]
    assert names == ["d6 showing 4", "d6 showing 2", "d6 showing 5"]
    assert "11" in example.locator(".dice-result").inner_text()


def test_our_scripts_are_on_pages_that_roll_and_on_those_made_from_notebooks(built_site: Path) -> None:
    names = [path.relative_to(built_site).as_posix() for path in built_site.rglob("*.html")]
    pages = {name: (built_site / name).read_text("utf-8") for name in names}
    ours = {name for name, html in pages.items() if re.search(r'<script[^>]* src="[^"]*(dicedocs/|saved\.js)', html)}
    roll = {name for name, html in pages.items() if re.search(r" data-dice(-roll)?=", html)}
    notebooks = {path.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for path in NOTEBOOKS}
    assert notebooks <= ours <= notebooks | roll
    assert "reference/limits.html" in pages.keys() - ours
    assert len(notebooks) == 3
