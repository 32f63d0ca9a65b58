"""The messages of a page: they have the types of the wire, whatever was sent, or are refused and change nothing."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs.errors import DiceError, ParameterError
from dicedocs.panel.forms.session import Session
from dicedocs.panel.wire import Message, read_message

WIRE = Path(__file__).parents[2] / "widgets/dicedocs_widgets/static/wire.d.ts"
ACTIONS = [
    *("set", "roll", "undo", "redo", "clear", "recall", "replay", "next-seed", "odds-of", "history"),
    *("press", "restart", "odds-show", "pin", "unpin", "csv", "picture", "character", "pin-roll", "log"),
    *(
        "add",
        "mode",
        "resource",
        "empty",
        "favourite",
        "keep",
        "forget",
        "note",
        "strike",
        "take-back",
        "apply",
        "roll-each",
        "next-turn",
    ),
]
PYTHON_TYPES = {"string": str, "number": int, "boolean": bool}
JUNK = [
    None,
    True,
    0,
    -1,
    10**30,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "x" * 20_000,
    "\ud800",
    "\0",
    [],
    [[]],
    {},
    {"": 1},
]
"""What JSON may hold in the place of anything else."""


def wire_types() -> dict[str, tuple[str, bool]]:
    """Return the type of each item of a message in TypeScript, and whether it is optional."""
    body = re.search(r"interface Message \{(.*?)\n\}", WIRE.read_text(encoding="utf-8"), re.DOTALL)[1]
    return {name: (kind, bool(mark)) for name, mark, kind in re.findall(r"^  (\w+)(\??): (.*);$", body, re.MULTILINE)}


def test_the_items_and_their_types_are_those_of_the_wire():
    hints, wire = get_type_hints(Message), wire_types()
    assert sorted(hints) == sorted(wire)
    for name, (kind, optional) in wire.items():
        if kind in PYTHON_TYPES:
            wanted = PYTHON_TYPES[kind]
            assert hints[name] in (wanted, wanted | None), name
            assert optional or hints[name] is wanted, name
        elif name == "do":
            assert sorted(re.findall('"(.*?)"', kind)) == sorted(ACTIONS)
        elif name == "items":
            assert (kind, hints[name]) == ("number[]", Sequence[int])
        else:
            assert kind.startswith("Record<string, "), name
            assert hints[name].__origin__ is Mapping, name


@pytest.mark.parametrize("name", Message._fields)
@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: repr(junk)[:12])
def test_an_item_of_another_type_is_refused_by_name(name, junk):
    default = Message._field_defaults[name]
    kind = type(default) if default is not None else bool if name == "lock" else str
    if type(junk) is kind and not (kind in (dict, list) and junk):
        assert type(getattr(read_message({name: junk}), name)) is kind
        return
    with pytest.raises(ParameterError, match=f"malformed: {name}"):
        read_message({name: junk})


@pytest.mark.parametrize("id", dd.mechanics())
def test_junk_in_the_place_of_an_input_ends_in_an_error_that_the_state_shows(id):
    session = Session(id)
    lists = [[{"": ""}], ["-", {"sides": "6"}], [10**30], [{"name": [], "value": {}}], [{"name": "x", "value": "\0"}]]
    for item, field, junk in product(("texts", "parts"), session.inputs.fields, [*JUNK, *lists]):
        before = session.state()
        try:
            session.receive({"do": "set", "label": "x", item: {field: junk}})
        except DiceError:
            assert session.state() == before
        json.dumps(session.state(), allow_nan=False).encode()


JSON = st.recursive(
    st.sampled_from([*JUNK, *ACTIONS, "3d6", "total", "Kira", 1, 2, 3]) | st.text(max_size=5) | st.integers(-3, 30),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["expression", "actor", "name", "value"]), inner, max_size=3)
    ),
    max_leaves=6,
)
MESSAGES = st.dictionaries(st.sampled_from([*Message._fields, "more"]), JSON, max_size=4) | JSON


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
