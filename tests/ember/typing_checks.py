"""What mypy knows of a game, and the mistakes of an author that it reports. Nothing here is run: `make lint` reads it.

An ignored error that mypy no longer reports is itself an error.
"""

from typing import assert_type

import dicedocs as dd
from dicedocs import Dice, Mechanic, Outcome, Say, highest, param
from ember.rules import Blaze, Hand, Haul


def plays(dice: Dice) -> None:
    assert_type(Blaze(trait=3).play(dice).hits, int)
    assert_type(Haul(crew=(Hand("Ash", 2),)).play(dice).success, bool)
    assert_type(dice.play(Blaze(), "again").blaze, int)
    assert_type(dice.tally(3, 6, {6}), int)
    assert_type(dice.tally(3, 6, {6}, {1}), tuple[int, ...])
    assert_type(dice.pool(6, 6, keep=highest(1))[0], int)
    assert_type(Blaze().trait, int)


class Own(Mechanic, id="own/own"):
    skill: int = param(default=1, low=0)

    class Result(Outcome):
        total: int
        word: str

    def round(self, dice: Dice, say: Say, points: int, word: str) -> tuple[int, str]:
        return points - dice.roll(6), word

    def rounds(self, dice: Dice) -> None:
        points, word = dice.repeat(self.round, (20, "x"), lambda points, word: points <= 0 and word == "x")
        assert_type((points, word), tuple[int, str])
        assert_type(dice.repeat(self.round, (20, "x"), over, count=True, label="Round"), tuple[int, int, str])
        assert_type(dice.repeat(one, (1,), lambda state: not state), tuple[tuple[int, ...]])
        assert_type(dice.sweep(sets, (), [6] * 4, labels=("Pool",)), tuple[int, ...])

    def resolve(self, dice: Dice, say: Say) -> Result:
        if dice.roll(2) == 1:
            return dice.play(self)
        rolled = dice.roll(6)
        assert_type(say.fact("Word", "x", rolled), str)
        assert_type(say.move("Step", (4, 6), 4, 1), tuple[int, int])
        assert_type(say.look_up("Row", 3, {None: "a", 2: "b"}), str)
        return self.Result(say.sum("Total", rolled, ("skill", self.skill)), word="x")


def over(points: int, word: str) -> bool:
    return points <= 0


def one(dice: Dice, say: Say, state: tuple[int, ...]) -> tuple[tuple[int, ...]]:
    return (state[1:],)


def sets(state: tuple[int, ...], face: int, number: int) -> tuple[int, ...]:
    return (*state, number) if number > 1 else state


def mistakes() -> None:
    Blaze(trait="3")  # type: ignore[arg-type]
    Blaze(trial=3)  # type: ignore[call-arg]
    Blaze(3)  # type: ignore[call-arg]
    Haul()  # type: ignore[call-arg]
    Blaze.Result(1)  # type: ignore[call-arg]
    Blaze.Result("1", 2)  # type: ignore[arg-type]
    Blaze().trait = 3  # type: ignore[misc]
    str(Blaze().play(dd.SeededDice(1)).hist)  # type: ignore[attr-defined]
    Haul(crew=(), mood="angry")  # type: ignore[arg-type]
    dd.Say().compare("x", 1, "==", 2)  # type: ignore[arg-type]
