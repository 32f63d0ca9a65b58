"""What is looked for in every page: what axe finds wrong, and text or edges too faint to see."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

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
  const ground = (node) => (node ? [...ground(node.parentElement), getComputedStyle(node).backgroundColor] : ["#fff"]);
  const faint = [];
  const judge = (node, colour, behind, least, what) => {
    const found = measured([colour], behind);
    if (found < least) faint.push(`${what} ${found.toFixed(2)}: ${node.outerHTML.slice(0, 90)}`);
  };
  for (const node of document.querySelectorAll(`${within} *`)) {
    const seen = node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!seen || node.closest(".dd-unseen")) continue;
    const style = getComputedStyle(node), behind = ground(node);
    const written = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()) || node.value;
    if (written && !node.matches("[type=checkbox], [type=radio]"))
      judge(node, node.matches("svg text") ? style.fill : style.color, behind, 4.5, "text");
    if (node.matches(".dd-panel :is(input:not([type=radio]), select, textarea)"))
      judge(node, style.borderTopColor, ground(node.parentElement), 3, "edge");
  }
  return faint;
}"""


OF_WIDTH = ("meta-viewport", "scrollable-region-focusable")
"""The rules of axe that a narrow page can break where a wide one does not."""


def violations(page: Page, within: str = "html", *, contrast: bool = True, rules: Sequence[str] = ()) -> list[str]:
    """Give what axe finds wrong in a part of a page, each with the first place of it.

    Without contrast, which takes axe seconds in a long page, it is for :func:`faint` to judge. All rules are looked
    at unless some are named.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    options: dict[str, object] = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": contrast}}}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found = page.evaluate("([within, options]) => axe.run(within, options)", [within, options])["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]} ({len(one['nodes'])} places)" for one in found]


def faint(page: Page, within: str = ".dd-panel") -> list[str]:
    """Give each text in a part of a page with less contrast than 4.5 to 1, and each box of a panel with less than 3."""
    found: list[str] = page.evaluate(FAINT, within)
    return found
