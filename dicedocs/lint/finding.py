"""What is wrong in a page."""

from __future__ import annotations

from typing import Final, NamedTuple

KINDS: Final = {"table": "tables", "average": "averages", "range": "ranges", "percentage": "percentages", "sum": "sums"}
"""What is looked at, one and several."""


class Finding(NamedTuple):
    """Something that the dice do not say.

    Parameters:
        kind: what is wrong: a key of ``KINDS``.
        line, column: where, from 1.
        message: what is wrong, and what the dice say.
        directive: what an author writes to have this checked for ever; empty if nothing can say it.
        is_certain: whether it is reported unless everything is asked for.
    """

    kind: str
    line: int
    column: int
    message: str
    directive: str = ""
    is_certain: bool = True
