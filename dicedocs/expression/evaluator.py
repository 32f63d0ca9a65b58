"""A tree compiled to a function that rolls it, and the arithmetic that a game may choose."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import count
from typing import Any, Final, NamedTuple, TypeAlias, overload

from dicedocs.errors import DiceError
from dicedocs.expression.operations import TO_DIVIDE, apply, calculate, power, quotient, rounded
from dicedocs.expression.played_dice import PlayedDice
from dicedocs.expression.pool_compiler import PoolCompiler, Run, RunOrNumber, function
from dicedocs.expression.rolled_text import rolled_text
from dicedocs.expression.tree import (
    Call,
    CheckTree,
    Collection,
    Compared,
    DiceTerm,
    Group,
    Labelled,
    Negation,
    Node,
    Number,
    Pool,
    Power,
    Product,
    Resource,
    Sum,
    Tree,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
)
from dicedocs.rules.steps import COMPARISONS

CompiledExpression: TypeAlias = Run
"""A function of dice and the values of the references that returns the value of an Expression, not clamped.

The dice of a tree of the full notation are :class:`~dicedocs.expression.played_dice.PlayedDice`.
"""
CompiledCheck: TypeAlias = Callable[[Any, tuple[int, ...]], tuple[int, int]]
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
    return _Compiler(arithmetic, full=False, told=False).tree(tree)


@overload
def compile_full_tree(tree: Node, arithmetic: Arithmetic, *, told: bool = False) -> CompiledExpression: ...
@overload
def compile_full_tree(tree: CheckTree, arithmetic: Arithmetic, *, told: bool = False) -> CompiledCheck: ...
def compile_full_tree(tree: Tree, arithmetic: Arithmetic, *, told: bool = False) -> CompiledExpression | CompiledCheck:
    """Compile a tree of the full notation to a function that rolls it.

    Nodes of different kinds may be equal, such as a sum in parentheses and its negation, so that the function cannot
    be cached by its tree.

    Parameters:
        told: whether the function records the working.

    Returns:
        The function, as that of :func:`compile_tree`, but of :class:`~dicedocs.expression.played_dice.PlayedDice`.

    >>> from dicedocs.expression.parser import parse_expression
    >>> from dicedocs.rules.dice import ScriptedDice
    >>> from dicedocs.rules.steps import SILENT
    >>> roll = compile_full_tree(parse_expression("4d6kh3", "notation"), STANDARD)
    >>> roll(PlayedDice(ScriptedDice([5, 2, 6, 3]), SILENT), ())
    14
    """
    return _Compiler(arithmetic, full=True, told=told).tree(tree)


class _Compiler(PoolCompiler):
    """The compiler of one tree.

    Parameters:
        arithmetic: the choices of the game.
        full: whether the tree may have what only the full notation has.
        told: whether the working is recorded, so that what stands in it is noted.
    """

    def __init__(self, arithmetic: Arithmetic, *, full: bool, told: bool) -> None:
        super().__init__(told=told)
        self._arithmetic = arithmetic
        self._is_full = full
        self._powers = False
        """Whether a power was compiled; no other text is long enough for a product with too many digits."""
        self._indexes = count()
        """The index, among the values, of each reference from left to right."""

    def tree(self, tree: Tree) -> CompiledExpression | CompiledCheck:
        """Compile an Expression, or both sides of a Check."""
        if isinstance(tree, CheckTree):
            left, right = self._whole(tree.left), self._whole(tree.right)
            return lambda dice, values: (left(dice, values), right(dice, values))
        return self._whole(tree)

    def _whole(self, tree: Node) -> CompiledExpression:
        run = function(self.node(tree))
        if not self.told:
            return run
        notation, rolled = format(tree), rolled_text(tree)

        def tell(dice: PlayedDice, values: tuple[int, ...]) -> int:
            value = run(dice, values)
            dice.conclude(notation, rolled, value)
            return value

        return tell

    def node(self, node: Node, sign: int = 1) -> RunOrNumber:
        """Compile a node to a function, or to a number when its value is constant.

        Parameters:
            sign: -1 where the value is subtracted, for the sums of the labels.
        """
        match node:
            case Number(value):
                return value
            case Resource():
                index = next(self._indexes)
                return self.shown(lambda _dice, values: values[index])
            case DiceTerm():
                return self.shown(self._dice(node))
            case Group(inner):
                return self.node(inner, sign)
            case Sum(first, rest):
                return self._sum([("+", first), *rest], sign)
            case Product(first, rest):
                return self._product(first, rest, sign)
            case _ if self._is_full:
                return self._full(node, sign)
            case _:
                raise TypeError("only a plain tree can be compiled")

    def _full(self, node: Node, sign: int) -> RunOrNumber:
        match node:
            case Pool():
                return self.shown(self.pool(node))
            case Collection(_, modifiers):
                return self.shown(self.collection(node)) if modifiers else self.collection(node)
            case Negation(operand):
                return _negated(self.node(operand, -sign))
            case Labelled(inner, labels):
                return _labelled(function(self.node(inner, sign)), labels, sign)
            case Power(base, exponent):
                self._powers = True
                left, right = function(self.node(base)), function(self.node(exponent))
                return lambda dice, values: power(left(dice, values), right(dice, values))
            case Compared(left_side, op, right_side):
                left, right = function(self.node(left_side)), function(self.node(right_side))
                compare = COMPARISONS[op]
                return lambda dice, values: int(compare(left(dice, values), right(dice, values)))
            case Call(name, arguments):
                return self._call(name, arguments)
            case _:
                raise TypeError("only a node of a tree can be compiled")

    def _dice(self, term: DiceTerm) -> RunOrNumber:
        number, sides = term
        if isinstance(number, Number) and isinstance(sides, Number):
            dice_count, dice_sides = number.value, sides.value
            return (lambda dice, _values: dice.total(dice_count, dice_sides)) if dice_count else 0
        if isinstance(sides, Number):
            index, dice_sides = next(self._indexes), sides.value
            return lambda dice, values: dice.total(values[index], dice_sides) if values[index] else 0
        if isinstance(number, Number):
            index, dice_count = next(self._indexes), number.value
            return (lambda dice, values: dice.total(dice_count, values[index])) if dice_count else 0
        index, sides_index = next(self._indexes), next(self._indexes)
        return lambda dice, values: dice.total(values[index], values[sides_index]) if values[index] else 0

    def _sum(self, chain: list[tuple[str, Node]], sign: int) -> RunOrNumber:
        """Compile a chain of terms; constant terms are added up once, since the order of a sum does not matter."""
        constant = 0
        parts: list[CompiledExpression] = []
        for op, node in chain:
            part = self.node(node, sign if op == "+" else -sign)
            if isinstance(part, int):
                constant += part if op == "+" else -part
            else:
                parts.append(part if op == "+" else function(_negated(part)))
        if not parts:
            return constant
        if len(parts) == 1:
            return _plus(parts[0], constant) if constant else parts[0]
        if len(parts) == 2:
            one, two = parts
            return lambda dice, values: one(dice, values) + two(dice, values) + constant

        def add(dice: Any, values: tuple[int, ...]) -> int:
            total = constant
            for part in parts:
                total += part(dice, values)
            return total

        return add

    def _product(self, first: Node, rest: tuple[tuple[str, Node], ...], sign: int) -> RunOrNumber:
        """Compile a chain of factors in its order, since each division rounds down where it stands."""
        start = self.node(first, sign)
        steps: list[tuple[str, RunOrNumber]] = []
        for op, node in rest:
            part = self.node(node, sign)
            if isinstance(start, int) and isinstance(part, int) and not steps and self._has_value(op, part):
                start = calculate(self._arithmetic, start, op, part)
            else:
                steps.append((op, part))
        if not steps:
            return start
        if len(steps) == 1:
            return self._one_step(function(start), *steps[0])
        return self._steps(function(start), [(op, function(part)) for op, part in steps])

    def _has_value(self, op: str, right: int) -> bool:
        """Return whether an operation has a value; one that has none must fail when it is rolled, not before."""
        return op == "*" or right != 0 or (op == "/" and self._arithmetic.by_zero is not None)

    def _one_step(self, left: CompiledExpression, op: str, right: RunOrNumber) -> CompiledExpression:
        """Compile a product of two factors, by far the most common."""
        arithmetic, part = self._arithmetic, function(right)
        if op == "*" and not self._powers:
            if isinstance(right, int):
                return lambda dice, values: left(dice, values) * right
            return lambda dice, values: left(dice, values) * part(dice, values)
        if op == "/" and isinstance(right, int) and right:
            return lambda dice, values: left(dice, values) // right
        return lambda dice, values: calculate(arithmetic, left(dice, values), op, part(dice, values))

    def _steps(self, left: CompiledExpression, steps: list[tuple[str, CompiledExpression]]) -> CompiledExpression:
        arithmetic = self._arithmetic

        def multiply(dice: Any, values: tuple[int, ...]) -> int:
            product = left(dice, values)
            for op, part in steps:
                product = calculate(arithmetic, product, op, part(dice, values))
            return product

        return multiply

    def _call(self, name: str, arguments: tuple[Node, ...]) -> RunOrNumber:
        parts = quotient(arguments[0]) if name in TO_DIVIDE else None
        if parts is not None:
            left, right = function(self.node(parts[0])), function(self.node(parts[1]))
            return lambda dice, values: rounded(name, left(dice, values), right(dice, values))
        functions = [function(self.node(argument)) for argument in arguments]
        return lambda dice, values: apply(name, [function(dice, values) for function in functions])


def _plus(part: CompiledExpression, constant: int) -> CompiledExpression:
    return lambda dice, values: part(dice, values) + constant


def _negated(part: RunOrNumber) -> RunOrNumber:
    return -part if isinstance(part, int) else lambda dice, values: -part(dice, values)


def _labelled(part: CompiledExpression, labels: tuple[str, ...], sign: int) -> CompiledExpression:
    def label(dice: PlayedDice, values: tuple[int, ...]) -> int:
        value = part(dice, values)
        dice.label(labels, sign * value)
        return value

    return label
