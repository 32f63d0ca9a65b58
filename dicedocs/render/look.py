"""How much room an outcome takes on a page: its look, and the look that fits its working."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeGuard

from dicedocs.errors import near, quoted
from dicedocs.render.text import rows
from dicedocs.rules.steps import Step

Look = Literal["full", "compact", "line"]
LOOKS: Final[tuple[Look, ...]] = ("full", "compact", "line")
"""The working open; one row, with the working folded; a single line, with the working folded."""


def fitting_look(look: Look, steps: Iterable[Step]) -> Look:
    """Return the look of an outcome: the given one, but ``compact`` for ``full`` if at most one step changed anything.

    Parameters:
        look: the look that is asked for.
        steps: the working, empty if it is not shown.

    >>> import dicedocs as dd
    >>> fitting_look("full", dd.roll("10 - 3 - 2", dice=[]).steps())
    'compact'
    >>> fitting_look("full", dd.roll("3d6 + 2", dice=[4, 2, 5]).steps())
    'full'
    """
    active = sum(bool(row.text) and not row.idle for row in rows(steps))
    return "compact" if look == "full" and active < 2 else look


def is_look(name: str) -> TypeGuard[Look]:
    """Return whether a text is the name of a look."""
    return name in LOOKS


def no_such_look(name: str) -> str:
    """Return the message about a text that is not the name of a look.

    >>> no_such_look("compct")
    "'compct' is not a look; did you mean 'compact'?"
    """
    return f"{quoted(name)} is not a look; {near(name, LOOKS)}"
