"""The page of a dice tray, of a comparison, of characters and of a notation, in a real Chromium but without Jupyter."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs_widgets.panels.dungeoneers import PLAYER

from .accessible import SCHEMES, axe_violations, low_contrast, overflow
from .panel_page import Backend, Start, button

pytestmark = pytest.mark.browser

# Comparing odds


def pinned(start: Start) -> tuple[Backend, Locator]:
    backend = start("total-effect/roll")
    panel = backend.open()
    button(panel, "Compare").click()
    panel.get_by_label("Advantage", exact=True).fill("2")
    expect(panel.locator(".dd-key > li")).to_have_count(2)
    return backend, panel


def test_two_settings_are_compared_side_by_side(start: Start) -> None:
    backend, panel = pinned(start)
    expect(panel.locator(".dd-key b")).to_have_text(["Advantage 0", "Advantage 2"])
    # By hand: the mean of three d6 is 10.5.
    expect(panel.locator(".dd-key > li").first).to_contain_text("mean 10.5, standard deviation 2.96")
    expect(panel.locator(".dd-key > li").last).to_contain_text("present settings")
    rows = panel.locator(".dd-compare > li")
    expect(rows).to_have_count(16)
    # 18 with three d6: 1 of 216; with two more dice, three sixes or more of five: 276 of 7776.
    expect(rows.last.locator("div > span")).to_have_text(["0.5%", "3.5%"])
    assert panel.locator(".dd-odds > ol").is_hidden()
    lengths = rows.last.locator("i").evaluate_all("all => all.map((one) => one.getBoundingClientRect().width)")
    assert lengths[1] > 3 * lengths[0]
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    expect(panel.locator(".dd-compare .dd-here")).to_contain_text(f"{backend.session.outcome.value}")


def test_the_chart_shows_at_least_and_at_most(start: Start) -> None:
    backend = start("dice/roll", {"notation": "2d6", "actor": {}, "target": {}})
    panel = backend.open()
    show = panel.get_by_label("What a bar shows")
    expected = {"At least": "41.7%", "At most": "72.2%", "Exactly": "13.9%"}  # of 8: 15, 26 and 5 of 36
    for name, percent in expected.items():
        show.select_option(name)
        expect(panel.locator(".dd-odds li").nth(6)).to_have_attribute("title", f"8: {percent}")


def test_odds_of_what_cannot_be_ordered_have_no_at_least(start: Start) -> None:
    panel = start("dice/check", {"check": "1d20 >= 11", "actor": {}, "target": {}}).open()
    expect(panel.locator(".dd-odds li")).to_have_count(2)
    expect(panel.get_by_label("What a bar shows")).to_be_hidden()


def test_what_is_certain_has_no_chart_of_one_bar(start: Start) -> None:
    panel = start("dice/roll", {"notation": "7", "actor": {}, "target": {}}).open()
    expect(panel.locator(".dd-odds")).to_contain_text("Always 7.")
    expect(panel.locator(".dd-odds li")).to_have_count(0)


def test_many_pools_are_shown_by_their_sums(start: Start) -> None:
    panel = start("dungeoneers/player-phase", {"pool": "4 3 4 1 2", "exhausted": "2 5", "reroll": "4"}).open()
    expect(panel.locator(".dd-odds")).to_contain_text("There are 216 values: these are their sums.")
    # Three d6 beside 4 and 4: from 11 to 26.
    expect(panel.locator(".dd-odds li")).to_have_count(16)
    expect(panel.locator(".dd-odds li").first).to_have_attribute("title", "11: 0.5%")


@pytest.mark.parametrize(("name", "suffix"), [("Download CSV", "csv"), ("Download PNG", "png")])
def test_the_chart_can_be_saved(start: Start, name: str, suffix: str) -> None:
    backend, panel = pinned(start)
    with backend.page.expect_download() as saving:
        button(panel, name).click()
    assert saving.value.suggested_filename == f"odds-of-total.{suffix}"
    data = saving.value.path().read_bytes()
    if suffix == "png":
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", data[16:24])[0] == 1440
        # The bars are drawn: a picture of nothing but white would be far smaller.
        assert len(data) > 10_000
    else:
        lines = data.decode().splitlines()
        assert lines[0] == "Total,Advantage 0,Advantage 2"
        assert [float(figure) for figure in lines[-1].split(",")] == [18, 1 / 216, 276 / 7776]


# Characters


def test_a_character_is_chosen_and_what_others_lack_is_said(start: Start) -> None:
    kira, orc = Character("Kira", "Attack=6"), Character("Orc", "Defense=12")
    session = Session("methuen/check", seed=1, characters=[kira, orc])
    backend = start(session)
    panel = backend.open()
    actor, target = panel.get_by_label("Actor: character"), panel.get_by_label("Target: character")
    assert actor.locator("option").all_inner_texts() == ["nobody", "Kira", "Orc (no Attack)"]
    assert target.locator("option").all_inner_texts() == ["nobody", "Kira (no Defense)", "Orc"]
    target.select_option("Orc")
    rows = panel.get_by_role("group", name="Target", exact=True)
    expect(rows.get_by_label("Value", exact=True)).to_have_value("12")
    panel.get_by_role("group", name="Actor", exact=True).get_by_label("Value", exact=True).fill("7")
    expect(actor).to_have_value("-1")  # nobody has these values


# The dice tray


KIRA = Character("Kira", "Attack=6, Strength=4", {"Sword": "1d20 + [Attack]"})


def tray(start: Start, **context: Any) -> tuple[Backend, Locator]:
    backend = start(TraySession(seed=7, characters=[KIRA]), **context)
    return backend, backend.open()


def die(panel: Locator, sides: int, count: int) -> Locator:
    return button(panel, f"Add d{sides}, {count} so far")


def test_dice_are_pressed_by_mouse_and_keyboard(start: Start) -> None:
    _, panel = tray(start)
    notation = panel.get_by_label("Notation", exact=True)
    die(panel, 6, 0).click()
    die(panel, 6, 1).click()
    die(panel, 8, 0).click()
    expect(notation).to_have_value("2d6 + 1d8")
    for _ in range(3):
        button(panel, "Modifier: one more").click()
    expect(panel.locator(".dd-tray-modifier > b")).to_have_text("+3")
    die(panel, 6, 2).click(modifiers=["Shift"])
    expect(notation).to_have_value("1d6 + 1d8 + 3")
    die(panel, 8, 1).click(button="right")
    expect(notation).to_have_value("1d6 + 3")
    button(panel, "One d6 less").click()
    expect(notation).to_have_value("3")
    die(panel, 12, 0).press("Enter")
    die(panel, 12, 1).press("Enter")
    die(panel, 12, 2).press("-")
    expect(notation).to_have_value("1d12 + 3")


def test_advantage_is_for_a_single_d20(start: Start) -> None:
    _, panel = tray(start)
    notation = panel.get_by_label("Notation", exact=True)
    button(panel, "Advantage").click()
    expect(button(panel, "Advantage")).to_have_attribute("aria-pressed", "true")
    button(panel, "Normal").click()
    expect(notation).to_have_value("1d20")
    button(panel, "Empty").click()
    expect(panel.locator(".dd-wrong:visible")).to_have_count(0)
    expect(button(panel, "Advantage")).to_have_attribute("aria-disabled", "true")


def test_a_resource_is_pressed_into_the_notation(start: Start) -> None:
    _, panel = tray(start)
    button(panel, "Attack 6").click()
    expect(button(panel, "Attack 6")).to_have_attribute("aria-pressed", "true")
    expect(button(panel, "Attack 6")).to_be_focused()
    button(panel, "Attack 6").click()
    expect(panel.get_by_label("Notation", exact=True)).to_have_value("1d20")


def check_appearance(page: Page) -> None:
    assert not axe_violations(page, "main", colours=False)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        # On touch the outer part of a switch has no edge, only its shadow.
        assert not [one for one in low_contrast(page) if 'role="switch"' not in one], scheme
    page.emulate_media(color_scheme="null")
    assert not overflow(page)


@pytest.mark.parametrize("width", [1000, 390])
def test_tray_and_comparison_are_accessible(start: Start, width: int) -> None:
    view = {"viewport": {"width": width, "height": 844}, "has_touch": width < 400}
    backend, _ = tray(start, **view)
    check_appearance(backend.page)
    backend = start("total-effect/roll", **view)
    assert isinstance(backend.session, Session)
    backend.session.odds.pin()
    backend.session.set_values({"advantage": 2})
    backend.open()
    check_appearance(backend.page)


def test_touch_targets_of_a_tray_are_large(start: Start) -> None:
    backend, panel = tray(start, viewport={"width": 390, "height": 844}, has_touch=True)
    die(panel, 6, 0).click()
    sizes = panel.locator(".dd-tray button:visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height))"
    )
    assert min(sizes) >= 44
    assert backend.session.error is None


# What every widget has


def test_a_disabled_panel_accepts_nothing(start: Start) -> None:
    backend = start("total-effect/roll")
    panel = backend.open()
    backend.page.evaluate("() => { model.state.disabled = true; model.emit('change:disabled'); }")
    before = backend.sent()
    button(panel, "Roll").click(force=True)
    panel.get_by_label("Escalation", exact=True).press("Enter", timeout=1000)
    assert panel.locator(".dd-body :is(button, input, select):enabled").count() == 0
    assert backend.sent() == before
    backend.page.evaluate("() => { model.state.disabled = false; model.emit('change:disabled'); }")
    button(panel, "Roll").click()
    expect(panel.get_by_role("status").first).to_contain_text("Roll 1. ")


# A preview at a game's own table


@pytest.mark.parametrize("width", [1000, 390])
def test_chosen_dice_show_what_they_come_to_and_nothing_moves(start: Start, width: int) -> None:
    session = GameSession(PLAYER, {"stat": 4, "difficulty": 8}, seed=3)
    session.play("round")
    session.game_state = session.game_state._replace(faces=(2, 3, 1, 1, 2))
    panel = start(session, viewport={"width": width, "height": 844}).open()
    preview = panel.get_by_role("group", name="Preview")
    # The fewest dice with the smallest sum (DD2); two equal ones raise the degree (D40).
    expect(preview).to_have_text("If you choose no dice: 2 + 2 + 4 = 8: greater success")
    before = button(panel, "Action roll").bounding_box()
    dice = panel.get_by_role("group", name="Dice", exact=True).get_by_role("button")
    dice.nth(1).click()
    dice.nth(4).click()
    expect(preview).to_have_text("3 + 2 + 4 = 9: success")
    for at in (0, 0, 1):
        dice.nth(at).click()
    # With 1, 1 and 2 kept it takes a 4, 5 or 6 for one die to be enough: 27 of 36 throws.
    expect(preview).to_contain_text("it takes fewer dice in 75%, and more in 2.8%")
    assert button(panel, "Action roll").bounding_box() == before


# The box of a notation


def notation(start: Start, text: str, **context: Any) -> tuple[Backend, Locator, Locator, Locator]:
    """Return a panel with a notation, its box and the pieces that it offers."""
    known = {"actor": {"Attack": 6, "Aim": 2}, "target": {"Defense": 12}}
    backend = start("dice/check", {"check": text, **known}, **context)
    panel = backend.open()
    return backend, panel, panel.get_by_label("Check", exact=True), panel.get_by_role("group", name="Check: pieces")


def test_advantage_replaces_a_d20_in_one_click(start: Start) -> None:
    _, panel, box, pieces = notation(start, "1d20 + [Attack] >= [Target Defense]")
    odds = panel.locator(".dd-odds li", has_text="yes")
    # The die must show 6 or more: 15 of 20, with two dice all but 5 * 5 of 400, and for both of them 15 * 15.
    expect(odds).to_have_attribute("title", "yes: 75%")
    button(pieces, "2d20kh1: advantage").click()
    expect(box).to_have_value("2d20kh1 + [Attack] >= [Target Defense]")
    expect(box).to_be_focused()
    expect(odds).to_have_attribute("title", "yes: 93.8%")
    button(pieces, "2d20kl1: disadvantage").click()
    expect(box).to_have_value("2d20kl1 + [Attack] >= [Target Defense]")
    expect(odds).to_have_attribute("title", "yes: 56.3%")


def test_pieces_are_inserted_at_the_caret(start: Start) -> None:
    backend, _, box, pieces = notation(start, "4d6 >= 12")
    box.focus()
    box.evaluate("(one) => one.setSelectionRange(3, 3)")
    button(pieces, "kh3: keep the highest 3").click()
    expect(box).to_have_value("4d6kh3 >= 12")
    # A number after a value is added to it.
    button(pieces, "[Attack]").click()
    expect(box).to_have_value("4d6kh3 + [Attack] >= 12")
    backend.page.wait_for_function("() => model.get('_state').texts.check.includes('kh3 + [Attack]')")
    assert backend.session.error is None


def test_an_opened_bracket_is_completed(start: Start) -> None:
    _, _, box, pieces = notation(start, "1d20 >= 12")
    box.fill("1d20 >= [")
    expect(pieces.get_by_role("button")).to_have_text(["[Attack]", "[Aim]", "[Target Defense]"])
    box.press_sequentially("a")
    expect(pieces.get_by_role("button")).to_have_text(["[Attack]", "[Aim]"])
    box.press_sequentially("i")
    expect(pieces.get_by_role("button")).to_have_text(["[Aim]"])
    button(pieces, "[Aim]").click()
    expect(box).to_have_value("1d20 >= [Aim]")
    expect(pieces.get_by_role("button")).to_have_count(7 + 3)
    # The session has read it, so that no message of this page is late.
    expect(box).to_have_attribute("aria-invalid", "false")


def test_pieces_are_reached_by_keyboard(start: Start) -> None:
    backend, _, box, pieces = notation(start, "1d20 >= 12")
    box.focus()
    backend.page.keyboard.press("Tab")
    expect(button(pieces, "2d20kh1: advantage")).to_be_focused()
    backend.page.keyboard.press("ArrowRight")
    expect(button(pieces, "2d20kl1: disadvantage")).to_be_focused()
    backend.page.keyboard.press("Enter")
    expect(box).to_have_value("2d20kl1 >= 12")
    expect(box).to_be_focused()
    assert "roll" not in backend.actions()
    # All pieces are one stop.
    backend.page.keyboard.press("Tab")
    backend.page.keyboard.press("Tab")
    assert not pieces.evaluate("(one) => one.contains(document.activeElement)")


@pytest.mark.parametrize("width", [1000, 390])
def test_the_pieces_of_a_notation_are_accessible(start: Start, width: int) -> None:
    view = {"viewport": {"width": width, "height": 844}, "has_touch": width < 400}
    backend, _, _, pieces = notation(start, "1d20 + [Attack] >= [Target Defense]", **view)
    expect(pieces.get_by_role("button")).to_have_count(7 + 3)
    check_appearance(backend.page)


# What screenshots showed


def test_the_dice_of_a_tray_stay_when_its_kernel_is_gone(start: Start) -> None:
    backend = start(TraySession(seed=7))
    panel = backend.open()
    backend.page.evaluate("() => { front.comm_live = false; front.call(); }")
    assert [die.is_visible() for die in panel.locator(".dd-tray-dice svg").all()] == [True] * 7


def test_on_a_phone_the_last_result_has_a_line_of_its_own_and_five_dice_a_row(start: Start) -> None:
    # What JupyterLab leaves of 390 pixels.
    backend = start("dungeoneers/fresh-pool", viewport={"width": 340, "height": 844})
    panel = backend.open(unfolded=False)
    before = button(panel, "Undo").bounding_box()
    button(panel, "Roll").click()
    latest = panel.locator(".dd-latest")
    expect(latest).to_contain_text("Fewest")
    assert button(panel, "Undo").bounding_box() == before
    ends = panel.evaluate("one => ['.dd-latest', '.dd-main'].map((it) => one.querySelector(it).offsetTop)")
    assert ends[0] + 15 < ends[1]
    # Where they are without the animation.
    assert len(set(panel.evaluate("one => [...one.querySelectorAll('.dd-thrown > *')].map((it) => it.offsetTop)"))) == 1


def test_a_long_result_does_not_widen_a_panel_on_a_phone(start: Start) -> None:
    backend = start("total-effect/roll", {"threshold": 18}, viewport={"width": 280, "height": 844})
    panel = backend.open(unfolded=False)
    button(panel, "Roll").click()
    expect(panel.locator(".dd-latest")).to_contain_text("Threshold missed, ")
    assert not panel.evaluate(
        "one => [...one.querySelectorAll('form *')].some((it) => it.offsetLeft + it.offsetWidth > 280)"
    )
    assert overflow(backend.page) <= 0
