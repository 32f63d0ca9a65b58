"""Advice from best play: known thresholds, and worth what value iteration finds when it is played."""

import random
from fractions import Fraction
from functools import cache

import pytest

import dicedocs as dd
from dicedocs import Decision, Dice, DiceError, Mechanic, Outcome, ParameterError, Say, param
from dicedocs.probability.advice import Advice, Row, Run
from dicedocs.probability.claims import worth
from dicedocs.probability.claims.worth import advice_difference, best_advice
from dicedocs.probability.enumeration import run_to_end

from ..every import every
from .test_best_play import Best, Guess, Pig, Push, Stay, Take
from .test_best_rounds import Coloured, Ring, Turns, iterated, random_table
from .test_best_turns import Farkle


def advised(rule: Mechanic, best: str, choice: str = "", by: tuple[str, ...] = ()) -> Advice:
    return run_to_end(best_advice(rule, best, choice, by))


@cache
def best_of_three() -> Advice:
    return advised(Best(), "mean(face)")


def test_ties_are_shown_and_the_number_makes_ranges():
    # The last d20 is worth 10.5, the last two 13: of the second 11 is kept, of the first 14, and 13 is as good.
    assert best_of_three() == Advice(
        "keep",
        ("left",),
        "face",
        (
            Row((1,), (Run(1, 10, ("no",), "no"), Run(11, 20, ("yes",), "yes"))),
            Row((2,), (Run(1, 12, ("no",), "no"), Run(13, 13, ("no", "yes"), "no"), Run(14, 20, ("yes",), "yes"))),
        ),
        "yes if left = 1 and face >= 11, yes if left = 2 and face >= 14, else no",
        (Fraction(72, 5),),
    )


class Sides(Mechanic):
    """Say where a die lies; of the first kind a 1 lies low, and a 2 on both sides."""

    side: Decision = param(default="open")

    class Result(Outcome):
        right: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        kind, die = dice.roll(3), dice.roll(6)
        if dice.choose(self.side, ("low", "high"), kind=kind, die=die) == "low":
            return self.Result(kind == 1 and die <= 2)
        return self.Result(kind != 1 or die >= 2)


@every(
    ("rule", "best", "condition"),
    [
        (Pig(), "mean(score)", "yes if turn <= 19, else no"),  # at 20 both are as good
        (Push(), "p(success)", "yes if sixes = 0 and ones <= 4, else no"),
        (Guess(), "p(right)", "1"),
        (Guess(after=True), "-p(right)", "2 if die = 1, else 1"),
        (Sides(), "p(right)", '"low" if kind = 1 and die <= 2, else "high"'),
        # A 6 that is thrown again may come back, but not for ever.
        (Stay(), "mean(face)", "yes if face = 6, else no"),
        (Turns(), "-mean(turns)", "yes"),
    ],
)
def test_what_decides_nothing_is_left_out(rule, best, condition):
    assert advised(rule, best).condition == condition


@every(
    ("words", "difference"),
    [
        ("no if face < 11 or (left = 2 and face <= 12), else yes", ""),  # takes 13 where it is as good to go on
        # Who keeps every first face has 10.5; who keeps 11 and more of it has 15.5 or 13.
        ("yes", "worth 10.5; best play is worth 14.4"),
        ("yes if face >= 11, else no", "worth 14.25; best play is worth 14.4"),
    ],
)
def test_other_words_are_worth_as_much_or_less(words, difference):
    assert run_to_end(advice_difference(Best(), "mean(face)", best_of_three(), words)) == difference


@every(
    ("words", "message"),
    [
        ("open", "'open' does not say what to choose each time; write it like yes if left = 1 and"),
        ("best", "'best' does not say what to choose each time"),
        ("at random", "'at random' does not say what to choose each time"),
        ("no, yes", "'no, yes' does not say what to choose each time"),
        ("maybe", "'maybe' is not a way of 'keep'; write no or yes"),
        ("yes if eyes > 3, else no", "known when 'keep' is chosen is called 'eyes'"),
    ],
)
def test_words_that_are_no_advice_are_refused(words, message):
    with pytest.raises(DiceError, match=message):
        run_to_end(advice_difference(Best(), "mean(face)", best_of_three(), words))


def test_names_are_those_that_are_asked_for():
    found = advised(Take(throws=1), "mean(total)", "again", ("left", "throw"))
    # One throw is worth 7, the better of two more, and of three more: those are thrown again that are worth less.
    assert found.by == ("left",)
    assert [[(run.low, run.high, run.ways) for run in row.runs] for row in found.rows] == [
        [(2, 6, ("yes",)), (7, 7, ("no", "yes")), (8, 12, ("no",))],
        [(2, 7, ("yes",)), (8, 12, ("no",))],
        [(2, 8, ("yes",)), (9, 12, ("no",))],
    ]


class Card(Mechanic):
    """Draw a card, and say whether it is even."""

    cards: int = param(default=40)
    even: Decision = param(default="open")

    class Result(Outcome):
        right: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        card = dice.roll(self.cards)
        return self.Result(dice.choose(self.even, card=f"the {card}") == (card % 2 == 0))


def test_words_make_rows_of_which_there_are_at_most_40():
    found = advised(Card(), "p(right)")
    assert (found.by, found.deciding, len(found.rows)) == (("card",), "", 40)
    assert dd.odds(Card(even=found.condition)).p("true") == 1
    with pytest.raises(ParameterError, match="would have 41 rows, by card; name a fact that says what decides"):
        advised(Card(cards=41), "p(right)")


@every(
    ("rule", "best", "choice", "by", "message"),
    [
        (Turns(goal=20), "p(turns at most 3)", "", (), "'again' depends on more than score and gain"),
        (Take(), "mean(total)", "", ("left",), "'again' depends on more than left; name what else decides"),
        (Coloured(), "mean(face)", "", (), r"depends on what has no name; name what the player sees"),
        (Push(), "p(success)", "", ("hurt",), "'hurt' is not seen each time that 'push' is chosen; seen is sixes and"),
        (Push(), "p(success)", "pull", (), "'pull' is not chosen; name push"),
        (Push(push="yes"), "p(success)", "", (), "nothing is chosen"),
        (Farkle(cap=100), "mean(score)", "", (), "more than one thing is chosen; name keep or again"),
    ],
)
def test_what_is_not_decided_is_refused(rule, best, choice, by, message):
    with pytest.raises(ParameterError, match=message):
        advised(rule, best, choice, by)


def test_advice_that_is_worth_less_is_refused(monkeypatch):
    sure = advised(Stay(), "mean(face)")
    monkeypatch.setattr(worth, "advice", lambda *_: sure._replace(condition="yes if face >= 5, else no"))
    with pytest.raises(DiceError, match="'yes if face >= 5, else no' is not worth as much as best play"):
        advised(Stay(), "mean(face)")


def test_played_as_advised_games_are_worth_what_value_iteration_finds():
    rnd = random.Random(7)
    wrong = []
    for number in range(6):
        table = random_table(rnd, rnd.randint(2, 6))
        found = advised(Ring(table=table, within=number % 2 == 1), "mean(end)")
        mean = float(dd.odds(Ring(table=table, pick=found.condition)).mean)
        if abs(mean - iterated(table)) > 1e-9:
            wrong.append((number, found.condition, mean, iterated(table)))
    assert not wrong
