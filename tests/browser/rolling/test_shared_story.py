"""The story of a reader on a page that rolls: its link tells it to the last word, and a reload keeps it."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from ..conftest import Visit
from .conftest import FIRST, text_without
from .python_here import PythonHere

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]
SCENE = """
The river
=========

.. dice:scene:: The river
   :tracks: current 0, shore 0 of 60, rope 0

.. dice:example:: How bad is it?
   :name: bad
   :mechanic: dice/roll
   :notation: 1d4 + 1
   :dice: 3
   :then: current = total
   :expect: total=4

   The current is :dice:fact:`total`: :dice:words:`total >= 4 | a bad night | a calm night`.

.. dice:example:: The knot
   :name: knot
   :mechanic: dice/check
   :check: 1d20 >= 12
   :dice: 14
   :then: rope += success
   :expect: success=true, rope=1

   :dice:words:`success | It holds. | It slips.`

.. dice:example:: The pull
   :name: pull
   :mechanic: dice/roll
   :notation: 2d6 + 9
   :dice: 1 1
   :if: rope = 1
   :then: shore += total
   :expect: total=11, shore=11

   They pull, to :dice:fact:`shore`.

.. dice:example:: The first stretch
   :name: stretch
   :mechanic: dice/roll
   :notation: 2d6 + 4 - current
   :dice: 3 5
   :then: shore += total
   :expect: total=8, shore=19

   With a current of :dice:fact:`current` they are :dice:fact:`total` further: :dice:track:`shore`.

