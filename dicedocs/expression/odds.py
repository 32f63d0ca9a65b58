"""A tree counted: the exact distribution of an Expression.

The dice of its parts are independent, so each part has a distribution of its own and the signs
between them are arithmetic of distributions.
"""

from __future__ import annotations

from collections.abc import Iterator

from dicedocs import limits
from dicedocs.distribution import Distribution
from dicedocs.expression.evaluator import Arithmetic
from dicedocs.expression.tree import CheckTree, DiceTerm, Group, Node, Number, Product, Resource, Sum


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
    return raw if lowest is None or raw.values[0] >= lowest else raw.map(arithmetic.clamp)


class _Counting:
    """The counting of one text: the values that are left of its references, and the pairs it has cost."""

    def __init__(self, values: tuple[int, ...], arithmetic: Arithmetic) -> None:
        self.values: Iterator[int] = iter(values)
        self.arithmetic = arithmetic
        self.pairs = 0

    def node(self, node: Node) -> Distribution:
        match node:
            case Number() | Resource():
                return _certain(self.value(node))
            case DiceTerm(number, sides):
                return Distribution.dice(self.value(number), self.value(sides))
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
        equal: dict[int, int] = {}
        parts: list[Distribution] = []
        for sign, node in chain:
            if isinstance(node, Number | Resource):
                constant += self.value(node) if sign == "+" else -self.value(node)
            elif isinstance(node, DiceTerm):
                number, sides = self.value(node.count), self.value(node.sides)
                equal[sides] = equal.get(sides, 0) + number
                # A die that is taken away is one that is added, counted from its other end.
                constant -= 0 if sign == "+" else number * (sides + 1)
            else:
                part = self.node(node)
                parts.append(part if sign == "+" else -part)
        parts += [Distribution.dice(number, sides) for sides, number in equal.items()]
        while len(parts) > 1:
            parts.sort(key=len, reverse=True)
            one, two = parts.pop(), parts.pop()
            parts.append(one + two)
        return parts[0] + constant if parts else _certain(constant)

    def calculated(self, left: Distribution, sign: str, right: Distribution) -> Distribution:
        self.pairs += len(left) * len(right)
        limits.PAIRS.check(self.pairs, hint="multiply fewer dice")
        if sign == "*":
            return left * right
        if right.exactly(0):
            return left.combine(right, lambda one, two: self.arithmetic.calculate(one, "/", two))
        return left // right


def _certain(number: int) -> Distribution:
    return Distribution({number: 1})
