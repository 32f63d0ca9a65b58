"""The search of the site, read from a disk: rules and terms come first, each with its words."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("query", "title", "address", "words"),
    [
        ("rounds down", "Division rounds down", "methuen.html#dice-M58", "Every division is rounded down"),
        ("rest", "rest", "dungeoneers.html#index-", "The rest action brings back your exhausted dice"),
        ("out of dice", "out of dice", "dungeoneers.html#index-", "Dice do not come back"),
        ("contest", "Contests", "mage-in-the-metal.html#dice-W33", "A check is about one character"),
        ("favor", "favor", "mage-in-the-metal.html#term-favor", "What a spirit may give or take away"),
    ],
)
def test_a_rule_or_a_term_is_the_first_result(
    browser: Browser, built_site: Path, query: str, title: str, address: str, words: str
) -> None:
    page = browser.new_page()
    page.goto(f"{(built_site / 'search.html').as_uri()}?q={query}")
    first = page.locator("ul.search > li").first
    expect(first.get_by_role("link")).to_have_text(title)
    assert address in (first.get_by_role("link").get_attribute("href") or "")
    expect(first.locator(".context")).to_contain_text(words)
    page.close()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        # Below the sentences are dice and working, which are not in the text.
        ("rounds down", "Sharing the loot Seven coins for two Two thieves"),
        # The cells of a table stand apart.
        ("bonuses", "Type For example Equipment a workshop, a good rope, a lens Magical"),
    ],
)
def test_the_excerpt_of_a_section_is_sentences(browser: Browser, site: str, query: str, words: str) -> None:
    page = browser.new_page()
    page.goto(f"{site}/search.html?q={query}")
    found = page.locator("ul.search > li.kind-title").first.locator(".context")
    expect(found).to_contain_text(words, use_inner_text=True)
    expect(found).not_to_contain_text("How?")
    page.close()


def test_a_rule_that_the_index_leads_to_has_its_heading_in_sight(browser: Browser, site: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page.goto(f"{site}/rulebook/dungeoneers.html#dice-D19")
    expect(page.get_by_role("heading", name="Running out")).to_be_in_viewport(ratio=1)
    page.close()
