"""Pages that roll, in Chromium: the same core in the page as here, and nothing from elsewhere."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect, sync_playwright

import dicedocs as dd
from dicedocs.panel.seeds import read_seed
from dicedocs.render.page_example import PageExample
from dicedocs.rules.example import Example

from .accessible import accessibility_issues, low_contrast
from .conftest import FLAGS, ROOT, Quiet, Visit, served
from .loopback import Loopback, NoNamespaceError, loopback_only

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]

CHAPTERS = ("methuen", "total-effect", "mecha-vs-kaiju", "dungeoneers", "mage-in-the-metal")
ELSEWHERE = "--host-resolver-rules=MAP book.test 127.0.0.1"
"""What makes this machine another one for the browser, over plain http."""
FIRST = 60_000
"""Milliseconds within which Python answers for the first time."""
PRESS_ALL = """async () => {
  const rolled = [];
  for (const printed of document.querySelectorAll("[data-dice]")) {
    const { example, odds } = JSON.parse(printed.dataset.dice);
    if (odds) continue;
    const within = printed.parentElement, [roll] = within.querySelectorAll(".dice-play button");
    const notice = within.querySelector(".dice-notice");
    roll.click();
    const done = () => within.querySelector(".dice-play").ariaBusy === "false";
    while (!done()) await new Promise((next) => setTimeout(next, 5));
    const outcome = within.querySelector(".dice-outcome");
    rolled.push([example, notice.textContent, outcome.textContent]);
  }
  return rolled;
}"""
OPEN_ALL = """async () => {
  const failed = [];
  for (const play of document.querySelectorAll(".dice-play")) {
    const press = (label) => [...play.querySelectorAll("button")].find((one) => label.test(one.textContent)).click();
    const panel = () => play.parentElement.querySelector(".dd-panel");
    press(/^Change it/);
    const done = () => play.ariaBusy === "false" && (panel() || play.querySelector(".dice-failed"));
    while (!done()) await new Promise((next) => setTimeout(next, 5));
    if (!panel()) failed.push(play.textContent);
    press(/^(Back|Close)/);
  }
  return failed;
}"""
ASK_ALL = """async ([example, links]) => {
  const { python } = await import("/_static/dicedocs/python.mjs");
  const book = JSON.parse(document.querySelector("script[data-dicedocs]").dataset.dicedocs);
  const worker = python(new URL("/_static/dicedocs/worker.mjs", location.href), book);
  const answers = [];
  for (const link of links) answers.push((await worker.ask({ do: "roll", key: "golden", example, link })).sentence);
  return answers;
}"""
TEXT = "html => Object.assign(document.createElement('div'), { innerHTML: html }).textContent"


@pytest.fixture(scope="module")
def loopback() -> Iterator[Loopback | None]:
    """Return a network namespace with only loopback for the servers and the browser of these tests.

    Where none can be made, only the requests of pages are watched; in CI the tests fail.
    """
    with ExitStack() as stack:
        try:
            namespace = stack.enter_context(loopback_only())
        except NoNamespaceError as error:
            if os.environ.get("CI"):
                pytest.fail(f"there is no network namespace, and in CI pages must roll in one: {error}")
            namespace = None
        yield namespace


@pytest.fixture(scope="module")
def browser(chromium: str, loopback: Loopback | None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Run the browser of this module, in the namespace."""
    program = loopback.wrapped(chromium, tmp_path_factory.mktemp("browser")) if loopback else chromium
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*FLAGS, ELSEWHERE])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(built_site: Path, loopback: Loopback | None) -> Iterator[str]:
    """Return the address of the documentation in the namespace."""
    with served(built_site, listening=loopback and loopback.listen()) as address:
        yield address


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """Return a page that can be opened in the documentation, and that is not kept."""
    context = browser.new_context(service_workers="block")
    yield Visit(context.new_page(), site)
    context.close()


def test_there_is_nothing_but_loopback(site: str, loopback: Loopback | None) -> None:
    if loopback is None:
        pytest.skip("no network namespace can be made here")
    devices = subprocess.run([*loopback.enter, "cat", "/proc/self/net/dev"], capture_output=True, text=True, check=True)
    assert re.findall(r"^ *(\w+):", devices.stdout, re.MULTILINE) == ["lo"]
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", int(site.rpartition(":")[2])))


