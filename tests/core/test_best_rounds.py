"""Best play of rounds in circles, and of rounds that are counted, beside value iteration and other recursions."""

import os
import random
from fractions import Fraction
from functools import cache

import pytest

import dicedocs as dd
from dicedocs import Decision, Dice, DiceError, Distribution, LimitError, Mechanic, Outcome, ParameterError, Say, param
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.explorer import Explorer

from ..every import every
from ..pig import odds_of_holding
from .test_best_play import Stay, played, solution

_GAMES = 150 if os.environ.get("CI") else 30


_TIED = (
    *(-1, 1, 0, 1, 1, -2, -1, 1, 0, 1, -2, 1, 1, -1, -1, 1, 1, 1),
    *(-1, -2, 0, 0, -1, 0, 1, 1, 1, 1, 1, 0, -1, 1, -1, -1, 1, 1),
)
"""A game whose rounds go on for ever by some of its equally good ways."""


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
    sizes = [*(rnd.randint(2, 7) for _ in range(_GAMES)), 30, *([55] if os.environ.get("CI") else [])]
    wrong = []
    for number, table in enumerate([_TIED, *(random_table(rnd, size) for size in sizes)]):
        mean = dd.odds(Ring(table=table, within=number % 2 == 0), best="mean(end)").mean
        if abs(float(mean) - iterated(table)) > 1e-9:
            wrong.append((number, float(mean), iterated(table)))
    assert not wrong


@pytest.mark.thorough
def test_large_circles_are_worth_what_value_iteration_finds():
    for size in (100, 190):
        table = random_table(random.Random(5), size)
        with dd.raise_limits(ITEMS=len(table)):
            mean = dd.odds(Ring(table=table), best="mean(end)").mean
        assert abs(float(mean) - iterated(table)) < 1e-9, size


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
    fewest = fewest_turns(20)
    assert turns_at_best(20) == fewest
    # Of the odds what hardly ever happens is left out.
    odds = played(Turns(), best="-mean(turns)")
    assert abs(odds.mean - fewest) < Fraction(1, 10**24)
    assert odds.bounds(int) is None
    assert dd.odds(Turns(), best="p(turns at most 3)").p("at most 3") == reached(0, 0, 3, 20)
    assert dd.odds(Turns(goal=8), best="p(turns at most 2)").p("at most 2") == reached(0, 0, 2, 8)


@pytest.mark.thorough
def test_the_fewest_turns_of_the_whole_game():
    fewest = fewest_turns(100)
    assert turns_at_best(100) == fewest
    assert round(float(fewest), 13) == 12.5452323519554
    # Whoever holds at 20 takes longer.
    held = dd.odds(Turns(goal=100, again="yes if gain < 20, else no")).mean
    values: dict[int, Fraction] = {}
    for score in reversed(range(100)):
        turn = odds_of_holding(min(20, 100 - score))
        later = sum(part * values.get(score + gain, 0) for gain, part in turn.items() if gain)
        values[score] = (1 + later) / (1 - turn[0])
    assert abs(held - values[0]) < Fraction(1, 10**24)
    assert round(float(held), 5) == 12.63677


def turns_at_best(goal: int) -> Fraction:
    return -run_to_end(solution(Turns(goal=goal), Explorer(), sign=-1)).value[0]


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


class Idle(Mechanic):
    """Stop as soon as you like, which gains nothing."""

    stop: Decision = param(default="open")

    class Result(Outcome):
        success: bool
        rounds: int

    def wait(self, dice: Dice, say: Say, over: bool) -> tuple[bool]:
        return (dice.choose(self.stop),)

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(True, dice.repeat(self.wait, (False,), until=lambda over: over, count=True)[0])


def test_a_figure_without_bounds_is_refused():
    odds = played(Idle(), "rounds", best="p(success)")
    with pytest.raises(ParameterError, match="how ties are broken may change this figure, and it has no known bounds"):
        odds.bounds(int)
    assert str(odds).endswith("The odds depend on how ties are broken: Rounds.")
    assert str(dd.odds(Idle(), best="p(success)")).count("ties") == 0  # whoever stops succeeds


