"""Judging a rule by random paths through its branches, before these are counted.

If each branch of a call is as likely as the others, the product of the numbers of branches on a random path is on
average the number of all paths (Knuth, Mathematics of Computation 29, 1975).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import LimitError
from dicedocs.faults import calling_line
from dicedocs.probability.branching_dice import (
    COUNTED_FIRST,
    BranchingDice,
    Counting,
    Node,
    Uncounted,
    check_call,
    check_depth,
    largest_call,
)
from dicedocs.probability.dice_calls import FEWER_BRANCHES, CallKey, DiceCall, Each, Roll, Sweep
from dicedocs.rules.dice import SeededDice

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
    """

    __slots__ = ("_calls", "_dice", "_path", "_size", "paths")

    def __init__(self, counting: Counting) -> None:
        super().__init__(counting)
        self.paths = 0

    def measure(self, state: Any, path: Sequence[Node] = ()) -> Size:
        """Follow a random path from a state; its beginning may be given."""
        self._path = path
        self._size = 1
        self._calls: list[tuple[CallKey, int, str]] = []
        # A path that ends because a mechanic must be counted first is followed again.
        self._dice = SeededDice(self.paths)
        try:
            values = count_values(self.run(state)[1])
        except LimitError:
            # One call too many on a path that is enough says less than its branches.
            if not self._is_surely_above() or len(self._calls) < limits.DICE_CALLS.maximum:
                raise
            values = 1
        self.paths += 1
        return Size(self._size, self._size * len(self._calls), self._size * values)

    def largest(self, state: Any, path: Sequence[Node] = ()) -> str:
        """Return the hint of an error that names the dice call with the most branches on a path."""
        with suppress(Uncounted, LimitError):  # then the calls before it are those that are known
            self.measure(state, path)
        calls: dict[tuple[str, str], list[int]] = {}
        for (kind, *arguments), size, source in self._calls:
            calls.setdefault((kind(*arguments).code(), source), []).append(size)
        if not calls:
            return FEWER_BRANCHES
        (code, source), sizes = max(calls.items(), key=lambda item: max(item[1]) ** len(item[1]))
        return f"{largest_call(code, source, max(sizes), len(sizes))}; {FEWER_BRANCHES}"

    def choose(self, key: CallKey) -> Any:
        depth = len(self._calls)
        check_depth(depth)
        kind, *arguments = key
        call: DiceCall | None = None if kind in COUNTED_FIRST or kind is Sweep else kind(*arguments)
        size = len(self.branches(key).results) if call is None else check_call(call)
        self._size *= size
        self._calls.append((key, size, calling_line()))
        if depth < len(self._path):
            node = self._path[depth]
            if node.key != key:
                raise self.nondeterministic()
            return node.result
        # The faces of such dice are equally likely; and whatever follows a path that is enough need not be.
        if call is not None and (isinstance(call, Roll | Each) or self._is_surely_above()):
            return call.throw(self._dice)
        results = self.branches(key).results
        return results[self._dice.throw(1, len(results))[0] - 1]

    def _is_surely_above(self) -> bool:
        """Return whether this path is enough to refuse the rule."""
        return self._size > 2 * _SURE * limits.BRANCHES.maximum


class Evidence:
    """The evidence of random paths that a rule passes a limit.

    If it does not, the size of a path is on average no more than the limit. Then the product of
    ``(1 + size / limit) / 2`` over the paths is on average 1 at most. However much the sizes differ, it ever passes a
    number with a probability of one in that number at most (Ville's inequality).

    >>> evidence = Evidence(limits.ITEMS)
    >>> for size in (1, 8_000, 1, 24_000_000):
    ...     evidence.add(size)
    >>> evidence.is_strong, evidence.mean
    (True, 6002000)
    """

    __slots__ = ("_paths", "_product", "_sum", "limit")

    def __init__(self, limit: limits.Limit) -> None:
        self.limit = limit
        self._product = 1.0
        self._paths = self._sum = 0

    def add(self, size: int) -> None:
        """Add the size of a path, with what was counted before."""
        self._paths += 1
        self._sum += size
        # A size may be too large for a float.
        self._product *= (1 + min(size, 2 * _SURE * self.limit.maximum) / self.limit.maximum) / 2

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
        """The average size."""
        return self._sum // self._paths


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