def roll(page: Page, name: str) -> None:
    """Press an example's button, and wait for the roll."""
    example = page.locator(f"#dice-{name}")
    example.get_by_role("button", name="Roll").first.click()
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_example_rolls_as_in_cpython_and_opens_its_panel(visit: Visit, chapter: str) -> None:
    page = visit.open(f"rulebook/{chapter}.html")
    expect(page.locator(".dice-start").first).to_be_visible()
    rolled = page.evaluate(PRESS_ALL)
    assert len(rolled) > 10
    for data, notice, text in rolled:
        example = PageExample.from_data(data)
        assert notice.startswith("Your roll, with the seed "), (example.title, notice)
        seed = int(notice.split("seed ")[1].split(".")[0])
        outcome = dd.play(example.mechanic, seed=seed, **example.parameters)
        call = Example(example.mechanic, example.parameters, seed).code()
        assert text == page.evaluate(TEXT, example.html(outcome, call)), (example.title, seed)
    assert page.evaluate(OPEN_ALL) == []
    assert not visit.console_errors
    assert not visit.external_requests


def test_the_golden_streams_are_those_of_the_page(visit: Visit) -> None:
    golden = json.loads((ROOT / "tests" / "core" / "golden_streams.json").read_text("utf-8"))
    streams = {str(one["seed"]): one for one in golden["streams"] if read_seed(str(one["seed"])) == one["seed"]}
    assert {"0", "-3", "theron", "北の竜", "🎲🎲"} <= streams.keys()
    notation = " + ".join(f"1d{sides}" for sides in golden["sides"][:100])
    example = PageExample("dice/roll", {"notation": notation}, facts=("total",), call=False).data()
    page = visit.open("index.html")
    totals = page.evaluate(ASK_ALL, [example, [urlencode({"seed": seed}) for seed in streams]])
    assert totals == [f"Roll {n}. Total {sum(one['faces'][:100])}." for n, one in enumerate(streams.values(), 1)]


def test_the_front_page_rolls_and_goes_back(visit: Visit) -> None:
    page = visit.open("index.html")
    example = page.locator("#dice-landing")
    outcome = example.locator(".dice-outcome")
    printed = outcome.evaluate("one => one.outerHTML")
    example.get_by_role("button", name="Roll Renna's Power Shot").focus()
    page.keyboard.press("Enter")
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
    assert page.locator(".dice-status").inner_text().startswith("Roll 1. ")
    assert outcome.evaluate("one => one.outerHTML") != printed
    assert "The text is about the book's roll." in example.inner_text()
    example.get_by_role("button", name="Back").click()
    assert outcome.evaluate("one => one.outerHTML") == printed
    expect(example.get_by_role("button", name="Roll Renna's Power Shot")).to_be_focused()
    assert not visit.console_errors


