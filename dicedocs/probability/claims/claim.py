"""A claim: two terms and their comparison, which is evaluated for a subject."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from dicedocs.errors import ExpectationError, quoted
from dicedocs.probability.claims.terms import NumberTerm, Term, format_figure
from dicedocs.rules.steps import COMPARISONS, Comparison

if TYPE_CHECKING:
    from dicedocs.probability.claims.subject import Subject

_EXTRA_PLACES: Final = 4
"""How many numbers of decimals are tried to show a figure so that it agrees with the result of the comparison."""


class ClaimResult(NamedTuple):
    """The result of evaluating a claim.

    Parameters:
        holds: whether it is true.
        figure: the exact value of its left side as it is shown; where two statistics are compared, both.
        actual: a true claim: the text as written if it holds, otherwise with the exact value.
    """

    holds: bool
    figure: str
    actual: str


class Claim(NamedTuple):
    """A comparison of two terms, which :func:`~dicedocs.probability.claims.parse_claim` returns.

    Parameters:
        text: the text, with runs of spaces folded.
        left, relation, right: the terms and their comparison.
        tolerance: how far apart they may be, after ``±``.
        parts: the text of the left side, of the comparison with the spaces around it, and of the right side.

    >>> from dicedocs.probability.claims import Subject, parse_claim
    >>> claim = parse_claim("mean(total | advantage=1) - mean(total) = 2 ± 0.5")
    >>> claim.verify(Subject("total-effect/roll", {})).figure
    '1.74'
    """

    text: str
    left: Term
    relation: Comparison
    right: Term
    tolerance: NumberTerm | None
    parts: tuple[str, str, str]

    def evaluate(self, subject: Subject) -> ClaimResult:
        """Compute both sides and compare them, or raise a ``DiceError``."""
        left, right = self.left.value(subject), self.right.value(subject)
        holds = self._holds(left, right)
        figure, other = self._figures(left, right, holds=holds)
        before, between, after = self.parts
        if isinstance(self.right, NumberTerm):
            sign = "="
            after = figure
        else:
            sign = "<" if left < right else ">" if left > right else "="
            figure = f"{figure} {sign} {other}"
        actual = f"{before}{between.replace(between.strip(), sign)}{after}"
        return ClaimResult(holds, figure, self.text if holds else actual)

    def verify(self, subject: Subject, *, loose: bool = False) -> ClaimResult:
        """Return the result of a claim that holds.

        Parameters:
            subject: what it is about.
            loose: whether the claim is quoted although it is false; then it must not hold.

        Raises:
            ExpectationError: it does not hold; or it is loose, and holds.
            DiceError: one of the sides cannot be computed.
        """
        result = self.evaluate(subject)
        if result.holds == loose:
            but = "is loose, and holds exactly" if loose else "does not hold"
            message = f"{quoted(self.text)} {but}: it is {result.figure}"
            raise ExpectationError(message, expected=self.text, actual=result.actual)
        return result

    def _holds(self, left: Fraction, right: Fraction) -> bool:
        if self.tolerance is not None:
            return abs(left - right) <= self.tolerance.number
        if self.relation in {"=", "!="} and isinstance(self.right, NumberTerm):
            return self.right.rounds(left) == (self.relation == "=")
        return COMPARISONS[self.relation](left, right)

    def _figures(self, left: Fraction, right: Fraction, *, holds: bool) -> tuple[str, str]:
        """Return both sides with enough decimals not to contradict the result of the comparison."""
        as_percentage = self.left.is_probability or self.right.is_probability
        numbers = [number for number in (self.right, self.tolerance) if isinstance(number, NumberTerm)]
        minimum = max([1 if as_percentage else 2, *(number.decimals for number in numbers)])
        for places in range(minimum, minimum + _EXTRA_PLACES):
            figure, other = (format_figure(side, as_percentage=as_percentage, places=places) for side in (left, right))
            compared = right if isinstance(self.right, NumberTerm) else _parse_figure(other, right)
            if self._holds(_parse_figure(figure, left), compared) == holds:
                break
        return figure, other


def _parse_figure(figure: str, exact: Fraction) -> Fraction:
    """Return the number that a figure shows, or the exact one where it only shows a bound, as ``<0.1%``."""
    if figure[0] in "<>":
        return exact
    return Fraction(figure[:-1]) / 100 if figure.endswith("%") else Fraction(figure)
