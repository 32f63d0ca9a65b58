"""A scene on a page that rolls: what is behind a beat that its reader has rolled follows from it, and comes back."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

import dicedocs as dd

from ..conftest import Visit
from .conftest import text_without

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]
PAGE = """
Gate
====

.. dice:character:: Bryn
   :name: bryn
   :values: Push=1d6

.. dice:scene:: The gate
   :name: gate
   :cast: bryn
   :tracks: breach 0 of 20

.. dice:example:: The bar holds
   :name: bar
   :mechanic: dice/roll
   :notation: bryn.Push
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

The bolt leaves it at :dice:fact:`breach`.

.. dice:scene-sheet:: What happened
"""

WORDS = """
:orphan:

Words
=====

.. dice:example:: She climbs
   :name: climb
   :mechanic: dice/check
   :check: 1d20 + 4 >= 15
   :dice: 12
   :expect: success=true, left=16

   With :dice:fact:`left` she is up.

Up at :dice:fact:`climb.left`, she looks around.

.. dice:example:: He follows
   :name: follow
   :mechanic: dice/roll
   :notation: 1d6
   :dice: 3
   :expect: total=3

   He needs :dice:fact:`total` more than her :dice:fact:`climb.left`.

.. dice:example:: They rest
   :name: rest
   :mechanic: dice/check
   :check: 1d6 >= 2
   :dice: 1
   :text: follows
   :expect: success=false, left=1

   They sleep for :dice:fact:`left` hours.

The watch
---------

.. dice:scene:: The watch
   :tracks: noise 0 of 10

.. dice:example:: Is it quiet?
   :name: quiet
   :mechanic: dice/check
   :check: 1d20 >= 11
   :dice: 12
   :then: noise += 3 - success
   :expect: success=true, left=12, right=11, noise=2

   With :dice:fact:`left` it is.

.. dice:change:: noise = 10 - 8 * quiet.success
   :name: bell

   Nobody hears a bell, at :dice:fact:`noise`.

.. dice:example:: Who hears it?
   :name: hears
   :mechanic: dice/roll
   :notation: 1d6 + noise
   :dice: 1
   :expect: total=3

   It takes :dice:fact:`total` men, and :dice:fact:`quiet.left`.
