"""How many rows of a table come up in one roll: ``3 without repeats``, ``2 (1 to 4)``."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import DiceError, quoted
from dicedocs.page_rules.parameter_text import Declared, read_parameter
from dicedocs.rules.params import Sizes

DRAW: Final = "draw"
"""The parameter that says how many rows are drawn, if that is not always the same."""
_WITHOUT: Final = re.compile(r"(.*) (?:without repeats?|no repeats|all different)", re.IGNORECASE)
EACH_COLUMN: Final = "each column"
"""What says that a row is rolled for each column by itself."""
_HINT: Final = "write 3, each column, 3 without repeats, or 2 (1 to 4) if a player chooses"


class Draws(NamedTuple):
    """How many rows are drawn.

    Parameters:
        number: how many, unless a parameter says it.
        without_repeats: whether each row is drawn once at most.
        parameter: the parameter that says how many; ``None`` if it is always the same number.
        each_column: whether one is drawn for each column, and no lists of them.
    """

    number: int
    without_repeats: bool = False
    parameter: Declared | None = None
    each_column: bool = False

    @property
    def maximum(self) -> int | None:
        """The most rows that are drawn; ``None`` if that has no bound."""
        return self.number if self.parameter is None else self.parameter.field.high


def read_draws(text: str) -> Draws:
    """Return how many rows a text says are drawn.

    Raises:
        DiceError: it says no such thing.

    >>> read_draws("3 without repeats")
    Draws(number=3, without_repeats=True, parameter=None, each_column=False)
    >>> read_draws("2 (1 to 4)").maximum
    4
    """
    text = " ".join(text.split())
    if text.casefold() == EACH_COLUMN:
        return Draws(1, each_column=True)
    match = _WITHOUT.fullmatch(text)
    count = match[1] if match else text
    try:
        declared = read_parameter(count)
    except DiceError as error:
        raise DiceError(f"{quoted(text)} is not a number of rows to draw", hint=_HINT) from error
    if declared.type is not int:
        hint = f"write draw: 2 (1 to 4) and let the example say how many, or in a cell: {text} rolls on [table]"
        raise DiceError(
            f"{quoted(text)} is not a number of rows to draw", hint=hint if declared.type is Sizes else _HINT
        )
    number, low, high = declared.field.default, declared.field.low, declared.field.high
    if number < 1 or (low is not None and low < 1):
        raise DiceError("less than one row cannot be drawn", hint=_HINT)
    limits.ITEMS.check(max(number, high or 0), hint="draw fewer")
    is_choice = low is not None or high is not None
    if is_choice and (low is None or high is None):
        raise DiceError(f"{quoted(text)} has no bounds on both sides", hint=_HINT)
    return Draws(number, match is not None, declared if is_choice else None)
