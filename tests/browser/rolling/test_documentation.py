"""The pages of the documentation roll in Chromium: the same core in the page as here, and nothing from elsewhere."""

import json
import re
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import BrowserContext, expect

import dicedocs as dd
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.panel.forms.seed_choice import read_seed
from dicedocs.render.page_example import PageExample
from dicedocs.rules.example import Example
from dicedocs.rules.registry import announce_book

from ...loaded_games import game_of_guide
from ..accessible import accessibility_issues
from ..conftest import ROOT, Visit
from ..loopback import Loopback
from .conftest import roll

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]


CHAPTERS = ("methuen", "total-effect", "mecha-vs-kaiju", "dungeoneers", "mage-in-the-metal")
PAGES = (*[f"rulebook/{chapter}" for chapter in CHAPTERS], "guide/rounds")
SOME = 4
"""How many examples of each page are rolled where not all of them are."""
PRESS_ALL = """async () => {
  const rolled = [];
  for (const printed of document.querySelectorAll("[data-dice]")) {
    const { example, odds, asks } = JSON.parse(printed.dataset.dice);
    if (odds || asks) continue; // a reader who is asked goes on by their answers
    const within = printed.parentElement, roll = within.querySelector(".dice-press");
    const notice = within.querySelector(".dice-notice");
    roll.click();
    const done = () => within.querySelector(".dice-play").ariaBusy === "false";
    while (!done()) await new Promise((next) => setTimeout(next, 5));
    const outcome = within.querySelector(".dice-outcome");
    rolled.push([example, notice.textContent, outcome.textContent]);
    // In a scene those after it have followed.
    [...within.querySelectorAll("button")].find((one) => one.textContent === "Back to the book's roll").click();
  }
  return rolled;
}"""
OPEN_ALL = """async () => {
  const failed = [];
  for (const play of document.querySelectorAll(".dice-play")) {
    const press = (label) => [...play.querySelectorAll("button")].find((one) => one.textContent === label).click();
    const panel = () => play.parentElement.querySelector(".dd-panel");
    press("Change it");
    const done = () => play.ariaBusy === "false" && (panel() || play.querySelector(".dice-failed"));
    while (!done()) await new Promise((next) => setTimeout(next, 5));
    if (!panel()) failed.push(play.textContent);
    press("Close");
  }
  return failed;
}"""
ASK_ALL = """async (asked) => {
  const { python } = await import("/_static/dicedocs/python.mjs");
  const book = JSON.parse(document.querySelector("script[data-dicedocs]").dataset.dicedocs);
  const worker = python(new URL("/_static/dicedocs/worker.mjs", location.href), book);
  const answers = [];
  for (const each of asked) answers.push(await worker.ask({ do: "roll", ...each }).catch(({ message }) => message));
  return answers;
}"""
TEXT = "html => Object.assign(document.createElement('div'), { innerHTML: html }).textContent"


def test_there_is_nothing_but_loopback(site: str, loopback: Loopback | None) -> None:
    if loopback is None:
        pytest.skip("no network namespace can be made here")
    devices = subprocess.run([*loopback.enter, "cat", "/proc/self/net/dev"], capture_output=True, text=True, check=True)
    assert re.findall(r"^ *(\w+):", devices.stdout, re.MULTILINE) == ["lo"]
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", int(site.rpartition(":")[2])))


@pytest.fixture
def rules(built_site: Path) -> Iterator[None]:
    """Let this Python play what the documentation plays: the game of a guide, and what stands in its pages."""
    listed = json.loads((built_site / "_static" / "dicedocs" / "manifest.json").read_text("utf-8"))
    with game_of_guide("rounds"):
        announce_book(book_mechanics(map(PageRule.from_plain, listed["player"]["mechanics"])))
        yield
        announce_book({})


def played(data: dict[str, Any], seed: int) -> str:
    """Return the roll of an example with a seed as HTML, played here."""
    example = PageExample.from_data(data)
    outcome = dd.play(example.mechanic, seed=seed, **example.parameters)
    return example.html(outcome, Example(example.mechanic, example.parameters, seed).code())


