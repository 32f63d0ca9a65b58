"""The dice of one play of a tree of the full notation: thrown, kept, counted, and told in the working."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from dicedocs.expression.modifiers import Handling
from dicedocs.expression.pool_dice import PoolDie, Table
from dicedocs.rules.dice import Dice
from dicedocs.rules.steps import Say
from dicedocs.translation import mark


class Whole(NamedTuple):
    """A pool or a set whose dice are counted or added up.

    Parameters:
        label: how the working names it.
        told: whether it has a line of the working.
        of_dice: whether it consists of dice, and not of other values.
    """

    label: str
    told: bool
    of_dice: bool = True


class Part(NamedTuple):
    """A die that is kept of a sum of dice, with the sign of what it adds and the modifiers that tell what it adds."""

    sign: int
    handling: Handling
    die: PoolDie


class Merged(NamedTuple):
    """All dice of a sum.

    Parameters:
        handlings: the modifiers: those of the whole first, then those of its parts.
        dice: all dice that were thrown.
        kept: those that are kept.
        constant: what is added to the dice.
    """

    handlings: tuple[Handling, ...]
    dice: list[PoolDie]
    kept: list[Part]
    constant: int = 0


class PlayedDice(Table):
    """The dice of one play, and what is noted of them while the compiled tree runs.

    Parameters:
        dice: where they come from.
        say: where the working goes.

    Attributes:
        counts: how many dice succeeded, failed, and showed a critical face, by the name of the fact; a fact that
            is not asked for is missing.
        kept: what each die counts that is kept of dice with modifiers; ``None`` where no dice have any.
        labelled: the sum of the values with each label.
        shown: the numbers that stand in the working in place of dice, references and sets, from left to right.
    """

    __slots__ = ("_say", "_told", "counts", "kept", "labelled", "shown")

    def __init__(self, dice: Dice, say: Say) -> None:
        super().__init__(dice)
        self._say = say
        self._told = False
        self.counts: dict[str, int] = {}
        self.kept: list[int] | None = None
        self.labelled: dict[str, int] = {}
        self.shown: list[int] = []

    def label(self, labels: Iterable[str], amount: int) -> None:
        """Note a value that has labels."""
        for label in labels:
            self.labelled[label] = self.labelled.get(label, 0) + amount

    def conclude(self, notation: str, rolled: str, value: int) -> None:
        """Record the last lines of the working of a whole tree.

        Parameters:
            notation: the tree as text.
            rolled: the text with a ``%d`` in place of each of the numbers that were shown.
        """
        text = rolled % tuple(self.shown)
        self.shown.clear()
        if text != str(value) or not self._told:
            text = self._say.rewrite("Roll", notation, text)
            self._say.rewrite(mark("Calculate"), text, str(value))
        for label, amount in self.labelled.items():
            self._say.fact(label.capitalize(), amount)

    def count(self, handling: Handling, dice: Sequence[PoolDie]) -> int:
        """Count the dice that are kept of a pool or a set, and return what they come to."""
        for name, test, state in handling.counters:
            found = self.counts.get(name, 0)
            for die in dice:
                if test(die.value):
                    found += 1
                    die.mark(state)
            self.counts[name] = found
        if handling.success is None:
            return sum([die.value for die in dice])
        return sum([handling.contribution(die.value) for die in dice])

    def count_merged(self, merged: Merged) -> int:
        """Count the dice that are kept of a sum of dice, and return what they come to."""
        for handling in merged.handlings:
            self.count(handling, ())
        return merged.constant + sum([sign * self.count(handling, (die,)) for sign, handling, die in merged.kept])

    def finish(
        self, value: int, handling: Handling, dice: Sequence[PoolDie], kept: Sequence[PoolDie], whole: Whole
    ) -> int:
        """Note what became of the dice of a whole, and return its value."""
        if self._say and whole.told:
            self._told = True
            shown = [die for die in dice if not die.apart or die.state == "rerolled"]
            if handling.order:
                shown.sort(key=_value, reverse=handling.order == "d")
            self._say.fact(whole.label, value, *[(die.state, die.word or die.value) for die in shown])
        if whole.of_dice:
            self.kept = [*(self.kept or ()), *[die.value for die in kept]]
        for die in kept:
            if die.word:
                self.label((die.word,), 1)
        return value


def _value(die: PoolDie) -> int:
    return die.value


PlayedThrow = Callable[[PlayedDice, tuple[int, ...]], Merged]
"""A function of the dice of a play and the values of the references that throws a term of a sum of dice."""
