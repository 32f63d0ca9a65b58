"""Claims about odds, counted and compared: ``p(total at least 13 | advantage=1) = 50% ± 2%``.

A claim compares two figures with ``=``, ``!=``, ``<``, ``<=``, ``>`` or ``>=``. A figure is a number, ``12.5`` or
``25.9%``; the chance ``p(...)`` of an event, or of several together, ``p(total at least 13, effect = 2)``; the
``mean(...)`` or ``median(...)`` of a fact; or arithmetic of these with ``+ - * /`` and parentheses. After ``|`` stand
settings of parameters, beside those that the rule has already.

With ``± number`` behind it ``=`` means no further away than that; ``+-`` will do. Without it, a single number is
what the exact figure rounds to, with the decimals that are written; anything else must be equal exactly.
"""

from __future__ import annotations

from typing import Any

from dicedocs.probability.claims.claim import Claim, ClaimResult
from dicedocs.probability.claims.parser import parse_claim, parse_claims, parse_term
from dicedocs.probability.claims.subject import Subject
from dicedocs.probability.claims.terms import STATISTICS, Term, format_figure

__all__ = [
    "STATISTICS",
    "Claim",
    "ClaimResult",
    "Subject",
    "Term",
    "corrected_claims",
    "format_figure",
    "parse_claim",
    "parse_claims",
    "parse_term",
]


def corrected_claims(text: str, mechanic: str, /, *fact: str, **parameters: Any) -> str:
    """Give claims as they are true: each as it is written when it holds, otherwise with the exact figure.

    Parameters:
        text: claims, separated by commas.
        mechanic: the id of the mechanic that they are about.
        fact: the fact that is meant where none is named; the mechanic's first when left out.
        parameters: the mechanic's parameters.

    Raises:
        DiceError: something is no claim, or cannot be counted.

    >>> corrected_claims("mean=10.5, p(at least 13)=26.4%", "methuen/expression", expression="3d6")
    'mean=10.5, p(at least 13)=25.9%'
    """
    subject = Subject(mechanic, parameters, *fact)
    return ", ".join(claim.judge(subject).actual for claim in parse_claims(text))
