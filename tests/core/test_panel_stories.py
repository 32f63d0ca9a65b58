"""The stories of panels, played by sessions alone."""

from ..every import every
from ..panel_stories import AT, STORIES, seen


@every("story", STORIES, ids=lambda story: story.name)
def test_a_session_receives_what_is_pressed(story):
    sessions, table = story.play()
    host = table or sessions[0]
    for presses, then in story.acts:
        for _control, message, _typed, at in presses:
            (sessions[at] if at >= 0 else table).receive({"time": AT, **message})
        sessions[0].odds.count(1)
        there = seen(host.state(), host.log(), host.written_log("text"))
        there["texts"] = {name: there["texts"][name] for name in then.get("texts", ())}
        assert {name: there[name] for name in then} == then
