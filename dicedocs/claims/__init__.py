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

from dicedocs.claims.claim import Claim, Verdict
from dicedocs.claims.figures import NAMES, Figure, shown
from dicedocs.claims.reading import read_claim, read_claims, read_figure
from dicedocs.claims.subject import Subject

__all__ = [
    "NAMES",
    "Claim",
    "Figure",
    "Subject",
    "Verdict",
    "read_claim",
    "read_claims",
    "read_figure",
    "shown",
    "told",
]


def told(text: str, mechanic: str, /, *fact: str, **parameters: Any) -> str:
    """Give claims as they are true: each as it is written when it holds, otherwise with the exact figure.

    Parameters:
        text: claims, separated by commas.
        mechanic: the id of the mechanic that they are about.
        fact: the fact that is meant where none is named; the mechanic's first when left out.
        parameters: the mechanic's parameters.

    Raises:
        DiceError: something is no claim, or cannot be counted.

    >>> told("mean=10.5, p(at least 13)=26.4%", "methuen/expression", expression="3d6")
    'mean=10.5, p(at least 13)=25.9%'
    """
    subject = Subject(mechanic, parameters, *fact)
    return ", ".join(claim.judge(subject).actual for claim in read_claims(text))
