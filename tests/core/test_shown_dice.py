"""The dice that an outcome shows: which of them are not in the total, though nothing dropped them."""

import dicedocs as dd
from dicedocs import Mechanic, Outcome
from dicedocs.panel.view.log import faces
from dicedocs.panel.view.outcome_view import outcome_view
from dicedocs.render.html import outcome_html
from dicedocs.render.shown_dice import OUTSIDE, shown_dice
from dicedocs.render.svg import die_svg
from dicedocs.rules.dice import Dice, ScriptedDice
from dicedocs.rules.record import Die
from dicedocs.rules.steps import Say
from dicedocs.systems.mecha_vs_kaiju import Action
from ember.rules import Blaze

from ..every import every


def outside(outcome: Outcome) -> list[int]:
    """Return the faces of the dice that are not in the total."""
    return [die.face for die in shown_dice(outcome, outcome.steps()) if die.state == OUTSIDE]


# By hand from F41 and F53: the best two make the total, at most one of them a d20.
@every(
    ("parameters", "dice", "expected"),
    [
        ({}, [14, 5, 7], [5]),
        ({}, [2, 8, 7], [2]),
        ({"modifier": 3}, [14, 5, 7], [5]),
        ({"keep": 3}, [14, 5, 7], []),
        ({"advantage": True}, [14, 3, 5, 7], [5]),  # the 3 is dropped
        ({"scratch": 1}, [1, 5, 7], []),  # the 5 is scratched
    ],
)
def test_the_third_die_of_an_action_is_not_in_the_total(parameters, dice, expected):
    assert outside(dd.play("mecha-vs-kaiju/action", pool="d20 d8 d10", **parameters, dice=dice)) == expected


class Attack(Mechanic):
    class Result(Outcome):
        total: int
        damage: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        high, low = sorted(dice.each(20, 20), reverse=True)
        first, second = dice.each(6, 6)
        damage = say.sum("Damage", first, second)
        total = say.sum("Total", high, **self.more(low))
        extra = dice.roll(4)
        return self.Result(total, damage + extra)

    def more(self, low: int) -> dict[str, int]:
        return {}


class HiddenDie(Attack):
    def more(self, low: int) -> dict[str, int]:
        return {"luck": low % 10}


def test_dice_for_something_else_are_shown_as_they_are():
    assert outside(Attack().play(ScriptedDice([9, 12, 1, 2, 3]))) == [9]


def test_nothing_is_said_about_a_sum_with_a_number_that_may_come_from_dice():
    assert outside(HiddenDie().play(ScriptedDice([9, 12, 1, 2, 3]))) == []


def test_it_is_drawn_in_one_way_everywhere():
    action = dd.play("mecha-vs-kaiju/action", pool="d20 d8 d10", dice=[14, 5, 7])
    assert 'aria-label="d8 showing 5, not in the total"' in outcome_html(action)
    assert outcome_html(action).count("dice-is-not-in-the-total dice-aside") == 1
    shown = outcome_view(action, 1, "", None).outcome
    assert shown is not None
    assert shown["dice"][1] == [8, 5, OUTSIDE, 1]
    assert faces(action) == "14 (5) 7"
    # In a book it is as small as a die that is dropped, without its stroke.
    assert die_svg(Die(8, 5, OUTSIDE)).count("<path") < die_svg(Die(8, 5, "dropped")).count("<path")


def test_a_die_in_no_class_of_a_count_is_not_in_the_total_nor_is_one_of_a_mechanic_played():
    # The third and the fourth die are no hits; the 10 is thrown again, and shows 2.
    blaze = Blaze(trait=4).play(ScriptedDice([8, 10, 3, 1, 2]))
    shown = shown_dice(blaze, blaze.steps())
    assert [die.state for die in shown] == ["", "", OUTSIDE, OUTSIDE, OUTSIDE]
    assert faces(blaze) == "8 10 (3) (1) (2)"
    assert 'aria-label="d10 showing 3, not in the total"' in outcome_html(blaze)
    assert blaze.dropped == ()


class Duel(Mechanic):
    class Result(Outcome):
        won: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        ours, theirs = (dice.play(Action(pool="d20 d8 d10"), name) for name in ("Ours", "Theirs"))
        return self.Result(say.compare("Won", ours.total, ">", theirs.total))


def test_each_mechanic_that_is_played_has_a_total_of_its_own():
    # By hand: of 14, 5 and 7 the 5 is not in the total, of 2, 8 and 7 the 2.
    duel = Duel().play(ScriptedDice([14, 5, 7, 2, 8, 7]))
    shown = shown_dice(duel, duel.steps())
    assert [(die.face, die.state) for die in shown if die.state] == [(5, OUTSIDE), (2, OUTSIDE)]
