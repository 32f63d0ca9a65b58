"""Seeds as people write them: read, drawn afresh, and one after the other."""

from __future__ import annotations

import re
from typing import Final

from dicedocs import limits
from dicedocs.render.words import clean
from dicedocs.rules.dice import SeededDice
from dicedocs.rules.playing import Seed, fresh_seed

_NUMBER: Final = re.compile(r"-?[0-9]{1,12}")
_COUNTED: Final = re.compile(r"(.*?) ?([0-9]{1,9})")
_ROOM: Final = 10
"""Characters of a seed that its number may take."""


def read_seed(seed: object) -> Seed | None:
    """Read a seed as a person writes it: digits are a number, blanks fold, nothing is none.

    Raises:
        ParameterError: it is no seed.
        LimitError: it is too long.

    >>> read_seed(" 58 "), read_seed("theron"), read_seed("")
    (58, 'theron', None)
    """
    if isinstance(seed, str):
        # A directive has its seed in one line.
        seed = clean(seed).strip()
        if not seed:
            return None
        if _NUMBER.fullmatch(seed):
            seed = int(seed)
    if seed is not None:
        SeededDice(seed)  # type: ignore[arg-type]  # refuses what is no seed
    return seed  # type: ignore[return-value]


def following(seed: Seed | None) -> Seed:
    """Give the seed that comes after another.

    >>> following(6), following("theron"), following("theron 2")
    (7, 'theron 2', 'theron 3')
    """
    if seed is None:
        return fresh_seed()
    if isinstance(seed, int):
        return seed + 1
    found = _COUNTED.fullmatch(seed)
    name, number = (found[1], int(found[2])) if found else (seed, 1)
    return f"{name[: limits.SEED.maximum - _ROOM]} {number + 1}"
