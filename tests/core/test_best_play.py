"""Best play of open choices: exact values beside a recursion over the dice, or all ways to play, written here.

A turn of Pig is worth 8.14179 in the literature (Neller and Presser, 2004).
"""

import os
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial
from time import perf_counter

import pytest

import dicedocs as dd
from dicedocs import (
    Decision,
    Dice,
    DiceError,
    Distribution,
    LimitError,
    Mechanic,
    NotationError,
    Outcome,
    ParameterError,
    Say,
    param,
)
from dicedocs.probability.claims.worth import figure_bounds
from dicedocs.probability.enumeration import run_to_end

from ..every import every

_GAMES = 150 if os.environ.get("CI") else 30
_TWO = Counter(map(sum, product(range(1, 7), repeat=2)))


class Take(Mechanic):
    """Throw 2d6 so many times and add them up; some throws may be made again."""

    throws: int = param(default=3)
    again: Decision = param(default="open")

    class Result(Outcome):
        total: int

    def throw(self, dice: Dice, say: Say, throws: int, left: int, total: int) -> tuple[int, int, int]:
        throw = dice.total(2, 6)
        if left and dice.choose(self.again, throw=throw, left=left, throws=throws):
            return throws, left - 1, total
        return throws - 1, left, total + throw

    def resolve(self, dice: Dice, say: Say) -> Result:
        state = dice.repeat(self.throw, (self.throws, 3, 0), until=lambda throws, *_: throws == 0)
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


def test_a_figure_that_depends_on_ties_is_bounded():
    figures = ["p(success)", "mean(hurt)", "p(hurt at least 2)"]
    bounds = run_to_end(figure_bounds(Push(pool=2), "p(success)", *figures))
    seen = sorted({(dice.count(6), dice.count(1)) for dice in product(range(1, 7), repeat=2)})
    policies = [dict(zip(seen, ways, strict=True)) for ways in product((False, True), repeat=len(seen))]
    most = max(pushed(policy, lambda sixes, _: sixes > 0) for policy in policies)
    best = [policy for policy in policies if pushed(policy, lambda sixes, _: sixes > 0) == most]
    hurt = [pushed(policy, lambda _, hurt: hurt) for policy in best]
    twice = [pushed(policy, lambda _, hurt: hurt >= 2) for policy in best]
    assert list(bounds.values()) == [(most, most), (min(hurt), max(hurt)), (min(twice), max(twice))]


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
    assert dd.odds(Pig(), "bust", best="mean(score)").p("true") == odds.p("= 0")


def test_a_rule_without_end_is_refused_at_once():
    start = perf_counter()
    with pytest.raises(LimitError, match="let the rule end at a number"):
        dd.odds(Pig(cap=10**9), best="mean(score)")
    assert perf_counter() - start < 2


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
    """Throw a d6 again or not, before the number to reach is thrown, or after."""

    after: bool = param(default=False)
    again: Decision = param(default="open")

    class Result(Outcome):
        hit: bool

    def resolve(self, dice: Dice, say: Say) -> Result:
        target = dice.roll(6) if self.after else 0
        die = dice.roll(6)
        again = dice.choose(self.again, die=die, target=target)
        die = dice.roll(6) if again else die
        return self.Result(die == (target or dice.roll(6)))


def test_a_target_counts_once_it_is_known():
    assert dd.odds(Reach(), best="p(hit)").p("true") == Fraction(1, 6)
    assert dd.odds(Reach(after=True), best="p(hit)").p("true") == Fraction(1, 6) + Fraction(5, 36)


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


def subsets(faces: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted({kept for number in range(len(faces) + 1) for kept in combinations(faces, number)}))


class Yahtzee(Mechanic):
    """Throw five dice three times and keep what you like."""

    keep: Decision = param(default="open")

    class Result(Outcome):
        yahtzee: bool
        chance: int

    def step(
        self, dice: Dice, say: Say, faces: tuple[int, ...], left: int, thrown: bool
    ) -> tuple[tuple[int, ...], int, bool]:
        if not thrown:
            return tuple(sorted((*faces, *dice.pool(*[6] * (5 - len(faces)))))), left - 1, True
        return dice.choose(self.keep, subsets(faces)), left, False

    def resolve(self, dice: Dice, say: Say) -> Result:
        faces, *_ = dice.repeat(self.step, ((), 3, False), until=lambda _, left, thrown: thrown and not left)
        return self.Result(len({*faces}) == 1, sum(faces))


