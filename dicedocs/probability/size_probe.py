"""Judging a rule by random paths through its branches, before these are counted.

If each branch of a call is as likely as the others, the product of the numbers of branches on a random path is on
average the number of all paths (Knuth, Mathematics of Computation 29, 1975).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.probability.branching_dice import BranchingDice, Call, Counting, check_depth
from dicedocs.probability.dice_calls import CallKey, Each, Roll
from dicedocs.rules.seeds import SeededDice

_SURE: Final = 10_000
"""Of so many rules within a limit, random paths refuse one at most."""
_TEXT_OF_A_VALUE: Final = 32
"""So many characters of a text, or bytes of a number, need about as much memory as a short value."""


class Size(NamedTuple):
    """What a random path says about a rule: its branches, the dice calls on all of them, the values in all outcomes."""

    branches: int
    calls: int
    values: int


class SizeProbe(BranchingDice):
    """Dice that follow random paths.

    Attributes:
        paths: how many were followed.
        path: the calls of the last one, as far as it went.
    """

    __slots__ = ("_dice", "_size", "path", "paths")

    def __init__(self, counting: Counting) -> None:
        super().__init__(counting)
        self.paths = 0
        self.path: list[Call] = []

    def measure(self, state: Any) -> Size:
        """Follow a random path from a state."""
        self._size = 1
        self.path = []
        # A path that ends because a mechanic must be counted first is followed again.
        self._dice = SeededDice(self.paths)
        try:
            values = count_values(self.run(state)[1])
        except _Enough:
            values = 1
        self.paths += 1
        return Size(self._size, self._size * len(self.path), self._size * values)

    def branch(self, key: CallKey) -> Any:
        check_depth(len(self.path))
        size = self.size(key)
        limits.BRANCHES.check(size)
        self._size *= size
        if self._size > 2 * _SURE * limits.BRANCHES.maximum:
            raise _Enough
        kind, *sides = key
        result: Any
        # Of these, all faces are equally likely; there may be too many to list.
        if kind is Roll:
            result = self._dice.roll(*sides)
        elif kind is Each:
            result = self._dice.each(*sides[0])
        else:
            results = self.branches(key).results
            result = results[self._dice.throw(1, len(results))[0] - 1]
        self.path.append(Call(key, result))
        return result


class _Enough(BaseException):
    """Raised where a path is enough to refuse the rule; no rule's ``except Exception`` may catch it."""


class Evidence:
    """The evidence of random paths that a rule passes a limit, given what was counted before.

    If it does not, the size of a path is on average no more than what is left of the limit. Then the product of
    ``(1 + size / left) / 2`` over the paths is on average 1 at most. However much the sizes differ, it ever passes a
    number with a probability of one in that number at most (Ville's inequality).

    >>> evidence = Evidence(limits.ITEMS)
    >>> for size in (1, 8_000, 1, 24_000_000):
    ...     evidence.add(size)
    >>> evidence.is_strong, evidence.mean
    (True, 6002000)
    """

    __slots__ = ("_before", "_left", "_paths", "_product", "_sum", "limit")

    def __init__(self, limit: limits.Limit, before: int = 0) -> None:
        self.limit = limit
        self._before = before
        self._left = max(1, limit.maximum - before)
        self._product = 1.0
        self._paths = self._sum = 0

    def add(self, size: int) -> None:
        """Add the size of a path."""
        self._paths += 1
        self._sum += size
        # A size may be too large for a float.
        self._product *= (1 + min(size, 2 * _SURE * self._left) / self._left) / 2

    @property
    def is_strong(self) -> bool:
        """Whether it is enough to refuse the rule."""
        return self._product > _SURE

    @property
    def is_open(self) -> bool:
        """Whether more paths may make it strong."""
        return self._product > 1 / _SURE

    @property
    def mean(self) -> int:
        """The average size, with what was counted before."""
        return self._before + self._sum // self._paths


def count_values(state: Any) -> int:
    """Return how many values facts or a state have, with those in lists; a long text or number counts as several.

    >>> count_values((5, (4, 2), "x" * 100))
    9
    """
    values = 1
    for value in state if isinstance(state, tuple) else ():
        if isinstance(value, int):
            values += 1 + value.bit_length() // (8 * _TEXT_OF_A_VALUE)
        elif isinstance(value, tuple):
            values += count_values(value)
        elif isinstance(value, str):
            values += 1 + len(value) // _TEXT_OF_A_VALUE
        else:
            values += 1
    return values
