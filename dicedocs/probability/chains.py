"""Chains of states: what follows each state and how often, and the probability of each end.

A state is any hashable value. A chain without circles is followed in order; a circle is a system of linear equations,
which is solved exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final, NamedTuple, cast

from dicedocs import limits
from dicedocs.errors import DiceError

_RARELY: Final = 10**30
"""A state that is reached less often than once in so many times is not followed."""
SOONER: Final = "let the rule come to an end sooner"
"""The hint where a chain goes on for too long."""


class NeverEnds(DiceError):
    """Some states only lead to one another."""


class End(NamedTuple):
    """A state in which a chain ends.

    Parameters:
        value: what it ends with.
    """

    value: Any


class Counts(NamedTuple):
    """The ways to each value.

    Parameters:
        ways: by value.
        total_ways: the ways to all values, and to what was not followed.
    """

    ways: dict[Any, int]
    total_ways: int


Edges = Mapping[Hashable, Counts]
"""The ways from each state to those that follow it."""


def explore(
    start: Hashable, follow: Callable[[Any], Generator[float, None, Counts]], edges: dict[Hashable, Counts]
) -> Generator[float, None, None]:
    """Find the edges of all states that can be reached, except of those that hardly ever are.

    Parameters:
        start: the first state.
        follow: returns the edges of one state, and yields its progress.
        edges: the edges that are known; the others are added.

    Yields:
        The progress, from 0 to 1.
    """
    level = {} if type(start) is End else {start: 1.0}
    ended = 0.0
    seen: set[Hashable] = set()
    while level:
        following: dict[Hashable, float] = {}
        for state, probability in level.items():
            if state not in edges:
                edges[state] = yield from _reported(follow(state), min(ended, 1.0) if seen else None)
            seen.add(state)
            ways, total_ways = edges[state]
            for reached, number in ways.items():
                share = probability * (number / total_ways)
                if type(reached) is End:
                    ended += share
                elif reached not in seen:
                    following[reached] = following.get(reached, 0.0) + share
            yield min(ended, 1.0)
        level = {state: probability for state, probability in following.items() if probability * _RARELY > 1}


def _reported(following: Generator[float, None, Counts], ended: float | None) -> Generator[float, None, Counts]:
    """Return what follows a state; beyond the first one, the progress is what has ended so far."""
    while True:
        try:
            part = next(following)
        except StopIteration as done:
            return cast("Counts", done.value)
        yield part if ended is None else ended


def ends(start: Hashable, edges: Edges) -> Counts:
    """Return the ways to each end of a chain.

    Raises:
        NeverEnds: a circle of states has no end.
        LimitError: a circle has more states than ``CIRCLE``.

    >>> ends("again", {"again": Counts({"again": 1, End("heads"): 1}, 2)})
    Counts(ways={'heads': 1}, total_ways=1)
    """
    if type(start) is End:
        return Counts({start.value: 1}, 1)
    if all(type(state) is End for state in edges[start].ways):
        return Counts({end.value: ways for end, ways in edges[start].ways.items()}, edges[start].total_ways)
    reached: dict[Hashable, _Sum] = {start: _Sum(1)}
    found: dict[Any, _Sum] = {}
    for group in _groups(start, edges):
        inside = frozenset(group)
        for state, visits in _visits(group, edges, [reached.pop(state, _Sum()).fraction() for state in group]):
            ways, total_ways = edges[state]
            for following, number in ways.items():
                if following not in inside:
                    sums, key = (found, following.value) if type(following) is End else (reached, following)
                    sums.setdefault(key, _Sum()).add(visits.numerator * number, visits.denominator * total_ways)
    shares = {value: one.fraction() for value, one in found.items()}
    common = lcm(*(share.denominator for share in shares.values()))
    return Counts({value: share.numerator * (common // share.denominator) for value, share in shares.items()}, common)


def ends_by_round(start: Hashable, edges: Edges) -> Counts:
    """Return the ways to each end of a chain together with the number of steps to it, as pairs.

    Raises:
        NeverEnds, LimitError: as for :func:`ends`, or there are more steps than ``ROUNDS``.

    >>> ends_by_round("toss", {"toss": Counts({End("heads"): 1, "again": 1}, 2), "again": Counts({End("heads"): 1}, 1)})
    Counts(ways={(1, 'heads'): 2, (2, 'heads'): 2}, total_ways=4)
    """
    if type(start) is End:
        return Counts({(0, start.value): 1}, 1)
    for group in _groups(start, edges):
        _check_circle(group, edges)
    per_round = lcm(*(one.total_ways for one in edges.values()))
    level = {start: 1}
    total_ways = 1
    found: list[dict[Any, int]] = []
    while sum(level.values()) * _RARELY > total_ways:
        limits.ROUNDS.check(len(found) + 1, hint=SOONER)
        total_ways *= per_round
        limits.DENOMINATOR.check(total_ways.bit_length(), hint=SOONER)
        following: dict[Hashable, int] = {}
        ended: dict[Any, int] = {}
        for state, number in level.items():
            ways, of = edges[state]
            for reached, count in ways.items():
                share = number * count * (per_round // of)
                if type(reached) is End:
                    ended[reached.value] = ended.get(reached.value, 0) + share
                elif reached in edges:
                    following[reached] = following.get(reached, 0) + share
        found.append(ended)
        level = following
    limits.COUNT_BITS.check(total_ways.bit_length() * sum(map(len, found)), hint=SOONER)
    rounds = len(found)
    return Counts(
        {
            (after, value): ways * per_round ** (rounds - after)
            for after, ended in enumerate(found, 1)
            for value, ways in ended.items()
        },
        total_ways,
    )


class _Sum:
    """A sum of fractions, which are kept by their denominators until it is asked for."""

    __slots__ = ("_numerators",)

    def __init__(self, number: int = 0) -> None:
        self._numerators = {1: number}

    def add(self, numerator: int, denominator: int) -> None:
        self._numerators[denominator] = self._numerators.get(denominator, 0) + numerator

    def fraction(self) -> Fraction:
        common = lcm(*self._numerators)
        return Fraction(sum(one * (common // other) for other, one in self._numerators.items()), common)


def _visits(group: Sequence[Hashable], edges: Edges, begun: Sequence[Fraction]) -> Iterable[tuple[Hashable, Fraction]]:
    """Return the states of a group with the average number of visits, given how often the group is entered at each.

    It is the solution of ``visits = begun + visits * edges``, by elimination.
    """
    position = {state: index for index, state in enumerate(group)}
    _check_circle(group, edges)
    rows: list[dict[int, Fraction]] = [{index: Fraction(1)} for index in range(len(group))]
    for state, column in position.items():
        ways, total_ways = edges[state]
        for following, number in ways.items():
            row = position.get(following)
            if row is not None:
                rows[row][column] = rows[row].get(column, Fraction(0)) - Fraction(number, total_ways)
    visits = list(begun)
    for index, pivot in enumerate(rows):
        for below in range(index + 1, len(rows)):
            factor = rows[below].pop(index, None)
            if factor is not None:
                factor /= pivot[index]
                for column, value in pivot.items():
                    if column > index:
                        rows[below][column] = rows[below].get(column, Fraction(0)) - factor * value
                visits[below] -= factor * visits[index]
    for index in reversed(range(len(rows))):
        known = sum((value * visits[column] for column, value in rows[index].items() if column > index), Fraction(0))
        visits[index] = (visits[index] - known) / rows[index][index]
    return zip(group, visits, strict=True)


def _check_circle(group: Sequence[Hashable], edges: Edges) -> None:
    """Raise an error for states that lead to one another if nothing else follows, or if they are too many."""
    inside = frozenset(group)
    if all(following in inside for state in group for following in edges[state].ways):
        raise NeverEnds("the rule never ends: from some state on it only repeats itself", hint=SOONER)
    limits.CIRCLE.check(len(group), hint=SOONER)


def _groups(start: Hashable, edges: Edges) -> list[list[Hashable]]:
    """Return the states in groups of those that lead to one another, each group before those that follow it.

    This is Tarjan's algorithm (SIAM Journal on Computing 1, 1972) without recursion.
    """
    order = {start: 0}
    earliest = {start: 0}
    open_states = [start]
    is_open = {start}
    groups: list[list[Hashable]] = []
    path = [(start, _following(start, edges))]
    while path:
        state, following = path[-1]
        for reached in following:
            if reached not in order:
                order[reached] = earliest[reached] = len(order)
                open_states.append(reached)
                is_open.add(reached)
                path.append((reached, _following(reached, edges)))
                break
            if reached in is_open:
                earliest[state] = min(earliest[state], order[reached])
        else:
            path.pop()
            if path:
                before = path[-1][0]
                earliest[before] = min(earliest[before], earliest[state])
            if earliest[state] == order[state]:
                group: list[Hashable] = []
                while not group or group[-1] != state:
                    group.append(open_states.pop())
                    is_open.discard(group[-1])
                groups.append(group)
    return groups[::-1]


def _following(state: Hashable, edges: Edges) -> Iterator[Hashable]:
    return iter([following for following in edges[state].ways if following in edges])
