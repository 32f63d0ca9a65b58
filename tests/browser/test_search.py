"""The search of the site, read from a disk: rules and terms come first, each with its words."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from .accessible import accessibility_issues

pytestmark = pytest.mark.browser


FIRST = {
    "rounds down": ("Division rounds down", "methuen.html#dice-M58", "Every division is rounded down"),
    "rest": ("rest", "dungeoneers.html#index-", "The rest action brings back your exhausted dice"),
    "out of dice": ("out of dice", "dungeoneers.html#index-", "Dice do not come back"),
    "contest": ("Contests", "mage-in-the-metal.html#dice-W33", "A check is about one character"),
    "scratched": ("scratched", "mecha-vs-kaiju.html#index-", "Pick another die in your pool"),
    "favor": ("favor", "mage-in-the-metal.html#term-favor", "What a spirit may give or take away"),
}
"""The title of what is found first, what is in its address, and the words that are shown of it."""
EXCERPTS = {
    # Between the heading and the sentences are computed tables, which are not in the text.
    "fumbles and critical": "Fumbles and critical successes These are the same for every pool",
    # The cells of a table stand apart.
    "every printed figure": "Total Row 3 Disadv 2 Disadv 1 Disadv Base Roll 1 Adv",
}


def test_a_rule_or_a_term_is_the_first_result(browser: Browser, built_site: Path) -> None:
    page = browser.new_page()
    first = page.locator("ul.search > li").first
    for query, (title, address, words) in FIRST.items():
        page.goto(f"{(built_site / 'search.html').as_uri()}?q={query}")
        expect(first.get_by_role("link"), query).to_have_text(title)
        assert address in (first.get_by_role("link").get_attribute("href") or "")
        expect(first.locator(".context")).to_contain_text(words)
    page.close()


def test_the_excerpt_of_a_section_is_sentences(browser: Browser, site: str) -> None:
    page = browser.new_page()
    found = page.locator("ul.search > li.kind-title").first.locator(".context")
    for query, words in EXCERPTS.items():
        page.goto(f"{site}/search.html?q={query}")
        expect(found, query).to_contain_text(words, use_inner_text=True)
        expect(found).not_to_contain_text("How?")
    page.close()


def test_on_a_phone_the_search_is_one_press_at_the_thumb(browser: Browser, site: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    link = page.get_by_role("link", name="Search", exact=True)
    field = page.get_by_role("main").get_by_role("searchbox", name="Search")
    for path in ("index.html", "rulebook/methuen.html", "genindex.html"):
        page.goto(f"{site}/{path}")
        box = link.bounding_box()
        assert box is not None
        assert box["y"] > 800 * 0.8
        assert min(box["width"], box["height"]) >= 44
        link.tap()
        expect(field).to_be_focused()
        expect(link).to_have_count(0)
    # Sphinx writes the query of the address into the field once the page is loaded, over what was typed before.
    page.wait_for_load_state()
    page.keyboard.type("impact")
    page.keyboard.press("Enter")
    first = page.locator("ul.search > li a").first
    expect(first).to_have_text("Impact")
    expect(first).to_have_attribute("href", "rulebook/mecha-vs-kaiju.html#dice-F30")
    # Its keyboard would hide the results.
    expect(field).to_have_value("impact")
    expect(field).not_to_be_focused()
    assert accessibility_issues(page) == []
    page.close()


def test_on_a_laptop_the_search_is_in_the_sidebar_alone(browser: Browser, site: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    for path in ("rulebook/methuen.html", "search.html?q=impact"):
        page.goto(f"{site}/{path}")
        expect(page.get_by_role("link", name="Search", exact=True)).to_have_count(0)
        expect(page.locator("[name=q]:visible")).to_have_count(1)
    page.close()


def test_on_a_phone_the_index_is_one_press_at_the_thumb_and_the_bar_names_the_chapter(
    browser: Browser, site: str
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page.goto(f"{site}/index.html")
    page.get_by_role("search").get_by_role("link", name="Index", exact=True).tap()
    page.get_by_role("link", name="Resting (Dungeoneers)").tap()
    expect(page.get_by_role("heading", name="Resting")).to_be_in_viewport(ratio=1)
    bar = page.locator(".mobile-header").get_by_role("link", name="Dungeoneers", exact=True)
    bar.tap()
    expect(page.get_by_role("heading", name="Dungeoneers: a pool to spend")).to_be_in_viewport(ratio=1)
    page.close()


def test_at_the_end_of_a_page_on_a_phone_nothing_is_covered(browser: Browser, site: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800}, reduced_motion="reduce")
    for path in ("rulebook/methuen.html", "genindex.html"):
        page.goto(f"{site}/{path}")
        page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
        link, last = page.locator(".find-links"), page.locator(".made-with")
        expect(last).to_be_in_viewport(ratio=1)
        above, below = last.bounding_box(), link.bounding_box()
        assert above is not None
        assert below is not None
        assert above["y"] + above["height"] <= below["y"], path
    page.close()


def test_a_rule_that_the_index_leads_to_has_its_heading_in_sight(browser: Browser, site: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page.goto(f"{site}/rulebook/dungeoneers.html#dice-D19")
    expect(page.get_by_role("heading", name="Running out")).to_be_in_viewport(ratio=1)
    expect(page.locator(".toc-tree [aria-current]")).to_have_text("Running out")
    page.close()