"""
TOLD = "The story above is the book's roll, not yours."
PAGES = {"index.rst": PAGE, "words.rst": WORDS}


def words(page: Page) -> str:
    """Return what the page says, drawings by their names."""
    return text_without(page, ".dice-move, .dice-play, .dice-press, .dice-panel")


def test_the_beats_behind_a_roll_follow_and_come_back(reader: Visit) -> None:
    page = reader.open("index.html")
    bar, split = page.locator("#dice-bar"), page.locator("#dice-split")
    line, how = bar.locator(".dice-given"), bar.locator(".dice-step", has_text="Notation:")
    expect(line).to_have_text("Bryn · Push")
    expect(how).to_have_text("Notation: 1d6 (Bryn: Push)")
    expect(bar.locator(".dice-press")).to_be_visible()
    printed = words(page)
    assert "It is at 2." in printed
    # The deck answers at once, and what is behind it when Python has started.
    bar.locator(".dice-press").click()
    expect(bar.get_by_role("button", name="Back")).to_be_visible()
    expect(split.locator(".dice-notice")).to_contain_text("Your own story from here.")
    [seed] = re.findall(r"with the seed ([\w -]+)\.", bar.locator(".dice-notice").inner_text())
    face = dd.roll("1d6", seed=seed).value
    # One for the change, one for the die that nobody sees.
    before = face + 2
    said = words(page)
    assert f"Breach: 0 of 20 → {face} of 20" in said
    assert f"It is at {face}." in said
    expect(line).to_have_text("Bryn · Push")
    expect(how).to_have_text("Notation: 1d6 (Bryn: Push)")
    # Nobody pushes the wood, so it has no line; what is folded follows.
    assert split.locator(".dice-given").count() == 0
    assert f"Notation: {before} + 1d4 (breach)" in said
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
        expect(missed).to_be_hidden()
        assert f"leaves it at {before + 3}." in said
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
    expect(split.locator(".dice-result")).to_contain_text("11")
    expect(split.locator(".dice-notice")).to_contain_text("Your own story from here.")
    assert "Breach: 0 of 20 → 6 of 20" in words(page)
    assert "At the end it is at 11." in words(page)
    expect(line).to_have_count(0)
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
    assert not reader.console_errors


def seed_of(notation: str, *, holds: bool, besides: int) -> int:
    """Return a seed with which a check holds or does not, and is not on a number."""
    rolls = ((seed, dd.check(notation, seed=seed)) for seed in range(100))
    return next(seed for seed, one in rolls if one.fact("success") is holds and one.fact("left") != besides)


def open_roll(page: Page, name: str, seed: int) -> int:
    """Open a link to a roll, wait for it, and return what it comes to."""
    page.evaluate("(hash) => { location.hash = hash }", f"#{name}?seed={seed}")
    example = page.locator(f"#dice-{name}")
    expect(example.locator(".dice-notice")).to_contain_text(f"with the seed {seed}.")
    return int(example.locator(".dice-result").inner_text().split("vs")[0].split()[-1])


def test_a_text_has_the_numbers_of_the_reader_or_all_those_of_the_book(reader: Visit) -> None:
    page = reader.open("words.html")
    climb, follow, rest, between = (
        page.locator(one) for one in ("#dice-climb", "#dice-follow", "#dice-rest", "p:has-text('looks around')")
    )
    book, muted = climb.locator("p", has_text="she is up"), "rgb(0, 0, 0)"
    colour = "one => getComputedStyle(one).color"
    assert book.evaluate(colour) == between.evaluate(colour) == muted
    left = open_roll(page, "climb", seed_of("1d20 + 4 >= 15", holds=True, besides=16))
    expect(climb).to_contain_text(f"With {left} she is up.")
    expect(between).to_have_text(f"Up at {left}, she looks around.")
    expect(follow).to_contain_text(f"He needs 3 more than her {left}.")
    assert TOLD not in page.locator("body").inner_text()
    # What she failed at nobody is up for.
    open_roll(page, "climb", seed_of("1d20 + 4 >= 15", holds=False, besides=16))
    expect(climb).to_contain_text("With 16 she is up.")
    expect(between).to_have_text("Up at 16, she looks around.")
    assert climb.inner_text().count(TOLD) == 1
    assert book.evaluate(colour) != muted != between.evaluate(colour)
    # One number of the reader does not stand beside one of the book.
    total = dd.roll("1d6", seed=6).value
    assert total != 3
    page.evaluate("location.hash = '#follow?seed=6'")
    expect(follow.locator(".dice-result")).to_contain_text(f"{total}")
    expect(follow).to_contain_text("He needs 3 more than her 16.")
    expect(follow).to_contain_text(TOLD)
    climb.get_by_role("button", name="Back").click()
    expect(follow).to_contain_text(f"He needs {total} more than her 16.")
    expect(follow).not_to_contain_text(TOLD)
    # An author said that this text is about any roll.
    hours = open_roll(page, "rest", seed_of("1d6 >= 2", holds=True, besides=1))
    expect(rest).to_contain_text(f"They sleep for {hours} hours.")
    expect(rest).not_to_contain_text(TOLD)
    # A roll of the panel is told as any other.
    climb.get_by_role("button", name="Change it").click()
    panel = climb.locator(".dd-panel")
    for bonus, says in (("30", None), ("1", "With 16 she is up.")):
        panel.get_by_label("Check", exact=True).first.fill(f"{bonus} >= 15")
        panel.get_by_role("button", name="Roll", exact=True).click()
        expect(climb).to_contain_text(says or "With 30 she is up.")
        assert (TOLD in climb.inner_text()) == bool(says)
    climb.get_by_role("button", name="Close").click()
    expect(climb).not_to_contain_text(TOLD)
    assert not reader.console_errors


def test_in_a_scene_each_text_has_the_numbers_of_the_reader_or_those_of_the_book(reader: Visit) -> None:
    page = reader.open("words.html")
    quiet, bell, hears = (page.locator(f"#dice-{name}") for name in ("quiet", "bell", "hears"))
    printed = words(page)
    left = open_roll(page, "quiet", seed_of("1d20 >= 11", holds=True, besides=12))
    for box, says in ((quiet, f"With {left} it is."), (bell, "at 2."), (hears, f"It takes 3 men, and {left}.")):
        expect(box).to_contain_text(says)
        expect(box).not_to_contain_text(TOLD)
    open_roll(page, "quiet", seed_of("1d20 >= 11", holds=False, besides=12))
    # The noise is full now, which it never is in the book.
    for box, says in ((quiet, "With 12 it is."), (bell, "at 2."), (hears, "It takes 3 men, and 12.")):
        expect(box).to_contain_text(says)
        assert box.inner_text().count(TOLD) == 1
    # Only the text is the book's.
    expect(hears.locator(".dice-result")).to_contain_text("11")
    expect(bell.locator(".dice-changes")).to_contain_text("3 of 10 → 10 of 10")
    quiet.get_by_role("button", name="Back").click()
    assert words(page) == printed
    assert not reader.console_errors


def test_until_the_roll_of_a_link_is_there_no_other_one_is(reader: Visit) -> None:
    held: list[Route] = []
    reader.page.route("**/manifest.json*", lambda route: held.append(route))  # noqa: PLW0108  # as above
    page = reader.open("words.html#quiet?seed=7")
    quiet, climb = page.locator("#dice-quiet"), page.locator("#dice-climb")
    expect(quiet.locator(".dice-notice")).to_have_text("Loading… This takes a moment the first time.")
    while not held:
        page.wait_for_timeout(20)
    for shown in (".dice-result", ".dice-row svg", ".dice-changes"):
        expect(quiet.locator(shown).first).to_be_hidden()
    assert TOLD in quiet.inner_text()
    held[0].continue_()
    expect(quiet.locator(".dice-notice")).to_contain_text("with the seed 7.")
    outcome = dd.check("1d20 >= 11", seed=7)
    expect(quiet.locator(".dice-result")).to_contain_text(f"{outcome.fact('left')} vs 11")
    expect(quiet.locator(".dice-changes")).to_be_visible()
    # One that cannot be rolled leaves the book's.
    page.evaluate("location.hash = '#climb?sead=7'")
    expect(climb.locator(".dice-failed")).to_be_visible()
    expect(climb.locator(".dice-result")).to_contain_text("16 vs 15")
    assert TOLD not in climb.inner_text()


def test_from_a_file_a_line_says_what_follows_needs_a_server(context: BrowserContext, book: Path) -> None:
    page = context.new_page()
    page.goto((book / "index.html").as_uri())
    needs = "The story does not go on from your roll. For more, this page needs a web server."
    for name in ("split", "bar", "split"):
        example = page.locator(f"#dice-{name}")
        outcome = example.locator(".dice-outcome").element_handle()
        example.locator(".dice-press").click()
        # The roll of the deck is another outcome, even if its dice are the same.
        page.wait_for_function("(one) => !one.isConnected", arg=outcome)
        expect(example.locator(".dice-notice")).to_have_text(needs)
    page.close()
