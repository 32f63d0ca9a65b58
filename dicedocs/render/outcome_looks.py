"""How much room an outcome takes on a page: its look."""

from __future__ import annotations

from typing import Final, Literal, TypeGuard

from dicedocs.errors import quoted
from dicedocs.similar_words import near

Look = Literal["full", "compact", "line"]
LOOKS: Final[tuple[Look, ...]] = ("full", "compact", "line")
"""The working below the result; the working folded; a single line, with the working folded."""


def is_look(name: str) -> TypeGuard[Look]:
    """Return whether a text is the name of a look."""
    return name in LOOKS


def no_such_look(name: str) -> str:
    """Return the message about a text that is not the name of a look.

    >>> no_such_look("compct")
    "'compct' is not a look; did you mean 'compact'?"
    """
    return f"{quoted(name)} is not a look; {near(name, LOOKS)}"
