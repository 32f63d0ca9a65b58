"""Panels in JupyterLab with a kernel, used by mouse and by keyboard, and an evening as a game master plays it there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import dicedocs

from .accessible import axe_violations, low_contrast
from .lab import Notebook, serving

pytestmark = pytest.mark.browser


IMPORTS = """import ipywidgets as w
import dicedocs as dd
from dicedocs_widgets import panel, roller"""
ROLLER = "p = panel('methuen/expression', expression='3d6', actor={}, target={}, seed=58)\np"
TAKES_LONG = "p = panel('mecha-vs-kaiju/action', pool='d20 d4 d6 d8 d10 d12', advantage=True, seed=58)\np"
"""More than a second of counting."""
CELLS = """() => [notebook.model.sharedModel.cells.map((one) => one.getSource()), notebook.content.activeCellIndex,
  notebook.content.mode, document.querySelectorAll('.jp-Dialog').length]"""
INSIDE = "() => !!document.activeElement.closest('.dd-panel')"
BAD = "<img src=x onerror=window.hurt=1><script>window.hurt=1</script>**b** `c` $d$ {{e}}"


@pytest.fixture(scope="module")
def tab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    """Open one server, one page and, unless a test restarts it, one kernel for all tests."""
    with serving(tmp_path_factory.mktemp("lab") / "home") as lab:
        tab = Notebook(browser, lab)
        tab.open(lab.write("panels.ipynb"))
        assert not tab.external_requests
        yield tab
        tab.page.context.close()


@pytest.fixture
def notebook(tab: Notebook) -> Iterator[Notebook]:
    """Return an empty notebook, and check afterwards for console errors and requests to other machines."""
    tab.theme("JupyterLab Light")
    tab.clear()
    tab.run(IMPORTS)
    tab.console_errors.clear()
    tab.external_requests.clear()
    yield tab
    assert not tab.console_errors
    assert not tab.external_requests


def button(panel: Locator, name: str) -> Locator:
    return panel.get_by_role("button", name=name, exact=True)


def box(panel: Locator, name: str) -> Locator:
    panel.locator(".dd-more").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    return panel.get_by_label(name, exact=True)


def shows_status(panel: Locator, text: str) -> None:
    expect(panel.get_by_role("status")).to_contain_text(text)


def roll(panel: Locator, number: int) -> None:
    button(panel, "Roll").click()
    shows_status(panel, f"Roll {number}. ")


def faces_of(panel: Locator) -> list[str | None]:
    return [die.get_attribute("aria-label") for die in panel.locator(".dd-thrown svg").all()]


def tab_to(page: Page, target: Locator, *, maximum: int = 40) -> None:
    for _ in range(maximum):
        page.keyboard.press("Tab")
        if target.evaluate("it => it === document.activeElement"):
            return
    pytest.fail(f"{target} is not reached by Tab")


# Rolling


def test_a_click_rolls(notebook: Notebook) -> None:
    panel = notebook.panel(ROLLER)
    roll(panel, 1)
    expected = dicedocs.roll("3d6", seed=58)
    shows_status(panel, f"Total {expected.value}")
    assert faces_of(panel) == [str(die) for die in expected.thrown]
    assert notebook.ask("p.value, p.outcome.dice, p.rolls") == (expected.value, expected.dice, 1)


def test_the_keyboard_alone_suffices(notebook: Notebook) -> None:
    panel = notebook.panel(ROLLER)
    page = notebook.page
    page.keyboard.press("Escape")  # the cell has the focus, as after Shift+Enter
    tab_to(page, box(panel, "Expression"))
    page.keyboard.press("Control+a")
    page.keyboard.type("2d20 + 1")
    page.keyboard.press("Enter")
    shows_status(panel, "Roll 1. ")
    assert notebook.ask("p.expression, len(p.outcome.dice)") == ("2d20 + 1", 2)
    tab_to(page, button(panel, "Roll"))
    for number, key in enumerate(("Enter", "Space", "Enter"), 2):
        page.keyboard.press(key)
        shows_status(panel, f"Roll {number}. ")
        expect(button(panel, "Roll")).to_be_focused()
    tab_to(page, button(panel, "Undo"))
    page.keyboard.press("Enter")
    shows_status(panel, "Roll 3. ")
    entries = panel.locator("li > button:first-child")
    expect(entries).to_have_count(3)
    tab_to(page, entries.first)
    page.keyboard.press("End")
    expect(entries.last).to_be_focused()
    page.keyboard.press("Enter")
    expect(box(panel, "Seed")).to_have_value("58")
    for _ in range(10):
        page.keyboard.press("Tab")
    assert not page.evaluate(INSIDE), "Tab leaves the panel again"


def test_undo_by_button_and_by_key_takes_back_a_roll_and_no_cell(notebook: Notebook) -> None:
    panel = notebook.panel(ROLLER)
    before = notebook.page.evaluate(CELLS)
    for number in (1, 2, 3):
        roll(panel, number)
    button(panel, "Roll").press("Control+z")
    shows_status(panel, "Roll 2. ")
    button(panel, "Undo").click()
    shows_status(panel, "Roll 1. ")
    button(panel, "Undo").press("Control+z")
    shows_status(panel, "No roll yet.")
    assert notebook.ask("p.outcome, len(p.history)") == (None, 0)
    assert notebook.page.evaluate(CELLS) == before


# Keyboard shortcuts of JupyterLab


def test_keys_on_a_focused_control_stay_in_the_panel(notebook: Notebook) -> None:
    notebook.run("above = 1")
    panel = notebook.panel(ROLLER)
    roll(panel, 1)
    before = notebook.page.evaluate(CELLS)
    for where in (button(panel, "Roll"), panel.locator("li > button:first-child"), panel.locator("summary").last):
        where.focus()
        for key in ("d", "d", "x", "a", "b", "m", "y", "z", "ArrowDown", "ArrowUp", "ArrowLeft", "Delete", "0", "0"):
            notebook.page.keyboard.press(key)
        assert notebook.page.evaluate(CELLS) == before
        assert notebook.page.evaluate(INSIDE)


def test_text_boxes_take_the_keys_of_lab(notebook: Notebook) -> None:
    panel = notebook.panel(ROLLER)
    before = notebook.page.evaluate(CELLS)
    box(panel, "Label").press_sequentially("odd xyz 00 add")
    assert box(panel, "Label").input_value() == "odd xyz 00 add"
    assert notebook.page.evaluate(CELLS) == before


# With the rest of a notebook


def test_stock_widgets_are_linked_in_the_page(notebook: Notebook) -> None:
    panel = notebook.panel("""p = panel("total-effect/roll", seed=61)
