"""Plays that are returned as they are: the rule goes on; a fact that is read is counted first."""

from __future__ import annotations

import copy
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

import dicedocs as dd
from dicedocs import Dice, DiceError, LimitError, Mechanic, Outcome, Say, param
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.verification import verified_odds

from ..every import every
from .brute_force import every_outcome, of_facts
from .made_rules import Got, rule_of


class Craps(Mechanic):
    """A point is thrown for until it or a 7 comes up."""

    point: int = param(default=0)

    class Result(Outcome):
        won: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        total = say.throw("Throw", dice.total(2, 6))
        if not self.point:
            if total in {2, 3, 7, 11, 12}:
                return self.Result(total in {7, 11})
            return dice.play(Craps(point=total), f"Point {total}")
        if total in {7, self.point}:
            return self.Result(total != 7)
        return dice.play(self, f"Point {self.point}")


class Hit(Mechanic):
    """A hit by 5 and 6, whose outcome can be used in many ways."""

    class Result(Outcome):
        hit: bool

        def __bool__(self) -> bool:
            return self.hit

        def __iter__(self):
            return iter((self.hit,))

        def __len__(self) -> int:
            return int(self.hit)

        def __getitem__(self, index):
            return (self.hit,)[index]

        def __contains__(self, value) -> bool:
            return value is self.hit

        def __int__(self) -> int:
            return int(self.hit)

        def __index__(self) -> int:
            return int(self.hit)

        def __float__(self) -> float:
            return float(self.hit)

        def __add__(self, other):
            return self.hit + other

        __radd__ = __mul__ = __rmul__ = __and__ = __or__ = __add__

        def __sub__(self, other):
            return self.hit - other

        def __rsub__(self, other):
            return other - self.hit

        def __call__(self):
            return self.hit

        def __lt__(self, other):
            return self.hit < int(other)

        def __le__(self, other):
            return self.hit <= int(other)

        def __gt__(self, other):
            return self.hit > int(other)

        def __ge__(self, other):
            return self.hit >= int(other)

        def __format__(self, spec):
            return f"{self.hit}"

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.roll(6) >= 5)


