"""Best play of open choices: exact values beside a recursion over the dice, or all ways to play, written here.

A turn of Pig is worth 8.14179 in the literature (Neller and Presser, 2004).
"""

import os
from collections import Counter
from collections.abc import Callable, Generator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from time import perf_counter, process_time

import pytest

import dicedocs as dd
from dicedocs import (
    Decision,
    Dice,
    LimitError,
    Mechanic,
    NotationError,
    Outcome,
    ParameterError,
    Say,
    param,
)
from dicedocs.probability.best_odds import BestOdds
from dicedocs.probability.best_play import Solution
from dicedocs.probability.claims import Subject, evaluate_claims, parse_claims
from dicedocs.probability.claims.worth import open_play
from dicedocs.probability.dice_calls import Play
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.explorer import Explorer

from ..every import every
from ..pig import odds_of_holding

_GAMES = 150 if os.environ.get("CI") else 30
_TWO = Counter(map(sum, product(range(1, 7), repeat=2)))


class Take(Mechanic):
    """Throw 2d6 so many times and add them up; some throws may be made again."""

    throws: int = param(default=3)
    more: int = param(default=3)
    again: Decision = param(default="open")

    class Result(Outcome):
        total: int

    def throw(self, dice: Dice, say: Say, throws: int, left: int, total: int) -> tuple[int, int, int]:
        throw = dice.total(2, 6)
        if left and dice.choose(self.again, throw=throw, left=left, throws=throws):
            return throws, left - 1, total
        return throws - 1, left, total + throw

    def resolve(self, dice: Dice, say: Say) -> Result:
        state = dice.repeat(self.throw, (self.throws, self.more, 0), until=lambda throws, *_: throws == 0)
        return self.Result(state[-1])


@cache
def take(throws: int, left: int, total: int, worth: Callable[[int], int]) -> Fraction:
    if not throws:
        return Fraction(worth(total))
    found = Fraction()
    for throw, ways in _TWO.items():
        kept = take(throws - 1, left, total + throw, worth)
        found += Fraction(ways, 36) * (max(kept, take(throws, left - 1, total, worth)) if left else kept)
    return found


def test_the_mean_and_an_event_are_played_for():
    odds = dd.odds(Take(), best="mean(total)")
    assert odds.mean == take(3, 3, 0, int) == Fraction(2353327, 93312)
    best = dd.odds(Take(), best="p(total at least 27)").p("at least 27")
    assert best == take(3, 3, 0, lambda total: total >= 27) > odds.p("at least 27")


class Best(Mechanic):
    """Keep one of three d20 that are thrown one after the other."""

    keep: Decision = param(default="open")

    class Result(Outcome):
        face: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        for left in (2, 1):
            face = dice.roll(20)
            if dice.choose(self.keep, face=face, left=left):
                return self.Result(face)
        return self.Result(dice.roll(20))


def test_what_is_thrown_later_is_averaged():
    # The last throw is worth 10.5; so of the second 11 is kept, 13; so of the first 14, 14.4.
    assert dd.odds(Best(), best="mean(face)").mean == Fraction(72, 5)
    assert dd.odds(Best(), best="-mean(face)").mean == 21 - Fraction(72, 5)


class Push(Mechanic):
    """Throw d6s; push, and what shows neither 6 nor 1 is thrown again."""

    pool: int = param(default=5)
    push: Decision = param(default="open")

    class Result(Outcome):
        success: bool
        sixes: int
        hurt: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        sixes, ones = dice.tally(self.pool, 6, {6}, {1})
        if not dice.choose(self.push, sixes=sixes, ones=ones):
            return self.Result(sixes > 0, sixes, 0)
        more, worse = dice.tally(self.pool - sixes - ones, 6, {6}, {1})
        return self.Result(sixes + more > 0, sixes + more, ones + worse)


