"""Dice that a seed decides, which is a whole number or text."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.rules.dice import Dice, check_limits


class SeededDice(Dice):
    """Dice decided by a seed: the same seed gives the same faces on every platform and Python, for ever.

    Parameters:
        seed: a whole number, or text, which is encoded as UTF-8. A text of digits, with or without a
            minus sign, is that number. Without a seed the faces are random.

    Raises:
        ParameterError: the seed is neither a whole number nor text.
        LimitError: it is longer than ``SEED``.

    >>> SeededDice(7).each(6, 6, 6) == SeededDice("7").each(6, 6, 6)
    True
    """

    __slots__ = ("_random", "bits")

    bits: Callable[[int], int]
    """The function that returns a given number of random bits."""

    def __init__(self, seed: int | str | None = None) -> None:
        super().__init__()
        self._draw_from(random.Random(random.SystemRandom().getrandbits(64) if seed is None else _entropy(seed)))

    def _draw_from(self, generator: random.Random) -> None:
        self._random = generator
        self.bits = generator.getrandbits

    # A copy goes on by itself, with the same faces.

    def __getstate__(self) -> tuple[Any, ...]:
        return self._random.getstate()

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        Dice.__init__(self)
        generator = random.Random()
        generator.setstate(state)
        self._draw_from(generator)

    def throw(self, count: int, sides: int) -> list[int]:
        """Return faces by rejection sampling: bits are drawn again while they exceed the number of sides."""
        bits = self.bits
        try:
            if sides < 1:
                check_limits(0, count, sides)
            width, dice = (sides - 1).bit_length(), range(count)
        except Exception:  # a number that is not an int may raise anything
            check_limits(0, count, sides)
            raise
        faces = []
        for _ in dice:
            face = bits(width)
            while face >= sides:
                face = bits(width)
            faces.append(face + 1)
        return faces


def _entropy(seed: int | str) -> int | bytes:
    """Return the seed of the generator; a negative number by its text, since Python seeds -3 as 3.

    Raises:
        ParameterError: the seed is neither a whole number nor text.
        LimitError: it is longer than ``SEED``.
    """
    if isinstance(seed, str):
        limits.SEED.check(len(seed), parameter="seed")
        digits = seed.strip()
        if digits.isascii() and digits.removeprefix("-").isdigit():
            return _entropy(int(digits))
        try:
            return seed.encode()
        except UnicodeEncodeError:
            raise ParameterError(f"{quoted(seed)} is not a seed: it cannot be encoded", parameter="seed") from None
    if type(seed) is not int:
        raise ParameterError(f"{quoted(seed)} is not a seed", hint="a seed is a whole number or text", parameter="seed")
    if abs(seed) >= 10**limits.SEED.maximum:
        limits.SEED.check(limits.SEED.maximum + 1, parameter="seed")
    return seed if seed >= 0 else str(seed).encode()
