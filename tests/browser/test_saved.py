"""Saved panels in a real Chromium without Python and network, and panels in Voila."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from ..notebooks.saved_notebook import CELLS, LAST, saved
from .accessible import accessibility_issues
from .conftest import ROOT, Visit, served

pytestmark = pytest.mark.browser

SAVED = ROOT / "widgets" / "dicedocs_widgets" / "static" / "saved.js"
NOTEBOOKS = {
    "notebooks/first-session.html": 3,
    "notebooks/game-masters-evening.html": 7,
    "notebooks/designers-afternoon.html": 2,
}
"""The notebooks of the site, with the number of panels in each."""
PATIENCE = 60
"""Seconds that a server may take to start on a busy machine."""


@pytest.fixture
def look(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Visit]]:
    """Return a function that opens a page of a folder, with or without scripts."""
    # Chromium requests it.
    (tmp_path / "favicon.ico").touch()
    with served(tmp_path) as site:
        contexts = []

        def opened(path: str, *, scripts: bool = True) -> Visit:
            contexts.append(browser.new_context(java_script_enabled=scripts))
            visit = Visit(contexts[-1].new_page(), site)
            visit.open(path)
            return visit

        yield opened
        for context in contexts:
            context.close()


# The site


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_the_panels_in_a_notebook_of_the_site_are_shown_and_accessible(visit: Visit, path: str) -> None:
    page = visit.open(path)
    panels = page.locator(".dd-panel")
    expect(panels).to_have_count(NOTEBOOKS[path])
    for panel in panels.all():
        expect(panel.get_by_role("status")).to_have_text(re.compile(r"^Roll \d+"))
        # A table has no settings of its own.
        for settings in panel.locator(".dd-pane:not([hidden])").all():
            expect(settings).to_have_text(re.compile(r"\d"))
    expect(page.locator("[data-unscripted] .dice-outcome")).to_have_count(0)
    assert accessibility_issues(page) == []
    assert not visit.console_errors
    assert not visit.external_requests


def test_a_saved_panel_shows_a_notice_and_no_controls(visit: Visit) -> None:
    page = visit.open("notebooks/first-session.html")
    panel = page.locator(".dd-panel").first
    expect(panel).to_contain_text("A saved panel")
    expect(panel.locator(".dd-past li")).not_to_have_count(0)
    assert panel.locator(":is(input, select, button):visible").count() == 0
    panel.get_by_text("Code and directive").click()
    expect(panel.get_by_label("Python", exact=True)).to_have_value(re.compile("import dicedocs as dd"))
    assert not visit.console_errors


def test_the_value_of_a_slider_is_shown(visit: Visit) -> None:
    page = visit.open("notebooks/game-masters-evening.html")
    expect(page.get_by_text("Defense: 15", exact=True)).to_be_visible()


def test_without_scripts_the_outcomes_are_shown(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    visit = Visit(context.new_page(), site)
    page = visit.open("notebooks/designers-afternoon.html")
    outcomes = page.locator("[data-unscripted] .dice-outcome")
    expect(outcomes).to_have_count(NOTEBOOKS["notebooks/designers-afternoon.html"])
    expect(outcomes.last).to_be_visible()
    expect(page.locator(".dd-panel")).to_have_count(0)
    context.close()


# nbconvert and MyST-NB, in a folder with only the page and saved.js


def exported(folder: Path, *, state: bool) -> None:
    """Export a notebook as HTML that requests nothing from other machines."""
    from nbconvert import HTMLExporter  # slow to load, and used here alone

    exporter = HTMLExporter(widget_renderer_url="saved.js", require_js_url="", mathjax_url="")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text, _ = exporter.from_notebook_node(saved(state=state))
    (folder / "page.html").write_text(text, "utf-8")
    (folder / "saved.js").write_text(SAVED.read_text("utf-8"), "utf-8")


def shows_the_saved_panel(page: Page) -> None:
    panel = page.get_by_role("group", name="dice: roll panel")
    expect(panel).to_have_count(1)
    expect(panel.get_by_role("status")).to_have_text(re.compile(rf"Total {LAST}"))
    expect(panel.locator(".dd-chosen > div").filter(has_text="Notation")).to_have_text(re.compile("3d6$"))


def test_nbconvert_shows_the_saved_panel(look: Callable[..., Visit], tmp_path: Path) -> None:
    exported(tmp_path, state=True)
    visit = look("page.html")
    shows_the_saved_panel(visit.page)
    assert visit.console_errors == []
    assert visit.external_requests == []


def test_nbconvert_shows_the_outcome_where_no_state_was_saved(look: Callable[..., Visit], tmp_path: Path) -> None:
    exported(tmp_path, state=False)
    visit = look("page.html")
    expect(visit.page.locator(".dice-outcome").first).to_be_visible()
    expect(visit.page.locator(".dd-panel")).to_have_count(0)
    assert visit.external_requests == []


def test_mystnb_shows_the_saved_panel(look: Callable[..., Visit], tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.mkdir()
    nbformat.write(saved(state=True), book / "index.ipynb")
    settings = ["-D", "nb_execution_mode=off", "-D", "html_static_path=static", "-D", "extensions=myst_nb"]
    (book / "static").mkdir()
    (book / "static" / "saved.js").write_text(SAVED.read_text("utf-8"), "utf-8")
    (book / "conf.py").write_text('nb_ipywidgets_js = {"saved.js": {}}\n', "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", *settings, book, tmp_path / "out"]
    subprocess.run(command, check=True, capture_output=True)
    visit = look("out/index.html")
    shows_the_saved_panel(visit.page)
    assert visit.console_errors == []
    assert visit.external_requests == []


# Voila


@pytest.fixture
def voila(tmp_path: Path) -> Iterator[str]:
    """Return the address at which Voila shows a notebook with one panel."""
    cells = [nbformat.v4.new_code_cell(CELLS[0])]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), tmp_path / "evening.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folders = ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    environment = os.environ | {name: str(tmp_path / name.lower()) for name in folders}
    command = [sys.executable, "-m", "voila", "evening.ipynb", "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1"]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait(server, f"http://127.0.0.1:{port}/static/voila.js", tmp_path / "log")
            yield f"http://127.0.0.1:{port}"
        finally:
            # Voila then ends its kernels.
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)
                server.wait(5)


def _wait(server: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=1).read()  # noqa: S310  # our own server
        except urllib.request.HTTPError:
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("Voila did not start:\n" + log.read_text()[-3000:])


def test_voila_shows_a_panel_that_rolls(browser: Browser, voila: str) -> None:
    context = browser.new_context()
    # Its template requests an icon font from a CDN; no panel uses it.
    context.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), lambda route: route.abort())
    visit = Visit(context.new_page(), voila)
    visit.page.set_default_timeout(PATIENCE * 1000)
    visit.open("")
    panel = visit.page.get_by_role("group", name="dice: roll panel")
    expect(panel.get_by_role("status")).to_have_text(re.compile(r"^Roll 1"), timeout=PATIENCE * 1000)
    panel.get_by_label("Notation", exact=True).fill("1d6 + 100")
    panel.get_by_role("button", name="Roll", exact=True).click()
    expect(panel.get_by_role("status")).to_have_text(re.compile(r"^Roll 2.* Total 10[1-6]"), timeout=15_000)
    assert all("font-awesome" in url.lower() or "fontawesome" in url.lower() for url in visit.external_requests)
    context.close()
