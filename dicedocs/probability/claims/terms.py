"""The figures of a claim: numbers, what is counted, and arithmetic of these."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from dicedocs.errors import ParameterError, near, quoted
from dicedocs.probability.sweep import parse_settings
from dicedocs.render.numbers import decimal, percent

if TYPE_CHECKING:
    from dicedocs.probability.claims.subject import Subject

CHANCE: Final = "p"
STATISTICS: Final = ("mean", "median", CHANCE)
"""The figures that are counted."""
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
    def chance(self) -> bool:
        """Whether it is shown as a percentage."""

    def value(self, subject: Subject) -> Fraction:
        """Give the exact value, or raise a :class:`~dicedocs.errors.DiceError`."""


class NumberTerm(NamedTuple):
    """A number as it is written; ``places`` are the decimals it has there."""

    written: Fraction
    places: int
    chance: bool

    def value(self, subject: Subject) -> Fraction:
        """Give the number."""
        return self.written

    def rounds(self, exact: Fraction) -> bool:
        """Tell whether this is what an exact figure rounds to."""
        scale = 100 if self.chance else 1
        return Fraction(decimal(exact * scale, self.places)) == self.written * scale


class Statistic(NamedTuple):
    """What is counted.

    Parameters:
        name: one of :data:`STATISTICS`.
        of: of which fact, or of which events.
        settings: with which settings.
    """

    name: str
    of: tuple[str, ...]
    settings: str

    @property
    def chance(self) -> bool:
        """Whether it is a chance."""
        return self.name == CHANCE

    def value(self, subject: Subject) -> Fraction:
        """Count it."""
        chosen = parse_settings(subject.rule, self.settings)
        if self.chance:
            return subject.chance(self._events(subject), chosen)
        found: Fraction = getattr(subject.odds(*self.of, chosen=chosen), self.name)
        return found

    def _events(self, subject: Subject) -> dict[str, str]:
        """Give the event of each fact: the first need not name its fact, and a fact alone is true."""
        facts = subject.rule.result().facts_of
        events: dict[str, str] = {}
        for place, text in enumerate(self.of):
            named = _FIRST_WORD.fullmatch(text)
            name, event = named.groups() if named and named[1] in facts else ("", text)
            if place and not name:
                word = named[1] if named else text
                raise ParameterError(f"{quoted(text)} names no fact", hint=near(word, facts))
            name = subject.known(name)
            if name in events:
                raise ParameterError(f"the fact {quoted(name)} has two events", hint="write one")
            events[name] = event or "= true"
        return events


class NegatedTerm(NamedTuple):
    """A figure with a minus before it."""

    figure: Term

    @property
    def chance(self) -> bool:
        """Whether it is a chance."""
        return self.figure.chance

    def value(self, subject: Subject) -> Fraction:
        """Give the number that is as far below 0 as the figure is above."""
        return -self.figure.value(subject)


class ChainTerm(NamedTuple):
    """Figures that are added and taken away, or multiplied and divided, from left to right."""

    first: Term
    rest: tuple[tuple[str, Term], ...]

    @property
    def chance(self) -> bool:
        """Whether it is a chance, as the sum of chances is, and a chance by a number."""
        over = any(sign == "/" and figure.chance for sign, figure in self.rest)
        return not over and (self.first.chance or any(figure.chance for _, figure in self.rest))

    def value(self, subject: Subject) -> Fraction:
        """Work it out."""
        total = self.first.value(subject)
        for sign, figure in self.rest:
            operand = figure.value(subject)
            if sign == "/" and not operand:
                raise ParameterError("a figure is divided by 0")
            total = _ARITHMETIC[sign](total, operand)
        return total


def statistics(figure: Term) -> Iterator[Statistic]:
    """Give what has to be counted for a figure."""
    match figure:
        case Statistic():
            yield figure
        case NegatedTerm(inner):
            yield from statistics(inner)
        case ChainTerm(first, rest):
            for part in (first, *(part for _, part in rest)):
                yield from statistics(part)


def format_figure(value: Fraction, *, chance: bool, places: int | None = None) -> str:
    """Give an exact figure as it is shown: a chance as a percentage.

    Parameters:
        value: the figure.
        chance: whether it is a chance.
        places: at most how many decimals; when left out 1 of a percentage, otherwise 2.

    >>> format_figure(Fraction(7, 27), chance=True), format_figure(Fraction(21, 2), chance=False)
    ('25.9%', '10.5')
    """
    if chance:
        return percent(value, 1 if places is None else places)
    return decimal(value, 2 if places is None else places)
