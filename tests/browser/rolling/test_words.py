"""Words for each outcome on a page that rolls: a reader rolls until the knot holds, and reads of that."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ..conftest import Visit
from .conftest import roll

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]
PAGE = """
Rope
====

.. dice:mechanic:: road/knot

   total = 1d6
   result = total: 1-3 miss, 4+ hit

.. dice:example:: At the rope
   :name: rope
   :mechanic: road/knot
   :dice: 5
   :expect: total=5, result=hit

   With :dice:fact:`total`, :dice:words:`result | hit: off it comes | miss: the knot holds`.

   .. dice:case:: result = miss

      *Nobody* crosses with :dice:fact:`total`, :dice:words:`total = 1 | alas | of course`.

   .. dice:case:: result = hit

      *Everybody* crosses.

It was :dice:words:`rope.total >= 4 | easy | hard`.

The gate
--------

.. dice:scene:: The gate
   :tracks: breach 0 of 6

.. dice:example:: The bar
   :name: bar
   :mechanic: dice/check
   :check: 1d6 >= 4
   :dice: 5
   :then: breach += 6 - 6 * success
   :expect: success=true, breach=0

   :dice:words:`success | The bar holds. | The bar breaks.` True: :dice:fact:`success`.

.. dice:example:: Then
   :name: then
   :mechanic: dice/roll
   :notation: breach + 1
   :expect: total=1

   :dice:words:`total | 6-: All is quiet. | 7+: They come.`

.. dice:case:: breach.full

   The end.

.. dice:case:: not breach.full

   The beginning.
"""
PAGES = {"index.rst": PAGE}


def text(page: Page) -> str:
    """Return the words that are seen, without buttons and drawings."""
    said: str = page.locator("[role=main]").inner_text()
    return " ".join(said.split())


def rolled(page: Page, name: str, result: str) -> None:
    """Roll an example until it comes to something."""
    for _ in range(40):
        roll(page, name)
        if page.locator(f"#dice-{name} .dice-outcome:not([hidden])").get_by_text(result, exact=True).count():
            return
    pytest.fail(f"{result} never came up")


def test_a_reader_who_fails_reads_what_is_true_of_that_and_prints_the_words_of_the_book(reader: Visit) -> None:
    page = reader.open("index.html")
    assert "off it comes. Everybody crosses." in text(page)
    assert "the knot holds" not in text(page)
    rolled(page, "rope", "miss")
    total = page.locator("#dice-rope [data-dice-fact]").first.inner_text()
    assert int(total) < 4
    end = f"{total}, {'alas' if total == '1' else 'of course'}."
    assert f"With {total}, the knot holds. Nobody crosses with {end}" in text(page)
    assert "It was hard." in text(page)
    assert "Everybody" not in text(page)
    expect(page.locator("#dice-rope .dice-told")).to_be_empty()
    # What has come up is said to those who cannot see it.
    status = page.locator(".dice-status")
    expect(status).to_contain_text("the knot holds")
    expect(status).to_have_text(re.compile(rf".* the knot holds Nobody crosses with {end} hard$"))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert "With 5, off it comes. Everybody crosses." in text(page)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert "the knot holds" in text(page)
    page.locator("#dice-rope").get_by_role("button", name="Back").click()
    assert "With 5, off it comes. Everybody crosses." in text(page)
    assert "It was easy." in text(page)


def test_the_words_of_a_story_are_the_readers_to_its_last_beat(reader: Visit) -> None:
    page = reader.open("index.html")
    assert "The bar holds." in text(page)
    assert "All is quiet." in text(page)
    assert text(page).endswith("The beginning.")
    for _ in range(40):
        roll(page, "bar")
        if "The bar breaks." in text(page):
            break
    expect(page.locator("#dice-then").get_by_role("button", name="Back")).to_be_visible()
    assert "The bar breaks." in text(page)
    assert "They come." in text(page)
    assert text(page).endswith("The end.")
    assert page.locator("#dice-bar [data-dice-fact]").inner_text() == "no"
    expect(page.locator(".dice-status")).to_contain_text("The bar breaks. They come. The end.")


def test_from_a_file_the_deck_has_the_words(context: BrowserContext, book: Path) -> None:
    page = context.new_page()
    page.goto((book / "index.html").as_uri())
    rolled(page, "rope", "miss")
    assert "the knot holds. Nobody crosses with" in text(page)
    # What a roll changes in a scene only Python knows.
    told = page.locator("#dice-bar .dice-told")
    expect(told).to_be_empty()
    roll(page, "bar")
    expect(told).to_have_text("The story above is the book's roll, not yours.")
    assert "The bar holds." in text(page)
    page.locator("#dice-bar").get_by_role("button", name="Back").click()
    expect(told).to_be_empty()
    page.close()
