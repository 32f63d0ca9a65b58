"""A tree compiled to a function that rolls it, and the arithmetic that a game may choose."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple, TypeAlias, overload

from dicedocs.errors import DiceError
from dicedocs.expression.tree import (
    CheckTree,
    DiceTerm,
    Group,
    Node,
    Number,
    Product,
    Resource,
    Sum,
    Tree,
)
from dicedocs.rules.dice import Dice

CompiledExpression: TypeAlias = Callable[[Dice, tuple[int, ...]], int]
"""A function of dice and the values of the references that returns the value of an Expression, not clamped."""
CompiledCheck: TypeAlias = Callable[[Dice, tuple[int, ...]], tuple[int, int]]
"""The same for both sides of a Check, the left side first."""

_CACHE_SIZE = 1024


class Arithmetic(NamedTuple):
    """The choices a game has in the arithmetic of its Expressions.

    Parameters:
        lowest: the minimum value of a whole Expression, to which lower values are raised; ``None`` for no minimum.
        by_zero: the value of a quotient whose divisor is 0; ``None`` makes it an error.
    """

    lowest: int | None = 0
    by_zero: int | None = 0

    def clamp(self, raw: int) -> int:
        """Return the value of a whole Expression, raised to the minimum.

        >>> Arithmetic().clamp(-3), Arithmetic(lowest=None).clamp(-3)
        (0, -3)
        """
        return raw if self.lowest is None or raw >= self.lowest else self.lowest

    def calculate(self, left: int, sign: str, right: int) -> int:
        """Return the value of one operation; a division rounds down.

        Raises:
            DiceError: the divisor is 0, and ``by_zero`` is ``None``.

        >>> Arithmetic().calculate(-3, "/", 2), Arithmetic().calculate(10, "/", 0)
        (-2, 0)
        """
        if sign != "/":
            return OPERATORS[sign](left, right)
        if right:
            return left // right
        if self.by_zero is None:
            raise DiceError(f"{left} / 0 has no value", hint="use a divisor other than 0")
        return self.by_zero


OPERATORS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
"""The operators whose value needs no rule of the game."""
STANDARD: Final = Arithmetic()
"""A value is at least 0, and a quotient whose divisor is 0 is 0."""


@overload
def compile_tree(tree: Node, arithmetic: Arithmetic = STANDARD) -> CompiledExpression: ...
@overload
def compile_tree(tree: CheckTree, arithmetic: Arithmetic = STANDARD) -> CompiledCheck: ...
@lru_cache(_CACHE_SIZE)
def compile_tree(tree: Tree, arithmetic: Arithmetic = STANDARD) -> CompiledExpression | CompiledCheck:
    """Compile a plain tree to a function that rolls it.

    Returns:
        A function of dice and the values from :func:`~dicedocs.expression.references.resolve_references`. It throws
        the dice from left to right and returns the value, not clamped; for a Check the values of both sides.

    >>> from dicedocs.rules.dice import ScriptedDice
    >>> compile_tree(DiceTerm(Number(2), Number(6)))(ScriptedDice([3, 5]), ())
    8
    """
    indexes = count()
    if isinstance(tree, CheckTree):
        left = _function(_compile(tree.left, indexes, arithmetic))
        right = _function(_compile(tree.right, indexes, arithmetic))
        return lambda dice, values: (left(dice, values), right(dice, values))
    return _function(_compile(tree, indexes, arithmetic))


def _function(part: CompiledExpression | int) -> CompiledExpression:
    return (lambda _dice, _values: part) if isinstance(part, int) else part


def _compile(node: Node, indexes: Iterator[int], arithmetic: Arithmetic) -> CompiledExpression | int:
    """Compile a node to a function, or to a number when its value is constant.

    Parameters:
        indexes: yields the index, among the values, of each reference from left to right.
    """
    match node:
        case Number(value):
            return value
        case Resource():
            index = next(indexes)
            return lambda _dice, values: values[index]
        case DiceTerm():
            return _compile_dice(node, indexes)
        case Group(inner):
            return _compile(inner, indexes, arithmetic)
        case Sum(first, rest):
            return _compile_sum([("+", first), *rest], indexes, arithmetic)
        case Product(first, rest):
            return _compile_product(first, rest, indexes, arithmetic)
        case _:
            raise TypeError("only a plain tree can be compiled")


def _compile_dice(term: DiceTerm, indexes: Iterator[int]) -> CompiledExpression | int:
    number, sides = term
    if isinstance(number, Number) and isinstance(sides, Number):
        dice_count, dice_sides = number.value, sides.value
        return (lambda dice, _values: dice.total(dice_count, dice_sides)) if dice_count else 0
    if isinstance(sides, Number):
        index, dice_sides = next(indexes), sides.value
        return lambda dice, values: dice.total(values[index], dice_sides) if values[index] else 0
    if isinstance(number, Number):
        index, dice_count = next(indexes), number.value
        return (lambda dice, values: dice.total(dice_count, values[index])) if dice_count else 0
    index, sides_index = next(indexes), next(indexes)
    return lambda dice, values: dice.total(values[index], values[sides_index]) if values[index] else 0


def _compile_sum(
    chain: list[tuple[str, Node]], indexes: Iterator[int], arithmetic: Arithmetic
) -> CompiledExpression | int:
    """Compile a chain of terms; constant terms are added up once, since the order of a sum does not matter."""
    constant = 0
    parts: list[CompiledExpression] = []
    for sign, node in chain:
        part = _compile(node, indexes, arithmetic)
        if isinstance(part, int):
            constant += part if sign == "+" else -part
        else:
            parts.append(part if sign == "+" else _negated(part))
    if not parts:
        return constant
    if len(parts) == 1:
        return _plus(parts[0], constant) if constant else parts[0]
    if len(parts) == 2:
        one, two = parts
        return lambda dice, values: one(dice, values) + two(dice, values) + constant

    def add(dice: Dice, values: tuple[int, ...]) -> int:
        total = constant
        for part in parts:
            total += part(dice, values)
        return total

    return add


def _plus(part: CompiledExpression, constant: int) -> CompiledExpression:
    return lambda dice, values: part(dice, values) + constant


def _negated(part: CompiledExpression) -> CompiledExpression:
    return lambda dice, values: -part(dice, values)


def _compile_product(
    first: Node, rest: tuple[tuple[str, Node], ...], indexes: Iterator[int], arithmetic: Arithmetic
) -> CompiledExpression | int:
    """Compile a chain of factors in its order, since each division rounds down where it stands."""
    start = _compile(first, indexes, arithmetic)
    steps: list[tuple[str, CompiledExpression | int]] = []
    for sign, node in rest:
        part = _compile(node, indexes, arithmetic)
        if isinstance(start, int) and isinstance(part, int) and not steps and _has_value(sign, part, arithmetic):
            start = arithmetic.calculate(start, sign, part)
        else:
            steps.append((sign, part))
    if not steps:
        return start
    if len(steps) == 1:
        return _compile_one_step(_function(start), *steps[0], arithmetic)
    return _compile_steps(_function(start), [(sign, _function(part)) for sign, part in steps], arithmetic)


def _has_value(sign: str, right: int, arithmetic: Arithmetic) -> bool:
    """Return whether an operation has a value; one that has none must fail when it is rolled, not before."""
    return sign == "*" or right != 0 or arithmetic.by_zero is not None


def _compile_one_step(
    left: CompiledExpression, sign: str, right: CompiledExpression | int, arithmetic: Arithmetic
) -> CompiledExpression:
    """Compile a product of two factors, by far the most common."""
    if isinstance(right, int):
        if sign == "*":
            return lambda dice, values: left(dice, values) * right
        if right:
            return lambda dice, values: left(dice, values) // right
    part = _function(right)
    if sign == "*":
        return lambda dice, values: left(dice, values) * part(dice, values)
    divide = arithmetic.calculate
    return lambda dice, values: divide(left(dice, values), "/", part(dice, values))


def _compile_steps(
    left: CompiledExpression, steps: list[tuple[str, CompiledExpression]], arithmetic: Arithmetic
) -> CompiledExpression:
    calculate = arithmetic.calculate

    def multiply(dice: Dice, values: tuple[int, ...]) -> int:
        product = left(dice, values)
        for sign, part in steps:
            product = calculate(product, sign, part(dice, values))
        return product

    return multiply