bar, off, name, told = w.IntText(), w.ToggleButton(description="Rest"), w.Text("Kira"), w.Label()
w.jsdlink((p, "value"), (bar, "value"))
w.jslink((off, "value"), (p, "disabled"))
w.jslink((name, "value"), (p, "description"))
w.dlink((p, "disabled"), (told, "value"), "rests: {}".format)
w.VBox([w.HBox([bar, off, name, told]), p])""")
    roll(panel, 1)
    expect(notebook.page.locator("input[type=number]")).to_have_value("11")
    notebook.page.locator(".widget-text input[type=text]").fill("Kira rolls")
    notebook.page.locator(".widget-text input[type=text]").press("Tab")
    expect(panel).to_have_attribute("aria-label", "Kira rolls")
    notebook.page.get_by_role("button", name="Rest", exact=True).click()
    expect(button(panel, "Roll")).to_be_disabled()
    # It was set in the page, and Python is told, a moment later.
    expect(notebook.page.get_by_text("rests: True")).to_be_visible()
    assert notebook.ask("p.disabled, p.description, bar.value") == (True, "Kira rolls", 11)


def test_the_code_is_copied_and_run_in_the_next_cell(notebook: Notebook) -> None:
    panel = notebook.panel("p = panel('total-effect/roll', advantage=2, threshold=13)\np")
    roll(panel, 1)
    panel.get_by_text("Code and directive").click()
    button(panel, "Copy Python").click()
    expect(panel.get_by_text("Copied", exact=True)).to_be_visible()
    page = notebook.page
    page.evaluate("() => jupyterapp.commands.execute('notebook:insert-cell-below')")
    page.evaluate("() => jupyterapp.commands.execute('notebook:enter-edit-mode')")
    page.keyboard.press("Control+v")
    page.keyboard.press("Control+Enter")
    cell = page.locator(".jp-Notebook .jp-Cell").last
    expect(cell.locator(".jp-OutputArea-output")).to_contain_text("Total")
    assert page.evaluate(CELLS)[0][-1] == notebook.ask("p.code")
    assert notebook.ask("_ == p.outcome, type(_).__name__ == type(p.outcome).__name__") == (True, True)


def test_a_panel_rolls_while_a_cell_is_busy_and_odds_are_counted(notebook: Notebook) -> None:
    panel = notebook.panel(TAKES_LONG)
    progress = panel.get_by_role("progressbar", name="Odds counted")
    for number in range(1, 3):
        box(panel, "Modifier").fill(f"{number}")
        box(panel, "Modifier").press("Enter")
        shows_status(panel, f"Roll {number}. ")
        # Messages are handled in a thread of their own, so a cell may run while odds are counted.
        notebook.run(f"p.modifier = {-number}")
    expect(panel.locator(".dd-odds li").nth(1)).to_be_visible(timeout=30_000)
    expect(progress).to_be_hidden()
    assert "rolls fell" not in notebook.ask("p._state['odds']['message']")  # not an estimate
    assert notebook.ask("p.odds.mean > 0, p.modifier") == (True, -2)


def test_errors_and_output_of_observers_are_shown(notebook: Notebook) -> None:
    panel = notebook.panel("""p = panel('methuen/expression', expression='3d6', actor={}, target={}, seed=58)
