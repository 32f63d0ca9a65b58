"""Drawing values of a distribution: fast, exact, and the same for a seed for ever."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Final

from dicedocs.rules.dice import SeededDice

_BITS: Final = 16
"""Bits of a word of chance; nearly every value is decided by one."""
_BLOCK: Final = 4096
"""Words drawn at once, so that a longer draw begins as a shorter one does."""


def draw(values: Sequence[Any], counts: Sequence[int], number: int, seed: int | str | None) -> list[Any]:
    """Draw values with the chances that their counts give, exactly.

    A word of chance is the beginning of a binary fraction. Where all fractions that begin so fall
    to one value the word decides it; where not, more words are drawn until it is decided.

    Parameters:
        values, counts: the values, and the count of each.
        number: how many to draw.
        seed: as for :class:`~dicedocs.rules.dice.SeededDice`.

    >>> draw(["heads"], [1], 2, seed=1)
    ['heads', 'heads']
    """
    bits = SeededDice(seed).bits
    reached = list(accumulate(counts))
    table = _table(values, reached)
    drawn: list[Any] = []
    while len(drawn) < number:
        words = _words(bits, _BLOCK)
        block = list(map(table.__getitem__, words))
        if _Undecided in block:
            for place, value in enumerate(block):
                if value is _Undecided:
                    block[place] = values[_decide(words[place], reached, bits)]
        drawn += block
    del drawn[number:]
    return drawn


class _Undecided:
    """What stands in the table for a word that does not decide."""


def _table(values: Sequence[Any], reached: list[int]) -> list[Any]:
    """Give the value that each word decides."""
    every = reached[-1]
    table: list[Any] = []
    for value, end in zip(values, reached, strict=True):
        # All fractions below `end / every` that are not below the value before belong to the value.
        whole, part = divmod(end << _BITS, every)
        table += [value] * (whole - len(table))
        if part and len(table) == whole:
            table.append(_Undecided)
    return table


def _words(bits: Callable[[int], int], number: int) -> Sequence[int]:
    words = array("H", bits(_BITS * number).to_bytes(number * _BITS // 8, "little"))
    if sys.byteorder == "big":
        words.byteswap()
    return words


def _decide(word: int, reached: list[int], bits: Callable[[int], int]) -> int:
    """Draw words until all fractions that begin like this fall to one value; give its place."""
    every = reached[-1]
    size = _BITS
    while True:
        lowest = bisect_right(reached, (word * every) >> size)
        highest = bisect_right(reached, ((word + 1) * every - 1) >> size)
        if lowest == highest:
            return lowest
        word = word << _BITS | bits(_BITS)
        size += _BITS