def pushed(policy: dict[tuple[int, int], bool], worth: Callable[[int, int], int]) -> Fraction:
    total = Fraction()
    for first in product(range(1, 7), repeat=2):
        sixes, ones = first.count(6), first.count(1)
        if not policy[sixes, ones]:
            total += Fraction(worth(sixes, 0), 36)
            continue
        dice = 2 - sixes - ones
        for again in product(range(1, 7), repeat=dice):
            total += Fraction(worth(sixes + again.count(6), ones + again.count(1)), 36 * 6**dice)
    return total


@every(
    ("best", "worth"),
    [
        ("p(success)", lambda sixes, _: sixes > 0),
        ("2 * p(success) - mean(hurt)", lambda sixes, hurt: 2 * (sixes > 0) - hurt),
        ("mean(sixes) - mean(hurt)", lambda sixes, hurt: sixes - hurt),
    ],
)
def test_no_way_to_push_is_better(best, worth):
    seen = sorted({(dice.count(6), dice.count(1)) for dice in product(range(1, 7), repeat=2)})
    policies = [dict(zip(seen, ways, strict=True)) for ways in product((False, True), repeat=len(seen))]
    odds = dd.odds(Push(pool=2), "sixes", "hurt", best=best)
    value = sum(odds.exactly(end) * worth(*end) for end in odds)
    assert value == max(pushed(policy, worth) for policy in policies)


def test_a_second_figure_decides_between_equals_and_then_the_first_way():
    # Whoever has a six, or five ones, gains nothing by pushing, and would only be hurt.
    way = Push(push="yes if sixes = 0 and ones < 5, else no")
    assert dd.odds(Push(), "success", best="p(success)").p("true") == dd.odds(way, "success").p("true")
    hurt = dd.odds(way, "hurt").mean
    assert dd.odds(Push(), "hurt", best="p(success), -mean(hurt)").mean == hurt
    assert dd.odds(Push(), "hurt", best="p(success)").mean == hurt
    assert dd.odds(Push(), "hurt", best="p(success), mean(hurt)").mean > hurt


def played(rule: Mechanic, *facts: str, best: str) -> BestOdds:
    odds = dd.odds(rule, *facts, best=best)
    assert isinstance(odds, BestOdds)
    return odds


def tied(worth: Callable[[int, int], int]) -> tuple[Fraction, Fraction]:
    """What a figure may be for those who push two dice as best they can to succeed."""
    seen = sorted({(dice.count(6), dice.count(1)) for dice in product(range(1, 7), repeat=2)})
    policies = [dict(zip(seen, ways, strict=True)) for ways in product((False, True), repeat=len(seen))]
    succeeds = [pushed(policy, lambda sixes, _: sixes > 0) for policy in policies]
    best = [policy for policy, p in zip(policies, succeeds, strict=True) if p == max(succeeds)]
    found = [pushed(policy, worth) for policy in best]
    return min(found), max(found)


def test_a_figure_that_depends_on_ties_is_bounded():
    odds = played(Push(pool=2), "success", "hurt", best="p(success)")
    hurt = tied(lambda _, hurt: hurt)
    assert odds.bounds(lambda value: value[0]) is None
    assert odds.bounds(lambda value: value[1]) == hurt
    assert odds.bounds(lambda value: value[1] >= 2) == tied(lambda _, hurt: hurt >= 2)
    assert [(each.text, each.bounds) for each in odds.tied_figures()] == [("mean(hurt)", hurt)]
    shown = "Hurt, Average: {:.2f} to {:.2f}, depending on how ties are broken.".format(*map(float, hurt))
    assert shown in str(odds)
    assert shown in odds.to_html()
    alone = [played(Push(pool=2), fact, best="p(success)").are_tied for fact in ("success", "sixes", "hurt")]
    assert alone == [False, True, True]  # whoever pushes with a six may throw more of them
    assert not played(Push(pool=2), "hurt", best="p(success), -mean(hurt)").are_tied


