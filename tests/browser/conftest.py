"""The built site in a real Chromium, without requests to other machines."""

import asyncio
import functools
import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from dicedocs.panel.forms.form_session import FormSession
from dicedocs.panel.forms.session import Session

from .panel_page import Backend, ReusedPage, Start

ROOT = Path(__file__).resolve().parents[2]
# Without windows Chromium takes half the processor time.
PROGRAMS = "chromium-headless-shell", "chromium", "chromium-browser"
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# A busy machine needs longer than the usual five seconds now and then.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of Chromium; without it tests are skipped, but fail in CI."""
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Chromium, and in CI the browser's tests must run")
        pytest.skip("there is no Chromium")
    return CHROMIUM


@pytest.fixture(scope="session")
def playwright_at_rest() -> Iterator[tuple[Playwright, asyncio.AbstractEventLoop]]:
    """Start Playwright once for all modules, and return it with its event loop, which rests between them."""
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield playwright, loop
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def playwright(playwright_at_rest: tuple[Playwright, asyncio.AbstractEventLoop]) -> Iterator[Playwright]:
    """Return Playwright for one module: while its event loop runs, tests in other folders could not start their own."""
    playwright, loop = playwright_at_rest
    asyncio._set_running_loop(loop)
    yield playwright
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def browsers(playwright_at_rest: tuple[Playwright, asyncio.AbstractEventLoop]) -> Iterator[dict[str, Browser]]:
    """Return the browsers of this process by their programs; each starts once, when a module first needs it."""
    started: dict[str, Browser] = {}
    yield started
    asyncio._set_running_loop(playwright_at_rest[1])
    for browser in started.values():
        browser.close()


@pytest.fixture(scope="module")
def browser(chromium: str, playwright: Playwright, browsers: dict[str, Browser]) -> Browser:
    """Return the browser of all modules, which leave no window in it."""
    if chromium not in browsers:
        browsers[chromium] = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
    return browsers[chromium]


@pytest.fixture(scope="module")
def reused_pages(browser: Browser) -> Iterator[Callable[..., ReusedPage]]:
    """Return a function that returns the page of panels for the settings of a browser's context."""
    pages: dict[str, ReusedPage] = {}

    def page_for(*, still: bool = False, **context: Any) -> ReusedPage:
        key = json.dumps([still, context])
        if key not in pages:
            pages[key] = ReusedPage(browser, context, still=still)
        return pages[key]

    yield page_for
    for reused in pages.values():
        reused.page.context.close()


@pytest.fixture
def start(reused_pages: Callable[..., ReusedPage]) -> Iterator[Start]:
    """Return a function that starts a session, given as itself or as an id with parameters, on a page of its own.

    `still` installs a fake clock, `alone` is for a test that changes more than its panel, `context` for the browser.
    """
    used: list[ReusedPage] = []

    def start(
        session: FormSession | str,
        parameters: dict[str, object] | None = None,
        *,
        seed: object = 1,
        alone: bool = False,
        **context: Any,
    ) -> Backend:
        page = reused_pages(**context)
        used.append(page)
        page.console_errors.clear()
        playing = session if isinstance(session, FormSession) else Session(session, parameters, seed=seed)
        return page.play(Backend(page.page, [playing]), alone=alone)

    yield start
    for page in used:
        assert not page.console_errors


@pytest.fixture(scope="session")
def runtime() -> None:
    """Skip tests without Python for browsers, which `make test` installs; in CI they fail."""
    if find_spec("dicedocs_pyodide") is None:
        if os.environ.get("CI"):
            pytest.fail("dicedocs-pyodide is not installed, and in CI pages must roll: see `make runtime`")
        pytest.skip("dicedocs-pyodide is not installed: see `make runtime`")


def ingredients() -> str:
    """Return a digest of all that the documentation is built from: our files, and the versions of everything else."""
    versions = sorted(f"{one.name} {one.version}" for one in distributions())
    digest = sha256("\n".join([sys.version, str(shutil.which("node")), *versions]).encode())
    for name in ("pyproject.toml", "dicedocs", "sphinx_ext", "widgets", "docs", "runtime", "tests/ember"):
        for path in sorted([ROOT / name, *(ROOT / name).rglob("*")]):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"\n{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


@pytest.fixture(scope="session")
def built_site(chromium: str, shared_folder: Path) -> Path:
    """Return the folder of the documentation, where `make site` builds it, brought up to date once for all workers.

    It is built anew, unless the tests built it from the same, and nothing has written its search index since; or in CI,
    which builds it first, from a clean checkout.
    """
    folder = ROOT / "build"
    paths = [folder / "doctrees", ROOT / "docs", folder / "site"]
    # All pages are written: Sphinx's search forgets what the index says of those that are not.
    command: list[str | Path] = [sys.executable, "-m", "sphinx", "-q", "-a", "-W", "-j", "auto", "-d", *paths]
    index, stamp = folder / "site" / "searchindex.js", folder / "site-of-tests"
    with FileLock(shared_folder / "site.lock"):
        if not (shared_folder / "built").exists():
            made_from = ingredients()
            if not index.exists() or not (
                os.environ.get("CI")
                or (stamp.exists() and stamp.read_text() == f"{made_from} {index.stat().st_mtime_ns}")
            ):
                stamp.unlink(missing_ok=True)
                done = subprocess.run(command, capture_output=True, text=True, check=False)
                assert done.returncode == 0, done.stderr
                stamp.write_text(f"{made_from} {index.stat().st_mtime_ns}")
            (shared_folder / "built").touch()
    return folder / "site"


@pytest.fixture(scope="session")
def site(built_site: Path) -> Iterator[str]:
    """Return the address of the documentation."""
    with served(built_site) as address:
        yield address


@contextmanager
def served(
    folder: Path,
    handler: type[http.server.SimpleHTTPRequestHandler] | None = None,
    listening: socket.socket | None = None,
) -> Iterator[str]:
    """Serve a folder while a ``with`` statement runs, and return its address.

    Parameters:
        folder: the folder.
        handler: what answers; by default :class:`Quiet`.
        listening: the socket; by default a new one on a free port.
    """
    listening = listening or socket.create_server(("127.0.0.1", 0))
    address = listening.getsockname()
    server = Server(address, functools.partial(handler or Quiet, directory=str(folder)), bind_and_activate=False)
    server.socket.close()
    server.socket = listening
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


class Server(http.server.ThreadingHTTPServer):
    """A server that a browser may leave in the middle of an answer, as one that opens another page does."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A handler that serves a folder and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass


class Visit:
    """An open page, with the errors in its console and its requests to other machines."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site
        self.console_errors: list[str] = []
        self.external_requests: list[str] = []
        page.on("console", lambda entry: self.console_errors.append(entry.text) if entry.type == "error" else None)
        page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        page.on("request", lambda request: self._note(request.url))

    def _note(self, url: str) -> None:
        if not url.startswith((self.site, "data:", "blob:")):
            self.external_requests.append(url)

    def open(self, path: str) -> Page:
        response = self.page.goto(f"{self.site}/{path}")
        assert response is not None
        assert response.ok, path
        return self.page


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """Return the window of the tests of a module, which loads what pages share once."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def visit(window: BrowserContext, site: str) -> Iterator[Visit]:
    """Return a page that can be opened in the documentation."""
    page = window.new_page()
    yield Visit(page, site)
    page.close()
