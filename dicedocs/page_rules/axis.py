"""What chooses a row of a table, or a column of a matrix: ``d6``, ``2d6 + danger``, ``armour``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, quoted
from dicedocs.expression.odds import tree_distribution
from dicedocs.expression.pool_odds import NotCountedError
from dicedocs.expression.references import references
from dicedocs.syntax.faces import DieFaces
from dicedocs.syntax.ranges import Range
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
    Question,
    Reference,
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
    other = next((each for each in nodes(tree) if isinstance(each, Cases | Compared | Logic | Question | Words)), None)
    if other is not None:
        hint = "write dice, and perhaps names, as in 2d6 + danger"
        raise NotationError(f"{quoted(text)} is no number that chooses a row", text=text, at=position(other), hint=hint)
    return Axis(text, tree, tuple(dict.fromkeys(each.name for each in references(tree))))


def find_reach(tree: Node, values: Mapping[str, Sequence[int] | None]) -> Sequence[int] | None:
    """Return the numbers that a notation can come to, in their order; ``None`` if these have no end, or are unknown.

    Parameters:
        tree: the notation.
        values: those that each of its references can have, in their order; ``None`` where these have no end.

    >>> find_reach(read_axis("2d6 + danger").tree, {"danger": range(4)})
    range(2, 16)
    >>> find_reach(read_axis("d66").tree, {})[:7]
    (11, 12, 13, 14, 15, 16, 21)
    >>> find_reach(read_axis("1d2 + 4 + 10 * 1d2").tree, {})
    (15, 16, 25, 26)
    """
    match tree:
        case Number(value):
            return range(value, value + 1)
        case Reference():
            return values.get(tree.name)
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
    if references(tree):
        return None
    try:
        return tuple(sorted(tree_distribution(tree)))
    except (DiceError, NotCountedError):
        return None


def find_bounds(tree: Node, values: Mapping[str, Range]) -> Range:
    """Return how low and how high a value without modifiers can be; an end that is unknown is left open.

    Parameters:
        tree: the value.
        values: the bounds of its names.

    >>> print(find_bounds(parse_rule_value("min(heat + 1, 9)"), {"heat": Range(0, None)}))
    1–9
    """
    match tree:
        case Number(value):
            return Range(value, value)
        case Reference():
            return values.get(tree.name, _OPEN)
        case Group(inner):
            return find_bounds(inner, values)
        case Negation(inner):
            low, high = find_bounds(inner, values)
            return Range(None if high is None else -high, None if low is None else -low)
        case DiceTerm(Number(count), Number(sides), ()):
            return Range(count, count * sides)
        case DiceTerm(Number(1), DieFaces() as die, ()):
            return Range(min(die.values), max(die.values))
        case Chain(first, rest) if tree.is_sum:
            ends = [find_bounds(first, values)]
            for sign, operand in rest:
                ends.append(find_bounds(Negation(operand) if sign == "-" else operand, values))
            lows, highs = zip(*ends, strict=True)
            return Range(None if None in lows else sum(lows), None if None in highs else sum(highs))
        case Call("min" | "max" as which, arguments):
            lows, highs = zip(*(find_bounds(each, values) for each in arguments), strict=True)
            known = [[end for end in ends if end is not None] for ends in (lows, highs)]
            # One known end bounds the smallest from above, and the greatest from below.
            if which == "min":
                return Range(None if None in lows else min(lows), min(known[1], default=None))
            return Range(max(known[0], default=None), None if None in highs else max(highs))
        case Cases(cases, otherwise):
            lows, highs = zip(
                *(find_bounds(each, values) for each in (*(value for value, _ in cases), otherwise)), strict=True
            )
            return Range(None if None in lows else min(lows), None if None in highs else max(highs))
    return _OPEN


_OPEN: Final = Range(None, None)


def _scaled(reach: Sequence[int] | None, factor: int) -> Sequence[int] | None:
    if reach is None or factor == 1:
        return reach
    if factor == -1 and isinstance(reach, range):
        return range(-reach[-1], -reach[0] + 1) if reach.step == 1 else tuple(sorted(-number for number in reach))
    return tuple(sorted(factor * number for number in reach))


def _sum(one: Sequence[int] | None, other: Sequence[int] | None) -> Sequence[int] | None:
    if not one or not other:
        return None
    # Where one has no gaps, and those of the other are no wider than it is long, the sum has none.
    for whole, rest in ((one, other), (other, one)):
        gaps = rest.step if isinstance(rest, range) else max((high - low for low, high in pairwise(rest)), default=1)
        if isinstance(whole, range) and gaps <= whole[-1] - whole[0] + 1:
            return range(one[0] + other[0], one[-1] + other[-1] + 1)
    if len(one) * len(other) > limits.OUTCOMES.maximum:
        return None
    return tuple(sorted({sum(pair) for pair in product(one, other)}))
