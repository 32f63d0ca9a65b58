"""The operations and functions of the full notation, on whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.expression.tree import Group, Node, Product

if TYPE_CHECKING:
    from dicedocs.expression.evaluator import Arithmetic

TO_DIVIDE: Final = frozenset({"ceil", "round"})
"""The functions whose value of a quotient is not the quotient rounded down."""


def calculate(arithmetic: Arithmetic, left: int, operator: str, right: int) -> int:
    """Return the value of one operation, which may be a remainder.

    Raises:
        DiceError: the divisor is 0.
        LimitError: the value has too many digits.

    >>> from dicedocs.expression.evaluator import Arithmetic
    >>> calculate(Arithmetic(None, None), 13, "%", 5)
    3
    """
    if operator == "%":
        if not right:
            raise DiceError(f"{left} % 0 has no value", hint="use a divisor other than 0")
        return left % right
    value = arithmetic.calculate(left, operator, right)
    return check_digits(value) if operator == "*" else value


def power(base: int, exponent: int) -> int:
    """Return a base raised to an exponent.

    Raises:
        DiceError: the exponent is negative.
        LimitError: the value has too many digits.

    >>> power(2, 10)
    1024
    """
    if exponent < 0:
        raise DiceError(f"{base} ** {exponent} is not a whole number", hint="use an exponent of 0 or more")
    if abs(base) > 1 and base.bit_length() * exponent > 4 * limits.OUTCOME_DIGITS.maximum:
        limits.OUTCOME_DIGITS.check(base.bit_length() * exponent // 3, hint="use smaller numbers")
    return check_digits(base**exponent)


def check_digits(value: int) -> int:
    """Return a value, after checking that it can be written."""
    if value.bit_length() > 3 * limits.OUTCOME_DIGITS.maximum:
        limits.OUTCOME_DIGITS.check(value.bit_length() * 3 // 10, hint="use smaller numbers")
    return value


def quotient(node: Node) -> tuple[Node, Node] | None:
    """Return the dividend and the divisor of a node that ends in a division; ``None`` for any other.

    >>> from dicedocs.expression.tree import Number
    >>> quotient(Product(Number(7), (("/", Number(2)),)))
    (Number(value=7), Number(value=2))
    """
    while isinstance(node, Group):
        node = node.inner
    if not isinstance(node, Product) or node.rest[-1][0] != "/":
        return None
    *before, (_, divisor) = node.rest
    return (Product(node.first, tuple(before)) if before else node.first), divisor


def rounded(function: str, left: int, right: int) -> int:
    """Return a quotient rounded up, or to the nearest whole number, a half up.

    >>> rounded("ceil", 7, 2), rounded("round", 7, 3)
    (4, 2)
    """
    if not right:
        raise DiceError(f"{left} / 0 has no value", hint="use a divisor other than 0")
    if function == "ceil":
        return -(-left // right)
    return (2 * left + right) // (2 * right)


def apply(function: str, values: Sequence[int]) -> int:
    """Return the value of a function of whole numbers.

    >>> apply("max", [2, 5]), apply("abs", [-3])
    (5, 3)
    """
    if function == "max":
        return max(values)
    if function == "min":
        return min(values)
    return abs(values[0]) if function == "abs" else values[0]
