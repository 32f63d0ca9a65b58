"""Dice of one pool on the table: thrown, thrown again, exploded, and kept or dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.expression.modifiers import FaceValues, Handling
from dicedocs.rules import record
from dicedocs.rules.dice import Dice

_PART_OF_TEN: Final = 6
"""The faces of each of the two dice of a d66."""


class PoolDie:
    """A die of a pool: what it counts, what became of it, and where it is recorded."""

    __slots__ = ("apart", "places", "state", "value", "word")

    def __init__(self, value: int, places: Sequence[tuple[record.Faces, int]], word: str) -> None:
        self.value = value
        self.places = places
        self.word = word
        self.state = ""
        self.apart = False
        """Whether it is not a die of the result: it was thrown again, or added to the die that exploded."""

    def mark(self, state: str) -> None:
        self.state = state
        for faces, index in self.places:
            faces.mark(index, state)


class AgainCount:
    """How many dice of a notation were thrown again: each has a line of working, which a reader could not read."""

    def __init__(self) -> None:
        self._number = 0

    def add(self) -> None:
        self._number += 1
        limits.AGAIN.check(self._number, hint="throw fewer dice again, or limit explosions, as in 4d6!x2")


class Table:
    """Dice of one pool on the table."""

    def __init__(self, dice: Dice, faces: FaceValues, handling: Handling, again: AgainCount, *, two: bool) -> None:
        self._dice = dice
        self._again = again
        self._faces = faces
        self._handling = handling
        self._two = two

    def throw(self, count: int) -> list[PoolDie]:
        """Throw the dice of the pool, and again those that the handling has thrown again."""
        settled: list[PoolDie] = []
        for die in self._throw(count):
            thrown = self._settle(die, settled)
            if self._handling.explode is not None:
                self._explode(thrown, settled)
        return settled

    def _throw(self, count: int) -> list[PoolDie]:
        if not count:
            return []
        faces = self._faces
        if self._two:
            thrown = self._dice.each(*[_PART_OF_TEN] * (2 * count))
            pairs = zip(thrown[::2], thrown[1::2], strict=True)
            return [
                PoolDie(10 * tens + ones, ((thrown, 2 * index), (thrown, 2 * index + 1)), "")
                for index, (tens, ones) in enumerate(pairs)
            ]
        thrown = self._dice.each(*[faces.sides] * count)
        if faces.texts:
            thrown.show(faces.texts)
        words = faces.words
        return [
            PoolDie(faces.value(face), ((thrown, index),), words[face - 1] if words else "")
            for index, face in enumerate(thrown)
        ]

    def _throw_again(self) -> PoolDie:
        self._again.add()
        (die,) = self._throw(1)
        return die

    def _settle(self, die: PoolDie, settled: list[PoolDie]) -> PoolDie:
        """Throw a die again where it must be, and put it, and those thrown before, with the settled ones."""
        handling = self._handling
        settled.append(die)
        if handling.reroll is not None:
            while handling.reroll(die.value):
                die.mark("rerolled")
                die.apart = True
                die = self._throw_again()
                settled.append(die)
                if handling.reroll_once:
                    break
        die.value = handling.settle(die.value)
        return die

    def _explode(self, die: PoolDie, settled: list[PoolDie]) -> None:
        handling = self._handling
        explode, first, face = handling.explode, die, die.value
        times = 0
        while explode is not None and explode(face) and (handling.cap is None or times < handling.cap):
            times += 1
            die.mark("exploded")
            die = self._throw_again()
            die = self._settle(die, settled)
            face = die.value
            die.value -= handling.penetrating
            if handling.compounding:
                first.value += die.value
                die.apart = True

    def make_unique(self, dice: list[PoolDie]) -> None:
        """Throw dice again that show what another shows."""
        once = self._handling.unique == "uo"
        must_differ = self._handling.must_differ
        values = self._faces.all()
        different = len(set(values))
        if not once and len(dice) > different and all(map(must_differ, values)):
            raise DiceError(f"{len(dice)} dice cannot all differ", hint=f"throw {different} or fewer")
        seen: set[int] = set()
        for first in list(dice):
            die = first
            while die.value in seen and must_differ(die.value):
                die.mark("rerolled")
                die.apart = True
                die = self._throw_again()
                dice.append(die)
                if once:
                    break
            seen.add(die.value)


def keep(handling: Handling, dice: Sequence[PoolDie]) -> list[PoolDie]:
    """Return the dice that count, after marking those that are dropped; of equal dice the first thrown is kept."""
    live = [die for die in dice if not die.apart]
    if not handling.keeps and not handling.filters:
        return live
    high = any(modifier.name in {"kh", "dl"} for modifier in handling.keeps)
    order = sorted(range(len(live)), key=lambda index: (live[index].value, -index if high else index))
    ranks = set(handling.ranks(len(live)))
    kept = [index for rank, index in enumerate(order) if rank in ranks and handling.passes(live[index].value)]
    for index in set(range(len(live))).difference(kept):
        live[index].mark("dropped")
    return [live[index] for index in sorted(kept)]