def yahtzee(worth: Callable[[tuple[int, ...]], int]) -> Fraction:
    throws = {
        number: {
            faces: factorial(number) // _orders(faces) for faces in combinations_with_replacement(range(1, 7), number)
        }
        for number in range(6)
    }
    values = {faces: Fraction(worth(faces)) for faces in throws[5]}
    for _ in range(2):
        kept = {
            faces: sum(ways * values[tuple(sorted(faces + more))] for more, ways in throws[5 - len(faces)].items())
            / Fraction(6 ** (5 - len(faces)))
            for number in throws.values()
            for faces in number
        }
        values = {faces: max(map(kept.__getitem__, subsets(faces))) for faces in throws[5]}
    return sum((ways * values[faces] for faces, ways in throws[5].items()), Fraction()) / 6**5


def _orders(faces: tuple[int, ...]) -> int:
    found = 1
    for number in Counter(faces).values():
        found *= factorial(number)
    return found


def test_a_turn_of_yahtzee():
    assert dd.odds(Yahtzee(), "yahtzee", best="p(yahtzee)").p("true") == yahtzee(lambda faces: len({*faces}) == 1)
    assert dd.odds(Yahtzee(), "chance", best="mean(chance)").mean == yahtzee(sum) == Fraction(70, 3)


class Ring(Mechanic):
    """Go on along a table of states: by a die, what the player picks, and a second die; be paid early, or late."""

    table: tuple[int, ...] = param(default=())
    within: bool = param(default=False)
    pick: Decision = param(default="open")

    class Result(Outcome):
        end: int
        rounds: int
        early: int

    def step(self, dice: Dice, say: Say, at: int) -> tuple[int]:
        die = dice.roll(3) - 1
        if self.within:
            way = dice.play(Pick(at=at, die=die, pick=self.pick)).way
        else:
            way = dice.choose(self.pick, (0, 1, 2), at=at, die=die)
        return (self.table[at * 18 + die * 6 + way * 2 + dice.roll(2) - 1],)

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(-dice.repeat(self.step, (0,), until=lambda at: at < 0)[0], 0, 0)


class Rounds(Ring):
    """Count the rounds."""

    def resolve(self, dice: Dice, say: Say) -> Ring.Result:
        rounds, end = dice.repeat(self.step, (0,), until=lambda at: at < 0, count=True)
        return self.Result(-end, rounds, -end if rounds <= 3 else 0)


class Pick(Mechanic):
    """What a player picks, as a play."""

    at: int = param(default=0)
    die: int = param(default=0)
    pick: Decision = param(default="open")

    class Result(Outcome):
        way: int

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.choose(self.pick, (0, 1, 2), at=self.at, die=self.die))


def after_a_round(table: tuple[int, ...], values: list[float], paid: int = 1) -> list[float]:
    parts = [values[to] if to >= 0 else float(-to * paid) for to in table]
    pairs = [(one + other) / 2 for one, other in zip(parts[::2], parts[1::2], strict=True)]
    best = [max(pairs[index : index + 3]) for index in range(0, len(pairs), 3)]
    return [sum(best[index : index + 3]) / 3 for index in range(0, len(best), 3)]


