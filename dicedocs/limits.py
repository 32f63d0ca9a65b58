"""Every budget, named: what no input may pass, however hostile.

A limit is judged before the work begins, and passing it raises a
:class:`~dicedocs.errors.LimitError` that names it.
"""

from __future__ import annotations

from typing import NamedTuple

from dicedocs.errors import LimitError


class Limit(NamedTuple):
    """A budget.

    Parameters:
        name: how this module, the error and the documentation call it.
        maximum: the largest number allowed.
        unit: what is counted, in the plural.
    """

    name: str
    maximum: int
    unit: str

    def check(self, number: int, hint: str = "", parameter: str = "") -> None:
        """Refuse a number above the limit.

        Raises:
            LimitError: the number is above the limit.

        >>> DICE.check(10_001)
        Traceback (most recent call last):
        ...
        dicedocs.errors.LimitError: 10001 dice thrown in one play, and the limit DICE is 10000
        """
        if number > self.maximum:
            shown = str(number) if number < 10**DIGITS.maximum else "more than can be written"
            message = f"{shown} {self.unit}, and the limit {self.name} is {self.maximum}"
            raise LimitError(message, limit=self.name, hint=hint, parameter=parameter)


TEXT = Limit("TEXT", 1_000, "characters in an Expression or a Check")
NESTING = Limit("NESTING", 50, "parentheses inside one another")
DIGITS = Limit("DIGITS", 12, "digits of a number")
SEED = Limit("SEED", 100, "characters in a seed")
DICE = Limit("DICE", 10_000, "dice thrown in one play")
SIDES = Limit("SIDES", 1_000_000, "sides of a die")
PLAYS = Limit("PLAYS", 50, "mechanics played inside one another")
VALUE_TEXT = Limit("VALUE_TEXT", 10_000, "characters in the text of a parameter")
ITEMS = Limit("ITEMS", 1_000, "values in one list")
OUTCOMES = Limit("OUTCOMES", 1_000_000, "outcomes of one distribution")
COUNT_BITS = Limit("COUNT_BITS", 50_000_000, "bits in the counts of one distribution")
PAIRS = Limit("PAIRS", 2_000_000, "pairs of outcomes in one piece of arithmetic")
WORK = Limit("WORK", 50_000_000_000, "steps of exact counting")
BRANCHES = Limit("BRANCHES", 400_000, "branches of one enumeration")
DICE_CALLS = Limit("DICE_CALLS", 250, "dice calls on one path of an enumeration")
CLAIMS = Limit("CLAIMS", 1_000, "characters in claims about odds")
FIGURES = Limit("FIGURES", 50, "figures to be counted in one text of claims")
COUNTING = Limit("COUNTING", 30_000, "rounds of counting, of about a millisecond each, for one block")
ESTIMATE = Limit("ESTIMATE", 1_000_000, "plays in one estimate")
SAMPLES = Limit("SAMPLES", 10_000_000, "samples in one call")
SEEDS = Limit("SEEDS", 1_000_000, "seeds tried in one search")

ALL: tuple[Limit, ...] = tuple(limit for limit in vars().values() if isinstance(limit, Limit))
"""The limits, in the order in which they stand here."""
