"""A book with games of somebody else rolls in Chromium, whatever its rules do and however slow the line is."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

import dicedocs as dd

from ..accessible import low_contrast
from ..conftest import Visit
from .conftest import FIRST, roll
from .python_here import PythonHere

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]


def test_the_games_of_others_roll_under_a_strict_policy_and_one_may_fail(pyodide_guest: Visit) -> None:
    page = pyodide_guest.open("index.html#house?seed=8")
    house, ember = page.locator("#dice-house"), page.locator("#dice-ember")
    expect(house.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
    # By hand: the house throws a d30, and one d10 of 8 or more is a hit; a 10 is thrown again.
    expect(house.locator(".dice-value").first).to_have_text(str(dd.roll("1d30", seed=8).value + 2))
    face = dd.roll("1d10", seed=8).value
    assert face < 10
    page.evaluate("location.hash = '#ember?seed=8'")
    expect(ember.get_by_role("button", name="Back")).to_be_visible()
    expect(ember.locator(".dice-value").first).to_have_text(str(int(face >= 8)))
    # A rule that ends its program only fails.
    for bonus, error in (("98", "SystemExit: 3"), ("97", "KeyboardInterrupt")):
        page.evaluate("bonus => { location.hash = `#house?bonus=${bonus}` }", bonus)
        expect(house.locator(".dice-failed")).to_have_text(f"the rule failed: {error}", timeout=15_000)
        roll(page, "house")
    assert not pyodide_guest.console_errors
    assert not pyodide_guest.external_requests


def change(page: Page, name: str, texts: dict[str, str]) -> Locator:
    """Open the panel of an example, write something into its boxes, and return it."""
    example = page.locator(f"#dice-{name}")
    example.get_by_role("button", name="Change it").click()
    panel = example.locator(".dd-panel")
    expect(panel).to_be_visible()
    for label, text in texts.items():
        panel.get_by_label(label, exact=True).first.fill(text)
    return panel


def press_roll(panel: Locator) -> None:
    panel.get_by_role("button", name="Roll", exact=True).click()


def test_an_example_that_never_ends_leaves_the_other_panels_as_they_are(patient_guest: Visit) -> None:
    page = patient_guest.open("index.html#house?bonus=0&seed=1")
    house = page.locator("#dice-house")
    expect(house.get_by_role("button", name="Close")).to_be_visible(timeout=FIRST)
    ember = change(page, "ember", {"Trait": "4"})
    for number in (1, 2):
        press_roll(ember)
        expect(ember.locator(".dd-past li")).to_have_count(number)
    before = ember.locator(".dd-past li").all_inner_texts()
    page.goto(page.url.replace("bonus=0", "bonus=99"))
    expect(house.locator(".dice-play")).to_have_attribute("aria-busy", "true")
    # What is pressed meanwhile waits, and does not put off the end of the other.
    page.clock.fast_forward(15_000)
    press_roll(ember)
    page.clock.fast_forward(5_000)
    expect(house.locator(".dice-failed")).to_have_text("It took more than 20 seconds and was stopped.")
    expect(ember.locator(".dd-past li")).to_have_count(3, timeout=FIRST)
    assert ember.locator(".dd-past li").all_inner_texts()[1:] == before
    expect(ember.get_by_label("Trait", exact=True).first).to_have_value("4")
    expect(ember).to_contain_text("4d10")
    assert not page.locator("#dice-ember .dice-failed").count()
    # The panel whose rule never ended is still there, and rolls what it can.
    panel = house.locator(".dd-panel")
    panel.get_by_label("Bonus", exact=True).first.fill("99")
    expect(house.locator(".dd-notice")).not_to_be_empty()
    page.clock.fast_forward(20_000)
    expect(house.locator(".dd-notice")).to_contain_text("It took more than 20 seconds", timeout=FIRST)
    panel.get_by_label("Bonus", exact=True).first.fill("1")
    press_roll(panel)
    expect(panel.locator(".dd-past li")).to_have_count(2, timeout=FIRST)
    house.get_by_role("button", name="Close").click()
    roll(page, "house")
    assert "It took" not in house.inner_text()


def test_a_panel_whose_module_never_comes_leaves_the_roll(patient_guest: Visit, python_here: PythonHere) -> None:
    python_here.play_in(patient_guest.page.context)
    held: list[Route] = []
    patient_guest.page.route("**/texts.mjs", lambda route: held.append(route))  # noqa: PLW0108  # as above
    page = patient_guest.open("index.html")
    roll(page, "house")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Change it").click()
    while not held:
        page.wait_for_timeout(20)
    page.clock.fast_forward(60_000)
    expect(example.locator(".dice-failed")).to_have_text("It took more than 60 seconds and was stopped.")
    example.get_by_role("button", name="Roll").first.click()
    expect(example.locator(".dice-notice")).to_contain_text("Your own roll")


def test_two_tabs_roll_by_themselves(guest: Visit) -> None:
    one = guest.open("index.html")
    roll(one, "house")
    # Only what is in front is pressed: browsers slow down what is behind.
    other = guest.page.context.new_page()
    other.goto(one.url)
    roll(other, "house")
    assert other.locator(".dice-status").inner_text().startswith("Roll 1. ")
    other.locator("#dice-house").get_by_role("button", name="Back").click()
    expect(one.locator("#dice-house").get_by_role("button", name="Back")).to_be_visible()
    assert not guest.console_errors


def test_whoever_closes_a_panel_is_back_at_the_book(guest: Visit) -> None:
    page = guest.open("index.html")
    example = page.locator("#dice-house")
    outcome, panel = example.locator(".dice-outcome"), example.locator(".dd-panel")
    printed = outcome.evaluate("one => one.outerHTML")
    change, close = (example.get_by_role("button", name=name) for name in ("Change it", "Close"))
    by_key = panel.get_by_label("Bonus", exact=True)
    for leave in (close.click, lambda: by_key.press("Escape")):
        expect(change).to_have_attribute("aria-expanded", "false")
        change.click()
        panel.get_by_role("button", name="Roll", exact=True).click()
        expect(outcome).to_be_hidden()
        expect(close).to_have_attribute("aria-expanded", "true")
        # The address of the roll, of which nothing must be left.
        link = example.get_by_role("button", name="Copy the link")
        link.click()
        assert "?seed=" in page.url
        leave()
        expect(panel).to_have_count(0)
        expect(change).to_be_focused()
        assert outcome.evaluate("one => one.outerHTML") == printed
        expect(example.get_by_role("button", name="Back")).to_have_count(0)
        link.click()
        assert page.url.endswith(f"#{example.get_attribute('id')}")


def test_the_history_of_a_panel_outlasts_its_page_until_the_tab_is_closed(guest: Visit) -> None:
    page = guest.open("index.html")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Change it").click()
    panel = example.locator(".dd-panel")
    roll_it = panel.get_by_role("button", name="Roll", exact=True)
    for count in (1, 2):
        roll_it.click()
        expect(panel.locator(".dd-past li")).to_have_count(count)
    last = panel.locator(".dd-past li").all_inner_texts()
    page.reload()
    example.get_by_role("button", name="Change it").click()
    expect(panel.locator(".dd-past li")).to_have_count(2)
    assert panel.locator(".dd-past li").all_inner_texts() == last
    # Another example has a history of its own.
    other = page.locator("#dice-ember")
    other.get_by_role("button", name="Change it").click()
    expect(other.locator(".dd-panel")).to_be_visible()
    expect(other.locator(".dd-past li")).to_have_count(0)
    assert not guest.console_errors


def test_a_link_to_an_open_panel_shows_its_roll_there(guest: Visit) -> None:
    page = guest.open("index.html")
    panel = change(page, "house", {"Bonus": "9"})
    press_roll(panel)
    expect(panel.locator(".dd-past li")).to_have_count(1)
    page.goto(f"{page.url}#house?seed=8")
    panel = page.locator("#dice-house .dd-panel")
    expect(panel.locator(".dd-past li")).to_have_count(2)
    # The book's 2, and the face by hand.
    expect(panel.locator(".dd-latest")).to_contain_text(f"Total {dd.roll('1d30', seed=8).value + 2} ")
    expect(panel.get_by_label("Bonus", exact=True).first).to_have_value("2")


def test_a_roll_in_a_sentence_is_the_reader_s_and_nothing_says_otherwise(guest: Visit) -> None:
    page = guest.open("index.html")
    sentence = page.locator("p [data-dice-roll]")
    printed = sentence.inner_text()
    sentence.get_by_role("button", name="Roll").click()
    expect(sentence.get_by_role("button", name="Back")).to_be_visible()
    assert re.fullmatch(r"(\d+) \(2d6: \d, \d\)\S*", "".join(sentence.inner_text().split("\n")))
    assert "the book's roll" not in page.locator("body").inner_text()
    sentence.get_by_role("button", name="Back").click()
    assert sentence.inner_text() == printed


def test_a_page_without_its_runtime_says_so(pyodide_guest: Visit) -> None:
    page = pyodide_guest.open("index.html")
    example = page.locator("#dice-house")
    printed = example.locator(".dice-outcome").inner_text()
    for file in ("pyodide.mjs", "pyodide.asm.wasm", "core.zip?*", "manifest.json?*"):
        for lose in (lambda route: route.abort(), lambda route: route.fulfill(status=404, body="gone")):
            page.route(f"**/{file}", lose)
            page.reload()
            example.get_by_role("button", name="Roll").click()
            failed = example.locator(".dice-failed")
            expect(failed, file).to_contain_text("It cannot be rolled here", timeout=FIRST)
            assert example.locator(".dice-outcome").inner_text() == printed, file
            page.unroute(f"**/{file}")


def test_a_slow_page_says_how_much_is_loaded_and_stays_readable(pyodide_guest: Visit) -> None:
    pyodide_guest.page.set_viewport_size({"width": 390, "height": 900})
    page = pyodide_guest.open("index.html")
    line = page.context.new_cdp_session(page)
    line.send("Network.setCacheDisabled", {"cacheDisabled": True})
    # 20 MB a second with 100 ms to the server: Python takes nearly a second to arrive.
    conditions = {"offline": False, "latency": 100, "downloadThroughput": 20_000_000, "uploadThroughput": 1_000_000}
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", conditions)
    held: list[Route] = []
    page.route("**/python_stdlib.zip", lambda route: held.append(route))  # noqa: PLW0108  # Playwright wants a function
    example = page.locator("#dice-house")
    printed = example.locator(".dice-outcome").inner_text()
    at = example.get_by_role("button", name="Roll").bounding_box()["y"]
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-notice")).to_have_text(re.compile(r"Loading Python: \d+\.\d of 1\d\.\d MB"))
    # It is spoken too, though not at each step.
    expect(page.locator(".dice-status")).to_have_text(re.compile("^Loading…"))
    expect(example.locator(".dice-play")).to_have_attribute("aria-busy", "true")
    assert example.locator(".dice-outcome").inner_text() == printed
    while not held:
        page.wait_for_timeout(20)
    # What was pressed stays under the pointer, though there is a line more below it, and then more buttons.
    pressed = example.locator(".dice-press")
    assert pressed.bounding_box()["y"] == at
    held[0].continue_()
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
    assert pressed.bounding_box()["y"] == at


def test_the_panel_is_as_light_as_its_page(guest: Visit) -> None:
    guest.page.emulate_media(color_scheme="dark")
    page = guest.open("index.html")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Change it").click()
    panel = example.locator(".dd-panel")
    expect(panel).to_be_visible()
    assert panel.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"
    assert low_contrast(page) == []


def test_before_the_first_press_a_page_loads_little_moves_nothing_and_prints_no_buttons(guest: Visit) -> None:
    sizes: list[int] = []
    guest.page.on(
        "response", lambda one: sizes.append(len(one.body())) if "/dicedocs/" in one.url and "js" in one.url else None
    )
    page = guest.open("index.html")
    expect(page.locator(".dice-press").first).to_be_visible()
    observe = """() => new Promise((done) => new PerformanceObserver((list) =>
      done(list.getEntries().map((one) => one.value))).observe({ type: "layout-shift", buffered: true })
      || setTimeout(done, 300, []))"""
    assert page.evaluate(observe) == []
    page.wait_for_load_state("networkidle")
    assert 0 < sum(sizes) <= 21_000
    page.emulate_media(media="print")
    expect(page.locator(".dice-press").first).to_be_hidden()


PRINTED = """() => addEventListener("beforeprint", () => {
  window.printed = ["#dice-house", "p [data-dice-roll]"]
    .map((one) => document.querySelector(one).innerText).join("\\n");
})"""


def test_on_paper_there_is_the_roll_of_the_book(guest: Visit) -> None:
    page = guest.open("index.html#house?seed=8")
    example, sentence = page.locator("#dice-house"), page.locator("p [data-dice-roll]")
    expect(example.get_by_role("button", name="Back")).to_be_visible()
    face = dd.roll("1d30", seed=8).value
    sentence.get_by_role("button", name="Roll").click()
    expect(sentence.get_by_role("button", name="Back")).to_be_visible()
    assert_the_roll_of_the_book_is_printed(page, face)
    example.get_by_role("button", name="Change it").click()
    expect(example.locator(".dd-odds")).to_contain_text("3.3%")
    assert_the_roll_of_the_book_is_printed(page, face)


def assert_the_roll_of_the_book_is_printed(page: Page, face: int) -> None:
    """Print a page on which the reader's die has shown a face."""
    shown = page.locator("body").inner_text()
    page.evaluate(PRINTED)
    page.emulate_media(media="print")
    page.pdf()
    page.emulate_media(media="screen")
    printed = page.evaluate("window.printed")
    # The book throws a 5 and adds 2.
    assert re.search(r"Total:?\s7\b", printed), printed
    assert not re.search(rf"Total:?\s{face + 2}\b", printed)
    assert "\n7 (2d6: 3, 4)" in printed
    # And afterwards the reader's rolls are there again.
    assert page.locator("body").inner_text() == shown


def test_a_page_from_a_file_stays_as_it_is(guest: Visit, house_folder: Path) -> None:
    guest.page.goto((house_folder / "index.html").as_uri())
    guest.page.wait_for_load_state("networkidle")
    assert guest.page.locator(".dice-play").count() == 0
    printed = guest.page.locator("#dice-house .dice-outcome")
    # No room is kept for buttons.
    assert printed.evaluate("one => getComputedStyle(one).marginBlockEnd") == "0px"


def test_over_plain_http_from_another_machine_it_rolls_and_is_not_kept(browser: Browser, house: str) -> None:
    context = browser.new_context()
    visit = Visit(context.new_page(), house.replace("127.0.0.1", "book.test"))
    visit.page.clock.install()
    page = visit.open("index.html")
    assert not page.evaluate("isSecureContext || 'serviceWorker' in navigator")
    roll(page, "house")
    page.clock.fast_forward(60_000)
    assert not visit.console_errors
    context.close()
