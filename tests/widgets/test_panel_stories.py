"""The stories of panels, played by widgets: what their page and their traits have then."""

import pytest

from dicedocs_widgets import evening, panel, tray

from ..panel_stories import AT, STORIES, seen
from .conftest import state_of


def widget(form):
    """Return the widget of a form."""
    more = {"seed": form.seed, "then": form.then}
    if form.id == "tray":
        return tray(*form.characters, **form.values, **more)
    return panel(form.id, characters=form.characters, **form.values, **more)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_the_page_of_a_widget_gets_what_was_pressed(story, page):
    panels = [widget(form) for form in story.own_forms()]
    host = evening(*panels) if len(panels) > 1 else panels[0]
    pages, rows = [*map(page, panels), page(host)], []
    for presses, then in story.acts:
        for _control, message, _typed, at in presses:
            answer = pages[at].send(time=AT, **message)
            assert "failed" not in answer
            rows = answer.get("history", rows)
        if host is not panels[0]:
            rows = pages[-1].send("history")["history"]
        there = seen(state_of(host), rows, host.log())
        there["texts"] = {name: there["texts"][name] for name in then.get("texts", ())}
        assert {name: there[name] for name in then} == then
        traits = {name: getattr(host, name) for name in there["texts"]}
        assert {name: "" if value is None else f"{value}" for name, value in traits.items()} == there["texts"]
