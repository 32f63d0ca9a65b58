"""The deck of a page: a press is answered at once, from a file too, until Python takes over or the deck is through."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

import dicedocs as dd

from ..conftest import Visit
from .conftest import roll

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]
CHAPTER = "rulebook/methuen.html"
NAME = "renna-power-shot"
SHOT = f"#dice-{NAME}"
SEED = re.compile(r"with the seed ([\w -]+)\.")


PRESS = """async ([shot, times]) => {
  const example = document.querySelector(shot), notice = example.querySelector(".dice-notice"), rolled = [];
  while (rolled.length < times) {
    const before = notice.textContent;
    example.querySelector(".dice-press").click();
    while (notice.textContent === before) await new Promise((next) => setTimeout(next, 5));
    rolled.push([notice.textContent, example.querySelector(".dice-result").innerText]);
  }
  return rolled;
}"""


def shot(seed: int | str) -> int:
    """Return the total of the shot with a seed, played here."""
    total: int = dd.play("methuen/expression", expression="3d6", seed=seed).fact("total")
    return total


def press(page: Page) -> str:
    """Press the die of the shot, and return what its example says about the roll."""
    roll(page, NAME)
    return page.locator(SHOT).locator(".dice-notice").inner_text()


def test_a_page_from_a_file_shows_each_roll_of_its_deck_once(context: BrowserContext, built_site: Path) -> None:
    page = context.new_page()
    page.goto((built_site / CHAPTER).as_uri())
    assert page.get_by_role("button", name="Change it").count() == 0
    rolled = {SEED.findall(notice)[0]: result.split() for notice, result in page.evaluate(PRESS, [SHOT, 20])}
    assert len(rolled) == 20
    assert rolled == {seed: ["Total", f"{shot(seed)}"] for seed in rolled}
    why = "These were all 20 rolls that come with this page. For more, this page needs a web server."
    button = page.locator(SHOT).locator(".dice-press")
    expect(button).to_be_disabled()
    expect(button).to_have_attribute("title", why)
    expect(page.locator(SHOT).locator(".dice-notice")).to_have_text(re.compile(f"{re.escape(why)}$"))
    page.locator(SHOT).get_by_role("button", name="Back").click()
    assert page.locator(SHOT).locator(".dice-result").inner_text().split() == ["Total", "11"]
    page.close()


def test_a_link_to_a_roll_of_the_deck_opens_from_a_file(context: BrowserContext, built_site: Path) -> None:
    page = context.new_page()
    page.goto(f"{(built_site / CHAPTER).as_uri()}#renna-power-shot?seed=renna-power-shot+7")
    expect(page.locator(SHOT).locator(".dice-notice")).to_contain_text("with the seed renna-power-shot 7")
    page.close()


def test_a_sentence_that_falls_as_in_the_book_was_rolled_all_the_same(visit: Visit) -> None:
    path = "reference/directives.html"
    sentence = visit.open(path).locator("[data-dice-roll]").first
    printed = sentence.locator("span").inner_text()
    deck = {"roll 0": [{"text": printed, "sentence": printed, "link": "", "seed": "1", "html": ""}]}
    visit.page.route("**/decks/*", lambda route: route.fulfill(body=f"globalThis.dicedocsDeck = {json.dumps(deck)}"))
    visit.open(path)
    back = sentence.get_by_role("button", name="Back")
    expect(back).to_be_hidden()
    sentence.get_by_role("button", name="Roll").click()
    expect(back).to_be_visible()
    expect(sentence.locator("span")).to_have_text(printed)
    back.click()
    expect(back).to_be_hidden()


def test_python_takes_over_when_it_is_there(visit: Visit) -> None:
    page = visit.open(CHAPTER)
    held: list[Route] = []
    page.route("**/manifest.json*", lambda route: held.append(route))  # noqa: PLW0108  # Playwright wants a function
    assert SEED.findall(press(page))[0].startswith("renna-power-shot ")
    while not held:
        page.wait_for_timeout(20)
    # The deck answers while Python is on its way.
    assert SEED.findall(press(page))[0].startswith("renna-power-shot ")
    held[0].continue_()
    notice = page.locator(SHOT).locator(".dice-notice")
    for _attempt in range(100):
        if re.search(r"with the seed \d+\.", press(page)):
            break
        page.wait_for_timeout(20)
    [seed] = SEED.findall(notice.inner_text())
    assert page.locator(SHOT).locator(".dice-result").inner_text().split() == ["Total", f"{shot(int(seed))}"]


def test_a_page_from_before_a_deploy_finds_no_deck(visit: Visit) -> None:
    visit.page.route("**/decks/*", lambda route: route.fulfill(status=404))
    page = visit.open(CHAPTER)
    # Python answers instead.
    assert re.search(r"with the seed \d+\.", press(page))
