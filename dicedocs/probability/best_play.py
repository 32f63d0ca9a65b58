"""Best play: what the open choices of a player are worth, exactly, and what is best to choose.

A rule is followed as for its odds, but what follows a state is kept as a tree: dice are averaged, and a choice keeps
what follows each of its ways. The trees are valued from their ends. A circle of states is solved by policy iteration
(Howard 1960): a way to play that ends is improved until nothing is better, with exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import Any, Final, NamedTuple, TypeAlias

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.probability.branching_dice import COUNTED_FIRST, Counting, PathDice, Uncounted
from dicedocs.probability.chains import (
    Counts,
    Following,
    NeverEnds,
    check_circle,
    ends,
    groups_of,
    is_circle,
    solve_equations,
)
from dicedocs.probability.dice_calls import Branches, Choose, Play, Question, Reached, Repeat
from dicedocs.probability.enumerator import Enumerator
from dicedocs.rules.dice import A_LOOP, Rule
from dicedocs.syntax.decisions import Undecided

Value: TypeAlias = tuple[Fraction, ...]
"""What is best, then what decides between what is equally good."""
_AN_END: Final = "let the rule end at a number, or let a state hold fewer values"
_ROUNDS: Final = "count the rounds in the state of dice.repeat(...), up to a number"


class Tree(NamedTuple):
    """What follows a state.

    Parameters:
        leaves: the ways to each end and to each other state by dice alone.
        nodes: what depends on choices, each with the ways to it.
        total_ways: the ways to all of it.
    """

    leaves: Mapping[Reached, int]
    nodes: tuple[tuple[int, Decision | Within], ...]
    total_ways: int


class Decision:
    """A choice, and what follows each of its ways.

    Parameters:
        call: the choice.
        trees: what follows each way.
    """

    def __init__(self, call: Choose, trees: Sequence[Tree]) -> None:
        self.call, self.trees = call, trees


class Within:
    """A play, or rounds, in which something is chosen, and what follows each of their ends."""

    def __init__(self, chain: Chain, trees: Mapping[Any, Tree]) -> None:
        self.chain, self.trees = chain, trees


class Chain:
    """The states of a play, or of rounds, each with what follows it.

    Attributes:
        ends: what they may come to.
    """

    def __init__(self, start: Hashable, trees: Mapping[Hashable, Tree]) -> None:
        self.start, self.trees = start, trees
        leaves = {state: list(_leaves(tree)) for state, tree in trees.items()}
        self.ends = list(dict.fromkeys(value for found in leaves.values() for ended, value in found if ended))
        edges = {
            state: Following({}, dict.fromkeys([value for ended, value in found if not ended], 1), 1)
            for state, found in leaves.items()
        }
        self.groups = groups_of(start, edges)
        self.circles = {group[0] for group in self.groups if is_circle(group, edges)}
        self._best: dict[tuple[Value, ...], Best] = {}
        self._at_random: Counts | None = None

    def at_random(self) -> Counts:
        """Return the ways to each end while each way of a choice is as likely."""
        if self._at_random is None:
            self._at_random = Best(self, None).odds()
        return self._at_random

    def best(self, worth: Mapping[Any, Value]) -> Best:
        """Return the best play of these states, by what each end is worth."""
        key = tuple(worth[end] for end in self.ends)
        if key not in self._best:
            self._best[key] = Best(self, worth)
        return self._best[key]


def _leaves(tree: Tree) -> Iterator[Reached]:
    yield from tree.leaves
    for _, node in tree.nodes:
        for each in node.trees if isinstance(node, Decision) else node.trees.values():
            yield from _leaves(each)


class Best:
    """The best play of a chain, by what its ends are worth; without that, each way is as likely.

    Attributes:
        values: what each state is worth.
        taken: the way that each choice takes; missing while each is as likely.
        within: the ways to each end of the plays within; missing while each way in them is as likely.
    """

    def __init__(self, chain: Chain, worth: Mapping[Any, Value] | None) -> None:
        self.chain, self._worth = chain, worth or {}
        self.values: dict[Hashable, Value] = {}
        self.taken: dict[Decision, int] = {}
        self.within: dict[Within, Counts] = {}
        self._odds: Counts | None = None
        for group in reversed(chain.groups) if worth is not None else ():
            if group[0] in chain.circles:
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
            edges = {}
            left = [self.chain.start]
            while left:
                state = left.pop()
                if state not in edges:
                    edges[state] = self._following(self.chain.trees[state])
                    left += edges[state].states
            self._odds = ends(self.chain.start, edges)
        return self._odds

    # The value of a tree

    def _value(self, tree: Tree) -> Value:
        parts = [(ways, self._of(leaf)) for leaf, ways in tree.leaves.items()]
        parts += [(ways, self._of_node(node)) for ways, node in tree.nodes]
        return _average(parts, tree.total_ways)

    def _of(self, leaf: Reached) -> Value:
        ended, value = leaf
        return self._worth[value] if ended else self.values[value]

    def _of_node(self, node: Decision | Within) -> Value:
        parts = [(ways, self._value(tree)) for ways, tree in self._parts(node)]
        return _average(parts, sum(ways for ways, _ in parts))

    def _parts(self, node: Decision | Within) -> list[tuple[int, Tree]]:
        """Return what follows a choice, or a play, as it is decided now, with the ways to each."""
        if isinstance(node, Within):
            odds = self.within.get(node) or node.chain.at_random()
            return [(ways, node.trees[end]) for end, ways in odds.ways.items()]
        taken = self.taken.get(node)
        return [(1, tree) for index, tree in enumerate(node.trees) if taken is None or index == taken]

    # Choosing

    def _nodes(self, group: Sequence[Hashable]) -> Iterator[Decision | Within]:
        """Yield the choices, and the plays with choices, behind some states, those that come later first."""
        for state in group:
            yield from _nodes_of(self.chain.trees[state])

    def _take_the_first(self, group: Sequence[Hashable]) -> None:
        """Let each choice take the first of the best ways."""
        for node in self._nodes(group):
            if isinstance(node, Within):
                self.within[node] = self._best_within(node).odds()
            else:
                worth = [self._value(tree) for tree in node.trees]
                self.taken[node] = worth.index(max(worth))

    def _improve(self, group: Sequence[Hashable]) -> bool:
        """Let each choice take a better way if there is one; return whether there was.

        What is not better is left as it is: so a circle that ended still ends.
        """
        changed = False
        for node in self._nodes(group):
            now = self._of_node(node)
            if isinstance(node, Within):
                play = self._best_within(node)
                if play.value > now:
                    self.within[node] = play.odds()
                    changed = True
            else:
                worth = [self._value(tree) for tree in node.trees]
                if max(worth) > now:
                    self.taken[node] = worth.index(max(worth))
                    changed = True
        return changed

    def _best_within(self, node: Within) -> Best:
        return node.chain.best({end: self._value(tree) for end, tree in node.trees.items()})

    def _solve_circle(self, group: Sequence[Hashable]) -> None:
        # Where each way is as likely, a circle ends if it can end at all.
        self._value_circle(group)
        while self._improve(group):
            self._value_circle(group)
        # Of equally good ways the first, if the circle ends by these too.
        values = {state: self.values[state] for state in group}
        taken, within = dict(self.taken), dict(self.within)
        self._take_the_first(group)
        try:
            self._value_circle(group)
            is_same = all(self.values[state] == value for state, value in values.items())
        except (ArithmeticError, NeverEnds):
            is_same = False
        if not is_same:
            self.taken, self.within = taken, within
            self.values.update(values)

    # Circles

    def _value_circle(self, group: Sequence[Hashable]) -> None:
        """Value the states of a circle as its choices are."""
        position = {state: index for index, state in enumerate(group)}
        following = {state: self._following(self.chain.trees[state]) for state in group}
        check_circle(group, following)
        rows, constants = [], []
        for state, index in position.items():
            of_ends, states, total_ways = following[state]
            row = {index: total_ways}
            parts = [(ways, self._worth[end]) for end, ways in of_ends.items()]
            for reached, ways in states.items():
                if reached in position:
                    row[position[reached]] = row.get(position[reached], 0) - ways
                else:
                    parts.append((ways, self.values[reached]))
            constant = _average(parts, 1) if parts else (Fraction(0),) * self._figures
            rows.append(row)
            constants.append(constant)
        columns = [_solved(rows, [one[place] for one in constants]) for place in range(self._figures)]
        for state, index in position.items():
            self.values[state] = tuple(column[index] for column in columns)

    @property
    def _figures(self) -> int:
        return len(next(iter(self._worth.values())))

    def _following(self, tree: Tree) -> Following:
        """Return what follows a tree as its choices are."""
        found: dict[Reached, Fraction] = {}
        for leaf, share in self._spread(tree, Fraction(1)):
            found[leaf] = found.get(leaf, Fraction(0)) + share
        common = lcm(*(share.denominator for share in found.values()))
        ways = {leaf: int(share * common) for leaf, share in found.items() if share}
        return Following(
            {value: number for (ended, value), number in ways.items() if ended},
            {value: number for (ended, value), number in ways.items() if not ended},
            common,
        )

    def _spread(self, tree: Tree, share: Fraction) -> Iterator[tuple[Reached, Fraction]]:
        """Yield the ends and states of a tree with their probabilities, as its choices are."""
        for leaf, ways in tree.leaves.items():
            yield leaf, share * ways / tree.total_ways
        for ways, node in tree.nodes:
            parts = self._parts(node)
            total_ways = tree.total_ways * sum(number for number, _ in parts)
            for number, each in parts:
                yield from self._spread(each, share * ways * number / total_ways)


def _nodes_of(tree: Tree) -> Iterator[Decision | Within]:
    for _, node in tree.nodes:
        for each in node.trees if isinstance(node, Decision) else node.trees.values():
            yield from _nodes_of(each)
        yield node


def _average(parts: Sequence[tuple[int, Value]], total_ways: int) -> Value:
    figures = zip(*(value for _, value in parts), strict=True)
    return tuple(
        sum((ways * one for (ways, _), one in zip(parts, column, strict=True)), Fraction(0)) / total_ways
        for column in figures
    )


def _solved(rows: Sequence[Mapping[int, int]], constants: Sequence[Fraction]) -> list[Fraction]:
    common = lcm(*(one.denominator for one in constants))
    return [one / common for one in solve_equations([dict(row) for row in rows], [int(c * common) for c in constants])]


class Explorer:
    """Finds what follows each state of a rule, for all that may be chosen."""

    def __init__(self) -> None:
        self.branches = self.calls = 0
        self._branches: dict[Question, Branches] = {}
        self._chains: dict[Question, Chain] = {}
        self._counted: dict[Question, Branches] = {}
        self._stack: list[Question] = []

    def chain(
        self, question: Question, select: Callable[[Any], Hashable] | None = None
    ) -> Generator[float, None, Chain]:
        """Return the states of a play, or of rounds; yield the progress, which is not known."""
        limits.PLAYS.check(len(self._stack) + 1, hint=A_LOOP)
        if question in self._stack:
            limits.PLAYS.check(limits.PLAYS.maximum + 1, hint=A_LOOP)
        self._stack.append(question)
        ended, start = question.start()
        trees: dict[Hashable, Tree] = {start: Tree({(True, start): 1}, (), 1)} if ended else {}
        left = [] if ended else [start]
        while left:
            state = left.pop()
            if state not in trees:
                trees[state] = yield from self._follow(question, state, select)
                left += [value for over, value in _leaves(trees[state]) if not over]
        self._stack.pop()
        chain = Chain(start, trees)
        if not chain.ends:
            raise NeverEnds(f"no end follows {quoted(start)}", hint="make sure the rule can end from there")
        return chain

    def _follow(
        self, question: Question, state: Any, select: Callable[[Any], Hashable] | None
    ) -> Generator[float, None, Tree]:
        dice = PathDice(Counting(question, self._branches, {}, unrolled=False, asks=True))
        paths: list[_Path] = []
        while True:
            try:
                ended, reached = dice.run(state)
            except Uncounted as error:
                yield from self._count(error.question)
                continue
            yield 0.0
            self.branches += 1
            self.calls += len(dice.path)
            limits.BRANCHES.check(self.branches, hint=_AN_END)
            limits.TOTAL_CALLS.check(self.calls, hint=_AN_END)
            leaf = ended, select(reached) if ended and select else reached
            paths.append(_Path([(node.key, node.branches, node.index) for node in dice.path], leaf))
            if not dice.advance():
                return self._tree(paths, 0)

    def _count(self, question: Question) -> Generator[float, None, None]:
        """Make the branches of a call known: its ends, whose ways depend on what is chosen if anything is."""
        enumerator = Enumerator()
        enumerator.counted = self._counted
        try:
            yield from enumerator.count(question)
        except Undecided:
            if isinstance(question, Repeat) and question.rounds:
                message = "best play does not count the rounds in which something is chosen"
                raise ParameterError(message, hint=_ROUNDS, parameter="best") from None
            chain = self._chains[question] = yield from self.chain(question)
            counts = Counts(dict.fromkeys(chain.ends, 1), len(chain.ends))
            self._branches[question] = Branches(question.results(counts), [*counts.ways.values()], counts.total_ways)
        else:
            self._branches[question] = self._counted[question]

    def _tree(self, paths: Sequence[_Path], depth: int) -> Tree:
        """Return the tree of some paths that are one up to a depth."""
        if depth == len(paths[0].calls):
            return Tree({paths[0].leaf: 1}, (), 1)
        key, branches, _ = paths[0].calls[depth]
        trees = [self._tree(list(same), depth + 1) for _, same in groupby(paths, lambda path: path.calls[depth][2])]
        kind, *arguments = key
        if kind is Choose:
            return Tree({}, ((1, Decision(Choose(*arguments), trees)),), 1)
        if kind in COUNTED_FIRST and (chain := self._chains.get(kind(*arguments))) is not None:
            return Tree({}, ((1, Within(chain, dict(zip(chain.ends, trees, strict=True)))),), 1)
        common = lcm(*(tree.total_ways for tree in trees))
        leaves: dict[Reached, int] = {}
        nodes: list[tuple[int, Decision | Within]] = []
        for tree, ways in zip(trees, branches.ways, strict=True):
            factor = ways * (common // tree.total_ways)
            for leaf, number in tree.leaves.items():
                leaves[leaf] = leaves.get(leaf, 0) + number * factor
            nodes += [(number * factor, node) for number, node in tree.nodes]
        return Tree(leaves, tuple(nodes), common * branches.total_ways)


class _Path(NamedTuple):
    """The dice calls of a run, each with its branches and the one that was followed, and what it led to."""

    calls: list[tuple[Any, Branches, int]]
    leaf: Reached


def best_play(
    rule: Rule[Any], worth: Callable[[Any], Value], select: Callable[[Any], Hashable]
) -> Generator[float, None, Best]:
    """Return the best play of a rule.

    Parameters:
        rule: the rule.
        worth: what an outcome is worth, by the selected facts.
        select: takes these facts from all facts.
    """
    chain = yield from Explorer().chain(Play(rule), select)
    return chain.best({end: worth(end) for end in chain.ends})