out, told = w.Output(), []
@out.capture()
def write(change):
    print("rolled", change.new)
def fail(change):
    raise ValueError("an observer broke")
p.observe(write, "rolls")
p.observe(told.append, "rolls")
p.observe(fail, "rolls")
w.VBox([p, out])""")
    roll(panel, 1)
    expect(panel.get_by_role("alert").filter(has_text="an observer broke").first).to_be_visible()
    expect(notebook.page.get_by_text("rolled 1").last).to_be_visible()
    assert notebook.ask("len(told)") == 1
    roll(panel, 2)
    assert notebook.ask("p.rolls, len(told)") == (2, 2)


# Appearance


def test_panels_are_accessible_in_light_and_dark(notebook: Notebook) -> None:
    # All others have the same parts and styles: they are looked at in test_panel_page.py.
    ids = ("methuen/check", "mage-in-the-metal/contest", "dungeoneers")
    notebook.run(f"""panels = [panel(id, seed=1) for id in {ids!r}]
for p in panels:
    p.play("round") if hasattr(p, "play") else p.roll()
w.VBox(panels)""")
    shown = notebook.page.locator(".dd-panel")
    expect(shown).to_have_count(len(ids))
    for panel in shown.all():
        expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    shown.locator("details").evaluate_all("all => all.forEach(one => { one.open = true; })")
    for theme, ground in (("Light", "rgb(255, 255, 255)"), ("Dark", "rgb(33, 33, 33)")):
        notebook.theme(f"JupyterLab {theme}")
        grounds = shown.evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor)")
        assert set(grounds) == {ground}
        assert not low_contrast(notebook.page)
    assert not axe_violations(notebook.page, ".jp-OutputArea-output", colours=False)


# Untrusted text


def test_text_of_players_and_packages_is_escaped(notebook: Notebook) -> None:
    notebook.run(f"bad = {BAD!r}")
    panel = notebook.panel("""from typing import Literal