def test_two_tabs_roll_by_themselves(visit: Visit) -> None:
    tabs = [visit.open("index.html"), visit.page.context.new_page()]
    tabs[1].goto(tabs[0].url)
    for tab in tabs:
        tab.locator("#dice-landing").get_by_role("button", name="Roll").first.click()
    for tab in tabs:
        expect(tab.locator("#dice-landing").get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
        assert tab.locator(".dice-status").inner_text().startswith("Roll 1. ")
    tabs[0].locator("#dice-landing").get_by_role("button", name="Back").click()
    expect(tabs[1].locator("#dice-landing").get_by_role("button", name="Back")).to_be_visible()
    assert not visit.console_errors


def test_what_was_unfolded_stays_unfolded(visit: Visit) -> None:
    page = visit.open("index.html")
    example = page.locator("#dice-landing")
    example.locator("summary").click()
    roll(page, "landing")
    expect(example.locator(".dice-working")).to_be_visible()


def test_change_it_opens_the_panel_with_live_odds(visit: Visit) -> None:
    page = visit.open("rulebook/total-effect.html")
    example = page.locator(".dice-example").first
    example.get_by_role("button", name="Change it").click()
    panel = example.locator(".dd-panel")
    expect(panel).to_be_visible(timeout=FIRST)
    expect(panel.locator(".dd-odds, svg").first).to_be_visible()
    # The address of each module has a version, so that no browser mixes old ones with new ones.
    loaded = page.evaluate("() => performance.getEntriesByType('resource').map((one) => one.name)")
    modules = [one for one in loaded if one.endswith(".mjs") and "/panel" in one]
    assert modules
    assert all(re.search(r"/panel-[0-9a-f]{8}/", one) for one in modules)
    panel.get_by_role("button", name="Roll", exact=True).click()
    expect(panel.locator(".dd-past li")).to_have_count(1)
    roll(page, "pin-down")
    assert accessibility_issues(page) == []
    example.get_by_role("button", name="Back").click()
    expect(panel).to_have_count(0)
    assert not visit.console_errors


def test_change_it_lets_choose_among_the_characters_of_the_book(visit: Visit) -> None:
    page = visit.open("rulebook/methuen.html")
    # Kira attacks with a sword.
    example = page.locator("""[id^=dice-]:has([data-dice*='"actor":["Kira'])""").first
    example.get_by_role("button", name="Change it").click()
    choice = example.get_by_role("combobox", name="Actor: character")
    expect(choice).to_be_visible(timeout=FIRST)
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
    expect(figure.locator(".dd-panel")).to_be_visible(timeout=FIRST)
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
    expect(back).to_be_visible(timeout=FIRST)
    faces = re.fullmatch(r"(\d+) \(3d6: (\d), (\d), (\d)\)", sentence.locator("span").inner_text())
    assert faces
    total, *dice = map(int, faces.groups())
    assert total == sum(dice)
    assert printed not in paragraph.inner_text()
    back.click()
    assert paragraph.inner_text() == whole


@pytest.mark.parametrize("link", ["seed=7", "seed=theron%202"])
def test_a_link_opens_a_page_with_its_roll(visit: Visit, link: str) -> None:
    page = visit.open(f"index.html#landing?{link}")
    example = page.locator("#dice-landing")
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
    seed = 7 if link == "seed=7" else "theron 2"
    total = dd.play("methuen/expression", expression="3d6 + [Aim]", actor="Aim=2", seed=seed).fact("total")
    expect(example.locator(".dice-value")).to_have_text(str(total))
    assert f"the seed {seed}." in example.inner_text()
    assert not visit.console_errors


def test_a_link_with_another_value_opens_the_panel(visit: Visit) -> None:
    page = visit.open("index.html#landing?seed=7&expression=5d6")
    panel = page.locator("#dice-landing .dd-panel")
    expect(panel).to_be_visible(timeout=FIRST)
    total = dd.play("methuen/expression", expression="5d6", seed=7).fact("total")
    expect(panel.locator(".dd-latest")).to_have_text(f"Total {total}")
    page.locator("#dice-landing").get_by_role("button", name="Copy the link").click()
    assert page.url.endswith("#landing?seed=7&expression=5d6")


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("expression=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", "<img"),
        ("no=1", "'no'"),
        ("seed=" + "9" * 200, "SEED"),
        ("expression=99999d6", "DICE"),
        ("%ff=%00&&&", "not"),
    ],
)
def test_a_hostile_link_is_text(visit: Visit, link: str, message: str) -> None:
    page = visit.open(f"index.html#landing?{link}")
    example = page.locator("#dice-landing")
    failed = example.locator(".dice-failed")
    expect(failed).to_be_visible(timeout=FIRST)
    assert message in failed.inner_text()
    assert example.locator("img").count() == 0
    assert "13" in example.locator(".dice-result").inner_text()


HOUSE = """
import json
from pathlib import Path

import dicedocs as dd

SIDES = json.loads(Path(__file__).with_name("house.json").read_text())["sides"]


class House(dd.Mechanic, id="house/roll"):
    bonus: int = dd.param(default=0, help="what is added")

    class Result(dd.Outcome):
        total: int

    def resolve(self, dice: dd.Dice, say: dd.Say) -> Result:
        while self.bonus == 99:
            pass
        if self.bonus == 98:
            raise SystemExit(3)
        if self.bonus == 97:
            raise KeyboardInterrupt
        return self.Result(say.sum("Total", dice.roll(SIDES), bonus=self.bonus))
"""
CONF = """
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import house

extensions = ["dicedocs_sphinx"]
project = "House"
html_theme = "basic"
html_sidebars = {"**": []}  # its search box has a script in the page
dicedocs_reroll = True
dicedocs_depends = ["house.json"]
"""
EXAMPLE = """
.. dice:example:: The house
   :name: {name}
   :mechanic: {mechanic}
   :{parameter}
   :dice: 5
   :expect: {expect}

   It rolls.
"""


