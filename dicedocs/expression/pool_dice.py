"""Dice of one pool on the table: thrown, thrown again, exploded, and kept or dropped."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.expression.modifiers import TWO_DICE, FaceValues, Handling
from dicedocs.expression.tree import Faces, Modifier
from dicedocs.rules import record
from dicedocs.rules.dice import Dice

_PART_OF_TEN: Final = 6
"""The faces of each of the two dice of a d66."""
_NOT_THROWN: Final = record.Faces()
_CACHE_SIZE: Final = 256


class PoolDie:
    """A die of a pool, or a member of a set: what it counts, what became of it, and where it is recorded."""

    __slots__ = ("_faces", "_place", "apart", "state", "value", "word")

    def __init__(self, value: int, faces: record.Faces = _NOT_THROWN, place: int = 0, word: str = "") -> None:
        self.value = value
        self.word = word
        self.state = ""
        self.apart = False
        """Whether it is not a die of the result: it was thrown again, or added to the die that exploded."""
        self._faces = faces
        self._place = place

    def mark(self, state: str) -> None:
        self.state = state
        self._faces.mark(self._place, state)


class _Pair(PoolDie):
    """Two dice that are read as one: the place is that of the first."""

    __slots__ = ()

    def mark(self, state: str) -> None:
        super().mark(state)
        self._faces.mark(self._place + 1, state)


class PoolRule(NamedTuple):
    """What every die of a pool shows, and what is done with the dice.

    Parameters:
        faces: what the faces of each count.
        handling: the modifiers.
        two: whether two dice are thrown for each.
    """

    faces: FaceValues
    handling: Handling
    two: bool

    @classmethod
    @lru_cache(_CACHE_SIZE)
    def of(cls, sides: int | Faces, modifiers: tuple[Modifier, ...]) -> PoolRule:
        """Return the rule of dice with a number of sides, or with faces of their own.

        Raises:
            DiceError: the dice would be thrown without end.
        """
        faces = FaceValues.of(sides)
        two = isinstance(sides, Faces) and sides.name == TWO_DICE
        return cls(faces, Handling.of(modifiers, faces.all()), two)


class Table:
    """The table of one play: it counts the dice that are thrown again.

    Parameters:
        dice: where the dice come from.
    """

    __slots__ = ("_again", "_dice")

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._again = 0

    def total(self, count: int, sides: int) -> int:
        """Throw dice that are only added up, and return their sum."""
        return self._dice.total(count, sides)

    def throw(self, rule: PoolRule, count: int) -> list[PoolDie]:
        """Throw the dice of a pool, and again those that the rule has thrown again."""
        thrown = self._throw(rule, count)
        handling = rule.handling
        if handling.unique:
            self._make_unique(rule, thrown)
        if not handling.changes:
            return thrown
        settled: list[PoolDie] = []
        explode = handling.explode
        for first in thrown:
            die = self._settle(rule, first, settled)
            if explode is not None and explode(die.value):
                self._explode(rule, die, settled)
        return settled

    def _throw(self, rule: PoolRule, count: int) -> list[PoolDie]:
        if not count:
            return []
        faces = rule.faces
        if rule.two:
            thrown = self._dice.each(*[_PART_OF_TEN] * (2 * count))
            pairs = zip(thrown[::2], thrown[1::2], strict=True)
            return [_Pair(10 * tens + ones, thrown, 2 * index) for index, (tens, ones) in enumerate(pairs)]
        thrown = self._dice.each(*[faces.sides] * count)
        if not faces.texts:
            return [PoolDie(face, thrown, index) for index, face in enumerate(thrown)]
        thrown.show(faces.texts)
        words = faces.words
        return [
            PoolDie(faces.value(face), thrown, index, words[face - 1] if words else "")
            for index, face in enumerate(thrown)
        ]

    def _throw_again(self, rule: PoolRule) -> PoolDie:
        # Each has a line of working, and so many a reader could not read.
        self._again += 1
        limits.AGAIN.check(self._again, hint="throw fewer dice again, or limit explosions, as in 4d6!x2")
        return self._throw(rule, 1)[0]

    def _settle(self, rule: PoolRule, die: PoolDie, settled: list[PoolDie]) -> PoolDie:
        """Throw a die again where it must be, and put it, and those thrown before, with the settled ones."""
        handling = rule.handling
        reroll = handling.reroll
        settled.append(die)
        while reroll is not None and reroll(die.value):
            die.mark("rerolled")
            die.apart = True
            die = self._throw_again(rule)
            settled.append(die)
            if handling.reroll_once:
                break
        if handling.low is not None or handling.high is not None:
            die.value = handling.settle(die.value)
        return die

    def _explode(self, rule: PoolRule, die: PoolDie, settled: list[PoolDie]) -> None:
        handling = rule.handling
        explode, first, face = handling.explode, die, die.value
        times = 0
        while explode is not None and explode(face) and (handling.cap is None or times < handling.cap):
            times += 1
            die.mark("exploded")
            die = self._settle(rule, self._throw_again(rule), settled)
            face = die.value
            die.value -= handling.penetrating
            if handling.compounding:
                first.value += die.value
                die.apart = True

    def _make_unique(self, rule: PoolRule, dice: list[PoolDie]) -> None:
        """Throw dice again that show what another shows."""
        handling = rule.handling
        once = handling.unique == "uo"
        must_differ = handling.must_differ
        values = rule.faces.all()
        different = len(set(values))
        if not once and len(dice) > different and all(map(must_differ, values)):
            raise DiceError(f"{len(dice)} dice cannot all differ", hint=f"throw {different} or fewer")
        seen: set[int] = set()
        for first in list(dice):
            die = first
            while die.value in seen and must_differ(die.value):
                die.mark("rerolled")
                die.apart = True
                die = self._throw_again(rule)
                dice.append(die)
                if once:
                    break
            seen.add(die.value)


def keep(handling: Handling, dice: list[PoolDie]) -> list[PoolDie]:
    """Return the dice that count, after marking those that are dropped; of equal dice the first thrown is kept."""
    live = [die for die in dice if not die.apart] if handling.changes or handling.unique else dice
    if not handling.keeps and not handling.filters:
        return live
    values = [die.value for die in live]
    places = range(len(live))
    # The sort is stable, so that of equal dice the first thrown is the lowest, or else the highest.
    order = sorted(reversed(places) if handling.prefers_high else places, key=values.__getitem__)
    kept = {order[rank] for rank in handling.ranks(len(live))}
    if handling.filters:
        kept = {place for place in kept if handling.passes(values[place])}
    for place in places:
        if place not in kept:
            live[place].mark("dropped")
    return [live[place] for place in sorted(kept)]
