"""What a chance is the chance of: ``at least 13``, ``= true``, ``if it succeeds``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from dicedocs.errors import ParameterError, quoted
from dicedocs.rules.kinds import IntKind, as_line, convert
from dicedocs.rules.steps import COMPARISONS, Comparison

SIGNS: Final[Mapping[str, Comparison]] = {
    "at least": ">=",
    "at most": "<=",
    "over": ">",
    "under": "<",
    "equal": "=",
    "not": "!=",
}
"""The words for each sign."""
WORDS: Final[Mapping[Comparison, str]] = {sign: words for words, sign in SIGNS.items()}
"""The signs with their words."""
_ORDERS: Final = frozenset({">=", "<=", ">", "<"})
_NUMBER: Final = IntKind()
_FORM: Final = re.compile(rf"(>=|<=|!=|>|<|=|(?:{'|'.join(SIGNS)})\b)? ?(.*)", re.IGNORECASE)


class Event(NamedTuple):
    """A comparison that the values of a fact meet or do not.

    Parameters:
        op: the sign of the comparison.
        text: what is compared with, in a fact's canonical text.

    >>> print(Event.read(">= 13"))
    at least 13
    >>> Event.read("at least 13").holds(12), Event.read("if it succeeds").holds("if it succeeds")
    (False, True)
    """

    op: Comparison
    text: str

    @classmethod
    def read(cls, text: object) -> Event:
        """Read a comparison in words or with a sign; a value alone means that value.

        Raises:
            ParameterError: nothing is compared with, or what is no whole number is put in order.
        """
        if isinstance(text, Event):
            return text
        folded = " ".join(text.split()) if isinstance(text, str) else as_line(text)
        found = _FORM.fullmatch(folded)
        sign, value = found.groups() if found else ("", folded)
        sign = (sign or "=").lower()
        op = SIGNS.get(sign) or _sign(sign)
        if not value:
            raise ParameterError(f"{quoted(folded)} compares with nothing", hint="write it like 'at least 13'")
        if op in _ORDERS:
            convert(_NUMBER, value)
        return cls(op, value)

    @property
    def number(self) -> int:
        """The whole number that is compared with.

        Raises:
            ParameterError: there is none.
        """
        return _NUMBER.read(self.text)

    @property
    def ordered(self) -> bool:
        """Whether values are compared by their order, which only numbers have."""
        return self.op in _ORDERS

    def holds(self, value: object) -> bool:
        """Tell whether a value meets the comparison; what is no number is neither above nor below one."""
        if self.op in _ORDERS:
            return type(value) is int and COMPARISONS[self.op](value, self.number)
        return (as_line(value) == self.text) == (self.op == "=")

    def __str__(self) -> str:
        return self.text if self.op == "=" else f"{WORDS[self.op]} {self.text}"


def _sign(text: str) -> Comparison:
    return next(sign for sign in WORDS if sign == text)
