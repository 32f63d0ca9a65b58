"""Best play of a turn of known games, beside recursions over their dice that are written here."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import factorial

import pytest

import dicedocs as dd
from dicedocs import Decision, Dice, LimitError, Mechanic, Outcome, Say, param

from ..every import every


def subsets(faces: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted({kept for number in range(len(faces) + 1) for kept in combinations(faces, number)}))


class Yahtzee(Mechanic):
    """Throw five dice three times and keep what you like."""

    keep: Decision = param(default="open")

    class Result(Outcome):
        yahtzee: bool
        chance: int
        large: bool
        full: bool
        sixes: int

    def step(
        self, dice: Dice, say: Say, faces: tuple[int, ...], left: int, thrown: bool
    ) -> tuple[tuple[int, ...], int, bool]:
        if not thrown:
            return tuple(sorted((*faces, *dice.pool(*[6] * (5 - len(faces)))))), left - 1, True
        return dice.choose(self.keep, subsets(faces)), left, False

    def resolve(self, dice: Dice, say: Say) -> Result:
        faces, *_ = dice.repeat(self.step, ((), 3, False), until=lambda _, left, thrown: thrown and not left)
        return self.Result(len({*faces}) == 1, sum(faces), is_large(faces), is_full(faces), faces.count(6))


def is_large(faces: tuple[int, ...]) -> bool:
    return {*faces} in ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6})


def is_full(faces: tuple[int, ...]) -> bool:
    return sorted(Counter(faces).values()) == [2, 3]


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


@pytest.mark.thorough
@every(
    ("best", "worth", "value"),
    [
        ("p(large)", is_large, 0.261095),
        ("p(full)", is_full, 0.362883),
        ("mean(sixes)", lambda faces: faces.count(6), 2.10648),
    ],
)
def test_what_else_a_turn_of_yahtzee_is_for(best, worth, value):
    odds = dd.odds(Yahtzee(), best[best.index("(") + 1 : -1], best=best)
    found = odds.mean if best.startswith("mean") else odds.p("true")
    assert found == yahtzee(worth)
    assert abs(float(found) - value) < 1e-5


class Farkle(Mechanic):
    """Throw dice, put some aside that score, and throw the others again, as often as you like; or lose all."""

    cap: int = param(default=300)
    keep: Decision = param(default="open")
    again: Decision = param(default="open")

    class Result(Outcome):
        score: int

    def step(self, dice: Dice, say: Say, score: int, left: int, over: bool) -> tuple[int, int, bool]:
        ways = dice.play(Thrown(number=left)).ways
        if not ways:
            return 0, 0, True
        more, used = dice.choose(self.keep, ways)
        score, left = score + more, (left - used) or 6
        if score < self.cap and dice.choose(self.again, score=score, left=left):
            return score, left, False
        return score, 0, True

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(dice.repeat(self.step, (0, 6, False), until=lambda *state: state[-1])[0])


class Thrown(Mechanic):
    """Throw some dice, and see what they can score: only that is counted."""

    number: int = param(default=6)

    class Result(Outcome):
        ways: tuple[tuple[int, int], ...]

    def resolve(self, dice: Dice, say: Say) -> Result:
        return self.Result(scoring(dice.pool(*[6] * self.number)))


@cache
def scoring(faces: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Return what dice can score, each with how many of them are put aside, the most for each number."""
    found = {0: 0}
    for face, number in Counter(faces).items():
        single, triple = {1: (100, 1000), 5: (50, 500)}.get(face, (0, 100 * face))
        mine = {0: 0}
        for aside in range(1, number + 1):
            threes, rest = divmod(aside, 3)
            if single or not rest:
                mine[aside] = max(threes * triple + rest * single, aside * single)
        both = [(one + other, found[one] + mine[other]) for one, other in product(found, mine)]
        found = {aside: max(score for used, score in both if used == aside) for aside, _ in both}
    return tuple((score, aside) for aside, score in sorted(found.items()) if aside)


@cache
def farkle(score: int, left: int, cap: int) -> Fraction:
    total = Fraction()
    for faces in combinations_with_replacement(range(1, 7), left):
        after = [(score + more, (left - used) or 6) for more, used in scoring(faces)]
        best = max((max(Fraction(now), farkle(now, dice, cap) if now < cap else 0) for now, dice in after), default=0)
        total += Fraction(factorial(left) // _orders(faces), 6**left) * best
    return total


def test_a_turn_of_farkle():
    assert dd.odds(Farkle(), best="mean(score)").mean == farkle(0, 6, 300)


@pytest.mark.thorough
@every(("cap", "value"), [(1000, 443.726), (2000, 446.511), (3000, 446.570)])
def test_a_long_turn_of_farkle(cap, value):
    if cap == 3000:
        with pytest.raises(LimitError, match="the limit BRANCHES is 55000"):
            dd.odds(Farkle(cap=cap), best="mean(score)")
    with dd.raise_limits(**({"BRANCHES": 100_000} if cap == 3000 else {})):
        mean = dd.odds(Farkle(cap=cap), best="mean(score)").mean
    assert mean == farkle(0, 6, cap)
    assert round(float(mean), 3) == value
