"""Texts that differ only in their numbers are parsed once: the numbers are lifted out, and put into the same tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.expression.tree import (
    Call,
    CheckTree,
    Collection,
    Compared,
    DiceTerm,
    Group,
    Labelled,
    Modifier,
    Negation,
    Node,
    Number,
    Pool,
    Power,
    Product,
    Resource,
    Sum,
    Tree,
)
from dicedocs.rules.dice import check_limits

_LIFTED: Final = re.compile(r"(?!.*[dD]66(?![0-9]))(?:[0-9dD+*/^() {},<>=!khlprouxcsefmiabn-]|\[[^\[\]0-9\n]*\])+")
"""Texts of numbers, operators, modifiers and functions; a d66 is a die of its own in the full notation."""
_NUMBER: Final = re.compile("([0-9]+)")
_FIRST: Final = 1000
"""The number that stands for the first; none that a parser adds by itself is as large."""


def split_numbers(text: str) -> tuple[tuple[str, ...], list[str]] | None:
    """Return what stands around the numbers of a text, and the numbers; ``None`` where a number may be no number.

    >>> split_numbers("2d6 + 13")
    (('', 'd', ' + ', ''), ['2', '6', '13'])
    """
    if not _LIFTED.fullmatch(text):
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


def with_numbers(template: Tree, texts: Sequence[str]) -> Tree | None:
    """Return the tree of the text of a shape with some numbers; ``None`` where that has to be parsed.

    Parameters:
        template: the tree of the text that :func:`template_text` returned.
        texts: the numbers, from left to right.

    >>> from dicedocs.expression.parser import parse_expression
    >>> with_numbers(parse_expression("1000d1001 + 1002"), ["2", "6", "13"]) == parse_expression("2d6 + 13")
    True
    """
    if any(len(text) > limits.DIGITS.maximum for text in texts):
        return None
    numbers = [int(text) for text in texts]
    try:
        match template:
            case CheckTree(left, op, right):
                return CheckTree(_fill(left, numbers), op, _fill(right, numbers))
            case _:
                return _fill(template, numbers)
    except (DiceError, _DependsError):
        return None


class _DependsError(Exception):
    """The tree has a part whose meaning may depend on numbers."""


def _fill(node: Node, numbers: Sequence[int]) -> Node:
    match node:
        case Number(place):
            return Number(_number(place, numbers))
        case Resource():
            return node
        case DiceTerm(number, sides):
            return DiceTerm(*_dice(number, sides, numbers))
        case Pool(Number() | Resource() as number, Number() | Resource() as sides, modifiers):
            return Pool(*_dice(number, sides, numbers), _modifiers(modifiers, numbers))
        case Group(inner):
            return Group(_fill(inner, numbers))
        case Sum(first, rest):
            return Sum(_fill(first, numbers), tuple([(sign, _fill(operand, numbers)) for sign, operand in rest]))
        case Product(first, rest):
            return Product(_fill(first, numbers), tuple([(sign, _fill(operand, numbers)) for sign, operand in rest]))
        case Negation(operand):
            return Negation(_fill(operand, numbers))
        case Labelled(value, labels):
            return Labelled(_fill(value, numbers), labels)
        case Collection(members, modifiers):
            return Collection(tuple([_fill(one, numbers) for one in members]), _modifiers(modifiers, numbers))
        case Call(name, arguments):
            return Call(name, tuple([_fill(one, numbers) for one in arguments]))
        case Power(base, exponent):
            return Power(_fill(base, numbers), _fill(exponent, numbers))
        case Compared(left, op, right):
            return Compared(_fill(left, numbers), op, _fill(right, numbers))
        case _:
            raise _DependsError


def _modifiers(modifiers: tuple[Modifier, ...], numbers: Sequence[int]) -> tuple[Modifier, ...]:
    return tuple([_modifier(modifier, numbers) for modifier in modifiers])


def _modifier(modifier: Modifier, numbers: Sequence[int]) -> Modifier:
    name, op, number, cap = modifier
    if number is not None:
        number = _number(number, numbers)
    return Modifier(name, op, number, cap if cap is None else _number(cap, numbers))


def _number(place: int, numbers: Sequence[int]) -> int:
    """Return the number at a place; one that the parser added by itself stays as it is."""
    if place <= -_FIRST:
        return -numbers[-place - _FIRST]
    return numbers[place - _FIRST] if place >= _FIRST else place


def _dice(
    count: Number | Resource, sides: Number | Resource, numbers: Sequence[int]
) -> tuple[Number | Resource, Number | Resource]:
    """Return the count and the sides of dice.

    Raises:
        DiceError: no such dice can be thrown.
    """
    filled = [Number(_number(part.value, numbers)) if isinstance(part, Number) else part for part in (count, sides)]
    check_limits(0, *[part.value if isinstance(part, Number) else 1 for part in filled])
    return filled[0], filled[1]
