"""What is looked for in every page: what axe finds wrong, and text, links or edges too faint to see."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import axe_playwright_python
from playwright.sync_api import Page

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
FAINT = """(within) => {
  const pixel = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d",
    { willReadFrequently: true });
  const parts = (colours) => {
    pixel.clearRect(0, 0, 1, 1);
    for (const colour of colours) { pixel.fillStyle = colour; pixel.fillRect(0, 0, 1, 1); }
    return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const ratio = (one, other) => {
    const [low, high] = [light(parts(one)), light(parts(other))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const known = new Map();
  const measured = (colours, behind) => {
    const key = [...behind, ...colours].join();
    if (!known.has(key)) known.set(key, ratio([...behind, ...colours], behind));
    return known.get(key);
  };
  const grounds = new Map([[null, ["#fff"]]]);
  const ground = (node) => {
    if (!grounds.has(node))
      grounds.set(node, [...ground(node.parentElement), getComputedStyle(node).backgroundColor]);
    return grounds.get(node);
  };
  const worded = (node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
  const faint = [];
  const judge = (node, colour, behind, least, what) => {
    const found = measured([colour], behind);
    if (found < least) faint.push(`${what} ${found.toFixed(2)}: ${node.outerHTML.slice(0, 90)}`);
  };
  for (const node of document.querySelectorAll(`${within} *`)) {
    const seen = node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!seen || node.closest(".dd-unseen")) continue;
    const style = getComputedStyle(node), behind = ground(node);
    if ((worded(node) || node.value) && !node.matches("[type=checkbox], [type=radio]"))
      judge(node, node.matches("svg text") ? style.fill : style.color, behind, 4.5, "text");
    if (node.matches(".dd-panel :is(input:not([type=radio]), select, textarea)"))
      judge(node, style.borderTopColor, ground(node.parentElement), 3, "edge");
    if (node.matches("a[href]") && worded(node.parentElement) && style.textDecorationLine === "none"
      && style.borderBottomStyle === "none")
      faint.push(`a link like the text around it: ${node.outerHTML.slice(0, 90)}`);
  }
  return faint;
}"""


COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe that :func:`faint` has of its own: they take axe seconds in a long page."""
SCHEMES: Final = ("light", "dark")


def violations(page: Page, within: str = "html", *, colours: bool = True) -> list[str]:
    """Give what axe finds wrong in a part of a page, each with the first place of it.

    Without colours, they are for :func:`faint` to judge.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    options = {"resultTypes": ["violations"], "rules": {rule: {"enabled": colours} for rule in COLOURS}}
    found = page.evaluate("([within, options]) => axe.run(within, options)", [within, options])["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]} ({len(one['nodes'])} places)" for one in found]


def faint(page: Page, within: str = ".dd-panel") -> list[str]:
    """Give what cannot be told from what is around it, in a part of a page.

    Text with less contrast than 4.5 to 1, a box of a panel with less than 3, and a link within text that is not
    underlined.
    """
    found: list[str] = page.evaluate(FAINT, within)
    return found


def beyond(page: Page) -> int:
    """Give by how many pixels a page is wider than what it is seen in."""
    pixels: int = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return pixels


def wrong(page: Page) -> list[str]:
    """Give what is wrong with a page as people have it: wide and narrow, each in light and in dark.

    A narrow page has no colour that a wide one has not, but in its header. There axe looks, where most has to be
    scrolled: what stands beside a wide page is in it too, unseen.
    """
    found = []
    for width, coloured in ((1280, "body"), (390, "header")):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found += [f"{width}, {scheme}: {one}" for one in faint(page, coloured)]
        if (more := beyond(page)) > 0:
            found.append(f"{width}: {more} pixels too wide")
    return found + violations(page, colours=False)
