"""The notation of a dice tray: a sum of dice and a modifier, in which single dice are added and taken away.

What somebody typed beside them, such as ``[Strength]`` or a part in parentheses, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from dicedocs import limits
from dicedocs.expression.tree import ACTOR, Reference
from dicedocs.expression.tree import format as format_reference

TRAY_DICE: Final = (4, 6, 8, 10, 12, 20, 100)
"""The dice of a tray, by their sides."""
Mode = Literal["normal", "advantage", "disadvantage"]
MODES: Final[tuple[Mode, ...]] = ("normal", "advantage", "disadvantage")
"""How a tray throws its d20."""

_ADVANTAGE_SIDES: Final = 20
_KEEPS: Final[dict[str, Mode]] = {"": "normal", "kh1": "advantage", "kl1": "disadvantage"}
_DICE: Final = re.compile(r"([0-9]{0,9})[dD]([0-9]{1,9})(kh1|kl1)?")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_OPERATORS: Final = ("", *"*/<>=!^")
_MODIFIER: Final = 10**9 - 1
"""The largest modifier."""
_BRACKETS: Final = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


class Term(NamedTuple):
    """A term of a sum.

    Parameters:
        sign: ``+`` or ``-``.
        text: what was written; empty for dice and numbers.
        number: the number of dice; for a number, itself.
        sides: the sides of the dice; 0 for a number and for other text.
        keep: ``kh1`` or ``kl1`` for one of two dice that is kept; else empty.
    """

    sign: str
    text: str = ""
    number: int = 0
    sides: int = 0
    keep: str = ""

    @property
    def mode(self) -> Mode:
        """How the dice are thrown."""
        return _KEEPS[self.keep]

    def __str__(self) -> str:
        if self.sides:
            return f"{self.number}d{self.sides}{self.keep}"
        return self.text or str(self.number)


def read_terms(notation: str) -> list[Term]:
    """Return the terms of a notation, which is a sum or a single term.

    >>> [str(term) for term in read_terms("d20 + [Luck + 1] - 2")]
    ['1d20', '[Luck + 1]', '2']
    """
    return [_read_term(sign, text) for sign, text in _split(notation) if text]


def _split(notation: str) -> Iterator[tuple[str, str]]:
    """Yield the signs and the texts of the terms; a sign in brackets separates nothing."""
    depth, start, sign = 0, 0, "+"
    for at, char in enumerate(notation):
        depth += _BRACKETS.get(char, 0)
        if char not in "+-" or depth:
            continue
        before = notation[start:at].strip()
        # A sign after another operator belongs to what follows it.
        if before[-1:] not in _OPERATORS:
            yield sign, before
            sign, start = char, at + 1
        elif not before and not start:
            sign, start = char, at + 1
    yield sign, notation[start:].strip()


def _read_term(sign: str, text: str) -> Term:
    if dice := _DICE.fullmatch(text):
        return Term(sign, number=int(dice[1] or 1), sides=int(dice[2]), keep=dice[3] or "")
    if _NUMBER.fullmatch(text):
        return Term(sign, number=int(text))
    return Term(sign, text)


def write_terms(terms: list[Term]) -> str:
    """Return the notation of some terms; empty if there are none.

    >>> write_terms([Term("+", number=2, sides=6), Term("-", number=1)])
    '2d6 - 1'
    """
    parts = [f"{term.sign} {term}" for term in terms]
    # A notation does not begin with a sign.
    return " ".join(["0", *parts] if parts and terms[0].sign == "-" else parts).removeprefix("+ ")


def add_dice(notation: str, sides: int, count: int = 1) -> str:
    """Return a notation with more or fewer dice of some sides.

    Parameters:
        notation: the notation.
        sides: the sides of the dice.
        count: how many are added; a negative number takes them away, as many as there are.

    >>> add_dice("1d20 + 2d6 + 3", 6), add_dice("1d20 + 3", 8), add_dice("1d20 + 3", 20, -1)
    ('1d20 + 3d6 + 3', '1d20 + 1d8 + 3', '3')
    >>> add_dice("2d20kh1 + 5", 20, -1)
    '5'
    """
    terms = read_terms(notation)
    own = [index for index, term in enumerate(terms) if term.sides == sides and term.sign == "+"]
    index = next((at for at in own if not terms[at].keep), own[0] if own and count < 0 else None)
    if index is None:
        if count > 0:
            last = max((at for at, term in enumerate(terms) if term.sides), default=-1)
            terms.insert(last + 1, Term("+", number=min(count, limits.DICE.maximum), sides=sides))
    else:
        term = terms[index]
        left = 0 if term.keep else min(term.number + count, limits.DICE.maximum)
        terms[index : index + 1] = [term._replace(number=left)] if left > 0 else []
    return write_terms(terms)


def toggle_resource(notation: str, name: str) -> str:
    """Return a notation with a resource of the actor added, or without it if it is one of its terms.

    >>> toggle_resource("1d20 + 2", "Attack"), toggle_resource("1d20 + [Attack] + 2", "Attack")
    ('1d20 + 2 + [Attack]', '1d20 + 2')
    """
    terms, text = read_terms(notation), format_reference(Reference(ACTOR, name))
    left = [term for term in terms if term.text != text]
    return write_terms(left if len(left) < len(terms) else [*terms, Term("+", text)])


def count_dice(notation: str, sides: int) -> int:
    """Return how many dice of some sides a notation adds up; two of which one is kept count as one.

    >>> count_dice("2d6 + d6 - 1d6", 6), count_dice("2d20kh1", 20)
    (3, 1)
    """
    own = (term for term in read_terms(notation) if term.sides == sides and term.sign == "+")
    return sum(1 if term.keep else term.number for term in own)


def modifier(notation: str) -> int:
    """Return the sum of the numbers of a notation.

    >>> modifier("1d20 + 5 - 2")
    3
    """
    return sum(_signed(term) for term in read_terms(notation) if _is_number(term))


def set_modifier(notation: str, number: int) -> str:
    """Return a notation with another modifier, at its end.

    >>> set_modifier("1d20 + 5", -2), set_modifier("1d20 - 2", 0)
    ('1d20 - 2', '1d20')
    """
    terms = [term for term in read_terms(notation) if not _is_number(term)]
    number = max(-_MODIFIER, min(_MODIFIER, number))
    if number:
        terms.append(Term("+" if number > 0 else "-", number=abs(number)))
    return write_terms(terms)


def _is_number(term: Term) -> bool:
    return not term.sides and not term.text


def _signed(term: Term) -> int:
    return term.number if term.sign == "+" else -term.number


def mode(notation: str) -> Mode | None:
    """Return how the only d20 of a notation is thrown; ``None`` if there is not exactly one.

    >>> mode("1d20 + 5"), mode("2d20kl1"), mode("3d6")
    ('normal', 'disadvantage', None)
    """
    term = _only_d20(read_terms(notation))
    return None if term is None else term.mode


def set_mode(notation: str, wanted: Mode) -> str:
    """Return a notation whose only d20 is thrown in another way; unchanged if there is not exactly one.

    >>> set_mode("1d20 + 5", "advantage"), set_mode("2d20kh1 + 5", "normal"), set_mode("2d6", "advantage")
    ('2d20kh1 + 5', '1d20 + 5', '2d6')
    """
    terms = read_terms(notation)
    term = _only_d20(terms)
    if term is None:
        return notation
    keep = next(text for text, each in _KEEPS.items() if each == wanted)
    terms[terms.index(term)] = term._replace(number=2 if keep else 1, keep=keep)
    return write_terms(terms)


def _only_d20(terms: list[Term]) -> Term | None:
    own = [term for term in terms if term.sides == _ADVANTAGE_SIDES and term.sign == "+"]
    return own[0] if len(own) == 1 and own[0].number == (2 if own[0].keep else 1) else None
