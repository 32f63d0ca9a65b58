"""The facts of an outcome, held to the types that its class declares.

A rule is played for every answer while odds are counted, so its facts are checked only where an example is played.
"""

from __future__ import annotations

from dicedocs.errors import quoted
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome, fact_values


def check_fact_types(rule: Mechanic, outcome: Outcome) -> None:
    """Check that each fact of an outcome is of its declared type.

    Parameters:
        rule: the mechanic that was played.
        outcome: what it gave.

    Raises:
        TypeError: a fact is not; the error names it, its value and what it can be.
    """
    expected = rule.result()
    if not isinstance(outcome, expected):
        raise TypeError(
            f"{type(rule).__qualname__}.resolve gave a {type(outcome).__qualname__}, and is declared to give a "
            f"{expected.__qualname__}"
        )
    kinds = rule.fact_kinds()
    for name, value in zip(outcome.facts_of, fact_values(outcome), strict=True):
        if name in kinds and not kinds[name].holds(value):
            raise TypeError(
                f"the fact {name!r} is declared as {kinds[name].expects}, but it is {quoted(value)}, "
                f"of the type {type(value).__name__}; change the annotation or the value"
            )
