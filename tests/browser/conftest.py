"""The built site, served to a real Chromium: no request leaves the machine, every picture is looked at by axe."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium is. A newcomer may have none; in CI that is a failure."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Chromium, and in CI the browser's tests must run")
        pytest.skip("there is no Chromium")
    return CHROMIUM


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """One for each module: while it lives an event loop runs, in which tests of other folders could start none."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(chromium: str, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """The address of the documentation, built as `make site` builds it, once for all workers."""
    shared = tmp_path_factory.getbasetemp()
    shared = shared if worker_id == "master" else shared.parent
    folder = shared / "site"
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "-j",
        "auto",
        "-d",
        folder / "doctrees",
        ROOT / "docs",
        folder / "html",
    ]
    with FileLock(shared / "site.lock"):
        if not (folder / "built").exists():
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            (folder / "built").touch()
    handler = functools.partial(Quiet, directory=str(folder / "html"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass


class Visit:
    """A page that was opened, with all that it complained about and all that it asked of others."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self._note(request.url))

    def _note(self, url: str) -> None:
        if not url.startswith((self.site, "data:", "blob:")):
            self.strangers.append(url)

    def open(self, path: str) -> Page:
        response = self.page.goto(f"{self.site}/{path}")
        assert response is not None
        assert response.ok, path
        return self.page


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """A visit to the documentation."""
    context = browser.new_context()
    yield Visit(context.new_page(), site)
    context.close()