@pytest.fixture(scope="module")
def house_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a built book with games that are not ours."""
    folder = tmp_path_factory.mktemp("house")
    (folder / "conf.py").write_text(CONF)
    (folder / "house.py").write_text(HOUSE)
    (folder / "house.json").write_text('{"sides": 30}')
    examples = [
        EXAMPLE.format(name="house", mechanic="house/roll", parameter="bonus: 2", expect="total=7"),
        EXAMPLE.format(name="ember", mechanic="ember/blaze", parameter="trait: 1", expect="hits=0"),
    ]
    sentence = "A roll: :dice:roll:`2d6 @ 16`.\n"
    (folder / "index.rst").write_text("\n".join(["Page\n====\n", *examples, sentence]))
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", folder, folder / "out"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / "out"


class Strict(Quiet):
    """A handler whose pages may run WebAssembly, but no text as code."""

    # The theme has styles of its own in its pages.
    policy = (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self' 'unsafe-inline'"
        "; worker-src 'self'; img-src 'self' data:"
    )

    def do_GET(self) -> None:  # noqa: N802  # the name of the base class
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()


@pytest.fixture(scope="module")
def house(house_folder: Path, loopback: Loopback | None) -> Iterator[str]:
    """Return the address of that book, served with a strict policy."""
    with served(house_folder, Strict, loopback and loopback.listen()) as address:
        yield address


@pytest.fixture
def guest(browser: Browser, house: str) -> Iterator[Visit]:
    """Return a page that can be opened in the book of somebody else."""
    context = browser.new_context(service_workers="block")
    yield Visit(context.new_page(), house)
    context.close()


@pytest.mark.parametrize(
    ("name", "id", "parameters"), [("house", "house/roll", {"bonus": 2}), ("ember", "ember/blaze", {"trait": 1})]
)
def test_the_games_of_others_roll_under_a_strict_policy(
    guest: Visit, name: str, id: str, parameters: dict[str, int]
) -> None:
    page = guest.open(f"index.html#{name}?seed=8")
    example = page.locator(f"#dice-{name}")
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
    # By hand: the house throws a d30, and one d10 of 8 or more is a hit.
    face = dd.roll("1d30" if name == "house" else "1d10", seed=8).value
    expected = face + 2 if name == "house" else int(face >= 8)
    if face != 10:
        expect(example.locator(".dice-value").first).to_have_text(str(expected))
    assert not guest.console_errors
    assert not guest.external_requests


def test_a_rule_that_never_ends_is_ended_and_the_next_roll_works(guest: Visit) -> None:
    guest.page.clock.install()
    page = guest.open("index.html#house?bonus=0&seed=1")
    example = page.locator("#dice-house")
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
    page.goto(page.url.replace("bonus=0", "bonus=99"))
    expect(example.locator(".dice-play")).to_have_attribute("aria-busy", "true")
    page.clock.fast_forward(20_000)
    expect(example.locator(".dice-failed")).to_have_text("It took more than 20 seconds and was ended.")
    example.get_by_role("button", name="Back").click()
    roll(page, "house")
    assert "It took" not in example.inner_text()


def change(page: Page, name: str, texts: dict[str, str]) -> Locator:
    """Open the panel of an example, write something into its boxes, and return it."""
    example = page.locator(f"#dice-{name}")
    example.get_by_role("button", name="Change it").click()
    panel = example.locator(".dd-panel")
    expect(panel).to_be_visible(timeout=FIRST)
    for label, text in texts.items():
        panel.get_by_label(label, exact=True).first.fill(text)
    return panel


def press_roll(panel: Locator) -> None:
    panel.get_by_role("button", name="Roll", exact=True).click()


def test_an_example_that_never_ends_leaves_the_other_panels_as_they_are(guest: Visit) -> None:
    guest.page.clock.install()
    page = guest.open("index.html#house?bonus=0&seed=1")
    house = page.locator("#dice-house")
    expect(house.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
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
    expect(house.locator(".dice-failed")).to_have_text("It took more than 20 seconds and was ended.")
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


@pytest.mark.parametrize(("bonus", "error"), [("98", "SystemExit: 3"), ("97", "KeyboardInterrupt")])
def test_a_rule_that_ends_its_program_is_said_to_fail_at_once(guest: Visit, bonus: str, error: str) -> None:
    page = guest.open(f"index.html#house?bonus={bonus}")
    example = page.locator("#dice-house")
    expect(example.locator(".dice-failed")).to_have_text(f"the rule failed: {error}", timeout=15_000)
    roll(page, "house")


def test_a_panel_whose_module_never_comes_leaves_the_roll(guest: Visit) -> None:
    guest.page.clock.install()
    held: list[Route] = []
    guest.page.route("**/texts.mjs", lambda route: held.append(route))  # noqa: PLW0108  # as above
    page = guest.open("index.html")
    roll(page, "house")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Change it").click()
    while not held:
        page.wait_for_timeout(20)
    page.clock.fast_forward(60_000)
    expect(example.locator(".dice-failed")).to_have_text("It took more than 60 seconds and was ended.")
    example.get_by_role("button", name="Roll").first.click()
    expect(example.locator(".dice-notice")).to_contain_text("Your roll")


def test_a_link_to_an_open_panel_shows_its_roll_there(guest: Visit) -> None:
    page = guest.open("index.html")
    panel = change(page, "house", {"Bonus": "9"})
    press_roll(panel)
    expect(panel.locator(".dd-past li")).to_have_count(1)
    page.goto(f"{page.url}#house?seed=8")
    panel = page.locator("#dice-house .dd-panel")
    expect(panel.locator(".dd-past li")).to_have_count(2)
    # The book's 2, and the face by hand.
    expect(panel.locator(".dd-latest")).to_have_text(f"Total {dd.roll('1d30', seed=8).value + 2}")
    expect(panel.get_by_label("Bonus", exact=True).first).to_have_value("2")


TOLD = "The text is about the book's roll."


def test_whoever_rolls_is_told_what_the_text_is_about(guest: Visit) -> None:
    page = guest.open("index.html")
    panel, example = change(page, "house", {}), page.locator("#dice-house")
    expect(example).not_to_contain_text(TOLD)
    press_roll(panel)
    expect(example).to_contain_text(TOLD)
    example.get_by_role("button", name="Back").click()
    expect(example).not_to_contain_text(TOLD)
    sentence = page.locator("p [data-dice-roll]")
    sentence.get_by_role("button", name="Roll").click()
    expect(sentence).to_contain_text(TOLD)
    sentence.get_by_role("button", name="Back").click()
    expect(sentence.get_by_text(TOLD)).to_be_hidden()


class NoWebAssembly(Strict):
    """A handler whose pages may not run WebAssembly."""

    policy = "default-src 'self'; style-src 'self' 'unsafe-inline'"


def test_where_a_policy_forbids_webassembly_that_is_said_at_once(
    browser: Browser, house_folder: Path, loopback: Loopback | None
) -> None:
    context = browser.new_context(service_workers="block")
    with served(house_folder, NoWebAssembly, loopback and loopback.listen()) as address:
        page = context.new_page()
        page.goto(f"{address}/index.html")
        example = page.locator("#dice-house")
        example.get_by_role("button", name="Roll").click()
        expect(example.locator(".dice-failed")).to_contain_text("WebAssembly", timeout=20_000)
    context.close()


@pytest.mark.parametrize("file", ["pyodide.mjs", "pyodide.asm.wasm", "core.zip?*", "manifest.json?*"])
@pytest.mark.parametrize("status", [0, 404])
def test_a_page_without_its_runtime_says_so(guest: Visit, file: str, status: int) -> None:
    guest.page.route(f"**/{file}", lambda route: route.fulfill(status=status, body="gone") if status else route.abort())
    page = guest.open("index.html")
    example = page.locator("#dice-house")
    printed = example.locator(".dice-outcome").inner_text()
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-failed")).to_contain_text("It cannot be rolled here", timeout=FIRST)
    assert example.locator(".dice-outcome").inner_text() == printed


def test_a_slow_page_says_how_much_is_loaded_and_stays_readable(guest: Visit) -> None:
    guest.page.set_viewport_size({"width": 390, "height": 900})
    page = guest.open("index.html")
    held: list[Route] = []
    page.route("**/python_stdlib.zip", lambda route: held.append(route))  # noqa: PLW0108  # Playwright wants a function
    example = page.locator("#dice-house")
    printed = example.locator(".dice-outcome").inner_text()
    at = example.get_by_role("button", name="Roll").bounding_box()["y"]
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-notice")).to_have_text(re.compile(r"Loading Python: \d+\.\d of 1\d\.\d MB"))
    # It is spoken too, though not at each step.
    expect(page.locator(".dice-status")).to_have_text(re.compile("^(Starting|Loading) Python"))
    expect(example.locator(".dice-play")).to_have_attribute("aria-busy", "true")
    assert example.locator(".dice-outcome").inner_text() == printed
    while not held:
        page.wait_for_timeout(20)
    # What was pressed stays under the pointer, though there is a line more below it, and then more buttons.
    pressed = example.locator(".dice-play button").first
    assert pressed.bounding_box()["y"] == at
    held[0].continue_()
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
    assert pressed.bounding_box()["y"] == at


def test_it_rolls_over_a_slow_line(guest: Visit) -> None:
    page = guest.open("index.html")
    line = page.context.new_cdp_session(page)
    # 20 MB a second with 100 ms to the server: Python takes nearly a second to arrive.
    conditions = {"offline": False, "latency": 100, "downloadThroughput": 20_000_000, "uploadThroughput": 1_000_000}
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", conditions)
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Roll").click()
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)


def test_the_panel_is_as_light_as_its_page(guest: Visit) -> None:
    guest.page.emulate_media(color_scheme="dark")
    page = guest.open("index.html")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Change it").click()
    panel = example.locator(".dd-panel")
    expect(panel).to_be_visible(timeout=FIRST)
    assert panel.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"
    assert low_contrast(page) == []


def test_nothing_moves_when_the_buttons_come(guest: Visit) -> None:
    page = guest.open("index.html")
    expect(page.locator(".dice-start").first).to_be_visible()
    observe = """() => new Promise((done) => new PerformanceObserver((list) =>
      done(list.getEntries().map((one) => one.value))).observe({ type: "layout-shift", buffered: true })
      || setTimeout(done, 300, []))"""
    assert page.evaluate(observe) == []


def test_what_a_page_loads_before_the_first_press_is_small(guest: Visit) -> None:
    sizes: list[int] = []
    guest.page.on(
        "response", lambda one: sizes.append(len(one.body())) if "/dicedocs/" in one.url and "js" in one.url else None
    )
    page = guest.open("index.html")
    expect(page.locator(".dice-start").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert 0 < sum(sizes) <= 15_000


def test_on_paper_there_are_no_buttons(guest: Visit) -> None:
    page = guest.open("index.html")
    expect(page.locator(".dice-start").first).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".dice-start").first).to_be_hidden()


PRINTED = """() => addEventListener("beforeprint", () => {
  window.printed = ["#dice-house", "p [data-dice-roll]"]
    .map((one) => document.querySelector(one).innerText).join("\\n");
})"""


@pytest.mark.parametrize("panel", [False, True])
def test_on_paper_there_is_the_roll_of_the_book(guest: Visit, panel: bool) -> None:
    page = guest.open("index.html#house?seed=8")
    example, sentence = page.locator("#dice-house"), page.locator("p [data-dice-roll]")
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
    face = dd.roll("1d30", seed=8).value
    sentence.get_by_role("button", name="Roll").click()
    expect(sentence.get_by_role("button", name="Back")).to_be_visible()
    if panel:
        example.get_by_role("button", name="Change it").click()
        expect(example.locator(".dd-odds")).to_contain_text("3.3%")
    shown = page.locator("body").inner_text()
    page.evaluate(PRINTED)
    page.emulate_media(media="print")
    page.pdf()
    page.emulate_media(media="screen")
    printed = page.evaluate("window.printed")
    # The book throws a 5 and adds 2.
    assert re.search(r"Total:? 7\b", printed), printed
    assert f"Total {face + 2}" not in printed
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


def changed_byte(file: Path) -> None:
    """Change the last byte of a file: in a script it is that of a comment or a blank line."""
    data = file.read_bytes()
    file.write_bytes(data[:-1] + bytes([data[-1] ^ 1 if data[-1] != 10 else 32]))


@pytest.fixture
def copied(house_folder: Path, tmp_path: Path, loopback: Loopback | None) -> Iterator[tuple[Path, str]]:
    """Return a copy of that book in a folder of a site, and its address."""
    shutil.copytree(house_folder, tmp_path / "books" / "house")
    with served(tmp_path / "books", Strict, loopback and loopback.listen()) as address:
        yield tmp_path / "books" / "house", f"{address}/house"


LOADED = ("core.zip", "pyodide-*/pyodide.mjs", "pyodide-*/pyodide.asm.mjs", "pyodide-*/pyodide.asm.wasm")


@pytest.mark.parametrize("file", [*LOADED, "pyodide-*/python_stdlib.zip", "panel-*/texts.mjs"])
def test_a_file_that_is_not_the_one_that_was_built_is_refused(
    browser: Browser, copied: tuple[Path, str], file: str
) -> None:
    folder, address = copied
    [changed] = (folder / "_static" / "dicedocs").glob(file)
    changed_byte(changed)
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/index.html")
    example = page.locator("#dice-house")
    printed = example.locator(".dice-outcome").inner_html()
    example.get_by_role("button", name="Change it" if "panel" in file else "Roll").click()
    failed = example.locator(".dice-failed")
    expect(failed).to_contain_text("is not the file that was built with this page", timeout=FIRST)
    assert changed.name in failed.inner_text()
    assert example.locator(".dice-outcome").inner_html() == printed
    context.close()


def rebuild(folder: Path, sources: Path, faces: int) -> None:
    """Build the book into a folder with a die of other faces, as if it had been deployed."""
    new = sources.with_name(f"{sources.name}-{faces}")
    shutil.copytree(sources, new, ignore=shutil.ignore_patterns("out"), dirs_exist_ok=True)
    (new / "house.json").write_text(f'{{"sides": {faces}}}')
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-E", new, folder], check=True)


CHANGED = "This book has changed; reload the page."


@pytest.mark.parametrize("host", ["127.0.0.1", "book.test"])
def test_a_page_from_before_a_deploy_does_not_roll_the_new_rules(
    browser: Browser, copied: tuple[Path, str], house_folder: Path, host: str
) -> None:
    folder, address = copied
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address.replace('127.0.0.1', host)}/index.html")
    example = page.locator("#dice-house")
    expect(example.get_by_role("button", name="Roll")).to_be_visible()
    rebuild(folder, house_folder.parent, 1000)
    printed = example.locator(".dice-outcome").inner_html()
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-failed")).to_have_text(CHANGED, timeout=FIRST)
    assert example.locator(".dice-outcome").inner_html() == printed
    page.reload()
    roll(page, "house")
    context.close()


def test_a_page_from_before_a_deploy_does_not_roll_the_new_rules_without_a_network(
    browser: Browser, house_folder: Path, tmp_path: Path, loopback: Loopback | None
) -> None:
    shutil.copytree(house_folder, tmp_path / "house")
    context = browser.new_context()
    page, other = context.new_page(), context.new_page()
    with served(tmp_path, Strict, loopback and loopback.listen()) as address:
        page.goto(f"{address}/house/index.html")
        example = page.locator("#dice-house")
        expect(example.get_by_role("button", name="Roll")).to_be_visible()
        rebuild(tmp_path / "house", house_folder.parent, 1000)
        other.goto(f"{address}/house/index.html")
        # A browser may open the page as it kept it, without asking whether there is a newer one.
        other.reload()
        roll(other, "house")
        kept(other)
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-failed")).to_have_text(CHANGED, timeout=FIRST)
    context.close()


def test_a_changed_list_is_refused(browser: Browser, copied: tuple[Path, str]) -> None:
    folder, address = copied
    listed = folder / "_static" / "dicedocs" / "manifest.json"
    listed.write_text(
        listed.read_text("utf-8").replace('"characters": []', '"characters": [["", "Eve", {"Bonus": 90}]]')
    )
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/index.html")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-failed")).to_have_text(CHANGED, timeout=FIRST)
    context.close()


@pytest.mark.parametrize("file", ["live.js", "page.mjs"])
def test_a_page_whose_script_was_changed_stays_still(browser: Browser, copied: tuple[Path, str], file: str) -> None:
    folder, address = copied
    changed_byte(folder / "_static" / "dicedocs" / file)
    context = browser.new_context()
    page = context.new_page()
    messages: list[str] = []
    page.on("console", lambda entry: messages.append(entry.text))
    page.goto(f"{address}/index.html")
    page.wait_for_load_state("networkidle")
    assert any("integrity" in one and file in one for one in messages), messages
    assert page.locator(".dice-play").count() == 0
    context.close()


KEPT = """async () => {
  const [registration] = await navigator.serviceWorker.getRegistrations(), names = await caches.keys();
  if (!registration?.active || registration.installing || registration.waiting || names.length !== 1) return null;
  const open = await (await caches.open(names[0])).match(location.href);
  return open ? [registration.scope, ...names] : null;
}"""
REGISTRATIONS = "async () => (await navigator.serviceWorker.getRegistrations()).length"


def kept(page: Page, other_than: list[str] | None = None) -> list[str]:
    """Return the scope of the service worker and the names of what it keeps, when it has done its work."""
    for _ in range(600):
        found: list[str] | None = page.evaluate(KEPT)
        if found is not None and found != other_than:
            return found
        page.wait_for_timeout(100)
    raise AssertionError("the service worker has not done its work within a minute")


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


def test_what_has_rolled_rolls_without_a_network(
    browser: Browser, house_folder: Path, tmp_path: Path, loopback: Loopback | None
) -> None:
    (tmp_path / "house").symlink_to(house_folder)
    context = browser.new_context()
    page = context.new_page()
    with served(tmp_path, Strict, loopback and loopback.listen()) as address:
        page.goto(f"{address}/house/index.html")
        assert page.evaluate(REGISTRATIONS) == 0
        roll(page, "house")
        assert kept(page)[0] == f"{address}/house/"
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])))
    page.reload()
    roll(page, "ember")
    example = page.locator("#dice-house")
    example.get_by_role("button", name="Change it").click()
    expect(example.locator(".dd-panel")).to_be_visible()
    context.close()


def test_with_a_network_a_page_is_the_newest_one_and_a_new_build_replaces_the_old(
    browser: Browser, copied: tuple[Path, str]
) -> None:
    folder, address = copied
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/index.html")
    roll(page, "house")
    first = kept(page)
    index, service = folder / "index.html", folder / "dicedocs-offline.js"
    index.write_text(index.read_text("utf-8").replace("It rolls.", "It is new."), "utf-8")
    build = first[1].rpartition(" ")[2]
    service.write_text(service.read_text("utf-8").replace(build, "0" * 8), "utf-8")
    page.reload()
    expect(page.locator("#dice-house")).to_contain_text("It is new.")
    assert kept(page, other_than=first)[1].endswith(" " + "0" * 8)
    context.close()


def test_a_book_that_is_not_kept_any_more_is_removed(
    browser: Browser, copied: tuple[Path, str], house_folder: Path
) -> None:
    folder, address = copied
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/index.html")
    roll(page, "house")
    kept(page)
    command = [sys.executable, "-m", "sphinx", "-q", "-D", "dicedocs_offline=0", house_folder.parent, folder]
    subprocess.run(command, check=True)
    page.reload()
    page.wait_for_function("async () => !(await navigator.serviceWorker.getRegistrations()).length")
    page.wait_for_function("async () => !(await caches.keys()).length")
    # Nor is it kept again, however long one waits.
    page.clock.install()
    page.reload()
    roll(page, "house")
    page.clock.fast_forward(60_000)
    assert page.evaluate(REGISTRATIONS) == 0
    assert "offline.mjs" not in page.evaluate("performance.getEntriesByType('resource').map((one) => one.name).join()")
    context.close()
