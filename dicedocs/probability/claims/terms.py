"""The terms of a claim: numbers, statistics that are counted, and arithmetic of these."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from dicedocs.errors import ParameterError, near, quoted
from dicedocs.probability.event import check_digits
from dicedocs.probability.sweep import parse_settings
from dicedocs.render.numbers import decimal, decimals_of, percent

if TYPE_CHECKING:
    from dicedocs.probability.claims.subject import Subject

PROBABILITY: Final = "p"
AVERAGES: Final = ("mean", "median")
STATISTICS: Final = (*AVERAGES, "minimum", "maximum", PROBABILITY)
"""The names of the statistics."""
_ARITHMETIC: Final[Mapping[str, Callable[[Fraction, Fraction], Fraction]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_FIRST_WORD: Final = re.compile(r"(\w+)\b\s*(.*)")


class Term(Protocol):
    """A part of a claim that has a value."""

    @property
    def is_probability(self) -> bool:
        """Whether the value is shown as a percentage."""

    def value(self, subject: Subject) -> Fraction:
        """Return the exact value, or raise a :class:`~dicedocs.errors.DiceError`."""


class NumberTerm(NamedTuple):
    """A number as it is written; a percentage is a probability."""

    text: str

    @property
    def number(self) -> Fraction:
        """The number; of a percentage a hundredth."""
        return Fraction(self.text.removesuffix("%")) / (100 if self.is_probability else 1)

    @property
    def decimals(self) -> int:
        """How many decimals are written."""
        return decimals_of(self.text)

    @property
    def is_probability(self) -> bool:
        return self.text.endswith("%")

    def value(self, subject: Subject) -> Fraction:
        return self.number


class RatioTerm(NamedTuple):
    """A probability as a ratio, ``1 in 6``."""

    number: Fraction

    @property
    def is_probability(self) -> bool:
        return True

    def value(self, subject: Subject) -> Fraction:
        return self.number


class Statistic(NamedTuple):
    """A number that is computed from a distribution.

    Parameters:
        name: one of :data:`STATISTICS`.
        arguments: the fact, if one is named; for a probability the events.
        settings: the settings of parameters, as text.
    """

    name: str
    arguments: tuple[str, ...]
    settings: str

    @property
    def is_probability(self) -> bool:
        return self.name == PROBABILITY

    def value(self, subject: Subject) -> Fraction:
        settings = parse_settings(subject.rule, self.settings)
        if self.is_probability:
            return subject.probability(self._events(subject), settings)
        return Fraction(getattr(subject.odds(*self.arguments, settings=settings), self.name))

    def _events(self, subject: Subject) -> dict[str, str]:
        """Return the event of each fact; the first may leave out its fact, and a fact alone must be true."""
        facts = subject.rule.result().facts_of
        events: dict[str, str] = {}
        for index, text in enumerate(self.arguments):
            match = _FIRST_WORD.fullmatch(text)
            name, event = match.groups() if match and match[1] in facts else ("", text)
            if index and not name:
                word = match[1] if match else text
                is_text = subject.rule.fact_kinds()[next(reversed(events))].any_text
                hint = "write a text with a comma in quotes" if is_text else near(word, facts)
                raise ParameterError(f"{quoted(text)} does not name a fact", hint=hint)
            name = subject.fact_name(name)
            if name in events:
                raise ParameterError(f"the fact {quoted(name)} has two events", hint="write one")
            events[name] = event or "= true"
        return events


class NegatedTerm(NamedTuple):
    """A term with a minus before it."""

    term: Term

    @property
    def is_probability(self) -> bool:
        return self.term.is_probability

    def value(self, subject: Subject) -> Fraction:
        return -self.term.value(subject)


class ChainTerm(NamedTuple):
    """Terms that are added and subtracted, or multiplied and divided, from left to right."""

    first: Term
    rest: tuple[tuple[str, Term], ...]

    @property
    def is_probability(self) -> bool:
        """Whether it is shown as a percentage, as sums and multiples of probabilities are, but not ratios of them."""
        ratio = any(sign == "/" and term.is_probability for sign, term in self.rest)
        return not ratio and (self.first.is_probability or any(term.is_probability for _, term in self.rest))

    def value(self, subject: Subject) -> Fraction:
        total = self.first.value(subject)
        for sign, term in self.rest:
            operand = term.value(subject)
            if sign == "/" and not operand:
                raise ParameterError("a figure is divided by 0")
            total = _ARITHMETIC[sign](total, operand)
            check_digits(int(total))
        return total


def statistics(term: Term) -> Iterator[Statistic]:
    """Yield the statistics that a term contains."""
    match term:
        case Statistic():
            yield term
        case NegatedTerm(inner):
            yield from statistics(inner)
        case ChainTerm(first, rest):
            for part in (first, *(part for _, part in rest)):
                yield from statistics(part)


def format_figure(value: Fraction, *, as_percentage: bool, places: int | None = None) -> str:
    """Return an exact value as it is shown.

    Parameters:
        value: the value.
        as_percentage: whether it is a probability, which is shown as a percentage.
        places: the maximum number of decimals; when left out 1 for a percentage, otherwise 2.

    >>> format_figure(Fraction(7, 27), as_percentage=True), format_figure(Fraction(21, 2), as_percentage=False)
    ('25.9%', '10.5')
    """
    if as_percentage:
        return percent(value, 1 if places is None else places)
    return decimal(value, 2 if places is None else places)
