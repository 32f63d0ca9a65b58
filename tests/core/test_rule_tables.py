"""The tables that rules have, to be printed: what they look up, and the bands of their facts."""

import re

import pytest

import dicedocs as dd
from dicedocs.render.rule_table import find_rule_table
from dicedocs.rules.dice import Dice
from dicedocs.rules.outcome import fact
from dicedocs.rules.steps import Say

from ..every import every

DEGREES = {None: "failure", 5: "success", 10: "success", 15: "critical"}
MOODS = {1: "calm", 2: "calm", 3: "angry"}


class Climb(dd.Mechanic):
    """Two tables: one looked up, one declared."""

    bonus: int = dd.param(default=0)

    class Result(dd.Outcome):
        total: int
        mood: int = fact(
            label="Mood of the crew", bands=lambda climb: {key + climb.bonus: each for key, each in MOODS.items()}
        )

    def resolve(self, dice: Dice, say: Say) -> Result:
        total = say.sum("Height", dice.roll(20), bonus=self.bonus)
        say.look_up("Degree", total, DEGREES)
        return self.Result(total, 1)


class Level(dd.Mechanic):
    """A table that its fact declares and its working looks up, in a rule that is played."""

    class Result(dd.Outcome):
        total: int = fact(bands=DEGREES)

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.play(_Inner(), "Inner").total)


class _Inner(dd.Mechanic):
    class Result(dd.Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        number = dice.roll(20)
        say.look_up("Degree", number, DEGREES)
        return self.Result(number)


class Changing(dd.Mechanic):
    """A table that depends on the dice."""

    class Result(dd.Outcome):
        total: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        number = dice.roll(6)
        say.look_up("Degree", number, {None: "low", int(number): "high"})
        return self.Result(number)


def test_the_ranges_of_a_table_are_computed_and_neighbours_that_mean_the_same_are_one():
    table = find_rule_table(Climb(), "degree")
    assert table.heads == ("Height", "Degree")
    assert table.rows == [("4 or less", "failure"), ("5 to 14", "success"), ("15 or more", "critical")]


@pytest.mark.parametrize("name", ["mood", "Mood of the crew"])
def test_bands_depend_on_the_parameters(name):
    table = find_rule_table(Climb(bonus=10), name)
    assert table.heads == ("Mood of the crew", "Result")
    assert table.rows == [("11 to 12", "calm"), ("13 or more", "angry")]


def test_a_table_that_is_declared_and_looked_up_is_one():
    table = find_rule_table(Level())
    assert (table.names, table.heads) == (("total", "Total", "Degree"), ("Total", "Degree"))


@every(
    ("rule", "name", "message"),
    [
        (Climb(), "", "Climb has several tables; write Climb mood; known: 'Degree', 'mood'"),
        (Climb(), "moods", "Climb has no table 'moods'; did you mean 'mood'?"),
        (Changing(), "", "Changing has no table; it looks nothing up by say.look_up"),
    ],
)
def test_what_is_no_table_of_the_rule_is_refused(rule, name, message):
    with pytest.raises(dd.ParameterError, match=f"^{re.escape(message)}"):
        find_rule_table(rule, name)