class Evil(dd.Mechanic, id='evil/trick'):
    note: str = dd.param(default="", help=bad)
    pick: Literal["<img src=x onerror=window.hurt=2>", "b"] = dd.param(default="b", help=bad)
    sheet: dd.Resources = dd.param(default={}, help=bad)
    class Result(dd.Outcome):
        total: int = dd.fact(help=bad)
        said: str = dd.fact(help=bad)
    def resolve(self, dice, say) -> Result:
        return self.Result(say.sum(bad, dice.roll(6)), self.note)
Evil.__doc__ = bad
p = panel(Evil, note=bad, label=bad, seed=bad, sheet={"<b>Bad</b>": 3})
p""")
    roll(panel, 1)
    for name in ("Label", "Seed", "Note"):
        box(panel, name).fill(BAD)
    sheet = panel.get_by_role("group", name="Sheet")
    box(sheet, "Name").fill("<img src=x onerror=window.hurt=3>")
    box(sheet, "Value").fill("<img src=x onerror=window.hurt=4>")
    expect(panel.locator(".dd-wrong:visible").first).to_contain_text("<img")
    box(sheet, "Name").fill("<b>Bad</b><script>hurt()</script>")
    box(sheet, "Value").fill("4")
    roll(panel, 2)
    panel.get_by_text("Code and directive").click()
    expect(panel.locator("li > button:first-child")).to_have_count(2)
    roller = notebook.panel("q = panel('methuen/expression', expression='3d6', actor={'<b>Bad</b>': 1}, label=bad)\nq")
    roll(roller, 1)
    box(roller, "Expression").fill(f"3d6 + [{BAD}]")
    expect(roller.locator(".dd-wrong:visible").first).to_be_visible()
    for shown in ("p.outcome", "p.history", "q.outcome", "q.history"):
        expect(notebook.run(shown).locator(".jp-OutputArea-output")).to_be_visible()
    assert notebook.page.evaluate("() => window.hurt") is None
    assert notebook.page.locator(".jp-OutputArea-output :is(img, script)").count() == 0
    assert notebook.page.locator(".dd-panel").get_by_text("**b**").first.is_visible()


# Restarts and saved notebooks


def test_a_saved_panel_is_shown_when_the_notebook_is_opened_again(notebook: Notebook) -> None:
    panel = notebook.panel(ROLLER)
    box(panel, "Label").fill("Theron, Arcane Bolt")
    roll(panel, 1)
    shown, odds = faces_of(panel), panel.locator(".dd-odds li").all_inner_texts()
    notebook.close()
    saved = notebook.lab.read(notebook.name)
    widgets = saved["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]["state"].values()
    assert sorted(one["model_name"] for one in widgets) == ["AnyModel", "LayoutModel", "WidgetModel"]
    sizes = {one["model_name"]: len(json.dumps(one, indent=1)) for one in widgets}
    assert (sizes["AnyModel"] <= 3_300, sizes["WidgetModel"] <= 20 * 1024) == (True, True), sizes
    notebook.open(notebook.name)
    panel = notebook.page.locator(".dd-panel")
    expect(panel).to_have_count(1)
    shows_status(panel, "Roll 1. Theron, Arcane Bolt: ")
    assert faces_of(panel) == shown
    assert panel.locator(".dd-odds li").all_inner_texts() == odds
    expect(panel.get_by_role("alert").filter(has_text="Python is not running")).to_be_visible()


LAST = "notebook.content.widgets.findLastIndex((one) => one.model.outputs?.length)"
"""The index of the last cell with an output."""
OUTPUTS = f"() => notebook.content.widgets[{LAST}].model.outputs.toJSON().map((one) => one.data)"
RUN_AGAIN = f"""async () => {{
  notebook.content.activeCellIndex = {LAST};
  await jupyterapp.commands.execute("notebook:run-cell");
}}"""


def test_the_cell_keeps_every_roll_when_it_is_run_again_and_when_python_restarts(notebook: Notebook) -> None:
    panel = notebook.panel(ROLLER)
    for number in (1, 2, 3):
        roll(panel, number)
    log = notebook.ask("p.log()")
    kept = notebook.page.locator(".dd-kept")
    expect(kept.locator("pre")).to_have_text(log)
    expect(kept).to_be_hidden()
    [shown, saved] = notebook.page.evaluate(OUTPUTS)
    assert "No roll yet" not in json.dumps(shown)
    assert "".join(saved["text/plain"]) == f"Log: 3 rolls\n{log}"
    # Again with the same kernel: nothing is lost.
    notebook.page.evaluate(RUN_AGAIN)
    notebook.page.get_by_text("3 rolls made before this cell was run again are above").wait_for()
    assert log in "".join(notebook.page.evaluate(OUTPUTS)[0]["text/plain"])
    panel = notebook.page.locator(".dd-panel")
    roll(panel, 1)
    expect(kept).to_contain_text("Log: 1 roll")
    expect(kept).to_be_hidden()

    # A restart is shown, and the outcome stays.
    shown = faces_of(panel)
    notebook.page.evaluate("() => notebook.sessionContext.session.kernel.restart()")
    expect(kept).to_be_visible()
    notice = panel.get_by_role("alert").filter(has_text="Python is not running")
    expect(notice).to_be_visible()
    expect(button(panel, "Roll")).to_have_attribute("aria-disabled", "true")
    button(panel, "Roll").press("Enter")
    shows_status(panel, "Roll 1. ")
    assert faces_of(panel) == shown
    notebook.run(IMPORTS)
    again = notebook.panel(ROLLER)
    roll(again, 1)
    assert faces_of(again) == shown
    expect(notice).to_be_visible()


def test_a_click_beside_the_controls_stays_in_the_panel(notebook: Notebook) -> None:
    panel = notebook.panel(ROLLER)
    roll(panel, 1)
    cells = notebook.page.evaluate(CELLS)
    for place in (".dd-thrown", ".dd-outcome", ".dd-odds"):
        panel.locator(place).click(position={"x": 3, "y": 3})
        assert notebook.page.evaluate(INSIDE)
        for key in ("d", "d", "Enter"):
            notebook.page.keyboard.press(key)
        assert notebook.page.evaluate(CELLS) == cells


# Containers


CONTAINERS = [
    "w.HBox([{}, {}])",
    "w.HBox([{}])",
    "w.HBox([{}, w.IntSlider()])",
    "w.VBox([{}, w.IntSlider()], layout=w.Layout(align_items='center'))",
    "w.GridBox([{}, {}], layout=w.Layout(grid_template_columns='repeat(2, auto)'))",
    "w.Tab([w.HBox([{}])], titles=['One'])",
    "w.Accordion([w.HBox([{}])], selected_index=0)",
    "w.AppLayout(center={}, left_sidebar=w.IntSlider())",
]


def test_a_panel_has_room_in_every_container(notebook: Notebook) -> None:
    counts = [container.count("{}") for container in CONTAINERS]
    made = [one.format(*["panel('methuen/expression')"] * count) for one, count in zip(CONTAINERS, counts, strict=True)]
    cell = notebook.run("\n".join(f"display({one})" for one in made))
    expect(cell.locator(".dd-panel")).to_have_count(sum(counts))
    outputs = cell.locator(".jp-OutputArea-output").all()
    for container, count, output in zip(CONTAINERS, counts, outputs, strict=True):
        around = output.bounding_box()
        assert around
        panels = output.locator(".dd-panel").all()
        assert len(panels) == count, container
        for panel in panels:
            size = panel.bounding_box()
            assert size, container
            assert size["width"] >= 300, container
            assert size["height"] <= 1500, container
            assert size["x"] + size["width"] <= around["x"] + around["width"] + 1, container


# The dice tray, characters and comparing


def test_a_dice_tray_is_used_by_mouse_and_keyboard(notebook: Notebook) -> None:
    panel = notebook.panel("""from dicedocs_widgets import Character, tray
