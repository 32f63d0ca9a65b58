"""Pages that roll, in Chromium, and a book with games that are not ours: what its tests share."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from ...command_server import CommandServer
from ..conftest import FLAGS, ROOT, Quiet, Visit, served
from ..loopback import Loopback, NoNamespaceError, loopback_only
from .python_here import PythonHere

ELSEWHERE = "--host-resolver-rules=MAP book.test 127.0.0.1"
"""What makes this machine another one for the browser, over plain http."""
ONCE = "--js-flags=--liftoff-only"
"""What has WebAssembly compiled once, and not again for a speed that a page of a few seconds never has."""
FIRST = 60_000
"""Milliseconds within which Python answers for the first time."""


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def program(chromium: str, loopback: Loopback | None, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of what starts Chromium in the namespace."""
    return loopback.wrapped(chromium, tmp_path_factory.mktemp("browser")) if loopback else chromium


@pytest.fixture(scope="module")
def browser(program: str, playwright: Playwright, browsers: dict[str, Browser]) -> Browser:
    """Return the browser of all these modules, in the namespace."""
    if (name := f"{program} {ONCE}") not in browsers:
        browsers[name] = playwright.chromium.launch(executable_path=program, args=[*FLAGS, ELSEWHERE, ONCE])
    return browsers[name]


@pytest.fixture(scope="module")
def site(built_site: Path, loopback: Loopback | None) -> Iterator[str]:
    """Return the address of the documentation in the namespace."""
    with served(built_site, listening=loopback and loopback.listen()) as address:
        yield address


@pytest.fixture(scope="session")
def python_here(shared_folder: Path) -> Iterator[PythonHere]:
    """Return what plays the documentation, and the books of all modules, without Pyodide."""
    with PythonHere(ROOT / "docs", shared_folder / "house") as python:
        yield python


@pytest.fixture(scope="module")
def context(browser: Browser, python_here: PythonHere) -> Iterator[BrowserContext]:
    """Return the window of the tests of a module, whose pages play without Pyodide.

    They are not kept but for what browsers do by themselves.
    """
    context = browser.new_context(service_workers="block")
    python_here.play_in(context)
    yield context
    context.close()


@pytest.fixture(scope="module")
def pyodide(browser: Browser) -> Iterator[BrowserContext]:
    """Return a window whose pages play in Pyodide, as those of readers do."""
    context = browser.new_context(service_workers="block")
    yield context
    context.close()


@pytest.fixture
def visit(context: BrowserContext, site: str) -> Iterator[Visit]:
    """Return a page that can be opened in the documentation."""
    yield Visit(context.new_page(), site)
    for page in context.pages:
        page.close()


def roll(page: Page, name: str) -> None:
    """Press an example's button, and wait for the roll."""
    example = page.locator(f"#dice-{name}")
    example.get_by_role("button", name="Roll").first.click()
    expect(example.get_by_role("button", name="Back")).to_be_visible(timeout=FIRST)
    # Until Python has answered, the roll before is shown.
    expect(example.locator(".dice-play")).not_to_have_attribute("aria-busy", "true", timeout=FIRST)


