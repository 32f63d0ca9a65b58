"""The one walk that computes a tree, for whole numbers and for their distributions alike."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Final, Protocol, TypeVar, cast

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.rules.steps import COMPARISONS, Comparison, Operation
from dicedocs.syntax.tree import Call, Chain, Compared, Group, Labelled, Negation, Node, Number, Set, nodes, ungrouped

V = TypeVar("V")


def quotient(dividend: int, divisor: int) -> int:
    """Return a quotient, rounded down.

    Raises:
        DiceError: the divisor is 0.
    """
    if not divisor:
        raise DiceError(f"{dividend} / 0 has no value", hint="use a divisor other than 0")
    return dividend // divisor


def remainder(dividend: int, divisor: int) -> int:
    """Return a remainder.

    Raises:
        DiceError: the divisor is 0.
    """
    if not divisor:
        raise DiceError(f"{dividend} % 0 has no value", hint="use a divisor other than 0")
    return dividend % divisor


def product(left: int, right: int) -> int:
    """Return a product.

    Raises:
        LimitError: it has too many digits.
    """
    return _writable(left * right)


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
    return _writable(base**exponent)


def _writable(value: int) -> int:
    if value.bit_length() > 3 * limits.OUTCOME_DIGITS.maximum:
        limits.OUTCOME_DIGITS.check(value.bit_length() * 3 // 10, hint="use smaller numbers")
    return value


OPERATIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": product,
    "/": quotient,
    "%": remainder,
    "**": power,
    "min": min,
    "max": max,
    "ceil": lambda left, right: -quotient(-left, right),
    "round": lambda left, right: quotient(2 * left + right, 2 * right),
}
"""What each operator and each function of two numbers means; ``ceil`` and ``round`` are of a quotient."""
ROUNDED_ONCE: Final = frozenset({"ceil", "round"})
"""The functions that take a quotient as it is, before it is rounded down."""


class Arithmetic(Protocol[V]):
    """What the walk needs to know of the numbers it computes with."""

    def number(self, number: int) -> V:
        """Return a number that is written."""

    def add(self, terms: Sequence[tuple[str, Node]], value: Callable[[str, Node], V]) -> V:
        """Return the sum of some terms, each with its sign.

        Parameters:
            value: returns what a term comes to.
        """
        (sign, first), *rest = terms
        total = value(sign, first)
        for sign, term in rest:
            total = self.operate(sign, total, value(sign, term))
        return total

    def operate(self, name: str, left: V, right: V) -> V:
        """Return the value of one of the operations, or 1 or 0 for one of the comparisons."""

    def apply(self, function: Callable[[int], int], value: V) -> V:
        """Return the value of a function of one number."""

    def collect(self, members: Sequence[V]) -> V:
        """Return the sum of the members of a set."""

    def label(self, labels: Iterable[str], value: V, sign: int) -> None:
        """Note a value that has labels, and its sign."""


def compute(node: Node, leaf: Callable[[Node, int], V], on: Arithmetic[V], sign: int = 1) -> V:
    """Return what a tree comes to.

    Parameters:
        leaf: returns what dice, a set, or what only rules have comes to, given with the sign of what it adds.
        on: the arithmetic.
        sign: -1 where the node is subtracted, else 1.

    >>> from dicedocs.syntax.parser import parse_expression
    >>> compute(parse_expression("2 * (3 + 4)"), lambda leaf, sign: 0, WholeNumbers())
    14
    """
    match node:
        case Number(number):
            return on.number(number)
        case Group(inner):
            return compute(inner, leaf, on, sign)
        case Labelled(inner, labels):
            value = compute(inner, leaf, on, sign)
            on.label(labels, value, sign)
            return value
        case Chain(first, rest) if node.is_sum:
            return on.add([("+", first), *rest], lambda op, part: compute(part, leaf, on, -sign if op == "-" else sign))
        case Chain(first, rest):
            value = compute(first, leaf, on, sign)
            for op, part in rest:
                value = on.operate(op, value, compute(part, leaf, on, sign))
            return value
        case Negation(operand):
            return on.apply(operator.neg, compute(operand, leaf, on, -sign))
        case Compared(left, op, right):
            return on.operate(op, compute(left, leaf, on), compute(right, leaf, on))
        case Call(name, arguments):
            return _call(name, arguments, leaf, on)
        case Set(members, modifiers):
            if modifiers:
                return leaf(node, sign)
            return on.collect([compute(member, leaf, on, sign) for member in members])
        case _:
            return leaf(node, sign)


def _call(name: str, arguments: Sequence[Node], leaf: Callable[[Node, int], V], on: Arithmetic[V]) -> V:
    if name in ROUNDED_ONCE and (parts := _quotient(arguments[0])):
        dividend, divisor = parts
        return on.operate(name, compute(dividend, leaf, on), compute(divisor, leaf, on))
    values = [compute(argument, leaf, on) for argument in arguments]
    if name in {"min", "max"}:
        return reduce(partial(on.operate, name), values)
    return on.apply(abs, values[0]) if name == "abs" else values[0]


def _quotient(node: Node) -> tuple[Node, Node] | None:
    """Return what is divided, and by what; ``None`` if the last operation is no division."""
    match ungrouped(node):
        case Chain(first, (*before, ("/", divisor))):
            return Chain(first, tuple(before)) if before else first, divisor
    return None


def is_rounded_within(node: Node) -> bool:
    """Return whether a value has a quotient that is rounded down before the whole is known."""
    parts = _quotient(node) or (node,)
    inside = (each for part in parts for each in nodes(part))
    return any(isinstance(each, Chain) and "/" in dict(each.rest) for each in inside)


@dataclass
class Notes:
    """What is noted of a roll beside its value.

    Attributes:
        counts: how many dice are counted, by the name of the fact; a fact that is not asked for is missing.
        kept: what each die counts that is kept of dice with modifiers; ``None`` where no dice have any.
        members: what each member of a set comes to; ``None`` where there is no set.
        labels: the sum of the values with each label.
        faces: what each die counts of those that are noted one by one, without those that are dropped.
    """

    counts: dict[str, int] = field(default_factory=dict)
    kept: tuple[int, ...] | None = None
    members: tuple[int, ...] | None = None
    labels: dict[str, int] = field(default_factory=dict)
    faces: tuple[int, ...] = ()

    def label(self, labels: Iterable[str], value: int) -> None:
        """Add a value to each of its labels."""
        for label in labels:
            self.labels[label] = self.labels.get(label, 0) + value

    def add(self, member: Notes, *, dropped: bool, recounted: Collection[str] = ()) -> None:
        """Add what was noted of a member of a set; of one that is dropped no die and no label counts.

        Parameters:
            member: what was noted of it.
            dropped: whether it is dropped.
            recounted: the facts that the set counts anew, members in place of dice.
        """
        for fact in member.counts.keys() - recounted:
            self.counts[fact] = self.counts.get(fact, 0) + (0 if dropped else member.counts[fact])
        if member.kept is not None:
            self.kept = (*(self.kept or ()), *(() if dropped else member.kept))
        if member.members is not None:
            self.members = (*(self.members or ()), *member.members)
        if not dropped:
            self.faces += member.faces
            for label, value in member.labels.items():
                self.label((label,), value)


class WholeNumbers(Arithmetic[int]):
    """The arithmetic of whole numbers.

    Parameters:
        notes: where the labels and the members of sets are noted.

    Attributes:
        operations: what was computed, in the order in which it was, for the working.
    """

    def __init__(self, notes: Notes | None = None) -> None:
        self.operations: list[Operation] = []
        self._notes = notes or Notes()

    def number(self, number: int) -> int:
        return number

    def operate(self, name: str, left: int, right: int) -> int:
        if name in COMPARISONS:
            return int(COMPARISONS[cast("Comparison", name)](left, right))
        value = OPERATIONS[name](left, right)
        if not name.isalpha():
            self.operations.append(Operation(left, name, right, value))
        return value

    def apply(self, function: Callable[[int], int], value: int) -> int:
        return function(value)

    def collect(self, members: Sequence[int]) -> int:
        self._notes.members = (*(self._notes.members or ()), *members)
        return reduce(partial(self.operate, "+"), members)

    def label(self, labels: Iterable[str], value: int, sign: int) -> None:
        self._notes.label(labels, sign * value)
