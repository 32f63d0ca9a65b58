"""What is wrong in a page."""

from __future__ import annotations

from typing import Final, NamedTuple

KINDS: Final = {
    "table": "tables", "average": "averages", "range": "ranges", "percentage": "percentages", "sum": "sums",
    "layout": "layouts",
}  # fmt: skip
"""What is looked at, one and several."""


class Finding(NamedTuple):
    """Something that the dice do not say.

    Parameters:
        kind: what is wrong: a key of ``KINDS``.
        line, column: where, from 1.
        message: what is wrong, and what the dice say.
        dice: the dice, as the notation has them; empty if there are none.
        claim: what is true of them; empty for the rows of a table.
        is_certain: whether it is reported unless everything is asked for.
    """

    kind: str
    line: int
    column: int
    message: str
    dice: str = ""
    claim: str = ""
    is_certain: bool = True