def iterated(table: tuple[int, ...], cost: float = 0.0) -> float:
    values = [0.0] * (len(table) // 18)
    while True:
        after = [value - cost for value in after_a_round(table, values)]
        if max(abs(one - other) for one, other in zip(values, after, strict=True)) < 1e-14:
            return after[0]
        values = after


def in_three_rounds(table: tuple[int, ...]) -> float:
    values = [0.0] * (len(table) // 18)
    for _ in range(3):
        values = after_a_round(table, values)
    return values[0]


def random_table(rnd: random.Random, size: int, most: int = 9) -> tuple[int, ...]:
    table = [rnd.choice([rnd.randrange(size), rnd.randrange(size), -rnd.randint(1, most)]) for _ in range(18 * size)]
    for at in range(size):
        table[at * 18] = -1  # there is a way out of each state
    return tuple(table)


def test_circles_are_worth_what_value_iteration_finds():
    rnd = random.Random(5)
    sizes = [rnd.randint(2, 7) for _ in range(_GAMES)]
    wrong = []
    for number, size in enumerate([*sizes, 30]):
        table = random_table(rnd, size)
        mean = dd.odds(Ring(table=table, within=number % 2 == 1), best="mean(end)").mean
        if abs(float(mean) - iterated(table)) > 1e-9:
            wrong.append((number, float(mean), iterated(table)))
    assert not wrong


def test_counted_rounds_are_worth_what_value_iteration_finds():
    rnd = random.Random(6)
    wrong = []
    for number in range(_GAMES // 15):
        table = random_table(rnd, rnd.randint(2, 5), 2)
        rule = Rounds(table=table, within=number % 2 == 1)
        odds = dd.odds(rule, "end", "rounds", best="4 * mean(end) - mean(rounds)")
        late = float(sum(p * (end - Fraction(rounds, 4)) for (end, rounds), p in shares(odds)))
        early = float(dd.odds(rule, "early", best="mean(early)").mean)
        expected = iterated(table, 0.25), in_three_rounds(table)
        if max(abs(late - expected[0]), abs(early - expected[1])) > 1e-9:
            wrong.append((number, (late, early), expected))
    assert not wrong


def shares(odds: Distribution) -> list[tuple[tuple[int, ...], Fraction]]:
    return [(value, odds.exactly(value)) for value in odds]


class Turns(Mechanic):
    """Take turns of Pig until the goal is reached."""

    goal: int = param(default=20)
    again: Decision = param(default="open")

    class Result(Outcome):
        turns: int
        squared: int

    def turn(self, dice: Dice, say: Say, score: int) -> tuple[int]:
        return (min(score + dice.play(Turn(score=score, goal=self.goal, again=self.again)).gain, self.goal),)

    def resolve(self, dice: Dice, say: Say) -> Result:
        turns, _ = dice.repeat(self.turn, (0,), until=lambda score: score >= self.goal, count=True)
        return self.Result(turns, turns**2)


class Turn(Mechanic):
    """Take a turn of Pig, up to the goal."""

    score: int = param(default=0)
    goal: int = param(default=20)
    again: Decision = param(default="open")

    class Result(Outcome):
        gain: int

    def throw(self, dice: Dice, say: Say, gain: int, over: bool) -> tuple[int, bool]:
        at_goal = self.score + gain >= self.goal
        if at_goal or (gain and not dice.choose(self.again, score=self.score, gain=gain)):
            return gain, True
        die = dice.roll(6)
        return (0, True) if die == 1 else (gain + die, False)

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.repeat(self.throw, (0, False), until=lambda _, over: over)[0])


def fewest_turns(goal: int) -> Fraction:
    """Solve each score by itself: a turn is worth a constant and a part of what its score is worth."""
    values: dict[int, Fraction] = {}
    for score in reversed(range(goal)):
        before, now = Fraction(), Fraction(10**6)
        while now != before:
            turn = dict.fromkeys(range(goal - score, goal - score + 6), (Fraction(), Fraction()))
            for gain in reversed(range(goal - score)):
                thrown = [(Fraction(), Fraction(1)), *(turn[gain + die] for die in range(2, 7))]
                ways = [(sum(one for one, _ in thrown) / Fraction(6), sum(one for _, one in thrown) / Fraction(6))]
                ways += [(values[score + gain], Fraction())] if gain else []
                turn[gain] = min(ways, key=lambda way: way[0] + way[1] * now)
            before, now = now, (1 + turn[0][0]) / (1 - turn[0][1])
        values[score] = now
    return values[0]


@cache
def reached(score: int, gain: int, turns: int, goal: int) -> Fraction:
    """Return how probable the goal is within some turns, of which one has begun."""
    if score + gain >= goal or not turns:
        return Fraction(turns > 0)
    thrown = reached(score, 0, turns - 1, goal) + sum(reached(score, gain + die, turns, goal) for die in range(2, 7))
    return max(thrown / 6, reached(score + gain, 0, turns - 1, goal) if gain else Fraction())


def test_the_fewest_turns():
    odds = dd.odds(Turns(), best="-mean(turns)")
    assert abs(odds.mean - fewest_turns(20)) < Fraction(1, 10**24)
    assert dd.odds(Turns(), best="p(turns at most 3)").p("at most 3") == reached(0, 0, 3, 20)
    assert dd.odds(Turns(goal=8), best="p(turns at most 2)").p("at most 2") == reached(0, 0, 2, 8)


@pytest.mark.thorough
def test_the_fewest_turns_of_the_whole_game():
    odds = dd.odds(Turns(goal=100), best="-mean(turns)")
    assert abs(odds.mean - fewest_turns(100)) < Fraction(1, 10**24)
    assert round(float(odds.mean), 13) == 12.5452323519554


class Patience(Mechanic):
    """Throw some dice until they all show 1, or until you like to stop."""

    number: int = param(default=1)
    stop: Decision = param(default="open")

    class Result(Outcome):
        rounds: int

    def throw(self, dice: Dice, say: Say, over: bool) -> tuple[bool]:
        return (dice.choose(self.stop) or dice.total(self.number, 6) == self.number,)

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.repeat(self.throw, (False,), until=lambda over: over, count=True)[0])


class Long(Patience):
    """Stop or go on, 1,200 times."""

    def resolve(self, dice: Dice, say: Say) -> Patience.Result:
        def step(dice: Dice, say: Say, left: int) -> tuple[int]:
            return (left - 1 + dice.choose(self.stop, (0, -1)),)

        return self.Result(dice.repeat(step, (2_400,), until=lambda left: left <= 0, count=True)[0])


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
        (Push(), "p(success),", "expected"),
        (Push(push="yes, open"), "p(success)", "are the choices of one play"),
        (Turns(), "-mean(squared)", "worth does not change by the same for each round even after 500 rounds"),
        (
            Patience(),
            "p(rounds at least 600)",
            "worth does not change by the same for each round even after 500 rounds",
        ),
        (Patience(number=4), "mean(rounds)", "1001 rounds of one repetition"),
        (Long(), "mean(rounds)", "1001 rounds of one repetition"),
        ("3d6", "mean(total)", "nothing is chosen in this mechanic"),
    ],
)
def test_other_figures_are_refused(rule, best, message):
    with pytest.raises((ParameterError, NotationError, LimitError), match=message):
        dd.odds(rule, best=best)


