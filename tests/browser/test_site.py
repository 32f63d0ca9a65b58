"""Every page of the site as a person has it: in light and dark, wide and narrow."""

import pytest

from .accessible import OF_WIDTH, faint, violations
from .conftest import ROOT, Visit

pytestmark = pytest.mark.browser

PAGES = sorted(
    path.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
    for path in (ROOT / "docs").rglob("*.md")
    if not {part for part in path.relative_to(ROOT / "docs").parts if part.startswith("_")}
)


@pytest.mark.parametrize("visit", [1280, 390], indirect=True)
def test_every_page_is_accessible_quiet_and_fits(visit: Visit, request: pytest.FixtureRequest) -> None:
    wrong: dict[str, object] = {}
    # axe takes its time: all of its rules are looked at where there is room, and elsewhere what a width can change.
    rules = OF_WIDTH if request.node.callspec.params["visit"] == 390 else ()
    for path in PAGES:
        page = visit.open(path)
        found = [f"{scheme}: {one}" for scheme in visit.schemes() for one in faint(page, "body")]
        found += violations(page, contrast=False, rules=rules)
        if found:
            wrong[path] = found
        wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            wrong[f"{path} is too wide by"] = wide
    assert not wrong
    assert not visit.complaints
    assert not visit.strangers


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


def test_the_call_is_folded_and_opens_by_keyboard(visit: Visit) -> None:
    page = visit.open("rulebook/methuen.html")
    folded = page.locator(".dice-example details", has_text="Python").first
    assert not folded.locator("pre").is_visible()
    folded.locator("summary").focus()
    page.keyboard.press("Enter")
    assert 'dd.roll("3d6", dice=[4, 2, 5])' in folded.locator("pre").inner_text()


def test_the_pages_have_no_script_of_ours(visit: Visit) -> None:
    page = visit.open("rulebook/methuen.html")
    scripts = page.locator("script[src]").evaluate_all("all => all.map(one => one.getAttribute('src'))")
    assert [src for src in scripts if "dice" in src] == []
    assert page.locator(".dice-example script").count() == 0