def test_a_claim_that_depends_on_ties_is_refused():
    subject = Subject(Push, {"pool": 2}, "", "p(success)")
    hurt, twice = ([float(bound) for bound in tied(worth)] for worth in (lambda _, h: h, lambda _, h: h >= 2))
    best, broken = "best: p(success)", "depending on how ties are broken; write best: p(success), "
    for claim, message in [
        ("mean(hurt) < 9", f"mean(hurt) is {hurt[0]:.2f} to {hurt[1]:.2f}, {broken}-mean(hurt) or {best}, mean(hurt)"),
        ("p(hurt at least 2) + 1 > 0", f"p(hurt at least 2) is {twice[0]:.1%} to {twice[1]:.1%}, {broken}-p(hurt at"),
        ("p(not success, hurt at least 2) = 0", "p(not success, hurt at least 2) is "),
        ("p(hurt at least 2, not success) = 0", "p(hurt at least 2, not success) is "),
        ("median(hurt) = 0", f"median(hurt) depends on how ties are broken; add a figure that breaks them: {best}"),
        ("p(hurt = 0 given success) > 0", "p(hurt = 0 given success) depends on how ties are broken"),
    ]:
        with pytest.raises(ParameterError) as refused:
            evaluate_claims(parse_claims(claim), subject)
        assert str(refused.value).startswith(message)
    held = "p(success) > 0%, p(success given hurt at least 0) > 0, mean(hurt | push=yes) > 0"
    assert all(result.holds for result in evaluate_claims(parse_claims(held), subject))


def test_a_mean_may_be_the_same_whatever_the_odds():
    odds = played(Pig(), best="mean(score)")
    assert odds.are_tied  # whoever has 20 may stop or not
    assert list(odds.tied_figures()) == []
    assert str(odds).splitlines()[-1] == "The odds depend on how ties are broken: Score."


def test_a_push_of_five_dice_state_by_state():
    success, unpushed, least, most = Fraction(), Fraction(), Fraction(), Fraction()
    for sixes, ones in product(range(6), repeat=2):
        left = 5 - sixes - ones
        if left < 0:
            continue
        p = Fraction(comb(5, sixes) * comb(5 - sixes, ones) * 4**left, 6**5)
        success += p * (1 if sixes else 1 - Fraction(5, 6) ** left)
        unpushed += p * (sixes > 0)
        hurt = p * (ones + Fraction(left, 6))
        # With a six, or with no die to throw again, both ways are equally good.
        least += 0 if sixes or not left else hurt
        most += hurt
    odds = played(Push(), "success", "hurt", best="p(success)")
    assert sum(odds[facts] for facts in odds if facts[0]) == success
    assert [odds.bounds(lambda value, at=at: value[at]) for at in (0, 1)] == [None, (least, most)]
    assert dd.odds(Push(push="no"), "success").p("true") == unpushed
    figures = [round(float(figure), 5) for figure in (success, unpushed, least, most)]
    assert figures == [0.80350, 0.59812, 0.66915, 1.38889]


class Pig(Mechanic):
    """Throw a d6 and add it up, as often as you like; a 1 loses all."""

    cap: int = param(default=100)
    again: Decision = param(default="open")

    class Result(Outcome):
        score: int
        bust: bool

    def throw(self, dice: Dice, say: Say, turn: int, over: bool) -> tuple[int, bool]:
        if turn >= self.cap or (turn and not dice.choose(self.again, turn=turn)):
            return turn, True
        die = dice.roll(6)
        return (0, True) if die == 1 else (turn + die, False)

    def resolve(self, dice: Dice, say: Say) -> Result:
        turn, _ = dice.repeat(self.throw, (0, False), until=lambda _, over: over)
        return self.Result(turn, turn == 0)


@cache
def pig(turn: int, cap: int) -> Fraction:
    if turn >= cap:
        return Fraction(turn)
    return max(Fraction(turn), sum((pig(turn + die, cap) for die in range(2, 7)), Fraction()) / 6)


