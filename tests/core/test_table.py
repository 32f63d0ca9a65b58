"""A game's own table: plays by turns on one state."""

import json
from typing import Any, NamedTuple

import pytest

import dicedocs as dd
from dicedocs import DiceError, ParameterError, param
from dicedocs.panel.game import Game, Gauge, Laid, Play, ShownDie, Table


class Purse(NamedTuple):
    coins: int = 3
    marked: bool = False


def bet(purse, values):
    if values["expression"] == "broken":
        raise ZeroDivisionError("no coins")
    return {"expression": values["expression"]}


def field(name, type, **given):
    made: Any = param(**given)
    return made.bind(name, type)


GAME = Game(
    id="purse",
    title="Purse",
    help="Bet a coin.",
    fields=(
        field("expression", str, example="1d6", help="what is rolled"),
        field("most", int, default=9, low=0, help="the most there is"),
    ),
    start=Purse(),
    plays=(
        Play(
            "bet",
            "Bet",
            "methuen/expression",
            bet,
            lambda purse, outcome, _: purse._replace(coins=purse.coins - 1 + outcome.fact("total")),
            lambda purse, _: "" if purse.coins else "the purse is empty",
        ),
        Play(
            "lose",
            "Lose all",
            "methuen/expression",
            lambda *_: {"expression": "0"},
            lambda *_: Purse(0),
        ),
    ),
    laid=lambda purse: Laid(
        "A purse",
        [ShownDie(6, purse.coins, "", "spend" if purse.marked else ""), ShownDie(6, "-", "lost")],
        [Gauge("Coins", purse.coins, 9)],
    ),
    press=lambda purse, _: purse._replace(marked=not purse.marked),
    settle=lambda purse, values: purse._replace(coins=min(purse.coins, values["most"])),
)


@pytest.fixture
def table():
    return Table(GAME, seed=61, lock=True)


def test_what_lies_on_it_is_plain_data(table):
    state = table.state()
    assert json.loads(json.dumps(state)) == state
    assert state["table"] == {
        "note": "A purse",
        "dice": [
            {"sides": 6, "face": 3, "state": "", "pressed": ""},
            {"sides": 6, "face": "-", "state": "lost", "pressed": ""},
        ],
        "gauges": [{"label": "Coins", "value": 3, "of": 9}],
        "plays": [
            {"id": "bet", "label": "Bet", "can": True, "why": "", "main": True},
            {"id": "lose", "label": "Lose all", "can": True, "why": "", "main": False},
        ],
    }
    assert state["odds"] is None
    form = table.form()
    assert json.loads(json.dumps(form)) == form
    assert [field["name"] for field in form["fields"]] == ["expression", "most"]


def test_a_play_changes_the_state(table):
    outcome = table.roll()
    assert outcome == dd.roll("1d6", seed=61)
    assert table.table == Purse(2 + outcome.total)
    table.receive({"do": "press", "play": "lose"})
    assert table.table == Purse(0)
    assert [entry.outcome.total for entry in table.entries] == [outcome.total, 0]


def test_a_play_that_cannot_be_done_says_why_and_changes_nothing(table):
    table.play("lose")
    assert table.state()["table"]["plays"][0] == {
        "id": "bet",
        "label": "Bet",
        "can": False,
        "why": "the purse is empty",
        "main": True,
    }
    with pytest.raises(DiceError, match="the purse is empty"):
        table.play("bet")
    assert table.state()["error"]["message"] == "the purse is empty"
    table.play("lose")
    assert table.state()["error"] is None
    with pytest.raises(ParameterError, match="did you mean 'lose'"):
        table.play("loose")


def test_a_wrong_box_keeps_all_plays_from_being_done(table):
    table.receive({"do": "press", "play": "bet", "texts": {"most": "x"}})
    assert (table.rolls, list(table.state()["errors"])) == (0, ["most"])
    table.receive({"do": "press", "play": "bet", "texts": {"most": "", "expression": "1d"}})
    assert (table.rolls, list(table.state()["errors"])) == (0, ["expression"])


def test_a_game_that_fails_is_told(table):
    with pytest.raises(ZeroDivisionError):
        table.receive({"do": "press", "play": "bet", "texts": {"expression": "broken"}})
    assert table.state()["error"]["message"] == "the rule failed: ZeroDivisionError: no coins"


def test_dice_are_pressed_but_not_those_that_something_became_of(table):
    table.receive({"do": "press", "die": 1})
    assert table.state()["table"]["dice"][0]["pressed"] == "spend"
    table.press(2)
    assert table.table == Purse(3, marked=True)
    for wrong in (0, 3, True, "1", None):
        with pytest.raises(ParameterError, match="there is no die"):
            table.press(wrong)


def test_the_state_goes_with_the_boxes(table):
    table.receive({"texts": {"most": "2"}})
    assert table.table.coins == 2
    table.table = Purse(7)
    assert table.table.coins == 2


def test_undo_brings_back_the_table_as_it_was(table):
    table.press(1)
    before = table.table
    table.receive({"do": "press", "play": "bet", "texts": {"expression": "1d4"}})
    table.receive({"do": "press", "play": "lose", "texts": {"expression": "1d8"}})
    table.undo()
    assert (table.table.coins, table.boxes.values["expression"]) == (2 + table.entries[0].outcome.total, "1d8")
    table.undo()
    assert (table.table, table.boxes.values["expression"], table.outcome) == (before, "1d4", None)


def test_recall_puts_what_was_chosen_into_the_boxes_and_leaves_the_table(table):
    table.receive({"do": "press", "play": "bet", "texts": {"expression": "1d4"}})
    table.receive({"texts": {"expression": "1d8"}})
    held = table.table
    table.receive({"do": "recall", "roll": 1})
    assert (table.boxes.values["expression"], table.table) == ("1d4", held)


def test_its_outcomes_are_documented_as_those_of_their_mechanics(table):
    table.roll()
    assert table.code == 'import dicedocs as dd\n\ndd.roll("1d6", seed=61)'


def test_values_to_begin_with_are_read():
    assert Table(GAME, {"most": "1"}).table.coins == 1
    with pytest.raises(ParameterError, match="there is no parameter 'mots'"):
        Table(GAME, {"mots": 1})
