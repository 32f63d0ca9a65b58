"""The tree that is built from a parse: a method for each terminal and each rule of the grammar."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Final, cast

from lark import Token, Transformer, v_args

from dicedocs import limits
from dicedocs.errors import NotationError, located, quoted
from dicedocs.rules.steps import Comparison
from dicedocs.syntax.arithmetic import ROUNDED_ONCE, is_rounded_within
from dicedocs.syntax.faces import DIGIT_DICE, DieFaces, read_faces
from dicedocs.syntax.joined_dice import is_joined, joined_terms
from dicedocs.syntax.modifiers import SPELLINGS, Choose, Modifier, Sort, add_modifier, read_modifier
from dicedocs.syntax.tree import (
    ACTOR,
    SCOPES,
    Call,
    Chain,
    Compared,
    DiceTerm,
    Group,
    Labelled,
    Negation,
    Node,
    Number,
    Reference,
    Set,
    ungrouped,
)

_OF_ONE: Final = frozenset({"floor", "ceil", "round", "abs"})
_DICE: Final = re.compile(r"(?P<count>[0-9]+|\[[^\[\]]*\])?[dD](?P<sides>[0-9]+|\[[^\[\]]*\])?(?P<faces>.*)", re.DOTALL)


def _start(token: Token) -> int:
    return token.start_pos or 0


_DIE: Final = re.compile(r"[dD][0-9]+")
_THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")
"""A number with a point that other languages write for thousands."""


@v_args(inline=True)
class TreeBuilder(Transformer[Token, Node]):
    """Builds a tree while a text is parsed, with a method for each terminal, in capitals, and for each rule.

    Errors have their position; the text is set by the caller.
    """

    def NUMBER(self, token: Token) -> Number:  # noqa: N802
        return _number(token, _start(token))

    def RESOURCE(self, token: Token) -> Reference:  # noqa: N802
        return _reference(token, _start(token))

    def DICE(self, token: Token) -> DiceTerm:  # noqa: N802
        """Return dice, such as ``4d6``, ``[Level]d6``, ``d%``, ``4dF`` or ``2d{1, 1, 2, hit}``."""
        at, match = _start(token), cast("re.Match[str]", _DICE.fullmatch(token))
        sides = self._sides(token, match, at)
        return DiceTerm(_count(match["count"] or "1", at), sides, at=at)

    POOL = TAIL = DICE

    @staticmethod
    def _sides(token: Token, match: re.Match[str], at: int) -> Node | DieFaces:
        sides, special = match["sides"], match["faces"]
        if special == "%":
            return Number(100)
        if special or (sides in DIGIT_DICE and token.type != "DICE"):
            with located(at + match.start("faces")):
                return read_faces(special or sides)
        return _sides(sides, at + match.start("sides"))

    def HEAD(self, token: Token) -> Node:  # noqa: N802
        return _count(token[:-1] or "1", _start(token))

    def group(self, inner: Node) -> Group:
        return Group(inner)

    def chain(self, left: Node, sign: Token, right: Node) -> Chain:
        """Return a chain with one more operand; in parentheses the left one would be a group."""
        operator = "**" if sign == "^" else str(sign)
        new: tuple[tuple[str, Node], ...] = ((operator, right),)
        if _is_decimal(right) and operator not in {"+", "-"}:
            dividend, divisor = _quotient(right, sign)
            # The multiplication stands first, so that nothing is rounded before it.
            new = (("*", dividend), ("/", divisor)) if operator == "*" else (("*", divisor), ("/", dividend))
        if isinstance(left, Chain) and _level(left.rest[0][0]) == _level(operator):
            return Chain(left.first, (*left.rest, *new))
        return Chain(left, new)

    def scaled(self, left: Node, sign: Token, right: Node) -> Chain:
        """Return a decimal times or over something; its own divisor stands last, since a division is rounded down."""
        if not _is_decimal(left):
            return self.chain(left, sign, right)
        dividend, divisor = _quotient(left, sign)
        whole = self.chain(dividend, sign, right)
        return Chain(whole.first, (*whole.rest, ("/", divisor)))

    def decimal(self, token: Token) -> Node:
        """Return a number with a decimal point as a whole number, or as a quotient of two."""
        with located(_start(token)):
            limits.DIGITS.check(len(token) - 1)
        if _THOUSANDS.fullmatch(token):
            whole, part = token.split(".")
            hint = (
                f"write {whole}{part}, or {token.rstrip('0').rstrip('.') if part[-1] == '0' else f'{whole}{part}/1000'}"
            )
            raise NotationError(f"{token} may be a thousand times as much elsewhere", at=_start(token), hint=hint)
        value = Fraction(token)
        dividend, divisor = Number(value.numerator), Number(value.denominator)
        return dividend if value.denominator == 1 else Chain(dividend, (("/", divisor),))

    def summand(self, token: Token) -> Number:
        """Return a number with a decimal point that is not multiplied, which must be whole."""
        value = self.decimal(token)
        if not isinstance(value, Number):
            hint = f"write {int(Fraction(token))} or {int(Fraction(token)) + 1}, or multiply by it, as in {token} * 2"
            raise NotationError(f"{token} is not a whole number", at=_start(token), hint=hint)
        return value

    def negative(self, operand: Node) -> Node:
        return operand.operand if isinstance(operand, Negation) else Negation(operand)

    def compared(self, left: Node, sign: Token, right: Node) -> Compared:
        return Compared(left, cast("Comparison", SPELLINGS.get(sign, str(sign))), right, _start(sign))

    def compared_group(self, left: Node, sign: Token, right: Node) -> Group:
        return Group(self.compared(left, sign, right))

    def call(self, function: Token, *arguments: Node) -> Call:
        if function in _OF_ONE and len(arguments) > 1:
            message = f"{function}() takes one value, not {len(arguments)}"
            raise NotationError(message, at=_start(function), hint="min() and max() take several")
        if function in ROUNDED_ONCE and is_rounded_within(arguments[0]):
            hint = f"round a quotient alone, as in 1d8 + {function}(level / 2), or all: {function}((1d8 + level) / 2)"
            message = f"{function}() rounds nothing: a '/' in it is rounded down before"
            raise NotationError(message, at=_start(function), hint=hint)
        return Call(str(function), arguments)

    def labelled(self, value: Node, token: Token) -> Labelled:
        label = " ".join(token[1:-1].split())
        if not label or not label.isprintable():
            hint = "write a word between the brackets: [fire]"
            raise NotationError(f"{quoted(label)} is not a label", at=_start(token), hint=hint)
        return (
            Labelled(value.value, (*value.labels, label)) if isinstance(value, Labelled) else Labelled(value, (label,))
        )

    def members(self, *members: Node) -> Set:
        return Set(members)

    def _check_no_dice_meant(self, whole: Node, token: Token) -> None:
        """Refuse ``{rating}d6``: in braces a single number is a set, of which the rest would drop something."""
        count = whole.members[0] if isinstance(whole, Set) and not whole.modifiers else None
        if isinstance(count, Number | Reference) and whole == Set((count,)) and _DIE.fullmatch(token):
            written = str(count.value) if isinstance(count, Number) else f"[{count.written or count.name}]"
            message = f"a number in braces is a set, and {quoted(str(token))} would drop some of it"
            raise NotationError(message, at=_start(token), hint=f"write {written}{token} for dice")

    def computed_count(self, count: Node, tail: DiceTerm) -> DiceTerm:
        return replace(tail, count=count)

    def computed_sides(self, count: Node, sides: Node) -> DiceTerm:
        return DiceTerm(count, sides)

    def computed_dice(self, count: Node, _d: Token, sides: Node) -> DiceTerm:
        return DiceTerm(count, sides)

    def modified(self, whole: DiceTerm | Set | Group, token: Token) -> DiceTerm | Set:
        self._check_no_dice_meant(whole, token)
        with located(_start(token)):
            return _modified(whole, read_modifier(token, _start(token)))


def _number(text: str, at: int) -> Number:
    with located(at):
        limits.DIGITS.check(len(text))
    return Number(int(text), at)


def _reference(text: str, at: int) -> Reference:
    """Return a reference from its text, with the brackets."""
    name = " ".join(text[1:-1].split())
    if not name:
        raise NotationError("the brackets are empty", at=at, hint="write the name of a resource: [Strength]")
    if not name.isprintable():
        raise NotationError(f"{quoted(name)} has a character that cannot be printed", at=at, hint="leave it out")
    word, _, rest = name.partition(" ")
    if word not in SCOPES:
        return Reference(ACTOR, name, at)
    if not rest:
        raise NotationError(
            f"'[{word}]' does not say which resource", at=at, hint=f"write its name too: [{word} Strength]"
        )
    return Reference(SCOPES[word], rest, at)


def _value(text: str, at: int) -> Number | Reference:
    return _reference(text, at) if text[0] == "[" else _number(text, at)


def _count(text: str, at: int) -> Number | Reference:
    count = _value(text, at)
    if isinstance(count, Number):
        with located(at):
            limits.DICE.check(count.value, hint="throw fewer dice")
    return count


def _sides(text: str, at: int) -> Number | Reference:
    sides = _value(text, at)
    if isinstance(sides, Number):
        if not sides.value:
            raise NotationError("a die cannot have 0 sides", at=at, hint="it has 1 or more")
        with located(at):
            limits.SIDES.check(sides.value, hint="use a die with fewer sides")
    return sides


def _level(operator: str) -> str:
    """Return the operators that stand in a chain with one."""
    return next((level for level in ("+-", "*/%") if operator in level), operator)


def _is_decimal(node: Node) -> bool:
    """Return whether an operand is a decimal; any other quotient would be a group."""
    return isinstance(node, Chain) and node.rest[0][0] == "/"


def _quotient(decimal: Node, sign: Token) -> tuple[Node, Node]:
    if sign == "%":
        raise NotationError("a remainder is of whole numbers", at=_start(sign), hint="write them, as in '7 % 2'")
    ((_, divisor),) = cast("Chain", decimal).rest
    return cast("Chain", decimal).first, divisor


def _modified(whole: DiceTerm | Set | Group, modifier: Modifier) -> DiceTerm | Set:
    match whole:
        case DiceTerm():
            return replace(whole, modifiers=add_modifier(whole.modifiers, modifier, of_set=False))
        case Set(members, modifiers):
            new = Set(members, add_modifier(modifiers, modifier, of_set=True))
            if is_joined(new):
                _check_joined(new)
            return new
        case Group(inner):
            return _modified(_unwrapped(inner, modifier), modifier)


def _unwrapped(inner: Node, modifier: Modifier) -> DiceTerm | Set:
    """Return what a modifier after parentheses acts on: the dice in them, or the value as a set of one."""
    inner = ungrouped(inner)
    if isinstance(inner, DiceTerm):
        again = isinstance(modifier, Choose) and any(isinstance(one, Choose) for one in inner.modifiers)
        return Set((inner,)) if again else inner
    return Set((inner,))


def _check_joined(whole: Set) -> None:
    """Refuse to keep dice of a value that is more than a sum of dice and numbers.

    Raises:
        NotationError: a part of it is a product, say, or its dice are counted.
    """
    try:
        list(joined_terms(whole.members[0]))
    except ValueError:
        hint = "separate values by commas, as in '{3d6, 2d8}kh1', or keep the dice of a sum, as in '{3d6 + 2d8}kh2'"
        raise NotationError("one value has no highest and no lowest", hint=hint) from None
    other = next((one for one in whole.modifiers if not isinstance(one, Choose | Sort)), None)
    if other is not None:
        message = f"dice of a sum are kept or dropped; {quoted(other)} would see the sum alone"
        raise NotationError(message, hint=f"write {other} after the dice in it")
