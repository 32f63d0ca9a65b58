"""The messages of a page: they have the types of the wire, whatever was sent, or are refused and change nothing."""

import json
from itertools import product
from pathlib import Path
from runpy import run_path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs.errors import DiceError, ParameterError
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.wire import Action, Message, read_message
from dicedocs_widgets.panels.dungeoneers import PLAYER

from ..every import every
from ..hostile import JSON

ROOT = Path(__file__).parents[2]
ACTIONS = get_args(Action)


def test_the_types_of_the_page_are_made_from_the_message():
    made = run_path(str(ROOT / "tools/wire.py"))["wire"]()
    assert made == (ROOT / "widgets/dicedocs_widgets/static/wire.d.ts").read_text("utf-8"), "run `make wire`"


def test_every_action_is_carried_out_somewhere():
    sessions = [Session("dice/roll"), GameSession(PLAYER), TraySession()]
    assert {name for each in (*sessions, Evening(sessions)) for name in each.actions} == set(ACTIONS)


@every("name", Message._fields)
@every("junk", JSON, ids=lambda junk: repr(junk)[:12])
def test_an_item_of_another_type_is_refused_by_name(name, junk):
    default = Message._field_defaults[name]
    kind = type(default) if default is not None else bool if name == "lock" else str
    if type(junk) is kind and not (kind in (dict, list) and junk):
        assert type(getattr(read_message({name: junk}), name)) is kind
        return
    with pytest.raises(ParameterError, match=f"malformed: {name}"):
        read_message({name: junk})


@every("id", dd.mechanics())
def test_junk_in_the_place_of_an_input_ends_in_an_error_that_the_state_shows(id):
    session = Session(id)
    lists = [[{"": ""}], ["-", {"sides": "6"}], [10**30], [{"name": [], "value": {}}], [{"name": "x", "value": "\0"}]]
    for item, field, junk in product(("texts", "parts"), session.inputs.fields, [*JSON, *lists]):
        before = session.state()
        try:
            session.receive({"do": "set", "label": "x", item: {field: junk}})
        except DiceError:
            assert session.state() == before
        json.dumps(session.state(), allow_nan=False).encode()


VALUES = st.recursive(
    st.sampled_from([*JSON, *ACTIONS, "3d6", "total", "Kira", 1, 2, 3]) | st.text(max_size=5) | st.integers(-3, 30),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["expression", "actor", "name", "value"]), inner, max_size=3)
    ),
    max_leaves=6,
)
MESSAGES = st.dictionaries(st.sampled_from([*Message._fields, "more"]), VALUES, max_size=4) | VALUES


@given(
    st.lists(MESSAGES, max_size=4),
    st.sampled_from(["methuen/expression", "total-effect/roll", "dungeoneers/action-roll"]),
)
def test_any_message_is_carried_out_or_refused(messages, id):
    session = Session(id, seed=1)
    for message in messages:
        before, well_formed = session.state(), True
        try:
            read_message(message)
        except DiceError:
            well_formed = False
        try:
            session.receive(message)
        except DiceError:
            assert well_formed or session.state() == before
        else:
            assert well_formed
        json.dumps([session.state(), session.log()], allow_nan=False).encode()


@pytest.mark.parametrize("name", ["sing", 5])
def test_a_message_has_no_other_item(name):
    with pytest.raises(ParameterError, match=f"malformed: there is no '{name}'"):
        read_message({"do": "roll", name: "x"})
