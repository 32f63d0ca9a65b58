"""Chains of states: what follows each state and how often, and the probability of each end.

A state is any hashable value. A chain without circles is followed in order; a circle is a system of linear equations,
which is solved exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, repeat
from math import gcd, lcm
from operator import mul
from typing import Any, Final, NamedTuple, cast

from dicedocs import limits
from dicedocs.errors import DiceError, quoted

_RARELY: Final = 10**30
"""A state that is reached less often than once in so many times is not followed."""
_SOONER: Final = "make the rule end sooner, or take samples: estimate(...)"


class NeverEnds(DiceError):
    """Some states only lead to one another."""


class Counts(NamedTuple):
    """The ways to each value.

    Parameters:
        ways: by value.
        total_ways: the ways to all values, and to what was not followed.
    """

    ways: dict[Any, int]
    total_ways: int


class Following(NamedTuple):
    """What follows a state.

    Parameters:
        ends: the ways to each end, by its value.
        states: the ways to each other state.
        total_ways: the ways to all of them, and to what was not followed.
    """

    ends: dict[Any, int]
    states: dict[Hashable, int]
    total_ways: int


class Ways:
    """The ways to what follows a state, as they are found, over whatever denominators."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[int, tuple[dict[Any, int], dict[Hashable, int]]] = {}

    def add(self, ended: bool, value: Any, ways: int, total_ways: int, _path: object = None) -> None:
        """Add the ways to an end, or to another state, by whatever path."""
        same_total = self._found.get(total_ways)
        if same_total is None:
            same_total = self._found[total_ways] = {}, {}
        group = same_total[not ended]
        group[value] = group.get(value, 0) + ways

    def following(self, *others: int) -> Following:
        """Return them over one denominator, a multiple of some others."""
        common = lcm(*self._found, *others)
        following = Following({}, {}, common)
        for denominator, groups in self._found.items():
            factor = common // denominator
            for total, group in zip(following[:2], groups, strict=True):
                for value, ways in group.items():
                    total[value] = total.get(value, 0) + ways * factor
        return following


Edges = Mapping[Hashable, Following]
"""What follows each state."""


def explore(
    start: Hashable, follow: Callable[[Any], Generator[float, None, Following]], edges: dict[Hashable, Following]
) -> Generator[float, None, None]:
    """Find what follows all states that can be reached, except those that hardly ever are.

    Each state passes its probability on to those that follow it, in the order in which they were found, and again what
    comes back to it: a state that is rare at first may be common later. This ends when nothing is passed on, or when
    states have only passed it round among themselves for a while.

    Parameters:
        start: the first state.
        follow: returns what follows a state, and yields its progress.
        edges: what is known; the rest is added.

    Yields:
        The progress, from 0 to 1: of the first state, then the probability of having ended.
    """
    if start not in edges:
        edges[start] = yield from follow(start)
    found = [start]
    arrived = {start: 1.0}
    seen: set[Hashable] = set()
    ended = 0.0
    turns = 0
    is_moving = True
    while is_moving and len(seen) < len(found) and turns <= len(seen):
        turns += 1
        is_moving = False
        for state in found:  # which grows
            probability = arrived[state]
            if probability * _RARELY <= 1:
                continue
            is_moving = True
            if state not in seen:
                if state not in edges:
                    edges[state] = yield from _silent(follow(state), min(ended, 1.0))
                seen.add(state)
                turns = 0
            arrived[state] = 0.0
            ends, states, total_ways = edges[state]
            ended += probability * (sum(ends.values()) / total_ways)
            for reached, ways in states.items():
                if reached not in arrived:
                    found.append(reached)
                arrived[reached] = arrived.get(reached, 0.0) + probability * (ways / total_ways)


def _silent(following: Generator[float, None, Following], progress: float) -> Generator[float, None, Following]:
    """Return what follows a state, with this progress in place of its own."""
    while True:
        try:
            next(following)
        except StopIteration as done:
            return cast("Following", done.value)
        yield progress


