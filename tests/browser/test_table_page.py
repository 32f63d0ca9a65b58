"""A table in a real Chromium, with real sessions but without Jupyter."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.session import Session

from .accessible import SCHEMES, axe_violations, low_contrast, overflow
from .panel_page import ReusedPage, TableBackend, button

pytestmark = pytest.mark.browser

KIRA = Character("Kira", "Attack=6", {"Sword": "1d20 + [Attack]"})
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
CHOSEN = """([at, name, who]) => models[at].get("_state").characters
  .some(({ label, chosen }) => label === name && chosen === who)"""
WIDTHS = (1366, 900)
"""A low screen, and what JupyterLab leaves of it with its list of files open."""


@pytest.fixture
def backend(reused_pages: Callable[..., ReusedPage], request: pytest.FixtureRequest) -> Iterator[TableBackend]:
    reused = reused_pages(**getattr(request, "param", {}))
    attack = Session("dice/check", {"check": "1d20 + 6 >= 12"}, seed=1)
    yield reused.play(TableBackend(reused.page, Evening([attack, TraySession(characters=[KIRA], seed=2)])))
    assert not reused.console_errors


def roll(backend: TableBackend, number: int) -> None:
    button(backend.page.get_by_role("tabpanel"), "Roll").click()
    expect(backend.page.get_by_role("tabpanel").get_by_role("status")).to_contain_text(f"Roll {number}.")
    backend.follow()


@pytest.mark.parametrize("backend", [PHONE], indirect=True, ids=["phone"])
def test_two_panels_share_a_log_with_notes_and_strikes(backend: TableBackend) -> None:
    log, page = backend.open_table(), backend.page
    roll(backend, 1)
    page.get_by_role("tab", name="Dice tray").click()
    expect(page.get_by_role("tab", name="Dice tray")).to_have_attribute("aria-selected", "true")
    roll(backend, 2)
    expect(log.locator("li")).to_have_count(2)

    note = log.get_by_label("Note on roll 2")
    note.fill("<b>Kira jumps the gap</b>")
    note.press("Enter")
    expect(log.locator("li em")).to_have_text("<b>Kira jumps the gap</b>")
    button(log, "Strike out roll 2").click()
    expect(log.locator("li .dd-struck")).to_contain_text("(struck out)")
    log.locator("li").nth(1).locator("button").first.click()
    expect(log.get_by_label("Note on roll 1")).to_have_value("")

    log.get_by_text("Copy the log").click()
    log.get_by_label("Format").select_option("Markdown with examples")
    expect(log.get_by_role("textbox", name="Log")).to_have_value(backend.table.written_log("examples"))
    assert overflow(page) <= 0
    assert not axe_violations(page)
    assert not low_contrast(page)


def test_the_tabs_are_one_stop_with_arrow_keys(backend: TableBackend) -> None:
    backend.open_table()
    page = backend.page
    page.get_by_role("tab", name="Dice: check").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Dice tray")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Dice tray")).to_be_visible()
    expect(page.get_by_role("tabpanel", name="Dice: check")).to_be_hidden()


def test_on_a_low_screen_the_log_shows_ten_rolls(backend: TableBackend) -> None:
    log, page = backend.open_table(), backend.page
    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_role("tab", name="Dice tray").click()
    for number in range(1, 11):
        roll(backend, number)
    inside = (
        log.locator("ol")
        .filter(has_text="Total")
        .evaluate(
            "(list) => list.lastElementChild.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom"
        )
    )
    assert inside


@pytest.mark.parametrize("kept", [False, True], ids=["not kept", "kept"])
def test_without_a_kernel_only_a_log_that_no_file_keeps_is_to_be_copied(backend: TableBackend, *, kept: bool) -> None:
    for one in (backend.table, *backend.sessions):
        one.kept = kept
    backend.open_table()
    backend.page.evaluate("() => { front.comm_live = false; front.call(); }")
    advice = "A file keeps the rolls: run the cell again" if kept else "copy this log first"
    notices = backend.page.locator(".dd-notice").filter(has_text="Python is not running")
    expect(notices).to_have_count(3)
    expect(notices.filter(has_text=advice)).to_have_count(3)


@pytest.fixture
def fight(reused_pages: Callable[..., ReusedPage], request: pytest.FixtureRequest) -> Iterator[TableBackend]:
    """A table where Kira hits the orc, with whatever Roll throws."""
    kira = Character("Kira", "Attack=30, Stealth=4, Insight=3, Dexterity=2, HP=24 of 24")
    orc = Character("Orc", "Attack=4, Defense=12, HP=12 of 12")
    given, people = {"actor": kira.resources, "target": orc.resources}, [kira, orc]
    attack = Session("dice/check", {"check": "1d20 + [Attack] >= [Target Defense]", **given}, characters=people)
    attack.changes.then = "target.HP -= 5 * success"
    damage = Session("dice/roll", {"notation": "2d6", **given}, characters=people)
    reused = reused_pages(**getattr(request, "param", {}))
    evening = Evening([attack, damage, TraySession(characters=people)], ["Attack", "Damage", "Dice"])
    yield reused.play(TableBackend(reused.page, evening))
    assert not reused.console_errors


@pytest.mark.parametrize("fight", [PHONE], indirect=True, ids=["phone"])
def test_each_roll_of_the_log_is_applied_and_taken_back(fight: TableBackend) -> None:
    log, page = fight.open_table(), fight.page
    for number in (1, 2, 3):
        roll(fight, number)
    expect(log.locator(".dd-apply")).to_have_text(["Apply"] * 3)
    assert log.locator("li .dd-rolled em").all_inner_texts() == ["(Orc HP 12 of 12 → 7 of 12)"] * 3
    button(log, "Strike out roll 3").click()
    expect(button(log, "Apply roll 3")).to_have_count(0)

    button(log, "Apply roll 1").press("Enter")
    expect(button(log, "Take back roll 1")).to_be_focused()
    assert not axe_violations(page, colours=False)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert not low_contrast(page)
    page.emulate_media(color_scheme="null")
    assert overflow(page) <= 0
    # Something else has changed it since.
    button(log, "Apply roll 2").press("Enter")
    expect(button(log, "Take back roll 2")).to_be_focused()
    expect(button(log, "Apply all")).to_be_hidden()
    # Far below the top of the log, where the answer would be out of sight.
    page.locator("main").evaluate("(one) => { one.style.paddingBlockEnd = '100vh'; }")
    button(log, "Take back roll 1").evaluate("(one) => one.scrollIntoView()")
    button(log, "Take back roll 1").click()
    refused = log.get_by_role("alert").first
    expect(refused).to_contain_text("Orc HP was changed since: it is '2 of 12', not '7 of 12'")
    expect(refused).to_be_in_viewport(ratio=1)
    button(log, "Take back roll 2").click()
    button(log, "Take back roll 1").click()
    button(log, "Apply all").press("Enter")
    expect(log.locator(".dd-apply")).to_have_text(["Take back"] * 2)
    expect(log.locator("li > button").first).to_be_focused()


def test_arrow_keys_go_through_the_rolls_whatever_buttons_each_has(fight: TableBackend) -> None:
    log, page = fight.open_table(), fight.page
    for number in (1, 2, 3):
        roll(fight, number)
    button(log, "Strike out roll 2").click()
    expect(log.locator(".dd-apply")).to_have_count(2)
    button(log, "Apply roll 3").focus()
    page.keyboard.press("ArrowDown")
    expect(button(log, "Apply roll 1")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(button(log, "Strike out roll 1")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(button(log, "Strike out roll 2")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(log.locator("li > button").first).to_be_focused()


def test_undo_is_one_button_for_the_whole_evening(fight: TableBackend) -> None:
    log, page = fight.open_table(), fight.page
    roll(fight, 1)
    panel = page.get_by_role("tabpanel")
    expect(page.get_by_role("button", name="Undo")).to_have_count(1)
    expect(page.get_by_role("button", name="Redo")).to_have_count(1)
    page.get_by_role("tab", name="Damage").click()
    # Its own last step is none: the table undoes what was done in the other panel.
    button(panel, "Roll").press("Control+z")
    expect(log.locator("li .dd-struck")).to_have_count(1)
    assert fight.actions() == ["roll", "undo"]
    button(panel, "Roll").press("Control+Shift+z")
    expect(log.locator("li .dd-struck")).to_have_count(0)
    # In a text box the browser undoes what was typed.
    panel.get_by_label("Notation", exact=True).press("Control+z")
    button(log, "Undo").focus()
    assert fight.actions() == ["roll", "undo", "redo"]


def test_a_panel_at_a_table_repeats_nothing_of_it(fight: TableBackend) -> None:
    log, page = fight.open_table(), fight.page
    roll(fight, 1)
    panel = page.get_by_role("tabpanel")
    assert page.locator(".dd-verdict:visible").count() == 1
    assert log.get_by_role("status").count() == 0
    expect(log.locator("li > [aria-current=true]")).to_have_attribute("value", "1")
    for name in ("Actor", "Target"):
        expect(panel.get_by_role("group", name=name, exact=True)).to_be_hidden()
    for chip in ("kh3", "[Attack]"):
        expect(panel.locator(".dd-pieces").get_by_text(chip, exact=True)).to_be_hidden()
    check = panel.get_by_label("Check", exact=True)
    check.fill("1d20 + [")
    expect(button(panel, "[Attack]")).to_be_visible()
    check.fill("1d20 + 5 >= 12")
    expect(panel.locator(".dd-odds")).to_be_hidden()
    panel.get_by_text("Odds of Success", exact=True).click()
    expect(panel.locator(".dd-odds")).to_be_visible()
    page.get_by_role("tab", name="Damage").click()
    expect(panel.get_by_text("Odds of Total")).to_be_hidden()
    # A notation that is put together by pressing keeps them.
    page.get_by_role("tab", name="Dice").click()
    expect(panel.locator(".dd-pieces").get_by_text("kh3", exact=True)).to_be_visible()


def in_view(page: Page, *parts: Locator) -> None:
    """Check that all of each part is in view, however wide the page is."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 600})
        for part in parts:
            expect(part).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("fight", [{"viewport": {"width": WIDTHS[-1], "height": 600}}], indirect=True, ids=["low"])
def test_roll_is_in_view_whoever_acts(fight: TableBackend) -> None:
    log, page = fight.open_table(), fight.page
    for index, name in enumerate(("Attack", "Damage", "Dice")):
        page.get_by_role("tab", name=name, exact=True).click()
        panel = page.get_by_role("tabpanel")
        in_view(page, button(panel, "Roll"))
        for label, turn in (("Actor: character", (1, 0)), ("Target: character", (0, 1))):
            if not panel.get_by_label(label).count():
                continue
            for who in turn:
                panel.get_by_label(label).select_option(index=1 + who)
                page.wait_for_function(CHOSEN, arg=[index, label, who])
                fight.follow()
                in_view(page, button(panel, "Roll"), panel.get_by_label(label))
        assert page.evaluate("() => scrollY") == 0
    page.get_by_role("tab", name="Attack", exact=True).click()
    roll(fight, 1)
    in_view(page, button(log, "Apply roll 1"))
