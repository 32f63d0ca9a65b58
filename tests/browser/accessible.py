"""Checks of every page: the violations that axe reports, and text, links or edges with low contrast."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import axe_playwright_python
from playwright.sync_api import Page

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
LOW_CONTRAST = """(within) => {
  const pixel = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d",
    { willReadFrequently: true });
  const parts = (colours) => {
    pixel.clearRect(0, 0, 1, 1);
    for (const colour of colours) { pixel.fillStyle = colour; pixel.fillRect(0, 0, 1, 1); }
    return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, index) => sum + c * [0.2126, 0.7152, 0.0722][index], 0);
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
  const backgrounds = new Map([[null, ["#fff"]]]);
  const background = (node) => {
    if (!backgrounds.has(node))
      backgrounds.set(node, [...background(node.parentElement), getComputedStyle(node).backgroundColor]);
    return backgrounds.get(node);
  };
  const hasText = (node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
  const issues = [];
  const check = (node, colour, behind, minimum, what) => {
    const contrast = measured([colour], behind);
    if (contrast < minimum) issues.push(`${what} ${contrast.toFixed(2)}: ${node.outerHTML.slice(0, 90)}`);
  };
  for (const node of document.querySelectorAll(`${within} *`)) {
    const seen = node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!seen || node.closest(".dd-unseen")) continue;
    const style = getComputedStyle(node), behind = background(node);
    if ((hasText(node) || node.value) && !node.matches("[type=checkbox], [type=radio]"))
      check(node, node.matches("svg text") ? style.fill : style.color, behind, 4.5, "text");
    if (node.matches(".dd-panel :is(input:not([type=radio]), select, textarea)"))
      check(node, style.borderTopColor, background(node.parentElement), 3, "edge");
    if (node.matches("a[href]") && hasText(node.parentElement) && style.textDecorationLine === "none"
      && style.borderBottomStyle === "none")
      issues.push(`a link like the text around it: ${node.outerHTML.slice(0, 90)}`);
  }
  return issues;
}"""


COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe that :func:`low_contrast` replaces, since axe takes seconds for them on a long page."""
SCHEMES: Final = ("light", "dark")


def axe_violations(page: Page, within: str = "html", *, colours: bool = True) -> list[str]:
    """Return the violations that axe reports for a part of a page, each with the first element concerned.

    Parameters:
        within: a CSS selector of the part.
        colours: whether axe checks colours too, which :func:`low_contrast` does faster.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    options = {"resultTypes": ["violations"], "rules": {rule: {"enabled": colours} for rule in COLOURS}}
    violations = page.evaluate("([within, options]) => axe.run(within, options)", [within, options])["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]} ({len(one['nodes'])} elements)" for one in violations]


def low_contrast(page: Page, within: str = ".dd-panel") -> list[str]:
    """Return the elements with too little contrast in a part of a page.

    These are text with a contrast below 4.5 to 1, boxes of a panel below 3, and links within text without underline.
    """
    issues: list[str] = page.evaluate(LOW_CONTRAST, within)
    return issues


def overflow(page: Page) -> int:
    """Return by how many pixels a page is wider than its viewport."""
    pixels: int = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return pixels


def accessibility_issues(page: Page) -> list[str]:
    """Return the issues of a page: wide and narrow, each in light and in dark.

    A narrow page has other colours than a wide one only in its header. axe checks the narrow page, which contains the
    sidebars of the wide one too, hidden.
    """
    issues = []
    for width, coloured in ((1280, "body"), (390, "header")):
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            issues += [f"{width}, {scheme}: {one}" for one in low_contrast(page, coloured)]
        if (more := overflow(page)) > 0:
            issues.append(f"{width}: {more} pixels too wide")
    return issues + axe_violations(page, colours=False)
