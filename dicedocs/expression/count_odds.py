"""The exact distribution of a fact that counts dice.

What counts dice is independent of the rest of a tree, except within a set: which of its members are kept depends on
what they come to. There the walk goes on with pairs: what a part comes to, and how many of its dice are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, reduce
from itertools import product
from math import prod
from operator import itemgetter
from typing import Final, TypeAlias

from dicedocs.expression.odds import Odds
from dicedocs.expression.pool_odds import NotCountedError, Score
from dicedocs.probability.distribution import Distribution
from dicedocs.rules.steps import COMPARISONS
from dicedocs.syntax.arithmetic import OPERATIONS, Arithmetic, compute
from dicedocs.syntax.joined_dice import is_joined
from dicedocs.syntax.modifiers import MODIFIERS, SUCCESSES, Count, Explode, PoolRules
from dicedocs.syntax.tree import DiceTerm, Node, Set, children, nodes

COUNTED: Final = frozenset(each.fact for each in MODIFIERS if issubclass(each, Count))
"""The facts that count dice."""
_PAIRS_PER_STEP: Final = 8
"""The ``PAIRS`` that take as long as combining pairs."""
Pair: TypeAlias = tuple[int, int]
"""What a part comes to, and how many of its dice are counted."""


def count_distribution(tree: Node, fact: str) -> Distribution:
    """Return the distribution of a fact that counts the dice of all pools; of ``None`` where no pool counts any.

    Raises:
        LimitError, NotCountedError: as for :func:`~dicedocs.expression.odds.tree_distribution`.

    >>> from dicedocs.syntax.parser import parse_expression
    >>> count_distribution(parse_expression("{1d20cs, 1d20cs}kl1", "notation"), "critical_successes").p("at least 1")
    Fraction(1, 400)
    """
    odds = Odds(None)
    pairs = _Pairs(fact, odds)
    counts = [
        pairs.leaf(node, 1).map(itemgetter(1)) if _counts_within(node, fact) else odds.leaf(node, 1, fact)
        for node in _counting(tree, fact)
    ]
    return reduce(Distribution.__add__, counts).named(fact) if counts else Distribution({None: 1}, (fact,))


def _counting(node: Node, fact: str) -> Iterator[Node]:
    """Yield the pools and the sets whose dice are counted, each independent of the others."""
    if _counts(node, fact) or (isinstance(node, Set) and node.modifiers and _counts_within(node, fact)):
        yield node
    else:
        for child in children(node):
            yield from _counting(child, fact)


def _counts(node: Node, fact: str) -> bool:
    modifiers = node.modifiers if isinstance(node, DiceTerm | Set) else ()
    return any(isinstance(one, Count) and one.fact == fact for one in modifiers)


def _counts_within(node: Node, fact: str) -> bool:
    return any(_counts(inner, fact) for inner in nodes(node) if inner is not node)


class _Pairs(Arithmetic[Distribution]):
    """The arithmetic of distributions of pairs.

    Parameters:
        fact: the fact that counts dice.
        odds: the odds of the tree.
    """

    def __init__(self, fact: str, odds: Odds) -> None:
        self._fact = fact
        self._odds = odds

    # What the walk asks of its arithmetic.

    def number(self, number: int) -> Distribution:
        return Distribution({(number, 0): 1})

    def operate(self, name: str, left: Distribution, right: Distribution) -> Distribution:
        function = COMPARISONS[name] if name in COMPARISONS else OPERATIONS[name]
        self._odds.spend(_PAIRS_PER_STEP * len(left) * len(right))
        return left.combine(right, lambda one, two: (int(function(one[0], two[0])), one[1] + two[1]))

    def apply(self, function: Callable[[int], int], value: Distribution) -> Distribution:
        return value.map(lambda pair: (function(pair[0]), pair[1]))

    def collect(self, members: Sequence[Distribution]) -> Distribution:
        return reduce(lambda one, two: self.operate("+", one, two), members)

    def label(self, labels: Iterable[str], value: Distribution, sign: int) -> None:
        """Labels change no number."""

    # The leaves.

    def leaf(self, leaf: Node, sign: int) -> Distribution:
        match leaf:
            case DiceTerm():
                return self._pool(leaf)
            case Set(members, modifiers) if not is_joined(leaf):
                return self._set([compute(member, self.leaf, self) for member in members], PoolRules(modifiers))
            case _:
                raise NotCountedError

    def _pool(self, term: DiceTerm) -> Distribution:
        """Return the pairs of a pool, of which each die adds both parts to one number."""
        if _counts_within(term, self._fact):
            raise NotCountedError
        if not _counts(term, self._fact):
            return self._odds.value(term).map(lambda value: (value, 0))
        explosions = sum(one.depth for one in term.modifiers if isinstance(one, Explode))
        radix = max(Odds(None).value(term.count).values) * (1 + explosions) + 1  # above what can be counted

        def score_of(rules: PoolRules) -> Score:
            return lambda value: radix * rules.score(value) + rules.score(value, self._fact)

        return self._odds.pools(term, score_of).map(lambda number: divmod(number, radix))

    def _set(self, members: Sequence[Distribution], rules: PoolRules) -> Distribution:
        """Return the pairs of a set, from those of its members in all combinations."""
        self._odds.spend(_PAIRS_PER_STEP * prod(map(len, members)))
        recounted = rules.scores and self._fact in SUCCESSES

        @cache
        def settle(values: tuple[int, ...]) -> tuple[Sequence[int], int, int]:
            """Return the indexes of the members whose dice count, what the set comes to, and how many members count."""
            kept = rules.kept(values)
            total, own = (sum(rules.score(values[index], fact) for index in kept) for fact in ("", self._fact))
            return () if recounted else kept, total, own

        counts: dict[Pair, int] = {}
        for together in product(*[member.items() for member in members]):
            kept, total, own = settle(tuple([value for (value, _), _ in together]))
            pair = total, own + sum([together[index][0][1] for index in kept])
            counts[pair] = counts.get(pair, 0) + prod([ways for _, ways in together])
        return Distribution.from_counts(counts, (), (), prod(member.denominator for member in members))