.. dice:scene-sheet:: The night
"""
PAGES = {"index.rst": SCENE}
CHANGED = "The rules have changed since this link was made, so the story may be another one."


def told(page: Page) -> str:
    """Return the whole text of the page, dice included, without its buttons and panels."""
    return text_without(page, ".dice-play, .dice-press, .dice-panel, [hidden]")


def press(page: Page, name: str) -> None:
    """Roll a beat, and wait until Python has told what follows."""
    example = page.locator(f"#dice-{name}")
    expect(example.locator(".dice-play")).not_to_have_attribute("aria-busy", "true", timeout=FIRST)
    example.locator(".dice-press").click()
    expect(example.locator(".dice-play")).not_to_have_attribute("aria-busy", "true", timeout=FIRST)


def open_link(page: Page, hash: str, name: str) -> None:
    """Open a link to a story in a page, and wait until it is told."""
    page.goto(f"{page.url.partition('#')[0]}{hash}")
    wait_for_story(page, name)


def wait_for_story(page: Page, name: str) -> None:
    """Wait until a page tells a story, one of whose rolls is that of a beat."""
    expect(page.locator(f"#dice-{name} .dice-notice")).to_contain_text("Your own roll", timeout=FIRST)


def hash_of(page: Page) -> str:
    """Return the link that the address of a page holds."""
    found: str = page.evaluate("location.hash")
    return found


def test_a_link_tells_the_whole_story_and_a_reload_keeps_it(
    reader: Visit, browser: Browser, python_here: PythonHere
) -> None:
    page = reader.open("index.html")
    press(page, "bad")
    # Another current than the book's.
    for _press in range(50):
        if "The current is 4" not in told(page):
            break
        press(page, "bad")
    page.locator("#dice-knot").get_by_role("button", name="Change it").click()
    panel = page.locator("#dice-knot .dd-panel")
    panel.get_by_label("Check", exact=True).first.fill("1d20 >= 2")
    panel.locator(".dd-more > summary").click()
    panel.locator(".dd-hand > summary").click()
    panel.locator(".dd-hand input").fill("7")
    panel.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("#dice-pull .dice-notice")).to_contain_text("Your own story", timeout=FIRST)
    press(page, "stretch")
    story, link = told(page), hash_of(page)
    # The current follows from the first roll, so the link does not say it.
    names = "stretch", "bad", "knot"
    parts = dict(part.split("?") for part in link[1:].split(";")[:-1])
    assert tuple(parts) == names
    assert re.fullmatch(r"seed=\d+", parts["stretch"])
    assert parts["knot"] == "dice=7&check=1d20+%3E%3D+2"
    assert len(link) < 150
    with browser.new_context(service_workers="block") as context:
        python_here.play_in(context)
        friend = context.new_page()
        friend.goto(f"{reader.site}/index.html{link}")
        wait_for_story(friend, "stretch")
        assert told_without_panel(friend) == told_without_panel(page)
        assert CHANGED not in friend.locator("body").inner_text()
        # As a mail program may write it.
        friend.goto("about:blank")
        friend.goto(f"{reader.site}/index.html{link.replace('rules=', 'rules=0')}")
        wait_for_story(friend, "stretch")
        expect(friend.locator("#dice-stretch .dice-notice")).to_contain_text(CHANGED)
    page.reload()
    wait_for_story(page, "stretch")
    story = told(page)
    # Elsewhere on the page, and back from another page.
    page.evaluate("location.hash = '#the-river'")
    page.reload()
    wait_for_story(page, "stretch")
    assert told(page) == story
    page.go_back()
    page.goto(f"{reader.site}/search.html")
    page.go_back()
    wait_for_story(page, "stretch")
    assert told(page) == story
    page.locator("#dice-bad").get_by_role("button", name="Back").click()
    assert "The current is 4: a bad night." in told(page)
    assert hash_of(page) == "#dice-bad"
    assert not reader.console_errors


def told_without_panel(page: Page) -> str:
    """Return what a page says of its story, also where a panel shows the roll instead of the outcome."""
    return text_without(page, ".no-search, [hidden]")


def test_while_python_loads_each_press_is_shown_and_the_last_is_told(reader: Visit) -> None:
    page, held = reader.page, list[Route]()
    page.route("**/manifest.json*", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks it
    page = reader.open("index.html")
    bad, stretch = page.locator("#dice-bad"), page.locator("#dice-stretch")
    said = set()
    for _press in range(8):
        outcome = bad.locator(".dice-outcome").element_handle()
        bad.locator(".dice-press").click()
        page.wait_for_function("(one) => !one.isConnected", arg=outcome)
        said.add(bad.locator(".dice-result").inner_text())
    last = bad.locator(".dice-result").inner_text()
    # A beat behind it waits.
    stretch.locator(".dice-press").click()
    expect(stretch.locator(".dice-play")).to_have_attribute("aria-busy", "true")
    lines = bad.locator(".dice-notice, .dice-told").evaluate_all(
        """all => all.map((one) => one.getBoundingClientRect()).filter(({ height }) => height)
          .map(({ top, bottom }) => [top, bottom])"""
    )
    assert all(above[1] <= below[0] + 1 for above, below in pairwise(lines))
    page.wait_for_timeout(500)
    held[0].continue_()
    expect(stretch.locator(".dice-notice")).to_contain_text("Your own roll", timeout=FIRST)
    total = int(last.split()[-1])
    assert bad.locator(".dice-result").inner_text() == last
    assert f"The current is {total}: " in told(page)
    assert f"With a current of {total} they are" in told(page)
    assert len(said) > 1
    assert not reader.console_errors


def test_a_beat_that_does_not_happen_cannot_be_rolled(reader: Visit) -> None:
    page = reader.open("index.html")
    # An example with more than a seed opens in its panel.
    page.evaluate("location.hash = '#knot?dice=2'")
    pull = page.locator("#dice-pull .dice-press")
    expect(pull).to_be_disabled(timeout=FIRST)
    expect(pull).to_have_attribute("title", "This does not happen in your story.")
    page.evaluate("location.hash = '#knot?dice=19'")
    expect(pull).to_be_enabled()


def test_until_a_story_is_there_none_of_its_beats_is_the_books(reader: Visit) -> None:
    held = list[Route]()
    reader.page.route("**/manifest.json*", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks it
    page = reader.open("index.html#stretch?seed=5;bad?seed=3;rules=0")
    loading = "Loading… This takes a moment the first time."
    notice = page.locator("#dice-stretch .dice-notice")
    expect(notice).to_have_text(loading)
    while not held:
        page.wait_for_timeout(20)
    for name, shown in (("bad", False), ("knot", True), ("stretch", False)):
        expect(page.locator(f"#dice-{name} .dice-result").first).to_be_visible(visible=shown)
    said = notice.evaluate_handle(
        """(one) => { const said = [];
          new MutationObserver(() => said.push(one.textContent)).observe(one, { childList: true });
          return said }"""
    )
    held[0].continue_()
    wait_for_story(page, "stretch")
    for name in ("bad", "knot", "stretch"):
        expect(page.locator(f"#dice-{name} .dice-result").first).to_be_visible()
    # Python is there before the story is.
    assert "" not in said.json_value()


def test_a_story_from_disk_says_that_it_goes_on_only_from_a_server(browser: Browser, book: Path) -> None:
    page = browser.new_page()
    page.goto(f"{(book / 'index.html').as_uri()}#stretch?seed=5;bad?seed=3;rules=0")
    expect(page.locator("#dice-stretch .dice-notice")).to_contain_text("this page needs a web server")
    page.close()
