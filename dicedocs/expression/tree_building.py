"""The tree that is built from a parse: a function for each terminal and each rule of the grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, quoted
from dicedocs.expression.merged_dice import is_merged, merged_terms
from dicedocs.expression.modifiers import OPERATORS, RANKED, TWO_DICE, check_modifiers, read_faces, read_modifier
from dicedocs.expression.tree import (
    ACTOR,
    SCOPES,
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
    format_modifier,
)
from dicedocs.rules.steps import Comparison

if TYPE_CHECKING:
    from lark import Token

_OF_ONE: Final = frozenset({"floor", "ceil", "round", "abs"})
_FULL: Final = re.compile(r"(?P<count>[0-9]+|\[[^\[\]]*\])?[dD](?P<sides>[0-9]+|\[[^\[\]]*\])?(?P<faces>.*)", re.DOTALL)


@contextmanager
def locate(text: str, at: int) -> Iterator[None]:
    """Give an error that is raised in this context a position in a notation."""
    try:
        yield
    except DiceError as error:
        error.text, error.at = text, at
        raise


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


def _dice_count(text: str, at: int) -> Number | Resource:
    count = _term(text, at) if text else Number(1)
    if type(count) is Number and count.value > limits.DICE.maximum:
        with locate(text, at):
            limits.DICE.check(count.value, hint="throw fewer dice")
    return count


def _full_dice(token: Token) -> DiceTerm | Pool:
    """Return dice of the full notation, such as ``4d6``, ``d%``, ``4dF`` or ``2d{1, 1, 2, hit}``."""
    parts = cast("re.Match[str]", _FULL.fullmatch(token))
    sides = parts["sides"]
    if sides and sides != TWO_DICE:
        return _dice(token)
    count = _dice_count(parts["count"] or "", token.start_pos or 0)
    if parts["faces"] == "%":
        return DiceTerm(count, Number(100))
    try:
        return Pool(count, read_faces(sides or parts["faces"]))
    except DiceError as error:
        error.at = (token.start_pos or 0) + parts.start("faces")
        raise


def _modified(parts: tuple[DiceTerm | Pool | Collection | Group, Token]) -> Pool | Collection:
    whole, token = parts
    with _located(token):
        modifier = read_modifier(token)
        match whole:
            case DiceTerm(count, sides):
                new: Pool | Collection = Pool(count, sides, (modifier,))
            case Pool(count, sides, modifiers):
                new = Pool(count, sides, (*modifiers, modifier))
            case Group(inner):
                return _modified_group(inner, modifier, token)
            case Collection(members, modifiers):
                new = Collection(members, (*modifiers, modifier))
        check_modifiers(new.modifiers, of_set=type(new) is Collection)
        if type(new) is Collection and is_merged(new):
            _check_merged(new)
    return new


def _modified_group(inner: Node, modifier: Modifier, token: Token) -> Pool | Collection:
    """Return what a modifier after parentheses acts on: the dice in them, or the value as a set of one."""
    while type(inner) is Group:
        inner = inner.inner
    again = modifier.name in RANKED and type(inner) is Pool and any(one.name in RANKED for one in inner.modifiers)
    if type(inner) is DiceTerm or (type(inner) is Pool and not again):
        return _modified((inner, token))
    return _modified((Collection((inner,)), token))


def _check_merged(whole: Collection) -> None:
    """Refuse to keep dice of a value that is more than a sum of dice and numbers.

    Raises:
        NotationError: a part of it is a product, say, or its dice are counted.
    """
    try:
        list(merged_terms(whole.members[0]))
    except ValueError:
        hint = "separate values by commas, as in '{3d6, 2d8}kh1', or keep the dice of a sum, as in '{3d6 + 2d8}kh2'"
        raise NotationError("one value has no highest and no lowest", hint=hint) from None
    other = next((one for one in whole.modifiers if one.name not in {*RANKED, "s", "sd"}), None)
    if other is not None:
        text = format_modifier(other)
        hint = f"write {text} after the dice in it"
        raise NotationError(f"dice of a sum are kept or dropped; {quoted(text)} would see the sum alone", hint=hint)


@contextmanager
def _located(token: Token) -> Iterator[None]:
    """Give an error that is raised in this context the position of a token."""
    try:
        yield
    except DiceError as error:
        error.at = token.start_pos or 0
        raise


def _labelled(parts: tuple[Node, Token]) -> Labelled:
    value, token = parts
    label = " ".join((token[1:-1] if token[0] == "[" else token).split())
    with _located(token):
        if not label or not label.isprintable():
            raise NotationError(f"{quoted(label)} is not a label", hint="write a word between the brackets: [fire]")
    return Labelled(value.value, (*value.labels, label)) if type(value) is Labelled else Labelled(value, (label,))


def _call(parts: tuple[Token, *tuple[Node, ...]]) -> Call:
    function, *arguments = parts
    with _located(function):
        if function in _OF_ONE and len(arguments) > 1:
            message = f"{function}() takes one value, not {len(arguments)}"
            raise NotationError(message, hint="min() and max() take several")
    return Call(str(function), tuple(arguments))


def _term(text: str, at: int) -> Number | Resource:
    return _reference(text, at) if text[0] == "[" else _number(text, at)


def _product(parts: tuple[Node, Token, Node]) -> Product:
    left, sign, right = parts
    # A Product on the left is the chain so far: one in parentheses would be a Group.
    first, before = (left.first, left.rest) if type(left) is Product else (left, ())
    if type(right) is not Product:
        return Product(first, (*before, (str(sign), right)))
    dividend, divisor = _quotient(right, sign)
    # The multiplication stands first, so that nothing is rounded before it.
    factors = (("*", dividend), ("/", divisor)) if sign == "*" else (("*", divisor), ("/", dividend))
    return Product(first, (*before, *factors))


def _scaled(parts: tuple[Node, Token, Node]) -> Product:
    """Return a decimal times or over something; its own divisor stands last, since a division is rounded down."""
    left, sign, right = parts
    if type(left) is not Product:
        return _product(parts)
    dividend, divisor = _quotient(left, sign)
    whole = _product((dividend, sign, right))
    return Product(whole.first, (*whole.rest, ("/", divisor)))


def _decimal(parts: tuple[Token]) -> Node:
    """Return a number with a decimal point as a whole number, or as a quotient of two."""
    (token,) = parts
    with _located(token):
        limits.DIGITS.check(len(token) - 1)
    value = Fraction(token)
    dividend, divisor = Number(value.numerator), Number(value.denominator)
    return dividend if value.denominator == 1 else Product(dividend, (("/", divisor),))


def _quotient(decimal: Product, sign: Token) -> tuple[Node, Node]:
    with _located(sign):
        if sign == "%":
            raise NotationError("a remainder is of whole numbers", hint="write them, as in '7 % 2'")
    ((_, divisor),) = decimal.rest
    return decimal.first, divisor


def _sum(parts: tuple[Node, Token, Node]) -> Sum:
    left, sign, right = parts
    return _added((left, (str(sign), right)))


def _added(parts: tuple[Node, tuple[str, Node]]) -> Sum:
    left, term = parts
    if type(left) is Sum:
        return Sum(left.first, (*left.rest, term))
    return Sum(left, (term,))


def _addend(token: Token) -> tuple[str, Number]:
    digits = token[1:].lstrip()
    return token[0], _number(digits, number_index(token))


def number_index(token: Token) -> int:
    """Return the index, in the whole text, of the number in a token that may begin with its sign."""
    return (token.start_pos or 0) + len(token) - len(token.lstrip("+-").lstrip())


def _check(parts: tuple[Node, Token, Node]) -> CheckTree:
    left, sign, right = parts
    op = OPERATORS.get(str(sign), str(sign))
    return CheckTree(left, cast("Comparison", op), right)


CALLBACKS: Final[Mapping[str, Callable[..., Any]]] = {
    "NUMBER": lambda token: _number(token, token.start_pos or 0),
    "ADDEND": _addend,
    "RESOURCE": lambda token: _reference(token, token.start_pos or 0),
    "DICE": _dice,
    "POOL": _full_dice,
    "HEAD": lambda token: _dice_count(token[:-1], token.start_pos or 0),
    "TAIL": _full_dice,
    "group": lambda parts: Group(*parts),
    "multiplied": _product,
    "scaled": _scaled,
    "added": _sum,
    "added_number": _added,
    "check": _check,
    "compared": lambda parts: Group(Compared(*_check(parts))),
    "decimal": _decimal,
    "negative": lambda parts: parts[0].operand if type(parts[0]) is Negation else Negation(parts[0]),
    "raised": lambda parts: Power(parts[0], parts[2]),
    "call": _call,
    "labelled": _labelled,
    "members": lambda parts: Collection(tuple(parts)),
    "modified": _modified,
    "computed_count": lambda parts: Pool(parts[0], parts[1].sides),
    "computed_sides": lambda parts: Pool(*parts),
    "computed_dice": lambda parts: Pool(parts[0], parts[2]),
}
"""The functions by the names of their terminals and rules."""
