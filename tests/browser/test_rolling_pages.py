"""Pages that roll, in Chromium: the same core in the page as here, and nothing from elsewhere."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import dicedocs as dd
from dicedocs.panel.page_example import PageExample
from dicedocs.panel.seeds import read_seed
from dicedocs.rules.example import Example

from .accessible import accessibility_issues, low_contrast
from .conftest import ROOT, Quiet, Visit, served

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("runtime")]

CHAPTERS = ("methuen", "total-effect", "mecha-vs-kaiju", "dungeoneers", "mage-in-the-metal")
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
  const worker = python(new URL("/_static/dicedocs/worker.mjs", location.href), {
    starting: "", loading: "", loading_some: "", ended: "", failed: "",
  });
  const answers = [];
  for (const link of links) answers.push((await worker.ask({ do: "roll", key: "golden", example, link })).sentence);
  return answers;
}"""
TEXT = "html => Object.assign(document.createElement('div'), { innerHTML: html }).textContent"


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
    (folder / "index.rst").write_text("\n".join(["Page\n====\n", *examples]))
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", folder, folder / "out"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / "out"


@pytest.fixture(scope="module")
def house(house_folder: Path) -> Iterator[str]:
    """Return the address of that book, served with a strict policy."""
    with served(house_folder, Strict) as address:
        yield address


class Strict(Quiet):
    """A handler whose pages may run WebAssembly, but no text as code."""

    def do_GET(self) -> None:  # noqa: N802  # the name of the base class
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def end_headers(self) -> None:
        policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
        # The theme has styles of its own in its pages.
        policy += "; style-src 'self' 'unsafe-inline'"
        self.send_header("Content-Security-Policy", f"{policy}; worker-src 'self'; img-src 'self' data:")
        super().end_headers()


@pytest.fixture
def guest(browser: Browser, house: str) -> Iterator[Visit]:
    """Return a page that can be opened in the book of somebody else."""
    context = browser.new_context()
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
    def hurried(route: Route) -> None:
        body = route.fetch().text()
        assert "ANSWER_SECONDS = 20" in body
        route.fulfill(body=body.replace("ANSWER_SECONDS = 20", "ANSWER_SECONDS = 2"), content_type="text/javascript")

    guest.page.route("**/python.mjs*", hurried)
    page = guest.open("index.html#house?bonus=99&seed=1")
    example = page.locator("#dice-house")
    expect(example.locator(".dice-failed")).to_have_text("It took more than 2 seconds and was ended.", timeout=FIRST)
    roll(page, "house")
    assert "It took" not in example.inner_text()


@pytest.mark.parametrize("file", ["pyodide.mjs", "pyodide.asm.wasm", "core.zip?*", "manifest.json"])
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
    page = guest.open("index.html")
    held: list[Route] = []
    page.route("**/python_stdlib.zip", lambda route: held.append(route))  # noqa: PLW0108  # Playwright wants a function
    example = page.locator("#dice-house")
    printed = example.locator(".dice-outcome").inner_text()
    example.get_by_role("button", name="Roll").click()
    expect(example.locator(".dice-notice")).to_have_text(re.compile(r"Loading Python: \d+\.\d of 1\d\.\d MB"))
    expect(example.locator(".dice-play")).to_have_attribute("aria-busy", "true")
    assert example.locator(".dice-outcome").inner_text() == printed
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)


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


def test_a_page_from_a_file_stays_as_it_is(guest: Visit, house_folder: Path) -> None:
    guest.page.goto((house_folder / "index.html").as_uri())
    guest.page.wait_for_load_state("networkidle")
    assert guest.page.locator(".dice-play").count() == 0
    printed = guest.page.locator("#dice-house .dice-outcome")
    # No room is kept for buttons.
    assert printed.evaluate("one => getComputedStyle(one).marginBlockEnd") == "0px"
