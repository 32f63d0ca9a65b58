"""Examples as rows and lines: what is folded opens by keyboard, everything is legible, and paper shows it all."""

import pytest
from playwright.sync_api import Page, expect

from .accessible import accessibility_issues
from .conftest import Visit

pytestmark = pytest.mark.browser

SMALLEST = """() => [
  ...document.querySelectorAll(":is(.dice-example, .dice-character, .dice-odds) *"),
].flatMap((node) => {
  const own = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
  if (!own || !node.checkVisibility()) return [];
  const svg = node.closest("svg"), drawn = svg?.viewBox.baseVal?.height;
  const scale = drawn ? svg.getBoundingClientRect().height / drawn : 1;
  const size = parseFloat(getComputedStyle(node).fontSize) * scale;
  return size < 14 ? [`${size.toFixed(1)} ${node.outerHTML.slice(0, 90)}`] : [];
})"""
THEMES = "guide/themes.html"


def unfold(page: Page) -> None:
    page.evaluate(
        "document.querySelectorAll('.dice-outcome details, details.dice-outcome').forEach(d => d.open = true)"
    )


def test_the_working_of_a_row_opens_by_keyboard_and_has_a_name(visit: Visit) -> None:
    page = visit.open("rulebook/methuen.html")
    row = page.locator("#dice-renna-power-shot")
    assert not row.locator(".dice-working").is_visible()
    summary = row.locator("summary")
    assert summary.get_attribute("aria-label") == "How? Renna's Power Shot"
    summary.focus()
    page.keyboard.press("Enter")
    assert "4 + 2 + 5 = 11" in row.locator(".dice-working").inner_text()


def test_a_line_opens_by_keyboard(visit: Visit) -> None:
    page = visit.open(THEMES)
    line = page.locator(".dice-example:has(.dice-line)").first
    box = line.bounding_box()
    assert box is not None
    assert box["height"] < 40
    line.locator("summary").focus()
    page.keyboard.press("Space")
    assert "5 + 2 = 7" in line.locator(".dice-working").inner_text()


def test_everything_is_accessible_when_it_is_unfolded(visit: Visit) -> None:
    for path in (THEMES, "rulebook/methuen.html"):
        page = visit.open(path)
        unfold(page)
        assert accessibility_issues(page) == []


def test_none_of_our_text_is_smaller_than_14_pixels(visit: Visit) -> None:
    for path in (THEMES, "guide/odds.html", "rulebook/mecha-vs-kaiju.html", "rulebook/dungeoneers.html"):
        page = visit.open(path)
        unfold(page)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(SMALLEST) == []


def test_a_book_sets_the_variables_on_its_body(visit: Visit) -> None:
    page = visit.open(THEMES)
    page.add_style_tag(content="body { --dice-accent: rgb(1, 2, 3); --dice-rule: 7px }")
    example = page.locator(".dice-example:not([class*=dice-system])")
    assert example.count() == 0
    page.evaluate("document.querySelector('.dice-example').classList.remove('dice-system-methuen')")
    style = example.evaluate("one => [getComputedStyle(one).borderLeftColor, getComputedStyle(one).borderLeftWidth]")
    assert style == ["rgb(1, 2, 3)", "7px"]


def test_paper_shows_the_working_below_its_words_unless_the_book_says_otherwise(visit: Visit) -> None:
    page = visit.open("rulebook/methuen.html")
    page.emulate_media(media="print")
    edges = (
        "one => ['.dice-example-title', '.dice-working'].map(part => one.querySelector(part).getBoundingClientRect().x)"
    )
    # Side by side, the working of a series that goes on over the page is printed across what follows it.
    title, working = page.locator(".dice-examples > .dice-example").first.evaluate(edges)
    assert working == title
    row = page.locator("#dice-renna-power-shot")
    text = "one => one.getBoundingClientRect().height > 0 && one.checkVisibility()"
    assert row.locator(".dice-said", has_text="4 + 2 + 5 = 11").evaluate(text)
    page.add_style_tag(content="body { --dice-print: none }")
    assert not row.locator(".dice-said", has_text="4 + 2 + 5 = 11").evaluate(text)


def test_nothing_is_wider_than_paper(visit: Visit) -> None:
    visit.page.set_viewport_size({"width": 660, "height": 900})
    page = visit.open("rulebook/mage-in-the-metal.html")
    page.emulate_media(media="print")
    wide = page.evaluate(
        "() => [...document.querySelectorAll('.dice-example *')].filter(one => one.checkVisibility() "
        "&& one.getBoundingClientRect().right > document.documentElement.clientWidth).map(one => one.className)"
    )
    assert wide == []


def test_each_game_has_its_accent_and_its_rules_at_a_glance_are_printed_on_one_sheet(visit: Visit) -> None:
    # A4 without the margins of the theme, 178 x 261 mm.
    visit.page.set_viewport_size({"width": 672, "height": 986})
    visit.page.emulate_media(media="print")
    accents, heights = set(), {}
    for game in ("methuen", "total-effect", "mecha-vs-kaiju", "dungeoneers", "mage-in-the-metal"):
        page = visit.open(f"rulebook/{game}.html")
        example = page.locator(f".dice-example.dice-system-{game}").first
        accents.add(example.evaluate("one => getComputedStyle(one).getPropertyValue('--dice-accent')"))
        heights[game] = page.locator("section:has(> .dice-reference)").evaluate(
            "(section) => section.getBoundingClientRect().height "
            "+ parseFloat(getComputedStyle(section.querySelector('h2')).marginTop)"
        )
    assert len(accents) == 5
    assert {game: height for game, height in heights.items() if height > 986} == {}


def test_nothing_that_stays_on_the_screen_is_printed_across_the_text(visit: Visit) -> None:
    for width in (1280, 390):
        visit.page.set_viewport_size({"width": width, "height": 900})
        page = visit.open("rulebook/methuen.html")
        # Furo shows "Back to top" to whoever scrolls up.
        for top in (3000, 2000):
            page.evaluate("(top) => window.scrollTo({ top, behavior: 'instant' })", top)
            page.wait_for_timeout(100)
        # On a phone the name of the chapter at the top leads there.
        expect(page.locator(".back-to-top")).to_be_visible(visible=width == 1280)
        page.emulate_media(media="print")
        fixed = page.evaluate(
            "() => [...document.querySelectorAll('body *')].filter(one => getComputedStyle(one).position === 'fixed' "
            "&& one.checkVisibility() && one.getBoundingClientRect().right > 0).map(one => one.className)"
        )
        assert fixed == []
        page.emulate_media(media="screen")


GROUPS = {
    "rulebook/methuen.html": (".dice-examples > .dice-example-title", ".dice-character > .dice-example-title"),
    "rulebook/night-ferry.html": (".dice-scene > .dice-example-title",),
    "guide/odds.html": ("tr:has(> [scope=rowgroup])",),
    "reference/warnings.html": ("article dt",),
}
"""The titles of groups, with a page that has them."""


def test_the_title_of_a_group_is_printed_on_the_page_of_what_is_below_it(visit: Visit) -> None:
    visit.page.emulate_media(media="print")
    breaks = {}
    for path, titles in GROUPS.items():
        page = visit.open(path)
        for title in titles:
            styles = page.locator(title).evaluate_all("all => all.map(one => getComputedStyle(one).breakAfter)")
            breaks[title] = set(styles)
    assert breaks == {title: {"avoid"} for title in breaks}
