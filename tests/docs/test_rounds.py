"""The rules of the page about rounds have the odds that plain counting gives them."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from types import ModuleType
from typing import Any

import pytest

import dicedocs as dd
from dicedocs.probability.enumeration import run_to_end
from dicedocs.probability.verification import verified_odds

from ..loaded_games import game_of_guide

Odds = dict[Any, Fraction]


@pytest.fixture(scope="module")
def rounds() -> Iterable[ModuleType]:
    with game_of_guide("rounds") as rounds:
        yield rounds


def odds(rule: dd.Mechanic, *facts: str) -> Odds:
    counted = run_to_end(verified_odds(rule, *facts))
    return {value: counted.exactly(value) for value in counted.values}


def counted(values: Iterable[object]) -> Odds:
    """Return the odds of values that are equally likely."""
    ways = Counter(values)
    return {value: Fraction(number, ways.total()) for value, number in ways.items()}


@cache
def skirmish(wolves: int, guards: int) -> Odds:
    """Return the odds of who is left: a round that fells nobody is as if it had not been."""
    if wolves == 0 or guards == 0:
        return {(wolves, guards): Fraction(1)}

    def hits(dice: int, number: int) -> Fraction:
        return Fraction(comb(dice, number) * 2 ** (dice - number), 3**dice)

    left: Counter[object] = Counter()
    for bitten, struck in product(range(wolves + 1), range(guards + 1)):
        if bitten or struck:
            share = hits(wolves, bitten) * hits(guards, struck) / (1 - hits(wolves, 0) * hits(guards, 0))
            for end, probability in skirmish(max(0, wolves - struck), max(0, guards - bitten)).items():
                left[end] += share * probability
    return dict(left)


@pytest.mark.parametrize(("wolves", "guards"), [(0, 0), (0, 2), (1, 1), (2, 1), (3, 4), (5, 3)])
def test_a_fight_to_the_end(rounds: ModuleType, wolves: int, guards: int) -> None:
    assert odds(rounds.Skirmish(wolves=wolves, guards=guards), "wolves", "guards") == skirmish(wolves, guards)


def test_who_holds_the_gate(rounds: ModuleType) -> None:
    held = sum(probability for left, probability in skirmish(3, 3).items() if left[0] == 0 < left[1])
    assert odds(rounds.Skirmish(wolves=3, guards=3), "held")[True] == held


def test_how_large_a_fight_may_be(rounds: ModuleType) -> None:
    for side, paths in ((20, 52_900), (30, 245_025)):
        assert sum((wolves + 1) * (guards + 1) for wolves, guards in product(range(1, side + 1), repeat=2)) == paths
    assert dd.odds(rounds.Skirmish(wolves=20, guards=20)).remainder == 0
    with pytest.raises(dd.LimitError, match="BRANCHES"):
        dd.odds(rounds.Skirmish(wolves=30, guards=30))


@pytest.mark.parametrize("stages", [1, 2, 6])
def test_how_many_days_it_takes(rounds: ModuleType, stages: int) -> None:
    days = odds(rounds.Pass(stages=stages), "days")
    level = {0: Fraction(1)}
    for day in range(1, 21):
        following: Counter[int] = Counter()
        for done, probability in level.items():
            for more in (0, 0, 1, 1, 1, 2):
                following[min(done + more, stages)] += probability / 6
        assert days.get(day, 0) == following.pop(stages, 0)
        level = dict(following)


def test_the_house_wins_a_little_more_often(rounds: ModuleType) -> None:
    # A point of 4 or 10 comes before a 7 in 1 of 3, 5 or 9 in 2 of 5, 6 or 8 in 5 of 11; they come up 3, 4, 5 in 36.
    won = Fraction(8, 36) + 2 * (Fraction(3, 36) / 3 + Fraction(4, 36) * 2 / 5 + Fraction(5, 36) * 5 / 11)
    assert won == Fraction(244, 495)
    assert odds(rounds.Craps()) == {True: won, False: 1 - won}


@pytest.mark.parametrize("pool", [0, 1, 3])
def test_a_pool_that_is_pushed(rounds: ModuleType, pool: int) -> None:
    def pushed(first: tuple[int, ...], again: tuple[int, ...]) -> tuple[int, int]:
        faces = [face if face in (1, 6) else other for face, other in zip(first, again, strict=True)]
        return faces.count(6), faces.count(1)

    # A die that is not thrown again has a second face all the same, which nobody looks at.
    dice = list(product(range(1, 7), repeat=pool))
    assert odds(rounds.Push(pool=pool), "sixes", "ones") == counted(pushed(*both) for both in product(dice, dice))
    once = counted((faces.count(6), faces.count(1)) for faces in dice)
    assert odds(rounds.Push(pool=pool, push=False), "sixes", "ones") == once


def test_a_score_and_the_best_of_six(rounds: ModuleType) -> None:
    score = counted(sum(sorted(faces)[1:]) for faces in product(range(1, 7), repeat=4))
    assert odds(rounds.Score()) == score
    best = odds(rounds.Hero())
    for limit in range(3, 19):
        at_most = sum(probability for value, probability in score.items() if value <= limit)
        assert sum(probability for value, probability in best.items() if value <= limit) == at_most**6


@pytest.mark.parametrize(("ours", "theirs"), [(0, 0), (0, 2), (2, 1), (2, 2)])
def test_pools_face_by_face(rounds: ModuleType, ours: int, theirs: int) -> None:
    def margin(faces: tuple[int, ...]) -> int:
        mine, yours = Counter(faces[:ours]), Counter(faces[ours:])
        left = [(face, number) for face, number in (mine - yours).items()]
        left += [(face, -number) for face, number in (yours - mine).items()]
        return max(left)[1] if left else 0

    assert odds(rounds.Duel(ours=ours, theirs=theirs)) == counted(
        margin(faces) for faces in product(range(1, 11), repeat=ours + theirs)
    )


def test_the_highest_face_decides(rounds: ModuleType) -> None:
    # The odds would be the same if the lowest one did.
    assert rounds.Duel().play(dd.ScriptedDice("9 7 7 4 2 9 7 3 1")).margin == 1
    assert rounds.Duel().play(dd.ScriptedDice("9 7 4 2 1 9 7 7 1")).margin == -1
