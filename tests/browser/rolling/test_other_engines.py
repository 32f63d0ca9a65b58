"""What a reader does first, in Firefox and in WebKit, which is Safari's engine."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import dicedocs as dd

from ..conftest import served
from .other_engines import MINIBROWSER, Engine, firefox, webkit

pytestmark = [
    pytest.mark.browser,
    pytest.mark.usefixtures("runtime"),
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),  # by Selenium itself
]
PDFTOTEXT = shutil.which("pdftotext") or "pdftotext"
CHAPTER = "rulebook/methuen.html"
SHOT = 'const one = document.querySelector("#dice-renna-power-shot");'
UNTIL = """const later = setTimeout; // a test may let the page have another one
const until = async (found, seconds = 80) => {
  const end = performance.now() + 1000 * seconds;
  while (!found() && performance.now() < end) await new Promise((next) => later(next, 20));
};"""
"""Waits for something, but not for ever: what is then asked of the page says what was missing."""
PRESS = """one.querySelector(".dice-press").click();
await until(() => /seed/.test(one.querySelector(".dice-notice").textContent));"""
SEED = re.compile(r"with the seed ([\w -]+)\.")
INSTALLED = {
    "firefox": shutil.which("firefox-esr") is not None,
    "webkit": bool(MINIBROWSER and shutil.which("WebKitWebDriver") and shutil.which("Xvfb")),
}


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Run a browser of another engine; without it tests are skipped, but fail in CI."""
    name = request.param
    if not INSTALLED[name]:
        if os.environ.get("CI"):
            pytest.fail(f"there is no {name}, and in CI its tests must run")
        pytest.skip(f"there is no {name}")
    with (firefox if name == "firefox" else webkit)(tmp_path_factory.mktemp(name)) as running:
        yield running


@pytest.fixture(scope="module")
def site(built_site: Path) -> Iterator[str]:
    """Return the address of the documentation on this machine: these browsers run in no namespace."""
    with served(built_site) as address:
        yield address


def shot(seed: str) -> int:
    """Return the total of the shot with a seed, played here."""
    total: int = dd.play("methuen/expression", expression="3d6", seed=seed).fact("total")
    return total


@pytest.mark.thorough
def test_a_page_rolls_and_its_example_can_be_changed(engine: Engine, site: str) -> None:
    engine.open(f"{site}/{CHAPTER}")
    notice, total = engine.run(f"""{SHOT} {UNTIL} {PRESS}
        return [one.querySelector(".dice-notice").textContent, one.querySelector(".dice-value").textContent];""")
    assert int(total) == shot(*SEED.findall(notice))
    said, width, rolled = engine.run(f"""{SHOT} {UNTIL}
        const change = one.querySelector(".dice-change");
        change.click();
        await until(() => one.querySelector(".dd-panel"));
        const said = [change.textContent, one.querySelector(".dd-panel").getBoundingClientRect().width];
        one.querySelector(".dd-main").click();
        await until(() => one.querySelectorAll(".dd-past li").length === 2);
        const rolled = one.querySelector(".dd-latest").textContent;
        change.click();
        return [...said, rolled];""")
    assert said == "Close"
    assert width > 300
    assert re.match(r"Total ([3-9]|1[0-8])\b", rolled)
    closed = f"""{SHOT} return [one.querySelector(".dice-change").textContent, !!one.querySelector(".dd-panel"),
        one.querySelector(".dice-value").textContent];"""
    # The book's dice are 4, 2 and 5.
    assert engine.run(closed) == ["Change it", False, "11"]


@pytest.mark.thorough
def test_on_paper_there_is_the_roll_of_the_book(engine: Engine, site: str, tmp_path: Path) -> None:
    engine.open(f"{site}/{CHAPTER}")
    # Until it is another one.
    engine.run(f"""{SHOT} {UNTIL} do {{ {PRESS} }} while (one.querySelector(".dice-value").textContent === "11");""")
    pdf = tmp_path / "page.pdf"
    try:
        pdf.write_bytes(engine.pdf())
    except NotImplementedError:
        # Its driver prints nothing: the page is asked what it would print.
        printed = engine.run(f"""{SHOT} dispatchEvent(new Event("beforeprint"));
            const text = one.innerText;
            dispatchEvent(new Event("afterprint"));
            return text;""")
    else:
        printed = subprocess.check_output([PDFTOTEXT, "-layout", pdf, "-"], text=True)
        assert "Change it" not in printed
    example = printed[printed.index("Her dice fall") :]
    assert re.search(r"4\s+2\s+5\s+(Total\s+)?11\b", example), example[:400]


def test_a_page_from_a_file_answers_from_its_deck(engine: Engine, built_site: Path) -> None:
    engine.open((built_site / CHAPTER).as_uri())
    notice, total = engine.run(f"""{SHOT} {UNTIL} {PRESS}
        return [one.querySelector(".dice-notice").textContent, one.querySelector(".dice-value").textContent];""")
    [seed] = SEED.findall(notice)
    assert seed.startswith("renna-power-shot ")
    assert int(total) == shot(seed)


CLOCK = """const inPage = (textContent) =>
  document.head.append(Object.assign(document.createElement("script"), { textContent }));
const hasten = () => inPage(`var usual = setTimeout;
  setTimeout = (call, delay, ...rest) => usual(call, delay === 20_000 ? 1000 : delay, ...rest);`);
const slowDown = () => inPage("setTimeout = usual;");"""
"""Lets the time for an answer of a page end twenty times as soon; Python needs the usual time to start again."""


@pytest.mark.thorough
def test_an_example_that_never_ends_is_ended_and_the_next_one_rolls(engine: Engine, house_folder: Path) -> None:
    with served(house_folder) as address:
        engine.open(f"{address}/index.html#house?bonus=0&seed=1")
        failed, rolled = engine.run(f"""{UNTIL} {CLOCK}
            const house = document.querySelector("#dice-house"), ember = document.querySelector("#dice-ember");
            await until(() => house.querySelector(".dd-panel .dd-main"), 25);
            hasten();
            location.hash = "#house?bonus=99";
            await until(() => house.querySelector(".dice-failed"), 80);
            slowDown();
            const failed = house.querySelector(".dice-failed").textContent;
            ember.querySelector(".dice-press").click();
            // A roll of the deck may be shown first, and then that Python starts.
            let notice = "";
            await until(() => /seed/.test(notice = ember.querySelector(".dice-notice").textContent), 90);
            return [failed, notice];""")
    assert failed == "It took more than 20 seconds and was stopped."
    assert rolled.startswith("Your own roll, with the seed ")
