"""Take pictures of the built site: build/shots/ holds every page in light and dark, wide and narrow.

Those that the README shows go where the README looks for them.
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
README = ROOT / "docs" / "_static" / "readme-example.png"
PANEL = ROOT / "docs" / "_static" / "readme-panel.png"
STATIC = ROOT / "widgets" / "dicedocs_widgets" / "static"
NOWHERE = "http://panel.test"
"""An address that only the pictures know: a module cannot be loaded from a file."""
DRAW = """async ([_form, _state, css, history]) => {
  const { render } = await import("/panel.mjs");
  const heard = {};
  const on = (event, call) => { heard[event] = call; };
  const model = { get: (name) => ({ _form, _state })[name], on, off() {}, send() {} };
  const el = document.body.appendChild(document.createElement("div"));
  render({ model, el }, css, "picture", { comm_live: true, on() {}, off() {} });
  heard["msg:custom"]({ for: {}, history });
}"""
SHOWN = "theron-arcane-bolt"
"""The example that the README shows."""
DRAWN = """() => [...document.querySelectorAll('[type="application/vnd.jupyter.widget-view+json"]')]
  .every((view) => !view.isConnected || document.querySelector(".dd-panel"))"""
"""Whether the panels of a page, if it has any, are drawn."""
Scheme = Literal["light", "dark"]
LOOKS: tuple[tuple[Scheme, int], ...] = (("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390))


def pages() -> list[Path]:
    """Give the pages that the documentation's own text makes."""
    folders = [path for path in SITE.rglob("*.html") if not path.relative_to(SITE).parts[0].startswith("_")]
    return sorted(path for path in folders if path.name not in {"genindex.html", "search.html", "py-modindex.html"})


def picture_pages(browser: Browser) -> None:
    """Picture every page in every look."""
    for scheme, width in LOOKS:
        page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
        for path in pages():
            page.goto(path.as_uri())
            page.wait_for_function(DRAWN)
            name = path.relative_to(SITE).with_suffix("").as_posix().replace("/", "-")
            page.screenshot(path=SHOTS / f"{name}-{scheme}-{width}.png", full_page=True)
        page.close()


def picture_readme(browser: Browser) -> None:
    """Picture the example that the README shows, sharp enough for any screen."""
    page = browser.new_page(viewport={"width": 1000, "height": 900}, device_scale_factor=2)
    page.goto((SITE / "rulebook" / "methuen.html").as_uri())
    README.parent.mkdir(exist_ok=True)
    page.locator(f".dice-example#dice-{SHOWN}").screenshot(path=README)
    page.close()


def picture_panel(browser: Browser) -> None:
    """Picture the panel that the README shows, as a notebook has it."""
    session = Session("total-effect/roll", {"advantage": 1, "effect": "high"}, seed=12, label="Sera, Overload")
    session.roll()
    while not session.count(1):
        pass
    page = browser.new_page(viewport={"width": 1000, "height": 900}, device_scale_factor=2, reduced_motion="reduce")
    page.route(f"{NOWHERE}/", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
    module = (STATIC / "panel.mjs").read_text("utf-8")
    page.route(f"{NOWHERE}/panel.mjs", lambda route: route.fulfill(body=module, content_type="text/javascript"))
    page.goto(f"{NOWHERE}/")
    css = (STATIC / "panel.css").read_text("utf-8")
    page.evaluate(DRAW, [session.form(), session.state(), css, session.log()])
    page.locator(".dd-panel").screenshot(path=PANEL)
    page.close()


def main() -> None:
    """Take all pictures."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        sys.exit("there is no Chromium: install it, or name it in CHROMIUM")
    if not SITE.exists():
        sys.exit("there is no site yet: run 'make site' first")
    SHOTS.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        picture_pages(browser)
        picture_readme(browser)
        picture_panel(browser)
        browser.close()
    print(f"{len(list(SHOTS.glob('*.png')))} pictures in {SHOTS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