def test_a_turn_of_pig():
    odds = dd.odds(Pig(), best="mean(score)")
    assert odds.mean == pig(0, 100) == Fraction(492303203, 60466176)
    assert round(float(odds.mean), 5) == 8.14179
    # Of equal ways, here at 20, the one written first is taken: not to throw again.
    held = dd.odds(Pig(again="yes if turn < 20, else no"))
    assert all(odds.exactly(score) == held.exactly(score) for score in {*odds, *held})
    bust = dd.odds(Pig(cap=200), "bust", best="mean(score)").p("true")
    assert bust == odds.p("= 0") == odds_of_holding(20)[0]
    assert round(float(bust), 5) == 0.62454


@every(
    ("rule", "value"),
    [
        (lambda: Take(throws=2, more=1), lambda: take(2, 1, 0, int)),
        (lambda: Pig(cap=10), lambda: pig(0, 10)),
    ],
)
def test_rounds_are_worth_what_their_dice_are_one_by_one(rule, value):
    merged, unrolled = (run_to_end(solution(rule(), Explorer(unrolled=unrolled))).value for unrolled in (False, True))
    assert merged == unrolled == (value(),)


def solution(rule: Mechanic, explorer: Explorer, sign: int = 1) -> Generator[float, None, Solution]:
    yield from explorer.outcomes(rule, lambda facts: facts[0])
    chain = explorer.chains[Play(rule)]
    return chain.best({end: (Fraction(sign * end),) for end in chain.ends})


def test_a_rule_without_end_is_refused_at_once():
    start = process_time()
    with pytest.raises(LimitError, match="let the rule end at a number"):
        dd.odds(Pig(cap=10**9), best="mean(score)")
    assert process_time() - start < 5


class Bet(Mechanic):
    """Bet on a sum of many dice; one of them is no die."""

    number: int = param(default=10)
    bet: Decision = param(default="open")

    class Result(Outcome):
        won: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        total = say.fact("Thrown", sum(dice.roll(6) for _ in range(self.number))) + self.unknown()
        return self.Result(dice.choose(self.bet, total=total) == (total > 35))

    def unknown(self) -> int:
        return 0


def test_a_wide_rule_is_refused_before_it_is_followed():
    # It has 2 * 6**10 paths, of which 55,000 would be followed before the limit were passed.
    with pytest.raises(LimitError, match=r"\d{8,} branches.*dice\.roll\(6\).*made 10 times") as refused:
        dd.odds(Bet(), best="p(won)")
    assert "estimate" not in refused.value.hint


class Clock(Bet):
    """Let the seconds decide."""

    def unknown(self) -> int:
        return int(perf_counter() * 1e7) % 71


def test_a_rule_that_reads_a_clock_is_refused():
    with pytest.raises(RuntimeError, match="is not a function of its dice"):
        dd.odds(Clock(number=1), best="p(won)")


class Broken(Bet):
    """Fail."""

    def unknown(self) -> int:
        raise ZeroDivisionError


def test_an_error_has_the_last_step():
    with pytest.raises(ZeroDivisionError) as failed:
        dd.odds(Broken(number=1), best="p(won)")
    assert any("Thrown" in note for note in failed.value.__notes__)


class Guess(Mechanic):
    """Guess a die before it is thrown, or after."""

    after: bool = param(default=False)
    guess: Decision = param(default="open")

    class Result(Outcome):
        right: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        if self.after:
            die = dice.roll(6)
            return self.Result(dice.choose(self.guess, range(1, 7), die=die) == die)
        guess = dice.choose(self.guess, range(1, 7))
        return self.Result(dice.roll(6) == guess)


class Guesses(Mechanic):
    """Guess within a play, and be paid for it outside, by another die."""

    after: bool = param(default=False)
    guess: Decision = param(default="open")

    class Result(Outcome):
        right: bool
        paid: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        right = dice.play(Guess(after=self.after, guess=self.guess)).right
        return self.Result(right, dice.roll(6) * right)


@every("rule", [Guess, Guesses])
def test_nothing_is_foreseen(rule):
    assert dd.odds(rule(), "right", best="p(right)").p("true") == Fraction(1, 6)
    assert dd.odds(rule(after=True), "right", best="p(right)").p("true") == 1
    assert dd.odds(rule(after=True), "right", best="-p(right)").p("true") == 0


