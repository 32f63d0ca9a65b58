"""A game with a panel of its own, whose rule asks its player."""

import dicedocs as dd
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.panel.evening import Evening
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.game import DieView, Game, GameView, Play
from dicedocs.rules.registry import in_book

from ..pig import turn_of_pig

PIG = book_mechanics([PageRule("pig/turn", tuple(turn_of_pig(100).strip().split("\n")), "", ())])


def scored(points, outcome, _values):
    return (points[0] + outcome.score,)


GAME = Game(
    "pig",
    "Pig",
    "Score 100.",
    (),
    (0,),
    [Play("turn", "Turn", "pig/turn", lambda *_: {}, scored)],
    lambda points: GameView(f"{points[0]} points", [DieView(6, "-")]),
    lambda points, _die: points,
    lambda points, _values: points,
)
A, B, C = dd.SeededDice(3).each(6, 6, 6)  # none is a 1


def shown(session):
    state = session.state()
    return state["game"]["note"], state["outcome"]["sentence"] if state["outcome"] else ""


def test_a_play_that_asks_moves_the_game_once_all_is_chosen():
    with in_book(PIG):
        made, other = GameSession(GAME, seed=3), Session("dice/roll", {"notation": "1d6"})
        table = Evening([made, other])
        made.receive({"do": "press", "play": "turn"})
        assert shown(made) == ("0 points", f"Roll 1. {A}. Again? yes, no.")
        other.roll([4])
        made.receive({"do": "answer", "item": 0})
        assert shown(made) == ("0 points", f"Roll 1. {A}, {B}. Again? yes, no.")
        made.receive({"do": "answer", "item": 1})
        assert shown(made) == (f"{A + B} points", f"Roll 2. Score {A + B}, Again no.")
        table.undo()
        made.receive({"do": "answer", "item": 0})
        assert shown(made) == ("0 points", f"Roll 3. {A}, {B}, {C}. Again? yes, no.")
        made.receive({"do": "answer", "item": 1})
        assert shown(made)[0] == f"{A + B + C} points"
