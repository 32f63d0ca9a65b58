"""The exact distribution of a tree: the walk that rolls it, with distributions in place of numbers.

The dice of its leaves are independent, so each leaf has a distribution of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from dicedocs import limits
from dicedocs.expression.pool import pool_rules
from dicedocs.expression.pool_odds import (
    BITS_PER_PAIR,
    NotCountedError,
    Score,
    end_of_ranks,
    mixture,
    pool_distribution,
    ranks_in_turn,
    set_distribution,
)
from dicedocs.probability.convolution import DiceGroup
from dicedocs.probability.distribution import Distribution
from dicedocs.rules.dice import check_limits
from dicedocs.rules.steps import COMPARISONS, Comparison
from dicedocs.syntax.arithmetic import OPERATIONS, compute
from dicedocs.syntax.faces import DieFaces
from dicedocs.syntax.joined_dice import is_joined, joined_terms
from dicedocs.syntax.modifiers import PoolRules
from dicedocs.syntax.tree import Compared, DiceTerm, Node, Number, Set

_HINT: Final = "calculate with fewer dice"
_PAIRS_PER_SIDE: Final = 8
"""The ``PAIRS`` that take as long as what modifiers do to one side of a die."""
_PAIRS_PER_MEMBER: Final = 2
"""The ``PAIRS`` that take as long as putting one value of the member of a set in order with those of the others."""


def tree_distribution(tree: Node, by_zero: int | None = None) -> Distribution:
    """Return the distribution of what a tree comes to.

    Parameters:
        tree: a tree without references.
        by_zero: the value of a quotient whose divisor is 0; ``None`` makes it an error.

    Raises:
        LimitError: there are too many outcomes, or pairs of outcomes.
        NotCountedError: the dice have to be enumerated.

    >>> from dicedocs.syntax.parser import parse_expression
    >>> tree_distribution(parse_expression("2d6 + 3")).mean
    Fraction(10, 1)
    """
    return Odds(by_zero).value(tree)


def side_distributions(check: Node, by_zero: int | None = None) -> tuple[Distribution, Distribution]:
    """Return the distributions of both sides of a check; the sides are independent.

    Raises:
        LimitError, NotCountedError: as for :func:`tree_distribution`.
    """
    if not isinstance(check, Compared):
        raise TypeError("a check compares two values")
    odds = Odds(by_zero)
    return odds.value(check.left), odds.value(check.right)


def comparison_distribution(
    left: Distribution, right: Distribution, op: Comparison, facts: Sequence[str]
) -> Distribution:
    """Return the distribution of facts of a check: ``success``, ``left`` and ``right``."""
    by_side = {"left": left, "right": right}
    if len(facts) == 1:
        only = facts[0]
        return (by_side[only] if only in by_side else left.compare(right, op)).named(only)
    compare = COMPARISONS[op]
    both = left.combine(right, lambda one, two: (compare(one, two), one, two))
    return both.named("success", "left", "right").marginal(*facts)


class Odds:
    """The odds of one tree, and the arithmetic of distributions.

    Parameters:
        by_zero: the value of a quotient whose divisor is 0; ``None`` makes it an error.
    """

    def __init__(self, by_zero: int | None) -> None:
        self._by_zero = by_zero
        self._dice = 0
        self._pairs = 0

    def value(self, node: Node) -> Distribution:
        return compute(node, self.leaf, self)

    # What the walk asks of its arithmetic.

    def number(self, number: int) -> Distribution:
        return _constant(number)

    def add(self, terms: Sequence[tuple[str, Node]], value: Callable[[str, Node], Distribution]) -> Distribution:
        plain: list[DiceGroup] = []
        parts: list[Distribution] = []
        for sign, term in terms:
            match term:
                case DiceTerm(Number(count), Number(sides), ()) if sign == "+":
                    self._count_dice(count, sides)
                    plain.append(DiceGroup(count, sides))
                case _:
                    part = value(sign, term)
                    parts.append(part if sign == "+" else -part)
        # Dice that are only added up are counted together, which takes a moment however many they are.
        return self._total([*parts, Distribution.from_dice_groups(plain)] if plain else parts)

    def _total(self, parts: list[Distribution]) -> Distribution:
        while len(parts) > 1:
            # The smallest first, since each sum takes as long as its parts are large.
            parts.sort(key=len, reverse=True)
            one, two = parts.pop(), parts.pop()
            if not (one.dense and two.dense):
                self.spend(len(one) * len(two))
            parts.append(one + two)
        return parts[0]

    def operate(self, name: str, left: Distribution, right: Distribution) -> Distribution:
        self.spend(len(left) * len(right))
        if name in COMPARISONS:
            return left.compare(right, name).map(int)
        if name == "*":
            return left * right
        if name in {"min", "max"}:
            return left.min(right) if name == "min" else left.max(right)
        if name == "/" and not right.exactly(0):
            return left // right
        function = OPERATIONS[name]
        if name == "/" and self._by_zero is not None:
            by_zero = self._by_zero
            return left.combine(right, lambda one, two: function(one, two) if two else by_zero)
        return left.combine(right, function)

    def apply(self, function: Callable[[int], int], value: Distribution) -> Distribution:
        return value.map(function)

    def collect(self, members: Sequence[Distribution]) -> Distribution:
        return self._total(list(members))

    def label(self, labels: Iterable[str], value: Distribution, sign: int) -> None:
        """Labels change no number."""

    # The leaves.

    def leaf(self, leaf: Node, sign: int, fact: str = "") -> Distribution:
        """Return the distribution of a leaf, or of a fact that counts its dice."""
        found = self._leaf(leaf, fact)
        self.spend(len(found) * found.denominator.bit_length() // BITS_PER_PAIR)
        return found

    def _leaf(self, leaf: Node, fact: str) -> Distribution:
        match leaf:
            case DiceTerm():
                return self.pools(leaf, lambda rules: partial(rules.score, fact=fact))
            case Set() if is_joined(leaf):
                if fact:
                    raise NotCountedError
                return self._joined(leaf)
            case Set(members, modifiers):
                rules, found = PoolRules(modifiers), list(map(self.value, members))
                self.spend(sum(map(len, found)) * _PAIRS_PER_MEMBER)
                return set_distribution(found, rules, partial(rules.score, fact=fact))
            case _:
                raise NotCountedError

    def pools(self, term: DiceTerm, score_of: Callable[[PoolRules], Score]) -> Distribution:
        """Return the distribution of dice whose number and sides may be random.

        Parameters:
            term: the dice.
            score_of: returns what a value adds to the result, by what is done with the dice.
        """
        numbers = self.value(term.count)
        sizes: list[tuple[int | DieFaces, int]] = (
            [(term.sides, 1)] if isinstance(term.sides, DieFaces) else list(self.value(term.sides).items())
        )
        whole = sum(ways for _, ways in sizes) * numbers.denominator
        parts, before, most = [], self._dice, 0
        if len(numbers) * len(sizes) > 1:
            self.spend(len(numbers) * len(sizes))
            # Each pool has a distribution of its own; the more dice it has, the longer are its counts.
            self.spend(
                sum(abs(number) * _sides(size) * (1 + abs(number) // 8) for number in numbers for size, _ in sizes)
            )
        for number, ways in numbers.items():
            for size, more in sizes:
                check_limits(before, number, _sides(size))
                self.spend(_sides(size) * _PAIRS_PER_SIDE * bool(term.modifiers))
                die, rules = pool_rules(size, term.modifiers)
                parts.append((ways * more, pool_distribution(number, die, rules, score_of(rules))))
                most = max(most, number)
        self._dice = before + most
        return parts[0][1] if len(parts) == 1 else mixture(parts, whole)

    def _joined(self, whole: Set) -> Distribution:
        """Return the distribution of a sum whose dice are kept or dropped together."""
        constant, choices, inner = 0, list[PoolRules](), whole
        while True:
            choices.insert(0, PoolRules(inner.modifiers))
            terms = list(joined_terms(inner.members[0]))
            constant += sum(sign * term.value for sign, term in terms if isinstance(term, Number))
            signed = [(sign, term) for sign, term in terms if not isinstance(term, Number)]
            if any(sign < 0 for sign, _ in signed):
                raise NotCountedError
            match [term for _, term in signed]:
                case []:
                    return _constant(constant)
                case [Set() as inner]:
                    continue
                case [DiceTerm(Number(count), Number() | DieFaces() as sides, modifiers)]:
                    size = sides if isinstance(sides, DieFaces) else sides.value
                    check_limits(self._dice, count, _sides(size))
                    die, rules = pool_rules(size, modifiers)
                    return pool_distribution(count, die, rules, rules.score, choices) + constant
                case dice:
                    return self._joined_dice(dice, choices) + constant

    def _joined_dice(self, dice: Sequence[Node], choices: Sequence[PoolRules]) -> Distribution:
        """Return the distribution of the highest or the lowest of plain dice of several kinds."""
        sides: list[int] = []
        for term in dice:
            match term:
                case DiceTerm(Number(count), Number(size), ()):
                    self._count_dice(count, size)
                    sides += [size] * count
                case _:
                    raise NotCountedError
        keep = end_of_ranks(ranks_in_turn(len(sides), choices), len(sides))
        if keep is None:
            raise NotCountedError
        return Distribution.pool(*sides, keep=keep)

    def _count_dice(self, count: int, sides: int) -> None:
        check_limits(self._dice, count, sides)
        self._dice += count

    def spend(self, pairs: int) -> None:
        """Add the pairs of one operation, and raise an error when the tree as a whole has too many."""
        self._pairs += pairs
        limits.PAIRS.check(self._pairs, hint=_HINT)


def _constant(number: int) -> Distribution:
    return Distribution({number: 1})


def _sides(size: int | DieFaces) -> int:
    return size if isinstance(size, int) else len(size.texts)
