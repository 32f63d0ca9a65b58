"""Best play: what the open choices of a player are worth, exactly, and what is best to choose.

A rule is followed as for its odds, but what follows a state is kept as a tree: dice are averaged, and a choice keeps
what follows each of its ways. The trees are valued from their ends. A circle of states is solved by policy iteration
(Howard 1960): a way to play that ends is improved until nothing is better, with exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final, NamedTuple, TypeAlias

from dicedocs.errors import ParameterError, quoted
from dicedocs.probability.branching_dice import Node
from dicedocs.probability.chains import (
    Counts,
    Following,
    NeverEnds,
    Ways,
    check_circle,
    ends,
    explore,
    groups_of,
    is_circle,
    solve_equations,
)
from dicedocs.probability.dice_calls import CallKey, Choose, Play, Question, Reached, Repeat
from dicedocs.probability.enumerator import Enumerator, Visit
from dicedocs.rules.dice import Rule

Value: TypeAlias = tuple[Fraction, ...]
"""What is best, then what decides between what is equally good."""
_ROUNDS: Final = "count the rounds in the state of dice.repeat(...), up to a number"


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
        if not self.ends:
            raise NeverEnds(f"no end follows {quoted(start)}", hint="make sure the rule can end from there")
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
    yield from ((True, end) for end in tree.by_dice.ends)
    yield from ((False, state) for state in tree.by_dice.states)
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
        of_ends, states, total_ways = tree.by_dice
        parts = [(ways, self._worth[end]) for end, ways in of_ends.items()]
        parts += [(ways, self.values[state]) for state, ways in states.items()]
        parts += [(ways, self._of_node(node)) for ways, node in tree.nodes]
        return _average(parts, total_ways)

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
        of_ends, states, total_ways = tree.by_dice
        for ended, group in ((True, of_ends), (False, states)):
            for value, ways in group.items():
                yield (ended, value), share * ways / total_ways
        for ways, node in tree.nodes:
            parts = self._parts(node)
            of_all = total_ways * sum(number for number, _ in parts)
            for number, each in parts:
                yield from self._spread(each, share * ways * number / of_all)


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


class Explorer(Enumerator):
    """The counting of a rule for all that may be chosen: where something is, the states are kept with their trees.

    Attributes:
        chains: the states of the calls in which something is chosen.
    """

    def __init__(self, *, unrolled: bool = False) -> None:
        super().__init__(unrolled=unrolled)
        self.open_choices = set()
        self.chains: dict[Question, Chain] = {}
        self._trees: dict[object, dict[Hashable, Tree]] = {}

    def count(self, question: Question) -> Generator[float, None, None]:
        yield from super().count(question)
        self.counted[question] = self.counted[question]._replace(chain=self.chains.get(question))

    def chain(self, question: Question, start: Hashable, visit: Visit) -> Generator[float, None, Counts]:
        trees = self._trees.setdefault(question[:-2], {}) if isinstance(question, Repeat) else {}

        def follow(state: Any) -> Generator[float, None, Following]:
            growing = _Growing()
            yield from visit(state, growing.add)
            trees[state] = growing.tree()
            return trees[state].by_dice

        by_dice = {state: tree.by_dice for state, tree in trees.items()}
        yield from explore(start, follow, by_dice)
        if not any(tree.nodes for tree in trees.values()):
            return question.ends(start, by_dice)
        # However rare a state is by dice, a player may choose to get there.
        found: dict[Hashable, Tree] = {}
        left = [start]
        while left:
            state = left.pop()
            if state not in found:
                if state not in trees:
                    yield from follow(state)
                found[state] = trees[state]
                left += [value for ended, value in _leaves(found[state]) if not ended]
        chain = self.chains[question] = Chain(start, found)
        if isinstance(question, Repeat) and question.rounds:
            message = "best play does not count the rounds in which something is chosen"
            raise ParameterError(message, hint=_ROUNDS, parameter="best")
        return Counts(dict.fromkeys(chain.ends, 1), len(chain.ends))


class _Growing:
    """The tree of what follows a state, while the paths are visited."""

    def __init__(self) -> None:
        self._by_dice = Ways()
        self._behind: dict[tuple[int, ...], _Behind] = {}

    def add(self, ended: bool, value: Any, ways: int, total_ways: int, path: Sequence[Node]) -> None:
        """Add a path."""
        part, thrown = self, list[int]()
        since, of_all = 1, 1  # the ways to the last choice
        for node in path:
            if node.key[0] is Choose or node.branches.chain is not None:
                factor, total_factor = node.branches.ways[node.index], node.branches.total_ways
                behind = part._behind.get(key := tuple(thrown))
                if behind is None:
                    before = node.ways // factor // since, node.total_ways // total_factor // of_all
                    parts = [_Growing() for _ in node.branches.results]
                    behind = part._behind[key] = _Behind(*before, node.key, node.branches.chain, parts)
                part, thrown = behind.parts[node.index], []
                since, of_all = node.ways, node.total_ways
            else:
                thrown.append(node.index)
        part._by_dice.add(ended, value, ways // since, total_ways // of_all)

    def tree(self) -> Tree:
        """Return the tree, when all paths are visited."""
        by_dice = self._by_dice.following(*[behind.total_ways for behind in self._behind.values()])
        nodes = [(each.ways * (by_dice.total_ways // each.total_ways), each.node()) for each in self._behind.values()]
        return Tree(by_dice, tuple(nodes))


class _Behind(NamedTuple):
    """What depends on a choice, or on a call in which something is chosen, while the paths are visited.

    Parameters:
        ways, total_ways: in how many ways it is reached, and out of how many.
        key: the call.
        chain: the states of a call in which something is chosen; ``None`` for a choice.
        parts: what follows each way, or each end of the call.
    """

    ways: int
    total_ways: int
    key: CallKey
    chain: Chain | None
    parts: list[_Growing]

    def node(self) -> Decision | Within:
        trees = [part.tree() for part in self.parts]
        if self.chain is None:
            return Decision(Choose(*self.key[1:]), trees)
        return Within(self.chain, dict(zip(self.chain.ends, trees, strict=True)))


def best_play(
    rule: Rule[Any], worth: Callable[[Any], Value], select: Callable[[Any], Hashable]
) -> Generator[float, None, Best]:
    """Return the best play of a rule.

    Parameters:
        rule: the rule.
        worth: what an outcome is worth, by the selected facts.
        select: takes these facts from all facts.
    """
    explorer = Explorer()
    counts = yield from explorer.outcomes(rule, select)
    question = Play(rule)
    chain = explorer.chains.get(question)
    if chain is None:
        chain = Chain(question, {question: Tree(Following(counts.ways, {}, counts.total_ways), ())})
    return chain.best({end: worth(end) for end in chain.ends})
