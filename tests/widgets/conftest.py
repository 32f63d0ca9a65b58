"""Panels without a browser: what they send is recorded, and a test sends the messages of a page."""

import json
import logging
from contextlib import contextmanager
from typing import Any

import comm
import pytest
from comm.base_comm import BaseComm
from ipywidgets import Widget
from traitlets.log import get_logger

from dicedocs_widgets.packing import unpack_data


class RecordingComm(BaseComm):
    """A comm that records what is sent."""

    def publish_msg(self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **_: Any) -> None:
        sent.append((self.comm_id, msg_type, data))


sent: list[tuple[str, str, Any]] = []


@pytest.fixture(autouse=True)
def _comms(monkeypatch):
    """Nothing is sent anywhere, and all models are closed after a test."""
    monkeypatch.setattr(comm, "create_comm", RecordingComm)
    sent.clear()
    yield
    Widget.close_all()


def models():
    """Return the state of every open model by its id."""
    return {id: model["state"] for id, model in Widget.get_manager_state()["state"].items()}


def state_of(panel):
    """Return the state of a panel that a page shows."""
    return unpack_data(panel.get_state("_state")["_state"])


@contextmanager
def callback_errors():
    """Collect the exceptions of callbacks, which ipywidgets only logs."""
    errors = []
    handler = logging.Handler()
    handler.emit = lambda record: errors.append(record.exc_info[1])
    logger = get_logger()
    logger.addHandler(handler)
    try:
        yield errors
    finally:
        logger.removeHandler(handler)


def deliver(panel, message):
    """Deliver a message of a page to a panel.

    Raises:
        Exception: what the panel raised.
    """
    with callback_errors() as errors:
        panel.comm.handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})
    if errors:
        raise errors[0]


class Page:
    """A page that shows a panel."""

    def __init__(self, panel):
        self.panel = panel
        self.n = 0

    def send(self, do="set", **more):
        """Send a message, and return the answer."""
        self.n += 1
        before = len(sent)
        message = {"do": do, "view": "v", "n": self.n, "texts": {}, "parts": {}, **more}
        deliver(self.panel, message)
        replies = [data for id, _, data in sent[before:] if id == self.panel.model_id]
        json.dumps(replies)
        # The change of state comes before its answer.
        assert [data["method"] for data in replies][-1] == "custom"
        answer = replies[-1]["content"]
        assert answer["for"] == {"v": self.n}
        return answer


@pytest.fixture
def page():
    return Page