class Reach(Mechanic):
    """Throw a d6 twice again or not, before the number to reach is thrown, or after."""

    after: bool = param(default=False)
    again: Decision = param(default="open")

    class Result(Outcome):
        hit: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        target = dice.roll(6) if self.after else 0
        die = dice.roll(6)
        for _ in range(2):
            if dice.choose(self.again, die=die, target=target):
                die = dice.roll(6)
        return self.Result(die == (target or dice.roll(6)))


def test_a_target_counts_once_it_is_known():
    assert dd.odds(Reach(), best="p(hit)").p("true") == Fraction(1, 6)
    assert dd.odds(Reach(after=True), best="p(hit)").p("true") == 1 - Fraction(5, 6) ** 3 == Fraction(91, 216)


class Stay(Mechanic):
    """Throw a d6 until you like it."""

    stay: Decision = param(default="open")

    class Result(Outcome):
        face: int

    def throw(self, dice: Dice, say: Say, face: int, over: bool) -> tuple[int, bool]:
        face = dice.roll(6)
        return face, dice.choose(self.stay, face=face)

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.repeat(self.throw, (0, False), until=lambda _, over: over)[0])


@every(("best", "face"), [("mean(face)", 6), ("-mean(face)", 1), ("p(face = 3)", 3)])
def test_a_choice_that_may_go_on_for_ever_ends(best, face):
    assert dd.odds(Stay(), best=best).exactly(face) == 1


@every(
    ("rule", "best", "message"),
    [
        (Push(), "median(hurt)", r"best play is for p\(...\) or mean\(...\), not for median\(hurt\)"),
        (Push(), "p(success | push=no)", r"p\(success\) stands there with 'given' or '\|'"),
        (Push(), "p(success given hurt = 1)", "stands there with 'given'"),
        (Push(), "mean(sixes) * mean(hurt)", "not for a product or a quotient of figures"),
        (Push(), "1 / mean(sixes)", "not for a product or a quotient of figures"),
        (Push(), "p(success), 3", "a number alone is no figure"),
        (Push(), "mean(wounds)", "wounds"),
        (Push(), "sixes", r"there is no figure 'sixes'.*write mean\(sixes\)"),
        (Push(), "success, then as few hurt as possible", r"write p\(success\), -mean\(hurt\)"),
        (Push(), "wins", r"write p\(success\), mean\(total\), or a sum of such figures"),
        (Push(), "p(success),", "expected"),
        (Push(push="yes, open"), "p(success)", "are the choices of one play"),
        ("3d6", "mean(total)", "nothing is chosen in this mechanic"),
    ],
)
def test_other_figures_are_refused(rule, best, message):
    with pytest.raises((ParameterError, NotationError), match=message):
        dd.odds(rule, best=best)


def test_odds_without_best_name_it():
    with pytest.raises(ParameterError, match=r"is the player's choice.*for best play add best=\"p\(\.\.\.\)\""):
        dd.odds(Push())


def test_a_choice_that_is_made_stays_made():
    assert dd.odds(Push(push="no"), "hurt", best="mean(hurt)").exactly(0) == 1


@every(
    ("rule", "best", "goes_round", "merges_states"),
    [
        (Stay(), "mean(face)", True, True),
        (Take(), "mean(total)", False, True),
        (Guess(), "p(right)", False, False),
    ],
)
def test_it_is_known_how_best_play_is_held_against_the_dice(rule, best, goes_round, merges_states):
    play = run_to_end(open_play(rule, best))
    assert (play.goes_round, play.merges_states) == (goes_round, merges_states)


class Lists(Stay):
    """Choose between lists."""

    def resolve(self, dice: Dice, say: Say) -> Stay.Result:
        return self.Result(dice.choose(self.stay, [[1], [2]])[0])


def test_ways_that_can_change_are_refused():
    with pytest.raises(TypeError, match="a way of 'stay' can change; give tuples instead of lists"):
        dd.odds(Lists(), best="mean(face)")