kira = Character("Kira", {"Attack": 6}, {"Sword": "1d20 + [Attack]"})
p = tray(kira, seed=58)
p""")
    roll(panel, 1)  # one press of an empty tray
    assert notebook.ask("p.notation, p.outcome.dice") == ("1d20", dicedocs.roll("1d20", seed=58).dice)
    button(panel, "Add d6, 0 so far").click()
    button(panel, "Add d6, 1 so far").click(button="right")
    expect(box(panel, "Notation")).to_have_value("")
    assert notebook.page.locator(".lm-Menu:visible").count() == 0, "the menu of JupyterLab opened"
    before = notebook.page.evaluate(CELLS)
    button(panel, "Add d8, 0 so far").focus()
    notebook.page.keyboard.press("Enter")
    expect(box(panel, "Notation")).to_have_value("1d8")
    notebook.page.keyboard.press("-")
    expect(box(panel, "Notation")).to_have_value("")
    assert notebook.page.evaluate(CELLS) == before
    button(panel, "Roll Kira Sword").click()
    shows_status(panel, "Roll 2. Kira, Sword: ")
    assert notebook.ask("p.character, p.label, p.outcome.rule.notation") == ("Kira", "Kira, Sword", "1d20 + [Attack]")


def test_what_a_widget_has_is_shown(notebook: Notebook) -> None:
    panel = notebook.panel("p = panel('dice/roll', notation='3d6', actor={}, target={})\np")
    notebook.run("p.description, p.style.accent_color = 'Attack of Kira', '#123456'")
    expect(panel).to_have_accessible_name("Attack of Kira")
    expect(panel.get_by_text("Attack of Kira", exact=True)).to_be_visible()
    expect(button(panel, "Roll")).to_have_css("background-color", "rgb(18, 52, 86)")
    notebook.run("p.disabled = True")
    expect(button(panel, "Roll")).to_be_disabled()
    expect(box(panel, "Notation")).to_be_disabled()
    notebook.run("p.disabled = False")
    roll(panel, 1)


def test_a_layout_has_width_height_and_flex(notebook: Notebook) -> None:
    panel = notebook.panel("""layout = w.Layout(width='444px', height='300px', flex='0 0 auto')