def returning(resolve):
    """A rule that returns what a function of its dice returns."""

    class Rule(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Hit.Result:
            outcome: Hit.Result = resolve(dice)
            return outcome

    return Rule()


# Going on


def test_craps():
    # A 7 or 11 at once; or each point by its ways beside the 6 ways of a 7.
    by_hand = Fraction(8, 36) + sum(Fraction(ways, 36) * Fraction(ways, ways + 6) for ways in (3, 4, 5, 5, 4, 3))
    assert by_hand == Fraction(244, 495)
    odds = dd.odds(Craps())
    assert odds.to_dict() == {True: by_hand, False: 1 - by_hand}
    assert odds.remainder == 0
    assert run_to_end(verified_odds(Craps())) == odds


def test_craps_that_is_read_or_thrown_after():
    class Twice(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            first = dice.play(Craps())
            return Got(first.won + dice.play(Craps()).won + dice.roll(2))

    won = Fraction(244, 495)
    assert dd.odds(Twice()).exactly(3) == 2 * won * (1 - won) / 2 + won**2 / 2


def test_the_working_has_each_play_below_the_other():
    outcome = Craps().play(dd.ScriptedDice([1, 3, 6, 6, 1, 2, 2, 2]))
    assert str(outcome).splitlines() == [
        "Throw: 2d6: 1 + 3 = 4",
        "Point 4:",
        "  Throw: 2d6: 6 + 6 = 12",
        "Point 4:",
        "  Throw: 2d6: 1 + 2 = 3",
        "Point 4:",
        "  Throw: 2d6: 2 + 2 = 4",
    ]
    assert outcome.facts() == "won=true"
    assert outcome.rule == Craps()


def test_the_working_is_as_flat_where_plays_are_put_off():
    faces = [1, 3, *[6, 6] * 60, 4, 3]
    lines = str(Craps().play(dd.ScriptedDice(faces))).splitlines()
    assert lines == ["Throw: 2d6: 1 + 3 = 4"] + ["Point 4:", "  Throw: 2d6: 6 + 6 = 12"] * 60 + [
        "Point 4:",
        "  Throw: 2d6: 4 + 3 = 7",
    ]


class Down(Mechanic):
    """A rule that goes on many times."""

    times: int = param(default=0)
    total: int = param(default=0)

    def resolve(self, dice: Dice, say: Say) -> Got:
        if not self.times:
            return Got(self.total)
        die = dice.roll(1 if self.times % 1_000 else 2)
        return dice.play(Down(times=self.times - 1, total=self.total + die), "Again")


def test_ten_thousand_plays_are_no_recursion():
    outcome = Down(times=9_999).play(dd.SeededDice(1))
    assert outcome.got == sum(outcome.dice)
    assert len(outcome.dice) == 9_999
    assert len(outcome.steps()) == 1 + 9_999
    # 3 of 3,000 dice have two sides.
    odds = dd.odds(Down(times=3_000))
    assert odds.to_dict() == {3_000 + n: Fraction(ways, 8) for n, ways in enumerate((1, 3, 3, 1))}


def test_plays_without_dice_are_limited():
    class Round(Mechanic):
        def resolve(self, dice: Dice, say: Say) -> Got:
            return dice.play(self)

    with pytest.raises(LimitError, match="make sure the rule ends"):
        Round().play(dd.SeededDice(1))
    with pytest.raises(DiceError, match="no end follows"):
        dd.odds(Round())


def test_what_goes_on_in_one_branch_and_is_read_in_another():
    for reads in ({1}, {2}, {1, 2}, {2, 3}, set()):

        def resolve(dice, reads=reads):
            if dice.roll(3) in reads:
                return Hit.Result(not dice.play(Hit()).hit)
            return dice.play(Hit())

        hits = Fraction(len(reads), 3) * Fraction(2, 3) + Fraction(3 - len(reads), 3) * Fraction(1, 3)
        assert dd.odds(returning(resolve)).exactly(True) == hits


def test_a_play_that_is_returned_by_a_method_of_the_rule():
    assert dd.odds(returning(lambda dice: Hit().play(dice))).exactly(True) == Fraction(1, 3)


def test_a_play_that_goes_on_in_rounds_and_rounds_in_a_play_that_goes_on():
    class Match(Mechanic):
        """The first to win two games of craps; who throws a 1 begins again."""

        def game(self, dice: Dice, say: Say, won: int, lost: int) -> tuple[int, int]:
            wins = dice.play(Craps()).won
            return won + wins, lost + (not wins)

        def resolve(self, dice: Dice, say: Say) -> Got:
            won, _ = dice.repeat(self.game, (0, 0), lambda won, lost: 2 in {won, lost})
            return dice.play(self) if dice.roll(6) == 1 else Got(won == 2)

    p = Fraction(244, 495)
    assert dd.odds(Match()).exactly(True) == p**2 + 2 * p**2 * (1 - p)


# What a rule does with a play that is put off


def matched(hit: Any) -> int:
    match hit:
        case Hit.Result(hit=True):
            return 1
        case _:
            return 0


READ: dict[str, Any] = {
    "its fact": lambda hit: hit.hit,
    "its first fact": lambda hit: hit.value,
    "a fact by name": lambda hit: hit.fact("hit"),
    "whether it is true": lambda hit: 1 if hit else 0,
    "what is not": lambda hit: not not hit,  # noqa: SIM208  # the operator is what is tried
    "a comparison": lambda hit: hit == Hit.Result(True) or hit.hit,
    "a difference": lambda hit: hit != 3 and hit.hit,
    "less": lambda hit: not hit < 1,
    "at most": lambda hit: not hit <= 0,
    "more": lambda hit: hit > 0,
    "at least": lambda hit: hit >= 1,
    "the order of several": lambda hit: max(hit, Hit.Result(False)).hit,
    "its text": lambda hit: "true" in str(hit.facts()),
    "its name": lambda hit: "true" in repr(hit),
    "a format": lambda hit: f"{hit}" == "True",
    "its values": lambda hit: sum([*hit]),
    "the first of them": lambda hit: hit[0],
    "whether it has a value": lambda hit: True in hit,
    "their number": len,
    "a whole number": int,
    "an index": lambda hit: (0, 1)[hit],
    "a number": float,
    "a sum": lambda hit: hit + 0,
    "a sum of several": lambda hit: sum([hit]),
    "a difference of numbers": lambda hit: hit - 0,
    "a difference from it": lambda hit: 1 - (1 - hit),
    "a call": lambda hit: int(hit()),
    "its class": lambda hit: isinstance(hit, Hit.Result) and hit.hit,
    "a pattern": matched,
    "a key": lambda hit: {hit: hit.hit}[hit],
    "whether there is a fact": lambda hit: hasattr(hit, "hit") and hit.hit,
    "its place in a list": lambda hit: [hit].index(hit) or hit.hit,
    "a copy": lambda hit: copy.copy(hit).hit,
}


@every("how", READ)
def test_whatever_is_read_of_a_play_is_counted_first(how):
    rule = rule_of(lambda dice: READ[how](dice.play(Hit())))
    expected = of_facts(every_outcome(rule), 0)
    assert dd.odds(rule).to_dict() == expected == {0: Fraction(2, 3), 1: Fraction(1, 3)}


@every("how", READ)
def test_in_play_it_is_the_outcome_itself(how):
    rule = rule_of(lambda dice: READ[how](dice.play(Hit())))
    assert [rule.play(dd.ScriptedDice([face])).got for face in (4, 5)] == [0, 1]


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
        first, second = dice.play(Hit()), dice.play(Craps())
        return (second.won, first)[1]

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


class IgnoresAndGoesOn(Mechanic):
    """A rule that plays itself twice, and goes on with the second play."""

    def resolve(self, dice: Dice, say: Say) -> Got:
        dice.play(self)
        return dice.play(self)


def test_a_rule_that_plays_itself_and_reads():
    with pytest.raises(LimitError, match="51 levels of nested plays; the limit PLAYS is 50; make sure the rule"):
        Reads().play(dd.SeededDice(1))
    with pytest.raises(LimitError, match="the rule never stops calling itself"):
        dd.odds(Reads())


@pytest.mark.parametrize("rule", [Ignores(), IgnoresAndGoesOn()])
def test_a_rule_that_plays_itself_and_ignores_the_outcome_is_not_cut_off(rule):
    with pytest.raises(LimitError, match="51 levels of nested plays"):
        rule.play(dd.SeededDice(1))


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


def test_dice_can_be_used_again_after_a_play_that_was_put_off_failed():
    dice = dd.SeededDice(1)
    with pytest.raises(LimitError):
        dice.play(Reads())
    assert dice.play(Down(times=60)).got == 60


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
