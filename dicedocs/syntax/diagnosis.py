"""The tables of mistakes, one for each dialect, and how a text is diagnosed by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from dicedocs.syntax.change_mistakes import CHANGES
from dicedocs.syntax.claim_mistakes import CLAIMS
from dicedocs.syntax.condition_mistakes import WORD_CHOICES
from dicedocs.syntax.mistakes import PLAIN, Diagnosis, Dialect, IllegalText, Mistake, Row
from dicedocs.syntax.notation_mistakes import NOTATION
from dicedocs.syntax.rule_mistakes import RULES


def diagnose(failure: IllegalText) -> Diagnosis | None:
    """Return the first mistake of the table that matches a failure."""
    return next(diagnoses(failure), None)


def diagnoses(failure: IllegalText) -> Iterator[Diagnosis]:
    """Yield the mistakes of the table that match a failure."""
    for mistake in MISTAKES[failure.dialect]:
        diagnosis = mistake.match(failure) if isinstance(mistake, Mistake) else mistake(failure)
        if diagnosis is not None:
            yield diagnosis


MISTAKES: Final[Mapping[Dialect, Sequence[Row]]] = {
    "plain": PLAIN,
    "notation": NOTATION,
    "rules": RULES,
    "claims": CLAIMS,
    "changes": CHANGES,
    "words": WORD_CHOICES,
}
"""The mistakes of each dialect, in the order in which they are tried."""
