"""Finding what follows each state of a rule for all that may be chosen, for its best play."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from dicedocs.probability.best_play import Chain, Decision, Tree, Within, leaves_of
from dicedocs.probability.best_rounds import Rounds
from dicedocs.probability.branching_dice import Node
from dicedocs.probability.chains import Counts, Following, Ways, explore
from dicedocs.probability.dice_calls import CallKey, Choose, Play, Question, Repeat
from dicedocs.probability.enumerator import Enumerator, Visit
from dicedocs.rules.dice import Rule
from dicedocs.syntax.decisions import in_cases


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
            return self.ends(question, start, by_dice)
        # However rare a state is by dice, a player may choose to get there.
        found: dict[Hashable, Tree] = {}
        left = [start]
        while left:
            state = left.pop()
            if state not in found:
                if state not in trees:
                    yield from follow(state)
                found[state] = trees[state]
                left += [value for ended, value in leaves_of(found[state]) if not ended]
        is_counted = isinstance(question, Repeat) and question.rounds
        chain = self.chains[question] = (Rounds if is_counted else Chain)(start, found)
        self.goes_round = self.goes_round or bool(chain.circles)
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
                    behind = part._behind[key] = _Behind(*before, node.key, node.seen, node.branches.chain, parts)
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
        seen: what the player sees who chooses.
        chain: the states of a call in which something is chosen; ``None`` for a choice.
        parts: what follows each way, or each end of the call.
    """

    ways: int
    total_ways: int
    key: CallKey
    seen: Mapping[str, object]
    chain: Chain | None
    parts: list[_Growing]

    def node(self) -> Decision | Within:
        trees = [part.tree() for part in self.parts]
        if self.chain is None:
            return Decision(Choose(*self.key[1:]), in_cases(self.seen), trees)
        return Within(self.chain, dict(zip(self.chain.ends, trees, strict=True)))


class Explored(NamedTuple):
    """A rule for all that may be chosen.

    Parameters:
        chain: its states.
        merges_states, goes_round: as for :class:`~dicedocs.probability.enumerator.Enumerator`.
    """

    chain: Chain
    merges_states: bool
    goes_round: bool


def explored(rule: Rule[Any], select: Callable[[Any], Hashable]) -> Generator[float, None, Explored]:
    """Return what follows all that may be chosen in a rule; yield the progress.

    Parameters:
        rule: the rule.
        select: takes from all facts those that its ends are told apart by.
    """
    explorer = Explorer()
    counts = yield from explorer.outcomes(rule, select)
    question = Play(rule)
    by_dice = Tree(Following(counts.ways, {}, counts.total_ways), ())
    chain = explorer.chains.get(question) or Chain(question, {question: by_dice})
    return Explored(chain, explorer.merges_states, explorer.goes_round)
