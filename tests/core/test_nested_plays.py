"""Rules that play others, whose outcomes are counted first, and those that play without end."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest

import dicedocs as dd
from dicedocs import Dice, LimitError, Mechanic, Outcome, Say, param

from .made_rules import Got, rule_of


class Hit(Mechanic):
    """A hit by 5 and 6."""

    class Result(Outcome):
        hit: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.roll(6) >= 5)


def returning(resolve):
    """A rule that returns what a function of its dice returns."""

    class Rule(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Hit.Result:
            outcome: Hit.Result = resolve(dice)
            return outcome

    return Rule()


# What is done with a play


class Down(Mechanic):
    """A rule that plays itself many times."""

    times: int = param(default=0)

    def resolve(self, dice: Dice, say: Say) -> Got:
        return Got(dice.roll(2) + dice.play(Down(times=self.times - 1), "Again").got) if self.times else Got(0)


def test_the_working_has_a_play_inside_the_other():
    lines = str(Down(times=2).play(dd.ScriptedDice([1, 2]))).splitlines()
    assert lines == ["Dice: d2: 1", "Again:", "  Dice: d2: 2"]


def test_a_play_that_is_returned_is_the_outcome():
    class Above(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            say.throw("Above", dice.roll(4))
            return dice.play(Down(times=1), "Below")

    outcome = Above().play(dd.ScriptedDice([3, 2]))
    assert (outcome.got, outcome.rule) == (2, Above())
    assert str(outcome).splitlines()[:2] == ["Above: d4: 3", "Below:"]
    assert dd.odds(Above()).to_dict() == {1: Fraction(1, 2), 2: Fraction(1, 2)}


def test_what_is_returned_in_one_branch_and_read_in_another():
    for reads in ({1}, {2}, {1, 2}, {2, 3}, set()):

        def resolve(dice, reads=reads):
            if dice.roll(3) in reads:
                return Hit.Result(not dice.play(Hit()).hit)
            return dice.play(Hit())

        hits = Fraction(len(reads), 3) * Fraction(2, 3) + Fraction(3 - len(reads), 3) * Fraction(1, 3)
        assert dd.odds(returning(resolve)).exactly(True) == hits


def test_a_play_that_is_returned_by_a_method_of_the_rule():
    assert dd.odds(returning(lambda dice: Hit().play(dice))).exactly(True) == Fraction(1, 3)


def test_a_play_as_a_fact_of_its_own():
    alone = dd.odds(rule_of(lambda dice: dice.play(Hit())))
    assert {outcome.hit: p for outcome, p in alone.to_dict().items()} == {False: Fraction(2, 3), True: Fraction(1, 3)}
    listed = dd.odds(rule_of(lambda dice: (1, (dice.play(Hit()),))))
    assert {outcome.hit: p for (_, (outcome,)), p in listed.to_dict().items()} == {
        False: Fraction(2, 3),
        True: Fraction(1, 3),
    }


def test_a_play_in_a_list_is_refused_as_any_list():
    with pytest.raises(TypeError, match="of which something can change; give tuples instead of lists"):
        dd.odds(rule_of(lambda dice: [dice.play(Hit())]))


def test_a_play_in_a_state_is_read():
    rule = rule_of(lambda dice: dice.repeat(lambda d, _say, n, _hit: (n + 1, d.play(Hit())), (0, 0), over)[1].hit)
    assert dd.odds(rule).exactly(True) == Fraction(1, 3)


def over(number, _hit):
    return number == 2


def test_a_play_whose_outcome_is_ignored():
    assert dd.odds(rule_of(lambda dice: bool(dice.play(Hit())) * 0 + 3)).to_dict() == {3: 1}
    ignored = rule_of(lambda dice: (dice.play(Hit()), dice.roll(2))[1])
    assert dd.odds(ignored).to_dict() == {1: Fraction(1, 2), 2: Fraction(1, 2)}
    assert ignored.play(dd.ScriptedDice([5, 2])).got == 2


def test_dice_after_a_play_that_is_returned():
    def resolve(dice):
        hit = dice.play(Hit())
        dice.roll(4)
        return hit

    assert dd.odds(returning(resolve)).exactly(True) == Fraction(1, 3)
    assert returning(resolve).play(dd.ScriptedDice([5, 1])).hit


def test_the_first_of_two_plays_is_returned():
    def resolve(dice):
        first, second = dice.play(Hit()), dice.play(Down(times=2))
        return (second.got, first)[1]

    assert dd.odds(returning(resolve)).exactly(True) == Fraction(1, 3)


@pytest.mark.parametrize("kind", [Exception, BaseException])
def test_a_rule_that_catches_what_it_reads(kind):
    def resolve(dice):
        try:
            return 10 + dice.play(Hit()).hit
        except kind:
            return 0

    assert dd.odds(rule_of(resolve)).to_dict() == {10: Fraction(2, 3), 11: Fraction(1, 3)}


def test_a_rule_that_suppresses_what_it_reads():
    def resolve(dice):
        got = 0
        with suppress(BaseException):
            got = 10 + dice.play(Hit()).hit
        return got

    assert dd.odds(rule_of(resolve)).to_dict() == {10: Fraction(2, 3), 11: Fraction(1, 3)}


# Rules that do not come to an end


class Reads(Mechanic):
    """A rule that plays itself and reads the outcome."""

    def resolve(self, dice: Dice, say: Say) -> Got:
        return Got(dice.play(self).got + dice.roll(6))


class Ignores(Mechanic):
    """A rule that plays itself and does nothing with the outcome."""

    def resolve(self, dice: Dice, say: Say) -> Got:
        dice.roll(6)
        dice.play(self)
        return Got(1)


def test_a_rule_that_plays_itself_and_reads():
    with pytest.raises(
        LimitError,
        match="the limit PLAYS is 50; make sure the rule ends, and write a loop as",
    ):
        Reads().play(dd.SeededDice(1))
    with pytest.raises(LimitError, match="the rule never stops calling itself"):
        dd.odds(Reads())


def test_a_rule_that_plays_itself_and_ignores_the_outcome_is_not_cut_off():
    with pytest.raises(LimitError, match="51 levels of nested plays"):
        Ignores().play(dd.SeededDice(1))


def test_a_rule_that_plays_itself_without_dice():
    class Round(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            return dice.play(self)

    with pytest.raises(LimitError, match="51 levels of nested plays"):
        Round().play(dd.SeededDice(1))
    with pytest.raises(LimitError, match="the rule never stops calling itself"):
        dd.odds(Round())


def test_two_rules_that_read_each_other():
    class One(Mechanic):
        other: bool = param(default=False)

        def resolve(self, dice: Dice, say: Say) -> Got:
            return Got(dice.play(One(other=not self.other)).got)

    with pytest.raises(LimitError, match="the rule never stops calling itself"):
        dd.odds(One())


def test_rules_that_read_others_without_end():
    class Next(Mechanic):
        number: int = param(default=0)

        def resolve(self, dice: Dice, say: Say) -> Got:
            return Got(dice.play(Next(number=self.number + 1)).got)

    with pytest.raises(LimitError, match="51 levels of nested plays"):
        dd.odds(Next())


def test_dice_can_be_used_again_after_a_play_that_failed():
    dice = dd.SeededDice(1)
    with pytest.raises(LimitError):
        dice.play(Reads())
    assert 40 <= dice.play(Down(times=40)).got <= 80


def test_a_rule_that_is_read_may_have_any_method_of_its_own():
    class Coins(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            return Got(dice.roll(2))

        def counts(self) -> int:
            return 7

    class Both(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            return Got(dice.play(Coins()).got + 1)

    assert dd.odds(Both()).to_dict() == {2: Fraction(1, 2), 3: Fraction(1, 2)}
