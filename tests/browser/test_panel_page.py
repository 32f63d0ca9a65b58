"""The panels' one ES module in a real Chromium, with a real session behind it and no Jupyter: fast.

``host.mjs`` stands in for a widget's model. What the page sends comes to :class:`Desk`, which answers as a panel does.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

import dicedocs
from dicedocs.panel.session import Session
from dicedocs.rules.registry import mechanic

from .accessible import beyond, faint, violations

pytestmark = pytest.mark.browser

INSTALLED = dicedocs.mechanics()
"""The ids when the tests begin: some of the others register games of their own."""

STATIC = Path(__file__).resolve().parents[2] / "widgets" / "dicedocs_widgets" / "static"
ADDRESS = "http://panel.test"
PAGE = """<!doctype html><html lang="en"><title>A panel</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<style>:root { color-scheme: light dark } body { margin: 8px; background: light-dark(#fff, #111) }</style>
<main><h1>A panel</h1></main></html>"""
MOUNT = """async ([laid, css, views]) => {
  const { HostModel } = await import("/host.mjs");
  const { render } = await import("/panel.mjs");
  window.models = laid.map(([_form, _state], at) => new HostModel({ _form, _state }, at));
  [window.model] = models;
  window.front = { comm_live: true, on(_, call) { this.call = call; }, off() {} };
  window.away = [];
  for (const model of models) for (let view = 0; view < views; view++) {
    const el = document.createElement("div");
    document.querySelector("main").append(el);
    away.push(render({ model, el }, css, "dicedocs-test", front));
  }
}"""
REST = 800
"""Milliseconds after which a mistake is spoken: a little more than the page waits."""
TUMBLE = 150
"""Milliseconds after which dice turn, likewise."""
PATIENCE = 1600
"""Milliseconds after which a page says that it waits for Python, likewise."""
HOLD = "() => { window.held = new Promise((go) => { window.go = go; }); }"
"""Lets no answer of Python's arrive until `go()`."""
NAMELESS = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter((one) => !one.labels.length && !one.ariaLabel).map((one) => one.outerHTML)"""
"""Boxes that nothing names but, at best, what stands in them while they are empty."""
LOOK = {"viewport": {"width": 1000, "height": 900}}


class Desk:
    """Python's side of a page: sessions that are told what the page sends, and what was sent."""

    def __init__(self, page: Page, sessions: list[Session]) -> None:
        self.page = page
        self.sessions = sessions
        self.session = sessions[0]
        self.heard: list[dict[str, Any]] = []
        self.fails = ""
        self.more: dict[str, Any] = {}

    def hear(self, message: dict[str, Any], at: int) -> dict[str, Any]:
        self.heard.append(message)
        session = self.sessions[at]
        failed = {"failed": self.fails} if self.fails else {}
        if not failed:
            session.receive(message)
        return {
            "state": self.state(session),
            "answer": {"for": {message["view"]: message["n"]}, "history": session.log(), **failed},
        }

    def state(self, session: Session | None = None) -> dict[str, Any]:
        session = session or self.session
        while not session.count(1):
            pass
        return session.state() | self.more

    def open(self, *, views: int = 1, **more: Any) -> Locator:
        """Open the page and give the first panel; `more` is laid over the session's state."""
        self.more = more
        self.page.goto(ADDRESS)
        css = (STATIC / "panel.css").read_text(encoding="utf-8")
        laid = [[session.form(), self.state(session)] for session in self.sessions]
        self.page.evaluate(MOUNT, [laid, css, views])
        self.page.wait_for_function("(views) => models.every((one) => one.sent.length >= views)", arg=views)
        return self.page.locator(".dd-panel").first

    def sent(self) -> int:
        """How many messages the page has sent, whether Python has heard them or not."""
        number: int = self.page.evaluate("() => model.sent.length")
        return number

    def said(self) -> str:
        return self.page.get_by_role("status").first.inner_text()

    def did(self) -> list[str]:
        return [message["do"] for message in self.heard if message["do"] != "history"]


class Room:
    """A page that serves many tests, one desk after the other."""

    def __init__(self, browser: Browser, context: Mapping[str, Any], *, still: bool) -> None:
        self.desk: Desk | None = None
        self.complaints: list[str] = []
        self.page = browser.new_context(**{**LOOK, **context}).new_page()
        self.page.set_default_timeout(5000)
        if still:
            self.page.clock.install()
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.expose_function("python", self.hear)
        self.page.route(f"{ADDRESS}/**", serve)

    def hear(self, message: dict[str, Any], at: int) -> dict[str, Any]:
        assert self.desk is not None
        return self.desk.hear(message, at)


def serve(route: Route) -> None:
    name = route.request.url.removeprefix(ADDRESS).strip("/")
    if not name:
        route.fulfill(body=PAGE, content_type="text/html")
        return
    path = Path(__file__).with_name(name) if name == "host.mjs" else STATIC / name
    route.fulfill(body=path.read_text(encoding="utf-8"), content_type="text/javascript")


Deal = Callable[..., Desk]


@pytest.fixture(scope="module")
def rooms(browser: Browser) -> Iterator[Callable[..., Room]]:
    """A function that gives the page for a browser's context, the same for the same."""
    made: dict[str, Room] = {}

    def room(*, still: bool = False, **context: Any) -> Room:
        key = json.dumps([still, context])
        if key not in made:
            made[key] = Room(browser, context, still=still)
        return made[key]

    yield room
    for one in made.values():
        one.page.context.close()


@pytest.fixture
def deal(rooms: Callable[..., Room]) -> Iterator[Deal]:
    """A function that lays out a mechanic: its id, and what a browser's context takes; `still`, the clock stands."""
    used: list[Room] = []

    def deal(id: str, parameters: dict[str, object] | None = None, *, seed: object = 1, **context: Any) -> Desk:
        return seat(rooms(**context), [Session(id, parameters, seed=seed)])

    def seat(room: Room, sessions: list[Session]) -> Desk:
        used.append(room)
        room.complaints.clear()
        room.desk = Desk(room.page, sessions)
        return room.desk

    yield deal
    for room in used:
        assert not room.complaints


def button(panel: Locator, name: str) -> Locator:
    return panel.get_by_role("button", name=name, exact=True)


def active(page: Page) -> str:
    return str(page.evaluate("() => document.activeElement.ariaLabel || document.activeElement.textContent"))


# What a notebook holds


def test_what_a_notebook_holds_of_them_is_a_module_that_works(deal: Deal) -> None:
    """The stub finds the shared model, which holds the module and its styles packed, and unpacks them once."""
    frontend = pytest.importorskip("dicedocs_widgets.frontend")
    desk = deal("total-effect/roll")
    shared, key = frontend.shared_frontend(desk.session.form())
    desk.open()
    held = {name: getattr(shared, name) for name in ("unpack", "packed", "hash", "forms", "shapes")}
    found = desk.page.evaluate(
        """async ([stub, held, key]) => {
          away.forEach((one) => one());
          const front = { get: (name) => held[name], on() {}, off() {}, comm_live: true };
          const { default: first } = await import(URL.createObjectURL(new Blob([stub], { type: "text/javascript" })));
          const own = model.get.bind(model), unpacked = DecompressionStream;
          let times = 0;
          window.DecompressionStream = function (...how) { times++; return new unpacked(...how); };
          model.get = (name) => ({ _front: "IPY_MODEL_1", _form: key })[name] ?? own(name);
          model.widget_manager = { get_model: async () => front };
          for (let view = 0; view < 2; view++) await first.render({ model, el: document.querySelector("main") });
          return [document.querySelectorAll(".dd-panel").length, document.querySelectorAll("style[id]").length, times];
        }""",
        [frontend.stub(), held, key],
    )
    assert found == [2, 2, 1]  # the page's own style from `open`, and one for both
    button(desk.page.locator(".dd-panel").first, "Roll").click()
    expect(desk.page.get_by_role("status").first).to_contain_text("Roll 1. ")


# Every mechanic


def test_every_mechanic_is_played_can_be_read_and_fits(rooms: Callable[..., Room]) -> None:
    room = rooms()
    ids = INSTALLED
    desk = room.desk = Desk(room.page, [Session(id, seed=1) for id in ids])
    desk.open()
    page = room.page
    panels = page.locator(".dd-panel").all()
    for panel in panels:
        button(panel, "Roll").click()
    for id, panel, session in zip(ids, panels, desk.sessions, strict=True):
        expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
        assert session.outcome == mechanic(id).example().play(dicedocs.SeededDice(1))
        assert panel.get_by_role("status").inner_text() == session.state()["outcome"]["sentence"]
    assert page.evaluate(NAMELESS) == []
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    # axe looks at all of them in test_lab.py.
    for scheme, width in (("light", 1000), ("dark", 390)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        assert not faint(page)
        assert beyond(page) <= 0
    page.emulate_media(color_scheme="null")
    page.set_viewport_size(LOOK["viewport"])
    assert not room.complaints


# Rolling


def test_enter_rolls_every_time_and_the_focus_stays(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"})
    panel = desk.open()
    box = panel.get_by_label("Expression", exact=True)
    box.focus()
    for roll in range(1, 6):
        desk.page.keyboard.press("Enter")
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
        expect(box).to_be_focused()
    assert desk.did() == ["roll"] * 5


def test_presses_in_quick_succession_are_all_rolled(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"})
    panel = desk.open()
    roll = button(panel, "Roll")
    roll.evaluate("roll => { for (let n = 0; n < 5; n++) roll.click(); }")
    expect(panel.get_by_role("status")).to_contain_text("Roll 5. ")


def test_an_equal_roll_is_said_again(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"}, seed=58)
    panel = desk.open()
    panel.get_by_label("Lock seed").check()
    said = []
    for roll in (1, 2):
        button(panel, "Roll").press("Enter")
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
        said.append(desk.said())
    assert said[0].replace("Roll 1", "Roll 2") == said[1]
    assert panel.get_by_label("Seed", exact=True).input_value() == "58"


def test_the_faces_stand_there_at_once_and_dice_settle(deal: Deal) -> None:
    desk = deal("mecha-vs-kaiju/action", seed=61)
    panel = desk.open()
    assert panel.locator(".dd-settle").count() == 0
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    expected = [str(die) for die in desk.session.outcome.thrown]
    assert [die.get_attribute("aria-label") for die in panel.locator(".dd-thrown svg").all()] == expected
    moving = "() => document.querySelector('.dd-thrown').getAnimations({ subtree: true }).length"
    assert desk.page.evaluate(moving) == len(expected)


def test_nothing_moves_where_motion_is_unwelcome(deal: Deal) -> None:
    desk = deal("mecha-vs-kaiju/action", reduced_motion="reduce")
    panel = desk.open()
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    assert desk.page.evaluate("() => document.getAnimations().length") == 0


def test_dice_tumble_until_the_answer_comes(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"}, still=True)
    panel = desk.open()
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    desk.page.evaluate(HOLD)
    # Else a busy machine would let the time pass by itself.
    desk.page.clock.pause_at(desk.page.evaluate("() => Date.now() + 1000"))
    button(panel, "Roll").click()
    assert panel.locator(".dd-tumble").count() == 0, "not for an answer that comes at once"
    desk.page.clock.run_for(TUMBLE)
    assert panel.locator(".dd-tumble").count() == 1
    assert panel.locator(".dd-notice").inner_text() == ""
    desk.page.clock.run_for(PATIENCE)
    expect(panel.locator(".dd-notice")).to_have_text("Waiting for Python…")
    desk.page.evaluate("() => go()")
    desk.page.clock.resume()
    expect(panel.get_by_role("status")).to_contain_text("Roll 2. ")
    expect(panel.locator(".dd-tumble")).to_have_count(0)
    expect(panel.locator(".dd-notice")).to_be_empty()


def test_the_result_is_marked_in_the_odds(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"}, seed=58)
    panel = desk.open()
    bars = panel.get_by_role("list", name="Odds of Total")
    assert bars.get_by_role("listitem").count() == 16
    assert panel.locator(".dd-here").count() == 0
    button(panel, "Roll").click()
    here = panel.locator(".dd-here")
    expect(here).to_contain_text("this roll")
    assert here.inner_text().split()[0] == str(desk.session.outcome.fact("total"))
    panel.get_by_label("Odds of", exact=True).select_option("Raw")
    expect(panel.get_by_role("list", name="Odds of Raw")).to_be_visible()


def test_the_bar_of_all_others_is_named(deal: Deal) -> None:
    desk = deal("mage-in-the-metal/contest")
    panel = desk.open()
    panel.get_by_label("Odds of", exact=True).select_option("Totals")
    bars = panel.get_by_role("list", name="Odds of Totals").get_by_role("listitem")
    expect(bars.last).to_contain_text("others")
    expect(bars.last).not_to_have_class("dd-mute")


# What is wrong


def alerts(panel: Locator) -> str:
    return " ".join(panel.get_by_role("alert").all_inner_texts()).strip()


def test_a_wrong_text_is_shown_at_once_and_spoken_after_a_rest(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"}, still=True)
    panel = desk.open()
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
    desk.page.clock.run_for(REST)
    assert "column 7" in alerts(panel)
    assert "^" not in alerts(panel)
    assert panel.locator(".dd-outcome").inner_text() == before
    assert not violations(desk.page)
    assert not faint(desk.page)
    box.fill("3d6 + 2")
    expect(wrong).to_have_count(0)
    expect(box).to_have_attribute("aria-invalid", "false")
    assert alerts(panel) == ""


def test_enter_speaks_a_mistake_again(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"})
    panel = desk.open()
    box = panel.get_by_label("Expression", exact=True)
    box.fill("3d6 +")
    desk.page.evaluate("""() => { window.spoken = 0; new MutationObserver((all) => {
      for (const one of all) if (one.target.textContent) window.spoken++;
    }).observe(document.querySelector("[role=alert].dd-unseen"), { childList: true }); }""")
    for times in (1, 2):
        box.press("Enter")
        desk.page.wait_for_function(f"() => spoken === {times}", timeout=2000)
    expect(box).to_be_focused()
    assert desk.session.rolls == 0


def test_leaving_a_box_speaks_its_mistake(deal: Deal) -> None:
    desk = deal("total-effect/roll")
    panel = desk.open()
    box = panel.get_by_label("Advantage", exact=True)
    box.fill("much")
    expect(panel.locator(".dd-wrong:visible")).to_contain_text("'much' is not a whole number")
    assert alerts(panel) == ""
    box.press("Tab")
    expect(panel.get_by_role("alert").filter(has_text="much")).to_have_count(1, timeout=500)


def test_a_message_that_fails_is_shown_and_the_next_one_works(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"})
    panel = desk.open()
    desk.fails = "The rule broke: division by zero"
    button(panel, "Roll").click()
    expect(panel.locator(".dd-notice")).to_have_text(desk.fails)
    desk.fails = ""
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    expect(panel.locator(".dd-notice")).to_be_empty()


def test_without_a_kernel_it_says_so_and_keeps_what_it_showed(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"})
    panel = desk.open()
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    shown = panel.locator(".dd-outcome").inner_text()
    desk.page.evaluate("() => { front.comm_live = false; front.call(); }")
    expect(panel.locator(".dd-notice")).to_contain_text("Python is not running")
    sent = desk.sent()
    for name in ("Roll", "Undo", "Next seed"):
        expect(button(panel, name)).to_have_attribute("aria-disabled", "true")
        button(panel, name).press("Enter")
    panel.get_by_label("Expression", exact=True).press("Enter")
    assert desk.sent() == sent
    assert panel.locator(".dd-outcome").inner_text() == shown
    assert not violations(desk.page)
    assert not faint(desk.page)


# One request in flight


def test_an_older_answer_never_overwrites_a_newer_text(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "1d6"})
    panel = desk.open()
    box = panel.get_by_label("Expression", exact=True)
    desk.page.evaluate(HOLD)
    box.fill("2d6")
    desk.page.wait_for_function("() => model.sent.at(-1).texts.expression === '2d6'")
    box.fill("3d6 +")
    # A timer that is set after the page's own of 30 ms.
    desk.page.evaluate("() => new Promise((done) => setTimeout(done, 31))")
    assert desk.heard[-1]["texts"] == {"expression": "2d6"}
    box.evaluate("""box => {
      const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
      window.written = [];
      Object.defineProperty(box, "value", {
        get() { return get.call(box); },
        set(text) { window.written.push(text); set.call(box, text); },
      });
    }""")
    desk.page.evaluate("() => go()")
    expect(panel.locator(".dd-wrong:visible")).to_contain_text("column")
    assert box.input_value() == "3d6 +"
    assert "2d6" not in desk.page.evaluate("() => written")
    assert desk.heard[-1]["texts"] == {"expression": "3d6 +"}
    assert [message["n"] for message in desk.heard] == list(range(1, len(desk.heard) + 1))


def test_a_roll_carries_what_was_typed_just_before_it(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "1d6"})
    panel = desk.open()
    panel.get_by_label("Label", exact=True).fill("Theron, Arcane Bolt")
    panel.get_by_label("Expression", exact=True).fill("7 + 1")
    desk.page.keyboard.press("Enter")
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. Theron, Arcane Bolt: Total 8")


def test_two_views_have_no_id_twice_and_do_not_fight(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "1d6"})
    desk.open(views=2)
    page = desk.page
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
    page.evaluate("() => away[0]()")
    assert page.locator(".dd-panel").count() == 1
    assert page.evaluate("() => model.heard_by('change:_state') + model.heard_by('msg:custom')") == 2


# Keys


def test_control_z_undoes_outside_text_boxes_alone(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"})
    panel = desk.open()
    for roll in (1, 2):
        button(panel, "Roll").click()
        expect(panel.get_by_role("status")).to_contain_text(f"Roll {roll}. ")
    sent = desk.sent()
    panel.get_by_label("Expression", exact=True).press("Control+z")
    assert desk.sent() == sent
    button(panel, "Roll").press("Control+z")
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    button(panel, "Undo").click()
    expect(panel.get_by_role("status")).to_have_text("No roll yet.")
    expect(button(panel, "Undo")).to_have_attribute("aria-disabled", "true")
    expect(button(panel, "Undo")).to_be_focused()
    sent = desk.sent()
    button(panel, "Undo").press("Enter")
    assert desk.sent() == sent


def test_keys_do_not_reach_the_notebook(deal: Deal) -> None:
    desk = deal("mecha-vs-kaiju/action")
    panel = desk.open()
    desk.page.evaluate("() => { window.keys = []; document.onkeydown = (event) => { keys.push(event.key); }; }")
    button(panel, "Roll").focus()
    for key in ("d", "d", "ArrowDown", "ArrowUp", "x", "a", "Escape", "Delete"):
        desk.page.keyboard.press(key)
    panel.get_by_label("Modifier", exact=True).press("ArrowUp")
    assert desk.page.evaluate("() => keys") == []
    desk.page.keyboard.press("Control+s")
    assert desk.page.evaluate("() => keys") == ["Control", "s"][1:] or desk.page.evaluate("() => keys.includes('s')")


def test_arrows_count_within_the_bounds(deal: Deal) -> None:
    desk = deal("total-effect/roll")
    panel = desk.open()
    box = panel.get_by_label("Advantage", exact=True)
    box.press("ArrowDown")
    expect(box).to_have_value("0")
    box.press("ArrowUp")
    box.press("ArrowUp")
    expect(box).to_have_value("2")
    button(panel, "Advantage: one less").click()
    expect(box).to_have_value("1")
    desk.page.wait_for_function("() => model.get('_state').texts.advantage === '1'")
    assert desk.session.inputs.values["advantage"] == 1


# Controls with parts


def test_dice_are_added_and_removed_and_arrows_go_among_them(deal: Deal) -> None:
    desk = deal("mecha-vs-kaiju/action")
    panel = desk.open()
    boost = panel.get_by_role("group", name="Boost", exact=True)
    for name in ("Add d8", "Add d10", "Add d8"):
        button(boost, name).click()
    held = boost.locator(".dd-dice > button")
    expect(held).to_have_count(3)
    held.first.focus()
    desk.page.keyboard.press("ArrowRight")
    expect(held.nth(1)).to_be_focused()
    desk.page.keyboard.press("End")
    expect(held.nth(2)).to_be_focused()
    assert [die.get_attribute("tabindex") for die in held.all()] == ["-1", "-1", "0"]
    desk.page.keyboard.press("Space")
    expect(held).to_have_count(2)
    assert active(desk.page) != ""
    assert desk.page.evaluate("() => !!document.activeElement.closest('.dd-panel')")
    desk.page.wait_for_function("() => model.get('_state').parts.boost.length === 2")
    assert desk.session.inputs.values["boost"] == (8, 10)
    boost.get_by_text("Other").click()
    boost.get_by_label("Sides", exact=True).fill("6")
    button(boost, "Boost: add a die of so many sides").click()
    expect(held).to_have_count(3)
    boost.get_by_label("Sides", exact=True).press("Enter")
    expect(held).to_have_count(4)
    desk.page.wait_for_function("() => model.get('_state').parts.boost.length === 4")
    assert desk.session.state()["parts"]["boost"] == [8, 10, 6, 6]
    assert desk.session.rolls == 0


def test_places_are_pressed_and_told(deal: Deal) -> None:
    desk = deal("dungeoneers/action-roll")
    panel = desk.open()
    spend = panel.get_by_role("group", name="Spend dice")
    first = spend.get_by_role("button", name="Die 1 showing 4")
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    desk.page.wait_for_function("() => model.get('_state').parts.spend.length === 1")
    assert desk.session.inputs.values["spend"] == (1,)
    pool = panel.get_by_role("group", name="Pool")
    button(pool, "Pool: one die more").click()
    expect(spend.get_by_role("button")).to_have_count(6)
    pool.get_by_label("6", exact=True).fill("<b>5")
    expect(panel.locator(".dd-wrong:visible").first).to_be_visible()
    assert panel.locator(".dd-pool b, .dd-dice b").count() == 0


def test_resources_are_rows_of_names_and_values(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "[Strength]", "actor": {"Strength": 4}})
    panel = desk.open()
    actor = panel.get_by_role("group", name="Actor")
    strength = actor.get_by_role("group", name="Strength")
    strength.get_by_label("Value", exact=True).fill("9")
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Total 9")
    button(actor, "Add to Actor").click()
    expect(actor.get_by_label("Name").nth(1)).to_be_focused()
    desk.page.keyboard.type("Wits")
    desk.page.keyboard.press("Tab")
    desk.page.keyboard.type("3")
    desk.page.wait_for_function("() => model.get('_state').parts.actor[1]?.value === '3'")
    button(actor, "Remove Wits").click()
    expect(actor.get_by_role("group")).to_have_count(1)
    button(actor, "Remove Strength").press("Enter")
    expect(panel.locator(".dd-wrong:visible")).to_contain_text("Strength")
    assert desk.page.evaluate("() => !!document.activeElement.closest('.dd-panel')")


def test_rows_are_named_after_their_first_box_and_fold_what_is_optional(deal: Deal) -> None:
    desk = deal("mage-in-the-metal/contest")
    panel = desk.open()
    rusk = panel.get_by_role("group", name="Rusk", exact=True)
    assert not rusk.get_by_label("Training", exact=True).is_visible()
    rusk.get_by_text("More").click()
    rusk.get_by_label("Training", exact=True).fill("5")
    desk.page.wait_for_function("() => model.get('_state').parts.contestants[1].training === '5'")
    rusk.get_by_label("Name", exact=True).fill("Rusk II")
    expect(panel.get_by_role("group", name="Rusk II", exact=True)).to_be_visible()
    expect(panel.get_by_role("group", name="Rusk II").get_by_label("Name", exact=True)).to_be_focused()
    button(panel, "Add to Contestants").click()
    expect(panel.get_by_role("group", name="Contestants 3")).to_be_visible()
    button(panel, "Remove Contestants 3").press("Enter")
    expect(button(panel, "Remove Rusk II")).to_be_focused()


def test_only_a_box_with_words_to_choose_from_is_a_combobox(deal: Deal) -> None:
    panel = deal("total-effect/roll").open()
    assert panel.get_by_role("textbox", name="Label", exact=True).count() == 1
    assert panel.get_by_role("textbox", name="Advantage", exact=True).count() == 1
    assert panel.get_by_role("combobox", name="Effect", exact=True).count() == 1


def test_what_a_field_is_for_is_shown_until_somebody_types(deal: Deal) -> None:
    desk = deal("total-effect/roll")
    panel = desk.open()
    help = {field["name"]: field["help"] for field in desk.session.form()["fields"]}
    box, mine = panel.get_by_label("Advantage", exact=True), panel.get_by_text(help["advantage"], exact=True)
    other = panel.get_by_text(help["escalation"], exact=True)
    expect(box).to_have_accessible_description(help["advantage"])
    assert not mine.is_visible()
    box.focus()
    expect(mine).to_be_visible()
    assert not faint(desk.page)
    panel.get_by_label("Escalation", exact=True).hover()
    expect(other).to_be_visible()
    desk.page.keyboard.press("Escape")
    expect(other).to_be_hidden()
    expect(mine).to_be_hidden()
    box.blur()
    box.focus()
    expect(mine).to_be_visible()
    box.press("1")
    expect(mine).to_be_hidden()


# Seeds, history, what is taken away


def test_a_wrong_seed_is_told_beside_its_box_and_stays_there(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6 +"}, seed=58)
    panel = desk.open()
    seed = panel.get_by_label("Seed", exact=True)
    seed.fill("x" * 101)
    wrong = panel.locator(".dd-is-seed .dd-wrong")
    expect(wrong).to_contain_text("101 characters in a seed")
    expect(panel.locator(".dd-wrong:visible")).to_have_count(2)
    expect(seed).to_have_attribute("aria-invalid", "true")
    expect(seed).to_have_value("x" * 101)
    seed.press("Enter")
    expect(panel.get_by_role("alert").filter(has_text="101 characters")).to_have_count(1)
    assert desk.session.rolls == 0
    seed.fill("7")
    expect(wrong).to_be_hidden()
    expect(seed).to_have_attribute("aria-invalid", "false")


def test_a_seed_is_chosen_replayed_and_counted_on(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"})
    panel = desk.open()
    seed = panel.get_by_label("Seed", exact=True)
    seed.fill("theron")
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    assert desk.session.entries[-1].seed == "theron"
    button(panel, "Next seed").click()
    expect(seed).to_have_value("theron 2")


def test_an_entry_of_the_history_brings_its_parameters_and_seed_back(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"}, seed=58)
    panel = desk.open()
    box = panel.get_by_label("Expression", exact=True)
    box.press("Enter")
    box.fill("1d20")
    box.press("Enter")
    entries = panel.locator(".dd-past button")
    expect(entries).to_have_count(2)
    entries.first.focus()
    desk.page.keyboard.press("ArrowDown")
    expect(entries.nth(1)).to_be_focused()
    desk.page.keyboard.press("Enter")
    expect(box).to_have_value("3d6")
    expect(panel.get_by_label("Seed", exact=True)).to_have_value("58")
    button(panel, "Clear").click()
    expect(entries).to_have_count(0)


def test_the_focus_in_the_history_stays_with_its_roll_while_that_is_there(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"})
    panel = desk.open()
    roll, entries = button(panel, "Roll"), panel.locator(".dd-past button")
    for number in (1, 2):
        roll.click()
        expect(entries).to_have_count(number)
    entries.last.focus()
    desk.session.receive({"do": "roll"})
    desk.page.evaluate("(log) => model.emit('msg:custom', { for: {}, history: log })", desk.session.log())
    expect(entries).to_have_count(3)
    expect(entries.last).to_be_focused()
    for left in (2, 1):
        desk.page.keyboard.press("Control+z")
        expect(entries).to_have_count(left)
        expect(entries.last).to_be_focused()
    desk.page.keyboard.press("Control+z")
    expect(entries).to_have_count(0)
    expect(roll).to_be_focused()


def test_code_and_directives_are_copied_and_can_be_selected(deal: Deal) -> None:
    desk = deal("methuen/expression", {"expression": "3d6"}, seed=58)
    panel = desk.open()
    assert panel.get_by_text("Code and directive").is_hidden()
    button(panel, "Roll").click()
    panel.get_by_text("Code and directive").click()
    expected = {"Python": "code", "Markdown": "directive", "reStructuredText": "directive_rst"}
    for name, attribute in expected.items():
        expect(panel.get_by_label(name, exact=True)).to_have_value(getattr(desk.session.view, attribute))
        copy = button(panel, f"Copy {name}")
        copy.click()
        expect(copy).to_be_focused()
        said = copy.locator("xpath=preceding-sibling::*[1]")
        expect(said).to_have_text("Copied")
        desk.page.evaluate("""() => {
          const box = Object.assign(document.createElement("textarea"), { id: "pasted", ariaLabel: "Pasted" });
          document.querySelector("main").append(box);
          box.focus();
        }""")
        desk.page.keyboard.press("Control+v")
        assert desk.page.locator("#pasted").input_value() == getattr(desk.session.view, attribute)
        desk.page.evaluate("() => document.querySelector('#pasted').remove()")
    assert not violations(desk.page)
    code = desk.session.view.code
    button(panel, "Roll").click()
    expect(panel.get_by_label("Python", exact=True)).not_to_have_value(code)
    assert panel.get_by_label("Python", exact=True).input_value() == desk.session.view.code


# Strangers' text, and looks


def test_text_from_anywhere_is_inert(deal: Deal) -> None:
    bad = "<img src=x onerror=window.hurt=1>"
    desk = deal("ember/haul", {"note": bad, "crew": f"{bad}: skill 2; Bo: skill 1"})
    desk.session.label = bad
    form = desk.session.form()
    for field in form["fields"]:
        field["help"] = field["label"] = bad
    desk.session.form = lambda: form | {"title": bad, "help": bad}
    panel = desk.open(
        error={"text": bad},
        table={
            "note": bad,
            "dice": [{"sides": 6, "face": bad, "state": bad, "pressed": bad}],
            "gauges": [{"label": bad, "value": 1, "of": 2}],
            "plays": [{"id": "x", "label": bad, "can": True, "why": bad}],
        },
    )
    desk.session.receive({"do": "roll"})
    desk.page.evaluate("(state) => model.tell(state)", desk.state())
    desk.page.evaluate("(log) => model.emit('msg:custom', { for: {}, history: log })", desk.session.log())
    expect(panel.locator(".dd-past button")).to_have_count(1)
    assert desk.page.evaluate("() => window.hurt") is None
    assert panel.locator("img").count() == 0


TABLE = {
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


def test_a_table_of_a_game_is_pressed_and_told(deal: Deal) -> None:
    desk = deal("dungeoneers/fresh-pool")
    panel = desk.open(table=TABLE)
    dice = panel.get_by_role("group", name="Dice", exact=True).get_by_role("button")
    assert [die.get_attribute("aria-label") for die in dice.all()] == [
        "Die 1 showing 4, to spend",
        "Die 2 showing 3, exhausted",
        "Die 3 showing 6",
    ]
    assert [die.get_attribute("aria-pressed") for die in dice.all()] == ["true", "false", "false"]
    assert [die.get_attribute("aria-disabled") for die in dice.all()] == ["false", "true", "false"]
    assert button(panel, "Roll").is_hidden()
    assert panel.locator(".dd-gauges").inner_text().split() == ["Dice", "left", "1", "of", "4", "Stress", "7"]
    assert panel.get_by_role("meter").count() == 1
    desk.fails = "heard"
    dice.first.focus()
    desk.page.keyboard.press("ArrowRight")
    expect(dice.nth(1)).to_be_focused()
    desk.page.keyboard.press("Enter")
    dice.nth(2).click()
    expect(panel.locator(".dd-notice")).to_have_text("heard")
    button(panel, "Act").click()
    button(panel, "Rest").click(force=True)
    desk.page.wait_for_function("() => model.sent.filter((one) => one.do === 'press').length === 2")
    assert [{key: one.get(key) for key in ("die", "play")} for one in desk.heard if one["do"] == "press"] == [
        {"die": 3, "play": None},
        {"die": None, "play": "act"},
    ]
    assert not violations(desk.page)
    assert not faint(desk.page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_theme_of_the_host_goes_before_that_of_the_system(deal: Deal, theme: str) -> None:
    desk = deal("total-effect/roll", color_scheme="dark" if theme == "light" else "light")
    desk.open()
    desk.page.evaluate("(theme) => { document.body.dataset.theme = theme; }", theme)
    ground = desk.page.evaluate("() => getComputedStyle(document.querySelector('.dd-panel')).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (theme == "light")
    assert not faint(desk.page)


def test_forced_colours_keep_what_is_marked(deal: Deal) -> None:
    desk = deal("dungeoneers/action-roll", forced_colors="active")
    panel = desk.open()
    button(panel, "Roll").click()
    expect(panel.locator(".dd-here")).to_have_count(1)
    bar = panel.locator(".dd-here i").evaluate("bar => getComputedStyle(bar).backgroundColor")
    ground = panel.evaluate("panel => getComputedStyle(panel).backgroundColor")
    assert bar != ground
    pressed = panel.locator(".dd-dice > [aria-pressed=true]").first
    edge = "die => getComputedStyle(die).borderTopColor"
    assert pressed.evaluate(edge) != panel.locator(".dd-dice > [aria-pressed=false]").first.evaluate(edge)
