"""The notation of a dice tray: a sum in whose tree single dice are added and taken away.

What somebody typed beside them, such as ``[Strength]``, dice with modifiers or a part in parentheses, stays as it is.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final, Literal, TypeAlias

from dicedocs import limits
from dicedocs.errors import DiceError
from dicedocs.syntax.modifiers import Keep, Modifier
from dicedocs.syntax.parser import parse_expression, split_comment
from dicedocs.syntax.tree import (
    ACTOR,
    Chain,
    DiceTerm,
    Negation,
    Node,
    Number,
    Reference,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
)

TRAY_DICE: Final = (4, 6, 8, 10, 12, 20, 100)
"""The dice of a tray, by their sides."""
Mode = Literal["normal", "advantage", "disadvantage"]
MODES: Final[tuple[Mode, ...]] = ("normal", "advantage", "disadvantage")
"""How a tray throws its d20."""
Terms: TypeAlias = list[tuple[str, Node]]
"""The terms of a sum, each with its sign."""

_ADVANTAGE_SIDES: Final = 20
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_KEEPS: Final[dict[Mode, tuple[Modifier, ...]]] = {
    "normal": (),
    "advantage": (Keep(1, high=True),),
    "disadvantage": (Keep(1, high=False),),
}
_MODIFIER: Final = 10**9 - 1
"""The largest modifier."""


def read_terms(notation: str) -> Terms:
    """Return the terms of a notation, which is a sum or a single term; none of an empty one.

    An operator at the end, behind which something is still to be typed, is left out.

    Raises:
        DiceError: it cannot be read.

    >>> [format(term) for _sign, term in read_terms("d20 + [Luck] - 2 +")]
    ['1d20', '[Luck]', '2']
    """
    limits.TEXT.check(len(notation))
    body = split_comment(notation)[0].rstrip(" +-*/")
    if not body.strip():
        return []
    match parse_expression(body, "notation"):
        case Chain(first, rest) as tree if tree.is_sum:
            return [_signed(first), *rest]
        case tree:
            return [_signed(tree)]


def _signed(first: Node) -> tuple[str, Node]:
    return ("-", first.operand) if isinstance(first, Negation) else ("+", first)


def write_terms(terms: Terms, notation: str = "") -> str:
    """Return the notation of some terms; empty if there are none.

    Parameters:
        notation: the one that they were read from, whose comment is kept.

    >>> write_terms([("+", DiceTerm(Number(2), Number(6))), ("-", Number(1))], "2d6 # hit")
    '2d6 - 1 # hit'
    """
    comment = split_comment(notation)[1]
    parts = [f"# {comment}"] if comment else []
    if terms:
        (sign, first), *rest = terms
        start = first if sign == "+" else Negation(first)
        parts.insert(0, format(Chain(start, tuple(rest)) if rest else start))
    return " ".join(parts)


def known_terms(notation: str) -> Terms:
    """Return the terms of a notation, as :func:`read_terms` does; none of one that cannot be read."""
    with suppress(DiceError):
        return read_terms(notation)
    return []


def add_dice(notation: str, sides: int, count: int = 1) -> str:
    """Return a notation with more or fewer dice of some sides.

    Parameters:
        notation: the notation.
        sides: the sides of the dice.
        count: how many are added; a negative number takes them away, as many as there are.

    Raises:
        DiceError: the notation cannot be read.

    >>> add_dice("1d20 + 2d6 + 3", 6), add_dice("1d20 + 3", 8), add_dice("1d20 + 3", 20, -1)
    ('1d20 + 3d6 + 3', '1d20 + 1d8 + 3', '3')
    >>> add_dice("2d20kh1 + 5", 20, -1), add_dice("2d6!+1d4", 4)
    ('5', '2d6! + 2d4')
    """
    terms = read_terms(notation)
    own = [index for index, term in enumerate(terms) if _dice(term, sides)]
    index = next((at for at in own if not _mode(terms[at])), own[0] if own and count < 0 else None)
    if index is None:
        if count > 0:
            last = max((at for at, (_, term) in enumerate(terms) if isinstance(term, DiceTerm)), default=-1)
            terms.insert(last + 1, ("+", DiceTerm(Number(min(count, limits.DICE.maximum)), Number(sides))))
    else:
        left = 0 if _mode(terms[index]) else min(_dice(terms[index], sides) + count, limits.DICE.maximum)
        terms[index : index + 1] = [("+", DiceTerm(Number(left), Number(sides)))] if left > 0 else []
    return write_terms(terms, notation)


def toggle_resource(notation: str, name: str) -> str:
    """Return a notation with a resource of the actor added, or without it if it is one of its terms.

    Raises:
        DiceError: the notation cannot be read.

    >>> toggle_resource("1d20 + 2", "Attack"), toggle_resource("1d20 + [Attack] + 2", "Attack")
    ('1d20 + 2 + [Attack]', '1d20 + 2')
    """
    terms, reference = read_terms(notation), Reference(ACTOR, name)
    left = [(sign, term) for sign, term in terms if term != reference]
    return write_terms(left if len(left) < len(terms) else [*terms, ("+", reference)], notation)


def has_resource(notation: str, name: str) -> bool:
    """Return whether a resource of the actor is one of the terms of a notation."""
    return any(term == Reference(ACTOR, name) for _, term in known_terms(notation))


def count_dice(notation: str, sides: int) -> int:
    """Return how many dice of some sides a notation adds up; two of which one is kept count as one.

    >>> count_dice("2d6 + d6 - 1d6", 6), count_dice("2d20kh1", 20)
    (3, 1)
    """
    return sum(1 if _mode(term) else _dice(term, sides) for term in known_terms(notation) if _dice(term, sides))


def modifier(notation: str) -> int:
    """Return the sum of the numbers of a notation.

    >>> modifier("1d20 + 5 - 2")
    3
    """
    numbers = [(sign, term.value) for sign, term in known_terms(notation) if isinstance(term, Number)]
    return sum(value if sign == "+" else -value for sign, value in numbers)


def set_modifier(notation: str, number: int) -> str:
    """Return a notation with another modifier, at its end.

    Raises:
        DiceError: the notation cannot be read.

    >>> set_modifier("1d20 + 5", -2), set_modifier("1d20 - 2", 0)
    ('1d20 - 2', '1d20')
    """
    terms: Terms = [(sign, term) for sign, term in read_terms(notation) if not isinstance(term, Number)]
    number = max(-_MODIFIER, min(_MODIFIER, number))
    if number:
        terms.append(("+" if number > 0 else "-", Number(abs(number))))
    return write_terms(terms, notation)


def mode(notation: str) -> Mode | None:
    """Return how the only d20 of a notation is thrown; ``None`` if there is not exactly one.

    >>> mode("1d20 + 5"), mode("2d20kl1"), mode("3d6")
    ('normal', 'disadvantage', None)
    """
    terms = known_terms(notation)
    index = _only_d20(terms)
    return None if index is None else _mode(terms[index]) or "normal"


def set_mode(notation: str, wanted: Mode) -> str:
    """Return a notation whose only d20 is thrown in another way; unchanged if there is not exactly one.

    >>> set_mode("1d20 + 5", "advantage"), set_mode("2d20kh1 + 5", "normal"), set_mode("2d6", "advantage")
    ('2d20kh1 + 5', '1d20 + 5', '2d6')
    """
    terms = known_terms(notation)
    index = _only_d20(terms)
    if index is None:
        return notation
    keeps = _KEEPS[wanted]
    terms[index] = ("+", DiceTerm(Number(2 if keeps else 1), Number(_ADVANTAGE_SIDES), keeps))
    return write_terms(terms, notation)


def add_target(notation: str, number: int) -> str:
    """Return the check whether a notation comes to a number or more; a comment stays at its end.

    >>> add_target("1d20 + 5 # hit", 15)
    '1d20 + 5 >= 15 # hit'
    """
    body, comment = split_comment(notation)
    return f"{body.rstrip()} >= {number}" + (f" # {comment}" if comment else "")


def remove_target(check: str) -> tuple[str, int | None]:
    """Return the notation of a check, and the number that it is to come to; ``None`` of any other check.

    >>> remove_target("1d20 + 5 >= 15 # hit"), remove_target("1d20 >= [Target Defense]")
    (('1d20 + 5 # hit', 15), ('1d20 >= [Target Defense]', None))
    """
    body, comment = split_comment(check)
    notation, _sign, number = body.rpartition(" >= ")
    if not _NUMBER.fullmatch(number):
        return check, None
    return notation + (f" # {comment}" if comment else ""), int(number)


def _dice(term: tuple[str, Node], sides: int) -> int:
    """Return how many dice of some sides a term adds up; 0 for dice with other modifiers than those of a mode."""
    match term:
        case ("+", DiceTerm(Number(count), Number(size), modifiers)) if size == sides:
            return count if not modifiers or _mode(term) else 0
    return 0


def _mode(term: tuple[str, Node]) -> Mode | None:
    """Return how a term throws one of two d20; ``None`` for any other term."""
    match term:
        case ("+", DiceTerm(Number(2), Number(20), modifiers)) if modifiers:
            return next((each for each, keeps in _KEEPS.items() if keeps == modifiers), None)
    return None


def _only_d20(terms: Terms) -> int | None:
    own = [at for at, term in enumerate(terms) if _dice(term, _ADVANTAGE_SIDES)]
    alone = len(own) == 1 and (_mode(terms[own[0]]) or _dice(terms[own[0]], _ADVANTAGE_SIDES) == 1)
    return own[0] if alone else None