w.HBox([panel('dice/roll', layout=layout), w.IntSlider()])""")
    outer = panel.locator("xpath=..").bounding_box()
    assert outer
    assert (round(outer["width"]), round(outer["height"])) == (444, 300)
    button(panel, "Roll").scroll_into_view_if_needed()
    roll(panel, 1)


def test_the_help_of_a_panel_is_shown(notebook: Notebook) -> None:
    notebook.run("p = panel('dungeoneers/timer')")
    notebook.run("p?")
    shown = notebook.page.locator(".jp-OutputArea-output").last
    expect(shown).to_contain_text("The panel of dungeoneers/timer.")
    expect(shown).to_contain_text("the sides of the cooldown die")


def test_roll_and_result_stay_in_view_on_a_phone(notebook: Notebook) -> None:
    page = notebook.page
    page.set_viewport_size({"width": 390, "height": 844})
    files = page.locator("#jp-left-stack")
    opened = files.is_visible()
    if opened:
        # The list of files leaves the notebook no room.
        page.keyboard.press("Control+b")
        expect(files).to_be_hidden()
    try:
        panel = notebook.panel("panel('mecha-vs-kaiju/action')")
        size = panel.bounding_box()
        assert size
        assert size["x"] + size["width"] <= 390
        button(panel, "Roll").click()
        # The panel is higher than the page, and its top is shown.
        panel.evaluate("(one) => one.scrollIntoView()")
        expect(button(panel, "Roll")).to_be_in_viewport(ratio=1)
        expect(panel.locator(".dd-latest")).to_be_in_viewport(ratio=1)
        expect(panel.locator(".dd-latest")).not_to_be_empty()
        assert panel.evaluate("(one) => one.clientHeight") > 844
    finally:
        page.set_viewport_size({"width": 1280, "height": 1000})
        if opened:
            page.keyboard.press("Control+b")


# An evening at the table


EVENING = """import dicedocs as dd
from dicedocs_widgets import Character, evening, panel, tray
people = [
  Character("Kira", "Attack=6, Defense=13, HP=30 of 30"), Character("Theron", "Attack=3, Defense=14, HP=25 of 25"),
  Character("Orc", "Attack=4, Defense=12, HP=30 of 30"), Character("Wolf", "Attack=5, Defense=11, HP=20 of 20")]
