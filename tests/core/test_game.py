"""A game with a panel of its own: plays in turn on one game state."""

import json
from typing import Any, NamedTuple

import pytest

import dicedocs as dd
from dicedocs import DiceError, ParameterError, param
from dicedocs.panel.entry import Entry
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.game import DieView, Game, GameView, Meter, Play
from dicedocs.rules.registry import in_book

from ..panel_stories import PIG


class Purse(NamedTuple):
    coins: int = 3
    marked: bool = False


def bet_parameters(purse, values):
    if values["expression"] == "broken":
        raise ZeroDivisionError("no coins")
    return {"expression": values["expression"]}


def field(name, type, **options):
    unnamed: Any = param(**options)
    return unnamed.bind(name, type)


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
            bet_parameters,
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
    view=lambda purse: GameView(
        "A purse",
        [DieView(6, purse.coins, "", "spend" if purse.marked else ""), DieView(6, "-", "lost")],
        [Meter("Coins", purse.coins, 9)],
    ),
    press=lambda purse, _: purse._replace(marked=not purse.marked),
    adjust=lambda purse, values: purse._replace(coins=min(purse.coins, values["most"])),
)


@pytest.fixture
def session():
    return GameSession(GAME, seed=61, lock=True)


def test_form_and_state_are_plain_data(session):
    state = session.state()
    assert json.loads(json.dumps(state)) == state
    assert state["game"] == {
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
        "preview": [],
    }
    assert state["odds"] is None
    form = session.form()
    assert json.loads(json.dumps(form)) == form
    assert [field["name"] for field in form["fields"]] == ["expression", "most"]


def test_a_play_changes_the_state(session):
    outcome = session.roll()
    assert outcome == dd.play("methuen/expression", expression="1d6", seed=61)
    assert session.game_state == Purse(2 + outcome.total)
    session.receive({"do": "press", "play": "lose"})
    assert session.game_state == Purse(0)
    assert [entry.outcome.total for entry in session.entries] == [outcome.total, 0]


def test_a_play_that_is_not_possible_shows_why_and_changes_nothing(session):
    session.play("lose")
    assert session.state()["game"]["plays"][0] == {
        "id": "bet",
        "label": "Bet",
        "can": False,
        "why": "the purse is empty",
        "main": False,
    }
    assert session.state()["game"]["plays"][1]["main"] is True
    with pytest.raises(DiceError, match="the purse is empty"):
        session.play("bet")
    assert session.state()["error"]["message"] == "the purse is empty"
    session.play("lose")
    assert session.state()["error"] is None
    with pytest.raises(ParameterError, match="did you mean 'lose'"):
        session.play("loose")


def test_no_play_is_possible_while_an_input_is_not_valid(session):
    session.receive({"do": "press", "play": "bet", "texts": {"most": "x"}})
    assert (session.rolls, list(session.state()["errors"])) == (0, ["most"])
    session.receive({"do": "press", "play": "bet", "texts": {"most": "", "expression": "1d"}})
    assert (session.rolls, list(session.state()["errors"])) == (0, ["expression"])


def test_the_error_of_a_game_is_shown(session):
    with pytest.raises(ZeroDivisionError):
        session.receive({"do": "press", "play": "bet", "texts": {"expression": "broken"}})
    assert session.state()["error"]["message"] == "the rule failed: ZeroDivisionError: no coins"


def test_only_dice_without_a_state_can_be_pressed(session):
    session.receive({"do": "press", "die": 1})
    assert session.state()["game"]["dice"][0]["pressed"] == "spend"
    session.press(2)
    assert session.game_state == Purse(3, marked=True)
    for wrong in (0, 3, True, "1", None):
        with pytest.raises(ParameterError, match="there is no die"):
            session.press(wrong)


def test_the_state_is_adjusted_to_the_inputs(session):
    session.receive({"texts": {"most": "2"}})
    assert session.game_state.coins == 2
    session.game_state = Purse(7)
    assert session.game_state.coins == 2


def test_undo_restores_the_state_and_the_inputs(session):
    session.press(1)
    before = session.game_state
    session.receive({"do": "press", "play": "bet", "texts": {"expression": "1d4"}})
    session.receive({"do": "press", "play": "lose", "texts": {"expression": "1d8"}})
    session.travel.undo()
    assert (session.game_state.coins, session.inputs.values["expression"]) == (
        2 + session.entries[0].outcome.total,
        "1d8",
    )
    session.travel.undo()
    assert session.inputs.values["expression"] == "1d4"
    session.travel.undo()
    assert (session.game_state, session.inputs.values["expression"], session.outcome) == (before, "1d4", None)


def test_recall_restores_the_inputs_and_leaves_the_state(session):
    session.receive({"do": "press", "play": "bet", "texts": {"expression": "1d4"}})
    session.receive({"texts": {"expression": "1d8"}})
    state = session.game_state
    session.receive({"do": "recall", "roll": 1})
    assert (session.inputs.values["expression"], session.game_state) == ("1d4", state)
    with pytest.raises(DiceError, match="'replay' is not an action here"):
        session.receive({"do": "replay", "roll": 1})
    assert (session.rolls, session.game_state) == (1, state)


def test_its_outcomes_are_exported_like_those_of_their_mechanics(session):
    session.roll()
    assert session.view.code == 'import dicedocs as dd\n\ndd.play("methuen/expression", expression="1d6", seed=61)'


def test_initial_values_are_converted():
    assert GameSession(GAME, {"most": "1"}).game_state.coins == 1
    with pytest.raises(ParameterError, match="there is no parameter 'mots'"):
        GameSession(GAME, {"mots": 1})


def test_undoing_a_roll_of_an_earlier_session_leaves_the_game_as_it_is():
    earlier, session = GameSession(GAME, {"expression": "1d4"}), GameSession(GAME, {"most": 1})
    earlier.roll()
    earlier.roll()
    session.resume(Entry(*entry[:4]) for entry in earlier.entries)  # as a file keeps them
    before = (session.game_state, dict(session.inputs.values))
    session.travel.undo()
    session.travel.redo()
    assert (session.game_state, session.inputs.values, len(session.entries)) == (*before, 2)


def test_a_play_that_asks_changes_the_state_once_all_is_chosen():
    def score(purse, outcome, _values):
        return purse._replace(coins=purse.coins + outcome.fact("score"))

    asks = GAME._replace(plays=(Play("turn", "Turn", "pig/turn", lambda *_: {}, score),))
    one, two, three = dd.SeededDice(3).each(6, 6, 6)  # none is a 1

    def shown(coins, sentence):
        return made.game_state.coins == coins and made.state()["outcome"]["sentence"] == sentence

    with in_book({"pig/turn": PIG}):
        made, other = GameSession(asks, {"most": 99}, seed=3), Session("dice/roll", {"notation": "1d6"})
        table = Evening([made, other])
        made.receive({"do": "press", "play": "turn"})
        assert shown(3, f"Roll 1. {one}. Again? yes, no.")
        other.roll([4])
        made.receive({"do": "answer", "item": 0})
        assert shown(3, f"Roll 1. {one}, {two}. Again? yes, no.")
        made.receive({"do": "answer", "item": 1})
        assert shown(3 + one + two, f"Roll 2. Score {one + two}, Again no.")
        table.undo()
        made.receive({"do": "answer", "item": 0})
        assert shown(3, f"Roll 3. {one}, {two}, {three}. Again? yes, no.")
