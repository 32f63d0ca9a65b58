"""Estimating how many branches a rule has, by random paths through them, before they are counted.

If each branch of a call is as likely as the others, the product of the numbers of branches on a random path is on
average the number of all paths (Knuth, Mathematics of Computation 29, 1975).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import isqrt
from typing import Any, Final, NamedTuple

from dicedocs.faults import calling_line
from dicedocs.probability.branching_dice import (
    BranchingDice,
    Facts,
    Node,
    UncountedPlay,
    check_call,
    largest_call,
    nondeterministic,
)
from dicedocs.probability.dice_calls import FEWER_BRANCHES, Branches, CallKey, DiceCall, Each, Play, Roll
from dicedocs.rules.dice import Rule, SeededDice

_LISTED: Final = 4_000
"""Up to this many branches of a call are listed, so that each of them is equally likely."""
_CACHED_CALLS: Final = 64
"""Calls whose branches are kept."""
_STANDARD_ERRORS: Final = 4
"""How far below the mean the number of branches may be."""
_MARGIN: Final = Fraction(21, 20)
"""How far above the limit an estimate must be, since a random path may have missed a small part of the rule."""
_UNFAIR_MARGIN: Final = 4
"""The same where the branches of a call were not equally likely."""
_OUTLIER: Final = 1_000
"""A mean so many times above the limit is certain by Markov's inequality, however much the sizes differ."""
_ALIKE: Final = 200
"""Paths of the same size after which that size counts as certain."""
_TEXT_OF_A_VALUE: Final = 32
"""So many characters of a text, or bytes of a number, need about as much memory as a short value."""


class Size(NamedTuple):
    """What a random path says about a rule: its branches, the dice calls on all of them, the values in all outcomes."""

    branches: int
    calls: int
    values: int


class _CountedDice(SeededDice):
    """Dice that know how many were thrown."""

    __slots__ = ("thrown",)

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.thrown = 0

    def throw(self, count: int, sides: int) -> list[int]:
        self.thrown += count
        return super().throw(count, sides)


class SizeProbe(BranchingDice):
    """Dice that follow random paths.

    Attributes:
        thrown: how many dice were thrown on all these paths, one at least for each call.
        fair: whether all branches of each call were equally likely.
    """

    __slots__ = ("_depth", "_dice", "_listed", "_path", "_seed", "_size", "_sources", "fair", "thrown")

    def __init__(self, rule: Rule[Any], played: Mapping[Rule[Any], Branches]) -> None:
        super().__init__(rule, played)
        self._seed = 0
        self._listed: dict[CallKey, Branches] = {}
        self._sources: dict[tuple[str, str], tuple[int, int]] | None = None
        self.thrown = 0
        self.fair = True

    def measure(self, path: Sequence[Node] = ()) -> Size:
        """Follow a random path, whose beginning may be given."""
        self._path = path
        self._depth = 0
        self._size = 1
        # A path that ends because a mechanic must be counted first is followed again.
        self._dice = _CountedDice(self._seed)
        values = count_values(self.run())
        self._seed += 1
        self.thrown += self._dice.thrown
        return Size(self._size, self._size * self._depth, self._size * values)

    def largest(self, path: Sequence[Node] = ()) -> str:
        """Return the hint of an error that names the dice call with the most branches on a path."""
        self._sources = {}
        with suppress(UncountedPlay):  # then the calls before it are those that are known
            self.measure(path)
        sources, self._sources = self._sources, None
        if not sources:
            return FEWER_BRANCHES
        (code, source), (size, times) = max(sources.items(), key=lambda item: item[1][0] ** item[1][1])
        return f"{largest_call(code, source, size, times)}; {FEWER_BRANCHES}"

    def choose(self, key: CallKey) -> Any:
        depth = self._depth
        self._depth += 1
        kind, *arguments = key
        if depth < len(self._path):
            node = self._path[depth]
            if node.key != key:
                raise nondeterministic(self._rule)
            size, result = len(node.branches.results), node.result
        elif kind is Play:
            outcomes = self.outcomes(*arguments).results
            size, result = len(outcomes), outcomes[self._index(len(outcomes))]
        else:
            call: DiceCall = kind(*arguments)
            size = check_call(call)
            result = self._throw(call, key, size)
        self._size *= size
        self._note(key, size)
        return result

    def _throw(self, call: DiceCall, key: CallKey, size: int) -> Any:
        if isinstance(call, Roll | Each):
            return call.throw(self._dice)
        branches = self._listed.get(key)
        if branches is None:
            if size > _LISTED or len(self._listed) >= _CACHED_CALLS:
                self.fair = False
                return call.throw(self._dice)
            branches = self._listed[key] = call.branches()
        return branches.results[self._index(len(branches.results))]

    def _index(self, number: int) -> int:
        return self._dice.throw(1, number)[0] - 1

    def _note(self, key: CallKey, size: int) -> None:
        if self._sources is not None:
            kind, *arguments = key
            code = f"dice.play({type(arguments[0]).__qualname__})" if kind is Play else kind(*arguments).code()
            place = (code, calling_line())
            largest, times = self._sources.get(place, (0, 0))
            self._sources[place] = (max(size, largest), times + 1)


def surely_above(sizes: Sequence[int], counted: int, maximum: int, *, fair: bool) -> int:
    """Return the estimated number of branches if that is certainly above a maximum, otherwise 0.

    Parameters:
        sizes: what random paths said.
        counted: how many branches were counted before.
        maximum: the limit.
        fair: whether all branches of a call were equally likely.

    >>> surely_above([600] * 200, 10, 500, fair=True)
    610
    >>> surely_above([1, 1, 1, 3000], 0, 500, fair=True)
    0
    """
    number, total = len(sizes), sum(sizes)
    mean = counted + Fraction(total, number)
    alike = min(sizes) == max(sizes)
    spread = number * sum(size * size for size in sizes) - total * total
    deviation = 0 if alike else isqrt(spread // (number**2 * (number - 1))) + 1
    margin = 1 if alike and number >= _ALIKE else _MARGIN if fair else _UNFAIR_MARGIN
    certain = mean - _STANDARD_ERRORS * deviation > margin * maximum or (fair and mean > _OUTLIER * maximum)
    return int(mean) if certain else 0


def count_values(facts: Facts) -> int:
    """Return how many values an outcome has, with those in its lists; a long text or number counts as several.

    >>> count_values((5, (4, 2), "x" * 100))
    9
    """
    values = 1
    for value in facts:
        if isinstance(value, int):
            values += 1 + value.bit_length() // (8 * _TEXT_OF_A_VALUE)
        elif isinstance(value, tuple):
            values += count_values(value)
        elif isinstance(value, str):
            values += 1 + len(value) // _TEXT_OF_A_VALUE
        else:
            values += 1
    return values