attack = panel("methuen/check", check="1d20 + [Attack] >= [Target Defense]", actor=people, target=people)
jump, effect = panel("dice/check", check="1d20 + 3 >= 12"), panel("total-effect/roll", threshold=11, characters=people)
tonight = evening(attack, jump, effect, tray(*people), scene=dd.Scene(*people, alarm=dd.Track(90)), log="evening.json",
  then="target.HP -= 4 * success; target.HP -= effect; alarm += 1 - success")
tonight"""
SEEN = "(tonight.log(), [dict(one.sheet) for one in tonight.characters], tonight.turn, tonight.order)"
ROLLS = 16
NAMES = ("Kira", "Theron", "Orc", "Wolf")


def play(cell: Locator) -> None:
    """Play the evening: rolls of every panel, and what a game master does between them."""
    log, seat, number = cell.locator(".dd-evening-log"), cell.locator("[role=tabpanel]:visible"), 0

    def turn_to(name: str) -> None:
        cell.get_by_role("tab", name=name).click()

    def throw(name: str = "Roll", count: int = 1) -> None:
        nonlocal number
        number += count
        button(seat, name).click()
        expect(log.locator("li .dd-number").first).to_have_text(f"{number}")

    def apply() -> None:
        press = seat.locator(".dd-then")
        if press.is_visible() and press.get_attribute("aria-disabled") != "true":
            press.click()
            expect(press).to_have_attribute("aria-disabled", "true")

    turn_to("Dice tray")
    seat.get_by_text("Roll for several").click()
    button(seat, "All").first.click()
    throw("Roll for the order of turns", 4)
    button(log, "Next turn").click()
    expect(log.locator("[aria-current=true]").first).to_be_visible()
    for fight in range(2):
        turn_to("Methuen: check")
        seat.get_by_label("Actor: character").select_option(index=1 + fight)
        seat.get_by_label("Target: character").select_option(index=1 + (fight + 2) % 4)
        for _ in range(2):
            throw()
            apply()
        button(log, "Next turn").click()
        turn_to("Dice: check")
        throw()
        turn_to("Total effect: roll")
        seat.get_by_label("Target", exact=True).select_option(index=1 + fight)
        throw()
        apply()
        turn_to("Dice tray")
        throw()
    # A roll of the log is seen in its panel; with other faces, what it did is worked out again.
    log.locator('li > button[value="6"]').click()
    expect(seat.get_by_role("status")).to_contain_text("Roll 6.")
    expect(seat).to_have_attribute("aria-label", "Methuen: check")
    log.get_by_text("Correct roll 6").click()
    log.get_by_label("Faces").fill("1")
    button(log, "Correct").click()
    expect(log.locator('li:has(> button[value="6"])')).to_contain_text("Failure")
    turn_to("Dice tray")
    log.locator(f'li > button[value="{number}"]').click()
    log.get_by_text("Add a turn").click()
    log.get_by_label("Whose turn").fill("The bridge falls")
    button(log, "Add").click()
    button(log, "The bridge falls: earlier").click()
    expect(log.locator(".dd-turns li").nth(3)).to_contain_text("The bridge falls")
    note = log.get_by_label(f"Note on roll {number}")
    note.fill("Kira jumps the *gap*")
    note.press("Enter")
    expect(log.locator("li em", has_text="Kira jumps")).to_be_visible()
    button(log, "Strike out roll 10").click()
    expect(log.locator("li .dd-struck")).to_have_count(1)
    hp = log.get_by_label("HP", exact=True).first
    before = 9
    hp.fill(f"{before}")
    button(log, "Kira, HP: one less").dblclick()
    expect(hp).to_have_value(f"{before - 2}")
    button(log, "Tracks, alarm: one more").click()
    # The last step of all by button, then by key, and one of them again.
    alarm = log.get_by_label("alarm", exact=True)
    raised = alarm.input_value()
    button(log, "Undo").click()
    expect(alarm).not_to_have_value(raised)
    button(log, "Kira, HP: one less").press("Control+z")
    expect(hp).to_have_value(f"{before - 1}")
    button(log, "Redo").click()
    expect(hp).to_have_value(f"{before - 2}")
    while number < ROLLS:
        throw()


def test_an_evening_is_played_kept_and_written_into_a_book(notebook: Notebook, tmp_path: Path) -> None:
    """The next day it becomes a page of a book."""
    cell = notebook.run(EVENING)
    cell.locator(".dd-evening-log").wait_for()
    play(cell)
    played = notebook.ask(SEEN)
    assert len(played[0].splitlines()) == ROLLS
    assert "(struck out)" in played[0]
    assert played[2]
    assert not axe_violations(notebook.page, ".jp-OutputArea-output")
    for name, width in (("wide", 1280), ("phone", 390)):
        if folder := os.environ.get("DICEDOCS_SHOTS"):
            notebook.page.set_viewport_size({"width": width, "height": 1000})
            notebook.page.wait_for_timeout(500)
            for part in (".dd-tab-bar", ".dd-evening-log .dd-people"):
                cell.locator(part).evaluate("(one) => one.scrollIntoView()")
                notebook.page.wait_for_timeout(300)
                notebook.page.screenshot(path=f"{folder}/evening-{name}-{part[-6:]}.png")
    notebook.page.set_viewport_size({"width": 1280, "height": 1000})
    notebook.close()

    # The next day: a new kernel. JupyterLab loses what the notebook saved if a cell is run before that is shown.
    notebook.open(notebook.name)
    expect(notebook.page.locator(".dd-shown").last).to_be_visible()
    log = notebook.run(EVENING).locator(".dd-evening-log")
    expect(log.locator("li .dd-number").first).to_have_text(f"{ROLLS}")
    assert notebook.ask(SEEN) == played
    log.get_by_text("Copy the log").click()
    log.get_by_label("Format").select_option("Scene of a book")
    copied = log.get_by_role("textbox", name="Log")
    expect(copied).to_have_value(re.compile("^# The evening"))
    facts = "".join(f"\n{name}: {{dice:fact}}`{name.lower()}.HP`\n" for name in NAMES)
    book = tmp_path / "book"
    book.mkdir()
    (book / "conf.py").write_text('extensions = ["myst_parser", "dicedocs_sphinx"]\n', "utf-8")
    (book / "index.md").write_text(f"{copied.input_value()}\n{facts}\nAlarm: {{dice:fact}}`alarm`\n", "utf-8")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "text", str(book), str(book / "out")]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    text = (book / "out" / "index.txt").read_text("utf-8")
    values = {
        name: sheet["HP"].split()[0] for name, sheet in zip(("Kira", "Theron", "Orc", "Wolf"), played[1], strict=True)
    }
    values["Alarm"] = notebook.ask("tonight._session.tracks.sheet['alarm']").split()[0]
    assert dict(re.findall(r"^(Kira|Theron|Orc|Wolf|Alarm): (\d+)$", text, re.MULTILINE)) == values
    assert copied.input_value().count("{dice:example}") == ROLLS - 1
