"""The parser: from text to tree. lark is imported only when the first text is parsed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, cast

from dicedocs import limits
from dicedocs.errors import DiceError, LimitError, NotationError, quoted
from dicedocs.expression.mistakes import Kind
from dicedocs.expression.notation_errors import missing_comparison, notation_error, unexpected_comparison
from dicedocs.expression.tree import (
    ACTOR,
    SCOPES,
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
from dicedocs.parsing import ParseError, build_parser, nesting_depth, parse, too_deep
from dicedocs.rules.steps import Comparison

if TYPE_CHECKING:
    from lark import Lark, Token

_CACHE_SIZE = 1024


@lru_cache(_CACHE_SIZE)
def parse_expression(text: str) -> Node:
    """Parse an Expression.

    Parameters:
        text: such as ``(2d6 + [Intelligence]) * 2 - [Target Defense] + 5``.

    Raises:
        NotationError: the text is not an Expression; the error holds the position and what was expected there.
        LimitError: the text is longer, deeper or larger than the limits allow.

    >>> parse_expression("2d6 + 3")
    Sum(first=DiceTerm(count=Number(value=2), sides=Number(value=6)), rest=(('+', Number(value=3)),))
    """
    tree = _parse(text, "Expression")
    if isinstance(tree, CheckTree):
        raise unexpected_comparison(text)
    return tree


@lru_cache(_CACHE_SIZE)
def parse_check(text: str) -> CheckTree:
    """Parse a Check: two Expressions with one comparison between them.

    Parameters:
        text: such as ``1d20 + [Attack] >= [Target Defense]``.

    Raises:
        NotationError, LimitError: as for :func:`parse_expression`; the text is not a Check.

    >>> parse_check("5 - 8 = 0").op
    '='
    """
    tree = _parse(text, "Check")
    if not isinstance(tree, CheckTree):
        raise missing_comparison(text)
    return tree


def _parse(text: str, kind: Kind) -> Tree:
    if len(text) > limits.TEXT.maximum:
        with locate(text, limits.TEXT.maximum):
            limits.TEXT.check(len(text))
    if text.count("(") > limits.NESTING.maximum:
        with locate(text, too_deep(text, limits.NESTING.maximum)):
            limits.NESTING.check(nesting_depth(text))
    try:
        tree = _parse_once(text)
    except ParseError as error:
        raise notation_error(text, error.at, kind, _failure_index) from None
    except (NotationError, LimitError) as error:
        error.text = text
        raise
    numbers = [
        leaf.count.value if type(leaf) is DiceTerm and type(leaf.count) is Number else 0 for leaf in leaves(tree)
    ]
    if sum(numbers) > limits.DICE.maximum:
        leaf = next(leaf for leaf, dice in enumerate(accumulate(numbers)) if dice > limits.DICE.maximum)
        with locate(text, leaf_positions(text)[leaf]):
            limits.DICE.check(sum(numbers), hint="throw fewer dice")
    return tree


@contextmanager
def locate(text: str, at: int) -> Iterator[None]:
    """Give an error that is raised in this context a position in a notation."""
    try:
        yield
    except DiceError as error:
        error.text, error.at = text, at
        raise


def leaf_positions(text: str) -> list[int]:
    """Return the position of each leaf of a legal text, in the order of :func:`~dicedocs.expression.tree.leaves`.

    >>> leaf_positions("2d6 + [Luck] * 3")
    [0, 6, 15]
    """
    return [token.start_pos or 0 for token in _leaf_tokens(text)]


def reference_positions(text: str) -> list[int]:
    """Return the position of each reference of a legal text, from left to right.

    >>> reference_positions("2d[Size] + [Luck] * 3")
    [2, 11]
    """
    return [(token.start_pos or 0) + at for token in _leaf_tokens(text) for at, c in enumerate(token) if c == "["]


def _leaf_tokens(text: str) -> Iterator[Token]:
    return (token for token in _lark().lex(text) if token.type in {"NUMBER", "RESOURCE", "DICE"})


def _parse_once(text: str) -> Tree:
    return cast("Tree", parse(_lark(), text))


def _failure_index(text: str) -> int | None:
    """Return the index at which a text leaves the grammar; ``None`` when it is legal.

    Raises:
        DiceError: one of its terms is not legal.
    """
    try:
        _parse_once(text)
    except ParseError as error:
        return error.at
    return None


@lru_cache(1)
def _lark() -> Lark:
    return build_parser(
        Path(__file__).parent / "grammar.lark",
        "basic",
        NUMBER=lambda token: _number(token, token.start_pos or 0),
        RESOURCE=lambda token: _reference(token, token.start_pos or 0),
        DICE=_dice,
        group=lambda parts: Group(*parts),
        multiplied=_product,
        added=_sum,
        check=_check,
    )


def _number(text: str, at: int) -> Number:
    if len(text) > limits.DIGITS.maximum:
        with locate(text, at):  # the whole text is set by the caller
            limits.DIGITS.check(len(text))
    return Number(int(text))


def _reference(text: str, at: int) -> Resource:
    """Return a reference from its text, with the brackets.

    Parameters:
        at: the index of the opening bracket in the whole text, for errors.
    """
    name = " ".join(text[1:-1].split())
    if not name:
        raise NotationError("the brackets are empty", at=at, hint="write the name of a resource: [Strength]")
    if not name.isprintable():
        raise NotationError(f"{quoted(name)} has a character that cannot be printed", at=at, hint="leave it out")
    word, _, rest = name.partition(" ")
    if word not in SCOPES:
        return Resource(ACTOR, name)
    if not rest:
        raise NotationError(
            f"'[{word}]' does not say which resource", at=at, hint=f"write its name too: [{word} Strength]"
        )
    return Resource(SCOPES[word], rest)


def _dice(token: Token) -> DiceTerm:
    at = token.start_pos or 0
    # Find the d outside brackets: it stands right before the sides, which end the term.
    split = token.rindex("[") - 1 if token[-1] == "]" else max(token.rfind("d"), token.rfind("D"))
    count = _term(token[:split], at) if split else Number(1)
    sides = _term(token[split + 1 :], at + split + 1)
    if type(sides) is Number:
        if not sides.value:
            raise NotationError("a die cannot have 0 sides", at=at + split + 1, hint="it has 1 or more")
        if sides.value > limits.SIDES.maximum:
            with locate(token, at + split + 1):
                limits.SIDES.check(sides.value, hint="use a die with fewer sides")
    if type(count) is Number and count.value > limits.DICE.maximum:
        with locate(token, at):
            limits.DICE.check(count.value, hint="throw fewer dice")
    return DiceTerm(count, sides)


def _term(text: str, at: int) -> Number | Resource:
    return _reference(text, at) if text[0] == "[" else _number(text, at)


def _product(parts: tuple[Node, Token, Node]) -> Product:
    left, sign, right = parts
    # A Product on the left is the chain so far: one in parentheses would be a Group.
    if type(left) is Product:
        return Product(left.first, (*left.rest, (sign.value, right)))
    return Product(left, ((sign.value, right),))


def _sum(parts: tuple[Node, Token, Node]) -> Sum:
    left, sign, right = parts
    if type(left) is Sum:
        return Sum(left.first, (*left.rest, (sign.value, right)))
    return Sum(left, ((sign.value, right),))


def _check(parts: tuple[Node, Token, Node]) -> CheckTree:
    left, sign, right = parts
    return CheckTree(left, cast("Comparison", sign.value), right)
