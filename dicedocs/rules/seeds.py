"""The seed of dice: a whole number or text."""

from __future__ import annotations

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted


def entropy(seed: int | str) -> int | bytes:
    """Return the seed of the generator; a negative number by its text, since Python seeds -3 as 3.

    Raises:
        ParameterError: the seed is neither a whole number nor text.
        LimitError: it is longer than ``SEED``.
    """
    if isinstance(seed, str):
        limits.SEED.check(len(seed), parameter="seed")
        digits = seed.strip()
        if digits.isascii() and digits.removeprefix("-").isdigit():
            return entropy(int(digits))
        try:
            return seed.encode()
        except UnicodeEncodeError:
            raise ParameterError(f"{quoted(seed)} is not a seed: it cannot be encoded", parameter="seed") from None
    if type(seed) is not int:
        raise ParameterError(f"{quoted(seed)} is not a seed", hint="a seed is a whole number or text", parameter="seed")
    if abs(seed) >= 10**limits.SEED.maximum:
        limits.SEED.check(limits.SEED.maximum + 1, parameter="seed")
    return seed if seed >= 0 else str(seed).encode()
