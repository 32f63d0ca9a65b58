"""Estimating how many branches a rule has, by random paths through them, before they are counted.

If each branch of a call is as likely as the others, the product of the numbers of branches on a random path is on
average the number of all paths (Knuth, Mathematics of Computation 29, 1975).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any, Final, NamedTuple

from dicedocs.probability.branching_dice import (
    BranchingDice,
    Facts,
    Node,
    check_call,
    largest_call,
    nondeterministic,
    source_line,
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


class Size(NamedTuple):
    """What a random path says about a rule: its branches, and the values in all their outcomes."""

    branches: int
    values: int


class Part(NamedTuple):
    """Some branches of one call, all with the same calls before them, and the sizes that random paths found below."""

    branches: int
    sizes: Sequence[int]


class SizeProbe(BranchingDice):
    """Dice that follow random paths; below a path that is being counted, if one is given."""

    __slots__ = ("_depth", "_dice", "_leave", "_listed", "_path", "_seed", "_size", "_sources", "fair")

    def __init__(self, rule: Rule[Any], played: Mapping[Rule[Any], Branches]) -> None:
        super().__init__(rule, played)
        self._seed = 0
        self._listed: dict[CallKey, Branches] = {}
        self._sources: dict[tuple[str, str], tuple[int, int]] | None = None
        self.fair = True

    def measure(self, path: Sequence[Node] = (), leave: int = -1) -> Size:
        """Follow a random path; or first a given path, until it leaves that at an index for a later branch there."""
        self._path, self._leave = path, leave
        self._depth = 0
        self._size = 1
        # A path that ends because a mechanic must be counted first is followed again.
        self._dice = SeededDice(self._seed)
        values = count_values(self.run())
        self._seed += 1
        return Size(self._size, self._size * values)

    def largest(self, path: Sequence[Node] = ()) -> str:
        """Return the hint of an error that names the dice call with the most branches on a path."""
        self._sources = {}
        self.measure(path, len(path))
        sources, self._sources = self._sources, None
        if not sources:
            return FEWER_BRANCHES
        (code, source), (size, times) = max(sources.items(), key=lambda item: item[1][0] ** item[1][1])
        return f"{largest_call(code, source, size, times)}; {FEWER_BRANCHES}"

    def choose(self, key: CallKey) -> Any:
        depth = self._depth
        self._depth += 1
        if depth <= self._leave and depth < len(self._path):
            return self._follow(self._path[depth], key, leave=depth == self._leave)
        kind, *arguments = key
        if kind is Play:
            outcomes = self.outcomes(*arguments).results
            size, result = len(outcomes), outcomes[self._index(len(outcomes))]
        else:
            call: DiceCall = kind(*arguments)
            size = check_call(call)
            result = self._throw(call, key, size)
        self._size *= size
        self._note(key, size)
        return result

    def _follow(self, node: Node, key: CallKey, *, leave: bool) -> Any:
        if node.key != key:
            raise nondeterministic(self._rule)
        results = node.branches.results
        self._note(key, len(results))
        if not leave:
            return node.result
        later = node.index + 1
        return results[later + self._index(len(results) - later)]

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
            place = (code, source_line())
            largest, times = self._sources.get(place, (0, 0))
            self._sources[place] = (max(size, largest), times + 1)


def surely_above(parts: Iterable[Part], counted: int, maximum: int, *, fair: bool) -> int:
    """Return the estimated number of branches if that is certainly above a maximum, otherwise 0.

    Parameters:
        parts: what is not counted yet.
        counted: how many branches were counted.
        maximum: the limit.
        fair: whether all branches of a call were equally likely.

    >>> surely_above([Part(6, [100] * 200)], 10, 500, fair=True)
    610
    >>> surely_above([Part(1, [1, 1, 1, 3000])], 0, 500, fair=True)
    0
    """
    mean = Fraction(counted)
    variance = Fraction(0)
    alike = True
    for branches, sizes in parts:
        number = len(sizes)
        total = sum(sizes)
        mean += Fraction(branches * total, number)
        if min(sizes) == max(sizes):
            alike = alike and number >= _ALIKE
            continue
        alike = False
        spread = number * sum(size * size for size in sizes) - total * total
        variance += Fraction(branches**2 * spread, number**2 * (number - 1))
    lowest = mean - _STANDARD_ERRORS * (isqrt(int(variance)) + 1 if variance else 0)
    margin = 1 if alike else _MARGIN if fair else _UNFAIR_MARGIN
    certain = lowest > margin * maximum or (fair and mean > _OUTLIER * maximum)
    return int(mean) if certain else 0


def count_values(facts: Facts) -> int:
    """Return how many values an outcome has, with those in its lists."""
    return sum(count_values(value) if isinstance(value, tuple) else 1 for value in facts) + 1
