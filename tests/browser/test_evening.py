"""An evening at the table as a game master plays it in JupyterLab; the next day it becomes a page of a book."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from .accessible import axe_violations
from .lab import Notebook, serving

pytestmark = pytest.mark.browser

CELL = """import dicedocs as dd
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


@pytest.fixture
def notebook(browser: Browser, tmp_path: Path) -> Iterator[Notebook]:
    with serving(tmp_path / "home") as lab:
        tab = Notebook(browser, lab)
        tab.open(lab.write("evening.ipynb"))
        yield tab
        assert not tab.console_errors
        tab.page.context.close()


def button(where: Locator, name: str) -> Locator:
    return where.get_by_role("button", name=name, exact=True)


def play(cell: Locator) -> None:
    """Play the evening: rolls of every panel, and what a game master does between them."""
    log, seat, number = cell.locator(".dd-evening-log"), cell.locator("[role=tabpanel]:visible"), 0

    def turn_to(name: str) -> None:
        cell.get_by_role("tab", name=name).click()

    def roll(name: str = "Roll", count: int = 1) -> None:
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
    roll("Roll for the order of turns", 4)
    button(log, "Next turn").click()
    expect(log.locator("[aria-current=true]").first).to_be_visible()
    for fight in range(2):
        turn_to("Methuen: check")
        seat.get_by_label("Actor: character").select_option(index=1 + fight)
        seat.get_by_label("Target: character").select_option(index=1 + (fight + 2) % 4)
        for _ in range(2):
            roll()
            apply()
        button(log, "Next turn").click()
        turn_to("Dice: check")
        roll()
        turn_to("Total effect: roll")
        seat.get_by_label("Target", exact=True).select_option(index=1 + fight)
        roll()
        apply()
        turn_to("Dice tray")
        roll()
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
        roll()


def test_an_evening_is_played_kept_and_written_into_a_book(notebook: Notebook, tmp_path: Path) -> None:
    cell = notebook.run(CELL)
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
    log = notebook.run(CELL).locator(".dd-evening-log")
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
    values["Alarm"] = notebook.ask("tonight._evening.tracks.sheet['alarm']").split()[0]
    assert dict(re.findall(r"^(Kira|Theron|Orc|Wolf|Alarm): (\d+)$", text, re.MULTILINE)) == values
    assert copied.input_value().count("{dice:example}") == ROLLS - 1