@pytest.mark.usefixtures("rules")
def test_pyodide_rolls_as_cpython_does(pyodide: BrowserContext, built_site: Path, site: str) -> None:
    visit = Visit(pyodide.new_page(), site)
    golden = json.loads((ROOT / "tests" / "core" / "golden_streams.json").read_text("utf-8"))
    streams = {str(one["seed"]): one for one in golden["streams"] if read_seed(str(one["seed"])) == one["seed"]}
    assert {"0", "-3", "theron", "北の竜", "🎲🎲"} <= streams.keys()
    notation = " + ".join(f"1d{sides}" for sides in golden["sides"][:100])
    example = PageExample("dice/roll", {"notation": notation}, facts=("total",), call=False).data()
    dice = [{"key": "golden", "example": example, "link": urlencode({"seed": seed})} for seed in streams]
    examples = [each for path in (*PAGES, "guide/tables") for each in told_of(built_site, path)[:SOME]]
    assert len(examples) == SOME * len(PAGES) + 2
    rolls = [{**each, "link": f"seed={seed}"} for seed, each in enumerate(examples)]
    answers = visit.open("index.html").evaluate(ASK_ALL, [*dice, *rolls])
    totals = [f"Roll {n}. Total {sum(one['faces'][:100])}." for n, one in enumerate(streams.values(), 1)]
    assert [answer["sentence"] for answer in answers[: len(dice)]] == totals
    found = {each["key"]: answer["html"] for each, answer in zip(rolls, answers[len(dice) :], strict=True)}
    assert found == {each["key"]: played(each["example"], seed) for seed, each in enumerate(examples)}
    assert not visit.console_errors
    assert not visit.external_requests
    visit.page.close()


def told_of(site: Path, path: str) -> list[dict[str, Any]]:
    """Return the examples of a page that throw dice, as it tells them to Python."""
    page = BeautifulSoup((site / f"{path}.html").read_text("utf-8"), "html.parser")
    told = [json.loads(str(element["data-dice"])) for element in page.select("[data-dice]")]
    # What asks its reader goes on by their answers.
    rolled = [each for each in told if each["chance"] and not each["odds"] and not each.get("asks")]
    return [{"key": f"{path} {each['name']}", "example": each["example"]} for each in rolled]


@pytest.mark.thorough
@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize("path", PAGES)
def test_every_example_rolls_as_in_cpython_and_opens_its_panel(pyodide: BrowserContext, site: str, path: str) -> None:
    visit = Visit(pyodide.new_page(), site)
    # Without its deck, so that Python rolls each of them.
    visit.page.route("**/decks/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page = visit.open(f"{path}.html")
    expect(page.locator(".dice-press:not([hidden])").first).to_be_visible()
    rolled = page.evaluate(PRESS_ALL)
    assert len(rolled) > 4
    for data, notice, text in rolled:
        assert notice.startswith("Your own roll, with the seed "), (data["title"], notice)
        seed = int(notice.split("seed ")[1].split(".")[0])
        assert text == page.evaluate(TEXT, played(data, seed)), (data["title"], seed)
    assert page.evaluate(OPEN_ALL) == []
    assert not visit.console_errors
    assert not visit.external_requests
    page.close()


def test_the_front_page_rolls_and_goes_back(visit: Visit) -> None:
    page = visit.open("index.html")
    example = page.locator("#dice-landing")
    outcome = example.locator(".dice-outcome")
    printed = outcome.evaluate("one => one.outerHTML")
    example.get_by_role("button", name="Roll Renna's Power Shot").focus()
    page.keyboard.press("Enter")
    expect(example.get_by_role("button", name="Back")).to_be_visible()
    assert page.locator(".dice-status").inner_text().startswith("Roll 1. ")
    assert outcome.evaluate("one => one.outerHTML") != printed
    [total] = re.findall(r"Total\s+(\d+)", outcome.inner_text())
    assert f"The shot deals {total} damage." in example.inner_text()
    example.get_by_role("button", name="Back").click()
    assert outcome.evaluate("one => one.outerHTML") == printed
    expect(example.get_by_role("button", name="Roll Renna's Power Shot")).to_be_focused()
    # What was unfolded stays unfolded.
    example.locator("summary").click()
    roll(page, "landing")
    expect(example.locator(".dice-working")).to_be_visible()
    assert not visit.console_errors


def test_change_it_opens_a_small_panel_and_more_its_odds(visit: Visit) -> None:
    page = visit.open("rulebook/total-effect.html")
    example = page.locator(".dice-example").first
    example.get_by_role("button", name="Change it").click()
    panel = example.locator(".dd-panel")
    expect(panel).to_be_visible()
    # Until it has a roll of its own, that of the book stays.
    expect(example.locator(".dice-outcome")).to_be_visible()
    assert panel.bounding_box()["height"] < 250
    panel.get_by_text("More", exact=True).click()
    expect(panel.locator(".dd-odds, svg").first).to_be_visible()
    # The address of each module has a version, so that no browser mixes old ones with new ones.
    loaded = page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.name)")
    modules = [one for one in loaded if one.endswith(".mjs") and "/panel" in one]
    assert modules
    assert all(re.search(r"/panel-[0-9a-f]{8}/", one) for one in modules)
    panel.get_by_role("button", name="Roll", exact=True).click()
    expect(panel.locator(".dd-past li")).to_have_count(1)
    expect(example.locator(".dice-outcome")).to_be_hidden()
    roll(page, "pin-down")
    assert accessibility_issues(page) == []
    assert not visit.console_errors


