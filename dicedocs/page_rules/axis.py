"""What chooses a row of a table, or a column of a matrix: ``d6``, ``2d6 + danger``, ``armour``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise, product
from typing import NamedTuple, TypeAlias

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, quoted
from dicedocs.expression.odds import tree_distribution
from dicedocs.expression.pool_odds import NotCountedError
from dicedocs.expression.references import references
from dicedocs.syntax.faces import DieFaces
from dicedocs.syntax.modifiers import PoolRules
from dicedocs.syntax.ranges import OPEN, Range, enclosing
from dicedocs.syntax.rule_values import parse_rule_value
from dicedocs.syntax.tree import (
    Call,
    Cases,
    Chain,
    Compared,
    DiceTerm,
    Group,
    Logic,
    Negation,
    Node,
    Number,
    Play,
    Question,
    Reference,
    Set,
    Words,
    nodes,
    position,
)


class Axis(NamedTuple):
    """What chooses a row.

    Parameters:
        text: as written.
        tree: a notation, in which parameters are references.
        names: the parameters, as written.
    """

    text: str
    tree: Node
    names: tuple[str, ...]

    @property
    def throws(self) -> bool:
        """Whether any die is thrown for it."""
        return not isinstance(self.tree, Reference)


def read_axis(text: str) -> Axis:
    """Return what a text says: a value of the language of rules, in which a bare word names a parameter.

    Raises:
        DiceError: it is no value, or one that is not a number.

    >>> read_axis("d6 + danger").names, read_axis("attack").throws
    (('danger',), False)
    """
    tree = parse_rule_value(text)
    no_number = Cases | Compared | Logic | Play | Question | Words
    other = next((each for each in nodes(tree) if isinstance(each, no_number)), None)
    if other is not None:
        hint = "write dice, and a name for what is added, as in 2d6 + danger"
        raise NotationError(f"{quoted(text)} is no number that chooses a row", text=text, at=position(other), hint=hint)
    return Axis(text, tree, tuple(dict.fromkeys(each.name for each in references(tree))))


Reach: TypeAlias = Sequence[int] | Range
"""The numbers that a value can come to, in their order; where these are unknown, how low and how high they can be."""


def find_reach(tree: Node, values: Mapping[str, Reach]) -> Reach:
    """Return the numbers that a value can come to.

    Parameters:
        tree: the value.
        values: those that each of its names can have.

    >>> find_reach(read_axis("2d6 + danger").tree, {"danger": range(4)})
    range(2, 16)
    >>> find_reach(read_axis("d66").tree, {})[:7]
    (11, 12, 13, 14, 15, 16, 21)
    >>> find_reach(read_axis("1d2 + 4 + 10 * 1d2").tree, {})
    (15, 16, 25, 26)
    >>> find_reach(read_axis("2 * 1d3 - 1d2").tree, {})
    range(0, 6)
    >>> print(find_reach(parse_rule_value("min(heat + 1, 9)"), {"heat": Range(0, None)}))
    1–9
    """
    match tree:
        case Number(value):
            return range(value, value + 1)
        case Reference():
            return values.get(tree.name, OPEN)
        case Group(inner):
            return find_reach(inner, values)
        case Negation(inner):
            return _scaled(find_reach(inner, values), -1)
        case DiceTerm(Number(count), Number(sides), ()):
            return range(count, count * sides + 1)
        case DiceTerm(Number(1), DieFaces() as die, ()):
            return tuple(sorted(set(die.values)))
        case Chain(first, rest) if tree.is_sum:
            reach = find_reach(first, values)
            for sign, operand in rest:
                reach = _sum(reach, _scaled(find_reach(operand, values), -1 if sign == "-" else 1))
            return reach
        case Chain(first, (("*", Number(factor)),)):
            return _scaled(find_reach(first, values), factor)
        case Chain(first, (("/", Number(divisor)),)) if divisor and references(first):
            return Range(*(None if end is None else end // divisor for end in _ends(find_reach(first, values))))
        case Chain(first, (("%", Number(divisor)),)) if divisor and references(first):
            return range(divisor)
    if not references(tree):
        with suppress(DiceError, NotCountedError):
            return tuple(sorted(tree_distribution(tree)))
    match tree:
        case Call("min" | "max" as which, arguments):
            ends = [_ends(find_reach(each, values)) for each in arguments]
            whole = enclosing(ends)
            # One known end bounds the smallest from above, and the greatest from below.
            if which == "min":
                return Range(whole.low, min((end.high for end in ends if end.high is not None), default=None))
            return Range(max((end.low for end in ends if end.low is not None), default=None), whole.high)
        case Cases(cases, otherwise):
            return enclosing([_ends(find_reach(each, values)) for each in (*(value for value, _ in cases), otherwise)])
    return OPEN


def find_numbers(tree: Node, values: Mapping[str, Reach]) -> Sequence[int] | None:
    """Return the numbers that a value can come to, in their order; ``None`` if they have no end, or are unknown."""
    reach = find_reach(tree, values)
    return None if isinstance(reach, Range) else reach


def find_certain(tree: Node, values: Mapping[str, Reach]) -> Reach:
    """Return the numbers that a value can come to; nothing is said of dice that may explode for ever.

    >>> find_certain(read_axis("2d2 * 10").tree, {}), find_certain(read_axis("1d6!").tree, {}) == OPEN
    ((20, 30, 40), True)
    """
    return find_reach(tree, values) if ends(tree) else OPEN


def ends(tree: Node) -> bool:
    """Return whether no dice explode, which may go on for ever."""
    pools = (each for each in nodes(tree) if isinstance(each, DiceTerm | Set))
    return all(PoolRules(each.modifiers).explode is None for each in pools)


def find_bounds(tree: Node, values: Mapping[str, Reach]) -> Range:
    """Return how low and how high a value can be, as :func:`find_certain` knows it.

    >>> print(find_bounds(read_axis("4d6kh3 + 1").tree, {}))
    4–19
    """
    return _ends(find_certain(tree, values))


def _ends(reach: Reach) -> Range:
    return reach if isinstance(reach, Range) else Range(reach[0], reach[-1]) if reach else OPEN


def _scaled(reach: Reach, factor: int) -> Reach:
    if isinstance(reach, Range):
        ends = [None if end is None else factor * end for end in reach]
        return Range(*(ends if factor > 0 else reversed(ends))) if factor else range(1)
    if factor == 1:
        return reach
    if factor == -1 and isinstance(reach, range):
        return range(-reach[-1], -reach[0] + 1) if reach.step == 1 else tuple(sorted(-number for number in reach))
    return tuple(sorted(factor * number for number in reach))


def _sum(one: Reach, other: Reach) -> Reach:
    (low, high), (lowest, highest) = _ends(one), _ends(other)
    bounds = Range(
        None if low is None or lowest is None else low + lowest,
        None if high is None or highest is None else high + highest,
    )
    if isinstance(one, Range) or isinstance(other, Range):
        return bounds
    # Where one has no gaps, and those of the other are no wider than it is long, the sum has none.
    for whole, rest in ((one, other), (other, one)):
        gaps = rest.step if isinstance(rest, range) else max((high - low for low, high in pairwise(rest)), default=1)
        if isinstance(whole, range) and gaps <= whole[-1] - whole[0] + 1:
            return range(one[0] + other[0], one[-1] + other[-1] + 1)
    if len(one) * len(other) > limits.OUTCOMES.maximum:
        return bounds
    return tuple(sorted({sum(pair) for pair in product(one, other)}))
