"""Random values of a distribution: with exact probabilities, fast, and for ever the same for a seed."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, Final

from dicedocs import limits
from dicedocs.errors import LimitError
from dicedocs.rules.seeds import SeededDice

_BITS: Final = 16
"""Bits of a random word; nearly every value is decided by one word."""
_DECIDING: Final = 20
"""How many times longer it takes to draw a value that one word does not decide."""
_FEW: Final = 8
"""A part of the words, one in so many, may leave the value open at no cost."""
_BLOCK: Final = 4096
"""Words drawn at once, so that a longer sample begins like a shorter one."""


def draw(values: Sequence[Any], counts: Sequence[int], number: int, seed: int | str | None) -> list[Any]:
    """Return random values with exactly the probabilities that their counts say.

    A random word is the beginning of a binary fraction between 0 and 1, of which each value owns an
    interval. If all fractions that begin so lie in one interval the word decides the value; otherwise
    more words are drawn.

    Parameters:
        values, counts: the values, and the count of each.
        number: how many to draw.
        seed: as for :class:`~dicedocs.rules.seeds.SeededDice`.

    >>> draw(["heads"], [1], 2, seed=1)
    ['heads', 'heads']
    """
    bits = SeededDice(seed).bits
    cumulative = list(accumulate(counts))
    table = _word_table(values, cumulative)
    undecided = max(0, table.count(_Undecided) - len(table) // _FEW)
    weight = number + _DECIDING * number * undecided // len(table)
    if weight > limits.SAMPLES.maximum:
        message = f"{number} samples of {len(values)} values take as long as {weight} of a few"
        message += f"; the limit {limits.SAMPLES.name} is {limits.SAMPLES.maximum}"
        raise LimitError(message, limit=limits.SAMPLES.name, hint="take fewer samples", parameter="n")
    drawn: list[Any] = []
    while len(drawn) < number:
        words = _random_words(bits, _BLOCK)
        block = list(map(table.__getitem__, words))
        if _Undecided in block:
            for index, value in enumerate(block):
                if value is _Undecided:
                    block[index] = values[_decide(words[index], cumulative, bits)]
        drawn += block
    del drawn[number:]
    return drawn


class _Undecided:
    """The table's entry for a word that does not decide."""


def _word_table(values: Sequence[Any], cumulative: list[int]) -> list[Any]:
    """Return the value that each word decides."""
    total = cumulative[-1]
    table: list[Any] = []
    for value, end in zip(values, cumulative, strict=True):
        # The interval of the value ends at end / total.
        whole, part = divmod(end << _BITS, total)
        table += [value] * (whole - len(table))
        if part and len(table) == whole:
            table.append(_Undecided)
    return table


def _random_words(bits: Callable[[int], int], number: int) -> Sequence[int]:
    words = array("H", bits(_BITS * number).to_bytes(number * _BITS // 8, "little"))
    if sys.byteorder == "big":
        words.byteswap()
    return words


def _decide(word: int, cumulative: list[int], bits: Callable[[int], int]) -> int:
    """Draw words until all fractions that begin with them belong to one value; return its index."""
    total = cumulative[-1]
    size = _BITS
    while True:
        lowest = bisect_right(cumulative, (word * total) >> size)
        highest = bisect_right(cumulative, ((word + 1) * total - 1) >> size)
        if lowest == highest:
            return lowest
        word = word << _BITS | bits(_BITS)
        size += _BITS
