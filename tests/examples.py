"""How much is tried: in CI as much as found what was wrong, after each change a fifth."""

import os
from collections.abc import Iterable
from typing import Final, TypeVar

T = TypeVar("T")
_PART: Final = 1 if os.environ.get("CI") else 5


def many(number: int) -> int:
    """Return how many of so many examples hypothesis draws."""
    return number // _PART


def some(cases: Iterable[T]) -> list[T]:
    """Return those cases of a long sweep that are tried, of which each is like many others."""
    return list(cases)[::_PART]
