"""A scene on a page that rolls: what is behind a beat that its reader has rolled follows from it, and comes back."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import dicedocs as dd

from ..conftest import Visit, served
from ..loopback import Loopback
from .conftest import FIRST, Strict

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]
CONF = """
extensions = ["dicedocs_sphinx"]
project = "Gate"
html_theme = "basic"
html_sidebars = {"**": []}  # its search box has a script in the page
dicedocs_reroll = True
"""
PAGE = """
Gate
====

.. dice:scene:: The gate
   :name: gate
   :tracks: breach 0 of 20

.. dice:example:: The bar holds
   :name: bar
   :mechanic: dice/roll
   :notation: 1d6
   :dice: 2
   :then: breach += total
   :expect: total=2, breach=2

   It is at :dice:fact:`breach`.

.. dice:change:: breach += 1

   It creaks.

Then it is at :dice:track:`breach`, after :dice:fact:`bar.total`.

.. dice:example:: Somebody pushes
   :mechanic: dice/roll
   :notation: 1d4
   :dice: 1
   :hide: all
   :then: breach += total
   :expect: breach=4

.. dice:example:: The wood splits
   :name: split
   :mechanic: dice/roll
   :notation: breach + 1d4
   :dice: 3
   :then: breach = total
   :expect: total=7, breach=7

   It splits.

At the end it is at :dice:fact:`breach`.

.. dice:odds:: What comes next
   :name: next
   :mechanic: dice/roll
   :notation: breach + 1d4
   :expect: mean=9.5

.. dice:example:: The bolt catches
   :name: bolt
   :mechanic: dice/roll
   :notation: 1
   :if: bar.total = 2
   :then: breach -= 3 - bar.total
   :expect: total=1

.. dice:scene-sheet:: What happened
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a built book with a scene."""
    folder = tmp_path_factory.mktemp("gate")
    (folder / "conf.py").write_text(CONF)
    (folder / "index.rst").write_text(PAGE)
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", folder, folder / "out"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "out"


@pytest.fixture
def gate(browser: Browser, book: Path, loopback: Loopback | None) -> Iterator[Visit]:
    """Return a page that can be opened in that book."""
    context = browser.new_context(service_workers="block")
    with served(book, Strict, loopback and loopback.listen()) as address:
        yield Visit(context.new_page(), address)
    context.close()


def words(page: Page) -> str:
    """Return what the page says, drawings by their names."""
    said: str = page.locator("[role=main]").evaluate(
        """(body) => { const copy = body.cloneNode(true);
          copy.querySelectorAll(".dice-move, .dice-play, .dice-press, .dice-panel").forEach((one) => one.remove());
          copy.querySelectorAll("svg").forEach((one) => one.replaceWith(one.getAttribute("aria-label") ?? ""));
          return copy.textContent.replace(/\\s+/g, " ") }"""
    )
    return said


def test_the_beats_behind_a_roll_follow_and_come_back(gate: Visit) -> None:
    page = gate.open("index.html")
    bar, split = page.locator("#dice-bar"), page.locator("#dice-split")
    expect(bar.locator(".dice-press")).to_be_visible()
    printed = words(page)
    assert "It is at 2." in printed
    # The deck answers at once, and what is behind it when Python has started.
    bar.locator(".dice-press").click()
    expect(bar.get_by_role("button", name="Back")).to_be_visible()
    expect(split.locator(".dice-notice")).to_contain_text("Your own story from here.", timeout=FIRST)
    [seed] = re.findall(r"with the seed ([\w -]+)\.", bar.locator(".dice-notice").inner_text())
    face = dd.roll("1d6", seed=seed).value
    # One for the change, one for the die that nobody sees.
    before = face + 2
    said = words(page)
    assert f"Breach: 0 of 20 → {face} of 20" in said
    assert f"It is at {face}." in said
    assert f"Notation {before} + 1d4" in said
    assert f"Breach: {face} of 20 → {face + 1} of 20" in said
    assert f"Then it is at Breach: {face + 1} of 20, after {face}." in said
    assert f"Breach: {before} of 20 → {before + 3} of 20" in said
    assert split.locator(".dice-result").inner_text().split() == ["Total", f"{before + 3}"]
    assert f"At the end it is at {before + 3}." in said
    assert f"Breach0 of 20 → {face} of 20 (The bar holds) → {face + 1} of 20 (change)" in said
    missed = page.locator(".dice-missed")
    assert missed.count() == (face != 2)
    if face != 2:
        assert missed.get_attribute("id") == "dice-bolt"
        expect(missed.locator(".dice-changes")).to_have_text("This does not happen in your story.")
    # Who rolls further on goes on from there.
    split.locator(".dice-press").click()
    expect(split.locator(".dice-notice")).to_contain_text("with the seed")
    [seed] = re.findall(r"with the seed ([\w -]+)\.", split.locator(".dice-notice").inner_text())
    total = before + dd.roll("1d4", seed=int(seed)).value
    assert split.locator(".dice-result").inner_text().split() == ["Total", f"{total}"]
    assert f"At the end it is at {total}." in words(page)
    assert missed.count() == (face != 2)
    split.get_by_role("button", name="Back").click()
    assert missed.count() == 0
    assert words(page) == printed
    assert bar.get_by_role("button", name="Back").count() == split.get_by_role("button", name="Back").count() == 0
    # A roll of the panel is followed as well, and what is opened behind it begins with the values of the story.
    bar.get_by_role("button", name="Change it").click()
    panel = bar.locator(".dd-panel")
    panel.get_by_label("Notation", exact=True).first.fill("6")
    panel.get_by_role("button", name="Roll", exact=True).click()
    # First it opens with the roll that was taken back, and tells the story of that one.
    expect(split.locator(".dice-result")).to_contain_text("11", timeout=FIRST)
    expect(split.locator(".dice-notice")).to_contain_text("Your own story from here.")
    assert "Breach: 0 of 20 → 6 of 20" in words(page)
    assert "At the end it is at 11." in words(page)
    assert missed.get_attribute("id") == "dice-bolt"
    expect(panel).to_be_visible()
    split.get_by_role("button", name="Change it").click()
    expect(split.get_by_label("Notation", exact=True).first).to_have_value("8 + 1d4")
    odds = page.locator("#dice-next")
    expect(odds.locator(".dice-notice")).to_have_text("These are the odds of the book's story.")
    odds.get_by_role("button", name="Change it").click()
    expect(odds.get_by_label("Notation", exact=True).first).to_have_value("11 + 1d4")
    bar.get_by_role("button", name="Close").click()
    assert words(page) == printed
    assert odds.locator(".dice-notice").inner_text() == ""
    assert not gate.console_errors


def test_from_a_file_a_line_says_what_follows_needs_a_server(browser: Browser, book: Path) -> None:
    page = browser.new_page()
    page.goto((book / "index.html").as_uri())
    needs = "What it changes and what follows are still the book's: your own story needs a web server."
    for name, says in (("split", needs), ("bar", needs), ("split", f"^{re.escape(needs)}$")):
        example = page.locator(f"#dice-{name}")
        example.locator(".dice-press").click()
        expect(example.locator(".dice-notice")).to_have_text(re.compile(says))
    page.close()
