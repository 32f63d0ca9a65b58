"""Take screenshots of the built site: of every page, light and dark, wide and narrow, in build/shots/.

The two screenshots that the README shows are written to docs/_static.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

from dicedocs.panel.session import Session

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
    while not session.count(1):
        pass
    page = browser.new_page(viewport={"width": 1000, "height": 900}, device_scale_factor=2, reduced_motion="reduce")
    page.route(f"{PANEL_URL}/", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    page.route(f"{PANEL_URL}/*.mjs", lambda route: route.fulfill(path=STATIC / route.request.url.rpartition("/")[2]))
    page.goto(f"{PANEL_URL}/")
    css = "".join((STATIC / name).read_text("utf-8") for name in ("panel.css", "controls.css"))
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
        shoot_example(browser)
        shoot_panel(browser)
        browser.close()
    print(f"{len(list(SHOTS.glob('*.png')))} screenshots in {SHOTS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