def ends(start: Hashable, edges: Edges) -> Counts:
    """Return the ways to each end of a chain.

    Raises:
        NeverEnds: a circle of states has no end, or no end is likely enough to be followed.
        LimitError: a circle has more states than ``CHAIN``.

    >>> ends("toss", {"toss": Following({"heads": 1}, {"toss": 1}, 2)})
    Counts(ways={'heads': 1}, total_ways=1)
    """
    if not edges[start].states:
        return Counts(edges[start].ends, edges[start].total_ways)
    reached: dict[Hashable, _Sum] = {start: _Sum(1)}
    found: dict[Any, _Sum] = {}
    for group in groups_of(start, edges):
        inside = frozenset(group)
        for state, visits in _visits(group, edges, [reached.pop(state, _Sum()).fraction() for state in group]):
            ended, states, total_ways = edges[state]
            denominator = visits.denominator * total_ways
            for value, ways in ended.items():
                found.setdefault(value, _Sum()).add(visits.numerator * ways, denominator)
            for following, ways in states.items():
                if following not in inside:
                    reached.setdefault(following, _Sum()).add(visits.numerator * ways, denominator)
    _check_ends(found)
    shares = {value: one.fraction() for value, one in found.items()}
    common = lcm(*(share.denominator for share in shares.values()))
    return Counts({value: share.numerator * (common // share.denominator) for value, share in shares.items()}, common)


def ends_by_round(start: Hashable, edges: Edges) -> Counts:
    """Return the ways to each end of a chain together with the number of steps to it, as pairs.

    Raises:
        NeverEnds, LimitError: as for :func:`ends`, or the counts have more bits than ``DENOMINATOR`` or
            ``COUNT_BITS``.

    >>> edges = {"toss": Following({"heads": 1}, {"again": 1}, 2), "again": Following({"heads": 1}, {}, 1)}
    >>> ends_by_round("toss", edges)
    Counts(ways={(1, 'heads'): 2, (2, 'heads'): 2}, total_ways=4)
    """
    for group in groups_of(start, edges):
        check_circle(group, edges)
    return ends_of_rounds(start, repeat(edges), edges)


def ends_of_rounds(start: Hashable, rounds: Iterator[Edges], followed: Container[Hashable]) -> Counts:
    """Return what :func:`ends_by_round` does, where in each round another thing may follow a state.

    Parameters:
        start: the first state.
        rounds: for each round what follows the states that are reached then.
        followed: all states that are followed.
    """
    level = {start: 1}
    total_ways = 1
    values = 0
    found: list[dict[Any, int]] = []
    factors: list[int] = []
    while sum(level.values()) * _RARELY > total_ways:
        edges = next(rounds)
        per_round = lcm(*(one.total_ways for one in edges.values()))
        factors.append(per_round)
        total_ways *= per_round
        limits.DENOMINATOR.check(total_ways.bit_length(), hint=_SOONER)
        limits.COUNT_BITS.check(total_ways.bit_length() * values, hint=_SOONER)
        following: dict[Hashable, int] = {}
        ended: dict[Any, int] = {}
        for state, visits in level.items():
            number = visits * (per_round // edges[state].total_ways)
            for value, ways in edges[state].ends.items():
                ended[value] = ended.get(value, 0) + number * ways
            for reached, ways in edges[state].states.items():
                if reached in followed:
                    following[reached] = following.get(reached, 0) + number * ways
        found.append(ended)
        values += len(ended)
        level = following
    _check_ends(any(found))
    later = [*accumulate(reversed(factors[1:]), mul, initial=1)][::-1]
    return Counts(
        {
            (number, value): ways * factor
            for number, (ended, factor) in enumerate(zip(found, later, strict=True), 1)
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

    The visits of a state, divided by the ways from it, are the unknowns of equations with whole numbers: as many ways
    lead to each state, with what was entered there, as lead from it. They are solved by elimination.
    """
    check_circle(group, edges)
    position = {state: index for index, state in enumerate(group)}
    common = lcm(*(entered.denominator for entered in begun))
    constants = [entered.numerator * (common // entered.denominator) for entered in begun]
    rows = [{index: edges[state].total_ways} for index, state in enumerate(group)]
    for state, column in position.items():
        for following, ways in edges[state].states.items():
            row = position.get(following)
            if row is not None:
                rows[row][column] = rows[row].get(column, 0) - ways
    solved = solve_equations(rows, constants)
    for state, index in position.items():
        yield state, solved[index] * edges[state].total_ways / common


def solve_equations(rows: Sequence[dict[int, int]], constants: list[int]) -> list[Fraction]:
    """Return the unknowns of linear equations with whole numbers, which are used up; the diagonal has no 0.

    Parameters:
        rows: for each equation the factors by the index of their unknown.
        constants: what each equation comes to.

    >>> solve_equations([{0: 2, 1: -1}, {0: -1, 1: 1}], [1, 2])
    [Fraction(3, 1), Fraction(5, 1)]
    """
    for index, pivot in enumerate(rows):
        for below in range(index + 1, len(rows)):
            if index in rows[below]:
                constants[below] = _eliminate(index, pivot, constants[index], rows[below], constants[below])
    solved = [Fraction(0)] * len(rows)
    for index in reversed(range(len(rows))):
        known = sum((value * solved[column] for column, value in rows[index].items() if column != index), Fraction(0))
        solved[index] = (constants[index] - known) / rows[index][index]
    return solved


def _eliminate(column: int, pivot: Mapping[int, int], constant: int, row: dict[int, int], of_row: int) -> int:
    """Remove a column from a row by the row of its pivot, keep its numbers small, and return its constant."""
    removed = row.pop(column)
    divisor = gcd(removed, pivot[column])
    times, less = pivot[column] // divisor, removed // divisor
    for each in row:
        row[each] *= times
    for each, value in pivot.items():
        if each != column:
            row[each] = row.get(each, 0) - less * value
    of_row = times * of_row - less * constant
    divisor = gcd(of_row, *row.values())
    for each in row:
        row[each] //= divisor
    return of_row // divisor


def is_circle(group: Sequence[Hashable], edges: Edges) -> bool:
    """Return whether the states of a group lead back to themselves, so that there is no end of paths."""
    return len(group) > 1 or group[0] in edges[group[0]].states


def check_circle(group: Sequence[Hashable], edges: Edges, otherwise: str = "take samples: estimate(...), ") -> None:
    """Raise an error for states that lead to one another if nothing else follows, or if they are too many.

    Parameters:
        group: the states.
        edges: what follows each of them.
        otherwise: what can be done about too many, besides raising the limit.
    """
    inside = frozenset(group)
    if all(not edges[state].ends and edges[state].states.keys() <= inside for state in group):
        raise NeverEnds(f"no end follows {quoted(group[0])}", hint="make sure the rule can end from there")
    limits.CHAIN.check(len(group), hint=f"let a state hold fewer values, {otherwise}{limits.RAISE}")


def _check_ends(found: object) -> None:
    """Raise an error if no end was found in all the states that are followed."""
    if not found:
        raise NeverEnds("the rule hardly ever ends", hint=_SOONER)


def groups_of(start: Hashable, edges: Edges) -> list[list[Hashable]]:
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
    return iter([following for following in edges[state].states if following in edges])