def test_odds_without_best_name_it():
    with pytest.raises(ParameterError, match=r"is the player's choice.*for best play add best=\"p\(\.\.\.\)\""):
        dd.odds(Push())


def test_a_choice_that_is_made_stays_made():
    assert dd.odds(Push(push="no"), "hurt", best="mean(hurt)").exactly(0) == 1


class Coloured(Mechanic):
    """Throw a d6 until you like it, each time in the colour that you like."""

    stay: Decision = param(default="open")

    class Result(Outcome):
        face: int
        colour: str

    def throw(self, dice: Dice, say: Say, face: int, over: bool) -> tuple[int, bool]:
        again = not dice.choose(self.stay, face=face) if face else True
        colour = dice.choose(self.stay, ("red", "blue"))
        return (dice.roll(6) * (1 if colour == "red" else -1), False) if again else (face, True)

    def resolve(self, dice: Dice, say: Say) -> Result:
        face, _ = dice.repeat(self.throw, (0, False), until=lambda _, over: over)
        return self.Result(abs(face), "red" if face > 0 else "blue")


def test_rounds_that_may_go_on_for_ever_take_the_first_equal_way():
    # By the way written first for a 6, not to stay, they never end; that of the colour is taken.
    odds = dd.odds(Coloured(), "face", "colour", best="mean(face)")
    assert odds.exactly((6, "red")) == 1


class Never(Stay):
    """Throw a d6 for ever, whatever you choose."""

    def throw(self, dice: Dice, say: Say, _face: int, over: bool) -> tuple[int, bool]:
        dice.choose(self.stay)
        return dice.roll(6), over


def test_rounds_that_no_way_ends_are_refused():
    with pytest.raises(DiceError, match="no end follows"):
        dd.odds(Never(), best="mean(face)")


class Waiting(Rounds):
    """Wait, or go."""

    def step(self, dice: Dice, say: Say, at: int) -> tuple[int]:
        return (-1 if dice.choose(self.pick) else at,)


def test_rounds_that_are_best_without_end_are_refused():
    with pytest.raises(DiceError, match="in best play some rounds would go on for ever"):
        dd.odds(Waiting(), "rounds", best="mean(rounds)")


class Lists(Stay):
    """Choose between lists."""

    def resolve(self, dice: Dice, say: Say) -> Stay.Result:
        return self.Result(dice.choose(self.stay, [[1], [2]])[0])


def test_ways_that_can_change_are_refused():
    with pytest.raises(TypeError, match="a way of 'stay' can change; give tuples instead of lists"):
        dd.odds(Lists(), best="mean(face)")
