"""Take pictures of the built site: build/shots/ holds every page in light and dark, wide and narrow.

The one that the README shows goes where the README looks for it.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "build" / "site"
SHOTS = ROOT / "build" / "shots"
README = ROOT / "docs" / "_static" / "readme-example.png"
SHOWN = "theron-arcane-bolt"
"""The example that the README shows."""
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
        browser.close()
    print(f"{len(list(SHOTS.glob('*.png')))} pictures in {SHOTS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
