"""From text to tree. lark is imported when the first text is parsed, and not before."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from dicedocs import limits
from dicedocs.errors import NotationError, quoted
from dicedocs.expression import mistakes
from dicedocs.expression.tree import (
    ACTOR,
    WORDS,
    CheckTree,
    DiceTerm,
    Group,
    Node,
    Number,
    Product,
    Resource,
    Sum,
    Tree,
    leaves,
)
from dicedocs.parsing import ParseError, build_parser, nesting_depth, parse
from dicedocs.rules.steps import Comparison

if TYPE_CHECKING:
    from lark import Lark, Token

_REMEMBERED = 1024
"""Texts whose trees are kept."""


@lru_cache(_REMEMBERED)
def parse_expression(text: str) -> Node:
    """Read an Expression.

    Parameters:
        text: such as ``(2d6 + [Intelligence]) * 2 - [Target Defense] + 5``.

    Raises:
        NotationError: it is none; the error knows the place and what was expected there.
        LimitError: it is longer, deeper or larger than the limits allow.

    >>> parse_expression("2d6 + 3")
    Sum(first=DiceTerm(count=Number(value=2), sides=Number(value=6)), rest=(('+', Number(value=3)),))
    """
    tree = _parse(text, "Expression")
    if isinstance(tree, CheckTree):
        raise mistakes.compares(text)
    return tree


@lru_cache(_REMEMBERED)
def parse_check(text: str) -> CheckTree:
    """Read a Check: two Expressions with one comparison between them.

    Parameters:
        text: such as ``1d20 + [Attack] >= [Target Defense]``.

    Raises:
        NotationError: it is none; the error knows the place and what was expected there.
        LimitError: it is longer, deeper or larger than the limits allow.

    >>> parse_check("5 - 8 = 0").op
    '='
    """
    tree = _parse(text, "Check")
    if not isinstance(tree, CheckTree):
        raise mistakes.compares_nothing(text)
    return tree


def _parse(text: str, kind: mistakes.Kind) -> Tree:
    if len(text) > limits.TEXT.maximum:
        limits.TEXT.check(len(text))
    if text.count("(") > limits.NESTING.maximum:
        limits.NESTING.check(nesting_depth(text))
    try:
        tree = _read(text)
    except ParseError as error:
        raise mistakes.explain(text, error.at, kind, _misplaced) from None
    except NotationError as error:
        error.text = text
        raise
    limits.DICE.check(dice_at_least(tree), hint="throw fewer dice")
    return tree


def dice_at_least(tree: Tree) -> int:
    """Give how many dice a tree throws, leaving out those whose count is a resource."""
    return sum([leaf.count.value for leaf in leaves(tree) if type(leaf) is DiceTerm and type(leaf.count) is Number])


def _read(text: str) -> Tree:
    return cast("Tree", parse(_lark(), text))


def _misplaced(text: str) -> int | None:
    """Give the place where a text leaves the grammar, or nothing when it does not.

    Raises:
        DiceError: one of its terms cannot be.
    """
    try:
        _read(text)
    except ParseError as error:
        return error.at
    return None


@lru_cache(1)
def _lark() -> Lark:
    return build_parser(
        Path(__file__).parent / "grammar.lark",
        "basic",
        NUMBER=_number,
        RESOURCE=_resource,
        DICE=_dice,
        group=lambda parts: Group(*parts),
        multiplied=_multiplied,
        added=_added,
        check=_check,
    )


def _number(token: Token) -> Number:
    return _digits(token)


def _digits(text: str) -> Number:
    if len(text) > limits.DIGITS.maximum:
        limits.DIGITS.check(len(text))
    return Number(int(text))


def _resource(token: Token) -> Resource:
    return _reference(token, token.start_pos or 0)


def _reference(text: str, at: int) -> Resource:
    """Read a reference, brackets and all, that stands at a place of the text."""
    name = " ".join(text[1:-1].split())
    if not name:
        raise NotationError("the brackets hold no name", at=at, hint="write the name of a resource: [Strength]")
    if not name.isprintable():
        raise NotationError(f"{quoted(name)} holds a character that cannot be printed", at=at, hint="leave it out")
    word, _, rest = name.partition(" ")
    if word not in WORDS:
        return Resource(ACTOR, name)
    if not rest:
        raise NotationError(
            f"'[{word}]' does not say which resource", at=at, hint=f"write its name too: [{word} Strength]"
        )
    return Resource(WORDS[word], rest)


def _dice(token: Token) -> DiceTerm:
    at = token.start_pos or 0
    # The d is the one outside brackets: sides end the term, so it stands before them.
    split = token.rindex("[") - 1 if token[-1] == "]" else max(token.rfind("d"), token.rfind("D"))
    count = _term(token[:split], at) if split else Number(1)
    sides = _term(token[split + 1 :], at + split + 1)
    if type(sides) is Number:
        if not sides.value:
            raise NotationError("a die cannot have 0 sides", at=at + split + 1, hint="it has 1 or more")
        if sides.value > limits.SIDES.maximum:
            limits.SIDES.check(sides.value, hint="use a die with fewer sides")
    if type(count) is Number and count.value > limits.DICE.maximum:
        limits.DICE.check(count.value, hint="throw fewer dice")
    return DiceTerm(count, sides)


def _term(text: str, at: int) -> Number | Resource:
    return _reference(text, at) if text[0] == "[" else _digits(text)


def _multiplied(parts: tuple[Node, Token, Node]) -> Product:
    left, sign, right = parts
    # A Product here is the chain so far: one in parentheses would be a Group.
    if type(left) is Product:
        return Product(left.first, (*left.rest, (sign.value, right)))
    return Product(left, ((sign.value, right),))


def _added(parts: tuple[Node, Token, Node]) -> Sum:
    left, sign, right = parts
    if type(left) is Sum:
        return Sum(left.first, (*left.rest, (sign.value, right)))
    return Sum(left, ((sign.value, right),))


def _check(parts: tuple[Node, Token, Node]) -> CheckTree:
    left, sign, right = parts
    return CheckTree(left, cast("Comparison", sign.value), right)