def test_change_it_lets_choose_among_the_characters_of_the_book(visit: Visit) -> None:
    page = visit.open("rulebook/methuen.html")
    # Kira attacks with a sword.
    example = page.locator("""[id^=dice-]:has([data-dice*='"actor":[["Kira'])""").first
    example.get_by_role("button", name="Change it").click()
    choice = example.get_by_role("combobox", name="Actor: character")
    expect(choice).to_be_visible()
    expect(choice.locator(":checked")).to_contain_text("Kira the Fighter")
    names = choice.locator("option").all_inner_texts()
    assert all(any(name in one for one in names) for name in ("Kira", "Magnus", "Theron", "Sera"))
    assert not any("Freya" in one for one in names)
    choice.select_option(index=next(index for index, one in enumerate(names) if "Magnus" in one))
    panel = example.locator(".dd-panel")
    panel.get_by_role("button", name="Roll", exact=True).click()
    expect(panel.locator(".dd-past li")).to_have_count(1)
    expect(choice.locator(":checked")).to_contain_text("Magnus")
    assert not visit.console_errors


def test_odds_have_a_panel_too(visit: Visit) -> None:
    page = visit.open("index.html")
    figure = page.locator("figure:has([data-dice])").first
    figure.get_by_role("button", name="Change it").click()
    expect(figure.locator(".dd-panel .dd-odds")).to_be_visible()
    figure.get_by_role("button", name="Close").click()
    expect(figure.locator(".dd-panel")).to_have_count(0)
    expect(figure.locator(".dice-odds")).to_be_visible()


def test_a_roll_in_a_sentence(visit: Visit) -> None:
    page = visit.open("reference/directives.html")
    sentence = page.locator("[data-dice-roll]").first
    printed = sentence.locator("span").inner_text()
    assert printed.startswith("9 (3d6: ")
    paragraph = page.locator("p", has=sentence)
    whole = paragraph.inner_text()
    sentence.get_by_role("button", name="Roll").click()
    back = sentence.get_by_role("button", name="Back")
    expect(back).to_be_visible()
    faces = re.fullmatch(r"(\d+) \(3d6: (\d), (\d), (\d)\)", sentence.locator("span").inner_text())
    assert faces
    total, *dice = map(int, faces.groups())
    assert total == sum(dice)
    assert printed not in paragraph.inner_text()
    back.click()
    assert paragraph.inner_text() == whole


def test_a_link_opens_a_page_with_its_roll(visit: Visit) -> None:
    page = visit.page
    example = page.locator("#dice-landing")
    for link, seed in {"seed=7": 7, "seed=theron%202": "theron 2"}.items():
        page.goto("about:blank")
        visit.open(f"index.html#landing?{link}")
        expect(example.get_by_role("button", name="Back")).to_be_visible()
        total = dd.play("methuen/expression", expression="3d6 + [Aim]", actor="Aim=2", seed=seed).fact("total")
        expect(example.locator(".dice-value")).to_have_text(str(total))
        assert f"the seed {seed}." in example.inner_text()
    assert not visit.console_errors


def test_a_link_with_another_value_opens_the_panel(visit: Visit) -> None:
    page = visit.open("index.html#landing?seed=7&expression=5d6")
    panel = page.locator("#dice-landing .dd-panel")
    expect(panel).to_be_visible()
    total = dd.play("methuen/expression", expression="5d6", seed=7).fact("total")
    expect(panel.locator(".dd-latest")).to_contain_text(f"Total {total} ")
    page.locator("#dice-landing").get_by_role("button", name="Copy the link").click()
    assert page.url.endswith("#landing?seed=7&expression=5d6")


HOSTILE = {
    "%ff=%00&&&": "not",
    "expression=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E": "<img",
    "no=1": "'no'",
    "seed=" + "9" * 200: "SEED",
    "expression=99999d6": "DICE",
}
"""Links, and what is in the error of each and in none before it."""


def test_a_hostile_link_is_text(visit: Visit) -> None:
    page = visit.open("index.html")
    example = page.locator("#dice-landing")
    failed = example.locator(".dice-failed")
    for link, message in HOSTILE.items():
        page.goto(f"{visit.site}/index.html#landing?{link}")
        expect(failed).to_contain_text(message)
        assert example.locator("img").count() == 0
        assert "13" in example.locator(".dice-result").inner_text()
