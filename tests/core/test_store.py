"""The states of a panel and of a table: whatever is done, undoing all of it gives the first state again."""

import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs import DiceError, limits
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.characters import Character
from dicedocs.panel.forms.dice_tray import TraySession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.state import FormState, State
from dicedocs.panel.store import Store
from dicedocs.scenes.change import Changed
from dicedocs_widgets.panels.dungeoneers import PLAYER

from ..examples import many

KIRA = Character("Kira", "Attack=6, HP=18 of 18", {"Sword": "1d20 + [Attack]"})
ORC = Character("Orc", "Defense=12, HP=9 of 9")


def a_table():
    attack = Session(
        "methuen/check",
        {"check": "1d20 + [Attack] >= [Target Defense]", "actor": KIRA.resources, "target": ORC.resources},
        characters=[KIRA, ORC],
    )
    attack.changes.then = "target.HP -= 5 * success; trail += 1"
    tray, player = TraySession("3d6", characters=[KIRA]), GameSession(PLAYER)
    return Evening([attack, tray, player], scene=dd.Scene(KIRA, trail=dd.Track(8)))


FACES = st.sampled_from([20, 19, 10, 2, 1])
MESSAGES = st.one_of(
    st.tuples(
        st.integers(0, 2),
        st.one_of(
            st.builds(lambda face: {"do": "roll", "faces": str(face)}, FACES),
            st.sampled_from(
                [
                    {"do": "roll"},
                    {"do": "apply"},
                    {"do": "clear"},
                    {"do": "pin"},
                    {"do": "unpin"},
                    {"do": "restart"},
                    {"do": "press", "play": "round"},
                    {"do": "keep"},
                    {"do": "add", "die": 8, "dice": 1},
                    {"do": "favourite", "item": 0},
                    {"do": "character", "name": "actor", "item": 0},
                    {"do": "character", "name": "target", "item": 0},
                    {"do": "set", "texts": {"check": "1d20 + 1 >= 12"}},
                    {"do": "set", "texts": {"check": "1d20 +"}},
                    {"do": "set", "texts": {"notation": "2d6"}, "label": "Bolt"},
                    {"do": "set", "parts": {"actor": [{"name": "Attack", "value": "7"}]}},
                    {"do": "roll-each", "items": [0]},
                    {"do": "roll-each", "items": [0], "name": "order"},
                ]
            ),
            st.builds(lambda roll: {"do": "recall", "roll": roll}, st.integers(1, 6)),
            st.builds(lambda roll: {"do": "replay", "roll": roll}, st.integers(1, 6)),
            st.builds(lambda roll: {"do": "apply", "roll": roll}, st.integers(1, 6)),
        ),
    ),
    st.tuples(
        st.none(),
        st.one_of(
            st.sampled_from(
                [
                    {"do": "apply"},
                    {"do": "next-turn"},
                    {"do": "set", "texts": {"0.HP": "3"}},
                    {"do": "set", "texts": {"0.HP": "4", "2.trail": "5"}},
                    {"do": "undo"},
                    {"do": "redo"},
                ]
            ),
            st.builds(
                lambda roll, do: {"do": do, "roll": roll},
                st.integers(1, 6),
                st.sampled_from(["apply", "take-back", "strike"]),
            ),
            st.builds(lambda roll: {"do": "note", "roll": roll, "note": "a hit"}, st.integers(1, 6)),
        ),
    ),
)


def seen(table):
    """Return what a page shows of a table and its panels, without odds and what is typed for the next roll."""
    passing = {
        "can",
        "comparison",
        "error",
        "faces",
        "faces_error",
        "failed",
        "odds",
        "rolls",
        "seed",
        "seed_error",
        "selected",
        "set",
        "then",
    }
    states = [{name: item for name, item in one.state().items() if name not in passing} for one in table.sessions]
    own = {name: item for name, item in table.state().items() if name not in {"can", "outcome", "log", "rolls"}}
    return json.dumps([*states, own["people"], own["order"]], default=str)


def happens(table, messages):
    for at, message in messages:
        with suppress(DiceError):
            (table if at is None else table.sessions[at]).receive(message)


@settings(max_examples=many(60), deadline=None)
@given(st.lists(MESSAGES, max_size=25))
def test_undo_of_all_gives_the_first_state_and_redo_of_all_the_last(messages):
    table = a_table()
    first = seen(table)
    happens(table, messages)
    while table.seat.store.can_redo:
        table.redo()
    last = seen(table)
    steps = 0
    while table.seat.store.can_undo:
        table.undo()
        steps += 1
    assert seen(table) == first
    # What was rolled stays in the log, struck out.
    assert all(entry.struck for entry in table.entries)
    for _ in range(steps):
        table.redo()
    assert not table.seat.store.can_redo
    assert seen(table) == last


@settings(max_examples=many(60), deadline=None)
@given(st.lists(MESSAGES, max_size=25))
def test_the_log_says_how_each_value_became_what_it_is(messages):
    table = a_table()
    happens(table, messages)
    now = {"kira.Attack": "6", "kira.HP": "18 of 18", "orc.Defense": "12", "orc.HP": "9 of 9", "trail": "0 of 8"}
    for change in (
        *table.seat.store.state.before,
        *(one for entry in table.seat.store.state.log for one in (*entry.made, *entry.later)),
    ):
        assert now.get(change.name, "") == change.before
        now[change.name] = change.after
    values = {
        f"{key}.{name}": text
        for key, one in (("kira", "Kira"), ("orc", "Orc"))
        for name, text in table.characters[one].sheet.items()
    }
    assert {name: text for name, text in now.items() if text} == {**values, "trail": table.tracks.sheet["trail"]}


@settings(max_examples=many(40), deadline=None)
@given(st.lists(MESSAGES, max_size=25))
def test_no_number_of_a_roll_is_given_twice(messages):
    table = a_table()
    happens(table, messages)
    numbers = [entry.roll for entry in table.entries]
    assert numbers == sorted(set(numbers))


def test_what_was_undone_is_forgotten_by_the_next_step():
    store = Store(State(()))
    states = [State((), before=(Changed("a", "0", str(number)),)) for number in (1, 2, 3)]
    store.put(states[0])
    store.put(states[1])
    store.undo()
    assert (store.state, store.can_redo) == (states[0], True)
    store.put(states[0])
    assert store.can_redo, "nothing has changed"
    store.put(states[2])
    assert not store.can_redo
    store.undo()
    store.undo()
    store.undo()
    assert (store.state, store.can_undo) == (State(()), False)


def test_steps_of_one_subject_are_one_and_one_that_comes_back_is_none():
    store, inputs = Store(State(())), Session("dice/roll").inputs
    forms = [State((FormState(inputs, label),)) for label in ("", "B", "Bo")]
    store.replace(forms[0])
    store.put(forms[1], 0, "label")
    store.put(forms[2], 0, "label")
    store.undo()
    assert (store.state, store.can_undo) == (forms[0], False)
    store.put(forms[1], 0, "label")
    store.put(forms[0], 0, "label")
    assert not store.can_undo


def test_the_oldest_steps_are_forgotten(monkeypatch):
    monkeypatch.setattr(limits, "STEPS", limits.STEPS.fixed(3))
    session = Session("dice/roll", {"notation": "1d6"})
    for _ in range(5):
        session.roll()
    for _ in range(9):
        session.travel.undo()
    assert [entry.roll for entry in session.entries] == [1, 2]
