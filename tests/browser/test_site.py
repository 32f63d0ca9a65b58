"""Every page of the site, in light and dark, wide and narrow."""

import pytest

from .accessible import accessibility_issues
from .conftest import ROOT, Visit

pytestmark = pytest.mark.browser

PAGES = sorted(
    path.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
    for path in (ROOT / "docs").rglob("*.md")
    if not {part for part in path.relative_to(ROOT / "docs").parts if part.startswith("_")}
)


def test_every_page_is_accessible_and_fits(visit: Visit) -> None:
    issues = {path: accessibility_issues(visit.open(path)) for path in PAGES}
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


def test_pages_without_examples_have_no_script_of_dicedocs(visit: Visit) -> None:
    page = visit.open("reference/limits.html")
    scripts = page.locator("script[src]").evaluate_all("all => all.map(one => one.getAttribute('src'))")
    assert [src for src in scripts if "dice" in src] == []
    page = visit.open("rulebook/methuen.html")
    assert page.locator(".dice-example script").count() == 0
