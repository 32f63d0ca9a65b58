"""Best play: what the open choices of a player are worth, exactly, and what is best to choose.

A rule is followed as for its odds, but what follows a state is kept as a tree: dice are averaged, and a choice keeps
what follows each of its ways. The trees are valued from their ends. A circle of states is solved by policy iteration
(Howard 1960): a way to play that ends is improved until nothing is better, with exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from dicedocs.errors import quoted
from dicedocs.probability.chains import (
    Counts,
    Following,
    NeverEnds,
    Ways,
    check_circle,
    ends,
    groups_of,
    is_circle,
    solve_equations,
)
from dicedocs.probability.dice_calls import Choose, Reached

Value: TypeAlias = tuple[Fraction, ...]
"""What is best, then what decides between what is equally good."""


class Tree(NamedTuple):
    """What follows a state.

    Parameters:
        by_dice: what follows by dice alone.
        nodes: what depends on choices, each with the ways to it, out of those of ``by_dice``.
    """

    by_dice: Following
    nodes: tuple[tuple[int, Decision | Within], ...]


class Decision:
    """A choice, and what follows each of its ways.

    Parameters:
        call: the choice.
        seen: what the player sees, by name.
        trees: what follows each way.
    """

    def __init__(self, call: Choose, seen: Mapping[str, int | str], trees: Sequence[Tree]) -> None:
        self.call, self.seen, self.trees = call, seen, trees


class Within:
    """A play, or rounds, in which something is chosen, and what follows each of their ends."""

    def __init__(self, chain: Chain, trees: Mapping[Any, Tree]) -> None:
        self.chain, self.trees = chain, trees


class Solved(NamedTuple):
    """A choice in a state, and what is best there.

    Parameters:
        decision: the choice.
        best: the indexes of the ways that are equally good.
        taken: the index of the way that best play takes.
    """

    decision: Decision
    best: Sequence[int]
    taken: int


class Solution(Protocol):
    """Best play of states, by what their ends are worth."""

    @property
    def value(self) -> Value:
        """What the first state is worth."""

    def odds(self) -> Counts:
        """Return the ways to each end."""

    def solved(self) -> Iterator[Solved]:
        """Yield what is best for each choice in each state, whether best play comes there or not."""


class Chain:
    """The states of a play, or of rounds, each with what follows it.

    Attributes:
        ends: what they may come to.
        leaves: the ends of each state, and the states behind it.
    """

    def __init__(self, start: Hashable, trees: Mapping[Hashable, Tree]) -> None:
        self.start, self.trees = start, trees
        self.leaves = {state: list(dict.fromkeys(leaves_of(tree))) for state, tree in trees.items()}
        self.ends = list(dict.fromkeys(value for found in self.leaves.values() for ended, value in found if ended))
        if not self.ends:
            raise NeverEnds(f"no end follows {quoted(start)}", hint="make sure the rule can end from there")
        edges = {
            state: Following({}, dict.fromkeys([value for ended, value in found if not ended], 1), 1)
            for state, found in self.leaves.items()
        }
        self.groups = groups_of(start, edges)
        self.circles = {group[0] for group in self.groups if is_circle(group, edges)}
        self._best: dict[tuple[Value, ...], Solution] = {}
        self._at_random: Counts | None = None

    def at_random(self) -> Counts:
        """Return the ways to each end while each way of a choice is as likely."""
        if self._at_random is None:
            self._at_random = Best(self, {}, ()).odds()
        return self._at_random

    def best(self, worth: Mapping[Any, Value]) -> Solution:
        """Return the best play of these states, by what each end is worth."""
        key = tuple(worth[end] for end in self.ends)
        if key not in self._best:
            self._best[key] = self.solve(worth)
        return self._best[key]

    def solve(self, worth: Mapping[Any, Value]) -> Solution:
        """Return their best play, which is not known yet."""
        return Best(self, worth, self.groups)


def _all_trees(node: Decision | Within) -> Iterable[Tree]:
    return node.trees if isinstance(node, Decision) else node.trees.values()


def leaves_of(tree: Tree, trees: Callable[[Decision | Within], Iterable[Tree]] = _all_trees) -> Iterator[Reached]:
    """Yield the ends of a tree, and the states behind it.

    Parameters:
        tree: the tree.
        trees: what follows a choice, or a play; by default whatever may be chosen.
    """
    yield from ((True, end) for end in tree.by_dice.ends)
    yield from ((False, state) for state in tree.by_dice.states)
    for _, node in tree.nodes:
        for each in trees(node):
            yield from leaves_of(each, trees)


class Best:
    """The best play of a chain, by what its ends are worth; without groups of states, each way is as likely.

    Parameters:
        chain: the chain.
        worth: what each end is worth.
        groups: the groups of states that lead to one another, each before those that follow it.
        later: what the states of the next round are worth, if it is another one.
        per_round: what each round adds to that.

    Attributes:
        values: what each state is worth.
        played: the way that each choice takes, and the ways to each end of the plays within; missing while each way is
            as likely.
    """

    def __init__(
        self,
        chain: Chain,
        worth: Mapping[Any, Value],
        groups: Sequence[Sequence[Hashable]],
        *,
        later: Mapping[Hashable, Value] | None = None,
        per_round: Value = (),
    ) -> None:
        self.chain, self._worth, self._per_round = chain, worth, per_round
        self.values: dict[Hashable, Value] = {}
        self._later = self.values if later is None else later
        self.played: dict[Decision | Within, int | Counts] = {}
        # What plays are worth at best: the odds of counted rounds leave out what hardly ever happens.
        self._within: dict[Decision | Within, Value] = {}
        self._odds: Counts | None = None
        for group in reversed(groups):
            if later is None and group[0] in chain.circles:
                self._solve_circle(group)
            else:
                self._take_the_first(group)
                self.values[group[0]] = self._value(chain.trees[group[0]])

    @property
    def value(self) -> Value:
        """What the start of the chain is worth."""
        return self.values[self.chain.start]

    def odds(self) -> Counts:
        """Return the ways to each end in best play."""
        if self._odds is None:
            edges: dict[Hashable, Following] = {}
            left = [self.chain.start]
            while left:
                state = left.pop()
                if state not in edges:
                    edges[state] = self.following(state)
                    left += edges[state].states
            self._odds = ends(self.chain.start, edges)
        return self._odds

    def solved(self) -> Iterator[Solved]:
        """Yield what is best for each choice in each state, whether best play comes there or not."""
        return self.solved_in(self.values)

    def solved_in(self, states: Iterable[Hashable]) -> Iterator[Solved]:
        """Yield what is best for each choice in some states."""
        for node in self._nodes(states):
            if isinstance(node, Decision):
                _, best = self._best_of(node)
                yield Solved(node, best, cast("int", self.played[node]))
            else:
                yield from self._best_within(node).solved()

    # The value of a tree

    def _value(self, tree: Tree) -> Value:
        of_ends, states, total_ways = tree.by_dice
        parts = [(ways, self._worth[end]) for end, ways in of_ends.items()]
        parts += [(ways, self._after_a_round(state)) for state, ways in states.items()]
        parts += [(ways, self._of_node(node)) for ways, node in tree.nodes]
        return _average(parts, total_ways)

    def _after_a_round(self, state: Hashable) -> Value:
        value = self._later[state]
        return sums(value, self._per_round) if self._per_round else value

    def _of_node(self, node: Decision | Within) -> Value:
        if node in self._within:
            return self._within[node]
        parts = [(ways, self._value(tree)) for ways, tree in self._parts(node)[0]]
        return _average(parts, sum(ways for ways, _ in parts))

    def _parts(self, node: Decision | Within) -> tuple[list[tuple[int, Tree]], int]:
        """Return what follows a choice, or a play, as it is played now, with the ways to each, and to all."""
        played = self.played.get(node)
        if isinstance(node, Decision):
            parts = [(1, tree) for index, tree in enumerate(node.trees) if played is None or index == played]
            return parts, len(parts)
        odds = played if isinstance(played, Counts) else node.chain.at_random()
        return [(ways, node.trees[end]) for end, ways in odds.ways.items() if ways], odds.total_ways

    # Choosing

    def _nodes(self, group: Iterable[Hashable]) -> Iterator[Decision | Within]:
        """Yield the choices, and the plays with choices, behind some states, those that come later first."""
        for state in group:
            yield from _nodes_of(self.chain.trees[state])

    def _best_ways(self, node: Decision | Within) -> tuple[Value, Sequence[int | Counts]]:
        """Return what a choice, or a play, is worth at best, and how it is played for that, in the order written."""
        if isinstance(node, Within):
            play = self._best_within(node)
            return play.value, [play.odds()]
        return self._best_of(node)

    def _best_of(self, choice: Decision) -> tuple[Value, Sequence[int]]:
        worth = [self._value(tree) for tree in choice.trees]
        most = max(worth)
        return most, [index for index, one in enumerate(worth) if one == most]

    def _best_within(self, node: Within) -> Solution:
        return node.chain.best({end: self._value(tree) for end, tree in node.trees.items()})

    def _take_the_first(self, group: Sequence[Hashable]) -> None:
        """Let each choice take the first of the best ways."""
        for node in self._nodes(group):
            most, (self.played[node], *_) = self._best_ways(node)
            if isinstance(node, Within):
                self._within[node] = most

    def _improve(self, group: Sequence[Hashable]) -> bool:
        """Let each choice take a better way if there is one; return whether there was.

        What is not better is left as it is: so a circle that ended still ends.
        """
        changed = False
        for node in self._nodes(group):
            now = self._of_node(node)
            most, ways = self._best_ways(node)
            # By the odds of counted rounds a play may be worth less for ever than it is.
            if most > now and self.played.get(node) != ways[0]:
                self.played[node] = ways[0]
                changed = True
        return changed

    def _solve_circle(self, group: Sequence[Hashable]) -> None:
        # Where each way is as likely, a circle ends if it can end at all.
        self._value_circle(group)
        while self._improve(group):
            if not self._is_ending(group):
                message = "in best play some rounds would go on for ever"
                raise NeverEnds(message, hint="let a round cost something, or count the rounds up to a number")
            self._value_circle(group)
        self._take_the_first_that_ends(group)

    def _take_the_first_that_ends(self, group: Sequence[Hashable]) -> None:
        """Let each choice of a circle take the first of the best ways, if it then ends, or else of those that lead out.

        What the circle is worth stays the same.
        """
        played = dict(self.played)
        self._take_the_first(group)
        if self._is_ending(group):
            return
        self.played = played
        undecided = {node: self._best_ways(node)[1] for node in self._nodes(group)}
        for node, ways in undecided.items():
            if isinstance(node, Within):
                undecided[node] = [*ways, played.get(node) or node.chain.at_random()]

        def decided(node: Decision | Within) -> Iterable[Tree]:
            return () if node in undecided else self._trees(node)

        left = set(group)
        size = -1
        while size != len(left) + len(undecided):
            size = len(left) + len(undecided)
            for node in list(undecided):
                for way in undecided[node]:
                    if any(_leads_out(tree, left, decided) for tree in _behind(node, way)):
                        self.played[node] = way
                        del undecided[node]
                        break
            left -= {state for state in left if _leads_out(self.chain.trees[state], left, decided)}

    def _is_ending(self, group: Sequence[Hashable]) -> bool:
        """Return whether each state of a circle leads out of it, as the choices are played now."""
        left = set(group)
        while leading := {state for state in left if _leads_out(self.chain.trees[state], left, self._trees)}:
            left -= leading
        return not left

    def _trees(self, node: Decision | Within) -> Iterator[Tree]:
        return (tree for _, tree in self._parts(node)[0])

    # Circles

    def _value_circle(self, group: Sequence[Hashable]) -> None:
        """Value the states of a circle as its choices are."""
        position = {state: index for index, state in enumerate(group)}
        following = {state: self.following(state) for state in group}
        check_circle(group, following, otherwise="")
        rows, constants = [], []
        for state, index in position.items():
            of_ends, states, total_ways = following[state]
            row = {index: total_ways}
            parts = [(ways, self._worth[end]) for end, ways in of_ends.items()]
            for reached, ways in states.items():
                if reached not in position:
                    parts.append((ways, self._after_a_round(reached)))
                    continue
                row[position[reached]] = row.get(position[reached], 0) - ways
                if self._per_round:
                    parts.append((ways, self._per_round))
            constant = _average(parts, 1) if parts else (Fraction(0),) * self._figures
            rows.append(row)
            constants.append(constant)
        columns = [_solved(rows, [one[place] for one in constants]) for place in range(self._figures)]
        for state, index in position.items():
            self.values[state] = tuple(column[index] for column in columns)

    @property
    def _figures(self) -> int:
        return len(next(iter(self._worth.values())))

    def following(self, state: Hashable) -> Following:
        """Return what follows a state as the choices are."""
        ways = Ways()
        self._add(ways, self.chain.trees[state], 1, 1)
        return ways.following()

    def _add(self, found: Ways, tree: Tree, ways: int, of_all: int) -> None:
        """Add the ends of a tree and the states behind it as its choices are, given the ways to it."""
        of_ends, states, total_ways = tree.by_dice
        for ended, group in ((True, of_ends), (False, states)):
            for value, number in group.items():
                found.add(ended, value, ways * number, of_all * total_ways)
        for number, node in tree.nodes:
            parts, of_parts = self._parts(node)
            for part, each in parts:
                self._add(found, each, ways * number * part, of_all * total_ways * of_parts)


def _leads_out(tree: Tree, states: Container[Hashable], trees: Callable[[Decision | Within], Iterable[Tree]]) -> bool:
    return any(ended or value not in states for ended, value in leaves_of(tree, trees))


def _behind(node: Decision | Within, way: int | Counts) -> Iterable[Tree]:
    """Return what follows a choice by a way, or a play by the ways to its ends."""
    if isinstance(node, Within):
        return [node.trees[end] for end, ways in cast("Counts", way).ways.items() if ways]
    return [node.trees[cast("int", way)]]


def _nodes_of(tree: Tree) -> Iterator[Decision | Within]:
    for _, node in tree.nodes:
        for each in _all_trees(node):
            yield from _nodes_of(each)
        yield node


def sums(value: Value, per_round: Value, rounds: int = 1) -> Value:
    """Return a value with what some rounds add to it."""
    return tuple([one + rounds * each for one, each in zip(value, per_round, strict=True)])


def _average(parts: Sequence[tuple[int, Value]], total_ways: int) -> Value:
    return tuple([_share(parts, place, total_ways) for place in range(len(parts[0][1]))])


def _share(parts: Sequence[tuple[int, Value]], place: int, total_ways: int) -> Fraction:
    common = lcm(*(value[place].denominator for _, value in parts))
    total = sum(ways * value[place].numerator * (common // value[place].denominator) for ways, value in parts)
    return Fraction(total, common * total_ways)


def _solved(rows: Sequence[Mapping[int, int]], constants: Sequence[Fraction]) -> list[Fraction]:
    common = lcm(*(one.denominator for one in constants))
    return [one / common for one in solve_equations([dict(row) for row in rows], [int(c * common) for c in constants])]
