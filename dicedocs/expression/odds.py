"""A tree counted: the exact distribution of an Expression.

The dice of its parts are independent, so each part has a distribution of its own and the signs
between them are arithmetic of distributions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dicedocs import limits
from dicedocs.expression.evaluator import Arithmetic
from dicedocs.expression.tree import CheckTree, DiceTerm, Group, Node, Number, Product, Resource, Sum
from dicedocs.probability.convolution import DiceGroup
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.frequency_table import SPARSE
from dicedocs.rules.dice import check_limits


def counted(tree: Node, values: tuple[int, ...], arithmetic: Arithmetic) -> Distribution:
    """Give the distribution of an Expression, not clamped.

    Parameters:
        tree: the Expression.
        values: the values of its references, as :func:`~dicedocs.expression.evaluator.substitution` gives them.
        arithmetic: what a quotient by 0 is.

    Raises:
        LimitError: there are too many outcomes, or pairs of them.

    >>> counted(DiceTerm(Number(1), Number(4)), (), Arithmetic()).values
    (1, 2, 3, 4)
    """
    return _Counting(values, arithmetic).node(tree)


def counted_both(tree: CheckTree, values: tuple[int, ...], arithmetic: Arithmetic) -> tuple[Distribution, Distribution]:
    """Give the distributions of both sides of a Check, not clamped; they are independent.

    Raises:
        LimitError: as for :func:`counted`.
    """
    counting = _Counting(values, arithmetic)
    return counting.node(tree.left), counting.node(tree.right)


def clamped(raw: Distribution, arithmetic: Arithmetic) -> Distribution:
    """Give the distribution of a whole Expression from the one that is not clamped."""
    lowest = arithmetic.lowest
    return raw if lowest is None or not raw.at_most(lowest - 1) else raw.map(arithmetic.clamp)


class _Counting:
    """The counting of one text: the references' values that are left, the pairs it has cost, and its dice so far."""

    def __init__(self, values: tuple[int, ...], arithmetic: Arithmetic) -> None:
        self.values: Iterator[int] = iter(values)
        self.arithmetic = arithmetic
        self.pairs = 0
        self.dice_before = 0

    def node(self, node: Node) -> Distribution:
        match node:
            case Number() | Resource():
                return _certain(self.value(node))
            case DiceTerm():
                number, sides, _ = self.thrown(node)
                return Distribution.dice(number, sides)
            case Group(inner):
                return self.node(inner)
            case Sum(first, rest):
                return self.sum([("+", first), *rest])
            case Product(first, rest):
                product = self.node(first)
                for sign, part in rest:
                    product = self.calculated(product, sign, self.node(part))
                return product

    def value(self, leaf: Number | Resource) -> int:
        return leaf.value if isinstance(leaf, Number) else next(self.values)

    def sum(self, chain: list[tuple[str, Node]]) -> Distribution:
        """Add up a chain: equal dice are thrown together, and what has few values is added first."""
        constant = 0
        thrown: dict[int, Counter[int]] = {}
        parts: list[Distribution] = []
        for sign, node in chain:
            if isinstance(node, Number | Resource):
                constant += self.value(node) if sign == "+" else -self.value(node)
                continue
            term = self.dice(node)
            if term is None:
                part = self.node(node)
                parts.append(part if sign == "+" else -part)
                continue
            number, sides, times = term if sign == "+" else term._replace(times=-term.times)
            thrown.setdefault(abs(times), Counter())[sides] += number
            # A die that is taken away is one that is added, counted from its other end.
            constant += number * times * (sides + 1) if times < 0 else 0
        close: list[DiceGroup] = []
        for times, dice in thrown.items():
            if 0 < times < SPARSE:
                close += [DiceGroup(number, sides, times) for sides, number in dice.items()]
            else:
                parts.append(
                    Distribution.from_dice_groups([DiceGroup(number, sides) for sides, number in dice.items()]) * times
                )
        if close:
            parts.append(Distribution.from_dice_groups(close))
        while len(parts) > 1:
            parts.sort(key=len, reverse=True)
            one, two = parts.pop(), parts.pop()
            if not (one.dense and two.dense):
                self.pay(one, two)
            parts.append(one + two)
        return parts[0] + constant if parts else _certain(constant)

    def dice(self, node: Node) -> DiceGroup | None:
        """Give the dice that a part is, each of which may count several times; nothing when it is something else."""
        match node:
            case DiceTerm():
                return self.thrown(node)
            case Product(DiceTerm() as term, (("*", Number() | Resource() as times),)):
                return self.thrown(term)._replace(times=self.value(times))
            case Product(Number() | Resource() as times, (("*", DiceTerm() as term),)):
                factor = self.value(times)
                return self.thrown(term)._replace(times=factor)
        return None

    def thrown(self, term: DiceTerm) -> DiceGroup:
        """Give the dice of a term, and refuse what could not be rolled."""
        number, sides = self.value(term.count), self.value(term.sides)
        check_limits(self.dice_before, number, sides)
        self.dice_before += number
        return DiceGroup(number, sides)

    def calculated(self, left: Distribution, sign: str, right: Distribution) -> Distribution:
        self.pay(left, right)
        if sign == "*":
            return left * right
        if right.exactly(0):
            return left.combine(right, lambda one, two: self.arithmetic.calculate(one, "/", two))
        return left // right

    def pay(self, left: Distribution, right: Distribution) -> None:
        """Refuse a text that costs too many pairs of outcomes, all its arithmetic together."""
        self.pairs += len(left) * len(right)
        limits.PAIRS.check(self.pairs, hint="calculate with fewer dice")


def _certain(number: int) -> Distribution:
    return Distribution({number: 1})
