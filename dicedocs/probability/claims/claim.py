"""A claim: two terms and their comparison, which is evaluated for a subject."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError
from dicedocs.probability.claims.terms import NumberTerm, RatioTerm, Term, format_figure, margin, statistics
from dicedocs.render.numbers import WITHOUT_NONE, Rounding, figure_holds, rounded_like
from dicedocs.rules.steps import COMPARISONS, Comparison

if TYPE_CHECKING:
    from dicedocs.probability.claims.subject import Subject

_EXTRA_PLACES: Final = 30
"""How many numbers of decimals are tried to show a figure so that it agrees with the result of the comparison."""
_SURE_PLACES: Final = 3
"""How many decimals more than those written have to be known for a comparison."""


class ClaimResult(NamedTuple):
    """The result of evaluating a claim.

    Parameters:
        holds: whether it is true.
        figure: the exact value of its left side as it is shown; where it is compared with other statistics, both.
        actual: a true claim: the text as written if it holds, otherwise with the exact value; its comparison is another
            one where no value makes it true.
        corrected: the same, but empty if its comparison would be another one.
        without_none: whether a statistic is that of the numbers alone, since its fact may be ``None``.
        is_rough: whether the figure is known only roughly, since dice may go on too long to be followed.
    """

    holds: bool
    figure: str
    actual: str
    corrected: str
    without_none: bool
    is_rough: bool

    @property
    def explained(self) -> str:
        """The figure, and of what it is."""
        figure = f"about {self.figure}" if self.is_rough else self.figure
        return WITHOUT_NONE.format(figure=figure) if self.without_none else figure


class Claim(NamedTuple):
    """A comparison of two terms, which :func:`~dicedocs.probability.claims.parse_claims` returns.

    Parameters:
        text: the text, with runs of spaces folded.
        left, relation, right: the terms and their comparison.
        tolerance: how far apart they may be, after ``±``.
        rounding: how the number on the right was rounded.
        parts: the text of the left side, of the comparison with the spaces around it, of the right side, and of what
            stands behind that with the space before it.
        source: the text in which it stands, for the positions of errors.

    >>> from dicedocs.probability.claims import Subject, parse_claims
    >>> [claim] = parse_claims("mean(total | advantage=1) - mean(total) = 2 ± 0.5")
    >>> claim.evaluate(Subject("total-effect/roll", {})).figure
    '1.74'
    """

    text: str
    left: Term
    relation: Comparison
    right: Term
    tolerance: NumberTerm | None
    rounding: Rounding
    parts: tuple[str, str, str, str]
    source: str

    @property
    def in_full(self) -> str:
        """The text with its rounding, also where that is the one of its book.

        >>> from dicedocs.probability.claims import parse_claims
        >>> parse_claims("mean = 10", "down")[0].in_full
        'mean = 10 rounded down'
        """
        before, between, right, behind = self.parts
        if self.rounding == "exact" or behind or "about" in between:
            return self.text
        if self.rounding == "about":
            return f"{before}{between}about {right}"
        return f"{self.text} rounded {self.rounding}"

    def evaluate(self, subject: Subject) -> ClaimResult:
        """Compute both sides and compare them, or raise a ``DiceError``."""
        try:
            left, right = self.left.value(subject), self.right.value(subject)
        except DiceError as error:
            if error.at and not error.text:
                error.text = self.source
            raise
        left, is_rough = self._known(left, right, subject)
        holds = self._holds(left, right)
        figure, other = self._figures(left, right, holds=holds)
        corrected = self.text if holds else self._corrected(left, figure)
        before, between, after, _behind = self.parts
        sign = "<" if left < right else ">" if left > right else "="
        if isinstance(self.right, NumberTerm):
            is_bound = figure[0] in "<>"
            sign, after = (figure[0], figure[1:]) if is_bound else ("=", figure)
        elif self._is_with_statistics:
            figure = f"{figure} {sign} {other}"
        actual = f"{before}{between.replace(between.strip(), sign)}{after}"
        counted = (*statistics(self.left), *statistics(self.right))
        without_none = any(each.leaves_out_none(subject) for each in counted)
        return ClaimResult(holds, figure, corrected or actual, corrected, without_none, is_rough)

    def _known(self, left: Fraction, right: Fraction, subject: Subject) -> tuple[Fraction, bool]:
        """Return the left side, which is the number written where it cannot be told from it, and if it is rough.

        Raises:
            ParameterError: it is too rough to be compared with that number.
        """
        off = margin(self.left, subject)
        if not off or not isinstance(self.right, NumberTerm):
            return left, False
        is_rough = off * 10 ** (self.right.decimals + _SURE_PLACES) > 1
        if abs(left - right) > off or self.rounding == "about" or self.tolerance is not None:
            return left, is_rough
        if is_rough:
            message = f"{self.parts[0]} is known only roughly, since its dice may go on too long to be followed"
            raise ParameterError(message, hint=f"write about {round(left)}")
        return right, False

    def _holds(self, left: Fraction, right: Fraction) -> bool:
        if self.tolerance is not None:
            return abs(left - right) <= self.tolerance.number
        if self.relation in {"=", "!="} and isinstance(self.right, NumberTerm):
            return figure_holds(self.right.text, left, self.rounding) == (self.relation == "=")
        return COMPARISONS[self.relation](left, right)

    @property
    def _is_with_statistics(self) -> bool:
        """Whether the right side is counted too."""
        return any(statistics(self.right))

    def _corrected(self, left: Fraction, shown: str) -> str:
        """Return the claim with the exact figure in the form that stands there; empty if none makes it true.

        Parameters:
            left: the exact value of the left side.
            shown: the same as it is shown.
        """
        before, between, _right, behind = self.parts
        for figure in self._right_figures(left, shown):
            # Of what is very improbable only a bound is shown.
            if figure[0] not in "<>" and self._compared_with(figure, left):
                return f"{before}{between}{figure}{behind}"
        return ""

    def _right_figures(self, exact: Fraction, shown: str) -> Iterator[str]:
        """Yield the figures that may stand on the right for an exact value; none where a statistic stands."""
        if isinstance(self.right, NumberTerm) and self.rounding != "exact":
            yield rounded_like(self.right.text, exact, self.rounding)
        elif isinstance(self.right, NumberTerm):
            as_percentage = self.right.is_probability
            if as_percentage or not self.left.is_probability:
                yield shown
            minimum = max(1 if as_percentage else 3, self.right.decimals)
            for places in range(minimum, minimum + _EXTRA_PLACES):
                yield format_figure(exact, as_percentage=as_percentage, places=places)
        elif not self._is_with_statistics and exact.denominator < 10**limits.DIGITS.maximum:
            is_ratio = isinstance(self.right, RatioTerm)
            yield f"{exact.numerator} in {exact.denominator}" if is_ratio else str(exact)

    def _compared_with(self, figure: str, left: Fraction) -> bool:
        """Return whether the comparison holds with another figure on the right."""
        if isinstance(self.right, NumberTerm):
            number = NumberTerm(figure)
            return self._replace(right=number)._holds(left, number.number)
        return self._holds(left, left)

    def _figures(self, left: Fraction, right: Fraction, *, holds: bool) -> tuple[str, str]:
        """Return both sides with enough decimals not to contradict the result of the comparison."""
        as_percentage = self.left.is_probability or self.right.is_probability
        numbers = [number for number in (self.right, self.tolerance) if isinstance(number, NumberTerm)]
        minimum = max([1 if as_percentage else 2, *(number.decimals for number in numbers)])
        # Should none of them agree, the shortest is shown.
        for places in (*range(minimum, minimum + _EXTRA_PLACES), minimum):
            figure, other = (format_figure(side, as_percentage=as_percentage, places=places) for side in (left, right))
            is_written = isinstance(self.right, NumberTerm)
            compared = right if is_written else _parse_figure(other, right)
            differs = is_written or left == right or figure != other
            if differs and self._holds(_parse_figure(figure, left), compared) == holds:
                break
        return figure, other


def _parse_figure(figure: str, exact: Fraction) -> Fraction:
    """Return the number that a figure shows, or the exact one where it only shows a bound, as ``<0.1%``."""
    if figure[0] in "<>":
        return exact
    return Fraction(figure[:-1]) / 100 if figure.endswith("%") else Fraction(figure)
