"""The terms of a claim: numbers, statistics that are counted, and arithmetic of these."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from dicedocs.errors import ParameterError, located
from dicedocs.probability.best_odds import TIED, BestOdds, Figure
from dicedocs.probability.claims.condition import EventText, begins_with_fact, cached_condition
from dicedocs.probability.event import Event, check_digits
from dicedocs.probability.sweep import Setting, parse_settings
from dicedocs.render.numbers import bounds_texts, decimal, decimals_of, percent
from dicedocs.rules.kinds import spaced

if TYPE_CHECKING:
    from dicedocs.probability.claims.subject import Subject
    from dicedocs.probability.distribution import Distribution

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


@dataclass(frozen=True)
class Statistic:
    """A number that is computed from a distribution.

    Parameters:
        name: one of :data:`STATISTICS`.
        events: for a probability the event; else the fact, or an empty text.
        given: the condition; ``None`` if there is none.
        settings: the settings of parameters, as text.
        at: the position of the condition in the text.
    """

    name: str
    events: EventText
    given: EventText | None
    settings: str
    at: int = field(default=0, compare=False)

    @property
    def is_probability(self) -> bool:
        return self.name == PROBABILITY

    def value(self, subject: Subject) -> Fraction:
        if not self.is_probability:
            fact = subject.fact_name(self.events.text)
            odds = self._untied_odds(subject, fact).marginal(fact)
            numbers = odds.given(_is_not_none) if _may_be_none(odds) and len(odds) > 1 else odds
            return Fraction(getattr(numbers, self.name))
        condition = cached_condition(self.events, subject, f" given {self.given.text}" if self.given else "")
        return condition.chance(self._untied_odds(subject, condition))

    def margin(self, subject: Subject) -> Fraction:
        """Return how far a mean may be off, since dice that go on too long are not followed; 0 if all were.

        Such dice come to more than what was followed, and rarely to more than three times as much.
        """
        odds = self._odds_of_fact(subject) if self.name == "mean" else None
        if odds is None or not odds.remainder:
            return Fraction(0)
        largest: int = max(abs(value) for value in odds if value is not None)
        return odds.remainder * 3 * largest

    def leaves_out_none(self, subject: Subject) -> bool:
        """Return whether it is that of the numbers alone, since the fact may be ``None``."""
        return not self.is_probability and _may_be_none(self._odds_of_fact(subject))

    def _odds_of_fact(self, subject: Subject) -> Distribution:
        fact = subject.fact_name(self.events.text)
        return self._odds(subject, fact).marginal(fact)

    def _odds(self, subject: Subject, of: Event | str) -> Distribution:
        """Return the joint distribution of a fact, or of those of a condition, given the other condition."""
        return self._among_given(*self._joint_odds(subject, of))

    def _untied_odds(self, subject: Subject, of: Event | str) -> Distribution:
        """Return what :meth:`_odds` does, unless the figure depends on how ties are broken."""
        odds, given = self._joint_odds(subject, of)
        among = self._among_given(odds, given)
        if isinstance(odds, BestOdds):
            self._check_ties(subject, of, odds, given)
        return among

    def _among_given(self, odds: Distribution, given: Event | None) -> Distribution:
        if given is None or self.given is None:
            return odds
        holds = given.test(odds.names)
        if not any(map(holds, odds)):
            with located(self.at):
                raise ParameterError(f"it never happens that {self.given.text}", hint="ask for what can happen")
        return odds.given(holds)

    def _joint_odds(self, subject: Subject, of: Event | str) -> tuple[Distribution, Event | None]:
        """Return the joint distribution with what the other condition is about, and that condition."""
        settings = self._parse_settings(subject)
        given = cached_condition(self.given, subject, named=True) if self.given else None
        return subject.joint_odds(*([of] if given is None else [of, given]), settings=settings), given

    def _check_ties(self, subject: Subject, of: Event | str, odds: BestOdds, given: Event | None) -> None:
        """Refuse a figure of best play that depends on how ties are broken."""
        best = f"best: {' '.join(subject.best.split())}"
        figure = odds.averaged(of) if self.is_probability or self.name == "mean" else None
        if figure is not None and given is None:
            if bounds := odds.bounds(figure):
                written = self._with_fact(subject)
                message = f"{written} is {' to '.join(bounds_texts(bounds, as_percentage=self.is_probability))}"
                hint = f"write {best}, -{written} or {best}, {written}"
                raise ParameterError(f"{message}, {TIED}", hint=hint)
        elif self._may_be_tied(odds, figure, given):
            written = f"{self.events.text} given {self.given.text}" if self.given else self.events.text
            message = f"{self.name}({written}) depends on how ties are broken"
            raise ParameterError(message, hint=f"add a figure that breaks them: {best}, mean(...)")

    def _may_be_tied(self, odds: BestOdds, figure: Figure | None, given: Event | None) -> bool:
        if figure is None or given is None:
            return odds.are_tied
        holds = given.test(odds.names)
        return any(map(odds.bounds, (holds, lambda value: figure(value) if holds(value) else 0)))

    def _with_fact(self, subject: Subject) -> str:
        """Return the figure as it is written where nothing else says which fact is meant."""
        text = self.events.text
        if not self.is_probability:
            return f"{self.name}({subject.fact_name(text)})"
        words = re.findall(r"\w+", text)
        is_named = any(fact in words or spaced(fact) in text for fact in subject.rule.result().facts_of)
        return f"{self.name}({text})" if is_named else f"{self.name}({subject.fact_name()} {text})"

    def _parse_settings(self, subject: Subject) -> tuple[Setting, ...]:
        try:
            return parse_settings(subject.rule, self.settings)
        except ParameterError as error:
            if error.parameter not in subject.rule.parameters() and begins_with_fact(self.settings, subject):
                error.hint = "write 'given' before a condition; settings go after '|'"
            raise


def _may_be_none(odds: Distribution) -> bool:
    return not odds.dense and None in odds


def _is_not_none(value: object) -> bool:
    return value is not None


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


def margin(term: Term, subject: Subject) -> Fraction:
    """Return how far a statistic, or a sum of some, may be off."""
    is_sum = isinstance(term, Statistic) or (isinstance(term, ChainTerm) and {sign for sign, _ in term.rest} <= {*"+-"})
    return sum((each.margin(subject) for each in statistics(term)), Fraction(0)) if is_sum else Fraction(0)


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
