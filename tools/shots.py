"""Take screenshots of the built site: of every page, light and dark, wide and narrow, in build/shots/.

What rolls is shown as a film strip: before, while it loads, when it has rolled, and with its panel. The two screenshots
that the README shows are written to docs/_static.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, Route, sync_playwright
from serve import HOST, SiteHandler

from dicedocs.panel.forms.session import Session
from dicedocs.render.html import verdict_colours

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "build" / "site"
SHOTS = ROOT / "build" / "shots"
README_EXAMPLE = ROOT / "docs" / "_static" / "readme-example.png"
README_PANEL = ROOT / "docs" / "_static" / "readme-panel.png"
STATIC = ROOT / "widgets" / "dicedocs_widgets" / "static"
PANEL_URL = "http://panel.test"
"""An address that is only routed here: a browser does not import a module from a file."""
DRAW = """async ([_form, _state, css, history]) => {
  const { render } = await import("/panel.mjs");
  const listeners = {};
  const on = (event, listener) => { listeners[event] = listener; };
  // Without an answer the page would say that it waits.
  const send = ({ view, n }) => setTimeout(() => listeners["msg:custom"]({ for: { [view]: n }, history }));
  const model = { get: (name) => ({ _form, _state })[name], on, off() {}, send };
  const el = document.body.appendChild(document.createElement("div"));
  render({ model, el }, css, "picture", { comm_live: true, on() {}, off() {} });
}"""
EXAMPLE = "theron-arcane-bolt"
"""The name of the example that the README shows."""
ROLLED = "kira-strike"
"""The name of the example of the film strip."""
LOADING = 60_000
"""Milliseconds within which Python answers for the first time."""
DRAWN = """() => [...document.querySelectorAll('[type="application/vnd.jupyter.widget-view+json"]')]
  .every((view) => !view.isConnected || document.querySelector(".dd-panel"))"""
"""A condition in JavaScript: whether all panels of the page have been drawn."""
Scheme = Literal["light", "dark"]
LOOKS: tuple[tuple[Scheme, int], ...] = (("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390))


def pages() -> list[Path]:
    """Return the built pages, without the indexes and the search page."""
    paths = [path for path in SITE.rglob("*.html") if not path.relative_to(SITE).parts[0].startswith("_")]
    return sorted(path for path in paths if path.name not in {"genindex.html", "search.html", "py-modindex.html"})


def shoot_pages(browser: Browser) -> None:
    """Take a screenshot of every page in each of :data:`LOOKS`."""
    for scheme, width in LOOKS:
        page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
        for path in pages():
            page.goto(path.as_uri())
            page.wait_for_function(DRAWN)
            name = path.relative_to(SITE).with_suffix("").as_posix().replace("/", "-")
            page.screenshot(path=SHOTS / f"{name}-{scheme}-{width}.png", full_page=True)
        page.close()


def shoot_rolls(browser: Browser) -> None:
    """Take a film strip of an example that rolls and is changed, in each of :data:`LOOKS`."""
    server = ThreadingHTTPServer((HOST, 0), partial(SiteHandler, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for scheme, width in LOOKS:
        # A touch screen has larger buttons.
        touch = width < 500
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, has_touch=touch)
        page = context.new_page()
        page.goto(f"http://{HOST}:{server.server_port}/rulebook/methuen.html")
        shoot_strip(page, f"{scheme}-{width}")
        context.close()
    server.shutdown()


def shoot_strip(page: Page, look: str) -> None:
    """Take the pictures of a film strip."""
    held: list[Route] = []
    page.route("**/python_stdlib.zip", lambda route: held.append(route))  # noqa: PLW0108  # Playwright wants a function
    example = page.locator(f"#dice-{ROLLED}")

    def shoot(name: str) -> None:
        example.screenshot(path=SHOTS / f"roll-{look}-{name}.png")

    roll = example.get_by_role("button", name="Roll").first
    roll.wait_for()
    shoot("1-before")
    roll.click()
    while not held:
        page.wait_for_timeout(50)
    shoot("2-loading")
    held[0].continue_()
    example.get_by_role("button", name="Back").wait_for(timeout=LOADING)
    shoot("3-rolled")
    example.get_by_role("button", name="Change it").click()
    example.locator(".dd-panel").wait_for()
    shoot("4-changed")


def shoot_example(browser: Browser) -> None:
    """Take a screenshot of the example that the README shows, for screens of high resolution."""
    page = browser.new_page(viewport={"width": 1000, "height": 900}, device_scale_factor=2)
    page.goto((SITE / "rulebook" / "methuen.html").as_uri())
    page.locator(f".dice-example#dice-{EXAMPLE}").screenshot(path=README_EXAMPLE)
    page.close()


def shoot_panel(browser: Browser) -> None:
    """Take a screenshot of the panel that the README shows, drawn as in a notebook."""
    session = Session("total-effect/roll", {"advantage": 1, "effect": "high"}, seed=12, label="Sera, Overload")
    session.roll()
    while not session.odds.count(1):
        pass
    page = browser.new_page(viewport={"width": 1000, "height": 900}, device_scale_factor=2, reduced_motion="reduce")
    page.route(f"{PANEL_URL}/", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.route(f"{PANEL_URL}/*.mjs", lambda route: route.fulfill(path=STATIC / route.request.url.rpartition("/")[2]))
    page.goto(f"{PANEL_URL}/")
    sheets = ((STATIC / name).read_text("utf-8") for name in ("panel.css", "controls.css"))
    css = "".join([verdict_colours(), *sheets])
    page.evaluate(DRAW, [session.form(), session.state(), css, session.log()])
    page.locator(".dd-past li").wait_for()
    page.locator(".dd-panel").screenshot(path=README_PANEL)
    page.close()


def main() -> None:
    """Take all screenshots."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        sys.exit("Chromium was not found: install it, or set CHROMIUM to its path")
    if not SITE.exists():
        sys.exit("the site is not built: run 'make site' first")
    SHOTS.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        shoot_pages(browser)
        if any(SITE.glob("_static/dicedocs/pyodide-*")):
            shoot_rolls(browser)
        shoot_example(browser)
        shoot_panel(browser)
        browser.close()
    print(f"{len(list(SHOTS.glob('*.png')))} screenshots in {SHOTS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
