"""Panels without a browser: what they send is kept, and what a page would say is said by the test."""

from typing import Any

import comm
import pytest
from comm.base_comm import BaseComm
from ipywidgets.widgets.widget import _instances


class Kept(BaseComm):
    """A comm that keeps what is sent."""

    def publish_msg(self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any) -> None:
        sent.append((self.comm_id, msg_type, data))


sent: list[tuple[str, str, Any]] = []


@pytest.fixture(autouse=True)
def _comms(monkeypatch):
    """No model is left behind by a test, and none is sent anywhere."""
    from dicedocs_widgets import front

    monkeypatch.setattr(comm, "create_comm", Kept)
    sent.clear()
    yield
    for widget in list(_instances.values()):
        widget.close()
    front._shared.clear()


class Page:
    """What a page has of a panel."""

    def __init__(self, panel):
        self.panel = panel
        self.n = 0

    def say(self, do="set", **more):
        """Send a message, and give the answer."""
        self.n += 1
        before = len(sent)
        message = {"do": do, "view": "v", "n": self.n, "texts": {}, "parts": {}, **more}
        try:
            self.panel._handle_custom_msg(message, [])
        finally:
            told = [data for id, _, data in sent[before:] if id == self.panel.model_id]
            # The change of state comes before its answer.
            assert [data["method"] for data in told][-1] == "custom"
            self.answer = told[-1]["content"]
        assert self.answer["for"] == {"v": self.n}
        return self.answer

    @property
    def state(self):
        return self.panel._state


@pytest.fixture
def page():
    return Page
