"""The exact distribution of an Expression.

The dice of its parts are independent, so each part has a distribution of its own, and the operators
between the parts are arithmetic on distributions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from dicedocs import limits
from dicedocs.expression.evaluator import Arithmetic
from dicedocs.expression.tree import CheckTree, DiceTerm, Group, Node, Number, Product, Resource, Sum
from dicedocs.probability.convolution import FEWER_DICE, DiceGroup
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.frequency_table import SPARSE
from dicedocs.rules.dice import check_limits


def expression_distribution(tree: Node, values: tuple[int, ...], arithmetic: Arithmetic) -> Distribution:
    """Return the distribution of an Expression, not clamped.

    Parameters:
        tree: the Expression.
        values: the values from :func:`~dicedocs.expression.references.resolve_references`.
        arithmetic: the value of a quotient whose divisor is 0.

    Raises:
        LimitError: there are too many outcomes, or pairs of outcomes.

    >>> expression_distribution(DiceTerm(Number(1), Number(4)), (), Arithmetic()).values
    (1, 2, 3, 4)
    """
    return _Calculation(values, arithmetic).node(tree)


def check_distributions(
    tree: CheckTree, values: tuple[int, ...], arithmetic: Arithmetic
) -> tuple[Distribution, Distribution]:
    """Return the distributions of both sides of a Check, not clamped; the sides are independent.

    Raises:
        LimitError: as for :func:`expression_distribution`.
    """
    calculation = _Calculation(values, arithmetic)
    return calculation.node(tree.left), calculation.node(tree.right)


def clamp_distribution(raw: Distribution, arithmetic: Arithmetic) -> Distribution:
    """Return the distribution of a whole Expression, raised to the minimum that the game sets."""
    lowest = arithmetic.lowest
    return raw if lowest is None or not raw.at_most(lowest - 1) else raw.map(arithmetic.clamp)


class _Calculation:
    """The state of one calculation: the values not yet used, the pairs of outcomes and the dice so far."""

    def __init__(self, values: tuple[int, ...], arithmetic: Arithmetic) -> None:
        self.values: Iterator[int] = iter(values)
        self.arithmetic = arithmetic
        self.pairs = 0
        self.dice_before = 0

    def node(self, node: Node) -> Distribution:
        match node:
            case Number() | Resource():
                return _constant(self.value(node))
            case DiceTerm():
                number, sides, _ = self.dice_term(node)
                return Distribution.dice(number, sides)
            case Group(inner):
                return self.node(inner)
            case Sum(first, rest):
                return self.sum([("+", first), *rest])
            case Product(first, rest):
                product = self.node(first)
                for sign, part in rest:
                    product = self.operation(product, sign, self.node(part))
                return product

    def value(self, leaf: Number | Resource) -> int:
        return leaf.value if isinstance(leaf, Number) else next(self.values)

    def sum(self, chain: list[tuple[str, Node]]) -> Distribution:
        """Add up a chain: dice with the same factor in one step, then the smallest distributions first."""
        constant = 0
        by_factor: dict[int, Counter[int]] = {}
        parts: list[Distribution] = []
        for sign, node in chain:
            if isinstance(node, Number | Resource):
                constant += self.value(node) if sign == "+" else -self.value(node)
                continue
            group = self.dice_group(node)
            if group is None:
                part = self.node(node)
                parts.append(part if sign == "+" else -part)
                continue
            number, sides, times = group if sign == "+" else group._replace(times=-group.times)
            by_factor.setdefault(abs(times), Counter())[sides] += number
            # Minus a die is distributed as a die minus (sides + 1).
            constant += number * times * (sides + 1) if times < 0 else 0
        _check_outcomes(by_factor)
        dense: list[DiceGroup] = []
        for times, dice in by_factor.items():
            if 0 < times < SPARSE:
                dense += [DiceGroup(number, sides, times) for sides, number in dice.items()]
            else:
                groups = [DiceGroup(number, sides) for sides, number in dice.items()]
                parts.append(Distribution.from_dice_groups(groups) * times)
        if dense:
            parts.append(Distribution.from_dice_groups(dense))
        while len(parts) > 1:
            parts.sort(key=len, reverse=True)
            one, two = parts.pop(), parts.pop()
            if not (one.dense and two.dense):
                self.count_pairs(one, two)
            parts.append(one + two)
        return parts[0] + constant if parts else _constant(constant)

    def dice_group(self, node: Node) -> DiceGroup | None:
        """Return a node as dice times a factor; ``None`` when it is something else."""
        match node:
            case DiceTerm():
                return self.dice_term(node)
            case Product(DiceTerm() as term, (("*", Number() | Resource() as times),)):
                return self.dice_term(term)._replace(times=self.value(times))
            case Product(Number() | Resource() as times, (("*", DiceTerm() as term),)):
                factor = self.value(times)
                return self.dice_term(term)._replace(times=factor)
        return None

    def dice_term(self, term: DiceTerm) -> DiceGroup:
        number, sides = self.value(term.count), self.value(term.sides)
        check_limits(self.dice_before, number, sides)
        self.dice_before += number
        return DiceGroup(number, sides)

    def operation(self, left: Distribution, sign: str, right: Distribution) -> Distribution:
        self.count_pairs(left, right)
        if sign == "*":
            return left * right
        if right.exactly(0):
            return left.combine(right, lambda one, two: self.arithmetic.calculate(one, "/", two))
        return left // right

    def count_pairs(self, left: Distribution, right: Distribution) -> None:
        """Add the pairs of one operation, and raise an error when the text as a whole has too many."""
        self.pairs += len(left) * len(right)
        limits.PAIRS.check(self.pairs, hint="calculate with fewer dice")


def _check_outcomes(by_factor: Mapping[int, Mapping[int, int]]) -> None:
    """Refuse a sum of dice that certainly has too many outcomes.

    Where a factor is larger than the range of all that is added to it, no two of the sums are equal.
    """
    outcomes, width = 1, 0
    for times, dice in sorted(by_factor.items()):
        totals = sum(number * (sides - 1) for sides, number in dice.items()) + 1 if times else 1
        outcomes = outcomes * totals if times > width else max(outcomes, totals)
        width += (totals - 1) * times
    limits.OUTCOMES.check(outcomes, hint=FEWER_DICE)


def _constant(number: int) -> Distribution:
    return Distribution({number: 1})
