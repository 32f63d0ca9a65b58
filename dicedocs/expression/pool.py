"""Dice of one pool on the table: thrown, thrown again, exploded, and kept or dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dicedocs import limits
from dicedocs.rules import record
from dicedocs.rules.dice import Dice, check_limits
from dicedocs.syntax.faces import DieFaces, DieType, digits_value
from dicedocs.syntax.modifiers import Modifier, PoolRules

_NOT_THROWN: Final = record.Faces()
_CACHE_SIZE: Final = 256


class PoolDie:
    """A die of a pool, or a member of a set: what it counts and what became of it.

    Parameters:
        value: what it counts.
        faces: the faces it was thrown with.
        index: its index among them.
        dice: how many dice it was thrown as.
        symbols: the words on its face.

    Attributes:
        state: what became of it, in a word.
        apart: whether it is no die of the result, since it was thrown again or added to the die that exploded.
    """

    __slots__ = ("_absorbed", "_dice", "_faces", "_index", "apart", "state", "symbols", "value")

    def __init__(
        self,
        value: int,
        faces: record.Faces = _NOT_THROWN,
        index: int = 0,
        dice: int = 1,
        symbols: tuple[str, ...] = (),
    ) -> None:
        self.value = value
        self.symbols = symbols
        self.state = ""
        self.apart = False
        self._faces = faces
        self._index = index
        self._dice = dice
        self._absorbed: tuple[PoolDie, ...] = ()

    def mark(self, state: str) -> None:
        """Say what became of it."""
        self.state = state
        for index in range(self._index, self._index + self._dice):
            self._faces.mark(index, state)

    def absorb(self, die: PoolDie) -> None:
        """Count what another die counts, which is no die of the result any more."""
        self.value += die.value
        self._absorbed = (*self._absorbed, die)
        die.apart = True

    def drop(self) -> None:
        """Drop it, with the dice that were added to it."""
        for die in (self, *self._absorbed):
            die.mark("dropped")


class RerollBudget:
    """How many dice one notation may throw again or explode into: each has a line in the working."""

    def __init__(self) -> None:
        self._spent = 0

    def spend(self) -> None:
        self._spent += 1
        limits.AGAIN.check(self._spent, hint="throw fewer dice again, or limit explosions, as in 4d6!x2")


class ThrownPool:
    """The dice of a pool.

    Parameters:
        die: what kind they are.
        rules: what is done with them.
        count: how many are thrown.
        source: where they come from.
        budget: how many may be thrown again.

    Attributes:
        dice: all that were thrown, in the order in which they were settled.
    """

    def __init__(self, die: DieType, rules: PoolRules, count: int, source: Dice, budget: RerollBudget) -> None:
        self.die = die
        self.dice: list[PoolDie] = []
        self._rules = rules
        self._source = source
        self._budget = budget
        thrown = self._throw(count)
        if rules.differ is not None:
            self.dice += thrown
            rules.differ.make_unique(thrown, self)
            return
        for first in thrown:
            self.dice.append(first)
            settled = self.settle(first)
            if rules.explode is not None:
                rules.explode.explode(settled, self)

    def settle(self, die: PoolDie) -> PoolDie:
        """Return the die that counts in place of one that was thrown."""
        for settle in self._rules.settles:
            die = settle.settle(die, self)
        return die

    def throw_again(self, die: PoolDie) -> PoolDie:
        """Throw a die again and return the new one."""
        die.mark("rerolled")
        die.apart = True
        return self.throw_one()

    def throw_one(self) -> PoolDie:
        """Throw one more die and return it."""
        self._budget.spend()
        (die,) = self._throw(1)
        self.dice.append(die)
        return die

    def _throw(self, count: int) -> list[PoolDie]:
        die = self.die
        if not count:
            return []
        thrown = self._source.each(*die.thrown * count)
        if (digits := len(die.thrown)) > 1:
            starts = range(0, len(thrown), digits)
            return [PoolDie(digits_value(thrown[at : at + digits]), thrown, at, digits) for at in starts]
        if die.faces is None:
            return [PoolDie(face, thrown, index) for index, face in enumerate(thrown)]
        thrown.show(die.faces.texts)
        symbols = die.faces.symbols
        return [
            PoolDie(die.values[face - 1], thrown, index, symbols=symbols[face - 1]) for index, face in enumerate(thrown)
        ]


@limits.cached(_CACHE_SIZE)
def pool_rules(sides: int | DieFaces, modifiers: tuple[Modifier, ...]) -> tuple[DieType, PoolRules]:
    """Return the dice of a pool, and what is done with them.

    Raises:
        DiceError: no such dice can be thrown, or they would be thrown without end.
    """
    check_limits(0, 0, 1 if isinstance(sides, DieFaces) else sides)
    die = DieType(sides)
    return die, PoolRules(modifiers, die)


def keep(rules: PoolRules, dice: Sequence[PoolDie]) -> list[PoolDie]:
    """Return the dice that count, after marking those that are dropped; of equal dice the first thrown is kept."""
    live = [die for die in dice if not die.apart]
    if not rules.choices and not rules.filters:
        return live
    kept = set(rules.kept([die.value for die in live]))
    for index, die in enumerate(live):
        if index not in kept:
            die.drop()
    return [die for die in live if die.state != "dropped"]


def score(rules: PoolRules, dice: Sequence[PoolDie], counts: dict[str, int]) -> int:
    """Return what the dice that are kept come to, after marking those that are counted.

    Parameters:
        counts: how many dice are counted so far, by the name of the fact; those of the pool are added.
    """
    for count in rules.counts:
        found = [die for die in dice if count.counts(die.value)]
        counts[count.fact] = counts.get(count.fact, 0) + len(found)
        for die in found:
            die.mark(count.state)
    return sum([rules.score(die.value) for die in dice])
