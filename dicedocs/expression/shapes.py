"""Texts that differ only in their numbers are parsed once: the numbers are lifted out, and put into the same tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from dicedocs import limits
from dicedocs.expression.tree import DiceTerm, Group, Node, Number, Product, Sum

_NUMERIC: Final = re.compile(r"(?!.*[dD]66(?![0-9]))[0-9dD+*/() -]+")
"""Texts without names; a d66 is a die of its own in the full notation."""
_NUMBER: Final = re.compile("([0-9]+)")
_FIRST: Final = 1000
"""The number that stands for the first; none that a parser adds by itself is as large."""


def split_numbers(text: str) -> tuple[tuple[str, ...], list[str]] | None:
    """Return what stands around the numbers of a text, and the numbers; ``None`` for a text that has more than those.

    >>> split_numbers("2d6 + 13")
    (('', 'd', ' + ', ''), ['2', '6', '13'])
    """
    if not _NUMERIC.fullmatch(text):
        return None
    parts = _NUMBER.split(text)
    return tuple(parts[::2]), parts[1::2]


def template_text(shape: Sequence[str]) -> str:
    """Return a text of a shape, whose numbers tell their places to :func:`with_numbers`.

    Parameters:
        shape: what stands around the numbers.

    >>> template_text(("", "d", " + ", ""))
    '1000d1001 + 1002'
    """
    parts = [f"{before}{_FIRST + index}" for index, before in enumerate(shape[:-1])]
    return "".join([*parts, shape[-1]])


def with_numbers(template: Node, texts: Sequence[str]) -> Node | None:
    """Return the tree of the text of a shape with some numbers; ``None`` where a number is not legal in its place.

    Parameters:
        template: the tree of the text that :func:`template_text` returned.
        texts: the numbers, from left to right.

    >>> from dicedocs.expression.parser import parse_expression
    >>> with_numbers(parse_expression("1000d1001 + 1002"), ["2", "6", "13"]) == parse_expression("2d6 + 13")
    True
    """
    if any(len(text) > limits.DIGITS.maximum for text in texts):
        return None
    try:
        return _fill(template, [int(text) for text in texts])
    except _IllegalNumberError:
        return None


class _IllegalNumberError(Exception):
    """A die has too many sides, or none, or there are too many dice."""


def _fill(node: Node, numbers: Sequence[int]) -> Node:
    match node:
        case Number(place):
            return Number(numbers[place - _FIRST])
        case DiceTerm(Number(place), Number(sides_place)):
            count, sides = numbers[place - _FIRST] if place >= _FIRST else place, numbers[sides_place - _FIRST]
            if not 0 < sides <= limits.SIDES.maximum or count > limits.DICE.maximum:
                raise _IllegalNumberError
            return DiceTerm(Number(count), Number(sides))
        case Group(inner):
            return Group(_fill(inner, numbers))
        case Sum(first, rest):
            return Sum(_fill(first, numbers), tuple([(sign, _fill(operand, numbers)) for sign, operand in rest]))
        case Product(first, rest):
            return Product(_fill(first, numbers), tuple([(sign, _fill(operand, numbers)) for sign, operand in rest]))
        case _:
            raise TypeError("a text of numbers has a plain tree")
