"""The page of a panel, in a real Chromium but without Jupyter: see ``panel_page.py``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated

import pytest
from playwright.sync_api import Locator, Page, expect

import dicedocs
from dicedocs import Dice, Mechanic, Outcome, Places, PoolFacesKind, Say, param
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.render.svg import die_shapes
from dicedocs.rules.registry import mechanic

from .accessible import axe_violations, low_contrast, overflow
from .panel_page import CONTEXT, STYLES, Backend, ReusedPage, Start, button

pytestmark = pytest.mark.browser

INSTALLED = dicedocs.mechanics()
"""The ids at the start: other tests register games of their own."""

SPEAK_DELAY = 800
"""Milliseconds after which an error is spoken: a little longer than the delay in the page."""
TUMBLE_DELAY = 150
"""Milliseconds after which dice turn, likewise."""
WAIT_DELAY = 1600
"""Milliseconds after which a page shows that it waits for Python, likewise."""
HOLD = "() => { window.held = new Promise((go) => { window.go = go; }); }"
"""Holds all answers of Python back until `go()`."""
NAMELESS = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter((one) => !one.labels.length && !one.ariaLabel).map((one) => one.outerHTML)"""
"""Boxes without a label, at best with a placeholder."""
COVERED = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const controls = boxes("input, select, textarea, button");
  return boxes(".dd-help").flatMap((help) => {
    const over = help.getBoundingClientRect();
    return controls.filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return left < over.right - 1 && right > over.left + 1 && top < over.bottom - 1 && bottom > over.top + 1;
    }).map((one) => `${help.textContent} covers ${one.outerHTML}`);
  });
}"""
"""The help that lies over a control."""
HELP = ".dd-help { visibility: visible !important; } form > .dd-do { position: static !important; }"
"""Shows all help, and puts the buttons, which stay in view over all else, into their place."""
ROLL_ALL = """() => document.querySelectorAll(".dd-panel form")
  .forEach((one) => [...one.querySelectorAll("button")].find((it) => it.textContent === "Roll").click())"""
SAID = "() => [...document.querySelectorAll('.dd-panel [role=status]')].map((one) => one.innerText)"
UNFOLD_ALL = "() => document.querySelectorAll('details').forEach((one) => { one.open = true; })"


def active(page: Page) -> str:
    return str(page.evaluate("() => document.activeElement.ariaLabel || document.activeElement.textContent"))


# Every mechanic


def test_every_mechanic_can_be_played_and_read_and_fits(reused_pages: Callable[..., ReusedPage]) -> None:
    reused = reused_pages()
    ids = INSTALLED
    backend = reused.play(Backend(reused.page, [Session(id, seed=1) for id in ids]), alone=True)
    backend.open()
    page = reused.page
    page.evaluate(ROLL_ALL)
    expect(page.locator(".dd-past li")).to_have_count(len(ids))
    sentences = page.evaluate(SAID)
    for id, sentence, session in zip(ids, sentences, backend.sessions, strict=True):
        assert session.outcome == mechanic(id).example().play(dicedocs.SeededDice(1)), id
        assert sentence == session.state()["outcome"]["sentence"], id
        assert sentence.startswith("Roll 1. "), id
    assert page.evaluate(NAMELESS) == []
    page.evaluate(UNFOLD_ALL)
    assert not axe_violations(page, colours=False)
    for scheme, width in (("light", 1000), ("dark", 390)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        assert not low_contrast(page)
        assert overflow(page) <= 0
    page.add_style_tag(content=HELP)
    assert page.locator(".dd-help").count() > len(ids)
    for width in (1000, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(COVERED) == []
    page.emulate_media(color_scheme="null")
    page.set_viewport_size(CONTEXT["viewport"])
    assert not reused.console_errors


# Rolling


def test_enter_rolls_every_time_and_the_focus_stays(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"})
    panel = backend.open()
    box = panel.get_by_label("Expression", exact=True)
    box.focus()
    for roll in range(1, 6):
        backend.page.keyboard.press("Enter")
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
        expect(box).to_be_focused()
    assert backend.actions() == ["roll"] * 5


def test_presses_in_quick_succession_are_all_rolled(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"})
    panel = backend.open()
    roll = button(panel, "Roll")
    roll.evaluate("roll => { for (let n = 0; n < 5; n++) roll.click(); }")
    expect(panel.get_by_role("status")).to_contain_text("Roll 5. ")


def test_an_equal_roll_is_announced_again(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, seed=58)
    panel = backend.open()
    panel.get_by_label("Lock seed").check()
    status, texts = panel.get_by_role("status").element_handle(), []
    for roll in (1, 2):
        button(panel, "Roll").press("Enter")
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
        texts.append(backend.status())
    assert texts[0].replace("Roll 1", "Roll 2") == texts[1]
    assert status.evaluate("node => node.isConnected"), "a new node might not be announced"


def test_the_faces_are_shown_at_once_and_the_dice_settle(start: Start) -> None:
    backend = start("mecha-vs-kaiju/action", seed=61)
    panel = backend.open()
    assert panel.locator(".dd-settle").count() == 0
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    # The best two make the total: the 2 is the lowest.
    expected = [f"{die}, not in the total" if die.face == 2 else str(die) for die in backend.session.outcome.thrown]
    assert [die.get_attribute("aria-label") for die in panel.locator(".dd-thrown svg").all()] == expected
    moving = "() => document.querySelector('.dd-thrown').getAnimations({ subtree: true }).length"
    assert backend.page.evaluate(moving) == len(expected)


def test_nothing_moves_with_reduced_motion(start: Start) -> None:
    backend = start("mecha-vs-kaiju/action", reduced_motion="reduce")
    panel = backend.open()
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    assert backend.page.evaluate("() => document.getAnimations().length") == 0


def test_dice_tumble_until_the_answer_comes(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, still=True)
    panel = backend.open()
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    backend.page.evaluate(HOLD)
    # Else a busy machine would let the time pass by itself.
    backend.page.clock.pause_at(backend.page.evaluate("() => Date.now() + 1000"))
    button(panel, "Roll").click()
    assert panel.locator(".dd-tumble").count() == 0, "not for an answer that comes at once"
    backend.page.clock.run_for(TUMBLE_DELAY)
    assert panel.locator(".dd-tumble").count() == 1
    assert panel.locator(".dd-notice").inner_text() == ""
    backend.page.clock.run_for(WAIT_DELAY)
    expect(panel.locator(".dd-notice")).to_have_text("Waiting for Python…")
    backend.page.evaluate("() => go()")
    backend.page.clock.resume()
    expect(panel.get_by_role("status")).to_contain_text("Roll 2. ")
    expect(panel.locator(".dd-tumble")).to_have_count(0)
    expect(panel.locator(".dd-notice")).to_be_empty()


def test_the_result_is_marked_in_the_odds(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, seed=58)
    panel = backend.open()
    bars = panel.get_by_role("list", name="Odds of Total")
    assert bars.get_by_role("listitem").count() == 16
    assert panel.locator(".dd-here").count() == 0
    button(panel, "Roll").click()
    here = panel.locator(".dd-here")
    expect(here).to_contain_text("this roll")
    assert here.inner_text().split()[0] == str(backend.session.outcome.fact("total"))
    panel.get_by_label("Odds of", exact=True).select_option("Raw")
    expect(panel.get_by_role("list", name="Odds of Raw")).to_be_visible()


def test_the_bar_of_all_others_is_named(start: Start) -> None:
    backend = start("dice/roll", {"notation": "5d6kh4"})
    panel = backend.open()
    panel.get_by_label("Odds of", exact=True).select_option("Kept")
    bars = panel.get_by_role("list", name="Odds of Kept").get_by_role("listitem")
    expect(bars.last).to_contain_text("others")
    expect(bars.last).not_to_have_class("dd-mute")


# Errors


def alerts(panel: Locator) -> str:
    return " ".join(panel.get_by_role("alert").all_inner_texts()).strip()


def test_an_error_is_shown_at_once_and_spoken_after_a_pause(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, still=True)
    panel = backend.open()
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    before = panel.locator(".dd-outcome").inner_text()
    box = panel.get_by_label("Expression", exact=True)
    box.fill("3d6 + * 2")
    wrong = panel.locator(".dd-wrong:visible")
    expect(wrong).to_contain_text("column 7")
    expect(box).to_have_attribute("aria-invalid", "true")
    text, caret = wrong.locator("pre").inner_text().split("\n")
    assert text[caret.index("^")] == "*"
    assert alerts(panel) == ""
    backend.page.clock.run_for(SPEAK_DELAY)
    assert "column 7" in alerts(panel)
    assert "^" not in alerts(panel)
    assert panel.locator(".dd-outcome").inner_text() == before
    assert not axe_violations(backend.page)
    assert not low_contrast(backend.page)
    box.fill("3d6 + 2")
    expect(wrong).to_have_count(0)
    expect(box).to_have_attribute("aria-invalid", "false")
    assert alerts(panel) == ""


def test_enter_speaks_an_error_again(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"})
    panel = backend.open()
    box = panel.get_by_label("Expression", exact=True)
    box.fill("3d6 +")
    backend.page.evaluate("""() => { window.spoken = 0; new MutationObserver((all) => {
      for (const one of all) if (one.target.textContent) window.spoken++;
    }).observe(document.querySelector("[role=alert].dd-unseen"), { childList: true }); }""")
    for times in (1, 2):
        box.press("Enter")
        backend.page.wait_for_function(f"() => spoken === {times}", timeout=2000)
    expect(box).to_be_focused()
    assert backend.session.rolls == 0


def test_leaving_a_box_speaks_its_error(start: Start) -> None:
    backend = start("total-effect/roll")
    panel = backend.open()
    box = panel.get_by_label("Advantage", exact=True)
    box.fill("much")
    expect(panel.locator(".dd-wrong:visible")).to_contain_text("'much' is not a whole number")
    assert alerts(panel) == ""
    box.press("Tab")
    expect(panel.get_by_role("alert").filter(has_text="much")).to_have_count(1, timeout=500)


def test_a_message_that_fails_is_shown_and_the_next_one_works(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"})
    panel = backend.open()
    backend.failure = "The rule broke: division by zero"
    button(panel, "Roll").click()
    expect(panel.locator(".dd-notice")).to_have_text(backend.failure)
    backend.failure = ""
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    expect(panel.locator(".dd-notice")).to_be_empty()


def test_without_a_kernel_a_notice_is_shown_and_the_outcome_stays(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"})
    panel = backend.open()
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    shown = panel.locator(".dd-outcome").inner_text()
    backend.page.evaluate("() => { front.comm_live = false; front.call(); }")
    expect(panel.locator(".dd-notice")).to_contain_text("Python is not running")
    expect(panel.locator(".dd-notice")).to_contain_text("copy this log first")
    sent = backend.sent()
    for name in ("Roll", "Undo", "Next seed"):
        expect(button(panel, name)).to_have_attribute("aria-disabled", "true")
        button(panel, name).press("Enter")
    panel.get_by_label("Expression", exact=True).press("Enter")
    assert backend.sent() == sent
    assert panel.locator(".dd-outcome").inner_text() == shown
    assert not axe_violations(backend.page)
    assert not low_contrast(backend.page)


# One request in flight


def test_an_older_answer_never_overwrites_a_newer_text(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "1d6"})
    panel = backend.open()
    box = panel.get_by_label("Expression", exact=True)
    backend.page.evaluate(HOLD)
    box.fill("2d6")
    backend.page.wait_for_function("() => model.sent.at(-1).texts.expression === '2d6'")
    box.fill("3d6 +")
    # A timer that is set after the page's own of 30 ms.
    backend.page.evaluate("() => new Promise((done) => setTimeout(done, 31))")
    assert backend.received[-1]["texts"] == {"expression": "2d6"}
    box.evaluate("""box => {
      const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
      window.written = [];
      Object.defineProperty(box, "value", {
        get() { return get.call(box); },
        set(text) { window.written.push(text); set.call(box, text); },
      });
    }""")
    backend.page.evaluate("() => go()")
    expect(panel.locator(".dd-wrong:visible")).to_contain_text("column")
    assert box.input_value() == "3d6 +"
    assert "2d6" not in backend.page.evaluate("() => written")
    assert backend.received[-1]["texts"] == {"expression": "3d6 +"}
    assert [message["n"] for message in backend.received] == list(range(1, len(backend.received) + 1))


def test_what_is_typed_after_an_action_does_not_change_it(start: Start) -> None:
    backend = start("total-effect/roll")
    panel = backend.open()
    # Compare has to wait for the answer to the roll; meanwhile somebody types.
    panel.evaluate("""(panel) => {
        const press = (name) => [...panel.querySelectorAll("button")].find((one) => one.textContent === name).click();
        press("Roll");
        press("Compare");
        const box = [...panel.querySelectorAll("input")].find((one) => one.labels[0]?.textContent === "Advantage");
        box.value = "2";
        box.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    expect(panel.locator(".dd-key b")).to_have_text(["Advantage 0", "Advantage 2"])
    assert backend.actions() == ["roll", "pin", "set"]


def test_two_views_have_different_ids_and_the_same_state(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "1d6"}, alone=True)
    backend.open(views=2)
    page = backend.page
    ids = page.evaluate("() => [...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids))
    one, other = page.get_by_label("Expression", exact=True).all()
    one.focus()
    page.keyboard.press("End")
    page.keyboard.type(" + 2")
    expect(other).to_have_value("1d6 + 2")
    expect(one).to_be_focused()
    page.keyboard.press("Enter")
    for panel in page.locator(".dd-panel").all():
        expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
        expect(panel.locator(".dd-past li")).to_have_count(1)
    assert page.locator("style#dicedocs-test").count() == 1
    page.evaluate("() => removers[0]()")
    assert page.locator(".dd-panel").count() == 1
    assert page.evaluate("() => model.listeners('change:_state') + model.listeners('msg:custom')") == 2


# Keys


def test_control_z_undoes_outside_text_boxes_alone(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"})
    panel = backend.open()
    for roll in (1, 2):
        button(panel, "Roll").click()
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
    sent = backend.sent()
    panel.get_by_label("Expression", exact=True).press("Control+z")
    assert backend.sent() == sent
    button(panel, "Roll").press("Control+z")
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    button(panel, "Undo").click()
    expect(panel.get_by_role("status")).to_have_text("No roll yet.")
    expect(button(panel, "Undo")).to_have_attribute("aria-disabled", "true")
    expect(button(panel, "Undo")).to_be_focused()
    sent = backend.sent()
    button(panel, "Undo").press("Enter")
    assert backend.sent() == sent
    button(panel, "Redo").press("Control+Shift+z")
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    button(panel, "Redo").press("Control+Shift+z")
    expect(panel.get_by_role("status")).to_contain_text("Roll 2. ")
    button(panel, "Roll").press("Control+z")
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    button(panel, "Roll").press("Control+y")
    expect(panel.get_by_role("status")).to_contain_text("Roll 2. ")
    expect(button(panel, "Redo")).to_have_attribute("aria-disabled", "true")


def test_keys_do_not_reach_the_notebook(start: Start) -> None:
    backend = start("mecha-vs-kaiju/action", alone=True)
    panel = backend.open()
    backend.page.evaluate("() => { window.keys = []; document.onkeydown = (event) => { keys.push(event.key); }; }")
    button(panel, "Roll").focus()
    for key in ("d", "d", "ArrowDown", "ArrowUp", "x", "a", "Escape", "Delete"):
        backend.page.keyboard.press(key)
    panel.get_by_label("Modifier", exact=True).press("ArrowUp")
    assert backend.page.evaluate("() => keys") == []
    backend.page.keyboard.press("Control+s")
    assert backend.page.evaluate("() => keys.includes('s')")


def test_arrows_count_within_the_bounds(start: Start) -> None:
    backend = start("total-effect/roll")
    panel = backend.open()
    box = panel.get_by_label("Advantage", exact=True)
    box.press("ArrowDown")
    expect(box).to_have_value("0")
    box.press("ArrowUp")
    box.press("ArrowUp")
    expect(box).to_have_value("2")
    button(panel, "Advantage: one less").click()
    expect(box).to_have_value("1")
    backend.page.wait_for_function("() => model.get('_state').texts.advantage === '1'")
    assert backend.session.inputs.values["advantage"] == 1


# Controls with parts


def test_dice_are_added_and_removed_and_arrows_go_among_them(start: Start) -> None:
    backend = start("mecha-vs-kaiju/action")
    panel = backend.open()
    boost = panel.get_by_role("group", name="Boost", exact=True)
    for name in ("Add d8", "Add d10", "Add d8"):
        button(boost, name).click()
    dice = boost.locator(".dd-dice > button")
    expect(dice).to_have_count(3)
    dice.first.focus()
    backend.page.keyboard.press("ArrowRight")
    expect(dice.nth(1)).to_be_focused()
    backend.page.keyboard.press("End")
    expect(dice.nth(2)).to_be_focused()
    assert [die.get_attribute("tabindex") for die in dice.all()] == ["-1", "-1", "0"]
    backend.page.keyboard.press("Space")
    expect(dice).to_have_count(2)
    assert active(backend.page) != ""
    assert backend.page.evaluate("() => !!document.activeElement.closest('.dd-panel')")
    backend.page.wait_for_function("() => model.get('_state').parts.boost.length === 2")
    assert backend.session.inputs.values["boost"] == (8, 10)
    boost.get_by_text("Other").click()
    boost.get_by_label("Sides", exact=True).fill("6")
    button(boost, "Boost: add a die with another number of sides").click()
    expect(dice).to_have_count(3)
    boost.get_by_label("Sides", exact=True).press("Enter")
    expect(dice).to_have_count(4)
    backend.page.wait_for_function("() => model.get('_state').parts.boost.length === 4")
    assert backend.session.state()["parts"]["boost"] == [8, 10, 6, 6]
    assert backend.session.rolls == 0


def test_dice_of_a_field_are_pressed(start: Start) -> None:
    backend = start("dungeoneers/action-roll")
    panel = backend.open()
    spend = panel.get_by_role("group", name="Spend dice")
    first = spend.get_by_role("button", name="Die 1 showing 4")
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    backend.page.wait_for_function("() => model.get('_state').parts.spend.length === 1")
    assert backend.session.inputs.values["spend"] == (1,)
    pool = panel.get_by_role("group", name="Pool")
    button(pool, "Pool: one die more").click()
    expect(spend.get_by_role("button")).to_have_count(6)
    button(pool, "Die 6 showing 1").click()
    expect(button(pool, "Die 6 showing 2")).to_be_focused()
    for face in range(2, 7):
        button(pool, f"Die 6 showing {face}").click()
    backend.page.wait_for_function("() => model.get('_state').parts.pool[5] === '1'")
    assert backend.session.inputs.values["pool"][-1] == 1
    button(pool, "Pool: one die fewer").click()
    expect(spend.get_by_role("button")).to_have_count(5)


def test_resources_are_rows_of_names_and_values(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "[Strength]", "actor": {"Strength": 4}})
    panel = backend.open()
    actor = panel.get_by_role("group", name="Actor")
    strength = actor.get_by_role("group", name="Strength")
    strength.get_by_label("Value", exact=True).fill("9")
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Total 9")
    button(actor, "Add to Actor").click()
    expect(actor.get_by_label("Name").nth(1)).to_be_focused()
    backend.page.keyboard.type("Wits")
    backend.page.keyboard.press("Tab")
    backend.page.keyboard.type("3")
    backend.page.wait_for_function("() => model.get('_state').parts.actor[1]?.value === '3'")
    button(actor, "Remove Wits").click()
    expect(actor.get_by_role("group")).to_have_count(1)
    button(actor, "Remove Strength").press("Enter")
    expect(panel.locator(".dd-wrong:visible")).to_contain_text("Strength")
    assert backend.page.evaluate("() => !!document.activeElement.closest('.dd-panel')")


def test_rows_are_named_after_their_first_column_and_fold_optional_ones(start: Start) -> None:
    backend = start("mage-in-the-metal/contest")
    panel = backend.open()
    rusk = panel.get_by_role("group", name="Rusk", exact=True)
    assert not rusk.get_by_label("Training", exact=True).is_visible()
    rusk.get_by_text("More").click()
    rusk.get_by_label("Training", exact=True).fill("5")
    backend.page.wait_for_function("() => model.get('_state').parts.contestants[1].training === '5'")
    rusk.get_by_label("Name", exact=True).fill("Rusk II")
    expect(panel.get_by_role("group", name="Rusk II", exact=True)).to_be_visible()
    expect(panel.get_by_role("group", name="Rusk II").get_by_label("Name", exact=True)).to_be_focused()
    button(panel, "Add to Contestants").click()
    expect(panel.get_by_role("group", name="Contestants 3")).to_be_visible()
    button(panel, "Remove Contestants 3").press("Enter")
    expect(button(panel, "Remove Rusk II")).to_be_focused()


def test_words_are_pressed_and_steppers_end_at_their_bounds(start: Start) -> None:
    backend = start("total-effect/roll")
    panel = backend.open()
    words, box = panel.get_by_role("group", name="Effect: pieces to insert"), panel.get_by_label("Effect", exact=True)
    # One of the words, or a number that is typed.
    for word, text in (("mid", "mid"), ("low", "low"), ("low", "")):
        button(words, word).click()
        expect(box).to_have_value(text)
        expect(words.locator("[aria-pressed=true]")).to_have_text([text] * bool(text))
    box.fill("4")
    button(words, "high").click()
    button(panel, "Roll").click()
    assert backend.session.inputs.values["effect"] == "high"
    expect(button(panel, "Advantage: one less")).to_have_attribute("aria-disabled", "true")
    panel.get_by_label("Advantage", exact=True).fill("1")
    expect(button(panel, "Advantage: one less")).to_have_attribute("aria-disabled", "false")


def test_a_list_has_any_of_its_words_and_a_number_says_its_bounds(start: Start) -> None:
    backend = start("mage-in-the-metal/check")
    panel = backend.open()
    words = panel.get_by_role("group", name="Favor: pieces to insert")
    for word in ("with", "without", "with"):
        button(words, word).click()
    button(panel, "Roll").click()
    assert backend.session.inputs.values["favor"] == ("without",)
    assert axe_violations(backend.page) == []
    size = start("dungeoneers/fresh-pool").open().get_by_label("Size", exact=True)
    expect(size).to_have_accessible_description(re.compile("1 to 100"))


def test_help_is_shown_until_somebody_types(start: Start) -> None:
    backend = start("total-effect/roll")
    panel = backend.open()
    help = {field["name"]: field["help"] for field in backend.session.form()["fields"]}
    box, mine = panel.get_by_label("Advantage", exact=True), panel.get_by_text(help["advantage"], exact=True)
    other = panel.get_by_text(help["escalation"], exact=True)
    expect(box).to_have_accessible_description(help["advantage"])
    assert not mine.is_visible()
    box.focus()
    expect(mine).to_be_visible()
    assert not low_contrast(backend.page)
    panel.get_by_label("Escalation", exact=True).hover()
    expect(other).to_be_visible()
    backend.page.keyboard.press("Escape")
    expect(other).to_be_hidden()
    expect(mine).to_be_hidden()
    box.blur()
    box.focus()
    expect(mine).to_be_visible()
    box.press("1")
    expect(mine).to_be_hidden()


# On a phone

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
SMALL = """() => [...document.querySelectorAll("input, select, button, summary")].filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return one.checkVisibility() && (width < 43.9 || height < 43.9);
}).map((one) => one.outerHTML)"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_roll_and_result_are_in_view_on_a_phone(start: Start) -> None:
    backend = start("mecha-vs-kaiju/action", **PHONE)
    panel = backend.open()
    expect(button(panel, "Roll")).to_be_in_viewport(ratio=1)
    button(panel, "Roll").tap()
    result = panel.locator(".dd-latest")
    outcome = backend.state()["outcome"]
    expect(result).to_contain_text(f"{outcome['headline']} · Roll 1")
    # One that does not count stands in parentheses in the text.
    expect(result.locator("svg text")).to_have_text(outcome["faces"].replace("(", "").replace(")", "").split())
    expect(result).to_be_in_viewport(ratio=1)
    backend.page.evaluate("() => scrollTo(0, 500)")
    expect(result).to_be_in_viewport(ratio=1)


def test_a_finger_can_hit_every_control_and_nothing_is_cut_off(reused_pages: Callable[..., ReusedPage]) -> None:
    reused = reused_pages(**PHONE)
    page, sessions = reused.page, [TraySession(seed=1), *(Session(id, seed=1) for id in INSTALLED)]
    backend = reused.play(Backend(page, sessions))
    backend.open()
    page.evaluate(ROLL_ALL)
    expect(page.locator(".dd-past li")).to_have_count(len(sessions))
    page.evaluate(UNFOLD_ALL)
    assert page.evaluate(SMALL) == []
    assert overflow(page) <= 0
    # What JupyterLab leaves of such a phone.
    page.set_viewport_size({"width": 290, "height": 844})
    assert page.locator(".dd-scale:not([hidden])").count() > 3
    assert page.evaluate(CUT) == []
    assert page.evaluate(WRAPPED) == []
    page.set_viewport_size(PHONE["viewport"])
    assert not reused.console_errors


def test_the_five_dice_of_a_table_stand_in_a_row(start: Start) -> None:
    player = pytest.importorskip("dicedocs_widgets.panels.dungeoneers").PLAYER
    session = GameSession(player, {"stat": 4, "difficulty": 8}, seed=3)
    session.play("round")
    backend = start(session, **PHONE)
    panel = backend.open(unfolded=False)
    dice = panel.locator(".dd-game .dd-dice > button")
    dice.first.tap()
    expect(panel.locator(".dd-game .dd-dice > [aria-pressed=true]")).to_have_count(1)
    for width in (290, 390):
        backend.page.set_viewport_size({"width": width, "height": 844})
        boxes = dice.evaluate_all("(dice) => dice.map((one) => one.getBoundingClientRect().toJSON())")
        assert len({box["top"] for box in boxes}) == 1
        assert min(box["width"] for box in boxes) >= 44
        assert overflow(backend.page) <= 0


# Seeds, history, export


def test_an_invalid_seed_stays_in_its_box_with_its_error(start: Start) -> None:
    panel = start("methuen/expression", {"expression": "3d6 +"}, seed=58).open()
    seed = panel.get_by_label("Seed", exact=True)
    seed.fill("x" * 101)
    wrong = panel.locator(".dd-is-seed .dd-wrong")
    expect(wrong).to_contain_text("101 characters in a seed")
    expect(seed).to_have_attribute("aria-invalid", "true")
    seed.press("Enter")
    expect(panel.get_by_role("alert").filter(has_text="101 characters")).to_have_count(1)
    seed.fill("7")
    expect(wrong).to_be_hidden()
    expect(seed).to_have_attribute("aria-invalid", "false")


def test_an_entry_of_the_history_restores_its_parameters_and_seed(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, seed=58)
    panel = backend.open()
    box = panel.get_by_label("Expression", exact=True)
    box.press("Enter")
    box.fill("1d20")
    box.press("Enter")
    entries = panel.locator(".dd-past li > button:first-child")
    expect(entries).to_have_count(2)
    entries.first.focus()
    backend.page.keyboard.press("ArrowDown")
    expect(entries.nth(1)).to_be_focused()
    backend.page.keyboard.press("Enter")
    expect(box).to_have_value("3d6")
    expect(panel.get_by_label("Seed", exact=True)).to_have_value("58")
    button(panel, "Clear history").click()
    expect(entries).to_have_count(0)
    expect(button(panel, "Roll")).to_be_focused()


def test_the_focus_in_the_history_stays_with_its_roll(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"})
    panel = backend.open()
    roll, entries = button(panel, "Roll"), panel.locator(".dd-past li > button:first-child")
    for number in (1, 2):
        roll.click()
        expect(entries).to_have_count(number)
    entries.last.focus()
    backend.session.receive({"do": "roll"})
    backend.page.evaluate(
        "(log) => model.emit('msg:custom', { for: {}, history: log, left_out: 'The last 3 of 9 rolls.' })",
        backend.session.reply()["history"],
    )
    expect(entries).to_have_count(3)
    expect(entries.last).to_be_focused()
    expect(panel.locator(".dd-past > small")).to_have_text("The last 3 of 9 rolls.")
    for left in (2, 1):
        backend.page.keyboard.press("Control+z")
        expect(entries).to_have_count(left)
        expect(entries.last).to_be_focused()
    backend.page.keyboard.press("Control+z")
    expect(entries).to_have_count(0)
    expect(roll).to_be_focused()


def test_code_and_directives_are_copied_and_can_be_selected(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, seed=58)
    panel = backend.open()
    assert panel.get_by_text("Code and directive").is_hidden()
    button(panel, "Roll").click()
    panel.get_by_text("Code and directive").click()
    expected = {"Python": "code", "Markdown": "directive", "reStructuredText": "directive_rst"}
    for name, attribute in expected.items():
        expect(panel.get_by_label(name, exact=True)).to_have_value(getattr(backend.session.view, attribute))
        copy = button(panel, f"Copy {name}")
        copy.click()
        expect(copy).to_be_focused()
        status = copy.locator("xpath=preceding-sibling::*[1]")
        expect(status).to_have_text("Copied")
        backend.page.evaluate("""() => {
          const box = Object.assign(document.createElement("textarea"), { id: "pasted", ariaLabel: "Pasted" });
          document.querySelector("main").append(box);
          box.focus();
        }""")
        backend.page.keyboard.press("Control+v")
        assert backend.page.locator("#pasted").input_value() == getattr(backend.session.view, attribute)
        backend.page.evaluate("() => document.querySelector('#pasted').remove()")
    assert not axe_violations(backend.page)
    code = backend.session.view.code
    button(panel, "Roll").click()
    expect(panel.get_by_label("Python", exact=True)).not_to_have_value(code)
    assert panel.get_by_label("Python", exact=True).input_value() == backend.session.view.code


# Untrusted text, and appearance


def test_text_from_anywhere_is_escaped(start: Start) -> None:
    bad = "<img src=x onerror=window.hurt=1>"
    backend = start("ember/haul", {"note": bad, "crew": f"{bad}: skill 2; Bo: skill 1"}, alone=True)
    backend.session.label = bad
    form = backend.session.form()
    for field in form["fields"]:
        field["help"] = field["label"] = bad
    backend.session.form = lambda: form | {"title": bad, "help": bad}
    panel = backend.open(
        error={"text": bad},
        game={
            "note": bad,
            "dice": [{"sides": 6, "face": bad, "state": bad, "pressed": bad}],
            "gauges": [{"label": bad, "value": 1, "of": 2}],
            "plays": [{"id": "x", "label": bad, "can": True, "why": bad}],
        },
    )
    backend.session.receive({"do": "roll"})
    backend.page.evaluate("(state) => model.setState(state)", backend.state())
    backend.page.evaluate(
        "(log) => model.emit('msg:custom', { for: {}, history: log })", backend.session.reply()["history"]
    )
    expect(panel.locator(".dd-past li > button:first-child")).to_have_count(1)
    assert backend.page.evaluate("() => window.hurt") is None
    assert panel.locator("img").count() == 0


GAME = {
    "note": "Round 2",
    "dice": [
        {"sides": 6, "face": 4, "state": "", "pressed": "spend"},
        {"sides": 6, "face": 3, "state": "exhausted", "pressed": ""},
        {"sides": 6, "face": 6, "state": "", "pressed": ""},
    ],
    "gauges": [{"label": "Dice left", "value": 1, "of": 4}, {"label": "Stress", "value": 7, "of": None}],
    "plays": [
        {"id": "act", "label": "Act", "can": True, "why": "", "main": True},
        {"id": "rest", "label": "Rest", "can": False, "why": "not in a fight"},
    ],
}


def test_the_dice_and_plays_of_a_game_are_pressed(start: Start) -> None:
    backend = start("dungeoneers/fresh-pool")
    panel = backend.open(game=GAME)
    dice = panel.get_by_role("group", name="Dice", exact=True).get_by_role("button")
    assert [die.get_attribute("aria-label") for die in dice.all()] == [
        "Die 1 showing 4, to spend",
        "Die 2 showing 3, exhausted",
        "Die 3 showing 6",
    ]
    assert [die.get_attribute("aria-pressed") for die in dice.all()] == ["true", "false", "false"]
    assert [die.get_attribute("aria-disabled") for die in dice.all()] == ["false", "true", "false"]
    expect(dice.nth(1)).to_contain_text("exhausted")  # seen, and not by colour alone
    expect(dice.nth(1).locator(".dice-is-exhausted")).to_have_count(1)
    assert button(panel, "Roll").is_hidden()
    assert panel.locator(".dd-gauges").inner_text().split() == ["Dice", "left", "1", "of", "4", "Stress", "7"]
    assert panel.get_by_role("meter").count() == 1
    backend.failure = "refused"
    dice.first.focus()
    backend.page.keyboard.press("ArrowRight")
    expect(dice.nth(1)).to_be_focused()
    backend.page.keyboard.press("Enter")
    dice.nth(2).click()
    expect(panel.locator(".dd-notice")).to_have_text("refused")
    button(panel, "Act").click()
    button(panel, "Rest").click(force=True)
    backend.page.wait_for_function("() => model.sent.filter((one) => one.do === 'press').length === 2")
    assert [{key: one.get(key) for key in ("die", "play")} for one in backend.received if one["do"] == "press"] == [
        {"die": 3, "play": None},
        {"die": None, "play": "act"},
    ]
    assert not axe_violations(backend.page)
    assert not low_contrast(backend.page)


def test_no_button_moves_under_the_hand_that_presses_it(reused_pages: Callable[..., ReusedPage]) -> None:
    player = pytest.importorskip("dicedocs_widgets.panels.dungeoneers").PLAYER
    reused = reused_pages()
    backend = reused.play(Backend(reused.page, [GameSession(player, seed=1)]))
    panel = backend.open()
    for roll, name in enumerate(("Start player phase", "Action roll", "Use ability", "Rest", "Action roll"), 1):
        before = button(panel, name).bounding_box()
        button(panel, name).click()
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
        assert button(panel, name).bounding_box() == before


def test_further_rolls_leave_the_height_of_a_panel(start: Start) -> None:
    backend = start("total-effect/roll", {"threshold": 13, "effect": "low"})
    panel = backend.open()
    heights = set()
    for roll in range(1, 8):
        button(panel, "Roll").click()
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
        expect(panel.locator(".dd-past li")).to_have_count(roll)
        heights.add(panel.evaluate("it => it.offsetHeight"))
    assert len(heights) == 1


def test_enter_makes_the_play_of_its_field(reused_pages: Callable[..., ReusedPage]) -> None:
    player = pytest.importorskip("dicedocs_widgets.panels.dungeoneers").PLAYER
    reused = reused_pages()
    backend = reused.play(Backend(reused.page, [GameSession(player, seed=1)]))
    panel = backend.open()
    expect(panel.locator(".dd-main:not([hidden])")).to_have_text("Start player phase")
    button(panel, "Start player phase").click()
    expect(panel.locator(".dd-main:not([hidden])")).to_have_text("Action roll")
    for label, roll in (("Ability", 2), ("Size", 2), ("Stat", 3)):
        panel.get_by_label(label, exact=True).press("Enter")
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
    made = [entry["mechanic"].partition("/")[2] for entry in backend.session.history]
    assert made == ["player-phase", "timer", "action-roll"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_of_the_host_overrides_that_of_the_system(start: Start, theme: str) -> None:
    backend = start("total-effect/roll", alone=True, color_scheme="dark" if theme == "light" else "light")
    backend.open()
    backend.page.evaluate("(theme) => { document.body.dataset.theme = theme; }", theme)
    ground = backend.page.evaluate("() => getComputedStyle(document.querySelector('.dd-panel')).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (theme == "light")
    assert not low_contrast(backend.page)


def test_forced_colours_keep_what_is_marked(start: Start) -> None:
    backend = start("dungeoneers/player-phase", forced_colors="active")
    panel = backend.open()
    button(panel, "Roll").click()
    expect(panel.locator(".dd-here")).to_have_count(1)
    bar = panel.locator(".dd-here i").evaluate("bar => getComputedStyle(bar).backgroundColor")
    ground = panel.evaluate("panel => getComputedStyle(panel).backgroundColor")
    assert bar != ground
    pressed = panel.locator(".dd-dice > [aria-pressed=true]").first
    edge = "die => getComputedStyle(die).borderTopColor"
    assert pressed.evaluate(edge) != panel.locator(".dd-dice > [aria-pressed=false]").first.evaluate(edge)


# At the table


def test_the_verdict_comes_first_in_words_and_is_not_told_by_colour_alone(start: Start) -> None:
    backend = start("methuen/check", {"check": "1d20 >= 11"})
    panel = backend.open()
    looks = {}
    for seed in range(1, 7):
        backend.session.seed = seed
        button(panel, "Roll").click()
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {seed}. ")
        face = backend.session.outcome.dice[0]
        expected = f"✓Success {face} vs 11" if face >= 11 else f"✗Failure {face} vs 11"
        shown = panel.locator(".dd-verdict")
        expect(shown).to_have_text(expected)
        looks[expected[0]] = shown.locator("b").evaluate("one => getComputedStyle(one).color")
    assert len(set(looks.values())) == 2
    assert panel.locator(".dd-outcome .dice-result").count() == 0, "every fact is told"


def test_what_is_rarely_changed_is_folded_until_it_is_wrong(start: Start) -> None:
    backend = start("mecha-vs-kaiju/action")
    panel = backend.open(unfolded=False)
    for label in ("Choice", "Keep", "Label", "Seed"):
        expect(panel.get_by_label(label, exact=True)).to_be_hidden()
    # It was 831 px from the top of the panel, with all fields.
    assert button(panel, "Roll").bounding_box()["y"] - panel.bounding_box()["y"] <= 0.6 * 831
    backend.session.receive({"do": "set", "texts": {"keep": "many"}})
    backend.page.evaluate("(state) => model.setState(state)", backend.state())
    button(panel, "Roll").click()
    expect(panel.get_by_label("Keep", exact=True)).to_be_visible()


def test_the_result_stays_in_view_beside_roll(start: Start) -> None:
    backend = start("dungeoneers/group-roll", {"members": "; ".join(f"M{index}: stat 1" for index in range(9))})
    panel = backend.open()
    button(panel, "Roll").scroll_into_view_if_needed()
    button(panel, "Roll").click()
    expect(panel.locator(".dd-verdict")).to_be_in_viewport(ratio=1)


def test_dice_stand_with_those_who_threw_them(start: Start) -> None:
    backend = start("mage-in-the-metal/contest", {"contestants": "Ash: skill 9; Bo: skill 9, favor with"})
    panel = backend.open()
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    faces = backend.session.outcome.dice
    for name, own in (("Ash", faces[:3]), ("Bo", faces[3:])):
        drawn = panel.get_by_role("list", name=name).locator("svg").all()
        assert [die.get_attribute("aria-label") for die in drawn] == [f"d6 showing {face}" for face in own]


def test_unusual_dice_are_named(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "1d7 + 1d6 + 1d100"})
    panel = backend.open()
    button(panel, "Roll").click()
    expect(panel.locator(".dd-thrown small")).to_have_text(["d7", "d100"])


def test_the_log_says_when_and_what_was_rolled(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, seed=61)
    panel = backend.open()
    panel.get_by_label("Label", exact=True).fill("Bolt of the deep and never ending sea " * 4)
    before = backend.page.evaluate("() => new Date().toTimeString().slice(0, 5)")
    button(panel, "Roll").click()
    row = panel.locator(".dd-past li > button:first-child")
    expect(row).to_contain_text("3d6: 4 2 5")
    expect(row.locator("b")).to_have_text("Total 11")
    after = backend.page.evaluate("() => new Date().toTimeString().slice(0, 5)")
    assert row.locator(".dd-time").inner_text() in {before, after}
    parts = [part.bounding_box() for part in row.locator("> *").all()]
    for index, one in enumerate(parts):
        for other in parts[:index]:
            apart_x = one["x"] >= other["x"] + other["width"] - 1 or other["x"] >= one["x"] + one["width"] - 1
            apart_y = one["y"] >= other["y"] + other["height"] - 1 or other["y"] >= one["y"] + one["height"] - 1
            assert apart_x or apart_y, "nothing is printed over something else"


def test_the_log_is_copied_as_text_csv_and_markdown(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, seed=61)
    panel = backend.open()
    button(panel, "Roll").click()
    panel.get_by_text("Copy the log").click()
    box = panel.get_by_label("Log", exact=True)
    for format in ("text", "csv", "markdown"):
        panel.get_by_label("Format").select_option(format)
        expect(box).to_have_value(backend.session.written_log(format))
    button(panel, "Copy Log").click()
    expect(panel.get_by_text("Copied")).to_be_visible()


def test_a_roll_is_pinned_by_keyboard(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"})
    panel = backend.open()
    rows = panel.locator(".dd-past li > button:first-child")
    for number in (1, 2):
        button(panel, "Roll").click()
        expect(rows).to_have_count(number)
    rows.first.focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        backend.page.keyboard.press(key)
    expect(rows.first).to_contain_text("1")
    expect(button(panel, "Pin roll 1")).to_have_attribute("aria-pressed", "true")
    assert not axe_violations(backend.page)


def test_a_removed_row_comes_back_with_ctrl_z_and_its_button_follows_its_boxes(start: Start) -> None:
    backend = start("dungeoneers/group-roll")
    panel = backend.open()
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    first = panel.locator(".dd-rows fieldset").first
    order = first.evaluate("row => [...row.querySelectorAll('input, summary, button')].map((one) => one.ariaLabel)")
    assert order[-1] == "Remove Freya"
    button(panel, "Remove Freya").click()
    expect(panel.locator(".dd-rows fieldset")).to_have_count(1)
    button(panel, "Remove Ulfarmi").focus()
    backend.page.keyboard.press("Control+z")
    expect(panel.locator(".dd-rows fieldset")).to_have_count(2)
    assert len(backend.session.entries) == 1


def test_a_wrong_number_of_sides_is_told(start: Start) -> None:
    backend = start("mecha-vs-kaiju/action")
    panel = backend.open()
    dice = panel.get_by_role("group", name="Pool")
    dice.get_by_text("Other").click()
    sides = dice.get_by_role("textbox", name="Sides")
    for text in ("2.5", "0", "1,000"):
        sides.fill(text)
        sides.press("Enter")
        expect(dice.locator(".dd-wrong").first).to_contain_text(f"{text} is not a number of sides")
    assert backend.session.state()["parts"]["pool"] == [20, 8, 10]
    sides.fill("12")
    sides.press("Enter")
    expect(dice.locator(".dd-dice > button")).to_have_count(4)
    expect(dice.locator(".dd-wrong").first).to_be_hidden()


def test_enter_on_a_select_rolls_every_time(start: Start) -> None:
    backend = start("mecha-vs-kaiju/action")
    panel = backend.open()
    panel.get_by_label("Choice").focus()
    for roll in (1, 2, 3, 4):
        backend.page.keyboard.press("Enter")
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")


def test_dice_move_for_at_most_four_tenths_of_a_second(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "5d6"}, seed=2)
    panel = backend.open()
    for roll in (1, 2):
        button(panel, "Roll").click()
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
    backend.finish_answer()
    times = backend.page.evaluate("() => document.getAnimations().map((one) => one.effect.getComputedTiming().endTime)")
    assert max(times, default=0) <= 400


def test_a_sound_is_heard_only_when_it_is_switched_on(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "1d6"}, alone=True)
    panel = backend.open()
    backend.page.evaluate("""() => {
      window.sounds = 0;
      const real = AudioContext;
      window.AudioContext = function (...how) { sounds++; return new real(...how); };
    }""")
    for roll, expected in ((1, 0), (2, 2)):
        button(panel, "Roll").click()
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
        backend.finish_answer()
        button(panel, f"Pin roll {roll}").click()
        expect(button(panel, f"Pin roll {roll}")).to_have_attribute("aria-pressed", "true")
        backend.finish_answer()
        assert backend.page.evaluate("() => sounds") == expected
        panel.get_by_label("Sound").click()
    assert backend.page.evaluate("() => localStorage.length") == 0


# A host of its own


SHADOW = """async ([form, state, css]) => {
  const { HostModel } = await import("/host.mjs"), { render } = await import("/panel.mjs");
  window.model = new HostModel({ _form: form, _state: state });
  const host = document.createElement("div"), el = document.createElement("div");
  host.attachShadow({ mode: "open" }).append(el);
  document.querySelector("main").append(host);
  for (const view of [el, el]) render({ model, el: view }, css, "dicedocs-test");
}"""


def test_a_panel_in_a_shadow_root_has_its_styles_and_keeps_the_focus(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, alone=True)
    backend.page.evaluate(SHADOW, [backend.session.form(), backend.state(), STYLES])
    panel = backend.page.locator(".dd-panel").first
    expect(panel).to_have_css("container-type", "inline-size")
    assert backend.page.evaluate("() => document.head.querySelectorAll('style#dicedocs-test').length") == 0
    assert backend.page.locator("style#dicedocs-test").count() == 1
    rows = panel.locator(".dd-past li > button:first-child")
    for number in (1, 2):
        button(panel, "Roll").click()
        expect(rows).to_have_count(number)
    rows.first.focus()
    backend.page.keyboard.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()
    for left in (1, 0):
        backend.page.keyboard.press("Control+z")
        expect(rows).to_have_count(left)
    expect(button(panel, "Roll")).to_be_focused()


def test_a_press_on_a_row_shows_its_roll_and_only_roll_again_replays_it(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, seed=61)
    panel = backend.open()
    status, again = panel.get_by_role("status"), button(panel, "Roll these dice again")
    entries = panel.locator(".dd-past li > button:first-child")
    button(panel, "Roll").click()
    expect(status).to_have_text("Roll 1. Total 11.")
    expect(again).to_have_attribute("aria-disabled", "true")
    panel.get_by_label("Expression", exact=True).fill("1d4")
    button(panel, "Roll").click()
    expect(entries).to_have_count(2)
    entries.nth(1).click()
    expect(status).to_have_text("Roll 1. Total 11.")
    expect(panel.locator(".dd-last > p").nth(1)).to_have_text("Roll 1")
    assert [die.get_attribute("aria-label") for die in panel.locator(".dd-last svg").all()] == [
        f"d6 showing {face}" for face in (4, 2, 5)
    ]
    expect(panel.locator(".dd-latest")).to_have_text("Total 11 · Roll 1 425")
    assert [one.get_attribute("aria-current") for one in entries.all()] == ["false", "true"]
    assert not axe_violations(backend.page)
    again.click()
    expect(status).to_have_text("Roll 3. Total 11.")
    expect(entries.first).to_contain_text("the same dice again")
    expect(again).to_be_focused()
    expect(again).to_have_attribute("aria-disabled", "true")


def test_a_failed_roll_takes_the_place_of_the_verdict_and_its_box_gets_the_focus(start: Start) -> None:
    # On a narrow page the box is the farther from Roll.
    backend = start("dice/check", {"check": "1d20 + 30 >= 12"}, viewport={"width": 390, "height": 700})
    panel = backend.open(unfolded=False)
    verdict, box = panel.locator(".dd-verdict"), panel.get_by_label("Check", exact=True)
    button(panel, "Roll").click()
    expect(verdict).to_contain_text("Success")
    box.fill("1d20 +")
    expect(verdict).to_contain_text("Success")
    button(panel, "Roll").click()
    expect(verdict).not_to_contain_text("Success")
    message = backend.session.state()["failed"]
    expect(verdict).to_have_text(message)
    expect(panel.locator(".dd-latest")).to_have_text(message)
    expect(panel.get_by_text("Nothing was rolled.")).to_be_visible()
    expect(panel.locator(".dd-last svg")).to_have_count(0)
    expect(panel.locator(".dd-outcome")).to_be_empty()
    expect(panel.get_by_role("status")).to_be_empty()
    expect(box).to_be_focused()
    expect(box).to_be_in_viewport()
    assert panel.locator(".dd-tone-success").count() == 1, "that of the roll in the log"
    assert not axe_violations(backend.page)
    assert not low_contrast(backend.page)
    box.fill("1d20 + 30 >= 12")
    expect(verdict).to_contain_text("Success")
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 2. ")


def test_a_field_of_several_boxes_gets_the_focus_too(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6", "actor": {"Strength": 4}})
    panel = backend.open()
    row = panel.get_by_role("group", name="Actor").first
    row.get_by_label("Value", exact=True).fill("many")
    button(panel, "Roll").click()
    expect(panel.get_by_text("Nothing was rolled.")).to_be_visible()
    # After the verdict, when the error is spoken.
    backend.page.wait_for_function("() => document.activeElement.closest('.dd-field .dd-field, .dd-rows') !== null")


def test_a_locked_seed_is_told_beside_roll(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "3d6"}, seed=61)
    panel = backend.open(unfolded=False)
    told = panel.get_by_text("The seed is locked: every roll throws the same dice.")
    expect(told).to_have_count(0)
    panel.get_by_text("More", exact=False).first.click()
    panel.get_by_label("Lock seed").check()
    panel.locator(".dd-more > summary").click()
    expect(told).to_be_visible()
    assert panel.locator("form > .dd-do").get_by_text("The seed is locked").count() == 1
    assert not axe_violations(backend.page)
    assert not low_contrast(backend.page)


def test_more_says_what_is_set_under_it(start: Start) -> None:
    backend = start("total-effect/roll", {"step_up": 2}, seed=61)
    panel = backend.open(unfolded=False)
    summary = panel.locator(".dd-more > summary")
    expect(summary).to_have_text("More: Step up 2 · Seed 61")
    button(panel, "Roll").click()
    expect(summary).to_have_text("More: Step up 2")
    backend.session.receive({"texts": {"step_up": ""}})
    backend.page.evaluate("(state) => model.setState(state)", backend.state())
    expect(summary).to_have_text("More")


def test_odds_of_settings_that_are_not_valid_any_more_say_so(start: Start) -> None:
    backend = start("methuen/expression", {"expression": "2d6"}, seed=61)
    panel = backend.open()
    button(panel, "Roll").click()
    odds, told = panel.locator(".dd-odds"), panel.get_by_text("These are the odds of the last valid settings.")
    marked = odds.locator(".dd-here > span").first
    expect(marked).to_have_css("font-weight", "700")
    full = marked.evaluate("one => getComputedStyle(one).color")
    expect(told).to_have_count(0)
    box = panel.get_by_label("Expression", exact=True)
    box.fill("2d6 +")
    expect(told).to_be_visible()
    for one in (*odds.locator("li > span:not(.dd-unseen)").all(), *odds.locator("> div b, > div span").all()):
        assert one.evaluate("one => getComputedStyle(one).color") != full
    assert not axe_violations(backend.page)
    assert not low_contrast(backend.page)
    box.fill("2d6")
    expect(told).to_have_count(0)
    expect(marked).to_have_css("font-weight", "700")


def test_the_dice_of_a_pool_have_their_own_shape(start: Start) -> None:
    class Throw(Mechanic):
        """Throw some dice of a hand again."""

        hand: Annotated[tuple[int | None, ...], PoolFacesKind(10)] = param(default=(), help="the hand")
        again: Annotated[tuple[int, ...], Places("hand")] = param(default=(), help="which are thrown again")

        def resolve(self, dice: Dice, say: Say) -> Outcome:
            return Outcome()

    backend = start(Session(Throw, {"hand": (7, 10)}))
    panel = backend.open()
    dice = panel.locator(".dd-is-places .dd-dice svg")
    expect(dice).to_have_count(2)
    assert [one.get_attribute("aria-label") for one in dice.all()] == ["d10 showing 7", "d10 showing 10"]
    drawn = dice.first.locator(".dice-outline").evaluate("(one) => one.outerHTML")
    assert drawn.split(">")[0] in die_shapes()["10"]
