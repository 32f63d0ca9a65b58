"""A claim, counted and compared."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from dicedocs.errors import ExpectationError, quoted
from dicedocs.probability.claims.terms import NumberTerm, Term, format_figure
from dicedocs.rules.steps import COMPARISONS, Comparison

if TYPE_CHECKING:
    from dicedocs.probability.claims.subject import Subject

_MORE: Final = 4
"""Decimals more than usual with which a figure is shown, until it can be told from what was claimed."""


class ClaimResult(NamedTuple):
    """What counting a claim gave.

    Parameters:
        holds: whether it is true.
        figure: the exact figure of its left side as it is shown; where two figures are compared, both.
        actual: the claim as it is true, which is as written when it holds.
    """

    holds: bool
    figure: str
    actual: str


class Claim(NamedTuple):
    """A claim, which :func:`~dicedocs.probability.claims.parse_claim` reads.

    Parameters:
        text: what is written, blanks folded.
        left, relation, right: the figures and how they are compared.
        within: how far apart they may be.
        written: what is written on the left, between with the blanks there, and on the right.

    >>> from dicedocs.probability.claims import Subject, parse_claim
    >>> claim = parse_claim("mean(total | advantage=1) - mean(total) = 2 ± 0.5")
    >>> claim.verify(Subject("total-effect/roll", {})).figure
    '1.74'
    """

    text: str
    left: Term
    relation: Comparison
    right: Term
    within: NumberTerm | None
    written: tuple[str, str, str]

    def judge(self, subject: Subject) -> ClaimResult:
        """Count both sides, and compare them.

        Raises:
            DiceError: one of them cannot be counted.
        """
        left, right = self.left.value(subject), self.right.value(subject)
        holds = self._holds(left, right)
        figure, other = self._shown(left, right, holds=holds)
        before, between, after = self.written
        if isinstance(self.right, NumberTerm):
            sign = "="
            after = figure
        else:
            sign = "<" if left < right else ">" if left > right else "="
            figure = f"{figure} {sign} {other}"
        actual = f"{before}{between.replace(between.strip(), sign)}{after}"
        return ClaimResult(holds, figure, self.text if holds else actual)

    def verify(self, subject: Subject, *, loose: bool = False) -> ClaimResult:
        """Count both sides, and see that the claim holds.

        Parameters:
            subject: what it is about.
            loose: whether it is known not to hold, as when a source is quoted; then it must not.

        Raises:
            ExpectationError: it does not hold; or it is loose, and holds.
            DiceError: one of the sides cannot be counted.
        """
        verdict = self.judge(subject)
        if verdict.holds == loose:
            but = "is loose, and holds exactly" if loose else "does not hold"
            message = f"{quoted(self.text)} {but}: it is {verdict.figure}"
            raise ExpectationError(message, expected=self.text, actual=verdict.actual)
        return verdict

    def _holds(self, left: Fraction, right: Fraction) -> bool:
        if self.within is not None:
            return abs(left - right) <= self.within.written
        if self.relation in {"=", "!="} and isinstance(self.right, NumberTerm):
            return self.right.rounds(left) == (self.relation == "=")
        return COMPARISONS[self.relation](left, right)

    def _shown(self, left: Fraction, right: Fraction, *, holds: bool) -> tuple[str, str]:
        """Give both sides with so many decimals that they do not seem to say the opposite."""
        chance = self.left.chance or self.right.chance
        numbers = [number for number in (self.right, self.within) if isinstance(number, NumberTerm)]
        first = max([1 if chance else 2, *(number.places for number in numbers)])
        for places in range(first, first + _MORE):
            figure, other = (format_figure(side, chance=chance, places=places) for side in (left, right))
            compared = right if isinstance(self.right, NumberTerm) else _read_back(other, right)
            if self._holds(_read_back(figure, left), compared) == holds:
                break
        return figure, other


def _read_back(figure: str, exact: Fraction) -> Fraction:
    """Give the number that a figure shows; the exact one where it only shows a bound."""
    if figure[0] in "<>":
        return exact
    return Fraction(figure[:-1]) / 100 if figure.endswith("%") else Fraction(figure)
