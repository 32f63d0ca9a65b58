"""The calls that a rule makes of its dice, as data: how many results each can have, which, and in how many ways."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, product
from math import prod
from typing import Any, Final, NamedTuple, Protocol

from dicedocs import limits
from dicedocs.probability.combinatorics import check_dice, count_multisets, count_tallies, kept_sums, multisets, tallies
from dicedocs.rules.dice import Dice, Keep, Rule
from dicedocs.rules.record import Faces

FEWER_BRANCHES: Final = "throw fewer dice, compute the odds in distribution(), or take samples: estimate(...)"
"""The hint where there are too many branches."""
_MAX_RUNS: Final = 4
"""Runs of equal dice that the code of a call shows."""


class Branches(NamedTuple):
    """The possible results of a dice call.

    Parameters:
        results: the distinct results.
        ways: the number of ways to each.
        total_ways: the sum of all ways.
    """

    results: Sequence[Any]
    ways: Sequence[int]
    total_ways: int


class DiceCall(Protocol):
    """A call of the dice; two with the same arguments are equal."""

    def size(self) -> int:
        """Return the number of branches, without building them; refuse impossible dice."""

    def branches(self) -> Branches:
        """Return the branches."""

    def throw(self, dice: Dice) -> Any:
        """Make the call."""

    def code(self) -> str:
        """Return the call as Python code, for an error."""


def _listed_code(method: str, sides: Sequence[int], keep: Keep | None = None) -> str:
    runs = [(side, len(list(run))) for side, run in groupby(sides)]
    arguments = [f"*[{side}] * {number}" if number > 2 else ", ".join([str(side)] * number) for side, number in runs]
    shown = [*arguments[:_MAX_RUNS], *(["..."] if len(arguments) > _MAX_RUNS else []), *_keep_code(keep)]
    return f"dice.{method}({', '.join(shown)})"


def _keep_code(keep: Keep | None) -> list[str]:
    return [f"keep={'highest' if keep.high else 'lowest'}({keep.number})"] if keep else []


class Roll(NamedTuple):
    """One die."""

    sides: int

    def size(self) -> int:
        check_dice(1, (self.sides,))
        return self.sides

    def branches(self) -> Branches:
        return Branches(range(1, self.sides + 1), [1] * self.sides, self.sides)

    def throw(self, dice: Dice) -> int:
        return dice.roll(self.sides)

    def code(self) -> str:
        return f"dice.roll({self.sides})"


class Each(NamedTuple):
    """Dice in the order thrown."""

    sides: tuple[int, ...]

    def size(self) -> int:
        check_dice(len(self.sides), self.sides)
        size = prod(self.sides)
        if size <= limits.BRANCHES.maximum:
            limits.VALUES.check(size * len(self.sides), hint=FEWER_BRANCHES)
        return size

    def branches(self) -> Branches:
        results = [Faces(faces) for faces in product(*[range(1, side + 1) for side in self.sides])]
        return Branches(results, [1] * len(results), len(results))

    def throw(self, dice: Dice) -> Faces:
        return dice.each(*self.sides)

    def code(self) -> str:
        return _listed_code("each", self.sides)


class Pool(NamedTuple):
    """The sorted faces of dice, or of those that are kept."""

    sides: tuple[int, ...]
    keep: Keep | None

    def size(self) -> int:
        check_dice(len(self.sides), self.sides)
        return count_multisets(self.sides, self.keep)

    def branches(self) -> Branches:
        counted = list(multisets(self.sides, self.keep))
        return Branches([Faces(faces) for faces, _ in counted], [ways for _, ways in counted], prod(self.sides))

    def throw(self, dice: Dice) -> Faces:
        return dice.pool(*self.sides, keep=self.keep)

    def code(self) -> str:
        return _listed_code("pool", self.sides, self.keep)


class Total(NamedTuple):
    """The sum of equal dice, or of those that are kept."""

    dice: int
    sides: int
    keep: Keep | None

    def size(self) -> int:
        check_dice(self.dice, (self.sides,))
        number = self.dice if self.keep is None else min(self.keep.number, self.dice)
        return number * (self.sides - 1) + 1

    def branches(self) -> Branches:
        low, ways = kept_sums((self.sides,) * self.dice, self.keep)
        return Branches(range(low, low + len(ways)), ways, self.sides**self.dice)

    def throw(self, dice: Dice) -> int:
        return dice.total(self.dice, self.sides, keep=self.keep)

    def code(self) -> str:
        return f"dice.total({', '.join([str(self.dice), str(self.sides), *_keep_code(self.keep)])})"


class Tally(NamedTuple):
    """How many of equal dice fall in each class of faces."""

    dice: int
    sides: int
    classes: tuple[tuple[int, ...], ...]

    def size(self) -> int:
        check_dice(self.dice, (self.sides,))
        return count_tallies(self.dice, self.sides, self.classes)

    def branches(self) -> Branches:
        counted = list(tallies(self.dice, self.sides, self.classes))
        results = [tally[0] if len(self.classes) == 1 else tally for tally, _ in counted]
        return Branches(results, [ways for _, ways in counted], self.sides**self.dice)

    def throw(self, dice: Dice) -> int | tuple[int, ...]:
        return dice.tally(self.dice, self.sides, *self.classes)

    def code(self) -> str:
        return f"dice.tally({self.dice}, {self.sides}, ...)"


class Play(NamedTuple):
    """A mechanic that is played; its branches are its distinct outcomes, which are counted first.

    Parameters:
        rule: the mechanic.
        taken: the values of its first fact with which it is played again.
    """

    rule: Rule[Any]
    taken: frozenset[object] = frozenset()


CallKey = tuple[Any, ...]
"""A dice call that is not built yet: its class, then its arguments. It is compared faster than the call itself."""
