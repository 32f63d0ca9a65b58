"""Panels as narrow as JupyterLab makes them on a phone of 390 pixels, in a real Chromium but without Jupyter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import dicedocs
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs_widgets.panels.dungeoneers import PLAYER

from .accessible import overflow
from .panel_page import Backend, ReusedPage, Start, button

pytestmark = pytest.mark.browser

INSTALLED = dicedocs.mechanics()
"""The ids at the start: other tests register games of their own."""
NARROW = {"viewport": {"width": 290, "height": 844}, "has_touch": True, "is_mobile": True}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
CUT = """() => [...document.querySelectorAll(".dd-panel")].flatMap((panel) => {
  const { left, right } = panel.getBoundingClientRect();
  return [...panel.querySelectorAll("input, select, button, textarea, .dd-scale > span, .dd-thrown > *, .dd-past b")]
    .filter((one) => one.checkVisibility() && !one.closest("pre"))
    .filter((one) => one.getBoundingClientRect().right > right || one.getBoundingClientRect().left < left)
    .map((one) => panel.ariaLabel + " " + one.outerHTML);
})"""
"""What is cut off at the edge of its panel."""
WRAPPED = """() => [...document.querySelectorAll(".dd-scale:not([hidden])")]
  .filter((scale) => new Set([...scale.querySelectorAll(":scope > span")].map((band) => band.offsetTop)).size > 1)
  .map((one) => one.ariaLabel)"""
"""The scales whose bands do not stand side by side."""
DICE = ".dd-game .dd-dice > button"


@pytest.mark.parametrize("context", [NARROW, PHONE], ids=["lab", "alone"])
def test_the_five_dice_of_a_table_stand_in_a_row(start: Start, context: dict[str, object]) -> None:
    session = GameSession(PLAYER, {"stat": 4, "difficulty": 8}, seed=3)
    session.play("round")
    backend = start(session, **context)
    panel = backend.open(unfolded=False)
    panel.locator(DICE).first.tap()
    panel.locator(f"{DICE}[aria-pressed=true]").wait_for()
    boxes = panel.locator(DICE).evaluate_all("(dice) => dice.map((one) => one.getBoundingClientRect().toJSON())")
    assert len({box["top"] for box in boxes}) == 1
    assert min(box["width"] for box in boxes) >= 44
    assert overflow(backend.page) <= 0


def test_nothing_is_cut_off_and_no_scale_wraps(reused_pages: Callable[..., ReusedPage]) -> None:
    reused = reused_pages(**NARROW)
    sessions = [TraySession(seed=1), *(Session(id, seed=1) for id in INSTALLED)]
    backend = reused.backend = Backend(reused.page, sessions)
    backend.open()
    for panel in reused.page.locator(".dd-panel").all()[1:]:
        button(panel, "Roll").tap()
        panel.locator(".dd-past li").wait_for()
    reused.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert reused.page.locator(".dd-scale:not([hidden])").count() > 3
    assert reused.page.evaluate(CUT) == []
    assert reused.page.evaluate(WRAPPED) == []
