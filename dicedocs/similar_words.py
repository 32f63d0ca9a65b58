"""Words that somebody may have meant: "did you mean ...?"."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, pairwise
from typing import Final

from dicedocs.errors import listed, quoted

_CHOICES: Final = 100_000
"""The number of choices that are read."""
_COMPARED: Final = 100
"""The number of choices compared letter by letter, which is slow: those that share the most letter pairs."""
_LETTERS: Final = 60
"""The letters of a word that are compared."""


def near(word: object, choices: Iterable[object]) -> str:
    """Return a hint that lists the choices similar to a word, or else all of them when they are few.

    A word or a choice that is not text is similar to none.

    >>> near("Strenght", ["Strength", "Health"])
    "did you mean 'Strength'?"
    >>> near("Mana", ["Strength", "Health"])
    "known: 'Health', 'Strength'"
    >>> near("Mana", [])
    ''
    """
    from difflib import get_close_matches
    from heapq import nlargest

    known = sorted({choice for choice in islice(choices, _CHOICES) if isinstance(choice, str)})
    word = word[:_LETTERS].casefold() if isinstance(word, str) else ""
    by_case = {choice[:_LETTERS].casefold(): choice for choice in known}
    compared: Iterable[str] = by_case
    if len(by_case) > _COMPARED:
        pairs = set(pairwise(word))
        compared = nlargest(_COMPARED, by_case, key=lambda choice: len(pairs.intersection(pairwise(choice))))
    close = list(dict.fromkeys(by_case[choice] for choice in get_close_matches(word, compared, n=3, cutoff=0.6)))
    if close:
        return f"did you mean {listed(map(quoted, close))}?"
    few = 12
    if known and len(known) <= few:
        return f"known: {', '.join(map(quoted, known))}"
    return ""


def is_near(word: str, choice: str) -> bool:
    """Return whether a word is so similar to another one that it may be misspelled.

    >>> is_near("mechanik", "mechanic"), is_near("dice", "mechanic")
    (True, False)
    """
    return near(word, [choice]).startswith("did")
