"""Claims about odds, counted and compared: ``p(total at least 13 | advantage=1) = 50% ± 2%``.

A claim compares two terms with ``=``, ``!=``, ``<``, ``<=``, ``>`` or ``>=``. A term is

- a number, ``12.5``, ``25.9%`` or ``1 in 6``;
- a statistic: the probability ``p(...)`` of an event, of several together, ``p(total at least 13, effect = 2)``, or of
  one or another, ``p(low = 2 or high = 6)``; the ``mean(...)``, ``median(...)``, ``minimum(...)`` or ``maximum(...)``
  of a fact, not counting ``None``. After ``given`` stand events that are known to happen, after ``|`` settings of
  parameters;
- arithmetic of terms with ``+ - * /`` and parentheses.

A tolerance, ``± number`` or ``+- number``, goes with ``=``. Without it, a single number on the right holds as
:func:`~dicedocs.render.numbers.figure_holds` says; it may be ``about`` a number, or be ``rounded down`` or
``rounded up``. Any other term must be equal exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dicedocs.probability.claims.claim import Claim, ClaimResult
from dicedocs.probability.claims.parser import count_statistics, parse_claims, parse_term
from dicedocs.probability.claims.subject import Subject
from dicedocs.probability.claims.terms import STATISTICS, Term, format_figure
from dicedocs.rules.reserved import read_parameter

__all__ = [
    "STATISTICS",
    "Claim",
    "ClaimResult",
    "Subject",
    "Term",
    "corrected_claims",
    "count_statistics",
    "evaluate_claims",
    "format_figure",
    "parse_claims",
    "parse_term",
]


def corrected_claims(text: str, mechanic: str, /, *fact: str, best: str = "", **parameters: Any) -> str:
    """Return claims with those that do not hold corrected to the exact value.

    Parameters:
        text: claims, separated by commas.
        mechanic: the id of the mechanic that they are about.
        fact: the fact that is meant where none is named; the mechanic's first when left out.
        best: what open choices are made for, as for :func:`~dicedocs.odds`.
        parameters: the mechanic's parameters; one called ``best`` has an underscore behind it.

    Raises:
        DiceError: the text is not claims, or something cannot be counted.

    >>> corrected_claims("mean=10.5, p(at least 13)=26.4%", "methuen/expression", expression="3d6")
    'mean=10.5, p(at least 13)=25.9%'
    """
    values = {read_parameter(name, ("best",)): value for name, value in parameters.items()}
    subject = Subject(mechanic, values, "".join(fact), best)
    return ", ".join(result.actual for result in evaluate_claims(parse_claims(text), subject))


def evaluate_claims(claims: Sequence[Claim], subject: Subject) -> list[ClaimResult]:
    """Return the results of claims that stand together.

    Raises:
        DiceError: something cannot be counted, or a fact is compared with a text that it can never be.
    """
    subject.plan(count_statistics(claims))
    results = [claim.evaluate(subject) for claim in claims]
    subject.check_words()
    return results