class Long(Patience):
    """Stop or go on, 1,200 times."""

    def resolve(self, dice: Dice, say: Say) -> Patience.Result:
        def step(dice: Dice, say: Say, left: int) -> tuple[int]:
            return (left - 1 + dice.choose(self.stop, (0, -1)),)

        return self.Result(dice.repeat(step, (2_400,), until=lambda left: left <= 0, count=True)[0])


@every(
    ("rule", "best", "message"),
    [
        (Turns(), "-mean(squared)", "worth does not change by the same for each round even after 500 rounds"),
        (
            Patience(),
            "p(rounds at least 600)",
            "worth does not change by the same for each round even after 500 rounds",
        ),
        (Patience(number=4), "mean(rounds)", "1001 rounds of one repetition"),
        (Long(), "mean(rounds)", "1001 rounds of one repetition"),
    ],
)
def test_rounds_that_cannot_be_followed_are_refused(rule, best, message):
    with pytest.raises((ParameterError, LimitError), match=message):
        dd.odds(rule, best=best)


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


class Walk(Mechanic):
    """Walk round in a circle until you come by where you began."""

    places: int = param(default=203)
    faster: Decision = param(default="open")

    class Result(Outcome):
        at: int

    def step(self, dice: Dice, say: Say, at: int) -> tuple[int]:
        return ((at + dice.roll(6) + dice.choose(self.faster)) % self.places,)

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.repeat(self.step, (1,), until=lambda at: at == 0)[0])


def test_too_large_a_circle_is_refused():
    with pytest.raises(LimitError, match="202 states of a rule that lead to one another") as refused:
        dd.odds(Walk(), best="mean(at)")
    assert "estimate" not in refused.value.hint


class Explode(Mechanic):
    """Add d6s up while they show 6; take that, or 5."""

    take: Decision = param(default="open")

    class Result(Outcome):
        total: int

    def step(self, dice: Dice, say: Say, total: int, over: bool) -> tuple[int, bool]:
        die = dice.roll(6)
        return total + die, die < 6

    def resolve(self, dice: Dice, say: Say) -> Result:
        total, _ = dice.repeat(self.step, (0, False), until=lambda _, over: over)
        return self.Result(total if dice.choose(self.take, total=total) else 5)


def test_rounds_without_end_in_which_nothing_is_chosen_are_followed():
    # A total is 5 or less in five of six cases, and else 6 and another one, which is 21/5 on average.
    mean = Fraction(5, 6) * 5 + Fraction(1, 6) * (6 + Fraction(21, 5))
    assert abs(dd.odds(Explode(), best="mean(total)").mean - mean) < Fraction(1, 10**24)


class Climb(Mechanic):
    """Climb three steps, each by rounds that are counted; a step that takes too long is tried again, or is the last."""

    wait: Decision = param(default="open")

    class Result(Outcome):
        at: int

    def throw(self, dice: Dice, say: Say, height: int) -> tuple[int]:
        if dice.roll(6) > 4:
            return (height + 1,)
        return (height if dice.choose(self.wait, height=height) else height - 1,)

    def step(self, dice: Dice, say: Say, at: int) -> tuple[int]:
        rounds, height = dice.repeat(self.throw, (1,), until=lambda height: height in {0, 3}, count=True)
        if height == 3 and rounds <= 4:
            return (at + 1,)
        return (at if dice.roll(2) == 1 else -1,)

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.repeat(self.step, (0,), until=lambda at: at in {-1, 3})[0])


@cache
def climbed(height: int, rounds: int, up: float, down: float) -> float:
    if height in {0, 3} or rounds == 60:
        return up if height == 3 and rounds <= 4 else down
    higher, same, lower = (climbed(height + by, rounds + 1, up, down) for by in (1, 0, -1))
    return higher / 3 + max(same, lower) * 2 / 3


@pytest.mark.thorough
def test_counted_rounds_within_a_circle():
    values = [0.0, 0.0, 0.0, 3.0]
    for _ in range(60):
        values = [*(climbed(1, 0, values[at + 1], (values[at] - 1) / 2) for at in range(3)), 3.0]
    assert abs(float(dd.odds(Climb(), best="mean(at)").mean) - values[0]) < 1e-9
