"""The stories of panels, played on a page: each press sends its message, and the page shows what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Locator

from ..panel_stories import AT, STORIES, TABLE, Press, Story
from .panel_page import Backend, ReusedPage, TableBackend, button

pytestmark = pytest.mark.browser

ANSWERED = """(number) => models.every((one) => one.answered === one.sent.length)
  && models.flatMap((one) => one.sent).filter((one) => one.do !== "history").length === number"""
BUTTONS = {"undo": "Undo", "redo": "Redo", "clear": "Clear history"}
UNFOLD = "() => document.querySelectorAll('.dd-hand, .dd-several').forEach((one) => { one.open = true; })"
ABLE = "[aria-disabled=false]"
PEOPLE = """all => Object.fromEntries(all.map((one) => [one.querySelector("summary").textContent,
  Object.fromEntries([...one.querySelectorAll("input")].map((it) => [it.labels[0].textContent, +it.value]))]))"""
SAID = ("who", "label", "action", "formula", "faces", "verdict", "effect", "refused", "note", "after", "waits")
"""What the row of a roll says."""


def make(where: Locator, press: Press) -> None:
    """Press a button, or a roll of the log, type or choose."""
    box = where.get_by_label(press.control, exact=True)
    if press.message["do"] == "roll-each":
        button(where, "All").first.click()
    if press.message["do"] == "recall":
        where.locator(f'.dd-past li > button[value="{press.control}"]').click()
    elif press.typed is None:
        button(where, press.control).click()
    elif press.message["do"] == "character":
        box.select_option(press.typed)
    else:
        box.fill(press.typed)
        if press.message["do"] == "note":
            box.press("Enter")


def carried(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a message carries beside what each has."""
    return {name: value for name, value in message.items() if name not in {"view", "n", "time"} and value != {}}


def shown(panel: Locator, labels: Mapping[str, str], then: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a page shows of it, but for what the rows of the log say."""
    dice = panel.get_by_role("group", name="Dice", exact=True).get_by_role("button")
    read: dict[str, Callable[[], Any]] = {
        "rolls": lambda: [int(text) for text in panel.locator(".dd-past .dd-number").all_text_contents()],
        "says": lambda: panel.get_by_role("status").inner_text(),
        "chosen": lambda: int(panel.locator("li > [aria-current=true]").get_attribute("value")),
        "can": lambda: [
            name for name, label in BUTTONS.items() if button(panel, label).and_(panel.locator(ABLE)).count()
        ],
        "texts": lambda: {name: panel.get_by_label(labels[name], exact=True).input_value() for name in then["texts"]},
        "compared": lambda: panel.locator(".dd-comparison:not([hidden]) .dd-key b").all_inner_texts(),
        "dice": lambda: [(die.get_attribute("aria-label") or "").partition(", ")[2] for die in dice.all()],
        "favourites": lambda: panel.locator(".dd-favourites b").all_inner_texts(),
        "people": lambda: panel.locator(".dd-people details").evaluate_all(PEOPLE),
        "turn": lambda: panel.locator(".dd-turns [aria-current=true] span").all_inner_texts(),
    }
    return {name: read[name]() for name in then if name in read}


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_a_page_sends_what_is_pressed_and_shows_what_came_of_it(
    reused_pages: Callable[..., ReusedPage], story: Story
) -> None:
    reused = reused_pages()
    reused.page.clock.set_fixed_time(AT)
    sessions, table = story.play()
    backend = reused.play(TableBackend(reused.page, table) if table else Backend(reused.page, sessions))
    panel = backend.open_table() if isinstance(backend, TableBackend) else backend.open()
    page, host = reused.page, table or sessions[0]
    page.evaluate(UNFOLD)
    labels = {"label": "Label", "seed": "Seed", **{one["name"]: one["label"] for one in host.form()["fields"]}}
    made: list[Press] = []
    for presses, then in story.acts:
        for press in presses:
            where = panel
            if table and press.at != TABLE:
                page.get_by_role("tab").nth(press.at).click()
                where = page.get_by_role("tabpanel")
            make(where, press)
            made.append(press)
            page.wait_for_function(ANSWERED, arg=len(made))
            if isinstance(backend, TableBackend):
                backend.follow()
            backend.finish_answer()
        assert shown(panel, labels, then) == {name: one for name, one in then.items() if name not in {"log", "waits"}}
        rows = panel.locator(".dd-past li").all()
        for row, roll in zip(rows, host.log(), strict=True):
            text = row.text_content() or ""
            assert [roll[name] for name in SAID if roll.get(name, "") not in text] == []
            assert row.locator(".dd-struck").count() == roll["struck"]
        if "log" in then:
            assert host.written_log("text").splitlines() == then["log"]
    sent = [carried(message) for message in backend.received if message["do"] != "history"]
    assert sent == [press.message for press in made]
    assert not reused.console_errors
