"""Seeds as a person types them: reading them, drawing a fresh one, and the next one after another."""

from __future__ import annotations

import re
from typing import Final

from dicedocs import limits
from dicedocs.render.words import clean
from dicedocs.rules.dice import SeededDice
from dicedocs.rules.playing import Seed, fresh_seed

_NUMBER: Final = re.compile(r"-?[0-9]{1,12}")
_NUMBERED: Final = re.compile(r"(.*?) ?([0-9]{1,9})")
_SUFFIX_LENGTH: Final = 10


def read_seed(seed: object) -> Seed | None:
    """Return a seed as typed: digits are a number, runs of blanks fold, and an empty text is no seed.

    Raises:
        ParameterError: it is not a seed.
        LimitError: it is longer than ``SEED``.

    >>> read_seed(" 58 "), read_seed("theron"), read_seed("")
    (58, 'theron', None)
    """
    if isinstance(seed, str):
        # A directive has its seed on one line.
        seed = clean(seed).strip()
        if not seed:
            return None
        if _NUMBER.fullmatch(seed):
            seed = int(seed)
    if seed is not None:
        SeededDice(seed)  # type: ignore[arg-type]  # raises an error if it is not a seed
    return seed  # type: ignore[return-value]


def next_seed(seed: Seed | None) -> Seed:
    """Return the seed after another one; a fresh one after ``None``.

    >>> next_seed(6), next_seed("theron"), next_seed("theron 2")
    (7, 'theron 2', 'theron 3')
    """
    if seed is None:
        return fresh_seed()
    if isinstance(seed, int):
        return seed + 1
    numbered = _NUMBERED.fullmatch(seed)
    name, number = (numbered[1], int(numbered[2])) if numbered else (seed, 1)
    return f"{name[: limits.SEED.maximum - _SUFFIX_LENGTH]} {number + 1}"
