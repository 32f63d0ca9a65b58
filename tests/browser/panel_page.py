"""The module of panels in a real Chromium, with a real session but without Jupyter, which is fast.

``host.mjs`` replaces a widget's model. Messages of the page go to :class:`Backend`, which answers as a panel does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import Browser, Locator, Page, Route

from dicedocs.errors import ParameterError
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.form_session import FormSession
from dicedocs.render.html import verdict_colours
from dicedocs_widgets.frontend import joined

STATIC = Path(__file__).resolve().parents[2] / "widgets" / "dicedocs_widgets" / "static"
SHEETS = ((STATIC / name).read_text("utf-8") for name in ("panel.css", "controls.css"))
STYLES = "".join([verdict_colours(), *SHEETS])
ADDRESS = "http://panel.test"
PAGE = """<!doctype html><html lang="en"><title>A panel</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<style>:root { color-scheme: light dark } body { margin: 8px; background: light-dark(#fff, #111) }</style>
<main><h1>A panel</h1></main></html>"""
MOUNT = """async ([states, css, views]) => {
  const { HostModel } = await import("/host.mjs");
  const { render } = await import("/panel.mjs");
  window.models = states.map(([_form, _state], index) => new HostModel({ _form, _state }, index));
  [window.model] = models;
  window.front = { comm_live: true, on(_, call) { this.call = call; }, off() {} };
  window.removers = [];
  for (const model of models) for (let view = 0; view < views; view++) {
    const el = document.createElement("div");
    document.querySelector("main").append(el);
    removers.push(render({ model, el }, css, "dicedocs-test", front));
  }
}"""
CLEAR = """() => {
  for (const one of models) one.send = async () => {};
  removers.forEach((remove) => remove());
  document.querySelectorAll("style#dicedocs-test").forEach((one) => one.remove());
  const main = document.createElement("main");
  main.innerHTML = "<h1>A panel</h1>";
  document.querySelector("main").replaceWith(main);
  delete window.held;
  scrollTo(0, 0);
}"""
"""Leaves of the panels that were mounted nothing but their module, and lets none of them send anything more."""
UNFOLD = """() => document.querySelectorAll(".dd-more, .dd-odds-more, .dd-favourites > details")
  .forEach((one) => { one.open = true; })"""
MOUNT_TABLE = """async ([states, css]) => {
  const { HostModel } = await import("/host.mjs");
  const { render } = await import("/panel.mjs");
  const calls = [], el = document.createElement("div"), seats = [];
  window.front = { comm_live: true, on: (_, call) => calls.push(call), off() {} };
  front.call = () => calls.forEach((one) => one());
  window.models = states.map(([_form, _state], index) => new HostModel({ _form, _state }, index));
  window.removers = [];
  document.querySelector("main").append(el);
  for (const model of models.slice(0, -1)) {
    const seat = document.createElement("div");
    el.append(seat);
    seats.push(seat);
    removers.push(render({ model, el: seat }, css, "dicedocs-test", front));
  }
  removers.push(render({ model: models.at(-1), el }, css, "dicedocs-test", front, undefined, seats));
}"""
UPDATE = """(all) => all.forEach(([state, reply], index) => {
  models[index].setState(state);
  models[index].emit("msg:custom", { for: {}, ...reply });
})"""
CONTEXT = {"viewport": {"width": 1000, "height": 900}}


class Backend:
    """The Python side of a page: sessions that receive its messages, which are recorded."""

    def __init__(self, page: Page, sessions: Sequence[FormSession]) -> None:
        self.page = page
        self.sessions = sessions
        self.session = sessions[0]
        self.received: list[dict[str, Any]] = []
        self.failure = ""
        self.overrides: dict[str, Any] = {}

    def receive(self, message: dict[str, Any], index: int) -> dict[str, Any]:
        self.received.append(message)
        session = self.sessions[index]
        failed = {"failed": self.failure} if self.failure else {}
        if not failed:
            session.receive(message)
        return {"state": self.state(session), "answer": session.reply_to(message) | failed}

    def state(self, session: FormSession | None = None) -> dict[str, Any]:
        session = session or self.session
        while not session.odds.count(1):
            pass
        return session.state() | self.overrides

    def open(self, *, views: int = 1, unfolded: bool = True, **overrides: Any) -> Locator:
        """Open the page and return the first panel; `overrides` replace items of the state.

        Its rarely changed fields are visible, if `unfolded`.
        """
        self.overrides = overrides
        states = [[session.form(), self.state(session)] for session in self.sessions]
        self.page.evaluate(MOUNT, [states, STYLES, views])
        self.page.wait_for_function("(views) => models.every((one) => one.sent.length >= views)", arg=views)
        if unfolded:
            self.page.evaluate(UNFOLD)
        return self.page.locator(".dd-panel").first

    def sent(self) -> int:
        """Return the number of messages that the page has sent, including those on their way."""
        number: int = self.page.evaluate("() => model.sent.length")
        return number

    def finish_answer(self) -> None:
        """Wait until the page, which draws a state at once, has handled the answer that came with it, a task later."""
        self.page.evaluate("() => new Promise((done) => setTimeout(done))")

    def status(self) -> str:
        return self.page.get_by_role("status").first.inner_text()

    def actions(self) -> list[str]:
        return [message["do"] for message in self.received if message["do"] != "history"]


class TableBackend(Backend):
    """The Python side of a table: what is done in a panel is sent to the pages of the table and of the others too."""

    def __init__(self, page: Page, table: Evening) -> None:
        super().__init__(page, list(table.sessions))
        self.table = table

    def receive(self, message: dict[str, Any], index: int) -> dict[str, Any]:
        if index == len(self.sessions):
            self.received.append(message)
            failure = None
            try:
                self.table.receive(message)
            except ParameterError as error:
                failure = error
            return {"state": self.table.state(), "answer": self.table.reply_to(message, failure)}
        return super().receive(message, index)

    def open_table(self) -> Locator:
        states = [[session.form(), self.state(session)] for session in self.sessions]
        self.page.evaluate(MOUNT_TABLE, [[*states, [self.table.form(), self.table.state()]], STYLES])
        return self.page.locator(".dd-evening-log")

    def follow(self) -> None:
        """Send all pages what was done in one of them, as Jupyter does at once."""
        panels = [[self.state(session), session.reply()] for session in self.sessions]
        self.page.evaluate(UPDATE, [*panels, [self.table.state(), self.table.reply()]])


AnyBackend = TypeVar("AnyBackend", bound=Backend)


class ReusedPage:
    """A page that many tests use, each with its own backend."""

    def __init__(self, browser: Browser, context: Mapping[str, Any], *, still: bool) -> None:
        self.backend: Backend | None = None
        self._usable = False
        self.console_errors: list[str] = []
        self.page = browser.new_context(**{**CONTEXT, **context}).new_page()
        self.page.set_default_timeout(5000)
        if still:
            self.page.clock.install()
        self.page.on("console", lambda entry: self.console_errors.append(entry.text) if entry.type == "error" else None)
        self.page.on("pageerror", lambda error: self.console_errors.append(str(error)))
        self.page.expose_function("python", self.receive)
        self.page.route(f"{ADDRESS}/**", serve)

    def play(self, backend: AnyBackend, *, alone: bool = False) -> AnyBackend:
        """Let the page play with a backend from now on.

        No message of the panels before reaches it: neither can they send one any more, nor is one still on its way.

        Parameters:
            backend: the backend.
            alone: whether its test changes the page beside its panels, so that no other one can use the page as it is.
        """
        if alone or not self._usable:
            self.page.goto(ADDRESS)
        else:
            self.page.evaluate(CLEAR)
        self._usable = not alone
        self.backend = backend
        return backend

    def receive(self, message: dict[str, Any], index: int) -> dict[str, Any]:
        assert self.backend is not None
        return self.backend.receive(message, index)


def serve(route: Route) -> None:
    name = route.request.url.removeprefix(ADDRESS).strip("/")
    if not name:
        route.fulfill(body=PAGE, content_type="text/html")
        return
    # As a notebook loads it: each of its thirty modules alone would take longer than what a test presses.
    script = joined(name) if name == "panel.mjs" else Path(__file__).with_name(name).read_text(encoding="utf-8")
    route.fulfill(body=script, content_type="text/javascript")


Start = Callable[..., Backend]
"""A function that starts a session: the fixture ``start``."""


def button(panel: Locator, name: str) -> Locator:
    """Return a button by its whole name."""
    return panel.get_by_role("button", name=name, exact=True)
