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
        ("contest", "Contests", "mage-in-the-metal.html#dice-W33", "A check is about one character"),
        ("favor", "favor", "mage-in-the-metal.html#term-favor", "Whether a spirit is for you or against you"),
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
