"""The front end of a notebook in a real Chromium: what is saved shows a panel, and what Python sends plays it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from .accessible import axe_violations, overflow
from .panel_page import Backend, Start, button

pytestmark = pytest.mark.browser

SHARED = """([stub, fields, key, packed]) => {
  removers.forEach((remove) => remove());
  // The model that all panels share: `answer` sends what plays a panel.
  const listeners = new Set(), bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  window.shared = {
    comm_live: true,
    asked: 0,
    get: (name) => fields[name],
    on: (event, call) => event === "msg:custom" && listeners.add(call),
    off: (event, call) => listeners.delete(call),
    send() { this.asked++; this.silent || this.answer(); },
    answer: () => setTimeout(() => listeners.forEach((call) => call({}, [bytes]))),
  };
  const own = model.get.bind(model), url = URL.createObjectURL;
  window.modules = 0;
  URL.createObjectURL = (blob) => { modules++; return url(blob); };
  model.get = (name) => ({ _front: "IPY_MODEL_1", _form: key })[name] ?? own(name);
  model.widget_manager = { get_model: async () => shared };
  const first = import(url(new Blob([stub], { type: "text/javascript" })));
  window.view = async () => (await first).default.render({ model, el: document.querySelector("main") });
}"""
"""Replaces the panel of the page by what a notebook has: the stub of a panel, and the model that all panels share."""


@pytest.fixture
def shared(start: Start) -> Callable[..., Backend]:
    """Return a function that opens a page with the front end of a notebook, and no panel yet."""
    frontend = pytest.importorskip("dicedocs_widgets.frontend")
    packing = pytest.importorskip("dicedocs_widgets.packing")

    def opened(*session: Any, **more: Any) -> Backend:
        backend = start(*session, alone=True, **more)
        front, key = frontend.shared_frontend(backend.session.form())
        if more.get("seed"):
            backend.session.roll()
        backend.open()
        fields = {name: getattr(front, name) for name in ("unpack", "packed", "hash", "forms", "texts")}
        state = backend.state
        backend.state = lambda session=None: packing.pack_data(state(session))  # type: ignore[method-assign]
        backend.page.evaluate(SHARED, [frontend.stub(), fields, key, packing.pack(frontend.playing_source())])
        backend.page.evaluate("(state) => model.setState(state)", backend.state())
        return backend

    return opened


def test_the_front_end_of_a_notebook_plays(shared: Callable[..., Backend]) -> None:
    """The stub finds the shared model, unpacks what it contains once, and asks Python once for what plays."""
    backend = shared("total-effect/roll")
    counts = backend.page.evaluate(
        """async () => {
          for (let number = 0; number < 2; number++) await view();
          const count = (what) => document.querySelectorAll(what).length;
          return [count(".dd-panel"), count(".dd-shown"), count("style[id]"), modules, shared.asked];
        }"""
    )
    # The page's own style from `open`, and two for both: what is shown, and the controls. The module that unpacks, the
    # one that shows, and the one that plays.
    assert counts == [2, 0, 3, 3, 1]
    button(backend.page.locator(".dd-panel").first, "Roll").click()
    expect(backend.page.get_by_role("status").first).to_contain_text("Roll 1. ")
    expect(backend.page.get_by_role("status").last).to_contain_text("Roll 1. ")
    # Many changes at once are shown in order.
    packing = pytest.importorskip("dicedocs_widgets.packing")
    state = backend.session.state()
    backend.page.evaluate(
        """async ([one, other]) => { for (let n = 0; n < 9; n++) { model.setState(one); model.setState(other); } }""",
        [packing.pack_data(state | {"label": "first"}), packing.pack_data(state | {"label": "last"})],
    )
    expect(backend.page.get_by_label("Label").first).to_have_value("last")


def test_a_panel_is_shown_until_a_busy_kernel_answers_and_then_plays(shared: Callable[..., Backend]) -> None:
    backend = shared("total-effect/roll", {"effect": "high"}, seed=61)
    backend.page.evaluate("() => { shared.silent = true; return view(); }")
    panel = backend.page.locator(".dd-panel")
    expect(panel).to_have_class(re.compile("dd-shown"))
    expect(panel.get_by_role("alert")).to_contain_text("Waiting for Python")
    expect(panel.get_by_role("status")).to_contain_text("Roll 1. ")
    # What Python does meanwhile is shown.
    backend.session.roll()
    backend.page.evaluate("(state) => model.setState(state)", backend.state())
    expect(panel.get_by_role("status")).to_contain_text("Roll 2. ")
    backend.page.evaluate("() => shared.answer()")
    expect(panel).not_to_have_class(re.compile("dd-shown"))
    button(panel, "Roll").click()
    expect(panel.get_by_role("status")).to_contain_text("Roll 3. ")
    expect(panel).to_have_count(1)


CHOSEN = {
    "total-effect/roll": ["Effect low", "Threshold 13"],
    "mecha-vs-kaiju/action": ["Pool d20 d8 d10", "Counter 18"],
    "dungeoneers/group-roll": ["Members Freya: Stat 3, Die 5 Ulfarmi: Stat 4, Die 1"],
    "methuen/check": ["Actor Attack 6", "Target Defense 12"],
}
"""What is said of the choices of some mechanics where their panels are only shown."""


@pytest.mark.parametrize("id", CHOSEN)
def test_without_a_kernel_all_is_shown_and_nothing_asked(shared: Callable[..., Backend], id: str) -> None:
    backend = shared(id, seed=61)
    sentence = backend.session.state()["outcome"]["sentence"]
    backend.page.evaluate("() => { shared.comm_live = false; return view(); }")
    panel = backend.page.locator(".dd-panel")
    expect(panel.get_by_role("status")).to_have_text(sentence)
    assert backend.page.evaluate("() => [shared.asked, modules]") == [0, 2]
    chosen = [" ".join(row.split()) for row in panel.locator(".dd-chosen > div").all_inner_texts()]
    assert set(CHOSEN[id]) <= set(chosen)
    assert not {"Advantage 0", "Modifier 0"} & set(chosen)
    expect(panel.locator(".dd-past li")).to_have_count(1)
    expect(panel.get_by_role("alert")).to_contain_text("Python is not running")
    assert panel.locator(":is(input, select, button):visible").count() == 0
    for scheme, width in (("light", 1000), ("dark", 390)):
        backend.page.emulate_media(color_scheme=scheme)
        backend.page.set_viewport_size({"width": width, "height": 900})
        assert not axe_violations(backend.page)
        assert overflow(backend.page) <= 0
