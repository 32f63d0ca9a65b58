"""Our blocks among the extensions and themes that books commonly have."""

import re

import pytest
from playwright.sync_api import Browser, Page

from ..browser.accessible import SCHEMES, axe_violations, low_contrast, overflow
from .conftest import PAGES, Among

DARK = {"dicedocs", "furo", "pydata_sphinx_theme", "sphinx_book_theme"}
THEMES = sorted({"alabaster", "sphinx_rtd_theme"} | DARK)
FIRST, *OTHERS = THEMES
OURS = ":is(.dice-example, .dice-character, .dice-outcome, .dice-counted, .dice-odds, .dice-claim, .dice-rule)"
UNEVEN = """() => {
  const pairs = [
    ...[...document.querySelectorAll(".dice-step:not(.dice-played)")].map((step) => [...step.children]),
    ...[...document.querySelectorAll(".dice-values dt")].map((name) => [name, name.nextElementSibling]),
    ...[...document.querySelectorAll(".dice-legend li")].map((item) => [item.querySelector("svg"), item]),
  ];
  const middle = (node) => { const box = node.getBoundingClientRect(); return box.top + Math.min(box.height, 30) / 2; };
  return pairs.filter(([, value]) => value?.checkVisibility()).flatMap(([label, value]) => {
    const apart = Math.abs(middle(label) - middle(value));
    return apart > 5 ? [`${apart} pixels: ${value.textContent}`] : [];
  });
}"""
"""The labels that do not stand in the line of their value; of a long value the first line counts."""


@pytest.mark.parametrize("theme", [FIRST, *(pytest.param(other, marks=pytest.mark.thorough) for other in OTHERS)])
def test_a_book_builds_without_a_warning(among: Among, theme: str) -> None:
    built = among.in_theme(theme)
    assert built.log == ""
    assert {path.stem for path in built.out.glob("*.html")} >= set(PAGES)


def test_references_go_to_other_extensions_and_back(among: Among) -> None:
    built = among.in_theme(FIRST)
    example = built.read("code.html").partition('id="dice-fire"')[2].partition('<section id="module-')[0]
    links = re.findall(r'href="([^"]*)"', example)
    assert {
        "#ember.rules.Blaze",
        "#ember.rules.Haul",
        "https://elsewhere.test/functions.html#int",
        "https://elsewhere.test/rules.html#dice-elsewhere",
    } <= set(links)
    assert 'href="code.html#dice-fire"' in built.read("index.html")


def test_doctests_of_others_run_beside_ours(among: Among) -> None:
    built = among.book.build("doctest")
    report = built.read("output.txt")
    groups = set(re.findall(r"^ +(?:1 item|\d+ items|1 test|\d+ tests) in (\S+)$", report, re.MULTILINE))
    assert (built.log, re.findall(r"(\d+) failures? in tests", report)) == ("", ["0"])
    assert {"default", "strike", "crew", "fire"} <= groups


@pytest.mark.browser
@pytest.mark.thorough
@pytest.mark.parametrize("theme", THEMES)
def test_our_blocks_are_legible_and_fit(among: Among, browser: Browser, theme: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    issues: list[str] = []
    page.on("pageerror", lambda error: issues.append(str(error)))
    page.on("request", lambda request: issues.append(request.url) if request.url.startswith("http") else None)
    for name in PAGES:
        page.goto((among.in_theme(theme).out / f"{name}.html").as_uri())
        issues += [f"{name}: {issue}" for issue in issues_of_page(page, dark=theme in DARK)]
        if name == "code":
            assert page.locator(".copybtn").count() == page.locator(".highlight").count() > 0
        assert page.locator(f"{OURS} .copybtn").count() == 0
    assert issues == []
    context.close()


def issues_of_page(page: Page, *, dark: bool) -> list[str]:
    """Return what is wrong with our blocks, all unfolded, wide and narrow, in light and in dark."""
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.add_style_tag(content=".sd-tab-set > .sd-tab-content.sd-tab-content { display: block !important }")
    page.set_viewport_size({"width": 1100, "height": 900})
    issues: list[str] = page.evaluate(UNEVEN)
    grounds = set()
    for scheme in SCHEMES if dark else SCHEMES[:1]:
        page.emulate_media(color_scheme=scheme)
        page.evaluate("(scheme) => { document.documentElement.dataset.theme = scheme; }", scheme)
        grounds.add(page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
        issues += [f"{scheme}: {issue}" for issue in low_contrast(page, OURS)]
    assert len(grounds) == 1 + dark
    page.set_viewport_size({"width": 390, "height": 900})
    if pixels := overflow(page):
        issues.append(f"{pixels} pixels too wide")
    return issues + axe_violations(page, OURS, colours=False)
