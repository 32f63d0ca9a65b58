"""Odds that a mechanic computes itself, held against its dice."""

from typing import ClassVar

import pytest

import dicedocs as dd
from dicedocs import Decision, Dice, Distribution, Mechanic, Outcome, Say, param, verify_distribution
from dicedocs.errors import DiceError, DistributionError, ExpectationError
from dicedocs.page_rules.page_rule import PageRule
from dicedocs.page_rules.rule_mechanic import book_mechanics
from dicedocs.probability import verification
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.verification import verified_odds
from dicedocs.rules.registry import mechanic

from ..every import every


def mechanic_with(odds, roll=lambda dice: dice.total(2, 6)):
    """A mechanic with these odds of its own, and how often it is played."""

    class Got(Outcome):
        got: object

    class Rule(Mechanic):
        plays: ClassVar[list[None]] = []
        bonus: int = param(default=0)

        def resolve(self, dice: Dice, say: Say) -> Got:
            self.plays.append(None)
            return Got(roll(dice))

        def distribution(self, *facts):
            return odds

    return Rule


TRUE = Distribution.dice(2, 6)


def test_true_odds_are_accepted():
    verify_distribution(mechanic_with(TRUE)())
    verify_distribution(mechanic_with(Distribution({n: 3 * c for n, c in TRUE.items()}))())
    verify_distribution(mechanic_with(None)())
    verify_distribution("methuen/expression", "raw", expression="2d6 - 5")


@pytest.mark.parametrize(
    ("odds", "figures"),
    # Of the values the one that is furthest off: 1 in 16 instead of 6 in 36; 1 in 36 instead of nothing.
    [
        (
            Distribution(dict.fromkeys(range(2, 18), 1)),
            "for 7 its distribution() gives 6.25%, and counting its dice gives 16.67%",
        ),
        (TRUE + 11, "for 18 its distribution() gives 16.67%, and counting its dice gives 0%"),
    ],
)  # fmt: skip
def test_false_odds_are_refused_with_both_figures(odds, figures):
    with pytest.raises(DistributionError) as caught:
        verify_distribution(mechanic_with(odds)())
    assert figures in str(caught.value)
    assert "Rule()" in str(caught.value)
    assert isinstance(caught.value, ExpectationError)
    assert caught.value.expected in figures
    assert caught.value.actual in figures


def many_dice(dice):
    return sum(dice.roll(100) for _ in range(4))


@every(
    ("odds", "words"),
    [
        (Distribution.dice(4, 100) + 15, "on average"),  # the mean is 202 and not 217; each value is rare
        (Distribution.dice(4, 100).map(lambda total: total // 2 * 2), "for"),  # no odd number
        (Distribution({202: 1}), "for 202 its distribution() gives 100%, and 1000 plays with the seed 0 give"),
    ],
)
def test_false_odds_of_many_dice_are_found_by_playing(odds, words):
    verify_distribution(mechanic_with(Distribution.dice(4, 100), many_dice)())
    with pytest.raises(DistributionError, match="1000 plays with the seed 0") as caught:
        verify_distribution(mechanic_with(odds, many_dice)())
    assert words in str(caught.value)


@every("text", ["20d6 * 1d20", "1d100000", "9d10 / 2d4 - 3", "100d6 + 3d20 + 2d12 + 1d10"])
def test_true_odds_that_are_too_many_to_count_are_accepted(text):
    verify_distribution("methuen/expression", expression=text)


def test_rare_and_very_high_values_are_no_reason_to_refuse():
    def jackpot(dice):
        return 10**9 if dice.roll(1000) == 1 and dice.roll(20) else 0 * sum(dice.roll(30) for _ in range(2))

    verify_distribution(mechanic_with(Distribution({0: 999, 10**9: 1}), jackpot)())
    with pytest.raises(DistributionError):
        verify_distribution(mechanic_with(Distribution({0: 9, 10**9: 1}), jackpot)())


def test_a_mechanic_is_checked_once_with_each_of_its_parameters():
    rule = mechanic_with(TRUE)
    verify_distribution(rule())
    assert rule.plays
    before = len(rule.plays)
    verify_distribution(rule())
    assert len(rule.plays) == before
    verify_distribution(rule(bonus=1))
    assert len(rule.plays) > before


def test_python_believes_the_mechanic():
    assert dd.odds(mechanic_with(TRUE + 1)()) == TRUE + 1


def test_what_is_not_a_distribution_is_refused():
    with pytest.raises(DiceError, match=r"distribution\(\) of .*Rule returned '7'; return a Distribution"):
        dd.odds(mechanic_with(7)())


def test_the_command_does_not_print_false_odds(run, monkeypatch):
    monkeypatch.setattr(mechanic("dice/roll"), "distribution", lambda *_: TRUE.named("total"))
    monkeypatch.setattr(verification, "_differences", {})
    status, out, err = run("odds", "1d6")
    assert (status, out) == (1, "")
    assert "for 7 its distribution() gives 16.67%, and counting its dice gives 0%" in err
    assert run("odds", "2d6")[0] == 0


class Hoard(Mechanic):
    """Throw d6s and add them up, as often as you like; what a rule of the table remembers counts too."""

    seen: ClassVar[list[int]] = []
    again: Decision = param(default="open")

    class Result(Outcome):
        total: int

    def throw(self, dice: Dice, say: Say, left: int, total: int) -> tuple[int, int]:
        if left == 2:
            self.seen.clear()
        die = dice.roll(6)
        if not dice.choose(self.again, die=die):
            return 0, total
        self.seen.append(die)
        return left - 1, min(total + die + len([face for face in self.seen if face == 6]), 9)

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.repeat(self.throw, (2, 0), until=lambda left, _: left == 0)[1])


def test_best_play_of_a_rule_that_remembers_is_refused():
    """Its rounds are checked in plays that go every way; ``dd.odds`` trusts the rule."""
    assert dd.odds(Hoard(), best="mean(total)").mean > 0
    with pytest.raises(DistributionError, match=r"Hoard.* has false odds of total: .* following its states gives"):
        run_to_end(verified_odds(Hoard(), best="mean(total)"))


@every(
    ("id", "is_checked"),
    [("t/dice", False), ("t/choice", False), ("t/rounds", False), ("t/code", True), ("t/both", True)],
)
def test_the_lines_of_a_page_are_compared_only_if_they_play_a_class(monkeypatch, id, is_checked):
    lines = {
        "t/dice": ("x = 2d6",),
        "t/choice": ("die = 1d6", "again = choose(yes, no)", "x = die + 1 if again, else 6"),
        "t/rounds": ("x = 0", "repeat until x > 3", "  x = 1d6"),
        "t/code": ("time = play dungeoneers/timer with cooldown = 4", "x = time.cooldown"),
        "t/both": ("one = play t/dice", "other = play t/code", "x = one.x + other.x"),
    }
    rules = book_mechanics(PageRule(name, text) for name, text in lines.items())
    monkeypatch.setattr(verification, "_differences", {})
    run_to_end(verified_odds(rules[id](), "x", best="mean(x)" if id == "t/choice" else ""))
    assert bool(verification._differences) is is_checked