# Its table is above the folder from which it is imported, and read when it is played.
HOUSE = """
import json
from pathlib import Path

import dicedocs as dd

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
        sides = json.loads((Path(__file__).parent.parent / "house.json").read_text())["sides"]
        return self.Result(say.sum("Total", dice.roll(sides), bonus=self.bonus))
"""
CONF = """
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "rules"))
import house

extensions = ["dicedocs_sphinx"]
project = "House"
html_theme = "basic"
html_sidebars = {"**": []}  # its search box has a script in the page
dicedocs_reroll = True
dicedocs_deck = 0
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


ROLLING = """
extensions = ["dicedocs_sphinx"]
project = "Book"
html_theme = "basic"
html_sidebars = {"**": []}  # its search box has a script in the page
dicedocs_reroll = True
"""


@pytest.fixture(scope="module")
def book(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, commands: CommandServer) -> Path:
    """Return the folder of a book built from the PAGES of the module, the text of each file by its name."""
    folder = tmp_path_factory.mktemp("book")
    for name, text in {"conf.py": ROLLING, **request.module.PAGES}.items():
        (folder / name).write_text(text, "utf-8")
    # Without Node nothing compiles the core, which these pages never load.
    done = commands.run(folder, "sphinx", "-q", "-W", ".", "out", PATH="")
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "out"


@pytest.fixture(scope="module")
def book_address(book: Path, loopback: Loopback | None) -> Iterator[str]:
    """Return the address of that book."""
    with served(book, Strict, loopback and loopback.listen()) as address:
        yield address


@pytest.fixture
def reader(context: BrowserContext, book_address: str) -> Iterator[Visit]:
    """Return a page that can be opened in that book."""
    yield Visit(context.new_page(), book_address)
    for page in context.pages:
        page.close()


def text_without(page: Page, left_out: str) -> str:
    """Return the whole text of a page, drawings by their names, without what a selector selects."""
    said: str = page.locator("[role=main]").evaluate(
        """(body, leftOut) => { const copy = body.cloneNode(true);
          copy.querySelectorAll(leftOut).forEach((one) => one.remove());
          copy.querySelectorAll("svg").forEach((one) => one.replaceWith(one.getAttribute("aria-label") ?? ""));
          return copy.textContent.replace(/\\s+/g, " ") }""",
        left_out,
    )
    return said


@pytest.fixture(scope="session")
def house_folder(shared_folder: Path) -> Path:
    """Return the folder of a built book with games that are not ours, built once for all workers."""
    folder = shared_folder / "house"
    with FileLock(shared_folder / "house.lock"):
        if not (folder / "out" / "index.html").exists():
            build_house(folder)
    return folder / "out"


def build_house(folder: Path) -> None:
    """Write that book into a folder, and build it."""
    (folder / "rules").mkdir(parents=True)
    (folder / "conf.py").write_text(CONF)
    (folder / "rules" / "house.py").write_text(HOUSE)
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
def guest(context: BrowserContext, house: str) -> Iterator[Visit]:
    """Return a page that can be opened in the book of somebody else."""
    yield Visit(context.new_page(), house)
    for page in context.pages:
        page.close()


@pytest.fixture
def pyodide_guest(pyodide: BrowserContext, house: str) -> Iterator[Visit]:
    """Return such a page that plays in Pyodide."""
    yield Visit(pyodide.new_page(), house)
    for page in pyodide.pages:
        page.close()


@pytest.fixture
def patient_guest(browser: Browser, house: str) -> Iterator[Visit]:
    """Return such a page with a clock that can be moved forward, as each page of its window has it; it has Pyodide."""
    context = browser.new_context(service_workers="block")
    context.clock.install()
    yield Visit(context.new_page(), house)
    context.close()


@pytest.fixture
def copied(house_folder: Path, tmp_path: Path, loopback: Loopback | None) -> Iterator[tuple[Path, str]]:
    """Return a copy of that book in a folder of a site, and its address."""
    shutil.copytree(house_folder, tmp_path / "books" / "house")
    with served(tmp_path / "books", Strict, loopback and loopback.listen()) as address:
        yield tmp_path / "books" / "house", f"{address}/house"


KEPT = """async () => {
  const [registration] = await navigator.serviceWorker.getRegistrations(), names = await caches.keys();
  if (!registration?.active || registration.installing || registration.waiting || names.length !== 1) return null;
  const cache = await caches.open(names[0]), loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const own = [location.href, ...loaded].filter((href) => href.startsWith(registration.scope));
  const open = await Promise.all(own.map((href) => cache.match(href)));
  return open.every(Boolean) ? [registration.scope, ...names] : null;
}"""


def kept(page: Page, other_than: list[str] | None = None) -> list[str]:
    """Return the scope of the service worker and the names of what it keeps, when it has done its work."""
    for _ in range(600):
        found: list[str] | None = page.evaluate(KEPT)
        if found is not None and found != other_than:
            return found
        page.wait_for_timeout(100)
    raise AssertionError("the service worker has not done its work within a minute")
